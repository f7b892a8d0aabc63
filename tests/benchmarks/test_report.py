import doctest
import importlib

import pytest
from benchmarks.acceptance import Acceptance
from benchmarks.findings import Finding
from benchmarks.growth import Growth
from benchmarks.report import write_report
from benchmarks.results import Results, check_figures
from benchmarks.speed import Speeds

from benchmarks import __main__ as program

MODULES = """
    corpora trees acceptance lost_words results report findings halves listings rendering rendered mining_speed
    scoring.records scoring.columns scoring.tables scoring.sections scoring.articles queries.planning
    wrappers.rankorder outliers.foreign_values
""".split()


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_the_docstrings_hold(name):
    assert doctest.testmod(importlib.import_module(f"benchmarks.{name}")).failed == 0


def test_parts_that_need_no_corpora_run_without_them(monkeypatch, tmp_path, capsys):
    monkeypatch.setenv("WEBQUARRY_CORPORA", str(tmp_path))
    monkeypatch.setattr("sys.argv", ["benchmarks", "examples", "records"])
    assert program.main() == 0
    said = capsys.readouterr()
    assert "Left out: records." in said.err
    assert "offers of kettleby: title and price | 1.000 | 30 offers" in said.out
    assert {"claims", "table2", "examples", "outlier_claims"} <= program.WITHOUT_CORPORA <= program.PARTS.keys()


TABLES = Finding("Tables", ("", "cells"), [("ours", "0.97")], figures={"tables, cells": 0.97})


def fail(results, root, options):
    raise RuntimeError("no such browser")


def run_program(monkeypatch, folder, parts, *arguments):
    (folder / "tables").mkdir()
    monkeypatch.setenv("WEBQUARRY_CORPORA", str(folder))
    monkeypatch.setattr("sys.argv", ["benchmarks", *arguments])
    monkeypatch.setattr(program, "PARTS", parts)
    return program.main()


def test_goes_on_after_a_part_fails(monkeypatch, tmp_path, capsys):
    parts = {"bad": fail, "good": lambda results, *_: results.findings.append(TABLES)}
    assert run_program(monkeypatch, tmp_path, parts) == 1
    said = capsys.readouterr()
    assert said.err.splitlines() == ["part bad failed: RuntimeError('no such browser')"]
    assert "| ours | 0.97 |" in said.out


def test_prints_tables_of_each_part_before_the_next_part_runs(monkeypatch, tmp_path, capsys):
    printed = []
    parts = {
        "first": lambda results, *_: results.findings.append(TABLES),
        "second": lambda *_: printed.append(capsys.readouterr().out),
    }
    assert run_program(monkeypatch, tmp_path, parts) == 0
    assert "| tables, cells | 0.97 | at least 0.96 | yes |" in printed[0]
    assert "### Tables" in printed[0]
    assert "### Tables" in capsys.readouterr().out


def test_a_part_with_an_unknown_figure_fails_alone(monkeypatch, tmp_path, capsys):
    odd = Finding("Odd", (), [], figures={"odd, figure": 1.0})
    parts = {
        "odd": lambda results, *_: results.findings.append(odd),
        "good": lambda results, *_: results.findings.append(TABLES),
    }
    assert run_program(monkeypatch, tmp_path, parts) == 1
    said = capsys.readouterr()
    assert "part odd failed: ValueError('no floor in floors.json for odd, figure')" in said.err
    assert "### Tables" in said.out


@pytest.mark.parametrize(("is_failing", "is_written"), [(False, True), (True, False)])
def test_writes_only_complete_reports(monkeypatch, tmp_path, is_failing, is_written):
    page = tmp_path / "benchmarks.md"
    page.write_text("<!-- figures: begin -->old<!-- figures: end -->", "utf-8")
    monkeypatch.setattr(program, "_PAGE", page)
    parts = {"good": lambda results, *_: results.findings.append(TABLES)} | ({"bad": fail} if is_failing else {})
    assert run_program(monkeypatch, tmp_path, parts, "--write") == is_failing
    assert ("### Tables" in page.read_text("utf-8")) == is_written


def test_a_figure_below_its_floor_does_not_hold():
    refused = Acceptance(2, [("page", "lxml: why")])
    results = Results(accepted={"pages": {"webquarry_html5": refused, "webquarry_cleandom": Acceptance(2)}})
    holds = {check.name: check.holds for check in check_figures(results.figures())}
    assert not holds["html5, outputs accepted: pages"]
    assert holds["cleandom, outputs accepted: pages"]
    assert results.complaints() == ["html5 refused: page: lxml: why"]


def test_every_figure_has_a_floor():
    names = "webquarry_html5 webquarry_cleandom turbohtml lxml_html lxml_xml parse columns".split()
    results = Results(
        speeds=Speeds(1, 1.0, dict.fromkeys(names, 2.0)),
        growths=[Growth(operation, "a", 4.0, 0.1) for operation in ("html5", "cleandom", "columns", "text")],
    )
    assert all(check.figure is not None for check in check_figures(results.figures()) if "time" in check.name)
    assert "| html5, speed to lxml's HTML | 1 | at least 1.5 | **no** |" in write_report(results)


def test_a_finding_is_shown_with_its_target_and_complaints():
    finding = Finding(
        "Tables", ("", "cells"), [("ours", "0.5")], figures={"tables, cells": 0.5}, complaints=["weak: x"]
    )
    results = Results(findings=[finding])
    report = write_report(results)
    assert "### Tables\n\n|  | cells |\n| --- | --- |\n| ours | 0.5 |" in report
    assert "| tables, cells | 0.5 | at least 0.96 | **no** |" in report
    assert "### Cleaning" not in report
    assert results.complaints() == ["weak: x"]


def test_a_figure_without_a_floor_is_an_error():
    with pytest.raises(ValueError, match=r"no floor in floors\.json for tables, colours"):
        write_report(Results(findings=[Finding("Tables", (), [], figures={"tables, colours": 1.0})]))
