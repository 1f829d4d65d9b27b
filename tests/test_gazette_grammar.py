"""The constructions of the Gazette by hand: each in Penn brackets, and what CCG makes of it.

The brackets are written down here as the Treebank has them, the categories as CCGbank has them;
nothing is left to chance, and no word comes from the lexicon.
"""

from __future__ import annotations

from typing import NamedTuple

import pytest

from gazette_generator import clauses as cl
from gazette_generator import markets
from gazette_generator import noun_phrases as np
from gazette_generator import words as w
from gazette_generator.layers import Layers, layers_of
from gazette_generator.lexicon import Verb
from gazette_generator.phrase import (
    Node,
    Phrase,
    Word,
    appositive,
    ccg_of,
    conjoined,
    join,
    lift,
    nest,
    phrase,
)
from gazette_generator.shorter_trees import active, put_behind, speaker_first, without
from wordorder_lab.structures.derivation import Derivation


def _verb(text: str, frame: str) -> Verb:
    base, third, past, participle, ing = text.split()
    return Verb(base, third, past, participle, ing, frame, (), (), "", (), "*")


CLOSE = _verb("close closes closed closed closing", "t")
URGE = _verb("urge urges urged urged urging", "oc")
PLAN = _verb("plan plans planned planned planning", "ti")
SAY = _verb("say says said said saying", "c")


def noun(form: str, number: str = "sg") -> Word:
    return Word(form, "NNS" if number == "pl" else "NN", "N", form)


def the(form: str, number: str = "sg") -> Phrase:
    return np.determined(w.determiner("the"), [noun(form, number)])


def name(*forms: str) -> Phrase:
    words = [Word(form, "NNP", "N/N", form) for form in forms[:-1]]
    return np.bare([*words, Word(forms[-1], "NNP", "N", forms[-1])])


def word(form: str, tag: str, category: str) -> Word:
    return Word(form, tag, category, form)


def conjunction() -> Word:
    return word("and", "CC", "conj")


def closed(object: Phrase, form: str = "past") -> Phrase:
    return cl.verb_phrase(w.verb(CLOSE, form, "t"), object)


def brackets(made: Phrase | Node) -> str:
    """The Penn brackets of a phrase on one line."""
    node = made.tree if isinstance(made, Phrase) else made
    inside = (f"({c.tag} {c.form})" if isinstance(c, Word) else brackets(c) for c in node.children)
    return f"({node.label} {' '.join(inside)})"


def layers(made: Phrase) -> Layers:
    """All layers of a phrase, every step of the derivation sound."""
    found = layers_of(made)
    assert found.derivation.problem() is None
    assert found.derivation.words() == tuple(found.tree.leaves())
    return found


def step_over(made: Phrase, words: str) -> Derivation:
    """The topmost step over these words."""
    steps = layers(made).derivation.nodes()
    return [step for step in steps if " ".join(step.words()) == words][-1]


def head_of(made: Phrase, dependent: str) -> str:
    """The word that a word hangs from."""
    found = layers(made)
    words = found.tree.leaves()
    return words[found.heads[words.index(dependent)]]


# --- constructions ----------------------------------------------------------------------------


NONE: dict[str, str] = {}


class Case(NamedTuple):
    """What is built, its Penn brackets, the rule or the category of some steps, some heads."""

    made: Phrase
    brackets: str
    steps: dict[str, str] = NONE
    heads: dict[str, str] = NONE


BANK, PLANT = "(DT the) (NN bank)", "(DT the) (NN plant)"
WHO, WHICH = (
    word(form, tag, r"(NP\NP)/(S[dcl]\NP)") for form, tag in [("who", "WP"), ("which", "WDT")]
)
BY = np.pp(w.preposition("by", rf"({w.ADJUNCT})/NP"), the("bank"), "PP-LGS")
BY_THE_BANK = cl.with_adjunct(cl.verb_phrase(w.verb(CLOSE, "passive", "i")), BY)
HAD_CLOSED = [w.verb(w.HAVE, "past", "perfect"), w.verb(CLOSE, "perfect", "t")]
TO_CLOSE = cl.infinitive(w.infinitive_to(), closed(name("Ames"), "base"))
WILL, NOT, CLOSE_AMES = w.modal("will"), w.negation(), closed(name("Ames"), "base")
ALREADY, QUIETLY = word("already", "RB", r"(S\NP)/(S\NP)"), w.adverb("quietly", w.ADJUNCT)
IN_MAY = np.pp(w.preposition("in", f"({w.FRONTED})/NP"), name("May"), "PP-TMP")
CITING = cl.participial(closed(name("Bell"), "ing"))


