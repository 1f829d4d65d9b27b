"""The matrix that the results begin with: what the papers claim, by the corpus it was tested on.

Each claim of the list stands once. A mark is one test of it: it leads to the page of the record,
with our effect, the paper's and the number of sentences beside it; below, what was trained with.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from xml.etree.ElementTree import Element, tostring

from site_pages.notebooks import SHOWN
from site_pages.page import PACKAGE
from site_pages.source_pages import page_of
from wordorder_lab.commands.html import node
from wordorder_lab.experiments.claim_list import (
    Item,
    Verdicts,
    cells,
    column_of,
    corrected,
    in_order,
    items,
    tally,
)
from wordorder_lab.experiments.measures.claims import VERDICTS, Verdict
from wordorder_lab.experiments.verdicts import all_verdicts
from wordorder_lab.metrics.randomisation import LEVEL, p_in_words
from wordorder_lab.plots.verdict_marks import SIGNS

DAGGER = "\N{DAGGER}"
JOINED = "\N{NO-BREAK SPACE}"
UNTESTED = "no test: "
ALL = "all"
Corrected = Mapping[tuple[str, str], float]
"""Experiment and words of a claim -> its p-value, corrected."""


def matrix(pages: Collection[str], about: str) -> str:
    """All papers as HTML: how many claims came out how, what marks mean and ``about`` them, then
    claim by claim; a mark leads to its experiment's page, if there is one of ``pages``."""
    every, verdicts = items(), all_verdicts()
    holm = {(name, one.claim.says): p for name, one, p in corrected(verdicts)}
    papers = {one.paper: [item for item in every if item.paper == one.paper] for one in every}
    parts = [_overview({**papers, ALL: every}, verdicts), _legend(len(holm)), node("p", about)]
    for paper, mine in papers.items():
        parts += _paper(paper, mine, verdicts, holm)
    box = node("div", *parts, class_="matrix")
    for link in box.iter("a"):
        if (
            link.get("aria-label") is not None
            and link.get("href", "").removesuffix(".html") not in pages
        ):
            del link.attrib["href"]
    return tostring(box, encoding="unicode", method="html")


def code_shown() -> list[str]:
    """The files of code that the matrix leads to, by their names in the repository."""
    return list(dict.fromkeys(f"{PACKAGE}/{item.code}" for item in items()))


def _overview(papers: Mapping[str, Sequence[Item]], verdicts: Verdicts) -> Element:
    """How many claims of each paper came out how: a row a paper, a column a verdict."""
    tallies = {paper: tally(mine, verdicts) for paper, mine in papers.items()}
    columns = [one for one in VERDICTS if tallies[ALL].verdicts[one]]
    heads = [(node("div", _sign(one)), one.partition(":")[0]) for one in columns]
    still = ("still significant after correction",)
    words = (("claims",), *heads, still, ("facts that hold",), ("no test",))
    rows = [node("tr", node("td"), *(node("th", *one, scope="col") for one in words))]
    for paper, found in tallies.items():
        name = paper if paper == ALL else node("a", paper, href=f"#{_key(paper)}")
        numbers = [str(found.verdicts[one] or "") for one in columns]
        facts = f"{found.hold} of {found.facts}" if found.facts else ""
        cells = (str(found.verdicts.total()), *numbers, str(found.corrected), facts)
        cells += (str(found.without or ""),)
        rows.append(node("tr", node("th", name, scope="row"), *(node("td", one) for one in cells)))
    table = node("table", node("tbody", *rows), class_="overview")
    return node("div", table, class_="scroll")


def _key(paper: str) -> str:
    return "".join(filter(str.isalnum, paper.lower()))


def _legend(tests: int) -> Element:
    lines = [
        node("li", _sign(verdict), " ", node("b", verdict), f": {meaning}")
        for verdict, meaning in VERDICTS.items()
    ]
    lines.append(
        node(
            "li",
            node("b", DAGGER),
            f" significant alone, and not once all {tests} tests of the papers' claims are "
            "corrected for (Holm)",
        )
    )
    return node("details", node("summary", "What the marks mean"), node("ul", *lines))


