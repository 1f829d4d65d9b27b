"""What can be counted in a treebank: sentences, words, tags, rules, arcs.

Counted are words as they stand, trees without traces. A rule is a phrase with its children's
labels, function tags taken off: ``NP -> DT NN``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

from wordorder_lab.corpora.base_np import is_tagged_word, without_traces
from wordorder_lab.corpora.penn import read_tree_file
from wordorder_lab.corpora.penn_to_dependencies import tokens_of
from wordorder_lab.structures.head_rules import bare_label

if TYPE_CHECKING:
    from nltk.tree import Tree


class Profile(NamedTuple):
    """What is counted in one corpus. ``growth[i]`` is how many types ``i`` words hold."""

    name: str
    lengths: Counter[int]
    growth: list[int]
    tags: Counter[str]
    rules: Counter[str]
    arcs: Counter[int]
    base_nps: int

    @property
    def words(self) -> int:
        """How many words there are."""
        return self.tags.total()


def profile(name: str, files: Iterable[Any]) -> Profile:
    """Count in the trees of these files. Raises ``CorpusError`` as reading them does."""
    whole = (tree for path in files for tree in read_tree_file(path))
    made = Profile(name, Counter(), [0], Counter(), Counter(), Counter(), 0)
    types: set[str] = set()
    base_nps = 0
    for tree in filter(None, map(without_traces, whole)):
        for word, tag in tree.pos():
            types.add(word.lower())
            made.growth.append(len(types))
            made.tags[tag] += 1
        made.lengths[len(tree.leaves())] += 1
        made.rules.update(_rules(tree))
        made.arcs.update(abs(t.head - i) for i, t in enumerate(tokens_of(tree)) if t.head >= 0)
        base_nps += _base_nps(tree)
    return made._replace(base_nps=base_nps)


def _rules(tree: Tree) -> Iterable[str]:
    for node in tree.subtrees(lambda node: not is_tagged_word(node)):
        children = " ".join(bare_label(child.label()) for child in node)
        yield f"{bare_label(node.label())} -> {children}"


def _base_nps(tree: Tree) -> int:
    phrases = [n for n in tree.subtrees() if bare_label(n.label()) == "NP"]
    return sum(
        not any(bare_label(b.label()) == "NP" for b in n.subtrees() if b is not n) for n in phrases
    )


# --- what is said of both ---------------------------------------------------------------------


def mean(counts: Counter[int]) -> float:
    """The mean of what is counted."""
    return sum(value * count for value, count in counts.items()) / counts.total()


def quantile(counts: Counter[int], share: float) -> int:
    """The least value that this share of what is counted does not exceed."""
    below = 0
    for value in sorted(counts):
        below += counts[value]
        if below >= share * counts.total():
            return value
    raise ValueError("nothing is counted")


def between(counts: Counter[int], low: int, high: int) -> float:
    """The share of what is counted that lies here."""
    return sum(n for value, n in counts.items() if low <= value <= high) / counts.total()


def rules_within(p: Profile, words: int) -> float:
    """Expected kinds of rules in a random part of the corpus of this many words.

    For every rule, the chance that it is in the part: corpora of two sizes can be compared so.
    """
    kept = words / p.words
    return sum(1 - (1 - kept) ** count for count in p.rules.values())
