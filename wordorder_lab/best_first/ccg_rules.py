"""The rules of a CCG, read off derivations, and the input check: what may be joined with what.

Zhang & Clark 2011, section 2, and 2015, section 3.1: every step of a treebank's derivations is an
instance of a rule, and these instances are the grammar. Nothing is generalized: two categories that
never stood side by side do not combine. 2011, section 3.1: two edges may be combined if together
they use no word more often than the input has it.

    UNARY(e)          the parents that e's category was seen to become by itself
    BINARY(e1, e2)    the parents that the two categories were seen to become, in this order

Differences
- *Our reading*, 2015, section 3.1: the head is a part of a rule instance, so two steps that differ
  in it alone are two rules.
- *Paper silent*: a unary rule is not applied where its parent stands in the row of unary steps
  below already. Treebanks hold rules such as N => NP and, by mistake, NP => N, and such a circle
  would have no end.
- *Our reading*, 2011, section 3: a word has a greatest count; here it may have a least one, too,
  and a word is one type of the bag with its tag.
- *Paper silent*: 2011, section 3, says that the order of words may be constrained and not how. Here
  it is given by pairs, and ``right`` may not hold what has to stand before a word of ``left``.
  Orders that follow from others hold as well, also where the word between is left out.
- *Paper silent*: heads as constraints are for dependency trees (2015, section 4.1), and are
  refused.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from wordorder_lab.best_first.edge import Bounds, Edge, Rule
from wordorder_lab.models.file_parts import texts, whole
from wordorder_lab.structures.arguments import checks_arguments
from wordorder_lab.structures.category import Category
from wordorder_lab.structures.derivation import Derivation
from wordorder_lab.structures.problem import OrderingProblem


@dataclass(frozen=True)
class CCGRules:
    """The grammar: rules as the steps of derivations show them (Zhang & Clark 2011, section 2).

    ``rules`` stand in the order of their keys, and ``counts`` says how often each was seen, at
    least once. Raises ``ValueError`` for a grammar without any rule.
    """

    rules: tuple[Rule, ...]
    counts: tuple[int, ...]

    def __post_init__(self) -> None:
        if not self.rules:
            raise ValueError(
                "a grammar without rules builds nothing: give derivations with at least one step"
            )

    @classmethod
    @checks_arguments
    def of(cls, derivations: Iterable[Derivation]) -> CCGRules:
        """The rule instances of all steps. Raises ``ValueError`` if there is none."""
        seen = Counter(
            Rule.of(node) for found in derivations for node in found.nodes() if node.children
        )
        rules = sorted(seen, key=lambda rule: rule.key)
        return cls(tuple(rules), tuple(seen[rule] for rule in rules))

    @classmethod
    @checks_arguments
    def from_rows(cls, rows: Iterable[Sequence[Any]]) -> CCGRules:
        """The rules of rows (parent, children, head, count), as ``rows`` gives them, sorted. Raises
        ``ValueError`` for a row that is none, and for a rule that is there twice."""
        seen: dict[Rule, int] = {}
        for row in rows:
            if not isinstance(row, Sequence) or len(row) != 4:
                raise ValueError("a row of rules is (parent, children, head, count)")
            parent, children, head, count = row
            parts = tuple(map(Category.parse, texts([parent, *children], "a rule")))
            if not isinstance(children, list | tuple) or len(parts) not in (2, 3):
                raise ValueError(f"a rule of {parts[0]} has not one or two children")
            rule = Rule(parts[0], parts[1:], whole(head, "the head of a rule", 0, len(parts) - 2))
            if rule in seen:
                raise ValueError(f"the rule {rule} is there twice")
            seen[rule] = whole(count, "the count of a rule", least=1)
        kept = sorted(seen, key=lambda rule: rule.key)
        return cls(tuple(kept), tuple(seen[rule] for rule in kept))

    def rows(self) -> list[list[Any]]:
        """What ``from_rows`` reads, for a model file: (parent, children, head, count). Categories
        are texts, ``head`` the place of the head among the children, from 0."""
        return [
            [str(rule.parent), [str(child) for child in rule.children], rule.head, count]
            for rule, count in zip(self.rules, self.counts, strict=True)
        ]

    def __len__(self) -> int:
        return len(self.rules)

    def __iter__(self) -> Iterator[Rule]:
        return iter(self.rules)

    @cached_property
    def unary(self) -> dict[Category, tuple[Rule, ...]]:
        """Child -> its unary rules."""
        found: dict[Category, tuple[Rule, ...]] = {}
        for rule in self.rules:
            if len(rule.children) == 1:
                found[rule.children[0]] = (*found.get(rule.children[0], ()), rule)
        return found

    @cached_property
    def binary(self) -> dict[tuple[Category, Category], tuple[Rule, ...]]:
        """(left, right) -> their rules."""
        found: dict[tuple[Category, Category], tuple[Rule, ...]] = {}
        for rule in self.rules:
            if len(rule.children) == 2:
                pair = rule.children[0], rule.children[1]
                found[pair] = (*found.get(pair, ()), rule)
        return found

    @cached_property
    def categories(self) -> tuple[Category, ...]:
        """Every category of a rule, sorted by its text."""
        found = {part for rule in self.rules for part in (rule.parent, *rule.children)}
        return tuple(sorted(found, key=str))

    def unary_of(self, edge: Edge) -> list[Rule]:
        """The unary rules for an edge: those that its row of unary steps has not been through."""
        assert edge.category is not None
        through = {edge.category}
        below = edge
        while below.left is not None and below.right is None:
            below = below.left
            assert below.category is not None
            through.add(below.category)
        return [rule for rule in self.unary.get(edge.category, ()) if rule.parent not in through]

    @staticmethod
    @checks_arguments
    def can_build(derivation: Derivation) -> bool:
        """Whether a search with a derivation's own rules can build it: its steps have one child or
        two, and no row of unary steps comes back to a category."""
        for node in derivation.nodes():
            if len(node.children) > 2:
                return False
            below = node
            while len(below.children) == 1:
                below = below.children[0]
                if below.category is node.category:
                    return False
        return True

    def binary_of(self, left: Edge, right: Edge) -> Sequence[Rule]:
        """The rules that join two edges in this order."""
        assert left.category is not None and right.category is not None
        return self.binary.get((left.category, right.category), ())


# --- the input check ------------------------------------------------------------------------


def bounds_of(problem: OrderingProblem) -> Bounds:
    """The counts and orders of a problem by type. Raises ``ValueError`` if heads are given."""
    if any(head is not None for head in problem.given.heads):
        raise ValueError(
            "heads are given, which a CCG search cannot keep: leave them out (deps 0), or use "
            "a system for dependency trees"
        )
    return Bounds(problem.least, problem.most, problem.given.before)
