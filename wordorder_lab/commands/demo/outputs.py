"""The demo's outputs beside their references: what differs is marked, and the trees are there."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher
from xml.etree.ElementTree import Element

from wordorder_lab.commands.demo.html import folded, node
from wordorder_lab.structures.result import Result
from wordorder_lab.structures.sentence import Sentence
from wordorder_lab.structures.trees import DependencyTree

OPEN_TREE = 12
"""Units of the longest sentence whose trees are shown from the start: of one that came out right,
and of one that did not."""


def pairs(
    numbers: Sequence[int], sentences: Sequence[Sentence], results: Sequence[Result]
) -> Element:
    """A list of outputs, each above its reference; ``numbers`` are those of the sentences."""
    shown = node("ol", class_="pairs")
    opened = set()
    for number, sentence, result in zip(numbers, sentences, results):
        item, trees = _pair(number, sentence, result), _trees(sentence, result)
        right = result.text == sentence.text
        if len(sentence) <= OPEN_TREE and right not in opened:
            trees.set("open", "open")
            opened.add(right)
        item.append(trees)
        shown.append(item)
    return shown


def _pair(number: int, sentence: Sentence, result: Result) -> Element:
    gold = [token.form for token in sentence]
    placed, wanted = standing(result.words, gold)
    moved = placed.count(False)
    verdict = (
        f"{moved} of {len(gold)} units stand elsewhere" if moved else "the same, word for word"
    )
    lines = [
        *(node("dt", "output"), node("dd", *_marked(result.words, placed))),
        *(node("dt", "reference"), node("dd", *_marked(gold, wanted))),
        *(node("dt", "\u2260" if moved else "="), node("dd", verdict, class_="soft")),
    ]
    return node("li", node("dl", *lines), value=number)


def standing(output: Sequence[str], reference: Sequence[str]) -> tuple[list[bool], list[bool]]:
    """For each unit of either side whether it stands where it stands in the other one."""
    here, there = [False] * len(output), [False] * len(reference)
    matcher = SequenceMatcher(a=output, b=reference, autojunk=False)
    for i, j, size in matcher.get_matching_blocks():
        here[i : i + size] = there[j : j + size] = [True] * size
    return here, there


def _marked(units: Sequence[str], placed: Sequence[bool]) -> list[Element | str]:
    """The units with spaces between them; those out of place are marked."""
    parts: list[Element | str] = []
    for unit, stays in zip(units, placed):
        parts += [unit if stays else node("mark", unit), " "]
    return parts[:-1]


def _trees(sentence: Sentence, result: Result) -> Element:
    """The tree that the search built and, where it is another one, the reference's."""
    shown = [node("p", "Built by the search:"), _tree(result.tree)]
    if result.tree != sentence.tree:
        shown += [node("p", "Of the reference:"), _tree(sentence.tree)]
    return folded("trees" if len(shown) > 2 else "tree", *shown)


def _tree(tree: DependencyTree) -> Element:
    return node("div", tree.drawing(), class_="tree", tabindex="0", role="group", aria_label="Tree")
