"""The measure "compression": a tree transducer at its own rate, and at that of the references.

Cohn & Lapata (2009), sections 6.1 and 7. A score says little without its compression rate: even
keeping every word has one. So every run has four rows, each split (dev and its own) at two rates:
the one that the model comes to by itself, as in Table 5, and that of the references. For the
second a bonus for every word is tuned on dev until as many words stay there as in dev's
references, and the other split is made shorter with the same bonus.

Cohn & Lapata (2009), section 3: a synchronous tree substitution grammar also has rules that move
constituents, change their category and put in other words.

Differences
- *Our reading*, section 6.1: the paper moves the rate by the length penalty of the loss, and trains
  anew for it; we add a bonus for each word to a model that is trained.
- *Our reading*, section 6.1: it chooses C by a grid for each setting; here a run with a ``grid``
  chooses its own on dev, and the specification says what the others take.
- *Our reading*, section 5.3: its relations are a parser's, ours are read off the output trees.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from wordorder_lab.experiments.measures.compression_report import (
    DELETION,
    GOLD,
    OWN,
    compression_lines,
    compressions,
)
from wordorder_lab.experiments.measures.measure import (
    Cut,
    Draw,
    Measure,
    Record,
    Row,
    Specification,
)
from wordorder_lab.experiments.runs.compression_evaluate import (
    evaluate_compressions,
    match_rate,
)
from wordorder_lab.experiments.runs.evaluate import DIGITS
from wordorder_lab.experiments.runs.known_settings import GRID, LEARNING, RATES
from wordorder_lab.experiments.runs.training import (
    DEV,
    KEEP_ALL,
    RANDOM_DELETION,
    SpecificationError,
    for_search,
    for_training,
    pairs_of,
)
from wordorder_lab.metrics.compression import gold_rate, score_compressions
from wordorder_lab.metrics.compression_floors import keep_all, random_deletion
from wordorder_lab.metrics.relations import relation_f1, wilcoxon_relation_f1
from wordorder_lab.metrics.significance import SAMPLES, SEED, SENTENCE_SCORES
from wordorder_lab.structures.compression import prepared, prepared_pair
from wordorder_lab.structures.synchronous_rule import ElementaryTree, SynchronousRule, parse_rule
from wordorder_lab.systems.cohn_lapata_2009 import SYSTEM, CompressionModel
from wordorder_lab.systems.cohn_lapata_2009_training import Settings
from wordorder_lab.systems.compression_grid import best_row, grid_search
from wordorder_lab.transduction.losses import compression_loss

if TYPE_CHECKING:
    from nltk.tree import Tree

    from wordorder_lab.structures.compression import CompressionPair


SCORES = (
    *("rate", "gold_rate", "relation_f1", "relation_precision", "relation_recall"),
    *("relation_f1_labelled", "bigram_f1", "exact_match"),
)
OUTPUTS, TRIED, EXAMPLES = "outputs", "tried", "examples"
"""What rows have until all runs are done, for what is said of them together."""

Pairs = Sequence["CompressionPair"]


@dataclass(frozen=True)
class Compression(Measure):
    """Four rows a run: each of two splits at two rates; of a floor, two."""

    shortens: ClassVar[bool] = True
    passes: ClassVar[str] = "max_iterations"
    has_papers: ClassVar[bool] = True

    def check(self, specification: Specification) -> None:
        """Besides, dev must not be scored twice: it chooses C and the rate.

        Other systems, and what learns from a part of real text, have the measure "compressors".
        """
        super().check(specification)
        for run in specification.runs:
            if run["system"] not in (SYSTEM, KEEP_ALL, RANDOM_DELETION):
                raise SpecificationError(f"{run['system']} is measured by 'compressors'")
            for name in (*LEARNING, RATES):
                if name in run:
                    raise SpecificationError(f"{name!r} is told to the measure 'compressors'")
            if run["split"] == DEV:
                raise SpecificationError(
                    f"{self.name} chooses on {DEV}: score on another split, such as test"
                )

    def rows(self, specification: Specification, cut: Cut, run: Mapping[str, Any]) -> list[Row]:
        """The rows of one run; ``cut`` leaves pairs away."""
        corpus = pairs_of(run["corpus"])
        parts = {split: cut(corpus.split(split)) for split in (DEV, run["split"])}
        if run["system"] in (KEEP_ALL, RANDOM_DELETION):
            return [_of_floor(run, split, parts[split]) for split in parts]
        model, tried = choose(run, cut(corpus.train), parts[DEV])
        how = {"engine": run.get("engine"), **for_search(run)}
        matched = match_rate(model, parts[DEV], **how)
        first = {**run, **_of_model(model)}
        rows = []
        for at, bonus in ((OWN, 0.0), (GOLD, matched.bonus)):
            for split, pairs in parts.items():
                row = {**first, "split": split, "at": at, "bonus": bonus}
                rows.append(row | _of_outputs(model, pairs, **how, bonus=bonus))
        rows[0][TRIED] = tried
        examples = beyond_deletion(model, parts[run["split"]], **how, bonus=matched.bonus)
        rows[-1][EXAMPLES] = list(examples)
        return rows

    def finish(self, record: Row) -> None:
        """Compare with the first run at the references' rate; keep its grid and its examples apart.

        What was kept of the outputs goes; a record holds no sentence but those of its examples.
        """
        rows = record["rows"]
        tried = [(i, row.pop(TRIED)) for i, row in enumerate(rows) if TRIED in row]
        examples = [row.pop(EXAMPLES) for row in rows if EXAMPLES in row]
        record["grid"] = [{"row": i, **one} for i, many in tried if len(many) > 1 for one in many]
        record["examples"] = examples[0] if examples else []
        record["comparisons"] = list(_comparisons(rows))
        record["signatures"] = {
            "relation_f1_interval": f"bootstrap over the sentences, {SAMPLES} samples, seed {SEED}",
            "comparisons": "Wilcoxon's signed-rank test over the sentences' F1s, two-sided",
        }
        for row in rows:
            del row[OUTPUTS]

    def meant(self, rows: Sequence[Record], places: Sequence[int], wanted: Record) -> list[int]:
        """The rows at the references' rate, not on dev, unless the claim says otherwise."""
        rate = [i for i in places if "at" in wanted or rows[i]["at"] == GOLD]
        return [i for i in rate if "split" in wanted or rows[i]["split"] != DEV]

    def text(self, record: Record) -> str:
        """The tables, one after the other."""
        return "\n".join(compression_lines(record))

    def figures(self) -> dict[str, Draw]:
        """Scores at one rate, and what they cost in words kept."""
        return {**super().figures(), "compression": compressions}


