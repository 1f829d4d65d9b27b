"""``wordorder-lab score``: anybody's outputs on a task of the scoreboard, beside our systems."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

from wordorder_lab.commands.output import check_json, printer, report, workers
from wordorder_lab.experiments.runs.schema import Row
from wordorder_lab.experiments.scoreboard import board
from wordorder_lab.experiments.scoreboard.tasks import (
    COMPRESS,
    RATE,
    Task,
    apart,
    items_of,
    part_of_scores,
    read_outputs,
    scores_of,
    task_called,
    tasks,
)
from wordorder_lab.metrics.randomisation import PERMUTATIONS, Change, p_in_words
from wordorder_lab.metrics.significance import SCALES, SENTENCE_SCORES

SHARES = ("exact_match", "brevity", "unigram_f1", "rate")


def run(arguments: Namespace) -> int:
    """List the tasks, or our systems on one of them, or score a file."""
    check_json(arguments.json)
    if arguments.task is None:
        if arguments.file is not None or arguments.against is not None:
            raise ValueError(f"--task is missing: it is one of {', '.join(tasks())}")
        _list(arguments)
        return 0
    task = task_called(arguments.task)
    if arguments.file is None:
        if arguments.against is not None:
            raise ValueError("--against compares a file of outputs: name it")
        _table(task, arguments)
        return 0
    _score(task, arguments)
    return 0


def _list(arguments: Namespace) -> None:
    rows = [{"task": one.name, "says": one.says, "on": one.on} for one in tasks().values()]
    lines = [line for row in rows for line in (row["task"], f"    {row['says']}")]
    report(lines, rows, arguments.json)


def _table(task: Task, arguments: Namespace) -> None:
    """Our systems on a task, and how many sentences it asks for."""
    entries = board.entries(task)
    rows = [
        {"system": one.system, task.on: one.row[task.on], **one.beside(task), "of": one.experiment}
        for one in entries
    ]
    beside = "the share of words that is kept" if task.kind == COMPRESS else "its 95 % interval"
    lines = [task.says, f"{len(items_of(task)):,} sentences; {task.on}, and {beside}:"]
    lines += [
        f"  {_shown(task.on, row[task.on]):>8}  {_beside(row)}  {row['system']} ({row['of']})"
        for row in rows
    ]
    report(
        lines,
        {"task": task.name, "sentences": len(items_of(task)), "systems": rows},
        arguments.json,
    )


def _beside(row: Row) -> str:
    if RATE in row:
        return f"{row[RATE]:7.1%}"
    low, high = row["interval"]
    return f"{low:6.2f} to {high:5.2f}"


def _score(task: Task, arguments: Namespace) -> None:
    path = Path(arguments.file)
    mine = scores_of(task, read_outputs(path, task))
    kept = mine.pop(SENTENCE_SCORES)
    data: Row = {"task": task.name, "file": str(path), **mine, "apart": {}}
    for name, (begin, end) in apart(task).items():
        data["apart"][name] = part_of_scores({SENTENCE_SCORES: kept}, begin, end, task.on)
    lines = _lines(task, data)
    if arguments.against is not None:
        other = Path(arguments.against)
        if other.is_file():
            theirs = scores_of(task, read_outputs(other, task))
            entry = board.Entry(str(other), theirs, theirs[SENTENCE_SCORES], "a file", other)
        else:
            with workers(arguments):
                say = printer(arguments.json)
                entry = board.entry_of(task, arguments.against, say, arguments.jobs)
        found = board.against(task, kept, entry)
        data["against"] = {"system": entry.system, "of": entry.experiment, **_told(found)}
        lines += _compared(entry, found)
    report(lines, data, arguments.json)


def _lines(task: Task, data: Row) -> list[str]:
    lines = [f"{data['file']} on {task.name}: {data['sentences']:,} sentences"]
    for name, value in data.items():
        if isinstance(value, float):
            ends = data.get(f"{name}_interval", ())
            interval = f"  95 %: {ends[0]:.2f} to {ends[1]:.2f}" if ends else ""
            signature = data.get(f"{name}_signature", "")
            lines.append(f"  {name:<12}{_shown(name, value):>8}{interval}  {signature}".rstrip())
    for part, row in data["apart"].items():
        score = _shown(task.on, row[task.on])
        lines.append(f"  {part} alone: {score}, {row['sentences']:,} sentences")
    return lines


def _compared(entry: board.Entry, found: Change) -> list[str]:
    theirs, mine = found.scores
    return [
        f"against {entry.system} ({entry.experiment}): {mine:.2f} and {theirs:.2f}",
        f"  {found.change:+.2f} (95 %: {found.low:+.2f} to {found.high:+.2f}), "
        f"{p_in_words(found.p_value)}, paired randomisation over {found.sentences:,} sentences",
    ]


def _told(found: Change) -> Row:
    theirs, mine = found.scores
    ends = {"interval": [found.low, found.high], "p_value": found.p_value}
    ends |= {"test": f"paired randomisation, two-sided, {PERMUTATIONS:,} times", "in": "points"}
    return {
        "score": theirs,
        "mine": mine,
        "difference": found.change,
        **ends,
        "sentences": found.sentences,
    }


def _shown(name: str, value: float) -> str:
    return f"{value:.2%}" if name in SHARES or name in SCALES else f"{value:.2f}"
