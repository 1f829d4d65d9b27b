"""The results: the matrix of all claims, a page an experiment, and an index of these.

Verdicts take their time; so what a page says is kept in ``build/site_results``, under a name made
of specification, record and the code that judges.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from functools import cache
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element, tostring

from site_pages.matrix import matrix
from site_pages.page import PACKAGE, ROOT, Page, front
from site_pages.smaller import unsearched_tables
from site_pages.source_pages import page_of
from wordorder_lab.commands.html import node
from wordorder_lab.commands.reproduce.entries import entries
from wordorder_lab.commands.reproduce.page import COUNT_INSTEAD, kinds, section
from wordorder_lab.experiments import records
from wordorder_lab.experiments.claim_list import several_trainings
from wordorder_lab.experiments.measures.claims import count_line
from wordorder_lab.experiments.records import names
from wordorder_lab.experiments.runs.outputs import table_csv
from wordorder_lab.experiments.specification import load_specification
from wordorder_lab.experiments.verdicts import all_verdicts, paper_of
from wordorder_lab.plots.verdict_marks import Mark, columns_of, verdict_marks
from wordorder_lab.runtime.atomic import replacing
from wordorder_lab.systems.registry import ROWS

KEPT = ROOT / "build" / "site_results"
JUDGES = ("experiments", "commands/reproduce", "metrics")
"""Folders of the package whose code decides what a page says; this file does, too."""
CLAIMED = re.compile(r"<td><code>([a-z0-9-]+)</code></td>")
PICTURE = re.compile(r'src="data:image/png;base64,([^"]+)"')
INSTEAD = re.compile(rf"{COUNT_INSTEAD} <code>([a-z0-9-]+)</code>")


def pages() -> list[Page]:
    """The index and a page for each experiment of ``names()``, with its picture and its record."""
    found = {name: _kept(name) for name in names()}
    index = Page(
        "results/index.md", f"{front('Results', wide=True)}# Results\n\n{ABOUT}\n", _index(found)
    )
    return [
        index,
        *(
            Page(
                f"results/{name}.md",
                f"{front(one['title'])}# {one['title']}\n\n{_made_of(name)}\n",
                unsearched_tables(PICTURE.sub(f'src="{name}.png"', _count_instead(one["html"]))),
            )
            for name, one in found.items()
        ),
    ]


def written() -> dict[str, bytes]:
    """Place on the site -> picture, which the report has inside, specification, rows as CSV."""
    pictures = {
        f"results/{name}.png": base64.b64decode(found[1])
        for name in names()
        if (found := PICTURE.search(_kept(name)["html"]))
    }
    tables = {
        f"results/{name}.csv": table_csv(records.read_record(path)["rows"]).encode()
        for name in names()
        if (path := records.record_file(name)).exists()
    }
    asked = {f"results/{name}.toml": _specified(name).read_bytes() for name in names()}
    return pictures | tables | asked


def files_named() -> list[str]:
    """The code behind the experiments: of their systems and of what is measured."""
    return [file for name in names() for file in _code_of(name).values()]


def linked(html: str) -> str:
    """The claims with each experiment's name as a link to its page, where there is one."""

    there = {*names()}

    def link(cell: re.Match[str]) -> str:
        page = f"{cell[1]}.html"
        return f'<td><a href="{page}">{cell[1]}</a></td>' if cell[1] in there else cell.group()

    return CLAIMED.sub(link, html)


def _count_instead(html: str) -> str:
    return INSTEAD.sub(rf'{COUNT_INSTEAD} <a href="\1.html">\1</a>', html)


def _specified(name: str) -> Path:
    return ROOT / PACKAGE / "experiments" / "papers" / f"{name.replace('-', '_')}.toml"


@cache
def _code_of(name: str) -> dict[str, str]:
    """Systems of ours and the measure of an experiment, each with its file."""
    specification = load_specification(name)
    systems = dict.fromkeys(str(run.get("system")) for run in specification.runs)
    files = {one: f"{PACKAGE}/systems/{ROWS[one][1]}.py" for one in systems if one in ROWS}
    measure = type(specification.measure).__module__
    return files | {f"measure {specification.measure.name}": f"{measure.replace('.', '/')}.py"}


def _made_of(name: str) -> str:
    """A line with links: the specification, the code; the record stands below."""
    code = ", ".join(f"[{one}](../{page_of(file)})" for one, file in _code_of(name).items())
    table = f" ([as CSV]({name}.csv))" if records.record_file(name).exists() else ""
    return f"Its [specification]({name}.toml); the code: {code}. The record is on this page{table}."


