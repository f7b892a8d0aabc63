"""Columns of cards as shops, portals and forums of today write them: facts, names and lists that a person sees."""

from __future__ import annotations

import pytest

from webquarry.mining.visual import mine_visual
from webquarry.model.document import Document


def cards(*lines: str) -> list[str]:
    """Put each line below the title of a card of its own."""
    names = ("Oak table", "Elm chair", "Fir bench", "Ash stool")
    return [f"<h3><a href='/{n}'>{names[n]}</a></h3>{line}" for n, line in enumerate(lines)]


def facts(beds: str, bath: str, area: str) -> str:
    return "<p>" + " ".join(f"<span><b>{n}</b> {unit}</span>" for n, unit in (beds.split(), bath.split(), area.split()))


def test_a_marked_number_and_the_unit_behind_it_are_one_value_that_the_unit_names(columns):
    found = columns(
        *cards(facts("3 bds", "2 ba", "120 m²"), facts("1 bd", "1 ba", "45 m²"), facts("4 bds", "2 ba", "-- m²"))
    )
    assert found["bds"] == ["3 bds", "1 bd", "4 bds"]
    assert found["ba"] == ["2 ba", "1 ba", "2 ba"]
    assert found["area"] == ["120 m²", "45 m²", "-- m²"]


def test_a_dash_before_a_unit_is_no_number(align):
    lines = cards(facts("3 bds", "2 ba", "120 m²"), facts("1 bd", "1 ba", "45 m²"), facts("4 bds", "2 ba", "-- m²"))
    found = align("".join(f"<article>{line}</article>" for line in lines))
    assert [value and value.value for value in found["area"].typed] == [120, 45, None]


def test_a_unit_that_few_records_have_does_not_split_the_others(columns):
    plot = "<p><span><b>0.45</b> acres lot</span>"
    found = columns(
        *cards(facts("3 bds", "2 ba", "120 m²"), facts("1 bd", "1 ba", "45 m²"), plot, facts("4 bds", "2 ba", "9 m²"))
    )
    assert found["bds"] == ["3 bds", "1 bd", None, "4 bds"]


def test_numbers_that_begin_names_are_no_counts(columns):
    found = columns(
        *cards(*(f"<p><b>{n}</b> {street}" for n, street in ((12, "Elm Row"), (7, "Low Lane"), (9, "Bay Hill"))))
    )
    assert "12 Elm Row" not in found.get("Elm Row", [])
    assert ["12", "7", "9"] in found.values()


@pytest.mark.parametrize(
    ("before", "after"),
    [("<span>oak / </span>", ""), ("", "<span class=version> II</span>"), ("<i>The </i>", "<i> II</i>")],
    ids=["what is before the name", "what is behind it", "both"],
)
def test_the_texts_of_a_linked_heading_are_one_title(columns, before, after):
    found = columns(
        *(f"<h3><a href='/{n}'>{before}{name}{after}</a></h3><p>{n} €" for n, name in enumerate(("Ann", "Ben", "Cy")))
    )
    said = (before + "{}" + after).replace("<span>", "").replace("</span>", "").replace("<i>", "").replace("</i>", "")
    said = said.replace("<span class=version>", "")
    assert found["title"] == [said.format(name).strip() for name in ("Ann", "Ben", "Cy")]


def test_a_badge_in_few_headings_is_no_part_of_the_title(columns):
    found = columns(
        *(
            f"<h3><a href='/{n}'>{name}{badge}</a></h3><p>{n} €"
            for n, (name, badge) in enumerate(
                (
                    ("Anna", " <b>New</b>"),
                    ("Bernd", ""),
                    ("Cyrus", ""),
                    ("Dinah", ""),
                )
            )
        )
    )
    assert found["title"] == ["Anna", "Bernd", "Cyrus", "Dinah"]


