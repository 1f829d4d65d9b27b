"""What every test starts from: a fresh numba cache, known seeds, no display.

The variables are set on import, before anything imports numba, and subprocesses inherit them.
"""

from __future__ import annotations

import atexit
import os
import random
import shutil
import tempfile

import pytest

if "PYTEST_XDIST_WORKER" not in os.environ:  # the workers of one run share what it compiles
    _CACHE = tempfile.mkdtemp(prefix="wordorder_lab-numba-")
    atexit.register(shutil.rmtree, _CACHE, ignore_errors=True)
    os.environ["NUMBA_CACHE_DIR"] = _CACHE
os.environ["MPLBACKEND"] = "Agg"
os.environ["SACREBLEU_SEED"] = "12345"

import numpy as np
from hypothesis import settings

# derandomize: the same examples in every run; no deadline: the first call compiles a kernel.
settings.register_profile("wordorder_lab", derandomize=True, deadline=None, print_blob=True)
settings.load_profile("wordorder_lab")

pytest_plugins = ["browser"]


@pytest.fixture(autouse=True)
def _seeded() -> None:
    """Seed the global generators, for whatever may reach for them."""
    random.seed(1)
    np.random.seed(1)  # noqa: NPY002  (exactly the legacy generator is meant)
