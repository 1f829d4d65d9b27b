"""The constructions of the Gazette by hand: each in Penn brackets, and what CCG makes of it.

The brackets are written down here as the Treebank has them, the categories as CCGbank has them;
nothing is left to chance, and no word comes from the lexicon.
"""

from __future__ import annotations

import pytest

from gazette_generator import clauses as cl
from gazette_generator import markets
from gazette_generator import noun_phrases as np
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
from gazette_generator.shorter_trees import (
    active,
    put_behind,
    speaker_first,
    without,
)
from gazette_generator.words import (
    ADJUNCT,
    BE,
    FRONTED,
    HAVE,
    adjective,
    adverb,
    article,
    determiner,
    infinitive_to,
    modal,
    negation,
    preposition,
    verb,
)
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
    return np.determined(determiner("the"), [noun(form, number)])


def name(*forms: str) -> Phrase:
    words = [Word(form, "NNP", "N/N", form) for form in forms[:-1]]
    return np.bare([*words, Word(forms[-1], "NNP", "N", forms[-1])])


def word(form: str, tag: str, category: str) -> Word:
    return Word(form, tag, category, form)


def conjunction() -> Word:
    return word("and", "CC", "conj")


def closed(object: Phrase, form: str = "past") -> Phrase:
    return cl.verb_phrase(verb(CLOSE, form, "t"), object)


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


def category(made: Phrase) -> str:
    return str(layers(made).derivation.category)


def step_over(made: Phrase, words: str) -> Derivation:
    """The topmost step over these words."""
    steps = layers(made).derivation.nodes()
    return [step for step in steps if " ".join(step.words()) == words][-1]


def head_of(made: Phrase, dependent: str) -> str:
    """The word that a word hangs from."""
    found = layers(made)
    words = found.tree.leaves()
    return words[found.heads[words.index(dependent)]]


# --- noun phrases -----------------------------------------------------------------------------


def test_a_noun_phrase_and_a_preposition():
    bank = np.with_pp(the("head"), np.pp(preposition("of", r"(NP\NP)/NP"), the("bank")))
    assert brackets(bank) == ("(NP (NP (DT the) (NN head)) (PP (IN of) (NP (DT the) (NN bank))))")
    assert category(bank).startswith("NP")
    assert str(step_over(bank, "of the bank").category) == r"NP\NP"
    assert head_of(bank, "of") == "head" and head_of(bank, "bank") == "of"
    assert layers(bank).base_nps == ("B", "I", "O", "B", "I")


def test_owner():
    owned = np.owned(the("bank"), word("'s", "POS", r"(NP[nb]/N)\NP"), [noun("profit")])
    assert brackets(owned) == "(NP (NP (DT the) (NN bank) (POS 's)) (NN profit))"
    assert str(step_over(owned, "the bank 's").category) == "NP[nb]/N"
    assert layers(owned).base_nps == ("B", "I", "I", "O")


def test_apposition():
    anna = np.apposition(name("Anna", "Ruiz"), the("mayor"))
    assert brackets(anna) == (
        "(NP (NP (NNP Anna) (NNP Ruiz)) (, ,) (NP (DT the) (NN mayor)) (, ,))"
    )
    step = step_over(anna, ", the mayor")
    assert (step.rule, str(step.category)) == ("tc", r"NP\NP")
    assert category(anna) == "NP"


def test_coordination_of_two():
    pair = np.coordination([the("union"), the("bank")], conjunction())
    assert brackets(pair) == "(NP (NP (DT the) (NN union)) (CC and) (NP (DT the) (NN bank)))"
    assert pair.number == "pl"
    assert step_over(pair, "and the bank").rule == "conj"


def test_coordination_of_three():
    banks = np.coordination([name("Ames"), name("Bell"), name("Cole")], conjunction())
    assert brackets(banks) == (
        "(NP (NP (NNP Ames)) (, ,) (NP (NNP Bell)) (CC and) (NP (NNP Cole)))"
    )
    for words in ("and Cole", "Bell and Cole", ", Bell and Cole", "Ames , Bell and Cole"):
        assert step_over(banks, words).rule == "conj", words
    assert str(step_over(banks, ", Bell and Cole").category) == "NP[conj]"
    assert category(banks) == "NP"


