"""On how many pages a system loses words: on real pages, and on pages that are deep."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from benchmarks.acceptance import Job
from benchmarks.counting import DOCUMENT_TEXT, Losses, find_lost
from benchmarks.hostile import DEEP, deep_page
from benchmarks.pool import show_progress, work_through
from benchmarks.systems import load
from benchmarks.words import (
    NOT_SHOWN,
    NOT_TEXT,
    words_of_document,
    words_of_html,
    words_of_output,
)

_SHOWN = 5  # lost words that are named for a page


def judge(job: Job) -> dict[str, list[str]]:
    """For each system some of the words that it lost."""
    markup = job.page.markup()
    wanted = words_of_html(markup, unseen=NOT_TEXT)
    lost = _judge_systems(markup, job.systems, wanted)
    shown = words_of_html(markup, unseen=NOT_SHOWN, may_hide=True)
    return lost | {DOCUMENT_TEXT: find_lost(shown, words_of_document(markup))[:_SHOWN]}


def measure_losses(jobs: Sequence[Job]) -> dict[str, Losses]:
    """The losses of each system over all the jobs that it had."""
    names = (job.page.name for job in jobs)
    return _gather(zip(names, work_through(judge, jobs, "words"), strict=True))


def measure_deep_losses(systems: Sequence[str], levels: int) -> dict[str, Losses]:
    """The losses of each system on pages with so many levels, whose words are known."""
    return _gather((f"{kind}, {levels} levels", _judge_deep(kind, levels, systems)) for kind in _kinds(levels))


def _kinds(levels: int) -> Iterable[str]:
    return show_progress(list(DEEP), len(DEEP), f"words, {levels} levels")


def _judge_deep(kind: str, levels: int, systems: Sequence[str]) -> dict[str, list[str]]:
    markup, words = deep_page(kind, levels)
    wanted = Counter(words)
    lost = _judge_systems(markup, systems, wanted)
    return lost | {DOCUMENT_TEXT: find_lost(wanted, words_of_document(markup))[:_SHOWN]}


def _judge_systems(markup: str, names: Sequence[str], wanted: Counter[str]) -> dict[str, list[str]]:
    systems = {name: system for name in names if (system := load(name)) is not None}
    return {name: find_lost(wanted, words_of_output(system, markup))[:_SHOWN] for name, system in systems.items()}


def _gather(answers: Iterable[tuple[str, dict[str, list[str]]]]) -> dict[str, Losses]:
    losses: defaultdict[str, Losses] = defaultdict(Losses)
    for page, lost in answers:
        for name, words in lost.items():
            losses[name].total += 1
            if words:
                losses[name].pages.append((page, words))
    return dict(losses)
