"""One experiment on the report page: the paper's values beside ours, the picture, the record."""

from __future__ import annotations

import base64
import json
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element

from wordorder_lab.commands.html import folded, node, table
from wordorder_lab.commands.reproduce.entries import Entry
from wordorder_lab.commands.reproduce.list import NOT_RUN, duration
from wordorder_lab.corpora import CORPORA, TEXTS
from wordorder_lab.experiments.code_check import GOOD, WRONG
from wordorder_lab.experiments.measures.measure import Specification
from wordorder_lab.experiments.measures.rows import rows_text
from wordorder_lab.experiments.measures.style import AXES
from wordorder_lab.experiments.paper_values import TIMES, Pair, Reversal, pairs, reversals, said
from wordorder_lab.experiments.records import UNFIT
from wordorder_lab.experiments.report import plot
from wordorder_lab.experiments.report import table as record_table
from wordorder_lab.experiments.verdict import OPPOSITE, REPRODUCED, count_line
from wordorder_lab.experiments.verdicts import says

DIFFERENCE = "difference"
HEAD = ("the paper's row", "paper", "ours", DIFFERENCE, "95 % interval of ours", "our row")
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


def section(entry: Entry, *, open_: bool = False) -> Element:
    """All that is known about an experiment: its title and what came of it, the rest to open."""
    wanted, record = entry.specification, entry.record
    told = [count_line([entry.verdicts])] if entry.verdicts else []
    parts = [node("h2", wanted.title, id=f"{wanted.name}-head")]
    parts += [node("p", f"{text[:1].upper()}{text[1:]}.", class_="soft") for text in told]
    inside = _claim(wanted.paper)
    if record is None:
        inside += [*_claims(entry), *_verdict(entry)]
        inside.append(_command(f"wordorder-lab reproduce {wanted.name}"))
    else:
        inside += [*([_picture(wanted, record)] if wanted.plot else []), *_claims(entry)]
        inside += [*_values(record), *_data(wanted.paper, record)]
        inside += [*_folded(record), *_made(record), *_verdict(entry)]
    more = folded("Picture, claims, numbers beside the paper's, the record", *inside)
    if open_:
        more.set("open", "")
    parts.append(more)
    marks = " ".join(kinds(entry))
    return node(
        "section", *parts, id=wanted.name, aria_labelledby=f"{wanted.name}-head", data_kinds=marks
    )


def kinds(entry: Entry) -> list[str]:
    """What the page is filtered by: the verdicts on an experiment's claims, or none."""
    found = dict.fromkeys(one.verdict for one in entry.verdicts) if entry.record else [NOT_RUN]
    return [name.split(",")[0].replace(" ", "-") for name in found]


def _claim(paper: Mapping[str, Any]) -> list[Element]:
    told = [f"{paper[name]}" for name in ("reference", "place") if paper.get(name)]
    parts = [node("p", ": ".join(told), class_="soft")] if told else []
    if paper.get("claim"):
        parts.append(node("p", node("b", "The paper: "), str(paper["claim"])))
    if paper.get("condition"):
        parts.append(node("p", node("b", "Under which condition: "), str(paper["condition"])))
    return parts


def _claims(entry: Entry) -> list[Element]:
    """What became of each claim, as it is computed from the record."""
    if not entry.verdicts:
        return []
    rows: list[list[Element | str]] = []
    for one in entry.verdicts:
        printed = "" if one.claim.printed is None else signed(one.claim.printed)
        kind = {REPRODUCED: "good", OPPOSITE: "bad"}.get(one.verdict, "other")
        mark = node("span", one.verdict, class_=f"state {kind}")
        rows.append([says(one.claim), mark, printed or NONE, one.told])
    head = ("the paper claims", "verdict", "its difference", "here")
    box = table("What became of the claims", head, rows)
    box.set("class", "scroll claims")
    return [box]


def _values(record: Mapping[str, Any]) -> list[Element]:
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
    rows = [dict(zip(HEAD, _cells(pair, common, digits), strict=True)) for pair in mine]
    head = [name for name in HEAD if name != DIFFERENCE or mine[0].quantity not in TIMES]
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


def _cells(pair: Pair, common: Mapping[str, Any], digits: int) -> tuple[str, ...]:
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


def _data(paper: Mapping[str, Any], record: Mapping[str, Any]) -> list[Element]:
    """Whose sentences these are: the paper's and ours are seldom the same."""
    theirs = f"The paper's data: {paper['data']}. " if paper.get("data") else ""
    ours = "; ".join(_corpus(key, record["rows"]) for key in record.get("data", {}))
    return [node("p", f"{theirs}Ours: {ours}.", class_="soft")] if ours else []


def _corpus(key: str, rows: Sequence[Mapping[str, Any]]) -> str:
    """One corpus of a record, by its name and units (``"ptb-sample, base-np"``)."""
    name, _, units = key.rpartition(", ")
    mine = [row for row in rows if (row.get("corpus"), row.get("units")) == (name, units)]
    counts = {row["split"]: row.get("sentences") for row in mine if "split" in row}
    scored = [f"{split}, {n} sentences" if n else split for split, n in counts.items()]
    told = ", scored on " + " and ".join(scored) if scored else ""
    return f"{CORPORA.get(name) or TEXTS.get(name, name)} ({units}){told}"


def _picture(wanted: Specification, record: Mapping[str, Any]) -> Element:
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


def _folded(record: Mapping[str, Any]) -> Iterator[Element]:
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


def _printed(record: Mapping[str, Any]) -> str:
    try:
        return record_table(record)
    except UNFIT:
        return rows_text(record["rows"])


def _cell(value: Any) -> str:
    if value is None:
        return NONE
    if isinstance(value, list):
        return " ".join(map(_cell, value))
    return json.dumps(value, ensure_ascii=False) if isinstance(value, dict) else str(value)


def _made(record: Mapping[str, Any]) -> list[Element]:
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
    return [_command(record.get("command", "")), node("dl", *parts, class_="facts")]


def _command(text: str) -> Element:
    return node("pre", node("code", text))


def _verdict(entry: Entry) -> list[Element]:
    """What the check of the record said."""
    verdict = entry.checked
    notes = [*verdict.wrong, *verdict.notes] if verdict is not None else []
    listed = node("ul", *[node("li", note) for note in notes], class_="soft")
    return [node("p", node("b", "Check: "), state(entry)), *([listed] if notes else [])]


def state(entry: Entry) -> Element:
    """The state of a record, marked by more than its colour."""
    kind = {GOOD: "good", WRONG: "bad"}.get(entry.state, "other")
    return node("span", entry.state, class_=f"state {kind}")
