"""``wordorder-lab reproduce --report``: every experiment, the paper's values beside ours, one page.

The page is one file: the pictures are inside, it runs no script and asks no host for anything.
"""

from __future__ import annotations

import time
from argparse import Namespace
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element

from wordorder_lab.commands.common import check_json, check_target
from wordorder_lab.commands.html import document, node, table
from wordorder_lab.commands.output import report
from wordorder_lab.commands.reproduce.entries import Entry, entries, unfit
from wordorder_lab.commands.reproduce.section import (
    kinds,
    number,
    printed_number,
    section,
    state,
    title,
)
from wordorder_lab.experiments.code_check import WRONG
from wordorder_lab.experiments.paper_values import Pair, pairs, said
from wordorder_lab.experiments.records import UNFIT, record_file
from wordorder_lab.experiments.specification_files import names
from wordorder_lab.experiments.verdict import as_data, count_line
from wordorder_lab.runtime.atomic import ESCAPED, replacing

USUAL = Path("build") / "report" / "index.html"
"""Where the page goes if nothing else is said."""
TITLE = "The papers' numbers and ours"
HEAD = ("experiment", "in the paper", "what", "paper", "ours", "check")
ABOUT = (
    "Each section is about a table or figure of a paper. Where it was run here, the command that "
    "stands in its section did it; where it was not, the section says so. The papers "
    "trained and scored on the whole Penn Treebank, which needs a licence; unless a section says "
    "otherwise, ours is the sample that comes with NLTK: far fewer sentences to learn from, and "
    "fewer or other ones to score. So a difference is not an error in itself: look first whether "
    "what is better and what is worse comes out as in the paper.",
    "The interval is 95 % over the choice of the scored sentences (bootstrap). Where a record has "
    "none, the page says so. An \u201cepoch 5, the best of 8\u201d is chosen on the very sentences "
    "it is scored on, which makes its score a little better than it would be on others.",
)
STYLE = """
main { max-width: 64rem; }
section { border-top: 1px solid var(--soft); margin-top: 1.6rem; }
section h2 { margin-top: 1.2rem; }
table { margin: .8rem 0; } td, th { vertical-align: top; }
.contents td:nth-child(2), .contents td:nth-child(3) { text-align: left; }
.contents th:nth-child(2), .contents th:nth-child(3) { text-align: left; }
section > .scroll td:last-child, section > .scroll tr:first-child th:last-child {
  text-align: left; padding-left: .6rem; }
section > .scroll tr + tr th:first-child { font-weight: 400; }
section > .scroll td:not(:last-child) { white-space: nowrap; }
fieldset { border: 1px solid var(--soft); border-radius: 6px; padding: .3rem .8rem; }
fieldset label { margin-right: 1rem; white-space: nowrap; }
details { margin: .6rem 0; } details .scroll { max-height: 32rem; overflow: auto; }
details td, details th { font-size: .85rem; white-space: nowrap; font-weight: 400; }
details pre { overflow-x: auto; } details pre code { white-space: pre; overflow-wrap: normal; }
figure img { max-width: 100%; height: auto; background: #fff; border-radius: 6px; }
.facts { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: .1rem 1rem;
  font-size: .9rem; overflow-wrap: anywhere; }
.facts dt { color: var(--soft); } .facts dd { margin: 0; }
.state { padding: 0 .5rem; border: 1px solid var(--soft); border-radius: 5px; white-space: nowrap; }
.good { border-color: var(--blue); color: var(--blue); }
.bad { border: 2px solid var(--orange); color: var(--orange); font-weight: 700; }
@media (max-width: 40rem) { .facts { display: block; } .facts dd { margin: 0 0 .4rem; } }
@media print { :root { --ink: #000; --paper: #fff; --soft: #444; --faint: #ddd; --blue: #005580;
  --orange: #8a4500; color-scheme: light; font-size: 10pt; } main { max-width: none; margin: 0; }
  h2, tr, figure, .facts { break-inside: avoid; } h2 { break-after: avoid; }
  fieldset { display: none; } details::details-content { content-visibility: visible; }
  details details:not([open]) { display: none; } .scroll { overflow: visible; } }
"""


def write_page(arguments: Namespace) -> Path:
    """Check every record (or the one that was named) and write the page on them.

    Raises ``ValueError`` where it cannot be written, before anything is read.
    """
    path = _target(arguments.report)
    check_json(arguments.json)
    chosen = [arguments.experiment] if arguments.experiment else names()
    shown = [_shown(entry, open_=len(chosen) == 1) for entry in entries(chosen, data=True)]
    found = [entry for entry, _ in shown]
    text = document(
        TITLE,
        _main(found, [section for _, section in shown]),
        style=STYLE + _filters(found),
        players=False,
    )
    with replacing(path) as part:
        part.write_text(text, encoding="utf-8", errors=ESCAPED)
    wrong = [entry.specification.name for entry in found if entry.state == WRONG]
    lines = [f"WRONG: {name}; see its check on the page" for name in wrong]
    report([*lines, f"open {path}"], [_data(entry) for entry in found], arguments.json)
    return path


