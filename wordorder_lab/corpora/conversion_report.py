r"""How well Penn trees become CCG derivations: what was converted, what not and why, which lexicon.

Three figures belong together, since each alone can be had by cutting corners: how many sentences
have a derivation, how many of their words have a category that annotators use (the supertag sets of
Rimell & Clark 2008), and how many pairs of dev were seen in train.

``differences`` sets our derivations of wsj_0001 beside those of CCGrebank (Honnibal, Curran & Bos
2010), which puts into CCGbank what other projects have annotated in the same text, and so what no
conversion of Penn trees alone can know. Its two derivations of wsj_0001 are in the sample of a
public program (``ccg_small/gold``). What is different, and why:

- *the*, *a* are ``NP/N`` there and ``NP[nb]/N`` here: CCGrebank does without CCGbank's mark of an
  NP with a determiner. The steps are the same.
- *join* takes *as a nonexecutive director* here, ``((S[b]\NP)/PP)/NP``: the Penn tree calls it
  PP-CLR, "closely related", and so it is a complement in CCGbank, too. In PropBank it is no
  argument of *join*, so there it is an adjunct, ``(S\NP)\(S\NP)``.
- *chairman* takes its PP there, ``N/PP``, since NomBank says that the noun has this argument; so
  *of* only marks it, ``PP/NP``. The Penn tree does not say, so here, as in CCGbank, *of* is an
  adjunct, ``(NP\NP)/NP``, and *chairman* is an NP before it comes.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from wordorder_lab.corpora.ccg_corpora import SMALL
from wordorder_lab.corpora.penn_corpora import PennTree
from wordorder_lab.corpora.readers.ccgbank import AutoEntry, read_auto, spans
from wordorder_lab.corpora.readers.corpus import CorpusError, Splits
from wordorder_lab.corpora.readers.files import data_roots, find_given, read_text
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
Row = dict[str, Any]


class Counts(NamedTuple):
    """What a split came to: sentences, names and derivations, names of the others by reason."""

    sentences: int
    derived: list[tuple[str, Derivation]]
    failed: dict[str, list[str]]


def conversion_report(trees: Splits[PennTree]) -> Row:
    """All figures of a corpus. Raises ``CorpusError`` for a split that is empty or broken."""
    splits = {name: count(trees.split(name)) for name in trees.splits}
    sources = {tree.source for name in trees.splits for tree in trees.split(name)}
    named = [pair for split in splits.values() for pair in split.derived]
    derived = [derivation for _, derivation in named]
    failed = _failed(splits.values())
    if not derived:
        reasons = ", ".join(f"{row['reason']} {row['sentences']:,}" for row in failed)
        raise CorpusError(
            f"no sentence of {trees.name} has a derivation ({reasons}): corpora ccg --show NAME "
            "goes through the steps of one"
        )
    odd = [name for name, derivation in named if derivation.problem()]
    leaves = [leaf for derivation in derived for leaf in derivation.leaves()]
    return {
        "corpus": trees.name,
        "splits": {name: _sizes([split]) for name, split in splits.items()},
        "all": _sizes(splits.values()),
        "failed": failed,
        "steps_of_no_rule": {"sentences": len(odd), "names": odd[:NAMES]},
        "gold_categories": _in_gold(leaves, gold_categories()),
        "dev_seen_in_train": _seen(splits),
        "lexicon": lexicon(leaves),
        "ccgbank": CCGBANK,
        "rules": rules_used(derived),
        "seconds": round(sum(source.seconds for source in sources), 1),
    }


def count(trees: Sequence[PennTree]) -> Counts:
    """Convert, or read what was converted."""
    derived: list[tuple[str, Derivation]] = []
    failed: defaultdict[str, list[str]] = defaultdict(list)
    for tree in trees:
        derivation = tree.converted.derivation()
        if derivation is None:
            failed[tree.converted.reason].append(tree.name)
            continue
        derived.append((tree.name, derivation))
        over_units = tree.sentence("base-np")
        if over_units is None or over_units.derivation is None:
            failed[UNITS].append(tree.name)
    return Counts(len(trees), derived, failed)


def _sizes(splits: Iterable[Counts]) -> Row:
    sentences = sum(split.sentences for split in splits)
    converted = sum(len(split.derived) for split in splits)
    over_units = converted - sum(len(split.failed.get(UNITS, ())) for split in splits)
    return {
        "sentences": sentences,
        "converted": converted,
        "share": converted / sentences,
        "over_base_nps": over_units,
        "share_over_base_nps": over_units / sentences,
    }


def _failed(splits: Iterable[Counts]) -> list[Row]:
    names: defaultdict[str, list[str]] = defaultdict(list)
    for split in splits:
        for reason, failed in split.failed.items():
            names[reason] += failed
    rows = [
        {"reason": reason, "sentences": len(failed), "names": failed[:NAMES]}
        for reason, failed in names.items()
    ]
    return sorted(rows, key=lambda row: (-row["sentences"], row["reason"]))


def gold_categories() -> frozenset[Category]:
    """The categories of the supertag sets made by hand; none where they are not here."""
    folders = (root / SMALL / "supertags" for root in data_roots())
    files = next(filter(None, (sorted(folder.glob("*.stagged.gz")) for folder in folders)), [])
    items = (item for path in files for item in read_text(path).split())
    return frozenset(Category.parse(item.rpartition("|")[2]) for item in items)


def _in_gold(leaves: Sequence[Derivation], gold: frozenset[Category]) -> Row | None:
    if not gold:
        return None
    counts = Counter(leaf.category for leaf in leaves)
    inside = sum(number for category, number in counts.items() if category in gold)
    others = [(str(c), number) for c, number in counts.most_common() if c not in gold]
    shares = {"words": counts.total(), "share": inside / counts.total()}
    return {"gold": len(gold), **shares, "frequent_others": others[:5]}


def _seen(splits: dict[str, Counts]) -> Row | None:
    """Of dev's words the shares whose pair with the category is in train: by word, by tag."""
    if not {"train", "dev"} <= splits.keys():
        return None
    train, dev = (
        [leaf for _, derivation in splits[name].derived for leaf in derivation.leaves()]
        for name in ("train", "dev")
    )
    words = {(leaf.word, leaf.category) for leaf in train}
    tags = {(leaf.pos, leaf.category) for leaf in train}
    by_word = [(leaf.word, leaf.category) in words for leaf in dev]
    by_tag = [(leaf.pos, leaf.category) in tags for leaf in dev]
    either = [word or tag for word, tag in zip(by_word, by_tag)]
    shares = {"by_word": by_word, "by_tag": by_tag, "by_word_or_tag": either}
    total = max(1, len(dev))
    return {"words": len(dev), **{name: sum(seen) / total for name, seen in shares.items()}}


