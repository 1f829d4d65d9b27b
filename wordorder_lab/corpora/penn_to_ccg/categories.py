r"""Category assignment: top-down from the category of the root to those of the words.

The step assignCategories of Hockenmaier & Steedman (2007): a complement has its natural category,
an adjunct is ``X/X`` or ``X\X``, the head takes what is left. What a trace stands for is missing in
every category above it, ``S[dcl]/NP``, until the filler is met; subjects beside it are type-raised,
verbs compose. So the answer to "this phrase as an S[dcl]" may be an ``S[dcl]/NP``.

Adjuncts have no features and few sizes in CCGbank: "often" is ``(S\NP)/(S\NP)`` before every verb
phrase, also before one whose object is still to come, since composition lets it wait. So the
arguments that composition can pass over are taken off first (``modifier``).

Differences
- *Our reading*, percolateTraces and cutTracesAndUnaryRules: the paper carries traces up in a pass
  of their own, then cuts them out. Here complements come before their heads, so that a head is only
  given a category when what is missing beside it is known.
- *Our reading*, unlike coordination: CCGbank has a rule for "rich and in love" (manual, 3.7.2).
  Here the second conjunct gets the category of the first; a clause that would have to give up the
  feature of its verb for that (go, and it will rain) makes no derivation, but a reason.
- *Our reading*, verifyDerivation: a step that no rule names makes no derivation, but a reason.
"""

from __future__ import annotations

from collections.abc import Callable

from wordorder_lab.corpora.penn_to_ccg.node import Node, NotConverted, shown
from wordorder_lab.corpora.penn_to_ccg.tables import MARKS, WH_LABELS
from wordorder_lab.structures.category import Atom, Category, Conjunct, Functor, unify
from wordorder_lab.structures.combinators import name_of_step, name_of_unary, type_raising
from wordorder_lab.structures.derivation import Derivation

NP, N, PP, CONJ = map(Category.parse, ("NP", "N", "PP", "conj"))
COMMA = Atom(",")
DETERMINER = Category.parse("NP[nb]/N")
NP_MODIFIER = Category.parse(r"NP\NP")
PREPOSITION = Category.parse("PP/NP")
_VERBAL = frozenset(["S", "VP", "SINV", "SQ", "SBARQ"])
"""Phrases whose verb would lose its feature if they were given another category than their own."""


def derive(node: Node, category: Category) -> Derivation:
    """The derivation of a maximal phrase that is to have this category; a natural one that may
    change into it does so in a step of its own. With an open trace it is another one: S[dcl]/NP."""
    natural = Category.parse(node.category) if node.category else category
    if not _same(natural, category):
        if node.label == "PRN" and _may_stand_aside(node, natural, category):
            return _parenthesis(node, natural, category)
        if node.filler:
            if node.category in ("S[for]", "S[em]"):
                return _assign(node, category)
            return _changed(_assign(node, natural), category, node)  # the man I saw
        if node.form == "marked" and name_of_step(COMMA, natural, category) == "tc":
            inner = _marked(node, natural, category)
            if inner is not None:
                return inner
        if name_of_unary(natural, category) == "tc":
            return _changed(_assign(node, natural), category, node)
        if node.label in _VERBAL and _loses_verb(node, natural, category):
            raise NotConverted("unary step", f"{natural} to {category}: {shown(node)}")
    return _assign(node, category)


def _loses_verb(node: Node, natural: Category, category: Category) -> bool:
    """Whether the verb would get another feature than its own, or a conjunct a second subject."""
    if node.role == "conjunct" and isinstance(natural, Atom) and isinstance(category, Functor):
        return True
    ours, wanted = natural, category  # what is left when all arguments are there
    while isinstance(ours, Functor):
        ours = ours.result
    while isinstance(wanted, Functor):
        wanted = wanted.result
    return ours.text[0] == "S" and ours is not wanted


def _same(category: Category, wanted: Category) -> bool:
    return category is wanted or unify(category, wanted) is not None


