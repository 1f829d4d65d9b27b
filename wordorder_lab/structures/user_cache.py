"""The user's own cache folder: corpora that were fetched, kernels that were compiled."""

from __future__ import annotations

import os
from pathlib import Path


def user_cache() -> Path:
    """``$XDG_CACHE_HOME/wordorder_lab``, or the same in ``~/.cache``; it need not exist yet.

    Raises ``RuntimeError`` where the user has no home folder.
    """
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "wordorder_lab"
