"""Read currency signs and words beside a number, and find their ISO 4217 codes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from webquarry.values.locale import Locale, load_tables
from webquarry.values.text_value import fold

# Without ALL, CUP, MOP, SOS and TOP: in capitals beside a number these are nearly always the English words.
_CODES = frozenset(
    "AED AFN AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF"
    " CLP CNY COP CRC CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HRK"
    " HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD"
    " MDL MGA MKD MMK MNT MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR"
    " RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SRD SSP STN SYP SZL THB TJS TMT TND TRY TTD TWD TZS UAH UGX"
    " USD UYU UZS VES VND VUV WST XAF XCD XOF XPF YER ZAR ZMW ZWL".split()
)
WHOLE_CURRENCIES = frozenset(
    "AFN ALL BIF CLP COP CRC DJF GNF HUF IDR IQD IRR ISK JPY KMF KRW LAK MGA MMK PYG RSD RWF SOS SYP TZS UGX UZS VND"
    " VUV XAF XOF XPF YER".split()
)
"""Prices in these have no cents, or nobody writes them: a mark before three digits separates thousands."""
THREE_DECIMALS = frozenset("BHD JOD KWD LYD OMR TND".split())
"""Currencies whose prices have three decimals."""
_NAMES = {
    "EUR": "€ euro euros",
    "GBP": "£ gbp£",
    "USD": "us$ u$s us-$ usd$ usd",
    "CAD": "c$ ca$ cdn$ cad$",
    "AUD": "a$ au$ aud$",
    "NZD": "nz$",
    "SGD": "s$ sg$",
    "HKD": "hk$",
    "TWD": "nt$",
    "MXN": "mx$ mex$",
    "BRL": "r$",
    "JPY": "円 jp¥ yen",
    "CNY": "元 cn¥ rmb yuan",
    "INR": "₹",
    "KRW": "₩ 원",
    "RUB": "₽ руб руб. р.",  # noqa: RUF001 - in its own alphabet
    "UAH": "₴ грн грн.",
    "PLN": "zł zl",
    "CZK": "kč kc",
    "HUF": "ft ft.",
    "RON": "lei",
    "BGN": "лв лв.",
    "TRY": "₺ tl",
    "ILS": "₪",
    "VND": "₫ đ",
    "THB": "฿",
    "PHP": "₱",
    "NGN": "₦",
    "GHS": "₵",
    "KZT": "₸",
    "CHF": "fr. sfr sfr.",
    "MYR": "rm",
    "IDR": "rp rp.",
    "PEN": "s/ s/.",
    "AED": "د.إ د.إ. dhs dhs.",
    "SAR": "ر.س ر.س. ﷼ sr",
}
_BY_NAME = {name: code for code, names in _NAMES.items() for name in names.split()}
_BEFORE_ONLY = frozenset(("rm", "rp", "rp.", "s/", "s/."))  # after a number they are other words
_CAPITALISED = frozenset(("ft", "ft.", "tl", "rm", "fr."))  # in small letters they are other words: ft means feet

_SPELLED = "¤"
_CODE_LETTERS = 3
DASHES = ",-"
"""Written for no cents, as in 129,-: the currency of the country, without a sign."""
CROWNS = "kr"
"""Kept as a unit if the language does not tell which country's crowns they are."""
_SHARED = {sign: sign for sign in ("$", "¥", CROWNS, "rs", "r")}
_SHARED |= {"kr.": CROWNS, "rs.": "rs", "dollar": "$", "dollars": "$"}
_NORDIC = {"sv": "SEK", "da": "DKK", "fo": "DKK", "nb": "NOK", "nn": "NOK", "no": "NOK", "is": "ISK"}
_BY_PLACE = {
    "$": {code[:2].lower(): code for code in "CAD AUD NZD SGD HKD TWD MXN ARS CLP COP UYU".split()},
    "rs": {"pk": "PKR", "ur": "PKR", "lk": "LKR", "si": "LKR", "np": "NPR", "ne": "NPR", "mu": "MUR"},
    "¥": {"zh": "CNY", "cn": "CNY"},
    CROWNS: _NORDIC,
    "r": {"za": "ZAR"},
    DASHES: _NORDIC | {"ch": "CHF", "de": "EUR", "at": "EUR", "nl": "EUR"},
}
"""Currencies of shared signs by language or region; within a row the two never conflict."""
_ELSEWHERE = {"$": "USD", "¥": "JPY", "rs": "INR"}


