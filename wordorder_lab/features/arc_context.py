"""What stands where in a new edge of the dependency system: the slots of Table 2.

Zhang & Clark 2015, section 4.2 and Table 2.

    the root of the new edge is h; the word of the other part that depends on h is m
    dependency syntax:   h, m and the words around them; h and size alone for a leaf
    completed words:     m, for nothing is attached to it any more; in a goal the root too
    surface patterns:    B-2 B-1 | B B+1 around the boundary of the two parts; not for a leaf
    complete sentences:  the first three words and the last three; for a goal alone

Differences. An empty slot silences the templates that look at it; the example column's ``-END-``
stands in none of ours. The paper gives two examples that contradict their templates:
``(VBD, NNP, NN, -END-, right)`` has the tags of h+1 and m+1, and ``(VBD, NNP, NN)`` the last three
tags in surface order. ``b`` gives one feature for each different tag between h and m. The sign of
``dist`` stays beside its normalized size; valencies are normalized as well.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from wordorder_lab.features.edge_notation import COMPLETED, DEPENDENCY, SENTENCE, SLOTS, SURFACE
from wordorder_lab.structures.problem import Item
from wordorder_lab.structures.sentence import ROOT

Pair = tuple[str, str]
EdgeContext = Mapping[str, Pair | int | str | frozenset[str] | None]
"""What stands in each slot of a section: (word, tag), a number, a set of tags (``b``), or None; in
CCG also the text of a category or a rule."""

LEFT, RIGHT = 0, 1
"""The direction of an arc: where the dependent stands."""


def norm(number: int) -> int:
    """NORM of Table 2: 0 to 5 as they are, up to 10 as 6, up to 20 as 7, up to 40 as 8, then 9."""
    if number <= 5:
        return number
    return 6 if number <= 10 else 7 if number <= 20 else 8 if number <= 40 else 9


def contexts(
    items: Sequence[int],
    heads: Sequence[int],
    left_size: int,
    problem_items: Sequence[Item],
    goal: bool,
) -> list[tuple[str, EdgeContext]]:
    """The sections that see this edge, in order of evaluation, each with the content of its slots.

    ``items`` in surface order, ``heads`` the positions of their heads (the root's is ``ROOT``), the
    first ``left_size`` of them from the left part; 0 says that the edge is a leaf.
    """
    words = [(problem_items[item].word, problem_items[item].pos) for item in items]
    root = heads.index(ROOT)
    found: list[tuple[str, EdgeContext]] = []
    if left_size:
        m = _new_dependent(heads, root, left_size)
        found.append((DEPENDENCY, _dependency(words, heads, root, m)))
        found.append((COMPLETED, _completed(words, heads, m)))
    else:
        found.append((DEPENDENCY, _leaf(words[root])))
    if goal:
        found.append((COMPLETED, _completed(words, heads, root)))
    if left_size:
        found.append((SURFACE, _surface(words, left_size)))
    if goal:
        found.append((SENTENCE, _sentence(words)))
    return found


def _new_dependent(heads: Sequence[int], root: int, left_size: int) -> int:
    """The root of the part in which the new edge's root is not: it alone depends on that root."""
    other = range(left_size, len(heads)) if root < left_size else range(left_size)
    return next(i for i in other if heads[i] == root)


def _leaf(word: Pair) -> EdgeContext:
    return {**dict.fromkeys(SLOTS[DEPENDENCY]), "h": word, "size": norm(1)}


def _dependency(words: Sequence[Pair], heads: Sequence[int], h: int, m: int) -> EdgeContext:
    left = m < h
    step = 1 if left else -1  # from m towards h
    siblings = [i for i in range(m + step, h, step) if heads[i] == h][:2]
    below = [i for i, head in enumerate(heads) if head == m]
    return {
        "h": words[h],
        "m": words[m],
        "s": words[siblings[0]] if siblings else None,
        "s2": words[siblings[1]] if len(siblings) == 2 else None,
        "m_l": words[below[0]] if below and below[0] < m else None,
        "m_r": words[below[-1]] if below and below[-1] > m else None,
        "h-1": words[h - 1] if left else None,
        "h+1": words[h + 1] if not left else None,
        "m-1": words[m - 1] if not left else None,
        "m+1": words[m + 1] if left else None,
        "b": frozenset(tag for _, tag in words[min(h, m) + 1 : max(h, m)]) or None,
        "size": norm(len(words)),
        "dir": LEFT if left else RIGHT,
        "dist": norm(h - m) if left else -norm(m - h),
    }


def _completed(words: Sequence[Pair], heads: Sequence[int], h: int) -> EdgeContext:
    below = [i for i, head in enumerate(heads) if head == h]
    left = [i for i in below if i < h]
    right = [i for i in below if i > h]
    return {
        "h": words[h],
        "h_l": words[left[0]] if left else None,
        "h_r": words[right[-1]] if right else None,
        "LVAL": norm(len(left)),
        "RVAL": norm(len(right)),
    }


def _surface(words: Sequence[Pair], boundary: int) -> EdgeContext:
    return {
        "B-2": words[boundary - 2] if boundary >= 2 else None,
        "B-1": words[boundary - 1],
        "B": words[boundary],
        "B+1": words[boundary + 1] if boundary + 1 < len(words) else None,
    }


def _sentence(words: Sequence[Pair]) -> EdgeContext:
    first = [*words[:3], None, None][:3]
    last = [*words[:-4:-1], None, None][:3]
    return dict(zip(SLOTS[SENTENCE], [*first, *last], strict=True))
