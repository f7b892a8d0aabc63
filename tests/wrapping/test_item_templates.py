"""Detail pages of nine templates that we wrote: each is learnt from all pages but the last, which is then read."""

from __future__ import annotations

from typing import Any

import pytest

import webquarry as wq
from webquarry.model.document import Document
from webquarry.model.wrapper import Wrapper
from webquarry.wrapping.outline import list_lines

SHOP = (
    """<html><head><title>{name} - Kettle & Cloth</title></head><body>
<header><a href="/">Kettle & Cloth</a> <span class="cart-count">{cart} items</span></header>
<div class="product"><h1 class="product-name">{name}</h1>
<p class="price">{price}</p>{badge}
<p class="stock">In stock</p>
<div class="details"><p>{about}</p></div>
<table class="specs">{specs}</table></div>
<section class="related"><h2>You may also like</h2><ul>{related}</ul></section>
<section class="reviews"><h2>Reviews</h2>{reviews}</section>
<footer>Kettle & Cloth, 4 Mill Lane</footer></body></html>""",
    [
        {
            "name": "Enamel kettle",
            "cart": "0",
            "price": "<del>£40.00</del> <ins>£32.50</ins>",
            "badge": '<span class="badge">Sale</span>',
            "about": "A kettle for the stove, glazed twice and fired in Wales.",
            "specs": "<tr><th>Volume</th><td>1.5 l</td></tr><tr><th>Colour</th><td>cream</td></tr>",
            "related": '<li><a href="/a"><h3>Tea towel</h3><p>£6.00</p></a></li>' * 2
            + '<li><a href="/b"><h3>Iron pot</h3><p>£55.00</p></a></li>',
            "reviews": '<div class="review"><b>Ann</b><p>Boils well.</p><i>5 of 5</i></div>' * 3,
        },
        {
            "name": "Linen apron",
            "cart": "0",
            "price": "<ins>£28.00</ins>",
            "badge": "",
            "about": "Washed linen with two deep pockets and a long tie.",
            "specs": "<tr><th>Colour</th><td>moss</td></tr><tr><th>Length</th><td>90 cm</td></tr>",
            "related": '<li><a href="/c"><h3>Oven glove</h3><p>£12.00</p></a></li>' * 3,
            "reviews": "",
        },
        {
            "name": "Copper pan",
            "cart": "0",
            "price": "<del>£99.00</del> <ins>£81.00</ins>",
            "badge": '<span class="badge">Last one</span>',
            "about": "Two millimetres of copper, lined with tin by hand.",
            "specs": "<tr><th>Volume</th><td>2 l</td></tr><tr><th>Colour</th><td>copper</td></tr>",
            "related": '<li><a href="/d"><h3>Whisk</h3><p>£9.00</p></a></li>' * 3,
            "reviews": '<div class="review"><b>Bob</b><p>Heavy.</p><i>4 of 5</i></div>' * 2,
        },
        {
            "name": "Bread tin",
            "cart": "0",
            "price": "<ins>£14.00</ins>",
            "badge": "",
            "about": "Folded steel that needs no soap, only a dry cloth.",
            "specs": "<tr><th>Colour</th><td>grey</td></tr><tr><th>Weight</th><td>700 g</td></tr>",
            "related": '<li><a href="/e"><h3>Scale</h3><p>£20.00</p></a></li>' * 3,
            "reviews": '<div class="review"><b>Cy</b><p>Fine.</p><i>5 of 5</i></div>' * 3,
        },
    ],
    {
        "title": "Bread tin",
        "price": "£14.00",
        "stock": "In stock",
        "Colour": "grey",
        "specifications": {"Weight": "700 g"},
        "description": "Folded steel that needs no soap, only a dry cloth.",
    },
    {"old_price", "badge", "Volume"},
)

