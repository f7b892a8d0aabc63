"""Make the tables of months, weekdays, date patterns, relative dates, currency signs and countries from Unicode's CLDR.

    python scripts/make_cldr_tables.py --cldr /usr/share/unicode/cldr/common/main

Everything comes from the copy of CLDR that Babel brings, except for words such as "yesterday", which Babel leaves out:
these come from CLDR's own files, as in Debian's package unicode-cldr-core. The tables and the licence of the data are
written into the package.
"""

from __future__ import annotations

import argparse
import json
import shutil
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree as ET

import babel
from babel import Locale, localedata
from babel.core import get_global
from babel.numbers import get_territory_currencies

PLACE = Path(__file__).parent.parent / "src" / "webquarry" / "values"
# Languages that CLDR covers well, and whose calendar is the Gregorian one in most texts on the web.
LANGUAGES = (
    "af am ar as az be bg bn bs ca cs cy da de el en es et eu fa fi fil fr ga gl gu he hi hr hu hy id is it ja ka kk km"
    " kn ko ky lo lt lv mk ml mn mr ms my nb ne nl no or pa pl ps pt ro ru si sk sl so sq sr sv sw ta te th tk tr uk ur"
    " uz vi yue zh zu"
).split()
# Those in which most pages are written
LANGUAGES_OF_COUNTRIES = (
    "ar bg bn ca cs da de el en es et fa fi fr he hi hr hu id it ja ko lt lv ms nb nl pl pt ro ru sk sl sr sv ta th tr"
    " uk ur vi zh"
).split()
SKELETONS = ("yMMMd", "yMMMEd", "yMd", "yMEd", "yMMMMd", "yMMMMEEEEd")
UNITS = ("day", "week", "month", "year", "hour", "minute")
DAYS_FROM_TODAY = ("-2", "-1", "0", "1", "2")


def main() -> None:
    """Write the table and its licence."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cldr", type=Path, required=True, help="the folder common/main of CLDR")
    folder = parser.parse_args().cldr
    lines = [f"{json.dumps(name)}: {_dump(describe(name, folder))}" for name in LANGUAGES]
    tables = ",\n".join(lines)
    signs, own_signs = _dump(collect_signs()), _dump(collect_own_signs())
    content = f'{{"languages": {{\n{tables}\n}},\n"signs": {signs},\n"own_signs": {own_signs}}}\n'
    (PLACE / "cldr_tables.json").write_text(content, encoding="utf-8")
    write_countries()
    shutil.copy(Path(babel.__file__).parent / "locale-data" / "LICENSE.unicode", PLACE / "UNICODE-LICENSE.txt")
    print(f"{len(LANGUAGES)} languages, {len(content.encode()):,} bytes")


def write_countries() -> None:
    """Write what each language calls the countries of the world, in small letters, a line a language."""
    lines = []
    for language in LANGUAGES_OF_COUNTRIES:
        names = {
            name.lower() for code, name in _load(language).territories.items() if len(code) == 2 and code.isalpha()
        }
        lines.append(f"{language}|{'|'.join(sorted(names))}\n")
    (PLACE / "cldr_countries.txt").write_text("".join(lines), encoding="utf-8")


def _dump(plain: object) -> str:
    return json.dumps(plain, ensure_ascii=False, separators=(",", ":"))


def describe(name: str, folder: Path) -> dict[str, object]:
    """Describe how a language writes dates."""
    locale = _load(name)
    patterns = [locale.date_formats[width].pattern for width in ("full", "long", "medium", "short")]
    patterns += [locale.datetime_skeletons[each].pattern for each in SKELETONS if each in locale.datetime_skeletons]
    return {
        "months": [_unique(_names(locale.months, number)) for number in range(1, 13)],
        "days": _unique(each for number in range(7) for each in _names(locale.days, number)),
        "eras": _unique(names[1] for names in locale.eras.values() if 1 in names),
        "patterns": _unique(patterns),
        "ago": {unit: _unique(_past(locale, unit)) for unit in UNITS},
        "near": _near(folder / f"{name}.xml"),
    }


def _load(identifier: str) -> Locale:
    """Load a locale afresh: Babel merges what one locale says into what others inherit."""
    localedata._cache.clear()
    return Locale.parse(identifier)


def _unique(names: Iterator[str] | list[str]) -> list[str]:
    return list(dict.fromkeys(names))


def _names(table: object, number: int) -> Iterator[str]:
    for widths in table.values():  # type: ignore[attr-defined]
        yield from (names[number] for width, names in widths.items() if width != "narrow")


def _past(locale: Locale, unit: str) -> Iterator[str]:
    fields = locale._data["date_fields"]
    for name in (unit, f"{unit}-short"):
        yield from (fields[name]["past"].values() if name in fields and "past" in fields[name] else ())


def _near(path: Path) -> dict[str, str]:
    """Find the words for yesterday, today and tomorrow."""
    if not path.exists():
        return {}
    said = ET.parse(path).iterfind(  # noqa: S314 - CLDR's own file
        ".//field[@type='day']/relative"
    )
    return {each.text: each.get("type", "") for each in said if each.get("type") in DAYS_FROM_TODAY and each.text}


def collect_signs() -> dict[str, dict[str, str]]:
    """Collect the signs of present currencies: for each the currency by place, a language or a region of it.

    A sign that means the same everywhere has one entry, for the empty place. Left out are codes, which need no table,
    and signs of Latin letters only, which are words elsewhere.
    """
    signs: defaultdict[str, dict[str, str]] = defaultdict(dict)
    present = {each for territory in get_global("territory_currencies") for each in get_territory_currencies(territory)}
    for place, locale in _places():
        for code, sign in locale.currency_symbols.items():
            if code in present and sign != code and not _is_word(sign) and sign.strip("\u200b"):
                signs[sign].setdefault(place, code)
    return {sign: _by_place(places) for sign, places in sorted(signs.items())}


def collect_own_signs() -> dict[str, dict[str, str]]:
    """Collect signs of Latin letters only, for each place that of its own currency."""
    own = {}
    for place, locale in _places():
        code = own_currency(place)
        sign = locale.currency_symbols.get(code, code)
        if sign != code and _is_word(sign):
            own[place] = {sign: code}
    return own


def _places() -> Iterator[tuple[str, Locale]]:
    for identifier in [*LANGUAGES, *sorted(localedata.locale_identifiers())]:
        language, _, territory = identifier.partition("_")
        if language in LANGUAGES and (not territory or (len(territory) == 2 and territory.isalpha())):
            yield f"{language}-{territory}".rstrip("-").lower(), _load(identifier)


def _is_word(sign: str) -> bool:
    return sign.isascii() and sign.replace(".", "").isalpha()


def _by_place(places: dict[str, str]) -> dict[str, str]:
    codes = set(places.values())
    if len(codes) == 1:
        return {"": codes.pop()}
    # a region that means the same as its language needs no entry
    return {place: code for place, code in places.items() if "-" not in place or places.get(place[:-3]) != code}


def own_currency(place: str) -> str:
    """Return the currency of a region, or of the territory where most speakers of a language live."""
    language, _, region = place.partition("-")
    territory = region.upper() or get_global("likely_subtags").get(language, language).rpartition("_")[2]
    return next(iter(get_territory_currencies(territory)), "USD")


if __name__ == "__main__":
    main()
