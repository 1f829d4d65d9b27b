"""The rating form: a class judges short versions, as the raters of Cohn & Lapata (2009) did.

Section 5.3 of the paper has 20 sentences of each corpus judged by people, in a Latin square, on
five points; Table 8 prints the means. This form stands in for that study: a class can run it
itself, in a notebook or with a page that is sent round.

Differences
- *Our reading*, section 5.3: the paper asks about grammaticality and importance in two experiments,
  with other people. Here both questions stand below one version.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from wordorder_lab.runtime.atomic import replacing
from wordorder_lab.structures import rating_plan
from wordorder_lab.structures.arguments import checks_arguments
from wordorder_lab.structures.messages import brief, cited
from wordorder_lab.structures.rating_plan import COLUMNS, QUESTIONS, SCALE, RatingItem
from wordorder_lab.widgets.page import PAGES, filled, frame, write_page

if TYPE_CHECKING:
    from wordorder_lab.widgets.form_view import RatingView

SHOWN = ("sentence", "system", "source", "output")
"""What a page is told of an item."""
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
    return RatingForm(
        rating_plan.rating_plan(list(map(_text, sources)), plain, raters, seed), title
    )


def _text(sentence: object) -> str:
    if isinstance(sentence, str):
        return sentence
    if hasattr(sentence, "text"):
        return str(sentence.text)
    words = sentence.leaves() if hasattr(sentence, "leaves") else sentence
    if not isinstance(words, Sequence):
        raise TypeError(f"a sentence is a text, its words or a tree, not {brief(repr(words))}")
    return " ".join(map(str, words))


class RatingForm:
    """The form: answers, and where they are given, in a notebook or on a page.

    ``plan`` has the items of each rater, in the order in which they are shown.
    """

    def __init__(self, plan: Mapping[str, Sequence[RatingItem]], title: str) -> None:
        self.plan, self.title = dict(plan), title
        self._given: dict[tuple[str, int], dict[str, int]] = {}
        self._view: RatingView | None = None

    def rate(self, rater: str, number: int, question: str, points: int) -> None:
        """Answer a question about a rater's item ``number``, counted from 0; ``ValueError`` for a
        rater, item, question or answer that there is not."""
        if rater not in self.plan or not 0 <= number < len(self.plan[rater]):
            raise ValueError(f"there is no item {number} of {cited(rater)}")
        if question not in QUESTIONS or points not in SCALE:
            raise ValueError(
                f"{cited(question)} with {cited(points)}: {', '.join(QUESTIONS)}, from 1 to 5"
            )
        self._given.setdefault((rater, number), {})[question] = points

    def given(self, rater: str, number: int) -> Mapping[str, int]:
        """A rater's answers to an item so far."""
        return dict(self._given.get((rater, number), {}))

    @property
    def answers(self) -> list[dict[str, object]]:
        """A row for each item whose questions all have an answer: ``COLUMNS``."""
        rows = []
        for rater, items in self.plan.items():
            for number, item in enumerate(items):
                given = self.given(rater, number)
                if len(given) == len(QUESTIONS):
                    about = {"rater": rater, "sentence": item.sentence, "system": item.system}
                    rows.append({**about, **{name: given[name] for name in QUESTIONS}})
        return rows

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the answers as CSV, atomically. Raises ``OSError`` if that cannot be done."""
        text = io.StringIO(newline="")
        writer = csv.DictWriter(text, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(self.answers)
        with replacing(path) as temporary:
            temporary.write_text(text.getvalue(), encoding="utf-8", newline="")

    def to_html(self, path: str | os.PathLike[str]) -> None:
        """Write the form as a page, to send round; it needs no network and saves to CSV.

        What is judged is shown as text only, so that no output is ever read as HTML. Answers are
        kept in the browser until they are saved, where it lets a page do that. The page never shows
        which system a version is of; who reads its source finds it. Raises ``OSError`` if it cannot
        be written.
        """
        write_page(path, self.page)

    @property
    def page(self) -> str:
        """The same as text."""
        items = [[repr(item) for item in items] for items in self.plan.values()]
        key = hashlib.sha256(json.dumps(items).encode()).hexdigest()[:16]
        data = {
            "plan": {
                rater: [{name: getattr(item, name) for name in SHOWN} for item in of_rater]
                for rater, of_rater in self.plan.items()
            },
            "questions": QUESTIONS,
            "scale": SCALE,
            "columns": COLUMNS,
            "key": f"wordorder-ratings-{key}",  # tells answers to several forms apart
        }
        packed = json.dumps(data).replace("<", "\\u003c")  # no text ends the script
        return filled(PAGES / "rating.html", title=self.title, data=packed)

    def _repr_mimebundle_(self, **options: object) -> dict[str, object]:
        """Live where there are a kernel and ipywidgets; elsewhere the page, which saves as well."""
        still = frame(self.page, self.title)
        description = f"RatingForm({len(self.plan)} raters, {len(self.answers)} answers)"
        return {**self._live(options), "text/html": still, "text/plain": description}

    def _live(self, options: Mapping[str, object]) -> dict[str, object]:
        try:
            from wordorder_lab.widgets.form_view import RatingView
        except ImportError:
            return {}
        self._view = self._view or RatingView(self)
        return dict(self._view.box._repr_mimebundle_(**options) or {})
