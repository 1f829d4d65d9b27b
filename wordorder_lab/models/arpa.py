"""Language models as text, in the ARPA format that SRILM, KenLM and IRSTLM read and write.

    \\data\\
    ngram 1=4                       how many n-grams of each order there are
    ngram 2=2

    \\1-grams:
    -99    <s>      -0.30103        log10 p, the n-gram, log10 of its back-off (left out: 0)
    ...
    \\end\\

Differences. The format has no minus infinity: -99 and all below is "never". Our models hold every
context of an n-gram as an n-gram. Where a pruned file has ``a b c`` and lacks ``a b``, that is
added with the probability that backing off gives it, which changes no other probability.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from itertools import pairwise, zip_longest

import numpy as np

from wordorder_lab.models.arpa_sections import LN_10, Section, read_sections
from wordorder_lab.models.ngram import MARKS, NEVER, UNKNOWN, NGramModel
from wordorder_lab.models.ngram_rows import distinct, trie
from wordorder_lab.structures.atomic import replacing

# --- writing ------------------------------------------------------------------------------------


def write_arpa(model: NGramModel, path: str | os.PathLike[str]) -> None:
    """Write a model, atomically; logarithms keep ten digits.

    Raises ``ValueError`` for a word that is empty or holds white space, ``OSError`` if the folder
    cannot be written.
    """
    for word in model.vocabulary:
        if word.encode().split() != [word.encode()]:
            raise ValueError(f"ARPA files have spaces between words: {word!r} cannot stand in one")
    with replacing(path) as part, part.open("w", encoding="utf-8", newline="\n") as file:
        file.write("\\data\\\n")
        file.writelines(f"ngram {n}={size}\n" for n, size in enumerate(model.sizes, 1))
        begin = 0
        for length, texts in enumerate(_texts(model), 1):
            inside = slice(begin, begin + len(texts))
            columns = [
                (logs[inside] / LN_10).tolist() for logs in (model.log_probs, model.back_offs)
            ]
            file.write(f"\n\\{length}-grams:\n")
            for log_prob, text, back_off in zip_longest(columns[0], texts, columns[1]):
                file.write(f"{log_prob:.10g}\t{text}")
                file.write(f"\t{back_off:.10g}\n" if back_off else "\n")
            begin += len(texts)
        file.write("\n\\end\\\n")


def _texts(model: NGramModel) -> Iterator[list[str]]:
    """The n-grams of each length, in the order of their numbers."""
    size = len(model.vocabulary)
    texts = list(model.vocabulary)
    yield texts
    first = at = 0
    for shorter, longer in pairwise(model.sizes):
        keys = model.keys[at : at + longer].tolist()
        texts = [f"{texts[key // size - first]} {model.vocabulary[key % size]}" for key in keys]
        yield texts
        first, at = first + shorter, at + longer


# --- reading ------------------------------------------------------------------------------------


def read_arpa(path: str | os.PathLike[str]) -> NGramModel:
    """Read a model that any tool has written.

    Where the file lacks ``<unk>`` or ``<s>``, that has the probability "never"; ``<UNK>`` is read
    as ``<unk>``. Raises ``ValueError`` with the line where the file is damaged, and ``OSError`` if
    it cannot be opened.
    """
    with open(path, "rb") as file:
        words, sections = read_sections(os.fspath(path), file)
    if UNKNOWN not in words:
        words = [UNKNOWN if word == UNKNOWN.upper() else word for word in words]
    vocabulary = (*MARKS, *sorted(set(words).difference(MARKS)))
    place = {word: number for number, word in enumerate(vocabulary)}
    final = np.array([place[word] for word in words])
    sections = [section._replace(rows=final[section.rows]) for section in sections]
    whole = [_with(sections[0], np.arange(len(vocabulary))[:, None])]
    for n in range(2, len(sections) + 1):
        contexts = [longer.rows[:, :n] for longer in sections[n - 1 :]]
        whole.append(_with(sections[n - 1], np.concatenate(contexts)))
    np.nan_to_num(whole[0].log_probs, copy=False, nan=NEVER)
    return _model(vocabulary, whole)


def _with(section: Section, more: np.ndarray) -> Section:
    """A section in ascending order, and with these rows; their probabilities are NaN for now."""
    rows, at = distinct(section.rows, more)
    log_probs, back_offs = np.full(len(rows), np.nan), np.zeros(len(rows))
    log_probs[at], back_offs[at] = section.log_probs, section.back_offs
    return Section(rows, log_probs, back_offs)


def _model(vocabulary: tuple[str, ...], sections: Sequence[Section]) -> NGramModel:
    """The model of complete sections; what is NaN becomes what backing off gives."""
    keys, contexts = trie([section.rows for section in sections], len(vocabulary))
    sizes = tuple(len(section.rows) for section in sections)
    log_probs = np.concatenate([section.log_probs for section in sections])
    back_offs = np.concatenate([np.empty(0), *(section.back_offs for section in sections[:-1])])
    model = NGramModel(vocabulary, sizes, keys, log_probs, back_offs)
    begin = sizes[0]
    for shorter, section, above in zip(sections, sections[1:], contexts[1:]):
        for i in np.flatnonzero(np.isnan(section.log_probs)).tolist():
            *context, word = section.rows[i].tolist()
            back_off = float(shorter.back_offs[above[i]])
            log_probs[begin + i] = back_off + model.log_prob(context[1:], word)
        begin += len(section.rows)
    return model
