"""The measure "compressors": systems that make real sentences shorter, side by side.

Cohn & Lapata (2009), sections 6.1 and 7. Every run is scored at one compression rate or several: at
its own, at that of the references, and at the one that McDonald's system comes to, since who
deletes less makes fewer mistakes. Each of these gives two rows: ``of = "strings"``, where the words
of the output are parsed anew, as section 5.3 has it for all systems alike, and ``of = "trees"``,
where relations are read off the tree that the system itself has made.

The rate is brought about by a bonus for each word, which is found on the part that chooses C
(``runs.compressors``); what is scored is then made shorter with the same bonus.

Relations of references and of reparsed outputs come from the default parser, whichever parser's
trees a run was given: so runs with trees of other parsers are measured by one yardstick. A pair
that the default parser refuses is ``left_out``, and counted.

The bonus is found on one part and used on another, so the rates there are near each other, not
equal: rows keep how many words each sentence was left, and a claim can ask whether two rates are
alike.

Differences
- *Our reading*, section 7 and footnote 17: the paper comes to McDonald's rate by scaling the length
  penalty of the loss and training anew; we add a bonus for each word to a trained model.
- *Our reading*, section 5.3: the paper's relations are RASP's, directed and labelled, ours are read
  off a parse by head rules, without labels (``relation_f1_labelled`` has them).
- *Paper silent*: which of several annotators counts. Here each does, and their mean is the score.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from wordorder_lab.experiments.measures.compressors_report import (
    GOLD,
    MCDONALD,
    OWN,
    STRINGS,
    TREES,
    compressor_lines,
    rates_and_scores,
)
from wordorder_lab.experiments.measures.measure import (
    Cut,
    Draw,
    Measure,
    Record,
    Row,
    Specification,
    Work,
    row_said,
)
from wordorder_lab.experiments.runs.compression_evaluate import gave_up, match_rate, shorten
from wordorder_lab.experiments.runs.corpora import Parts, pairs_of, parser_called, parts_of
from wordorder_lab.experiments.runs.evaluate import DIGITS
from wordorder_lab.experiments.runs.schema import LEARNING, RATES, SpecificationError
from wordorder_lab.experiments.runs.settings import (
    DEFAULT,
    FIRST_CLAUSE,
    KEEP_ALL,
    RANDOM_DELETION,
    UNTRAINED,
    check_learning,
    for_search,
)
from wordorder_lab.experiments.runs.training import Chosen, compressor_of
from wordorder_lab.metrics.compression import (
    compression_rate,
    corpus_ngram_f1,
    gold_rate,
    score_compressions,
)
from wordorder_lab.metrics.compression_floors import first_clause, keep_all, random_deletion
from wordorder_lab.metrics.relations import relation_f1
from wordorder_lab.metrics.reparsed import score_reparsed
from wordorder_lab.metrics.significance import SAMPLES, SEED, SENTENCE_SCORES
from wordorder_lab.structures.compression import prepared, prepared_pair, presented
from wordorder_lab.systems.cohn_lapata_2009_training import Settings
from wordorder_lab.systems.parsed_pairs import parse_of
from wordorder_lab.transduction.losses import compression_loss

if TYPE_CHECKING:
    from nltk.tree import Tree

    from wordorder_lab.structures.compression import CompressionPair

THERE_ARE = (OWN, GOLD, MCDONALD)
"""The compression rates at which a system may be scored."""
MCDONALDS = "mcdonald-2006"
RELATIONS = ("relation_f1", "relation_precision", "relation_recall", "relation_f1_labelled")
WORDS = ("unigram_f1", "fourgram_f1", "exact_match")
"""Scores that know nothing of trees."""

Pairs = Sequence["CompressionPair"]
Shorten = Callable[[Pairs, float], list["Tree"]]
"""Sources made shorter with a bonus for each word."""


class OneAfterTheOther(Measure):
    """What has few runs and long trainings: these share out the processes, not the runs."""

    shortens: ClassVar[bool] = True
    passes: ClassVar[str] = "max_iterations"

    def run(self, specification: Specification, record: Row, work: Work) -> None:
        """Add the rows of all runs that are not done yet; raises as ``rows_with``."""
        for run in specification.runs[len(record["runs"]) :]:
            rows = self.rows_with(work.jobs, specification, work.cut, run)
            record["runs"].append(len(rows))
            record["rows"] += rows
            work.keep()
            for row in rows:
                work.show(row_said(row))

    def rows_with(
        self, jobs: int, specification: Specification, cut: Cut, run: Mapping[str, Any]
    ) -> list[Row]:
        """The rows of one run, learned with so many processes."""
        raise NotImplementedError(f"the measure {self.name!r} does not say what its rows are")


@dataclass(frozen=True)
class Compressors(OneAfterTheOther):
    """Two rows for each run and rate: relations of strings that were parsed anew, and of trees."""

    has_papers: ClassVar[bool] = True

    def check(self, specification: Specification) -> None:
        """Besides, what chooses is not scored, and McDonald's rate needs his system."""
        super().check(specification)
        for run in specification.runs:
            check_learning(run)
        check_rates(specification)

    def rows_with(
        self, jobs: int, specification: Specification, cut: Cut, run: Mapping[str, Any]
    ) -> list[Row]:
        """The rows of one run; ``cut`` leaves pairs away."""
        parts = parts_of(run, cut)
        every = cut(pairs_of(run["corpus"], run.get("parser")).split(run["split"]))
        scored, golds = _golds(run, every)
        counted = {**run, "left_out": len(every) - len(scored)}
        if run["system"] in UNTRAINED:
            return [row for at in _rates(run) for row in _of_floor(counted, at, scored, golds)]
        chosen = compressor_of(run, parts, jobs)
        first = {**counted, **_of_training(chosen, parts)}
        how = {"engine": run.get("engine"), **for_search(run)}
        rows: list[Row] = []
        for at in _rates(run):
            bonus = bonus_for(specification, cut, run, at, parts, chosen.model, jobs)
            done = shorten(chosen.model, [pair.source for pair in scored], **how, bonus=bonus)
            seconds = [one.seconds for one in done]
            told = {**first, "at": at, "bonus": bonus, **_times(seconds)}
            if (count := gave_up(done)) is not None:
                told["gave_up_constraints"] = count
            rows += scores_of([one.tree for one in done], golds, told)
        if len(chosen.tried) > 1:
            rows[0]["tried"] = chosen.tried
        return rows

    def finish(self, record: Row) -> None:
        """Keep the grids apart."""
        tried = [(i, row.pop("tried")) for i, row in enumerate(record["rows"]) if "tried" in row]
        record["grid"] = [{"row": i, **_rounded(one)} for i, many in tried for one in many]
        record["signatures"] = {
            "relation_f1_interval": f"bootstrap over the sentences, {SAMPLES} samples, seed {SEED}",
        }

    def meant(self, rows: Sequence[Record], places: Sequence[int], wanted: Record) -> list[int]:
        """Strings parsed anew, at the system's own rate, unless the claim says otherwise."""
        usual = {"of": STRINGS, "at": OWN}
        return [
            i
            for i in places
            if all(name in wanted or rows[i][name] == value for name, value in usual.items())
        ]

    def text(self, record: Record) -> str:
        """The tables, one after the other."""
        return "\n".join(compressor_lines(record))

    def figures(self) -> dict[str, Draw]:
        """What each score costs in words kept."""
        return {**super().figures(), "rates-and-scores": rates_and_scores}


