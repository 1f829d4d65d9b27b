"""The measures "brevity", "spans" and "span-lengths": Liu et al. 2015, Figure 8, Table 4, Figure 9.

Liu et al. 2015, section 4.3. What a "span" is has two readings, and a search has many more spans
than its outcome; so each row says in ``spans`` which ones it counts:

    made         everything that the search put together: all edges, all candidates
    kept         of these the edges that entered the chart (or were a goal), the states that entered
                 a beam
    derivation   what the derivation of the output put together
    tree         what hangs below each word of the output's tree

Gold beside the first three is the derivation of the gold tree, beside the last the gold tree.
``least_units`` is 1 where single units are counted, too, and 2 where they are not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, partial
from itertools import product
from statistics import mean
from typing import Any, NamedTuple

import numpy as np

from wordorder_lab.experiments.measures import figures, tables
from wordorder_lab.experiments.measures.figures import COLOURS, plain
from wordorder_lab.experiments.measures.measure import OfTrained, Sentences, Specification, rounded
from wordorder_lab.experiments.measures.tables import Column, Record, Row, Rows, grouped
from wordorder_lab.experiments.runs.map_in_order import map_in_order
from wordorder_lab.experiments.runs.ordering_evaluate import DIGITS, LIMITS, bags_of_run
from wordorder_lab.experiments.runs.schema import SpecificationError
from wordorder_lab.experiments.runs.settings import FLOOR
from wordorder_lab.experiments.runs.training import Trained
from wordorder_lab.metrics import spans as metric
from wordorder_lab.metrics.ordering import LIU_2015_FIGURE_8_BINS, brevity
from wordorder_lab.metrics.significance import SAMPLES, SEED, SENTENCE_SCORES, packed
from wordorder_lab.structures.bag import WordBag
from wordorder_lab.structures.result import Result
from wordorder_lab.structures.sentence import Sentence
from wordorder_lab.systems.model import OrderingModel
from wordorder_lab.trace.reducers.beam import shifted

SEARCHES = ("best-first", "transition-based")
MADE, KEPT, DERIVATION, TREE = "made", "kept", "derivation", "tree"
KINDS = {
    MADE: "all that the search made",
    KEPT: "kept in the chart or in a beam",
    DERIVATION: "of the output's derivation",
    TREE: "of the output's tree",
}
LEAST = (1, 2)
LONGEST = 30
"""Figure 9 goes to this length; one more row has all longer spans."""


def _search_of(system: str) -> str:
    return "" if system == FLOOR else SEARCHES[system == "liu-2015"]


class _OfSpans(OfTrained):
    """Rows of all sentences as two systems ordered them."""

    def check(self, specification: Specification) -> None:
        super().check(specification)
        if sorted(_search_of(run["system"]) for run in specification.runs) != sorted(SEARCHES):
            raise SpecificationError(
                f"{self.name} compares two systems: one {' and one '.join(SEARCHES)}"
            )

    def finish(self, record: Row) -> None:
        """Add how far lengths are from gold's, or how intervals were made."""
        if "gold_share" in record["rows"][0]:
            record["distances"] = _distances(_of_length(record["rows"]))
        if "f1_interval" in record["rows"][0]:
            record["signatures"] = {"intervals": f"percentiles, bs:{SAMPLES}|seed:{SEED}"}


def _of_looks(
    make: Callable[[Iterable[Looked]], list[Row]],
    trace: bool,
    trained: Trained,
    held_out: Sentences,
    run: Record,
) -> list[Row]:
    """The rows that ``make`` makes of all sentences, with the search and how many sentences a limit
    stopped. ``trace`` says whether the spans of the search are needed."""
    stopped: list[bool] = []

    def counted() -> Iterator[Looked]:
        for look in looks(trained.model, held_out, run, trace):
            stopped.append(look.timed_out)
            yield look

    rows = make(counted())
    timeouts = round(stopped.count(True) / max(1, len(stopped)), DIGITS)
    first = {"search": _search_of(run["system"]), "sentences": len(stopped), "timeouts": timeouts}
    return [{**first, **row} for row in rows]


# --- Figure 8 -------------------------------------------------------------------------------------


