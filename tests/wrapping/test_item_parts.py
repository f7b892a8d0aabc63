"""Parts of detail pages as sites write them: learnt from all pages but the last, which is then read."""

from __future__ import annotations

from typing import Any

import pytest

import webquarry as wq
from webquarry.model.document import Document


def make_page(title: str, body: str) -> Document:
    markup = f"<html><head><title>{title}</title></head><body><h1>{title}</h1>{body}</body></html>"
    return wq.clean(wq.Page(f"https://shop.example/{title}.html", markup.encode()))


def read_last(*bodies: str) -> dict[str, Any]:
    names = ("Tin kettle", "Oak stool", "Wool rug", "Iron pan", "Clay pot", "Brass lamp")
    pages = [make_page(name, body) for name, body in zip(names, bodies, strict=False)]
    return dict(wq.extract(wq.wrap(pages[:-1], name="things", kind="item"), pages[-1]).record)


@pytest.mark.parametrize("mark", ["class=old", "class=strike", "style='text-decoration: line-through'"])
def test_a_struck_price_is_the_old_one_whatever_strikes_it(mark) -> None:
    body = f"<p><span {mark}>£{{}}</span> <span class=now>£{{}}</span></p>"
    record = read_last(*(body.format(high, high - 12) for high in (40, 91, 32, 57)))
    assert (record["old_price"], record["price"]) == ("£57", "£45")


def test_prices_with_and_without_a_sale_are_one_field() -> None:
    full = '<div class="box"><span class="regular"><b>£{}</b></span></div>'
    sale = (
        '<div class="box"><span class="old-price"><b>£{}</b></span><span class="special-price"><b>£{}</b></span></div>'
    )
    bodies = full.format(40), sale.format(90, 70), full.format(12), full.format(31), sale.format(85, 66)
    assert (read_last(*bodies)["price"], read_last(*bodies)["old_price"]) == ("£66", "£85")
    assert read_last(*bodies, full.format(99))["price"] == "£99"


def test_class_names_of_parts_that_few_pages_have_tell_them_apart() -> None:
    plain = "<div><div class='seller'>{}</div></div>"
    more = "<div><div class='seller'>{}</div><div class='warranty'>{}</div></div>"
    bodies = more.format("Ann", "2 years"), plain.format("Bob"), plain.format("Cyd"), more.format("Dee", "5 years")
    record = read_last(*bodies, plain.format("Eve"), more.format("Fay", "9 years"))
    assert (record["seller"], record["warranty"]) == ("Fay", "9 years")


def test_names_in_any_order_are_not_labels() -> None:
    row = "<div class='cast'>{}</div>"

    def cast(*pairs: str) -> str:
        return row.format("".join(f"<div><p>{pair.split()[0]}</p><p>{pair.split()[1]}</p></div>" for pair in pairs))

    record = read_last(
        cast("Ann King", "Bob Page", "Cyd Fool"),
        cast("Cyd Queen", "Ann Page", "Bob Fool"),
        cast("Bob King", "Ann Fool"),
    )
    assert {"Ann", "Bob", "Cyd"}.isdisjoint(record)


def test_pictured_links_are_cards_and_not_labelled_values() -> None:
    def cards(*pairs: tuple[str, str]) -> str:
        card = "<li><a href='/{0}'><img src='/{0}.jpg'></a><strong><a href='/{0}'>{0}</a></strong><i>{1}</i></li>"
        return f"<ol>{''.join(card.format(*pair) for pair in pairs)}</ol>"

    record = read_last(
        cards(("Mug", "£4"), ("Jug", "£9"), ("Pan", "£8")),
        cards(("Mug", "£5"), ("Jug", "£7"), ("Pan", "£6")),
        cards(("Mug", "£3"), ("Jug", "£2"), ("Pan", "£9")),
    )
    assert {"Mug", "Jug", "Pan", "specifications"}.isdisjoint(record)


