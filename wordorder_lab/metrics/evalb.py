"""Labelled brackets of phrase-structure trees, by the conventions of the program EVALB.

A bracket is a phrase's label with the places of its first word and after its last. Those of tags
are not counted, nor is one around the whole tree that is called TOP. Words with a tag of
punctuation are taken out before places are counted, so a phrase may end before or after a comma;
which words these are, the gold tags say. PRT counts as ADVP. A bracket that stands in a tree twice
counts twice (Collins's parameter file COLLINS.prm of Sekine & Collins's EVALB, with Black et al.
1991 behind it).

Differences
- *Our reading*: EVALB skips a sentence whose two trees differ in length as an error; here an output
  with other words is refused by name, since all our parsers keep the words that they are given.
- *Our reading*: EVALB, as we remember it, takes punctuation out of each tree by that tree's own
  tags. Here the gold tags decide for both; so a comma with a wrong tag moves no bracket.
- *Our reading*: function tags are taken off both trees, where EVALB expects trees without.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import astuple, dataclass, fields

from wordorder_lab.structures.head_rules import bare_label
from wordorder_lab.structures.plain_tree import Tree

PUNCTUATION = frozenset([",", ":", "``", "''", ".", "-NONE-"])
"""Tags of words that are taken out: DELETE_LABEL of COLLINS.prm."""
AROUND = frozenset(["TOP", "ROOT", "S1", ""])
SAME = {"PRT": "ADVP"}

Bracket = tuple[str, int, int]


@dataclass(frozen=True)
class BracketScores:
    """Brackets of a corpus: those in gold and output, those that match, and sentences.

    ``exact`` counts sentences all of whose brackets match. The shares are between 0 and 1; one of
    nothing is 0.
    """

    matched: int
    gold: int
    output: int
    exact: int
    sentences: int
    right_tags: int
    tags: int

    @property
    def precision(self) -> float:
        """Of the output's brackets those that gold has."""
        return _share(self.matched, self.output)

    @property
    def recall(self) -> float:
        """Of gold's brackets those that the output has."""
        return _share(self.matched, self.gold)

    @property
    def f1(self) -> float:
        """The harmonic mean of both."""
        return _share(2 * self.matched, self.gold + self.output)

    @property
    def exact_match(self) -> float:
        """The share of sentences that are right as a whole."""
        return _share(self.exact, self.sentences)

    @property
    def tag_accuracy(self) -> float:
        """The share of words, punctuation aside, with the gold tag."""
        return _share(self.right_tags, self.tags)

    @classmethod
    def together(cls, several: Iterable[BracketScores]) -> BracketScores:
        """The counts of several added up; of none, nothing but zeros."""
        return cls(*map(sum, zip((0,) * len(fields(cls)), *map(astuple, several))))

    def to_dict(self) -> dict[str, object]:
        """Counts and shares as JSON-ready values."""
        shares = ("precision", "recall", "f1", "exact_match", "tag_accuracy")
        return {**self.__dict__, **{name: getattr(self, name) for name in shares}}


def bracket_scores(
    gold: Sequence[Tree], outputs: Sequence[Tree], names: Sequence[str] = ()
) -> BracketScores:
    """Score trees against gold trees, which have no traces, summed over all sentences.

    ``names`` are for errors. Raises ``ValueError`` for an output over other words, and for unequal
    lists.
    """
    if not gold or len(gold) != len(outputs):
        raise ValueError(f"{len(outputs):,} trees for {len(gold):,} gold trees: give one for each")
    named = [*names, *(f"tree {number:,}" for number in range(len(names) + 1, len(gold) + 1))]
    return BracketScores.together(map(_of_sentence, gold, outputs, named))


def _of_sentence(gold: Tree, output: Tree, name: str) -> BracketScores:
    if gold.leaves() != output.leaves():
        raise ValueError(f"{name}: {_difference(gold.leaves(), output.leaves())}")
    wanted, found = brackets_of(gold, gold), brackets_of(output, gold)
    counts = (wanted & found).total(), wanted.total(), found.total(), int(wanted == found)
    tags = [[bare_label(tag) for _, tag in tree.pos()] for tree in (gold, output)]
    right = [tag == other for tag, other in zip(*tags) if tag not in PUNCTUATION]
    return BracketScores(*counts, 1, sum(right), len(right))


def brackets_of(tree: Tree, gold: Tree) -> Counter[Bracket]:
    """The brackets of a tree, each as often as it stands there; ``gold`` has the tags."""
    places = [0]
    for _, tag in gold.pos():
        places.append(places[-1] + (bare_label(tag) not in PUNCTUATION))
    found: Counter[Bracket] = Counter()

    def visit(node: Tree, start: int) -> int:
        if not isinstance(node[0], Tree):
            return start + 1
        end = start
        for child in node:
            end = visit(child, end)
        label = bare_label(node.label())
        if label not in AROUND and places[end] > places[start]:
            found[SAME.get(label, label), places[start], places[end]] += 1
        return end

    visit(tree, 0)
    return found


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0


def _difference(gold: Sequence[str], output: Sequence[str]) -> str:
    if len(gold) != len(output):
        return f"the tree has {len(output)} words, the gold tree {len(gold)}"
    place = next(i for i, (one, other) in enumerate(zip(gold, output)) if one != other)
    return f"word {place + 1} of the tree is {output[place]!r}, of the gold tree {gold[place]!r}"
