"""``wordorder-lab corpora`` with compression pairs that are words alone: what is in them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from wordorder_lab.corpora import TEXTS, CorpusError, Texts, load_texts
from wordorder_lab.corpora.readers.files import LOOKED
from wordorder_lab.structures.compression import TextPair


def texts_found(name: str) -> dict[str, Any]:
    """The row of a corpus in the list of all."""
    try:
        load_texts(name)
    except CorpusError as error:
        where, there = str(error).partition(LOOKED)[0], False
    else:
        where, there = "found: words without trees, which a parser makes", True
    what = {"name": name, "what": TEXTS[name], "found": there, "where": where}
    return {**what, "compressions": True}


def describe_texts(texts: Texts) -> dict[str, Any]:
    """Sizes of every split: pairs, documents, words, the rate of each annotator."""
    rows = {}
    for split in texts.splits:
        rows[split] = {**_sizes(texts.split(split)), "left_out": dict(texts.skipped(split))}
    return {"corpus": texts.name, "splits": rows}


def _sizes(pairs: Sequence[TextPair]) -> dict[str, Any]:
    words = sum(len(pair.source) for pair in pairs)
    several = max(len(pair.targets) for pair in pairs)
    rates = []
    for number in range(several):
        theirs = [pair for pair in pairs if number < len(pair.targets)]
        kept = sum(len(pair.targets[number]) for pair in theirs)
        rates.append(kept / sum(len(pair.source) for pair in theirs))
    keeps = [keep for pair in pairs for keep in pair.keeps]
    return {
        "pairs": len(pairs),
        "documents": len({pair.document for pair in pairs}),
        "words": words,
        "longest": max(len(pair.source) for pair in pairs),
        "references": len(keeps),
        "rates": rates,
        "unchanged": sum(keep is not None and all(keep) for keep in keeps),
        "no_deletions": sum(keep is None for keep in keeps),
    }


def text_lines(told: dict[str, Any]) -> list[str]:
    """The same as a table."""
    lines = [
        told["corpus"],
        f"{'split':<6}{'pairs':>8}{'documents':>11}{'words':>9}{'longest':>9}{'references':>12}"
        f"{'unchanged':>11}  rate of each annotator",
    ]
    for split, row in told["splits"].items():
        rates = " ".join(f"{rate:.1%}" for rate in row["rates"])
        lines.append(
            f"{split:<6}{row['pairs']:>8,}{row['documents']:>11,}{row['words']:>9,}"
            f"{row['longest']:>9,}{row['references']:>12,}{row['unchanged']:>11,}  {rates}"
        )
        lines += [f"       {n:,} {why} left out" for why, n in row["left_out"].items()]
        if other := row["no_deletions"]:
            lines.append(f"       {other:,} references have other words: learned as substitutions")
    return lines
