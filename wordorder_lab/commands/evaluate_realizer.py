"""``wordorder-lab evaluate`` with a realiser: BLEU as the shared tasks count it, and more."""

from __future__ import annotations

import time
from argparse import Namespace
from typing import Any

from wordorder_lab.commands.common import (
    beside,
    refuse_options,
    report,
    search_options,
)
from wordorder_lab.corpora.lemma_corpora import load_lemma_trees
from wordorder_lab.experiments.runs.map_in_order import map_in_order
from wordorder_lab.metrics.realization import realization_scores
from wordorder_lab.structures.lemma_tree import LemmaTree
from wordorder_lab.structures.realization import Realization
from wordorder_lab.systems import search_names

OTHER = ("units", "pos", "deps", "seed", "against", "rate", "supertagger")
"""Options of ``evaluate`` that are other systems'."""


def run(arguments: Namespace, model: Any) -> int:
    """Realise the trees, print the table, write the numbers."""
    given = [name for name in OTHER if getattr(arguments, name, None) is not None]
    given += ["errors"] if arguments.errors else []
    refuse_options(model.system, given, search_names(model.system), "in its evaluation")
    search = model.search_settings(**search_options(model, arguments))
    name = arguments.corpus or model.settings.get("corpus", "sr18")
    every = load_lemma_trees(name).split(arguments.split)
    trees = [tree for tree in every if tree.reference]
    if not trees:
        raise ValueError(f"no tree of {name} {arguments.split} has its reference: nothing to score")
    begin = time.perf_counter()
    asked = _Asked(arguments.engine, search)
    done = list(map_in_order(asked, trees, arguments.jobs, "realising", model))
    seconds = time.perf_counter() - begin
    scores = realization_scores(done, trees)
    place = {"system": model.system, "corpus": name, "split": arguments.split, **search}
    data = {**place, "model": arguments.model, **scores.to_dict()}
    data |= {"without_reference": len(every) - len(trees)}
    data |= {"ms_per_sentence": 1000 * seconds / len(trees), "stopped": _stopped(done)}
    told = ", ".join(f"{key} {value}" for key, value in search.items() if value is not None)
    lines = [f"{model.system} on {name} {arguments.split}: {told}", "", *str(scores).splitlines()]
    lines += [f"{'ms a sentence':<18}{data['ms_per_sentence']:>7.1f}"]
    if data["without_reference"]:
        lines.append(f"{'no reference':<18}{data['without_reference']:>7,}  left out")
    texts = [one.text for one in done], [" ".join(tree.reference) for tree in trees]
    report([*lines, *beside(*texts, arguments.show)], data, arguments.json)
    return 0


class _Asked:
    """One tree's realisation, asked of the model in whatever process works on it."""

    def __init__(self, engine: str | None, search: dict[str, Any]) -> None:
        self.how = {"engine": engine, **search}

    def __call__(self, model: Any, tree: LemmaTree) -> Realization:
        done: Realization = model.realize(tree, **self.how)
        return done


def _stopped(done: list[Realization]) -> dict[str, int]:
    """How many searches ended for which reason."""
    counts: dict[str, int] = {}
    for one in done:
        if one.result is not None:
            counts[one.result.stopped] = counts.get(one.result.stopped, 0) + 1
    return counts
