"""What there is to look at around kept, dropped and cut: the values that templates ask for.

After McDonald (2006), as we remember it (``features``). Each function gives the values of one part
of a bigram by their names in ``templates``; an empty value means that there is nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

from wordorder_lab.structures.deletion import NO_HEAD, DeletionSentence

PAIRS = {"(": ")", "[": "]", "{": "}", "-LRB-": "-RRB-", "-LSB-": "-RSB-", "-LCB-": "-RCB-"}
"""The signs of brackets, as text and as the Penn Treebank write them: what opens, what closes."""
START, END = "<s>", "</s>"
"""Word and tag before the first word and after the last."""
NEGATIONS = frozenset(["not", "n't", "never", "no", "nor", "neither", "none", "nothing", "cannot"])
OPENING, CLOSING = frozenset(PAIRS), frozenset(PAIRS.values())
GAPS = ((0, "0"), (1, "1"), (2, "2"), (3, "3"), (5, "4-5"), (9, "6-9"), (19, "10-19"))
"""How many words are told apart: the most of a class, and its name."""

Values = dict[str, str]


@dataclass(frozen=True)
class Words:
    """Words, tags and heads by position: 0 is the start, n + 1 the end."""

    forms: tuple[str, ...]
    tags: tuple[str, ...]
    heads: tuple[int, ...]
    labels: tuple[str, ...]
    has_dependents: frozenset[int]

    @classmethod
    def of(cls, sentence: DeletionSentence) -> Words:
        """The words of a sentence; heads become positions, 0 where there is none."""
        heads = tuple(0 if head == NO_HEAD else head + 1 for head in sentence.heads)
        return cls(
            (START, *(word.lower() for word in sentence.words), END),
            (START, *sentence.tags, END),
            (0, *heads, 0),
            ("", *sentence.labels, ""),
            frozenset(heads),
        )

    def tag(self, position: int) -> str:
        """The tag at a position, also beyond the ends."""
        return self.tags[min(max(position, 0), len(self.tags) - 1)]

    def relation(self, i: int, j: int) -> str:
        """What word j is to word i."""
        if not 0 < i < len(self.tags) - 1 or not 0 < j < len(self.tags) - 1:
            return ""
        if self.heads[j] == i:
            return "child"
        if self.heads[i] == j:
            return "head"
        return "sibling" if self.heads[i] == self.heads[j] and self.heads[i] else ""


def word_values(words: Words, j: int) -> Values:
    """The word at a position, kept or dropped."""
    head, form, tag = words.heads[j], words.forms[j], words.tags[j]
    inside = 0 < j < len(words.tags) - 1
    is_root = inside and not head and bool(words.labels[j])
    return {
        **{f"t{d:+}": words.tag(j + d) for d in (-2, -1, 1, 2)},
        "t0": tag,
        "w0": form,
        "ht": words.tags[head] if head else "",
        "wh": words.forms[head] if head else "",
        "side": "" if not head else "right" if head < j else "left",
        "label": words.labels[j],
        "verb": form if tag[:2] in ("VB", "MD") else "",
        "negation": "yes" if form in NEGATIONS else "",
        "root": "yes" if is_root else "",
        "leaf": "yes" if inside and words.labels[j] and j not in words.has_dependents else "",
    }


def pair_values(words: Words, i: int, j: int) -> Values:
    """Words i and j, adjacent in the compression."""
    return {
        **kept_values(words, "i", i),
        **kept_values(words, "j", j),
        "ti+1": words.tag(i + 1),
        "tj-1": words.tag(j - 1),
        "tj+1": words.tag(j + 1),
        "adjacent": "yes" if j == i + 1 else "no",
        "gap": size_class(j - i - 1),
        "brackets": brackets(words.forms[i + 1 : j]),
        "relation": words.relation(i, j),
    }


def beside_values(words: Words, kept: int, k: int) -> Values:
    """Dropped word k beside a kept word, which is i where it comes first."""
    return {
        **kept_values(words, "i" if kept < k else "j", kept),
        "t0": words.tags[k],
        "w0": words.forms[k],
        "relation": words.relation(kept, k),
    }


def kept_values(words: Words, name: str, position: int) -> Values:
    """Tag and word at a kept position, which is called i or j."""
    return {f"t{name}": words.tags[position], f"w{name}": words.forms[position]}


def size_class(size: int) -> str:
    """A number of words as one of a few classes."""
    return next((name for most, name in GAPS if size <= most), "20+")


def brackets(dropped: tuple[str, ...]) -> str:
    """Whether brackets are broken among dropped words, or stand round all of them."""
    depth, is_broken = 0, False
    for form in dropped:
        one = form.upper()
        depth += (one in OPENING) - (one in CLOSING)
        is_broken |= depth < 0
    if is_broken or depth:
        return "broken"
    round_all = dropped and dropped[0].upper() in OPENING and dropped[-1].upper() in CLOSING
    return "round" if round_all else ""


def phrase_values(sentence: DeletionSentence) -> list[Values]:
    """The values of every node of the tree, in post-order; none where there is no tree."""
    nodes = sentence.nodes
    if nodes is None:
        return []
    labels, parents = nodes.bare, nodes.parents
    found: list[Values] = []
    for node, preterminal in enumerate(nodes.heads()):
        begin, head = nodes.begins[node], nodes.begins[preterminal]
        values = {"c": labels[node], "head": sentence.tags[head]}
        size = size_class(nodes.ends[node] - begin)
        values |= {"hw": sentence.words[head].lower(), "size": size}
        values["w0"] = sentence.words[begin].lower()
        found.append(values)
    for node, values in enumerate(found):
        above = parents[node]
        family = nodes.children[above] if above >= 0 else (node,)
        at = family.index(node)
        values["p"] = labels[above] if above >= 0 else ""
        values["cl"] = labels[family[at - 1]] if at else START
        values["cr"] = labels[family[at + 1]] if at + 1 < len(family) else END
        values["first"] = "first" if not at else "last" if at + 1 == len(family) else "middle"
    return found
