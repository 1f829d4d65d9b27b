"""What a decoder gives back: the best order of a bag, or the sentence of a tree of lemmas."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from xml.etree.ElementTree import Element, SubElement

from wordorder_lab.structures.derivation import Derivation
from wordorder_lab.structures.messages import brief, listed
from wordorder_lab.structures.trees import DependencyTree, clean, html_of, scrolling

SHOWN = 10
"""Of the k best, a notebook shows so many; the others are counted."""


@dataclass(frozen=True, slots=True)
class Result:
    """The best output of a search, and the next best after it.

    ``units`` are the units in the order found, each a tuple of words (``words``: as strings),
    ``order`` the same as indices into the bag, from 0 (equal units in ascending order), ``tree``
    the syntax tree over them. ``score`` is the model's, the higher the better: a sum of weights,
    or, where a model counts, of natural logarithms of probabilities; it has no unit, and scores of
    two models are not compared. ``actions`` is the derivation, ``stopped`` says why the search
    ended, ``counters`` how often it did what (``candidates``, ``expansions``), which depends on the
    system. ``k_best`` lists the outputs best first, this one included.

    ``alike`` are groups of units that the model cannot tell apart, such as words that it does not
    know. They may change places in every output without a change of its score; ``k_best`` lists one
    of all these orders.

    ``unknown`` are the units that training never saw, sorted. ``ties`` are other sentences that
    score the same since the model cannot tell some units apart: which of them is the output, the
    alphabet has decided.

    Where a limit stopped the search, the output may lack words, and ``tree`` may be several trees.
    In CCG ``derivations`` has the derivation of the output, or those of its parts in order.
    """

    units: tuple[tuple[str, ...], ...]
    order: tuple[int, ...]
    tree: DependencyTree
    score: float
    actions: tuple[str, ...] = ()
    stopped: str = "complete"
    counters: Mapping[str, int] = field(default_factory=dict)
    k_best: tuple[Result, ...] = ()
    derivations: tuple[Derivation, ...] = ()
    alike: tuple[tuple[str, ...], ...] = ()
    unknown: tuple[str, ...] = ()
    ties: tuple[str, ...] = ()

    @property
    def doubts(self) -> str:
        """What the model does not know, as a sentence; empty where it knows all."""
        said = []
        if self.unknown:
            there = len(self.units)
            were = (
                "word was"
                if there == 1
                else f"{there} words " + ("was" if len(self.unknown) == 1 else "were")
            )
            said.append(
                f"{len(self.unknown)} of {were} never seen in training "
                f"({brief(', '.join(self.unknown))}): where they stand rests on their tags"
            )
        if self.ties:
            more = f" and {len(self.ties) - 1} more score" if len(self.ties) > 1 else " scores"
            said.append(f"\u201c{brief(self.ties[0])}\u201d{more} the same")
        return "; ".join(said)

    @property
    def is_whole(self) -> bool:
        """Whether it was found as a whole, and not put together when the search was stopped."""
        return self.counters.get("goals", 1) > 0

    @property
    def unlisted(self) -> str:
        """What ``k_best`` leaves out, as a sentence; empty where every unit is known by itself."""
        if not self.alike:
            return ""
        groups = [listed([f"\u201c{unit}\u201d" for unit in units]) for units in self.alike]
        return (
            f"not listed: the same with {'; or with '.join(groups)} in each other's places, which "
            "scores the same, as the model cannot tell them apart"
        )

    @property
    def words(self) -> list[str]:
        """The units in the order found, a phrase as one string."""
        return [" ".join(unit) for unit in self.units]

    @property
    def surface(self) -> tuple[str, ...]:
        """The plain words, phrases taken apart: what is scored."""
        return tuple(word for unit in self.units for word in unit)

    @property
    def text(self) -> str:
        """The sentence with a space between words."""
        return " ".join(self.surface)

    def _repr_html_(self) -> str:
        """For notebooks: the sentence, its score, its tree, and the next best if there are any."""
        box = Element("div", {"class": "wol-result"})
        sentence = clean(self.text) or "(no words)"
        SubElement(SubElement(box, "p", style="margin: 0"), "b").text = sentence
        ended = "" if self.stopped == "complete" else f"; stopped: {self.stopped}"
        score = SubElement(box, "p", style="margin: 0")
        score.text = clean(f"score {self.score:.2f}{ended}")
        if self.derivations:
            for one in self.derivations:  # those of a default output stand side by side
                piece = scrolling(one.drawing())
                piece.set("style", f"display: inline-block; max-width: 100%; {piece.get('style')}")
                box.append(piece)
        else:
            box.append(scrolling(self.tree.drawing()))
        if len(self.k_best) > 1:
            _append_table(box, self.k_best)
            if self.unlisted:
                SubElement(box, "p", style="margin: 0").text = clean(self.unlisted)
        if self.doubts:
            SubElement(box, "p", style="margin: 0").text = clean(self.doubts)
        return html_of(box)


def _append_table(box: Element, k_best: Sequence[Result]) -> None:
    rows = [
        (str(rank + 1), f"{result.score:.2f}", result.text, news(result, k_best[:rank]))
        for rank, result in enumerate(k_best[:SHOWN])
    ]
    if len(k_best) > SHOWN:
        rows.append(("", "", f"and {len(k_best) - SHOWN} more in k_best", ""))
    table = SubElement(box, "table")
    for kind, cells in [("th", ("", "score", "sentence", "")), *(("td", row) for row in rows)]:
        row = SubElement(table, "tr")
        for cell, side in zip(cells, ("right", "right", "left", "left")):
            style = f"text-align: {side}; padding: 0 0.6em"
            SubElement(row, kind, style=style).text = clean(cell)


def news(result: Result, before: Sequence[Result]) -> str:
    """What is new about a result whose sentence has been seen before; else nothing."""
    same = [other for other in before if other.text == result.text]
    if any((other.tree, other.derivations) == (result.tree, result.derivations) for other in same):
        return "the same tree by other actions"
    tree = result.tree
    if any(other.tree == replace(tree, labels=other.tree.labels) for other in same if tree.labels):
        return "the same tree with other labels"
    if not result.derivations and any(other.tree.heads == tree.heads for other in same):
        return "other tags"
    return f"another {'derivation' if result.derivations else 'tree'}" if same else ""


# --- Surface realization


@dataclass(frozen=True, slots=True)
class Realization:
    """The sentence made of a tree of lemmas.

    ``words`` are the tokens as they are scored, the first one capitalised where sentences are.
    ``order`` has the nodes of the tree in the order of the output, each once; ``forms[i]`` is the
    form that node ``i`` took; ``score`` is the model's. ``result`` has tree and search behind it,
    where a search over bags made it. Raises ``ValueError`` where a node is missing or comes twice.
    """

    words: tuple[str, ...]
    order: tuple[int, ...]
    forms: tuple[str, ...]
    score: float
    result: Result | None = None

    def __post_init__(self) -> None:
        if sorted(self.order) != list(range(len(self.forms))):
            raise ValueError(
                f"the order {self.order} of a realization should name each of its "
                f"{len(self.forms)} nodes once"
            )

    @property
    def text(self) -> str:
        """The tokens with a space between them."""
        return " ".join(self.words)

    def _repr_html_(self) -> str:
        """For notebooks: the sentence and its score; of a search also tree and next best outputs.

        Tree and list have the words as the search had them, the first one without its capital.
        """
        if self.result is not None:
            return replace(self.result, units=tuple((word,) for word in self.words))._repr_html_()
        box = Element("div", {"class": "wol-result"})
        SubElement(SubElement(box, "p", style="margin: 0"), "b").text = clean(self.text)
        SubElement(box, "p", style="margin: 0").text = f"score {self.score:.2f}"
        return html_of(box)