def test_mean_and_count_of_reviews_are_fields_and_reviews_are_not() -> None:
    part = (
        "<div class='reviews-summary'><span class='mean'>{}</span><a class='count' href='#r'>{} reviews</a></div>"
        "<div class='reviews' id='r'><h2>Reviews</h2><div><b>{}</b><p>{}, I would buy it again at once.</p></div></div>"
    )
    record = read_last(
        part.format("4.5", 12, "Ann", "Good"),
        part.format("3.1", 7, "Bob", "Fine"),
        part.format("4.9", 31, "Cyd", "Wow"),
    )
    assert (record["mean"], record["count"]) == ("4.9", "31 reviews")
    assert not any("buy it again" in str(value) for value in record.values())


def test_panels_of_tabs_and_accordions_are_read_and_dialogs_are_not() -> None:
    part = (
        "<details><summary>Care</summary><p class='care'>{0}</p></details>"
        "<div class='tab-pane' hidden><p class='origin'>{1}</p></div>"
        "<div class='modal-panel' hidden><p class='chart'>{2}</p></div>"
    )
    record = read_last(
        part.format("Wash cold", "Wales", "One"),
        part.format("Wipe", "Kent", "Two"),
        part.format("Air", "Fife", "Three"),
    )
    assert (record["care"], record["origin"]) == ("Air", "Fife")
    assert "Three" not in map(str, record.values())


def test_a_row_with_several_labels_has_several_fields() -> None:
    part = "<table><tr><th>Rooms</th><td>{}</td><th>Area</th><td>{}</td></tr></table>"
    record = read_last(part.format("2K", "30 m²"), part.format("1R", "18 m²"), part.format("3DK", "61 m²"))
    assert (record["Rooms"], record["Area"]) == ("3DK", "61 m²")


def test_lines_with_labels_are_fields_and_longer_labels_are_others() -> None:
    full = "<p>Phone: {0}<br>Office: Room {0}<br>Office hours: at {0}</p>"
    less = "<p>Phone: {0}<br>Office hours: at {0}</p>"
    record = read_last(full.format(11), full.format(12), less.format(13), less.format(14))
    assert (record["Phone"], record["Office hours"]) == ("14", "at 14")
    assert "Office" not in record


def test_paragraphs_of_which_one_is_always_a_date_are_fields_by_place() -> None:
    events = (
        ("Saturday 6 June 2026", "Old Fish Hall", "Brass and accordions by the water."),
        ("Friday 12 June 2026", "Library", "Six poets read until the lamps go out."),
        ("Sunday 21 June 2026", "West Beach", "Build a kite and fly it over the sea."),
        ("Thursday 25 June 2026", "Town Hall", "Up the steps to the works of the clock."),
    )
    record = read_last(*(f"<div><p>{'</p><p>'.join(texts)}</p></div>" for texts in events))
    assert list(record.values())[1:] == list(events[-1])
    assert record["date"] == "Thursday 25 June 2026"


def test_paragraphs_without_dates_and_amounts_are_a_list() -> None:
    steps = (("Peel", "Chop", "Boil"), ("Sift", "Knead", "Bake"), ("Wash", "Salt", "Wait"), ("Grate", "Mix", "Fry"))
    record = read_last(*(f"<div class=steps><p>{'</p><p>'.join(texts)}</p></div>" for texts in steps))
    assert list(steps[-1]) in record.values()


def test_an_amount_and_its_unit_are_one_value() -> None:
    part = "<div><span class='cooking'><b>{}</b> <i>mins</i></span></div>"
    assert read_last(part.format(20), part.format(35), part.format(50))["cooking"] == "50 mins"


def test_a_list_ends_where_another_label_begins() -> None:
    part = "<div><p><b>Duties:</b></p><ul>{}</ul><p><b>Skills:</b></p><ul>{}</ul></div>"

    def lists(duties: str, skills: str) -> str:
        return part.format(*("".join(f"<li>{each}</li>" for each in names.split()) for names in (duties, skills)))

    record = read_last(lists("mend sell", "care wit"), lists("plan cut sew", "care"), lists("buy sell", "art care wit"))
    assert (record["Duties"], record["Skills"]) == (["buy", "sell"], ["art", "care", "wit"])