def _sign(verdict: str) -> Element:
    sign, colour = SIGNS[verdict]
    return node("span", sign, style=f"color:{colour}", class_="sign", aria_hidden="true")


def _paper(
    paper: str, mine: Sequence[Item], verdicts: Verdicts, holm: Corrected
) -> Sequence[Element]:
    found = [cells(item, verdicts) for item in mine]
    columns = in_order({column for cell in found for column in cell})
    head = node("tr", *(node("th", text, scope="col") for text in ("it says", *columns)))
    rows, where = [head], ""
    for item, cell in zip(mine, found):
        if item.where != where:
            where = item.where
            rows.append(_part(item, len(columns) + 1))
        name = node("th", item.says, scope="row")
        if item.why:
            why = node("td", f"{UNTESTED}{item.why}", colspan=len(columns), class_="why")
            rows.append(node("tr", name, why))
        else:
            rows.append(node("tr", name, *(_cell(cell.get(one, ()), holm) for one in columns)))
    return (
        node("h2", paper, id=_key(paper)),
        node("div", node("table", node("tbody", *rows), class_="grid"), class_="scroll"),
    )


def _part(item: Item, width: int) -> Element:
    """The line above the claims of one table: where it is printed, the notebook, the code."""
    page = SHOWN / f"{item.notebook}.html"
    notebook = node("code", item.notebook)
    if page.exists():
        notebook = node("a", notebook, href=f"../learn/{page.name}")
    file = f"{PACKAGE}/{item.code}"
    code = node("a", node("code", item.code), href=f"../{page_of(file).removesuffix('.md')}.html")
    inside = (item.where, node("small", "notebook ", notebook, ", code ", code))
    return node("tr", node("th", *inside, colspan=width, scope="colgroup", class_="part"))


def _cell(tests: Sequence[tuple[str, Verdict]], holm: Corrected) -> Element:
    """The marks of a claim on one corpus; the number of sentences once, if all have the same."""
    numbers = {one.sentences for _, one in tests}
    together = len(tests) > 1 and len(numbers) == 1
    marks = [_mark(name, one, holm.get((name, one.claim.says)), together) for name, one in tests]
    budgets = list(dict.fromkeys(one.budget for _, one in tests if one.budget)) or [""]
    for n in numbers if together else ():
        budgets[0] = ", ".join(filter(None, (f"n {n:,}" if n else "", budgets[0])))
    return node("td", *marks, *(node("small", budget) for budget in filter(None, budgets)))


def _mark(name: str, one: Verdict, p_value: float | None, together: bool) -> Element:
    told = f"{one.claim.says}\n{one.verdict}: {one.told}"
    told += "" if p_value is None else f"\ncorrected for all tests (Holm): {p_in_words(p_value)}"
    label = f"{one.verdict}, {column_of(one)}"
    link = node("a", _sign(one.verdict), href=f"{name}.html", title=told, aria_label=label)
    alone = one.p_value is not None and one.p_value < LEVEL
    parts: list[Element | str] = [link, " ", _effect(one)]
    parts += [DAGGER] if alone and p_value is not None and p_value >= LEVEL else []
    beside = [] if one.claim.printed is None else [f"paper{JOINED}{one.claim.printed:+.4g}"]
    beside += [f"n{JOINED}{one.sentences:,}"] if one.sentences and not together else []
    return node("div", *parts, node("small", " " + ", ".join(beside)))


def _effect(one: Verdict) -> str:
    if one.claim.fact or one.claim.kind in ("same", "power"):
        return one.told
    if one.difference is None:
        return ""
    ranks = one.claim.kind in ("rises", "falls") and one.p_value is not None and not one.interval
    return f"{'rank correlation ' if ranks else ''}{one.difference:+.3g}"
