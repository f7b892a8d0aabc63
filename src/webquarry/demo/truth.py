"""What a perfect reading of the example pages gives, by the tables beside them."""

from __future__ import annotations

import csv
from collections import defaultdict
from pathlib import Path

from webquarry.model import Document


def load_paragraphs(examples: Path) -> dict[str, list[str]]:
    """For each article of the news site, by the address of its page, its paragraphs."""
    paragraphs: defaultdict[str, list[str]] = defaultdict(list)
    with (examples / "truth" / "paragraphs.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            paragraphs[(examples / row["page"]).resolve().as_uri()].append(row["text"])
    return dict(paragraphs)


def find_paragraphs(document: Document, paragraphs: list[str]) -> list[int]:
    """The elements that hold them."""
    wanted = set(paragraphs)
    return [node for node in document.has_tag(["p"]).nonzero()[0].tolist() if fold(document.text(node)) in wanted]


def fold(text: str) -> str:
    """The text as the tables have it, in one line."""
    return " ".join(text.split())
