"""How `quarry validate` judges an extraction, and what it measures that by."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from math import inf
from pathlib import Path
from typing import Annotated

import typer

from webquarry.cli.faults import UsageFault
from webquarry.cli.options import Knobs


@dataclass(frozen=True)
class Truth:
    """What people say of the nodes, if they do."""

    labels: Path | None
    recalls: tuple[float, ...]
    """Those to assume."""


def judging(
    *,
    method: Annotated[
        str | None,
        typer.Option(
            "--method",
            help="vote (default for texts), columns (default for records), knn, hbos, hbos-dynamic or hbos-pyod.",
        ),
    ] = None,
    k: Annotated[
        float | None, typer.Option("--k", metavar="K", help="For knn: neighbours; below 1 a share of the nodes (0.05).")
    ] = None,
    scope: Annotated[
        str | None,
        typer.Option("--scope", help="What nodes are compared with: page (default for listings), site or corpus."),
    ] = None,
    voter: Annotated[
        str | None, typer.Option("--voter", metavar="METHOD", help="A method of read that votes for the extraction.")
    ] = None,
    scaled: Annotated[bool, typer.Option("--scaled", help="For knn and hbos: numbers scaled to 0..1.")] = False,
    alpha: Annotated[bool, typer.Option("--alpha", help="For knn and hbos: colours with their alpha.")] = False,
) -> Knobs:
    """The knobs of `webquarry.validate`; raises for names that there are not, and for knobs that a method has not."""
    from webquarry.pipeline import ARTICLE_READERS, JUDGES, LOOKING, SCOPES  # noqa: PLC0415 - help needs no stages

    _check_choice("--method", method, JUDGES)
    _check_choice("--scope", scope, SCOPES)
    _check_choice("--voter", voter, ARTICLE_READERS)
    if k is not None and not 0 < k < inf:
        raise typer.BadParameter("a number of neighbours, or below 1 a share of the nodes", param_hint="--k")
    if k is not None and method != "knn":
        raise UsageFault("--k is for --method knn")
    if (scaled or alpha) and method not in LOOKING:
        raise UsageFault(f"--scaled and --alpha are for --method {', '.join(LOOKING)}")
    return {"method": method, "k": k, "scope": scope, "voter": voter, "scaled": scaled, "alpha": alpha}


def labelling(
    *,
    labels: Annotated[
        Path | None, typer.Option("--labels", metavar="FILE", help="JSON lines or CSV of page, node and label.")
    ] = None,
    recall: Annotated[
        str | None,
        typer.Option("--recall", metavar="R,R", help="With --labels of extracted nodes alone: recalls to assume."),
    ] = None,
) -> Truth:
    """Whose labels count, and which recalls are assumed."""
    if recall is None:
        return Truth(labels, ())
    if labels is None:
        raise UsageFault("--recall goes with --labels, which tell what of the extraction is content")
    try:
        recalls = tuple(float(part) for part in recall.split(","))
    except ValueError:
        recalls = ()
    if not recalls or not all(0 < each <= 1 for each in recalls):
        raise typer.BadParameter("shares with commas between, such as .65,.75,.85,.95", param_hint="--recall")
    return Truth(labels, recalls)


def _check_choice(option: str, given: str | None, known: Collection[str]) -> None:
    if given is not None and given not in known:
        raise typer.BadParameter(f"choose from {', '.join(known)}", param_hint=option)
