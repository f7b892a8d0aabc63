"""`quarry validate` as a user meets it; without a browser, except where that is the point."""

import csv
import gzip
import io
import json
import os

import pytest

SENTENCE = "Sentence {} of page {} tells of rivers, and of the towns that stand beside them since they were founded."
NO_BROWSER = {"PATH": "/nowhere", "PLAYWRIGHT_BROWSERS_PATH": "/nowhere", "WEBQUARRY_BROWSER": ""}
MENU = "/html/body/header/nav/a[3]"


def make_page(number: int) -> str:
    paragraphs = "".join(f"<p>{SENTENCE.format(place, number)}</p>" for place in range(4))
    return (
        f"<!doctype html><title>River {number}</title><link rel=stylesheet href=../look.css>"
        "<header><nav><a href=/>Home</a> <a href=/b>Towns</a> <a href=/c>About us</a> <a href=/d>Contact</a></nav>"
        f"</header><main><article>{paragraphs}</article></main><footer>All rights are reserved.</footer>"
    )


def rows_of(number: int) -> list[list[str]]:
    page = f"rivers/{number}.html"
    return [[page, f"/html/body/main/article/p[{place + 1}]", SENTENCE.format(place, number)] for place in range(4)]


def to_csv(rows: list[list[str]], heads: tuple[str, ...] = ("page", "xpath", "text")) -> str:
    file = io.StringIO()
    csv.writer(file).writerows([heads, *rows])
    return file.getvalue()


@pytest.fixture
def site(work):
    """Five pages of a template below an index, and what another system took from them: on one a link of the menu."""
    (work / "site" / "rivers").mkdir(parents=True)
    for number in range(5):
        (work / "site" / "rivers" / f"{number}.html").write_text(make_page(number))
    (work / "site" / "index.html").write_text("<h1>Rivers")
    (work / "site" / "look.css").write_text("body { font-size: 20px } nav a { font-size: 11px; color: #990000 }")
    rows = [row for number in range(5) for row in rows_of(number)]
    rows.insert(6, ["rivers/1.html", MENU, "About us"])
    (work / "site" / "theirs.csv").write_text(to_csv(rows), newline="")
    return work / "site"


def lines_of(done) -> list[dict]:
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_what_others_of_its_style_were_not_taken_for_is_to_be_dropped(quarry, site):
    done = quarry("validate", site / "theirs.csv", "--static")
    assert done.returncode == 0
    assert done.stderr.decode() == "1 of 21 nodes on 5 pages looks wrong (method vote)\n"
    dropped = [each for line in lines_of(done) for each in line["scores"] if each["drop"]]
    assert [(each["node"], each["text"]) for each in dropped] == [(MENU, "About us")]
    assert "1 of 20 texts in this style were called content" in dropped[0]["reason"]


def test_what_is_dropped_scores_higher_than_what_is_kept(quarry, site):
    scores = [each for line in lines_of(quarry("validate", site / "theirs.csv", "--static")) for each in line["scores"]]
    assert min(each["score"] for each in scores if each["drop"]) >= 0.5
    assert max(each["score"] for each in scores if not each["drop"]) <= 0.5


def test_a_table_has_what_is_to_be_dropped(quarry, site):
    shown = quarry("validate", site / "theirs.csv", "--static", "--format", "table").stdout.decode().splitlines()
    assert shown[0].split() == ["page", "text", "score", "reason"]
    assert shown[2].split()[:3] == ["1.html", "About", "us"]
    assert shown[3].startswith("1 row")


def test_nothing_to_drop_is_reported_and_not_tabled(quarry, site):
    given = to_csv([[f"site/{row[0]}", *row[1:]] for number in range(5) for row in rows_of(number)])
    done = quarry("validate", "-", "--static", "--format", "table", given=given.encode())
    assert (done.returncode, done.stdout) == (0, b"")
    assert done.stderr.decode() == "0 of 20 nodes on 5 pages look wrong (method vote)\n"


