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
from dataclasses import dataclass
from typing import Any, NamedTuple

from wordorder_lab.models.file_parts import rows, texts, whole
from wordorder_lab.structures.compression import CompressionPair
from wordorder_lab.structures.messages import brief
from wordorder_lab.structures.phrase_tree import phrase_nodes
from wordorder_lab.structures.synchronous_rule import (
    EPSILON,
    ElementaryTree,
    SynchronousRule,
    parse_rule,
    synchronous_rule,
)
from wordorder_lab.transduction.alignment import constituent_alignment
from wordorder_lab.transduction.extraction import Extraction, Limits
from wordorder_lab.transduction.head_order import COHN_LAPATA, HeadOrder
from wordorder_lab.transduction.problem import COPY, DELETE, EXTRACTED

MAX_KEPT = 50_000
"""Lists of rules that a grammar keeps, by root and children."""

TARGETS = 50
"""Target elementary trees for each source elementary tree (section 6.1)."""

Family = tuple[str, tuple[str, ...]]
"""The label of a node and those of its children, which an extracted rule's source begins with."""


class Matching(NamedTuple):
    """The rules whose source begins alike, with their origin, by target category and then by text.

    ``shapes`` are their source trees without indices, each once, with the places of its rules: what
    does not match a shape matches none of them.
    """

    rules: tuple[tuple[SynchronousRule, int], ...]
    shapes: tuple[tuple[ElementaryTree, tuple[int, ...]], ...]


@dataclass(frozen=True)
class GrammarSettings:
    """How a grammar is extracted: recursion depth, choice of alignments, limits."""

    depth: int = 1
    choice: str = "single"
    variables: int = 5
    nodes: int = 15
    targets: int = TARGETS


class SynchronousGrammar:
    """Rules with their counts, and the root categories of whole outputs.

    ``rules`` are sorted by their text. Copy and deletion rules are not among them: they are made
    for each source tree, deletions in the order of ``head_order``.
    """

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
            self._extracted[rule.source.label, _below(rule.source)].append(rule)
        self._kept: dict[tuple[str, tuple[str, ...], bool], Matching] = {}

    def __len__(self) -> int:
        return len(self.rules)

    def __repr__(self) -> str:
        return f"<SynchronousGrammar: {len(self):,} rules, roots {' '.join(sorted(self.roots))}>"

    def rules_for(self, label: str, below: tuple[str, ...], is_word: bool) -> Matching:
        """The rules whose source has this root and these children (or this word).

        Coverage rules are among them.
        """
        key = label, below, is_word
        kept = self._kept.get(key)  # looked up once: another thread may clear what is kept
        if kept is None:
            if len(self._kept) >= MAX_KEPT:
                self._kept.clear()
            rules = self._with_coverage(*key)
            kept = self._kept[key] = Matching(tuple(rules), _shapes(rules))
        return kept

    def _with_coverage(
        self, label: str, below: tuple[str, ...], is_word: bool
    ) -> list[tuple[SynchronousRule, int]]:
        found = {rule.text: (rule, EXTRACTED) for rule in self._extracted.get((label, below), ())}
        coverage = [(copy_rule(label, below, is_word), COPY)]
        if not is_word:
            cut = deletion_rules(label, below, self.head_order)
            coverage += [(rule, DELETE) for rule in cut]
        for rule, origin in coverage:
            known, before = found.get(rule.text, (rule, 0))
            found[rule.text] = known, before | origin
        return sorted(found.values(), key=lambda one: (one[0].target.label, one[0].text))

    def statistics(self) -> dict[str, int]:
        """How many rules there are, and how many an SCFG could not have.

        ``deeper``: one side has more than one level. ``category``: of the others, X is not Y.
        """
        deeper = [rule for rule in self.rules if not rule.is_synchronous_context_free]
        shallow = [rule for rule in self.rules if rule.is_synchronous_context_free]
        return {
            "rules": len(self),
            "deeper": len(deeper),
            "category": len([rule for rule in shallow if rule.roots[0] != rule.roots[1]]),
            "used_once": len([count for count in self.counts if count == 1]),
        }

    def header(self) -> dict[str, Any]:
        """What a model file keeps of it."""
        rules = [rule.text for rule in self.rules]
        return {"rules": rules, "roots": sorted(self.roots), "counts": list(self.counts)}


