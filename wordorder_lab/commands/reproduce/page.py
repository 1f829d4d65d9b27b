"""``wordorder-lab reproduce --report``: every experiment, the paper's values beside ours, one page.

The page is one file: the pictures are inside, it runs no script and asks no host for anything.
"""

from __future__ import annotations

import base64
import json
import re
import tempfile
import time
from argparse import Namespace
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from io import BytesIO
from pathlib import Path
from xml.etree.ElementTree import Element

from PIL import Image

from wordorder_lab.commands.html import PAGES, command, document, folded, markup, node, table
from wordorder_lab.commands.output import check_json, check_target, duration, report
from wordorder_lab.commands.reproduce.entries import Entry, entries, unfit
from wordorder_lab.corpora import CORPORA, TEXTS
from wordorder_lab.experiments.claim_list import counts as counts_of
from wordorder_lab.experiments.claim_list import deciding, items, with_trainings
from wordorder_lab.experiments.measures.claims import HOLDS, OPPOSITE, Verdict, as_data, count_line
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
from wordorder_lab.widgets.page import filled, write_page

USUAL = Path("build") / "report" / "index.html"
"""Where the page goes if nothing else is said."""
TITLE = "The papers' numbers and ours"
HEAD = ("experiment", "in the paper", "what", "paper", "ours", "record")
DIFFERENCE = "difference"
VALUES_HEAD = ("the paper's row", "paper", "ours", DIFFERENCE, "95 % interval of ours", "our row")
NOT_RUN_HERE = "not run here"
NO_INTERVAL = "no interval"
NONE = "–"
COUNT_INSTEAD = (
    "Of the claims that it tests, too, the verdicts after several trainings count instead:"
)
COLOURS = 64
"""Of a picture on the page."""
MOST_REVERSALS, MOST_ROWS = 4, 600
"""So many reversals of the paper's order, and rows of a record, stand on the page."""
FILTER = "main:has(#show-{0}:checked) [data-kinds]:not([data-kinds~='{0}']) {{ display: none; }}"
"""What is of another kind than the one that is chosen is not shown."""
OF_TIMES = (
    "The times are of another machine and another program, so that only their order of size "
    "compares."
)


def write_report(arguments: Namespace) -> None:
    """Check records, write the page on them; ``ValueError``, before all else, if it cannot be."""
    path = _target(arguments.report)
    check_json(arguments.json)
    chosen = [arguments.experiment] if arguments.experiment else names()
    shown = [_shown(entry, open_=len(chosen) == 1) for entry in entries(chosen, data=True)]
    shown.sort(key=lambda one: all(verdict.claim.ours for verdict in one[0].verdicts))
    found = [entry for entry, _ in shown]
    claims, each = _counted({entry.specification.name: entry.verdicts for entry in found})
    counts = Counter(name for entry in found for name in kinds(entry))
    choosers = [_choosers(len(found), counts)] if len(found) > 1 else []
    body = filled(
        PAGES / "report.html",
        title=TITLE,
        claims=claims,
        rows=markup(node("p", each, class_="soft")) if each else "",
        date=time.strftime("%Y-%m-%d"),
        contents=markup(*choosers, _contents(found)) if choosers else "",
        sections=markup(*(section for _, section in shown)),
    )
    style = (PAGES / "report.css").read_text(encoding="utf-8")
    style += "\n".join(map(FILTER.format, counts))
    write_page(path, document(TITLE, body, style=style, players=False))
    wrong = [entry.specification.name for entry in found if entry.state == WRONG]
    lines = [f"WRONG: {name}; see its check on the page" for name in wrong]
    report([*lines, f"open {path}"], [_data(entry) for entry in found], arguments.json)


