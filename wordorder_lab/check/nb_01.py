r"""Notebook 01, corpora and grammars: its exercises, what it looks at, and a small CCG parser.

The parser is CKY over the combinators: what do these words, in this order, give? It keeps the first
derivation of every category of a span, short left parts before long ones, so that functors take
whole arguments.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING

from wordorder_lab.check.exercise import Wrong
from wordorder_lab.check.judges import Case, OneOf, Several, exercise, listed
from wordorder_lab.corpora import Corpus
from wordorder_lab.corpora.gazette_corpus import folder
from wordorder_lab.corpora.readers import penn
from wordorder_lab.corpora.readers.ccgbank import base_np_spans
from wordorder_lab.corpora.readers.ccgbank import with_base_nps as with_base_nps
from wordorder_lab.corpora.readers.penn import parse_trees
from wordorder_lab.experiments.runs.corpora import corpus_of
from wordorder_lab.models.category_dictionary import CategoryDictionary
from wordorder_lab.structures.category import Category, CategoryError
from wordorder_lab.structures.combinators import combine, results
from wordorder_lab.structures.derivation import SIGNS, Derivation
from wordorder_lab.structures.sentence import Sentence

if TYPE_CHECKING:
    from nltk.tree import Tree


def gazette() -> Corpus:
    """The Gazette, read once: what has CCG derivations if the chosen corpus has none."""
    return corpus_of("gazette", None)


def gazette_sentence(split: str, number: int) -> tuple[str, str, str]:
    """A sentence as it stands in the files of a split, counted from 1: .mrg, .conllu and .auto."""
    files = ((folder() / split).with_suffix(f".{kind}") for kind in ("mrg", "conllu", "auto"))
    mrg, conllu, auto = (file.read_text(encoding="utf-8") for file in files)
    place = number - 1
    derivation = "\n".join(auto.splitlines()[2 * place : 2 * place + 2])
    return mrg.splitlines()[place], conllu.split("\n\n")[place], derivation


def units_of(text: str, traces_first: bool = False) -> list[str]:
    """The units of a Penn tree: base NPs, and the words outside; traces are dropped afterwards, as
    the reader does, or before."""
    (tree,) = parse_trees(text, "the tree")
    read = penn.without_traces(tree) if traces_first else tree
    whole = read and penn.with_base_nps(read)
    assert whole is not None, "there are words"
    return [" ".join(leaf) if isinstance(leaf, tuple) else leaf for leaf in whole.leaves()]


BARE_NOUNS = {"N": "NP"}  # a noun that is a phrase by itself
AND_ADVERBS = {**BARE_NOUNS, "NP": r"(S\NP)\(S\NP)"}  # and *this year* as an adverb

Cell = dict[Category, Derivation]
Word = tuple[str, str, str]  # a word, its tag and its category


def parsed(
    words: Sequence[Word], changes: Mapping[str, str] = BARE_NOUNS
) -> dict[tuple[int, int], Cell]:
    """Span -> category -> a derivation; ``changes`` says what becomes what by itself.

    Raises ``CategoryError``, a ``ValueError``, for what is no category.
    """
    chart: dict[tuple[int, int], Cell] = {}
    for i, (word, tag, category) in enumerate(words):
        chart[i, i + 1] = {}
        _add(chart[i, i + 1], Derivation.leaf(word, tag, Category.parse(category)), changes)
    for length in range(2, len(words) + 1):
        for start in range(len(words) - length + 1):
            cell = chart[start, start + length] = {}
            for middle in range(start + 1, start + length):
                for left in chart[start, middle].values():
                    for right in chart[middle, start + length].values():
                        for joined, _ in results(left.category, right.category):
                            _add(cell, Derivation.binary(joined, left, right), changes)
    return chart


def _add(cell: Cell, node: Derivation, changes: Mapping[str, str]) -> None:
    """Keep a node if its category is new, and what it changes into."""
    while node.category not in cell:
        cell[node.category] = node
        if str(node.category) not in changes:
            return
        node = Derivation.unary(Category.parse(changes[str(node.category)]), node)


def derivation_of(
    words: Sequence[Word], category: str, changes: Mapping[str, str] = BARE_NOUNS
) -> Derivation | None:
    """A derivation of this category over all the words; ``None`` if there is none."""
    return parsed(words, changes)[0, len(words)].get(Category.parse(category))


def tagged(text: str) -> list[Word]:
    r"""Words from ``IBM:NNP:N bought:VBD:(S[dcl]\NP)/NP``."""
    triples = (part.split(":", 2) for part in text.split())
    return [(word, tag, category) for word, tag, category in triples]


# --- exercises ------------------------------------------------------------------------------------

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
    return Derivation.binary(_rule_for(left.category, right.category)[0], left, right)


def _rule_for(left: Category, right: Category) -> tuple[Category, str]:
    joined = combine(left, right)
    assert joined is not None
    return joined


def _base_nps() -> dict[str, list[str]]:
    tree, derivation = plans()
    whole, words = penn.with_base_nps(tree), derivation.words()
    assert whole is not None
    return {
        "penn": [" ".join(leaf) for leaf in whole.leaves() if isinstance(leaf, tuple)],
        "ccg": [" ".join(words[start:end]) for start, end in base_np_spans(derivation)],
    }


def _phrases(name: str) -> list[tuple[str, str]]:
    tree, derivation = plans()
    if name == "penn":
        return [(" ".join(node.leaves()), node.label()) for node in tree.subtrees()]
    return [(" ".join(node.words()), str(node.category)) for node in derivation.nodes()]


def _judge_base_nps(answer: object) -> str:
    shape = "Hand in two lists of phrases: check('01.1', (of_penn, of_ccg))."
    for (name, phrases), yours in zip(_base_nps().items(), listed(answer, 2, shape), strict=True):
        if not isinstance(yours, tuple | list) or not all(isinstance(one, str) for one in yours):
            raise Wrong(f"{name} is a list of strings, such as ['the old harbour'].")
        given, right = Counter(" ".join(one.split()) for one in yours), Counter(phrases)
        spelled = {words.replace(" ", "").casefold(): words for words, _ in _phrases(name)}
        for phrase in given:  # other capitals or spaces are no mistake about base NPs
            meant = spelled.get(phrase.replace(" ", "").casefold(), phrase)
            if phrase != meant:
                how = "with the same capitals and a space between any two words"
                raise Wrong(f"In {name} write {phrase!r} as in the picture, {how}: {meant!r}.")
        if missing := right - given:
            raise Wrong(f"In {name} a phrase of {len(min(missing).split())} words is missing.")
        if extra := given - right:
            why = _why_not(name, min(extra), right)
            raise Wrong(f"In {name} {min(extra)!r} is too many: {why}.")
    return "Five each, and the possessor is where the two treebanks part."


def _why_not(name: str, phrase: str, right: Counter[str]) -> str:
    labels = [label for words, label in _phrases(name) if words == phrase]
    if not labels:
        return "it is no phrase"
    if phrase in right:
        return "it is in the list already"
    if labels[-1].endswith("[conj]"):
        return "it is a conjunct, and the NP in it is enough"
    if any(re.match(r"NP(?![^-]*[/\\])", label) for label in labels):
        return "it has an NP inside"
    return f"it is no NP but {labels[-1]}"


@exercise("01.1", judge=_judge_base_nps)
def both_lists() -> tuple[list[str], list[str]]:
    """List the base NPs of a tree and of a derivation.

    - A base NP is an NP without an NP inside. One word can be one: us.
    - In the tree, is plans an NP by itself? Look at the bracket in front of it.
    - In the derivation, which category does The owner 's have?

    *The owner 's plans* has an NP inside, so it is no base NP; in Penn's tree that NP is *The owner
    's*. In CCG *The owner 's* does what *the* does: it needs a noun and is no NP by itself
    (`NP[nb]/N`). Its NP is *The owner*. The rest is the same. *plans* is an NP in neither.
    """
    of_penn = ["The owner 's", "the old harbour", "its boats", "us", "this year"]
    of_ccg = ["The owner", "the old harbour", "its boats", "us", "this year"]
    return of_penn, of_ccg


PAIRS = (
    (r"(S[b]\NP)/NP", "NP[nb]"),
    ("NP", r"S[dcl]\NP"),
    (r"S/(S\NP)", r"(S[dcl]\NP)/NP"),
    (r"(S[dcl]\NP)/NP", r"(S\NP)\(S\NP)"),
    ("conj", "NP"),
    ("NP", "NP[conj]"),
    ("S[dcl]", "."),
)
NAMES = tuple(name for name in SIGNS if name != "leaf")  # a leaf is no step, so no rule makes it


def _joins() -> Iterator[Case]:
    for left, right in PAIRS:
        category, name = _rule_for(Category.parse(left), Category.parse(right))
        yield Case(f"The rule that joins {left} and {right}, which gives {category}", name)


@exercise("01.2", _joins, OneOf(NAMES))
def names_of_rules() -> list[str]:
    """Name the rule that joins two categories.

    - Application: the argument of one is the other, whole. A feature on one side only is no
      hindrance.
    - Composition: one of them still lacks something, and the result lacks it too. Crossed: the two
      slashes point in different ways.
    - 'and' takes two steps, both called conj; the full stop stands right (rp).

    In the fourth pair the adverb wants a whole verb phrase, and the verb has no object yet. Crossed
    composition joins them all the same, and the result still asks for the object: *bought quickly*
    ... *the shares*.

    Right: Forward and backward, applied, composed and crossed, and the two steps of 'and'.
    """
    return ["fa", "ba", "fc", "bx", "conj", "conj", "rp"]


Step = tuple[tuple[str, ...], str]  # the categories of the children and of the parent


def _derivations() -> Iterator[Case]:
    of_gazette = [one.derivation for one in corpus_of("gazette", "words").dev[:50]]
    for derivation in filter(None, [plans()[1], *of_gazette]):
        about = f"In {' '.join(derivation.words())!r}"
        yield Case(about, list(map(_step, steps(derivation))), (derivation,))


def _step(pair: tuple[Sequence[object], object]) -> str:
    parts, parent = pair
    return f"{' '.join(map(str, parts))} => {parent}"


STEPS = Several(
    r"a list of pairs such as (('NP', r'S[dcl]\NP'), 'S[dcl]')", item=_step, counted=True
)


@exercise("01.3", _derivations, STEPS)
def steps(node: Derivation) -> list[Step]:
    """Read all rules off a derivation.

    - A node has .children and .category; a word has no children, and gives no step.
    - Recursion: the step of this node, then the steps of each of its children.
    - str(node.category) is the text. A unary step is a pair, too: (('N',), 'NP').

    A word is no step. Everything else is one, and its children hold the rest.

    Right: The same steps for all {count} derivations: that is how a grammar is read off.
    """
    if not node.children:
        return []
    here = tuple(str(child.category) for child in node.children), str(node.category)
    return [here] + [step for child in node.children for step in steps(child)]


SENTENCES = (
    "she gave him flowers",
    "she never gave him flowers",
    "she has never given him flowers",
)
GIVEN = {
    "she": "NP",
    "him": "NP",
    "flowers": "N",
    "has": r"(S[dcl]\NP)/(S[pt]\NP)",
    "given": r"((S[pt]\NP)/NP)/NP",
}


def _judge_categories(answer: object) -> str:
    if not isinstance(answer, dict) or {*answer} != {"gave", "never"}:
        raise Wrong('Give a dictionary: {"gave": ..., "never": ...}.')
    try:
        found = {word: str(Category.parse(str(text))) for word, text in answer.items()}
    except CategoryError as error:
        raise Wrong(f"{error}.") from None
    for sentence in SENTENCES:
        words = [(word, "", {**GIVEN, **found}[word]) for word in sentence.split()]
        if derivation_of(words, "S[dcl]") is None:
            raise Wrong(f"{sentence!r} does not become S[dcl]. {_how_far(words)}")
    return "Three sentences from two categories: S without a feature stands for any S."


def _how_far(words: list[Word]) -> str:
    """The longest phrase that comes out, the one furthest right if there are several."""
    built = {span: cell for span, cell in parsed(words).items() if cell}
    start, end = max(built, key=lambda span: (span[1] - span[0], span[0]))
    if end - start == 1:
        return "No two words join."
    phrase = " ".join(word for word, _, _ in words[start:end])
    names = " or ".join(sorted(map(str, built[start, end])))
    return f"The longest phrase is {phrase!r}, which is {names}."


@exercise("01.4", judge=_judge_categories)
def categories() -> dict[str, str]:
    r"""Find categories for gave and never.

    - gave him flowers is S[dcl]\NP, like slept. What does gave lack?
    - never stands before a verb phrase, and the two are a verb phrase again.
    - never given is S[pt]\NP, never gave is S[dcl]\NP. Which S goes with both?

    *gave* needs two objects, then a subject. *never* must not fix the feature: with
    `(S[dcl]\NP)/(S[dcl]\NP)` the second sentence comes out, the third does not.
    """
    return {"gave": r"((S[dcl]\NP)/NP)/NP", "never": r"(S\NP)/(S\NP)"}


def dictionary_row(
    seen: Sequence[Sentence], unseen: Sequence[Sentence], more_than: int
) -> dict[str, object]:
    """A row for a dictionary with entries for words seen more often than that: how many categories
    it offers for a unit of other sentences, and how often the right one is among them."""
    dictionary = CategoryDictionary.of(seen, seen=more_than)
    right = offered = units = 0
    for sentence in unseen:
        assert sentence.derivation is not None
        for token, leaf in zip(sentence, sentence.derivation.leaves(), strict=True):
            candidates = dictionary.lookup(token.words, token.pos)
            units, offered = units + 1, offered + len(candidates)
            right += leaf.category in candidates
    return {
        "its own entry if seen more than": more_than,
        "words with an entry": len(dictionary.words),
        "categories a unit": offered / units,
        "the right one is there": f"{right / units:.2%}",
    }
