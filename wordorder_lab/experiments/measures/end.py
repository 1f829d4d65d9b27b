"""The measures "end" and "cumulative": what a trained model comes to on one split.

"end" is a row for each run, when its training is done. Where runs differ in what their searches may
take, of both kinds, the rows say what a longer search is worth: scores by the limit of the search,
as text and as a picture.

"cumulative" has scores of the sentences of up to 5, 10, 20, 40, 80 words, and of all: Zhang & Clark
(2011), Table 4. Each row holds the shorter ones too, so that the last two are nearly the same; and
a length is that of the reference in words, base NPs counted by theirs.

Differences
- *Paper silent*, Table 4 of 2011: whether a base NP that is kept whole counts as one. Here its
  words count.
"""

from __future__ import annotations

from collections.abc import Sequence

from wordorder_lab.experiments.measures import figures, tables
from wordorder_lab.experiments.measures.figures import AXES, COLOURS, plain
from wordorder_lab.experiments.measures.measure import OfTrained
from wordorder_lab.experiments.measures.tables import Column, Record, Row, Rows, columns
from wordorder_lab.experiments.runs.ordering_evaluate import DIGITS, Evaluation, score, scores_of
from wordorder_lab.experiments.runs.outputs import OUTPUTS, packed_lines
from wordorder_lab.metrics.bleu import bleu_of_counts
from wordorder_lab.metrics.ordering import brevity
from wordorder_lab.metrics.significance import SENTENCE_SCORES, of_counts

# --- scores by the limit of the search ------------------------------------------------------------

KINDS = {
    "decode_expansions": "expansions a sentence may take",
    "decode_seconds": "seconds a sentence may take",
}
SERIES = ("system", "categories", "update", "negatives", "chart", "pos", "deps")
SCORES = (
    *columns(".2f±", ("BLEU, cased", "bleu_cased")),
    *columns(".3f", "brevity"),
    *columns(".1%", ("time-outs", "timeouts"), "no_goal", ("categories", "category_precision")),
    *columns(",.0f", ("edges", "edges_per_sentence")),
    *columns(".1f", ("ms", "ms_per_sentence")),
)


def _end_lines(record: Record) -> list[str]:
    """The rows; where they differ in what their searches may take, of both kinds, a table for each
    model and kind of limit, a line a limit; ± is 95 % over the sentences."""
    rows = record["rows"]
    if not all(any(name in row for row in rows) for name in KINDS):
        return [tables.rows_text(rows)]
    lines = []
    for kind, title in KINDS.items():
        for name, mine in _series(rows, kind).items():
            lines += [f"{title}: {name}", *tables.lines([Column("", kind, ","), *SCORES], mine), ""]
    return [*lines, "± is half the 95 % interval over the choice of sentences"]


def _series(rows: Rows, kind: str) -> dict[str, list[Record]]:
    name = tables.differing_name(rows, SERIES)
    return tables.by_name([row for row in rows if kind in row], name)


def _limits(figure: figures.Figure, record: Record, _options: Record) -> None:
    """Above, BLEU by the limit, a panel for each kind and a line for each model; below, the share
    of searches that the limit stopped. The paper's points stand in the panel of seconds."""
    figure.set_size_inches(9.2, 6.0)
    grid = figure.subplots(2, 2, sharex="col", sharey="row", height_ratios=(3, 1))
    names = dict.fromkeys(n for kind in KINDS for n in _series(record["rows"], kind))
    colours = dict(zip(names, COLOURS))
    for kind, upper, lower in zip(KINDS, *grid):
        for name, rows in _series(record["rows"], kind).items():
            x, style = [row[kind] for row in rows], {"color": colours[name]}
            ends = list(zip(*(row["bleu_cased_interval"] for row in rows)))
            upper.fill_between(x, *ends, alpha=0.12, lw=0, **style)
            scores = [row["bleu_cased"] for row in rows]
            upper.plot(x, scores, "o-", ms=4, lw=1.5, label=name, **style)
            lower.plot(x, [row["timeouts"] for row in rows], "o-", ms=3, lw=1, **style)
        limit = kind.removeprefix("decode_")
        paper = [value for value in tables.papers(record) if limit in value]
        if paper:
            points = [one[limit] for one in paper], [one["bleu"] for one in paper]
            look: Row = {"mfc": "none", "color": figures.OF_PAPER, "ms": 4, "lw": 1}
            upper.plot(*points, "D--", label="the paper: another program, machine, corpus", **look)
        upper.set(xscale="log")
        lower.set(xlabel=KINDS[kind], ylim=(-0.03, 1.03))
        plain(upper, lower)
        ours = [row[kind] for row in record["rows"] if kind in row]
        ticks = sorted({*ours, *(one[limit] for one in paper)})
        lower.set_xticks(ticks, labels=[f"{x:g}" for x in ticks], fontsize=8)
        lower.set_xticks([], minor=True)
        lower.tick_params("x", rotation=45)
    grid[0][0].set_ylabel(AXES["bleu_cased"])
    grid[1][0].set_ylabel("share stopped\nby the limit")
    for axes in grid[0]:
        axes.legend(**figures.LEGEND, loc="lower right")


