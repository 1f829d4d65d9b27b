"""``wordorder-lab evaluate`` with several ``--pos``, ``--deps`` or ``--seed``: many conditions.

What is finished lies beside ``--json`` until all is done, and the same command goes on from it.
"""

from __future__ import annotations

import hashlib
import time
from argparse import Namespace
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

from wordorder_lab.commands.common import condition, go_on, not_a_bag, place_of, search_options
from wordorder_lab.commands.output import STDOUT, keeping, printer, report
from wordorder_lab.experiments import provenance, records
from wordorder_lab.experiments.measures import conditions
from wordorder_lab.experiments.measures.conditions import measure
from wordorder_lab.experiments.measures.tables import grouped
from wordorder_lab.experiments.records import partial_of
from wordorder_lab.experiments.runs.map_in_order import map_in_order
from wordorder_lab.experiments.runs.ordering_evaluate import as_in_training, named
from wordorder_lab.experiments.runs.outputs import OUTPUTS
from wordorder_lab.experiments.runs.schema import Row, Table
from wordorder_lab.structures.bag import bag_of
from wordorder_lab.structures.sentence import Sentence
from wordorder_lab.systems.model import OrderingModel

SAME = tuple(
    """
    model model_checksum corpus split units sentences pos deps seed search supertagger engine jobs
    """.split()
)
"""What the parts of one evaluation have in common, beside data, code, versions and machine."""
CONDITION = ("split", "pos", "deps")
KEPT = ("counts", OUTPUTS)
"""What a run has only until all are done."""
NOTHING_KEPT = "nothing is kept: --json FILE keeps what is finished"


def run(arguments: Namespace, model: OrderingModel, given: Mapping[str, list[object]]) -> int:
    """Order under each condition, print and write all; ``ValueError`` for ``--against``."""
    if arguments.against:
        raise ValueError(
            "--against compares two models under one condition: "
            "give one value each of --pos, --deps and --seed"
        )
    where, corpus = place_of(model, arguments)
    sentences = corpus.split(where["split"])
    kept = partial_of(Path(arguments.json)) if arguments.json not in (None, STDOUT) else None
    say = printer(arguments.json)
    lost = NOTHING_KEPT if kept is None else "no condition was finished yet"
    with keeping(kept, lost=lost):
        data = _begun(model, where, len(sentences), arguments, given)
        if kept is None:
            say(f"if this is interrupted, {NOTHING_KEPT}")
        else:
            data = go_on(kept, data, SAME, "runs", "conditions", say)
        _work(model, sentences, data, kept)
    finished = _finished(data)
    report(_lines(finished), finished, arguments.json)
    if kept is not None:
        kept.unlink(missing_ok=True)
    return 0


def _begun(
    model: OrderingModel,
    where: Table,
    sentences: int,
    arguments: Namespace,
    given: Mapping[str, list[object]],
) -> Row:
    usual = as_in_training(model, pos=None, deps=None, seed=None)
    search = model.search_settings(**search_options(model, arguments))
    lists = {name: values or [usual[name]] for name, values in given.items()}
    model_file = Path(arguments.model)
    return {
        "system": model.system,
        **where,
        **lists,
        **named(search),
        "search": search,
        "engine": arguments.engine,
        "jobs": arguments.jobs,
        "sentences": sentences,
        "model": arguments.model,
        "supertagger": arguments.supertagger,
        "model_checksum": hashlib.sha256(model_file.read_bytes()).hexdigest(),
        **provenance.made_from([(where["corpus"], where["units"])]),
        "seconds": 0.0,
        "runs": [],
    }


def _work(
    model: OrderingModel,
    sentences: Sequence[Sentence],
    data: Row,
    kept: Path | None,
) -> None:
    done = {conditions.condition_of(run) for run in data["runs"]}
    every = conditions.grid([data["split"]], data["pos"], data["deps"], data["seed"])
    todo = [wanted for wanted in every if wanted not in done]
    options = {"engine": data["engine"], "jobs": data["jobs"], **data["search"]}
    if any(data["deps"]):  # a system that takes no heads says so before any work is done
        model.problem(bag_of(sentences[0], 1, 1))
    begin = time.perf_counter() - data["seconds"]
    for scores in map_in_order(
        partial(measure, model, sentences, **options), todo, what="conditions"
    ):
        data["runs"].append({"corpus": data["corpus"], "units": data["units"], **scores})
        data["seconds"] = round(time.perf_counter() - begin, 2)
        if kept is not None:
            records.write_json(kept, data)


def _lines(data: Table) -> list[str]:
    rows, first = data["rows"], data["runs"][0]
    return [
        condition(data),
        *not_a_bag(data),
        f"{data['sentences']:,} sentences, {data['seconds']:.0f} s",
        "",
        *conditions.condition_lines(rows),
        "",
        conditions.interval_line(rows),
        *conditions.comparison_lines(data["comparisons"]),
        "",
        *(f"{name} {first[f'{name}_signature']}" for name in ("bleu_cased", "bleu_13a_lc")),
    ]


def _finished(data: Table) -> Row:
    """For ``--json``: a row a condition over its seeds, how they compare, and every run."""
    by_condition = [*grouped(data["runs"], CONDITION)]
    rows = [conditions.summary(runs) for _, runs in by_condition]
    compared = list(conditions.comparisons(by_condition, data["jobs"]))
    runs = [{name: run[name] for name in run if name not in KEPT} for run in data["runs"]]
    return {**data, "rows": rows, "comparisons": compared, "runs": runs}
