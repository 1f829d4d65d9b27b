"""Notebook 10, best-first search with categories: what its cells count and show."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from wordorder_lab.best_first.drive import Drive
from wordorder_lab.best_first.output import derivation_of
from wordorder_lab.check import beforehand
from wordorder_lab.check.nb_10 import SIGN_NAMES, OnPaper
from wordorder_lab.structures.bag import WordBag, bag_of
from wordorder_lab.structures.derivation import Derivation
from wordorder_lab.structures.result import Result
from wordorder_lab.structures.sentence import Sentence
from wordorder_lab.systems.zhang_clark_ccg import CCGModel
from wordorder_lab.trace.log import EventLog
from wordorder_lab.trace.reducers.replay import fold

KINDS = {"none": "no pruning", "2011": "2011", "2015": "2015"}
"""Signatures, and what they are called in a picture."""
Row = dict[str, Any]


def drive(search: OnPaper) -> Drive:
    """What a player asks which rule joins two edges of this search."""
    return Drive(search)


def derivation(search: OnPaper, edge: Any) -> Derivation:
    """The derivation of an edge."""
    return derivation_of(edge, search.problem.items)


class Steps(NamedTuple):
    """Edges by the sign of the step that made them: all, those that were popped, and those that
    are in the output."""

    made: Counter[str]
    popped: Counter[str]
    kept: Counter[str]

    @property
    def names(self) -> dict[str, str]:
        """The signs, the most frequent first, each with its name."""
        return {sign: SIGN_NAMES.get(sign, sign) for sign, _ in self.made.most_common()}


@beforehand.made
def steps_of(model: CCGModel, sentences: Iterable[Sentence], expansions: int) -> Steps:
    """Order sentences, and count the edges of these searches."""
    steps = Steps(Counter(), Counter(), Counter())
    for one in sentences:
        ordered = model.order(bag_of(one), expansions=expansions, trace=(log := EventLog()))
        sign_of = {event[1]: "leaf" for event in log if event[0] == "leaf"}
        sign_of |= {event[1]: event[4].split()[0] for event in log if event[0] == "edge"}
        steps.made.update(sign_of.values())
        steps.popped.update(sign_of[event[1]] for event in log if event[0] == "popped")
        leaves = ("leaf" if one.startswith("leaf-") else one.split()[0] for one in ordered.actions)
        steps.kept.update(leaves)
    return steps


# --- complete searches ----------------------------------------------------------------------------

WHOLE: Row = {"beam": 0, "k": 10**6, "expansions": 5_000}
"""No beam, and no stop at a goal."""


class Complete(NamedTuple):
    """Searches for one bag that end when the agenda is empty, by signature."""

    units: int
    ends: Mapping[str, Result]


@beforehand.made
def complete(model: CCGModel, sentences: Iterable[Sentence]) -> list[Complete]:
    """Everything that can be built of some bags; bags for which ``WHOLE`` is not enough go."""
    found = []
    for one in sentences:
        found_by = {kind: model.order(bag_of(one), signature=kind, **WHOLE) for kind in KINDS}
        ends = {kind: replace(end, k_best=()) for kind, end in found_by.items()}
        if ends["none"].stopped == "agenda empty":
            found.append(Complete(len(one), ends))
    return found


def edges_made(searches: Sequence[Complete]) -> dict[str, dict[int, float]]:
    """How many edges a search makes on average, by signature and by units in the bag."""
    by_kind: dict[str, dict[int, float]] = {}
    for kind, label in KINDS.items():
        made: dict[int, list[int]] = {}
        for one in searches:
            made.setdefault(one.units, []).append(one.ends[kind].counters["edges"])
        name = f"signature: {label}"
        by_kind[name] = {n: sum(some) / len(some) for n, some in sorted(made.items())}
    return by_kind


def best_lost(searches: Mapping[str, Sequence[Complete]]) -> list[Row]:
    """In how many bags the best derivation is pruned away, by scores and signature."""
    rows = []
    for scores, some in searches.items():
        for kind in ("2011", "2015"):
            lost = sum(one.ends[kind].score < one.ends["none"].score for one in some)
            rows.append({"scores": scores, "signature": kind, "bags": len(some), "best lost": lost})
    return rows


# --- how a search goes, and how it ends -----------------------------------------------------------


@beforehand.made
def shares_popped(model: CCGModel, sentences: Iterable[Sentence], pops: int) -> list[float]:
    """The share of the bag's words in the edge that is popped first, second, ..., on average."""
    shares: list[list[float]] = [[] for _ in range(pops)]
    for one in sentences:
        model.order(bag_of(one), expansions=pops, trace=(log := EventLog()))
        books = fold(log, len(log), "chart")
        for at, (serial, *_) in enumerate(books["pops"]):
            shares[at].append(books["edges"][serial - 1]["size"] / len(one))
    return [sum(some) / len(some) for some in shares if some]


def scores_row(name: str, run: Any) -> Row:
    """A row for an evaluation: BLEU with its interval, and what of the bag came out."""
    low, high = run.interval()
    return {
        "": name,
        "BLEU": f"{run.scores.bleu_cased:.1f}  ({low:.1f} to {high:.1f})",
        "all words in one derivation": f"{run.scores.spanning:.0%}",
        "words in the output, of all": f"{run.scores.brevity:.1%}",
        "right lexical categories": f"{run.scores.category_precision:.0%}",
        "pops a sentence": f"{run.expansions:.0f}",
    }


def end_row(name: str, model: CCGModel, bag: WordBag, **limits: Any) -> Row:
    """A row for a search: why it stopped, and with what."""
    end = model.order(bag, **limits)
    return {
        "": name,
        "stopped": end.stopped,
        "output": end.text,
        "derivations": len(end.derivations),
        "categories": " | ".join(str(one.category) for one in end.derivations),
    }


def lacks(model: CCGModel, one: Sentence) -> str:
    """What the grammar lacks for the derivation of a sentence: a category, a rule, or nothing."""
    assert one.derivation is not None
    leaves = zip(one, one.derivation.leaves(), strict=True)
    if any(leaf.category not in model.categories.lookup(t.words, t.pos) for t, leaf in leaves):
        return "a category"
    known = {(rule.parent, rule.children, rule.head) for rule in model.rules}
    for node in one.derivation.nodes():
        children = tuple(child.category for child in node.children)
        if children and (node.category, children, node.head) not in known:
            return "a rule"
    return "nothing"
