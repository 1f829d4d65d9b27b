"""Small experiments of a test's own: a specification as text, run, drawn, or refused."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import pytest
from command_line import Files, write_corpus

from wordorder_lab.corpora import load_corpus
from wordorder_lab.experiments.measures.measure import Specification
from wordorder_lab.experiments.records import partial_of
from wordorder_lab.experiments.report import plot
from wordorder_lab.experiments.reproduce import Override, reproduce
from wordorder_lab.experiments.runs.schema import SpecificationError
from wordorder_lab.experiments.specification import read_specification
from wordorder_lab.systems import load_model

Show = Callable[[str], Any]
CLOCK = ("ms", "jobs", "seconds", "training_seconds", "epoch_seconds")
"""Begins the names of what was measured by the clock."""


class Stopped(Exception):
    """What stands here for a power cut."""


class Made(NamedTuple):
    """An experiment that was run: its specification, its record, and the lines that were shown."""

    wanted: Specification
    record: dict[str, Any]
    said: list[str]
    folder: Path


def specified(
    folder: Path, text: str, *changes: tuple[str, str], name: str = "own_experiment.toml"
) -> Specification:
    """The specification, with some of its text replaced; what is replaced must be there."""
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return read_specification(path)


def run(
    wanted: Specification,
    out: Path,
    *,
    epochs: int | None = None,
    sentences: int | None = None,
    show: Show = str,
    **how: Any,
) -> dict[str, Any]:
    """The record."""
    smaller = Override(epochs, sentences)
    return reproduce(wanted, out, command="c", override=smaller, show=show, **how)


def made(folder: Path, text: str, **how: Any) -> Made:
    """Specified and run."""
    wanted, said = specified(folder, text), list[str]()
    return Made(wanted, run(wanted, folder / "own.json", show=said.append, **how), said, folder)


def interrupted(wanted: Specification, out: Path, **how: Any) -> None:
    """Run until the first line is shown."""

    def stop(line: str) -> None:
        raise Stopped

    with pytest.raises(Stopped):
        run(wanted, out, show=stop, **how)
    assert partial_of(out).exists() and not out.exists()


def own_corpus(folder: Path) -> SimpleNamespace:
    """A small corpus with its ``path``, and a ``model`` that was trained on it."""
    path = write_corpus(folder)
    model = load_model(Files(folder).model)
    return SimpleNamespace(path=str(path), corpus=load_corpus(path), model=model)


def without_times(data: Any) -> Any:
    """JSON without what was measured by the clock."""
    if isinstance(data, dict):
        return {k: without_times(v) for k, v in data.items() if not k.startswith(CLOCK)}
    return [without_times(value) for value in data] if isinstance(data, list) else data


def draws(record: dict[str, Any], how: Any, folder: Path) -> None:
    """Its picture is one."""
    path = folder / "picture.png"
    plot(record, how, path)
    assert path.read_bytes().startswith(b"\x89PNG")


def refused(folder: Path, text: str, change: tuple[str, str], reason: str) -> None:
    """With this change, made once, the specification is refused with this reason."""
    assert text.count(change[0]) == 1
    with pytest.raises(SpecificationError, match=reason):
        specified(folder, text, change)
