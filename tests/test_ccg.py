r"""CCG categories, combinators, derivations and `.auto` files; the small treebanks where they are.

Examples are written ``left right -> result``; categories have backslashes, so strings are raw.
"""

from __future__ import annotations

import copy
import pickle
import re
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wordorder_lab.corpora import CorpusError
from wordorder_lab.corpora.readers.ccgbank import (
    MAX_DEPTH,
    format_auto,
    format_derivation,
    parse_auto,
    read_auto,
    write_auto,
)
from wordorder_lab.corpora.readers.files import data_roots, read_text
from wordorder_lab.structures.category import (
    Atom,
    Category,
    CategoryError,
    Conjunct,
    Functor,
    bind,
    unify,
)
from wordorder_lab.structures.combinators import (
    BINARY,
    TYPE_CHANGES,
    combine,
    head_of_step,
    name_of_step,
    name_of_unary,
    results,
    type_raising,
)
from wordorder_lab.structures.derivation import SIGNS, Derivation

cat = Category.parse
atoms = st.builds(
    Atom,
    st.sampled_from(["S", "N", "NP", "PP", ",", "conj"]),
    st.sampled_from(["", "dcl", "nb", "X"]),
)
plain = st.recursive(
    atoms, lambda parts: st.builds(Functor, parts, st.sampled_from("/\\"), parts), max_leaves=8
)
categories = plain | st.builds(Conjunct, plain)


@given(categories)
def test_what_is_printed_is_read_back_as_the_same_object(category):
    assert cat(str(category)) is category
    assert copy.deepcopy(category) is category
    assert pickle.loads(pickle.dumps(category)) is category


def test_parts_of_a_category():
    verb = cat(r"(S[dcl]\NP)/NP")
    assert verb is Functor(Functor(Atom("S", "dcl"), "\\", Atom("NP")), "/", Atom("NP"))
    assert isinstance(verb, Functor) and str(verb.result) == r"S[dcl]\NP"
    assert repr(verb) == r"Category.parse('(S[dcl]\\NP)/NP')"
    with pytest.raises(AttributeError, match="never changes"):
        verb.slash = "\\"


def test_conj_belongs_to_the_whole_category():
    assert cat(r"S[dcl]\NP[conj]") is Conjunct(cat(r"S[dcl]\NP"))
    assert cat(r"(S[dcl]\NP)[conj]") is cat(r"S[dcl]\NP[conj]")
    assert str(cat("NP[nb][conj]")) == "NP[nb][conj]"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "a category is empty"),
        (r"(S\NP", "its end: the bracket from character 1 is not closed"),
        (r"(S[dcl]\NP)/(S\NP", "its end: the bracket from character 13 is not closed"),
        (r"S\NP)/NP", "character 5: a closing bracket too many"),
        (r"S\NP/NP", "character 5: a second slash needs brackets"),
        (r"(S\NP)/", "its end: an atom such as NP"),
        (r"((S[b]\NP)/NP)/", "its end: an atom such as NP"),
        ("()", "character 2: an atom such as NP"),
        ("S[dcl", "character 2: this is not expected"),
        ("S NP", "character 2: this is not expected"),
        (r"(S\NP[conj])/NP", "character 7: [conj] may only stand behind a whole category"),
        ("NP[conj][conj]", "has its [conj] already"),
        ("(" * 5000, "more than 100 brackets"),
    ],
)
def test_a_category_that_is_none(text, said):
    with pytest.raises(CategoryError, match=re.escape(said)):
        cat(text)


def test_parts_that_make_no_category():
    for name, feature in [("S[dcl]", ""), ("", ""), ("NP", "conj"), ("a b", ""), ("S", "d/")]:
        with pytest.raises(CategoryError, match="no atom can be written"):
            Atom(name, feature)
    with pytest.raises(CategoryError, match="a slash is"):
        Functor(Atom("S"), "|", Atom("NP"))
    with pytest.raises(CategoryError, match="cannot be a part of one"):
        Functor(Atom("S"), "/", Conjunct(Atom("NP")))


