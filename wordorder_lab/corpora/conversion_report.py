"""How well Penn trees become CCG derivations: what was converted, what not and why, which lexicon.

Three figures belong together, since each alone can be had by cutting corners: how many sentences
have a derivation, how many of their words have a category that annotators use (the supertag sets of
Rimell & Clark 2008), and how many pairs of dev were seen in train. A converter that invents a
category for every odd tree has the first alone.
"""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from wordorder_lab.corpora.ccg_corpora import SMALL
from wordorder_lab.corpora.penn_corpora import PennTree
from wordorder_lab.corpora.readers.corpus import CorpusError, Splits
from wordorder_lab.corpora.readers.files import data_roots, read_text
from wordorder_lab.structures.category import Category
from wordorder_lab.structures.derivation import Derivation

CCGBANK = {
    "converted": 0.994,
    "categories": 1286,
    "categories_ten_times": 425,
    "by_type": 1.7,
    "by_token": 19.2,
}
"""Sections 02-21 of CCGbank: Hockenmaier & Steedman (2007), and for the 425 Clark & Curran (2007).
The share is that of the whole Treebank."""
NAMES, OFTEN = 2, 10
UNITS = "a base NP is no phrase"
"""The reason that only base NPs kept whole have: the words have their derivation."""


class Named(NamedTuple):
    """A sentence's name and its derivation, a leaf a word."""

    name: str
    derivation: Derivation


class Counts(NamedTuple):
    """What a split came to: sentences, derivations, the names of the others by reason."""

    sentences: int
    derived: Sequence[Named]
    failed: dict[str, list[str]]
    over_base_nps: int
    unfit: list[str]


def conversion_report(
    trees: Splits[PennTree], data: str | os.PathLike[str] | None = None
) -> dict[str, Any]:
    """All figures of a corpus. Raises ``CorpusError`` for a split that is empty or broken."""
    splits = {name: count(trees.split(name)) for name in trees.splits}
    sources = {tree.source for name in trees.splits for tree in trees.split(name)}
    derived = [named for split in splits.values() for named in split.derived]
    if not derived:
        rows = _failed(list(splits.values()))
        failed = ", ".join(f"{row['reason']} {row['sentences']:,}" for row in rows)
        raise CorpusError(
            f"no sentence of {trees.name} has a derivation ({failed}): corpora ccg --show NAME "
            "goes through the steps of one"
        )
    odd = [named.name for named in derived if named.derivation.problem()]
    return {
        "corpus": trees.name,
        "splits": {name: _sizes([split]) for name, split in splits.items()},
        "all": _sizes(list(splits.values())),
        "failed": _failed(list(splits.values())),
        "steps_of_no_rule": {"sentences": len(odd), "names": odd[:NAMES]},
        "gold_categories": _in_gold(derived, gold_categories(data)),
        "dev_seen_in_train": _seen(splits),
        "lexicon": lexicon(derived),
        "ccgbank": CCGBANK,
        "rules": rules_used(derived),
        "seconds": round(sum(source.seconds for source in sources), 1),
    }


def count(trees: Iterable[PennTree]) -> Counts:
    """Convert, or read what was converted."""
    derived: list[Named] = []
    failed: defaultdict[str, list[str]] = defaultdict(list)
    sentences, unfit = 0, []
    for tree in trees:
        sentences += 1
        converted = tree.converted
        derivation = converted.derivation()
        if derivation is None:
            failed[converted.reason].append(tree.name)
            continue
        derived.append(Named(tree.name, derivation))
        over_units = tree.sentence("base-np")
        if over_units is None or over_units.derivation is None:
            unfit.append(tree.name)
    return Counts(sentences, derived, dict(failed), len(derived) - len(unfit), unfit)


def _sizes(splits: Sequence[Counts]) -> dict[str, Any]:
    sentences = sum(split.sentences for split in splits)
    converted = sum(len(split.derived) for split in splits)
    over_units = sum(split.over_base_nps for split in splits)
    return {
        "sentences": sentences,
        "converted": converted,
        "share": converted / sentences,
        "over_base_nps": over_units,
        "share_over_base_nps": over_units / sentences,
    }


