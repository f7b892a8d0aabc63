"""Recognise what a number counts or measures by the words beside it: units, currency signs and their ISO 4217 codes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

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

    >>> same_unit("Bewertung", "Bewertungen"), same_unit("عرض", "عروض"), same_unit("rooms", "baths")
    (True, True, False)
    """
    if one == other:
        return True
    one, other = sorted((bare(one), bare(other)), key=len)
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
