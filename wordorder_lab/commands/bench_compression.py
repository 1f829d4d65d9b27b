"""``wordorder-lab bench`` with a model that makes sentences shorter."""

from __future__ import annotations

import time
from argparse import Namespace
from collections.abc import Callable
from typing import Any

from wordorder_lab.commands.common import open_compressions
from wordorder_lab.commands.output import report
from wordorder_lab.experiments import bench
from wordorder_lab.experiments import bench as compression_bench
from wordorder_lab.systems.cohn_lapata_2009 import CompressionModel


def run(
    arguments: Namespace,
    model: CompressionModel,
    data: dict[str, Any],
    say: Callable[[str], None],
) -> int:
    """Measure, printing each number as soon as it is known; ``data`` says where."""
    begin = time.perf_counter()
    corpus = open_compressions(arguments.corpus or model.settings.get("corpus", "gazette"))
    pairs = corpus.dev[: arguments.sentences]
    data |= {"corpus": corpus.name, "system": model.system, "rows": []}
    say("\ncompressing: milliseconds a sentence (median), and those in the decoder alone")
    for row in compression_bench.by_length(model, pairs):
        data["rows"].append(row)
        say(
            f"  {row['engine']:<10} {_words(row):<14}{row['sentences']:>4} sentences"
            f"{row['ms']:>10.3f}{row['ms_search']:>10.3f}"
            f"{row['combinations_per_second']:>12,} combinations a second"
        )
    row = data["loss_augmented"] = compression_bench.loss_augmented(model, pairs)
    say(
        f"\na search of training ({row['loss']}, {row['engine']}): {row['ms']:.3f} ms (median of "
        f"{row['pairs']} pairs), {row['seconds_per_pass']:.1f} s a pass over "
        f"{compression_bench.TRAINED_ON} such pairs"
    )
    data["peak_memory_mib"] = bench.peak_memory()
    say(f"peak memory of all this: {data['peak_memory_mib']} MiB")
    data["seconds"] = round(time.perf_counter() - begin, 2)
    report([], data, arguments.json)
    return 0


def _words(row: dict[str, Any]) -> str:
    if row["most"] >= compression_bench.LENGTHS[-1][1]:
        return f"from {row['least']} words"
    return f"{row['least']} to {row['most']} words"
