"""What a public name must say of itself: each thing that is left out is found, and is named."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from site_pages import event_columns, event_schema, json_fields, python_interface
from site_pages.public_docstrings import lacking, told
from site_pages.public_sources import OF_NO_PAPER, PAPERS, papers_named

import wordorder_lab as wl
from wordorder_lab.cli import COMMANDS
from wordorder_lab.systems.model import TrainedModel
from wordorder_lab.trace.events import SCHEMA

SOURCE = "Liu et al. 2015, section 4.2."


def says_all(words: Sequence[str], seed: int = 1) -> float:
    """The share of these words, from 0 to 1. ``seed``, any whole number, draws them."""
    if not words:
        raise ValueError("no words")
    return seed / seed


def given(monkeypatch: pytest.MonkeyPatch, docstring: str) -> list[str]:
    """What is lacking where this is the docstring of a public function."""
    monkeypatch.setattr(says_all, "__doc__", docstring)
    monkeypatch.setattr(wl, "bag_of", says_all, raising=False)
    return lacking("bag_of")


WHOLE = f"{says_all.__doc__} Raises ``ValueError`` for no words. {SOURCE}"
WITHOUT: dict[str, tuple[Callable[[str], str], str]] = {
    "docstring": (lambda _: "Words.", "bag_of: no docstring"),
    "parameter": (lambda text: text.replace("words", "them"), "bag_of: says nothing of words"),
    "unit": (lambda text: text.replace(", any whole number,", ""), "bag_of: no unit of seed"),
    "name": (lambda text: text.replace("``seed``", "it"), "bag_of: no unit of seed"),
    "error": (
        lambda text: text.replace("``ValueError``", "an error"),
        "bag_of: does not say that it raises ValueError",
    ),
    "source": (lambda text: text.replace(SOURCE, ""), "bag_of: no source"),
    "section": (lambda text: text.replace(", section 4.2", ""), "bag_of: no source"),
    "paper": (lambda text: text.replace("Liu", "Nobody"), "bag_of: no source"),
}


@pytest.mark.parametrize("what", WITHOUT)
def test_what_a_function_leaves_out_is_found(what: str, monkeypatch) -> None:
    without, line = WITHOUT[what]
    assert given(monkeypatch, WHOLE) == []
    assert line in given(monkeypatch, without(WHOLE))


def test_a_result_that_is_a_number_has_a_unit(monkeypatch) -> None:
    text = WHOLE.replace("The share of these words, from 0 to 1", "What is drawn of these words")
    text = text.replace(", any whole number,", "")
    assert "bag_of: no unit of what it returns" in given(monkeypatch, text)


def test_a_unit_stands_near_to_its_name(monkeypatch) -> None:
    far = f"``seed`` is of {'very ' * 20}little use, and a whole number."
    assert given(monkeypatch, WHOLE.replace(", any whole number,", "") + far) == [
        "bag_of: no unit of seed"
    ]


def test_types_are_asked_for(monkeypatch) -> None:
    def silent(bag):
        """Nothing but a bag, and a bag again."""

    monkeypatch.setattr(wl, "parse_bag", silent, raising=False)
    assert {"parse_bag: no type of bag", "parse_bag: no type of what it returns"} <= {
        *lacking("parse_bag")
    }


def test_methods_that_come_from_above_are_asked_too(monkeypatch) -> None:
    monkeypatch.setattr(TrainedModel.save, "__doc__", None)
    assert lacking("OwnModel") == ["OwnModel.save: no docstring"]


def test_fields_are_asked_too(monkeypatch) -> None:
    whole = wl.Token.__doc__ or ""
    monkeypatch.setattr(wl.Token, "__doc__", whole.replace("``pos``", "then"))
    assert lacking("Token") == ["Token.pos: no docstring"]
    unit = whole.replace("the position of", "").replace(", counted from 0,", "")
    monkeypatch.setattr(wl.Token, "__doc__", unit)
    assert lacking("Token") == ["Token.head: no unit"]


def test_names_of_no_paper_are_public_and_every_paper_is_named() -> None:
    assert set(OF_NO_PAPER) <= set(wl.__all__)
    named = {paper for name in wl.__all__ for paper in papers_named(told(name))}
    assert named == set(PAPERS)
    assert papers_named("Zhang and Clark (2015), as in Figure 3") == ["Zhang & Clark 2015"]


@pytest.mark.parametrize("name", ["claims_table", "paper_table"])
def test_columns_of_a_frame_are_told(name: str) -> None:
    table: Any = getattr(wl, name)("liu-2015-table-2")
    assert [column for column in table if f"``{column}``" not in " ".join(told(name).split())] == []


def test_pages_say_where_a_name_is_from_and_lead_to_its_events() -> None:
    pages = {page.path.split("/")[-1]: page.markdown for page in python_interface.pages()}
    assert "*Transition-Based Syntactic Linearization.*" in pages["bag_of.md"]
    assert "structures/bag.md)" in pages["bag_of.md"] and "Of no paper: " in pages["play.md"]
    for kind in SCHEMA:
        assert f"](../events.md#{kind})" in pages["Trace.md"] and kind in pages["EventLog.md"]


def test_numbers_in_events_are_told_by_column_and_nothing_else(monkeypatch) -> None:
    counted = {
        (kind, column)
        for kind, told in SCHEMA.items()
        for column, type_ in told.columns.items()
        if type_ in event_columns.COUNTED
    }
    assert set(event_columns.OF_KIND) <= counted
    elsewhere = {column for kind, column in counted - set(event_columns.OF_KIND)}
    assert elsewhere == set(event_columns.MEANS)
    monkeypatch.delitem(event_columns.MEANS, "margin")
    with pytest.raises(ValueError, match="margin of the event 'cut'"):
        event_schema.pages()


def test_each_command_that_writes_json_is_run_or_it_is_said_why_not() -> None:
    writing = {name for name, verb in COMMANDS.items() if "--json" in verb.options.split()}
    assert writing == {*json_fields.RUN, *json_fields.NOT_RUN}
    assert not {*json_fields.RUN} & {*json_fields.NOT_RUN}
