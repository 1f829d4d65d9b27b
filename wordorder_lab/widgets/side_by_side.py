"""Compressions side by side: what several systems make of one sentence, word below word.

The outputs are made elsewhere, by whoever may run models; here they are data.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from difflib import SequenceMatcher
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from wordorder_lab.widgets.module import COMPRESSIONS
from wordorder_lab.widgets.page import HEIGHT, frame, page_text, write_page

if TYPE_CHECKING:
    import pandas


class Shortened(NamedTuple):
    """A shorter sentence: by a system, with its score, or by a human.

    ``kept`` are places of source words from 0, if only words were left out; otherwise the words
    are aligned with the source. ``f1`` are its n-gram F1s, 0 to 1, for n from 1 up.
    """

    name: str
    words: Sequence[str]
    kept: Sequence[int] | None = None
    score: float | None = None
    f1: Sequence[float] = ()


class SideBySide:
    """Outputs below their source: an iframe in a notebook, or a page of its own by ``to_html``.

    Raises ``ValueError`` for no source words, nothing to show, and kept words that are not there.
    """

    def __init__(
        self,
        source: Sequence[str],
        outputs: Sequence[Shortened],
        references: Sequence[Shortened] = (),
        title: str | None = None,
    ) -> None:
        if not source or not outputs:
            raise ValueError("side by side stand a sentence and at least one compression of it")
        for one in (*references, *outputs):
            if one.kept is not None and not all(0 <= place < len(source) for place in one.kept):
                raise ValueError(
                    f"{one.name} keeps words that are not there: places are 0 to {len(source) - 1}"
                )
        self.source, self.title = [*source], title or f"Compressing: {' '.join(source[:12])}"
        self.outputs, self.references = [*outputs], [*references]

    @property
    def frame(self) -> pandas.DataFrame:
        """A row a compression: name, text, words, rate, score, and n-gram F1s as far as known."""
        import pandas

        rows = [
            {
                "name": one.name,
                "text": " ".join(one.words),
                "words": len(one.words),
                "rate": len(one.words) / len(self.source),
                "score": one.score,
                **{f"{n}-gram F1": value for n, value in enumerate(one.f1, 1)},
            }
            for one in (*self.references, *self.outputs)
        ]
        return pandas.DataFrame(rows)

    def contents(self) -> dict[str, Any]:
        """The same as plain data: for each compression, what stands below each source word."""
        told = [
            {
                "name": one.name,
                "words": [*one.words],
                "below": below(self.source, one),
                "score": one.score,
                "f1": [*one.f1],
                "human": number < len(self.references),
            }
            for number, one in enumerate((*self.references, *self.outputs))
        ]
        return {"title": self.title, "words": self.source, "shortened": told}

    def page(self) -> str:
        """A page that needs nothing else."""
        return page_text(self.contents(), self.title, COMPRESSIONS)

    def to_html(self, path: str | os.PathLike[str]) -> Path:
        """Write that page. Raises ``OSError`` where it cannot be written."""
        return write_page(path, self.page())

    def _repr_html_(self) -> str:
        return frame(self.page(), self.title, HEIGHT)


def below(source: Sequence[str], one: Shortened) -> list[list[Any]]:
    """For each source word [kept 0 or 1, new words behind it, new words before it].

    Without ``kept`` the longest runs of equal words, capitals aside, are aligned first
    (``difflib``). What replaces source words stands at the first of them, what is put in at the
    word it follows; only the first word has new ones before it.
    """
    found: list[list[Any]] = [[0, [], []] for _ in source]
    if one.kept is not None:
        for place in one.kept:
            found[place][0] = 1
        return found
    ours, theirs = ([word.lower() for word in words] for words in (source, one.words))
    for what, i, j, a, b in SequenceMatcher(None, ours, theirs, autojunk=False).get_opcodes():
        if what == "equal":
            for place in range(i, j):
                found[place][0] = 1
        elif a < b:
            place = i if what == "replace" else max(0, i - 1)
            found[place][2 if i == 0 and what == "insert" else 1] += one.words[a:b]
    return found