MEASURES = (Compression("compression"),)


# --- training -------------------------------------------------------------------------------------


class Chosen(NamedTuple):
    """The model of the best point, and a row for each point of the grid."""

    model: CompressionModel
    tried: list[Row]


def choose(run: Mapping[str, Any], pairs: Pairs, dev: Pairs) -> Chosen:
    """Train with every C of the run's grid (or its one C), and keep what loses least on dev."""
    settings = for_training(run)
    one = settings.pop("C", Settings.C)
    scaling = settings.pop("scaling", Settings.scaling)
    kept: list[CompressionModel] = []
    rows: list[Row] = []
    for point in grid_search(
        pairs, dev, run.get(GRID, [one]), [scaling], progress=False, **settings
    ):
        gap = point.row["gap"] / point.row["objective"]
        rows.append(_rounded({**point.row, "gap": gap}))
        if best_row(rows) is rows[-1]:
            kept[:] = [point.model]
    return Chosen(kept[0], rows)


def _of_model(model: CompressionModel) -> Row:
    """What a training came to: its C, its rules, and how near to the best weights it stopped.

    ``gap`` is a share of the objective; ``deeper_share`` counts the rules that an SCFG could not
    have, ``category_share`` those of the others whose two categories differ.
    """
    told = model.settings
    rules = told["rules"]
    return {
        "C": told["C"],
        "pairs": told["pairs"],
        "unreachable": sum(told["unreachable"].values()),
        "rules": rules,
        "deeper_share": round(told["deeper"] / rules, DIGITS),
        "category_share": round(told["category"] / rules, DIGITS),
        "used_once_share": round(told["used_once"] / rules, DIGITS),
        "iterations": len(told["history"]),
        "objective": round(told["objective"], DIGITS),
        "gap": round((told["objective"] - told["dual"]) / told["objective"], DIGITS),
    }


# --- scores ---------------------------------------------------------------------------------------


def _of_outputs(model: CompressionModel, pairs: Pairs, **how: Any) -> Row:
    done = evaluate_compressions(model, pairs, **how)
    scores = {
        **_scores(done.outputs, done.pairs),
        "loss_sum": round(done.loss * len(done.outputs), DIGITS),
        "ms_per_sentence": round(done.ms_per_sentence, DIGITS),
    }
    return {**scores, OUTPUTS: [_flat(tree) for tree in done.outputs]}


