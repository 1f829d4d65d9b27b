"""The measure "realization": sentences made of trees of lemmas, scored as the shared tasks do.

Zhang & Clark (2015, section 5.7, Table 10) score on the NLG 2011 shared task; here it is the tasks
of 2018 and 2020. A run learns from trees and realizes one split of a corpus, a tree at a time, the
clock running. Its row has the scores of ``metrics/realization``, how many forms a lemma had and how
often the right one was among them (``systems/realization_examples``), and milliseconds a tree. Runs
that follow one another and learn alike share a model.

Every row keeps what each sentence adds to BLEU, DIST, exact match and inflection accuracy. Causes
of faults and scores by length stand beside the rows, each with the place of its row.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import ClassVar

import numpy as np

from wordorder_lab.experiments.measures import figures, measure, tables
from wordorder_lab.experiments.measures.figures import COLOURS, plain
from wordorder_lab.experiments.measures.tables import Column, Record, Row, Rows, columns, grouped
from wordorder_lab.experiments.runs import realization_evaluate as evaluation
from wordorder_lab.experiments.runs import settings
from wordorder_lab.experiments.runs.corpora import lemma_corpus
from wordorder_lab.experiments.runs.map_in_order import map_in_order
from wordorder_lab.experiments.runs.outputs import OUTPUTS, packed_lines
from wordorder_lab.experiments.runs.realization_evaluate import Learned, as_learned, learn
from wordorder_lab.experiments.runs.schema import NEEDED
from wordorder_lab.metrics.significance import SENTENCE_SCORES, packed
from wordorder_lab.systems.realization_examples import score

BESIDE = ("parts", "by_length")
OF_FLOORS = (*NEEDED, *settings.FROM, "seed", "english")


class _Realization(measure.Measure):
    """A row for each run."""

    task: ClassVar[str] = "realize"
    has_papers: ClassVar[bool] = True

    def line(self, row: Record) -> str:
        return f"{_full_name(row)}: BLEU {row['bleu_lc']:.2f}, DIST {row['distance']:.2f}"

    def run(self, specification: measure.Specification, record: Row, work: measure.Work) -> None:
        """Runs that learn alike are done together, whatever the number of jobs."""
        runs = specification.runs[len(record["runs"]) :]
        groups = [list(some) for _, some in groupby(runs, as_learned)]
        for rows in map_in_order(partial(_rows_of, work.cut), groups, work.jobs, "runs"):
            for row in measure.without_times(rows, work.jobs, "ms_median"):
                record["runs"].append(1)
                record["rows"].append(row)
                work.show(self.line(row))
            work.keep()


def _rows_of(cut: measure.Cut, runs: Rows) -> list[Row]:
    """The rows of runs that share a model. Raises ``CorpusError`` where there are no trees."""
    first = runs[0]
    learned = learn(
        first, cut(lemma_corpus(settings.learned_on(first)).split(settings.learned_split(first)))
    )
    return [_row(cut, run, learned) for run in runs]


def _row(cut: measure.Cut, run: Record, learned: Learned) -> Row:
    every = cut(lemma_corpus(run["corpus"]).split(run["split"]))
    trees = [tree for tree in every if tree.reference]
    gold = evaluation.gold_of(trees, learned.model.inflector)
    is_floor = run["system"] in settings.FLOORS
    search = {} if is_floor else {"k": run.get(settings.GOALS, 1), **settings.search_of(run)}
    done = evaluation.evaluate_realizer(learned.model, trees, gold, **search)
    row = {
        **{name: run[name] for name in run if name in OF_FLOORS or not is_floor},
        "learned_on": settings.learned_on(run),
        "trees": learned.trees,
        "training_seconds": round(learned.seconds, 2),
        "without_reference": len(every) - len(trees),
        **_scores_row(done),
        **measure.rounded({"ms_per_sentence": done.mean_ms, "ms_median": done.median_ms}),
    }
    if known := [one for one in gold if one is not None]:
        of_forms = score(learned.model.inflector, known)
        row |= measure.rounded({"forms": of_forms.forms, "among": of_forms.among})
    return row


def _scores_row(done: evaluation.RealizationEvaluation) -> Row:
    """The scores of some sentences as a row, with what stands beside it until the record is
    finished: lengths, causes, pairs, and what each sentence adds (``metrics/significance``)."""
    scores, parts, errors = done.scores, done.scores.parts, done.errors
    pairs = errors.pairs if errors else ()
    counts = {f"bleu_{n}": [{"counts": packed(one)}] for n, one in parts.counts.items()}
    ratios = {n: [{"parts": packed(np.array(both).T)}] for n, both in parts.ratios().items()}
    return {
        **measure.rounded(
            {name: value for name, value in scores.to_dict().items() if name not in BESIDE}
        ),
        "lengths": [measure.rounded(one._asdict()) for one in scores.by_length],
        "causes": [measure.rounded(one._asdict()) for one in (errors.causes if errors else ())],
        "pairs": [{"first": one, "second": two, "number": n} for one, two, n in pairs],
        **(measure.rounded({"bleu_lc_known": errors.bleu_lc}) if errors else {}),
        SENTENCE_SCORES: {**counts, **ratios},
        OUTPUTS: [packed_lines([" ".join(one.words) for one in done.outputs])],
    }


NAMED = tuple("update inflection labels templates beam decode_beam goals learned_trees".split())
COLUMNS = (
    Column("", lambda row: _run_name(row)),
    *columns(".2f", ("BLEU", "bleu_lc"), ("cased", "bleu_cased"), ("by nltk", "bleu_organisers")),
    *columns(".2f", ("NIST", "nist"), ("DIST", "distance")),
    *columns(".1%", "exact", ("order", "order_exact"), ("inflection", "inflected")),
    *columns(".1%", ("cased", "inflected_cased")),
    *columns(".3f", "brevity"),
    *columns(".3g", ("ms", "ms_median"), "forms"),
    *columns(".1%", ("right", "among")),
    *columns(",", "trees"),
)
LEGEND = (
    "BLEU lower-cased on tokens as they are, then cased, then as nltk counts it (the tasks'",
    "organisers); DIST: 100 less edits of signs per sign; exact: sentences that",
    "are the reference but for capitals; order: those whose lemmas are in its order; inflection:",
    "words that have their form, then with capitals; ms: milliseconds a tree, median; forms:",
    "candidates a lemma, right: the words whose form is among them; trees: learned from",
)


def _run_name(row: Record) -> str:
    """What tells a run from others: its system, and the settings that differ among them."""
    parts = [str(row["system"])]
    if "english" in row:
        parts.append("lists and rules" if row["english"] else "counts alone")
    for name in NAMED:
        value = row.get(name)
        if isinstance(value, bool):
            parts.append(name if value else f"no {name}")
        elif isinstance(value, int):
            parts.append(f"{name.removeprefix('decode_').replace('_', ' ')} {value:,}")
        elif value:
            parts.append(str(value).removeprefix("zhang_clark_2015_"))
    return ", ".join(parts)


def _place_name(row: Record) -> str:
    return f"{Path(row['corpus']).name} {row['split']}"


def _full_name(row: Record) -> str:
    return f"{_place_name(row)}, {_run_name(row)}"


def _realization_lines(record: Record) -> list[str]:
    lines = [tables.papers_data(record)]
    for _, rows in grouped(record["rows"], ("corpus", "split")):
        lines += ["", f"{_place_name(rows[0])}: {rows[0]['sentences']:,} sentences"]
        lines += tables.lines(COLUMNS, rows)
    printed = [
        {**value, "BLEU": ", ".join(f"{v:.1f}" for n, v in value.items() if n.startswith("bleu"))}
        for value in tables.papers(record)
    ]
    if printed:
        lines += ["", *tables.lines(columns("", ("printed", "system"), "data", "BLEU"), printed)]
    causes = [
        (_full_name(row), one["name"], f"{one['places']:,} {_gain(row, one):+.1f}")
        for row, mine in tables.placed(record, "causes")
        for one in mine
    ]
    if causes:
        lines += ["", *tables.across("places, and BLEU gained without them", causes)]
    lengths = [
        (_full_name(row), _length_name(one), f"{one['bleu_lc']:.1f}")
        for row, mine in tables.placed(record, "lengths")
        for one in mine
    ]
    return [*lines, *LEGEND, "", *tables.across("BLEU by length", lengths)]


def _gain(row: Record, cause: Record) -> float:
    return float(cause["bleu_lc"] - row["bleu_lc_known"])


def _length_name(one: Record) -> str:
    return f"{one['low']}-{one['high']}" if one["high"] else f"over {one['low'] - 1}"


def _causes_drawn(figure: figures.Figure, record: Record, options: Record) -> None:
    """A panel for each corpus: what BLEU each run would gain without each cause."""
    names = list(dict.fromkeys(one["name"] for one in record["causes"]))
    for axes, rows in _panels(figure, record, options, "causes", "BLEU gained without this cause"):
        width = 0.8 / len(rows)
        for number, (row, causes, style) in enumerate(rows):
            found = {one["name"]: _gain(row, one) for one in causes}
            at = [i + number * width for i in range(len(names))]
            axes.bar(at, [found[name] for name in names], width, **style)
        axes.set_xticks([i + 0.4 - width / 2 for i in range(len(names))], names, fontsize=8)
        axes.tick_params(axis="x", rotation=30)


def _lengths_drawn(figure: figures.Figure, record: Record, options: Record) -> None:
    """A panel for each corpus: BLEU by the length of the reference, a line for each run."""
    names = list(dict.fromkeys(_length_name(one) for one in record["lengths"]))
    for axes, rows in _panels(figure, record, options, "lengths", "BLEU, lower-cased"):
        for _, bins, style in rows:
            at = [names.index(_length_name(one)) for one in bins]
            axes.plot(at, [one["bleu_lc"] for one in bins], "o-", **style)
        axes.set_xticks(range(len(names)), names, fontsize=8)
        axes.set_xlabel("words of the sentence")


def _panels(
    figure: figures.Figure, record: Record, options: Record, beside: str, axis: str
) -> Iterator[tuple[figures.Axes, list[tuple[Record, list[Record], Row]]]]:
    """A panel for each corpus and split, and its rows (of the systems that ``[plot]`` names, or
    all): with what stands ``beside`` each, and a look for its kind of run. The legend, below all
    panels, is made when the last one is drawn."""
    systems = options.get("systems")
    drawn = [
        (row, mine)
        for row, mine in tables.placed(record, beside)
        if mine and (systems is None or row["system"] in systems)
    ]
    kinds = dict.fromkeys(_run_name(row) for row, _ in drawn)
    looks: dict[str, Row] = {
        kind: {"color": COLOURS[i % len(COLOURS)], "label": kind} for i, kind in enumerate(kinds)
    }
    places = dict.fromkeys((row["corpus"], row["split"]) for row, _ in drawn)
    figure.set_size_inches(max(6.4, 4.6 * len(places)), 4.6)
    panels = figures.side_by_side(figure, len(places))
    for axes, place in zip(panels, places):
        here = [(row, mine) for row, mine in drawn if (row["corpus"], row["split"]) == place]
        yield axes, [(row, mine, looks[_run_name(row)]) for row, mine in here]
        axes.set_title(_place_name(here[0][0]), fontsize=9)
        plain(axes, grid="y")
    panels[0].set_ylabel(axis)
    figures.legend_below(figure, panels, 2, fontsize=7)


MEASURES = (
    _Realization(
        "realization",
        report=_realization_lines,
        pictures={"causes": _causes_drawn, "by-length": _lengths_drawn},
        apart=("lengths", "causes", "pairs"),
    ),
)