def _changed(child: Derivation, category: Category, node: Node) -> Derivation:
    if name_of_unary(child.category, category) != "tc":
        raise NotConverted("unary step", f"{child.category} to {category}: {shown(node)}")
    return Derivation.unary(category, child)


def _marked(node: Node, natural: Category, category: Category) -> Derivation | None:
    """A modifier with its mark, which change together: ``, S[ng]\\NP`` to ``S\\S``."""
    mark_first = node.children[0].role == "mark"
    inner, mark = derive(node.children[mark_first], natural), _mark(node.children[not mark_first])
    left, right = (mark, inner) if mark_first else (inner, mark)
    if name_of_step(left.category, right.category, category) != "tc":
        return None
    return Derivation.binary(category, left, right, head=int(mark_first))


def _may_stand_aside(node: Node, natural: Category, category: Category) -> bool:
    """A clause in parentheses, or what changes with the marks at its side."""
    if natural is NP and any(child.role == "mark" for child in node.children):
        return name_of_step(COMMA, natural, category) == "tc"
    return natural.text == "S[dcl]"


def _parenthesis(node: Node, natural: Category, category: Category) -> Derivation:
    """He said, between commas: S[dcl]/S[dcl], or an NP, which changes with the mark at its side."""
    marks: dict[bool, list[Derivation]] = {True: [], False: []}  # before it, behind it
    while len(node.children) == 2 and "mark" in (node.children[0].role, node.children[1].role):
        mark_first = node.children[0].role == "mark"
        marks[mark_first].append(_mark(node.children[not mark_first]))
        node = node.children[mark_first]
    inner = derive(node.children[0] if len(node.children) == 1 else node, natural)
    if name_of_unary(inner.category, category) == "tc":
        inner = Derivation.unary(category, inner)
    for mark in reversed(marks[True]):
        inner = _absorbed(mark, inner, category, 1)
    for mark in reversed(marks[False]):
        inner = _absorbed(inner, mark, category, 0)
    if not _same(inner.category, category):
        raise NotConverted("unary step", f"{inner.category} to {category}: {shown(node)}")
    return inner


def _absorbed(left: Derivation, right: Derivation, category: Category, head: int) -> Derivation:
    """A mark and what it sets off, which becomes the wanted category if it may."""
    if name_of_step(left.category, right.category, category) != "tc":
        category = (left, right)[head].category
    return Derivation.binary(category, left, right, head=head)


def _assign(node: Node, category: Category) -> Derivation:
    """The derivation of a phrase whose natural category plays no part."""
    if node.is_word:
        return _leaf(node, category)
    if node.trace:
        raise NotConverted("trace", f"nothing but a trace: {node.label}")
    if len(node.children) == 1:
        return _only_child(node, category)
    if whole := _beside_mark(node, lambda rest: derive(rest, category)):
        return whole
    left, right = node.children
    match left.role, right.role:
        case "conjunct", "conjuncts":
            return _coordinated(node, category)
        case _, "adjunct":
            return _modified(node, left, right, category, after=True)
        case "adjunct", _:
            return _modified(node, right, left, category, after=False)
        case _, "complement":
            return _with_complement(node, left, right, category, after=True)
        case "complement", _:
            return _with_complement(node, right, left, category, after=False)
    raise NotConverted("no rule", f"{node.label}: {shown(node)}")


def _leaf(node: Node, category: Category) -> Derivation:
    if node.is_mark:
        return _mark(node)
    if category.text == "NP/N" and node.label in ("DT", "PRP$", "WP$", "WDT"):
        category = DETERMINER
    return Derivation.leaf(node.word, node.label, category)


def _mark(node: Node) -> Derivation:
    word = node
    while not word.is_word:
        word = word.children[0]
    name = word.word if word.word == ";" else MARKS[word.label]
    return Derivation.leaf(word.word, word.label, Atom(name))


