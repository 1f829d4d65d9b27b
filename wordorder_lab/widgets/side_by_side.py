"""Compressions side by side: what several systems make of one sentence, word below word.

The outputs are made elsewhere, by whoever may run models; here they are data.
"""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, NamedTuple

from wordorder_lab.widgets.module import COMPRESSIONS
from wordorder_lab.widgets.page import OnPage

if TYPE_CHECKING:
    import pandas


class Shortened(NamedTuple):
    """A shorter sentence: by a system, with its score, or by a human. ``kept`` are source places
    from 0, if words were only left out, else all is aligned; ``f1`` n-gram F1s, 0 to 1, from n =
    1."""

    name: str
    words: Sequence[str]
    kept: Sequence[int] | None = None
    score: float | None = None
    f1: Sequence[float] = ()


Below = tuple[int, list[str], list[str]]
"""Of a source word: whether it is kept, 1 or 0; new words behind it; new words before it."""


class SideBySide(OnPage):
    """Outputs below their source: an iframe in a notebook, or a page of its own by ``to_html``.

    Raises ``ValueError`` for no source words, nothing to show, and kept words that are not there.
    """

    entry = COMPRESSIONS

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

    def contents(self) -> dict[str, object]:
        """The same as plain data: for each compression, what stands below each source word."""
        shortened = [
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
        return {"title": self.title, "words": self.source, "shortened": shortened}


def below(source: Sequence[str], one: Shortened) -> list[Below]:
    """What stands below each source word. Without ``kept`` the longest runs of equal words,
    capitals aside, are aligned first; what replaces words stands at the first, what is put in at
    the word before."""
    kept, words = {*(one.kept or ())}, list(one.words)
    behind: list[list[str]] = [[] for _ in source]
    before: list[list[str]] = [[] for _ in source]
    if one.kept is None:
        ours, theirs = ([word.lower() for word in side] for side in (source, words))
        for what, i, j, a, b in SequenceMatcher(None, ours, theirs, autojunk=False).get_opcodes():
            if what == "equal":
                kept.update(range(i, j))
            elif a < b:
                new = before if i == 0 and what == "insert" else behind
                new[i if what == "replace" else max(0, i - 1)] += words[a:b]
    return [(int(i in kept), behind[i], before[i]) for i in range(len(source))]
