"""The rating form: a class judges short versions, as the raters of Cohn & Lapata (2009) did.

Section 5.3 of the paper has 20 sentences of each corpus judged by people, in a Latin square, on
five points; Table 8 prints the means. This form stands in for that study: a class can run it
itself, in a notebook or with a page that is sent round.

Differences
- *Our reading*, section 5.3: the paper asks about grammaticality and importance in two experiments,
  with other people. Here both questions stand below one version.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from typing import Any

from wordorder_lab.runtime.atomic import replacing
from wordorder_lab.structures.arguments import checks_arguments
from wordorder_lab.structures.messages import brief
from wordorder_lab.structures.rating_plan import RatingItem, rating_plan
from wordorder_lab.widgets.page import HEIGHT, frame
from wordorder_lab.widgets.rating_answers import RatingAnswers
from wordorder_lab.widgets.rating_page import rating_page

TITLE = "How good are these short sentences?"


@checks_arguments
def rating_form(
    sources: Sequence[Any],
    outputs: Mapping[str, Sequence[Any]],
    *,
    raters: int | Sequence[str] | None = None,
    seed: int = 1,
    title: str = TITLE,
) -> RatingForm:
    """A form to judge the outputs of systems, by their names, one output a source.

    Cohn & Lapata 2009, section 5.3: a Latin square, on five points. Sentences are text, words, or
    anything with leaves or a ``text``: trees, ``Compression``. Each rater sees each sentence once
    and the systems in balance (``rating_plan``); ``raters`` are a number or names, without as many
    as systems; ``seed``, any whole number, decides who sees what. In a notebook it is shown where
    it is the last line of a cell; ``form.to_html(path)`` writes a page for everybody. Answers are
    in ``form.answers``, ``form.save(path)`` writes them for ``wl.analyse_ratings``.

    Raises ``ValueError`` for what does not fit together.
    """
    plain = {str(system): list(map(_text, several)) for system, several in outputs.items()}
    return RatingForm(rating_plan(list(map(_text, sources)), plain, raters, seed), title)


def _text(sentence: Any) -> str:
    if isinstance(sentence, str):
        return sentence
    if hasattr(sentence, "text"):
        return str(sentence.text)
    words = sentence.leaves() if hasattr(sentence, "leaves") else sentence
    if not isinstance(words, Sequence):
        raise TypeError(f"a sentence is a text, its words or a tree, not {brief(repr(words))}")
    return " ".join(map(str, words))


class RatingForm(RatingAnswers):
    """The form: answers, and where they are given, in a notebook or on a page."""

    def __init__(self, plan: Mapping[str, Sequence[RatingItem]], title: str) -> None:
        super().__init__(plan)
        self.title = title
        self._view: Any = None

    def to_html(self, path: str | os.PathLike[str]) -> None:
        """Write the form as a page, to send round; it needs no network and saves to CSV.

        Raises ``OSError`` if it cannot be written.
        """
        with replacing(path) as temporary:
            temporary.write_text(self.page, encoding="utf-8")

    @property
    def page(self) -> str:
        """The same as text."""
        items = [[repr(item) for item in items] for items in self.plan.values()]
        key = hashlib.sha256(json.dumps(items).encode()).hexdigest()[:16]
        return rating_page(self.plan, self.title, f"wordorder-ratings-{key}")

    def _repr_mimebundle_(self, **options: Any) -> dict[str, Any]:
        """Live where there are a kernel and ipywidgets; elsewhere the page, which saves as well."""
        still = frame(self.page, self.title, HEIGHT)
        told = f"RatingForm({len(self.plan)} raters, {len(self.answers)} answers)"
        return {**self._live(options), "text/html": still, "text/plain": told}

    def _live(self, options: Mapping[str, Any]) -> dict[str, Any]:
        try:
            from wordorder_lab.widgets.rating_view import RatingView
        except ImportError:
            return {}
        self._view = self._view or RatingView(self)
        return dict(self._view.box._repr_mimebundle_(**options) or {})
