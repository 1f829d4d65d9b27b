"""The rows of Liu et al. 2015, Figure 8, Table 4 and Figure 9: brevity, right spans, their lengths.

``span_looks`` says what ``spans`` and ``least_units`` of a row mean.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from wordorder_lab.experiments.conditions import grouped
from wordorder_lab.experiments.span_looks import (
    DERIVATION,
    KEPT,
    MADE,
    TREE,
    Looked,
    looks,
)
from wordorder_lab.experiments.specification import search_of
from wordorder_lab.metrics.ordering import LIU_2015_FIGURE_8_BINS, brevity
from wordorder_lab.metrics.significance import SAMPLES, SEED
from wordorder_lab.metrics.spans import (
    CUTS,
    Span,
    SpanScore,
    SpanTally,
    count_length,
    jensen_shannon,
    score_intervals,
    shares,
    total_variation,
)
from wordorder_lab.structures.sentence import Sentence
from wordorder_lab.systems.ordering_model import OrderingModel

LEAST = (1, 2)
LONGEST = 30
"""Figure 9 goes to this length; one more row has all longer spans."""

Row = dict[str, Any]


# --- Figure 8 ---------------------------------------------------------------------------------


def brevity_rows(looked: Iterable[Looked]) -> list[Row]:
    """Words out over words in the reference, a row a bin of Figure 8 and one for all.

    The paper does not say whether a base NP counts as one word in the bins: ``length_in`` is
    "words" where it does not, "units" where it does. Brevity itself counts words.
    """
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
    whole = sum(one.result.is_whole for one in looked)
    return {
        "sentences": len(looked),
        "brevity": round(brevity(*texts), 4),
        "timeouts": round(sum(one.timed_out for one in looked) / len(looked), 4),
        "no_goal": round(1 - whole / len(looked), 4),
    }


# --- Table 4 ----------------------------------------------------------------------------------


def score_rows(looked: Iterable[Looked]) -> list[Row]:
    """Precision, recall and F in percent, a row for each kind of spans and each cut of Table 4.

    Of the search's own spans, gold ones too, each counts once a sentence: a beam holds the same one
    in many states. The intervals are 95 %, over the choice of sentences.
    """
    keys = [(which, least) for which in (DERIVATION, TREE, KEPT) for least in LEAST]
    tallies: dict[tuple, list[SpanTally]] = {key: [] for key in keys}
    for one in looked:
        for which, least in keys:
            tally = SpanTally()
            ours, gold = one.spans(which, least), one.gold(which, least)
            tally.add(*map(_once, (ours, gold)) if which == KEPT else (ours, gold))
            tallies[which, least].append(tally)
    return [
        {
            "spans": which,
            "least_units": least,
            "below": below,
            **_scores(tallies[which, least], below),
        }
        for which, least in keys
        for below in CUTS
    ]


def _once(spans: Sequence[Span]) -> list[Span]:
    return list(dict.fromkeys(spans))


def _scores(tallies: Sequence[SpanTally], below: int) -> Row:
    counted = [tally.score(below)[3:] for tally in tallies]
    score = SpanScore.of(*map(sum, zip(*counted)))
    ends = score_intervals(counted)
    counts = {"right": score.right, "spans_made": score.made, "spans_gold": score.gold}
    named = {"precision": "precision", "recall": "recall", "f": "f1"}
    return {
        **{ours: round(getattr(score, name), 4) for name, ours in named.items()},
        **{f"{named[name]}_interval": [round(x, 4) for x in pair] for name, pair in ends.items()},
        **counts,
    }


# --- Figure 9 ---------------------------------------------------------------------------------


def length_rows(looked: Iterable[Looked]) -> list[Row]:
    """What share of the spans has which length, a row for each kind of spans and each length.

    Here every span counts as often as the search made or kept it. ``length`` 31 is 31 and more.
    """
    keys = [(which, least) for which in (MADE, KEPT, DERIVATION, TREE) for least in LEAST]
    counted: dict[tuple, tuple[list[int], list[int]]] = {key: ([], []) for key in keys}
    for one in looked:
        for (which, least), (ours, gold) in counted.items():
            for length, times in enumerate(_lengths(one, which, least)):
                count_length(ours, length, times)
            for span in one.gold(which, least):
                count_length(gold, len(span.words))
    return [
        {"spans": which, "least_units": least, **row}
        for (which, least), (ours, gold) in counted.items()
        for row in _shares(ours, gold)
    ]


def _lengths(one: Looked, which: str, least: int) -> list[int]:
    """How many spans of each length."""
    if which == MADE and one.search is not None:
        return one.search.made if least == 1 else one.search.joined
    counts: list[int] = []
    for span in one.spans(which, least):
        count_length(counts, len(span.words))
    return counts


def _shares(ours: list[int], gold: list[int]) -> list[Row]:
    pairs = zip(shares(ours, LONGEST), shares(gold, LONGEST))
    return [
        {
            "length": length,
            "number": sum(ours[length : None if length > LONGEST else length + 1]),
            "share": round(share, 6),
            "gold_share": round(right, 6),
        }
        for length, (share, right) in enumerate(pairs, 1)
    ]


def distances(rows: Sequence[Mapping[str, Any]]) -> list[Row]:
    """How far each distribution of ``length_rows`` is from gold's, from 0 to 1 in both measures."""
    names = ("system", "search", "spans", "least_units")
    found = []
    for key, mine in grouped(rows, names):
        ours, gold = [row["share"] for row in mine], [row["gold_share"] for row in mine]
        if any(ours) and any(gold):
            far = {"total_variation": total_variation(ours, gold)}
            far["jensen_shannon"] = jensen_shannon(ours, gold)
            numbers = {name: round(value, 4) for name, value in far.items()}
            found.append({**key, **numbers, "number": sum(row["number"] for row in mine)})
    return found


# --- one run ----------------------------------------------------------------------------------

ROWS: dict[str, tuple[Callable[[Iterable[Looked]], list[Row]], bool]] = {
    "brevity": (brevity_rows, False),
    "spans": (score_rows, True),
    "span-lengths": (length_rows, True),
}
"""The measures: what makes their rows, and whether the spans of the search are needed."""


def span_rows(
    measure: str, model: OrderingModel, sentences: Sequence[Sentence], run: Mapping[str, Any]
) -> list[Row]:
    """The rows of a model for one of the measures in ``ROWS``."""
    make, trace = ROWS[measure]
    search = {"search": search_of(run["system"])}
    seen = {"sentences": 0, "timed_out": 0}

    def counted() -> Iterator[Looked]:
        for one in looks(model, sentences, run, trace):
            seen["sentences"] += 1
            seen["timed_out"] += one.timed_out
            yield one

    rows = make(counted())
    timeouts = round(seen["timed_out"] / max(1, seen["sentences"]), 4)
    whole = {"sentences": seen["sentences"], "timeouts": timeouts}
    return [{**search, **whole, **row} for row in rows]


def finish_spans(record: dict[str, Any]) -> None:
    """Add what is said about all rows together."""
    if "gold_share" in record["rows"][0]:
        record["distances"] = distances(record["rows"])
    if "f1_interval" in record["rows"][0]:
        record["signatures"] = {"intervals": f"percentiles, bs:{SAMPLES}|seed:{SEED}"}
