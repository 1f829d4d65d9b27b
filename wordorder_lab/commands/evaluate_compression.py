"""``wordorder-lab evaluate`` with a model that makes sentences shorter.

An F1 says nothing without the compression rate, so both are printed beside two floors; ``--rate``
brings the rate to where it is wanted by a bonus for every word, found on dev.
"""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence

from wordorder_lab.commands import common
from wordorder_lab.commands.common import DEFAULT_PARSER, condition, open_model, spread
from wordorder_lab.commands.output import Described, printer
from wordorder_lab.corpora import Compressions
from wordorder_lab.experiments.runs.compression_evaluate import (
    CompressionEvaluation,
    evaluate_compressions,
    match_rate,
)
from wordorder_lab.experiments.runs.schema import Row, Table
from wordorder_lab.metrics.relations import wilcoxon_relation_f1
from wordorder_lab.structures.compression import CompressionPair, presented
from wordorder_lab.systems.cohn_lapata_2009 import CompressionModel
from wordorder_lab.systems.compression_grid import loss_of
from wordorder_lab.systems.parsed_pairs import Parsing

TUNED = "dev"
"""The split that a bonus is found on, whatever the split that is scored."""
TITLES = {
    "rate": "rate",
    "relation_f1": "relation F1",
    "relation_f1_labelled": "labelled",
    "unigram_f1": "unigram F1",
    "fourgram_f1": "4-gram F1",
    "exact_match": "exact match",
}
"""The scores of a line, and what they are called."""
FLOORS = {
    "keep_all": "keep all",
    "random_deletion": "random deletion",
    "first_clause": "first clause",
}


def compressing(arguments: Namespace, model: CompressionModel, search: Row) -> Described:
    """Relation F1 and rate of shorter sentences, beside two floors."""
    if len(arguments.seed or ()) > 1:
        raise ValueError(f"--seed of {model.system} takes one value: it is for random deletion")
    if arguments.rate is not None and "bonus" in search:
        raise ValueError("--rate finds the bonus: leave --bonus out")
    second = open_model(arguments.against, "compress") if arguments.against else None
    model.search_settings(**search)
    name = common.scored_on(model, arguments)
    parser = common.parser_for(arguments.parser, name)
    corpus = common.open_compressions(name, parser)
    pairs = corpus.split(arguments.split)
    data: Row = {"corpus": name, "split": arguments.split}
    data |= {} if parser is None else {"parser": arguments.parser or DEFAULT_PARSER}
    done, matched, own = _evaluate(model, corpus, pairs, arguments, search, parser)
    data |= {**done.to_dict(), **matched}
    data |= {} if own is None else {"at_own_rate": own.to_dict()}
    lines = [condition(data), *_rate_lines(matched), "", *_table(done, model), ""]
    lines += [*floor_lines(done, own), *output_lines(done, arguments.show)]
    if arguments.errors:
        options = {**search, **({"bonus": matched[f"{TUNED}_bonus"]} if matched else {})}
        faults, data["errors"] = common.whose_fault(model, pairs, done, arguments, options)
        lines += ["", *faults]
    if second is not None:
        other, others, _ = _evaluate(second, corpus, pairs, arguments, search, parser)
        compared, data["against"] = _compare(done, other, arguments)
        lines += ["", *compared]
        data["against"] |= others
    return lines, data


def _evaluate(
    model: CompressionModel,
    corpus: Compressions,
    pairs: Sequence[CompressionPair],
    arguments: Namespace,
    search: Table,
    parser: Parsing | None,
) -> tuple[CompressionEvaluation, Row, CompressionEvaluation | None]:
    """A model on pairs; and, if a bonus was looked for, how, and the model without it."""
    options = {"engine": arguments.engine, "jobs": arguments.jobs, **search}
    matched: Row = {}
    if arguments.rate is not None:
        printer(arguments.json)(f"looking for the bonus on {TUNED} ...")
        rate = None if arguments.rate == "gold" else arguments.rate
        match = match_rate(model, corpus.split(TUNED), rate, **options)
        options["bonus"] = match.bonus
        matched = {f"{TUNED}_{name}": value for name, value in match._asdict().items()}
    options |= {"seed": arguments.seed[0] if arguments.seed else 1, "parser": parser}
    done = evaluate_compressions(model, pairs, **options)
    own = evaluate_compressions(model, pairs, **options | {"bonus": 0.0}) if matched else None
    return done, matched, own


