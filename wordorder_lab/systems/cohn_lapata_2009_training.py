"""Training ``cohn-lapata-2009``: grammar, n-gram model, gold derivations, structured SVM.

Cohn & Lapata (2009), sections 3.2, 3.5, 3.6 and 6.1. The defaults are the paper's: rules of
recursion depth 1, trigrams, the token Hamming loss, gold derivations with the most rules, scaling
1, the wide beam; but for C and the formulation.

For a pair the search looks for the derivation that is both high scoring and has a high loss
(section 3.5, equation 11). A source that three people have shortened is three pairs to learn from
(their names end in ``#1``, ``#2``, ``#3``). Its words are in the n-grams' text once all the same,
and no fold learns from a document that another one is scored on.

Differences
- *Our reading*, footnote 14: C is 10, what a grid chooses on the Gazette. With the paper's 0.01
  every word of the Gazette is kept. How large a C has to be depends on losses and features, so it
  is worth a grid.
- *Our reading*, section 6.1: the paper's n-gram model is trained on other text, the BNC. Where none
  is given, ours is trained on the pairs, and on further text if there is any (``lm_text``), but a
  pair is learned with one that has not seen it: the documents of the pairs are dealt into
  ``folds``, and the model for each is trained on the others. A model that knows the sentences makes
  gold outputs look better than any will look later. Outputs are scored with a model of all pairs.
- *Our reading*, section 3.2: where ``rule_folds`` is above 1, a rule counts as extracted (Table 2,
  Type) only where a document of another fold has it, as it will be when a new sentence is
  shortened. The paper reads the rules off the pairs that it learns from, so that every rule of a
  gold derivation is an extracted one, and a word of the training data is never merely copied.
- *Our reading*, equation 11: one slack for all pairs instead of one each: the same objective (tests
  hold it to 1e-3 with a small ``tolerance``), found in fewer and smaller programmes. With the usual
  tolerance, a share of what can be gained from zero weights, the two may stop some percent of the
  objective apart.
- *Our reading*, footnote 13: the paper's limits, 5 variables and 15 nodes, are the defaults where
  pairs come with trees; of the Gazette's every one keeps a derivation. Where a parser of ours makes
  the trees, source and target often agree in few constituents, and a minimal rule grows wide: on
  CLspoken 26 % of the training pairs would have no derivation, of 31 words on average where all
  have 20. So there it is 10 and 40 (``REAL_TEXT``), which leaves 5 % without one.
- *Paper silent*: without the n-gram feature (``features = "rule,token"``, say) the n-gram models
  are unigrams of weight 0. So no context is kept in the chart: the search of an output is exact,
  and quick.
- *Paper silent*, footnote 10: where gold derivations are chosen by score, they are so under the
  weights that a first training with the most rules has given, and then a second one follows.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import NamedTuple

import numpy as np

from wordorder_lab.models.file_parts import Json
from wordorder_lab.models.kneser_ney import estimate_ngrams
from wordorder_lab.models.ngram import NGramModel
from wordorder_lab.runtime.progress import progress_bar
from wordorder_lab.structures.compression import CompressionPair, prepared_pair
from wordorder_lab.structures.messages import MOST_RULE_DEPTH, cited
from wordorder_lab.structures.phrase_tree import PhraseNodes, phrase_nodes
from wordorder_lab.systems import cohn_lapata_2009 as cohn
from wordorder_lab.systems.language_models import FoldedModels, Text
from wordorder_lab.systems.model import choose_engine
from wordorder_lab.systems.setting import setting, usual
from wordorder_lab.systems.system import System
from wordorder_lab.systems.training_run import Moment, TrainingOptions
from wordorder_lab.transduction import templates as rule_templates
from wordorder_lab.transduction.chart import StsgChart
from wordorder_lab.transduction.extraction import CHOICES
from wordorder_lab.transduction.features import (
    NGRAM_ID,
    FeatureRows,
    RuleFeatures,
    application_scores,
    derivation_features,
)
from wordorder_lab.transduction.gold import GOLD, NoDerivation, gold_derivation, why_unlinked
from wordorder_lab.transduction.grammar import (
    TARGETS,
    GrammarSettings,
    SynchronousGrammar,
    extract_grammar,
)
from wordorder_lab.transduction.losses import LOSSES, Loss, compression_loss
from wordorder_lab.transduction.problem import (
    TransductionInput,
    TransductionProblem,
    extracted_from,
    transduction_problem,
)
from wordorder_lab.transduction.structured_svm import (
    FORMULATIONS,
    Iteration,
    Learned,
    StructuredSVM,
    SvmSettings,
)
from wordorder_lab.transduction.working_set import Constraint

REAL_TEXT = {"variables": 10, "nodes": 40}
"""The limits of rules that the command line takes for text that a parser gives trees."""


@dataclass(frozen=True)
class Settings:
    """What a training depends on, beside its pairs. The limits of rules are the grammar's, ``C`` to
    ``max_iterations`` the learner's (``SvmSettings``); ``features`` names classes in any order
    (section 6.1, Table 5)."""

    depth: int = setting(
        1,
        "matches of a pair of trees that a rule may ignore",
        minimum=0,
        maximum=MOST_RULE_DEPTH,
    )
    choice: str = setting(
        "single", "where a node matches several: take one, or all", choices=CHOICES
    )
    variables: int = setting(5, "variables of a rule at most (of real text 10)", minimum=1)
    nodes: int = setting(15, "nodes of a rule on either side at most (of real text 40)", minimum=1)
    targets: int = setting(
        TARGETS, "references of a pair that rules are read off", minimum=1, metavar="VALUE"
    )
    rule_folds: int = setting(1, "folds: a rule of another fold counts as extracted", minimum=1)
    order: int = usual("order", 3)
    folds: int = usual("folds", 5)
    loss: str = setting("hamming-tokens", "what an output has to answer for", choices=LOSSES)
    penalty: float = setting(1.0, "cost of a missing word, in the Hamming losses", minimum=0)
    gold: str = setting(
        "max-rules",
        "the right derivation of a pair: of most rules, best or worst after a first training, any",
        choices=GOLD,
    )
    C: float = setting(
        10.0,
        "weighs the losses against the size of the weights (paper: 0.01, which here keeps every "
        "word)",
        above=0,
        several=True,
    )
    scaling: float = setting(
        1.0, "multiplies all features inside the learner", above=0, several=True
    )
    formulation: str = setting("1-slack", "of the structured SVM", choices=FORMULATIONS)
    tolerance: float = setting(
        0.01,
        "stop when so small a share of the gain is missing",
        above=0,
        metavar="SHARE",
    )
    max_iterations: int = setting(
        200, "how often training searches all pairs, at most", minimum=1, option="--iterations"
    )
    beam: str | int = setting("training", cohn.BEAM, parse=cohn.read_beam, metavar="N")
    seed: int = usual("seed", 1)
    templates: str = usual("templates", rule_templates.DEFAULT)
    features: str = setting(
        rule_templates.ALL,
        "classes of features to learn with",
        parse=rule_templates.feature_classes,
        metavar="CLASS,CLASS",
    )

    def __post_init__(self) -> None:
        object.__setattr__(self, "features", rule_templates.feature_classes(str(self.features)))

    def check(self) -> None:
        """Raise ``ValueError`` for a beam that cannot be, and for no such templates."""
        cohn.search_of(self.beam, "cube")
        self.svm()
        self.chosen_templates()

    @property
    def has_ngrams(self) -> bool:
        """Whether the n-gram feature is learned with."""
        return rule_templates.NGRAM in self.features.split(",")

    def chosen_templates(self) -> rule_templates.RuleTemplates:
        """The templates of the features that are learned with."""
        return rule_templates.load_templates(self.templates).only(self.features)

    def grammar(self) -> GrammarSettings:
        """How the grammar is extracted."""
        return GrammarSettings(self.depth, self.choice, self.variables, self.nodes, self.targets)

    def svm(self) -> SvmSettings:
        """How the learner learns."""
        names = ("C", "scaling", "formulation", "tolerance", "max_iterations")
        return SvmSettings(**{name: getattr(self, name) for name in names})


USUALLY = TrainingOptions()


def learn_pairs(
    pairs: Sequence[CompressionPair], settings: Settings, options: TrainingOptions
) -> cohn.CompressionModel:
    """Learn to compress from pairs.

    ``options.more`` may have ``ngrams``, a language model to use instead of one trained on the
    pairs, or ``lm_text``, sentences that it is trained on beside theirs; and ``in_order``, which
    makes the searches of an iteration, as ``map`` does, but several at once perhaps. The checkpoint
    is written after every iteration, and ``on_epoch`` called. Raises ``ValueError`` for pairs that
    cannot be, ``ModelError`` for a checkpoint of other ones.
    """
    return learn(prepare_with(pairs, settings, options), settings, options)


def learn(
    ready: Prepared, settings: Settings, options: TrainingOptions = USUALLY
) -> cohn.CompressionModel:
    """The learner alone, on what ``prepare`` has made; C, scaling and the like may differ."""
    told = {**(options.about or {}), **asdict(settings), "pairs": len(ready.examples)}
    on_epoch = options.on_epoch
    told |= {"order": ready.ngrams.order, "unreachable": dict(ready.examples.unreachable)}
    told |= ready.grammar.statistics()
    history: list[Json] = []

    def model(weights: np.ndarray) -> cohn.CompressionModel:
        said = {**told, "history": list(history)}
        return cohn.CompressionModel(ready.grammar, ready.features, weights, ready.ngrams, said)

    def run(number: int, path: str | os.PathLike[str] | None) -> Learned:
        before = len(history)

        def after(row: Iteration, weights: np.ndarray) -> None:
            history.append(_line(row, number))
            if on_epoch is not None:
                line = {**row._asdict(), "round": number}
                moment = Moment(lambda: model(weights.copy()), row.seconds, line)
                moment.tell(on_epoch, before + row.iteration)

        svm = StructuredSVM(ready.examples, len(ready.features), settings.svm())
        golds = hashlib.sha256(repr([one.gold for one in ready.examples.examples]).encode())
        fixed = {name: own for name, own in asdict(settings).items() if name != "max_iterations"}
        identity = {"settings": fixed, "digest": ready.digest, "round": number}
        identity["golds"] = golds.hexdigest()
        how: Json = {"progress": options.progress, "trace": options.trace}
        how["in_order"] = options.more.get("in_order", map)
        learned = svm.run(checkpoint=path, identity=identity, on_iteration=after, **how)
        # Of a run that went on from a checkpoint, the learner knows the iterations before it.
        history[before:] = [_line(one, number) for one in learned.history]
        return learned

    learned = run(1, options.checkpoint)
    if settings.gold.endswith("score"):
        ready.examples.choose_gold(learned.weights)
        first = options.checkpoint
        learned = run(2, None if first is None else f"{os.fspath(first)}.2")
    told |= {"stopped": learned.stopped, "objective": learned.bound, "dual": learned.dual}
    return model(learned.weights)


def _line(row: Iteration, number: int) -> Json:
    line = {**row._asdict(), "round": number}
    return {name: value for name, value in line.items() if not name.endswith("seconds")}


# --- What a training of ``cohn-lapata-2009`` learns from, before it learns: rules, n-grams, golds


@dataclass
class Prepared:
    """What a training learns from, made once: a grid of trainings can share it."""

    grammar: SynchronousGrammar
    ngrams: NGramModel
    features: RuleFeatures
    examples: CompressionExamples
    digest: str


def prepare_with(
    pairs: Sequence[CompressionPair], settings: Settings, options: TrainingOptions
) -> Prepared:
    """``prepare`` with the n-gram model or the text that the options bring."""
    ngrams, text = options.more.get("ngrams"), options.more.get("lm_text", ())
    return prepare(pairs, settings, options.engine, ngrams, options.progress, text)


def prepare(
    pairs: Sequence[CompressionPair],
    settings: Settings,
    engine: str | None = None,
    ngrams: NGramModel | None = None,
    progress: bool = False,
    lm_text: Text = (),
) -> Prepared:
    """Extract the grammar, train the n-gram model if none is given, find gold derivations. Raises
    ``ValueError`` where there is no pair, or none that the grammar links, for an n-gram model or
    text that no feature uses, and for both of them."""
    settings.check()
    if not settings.has_ngrams and (ngrams is not None or lm_text):
        raise ValueError(f"features {cited(settings.features)} have no use for an n-gram model")
    if ngrams is not None and lm_text:
        raise ValueError("n-grams are given (ngrams), and text to learn them (lm_text): give one")
    if not pairs:
        raise ValueError("there is nothing to learn from: give at least one pair")
    plain = [prepared_pair(pair) for pair in pairs]
    grammar = extract_grammar(plain, settings.grammar())
    given = None if ngrams is None else FoldedModels(ngrams, (ngrams,))
    models = given or _language_models(plain, settings, lm_text)
    return prepared_with(plain, settings, grammar, models, engine, progress)


def prepared_with(
    pairs: Sequence[CompressionPair],
    settings: Settings,
    grammar: SynchronousGrammar,
    ngrams: FoldedModels,
    engine: str | None = None,
    progress: bool = False,
) -> Prepared:
    """The same with a grammar and n-gram models that are there; ``pairs`` have been prepared."""
    features = RuleFeatures(settings.chosen_templates())
    examples = CompressionExamples(
        pairs, grammar, features, ngrams, settings, choose_engine(engine), progress
    )
    features.freeze()
    if not len(examples):
        raise ValueError(
            f"the grammar links none of the {len(pairs)} pairs: read it off more pairs, or "
            "allow more variables or nodes"
        )
    digest = _digest(pairs, [*ngrams.folds, ngrams.whole], features.templates.text)
    return Prepared(grammar, ngrams.whole, features, examples, digest)


def _digest(pairs: Sequence[CompressionPair], models: Sequence[NGramModel], templates: str) -> str:
    """A checksum of what is learned from: two checkpoints that differ in it are strangers."""
    digest = hashlib.sha256(templates.encode())
    for pair in pairs:
        line = f"{pair.name} {pair.source} {pair.target} {pair.alignment}\n"
        digest.update(line.encode("utf-8", "surrogateescape"))  # a name may be no text
    for model in models:
        digest.update("\n".join(model.vocabulary).encode())
        for array in model.arrays().values():
            digest.update(array.tobytes())
    return digest.hexdigest()


def _language_models(
    pairs: Sequence[CompressionPair], settings: Settings, text: Text
) -> FoldedModels:
    """For each fold the model of the other folds' pairs, and that of all pairs, each of ``text``,
    too; unigrams of all where their feature is left out."""
    order, folds = (settings.order, settings.folds) if settings.has_ngrams else (1, 1)
    fold = folds_of(pairs, folds)
    whole = estimate_ngrams([*ngram_text(pairs), *text], order)
    if max(fold) == 0:
        return FoldedModels(whole, (whole,))
    others = [[pair for pair, its in zip(pairs, fold) if its != i] for i in range(max(fold) + 1)]
    return FoldedModels(
        whole, tuple(estimate_ngrams([*ngram_text(some), *text], order) for some in others), fold
    )


# --- pairs with their gold derivations, as the structured SVM learns from them -------------------

Search = Callable[[int, np.ndarray], tuple[tuple[int, ...], float]]
"""From the number of a pair and the weights to the derivation found, and its loss."""


class Example(NamedTuple):
    """A pair made ready: where rules match, their features, the gold derivation and its own."""

    name: str
    ngrams: NGramModel
    problem: TransductionProblem
    target: PhraseNodes
    rows: FeatureRows
    loss: Loss
    gold: tuple[int, ...]
    features: dict[int, float]


class CompressionExamples:
    """The pairs of a training, for ``StructuredSVM``; ``unreachable`` counts those that the grammar
    does not link, by reason, which are passed over."""

    def __init__(
        self,
        pairs: Sequence[CompressionPair],
        grammar: SynchronousGrammar,
        features: RuleFeatures,
        ngrams: FoldedModels,
        settings: Settings,
        engine: str,
        progress: bool = False,
    ) -> None:
        self.settings, self._beam = settings, cohn.search_of(settings.beam, "cube")[0]
        self.unreachable: Counter[str] = Counter()
        self.examples: list[Example] = []
        matched: dict[tuple[PhraseNodes, int], tuple[TransductionProblem, FeatureRows]] = {}
        fold = folds_of(pairs, settings.rule_folds)
        rules_elsewhere = _rules_elsewhere(pairs, fold, settings.grammar())
        shown = progress_bar(pairs, desc="matching rules", unit=" pairs", wanted=progress, delay=2)
        for i, pair in enumerate(shown):
            nodes, target = phrase_nodes(pair.source), phrase_nodes(pair.target)
            key = nodes, fold[i]
            if key not in matched:  # several people have shortened it
                problem = transduction_problem(nodes, grammar)
                if rules_elsewhere:
                    problem = extracted_from(problem, rules_elsewhere[fold[i]])
                matched[key] = problem, features.rows(problem)
            problem, rows = matched[key]
            scored = compression_loss(settings.loss, pair.target, settings.penalty)
            try:
                found = self._gold(pair.name, problem, target, None)
            except NoDerivation:
                rules = settings.grammar()
                why = why_unlinked(problem.nodes, target, pair.alignment, grammar, rules)
                self.unreachable[why] += 1
                continue
            one = Example(pair.name, ngrams.of(i), problem, target, rows, scored, found, {})
            self.examples.append(one._replace(features=self._described(one, found)))
        self._search = self._reference if engine == "reference" else self._fast()

    def __len__(self) -> int:
        return len(self.examples)

    def most_violated(self, i: int, weights: np.ndarray) -> Constraint:
        """The derivation with the highest loss and score, as a constraint."""
        one = self.examples[i]
        applications, loss = self._search(i, weights)
        found = self._described(one, applications)
        difference = dict(one.features)
        for number, value in found.items():
            difference[number] = difference.get(number, 0.0) - value
        ids = sorted(number for number, value in difference.items() if value)
        values = [difference[number] for number in ids]
        return Constraint(np.array(ids, np.int64), np.array(values, np.float64), loss)

    def choose_gold(self, weights: np.ndarray) -> None:
        """Choose the gold derivations anew, by their scores under these weights (footnote 10)."""
        for i, one in enumerate(self.examples):
            scores = application_scores(one.rows, weights)
            found = self._gold(one.name, one.problem, one.target, scores)
            self.examples[i] = one._replace(gold=found, features=self._described(one, found))

    def _described(self, one: Example, applications: tuple[int, ...]) -> dict[int, float]:
        """Psi of a derivation."""
        ngrams = 0.0
        if self.settings.has_ngrams:
            ngrams = one.ngrams.score(one.problem.target_tree(applications).leaves())
        return derivation_features(one.rows, applications, ngrams)

    def _gold(
        self,
        name: str,
        problem: TransductionProblem,
        target: PhraseNodes,
        scores: Sequence[float] | None,
    ) -> tuple[int, ...]:
        gold = self.settings.gold
        if gold.endswith("score") and scores is None:
            gold = "max-rules"
        return gold_derivation(problem, target, gold, scores, f"{self.settings.seed} {name}")

    def _reference(self, i: int, weights: np.ndarray) -> tuple[tuple[int, ...], float]:
        one = self.examples[i]
        given = _given(one, application_scores(one.rows, weights), weights)
        best = StsgChart(given, self._beam).run().best[0]
        return best.applications, best.loss

    def _fast(self) -> Search:
        """The same in the fast engine, with the numbers of each pair made once."""
        from wordorder_lab.transduction.chart_fast import FastChart
        from wordorder_lab.transduction.combine_fast import (
            FastLoss,
            FastProblem,
            fast_application_scores,
        )

        problems: dict[tuple[int, int], FastProblem] = {}
        for one in self.examples:
            key = id(one.problem), id(one.ngrams)
            problems[key] = problems.get(key) or FastProblem.of(one.problem, one.ngrams)
        ready = [
            (problems[id(one.problem), id(one.ngrams)], FastLoss.of(one.loss, one.problem))
            for one in self.examples
        ]

        def search(i: int, weights: np.ndarray) -> tuple[tuple[int, ...], float]:
            one, (problem, loss) = self.examples[i], ready[i]
            scores = fast_application_scores(one.rows, weights).tolist()
            given = _given(one, scores, weights)
            best = FastChart(given, self._beam, problem=problem, loss=loss).run().best[0]
            return best.applications, best.loss

        return search


def _given(one: Example, scores: Sequence[float], weights: np.ndarray) -> TransductionInput:
    weight = float(weights[NGRAM_ID])
    return TransductionInput(one.problem, scores, one.ngrams, weight, one.loss)


ANNOTATOR = re.compile(r"#\d+$")
SENTENCE = re.compile(r"\.\d+$")


def folds_of(pairs: Sequence[CompressionPair], folds: int) -> list[int]:
    """The fold of each pair, a number from 0; pairs of one document are in one fold. The documents
    are dealt out as they come, each to the fold that has the fewest pairs so far, of equal ones to
    the first. With fewer documents than ``folds`` there are so many folds."""
    documents = [document_of(pair) for pair in pairs]
    sizes = Counter(documents)
    dealt = [0] * min(folds, len(sizes))
    fold_of: dict[Hashable, int] = {}
    for document, size in sizes.items():
        fold = fold_of[document] = dealt.index(min(dealt))
        dealt[fold] += size
    return [fold_of[document] for document in documents]


def _rules_elsewhere(
    pairs: Sequence[CompressionPair], fold: Sequence[int], settings: GrammarSettings
) -> list[frozenset[str]]:
    """For each fold the texts of the rules that the others' pairs have; none of a single fold."""
    folds = range(max(fold) + 1)
    if len(folds) == 1:
        return []
    parts = [[pair for pair, its in zip(pairs, fold) if its == i] for i in folds]
    rules = [{rule.text for rule in extract_grammar(part, settings).rules} for part in parts]
    return [frozenset().union(*(rules[i] for i in folds if i != its)) for its in folds]


def ngram_text(pairs: Sequence[CompressionPair]) -> Iterator[list[str]]:
    """The sentences of the pairs: each source once, whoever has shortened it, and every target."""
    seen = set()
    for pair in pairs:
        source = (ANNOTATOR.sub("", pair.name), *pair.source.leaves())
        if source not in seen:
            seen.add(source)
            yield pair.source.leaves()
        yield pair.target.leaves()


def document_of(pair: CompressionPair) -> Hashable:
    """What pairs of one document have in common: a name without the number of the sentence; of
    pairs without a name the source."""
    name = ANNOTATOR.sub("", pair.name)
    return SENTENCE.sub("", name) if name else tuple(pair.source.leaves())


SYSTEMS = {
    cohn.SYSTEM: System(
        "Sentence compression as tree transduction (Cohn & Lapata 2009)",
        Settings,
        learn_pairs,
        cohn.CompressionModel,
        takes=("ngrams", "lm_text", "in_order"),
        takes_options=True,
    )
}
