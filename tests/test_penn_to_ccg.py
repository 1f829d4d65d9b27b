"""Penn trees to CCG derivations, by the constructions of the literature; then the whole sample."""

from __future__ import annotations

import random

import pytest
from nltk.tree import Tree

from wordorder_lab.corpora.penn_corpora import PennTree
from wordorder_lab.corpora.penn_derivations import tagged_words
from wordorder_lab.corpora.penn_to_ccg.convert import MAX_LEVELS, REASONS, to_derivation
from wordorder_lab.corpora.readers.corpus import CorpusError, Splits
from wordorder_lab.corpora.readers.penn import to_sentence
from wordorder_lab.corpora.treebanks import load_trees
from wordorder_lab.structures.derivation import Derivation

VP = r"S\NP"
ADVERB = rf"({VP})\({VP})"


def derived(text: str) -> Derivation:
    conversion = to_derivation(Tree.fromstring(text))
    assert conversion.derivation is not None, conversion.detail
    assert conversion.reason == "" and conversion.derivation.problem() is None
    return conversion.derivation


def categories(derivation: Derivation) -> dict[str, str]:
    """The category of every word; no test sentence has a word twice with two categories."""
    return {leaf.word: leaf.category.text for leaf in derivation.leaves()}


CONSTRUCTIONS = r"""
# a transitive clause with a compound and an adverbial
(S (NP-SBJ (DT the) (NN paper) (NN mill)) (VP (VBD sold) (NP (JJ old) (NNS bonds)) (NP-TMP (JJ
last) (NN week))) (. .))
-> S[dcl] by ba fa rp tc: the NP[nb]/N | paper N/N | mill N | sold (S[dcl]\NP)/NP | last
((S\NP)\(S\NP))/((S\NP)\(S\NP)) | week (S\NP)\(S\NP) | . .
# modal, perfect, passive
(S (NP-SBJ-1 (PRP it)) (VP (MD may) (RB not) (VP (VB have) (VP (VBN been) (VP (VBN seen) (NP
(-NONE- *-1)) (PP (IN by) (NP-LGS (NNS thieves))))))))
-> S[dcl] by bx: may (S[dcl]\NP)/(S[b]\NP) | not (S\NP)\(S\NP) | have (S[b]\NP)/(S[pt]\NP) | been
(S[pt]\NP)/(S[pss]\NP) | seen S[pss]\NP | by ((S\NP)\(S\NP))/NP
# subject control
(S (NP-SBJ-1 (NNP Kim)) (VP (VBZ wants) (S (NP-SBJ (-NONE- *-1)) (VP (TO to) (VP (VB sleep))))))
-> S[dcl] by ba fa: wants (S[dcl]\NP)/(S[to]\NP) | to (S[to]\NP)/(S[b]\NP) | sleep S[b]\NP
# object control: the small clause comes apart
(S (NP-SBJ (NNP Kim)) (VP (VBZ wants) (S (NP-SBJ (PRP her)) (VP (TO to) (VP (VB sleep))))))
-> S[dcl] by ba fa: wants ((S[dcl]\NP)/(S[to]\NP))/NP | her NP
# a predicate of an object
(S (NP-SBJ (PRP they)) (VP (VBD called) (S (NP-SBJ (PRP him)) (ADJP-PRD (JJ rich)))))
-> S[dcl] by fa: called ((S[dcl]\NP)/(S[adj]\NP))/NP | rich S[adj]\NP
# a subject relative
(NP (NP (DT the) (NN man)) (SBAR (WHNP-1 (WP who)) (S (NP-SBJ (-NONE- *T*-1)) (VP (VBZ sings)))))
-> NP by ba fa: who (NP\NP)/(S[dcl]\NP) | sings S[dcl]\NP
# an object relative
(NP (NP (DT the) (NN song)) (SBAR (WHNP-1 (WDT that)) (S (NP-SBJ (PRP I)) (VP (VBP think) (SBAR
(-NONE- 0) (S (NP-SBJ (PRP she)) (VP (VBD sang) (NP (-NONE- *T*-1)))))))))
-> NP by fc tr: that (NP\NP)/(S[dcl]/NP) | think (S[dcl]\NP)/S[dcl] | I NP
# a relative out of a subject further down
(NP (NP (DT the) (NN girl)) (SBAR (WHNP-1 (WP who)) (S (NP-SBJ (PRP I)) (VP (VBP think) (SBAR
(-NONE- 0) (S (NP-SBJ (-NONE- *T*-1)) (VP (VBD sang))))))))
-> NP by fc tr: who (NP\NP)/(S[dcl]/NP) | think ((S[dcl]\NP)/NP)/(S[dcl]\NP)
# a relative without a pronoun, out of the middle
(NP (NP (DT the) (NN book)) (SBAR (WHNP-1 (-NONE- 0)) (S (NP-SBJ (PRP I)) (VP (VBD put) (NP
(-NONE- *T*-1)) (PP-PUT (IN on) (NP (NN top)))))))
-> NP by bx tc tr: put ((S[dcl]\NP)/PP)/NP | on PP/NP
# pied piping
(NP (NP (DT the) (NN house)) (SBAR (WHPP-1 (IN in) (WHNP (WDT which))) (S (NP-SBJ (PRP he)) (VP
(VBZ lives) (PP-LOC (-NONE- *T*-1))))))
-> NP by ba: in (NP\NP)/NP | which ((NP\NP)/S[dcl])\((NP\NP)/NP) | lives S[dcl]\NP
# whose
(NP (NP (NNS firms)) (SBAR (WHNP-1 (WP$ whose) (NNS shares)) (S (NP-SBJ (-NONE- *T*-1)) (VP (VBD
fell)))))
-> NP by fa: whose ((NP\NP)/(S[dcl]\NP))/N | shares N
# a free relative
(S (NP-SBJ (PRP I)) (VP (VBP eat) (SBAR-NOM (WHNP-1 (WP what)) (S (NP-SBJ (PRP you)) (VP (VBP
cook) (NP (-NONE- *T*-1)))))))
-> S[dcl] by tr: what NP/(S[dcl]/NP) | eat (S[dcl]\NP)/NP
# a reduced relative between commas, and an apposition
(S (NP-SBJ (NP (DT the) (NN firm)) (, ,) (VP (VBN based) (PP-LOC-CLR (IN in) (NP (NNP Rome)))) (,
,)) (VP (VBZ is) (NP-PRD (NP (DT a) (NN giant)) (, ,) (NP (DT the) (JJS largest)))) (. .))
-> S[dcl] by conj rp tc: based (S[pss]\NP)/PP | largest N | giant N
# a wh-question with inversion
(SBARQ (WHNP-1 (WP what)) (SQ (VBD did) (NP-SBJ (NNP Kim)) (VP (VB see) (NP (-NONE- *T*-1)))) (.
?))
-> S[wq] by fc: what S[wq]/(S[q]/NP) | did (S[q]/(S[b]\NP))/NP | ? .
# a topic and inversion: said she
(SINV (`` ``) (S-TPC-1 (NP-SBJ (PRP it)) (VP (VBZ rains))) (, ,) ('' '') (VP (VBD said) (S (-NONE-
*T*-1))) (NP-SBJ (NNP Kim)) (. .))
-> S[dcl] by ba lp rp: said (S[dcl]\S[dcl])/NP | `` LQU | '' RQU
# a parenthetical
(S-1 (NP-SBJ (DT the) (NN firm)) (PRN (, ,) (S (NP-SBJ (PRP he)) (VP (VBD said) (SBAR (-NONE- 0)
(S (-NONE- *T*-1))))) (, ,)) (VP (MD will) (VP (VB close))))
-> S[dcl] by fc tc tr: said (S[dcl]\NP)/S[dcl] | will (S[dcl]\NP)/(S[b]\NP)
# tough movement
(S (NP-SBJ (NNP Kim)) (VP (VBZ is) (ADJP-PRD (JJ easy) (SBAR (WHNP-1 (-NONE- 0)) (S (NP-SBJ
(-NONE- *)) (VP (TO to) (VP (VB please) (NP (-NONE- *T*-1)))))))))
-> S[dcl] by fc: easy (S[adj]\NP)/((S[to]\NP)/NP) | is (S[dcl]\NP)/(S[adj]\NP)
# right node raising out of prepositional phrases
(S (NP-SBJ (PRP they)) (VP (VP (VBP look) (PP-CLR (IN at) (NP (-NONE- *RNR*-1)))) (CC and) (VP
(VBP pay) (PP-CLR (IN for) (NP (-NONE- *RNR*-1)))) (NP-1 (NNS cars))))
-> S[dcl] by conj fc: look (S[dcl]\NP)/PP | at PP/NP | pay (S[dcl]\NP)/PP
# right node raising
(S (NP-SBJ (PRP we)) (VP (VP (VBP make) (NP (-NONE- *RNR*-1))) (CC and) (VP (VBP sell) (NP (-NONE-
*RNR*-1))) (NP-1 (NNS cars))))
-> S[dcl] by conj: make (S[dcl]\NP)/NP | sell (S[dcl]\NP)/NP | and conj | cars N
# coordination of nouns, of words, of clauses
(S (S (NP-SBJ (DT the) (NNS cats) (CC and) (NNS dogs)) (VP (VBP hunt) (CC or) (VBP eat) (NP (NNS
mice)))) (, ,) (CC but) (S (NP-SBJ (PRP I)) (VP (VBP do) (RB n't))))
-> S[dcl] by conj lp: cats N | hunt (S[dcl]\NP)/NP | eat (S[dcl]\NP)/NP | do S[dcl]\NP
# coordination of unlikes
(S (NP-SBJ (PRP he)) (VP (VBZ is) (UCP-PRD (ADJP (JJ rich)) (CC and) (PP (IN in) (NP (NN
love))))))
-> S[dcl] by conj: is (S[dcl]\NP)/(S[adj]\NP) | rich S[adj]\NP | in (S[adj]\NP)/NP
# expletives
(S (S (NP-SBJ (EX there)) (VP (VBZ is) (NP-PRD (NN hope)))) (CC and) (S (NP-SBJ (NP (PRP it))
(SBAR (-NONE- *EXP*-1))) (VP (VBZ seems) (ADJP-PRD (JJ true)) (SBAR-1 (IN that) (S (NP-SBJ (NNP
Kim)) (VP (VBZ sings)))))))
-> S[dcl] by conj: there NP[thr] | is (S[dcl]\NP[thr])/NP | it NP[expl] | seems
((S[dcl]\NP[expl])/S[em])/(S[adj]\NP) | that S[em]/S[dcl]
# quantities, dates, possessives
(S (NP-SBJ (NP (NNP Kim) (POS 's)) (NN firm)) (VP (VBD lost) (NP (QP (JJR more) (IN than) ($ $)
(CD 10) (CD million))) (NP-TMP (NNP Nov.) (CD 29))))
-> S[dcl] by ba: 's (NP[nb]/N)\NP | more S[adj]\NP | than (N/N)\(S[adj]\NP) | $ N/N | million N |
Nov. ((S\NP)\(S\NP))/N[num] | 29 N[num]
# a purpose, and a relative clause behind the verb phrase
(S (NP-SBJ (PRP it)) (VP (VBD rose) (NP-EXT (CD 9) (NN %)) (SBAR-PRP (IN so) (IN that) (S (NP-SBJ
(PRP we)) (VP (VBD sold)))) (, ,) (SBAR (WHNP-1 (WDT which)) (S (NP-SBJ (-NONE- *T*-1)) (VP (VBD
helped))))))
-> S[dcl] by lp: so ((S\NP)\(S\NP))/S[em] | that S[em]/S[dcl] | which ((S\NP)\(S\NP))/(S[dcl]\NP)
| rose S[dcl]\NP | % (S\NP)\(S\NP)
# an adverb inside a question
(SBARQ (WHADVP-1 (WRB why)) (SQ (VBZ does) (NP-SBJ (PRP he)) (ADVP-TMP (RB always)) (VP (VB wait)
(ADVP-PRP (-NONE- *T*-1)))) (. ?))
-> S[wq] by fa rp: why S[wq]/S[q] | always (S\NP)/(S\NP) | wait S[b]\NP
# gerunds: as a subject, behind a preposition, as an adjunct
(S (S-ADV (NP-SBJ (-NONE- *-1)) (VP (VBG smiling))) (, ,) (S-NOM-SBJ (NP-SBJ (-NONE- *)) (VP (VBG
waiting))) (VP (VBZ helps) (PP-MNR (IN by) (S-NOM (NP-SBJ (-NONE- *)) (VP (VBG saving) (NP (NN
time)))))))
-> S[dcl] by tc: smiling S[ng]\NP | by ((S\NP)\(S\NP))/(S[ng]\NP) | helps S[dcl]\NP
# a question for the subject
(SBARQ (RB So) (WHNP-1 (WP who)) (SQ (NP-SBJ (-NONE- *T*-1)) (VP (VBZ knows) (SBAR (WHNP-2 (WP
what)) (SQ (VBZ is) (NP-SBJ (-NONE- *T*-2)) (VP (VBG burning)))))) (. ?))
-> S[wq] by fa: So S/S | who S[wq]/(S[dcl]\NP) | knows (S[dcl]\NP)/S[qem] | what
S[qem]/(S[dcl]\NP) | is (S[dcl]\NP)/(S[ng]\NP)
# a clause in a fragment
(FRAG (NP (DT the) (NN reason)) (: :) (S (NP-SBJ (NNS wolves)) (VP (VBP howl))) (. .))
-> S[dcl] by fa: the (S/S)/N | reason N | howl S[dcl]\NP
# what leads two clauses, and a conjunction beside the subject
(S (PP (IN in) (NP (NNP May))) (, ,) (S (NP-SBJ (PRP it)) (CONJP (RB not) (RB only)) (VP (VBZ
rains))) (CC and) (S (NP-SBJ (PRP we)) (VP (VBP wait))) (. .))
-> S[dcl] by conj: in (S/S)/NP | rains S[dcl]\NP | wait S[dcl]\NP | and conj
# clauses, names and more in parentheses
(S (NP-SBJ (NP (NNP Kim)) (PRN (-LRB- -LRB-) (NP (JJ tall) (NNP Lee)) (-RRB- -RRB-))) (VP (VBZ
eats) (NP (NP (NNS figs)) (PRN (: --) (S (NP-SBJ (PRP they)) (VP (VBP abound))) (: --)))))
-> S[dcl] by tc: tall N/N | Lee N | abound S[dcl]\NP
# unlike objects
(S (NP-SBJ (PRP they)) (VP (VBP fear) (UCP (NP (NNS wolves)) (CC and) (SBAR (IN that) (S (NP-SBJ
(PRP it)) (VP (VBZ rains)))))))
-> S[dcl] by conj: fear (S[dcl]\NP)/NP | wolves N | that NP/S[dcl] | rains S[dcl]\NP
# an apposition to a verb phrase
(S (NP-SBJ (NNS prices)) (VP (VP (VBD fell)) (, ,) (NP (NP (DT the) (JJ first) (NN drop)) (PP (IN
since) (NP (NNP May))))))
-> S[dcl] by tc: fell S[dcl]\NP | the NP[nb]/N | since (NP\NP)/NP
# a relative clause away from its noun
(S (NP-SBJ (PRP he)) (VP (VBD met) (NP (NP (DT a) (NN dog)) (SBAR (-NONE- *ICH*-1))) (NP-TMP (NN
today)) (SBAR-1 (WHNP-2 (WDT that)) (S (NP-SBJ (-NONE- *T*-2)) (VP (VBZ sings))))))
-> S[dcl] by ba: met (S[dcl]\NP)/NP | that ((S\NP)\(S\NP))/(S[dcl]\NP)
# verbs in a list, and a base form below that
(S (NP-SBJ (PRP we)) (VP (VBP wash) (, ,) (VBP peel) (CC and) (VBP cook) (NP (NNS figs)) (SBAR-PRP
(IN so) (IN that) (S (NP-SBJ (PRP he)) (VP (VB stay))))))
-> S[dcl] by conj: wash (S[dcl]\NP)/NP | peel (S[dcl]\NP)/NP | cook (S[dcl]\NP)/NP | that
S[em]/S[b] | stay S[b]\NP
# wrong tags: finite verbs and participles
(S (S-ADV (NP-SBJ (-NONE- *-1)) (VP (VBD asked) (PP (IN for) (NP (NNS figs))))) (, ,) (NP-SBJ-1
(PRP we)) (VP (VP (VBN waited)) (CC and) (VP (VB sing) (, ,) (S-ADV (NP-SBJ (-NONE- *)) (VP (JJ
eating) (NP (NNS plums)))))))
-> S[dcl] by conj tc: asked S[pss]\NP | waited S[dcl]\NP | sing S[dcl]\NP | eating (S[ng]\NP)/NP
# how many of two coordinated nouns; plus as a preposition; adverbs that are coordinated
(SBARQ (WHNP-1 (WHADJP (WRB how) (JJ many)) (NNS cats) (CC and) (NNS dogs)) (SQ (NP-SBJ (-NONE-
*T*-1)) (VP (VBP eat) (PP (CC plus) (NP (NNS figs))) (ADVP (RB here) (CC or) (RB there)))))
-> S[wq] by conj: how ((S[wq]/(S[dcl]\NP))/N)/(NP/N) | dogs N | plus ((S\NP)\(S\NP))/NP | here
(S\NP)\(S\NP) | there (S\NP)\(S\NP)
"""
"""Construction; tree; the category of the whole, rules that must occur, some words with theirs."""


