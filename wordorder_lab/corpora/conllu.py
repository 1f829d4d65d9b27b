"""CoNLL-U, the format of Universal Dependencies: ten columns a word, a blank line a sentence.

Ranges (``3-4``) and empty nodes (``3.1``) are skipped: the units are the syntactic words. The tag
is the language's own (XPOS) if every word of the file has one, else the universal one (UPOS).
Non-projective sentences are counted and left out, since no system here can build them.

The ``conllu`` library reads the sentences. It is lenient and does not say in which line a file is
broken, so a file is first cut into sentences with their line numbers, and each word is checked.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import conllu

from wordorder_lab.corpora.corpus import CorpusError, Part, progress
from wordorder_lab.corpora.files import AnyPath, read_text
from wordorder_lab.structures.sentence import Sentence, Token
from wordorder_lab.structures.trees import is_projective, tree_problem

NON_PROJECTIVE = "non-projective"

_AS_IT_IS = dict.fromkeys(("head", "feats", "deps", "misc"), lambda line, i: line[i])
"""Columns that the library shall not take apart: HEAD because we say what is wrong with it."""

Row = tuple[int, str, str, str, str]
"""The number of a line, and what is used of its columns: FORM, UPOS, XPOS, HEAD."""


def read_conllu(files: Sequence[AnyPath]) -> Part:
    """The projective sentences of one or more files, named ``file:number``, from 1 a file.

    Raises ``CorpusError`` with file and line for a wrong number of columns, a bad ID or HEAD,
    heads that form no tree, and a file without sentences.
    """
    sentences: list[Sentence] = []
    left_out: list[tuple[int, str]] = []
    for path in files:
        part = parse_conllu(read_text(path), str(path), path.name.removesuffix(".gz"))
        left_out += [(len(sentences) + place, why) for place, why in part.left_out]
        sentences += part.sentences
    return Part(tuple(sentences), tuple(left_out))


def parse_conllu(text: str, source: str, name: str = "") -> Part:
    """The projective sentences of a text; ``source`` names it in errors, ``name`` in sentences."""
    blocks = list(_blocks(text, source))
    if not blocks:
        raise CorpusError(f"{source} holds no sentences: give a CoNLL-U file")
    has_xpos = all(xpos != "_" for rows in blocks for _, _, _, xpos, _ in rows)
    sentences: list[Sentence] = []
    left_out: list[tuple[int, str]] = []
    for number, rows in enumerate(progress(blocks, f"reading {name}", few=3000), start=1):
        heads = _heads(rows, source)
        if is_projective(heads):
            tokens = tuple(
                Token((form,), xpos if has_xpos else upos, head)
                for (_, form, upos, xpos, _), head in zip(rows, heads)
            )
            sentences.append(Sentence(tokens, f"{name}:{number}"))
        else:
            left_out.append((len(sentences), NON_PROJECTIVE))
    return Part(tuple(sentences), tuple(left_out))


def _blocks(text: str, source: str) -> Iterator[list[Row]]:
    """The words of every sentence, checked one by one."""
    lines: list[tuple[int, str]] = []
    for number, line in enumerate([*text.split("\n"), ""], start=1):
        line = line.rstrip("\r")
        if line and not line.startswith("#"):
            lines.append((number, line))
        elif not line and lines:
            yield _rows(lines, source)
            lines = []


def _rows(lines: list[tuple[int, str]], source: str) -> list[Row]:
    """The words of one sentence; ranges and empty nodes are left out."""
    for number, line in lines:
        columns = line.count("\t") + 1
        if columns != 10:
            found = f"{columns} column{'s' * (columns != 1)}"
            what = f"ten columns with tabs between them are needed, not {found}"
            raise _error(number, source, what)
    try:
        tokens = conllu.parse("\n".join(line for _, line in lines), field_parsers=_AS_IT_IS)[0]
    except conllu.exceptions.ParseException as error:
        raise _error(lines[0][0], source, f"in the sentence that begins here: {error}") from None
    rows: list[Row] = []
    for (number, _), token in zip(lines, tokens, strict=True):
        if isinstance(token["id"], tuple):
            continue
        if token["id"] != len(rows) + 1:
            what = f"the ID of this word should be {len(rows) + 1}, not '{token['id']}'"
            raise _error(number, source, what)
        if not token["form"]:
            raise _error(number, source, "the word (column FORM) is empty")
        upos, xpos = token["upos"] or "_", token["xpos"] or "_"
        rows.append((number, token["form"], upos, xpos, token["head"]))
    return rows


def _heads(rows: list[Row], source: str) -> list[int]:
    """The heads counted from 0, the root as -1; checked to be a tree."""
    heads = [_head(head, len(rows), number, source) for number, _, _, _, head in rows]
    if problem := tree_problem(heads):
        number = rows[0][0]
        what = f"the heads of the sentence that begins here are no tree: {problem} (from unit 0)"
        raise _error(number, source, what)
    return heads


def _head(text: str, length: int, number: int, source: str) -> int:
    if text.isascii() and text.isdigit() and int(text) <= length:
        return int(text) - 1
    what = f"HEAD is {text!r}, but should be 0 for the root or the ID of a word, 1 to {length}"
    raise _error(number, source, what)


def _error(number: int, source: str, what: str) -> CorpusError:
    return CorpusError(f"line {number:,} of {source}: {what}")
