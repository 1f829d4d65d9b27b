r"""The rules that join CCG categories: combinators, coordination, punctuation, type-changing.

The combinators are Steedman's (2000): application, composition, backward crossed composition and
type-raising, with a second degree of each composition; English has no forward crossed composition.
The rest is CCGbank's (Hockenmaier & Steedman 2007): conjunctions join in two steps, punctuation is
absorbed, and a listed category may change into another one.

Systems in this project read their rules off derivations, as Zhang & Clark (2011, section 2) do.
What is here says which rule a step is an instance of, and makes steps where there is no treebank.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache

from wordorder_lab.structures.category import Atom, Category, Conjunct, Functor, bind, unify

PUNCTUATION = frozenset([",", ".", ";", ":", "LRB", "RRB", "LQU", "RQU"])
CONJUNCTIONS = frozenset(["conj", ",", ";", ":"])

_TABLE = r"""
N            NP
S[adj]\NP    NP\NP  N\N                     (S\NP)\(S\NP)  S/S
S[ng]\NP     NP\NP  N\N  NP  (S\NP)/(S\NP)  (S\NP)\(S\NP)  S/S  S\S
S[pss]\NP    NP\NP  N\N                     (S\NP)\(S\NP)  S/S
S[to]\NP     NP\NP  N\N                     (S\NP)\(S\NP)  S/S
(S[to]\NP)/NP  NP\NP  N\N
S[dcl]/NP    NP\NP  N\N
S[dcl]       NP\NP                          (S\NP)\(S\NP)  S/S  S\S
NP                                          (S\NP)\(S\NP)  S/S
"""
TYPE_CHANGES = {
    Category.parse(line.split()[0]): tuple(map(Category.parse, line.split()[1:]))
    for line in _TABLE.strip().splitlines()
}
"""What a category may change into by itself."""
_NP = Category.parse("NP")
BESIDE_PUNCTUATION = {**TYPE_CHANGES, _NP: (Functor(_NP, "\\", _NP), *TYPE_CHANGES[_NP])}
del BESIDE_PUNCTUATION[Category.parse("S[dcl]")]  # it is a conjunct behind a comma
"""What it may change into with a punctuation mark at its side: an NP also into an apposition."""
_SAID = Category.parse("S[dcl]/S[dcl]")
_ASIDE = tuple(map(Category.parse, [r"S/S", r"S\S", r"(S\NP)/(S\NP)", r"(S\NP)\(S\NP)", r"NP\NP"]))
"""What "he said" may become between commas: a modifier of what it interrupts."""


# --- combinators: two categories side by side, and what they give ------------------------------


def coordination(left: Category, right: Category) -> Category | None:
    """``conj X -> X[conj]``, where a comma may be the conjunction, and ``X X[conj] -> X``."""
    match left, right:
        case _, Conjunct(of):
            found = unify(left, of)
            return None if found is None else bind(left, found[0])
        case Atom(name, ""), _ if name in CONJUNCTIONS and not _is_mark(right):
            return Conjunct(right)
    return None


def type_raising(child: Category, target: Category, slash: str = "/") -> Category:
    r"""``X -> T/(T\X)``, or with the other slash ``X -> T\(T/X)``, for the target T."""
    return Functor(target, slash, Functor(target, "\\" if slash == "/" else "/", child))


def _compose(functor: Category, slash: str, other: Category, slashes: str) -> Category | None:
    """Steedman's Bn: ``functor`` takes the result of ``other`` and leaves its n arguments open.

    ``slashes`` are those of the n arguments, the outermost first; none is application. Variables of
    the two sides that do not meet keep their name, so that S on both sides becomes one S.
    """
    if not isinstance(functor, Functor) or functor.slash != slash:
        return None
    still_open = []
    for wanted in slashes:
        if not isinstance(other, Functor) or other.slash != wanted:
            return None
        still_open.append((wanted, other.argument))
        other = other.result
    found = unify(functor.argument, other)
    if found is None:
        return None
    result = bind(functor.result, found[0])
    for wanted, argument in reversed(still_open):
        result = Functor(result, wanted, bind(argument, found[1]))
    return result


def _is_punctuation(category: Category) -> bool:
    return isinstance(category, Atom) and category.name in PUNCTUATION


def _is_mark(category: Category) -> bool:
    return _is_punctuation(category) or category.text == "conj"


Rule = Callable[[Category, Category], Category | None]


def _forward(slashes: str) -> Rule:
    return lambda left, right: _compose(left, "/", right, slashes)


def _backward(*patterns: str) -> Rule:
    def rule(left: Category, right: Category) -> Category | None:
        found = (_compose(right, "\\", left, slashes) for slashes in patterns)
        return next((result for result in found if result is not None), None)

    return rule


BINARY: dict[str, Rule] = {
    "fa": _forward(""),  # X/Y Y -> X
    "ba": _backward(""),  # Y X\Y -> X
    "fc": _forward("/"),  # X/Y Y/Z -> X/Z
    "bc": _backward("\\"),  # Y\Z X\Y -> X\Z
    "bx": _backward("/"),  # Y/Z X\Y -> X/Z
    "fc2": _forward("//"),  # X/Y (Y/Z)/W -> (X/Z)/W
    "bc2": _backward("\\\\"),  # (Y\Z)\W X\Y -> (X\Z)\W
    "bx2": _backward("//", "/\\", "\\/"),  # (Y|Z)|W X\Y -> (X|Z)|W, one slash at least forward
    "lp": lambda left, right: right if _is_punctuation(left) and not _is_mark(right) else None,
    "rp": lambda left, right: left if _is_punctuation(right) and not _is_mark(left) else None,
    "conj": coordination,
}
"""The binary rules that compute their result, in the order in which a step is looked up."""


@cache
def results(left: Category, right: Category) -> tuple[tuple[Category, str], ...]:
    """Everything that the two give side by side, each with its rule; type-changing apart."""
    found = ((join(left, right), rule) for rule, join in BINARY.items())
    return tuple((result, rule) for result, rule in found if result is not None)


def combine(left: Category, right: Category) -> tuple[Category, str] | None:
    r"""What ``left`` and ``right`` give side by side, and by which rule; ``None`` for nothing.

    The combinators of Steedman (2000, chapter 3), conjunctions and punctuation; of several results
    the first, so that application comes before composition. ``wl.SIGNS`` has the signs of rules.

    >>> combine(Category.parse("NP"), Category.parse(r"S[dcl]\NP"))[1]
    'ba'
    """
    return next(iter(results(left, right)), None)


# --- naming -----------------------------------------------------------------------------------


@cache
def name_of_step(left: Category, right: Category, result: Category) -> str:
    r"""Which rule makes ``result`` of the two: a key of ``BINARY``, or ``"tc"``, or ``"other"``.

    Features count as in ``unify``. An NP and a comma that become ``NP\NP`` are an apposition (tc),
    though treebanks without ``[conj]`` write lists so too.
    """
    for mark, child in ((left, right), (right, left)):
        if _is_punctuation(mark) and (
            _changes(child, result, BESIDE_PUNCTUATION) or (child is _SAID and result in _ASIDE)
        ):
            return "tc"
    for expected, rule in results(left, right):
        if _same(expected, result):
            return rule
    return "other"


@cache
def name_of_unary(child: Category, result: Category) -> str:
    """Which rule changes ``child`` into ``result``: ``"tr"``, ``"tc"``, ``"other"`` if none."""
    if _changes(child, result, TYPE_CHANGES):
        return "tc"
    match result:
        case Functor(target, slash, Functor(again, opposite, argument)):
            if target is again and slash != opposite and unify(argument, child) is not None:
                return "tr"
    return "other"


def _changes(
    child: Category, result: Category, table: Mapping[Category, Sequence[Category]]
) -> bool:
    sources = (source for source in table if unify(source, child) is not None)
    return any(_same(target, result) for source in sources for target in table[source])


def _same(expected: Category, found: Category) -> bool:
    r"""Whether the two unify; X\X is what treebanks without ``[conj]`` write for X[conj]."""
    if isinstance(expected, Conjunct) and not isinstance(found, Conjunct):
        expected = Functor(expected.of, "\\", expected.of)
    return unify(expected, found) is not None


# --- heads ------------------------------------------------------------------------------------


@cache
def head_of_step(left: Category, right: Category, result: Category) -> int:
    r"""Which of the two is the head, 0 or 1, as CCGbank has it.

    The functor is, unless it is a modifier (``X/X``, features apart), a determiner (``NP/N``) or
    type-raised: then its argument is. Of two conjuncts the first is the head; conjunctions and
    punctuation never are. For a step that no rule names: the left one. Categories alone cannot tell
    the "said" of a quotation before it, ``S[dcl]\S[dcl]``, from a modifier: the quotation is head.
    """
    rule = name_of_step(left, right, result)
    if rule in ("fa", "fc", "fc2"):
        return 1 if _yields(left) else 0
    if rule in ("ba", "bc", "bx", "bc2", "bx2"):
        return 0 if _yields(right) else 1
    return 1 if _is_mark(left) else 0


def _yields(functor: Category) -> bool:
    """Whether the head comes from the functor's argument."""
    assert isinstance(functor, Functor)
    result, argument = functor.result, functor.argument
    match result, argument:
        case Atom("NP", _), Atom("N", _):
            return True
        case _, Functor(again, slash, _) if again is result and slash != functor.slash:
            return True
    return unify(result, argument) is not None
