"""``wordorder-lab order``: bags in, typed or as CoNLL-U, and sentences out, a line each."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from wordorder_lab.commands.answers import Typed, answer_all, asked_log, of_text, with_hint
from wordorder_lab.commands.common import open_model, search_options, with_supertagger
from wordorder_lab.commands.output import STDOUT
from wordorder_lab.corpora.readers.bag_conllu import parse_conllu_bags
from wordorder_lab.corpora.readers.files import read_text
from wordorder_lab.experiments.runs.schema import Row
from wordorder_lab.structures.bag import WordBag, bag_of
from wordorder_lab.structures.derivation import Derivation
from wordorder_lab.structures.result import Result, news
from wordorder_lab.structures.sentence import Sentence
from wordorder_lab.structures.typed_bag import parse_bag, type_bag
from wordorder_lab.systems.category_sources import DICTIONARY, source_of, with_categories
from wordorder_lab.systems.model import OrderingModel

SEED = 1
IN_ORDER = (
    "the words of each bag are taken to stand in their true order (not a bag-of-words task), and "
    "tags that a supertagger is not given are guessed"
)
NO_HELP = "it stays on its arc, and carries no information"
HINT = """a bag a line, in any order: joined [the board] [Pierre Vinken]/NP ./.
brackets keep a phrase whole, a slash gives a tag, a backslash is for plain [ ] / \\ > | {
heads and orders: joined>0 [the board]/NP>1 . | 2<3 (joined, unit 1, is the root and the head of
unit 2; unit 2 stands before unit 3), with a label: [the board]/NP>1:obj; CCG: no heads, but a unit
may be left out or used again, as in the{0,2}; end: Ctrl-D"""


def run(arguments: Namespace) -> int:
    """Order the bag of the command line, or those of stdin or of a CoNLL-U file."""
    log = asked_log(arguments)
    typed, bags = _asked(arguments)
    model = with_supertagger(open_model(arguments.model, "order"), arguments)
    search = search_options(model, arguments)  # what it refuses is refused before a bag is read
    if arguments.sweep or arguments.html:
        return _swept(model, arguments, search)
    source = source_of(search.pop("categories", DICTIONARY), getattr(model, "tagger", None))
    if source is not None:
        print(f"categories {arguments.categories}: {IN_ORDER}", file=sys.stderr)
    options = {"k": arguments.k, "engine": arguments.engine, "trace": log, **search}
    noted: set[str] = set()
    exact: Counter[bool] = Counter()

    def answer(asked: str | WordBag | Sentence) -> tuple[Row, list[str]]:
        if isinstance(asked, Sentence):
            found = model.order(bag_of(asked, pos=0, seed=SEED), **options)
            same = found.text == asked.text
            exact[same] += 1
            beside = [] if same else [f"{'the line':>10}  {asked.text}"]
            data = {"line": asked.text, "exact": same, **_data(found)}
            return data, _lines(found, arguments) + beside
        bag = asked if isinstance(asked, WordBag) else parse_bag(asked)
        check_tags(model, bag)
        for label in sorted(_unknown_labels(model, bag) - noted):
            print(f"note: the model never saw the label {label}: {NO_HELP}", file=sys.stderr)
            noted.add(label)
        if source is not None:
            bag = with_categories(bag, range(len(bag)), source)
        if arguments.text and arguments.engine is None:
            options["engine"] = model.engine_alone(bag)
        result = model.order(bag, **options)
        text = type_bag(bag) if isinstance(asked, WordBag) else asked
        named = {name: getattr(result, name) for name in ("alike", "unknown", "ties")}
        said = {name: value for name, value in named.items() if value}
        data = {"bag": text, **_data(result), **said, "k_best": [*map(_data, result.k_best)]}
        return data, _lines(result, arguments)

    answer_all(bags, answer, arguments, log, typed.by_hand)
    _tell_exact(exact)
    return 0


def _tell_exact(exact: Counter[bool]) -> None:
    if total := exact.total():
        share = exact[True] / total
        print(f"{exact[True]:,} of {total:,} as in the text ({share:.0%})", file=sys.stderr)


def _swept(model: OrderingModel, arguments: Namespace, search: Row) -> int:
    from wordorder_lab.commands.sweeping import search_sweep  # it needs what evaluates

    return search_sweep(
        model, arguments, search, "typed bag", lambda: parse_bag(" ".join(arguments.text))
    )


def _asked(arguments: Namespace) -> tuple[Typed, Iterable[tuple[str, str | WordBag | Sentence]]]:
    """What is typed, or comes from stdin, a CoNLL-U file, or a text."""
    typed = Typed(arguments, "conllu", "bags", HINT)
    text = Typed(arguments, "file", "sentences", HINT).source
    if text is not None and typed.source is not None:
        raise ValueError("bags come from --conllu or from --file: leave one of them out")
    if text is not None:
        return typed, of_text(text)
    if typed.source is not None:
        return typed, _from_conllu(typed.source)
    return typed, with_hint(typed.lines())


def _from_conllu(path: str) -> Iterator[tuple[str, WordBag]]:
    """Bags, and where each stands; from stdin a bag is answered as soon as it has ended."""
    source = "the input" if path == STDOUT else path
    text = sys.stdin if path == STDOUT else read_text(Path(path)).split("\n")
    for line, bag in parse_conllu_bags(text, source):
        yield f"line {line:,} of {source}: in the bag that begins here, ", bag


def check_tags(model: OrderingModel, bag: WordBag) -> None:
    """Raise ``ValueError`` for a tag that the model never saw, with those it knows."""
    if unknown := model.unknown_tags(bag):
        known = " ".join(model.dictionary.word_tags)
        tags = "tag" if len(unknown) == 1 else "tags"
        raise ValueError(
            f"the model never saw the {tags} {' '.join(unknown)}; it knows {known} "
            "(in a typed bag, a slash that belongs to a word is written \\/)"
        )


def _unknown_labels(model: OrderingModel, bag: WordBag) -> set[str]:
    learned = getattr(model, "label_dictionary", None)
    given = {label for label in bag.labels or () if label}
    return set() if learned is None else given.difference(learned.every)


def _lines(result: Result, arguments: Namespace) -> list[str]:
    lines = []
    for rank, output in enumerate(result.k_best):
        # Put together from what there was, or a sentence that has come before.
        new = (
            news(output, result.k_best[:rank]) if output.is_whole else f"stopped: {output.stopped}"
        )
        mark = f"  ({new})" if new else ""
        lines.append(f"{output.score:10.3f}  {output.text or '(no words)'}{mark}")
        if arguments.tree:
            lines += map(str, output.derivations or [output.tree])
    if result.is_whole and result.stopped != "complete":
        lines.append(f"{len(result.k_best)} of {arguments.k} found (stopped: {result.stopped})")
    if arguments.k > 1 and result.unlisted:
        lines.append(result.unlisted)
    if result.doubts:
        print(f"note: {result.doubts}", file=sys.stderr)
    return lines + ([""] if arguments.k > 1 or arguments.tree else [])


def _data(output: Result) -> Row:
    row: Row = {"text": output.text, "words": output.words, "order": list(output.order)}
    row |= {"score": output.score, "pos": list(output.tree.pos), "heads": list(output.tree.heads)}
    if output.tree.labels:
        row["labels"] = list(output.tree.labels)
    if output.derivations:
        row["derivations"] = [_steps(derivation) for derivation in output.derivations]
    return {**row, "stopped": output.stopped, "whole": output.is_whole}


def _steps(derivation: Derivation) -> list[Row]:
    """The nodes of a derivation, children before parents: a leaf is a word, a step has parts."""
    steps: list[Row] = []
    for node in derivation.nodes():
        category = str(node.category)
        if node.children:
            made = {"sign": node.sign, "parts": len(node.children), "head": node.head}
            steps.append({"category": category, **made})
        else:
            steps.append({"category": category, "word": node.word, "pos": node.pos})
    return steps