def bank_closed(what: str = "Ames") -> Phrase:
    return cl.clause(the("bank"), closed(name(what)))


CASES = {
    "a preposition": Case(
        np.with_pp(the("head"), np.pp(w.preposition("of", r"(NP\NP)/NP"), the("bank"))),
        f"(NP (NP (DT the) (NN head)) (PP (IN of) (NP {BANK})))",
        {"of the bank": r"NP\NP", "": "NP"},
        {"of": "head", "bank": "of"},
    ),
    "an owner": Case(
        np.owned(the("bank"), word("'s", "POS", r"(NP[nb]/N)\NP"), [noun("profit")]),
        f"(NP (NP {BANK} (POS 's)) (NN profit))",
        {"the bank 's": "NP[nb]/N"},
    ),
    "an apposition": Case(
        np.apposition(name("Anna", "Ruiz"), the("mayor")),
        "(NP (NP (NNP Anna) (NNP Ruiz)) (, ,) (NP (DT the) (NN mayor)) (, ,))",
        {", the mayor": r"tc NP\NP", "": "NP"},
    ),
    "two": Case(
        np.coordination([the("union"), the("bank")], conjunction()),
        f"(NP (NP (DT the) (NN union)) (CC and) (NP {BANK}))",
        {"and the bank": "conj"},
    ),
    "three": Case(
        np.coordination([name("Ames"), name("Bell"), name("Cole")], conjunction()),
        "(NP (NP (NNP Ames)) (, ,) (NP (NNP Bell)) (CC and) (NP (NNP Cole)))",
        dict.fromkeys(("and Cole", "Bell and Cole", "Ames , Bell and Cole"), "conj")
        | {", Bell and Cole": "conj NP[conj]", "": "NP"},
    ),
    "about 20": Case(
        np.counted("20", "about", [noun("workers", "pl")]),
        "(NP (QP (RB about) (CD 20)) (NNS workers))",
        {"about 20": "N/N", "": "NP"},
    ),
    "at least 20": Case(
        np.counted("20", "at least", [noun("workers", "pl")]),
        "(NP (QP (IN at) (JJS least) (CD 20)) (NNS workers))",
        {"at least 20": "N/N", "": "NP"},
    ),
    "more than 20": Case(
        np.counted("20", "more than", [noun("workers", "pl")]),
        "(NP (QP (JJR more) (IN than) (CD 20)) (NNS workers))",
        {"more than 20": "N/N", "": "NP"},
    ),
    "20": Case(np.counted("20", "", [noun("men", "pl")]), "(NP (CD 20) (NNS men))"),
    "money": Case(
        markets.money(4.5, "million"),
        "(NP (QP ($ $) (CD 4.5) (CD million)))",
        {"$": "N/N[num]", "4.5": "N[num]/N[num]", "million": "N[num]", "": "NP"},
        {"million": "$"},
    ),
    "less money": Case(markets.money(12, ""), "(NP ($ $) (CD 12))"),
    "percent": Case(markets.percent(12.0), "(NP (CD 12) (NN %))"),
    "about 3.5 %": Case(
        markets.percent(3.5, "about"), "(NP (QP (RB about) (CD 3.5)) (NN %))", {"": "NP"}
    ),
    "two adjectives: joined before they meet their noun; the last one heads them": Case(
        np.determined(
            w.article("long"),
            [
                np.two_adjectives(w.adjective("long"), conjunction(), w.adjective("costly")),
                noun("war"),
            ],
        ),
        "(NP (DT a) (ADJP (JJ long) (CC and) (JJ costly)) (NN war))",
        {"and costly": "conj", "long and costly": "conj N/N"},
        {"long": "costly", "and": "costly", "costly": "war"},
    ),
    "a clause with its stop": Case(
        cl.stopped(cl.clause(the("bank"), closed(the("plant")))),
        f"(S (NP-SBJ {BANK}) (VP (VBD closed) (NP {PLANT})) (. .))",
        {"": "S[dcl]"},
    ),
    "a subject relative": Case(
        cl.modified(the("man"), cl.subject_relative(WHO, closed(the("plant")))),
        f"(NP (NP (DT the) (NN man)) (SBAR (WHNP (WP who)) (S (VP (VBD closed) (NP {PLANT})))))",
        {"who closed the plant": r"NP\NP"},
        {"who": "man", "closed": "who"},
    ),
    "an object relative": Case(
        cl.modified(
            the("plant"),
            cl.object_relative(
                word("that", "WDT", r"(NP\NP)/(S[dcl]/NP)"), the("bank"), HAD_CLOSED
            ),
        ),
        f"(NP (NP {PLANT}) (SBAR (WHNP (WDT that)) "
        f"(S (NP-SBJ {BANK}) (VP (VBD had) (VP (VBN closed))))))",
        {"the bank": r"tr S/(S\NP)", "had closed": "fc", "the bank had closed": "fc S[dcl]/NP"},
    ),
    "a relative clause between commas": Case(
        cl.modified(name("Ames"), cl.subject_relative(WHICH, closed(the("plant"))), commas=True),
        "(NP (NP (NNP Ames)) (, ,) (SBAR (WHNP (WDT which)) "
        f"(S (VP (VBD closed) (NP {PLANT})))) (, ,))",
        {", which closed the plant": "lp"},
    ),
    "a reduced relative": Case(
        cl.modified(the("plant"), cl.reduced_relative(BY_THE_BANK)),
        f"(NP (NP {PLANT}) (VP (VBN closed) (PP-LGS (IN by) (NP {BANK}))))",
        {"closed by the bank": r"tc NP\NP"},
        {"closed": "plant"},
    ),
    "the passive": Case(
        cl.clause(the("plant"), cl.auxiliary(w.verb(w.BE, "past", "passive"), BY_THE_BANK)),
        f"(S (NP-SBJ {PLANT}) (VP (VBD was) (VP (VBN closed) (PP-LGS (IN by) (NP {BANK})))))",
        {"closed by the bank": r"S[pss]\NP", "": "S[dcl]"},
        {"by": "closed"},
    ),
    "a fronted phrase": Case(
        cl.fronted(IN_MAY, bank_closed(), np.comma()),
        f"(S (PP-TMP (IN in) (NP (NNP May))) (, ,) (NP-SBJ {BANK}) "
        "(VP (VBD closed) (NP (NNP Ames))))",
        {"in May ,": "S/S", "": "S[dcl]"},
        {"in": "closed"},
    ),
    "subject control": Case(
        cl.clause(the("bank"), cl.verb_phrase(w.verb(PLAN, "third", "ti"), TO_CLOSE)),
        f"(S (NP-SBJ {BANK}) (VP (VBZ plans) (S (VP (TO to) (VP (VB close) (NP (NNP Ames)))))))",
        {"to close Ames": r"S[to]\NP", "": "S[dcl]"},
    ),
    "object control": Case(
        cl.clause(the("bank"), cl.verb_phrase(w.verb(URGE, "past", "oc"), name("Bell"), TO_CLOSE)),
        f"(S (NP-SBJ {BANK}) (VP (VBD urged) (NP (NNP Bell)) "
        "(S (VP (TO to) (VP (VB close) (NP (NNP Ames)))))))",
        {"urged Bell": r"(S[dcl]\NP)/(S[to]\NP)", "": "S[dcl]"},
    ),
    "a negation": Case(
        cl.clause(the("bank"), phrase("VP", [WILL, NOT, CLOSE_AMES], join(WILL, NOT, CLOSE_AMES))),
        f"(S (NP-SBJ {BANK}) (VP (MD will) (RB not) (VP (VB close) (NP (NNP Ames)))))",
        {"will not": r"bx (S[dcl]\NP)/(S[b]\NP)"},
        {"not": "will"},
    ),
    "that": Case(
        cl.clause(
            name("Ruiz"),
            cl.verb_phrase(
                w.verb(SAY, "past", "c"),
                cl.complementized(word("that", "IN", "S[em]/S[dcl]"), bank_closed()),
            ),
        ),
        "(S (NP-SBJ (NNP Ruiz)) (VP (VBD said) (SBAR (IN that) "
        f"(S (NP-SBJ {BANK}) (VP (VBD closed) (NP (NNP Ames)))))))",
        {"": "S[dcl]"},
    ),
    "no that": Case(
        cl.clause(
            name("Ruiz"),
            cl.verb_phrase(w.verb(SAY, "past", "c0"), cl.without_complementizer(bank_closed())),
        ),
        "(S (NP-SBJ (NNP Ruiz)) (VP (VBD said) (SBAR "
        f"(S (NP-SBJ {BANK}) (VP (VBD closed) (NP (NNP Ames)))))))",
        {"": "S[dcl]"},
    ),
    "coordinated verbs": Case(
        cl.coordinated_verbs(closed(name("Ames")), conjunction(), closed(name("Bell"))),
        "(VP (VP (VBD closed) (NP (NNP Ames))) (CC and) (VP (VBD closed) (NP (NNP Bell))))",
        {"and closed Bell": r"S[dcl]\NP[conj]"},
    ),
    "coordinated clauses": Case(
        cl.coordinated_clauses(bank_closed(), conjunction(), bank_closed("Bell")),
        f"(S (S (NP-SBJ {BANK}) (VP (VBD closed) (NP (NNP Ames)))) (, ,) (CC and) "
        f"(S (NP-SBJ {BANK}) (VP (VBD closed) (NP (NNP Bell)))))",
        {"": "S[dcl]"},
    ),
    "an adverb before the verb": Case(
        cl.before_verb(phrase("ADVP", [ALREADY], join(ALREADY)), closed(name("Ames"))),
        "(VP (ADVP (RB already)) (VBD closed) (NP (NNP Ames)))",
    ),
    "an adverb behind": Case(
        cl.with_adjunct(closed(name("Ames")), phrase("ADVP-MNR", [QUIETLY], join(QUIETLY))),
        "(VP (VBD closed) (NP (NNP Ames)) (ADVP-MNR (RB quietly)))",
    ),
    "a participle": Case(
        cl.clause(the("bank"), cl.with_adjunct(closed(name("Ames")), CITING, np.comma())),
        f"(S (NP-SBJ {BANK}) (VP (VBD closed) (NP (NNP Ames)) (, ,) "
        "(S-ADV (VP (VBG closing) (NP (NNP Bell))))))",
        {"closing Bell": "tc", "": "S[dcl]"},
    ),
}


