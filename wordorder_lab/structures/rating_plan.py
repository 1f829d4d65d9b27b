"""Who judges what: a Latin square of sentences, systems and raters.

Each rater sees every sentence once and every system equally often, as far as the numbers go; over
as many raters as there are systems, each sentence is seen once in the version of each system.

    systems and sentences are shuffled; k is the number of systems
    rater r gets of sentence s the version of system (r + s) modulo k
    each rater's list is shuffled
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from wordorder_lab.structures.messages import check_most, cited

SCALE = (1, 2, 3, 4, 5)
"""Five points, as in Cohn & Lapata (2009, section 5.3): 5 is best."""
QUESTIONS = {
    "grammaticality": "Is the short version good English?",
    "importance": "Does it keep what is most important in the sentence?",
}
"""What is judged, and how a rater is asked."""
FORMULAS = "=+-@\t\r"
MOST_RATERS = 10_000
COLUMNS = ("rater", "sentence", "system", *QUESTIONS)


@dataclass(frozen=True, slots=True)
class RatingItem:
    """A version to judge beside its source; ``sentence`` counts from 1."""

    rater: str
    sentence: int
    system: str
    source: str
    output: str


def rating_plan(
    sources: Sequence[str],
    outputs: Mapping[str, Sequence[str]],
    raters: int | Sequence[str] | None = None,
    seed: int = 1,
) -> dict[str, tuple[RatingItem, ...]]:
    """The items of each rater in the order shown; the same seed, the same plan. ``outputs`` has the
    versions of each system, one a source; ``raters`` are names or a number, without one as many as
    systems, the least that judges all. Raises ``ValueError`` for what does not fit together."""
    names = _raters(raters, len(outputs))
    _check(sources, outputs, names)
    rng = random.Random(int(seed))  # numpy's too
    systems, order = list(outputs), list(range(len(sources)))
    rng.shuffle(systems)
    rng.shuffle(order)
    plan = {}
    for r, rater in enumerate(names):
        pairs = [(place, systems[(r + s) % len(systems)]) for s, place in enumerate(order)]
        rng.shuffle(pairs)
        plan[rater] = tuple(
            RatingItem(rater, place + 1, system, sources[place], outputs[system][place])
            for place, system in pairs
        )
    return plan


def _raters(raters: int | Sequence[str] | None, systems: int) -> list[str]:
    if isinstance(raters, str):
        return [raters]
    if isinstance(raters, Sequence):
        return list(map(str, raters))
    number = systems if raters is None else raters
    check_most("raters", number, MOST_RATERS)
    return [f"rater {i + 1}" for i in range(number)]


def _check(
    sources: Sequence[str], outputs: Mapping[str, Sequence[str]], raters: Sequence[str]
) -> None:
    if not sources or not outputs:
        raise ValueError("there is nothing to judge: give sources, and outputs by system")
    for system, versions in outputs.items():
        if len(versions) != len(sources):
            raise ValueError(
                f"{cited(system)} has {len(versions)} outputs for {len(sources)} sources: one each"
            )
    if not raters or len(set(raters)) != len(raters) or not all(raters):
        raise ValueError("raters are a number from 1 up, or names, each once")
    for name in (*outputs, *raters):
        if name[:1] in FORMULAS and name:
            raise ValueError(
                f"{cited(name)} begins like a formula, which a spreadsheet would run when it opens "
                "the answers: begin names of systems and raters with a letter"
            )
