r"""Exercises 13.4 and 13.6, with a player: the edges that a cut takes away, and the derivations."""

from __future__ import annotations

from typing import Any

from wordorder_lab.check.common.exercise import Exercise, Wrong, is_number
from wordorder_lab.check.common.moments import Moment, when_charted
from wordorder_lab.check.nb_13_supertagging.small_ambiguity import (
    CHANCES,
    WORDS,
    built_as,
    searched,
)

CUT = 0.15
"""The beta that is asked about."""
BENT = {"saw": r"((S\NP)/(S[b]\NP))/NP", "her": "NP", "duck": r"S[b]\NP"}
"""The categories of the reading in which she bends."""
NAMES = ("no cut", f"β = {CUT:g}")
NEAR = 0.002


def edges_lost() -> list[int]:
    """The numbers of the edges that are not made any more with the cut."""
    (everything, _), (less, _) = searched(0.0), searched(CUT)
    left = {built_as(less, edge) for edge in less.made}
    return [edge.serial for edge in everything.made if built_as(everything, edge) not in left]


def _where(serial: int) -> Moment:
    (_, log), (_, other) = searched(0.0), searched(CUT)
    at = when_charted(log, [serial])
    return Moment(log, at, f"edge {serial}", "chart", other, NAMES)


def _judge_lost(answer: Any) -> str:
    if not isinstance(answer, list | tuple | set):
        raise Wrong("A list of the numbers of edges is wanted.")
    search, _ = searched(0.0)
    edges = {edge.serial: edge for edge in search.made}
    for yours in answer:
        if not is_number(yours, whole=True) or int(yours) not in edges:
            raise Wrong(f"{yours!r} is no edge: they are numbered 1 to {len(edges)}.")
    right, given = set(edges_lost()), {int(yours) for yours in answer}
    for serial in sorted(right ^ given):
        said = f"edge {serial}, {search.told(edges[serial])}"
        if serial in right:
            raise Wrong(f"{said}, is gone, too. Of which edges was it made?", _where(serial))
        raise Wrong(f"{said}, is still made: all its leaves stay.", _where(serial))
    leaves = sum(not edges[serial].parts for serial in right)
    return (
        f"{leaves} leaves are cut, and {len(right) - leaves} edges go with them, of "
        f"{len(edges)} in all: what is cut below is saved above, many times over."
    )


def _solve_lost() -> str:
    search, _ = searched(0.0)
    edges = {edge.serial: edge for edge in search.made}
    leaves = [serial for serial in edges_lost() if not edges[serial].parts]
    told = " and ".join(search.told(edges[serial]) for serial in leaves)
    return f"{edges_lost()}: {told} have less than {CUT:g} of their word's best, and all above."


# --- derivations --------------------------------------------------------------------------------


def readings() -> tuple[int, int, float]:
    """Derivations of all words without a cut and with it, and the largest beta of ``BENT``."""
    before, after = (len(searched(beta)[0].goals) for beta in (0.0, CUT))
    return (
        before,
        after,
        min(
            CHANCES[word][category] / max(CHANCES[word].values()) for word, category in BENT.items()
        ),
    )


def _judge_readings(answer: Any) -> str:
    if not isinstance(answer, list | tuple) or len(answer) != 3:
        raise Wrong("A list of three is wanted: two numbers of derivations, and a beta.")
    for yours, right, name, beta in zip(answer, readings(), NAMES, (0.0, CUT)):
        if not is_number(yours, whole=True):
            raise Wrong(f"{name}: a number of derivations is wanted, not {yours!r}.")
        if yours != right:
            _, log = searched(beta)
            where = Moment(log, len(log), name, "chart")
            raise Wrong(f"{name}: there are not {int(yours)} derivations of all words.", where)
    if not is_number(answer[2]) or abs(answer[2] - readings()[2]) > NEAR:
        raise Wrong(f"With beta {answer[2]!r} it is not just kept. Which of its leaves goes first?")
    return "One leaf decides: a reading is as safe as the least probable of its categories."


def _solve_readings() -> str:
    before, after, beta = readings()
    shares = ", ".join(
        f"{word} {CHANCES[word][category] / max(CHANCES[word].values()):.3f}"
        for word, category in BENT.items()
    )
    return f"[{before}, {after}, {beta:.3f}]. Its leaves, by their words' best: {shares}."


EXERCISES = (
    Exercise(
        "13.4",
        "Predict which edges disappear when beta rises.",
        (
            "First the leaves: divide each probability by that of its word's best category.",
            f"Two leaves have less than {CUT:g}. Every edge that is made of one of them goes, and "
            "every edge that is made of such an edge.",
            "The last column of the table has the parts. Go through it from above, once.",
        ),
        _judge_lost,
        _solve_lost,
    ),
    Exercise(
        "13.6",
        "Count derivations, and find the beta at which a reading is lost.",
        (
            f"A derivation of all {len(WORDS)} words is a goal: in the chart's last column, as S. "
            "The same words may stand there twice, with other brackets, or in another order.",
            "For the beta: which categories have the words when she bends? There are three.",
            "Divide the probability of each by that of its word's best. The smallest share goes "
            "first, and it is still kept when beta is just as large.",
        ),
        _judge_readings,
        _solve_readings,
    ),
)
