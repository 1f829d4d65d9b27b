"""``wordorder-lab train supertagger``: sentences with categories in, a model file out."""

from __future__ import annotations

import time
from argparse import Namespace
from typing import Any

from wordorder_lab.commands.common import check_json, check_target, own_settings, usual_corpus
from wordorder_lab.commands.output import report
from wordorder_lab.corpora.supertags import load_supertags
from wordorder_lab.systems import train

OTHER = ("lm", "lm_text", "ngrams", "arpa", "trace", "eval", "supertagger")
"""Options of ``train`` that are other systems'."""


def run(arguments: Namespace) -> int:
    """Train, and write the model."""
    settings = own_settings(arguments, OTHER)
    out = check_target(arguments.out)
    check_json(arguments.json)
    name = arguments.corpus or usual_corpus()
    corpus = load_supertags(name, units=arguments.units)
    sentences = corpus.train
    begin = time.perf_counter()
    about = {"corpus": name, "units": corpus.units}
    model = train("supertagger", sentences, engine=arguments.engine, about=about, **settings)
    seconds = time.perf_counter() - begin
    model.save(out)
    data: dict[str, Any] = {"system": arguments.system, **about, **settings, "model": str(out)}
    data |= {"sentences": len(sentences), "categories": len(model.numbers.categories)}
    line = (
        f"wrote {out} ({out.stat().st_size / 1e6:.1f} MB), trained on {len(sentences):,} sentences "
        f"with {data['categories']:,} categories"
    )
    report([line], {**data, "seconds": seconds}, arguments.json)
    return 0
