"""The list of all that the papers claim (``claims.toml``), and what became of each item.

An item is what a paper says once, however many corpora and rows it is tested on. It has the claims
of specifications that test it, or the reason why none does. Variants of these (``variants``) test
it, too: on another corpus in a column of its own; in folds of the same corpus in place of the
smaller sample, and with several trainings in place of the one, whatever comes out there.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from wordorder_lab.experiments.measures.claims import (
    CANNOT,
    FACT,
    HOLDS,
    NOT_JUDGED,
    VERDICTS,
    WORSE,
    Verdict,
)
from wordorder_lab.experiments.records import names, variant_called
from wordorder_lab.experiments.variants import Variant
from wordorder_lab.metrics.randomisation import LEVEL, holm

LIST = Path(__file__).with_name("claims.toml")
CORPORA = {
    "ptb-sample": "Penn sample",
    "ptb-sample-in-order": "Penn sample",
    "gum-trees": "GUM",
    "ewt": "EWT",
    "gazette": "Gazette",
    "sick-candc": "SICK",
    "sr18": "SR'18, SR'20",
    "sr20": "SR'18, SR'20",
    "clarke-lapata-spoken": "CLspoken",
    "clarke-lapata-written": "CLwritten",
}
"""Corpus of a record -> its column, in the order of columns."""
Verdicts = Mapping[str, Sequence[Verdict]]


class Item(NamedTuple):
    """What a paper claims: ``tests`` are experiments with the beginning of their claims' words,
    ``why`` is the reason where there are none; ``notebook`` and ``code`` are names of files."""

    paper: str
    where: str
    says: str
    tests: tuple[tuple[str, str], ...]
    why: str
    notebook: str
    code: str


def items() -> list[Item]:
    """The list, in the order of the papers. Raises ``ValueError`` for an item that has neither
    tests nor a reason, or both."""
    found = []
    for part in tomllib.loads(LIST.read_text(encoding="utf-8"))["part"]:
        where = (part["paper"], part["where"])
        for claim in part["claims"]:
            several = claim.get("tests", ())
            tests = tuple((name, words) for names, words in several for name in names)
            if bool(tests) == bool(claim.get("why")):
                raise ValueError(f"{where}: {claim['says']!r} needs tests or a reason: one of them")
            more = (part["notebook"], part["code"])
            found.append(Item(*where, claim["says"], tests, claim.get("why", ""), *more))
    return found


def claims_of(item: Item, verdicts: Verdicts) -> list[tuple[str, Verdict]]:
    """The claims that test an item, with their experiments. Raises ``ValueError`` for words with
    which no claim of a paper begins."""
    found = []
    decided = several_trainings(verdicts)
    for name, words in item.tests:
        if not _beginning(verdicts[name], words):
            raise ValueError(f"{name} has no claim of a paper that begins with {words!r}")
        found += [(name, one) for one in _beginning(decided[name], words)]
        variants = _variants(verdicts).get(name, {})
        for of in sorted(variants, key=lambda of: _once(variants[of]) != name):
            mine = _beginning(decided[of], words)
            found += [(of, one) for one in mine if one.verdict != NOT_JUDGED]
    return found


def _once(variant: Variant) -> str:
    """The experiment that trains once what a variant trains several times."""
    return variant._replace(seeds=0).name


def _beginning(some: Sequence[Verdict], words: str) -> list[Verdict]:
    return [one for one in some if one.claim.says.startswith(words) and not one.claim.ours]


def _variants(verdicts: Verdicts) -> dict[str, dict[str, Variant]]:
    """Experiment -> its variants."""
    return _variants_among(tuple(verdicts), variant_called)


@lru_cache(maxsize=4)  # asked for each item, and each time a hundred files would be read
def _variants_among(
    every: Sequence[str], called: Callable[[str], Variant | None]
) -> dict[str, dict[str, Variant]]:
    found: dict[str, dict[str, Variant]] = {}
    for name in every:
        if variant := called(name):
            found.setdefault(variant.of, {})[name] = variant
    return found


def deciding(verdicts: Verdicts) -> dict[str, list[Verdict]]:
    """The verdicts that count: without those on a sample of a corpus of which all sentences were
    tested by folds, those of one training where there are several, and what a variant could not
    judge."""
    variants = _of_variants(verdicts)

    def weaker(variant: Variant) -> list[str]:
        if not variant.folds or variant.corpus:
            return []
        small = [of for of, one in variants.items() if not (one.corpus or one.folds)]
        return [variant.of, *(of for of in small if variants[of].of == variant.of)]

    judged = {
        name: [one for one in mine if name not in variants or one.verdict != NOT_JUDGED]
        for name, mine in verdicts.items()
    }
    return _without_weaker(several_trainings(judged), weaker)


def several_trainings(verdicts: Verdicts) -> dict[str, list[Verdict]]:
    """Without those of one training where there are several."""
    return _without_weaker(verdicts, lambda one: [_once(one)] if one.seeds else [])


def with_trainings(chosen: Iterable[str]) -> list[str]:
    """Experiments, each with its variants that train several times what it trains once."""
    found = list(dict.fromkeys(chosen))
    more = [name for name in (names() if found else ()) if trained_once(name) in found]
    return found + [name for name in more if name not in found]


def trained_once(name: str) -> str:
    """The experiment that trains once what this one trains several times; else itself."""
    variant = variant_called(name)
    return _once(variant) if variant and variant.seeds else name


def _without_weaker(
    verdicts: Verdicts, weaker: Callable[[Variant], list[str]]
) -> dict[str, list[Verdict]]:
    """A claim that a variant has tested is left out of weaker experiments; one that it could not
    judge is left out of the variant."""
    stronger: dict[str, set[str]] = {}
    replacing: set[str] = set()
    for name, variant in _of_variants(verdicts).items():
        for of in weaker(variant):
            if of not in verdicts:
                continue
            tested = {one.claim.says for one in verdicts[name] if one.verdict != NOT_JUDGED}
            stronger.setdefault(of, set()).update(tested)
            replacing.add(name)
    return {
        name: [
            one
            for one in mine
            if one.claim.says not in stronger.get(name, ())
            and not (name in replacing and one.verdict == NOT_JUDGED)
        ]
        for name, mine in verdicts.items()
    }


def _of_variants(verdicts: Verdicts) -> dict[str, Variant]:
    return {name: one for some in _variants(verdicts).values() for name, one in some.items()}


def cells(item: Item, verdicts: Verdicts) -> dict[str, list[tuple[str, Verdict]]]:
    """Column of a corpus -> the claims that were tested on it."""
    found: dict[str, list[tuple[str, Verdict]]] = {}
    for name, one in claims_of(item, verdicts):
        found.setdefault(column_of(one), []).append((name, one))
    return found


def column_of(one: Verdict) -> str:
    """The column that a verdict stands in."""
    corpus, comma, folds = one.corpus.partition(",")
    return CORPORA.get(corpus, corpus or "printed") + comma + folds


def in_order(columns: Iterable[str]) -> list[str]:
    """Columns as a table has them: those of folds beside those of a sample."""
    known = list(dict.fromkeys(CORPORA.values()))

    def place(column: str) -> tuple[int, str]:
        first, *_ = column.split(",")
        return (known.index(first) if first in known else len(known), column)

    return sorted(columns, key=place)


def outcome(item: Item, verdicts: Verdicts) -> str:
    """What became of an item: the worst verdict on the corpus that its list names first; where that
    was tested by folds, their verdict takes the place of the sample's."""
    mine = _that_count(item, verdicts)
    return max((one.verdict for _, one in mine), key=WORSE.index) if mine else CANNOT