@pytest.mark.parametrize("construction", CASES)
def test_construction(construction: str):
    made, penn, steps, heads = CASES[construction]
    assert brackets(made) == penn
    for words, expected in steps.items():
        step = step_over(made, words or " ".join(word.form for word in made.words()))
        assert expected in (step.rule, str(step.category), f"{step.rule} {step.category}"), words
    assert {dependent: head_of(made, dependent) for dependent in heads} == heads


def test_numbers_labels_and_base_nps():
    assert CASES["two"].made.number == CASES["about 20"].made.number == "pl"
    labels = layers(CASES["a clause with its stop"].made).labels
    assert labels == ("NMOD", "SUB", "ROOT", "NMOD", "OBJ", "P")
    assert layers(CASES["a preposition"].made).base_nps == ("B", "I", "O", "B", "I")
    assert layers(CASES["an owner"].made).base_nps == ("B", "I", "I", "O")


@pytest.mark.parametrize(
    ("following", "form"),
    [
        *(("offer", "an"), ("bank", "a"), ("union", "a"), ("hour", "an"), ("European", "a")),
        *(("one-time", "a"), ("honest", "an"), ("usual", "a"), ("ill", "an")),
        *(("unusual", "an"), ("uninsured", "an"), ("unfinished", "an"), ("used", "a")),
        *(("uranium", "a"), ("urgent", "an"), ("unit", "a"), ("unique", "a"), ("umbrella", "an")),
    ],
)
def test_article(following: str, form: str):
    assert w.article(following).form == form