@pytest.mark.parametrize(
    ("left", "right", "ours", "theirs"),
    [
        ("S", "S[dcl]", {"S": "dcl"}, {}),
        ("S[dcl]", "S", {}, {"S": "dcl"}),
        ("S[X]", "S[dcl]", {"S": "dcl"}, {}),
        ("S", "S[X]", {}, {}),
        (r"S/(S\NP)", r"S[dcl]/(S\NP)", {"S": "dcl"}, {"S": "dcl"}),  # the two S are linked
        ("S/S[ng]", "S[dcl]/S", {"S": "dcl"}, {"S": "ng"}),  # and here they never meet
        ("N", "N[num]", {"N": "num"}, {}),
        ("NP", "NP[nb]", {}, {}),
        ("NP[nb]", "NP[expl]", {}, {}),
        ("PP", "PP[of]", {}, {}),
    ],
)
def test_unification(left, right, ours, theirs):
    assert unify(cat(left), cat(right)) == (ours, theirs)
    assert unify(cat(right), cat(left)) == (theirs, ours)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("S[dcl]", "S[ng]"),
        ("S/S", "S[dcl]/S[ng]"),  # one variable cannot be both
        ("(S/S)/S", "(S[dcl]/S)/S[ng]"),
        ("NP[expl]", "NP[thr]"),
        ("NP", "N"),
        (r"S\NP", "S/NP"),
        ("S", r"S\NP"),
        ("NP[conj]", "NP"),
    ],
)
def test_no_unification(left, right):
    assert unify(cat(left), cat(right)) is None
    assert unify(cat(right), cat(left)) is None


@given(categories, categories)
def test_unified_categories_are_one_up_to_what_is_ignored(left, right):
    found = unify(left, right)
    if found is not None:
        one, other = bind(left, found[0]), bind(right, found[1])
        assert unify(one, other) is not None
        assert unify(left, left) == ({}, {})


STEPS = [
    # application
    ("fa", r"(S[dcl]\NP)/NP", "NP[nb]", r"S[dcl]\NP"),
    ("fa", r"(S\NP)/(S\NP)", r"S[dcl]\NP", r"S[dcl]\NP"),
    ("fa", "N/N", "N[num]", "N[num]"),
    ("fa", "NP[nb]/N", "N", "NP[nb]"),
    ("ba", "NP", r"S[dcl]\NP", "S[dcl]"),
    ("ba", r"S[dcl]\NP", r"(S\NP)\(S\NP)", r"S[dcl]\NP"),
    ("ba", "NP[nb]", r"NP\NP", "NP"),
    ("ba", r"(S[dcl]\NP)/NP", r"(S\NP)\((S\NP)/NP)", r"S[dcl]\NP"),
    # composition
    ("fc", r"S/(S\NP)", r"(S[dcl]\NP)/NP", "S[dcl]/NP"),
    ("fc", r"(S[dcl]\NP)/(S[b]\NP)", r"(S[b]\NP)/NP", r"(S[dcl]\NP)/NP"),
    ("fc", "S[dcl]/S", "S/PP", "S[dcl]/PP"),
    ("bc", r"(S\NP)\(S\NP)", r"(S[dcl]\NP)\(S\NP)", r"(S[dcl]\NP)\(S\NP)"),
    ("bc", r"S[dcl]\NP", r"S\S", r"S[dcl]\NP"),
    ("bx", r"(S[dcl]\NP)/NP", r"(S\NP)\(S\NP)", r"(S[dcl]\NP)/NP"),
    ("bx", "N/PP", r"N\N", "N/PP"),
    # the second degree
    ("fc2", r"S/(S\NP)", r"((S[dcl]\NP)/PP)/NP", "(S[dcl]/PP)/NP"),
    ("bc2", r"(S[dcl]\NP)\PP", r"S\S", r"(S[dcl]\NP)\PP"),
    ("bx2", r"((S[dcl]\NP)/PP)/NP", r"(S\NP)\(S\NP)", r"((S[dcl]\NP)/PP)/NP"),
    ("bx2", r"(S[dcl]\NP)/NP", r"S\S", r"(S[dcl]\NP)/NP"),
    # coordination and punctuation
    ("conj", "conj", r"S[b]\NP", r"S[b]\NP[conj]"),
    ("conj", ",", "N", "N[conj]"),
    ("conj", "NP", "NP[nb][conj]", "NP"),
    ("conj", r"S[b]\NP", r"S[b]\NP[conj]", r"S[b]\NP"),
    ("lp", ",", r"S[dcl]\NP", r"S[dcl]\NP"),
    ("lp", "LQU", "S[dcl]", "S[dcl]"),
    ("rp", "S[dcl]", ".", "S[dcl]"),
    ("rp", "NP[conj]", ",", "NP[conj]"),
]


