"""``wordorder-lab evaluate``: how good a model is on what it has not seen, whatever its task.

Several values of ``--pos``, ``--deps`` or ``--seed`` are a grid of conditions: ``evaluate_grid``.
"""

from __future__ import annotations

from argparse import Namespace
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from wordorder_lab.commands import common
from wordorder_lab.commands.common import condition, open_model
from wordorder_lab.commands.output import Described, check_json, report, workers
from wordorder_lab.corpora import load_corpus
from wordorder_lab.experiments.runs.evaluate import evaluate
from wordorder_lab.experiments.runs.ordering_evaluate import Evaluation, named
from wordorder_lab.experiments.runs.schema import Row, Table
from wordorder_lab.metrics.significance import paired_bootstrap, pooled_interval
from wordorder_lab.structures.sentence import Sentence
from wordorder_lab.systems import find, search_names
from wordorder_lab.systems.model import OrderingModel

if TYPE_CHECKING:  # they read trees, and who orders words does not wait for them
    from wordorder_lab.experiments.runs.parse_evaluate import ParsingScores, TaggingScores
    from wordorder_lab.structures.lemma_tree import LemmaTree
    from wordorder_lab.systems.parser import TreebankParser
    from wordorder_lab.systems.realizer import Realizer
    from wordorder_lab.systems.supertagger import Supertagger
    from wordorder_lab.systems.system import System

SEVERAL = ("pos", "deps", "seed")
HAS: Mapping[str, Sequence[str]] = {
    "order": ("units", *SEVERAL, "against", "errors"),
    "compress": ("rate", "seed", "parser", "against", "errors"),
    "realize": ("parser", "errors"),
    "parse": (),
    "tag": ("units",),
}
"""Task -> which of ``BESIDE`` it has."""
BESIDE = tuple(dict.fromkeys(name for names in HAS.values() for name in names))
"""Options that not every task has, and that are no settings of a search."""


def taken(system: System) -> tuple[str, ...]:
    """The options that the evaluation of a system takes: settings, and its own of ``BESIDE``."""
    return (*system.search_names(), *HAS[system.task])


def run(arguments: Namespace) -> int:
    """Score the model, print the table, write the numbers."""
    check_json(arguments.json)
    model = common.with_supertagger(open_model(arguments.model), arguments)
    system = find(model.system)
    common.refuse_others(system.name, arguments, BESIDE, taken(system), "in its evaluation")
    with workers(arguments):
        search = common.search_options(model, arguments)
        given = {name: list(dict.fromkeys(getattr(arguments, name) or [])) for name in SEVERAL}
        if system.task == "order" and any(len(values) > 1 for values in given.values()):
            if arguments.errors:
                raise ValueError(
                    "--errors goes with one condition: give --pos, --deps, --seed once"
                )
            from wordorder_lab.commands import evaluate_grid

            return evaluate_grid.run(arguments, model, given)
        if system.task == "compress":
            from wordorder_lab.commands.evaluate_compression import compressing

            lines, data = compressing(arguments, model, search)
        else:
            lines, data = EVALUATIONS[system.task](arguments, model, search)
    report(lines, {**data, "model": arguments.model}, arguments.json)
    return 0


# --- bags of words --------------------------------------------------------------------------------


def ordering(arguments: Namespace, model: OrderingModel, search: Row) -> Described:
    """BLEU and more of the sentences that are made of bags, under one condition."""
    for name in SEVERAL:
        setattr(arguments, name, next(iter(getattr(arguments, name) or ()), None))
    second = open_model(arguments.against, "order") if arguments.against else None
    where, corpus = common.place_of(model, arguments)
    sentences = corpus.split(where["split"])
    done = _ordered(model, sentences, arguments, search)
    interval = pooled_interval([done.counts])
    data = {**where, **done.to_dict()}
    data["bleu_cased_interval"] = [interval.low, interval.high]
    lines = [condition(data), *common.not_a_bag(data), "", *_table(done, str(interval))]
    lines += common.beside(done.outputs, done.references, arguments.show)
    if arguments.errors:
        faults, data["errors"] = common.whose_fault(model, sentences, done, arguments, search)
        lines += faults
    if second is not None:
        # What is said about one system's search means something else to another's.
        alike = search_names(second.system) == search_names(model.system)
        for name in SEVERAL:  # the same bags, whatever the second was trained with
            setattr(arguments, name, done.condition[name])
        other = _ordered(second, sentences, arguments, search if alike else {})
        compared, data["against"] = _compare(done, other, arguments)
        lines += compared
    return lines, data


