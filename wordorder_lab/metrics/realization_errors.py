"""Why realized sentences are not their references, and what each cause costs.

An order is a choice at every head: how it and its dependents follow one another. So an output is
compared with its reference head by head, and word by word for the forms:

    for each head whose sequence of parts is not the reference's:
        punctuation   it is, once dependents labelled punct are left out
        sides         else, if a dependent is on the other side of the head
        siblings      else: each is on its side, in another order
    for each lemma whose form is not the reference's, whatever the capitals:
        contractions  one of the two is a short form ('s for is, n't for not, wo for will)
        inflection    else
    crossing          sentences whose reference no sequence of whole parts can give

What a cause costs is found by repairing it alone: the heads in question get the reference's
sequence, the lemmas its form, and BLEU is counted again. The costs need not add up. Of a sentence
with crossing arcs the whole order is repaired.

Parts that are equal in all that they say, down to their last dependent, may change places. Only
trees count whose words and places are known.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

from wordorder_lab.metrics.bleu import bleu_of_counts, sentence_counts
from wordorder_lab.metrics.realization import check_outputs, known_places
from wordorder_lab.structures.lemma_tree import LemmaTree, universal
from wordorder_lab.structures.result import Realization

PUNCTUATION, SIDES, SIBLINGS = "punctuation", "sides", "siblings"
CONTRACTIONS, INFLECTION, CROSSING = "contractions", "inflection", "crossing"
CAUSES = (SIBLINGS, SIDES, PUNCTUATION, INFLECTION, CONTRACTIONS, CROSSING)
HEAD = "HEAD"
MOST_PAIRS = 20


class Cause(NamedTuple):
    """How many ``places`` (heads, lemmas or sentences) in how many ``sentences`` are wrong for
    this cause, and what BLEU would be if they were not."""

    name: str
    places: int
    sentences: int
    bleu_lc: float


@dataclass(frozen=True)
class RealizationErrors:
    """The causes in the outputs of ``sentences`` trees, and their BLEU as they are.

    ``pairs`` has the most frequent pairs of labels (``HEAD`` for the head itself) that came out the
    wrong way round, in their right order.
    """

    sentences: int
    bleu_lc: float
    causes: tuple[Cause, ...]
    pairs: tuple[tuple[str, str, int], ...]

    def to_dict(self) -> dict[str, object]:
        """As JSON-ready values."""
        causes, pairs = [one._asdict() for one in self.causes], [list(pair) for pair in self.pairs]
        return {**self.__dict__, "causes": causes, "pairs": pairs}

    def __str__(self) -> str:
        """A table to print: a line a cause, then the pairs."""
        lines = [f"{'cause':<14}{'places':>8}{'sentences':>11}{'BLEU without it':>17}"]
        for cause in self.causes:
            gain = f"{cause.bleu_lc:.2f} ({cause.bleu_lc - self.bleu_lc:+.2f})"
            lines.append(f"{cause.name:<14}{cause.places:>8,}{cause.sentences:>11,}{gain:>17}")
        pairs = ", ".join(f"{first} {second} {n}" for first, second, n in self.pairs)
        return "\n".join([*lines, f"wrong way round: {pairs or '-'}"])


def realization_errors(
    outputs: Sequence[Realization],
    trees: Sequence[LemmaTree],
    gold: Sequence[LemmaTree | None] | None = None,
) -> RealizationErrors:
    """The causes of all that is wrong; arguments and ``ValueError`` are those of
    ``realization_scores``, and it is raised where no tree's words and places are known."""
    gold = known_places(trees) if gold is None else gold
    check_outputs(outputs, trees, gold)
    triples = zip(outputs, trees, gold)
    known = [Comparison(output, tree, one) for output, tree, one in triples if one is not None]
    if not known:
        raise ValueError("no tree knows its words and places: there is nothing to compare with")
    references = [" ".join(one.reference) for one in known]

    def bleu(causes: Collection[str]) -> float:
        """BLEU as it would be without these causes, between 0 and 100."""
        texts = [" ".join(one.repaired(causes)) for one in known]
        return bleu_of_counts(sentence_counts(texts, references, "lc").sum(axis=0))

    causes = []
    for name in CAUSES:
        places = [one.places(name) for one in known]
        causes.append(Cause(name, sum(places), sum(map(bool, places)), bleu((name,))))
    pairs = Counter[tuple[str, str]]()
    for one in known:
        pairs.update(one.turned_round())
    ranked = sorted(pairs.items(), key=lambda item: (-item[1], item[0]))[:MOST_PAIRS]
    most = tuple((first, second, number) for (first, second), number in ranked)
    return RealizationErrors(len(known), bleu(()), tuple(causes), most)