def test_dropping_changes_nothing_else(quarry, site):
    before = (site / "theirs.csv").read_bytes()
    done = quarry("validate", site / "theirs.csv", "--static", "--drop", "-o", "clean.csv")
    assert (done.returncode, done.stdout) == (0, b"")
    assert (site.parent / "clean.csv").read_bytes() == before.replace(
        f"rivers/1.html,{MENU},About us\r\n".encode(), b""
    )
    assert "rivers/1.html: 'About us': " in done.stderr.decode()
    assert (site / "theirs.csv").read_bytes() == before


def test_dropping_may_replace_the_extraction(quarry, site):
    rows = (site / "theirs.csv").read_text().count("\n")
    assert quarry("validate", site / "theirs.csv", "--static", "--drop", "-o", site / "theirs.csv").returncode == 0
    assert (site / "theirs.csv").read_text().count("\n") == rows - 1


def test_what_is_dropped_of_an_article_leaves_its_text(quarry, site):
    lines = quarry("read", site / "rivers", "--method", "blocks").stdout.decode().splitlines()
    article = json.loads(lines[1])
    menu = next(each for each in article["nodes"] if each["text"] == "About us")
    menu["kept"] = True
    article["text"] = f"About us\n{article['text']}"
    lines[1] = json.dumps(article)
    given = "".join(f"{line}\n" for line in lines)
    after = quarry("validate", "-", "--static", "--drop", given=given.encode()).stdout.decode()
    menu["kept"] = False
    article["text"] = article["text"].removeprefix("About us\n")
    assert [json.loads(line) for line in after.splitlines()] == [
        json.loads(line) if place != 1 else article for place, line in enumerate(lines)
    ]
    assert after.splitlines()[0] == lines[0]


def test_records_are_judged_by_their_columns(quarry, work):
    goods = [("Kettle", "12.50"), ("Lamp", "9.00"), ("Saw", "21.80"), ("Drill", "64.90"), ("Pan", "17.00")]
    goods += [("Level", "8.40"), ("Bell", "5.10"), ("Rope", "4.20")]
    cards = "".join(f"<li class=offer><h3>{name}</h3> <b class=price>EUR {price}</b></li>" for name, price in goods)
    cards += "<li class=offer><h3>Axe</h3> <a class=price href=/card>Get the card and save!</a></li>"
    (work / "shop.html").write_text(f"<ul>{cards}</ul>")
    quarry("mine", "shop.html", "--static", "-o", "offers.jsonl")
    done = quarry("validate", "offers.jsonl", "--static", "--drop", "-o", "clean.jsonl")
    assert done.stderr.decode().endswith("(method columns)\n")
    before, after = (json.loads((work / name).read_text())["regions"][0] for name in ("offers.jsonl", "clean.jsonl"))
    assert before["records"][:8] == after["records"][:8]
    assert "Get the card and save!" in before["records"][8]["values"].values()
    assert "Get the card and save!" not in after["records"][8]["values"].values()
    assert "Axe" in after["records"][8]["values"].values()


def test_labels_give_the_figures_of_the_paper(quarry, site):
    """By bytes: five pages of four sentences, one of them empty; the link of the menu was taken too."""
    labels = [[f"rivers/{number}.html", f"{row[1]}", "yes"] for number in range(5) for row in rows_of(number)]
    labels[0][2] = "no"
    labels.append(["rivers/1.html", MENU, "no"])
    (site.parent / "labels.csv").write_text(to_csv(labels, ("page", "node", "label")))
    told = quarry("validate", site / "theirs.csv", "--static", "-o", "x.json", "--labels", "labels.csv").stderr.decode()
    size, odd = len(SENTENCE.format(0, 0)), len("About us")
    before, after = 19 * size / (20 * size + odd), 19 / 20
    rows = {line[:24].strip(): line[24:].split() for line in told.splitlines()[-3:]}
    assert rows["as extracted"] == [
        f"{before:.4f}",
        "1.0000",
        f"{2 * before / (1 + before):.4f}",
        "0.00%",
        "0.00%",
    ]
    gone = f"{odd / (20 * size + odd):.2%}"
    assert rows["without what is dropped"] == ["0.9500", "1.0000", f"{2 * after / (1 + after):.4f}", "4.76%", gone]