def _counted(verdicts: Mapping[str, Sequence[Verdict]]) -> tuple[str, str]:
    """How many claims came out how: each of the papers' once, if all its tests are there, and each
    test for itself."""
    if len(verdicts) == 1:
        return f"{_capital(count_line(verdicts.values()))}.", ""
    each = f"{_capital(count_line(deciding(verdicts).values()))}."
    if {name for item in items() for name, _ in item.tests} <= verdicts.keys():
        return counts_of(items(), verdicts), f"Each corpus and row for itself: {each}"
    return each, ""


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


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _choosers(every: int, counts: Mapping[str, int]) -> Element:
    parts = [
        node("input", type="radio", name="show", id="show-all", checked="", value="all"),
        node("label", f"all {every}", for_="show-all"),
    ]
    for name, count in counts.items():
        parts += [node("input", type="radio", name="show", id=f"show-{name}", value=name)]
        parts += [node("label", f"{name.replace('-', ' ')} ({count})", for_=f"show-{name}")]
    return node("fieldset", node("legend", "Experiments with claims that are"), *parts)


def _contents(found: Sequence[Entry]) -> Element:
    box = table("One number each; the sections have them all", HEAD, [*map(_row, found)])
    box.set("class", "scroll contents")
    for line, entry in zip(list(box.iter("tr"))[1:], found, strict=True):
        line.set("data-kinds", " ".join(kinds(entry)))
    return node("nav", box, aria_label="Contents")


def _row(entry: Entry) -> list[Element | str]:
    wanted = entry.specification
    link = node("a", wanted.title, href=f"#{wanted.name}")
    return [link, str(wanted.paper.get("place", "")), *_headline(entry.record), _mark(entry.state)]


def _headline(record: Table | None) -> tuple[str, str, str]:
    """What, the paper's number, ours: of the first run that both have, or ours from low to high."""
    if record is None:
        return "", "", NONE
    beside = [pair for pair in pairs(record) if pair.comparable]
    if beside:
        # Of the first quantity that the paper prints, the pair whose row of ours was run first.
        same = [pair for pair in beside if pair.quantity == beside[0].quantity]
        pair = min(same, key=lambda pair: pair.row or 0)
        of = ", ".join([*(said(*item) for item in pair.of.items()), *filter(None, [pair.which])])
        return f"{title(pair.quantity)}: {of}", printed_number(pair.paper), number(pair.ours or 0)
    rows = record["rows"]
    for name in ("bleu_cased", "relation_f1"):
        if scored := [row[name] for row in rows if name in row]:
            what = f"{title(name)}: lowest to highest of {len(scored)} rows"
            return what, "", f"{number(min(scored))} to {number(max(scored))}"
    if distances := record.get("distances"):
        one = distances[0]
        whose = f"{one['search']}, spans {one['spans']}"
        return f"distance from gold (total variation): {whose}", "", f"{one['total_variation']:.2f}"
    if rows and "epoch_seconds" in rows[-1]:
        last = next(row for row in rows if row["epoch"] == rows[-1]["epoch"])
        return "seconds of the last epoch: the first run", "", number(last["epoch_seconds"])
    return "rows", "", f"{len(rows):,}"


def _data(entry: Entry) -> Row:
    every = pairs(entry.record) if entry.record is not None else []
    values = [{**pair._asdict(), "difference": pair.difference} for pair in every]
    about = {"name": entry.specification.name, "state": entry.state}
    return {**about, "claims": as_data(entry.verdicts), "values": values}


# --- one experiment -------------------------------------------------------------------------------


def section(entry: Entry, *, open_: bool = False) -> Element:
    """All that is known about an experiment: its title and what came of it, the rest to open."""
    wanted, record = entry.specification, entry.record
    parts = [node("h2", wanted.title, id=f"{wanted.name}-head")]
    if entry.verdicts:
        parts.append(node("p", f"{_capital(count_line([entry.verdicts]))}.", class_="soft"))
    _, *several = with_trainings([wanted.name])
    parts += [node("p", f"{COUNT_INSTEAD} ", node("code", name)) for name in several]
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
    named = {"id": wanted.name, "aria_labelledby": f"{wanted.name}-head"}
    return node("section", *parts, more, **named, data_kinds=" ".join(kinds(entry)))


