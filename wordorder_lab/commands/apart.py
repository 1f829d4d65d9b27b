"""Files of a command line: none is written that is read too, and none is written twice.

Nothing heavy is imported here: whatever is missing, ``doctor`` must be able to say so.
"""

from __future__ import annotations

import os
from argparse import Namespace
from collections.abc import Iterator

STDOUT = "-"
"""What stands on a command line for stdin and stdout."""
WRITTEN = ("out", "json", "trace", "play", "arpa", "html")
READ = (
    *("model", "against", "conllu", "trees", "corpus", "trees_of", "ngrams"),
    *("supertagger", "categories", "parser"),
)


def check_apart(arguments: Namespace) -> None:
    """Raise ``ValueError`` where a file is to be written that is read too, or written twice."""
    named: dict[str, str] = {}
    for name, path in _named_paths(arguments):
        if path == STDOUT:
            continue
        if name in READ and not os.path.exists(path):  # a corpus that goes by its name
            continue
        place = os.path.realpath(path)
        if name in WRITTEN and place in named:
            raise ValueError(
                f"--{named[place]} and --{name} are the same file, {path}: give each its own"
            )
        named[place] = name


def _named_paths(arguments: Namespace) -> Iterator[tuple[str, str]]:
    """Each path of the command line, and the option that it was given by."""
    for name in (*READ, *WRITTEN):
        given = getattr(arguments, name, None)
        several = given if isinstance(given, list) else [given]
        yield from ((name, path) for path in several if isinstance(path, str))
