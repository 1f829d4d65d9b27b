"""Compile the kernels that most tests need, in two processes: before tests that share them, once.

``python tests/warm_up.py`` does it while the rest is being installed. The kernels stay in
``.pytest_cache``, in a folder named after a checksum of all that they are made of.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from itertools import product
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
KERNELS = ROOT / ".pytest_cache" / "kernels"
KEPT = 3
"""Folders of kernels that stay there: the newest."""
PROGRAM = """
import sys
import wordorder_lab as wl
from wordorder_lab.systems.model import choose_engine
if choose_engine() == "fast":
    how = {"progress": False, "engine": "fast"}
    sentences = wl.load_corpus("gazette").train[:3]
    for system in sys.argv[1:]:
        if system == "cohn-lapata-2009":
            pairs = wl.load_compressions("gazette").train[:2]
            wl.train(system, pairs, max_iterations=2, **how)
        else:
            model = wl.train(system, sentences, epochs=1, **how)
            model.order(wl.bag_of(sentences[0]), engine="fast", trace=wl.EventLog())
"""
"""Learn and search a little, so that it is compiled."""
SHARES = (
    ("liu-2015", "cohn-lapata-2009"),
    ("zhang-clark-2015-dependency", "zhang-clark-2015-ccg"),
)
"""Systems that have kernels in common are warmed up in one process."""


def main() -> None:
    """Nothing where it was done before, or without numba. ``NUMBA_CACHE_DIR`` is ``KERNELS``."""
    folders = sorted(KERNELS.glob("kernels-*"), key=lambda path: path.stat().st_mtime)
    for folder in folders[:-KEPT]:
        shutil.rmtree(folder, ignore_errors=True)
    if not find_spec("numba"):
        return
    from wordorder_lab.runtime import ahead
    from wordorder_lab.runtime.kernel_fast import cache_folder

    kernels = cache_folder()
    if (kernels / "warm").exists():
        return
    root = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
    environment = {**os.environ, "PYTHONPATH": root, "LOKY_MAX_CPU_COUNT": "1"}  # each has one
    command = [sys.executable, "-c", PROGRAM]
    processes = [subprocess.Popen([*command, *share], env=environment) for share in SHARES]
    codes = [process.wait() for process in processes]
    assert not any(codes), "the fast engine cannot be compiled"
    for system, task in product(ahead.SYSTEMS, (ahead.TRAIN, ahead.ORDER)):
        ahead._mark(kernels, system, task).touch()  # no test's process starts one beside it
    (kernels / "warm").touch()


if __name__ == "__main__":
    os.environ["NUMBA_CACHE_DIR"] = str(KERNELS)
    main()
