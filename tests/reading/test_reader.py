"""What the default reader keeps of pages of each kind, and what it leaves out."""

from __future__ import annotations

import pytest

from webquarry.model.article import Article
from webquarry.model.document import Document
from webquarry.reading.reader import read_blocks

FIRST = "The ferry left the harbour at noon, an hour late, with forty passengers and a piano on deck."
SECOND = "Nobody on board had asked for the piano, and by the evening nobody wanted it to leave again."
THIRD = "Its owner, a retired organist from the islands, played until the lights of the town came into sight."
STORY = "".join(f"<p>{each}</p>" for each in (FIRST, SECOND, THIRD) * 2)
LINES = [
    *(FIRST, SECOND, THIRD),
    "The captain, who had crossed the sound for thirty years, had never been late with a better reason.",
    "On the quay six men and a crane waited in the rain, and the harbour master counted the keys.",
    "The next ferry brought the stool and a letter, and the school had music on Monday morning.",
]
TALE = "".join(f"<p>{each}</p>" for each in LINES)
MENU = "<ul>" + "".join(f"<li><a href=/{each}>Section {each}</a>" for each in range(12)) + "</ul>"


def read(body: str, head: str = "") -> Article:
    return read_blocks(Document(f"<!doctype html><head>{head}</head><body>{body}</body>"))


def reason_of(article: Article, words: str) -> str:
    texts = article.document.texts
    return next(
        reason for node, reason in zip(article.nodes, article.reasons, strict=True) if words in texts[int(node)]
    )


def test_keeps_the_paragraphs_of_an_article_in_order():
    text = read(f"<div>{MENU}</div><div><h1>A piano at sea</h1>{TALE}</div><div>{MENU}</div>").text
    assert text.split("\n") == LINES


def test_keeps_what_is_beside_the_only_paragraph():
    assert read(f"<main><p>{FIRST}</p><h2>Fares</h2><ul><li>Pianos go free.</ul></main>").text.split("\n") == [
        FIRST,
        "Fares",
        "Pianos go free.",
    ]


def test_leaves_out_the_label_before_the_title():
    article = read(f"<main><div>At sea</div><h1>A piano</h1>{STORY}</main>")
    assert reason_of(article, "At sea") == "before the title"
    assert reason_of(article, "A piano") == "title"


@pytest.mark.parametrize("mark", ["¶", "#", "§", "🔗"])
def test_leaves_out_the_marks_by_which_headings_are_linked_to(mark):
    article = read(f"<main>{STORY}<h2>C &amp; D<a href=#c>{mark}</a></h2>{STORY}</main>")
    assert "C & D\n" in article.text
    assert mark not in article.text
    assert reason_of(article, mark) == "mark of a heading"


def test_keeps_the_terms_of_definitions_that_are_links():
    terms = "".join(f"<dt><a href=/{name}>{name}</a><dd>How far it goes." for name in ("reach", "depth"))
    assert "reach\nHow far it goes.\ndepth" in read(f"<main>{STORY}<dl>{terms}</dl>{STORY}</main>").text


@pytest.mark.parametrize(
    ("noise", "reason"),
    [
        (f"<nav>{MENU}</nav>", "navigation"),
        ("<div class=cookie-banner><p>Cookies help us to serve you, please agree to them.</div>", "notice"),
        ("<div class='share-bar'><span>Share on all networks</span> <b>12</b></div>", "sharing"),
        ("<div class=newsletter><p>Get our best stories every Friday in your inbox.</div>", "sign-up"),
        ("<div class=promo-box><p>A year of the Gazette for the price of a month, only now.</div>", "advertisement"),
        ("<p class=promo>Win two tickets for the boat show, see our next edition.</p>", "advertisement"),
        ("<div class=article-cta><p>Did you enjoy this? Then support our work.</p></div>", "advertisement"),
        ("<p class=byline>By Ada Quill, our reporter at sea, last week.</p>", "byline or date"),
        ("<div class=byline><p>By Ada Quill, our reporter at sea.</p></div>", "byline or date"),
        ("<figure><img><figcaption>The piano, seen from the bridge.</figcaption></figure>", "caption"),
        ("<div class=tags><b>Sea and land</b> <b>Islands</b></div>", "labels"),
        ("<form><p>Write to the editor, we answer on weekdays.</p><button>Send it</button></form>", "control"),
        ("<p class=screen-reader-skip>Skip the pictures of this story.</p>", "hidden"),
        ("<aside><p>The harbour was built by monks in 1240.</p></aside>", "beside the content"),
        ("<p><a href=/more>All that was ever written about pianos at sea</a></p>", "links"),
    ],
)
def test_leaves_out_what_is_in_an_article_without_being_of_it(noise, reason):
    article = read(f"<div><h1>A piano at sea</h1>{STORY}{noise}{STORY}</div>")
    noises = [text for text in Document(noise).texts if len(text) > 6]
    assert [reason_of(article, text) for text in noises] == [reason] * len(noises)
    assert article.text.split("\n") == [FIRST, SECOND, THIRD] * 4


