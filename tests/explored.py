"""What the tests of the explorer share: small models on the Gazette, and tables of any size."""

from __future__ import annotations

import random
from functools import cache
from typing import Any

import pandas

import wordorder_lab as wl
from wordorder_lab.exploring.explore import Exploration, columns_of, exploration
from wordorder_lab.metrics.significance import means_of
from wordorder_lab.widgets.explorer import Table

SENTENCES = 40
PLAIN = {"engine": "reference", "progress": False}
WORDS = "the robin paints <b>a clock</b> Again , & an old river .".split()


def short_sentences(split: str = "dev", most: int = 9, units: str = "base-np") -> list[Any]:
    """The Gazette's short sentences, which the reference engine orders soon."""
    sentences = wl.load_corpus("gazette", units=units).split(split)
    return [one for one in sentences if len(one) <= most]


@cache
def linearizer(seed: int = 1) -> Any:
    """A model that gets some sentences right and others wrong."""
    sentences = short_sentences("train")[:150]
    how = {"beam": 4, "epochs": 2, "seed": seed, "shuffle": True}
    return wl.train("liu-2015", sentences, **how, **PLAIN)


@cache
def best_first() -> Any:
    """One that searches best first, with a chart so small that gold leaves it."""
    how = {"beam": 8, "epochs": 1, "expansions": 200}
    return wl.train("zhang-clark-2015-dependency", short_sentences("train")[:60], **how, **PLAIN)


@cache
def ccg() -> Any:
    """The same with CCG, on words: phrases have no category."""
    sentences = short_sentences("train", 10, "words")[:80]
    how = {"beam": 16, "epochs": 1, "expansions": 200}
    return wl.train("zhang-clark-2015-ccg", sentences, **how, **PLAIN)


@cache
def one_model() -> Exploration:
    """A model on some sentences."""
    return exploration(linearizer(), short_sentences()[:SENTENCES], engine="reference")


@cache
def two_models() -> Exploration:
    """Two of different kinds."""
    models = [linearizer(), best_first()]
    return exploration(models, short_sentences()[:12], engine="reference")


def table_of_size(rows: int, seed: int = 1) -> Table:
    """A table of two models with random rows; nothing of it was ever searched."""
    chance = random.Random(seed)
    kinds = ["right", "punctuation", "two phrases exchanged", "another <kind>"]
    columns = columns_of(2, False, True)
    data: dict[str, list[Any]] = {}
    for column in columns:
        data[column.name] = [_value(column.kind, kinds, chance) for _ in range(rows)]
    data["number"] = [*range(1, rows + 1)]
    data["bag"] = data["conllu"] = data["reference"]
    frame = pandas.DataFrame(data)
    return Table(frame, columns, ["one", "two"], f"{rows} rows", lambda place, which: {}, means_of)


def _value(kind: str, kinds: list[str], chance: random.Random) -> Any:
    if kind == "number":
        return chance.choice([0.0, 25.0, 100.0, chance.gauss(40, 20), chance.gauss(0, 1)])
    if kind == "whole":
        return chance.choice([None, *range(60)])
    if kind == "flag":
        return chance.random() < 0.3
    if kind == "choice":
        return chance.choice(kinds)
    return " ".join(chance.choices(WORDS, k=chance.randint(1, 12)))
