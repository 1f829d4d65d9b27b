"""The measure "parses": labelled brackets of a parser's trees, with tags given and guessed.

After Klein & Manning (2003, Accurate Unlexicalized Parsing), which is not before us: its tables of
vertical and horizontal orders and of the final grammar, as we remember them. A run reads a grammar
off a treebank's train trees and parses one split twice: each word with its gold tag, and words
alone. So it has two rows, ``tags = "given"`` and ``tags = "guessed"``. Brackets are counted by
EVALB's conventions (``metrics/evalb``), of all sentences and, in the columns ``..._short``, of
those of up to 40 words. Every row keeps what each sentence adds to F1.

Differences
- *Our reading*: the length of a sentence counts all its words, punctuation too.
- *Our reading*, the paper's plain grammar: its rules have no end (h infinite); here a rule
  remembers nine sisters, the most that our settings allow.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

from wordorder_lab.corpora.treebanks import load_treebank
from wordorder_lab.experiments.measures import figures, measure, tables
from wordorder_lab.experiments.measures.figures import COLOURS, plain
from wordorder_lab.experiments.measures.tables import Column, Record, Row, columns, grouped
from wordorder_lab.experiments.runs.ordering_evaluate import DIGITS
from wordorder_lab.experiments.runs.parse_evaluate import SHORT, parses_of, short_enough_to_parse
from wordorder_lab.experiments.runs.settings import learned_on
from wordorder_lab.experiments.runs.training import train_timed
from wordorder_lab.metrics.evalb import BracketScores, bracket_scores
from wordorder_lab.metrics.significance import SENTENCE_SCORES
from wordorder_lab.structures.plain_tree import Tree
from wordorder_lab.systems.parser import Parse

GIVEN, GUESSED = "given", "guessed"
"""The column ``tags``: each word has its gold tag, or the parser finds them."""
BINS = ((1, 10), (11, 20), (21, 30), (31, 40), (41, None))
BRACKETS = ("f1", "precision", "recall", "exact_match")


class _Parses(measure.Measure):
    """Two rows for each run: tags given, and tags guessed."""

    task: ClassVar[str] = "parse"
    has_papers: ClassVar[bool] = True

    def line(self, row: Record) -> str:
        return f"{row['corpus']} {row['split']}, {_row_name(row)}: F1 {row['f1']:.2%}"

    def rows(self, setup: measure.Setup) -> list[Row]:
        run, cut, search = setup.run, setup.cut, setup.search
        parser, seconds = train_timed(run, cut(load_treebank(learned_on(run)).train))
        wanted = cut(load_treebank(run["corpus"]).split(run["split"]))
        gold = short_enough_to_parse(wanted)
        parser.parse(gold[0][1].leaves()[:1], **search)  # compiles before the clock starts
        first = {
            **run,
            "learned_on": learned_on(run),
            "trees": parser.settings["trees"],
            "training_seconds": round(seconds, 2),
            "left_out": len(wanted) - len(gold),
        }
        rows = []
        for tags in (GIVEN, GUESSED):
            parses, spent = parses_of(parser, gold, tags == GIVEN, **search)
            row = {**first, "tags": tags, **brackets_row(gold, parses)}
            if row["sentences_short"]:
                row["ms_per_sentence"] = round(1000 * spent / row["sentences_short"], DIGITS)
            rows.append(row)
        return rows

    def wanted(self, specification: measure.Specification) -> Iterator[Record]:
        for run in specification.runs:
            yield from ({**run, "tags": tags} for tags in (GIVEN, GUESSED))


def brackets_row(gold: Sequence[tuple[str, Tree]], parses: Sequence[Parse]) -> Row:
    """What the parses of some sentences come to: all, the short ones, by length, and one by one."""
    each = [
        bracket_scores([tree], [parse.tree], [name]) for (name, tree), parse in zip(gold, parses)
    ]
    lengths = [len(tree.leaves()) for _, tree in gold]
    whole = BracketScores.together(each)
    short = BracketScores.together(one for one, length in zip(each, lengths) if length <= SHORT)
    scores = {name: getattr(whole, name) for name in (*BRACKETS, "tag_accuracy")}
    of_short = {f"{name}_short": getattr(short, name) for name in BRACKETS}
    parts = [[2 * one.matched for one in each], [one.gold + one.output for one in each]]
    return {
        "sentences": whole.sentences,
        "sentences_short": short.sentences,
        **measure.rounded({**scores, **of_short}),
        "fallbacks": sum(parse.fallback for parse in parses),
        "lengths": list(_by_length(each, lengths)),
        SENTENCE_SCORES: {"f1": [{"parts": parts}]},
    }


def _by_length(each: Sequence[BracketScores], lengths: Sequence[int]) -> Iterator[Row]:
    for least, most in BINS:
        inside = BracketScores.together(
            s for s, n in zip(each, lengths) if least <= n <= (most or n)
        )
        if inside.sentences:
            counts = {"sentences": inside.sentences, **measure.rounded({"f1": inside.f1})}
            yield {"least": least, "most": most, **counts}


COLUMNS = (
    Column("", lambda row: _row_name(row)),
    *columns(".2%", ("F1", "f1"), "precision", "recall", ("F1 short", "f1_short")),
    *columns(".2%", ("exact", "exact_match"), ("tags right", "tag_accuracy")),
    *columns(",", ("pieces", "fallbacks")),
    *columns(".3g", ("ms", "ms_per_sentence")),
    *columns(",", "trees"),
)
MEASURED = (*BRACKETS, *(f"{name}_short" for name in BRACKETS))
LEGEND = (
    "labelled brackets by EVALB's conventions; short: up to 40 words; exact: sentences all of",
    "whose brackets are right; pieces: sentences for which the grammar has no tree; ms: of the",
    "processor, a short sentence; v: labels in a symbol, its own and those above it; h: sisters",
    "that a half-built constituent remembers; splits: marks on labels besides",
)


def _grammar_name(row: Record) -> str:
    """What tells a grammar from others: what it was read off, and what its symbols remember."""
    marks = "splits" if row.get("splits", "all") == "all" else "no splits"
    learned = row.get("learned_on", row["corpus"])
    added = "" if learned == row["corpus"] else f", read off {learned}"
    return f"v {row.get('vertical', 2)}, h {row.get('horizontal', 1)}, {marks}{added}"


def _row_name(row: Record) -> str:
    return f"{_grammar_name(row)}, tags {row['tags']}"


def _parses_lines(record: Record) -> list[str]:
    lines = [tables.papers_data(record)]
    for key, rows in grouped(record["rows"], ("corpus", "split")):
        left = f", {rows[0]['left_out']:,} too long" if rows[0]["left_out"] else ""
        short = f"{rows[0]['sentences_short']:,} of them short"
        where = " ".join(key.values())
        lines += ["", f"{where}: {rows[0]['sentences']:,} sentences{left}, {short}"]
        lines += tables.beside_paper(record, COLUMNS, rows, MEASURED)
    cells = [
        (f"{row['split']}, {_row_name(row)}", _length_name(one), f"{one['f1']:.1%}")
        for row, mine in tables.placed(record, "lengths")
        for one in mine
    ]
    return [*lines, *LEGEND, "", *tables.across("F1 by length", cells)]


def _length_name(one: Record) -> str:
    return f"{one['least']}-{one['most']}" if one["most"] else f"over {one['least'] - 1}"


def _by_length_drawn(figure: figures.Figure, record: Record, options: Record) -> None:
    """A panel for each grammar of one split: F1 by length, tags given against guessed."""
    lengths = tables.placed(record, "lengths")
    rows = [(row, bins) for row, bins in lengths if row["split"] == options["split"]]
    names = list(dict.fromkeys(_grammar_name(row) for row, _ in rows))
    figure.set_size_inches(max(6.4, 3.1 * len(names)), 4.2)
    panels = figures.side_by_side(figure, len(names))
    for axes, name in zip(panels, names):
        for row, bins in ((row, bins) for row, bins in rows if _grammar_name(row) == name):
            colour, style = LOOKS[row["tags"]]
            scores, label = [100 * one["f1"] for one in bins], f"tags {row['tags']}"
            axes.plot(range(len(bins)), scores, style, color=colour, label=label)
            axes.set_xticks(range(len(bins)), map(_length_name, bins), fontsize=7, rotation=40)
        axes.set_title(name.replace(", read", ",\nread"), fontsize=9)
        axes.set_xlabel("words of the sentence")
        plain(axes)
    panels[0].set_ylabel("F1 of labelled brackets, %")
    panels[0].legend(**figures.LEGEND)


LOOKS = {GIVEN: (COLOURS[0], "o-"), GUESSED: (COLOURS[1], "s--")}
MEASURES = (
    _Parses(
        "parses",
        report=_parses_lines,
        pictures={"parses-by-length": _by_length_drawn},
        apart=("lengths",),
    ),
)
