"""``wl.explore(models, sentences)``: a table of sentences to sort, to brush, and to look into."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from wordorder_lab.analysis.gold_score import FAULTS
from wordorder_lab.analysis.gold_survival import CUT, LIMIT, OUTSCORED, WON
from wordorder_lab.exploring.errors import COMPRESSION_KINDS, ORDERING_KINDS
from wordorder_lab.exploring.rows import Explored, explored, frame_of, rows_of
from wordorder_lab.structures.arguments import checks_arguments
from wordorder_lab.systems.model import TrainedModel
from wordorder_lab.systems.names import COMPRESSORS
from wordorder_lab.widgets.explorer import Column, ExplorerPage, Table
from wordorder_lab.widgets.page import contents

if TYPE_CHECKING:
    import pandas

SUFFIXES = ("_a", "_b")
FATES = (WON, CUT, OUTSCORED, LIMIT, "unknown")
LETTERS = ("A", "B")
MOST_MODELS = 2
PAGE_EVENTS = 60_000
"""Events of a recording that a page holds; a search that is longer is cut there, with a mark."""


@checks_arguments
def explore(
    models: TrainedModel | Sequence[TrainedModel],
    sentences: Sequence[Any],
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
) -> Any:
    """A model, or two beside each other, on sentences with gold: one row a sentence.

    The table is sorted and filtered by numbers and words, histograms above it are brushed, and a
    row shows the output against its reference and opens the player at the moment when gold was
    lost. In Jupyter this is a live widget: ``explorer.frame`` has all rows (``exploring/rows``),
    ``explorer.selected`` those that are selected, and ``explorer.filter`` says by what, to read and
    to set. ``explorer.save("hard.txt")`` writes the selection as bags (``.conllu``: as CoNLL-U,
    ``.csv``: the rows), ``explorer.to_html("page.html")`` a page, with as many sentences to play as
    ``recordings`` says, from 0, the worst ones.

    ``models`` is one or a list of two, which ``names`` tells apart. Compression models are explored
    on pairs. ``pos`` and ``deps`` are shares from 0 to 1 of the tags and heads that bags are given,
    ``seed``, a whole number, shuffles them. What is not given is as it was in training; ``search``
    are settings of the searches; so many processes as ``jobs`` says, from 1, share the sentences.

    Raises ``ValueError`` for no sentences, more than two models, models that do not do the same,
    and as ``model.search_settings``.
    """
    done = exploration(
        models,
        sentences,
        names=names,
        pos=pos,
        deps=deps,
        seed=seed,
        engine=engine,
        jobs=jobs,
        title=title,
        **search,
    )
    try:
        from wordorder_lab.widgets.live import Explorer
    except ImportError:
        return ExplorerPage(done.table, recordings)
    return Explorer(done.table, recordings)


class Exploration(NamedTuple):
    """What came of it: all rows, and the table that an explorer is made of."""

    frame: pandas.DataFrame
    table: Table

    def summary(self) -> dict[str, Any]:
        """For each model how many sentences have which kind of error."""
        ends = [""] if len(self.table.names) == 1 else SUFFIXES
        errors = {}
        for name, end in zip(self.table.names, ends, strict=True):
            counts = self.frame[f"error{end}"].value_counts()
            errors[name] = {str(kind): int(count) for kind, count in counts.items()}
        return {"errors": errors}


@checks_arguments
def exploration(
    models: TrainedModel | Sequence[TrainedModel],
    sentences: Sequence[Any],
    *,
    names: Sequence[str] | None = None,
    pos: float | None = None,
    deps: float | None = None,
    seed: int | None = None,
    jobs: int = 1,
    title: str | None = None,
    **how: Any,
) -> Exploration:
    """The rows of ``explore``, without a widget; raises as it does."""
    given: list[Any] = [*models] if isinstance(models, list | tuple) else [models]
    if not 1 <= len(given) <= MOST_MODELS:
        raise ValueError(f"explore takes one model or two, not {len(given)}")
    names = [*names] if names is not None else _names(given)
    if len(set(names)) != len(given):
        raise ValueError(f"{len(given)} models have as many different names, not {names}")
    first = explored(given[0], sentences, pos=pos, deps=deps, seed=seed, **how)
    both = [first]
    for model in given[1:]:  # the same bags, whatever the second was trained with
        if (model.system in COMPRESSORS) != first.shortens:
            raise ValueError("one model orders words and the other makes sentences shorter")
        both.append(explored(model, sentences, **{**how, **first.condition}))
    frame = frame_of([rows_of(one, jobs) for one in both], first.shortens)
    return Exploration(frame, table_of(both, frame, names, title))


def table_of(
    both: Sequence[Explored], frame: pandas.DataFrame, names: Sequence[str], title: str | None
) -> Table:
    """What the widget is given: the frame, what its columns are, and how a search is recorded."""
    one = both[0]

    def record(place: int, which: int) -> dict[str, Any]:
        log, moment = both[which].recorded(place)
        shown = min(moment, PAGE_EVENTS, len(log))
        data = contents(log, max_events=PAGE_EVENTS, at=shown)
        number = frame["number"].iloc[place]
        return {**data, "title": f"Sentence {number}: {frame['reference'].iloc[place]}"}

    count = f"{len(frame):,} {'sentence' if len(frame) == 1 else 'sentences'}"
    return Table(
        frame,
        columns_of(
            len(both), one.shortens, bool(frame.filter(regex="^lost").notna().any(axis=None))
        ),
        list(names),
        title or f"{count}, {' and '.join(names)}",
        record,
        plays=all(each.model.HAS_STEPS for each in both),
    )


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
        pairs = (_of_model(suffix, shortens, knows_gold, True) for suffix in SUFFIXES)
        columns += [column for pair in zip(*pairs, strict=True) for column in pair]
    else:
        columns += _of_model("", shortens, knows_gold, False)
    text = ["source", "reference"] if shortens else ["reference"]
    return [*columns, *(Column(name, name, "text", shown=name == text[0]) for name in text)]


def _of_model(suffix: str, shortens: bool, knows_gold: bool, two: bool) -> list[Column]:
    mark = f" {LETTERS[SUFFIXES.index(suffix)]}" if suffix else ""

    def column(name: str, label: str, kind: str, says: str = "", **more: Any) -> Column:
        return Column(f"{name}{suffix}", f"{label}{mark}", kind, says, **more)

    measure = (
        column("relation_f1", "rel. F1", "number", "relation F1, 0 to 1", histogram=True)
        if shortens
        else column("bleu", "BLEU", "number", "sentence BLEU, cased, 0 to 100", histogram=True)
    )
    kinds = COMPRESSION_KINDS if shortens else ORDERING_KINDS
    once = not two
    gold = [
        column("lost", "lost at", "whole", "step, or pop, at which gold was lost", histogram=True),
        column("fate", "gold was", "choice", "what became of gold", shown=once, values=FATES),
    ]
    whose = "whose fault: gold scores more (search), less (model), the same (tie)"
    rate = [column("rate", "rate", "number", "words out by words in")]
    return [
        measure,
        *(rate if shortens else gold if knows_gold else []),
        column("error", "error", "choice", "the first kind that applies", histogram=True,
               values=kinds),
        column("fault", "fault", "choice", whose, shown=once, values=FAULTS),
        column("exact", "exact", "flag", "every word in its place", shown=once),
        column("score", "score", "number", "the model's score of the output", shown=once),
        column("gold_score", "gold score", "number", "the model's score of gold", shown=once),
        column("ended", "search", "choice", "how the search ended", shown=once),
        column("ms", "ms", "number", "milliseconds of the search"),
        column("output", "output", "text", shown=False),
        column("where", "where", "text", shown=False),
    ]  # fmt: skip


def _names(models: Sequence[Any]) -> list[str]:
    systems = [model.system for model in models]
    if len(set(systems)) == len(systems):
        return systems
    return [f"{letter}: {system}" for letter, system in zip(LETTERS, systems)]
