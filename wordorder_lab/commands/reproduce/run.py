"""``wordorder-lab reproduce``: a paper's table or figure, run here, with its record.

Each of the things that it does is imported when it is asked for: a list needs no solver.
"""

from __future__ import annotations

from argparse import Namespace


def run(arguments: Namespace) -> int:
    """List the experiments, check their records, write the page on them, or run one."""
    _refuse_mixed(arguments)
    if arguments.report is not None:
        from wordorder_lab.commands.reproduce.page import write_page

        write_page(arguments)
        return 0
    if arguments.check:
        from wordorder_lab.commands.reproduce.entries import check_all

        return check_all(arguments)
    if arguments.experiment is None and not arguments.stale:
        from wordorder_lab.commands.reproduce.list import list_all

        list_all(arguments)
        return 0
    from wordorder_lab.commands.common import workers
    from wordorder_lab.commands.reproduce.making import run_one, run_stale

    with workers(arguments):
        if arguments.stale:
            return run_stale(arguments)
        run_one(arguments.experiment, arguments)
    return 0


def _refuse_mixed(arguments: Namespace) -> None:
    """Raise ``ValueError`` for options of which one alone would be heard."""
    about = ["report"] if arguments.report is not None else []
    about += ["check"] if arguments.check else []
    about += ["stale"] if arguments.stale else []
    running = [name for name in ("epochs", "sentences") if getattr(arguments, name)]
    if about and len(about + running) > 1:
        first, second, *_ = about + running
        raise ValueError(f"--{first} and --{second} are two things: one at a time")
    if arguments.stale and arguments.json is not None:
        raise ValueError("--json is for one record; --stale makes several, each in its own place")
    runs = arguments.stale or (arguments.experiment is not None and not about)
    if arguments.cluster is not None and not runs:
        raise ValueError("--cluster is for running experiments: name one, or give --stale")
    if running and arguments.experiment is None:
        raise ValueError(f"--{running[0]} is for one experiment: name it")