def _that_count(item: Item, verdicts: Verdicts) -> list[tuple[str, Verdict]]:
    tests, decided = claims_of(item, verdicts), deciding(verdicts)
    first = _corpus(tests[0][1]) if tests else ""
    return [(name, one) for name, one in tests if _corpus(one) == first and one in decided[name]]


def _corpus(one: Verdict) -> str:
    """The column without its folds."""
    return column_of(one).partition(",")[0]


class Tally(NamedTuple):
    """How many distinct claims came out how; facts, and what has no test, are counted apart.
    ``corrected`` is how many of those that came out stay significant after Holm's correction."""

    verdicts: Counter[str]
    facts: int
    hold: int
    without: int
    corrected: int


def tally(some: Sequence[Item], verdicts: Verdicts) -> Tally:
    """Each item counted once."""
    sure = {(name, one.claim.says) for name, one, p in corrected(verdicts) if p < LEVEL}
    with_test = [item for item in some if item.tests]
    facts = [item for item in with_test if claims_of(item, verdicts)[0][1].claim.fact]
    judged = Counter(outcome(item, verdicts) for item in with_test if item not in facts)
    hold = [outcome(item, verdicts) for item in facts].count(FACT)
    still = [
        item
        for item in with_test
        if item not in facts
        and outcome(item, verdicts) in HOLDS
        and all((name, one.claim.says) in sure for name, one in _that_count(item, verdicts))
    ]
    return Tally(judged, len(facts), hold, len(some) - len(with_test), len(still))


def counts(some: Sequence[Item], verdicts: Verdicts) -> str:
    """A tally in words."""
    found = tally(some, verdicts)
    parts = [f"{found.verdicts[one]} {one}" for one in VERDICTS if one in found.verdicts]
    holds = sum(found.verdicts[one] for one in HOLDS)
    still = "stay significant after correction for all tests (Holm)"
    more = [f"Of the {holds} that came out, {found.corrected} {still}"]
    more += [f"Facts (sizes, arithmetic): {found.hold} of {found.facts} hold"] * bool(found.facts)
    more += [f"Without a test, each with the reason: {found.without}"] * bool(found.without)
    total = found.verdicts.total()
    return ". ".join([f"{total} distinct claims: {'; '.join(parts)}", *more]) + "."


def corrected(verdicts: Verdicts) -> Iterator[tuple[str, Verdict, float]]:
    """The papers' tested claims, each with its p-value corrected for the number of them (Holm);
    that two are alike is not shown by a p-value."""
    decided = deciding(verdicts).items()
    every = [(name, one) for name, mine in decided for one in mine if not one.claim.ours]
    tests = [(name, one) for name, one in every if one.claim.kind != "alike"]
    with_p = [(name, one) for name, one in tests if one.p_value is not None]
    p_values = holm([one.p_value or 0.0 for _, one in with_p])
    return ((name, one, p) for (name, one), p in zip(with_p, p_values))