def _brevity_rows(looked: Iterable[Looked]) -> list[Row]:
    """Words out over words in the reference, a row a bin of Figure 8 and one for all. The paper
    does not say whether a base NP is one word in the bins: ``length_in`` is "units" where it is.
    Brevity itself counts words."""
    done = list(looked)
    if not done:
        raise ValueError("no sentences")
    sizes = {
        "words": [len(one.sentence.surface) for one in done],
        "units": [len(one.sentence) for one in done],
    }
    rows = []
    for name, lengths in sizes.items():
        *bins, last = LIU_2015_FIGURE_8_BINS
        for low, high in (*bins, (last[0], max(last[1], *lengths))):
            inside = [one for one, length in zip(done, lengths) if low <= length <= high]
            rows.append({"length_in": name, "length": f"{low}-{high}", **_brevity(inside)})
        rows.append({"length_in": name, "length": "all", **_brevity(done)})
    return rows


def _brevity(looked: Sequence[Looked]) -> Row:
    if not looked:
        return {"sentences": 0, "brevity": None, "timeouts": None, "no_goal": None}
    texts = [one.result.text for one in looked], [one.sentence.text for one in looked]
    words = [[len(text.split()) for text in side] for side in texts]
    whole = sum(one.result.is_whole for one in looked)
    return {
        "sentences": len(looked),
        "brevity": round(brevity(*texts), DIGITS),
        "timeouts": round(sum(one.timed_out for one in looked) / len(looked), DIGITS),
        "no_goal": round(1 - whole / len(looked), DIGITS),
        SENTENCE_SCORES: {"brevity": [{"parts": words}]},
    }


BREVITY, TIMEOUTS = Column("", "brevity", ".3f"), Column("", "timeouts", ".0%")


def _brevity_lines(record: Record) -> list[str]:
    lines = []
    for key, mine in grouped(record["rows"], ("length_in",)):
        cells = [(row["length"], "sentences", str(row["sentences"])) for row in mine]
        for row in mine:
            cells.append((row["length"], row["search"], BREVITY.cell(row)))
            cells.append((row["length"], f"{row['search']}, time-outs", TIMEOUTS.cell(row)))
        lines += [*tables.across(f"{key['length_in']} in the reference", cells), ""]
    return [*lines, "brevity: words out over words in the reference"]


STYLES = {"best-first": (COLOURS[0], "o-"), "transition-based": (COLOURS[1], "s-")}


def _brevity_drawn(figure: figures.Figure, record: Record, _options: Record) -> None:
    """Words out over words in the reference by length, in words and in units."""
    panels = grouped(record["rows"], ("length_in",))
    every = figures.side_by_side(figure, len(panels))
    for axes, (key, rows) in zip(every, panels):
        for search, mine in grouped([row for row in rows if row["length"] != "all"], ("search",)):
            colour, mark = STYLES[search["search"]]
            heights = [float("nan") if not row["sentences"] else row["brevity"] for row in mine]
            axes.plot(range(len(mine)), heights, mark, color=colour, label=search["search"])
            names = [f"{row['length'].replace('-', '–')}\n({row['sentences']})" for row in mine]
        axes.set_xticks(range(len(names)), names, fontsize=8)
        axes.set_xlabel(f"{key['length_in']} in the reference (sentences)")
        plain(axes)
        axes.label_outer()
    every[-1].legend(**figures.BARE_LEGEND, loc="lower left")
    every[0].set_ylabel("brevity (words out / words in)")


# --- Table 4 --------------------------------------------------------------------------------------


def _score_rows(looked: Iterable[Looked]) -> list[Row]:
    """Precision, recall and F in percent, with 95 % intervals over the choice of sentences: a row
    for each kind of spans and each cut of Table 4. Of the search's own spans, gold ones too, each
    counts once a sentence: a beam holds the same one in many states."""
    keys = [(which, least) for which in (DERIVATION, TREE, KEPT) for least in LEAST]
    tallies: dict[tuple[str, int], list[metric.SpanTally]] = {key: [] for key in keys}
    for one in looked:
        for which, least in keys:
            both: list[Iterable[metric.Span]] = [one.spans(which, least), one.gold(which, least)]
            tally = metric.SpanTally()
            tally.add(*map(dict.fromkeys, both) if which == KEPT else both)
            tallies[which, least].append(tally)
    return [
        {"spans": which, "least_units": least, "below": below, **_scores(mine, below)}
        for (which, least), mine in tallies.items()
        for below in metric.CUTS
    ]