def test_parts_of_a_heading_that_all_have_elements_of_their_own_are_facts(columns):
    line = "<h3><a href='/{n}'><span class=brand>{brand}</span> <span class=name>{name}</span></a></h3><p>{n} €"
    found = columns(
        *(
            line.format(n=n, brand=brand, name=name)
            for n, (brand, name) in enumerate((("Acme", "Cup"), ("Bolt", "Jug"), ("Cole", "Pan")))
        )
    )
    assert ["Acme", "Bolt", "Cole"] in found.values()


def test_links_into_one_folder_are_a_list_also_where_records_have_two_at_most(columns):
    tags = [("lathe", "setup"), (), ("wax", "maple"), ("chuck",)]
    lines = ["<div>" + "".join(f"<a class=tag href='/tag/{tag}'>{tag}</a> " for tag in own) + "</div>" for own in tags]
    assert columns(*cards(*lines))["tag"] == ["lathe, setup", None, "wax, maple", "chuck"]


def test_links_into_two_folders_are_two_facts(columns):
    lines = [
        "<p><a href=/club/a>Rovers</a> <a href=/land/b>Peru</a>",
        "<p><a href=/club/c>Stars</a>",
        "<p><a href=/club/d>Bees</a> <a href=/land/e>Mali</a>",
    ]
    found = columns(*cards(*lines))
    assert ["Rovers", "Stars", "Bees"] in found.values()
    assert ["Peru", None, "Mali"] in found.values()


def test_a_list_is_named_by_the_element_around_all_of_it(columns):
    lines = [
        "<div class=list-authors>" + ", ".join(f"<a href='/a/{name}'>{name}</a>" for name in own) + "</div>"
        for own in (("Ann", "Bob"), ("Cy",), ("Di", "Eve", "Flo"))
    ]
    assert columns(*cards(*lines))["authors"] == ["Ann, Bob", "Cy", "Di, Eve, Flo"]


def test_names_after_commas_continue_a_list_though_they_are_no_links(columns):
    lines = [
        f"<p><span class=author>{own}</span>"
        for own in (
            "<a href=/a/1>Ann</a>, Bob",
            "<a href=/a/2>Cy</a>",
            "<a href=/a/3>Di</a>, Eve",
            "<a href=/a/4>Flo</a>",
        )
    ]
    assert columns(*cards(*lines))["author"] == ["Ann, Bob", "Cy", "Di, Eve", "Flo"]


def test_a_label_beside_a_drawing_names_the_text_behind_it(columns):
    drawing = "<svg width=16 height=16></svg>"
    lines = [
        f"<p><span aria-label=Gearbox>{drawing}{gears}</span><span aria-label=Fuel>{drawing}{fuel}</span>"
        for gears, fuel in (("manual", "petrol"), ("automatic", "diesel"), ("manual", "electric"))
    ]
    found = columns(*cards(*lines))
    assert found["Gearbox"] == ["manual", "automatic", "manual"]
    assert found["Fuel"] == ["petrol", "diesel", "electric"]


def test_a_label_that_repeats_the_number_names_it_by_its_other_words(columns):
    lines = [f"<p><span aria-label='{n} ratings'><a href='/{n}#r'>{n}</a></span>" for n in ("1,204", "87", "310")]
    assert columns(*cards(*lines))["ratings"] == ["1,204", "87", "310"]


def test_the_mark_of_a_library_before_a_word_about_looks_names_nothing(columns):
    found = columns(*cards(*(f"<p class='a-size-base'>{n}" for n in ("Acme", "Bolt", "Cole"))))
    assert "size" not in found


def test_large_numbers_behind_a_star_are_stars_not_ratings(columns):
    found = columns(*cards(*(f"<p><a href='/{n}/s'><svg aria-label=star></svg> {n}</a>" for n in (12345, 902, 33120))))
    assert found["stars"] == ["12345", "902", "33120"]


@pytest.mark.parametrize(
    "times", [("45 mins", "1 hr 30 mins", "2 hrs"), ("2h 22m", "55m", "3h"), ("1 Std. 20 Min.", "45 Min.", "2 Std.")]
)
def test_spans_of_time_are_durations(columns, times):
    assert columns(*cards(*(f"<p>{time}" for time in times)))["duration"] == list(times)