def _only_child(node: Node, category: Category) -> Derivation:
    child = node.children[0]
    if child.trace:
        raise NotConverted("trace", f"a phrase of a trace alone: {node.label}")
    if child.label in ("N", "NX", "NAC") and _same(category, NP):
        return Derivation.unary(NP, _assign(child, N))
    if child.is_word:
        return _leaf(child, category)
    return derive(child, category)


def _beside_mark(node: Node, build: Callable[[Node], Derivation]) -> Derivation | None:
    """A phrase and the mark at its side: what is built of the rest; ``None`` without a mark."""
    for at in (0, 1):
        if node.children[at].role == "mark":
            inner, mark = build(node.children[1 - at]), _mark(node.children[at])
            left, right = (inner, mark) if at else (mark, inner)
            return Derivation.binary(inner.category, left, right, head=1 - at)
    return None


def _coordinated(node: Node, category: Category) -> Derivation:
    first = derive(node.children[0], category)
    rest = _conjuncts(node.children[1], category)
    of = rest.category.of if isinstance(rest.category, Conjunct) else rest.category
    if not _same(first.category, of):
        raise NotConverted("coordination", f"{first.category} and {of}: {shown(node)}")
    return Derivation.binary(first.category, first, rest, head=0)


def _conjuncts(node: Node, category: Category) -> Derivation:
    if whole := _beside_mark(node, lambda rest: _conjuncts(rest, category)):
        return whole
    left, right = node.children
    conjunction = _mark(left) if left.is_mark else _assign(left, CONJ)
    inner = derive(right, category)
    return Derivation.binary(Conjunct(inner.category), conjunction, inner, head=1)


def _modified(
    node: Node, head: Node, adjunct: Node, category: Category, *, after: bool
) -> Derivation:
    if adjunct.trace:
        return _assign(head, category)
    core = _assign(head, category) if head.role == "head" else derive(head, category)
    slash = "\\" if after else "/"
    wanted = modifier(core.category, slash)
    extra = derive(adjunct, wanted)
    if not _same(extra.category, wanted):
        return _modifier_with_gap(node, core, extra, after=after)
    pair = (core, extra) if after else (extra, core)
    return _step(node, *pair, core.category)


def _modifier_with_gap(
    node: Node, core: Derivation, extra: Derivation, *, after: bool
) -> Derivation:
    """A trace inside a modifier (the man I sat beside): what is modified is type-raised."""
    if after and isinstance(extra.category, Functor):
        gap = extra.category.argument
        raised = Derivation.unary(type_raising(core.category, core.category), core)
        return _step(node, raised, extra, Functor(core.category, "/", gap))
    raise NotConverted("trace", f"a trace in a modifier: {shown(node)}")


def modifier(category: Category, slash: str) -> Category:
    """X/X or X\\X for what modifies a phrase of this category, so that it composes if it can."""
    base = category
    for _ in range(2):
        match base:
            case Functor(result, "/", argument) if unify(result, argument) is None:
                base = result  # else it is a modifier itself
    open_features = bare(base)
    return Functor(open_features, slash, open_features)


def bare(category: Category) -> Category:
    """Without the features of S that a modifier leaves open; S[adj] keeps its own."""
    match category:
        case Functor(Functor() as result, slash, argument):
            keeps = argument if "S" not in argument.text else bare(argument)
            return Functor(bare(result), slash, keeps)
        case Functor(Atom("S", "adj"), "\\", _):
            return category
        case Functor(result, slash, argument):
            return Functor(bare(result), slash, bare(argument))
        case Atom(name, feature) if name in ("S", "NP") and feature:
            return Atom(name)
    return category


