"""How a tree transducer searches: its settings, and what a log says before a search begins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from wordorder_lab.transduction.given import BEAMS, Beam, check_search
from wordorder_lab.transduction.problem import TransductionProblem, origin_name

SEARCH = ("beam", "search", "bonus")
"""What may be set when a tree is compressed."""
USUAL: dict[str, Any] = {"beam": "experiments", "search": "cube", "bonus": 0.0}


def beam_of(beam: str | int) -> Beam:
    """A beam by its name in ``BEAMS``, or N unique items and 2 N in all; 0 is no bound.

    Raises ``ValueError`` for another name, and for less than 0.
    """
    if isinstance(beam, str) and beam in BEAMS:
        return BEAMS[beam]
    if isinstance(beam, int) and not isinstance(beam, bool) and beam >= 0:
        return Beam(beam, 2 * beam)
    raise ValueError(f"no beam {beam!r}: a whole number from 0 up, or {', '.join(BEAMS)}")


def search_of(beam: str | int, search: str) -> tuple[Beam, str]:
    """What a decoder takes; an exhaustive search has no bound for all items."""
    found = beam_of(beam)
    if search == "exhaustive":
        found = Beam(found.unique, 0)
    check_search(search, found)
    return found, search


def complete_search(system: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """All settings of a search: those given, and the usual ones where ``None`` is given.

    Raises ``ValueError`` for one that there is not, or that cannot be.
    """
    for name in given:
        if name not in SEARCH:
            there = ", ".join(SEARCH)
            raise ValueError(f"{system} has no setting {name!r} in its search; it has {there}")
    how = {**USUAL, **{name: value for name, value in given.items() if value is not None}}
    search_of(how["beam"], how["search"])
    if not isinstance(how["bonus"], int | float) or not abs(how["bonus"]) < float("inf"):
        raise ValueError(f"the bonus for a word is a number, not {how['bonus']!r}")
    return how


class WithoutOutputs:
    """A trace that leaves out the decoder's outputs: of several for one tree only one is told."""

    def __init__(self, trace: Any) -> None:
        self._trace = trace

    def __getattr__(self, kind: str) -> Any:
        return (lambda *_: None) if kind == "compressed" else getattr(self._trace, kind)


def begin_trace(
    problem: TransductionProblem, scores: Sequence[float], beam: Beam, trace: Any
) -> None:
    """Tell a trace of the source tree and of what matches where."""
    nodes = problem.nodes
    words = nodes.leaves
    trace.begin(words, [1] * len(words), len(problem.applications), beam.unique)
    trace.source(list(nodes.labels), list(nodes.parents), list(nodes.words))
    for a, one in enumerate(problem.applications):
        told = a, one.node, one.category, one.rule.text, origin_name(one.origin)
        trace.application(*told, list(one.children), list(one.deleted), scores[a])