_ASCII_WORDS = "|".join(sorted(name for name in _BY_NAME | _SHARED if name.isalpha() and name.isascii()))
MAY_NAME_CURRENCY = re.compile(rf"[^\x00-\x7f]|\$|[A-Z]{{2}}|[.,:]-|(?<![A-Za-z])(?i:{_ASCII_WORDS}|s/)(?![A-Za-z])")
"""Finds something in every text that names a currency: a quick check before a text is taken apart."""


def sign_of(word: str, *, before: bool) -> str:
    """Return the currency that a word beside a number names: its code, or a sign that several share; else `""`."""
    if word in _CODES:
        return word
    if word[:1] == _SPELLED:
        return word[1:]
    small = word.lower()
    if small in _SHARED:
        # KR174 is an article number, and the R of rands precedes the number.
        capitals = word.isupper() and (word != "R" or not before)
        return "" if capitals or word == "r" else _SHARED[small]
    if small in _CAPITALISED and small == word:
        return ""
    if small in _BY_NAME:
        return "" if small in _BEFORE_ONLY and not before else _BY_NAME[small]
    return "" if word.isascii() and "$" not in word else _cldr_sign(word)


def _cldr_sign(word: str) -> str:
    """Return the currency of a sign that CLDR lists; the sign itself if the currency depends on the place."""
    places = _cldr_signs().get(word)
    return "" if places is None else places.get("", word)


@lru_cache(maxsize=1)
def _cldr_signs() -> dict[str, dict[str, str]]:
    signs = {fold(sign): places for sign, places in load_tables()["signs"].items()}
    # pages often leave out the point after the last letter of an Arabic abbreviation
    return {sign.rstrip("."): places for sign, places in signs.items() if len(sign) > 2} | signs


def spell_out_signs(texts: Sequence[str], locale: Locale) -> Sequence[str]:
    """Write the sign of the page's own currency as a code if it has only Latin letters, as these are words elsewhere.

    >>> spell_out_signs(["12 KM"], Locale(language="bs")), spell_out_signs(["12 KM"], Locale(language="de"))
    (['12 ¤BAM'], ['12 KM'])
    """
    own = _own_sign(locale.language.lower())
    return texts if own is None else [own[0].sub(own[1], text) for text in texts]


@lru_cache(maxsize=256)
def _own_sign(language: str) -> tuple[re.Pattern[str], str] | None:
    table = load_tables()["own_signs"]
    own = table.get(language) or table.get(language.partition("-")[0])
    if not language or not own:
        return None
    ((sign, code),) = own.items()
    sign = re.escape(sign)
    beside_a_digit = rf"(?<![^\W\d])(?:{sign}(?=\s?\d)|(?<=\d){sign}|(?<=\d\s){sign})(?![^\W\d])"
    return re.compile(beside_a_digit), _SPELLED + code


def join_signs(before: str, after: str) -> str | None:
    """Combine the currencies before and after a number, as in $12 CAD; None if they disagree."""
    if not before or not after or before == after:
        return before or after
    return after if before == "$" and (after[-1] == "D" or after in _BY_PLACE["$"].values()) else None


def code_of(sign: str, locale: Locale) -> str:
    """Return the code of a currency in a locale; `""` if the locale does not tell.

    >>> code_of("$", Locale(language="en-ca")), code_of("kr", Locale(language="sv")), code_of("kr", Locale())
    ('CAD', 'SEK', '')
    """
    places = _BY_PLACE.get(sign)
    if places is None:
        return sign if sign in _CODES or len(sign) == _CODE_LETTERS else _code_in_place(sign, locale)
    found = places.get(locale.region) or _code_in_place(sign, locale) if locale.region else None
    return found or (places.get(locale.primary) if sign != "$" else None) or _ELSEWHERE.get(sign, "")


def _code_in_place(sign: str, locale: Locale) -> str:
    places = _cldr_signs().get(sign, {})
    return places.get(locale.language.lower()) or places.get(locale.primary, "")


def is_code(word: str) -> bool:
    """Tell whether a word is the ISO 4217 code of a currency."""
    return word in _CODES