def test_leaves_out_comments_behind_an_article_but_keeps_them_on_a_page_of_a_forum():
    posts = "".join(f"<div class=comment><p>{text}</p></div>" for text in (SECOND, THIRD))
    page = f"<div>{f'<p>{FIRST}</p>' * 3}</div><div id=comments>{posts}</div>"
    assert THIRD not in read(page).text
    said = '<script type="application/ld+json">{"@type": "DiscussionForumPosting"}</script>'
    text = read(page, said).text
    assert FIRST in text
    assert THIRD in text


def test_leaves_out_the_footer_though_it_has_more_prose_than_the_article():
    about = "<p>The Gazette is read by sailors and by those who wait for them, on both sides of the bay.</p>" * 6
    article = read(
        f"<div><h1>Late again</h1><p>{FIRST}</p><p>{SECOND}</p><p>{THIRD} {FIRST}</p></div>"
        f"<div class=footer>{about}</div>"
    )
    assert "read by sailors" not in article.text
    assert reason_of(article, "read by sailors") == "footer"


def test_a_name_does_not_make_furniture_of_what_holds_the_title():
    assert (
        FIRST in read(f"<div class='sidebar footer comments'><h1>A piano at sea</h1>{STORY}</div><p>{FIRST}</p>").text
    )


@pytest.mark.parametrize("tag", ["div class=latest-story", "div class=footer-story", "aside"])
def test_most_of_the_prose_is_never_furniture(tag):
    lead = " ".join([THIRD] * 5)
    story = f"{STORY * 3}<p>{FIRST} <a href=/x>{'The harbour is open again. ' * 5}</a></p>"
    said = '<script type="application/ld+json">{"@type": "Article"}</script>'
    assert SECOND in read(f"<h1>A piano at sea</h1><div><p>{lead}</p></div><{tag}>{story}", said).text


def test_leaves_out_comments_that_have_more_prose_than_the_article():
    posts = "".join(f"<li class=comment><p>{text}</p></li>" for text in [SECOND, THIRD] * 9)
    text = read(f"<div>{f'<p>{FIRST}</p>' * 4}</div><ul class=commentlist>{posts}</ul>").text
    assert text.split("\n") == [FIRST] * 4


def test_words_of_how_a_page_is_set_up_say_nothing():
    assert FIRST in read(f"<div class='has-sidebar no-comments md:hidden category-cookies'>{STORY}</div>").text


def test_leaves_out_teasers_of_other_articles():
    teaser = "<div><h3><a href=/x{0}>Whales seen off the cape {0}</a></h3><p>They came closer than ever.</p></div>"
    page = f"<div>{STORY}</div><div>{''.join(teaser.format(number) for number in range(4))}</div>"
    text = read(page).text
    assert FIRST in text
    assert "Whales" not in text
    assert "closer" not in text


def test_keeps_the_cards_of_a_listing():
    card = "<li><h2><a href=/b{0}>Boat number {0} for sale</a></h2><p>Wooden, {0} metres, dry and sound.</p></li>"
    cards = "".join(card.format(number) for number in range(5, 12))
    page = f"<nav>{MENU}</nav><h1>Boats</h1><ul>{cards}</ul><footer>{MENU}</footer>"
    text = read(page).text
    assert "Boat number 7 for sale" in text
    assert "Wooden, 11 metres" in text
    assert "Section 3" not in text


def test_what_holds_much_of_the_page_is_not_a_control_whatever_it_is_called():
    card = "<li><a href=/b{0}><h2>Boat number {0} for sale</h2><b>{0} crowns</b></a></li>"
    cards = "".join(card.format(number) for number in range(9))
    filters = "".join(f"<li><a href=/f{number}>Length {number}</a></li>" for number in range(5))
    text = read(f"<ul class=search-filters>{filters}</ul><ul class=search-results>{cards}</ul>").text
    assert "Boat number 7 for sale" in text
    assert "Length 3" not in text


