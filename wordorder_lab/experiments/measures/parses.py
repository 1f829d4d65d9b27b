"""The measure "parses": labelled brackets of a parser's trees, with tags given and guessed.

After Klein & Manning (2003, Accurate Unlexicalized Parsing), which is not before us: its tables of
vertical and horizontal orders and of the final grammar, as we remember them. A run reads a grammar
off a treebank's train trees and parses one split twice: each word with its gold tag, and words
alone. So it has two rows, ``tags = "given"`` and ``tags = "guessed"``. Brackets are counted by
EVALB's conventions (``metrics/evalb``), of all sentences and, in the columns ``..._short``, of
those of up to 40 words.

Every row keeps for each sentence twice the matched brackets and the brackets of both trees: F1 is
the ratio of their sums, so two rows are compared by drawing sentences (``metrics/paired_tests``).

Differences
- *Our reading*: the length of a sentence counts all its words, punctuation too.
- *Our reading*, the paper's plain grammar: its rules have no end (h infinite); here a rule
  remembers nine sisters, the most that our settings allow.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from wordorder_lab.corpora.treebanks import load_treebank
from wordorder_lab.experiments.measures.measure import (
    Cut,
    Draw,
    Measure,
    Record,
    Row,
    Specification,
    Work,
)
from wordorder_lab.experiments.measures.parses_report import (
    GIVEN,
    GUESSED,
    parses_by_length,
    parses_lines,
    short_name,
)
from wordorder_lab.experiments.runs.evaluate import DIGITS
from wordorder_lab.experiments.runs.parse_evaluate import (
    SHORT,
    parses_of,
    short_enough_to_parse,
)
from wordorder_lab.experiments.runs.parser_run import learned_on, train_parser
from wordorder_lab.experiments.runs.training import SpecificationError, for_search
from wordorder_lab.metrics.evalb import BracketScores, bracket_scores
from wordorder_lab.metrics.significance import SENTENCE_SCORES
from wordorder_lab.systems.names import PARSERS

if TYPE_CHECKING:
    from nltk.tree import Tree

    from wordorder_lab.systems.parser import Parse

UP_TO = (10, 20, 30, 40)
"""Sentences are put together by length, ten words at a time; the last have more than these."""
BRACKETS = ("f1", "precision", "recall", "exact_match")


@dataclass(frozen=True)
class Parses(Measure):
    """Two rows for each run: tags given, and tags guessed."""

    has_papers: ClassVar[bool] = True

    def check(self, specification: Specification) -> None:
        """Every system is a parser."""
        for run in specification.runs:
            if run["system"] not in PARSERS:
                raise SpecificationError(
                    f"{run['system']} cannot be measured by {self.name!r}: it makes no trees of "
                    f"sentences; take {', '.join(PARSERS)}"
                )

    def run(self, specification: Specification, record: Row, work: Work) -> None:
        """As other measures; what is said of a run is its brackets."""

        def show(_: str) -> None:
            work.show(_said(record["rows"][-1]))

        super().run(specification, record, work._replace(show=show))

    def rows(self, specification: Specification, cut: Cut, run: Mapping[str, Any]) -> list[Row]:
        """The rows of one run; ``cut`` leaves trees away. Raises ``CorpusError`` for no trees."""
        parser, seconds = train_parser(run, cut(load_treebank(learned_on(run)).train))
        wanted = cut(load_treebank(run["corpus"]).split(run["split"]))
        gold = short_enough_to_parse(wanted)
        how = {"engine": run.get("engine"), **for_search(run)}
        parser.parse(gold[0][1].leaves()[:1], **how)  # compiles before the clock starts
        told = {
            **run,
            "learned_on": learned_on(run),
            "trees": parser.settings["trees"],
            "training_seconds": round(seconds, 2),
            "left_out": len(wanted) - len(gold),
        }
        rows = []
        for tags in (GIVEN, GUESSED):
            parses, spent = parses_of(parser, gold, tags == GIVEN, **how)
            row = {**told, "tags": tags, **brackets_row(gold, parses)}
            if row["sentences_short"]:
                row["ms_per_sentence"] = round(1000 * spent / row["sentences_short"], DIGITS)
            rows.append(row)
        return rows

    def finish(self, record: Row) -> None:
        """Keep the lengths apart: each says the place of its row."""
        every = [(place, row.pop("lengths")) for place, row in enumerate(record["rows"])]
        record["lengths"] = [{"row": place, **one} for place, lengths in every for one in lengths]

    def wanted(self, specification: Specification) -> Iterator[Record]:
        """Both rows of each run."""
        for run in specification.runs:
            for tags in (GIVEN, GUESSED):
                yield {**run, "tags": tags}

    def text(self, record: Record) -> str:
        """A line for each row, the paper's values beside it, and F1 by length."""
        return "\n".join(parses_lines(record))

    def figures(self) -> dict[str, Draw]:
        """F1 by the length of the sentence."""
        return {**super().figures(), "parses-by-length": parses_by_length}


MEASURES = (Parses("parses"),)


def brackets_row(gold: Sequence[tuple[str, Tree]], parses: Sequence[Parse]) -> Row:
    """What the parses of some sentences come to: all, the short ones, by length, and one by one."""
    each = [
        bracket_scores([tree], [parse.tree], [name]) for (name, tree), parse in zip(gold, parses)
    ]
    lengths = [len(tree.leaves()) for _, tree in gold]
    whole = together(each)
    short = together(one for one, length in zip(each, lengths) if length <= SHORT)
    return {
        "sentences": whole.sentences,
        "sentences_short": short.sentences,
        **{name: round(getattr(whole, name), DIGITS) for name in BRACKETS},
        **{f"{name}_short": round(getattr(short, name), DIGITS) for name in BRACKETS},
        "tag_accuracy": round(whole.tag_accuracy, DIGITS),
        "fallbacks": sum(parse.fallback for parse in parses),
        "lengths": list(_by_length(each, lengths)),
        SENTENCE_SCORES: {
            "f1": [{"parts": [[2 * one.matched for one in each], [_both(one) for one in each]]}]
        },
    }


def together(scores: Iterable[BracketScores]) -> BracketScores:
    """The counts of several sentences added up; of none, nothing but zeros."""
    columns = zip(*map(astuple, scores))
    return BracketScores(*([sum(column) for column in columns] or [0] * 7))


def _both(one: BracketScores) -> int:
    return one.gold + one.output


def _by_length(each: Sequence[BracketScores], lengths: Sequence[int]) -> Iterator[Row]:
    """A row for each ten words of length that some sentence has; the last has no end."""
    least = 1
    for most in (*UP_TO, None):
        inside = together(
            one for one, n in zip(each, lengths) if least <= n and (most is None or n <= most)
        )
        if inside.sentences:
            yield {
                "least": least,
                "most": most,
                "sentences": inside.sentences,
                "f1": round(inside.f1, DIGITS),
            }
        least = (most or 0) + 1


def _said(row: Record) -> str:
    brackets = f"F1 {row['f1']:.2%} with tags {row['tags']}"
    return f"{row['corpus']} {row['split']}, {short_name(row)}: {brackets}"