def _scores(tallies: Sequence[metric.SpanTally], below: int) -> Row:
    counted = [tally.score(below)[3:] for tally in tallies]
    score = metric.SpanScore.of(*map(sum, zip(*counted)))
    right, made, gold = (list(column) for column in zip(*counted))
    both = [[2 * count for count in right], [one + other for one, other in zip(made, gold)]]
    parts = {"precision": [right, made], "recall": [right, gold], "f1": both}
    ends = metric.score_intervals(counted)
    ends["f1"] = ends.pop("f")
    return {
        **rounded({"precision": score.precision, "recall": score.recall, "f1": score.f}),
        **{f"{name}_interval": [round(x, DIGITS) for x in pair] for name, pair in ends.items()},
        "right": score.right,
        "spans_made": score.made,
        "spans_gold": score.gold,
        SENTENCE_SCORES: {name: [{"parts": one}] for name, one in parts.items()},
    }


SCORES = {"precision": "P", "recall": "R", "f1": "F"}
PAPERS = {"precision": "precision", "recall": "recall", "f1": "f"}


def _spans_description(row: Record) -> str:
    return f"{KINDS[row['spans']]}, {tables.units_description(row['least_units'])}"


def _ends(rows: Rows) -> list[str]:
    firsts = [mine[0] for _, mine in grouped(rows, ("search",))]
    stopped = [f"{row['search']} {row['timeouts']:.1%}" for row in firsts]
    return [f"{firsts[0]['sentences']} sentences; stopped by a limit: {', '.join(stopped)}", ""]


def _score_lines(record: Record) -> list[str]:
    lines = _ends(record["rows"])
    for key, mine in grouped(record["rows"], ("spans", "least_units")):
        cells = []
        for row, name in product(mine, SCORES):
            beside = _paper_score(record, row, name)
            paper = "" if beside is None else f" ({beside:.1f})"
            column = f"{row['search']} {SCORES[name]}"
            cells.append((f"< {row['below']}", column, f"{row[name]:.1f}{paper}"))
        lines += [f"spans {_spans_description(key)}", *tables.across("words", cells), ""]
    return [*lines, "percent; in brackets the paper's, which may have counted other spans"]


def _paper_score(record: Record, row: Record, name: str) -> float | None:
    """The paper's precision, recall or F for the search and the cut of a row, if it has one."""
    if row["spans"] == KEPT:  # a search has more spans than its output; the paper has fewer
        return None
    return tables.printed(record, row, PAPERS.values()).get(PAPERS[name])


def _scores_drawn(figure: figures.Figure, record: Record, _options: Record) -> None:
    """Precision, recall and F by the greatest length; spans of two units or more."""
    chosen = [row for row in record["rows"] if row["least_units"] == 2 and row["spans"] != KEPT]
    lines = {DERIVATION: "-", TREE: ":"}
    figure.set_size_inches(9.6, 5)
    panels = figures.side_by_side(figure, len(SCORES))
    for axes, name, title in zip(panels, SCORES, ("precision", "recall", "F")):
        for i, (key, rows) in enumerate(grouped(chosen, ("search", "spans"))):
            colour, mark = STYLES[key["search"]]
            places = [x + 0.09 * (i - 1.5) for x in range(len(rows))]  # side by side
            style: Row = {"fmt": mark[0] + lines[key["spans"]], "ms": 4, "lw": 1.2, "color": colour}
            style["label"] = f"{key['search']}, {KINDS[key['spans']]}"
            heights, ends = [row[name] for row in rows], figures.interval_bars(rows, name)
            axes.errorbar(places, heights, ends, capsize=2, **style)
            points = [_paper_score(record, row, name) for row in rows]
            known = [point for point in points if point is not None]
            if key["spans"] == DERIVATION and known == points:  # the paper's line is drawn once
                open_: Row = {"mfc": "none", "ms": 5, "lw": 1.2, "color": colour, "alpha": 0.6}
                axes.plot(range(len(known)), known, f"{mark[0]}--", **open_)
        axes.set_xticks(range(len(rows)), [f"< {row['below']}" for row in rows])
        axes.set(xlabel="words in the span", title=title)
        plain(axes)
    panels[0].set_ylabel("percent")
    paper: Row = {"color": figures.OF_PAPER, "label": "the paper, on its own data"}
    panels[0].plot([], [], "o--", mfc="none", **paper)
    figures.legend_below(figure, panels[:1], 3)