def test_several_labels_in_one_text_name_a_column_each(columns):
    lines = [
        f"<p>Cat: {n} Release date: {day} May 2015 | Visits: {n + 4}"
        for n, day in ((44971, 3), (56157, 12), (41263, 30))
    ]
    found = columns(*cards(*lines))
    assert found["Cat"] == ["44971", "56157", "41263"]
    assert found["Release date"] == ["3 May 2015", "12 May 2015", "30 May 2015"]
    assert found["Visits"] == ["44975", "56161", "41267"]


def test_colons_that_records_do_not_share_split_no_text(columns):
    lines = [
        "<p>It has two parts: a seat, and: four legs",
        "<p>Made of wood",
        "<p>One thing: it is old. Another: it is heavy",
    ]
    assert [line.removeprefix("<p>") for line in lines] in columns(*cards(*lines)).values()


def test_either_of_two_labels_in_a_place_is_a_label(columns):
    lines = [
        "<p>Cost: $75</p><p>Size: 2 MB</p>",
        "<p>Size: 9 MB</p>",
        "<p>Cost: $9</p><p>Size: 4 MB</p>",
        "<p>Size: 8 MB</p>",
    ]
    found = columns(*cards(*lines))
    assert found["Size"] == ["2 MB", "9 MB", "4 MB", "8 MB"]


def test_a_discount_in_the_place_of_the_price_is_a_column_of_its_own(columns):
    plain, reduced = "<div><span>{}</span></div>", "<div><span>-40%</span></div><p><s>{} €</s> <span>{}</span></p>"
    found = columns(
        *cards(
            plain.format("72,00 €"),
            reduced.format("90", "54,00 €"),
            plain.format("19,00 €"),
            reduced.format("50", "30,00 €"),
        )
    )
    assert found["discount"] == [None, "-40%", None, "-40%"]
    assert found["price"] == ["72,00 €", "54,00 €", "19,00 €", "30,00 €"]


def test_sums_are_no_titles(columns):
    found = columns(
        *(
            f"<h3><a href='/{n}'>{n} + 4 = ?</a></h3><p><a href='/c{n}'>{name}</a></p>"
            for n, name in enumerate(("Oak table", "Elm chair", "Fir bench"))
        )
    )
    assert found["title"] == ["Oak table", "Elm chair", "Fir bench"]


def test_a_word_such_as_on_before_dates_does_not_name_them(columns):
    found = columns(*cards(*(f"<p><i>on</i> <span>{day} May 2015</span>" for day in (3, 12, 30))))
    assert found["date"] == ["3 May 2015", "12 May 2015", "30 May 2015"]


def test_pictures_of_elements_that_load_them_later_are_images(columns):
    found = columns(*cards(*(f"<div class=lazy data-original='/p/{n}.jpg'></div>" for n in range(3))))
    assert [address.rpartition("/")[2] for address in found["image"]] == ["0.jpg", "1.jpg", "2.jpg"]


def test_what_is_free_is_priced_like_the_others(columns):
    found = columns(
        *cards(
            "<div class=sum><i>-25%</i><s>20 €</s><b class=final>15 €</b></div>",
            "<div class=sum><u class='final free'>Free</u></div>",
            "<div class=sum><b class=final>24 €</b></div>",
        )
    )
    assert found["price"] == ["15 €", "Free", "24 €"]


def test_a_range_of_dollars_is_one_price(align):
    prices = ("US $45.00", "US $25.00<i> to </i>US $40.00", "US $22.00")
    found = align(
        "".join(f"<article>{card}</article>" for card in cards(*(f"<p><span>{each}</span>" for each in prices)))
    )
    assert list(found["price"].values) == ["US $45.00", "US $25.00 to US $40.00", "US $22.00"]
    assert found["price"].typed[1].to == 40


def test_a_state_before_an_amount_in_dollars_is_no_part_of_it(columns):
    lines = [
        f"<p><span>{place}</span> <span class=sum>$136K-$24{n}K</span>"
        for n, place in enumerate(("Lodi, NJ, US", "CA, US", "Remote, US"))
    ]
    assert columns(*cards(*lines))["location"] == ["Lodi, NJ, US", "CA, US", "Remote, US"]


