"""``wordorder-lab evaluate`` with a parser: labelled brackets, fallbacks and speed."""

from __future__ import annotations

from argparse import Namespace

from wordorder_lab.commands.common import refuse_others, scored_on, search_options
from wordorder_lab.commands.output import report
from wordorder_lab.corpora.treebanks import load_treebank
from wordorder_lab.experiments.runs.parse_evaluate import (
    SHORT,
    ParsingScores,
    evaluate_parser,
)
from wordorder_lab.systems.parser import TreebankParser

OTHER = ("units", "pos", "deps", "seed", "against", "rate", "supertagger", "errors")
"""Options of ``evaluate``, most of them other systems'."""


def run(arguments: Namespace, model: TreebankParser) -> int:
    """Parse the sentences, print the table, write the numbers."""
    refuse_others(model, arguments, OTHER, "in its evaluation")
    search = model.search_settings(**search_options(model, arguments))
    name = scored_on(model, arguments)
    trees = load_treebank(name).split(arguments.split)
    scores = evaluate_parser(model, trees, engine=arguments.engine, **search)
    place = {"system": model.system, "corpus": name, "split": arguments.split, **search}
    chosen = ", ".join(f"{key} {value:g}" for key, value in search.items())
    head = f"{model.system} on {name} {arguments.split}: {chosen}"
    data = {**place, "model": arguments.model, **scores.to_dict()}
    report([head, "", *_lines(scores)], data, arguments.json)
    return 0


def _lines(scores: ParsingScores) -> list[str]:
    both = scores.tags_given, scores.tags_guessed
    short = scores.short_given, scores.short_guessed
    shares = [
        ("labelled brackets F1", [one.f1 for one in both]),
        ("  precision", [one.precision for one in both]),
        ("  recall", [one.recall for one in both]),
        (f"  F1, up to {SHORT} words", [one.f1 for one in short]),
        ("sentences all right", [one.exact_match for one in both]),
        ("tags right", [one.tag_accuracy for one in both]),
    ]
    lines = [f"{'':<28}{'tags given':>12}{'guessed':>12}"]
    lines += [f"{what:<28}{one:>12.2%}{other:>12.2%}" for what, (one, other) in shares]
    fallbacks = scores.fallbacks_given, scores.fallbacks_guessed
    lines.append(f"{'put together of pieces':<28}{fallbacks[0]:>12,}{fallbacks[1]:>12,}")
    speed = scores.per_second_given, scores.per_second_guessed
    lines.append(f"{'sentences a CPU second':<28}{speed[0]:>12,.0f}{speed[1]:>12,.0f}")
    left_out = f" ({scores.left_out:,} too long)" if scores.left_out else ""
    return [*lines, f"{'sentences':<28}{scores.sentences:>12,}{left_out}"]