def test_parts_between_dots_are_fields_by_type_though_the_last_is_optional() -> None:
    part = "<div class='facts'><span>{}</span> <span>•</span> <span>{} min</span>{}</div>"
    more = " <span>•</span> <span>Season two</span>"
    record = read_last(
        part.format("Jan 3, 2026", 40, more), part.format("Feb 8, 2026", 55, ""), part.format("May 1, 2026", 61, "")
    )
    assert {"May 1, 2026", "61 min"} <= set(map(str, record.values()))


def test_the_last_breadcrumb_is_the_category() -> None:
    part = "<ul class='crumbs'><li><a href='/'>Home</a></li><li><a href='/{0}'>{0}</a></li></ul><p>{0} things</p>"
    assert read_last(part.format("Tin"), part.format("Oak"), part.format("Wool"))["category"] == "Wool"


def test_controls_and_slogans_that_all_pages_share_are_no_fields() -> None:
    far = "".join(f"<p class='line'>Line {number} of the terms that all pages have.</p>" for number in range(30))
    part = f"<p class='price'>£{{}}</p><p class='stock'>In stock</p>{far}<div><em>Money back</em></div>"
    record = read_last(part.format(3), part.format(5), part.format(8))
    assert (record["price"], record["stock"]) == ("£8", "In stock")
    assert "Money back" not in record.values()


def test_sections_end_with_their_box_and_repeat_no_field() -> None:
    part = (
        "<section><h2>Facts</h2><dl><dt>Size</dt><dd>{0} cm</dd><dt>Weight</dt><dd>{0} kg</dd></dl></section>"
        "<section><h2>Notes</h2><p>Made in {0} steps.</p><h3>Care</h3><p>Wipe {0} times.</p></section>"
        "<div><p>Call {0}{0}{0}</p></div>"
    )
    record = read_last(part.format(3), part.format(5), part.format(8))
    assert (record["Size"], record["Weight"]) == ("8 cm", "8 kg")
    assert "Facts" not in record
    assert not any("Wipe" in str(value) and "Call" in str(value) for value in record.values())


def test_the_title_is_what_the_page_calls_itself_though_it_repeats_and_comes_late() -> None:
    def page(title: str, salary: str) -> Document:
        markup = (
            f"<html><head><title>{title} - Jobs</title></head><body><p>Up to {salary}</p>"
            f"<table><tr><td><b>Company:</b></td><td>{title[:3]} Works</td></tr></table>"
            f"<div>Share</div><span class='job_name'>{title}</span></body></html>"
        )
        return wq.clean(wq.Page(f"https://jobs.example/{salary}.html", markup.encode()))

    samples = [page("Baker at night", "£10"), page("Baker at night", "£12"), page("Owl keeper", "£14")]
    wrapper = wq.wrap(samples, name="jobs", kind="item")
    assert wq.extract(wrapper, page("Lock smith", "£99")).record["title"] == "Lock smith"


def test_short_paragraphs_are_facts_and_signs_are_values() -> None:
    part = "<div class='contact'><p>{0} Mill Lane, Fife</p><p>+44 {0}{0} 31-12</p></div><span class='level'>{1}</span>"
    record = read_last(part.format(3, "££"), part.format(5, "£"), part.format(8, "£££"))
    assert {"8 Mill Lane, Fife", "+44 88 31-12", "£££"} <= set(map(str, record.values()))


def test_a_colon_behind_a_marked_word_makes_it_a_label() -> None:
    part = "<ul><li><p><abbr>DOI</abbr>: <a href='/{0}'>10.{0}</a></p></li></ul>"
    assert read_last(part.format(301), part.format(502), part.format(803))["DOI"] == "10.803"


def test_tags_under_a_label_are_a_list() -> None:
    part = "<dl><dt>Size</dt><dd>{} cm</dd><dt>More</dt><dd>{}</dd></dl>"

    def page(size: int, *tags: str) -> str:
        return part.format(size, "".join(f"<span class='tag'>{tag}</span>" for tag in tags))

    assert read_last(page(3, "Lift", "Wifi"), page(5, "Wifi"), page(8, "Bath", "Lift"))["More"] == ["Bath", "Lift"]


