"""Words and letters that multiply the number before them."""

from __future__ import annotations

_WORDS = {
    3: "thousand thousands tausend tsd tsd. tys tys. тыс тыс.",
    4: "万 萬 만",
    5: "lakh lakhs",
    6: "million millions mn mln mln. mio mio. millionen millones millón milioni milione milhões milhão miljoen miljoner"
    " miljon millioner mill. milionów miliony milion млн млн.",
    7: "crore crores",
    8: "亿 億 억",
    9: "billion billions bn bln mrd mrd. milliarden milliarde milliard milliards miliardi miliardo mld mld. md mds"
    " miljard miljarder milliarder mia. miliardów miliardy млрд млрд.",
    12: "trillion trillions tn billionen",
}
_EXPONENTS = {word: exponent for exponent, words in _WORDS.items() for word in words.split()}
_LETTERS = {"k": 3, "K": 3, "M": 6}
_MONEY_LETTERS = _LETTERS | {"m": 6, "b": 9, "B": 9, "T": 12}


def exponent_of(word: str, *, money: bool, attached: bool) -> int:
    """The power of ten that a word after a number stands for; 0 when it is no such word.

    A letter must touch its number (300 K is a temperature), and `m` and `B` count beside a currency only
    (elsewhere they are metres and bytes).
    """
    if len(word) == 1 and word.isascii():
        return (_MONEY_LETTERS if money else _LETTERS).get(word, 0) if attached or money else 0
    return _EXPONENTS.get(word) or _EXPONENTS.get(word.lower(), 0)