# --- Figure 9 -------------------------------------------------------------------------------------


def _length_rows(looked: Iterable[Looked]) -> list[Row]:
    """What share of the spans has which length, a row for each kind of spans and each length. Here
    every span counts as often as the search made or kept it. ``length`` 31 is 31 and more. Of the
    output's derivation each sentence's spans are kept, and one more row, of all lengths, has how
    far a sentence's are from its gold ones in the mean."""
    tallies = {(which, least): metric.SpanTally() for which in KINDS for least in LEAST}
    each: dict[int, list[metric.SpanTally]] = {least: [] for least in LEAST}
    for one in looked:
        for least, mine in each.items():
            mine.append(metric.SpanTally())
            mine[-1].add(one.spans(DERIVATION, least), one.gold(DERIVATION, least))
        for (which, least), tally in tallies.items():
            tally.add(one.spans(which, least) if which != MADE else (), one.gold(which, least))
            if which == MADE and one.search is not None:  # nobody asks for the words of all these
                for length, times in enumerate(
                    one.search.made if least == 1 else one.search.joined
                ):
                    metric.count_length(tally.made, length, times)
    return [
        {
            "spans": which,
            "least_units": least,
            "length": length,
            "number": sum(tally.made[_lengths(length)]),
            "share": round(ours, 6),
            "gold_share": round(gold, 6),
            **(_kept_shares(each[least], _lengths(length)) if which == DERIVATION else {}),
        }
        for (which, least), tally in tallies.items()
        for length, (ours, gold) in enumerate(
            zip(metric.shares(tally.made, LONGEST), metric.shares(tally.gold, LONGEST)), 1
        )
    ] + [
        {"spans": DERIVATION, "least_units": least, "length": "all", **_far_from_gold(mine)}
        for least, mine in each.items()
    ]


def _lengths(length: int) -> slice:
    return slice(length, None if length > LONGEST else length + 1)


def _kept_shares(each: Sequence[metric.SpanTally], lengths: slice) -> Row:
    """Of each sentence how many spans have these lengths, and how many there are."""
    counts = np.array([[sum(one.made[lengths]), sum(one.made)] for one in each])
    return {SENTENCE_SCORES: {"share": [{"parts": packed(counts)}]}}


def _far_from_gold(each: Sequence[metric.SpanTally]) -> Row:
    """The total variation between the lengths of a sentence's spans and of its gold ones: the mean,
    and each; 1 of a sentence without a span."""
    far = [
        metric.total_variation(*(metric.shares(one, LONGEST) for one in (both.made, both.gold)))
        if any(both.made)
        else 1.0
        for both in each
        if any(both.gold)
    ]
    values = [round(one, DIGITS) for one in far]
    kept = {"total_variation": [{"values": values}]}
    number = sum(sum(one.made) for one in each)
    return {"number": number, "total_variation": round(mean(far), DIGITS), SENTENCE_SCORES: kept}


def _of_length(rows: Rows) -> Rows:
    """Without the rows of all lengths."""
    return [row for row in rows if row["length"] != "all"]


def _distances(rows: Rows) -> list[Row]:
    """How far each distribution of lengths is from gold's, from 0 to 1 in both measures."""
    found = []
    for key, mine in grouped(rows, ("system", "search", "spans", "least_units")):
        ours, gold = [row["share"] for row in mine], [row["gold_share"] for row in mine]
        if any(ours) and any(gold):
            far = {"total_variation": metric.total_variation(ours, gold)}
            far["jensen_shannon"] = metric.jensen_shannon(ours, gold)
            found.append({**key, **rounded(far), "number": sum(row["number"] for row in mine)})
    return found