def test_facts_in_a_box_named_after_reviews_are_fields() -> None:
    part = "<div class='user_reviews'><div><b>Maker:</b> {0}</div><div><b>Out:</b> 20{1}</div></div>"
    record = read_last(part.format("Owl", 11), part.format("Bat", 12), part.format("Fox", 15))
    assert (record["Maker"], record["Out"]) == ("Fox", "2015")


def test_texts_are_named_by_where_their_links_lead_and_by_their_units() -> None:
    part = (
        "<p><a href='/companies/{0}'>{0} Works</a></p><div><span>{1} beds</span></div><div><span>{1}0 m²</span></div>"
        "<p><a href='tel:+44{1}'>0{1} 55</a></p>"
    )
    record = read_last(part.format("Owl", 3), part.format("Bat", 5), part.format("Fox", 8))
    assert [record[name] for name in ("company", "beds", "area", "phone")] == ["Fox Works", "8 beds", "80 m²", "08 55"]


def test_words_that_only_style_sheets_keep_apart_are_kept_apart() -> None:
    part = "<p class='cast'><span>{0} King</span><span>Lady {0}</span></p>"
    record = read_last(part.format("Ann"), part.format("Bob"), part.format("Cyd"))
    assert not any("KingLady" in str(value) for value in record.values())


def test_breadcrumbs_say_nothing_that_a_category_says() -> None:
    part = "<ul class='crumbs'><li><a href='/{0}'>{0}</a></li></ul><p>Category: {0}, more</p>"
    record = read_last(part.format("Tin"), part.format("Oak"), part.format("Wool"))
    assert [name for name in record if name.lower().startswith("category")] == ["Category"]


def test_a_list_is_named_by_the_words_that_headings_before_it_begin_with() -> None:
    def page(count: str, *names: str) -> str:
        return f"<h2>Ingredients for {count}</h2><ul>{''.join(f'<li>{name}</li>' for name in names)}</ul>"

    record = read_last(page("two", "oil", "salt"), page("a party", "salt"), page("six people", "rice", "egg", "oil"))
    assert record["Ingredients"] == ["rice", "egg", "oil"]


def test_a_small_ad_is_not_an_advertisement() -> None:
    part = (
        "<div class='ad-price'>£{0}</div><div class='ad-box'><a href='/buy/{0}'><img src='/{0}.png'>Buy {0}!</a></div>"
    )
    record = read_last(part.format(3), part.format(5), part.format(8))
    assert record["price"] == "£8"
    assert "Buy 8!" not in record.values()


def test_a_field_that_repeats_another_of_its_name_is_left_out() -> None:
    rows = "<tr><th>Size</th><td>{0} cm</td></tr><tr><th>Age</th><td>{0}</td></tr>"
    part = f"<p class='top'>Size: {{0}} cm</p><div><table>{rows}</table></div>"
    record = read_last(part.format(3), part.format(5), part.format(8))
    assert [name for name in record if name.startswith("Size")] == ["Size"]


def test_numbers_are_named_by_what_they_count_before_unknown_words() -> None:
    part = "<div class='property'><span>{0} Beds</span></div><p>Worth {0}00</p>"
    assert read_last(part.format(3), part.format(5), part.format(8))["Beds"] == "8 Beds"


def test_parts_of_a_line_are_fields_though_some_repeat() -> None:
    bar = " <i class='bar'>|</i> "
    part = "<div class='facts'><span class='out'>{} May 2019</span>" + bar + "1h {}min" + bar + "{}</div>"

    def page(day: int, *genres: str) -> str:
        return part.format(day, day + 30, ", ".join(f"<span class='genre'>{genre}</span>" for genre in genres))

    record = read_last(page(3, "Farce"), page(5, "Drama", "War"), page(8, "Noir", "Heist", "War"))
    assert record["genre"] == ["Noir", "Heist", "War"]
    assert {"8 May 2019", "1h 38min"} <= set(map(str, record.values()))


