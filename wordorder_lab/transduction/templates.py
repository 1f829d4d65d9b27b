"""Features of the rules of a synchronous tree substitution grammar: templates in, names out.

Cohn & Lapata (2009), section 4 and Table 2. The templates are a text file in the table's own words;
this file knows what each of them says about a rule.

Section 6.1 leaves features out (Table 5). Beside the n-grams it knows "two broad classes, those
defined over rules and those defined over tokens"; ``FEATURES`` has every choice of these three
classes, written as ``rule,token,ngram``.

Differences
- *Paper silent*: which templates are in which class. Over tokens (``OVER_TOKENS``) we take those
  that look at words alone: both word counts, and the yields as words. All others are over rules,
  also those whose trees happen to have words in them.
- *Paper silent*: whether the n-gram feature stays in the rows "only rule features" and "only token
  features". We keep it in both: what was divided in two are "the *other* features", and either row
  is 8 points of F1 or more above the one that has all features and unigrams. So these rows are
  ``rule,ngram`` and ``token,ngram`` here.
- *Our reading*: of "source terminals" Table 2 says that they are counted in the source tree when
  the rule is applied. We count those that the application consumes: the rule's own and all below
  its deleted nodes. Over any derivation they add up to the length of the sentence. So the feature
  cancels out of Psi(gold) - Psi(output), all that the learner ever sees (equation 10): its weight
  is always 0, and learning would be the same without it. It stays for Table 2's sake; with "target
  terminals" one can read off a derivation how many words went, which is what section 4 has it for.
  (Were all words below the rule's node counted, derivations would differ in it. The paper does not
  decide.)
- *Our reading*: where neither side has a word, the sequences of words are not compared: every rule
  of structure alone would share that feature.
- *Our reading*: "α = γ" compares the two trees without their indices.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import resources
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

from wordorder_lab.structures.messages import cited
from wordorder_lab.structures.synchronous_rule import (
    EPSILON,
    INNER,
    ElementaryTree,
    SynchronousRule,
    escaped,
)
from wordorder_lab.structures.templates import template_text
from wordorder_lab.transduction.grammar import ORIGINS, leaves

TABLES = resources.files("wordorder_lab.transduction") / "tables"
DEFAULT = "cohn_lapata_2009_table_2"

RULE, TOKEN, NGRAM = CLASSES = "rule", "token", "ngram"
"""The classes of features, in the order in which they are named."""
FEATURES = tuple(",".join(some) for n in (3, 2, 1) for some in combinations(CLASSES, n))
"""Which classes may be learned with: any of them. Table 5 has ``rule,token,ngram`` ("all
features"), ``rule,ngram`` ("only rule features") and ``token,ngram`` ("only token features")."""
ALL = FEATURES[0]

SOURCE_TERMINALS = "Word count: source terminals"
"""The feature that depends on where a rule is applied, and not on the rule alone."""

Feature = tuple[str, float]


class Side(NamedTuple):
    """One side of a rule as templates see it.

    ``text`` is its notation, ``shown`` the same without indices, ``unlexicalised`` and ``numbered``
    these two without words. ``length`` counts the leaves.
    """

    label: str
    text: str
    shown: str
    unlexicalised: str
    numbered: str
    length: int
    words: list[str]
    non_terminals: list[str]

    @classmethod
    def of(cls, tree: ElementaryTree, text: str) -> Side:
        """What there is to see of a tree with this text."""
        frontier = leaves(tree)
        return cls(
            tree.label,
            text,
            shown(tree),
            unlexicalised(tree),
            unlexicalised(tree, indices=True),
            len(frontier),
            [leaf for leaf in frontier if isinstance(leaf, str)],
            non_terminals(tree),
        )


class Look(NamedTuple):
    """A rule as templates see it: both sides, and where it comes from."""

    source: Side
    target: Side
    origin: int


Maker = Callable[[Look], Iterator[Feature]]


@dataclass(frozen=True)
class RuleTemplates:
    """Feature templates in their notation: ``rows`` are pairs (name of the row, what it says)."""

    name: str
    text: str
    rows: tuple[tuple[str, str], ...]

    def features(self, rule: SynchronousRule, origin: int) -> Iterator[Feature]:
        """The features of a rule with their values, those of value 0 left out.

        That of ``SOURCE_TERMINALS`` is not among them.
        """
        alpha, gamma = rule.sides
        look = Look(Side.of(rule.source, alpha), Side.of(rule.target, gamma), origin)
        for row, what in self.rows:
            for name, value in MAKERS[what](look):
                yield f"{row}: {name}", value

    def only(self, features: str) -> RuleTemplates:
        """Those of some classes, as ``feature_classes`` takes them; the text is what is left of it.

        With ``ngram`` alone there is no template, and no text. Raises ``ValueError`` where nothing
        is left of what is wanted, and for another class.
        """
        kept = set(feature_classes(features).split(",")) - {NGRAM}
        if not kept:
            return RuleTemplates(self.name, "", ())
        if kept == {RULE, TOKEN}:
            return self
        lines = [line for line in self.text.splitlines() if _class_of(line) in (None, *kept)]
        if all(_class_of(line) is None for line in lines):
            raise ValueError(f"{self.name} has no templates for {cited(features)}")
        return parse_templates("\n".join(lines) + "\n", self.name)

    @property
    def counts_source(self) -> bool:
        """Whether ``SOURCE_TERMINALS`` is one of the features."""
        return any(what == "source terminals" for _, what in self.rows)


def feature_classes(named: str) -> str:
    """Classes of features as ``FEATURES`` writes them: ``"ngram, rule"`` is ``"rule,ngram"``.

    Raises ``ValueError`` for a class that there is not, one that is named twice, and none at all.
    """
    given = [name.strip() for name in named.split(",")]
    if set(given) <= set(CLASSES) and len(set(given)) == len(given):
        return ",".join(name for name in CLASSES if name in given)
    raise ValueError(
        f"no features {cited(named)}: name one or more of {', '.join(CLASSES)}, as in "
        f"{RULE},{NGRAM}"
    )


def parse_templates(text: str, name: str = "templates") -> RuleTemplates:
    """Templates of a text; ``ValueError`` names the line that says something unknown."""
    rows = []
    for number, line in enumerate(text.splitlines(), 1):
        row, what = _row(line)
        if not row:
            continue
        if what not in MAKERS:
            raise ValueError(
                f"line {number} of {name}: {cited(line.strip())} is no template; a line has the "
                f"name of a row, two spaces or more, and one of: {'; '.join(MAKERS)}"
            )
        rows.append((row, what))
    if not rows:
        raise ValueError(f"{name} has no templates")
    return RuleTemplates(name, text, tuple(rows))


def _row(line: str) -> tuple[str, str]:
    """The name of a row and what it says; both are empty where a line has a comment alone."""
    row, _, what = line.split("#")[0].strip().partition("  ")
    return row, what.strip()


def _class_of(line: str) -> str | None:
    """``TOKEN`` or ``RULE``; ``None`` where there is no template."""
    row, what = _row(line)
    if not row:
        return None
    return TOKEN if what in OVER_TOKENS else RULE


def load_templates(name: str = DEFAULT) -> RuleTemplates:
    """Templates that come with the package, or those of a file.

    Raises ``ValueError`` where there is neither.
    """
    if Path(name).is_file():
        return parse_templates(Path(name).read_text(encoding="utf-8"), Path(name).stem)
    return parse_templates(template_text(TABLES, name), name)


def shown(tree: ElementaryTree) -> str:
    """A tree as Table 2 prints α and γ: brackets, no indices."""
    if tree.index != INNER:
        return tree.label
    below = [child if isinstance(child, str) else shown(child) for child in tree.children]
    return f"[{tree.label} {' '.join(below)}]"


def unlexicalised(tree: ElementaryTree, indices: bool = False) -> str:
    """The same without words: a preterminal over a word is its label alone."""
    if tree.index != INNER:
        index = "eps" if tree.index == EPSILON else tree.index
        return f"{escaped(tree.label)}_{index}" if indices else tree.label
    below = [unlexicalised(c, indices) for c in tree.children if not isinstance(c, str)]
    return f"[{tree.label} {' '.join(below)}]" if below else tree.label


def non_terminals(tree: ElementaryTree) -> list[str]:
    """The frontier without words: preterminals and variables, those that are deleted too."""
    if tree.index != INNER:
        return [tree.label]
    below = [child for child in tree.children if not isinstance(child, str)]
    return [label for child in below for label in non_terminals(child)] or [tree.label]


def _one(name: Callable[[Side, Side], str]) -> Maker:
    """A maker of one indicator feature; an empty name is no feature."""

    def maker(look: Look) -> Iterator[Feature]:
        if one := name(look.source, look.target):
            yield one, 1.0

    return maker


def _count(name: str, number: Callable[[Side, Side], int]) -> Maker:
    """A maker of one feature with a number for its value; 0 is no feature."""

    def maker(look: Look) -> Iterator[Feature]:
        if value := number(look.source, look.target):
            yield name, float(value)

    return maker


def _origin(look: Look) -> Iterator[Feature]:
    yield from ((name, 1.0) for bit, name in ORIGINS.items() if look.origin & bit)


def _sequences(kind: str, of: Callable[[Side], list[str]]) -> Maker:
    def name(source: Side, target: Side) -> str:
        alpha, gamma = of(source), of(target)
        if not alpha and not gamma:
            return ""
        return f"{kind}s source = [{', '.join(alpha)}] ∧ target = [{', '.join(gamma)}]"

    return _one(name)


def _each(kind: str, both: bool, of: Callable[[Side], list[str]]) -> Maker:
    where = "in both source and target" if both else "in source and not target"

    def maker(look: Look) -> Iterator[Feature]:
        target = set(of(look.target))
        for one in dict.fromkeys(of(look.source)):
            if (one in target) == both:
                yield f"{kind} {one} {where}", 1.0

    return maker


def _words(side: Side) -> list[str]:
    return side.words


def _non_terminals(side: Side) -> list[str]:
    return side.non_terminals


MAKERS: dict[str, Maker] = {
    "origin": _origin,
    "X": _one(lambda alpha, _: f"X = {alpha.label}"),
    "Y": _one(lambda _, gamma: f"Y = {gamma.label}"),
    "X ∧ Y": _one(lambda alpha, gamma: f"X = {alpha.label} ∧ Y = {gamma.label}"),
    "α": _one(lambda alpha, _: f"α = {alpha.shown}"),
    "γ": _one(lambda _, gamma: f"γ = {gamma.shown}"),
    "(α, γ, ∼)": _one(lambda alpha, gamma: f"α = {alpha.text} ∧ γ = {gamma.text}"),
    "α = γ": _one(lambda alpha, gamma: "α = γ" if alpha.shown == gamma.shown else ""),
    "unlex. α": _one(lambda alpha, _: f"unlex. α = {alpha.unlexicalised}"),
    "unlex. γ": _one(lambda _, gamma: f"unlex. γ = {gamma.unlexicalised}"),
    "unlex. (α, γ, ∼)": _one(
        lambda alpha, gamma: f"unlex. α = {alpha.numbered} ∧ γ = {gamma.numbered}"
    ),
    "unlex. α = γ": _one(
        lambda alpha, gamma: "unlex. α = γ" if alpha.unlexicalised == gamma.unlexicalised else ""
    ),
    "1": _one(lambda *_: "1"),
    "target terminals": _count("target terminals", lambda _, gamma: len(gamma.words)),
    "source terminals": lambda _: iter(()),  # see SOURCE_TERMINALS
    "terminals: source ∧ target": _sequences("terminal", _words),
    "each terminal in both source and target": _each("terminal", True, _words),
    "each terminal in source and not target": _each("terminal", False, _words),
    "non-terminals: source ∧ target": _sequences("non-terminal", _non_terminals),
    "each non-terminal in both source and target": _each("non-terminal", True, _non_terminals),
    "each non-terminal in source and not target": _each("non-terminal", False, _non_terminals),
    "difference in length": _count(
        "difference in length", lambda alpha, gamma: alpha.length - gamma.length
    ),
    "target shorter": _one(
        lambda alpha, gamma: "target shorter" if alpha.length > gamma.length else ""
    ),
}
"""What a template says -> the features that it makes of a rule."""

OVER_TOKENS = frozenset(
    {
        "target terminals",
        "source terminals",
        "terminals: source ∧ target",
        "each terminal in both source and target",
        "each terminal in source and not target",
    }
)
"""The templates of the token features (section 6.1); all others are over rules."""
