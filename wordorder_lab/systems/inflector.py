"""An inflector for a treebank: counts of its training part, and English lists where there are any.

``score`` says how good one is, on trees whose words are known.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from wordorder_lab.corpora.inflection_lists import inflection_lists
from wordorder_lab.inflection.candidates import Inflector
from wordorder_lab.inflection.counted_forms import CountedForms
from wordorder_lab.structures.lemma_tree import LemmaNode, LemmaTree


@dataclass(frozen=True)
class InflectionScore:
    """Shares between 0 and 1, over ``words`` words.

    ``forms`` is how many candidates a lemma has. ``among`` is how often the right one is among
    them, ``first`` how often it is the first, both whatever the capitals are; ``among_cased`` and
    ``first_cased`` where capitals count, that of the first word of a sentence excepted.
    ``missed`` has tag, lemma, right form and candidates of what is not among them.
    """

    words: int
    forms: float
    among: float
    among_cased: float
    first: float
    first_cased: float
    missed: tuple[tuple[tuple[str, str, str, str], int], ...]


def learn_inflector(
    trees: Iterable[LemmaTree],
    *,
    english: bool = True,
    lists: bool = True,
    data: str | os.PathLike[str] | None = None,
) -> Inflector:
    """The inflector of a treebank: its counts, and in English (``lists``) the free lists.

    Raises ``ValueError`` for trees whose words are not known, ``CorpusError`` where the lists are
    wanted and not there.
    """
    known = inflection_lists(data) if english and lists else {}
    return Inflector(CountedForms(trees, tags_decide=english), known, english)


def score(inflector: Inflector, trees: Sequence[LemmaTree]) -> InflectionScore:
    """How many candidates there are, and how often the right one is among them, or the first.

    Raises ``ValueError`` for trees whose words are not known, and for no words at all.
    """
    counts = Counter[str]()
    missed = Counter[tuple[str, str, str, str]]()
    for tree in trees:
        for node, forms in zip(tree.nodes, inflector.forms(tree), strict=True):
            if node.form is None:
                raise ValueError(f"{tree.name or 'a tree'} has nodes without their words")
            right = _right(node, forms)
            counts.update(words=1, forms=len(forms))
            counts.update(name for name, is_so in right.items() if is_so)
            if not right["among"]:
                missed[node.xpos or node.upos, node.lemma, node.form, " ".join(forms)] += 1
    if not counts["words"]:
        raise ValueError("there are no words to be scored on")
    shares = ("forms", "among", "among_cased", "first", "first_cased")
    values = {name: counts[name] / counts["words"] for name in shares}
    return InflectionScore(counts["words"], **values, missed=tuple(missed.most_common()))


def _right(node: LemmaNode, forms: Sequence[str]) -> dict[str, bool]:
    form = node.form or ""
    small = [candidate.lower() for candidate in forms]
    cased = [c[:1].upper() + c[1:] if node.position == 0 else c for c in forms]
    exact = form in (cased if node.position == 0 else forms) or form in forms
    return {
        "among": form.lower() in small,
        "among_cased": exact,
        "first": form.lower() == small[0],
        "first_cased": form in (cased[0], forms[0]),
    }