class Comparison:
    """One output beside its reference: the cause at every head and lemma, and repairs."""

    def __init__(self, output: Realization, tree: LemmaTree, gold: LemmaTree) -> None:
        self.output, self.tree = output, tree
        self.forms = [(node.form or "") for node in gold.nodes]
        there = [node.position or 0 for node in gold.nodes]
        here = [0] * len(tree)
        for place, node in enumerate(output.order):
            here[node] = place
        self.right_order = sorted(range(len(tree)), key=there.__getitem__)
        self.reference = [self.forms[i] for i in self.right_order]
        parts = [(head, *dependents) for head, dependents in enumerate(tree.dependents)]
        self.sequences = [sorted(some, key=here.__getitem__) for some in parts]
        self.right_sequences = [sorted(some, key=there.__getitem__) for some in parts]
        self.kinds = kinds(tree)
        self.order_causes = [self._of_head(head) for head in range(len(tree))]
        self.form_causes = [*map(_of_form, output.forms, self.forms)]
        whole = [self.kinds[i] for i in linear(tree, self.right_sequences)]
        self.crossing = whole != [self.kinds[i] for i in self.right_order]

    def places(self, cause: str) -> int:
        """How many heads, lemmas or sentences are wrong for this cause."""
        if cause == CROSSING:
            return int(self.crossing)
        return self.order_causes.count(cause) + self.form_causes.count(cause)

    def repaired(self, causes: Collection[str]) -> list[str]:
        """The words of the output with these causes taken away."""
        forms = [
            right if cause in causes else mine
            for mine, right, cause in zip(self.output.forms, self.forms, self.form_causes)
        ]
        return [forms[i] for i in self.order(causes)]

    def order(self, causes: Collection[str]) -> Sequence[int]:
        """The nodes in the order of the output with these causes taken away."""
        if self.crossing and CROSSING in causes:
            return self.right_order
        if not any(cause in causes for cause in self.order_causes):
            return self.output.order
        triples = zip(self.sequences, self.right_sequences, self.order_causes)
        return linear(
            self.tree, [right if cause in causes else mine for mine, right, cause in triples]
        )

    def turned_round(self) -> list[tuple[str, str]]:
        """The labels of all two parts of one head whose order is wrong."""
        found = []
        for head, right in enumerate(self.right_sequences):
            place = {part: i for i, part in enumerate(self.sequences[head])}
            for pair in combinations(right if self.order_causes[head] else (), 2):
                first, second = pair
                if place[first] > place[second] and self.kinds[first] != self.kinds[second]:
                    labels = [HEAD if i == head else self.tree.nodes[i].label for i in pair]
                    found.append((labels[0], labels[1]))
        return found

    def _of_head(self, head: int) -> str | None:
        mine, right = self.sequences[head], self.right_sequences[head]
        if self._alike(mine, right):
            return None
        mine, right = (
            [i for i in some if i == head or universal(self.tree.nodes[i].label) != "punct"]
            for some in (mine, right)
        )
        if self._alike(mine, right):
            return PUNCTUATION
        left_of = [
            sorted(self.kinds[i] for i in some[: some.index(head)]) for some in (mine, right)
        ]
        return SIBLINGS if left_of[0] == left_of[1] else SIDES

    def _alike(self, mine: Sequence[int], right: Sequence[int]) -> bool:
        return [self.kinds[i] for i in mine] == [self.kinds[i] for i in right]


def linear(tree: LemmaTree, sequences: Sequence[Sequence[int]]) -> list[int]:
    """The nodes in one line, by the sequence of parts at every head."""
    order: list[int] = []
    todo = [(tree.root, True)]
    while todo:
        node, is_whole = todo.pop()
        if is_whole:
            todo += [(part, part != node) for part in reversed(sequences[node])]
        else:
            order.append(node)
    return order


def kinds(tree: LemmaTree) -> list[int]:
    """A number for each node, the same for those that are equal with all that is below them."""
    numbers: dict[tuple[object, ...], int] = {}
    found = [0] * len(tree)
    for i in tree.upwards():
        node = tree.nodes[i]
        below = tuple(sorted(found[j] for j in tree.dependents[i]))
        alike = (node.lemma, node.upos, node.xpos, node.features, node.label, below)
        found[i] = numbers.setdefault(alike, len(numbers))
    return found


def _of_form(mine: str, right: str) -> str | None:
    if mine.lower() == right.lower():
        return None
    return CONTRACTIONS if is_short(mine) or is_short(right) else INFLECTION


def is_short(form: str) -> bool:
    """Whether a form is a contracted one: *'s*, *n't*, or *wo* of *won't*."""
    plain = form.lower().replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")
    return "'" in plain or plain in ("ca", "wo", "sha", "ai")
