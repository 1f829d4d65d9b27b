"""``wordorder-lab reproduce --report``: every experiment, the paper's values beside ours, one page.

The page is one file: the pictures are inside, it runs no script and asks no host for anything.
"""

from __future__ import annotations

import base64
import json
import tempfile
import time
from argparse import Namespace
from collections.abc import Iterator, Sequence
from pathlib import Path
from xml.etree.ElementTree import Element

from wordorder_lab.commands.html import command, document, folded, node, table, write_page
from wordorder_lab.commands.output import check_json, check_target, duration, report
from wordorder_lab.commands.reproduce.entries import Entry, entries, unfit
from wordorder_lab.corpora import CORPORA, TEXTS
from wordorder_lab.experiments.measures.claims import OPPOSITE, REPRODUCED, as_data, count_line
from wordorder_lab.experiments.measures.figures import AXES
from wordorder_lab.experiments.measures.measure import Specification
from wordorder_lab.experiments.measures.tables import rows_text
from wordorder_lab.experiments.paper_values import TIMES, Pair, Reversal, pairs, reversals
from wordorder_lab.experiments.paper_values import setting_in_words as said
from wordorder_lab.experiments.record_check import GOOD, NOT_RUN, WRONG
from wordorder_lab.experiments.records import UNFIT, names, record_file
from wordorder_lab.experiments.report import plot
from wordorder_lab.experiments.report import table as record_table
from wordorder_lab.experiments.runs.schema import Row, Table
from wordorder_lab.experiments.verdicts import says

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
DIFFERENCE = "difference"
VALUES_HEAD = ("the paper's row", "paper", "ours", DIFFERENCE, "95 % interval of ours", "our row")
NOT_RUN_HERE = "not run here"
NO_INTERVAL = "no interval"
NONE = "–"
MOST_REVERSALS = 4
"""So many reversals of the paper's order are told, the others counted."""
MOST_ROWS = 600
"""So many rows of a record stand on the page; the others are in its file."""
OF_TIMES = (
    "The times are of another machine and another program, so that only their order of size "
    "compares."
)


def write_report(arguments: Namespace) -> Path:
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
    write_page(path, text)
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


def _kinds_of(found: Sequence[Entry]) -> list[str]:
    return list(dict.fromkeys(name for entry in found for name in kinds(entry)))


def _filters(found: Sequence[Entry]) -> str:
    """A rule for each chooser: what is of another kind is not shown."""
    rule = "main:has(#show-{0}:checked) [data-kinds]:not([data-kinds~='{0}']) {{ display: none; }}"
    return "\n".join(map(rule.format, _kinds_of(found)))


def _choosers(found: Sequence[Entry]) -> list[Element]:
    """Which experiments are shown, by what became of their claims; the style sheet does it."""
    parts = [
        node("input", type="radio", name="show", id="show-all", checked="", value="all"),
        node("label", f"all {len(found)}", for_="show-all"),
    ]
    for name in _kinds_of(found):
        count = sum(name in kinds(entry) for entry in found)
        parts.append(node("input", type="radio", name="show", id=f"show-{name}", value=name))
        parts.append(node("label", f"{name.replace('-', ' ')} ({count})", for_=f"show-{name}"))
    return [node("fieldset", node("legend", "Experiments with claims that are"), *parts)]


def _contents(found: Sequence[Entry]) -> Element:
    """A row for each experiment, with one number."""
    rows = list(map(_row, found))
    box = table("One number each; the sections have them all", HEAD, rows)
    box.set("class", "scroll contents")
    for line, entry in zip(list(box.iter("tr"))[1:], found, strict=True):
        line.set("data-kinds", " ".join(kinds(entry)))
    return node("nav", box, aria_label="Contents")


def _row(entry: Entry) -> list[Element | str]:
    wanted = entry.specification
    link = node("a", wanted.title, href=f"#{wanted.name}")
    place = str(wanted.paper.get("place", ""))
    return [link, place, *_headline(entry.record), _mark(entry.state)]


def _headline(record: Table | None) -> tuple[str, str, str]:
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


def _data(entry: Entry) -> Row:
    """The numbers of the page."""
    every = pairs(entry.record) if entry.record is not None else []
    return {
        "name": entry.specification.name,
        "state": entry.state,
        "claims": as_data(entry.verdicts),
        "values": [{**pair._asdict(), "difference": pair.difference} for pair in every],
    }


# --- one experiment -------------------------------------------------------------------------------


def section(entry: Entry, *, open_: bool = False) -> Element:
    """All that is known about an experiment: its title and what came of it, the rest to open."""
    wanted, record = entry.specification, entry.record
    parts = [node("h2", wanted.title, id=f"{wanted.name}-head")]
    if entry.verdicts:
        line = count_line([entry.verdicts])
        parts.append(node("p", f"{line[:1].upper()}{line[1:]}.", class_="soft"))
    inside = _claim(wanted.paper)
    if record is None:
        inside += [*_claims(entry), *_verdict(entry)]
        inside.append(command(f"wordorder-lab reproduce {wanted.name}"))
    else:
        inside += [*([_picture(wanted, record)] if wanted.plot else []), *_claims(entry)]
        inside += [*_values(record), *_whose_data(wanted.paper, record)]
        inside += [*_folded(record), *_made(record), *_verdict(entry)]
    more = folded("Picture, claims, numbers beside the paper's, the record", *inside)
    if open_:
        more.set("open", "")
    parts.append(more)
    named = {"id": wanted.name, "aria_labelledby": f"{wanted.name}-head"}
    return node("section", *parts, **named, data_kinds=" ".join(kinds(entry)))