def _with_complement(
    node: Node, head: Node, complement: Node, category: Category, *, after: bool
) -> Derivation:
    slash = "/" if after else "\\"
    wanted = _argument(complement, category)
    if complement.trace:
        return _assign(head, Functor(category, slash, wanted))
    if complement.form == "shared" and isinstance(category, Functor):  # pay for and use it
        extra = derive(complement, wanted)
        core = _assign(head, Functor(category.result, "/", PP))
        return _step(node, core, extra, category)
    if _asks(head) and complement.label not in ("N", "JJ"):
        extra = derive(complement, Category.parse(complement.category))
        core = _question_word(head, Functor(category, slash, extra.category), category)
        return _step(node, core, extra, category)
    extra = derive(complement, wanted)
    if complement.filler and after:  # easy to please: what is missing there, the head asks for
        wanted = extra.category
    if complement.label == "N" and _same(category, NP):
        return _step(node, _assign(head, DETERMINER), extra, category)
    if _same(extra.category, wanted):
        core = _assign(head, Functor(category, slash, wanted))
        return _applied(node, core, extra, category, after=after)
    gapped = extra.category
    if not after or not isinstance(gapped, Functor):
        raise NotConverted("trace", f"a trace in a subject: {shown(node)}")
    if node.label == "SBAR" and head.is_word and gapped.argument.text == "S[dcl]":
        core = _assign(head, Functor(category, "/", gapped))  # as he said
        return _step(node, core, extra, category)
    if gapped.slash == "/":
        core = _assign(head, Functor(category, "/", wanted))
        return _step(node, core, extra, Functor(category, "/", gapped.argument))
    inner = Functor(category, "/", gapped.argument)
    core = _assign(head, Functor(inner, "/", gapped))
    return _step(node, core, extra, inner)


def _argument(complement: Node, category: Category) -> Category:
    natural = complement.category or "NP"
    if natural == "ARGUMENT":
        assert isinstance(category, Functor)
        return category.argument
    if "SBJ" in complement.tags and natural.startswith("S[ng]"):
        return NP
    return Category.parse(natural)


def _applied(
    node: Node, core: Derivation, extra: Derivation, category: Category, *, after: bool
) -> Derivation:
    """Head and complement; if the head has an open trace, the complement is type-raised."""
    whole = Functor(category, "/" if after else "\\", extra.category)
    if not _same(core.category, whole):
        if not isinstance(core.category, Functor) or core.category.slash != "/":
            raise NotConverted("trace", f"{core.category} beside {extra.category}: {shown(node)}")
        target = category if after else bare(category)
        raised = type_raising(extra.category, target, "\\" if after else "/")
        extra = Derivation.unary(raised, extra)
        category = Functor(category, "/", core.category.argument)
    pair = (core, extra) if after else (extra, core)
    return _step(node, *pair, category)


def _asks(node: Node) -> bool:
    while node.children and "mark" in [child.role for child in node.children]:
        node = next(child for child in node.children if child.role != "mark")
    return node.label in WH_LABELS


def _question_word(node: Node, category: Category, result: Category) -> Derivation:
    """In which, some of which, whose book: the asking word inside is the head of it all."""
    if node.is_word or len(node.children) != 2:
        return _assign(node, category)
    if whole := _beside_mark(node, lambda rest: _question_word(rest, category, result)):
        return whole
    left, right = node.children
    if left.role != "complement" or right.role != "head":
        return _assign(node, category)
    other: Category = NP
    if left.label in ("IN", "TO"):
        other = Functor(NP_MODIFIER, "/", NP) if result is NP_MODIFIER else PREPOSITION
        first = _assign(left, other)
    else:
        first, result = derive(left, NP), NP_MODIFIER
    core = _question_word(right, Functor(category, "\\", other), result)
    return _step(node, first, core, category)


def _step(node: Node, left: Derivation, right: Derivation, category: Category) -> Derivation:
    """A step that a rule names; raises ``NotConverted`` if none does."""
    rule = name_of_step(left.category, right.category, category)
    if rule == "other":
        what = f"{left.category} {right.category} to {category}"
        raise NotConverted("no rule", f"{what}: {shown(node)}")
    return Derivation.binary(category, left, right)
