"""Trees of lemmas; forms of lemmas, and which word of a reference each lemma was."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wordorder_lab.cli import main
from wordorder_lab.corpora import CorpusError
from wordorder_lab.corpora.inflection_lists import inflection_lists
from wordorder_lab.corpora.lemma_corpora import (
    load_lemma_trees,
    ordered_trees,
    reference_sources,
    task_folder,
)
from wordorder_lab.corpora.older_english import deviations, older
from wordorder_lab.corpora.readers.lemma_trees import parse_lemma_trees
from wordorder_lab.inflection.agreement import agreement_of
from wordorder_lab.inflection.candidates import Inflector
from wordorder_lab.inflection.counted_forms import CountedForms
from wordorder_lab.inflection.english_rules import CELLS, inflected, sounds_like_a_vowel
from wordorder_lab.inflection.gold_mapping import (
    NO_FORM,
    NOT_PROJECTIVE,
    OTHER_NUMBER,
    TOO_MANY,
    map_to_reference,
)
from wordorder_lab.structures.lemma_tree import LemmaNode, LemmaTree, feature_text, parse_features
from wordorder_lab.systems.realization_examples import (
    count_mappings,
    gold_mappings,
    learn_inflector,
    score,
)

RULES_ALONE = Inflector(CountedForms([]))


def tree_of(*nodes: str) -> LemmaTree:
    """Each node as ``lemma upos xpos features head label``, the head from 1, 0 for the root."""
    made = []
    for node in nodes:
        lemma, upos, xpos, features, head, label = node.split()
        xpos = "" if xpos == "_" else xpos
        made.append(LemmaNode(lemma, upos, xpos, parse_features(features), label, int(head) - 1))
    return LemmaTree(tuple(made))


def test_an_honest_person() -> None:
    tree = tree_of(
        "person NOUN _ Number=Sing 0 root",
        "a DET _ Definite=Ind|PronType=Art 1 det",
        "honest ADJ _ Degree=Pos 1 amod",
    )
    forms = RULES_ALONE.forms(tree)
    assert forms == (("person",), ("an", "a"), ("honest",))
    mapping = map_to_reference(tree, forms, ["An", "honest", "person"])
    assert (mapping.outcome, mapping.positions) == ("one", (2, 0, 1))
    assert mapping.placed(["An", "honest", "person"]).nodes[1].form == "An"


def test_tom_and_sally_are() -> None:
    """Whether joined subjects are one or several is left to the search, as in the paper."""
    features = "Mood=Ind|Tense=Pres|VerbForm=Fin"
    joined = tree_of(
        f"be VERB _ {features} 0 root",
        "Tom PROPN _ Number=Sing 1 nsubj",
        "Sally PROPN _ Number=Sing 2 conj",
        "and CCONJ _ _ 3 cc",
    )
    assert {"is", "are"} <= set(RULES_ALONE.forms(joined)[0])
    alone = LemmaTree(joined.nodes[:2])
    assert set(RULES_ALONE.forms(alone)[0]) == {"is", "'s"}


def test_all_forms_stay_where_only_the_neighbours_decide() -> None:
    tree = tree_of("do AUX VBZ _ 3 aux", "not PART RB _ 3 advmod", "go VERB VB _ 0 root")
    assert RULES_ALONE.forms(tree) == (("does",), ("not", "n't"), ("go",))


PRESENT = "Mood=Ind|Tense=Pres|VerbForm=Fin"


@pytest.mark.parametrize(
    ("subject", "who", "verb"),
    [
        ("dog NOUN _ Number=Sing", ("3", "Sing"), ("sees",)),
        ("dog NOUN _ Number=Plur", ("3", "Plur"), ("see",)),
        ("I PRON _ Number=Sing|Person=1", ("1", "Sing"), ("see",)),
        ("you PRON _ Person=2", ("2", "Plur"), ("see",)),
        ("he PRON _ Number=Sing|Person=3", ("3", "Sing"), ("sees",)),
        ("who PRON _ PronType=Rel", None, ("sees", "see")),
    ],
)
def test_the_subject_decides_where_no_tag_does(subject, who, verb) -> None:
    tree = tree_of(f"see VERB _ {PRESENT} 0 root", f"{subject} 1 nsubj")
    assert agreement_of(tree, 0) == who
    assert RULES_ALONE.forms(tree)[0] == verb


def test_auxiliaries_and_conjuncts_share_a_subject() -> None:
    tree = tree_of(
        "go VERB VBG VerbForm=Part 0 root",
        f"be AUX VBP {PRESENT} 1 aux",
        "I PRON PRP Number=Sing|Person=1 1 nsubj",
        f"sing VERB _ {PRESENT} 1 conj",
    )
    assert set(RULES_ALONE.forms(tree)[1]) == {"am", "'m"}
    assert agreement_of(tree, 3) == ("1", "Sing")


REGULAR = """
plural: box boxes, city cities, day days, fireman firemen, human humans, studio studios
third person: echo echoes, watch watches
past: try tried, play played, stop stopped, fix fixed, panic panicked
present participle: quit quitting, rain raining, make making, see seeing, lie lying, dye dyeing
comparative: happy happier
superlative: big biggest, large largest
"""


@pytest.mark.parametrize("line", REGULAR.strip().split("\n"))
def test_regular_forms(line: str) -> None:
    cell, _, pairs = line.partition(": ")
    for lemma, form in map(str.split, pairs.split(", ")):
        assert inflected(lemma, cell) == form


@given(st.text("abcdefghijklmnopqrstuvwxyz", max_size=9), st.sampled_from(CELLS))
def test_rules_keep_the_stem_and_end_as_they_should(lemma: str, cell: str) -> None:
    form = inflected(lemma, cell)
    endings = {"base": "", "plural": "s", "third person": "s", "present participle": "ing"}
    endings |= {"comparative": "er", "superlative": "est"}
    if lemma and not lemma.endswith("man"):
        assert form.endswith(endings.get(cell, "ed"))
    assert form[: max(len(lemma) - 2, 0)] == lemma[: max(len(lemma) - 2, 0)]
    assert len(lemma) <= len(form) <= len(lemma) + 4


def test_no_such_form() -> None:
    with pytest.raises(ValueError, match="no form is called 'dual'"):
        inflected("dog", "dual")


AN, A = "honest hour apple MP 8 uninteresting onion 11 heir", "horse house user UN 7 university"


def test_what_an_stands_before() -> None:
    assert all(map(sounds_like_a_vowel, AN.split()))
    assert not any(map(sounds_like_a_vowel, [*A.split(), "one-off", "1100", "European"]))


def test_counts_come_before_lists_and_rules() -> None:
    seen = tree_of("mouse NOUN NNS Number=Plur 0 root")
    shown = LemmaNode("mouse", "NOUN", "NNS", seen.nodes[0].features, "root", -1, None, "Mice", 0)
    counted = Inflector(CountedForms([LemmaTree((shown,))] * 3))
    assert counted.forms(seen) == (("mice",),)  # the capital was that of the sentence
    listed = Inflector(CountedForms([]), {"plural": {"mouse": ("mice",)}})
    assert listed.forms(seen) == (("mice",),)
    assert RULES_ALONE.forms(seen) == (("mouses",),)


def test_another_language_goes_by_the_endings_it_has_seen() -> None:
    """Hungarian inessives: the vowel of the ending goes by the end of the lemma."""
    where = (("Case", "Ine"),)
    pairs = [("ház", "házban"), ("láz", "lázban"), ("kéz", "kézben"), ("méz", "mézben")]
    nodes = [LemmaNode(a, "NOUN", "", where, "root", -1, None, b, 0) for a, b in pairs]
    forms = Inflector(CountedForms([LemmaTree((node,)) for node in nodes]), english=False)
    unseen = LemmaTree((LemmaNode("gáz", "NOUN", "", where, "root", -1),))
    assert forms.forms(unseen)[0][0] == "gázban"
    with pytest.raises(ValueError, match="without their words"):
        CountedForms([unseen])


@st.composite
def mapping_problems(draw: st.DrawFn) -> tuple[LemmaTree, list[tuple[str, ...]], list[str]]:
    """Trees of up to six nodes over few lemmas and words, so that much is ambiguous."""
    length = draw(st.integers(1, 6))
    heads = [-1, *(draw(st.integers(0, i - 1)) for i in range(1, length))]
    nodes = tuple(
        LemmaNode(
            draw(st.sampled_from("abc")), "X", "", (), "punct", head, draw(st.sampled_from(RANKS))
        )
        for head in heads
    )
    forms: list[tuple[str, ...]] = [(node.lemma, "x") for node in nodes]
    words = draw(st.lists(st.sampled_from("abcx"), min_size=length, max_size=length))
    return LemmaTree(nodes), forms, words


RANKS = [None, None, None, -1, 1]


def all_mappings(tree: LemmaTree, forms, words) -> set[tuple[object, ...]]:
    """Every projective mapping, listed: of each place the node's looks and where its head is."""
    found = set()
    for places in permutations(range(len(tree))):
        fits = all(words[at] in some for at, some in zip(places, forms, strict=True))
        ordered = all(places[i] < places[j] for i, j in tree.before)
        if fits and ordered and all(in_one_piece(tree, node, places) for node in range(len(tree))):
            found.add(looks(tree, places))
    return found


