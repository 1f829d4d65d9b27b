"""From a Penn tree to a CCG derivation: Hockenmaier & Steedman (2007), all steps in order.

The article (Computational Linguistics 33:3) and CCGbank's manual (MS-CIS-05-09) name the steps:
preprocessTree (``traces``, ``clauses``, ``preprocess`` and what it uses), determineConstituentType
(``constituent_types``), makeBinary (``binarise``), assignCategories (``categories``) and, at the
end, verifyDerivation: every step must follow from a rule, and words and tags must be the tree's.

Binarisation gives every phrase two children at most. In a verb phrase all that is right of the head
joins it first, from the inside out, then all that is left of it. In a clause it is the other way:
the subject comes first, so that what follows the predicate modifies the clause.

How often it is wrong: of 100 sentences of NLTK's sample, drawn at random (``random.seed(41)``, in
file order) and read by one reader who took the Treebank's brackets and what the ``Differences`` of
these files say as right, 97 had a derivation, and 5 of these a wrong part (5.2 %, Wilson's 95 %
interval 2.2 to 11.5).

Differences
- *Our reading*, makeBinary: a comma before a modifier joins the modifier, one behind a phrase at
  the left joins that phrase; all other marks join what has been built so far.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from wordorder_lab.corpora.penn_to_ccg.categories import derive
from wordorder_lab.corpora.penn_to_ccg.clauses import set_forms
from wordorder_lab.corpora.penn_to_ccg.constituent_types import find_types
from wordorder_lab.corpora.penn_to_ccg.node import Node, NotConverted, from_tree, place_of, to_tree
from wordorder_lab.corpora.penn_to_ccg.traces import settle_traces
from wordorder_lab.structures.category import Category, unify
from wordorder_lab.structures.derivation import Derivation
from wordorder_lab.structures.phrase_tree import PhraseTree
from wordorder_lab.structures.plain_tree import Tree

_MOSTLY = ("trace", "argument cluster", "coordination", "unary step", "no rule")
REASONS = ("no words", "no tree of ours", "too deep", *_MOSTLY)
"""Why a tree may have no derivation; a reason may go on behind a colon."""
PENN = "Penn"
STEPS = {
    PENN: "the tree as the Treebank has it, traces and function tags included",
    "preprocessed": "empty elements leave or stay as what is missing; small clauses are taken "
    "apart; every verb has its feature",
    "constituent types": "in every phrase one head, its complements, its adjuncts, and marks",
    "binarised": "two children at most: complements and adjuncts join the head one by one",
    "categories": "from the root down: a complement has its own, an adjunct is X/X, a head takes "
    "the rest; what a trace stands for is missing until its filler is met",
}
"""What each step of the conversion does, by its name."""

MAX_LEVELS = 150
"""Steps that a word may be away from the root when all phrases are pairs; the sample has 73."""


@dataclass(frozen=True, slots=True)
class Conversion:
    """What came of a tree: a derivation, or the ``reason``, which begins with one of ``REASONS``,
    and a line of ``detail``; if asked for, the name of each step with the tree that it made."""

    derivation: Derivation | None
    reason: str = ""
    detail: str = ""
    steps: tuple[tuple[str, Tree], ...] = ()


def to_derivation(tree: Tree, *, steps: bool = False) -> Conversion:
    """The derivation of a Penn tree, traces and function tags included; ``steps`` keeps them."""
    made: list[tuple[str, Tree]] = []
    try:
        derivation = _converted(tree, made if steps else None)
    except NotConverted as error:
        return Conversion(None, error.reason, error.detail, tuple(made))
    return Conversion(derivation, steps=tuple(made))


def _check(tree: Tree) -> None:
    """Raise ``NotConverted`` for what no step could work on; no recursion, as it may be deep."""
    waiting = [(tree, 0)]
    while waiting:
        node, above = waiting.pop()
        words = [child for child in node if not hasattr(child, "label")]
        if not len(node) or (words and (len(node) > 1 or not isinstance(node[0], str))):
            raise NotConverted("no tree of ours", f"a node {node.label()} without one word below")
        levels = above + len(node) + 1
        if levels > MAX_LEVELS:
            raise NotConverted("too deep", f"more than {MAX_LEVELS} steps above a word")
        if "=" in node.label():
            raise NotConverted("argument cluster", f"{node.label()}: the verb stands elsewhere")
        if not words:
            waiting += [(child, levels) for child in node]


def _converted(tree: Tree, made: list[tuple[str, Tree]] | None) -> Derivation:
    def note(name: str, node: Node, *, roles: bool = False) -> None:
        if made is not None:
            made.append((name, to_tree(node, roles=roles)))

    _check(tree)
    root = from_tree(tree)
    note(PENN, root)
    settled = settle_traces(root)
    if settled is None:
        raise NotConverted("no words", "nothing but empty elements")
    set_forms(settled)
    note("preprocessed", settled)
    find_types(settled)
    note("constituent types", settled, roles=True)
    pairs = binarise(settled)
    note("binarised", pairs, roles=True)
    wanted = Category.parse(pairs.category or "NP")
    derivation = derive(pairs, wanted)
    if unify(derivation.category, wanted) is None:
        raise NotConverted("trace", f"{derivation.category}: what was moved is never met")
    if problem := derivation.problem():
        raise NotConverted("no rule", problem)
    if derivation.words() != tuple(word.word for word in settled.words()):
        raise NotConverted("no rule", "the words would stand in another order")
    if made is not None:
        made.append(("categories", _as_tree(derivation)))
    return derivation


def _as_tree(derivation: Derivation) -> Tree:
    """The derivation as a tree whose labels are categories."""
    waiting: list[Tree] = []
    for node in derivation.nodes():
        first = len(waiting) - len(node.children)
        parts = waiting[first:] if node.children else [node.word]
        waiting[first:] = [PhraseTree(node.category.text, parts)]
    return waiting[0]


_LEFT_FIRST = frozenset(["S", "SBAR", "RRC", "WHNP", "NP", "FRAG"])


def binarise(node: Node) -> Node:
    """A copy in which no phrase has more than two children; types stay as they are."""
    if node.is_word or node.trace:
        return node
    children = [binarise(child) for child in node.children]
    whole = replace(node, children=children)
    is_flat = len(children) > 2 or any(c.role == "apposition" for c in children)
    if not is_flat or node.form in ("nested", "conj"):
        return whole
    head = place_of(children, lambda child: child.role == "head")
    at = len(children) - 1 if head is None else head
    left, right = _grouped_left(children[:at]), _grouped_right(children[at + 1 :])
    inner = children[at]
    for side in ("left", "right") if node.label in _LEFT_FIRST else ("right", "left"):
        pairs = reversed(left) if side == "left" else right
        for child in pairs:
            inner = _joined(node, child, inner) if side == "left" else _joined(node, inner, child)
    whole.children, whole.form = inner.children, inner.form or node.form
    return whole


def _joined(node: Node, left: Node, right: Node) -> Node:
    if right.role == "conjuncts":
        first = replace(left, role="conjunct")
        return Node(node.label, children=[first, right], role="head", form="nested")
    return Node(node.label, children=[left, right], role="head")


def _grouped_left(children: list[Node]) -> list[Node]:
    """Marks behind something join it; marks at the front stay alone."""
    grouped: list[Node] = []
    for child in children:
        last = grouped[-1] if grouped else None
        if child.role == "mark" and last and last.role != "mark" and not last.trace:
            grouped[-1] = _with_mark(last, [last, child])
        else:
            grouped.append(child)
    return grouped


def _grouped_right(children: list[Node]) -> list[Node]:
    """Marks before a modifier join it, and before an apposition they are its conjunction."""
    grouped: list[Node] = []
    for child in children:
        while grouped and grouped[-1].role == "mark" and child.role == "adjunct":
            child = _with_mark(child, [grouped.pop(), child])
        if child.role == "apposition":
            pair = [replace(grouped.pop(), role="conjunction"), replace(child, role="conjunct")]
            child = Node("NP", children=pair, role="conjuncts", form="conj")
        grouped.append(child)
    return grouped


def _with_mark(node: Node, children: list[Node]) -> Node:
    inside = [replace(c, role="head") if c is node else c for c in children]
    return replace(node, children=inside, form="marked", word="", trace="")


def titled_steps(tree: Tree, conversion: Conversion) -> list[tuple[str, Tree]]:
    """Each tree on the way, under its name and a line on what was done; the first is ``tree``."""
    every = [(PENN, tree), *(step for step in conversion.steps if step[0] != PENN)]
    return [(f"{name}: {STEPS[name]}" if name in STEPS else name, made) for name, made in every]


def outcome(conversion: Conversion) -> str:
    """What stands above the derivation, or why there is none."""
    if conversion.derivation is not None:
        return "derivation: as linguists draw it"
    return f"no derivation ({conversion.reason}): {conversion.detail}"