RECIPE = (
    """<html><head><title>{name}</title></head><body><div id="main"><h1>{name}</h1>
<p class="by">By <a href="/cooks">{cook}</a> on <time datetime="{iso}">{day}</time></p>
<ul class="times"><li><span>Prep</span> <b>{prep}</b></li><li><span>Cook</span> <b>{cook_time}</b></li></ul>
<div class="text"><p>{intro}</p><h2>Ingredients</h2><ul>{ingredients}</ul><h2>Method</h2>{method}</div>
<p class="tags">{tags}</p></div></body></html>""",
    [
        {
            "name": name,
            "cook": cook,
            "iso": iso,
            "day": day,
            "prep": prep,
            "cook_time": cook_time,
            "intro": intro,
            "ingredients": "".join(f"<li>{each}</li>" for each in ingredients),
            "method": "".join(f"<p>{each}</p>" for each in method),
            "tags": " ".join(f'<a href="/t/{each}">{each}</a>' for each in tags),
        }
        for name, cook, iso, day, prep, cook_time, intro, ingredients, method, tags in [
            (
                "Barley broth",
                "Una Moss",
                "2021-03-02",
                "2 March 2021",
                "10 min",
                "1 h",
                "A soup for the end of winter, thick enough to stand a spoon in.",
                ["100 g barley", "2 leeks", "1 bay leaf"],
                ["Wash the barley and soak it for as long as you can wait.", "Simmer everything until it is soft."],
                ["soup", "winter"],
            ),
            (
                "Plum dumplings",
                "Jan Weir",
                "2020-09-11",
                "11 September 2020",
                "40 min",
                "20 min",
                "Potato dough around a whole plum, with a lump of sugar for its stone.",
                ["1 kg potatoes", "12 plums", "12 lumps of sugar", "200 g flour"],
                ["Boil the potatoes in their skins, then press them while hot.", "Wrap, boil and roll in crumbs."],
                ["sweet", "autumn", "plums"],
            ),
            (
                "Green omelette",
                "Una Moss",
                "2022-05-20",
                "20 May 2022",
                "5 min",
                "5 min",
                "All the herbs that the garden gives, and just enough egg to hold them.",
                ["4 eggs", "2 handfuls of herbs"],
                ["Chop the herbs finely and beat them with the eggs and salt."],
                ["eggs"],
            ),
            (
                "Rye bread",
                "Olle Berg",
                "2019-01-07",
                "7 January 2019",
                "30 min",
                "50 min",
                "A dark loaf that keeps for a week and tastes best on the third day.",
                ["500 g rye", "1 cup of starter", "10 g salt"],
                ["Mix at night and leave it in a warm place.", "Bake in the morning in a hot oven with steam."],
                ["bread", "rye"],
            ),
        ]
    ],
    {
        "title": "Rye bread",
        "Prep": "30 min",
        "Cook": "50 min",
        "date": "7 January 2019",
        "Ingredients": ["500 g rye", "1 cup of starter", "10 g salt"],
        "tags": ["bread", "rye"],
    },
    set(),
)

FLAT = (
    """<html><head><title>{name} | Roofs</title></head><body><main><section><h1>{name}</h1>
<div class="sub"><strong>{street}</strong> · {town}</div>
<div class="stats"><div><b>{beds}</b><span>Beds</span></div><div><b>{baths}</b><span>Baths</span></div>
<div><b>{area}</b><span>Area</span></div></div>
<div>{features}</div></section>
<aside class="sidebar">
<div class="agent"><h3><a href="/agents">{agent}</a></h3><a href="tel:1">{phone}</a></div></aside>
</main></body></html>""",
    [
        {
            "name": name,
            "street": street,
            "town": town,
            "beds": beds,
            "baths": baths,
            "area": area,
            "features": "".join(f'<span class="chip">{each}</span> ' for each in features),
            "agent": agent,
            "phone": phone,
        }
        for name, street, town, beds, baths, area, features, agent, phone in [
            ("Loft by the canal", "3 Quay", "Ashport", "2", "1", "81 m²", ["lift", "oak floor"], "Iris Hall", "0555 1"),
            ("Garden flat", "17 Elm Row", "Birkley", "3", "2", "104 m²", ["garden"], "Iris Hall", "0555 1"),
            (
                "Studio under the roof",
                "9 High St",
                "Ashport",
                "1",
                "1",
                "34 m²",
                ["lift", "view", "bath"],
                "Tom Reed",
                "0555 2",
            ),
            ("House with a yard", "2 Mill Rd", "Corran", "5", "2", "160 m²", ["yard", "garage"], "Tom Reed", "0555 2"),
        ]
    ],
    {
        "title": "House with a yard",
        "Beds": "5",
        "Baths": "2",
        "Area": "160 m²",
        "chip": ["yard", "garage"],
        "agent": "Tom Reed",
    },
    set(),
)

