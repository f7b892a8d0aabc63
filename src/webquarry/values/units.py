"""Recognise the words after a number that say what it counts or measures."""

from __future__ import annotations

import re

from webquarry.values.cldr_dates import bare, month_of
from webquarry.values.text_value import common_prefix

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