def _of_floor(run: Mapping[str, Any], split: str, pairs: Pairs) -> Row:
    golds = [prepared_pair(pair) for pair in pairs]
    at, outputs = OWN, [keep_all(pair) for pair in golds]
    if run["system"] == RANDOM_DELETION:
        rate = min(1.0, gold_rate(golds))
        at, outputs = GOLD, [random_deletion(pair, rate, run.get("seed", 1)) for pair in golds]
    lost = 0.0
    for tree, pair in zip(outputs, golds):
        loss = compression_loss(Settings.loss, pair.target, Settings.penalty)
        lost += loss.value(loss.of_tree(tree))
    row = {**run, "split": split, "at": at, **_scores(outputs, golds), "loss_sum": lost}
    return {**row, OUTPUTS: [_flat(tree) for tree in outputs]}


def _scores(outputs: Sequence[Tree], golds: Pairs) -> Row:
    """Scores of prepared outputs; exact matches by kind of pair too: ``{"deletion": [3, 8]}``.

    ``beyond_deletion`` counts the outputs that are not what is left of their source.
    """
    scores = score_compressions(outputs, golds)
    words = [list(tree.leaves()) for tree in outputs]
    kinds: dict[str, list[int]] = {kind: [0, 0] for kind in sorted({p.kind for p in golds})}
    beyond = 0
    for output, pair in zip(words, golds, strict=True):
        kinds[pair.kind][0] += output in [list(target.leaves()) for target in pair.targets]
        kinds[pair.kind][1] += 1
        beyond += not is_left_of(output, pair.source.leaves())
    return {
        "sentences": scores.sentences,
        **{name: round(getattr(scores, name), DIGITS) for name in SCORES},
        "relation_f1_interval": [round(end, DIGITS) for end in scores.relation_f1_interval],
        "exact_by_kind": kinds,
        "beyond_deletion": beyond,
        SENTENCE_SCORES: {"relation_f1": [{"values": _sentence_f1s(outputs, golds)}]},
    }


def _sentence_f1s(outputs: Sequence[Tree], golds: Pairs) -> list[float]:
    by_sentence = relation_f1(outputs, [pair.targets for pair in golds]).by_sentence
    return [round(f1, DIGITS) for f1 in by_sentence]


def _rounded(row: Mapping[str, Any]) -> Row:
    return {k: round(v, DIGITS) if isinstance(v, float) else v for k, v in row.items()}


def _flat(tree: Tree) -> str:
    return str(tree.pformat(margin=10**9))


# --- all runs together ----------------------------------------------------------------------------


def _comparisons(rows: Sequence[Row]) -> Iterator[Row]:
    """Each row at the references' rate, and "keep all", against the first of them; not on dev."""
    from nltk.tree import Tree

    wanted = [row["at"] == GOLD or row["system"] == KEEP_ALL for row in rows]
    places = [i for i, row in enumerate(rows) if wanted[i] and row["split"] != DEV]
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


# --- What deletion alone cannot do: outputs with moved or other words, and the rules that make them


def is_left_of(short: Sequence[Hashable], long: Sequence[Hashable]) -> bool:
    """Whether deletions alone turn ``long`` into ``short``."""
    rest = iter(long)
    return all(item in rest for item in short)


def deletes_only(rule: SynchronousRule) -> bool:
    """Whether words and variables of the target are what is left of the source's, in its order.

    A category may change on the way: ``<S, VP> -> <[S NP_eps VP_1], VP_1>`` deletes only.
    """
    return is_left_of(_frontier(rule.target), _frontier(rule.source))


def _frontier(tree: ElementaryTree) -> list[Hashable]:
    """Words, and variables by their number."""
    return [leaf if isinstance(leaf, str) else leaf.index for leaf in tree.frontier()]


def beyond_deletion(
    model: CompressionModel, pairs: Sequence[CompressionPair], **how: Any
) -> Iterator[Mapping[str, Any]]:
    """The pairs that deletion cannot explain and whose output is, word for word, a reference.

    ``how`` is what ``model.compress`` is told. ``rules`` are those of the derivation that do more
    than delete; ``deeper`` of them have more than one level on a side, so that an SCFG cannot have
    them. Pairs without a kind are passed over. Raises ``ValueError`` as ``model.compress``.
    """
    for pair in pairs:
        if pair.kind in ("", DELETION):
            continue
        found = model.compress(pair.source, **how)
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
