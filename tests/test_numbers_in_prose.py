"""Every measured number in README, `docs/`, notebooks and docstrings is in a record.

A decimal counts as measured where its paragraph speaks of a measure (``MEASURES``). It has to be,
as it is rounded, in the record of an experiment that the page names, in its verdicts, or in what a
paper prints (``[paper]`` of a specification). What was measured without a record stands in
``numbers_without_a_record.toml``, with where it comes from. A wrong number that happens to be
another one of the same record is not noticed: of 142 altered at random by 0.3 to 3, 63 were.
"""

from __future__ import annotations

import ast
import json
import re
import tomllib
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from wordorder_lab.experiments import records

ROOT = Path(__file__).resolve().parent.parent
APART = tomllib.loads((ROOT / "tests" / "numbers_without_a_record.toml").read_text("utf-8"))["page"]
MEASURES = re.compile(r"BLEU|F1|\bF\b| %|\bpoints\b|\bp = |accuracy|\brate\b|recall|precision")
DECIMAL = re.compile(r"(?<![\w.,/])(?<!\*\*)[+\-−]?(\d[\d,]*\.\d+)(?![\w]|\.\d)")
NOT_MEASURED = re.compile(
    r"(sections?|exercises?|CC|BY-SA|BY-NC-SA|version|Python|License|Task|>>>)[\s\d.,]*(and\s*)?$",
    re.IGNORECASE,
)
"""Before a number: then it is one of a section, an exercise, a licence."""
GENERATED = re.compile(
    r"<!-- ((?:claims|verdicts|record|code|averaging)[\w ]*?)(?: [^>]*)?-->.*?<!-- /"
)
CODE = re.compile(r"```.*?```|``[^`]*``|`[^`]*`|\]\([^)]*\)", re.DOTALL)
TIMES = ("seconds", "date", "platform", "processor", "load")
ASIDE = ("digest", "code", "versions", "machine", "data", "sentence_scores", *TIMES)


@cache
def pages() -> dict[str, str]:
    """Name and text of everything a person reads."""
    return dict(_pages())


def _pages() -> Iterator[tuple[str, str]]:
    for path in (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))):
        if path.name != "licences.md":
            yield str(path.relative_to(ROOT)), path.read_text(encoding="utf-8")
    for path in sorted((ROOT / "notebooks").glob("*.ipynb")):
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        told = ("".join(one["source"]) for one in cells if one["cell_type"] == "markdown")
        code = ("".join(one["source"]) for one in cells if one["cell_type"] == "code")
        yield str(path.relative_to(ROOT)), "\n\n".join([*told, *map("```\n{}\n```".format, code)])
    for folder in ("wordorder_lab", "docs/site_pages"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            strings = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
            yield str(path.relative_to(ROOT)), "\n\n".join(map(_prose, strings))


def _prose(node: ast.AST) -> str:
    """A text that stands alone, such as a docstring, or has a name; of anything else nothing."""
    value = node.value if isinstance(node, ast.Expr | ast.Assign) else None
    return str(value.value) if isinstance(value, ast.Constant) else ""


def measured(text: str) -> Iterator[tuple[str, str]]:
    """Each number that is a measurement, with the words around it."""
    text = CODE.sub("", re.sub(GENERATED.pattern, "", text, flags=re.DOTALL))
    for paragraph in re.split(r"\n\s*\n|\n\s*(?=- )", text):
        for found in DECIMAL.finditer(paragraph) if MEASURES.search(paragraph) else ():
            before = paragraph[: found.start()]
            if not NOT_MEASURED.search(before[-40:]):
                around = before[-60:] + paragraph[found.start() : found.end() + 30]
                yield found[1], " ".join(around.split())


@cache
def numbers_of(name: str) -> frozenset[str]:
    """The numbers of an experiment, as they may be rounded: of its specification, its record, and
    what is kept of its verdicts."""
    found = [*_numbers(records.specification_file(name).read_text(encoding="utf-8"))]
    record = records.record_file(name)
    for path in (record, record.parent.parent / "verdicts" / record.name):
        if path.exists():
            kept = json.loads(path.read_text(encoding="utf-8"))
            found += _numbers([value for key, value in kept.items() if key not in ASIDE])
    return rounded(found)


@cache
def printed() -> frozenset[str]:
    """What papers print, as specifications have it."""
    every = (records.specification_file(name) for name in records.names())
    tables = [tomllib.loads(path.read_text(encoding="utf-8")) for path in every]
    return rounded(_numbers([[one.get("paper"), one.get("claims")] for one in tables]))


def rounded(numbers: Iterable[float]) -> frozenset[str]:
    """Each as it stands, and what is at most 1 in percent, too, to one digit behind the point, two,
    three or four; half a unit may be rounded either way."""
    found: set[str] = set()
    for number in set(numbers):
        shown = (number, 100 * number) if number <= 1 else (number,)
        for one, digits in product(shown, range(1, 5)):
            nudge = 0.01 * 10.0**-digits
            found |= {f"{one + nudge:.{digits}f}", f"{one - nudge:.{digits}f}"}
    return frozenset(found)


@cache
def experiments() -> frozenset[str]:
    return frozenset(records.names())


@cache
def exercises() -> frozenset[str]:
    """What exercises of notebooks are called: "31.1"."""
    paths = (ROOT / "notebooks").glob("*.py")
    every = (re.findall(r"\*\*(\d\d\.\d+)", path.read_text(encoding="utf-8")) for path in paths)
    return frozenset(number for found in every for number in found)


def _numbers(value: Any) -> Iterator[float]:
    if isinstance(value, str):
        yield from (float(one.replace(",", "")) for one in re.findall(r"\d[\d,]*(?:\.\d+)?", value))
    elif isinstance(value, dict | list):
        if isinstance(value, dict):
            value = [one for key, one in value.items() if "seconds" not in str(key)]
        for one in value:
            yield from _numbers(one)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield abs(float(value))


def without_a_record(name: str, text: str) -> list[str]:
    """The measured numbers of a page that are in no record that it names."""
    of_page = [one for one in APART if one["file"] == name]
    also = {experiment for one in of_page for experiment in one.get("experiments", ())}
    named = experiments().intersection(re.findall(r"[\w-]+", text))
    known = printed().union(*map(numbers_of, named | also))
    apart = {str(number) for one in of_page for number in one.get("numbers", ())}
    apart |= exercises() if name.startswith("docs/teach/") else set()
    every = ((number, around) for number, around in measured(text) if number not in apart)
    return [around for number, around in every if number.replace(",", "") not in known]


def test_every_measured_number_is_in_a_record() -> None:
    found = {name: without_a_record(name, text) for name, text in pages().items()}
    missing = [f"{name}: {around}" for name, every in found.items() for around in every]
    assert not missing, "\n".join(missing)


def test_a_number_of_no_record_is_found() -> None:
    told = "With `wan-2009` the assignment has 99.87 BLEU, see section 5.3; CC BY-SA 4.0."
    assert [one for one, _ in measured(told)] == ["99.87"]
    assert len(without_a_record("a page", told)) == 1
    assert without_a_record("a page", "They reach 50.8 BLEU.") == []  # Liu et al., Table 5


@pytest.mark.parametrize("one", APART, ids=lambda one: str(one["file"]))
def test_what_stands_apart_is_needed_and_says_where_it_comes_from(one: dict[str, Any]) -> None:
    text = pages()[one["file"]]
    assert {*one.get("numbers", ())} <= {number for number, _ in measured(text)}
    assert one.get("experiments") or len(one["from"]) > 20
