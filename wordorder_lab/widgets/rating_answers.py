"""The answers of raters, as they are given: which item, which question, how many points."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Mapping, Sequence
from typing import Any

from wordorder_lab.runtime.atomic import replacing
from wordorder_lab.structures.messages import cited
from wordorder_lab.structures.rating_plan import COLUMNS, QUESTIONS, SCALE, RatingItem


class RatingAnswers:
    """``plan`` has the items of each rater, in the order in which they are shown."""

    def __init__(self, plan: Mapping[str, Sequence[RatingItem]]) -> None:
        self.plan = dict(plan)
        self._given: dict[tuple[str, int], dict[str, int]] = {}

    def rate(self, rater: str, number: int, question: str, points: int) -> None:
        """Answer a question about a rater's item ``number``, counted from 0.

        Raises ``ValueError`` for a rater, item, question or answer that there is not.
        """
        if rater not in self.plan or not 0 <= number < len(self.plan[rater]):
            raise ValueError(f"there is no item {number} of {cited(rater)}")
        if question not in QUESTIONS or points not in SCALE:
            raise ValueError(
                f"{cited(question)} with {cited(points)}: {', '.join(QUESTIONS)}, from 1 to 5"
            )
        self._given.setdefault((rater, number), {})[question] = points

    def given(self, rater: str, number: int) -> Mapping[str, int]:
        """What a rater has said of an item so far."""
        return dict(self._given.get((rater, number), {}))

    @property
    def answers(self) -> list[dict[str, Any]]:
        """A row for each item whose questions all have an answer: ``COLUMNS``."""
        rows = []
        for rater, items in self.plan.items():
            for number, item in enumerate(items):
                said = self._given.get((rater, number), {})
                if len(said) == len(QUESTIONS):
                    about = {"rater": rater, "sentence": item.sentence, "system": item.system}
                    rows.append({**about, **{name: said[name] for name in QUESTIONS}})
        return rows

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the answers as CSV, atomically. Raises ``OSError`` if that cannot be done."""
        text = io.StringIO(newline="")
        writer = csv.DictWriter(text, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(self.answers)
        with replacing(path) as temporary:
            temporary.write_text(text.getvalue(), encoding="utf-8", newline="")
