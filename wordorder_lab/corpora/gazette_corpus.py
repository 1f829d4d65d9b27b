"""Where the Gazette lies: in the checkout's ``data/gazette``, else in the user's cache.

A package that was installed without its checkout has no data; then the grammar writes the same
files into the cache, once. They are the same bytes wherever they are made.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path

from wordorder_lab.corpora.penn_corpora import Readers, TreeReader
from wordorder_lab.structures.user_cache import user_cache
from wordorder_lab.structures.version import VERSION

CHECKOUT = Path(__file__).parents[2] / "data" / "gazette"
SPLITS = ("train", "dev", "test")


def folder() -> Path:
    """The folder of the files: the checkout's if this is one, else one in the user's cache."""
    if (CHECKOUT.parents[1] / "pyproject.toml").exists():
        return CHECKOUT
    return user_cache() / f"gazette-{VERSION}"


def splits(read: TreeReader) -> Readers:
    """The trees of each split."""
    return {split: partial(_read, read, split) for split in SPLITS}


def _read(read: TreeReader, split: str):
    path = folder() / f"{split}.mrg"
    if not path.exists():
        from wordorder_lab.corpora.gazette.writing import write

        write(folder())
    return read([path])
