"""Why a claim may not have come out: each reason with the claims of a record that test it.

Nothing here says what a test found. That is computed: a reason stands if all its tests came out.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from wordorder_lab.check.nb_90_papers.claims_by_paper import Papers
from wordorder_lab.experiments.measures.claims import NOT, NOT_JUDGED, OPPOSITE, REPRODUCED, Verdict

STANDS, AGAINST, OPEN = "stands", "spoken against", "open"
"""All its tests came out; one came out the other way round, significantly; anything else."""
NOT_TESTED = "no record tests a reason"


class Reason(NamedTuple):
    """A reason, which claims it would explain, and which claims must come out if it is right.

    Both are pairs of an experiment and words of its claims: of ``explains`` a part of them (the
    empty text is in all), of ``tests`` all of them.
    """

    says: str
    explains: tuple[tuple[str, str], ...]
    tests: tuple[tuple[str, str], ...]


FINAL = "zhang-clark-2015-table-9-"
TABLE_10 = "zhang-clark-2015-table-10"
BY_EPOCH, EXPANDED = "zhang-clark-2015-figures-4-5-", "zhang-clark-2015-table-4-"
SPOKEN, WRITTEN = "cohn-lapata-2009-table-6-spoken", "cohn-lapata-2009-table-6-written"
PARSERS = "cohn-lapata-2009-table-6-parsers"
CATEGORIES = "zhang-clark-2011-figure-4-table-5-ptb"
SCALED = "the scaled model is better than the"
STANDARD = (
    "without expansion of negative examples, the scaled model is better than the standard one"
)
SAME_RATE = "at McDonald's rate, too, the transducer does better than McDonald's model"
BETTER = "the transducer does better than"
TREES = "the transducer does better with trees of a parser that"

REASONS = (
    Reason(
        "Short newspaper sentences are few and odd: headlines, sums of money. Where all lengths "
        "are sentences of one kind, as in the Gazette, BLEU falls as the paper says.",
        (("zhang-clark-2011-table-4-ptb", "BLEU falls"),),
        (("zhang-clark-2011-table-4-gazette", "BLEU falls as longer sentences are let in"),),
    ),
    Reason(
        "The categories are what is missing. With a supertagger's, which has seen the words in "
        "order (so that this is no bag any more), the same search does better.",
        ((CATEGORIES, "better than Wan's"),),
        (
            (CATEGORIES, "beta 0.0001 is better than the dictionary"),
            (CATEGORIES, "beta 0.075 is better than beta 0.0001"),
        ),
    ),
    Reason(
        "The corpus: on newspapers, the paper's kind of text, the scaled model is ahead.",
        (
            *((f"{BY_EPOCH}{corpus}", SCALED) for corpus in ("gazette", "sick")),
            *((f"{EXPANDED}{corpus}", STANDARD) for corpus in ("gazette", "sick")),
            *(
                (f"{FINAL}{corpus}", "2015 is better than that of 2012")
                for corpus in ("gazette", "sick")
            ),
        ),
        (
            (f"{FINAL}ptb", "the CCG system of 2015 is better than that of 2012"),
            (f"{EXPANDED}ptb", STANDARD),
        ),
    ),
    Reason(
        "How its paper is read decides how strong Zhang (2013) is. Read the other way, with "
        "learning that ends with a sentence's first update, it is weaker than ours.",
        (
            (f"{FINAL}ptb", "better than Zhang (2013)"),
            ("liu-2015-table-4-zhang-2013", "higher F than Zhang (2013)"),
        ),
        (
            (
                "zhang-clark-2015-section-5-2",
                "learning that ends with a sentence's first update is worse (on how Zhang 2013 is "
                "read)",
            ),
        ),
    ),
    Reason(
        "The features know too little of siblings: with templates for their labels best-first "
        "search orders trees of lemmas better.",
        ((TABLE_10, "best-first search is better"),),
        (
            (TABLE_10, "our templates for siblings' labels add to the paper's (SR'18 test)"),
            ("labels", "templates for the labels of siblings add to those of the paper (dev)"),
        ),
    ),
    Reason(
        "It is best-first search, and not the task: transitions, with the same trees and forms, "
        "realise better.",
        ((TABLE_10, "best-first search is better"),),
        (
            (
                TABLE_10,
                "transitions realise better than best-first search, as they order trees better in "
                "Liu et al. 2015 (SR'18 test)",
            ),
            (TABLE_10, "transitions realise better than best-first search (SR'20 test)"),
        ),
    ),
    Reason(
        "The transducer only seems worse because it deletes at a rate of its own: at one rate it "
        "is ahead.",
        ((SPOKEN, f"{BETTER} the integer"), (WRITTEN, f"{BETTER} McDonald's model, each")),
        ((SPOKEN, SAME_RATE), (WRITTEN, SAME_RATE)),
    ),
    Reason(
        "Our parser's trees are worse than the paper's: with better trees the transducer gains.",
        ((SPOKEN, BETTER), (WRITTEN, BETTER)),
        (
            (PARSERS, f"{TREES} has learned from ten times as much (twenty documents)"),
            (PARSERS, f"{TREES} also knows GUM (twenty documents)"),
        ),
    ),
    Reason(
        "Three annotators, who do not always agree, teach the transducer worse than one: of one "
        "annotator's pairs it learns more than McDonald's model.",
        ((SPOKEN, BETTER),),
        (
            (
                SPOKEN,
                "of one annotator's pairs, too, the transducer learns more than McDonald's model, "
                "at the references' rate",
            ),
        ),
    ),
)


def reason_rows(papers: Papers) -> list[dict[str, Any]]:
    """A row for each test of each reason: what came out, and whether the reason stands.

    Raises ``KeyError`` for a test that no specification has.
    """
    rows = []
    for number, reason in enumerate(REASONS, 1):
        stand = standing(reason, papers)
        for place, (experiment, words) in enumerate(reason.tests):
            one = _claim(papers, experiment, words)
            rows.append(
                {
                    "": number if place == 0 else None,
                    "reason": reason.says if place == 0 else "",
                    "it": stand if place == 0 else "",
                    "tested by": f"{experiment}: {words}",
                    "verdict": one.verdict,
                    "here": one.told,
                }
            )
    return rows


def standing(reason: Reason, papers: Papers) -> str:
    """``STANDS``, ``AGAINST`` or ``OPEN``, by the verdicts on its tests; or ``NOT_JUDGED``."""
    found = {_claim(papers, *test).verdict for test in reason.tests}
    if OPPOSITE in found:
        return AGAINST
    if NOT_JUDGED in found:
        return NOT_JUDGED
    return STANDS if found == {REPRODUCED} else OPEN


def failure_rows(papers: Papers) -> list[dict[str, Any]]:
    """A row for each claim of a paper that did not come out, with the reasons that are tested."""
    rows = []
    for paper, of in papers.items():
        for name, verdicts in of.items():
            for one in verdicts:
                if one.claim.ours or one.verdict not in (NOT, OPPOSITE):
                    continue
                told = [
                    f"{number} ({standing(REASONS[number - 1], papers)})"
                    for number in reasons_for(name, one)
                ]
                rows.append(
                    {
                        "paper": paper,
                        "it says": one.claim.says,
                        "verdict": one.verdict,
                        "here": one.told,
                        "reason": ", ".join(told) or NOT_TESTED,
                    }
                )
    return rows


def reasons_for(experiment: str, one: Verdict) -> Iterator[int]:
    """The numbers of the reasons that would explain a claim, from 1."""
    for number, reason in enumerate(REASONS, 1):
        if any(name == experiment and words in one.claim.says for name, words in reason.explains):
            yield number


def _claim(papers: Papers, experiment: str, words: str) -> Verdict:
    for of in papers.values():
        for one in of.get(experiment, ()):
            if one.claim.says == words:
                return one
    raise KeyError(f"{experiment} has no claim {words!r}")
