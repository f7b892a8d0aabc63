import pytest
from benchmarks.corpora import page_of
from benchmarks.rendering import OURS, PEER, WITH_RESOURCES, Rendering
from benchmarks.workers import Cost, Worker

from webquarry.model.page import Page


def test_ratios_compare_the_same_round_and_are_medians_over_rounds():
    ours, theirs = [1.0, 1.0, 8.0], [2.0, 4.0, 16.0]  # a busy machine in the third round
    costs = {
        (OURS, 1): [Cost(cpu, cpu, ()) for cpu in ours],
        (PEER, 1): [Cost(cpu, 2 * cpu, ()) for cpu in theirs],
    }
    rendering = Rendering(WITH_RESOURCES, 10, costs)
    assert rendering.cpu_ratio(PEER) == 0.5
    assert rendering.cpu_a_page(PEER) == 0.4
    assert rendering.pages_a_second(PEER, 1) == 10 / 8


def test_reports_systems_that_saw_different_pages():
    costs = {(OURS, 1): [Cost(1, 1, (100, 100))], (PEER, 1): [Cost(1, 1, (101, 30))]}
    (complaint,) = Rendering(WITH_RESOURCES, 2, costs).complaints()
    assert "page 1: 100 nodes" in complaint


@pytest.mark.usefixtures("browser")
def test_the_cost_of_a_worker_includes_its_browser():
    page = page_of("https://page.example/", "<p>word" * 3000)
    with Worker(OURS, 1) as worker:
        cost = worker.render([page, page])
    assert cost.nodes == (6004, 6004)
    assert cost.cpu > 0.1  # the browser needs more than that for two layouts of 3,000 paragraphs


@pytest.mark.usefixtures("browser")
def test_a_worker_passes_on_exceptions_of_its_renderer():
    with Worker(OURS, 1) as worker, pytest.raises(Exception, match="PNG picture"):
        worker.render([Page("https://page.example/", b"\x89PNG\r\n\x1a\n")])
