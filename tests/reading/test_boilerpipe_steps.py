"""Each step of the recipes, on blocks written by hand."""

from __future__ import annotations

import pytest

from webquarry.reading.boilerpipe import (
    LATEST,
    RELEASED,
    Label,
    Step,
    add_large_ones,
    add_list_at_end,
    classify_by_words,
    decide,
    drop_boilerplate,
    drop_trailing_headings,
    expand_to_title,
    find_ends,
    find_titles,
    fuse_near,
    ignore_after_end,
    keep_largest,
    mark_title,
)

MAYBE, LIKELY = Label.MIGHT_BE_CONTENT, Label.VERY_LIKELY_CONTENT


@pytest.mark.parametrize(
    ("words", "linked", "expected"),
    [
        ([17], [0], [1]),
        ([16], [0], [0]),
        ([5, 3], [0, 0], [0, 1]),  # enough words before it
        ([4, 3], [0, 0], [0, 0]),
        ([3, 16], [0, 0], [1, 0]),  # enough words after it; that one has too few itself, and before it
        ([3, 15], [0, 0], [0, 0]),
        ([30, 30], [10, 10], [0, 0]),  # a third of them in links is too many
        ([31, 31], [10, 10], [1, 1]),
        ([9, 40], [9, 0], [0, 0]),  # below links it takes more
        ([9, 41], [9, 0], [0, 1]),
        ([9, 40, 18], [9, 0, 0], [0, 1, 1]),
        ([9, 40], [5, 0], [0, 1]),  # five ninths of links are not many before it
        ([], [], []),
    ],
)
def test_rules_go_by_words_and_links_of_a_block_and_its_neighbours(blocks, words, linked, expected):
    assert classify_by_words(blocks(words, linked=linked)).content.tolist() == [bool(each) for each in expected]


@pytest.mark.parametrize(
    "text",
    [
        "Comments",
        "comments (3)",
        "12 comments so far",
        "7 users responded in this post",
        "© Reuters 2010",
        "Please rate this article",
        "Post a comment",
        "Tell us what you think...",
        "Why not add your comment?",
        "Add comment",
        "More reader views",
        "Have your say",
        "All reader comments",
        "Vill du rätta artikeln?",
        "Thanks for your comments - this feedback is now closed",
    ],
)
def test_phrases_end_the_text(blocks, text):
    marked = find_ends(blocks([5, 5, 5], texts=["before it", text, "after it"]))
    assert marked.has(Label.ENDS_TEXT).tolist() == [False, True, False]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("No comments", 2),
        ("Comment", 1),
        ("He was asked to comment", 5),
        ("twelve comments", 2),
        ("Comments were made all over the place about it by many and at great length", 15),
    ],
)
def test_other_texts_do_not_end_it(blocks, text, words):
    assert not find_ends(blocks([words], texts=[text])).has(Label.ENDS_TEXT).any()


def test_a_link_to_comment_ends_the_text(blocks):
    assert find_ends(blocks([1], linked=[1], texts=["Comment"])).has(Label.ENDS_TEXT).all()


def test_nothing_is_content_from_the_end_of_the_text(blocks):
    ended = ignore_after_end(blocks([60, 3, 70], content=[1, 1, 1], labels=[0, Label.ENDS_TEXT, 0]))
    assert ended.content.tolist() == [True, False, False]


@pytest.mark.parametrize(("content", "lines"), [([0, 1, 1], [1, 1, 1]), ([1, 1, 1], [8, 1, 1])])
def test_an_end_counts_only_after_enough_full_text(blocks, content, lines):
    made = blocks([70, 3, 70], content=content, lines=lines, labels=[0, Label.ENDS_TEXT, 0])
    assert ignore_after_end(made).content.tolist() == made.content.tolist()


@pytest.mark.parametrize(
    ("content", "headings", "expected"),
    [
        ([1, 1, 0, 1], [1, 0, 0, 1], [1, 1, 0, 0]),
        ([1, 1, 1, 0], [0, 1, 1, 1], [1, 0, 0, 0]),
        ([1, 1], [1, 1], [0, 0]),
        ([0, 0], [0, 1], [0, 0]),
    ],
)
def test_headings_below_all_other_content_are_none(blocks, content, headings, expected):
    made = blocks([9] * len(content), content=content, labels=[each * Label.HEADING for each in headings])
    assert drop_trailing_headings(made).content.tolist() == [bool(each) for each in expected]


@pytest.mark.parametrize(
    ("title", "text"),
    [
        ("Rain at last", "RAIN AT LAST"),
        ("Rain at last | The Daily", "Rain at last"),
        ("The Daily: Rain at last", "Rain at last"),
        ("Rain at last (The Daily)", "Rain at last"),
        ("News » Rain at last", "Rain at last"),
        ("Rain's here", "Rains here"),
        ("Rain at last", "Rain at last!"),
        ("weather.com is the name of a site - Rain", "Rain"),
        ("A rather long name of a section | Rain fell at last | The Daily", "Rain fell at last"),
        ("Rain - sun - wind", "sun - wind"),
    ],
)
def test_the_title_of_the_page_is_found_whole_or_in_part(blocks, title, text):
    marked = mark_title(blocks([2, 3, 3], texts=["Home", text, text], title=title))
    assert marked.has(Label.TITLE).tolist() == [False, True, False]


@pytest.mark.parametrize("title", ["", "Something else", "'", "- |"])
def test_other_titles_mark_nothing(blocks, title):
    assert not mark_title(blocks([2, 0, 0], texts=["Rain at last", "", "—"], title=title)).has(Label.TITLE).any()


def test_no_title_gives_no_candidates():
    assert list(find_titles(" ' ")) == []


