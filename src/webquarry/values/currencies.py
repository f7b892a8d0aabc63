"""Read currency signs and words beside a number, and find their ISO 4217 codes."""

from __future__ import annotations

from webquarry.values.locale import Locale

# Without ALL, CUP, MOP, SOS and TOP: in capitals beside a number these are nearly always the English words.
_CODES = frozenset(
    "AED AFN AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF"
    " CLP CNY COP CRC CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HRK"
    " HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD"
    " MDL MGA MKD MMK MNT MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR"
    " RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SRD SSP STN SYP SZL THB TJS TMT TND TRY TTD TWD TZS UAH UGX"
    " USD UYU UZS VES VND VUV WST XAF XCD XOF XPF YER ZAR ZMW ZWL".split()
)
WHOLE_CURRENCIES = frozenset(
    "BIF CLP COP CRC DJF GNF HUF IDR IRR ISK JPY KMF KRW LAK MGA MMK PYG RSD RWF TZS UGX UZS VND VUV XAF XOF"
    " XPF".split()
)
"""Prices in these have no cents, or nobody writes them: a mark before three digits separates thousands."""
THREE_DECIMALS = frozenset("BHD IQD JOD KWD LYD OMR TND".split())
"""Currencies whose prices have three decimals."""
_NAMES = {
    "EUR": "€ euro euros",
    "GBP": "£ gbp£",
    "USD": "us$ u$s us-$ usd$ usd",
    "CAD": "c$ ca$ cdn$ cad$",
    "AUD": "a$ au$ aud$",
    "NZD": "nz$",
    "SGD": "s$ sg$",
    "HKD": "hk$",
    "TWD": "nt$",
    "MXN": "mx$ mex$",
    "BRL": "r$",
    "JPY": "円 jp¥ yen",
    "CNY": "元 cn¥ rmb yuan",
    "INR": "₹",
    "KRW": "₩ 원",
    "RUB": "₽ руб руб. р.",  # noqa: RUF001 - in its own alphabet
    "UAH": "₴ грн грн.",
    "PLN": "zł zl",
    "CZK": "kč kc",
    "HUF": "ft ft.",
    "RON": "lei",
    "BGN": "лв лв.",
    "TRY": "₺ tl",
    "ILS": "₪",
    "VND": "₫ đ",
    "THB": "฿",
    "PHP": "₱",
    "NGN": "₦",
    "GHS": "₵",
    "KZT": "₸",
    "CHF": "fr. sfr sfr.",
    "MYR": "rm",
    "IDR": "rp rp.",
    "PEN": "s/ s/.",
    "AED": "د.إ د.إ. dhs dhs.",
    "SAR": "ر.س ر.س. ﷼ sr",
}
_BY_NAME = {name: code for code, names in _NAMES.items() for name in names.split()}
_BEFORE_ONLY = frozenset(("rm", "rp", "rp.", "s/", "s/."))  # after a number they are other words
_CAPITALISED = frozenset(("ft", "ft.", "tl", "rm", "fr."))  # in small letters they are other words: ft means feet

DASHES = ",-"
"""Written for no cents, as in 129,-: the currency of the country, without a sign."""
CROWNS = "kr"
"""Kept as a unit if the language does not tell which country's crowns they are."""
_SHARED = {sign: sign for sign in ("$", "¥", CROWNS, "rs", "r")}
_SHARED |= {"kr.": CROWNS, "rs.": "rs", "dollar": "$", "dollars": "$"}
_NORDIC = {"sv": "SEK", "da": "DKK", "fo": "DKK", "nb": "NOK", "nn": "NOK", "no": "NOK", "is": "ISK"}
_BY_PLACE = {
    "$": {code[:2].lower(): code for code in "CAD AUD NZD SGD HKD TWD MXN ARS CLP COP UYU".split()},
    "rs": {"pk": "PKR", "ur": "PKR", "lk": "LKR", "si": "LKR", "np": "NPR", "ne": "NPR", "mu": "MUR"},
    "¥": {"zh": "CNY", "cn": "CNY"},
    CROWNS: _NORDIC,
    "r": {"za": "ZAR"},
    DASHES: _NORDIC | {"ch": "CHF", "de": "EUR", "at": "EUR", "nl": "EUR"},
}
"""Currencies of shared signs by language or region; within a row the two never conflict."""
_ELSEWHERE = {"$": "USD", "¥": "JPY", "rs": "INR"}


def sign_of(word: str, *, before: bool) -> str:
    """Return the currency that a word beside a number names: its code, or a sign that several share; else `""`."""
    if word in _CODES:
        return word
    small = word.lower()
    if small in _SHARED:
        # KR174 is an article number, and the R of rands precedes the number.
        capitals = word.isupper() and (word != "R" or not before)
        return "" if capitals or word == "r" else _SHARED[small]
    if small in _CAPITALISED and small == word:
        return ""
    return "" if small in _BEFORE_ONLY and not before else _BY_NAME.get(small, "")


def join_signs(before: str, after: str) -> str | None:
    """Combine the currencies before and after a number, as in $12 CAD; None if they disagree."""
    if not before or not after or before == after:
        return before or after
    return after if before == "$" and (after[-1] == "D" or after in _BY_PLACE["$"].values()) else None


def code_of(sign: str, locale: Locale) -> str:
    """Return the code of a currency in a locale; `""` if the locale does not tell.

    >>> code_of("$", Locale(language="en-ca")), code_of("kr", Locale(language="sv")), code_of("kr", Locale())
    ('CAD', 'SEK', '')
    """
    places = _BY_PLACE.get(sign)
    if places is None:
        return sign
    found = places.get(locale.region) if locale.region else None
    return found or (places.get(locale.primary) if sign != "$" else None) or _ELSEWHERE.get(sign, "")
