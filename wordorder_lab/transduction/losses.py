"""The five losses of Cohn & Lapata (2009), section 3.6, by the arguments that a chart holds.

A loss compares an output with the reference. Its *arguments* are counts that add up when pieces of
an output are put together; the chart keeps an item for each of their values (section 3.5).

- ``hamming-tokens``, ``hamming-ngrams`` (n up to 3, with two start symbols and one end symbol) and
  ``hamming-cfg`` (productions) have (TP, FP): how many items of the output are in the reference,
  and how many are not, a repeated one counted each time. Equation 12:
  FP + penalty * max(l - (TP + FP), 0), l the number of items of the reference.
- ``edit`` (equation 13) and ``f1`` (equation 14) count the tokens of each type in the reference,
  up to as often as they are there, and in the last place all other tokens.

Differences
- *Text against figure*: Table 1 prints Hamming losses divided by the number of items of the output,
  equation 12 does not divide; we do not.
- *Text against figure*: for 3-grams Table 1 has TP 8, FP 5; with 4 unigrams, 5 bigrams and 5
  trigrams they are 8 and 6. For CFG it has 8 and 1, which needs both verb phrases to be flat; with
  the trees as printed they are 7 and 2 (and one production is missing: 3).
- *Our reading*: the penalty is the factor of footnote 17, usually 1.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from wordorder_lab.structures.messages import cited
from wordorder_lab.structures.plain_tree import Tree
from wordorder_lab.structures.synchronous_rule import ElementaryTree

LOSSES = ("hamming-tokens", "hamming-ngrams", "hamming-cfg", "edit", "f1")
HAMMING, EDIT, F1 = 1, 2, 3
"""How the value is made of the arguments."""

START, END = (0,), (1,)
"""The marks around an output: numbers, so that no word is one of them."""
LONGEST = 3
"""The longest n-gram of ``hamming-ngrams``."""

Production = tuple[str, tuple[str, ...]]


@dataclass(frozen=True)
class Loss:
    """A loss against one reference.

    ``width`` is the number of arguments. ``caps`` say how high each may count, what is above goes
    into the last one; -1 is no bound. ``length`` is the number of items of the reference;
    ``places`` the argument of each item: of a token, an n-gram or a production. Items that are not
    there count in the last argument. ``factor`` is what all of it is multiplied by.
    """

    name: str
    kind: int
    width: int
    caps: tuple[int, ...]
    length: int
    places: dict[object, int]
    penalty: float = 1.0
    factor: float = 1.0

    @property
    def reach(self) -> int:
        """Words that a seam must see on each side: those of the longest n-gram but one."""
        return LONGEST - 1 if self.name == "hamming-ngrams" else 0

    @property
    def ngrams(self) -> list[tuple[str | int, ...]]:
        """The n-grams of the reference, each once, where the loss counts n-grams; else none."""
        return [item for item in self.places if isinstance(item, tuple)] if self.reach else []

    def value(self, counts: Sequence[int]) -> float:
        """The loss of an output with these arguments, or of a piece as if it were all."""
        if self.kind == HAMMING:
            short = self.length - (counts[0] + counts[1])
            return self.factor * (counts[1] + self.penalty * max(short, 0))
        matched = 0
        for count in counts[:-1]:
            matched += count
        found = matched + counts[-1]
        if self.kind == EDIT:
            return self.factor * float(found + self.length - 2 * matched)
        if matched == 0:
            return self.factor
        precision, recall = matched / found, matched / self.length
        return self.factor * (1 - 2 * precision * recall / (precision + recall))

    def added(self, counts: list[int], more: Sequence[int]) -> None:
        """Add arguments to others, in place."""
        for i, count in enumerate(more):
            counts[i] += count
        for i, cap in enumerate(self.caps):
            if 0 <= cap < counts[i]:
                counts[-1] += counts[i] - cap
                counts[i] = cap

    def of_rule(self, target: ElementaryTree) -> tuple[int, ...]:
        """The arguments of the target side of a rule alone; n-grams are seen at seams."""
        counts = [0] * self.width
        if self.name == "hamming-cfg":
            items: list[object] = list(productions(target))
        else:
            items = [] if self.reach else list(target.words())
        for item in items:
            one = [0] * self.width
            one[self.places.get(item, self.width - 1)] = 1
            self.added(counts, one)
        return tuple(counts)

    def of_tree(self, tree: Tree) -> tuple[int, ...]:
        """The arguments of a whole output."""
        counts = [0] * self.width
        for item in items_of(self.name, tree):
            one = [0] * self.width
            one[self.places.get(item, self.width - 1)] = 1
            self.added(counts, one)
        return tuple(counts)


def compression_loss(name: str, reference: Tree, penalty: float = 1.0, factor: float = 1.0) -> Loss:
    """The loss of this name, times ``factor``, against a reference tree. Raises ``ValueError`` for
    no name of ``LOSSES``, a penalty below 0, a factor not above 0."""
    check_loss(name, penalty)
    penalty, factor = float(penalty), float(factor)
    if not factor > 0:
        raise ValueError(f"the factor of a loss is above 0, not {factor}")
    items = items_of(name, reference)
    if name in ("edit", "f1"):
        counted = Counter(items)
        types = list(counted)  # in the order of the reference
        caps = (*(counted[one] for one in types), -1)
        places = {one: i for i, one in enumerate(types)}
        kind = EDIT if name == "edit" else F1
        return Loss(name, kind, len(caps), caps, len(items), places, penalty, factor)
    return Loss(name, HAMMING, 2, (-1, -1), len(items), dict.fromkeys(items, 0), penalty, factor)


def check_loss(name: str, penalty: float = 1.0) -> None:
    """Raise ``ValueError`` for a loss or a length penalty that cannot be."""
    if name not in LOSSES:
        raise ValueError(f"no loss is called {cited(name)}: choose one of {', '.join(LOSSES)}")
    if not isinstance(penalty, int | float) or not 0 <= penalty < float("inf"):
        raise ValueError(f"the length penalty is a number from 0 up, not {cited(penalty)}")


def items_of(name: str, tree: Tree) -> list[object]:
    """The items of a tree that a loss counts, with repetitions."""
    words = tuple(tree.leaves())
    if name == "hamming-cfg":
        return list(tree_productions(tree))
    return list(ngrams(words) if name == "hamming-ngrams" else words)


def ngrams(words: tuple[str, ...]) -> Iterator[tuple[str | int, ...]]:
    """All n-grams up to ``LONGEST`` with padding; of the paddings alone there is none."""
    padded = START * (LONGEST - 1) + words + END
    for end in range(LONGEST, len(padded) + 1):
        for n in range(1 if end < len(padded) else 2, LONGEST + 1):
            yield padded[end - n : end]


def tree_productions(tree: Tree) -> Iterator[Production]:
    """The productions of a whole tree, those of words included."""
    for node in tree.subtrees():
        below = (child.label() if isinstance(child, Tree) else child for child in node)
        yield node.label(), tuple(below)


def productions(tree: ElementaryTree) -> Iterator[Production]:
    """The productions within an elementary tree; a variable alone has none."""
    if not tree.is_frontier:
        below = (child if isinstance(child, str) else child.label for child in tree.children)
        yield tree.label, tuple(below)
        for child in tree.children:
            if not isinstance(child, str):
                yield from productions(child)
