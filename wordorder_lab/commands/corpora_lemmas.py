"""``wordorder-lab corpora sr18 --report``: what can be made of trees of lemmas.

The report counts, for a corpus of surface realization or any treebank in CoNLL-U: where references
have their words from, how far the training part still differs from the older version of the
treebank, how many forms a lemma has and how often the right one is among them, and how many trees
can be mapped to their references.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from wordorder_lab.corpora.lemma_corpora import (
    LEMMA_CORPORA,
    LemmaTrees,
    load_lemma_trees,
    ordered_trees,
    reference_sources,
)
from wordorder_lab.corpora.older_english import deviations, older
from wordorder_lab.corpora.ud_corpora import TREEBANKS
from wordorder_lab.structures.lemma_tree import LemmaTree
from wordorder_lab.systems.inflector import learn_inflector, score
from wordorder_lab.systems.realization_examples import count_mappings, gold_mappings

Row = dict[str, Any]
MISSED = 12
"""Words without their right form that are shown."""
ALLOWED = {"": {}, " with two lifts and two spare words": {"lifts": 2, "spare": 2}}
"""What is allowed in mapping trees to their references, as the report calls it."""


def lemma_report(corpus: LemmaTrees, name: str) -> Row:
    """The figures. What is counted in and scored on is train and dev, or the parts there are.

    Raises ``ValueError`` for a corpus of one part.
    """
    if len(corpus.splits) < 2:
        raise ValueError(f"{corpus.name} has one part only: there is nothing unseen to score on")
    learned, unseen = corpus.splits[:2]
    on: Sequence[LemmaTree] = corpus.split(unseen)
    data: Row = {}
    if name in LEMMA_CORPORA:
        on = ordered_trees(name, unseen)
        today = load_lemma_trees("ewt").dev
        mapped = [older(tree) for tree in today]
        data["references"] = {split: reference_sources(name, split) for split in ("dev", "test")}
        data["deviations"] = {"before": deviations(today, on), "after": deviations(mapped, on)}
    english = name in (*LEMMA_CORPORA, *TREEBANKS)
    inflector = learn_inflector(corpus.split(learned), english=english)
    inflection = asdict(score(inflector, on))
    inflection["missed"] = [[*what, count] for what, count in inflection["missed"][:MISSED]]
    data["inflection"] = {"learned": learned, "scored": unseen, "english": english, **inflection}
    data["mappings"] = {
        f"{split}{how}": asdict(
            count_mappings(gold_mappings(corpus.split(split), inflector, **allowed))
        )
        for split in corpus.splits
        for how, allowed in ALLOWED.items()
    }
    return data


def report_lines(data: Row) -> list[str]:
    """The figures for people."""
    lines = []
    for split, sources in data.get("references", {}).items():
        lines.append(f"words of {split} references: {_counted(sources)}")
    for when, counts in data.get("deviations", {}).items():
        lines.append(f"EWT today and the task's dev part, {when} mapping: {_counted(counts)}")
    forms = data["inflection"]
    lines += [
        f"inflection, counted in {forms['learned']}, {forms['words']:,} words of "
        f"{forms['scored']}: {forms['forms']:.2f} forms a lemma",
        f"  right one among them {forms['among']:.1%} ({forms['among_cased']:.1%} with capitals), "
        f"first of them {forms['first']:.1%} ({forms['first_cased']:.1%})",
        "  not among them, tag, lemma, word, forms:",
        *(f"    {tag:<6}{' | '.join(rest)} ({n})" for tag, *rest, n in forms["missed"]),
    ]
    for what, row in data["mappings"].items():
        why = "".join(f"; {count:,} {reason}" for reason, count in row["reasons"].items())
        known = f"; {row['as_annotated']:,} of {row['known']:,} as annotated" * bool(row["known"])
        lines.append(
            f"mapped to references, {what}: {row['trees']:,} trees, {row['one']:,} in one way, "
            f"{row['several']:,} in several, {row['none']:,} in none{why}; "
            f"{row['lifted']:,} lifted, {row['spared']:,} with a word that is no form{known}"
        )
    return lines


def _counted(counts: dict[str, int]) -> str:
    return ", ".join(f"{count:,} {what}" for what, count in counts.items())
