"""The tasks, their sentences in a fixed order, and what a file of outputs must be.

Differences
- *Our reading*: of a compression, a capital that a word has for standing first counts as none: that
  of the source's first word, and one that the source does not have there. Records ask a parser's
  tag whether it is a name, and differ in 15 of 525 sentences; so outputs are compared with outputs.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from wordorder_lab.corpora import CorpusError, load_texts
from wordorder_lab.experiments.runs.corpora import corpus_of, folds_of, lemma_corpus
from wordorder_lab.experiments.runs.outputs import read_lines
from wordorder_lab.experiments.runs.schema import Row
from wordorder_lab.metrics.bleu import sentence_counts, signature_of
from wordorder_lab.metrics.compression import corpus_ngram_f1
from wordorder_lab.metrics.significance import (
    BLEU,
    SENTENCE_SCORES,
    Kept,
    packed,
    pooled_interval,
    score_of_sentences,
    table_of,
)
from wordorder_lab.structures.messages import brief, cited, unknown_name

LIST = Path(__file__).with_name("tasks.toml")
ORDER, REALIZE, COMPRESS = "order", "realize", "compress"
UNIGRAM_F1, RATE = "unigram_f1", "rate"
CONVENTIONS = {ORDER: ("cased", "13a_lc"), REALIZE: ("lc", "cased")}
"""How BLEU is counted, first as the field compares systems."""


class Task(NamedTuple):
    """A task: its keys are explained in ``tasks.toml``."""

    name: str
    says: str
    kind: str
    corpus: str
    on: str
    get: str
    systems: tuple[Mapping[str, Any], ...]
    units: str = ""
    split: str = ""
    folds: int = 0


class Item(NamedTuple):
    """A sentence of a task: its references, and what an output is made of: the units of the bag,
    which say nothing of their order, or the words of the sentence to shorten (``None``: any)."""

    references: tuple[str, ...]
    words: tuple[str, ...] | None


@cache
def tasks() -> dict[str, Task]:
    """All tasks by their names."""
    content = tomllib.loads(LIST.read_text(encoding="utf-8"))
    return {n: Task(n, **{**one, "systems": tuple(one["systems"])}) for n, one in content.items()}


def task_called(name: str) -> Task:
    """The task of this name. Raises ``ValueError`` for none."""
    if name not in tasks():
        raise ValueError(unknown_name("task", name, tasks()))
    return tasks()[name]


def items_of(task: Task) -> Sequence[Item]:
    """The sentences of a task, in its order. Raises ``CorpusError`` with the name of the task for a
    corpus that is not here."""
    try:
        return _items_called(task.name)
    except CorpusError as error:
        raise CorpusError(
            f"{task.name} needs the corpus {task.corpus}: get it with {task.get} ({error})"
        ) from None


@cache
def _items_called(name: str) -> list[Item]:
    task = tasks()[name]
    if task.kind == COMPRESS:
        pairs = load_texts(task.corpus).split(task.split)
        return [Item(tuple(map(" ".join, pair.targets)), pair.source) for pair in pairs]
    if task.kind == REALIZE:
        trees = lemma_corpus(task.corpus).split(task.split)
        return [Item((" ".join(tree.reference),), None) for tree in trees if tree.reference]
    if task.folds:
        sentences: Sequence[Any] = folds_of(task.corpus, task.units, task.folds).sentences
    else:
        sentences = corpus_of(task.corpus, task.units).split(task.split)
    bags = [sorted(" ".join(token.words) for token in one.tokens) for one in sentences]
    return [Item((one.text,), tuple(bag)) for one, bag in zip(sentences, bags)]


def apart(task: Task) -> dict[str, list[int]]:
    """Places of sentences that are reported apart, from the first to behind the last."""
    if not task.folds:
        return {}
    found: Any = folds_of(task.corpus, task.units, task.folds).described()["apart"]
    return dict(found)


# --- a file of outputs ----------------------------------------------------------------------------


def read_outputs(path: Path, task: Task) -> list[str]:
    """The lines of a file, packed or not, one for each sentence of the task.

    Raises ``ValueError`` with the number of the line for a file with more or fewer of them, and for
    a line with a word that is not in the bag, or is there more often.
    """
    try:
        lines = read_lines(path)
    except (UnicodeDecodeError, EOFError) as error:
        raise ValueError(f"{path} is no text in UTF-8: {error}") from None
    items = items_of(task)
    if len(lines) < len(items):
        raise ValueError(
            f"{path} ends behind line {len(lines):,}, and {task.name} has {len(items):,} "
            "sentences: give a line for each, in its order"
        )
    if len(lines) > len(items):
        raise ValueError(
            f"line {len(items) + 1:,} of {path} is one too many: {task.name} has {len(items):,} "
            "sentences"
        )
    for number, (line, item) in enumerate(zip(lines, items), 1):
        _check_words(task, line, item, f"line {number:,} of {path}")
    return lines


def _check_words(task: Task, line: str, item: Item, where: str) -> None:
    if item.words is None:
        return
    words, made = " ".join(item.words).split(), line.split()
    if task.kind == COMPRESS:
        words, made = (_uncapitalized(" ".join(one), item) for one in (words, made))
    if more := Counter(made) - Counter(words):
        word, extra = next(iter(more.items()))
        there = words.count(word)
        often = (
            "is not in its bag"
            if not there
            else f"is in its bag {there} times, not {there + extra}"
        )
        raise ValueError(f"{where}: {cited(word)} {often}: {brief(' '.join(item.words))}")


def _uncapitalized(line: str, item: Item) -> list[str]:
    """The words; the first one without a capital that it has for standing first."""
    words, source = line.split(), item.words or ()
    first = next((word for word in source if word[:1].isalnum()), "")
    place = next((i for i, word in enumerate(words) if word[:1].isalnum()), None)
    if place is not None:
        word = words[place]
        is_plain = word[1:] == word[1:].lower() and (len(word) > 1 or word == "A")
        if is_plain and (word == first or (word not in source and word.lower() in source)):
            words[place] = word.lower()
    return words


# --- its scores -----------------------------------------------------------------------------------


def scores_of(task: Task, lines: Sequence[str]) -> Row:
    """What outputs come to: scores, sacrebleu's signatures, an interval of what the task compares,
    and what each sentence adds."""
    items = items_of(task)
    kept = _kept(task, lines, items)
    row: Row = {"sentences": len(items)}
    for name, one in kept.items():
        row[name] = score_of_sentences(table_of(one))
    for convention in CONVENTIONS.get(task.kind, ()):
        row[f"bleu_{convention}_signature"] = str(signature_of(convention))
    references = [item.references for item in items]
    exact = [line.split() in [one.split() for one in some] for line, some in zip(lines, references)]
    row["exact_match"] = sum(exact) / len(items)
    table = table_of(kept[task.on])
    if task.kind != COMPRESS:
        words = table[:, :2].sum(axis=0)
        row["brevity"] = float(words[0] / words[1])
        interval = pooled_interval([table.astype("float32")])
        row[f"{task.on}_interval"] = [interval.low, interval.high]
    return {**row, SENTENCE_SCORES: {name: [one] for name, one in kept.items()}}


def _kept(task: Task, lines: Sequence[str], items: Sequence[Item]) -> dict[str, Kept]:
    if task.kind != COMPRESS:
        references = [item.references[0] for item in items]
        return {
            f"bleu_{name}": {"counts": packed(sentence_counts(lines, references, name))}
            for name in CONVENTIONS[task.kind]
        }
    golds = [[_uncapitalized(one, item) for one in item.references] for item in items]
    made = [_uncapitalized(line, item) for line, item in zip(lines, items)]
    shared = corpus_ngram_f1(made, golds, 1).rows
    both = [(2 * one.right, one.made + one.gold) for one in shared]
    words = [(len(line.split()), len(item.words or ())) for line, item in zip(lines, items)]
    return {
        UNIGRAM_F1: {"parts": np.array(both).T.tolist()},
        RATE: {"parts": np.array(words).T.tolist()},
    }


def part_of_scores(row: Row, begin: int, end: int, on: str = BLEU) -> Row:
    """The score that is compared, of some sentences alone, and what they add."""
    (kept,) = row[SENTENCE_SCORES][on]
    table = table_of(kept)[begin:end]
    return {"sentences": len(table), on: score_of_sentences(table)}
