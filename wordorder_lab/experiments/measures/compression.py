"""The measures "compression" and "compressors": systems that make sentences shorter.

Cohn & Lapata (2009), sections 6.1 and 7. A score says little without its compression rate: even
keeping every word has one. A bonus for every word brings a system to a rate on the part that
chooses C (``runs.compression_pairs``); what is scored is then made shorter with the same bonus. So
rates there are near each other, not equal.

"compression" is about the tree transducer. Every run has four rows, each split (dev and its own) at
two rates: the one that the model comes to by itself, as in Table 5, and that of the references.
Section 3: a synchronous tree substitution grammar also has rules that move constituents, change
their category and put in other words; examples of them stand beside the rows.

"compressors" has several systems side by side, on real text. Every run is scored at one rate or
several: at its own, at that of the references, and at the one that McDonald's system comes to,
since who deletes less makes fewer mistakes. Each of these gives two rows: ``of = "strings"``, where
the words of the output are parsed anew, as section 5.3 has it for all systems alike, and ``of =
"trees"``, where relations are read off the system's own tree. Relations of references and of
reparsed outputs come from the default parser, whichever parser's trees a run was given: one
yardstick for all. A pair that the default parser refuses is ``left_out``, and counted.

Differences
- *Our reading*, section 6.1, section 7 and footnote 17: the paper moves the rate by the length
  penalty of the loss, and trains anew for it; we add a bonus for each word to a trained model.
- *Our reading*, section 6.1: it chooses C by a grid for each setting; here a run with a ``grid``
  chooses its own, and the specification says what the others take.
- *Our reading*, section 5.3: the paper's relations are RASP's, directed and labelled, ours are read
  off the output trees or off a parse by head rules, without labels (``relation_f1_labelled`` has
  them).
- *Paper silent*: which of several annotators counts. Here each does, and their mean is the score.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import Any, ClassVar

from wordorder_lab.experiments.measures import compression_report as report
from wordorder_lab.experiments.measures import measure
from wordorder_lab.experiments.measures.compression_report import GOLD, MCDONALD, OWN, STRINGS
from wordorder_lab.experiments.measures.tables import Record, Row
from wordorder_lab.experiments.runs import compression_evaluate as evaluation
from wordorder_lab.experiments.runs import settings as runs
from wordorder_lab.experiments.runs.compression_pairs import (
    Parts,
    pairs_of,
    parser_called,
    parts_of,
)
from wordorder_lab.experiments.runs.compression_training import Chosen, compressor_of
from wordorder_lab.experiments.runs.ordering_evaluate import DIGITS
from wordorder_lab.experiments.runs.outputs import OUTPUTS as LINES
from wordorder_lab.experiments.runs.outputs import packed_lines
from wordorder_lab.experiments.runs.schema import LEARNING, RATES, SpecificationError
from wordorder_lab.metrics import compression as metric
from wordorder_lab.metrics.bag_f1 import Shared
from wordorder_lab.metrics.relations import relation_f1, score_reparsed, wilcoxon_relation_f1
from wordorder_lab.metrics.significance import SAMPLES, SEED, SENTENCE_SCORES
from wordorder_lab.structures.compression import CompressionPair, prepared, prepared_pair, presented
from wordorder_lab.structures.plain_tree import Tree
from wordorder_lab.structures.synchronous_rule import ElementaryTree, SynchronousRule, parse_rule
from wordorder_lab.systems.cohn_lapata_2009 import SYSTEM, CompressionModel
from wordorder_lab.systems.cohn_lapata_2009_training import Settings
from wordorder_lab.systems.parsed_pairs import parse_of
from wordorder_lab.transduction.losses import compression_loss

THERE_ARE = (OWN, GOLD, MCDONALD)
MCDONALDS = "mcdonald-2006"
RELATIONS = ("relation_f1", "relation_precision", "relation_recall", "relation_f1_labelled")
WORDS = ("unigram_f1", "fourgram_f1", "exact_match")
OUTPUTS, TRIED, EXAMPLES = "outputs", "tried", "examples"
"""What rows have until all runs are done, for what is said of them together."""
SIGNED = {"relation_f1_interval": f"bootstrap over the sentences, {SAMPLES} samples, seed {SEED}"}

Pairs = Sequence[CompressionPair]


def learned(setup: measure.Setup) -> tuple[Parts, Chosen]:
    """What a run learns from and what chooses, and its model."""
    parts = parts_of(setup.run, setup.cut)
    return parts, compressor_of(setup.run, parts, setup.jobs)


class _Compression(measure.Measure):
    """Four rows a run: each of two splits at two rates; of a floor, two."""

    task: ClassVar[str] = "compress"
    has_papers: ClassVar[bool] = True

    def check_run(self, run: Record, _specification: measure.Specification) -> None:
        """The transducer and floors alone, and dev is not scored twice: it chooses C and the rate.
        Other systems, and what learns from a part of real text, have the measure "compressors"."""
        if run["system"] not in (SYSTEM, runs.KEEP_ALL, runs.RANDOM_DELETION):
            raise SpecificationError(f"{run['system']} is measured by 'compressors'")
        for name in (*LEARNING, RATES):
            if name in run:
                raise SpecificationError(f"{name!r} is told to the measure 'compressors'")
        if run["split"] == runs.DEV:
            raise SpecificationError(
                f"{self.name} chooses on {runs.DEV}: score on another split, such as test"
            )

    def rows(self, setup: measure.Setup) -> list[Row]:
        run, corpus = setup.run, pairs_of(setup.run["corpus"])
        parts = {split: setup.cut(corpus.split(split)) for split in (runs.DEV, run["split"])}
        if run["system"] in runs.UNTRAINED:
            return [_of_floor(run, split, parts[split]) for split in parts]
        (_, (model, tried)), search = learned(setup), setup.search
        matched = evaluation.match_rate(model, parts[runs.DEV], **search)
        first = {**run, **_grammar_row(model.settings)}
        rows = []
        for at, bonus in ((OWN, 0.0), (GOLD, matched.bonus)):
            for split, pairs in parts.items():
                done = evaluation.evaluate_compressions(model, pairs, **search, bonus=bonus)
                row = {**first, "split": split, "at": at, "bonus": bonus}
                row |= _of_outputs(done.outputs, done.pairs)
                loss, ms = done.loss * len(done.outputs), done.ms_per_sentence
                rows.append(row | measure.rounded({"loss_sum": loss, "ms_per_sentence": ms}))
        rows[0][TRIED] = _tried(tried, "training_seconds")
        examples = beyond_deletion(model, parts[run["split"]], **search, bonus=matched.bonus)
        rows[-1][EXAMPLES] = list(examples)
        return rows

    def finish(self, record: Row) -> None:
        """Compare with the first run at the references' rate; keep its grid and its examples apart.
        A record holds no sentence but those of its examples: the outputs go."""
        rows = record["rows"]
        measure.set_apart(record, TRIED, "grid")
        examples = [row.pop(EXAMPLES) for row in rows if EXAMPLES in row]
        record["examples"] = examples[0] if examples else []
        record["comparisons"] = list(_comparisons(rows))
        test = "Wilcoxon's signed-rank test over the sentences' F1s, two-sided"
        record["signatures"] = {**SIGNED, "comparisons": test}
        for row in rows:
            del row[OUTPUTS]


class _Compressors(measure.Measure):
    """Two rows for each run and rate: relations of strings that were parsed anew, and of trees."""

    task: ClassVar[str] = "compress"
    has_papers: ClassVar[bool] = True
    shares_jobs: ClassVar[bool] = True

    def check_run(self, run: Record, specification: measure.Specification) -> None:
        runs.check_learning(run)
        check_rates(run, specification)

    def rows(self, setup: measure.Setup) -> list[Row]:
        run = setup.run
        every = setup.cut(pairs_of(run["corpus"], run.get("parser")).split(run["split"]))
        usual = {pair.name: pair for pair in pairs_of(run["corpus"]).split(run["split"])}
        scored = [pair for pair in every if pair.name in usual]  # has a tree of the default parser
        golds = [prepared_pair(usual[pair.name]) for pair in scored]
        first = {**run, "left_out": len(every) - len(scored)}
        if run["system"] in runs.UNTRAINED:
            outputs = evaluation.floor_outputs(run["system"], golds, run.get("seed", 1))
            return [*scores_of(outputs, golds, {**first, "at": _floor_rate(run)})]
        rows: list[Row] = []
        parts, chosen = learned(setup)
        first |= _of_training(chosen, parts)
        for at in run.get(RATES, (OWN, GOLD)):
            if at == MCDONALD and run["system"] == MCDONALDS:
                continue
            bonus = bonus_for(setup, at, parts, chosen)
            sources = [pair.source for pair in scored]
            done = evaluation.shorten(chosen.model, sources, **setup.search, bonus=bonus)
            own = {**first, "at": at, "bonus": bonus, **_times([one.seconds for one in done])}
            if (count := evaluation.gave_up(done)) is not None:
                own["gave_up_constraints"] = count
            rows += scores_of([one.tree for one in done], golds, own)
        rows[0][TRIED] = _tried(chosen.tried)
        return rows

    def finish(self, record: Row) -> None:
        measure.set_apart(record, TRIED, "grid")
        record["signatures"] = SIGNED


MEASURES = (
    _Compression(
        "compression",
        report=report.compression_lines,
        pictures={"compression": report.compressions},
        usual={"at": (GOLD,), "split": ("train", "test")},
    ),
    _Compressors(
        "compressors",
        report=report.compressor_lines,
        pictures={"rates-and-scores": report.rates_and_scores},
        usual={"of": (STRINGS,), "at": (OWN,)},
    ),
)


def check_rates(run: Record, specification: measure.Specification) -> None:
    """Raise ``SpecificationError`` for a rate that there is not, or that needs another run."""
    for rate in run.get(RATES, ()):
        if rate not in THERE_ARE:
            raise SpecificationError(
                f"no rate is called {rate!r}; there are {', '.join(THERE_ARE)}"
            )
        if rate == MCDONALD:
            _mcdonalds(specification, run)


def bonus_for(setup: measure.Setup, at: str, parts: Parts, chosen: Chosen) -> float:
    """What each word must count more for a system to come to a rate on the part that chooses."""
    if at == OWN or (at == MCDONALD and setup.run["system"] == MCDONALDS):  # his own, that is
        return 0.0
    wanted = metric.gold_rate(parts.choose)
    if at == MCDONALD:
        other = setup._replace(run=_mcdonalds(setup.specification, setup.run), jobs=1)
        theirs, his = learned(other)
        sources = [pair.source for pair in theirs.choose]
        done = evaluation.shorten(his.model, sources, **other.search)
        wanted = metric.compression_rate([one.tree for one in done], sources)
    found = evaluation.match_rate(
        chosen.model, parts.choose, wanted, jobs=setup.jobs, **setup.search
    )
    return float(found.bonus)


def _mcdonalds(specification: measure.Specification, run: Record) -> Record:
    """The run of McDonald's system that learns from the same pairs and is scored on the same.
    Raises ``SpecificationError`` if there is none."""
    alike = ("corpus", *LEARNING)
    for other in specification.runs:
        if other["system"] == MCDONALDS and all(other.get(n) == run.get(n) for n in alike):
            return other
    raise SpecificationError(f"{MCDONALD!r} needs a run of {MCDONALDS} on {run['corpus']}")


def _tried(points: Sequence[Row], *without: str) -> list[Row]:
    kept = [{name: one[name] for name in one if name not in without} for one in points]
    return list(map(measure.rounded, kept)) if len(kept) > 1 else []


def _of_training(chosen: Chosen, parts: Parts) -> Row:
    settings = chosen.model.settings
    row = _grammar_row(settings) if "rules" in settings else {}
    row = {k: v for k, v in row.items() if k not in ("used_once_share", "objective")}
    seconds = sum(one["training_seconds"] for one in chosen.tried)
    return {**row, "pairs": len(parts.learn), "training_seconds": round(seconds, 1)}


def _grammar_row(settings: Record) -> Row:
    """What the settings of a trained model say of its C, its rules, and how near to the best
    weights it stopped. ``gap`` is a share of the objective; ``deeper_share`` counts the rules that
    an SCFG could not have, ``category_share`` those of the others whose two categories differ."""
    rules, objective = settings["rules"], settings["objective"]
    shares = {f"{n}_share": settings[n] / rules for n in ("deeper", "category", "used_once")}
    gap = (objective - settings["dual"]) / objective
    return {
        **{name: settings[name] for name in ("C", "pairs", "rules")},
        "unreachable": sum(settings["unreachable"].values()),
        **measure.rounded(shares),
        "iterations": len(settings["history"]),
        **measure.rounded({"objective": objective, "gap": gap}),
    }


def _times(seconds: Sequence[float]) -> Row:
    times = {
        "ms_per_sentence": sum(seconds) / len(seconds),
        "ms_median": sorted(seconds)[len(seconds) // 2],
        "ms_most": max(seconds),
    }
    return {name: round(1000 * value, DIGITS) for name, value in times.items()}


def _scores(outputs: Sequence[Tree], golds: Pairs) -> tuple[metric.CompressionScores, Row]:
    scores = metric.score_compressions(outputs, golds)
    counts = relation_f1(outputs, [pair.targets for pair in golds]).rows
    shown = {name: getattr(scores, name) for name in ("rate", "gold_rate", *RELATIONS)}
    return scores, {
        "sentences": scores.sentences,
        **measure.rounded(shown),
        "relation_f1_interval": [round(end, DIGITS) for end in scores.relation_f1_interval],
        SENTENCE_SCORES: {"relation_f1": _kept(counts)},
    }


def _kept(counts: Iterable[Shared]) -> list[Record]:
    """What each sentence adds to F1, as ``metrics.significance`` takes it."""
    return [{"parts": [*map(list, zip(*((2 * one.right, one.made + one.gold) for one in counts)))]}]


def _loss(tree: Tree, pair: CompressionPair) -> float:
    """The token Hamming loss of an output, the mean over the references."""
    total = 0.0
    for target in pair.targets:
        loss = compression_loss(Settings.loss, target, Settings.penalty)
        total += loss.value(loss.of_tree(tree))
    return total / len(pair.targets)


def _floor_rate(run: Record) -> str:
    """Keep-all has no rate but its own, random deletion none of its own."""
    return GOLD if run["system"] == runs.RANDOM_DELETION else OWN


# --- of the measure "compression" -----------------------------------------------------------------


def _of_floor(run: Record, split: str, pairs: Pairs) -> Row:
    golds = [prepared_pair(pair) for pair in pairs]
    outputs = evaluation.floor_outputs(run["system"], golds, run.get("seed", 1))
    lost, scores = sum(map(_loss, outputs, golds)), _of_outputs(outputs, golds)
    return {**run, "split": split, "at": _floor_rate(run), **scores, "loss_sum": lost}


def _of_outputs(outputs: Sequence[Tree], golds: Pairs) -> Row:
    """Scores of prepared outputs, exact matches by kind of pair (``{"deletion": [3, 8]}``), and how
    many outputs are not what is left of their source."""
    scores, row = _scores(outputs, golds)
    kinds: dict[str, list[int]] = {kind: [0, 0] for kind in sorted({p.kind for p in golds})}
    beyond = 0
    for output, pair in zip((tree.leaves() for tree in outputs), golds, strict=True):
        kinds[pair.kind][0] += output in [target.leaves() for target in pair.targets]
        kinds[pair.kind][1] += 1
        beyond += not is_left_of(output, pair.source.leaves())
    more = {"bigram_f1": scores.bigram_f1, "exact_match": scores.exact_match}
    counts = {"exact_by_kind": kinds, "beyond_deletion": beyond}
    texts = [tree.pformat(margin=10**9) for tree in outputs]
    return {**row, **measure.rounded(more), **counts, OUTPUTS: texts}


def _comparisons(rows: Sequence[Row]) -> Iterator[Row]:
    """Each row at the references' rate, and "keep all", against the first of them; not on dev."""
    wanted = [row["at"] == GOLD or row["system"] == runs.KEEP_ALL for row in rows]
    places = [i for i, row in enumerate(rows) if wanted[i] and row["split"] != runs.DEV]
    if not places:
        return
    first = rows[places[0]]
    pairs = pairs_of(first["corpus"]).split(first["split"])[: first["sentences"]]
    golds = [prepared_pair(pair).targets for pair in pairs]
    outputs = {i: [Tree.fromstring(text) for text in rows[i][OUTPUTS]] for i in places}
    for i in places[1:]:
        found = wilcoxon_relation_f1(outputs[i], outputs[places[0]], golds)
        yield {
            "row": i,
            "baseline_row": places[0],
            "relation_f1_mean": round(found.first, DIGITS),
            "baseline_relation_f1_mean": round(found.second, DIGITS),
            "differ": found.differ,
            "p_value": float(f"{found.p_value:.3g}"),
        }