def test_keeps_description_and_specification_of_a_product():
    rows = "".join(
        f"<tr><th>{name}</th><td>{value}</td></tr>" for name, value in [("Keys", "88"), ("Weight", "210 kg")]
    )
    page = (
        f"<header>{MENU}</header><main><h1>Sea piano</h1><button>Add to cart</button><div><p>{FIRST}</p><p>{SECOND}</p>"
        f"<table>{rows}</table></div></main><footer>{MENU}</footer>"
    )
    text = read(page).text
    assert SECOND in text
    assert "Keys\t88" in text
    assert "Add to cart" not in text


def test_keeps_code_lists_and_tables_of_documentation():
    page = (
        f"<nav>{MENU}</nav><main><h1>Tuning</h1><p>{FIRST}</p><pre>piano tune --key A4 440</pre>"
        "<h2><a href='#options'>Options</a></h2><ul><li><code>--key</code> the key</li><li>the pitch</li></ul>"
        f"<table><tr><td>A4</td><td>440</td></tr></table><p>{SECOND}</p></main>"
    )
    text = read(page).text
    assert "piano tune --key A4 440" in text
    assert "Options" in text
    assert "the pitch" in text
    assert "A4\t440" in text


def test_keeps_links_that_are_terms_or_cells():
    page = (
        f"<main><h1>Keys</h1><p>{FIRST}</p><dl><dt><a href=/a4>A4</a></dt><dd>{SECOND}</dd></dl>"
        "<table><tr><th>Key</th><th>Maker</th></tr><tr><td>C4</td><td><a href=/m>Organ and Sons</a></td></tr></table>"
        f"<p>{THIRD}</p></main>"
    )
    assert read(page).text.split("\n") == [FIRST, "A4", SECOND, "Key\tMaker", "C4\tOrgan and Sons", THIRD]


def test_headings_of_the_first_level_within_a_text_are_part_of_it():
    text = read(f"<div><h1>A piano at sea</h1>{STORY}<h1>Later</h1>{STORY}</div>").text
    assert text.split("\n")[6] == "Later"
    assert "A piano at sea" not in text


def test_a_page_that_calls_itself_an_article_and_has_only_cards_is_read_as_a_listing():
    card = "<li><h2><a href=/b{0}>Boat number {0} for sale, with its sails</a></h2><p>By Ada Quill</p></li>"
    said = '<script type="application/ld+json">{"@type": "Article"}</script>'
    text = read(f"<h1>Boats</h1><ul>{''.join(card.format(number) for number in range(9))}</ul>", said).text
    assert "Boat number 7 for sale" in text


def test_keeps_the_links_of_a_body_that_has_nothing_else():
    links = "<a href=/slides>The slides of the talk about pianos</a> and <a href=/film>the film</a>"
    text = read(f"<div>{MENU}</div><div class=entry-content><p>{links}</p></div>").text
    assert text == "The slides of the talk about pianos and the film"


def test_tables_of_data_beside_a_few_cards_are_not_a_listing():
    card = "<li><a href=/p{0}>Harbours of the northern province {0}</a></li>"
    rows = "".join(f"<tr><td>Harbour {number}</td><td>{number} berths, dredged</td></tr>" for number in range(30))
    page = f"<p>{FIRST}</p><table><tr><th>Name</th><th>Size</th></tr>{rows}</table>"
    text = read(f"<div>{page}<ul>{''.join(card.format(number) for number in range(4))}</ul></div>").text
    assert text.startswith(FIRST)
    assert "Harbour 7\t7 berths, dredged" in text


def test_links_between_the_paragraphs_do_not_make_one_paragraph_the_text():
    links = "".join(f"<a href=/{number}>All about the ferry of the year {number}</a><br><br>" for number in range(60))
    story = [" ".join([each] * 6) for each in (FIRST, SECOND, THIRD)]
    text = read(f"<div>{links.join(f'<p>{each}</p>' for each in story)}</div>").text
    assert text.split("\n") == story


def test_keeps_cards_in_what_is_named_as_the_body():
    card = "<div><h3><a href=/p{0}>Pianos of the harbour, part {0}</a></h3><p>Played by all who came by.</p></div>"
    cards = "".join(card.format(number) for number in range(4))
    assert "Played by all" in read(f"<div class=article-body>{STORY}{cards}</div>").text
    assert "Played by all" not in read(f"<div>{STORY}</div><div>{cards}</div>").text