def read_grammar(
    rules: Iterable[str], roots: Iterable[str], counts: Iterable[int] = ()
) -> SynchronousGrammar:
    """A grammar from rules in their notation, such as those of Figure 3; blank lines do not count.

    ``counts`` say how often each was seen: once, if nothing is said. Raises ``ValueError`` with the
    number of the line that is no rule.
    """
    seen = iter(counts)
    found: Counter[SynchronousRule] = Counter()
    for number, line in enumerate(rules, 1):
        if line.strip():
            try:
                found[parse_rule(line.strip())] += next(seen, 1)
            except ValueError as error:
                raise ValueError(f"line {number} of the grammar: {brief(error)}") from None
    return SynchronousGrammar(found, roots)


def grammar_of(header: Mapping[str, Any]) -> SynchronousGrammar:
    """The grammar of what ``SynchronousGrammar.header`` gave. Raises ``ValueError`` for less."""
    rules, roots = (
        texts(header[name], f"the {name} of the grammar") for name in ("rules", "roots")
    )
    counts = rows(header["counts"], "the counts of the grammar")
    if len(counts) != len(rules):
        raise ValueError(f"the grammar has {len(rules)} rules and {len(counts)} counts")
    return read_grammar(rules, roots, [whole(n, "the count of a rule", 1) for n in counts])


def extract_grammar(
    pairs: Sequence[CompressionPair],
    settings: GrammarSettings = GrammarSettings(),
) -> SynchronousGrammar:
    """The grammar of many pairs, section 3.2.

    Raises ``ValueError`` that names the pair whose trees or alignment cannot be.
    """
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
        by_source[_shape(rule.source)].append(rule)
    kept = {}
    for rules in by_source.values():
        rules.sort(key=lambda rule: (-counts[rule], rule.text))
        kept.update({rule: counts[rule] for rule in rules[:most]})
    return kept


def _shape(tree: ElementaryTree) -> str:
    """A source tree whatever the numbers of its variables; which are deleted counts."""
    return str(tree.renumbered(dict.fromkeys(tree.variables(), 1)))


def _shapes(
    rules: Sequence[tuple[SynchronousRule, int]],
) -> tuple[tuple[ElementaryTree, tuple[int, ...]], ...]:
    """The shapes of the rules' sources, with the places of the rules of each."""
    places: dict[ElementaryTree, list[int]] = defaultdict(list)
    for place, (rule, _) in enumerate(rules):
        indices = [leaf.index for leaf in rule.source.frontier() if not isinstance(leaf, str)]
        places[rule.source.renumbered(dict.fromkeys(indices, EPSILON))].append(place)
    return tuple((shape, tuple(those)) for shape, those in places.items())


def _below(tree: ElementaryTree) -> tuple[str, ...]:
    return tuple(child if isinstance(child, str) else child.label for child in tree.children)


# --- Copy and deletion rules


def copy_rule(label: str, below: tuple[str, ...], is_word: bool) -> SynchronousRule:
    """A node with these children (or this word) as it is."""
    if is_word:
        side = ElementaryTree(label, below)
    else:
        children = (ElementaryTree(child, (), i) for i, child in enumerate(below, 1))
        side = ElementaryTree(label, tuple(children))
    return synchronous_rule(side, side)


def deletion_rules(
    label: str, below: tuple[str, ...], order: HeadOrder
) -> Iterator[SynchronousRule]:
    """The rules that keep the first child in the order of heads, the first two, ..., all."""
    heads = order.order(label, below)
    for kept in range(1, len(below) + 1):
        left = sorted(heads[:kept])
        children = [
            ElementaryTree(child, (), i + 1 if i in left else EPSILON)
            for i, child in enumerate(below)
        ]
        source = ElementaryTree(label, tuple(children))
        target = tuple(children[i] for i in left)
        yield synchronous_rule(source, ElementaryTree(label, target))
        if kept == 1:
            yield synchronous_rule(source, target[0])