def in_one_piece(tree: LemmaTree, node: int, places) -> bool:
    below, todo = [], [node]
    while todo:
        below.append(places[todo[-1]])
        todo.extend(tree.dependents[todo.pop()])
    return max(below) - min(below) == len(below) - 1


def looks(tree: LemmaTree, places) -> tuple[object, ...]:
    rows = zip(places, tree.nodes, strict=True)
    heads = ((at, node, places[node.head] if node.head >= 0 else -1) for at, node in rows)
    return tuple(sorted((at, node.lemma, node.rank or 0, head) for at, node, head in heads))


@given(mapping_problems())
def test_pruning_finds_just_the_mappings_that_there_are(problem) -> None:
    tree, forms, words = problem
    every = all_mappings(tree, forms, words)
    chosen = [map_to_reference(tree, forms, words, seed=seed) for seed in range(3)]
    for mapping in chosen:
        assert mapping.ways == len(every)
        assert mapping.outcome == ("none", "one", "several")[min(2, len(every))]
        assert bool(mapping.reason) == (not every)
        if every:
            assert looks(tree, mapping.positions) in every


def test_each_of_several_mappings_is_chosen_by_some_seed() -> None:
    tree = tree_of("b X _ _ 0 root", "a X _ _ 1 det", "a X _ _ 1 obj")
    forms = [("b",), ("a",), ("a",)]
    chosen = {map_to_reference(tree, forms, list("aba"), seed=s).positions for s in range(20)}
    assert chosen == {(1, 0, 2), (1, 2, 0)}