def test_folders_in_the_plural_name_what_links_lead_to(columns):
    assert columns(*cards(*(f"<p><a href='/users/{n}/x'>{name}</a>" for n, name in enumerate(("Ann", "Bob", "Cy")))))[
        "user"
    ] == ["Ann", "Bob", "Cy"]


def test_a_tooltip_that_repeats_the_number_names_it(columns):
    lines = [f"<p><i title='reputation {n}'>{n}</i>" for n in ("1,204", "31", "9,802")]
    assert columns(*cards(*lines))["reputation"] == ["1,204", "31", "9,802"]


def test_elements_with_names_of_their_own_name_columns(columns):
    lines = [f"<clip-channel-name><i>{name}</i></clip-channel-name>" for name in ("Moor", "Fern", "Alder")]
    assert columns(*cards(*lines))["channel"] == ["Moor", "Fern", "Alder"]


def test_parts_of_pages_called_snippet_are_called_by_their_words(columns):
    lines = [
        f"<p class=salary-snippet>{n} hours</p><div class=attribute-snippet>{kind}</div>"
        for n, kind in ((20, "Full-time"), (30, "Contract"), (38, "Part-time"))
    ]
    found = columns(*cards(*lines))
    assert "snippet" not in found
    assert ["Full-time", "Contract", "Part-time"] in found.values()


def test_a_header_says_more_than_the_height_of_a_price(align):
    rows = "".join(
        f"<tr><td><a href='/{n}'>{name}</a><td>${n + 3}.10<td>${n + 90} M"
        for n, name in enumerate(("Bitline", "Moorcoin", "Alder", "Fern"))
    )
    region = mine_visual(Document(f"<table><tr><th>Name<th>Price<th>Market cap{rows}</table>"))[0]
    assert [field.name for field in region.fields if field.type == "money"] == ["price", "Market cap"]


def test_tags_are_a_list_also_where_records_have_two_at_most(columns):
    lines = [
        "<p><span class=simpletag>To collect</span>",
        "<p>",
        "<p><span class=simpletag>By mail</span><span class=simpletag>To buy</span>",
        "<p><span class=simpletag>By mail</span>",
    ]
    assert ["To collect", None, "By mail, To buy", "By mail"] in columns(*cards(*lines)).values()


def test_points_with_several_words_are_a_list(columns):
    lines = [
        "<ul><li>Forklift licence preferred.<li>Bonus for night shifts.</ul>",
        "<ul><li>Experience with bread ovens.</ul>",
        "<ul><li>Clean driving record.</ul>",
    ]
    assert "Forklift licence preferred., Bonus for night shifts." in [
        values[0] for values in columns(*cards(*lines)).values()
    ]


def test_days_behind_a_word_are_dates(columns):
    lines = [f"<p class=date>{when}" for when in ("Posted 3 days ago", "Active 2 days ago", "Posted 30 days ago")]
    assert columns(*cards(*lines))["date"][0] == "Posted 3 days ago"


def test_bars_in_an_address_part_nothing(columns):
    lines = [f"<p class=result-address>{n} Elm Row | Mitte | 1011{n}, Berlin" for n in range(3)]
    assert columns(*cards(*lines))["address"][0] == "0 Elm Row | Mitte | 10110, Berlin"


def test_bars_alone_are_no_facts(columns):
    lines = [
        f"<ul><li>{one}<li>|<li>{other}</ul>"
        for one, other in (("Balcony", "Garden"), ("Cellar", "Balcony"), ("Garden", "Lift"))
    ]
    assert not any("|" in (value or "") for values in columns(*cards(*lines)).values() for value in values)


def test_of_two_headings_in_a_link_the_fuller_one_is_the_title(columns):
    line = "<a href='/{n}'><h3><b>{brand}</b></h3><h3>{name}</h3></a><p>{n} €"
    pairs = (("Acme", "Low sneakers - white"), ("Bolt", "Winter coat - green"), ("Cole", "Straight jeans - blue"))
    found = columns(*(line.format(n=n, brand=brand, name=name) for n, (brand, name) in enumerate(pairs)))
    assert found["title"] == [name for _, name in pairs]


