"""Find money in texts, and read texts as prices: an amount or a range with a currency, and words that qualify it.

Such words are `from`, `per month` and `between`.
"""

# ruff: noqa: RUF001 - words in their own alphabets

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import NamedTuple

from webquarry.values.text_value import Locale, Value, find_column_mark, read_digits
from webquarry.values.units import (
    DASHES,
    MAY_NAME_CURRENCY,
    THREE_DECIMALS,
    WHOLE_CURRENCIES,
    Amount,
    code_of,
    join_signs,
    sign_of,
    spell_out_signs,
    take_apart,
)

_MAX_LABEL_CHARACTERS = 24  # of an unknown label with its colon; longer ones are titles
_MAX_NOTE_CHARACTERS = 30  # of the words after a price; longer ones are a sentence
_MAX_NOTE_WORDS = 4

_QUALIFIERS = frozenset(
    "from|starting|starting at|starting from|starts at|starts from|as low as|up to|about|around|approx.|approx"
    "|approximately|at least|at most|under|over|less than|more than|min.|max.|min|max|ca.|ca|circa|~|≈|<|>|≤|≥"
    "|ab|schon ab|bereits ab|von|bis|bis zu|etwa|rund|mindestens|höchstens|unter|über"
    "|à partir de|dès|de|jusqu'à|environ|moins de|plus de|desde|a partir de|hasta|menos de|más de"
    "|da|a partire da|fino a|meno di|più di|até|mais de|vanaf|van|tot|va|v.a."
    "|od|już od|do|około|ok.|již od|už od|až|från|upp till|cirka|fra|op til|opp til|alkaen|alk."
    "|от|до|около|від|близько|από|έως|μέχρι|de la|până la|akár|kb.|mulai|mulai dari|hingga|từ|đến"
    "|من|ابتداء من|ابتداءً من|تبدأ من|حتى|از|החל מ|החל מ-|约|約|最低".split("|")
)
"""Before a price."""
_MAX_WORDS_OF_QUALIFIER = max(len(words.split()) for words in _QUALIFIERS)
_SHORT_RATES = frozenset("each ea ea. apiece p.p. pp pppn p.m. pm pcm pw p.w. p.a. pa p/m".split())
_QUALIFIERS_AFTER = _SHORT_RATES | frozenset(
    "monthly weekly yearly annually daily nightly negotiable obo o.b.o. ono o.n.o. fixed firm onwards + net gross"
    " netto brutto ttc ht tax taxes vat gst mwst mwst. ust. btw iva tva dph moms incl incl. inc inc. including"
    " included excl excl. ex ex. excluding excluded plus inkl inkl. zzgl. shipping versand versandkosten delivery and"
    " & or up more less best nearest offer vb vhb kalt warm kaltmiete warmmiete nettokaltmiete miete stück stk."
    " monatlich jährlich alkaen 起 から より 부터 ～ ~ 税込 税抜 税別 含税"
    " incluido incluida inclus compris comprises incluso inclusa"
    " cc hc rrp msrp uvp total".split()
)
# Words that are followed by the thing a price is for, whatever it is: per night, le kilo, / month.
_PER = frozenset(
    "/ per pro je a an par por al à la le el cada ao za na pr. pr i om om. по за в на ανά mỗi 每 毎".split()
)
_PER_GOODS = r"\s*(?:/|\b(?:per|pro|je|par|por|al|za|за)\s)\s*"  # words that mean little else beside a price
_GOODS = r"[^\W\d_]{1,12}[²³.]?"
_RATE = re.compile(rf"{_PER_GOODS}\d[\d.,]*\s?{_GOODS}$", re.IGNORECASE)
_RATE_AHEAD = re.compile(rf"{_PER_GOODS}(?:\d[\d.,]*\s?)?{_GOODS}(?!\w)", re.IGNORECASE)
_WORD_AHEAD = re.compile(r"\s*([^\s,;*†‡]+)?([*†‡]?)")
_WORDS_BEHIND = re.compile(r"\S+\s*$")