def test_parts_of_a_text_under_headings_that_all_pages_share_are_fields() -> None:
    def page(job: str, day: int, *offers: str) -> str:
        return (
            f"<div class='body'><p>We want a {job} who likes the rain and says so to all the others.</p>"
            f"<h3>You will</h3><ul><li>{'Look after the pumps and keep the books. ' * 20}</li></ul>"
            f"<h3>We offer</h3><ul>{''.join(f'<li>{each}</li>' for each in offers)}</ul>"
            f"<p><strong>Closing date:</strong> {day} May 2025</p><p><strong>Reference:</strong> CW-{day}</p></div>"
        )

    record = read_last(page("nurse", 11, "Tea"), page("clerk", 12, "A desk", "Tea"), page("diver", 15, "A boat", "Air"))
    assert (record["Closing date"], record["Reference"]) == ("15 May 2025", "CW-15")
    assert record["We offer"] == ["A boat", "Air"]
    assert "We want a diver who likes the rain and says so to all the others." in map(str, record.values())


def test_a_label_a_number_and_what_it_counts_are_one_field() -> None:
    part = "<div><span class='l'>Serves: </span><span class='n'>{}</span> <span class='u'>{}</span></div>"
    assert read_last(part.format(3, "pieces"), part.format(5, "people"), part.format(8, "cups"))["Serves"] == "8 cups"


def test_a_price_is_one_field_with_a_currency_outside_its_number() -> None:
    part = "<span class='price'><span class='bold'>{}.500</span> {}</span>"
    assert read_last(part.format(3, "€"), part.format(5, "€/month"), part.format(8, "€"))["price"] == "8.500 €"


def test_a_lone_text_called_a_comment_is_about_the_item() -> None:
    part = "<div class='comment'><p>Quiet flat with {} neighbours and a view of the sea.</p></div>"
    record = read_last(part.format("kind"), part.format("odd"), part.format("loud"))
    assert "Quiet flat with loud neighbours and a view of the sea." in map(str, record.values())


def test_choices_under_a_label_are_a_list() -> None:
    def page(sizes: str, *colours: str) -> str:
        groups = {"Size": sizes.split(), "Colour": colours}
        labels = {name: "".join(f"<label>{each}</label>" for each in values) for name, values in groups.items()}
        return "".join(
            f"<fieldset class='pill'><legend>{name}</legend>{each}</fieldset>" for name, each in labels.items()
        )

    record = read_last(page("S M", "Red"), page("S M L", "Red", "Sand"), page("6 7 8", "Blue"))
    assert (record["Size"], record["Colour"]) == (["6", "7", "8"], ["Blue"])


def test_a_box_with_several_parts_under_a_heading_is_no_pair() -> None:
    part = (
        "<div class='sec'><h2>When</h2><div class='row'><span>{0} May</span></div></div><div class='sec'><h2>Where</h2>"
        "<div class='row'><div><p class='venue'>Hall {0}</p><div>{0} Mill Lane</div></div></div></div>"
    )
    assert {"Hall 8", "8 Mill Lane"} <= set(map(str, read_last(*(part.format(n) for n in (3, 5, 8))).values()))


def test_labels_that_no_sample_has_are_kept_though_all_samples_have_the_same() -> None:
    part = "<div class='item'><span class='what'>{}</span> <span class='that'>{}</span></div>"
    pages = ["".join(part.format(label, f"{label[0]}{n}") for label in ("Land", "Tongue")) for n in (3, 5, 8, 9)]
    record = read_last(*pages[:3], pages[3] + part.format("Maker", "Owl Films"))
    assert record["specifications"] == {"Maker": "Owl Films"}


@pytest.mark.parametrize("kind", ["span", "div"])
def test_related_links_are_no_labels(kind: str) -> None:
    others = ("Night Swim", "Bat Box", "Food Walk", "Pitch", "Choir")

    def page(own: int) -> str:
        links = (
            f"<li><a href='/{n}'>{name}</a> <{kind}>{n + 2} May</{kind}><{kind}>Hall {n}</{kind}></li>"
            for n, name in enumerate(others)
            if n != own
        )
        return f"<b class='seats'>{own + 20} seats</b><ul>{''.join(links)}</ul>"

    record = read_last(page(0), page(1), page(2))
    assert not {"Bat Box", "Pitch", "Hall 3", "specifications"} & set(record)
    assert kind == "span" or not {"Pitch", "5 May", "Hall 3"} & set(map(str, record.values()))