def test_keeps_lists_of_links_in_what_is_named_as_the_body():
    links = "<ul><li><a href=/1>Pianos of the northern sea</a></li><li><a href=/2>Ferries and their bands</a></li></ul>"
    text = read(f"<div class=article-body>{STORY}<h2>Sources</h2>{links}</div>").text
    assert "Pianos of the northern sea" in text
    assert "Sources" in text


def test_keeps_a_lead_that_is_beside_the_body():
    lead = "A quarrel over a piano ended in a concert that the whole harbour heard."
    body = f"<div class=article-body>{STORY * 4}</div>"
    page = f"<article><h1>A piano at sea</h1><p class=lead>{lead}</p>{body}</article>"
    assert read(page).text.split("\n")[:2] == [lead, FIRST]


def test_keeps_a_lead_beside_the_body_of_what_says_it_is_an_article():
    lead = "A quarrel over a piano ended in a concert that the whole harbour heard."
    page = (
        '<article itemscope itemtype="https://schema.org/NewsArticle"><h1>A piano at sea</h1>'
        f"<p class=lead>{lead}</p><div itemprop=articleBody>{STORY * 4}</div><section>{STORY * 2}</section></article>"
    )
    assert read(page).text.split("\n")[:2] == [lead, FIRST]


def test_a_heading_is_one_whatever_its_names_say():
    page = f"<div>{STORY}<h2 class=toc-entry>The way home</h2>{STORY}<h3 class=share-title>Ashore</h3>{STORY}</div>"
    text = read(page).text
    assert "The way home" in text
    assert "Ashore" in text


def test_leaves_outside_what_frames_the_body_of_an_article():
    page = (
        f"<div><div><p>By the editors of the Gazette, with help.</p></div><div>{STORY}</div>"
        "<div><p>Ada Quill sails, writes, and tunes.</p></div></div>"
    )
    text = read(page).text
    assert text.startswith(FIRST)
    assert text.endswith(THIRD)


def test_keeps_both_parts_of_an_article_that_an_advertisement_parts():
    page = (
        f"<div><div>{STORY}</div><div class=ad>Buy a piano, or two, today.</div>"
        f"<div><p>{FIRST} {SECOND} {THIRD}</p></div></div>"
    )
    text = read(page).text
    assert f"{FIRST} {SECOND} {THIRD}" in text
    assert "Buy a piano" not in text


def test_headings_stay_with_the_text_below_them():
    article = read(f"<div><h2>At sea</h2>{STORY}<h2>Newer and older</h2></div>")
    assert article.text.startswith("At sea\n")
    assert reason_of(article, "Newer") == "heading without text"


def test_reads_a_page_of_tables_without_any_landmark():
    page = (
        f"<table><tr><td colspan=2><a href=/>Home</a> <a href=/x>News</a></td></tr><tr><td>{MENU}</td>"
        f"<td><font>{FIRST}<br><br>{SECOND}<br><br>{THIRD}</font></td></tr></table>"
    )
    assert read(page).text.split("\n") == [FIRST, SECOND, THIRD]


@pytest.mark.parametrize(
    "sentence",
    [
        "渡轮在中午离开港口晚了一个小时船上有四十名乘客和一架钢琴没有人要求过这架钢琴。",
        "フェリーは正午に港を出て一時間遅れで四十人の乗客と一台のピアノを乗せていた。",
        "غادرت العبارة الميناء عند الظهر متأخرة ساعة وعلى متنها أربعون راكبا وبيانو على السطح",
        "เรือข้ามฟากออกจากท่าตอนเที่ยงช้าไปหนึ่งชั่วโมงพร้อมผู้โดยสารสี่สิบคนและเปียโนบนดาดฟ้า",
    ],
)
def test_reads_texts_of_all_scripts(sentence):
    page = f"<div>{MENU}</div><div>{f'<p>{sentence}</p>' * 4}</div><div>{MENU}</div>"
    assert read(page).text.split("\n") == [sentence] * 4


def test_reads_a_page_of_one_paragraph():
    assert read(f"<p>{FIRST}</p>").text == FIRST


@pytest.mark.parametrize("page", ["", "<p> ", MENU, f"<nav>{MENU}</nav><footer>{MENU}</footer>", "<button>Go</button>"])
def test_gives_nothing_where_there_is_no_text(page):
    article = read(page)
    assert article.text == ""
    assert len(article) == 0