# --- of the measure "compressors" -----------------------------------------------------------------


def scores_of(made: Sequence[Tree], golds: Pairs, first: Row) -> Iterator[Row]:
    """The row of the strings, parsed anew, and that of the trees; ``golds`` are prepared. Sentence
    by sentence both keep their F1s, and the first its words. An output that the default parser
    refuses has no relations, and is counted."""
    texts = [presented(list(tree.leaves())) for tree in made]
    again = score_reparsed(texts, golds, parse_of(parser_called(runs.DEFAULT), texts))
    trees = [prepared(tree) for tree in made]
    scores, row = _scores(trees, golds)
    parsed = dict(zip(RELATIONS, (again.f1, again.precision, again.recall, again.f1_labelled)))
    words = {name: getattr(scores, name) for name in WORDS}
    yield {
        **first,
        **row,
        "of": STRINGS,
        **measure.rounded({**parsed, **words, "loss_sum": sum(map(_loss, trees, golds))}),
        "relation_f1_interval": [round(end, DIGITS) for end in again.interval],
        "parses_refused": again.refused,
        SENTENCE_SCORES: {"relation_f1": _kept(again.counts), **_words(trees, golds)},
        LINES: [packed_lines(list(map(" ".join, texts)))],
    }
    yield {**first, **row, "of": report.TREES}


