"""Take a text with one number apart: its digits, and the units, currency signs and words beside them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from webquarry.values.cldr_dates import bare, month_of
from webquarry.values.text_value import Locale, common_prefix, fold, load_tables

_MEASURES = frozenset(
    "m km cm mm µm μm nm dm ft in mi yd nmi ha ac kg g mg µg μg t lb lbs oz l L ml mL cl dl gal"
    " B kB KB MB GB TB PB KiB MiB GiB TiB kbit Mbit Gbit kbps Kbps Mbps Gbps bit bits bytes"
    " s sec secs ms min mins h hr hrs d W kW MW GW TW V kV mV A mA mAh Ah Wh kWh MWh GWh TWh Hz kHz MHz GHz"
    " J kJ MJ cal kcal Pa hPa kPa MPa bar psi N Nm dB hp bhp PS K °C °F ° dpi ppi px MP mph kph kt knots lm lx rpm"
    " ㎡ ㎢ ppm ppb ‰ kr Kr sqft sqm Std. Min. Sek. St. Stk. Stück ★ ⭐".split()
)
# Things that listings count in whole numbers; an unknown word must be shared by its column.
_COUNTED = frozenset(
    "review reviews rating ratings vote votes comment comments view views item items page pages reply replies like"
    " likes follower followers subscriber subscribers member members people person result results product products"
    " photo photos image images video videos file files download downloads"
    " bewertung bewertungen seite seiten kommentar kommentare artikel avis commentaire commentaires produit produits"
    " opiniones comentarios productos recensioni recensies beoordelingen".split()
)
_MEASURED = frozenset(
    "star stars point points pts hour hours minute minutes second seconds day days week weeks month months year years"
    " yr yrs mile miles inch inches foot feet acre acres liter liters litre litres gram grams pound pounds ounce ounces"
    " meter meters metre metres kilometer kilometers kilometre kilometres bed beds bath baths bedroom bedrooms bathroom"
    " bathrooms lb. lbs. oz. in. ft. min. mins. hr. hrs. stern sterne jahr jahre tag tage étoiles jours ans estrellas"
    " años días stelle".split()
)
_WORDS = _COUNTED | _MEASURED
UNIT_PREFIXES = frozenset("sq sq. square cu cu. cubic metric nautical fl fl.".split())
"""Words that form one unit with the next: sq km, nautical miles."""
_PERCENT = frozenset(("%", "percent", "per cent", "prozent", "procent"))
_NEVER_ATTACHED = frozenset("A B d s N K J t PS MP St. in ac".split())  # "12A" is a house, "1990s" a decade
_POWERS = ("²", "³", "2", "3")
_POWERED = frozenset("m km cm mm dm ft in mi yd s".split())
_NOT_UNITS = frozenset(
    "st nd rd th am pm a.m. p.m. uhr o'clock bc ad bce ce ago geleden sedan siden fa temu atrás назад".split()
)
_IN_WORD = r"[\w'.\u0900-\u0dff\u0e31-\u0e4e-]*"  # with the vowels of Indian scripts and of Thai, which are no letters
_PHRASE = re.compile(rf"[^\W\d_]{_IN_WORD}(?: [^\W\d_]{_IN_WORD})?(?:/[^\W\d_]+[²³]?)?")
_MAX_PLURAL_LETTERS = 3  # Bewertung, Bewertungen
_MIN_SHARED_LETTERS = 3


def unit_of(word: str, *, attached: bool) -> str:
    """Return the known unit that a word after a number is, as written, `%` for every percent; else `""`.

    >>> unit_of("km²", attached=False), unit_of("km/h", attached=True), unit_of("Monkeys", attached=False)
    ('km²', 'km/h', '')
    """
    if word.lower() in _PERCENT:
        return "%"
    if attached and word in _NEVER_ATTACHED:
        return ""
    if is_measure(word) or (not attached and word.lower() in _WORDS):
        return word
    part, slash, other = word.partition("/")
    return word if slash and is_measure(part) and is_measure(other) else ""


def is_known(unit: str) -> bool:
    """Tell whether a unit is known, alone or after a word such as `square`."""
    return unit_of(unit, attached=False) != "" or unit.partition(" ")[0] in UNIT_PREFIXES


def is_counted(unit: str) -> bool:
    """Tell whether the unit counts things that come whole."""
    return unit.lower() in _COUNTED


def may_be_unit(words: str) -> bool:
    """Tell whether one or two unknown words could be what is counted.

    Two words with a capital are a name, as of a street; months and hours make dates and times, and
    `ago` is relative to an unknown day.
    """
    if _PHRASE.fullmatch(words) is None or (" " in words and words[0].isupper()):
        return False
    return not any(part.lower() in _NOT_UNITS or month_of(part.rstrip(".")) for part in words.split())


def is_relative(words: str) -> bool:
    """Tell whether words after a span of time make it relative to today, or a date or time."""
    return not _NOT_UNITS.isdisjoint(words.lower().split())


def same_unit(one: str, other: str) -> bool:
    """Tell whether two words are the same except for singular and plural.

    A plural may have letters within it, as in Arabic.

    >>> same_unit("Bewertung", "Bewertungen"), same_unit("عرض", "عروض"), same_unit("bd", "bds")
    (True, True, True)
    >>> same_unit("rooms", "baths")
    False
    """
    if one == other:
        return True
    one, other = sorted((bare(one), bare(other)), key=len)
    if other == f"{one}s":
        return True
    shared, longer = len(common_prefix((one, other))), iter(other)
    if shared < _MIN_SHARED_LETTERS and len(one) >= _MIN_SHARED_LETTERS and all(letter in longer for letter in one):
        return len(other) - len(one) <= _MAX_PLURAL_LETTERS
    return shared >= _MIN_SHARED_LETTERS and len(other) - shared <= _MAX_PLURAL_LETTERS


def is_measure(word: str) -> bool:
    """Tell whether the word is the symbol of a unit, which is case-sensitive."""
    return word in _MEASURES or (word.endswith(_POWERS) and word[:-1] in _POWERED)


_DIMENSIONS = {
    "length": "m km cm mm µm μm nm dm ft in mi yd nmi mile miles inch inches foot feet meter meters metre metres"
    " kilometer kilometers kilometre kilometres in. ft.",
    "area": "㎡ ㎢ 坪 평 m² km² cm² ft² m2 km2 ft2 sqft sqm ha ac acre acres",
    "weight": "kg g mg µg μg t lb lbs oz gram grams pound pounds ounce ounces lb. lbs. oz.",
    "volume": "l L ml mL cl dl gal m³ cm³ ft³ liter liters litre litres",
    "time": "s sec secs ms min mins h hr hrs d hour hours minute minutes second seconds day days week weeks month"
    " months year years yr yrs min. mins. hr. hrs. jahr jahre tag tage jours ans años días Std. Min. Sek.",
    "data": "B kB KB MB GB TB PB KiB MiB GiB TiB bytes",
    "speed": "mph kph km/h kt knots kbps Kbps Mbps Gbps",
    "power": "W kW MW GW TW hp bhp PS",
    "energy": "Wh kWh MWh GWh TWh J kJ MJ cal kcal",
    "temperature": "°C °F K",
    "share": "%",
}
_DIMENSION_OF = {unit: dimension for dimension, units in _DIMENSIONS.items() for unit in units.split()}


def dimension_of(unit: str) -> str:
    """Return what a unit measures; empty if that is not clear.

    >>> dimension_of("km"), dimension_of("sq ft"), dimension_of("reviews")
    ('length', 'area', '')
    """
    words = unit.split()
    if len(words) == 2 and words[0] in UNIT_PREFIXES:
        power = {"sq": "area", "sq.": "area", "square": "area", "cu": "volume", "cu.": "volume", "cubic": "volume"}
        return power.get(words[0], _DIMENSION_OF.get(words[1], ""))
    return _DIMENSION_OF.get(unit) or _DIMENSION_OF.get(unit.lower(), "")


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


MIN_CODE_DIGITS = 10
"""Longer numbers without a mark are phone numbers, ISBNs or article numbers."""
FIRST_OF_CJK = "\u2e80"
_MAX_WORDS_CHARACTERS = 40  # before or after a number: a label or a unit, not a sentence
_MIN_PHONE_DIGITS = 8  # after a plus, without a mark
# Possessive throughout, so that each text is scanned once. Groups are atomic instead: early releases of
# Python 3.11 match them wrongly when they are repeated possessively.
_PARTS = re.compile(r"(\D*+)(\d++(?>(?:[.,' ]\d++)*))(\D*+(?:(?<=[a-z])[23])?)")
_EURO_WITHIN = re.compile(r"(\d++(?>(?:[ .]\d{3})*)) ?€ ?(\d\d)")  # 12€50
_HOURS_AND_MINUTES = re.compile(
    r"\d+ ?(?:d|h|hrs?|hours?|heures?|horas?|ore|uur|std|ч)\.? ?\d\d? ?(?:h|m|mins?|minut\w*|мин)?\.?", re.IGNORECASE
)
_NO_CENTS = re.compile(r"[.,:]--?")
_SIGNS = frozenset("+-")

_MAGNITUDES = {
    3: "thousand thousands tausend tsd tsd. tys tys. тыс тыс.",
    4: "万 萬 만",
    5: "lakh lakhs lac lacs",
    6: "million millions mn mln mln. mio mio. millionen millones millón milioni milione milhões milhão miljoen miljoner"
    " miljon millioner mill. milionów miliony milion млн млн.",
    7: "crore crores",
    8: "亿 億 억",
    9: "billion billions bn bln mrd mrd. milliarden milliarde milliard milliards miliardi miliardo mld mld. md mds"
    " miljard miljarder milliarder mia. miliardów miliardy млрд млрд.",
    12: "trillion trillions tn billionen",
}
_EXPONENTS = {word: exponent for exponent, words in _MAGNITUDES.items() for word in words.split()}
_MAGNITUDE_SIGNS = frozenset("万萬만亿億억")  # no space follows them: 2340万次
_LETTERS = {"k": 3, "K": 3, "M": 6}
_MONEY_LETTERS = _LETTERS | {"m": 6, "b": 9, "B": 9, "T": 12, "L": 5}
_MONEY_WORDS = {"cr": 7, "cr.": 7}  # credits, where it is not money


class Amount(NamedTuple):
    """The parts of a text with one number in it."""

    run: str
    """The digits and the marks between them, as written."""
    negative: bool
    exponent: int
    currency: str
    """A code, or a sign that several currencies share; empty if the number is not money."""
    unit: str
    label: str
    """Unknown words before the number, with the space that separates them."""
    tail: str
    """Unknown words after the number, with the space that separates them."""
    form: str
    """`(` for a number in parentheses, `.` for one with a full stop, else empty."""


class Before(NamedTuple):
    """What precedes a number."""

    sign: str
    currency: str
    label: str


class After(NamedTuple):
    """What follows a number."""

    exponent: int
    currency: str
    unit: str
    tail: str


def take_apart(text: str) -> Amount | None:
    """Split a folded text; None if it has no number, several numbers or too many words.

    >>> take_apart("from -$1,299.00 each")
    Amount(run='1,299.00', negative=True, exponent=0, currency='$', unit='', label='from ', tail=' each', form='')
    """
    if text.isdecimal():
        return Amount(text, False, 0, "", "", "", "", "")
    match = _PARTS.fullmatch(text)
    if match is None:
        inner = _EURO_WITHIN.fullmatch(text)
        return Amount(f"{inner[1]},{inner[2]}", False, 0, "EUR", "", "", "", "") if inner else None
    words_before, run, words_after = match[1], match[2], match[3]
    if len(words_before) > _MAX_WORDS_CHARACTERS or len(words_after) > _MAX_WORDS_CHARACTERS:
        return None
    form = ""
    if words_after and words_before and words_after[-1] == ")" and "(" in words_before:
        form, words_after = "(", words_after[:-1].rstrip()
        head, _, rest = words_before.rpartition("(")
        words_before = head + rest
    if words_before[-1:] == "." and (len(words_before) == 1 or words_before[-2] in _SIGNS) and run.isdecimal():
        words_before, run = words_before[:-1], f"0.{run}"
    if _NO_CENTS.match(words_after):  # 1.299,- tells which mark is the decimal one
        run += words_after[0].replace(":", ",") + "00"
    if words_after == "." and run.isdecimal():
        form, words_after = form + ".", ""
    before = read_before(words_before)
    if before.sign == "+" and (" " in run or (run.isdecimal() and len(run) >= _MIN_PHONE_DIGITS)):
        return None
    after = read_after(words_after, money=bool(before.currency))
    currency = join_signs(before.currency, after.currency)
    if currency is None:
        return None
    is_booked = form == "(" and currency != "" and not before.label and not after.tail  # ($12) is a loss
    negative = before.sign == "-" or is_booked
    return Amount(run, negative, after.exponent, currency, after.unit, before.label, after.tail, form)


def unit_in(text: str) -> str:
    """Return what the only number of a text counts or measures, if it begins the text; else an empty string.

    >>> unit_in("62,4 m²"), unit_in("3 pièces"), unit_in("2 h 30"), unit_in("Room 3"), unit_in("$12 off")
    ('m²', 'pièces', 'h', '', '')
    """
    amount = take_apart(fold(text)) if len(text) <= _MAX_WORDS_CHARACTERS else None
    if amount is None and _HOURS_AND_MINUTES.fullmatch(text):
        return "h"
    if amount is None or amount.currency or amount.label.strip(" (~<>≈"):
        return ""
    words = amount.tail.strip(" )")
    return amount.unit or (words if may_be_unit(words) else "")


@lru_cache(maxsize=1024)  # the texts of a column have few: signs, units, labels
def read_before(before: str) -> Before:
    """Read a label, then a sign and a currency in either order."""
    if not before:
        return Before("", "", "")
    sign, words = "", before
    # A dash followed by a space is a separator, not a minus: "Price - 5", " - 38k".
    if words[-1] in _SIGNS:
        sign, words = words[-1], words[:-1]
    stripped = words.rstrip()
    start = max(stripped.rfind(" "), stripped.rfind(":"), stripped.rfind("\n")) + 1
    label, word = stripped[:start].rstrip(), stripped[start:]
    if not sign and len(word) > 1 and word[0] in _SIGNS:
        sign, word = word[0], word[1:]
    currency = sign_of(word, before=True)
    if not currency:
        return Before(sign, "", words)
    named = sign_of(label, before=True) or sign_of(label + word, before=True)  # CAD $ 12, US $ 12
    return Before(sign, named or currency, label + " " if label and not named else "")


@lru_cache(maxsize=1024)
def read_after(after: str, *, money: bool) -> After:
    """Read a magnitude, then a currency or a unit, then other words."""
    currency = ""
    dashes = _NO_CENTS.match(after)
    if dashes:
        currency, after = "" if money else DASHES, after[dashes.end() :]
        money = True
    attached = after[:1] not in (" ", "\n")
    rest = after.lstrip()
    word = rest[0] if rest[:1] in _MAGNITUDE_SIGNS else _first_word(rest)
    exponent = exponent_of(word, money=money, attached=attached)
    if exponent:
        rest, attached = rest[len(word) :].lstrip(), False
        word = _first_word(rest)
    if not word:
        return After(exponent, currency, "", "")
    two_words = " ".join(rest.split(None, 2)[:2])  # 12 $ US
    for name in (two_words, word, word.partition("/")[0].rstrip(",;*~～")):  # noqa: RUF001 - as after Japanese prices
        if sign := sign_of(name, before=False):
            return After(exponent, sign, "", _set_apart(rest[len(name) :]))
    if unit := unit_of(word, attached=attached):
        return After(exponent, currency, unit, _set_apart(rest[len(word) :]))
    return After(exponent, currency, "", rest if attached and rest < FIRST_OF_CJK else " " + rest)


def exponent_of(word: str, *, money: bool, attached: bool) -> int:
    """Return the power of ten that a word after a number stands for; 0 if none.

    A letter must touch its number (300 K is a temperature), and `m` and `B` only count with a
    currency (otherwise they are metres and bytes).
    """
    if len(word) == 1 and word.isascii():
        return (_MONEY_LETTERS if money else _LETTERS).get(word, 0) if attached or money else 0
    small = word.lower()
    return _EXPONENTS.get(word) or _EXPONENTS.get(small) or (_MONEY_WORDS.get(small, 0) if money else 0)


def _first_word(text: str) -> str:
    return text.split(None, 1)[0] if text else ""


def _set_apart(words: str) -> str:
    return words and " " + words.strip()
