"""The measures "epochs", "training" and "best-epoch": what is known after every epoch.

"epochs" has a row after every epoch, with its scores; "training" its seconds alone. Guided learning
is shown run by run: what each way of learning reaches, and what it costs. Where both ways of
scoring and both treatments of negative examples were run, they stand in a table of two by two, as
in Zhang & Clark (2015), Table 4.

In "best-epoch" the dev split chooses the epoch, and its model orders the test split (Zhang & Clark
2015, section 5.1). A run has a row after every epoch, on dev; one for each length of sentence, and
one for all, on its own split. The paper also says why CCG falls behind, that fewer bags get one
derivation over all words; the rows by length say where.

Differences
- *Paper silent*, section 5.1: how the epoch is chosen within a curve. Here it is the first one with
  the highest BLEU.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

from wordorder_lab.experiments.measures import figures, measure, tables
from wordorder_lab.experiments.measures.conditions import comparisons
from wordorder_lab.experiments.measures.figures import AXES, COLOURS, plain
from wordorder_lab.experiments.measures.tables import Column, Record, Row, Rows, columns, run_name
from wordorder_lab.experiments.runs.corpora import corpus_of
from wordorder_lab.experiments.runs.ordering_evaluate import (
    Evaluation,
    random_order,
    score,
    scores_of,
)
from wordorder_lab.experiments.runs.schema import SpecificationError
from wordorder_lab.experiments.runs.settings import DEV, FLOOR
from wordorder_lab.experiments.runs.training import train_run
from wordorder_lab.metrics.ordering import by_length, share_of
from wordorder_lab.metrics.significance import BLEU, SENTENCE_SCORES
from wordorder_lab.systems.model import OrderingModel
from wordorder_lab.systems.training_run import Moment


class Epochs(measure.Measure):
    """A row after every epoch; unless BLEU is counted, its seconds are what matters."""

    def rows_of(
        self, run: Record, sentences: measure.Sentences, held_out: measure.Sentences
    ) -> list[Row]:
        """The clock of the training stands still while a model is scored."""
        rows: list[Row] = []

        def after(numbers: Row, moment: Moment[OrderingModel]) -> None:
            scored = self.bootstrapped is not None
            scores = scores_of(score(moment(), held_out, run)) if scored else {}
            rows.append(
                {**measure.without_epochs(run), "epoch": numbers["epoch"], **scores, **numbers}
            )

        train_run(run, sentences, after)
        return rows

    def meant(self, rows: Rows, places: Sequence[int], wanted: Record) -> list[int]:
        """Of each run its last epoch, unless the claim says which."""
        if "epoch" in wanted:
            return list(places)
        after = [row["epoch"] for row in rows[1:]] + [0]  # the next run begins with its first
        return [i for i in places if after[i] <= rows[i]["epoch"]]

    def wanted(self, specification: measure.Specification) -> Iterator[Record]:
        """Each run after each of its epochs."""
        for run in specification.runs:
            last = run.get("epochs")
            epochs = [None] if last is None else range(1, last + 1)
            yield from ({**run, "epoch": epoch} for epoch in epochs)


# --- ways of guided learning as text --------------------------------------------------------------

NAMES = tuple("system update negatives chart max_length beam pos units templates".split())
WAYS = {"discard": "not expanded", "expand": "expanded"}, ("large-margin", "scaled")
"""The negative examples and ways of scoring of the table of two by two."""
LEARNING = (
    Column("", "name"),
    *columns(".2f", ("best", "best_bleu")),
    *columns("", ("epoch", "best_epoch")),
    *columns(".2f", ("last", "bleu_cased")),
    *columns(".3f", "brevity"),
    *columns(".1%", "timeouts"),
    *columns(".1f", ("ms", "ms_per_sentence"), ("s, first", "first_seconds")),
    *columns(".1f", ("s, last", "epoch_seconds")),
    *columns(",", ("agenda", "updates_agenda"), ("chart", "updates_chart")),
    *columns(".1%", "finished"),
)
"""BLEU and its epoch; of the last epoch milliseconds a sentence, seconds of training (beside those
of the first), updates by reason, and the share of training sentences that found the gold goal."""


def _epoch_lines(record: Record) -> list[str]:
    rows = record["rows"]
    guided = any("negatives" in row for row in rows)
    if guided and len({row["epoch"] for row in rows if "epoch" in row}) > 1:
        return learning_lines(rows)
    return [tables.rows_text(rows)]


def learning_lines(rows: Rows) -> list[str]:
    """A line a run: its best epoch and its last one; and the table of two by two. Where nothing was
    scored, a line an epoch: the seconds of each run."""
    name = tables.differing_name(rows, NAMES)
    if not all("bleu_cased" in row for row in rows):
        every = sorted(rows, key=lambda row: row["epoch"])
        seconds = [(f"epoch {r['epoch']}", name(r), f"{r['epoch_seconds']:.1f}") for r in every]
        return tables.across("seconds", seconds)
    runs = tables.by_name(rows, name)
    lines = []
    for called, mine in runs.items():
        best, last = best_epoch(mine), mine[-1]
        learned = sum(last.get(f"sentences_{end}", 0) for end in ("finished", "limit", "stopped"))
        more = {
            "name": called,
            "best_bleu": best["bleu_cased"],
            "best_epoch": best["epoch"],
            "first_seconds": mine[0].get("epoch_seconds"),
            "finished": last["sentences_finished"] / learned if learned else None,
        }
        lines.append({**last, **more})
    return [*tables.lines(LEARNING, lines), *_two_by_two(list(runs.values()))]


def best_epoch(rows: Rows) -> Record:
    """The first of the rows with the highest BLEU."""
    return max(rows, key=lambda row: row["bleu_cased"])


def _two_by_two(runs: Sequence[Rows]) -> list[str]:
    """Nothing where a way is missing, or comes twice: what else differs would be mixed up here."""
    ways = [(rows[0].get("update"), rows[0].get("negatives")) for rows in runs]
    four = list(itertools.product(WAYS[1], WAYS[0]))
    if any(ways.count(way) != 1 for way in four):
        return []
    best = {way: f"{best_epoch(rows)['bleu_cased']:.2f}" for way, rows in zip(ways, runs)}
    cells = [(update, WAYS[0][negatives], best[update, negatives]) for update, negatives in four]
    return ["", *tables.across("BLEU, cased, best epoch; negatives", cells)]


# --- the epoch that is best on dev ----------------------------------------------------------------

LENGTHS = ((1, 10), (11, 20), (21, 30))
"""Words of the reference; the last bin grows to the longest sentence."""
ALL = "all"
FROM_TRAINING = ("training_seconds", "epoch_seconds")


class _BestEpoch(measure.Measure):
    """A row after every epoch on dev, and those of the best one on the split of the run."""

    has_papers: ClassVar[bool] = True

    def check_run(self, run: Record, specification: measure.Specification) -> None:
        """Dev chooses and does not score; and each system, which tables call by its name (and a
        supertagger's β), comes but once."""
        if run["split"] == DEV:
            raise SpecificationError(
                f"{self.name} chooses epochs on {DEV}: score on another split, such as test"
            )
        if list(map(run_name, specification.runs)).count(run_name(run)) > 1:
            raise SpecificationError(f"{self.name} compares systems: {run_name(run)} comes twice")

    def rows(self, setup: measure.Setup) -> list[Row]:
        run, cut = setup.run, setup.cut
        corpus = corpus_of(run["corpus"], run["units"])
        held_out = cut(corpus.split(run["split"]))
        if run["system"] == FLOOR:
            shown = {name: run[name] for name in ("system", "corpus", "split", "units")}
            return [{**shown, **_of_all(random_order(held_out, seed=run.get("seed", 1)))}]
        model, rows = _choose(run, cut(corpus.train), cut(corpus.split(DEV)))
        best = best_epoch(rows)
        done = score(model, held_out, run)
        own = {**run, "epoch": best["epoch"], "dev_bleu_cased": best["bleu_cased"]}
        own["trained_sentences"] = model.settings["sentences"]
        last = {**own, **_of_all(done), **{name: best[name] for name in FROM_TRAINING}}
        return [*rows, *({**own, **row} for row in _by_length(done)), last]

    def finish(self, record: Row) -> None:
        super().finish(record)
        last = [row for row in _final_rows(record) if row["system"] != FLOOR]
        groups = [({"system": run_name(row)}, row[SENTENCE_SCORES][BLEU]) for row in last]
        record["comparisons"] = list(comparisons(groups))

    def wanted(self, specification: measure.Specification) -> Iterator[Record]:
        for run in specification.runs:
            yield {**run, "epoch": None}
            last = run.get("epochs")
            epochs = range(1, last + 1) if last and run["system"] != FLOOR else ()
            yield from ({**run, "split": DEV, "epoch": epoch} for epoch in epochs)


def _choose(
    run: Record, sentences: measure.Sentences, dev: measure.Sentences
) -> tuple[OrderingModel, list[Row]]:
    """Train on ``sentences``: the model of the epoch that is best on ``dev``, the rows of all."""
    rows: list[Row] = []
    kept: list[OrderingModel] = []

    def after(numbers: Row, moment: Moment[OrderingModel]) -> None:
        model = moment()
        scores = scores_of(score(model, dev, run))
        rows.append({**run, "split": DEV, "length": ALL, **scores, **numbers})
        if best_epoch(rows) is rows[-1]:
            kept[:] = [model]

    train_run(run, sentences, after)
    return kept[0], rows


def _of_all(done: Evaluation) -> Row:
    spanning = done.scores.spanning
    found = {} if spanning is None else measure.rounded({"spanning": spanning})
    return {"length": ALL, **scores_of(done, interval=True), **found}


def _by_length(done: Evaluation) -> list[Row]:
    lengths = [len(reference.split()) for reference in done.references]
    rows: list[Row] = []
    for one in by_length(done.outputs, done.references, LENGTHS):
        if one.bleu_cased is None or one.brevity is None:
            continue  # no sentence is so long
        inside = [w for w, n in zip(done.whole, lengths, strict=True) if one.low <= n <= one.high]
        scores = {"bleu_cased": one.bleu_cased, "brevity": one.brevity}
        scores["spanning"] = share_of(inside, one.sentences)
        counted = {"length": f"{one.low}-{one.high}", "sentences": one.sentences}
        rows.append({**counted, **measure.rounded(scores)})
    return rows


SCORES = (
    Column("", run_name),
    *columns("", ("epoch", "best_epoch")),
    *columns(".2f±", ("BLEU, cased", "bleu_cased")),
    *columns(".2f", ("13a lc", "bleu_13a_lc")),
    *columns("", "the_paper"),
    *columns(".1%", ("exact", "exact_match")),
    *columns(".3f", ("words out/in", "brevity")),
    *columns(".1%", ("whole", "spanning"), "at_limit", "stuck"),
    *columns(".1%", ("categories", "category_precision")),
    *columns(".1f", ("ms", "ms_per_sentence")),
)
LEGEND = (
    "± is half the 95 % interval over the choice of sentences; epoch: the best on dev, of all",
    "13a lc: BLEU re-tokenised and lower-cased; exact: word for word; words out/in: length ratio",
    "whole: bags for which one derivation or tree over all words was found; where none was, the",
    "search was at its limit of expansions, or stuck: nothing was left on its agenda",
    "categories: precision of the lexical categories (CCG); ms: milliseconds a sentence",
)
P_VALUES = "paired bootstrap over the sentences, one-sided: at 5 %, p is below 0.025"
OF_LENGTHS = (
    *columns(".1%", ("found as a whole", "spanning")),
    *columns(".3f", ("words out/in", "brevity")),
    *columns(".1f", ("BLEU, cased", "bleu_cased")),
)


def _final_rows(record: Record) -> list[Record]:
    return [row for row in record["rows"] if row["split"] != DEV and row["length"] == ALL]


def _rows_by_length(record: Record) -> list[Record]:
    return [row for row in record["rows"] if row["split"] != DEV and row["length"] != ALL]


def _length_name(row: Record) -> str:
    return f"{row['length'].replace('-', ' to ')} words ({row['sentences']} sentences)"


def _paper_bleu(record: Record, row: Record) -> float | None:
    """What the paper has for a run of this name, on its own data; ``None`` for nothing."""
    known = [one for one in tables.papers(record) if "system" in one and "bleu" in one]
    return {run_name(one): one["bleu"] for one in reversed(known)}.get(run_name(row))


def _best_epoch_lines(record: Record) -> list[str]:
    """A line a system; then how many bags were ordered as a whole by length, and what is sure."""
    rows = _final_rows(record)
    sizes = sorted({row["trained_sentences"] for row in rows if "epoch" in row})
    learned = " to ".join(f"{size:,}" for size in sizes[:: max(1, len(sizes) - 1)])
    where = {f"{row['corpus']}, {row['units']}, {row['split']}" for row in rows}
    return [
        f"{rows[0]['sentences']} sentences of {'; '.join(sorted(where))}; learned: {learned}",
        *tables.lines(SCORES, [{**row, **_more(record, row)} for row in rows]),
        "",
        *LEGEND,
        *(f"{name}: {text}" for name, text in record["signatures"].items()),
        "",
        tables.papers_data(record),
        f"condition: {record['paper'].get('condition', 'not said')}",
        "",
        *_length_lines(_rows_by_length(record)),
        *_comparisons(record["comparisons"]),
    ]


def _more(record: Record, row: Record) -> Row:
    found: Row = {"the_paper": _paper_bleu(record, row)}
    limit = row["timeouts"]
    if "epoch" in row:
        found["best_epoch"] = f"{row['epoch']} of {row.get('epochs', row['epoch'])}"
    if "spanning" in row:
        found |= {"at_limit": limit, "stuck": row.get("no_goal", limit) - limit}
    return found


def _length_lines(rows: Rows) -> Iterator[str]:
    names = {row["length"]: _length_name(row) for row in reversed(rows)}
    for one in OF_LENGTHS:
        cells = [(run_name(row), names[row["length"]], one.cell(row)) for row in rows]
        yield from (*tables.across(one.title, cells), "")


def _comparisons(found: Rows) -> list[str]:
    cells = []
    for one in found:
        pair = f"{one['system']['system']} against {one['baseline']['system']}"
        cells.append([pair, f"{one['difference']:+.2f}", f"p = {one['p_value']:.4f}"])
    return [P_VALUES, *tables.aligned(cells)] if cells else []


SHADES = ("#9ecae1", "#4292c6", "#08519c")
PAPER = "the paper, on its own data"
ROOM = 0.8
"""Of the place of a system, so much is for its bars."""


def _best_epoch_figure(figure: figures.Figure, record: Record, options: Record) -> None:
    """To the left BLEU with its interval; beside it, the share of bags that a search found one
    derivation or tree for, a bar for each length; to the right, BLEU on dev by epoch. The first
    system is on top."""
    rows = _final_rows(record)
    figure.set_size_inches(14.4, max(3.6, 1.6 + 0.62 * len(rows)))
    left, right, epochs = figure.subplots(1, 3, width_ratios=(5, 4, 4))
    right.sharey(left)
    right.tick_params(labelleft=False)
    places = {run_name(row): -i for i, row in enumerate(rows)}
    _scores(left, record, rows, options.get("paper", PAPER))
    _wholes(right, _rows_by_length(record), places)
    _curves(epochs, [row for row in record["rows"] if row["split"] == DEV])
    names = [run_name(r) + (f"\nepoch {r['epoch']}" if "epoch" in r else "") for r in rows]
    left.set_yticks(list(places.values()), names, fontsize=9)
    plain(left, right, epochs, grid="x")
    figures.legend_below(figure, (left, right), 2, frameon=False)


def _curves(axes: figures.Axes, rows: Rows) -> None:
    runs = tables.by_name(rows, run_name)
    for (name, mine), colour in zip(runs.items(), itertools.cycle(COLOURS)):
        points = [row["epoch"] for row in mine], [row["bleu_cased"] for row in mine]
        axes.plot(*points, "-", marker=".", color=colour, lw=1.5, label=name)
        best = best_epoch(mine)
        ring: Row = {"marker": "o", "ms": 8, "mfc": "none", "color": colour}
        axes.plot(best["epoch"], best["bleu_cased"], **ring)
    figures.whole_ticks(axes)
    axes.set(xlabel="epoch", ylabel=f"{AXES['bleu_cased']}, on dev")
    axes.legend(frameon=False, fontsize=7)


def _scores(axes: figures.Axes, record: Record, rows: Rows, paper: str) -> None:
    heights = [row["bleu_cased"] for row in rows]
    places = [-place for place in range(len(rows))]
    axes.barh(places, heights, height=0.6, color=COLOURS[0])
    ends = figures.interval_bars(rows, "bleu_cased")
    axes.errorbar(heights, places, xerr=ends, fmt="none", ecolor=figures.DARK, lw=1.2, capsize=3)
    known = [(_paper_bleu(record, row), place) for row, place in zip(rows, places)]
    theirs = [(bleu, place) for bleu, place in known if bleu is not None]
    if theirs:
        axes.plot(*zip(*theirs), "D", ms=6, mfc="white", mec=COLOURS[1], mew=1.6, label=paper)
    highs = [row["bleu_cased_interval"][1] for row in rows]
    most = max(*highs, *(bleu for bleu, _ in theirs), 1)
    for place, height, high in zip(places, heights, highs):
        inside = height > most / 8  # else beside the bar
        style: Row = {"color": "white", "weight": "bold"} if inside else {}
        x = 0.02 * most if inside else high + 0.02 * most
        axes.text(x, place, f"{height:.1f}", va="center", fontsize=9, **style)
    axes.set(xlim=(0, 1.06 * most), xlabel=f"{AXES['bleu_cased']}, with its 95 % interval")


def _wholes(axes: figures.Axes, rows: Rows, places: Mapping[str, int]) -> None:
    bins = tables.by_name(rows, lambda row: str(row["length"]))
    height = ROOM / max(1, len(bins))
    for i, (mine, shade) in enumerate(zip(bins.values(), SHADES)):
        y = [places[run_name(row)] + ROOM / 2 - (i + 0.5) * height for row in mine]
        shares = [100 * row["spanning"] for row in mine]
        axes.barh(y, shares, height=0.9 * height, color=shade, label=_length_name(mine[0]))
        for place, share in zip(y, shares):
            axes.text(share + 1, place, f"{share:.0f}", va="center", fontsize=7)
    axes.set(xlim=(0, 112), xticks=range(0, 101, 20), xlabel="bags ordered as a whole, %")
    searched = set(map(run_name, rows))
    for system, place in places.items():
        if system not in searched:
            axes.text(2, place, "no search", va="center", fontsize=8, style="italic")


MEASURES = (
    Epochs("epochs", report=_epoch_lines, bootstrapped=(), by_folds=True),
    Epochs("training", by_the_clock=True, report=_epoch_lines),
    _BestEpoch(
        "best-epoch",
        report=_best_epoch_lines,
        pictures={"best-epoch": _best_epoch_figure},
        usual={"split": ("train", "test"), "length": (ALL, None)},
        bootstrapped=("bleu_cased_interval", "comparisons"),
    ),
)
