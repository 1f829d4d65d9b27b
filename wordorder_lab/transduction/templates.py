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
    """One side of a rule: ``text`` is its notation, ``shown`` has no indices, ``unlexicalised`` and
    ``numbered`` are these two without words; ``length`` counts the leaves."""

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


@dataclass(frozen=True)
class RuleTemplates:
    """Feature templates in their notation: ``rows`` are pairs (name of the row, what it says)."""

    name: str
    text: str
    rows: tuple[tuple[str, str], ...]

    def features(self, rule: SynchronousRule, origin: int) -> Iterator[Feature]:
        """The features of a rule with their values, those of value 0 left out. That of
        ``SOURCE_TERMINALS`` is not among them."""
        alpha, gamma = rule.sides
        source, target = Side.of(rule.source, alpha), Side.of(rule.target, gamma)
        for row, what in self.rows:
            if what == "origin":
                names = [name for bit, name in ORIGINS.items() if origin & bit]
            elif what in NUMBERS:
                names = [what]
            else:
                names = NAMES[what](source, target)
            value = float(NUMBERS[what](source, target)) if what in NUMBERS else 1.0
            if value:
                yield from ((f"{row}: {name}", value) for name in names)

    def only(self, features: str) -> RuleTemplates:
        """Those of some ``feature_classes``, with the text that is left; ``ngram`` alone has none.
        Raises ``ValueError`` where nothing is left of what is wanted, and for another class."""
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
    """Classes as ``FEATURES`` writes them: ``"ngram, rule"`` is ``"rule,ngram"``. Raises
    ``ValueError`` for another class, one that is named twice, and none at all."""
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
        if what not in KNOWN:
            raise ValueError(
                f"line {number} of {name}: {cited(line.strip())} is no template; a line has the "
                f"name of a row, two spaces or more, and one of: {'; '.join(KNOWN)}"
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
    """Templates that come with the package, or those of a file. Raises ``ValueError`` where there
    is neither."""
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


def _sequences(kind: str, alpha: list[str], gamma: list[str]) -> list[str]:
    if not alpha and not gamma:
        return []
    return [f"{kind}s source = [{', '.join(alpha)}] ∧ target = [{', '.join(gamma)}]"]


def _both(kind: str, alpha: list[str], gamma: list[str]) -> list[str]:
    there = dict.fromkeys(one for one in alpha if one in gamma)
    return [f"{kind} {one} in both source and target" for one in there]


def _source_alone(kind: str, alpha: list[str], gamma: list[str]) -> list[str]:
    there = dict.fromkeys(one for one in alpha if one not in gamma)
    return [f"{kind} {one} in source and not target" for one in there]


NAMES: dict[str, Callable[[Side, Side], list[str]]] = {
    "X": lambda a, _: [f"X = {a.label}"],
    "Y": lambda _, g: [f"Y = {g.label}"],
    "X ∧ Y": lambda a, g: [f"X = {a.label} ∧ Y = {g.label}"],
    "α": lambda a, _: [f"α = {a.shown}"],
    "γ": lambda _, g: [f"γ = {g.shown}"],
    "(α, γ, ∼)": lambda a, g: [f"α = {a.text} ∧ γ = {g.text}"],
    "α = γ": lambda a, g: ["α = γ"] if a.shown == g.shown else [],
    "unlex. α": lambda a, _: [f"unlex. α = {a.unlexicalised}"],
    "unlex. γ": lambda _, g: [f"unlex. γ = {g.unlexicalised}"],
    "unlex. (α, γ, ∼)": lambda a, g: [f"unlex. α = {a.numbered} ∧ γ = {g.numbered}"],
    "unlex. α = γ": lambda a, g: ["unlex. α = γ"] if a.unlexicalised == g.unlexicalised else [],
    "1": lambda *_: ["1"],
    "source terminals": lambda *_: [],  # see SOURCE_TERMINALS
    "terminals: source ∧ target": lambda a, g: _sequences("terminal", a.words, g.words),
    "each terminal in both source and target": lambda a, g: _both("terminal", a.words, g.words),
    "each terminal in source and not target": (
        lambda a, g: _source_alone("terminal", a.words, g.words)
    ),
    "non-terminals: source ∧ target": (
        lambda a, g: _sequences("non-terminal", a.non_terminals, g.non_terminals)
    ),
    "each non-terminal in both source and target": (
        lambda a, g: _both("non-terminal", a.non_terminals, g.non_terminals)
    ),
    "each non-terminal in source and not target": (
        lambda a, g: _source_alone("non-terminal", a.non_terminals, g.non_terminals)
    ),
    "target shorter": lambda a, g: ["target shorter"] if a.length > g.length else [],
}
"""What a template says -> the names of the features that it makes of a rule, with the value 1."""
NUMBERS: dict[str, Callable[[Side, Side], int]] = {
    "target terminals": lambda _, g: len(g.words),
    "difference in length": lambda a, g: a.length - g.length,
}
"""Those that make one feature with another value."""
KNOWN = ("origin", *NAMES, *NUMBERS)

OVER_TOKENS = frozenset(
    one for one in KNOWN if "terminal" in one and not one.startswith(("non-", "each non-"))
)
"""The templates of the token features (section 6.1); all others are over rules."""