FILM = (
    """<html><head><title>{name} ({year}) - Reel</title><style>.spoiler {{ display: none }}</style></head><body>
<div class="film"><h1>{name} <span class="year">({year})</span></h1>
<div class="line"><h4>{directed}:</h4> {directors}</div>
<div class="line"><h4>Rated (<a href="/r">why</a>)</h4> {rated}
<span class="more"><a href="/more">See all</a></span></div>
<div class="line"><h4>Genres:</h4> {genres}</div>
<dl><dt>Country</dt><dd>{country}</dd><dt>Length</dt><dd>{length}</dd></dl>
<p class="plot">{plot}</p></div></body></html>""",
    [
        {
            "name": name,
            "year": year,
            "directed": "Directors" if len(directors) > 1 else "Director",
            "directors": ", ".join(f'<a href="/p">{each}</a>' for each in directors),
            "rated": rated,
            "genres": " | ".join(f'<a href="/g">{each}</a>' for each in genres),
            "country": country,
            "length": length,
            "plot": plot,
        }
        for name, year, directors, rated, genres, country, length, plot in [
            (
                "The tide clock",
                "1962",
                ["Agnes Lund"],
                "For all",
                ["Drama"],
                "Sweden",
                "91 min",
                "A clockmaker <b>waits</b> for the sea.",
            ),
            (
                "Salt road",
                "1975",
                ["Peter Haak", "Ada Roy"],
                "From 12",
                ["Crime", "Drama"],
                "France",
                "104 min",
                "Two smugglers and a mule.",
            ),
            (
                "North of noon",
                "1981",
                ["Ada Roy"],
                "From 16",
                ["Western"],
                "Italy",
                "98 min",
                "A duel that no <i>one</i> wants.",
            ),
            (
                "Paper boats",
                "1990",
                ["Kim Ode"],
                "For all",
                ["Family", "Music"],
                "Finland",
                "88 min",
                "A summer by the lake.",
            ),
        ]
    ],
    {
        "title": "Paper boats",
        "year": "(1990)",
        "Director": "Kim Ode",
        "Rated (why)": "For all",
        "Genres": "Family | Music",
        "Country": "Finland",
        "Length": "88 min",
        "plot": "A summer by the lake.",
    },
    {"specifications"},
)

PERSON = (
    """<html><head><title>{name}</title></head><body><table width="100%"><tr><td><a href="/">Home</a></td></tr>
<tr><td><font size="5"><b>{name}</b></font><br><i>{role}</i></td></tr>
<tr><td><table><tr><td><b>Phone:</b></td><td>555 0100</td></tr>{room}
<tr><td><b>Since:</b></td><td>{since}</td></tr></table>
</td></tr><tr><td><p>{about}</p></td></tr></table></body></html>""",
    [
        {
            "name": name,
            "role": role,
            "room": f"<tr><td><b>Room:</b></td><td>{room}</td></tr>" if room else "",
            "since": since,
            "about": about,
        }
        for name, role, room, since, about in [
            ("Mary Stone", "Keeper of maps", "12", "1991", "Mary draws coasts and looks after those of others."),
            ("Ivo Grant", "Librarian", "", "1998", "Ivo knows where every book is, and where it was before."),
            ("Lena Ford", "Binder", "7", "1985", "Lena mends what readers break and teaches the trade."),
            ("Sam Okoro", "Porter", "1", "1999", "Sam opens the doors at six and closes them at nine."),
        ]
    ],
    {"title": "Sam Okoro", "Phone": "555 0100", "Room": "1", "Since": "1999"},
    set(),
)

HASHED = (
    """<html><head><title>{name}</title><script type="application/ld+json">
{{"@context": "https://schema.org", "@type": "Event", "name": "{name}", "startDate": "{iso}",
"location": {{"@type": "Place", "name": "{venue}"}}, "organizer": {{"@type": "Organization", "name": "{host}"}}}}
</script></head><body><div class="css-1a2b"><h1 class="css-9z8y">{name}</h1>
<div class="css-3c4d"><div class="css-5e6f"><span>{venue}</span></div>
<div class="css-5e6f"><span>{host}</span></div></div>
<meta itemprop="x" content="y"><p itemprop="description">{about}</p></div></body></html>""",
    [
        {"name": name, "iso": iso, "venue": venue, "host": host, "about": about}
        for name, iso, venue, host, about in [
            ("Lantern walk", "2024-11-11", "Castle park", "The friends of the park", "Bring a light."),
            ("Seed swap", "2024-03-02", "Old school", "The growers", "Bring seeds, take seeds."),
            ("Rowing day", "2024-06-15", "Boat house", "The river club", "No boat is needed."),
            ("Night of bats", "2024-08-24", "Castle park", "The growers", "Quiet shoes, please."),
        ]
    ],
    {
        "title": "Night of bats",
        "location": "Castle park",
        "organizer": "The growers",
        "description": "Quiet shoes, please.",
    },
    set(),
)

