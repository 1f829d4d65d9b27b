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
    """A task: ``verb`` is its command, ``does`` what its models do, for messages.

    Its systems learn from ``examples``, which are of the class ``example`` where it is named;
    ``loader`` names what takes the name of a corpus to a corpus with the splits ``train``, ``dev``
    and ``test``; it is imported when it is used. ``corpus`` is the one of whoever names none, if
    it is not the Penn sample. ``method`` is what a model of the task has: from one input, with
    ``engine`` and the settings of its search, to the output.
    """

    name: str
    verb: str
    does: str
    examples: str
    loader: str
    method: str
    example: type | None = None
    corpus: str | None = None

    def load(self, name: str, **how: object) -> Any:
        """A corpus by its name; ``how`` is what else its loader takes, such as ``units``."""
        module, _, function = self.loader.partition(":")
        return getattr(import_module(f"wordorder_lab.{module}"), function)(name, **how)

    def check_examples(self, system: str, examples: Sequence[object]) -> None:
        """Raise ``ValueError`` for examples of another task, such as sentences for pairs."""
        own = next((task for task in TASKS.values() if _is(examples, task)), None)
        if len(examples) and own is not (self if self.example is not None else None):
            given = type(examples[0]).__name__
            raise ValueError(f"{system} learns from {self.examples}, not from {given}s")


def _is(examples: Sequence[object], task: Task) -> bool:
    return (
        bool(len(examples)) and task.example is not None and isinstance(examples[0], task.example)
    )


TASKS: Mapping[str, Task] = {
    task.name: task
    for task in (
        Task("order", "order", "orders words", "sentences", "corpora:load_corpus", "order"),
        Task(
            "compress",
            "compress",
            "makes sentences shorter",
            "pairs of trees (wl.load_compressions)",
            "systems.parsed_pairs:compressions_of",
            "compress",
            CompressionPair,
            "gazette",
        ),
        Task(
            "realize",
            "realize",
            "makes sentences of trees of lemmas",
            "trees of lemmas (wl.load_lemma_trees)",
            "corpora.lemma_corpora:load_lemma_trees",
            "realize",
            LemmaTree,
            "sr18",
        ),
        Task(
            "parse",
            "parse",
            "gives sentences trees",
            "trees (wl.load_treebank)",
            "corpora.treebanks:load_treebank",
            "parse",
        ),
        Task(
            "tag",
            "supertag",
            "gives words categories",
            "sentences with categories",
            "corpora.supertags:load_supertags",
            "tag",
        ),
    )
}


def task_called(name: str) -> Task:
    """The task of this name; ``ValueError`` for none such, with the nearest that there is."""
    if name not in TASKS:
        raise ValueError(unknown_name("task", name, TASKS))
    return TASKS[name]