def constructions() -> dict[str, tuple[str, str, list[str], dict[str, str]]]:
    found = {}
    for block in CONSTRUCTIONS.replace("\n", " ").split("# ")[1:]:
        name, _, rest = block.partition(" (")
        tree, _, rest = rest.partition(" -> ")
        steps, _, words = rest.partition(": ")
        whole, _, needed = steps.partition(" by ")
        pairs = dict(pair.split() for pair in words.split(" | "))
        found[name] = f"({tree}", whole, needed.split(), pairs
    return found


EVERY = constructions()


@pytest.mark.parametrize("construction", EVERY)
def test_construction(construction: str) -> None:
    text, whole, needed, words = EVERY[construction]
    derivation = derived(text)
    assert derivation.category.text == whole
    given = categories(derivation)
    assert {word: given[word] for word in words} == words
    assert {*needed} <= {node.rule for node in derivation.nodes()}


@pytest.mark.parametrize(
    "behind",
    [
        "(VP (VBZ is) (NP-PRD (NNP Kim)) (SBAR {}))",
        "(VP (VBZ is) (NP (NNP Kim)) (SBAR-NOM {}))",
        "(VP (VBZ is) (NP-PRD (NNP Kim)) (, ,) (SBAR {}))",
        "(VP (VBZ is) (NP-PRD (NNP Kim))) (SBAR {})",
        "(VP (MD will) (VP (VB be) (NP-PRD (NNP Kim)) (SBAR {})))",
    ],
)
@pytest.mark.parametrize(
    ("relative", "who"),
    [
        ("(WHNP-1 (WP who)) (S (NP-SBJ (-NONE- *T*-1)) (VP (VBZ sings)))", r"(S[dcl]\NP)"),
        (
            "(WHNP-1 (WP who)) (S (NP-SBJ (PRP I)) (VP (VBP see) (NP (-NONE- *T*-1))))",
            "(S[dcl]/NP)",
        ),
        ("(WHNP-1 (-NONE- 0)) (S (NP-SBJ (PRP I)) (VP (VBP see) (NP (-NONE- *T*-1))))", ""),
    ],
)
def test_clefts_have_one_analysis(behind: str, relative: str, who: str) -> None:
    """Wherever the Treebank attaches the clause, it modifies what stands behind the verb."""
    derivation = derived(f"(S-CLF (NP-SBJ (PRP it)) {behind.format(relative)})")
    given = categories(derivation)
    copula = given.get("is", given.get("be"))
    assert derivation.category.text == "S[dcl]" and given["it"] == "NP"
    assert copula in (r"(S[dcl]\NP)/NP", r"(S[b]\NP)/NP")
    assert given.get("who", "") == (who and rf"(NP\NP)/{who}")


