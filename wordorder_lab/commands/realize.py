"""``wordorder-lab realize``: trees of lemmas in CoNLL-U in, sentences out, a line each."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

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
from wordorder_lab.structures.tokens import detokenized
from wordorder_lab.trace.log import EventLog

FEW = 3
"""Trees for which it does not pay to compile kernels."""


def run(arguments: Namespace) -> int:
    """Realize the trees of a file, or of stdin."""
    log = asked_log(arguments)
    model = open_model(arguments.model, "realize")
    search = search_options(model, arguments)
    options = {"k": arguments.k, "engine": arguments.engine, "trace": log, **search}
    # One word first, so that what the options say is refused before a tree is read.
    word = LemmaNode("a", "DET", "DT", (), "root", -1)
    unseen = {"engine": "reference", "trace": None if log is None else EventLog()}
    model.realizations(LemmaTree((word,)), **options | unseen)
    source = "the input" if arguments.conllu == STDOUT else arguments.conllu
    left_out: list[str] = []

    def leave_out(why: str) -> None:
        left_out.append(why)
        print(one_line(f"left out: {why}"), file=sys.stderr)

    trees = _trees(arguments, source, leave_out)

    def answer(tree: LemmaTree) -> tuple[Row, list[str]]:
        head: Row = {"name": tree.name, "line": tree.line}
        try:
            if len(trees) <= FEW and arguments.engine is None:
                options["engine"] = model.engine_alone(tree)
            found = model.realizations(tree, **options)
        except ValueError as error:
            if not arguments.skip_bad:
                raise
            leave_out(f"line {tree.line:,} of {source}: {error}")
            return {**head, "left_out": str(error)}, []
        apart = {one.text: one for one in reversed(found)}  # two derivations of one sentence
        lines = [_line(one, arguments) for one in found if apart[one.text] is one]
        data = [_data(one, arguments) for one in found]
        return {**head, **data[0], "k_best": data}, lines

    answer_all(_with_places(trees, source), answer, arguments, log)
    if number := len(left_out):
        sentences = "sentence" if number == 1 else "sentences"
        print(f"# {number:,} {sentences} left out", file=sys.stderr)
    return 0


def _with_places(trees: Sequence[LemmaTree], source: str) -> Iterator[tuple[str, LemmaTree]]:
    wanted = not (sys.stdout is not None and sys.stdout.isatty())
    for tree in progress_bar(trees, desc="realizing", delay=2, leave=False, wanted=wanted):
        yield f"line {tree.line:,} of {source}: in the tree that begins here, ", tree


def _trees(
    arguments: Namespace, source: str, leave_out: Callable[[str], None]
) -> tuple[LemmaTree, ...]:
    path = arguments.conllu
    text = sys.stdin.read() if path == STDOUT else read_text(Path(path))
    part = parse_lemma_trees(text, source, "sentence", arguments.skip_bad, any_names=True)
    for _, why in part.left_out:
        leave_out(why)
    return part.sentences


def _line(found: Realization, arguments: Namespace) -> str:
    text = detokenized(found.words) if arguments.detokenize else found.text
    return text if arguments.k == 1 else f"{found.score:10.3f}  {text}"


def _data(found: Realization, arguments: Namespace) -> Row:
    return {
        "text": found.text,
        **({"detokenized": detokenized(found.words)} if arguments.detokenize else {}),
        "words": list(found.words),
        "order": list(found.order),
        "forms": list(found.forms),
        "score": found.score,
        "stopped": found.result.stopped if found.result is not None else "complete",
    }
