"""Words that name columns: in class names and attributes, in icons, in addresses, and in labels of many languages."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

MAX_NAME_LENGTH = 40  # characters
MAX_LEAD_WORDS = 3  # of a text that leads to the next, as `by` does to an author
TYPE_NAMES = {"money": "price", "date": "date", "number": "number", "image": "image"}
"""The names of columns that nothing but their type names."""
_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")
_LETTERS = re.compile(r"[^\W\d_]+")
_CAMEL_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")
_PRONOUNCEABLE = re.compile(r"(?=.*[aeiouyäöüéè])[a-zäöüßéèà]{3,20}")
_MAX_TOKEN = 80  # characters of a class name that is read
_MIN_UNKNOWN = 4  # letters of a word that is in no list here; shorter ones are mostly hashes
_MIN_PART = 3  # letters of each part of a class name with such a word: `evZas` is a hash
_CSS_MODULE = re.compile(
    r"[\w-]*?_{1,3}(?P<local>[a-zA-Z][a-zA-Z-]*)_{1,3}(?=[\w-]*(?:\d|[a-z][A-Z]))[\w-]{4,12}|css-[a-z0-9]+-(?P<label>[a-zA-Z]+)"
)
"""Class names of CSS modules, such as `Card_title__x8Ff`."""
_WORDS_BEFORE_AMOUNT = re.compile(r"[^\W\d_]+\.?(?: [^\W\d_]+)*:?(?=[^\w]*\d|[^\w]*[A-Z]{3} ?\d)")
_HASHED = re.compile(r"(?:css|sc|jsx|jss|emotion|svelte|astro)-\w+")
_UTILITIES = frozenset(
    """
    align antialiased basis bg border col color content cursor d display divide duration ease flex float font fs fw
    grid grow indent inset items justify leading letter lh line list max min not object opacity order outline overflow
    place position prose ring rounded row select self shadow shrink size space text tracking transition underline
    whitespace
    """.split()
)
"""First words of class names that say how one thing looks, such as `tracking-tight`."""
_NAMING_WORDS = frozenset(["name", "title"])
PLACES = frozenset("district locality neighborhood region town".split())
"""What a location may be called."""
_PARTS_OF_ADDRESSES = frozenset("city country district locality province region street zip".split())
_PARTIES = frozenset(
    """
    agency agent artist author brand category channel city client club company country department director district
    employer genre instructor location organizer owner place publisher region school seller store team user vendor venue
    """.split()
)
"""Things beside the one that a record is about: a `venue-title` is the venue."""
CONTENT_WORDS = frozenset(
    """
    abstract accommodation address age agency agent airline amenities amount area arrival artist artists attendance
    author authors availability badge bath bathrooms baths bed bedrooms beds bid bids brand breed brewery budget
    bulletin byline calories capacity categories category channel chapter city client club code color colors colour
    colours comments commitment community company condition contact cost count country course cuisine currency date
    day deadline deal deals delivery department departure deposit description destination difficulty director
    directors discount distance district duration edition email employer ends engine episode estimate event excerpt
    expires fare features fee followers fuel gender genre genres grape guests headline height hours ingredients
    installments instructor isbn journal kilometers kind kms language length level license likes lineup locality
    location make maker manufacturer material member mileage model month name neighborhood note offer offers old
    organization organizer origin owner participants pay permalink phone place player points portions position
    posted power price prices producer product promo province publication published publisher quantity rank rate
    rating ratings reference region release rent replies reply reviewer reviews role rooms salary sale sales school
    score season seats section seller sender series servings sex shipping size sizes sku snippet speaker species
    sport state status stock stops store street studio subject subline subtitle summary supplier support tag tagline
    tags team teaser telephone time timestamp title topic topics total transmission type types user username variant
    vendor venue version views vintage volume votes wage website weekday weight winner year zip
    """.split()
)
"""Words of class names, attributes and addresses that say what a value is."""
LAYOUT_WORDS = frozenset(
    """
    absolute accent active after align alt anchor anim animate animated animation area arrow article aside aspect
    auto avatar background banner bar base basic before bg bidi big black block blue body bold border bottom box
    break btn bullet button buttons callout capitalize caps caption card cards caret cell cells center centered
    class clear clearfix click clickable clip clone col cold collapse collapsed cols column columns component
    container content contents corner cover css cursor custom dark data decoration default desktop detail details
    dialog dib direction display div divider dot drop dropdown editor element elementor ellipsis emphasis empty end
    entry even expand expanded extra fade fat field fields figure fill first fit fixed flat flex float flow fluid
    focus font foot footer form format formatted frame framer full gap ghost glyph gray green grey grid group grow
    gutter has head header heading hidden hide high highlight hit holder horizontal hover html icon icons image images
    img info information initial inline inner input inset inside instance isolate italic item items jss justify knockout
    label large last layer layout lazy lead leading left letter light line link links list listing loaded loading logo
    long lower lowercase main margin mask max media medium menu meta micro middle min mini mobile modal module mono more
    multi muted narrow native nav negative nested new node non none normal notice nowrap object odd only opacity open
    order other outer outline over overflow overlay override padding page panel para paragraph part photo photos pic
    picture pill plain plugin pointer portal post prefix preview primary prose pull push quick quiet radius raised read
    record red regular relative reset responsive result results reveal rich right root round rounded row rows sans
    screen scroll search secondary selected semibold sep separator serif shadow shape shop short show shown shrink
    sibling side simple single skin slide slider slot small solid space spaced spacer spacing span special spinner split
    square stack standard start static sticky stretch strong style styled sub suffix surface swatch swiper switch
    tab table tablet template text the theme thin thumb thumbnail tile toggle token tooltip top touch transform
    transition truncate txt type typography uitext underline unit unset unstyled up upper uppercase url utility
    value variable vertical view viewport visible visual visually web white wide widget widgets width with within
    word wrap wrapped wrapper zone
    """.split()
) - {"type"}
"""Words of class names that describe the place or the look of a column, not its meaning."""
_ICONS = {
    "location": "location marker map-pin mappin map-marker pin geo place",
    "date": "calendar date",
    "time": "clock time",
    "beds": "bed beds bedroom",
    "baths": "bath bathtub shower bathroom",
    "author": "user author person",
    "views": "eye views",
    "comments": "comment comments chat",
    "likes": "heart like thumbs",
    "phone": "phone telephone tel",
    "email": "envelope mail email",
    "rating": "star stars rating",
    "tags": "tag tags",
    "category": "folder category",
    "company": "building company briefcase",
    "price": "price dollar euro money coins",
    "area": "ruler area sqft",
    "mileage": "speedometer tachometer odometer gauge road",
    "transmission": "gearbox gearshift",
    "parking": "parking garage",
}
_SIGNS = {
    "location": "📍📌🗺🌍🌎🌏🏙",
    "date": "📅📆🗓",
    "time": "🕐🕑🕒🕓🕔🕕🕖🕗🕘🕙🕚🕛⏰⏱⏳⌛",
    "price": "💰💵💶💷💸🏷",
    "rating": "⭐🌟★",
    "phone": "📞☎📱",
    "email": "📧✉",
    "author": "👤🧑",
    "beds": "🛏",
    "baths": "🛁🚿",
    "views": "👁👀",
    "comments": "💬🗨",
    "likes": "❤👍",
    "company": "🏢💼",
}
SIGNS = {sign: name for name, signs in _SIGNS.items() for sign in signs}
"""What drawings that are letters say about the text behind them."""
_LOOKS_OF_ICONS = frozenset(
    "code color colour count height length material note old position section size state type".split()
)
_ICON_TAGS = frozenset(["i", "img", "span", "svg", "use"])
_ICON_ATTRIBUTES = ("class", "href", "xlink:href", "data-icon", "alt", "aria-label", "title")
ICONS = {word: name for name, words in _ICONS.items() for word in words.split()}
"""What small drawings before a text say about it."""
_STANDARD = {
    "title": "title|titel|titre|título|titolo|tytuł|název|názov|cím|titlu|tittel|otsikko|название|заголовок|τίτλος"
    "|başl\u0131k|العنوان|כותרת|タイトル|标题|標題|제목|judul|заглавие|nombre|nom|nome|naam|nazwa|navn|namn|nimi|név|nume"
    "|имя|име|наименование|ad\u0131|isim|الاسم|اسم|שם|名称|名稱|名前|商品名|이름|상품명|tên|nama|ชื่อ",
    "price": "price|sale price|our price|current price|new price|special price|now|preis|prix|precio|prezzo|preço|preco"
    "|cena|ceny|prijs|pris|hinta|ár|preț|pret|цена|ціна|τιμή|fiyat|السعر|سعر|מחיר|価格|价格|價格|가격|giá|harga"
    "|ราคา|tarif|tarifs|valor|कीमत|मूल्य|rent|miete|kaltmiete|kaufpreis|loyer|alquiler|aluguel|affitto|huurprijs|hyra|nájem|kira",
    "old_price": "regular price|old price|was|was price|list price|original price|rrp|msrp|uvp|statt|compare at"
    "|compare at price|alter preis|früher|ancien prix|prix barré|precio anterior|antes|prezzo precedente|de"
    "|stara cena|původní cena|старая цена|旧価格|原价",
    "date": "date|datum|fecha|data|dato|päivämäärä|dátum|dată|дата|ημερομηνία|tarih|التاريخ|תאריך|日付|日期|날짜|ngày"
    "|tanggal|วันที่|तारीख|दिनांक",
    "location": "location|ort|standort|lieu|lugar|localização|local|luogo|miejsce|lokalizacja|místo|plats|sted|locatie"
    "|ville|ciudad|cidade|città|stadt|miasto|město|город|місто|şehir|semt|ilçe|المدينة|עיר|城市|都市|도시"
    "|sijainti|helyszín|locație|место|місце|τοποθεσία|konum|yer|الموقع|מיקום|場所|地点|地點|위치|địa điểm|lokasi",
}
MONEY_WORDS = frozenset(
    "amount bid bids budget cost delivery deposit discount estimate fare fee pay rate rent salary shipping wage".split()
)
"""What an amount of money is when it is no price."""
_STANDARD_NAMES = {word: name for name, words in _STANDARD.items() for word in words.split("|")}
_STANDARD_TYPES = {
    "title": ("text",),
    "price": ("money", "number"),
    "old_price": ("money", "number"),
    "date": ("date",),
    "location": ("text",),
}
_OLD_WORDS = frozenset("old was regular compare original list previous before crossed strike strikethrough".split())
_PROPERTIES = {
    "name": "title",
    "headline": "title",
    "datePublished": "date",
    "dateCreated": "date",
    "datePosted": "date",
    "startDate": "date",
    "address": "location",
    "addressLocality": "location",
    "jobLocation": "location",
    "ratingValue": "rating",
    "reviewCount": "reviews",
    "hiringOrganization": "company",
    "baseSalary": "salary",
    "lowPrice": "price",
    "text": "",
    "url": "",
    "image": "",
    "mainEntityOfPage": "",
    "offers": "",
    "itemListElement": "",
    "item": "",
}
"""Properties of schema.org by the names that columns get here; empty for those that say nothing about a text."""


def standard_name(name: str, kind: str) -> str | None:
    """Return the name that a column has in every language, if its label is a known word and its type fits.

    >>> standard_name("Preis", "money"), standard_name("Preis", "text"), standard_name("Marke", "text")
    ('price', None, None)
    """
    found = _STANDARD_NAMES.get(" ".join(name.replace("_", " ").lower().split()))
    return found if found and kind in _STANDARD_TYPES[found] else None


def shorten_name(name: str) -> str:
    """Leave out invisible characters, and what exceeds the length of a name."""
    name = _INVISIBLE.sub("", name)
    return name if len(name) <= MAX_NAME_LENGTH else name[: MAX_NAME_LENGTH - 1].rstrip() + "…"


def is_old(name: str) -> bool:
    """Tell whether words of a name say that a price no longer holds.

    >>> is_old("price--compare"), is_old("price-item")
    (True, False)
    """
    return not _OLD_WORDS.isdisjoint(split_words(name))


def is_called_old(text: str) -> bool:
    """Tell whether the words before an amount say that it no longer holds.

    >>> is_called_old("Was $12.50"), is_called_old("Regular price: 12 EUR"), is_called_old("from $12.50")
    (True, True, False)
    """
    match = _WORDS_BEFORE_AMOUNT.match(text)
    words = match[0].strip(" .:") if match else ""
    return len(words) >= _MIN_PART and standard_name(words, "money") == "old_price"


def property_name(itemprop: str) -> str:
    """Return the name of a column for a property of schema.org; empty if it names none.

    >>> property_name("startDate"), property_name("brand"), property_name("url")
    ('date', 'brand', '')
    """
    first = itemprop.split(maxsplit=1)[0] if itemprop.split() else ""
    return _PROPERTIES.get(first.rpartition(":")[2], first.rpartition(":")[2])


@lru_cache(maxsize=1024)  # records of one page share theirs
def telling_words(classes: str) -> tuple[str, ...]:
    """Find the words of class names that say what a value is, one a class name."""
    return tuple(word for token in classes.split() if (word := telling_word(token)))


def telling_word(token: str) -> str | None:
    """Find the last word of a class name that says what a value is, or else its last that is not about layout.

    Hashes and the name of the component are left out, and what holds an element: `staff` of `staff__photo`.

    >>> [telling_word(token) for token in ("product-title", "releaseDate", "col-md-4", "css-1x2y", "price--large")]
    ['title', 'date', None, None, 'price']
    >>> [telling_word(token) for token in ("Card_venue__x9Kf", "event__venue-title", "tracking-tight", "staff__photo")]
    ['venue', 'venue', None, None]
    """
    if len(token) > _MAX_TOKEN:
        return None
    body = _without_hash(token)
    if any(mark.isdigit() or mark in ":[]/.!" for mark in body):
        return None
    block, _, element = (body.partition("--")[0] or body).rpartition("__")
    words = split_words(element) or split_words(body)
    known = [word for word in words if word in CONTENT_WORDS]
    looks = words[1:] if len(words) > 2 and len(words[0]) == 1 else words  # a library's mark: `a-size-base`
    is_utility = len(looks) > 1 and looks[0] in _UTILITIES
    if whole := _whole_thing(known):
        return whole
    known = [word for word in known if word != "snippet"] or known  # the salary of `salary-snippet`
    if known and not (is_utility and known[-1] == looks[0]):
        around = known[:-1] or [word for word in split_words(block) if word in CONTENT_WORDS]
        return around[-1] if known[-1] in _NAMING_WORDS and around and around[-1] in _PARTIES else known[-1]
    if is_utility or min(map(len, words), default=0) < _MIN_PART:
        return None
    telling = [word for word in words if word not in LAYOUT_WORDS and _PRONOUNCEABLE.fullmatch(word)]
    return _content_at_end(telling[-1]) if telling and len(telling[-1]) >= _MIN_UNKNOWN else None


def _whole_thing(known: Sequence[str]) -> str:
    """Return what words about content mean together, as in `price-to-pay` and `zip-region-and-country`; or nothing."""
    if "price" in known:
        return "price"
    return "address" if len(_PARTS_OF_ADDRESSES.intersection(known)) > 1 else ""


def _content_at_end(word: str) -> str | None:
    """Return the content word that an unknown one ends with, or that a word about layout follows; else itself.

    >>> [_content_at_end(word) for word in ("pubdate", "dateline", "textoverflow", "kicker")]
    ['date', 'date', None, 'kicker']
    """
    for start in range(1, len(word) - _MIN_PART):
        if word[start:] in CONTENT_WORDS:
            return word[start:]
        if word[start:] in LAYOUT_WORDS:
            return word[:start] if word[:start] in CONTENT_WORDS else None
    return word


def _without_hash(token: str) -> str:
    """Return what people wrote of a class name that a tool made; empty if that is nothing."""
    if match := _CSS_MODULE.fullmatch(token):
        return match["local"] or match["label"]
    return "" if _HASHED.fullmatch(token) else token


def content_word(text: str) -> str | None:
    """Find the last content word of an address or a name, in the singular if only that is one.

    >>> content_word("/properties_category/cottages/"), content_word("/users/7"), content_word("/p/123")
    ('category', 'user', None)
    """
    for word in reversed(split_words(text)):
        for each in (word, word.removesuffix("s")):
            if each in CONTENT_WORDS:
                return each
    return None


def icon_name(names: str) -> str | None:
    """Find what an icon stands for by its class names or its address.

    >>> icon_name("fa fa-map-marker"), icon_name("bi bi-fuel-pump"), icon_name("icon icon-arrow icon-size-small")
    ('location', 'fuel', None)
    """
    words = split_words(names)
    drawn = next((ICONS[word] for word in words if word in ICONS), None)
    return drawn or next((word for word in words if word in CONTENT_WORDS and word not in _LOOKS_OF_ICONS), None)


def drawn_name(tag: str, attributes: Mapping[str, str]) -> str | None:
    """Find what an element stands for that may be an icon; None if it is none.

    >>> drawn_name("i", {"class": "fa fa-star"}), drawn_name("p", {"class": "fa fa-star"})
    ('rating', None)
    """
    if tag not in _ICON_TAGS:
        return None
    found = icon_name(" ".join(attributes.get(name, "") for name in _ICON_ATTRIBUTES)[:200])
    return found or _said_by_drawing(tag, attributes.get("aria-label", ""))


def _said_by_drawing(tag: str, label: str) -> str | None:
    """Return the word that a drawing is said to be, if it is only one and not about the look of pages."""
    is_word = tag == "svg" and label.isalpha() and len(label) <= MAX_NAME_LENGTH
    return label if is_word and label.lower() not in LAYOUT_WORDS else None


@lru_cache(maxsize=1024)
def split_words(name: str) -> tuple[str, ...]:
    """Split names of classes and the like into words in small letters."""
    return tuple(hump.lower() for part in _LETTERS.findall(name) for hump in _CAMEL_HUMP.split(part))
