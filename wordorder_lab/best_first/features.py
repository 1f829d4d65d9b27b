"""Features of an edge, and their weights added up: the readable extractor of best-first systems.

Zhang & Clark 2015, section 4.2: Phi(e) holds the features of the top action of e, phi(e), and those
of its sub-edges. This file gives phi(e), group by group, and phi(e) . theta.

    for each section that sees the edge, in order:
        for each group of the section, in order:
            the features of its templates, in order
    phi(e) . theta  =  the groups added from left to right, each of them added up first

A feature is a tuple: the template's index, then its values, ``(3, "bought", "VBD", 1)``. What
stands in the slots of a section depends on the grammar:

    Table 2, dependencies (``contexts``): the root of the new edge is h; the word of the other part
    that depends on h is m
      dependency syntax:   h, m and the words around them; h and size alone for a leaf
      completed words:     m, for nothing is attached to it any more; in a goal the root too
      surface patterns:    B-2 B-1 | B B+1 around the boundary of the two parts; not for a leaf
      complete sentences:  the first three words and the last three; for a goal alone

    Table 1, CCG (``constituent_contexts``)
      all edges            category, size in words, head word
      words > 1            the first two words, the last two
      binary edges         rule, head word, the other part's head word; B-2 B-1 | B B+1 around the
                           boundary of the two parts, and C-2 C-1 | C C+1, their lexical categories
      unary edges          rule, head word

Differences
- *Our reading*, section 5: a base NP is an atomic unit. What its word is in a feature, no paper
  says; here it is its last one, with the phrase's tag, in n-grams too: in "led [a team]" the bigram
  over the boundary is (led, team), and "a" is in no feature.
- *Our reading*, Table 1: the size and "#words > 1" count units, so a base NP is one word.
- *Our reading*, Table 2: "completed words" are those that nothing will be attached to any more;
  section 4 does not define them.
- *Our reading*, Table 2: "b = any index between h and m" gives one feature for each different tag.
- *Our reading*, Table 2: NORM is of the absolute value, so the sign of ``dist`` stays beside its
  size; LVAL and RVAL are printed without NORM, and are normalized here as well.
- *Our reading*, section 5.7: "assigning dependency labels in the construction of dependency
  links". The label of an arc is chosen with its dependent's leaf, as its tag is, and seen by the
  features of the arc; so a word without a label in the bag has a leaf for each that it may have. A
  label that is not known silences its templates.
- *Text against figure*, Table 2: two examples contradict their templates, which we follow:
  ``(VBD, NNP, NN, -END-, right)`` has the tags of h+1 and m+1, and ``(VBD, NNP, NN)`` the last
  three tags in surface order.
- *Text against figure*, Table 2: ``-END-`` stands in an example, and no template has it. Here an
  empty slot silences the templates that look at it.
- *Paper silent*: the order of additions. Here it is fixed, so that two engines agree to the last
  bit.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import product
from operator import itemgetter
from typing import Any

from wordorder_lab.best_first.edge import Edge
from wordorder_lab.best_first.templates import (
    ALL,
    ARC_SLOTS,
    BINARY,
    COMPLETED,
    DEPENDENCY,
    LONGER,
    SENTENCE,
    SURFACE,
    UNARY,
    EdgeTemplates,
)
from wordorder_lab.structures.problem import Item
from wordorder_lab.structures.sentence import ROOT
from wordorder_lab.structures.templates import Atom, Feature, Group, Value

BINS = {6: "6-10", 7: "11-20", 8: "21-40", 9: "41+"}
"""What the larger values of NORM stand for."""


def edge_features(
    templates: EdgeTemplates, contexts: Sequence[tuple[str, EdgeContext]]
) -> list[list[Feature]]:
    """phi(e): the features of each group that is evaluated, in order of addition."""
    return [
        group_features(templates, group, context)
        for section, context in contexts
        for group in templates.groups
        if group.section == section
    ]


def group_features(templates: EdgeTemplates, group: Group, context: EdgeContext) -> list[Feature]:
    """The features of one group, template by template; with ``b``, one for each tag, ascending."""
    found: list[Feature] = []
    for index in group.templates:
        atoms = templates.templates[index].atoms
        choices = [_choices(_value(atom, context[atom.slot])) for atom in atoms]
        found += [(templates.first[index], *values) for values in product(*choices)]
    return found


def _value(atom: Atom, content: Content) -> PartOfSlot:
    """What an atom takes of its slot."""
    return content[_part(atom)] if isinstance(content, tuple) else content


def _part(atom: Atom) -> int:
    return PARTS.index(atom.attribute) if atom.attribute in PARTS else 0


def _choices(value: PartOfSlot) -> Sequence[Value]:
    """What a feature may have of it: nothing of an empty slot or text, of tags each."""
    if isinstance(value, frozenset):
        return sorted(value)
    return () if value is None or value == "" else (value,)


def add_up(groups: Sequence[Sequence[Feature]], weight: Callable[[Feature], float]) -> float:
    """phi(e) . theta: each group from left to right, then their sums from left to right."""
    total = 0.0
    for features in groups:
        inside = 0.0
        for feature in features:
            inside += weight(feature)
        total += inside
    return total


class GroupSums:
    """phi(e) . theta under ``weights`` that stay as they are, as ``add_up`` gives it. They have
    every feature of the sentence that is not 0, as a 0 changes no sum: templates of which none is
    there are left out, and what the others of a group add is worked out once for all its values."""

    def __init__(self, templates: EdgeTemplates, weights: Mapping[Feature, float]) -> None:
        tables: dict[Value, dict[tuple[Value, ...], float]] = {}
        for (first, *values), weight in weights.items():
            tables.setdefault(first, {})[(*values,)] = weight
        self.sections: dict[str, tuple[list[tuple[str, int]], list[_GroupSum]]] = {}
        for group in templates.groups:
            live = [i for i in group.templates if templates.first[i] in tables]
            if live:
                parts, groups = self.sections.setdefault(group.section, ([], []))
                own = [(templates.templates[i].atoms, tables[templates.first[i]]) for i in live]
                groups.append(_GroupSum(own, parts))

    def __call__(self, contexts: Sequence[tuple[str, EdgeContext]]) -> float:
        """The sum over all groups of these sections."""
        total = 0.0
        for section, context in contexts:
            parts, groups = self.sections.get(section, NOTHING)
            values = [
                content[part] if isinstance(content := context[slot], tuple) else content
                for slot, part in parts
            ]
            for group in groups:
                key = group.take(values)
                inside = group.known.get(key)
                if inside is None:
                    inside = group.known[key] = group.add_up(values)
                total += inside
        return total


NOTHING: tuple[list[tuple[str, int]], list[_GroupSum]] = ([], [])
"""A section without a weight."""


class _GroupSum:
    """What the templates of a group add, each with its weights by values. ``parts`` are the slots,
    and what of them, that the section's values are taken from; it gets those that it lacks."""

    def __init__(
        self,
        templates: Sequence[tuple[Sequence[Atom], Mapping[tuple[Value, ...], float]]],
        parts: list[tuple[str, int]],
    ) -> None:
        self.known: dict[object, float] = {}
        self.templates = []
        used: dict[int, None] = {}
        for atoms, weights in templates:
            own = [(atom.slot, _part(atom)) for atom in atoms]
            parts += [part for part in own if part not in parts]
            places = [parts.index(part) for part in own]
            used |= dict.fromkeys(places)
            several = any(atom.slot == "b" for atom in atoms)
            self.templates.append((_taker(places), several, weights))
        self.take = _taker([*used])

    def add_up(self, values: Sequence[PartOfSlot]) -> float:
        """The sum of these values' features, from left to right; with ``b``, one for each tag."""
        inside = 0.0
        for take, several, weights in self.templates:
            own = take(values)
            for one in product(*map(_choices, own)) if several else (own,):
                inside += weights.get(one, 0.0)
        return inside


