"""The form around the player: read words and tags, run models, show what came out.

Its controls are in ``form_view``, which needs ipywidgets, and its door in ``form``. A model is
whatever has the method of ``Orders``. Nothing else is asked of it, so that a decoder which a
student has just written can be tried in the same form.
"""

from __future__ import annotations

import html
import random
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, Protocol

from wordorder_lab.structures.bag import WordBag
from wordorder_lab.structures.messages import cited
from wordorder_lab.structures.result import Result
from wordorder_lab.structures.sentence import Sentence
from wordorder_lab.structures.typed_bag import parse_bag, type_bag
from wordorder_lab.trace.log import EventLog

EXAMPLE = "of/IN [Harvard University]/NP led/VBD ./. [Dr. Talcott]/NP [a team]/NP"
"""The running example of Liu et al. 2015, its units in no order."""
TAGS = {
    "as typed: word/TAG": "typed",
    "none: the search chooses them": "none",
    "one a unit, in a field of their own": "listed",
}
"""What the choice says -> where the tags come from."""
UNKNOWN = "_"
"""Stands for a tag that is not known, in the field of tags."""
SHOWN = 12
"""Units that the form repeats as it has understood them; of longer bags it counts the rest."""


class Orders(Protocol):
    """``order`` puts the bag in order with this beam, tells ``trace`` (an ``EventLog``) what it
    does, and raises ``ValueError``, with a reason for the reader, for a bag that it refuses. A
    model may also have ``unknown_tags(bag)``, the tags that it never saw: the form then refuses
    them."""

    def order(self, bag: WordBag, *, beam: int, engine: str, trace: EventLog) -> Result:
        """The best order of the bag."""


@dataclass(frozen=True)
class Asked:
    """What a form was made for: its models by name, and what else ``ordering_form`` was given."""

    models: Mapping[str, Orders]
    sentences: Sequence[Sentence]
    beam: int
    engine: str | None
    rng: random.Random
    max_events: int


class Run(NamedTuple):
    """One run of a model on the bag."""

    name: str
    result: Result
    log: EventLog
    milliseconds: float


class FormError(ValueError):
    """A run failed; the message is for whoever sits in front of the form."""


def named_models(models: Orders | Mapping[str, Orders]) -> dict[str, Orders]:
    """Models by name; a single one is called "model". Raises ``ValueError`` for what is none."""
    named = dict(models) if isinstance(models, Mapping) else {"model": models}
    if not named:
        raise ValueError("the form needs a model: ordering_form(model), or {'a name': model}")
    for name, model in named.items():
        if not callable(getattr(model, "order", None)):
            raise ValueError(
                f"{cited(name)} is no model: {type(model).__name__} has no method order()"
            )
    return {str(name): model for name, model in named.items()}


def read_bag(text: str, tags: str = "typed", listed: str = "") -> WordBag:
    """The bag that was typed, with the tags that one of ``TAGS`` says; ``ValueError``
    (``TypedBagError`` with the column) for what cannot be read."""
    bag = parse_bag(text)
    if tags == "none":
        return replace(bag, pos=None)
    if tags == "listed":
        given = listed.split()
        if len(given) != len(bag):
            raise ValueError(
                f"{len(bag)} units but {len(given)} tags: give one a unit, in the same order, "
                f"{UNKNOWN} where it is not known"
            )
        return replace(bag, pos=[None if tag == UNKNOWN else tag for tag in given])
    return bag


def list_tags(bag: WordBag) -> str:
    """The tags of a bag as the field of tags takes them."""
    return " ".join(tag or UNKNOWN for tag in bag.pos or ())


def understood(bag: WordBag) -> str:
    """How many units and tags there are, and which belong together."""
    given = len([tag for tag in bag.pos or () if tag])
    more = f" and {len(bag) - SHOWN} more" if len(bag) > SHOWN else ""
    units = f"{len(bag)} unit{'s' * (len(bag) > 1)}"
    return f"{units}, {given or 'none'} with a tag: {type_bag(chosen(bag, range(SHOWN)))}{more}"


def chosen(bag: WordBag, places: Sequence[int]) -> WordBag:
    """The bag of the units at these places, in this order; places beyond its end do not count."""
    return bag.select([i for i in places if i < len(bag)])


def shuffled(bag: WordBag, rng: random.Random) -> list[int]:
    """The places of the units in another order, if there is one that looks different."""
    places = list(range(len(bag)))
    for _ in range(20):
        rng.shuffle(places)
        if chosen(bag, places) != bag:
            break
    return places


def run_model(name: str, model: Orders, bag: WordBag, max_events: int, **options: Any) -> Run:
    """One run, recorded. Raises ``FormError`` if the model refuses the bag, or fails on it."""
    log = EventLog(max_events=max_events)
    begin = time.perf_counter()
    try:
        _refuse_unknown_tags(model, bag)
        result = model.order(bag, trace=log, **options)
    except Exception as error:  # a student's own decoder may raise anything
        raise FormError(f"{name}: {explain(error)}") from error
    if not isinstance(result, Result):
        raise FormError(f"{name}: order() gave back a {type(result).__name__}, not a Result")
    return Run(name, result, log, 1000 * (time.perf_counter() - begin))


def _refuse_unknown_tags(model: Orders, bag: WordBag) -> None:
    find: Callable[[WordBag], list[str]] | None = getattr(model, "unknown_tags", None)
    if find is not None and (unknown := find(bag)):
        known = getattr(getattr(model, "dictionary", None), "word_tags", ())
        raise ValueError(
            f"the model never saw the tag{'s' * (len(unknown) > 1)} {' '.join(unknown)}"
            + (f"; it knows {' '.join(known)}" if known else "")
            + " (a slash that belongs to a word is written \\/)"
        )


def explain(error: BaseException) -> str:
    """An error in one line; the type is left out where the message was written to be read."""
    message = " ".join(str(error).split())
    if isinstance(error, ValueError) and message:
        return message
    return f"{type(error).__name__}: {message}" if message else type(error).__name__


def outcome(runs: Sequence[Run]) -> str:
    """The line below the button when a run is done."""
    lines = ["done"]
    if len(runs) == 2:
        same = runs[0].result.surface == runs[1].result.surface
        lines.append(f"A and B found {'the same sentence' if same else 'different sentences'}")
    for run in runs:
        if not run.log:
            lines.append(f"{run.name} told its trace nothing, so there is nothing to play")
        if run.log.is_cut:
            lines.append(
                f"the record of {run.name} is cut after {len(run.log):,} events, "
                f"{run.log.dropped:,} more happened"
            )
    return "; ".join(lines)


def report(run: Run, original: Sentence | None = None) -> str:
    """What a run found, as HTML: sentence, score, tree, time."""
    shown = [f"<b>{html.escape(run.name)}</b>: {run.milliseconds:,.1f} ms with the recording"]
    if original is not None:
        same = original.surface == run.result.surface
        shown.append("just as in the corpus" if same else f"corpus: {html.escape(original.text)}")
    # No wider than its column, whatever is inside: only the picture of a long tree scrolls.
    within = f"<div>{'<br>'.join(shown)}</div>{run.result._repr_html_()}"
    return f'<div style="width: 0; min-width: 100%">{within}</div>'