ABOUT = (
    "What became of each claim of the papers, tested by our runs and judged by no hand. A claim is "
    "counted once, by the first corpus that tests it. Each claim with all its tests stands below, "
    "and as a [list](claims.md); at the end, a page a table or figure. What was easy, what was "
    "hard and what each run costs: [scope and cost](report.md)."
)
MATRIX = (
    "A mark is a test: it leads to its record, and says all of it when you point at it. Beside it "
    "stand our effect, the paper's and the number of sentences n; below it, what our systems were "
    "trained with. Most papers trained on the whole Penn Treebank (39,832 sentences), ours mostly "
    "on the sample that comes with NLTK: so what is compared is what is better and what is worse. "
    "That sample is wsj_0001 to wsj_0199, 3,914 sentences. Its first 99 documents are all of "
    "section 00, 1,921 sentences, which is the development set of both CCG papers; here the first "
    "20 are development (233 sentences), 20 more are test (326), and the rest is learned from. "
    "Intervals and p are over sentences, and over trainings where there are several; a second "
    "training of the same model may give a score that differs by a point or more. Excluded means "
    "that our data do not show the paper's size, not that its number is wrong."
)


def _kept(name: str) -> dict[str, Any]:
    """What the page of an experiment says; from what was kept, if that is of the same content."""
    key = hashlib.sha256(f"{_judges()} {_content(name)}".encode()).hexdigest()[:16]
    path = KEPT / f"{name}-{key}.json"
    if path.exists():
        kept: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        return kept
    made = _made(name)
    KEPT.mkdir(parents=True, exist_ok=True)
    for old in KEPT.glob(f"{name}-{'?' * 16}.json"):
        old.unlink()
    with replacing(path) as part:
        part.write_text(json.dumps(made), encoding="utf-8")
    return made


def _made(name: str) -> dict[str, Any]:
    (entry,) = entries([name], data=False)
    body = section(entry, open_=True)
    for heading in body.findall("h2"):
        body.remove(heading)  # it is the page's own title
    body.attrib.pop("aria-labelledby", None)
    return {
        "title": entry.specification.title,
        "kinds": kinds(entry),
        "counts": count_line([entry.verdicts]),
        "html": tostring(body, encoding="unicode", method="html"),
    }


def _place(name: str) -> str:
    """Which paper an experiment is about, and where in it."""
    paper = load_specification(name).paper
    return ": ".join(str(paper[key]) for key in ("reference", "place") if paper.get(key))


def _overview(found: dict[str, dict[str, Any]]) -> str:
    """The picture of all results: a row of marks a paper, a mark a claim."""
    rows: dict[str, dict[str, list[Mark]]] = {}
    for name, verdicts in several_trainings(all_verdicts(found)).items():
        columns = columns_of(verdicts)
        row = rows.setdefault(paper_of(name), {column: [] for column in columns})
        for column, marks in columns.items():
            row[column] += marks
    drawn = verdict_marks(dict(sorted(rows.items()))).data
    return f'<div class="marks">{drawn}</div>'


def _index(found: dict[str, dict[str, Any]]) -> str:
    """Choosers, which a rule of style obeys, and a row an experiment."""
    every = list(dict.fromkeys(kind for one in found.values() for kind in one["kinds"]))
    choosers: list[Element | str] = [node("legend", "Experiments with claims that are")]
    for kind in ["all", *every]:
        more = {"checked": ""} if kind == "all" else {}
        button = node("input", type="radio", name="show", id=f"show-{kind}", **more)
        label = node("label", kind.replace("-", " "), for_=f"show-{kind}")
        choosers.append(node("span", button, label))
    head = node("tr", *(node("th", text, scope="col") for text in ("experiment", "claims")))
    rows = [
        node(
            "tr",
            node("td", node("a", one["title"], href=f"{name}.html"), node("br"), _place(name)),
            node("td", one["counts"]),
            data_kinds=" ".join(one["kinds"]),
        )
        for name, one in found.items()
    ]
    rule = (
        ".results:has(#show-{0}:checked) tr[data-kinds]:not([data-kinds~='{0}']) "
        "{{ display: none; }}"
    )
    style = node("style", "\n".join(rule.format(kind) for kind in every))
    box = node(
        "div",
        style,
        node("fieldset", *choosers),
        node("table", node("thead", head), node("tbody", *rows)),
        class_="results",
    )
    below = "<h2>A page an experiment</h2>" + _overview(found)
    return matrix(found, MATRIX) + below + tostring(box, encoding="unicode", method="html")


def _content(name: str) -> str:
    """A digest of an experiment's specification and record."""
    path = records.record_file(load_specification(name).name)
    digest = hashlib.sha256(repr(load_specification(name)).encode())
    for file in (path, path.with_suffix(".png")):
        digest.update(file.read_bytes() if file.exists() else b"none")
    return digest.hexdigest()


@cache
def _judges() -> str:
    """A digest of the code that judges and draws."""
    digest = hashlib.sha256(Path(__file__).read_bytes())
    for folder in JUDGES:
        for file in sorted((ROOT / PACKAGE / Path(folder)).rglob("*.py")):
            digest.update(file.read_bytes())
    return digest.hexdigest()