@pytest.mark.parametrize(("rule", "left", "right", "result"), STEPS)
def test_every_combinator(rule, left, right, result):
    assert BINARY[rule](cat(left), cat(right)) is cat(result)
    assert (cat(result), rule) in results(cat(left), cat(right))
    assert name_of_step(cat(left), cat(right), cat(result)) == rule


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("NP", "NP"),
        (r"(S[dcl]\NP)/(S[b]\NP)", r"S[ng]\NP"),  # the features differ
        ("NP", "(S[dcl]/NP)"),  # the argument is on the other side
        ("S/NP", r"NP\N"),  # forward crossed composition is not English
        (r"S/(S\NP)", r"((S[dcl]\NP)/PP)\NP"),
        ("conj", "conj"),
        (",", "."),
        ("conj", "NP[conj]"),
        ("NP", "N[conj]"),
    ],
)
def test_what_does_not_combine(left, right):
    assert results(cat(left), cat(right)) == () and combine(cat(left), cat(right)) is None


def test_application_comes_first():
    assert combine(cat("N/N"), cat("N")) == (cat("N"), "fa")
    both = results(cat(","), cat("NP"))
    assert both == ((cat("NP"), "lp"), (cat("NP[conj]"), "conj"))


@pytest.mark.parametrize(
    ("left", "right", "result", "rule"),
    [
        ("NP[nb]/N", "N", "NP", "fa"),  # a treebank may drop [nb]
        ("conj", "NP", r"NP\NP", "conj"),  # or spell [conj] so
        (",", "NP", r"NP\NP", "tc"),
        (",", r"S[ng]\NP", r"(S\NP)\(S\NP)", "tc"),
        (r"S[pss]\NP", ",", "S/S", "tc"),
        ("NP", ",", "S/S", "tc"),
        (",", "S[dcl]", r"NP\NP", "other"),
        (",", "S[dcl]/S[dcl]", r"(S\NP)/(S\NP)", "tc"),  # the firm, he said, will
        (",", "S[dcl]/S[dcl]", "S[dcl]/S[dcl]", "lp"),
        ("S/S", ",", "S/S", "rp"),
        ("NP", r"S[dcl]\NP", "S[b]", "other"),
        ("NP", r"S[dcl]\NP", "NP", "other"),
    ],
)
def test_the_name_of_a_step(left, right, result, rule):
    assert name_of_step(cat(left), cat(right), cat(result)) == rule


@pytest.mark.parametrize(
    ("child", "result", "rule"),
    [
        ("N", "NP", "tc"),
        (r"S[pss]\NP", r"NP\NP", "tc"),
        (r"S[ng]\NP", r"(S[dcl]\NP)\(S[dcl]\NP)", "tc"),
        ("S[dcl]/NP", r"NP\NP", "tc"),
        ("NP", r"S/(S\NP)", "tr"),
        ("NP[nb]", r"S[dcl]/(S[dcl]\NP)", "tr"),
        ("NP", r"(S\NP)\((S\NP)/NP)", "tr"),
        ("PP", r"(S\NP)\((S\NP)/PP)", "tr"),
        ("S[dcl]", r"NP\NP", "tc"),  # the day he left
        ("S[b]", r"NP\NP", "other"),
        ("NP", r"NP\NP", "other"),  # apposition needs its comma
        ("NP", r"S\(S\NP)", "other"),  # both slashes point the same way
        ("NP", r"S/(N\NP)", "other"),
    ],
)
def test_the_name_of_a_unary_step(child, result, rule):
    assert name_of_unary(cat(child), cat(result)) == rule


def test_type_raising():
    assert type_raising(cat("NP"), cat("S")) is cat(r"S/(S\NP)")
    assert type_raising(cat("NP"), cat(r"S\NP"), "\\") is cat(r"(S\NP)\((S\NP)/NP)")


def test_the_listed_type_changes_have_their_name():
    for source, targets in TYPE_CHANGES.items():
        assert {name_of_unary(source, target) for target in targets} == {"tc"}
    assert {*BINARY, "leaf", "tr", "tc", "other"} == set(SIGNS)


@pytest.mark.parametrize(
    ("left", "right", "result", "head"),
    [
        ("NP/N", "N", "NP", 1),
        ("N/N", "N", "N", 1),
        ("PP/NP", "NP", "PP", 0),
        ("NP", r"S[dcl]\NP", "S[dcl]", 1),
        (r"(S[dcl]\NP)/NP", "NP", r"S[dcl]\NP", 0),
        (r"S[dcl]\NP", r"(S\NP)\(S\NP)", r"S[dcl]\NP", 0),
        (r"(S[dcl]\NP)/(S[b]\NP)", r"S[b]\NP", r"S[dcl]\NP", 0),
        (r"((S\NP)\(S\NP))/NP", "NP", r"(S\NP)\(S\NP)", 0),
        ("S[em]/S[dcl]", "S[dcl]", "S[em]", 0),
        (r"S/(S\NP)", r"(S[dcl]\NP)/NP", "S[dcl]/NP", 1),
        ("conj", "NP", "NP[conj]", 1),
        ("NP", "NP[conj]", "NP", 0),
        ("S[dcl]", ".", "S[dcl]", 0),
        (",", "NP", r"NP\NP", 1),
    ],
)
def test_heads(left, right, result, head):
    assert head_of_step(cat(left), cat(right), cat(result)) == head