def test_says_for_each_text_why_it_was_kept_or_not():
    article = read(f"<nav>{MENU}</nav><div>{TALE}</div>")
    reasons = set(zip(article.kept.tolist(), article.reasons, strict=True))
    assert reasons == {(False, "navigation"), (True, "prose")}
    assert article.scores[article.kept].min() > article.scores[~article.kept].max()


def test_keeps_the_lead_that_is_a_paragraph_beside_the_body():
    text = read(f"<article><h1>A piano at sea</h1><p>{FIRST} {SECOND}</p><div class=text>{STORY}</div></article>").text
    assert text.startswith(f"{FIRST} {SECOND}\n{FIRST}")


def test_a_table_of_data_is_part_of_the_text_around_it():
    rows = "".join(f"<tr><td>{number}</td><td>{THIRD}</td></tr>" for number in range(9))
    text = read(f"<div><div>{FIRST}</div><table><tr><th>No</th><th>Entry</th></tr>{rows}</table></div>").text
    assert text.startswith(FIRST)


def test_the_main_element_bounds_the_content():
    article = read(f"<div>{TALE}</div><main>{TALE}</main>")
    assert article.text.split("\n") == LINES
    assert reason_of(article, FIRST) == "outside of the main element"


LONG = "Sentence {} tells of rivers, and of the towns that stand beside them since they were founded long ago."


def test_prose_between_title_and_text_is_kept_unless_the_page_is_an_article():
    text = "".join(f"<p>{LONG.format(place)}</p>" for place in range(9))
    page = f"<body><div><h1>Cup</h1><div class=short><p>{LONG.format(99)}</p></div></div><div class=long>{text}</div>"
    assert read_blocks(Document(page)).text.splitlines()[0] == LONG.format(99)
    stated = '<script type="application/ld+json">{"@type": "NewsArticle"}</script>'
    assert read_blocks(Document(stated + page)).text.splitlines()[0] == LONG.format(0)


def test_a_heading_that_is_a_button_is_a_heading():
    parts = "".join(f"<h3><button>Part {place}</button></h3><p>{LONG.format(place)}</p>" for place in range(4))
    assert read_blocks(Document(f"<body><div>{parts}<button>Send</button></div>")).text.splitlines() == [
        line for place in range(4) for line in (f"Part {place}", LONG.format(place))
    ]


def test_keeps_labels_as_in_lists_to_tick_off():
    needed = "".join(f"<li><label><input type=checkbox> {each}</label>" for each in ("4 eggs", "1 onion"))
    article = read(f"<h1>Piano on deck</h1>{TALE}<h2>You need</h2><ul>{needed}</ul>{TALE}")
    assert "4 eggs" in article.text
    assert "1 onion" in article.text


def test_the_menu_of_a_restaurant_is_no_navigation():
    dish = "<div><b>Dish number {0}</b> {0}.50<p>oil, bread and salt</p></div>"
    course = f"<section class=menu-sec><h2>Mains</h2>{''.join(dish.format(number) for number in range(12))}</section>"
    article = read(f"<nav>{MENU}</nav><h1>Dinner</h1><p>{FIRST}</p>{course}<div class=menu>{MENU}</div>")
    assert "Dish number 7" in article.text
    assert "Section 3" not in article.text


def test_results_are_kept_though_they_are_named_after_the_search():
    found = "".join(
        f"<li><a href=/{place}><h2>The dress number {place}</h2></a><i>{place}.00</i></li>" for place in range(9)
    )
    text = "".join(f"<p>{LONG.format(place)}</p>" for place in range(20))
    article = read_blocks(Document(f"<body><div><ul id=search-grid>{found}</ul><div>{text}</div></div>"))
    assert "control" not in article.reasons


def make_listing(records: int) -> Document:
    cells = "".join(
        f"<tr><td>{place}</td><td><a href=/{place}>Cup {place}</a></td><td>blue</td><td>{place}.00</td></tr>"
        for place in range(records)
    )
    return Document(f"<body><div><div>Sort by: price</div><table>{cells}</table><div>Page 1 of 9</div></div>")


def test_what_lists_the_page_by_other_means_is_kept_without_what_is_between():
    document = make_listing(9)
    rows = [(node, int(document.ends[node])) for node in document.has_tag(["tr"]).nonzero()[0].tolist()]
    assert "Page 1 of 9" in read_blocks(document).text
    assert read_blocks(document, lambda _: rows).text.split()[-4:] == ["8", "Cup", "8", "blue", "8.00"][-4:]