def kinds(entry: Entry) -> list[str]:
    """What the page is filtered by: the verdicts on an experiment's claims, or none."""
    found = dict.fromkeys(one.verdict for one in entry.verdicts) if entry.record else [NOT_RUN]
    return [*dict.fromkeys(re.split("[,:]", name)[0].replace(" ", "-") for name in found)]


def _claim(paper: Table) -> list[Element]:
    place = ": ".join(str(paper[name]) for name in ("reference", "place") if paper.get(name))
    parts = [node("p", place, class_="soft")] if place else []
    for name, before in (("claim", "The paper: "), ("condition", "Under which condition: ")):
        if paper.get(name):
            parts.append(node("p", node("b", before), str(paper[name])))
    return parts


def _claims(entry: Entry) -> list[Element]:
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
    common = {k: v for k, v in mine[0].of.items() if all(one.of.get(k) == v for one in mine)}
    if len(common) == max(len(one.of) for one in mine):
        common = {}
    caption = ", ".join([caption, *(said(*item) for item in common.items())])
    numbers = [x for one in mine for x in (one.paper, one.ours) if isinstance(x, int | float)]
    digits = 3 if all(abs(x) <= 1 for x in numbers) else 2
    rows = [dict(zip(VALUES_HEAD, _cells(pair, common, digits), strict=True)) for pair in mine]
    head = [name for name in VALUES_HEAD if name != DIFFERENCE or mine[0].quantity not in TIMES]
    return table(caption, head, [[row[name] for name in head] for row in rows])


def _cells(pair: Pair, common: Table, digits: int) -> tuple[str, ...]:
    of = ", ".join(said(*item) for item in pair.of.items() if item[0] not in common) or "all"
    printed = printed_number(pair.paper, digits)
    if pair.ours is None:
        return of, printed, NOT_RUN_HERE, NONE, NONE, NONE
    difference = NONE if pair.difference is None else signed(pair.difference, digits)
    interval = " to ".join(number(end, digits) for end in pair.interval or ()) or NO_INTERVAL
    return of, printed, number(pair.ours, digits), difference, interval, pair.which or NONE


def _reversed(mine: Sequence[Pair]) -> list[Element]:
    found = reversals(mine)
    if not found:
        return []
    listed = [node("li", _reversal(one)) for one in found[:MOST_REVERSALS]]
    if len(found) > MOST_REVERSALS:
        listed.append(node("li", f"and {len(found) - MOST_REVERSALS} more"))
    return [node("p", node("b", "The other way round in ours:")), node("ul", *listed)]