def _ordered(
    model: OrderingModel, sentences: Sequence[Sentence], arguments: Namespace, search: Table
) -> Evaluation:
    asked = {name: getattr(arguments, name) for name in (*SEVERAL, "engine", "jobs")}
    return evaluate(model, sentences, **asked, **search)


def _table(done: Evaluation, interval: str) -> list[str]:
    lines = str(done.scores).splitlines()
    first = next(i for i, line in enumerate(lines) if line.startswith("BLEU cased"))
    lines.insert(first + 1, f"{'  95 % interval':<18}  {interval.partition('(')[2].rstrip(')')}")
    if any(reason != "complete" for reason in done.stopped):
        ended = ", ".join(f"{number:,} {reason}" for reason, number in done.stopped.items())
        last = next(i for i, line in enumerate(lines) if line.startswith("timeouts"))
        lines.insert(last + 1, f"{'  searches ended':<18}  {ended}")
    return lines


def _compare(done: Evaluation, other: Evaluation, arguments: Namespace) -> Described:
    comparison = paired_bootstrap(other.outputs, done.outputs, done.references)
    line = f"baseline is {arguments.against}, system is {arguments.model}"
    ours, theirs = done.condition, other.condition
    names = [name for one in (ours, theirs) for name in search_names(one["system"])]
    options = named(dict.fromkeys(names))
    if any(theirs.get(name) != ours.get(name) for name in ("system", *options)):
        known = [name for name in options if theirs.get(name) is not None]
        settings = ", ".join(f"{name} {theirs[name]}" for name in known)
        line += f"; the baseline is {theirs['system']} with {settings}"
    data = {"model": arguments.against, **theirs, **comparison.to_dict()}
    return ["", line, *str(comparison).splitlines()], data


# --- sentences and trees --------------------------------------------------------------------------


def realizing(arguments: Namespace, model: Realizer, search: Row) -> Described:
    """BLEU as the shared tasks count it, and more, of sentences made of trees of lemmas."""
    place = _place(arguments, model, search)
    every = _trees(arguments, model, place["corpus"])
    trees = [tree for tree in every if tree.reference]
    if not trees:
        raise ValueError(
            f"no tree of {place['corpus']} {arguments.split} knows its words, so there is nothing "
            "to score: give a treebank, with words in column 2 and lemmas in column 3"
        )
    done = evaluate(model, trees, engine=arguments.engine, jobs=arguments.jobs, **search)
    stopped = Counter(one.result.stopped for one in done.outputs if one.result is not None)
    data = {**place, **done.scores.to_dict(), "without_reference": len(every) - len(trees)}
    data |= {"stopped": stopped, "ms_per_sentence": done.mean_ms, "ms_median": done.median_ms}
    lines = [condition(named(place)), "", *str(done).splitlines()]
    if data["without_reference"]:
        lines.append(f"{'no reference':<18}{data['without_reference']:>7,}  left out")
    if arguments.errors and done.errors is not None:
        data["errors"] = done.errors.to_dict()
        lines += ["", *str(done.errors).splitlines()]
    outputs, references = [one.text for one in done.outputs], [tree.reference for tree in trees]
    return [*lines, *common.beside(outputs, [*map(" ".join, references)], arguments.show)], data


def _trees(arguments: Namespace, model: Realizer, name: str) -> Sequence[LemmaTree]:
    """Trees of a split; of plain text as the model's lemmatizer makes them."""
    from wordorder_lab.systems.parsed_trees import is_text_file, lemma_trees_of

    if is_text_file(name):
        parser = common.open_parser(arguments.parser or common.DEFAULT_PARSER)
        return model.trees_of(load_corpus(name).split(arguments.split), parser)
    if arguments.parser is not None:
        raise ValueError(f"--parser is for text (FILE.txt), and {name} has trees")
    return lemma_trees_of(name).split(arguments.split)


