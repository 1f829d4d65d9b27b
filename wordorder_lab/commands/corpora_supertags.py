"""``wordorder-lab corpora genia``: sentences whose words have CCG categories, and nothing more."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from typing import Any

from wordorder_lab.commands.output import report
from wordorder_lab.corpora.readers.corpus import CorpusError
from wordorder_lab.corpora.readers.files import LOOKED
from wordorder_lab.corpora.supertags import ENDINGS, SOURCE, SUPERTAGS, load_supertags
from wordorder_lab.structures.sentence import Supertagged


def is_here(name: str | None) -> bool:
    """Whether a corpus, by its name or path, has words with categories alone."""
    return name is not None and (name in SUPERTAGS or name.endswith(ENDINGS))


def found() -> list[dict[str, Any]]:
    """The corpora of this kind, and whether they were found."""
    rows = []
    for name, (what, _) in SUPERTAGS.items():
        try:
            load_supertags(name)
        except CorpusError as error:
            where, there = str(error).partition(LOOKED)[0], False
        else:
            where, there = f"found: words with categories, of {SOURCE}", True
        row = {"name": name, "what": what, "found": there, "where": where, "compressions": False}
        rows.append(row)
    return rows


def run(arguments: Namespace) -> None:
    """Sentences, words and categories of every split. Raises ``CorpusError``."""
    corpus = load_supertags(arguments.corpus, units=arguments.units)
    rows = {split: _sizes(corpus.split(split)) for split in corpus.splits}
    lines = [
        corpus.name,
        f"{'split':<6}{'sentences':>10}{'words':>9}{'longest':>9}{'categories':>12}",
    ]
    for split, row in rows.items():
        lines.append(
            f"{split:<6}{row['sentences']:>10,}{row['words']:>9,}{row['longest']:>9}"
            f"{row['categories']:>12,}"
        )
    report(lines, {"corpus": corpus.name, "splits": rows}, arguments.json)


def _sizes(sentences: Sequence[Supertagged]) -> dict[str, int]:
    return {
        "sentences": len(sentences),
        "words": sum(len(sentence.words) for sentence in sentences),
        "longest": max(len(sentence.words) for sentence in sentences),
        "categories": len({category for one in sentences for category in one.categories}),
    }