def lexicon(leaves: Sequence[Derivation]) -> Row:
    """How many categories there are, and how many a word has: by type, and by token."""
    categories = Counter(leaf.category for leaf in leaves)
    words = Counter(leaf.word for leaf in leaves)
    of_word = Counter(word for word, _ in {(leaf.word, leaf.category) for leaf in leaves})
    return {
        "categories": len(categories),
        "categories_ten_times": sum(number >= OFTEN for number in categories.values()),
        "words": words.total(),
        "by_type": of_word.total() / len(of_word),
        "by_token": sum(of_word[word] * n for word, n in words.items()) / words.total(),
    }


def rules_used(derived: Iterable[Derivation]) -> dict[str, dict[str, int]]:
    """Of each kind of rule how many steps there are, and how many different ones."""
    steps: Counter[tuple[str, tuple[Category, ...]]] = Counter()
    for node in (node for derivation in derived for node in derivation.nodes()):
        if node.children:
            parts = tuple(child.category for child in node.children)
            steps[node.rule, (node.category, *parts)] += 1
    different = Counter(kind for kind, _ in steps)
    kinds: Counter[str] = Counter()
    for (kind, _), number in steps.items():
        kinds[kind] += number
    return {k: {"steps": n, "different": different[k]} for k, n in kinds.most_common()}


class Step(NamedTuple):
    """A step of a derivation: first word and the one behind the last, category, sign, words."""

    begin: int
    end: int
    category: str
    sign: str
    words: str

    def __str__(self) -> str:
        return f"{self.sign or '-':<4} {self.category:<28} {self.words}"


class Difference(NamedTuple):
    """A sentence twice: words with both categories, steps that only one derivation has."""

    name: str
    words: list[tuple[str, str, str]]
    only_ours: list[Step]
    only_theirs: list[Step]
    shared: int


def differences(trees: Splits[PennTree]) -> list[Difference]:
    """Ours beside theirs, sentence by sentence; ``CorpusError`` where one is missing or differs."""
    theirs = {entry.name: entry for entry in rebanked()}
    found: list[Difference] = []
    for tree in trees.every():
        if (entry := theirs.get(auto_name(tree.name))) is None:
            continue
        ours = tree.converted.derivation()
        if ours is None:
            raise CorpusError(f"{tree.name} has no derivation of ours: {tree.converted.detail}")
        found.append(difference(tree.name, ours, entry.derivation))
        if len(found) == len(theirs):
            return found
    lacking = ", ".join(sorted(theirs.keys() - {auto_name(one.name) for one in found}))
    raise CorpusError(f"{trees.name} has no tree of {lacking}: take ptb-sample")


def rebanked() -> list[AutoEntry]:
    """The two derivations of CCGrebank. Raises ``CorpusError`` where they are not here."""
    source, file = "of CCGrebank (Honnibal, Curran & Bos 2010)", "gold/ccgrebank_wsj_0001.auto"
    (path,) = find_given("what to compare with", source, [f"{SMALL}/{file}"], None)
    return read_auto(path)


def auto_name(name: str) -> str:
    """A sentence's name as CCGbank writes it: ``wsj_0001.1`` for ``wsj_0001.mrg:1``."""
    file, _, number = name.rpartition(":")
    return f"{file.rpartition('.')[0] or file}.{number}"


def difference(name: str, ours: Derivation, theirs: Derivation) -> Difference:
    """What two derivations of the same words do not share; ``CorpusError`` for other words."""
    if ours.words() != theirs.words():
        raise CorpusError(f"{name}: the two derivations have different words")
    pairs = zip(ours.leaves(), theirs.leaves(), strict=True)
    words = [(one.word, str(one.category), str(other.category)) for one, other in pairs]
    mine, others = set(steps(ours)), set(steps(theirs))
    return Difference(name, words, sorted(mine - others), sorted(others - mine), len(mine & others))


def steps(derivation: Derivation) -> Iterator[Step]:
    """Every step that is no word."""
    words = derivation.words()
    for node, span in spans(derivation):
        if node.children:
            yield Step(*span, str(node.category), node.sign, " ".join(words[slice(*span)]))
