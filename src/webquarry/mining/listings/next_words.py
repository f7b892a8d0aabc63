"""What links to the next page of a listing say."""

# ruff: noqa: RUF001, RUF002 - arrows are meant

from __future__ import annotations

import re

NEXT = frozenset(
    """
    next forward older
    weiter nächste nächster vorwärts folgende
    suivant suivante suivants suivantes
    siguiente siguientes
    próximo próxima próximos próximas seguinte seguintes
    successivo successiva successivi successive avanti prossima
    volgende verder
    następna następny dalej další následující ďalší következő следующая следующий следующие далее вперед вперёд наступна
    næste neste nästa seuraava
    sonraki ileri επόμενη επόμενο următoarea următorul înainte sljedeća naslednja следваща
    berikutnya selanjutnya tiếp sau
    التالي التالية הבא הבאה بعدی ถัดไป
    다음 次 次へ 次頁 次ページ 次のページ 下一页 下一頁 下页 下頁 后页 下一步
    """.split()
)
"""In any language; a label may have other words beside it only if they are of COMPANIONS."""
COMPANIONS = frozenset(
    """
    page pages results items entries products offers posts go to the show
    seite seiten ergebnisse treffer einträge angebote zur zu
    la le les résultats página páginas resultados pagina pagine risultati
    de resultaten strona strany stránka страница страницы side sida sivu sayfa σελίδα oldal trang
    الصفحة עמוד דף صفحه หน้า 페이지 件 页 頁
    """.split()
)
ARROWS = ("›", "→", ">", "❯", "⟩", "▸", "▶", "►", "»", ">>", "⇒", "⟫", "≫")
"""Those that may mean the last page, when another arrow stands beside them, come last."""
_EDGES = "‹›«»<>←→❮❯⟨⟩◀▶◂▸►◄⇐⇒⟪⟫≪≫[](){}|·•.…,:;-–—_/\\ \t\n\u00a0\u200b\u200e\u200f\ufe0e\ufe0f"
_JAPANESE = re.compile(r"次の?\d*(件|ページ|頁)?へ?|次へ")


def says_next(label: str) -> bool:
    """Whether a label says that the next page follows, and nothing else.

    >>> [says_next(label) for label in ("Next »", "Nächste Seite", "Page suivante", "Next 20 results", "次の20件")]
    [True, True, True, True, True]
    >>> [says_next(label) for label in ("Next article", "Next month", "What comes next?", "20", "")]
    [False, False, False, False, False]
    """
    words = [word for word in (each.strip(_EDGES) for each in label.casefold().split()) if word]
    if _JAPANESE.fullmatch("".join(words)):
        return True
    known = [word in NEXT for word in words]
    return any(known) and all(
        is_next or word in COMPANIONS or word.isdecimal() for word, is_next in zip(words, known, strict=True)
    )


def is_arrow(label: str) -> bool:
    """Whether a label is an arrow that points on, and nothing else.

    >>> [is_arrow(label) for label in ("›", "»", " > ", "‹", "> all")]
    [True, True, True, False, False]
    """
    return "".join(label.split()).rstrip("\ufe0e\ufe0f") in ARROWS


def has_words(label: str) -> bool:
    """Whether a label has any letter.

    >>> has_words("› 2"), has_words("› zwei")
    (False, True)
    """
    return any(character.isalpha() for character in label)
