"""``wordorder-lab corpora sr18``: trees of lemmas, and with ``--report`` what can be made of them.

The report counts, for a corpus of surface realisation or any treebank in CoNLL-U: where references
have their words from, how far the training part still differs from the older version of the
treebank, how many forms a lemma has and how often the right one is among them, and how many trees
can be mapped to their references.
"""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from wordorder_lab.commands.output import report
from wordorder_lab.corpora.lemma_corpora import (
    LEMMA_CORPORA,
    LemmaTrees,
    load_lemma_trees,
    ordered_trees,
    reference_sources,
    task_folder,
)
from wordorder_lab.corpora.older_english import deviations, older
from wordorder_lab.corpora.readers.corpus import CorpusError
from wordorder_lab.corpora.readers.files import LOOKED
from wordorder_lab.corpora.ud_corpora import (
    OTHER_LANGUAGES,
    TREEBANKS,
    is_conllu,
)
from wordorder_lab.structures.lemma_tree import LemmaTree
from wordorder_lab.systems.gold_mappings import count_mappings, gold_mappings
from wordorder_lab.systems.inflector import learn_inflector, score

MISSED = 12
"""Words without their right form that are shown."""
ALLOWED = {"": {}, " with two lifts and two spare words": {"lifts": 2, "spare": 2}}
"""What is allowed in mapping trees to their references, as the report calls it."""


def is_here(arguments: Namespace) -> bool:
    """Whether a command line is about trees of lemmas: by the corpus, or by a report on CoNLL-U."""
    name = arguments.corpus
    alone = (*LEMMA_CORPORA, *OTHER_LANGUAGES)
    return name in alone or bool(arguments.report and name and _is_treebank(name))


def found() -> list[dict[str, Any]]:
    """The corpora of this kind, and whether and where they were found."""
    rows = []
    for name, what in LEMMA_CORPORA.items():
        try:
            where, there = f"found: {task_folder(name)}", True
        except CorpusError as error:
            where, there = str(error).partition(LOOKED)[0], False
        row = {"name": name, "what": what, "found": there, "where": where, "compressions": False}
        rows.append(row)
    return rows


def run(arguments: Namespace) -> None:
    """Describe the corpus, or write the report on it."""
    if arguments.units not in (None, "words"):
        raise ValueError(f"{arguments.corpus} is words: leave --units out")
    corpus = load_lemma_trees(arguments.corpus)
    data: dict[str, Any] = {"corpus": corpus.name}
    data["splits"] = {split: _sizes(corpus.split(split)) for split in corpus.splits}
    if arguments.report:
        data |= _report(corpus, arguments.corpus)
    report(_lines(data), data, arguments.json)


def _is_treebank(name: str) -> bool:
    path = Path(name)
    if name in TREEBANKS:
        return True
    return (
        is_conllu(path) if path.is_file() else path.is_dir() and any(map(is_conllu, path.iterdir()))
    )


def _sizes(trees: Sequence[LemmaTree]) -> dict[str, Any]:
    return {
        "trees": len(trees),
        "lemmas": sum(map(len, trees)),
        "with_reference": sum(bool(tree.reference) for tree in trees),
        "ranked": sum(node.rank is not None for tree in trees for node in tree.nodes),
    }


def _report(corpus: LemmaTrees, name: str) -> dict[str, Any]:
    data: dict[str, Any] = {}
    learned, unseen = _learned_and_unseen(corpus)
    on: Sequence[LemmaTree] = corpus.split(unseen)
    if name in LEMMA_CORPORA:
        on = ordered_trees(name, unseen)
        data["references"] = {split: reference_sources(name, split) for split in ("dev", "test")}
        data["deviations"] = _deviations(on)
    english = name in (*LEMMA_CORPORA, *TREEBANKS)
    inflector = learn_inflector(corpus.split(learned), english=english)
    inflection = asdict(score(inflector, on))
    inflection["missed"] = [[*what, count] for what, count in inflection["missed"][:MISSED]]
    data["inflection"] = {"learned": learned, "scored": unseen, "english": english, **inflection}
    data["mappings"] = {}
    for split in corpus.splits:
        for how, allowed in ALLOWED.items():
            made = gold_mappings(corpus.split(split), inflector, **allowed)
            data["mappings"][f"{split}{how}"] = asdict(count_mappings(made))
    return data


def _learned_and_unseen(corpus: LemmaTrees) -> tuple[str, str]:
    """What is counted in and what is scored on: train and dev, or what there is."""
    if len(corpus.splits) < 2:
        raise ValueError(f"{corpus.name} has one part only: there is nothing unseen to score on")
    return corpus.splits[0], corpus.splits[1]


def _deviations(theirs: Sequence[LemmaTree]) -> dict[str, dict[str, int]]:
    """Dev words of EWT today that differ from the task's, before and after they are mapped."""
    today = load_lemma_trees("ewt").dev
    return {
        "before": deviations(today, theirs),
        "after": deviations([older(tree) for tree in today], theirs),
    }


def _lines(data: dict[str, Any]) -> list[str]:
    lines = [
        data["corpus"],
        f"{'split':<6}{'trees':>8}{'lemmas':>9}{'references':>12}{'ranked':>9}",
    ]
    for split, row in data["splits"].items():
        sizes = f"{row['trees']:>8,}{row['lemmas']:>9,}{row['with_reference']:>12,}"
        lines.append(f"{split:<6}{sizes}{row['ranked']:>9,}")
    for split, sources in data.get("references", {}).items():
        told = ", ".join(f"{count:,} {source}" for source, count in sources.items())
        lines.append(f"words of {split} references: {told}")
    for when, counts in data.get("deviations", {}).items():
        told = ", ".join(f"{count:,} {what}" for what, count in counts.items())
        lines.append(f"EWT today and the task's dev part, {when} mapping: {told}")
    return lines + _about_inflection(data.get("inflection")) + _about_mappings(data)


def _about_inflection(data: dict[str, Any] | None) -> list[str]:
    if data is None:
        return []
    lines = [
        f"inflection, counted in {data['learned']}, {data['words']:,} words of {data['scored']}: "
        f"{data['forms']:.2f} forms a lemma",
        f"  right one among them {data['among']:.1%} ({data['among_cased']:.1%} with capitals), "
        f"first of them {data['first']:.1%} ({data['first_cased']:.1%})",
        "  not among them, tag, lemma, word, forms:",
    ]
    return lines + [f"    {tag:<6}{' | '.join(rest)} ({n})" for tag, *rest, n in data["missed"]]


def _about_mappings(data: dict[str, Any]) -> list[str]:
    lines = []
    for what, row in data.get("mappings", {}).items():
        why = "".join(f"; {count:,} {reason}" for reason, count in row["reasons"].items())
        known = f"; {row['as_annotated']:,} of {row['known']:,} as annotated" * bool(row["known"])
        lines.append(
            f"mapped to references, {what}: {row['trees']:,} trees, {row['one']:,} in one way, "
            f"{row['several']:,} in several, {row['none']:,} in none{why}; "
            f"{row['lifted']:,} lifted, {row['spared']:,} with a word that is no form{known}"
        )
    return lines