def _reversal(one: Reversal) -> str:
    names = [", ".join(said(k, pair.of[k]) for k in one.differ if k in pair.of) for pair in one]
    names = [name + (f" ({pair.which})" if pair.which else "") for name, pair in zip(names, one)]
    numbers = [(printed_number(pair.paper), number(pair.ours or 0)) for pair in one]
    (above, ours_above), (below, ours_below) = numbers
    close = "; the intervals of ours overlap" if one.close else ""
    return (
        f"{names[0] or 'all'} against {names[1] or 'all'}: {above} against {below} in the paper, "
        f"{ours_above} against {ours_below} in ours{close}"
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
    theirs = f"The paper's data: {paper['data']}. " if paper.get("data") else ""
    ours = "; ".join(_corpus(key, record["rows"]) for key in record.get("data", {}))
    return [node("p", f"{theirs}Ours: {ours}.", class_="soft")] if ours else []


def _corpus(key: str, rows: Sequence[Table]) -> str:
    name, _, units = key.rpartition(", ")
    mine = [row for row in rows if (row.get("corpus"), row.get("units")) == (name, units)]
    counts = {row["split"]: row.get("sentences") for row in mine if "split" in row}
    scored = " and ".join(f"{split}, {n} sentences" if n else split for split, n in counts.items())
    on = f", scored on {scored}" if scored else ""
    return f"{CORPORA.get(name) or TEXTS.get(name, name)} ({units}){on}"


def _picture(wanted: Specification, record: Table) -> Element:
    """The record drawn anew, inside the page, so that it shows the numbers that stand there."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "picture.png"
        try:
            plot(record, wanted.plot, path)
        except UNFIT:
            return node("p", "Its rows cannot be drawn as its specification says.", class_="soft")
        small = BytesIO()
        with Image.open(path) as picture:
            # Few colours and their shades: the page of all experiments is a third as large.
            plain, way = picture.convert("RGB"), Image.Quantize.MAXCOVERAGE  # keeps rare colours
            plain.quantize(COLOURS, method=way).save(small, "png", optimize=True)
        data = base64.b64encode(small.getvalue()).decode("ascii")
    image = node("img", src=f"data:image/png;base64,{data}", alt=f"Plot: {wanted.title}")
    return node("figure", image)


def _folded(record: Table) -> Iterator[Element]:
    rows = record["rows"]
    try:
        printed = record_table(record)
    except UNFIT:
        printed = rows_text(rows)
    yield folded("As the command prints it", node("pre", node("code", printed)))
    names = list(dict.fromkeys(name for row in rows for name in row))
    changing = [n for n in names if len({repr(row.get(n)) for row in rows}) > 1] or names
    shown = [[_cell(row.get(name)) for name in changing] for row in rows[:MOST_ROWS]]
    more = f"; {len(rows) - MOST_ROWS:,} more are in the file" if len(rows) > MOST_ROWS else ""
    same = ", ".join(f"{n} {_cell(rows[0][n])}" for n in names if n not in changing)
    alike = [node("p", f"In all of them: {same}", class_="soft")] if same else []
    differing = table(f"what differs{more}", changing, shown)
    yield folded(f"All {len(rows):,} rows of the record", *alike, differing)


def _cell(value: object) -> str:
    if value is None:
        return NONE
    if isinstance(value, list):
        return " ".join(map(_cell, value))
    return json.dumps(value, ensure_ascii=False) if isinstance(value, dict) else str(value)


def _made(record: Table) -> list[Element]:
    machine, load = record.get("machine", {}), record.get("load")
    cores = f", {machine['cpu_count']} cores" if machine.get("cpu_count") else ""
    versions = (f"{name} {version}" for name, version in record.get("versions", {}).items())
    facts = {
        "made on": record.get("date", "not noted"),
        "took": duration(record["seconds"]) if "seconds" in record else "not noted",
        "on": f"{machine['processor']}{cores}, {machine.get('platform')}"
        if machine.get("processor")
        else "a machine that was not noted",
        **({"load when it began": f"{load}"} if load is not None else {}),
        "with": ", ".join(versions),
        "at commit": record.get("code", {}).get("commit") or "none",
        **{f"signature of {name}": text for name, text in record.get("signatures", {}).items()},
    }
    parts = [part for name, text in facts.items() for part in (node("dt", name), node("dd", text))]
    return [command(record.get("command", "")), node("dl", *parts, class_="facts")]


def _verdict(entry: Entry) -> list[Element]:
    checked = entry.checked
    notes = [*checked.wrong, *checked.notes] if checked is not None else []
    listed = [node("ul", *[node("li", note) for note in notes], class_="soft")] if notes else []
    return [node("p", node("b", "Check: "), _mark(entry.state)), *listed]


def _mark(word: str) -> Element:
    """The state of a record or a verdict, marked by more than its colour."""
    kind = "good" if word in (GOOD, *HOLDS) else "bad" if word in (WRONG, OPPOSITE) else "other"
    return node("span", word, class_=f"state {kind}")
