"""A specification on another corpus, in folds, or trained several times: the same claims again.

    of = "schmaltz-2016-ngram"      the specification that is varied
    corpus = "ewt"                  left out: its own
    units = "words"                 left out: its own
    folds = 10                      left out: none
    seeds = 3                       left out: each model is trained once
    measure = "end"                 left out: its own. With one, its picture becomes one of bars

Six keys are all of such a file. ``wordorder-lab reproduce NAME --corpus ewt --folds 10`` is the
same without a file. Whatever rows are called by, and other experiments whose rows are named, are
those of this variant, too. In folds every split is scored at once: what speaks of dev or test
speaks of all sentences, so that of claims which are then the same, one is left. With seeds each
model that learns sentence by sentence learns several times, from another order of them in each
epoch (once alone it keeps the corpus's); a claim is then about all of these together, and their
spread is in its interval.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from wordorder_lab.experiments.runs.schema import Row, SpecificationError, Table

OF, CORPUS, UNITS, FOLDS, SEEDS, SPLIT = "of", "corpus", "units", "folds", "seeds", "split"
MEASURE, PLOT, SYSTEM = "measure", "plot", "system"
KEYS = (OF, CORPUS, UNITS, FOLDS, SEEDS, MEASURE)
EXPERIMENT = "experiment"
MEASURED = {"end": "scored after the last epoch"}
"""What a measure does, in the words of a title."""
HELD_OUT = "test"
"""What the sentences of a fold are called."""


class Variant(NamedTuple):
    """What is varied: ``None`` and 0 where it is the specification's own."""

    of: str
    corpus: str | None = None
    units: str | None = None
    folds: int = 0
    measure: str | None = None
    seeds: int = 0

    @property
    def name(self) -> str:
        """What the varied experiment is called."""
        return self.name_for(self.of)

    def name_for(self, of: str) -> str:
        """What another experiment is called in this variant: ``"wan-2009-on-ewt-in-10-folds"``."""
        on = re.sub(r"[^a-z0-9]+", "-", (self.corpus or "").lower()).strip("-")
        ends = (("-on-{}", on), ("-in-{}-folds", self.folds), ("-with-{}-seeds", self.seeds))
        return of + "".join(end.format(value) for end, value in ends if value)

    @property
    def description(self) -> str:
        """What is varied, in words."""
        words = [*([f"on {self.corpus}"] if self.corpus else [])]
        words += [f"units are {self.units}"] if self.units else []
        words += [f"in {self.folds} folds"] if self.folds else []
        words += [f"each model trained {self.seeds} times"] if self.seeds else []
        words += [MEASURED.get(self.measure, f"measured by {self.measure}")] if self.measure else []
        return ", ".join(words)


def varied(content: Table, variant: Variant) -> Row:
    """The content of a specification as a variant has it. Raises ``SpecificationError`` for one
    that compares corpora or units, where these are to be others."""
    found: Row = json.loads(json.dumps(dict(content)))
    for key, value in ((CORPUS, variant.corpus), (UNITS, variant.units)):
        if value is not None:
            _set(found, key, value)
    if variant.measure:
        plot = found.pop(PLOT, {})
        found[MEASURE] = variant.measure
        if plot:  # by epoch, of which the other measure has one
            labels = plot.get("lines", [SYSTEM, "categories"])
            found[PLOT] = {"kind": "bars", "y": plot.get("y", "bleu_cased"), "labels": labels}
    if folds := variant.folds or found.get(FOLDS):
        found = in_folds({**found, FOLDS: folds})
    if variant.seeds:
        found[SEEDS] = variant.seeds
    for name in found.get("names", {}).values():
        if EXPERIMENT in name:
            name[EXPERIMENT] = variant.name_for(name[EXPERIMENT])
    last: Row = {key: found.pop(key) for key in ("names", "claims") if key in found}
    return {**found, "title": f"{found['title']} ({variant.description})", **last}


def _set(content: Row, key: str, value: str) -> None:
    """Give every run this corpus, or these units."""
    there = [*_values(content, key)]
    if len(set(there)) > 1 or "learned_on" in json.dumps(content.get("settings", {})):
        raise SpecificationError(
            f"it compares {', '.join(dict.fromkeys(there))}: it has no {key} to change"
        )
    content.setdefault("settings", {})[key] = value
    for table in (*content.get("rows", ()), *content.get("names", {}).values()):
        if key in table:
            table[key] = value
    content.get("vary", {}).pop(key, None)


def _values(content: Table, key: str) -> list[str]:
    tables = [content.get("settings", {}), *content.get("rows", ())]
    found = [table[key] for table in tables if key in table]
    return found + list(content.get("vary", {}).get(key, ()))


def in_folds(content: Row) -> Row:
    """The content of a specification that has folds: all that speaks of a split speaks of all
    sentences."""
    for one in (content.get("settings", {}), content.get("plot", {}), *content.get("rows", ())):
        _held_out(one)
    if SPLIT in content.get("evaluate", {}):
        content["evaluate"][SPLIT] = [HELD_OUT]
    for one in (*content.get("paper", {}).get("values", ()), *content.get("names", {}).values()):
        _held_out(one)
    if "claims" in content:
        content["claims"] = _distinct(content["claims"], content.get("names", {}))
    return content


def _held_out(table: Row) -> None:
    if SPLIT in table:
        table[SPLIT] = HELD_OUT


def _distinct(claims: list[Row], names: Mapping[str, Table]) -> list[Row]:
    """Of claims that compare the same rows one: the first of a paper's, or else of ours."""
    said = ("says", "printed", "ours", "paper")

    def meaning(value: Any) -> Any:
        if isinstance(value, list):
            return [meaning(one) for one in value]
        return names.get(value, value) if isinstance(value, str) else value

    found: dict[str, Row] = {}
    for claim in claims:
        tells = {key: meaning(value) for key, value in claim.items() if key not in said}
        key = json.dumps(tells, sort_keys=True)
        if key not in found or (found[key].get("ours") and not claim.get("ours")):
            found[key] = claim
    return list(found.values())


def variant_of(content: Table, check_known: Callable[[str], Path]) -> Variant | None:
    """The variant that a file is; ``None`` for a specification of its own. Raises
    ``SpecificationError`` for a variant with other keys, and as ``check_known`` for its base."""
    if OF not in content:
        return None
    for key in content:
        if key not in KEYS:
            raise SpecificationError(f"has {key!r}; a variant has {', '.join(KEYS)} and no more")
    variant = Variant(**content)
    if not (variant.corpus or variant.folds or variant.seeds):
        raise SpecificationError(f"varies nothing: give {CORPUS}, {FOLDS} or {SEEDS}")
    check_known(variant.of)
    return variant