def test_recalls_are_assumed_where_labels_are_of_the_extraction_alone(quarry, site):
    labels = to_csv([["rivers/0.html", "/html/body/main", "content"]], ("page", "node", "label"))
    (site.parent / "labels.csv").write_text(labels)
    done = quarry(
        "validate", site / "theirs.csv", "--static", "-o", "x.json", "--labels", "labels.csv", "--recall", ".5,.8"
    )
    told = done.stderr.decode()
    assert "17 of 21 extracted nodes have no label and count as boilerplate" in told
    assert "recall 0.5  F1      recall 0.8  F1" in told
    size, odd = len(SENTENCE.format(0, 0)), len("About us")
    precision = 4 * size / (20 * size + odd)
    first = next(line for line in told.splitlines() if line.startswith("as extracted")).split()[2:]
    assert first[:3] == [f"{precision:.4f}", "0.5000", f"{precision / (precision + 0.5):.4f}"]


@pytest.mark.parametrize(
    ("labels", "said"),
    [
        ("elsewhere.html,/html,yes", "none of the labels is of a page of the extraction, the first: line 2: elsewhere"),
        ("0.html,/html/body/p[9],yes", "labels.csv:2: no such node: /html/body/p[9] of 0.html; the same for all"),
        ("0.html,p.lead,yes", "labels.csv:2: no such node: p.lead of 0.html; the same for all labels: nodes are"),
        ("0.html,/html/body/main,no", "labels.csv: no label says content"),
    ],
)
def test_labels_that_can_match_nothing_are_told_before_a_browser_is_needed(quarry, site, environment, labels, said):
    environment |= NO_BROWSER
    (site.parent / "labels.csv").write_text(f"page,node,label\n{labels}\n")
    done = quarry("validate", site / "theirs.csv", "--method", "knn", "--labels", "labels.csv")
    assert (done.returncode, done.stdout) == (1, b"")
    assert len(done.stderr.splitlines()) == 1
    assert said in done.stderr.decode()


def test_some_labels_of_other_pages_are_told_once_and_the_others_count(quarry, site):
    labels = "page,node,label\nother.html,/html,yes\n" + "".join(f"{n}.html,/html/body/main,yes\n" for n in range(5))
    (site.parent / "labels.csv").write_text(labels)
    done = quarry("validate", site / "theirs.csv", "--static", "--labels", "labels.csv")
    assert done.returncode == 0
    told = done.stderr.decode().splitlines()
    assert told[0] == ("quarry: labels.csv: 1 label of pages outside the extraction, the first: line 2: other.html")
    assert not any("other.html" in line for line in told[1:])
    assert told[-2].split()[:7] == ["without", "what", "is", "dropped", "1.0000", "1.0000", "1.0000"]


def test_labels_of_nodes_that_were_not_extracted_are_told(quarry, site):
    (site.parent / "labels.csv").write_text("page,node,label\n0.html,/html/body/footer,yes\n")
    done = quarry("validate", site / "theirs.csv", "--static", "--labels", "labels.csv")
    assert (done.returncode, done.stdout) == (1, b"")
    assert b"the labels call none of the extracted nodes content; check the pages and XPaths in them" in done.stderr


def test_a_page_that_is_gone_stops_no_other(quarry, site):
    (site / "rivers" / "3.html").unlink()
    done = quarry("validate", site / "theirs.csv", "--static")
    lines = lines_of(done)
    assert done.returncode == 1
    assert [len(line["scores"]) for line in lines[:-1]] == [4, 5, 4, 4]
    assert "there is no such file" in lines[-1]["error"]
    assert done.stderr.decode().count("3.html") == 1


def test_a_page_that_has_changed_is_reported_with_what_was_lost(quarry, site):
    (site / "rivers" / "3.html").write_text("<h1>We have moved</h1>")
    done = quarry("validate", site / "theirs.csv", "--static")
    assert done.returncode == 0
    assert "4 nodes of 1 page were not found and not judged, the first: /html/body/main" in done.stderr.decode()
    assert len(lines_of(done)[3]["unmapped"]) == 4