def test_sentences_are_no_titles_but_descriptions(columns):
    said = (
        "Love it, simple and fast, and it does what it says.",
        "Crashes whenever I open the second tab, please fix.",
    )
    found = columns(
        *(f"<div><b>{user}</b></div><p>{text}</p>" for user, text in zip(("Marlow", "Jon Fern"), said, strict=True))
    )
    assert found["title"] == ["Marlow", "Jon Fern"]
    assert found["description"] == list(said)


def test_ratings_out_of_five_in_words_are_read(columns):
    lines = [
        f"<p><i role=img aria-label='Rated {n} stars out of five stars'></i> by {name}"
        for n, name in ((5, "Ann"), (2, "Bob"), (4, "Cy"))
    ]
    assert columns(*cards(*lines))["rating"] == ["5", "2", "4"]


def test_a_button_with_a_span_of_time_shows_a_fact(columns):
    lines = [f"<button aria-label=Play><span>{time}</span></button>" for time in ("48 min", "1 hr 2 min", "22 min")]
    assert columns(*cards(*lines))["duration"] == ["48 min", "1 hr 2 min", "22 min"]


def test_a_discount_behind_an_old_price_has_not_its_label(columns):
    lines = [
        "<p><u>Was: </u><s>60 €</s> <i>-30%</i></p><b>42 €</b>",
        "<b>130 €</b>",
        "<p><u>Was: </u><s>80 €</s> <i>-50%</i></p><b>40 €</b>",
    ]
    found = columns(*cards(*lines))
    assert found["discount"] == ["-30%", None, "-50%"]
    assert found["old_price"] == ["60 €", None, "80 €"]


def test_the_price_of_a_kilogram_is_no_old_price(columns):
    lines = [f"<p>{price} €</p><p>{unit} € / kg</p>" for price, unit in (("9,90", "19,80"), ("8,90", "17,80"))] + [
        "<p>12,00 €</p>"
    ]
    found = columns(*cards(*lines))
    assert found["price"] == ["9,90 €", "8,90 €", "12,00 €"]
    assert "old_price" not in found


def test_by_above_the_author_is_no_column(columns):
    found = columns(*cards(*(f"<div>by</div><div class=author>{name}</div>" for name in ("Ann", "Bob", "Cy"))))
    assert "by" not in found


def test_an_outer_word_about_content_names_better_than_an_unknown_inner_one(columns):
    lines = [
        f"<h4 class=card__company><a class=hoverlink href='/{n}x'>{name}</a></h4>"
        for n, name in enumerate(("Acme", "Bolt", "Cole"))
    ]
    assert columns(*cards(*lines))["company"] == ["Acme", "Bolt", "Cole"]


@pytest.mark.parametrize(
    ("language", "places"),
    [
        ("en", ("Berlin, Germany", "Lisbon, Portugal", "Remote (EU)")),
        ("de", ("Köln (Deutschland)", "Wien, Österreich", "Basel, Schweiz")),
        ("pt", ("Madri, Espanha", "Porto, Portugal", "Paris, França")),
    ],
)
def test_places_that_end_with_countries_are_locations(align, language, places):
    body = "".join(f"<article>{card}</article>" for card in cards(*(f"<p>{place}" for place in places)))
    assert list(align(f"<html lang={language}>{body}")["location"].values) == list(places)


def test_addresses_of_mail_are_called_so(columns):
    lines = [f"<p><a href='mailto:{name}@uni.example'>{name}@uni.example</a>" for name in ("ana", "jon", "mia")]
    assert columns(*cards(*lines))["email"][0] == "ana@uni.example"


def test_a_letter_that_an_icon_font_draws_is_no_unit(columns):
    lines = [f"<p><span>{n}</span><i class=pictos>q</i>" for n in (12, 7, 305)]
    assert ["12", "7", "305"] in columns(*cards(*lines)).values()