MEASURES = (Compressors("compressors"),)


def check_rates(specification: Specification) -> None:
    """Raise ``SpecificationError`` for a rate that there is not, or that needs another run."""
    for run in specification.runs:
        for rate in run.get(RATES, ()):
            if rate not in THERE_ARE:
                raise SpecificationError(
                    f"no rate is called {rate!r}; there are {', '.join(THERE_ARE)}"
                )
            if rate == MCDONALD:
                mcdonalds(specification, run)


def bonus_for(
    specification: Specification,
    cut: Cut,
    run: Mapping[str, Any],
    at: str,
    parts: Parts,
    model: Any,
    jobs: int = 1,
) -> float:
    """What each word must count more for a system to come to a rate on the part that chooses."""
    if at == OWN or (at == MCDONALD and run["system"] == MCDONALDS):  # his own, that is
        return 0.0
    wanted = gold_rate(parts.choose)
    if at == MCDONALD:
        other = mcdonalds(specification, run)
        theirs = parts_of(other, cut)
        sources = [pair.source for pair in theirs.choose]
        told = for_search(other)
        done = shorten(compressor_of(other, theirs).model, sources, other.get("engine"), **told)
        wanted = compression_rate([one.tree for one in done], sources)
    how = {"engine": run.get("engine"), **for_search(run)}
    return float(match_rate(model, parts.choose, wanted, jobs=jobs, **how).bonus)


def mcdonalds(specification: Specification, run: Mapping[str, Any]) -> Mapping[str, Any]:
    """The run of McDonald's system that learns from the same pairs and is scored on the same.

    Raises ``SpecificationError`` if there is none.
    """
    alike = ("corpus", *LEARNING)
    for other in specification.runs:
        if other["system"] == MCDONALDS and all(other.get(n) == run.get(n) for n in alike):
            return other
    raise SpecificationError(f"{MCDONALD!r} needs a run of {MCDONALDS} on {run['corpus']}")


def _rates(run: Mapping[str, Any]) -> Sequence[str]:
    rates: Sequence[str] = run.get(RATES, (OWN, GOLD))
    if run["system"] in UNTRAINED:  # keep-all has no other, random deletion none of its own
        return (GOLD,) if run["system"] == RANDOM_DELETION else (OWN,)
    return [at for at in rates if at != MCDONALD or run["system"] != MCDONALDS]


def _golds(run: Mapping[str, Any], every: Pairs) -> tuple[Pairs, Pairs]:
    """Those of the pairs that the default parser has trees of, too; and these, prepared."""
    usual = {pair.name: pair for pair in pairs_of(run["corpus"]).split(run["split"])}
    scored = [pair for pair in every if pair.name in usual]
    return scored, [prepared_pair(usual[pair.name]) for pair in scored]


