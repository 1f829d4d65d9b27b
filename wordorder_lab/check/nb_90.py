"""Notebook 90, the papers' claims: its exercises, and what it shows of all claims and verdicts."""

from __future__ import annotations

import base64
import io
import random
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from itertools import chain, combinations
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

from wordorder_lab.check.judges import (
    Case,
    Number,
    OneOf,
    Several,
    Wanted,
    listed,
    own_answer,
    own_function,
)
from wordorder_lab.experiments.measures.claims import (
    NOT,
    NOT_JUDGED,
    OPPOSITE,
    REPRODUCED,
    SAME,
    Verdict,
    verdict_of,
)
from wordorder_lab.experiments.paper_values import TIMES
from wordorder_lab.experiments.records import RecordError
from wordorder_lab.experiments.report import paper_figure
from wordorder_lab.experiments.specification import load_specification
from wordorder_lab.experiments.verdicts import NO_PAPER, all_verdicts, paper_of, paper_table, says
from wordorder_lab.plots import Difference, table, verdict_marks
from wordorder_lab.plots.verdict_marks import columns_of, mark_of, marks

if TYPE_CHECKING:
    import pandas
    from IPython.display import HTML

Papers = Mapping[str, Mapping[str, Sequence[Verdict]]]
"""Paper -> its experiments, by name -> the verdicts on the claims of each."""
MAIN = (
    "Zhang & Clark (2011)",
    "Zhang & Clark (2015)",
    "Liu, Zhang, Che & Qin (2015)",
    "Cohn & Lapata (2009)",
)
"""The four papers of this laboratory; any others come after them."""


def judged_papers() -> Papers:
    """Every paper with its experiments and verdicts; the four first, then the others by name.

    Raises ``RecordError`` for a damaged record. It takes some seconds: each difference is tested
    anew.
    """
    found: dict[str, dict[str, Sequence[Verdict]]] = {name: {} for name in MAIN}
    for name, verdicts in sorted(all_verdicts().items()):
        found.setdefault(paper_of(name), {})[name] = verdicts
    others = sorted(found.keys() - {*MAIN, NO_PAPER})
    last = [NO_PAPER] if NO_PAPER in found else []
    return {paper: found[paper] for paper in (*MAIN, *others, *last)}


# --- tables and figures, each as one thing to open ------------------------------------------------

MOST = 20
"""So many rows of values stand in a table; of more, those without our number go first."""
_LINE = "margin:.3em 0;max-width:none"
_BOX = "margin:.4em 0;padding:.1em 0 .1em .8em;border-left:3px solid #99999980"


def overview(papers: Papers) -> HTML:
    """A row of marks a paper: what the papers claim, and beside it what we asked besides."""
    rows = {paper: columns_of([*chain.from_iterable(of.values())]) for paper, of in papers.items()}
    return verdict_marks(rows)


def tables_of(papers: Papers, paper: str) -> HTML:
    """A row of marks for each table and figure of a paper. Raises ``KeyError`` for another name."""
    rows, links = {}, {}
    for name, verdicts in papers[paper].items():
        wanted = load_specification(name)
        label = f"{wanted.paper.get('place', '')}: {wanted.title}"
        rows[label], links[label] = columns_of(verdicts), f"#{name}"
    return verdict_marks(rows, links)


def shown(papers: Papers, *chosen: str, opened: bool = False) -> HTML:
    """These experiments, one below the other, each to open: numbers, picture, verdicts.

    A whole paper may be named, too. Raises ``KeyError`` for an experiment that there is not.
    """
    from IPython.display import HTML

    every = {name: verdicts for of in papers.values() for name, verdicts in of.items()}
    names = [one for name in chosen for one in (papers.get(name) or [name])]
    sections = (_section(name, every[name], opened) for name in names)
    return HTML("".join(sections))  # type: ignore[no-untyped-call]


def values_beside(name: str) -> pandas.DataFrame:
    """``paper_table`` of one experiment to read: without what is the same in each of its rows."""
    frame = paper_table(name).drop(columns="experiment")
    if len(frame) > 1:
        settings = [row.split(", ") for row in frame["the paper's row"]]
        common = set.intersection(*map(set, settings))
        kept = [[one for one in row if one not in common] for row in settings]
        frame["the paper's row"] = [", ".join(row) or "all" for row in kept]
    empty = [column for column in ("low", "high", "our row") if not frame[column].any()]
    return frame.drop(columns=empty)


