"""What a realization system learns from: trees of lemmas with their words, as bags with gold.

Zhang & Clark (2015), section 5.7: "The training of the word ordering system requires fully ordered
dependency trees, while references in the shared task data are raw sentences."

    EXAMPLES(trees):
      map the trees whose references are plain to their words; leave out those without a mapping
      lift crossing arcs, or leave those trees out
      cut the trees into folds
      for each tree: its candidates by an inflector that has counted in the other folds,
                     and its own form too, if it is not among them

An inflector that has counted a tree knows its forms too well: nothing would be left to decide.

Differences
- *Paper silent*: whose inflections the training sees. Ours have not seen the tree, as a
  supertagger's categories have not (``category_sources.jackknifed``).
- *Our reading*: the gold form is added where it is missing, as the gold category is.
- *Our reading*: non-projective trees are lifted where the paper discards its 2.8 of 39 thousand
  (``lift``).
"""

from __future__ import annotations

import os
import zlib
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from wordorder_lab.corpora.inflection_lists import inflection_lists
from wordorder_lab.inflection.candidates import Inflector
from wordorder_lab.inflection.counted_forms import CountedForms, true_case
from wordorder_lab.inflection.gold_mapping import GoldMapping, map_to_reference
from wordorder_lab.inflection.left_open import is_open
from wordorder_lab.models.file_parts import Json
from wordorder_lab.runtime.progress import progress_bar
from wordorder_lab.structures.bag import OrderingExample
from wordorder_lab.structures.lemma_tree import (
    LemmaNode,
    LemmaTree,
    bag_of_lemmas,
    placed_sentence,
)
from wordorder_lab.structures.trees import lifted

JOINT, ALL, FIRST = "joint", "all", "first"
INFLECTIONS = (JOINT, ALL, FIRST)
"""Who chooses a form: the search where the tree leaves it open, the search wherever there are
several, or the inflector before it."""


@dataclass(frozen=True)
class RealizationExamples:
    """``examples`` to learn ordering from, and the ``inflector`` that has counted in all trees.
    ``numbers`` is what a model's settings say of them: trees that had crossing arcs and were
    ``lifted`` or ``left_out``, those ``unmapped`` to their references, ``forms`` a lemma."""

    examples: tuple[OrderingExample, ...]
    inflector: Inflector
    numbers: Json


def realization_examples(
    trees: Sequence[LemmaTree],
    *,
    inflection: str = JOINT,
    labels: bool = True,
    lift: bool = True,
    folds: int = 5,
    english: bool = True,
    seed: int = 1,
) -> RealizationExamples:
    """The examples of all trees, in their order; the settings are those of a training. With less
    than two ``folds`` the inflector has counted in the trees that it inflects. Raises
    ``ValueError`` where there is no tree with its words."""
    placed, unmapped = placed_trees(trees, english, seed)
    inflector = learn_inflector(placed, english=english)
    usable = [_projective(tree) for tree in placed]
    kept = [tree for tree, lifts in usable if lift or not lifts]
    if not kept:
        raise ValueError(f"none of the {len(trees):,} trees can be learned from: give others")
    candidates = _candidates(kept, folds, english) if inflection != FIRST else None
    some_open = inflection == JOINT and english
    examples, forms = [], 0
    for i, tree in enumerate(progress_bar(kept, desc="making bags", delay=2, leave=False)):
        own = [true_case(node) for node in tree.nodes]
        several = [(form,) for form in own] if candidates is None else candidates[i]
        several = [
            (form,)
            if some_open and not is_open(tree, node)
            else (some if form in some else (*some, form))
            for node, (some, form) in enumerate(zip(several, own, strict=True))
        ]
        for some in several:
            forms += len(some)
        places = [node.position or 0 for node in tree.nodes]
        order = sorted(range(len(tree)), key=places.__getitem__)
        bag, gold = bag_of_lemmas(tree, several, labels=labels), placed_sentence(tree, own)
        examples.append(OrderingExample(bag, gold, tuple(order)))
    numbers: Json = {
        "trees": len(examples),
        "lifted": sum(bool(lifts) for _, lifts in usable) * lift,
        "left_out": len(usable) - len(kept),
        "unmapped": unmapped,
        "forms": forms / sum(map(len, kept)),
    }
    return RealizationExamples(tuple(examples), inflector, numbers)


