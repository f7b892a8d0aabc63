"""The check of joins by values that they did not use."""

from __future__ import annotations

import json

from benchmarks.stated import Tally, _add, run_stated


def page(names, stated):
    items = [
        {"@type": "Product", "name": name, "url": f"/{place}", "offers": {"price": 3 + place}}
        for place, name in enumerate(stated)
    ]
    cards = "".join(
        f"<li><h3><a href=/{place}>{name}</a></h3><p>Made of {name[::-1]} wood</p><b>${3 + place}.00</b></li>"
        for place, name in enumerate(names)
    )
    return f'<title>x</title><script type="application/ld+json">{json.dumps(items)}</script><ul>{cards}</ul>'


NAMES = ["Kettle", "Trivet", "Candle", "Ladder", "Basket", "Shovel"]


def test_agreeing_pages_have_full_precision():
    tally = Tally()
    _add(tally, "a", page(NAMES, NAMES))
    assert (tally.joined, tally.precision, tally.raised, tally.lost) == (6, 1.0, [], [])
    assert tally.right >= 12


def test_a_held_out_value_of_another_record_counts_as_wrong():
    tally = Tally()
    _add(tally, "a", page(NAMES, [*NAMES[1:], NAMES[0]]))
    assert tally.wrong
    assert tally.precision < 0.5


def test_joins_with_the_items_of_another_page_are_counted():
    tally = Tally()
    lists = _add(tally, "a", page(NAMES, NAMES))
    _add(tally, "b", page(NAMES, NAMES).replace("$", "$9").replace("href=/", "href=/b"), lists)
    assert not tally.strangers
    _add(tally, "c", page(NAMES, NAMES), lists)
    assert tally.strangers == ["c"]


def test_flags_and_counts_are_no_evidence():
    tally = Tally()
    _add(tally, "a", page(NAMES, NAMES).replace('"offers"', '"public": 4, "offers"'))
    assert (tally.joined, tally.wrong) == (6, [])


def test_counts_blocks_that_are_told():
    tally = Tally()
    _add(tally, "a", '<script type="application/ld+json">{</script><script type=application/json>[1]</script>')
    assert (tally.blocks, tally.lost) == (2, [])
    assert tally.plus(tally).blocks == 4


def test_is_skipped_without_corpora(tmp_path):
    assert run_stated(tmp_path) is None
