"""A text that a page has twice is read once."""

from webquarry.model.document import Document
from webquarry.reading.reader import read_blocks

LINES = [
    "The ferry left the harbour at noon, an hour late, with forty passengers and a piano on deck.",
    "Cold",
    "Nobody on board had asked for the piano, and by the evening nobody wanted it to leave again.",
    "Its owner, a retired organist from the islands, played until the lights of the town came into sight.",
    "The captain, who had crossed the sound for thirty years, had never been late with a better reason.",
]
STORY = "".join(f"<p>{line}</p>" for line in LINES)
REFRAIN = "<p>And all along the shore the people stood, and heard the piano over the water.</p>"


def read(body: str) -> list[str]:
    return read_blocks(Document(f"<body><main><h1>A piano at sea</h1>{body}</main>")).text.splitlines()


def test_reads_the_copy_for_narrow_screens_only_once():
    page = f"<div class=desktop>{STORY}</div><div class=mobile>{STORY}</div>"
    assert read(page) == LINES
    article = read_blocks(Document(f"<body><main>{page}</main>"))
    assert article.reasons[-1] == "repeats the text above"


def test_keeps_what_only_the_copy_has():
    other = "The next ferry brought the stool and a letter, and the school had music on Monday morning."
    assert read(f"<div>{STORY}</div><div>{STORY}<p>{other}</p></div>") == [*LINES, other]


def test_reads_three_copies_once():
    assert read(f"<div>{STORY}</div>" * 3) == LINES


def test_keeps_a_refrain():
    verses = [f"<p>Verse {number} tells of rivers, and of the towns that stand beside them.</p>" for number in range(6)]
    text = read("".join(verse + REFRAIN for verse in verses))
    assert len(text) == 12


def test_keeps_a_paragraph_that_is_a_small_part_of_the_text():
    assert read(f"{STORY}{REFRAIN}<p>{' '.join(LINES * 2)}</p>{REFRAIN}").count(REFRAIN[3:-4]) == 2
