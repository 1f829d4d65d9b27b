"""The rating form's controls in a notebook, by ipywidgets.

They work without a browser, too: set ``view.rater.value``, press ``view.next.click()``. What is
judged reaches the page escaped.
"""

from __future__ import annotations

import html
from typing import Any

import ipywidgets as widgets

from wordorder_lab.structures.rating_plan import QUESTIONS, SCALE
from wordorder_lab.widgets.form_view import button, field, key_guard, row
from wordorder_lab.widgets.rating_answers import RatingAnswers

FILE = "ratings.csv"


class RatingView:
    """The controls of a rating form: who judges, the item, five points a question."""

    def __init__(self, form: RatingAnswers) -> None:
        self.form, self.place = form, 0
        self._is_filling = False
        self.rater = field(
            widgets.Dropdown, "You are", "whose answers these are", options=list(form.plan)
        )
        self.item, self.status = widgets.HTML(), widgets.HTML()
        self.points = {name: self._choice(name) for name in QUESTIONS}
        self.back = button("Back", "the sentence before", lambda: self.go(self.place - 1))
        self.next = button("Next", "the next sentence", lambda: self.go(self.place + 1))
        self.file = field(widgets.Text, "File", "where the answers are written", value=FILE)
        self.save = button("Save the answers", "as CSV, for wl.analyse_ratings", self._save)
        asked = [part for name, text in QUESTIONS.items() for part in self._question(name, text)]
        self.box = widgets.VBox(
            [
                self.rater,
                self.item,
                *asked,
                row(self.back, self.next, self.file, self.save),
                self.status,
                *key_guard(),
            ]
        )
        self.box.add_class("wol-form")
        self.rater.observe(lambda _: self.go(0), "value")
        self.go(0)

    def go(self, place: int) -> None:
        """Show the rater's item at this place, or the nearest there is."""
        items = self.form.plan[self.rater.value]
        self.place = max(0, min(place, len(items) - 1))
        item = items[self.place]
        quotes = (
            f"<blockquote>{html.escape(text)}</blockquote>" for text in (item.source, item.output)
        )
        self.item.value = "and a short version of it".join(quotes)
        given = self.form.given(self.rater.value, self.place)
        self._is_filling = True
        for name, choice in self.points.items():
            choice.value = given.get(name)
        self._is_filling = False
        self.back.disabled, self.next.disabled = self.place == 0, self.place == len(items) - 1
        self._tell()

    def _choice(self, name: str) -> Any:
        choice = widgets.ToggleButtons(options=[(str(n), n) for n in SCALE], value=None)
        choice.style.button_width = "3rem"
        choice.observe(lambda change: self._answered(name, change["new"]), "value")
        return choice

    def _question(self, name: str, text: str) -> tuple[Any, Any]:
        return widgets.HTML(
            f"{html.escape(text)} <small>1 is worst, 5 is best</small>"
        ), self.points[name]

    def _answered(self, name: str, points: int | None) -> None:
        if points is not None and not self._is_filling:
            self.form.rate(self.rater.value, self.place, name, points)
            self._tell()

    def _save(self) -> None:
        try:
            self.form.save(self.file.value)
        except (OSError, ValueError) as error:
            self._say(f"not saved: {error}")
        else:
            self._say(f"{len(self.form.answers)} answers are in {self.file.value}")

    def _tell(self) -> None:
        rater = self.rater.value
        done = sum(answer["rater"] == rater for answer in self.form.answers)
        self._say(f"{self.place + 1} of {len(self.form.plan[rater])}, {done} judged")

    def _say(self, message: str) -> None:
        self.status.value = f'<span role="status">{html.escape(message)}</span>'
