"""Notebook 90, the papers' claims: its exercises, and what it shows of all claims and verdicts."""

from __future__ import annotations

import base64
import io
import random
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from itertools import chain, combinations
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

from wordorder_lab.check.judges import Case, Number, OneOf, Several, Wanted, exercise, listed
from wordorder_lab.experiments.claim_list import several_trainings, trained_once
from wordorder_lab.experiments.measures import claims
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

Papers = Mapping[str, Mapping[str, Sequence[claims.Verdict]]]
"""Paper -> its experiments, by name -> the verdicts on the claims of each."""
MAIN = (
    "Zhang & Clark (2011)",
    "Zhang & Clark (2015)",
    "Liu, Zhang, Che & Qin (2015)",
    "Cohn & Lapata (2009)",
)
"""The four papers of this laboratory; any others come after them."""


def judged_papers() -> Papers:
    """Every paper with its experiments and verdicts; the four first, then the others by name. Where
    there are several trainings, their verdicts take the place of those of the one, and an
    experiment of which none is left is not shown."""
    found: dict[str, dict[str, Sequence[claims.Verdict]]] = {name: {} for name in MAIN}
    every = all_verdicts()
    for name, verdicts in sorted(several_trainings(every).items()):
        if verdicts or not every[name]:
            found.setdefault(paper_of(name), {})[name] = verdicts
    last = [*MAIN, *sorted(found.keys() - {*MAIN, NO_PAPER}), NO_PAPER]
    return {paper: found[paper] for paper in last if paper in found}


MOST = 20  # rows of values in a table; of more, those without our number go first
_LINE = "margin:.3em 0;max-width:none"
_BOX = "margin:.4em 0;padding:.1em 0 .1em .8em;border-left:3px solid #99999980"


def overview(papers: Papers) -> HTML:
    """A row of marks a paper: what the papers claim, and beside it what we asked besides."""
    rows = {paper: columns_of([*chain.from_iterable(of.values())]) for paper, of in papers.items()}
    return verdict_marks(rows)


def tables_of(papers: Papers, paper: str) -> HTML:
    """A row of marks for each table and figure of a paper."""
    rows, links = {}, {}
    for name, verdicts in papers[paper].items():
        wanted = load_specification(name)
        label = f"{wanted.paper.get('place', '')}: {wanted.title}"
        rows[label], links[label] = columns_of(verdicts), f"#{name}"
    return verdict_marks(rows, links)


def shown(papers: Papers, *chosen: str, opened: bool = False) -> HTML:
    """These experiments, or those of a paper, to open: numbers, picture, verdicts."""
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


def _section(name: str, verdicts: Sequence[claims.Verdict], opened: bool) -> str:
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


def _claim_shown(one: claims.Verdict) -> str:
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
    some = frame.sort_values("ours", key=lambda ours: ours.isna(), kind="stable").head(MOST)
    more = len(frame) - len(some)
    rest = f'<p>and {more} more: <code>wl.paper_table("{escape(name)}")</code></p>' if more else ""
    return f'<div style="overflow-x:auto">{table(some).to_html()}</div>{rest}'


def difference_panels(papers: Papers) -> dict[str, list[Difference]]:
    """Paper -> its differences beside ours; papers that print none are left out.

    Of quantities that the paper prints itself, and no times, which are of another machine.
    """
    found = {paper: [*_differences(of)] for paper, of in papers.items()}
    return {paper: mine for paper, mine in found.items() if mine}


def _differences(of: Mapping[str, Sequence[claims.Verdict]]) -> Iterator[Difference]:
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
    return [
        {
            "paper": paper,
            "differences": len(mine),
            "same direction": sum(one.printed * one.ours > 0 for one in mine),
            "the paper's is in our interval": sum(o.low <= o.printed <= o.high for o in mine),
            "ours is smaller": sum(abs(one.ours) < abs(one.printed) for one in mine),
            "half of our intervals reach at least ±": median((o.high - o.low) / 2 for o in mine),
        }
        for paper, mine in panels.items()
    ]


STANDS, AGAINST, OPEN = "stands", "spoken against", "open"
"""All its tests came out; one came out the other way round, significantly; anything else."""
NOT_TESTED = "no record tests a reason"
FAILURES = (claims.EXCLUDED, claims.NOT, claims.OPPOSITE)


class Reason(NamedTuple):
    """A reason, which claims it would explain, and which claims must come out if it is right.

    Both are pairs of an experiment and words of its claims: of ``explains`` a part of them (the
    empty text is in all), of ``tests`` all of them.
    """

    says: str
    explains: tuple[tuple[str, str], ...]
    tests: tuple[tuple[str, str], ...]


_LISTED = tomllib.loads(Path(__file__).with_name("reasons.toml").read_text(encoding="utf-8"))


def _reasons() -> Iterator[Reason]:
    for one in _LISTED["reason"]:
        pairs = (tuple((name, words) for name, words in one[key]) for key in Reason._fields[1:])
        yield Reason(one["says"], *pairs)


REASONS = tuple(_reasons())
UNTESTED = _LISTED["untested"]
"""What would test a reason, and for which claims."""