AUTO = r"""ID=own.1 PARSER=GOLD NUMPARSE=1
(<T S[dcl] 0 2> (<T S[dcl] 1 2> (<T NP 0 1> (<L N NNP NNP Ada N>) ) (<T S[dcl]\NP 0 2> """ + (
    r"(<L (S[dcl]\NP)/NP VBD VBN wrote (S[dcl]\NP_1)/NP_2>) (<T NP 1 2> (<L NP/N DT DT :-) NP/N>) "
    "(<L N NN NN >) N>) ) ) ) (<L . . . . .>) )\n"
)


def raised() -> Derivation:
    ibm = Derivation.leaf("IBM", "NNP", cat("NP"))
    bought = Derivation.leaf("bought", "VBD", cat(r"(S[dcl]\NP)/NP"))
    subject = Derivation.unary(cat(r"S/(S\NP)"), ibm)
    return Derivation.binary(cat("S[dcl]/NP"), subject, bought)


def test_a_picture():
    lotus = Derivation.leaf("Lotus", "NNP", cat("NP"))
    whole = Derivation.binary(cat("S[dcl]"), raised(), lotus)
    assert str(whole).splitlines() == [
        "  IBM         bought      Lotus",
        "  ---     --------------  -----",
        "   NP     (S[dcl]\\NP)/NP    NP",
        "------>T",
        "S/(S\\NP)",
        "---------------------->B",
        "       S[dcl]/NP",
        "------------------------------>",
        "             S[dcl]",
    ]
    assert whole.words() == ("IBM", "bought", "Lotus")
    assert whole.heads() == (1, -1, 1) and whole.heads().index(-1) == 1
    assert whole.rule == "fa" and whole.sign == ">" and whole.problem() is None
    assert repr(whole) == "<Derivation S[dcl]: IBM bought Lotus>"


def test_a_step_without_a_rule_has_a_problem():
    broken = Derivation.binary(cat("S[b]"), raised(), Derivation.leaf("Lotus", "NNP", cat("NP")))
    assert broken.problem() == "no rule makes S[b] of S[dcl]/NP and NP in 'IBM bought Lotus'"
    line = format_derivation(broken)
    assert parse_auto(line, "x.auto")[0].derivation == broken
    with pytest.raises(CorpusError, match=r"line 1 of x\.auto: no rule makes S\[b\] of"):
        parse_auto(line, "x.auto", strict=True)


def test_a_file_is_read_and_written_back_equal(tmp_path):
    (entry,) = parse_auto(AUTO, "own.auto")
    assert entry.name == "own.1" and format_auto([entry]) == AUTO
    ada, wrote, article, noun, stop = entry.derivation.leaves()
    assert (wrote.pos, wrote.original_pos, wrote.indexed) == ("VBD", "VBN", r"(S[dcl]\NP_1)/NP_2")
    assert (article.word, noun.word, stop.word) == (":-)", ">)", ".")
    assert ada.original_pos == ada.indexed == ""
    assert entry.derivation.heads() == (1, -1, 3, 1, 1)
    rules = [node.rule for node in entry.derivation.nodes() if node.children]
    assert rules == ["tc", "fa", "fa", "ba", "rp"]
    write_auto(tmp_path / "own.auto", [entry])
    assert read_auto(tmp_path / "own.auto", strict=True) == [entry]