# --- scores up to a length ------------------------------------------------------------------------

ALL = "all"
UP_TO = (5, 10, 20, 40, 80)
LENGTHS = (
    *columns("", ("system", tables.run_name), "up_to", "sentences"),
    *columns(".2f", ("BLEU, cased", "bleu_cased")),
    *columns(".3f", "brevity"),
    *columns(".1%", "no_goal"),
)


def length_rows(done: Evaluation) -> list[Row]:
    """A row for each length that a sentence has, with the scores of all sentences up to it."""
    lengths = [len(reference.split()) for reference in done.references]
    rows: list[Row] = []
    for most in (*UP_TO, max(lengths)):
        inside = [i for i, length in enumerate(lengths) if length <= most]
        if not inside:
            continue
        outputs, references = (
            [side[i] for i in inside] for side in (done.outputs, done.references)
        )
        counts = done.counts[inside]
        whole = [done.whole[i] for i in inside] if done.whole else []
        rows.append(
            {
                "up_to": ALL if len(rows) == len(UP_TO) else most,
                "sentences": len(inside),
                "bleu_cased": round(bleu_of_counts(counts.sum(axis=0)), DIGITS),
                "brevity": round(brevity(outputs, references), DIGITS),
                **({"no_goal": round(1 - sum(whole) / len(whole), DIGITS)} if whole else {}),
                SENTENCE_SCORES: of_counts(counts),
            }
        )
    rows[-1] |= {"up_to": ALL, OUTPUTS: [packed_lines(done.outputs)]}
    return rows


def _lengths_drawn(figure: figures.Figure, record: Record, options: Record) -> None:
    """A line a run; the paper's values beside them, where its text gives any."""
    axes = figure.subplots()
    names = [*map(str, UP_TO), ALL]
    ours = tables.by_name(record["rows"], tables.run_name)
    for (name, rows), colour in zip(ours.items(), COLOURS):
        axes.plot(*_by_length(names, rows, "bleu_cased"), "o-", color=colour, label=name)
    paper = options.get("paper", "the paper")
    theirs = tables.by_name(tables.papers(record), lambda one: str(one.get("categories", "")))
    for (key, values), colour in zip(theirs.items(), COLOURS):
        label = f"{paper}, {tables.categories_name(key)}" if key else paper
        style: Row = {"marker": "s", "mfc": "none", "color": colour if len(theirs) > 1 else "k"}
        axes.plot(*_by_length(names, values, "bleu"), "--", ms=4, lw=1, label=label, **style)
    axes.set_xticks(range(len(names)), [*(f"≤ {name}" for name in names[:-1]), ALL])
    axes.set(xlabel="words of a sentence, at most", ylabel=AXES["bleu_cased"])
    axes.legend(**figures.BARE_LEGEND)
    plain(axes)


def _by_length(names: Sequence[str], rows: Rows, column: str) -> tuple[list[int], list[float]]:
    return [names.index(str(row["up_to"])) for row in rows], [row[column] for row in rows]


MEASURES = (
    OfTrained(
        "end",
        make=lambda trained, held_out, run: [
            {**scores_of(score(trained.model, held_out, run), interval=True), **trained.numbers}
        ],
        report=_end_lines,
        pictures={"limits": _limits},
        bootstrapped=("bleu_cased_interval",),
        intervals=True,
        by_folds=True,
    ),
    OfTrained(
        "cumulative",
        make=lambda trained, held_out, run: length_rows(score(trained.model, held_out, run)),
        report=LENGTHS,
        pictures={"cumulative": _lengths_drawn},
        bootstrapped=(),
        by_folds=True,
    ),
)
