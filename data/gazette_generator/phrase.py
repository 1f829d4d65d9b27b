"""What the grammar builds: a phrase is a Penn tree and a CCG derivation over the same words.

The two are built side by side, since neither can be read off the other: in "the bridge that the
storm damaged" the Penn tree puts "the storm damaged" into an S, the derivation composes subject and
verb. Words are shared objects, so that the two always have the same ones.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from wordorder_lab.structures.category import Category
from wordorder_lab.structures.combinators import combine, coordination, name_of_unary
from wordorder_lab.structures.messages import cited


@dataclass(eq=False, slots=True)
class Word:
    """One word of a sentence, the same object in every layer.

    ``feats`` are morphological features as CoNLL-U writes them. ``source`` are the words of the
    long sentence that this one stands for, in a shorter sentence that is not made by deletion.
    """

    form: str
    tag: str
    category: str
    lemma: str = ""
    feats: str = ""
    source: tuple[Word, ...] = ()


@dataclass(frozen=True, slots=True)
class Node:
    """A node of the Penn tree."""

    label: str
    children: tuple[Node | Word, ...]

    def words(self) -> Iterator[Word]:
        """The words below, left to right."""
        return words_below(self)

    def labelled(self, label: str) -> Node:
        """The same node with another label, such as one with a function tag."""
        return replace(self, label=label)


@dataclass(frozen=True, slots=True)
class Step:
    """A node of the CCG derivation: a word, or what became of one or two steps."""

    category: Category
    children: tuple[Step | Word, ...]

    def words(self) -> Iterator[Word]:
        """The words below, left to right."""
        return words_below(self)


def words_below(node: Node | Step) -> Iterator[Word]:
    """The words of either tree, left to right."""
    for child in node.children:
        if isinstance(child, Word):
            yield child
        else:
            yield from words_below(child)


class Phrase(NamedTuple):
    """Both at once. ``number`` and ``person`` are for agreement, ``gender`` for pronouns."""

    tree: Node
    ccg: Step
    number: str = "sg"
    person: int = 3
    gender: str = "n"

    def words(self) -> list[Word]:
        """The words, left to right."""
        return list(self.tree.words())

    def labelled(self, label: str) -> Phrase:
        """The phrase with another Penn label."""
        return self._replace(tree=self.tree.labelled(label))


Part = Phrase | Word | Step


def ccg_of(part: Part) -> Step:
    """The derivation of a part."""
    if isinstance(part, Step):
        return part
    if isinstance(part, Phrase):
        return part.ccg
    return Step(Category.parse(part.category), (part,))


def first_word(part: Word | Phrase) -> Word:
    """The first word of a part."""
    return part if isinstance(part, Word) else part.words()[0]


def tree_of(part: Phrase | Word | Node) -> Node | Word:
    """The Penn tree of a part."""
    return part.tree if isinstance(part, Phrase) else part


def join(*parts: Part) -> Step:
    """Combine from the left: ``((a b) c)``. Raises ``ValueError`` where no rule applies."""
    result = ccg_of(parts[0])
    for part in parts[1:]:
        result = _pair(result, ccg_of(part))
    return result


def nest(*parts: Part) -> Step:
    """Combine from the right: ``(a (b c))``."""
    result = ccg_of(parts[-1])
    for part in reversed(parts[:-1]):
        result = _pair(ccg_of(part), result)
    return result


def _pair(left: Step, right: Step) -> Step:
    joined = combine(left.category, right.category)
    if joined is None:
        words = " ".join(word.form for step in (left, right) for word in step.words())
        raise ValueError(f"no rule joins {left.category} and {right.category} in {cited(words)}")
    return Step(joined[0], (left, right))


def conjoined(sign: Word, part: Part) -> Step:
    """``and X``, or ``, X`` in a list, becomes ``X[conj]``. Raises ``ValueError`` if it cannot."""
    left, right = ccg_of(sign), ccg_of(part)
    category = coordination(left.category, right.category)
    if category is None:
        raise ValueError(f"{cited(sign.form)} cannot join a {right.category}")
    return Step(category, (left, right))


def appositive(sign: Word, part: Part) -> Step:
    r"""``, NP`` becomes ``NP\NP``: CCGbank's rule for appositions."""
    return Step(Category.parse(r"NP\NP"), (ccg_of(sign), ccg_of(part)))


def lift(part: Part, category: str) -> Step:
    """A unary step: type-raising or type-changing. Raises ``ValueError`` if it is not listed."""
    step, wanted = ccg_of(part), Category.parse(category)
    if name_of_unary(step.category, wanted) == "other":
        words = " ".join(word.form for word in step.words())
        raise ValueError(f"no rule lifts {step.category} to {wanted} in {cited(words)}")
    return Step(wanted, (step,))


def phrase(
    label: str, children: Sequence[Phrase | Word | Node], ccg: Step, like: Phrase | None = None
) -> Phrase:
    """A phrase from the children of its Penn node and its derivation; agreement as of ``like``."""
    made = Phrase(Node(label, tuple(tree_of(child) for child in children)), ccg)
    if like is None:
        return made
    return made._replace(number=like.number, person=like.person, gender=like.gender)