def test_why_there_is_no_mapping() -> None:
    tree = tree_of("see VERB _ _ 0 root", "dog NOUN _ _ 1 obj", "the DET _ _ 2 det")
    forms = [("see", "sees"), ("dog",), ("the",)]

    def reason(text: str) -> tuple[str, str]:
        mapping = map_to_reference(tree, forms, text.split())
        assert mapping.outcome == "none" and not mapping.positions
        return mapping.reason, mapping.detail

    assert reason("see the") == (OTHER_NUMBER, "3 lemmas, 2 words")
    assert reason("sees the cat") == (NO_FORM, "dog | cat")
    assert reason("the sees dog") == (NOT_PROJECTIVE, "below 'dog'")
    flat = tree_of("see VERB _ _ 0 root", *("dog NOUN _ _ 1 obj" for _ in range(2000)))
    many = map_to_reference(flat, [("see",)] + [("dog",)] * 2000, ["dog"] * 2000 + ["see"])
    assert many.reason == TOO_MANY
    with pytest.raises(ValueError, match="has no mapping"):
        map_to_reference(tree, forms, ["see"]).placed(["see"])
    with pytest.raises(ValueError, match="one each is needed"):
        map_to_reference(tree, forms[:2], ["see"])


def test_a_word_that_is_no_form_may_be_told_by_what_is_left() -> None:
    tree = tree_of("see VERB _ _ 0 root", "dog NOUN _ _ 1 obj", "the DET _ _ 2 det")
    forms = [("see", "sees"), ("dog",), ("the",)]
    for spare, positions in ((0, ()), (1, (0, 2, 1))):
        mapping = map_to_reference(tree, forms, ["see", "the", "dgo"], spare=spare)
        assert mapping.positions == positions and mapping.spared == (1,) * spare
    assert not map_to_reference(tree, forms, ["see", "a", "dgo"], spare=1).positions


