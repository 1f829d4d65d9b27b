r"""The categories of adjuncts: X/X or X\X, for what they modify.

Adjuncts have no features and few sizes in CCGbank (Hockenmaier & Steedman 2007): "often" is
``(S\NP)/(S\NP)`` before every verb phrase, also before one whose object is still to come, since
composition lets it wait. So the arguments that composition can pass over are taken off first.
"""

from __future__ import annotations

from wordorder_lab.structures.category import Atom, Category, Functor, unify


def modifier(category: Category, slash: str) -> Category:
    """X/X or X\\X for what modifies a phrase of this category, so that it composes if it can."""
    base = category
    for _ in range(2):
        if isinstance(base, Functor) and base.slash == "/" and not _is_modifier(base):
            base = base.result
    open_features = bare(base)
    return Functor(open_features, slash, open_features)


def _is_modifier(category: Category) -> bool:
    return isinstance(category, Functor) and unify(category.result, category.argument) is not None


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
