"""KQML messages: read whole, in pieces, mutated, and written so that they are read again."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, strategies as st

from webquarry.fetching.kqml import Keyword, Message, MessageError, MessageReader, Word, write_message


def reader_of(*pieces: bytes, **limits: int) -> MessageReader:
    left = iter(pieces)
    return MessageReader(lambda: next(left, b""), **limits)


@pytest.mark.parametrize(
    ("text", "performative", "parameters"),
    [
        ("(ready)", "ready", {}),
        ("(Ask-One :Content hello)", "ask-one", {"content": "hello"}),
        (r'(tell :content "a \"b\" \\ c")', "tell", {"content": 'a "b" \\ c'}),
        ('(tell :content #7"a)"(b " :x y)', "tell", {"content": 'a)"(b "', "x": "y"}),
        ('(tell :content (a (b "c") :d e))', "tell", {"content": ("a", ("b", "c"), "d", "e")}),
        ("(tell :content 'quoted :x `(a ,b))", "tell", {"content": "quoted", "x": ("a", "b")}),
        ('(tell :content "größer 东")', "tell", {"content": "größer 东"}),
        ("  \n(tell\t:content\nx)", "tell", {"content": "x"}),
        ('(tell :content #3"东京都)', "tell", {"content": "东京都"}),
    ],
)
def test_messages_are_read_whole_and_byte_by_byte(text, performative, parameters):
    expected = Message(performative, parameters)
    assert reader_of(text.encode()).read() == expected
    assert reader_of(*(bytes([byte]) for byte in text.encode())).read() == expected


def test_several_messages_follow_each_other_until_the_stream_ends():
    reader = reader_of(b"(a :x 1)(b", b" :x 2) \n (c)")
    assert [reader.read().performative for _ in range(3)] == ["a", "b", "c"]
    assert reader.read() is None


@pytest.mark.parametrize(
    "text", ["(tell :content)", "(tell x y)", "()", '("tell")', "(tell :x 1 :X 2)", "(tell :x ')", "((a) :x 1)"]
)
def test_a_balanced_message_that_makes_no_sense_does_not_end_the_conversation(text):
    reader = reader_of(text.encode() + b"(next)")
    with pytest.raises(MessageError) as caught:
        reader.read()
    assert not caught.value.is_last
    assert reader.read() == Message("next")


@pytest.mark.parametrize("text", ["hello", "(tell", '(tell "x', "(tell #9", '(tell #99"x)', "(tell :x \\", ")"])
def test_what_never_ends_ends_the_conversation(text):
    with pytest.raises(MessageError) as caught:
        reader_of(text.encode()).read()
    assert caught.value.is_last


def test_an_error_repeats_the_label_of_the_message():
    with pytest.raises(MessageError) as caught:
        reader_of(b"(tell :reply-with q7 :content)").read()
    assert caught.value.label == "q7"


def test_limits_hold():
    with pytest.raises(MessageError, match="more than 100 characters"):
        reader_of(b"(tell :x " + b"y" * 200, max_characters=100).read()
    with pytest.raises(MessageError, match="32 levels deep"):
        reader_of(b"(" * 10_000).read()
    with pytest.raises(MessageError, match="at most 64 parameters"):
        reader_of(f"(tell {' '.join(f':p{n} {n}' for n in range(65))})".encode()).read()


VALUES = st.recursive(
    st.text() | st.from_regex(r"[a-z][a-z0-9-]*", fullmatch=True).map(Word),
    lambda inner: st.lists(inner, max_size=4).map(tuple),
    max_leaves=6,
)


@given(content=VALUES)
def test_what_is_written_is_read_again(content):
    message = Message("tell", {"content": content, "in-reply-to": Word("q1")})
    assert reader_of(write_message(message).encode("utf-8", "replace")).read() == Message(
        "tell", {"content": clean(content), "in-reply-to": "q1"}
    )


def clean(value):
    """What UTF-8 can hold of a value."""
    if isinstance(value, tuple):
        return tuple(map(clean, value))
    return value.encode("utf-8", "replace").decode()


def test_keywords_in_contents_stay_keywords():
    asked = (Word("ask-all"), Keyword("language"), Word("SQL"))
    assert write_message(Message("advertise", {"content": asked})) == "(advertise :content (ask-all :language SQL))\n"


def test_mutated_messages_raise_nothing_else():
    choose = random.Random(7)
    text = '(ask-one :receiver factbook :reply-with q1 :content #5"abcde :x (a "b\\"c" (d)))'
    for _ in range(10_000):
        marks = list(text)
        for _ in range(choose.randint(1, 4)):
            place = choose.randrange(len(marks))
            marks[place : place + choose.randint(0, 3)] = choose.choices("()\"\\#:' 19a\0é", k=choose.randint(0, 3))
        reader = reader_of("".join(marks).encode())
        try:
            while reader.read() is not None:
                pass
        except MessageError:
            pass
