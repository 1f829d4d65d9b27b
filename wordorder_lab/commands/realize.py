"""``wordorder-lab realize``: trees of lemmas in CoNLL-U in, sentences out, a line each."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from wordorder_lab.commands.answers import answer_all, asked_log
from wordorder_lab.commands.common import open_model, search_options
from wordorder_lab.commands.output import STDOUT
from wordorder_lab.corpora.readers.files import read_text
from wordorder_lab.corpora.readers.lemma_trees import parse_lemma_trees
from wordorder_lab.experiments.runs.schema import Row
from wordorder_lab.runtime.progress import progress_bar
from wordorder_lab.structures.lemma_tree import LemmaNode, LemmaTree
from wordorder_lab.structures.messages import one_line
from wordorder_lab.structures.result import Realization
from wordorder_lab.trace.log import EventLog


def run(arguments: Namespace) -> int:
    """Realise the trees of a file, or of stdin."""
    log = asked_log(arguments)
    model = open_model(arguments.model, "realize")
    search = search_options(model, arguments)
    _try_out(model, arguments.k, EventLog() if log is not None else None, search)
    asked = _Asked(arguments)

    def answer(tree: LemmaTree) -> tuple[Row, list[str]]:
        how = {"k": arguments.k, "engine": arguments.engine, "trace": log, **search}
        try:
            found = model.realizations(tree, **how)
        except ValueError as error:
            if not arguments.skip_bad:
                raise
            asked.leave_out(f"line {tree.line:,} of {asked.source}: {error}")
            return {"name": tree.name, "line": tree.line, "left_out": str(error)}, []
        apart = {one.text: one for one in reversed(found)}  # two derivations of one sentence
        lines = [_line(one, arguments) for one in found if apart[one.text] is one]
        data = [_data(one, arguments) for one in found]
        return {"name": tree.name, "line": tree.line, **data[0], "k_best": data}, lines

    answer_all(asked.trees(), answer, arguments, log)
    if asked.left_out:
        number = asked.left_out
        print(
            f"# {number:,} {'sentence' if number == 1 else 'sentences'} left out", file=sys.stderr
        )
    return 0


def _try_out(model: Any, k: int, log: EventLog | None, search: Row) -> None:
    """Realise one word, so that what the options say is refused before a tree is read.

    Otherwise the first tree would be blamed, or with ``--skip-bad`` every one of them.
    """
    word = LemmaNode("a", "DET", "DT", (), "root", -1)
    model.realizations(LemmaTree((word,)), k=k, engine="reference", trace=log, **search)


class _Asked:
    """The trees of the command line, and how many were left out."""

    def __init__(self, arguments: Namespace) -> None:
        self.arguments, self.left_out = arguments, 0
        self.source = "the input" if arguments.conllu == STDOUT else arguments.conllu

    def trees(self) -> Iterator[tuple[str, LemmaTree]]:
        """Trees, and where each stands."""
        path, skip = self.arguments.conllu, self.arguments.skip_bad
        text = sys.stdin.read() if path == STDOUT else read_text(Path(path))
        part = parse_lemma_trees(text, self.source, "sentence", skip, any_names=True)
        for _, why in part.left_out:
            self.leave_out(why)
        wanted = not (sys.stdout is not None and sys.stdout.isatty())
        bar = progress_bar(part.sentences, desc="realising", delay=2, leave=False, wanted=wanted)
        for tree in bar:
            yield f"line {tree.line:,} of {self.source}: in the tree that begins here, ", tree

    def leave_out(self, why: str) -> None:
        """Say which sentence is left out, and go on."""
        self.left_out += 1
        print(one_line(f"left out: {why}"), file=sys.stderr)


def _line(found: Realization, arguments: Namespace) -> str:
    text = _for_people(found) if arguments.detokenize else found.text
    return text if arguments.k == 1 else f"{found.score:10.3f}  {text}"


def _for_people(found: Realization) -> str:
    from wordorder_lab.structures.result import detokenized  # nltk takes its time

    return detokenized(found.words)


def _data(found: Realization, arguments: Namespace) -> Row:
    told = {"detokenized": _for_people(found)} if arguments.detokenize else {}
    return {
        "text": found.text,
        **told,
        "words": list(found.words),
        "order": list(found.order),
        "forms": list(found.forms),
        "score": found.score,
        "stopped": found.result.stopped if found.result is not None else "complete",
    }