def _words(trees: Sequence[Tree], golds: Pairs) -> Row:
    made = [list(tree.leaves()) for tree in trees]
    wanted = [[list(target.leaves()) for target in pair.targets] for pair in golds]
    scores = {
        name: _kept(metric.corpus_ngram_f1(made, wanted, order).rows)
        for name, order in (("unigram_f1", 1), ("fourgram_f1", 4))
    }
    counts = [len(words) for words in made], [len(pair.source.leaves()) for pair in golds]
    return {**scores, "rate": [{"parts": [*counts]}]}


# --- what deletion alone cannot do: outputs with moved or other words, and the rules of them ------


def is_left_of(short: Sequence[Hashable], long: Sequence[Hashable]) -> bool:
    """Whether deletions alone turn ``long`` into ``short``."""
    rest = iter(long)
    return all(item in rest for item in short)


def deletes_only(rule: SynchronousRule) -> bool:
    """Whether words and variables of the target are what is left of the source's, in its order. A
    category may change on the way: ``<S, VP> -> <[S NP_eps VP_1], VP_1>`` deletes only."""
    return is_left_of(_frontier(rule.target), _frontier(rule.source))


def _frontier(tree: ElementaryTree) -> list[Hashable]:
    return [leaf if isinstance(leaf, str) else leaf.index for leaf in tree.frontier()]


def beyond_deletion(model: CompressionModel, pairs: Pairs, **search: Any) -> Iterator[Row]:
    """The pairs that deletion cannot explain and whose output is, word for word, a reference.

    ``search`` is for ``model.compress``. ``rules`` are those of the derivation that do more than
    delete; ``deeper`` of them have more than one level on a side, so that an SCFG cannot have them.
    Pairs without a kind are passed over. Raises ``ValueError`` as ``model.compress``.
    """
    for pair in pairs:
        if pair.kind in ("", report.DELETION):
            continue
        found = model.compress(pair.source, **search)
        targets = [target.leaves() for target in prepared_pair(pair).targets]
        if prepared(found.tree).leaves() not in targets:
            continue
        rules = [rule for rule in map(parse_rule, found.rules) if not deletes_only(rule)]
        yield {
            "name": pair.name,
            "kind": pair.kind,
            "source": " ".join(pair.source.leaves()),
            "output": found.text,
            "rules": [rule.text for rule in rules],
            "deeper": len([rule for rule in rules if not rule.is_synchronous_context_free]),
        }