JOB = (
    """<html><head><title>{name}</title></head><body><div class="job">
<div class="box"><h3>Job</h3><p class="t">{name}</p><p class="w">{place}</p></div>
<div class="box"><h3>Firm</h3><p class="n">{firm}</p><p class="a">{address}</p></div>
{extra}<div class="note">Posted <b>{days}</b> days ago</div></div></body></html>""",
    [
        {
            "name": name,
            "place": place,
            "firm": firm,
            "address": address,
            "days": days,
            "extra": f'<div class="box"><h3>Pay</h3><p class="n">{pay}</p></div>' if pay else "",
        }
        for name, place, firm, address, days, pay in [
            ("Welder", "Dock 9", "Hull & Sons", "1 Yard Street<br>Ashport", "3", "£20 an hour"),
            ("Painter", "Dock 2", "Gull Ltd", "4 Pier Road<br>Birkley", "12", ""),
            ("Rigger", "Slip 1", "Mast & Co", "7 Rope Walk<br>Ashport", "1", "£18 an hour"),
            ("Diver", "Basin", "Deep Ltd", "2 Bell Lane<br>Corran", "30", "£35 an hour"),
        ]
    ],
    {"title": "Diver", "Firm": "Deep Ltd", "text": "Basin", "text_2": "2 Bell Lane Corran", "Posted": "30"},
    set(),
)

TABS = (
    """<html><head><title>{name} - Tolland</title></head><body><header><a href="/">Tolland</a></header>
<nav class="crumbs"><a href="/">Home</a> / <a href="/{kind}">{kind}</a> / {name}</nav>
<main><div class="{state} thing"><div class="summary"><h1 class="name">{name}</h1><p class="price">{price}</p>
<div class="reviews-summary"><span class="average">{mean}</span> <a href="#r">{count} reviews</a></div>
<p class="stock">{left} left</p><button>Add to basket</button></div>
<ul class="tabs"><li><a href="#a">About</a></li><li><a href="#m">More</a></li></ul>
<div class="tab-panel" id="a"><h2>About</h2><p>{about}</p></div>
<div class="tab-panel" id="m" style="display: none"><h2>More</h2><table>{specs}</table></div></div>
<div class="upsell"><strong>Others bought</strong><ol>{others}</ol></div></main>
<footer>Tolland, 2026</footer></body></html>""",
    [
        {
            "name": name,
            "kind": kind,
            "state": "sale" if old else "",
            "price": (f"<del><bdi>£{old}</bdi></del> " if old else "")
            + (f"<ins><bdi>£{now}</bdi></ins>" if old else f"<span><bdi>£{now}</bdi></span>"),
            "mean": f"4.{left}",
            "count": left * 3,
            "left": left,
            "about": about,
            "specs": "".join(
                f"<tr><th>{label}</th><td>{value}</td></tr>"
                for label, value in (("Weight", f"{left}.5 kg"), ("Colour", colour))
                if value
            ),
            "others": "".join(
                f'<li><a href="/{other}"><img src="/{other}.jpg"></a><b><a href="/{other}">{other}</a></b> £{now}0</li>'
                for other in ("Jug", "Mug", "Pan")
            ),
        }
        for name, kind, old, now, left, colour, about in [
            ("Oak stool", "Seats", "", "40", 3, "brown", "Turned by hand, oiled twice and made to be sat on."),
            ("Tin kettle", "Kitchen", "60", "45", 2, "", "It boils a litre in four minutes and never drips."),
            ("Wool rug", "Floors", "", "95", 5, "grey", "Woven in Wales from the wool of two flocks."),
            ("Clay pot", "Kitchen", "", "18", 9, "red", "Fired once, so that it breathes and keeps bread."),
            ("Brass lamp", "Lights", "80", "70", 7, "gold", "It swivels, it dims, and every part can be had alone."),
        ]
    ],
    {
        "title": "Brass lamp",
        "category": "Lights",
        "price": "£70",
        "old_price": "£80",
        "average": "4.7",
        "stock": "7 left",
        "About": "It swivels, it dims, and every part can be had alone.",
        "Weight": "7.5 kg",
        "Colour": "gold",
    },
    {"Jug", "Mug", "Pan", "specifications"},
)

