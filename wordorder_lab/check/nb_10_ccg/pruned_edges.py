"""Exercise 10.4: answered by looking at the players: why was this edge pruned?

The questions are about three sentences of the Gazette and a small learner (``small_ccg``). What is
right is what DPCHARTPRUNE found, and the event log has the reason.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from wordorder_lab.best_first.ccg import BestFirstCCG
from wordorder_lab.best_first.edge import Edge
from wordorder_lab.check.common.exercise import Exercise, Wrong, is_number
from wordorder_lab.check.common.moments import Moment, when_pruned
from wordorder_lab.check.nb_10_ccg.small_ccg import search_on
from wordorder_lab.corpora import load_corpus
from wordorder_lab.structures.sentence import Sentence
from wordorder_lab.trace.log import EventLog

BEAM = "beam"

CHOSEN = (
    "Burglaries in El Paso rose .",
    "The harbor was contaminated on Friday .",
    "The therapist attempted to disagree .",
)
ASKED = (33, 37, 20)
"""The edge of each sentence that is asked about, by its number."""


class Noting(BestFirstCCG):
    """A search that notes which edge stays where another one of its signature goes."""

    def compare_in_chart(self, edge: Edge) -> tuple[Edge | None, Edge]:
        """DPCHARTPRUNE's pair."""
        loser, winner = super().compare_in_chart(edge)
        if loser is not None:
            self.stays = {**getattr(self, "stays", {}), loser.serial: (loser, winner)}
        return loser, winner


@cache
def sentences() -> tuple[Sentence, ...]:
    """The three sentences, in the order of ``CHOSEN``."""
    by_text = {sentence.text: sentence for sentence in load_corpus("gazette").dev}
    return tuple(by_text[text] for text in CHOSEN)


@cache
def searches() -> tuple[tuple[EventLog, dict[int, tuple[Edge, Edge]]], ...]:
    """For each sentence the log of its search, and (loser, winner) by the loser's number."""
    searched = []
    for sentence in sentences():
        log = EventLog()
        search = search_on(sentence, log, Noting)
        search.run()
        searched.append((log, getattr(search, "stays", {})))
    return tuple(searched)


def reasons() -> list[int | str]:
    """What exercise 10.4 asks for: the number of the edge that stays, or ``"beam"``."""
    answers: list[int | str] = []
    for (log, stays), serial in zip(searches(), ASKED, strict=True):
        (reason,) = (event[2] for event in log if event[0] == "pruned" and event[1] == serial)
        answers.append(BEAM if reason == BEAM else stays[serial][1].serial)
    return answers


def _judge_reasons(answer: Any) -> str:
    if isinstance(answer, str) or not isinstance(answer, Sequence) or len(answer) != len(CHOSEN):
        raise Wrong("A list of three answers is wanted, one a sentence.")
    logs = [log for log, _ in searches()]
    for yours, right, text, serial, log in zip(answer, reasons(), CHOSEN, ASKED, logs, strict=True):
        if yours != BEAM and not is_number(yours, whole=True):
            raise Wrong(f"The number of an edge is wanted, or {BEAM!r}, not {yours!r}.")
        if yours == right:
            continue
        about = f"{text!r}, edge {serial}:"
        where = Moment(log, when_pruned(log, serial), about[:-1], "chart")
        if yours == BEAM:
            raise Wrong(f"{about} the chart was not too full. Another edge took its place.", where)
        if right == BEAM:
            raise Wrong(f"{about} no edge was like it. Read what the player says there.", where)
        raise Wrong(f"{about} edge {int(yours)} is not the one that stays.", where)
    return (
        "The first two pairs mean the same: another kind of NP for one word, and other brackets. "
        "The third was gold, and nothing was wrong with it: sixteen others had more."
    )


def _solve_reasons() -> str:
    lines = []
    for right, (_, stays), text, serial in zip(reasons(), searches(), CHOSEN, ASKED, strict=True):
        if right == BEAM:
            lines.append(f"{text} Edge {serial} had the lowest score of a chart that was too full.")
        else:
            loser, winner = stays[serial]
            lines.append(
                f"{text} Edge {right} stays: it has {winner.score:.2f}, edge {serial} "
                f"{loser.score:.2f}."
            )
    return "\n".join([str(reasons()), *lines])


EXERCISES = (
    Exercise(
        "10.4",
        "From the view alone: why was this edge pruned?",
        (
            "Take the view of the chart's contents, and jump from one `pruned` to the next until "
            "the edge in question goes. The sentence below says why.",
            "Where it says that another edge in the chart is like it: which one has the same "
            "words at that moment, and the same category?",
            "Where the popped edge took its place: which edge was popped?",
        ),
        _judge_reasons,
        _solve_reasons,
    ),
)