def placed_trees(
    trees: Sequence[LemmaTree], english: bool, seed: int
) -> tuple[list[LemmaTree], int]:
    """Trees whose nodes know their words and places, and how many could not be made so. Where none
    knows them, forms are those of rules and lists, for lack of anything to count in."""
    known = [tree for tree in trees if _is_placed(tree)]
    plain = [tree for tree in trees if tree.reference and not _is_placed(tree)]
    if not plain:
        return known, len(trees) - len(known)
    mapped = gold_mappings(plain, learn_inflector(known, english=english), lifts=2, seed=seed)
    answers = iter(mapped)
    found: list[LemmaTree] = []
    for tree in trees:
        if _is_placed(tree):
            found.append(tree)
        elif tree.reference and (mapping := next(answers)).positions:
            found.append(mapping.placed(tree.reference))
    return found, len(trees) - len(found)


def _is_placed(tree: LemmaTree) -> bool:
    return all(node.position is not None and node.form is not None for node in tree.nodes)


def _projective(tree: LemmaTree) -> tuple[LemmaTree, int]:
    """A tree without crossing arcs, and how many were lifted; its nodes stay as they are listed."""
    order = sorted(range(len(tree)), key=lambda i: tree.nodes[i].position or 0)
    heads, lifts = lifted(tree.placed().heads)
    if not lifts:
        return tree, 0
    nodes = list(tree.nodes)
    for at, i in enumerate(order):
        head = order[heads[at]] if heads[at] >= 0 else -1
        rank = nodes[i].rank if head == nodes[i].head else None
        nodes[i] = replace(nodes[i], head=head, rank=rank)
    return replace(tree, nodes=tuple(nodes)), lifts


def _candidates(
    trees: Sequence[LemmaTree], folds: int, english: bool
) -> list[Sequence[Sequence[str]]]:
    """The candidates of every node of every tree; tree i is of fold i modulo ``folds``."""
    folds = max(1, min(folds, len(trees)))
    every: list[Sequence[Sequence[str]]] = [()] * len(trees)
    for fold in progress_bar(range(folds), desc="inflectors of the other folds", delay=2):
        others = [tree for i, tree in enumerate(trees) if folds < 2 or i % folds != fold]
        inflector = learn_inflector(others, english=english)
        for i in range(fold, len(trees), folds):
            every[i] = inflector.forms(trees[i])
    return every


@dataclass(frozen=True)
class MappingCounts:
    """Of ``trees`` with a reference, how many have ``one``, ``several`` or no (``none``) mapping.
    ``reasons`` says why there is none, ``lifted`` how many needed lifted arcs, ``spared`` how many
    words that are no form. ``as_annotated`` of the ``known`` ones, whose places are known anyway,
    were mapped to just these places or to those of equal words."""

    trees: int
    one: int
    several: int
    none: int
    reasons: dict[str, int]
    lifted: int
    spared: int
    known: int
    as_annotated: int


def gold_mappings(
    trees: Sequence[LemmaTree],
    inflector: Inflector,
    *,
    lifts: int = 0,
    spare: int = 0,
    seed: int = 1,
) -> list[GoldMapping]:
    """The mapping of every tree that has a plain reference, in their order. The paper keeps 36.2 of
    39 thousand training instances so. A form counts here however seldom it was seen. Several
    mappings are chosen from by ``seed`` and the tree's name. ``lifts`` arcs may be lifted, and
    ``spare`` words be no form, where a tree has no mapping otherwise."""
    every = replace(inflector, least=0.0)
    with_words = [tree for tree in trees if tree.reference]
    return [
        map_to_reference(
            tree,
            every.forms(tree),
            tree.reference,
            lifts=lifts,
            spare=spare,
            seed=zlib.crc32(f"{seed} {tree.name}".encode()),
        )
        for tree in progress_bar(with_words, desc="mapping lemmas", delay=2, leave=False)
    ]


