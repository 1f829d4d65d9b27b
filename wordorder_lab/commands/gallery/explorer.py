"""What the gallery shows of many searches at once: a table to sort, to brush and to open."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from dataclasses import replace

from wordorder_lab.analysis.gold_survival import CUT
from wordorder_lab.commands.gallery.pages import BEAM, Page, Watched
from wordorder_lab.exploring.explore import exploration
from wordorder_lab.exploring.rows import explored
from wordorder_lab.systems.liu_2015 import LinearizationModel

RECORDINGS = 5
"""Searches that the page can play: the worst ones."""


def explorer_page(
    model: LinearizationModel, watched: Sequence[Watched], arguments: Namespace
) -> Page:
    """All sentences that were watched, a row each; the picture is the worst that a cut has lost."""
    sentences = [each.sentence for each in watched]
    how = {"seed": arguments.seed, "engine": arguments.engine, "beam": arguments.beam}
    count = f"{len(sentences)} sentences"
    done = exploration(model, sentences, title=f"{count}, {model.system}", **how)
    cut = done.frame["fate"] == CUT
    worst = done.table.worst(len(sentences))
    shown = next((place for place in worst if cut.iloc[place]), worst[0])
    log, moment = explored(model, sentences, **how).recorded(shown)
    # A page is the same from run to run, and milliseconds are not.
    columns = [column for column in done.table.columns if column.name != "ms"]
    table = replace(done.table, frame=done.frame.drop(columns="ms"), columns=columns)
    right = int(done.frame["exact"].sum())
    return Page(
        "explorer.html",
        BEAM,
        "Which sentences does a system get wrong, and when?",
        f"{right} of {count} come out right. Brush a histogram, sort by BLEU, press a row: it "
        f"tells what is wrong, and the {min(RECORDINGS, len(sentences))} worst, now on top, "
        "are played from the moment when gold was lost.",
        10,
        "lattice",
        log,
        at=moment,
        table=table,
        how=f"beam {arguments.beam}",
    )
