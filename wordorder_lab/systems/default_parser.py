"""The parser of whoever names none: trained on the Penn sample, once, and kept in the cache.

Where the sample is missing, commands train one on the Gazette instead, anew each time
(``commands.common.open_parser``); what is called from Python raises ``CorpusError``.
"""

from __future__ import annotations

import hashlib
from contextlib import suppress
from functools import cache
from pathlib import Path

from wordorder_lab.corpora.penn_corpora import sample_files
from wordorder_lab.corpora.treebanks import load_treebank
from wordorder_lab.models.model_file import ModelError
from wordorder_lab.runtime.user_cache import code_checksum, writable_cache
from wordorder_lab.systems.parser import TreebankParser
from wordorder_lab.systems.registry import find

CORPUS = "ptb-sample"
MADE_BY = (
    *("parsing", "structures/head_rules.py", "models/model_file.py", "systems/parser.py"),
    *("corpora/readers/penn.py", "corpora/penn_corpora.py", "corpora/treebanks.py"),
)
"""The code whose edits make another parser."""


@cache
def default_parser() -> TreebankParser:
    """The parser of the Penn sample's train part with the usual settings.

    Read from the user's cache, or trained in some seconds and kept there, under a checksum of the
    trees and of the code. Raises ``CorpusError`` where the sample is not here.
    """
    path = _place()
    with suppress(OSError, ModelError):
        return TreebankParser.load(path)
    model: TreebankParser = find("parser").train(
        load_treebank(CORPUS).train, about={"corpus": CORPUS}
    )
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        model.save(path)
    return model


def _place() -> Path:
    trees = hashlib.sha256()
    for file in sample_files("train"):
        trees.update(file.read_bytes() + b"\0")
    made_of = f"{trees.hexdigest()[:16]}-{code_checksum(*MADE_BY)[:16]}"
    return writable_cache() / "parsers" / f"{CORPUS}-{made_of}.wol"