def test_keeps_short_questions_and_answers_around_records():
    document = make_listing(9)
    rows = [(node, int(document.ends[node])) for node in document.has_tag(["tr"]).nonzero()[0].tolist()]
    asked = "<details><summary>Do you post them?</summary><p>Yes, all over Europe.</p></details>"
    filters = "<details><summary>Colour</summary><a href=/blue>Blue</a></details>"
    markup = document.markup.replace("</table>", f"</table>{filters}{asked}")
    text = read_blocks(Document(markup), lambda _: rows).text
    assert "Do you post them?" in text
    assert "Yes, all over Europe." in text
    assert "Colour" not in text


def test_paragraphs_are_no_records():
    document = Document(
        "<body><div>" + "".join(f"<p>{LONG.format(place)}</p>" for place in range(5)) + "<b>x</b></div>"
    )
    rows = [(node, int(document.ends[node])) for node in document.has_tag(["p"]).nonzero()[0].tolist()]
    assert read_blocks(document, lambda _: rows) == read_blocks(document)


def test_records_are_not_asked_for_on_a_page_with_much_prose():
    text = "".join(f"<p>{LONG.format(place)}</p>" for place in range(40))

    def fail(_: Document) -> list[tuple[int, int]]:
        raise AssertionError

    assert len(read_blocks(Document(f"<body><div>{text}</div>"), fail)) == 40


@pytest.mark.parametrize("name", ["class=article-body", "class='prose mx-auto'", "itemprop=articleBody"])
def test_the_one_body_of_a_text_is_the_text_though_notes_below_it_are_long(name):
    notes = "".join(f"<div><div>{SECOND}</div></div>" for _ in range(4))
    page = f"<div><h1>A piano</h1><div {name}>{TALE}</div><div>{notes}</div></div>"
    assert read(page).text.split("\n") == LINES
    assert read(page.replace(name, "")).text.count(SECOND) == 5


def test_none_of_several_bodies_is_the_whole_text():
    bodies = "".join(f"<div class=article-body>{STORY}</div>" for _ in range(2))
    assert read(f"<div>{bodies}</div>").text.count(FIRST) == 4


def test_keeps_cards_with_a_long_guide_below_them():
    cards = "".join(
        f"<div class=tile><a href=/{place}>A rope of hemp, number {place}</a><span>{place} euros</span></div>"
        for place in range(30, 60)
    )
    guide = "".join(f"<h2>Ropes</h2><p>{FIRST} {SECOND} {THIRD}</p>" for _ in range(7))
    page = f"<main><h1>Ropes</h1><div>{cards}</div><div>{guide}</div></main>"
    text = read(page).text
    assert "A rope of hemp, number 59" in text
    assert text.count(SECOND) == 7


def test_links_between_a_title_and_a_long_text_are_a_menu_if_they_say_nothing_else():
    menu = "".join(f"<div class=tile><a href=/{place}>A rope of hemp, number {place}</a></div>" for place in range(30))
    page = f"<main><h1>Ropes</h1><div>{menu}</div><div>{STORY * 4}</div></main>"
    assert "A rope of hemp" not in read(page).text


@pytest.mark.parametrize(
    "code",
    [
        "<pre><b>1</b><code>gate.open()</code>\n<b>2</b><code>gate.close()</code></pre>",
        "<table><tr><td><pre>1\n2</pre><td><pre>gate.open()\ngate.close()</pre></table>",
    ],
)
def test_leaves_out_the_numbers_of_lines_of_code(code):
    text = read(f"<main>{STORY}{code}{STORY}</main>").text
    assert "gate.open()" in text
    assert not any(character.isdecimal() for character in text)


def test_keeps_numbers_that_a_program_wrote():
    assert "1\n2\n3" in read(f"<main>{STORY}<pre>1\n2\n3</pre>{STORY}</main>").text
    assert "3" in read(f"<main>{STORY}<pre><b>3</b><code>gate.open()</code></pre>{STORY}</main>").text


def test_much_prose_between_the_title_and_the_body_is_no_lead():
    other = "".join(f"<div><div>{THIRD}</div></div>" for _ in range(5))
    text = read(f"<article><h1>A piano</h1>{other}<div class=article-body>{STORY * 2}</div></article>").text
    assert text.split("\n") == [FIRST, SECOND, THIRD] * 4