def _section(name: str, verdicts: Sequence[Verdict], opened: bool) -> str:
    wanted = load_specification(name)
    paper = wanted.paper
    head = f"<b>{escape(str(paper.get('place', '')))}</b>: {escape(wanted.title)}"
    parts = [
        f'<p style="{_LINE}"><i>{label}:</i> {escape(str(paper[key]))}</p>'
        for key, label in (("claim", "The paper"), ("data", "Its data"), ("condition", "Here"))
        if paper.get(key)
    ]
    parts += [_picture(name, wanted.title), _values(name), *map(_claim_shown, verdicts)]
    parts.append(f'<p style="{_LINE}"><code>wordorder-lab reproduce {escape(name)}</code></p>')
    summary = f'<summary style="cursor:pointer">{head} {marks(map(mark_of, verdicts))}</summary>'
    # The id stands inside: a browser opens what a link leads into.
    inside = f'<div id="{escape(name)}">{"".join(parts)}</div>'
    return f'<details style="{_BOX}"{" open" * opened}>{summary}{inside}</details>'


def _claim_shown(one: Verdict) -> str:
    verdict = f"<b>{escape(one.verdict.capitalize())}</b>: {escape(one.told)}"
    printed = "" if one.claim.printed is None else f" (the paper: {one.claim.printed:+g})"
    text = f"{escape(says(one.claim))}. {verdict}{printed}"
    return f'<p style="{_LINE};padding-left:1em">{text}</p>'


def _picture(name: str, title: str) -> str:
    """An experiment's picture inside the page, in so few colours that fifty of them are small."""
    from PIL import Image

    try:
        figure = paper_figure(name)
    except RecordError as error:
        return f"<p>{escape(str(error))}</p>"
    drawn, file = io.BytesIO(), io.BytesIO()
    figure.savefig(drawn, format="png", dpi=80)
    Image.open(drawn).convert("RGB").quantize(64).save(file, format="png", optimize=True)
    data = base64.b64encode(file.getvalue()).decode("ascii")
    return f'<img src="data:image/png;base64,{data}" alt="Plot: {escape(title)}" loading="lazy">'


def _values(name: str) -> str:
    frame = values_beside(name)
    if frame.empty:
        return "<p>The paper prints no number to set ours beside.</p>"
    known = frame.assign(missing=frame["ours"].isna()).sort_values("missing", kind="stable")
    some = known.drop(columns="missing").head(MOST)
    more = len(frame) - len(some)
    told = f'<p>and {more} more: <code>wl.paper_table("{escape(name)}")</code></p>' if more else ""
    return f'<div style="overflow-x:auto">{table(some).to_html()}</div>{told}'


# --- by how much ----------------------------------------------------------------------------------


def difference_panels(papers: Papers) -> dict[str, list[Difference]]:
    """Paper -> its differences beside ours; papers that print none are left out.

    Of claims that a paper makes of a quantity which it prints itself (a rating by people is no
    relation F1), and of no times, which are of another machine.
    """
    found = {paper: [*_differences(of)] for paper, of in papers.items()}
    return {paper: mine for paper, mine in found.items() if mine}


def _differences(of: Mapping[str, Sequence[Verdict]]) -> Iterator[Difference]:
    for name, verdicts in of.items():
        values = load_specification(name).paper.get("values", [])
        named = {quantity for value in values for quantity in value}  # whatever was run of them
        quantities = {*paper_table(name)["quantity"], *named}
        for one in verdicts:
            claim = one.claim
            if claim.printed is None or one.difference is None or one.interval is None:
                continue
            if claim.on in quantities and claim.on not in TIMES:
                yield Difference(claim.printed, one.difference, *one.interval, one.verdict)