def _taker(places: Sequence[int]) -> Callable[[Sequence[PartOfSlot]], tuple[Any, ...]]:
    """What takes the values of these places, as a tuple."""
    take = itemgetter(*places)
    return take if len(places) > 1 else lambda values: (take(values),)


def show(templates: EdgeTemplates, feature: Sequence[Value]) -> str:
    """A feature as people read it: ``WORD(h)·POS(h)·dir = bought, VBD, right``."""
    index = feature[0]
    assert isinstance(index, int)
    template = templates.templates[index]
    values = (
        _shown(a.slot, a.attribute, v) for a, v in zip(template.atoms, feature[1:], strict=True)
    )
    return f"{template.name} = {', '.join(values)}"


def _shown(slot: str, attribute: str, value: Value) -> str:
    if isinstance(value, str) or (slot == "size" and attribute == "s"):
        return str(value)
    if slot == "dir":
        return "right" if value == RIGHT else "left"
    size = BINS.get(abs(value), str(abs(value)))
    return f"{'left' if value > 0 else 'right'} {size}" if slot == "dist" else size


# --- the slots of Table 2: dependency trees -------------------------------------------------


Named = tuple[str, ...]
PARTS = ("w", "p", "l")
"""A word, its tag, and with dependencies the label of its arc, which may be empty: not known."""
PartOfSlot = int | str | frozenset[str] | None
Content = Named | PartOfSlot
EdgeContext = Mapping[str, Content]
"""What stands in each slot of a section: (word, tag, label), a number, a set of tags (``b``), or
None; in CCG, without labels, also the text of a category or a rule."""

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
    The first ``left_size`` of the ``items`` are of the left part; 0 is for a leaf."""
    taken = [problem_items[item] for item in items]
    words = [(item.word, item.pos, item.label) for item in taken]
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


def _leaf(word: Named) -> EdgeContext:
    return {**dict.fromkeys(ARC_SLOTS[DEPENDENCY]), "h": word, "size": norm(1)}


def _dependency(words: Sequence[Named], heads: Sequence[int], h: int, m: int) -> EdgeContext:
    left = m < h
    step = 1 if left else -1  # from m towards h
    siblings = [i for i in range(m + step, h, step) if heads[i] == h][:2]
    below = [i for i, head in enumerate(heads) if head == m] if m in heads else []
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
        "b": frozenset(word[1] for word in words[min(h, m) + 1 : max(h, m)]) or None,
        "size": norm(len(words)),
        "dir": LEFT if left else RIGHT,
        "dist": norm(h - m) if left else -norm(m - h),
    }


def _completed(words: Sequence[Named], heads: Sequence[int], h: int) -> EdgeContext:
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


def _surface(words: Sequence[Named], boundary: int) -> EdgeContext:
    return {
        "B-2": words[boundary - 2] if boundary >= 2 else None,
        "B-1": words[boundary - 1],
        "B": words[boundary],
        "B+1": words[boundary + 1] if boundary + 1 < len(words) else None,
    }


def _sentence(words: Sequence[Named]) -> EdgeContext:
    first = [*words[:3], None, None][:3]
    last = [*words[:-4:-1], None, None][:3]
    return dict(zip(ARC_SLOTS[SENTENCE], [*first, *last], strict=True))


# --- the slots of Table 1: CCG --------------------------------------------------------------


def constituent_contexts(
    edge: Edge, problem_items: Sequence[Item]
) -> list[tuple[str, EdgeContext]]:
    """The sections that see this edge, in order of evaluation, with the content of their slots."""
    words = [problem_items[item] for item in edge.items]
    pairs = [(item.word, item.pos) for item in words]
    head = pairs[edge.root]
    assert edge.category is not None
    label: EdgeContext = {"category": edge.category.text}
    found: list[tuple[str, EdgeContext]] = [(ALL, {**label, "size": edge.size, "head": head})]
    if edge.size > 1:
        ends = {"0": pairs[0], "1": pairs[1], "-2": pairs[-2], "-1": pairs[-1]}
        found.append((LONGER, {**label, **ends}))
    if edge.left is None or edge.rule is None:
        return found
    rule: EdgeContext = {"rule": edge.rule.text, "head": head}
    if edge.right is None:
        return [*found, (UNARY, rule)]
    other = edge.left if edge.rule.head else edge.right
    nonhead = problem_items[other.items[other.root]]
    return [
        *found,
        (
            BINARY,
            {**rule, "nonhead": (nonhead.word, nonhead.pos), **_boundary(words, edge.left.size)},
        ),
    ]


def _boundary(words: Sequence[Item], cut: int) -> EdgeContext:
    found: dict[str, tuple[str, str] | str | None] = {}
    for place, name in ((cut - 2, "-2"), (cut - 1, "-1"), (cut, ""), (cut + 1, "+1")):
        item = words[place] if 0 <= place < len(words) else None
        found[f"B{name}"] = (item.word, item.pos) if item else None
        found[f"C{name}"] = item.category.text if item and item.category else None
    return found
