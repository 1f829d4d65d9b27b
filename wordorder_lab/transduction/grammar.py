"""The synchronous tree substitution grammar of Cohn & Lapata (2009), read off pairs of trees.

A grammar is a bag of rules with the target categories that a whole output may have (R_T). Section
3.2: rules are extracted from every pair (``extraction``), rules that are too large are left out,
and of the targets of one source tree the most frequent are kept (section 6.1: 50). At the end of
the section rules are added for whatever source tree comes, so that it has compressions whatever was
learned. Copy rules take a node and its children over, so every tree can be covered. Deletion rules
keep the most important children, the first, the first two, and so on; the order is that of the head
rules. Where one child is left, it may also take the place of its parent.

Differences
- *Our reading*, section 3.1: the paper has one root symbol, R_T; here each category is one that was
  the root of a target tree in training.
- *Paper silent*: of two targets that were seen equally often, the one whose text sorts first is
  kept.
- *Paper silent*: punctuation. Collins has none in his trees. Ours comes last in the order of
  importance (``head_order``), from the left, so deletion rules keep the full stop only with all
  other children. A node that training has not seen, [S PP , NP VP .], keeps VP; NP VP; PP NP VP; PP
  , NP VP; or all: no rule drops [PP ,] and keeps the full stop. Rules that were extracted may.
- *Our reading*, footnote 13: the limits on the size of a rule do not hold for copy and deletion
  rules, or a wide node could not be copied.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypedDict

from wordorder_lab.models.file_parts import rows, texts, whole
from wordorder_lab.structures.compression import CompressionPair
from wordorder_lab.structures.head_rules import bare_label
from wordorder_lab.structures.messages import brief
from wordorder_lab.structures.phrase_tree import PhraseNodes, phrase_nodes
from wordorder_lab.structures.synchronous_rule import (
    EPSILON,
    INNER,
    ElementaryTree,
    SynchronousRule,
    parse_rule,
)
from wordorder_lab.transduction.extraction import Extraction, Limits, constituent_alignment
from wordorder_lab.transduction.head_order import COHN_LAPATA, HeadOrder

EXTRACTED, COPY, DELETE = 1, 2, 4
ORIGINS = {EXTRACTED: "extracted", COPY: "copy", DELETE: "delete"}
"""Where a rule comes from; a rule may come from several places, which are then added up."""


def origin_name(origin: int) -> str:
    """``extracted+copy`` for a rule that was extracted and is a copy rule."""
    return "+".join(name for bit, name in ORIGINS.items() if origin & bit)


MAX_KEPT = 50_000
"""Lists of rules that a grammar keeps, by root and children."""

TARGETS = 50
"""Target elementary trees for each source elementary tree (section 6.1)."""


class Family(NamedTuple):
    """What a rule's source begins with: a node's label, and those of its children or its word."""

    label: str
    below: tuple[str, ...]
    is_word: bool


@dataclass(slots=True)
class Shapes:
    """Source trees without indices, read node by node in pre-order, as a trie: what follows where
    the next node is on the frontier, and where it has a word or children with these labels below
    it; at the end of a tree, the places of the rules that have it."""

    frontier: Shapes | None = None
    inner: dict[str | tuple[str, ...], Shapes] = field(default_factory=dict)
    places: list[int] = field(default_factory=list)

    def add(self, tree: ElementaryTree, place: int) -> None:
        """A source tree, and the place of a rule that has it."""
        shape, todo = self, [tree]
        while todo:
            one = todo.pop()
            if one.index != INNER:
                shape.frontier = shape = shape.frontier or Shapes()
                continue
            below = [child for child in one.children if not isinstance(child, str)]
            word, labels = one.children[0], tuple([child.label for child in below])
            shape = shape.inner.setdefault(word if isinstance(word, str) else labels, Shapes())
            todo += reversed(below)
        shape.places.append(place)


class RuleParts(NamedTuple):
    """A rule with its origin, and what each of its applications looks at.

    ``kept`` and ``deleted`` are places, from 0, on the frontier of the source without words: of the
    variables, the first variable first, and of what is aligned with epsilon. ``yields`` is the
    frontier of the target side: words, and the numbers of variables; ``categories`` are the target
    categories of the variables, the first variable first.
    """

    rule: SynchronousRule
    origin: int
    kept: tuple[int, ...]
    deleted: tuple[int, ...]
    yields: tuple[str | int, ...]
    categories: tuple[str, ...]


class Matching(NamedTuple):
    """The rules of a family, by target category and text, and their sources."""

    rules: tuple[RuleParts, ...]
    shapes: Shapes


class GrammarHeader(TypedDict):
    """What a model file keeps of a grammar."""

    rules: list[str]
    roots: list[str]
    counts: list[int]


@dataclass(frozen=True)
class GrammarSettings:
    """How a grammar is extracted: recursion depth, choice of alignments, limits."""

    depth: int = 1
    choice: str = "single"
    variables: int = 5
    nodes: int = 15
    targets: int = TARGETS


class SynchronousGrammar:
    """Rules, sorted by their text, with their counts, and the root categories of outputs. Copy and
    deletion rules are made for each source tree, in the order of ``head_order``."""

    def __init__(
        self,
        counts: dict[SynchronousRule, int],
        roots: Iterable[str],
        head_order: HeadOrder = COHN_LAPATA,
    ) -> None:
        self.rules = tuple(sorted(counts, key=lambda rule: rule.text))
        self.counts = tuple(counts[rule] for rule in self.rules)
        self.roots = frozenset(roots)
        self.head_order = head_order
        self._extracted: dict[Family, list[SynchronousRule]] = defaultdict(list)
        for rule in self.rules:
            self._extracted[_family(rule.source)].append(rule)
        self._kept: dict[Family, Matching] = {}

    def __len__(self) -> int:
        return len(self.rules)

    def __repr__(self) -> str:
        return f"<SynchronousGrammar: {len(self):,} rules, roots {' '.join(sorted(self.roots))}>"

    def rules_at(self, nodes: PhraseNodes) -> list[Matching]:
        """For every node the rules of its family, coverage rules among them."""
        return self.rules_for(families(nodes))

    def rules_for(self, wanted: Sequence[Family]) -> list[Matching]:
        """The rules of some families, coverage rules among them."""
        found = {family: self._kept.get(family) for family in wanted}
        missing = [family for family, kept in found.items() if kept is None]
        made = coverage_rules(missing, self.head_order)
        texts = list(map(str, [rule for _, rule, _ in made]))
        rules = {
            family: {rule.text: (rule, EXTRACTED) for rule in self._extracted.get(family, ())}
            for family in missing
        }
        for (family, rule, origin), text in zip(made, texts):
            known, before = rules[family].get(text, (rule, 0))
            rules[family][text] = known, before | origin
        if len(self._kept) + len(missing) > MAX_KEPT:
            self._kept.clear()  # another thread holds what it has found
        for family, those in rules.items():
            found[family] = self._kept[family] = _matching(those.values())
        return [kept for family in wanted if (kept := found[family]) is not None]

    def statistics(self) -> dict[str, int]:
        """How many rules there are, and how many an SCFG could not have. ``deeper``: one side has
        more than one level. ``category``: of the others, X is not Y."""
        deeper = [rule for rule in self.rules if not rule.is_synchronous_context_free]
        shallow = [rule for rule in self.rules if rule.is_synchronous_context_free]
        return {
            "rules": len(self),
            "deeper": len(deeper),
            "category": len([rule for rule in shallow if rule.roots[0] != rule.roots[1]]),
            "used_once": len([count for count in self.counts if count == 1]),
        }

    def header(self) -> GrammarHeader:
        """What a model file keeps of it."""
        rules = [rule.text for rule in self.rules]
        return {"rules": rules, "roots": sorted(self.roots), "counts": list(self.counts)}


def read_grammar(
    rules: Iterable[str], roots: Iterable[str], counts: Iterable[int] = ()
) -> SynchronousGrammar:
    """A grammar from rules in their notation, such as those of Figure 3, seen ``counts`` times, or
    once. Raises ``ValueError`` with the number of the line that is no rule."""
    seen = iter(counts)
    found: Counter[SynchronousRule] = Counter()
    for number, line in enumerate(rules, 1):
        if line.strip():
            try:
                found[parse_rule(line.strip())] += next(seen, 1)
            except ValueError as error:
                raise ValueError(f"line {number} of the grammar: {brief(error)}") from None
    return SynchronousGrammar(found, roots)


def grammar_of(header: Mapping[str, object]) -> SynchronousGrammar:
    """The grammar of what ``SynchronousGrammar.header`` gave. Raises ``ValueError`` for less."""
    rules, roots = (
        texts(header[name], f"the {name} of the grammar") for name in ("rules", "roots")
    )
    counts = rows(header["counts"], "the counts of the grammar")
    if len(counts) != len(rules):
        raise ValueError(f"the grammar has {len(rules)} rules and {len(counts)} counts")
    return read_grammar(rules, roots, [whole(n, "the count of a rule", 1) for n in counts])


def extract_grammar(
    pairs: Sequence[CompressionPair], settings: GrammarSettings = GrammarSettings()
) -> SynchronousGrammar:
    """The grammar of many pairs, section 3.2. Raises ``ValueError`` that names the pair whose trees
    or alignment cannot be."""
    counts: Counter[SynchronousRule] = Counter()
    limits = Limits(settings.variables, settings.nodes)
    roots = set()
    for pair in pairs:
        try:
            source, target = phrase_nodes(pair.source), phrase_nodes(pair.target)
            aligned = constituent_alignment(source, target, pair.alignment)
        except ValueError as error:
            raise ValueError(f"{pair.name or 'a pair without a name'}: {error}") from None
        found = Extraction(source, target, aligned, settings.depth, settings.choice, limits)
        counts.update(found.rules())
        roots.add(target.labels[target.root])
    return SynchronousGrammar(_most_frequent(counts, settings.targets), roots)


def _most_frequent(counts: Counter[SynchronousRule], most: int) -> dict[SynchronousRule, int]:
    """For each source tree the targets seen most often; its variables may be numbered anyhow."""
    by_source: dict[str, list[SynchronousRule]] = defaultdict(list)
    for rule in counts:
        source = rule.source
        by_source[str(source.renumbered(dict.fromkeys(source.variables(), 1)))].append(rule)
    kept = {}
    for rules in by_source.values():
        rules.sort(key=lambda rule: (-counts[rule], rule.text))
        kept.update({rule: counts[rule] for rule in rules[:most]})
    return kept


def _matching(rules: Iterable[tuple[SynchronousRule, int]]) -> Matching:
    ordered = sorted(rules, key=lambda one: (one[0].target.label, one[0].text))
    shapes = Shapes()
    for place, (rule, _) in enumerate(ordered):
        shapes.add(rule.source, place)
    return Matching(tuple([_parts(*one) for one in ordered]), shapes)


def _parts(rule: SynchronousRule, origin: int) -> RuleParts:
    indices = [leaf.index for leaf in leaves(rule.source) if not isinstance(leaf, str)]
    places = sorted(range(len(indices)), key=indices.__getitem__)
    frontier = leaves(rule.target)  # its variables are numbered from left to right
    return RuleParts(
        rule,
        origin,
        kept=tuple([place for place in places if indices[place] != EPSILON]),
        deleted=tuple([place for place in places if indices[place] == EPSILON]),
        yields=tuple([leaf if isinstance(leaf, str) else leaf.index for leaf in frontier]),
        categories=tuple([leaf.label for leaf in frontier if not isinstance(leaf, str)]),
    )


# --- What rules are made of, in plain walks: a sentence has thousands of them


def leaves(tree: ElementaryTree) -> list[ElementaryTree | str]:
    """The frontier of a tree from left to right: words, and frontier nodes."""
    found: list[ElementaryTree | str] = []
    waiting: list[ElementaryTree | str] = [tree]
    while waiting:
        one = waiting.pop()
        if isinstance(one, str) or one.index != INNER:
            found.append(one)
        else:
            waiting += reversed(one.children)
    return found


def _family(tree: ElementaryTree) -> Family:
    below = tuple(child if isinstance(child, str) else child.label for child in tree.children)
    return Family(tree.label, below, isinstance(tree.children[0], str))


def families(nodes: PhraseNodes) -> list[Family]:
    """The family of every node."""
    return [
        Family(label, (below,), True) if isinstance(below, str) else Family(label, below, False)
        for label, below in zip(nodes.labels, nodes.below_each, strict=True)
    ]


# --- Copy and deletion rules


def coverage_rules(
    wanted: Sequence[Family], order: HeadOrder
) -> list[tuple[Family, SynchronousRule, int]]:
    """The copy and deletion rules of some families, with their origin."""
    inner = [family for family in wanted if not family.is_word]
    labels = list({one for family in inner for one in (family.label, *family.below)})
    bare = dict(zip(labels, map(bare_label, labels)))
    found = [(family, copy_rule(family), COPY) for family in wanted]
    for family in inner:
        heads = order.order(bare[family.label], [bare[child] for child in family.below])
        found += [(family, rule, DELETE) for rule in deletion_rules(family, heads)]
    return found


def copy_rule(family: Family) -> SynchronousRule:
    """A node with these children (or this word) as it is."""
    label, below, is_word = family
    if is_word:
        side = ElementaryTree(label, below)
    else:
        children = (ElementaryTree(child, (), i) for i, child in enumerate(below, 1))
        side = ElementaryTree(label, tuple(children))
    return SynchronousRule(side, side)


def deletion_rules(family: Family, heads: Sequence[int]) -> Iterator[SynchronousRule]:
    """The rules that keep the first child in the order of heads, the first two, ..., all."""
    for kept in range(1, len(heads) + 1):
        numbers = {place: number for number, place in enumerate(sorted(heads[:kept]), 1)}
        children = [
            ElementaryTree(child, (), numbers.get(i, EPSILON))
            for i, child in enumerate(family.below)
        ]
        source = ElementaryTree(family.label, tuple(children))
        target = tuple([children[i] for i in numbers])
        yield SynchronousRule(source, ElementaryTree(family.label, target))
        if kept == 1:
            yield SynchronousRule(source, target[0])