def test_lists_in_boxes_without_labels_are_lists() -> None:
    def page(energy: str, *things: str) -> str:
        boxes = "".join(f"<li>{each}</li>" for each in things), f"<li><span>Energy:</span> <b>{energy}</b></li>"
        return "".join(f"<h2>More</h2><div class='box'><ul>{box}</ul></div>" for box in boxes)

    record = read_last(page("B", "Lift", "Oven"), page("C", "Lift", "Desk", "Bath"), page("D", "Garage", "Oven"))
    assert ["Garage", "Oven"] in record.values()
    assert "Lift" not in record


def test_parts_that_few_samples_have_are_found_by_label_and_by_words_for_amounts() -> None:
    def page(n: int, pay: str = "", diet: str = "") -> str:
        boxes = (f"<div class='pay'>{pay}</div>" if pay else "") + (
            f"<div class='diet'><span class='l'>Diet: </span><span class='d'>{diet}</span></div>" if diet else ""
        )
        return f"<div class='meta'><span>Hull {n}</span></div>{boxes}<a class='go' href='#app'>Apply</a>"

    samples = page(3, diet="Raw"), page(5, diet="Vegan"), page(6), page(7, "£30,500")
    record = read_last(*samples, page(8, "£27,500", "Mixed"))
    assert (record["pay"], record["Diet"]) == ("£27,500", "Mixed")


def test_a_list_that_has_one_part_on_all_samples_is_known_by_another_that_looks_like_it() -> None:
    def page(directors: str, actors: str) -> str:
        return "".join(
            f"<div class='line {name}'><i class='light'>{name}</i> "
            + ", ".join(f"<a class='who' href='/{each}'>{each}</a>" for each in people.split())
            + "</div>"
            for name, people in (("Directors", directors), ("Cast", actors))
        )

    record = read_last(page("Ann", "Bo Cy"), page("Dan", "Eve"), page("Fay", "Gus Hal Ida"), page("Jo Kim", "Lou"))
    assert ["Jo", "Kim"] in record.values()
    assert ["Lou"] in record.values()


def test_a_value_may_end_with_the_word_that_labels_it() -> None:
    part = "<fieldset class='pill'><legend>{}</legend>{}</fieldset>"

    def page(*sizes: str) -> str:
        labels = "".join(f"<label>{each}</label>" for each in sizes)
        return part.format("Size", labels) + part.format("Colour", f"<label>{sizes[0]} red</label>")

    assert read_last(page("S", "M"), page("S", "M", "L"), page("L"), page("One size"))["Size"] == ["One size"]


def test_large_parts_that_begin_with_a_link_to_edit_them_are_about_the_item() -> None:
    def page(n: int) -> str:
        facts = "".join(f"<div><b>Fact {k}</b> <span>{n * k} m</span></div>" for k in range(2, 16))
        story = f"<p>It was seen {n} times.</p><p>Nobody knows why {n} of them came back.</p>"
        other = f"<h2>Trivia</h2><p>It weighs {n} g.</p><p>{n} people own one.</p><p>{n + 1} do not.</p>"
        parts = (f"<a href='/edit/{place}'>Edit</a>{part}" for place, part in enumerate((facts, story + facts, other)))
        return "".join(f"<div class='article'>{part}</div>" for part in parts)

    record = read_last(page(3), page(5), page(8))
    assert "16 m" in map(str, record.values())


def test_longer_labels_are_others_and_endings_are_not() -> None:
    def page(label: str, value: str) -> str:
        return f"<ul class='facts'><li><b>Size:</b> {value} cm</li><li><b>{label}:</b> {value} oak</li></ul>"

    samples = page("Material", "3"), page("Materials", "5"), page("Material code", "7"), page("Material code", "9")
    record = read_last(*samples, page("Material code", "8"))
    assert (record["Material code"], record.get("Material")) == ("8 oak", None)
    assert read_last(*samples, page("Materials", "6"))["Material"] == "6 oak"