@pytest.mark.parametrize(
    ("hedge", "quantity"),
    [
        ("about", "(RB about)"),
        ("at least", "(IN at) (JJS least)"),
        ("more than", "(JJR more) (IN than)"),
    ],
)
def test_counted(hedge: str, quantity: str):
    workers = np.counted("20", hedge, [noun("workers", "pl")])
    assert brackets(workers) == f"(NP (QP {quantity} (CD 20)) (NNS workers))"
    assert str(step_over(workers, f"{hedge} 20").category) == "N/N"
    assert category(workers) == "NP" and workers.number == "pl"
    assert brackets(np.counted("20", "", [noun("men", "pl")])) == "(NP (CD 20) (NNS men))"


def test_money_and_percent():
    money = markets.money(4.5, "million")
    assert brackets(money) == "(NP (QP ($ $) (CD 4.5) (CD million)))"
    assert [str(leaf.category) for leaf in layers(money).derivation.leaves()] == [
        *("N/N[num]", "N[num]/N[num]", "N[num]"),
    ]
    assert category(money) == "NP" and head_of(money, "million") == "$"
    assert brackets(markets.money(12, "")) == "(NP ($ $) (CD 12))"
    assert brackets(markets.percent(12.0)) == "(NP (CD 12) (NN %))"
    assert brackets(markets.percent(3.5, "about")) == "(NP (QP (RB about) (CD 3.5)) (NN %))"


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
    assert article(following).form == form


# --- clauses ----------------------------------------------------------------------------------


def test_a_clause_with_its_stop():
    made = cl.stopped(cl.clause(the("bank"), closed(the("plant"))))
    assert brackets(made) == (
        "(S (NP-SBJ (DT the) (NN bank)) (VP (VBD closed) (NP (DT the) (NN plant))) (. .))"
    )
    assert category(made) == "S[dcl]"
    assert layers(made).labels == ("NMOD", "SUB", "ROOT", "NMOD", "OBJ", "P")


def test_a_subject_relative_applies():
    who = word("who", "WP", r"(NP\NP)/(S[dcl]\NP)")
    made = cl.modified(the("man"), cl.subject_relative(who, closed(the("plant"))))
    assert brackets(made) == (
        "(NP (NP (DT the) (NN man)) (SBAR (WHNP (WP who)) "
        "(S (VP (VBD closed) (NP (DT the) (NN plant))))))"
    )
    assert str(step_over(made, "who closed the plant").category) == r"NP\NP"
    assert head_of(made, "who") == "man" and head_of(made, "closed") == "who"


def test_an_object_relative_composes():
    that = word("that", "WDT", r"(NP\NP)/(S[dcl]/NP)")
    verbs = [verb(HAVE, "past", "perfect"), verb(CLOSE, "perfect", "t")]
    made = cl.modified(the("plant"), cl.object_relative(that, the("bank"), verbs))
    assert brackets(made) == (
        "(NP (NP (DT the) (NN plant)) (SBAR (WHNP (WDT that)) "
        "(S (NP-SBJ (DT the) (NN bank)) (VP (VBD had) (VP (VBN closed))))))"
    )
    assert step_over(made, "the bank").rule == "tr"
    assert str(step_over(made, "the bank").category) == r"S/(S\NP)"
    assert step_over(made, "had closed").rule == "fc"
    gapped = step_over(made, "the bank had closed")
    assert (gapped.rule, str(gapped.category)) == ("fc", "S[dcl]/NP")
    assert category(made).startswith("NP")