def count_mappings(mappings: Sequence[GoldMapping]) -> MappingCounts:
    """How many trees have one mapping, several, none, and why."""
    outcomes = Counter(mapping.outcome for mapping in mappings)
    reasons = Counter(mapping.reason for mapping in mappings if mapping.reason)
    known = [m for m in mappings if m.positions and m.tree.nodes[0].position is not None]
    return MappingCounts(
        len(mappings),
        outcomes["one"],
        outcomes["several"],
        outcomes["none"],
        dict(reasons.most_common()),
        sum(bool(mapping.lifted) for mapping in mappings),
        sum(bool(mapping.spared) for mapping in mappings),
        len(known),
        sum(map(_as_annotated, known)),
    )


def _as_annotated(mapping: GoldMapping) -> bool:
    """Whether each place has the node that it has in the treebank, or its equal, with its head."""
    nodes = mapping.tree.nodes
    true_at = {node.position: node for node in nodes}
    for node, place in zip(nodes, mapping.positions, strict=True):
        true = true_at[place]
        head = mapping.positions[node.head] if node.head >= 0 else -1
        true_head = nodes[true.head].position if true.head >= 0 else -1
        if (node.lemma, node.label, head) != (true.lemma, true.label, true_head):
            return False
    return True


# --- the inflector of a treebank ------------------------------------------------------------------


@dataclass(frozen=True)
class InflectionScore:
    """Shares between 0 and 1, over ``words`` words.

    ``forms`` is how many candidates a lemma has, ``among`` how often the right one is among them,
    ``first`` how often it is the first; with ``cased``, capitals count, that of the first word of a
    sentence excepted. ``missed`` has tag, lemma, right form and candidates of what is not among.
    """

    words: int
    forms: float
    among: float
    among_cased: float
    first: float
    first_cased: float
    missed: tuple[tuple[tuple[str, str, str, str], int], ...]


def learn_inflector(
    trees: Iterable[LemmaTree],
    *,
    english: bool = True,
    lists: bool = True,
    data: str | os.PathLike[str] | None = None,
) -> Inflector:
    """The inflector of a treebank: its counts, and in English (``lists``) the free lists. Raises
    ``ValueError`` for trees whose words are not known, ``CorpusError`` where the lists are wanted
    and not there."""
    known = inflection_lists(data) if english and lists else {}
    return Inflector(CountedForms(trees, tags_decide=english), known, english)


def score(inflector: Inflector, trees: Sequence[LemmaTree]) -> InflectionScore:
    """How many candidates there are, and how often the right one is among them, or the first.
    Raises ``ValueError`` for trees whose words are not known, and for no words at all."""
    counts = Counter[str]()
    missed = Counter[tuple[str, str, str, str]]()
    for tree in trees:
        for node, forms in zip(tree.nodes, inflector.forms(tree), strict=True):
            if node.form is None:
                raise ValueError(f"{tree.name or 'a tree'} has nodes without their words")
            right = _right(node, forms)
            counts.update(words=1, forms=len(forms))
            counts.update(name for name, is_so in right.items() if is_so)
            if not right["among"]:
                missed[node.xpos or node.upos, node.lemma, node.form, " ".join(forms)] += 1
    if not counts["words"]:
        raise ValueError("there are no words to be scored on")
    shares = ("forms", "among", "among_cased", "first", "first_cased")
    values = {name: counts[name] / counts["words"] for name in shares}
    return InflectionScore(counts["words"], **values, missed=tuple(missed.most_common()))


def _right(node: LemmaNode, forms: Sequence[str]) -> dict[str, bool]:
    form = node.form or ""
    small = [candidate.lower() for candidate in forms]
    cased = [c[:1].upper() + c[1:] if node.position == 0 else c for c in forms]
    exact = form in (cased if node.position == 0 else forms) or form in forms
    return {
        "among": form.lower() in small,
        "among_cased": exact,
        "first": form.lower() == small[0],
        "first_cased": form in (cased[0], forms[0]),
    }