def size_rows(panels: Mapping[str, Sequence[Difference]]) -> list[dict[str, object]]:
    """A row a paper: how many go its way, and how many of its differences ours could still be."""
    rows: list[dict[str, object]] = []
    for paper, mine in panels.items():
        inside = sum(one.low <= one.printed <= one.high for one in mine)
        reach = median((one.high - one.low) / 2 for one in mine)
        rows.append(
            {
                "paper": paper,
                "differences": len(mine),
                "same direction": sum(one.printed * one.ours > 0 for one in mine),
                "the paper's is in our interval": inside,
                "ours is smaller": sum(abs(one.ours) < abs(one.printed) for one in mine),
                "half of our intervals reach at least ±": reach,
            }
        )
    return rows


# --- why a claim may not have come out ------------------------------------------------------------

STANDS, AGAINST, OPEN = "stands", "spoken against", "open"
"""All its tests came out; one came out the other way round, significantly; anything else."""
NOT_TESTED = "no record tests a reason"
"""Nothing here says what a test found: that is computed."""


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


def reason_rows(papers: Papers) -> list[dict[str, object]]:
    """A row for each test of each reason: what came out, and whether the reason stands.

    Raises ``KeyError`` for a test that no specification has.
    """
    rows: list[dict[str, object]] = []
    for number, reason in enumerate(REASONS, 1):
        first: dict[str, object] = {"": number, "reason": reason.says}
        first["it"] = standing(reason, papers)
        for experiment, words in reason.tests:
            one = _claim(papers, experiment, words)
            test = {"tested by": f"{experiment}: {words}", "verdict": one.verdict}
            rows.append({**first, **test, "here": one.told})
            first = {"": None, "reason": "", "it": ""}
    return rows


def standing(reason: Reason, papers: Papers) -> str:
    """``STANDS``, ``AGAINST`` or ``OPEN``, by the verdicts on its tests; or ``NOT_JUDGED``."""
    found = {_claim(papers, *test).verdict for test in reason.tests}
    if OPPOSITE in found:
        return AGAINST
    if NOT_JUDGED in found:
        return NOT_JUDGED
    return STANDS if found == {REPRODUCED} else OPEN


def failure_rows(papers: Papers) -> list[dict[str, object]]:
    """A row for each claim of a paper that did not come out, with the reasons that are tested."""
    rows: list[dict[str, object]] = []
    every = ((paper, *of) for paper, some in papers.items() for of in some.items())
    for paper, name, verdicts in every:
        for one in verdicts:
            if not one.claim.ours and one.verdict in (NOT, OPPOSITE):
                told = [
                    f"{number} ({standing(REASONS[number - 1], papers)})"
                    for number in reasons_for(name, one)
                ]
                reason = ", ".join(told) or NOT_TESTED
                row = {"paper": paper, "it says": one.claim.says, "verdict": one.verdict}
                rows.append({**row, "here": one.told, "reason": reason})
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


# --- exercises ------------------------------------------------------------------------------------

LEVEL = 0.05


def _claims() -> Iterator[Case]:
    """Differences with their p: those at the borders first, then some at random, the same ones."""
    pairs = [(2.0, 0.001), (2.0, 0.3), (-2.0, 0.3), (-2.0, 0.001), (0.0, 1.0)]
    pairs += [(0.4, 0.05), (-0.4, 0.05), (0.4, 0.0499), (-0.4, 0.0499)]
    rng = random.Random(90)
    pairs += [(round(rng.uniform(-3, 3), 2), round(rng.uniform(0.001, 0.2), 3)) for _ in range(40)]
    for difference, p in pairs:
        right = verdict_of(difference, p < LEVEL)
        yield Case(f"verdict({difference:g}, {p:g})", right, (difference, p))


@own_function("90.1", _claims, OneOf((REPRODUCED, SAME, NOT, OPPOSITE)))
def verdict(difference: float, p: float) -> str:
    """Judge a claim by a difference and its p.

    - Two questions: which way does it go, and could chance have done it? Four answers.
    - The level is 0.05, and a p of exactly 0.05 is not below it.
    - No difference at all is not the paper's direction.

    Direction first, then chance. No difference at all is *not reproduced*.

    Right: Now you can judge every line of this notebook that has a difference and a p.
    """
    if difference > 0:
        return "reproduced" if p < 0.05 else "same direction, not significant"
    return "opposite" if difference < 0 and p < 0.05 else "not reproduced"


