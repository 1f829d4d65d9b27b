"""Trees of lemmas from CoNLL-U: a treebank, or the inputs of the surface realization tasks.

A task's file (T1 of SR'18, SR'20) has the lemma in column 2 and ``_`` in column 3; its nodes are
shuffled, and ``lin=-1`` among the features says where some of them stand (``LemmaNode.rank``). In
a treebank the word stands in column 2 and the lemma in column 3, and the order of the lines is that
of the sentence; so the nodes know their word and their place.

With ``skip_bad`` a sentence that is broken is left out, with the line and the reason, and reading
goes on after the blank line that ends it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import get_close_matches

from wordorder_lab.corpora.readers.conllu import Block, Row, blocks_of, read_head, words_of
from wordorder_lab.corpora.readers.corpus import CorpusError, Part, error_at, joined, progress
from wordorder_lab.corpora.readers.files import AnyPath, read_text
from wordorder_lab.structures.lemma_tree import Features, LemmaNode, LemmaTree, parse_features
from wordorder_lab.structures.messages import cited

LABELS = frozenset(
    "acl advcl advmod amod appos aux case cc ccomp clf compound conj cop csubj dep det discourse "
    "dislocated expl fixed flat goeswith iobj list mark nmod nsubj nummod obj obl orphan parataxis "
    "punct reparandum root vocative xcomp".split()
)
"""The relations of Universal Dependencies; a subtype, as in ``obl:tmod``, may be any."""
FEATURES = frozenset(
    "Abbr AdpType Animacy Aspect Case Clusivity ConjType Definite Degree Deixis DeixisRef Evident "
    "ExtPos Foreign Gender Hyph Mood NounClass NumForm NumType Number PartType Person Polarity "
    "Polite Poss PronType PunctType Reflex Style Tense Typo Variant VerbForm VerbType Voice".split()
)
"""Features that are known; ``Number[psor]`` is one of the layers of ``Number``."""
LIN = "lin"
_RANK = re.compile(r"[+-]?0*[1-9]\d{0,8}")


def read_lemma_trees(files: Sequence[AnyPath], skip_bad: bool = False) -> Part[LemmaTree]:
    """The trees of files, non-projective ones too, named by ``sent_id`` or number. Raises
    ``CorpusError`` with file and line for what is no sentence, unless ``skip_bad`` leaves it out,
    and for a file without a good one."""
    return joined(
        parse_lemma_trees(
            read_text(path, unfit=skip_bad), str(path), path.name.removesuffix(".gz"), skip_bad
        )
        for path in files
    )


def parse_lemma_trees(
    text: str, source: str, name: str = "", skip_bad: bool = False, any_names: bool = False
) -> Part[LemmaTree]:
    """The trees of a text; ``source`` names it in errors, ``name`` in trees without an id; with
    ``any_names`` labels and features may be such as Universal Dependencies do not have."""
    trees: list[LemmaTree] = []
    left_out: list[tuple[int, str]] = []
    blocks = list(blocks_of(text.split("\n")))
    columns = (line.split("\t") for block in blocks for _, line in block.lines)
    of_task = all(len(row) < 3 or row[2] == "_" for row in columns)
    for number, block in enumerate(progress(blocks, f"reading {name}", few=3000), start=1):
        try:
            trees.append(_tree(block, source, f"{name}:{number}", of_task, any_names))
        except CorpusError as error:
            if not skip_bad:
                raise
            left_out.append((len(trees), str(error)))
    if not trees:
        first = f": {left_out[0][1]}" if left_out else ", give a CoNLL-U file"
        raise CorpusError(f"{source} holds no trees of lemmas{first}")
    return Part(tuple(trees), tuple(left_out))


def _tree(
    block: Block, source: str, name: str, of_task: bool, any_names: bool = False
) -> LemmaTree:
    if not block.lines:
        what = "the sentence that begins here is empty: it has no words"
        raise error_at(block.line, source, what)
    rows = words_of(block.lines, source)
    if not any_names:
        for row in rows:
            _check_names(row, source)
    nodes = tuple(_node(row, i, len(rows), source, of_task) for i, row in enumerate(rows))
    reference = () if of_task else tuple(row.form for row in rows)
    called = block.comments.get("sent_id") or name
    tree = LemmaTree(nodes, called, reference, block.comments.get("text", ""), block.line)
    if problem := tree.problem():
        which = "; units count from 0, so unit 0 has ID 1" if problem.startswith("unit") else ""
        what = f"the heads of the sentence that begins here are no tree: {problem}{which}"
        raise error_at(rows[0].line, source, what)
    return tree


def _node(row: Row, place: int, length: int, source: str, of_task: bool) -> LemmaNode:
    lemma = row.form if of_task else row.lemma
    if lemma == "_" and not of_task and (row.form == "_" or row.deprel == "goeswith"):
        lemma = row.form  # the later parts of a word that is written apart have no lemma
    elif lemma == "_" and row.upos not in ("PUNCT", "SYM"):
        column = "FORM, where these files have it" if of_task else "LEMMA"
        raise error_at(row.line, source, f"the lemma (column {column}) is missing")
    features, rank = _features(row, source)
    xpos = "" if row.xpos == "_" else row.xpos
    head = read_head(row, length, source)
    known = (None, None) if of_task else (row.form, place)
    return LemmaNode(lemma, row.upos, xpos, features, row.deprel, head, rank, *known)


def _features(row: Row, source: str) -> tuple[Features, int | None]:
    try:
        features = dict(parse_features(row.feats))
    except ValueError as error:
        raise error_at(row.line, source, str(error)) from None
    rank = features.pop(LIN, None)
    if rank is not None and not _RANK.fullmatch(rank):
        raise error_at(row.line, source, f"lin is {cited(rank)}, but should be as -1 or +2")
    return tuple(features.items()), None if rank is None else int(rank)


def _check_names(row: Row, source: str) -> None:
    """Raise ``CorpusError`` for a label or a feature that is none of Universal Dependencies."""
    names = [("label", row.deprel, row.deprel.partition(":")[0], LABELS)]
    for name, _ in _features(row, source)[0]:
        names.append(("feature", name, name.partition("[")[0], FEATURES))
    for kind, name, part, known in names:
        if part not in known:
            close = get_close_matches(name, sorted(known), 1)
            meant = f"; is {close[0]!r} meant?" if close else ""
            raise error_at(row.line, source, f"the {kind} {cited(name)} is not known{meant}")
