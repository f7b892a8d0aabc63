from benchmarks.halves import ALL, CHECK, TUNE, by_half
from benchmarks.listings import listings


def make_corpus(root, names):
    for name in names:
        folder = root / "records" / name
        folder.mkdir(parents=True)
        (folder / "page.html").write_text("<p>Tea")
        (folder / "records.csv").write_bytes("Tea,5 \u20ac\n,\n".encode("cp1252"))
    return root


def test_all_pages_of_a_site_are_in_one_half(tmp_path):
    found = listings(make_corpus(tmp_path, ["b.org-1", "a.org-1", "a.org-2", "c.org-1"]))
    assert [(each.name, each.half) for each in found] == [
        ("a.org-1", TUNE),
        ("a.org-2", TUNE),
        ("b.org-1", CHECK),
        ("c.org-1", TUNE),
    ]


def test_a_page_is_in_the_same_half_when_only_some_are_drawn(tmp_path):
    root = make_corpus(tmp_path, ["a.org-1", "b.org-1", "c.org-1", "d.org-1"])
    halves = {each.name: each.half for each in listings(root)}
    assert all(halves[each.name] == each.half for each in listings(root, 3))


def test_skips_empty_rows_and_reads_any_encoding(tmp_path):
    (page,) = listings(make_corpus(tmp_path, ["a.org-1"]))
    assert page.truths == (("Tea", "5 \u20ac"),)
    assert page.page.url.endswith("/a.org-1/page.html")


def test_all_contains_both_halves():
    halves = by_half(["a", "b", "c"], lambda name: CHECK if name == "b" else TUNE)
    assert halves == {TUNE: ["a", "c"], CHECK: ["b"], ALL: ["a", "b", "c"]}