def _shown(entry: Entry, *, open_: bool) -> tuple[Entry, Element]:
    """An experiment with its section; without its record, where that cannot be shown."""
    try:
        _row(entry), _data(entry)
        return entry, section(entry, open_=open_)
    except UNFIT as error:
        without = unfit(entry.specification, record_file(entry.specification.name), error)
        return without, section(without, open_=open_)


def _target(text: str) -> Path:
    if not text:
        USUAL.parent.mkdir(parents=True, exist_ok=True)
        return check_target(USUAL)
    if text in names():
        raise ValueError(
            f"--report takes a file: for a page on {text}, wordorder-lab reproduce {text} --report"
        )
    return check_target(text)


def _main(found: Sequence[Entry], sections: Sequence[Element]) -> Element:
    said = count_line(entry.verdicts for entry in found)
    counts = node("p", node("b", said[:1].upper() + said[1:]), ".", class_="claims")
    made = [counts, node("p", f"Written on {time.strftime('%Y-%m-%d')}.", class_="soft")]
    intro = [node("h1", TITLE), *[node("p", text) for text in ABOUT], *made]
    choosers = [] if len(found) == 1 else _choosers(found)
    return node("main", *intro, *choosers, _contents(found), *sections)


def _filters(found: Sequence[Entry]) -> str:
    """A rule for each chooser: what is of another kind is not shown."""
    every = dict.fromkeys(name for entry in found for name in kinds(entry))
    rule = "main:has(#show-{0}:checked) [data-kinds]:not([data-kinds~='{0}']) {{ display: none; }}"
    return "\n".join(rule.format(name) for name in every)


def _choosers(found: Sequence[Entry]) -> list[Element]:
    """Which experiments are shown, by what became of their claims; the style sheet does it."""
    every = dict.fromkeys(name for entry in found for name in kinds(entry))
    parts = [
        node("input", type="radio", name="show", id="show-all", checked="", value="all"),
        node("label", f"all {len(found)}", for_="show-all"),
    ]
    for name in every:
        count = sum(name in kinds(entry) for entry in found)
        parts.append(node("input", type="radio", name="show", id=f"show-{name}", value=name))
        parts.append(node("label", f"{name.replace('-', ' ')} ({count})", for_=f"show-{name}"))
    return [node("fieldset", node("legend", "Experiments with claims that are"), *parts)]


def _contents(found: Sequence[Entry]) -> Element:
    """A row for each experiment, with one number."""
    rows: list[list[Element | str]] = []
    for entry in found:
        rows.append(_row(entry))
    box = table("One number each; the sections have them all", HEAD, rows)
    box.set("class", "scroll contents")
    for line, entry in zip(list(box.iter("tr"))[1:], found, strict=True):
        line.set("data-kinds", " ".join(kinds(entry)))
    return node("nav", box, aria_label="Contents")


def _row(entry: Entry) -> list[Element | str]:
    wanted = entry.specification
    link = node("a", wanted.title, href=f"#{wanted.name}")
    place = str(wanted.paper.get("place", ""))
    return [link, place, *_headline(entry.record), state(entry)]


def _headline(record: Mapping[str, Any] | None) -> tuple[str, str, str]:
    """What is measured, the paper's number and ours, of the first run that the paper has too.

    Where the paper prints none, ours is from the lowest to the highest.
    """
    if record is None:
        return "", "", "–"
    beside = [pair for pair in pairs(record) if pair.comparable]
    if beside:
        pair = _first(beside)
        of = ", ".join([*(said(*item) for item in pair.of.items()), *filter(None, [pair.which])])
        return f"{title(pair.quantity)}: {of}", printed_number(pair.paper), number(pair.ours or 0)
    rows = record["rows"]
    for name in ("bleu_cased", "relation_f1"):
        if scored := [row[name] for row in rows if name in row]:
            told = f"{title(name)}: lowest to highest of {len(scored)} rows"
            return told, "", f"{number(min(scored))} to {number(max(scored))}"
    if distances := record.get("distances"):
        one = distances[0]
        whose = f"{one['search']}, spans {one['spans']}"
        return f"distance from gold (total variation): {whose}", "", f"{one['total_variation']:.2f}"
    if rows and "epoch_seconds" in rows[-1]:
        last = next(row for row in rows if row["epoch"] == rows[-1]["epoch"])
        return "seconds of the last epoch: the first run", "", number(last["epoch_seconds"])
    return "rows", "", f"{len(rows):,}"


def _first(beside: Sequence[Pair]) -> Pair:
    """Of the first quantity that the paper prints, the pair whose row of ours was run first."""
    same = [pair for pair in beside if pair.quantity == beside[0].quantity]
    return min(same, key=lambda pair: pair.row or 0)


def _data(entry: Entry) -> dict[str, Any]:
    """The numbers of the page."""
    every = pairs(entry.record) if entry.record is not None else []
    return {
        "name": entry.specification.name,
        "state": entry.state,
        "claims": as_data(entry.verdicts),
        "values": [{**pair._asdict(), "difference": pair.difference} for pair in every],
    }