def _distance_lines(record: Record) -> list[str]:
    cells = [
        (_spans_description(one), f"{one['search']}{sign}", f"{one[name]:.3f}")
        for name, sign in (("total_variation", ""), ("jensen_shannon", ", JS"))
        for one in record["distances"]
    ]
    return [
        *_ends(record["rows"]),
        *tables.across("how far from gold, total variation", cells),
        "",
        "0: the same lengths; 1: none in common. JS: Jensen-Shannon, base 2",
    ]


def _lengths_drawn(figure: figures.Figure, record: Record, _options: Record) -> None:
    """The share of spans of each length; a column for each kind of spans, a row without singles."""
    figure.set_size_inches(11, 6.4)
    of = ("search", "spans", "least_units")
    far = {tuple(key.values()): mine[0] for key, mine in grouped(record["distances"], of)}
    shown = [row for row in _of_length(record["rows"]) if row["spans"] != MADE]
    rows = [row for row in shown if row["length"] <= LONGEST]
    grid = figure.subplots(2, 3, sharex=True, sharey="row")
    for axes, (key, mine) in zip(grid.T.flat, grouped(rows, of[1:])):
        for search, line in grouped(mine, ("search",)):
            colour, mark = STYLES[search["search"]]
            gap = far.get((search["search"], *key.values()))
            more = "" if gap is None else f", {gap['total_variation']:.2f} from gold"
            points = [row["length"] for row in line], [row["share"] for row in line]
            style = {"color": colour, "label": search["search"] + more}
            axes.plot(*points, mark, ms=3, lw=1.2, **style)
        axes.plot(points[0], [r["gold_share"] for r in line], "k--", lw=1.2, label="gold")
        axes.set_title(_spans_description(key).replace(", ", ",\n"), fontsize=9)
        axes.legend(**figures.BARE_LEGEND)
        plain(axes)
    for axes in grid[-1]:
        axes.set_xlabel("words in the span")
    for axes in grid[:, 0]:
        axes.set_ylabel("share of spans")


MEASURES = (
    _OfSpans(
        "brevity",
        make=partial(_of_looks, _brevity_rows, False),
        report=_brevity_lines,
        pictures={"brevity": _brevity_drawn},
    ),
    _OfSpans(
        "spans",
        make=partial(_of_looks, _score_rows, True),
        report=_score_lines,
        pictures={"span-scores": _scores_drawn},
    ),
    _OfSpans(
        "span-lengths",
        make=partial(_of_looks, _length_rows, True),
        report=_distance_lines,
        pictures={"span-lengths": _lengths_drawn},
    ),
)


# --- a look at what two systems make of the same sentences ----------------------------------------


class Looked(NamedTuple):
    """A sentence, what came of its bag, and the spans of the search, if they were asked for."""

    sentence: Sentence
    result: Result
    search: SpanTrace | None = None

    @property
    def timed_out(self) -> bool:
        """Whether a limit stopped the search."""
        return self.result.stopped in LIMITS

    def spans(self, which: str, least: int = 1) -> list[metric.Span]:
        """The spans that were kept, of the derivation, or of the tree; not those only made. Raises
        ``ValueError`` for other spans, and for those of a search that nobody looked at."""
        units = self.result.units
        if which == DERIVATION:
            return metric.derivation_spans(units, self.result.actions, least)
        if which == TREE:
            return metric.subtree_spans(units, self.result.tree.heads, least)
        if which != KEPT or self.search is None:
            raise ValueError(f"the words of the spans {which!r} are not known here")
        return [span for span in self.search.spans if span.units >= least]

    def gold(self, which: str, least: int = 1) -> list[metric.Span]:
        """The gold spans beside them."""
        tokens = self.sentence.tokens
        units, heads = [one.words for one in tokens], [one.head for one in tokens]
        return (metric.subtree_spans if which == TREE else metric.built_spans)(units, heads, least)


def looks(
    model: OrderingModel, sentences: Sentences, run: Record | None = None, trace: bool = True
) -> Iterator[Looked]:
    """Order the bag of each sentence as in training, with or without the spans of its search.
    ``run`` has settings of the search, as in a specification. Raises as ``model.order``."""
    task, options = bags_of_run(model, run or {})
    look = partial(_look, task, options, trace)
    return map_in_order(look, sentences, what="ordering", model=model)