SMALL_AD = (
    """<html><head><title>{name} in {town} • board</title></head><body><div id="root">
<div class="css-1h"><a href="/">board</a><a href="/new">Post an ad</a></div>
<div class="css-2m"><div class="css-3c"><span class="css-4d" data-cy="ad-posted-at">Posted {day} May 2026</span>
<div data-testid="ad-title" class="css-5t"><h4 class="css-6h">{name}</h4></div>
<div data-testid="ad-price-container"><h3 class="css-7h">{price} zł</h3></div>
<div class="css-8p">{facts}</div><div data-cy="ad_description" class="css-9d"><h3>About</h3><div>{about}</div></div>
<div class="css-af"><span class="css-b1">ID: {number}</span></div></div>
<div class="css-cs"><p>Seller</p><h4 class="css-ds">{seller}</h4><p>Tel.: <a href="tel:+48{number}">{number}</a></p>
<div class="css-el"><p class="css-f1">{town}</p><p class="css-g2">{region}</p></div></div></div></div></body></html>""",
    [
        {
            "name": name,
            "town": town,
            "region": region,
            "day": day,
            "price": price,
            "facts": "".join(f'<p class="css-0f">{label}: {fact}</p>' for label, fact in facts.items()),
            "about": about,
            "number": day * 1234567,
            "seller": seller,
        }
        for name, town, region, day, price, facts, about, seller in [
            ("Bike", "Reedham", "North", 3, 250, {"State": "used", "Make": "Kross"}, "Rides well.", "Ann"),
            ("Desk", "Old Field", "South", 8, 90, {"State": "new"}, "Four drawers.", "Bob"),
            ("Tent", "Reedham", "North", 11, 140, {"State": "used", "Colour": "green"}, "For four.", "Cyd"),
            ("Guitar", "Long Hill", "West", 20, 600, {"State": "used", "Colour": "black"}, "With its case.", "Dee"),
        ]
    ],
    {
        "title": "Guitar",
        "price": "600 zł",
        "State": "used",
        "Colour": "black",
        "About": "With its case.",
        "ID": "24691340",
        "Tel.": "24691340",
    },
    {"Make"},
)

TEMPLATES = {
    "tabs": TABS,
    "small ad": SMALL_AD,
    "shop": SHOP,
    "recipe": RECIPE,
    "flat": FLAT,
    "film": FILM,
    "person": PERSON,
    "hashed": HASHED,
    "job": JOB,
}


def pages_of(name: str) -> list[Document]:
    template, pages, _, _ = TEMPLATES[name]
    made = [template.format(**page).encode() for page in pages]
    return [wq.clean(wq.Page(url=f"file:///{name}/{place}.html", body=body)) for place, body in enumerate(made)]


def wrap_samples(name: str) -> Wrapper:
    return wq.wrap(pages_of(name)[:-1], name=name, kind="item")


def read_last(name: str) -> dict[str, Any]:
    return wq.extract(wrap_samples(name), pages_of(name)[-1]).record


@pytest.mark.parametrize("name", TEMPLATES)
def test_fields_are_read_on_a_page_that_was_not_learnt_from(name: str) -> None:
    record = read_last(name)
    expected = TEMPLATES[name][2]
    assert {field: record.get(field) for field in expected} == expected


@pytest.mark.parametrize("name", TEMPLATES)
def test_fields_that_the_page_lacks_are_absent(name: str) -> None:
    assert not TEMPLATES[name][3] & read_last(name).keys()


def test_labels_that_no_sample_has_are_expected_where_labels_differ() -> None:
    assert "specifications? pairs, all other labels and values" in list(list_lines(wrap_samples("shop")))
    assert not [rule for rule in wrap_samples("flat").fields if rule.type == "pairs"]


def test_related_items_and_reviews_are_left_out() -> None:
    said = str(read_last("shop"))
    assert "Scale" not in said
    assert "Fine." not in said