def test_the_foot_of_an_article_is_about_the_item() -> None:
    part = (
        "<article><p>Made in {0}.</p><footer class='entry-footer'><p><b>Reference:</b> R-{1}</p><p><b>Tags:</b> {2}</p>"
        "</footer></article><footer class='footer'><p>Shop {0}</p></footer>"
    )
    record = read_last(
        *(part.format(*each) for each in (("Ghent", 31, "tin"), ("Turin", 57, "oak"), ("Cork", 84, "wool")))
    )
    assert (record["Reference"], record["Tags"]) == ("R-84", "wool")


def test_lists_of_pairs_under_headings_are_fields() -> None:
    def page(year: int, height: str, width: str, room: str) -> str:
        lists = {"Make": {"Made in": str(year), "Room": room}, "Size": {"Height": height, "Width": width}}
        items = {
            name: "".join(f"<li><span>{label}</span><span>{value}</span></li>" for label, value in pairs.items())
            for name, pairs in lists.items()
        }
        return "".join(f"<h3>{name}</h3><ul>{each}</ul>" for name, each in items.items())

    record = read_last(
        page(2019, "4 cm", "9 cm", "hall"), page(2021, "7 cm", "8 cm", "loft"), page(2024, "6 cm", "5 cm", "den")
    )
    assert [record[name] for name in ("Made in", "Room", "Height", "Width")] == ["2024", "den", "6 cm", "5 cm"]


def test_texts_under_headings_of_their_own_are_no_list() -> None:
    part = "<div><h4>Pets</h4><p>{}</p><h4>Laundry</h4><p>{}</p></div>"
    record = read_last(part.format("Cats", "None"), part.format("No pets", "In unit"), part.format("Dogs", "Hookups"))
    assert (record["Pets"], record["Laundry"]) == ("Dogs", "Hookups")


def test_facts_of_which_some_pages_have_a_price_more_are_fields() -> None:
    def facts(*texts: str) -> str:
        return f"<ul>{''.join(f'<li><svg></svg><span>{text}</span></li>' for text in texts)}</ul>"

    bodies = (
        facts("Berlin, Germany", "Full-time", "€75k - €95k"),
        facts("Lisbon, Portugal", "Part-time"),
        facts("London, UK", "Contract", "£60k"),
        facts("Oslo, Norway", "Full-time", "€80k"),
    )
    record = read_last(*bodies)
    assert (record["location"], record["text"], record["price"]) == ("Oslo, Norway", "Full-time", "€80k")
    assert "price" not in read_last(*bodies, facts("Rome, Italy", "Part-time"))


def test_points_below_a_heading_are_a_list() -> None:
    def part(heading: str, *points: str) -> str:
        return f"<section><h2>{heading}</h2><ul>{''.join(f'<li>{point}</li>' for point in points)}</ul></section>"

    bodies = [
        part("Needs", *needs) + part("Offers", *offers)
        for needs, offers in (
            (("Five years", "English"), ("Train pass",)),
            (("A portfolio",), ("Lunch", "Bike")),
            (("Excel", "Calm", "Maths"), ("Gym", "Pension")),
        )
    ]
    assert read_last(*bodies)["Needs"] == ["Excel", "Calm", "Maths"]


def test_legends_name_the_choices_below_them() -> None:
    def choices(*colours: str) -> str:
        return f"<fieldset><legend>Color</legend>{''.join(f'<label>{colour}</label>' for colour in colours)}</fieldset>"

    record = read_last(choices("Black", "Red"), choices("Grey"), choices("Blue", "Black", "Red"))
    assert record["Color"] == ["Blue", "Black", "Red"]


def test_addresses_are_named_by_the_parts_that_their_class_lists() -> None:
    body = "<p class=zip-region-and-country>{} Elm Row, 1011{} Berlin</p><p>Flat {}</p>"
    assert read_last(*(body.format(n, n, n) for n in (3, 5, 8)))["address"] == "8 Elm Row, 10118 Berlin"
