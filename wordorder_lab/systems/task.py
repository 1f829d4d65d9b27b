"""Tasks: what a system may do, what it learns from, and what its model is asked.

order      a bag of words becomes a sentence              liu-2015 and others
compress   a sentence becomes a shorter one               cohn-lapata-2009 and others
realize    a tree of lemmas becomes a sentence            liu-2015-realization and others
parse      a sentence gets a phrase-structure tree        parser
tag        the words of a sentence get categories         supertagger
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from wordorder_lab.structures.compression import CompressionPair
from wordorder_lab.structures.lemma_tree import LemmaTree
from wordorder_lab.structures.messages import unknown_name


@dataclass(frozen=True)
class Task:
    """A task: its name is also the method of its models that takes one input, ``engine`` and the
    settings of its search to the output. ``does`` is what they do, for messages.

    Its systems learn from ``examples``, of the class ``example`` where it is named; ``loader``,
    which is imported when it is used, gives a corpus with the splits ``train``, ``dev`` and
    ``test`` by its name; ``corpus`` is the usual one, if it is not the Penn sample. ``command`` is
    its command, if that has another name.
    """

    name: str
    does: str
    examples: str
    loader: str
    example: type | None = None
    corpus: str | None = None
    command: str = ""

    @property
    def verb(self) -> str:
        """Its command."""
        return self.command or self.name

    def load(self, name: str, **options: object) -> Any:
        """A corpus by its name; ``options`` are what else its loader takes, such as ``units``."""
        module, _, function = self.loader.partition(":")
        return getattr(import_module(f"wordorder_lab.{module}"), function)(name, **options)

    def check_examples(self, system: str, examples: Sequence[object]) -> None:
        """Raise ``ValueError`` for examples of another task, such as sentences for pairs."""
        classes = [task.example for task in TASKS.values() if task.example is not None]
        own = next((one for one in classes if len(examples) and isinstance(examples[0], one)), None)
        if len(examples) and own is not self.example:
            given = type(examples[0]).__name__
            raise ValueError(f"{system} learns from {self.examples}, not from {given}s")


ORDER = Task("order", "orders words", "sentences", "corpora:load_corpus")
COMPRESS = Task(
    "compress",
    "makes sentences shorter",
    "pairs of trees (wl.load_compressions)",
    "systems.parsed_pairs:compressions_of",
    CompressionPair,
    "gazette",
)
REALIZE = Task(
    "realize",
    "makes sentences of trees of lemmas",
    "trees of lemmas (wl.load_lemma_trees)",
    "systems.parsed_trees:lemma_trees_of",
    LemmaTree,
    "sr18",
)
TREEBANK = "corpora.treebanks:load_treebank"
PARSE = Task("parse", "gives sentences trees", "trees (wl.load_treebank)", TREEBANK)
SUPERTAGS = "corpora.supertags:load_supertags"
TAG = Task(
    "tag", "gives words categories", "sentences with categories", SUPERTAGS, command="supertag"
)
TASKS: Mapping[str, Task] = {one.name: one for one in (ORDER, COMPRESS, REALIZE, PARSE, TAG)}


def task_called(name: str) -> Task:
    """The task of this name; ``ValueError`` for none such, with the nearest that there is."""
    if name not in TASKS:
        raise ValueError(unknown_name("task", name, TASKS))
    return TASKS[name]