def test_a_head_is_the_verb_and_not_its_modifier() -> None:
    text, *_ = EVERY["a transitive clause with a compound and an adverbial"]
    assert derived(text).lexical_head == 3


def test_one_word_and_a_phrase_that_is_no_sentence() -> None:
    assert derived("(INTJ (UH Yes))").category.text == "S[intj]"
    assert derived("(NP (NNP Rome))").category.text == "NP"
    assert derived("(S (NP-SBJ (-NONE- *)) (VP (VB Go)) (. !))").category.text == r"S[b]\NP"


def test_the_steps_are_shown_on_request_also_of_a_failure() -> None:
    tree = Tree.fromstring(EVERY["an object relative"][0])
    assert to_derivation(tree).steps == ()
    steps = dict(to_derivation(tree, steps=True).steps)
    assert list(steps) == ["Penn", "preprocessed", "constituent types", "binarised", "categories"]
    assert steps["Penn"] == tree
    assert steps["binarised"].leaves() == steps["preprocessed"].leaves()
    assert max(len(node) for node in steps["binarised"].subtrees()) == 2
    empty = to_derivation(Tree.fromstring("(S (NP-SBJ (-NONE- *)))"), steps=True)
    assert [name for name, _ in empty.steps] == ["Penn"]


def nested(levels: int) -> Tree:
    tree = Tree("NP", [Tree("NN", ["end"])])
    for _ in range(levels):
        tree = Tree(
            "NP", [Tree("NP", [Tree("NN", ["part"])]), Tree("PP", [Tree("IN", ["of"]), tree])]
        )
    return tree


