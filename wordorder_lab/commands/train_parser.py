"""``wordorder-lab train parser``: trees in, a model file out."""

from __future__ import annotations

import time
from argparse import Namespace
from typing import Any

from wordorder_lab.commands.common import check_json, check_target, own_settings, usual_corpus
from wordorder_lab.commands.output import report
from wordorder_lab.corpora.treebanks import load_treebank
from wordorder_lab.systems import train

OTHER = ("units", "lm", "lm_text", "ngrams", "arpa", "trace", "eval", "supertagger")
"""Options of ``train`` that are other systems'."""


def run(arguments: Namespace) -> int:
    """Train, and write the model."""
    settings = own_settings(arguments, OTHER)
    out = check_target(arguments.out)
    check_json(arguments.json)
    name = arguments.corpus or usual_corpus()
    trees = load_treebank(name).train
    begin = time.perf_counter()
    about = {"corpus": name}
    model = train("parser", trees, engine=arguments.engine, about=about, **settings)
    seconds = time.perf_counter() - begin
    model.save(out)
    rules = len(model.grammar.scores) + len(model.grammar.unary_scores)
    data: dict[str, Any] = {"system": arguments.system, **about, **settings, "model": str(out)}
    data |= {"trees": model.settings["trees"], "rules": rules}
    data |= {"symbols": len(model.grammar.symbols), "words": len(model.lexicon.words)}
    line = (
        f"wrote {out} ({out.stat().st_size / 1e6:.1f} MB), trained on {data['trees']:,} trees: "
        f"{rules:,} rules over {data['symbols']:,} symbols, {data['words']:,} words"
    )
    report([line], {**data, "seconds": seconds}, arguments.json)
    return 0