def test_one_page_is_too_few_and_a_voter_helps(quarry, site):
    given = to_csv([["site/rivers/0.html", MENU, "About us"], *[[f"site/{row[0]}", *row[1:]] for row in rows_of(0)]])
    alone = quarry("validate", "-", "--static", given=given.encode())
    assert alone.stderr.decode() == (
        "quarry: 1 page is too few for a vote: nothing is dropped from 1 page; give more pages of a site, or choose a "
        "voter, such as --voter blocks\n0 of 5 nodes on 1 page look wrong (method vote)\n"
    )
    helped = quarry("validate", "-", "--static", "--voter", "blocks", given=given.encode())
    assert [each["drop"] for each in lines_of(helped)[0]["scores"]] == [True, False, False, False, False]


def test_pages_that_are_judged_alone_are_told_in_one_line(quarry, site):
    told = quarry("validate", site / "theirs.csv", "--static", "--scope", "page").stderr.decode()
    assert "nothing is dropped from 5 pages" in told
    assert len(told.splitlines()) == 2


def test_pages_whose_names_are_not_text_are_found_again(quarry, site):
    folder = (site / "rivers").rename(site / os.fsdecode(b"rivi\xe8res"))
    quarry("read", folder, "-o", "x.jsonl")
    done = quarry("validate", "x.jsonl", "--static")
    assert done.returncode == 0
    assert [line["page"] for line in lines_of(done)] == [(folder / f"{number}.html").as_uri() for number in range(5)]


def test_several_files_count_as_one(quarry, site):
    lines = (site / "theirs.csv").read_text().splitlines(keepends=True)
    (site / "a.csv").write_text("".join(lines[:7]))
    (site / "b.csv").write_text("".join([lines[0], *lines[7:]]))
    apart = lines_of(quarry("validate", site / "a.csv", site / "b.csv", "--static"))
    assert apart == lines_of(quarry("validate", site / "theirs.csv", "--static"))


def test_pages_come_from_an_archive(quarry, site):
    records = b""
    for number in range(5):
        body = make_page(number).encode()
        answer = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body)
        head = (
            f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: https://rivers.test/{number}\r\n"
            f"WARC-Date: 2024-01-01T00:00:00Z\r\nWARC-Record-ID: <urn:uuid:00000000-0000-0000-0000-00000000000{number}>"
            f"\r\nContent-Type: application/http; msgtype=response\r\nContent-Length: {len(answer)}\r\n\r\n"
        )
        records += gzip.compress(head.encode() + answer + b"\r\n\r\n")
    (site.parent / "rivers.warc.gz").write_bytes(records)
    quarry("read", "rivers.warc.gz", "-o", "x.jsonl")
    done = quarry("validate", "x.jsonl", "--static", "--offline", "--pages", "rivers.warc.gz")
    assert done.returncode == 0
    assert [line["page"] for line in lines_of(done)] == [f"https://rivers.test/{number}" for number in range(5)]


def test_an_archive_or_folder_that_has_none_of_the_pages_is_reported(quarry, site):
    done = quarry("validate", site / "theirs.csv", "--static", "--pages", site / "index.html", "--pages", site)
    assert done.returncode == 0
    told, _ = done.stderr.decode().splitlines()
    assert told == (
        f"quarry: WARNING: {site / 'index.html'} has none of the pages of the extraction, which are fetched or read "
        f"from disk instead: it has {site.as_uri()}/index.html, and the extraction names {site.as_uri()}/rivers/0.html"
    )