def kinds(entry: Entry) -> list[str]:
    """What the page is filtered by: the verdicts on an experiment's claims, or none."""
    found = dict.fromkeys(one.verdict for one in entry.verdicts) if entry.record else [NOT_RUN]
    return [name.split(",")[0].replace(" ", "-") for name in found]


def _claim(paper: Table) -> list[Element]:
    told = [f"{paper[name]}" for name in ("reference", "place") if paper.get(name)]
    parts = [node("p", ": ".join(told), class_="soft")] if told else []
    for name, before in (("claim", "The paper: "), ("condition", "Under which condition: ")):
        if paper.get(name):
            parts.append(node("p", node("b", before), str(paper[name])))
    return parts


def _claims(entry: Entry) -> list[Element]:
    """What became of each claim, as it is computed from the record."""
    if not entry.verdicts:
        return []
    rows: list[list[Element | str]] = []
    for one in entry.verdicts:
        printed = NONE if one.claim.printed is None else signed(one.claim.printed)
        rows.append([says(one.claim), _mark(one.verdict), printed, one.told])
    head = ("the paper claims", "verdict", "its difference", "here")
    box = table("What became of the claims", head, rows)
    box.set("class", "scroll claims")
    return [box]


def _values(record: Table) -> list[Element]:
    """A table for each quantity that the paper prints."""
    every = pairs(record)
    if not every:
        return [node("p", "The paper prints no number to set ours beside.")]
    tables = []
    for name in dict.fromkeys(pair.quantity for pair in every):
        mine = [pair for pair in every if pair.quantity == name]
        tables.append(_table(title(name), mine))
        tables += [node("p", OF_TIMES, class_="soft")] if name in TIMES else []
        tables += _reversed(mine)
    return tables


def _table(caption: str, mine: Sequence[Pair]) -> Element:
    """The values of one quantity; what all the paper's rows have in common stands above them."""
    common = {k: v for k, v in mine[0].of.items() if all(one.of.get(k) == v for one in mine)}
    if len(common) == max(len(one.of) for one in mine):
        common = {}
    told = ", ".join([caption, *(said(*item) for item in common.items())])
    numbers = [x for one in mine for x in (one.paper, one.ours) if isinstance(x, int | float)]
    digits = 3 if all(abs(x) <= 1 for x in numbers) else 2
    rows = [dict(zip(VALUES_HEAD, _cells(pair, common, digits), strict=True)) for pair in mine]
    head = [name for name in VALUES_HEAD if name != DIFFERENCE or mine[0].quantity not in TIMES]
    return table(told, head, [[row[name] for name in head] for row in rows])


def _reversed(mine: Sequence[Pair]) -> list[Element]:
    """Which orders of the paper come out the other way in ours."""
    found = reversals(mine)
    if not found:
        return []
    told = [node("li", _reversal(one)) for one in found[:MOST_REVERSALS]]
    if len(found) > MOST_REVERSALS:
        told.append(node("li", f"and {len(found) - MOST_REVERSALS} more"))
    return [node("p", node("b", "The other way round in ours:")), node("ul", *told)]


def _reversal(one: Reversal) -> str:
    """The two values, with the settings that tell them apart."""
    names = [", ".join(said(k, pair.of[k]) for k in one.differ if k in pair.of) for pair in one]
    names = [name + (f" ({pair.which})" if pair.which else "") for name, pair in zip(names, one)]
    numbers = [(printed_number(pair.paper), number(pair.ours or 0)) for pair in one]
    (above, ours_above), (below, ours_below) = numbers
    close = "; the intervals of ours overlap" if one.close else ""
    return (
        f"{names[0] or 'all'} against {names[1] or 'all'}: {above} against {below} in the paper, "
        f"{ours_above} against {ours_below} in ours{close}"
    )


def _cells(pair: Pair, common: Table, digits: int) -> tuple[str, ...]:
    of = ", ".join(said(*item) for item in pair.of.items() if item[0] not in common) or "all"
    printed = printed_number(pair.paper, digits)
    if pair.ours is None:
        return of, printed, NOT_RUN_HERE, NONE, NONE, NONE
    ends = [number(end, digits) for end in pair.interval or ()]
    return (
        of,
        printed,
        number(pair.ours, digits),
        NONE if pair.difference is None else signed(pair.difference, digits),
        " to ".join(ends) or NO_INTERVAL,
        pair.which or NONE,
    )


def title(quantity: str) -> str:
    """What a quantity is called: "BLEU, cased"."""
    return AXES.get(quantity, quantity.replace("_", " "))