def reason_rows(papers: Papers) -> list[dict[str, object]]:
    """A row for each test of each reason: what came out, and whether the reason stands."""
    rows: list[dict[str, object]] = []
    for number, reason in enumerate(REASONS, 1):
        first = {"": number, "reason": reason.says, "it": standing(reason, papers)}
        for experiment, words in reason.tests:
            one = _claim(papers, experiment, words)
            test = {"tested by": f"{experiment}: {words}", "verdict": one.verdict}
            rows.append({**first, **test, "here": one.told})
            first = {"": None, "reason": "", "it": ""}
    return rows


def standing(reason: Reason, papers: Papers) -> str:
    """``STANDS``, ``AGAINST`` or ``OPEN``, by the verdicts on its tests; or ``NOT_JUDGED``."""
    found = {_claim(papers, *test).verdict for test in reason.tests}
    if claims.OPPOSITE in found:
        return AGAINST
    if claims.NOT_JUDGED in found:
        return claims.NOT_JUDGED
    return STANDS if found <= {*claims.HOLDS} else OPEN


def failure_rows(papers: Papers) -> list[dict[str, object]]:
    """A row for each claim of a paper that did not come out, with the reasons that are tested, or
    what it would take to test one."""
    rows: list[dict[str, object]] = []
    every = ((paper, name, one) for paper, of in papers.items() for name in of for one in of[name])
    for paper, name, one in every:
        if not one.claim.ours and one.verdict in FAILURES:
            once = trained_once(name)
            reasons = ", ".join(
                f"{number} ({standing(reason, papers)})"
                for number, reason in enumerate(REASONS, 1)
                if any(of == once and words in one.claim.says for of, words in reason.explains)
            )
            reasons = reasons or f"{NOT_TESTED}{_would(name, one.claim.says)}"
            row = {"paper": paper, "it says": one.claim.says, "verdict": one.verdict}
            rows.append({**row, "here": one.told, "reason": reasons})
    return rows


def _would(name: str, says: str) -> str:
    """What would test a reason why a claim of this experiment did not come out, if it is listed."""
    for one in UNTESTED:
        if any(name.startswith(of) and words in says for of, words in one["explains"]):
            return f"; it would take {one['would']}"
    return ""


def _claim(papers: Papers, experiment: str, words: str) -> claims.Verdict:
    for name, mine in chain.from_iterable(of.items() for of in papers.values()):
        if name == experiment or name.startswith(f"{experiment}-with-"):
            for one in mine:
                if one.claim.says == words:
                    return one
    raise KeyError(f"{experiment} has no claim {words!r}")


# --- exercises ------------------------------------------------------------------------------------


def _claims() -> Iterator[Case]:
    pairs = [(2.0, 0.001), (2.0, 0.3), (-2.0, 0.3), (-2.0, 0.001), (0.0, 1.0)]
    pairs += [(0.4, 0.05), (-0.4, 0.05), (0.4, 0.0499), (-0.4, 0.0499)]
    rng = random.Random(90)
    pairs += [(round(rng.uniform(-3, 3), 2), round(rng.uniform(0.001, 0.2), 3)) for _ in range(40)]
    for difference, p in pairs:
        right = claims.verdict_of(difference, p < 0.05)
        yield Case(f"verdict({difference:g}, {p:g})", right, (difference, p))


@exercise("90.1", _claims, OneOf((claims.REPRODUCED, claims.SAME, claims.NOT, claims.OPPOSITE)))
def verdict(difference: float, p: float) -> str:
    """Judge a claim by a difference and its p.

    - Two questions: which way does it go, and could chance have done it? Four answers.
    - The level is 0.05, and a p of exactly 0.05 is not below it.
    - No difference at all is not the paper's direction.

    Direction first, then chance. No difference at all is *not reproduced*.

    Right: So the judge begins. It also asks for an interval without 0, and whether the paper's
    size is in it.
    """
    if difference > 0:
        return "reproduced" if p < 0.05 else "same direction, not significant"
    return "opposite" if difference < 0 and p < 0.05 else "not reproduced"


BOTH = [(10, "So many are significant in one direction or the other.")]
BY_CHANCE = [
    Case(name, right, mistakes=BOTH)
    for name, right in (("Reproduced", 5), ("Opposite", 5), ("Rings and crosses", 190))
]


@exercise("90.2", BY_CHANCE, Number())
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
        first, second = listed(value, 2, "a pair is wanted, direction and size.")
        return bool(first), bool(second)

    def difference(self, yours: tuple[bool, bool], right: tuple[bool, bool]) -> str:
        what = "direction" if yours[0] != right[0] else "size"
        return f"of the {what} you say {not right[what == 'size']}, and it is otherwise"


def _intervals() -> Iterator[Case]:
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


@exercise("90.3", _intervals, _Read())
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
    some: list[list[tuple[float, float]]] = [[(40.0, 33.0), (42.0, 35.0)], []]
    some += [[(40.0, 35.0), (42.0, 33.0)], [(40.0, 33.0)]]
    some += [[(40.0, 33.0), (40.0, 35.0)], [(40.0, 33.0), (42.0, 33.0)]]
    rng = random.Random(90)
    for _ in range(30):
        size = rng.randint(3, 6)
        some.append([(rng.randint(1, 6) + 0.5, rng.randint(1, 6) + 0.5) for _ in range(size)])
    for rows in some:
        yield Case(f"Of {rows} the pair", reversed_pairs(rows), (rows,))


@exercise("90.4", _tables, Several("a list of pairs i, j with i < j", tuple))
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