def test_a_broken_page_among_those_of_a_folder_is_reported_and_the_others_are_used(quarry, site):
    (site / "broken.html.gz").write_bytes(b"no gzip")
    done = quarry("validate", site / "theirs.csv", "--static", "--pages", site)
    assert (done.returncode, len(lines_of(done))) == (0, 5)
    told, _ = done.stderr.decode().splitlines()
    assert told.startswith(f"quarry: WARNING: {site / 'broken.html.gz'}: ")
    alone = quarry("validate", site / "theirs.csv", "--static", "--pages", site / "broken.html.gz")
    assert (alone.returncode, alone.stdout) == (1, b"")
    assert alone.stderr.decode().startswith(f"quarry: {site / 'broken.html.gz'}: ")


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("empty.jsonl", b"", "the file is empty"),
        ("binary.jsonl", b"\xff\xfe\x00", "line 1 is not in UTF-8"),
        ("cut.jsonl", b'{"page": "a.html", "nodes": [{"node": "/ht', "cut.jsonl:1: not JSON"),
        ("bare.csv", b"page,text\na.html,x\n", "no column of XPaths"),
        (
            "a.toml",
            b"format = 1",
            "is a wrapper, not an extraction; `quarry extract a.toml -o FILE.jsonl` makes one with",
        ),
        ("page.html", b"<p>x", "is a page, not an extraction; `quarry read page.html -o FILE.jsonl` makes one of it"),
        ("gone.jsonl", None, "there is no such file; check the path"),
        ("pageless.csv", b"page,xpath\n,/html\n", "pageless.csv:2: the page is missing"),
        ("folder.csv", b"page,xpath\n.,/html\n", "is a folder; the extraction must name pages"),
        ("address.csv", b"page,xpath\nFILE:///dev,/html\n", "/dev: is a folder; the extraction must name pages"),
        ("archive.csv", b"page,xpath\nA.WARC.GZ,/html\n", "is an archive; name its pages by their addresses"),
        ("input.csv", b"page,xpath\nstdin:,/html\n", "the page came from standard input"),
        ("long.csv", f"page,xpath\n{'x' * 300},/html\n".encode(), "File name too long"),
        ("nul.csv", b"page,xpath\na\0b.html,/html\n", "a%00b.html': no file can have such a name; fix the extraction"),
        ("half.jsonl", b'{"page": "\\ud800.html", "xpath": "/html"}', "'\\ud800.html': no file can have such a name"),
        ("host.csv", b"page,xpath\nfile://[/a.html,/html\n", "'file://[/a.html': no file can have such a name"),
    ],
)
def test_what_is_not_an_extraction_is_reported_with_what_to_do(quarry, work, name, content, said):
    if content is not None:
        (work / name).write_bytes(content)
    done = quarry("validate", name, "--static", "--format", "table")
    assert (done.returncode, done.stdout) == (1, b"")
    assert len(done.stderr.splitlines()) == 1
    assert said in done.stderr.decode()


def test_an_extraction_of_nothing_is_an_answer(quarry):
    done = quarry("validate", "-", "--static", given=b'[{"page": "a.html", "error": "gone"}]')
    assert (done.returncode, done.stdout) == (0, b"")
    assert done.stderr.decode().splitlines() == [
        "quarry: the extraction itself reports 1 failed page",
        "quarry: the extraction has no nodes, so there is nothing to judge",
    ]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["-", "-"], "standard input can be read only once"),
        (["x", "--method", "best"], "choose from vote, columns, knn, kth-nn, hbos"),
        (["x", "--scope", "world"], "choose from page, site, corpus"),
        (["x", "--voter", "me"], "choose from vote, blocks, boilerpipe"),
        (["x", "--k", "5"], "--k is for --method knn"),
        (["x", "--method", "knn", "--k", "0"], "a number of neighbours"),
        (["x", "--method", "knn", "--k", "inf"], "a number of neighbours"),
        (["x", "--method", "hbos", "--static"], "--method hbos goes by how pages look; leave out --static"),
        (["x", "--scaled"], "--scaled and --alpha are for --method knn, kth-nn, hbos"),
        (["x", "--recall", ".5"], "--recall goes with --labels"),
        (["x", "--labels", "y", "--labels-by", "p"], "--labels and --labels-by cannot be used together"),
        (["x", "--labels-by", "p["], "'p[' is not a CSS selector"),
        (["x", "--stop", "nodes:3"], "--stop is for --method knn"),
        (["x", "--method", "knn", "--stop", "half"], "is not a stop; write best-f1, nodes:40"),
        (["x", "--method", "knn", "--stop", "best-f1"], "--stop best-f1 needs --labels"),
        (["x", "--paper-tables"], "--paper-tables needs --labels"),
        (["x", "--paper-tables", "--labels-by", "p", "--drop"], "leave out --drop and --format"),
        (["x", "--matrix", "m.csv", "--static"], "--matrix has styles, which need a browser"),
        (["x", "--matrix", "m.csv", "--report", "m.csv"], "--report and --matrix both name m.csv"),
        (["x", "--fail-above", "2"], "--fail-above"),
        (["x", "--labels", "y", "--recall", "2"], "shares separated by commas"),
        (["x", "y", "--drop"], "name one"),
        (["x", "--drop", "--format", "csv"], "leave out --format, --table and --safe-csv"),
        (["x", "-o", "y.json", "--report", "y.json"], "-o and --report both name y.json"),
        (["x.jsonl", "-o", "./x.jsonl"], "-o x.jsonl would replace an input"),
        (["x", "--labels", "y.csv", "-o", "y.csv"], "-o y.csv would replace an input"),
        (["x", "--drop", "--report", "x"], "--report x would replace an input"),
    ],
)
def test_usage_that_makes_no_sense_is_reported_before_work(quarry, arguments, said):
    done = quarry("validate", *arguments)
    assert done.returncode == 2
    assert said in done.stderr.decode()