def number(value: float, digits: int = 2) -> str:
    """So many digits behind the point; none for a count."""
    return f"{value:,}" if isinstance(value, int) else f"{value:,.{digits}f}"


def printed_number(value: float | str, digits: int = 2) -> str:
    """A number of the paper as it was printed, in no more digits than ours."""
    if isinstance(value, float) and len(str(value)) > len(number(value, digits)):
        return number(value, digits)
    return str(value)


def signed(value: float, digits: int = 2) -> str:
    """A difference, with a sign in front."""
    return ("+" if value >= 0 else "\N{MINUS SIGN}") + number(abs(value), digits)


def _whose_data(paper: Table, record: Table) -> list[Element]:
    """Whose sentences these are: the paper's and ours are seldom the same."""
    theirs = f"The paper's data: {paper['data']}. " if paper.get("data") else ""
    ours = "; ".join(_corpus(key, record["rows"]) for key in record.get("data", {}))
    return [node("p", f"{theirs}Ours: {ours}.", class_="soft")] if ours else []


def _corpus(key: str, rows: Sequence[Table]) -> str:
    """One corpus of a record, by its name and units (``"ptb-sample, base-np"``)."""
    name, _, units = key.rpartition(", ")
    mine = [row for row in rows if (row.get("corpus"), row.get("units")) == (name, units)]
    counts = {row["split"]: row.get("sentences") for row in mine if "split" in row}
    scored = [f"{split}, {n} sentences" if n else split for split, n in counts.items()]
    told = ", scored on " + " and ".join(scored) if scored else ""
    return f"{CORPORA.get(name) or TEXTS.get(name, name)} ({units}){told}"


def _picture(wanted: Specification, record: Table) -> Element:
    """The record drawn anew, inside the page, so that it shows the numbers that stand there."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "picture.png"
        try:
            plot(record, wanted.plot, path)
        except UNFIT:
            return node("p", "Its rows cannot be drawn as its specification says.", class_="soft")
        data = base64.b64encode(path.read_bytes()).decode("ascii")
    told = f"Plot: {wanted.title}"
    return node("figure", node("img", src=f"data:image/png;base64,{data}", alt=told))


def _folded(record: Table) -> Iterator[Element]:
    yield folded("As the command prints it", node("pre", node("code", _printed(record))))
    rows = record["rows"]
    names = list(dict.fromkeys(name for row in rows for name in row))
    changing = [n for n in names if len({repr(row.get(n)) for row in rows}) > 1] or names
    shown = [[_cell(row.get(name)) for name in changing] for row in rows[:MOST_ROWS]]
    more = f"; {len(rows) - MOST_ROWS:,} more are in the file" if len(rows) > MOST_ROWS else ""
    same = ", ".join(f"{n} {_cell(rows[0][n])}" for n in names if n not in changing)
    alike = [node("p", f"In all of them: {same}", class_="soft")] if same else []
    told = f"All {len(rows):,} rows of the record"
    yield folded(told, *alike, table(f"what differs{more}", changing, shown))


def _printed(record: Table) -> str:
    try:
        return record_table(record)
    except UNFIT:
        return rows_text(record["rows"])


def _cell(value: object) -> str:
    if value is None:
        return NONE
    if isinstance(value, list):
        return " ".join(map(_cell, value))
    return json.dumps(value, ensure_ascii=False) if isinstance(value, dict) else str(value)


def _made(record: Table) -> list[Element]:
    """By which command, when, how long, on what, and with what."""
    machine, code = record.get("machine", {}), record.get("code", {})
    cores = f", {machine['cpu_count']} cores" if machine.get("cpu_count") else ""
    versions, load = record.get("versions", {}), record.get("load")
    facts = {
        "made on": record.get("date", "not noted"),
        "took": duration(record["seconds"]) if "seconds" in record else "not noted",
        "on": f"{machine['processor']}{cores}, {machine.get('platform')}"
        if machine.get("processor")
        else "a machine that was not noted",
        **({"load when it began": f"{load}"} if load is not None else {}),
        "with": ", ".join(f"{name} {version}" for name, version in versions.items()),
        "at commit": code.get("commit") or "none",
        **{f"signature of {name}": text for name, text in record.get("signatures", {}).items()},
    }
    parts = [part for name, text in facts.items() for part in (node("dt", name), node("dd", text))]
    return [command(record.get("command", "")), node("dl", *parts, class_="facts")]


def _verdict(entry: Entry) -> list[Element]:
    """What the check of the record said."""
    checked = entry.checked
    notes = [*checked.wrong, *checked.notes] if checked is not None else []
    listed = node("ul", *[node("li", note) for note in notes], class_="soft")
    line = node("p", node("b", "Check: "), _mark(entry.state))
    return [line, *([listed] if notes else [])]


def _mark(word: str) -> Element:
    """The state of a record or a verdict, marked by more than its colour."""
    kind = {GOOD: "good", REPRODUCED: "good", WRONG: "bad", OPPOSITE: "bad"}.get(word, "other")
    return node("span", word, class_=f"state {kind}")
