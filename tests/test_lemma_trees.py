"""Trees of lemmas: what a file says, what is wrong with it, and the shared tasks' corpora."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wordorder_lab.cli import main
from wordorder_lab.corpora import CorpusError
from wordorder_lab.corpora.lemma_corpora import (
    load_lemma_trees,
    ordered_trees,
    reference_sources,
    task_folder,
)
from wordorder_lab.corpora.older_english import deviations, older
from wordorder_lab.corpora.readers.lemma_trees import parse_lemma_trees
from wordorder_lab.structures.lemma_tree import LemmaNode, LemmaTree, feature_text, parse_features


def line(*columns: object) -> str:
    """A line of CoNLL-U: id, form, lemma, upos, xpos, features, head, label."""
    return "\t".join(map(str, (*columns, "_", "_"))) + "\n"


PERSON = (
    line(1, "honest", "_", "ADJ", "JJ", "Degree=Pos", 2, "amod")
    + line(2, "person", "_", "NOUN", "NN", "Number=Sing", 0, "root")
    + line(3, "a", "_", "DET", "DT", "Definite=Ind|PronType=Art", 2, "det")
    + line(4, ".", "_", "PUNCT", ".", "lin=+1", 2, "punct")
    + "\n"
)
TREEBANK = (
    "# sent_id = mine-1\n# text = Dogs bark.\n"
    + line(1, "Dogs", "dog", "NOUN", "NNS", "Number=Plur", 2, "nsubj")
    + line(2, "bark", "bark", "VERB", "VBP", "Tense=Pres|VerbForm=Fin", 0, "root")
    + line(3, ".", ".", "PUNCT", ".", "_", 2, "punct")
    + "\n"
)


def test_an_input_of_a_task() -> None:
    (tree,) = parse_lemma_trees(PERSON, "here", "own").sentences
    assert [node.lemma for node in tree.nodes] == ["honest", "person", "a", "."]
    assert tree.heads == (1, -1, 1, 1) and tree.root == 1 and tree.dependents[1] == (0, 2, 3)
    assert tree.nodes[2].features == (("Definite", "Ind"), ("PronType", "Art"))
    assert tree.nodes[3].rank == 1 and tree.nodes[3].features == ()
    assert tree.before == ((1, 3),)
    assert tree.name == "own:1" and tree.reference == () and tree.nodes[0].form is None
    with pytest.raises(ValueError, match="not known"):
        tree.placed()


def test_a_treebank_knows_words_and_places() -> None:
    assert feature_text(parse_features("Person=3|Number=Sing")) == "Number=Sing|Person=3"
    assert feature_text(parse_features("_")) == "_"
    (tree,) = parse_lemma_trees(TREEBANK, "here").sentences
    assert (tree.name, tree.text, tree.reference) == ("mine-1", "Dogs bark.", ("Dogs", "bark", "."))
    assert next((n.lemma, n.form, n.position) for n in tree.nodes) == ("dog", "Dogs", 0)
    assert tree.is_projective()


WRONG = {
    "cycle": (PERSON.replace("\t2\tdet", "\t3\tdet"), "line 1 .*its own ancestor"),
    "two roots": (PERSON.replace("\t2\tdet", "\t0\tdet"), "line 1 .*2 roots"),
    "no lemma": (PERSON.replace("honest", "_"), "line 1 .*lemma .*missing"),
    "no lemma, treebank": (TREEBANK.replace("\tbark\tVERB", "\t_\tVERB"), "line 4 .*LEMMA"),
    "label": (PERSON.replace("amod", "amodd"), "line 1 .*'amodd' is not known; is 'amod' meant"),
    "feature": (PERSON.replace("Number", "Numbre"), "line 2 .*'Numbre' .*is 'Number' meant"),
    "feature twice": (PERSON.replace("Degree=Pos", "Case=Nom|Case=Acc"), "line 1 .*two values"),
    "no value": (PERSON.replace("Degree=Pos", "Degree"), "line 1 .*not 'Degree'"),
    "lin": (PERSON.replace("lin=+1", "lin=0"), "line 4 .*lin is '0'"),
    "spaces": (PERSON.replace("\t", "  "), "line 1 .*tabs"),
    "empty": ("# sent_id = 1\n\n", "line 1 .*empty"),
    "head": (PERSON.replace("\t2\tdet", "\t9\tdet"), "line 3 .*HEAD"),
}


@pytest.mark.parametrize("what", WRONG)
def test_a_broken_sentence_is_named_and_may_be_passed_over(what: str) -> None:
    text, message = WRONG[what]
    with pytest.raises(CorpusError, match=message):
        parse_lemma_trees(text, "here")
    good = TREEBANK if "treebank" in what else PERSON
    part = parse_lemma_trees(text + good, "here", skip_bad=True)
    assert len(part.sentences) == 1 and part.sentences[0].line == text.count("\n") + 1
    ((place, why),) = part.left_out
    assert place == 0 and why.startswith("line ") and "here" in why


def test_a_file_without_a_good_sentence_is_refused_either_way() -> None:
    with pytest.raises(CorpusError, match=r"no trees of lemmas: line 1"):
        parse_lemma_trees(WRONG["cycle"][0], "here", skip_bad=True)
    with pytest.raises(CorpusError, match="give a CoNLL-U file"):
        parse_lemma_trees("", "here")


LABELS = st.sampled_from(["punct", "conj", "nsubj", "compound:prt", "flat", "obj"])


@st.composite
def trees(draw: st.DrawFn) -> LemmaTree:
    """Trees of up to eight nodes with places; every head comes before its dependents."""
    length = draw(st.integers(1, 8))
    heads = [-1, *(draw(st.integers(0, i - 1)) for i in range(1, length))]
    places = draw(st.permutations(range(length)))
    nodes = tuple(
        LemmaNode(f"l{i}", "X", "", (), draw(LABELS), head, None, f"w{place}", place)
        for i, (head, place) in enumerate(zip(heads, places, strict=True))
    )
    return LemmaTree(nodes, reference=tuple(f"w{i}" for i in range(length)))


@given(trees(), st.integers(0, 9))
def test_shuffling_says_the_same_of_every_node(tree: LemmaTree, seed: int) -> None:
    def facts(one: LemmaTree) -> set[tuple[object, ...]]:
        lemmas = [node.lemma for node in one.nodes]
        return {
            (node.lemma, node.form, node.position, lemmas[node.head] if node.head >= 0 else "")
            for node in one.nodes
        }

    shuffled = tree.shuffled(seed)
    assert facts(shuffled) == facts(tree) and shuffled.problem() is None
    assert shuffled == tree.shuffled(seed)
    assert [node.form for node in shuffled.placed().nodes] == list(tree.reference)


@given(trees())
def test_ranks_are_orders_of_the_reference(tree: LemmaTree) -> None:
    ranked = tree.ranked()
    for before, after in ranked.before:
        assert (ranked.nodes[before].position or 0) < (ranked.nodes[after].position or 0)
    for node in ranked.nodes:
        if node.label in ("punct", "flat", "compound:prt") and node.head >= 0:
            assert node.rank
        if node.label in ("nsubj", "obj"):
            assert node.rank is None


def test_the_older_english_of_a_small_tree() -> None:
    text = (
        line(1, "I", "I", "PRON", "PRP", "Case=Nom|Number=Sing|Person=1|PronType=Prs", 3, "nsubj")
        + line(2, "love", "love", "VERB", "VBP", "Number=Sing|Person=1|Tense=Pres", 0, "root")
        + line(3, "your", "your", "PRON", "PRP$", "Case=Gen|Person=2|Poss=Yes", 5, "nmod:poss")
        + line(4, "American", "American", "ADJ", "NNP", "Degree=Pos", 5, "amod")
        + line(5, "day", "day", "NOUN", "NN", "Number=Sing", 2, "obl:unmarked")
    ).replace("\t3\tnsubj", "\t2\tnsubj")
    nodes = older(parse_lemma_trees(text, "here").sentences[0]).nodes
    assert [node.lemma for node in nodes] == ["I", "love", "you", "American", "day"]
    assert [node.upos for node in nodes] == ["PRON", "VERB", "PRON", "PROPN", "NOUN"]
    assert [node.label for node in nodes][2:] == ["nmod:poss", "compound", "obl:tmod"]
    assert feature_text(nodes[1].features) == "Mood=Ind|Tense=Pres|VerbForm=Fin"
    assert nodes[2].feature("Case") == "" and nodes[2].feature("Person") == "2"


def test_corpora_tells_of_a_treebank_of_lemmas(tmp_path, capsys) -> None:
    for split in ("train", "dev"):
        (tmp_path / f"own-ud-{split}.conllu").write_text(TREEBANK * 3)
    assert main(["corpora", str(tmp_path), "--report", "--quiet"]) == 0
    shown = capsys.readouterr().out
    assert "right one among them 100.0%" in shown and "3 in one way" in shown
    assert main(["corpora"]) == 0
    assert "sr18" in capsys.readouterr().out
    assert main(["corpora", "sr18", "--units", "base-np"]) == 2
    alone = tmp_path / "alone.conllu"
    alone.write_text(PERSON * 20)
    assert main(["corpora", str(alone), "--report", "--quiet"]) == 2
    assert "without their words" in capsys.readouterr().err


@pytest.fixture(scope="module")
def here() -> None:
    try:
        task_folder("sr18")
        load_lemma_trees("ewt")
    except CorpusError as error:
        pytest.skip(str(error))


def test_the_gazette_has_trees_of_lemmas() -> None:
    """Its labels are not those of Universal Dependencies; places and forms are known."""
    gazette = load_lemma_trees("gazette")
    tree = gazette.dev[0]
    assert gazette.name == "gazette" and len(gazette.dev) == 200
    assert tree.reference[:2] == ("According", "to") and tree.nodes[0].lemma == "accord"
    assert {"SUB", "NMOD"} <= {node.label for node in tree.nodes}
    assert [node.position for node in tree.nodes] == list(range(len(tree)))


@pytest.mark.corpus
def test_the_sizes_of_the_tasks(here) -> None:
    sr20 = load_lemma_trees("sr20")
    assert len(load_lemma_trees("sr18").dev) == 1978 and len(sr20.test) == 2077
    assert sum(map(len, sr20.test)) == 25_096
    assert all(len(tree) == len(tree.reference) for tree in sr20.test)
    sources = reference_sources("sr18", "test")
    assert sources == {"of EWT, by sent_id": 2057, "of sr20, by sent_id": 4}


@pytest.mark.corpus
def test_ranks_are_made_as_the_task_made_them(here) -> None:
    """As many nodes of each lemma and label with each rank, in every dev sentence."""
    for given_tree, ordered in zip(load_lemma_trees("sr20").dev, ordered_trees("sr20", "dev")):
        made = ordered.ranked()
        assert sorted((n.lemma, n.label, n.rank or 0) for n in made.nodes) == sorted(
            (n.lemma, n.label, n.rank or 0) for n in given_tree.nodes
        )


@pytest.mark.corpus
def test_english_said_the_older_way_differs_less(here) -> None:
    today, then = load_lemma_trees("ewt").dev, ordered_trees("sr18", "dev")
    before, after = deviations(today, then), deviations([older(t) for t in today], then)
    assert before["words"] == after["words"] > 24_000
    assert after["features"] < 0.02 * after["words"] < before["features"]
    assert after["lemma"] < before["lemma"] / 2 and after["label"] < before["label"]