def test_results_are_there_though_the_report_has_no_room(quarry, site):
    done = quarry("validate", site / "theirs.csv", "--static", "-o", "x.jsonl", "--report", "/dev/full")
    assert done.returncode == 1
    assert b"make room or name another file with --report" in done.stderr
    assert len((site.parent / "x.jsonl").read_text().splitlines()) == 5


def test_without_a_browser_pages_are_read_by_their_markup(quarry, site, environment):
    environment |= NO_BROWSER
    done = quarry("validate", site / "theirs.csv")
    assert done.returncode == 0
    assert b"no browser was found" in done.stderr
    assert sum(each["drop"] for line in lines_of(done) for each in line["scores"]) == 1


def test_methods_that_look_say_that_they_need_a_browser(quarry, site, environment):
    environment |= NO_BROWSER
    done = quarry("validate", site / "theirs.csv", "--method", "knn")
    assert (done.returncode, done.stdout) == (1, b"")
    assert b"apt-get install chromium-headless-shell" in done.stderr


@pytest.mark.needs_browser
def test_pages_are_looked_at_with_the_styles_of_their_site(quarry, site):
    """The style sheet is beside the index, above the folder of the pages."""
    done = quarry(
        "validate", site / "theirs.csv", "--method", "hbos", "-o", "x.csv", "--report", "x.html", "--voter", "blocks"
    )
    assert done.returncode == 0
    with (site.parent / "x.csv").open(newline="") as file:
        rows = {row["text"]: row for row in csv.DictReader(file)}
    odd = rows.pop("About us")
    assert (odd["font-size"], odd["color"]) == ("11px", "rgb(153, 0, 0)")
    assert {row["font-size"] for row in rows.values()} == {"20px"}
    assert float(odd["score"]) > max(float(row["score"]) for row in rows.values())
    assert "letters are 11px high, those of the others 20px" in odd["reason"]
    assert "About us" in (site.parent / "x.html").read_text()


@pytest.mark.needs_browser
def test_a_page_that_is_too_large_for_a_browser_fails_alone_by_looks(quarry, work):
    (work / "large.html").write_text(f"<h1>Large</h1><p>{'words of a line<br>' * 26_000}")
    (work / "small.html").write_text("<h1>Small</h1><p>Some words of a page that is as small as most pages are.")
    assert quarry("read", "large.html", "small.html", "-o", "both.jsonl").returncode == 0
    done = quarry("validate", "both.jsonl", "--method", "knn", "-o", "scores.jsonl")
    assert done.returncode == 1
    assert "large.html: not rendered, and knn goes by how pages look; choose vote or columns" in done.stderr.decode()
    assert b"internal error" not in done.stderr
    assert "small.html" in (work / "scores.jsonl").read_text()


def test_standard_output_is_quiet_with_a_report_unless_a_format_is_asked_for(quarry, site):
    done = quarry("validate", site / "theirs.csv", "--static", "--report", "x.html")
    assert (done.returncode, done.stdout) == (0, b"")
    assert b"1 of 21 nodes on 5 pages looks wrong" in done.stderr
    asked = quarry("validate", site / "theirs.csv", "--static", "--report", "x.html", "--format", "jsonl")
    assert len(lines_of(asked)) == 5