def test_a_relative_clause_between_commas():
    which = word("which", "WDT", r"(NP\NP)/(S[dcl]\NP)")
    relative = cl.subject_relative(which, closed(the("plant")))
    made = cl.modified(name("Ames"), relative, commas=True)
    assert [node.label for node in made.tree.children if isinstance(node, Node)] == ["NP", "SBAR"]
    assert " ".join(w.form for w in made.words()) == "Ames , which closed the plant ,"
    assert step_over(made, ", which closed the plant").rule == "lp"


def test_a_reduced_relative():
    built = cl.verb_phrase(verb(CLOSE, "passive", "i"))
    by = np.pp(preposition("by", rf"({ADJUNCT})/NP"), the("bank"), "PP-LGS")
    made = cl.modified(the("plant"), cl.reduced_relative(cl.with_adjunct(built, by)))
    assert brackets(made) == (
        "(NP (NP (DT the) (NN plant)) (VP (VBN closed) (PP-LGS (IN by) (NP (DT the) (NN bank)))))"
    )
    step = step_over(made, "closed by the bank")
    assert (step.rule, str(step.category)) == ("tc", r"NP\NP")
    assert head_of(made, "closed") == "plant"


def test_the_passive_and_by():
    done = cl.verb_phrase(verb(CLOSE, "passive", "i"))
    by = np.pp(preposition("by", rf"({ADJUNCT})/NP"), the("bank"), "PP-LGS")
    vp = cl.auxiliary(verb(BE, "past", "passive"), cl.with_adjunct(done, by))
    made = cl.clause(the("plant"), vp)
    assert brackets(made) == (
        "(S (NP-SBJ (DT the) (NN plant)) (VP (VBD was) "
        "(VP (VBN closed) (PP-LGS (IN by) (NP (DT the) (NN bank))))))"
    )
    assert str(step_over(made, "closed by the bank").category) == r"S[pss]\NP"
    assert category(made) == "S[dcl]" and head_of(made, "by") == "closed"


@pytest.mark.parametrize("quotes", [False, True])
@pytest.mark.parametrize("inverted", [False, True])
def test_reported_speech(inverted: bool, quotes: bool):
    said = verb(SAY, "past", "i")
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
    assert category(made) == "S[dcl]"
    derivation = layers(made).derivation
    assert derivation.words()[derivation.lexical_head] == "said"
    assert head_of(made, "closed") == "said" and head_of(made, "Ruiz") == "said"


def test_a_fronted_phrase():
    first = np.pp(preposition("in", f"({FRONTED})/NP"), name("May"), "PP-TMP")
    made = cl.fronted(first, cl.clause(the("bank"), closed(name("Ames"))), np.comma())
    assert brackets(made) == (
        "(S (PP-TMP (IN in) (NP (NNP May))) (, ,) (NP-SBJ (DT the) (NN bank)) "
        "(VP (VBD closed) (NP (NNP Ames))))"
    )
    assert str(step_over(made, "in May ,").category) == "S/S"
    assert category(made) == "S[dcl]" and head_of(made, "in") == "closed"


def test_subject_control_and_object_control():
    to_close = cl.infinitive(infinitive_to(), closed(name("Ames"), "base"))
    plans = cl.clause(the("bank"), cl.verb_phrase(verb(PLAN, "third", "ti"), to_close))
    below = "(S (VP (TO to) (VP (VB close) (NP (NNP Ames)))))"
    assert brackets(plans) == f"(S (NP-SBJ (DT the) (NN bank)) (VP (VBZ plans) {below}))"
    assert str(step_over(plans, "to close Ames").category) == r"S[to]\NP"
    urged = cl.verb_phrase(verb(URGE, "past", "oc"), name("Bell"), to_close)
    made = cl.clause(the("bank"), urged)
    assert brackets(made) == (
        f"(S (NP-SBJ (DT the) (NN bank)) (VP (VBD urged) (NP (NNP Bell)) {below}))"
    )
    assert str(step_over(made, "urged Bell").category) == r"(S[dcl]\NP)/(S[to]\NP)"
    assert category(plans) == category(made) == "S[dcl]"