_LABEL_WORDS = frozenset(
    "price prices cost costs fee fees rate sale regular now was only just special offer deal list retail msrp rrp"
    " original current old new our your today today's total amount unit standard normal reduced discounted promo member"
    " members online buy bid salary pay rent range the is for of final estimated est. asking guide adult adults child"
    " children student students ticket tickets admission entry selling"
    " preis preise preisspanne normalpreis sonderpreis aktionspreis angebot angebotspreis verkaufspreis regulärer statt"
    " nur jetzt bisher uvp aktuell aktueller ursprünglicher kaufpreis kaltmiete warmmiete miete gesamtmiete gehalt"
    " eintritt grundpreis"
    " prix plage tarif soldé promotionnel habituel actuel initial loyer seulement de du"
    " precio precios rango oferta rebajado venta ahora antes tarifa alquiler salario del"
    " prezzo fascia scontato listino vendita offerta originale attuale solo affitto di"
    " preço preços faixa intervalo promocional agora apenas aluguel"
    " prijs prijsklasse aanbieding normale verkoopprijs nu huidige oorspronkelijke adviesprijs huur"
    " cena ceny zakres cen promocyjna regularna aktualna obecna teraz tylko pierwotna původní aktuální rozpětí běžná"
    " pris prisintervall prisinterval ordinarie ordinær normalpris nuvarande nåværende før nå"
    " hinta hintaluokka normaali nyt цена цены стоимость диапазон цен сейчас старая новая ціна вартість τιμή τιμές"
    " preț interval ár ára akciós fiyat fiyatı harga giá السعر سعر قیمت מחיר"
    " 価格 通常価格 セール価格 販売価格 价格 價格 售价 原价 现价 가격 정가 판매가".split()
)
_DASHES = str.maketrans(dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2212", "-"))
_BETWEEN = frozenset("between zwischen entre tra fra tussen między mezi mellan mellem mellom между між μεταξύ".split())

_JOINT = re.compile(
    r"(?P<left>.{0,24}?)(?:"
    r"\s*(?:--?|~|～|〜|…|\.{2,3})\s*"
    r"|\s(?:to|through|until|bis|à|a|hasta|até|tot|do|až|til|till|до|έως|până la|la|sampai|hingga|đến|إلى|تا|至|到)\s"
    r"|\s(?P<both>and|und|et|y|e|en|i|a|och|og|и|та|και)\s"
    r")(?P<right>[^-~\d]{0,8})",
    re.IGNORECASE,
)


class Joint(NamedTuple):
    """What is written between the ends of a range."""

    left: str
    """Belongs to the lower end."""
    right: str
    """Belongs to the upper end."""
    needs_between: bool
    """The word also joins two separate prices, so a word such as "between" has to come first."""


class Words(NamedTuple):
    """The words beside a price, as far as they are understood."""

    note: str
    """Qualifies the price."""
    unknown: str
    """Neither a label nor a qualifier."""


def split_rate(text: str) -> tuple[str, str]:
    """Split off an amount of goods that a price is for.

    >>> split_rate("1,20 € / 100 g"), split_rate("$5 each")
    (('1,20 €', '/ 100 g'), ('$5 each', ''))
    """
    match = _RATE.search(text)
    return (text[: match.start()], match[0].strip()) if match and match.start() else (text, "")


def read_joint(between: str) -> Joint | None:
    """Read what is written between two numbers; None if it does not make them a range.

    >>> read_joint("K - $"), read_joint(" € ")
    (Joint(left='K', right='$', needs_between=False), None)
    """
    match = _JOINT.fullmatch(between)
    return Joint(match["left"], match["right"], match["both"] is not None) if match else None


@lru_cache(maxsize=1024)  # few differ in a column
def words_before(label: str) -> Words:
    """Read the words before a price.  A label is dropped, and so is the "between" of a range.

    >>> words_before("Sale price from"), words_before("Preis:"), words_before("Catch")
    (Words(note='from', unknown=''), Words(note='', unknown=''), Words(note='', unknown='Catch'))
    """
    words = label.split()
    plain = [word.lower().strip(":,;-|·") for word in words]
    for start in range(len(words)):
        if " ".join(plain[start:]) in _QUALIFIERS:
            rest = _unknown_label(words[:start], plain[:start])
            # a capital only shows that the text begins here
            note = words[start].lower() if not start else words[start]
            return Words(" ".join((note, *words[start + 1 :])).rstrip(":"), rest)
    return Words("", _unknown_label(words, plain))


def joins_ends(between: str) -> bool:
    """Tell whether what is written between two prices makes them a range.

    >>> joins_ends(" \u2013 "), joins_ends(" bis "), joins_ends(" or ")
    (True, True, False)
    """
    joint = read_joint(between.translate(_DASHES)) if len(between) <= _MAX_LABEL_CHARACTERS else None
    return joint is not None and not joint.needs_between and not joint.left.strip() and not joint.right.strip()


def find_qualifier(text: str, price: int) -> int:
    """Find where the words that qualify a price begin, before it; the place of the price itself without such words.

    >>> text = "Sale, starting at $9"
    >>> text[find_qualifier(text, 18):]
    'starting at $9'
    """
    found = start = price
    for _ in range(_MAX_WORDS_OF_QUALIFIER):
        word = _WORDS_BEHIND.search(text, max(0, start - _MAX_LABEL_CHARACTERS), start)
        if word is None:
            break
        start = word.start()
        if " ".join(text[start:price].lower().split()).rstrip(" :") in _QUALIFIERS:
            found = start
    return found


def find_rate(text: str, end: int) -> int:
    """Find where words such as "/ month" after a price end; the end of the price itself without such words.

    >>> text = "$28 per hour or so"
    >>> text[:find_rate(text, 3)]
    '$28 per hour'
    """
    rate = _RATE_AHEAD.match(text, end)
    if rate is not None:
        return rate.end()
    word = _WORD_AHEAD.match(text, end)
    if word is None or (word[1] and word[1].lower() not in _SHORT_RATES):
        return end
    return word.end() if word[1] or word[2] else end


def says_between(label: str) -> bool:
    """Tell whether the words before a price end with a word such as "between"."""
    return label.rstrip().rpartition(" ")[2].lower() in _BETWEEN


def _unknown_label(words: list[str], plain: list[str]) -> str:
    if all(word in _LABEL_WORDS or not word for word in plain) or plain[-1] in _BETWEEN:
        return ""
    label = " ".join(words)
    return "" if label[-1] == ":" and len(label) <= _MAX_LABEL_CHARACTERS else label


@lru_cache(maxsize=1024)
def words_after(tail: str) -> Words:
    """Read the words after a price, without footnote marks.

    >>> words_after("/ month *"), words_after("incl. VAT"), words_after("Monkeys")
    (Words(note='/ month', unknown=''), Words(note='incl. VAT', unknown=''), Words(note='', unknown='Monkeys'))
    """
    note = tail.strip().strip("*†‡").strip()
    plain = note.lower().strip("()").split()
    if plain and plain[0] != "/" and plain[0][0] == "/":
        plain[:1] = ["/", plain[0][1:]]
    if not plain:
        return Words("", "")
    if len(note) > _MAX_NOTE_CHARACTERS or len(plain) > _MAX_NOTE_WORDS:
        return Words("", note)
    is_known = all(word.strip("(),;") in _QUALIFIERS_AFTER for word in plain) or (plain[0] in _PER and len(plain) > 1)
    return Words(note, "") if is_known else Words("", note)


_NUMBER = re.compile(
    r"\d+(?:[.,'\u2019]\d+|[\u00a0\u202f ]\d{3}(?!\d))*"
    r"(?:[.,]\s?[-\u2013\u2014]{1,2}(?!\d)|(?P<cents>[€£$]\d\d(?!\d)))?"
)
_MAX_SIGN = 8  # characters of a currency and the space or sign behind it
_SIGN_BEFORE = re.compile(r"([^\s\d\-\u2013\u2014:;,()]{1,6})[ \u00a0\u202f]?[-\u2212+]?$")
_COUNTRY_BEFORE_DOLLARS = re.compile(r"(?<!, )\b(?:US|CA|CDN|AU|NZ|HK|SG|NT|MX|C|A|R)[ \u00a0\u202f]$")  # US $25
_SIGN_AFTER = re.compile(r"[ \u00a0\u202f]?([^\s\d\-\u2013\u2014:;,()/*]{1,6})(?!\d)")
_MAGNITUDE = re.compile(r"[kKMbB]\b\+?")
_MAY_NAME_CURRENCY = re.compile(r"[A-Za-z$]|[^\x00-\x7f]")
_CURRENCY_MARK = "Sc"  # the Unicode category of currency signs

Span = tuple[int, int]


def find_money(text: str) -> list[Span]:
    """Find the amounts of money in a text, ranges as one, with `from`, `/ month` and the like.

    >>> text = "Now from $9.00 - $11.00 / month, was $15 or 12 pieces"
    >>> [text[start:stop] for start, stop in find_money(text)]
    ['from $9.00 - $11.00 / month', '$15']
    """
    found: list[Span] = []
    last = (0, 0)  # the number before, which may be the lower end of a range
    for number in _NUMBER.finditer(text):
        span = number.span() if number["cents"] else _money_around(text, *number.span())  # `24€99` has its sign within
        is_range = last[1] > 0 and joins_ends(text[last[1] : (span or number.span())[0]])
        if found and is_range and found[-1][1] == last[1]:
            found[-1] = found[-1][0], (span or number.span())[1]
        elif span is not None and is_range and span[0] == number.start():
            found.append((last[0], span[1]))
        elif span is not None:
            found.append(span)
        last = found[-1] if found and found[-1][1] >= number.end() else number.span()
    return [(find_qualifier(text, start), find_rate(text, stop)) for start, stop in found]


def is_money(text: str) -> bool:
    """Tell whether a text is an amount of money and nothing else.

    >>> is_money("From £9.00 GBP"), is_money("3x R$ 950,00"), is_money("12")
    (True, False, False)
    """
    if _MAY_NAME_CURRENCY.search(text) is None:
        return False
    spans = find_money(text)
    return len(spans) == 1 and not text[: spans[0][0]].strip() and not text[spans[0][1] :].strip(" .*")


def _money_around(text: str, start: int, stop: int) -> Span | None:
    """Extend a number by the currencies and the magnitude beside it; None if it has no currency."""
    before = _SIGN_BEFORE.search(text, max(0, start - _MAX_SIGN), start)
    signs = _sign_length(before[1], before=True) if before else 0
    magnitude = _MAGNITUDE.match(text, stop)
    stop = magnitude.end() if magnitude else stop
    after = _SIGN_AFTER.match(text, stop)
    signs_after = _sign_length(after[1], before=False) if after else 0
    if after and signs_after:
        stop = after.start(1) + signs_after
    if before and signs:
        start = before.end(1) - signs
        country = _COUNTRY_BEFORE_DOLLARS.search(text, max(0, start - _MAX_SIGN), start) if text[start] == "$" else None
        start = country.start() if country else start
    return (start, stop) if signs or signs_after else None


@lru_cache(maxsize=1024)  # a page has few
def _sign_length(word: str, *, before: bool) -> int:
    """Count the characters of a currency beside a number; a sign may touch other words, as in `from$`."""
    if sign_of(word, before=before):
        return len(word)
    mark = word[-1] if before else word[0]
    return int(unicodedata.category(mark) == _CURRENCY_MARK)


MIN_SHARE_OF_PRICES = 2 / 3
"""Of the texts of a column of money; the others say that a price is on request, or have two prices."""
_LINES_OF_NUMBERS = re.compile(r"\d\n\d")
# Possessive, and groups are atomic, as in amounts.py.
_GROUPED_DIGITS = r"(\d++(?>(?:[.,' ]\d++)*))"
_TWO_AMOUNTS = re.compile(rf"(\D*+){_GROUPED_DIGITS}(\D++){_GROUPED_DIGITS}(\D*+)")


_CENTS_AFTER_SIGN = re.compile(r"(\d)([€£$])(\d\d)(?!\d)")
_ROUND = re.compile(r"[.,]\d\d0$")


class Price(NamedTuple):
    """A text with one amount of money in it, or two that make a range."""

    ends: tuple[Amount, ...]
    currency: str
    """A code, or a sign that several currencies share."""
    note: str
    unknown: tuple[str, str]
    """Words before and after that are neither a label nor a note."""


def read_price(text: str) -> Price | None:
    """Take a folded text apart; None if it has no currency, or several prices.

    >>> price = read_price("From £9 - £11 GBP / night")
    >>> [end.run for end in price.ends], price.currency, price.note
    (['9', '11'], 'GBP', 'from / night')
    >>> read_price("$12.00 $10.00")
    """
    if MAY_NAME_CURRENCY.search(text) is None:
        return None
    if "\n" in text:
        if _LINES_OF_NUMBERS.search(text):
            return None
        text = text.replace("\n", " ")
    text = _CENTS_AFTER_SIGN.sub(r"\1,\3 \2", text)  # 24€99
    text, rate = split_rate(text) if "/" in text or " " in text else (text, "")
    amount = take_apart(text.rstrip("*†‡ "))
    ends = _read_range(text) if amount is None else (amount,)
    if not ends:
        return None
    first, last = ends[0], ends[-1]
    if not last.currency or any(end.unit or "." in end.form for end in ends) or (first.form and first.label):
        return None
    before, after = words_before(first.label), words_after(last.tail)
    note = " ".join(filter(None, (before.note, after.note, rate)))
    return Price(ends, last.currency, note, (before.unknown, after.unknown))


def _read_range(text: str) -> tuple[Amount, Amount] | None:
    match = _TWO_AMOUNTS.fullmatch(text)
    joint = read_joint(match[3]) if match else None
    if match is None or joint is None:
        return None
    low = take_apart(match[1] + match[2] + joint.left)
    # with the currency of the lower end the L of "60 L" is a lakh and not a litre
    sign = low.currency if low and low.currency != DASHES else ""
    high = take_apart(f"{joint.right if joint.right.strip() else sign}{match[4]}{match[5]}")
    if low is None or high is None or high.label or high.negative or low.negative or low.tail not in ("", high.tail):
        return None
    if joint.needs_between and not says_between(low.label):
        return None
    currency = join_signs(low.currency, high.currency) or join_signs(high.currency, low.currency)
    if not currency:
        return None
    return low._replace(currency=currency), high._replace(currency=currency)


def read_prices(texts: Sequence[str], locale: Locale) -> list[Value | None] | None:
    """Read folded texts as money if most are; None if they are not.

    Words that are neither labels nor qualifiers have to be the same in all texts that have any, at least two:
    otherwise they are titles that mention a price.
    """
    prices: list[Price | None] = []
    others, most = 0, (1 - MIN_SHARE_OF_PRICES) * len(texts)
    for text in spell_out_signs(texts, locale):
        price = read_price(text)
        prices.append(price)
        others += price is None
        if others > most:  # no need to read the rest, as most columns are not money
            return None
    strange = [price.unknown for price in prices if price and any(price.unknown)]
    if len(strange) == 1 or len(set(strange)) > 1:
        prices = [None if price and any(price.unknown) else price for price in prices]
    codes = [code_of(price.currency, locale) if price else "" for price in prices]
    if sum(map(bool, codes)) < MIN_SHARE_OF_PRICES * len(texts):
        return None
    runs = [end.run for price, code in zip(prices, codes, strict=True) if price and code for end in price.ends]
    mark = find_column_mark(runs, locale, whole=_are_whole(runs, set(filter(None, codes))))
    values = [
        _to_value(price, code, mark) if price and code else None for price, code in zip(prices, codes, strict=True)
    ]
    return values if sum(map(bool, values)) >= MIN_SHARE_OF_PRICES * len(texts) else None


def _are_whole(runs: Sequence[str], codes: Collection[str]) -> bool:
    """Tell whether prices have no cents: one has none, or ends in a zero that nobody would write as a thousandth."""
    if THREE_DECIMALS.issuperset(codes):
        return False
    return any(run.isdecimal() or _ROUND.search(run) for run in runs) or WHOLE_CURRENCIES.issuperset(codes)


def _to_value(price: Price, code: str, mark: str) -> Value | None:
    numbers = [_to_number(end, end.exponent, mark) for end in price.ends]
    first, last = price.ends[0], price.ends[-1]
    if len(numbers) > 1 and last.exponent and not first.exponent:
        # in $1-2 million and $136-248K the magnitude belongs to both, in $500-$1K it does not
        bare = _to_number(last, 0, mark)
        if numbers[0] is not None and bare is not None and numbers[0] < bare:
            numbers[0] = _to_number(first, last.exponent, mark)
    low, high = numbers[0], numbers[-1]
    if low is None or high is None or high < low:
        return None
    note = " ".join(filter(None, (price.note, price.unknown[1]))) or None
    return Value(low, code, to=high if high > low else None, note=note)


def _to_number(amount: Amount, exponent: int, mark: str) -> float | None:
    number = read_digits(amount.run, mark, exponent)
    return 0 - number if number is not None and amount.negative else number  # never -0.0