OPEN_TRACE = (
    "(S (NP-SBJ (PRP it)) (VP (VBZ is) (ADJP-PRD (JJ clear)) (SBAR (SBAR (WHNP-1 (WP who))"
    " (S (NP-SBJ (-NONE- *T*-1)) (VP (POS 's) (ADJP-PRD (JJ hot))))) (: --) (NN and) (SBAR"
    " (WHNP-2 (WP who)) (S (NP-SBJ (-NONE- *T*-2)) (VP (VBZ sings)))))))"
)
CLUSTER = (
    "(S (NP-SBJ (PRP we)) (VP (VP (VBD ate) (NP-1 (NNS figs)) (PP-2 (IN in) (NP (NNP May))))"
    " (CC and) (VP (NP=1 (NNS plums)) (PP=2 (IN in) (NP (NNP June))))))"
)
UNLIKE_CLAUSES = (
    "(S (S (NP-SBJ (-NONE- *)) (VP (VB wait))) (CC and) (S (NP-SBJ (PRP it)) (VP (MD will)"
    " (VP (VB rain)))))"
)
UNLIKE_SMALL_CLAUSE = (
    "(S (NP-SBJ (PRP we)) (VP (VBP find) (UCP (S (NP-SBJ (NNP Kim)) (ADJP-PRD (JJ tall))) (CC and)"
    " (SBAR (IN that) (S (NP-SBJ (PRP it)) (VP (VBZ rains)))))))"
)