def _of_training(chosen: Chosen, parts: Parts) -> Row:
    """What a training came to: seconds, pairs, and of a grammar its C and its rules."""
    told = chosen.model.settings
    row: Row = {"pairs": len(parts.learn)}
    if "rules" in told:
        rules = told["rules"]
        row |= {
            "C": told["C"],
            "unreachable": sum(told["unreachable"].values()),
            "rules": rules,
            "deeper_share": round(told["deeper"] / rules, DIGITS),
            "category_share": round(told["category"] / rules, DIGITS),
            "iterations": len(told["history"]),
            "gap": round((told["objective"] - told["dual"]) / told["objective"], DIGITS),
        }
    seconds = [one["training_seconds"] for one in chosen.tried]
    return {**row, "training_seconds": round(sum(seconds), 1)}


def _times(seconds: Sequence[float]) -> Row:
    ordered = sorted(seconds)
    return {
        "ms_per_sentence": round(1000 * sum(seconds) / len(seconds), DIGITS),
        "ms_median": round(1000 * ordered[len(ordered) // 2], DIGITS),
        "ms_most": round(1000 * ordered[-1], DIGITS),
    }


# --- scores ---------------------------------------------------------------------------------------


def scores_of(outputs: Sequence[Tree], golds: Pairs, told: Row) -> Iterator[Row]:
    """The row of the strings, parsed anew, and that of the trees; ``golds`` are prepared.

    Sentence by sentence both keep their F1s, and the first its words, so that any two rows can be
    compared later. An output that the default parser refuses has no relations, and is counted.
    """
    texts = [presented(list(tree.leaves())) for tree in outputs]
    again = score_reparsed(texts, golds, parse_of(parser_called(DEFAULT), texts))
    trees = [prepared(tree) for tree in outputs]
    scores = score_compressions(trees, golds)
    both = {**told, "sentences": scores.sentences}
    both |= {name: round(getattr(scores, name), DIGITS) for name in ("rate", "gold_rate")}
    lost = sum(map(_loss, trees, golds))
    yield {
        **both,
        "of": STRINGS,
        **_of_relations(again.f1, again.precision, again.recall, again.f1_labelled, again.interval),
        **{name: round(getattr(scores, name), DIGITS) for name in WORDS},
        "loss_sum": round(lost, DIGITS),
        "parses_refused": again.refused,
        SENTENCE_SCORES: {"relation_f1": _kept(again.by_sentence), **_words(trees, golds)},
    }
    found = [getattr(scores, name) for name in RELATIONS]
    by_sentence = relation_f1(trees, [pair.targets for pair in golds]).by_sentence
    yield {
        **both,
        "of": TREES,
        **_of_relations(*found, scores.relation_f1_interval),
        SENTENCE_SCORES: {"relation_f1": _kept(by_sentence)},
    }


def _of_relations(*found: Any) -> Row:
    """F1, precision, recall and labelled F1 of relations, and the interval of the first."""
    *shares, interval = found
    row = {name: round(share, DIGITS) for name, share in zip(RELATIONS, shares, strict=True)}
    return {**row, "relation_f1_interval": [round(end, DIGITS) for end in interval]}


def _kept(by_sentence: Sequence[float]) -> list[dict[str, list[float]]]:
    return [{"values": [round(f1, DIGITS) for f1 in by_sentence]}]


def _words(trees: Sequence[Tree], golds: Pairs) -> Row:
    """The F1s of n-grams, sentence by sentence, and the words out and in."""
    made = [list(tree.leaves()) for tree in trees]
    wanted = [[list(target.leaves()) for target in pair.targets] for pair in golds]
    orders = {"unigram_f1": 1, "fourgram_f1": 4}
    counts = [len(words) for words in made], [len(pair.source.leaves()) for pair in golds]
    return {
        **{name: _kept(corpus_ngram_f1(made, wanted, n).by_sentence) for name, n in orders.items()},
        "rate": [{"parts": [*counts]}],
    }


def _loss(tree: Tree, pair: CompressionPair) -> float:
    """The token Hamming loss of an output, the mean over the references."""
    total = 0.0
    for target in pair.targets:
        loss = compression_loss(Settings.loss, target, Settings.penalty)
        total += loss.value(loss.of_tree(tree))
    return total / len(pair.targets)


def _of_floor(run: Mapping[str, Any], at: str, scored: Pairs, golds: Pairs) -> Iterator[Row]:
    """What knows nothing: every word kept, words deleted at random, the first clause alone."""
    share = min(1.0, gold_rate(golds))
    floors: dict[str, Callable[[CompressionPair], Tree]] = {
        KEEP_ALL: keep_all,
        RANDOM_DELETION: partial(random_deletion, rate=share, seed=run.get("seed", 1)),
        FIRST_CLAUSE: first_clause,
    }
    outputs = [floors[run["system"]](pair) for pair in scored]
    yield from scores_of(outputs, golds, {**run, "at": at})


def _rounded(row: Mapping[str, Any]) -> Row:
    return {k: round(v, DIGITS) if isinstance(v, float) else v for k, v in row.items()}