def test_negation():
    will, no = modal("will"), negation()
    vp = closed(name("Ames"), "base")
    made = cl.clause(the("bank"), phrase("VP", [will, no, vp], join(will, no, vp)))
    assert brackets(made) == (
        "(S (NP-SBJ (DT the) (NN bank)) (VP (MD will) (RB not) (VP (VB close) (NP (NNP Ames)))))"
    )
    step = step_over(made, "will not")
    assert (step.rule, str(step.category)) == ("bx", r"(S[dcl]\NP)/(S[b]\NP)")
    assert head_of(made, "not") == "will"


@pytest.mark.parametrize("that", [False, True])
def test_that_clauses(that: bool):
    inner = cl.clause(name("Ames"), closed(name("Bell")))
    link = word("that", "IN", "S[em]/S[dcl]")
    below = cl.complementized(link, inner) if that else cl.without_complementizer(inner)
    made = cl.clause(the("bank"), cl.verb_phrase(verb(SAY, "past", "c" if that else "c0"), below))
    told = "(S (NP-SBJ (NNP Ames)) (VP (VBD closed) (NP (NNP Bell))))"
    inside = f"(IN that) {told}" if that else told
    assert brackets(made) == (f"(S (NP-SBJ (DT the) (NN bank)) (VP (VBD said) (SBAR {inside})))")
    assert category(made) == "S[dcl]"


def test_coordinated_verbs_and_clauses():
    vp = cl.coordinated_verbs(closed(name("Ames")), conjunction(), closed(name("Bell")))
    assert brackets(vp) == (
        "(VP (VP (VBD closed) (NP (NNP Ames))) (CC and) (VP (VBD closed) (NP (NNP Bell))))"
    )
    assert str(step_over(vp, "and closed Bell").category) == r"S[dcl]\NP[conj]"
    first, second = (cl.clause(the("bank"), closed(name(n))) for n in ("Ames", "Bell"))
    both = cl.coordinated_clauses(first, conjunction(), second)
    assert [
        child.label if isinstance(child, Node) else child.tag for child in both.tree.children
    ] == [
        *("S", ",", "CC", "S"),
    ]
    assert category(both) == "S[dcl]"


def test_adverbs_and_participles():
    vp = closed(name("Ames"))
    early = word("already", "RB", r"(S\NP)/(S\NP)")
    early_phrase = phrase("ADVP", [early], join(early))
    assert brackets(cl.before_verb(early_phrase, vp)) == (
        "(VP (ADVP (RB already)) (VBD closed) (NP (NNP Ames)))"
    )
    late = adverb("quietly", ADJUNCT)
    quietly = phrase("ADVP-MNR", [late], join(late))
    assert brackets(cl.with_adjunct(vp, quietly)) == (
        "(VP (VBD closed) (NP (NNP Ames)) (ADVP-MNR (RB quietly)))"
    )
    citing = cl.participial(closed(name("Bell"), "ing"))
    made = cl.clause(the("bank"), cl.with_adjunct(vp, citing, np.comma()))
    assert brackets(made) == (
        "(S (NP-SBJ (DT the) (NN bank)) (VP (VBD closed) (NP (NNP Ames)) (, ,) "
        "(S-ADV (VP (VBG closing) (NP (NNP Bell))))))"
    )
    assert step_over(made, "closing Bell").rule == "tc" and category(made) == "S[dcl]"


# --- trees of shorter versions ------------------------------------------------------------------


def cut(made: Phrase, *words: str) -> str:
    """The brackets without these words."""
    left = without(made.tree, {id(w) for w in made.words() if w.form in words})
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
    assert cut(made, *(w.form for w in made.words())) == ""


