"""``wordorder-lab compress``: trees in, typed or from a file, and shorter sentences out.

With ``--parser``, or the model that comes along, lines of plain text take the place of trees.
"""

from __future__ import annotations

import re
import sys
from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from wordorder_lab.commands.answers import Typed, answer_all, asked_log
from wordorder_lab.commands.common import open_model, open_parser, search_options
from wordorder_lab.commands.output import STDOUT
from wordorder_lab.corpora.readers.files import read_text
from wordorder_lab.corpora.readers.penn import EXAMPLE, bare_tree, parse_tree, parse_trees
from wordorder_lab.experiments.runs.schema import Row
from wordorder_lab.structures.compression import Compression
from wordorder_lab.structures.tokens import tokenized
from wordorder_lab.systems.everyday import comes_along

if TYPE_CHECKING:
    from nltk.tree import Tree

    from wordorder_lab.systems.model import TrainedModel
    from wordorder_lab.systems.parsed_pairs import Parsing

HINT = """a tree a line, in brackets: (S (NP (DT the) (NN rain)) (VP (VBD fell) (ADVP (RB again))))
every word has its part of speech, every phrase its label; end: Ctrl-D"""
TEXT_HINT = "a sentence a line, which is parsed first: The rain fell again.  end: Ctrl-D"
_TREE = re.compile(r"\s*\(.*\([^\s()]+ [^\s()]+\).*\)\s*", re.DOTALL)


def run(arguments: Namespace) -> int:
    """Compress the trees of the command line, of a file, or of stdin."""
    log = asked_log(arguments)
    named = arguments.parser or (arguments.model if comes_along(arguments.model) else None)
    typed = Typed(arguments, "trees", "trees", HINT if named is None else TEXT_HINT)
    if typed.source is not None and arguments.parser is not None:
        raise ValueError("--parser is for plain text and --trees for trees: leave one of them out")
    model = open_model(arguments.model, "compress")
    given = search_options(model, arguments)
    search = model.search_settings(**given)
    parser = None if named is None else open_parser(named)
    if arguments.sweep or arguments.html:
        return _swept(model, arguments, given, parser)
    options = {"k": arguments.k, "engine": arguments.engine, "trace": log, **search}

    def answer(asked: tuple[str, str | Tree]) -> tuple[Row, list[str]]:
        place, given = asked
        tree = _tree(given, place, parser, takes_trees=arguments.parser is None)
        try:
            result = model.compress(tree, **options)
        except ValueError as error:
            raise ValueError(f"{place}: {error}") from None
        data = {"source": _flat(tree), **_data(result)}
        return {**data, "k_best": [*map(_data, result.k_best)]}, _lines(result, arguments)

    places = (("", one) for one in _asked(typed, parser))  # errors have their place already
    answer_all(places, answer, arguments, log, typed.by_hand)
    return 0


def _swept(model: TrainedModel, arguments: Namespace, search: Row, parser: Parsing | None) -> int:
    from wordorder_lab.commands.sweeping import search_sweep  # it needs what evaluates

    if len(arguments.text) > 1:
        raise ValueError(f"--sweep is for one tree or sentence, not {len(arguments.text)}")

    def given() -> Tree:
        return _tree(arguments.text[0], "tree 1", parser, takes_trees=arguments.parser is None)

    return search_sweep(model, arguments, search, "tree or sentence", given)


def _asked(typed: Typed, parser: Parsing | None) -> Iterator[tuple[str, str | Tree]]:
    if typed.source is not None:
        source = "the input" if typed.source == STDOUT else typed.source
        text = sys.stdin.read() if typed.source == STDOUT else read_text(Path(typed.source))
        # All are read first: a broken bracket is found before the first tree is compressed.
        for number, tree in enumerate(parse_trees(text, source), start=1):
            yield f"tree {number:,} of {source}", tree
    elif typed.arguments.text:
        kind = "tree" if parser is None else "sentence"
        for number, text in enumerate(typed.arguments.text, start=1):
            yield f"{kind} {number:,}", text
    else:
        yield from typed.lines("")


def _tree(given: str | Tree, place: str, parser: Parsing | None, takes_trees: bool) -> Tree:
    """The tree, read or parsed, labels bare; ``ValueError`` with ``place`` for text that nobody
    parses, and for a tree unless it ``takes_trees``."""
    if not isinstance(given, str):
        return bare_tree(given, place)
    is_tree = _TREE.fullmatch(given) is not None
    if is_tree and not takes_trees:
        raise ValueError(f"{place}: this is a tree, and --parser is for plain text: leave it out")
    if parser is None and "(" not in given and given.strip():
        raise ValueError(
            f"{place}: this is plain text: give --parser default, or a tree like {EXAMPLE}"
        )
    if parser is None or is_tree:
        return parse_tree(given, place)
    try:
        tree: Tree = parser.parse(tokenized(given)).tree
    except ValueError as error:
        raise ValueError(f"{place}: {error}") from None
    return tree


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


def _data(output: Compression) -> Row:
    return {
        "text": output.text,
        "words": output.words,
        "rate": output.rate,
        "score": output.score,
        "tree": _flat(output.tree),
        "rules": list(output.rules),
    }


def _flat(tree: Tree) -> str:
    return " ".join(str(tree).split())
