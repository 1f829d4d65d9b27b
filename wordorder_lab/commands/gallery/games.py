"""What the gallery has to play with: a race, a search that you steer, a table of searches, and a
knob to turn."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from dataclasses import replace

from wordorder_lab.analysis.gold_survival import CUT, with_gold
from wordorder_lab.commands.gallery.pages import LIMIT, Page, Watched, easy_one, page, texts
from wordorder_lab.exploring.explore import exploration
from wordorder_lab.exploring.race import race
from wordorder_lab.exploring.rows import explored
from wordorder_lab.exploring.sweep import sweep
from wordorder_lab.structures.bag import bag_of
from wordorder_lab.systems.liu_2015 import LinearizationModel
from wordorder_lab.systems.zhang_clark_2015_dependency import DependencyModel
from wordorder_lab.widgets.race import RacePage

RECORDINGS = 5
"""Searches that the explorer's page can play: the worst ones."""
BEAMS = (1, 2, 4, 8, 16, 64)
"""Of the sweep."""


def game_pages(
    model: LinearizationModel,
    best_first: DependencyModel,
    watched: Sequence[Watched],
    arguments: Namespace,
) -> list[Page]:
    """A race on a sentence that is found, and the same sentence to be ordered by hand."""
    shown = easy_one(watched)
    sentence = shown.sentence
    bag = bag_of(sentence, seed=arguments.seed)
    wide = f"beam {arguments.beam}"
    run = race(
        {"beam 1": model, wide: model, "best-first": best_first},
        bag,
        gold=sentence,
        search=[{"beam": 1}, {"beam": arguments.beam}, {"expansions": LIMIT}],
        engine=arguments.engine,
        timed=False,  # a page is the same from run to run, and milliseconds are not
        title=texts()["race"]["title"],
    )
    by_hand = with_gold(model, shown.wide.log, bag, sentence, arguments.seed)
    searches = f"beam 1, {wide}, best-first with at most {LIMIT} expansions"
    log, other = shown.greedy.log, shown.wide.log
    return [
        page("race", {}, log=log, other=other, settings=searches, race=run, curves=_rising(run)),
        page("you-are-the-decoder", {}, log=by_hand, settings=wide),
    ]


def _rising(run: RacePage) -> tuple[tuple[float, ...], ...]:
    """The BLEU of each racer's outputs, as they came."""
    return tuple(tuple(float(row.bleu or 0) for row in one.rows) for one in run.racers)


def sweep_page(model: LinearizationModel, watched: Sequence[Watched], arguments: Namespace) -> Page:
    """One sentence searched with each of ``BEAMS``, and what these do to all that were watched: one
    that a wide beam mends, and so a beam in between."""
    mended = [one for one in watched if one.is_right("wide") and not one.is_right("greedy")]
    sentence = max(mended or watched, key=lambda one: len(one.sentence)).sentence
    options = {"seed": arguments.seed, "engine": arguments.engine}
    every = [one.sentence for one in watched]
    title = texts()["sweep"]["title"]
    run = sweep(model, sentence, beam=BEAMS, dev=every, title=title, **options)
    beams = " ".join(map(str, BEAMS))
    log, settings = run.runs[0].told, f"beams {beams}; BLEU over {len(every)} sentences"
    curve = tuple(float(one.dev or 0) for one in run.runs)
    return page("sweep", {}, log=log, at=len(log), settings=settings, sweep=run, curves=(curve,))


def explorer_page(
    model: LinearizationModel, watched: Sequence[Watched], arguments: Namespace
) -> Page:
    """All sentences that were watched, a row each; the picture is the worst that a cut has lost."""
    sentences = [each.sentence for each in watched]
    options = {"seed": arguments.seed, "engine": arguments.engine, "beam": arguments.beam}
    count = f"{len(sentences)} sentences"
    done = exploration(model, sentences, title=texts()["explorer"]["title"], **options)
    cut = done.frame["fate"] == CUT
    worst = done.table.worst(len(sentences))
    shown = next((place for place in worst if cut.iloc[place]), worst[0])
    log, moment = explored(model, sentences, **options).recorded(shown)
    # A page is the same from run to run, and milliseconds are not.
    columns = [column for column in done.table.columns if column.name != "ms"]
    table = replace(done.table, frame=done.frame.drop(columns="ms"), columns=columns)
    right, played = int(done.frame["exact"].sum()), min(RECORDINGS, len(sentences))
    return page(
        "explorer",
        {"right": right, "count": count, "played": played},
        log=log,
        at=moment,
        table=table,
        curves=(tuple(done.frame["bleu"]),),
        settings=f"beam {arguments.beam}",
    )