def test_a_first_conjunct_takes_the_place_of_both():
    second = cl.clause(the("plant"), closed(name("Bell")))
    made = cl.coordinated_clauses(
        cl.clause(the("bank"), closed(name("Ames"))), conjunction(), second
    )
    left = without(cl.stopped(made).tree, {id(w) for w in [*made.words()[4:6], *second.words()]})
    assert left is not None and brackets(left) == (
        "(S (NP-SBJ (DT the) (NN bank)) (VP (VBD closed) (NP (NNP Ames))) (. .))"
    )
    verbs = cl.coordinated_verbs(closed(name("Ames")), conjunction(), closed(name("Bell"), "past"))
    late = phrase("PP-TMP", [word("then", "RB", ADJUNCT)], join(word("then", "RB", ADJUNCT)))
    both = put_behind(cl.clause(the("bank"), verbs).tree, late.tree)
    gone = {id(w) for w in verbs.words()[2:]}
    left = without(both, gone)
    assert left is not None and brackets(left) == (
        "(S (NP-SBJ (DT the) (NN bank)) (VP (VBD closed) (NP (NNP Ames)) (PP-TMP (RB then))))"
    )


def test_an_auxiliary_keeps_its_verb_phrase_and_a_head_its_modifier():
    vp = cl.auxiliary(modal("will"), closed(name("Ames"), "base"))
    assert cut(vp, "Ames") == "(VP (MD will) (VP (VB close)))"
    bank = np.with_pp(the("head"), np.pp(preposition("of", r"(NP\NP)/NP"), the("bank")))
    assert cut(bank, "bank") == "(NP (NP (DT the) (NN head)) (PP (IN of) (NP (DT the))))"


def test_what_is_put_otherwise():
    said = cl.clause(the("bank"), closed(name("Ames")))
    assert brackets(speaker_first(name("Ruiz").tree, verb(SAY, "past", "i"), said.tree)) == (
        "(S (NP-SBJ (NNP Ruiz)) (VP (VBD said) (SBAR (S (NP-SBJ (DT the) (NN bank)) "
        "(VP (VBD closed) (NP (NNP Ames)))))))"
    )
    at = np.pp(preposition("at", "PP/NP"), name("Bell"), "PP-CLR")
    made = active(the("storm").tree, verb(CLOSE, "past", "t"), the("bank").tree, (at.tree,))
    assert brackets(made) == (
        "(S (NP-SBJ (DT the) (NN storm)) (VP (VBD closed) (NP (DT the) (NN bank)) "
        "(PP-CLR (IN at) (NP (NNP Bell)))))"
    )


# --- what is refused --------------------------------------------------------------------------


def test_what_no_rule_allows_is_refused():
    with pytest.raises(ValueError, match="no rule joins"):
        join(the("bank"), the("plant"))
    with pytest.raises(ValueError, match="no rule joins"):
        nest(determiner("the"), determiner("the"), noun("bank"))
    with pytest.raises(ValueError, match="no rule lifts"):
        lift(the("bank"), "S[dcl]")
    with pytest.raises(ValueError, match="cannot join"):
        conjoined(adjective("big"), the("bank"))
    assert str(appositive(np.comma(), the("bank")).category) == r"NP\NP"


def test_halves_with_other_words_are_refused():
    made = the("bank")
    with pytest.raises(ValueError, match="tree and derivation differ"):
        layers_of(made._replace(ccg=ccg_of(the("plant"))))


def test_two_adjectives() -> None:
    """Adjectives are joined before they meet their noun; the last one heads them, as in an ADJP."""
    pair = np.two_adjectives(adjective("long"), conjunction(), adjective("costly"))
    vp = cl.verb_phrase(
        verb(CLOSE, "past", "t"), np.determined(article("long"), [pair, noun("strike")])
    )
    layers = layers_of(cl.stopped(cl.clause(name("Ruiz"), vp)))
    told = "(NP (DT a) (ADJP (JJ long) (CC and) (JJ costly)) (NN strike))"
    assert told in " ".join(layers.tree.pformat(margin=10**6).split())
    assert [step.rule for step in layers.derivation.nodes()].count("conj") == 2
    assert layers.derivation.problem() is None
    assert [layers.words[head].form for head in layers.heads[3:6]] == ["costly", "costly", "strike"]
