"""``wordorder-lab compress``: trees in, typed or from a file, and shorter sentences out.

With ``--parser`` lines of plain text take the place of trees.
"""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from wordorder_lab.commands.answers import answer_all, asked_log, stdin_lines
from wordorder_lab.commands.common import (
    open_model,
    open_parser,
    search_options,
)
from wordorder_lab.commands.parsers import HintOnce, parsed_line
from wordorder_lab.corpora.readers.files import read_text
from wordorder_lab.corpora.readers.penn import EXAMPLE, bare_tree, parse_tree, parse_trees
from wordorder_lab.structures.compression import Compression
from wordorder_lab.systems.cohn_lapata_2009 import CompressionModel
from wordorder_lab.trace.log import EventLog

if TYPE_CHECKING:
    from nltk.tree import Tree

    from wordorder_lab.systems.parsed_pairs import Parsing

STDIN = "-"
HINT = """a tree a line, in brackets: (S (NP (DT the) (NN rain)) (VP (VBD fell) (ADVP (RB again))))
every word has its part of speech, every phrase its label; end: Ctrl-D"""


TEXT_HINT = "a sentence a line, a space before every sign: rain fell again .  end: Ctrl-D"


class Asked(NamedTuple):
    """A tree, typed or read already, or with a ``parser`` a line of text; and where it stands."""

    place: str
    given: str | Tree
    parser: Parsing | None = None

    def tree(self) -> Tree:
        """The tree with bare labels. Raises ``ValueError``, which begins with the place."""
        if not isinstance(self.given, str):
            return bare_tree(self.given, self.place)
        if self.parser is not None:
            return parsed_line(self.parser, self.given, self.place)
        if "(" not in self.given and self.given.strip():
            raise ValueError(
                f"{self.place}: this is plain text: give --parser default, or a tree like {EXAMPLE}"
            )
        return parse_tree(self.given, self.place)


def run(arguments: Namespace) -> int:
    """Compress the trees of the command line, of a file, or of stdin."""
    log = asked_log(arguments)
    if arguments.trees is not None and arguments.text:
        raise ValueError("trees come from --trees or from the command line: leave one of them out")
    if arguments.trees is not None and arguments.parser is not None:
        raise ValueError("--parser is for plain text and --trees for trees: leave one of them out")
    model = open_model(arguments.model, "compress")
    search = model.search_settings(**search_options(model, arguments))
    parser = None if arguments.parser is None else open_parser(arguments.parser)

    def answer(asked: Asked, log: EventLog | None) -> tuple[dict[str, Any], list[str]]:
        tree = asked.tree()
        how = {"k": arguments.k, "engine": arguments.engine, "trace": log, **search}
        result = _compress(model, tree, asked.place, how)
        return {"source": _flat(tree), **_data(result)}, _lines(result, arguments)

    asked = (entry._replace(parser=parser) for entry in _asked(arguments))
    places = (("", entry) for entry in _with_hint(asked))  # errors have their place already
    answer_all(places, answer, arguments, log, _is_typing(arguments))
    return 0


def _with_hint(asked: Iterator[Asked]) -> Iterator[Asked]:
    """The same; the first line of text that seems not to be tokenised gets a hint on stderr."""
    hint = HintOnce()
    for one in asked:
        if one.parser is not None and isinstance(one.given, str):
            hint.about(one.given, f"{one.place}: ")
        yield one


def _compress(model: CompressionModel, tree: Tree, place: str, how: dict[str, Any]) -> Compression:
    try:
        return model.compress(tree, **how)
    except ValueError as error:
        raise ValueError(f"{place}: {error}") from None


def _asked(arguments: Namespace) -> Iterator[Asked]:
    if arguments.trees is not None:
        yield from _from_file(arguments.trees)
        return
    if arguments.text:
        for number, typed in enumerate(arguments.text, start=1):
            kind = "tree" if arguments.parser is None else "sentence"
            yield Asked(f"{kind} {number:,}", typed)
        return
    if _is_typing(arguments):
        print(HINT if arguments.parser is None else TEXT_HINT, file=sys.stderr)
    for number, typed in stdin_lines():
        yield Asked(f"line {number:,} of the input", typed)


def _from_file(path: str) -> Iterator[Asked]:
    """The trees of a file; a broken bracket is found before the first tree is compressed."""
    source = "the input" if path == STDIN else path
    text = sys.stdin.read() if path == STDIN else read_text(Path(path))
    for number, tree in enumerate(parse_trees(text, source), start=1):
        yield Asked(f"tree {number:,} of {source}", tree)


def _is_typing(arguments: Namespace) -> bool:
    """Whether somebody types trees at a terminal."""
    return not arguments.text and arguments.trees is None and sys.stdin.isatty()


def _lines(result: Compression, arguments: Namespace) -> list[str]:
    lines = []
    seen: set[str] = set()
    for output in result.k_best:
        mark = "  (another tree)" if output.text in seen else ""
        lines.append(f"{output.score:10.3f}  {output.text}{mark}")
        seen.add(output.text)
        if arguments.tree:
            lines.append(output.tree.pformat(margin=90))
        if arguments.rules:
            lines += [f"{'':12}{rule}" for rule in output.rules]
    several = arguments.k > 1 or arguments.tree or arguments.rules
    return lines + ([""] if several else [])


def _data(result: Compression) -> dict[str, Any]:
    def row(output: Compression) -> dict[str, Any]:
        return {
            "text": output.text,
            "words": output.words,
            "rate": output.rate,
            "score": output.score,
            "tree": _flat(output.tree),
            "rules": list(output.rules),
        }

    return {**row(result), "k_best": [row(output) for output in result.k_best]}


def _flat(tree: Tree) -> str:
    """The brackets in one line."""
    return " ".join(str(tree).split())