@pytest.mark.parametrize("ending", ["csv", "parquet", "jsonl"])
def test_a_mined_table_is_validated_in_each_format(quarry, work, ending):
    rows = "".join(f"<tr><td>Thing {place}<td>${place}.50<td>{place} km</tr>" for place in range(1, 10))
    (work / "shop.html").write_text(f"<table>{rows}<tr><td>$<td>$3.20<td>4 km</tr><tr><td>Flat<td>$7.10<td>$900</tr>")
    assert quarry("mine", "shop.html", "--static", "-o", f"offers.{ending}").returncode == 0
    done = quarry("validate", f"offers.{ending}", "--static", "-o", "scores.jsonl")
    assert done.returncode == 0
    odd = {each["text"] for each in json.loads((work / "scores.jsonl").read_text())["scores"] if each["drop"]}
    assert odd == {"$", "$900"}


def test_a_parquet_file_that_is_none_says_so(quarry, work):
    (work / "offers.parquet").write_text("no")
    done = quarry("validate", "offers.parquet")
    assert done.returncode == 1
    assert b"offers.parquet: cannot be read as Parquet" in done.stderr


@pytest.mark.needs_browser
def test_the_papers_tables_figures_and_matrix_come_from_one_call(quarry, site):
    done = quarry(
        *("validate", site / "theirs.csv", "--labels-by", "article p", "--paper-tables"),
        *("--report", "x.html", "--matrix", "m.csv"),
    )
    assert done.returncode == 0
    lines = done.stdout.decode().splitlines()
    assert lines[0] == "Table 1: at the stop with the highest F1"
    assert [line.split()[0] for line in lines[2:9]] == ["as", "10-NN", "50-NN", "100-NN", "200-NN", "500-NN", "HBOS"]
    assert lines[10] == "Table 2: change against the extraction"
    content = sum(len(row[2]) for number in range(5) for row in rows_of(number))
    assert lines[-1].split()[:2] == ["HBOS", f"{len('About us') / content:+.2%}"]
    report = (site.parent / "x.html").read_text()
    assert report.count("F1 along deletion, recall 0.65 assumed</h3>") == 1
    assert "boilerplate: 1 node" in report
    with (site.parent / "m.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 21
    assert {row["font-size"] for row in rows} == {"20", "11"}


@pytest.mark.needs_browser
def test_deletion_stops_where_it_is_told_to(quarry, site):
    options = ("validate", site / "theirs.csv", "--method", "hbos", "--drop", "-o", "clean.csv")
    for stop in ("nodes:1", "share:0.05", "best-f1"):
        done = quarry(*options, "--stop", stop, "--labels-by", "article p")
        assert done.returncode == 0
        assert "1 of 21 nodes on 5 pages looks wrong (method hbos)" in done.stderr.decode()
        assert "About us" not in (site.parent / "clean.csv").read_text()


def test_a_gate_fails_above_a_share_of_wrong_nodes(quarry, site):
    options = ("validate", site / "theirs.csv", "--static", "-o", "x.jsonl", "--fail-above")
    assert quarry(*options, "0.05").returncode == 0
    done = quarry(*options, "0.04")
    assert done.returncode == 1
    assert "4.76% of the nodes look wrong, more than the 4.00% of --fail-above" in done.stderr.decode()
    assert len((site.parent / "x.jsonl").read_text().splitlines()) == 5


@pytest.mark.needs_browser
def test_a_row_with_a_blank_text_keeps_its_node_though_scripts_change_the_page(quarry, work):
    script = "document.body.insertAdjacentHTML('afterbegin', '<p>Banner of the day</p>')"
    (work / "a.html").write_text(f"<p>First text of the page<p>Second text of the page<script>{script}</script>")
    (work / "theirs.csv").write_text("page,xpath,text\na.html,/html/body/p[1],\na.html,/html/body/p[2],\n")
    done = quarry("validate", "theirs.csv", "--scripts")
    scores = [each for line in lines_of(done) for each in line["scores"]]
    assert [each["node"] for each in scores] == ["/html/body/p[2]", "/html/body/p[3]"]
