"""``wl.explore(models, sentences)``: a table of sentences to sort, to brush, and to look into.

``wl.errors`` are its rows without the table: whose fault is a wrong output, the search's or the
model's?
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from wordorder_lab.analysis.gold_score import FAULTS
from wordorder_lab.analysis.gold_survival import CUT, LIMIT, OUTSCORED, WON
from wordorder_lab.exploring.errors import COMPRESSION_KINDS, ORDERING_KINDS
from wordorder_lab.exploring.rows import Explored, Items, endings, explored, frame_of, rows_of
from wordorder_lab.metrics.significance import means_of
from wordorder_lab.structures.arguments import checks_arguments
from wordorder_lab.structures.messages import cited
from wordorder_lab.systems.model import TrainedModel
from wordorder_lab.systems.registry import names_of, task_of
from wordorder_lab.widgets.explorer import Column, ExplorerPage, Table
from wordorder_lab.widgets.page import PlayerData, contents

if TYPE_CHECKING:
    import pandas

    from wordorder_lab.widgets.live import Explorer

FATES = (WON, CUT, OUTSCORED, LIMIT, "unknown")
LETTERS = ("A", "B")
IN_SIGHT = {1: ("fault",), 2: ("lost", "rate", "error")}
"""The first columns that follow the sentence, by how many models there are: those before it, and
it, are seen without scrolling."""
MOST_MODELS = 2
PAGE_EVENTS = 60_000
"""Events of a recording that a page holds; a search that is longer is cut there, with a mark."""


@checks_arguments
def explore(  # noqa: PLR0913  (each is a choice by name)
    models: TrainedModel | Sequence[TrainedModel] | Mapping[str, TrainedModel],
    sentences: Items,
    *,
    names: Sequence[str] | None = None,
    pos: float | None = None,
    deps: float | None = None,
    seed: int | None = None,
    engine: str | None = None,
    jobs: int = 1,
    recordings: int = 0,
    title: str | None = None,
    **search: Any,
) -> Explorer | ExplorerPage:
    """A model, or two beside each other, on sentences with gold: one row a sentence.

    The table is sorted and filtered by numbers and words, histograms above it are brushed, and a
    row shows the output against its reference and opens the player at the moment when gold was
    lost. In Jupyter this is a live widget: ``explorer.frame`` has all rows (``exploring/rows``),
    ``explorer.selected`` those that are selected, and ``explorer.filter`` says by what, to read and
    to set. ``explorer.save("hard.txt")`` writes the selection as bags (``.conllu``: as CoNLL-U,
    ``.csv``: the rows), ``explorer.to_html("page.html")`` a page, with as many sentences to play as
    ``recordings`` says, from 0, the worst ones.

    ``models`` is one or a list of two, which ``names`` tells apart, or they are given by name, as
    ``wl.race`` takes them: ``{"small": one, "large": other}``. Compression models are explored
    on pairs. ``pos`` and ``deps`` are shares from 0 to 1 of the tags and heads that bags are given,
    ``seed``, a whole number, shuffles them. What is not given is as it was in training; ``search``
    are settings of the searches; so many processes as ``jobs`` says, from 1, share the sentences.

    Raises ``ValueError`` for no sentences, more than two models, models that do not do the same,
    and as ``model.search_settings``.
    """
    condition = {"pos": pos, "deps": deps, "seed": seed, "engine": engine}
    options: dict[str, Any] = {"names": names, "jobs": jobs, "title": title, **condition, **search}
    done = exploration(models, sentences, **options)
    try:
        from wordorder_lab.widgets.live import Explorer
    except ImportError:
        return ExplorerPage(done.table, recordings)
    return Explorer(done.table, recordings)


class Exploration(NamedTuple):
    """What came of it: all rows, and the table that an explorer is made of."""

    frame: pandas.DataFrame
    table: Table

    def summary(self) -> dict[str, dict[str, dict[str, int]]]:
        """For each model how many sentences have which kind of error."""
        names = self.table.names
        found = zip(names, endings(len(names)), strict=True)
        counts = {name: self.frame[f"error{end}"].value_counts() for name, end in found}
        return {"errors": {n: {str(k): int(v) for k, v in of.items()} for n, of in counts.items()}}


@checks_arguments
def exploration(
    models: TrainedModel | Sequence[TrainedModel] | Mapping[str, TrainedModel],
    sentences: Items,
    *,
    names: Sequence[str] | None = None,
    jobs: int = 1,
    title: str | None = None,
    **options: Any,
) -> Exploration:
    """The rows of ``explore``, without a widget; raises as it does. ``options`` are ``pos``,
    ``deps``, ``seed``, ``engine`` and settings of the search."""
    if isinstance(models, Mapping):
        names, models = names or [*models], [*models.values()]
    given = [models] if isinstance(models, TrainedModel) else [*models]
    if not 1 <= len(given) <= MOST_MODELS:
        raise ValueError(f"explore takes one model or two, not {len(given)}")
    for model in given:
        if task_of(model.system) not in ("order", "compress"):
            raise ValueError(
                f"explored are models that order words or make sentences shorter, and "
                f"{model.system} does neither: wl.evaluate scores it"
            )
    names = [*names] if names is not None else _names(given)
    if len(set(names)) != len(given):
        raise ValueError(f"{len(given)} models have as many different names, not {cited(names)}")
    both = [explored(given[0], sentences, **options)]
    for model in given[1:]:  # the same bags, whatever the second was trained with
        if (model.system in names_of("compress")) != both[0].shortens:
            raise ValueError("one model orders words and the other makes sentences shorter")
        both.append(explored(model, sentences, **{**options, **both[0].condition}))
    frame = frame_of([rows_of(one, jobs) for one in both], both[0].shortens)
    return Exploration(frame, table_of(both, frame, names, title))


@checks_arguments
def errors(model: TrainedModel, sentences: Items, **how: Any) -> pandas.DataFrame:
    """A frame, a row a sentence, as ``wl.explore`` shows it; ``fault`` says whose fault it is.

    Of a wrong output the model's score is compared with that of the gold structure: where gold
    scores more, the search has not found it (*search error*); where it scores less, the model likes
    the wrong one better (*model error*); equal scores are a *tie*. An output that a search has put
    together when it was stopped is a search error. *unknown*: the model cannot build gold at all.

    ``how`` is as for ``wl.explore``: ``pos``, ``deps``, ``seed``, ``engine``, ``jobs``, settings of
    the search. Raises ``ValueError`` as ``wl.explore``.
    """
    return exploration(model, sentences, **how).frame


def table_of(
    both: Sequence[Explored], frame: pandas.DataFrame, names: Sequence[str], title: str | None
) -> Table:
    """What the widget is given: the frame, what its columns are, and how a search is recorded."""
    one = both[0]

    def record(place: int, which: int) -> PlayerData:
        log, moment = both[which].recorded(place)
        shown = min(moment, PAGE_EVENTS, len(log))
        data = contents(log, max_events=PAGE_EVENTS, at=shown)
        data["title"] = f"Sentence {frame['number'].iloc[place]}: {frame['reference'].iloc[place]}"
        return data

    knows_gold = bool(frame.filter(regex="^lost").notna().any(axis=None))
    columns = columns_of(len(both), one.shortens, knows_gold)
    count = f"{len(frame):,} {'sentence' if len(frame) == 1 else 'sentences'}"
    title = title or f"{count}, {' and '.join(names)}"
    plays = all(each.model.HAS_STEPS for each in both)
    return Table(frame, columns, list(names), title, record, means_of, plays)


def columns_of(models: int, shortens: bool, knows_gold: bool) -> list[Column]:
    """The columns that are shown, in their order, and those with a histogram."""
    columns = [
        Column("number", "no.", "whole"),
        Column("words", "words", "whole", "how many words, phrases taken apart", histogram=True),
    ]
    if models == 2:
        what = "relation F1" if shortens else "BLEU"
        says = f"{what} of B less that of A"
        columns.append(Column("difference", "B − A", "number", says, histogram=True))
    pairs = (_of_model(end, shortens, knows_gold) for end in endings(models))
    columns += [column for pair in zip(*pairs, strict=True) for column in pair]
    says = "the reference, and below it what came out: what differs is marked"
    sentence = Column("reference", "reference and output", "text", says)
    ahead = IN_SIGHT[models]
    first = next(i for i, column in enumerate(columns) if column.name.startswith(ahead))
    source = [Column("source", "source", "text", shown=False)] if shortens else []
    return [*columns[:first], sentence, *columns[first:], *source]


def _of_model(end: str, shortens: bool, knows_gold: bool) -> list[Column]:
    once = not end  # of two models less is shown
    columns = [Column("bleu", "BLEU", "number", "sentence BLEU, cased, 0 to 100", True)]
    if shortens:
        columns = [
            Column("relation_f1", "rel. F1", "number", "relation F1, 0 to 1", True),
            Column("rate", "rate", "number", "words out by words in"),
        ]
    elif knows_gold:
        lost = "step, or pop, at which gold was lost"
        columns.append(Column("lost", "lost at", "whole", lost, True))
    gold = Column("fate", "gold was", "choice", "what became of gold", shown=once, values=FATES)
    fates = [gold] if knows_gold and not shortens else []
    kinds = COMPRESSION_KINDS if shortens else ORDERING_KINDS
    whose = "whose fault: gold scores more (search), less (model), the same (tie)"
    columns += [
        Column("error", "error", "choice", "the first kind that applies", True, values=kinds),
        Column("fault", "fault", "choice", whose, shown=once, values=FAULTS),
        *fates,
        Column("exact", "exact", "flag", "every word in its place", shown=once),
        Column("score", "score", "number", "the model's score of the output", shown=once),
        Column("gold_score", "gold score", "number", "the model's score of gold", shown=once),
        Column("ended", "search", "choice", "how the search ended", shown=once),
        Column("ms", "ms", "number", "milliseconds of the search"),
        Column("output", "output", "text", shown=False),
        Column("where", "where", "text", shown=False),
    ]
    mark = end.replace("_", " ").upper()
    return [replace(one, name=one.name + end, label=one.label + mark) for one in columns]


def _names(models: Sequence[TrainedModel]) -> list[str]:
    systems = [model.system for model in models]
    if len(set(systems)) == len(systems):
        return systems
    return [f"{letter}: {system}" for letter, system in zip(LETTERS, systems)]