def test_the_misprint_of_ccgbank_is_read_as_meant():
    line = r"(<L ((S[b]\NP)/NP)/ VB VB give ((S[b]\NP)/NP)/>)"
    (entry,) = parse_auto(line, "wsj_0595.auto")
    assert str(entry.derivation.category) == r"(S[b]\NP)/NP" and entry.header == entry.name == ""


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("", "", "holds no derivations"),
        (AUTO[32:], "\n", "line 1 of own.auto: no derivation follows 'ID=own.1 PARSER"),
        (
            " (<L . . . . .>) )",
            "",
            "line 2 of own.auto: character 203: brackets that are not closed: 1",
        ),
        (" Ada N>)", "", "line 2 of own.auto: character 45: a word is written (<L category"),
        ("NNP Ada", "Ada", "line 2 of own.auto: character 45: a word is written (<L category"),
        (r"(S[dcl]\NP)/NP VBD", r"(S[dcl]\NP/NP VBD", "a second slash needs brackets"),
        ("NP 0 1", "NP 0 2", "character 67: a step to NP says 2 children and has 1"),
        ("NP 0 1", "NP 1 1", "character 33: NP has 1 child and says that child 1 is its head"),
        ("NP 0 1>", "NP zero 1>", "character 33: a step is written (<T category head children>"),
        (" .>) )", " .>) ) )", "the derivation is complete, and more follows"),
        ("(<T NP 0", "(NP 0", "(<T, (<L or a closing bracket should stand here, not '(NP'"),
        ("(<T S[dcl] 0", ") (<T S[dcl] 0", "character 1: a closing bracket too many"),
        ("Ada", "Ada\u00a0 Byron", "a word is written"),
    ],
)
def test_a_broken_file(old, new, said):
    text = AUTO.replace(old, new, 1) if old else ""
    with pytest.raises(CorpusError, match=re.escape(said)):
        parse_auto(text, "own.auto")


def test_a_line_cut_anywhere_is_one_clear_error():
    header, line, _ = AUTO.split("\n")
    for end in range(1, len(line)):
        with pytest.raises(CorpusError, match=r"^line 2 of own\.auto: character \d+: .+$"):
            parse_auto(f"{header}\n{line[:end]}", "own.auto")


def test_depth_has_a_limit():
    derivation = Derivation.leaf("so", "RB", cat("S"))
    for _ in range(MAX_DEPTH):
        derivation = Derivation.binary(cat("S"), derivation, Derivation.leaf("!", ".", cat(".")))
    line = format_derivation(derivation)
    (entry,) = parse_auto(line, "deep.auto")
    assert entry.derivation == derivation and len(str(derivation).splitlines()) == 3 + 2 * MAX_DEPTH
    with pytest.raises(CorpusError, match="more than 250 brackets are open"):
        parse_auto(f"(<T S 0 2> {line} (<L . . . . .>) )", "deep.auto")


# Steps that no rule names, all of them looked at: a parser's `S[dcl]\NP -> N\N`, slips, and `conj`
# as a kind of punctuation. Then the share of heads that are ours; geometry files have no heads.
FILES = {
    "gold/ccgrebank_wsj_0001.auto": (2, 0, 0.93),
    "gold/geometry_dev.auto": (62, 1, 0),
    "gold/geometry_train.auto": (63, 1, 0),
    "gold/tatoeba_dev.auto": (50, 0, 0.996),
    "gold/tatoeba_test.auto": (50, 0, 1),
    "silver/fracas.candc.auto.gz": (864, 18, 0.997),
    "silver/fracas.easyccg.auto.gz": (877, 1, 0.997),
    "silver/sick_trial.candc.auto.gz": (1000, 2, 0.999),
    "silver/sick_trial.depccg.auto.gz": (1000, 0, 1),
    "silver/sick_trial.easyccg.auto.gz": (1000, 0, 1),
}


@pytest.fixture(scope="module")
def ccg_small():
    for root in data_roots():
        if (root / "ccg_small").is_dir():
            return root / "ccg_small"
    pytest.skip("the small CCG treebanks are not here")


def same_head(node: Derivation) -> bool:
    left, right = (child.category for child in node.children)
    return head_of_step(left, right, node.category) == node.head


@pytest.mark.corpus
@pytest.mark.parametrize("name", FILES)
@pytest.mark.slow
def test_the_small_treebanks(ccg_small, name):
    derivations, other, heads = FILES[name]
    entries = read_auto(ccg_small / name)
    assert len(entries) == derivations
    assert format_auto(entries) == read_text(ccg_small / name)
    assert parse_auto(format_auto(entries), name) == entries
    steps = [node for entry in entries for node in entry.derivation.nodes() if node.children]
    rules = Counter(node.rule for node in steps)
    binary = [node for node in steps if len(node.children) == 2]
    ours = sum(map(same_head, binary)) / len(binary)
    named = 1 - rules["other"] / len(steps)
    print(f"{name}: {named:.2%} of {len(steps):,} steps have a rule, {ours:.2%} our head; {rules}")
    assert rules["other"] == other and named > 0.997 and ours >= heads
