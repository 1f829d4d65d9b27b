"""``wordorder-lab evaluate`` with a realiser: BLEU as the shared tasks count it, and more."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from typing import Any

from wordorder_lab.commands.common import beside, refuse_others, search_options
from wordorder_lab.commands.output import report
from wordorder_lab.corpora.lemma_corpora import load_lemma_trees
from wordorder_lab.experiments.runs.realization_evaluate import evaluate_realizer, gold_of
from wordorder_lab.structures.result import Realization

OTHER = ("units", "pos", "deps", "seed", "against", "rate", "supertagger")
"""Options of ``evaluate`` that are other systems'."""


def run(arguments: Namespace, model: Any) -> int:
    """Realise the trees, print the table, write the numbers."""
    refuse_others(model, arguments, OTHER, "in its evaluation")
    search = model.search_settings(**search_options(model, arguments))
    name = arguments.corpus or model.settings.get("corpus", "sr18")
    every = load_lemma_trees(name).split(arguments.split)
    trees = [tree for tree in every if tree.reference]
    if not trees:
        raise ValueError(
            f"no tree of {name} {arguments.split} knows its words, so there is nothing to score: "
            "give a treebank, with words in column 2 and lemmas in column 3"
        )
    inflector = getattr(model, "inflector", None)  # of other packages' systems: perhaps none
    gold = None if inflector is None else gold_of(trees, inflector)
    how = {"engine": arguments.engine, **search}
    done = evaluate_realizer(model, trees, gold, jobs=arguments.jobs, **how)
    place = {"system": model.system, "corpus": name, "split": arguments.split, **search}
    data = {**place, "model": arguments.model, **done.scores.to_dict()}
    data |= {"without_reference": len(every) - len(trees), "stopped": _stopped(done.outputs)}
    data |= {"ms_per_sentence": done.mean_ms, "ms_median": done.median_ms}
    told = ", ".join(f"{key} {value}" for key, value in search.items() if value is not None)
    lines = [f"{model.system} on {name} {arguments.split}: {told}", ""]
    lines += str(done.scores).splitlines()
    lines += [f"{'ms a sentence':<18}{done.mean_ms:>7.1f}  median {done.median_ms:.1f}"]
    if data["without_reference"]:
        lines.append(f"{'no reference':<18}{data['without_reference']:>7,}  left out")
    if arguments.errors and done.errors is not None:
        data["errors"] = done.errors.to_dict()
        lines += ["", *str(done.errors).splitlines()]
    texts = [one.text for one in done.outputs], [" ".join(tree.reference) for tree in trees]
    report([*lines, *beside(*texts, arguments.show)], data, arguments.json)
    return 0


def _stopped(done: Sequence[Realization]) -> dict[str, int]:
    """How many searches ended for which reason."""
    counts: dict[str, int] = {}
    for one in done:
        if one.result is not None:
            counts[one.result.stopped] = counts.get(one.result.stopped, 0) + 1
    return counts