def _rate_lines(matched: Table) -> list[str]:
    if not matched:
        return []
    bonus, rate, wanted = (matched[f"{TUNED}_{name}"] for name in ("bonus", "rate", "wanted"))
    return [
        f"the bonus of {bonus:g} a word was found on {TUNED}, where it keeps {rate:.2%} of the "
        f"words; wanted were {wanted:.2%}"
    ]


def _table(done: CompressionEvaluation, model: CompressionModel) -> list[str]:
    loss, _ = loss_of(model)
    if loss == model.settings.get("loss"):
        loss += ", what it was trained to make small"
    lines = str(done.scores).splitlines()
    if (again := done.reparsed) is not None:
        low, high = again.interval
        refused = f"; {again.refused:,} not parsed" if again.refused else ""
        lines.append(
            f"{'parsed anew':<14}{again.f1:>7.2%}  (relation F1 of the words; 95 %: {low:.2%} to "
            f"{high:.2%}; labelled {again.f1_labelled:.2%}{refused})"
        )
    work = f"{done.combinations_per_sentence:,.0f} combinations"
    lines += [f"{'mean loss':<14}{done.loss:>7.3f}  ({loss})"]
    lines += [f"{'ms a sentence':<14}{done.ms_per_sentence:>7.1f}  ({work})"]
    if done.gave_up is not None:
        why = "outputs that could not obey all constraints"
        lines += [f"{'gave up':<14}{done.gave_up:>7,}  ({why})"]
    return lines


def floor_lines(done: CompressionEvaluation, own: CompressionEvaluation | None = None) -> list[str]:
    """The system beside what knows nothing, and at its own rate if it was brought to another."""
    lines = [f"{'':<17}" + "".join(f"{title:>13}" for title in TITLES.values())]
    every = {"this model": done.scores}
    every |= {} if own is None else {"at its own rate": own.scores}
    every |= {FLOORS[name]: floor for name, floor in done.floors.items()}
    for name, scores in every.items():
        cells = (f"{getattr(scores, title):>13.2%}" for title in TITLES)
        lines.append(f"{name:<17}{''.join(cells)}")
    return lines


def output_lines(done: CompressionEvaluation, number: int) -> list[str]:
    """Some sentences with their references and outputs, spread over the whole list."""
    lines = [""] if number else []
    for i in spread(len(done.pairs), number):
        pair, output = done.pairs[i], done.outputs[i]
        same = any(output.leaves() == target.leaves() for target in pair.targets)
        source, *targets = (" ".join(presented(t.leaves())) for t in (pair.source, *pair.targets))
        lines += [f"{i + 1:>5} S {source}", *(f"      R {target}" for target in targets)]
        lines.append(f"    {'=' if same else '/'} O {done.texts[i]}")
    return lines


def _compare(
    done: CompressionEvaluation, other: CompressionEvaluation, arguments: Namespace
) -> Described:
    """Is the difference real? Wilcoxon's test on the sentences' F1s (the paper's section 7)."""
    test = wilcoxon_relation_f1(done.outputs, other.outputs, [pair.targets for pair in done.pairs])
    rates = f"rates {done.scores.rate:.2%} and {other.scores.rate:.2%}"
    lines = [f"{arguments.model} against {arguments.against}: {rates}", str(test)]
    return lines, {"model": arguments.against, **other.to_dict(), "wilcoxon": test._asdict()}
