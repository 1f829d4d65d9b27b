"""Penn Treebank trees to projective, unlabelled dependencies by head rules.

The recipe of Penn2Malt, which the papers used: drop the traces, find the head child of every
phrase by a head table, and let the heads of the other children depend on the head's head. As
phrases are unbroken, every tree that comes out is projective and has one root.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from wordorder_lab.corpora.readers.base_np import is_tagged_word, with_base_nps, without_traces
from wordorder_lab.structures.head_rules import YAMADA_MATSUMOTO, HeadTable
from wordorder_lab.structures.sentence import ROOT, Sentence, Token

if TYPE_CHECKING:
    from nltk.tree import Tree


def to_sentence(
    tree: Tree, units: str = "words", min_np_words: int = 1, name: str = ""
) -> Sentence | None:
    """The sentence of a Penn tree, or ``None`` if the tree holds traces only.

    With ``units="base-np"``, base NPs of at least ``min_np_words`` words are one token each.
    """
    kept = with_base_nps(tree, min_np_words) if units == "base-np" else without_traces(tree)
    return Sentence(tokens_of(kept), name) if kept is not None else None


def tokens_of(tree: Tree, table: HeadTable = YAMADA_MATSUMOTO) -> tuple[Token, ...]:
    """The leaves of a tree without traces, each with its tag and its head by ``table``."""
    leaves: list[tuple[tuple[str, ...], str]] = []
    heads: list[int] = []

    def visit(node: Tree) -> int:
        """Give every word below ``node`` its head, except the head word, which is returned."""
        if is_tagged_word(node):
            word = node[0]
            leaves.append((word if isinstance(word, tuple) else (word,), node.label()))
            heads.append(ROOT)
            return len(leaves) - 1
        positions = [visit(child) for child in node]
        head = positions[table.head(node.label(), [child.label() for child in node])]
        for position in positions:
            if position != head:
                heads[position] = head
        return head

    visit(tree)
    return tuple(Token(words, tag, head) for (words, tag), head in zip(leaves, heads, strict=True))