def _by_chance() -> Iterator[Case]:
    both = [(10, "So many are significant in one direction or the other.")]
    for name, right in (("Reproduced", 5), ("Opposite", 5), ("Rings and crosses", 190)):
        yield Case(name, right, mistakes=both)


@own_answer("90.2", _by_chance, Number())
def by_chance() -> tuple[float, float, float]:
    """Two hundred claims of which none is true: what comes out?

    - A test at 5 % comes out in 5 of 100 cases though nothing is there.
    - The test has two sides. Which of them is the paper's?
    - What is left of the 200 is not significant.

    One test of twenty comes out, and half of those in the paper's direction.

    Right: Compare the first picture: how far is it from that, and on which side?
    """
    return (200 * 0.025, 200 * 0.025, 200 * 0.95)


class _Read(Wanted[tuple[bool, bool]]):
    """Whether the direction is shown, and whether the size is possible."""

    def read(self, value: object) -> tuple[bool, bool]:
        """A pair."""
        first, second = listed(value, 2, "a pair is wanted, direction and size.")
        return bool(first), bool(second)

    def difference(self, yours: tuple[bool, bool], right: tuple[bool, bool]) -> str:
        """What is not so."""
        what = "direction" if yours[0] != right[0] else "size"
        return f"of the {what} you say {not right[what == 'size']}, and it is otherwise"


def _intervals() -> Iterator[Case]:
    """Intervals with a difference to look for: one of each kind, then some at random."""
    some = [(1.0, 3.0, 2.0), (1.0, 3.0, 7.3), (-1.0, 3.0, 2.0), (-0.5, 0.5, 2.0)]
    some += [(-4.0, -1.0, 2.0), (0.0, 2.0, 2.0), (0.3, 0.9, 0.3)]
    rng = random.Random(90)
    for _ in range(40):
        middle, half = rng.uniform(-3, 5), rng.uniform(0.2, 3)
        printed = round(rng.uniform(0.1, 6), 1)
        some.append((round(middle - half, 1), round(middle + half, 1), printed))
    for low, high, printed in some:
        about = f"reads({low:g}, {high:g}, {printed:g})"
        yield Case(about, reads(low, high, printed), (low, high, printed))


@own_function("90.3", _intervals, _Read())
def reads(low: float, high: float, printed: float) -> tuple[bool, bool]:
    """Read an interval: is the direction shown, is the paper's size possible?

    - The paper's difference is above 0. When is all that ours could be above 0, too?
    - An interval that reaches 0 has not shown a direction.
    - The size is possible if the paper's number lies between the ends.

    An interval that ends at 0 shows no direction.

    Right: The two are independent: a direction may be shown, and the size not be the paper's.
    """
    return low > 0, low <= printed <= high


Rows = Sequence[tuple[float, float]]


def _tables() -> Iterator[Case]:
    """Tables of a paper's values and ours: by hand, then some at random with a few that tie."""
    some: list[list[tuple[float, float]]] = [[(40.0, 33.0), (42.0, 35.0)], []]
    some += [[(40.0, 35.0), (42.0, 33.0)], [(40.0, 33.0)]]
    some += [[(40.0, 33.0), (40.0, 35.0)], [(40.0, 33.0), (42.0, 33.0)]]
    rng = random.Random(90)
    for _ in range(30):
        size = rng.randint(3, 6)
        some.append([(rng.randint(1, 6) + 0.5, rng.randint(1, 6) + 0.5) for _ in range(size)])
    for rows in some:
        yield Case(f"Of {rows} the pair", reversed_pairs(rows), (rows,))


@own_function("90.4", _tables, Several("a list of pairs i, j with i < j", tuple))
def reversed_pairs(rows: Rows) -> list[tuple[int, int]]:
    """Find the rows that stand in another order than in the paper.

    - Go through all pairs of places, the smaller one first.
    - In the paper one is above the other: is it above in ours, too?
    - The two differences have contrary signs if their product is below 0.

    A product below 0: one difference goes up, the other down. A tie makes it 0.

    Right: The report page tells them below each table, and says whether our intervals overlap.
    """
    return [
        (i, j)
        for i, j in combinations(range(len(rows)), 2)
        if (rows[i][0] - rows[j][0]) * (rows[i][1] - rows[j][1]) < 0
    ]