@pytest.mark.parametrize("quotes", [False, True])
@pytest.mark.parametrize("inverted", [False, True])
def test_reported_speech(inverted: bool, quotes: bool):
    said = w.verb(SAY, "past", "i")
    said.category = r"(S[dcl]\S[dcl])/NP" if inverted else r"(S[dcl]\S[dcl])\NP"
    marks = (word("``", "``", "LQU"), word("''", "''", "RQU")) if quotes else None
    made = cl.stopped(
        cl.reported(cl.clause(the("bank"), closed(name("Ames"))), name("Ruiz"), said, marks)
    )
    topic = "(S-TPC (NP-SBJ (DT the) (NN bank)) (VP (VBD closed) (NP (NNP Ames))))"
    inside = f"(`` ``) {topic} (, ,) ('' '')" if quotes else f"{topic} (, ,)"
    rest = (
        "(VP (VBD said)) (NP-SBJ (NNP Ruiz))" if inverted else "(NP-SBJ (NNP Ruiz)) (VP (VBD said))"
    )
    assert brackets(made) == f"({'SINV' if inverted else 'S'} {inside} {rest} (. .))"
    teller = step_over(made, "said Ruiz" if inverted else "Ruiz said")
    assert str(teller.category) == r"S[dcl]\S[dcl]"
    derivation = layers(made).derivation
    assert str(derivation.category) == "S[dcl]"
    assert derivation.words()[derivation.heads().index(-1)] == "said"
    assert head_of(made, "closed") == "said" and head_of(made, "Ruiz") == "said"


