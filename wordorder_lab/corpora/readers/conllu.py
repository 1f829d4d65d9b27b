"""CoNLL-U, the format of Universal Dependencies: ten columns a word, a blank line a sentence.

Ranges (``3-4``) and empty nodes (``3.1``) are skipped: the units are the syntactic words. The tag
is the language's own (XPOS) if every word of the file has one, else the universal one (UPOS). The
label of the arc to the head is DEPREL. Non-projective sentences are counted and left out, since no
system here can build them.

The ``conllu`` library reads the sentences. It is lenient and does not say in which line a file is
broken, so a file is first cut into sentences with their line numbers, and each word is checked.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from wordorder_lab.corpora.readers.corpus import CorpusError, Part, error_at, joined, progress
from wordorder_lab.corpora.readers.files import AnyPath, read_text
from wordorder_lab.structures.messages import cited, unfit_character
from wordorder_lab.structures.sentence import Sentence, Token
from wordorder_lab.structures.trees import is_projective, tree_problem

NON_PROJECTIVE = "non-projective"

_AS_IT_IS = dict.fromkeys(("head", "feats", "deps", "misc"), lambda line, i: line[i])
"""Columns that the library shall not take apart: HEAD because we say what is wrong with it."""

_USED = ("upos", "xpos", "head", "misc", "lemma", "feats", "deprel")

_ID = re.compile(r"[0-9]{1,9}([-.][0-9]{1,9})?\t")


class Row(NamedTuple):
    """The number of a line, and what is used of its columns; what is not known is ``_``."""

    line: int
    form: str
    upos: str
    xpos: str
    head: str
    misc: str
    lemma: str
    feats: str
    deprel: str

    @property
    def label(self) -> str:
        """The label of the arc to the head; empty where it is not known."""
        return "" if self.deprel == "_" else self.deprel


def read_conllu(files: Sequence[AnyPath], universal: bool = False) -> Part[Sentence]:
    """The projective sentences of files, named ``file:number``, from 1 a file; with UPOS if
    ``universal``. Raises ``CorpusError`` with file and line for a wrong number of columns, a bad ID
    or HEAD, heads that form no tree, and a file without sentences."""
    return joined(
        parse_conllu(
            read_text(path, unfit=True),  # comments may hold anything
            str(path),
            path.name.removesuffix(".gz"),
            universal,
        )
        for path in files
    )


def parse_conllu(text: str, source: str, name: str = "", universal: bool = False) -> Part[Sentence]:
    """The projective sentences of a text; ``source`` names it in errors, ``name`` in sentences."""
    documents: list[str] = []
    blocks = list(read_rows(text.split("\n"), source, documents))
    if not blocks:
        raise CorpusError(f"{source} holds no sentences: give a CoNLL-U file")
    has_xpos = not universal and all(row.xpos != "_" for rows in blocks for row in rows)

    def sentence(number: int, rows: list[Row]) -> Sentence | None:
        heads = [read_head(row, len(rows), source) for row in rows]
        if problem := tree_problem(heads):
            what = f"the heads of the sentence that begins here are no tree: {problem}"
            raise error_at(rows[0].line, source, f"{what} (from unit 0)")
        if not is_projective(heads):
            return None
        tokens = tuple(
            Token((row.form,), row.xpos if has_xpos else row.upos, head, row.label)
            for row, head in zip(rows, heads)
        )
        return Sentence(tokens, f"{name}:{number}", document=documents[number - 1])

    shown = enumerate(progress(blocks, f"reading {name}", few=3000), start=1)
    return Part.of((sentence(number, rows), NON_PROJECTIVE) for number, rows in shown)


class Block(NamedTuple):
    """What stands between blank lines: where it begins, comments by name, lines with numbers."""

    line: int
    comments: dict[str, str]
    lines: list[tuple[int, str]]


def blocks_of(text: Iterable[str]) -> Iterator[Block]:
    """The blocks of these lines, each as soon as its last line is there."""
    begin, comments, lines = 0, dict[str, str](), list[tuple[int, str]]()
    for number, line in enumerate(chain(text, [""]), start=1):
        line = line.rstrip("\r\n")
        begin = begin or (number if line else 0)
        if line.startswith("#"):
            key, _, value = line[1:].partition("=")
            comments[key.strip()] = value.strip()
        elif line:
            lines.append((number, line))
        elif begin:
            yield Block(begin, comments, lines)
            begin, comments, lines = 0, {}, []


def read_rows(
    text: Iterable[str], source: str, documents: list[str] | None = None
) -> Iterator[list[Row]]:
    """The words of each sentence, as soon as its lines are there; ``CorpusError`` with the line.
    ``documents``, if given, grows by the document of each: the last ``# newdoc id``, or none."""
    document = ""
    for block in blocks_of(text):
        document = block.comments.get("newdoc id", document)
        if block.lines:
            if documents is not None:
                documents.append(document)
            yield words_of(block.lines, source)


def words_of(lines: list[tuple[int, str]], source: str) -> list[Row]:
    """The words of one sentence, given its lines with their numbers, without comments."""
    import conllu

    for number, line in lines:
        _check_line(number, line, source)
    # The library would take two spaces for a tab.
    text = "\n".join(re.sub(" +", " ", line) for _, line in lines)
    try:
        tokens = conllu.parse(text, field_parsers=_AS_IT_IS)[0]
    except conllu.exceptions.ParseException as error:
        raise error_at(lines[0][0], source, f"in the sentence that begins here: {error}") from None
    rows: list[Row] = []
    for (number, _), token in zip(lines, tokens, strict=True):
        if isinstance(token["id"], tuple):
            continue
        if token["id"] != len(rows) + 1:
            raise error_at(number, source, _wrong_id(token["id"], token["form"], len(rows) + 1))
        if not token["form"].strip(" "):
            raise error_at(number, source, "the word (column FORM) is empty")
        rows.append(Row(number, token["form"], *(token.get(name) or "_" for name in _USED)))
    if not rows:
        raise error_at(lines[0][0], source, "the sentence that begins here has no words")
    return rows


def _check_line(number: int, line: str, source: str) -> None:
    columns, found = line.count("\t") + 1, unfit_character(line)
    if columns != 10:
        counted = f"{columns} column{'s' * (columns != 1)}"
        what = f"ten columns with tabs between them are needed, not {counted}"
    elif re.search("[\ud800-\udfff]", line):
        what = "this is not UTF-8 text"
    elif found:
        what = found[1]
    elif not _ID.match(line):
        given = cited(line.partition("\t")[0])
        what = f"the ID of this word should be a number, not {given}"
    else:
        return
    raise error_at(number, source, what)


def _wrong_id(given: int, form: str, wanted: int) -> str:
    if 1 <= given < wanted:
        return (
            f"this is a second line for word {given} ({cited(form)}): a word has one line and one "
            f"head; if this is the next word, its ID should be {wanted}"
        )
    return f"the ID of this word should be {wanted}, not '{given}'"


def read_head(row: Row, length: int, source: str, otherwise: str = "") -> int:
    """The head counted from 0, the root as -1; ``CorpusError`` ends with ``otherwise``."""
    if re.fullmatch("[0-9]{1,9}", row.head) and int(row.head) <= length:
        return int(row.head) - 1
    wanted = f"0 for the root or the ID of a word, 1 to {length}{otherwise}"
    raise error_at(row.line, source, f"HEAD is {cited(row.head)}, but should be {wanted}")
