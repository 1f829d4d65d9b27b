"""The measure "best-epoch": the dev split chooses the epoch, and its model orders the test split.

Zhang & Clark (2015), section 5.1: a training has as many iterations as score best on the
development set, there and in the final test. A run has a row after every epoch, on dev; one for
each length of sentence, and one for all, on its own split.

The paper also says why CCG falls behind, that fewer bags get one derivation over all words; the
rows by length say where.

Differences
- *Paper silent*, section 5.1: how the epoch is chosen within a curve. Here it is the first one with
  the highest BLEU.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

from wordorder_lab.experiments.measures.conditions import comparisons
from wordorder_lab.experiments.measures.epochs import best_epoch
from wordorder_lab.experiments.measures.measure import (
    Cut,
    Draw,
    Measure,
    Record,
    Specification,
    bleu_signatures,
)
from wordorder_lab.experiments.measures.style import AXES, COLOURS, aligned, grouped, run_name
from wordorder_lab.experiments.runs.corpora import corpus_of
from wordorder_lab.experiments.runs.evaluate import (
    DIGITS,
    Evaluation,
    random_order,
    score,
    scores_of,
)
from wordorder_lab.experiments.runs.schema import SpecificationError
from wordorder_lab.experiments.runs.settings import DEV, FLOOR
from wordorder_lab.experiments.runs.training import train_run
from wordorder_lab.metrics.ordering import by_length, share_of
from wordorder_lab.metrics.significance import BLEU, SENTENCE_SCORES, bootstrap_signature
from wordorder_lab.structures.sentence import Sentence
from wordorder_lab.systems.model import OrderingModel
from wordorder_lab.systems.training_run import Moment

LENGTHS = ((1, 10), (11, 20), (21, 30))
"""Words of the reference; the last bin grows to the longest sentence."""
ALL = "all"
FROM_TRAINING = ("training_seconds", "epoch_seconds")

NewRow = dict[str, Any]


@dataclass(frozen=True)
class BestEpoch(Measure):
    """A row after every epoch on dev, and those of the best one on the split of the run."""

    has_papers: ClassVar[bool] = True

    def check(self, specification: Specification) -> None:
        """Besides, dev chooses and does not score; and tables and comparisons call a system by its
        name (and a supertagger's β), so that it may come but once."""
        super().check(specification)
        names = list(map(run_name, specification.runs))
        for run in specification.runs:
            if run["split"] == DEV:
                raise SpecificationError(
                    f"{self.name} chooses epochs on {DEV}: score on another split, such as test"
                )
            if names.count(run_name(run)) > 1:
                raise SpecificationError(
                    f"{self.name} compares systems: {run_name(run)} comes twice"
                )

    def rows(self, specification: Specification, cut: Cut, run: Mapping[str, Any]) -> list[NewRow]:
        """The rows of one run; the last is that of all sentences of its split."""
        corpus = corpus_of(run["corpus"], run["units"])
        held_out = cut(corpus.split(run["split"]))
        if run["system"] == FLOOR:
            shown = {name: run[name] for name in ("system", "corpus", "split", "units")}
            return [{**shown, **_of_all(random_order(held_out, seed=run.get("seed", 1)))}]
        model, best, rows = choose(run, cut(corpus.train), cut(corpus.split(DEV)))
        done = score(model, held_out, run)
        own = {**run, "epoch": best["epoch"], "dev_bleu_cased": best["bleu_cased"]}
        own["trained_sentences"] = model.settings["sentences"]
        last = {**own, **_of_all(done), **{name: best[name] for name in FROM_TRAINING}}
        return [*rows, *({**own, **row} for row in _by_length(done)), last]

    def finish(self, record: NewRow) -> None:
        """Compare every two systems on the split where each has its chosen epoch."""
        bootstrap = dict.fromkeys(("bleu_cased_interval", "comparisons"), bootstrap_signature())
        record["signatures"] = {**bleu_signatures(), **bootstrap}
        last = [row for row in final_rows(record) if row["system"] != FLOOR]
        groups = [({"system": run_name(row)}, row[SENTENCE_SCORES][BLEU]) for row in last]
        record["comparisons"] = list(comparisons(groups))

    def meant(self, rows: Sequence[Record], places: Sequence[int], wanted: Record) -> list[int]:
        """The rows of all sentences on the split of the run, unless the claim says otherwise."""
        split = [i for i in places if "split" in wanted or rows[i]["split"] != DEV]
        return [i for i in split if "length" in wanted or rows[i].get("length", ALL) == ALL]

    def wanted(self, specification: Specification) -> Iterator[Record]:
        """Each run after one epoch (which one, is what comes out), and on dev after each."""
        for run in specification.runs:
            yield {**run, "epoch": None}
            last = run.get("epochs")
            epochs = range(1, last + 1) if last and run["system"] != FLOOR else ()
            yield from ({**run, "split": DEV, "epoch": epoch} for epoch in epochs)

    def text(self, record: Record) -> str:
        """A line a system, then what tells by length."""
        return "\n".join(best_epoch_lines(record))

    def figures(self) -> dict[str, Draw]:
        """Scores beside the shares of bags ordered as a whole."""
        return {**super().figures(), "best-epoch": best_epoch_figure}


MEASURES = (BestEpoch("best-epoch"),)


class Chosen(NamedTuple):
    """A model, its row on dev, and the rows of every epoch."""

    model: OrderingModel
    row: Mapping[str, Any]
    rows: list[NewRow]


def choose(
    run: Mapping[str, Any], sentences: Sequence[Sentence], dev: Sequence[Sentence]
) -> Chosen:
    """Train on ``sentences`` and keep the model of the epoch that is best on ``dev``."""
    rows: list[NewRow] = []
    kept: list[OrderingModel] = []

    def after(numbers: dict[str, Any], moment: Moment) -> None:
        model = moment()
        scores = scores_of(score(model, dev, run))
        rows.append({**run, "split": DEV, "length": ALL, **scores, **numbers})
        if best_epoch(rows) is rows[-1]:
            kept[:] = [model]

    train_run(run, sentences, after)
    return Chosen(kept[0], best_epoch(rows), rows)


def _of_all(done: Evaluation) -> NewRow:
    spanning = done.scores.spanning
    found = {} if spanning is None else {"spanning": round(spanning, DIGITS)}
    return {"length": ALL, **scores_of(done, interval=True), **found}


def _by_length(done: Evaluation) -> list[NewRow]:
    """A row for each bin that has sentences."""
    lengths = [len(reference.split()) for reference in done.references]
    rows: list[NewRow] = []
    for one in by_length(done.outputs, done.references, LENGTHS):
        if one.bleu_cased is None or one.brevity is None:
            continue
        inside = [w for w, n in zip(done.whole, lengths, strict=True) if one.low <= n <= one.high]
        scores = {"bleu_cased": one.bleu_cased, "brevity": one.brevity}
        scores["spanning"] = share_of(inside, one.sentences)
        rounded = {name: round(value, DIGITS) for name, value in scores.items()}
        rows.append({"length": f"{one.low}-{one.high}", "sentences": one.sentences, **rounded})
    return rows


# --- The test scores of several systems as text, each after its best epoch, and why they differ


Row = Mapping[str, Any]
NAME = "name"
HEAD = (
    *("", "epoch", "BLEU, cased", "13a lc", "the paper", "exact", "words out/in", "whole"),
    *("at limit", "stuck", "categories", "ms"),
)
LEGEND = (
    "± is half the 95 % interval over the choice of sentences; epoch: the best on dev, of all",
    "13a lc: BLEU re-tokenised and lower-cased; exact: word for word; words out/in: length ratio",
    "whole: bags for which one derivation or tree over all words was found; where none was, the",
    "search was at its limit of expansions, or stuck: nothing was left on its agenda",
    "categories: precision of the lexical categories (CCG); ms: milliseconds a sentence",
)
P_VALUES = "paired bootstrap over the sentences, one-sided: at 5 %, p is below 0.025"


def final_rows(record: Row) -> list[Row]:
    """The rows of all sentences of the split that is reported, one a system."""
    return [row for row in record["rows"] if row["split"] != DEV and row["length"] == ALL]


def length_rows(record: Row) -> dict[str, list[Row]]:
    """The rows by length of each system that searches."""
    rows = [row for row in record["rows"] if row["split"] != DEV and row["length"] != ALL]
    named = grouped([{**row, NAME: run_name(row)} for row in rows], (NAME,))
    return {key[NAME]: list(mine) for key, mine in named}


def length_name(row: Row) -> str:
    """``"1 to 10 words (40 sentences)"``."""
    return f"{row['length'].replace('-', ' to ')} words ({row['sentences']} sentences)"


def paper_bleu(record: Row, run: str) -> Any:
    """What the paper has for a run of this name, on its own data; ``None`` for nothing."""
    values = [one for one in record["paper"].get("values", []) if "system" in one]
    mine = [one["bleu"] for one in values if run_name(one) == run and "bleu" in one]
    return mine[0] if mine else None


def best_epoch_lines(record: Row) -> list[str]:
    """A line a system; then how many bags were ordered as a whole by length, and what is sure."""
    rows = final_rows(record)
    searched = [row for row in rows if "epoch" in row]
    sizes = sorted({row["trained_sentences"] for row in searched})
    learned = " to ".join(f"{size:,}" for size in sizes[:: max(1, len(sizes) - 1)])
    where = {f"{row['corpus']}, {row['units']}, {row['split']}" for row in rows}
    told = f"{rows[0]['sentences']} sentences of {'; '.join(sorted(where))}; learned: {learned}"
    lines = [told, *aligned([HEAD, *(_cells(record, row) for row in rows)]), ""]
    lines += [*LEGEND, *(f"{name}: {text}" for name, text in record["signatures"].items())]
    lines += ["", f"the paper: {record['paper'].get('data')}"]
    lines += [f"condition: {record['paper'].get('condition', 'not said')}", ""]
    lines += [*_length_lines(record), *_comparisons(record["comparisons"])]
    return lines


def _cells(record: Row, row: Row) -> list[str]:
    low, high = row["bleu_cased_interval"]
    paper = paper_bleu(record, run_name(row))
    limit, no_goal = row["timeouts"], row.get("no_goal", row["timeouts"])
    return [
        run_name(row),
        f"{row['epoch']} of {row.get('epochs', row['epoch'])}" if "epoch" in row else "-",
        f"{row['bleu_cased']:.2f} ± {(high - low) / 2:.2f}",
        f"{row['bleu_13a_lc']:.2f}",
        "-" if paper is None else f"{paper}",
        f"{row['exact_match']:.1%}",
        f"{row['brevity']:.3f}",
        _share(row.get("spanning")),
        _share(limit if "spanning" in row else None),
        _share(no_goal - limit if "spanning" in row else None),
        _share(row.get("category_precision")),
        f"{row['ms_per_sentence']:.1f}" if "ms_per_sentence" in row else "-",
    ]


def _share(value: float | None) -> str:
    return "-" if value is None else f"{value:.1%}"


def _length_lines(record: Row) -> list[str]:
    """Shares of bags ordered as a whole, and words out over words in, by length."""
    lines = []
    systems = length_rows(record)
    for name, title, form in (
        ("spanning", "found as a whole", ".1%"),
        ("brevity", "words out/in", ".3f"),
        ("bleu_cased", "BLEU, cased", ".1f"),
    ):
        first = next(iter(systems.values()), [])
        table = [[title, *map(length_name, first)]]
        for system, rows in systems.items():
            table.append([system, *(format(row[name], form) for row in rows)])
        lines += [*aligned(table), ""]
    return lines


def _comparisons(found: Sequence[Row]) -> list[str]:
    names = [(one["system"]["system"], one["baseline"]["system"]) for one in found]
    table = [
        [f"{system} against {other}", f"{one['difference']:+.2f}", f"p = {one['p_value']:.4f}"]
        for one, (system, other) in zip(found, names)
    ]
    return [P_VALUES, *aligned(table)] if table else []


# --- The test scores of several systems as a picture, and how many bags each orders as a whole


SHADES = ("#9ecae1", "#4292c6", "#08519c")
"""Short sentences light, long ones dark."""
PAPER = "the paper, on its own data"
"""Unless ``paper`` of ``[plot]`` says which."""
ROOM = 0.8
"""Of the place of a system, so much is for its bars."""


def best_epoch_figure(figure: Any, record: Record, how: Row) -> None:
    """To the left BLEU with its interval; beside it, the share of bags that a search found one
    derivation or tree for, a bar for each length; to the right, BLEU on dev by epoch. The first
    system is on top."""
    rows = final_rows(record)
    figure.set_size_inches(14.4, max(3.6, 1.6 + 0.62 * len(rows)))
    left, right, epochs = figure.subplots(1, 3, width_ratios=(5, 4, 4))
    right.sharey(left)
    right.tick_params(labelleft=False)
    places = {run_name(row): -i for i, row in enumerate(rows)}
    _scores(left, record, rows, places, how.get("paper", PAPER))
    _wholes(right, length_rows(record), places)
    _curves(epochs, record)
    left.set_yticks(list(places.values()), [_name(row) for row in rows], fontsize=9)
    for axes in (left, right, epochs):
        axes.grid(axis="x", alpha=0.25)
        axes.set_axisbelow(True)
        axes.spines[["top", "right"]].set_visible(False)
    (theirs, paper), (bins, lengths) = (axes.get_legend_handles_labels() for axes in (left, right))
    keys = [*theirs, *bins], [*paper, *lengths]
    figure.legend(*keys, loc="outside lower center", ncols=2, fontsize=8, frameon=False)


def _curves(axes: Any, record: Row) -> None:
    """BLEU on dev after every epoch; a ring marks the epoch that it chooses."""
    from matplotlib.ticker import MaxNLocator

    dev = [{**row, NAME: run_name(row)} for row in record["rows"] if row["split"] == DEV]
    for (key, rows), colour in zip(grouped(dev, (NAME,)), itertools.cycle(COLOURS)):
        points = [row["epoch"] for row in rows], [row["bleu_cased"] for row in rows]
        axes.plot(*points, "-", marker=".", color=colour, lw=1.5, label=key[NAME])
        best = best_epoch(rows)
        ring = {"marker": "o", "ms": 8, "mfc": "none", "color": colour}
        axes.plot(best["epoch"], best["bleu_cased"], **ring)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_xlabel("epoch")
    axes.set_ylabel(f"{AXES['bleu_cased']}, on dev")
    axes.legend(frameon=False, fontsize=7)


def _name(row: Row) -> str:
    return f"{run_name(row)}\nepoch {row['epoch']}" if "epoch" in row else run_name(row)


def _scores(
    axes: Any, record: Row, rows: Sequence[Row], places: Mapping[str, int], paper: str
) -> None:
    heights = [row["bleu_cased"] for row in rows]
    ends = [row["bleu_cased_interval"] for row in rows]
    bars = [
        [max(0.0, score - low) for score, (low, _) in zip(heights, ends)],
        [max(0.0, high - score) for score, (_, high) in zip(heights, ends)],
    ]
    y = [places[run_name(row)] for row in rows]
    axes.barh(y, heights, height=0.6, color=COLOURS[0])
    axes.errorbar(heights, y, xerr=bars, fmt="none", ecolor="#333333", lw=1.2, capsize=3)
    known = [(paper_bleu(record, run_name(row)), places[run_name(row)]) for row in rows]
    theirs = [one for one in known if one[0] is not None]
    if theirs:
        axes.plot(*zip(*theirs), "D", ms=6, mfc="white", mec=COLOURS[1], mew=1.6, label=paper)
    most = max(*(high for _, high in ends), *(score for score, _ in theirs), 1)
    for place, height, (_, high) in zip(y, heights, ends):
        inside = height > most / 8  # else beside the bar
        style = {"color": "white", "weight": "bold"} if inside else {}
        x = 0.02 * most if inside else high + 0.02 * most
        axes.text(x, place, f"{height:.1f}", va="center", fontsize=9, **style)
    axes.set_xlim(0, 1.06 * most)
    axes.set_xlabel(f"{AXES['bleu_cased']}, with its 95 % interval")


def _wholes(axes: Any, systems: Mapping[str, Sequence[Row]], places: Mapping[str, int]) -> None:
    names = list(dict.fromkeys(row["length"] for rows in systems.values() for row in rows))
    height = ROOM / max(1, len(names))
    for i, (name, shade) in enumerate(zip(names, SHADES)):
        mine = [(s, row) for s, rows in systems.items() for row in rows if row["length"] == name]
        y = [places[system] + ROOM / 2 - (i + 0.5) * height for system, _ in mine]
        shares = [100 * row["spanning"] for _, row in mine]
        axes.barh(y, shares, height=0.9 * height, color=shade, label=length_name(mine[0][1]))
        for place, share in zip(y, shares):
            axes.text(share + 1, place, f"{share:.0f}", va="center", fontsize=7)
    axes.set_xlim(0, 112)
    axes.set_xticks(range(0, 101, 20))
    axes.set_xlabel("bags ordered as a whole, %")
    for system, place in places.items():
        if system not in systems:
            axes.text(2, place, "no search", va="center", fontsize=8, style="italic")