# --- trees of shorter versions ------------------------------------------------------------------


def cut(made: Phrase, *words: str) -> str:
    """The brackets without these words."""
    left = without(made.tree, {id(one) for one in made.words() if one.form in words})
    return "" if left is None else brackets(left)


def test_a_phrase_alone_in_one_of_its_own_kind_is_merged():
    relative = cl.subject_relative(word("who", "WP", r"(NP\NP)/(S[dcl]\NP)"), closed(name("Ames")))
    made = cl.clause(cl.modified(the("bank"), relative, commas=True), closed(name("Bell")))
    assert cut(made, "who", "Ames", ",") == (
        "(S (NP-SBJ (NP (DT the) (NN bank)) (SBAR (S (VP (VBD closed))))) "
        "(VP (VBD closed) (NP (NNP Bell))))"
    )
    assert cut(made, "who", "closed", "Ames", ",") == (
        "(S (NP-SBJ (DT the) (NN bank)) (VP (NP (NNP Bell))))"
    )
    assert cut(made, *(one.form for one in made.words())) == ""


def test_a_first_conjunct_takes_the_place_of_both():
    second = cl.clause(the("plant"), closed(name("Bell")))
    made = cl.coordinated_clauses(
        cl.clause(the("bank"), closed(name("Ames"))), conjunction(), second
    )
    left = without(
        cl.stopped(made).tree, {id(one) for one in [*made.words()[4:6], *second.words()]}
    )
    assert left is not None and brackets(left) == (
        "(S (NP-SBJ (DT the) (NN bank)) (VP (VBD closed) (NP (NNP Ames))) (. .))"
    )
    verbs = cl.coordinated_verbs(closed(name("Ames")), conjunction(), closed(name("Bell"), "past"))
    late = phrase("PP-TMP", [word("then", "RB", w.ADJUNCT)], join(word("then", "RB", w.ADJUNCT)))
    both = put_behind(cl.clause(the("bank"), verbs).tree, late.tree)
    gone = {id(one) for one in verbs.words()[2:]}
    left = without(both, gone)
    assert left is not None and brackets(left) == (
        "(S (NP-SBJ (DT the) (NN bank)) (VP (VBD closed) (NP (NNP Ames)) (PP-TMP (RB then))))"
    )


def test_an_auxiliary_keeps_its_verb_phrase_and_a_head_its_modifier():
    vp = cl.auxiliary(w.modal("will"), closed(name("Ames"), "base"))
    assert cut(vp, "Ames") == "(VP (MD will) (VP (VB close)))"
    bank = np.with_pp(the("head"), np.pp(w.preposition("of", r"(NP\NP)/NP"), the("bank")))
    assert cut(bank, "bank") == "(NP (NP (DT the) (NN head)) (PP (IN of) (NP (DT the))))"


def test_what_is_put_otherwise():
    said = cl.clause(the("bank"), closed(name("Ames")))
    assert brackets(speaker_first(name("Ruiz").tree, w.verb(SAY, "past", "i"), said.tree)) == (
        "(S (NP-SBJ (NNP Ruiz)) (VP (VBD said) (SBAR (S (NP-SBJ (DT the) (NN bank)) "
        "(VP (VBD closed) (NP (NNP Ames)))))))"
    )
    at = np.pp(w.preposition("at", "PP/NP"), name("Bell"), "PP-CLR")
    made = active(the("storm").tree, w.verb(CLOSE, "past", "t"), the("bank").tree, (at.tree,))
    assert brackets(made) == (
        "(S (NP-SBJ (DT the) (NN storm)) (VP (VBD closed) (NP (DT the) (NN bank)) "
        "(PP-CLR (IN at) (NP (NNP Bell)))))"
    )


# --- what is refused --------------------------------------------------------------------------


def test_what_no_rule_allows_is_refused():
    with pytest.raises(ValueError, match="no rule joins"):
        join(the("bank"), the("plant"))
    with pytest.raises(ValueError, match="no rule joins"):
        nest(w.determiner("the"), w.determiner("the"), noun("bank"))
    with pytest.raises(ValueError, match="no rule lifts"):
        lift(the("bank"), "S[dcl]")
    with pytest.raises(ValueError, match="cannot join"):
        conjoined(w.adjective("big"), the("bank"))
    assert str(appositive(np.comma(), the("bank")).category) == r"NP\NP"


def test_halves_with_other_words_are_refused():
    made = the("bank")
    with pytest.raises(ValueError, match="tree and derivation differ"):
        layers_of(made._replace(ccg=ccg_of(the("plant"))))