def _look(
    task: Callable[[Sentence], WordBag],
    options: Record,
    trace: bool,
    model: OrderingModel,
    sentence: Sentence,
) -> Looked:
    spans = SpanTrace() if trace else None
    return Looked(sentence, model.order(task(sentence), trace=spans, **options), spans)


# --- the spans that a search puts together, with their words, taken from its events ---------------


class SpanTrace:
    """A trace for one search of either system.

    ``spans`` are those that it kept: of the edges that entered the chart or were a goal, or of the
    states that entered a beam. ``made`` counts all edges, or all candidates, by length: entry ``i``
    is how many have ``i`` words. ``joined`` counts those of them with two units or more. No event
    is kept: a long best-first search makes half a million.
    """

    def __init__(self) -> None:
        self.spans: list[metric.Span] = []
        self.made: list[int] = []
        self.joined: list[int] = []
        self._units: list[str] = []
        self._edges: list[_Edge] = [_Edge(0, 0, 0, False)]
        self._words: dict[int, metric.Span] = {}
        self._before: dict[
            int, tuple[metric.Span, ...]
        ] = {}  # the stacks of a step and of the next
        self._after: dict[int, tuple[metric.Span, ...]] = {0: ()}
        self._candidates: dict[int, tuple[int, str]] = {}
        self._shift = cache(self._shifted)

    def __getattr__(self, kind: str) -> Callable[..., None]:
        if kind.startswith("_"):
            raise AttributeError(kind)
        return partial(self._event, kind)

    def __getstate__(self) -> Row:  # for another process, when the search is over
        return {"spans": self.spans, "made": self.made, "joined": self.joined}

    def _event(self, kind: str, *values: Any) -> None:
        match kind, *values:
            case "begin", units, *_:
                self._units = list(units)
            case "alternatives", _, forms:  # SHIFT names these, too
                self._units.extend(forms)
            case "leaf", serial, _, form, *_:
                self._words[serial] = metric.Span(tuple(form.split(" ")))
                self._made(_Edge(0, 0, len(self._words[serial].words), False))
            case "edge", _, left, right, *_:  # a unary one is the same span again
                one, other = self._edges[left], self._edges[right]
                self._made(_Edge(left, right, one.length + other.length, right > 0 or one.joined))
            case (("charted" | "goal"), serial, *_):
                self.spans.append(self._span(serial))
            case "step", _:
                self._before, self._candidates, self._after = self._after, {}, {}
            case "candidate", serial, parent, action, _:  # a new span on top of the stack
                self._candidates[serial] = parent, action
                self._count(len(self._top(parent, action).words), action in metric.JOINS)
            case "kept", serial, _:
                parent, action = self._candidates[serial]
                stack = self._before[parent]
                rest = stack[:-2] if action in metric.JOINS else stack
                self._after[serial] = (*rest, self._top(parent, action))
                self.spans.append(self._after[serial][-1])

    def _count(self, length: int, joined: bool) -> None:
        for counts in (self.made, self.joined) if joined else (self.made,):
            metric.count_length(counts, length)

    def _made(self, edge: _Edge) -> None:
        self._edges.append(edge)
        self._count(edge.length, edge.joined)

    def _span(self, serial: int) -> metric.Span:
        """The words of an edge: of most nobody asks for them."""
        if serial not in self._words:
            left, right, *_ = self._edges[serial]  # popped edges are of charted ones: no deep call
            span = self._span(left)
            self._words[serial] = span.join(self._span(right)) if right else span
        return self._words[serial]

    def _top(self, parent: int, action: str) -> metric.Span:
        if action in metric.JOINS:
            left, right = self._before[parent][-2:]
            return left.join(right)
        return self._shift(action)

    def _shifted(self, action: str) -> metric.Span:
        unit, _ = shifted(action, self._units)
        return metric.Span(tuple(unit.split(" ")))


class _Edge(NamedTuple):
    """Its parts by their serials, 0 for none; its words, and whether it has two units or more."""

    left: int
    right: int
    length: int
    joined: bool
