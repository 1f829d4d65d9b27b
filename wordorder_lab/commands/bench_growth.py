"""``wordorder-lab bench --growth``: training time, decoding time, memory and BLEU by size."""

from __future__ import annotations

import shlex
import time
from argparse import Namespace
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from wordorder_lab.commands.common import STDOUT
from wordorder_lab.commands.output import report
from wordorder_lab.corpora.free_english import NAME
from wordorder_lab.experiments import growth, provenance

HEAD = (
    f"{'sentences':>10}{'share':>7}{'epochs':>8}{'training':>11}{'cpu':>9}{'decoding':>11}{'cpu':>9}"
    f"{'ms each':>9}{'peak':>11}{'BLEU':>8}"
)


def run(arguments: Namespace, data: dict[str, Any], say: Callable[[str], None]) -> int:
    """Measure every size, printing its row as soon as it is known; ``data`` says where.

    With ``--json FILE`` a picture is written beside it. Raises ``ValueError`` for ``--model``.
    """
    if arguments.model:
        raise ValueError("--growth trains models of its own: leave out --model")
    begin = time.perf_counter()
    corpus = arguments.corpus or NAME
    data |= {"corpus": corpus, "units": growth.UNITS, "command": _command(arguments, corpus)}
    data |= {"date": time.strftime("%Y-%m-%d"), "load": provenance.load()}
    data |= {"code": provenance.code_version(), "rows": [], "fits": [], "seconds": 0.0}
    system = ""
    for row, last in growth.sizes(corpus, arguments.epochs, arguments.sentences):
        if row["system"] != system:
            system = row["system"]
            say(f"\n{system} on {corpus}\n{HEAD}")
        data["rows"].append(row)
        say(_line(row))
        if last:
            data["fits"] = growth.exponents(data["rows"])
            for fit in data["fits"]:
                if fit["system"] == system:
                    say(_fitted(fit))
    data["seconds"] = round(time.perf_counter() - begin, 2)
    report([], data, arguments.json)
    if arguments.json not in (None, STDOUT):
        path = Path(arguments.json).with_suffix(".png")
        growth.picture(data, path)
        say(f"wrote {path}")
    return 0


def _command(arguments: Namespace, corpus: str) -> str:
    words = ["wordorder-lab", "bench", "--growth"]
    words += ["--corpus", corpus] if corpus != NAME else []
    for name, value in (("epochs", arguments.epochs), ("sentences", arguments.sentences)):
        words += [f"--{name}", str(value)] if value else []
    return shlex.join(words)


def _line(row: Mapping[str, Any]) -> str:
    return (
        f"{row['sentences']:>10,}{row['share']:>7}{row['epochs']:>8}"
        f"{row['training_seconds']:>9.1f} s{row['training_cpu_seconds']:>7.1f} s"
        f"{row['decoding_seconds']:>9.1f} s{row['decoding_cpu_seconds']:>7.1f} s"
        f"{row['ms_per_sentence']:>9.2f}{row['peak_mib'] or 0:>7,.0f} MiB{row['bleu_cased']:>8.2f}"
    )


def _fitted(fit: Mapping[str, Any]) -> str:
    low, high = fit["power_interval"]
    clock = "of the processor" if "cpu" in fit["clock"] else "on the wall"
    return (
        f"  training seconds {clock} grow as n^{fit['power']:.2f} ({low:.2f} to {high:.2f}, "
        f"{fit['points']} sizes)"
    )
