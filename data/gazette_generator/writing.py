"""The Gazette in the field's formats: Penn brackets, CoNLL-U, CCGbank's .auto, JSON lines."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from nltk.tree import Tree

from gazette_generator.generate import SEED, Article, generate
from gazette_generator.phrase import Word
from wordorder_lab.corpora.readers.ccgbank import AutoEntry, format_auto
from wordorder_lab.corpora.readers.penn_labels import UPOS
from wordorder_lab.runtime.atomic import replacing

AUXILIARY = ("(S[b]\\NP)", "(S[pt]\\NP)", "(S[ng]\\NP)", "(S[pss]\\NP)", "(S[adj]\\NP)")
"""What the verbs ask for that are auxiliaries or copulas, if they are be, have or do."""


def upos(word: Word) -> str:
    """The universal tag of a word."""
    if word.form == "%":
        return "SYM"
    if word.lemma == "not" or word.category.startswith("(S[to]"):
        return "PART"
    if word.tag == "IN" and word.category.endswith("S[dcl]"):
        return "SCONJ"
    if word.lemma in ("be", "have", "do") and word.category.endswith(AUXILIARY):
        return "AUX"
    return UPOS.get(word.tag, "VERB" if word.tag.startswith("VB") else "PUNCT")


def files(seed: int = SEED) -> dict[str, str]:
    """File name -> contents, for every split and format."""
    contents = {}
    for split, articles in generate(seed).items():
        contents[f"{split}.mrg"] = "".join(
            f"( {_brackets(article.layers.tree)} )\n" for article in articles
        )
        contents[f"{split}.conllu"] = "".join(map(_conllu, articles))
        contents[f"{split}.auto"] = format_auto(map(_auto, articles))
        contents[f"{split}.compressions.jsonl"] = "".join(_compressions(articles))
    return contents


def write(folder: Path, seed: int = SEED) -> list[Path]:
    """Write all files, each atomically; returns those that were not the same before."""
    folder.mkdir(parents=True, exist_ok=True)
    changed = []
    for name, text in files(seed).items():
        path = folder / name
        if not path.exists() or path.read_bytes() != text.encode("utf-8"):
            with replacing(path) as part:
                part.write_bytes(text.encode("utf-8"))
            changed.append(path)
    return changed


def _brackets(tree: Tree) -> str:
    return " ".join(tree.pformat(margin=10**9).split())


def _conllu(article: Article) -> str:
    layers = article.layers
    text = " ".join(word.form for word in layers.words)
    lines = [f"# sent_id = {article.name}", f"# text = {text}"]
    rows = zip(layers.words, layers.heads, layers.labels, layers.base_nps, strict=True)
    for number, (word, head, label, base_np) in enumerate(rows, 1):
        columns = [
            str(number),
            word.form,
            word.lemma or word.form,
            upos(word),
            word.tag,
            word.feats or "_",
            str(head + 1),
            label,
            "_",
            f"BaseNP={base_np}",
        ]
        lines.append("\t".join(columns))
    return "\n".join(lines) + "\n\n"


def _auto(article: Article) -> AutoEntry:
    header = f"ID={article.name} PARSER=GOLD NUMPARSE=1"
    return AutoEntry(header, article.layers.derivation)


def _compressions(articles: Iterable[Article]) -> Iterable[str]:
    for article in articles:
        if article.shorter is not None:
            row = {
                "id": article.name,
                "kind": article.shorter.kind,
                "source": [word.form for word in article.layers.words],
                "target": list(article.shorter.words),
                "target_tags": list(article.shorter.tags),
                "target_tree": _brackets(article.shorter.tree),
                "alignment": [list(pair) for pair in article.shorter.alignment],
            }
            yield json.dumps(row, ensure_ascii=False) + "\n"
