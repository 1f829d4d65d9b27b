"""``wordorder-lab doctor``: looks at each thing in turn, prints all, and says if it will do.

The exit code is 0 unless something is broken that every command needs; then it is 1. What cannot be
looked at because a library is missing is passed over: the doctor must not need what it looks for.
"""

from __future__ import annotations

import json
import os
from argparse import Namespace
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from textwrap import fill
from typing import Any

from wordorder_lab.commands.apart import STDOUT
from wordorder_lab.commands.doctor.caches import caches
from wordorder_lab.commands.doctor.finding import BROKEN, FINE, MISSING, OTHER, Finding
from wordorder_lab.commands.doctor.libraries import libraries
from wordorder_lab.commands.doctor.machine import machine
from wordorder_lab.commands.doctor.other_packages import other_packages
from wordorder_lab.commands.doctor.package import package
from wordorder_lab.commands.doctor.texts_and_pages import browser, corpora
from wordorder_lab.runtime.atomic import plain_target, replacing
from wordorder_lab.structures.version import VERSION

PARTS: tuple[Callable[[], Iterator[Finding]], ...] = (
    package,
    libraries,
    other_packages,
    corpora,
    browser,
    caches,
    machine,
)
WIDTH, LEFT = 100, 33


def run(arguments: Namespace) -> int:
    """Print what was found; ``ValueError`` or ``OSError`` for a ``--json`` nobody can write."""
    _check_target(arguments.json)
    found = [finding for part in PARTS for finding in examined(part)]
    broken = any(finding.state == BROKEN for finding in found)
    data = {
        "version": VERSION,
        "healthy": not broken,
        "findings": [finding._asdict() for finding in found],
    }
    if arguments.json == STDOUT:
        print(json.dumps(data, indent=1))
        return int(broken)
    print("\n".join(lines(found)))
    if arguments.json is not None:
        _write(arguments.json, data)
    return int(broken)


def examined(part: Callable[[], Iterator[Finding]]) -> Iterator[Finding]:
    """The findings of a part, up to where a library is missing or a file cannot be read."""
    try:
        yield from part()
    except (ImportError, OSError) as error:
        yield Finding(
            part.__name__,
            part.__name__,
            MISSING,
            f"not looked at: {error}",
            "see to what is broken first, then ask the doctor again",
        )


def lines(found: Sequence[Finding]) -> list[str]:
    """The report as people read it: a heading each part, a line each thing, what to do below it."""
    told = [f"wordorder-lab {VERSION}"]
    about = ""
    for finding in found:
        if finding.about != about:
            told += ["", finding.about]
            about = finding.about
        told.append(f"  {finding.state:<9}{finding.name:<22}{finding.found}")
        if finding.advice:
            margin = " " * LEFT
            told.append(
                fill(
                    f"-> {finding.advice}",
                    WIDTH,
                    initial_indent=margin,
                    subsequent_indent=f"{margin}   ",
                    break_long_words=False,
                    break_on_hyphens=False,
                )
            )
    return [*told, "", summary(found)]


def summary(found: Sequence[Finding]) -> str:
    """The last line: is anything broken, and how much is missing or other."""
    number = Counter(finding.state for finding in found)
    if number[BROKEN]:
        first = f"Broken: {number[BROKEN]}, and nothing goes on without it."
    else:
        first = "All that is needed is here."
    counted = [
        f"{number[MISSING]} missing, which only some commands need" if number[MISSING] else "",
        f"{number[OTHER]} other than usual" if number[OTHER] else "",
        f"{number[FINE]} fine",
    ]
    return f"{first} {'; '.join(filter(None, counted))}."


def _check_target(path: str | None) -> None:
    if path in (None, STDOUT):
        return
    target = plain_target(str(path))
    if not target.parent.is_dir():
        raise ValueError(f"there is no folder {target.parent} to write {target.name} into: make it")
    if not os.access(target.parent, os.W_OK):
        raise ValueError(f"the folder {target.parent} may not be written: choose another one")


def _write(path: str, data: Any) -> None:
    with replacing(path) as part:
        part.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
    print(f"wrote {path}")
