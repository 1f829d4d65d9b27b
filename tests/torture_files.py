"""Ten thousand crafted files, opened and used: `make torture`. Prints what became of them.

    python tests/torture_files.py [--files 10000] [--seed 1] [--seconds 5] [--said]

Exit code 1 if one of them crashed, hung, took more than a GiB or was answered with anything but
one clear line.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from itertools import islice
from pathlib import Path

from crafted_files import variants
from crafted_use import FINE, REFUSED_LATER, bench, outcomes


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--files", type=int, default=10_000)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--seconds", type=int, default=5, help="of the processor, for each")
    options.add_argument("--skip", type=int, default=0, help="begin behind so many")
    options.add_argument("--said", action="store_true", help="print every message")
    given = options.parse_args()
    verdicts: Counter[str] = Counter()
    by_name: Counter[tuple[str, str]] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        tried = bench(Path(folder))
        some = islice(variants(tried.files, given.seed), given.skip, given.skip + given.files)
        for number, outcome in enumerate(outcomes(tried, some, Path(folder), given.seconds)):
            verdicts[outcome.verdict] += 1
            if number % 500 == 499:
                print(f"{given.skip + number + 1:,} files", flush=True)
            by_name[outcome.crafted.name, outcome.verdict] += 1
            later = outcome.verdict == REFUSED_LATER
            if given.said or later or outcome.verdict not in FINE:
                print(
                    given.skip + number, outcome.crafted.name, "|", outcome.crafted.what, flush=True
                )
                print("    ", outcome.verdict, "|", outcome.said, flush=True)
    for (name, verdict), times in sorted(by_name.items()):
        print(f"{name:45} {verdict:30} {times:6,}")
    print(", ".join(f"{verdict}: {times:,}" for verdict, times in verdicts.most_common()))
    return 0 if set(verdicts) <= FINE else 1


if __name__ == "__main__":
    sys.exit(main())
