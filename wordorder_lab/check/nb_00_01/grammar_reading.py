r"""Exercises 01.1 to 01.3: base NPs, the names of rules, and rules read off derivations."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from functools import cache
from typing import TYPE_CHECKING, Any

from wordorder_lab.check.common.exercise import Exercise, Wrong, function_of
from wordorder_lab.check.nb_00_01.small_parser import AND_ADVERBS, derivation_of, tagged
from wordorder_lab.corpora.readers.ccgbank import base_np_spans
from wordorder_lab.corpora.readers.penn import parse_trees, with_base_nps
from wordorder_lab.experiments.runs.corpora import corpus_of
from wordorder_lab.structures.category import Category
from wordorder_lab.structures.combinators import combine
from wordorder_lab.structures.derivation import SIGNS, Derivation

if TYPE_CHECKING:
    from nltk.tree import Tree

# --- 01.1: base NPs twice -----------------------------------------------------------------------

_PLANS = r"""
( (S (NP-SBJ (NP (NP (DT The) (NN owner) (POS 's)) (NNS plans))
       (PP (IN for) (NP (NP (DT the) (JJ old) (NN harbour)) (CC and) (NP (PRP$ its) (NNS boats)))))
     (VP (VBD surprised) (NP (PRP us)) (NP-TMP (DT this) (NN year))) (. .)) )
"""
_SUBJECT = r"""
The:DT:NP[nb]/N owner:NN:N 's:POS:(NP[nb]/N)\NP plans:NNS:N for:IN:(NP\NP)/NP the:DT:NP[nb]/N
old:JJ:N/N harbour:NN:N and:CC:conj its:PRP$:NP[nb]/N boats:NNS:N
"""
_VERB, _ADVERB = r"surprised:VBD:(S[dcl]\NP)/NP us:PRP:NP", "this:DT:N/N year:NN:N"


@cache
def plans() -> tuple[Tree, Derivation]:
    """The sentence of exercise 01.1, as a tree and as a derivation."""
    (tree,) = parse_trees(_PLANS, "exercise 01.1")
    subject = derivation_of(tagged(_SUBJECT), "NP")
    verb = derivation_of(tagged(_VERB), r"S[dcl]\NP")
    adverb = derivation_of(tagged(_ADVERB), r"(S\NP)\(S\NP)", AND_ADVERBS)
    assert subject and verb and adverb
    clause = _joined(subject, _joined(verb, adverb))
    return tree, _joined(clause, Derivation.leaf(".", ".", Category.parse(".")))


def _joined(left: Derivation, right: Derivation) -> Derivation:
    joined = combine(left.category, right.category)
    assert joined is not None
    return Derivation.binary(joined[0], left, right)


def base_nps() -> tuple[list[str], list[str]]:
    """The base NPs of the tree, and of the derivation."""
    tree, derivation = plans()
    whole = with_base_nps(tree)
    assert whole is not None
    words = derivation.words()
    spans = base_np_spans(derivation)
    return (
        [" ".join(leaf) for leaf in whole.leaves() if isinstance(leaf, tuple)],
        [" ".join(words[start:end]) for start, end in spans],
    )


def _judge_base_nps(answer: Any) -> str:
    if not (isinstance(answer, tuple | list) and len(answer) == 2):
        raise Wrong("Hand in two lists of phrases: check('01.1', (of_penn, of_ccg)).")
    for name, yours, right in zip(("penn", "ccg"), answer, base_nps(), strict=True):
        if not isinstance(yours, tuple | list) or not all(
            isinstance(phrase, str) for phrase in yours
        ):
            raise Wrong(f"{name} is a list of strings, such as ['the old harbour'].")
        phrases = Counter(" ".join(phrase.split()) for phrase in yours)
        _check_spelling(name, phrases)
        if missing := Counter(right) - phrases:
            raise Wrong(f"In {name} a phrase of {len(min(missing).split())} words is missing.")
        if extra := phrases - Counter(right):
            raise Wrong(f"In {name} {min(extra)!r} is too many: {_why_not(name, min(extra))}.")
    return "Five each, and the possessor is where the two treebanks part."


def _phrases(name: str) -> list[tuple[str, str]]:
    """The words and the label of every node, of the tree or of the derivation."""
    tree, derivation = plans()
    if name == "penn":
        return [(" ".join(node.leaves()), node.label()) for node in tree.subtrees()]
    return [(" ".join(node.words()), str(node.category)) for node in derivation.nodes()]


def _check_spelling(name: str, phrases: Iterable[str]) -> None:
    """A phrase with other capitals or spaces is no mistake about base NPs."""
    spelled = {words.replace(" ", "").casefold(): words for words, _ in _phrases(name)}
    for phrase in phrases:
        meant = spelled.get(phrase.replace(" ", "").casefold(), phrase)
        if phrase != meant:
            how = "with the same capitals and a space between any two words"
            raise Wrong(f"In {name} write {phrase!r} as in the picture, {how}: {meant!r}.")


def _why_not(name: str, phrase: str) -> str:
    labels = [label for words, label in _phrases(name) if words == phrase]
    if not labels:
        return "it is no phrase"
    if phrase in base_nps()[name == "ccg"]:
        return "it is in the list already"
    if labels[-1].endswith("[conj]"):
        return "it is a conjunct, and the NP in it is enough"
    if any(re.match(r"NP(?![^-]*[/\\])", label) for label in labels):
        return "it has an NP inside"
    return f"it is no NP but {labels[-1]}"


def _solve_base_nps() -> str:
    penn, ccg = base_nps()
    return (
        f"of_penn = {penn}\nof_ccg = {ccg}\n"
        "In the derivation The owner 's is no NP but NP[nb]/N, a determiner; its NP is The owner."
    )


# --- 01.2: the names of rules -------------------------------------------------------------------

PAIRS = (
    (r"(S[b]\NP)/NP", "NP[nb]"),
    ("NP", r"S[dcl]\NP"),
    (r"S/(S\NP)", r"(S[dcl]\NP)/NP"),
    (r"(S[dcl]\NP)/NP", r"(S\NP)\(S\NP)"),
    ("conj", "NP"),
    ("NP", "NP[conj]"),
    ("S[dcl]", "."),
)
"""The pairs of exercise 01.2."""
NAMES = tuple(name for name in SIGNS if name != "leaf")
"""A leaf is no step, so no rule makes it."""


def names_of_pairs() -> list[str]:
    """Which rule joins each of the ``PAIRS``."""
    joins = [combine(Category.parse(left), Category.parse(right)) for left, right in PAIRS]
    return [pair[1] for pair in joins if pair is not None]


def _judge_names(answer: Any) -> str:
    if not isinstance(answer, tuple | list) or len(answer) != len(PAIRS):
        raise Wrong(f"Give a list of {len(PAIRS)} names, one for each pair.")
    for yours, right, (left, other) in zip(answer, names_of_pairs(), PAIRS, strict=True):
        if yours not in NAMES:
            raise Wrong(f"{yours!r} is no name of a rule: take them from {', '.join(NAMES)}.")
        if yours != right:
            joined = combine(Category.parse(left), Category.parse(other))
            assert joined is not None
            raise Wrong(f"{left} and {other} are joined by another rule. They give {joined[0]}.")
    return "Forward and backward, applied, composed and crossed, and the two steps of 'and'."


def _solve_names() -> str:
    return f"names = {names_of_pairs()}"


# --- 01.3: rules read off -----------------------------------------------------------------------

Step = tuple[tuple[str, ...], str]


def steps(derivation: Derivation) -> Counter[Step]:
    """The categories of the children and of the parent, of every step."""
    return Counter(
        (tuple(str(child.category) for child in node.children), str(node.category))
        for node in derivation.nodes()
        if node.children
    )


def _judge_steps(answer: Any) -> str:
    function = function_of(answer, "steps")
    given = [
        plans()[1],
        *(sentence.derivation for sentence in corpus_of("gazette", "words").dev[:50]),
    ]
    for derivation in given:
        assert derivation is not None
        yours, right = function(derivation), steps(derivation)
        try:
            counted = Counter((tuple(map(str, parts)), str(parent)) for parts, parent in yours)
        except (TypeError, ValueError):
            raise Wrong("Return a list of pairs: (('NP', r'S[dcl]\\NP'), 'S[dcl]').") from None
        about = f"In {' '.join(derivation.words())!r}"
        if wrong := (right - counted) or (counted - right):
            step = min(wrong)
            raise Wrong(f"{about} the step {_step(step)} {_how_often(right[step], counted[step])}.")
    return f"The same steps for all {len(given)} derivations: that is how a grammar is read off."


def _how_often(right: int, yours: int) -> str:
    """What is wrong with a step's count."""
    if not (yours and right):
        return "is too many" if yours else "is missing"
    there, have = ("once" if n == 1 else f"{n} times" for n in (right, yours))
    return f"is there {there}, and you have it {have}"


def _step(step: Step) -> str:
    return f"{' '.join(step[0])} => {step[1]}"


def _solve_steps() -> str:
    return (
        "def steps(node):\n"
        "    if not node.children:\n"
        "        return []\n"
        "    here = tuple(str(child.category) for child in node.children), str(node.category)\n"
        "    return [here] + [step for child in node.children for step in steps(child)]"
    )


EXERCISES = (
    Exercise(
        "01.1",
        "List the base NPs of a tree and of a derivation.",
        (
            "A base NP is an NP without an NP inside. One word can be one: us.",
            "In the tree, is plans an NP by itself? Look at the bracket in front of it.",
            "In the derivation, which category does The owner 's have?",
        ),
        _judge_base_nps,
        _solve_base_nps,
    ),
    Exercise(
        "01.2",
        "Name the rule that joins two categories.",
        (
            "Application: the argument of one is the other, whole. A feature on one side only is "
            "no hindrance.",
            "Composition: one of them still lacks something, and the result lacks it too. Crossed: "
            "the two slashes point in different ways.",
            "'and' takes two steps, both called conj; the full stop stands right (rp).",
        ),
        _judge_names,
        _solve_names,
    ),
    Exercise(
        "01.3",
        "Read all rules off a derivation.",
        (
            "A node has .children and .category; a word has no children, and gives no step.",
            "Recursion: the step of this node, then the steps of each of its children.",
            "str(node.category) is the text. A unary step is a pair, too: (('N',), 'NP').",
        ),
        _judge_steps,
        _solve_steps,
    ),
)
