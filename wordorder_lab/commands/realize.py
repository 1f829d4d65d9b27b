"""``wordorder-lab realize``: trees of lemmas in CoNLL-U in, sentences out, a line each.

Of plain text each sentence is parsed into such a tree, its nodes shuffled, and what comes out is
held against the line.
"""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wordorder_lab.commands.answers import Typed, answer_all, asked_log, of_text
from wordorder_lab.commands.common import DEFAULT_PARSER, open_model, open_parser, search_options
from wordorder_lab.commands.output import STDOUT
from wordorder_lab.corpora.readers.files import read_text
from wordorder_lab.corpora.readers.lemma_trees import parse_lemma_trees
from wordorder_lab.experiments.runs.schema import Row
from wordorder_lab.metrics.bleu import bleu_of_counts, sentence_counts
from wordorder_lab.runtime.progress import progress_bar
from wordorder_lab.structures.lemma_tree import LemmaNode, LemmaTree
from wordorder_lab.structures.messages import one_line
from wordorder_lab.structures.result import Realization
from wordorder_lab.structures.sentence import Sentence
from wordorder_lab.structures.tokens import detokenized, tokenized
from wordorder_lab.trace.log import EventLog

if TYPE_CHECKING:
    import numpy as np

FEW = 3
"""Trees for which it does not pay to compile kernels."""
HINT = "a sentence a line, which is parsed first: The dogs chased a cat.  end: Ctrl-D"
Asked = tuple[str, Callable[[], LemmaTree]]
"""Where something stands, and what makes a tree of it."""


def run(arguments: Namespace) -> int:
    """Realize the trees of a file or of stdin, or the sentences of a text."""
    log = asked_log(arguments)
    typed = _typed(arguments)
    model = open_model(arguments.model, "realize")
    search = search_options(model, arguments)
    options = {"k": arguments.k, "engine": arguments.engine, "trace": log, **search}
    # One word first, so that what the options say is refused before a tree is read.
    word = LemmaNode("a", "DET", "DT", (), "root", -1)
    unseen = {"engine": "reference", "trace": None if log is None else EventLog()}
    model.realizations(LemmaTree((word,)), **options | unseen)
    left_out, score = _LeftOut(), _Score()
    asked, few = _trees(arguments, left_out) if typed is None else _texts(typed, model)

    def answer(given: Asked) -> tuple[Row, list[str]]:
        place, make = given
        try:
            tree = make()
            if few and arguments.engine is None:
                options["engine"] = model.engine_alone(tree)
            found = model.realizations(tree, **options)
        except ValueError as error:
            if not arguments.skip_bad:
                raise
            left_out(f"{place}{error}")
            return {"left_out": str(error)}, []
        apart = {one.text: one for one in reversed(found)}  # two derivations of one sentence
        lines = [_line(one, arguments) for one in found if apart[one.text] is one]
        data = [_data(one, arguments) for one in found]
        if typed is None:
            return {"name": tree.name, "line": tree.line, **data[0], "k_best": data}, lines
        row, beside = score.beside(found[0].text, " ".join(tree.reference))
        return {**row, **data[0], "k_best": data}, lines + beside

    by_hand = typed is not None and typed.by_hand
    answer_all(((one[0], one) for one in asked), answer, arguments, log, by_hand)
    left_out.tell()
    score.tell()
    return 0


class _LeftOut:
    """Tells what is left out, and in the end how much it was."""

    number = 0

    def __call__(self, why: str) -> None:
        self.number += 1
        print(one_line(f"left out: {why}"), file=sys.stderr)

    def tell(self) -> None:
        if self.number:
            sentences = "sentence" if self.number == 1 else "sentences"
            print(f"# {self.number:,} {sentences} left out", file=sys.stderr)


class _Score:
    """How near outputs come to the lines of a text: exact ones, and what BLEU counts."""

    exact = lines = 0
    counts: np.ndarray | None = None

    def beside(self, output: str, line: str) -> tuple[Row, list[str]]:
        """What an answer says of it, and the line, if another one came out."""
        counts = sentence_counts([output], [line])[0]
        self.counts = counts if self.counts is None else self.counts + counts
        self.exact, self.lines = self.exact + (output == line), self.lines + 1
        beside = [] if output == line else [f"{'the line':>10}  {line}"]
        return {"line": line, "exact": output == line}, beside

    def tell(self) -> None:
        if self.counts is None:
            return
        told = f"{self.exact:,} of {self.lines:,} as in the text"
        if self.lines > 1:  # of one short sentence BLEU says nothing
            told += f", BLEU {bleu_of_counts(self.counts):.2f} cased"
        print(told, file=sys.stderr)


# --- plain text -----------------------------------------------------------------------------------


def _typed(arguments: Namespace) -> Typed | None:
    """Where the text comes from; ``None`` for trees. A single word that is the name of a file, or
    ``-``, is one: ``realize FILE.txt``."""
    if arguments.conllu is not None:
        if arguments.text or arguments.file or arguments.parser:
            raise ValueError(
                "--conllu has trees, and --parser, --file and what is typed are for text: leave "
                "one of the two out"
            )
        return None
    if len(words := arguments.text) == 1 and arguments.file is None:
        if words[0] == STDOUT or os.path.isfile(words[0]):
            arguments.file, arguments.text = words[0], []
        elif words[0].endswith((".txt", ".conllu")):
            raise ValueError(f"there is no file {words[0]}")
    typed = Typed(arguments, "file", "sentences", HINT)
    if (typed.source or "").removesuffix(".gz").endswith((".conllu", ".conll")):
        raise ValueError(f"{typed.source} has trees: give it as --conllu {typed.source}")
    return typed


def _texts(typed: Typed, model: Any) -> tuple[Iterator[Asked], bool]:
    """Sentences, and whether they are few; each is parsed when its turn comes."""
    named = typed.arguments.parser
    parser = model.parser if named is None else None
    parser = parser or open_parser(named or DEFAULT_PARSER)
    if typed.source is not None:
        found = of_text(typed.source)
    else:
        found = (
            (place, Sentence.of_words(tokenized(line), "the sentence"))
            for place, line in typed.lines(": ")
        )
    asked = ((place, partial(model.tree_of, one, parser)) for place, one in found)
    return asked, bool(typed.arguments.text)


# --- trees ----------------------------------------------------------------------------------------


def _trees(arguments: Namespace, left_out: Callable[[str], None]) -> tuple[Iterator[Asked], bool]:
    """The trees of a file, and whether they are few."""
    path = arguments.conllu
    source = "the input" if path == STDOUT else path
    text = sys.stdin.read() if path == STDOUT else read_text(Path(path))
    part = parse_lemma_trees(text, source, "sentence", arguments.skip_bad, any_names=True)
    for _, why in part.left_out:
        left_out(why)
    wanted = not (sys.stdout is not None and sys.stdout.isatty())
    shown = progress_bar(part.sentences, desc="realizing", delay=2, leave=False, wanted=wanted)
    where = "line {:,} of {}: in the tree that begins here, "
    asked = ((where.format(one.line, source), partial(_same, one)) for one in shown)
    return asked, len(part.sentences) <= FEW


def _same(tree: LemmaTree) -> LemmaTree:
    return tree


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
