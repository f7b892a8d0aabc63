"""Write what the pages of a source truly say as JSON lines, a page a line: the form that scorers of sections take.

python tests/pages-of-sources/truth.py factbook-plain > truth.jsonl
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent
OWN_TEXT = "_text"


def scored_sections(expected: dict[str, Any]) -> list[dict[str, Any]]:
    """The sections of each page that a scorer by path can find.

    Left out are a section's own text beside its sub-sections and headings that may stand in any section: records
    keep both under names that begin with an underscore, which such a scorer passes over.

    >>> sections = [{"path": ["Area", "_text"], "value": "9 sq km"}, {"path": ["Area", "land"], "value": "8 sq km"}]
    >>> scored_sections({"pages": {"a.html": sections}})
    [{'page': 'a.html', 'sections': [{'path': ['Area', 'land'], 'value': '8 sq km'}]}]
    """
    return [
        {"page": page, "sections": [_bare(section) for section in sections if _is_scored(section)]}
        for page, sections in expected["pages"].items()
    ]


def _is_scored(section: dict[str, Any]) -> bool:
    return section["path"][-1] != OWN_TEXT and not section.get("any_section", False)


def _bare(section: dict[str, Any]) -> dict[str, Any]:
    return {"path": section["path"], "value": section["value"]}


def main(source: str) -> None:
    expected = json.loads((FOLDER / source / "expected-sections.json").read_text(encoding="utf-8"))
    for line in scored_sections(expected):
        sys.stdout.write(json.dumps(line, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
