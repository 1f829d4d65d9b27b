"""Exercises 20.4 and 20.5: after which step does the learner update?

The truth is the reference learner's own answer on decodings of a few sentences, from knowing
nothing to knowing them well.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from itertools import islice
from typing import Any, NamedTuple

from wordorder_lab.check.common.exercise import Exercise, Wrong, function_of
from wordorder_lab.check.common.moments import Moment, after
from wordorder_lab.check.common.workbench import (
    SENTENCES,
    Course,
    course,
    examples_of,
    learner_of,
)
from wordorder_lab.trace.log import EventLog
from wordorder_lab.transition.averaged_perceptron import (
    EARLY,
    MAX_VIOLATION,
    UPDATES,
    Example,
    Perceptron,
)

Rule = Callable[[list[int], list[float], list[float]], int | None]


class Case(NamedTuple):
    """One decoding, and after which step each kind of learner updates (``None``: not at all)."""

    course: Course
    step: dict[str, int | None]


@cache
def cases() -> tuple[Case, ...]:
    """Decodings of the small world's sentences while they are learned, at three beams."""
    decoded = []
    for learner, example in _lessons():
        steps = {update: _step(learner, update, example) for update in UPDATES}
        decoded.append(Case(course(learner, example), steps))
    return tuple(decoded)


def _lessons() -> Iterator[tuple[Perceptron, Example]]:
    """The learner before each lesson, and the lesson, which it has learned when the next comes."""
    examples = examples_of(SENTENCES)
    for beam in (1, 2, 8):
        learner = learner_of(SENTENCES, beam)
        for _ in range(6):
            for example in examples:
                yield learner, example
                learner.learn(example)


def decoding(number: int, step: int | None) -> Moment:
    """The decoding of a case once more, for a player that opens after a step of it."""
    learner, example = next(islice(_lessons(), number, None))
    learner.trace = log = EventLog()
    learner.max_violation(example)  # it follows gold to the end, also outside the beam
    at = after(log, lambda event: event[0] == "gold" and event[1] == step)
    return Moment(log, at, "Where to update?", "beam")


def _step(learner: Perceptron, update: str, example: Any) -> int | None:
    find = learner.early_update if update == EARLY else learner.max_violation
    violation = find(example)
    return None if violation is None else len(violation.gold.derivation())


def _judge(update: str, name: str) -> Callable[[Any], str]:
    def judge(answer: Any) -> str:
        rule = function_of(answer, name)
        for number, case in enumerate(cases()):
            ranks, best, gold = case.course
            given = rule([*ranks], [*best], [*gold])
            if given != case.step[update]:
                where = decoding(number, case.step[update])
                raise Wrong(_differs(case.course, given, case.step[update]), where)
        return f"Your rule and the learner agree on {len(cases())} decodings."

    return judge


def _differs(followed: Course, given: Any, right: int | None) -> str:
    rows = [
        f"  {name} = [{', '.join(f'{value:g}' for value in values)}]"
        for name, values in followed._asdict().items()
    ]
    ours = "the learner does not update" if right is None else f"the learner updates after {right}"
    return "\n".join([f"Here {ours}, and your rule says {given}:", *rows])


def early(ranks: list[int], best: list[float], gold: list[float]) -> int | None:
    """Where gold falls out; else at the end, unless gold is the best there."""
    if -1 in ranks:
        return ranks.index(-1) + 1
    return len(ranks) if ranks[-1] != 0 else None


def max_violation(ranks: list[int], best: list[float], gold: list[float]) -> int | None:
    """The first of the steps at which the best state leads the gold one by most."""
    leads = {step: b - g for step, (r, b, g) in enumerate(zip(ranks, best, gold), 1) if r != 0}
    return max(leads, key=lambda step: (leads[step], -step)) if leads else None


def _solve_early() -> str:
    return (
        "def early(ranks, best, gold):\n"
        "    if -1 in ranks:\n"
        "        return ranks.index(-1) + 1\n"
        "    return len(ranks) if ranks[-1] != 0 else None\n"
        f"{_judge(EARLY, 'early')(early)}"
    )


def _solve_max_violation() -> str:
    return (
        "def max_violation(ranks, best, gold):\n"
        "    steps = [i for i in range(len(ranks)) if ranks[i] != 0]\n"
        "    return 1 + max(steps, key=lambda i: best[i] - gold[i]) if steps else None\n"
        "(max gives the first of several that are equally good.)\n"
        f"{_judge(MAX_VIOLATION, 'max_violation')(max_violation)}"
    )


EXERCISES = (
    Exercise(
        "20.4",
        "Write the rule of early update: after which step does the learner stop and update?",
        (
            "A rank of -1 says that gold is no longer in the beam. Which is the first?",
            "Steps are counted from 1, Python's lists from 0.",
            "If gold stays in the beam to the end, look at its last rank: 0 means that it has won, "
            "and there is nothing to learn: None. Otherwise the update is after the last step.",
        ),
        _judge(EARLY, "early"),
        _solve_early,
    ),
    Exercise(
        "20.5",
        "Write the rule of max-violation: after which step is the best state furthest ahead?",
        (
            "best[i] - gold[i] is the lead after step i + 1.",
            "Where gold is the best state itself (rank 0), nothing is violated: leave these steps "
            "out. A lead of 0 counts, if another state stands before gold.",
            "Of several equal leads the first counts. No step left: None.",
        ),
        _judge(MAX_VIOLATION, "max_violation"),
        _solve_max_violation,
    ),
)
