r"""CCGbank's ``.auto`` files: derivations on a line each, a line with an ID before them.

The format is that of Hockenmaier & Steedman (2007): ``(<T category head children> ... )`` for a
step, ``(<L category pos original-pos word indexed-category>)`` for a word, everything between
single spaces. A word may hold anything but a space, so nothing is looked for inside it.

A base NP is kept whole as one leaf (``with_base_nps``). Zhang and Clark (2011, section 6) take "as
base NPs the NPs that do not recursively contain other NPs". CCGbank has 216,670 of them where the
Penn Treebank has 242,813.

Differences
- *Our reading*: an NP is a phrase of the category NP with any feature or none, a lexical NP such as
  *it* or the NP[thr] of *there* too. NP[conj] is *and* with its NP; it is no NP, and is never kept
  whole.
- *Our reading*: a unary step from NP to NP adds no words, so the two are one phrase; the upper
  category counts.
- *Paper silent*: what is done to the whole phrase stays a step above the leaf: the raising to
  ``S/(S\NP)``, or the change of *this month* into an adverb.
- *Paper silent*: CCGrebank and parsers trained on it put relative clauses inside: *the man [N\N who
  sings]* is one NP, and so one unit.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

from wordorder_lab.corpora.readers.corpus import CorpusError, error_at
from wordorder_lab.corpora.readers.files import AnyPath, read_text
from wordorder_lab.corpora.readers.penn import BASE_NP
from wordorder_lab.runtime.atomic import replacing
from wordorder_lab.structures.category import Atom, Category, CategoryError
from wordorder_lab.structures.derivation import Derivation
from wordorder_lab.structures.messages import cited
from wordorder_lab.structures.sentence import Token

MAX_DEPTH = 250
"""Steps that may be open at once; CCGbank has some dozens."""

MISPRINTS = {r"((S[b]\NP)/NP)/": r"(S[b]\NP)/NP"}
"""Categories that CCGbank itself misspells (once, in wsj_0595.15), and what is meant."""


@dataclass(frozen=True, slots=True)
class AutoEntry:
    """A derivation with the line above it, which is empty if there is none."""

    header: str
    derivation: Derivation

    @property
    def name(self) -> str:
        """The ID alone: ``"wsj_0001.1"``."""
        match = re.match(r"ID=([^\s,]+)", self.header)
        return match[1] if match else ""


def read_auto(path: AnyPath, *, strict: bool = False) -> list[AutoEntry]:
    """Derivations; ``CorpusError`` with its line, if ``strict`` also for a step of no rule."""
    return parse_auto(read_text(path), str(path), strict=strict)


def parse_auto(text: str, source: str, *, strict: bool = False) -> list[AutoEntry]:
    """The derivations of ``text``, in CCGbank's ``.auto`` format: a header line, then one a line.

    Each entry has a ``name``, the ID of its header, and a ``derivation``. ``source`` names the text
    in errors. With ``strict``, a step that no rule of the grammar allows is an error, too. Raises
    ``CorpusError``, a ``ValueError``, with the line and the character where it went wrong.
    """
    entries: list[AutoEntry] = []
    header, at = "", 0
    for number, line in enumerate(text.split("\n"), start=1):
        line = line.rstrip(" \r")
        if line.startswith("ID="):
            if header:
                raise error_at(at, source, f"no derivation follows {cited(header)}")
            header, at = line, number
        elif line:
            derivation = read_derivation(line, number, source)
            if strict and (problem := derivation.problem()):
                raise error_at(number, source, problem)
            entries.append(AutoEntry(header, derivation))
            header = ""
    if header:
        raise error_at(at, source, f"no derivation follows {cited(header)}: is the file cut off?")
    if not entries:
        raise CorpusError(f"{source} holds no derivations: give a file in CCGbank's .auto format")
    return entries


def write_auto(path: Path, entries: Iterable[AutoEntry]) -> None:
    """Write a file that ``read_auto`` reads back equal. Raises ``OSError`` where it cannot be."""
    with replacing(path) as temporary:
        temporary.write_bytes(format_auto(entries).encode("utf-8"))


def format_auto(entries: Iterable[AutoEntry]) -> str:
    """The entries as the text of a file."""
    pairs = ((entry.header, format_derivation(entry.derivation)) for entry in entries)
    return "".join(f"{line}\n" for pair in pairs for line in pair if line)


def format_derivation(derivation: Derivation) -> str:
    """A derivation on one line, as in CCGbank; ``ValueError`` for a leaf with a space in it."""
    category, word, pos = derivation.category, derivation.word, derivation.pos
    if derivation.children:
        children = " ".join(map(format_derivation, derivation.children))
        return f"(<T {category} {derivation.head} {len(derivation.children)}> {children} )"
    if not word or set(word) & {" ", "\n"}:
        raise ValueError(f"an .auto file cannot hold the leaf {cited(word)}: one word each")
    original, indexed = derivation.original_pos or pos, derivation.indexed or category
    return f"(<L {category} {pos} {original} {word} {indexed}>)"


class _Broken(ValueError):
    """What is wrong with a line; whoever catches it knows the place."""


@dataclass(slots=True)
class _Open:
    """A step whose children are still being read."""

    category: Category
    head: int
    size: int
    children: list[Derivation] = field(default_factory=list)

    def closed(self) -> Derivation:
        count = len(self.children)
        if count != self.size:
            raise _Broken(f"a step to {self.category} says {self.size} children and has {count}")
        return Derivation(self.category, tuple(self.children), self.head)


def read_derivation(line: str, number: int, source: str) -> Derivation:
    """The derivation of one line. Raises ``CorpusError`` with source, line and character."""
    fields = line.split(" ")
    steps: list[_Open] = []
    done: list[Derivation] = []
    at = 0
    try:
        while at < len(fields):
            if done:
                raise _Broken("the derivation is complete, and more follows")
            at += _read_one(fields, at, steps, done)
        if steps:
            raise _Broken(f"brackets that are not closed: {len(steps)}; is the line cut off?")
    except (_Broken, CategoryError) as error:
        place = min(len(line), 1 + sum(len(text) + 1 for text in fields[:at]))
        raise error_at(number, source, f"character {place:,}: {error}") from None
    return done[0]


def _read_one(fields: list[str], at: int, steps: list[_Open], done: list[Derivation]) -> int:
    """Read what begins at a field: a word, the start of a step or its end; how many fields."""
    if fields[at] == "(<T":
        if len(steps) == MAX_DEPTH:
            raise _Broken(f"more than {MAX_DEPTH} brackets are open")
        steps.append(_opened(fields[at + 1 : at + 4]))
        return 4
    if fields[at] == "(<L":
        node, read = _leaf(fields[at + 1 : at + 6]), 6
    elif fields[at] != ")":
        raise _Broken(
            f"(<T, (<L or a closing bracket should stand here, not {cited(fields[at][:40])}"
        )
    elif not steps:
        raise _Broken("a closing bracket too many")
    else:
        node, read = steps.pop().closed(), 1
    (steps[-1].children if steps else done).append(node)
    return read


def _leaf(fields: list[str]) -> Derivation:
    if len(fields) < 5 or not fields[4].endswith(">)") or not all(fields):
        given = " ".join(fields)[:60]
        raise _Broken(f"a word is written (<L category pos pos word category>), not (<L {given}")
    text, pos, original, word, indexed = fields
    category, indexed = Category.parse(MISPRINTS.get(text, text)), indexed.removesuffix(">)")
    return Derivation(
        category,
        word=word,
        pos=pos,
        original_pos="" if original == pos else original,
        indexed="" if indexed == category.text else indexed,
    )


def _opened(fields: list[str]) -> _Open:
    if len(fields) < 3 or fields[1] not in ("0", "1") or fields[2] not in ("1>", "2>"):
        given = " ".join(fields)[:60]
        raise _Broken(f"a step is written (<T category head children>, not (<T {given}")
    head, size = int(fields[1]), int(fields[2][0])
    if head >= size:
        raise _Broken(f"{fields[0]} has {size} child and says that child {head} is its head")
    return _Open(Category.parse(MISPRINTS.get(fields[0], fields[0])), head, size)


Span = tuple[int, int]
"""Place of the first word, and of the one behind the last."""


def with_base_nps(derivation: Derivation, min_words: int = 1) -> Derivation:
    """A copy with each base NP of ``min_words`` or more words as a single leaf, tagged ``NP``."""
    long = [span for span in base_np_spans(derivation) if span[1] - span[0] >= min_words]
    whole = with_units(derivation, long)
    assert whole is not None  # the spans are its own
    return whole


def spans(derivation: Derivation) -> Iterator[tuple[Derivation, Span]]:
    """Every node with its place, children first."""
    open_spans: list[Span] = []
    at = 0
    for node in derivation.nodes():
        first = len(open_spans) - len(node.children)
        parts = open_spans[first:]
        span = (parts[0][0], parts[-1][1]) if node.children else (at, at + 1)
        at = max(at, span[1])
        open_spans[first:] = [span]
        yield node, span


def base_np_spans(derivation: Derivation) -> list[Span]:
    """Where the NPs are that contain no other NP, left to right."""
    found: list[Span] = []
    for node, span in spans(derivation):
        holds_np = bool(found) and found[-1][0] >= span[0]
        if is_np(node.category) and not holds_np:
            found.append(span)
    return found


def with_units(derivation: Derivation, units: Collection[Span]) -> Derivation | None:
    """A copy with the words of each span as a single leaf, tagged ``NP``; spans do not overlap. The
    leaf has the topmost NP, or where there is none, as for *the clinic 's*, the lowest category
    that covers the span; ``None`` if a span is no phrase."""
    words, wanted = derivation.words(), set(units)
    done: list[Derivation] = []
    for node, span in spans(derivation):
        copy = node
        if node.children:
            first = len(done) - len(node.children)
            copy = Derivation(node.category, tuple(done[first:]), node.head)
            del done[first:]
        if span in wanted and (len(node.children) != 1 or is_np(node.category)):
            copy = Derivation.leaf(" ".join(words[slice(*span)]), BASE_NP, node.category)
        done.append(copy)
    count = len(words) - sum(end - start - 1 for start, end in wanted)
    return done[0] if len(done[0].leaves()) == count else None


def over_tokens(derivation: Derivation, tokens: Sequence[Token]) -> Derivation | None:
    """A copy with a leaf for each token of its sentence, or ``None`` where a unit is no phrase."""
    ends = [0]
    for token in tokens:
        ends.append(ends[-1] + len(token.words))
    tags = [leaf.pos for leaf in derivation.leaves()]
    pairs = zip(tokens, pairwise(ends), strict=True)
    kept = [span for token, span in pairs if len(token.words) > 1 or token.pos != tags[span[0]]]
    return with_units(derivation, kept)


def is_np(category: Category) -> bool:
    """Whether a phrase of this category is an NP."""
    return isinstance(category, Atom) and category.name == "NP"
