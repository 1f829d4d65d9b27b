"""``wordorder-lab train``: a corpus in, a model file out, whatever the task of the system."""

from __future__ import annotations

from argparse import Namespace

from wordorder_lab.commands.learning import Transducing, learning_of, remove, wrote
from wordorder_lab.commands.output import beginning, check_json, check_target, keeping, report
from wordorder_lab.models.arpa import write_arpa
from wordorder_lab.runtime.ahead import TRAIN, compile_ahead
from wordorder_lab.systems import find
from wordorder_lab.trace.log import EventLog


def run(arguments: Namespace) -> int:
    """Train, with a checkpoint beside the model until it is done."""
    system = find(arguments.system)
    learning = learning_of(arguments, system)
    out = check_target(arguments.out)
    check_json(arguments.json)
    if arguments.arpa is not None:
        check_target(arguments.arpa)
    if isinstance(learning, Transducing) and learning.is_grid:
        from wordorder_lab.commands import train_grid  # it reads trees

        return train_grid.run(learning, out)
    if arguments.cluster is not None:
        raise ValueError(
            "--cluster is for --grid, which trains several models: one training is one process"
        )
    learning.check()  # before anyone waits for a corpus
    if arguments.engine != "reference":
        compile_ahead((system.orderer, TRAIN))
    log = EventLog() if arguments.trace is not None and check_target(arguments.trace) else None
    checkpoint = out.with_name(f"{out.name}.checkpoint")
    with keeping(checkpoint), beginning(checkpoint):
        model = learning.run(checkpoint, log)
        model.save(out)
        if arguments.arpa is not None:
            write_arpa(model.ngrams, arguments.arpa)
        remove(checkpoint)
    with keeping(out, "the model is in"):
        if log is not None:
            log.save(arguments.trace)
        data = {"system": system.name, **learning.data(model), "model": str(out)}
        report([f"wrote {wrote(out)}, {learning.summary(model)}"], data, arguments.json)
    return 0
