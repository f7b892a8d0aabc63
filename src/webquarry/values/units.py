"""Words that stand after a number and say what it counts or measures."""

from __future__ import annotations

import re

from webquarry.values.months import bare, month_of

_MEASURES = frozenset(
    "m km cm mm µm μm nm dm ft in mi yd nmi ha ac kg g mg µg μg t lb lbs oz l L ml mL cl dl gal"
    " B kB KB MB GB TB PB KiB MiB GiB TiB kbit Mbit Gbit kbps Kbps Mbps Gbps bit bits bytes"
    " s sec secs ms min mins h hr hrs d W kW MW GW TW V kV mV A mA mAh Ah Wh kWh MWh GWh TWh Hz kHz MHz GHz"
    " J kJ MJ cal kcal Pa hPa kPa MPa bar psi N Nm dB hp bhp PS K °C °F ° dpi ppi px MP mph kph kt knots lm lx rpm"
    " ppm ppb ‰ kr Kr sqft sqm Std. Min. Sek. St. Stk. Stück ★ ⭐".split()
)
# Things that lists count, and never in parts; a word that is not known must be shared by its column.
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
OF_POWERS = frozenset("sq sq. square cu cu. cubic metric nautical fl fl.".split())
"""Words that make one unit with the next: sq km, nautical miles."""
_PERCENT = frozenset(("%", "percent", "per cent", "prozent", "procent"))
_ALONE = frozenset("A B d s N K J t PS MP St. in ac".split())  # "12A" is a house, "1990s" ten years, "10in" half a word
_POWERS = ("²", "³", "2", "3")
_POWERED = frozenset("m km cm mm dm ft in mi yd s".split())
_NOT_UNITS = frozenset(
    "st nd rd th am pm a.m. p.m. uhr o'clock bc ad bce ce ago geleden sedan siden fa temu atrás назад".split()
)
_PHRASE = re.compile(r"[^\W\d_][\w'.-]*(?: [^\W\d_][\w'.-]*)?(?:/[^\W\d_]+[²³]?)?")
_CHANGING_END = 3  # letters by which singular and plural may differ: Bewertung, Bewertungen


def unit_of(word: str, *, attached: bool) -> str:
    """The unit that a word after a number is known to be, as written, `%` for every percent; else nothing.

    >>> unit_of("km²", attached=False), unit_of("km/h", attached=True), unit_of("Monkeys", attached=False)
    ('km²', 'km/h', '')
    """
    if word.lower() in _PERCENT:
        return "%"
    if attached and word in _ALONE:
        return ""
    if is_measure(word) or (not attached and word.lower() in _WORDS):
        return word
    part, slash, other = word.partition("/")
    return word if slash and is_measure(part) and is_measure(other) else ""


def is_known(unit: str) -> bool:
    """Whether a unit is a known one, of one word or with a word such as `square` before it."""
    return unit_of(unit, attached=False) != "" or unit.partition(" ")[0] in OF_POWERS


def is_counted(unit: str) -> bool:
    """Whether the unit is of things that come whole."""
    return unit.lower() in _COUNTED


def may_be_unit(words: str) -> bool:
    """Whether one or two words could say what is counted, as far as they can tell alone.

    Two words with a capital in front are a name, as of a street; months and the hours of a day make dates
    and times, and what is ago is relative to a day that nobody knows.
    """
    if _PHRASE.fullmatch(words) is None or (" " in words and words[0].isupper()):
        return False
    return not any(part.lower() in _NOT_UNITS or month_of(part.rstrip(".")) for part in words.split())


def is_relative(words: str) -> bool:
    """Whether words after a span of time say that it is counted from today."""
    return not _NOT_UNITS.isdisjoint(words.lower().split())


def same_unit(one: str, other: str) -> bool:
    """Whether two words are one, but for singular and plural."""
    if one == other:
        return True
    one, other = bare(one), bare(other)
    shared = next((place for place, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), None)
    if shared is None:
        shared = min(len(one), len(other))
    return shared >= 3 and max(len(one), len(other)) - shared <= _CHANGING_END


def is_measure(word: str) -> bool:
    """Whether the word is a symbol of a unit, which is written one way only."""
    return word in _MEASURES or (word.endswith(_POWERS) and word[:-1] in _POWERED)
