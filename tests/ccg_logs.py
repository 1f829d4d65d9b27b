"""Event logs of CCG searches for the tests of folds and players: real ones, and wild ones."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from ccg_oracles import TABLE_1, problem_of, rules_of
from edge_oracles import MadeUp
from random_logs import wild_search

import wordorder_lab as wl
from wordorder_lab.best_first.ccg import BestFirstCCG
from wordorder_lab.best_first.gold import CCGExample
from wordorder_lab.best_first.guided_learning import GuidedLearner
from wordorder_lab.best_first.settings import GuidedSettings, Limits, SearchSettings
from wordorder_lab.structures.category import Category
from wordorder_lab.structures.derivation import Derivation
from wordorder_lab.structures.problem import OrderingProblem
from wordorder_lab.structures.sentence import Sentence, Token

EVIL = "<script>alert(1)</script>"
TRANSITIVE, INTRANSITIVE = r"(S[dcl]\NP)/NP", r"S[dcl]\NP"
LEXICON = {
    "IBM": ["N"],
    "bought": [TRANSITIVE, INTRANSITIVE],
    "Lotus Corp.": ["N", "N/N"],
    EVIL: ["N/N", "N"],
    "the": ["NP[nb]/N"],
    "yesterday": [r"(S\NP)\(S\NP)"],
    ".": ["."],
}
ROWS = [
    ("NP", ("N",), 0),
    ("N", ("N/N", "N"), 1),
    ("NP[nb]", ("NP[nb]/N", "N"), 0),
    (r"S/(S\NP)", ("NP",), 0),
    (INTRANSITIVE, (TRANSITIVE, "NP"), 0),
    (INTRANSITIVE, (TRANSITIVE, "NP[nb]"), 0),
    (INTRANSITIVE, (INTRANSITIVE, r"(S\NP)\(S\NP)"), 0),
    ("S[dcl]", ("NP", INTRANSITIVE), 1),
    ("S[dcl]", ("NP[nb]", INTRANSITIVE), 1),
    ("S[dcl]", (r"S/(S\NP)", INTRANSITIVE), 1),
    ("S[dcl]/NP", (r"S/(S\NP)", TRANSITIVE), 1),
    ("S[dcl]", ("S[dcl]/NP", "NP"), 0),
    ("S[dcl]", ("S[dcl]", "."), 0),
]
"""A grammar with unary rules, in which one sentence has several derivations."""

WORDS = ["IBM", "bought", EVIL, "Lotus Corp.", "yesterday", "."]


Pairs = Sequence[tuple[int, int]]


def cat(text: str) -> Category:
    return Category.parse(text)


def leaf(word: str, category: str) -> Derivation:
    return Derivation.leaf(word, "T", cat(category))


def gold_derivation(raised: bool = False) -> Derivation:
    """IBM bought the script Lotus Corp. yesterday; with ``raised`` the subject is type-raised."""
    subject = Derivation.unary(cat("NP"), leaf("IBM", "N"))
    subject = Derivation.unary(cat(r"S/(S\NP)"), subject) if raised else subject
    noun = Derivation(cat("N"), (leaf(EVIL, "N/N"), leaf("Lotus Corp.", "N")), 1)
    verb = Derivation(
        cat(INTRANSITIVE), (leaf("bought", TRANSITIVE), Derivation.unary(cat("NP"), noun)), 0
    )
    verb = Derivation(cat(INTRANSITIVE), (verb, leaf("yesterday", r"(S\NP)\(S\NP)")), 0)
    whole = Derivation(cat("S[dcl]"), (subject, verb), 1)
    return Derivation(cat("S[dcl]"), (whole, leaf(".", ".")), 0)


def gold_sentence(raised: bool = False) -> Sentence:
    derivation = gold_derivation(raised)
    tokens = zip(derivation.leaves(), derivation.heads())
    return Sentence(
        tuple(Token((*one.word.split(),), one.pos, head) for one, head in tokens),
        derivation=derivation,
    )


def problem(words: list[str] = WORDS, before: Pairs = ()) -> OrderingProblem:
    bag = wl.WordBag([tuple(word.split()) for word in words], before=before)
    return problem_of(bag, LEXICON)


def ccg_search(seed: int = 28, trace: Any = None, before: Pairs = (), **how: Any) -> BestFirstCCG:
    """A search on ``WORDS`` with made-up weights; it has not begun."""
    settings = SearchSettings(**{"beam": 16, "limits": Limits(expansions=120), **how})
    weight = MadeUp(seed)

    def of_feature(feature: Any) -> float:
        return weight((TABLE_1.templates[feature[0]].name, *feature[1:]))

    bag, rules = problem(WORDS, before), rules_of(ROWS)
    return BestFirstCCG(bag, TABLE_1, of_feature, settings, trace, rules=rules)


def ccg_log(seed: int = 28, **how: Any) -> wl.EventLog:
    """One CCG search: a goal is found, and of two edges that are alike either has to go."""
    log = wl.EventLog()
    ccg_search(seed, log, **how).run()
    return log


def ccg_guided_log(update: str = "scaled", negatives: str = "expand", **how: Any) -> wl.EventLog:
    """Guided learning of CCG on one sentence with two derivations, four times."""
    log = wl.EventLog()
    given = {"beam": 4, "chart": "single", "expansions": 40, **how}
    settings = GuidedSettings(update=update, negatives=negatives, **given)
    decoder = partial(BestFirstCCG, rules=rules_of(ROWS))
    learner = GuidedLearner(TABLE_1, settings, log, decoder)
    ready = problem()
    for turn in range(4):
        derivation = gold_derivation(raised=turn % 2 == 1)
        items = [
            next(
                i
                for i, item in enumerate(ready.items)
                if (item.form, item.category) == (one.word, one.category)
            )
            for one in derivation.leaves()
        ]
        example: Any = CCGExample(ready, tuple(items), derivation)
        learner.learn(example)
    return log


CATEGORIES = ["N", "NP[nb]/N", TRANSITIVE, "<b>", r"(S\NP)\(S\NP)", "conj"]
SIGNS = ["> HeadLeft", "< HeadRight", ">B HeadRight", "<B× HeadLeft", "Φ HeadRight", "<i> HeadLeft"]


def wild_ccg(seed: int, events: int) -> wl.EventLog:
    """A wild search whose edges have categories and rules."""
    log = wl.EventLog()
    for kind, *values in wild_search(seed, events):
        if kind == "leaf":
            values[6] = CATEGORIES[values[0] % len(CATEGORIES)]
        if kind == "edge":
            _, left, right, *_ = values
            values[3] = (
                SIGNS[(left + right) % len(SIGNS)] if right else ["tc", ">T", "<T"][left % 3]
            )
            values[6] = CATEGORIES[(left * 7 + right) % len(CATEGORIES)]
        log.record(kind, *values)
    return log