def _place(arguments: Namespace, model: Any, search: Table) -> Row:
    place = {"system": model.system, "corpus": common.scored_on(model, arguments)}
    return {**place, "split": arguments.split, **model.search_settings(**search)}


def parsing(arguments: Namespace, model: TreebankParser, search: Row) -> Described:
    """Labelled brackets, fallbacks and speed, with gold tags and with the parser's own."""
    from wordorder_lab.experiments.runs.parse_evaluate import evaluate_parser

    place = _place(arguments, model, search)
    trees = find(model.system).does.load(place["corpus"]).split(arguments.split)
    settings = model.search_settings(**search)
    scores = evaluate_parser(model, trees, engine=arguments.engine, **settings)
    return [condition(place), "", *_parsed_lines(scores)], {**place, **scores.to_dict()}


def _parsed_lines(scores: ParsingScores) -> list[str]:
    from wordorder_lab.experiments.runs.parse_evaluate import SHORT

    given, guessed = scores.tags_given, scores.tags_guessed
    short = scores.short_given.f1, scores.short_guessed.f1
    rows = [
        ("labelled brackets F1", given.f1, guessed.f1, ".2%"),
        ("  precision", given.precision, guessed.precision, ".2%"),
        ("  recall", given.recall, guessed.recall, ".2%"),
        (f"  F1, up to {SHORT} words", *short, ".2%"),
        ("sentences all right", given.exact_match, guessed.exact_match, ".2%"),
        ("tags right", given.tag_accuracy, guessed.tag_accuracy, ".2%"),
        ("put together of pieces", scores.fallbacks_given, scores.fallbacks_guessed, ","),
        ("sentences a CPU second", scores.per_second_given, scores.per_second_guessed, ",.0f"),
    ]
    lines = [f"{'':<28}{'tags given':>12}{'guessed':>12}"]
    lines += [f"{what:<28}{one:>12{form}}{other:>12{form}}" for what, one, other, form in rows]
    left_out = f" ({scores.left_out:,} too long)" if scores.left_out else ""
    return [*lines, f"{'sentences':<28}{scores.sentences:>12,}{left_out}"]


def tagging(arguments: Namespace, model: Supertagger, search: Row) -> Described:
    """Words that are right, and what each beta keeps."""
    from wordorder_lab.experiments.runs.parse_evaluate import evaluate_supertagger

    if "beta" in search:
        raise ValueError("--beta is for supertag: evaluate has a row for each of several")
    name = common.scored_on(model, arguments)
    units = arguments.units or (model.settings.get("units") if arguments.corpus is None else None)
    corpus = find(model.system).does.load(name, units=units)
    scores = evaluate_supertagger(model, corpus.split(arguments.split), engine=arguments.engine)
    place = {"system": model.system, "corpus": name, "split": arguments.split}
    place |= {"units": corpus.units}
    return [condition(place), "", *_tagged_lines(scores)], {**place, **scores.to_dict()}


def _tagged_lines(scores: TaggingScores) -> list[str]:
    from wordorder_lab.experiments.runs.parse_evaluate import PAPER

    rows = [
        ("words right, gold tags", scores.accuracy),
        ("  without punctuation", scores.without_marks),
        ("most frequent category", scores.baseline),
        ("words right, tags guessed", scores.guessed),
        ("tags guessed right", scores.tags_guessed),
    ]
    lines = [f"{what:<28}{share:8.2%}" for what, share in rows]
    lines += [f"{'words, sentences':<28}{scores.words:8,}{scores.sentences:8,}"]
    lines += [f"{'words a CPU second':<28}{scores.words_per_second:8,.0f}", ""]
    lines += [f"{'beta':<10}{'categories a word':>18}{'gold kept':>12}{'C&C, paper':>12}"]
    for row in scores.kept:
        paper = f"{PAPER[row.beta]:.1f}" if row.beta in PAPER else ""
        kept = f"{row.beta:<10g}{row.categories:>18.2f}{row.coverage:>12.2%}{paper:>12}"
        lines.append(kept.rstrip())
    return lines


EVALUATIONS: Mapping[str, Callable[[Namespace, Any, Row], Described]] = {
    "order": ordering,
    "realize": realizing,
    "parse": parsing,
    "tag": tagging,
}
"""Task -> how its models are evaluated: from options, model, and settings of its search."""