def test_a_lifted_arc_makes_a_tree_projective() -> None:
    """*A hearing is scheduled on this*: the phrase *on this* belongs to *hearing*."""
    tree = tree_of(
        "schedule X _ _ 0 root",
        "hearing X _ _ 1 nsubj",
        "a X _ _ 2 det",
        "this X _ _ 2 nmod",
        "on X _ _ 4 case",
        "is X _ _ 1 aux",
    )
    forms = [("scheduled",), ("hearing",), ("a",), ("this",), ("on",), ("is",)]
    words = ["A", "hearing", "is", "scheduled", "on", "this"]
    assert map_to_reference(tree, forms, words).reason == NOT_PROJECTIVE
    lifted = map_to_reference(tree, forms, words, lifts=1)
    assert (lifted.outcome, lifted.lifted) == ("one", (3,))
    assert lifted.tree.heads == (-1, 0, 1, 0, 3, 0)
    assert lifted.positions == (3, 1, 0, 5, 4, 2)
    assert lifted.placed(words).is_projective()


def test_counts_of_mappings() -> None:
    text = "1\tDogs\tdog\tNOUN\tNNS\tNumber=Plur\t2\tnsubj\t_\t_\n"
    text += "2\tbark\tbark\tVERB\tVBP\t_\t0\troot\t_\t_\n\n"
    trees = parse_lemma_trees(text * 3, "here").sentences
    made = gold_mappings([tree.shuffled(3) for tree in trees], RULES_ALONE)
    counts = count_mappings(made)
    assert (counts.trees, counts.one, counts.none, counts.as_annotated) == (3, 3, 0, 3)
    told = score(RULES_ALONE, trees)
    assert (told.words, told.forms, told.among, told.first_cased) == (6, 1, 1, 1)
    with pytest.raises(ValueError, match="no words"):
        score(RULES_ALONE, [])


@pytest.fixture(scope="module")
def learned():
    """An inflector of a third of EWT's train part."""
    try:
        inflection_lists()
        trees = load_lemma_trees("ewt")
        return learn_inflector(trees.train[::3]), trees
    except CorpusError as error:
        pytest.skip(str(error))


@pytest.mark.corpus
def test_most_words_of_a_treebank_are_among_few_forms(learned) -> None:
    inflector, trees = learned
    told = score(inflector, trees.dev)
    assert told.among >= 0.98 and told.first >= 0.97 and told.forms < 1.2


@pytest.mark.corpus
def test_most_trees_of_a_treebank_have_one_mapping(learned) -> None:
    inflector, trees = learned
    shuffled = [tree.shuffled(1) for tree in trees.dev[:400]]
    counts = count_mappings(gold_mappings(shuffled, inflector))
    assert counts.one > 0.8 * counts.trees
    assert counts.as_annotated > 0.95 * counts.known


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