def _failed(splits: Sequence[Counts]) -> list[dict[str, Any]]:
    """The reasons, the most frequent first, each with the names of the first sentences."""
    names: defaultdict[str, list[str]] = defaultdict(list)
    for split in splits:
        for reason, failed in split.failed.items():
            names[reason] += failed
        if split.unfit:
            names[UNITS] += split.unfit
    rows = [
        {"reason": reason, "sentences": len(failed), "names": failed[:NAMES]}
        for reason, failed in names.items()
    ]
    return sorted(rows, key=lambda row: (-row["sentences"], row["reason"]))


# --- the lexicon --------------------------------------------------------------------------------


def gold_categories(data: str | os.PathLike[str] | None = None) -> frozenset[Category]:
    """The categories of the supertag sets that were made by hand; none where they are not here.

    Raises ``CorpusError`` for a file of them that cannot be read.
    """
    for root in data_roots(data):
        if files := sorted((root / SMALL / "supertags").glob("*.stagged.gz")):
            items = (item for path in files for item in read_text(path).split())
            return frozenset(Category.parse(item.rpartition("|")[2]) for item in items)
    return frozenset()


def _in_gold(derived: Sequence[Named], gold: frozenset[Category]) -> dict[str, Any] | None:
    """How many words have a category of the gold sets, and which others are frequent."""
    if not gold:
        return None
    counts = Counter(leaf.category for named in derived for leaf in named.derivation.leaves())
    inside = sum(number for category, number in counts.items() if category in gold)
    others = [(str(c), number) for c, number in counts.most_common() if c not in gold]
    return {
        "gold": len(gold),
        "words": counts.total(),
        "share": inside / counts.total(),
        "frequent_others": others[:5],
    }


def _seen(splits: dict[str, Counts]) -> dict[str, Any] | None:
    """Of dev's words the shares whose pair with the category is in train: by word, by tag."""
    if not {"train", "dev"} <= splits.keys():
        return None
    train = [leaf for named in splits["train"].derived for leaf in named.derivation.leaves()]
    dev = [leaf for named in splits["dev"].derived for leaf in named.derivation.leaves()]
    words = {(leaf.word, leaf.category) for leaf in train}
    tags = {(leaf.pos, leaf.category) for leaf in train}
    by_word = [(leaf.word, leaf.category) in words for leaf in dev]
    by_tag = [(leaf.pos, leaf.category) in tags for leaf in dev]
    total = max(1, len(dev))
    return {
        "words": len(dev),
        "by_word": sum(by_word) / total,
        "by_tag": sum(by_tag) / total,
        "by_word_or_tag": sum(map(max, by_word, by_tag)) / total if dev else 0.0,
    }


def lexicon(derived: Iterable[Named]) -> dict[str, Any]:
    """How many categories there are, and how many a word has: by type, and by token."""
    of_word: defaultdict[str, set[Category]] = defaultdict(set)
    words: Counter[str] = Counter()
    categories: Counter[Category] = Counter()
    for named in derived:
        for leaf in named.derivation.leaves():
            of_word[leaf.word].add(leaf.category)
            words[leaf.word] += 1
            categories[leaf.category] += 1
    return {
        "categories": len(categories),
        "categories_ten_times": sum(number >= OFTEN for number in categories.values()),
        "words": words.total(),
        "by_type": sum(map(len, of_word.values())) / len(of_word),
        "by_token": sum(len(of_word[word]) * n for word, n in words.items()) / words.total(),
    }


def rules_used(derived: Iterable[Named]) -> dict[str, dict[str, int]]:
    """Of each kind of rule how many steps there are, and how many different ones."""
    steps: Counter[tuple[str, tuple[Category, ...]]] = Counter()
    for named in derived:
        for node in named.derivation.nodes():
            if node.children:
                parts = tuple(child.category for child in node.children)
                steps[node.rule, (node.category, *parts)] += 1
    kinds: Counter[str] = Counter()
    different = Counter(kind for kind, _ in steps)
    for (kind, _), number in steps.items():
        kinds[kind] += number
    return {k: {"steps": n, "different": different[k]} for k, n in kinds.most_common()}
