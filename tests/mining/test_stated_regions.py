"""The method `data`: what a page states about itself, as tables."""

from __future__ import annotations

import json
import logging
import pickle
from datetime import date

import pytest

import webquarry as wq
from webquarry.values.text_value import Value

EVENTS = [
    {
        "@type": "Event",
        "name": "Harvest fair",
        "startDate": "2026-09-12T10:00",
        "url": "/fair",
        "image": ["/fair.jpg", "/b.jpg"],
        "isAccessibleForFree": False,
        "offers": {"price": "5.50", "priceCurrency": "GBP"},
        "location": {"name": "Mill"},
        "sku": "007",
    },
    {
        "@type": "Event",
        "name": "Night market",
        "startDate": "2026-09-19",
        "url": "/market",
        "isAccessibleForFree": True,
        "offers": {"price": 0, "priceCurrency": "GBP"},
        "location": {"name": "Quay"},
        "sku": "008",
    },
]


def stated(value, url="https://example.org/"):
    return wq.Document(f'<script type="application/ld+json">{json.dumps(value)}</script>', url=url)


def test_gives_a_table_of_typed_columns():
    [region] = wq.mine(stated(EVENTS), method="data")
    assert (region.kind, region.method, region.role) == ("records", "data", "main")
    assert region.reasons == ("2 items stated as Event in JSON-LD",)
    fields = {field.name: field for field in region.fields}
    assert {name: field.type for name, field in fields.items()} == {
        "name": "text",
        "startDate": "date",
        "url": "link",
        "image": "image",
        "isAccessibleForFree": "boolean",
        "price": "money",
        "location": "text",
        "sku": "text",
    }
    assert fields["url"].values == ("https://example.org/fair", "https://example.org/market")
    assert fields["image"].values == ("https://example.org/fair.jpg", None)
    assert fields["price"].typed == (Value(5.5, "GBP"), Value(0, "GBP"))
    assert fields["startDate"].typed[0] == Value(date(2026, 9, 12))
    assert region.records[0].text.startswith("Harvest fair\n2026-09-12T10:00")


def test_nodes_are_script_elements_with_pointers():
    [region] = wq.mine(stated({"@graph": EVENTS}), method="data")
    nodes = [record["nodes"]["price"] for record in region.to_dict()["records"]]
    assert nodes == ["/html/head/script#/@graph/0/offers/price", "/html/head/script#/@graph/1/offers/price"]
    assert pickle.loads(pickle.dumps(region)) == region


@pytest.mark.parametrize(
    ("state", "level"),
    [
        ('{"name": "Kettle", "price": 3}, {"name": "Lamp", "price": 4}', "WARNING"),
        ('{"theme": "dark"}, {"a": 1}', "DEBUG"),
    ],
)
def test_broken_states_are_a_warning_if_they_look_like_items(caplog, state, level):
    with caplog.at_level(logging.DEBUG, "webquarry"):
        wq.mine(wq.Document(f"<script>window.__STATE__ = [{state}, @</script>"), method="data")
    assert [each.levelname for each in caplog.records if "broken state" in each.message] == [level]


def test_broken_blocks_are_logged(caplog):
    document = wq.Document(
        '<title>x</title><script type="application/ld+json">{"name": </script>', url="https://example.org/"
    )
    with caplog.at_level(logging.WARNING, "webquarry"):
        assert wq.mine(document, method="data") == []
    assert "https://example.org/: JSON-LD at /html/head/script: broken JSON" in caplog.text


def test_the_currency_of_an_amount_may_be_above_it():
    job = {
        "@type": "JobPosting",
        "title": "Miller",
        "baseSalary": {"currency": "EUR", "value": {"minValue": 30000, "unitText": "YEAR"}},
    }
    [region] = wq.mine(stated(job), method="data")
    [salary] = [field for field in region.fields if field.name.endswith("minValue")]
    assert (salary.type, salary.typed) == ("money", (Value(30000, "EUR"),))
