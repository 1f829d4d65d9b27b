"""What a message quotes of what a user gave is short, in Python as on the command line."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest

import wordorder_lab as wl
from wordorder_lab.structures.messages import GIVEN, cited, unknown_name
from wordorder_lab.systems import find, training_names
from wordorder_lab.systems.registry import ROWS

LONG = "x" * 10_000
SHAPES: tuple[Any, ...] = (LONG, [LONG, LONG], {LONG: 1})
PLAIN: dict[str, Any] = {"engine": "reference", "progress": False}
BAGS: tuple[dict[str, Any], ...] = (
    {"heads": [5, None]},
    {"heads": [1, 0]},
    {"heads": [-1, -1]},
    {"before": [(0, 0)]},
    {"before": [(0, 1), (1, 0)]},
    {"counts": [(2, 1), None]},
    {"categories": [[f"({LONG}"], None]},
    {"categories": [{LONG: 2.0}, None]},
    {"labels": [3, None]},
    {"alternatives": [[LONG, 3], None]},
)
"""What cannot be of a bag whose first word is long."""
LINES = (f"{LONG}/", f"[{LONG}", f"{LONG}]", f"a | {LONG}", f"{LONG}{{2,1}}", f"{LONG} a | 1<1")
NUMBERS = (f"a | 1<{'9' * 4000}", f"a>{'9' * 4000}")
TREES = (f"({LONG}", f"(S {LONG}", f"(S ({LONG} a) b)", f"(S (NP a)) {LONG}")
RULES = (LONG, f"{LONG} -> {LONG}", f"S -> ({LONG}")
CATEGORIES = (f"({LONG}", f"{LONG}/", f"S[{LONG}", f"{LONG} {LONG}")


def sentence(word: str = "rain") -> wl.Sentence:
    return wl.Sentence((wl.Token((word,), "NN", 1), wl.Token(("falls",), "VBZ", -1)))


def counted() -> Any:
    return wl.train("ngram-beam", [sentence()] * 3, min_count=1, **PLAIN)


def calls(model: Any) -> Iterator[Callable[[], Any]]:
    """Calls of public functions with something long in the place of each argument, and of each."""
    for name, takes in (("WordBag", BAGS), ("parse_bag", (*LINES, *NUMBERS))):
        first = () if name == "parse_bag" else ([LONG, "falls"],)
        for given in takes:
            how = given if isinstance(given, dict) else {"text": given}
            yield partial(getattr(wl, name), *first, **how)
    yield from (partial(wl.parse_tree, text) for text in TREES)
    yield from (partial(wl.parse_rule, text) for text in RULES)
    yield from (partial(wl.Category.parse, text) for text in CATEGORIES)
    for system in sorted(ROWS):
        for name in (*training_names(system), LONG):
            yield from (partial(find(system).checked, {name: given}) for given in SHAPES)
    usual = {"sentence": sentence(), "model": model, "bag": wl.bag_of(sentence()), "path": "none"}
    usual |= {"sentences": [sentence()], "text": "(S (NN rain))", "system": "ngram-beam"}
    log = wl.EventLog()
    model.order(["rain", "falls"], trace=log, engine="reference", beam=2)
    public = [getattr(wl, name) for name in wl.__all__ if name != "SIGNS"]
    for thing in (*public, wl.EventLog.load, model.order, model.save, log.save):
        parameters = inspect.signature(thing).parameters.values()
        needed = [one.name for one in parameters if one.default is one.empty and one.kind < 4]
        for one in parameters:
            how = {name: {"log": log, **usual}.get(name, "rain") for name in needed}
            for given in SHAPES:
                yield partial(thing, **how | {LONG if one.kind == 4 else one.name: given})


@pytest.mark.filterwarnings("ignore")
def test_no_message_has_more_than_so_much_of_what_was_given(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    said = []
    for call in calls(counted()):
        try:
            call()
        except Exception as error:  # those of libraries and of the system say what they like
            if type(error) in (TypeError, ValueError) or "wordorder" in type(error).__module__:
                said.append(str(error))
    assert len(said) > 700
    for message in said:
        longest = max(map(len, re.findall("x+|9+", message)), default=0)
        assert longest <= GIVEN and len(message) < 2000, message[:300]


def test_what_is_short_is_cited_as_it_is() -> None:
    class Worse:
        def __repr__(self) -> str:
            raise RuntimeError

    for given in ("a  b", "it's", 3, None, ["a"], 0.1, "é"):
        assert cited(given) == repr(given)
    assert len(cited(LONG)) == len(cited([LONG] * 9)) == GIVEN
    assert cited(Worse()) == "<Worse>"


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("lui-2015", "no system 'lui-2015' (did you mean 'liu-2015'?); there are liu-2015, wan"),
        ("WAN", "no system 'WAN' (did you mean 'wan'?); there are liu-2015, wan"),
        ("perceptron", "no system 'perceptron'; there are liu-2015, wan"),
        (7, "no system 7; there are liu-2015, wan"),
    ],
)
def test_an_unknown_name_is_told_with_the_nearest(given: object, said: str) -> None:
    assert unknown_name("system", given, ["liu-2015", "wan"]) == said


def test_the_repr_of_a_model_never_raises() -> None:
    """Nor of one that is half made, or has settings that no training of ours fills in."""
    model = counted()
    assert repr(model) == "<NGramOrderer ngram-beam: trained, 3 sentences>"
    for settings in ({"sentences": "many"}, None, 3, {"corpus": object(), "sentences": None}):
        model.settings = settings
        assert repr(model).startswith("<NGramOrderer")
    assert repr(object.__new__(type(model))) == "<NGramOrderer, not whole>"