def test_content_takes_in_the_block_before_it(blocks):
    fused = fuse_near(blocks([3, 40, 4, 5], content=[0, 1, 0, 0]))
    assert (fused.words.tolist(), fused.content.tolist()) == ([43, 4, 5], [True, False, False])


def test_content_is_fused_over_one_block_that_was_dropped_but_not_over_two(blocks):
    fused = fuse_near(blocks([10, 20, 30], places=[0, 2, 5], content=[1, 1, 1]), content_only=True)
    assert fused.words.tolist() == [30, 30]


def test_content_only_leaves_the_block_before_it(blocks):
    fused = fuse_near(blocks([3, 40, 50], content=[0, 1, 1]), content_only=True)
    assert (fused.words.tolist(), fused.content.tolist()) == ([3, 90], [False, True])


def test_same_level_fuses_only_what_is_equally_deep(blocks):
    fused = fuse_near(blocks([1, 2, 3, 4], levels=[5, 5, 6, 6], content=[1, 1, 1, 1]), same_level=True)
    assert fused.words.tolist() == [3, 7]


def test_boilerplate_is_dropped(blocks):
    assert drop_boilerplate(blocks([1, 2, 3], content=[0, 1, 0])).words.tolist() == [2]


def test_boilerplate_that_is_the_title_can_stay(blocks):
    made = blocks([1, 2, 3], content=[0, 1, 0], labels=[Label.TITLE, 0, 0])
    assert drop_boilerplate(made, keep_title=True).words.tolist() == [1, 2]


def test_the_first_of_the_largest_is_content_alone(blocks):
    made = keep_largest(blocks([40, 90, 90, 200], content=[1, 1, 1, 0]))
    assert made.content.tolist() == [False, True, False, False]
    assert made.has(MAYBE).tolist() == [True, False, True, True]
    assert made.has(LIKELY).tolist() == [False, True, False, False]


def test_the_only_block_stays_as_it_is(blocks):
    made = keep_largest(blocks([4], content=[1]))
    assert (made.content.tolist(), made.labels.tolist()) == ([True], [0])


def test_without_content_none_is_the_largest(blocks):
    made = keep_largest(blocks([4, 5]), min_words_beside=1)
    assert (made.content.any(), made.has(MAYBE).all(), made.has(LIKELY).any()) == (False, True, False)


def test_large_blocks_beside_the_largest_count_up_to_one_above_them(blocks):
    made = blocks(
        [300, 160, 150, 149, 400, 200, 10, 200],
        levels=[5, 4, 5, 5, 5, 6, 5, 5],
        content=[1] * 8,
    )
    assert keep_largest(made, min_words_beside=150).content.tolist() == [
        *(False, False, True, False),
        *(True, False, False, True),
    ]


def test_what_might_be_content_between_title_and_text_is(blocks):
    made = blocks(
        [3, 3, 5, 6, 90, 4], content=[0, 0, 0, 0, 1, 0], labels=[MAYBE, MAYBE | Label.TITLE, MAYBE, 0, 0, MAYBE]
    )
    assert expand_to_title(made).content.tolist() == [False, True, True, False, True, False]


@pytest.mark.parametrize(
    ("content", "title"), [([1, 0, 0], 1), ([0, 0, 0], 1), ([0, 1, 0], None)], ids=["below", "no text", "no title"]
)
def test_without_a_title_above_the_text_nothing_is_added(blocks, content, title):
    labels = [MAYBE | (Label.TITLE if place == title else 0) for place in range(3)]
    assert expand_to_title(blocks([9, 9, 9], content=content, labels=labels)).content.tolist() == [
        bool(each) for each in content
    ]


def test_long_blocks_as_deep_as_the_largest_are_added(blocks):
    made = blocks([100, 99, 100, 300], levels=[4, 4, 3, 4], content=[0, 0, 0, 1], labels=[0, 0, 0, LIKELY])
    assert add_large_ones(made).content.tolist() == [True, False, False, True]


def test_without_a_largest_none_is_added(blocks):
    assert not add_large_ones(blocks([100, 200])).content.any()


def test_items_without_links_right_after_the_largest_are_added(blocks):
    item = MAYBE | Label.ITEM
    made = blocks(
        [3, 300, 5, 6, 7, 8],
        levels=[6, 4, 5, 6, 5, 5],
        linked=[0, 0, 0, 0, 1, 0],
        content=[0, 1, 0, 0, 0, 0],
        labels=[item, LIKELY, item, item, item, item],
    )
    assert add_list_at_end(made).content.tolist() == [False, True, True, True, False, False]


@pytest.mark.parametrize(("level", "label"), [(4, MAYBE | Label.ITEM), (5, MAYBE), (5, Label.ITEM)])
def test_what_is_not_an_item_below_the_largest_is_not_added(blocks, level, label):
    made = blocks([300, 5], levels=[4, level], content=[1, 0], labels=[LIKELY, label])
    assert add_list_at_end(made).content.tolist() == [True, False]


@pytest.mark.parametrize("steps", [RELEASED, LATEST])
def test_recipes_take_no_blocks_at_all(blocks, steps):
    content, reasons = decide(blocks([]), steps)
    assert (content.tolist(), reasons) == ([], [])


def test_the_reason_is_that_of_the_step_that_decided_last(blocks):
    steps = (
        Step(classify_by_words, kept="words", left="no words"),
        Step(fuse_near, kept="near"),
        Step(drop_boilerplate),
        Step(keep_largest, left="small"),
    )
    content, reasons = decide(blocks([3, 3, 40, 2, 3, 3, 3, 20]), steps)
    assert content.tolist() == [True, True, True, True, False, False, False, False]
    assert reasons == ["near", "words", "words", "words", "no words", "small", "small", "small"]
