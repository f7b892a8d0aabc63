"""What the workbench saves after any clicks is, byte for byte, what the same steps on the command line give."""

from __future__ import annotations

import random
import shlex
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from webquarry.errors import WebquarryError
from webquarry.workbench.opened_work import open_work

TOP = Path(__file__).parents[2]
OFFERS = "".join(
    f'<li class=offer><h3><a href="/o/{n}">Lamp model {n}</a></h3><p class=price>{n}0.50 €</p>'
    f"<p class=note>Brass, sturdy - desk number {n}</p></li>"
    for n in range(1, 9)
)
NEWS = "".join(f"<li class=news><a href=/n/{n}>News item {n}</a> <span>{n} May 2024</span></li>" for n in range(1, 6))
ROWS = "".join(f"<tr><td>Lamp {n}</td><td>{n}0.50 €</td><td>Shelf {n} - left</td></tr>" for n in range(1, 7))
MADE = {
    "records": f"<main><ul>{OFFERS}</ul></main><aside><ul>{NEWS}</ul></aside>",
    "tables": f"<table><tr><th>Name</th><th>Price</th><th>Place</th></tr>{ROWS}</table>",
}
FOUND = {
    "sections": TOP / "examples" / "factbook" / "geos",
    "item": TOP / "tests" / "pages-of-sources" / "catalogue-items",
}
SAMPLES = 3
STEPS = 12
MAX_STEPS = 60  # if no click before does something
Step = tuple[str, dict[str, Any]]


def put_pages(kind: str, folder: Path) -> list[str]:
    """Put sample pages of a kind into a folder; return their names."""
    if kind in MADE:
        (folder / "page.html").write_text(MADE[kind])
        return ["page.html"]
    pages = sorted(FOUND[kind].glob("*.html"))[:SAMPLES]
    return [Path(shutil.copy(page, folder)).name for page in pages]


def draw_step(state: dict[str, Any], luck: random.Random) -> Step:
    """Draw one of the clicks that the view offers, on anything that it shows."""
    fields = [field["name"] if state["view"] == "table" else field["path"] for field in state["fields"]]
    texts = [value["text"] for value in state["values"] if value["text"].strip()]
    one, other = luck.choice(fields), luck.choice(fields)
    text = luck.choice(texts)
    clicks: list[Step] = [
        ("rename", {"example": one, "name": luck.choice(["cost", "Größe", 'a "b" c', "it's"])}),
        ("drop", {"example": one}),
        ("retype", {"example": one, "to": luck.choice(["text", "number", "money", "date", "list"])}),
        ("move", {"example": one, "to": luck.choice([other, state["name"]])}),
        ("split", {"example": one, "at": luck.choice([" - ", ",", " "]), "name": "rest"}),
        ("add", {"example": luck.choice([text, text.split()[0]]), "name": luck.choice(["", "extra"])}),
        ("undo", {}),
        ("redo", {}),
    ]
    if state["view"] == "table":
        clicks += [
            ("merge", {"example": one, "to": other}),
            ("choose", {"example": luck.choice([text, "News item 2"])}),
        ]
        clicks += [(action, {"example": text, "record": True}) for action in ("add", "drop")]
    else:
        clicks += [("join", {"example": one, "to": other}), ("drop", {"example": one, "whole_format": True})]
    return luck.choice(clicks)


def to_command(file: str, action: str, given: dict[str, Any]) -> list[str]:
    options = {"to": "--to", "name": "--name", "at": "--at", "record": "--record", "whole_format": "--class"}
    command = ["correct", file, action, *([given["example"]] if "example" in given else [])]
    for name, flag in options.items():
        if given.get(name):
            command += [flag] if given[name] is True else [flag, given[name]]
    return command


def attempt(work: Callable[[], Any]) -> bool:
    """Tell whether a click does something, or is refused with a message."""
    try:
        work()
    except (WebquarryError, ValueError):
        return False
    return True


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("kind", ["records", "tables", "sections", "item"])
def test_any_clicks_save_the_file_of_the_same_commands(quarry, kind, seed, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path / "work")
    pages = put_pages(kind, tmp_path / "work")
    quarry("wrap", *pages, "--name", "thing", "--kind", kind, "--static", "-o", "command.toml").check_returncode()
    learnt = Path("command.toml").read_bytes()
    luck = random.Random(f"{kind} {seed}")
    with open_work(pages, kind=kind, name="thing", rendered=False, options={}, policy={}) as bench:
        bench.open()
        work = bench.work
        last = "name at the end"  # so that nothing is left to be done again, which a history does not tell
        number, is_last = 0, False
        while not is_last:
            state = work.show(0)
            action, given = draw_step(state, luck)
            number, is_last = number + 1, number >= STEPS and (len(state["history"]) > 0 or number == MAX_STEPS)
            if is_last or not (state["fields"] and state["values"]):
                action, given = "rename", {"example": state["fields"][0]["path"], "name": last}
            is_done = attempt(lambda action=action, given=given: work.act(0, action, given))
            run = quarry(*to_command("command.toml", action, given))
            assert (run.returncode == 0) == is_done, (action, given, run.stderr)
            work.act(0, "save", {"file": "clicked.toml"})
            assert Path("clicked.toml").read_bytes() == Path("command.toml").read_bytes(), (action, given)
        history = work.show(0)["history"]
    Path("again.toml").write_bytes(learnt)
    for step in history:
        quarry("correct", "again.toml", *shlex.split(step)).check_returncode()
    assert Path("again.toml").read_bytes() == Path("clicked.toml").read_bytes()
    assert len(history) > 1
