"""What the demo plays: a search, the same bag with two beams, and a short training run.

All of it is recorded by the reference engine: the events are those of the fast one, and nothing
has to be compiled for them.
"""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from xml.etree.ElementTree import Element

from wordorder_lab.commands.demo.html import node
from wordorder_lab.commands.gallery.pages import BEAM, Found, Page, short_ones, training_pages
from wordorder_lab.structures.bag import bag_of
from wordorder_lab.structures.result import Result
from wordorder_lab.structures.sentence import Sentence
from wordorder_lab.systems.liu_2015 import LinearizationModel
from wordorder_lab.trace.log import EventLog
from wordorder_lab.widgets.page import contents, page_text

WATCHED_BEAM = 8
"""States of the search to look at: few enough to see them all."""

UNITS, LONGEST = 6, 10
"""Units that the sentence to look at has, or about so many, and the most that a race has."""


def ordered(
    model: LinearizationModel,
    sentence: Sentence,
    beam: int | None = None,
    engine: str | None = None,
    log: EventLog | None = None,
) -> Result:
    """What the model makes of a sentence's bag, given what it was given in training."""
    given = {name: model.settings.get(name, usual) for name, usual in (("pos", 1), ("seed", 1))}
    return model.order(bag_of(sentence, **given), beam=beam, engine=engine, trace=log)


def example(model: LinearizationModel, sentences: Sequence[Sentence]) -> Sentence:
    """A short sentence to look at: if there is one, one that comes out right."""
    near = sorted(sentences, key=lambda sentence: abs(len(sentence) - UNITS))[:20]
    right = (s for s in near if ordered(model, s, WATCHED_BEAM, "reference").text == s.text)
    return next(right, near[0])


def race(model: LinearizationModel, sentences: Sequence[Sentence], engine: str | None) -> Sentence:
    """A sentence that beam 1 gets wrong and the model's own beam right, if there is one.

    It is one of the longest of those that fit on the screen.
    """
    fitting = [s for s in sentences if len(s) <= LONGEST] or [min(sentences, key=len)]
    fitting.sort(key=lambda sentence: abs(len(sentence) - UNITS - 2))
    for sentence in fitting:
        texts = (ordered(model, sentence, beam, engine).text for beam in (1, None))
        if next(texts) != sentence.text == next(texts):
            return sentence
    return fitting[0]


def framed(page: Page) -> Element:
    """A player inside the demo's page."""
    data = contents(page.log, page.other, view=page.view, names=page.names, at=page.at)
    frame = node(
        "iframe", title=page.title, sandbox="allow-scripts allow-downloads", loading="lazy"
    )
    frame.set("srcdoc", page_text(data, page.title))
    return node("div", frame, class_="player")


def player_pages(
    model: LinearizationModel,
    shown: Sentence,
    learned: Sequence[Sentence],
    held_out: Sequence[Sentence],
    arguments: Namespace,
) -> list[Page]:
    """The pages, in the order of looking at them."""
    on_reference = Namespace(**vars(arguments) | {"engine": "reference"})
    training = training_pages(short_ones(learned), on_reference, progress=False)
    return [_search(model, shown), _race(model, held_out, arguments), *training]


def _search(model: LinearizationModel, sentence: Sentence) -> Page:
    log = EventLog()
    result = ordered(model, sentence, WATCHED_BEAM, "reference", log)
    return Page(
        "beam-states.html",
        BEAM,
        "One search, state by state",
        f"The bag from the top of the page at beam {WATCHED_BEAM}: a column a step, a card a "
        "state, dashed what is cut.",
        5,
        "lattice",
        log,
        found=(Found(result.text, sentence.text),),
    )


def _race(model: LinearizationModel, sentences: Sequence[Sentence], arguments: Namespace) -> Page:
    sentence, wide = race(model, sentences, arguments.engine), arguments.beam
    logs = EventLog(), EventLog()
    greedy, best = (
        ordered(model, sentence, beam, "reference", log) for beam, log in zip((1, wide), logs)
    )
    return Page(
        "two-beams.html",
        BEAM,
        f"Beam 1 against beam {wide}",
        "The same bag twice, on one clock: who keeps a single state cannot take a step back.",
        6,
        "lattice",
        *logs,
        ("beam 1", f"beam {wide}"),
        found=(Found(greedy.text, sentence.text, "A"), Found(best.text, sentence.text, "B")),
    )