@pytest.mark.parametrize(
    ("tree", "reason"),
    [
        (Tree("S", [Tree("-NONE-", ["*"])]), "no words"),
        (Tree("S", []), "no tree of ours"),
        (Tree("NP", [("base", "NP")]), "no tree of ours"),
        (Tree("NP", ["two", "words"]), "no tree of ours"),
        (nested(2000), "too deep"),
        (Tree("NP", [Tree("NN", ["word"]) for _ in range(5000)]), "too deep"),
        (Tree.fromstring(OPEN_TRACE), "trace"),
        (Tree.fromstring(CLUSTER), "argument cluster"),
        (Tree.fromstring(UNLIKE_CLAUSES), "unary step"),
        (Tree.fromstring(UNLIKE_SMALL_CLAUSE), "coordination"),
    ],
)
def test_what_cannot_be_converted_has_a_reason(tree: Tree, reason: str) -> None:
    conversion = to_derivation(tree)
    assert conversion.derivation is None and conversion.reason == reason
    assert conversion.detail and "\n" not in conversion.detail


def test_what_is_just_not_too_deep_stays_far_from_the_limit_of_recursion() -> None:
    def from_deep_inside(frames: int) -> Derivation | None:
        return from_deep_inside(frames - 1) if frames else to_derivation(tree).derivation

    tree = nested(MAX_LEVELS // 6 - 1)
    assert from_deep_inside(200) is not None


@pytest.fixture(scope="module")
def sample() -> Splits[PennTree]:
    """NLTK's sample; its conversion is kept in the cache of the user."""
    try:
        return load_trees("ptb-sample")
    except CorpusError as error:
        pytest.skip(str(error))


@pytest.mark.corpus
def test_damaged_trees_are_converted_or_have_a_reason(sample: Splits[PennTree]) -> None:
    """Words lost, labels exchanged, children reversed: never an exception, never other words."""
    random.seed(5)
    trees = [one.tree for one in sample.dev]
    labels = ["FOO", *{node.label() for tree in trees for node in tree.subtrees()} - {"-NONE-"}]
    labels.sort()
    for tree in random.choices(trees, k=300):
        damaged = tree.copy(deep=True)
        phrases = [node for node in damaged.subtrees() if isinstance(node[0], Tree)]
        for node in random.choices(phrases, k=3):
            match random.randrange(3):
                case 0 if len(node) > 1:
                    del node[random.randrange(len(node))]
                case 1:
                    node.set_label(random.choice(labels))
                case _:
                    node.reverse()
        derivation = to_derivation(damaged).derivation
        if derivation is not None:
            sentence = to_sentence(damaged)
            assert sentence is not None
            assert derivation.words() == sentence.surface and derivation.problem() is None


FOUND = {
    "wsj_0059.mrg:6": "S[wq]",
    "wsj_0118.mrg:180": "S[wq]",
    "wsj_0034.mrg:22": "S[dcl]",
    "wsj_0105.mrg:9": "S[dcl]",
    "wsj_0118.mrg:94": "S[dcl]",
    "wsj_0071.mrg:56": "trace",
    "wsj_0012.mrg:9": "argument cluster",
    "wsj_0118.mrg:142": "unary step",
}
"""Sentences of the sample, and the category of the whole or the reason why there is none."""
CATEGORIES = {
    ("wsj_0059.mrg:6", "WP"): r"S[wq]/(S[dcl]\NP)",
    ("wsj_0004.mrg:3", "VBP"): r"(S[dcl]\NP)/NP",
    ("wsj_0036.mrg:22", "CD"): rf"({ADVERB})/({ADVERB})",
    ("wsj_0118.mrg:180", "VBZ"): r"(S[dcl]\NP)/(S[adj]\NP)",
}
"""The category of the first word with a tag."""


@pytest.mark.corpus
def test_the_sample_has_no_open_trace_and_its_finite_verbs_are_finite(
    sample: Splits[PennTree],
) -> None:
    """All 3,914: what is left out has a reason, and two wrong tags alone are not finite."""
    trees = {tree.name: tree for tree in sample.every()}
    every = {name: tree.converted for name, tree in trees.items()}
    converted = ((name, one.derivation()) for name, one in every.items())
    made = {name: derivation for name, derivation in converted if derivation is not None}
    assert len(every) == 3914 and len(made) == 3819
    assert all(one.line or (one.reason in REASONS and one.detail) for one in every.values())
    for name, derivation in made.items():
        tagged = [(leaf.word, leaf.pos) for leaf in derivation.leaves()]
        assert tagged == tagged_words(trees[name].tree) and derivation.problem() is None
    found = {name: every[name].reason or made[name].category.text for name in FOUND}
    assert found == FOUND
    for (name, tag), category in CATEGORIES.items():
        first = next(leaf for leaf in made[name].leaves() if leaf.pos == tag)
        assert first.category.text == category, name
    assert not any("/NP" in one.category.text for one in made.values())
    leaves = [(name, leaf) for name, one in made.items() for leaf in one.leaves()]
    finite = [(n, leaf.category.text) for n, leaf in leaves if leaf.pos in ("VBZ", "VBP", "MD")]
    odd = {n for n, text in finite if "S[dcl]" not in text and "S[q]" not in text and "S" in text}
    assert odd == {"wsj_0089.mrg:52", "wsj_0118.mrg:49"}
