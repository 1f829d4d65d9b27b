"""wordorder_lab: decoders and learners of papers on word ordering, to run and to watch.

import wordorder_lab as wl
corpus = wl.load_corpus("ptb-sample")
model = wl.train("liu-2015", corpus.train)
result = model.order(wl.WordBag(["joined", "the board", "Pierre Vinken", "."]))
"""

from __future__ import annotations

import os
from importlib import import_module
from typing import Any

from wordorder_lab.structures.messages import cited
from wordorder_lab.structures.version import VERSION

__version__ = VERSION

if os.path.expanduser("~") == "~":  # nobody's: no $HOME, and no entry among the users
    from wordorder_lab.runtime.user_cache import temporary_home

    temporary_home()

_PLACES = {
    "WordBag": "structures.bag",
    "Sentence": "structures.sentence",
    "Token": "structures.sentence",
    "Result": "structures.result",
    "Category": "structures.category",
    "unify": "structures.category",
    "combine": "structures.combinators",
    "Derivation": "structures.derivation",
    "SIGNS": "structures.derivation",
    "CCGRules": "best_first.ccg_rules",
    "CategoryDictionary": "models.category_dictionary",
    "CompressionPair": "structures.compression",
    "load_corpus": "corpora",
    "TextPair": "structures.compression",
    "load_compressions": "corpora",
    "load_texts": "corpora",
    "compressions_of": "systems.parsed_pairs",
    "as_separate": "systems.parsed_pairs",
    "load_treebank": "corpora.treebanks",
    "load_lemma_trees": "corpora.lemma_corpora",
    "parse_tree": "corpora.readers.penn",
    "parse_auto": "corpora.readers.ccgbank",
    "SynchronousRule": "structures.synchronous_rule",
    "parse_rule": "structures.synchronous_rule",
    "bag_of": "structures.bag",
    "train": "systems",
    "System": "systems.system",
    "OwnModel": "systems.own_model",
    "TrainedModel": "systems.model",
    "Found": "systems.own_model",
    "TagDictionary": "models.tag_dictionary",
    "estimate_ngrams": "models.kneser_ney",
    "Trace": "structures.trace",
    "Measure": "experiments.measures.measure",
    "View": "widgets.module",
    "load_model": "systems",
    "order": "systems.everyday",
    "realize": "systems.everyday",
    "compress": "systems.everyday",
    "EventLog": "trace.log",
    "marked_gold": "analysis.marked_gold",
    "errors": "exploring.explore",
    "SearchAgain": "analysis.search_again",
    "explore": "exploring.explore",
    "race": "exploring.race",
    "sweep": "exploring.sweep",
    "constraint_board": "exploring.compressions",
    "compressions_side_by_side": "exploring.compressions",
    "evaluate": "experiments.runs.evaluate",
    "random_order": "experiments.runs.ordering_evaluate",
    "claims_table": "experiments.verdicts",
    "paper_table": "experiments.verdicts",
    "paper_figure": "experiments.report",
    "OrderingProblem": "structures.problem",
    "parse_bag": "structures.typed_bag",
    "play": "widgets.player",
    "to_html": "widgets.page",
    "lecture": "widgets.page",
    "ordering_form": "widgets.form",
    "rating_form": "widgets.rating",
    "analyse_ratings": "metrics.ratings",
}

__all__ = sorted(_PLACES)


def __getattr__(name: str) -> Any:
    # Loaded when first used, so that a small command starts quickly.
    if name not in _PLACES:
        raise AttributeError(f"module 'wordorder_lab' has no attribute {cited(name)}")
    return getattr(import_module(f"wordorder_lab.{_PLACES[name]}"), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *_PLACES])
