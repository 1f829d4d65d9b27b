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
    counts,
    in_order,
    items,
)
from wordorder_lab.experiments.measures.claims import VERDICTS, Verdict
from wordorder_lab.experiments.verdicts import all_verdicts
from wordorder_lab.plots.verdict_marks import SIGNS

LEVEL = 0.05
DAGGER = "\N{DAGGER}"
UNTESTED = "no test: "
Corrected = Mapping[tuple[str, str], float]
"""Experiment and words of a claim -> its p-value, corrected."""


def matrix(pages: Collection[str]) -> str:
    """All papers as HTML, with what the marks mean; a mark leads to its experiment's page, if there
    is one of ``pages``."""
    every, verdicts = items(), all_verdicts()
    holm = {(name, one.claim.says): p for name, one, p in corrected(verdicts)}
    parts = [_legend(len(holm)), node("p", counts(every, verdicts))]
    for paper in dict.fromkeys(item.paper for item in every):
        parts += _paper(paper, [item for item in every if item.paper == paper], verdicts, holm)
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
    key = "".join(filter(str.isalnum, paper.lower()))
    return (
        node("h2", paper, id=key),
        node("p", counts(mine, verdicts)),
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
    marks = [_mark(name, one, holm.get((name, one.claim.says))) for name, one in tests]
    budgets = dict.fromkeys(one.budget for _, one in tests if one.budget)
    return node("td", *marks, *(node("small", budget) for budget in budgets))


def _mark(name: str, one: Verdict, p_value: float | None) -> Element:
    told = f"{one.claim.says}\n{one.verdict}: {one.told}"
    told += "" if p_value is None else f"\ncorrected for all tests (Holm): p = {p_value:.2g}"
    label = f"{one.verdict}, {column_of(one)}"
    link = node("a", _sign(one.verdict), href=f"{name}.html", title=told, aria_label=label)
    alone = one.p_value is not None and one.p_value < LEVEL
    parts: list[Element | str] = [link, " ", _effect(one)]
    parts += [DAGGER] if alone and p_value is not None and p_value >= LEVEL else []
    beside = [] if one.claim.printed is None else [f"paper {one.claim.printed:+.4g}"]
    beside += [f"n {one.sentences:,}"] if one.sentences else []
    return node("div", *parts, node("small", " " + ", ".join(beside)))


def _effect(one: Verdict) -> str:
    if one.claim.fact or one.claim.kind in ("same", "power"):
        return one.told
    if one.difference is None:
        return ""
    ranks = one.claim.kind in ("rises", "falls") and one.p_value is not None and not one.interval
    return f"{'rank correlation ' if ranks else ''}{one.difference:+.3g}"
