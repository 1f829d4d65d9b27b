"""Corpora by name and by path, and what is said about broken ones; Penn trees to dependencies."""

from __future__ import annotations

import gzip
import re
import zipfile
from pathlib import Path

import pytest
from house_rules import ROOT
from hypothesis import given
from hypothesis import strategies as st
from nltk.tree import Tree

from wordorder_lab.cli import main
from wordorder_lab.commands.corpora import every_corpus
from wordorder_lab.corpora import Corpus, CorpusError, load_corpus
from wordorder_lab.corpora.agreement import agreement, parse_dp
from wordorder_lab.corpora.readers.conllu import read_conllu
from wordorder_lab.corpora.readers.penn import to_sentence
from wordorder_lab.structures.head_rules import YAMADA_MATSUMOTO, read_head_table
from wordorder_lab.structures.trees import is_projective, tree_problem

LINES = """\
( (S
    (NP-SBJ
      (NP (DT The) (NN teacher) )
      (PP (IN of)
        (NP (NNP Ada) )))
    (VP (VBD asked)
      (SBAR
        (WHNP-1 (WP what) )
        (S
          (NP-SBJ (PRP we) )
          (VP (VBD saw)
            (NP (-NONE- *T*-1) )))))
    (. .) ))
""".splitlines()
TEXT = "\n".join(LINES) + "\n"
A_TREE = "( (S (NP (NN word{0})) (VP (VBD fell))) )\n"


def conllu(*rows: str) -> str:
    """A sentence from rows like ``The DET DT 2``; an ID may come first as in ``1-2=``."""
    lines, number = ["# a sentence of our own"], 0
    for row in rows:
        word_id, _, rest = row.rpartition("=")
        number += not word_id
        form, upos, xpos, head = rest.split(" ")
        columns = [word_id or str(number), form.replace("~", " "), "_", upos, xpos, "_", head]
        lines.append("\t".join([*columns, "_", "_", "_"]))
    return "\n".join(lines) + "\n\n"


FELL = conllu("Words NOUN NNS 2", "fell VERB VBD 0")
CROSSING = conllu("a X A 3", "b X B 0", "c X C 2", "d X D 1")


def write(folder: Path, **files: str) -> Path:
    for name, text in files.items():
        (folder / name.replace("__", "-").replace("_c", ".c")).write_text(text, encoding="utf-8")
    return folder


def broken_brackets():
    """The lines of one tree with any one of its brackets dropped or doubled, and which line."""
    for number, line in enumerate(LINES):
        for bracket in re.finditer(r"[()]", line):
            for instead in ("", 2 * bracket.group()):
                broken = line[: bracket.start()] + instead + line[bracket.end() :]
                yield number + 1, "\n".join([*LINES[:number], broken, *LINES[number + 1 :]]) + "\n"


def test_any_broken_bracket_is_found_in_its_line(tmp_path):
    path = tmp_path / "some.mrg"
    for number, broken in broken_brackets():
        path.write_text(TEXT * 3 + broken + TEXT * 2)
        with pytest.raises(CorpusError) as error:
            len(load_corpus(path).train)
        line = 3 * len(LINES) + number
        assert f"a broken bracket on line {line} of {path}: " in str(error.value), broken


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (A_TREE + A_TREE.replace("))) )", ")) )") + A_TREE, "line 2"),
        (A_TREE + A_TREE.rstrip()[:-1], "line 2"),
        (A_TREE + "word\n" + A_TREE, "line 2 .*'word'|line 2"),
        ("( (S (NN a b)) )", "line 1"),
        ("( (S (NN )) )", "hold nothing"),
        ("(S " * 300 + "(NN a)" + ")" * 300, "more than 200 brackets"),
        ("", "holds no trees"),
        (TEXT * 400 + TEXT.replace("(. .)", ". .)"), "broken bracket on line 5,213"),
        # Two faults that cancel each other would pass as one long sentence.
        (TEXT.replace("(. .) ))", "(. .) )") + TEXT.replace("(. .) ))", "(. .) )))"), "line 13"),
    ],
)
def test_broken_trees(tmp_path, text, said):
    path = write(tmp_path, **{"some.mrg": text}) / "some.mrg"
    with pytest.raises(CorpusError, match=said) as error:
        len(load_corpus(path).train)
    assert str(path) in str(error.value)


def test_text_in_another_encoding(tmp_path):
    (tmp_path / "some.mrg").write_bytes(TEXT.encode() + "(NP (NN café))".encode("latin-1"))
    with pytest.raises(CorpusError, match=r"line 14 of .*some.mrg is not UTF-8"):
        len(load_corpus(tmp_path).train)


def test_a_folder_of_trees_is_cut_in_three(tmp_path):
    write(tmp_path, **{f"{i}.mrg": A_TREE.format(i) * 5 for i in range(4)})
    corpus = load_corpus(tmp_path, units="words")
    assert [len(corpus.split(split)) for split in corpus.splits] == [16, 2, 2]
    assert corpus.dev[0].text == "word3 fell" and corpus.dev[0].name == "3.mrg:2"
    assert corpus.dev[0].tree.heads == (1, -1)


def treebank(folder: Path, sections=(*range(2, 24),)) -> Path:
    for section in sections:
        place = folder / "wsj" / f"{section:02}"
        place.mkdir(parents=True)
        (place / f"WSJ_{section:02}01.MRG").write_text(A_TREE.format(section))
    return folder


def test_the_splits_of_the_papers(tmp_path, monkeypatch):
    corpus = load_corpus(treebank(tmp_path))
    first = [corpus.train[0].surface[0], corpus.train[-1].surface[0]]
    assert first == ["word2", "word21"] and len(corpus.train) == 20
    assert (corpus.dev[0].surface[0], corpus.test[0].surface[0]) == ("word22", "word23")
    assert corpus.units == "base-np" and corpus.dev[0].tokens[0].pos == "NP"
    with pytest.raises(CorpusError, match=r"no section 00"):
        len(load_corpus(tmp_path, dev_section=0).dev)
    monkeypatch.setenv("WORDORDER_LAB_PTB", str(tmp_path))
    assert load_corpus("ptb").test == corpus.test
    with pytest.raises(CorpusError, match=r"no section 00"):
        len(load_corpus("ptb-00").dev)
    monkeypatch.setenv("WORDORDER_LAB_PTB", str(tmp_path / "elsewhere"))
    with pytest.raises(CorpusError, match=r"WORDORDER_LAB_PTB is .*elsewhere"):
        load_corpus("ptb")


@pytest.mark.parametrize("packed", [True, False])
def test_the_sample_is_found_packed_or_not(tmp_path, monkeypatch, packed):
    files = {f"treebank/combined/wsj_{i:04}.mrg": A_TREE.format(i) for i in range(1, 40)}
    corpora = tmp_path / "nltk_data" / "corpora"
    (corpora / "treebank" / "combined").mkdir(parents=True)
    with zipfile.ZipFile(corpora / "treebank.zip", "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
            if not packed:
                (corpora / name).write_text(text)
    if packed:
        (corpora / "treebank" / "combined").rmdir()
    monkeypatch.setenv("WORDORDER_LAB_DATA", str(tmp_path))
    corpus = load_corpus("ptb-sample")
    assert [s.name for s in corpus.dev] == [f"wsj_{i:04}.mrg:1" for i in range(1, 21)]
    with pytest.raises(CorpusError, match=r"wsj_0040.mrg cannot be read"):  # not one sentence less
        len(corpus.test)


def test_an_empty_name_of_a_folder_is_no_corpora_of_others(monkeypatch):
    monkeypatch.setenv("WORDORDER_LAB_DATA", "")
    with pytest.raises(CorpusError):
        len(load_corpus("ptb-sample").dev)
    assert len(load_corpus("gazette").dev)


def test_a_torn_zip(tmp_path):
    (tmp_path / "corpora").mkdir()
    (tmp_path / "corpora" / "treebank.zip").write_bytes(b"PK torn")
    with pytest.raises(CorpusError, match=r"not a whole zip file"):
        load_corpus("ptb-sample", data=tmp_path)


def test_the_units_of_conllu(tmp_path):
    text = conllu(
        "1-2=vom _ _ _", "von ADP _ 3", "dem DET ART 3", "1~000 NUM CARD 0", "3.1=e _ _ _"
    )
    write(tmp_path, a_conllu=FELL * 8 + text + FELL)
    corpus = load_corpus(tmp_path / "a.conllu")
    sentence = corpus.dev[0]
    assert corpus.units == "words" and sentence.name == "a.conllu:9"
    assert [token.words for token in sentence] == [("von",), ("dem",), ("1 000",)]
    assert [token.head for token in sentence] == [2, 2, -1]
    # One word has no XPOS, so nowhere in the file is it taken.
    assert [token.pos for token in sentence] == ["ADP", "DET", "NUM"]


def test_non_projective_sentences_are_counted_and_left_out(tmp_path):
    write(tmp_path, x__dev_conllu=FELL + CROSSING + FELL, x__test_conllu=CROSSING)
    corpus = load_corpus(tmp_path)
    assert [sentence.name for sentence in corpus.dev] == ["x-dev.conllu:1", "x-dev.conllu:3"]
    assert corpus.skipped("dev") == {"non-projective": 1}
    assert "2 sentences, 1 non-projective left out" in repr(corpus)
    with pytest.raises(CorpusError, match=r"test split of x is empty.*non-projective"):
        len(corpus.test)


@pytest.mark.parametrize("first", [0, 3, 8, 9, 10])
def test_what_is_left_out_of_a_file_counts_once_and_where_it_was(tmp_path, first):
    write(tmp_path, a_conllu=FELL * first + CROSSING + FELL * (10 - first) + CROSSING)
    corpus = load_corpus(tmp_path / "a.conllu")
    assert [len(corpus.split(split)) for split in corpus.splits] == [8, 1, 1]
    found = {split: corpus.skipped(split).get("non-projective", 0) for split in corpus.splits}
    wanted = {"train": 0, "dev": 0, "test": 1}  # the test split has the last one in any case
    wanted["train" if first < 8 else "dev" if first == 8 else "test"] += 1
    assert found == wanted


def test_what_is_left_out_of_several_files(tmp_path):
    write(tmp_path, x__a__dev_conllu=FELL + CROSSING, x__b__dev_conllu=CROSSING + FELL)
    part = read_conllu(sorted(tmp_path.iterdir()))
    assert part.left_out == ((1, "non-projective"), (1, "non-projective"))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (FELL + FELL.replace("\t2\t", "\t7\t"), "line 6 .*HEAD is '7'.*1 to 2"),
        (FELL.replace("\t2\t", "\t_\t"), "line 2 .*HEAD is '_'"),
        (FELL.replace("\t2\t", "\t-1\t"), "line 2 .*HEAD is '-1'"),
        (FELL.replace("\t2\t", "\t0\t"), "line 2 .*2 roots"),
        (conllu("a X A 2", "b X B 1", "c X C 0"), "line 2 .*no tree.*own ancestor"),
        (FELL.replace("\t_\n", "\n", 1), "line 2 .*not 9 columns"),
        (FELL.replace("\t", " "), "line 2 .*tabs.*not 1 column$"),
        (FELL.replace("2\tfell", "3\tfell"), "line 3 .*ID of this word should be 2, not '3'"),
        (FELL.replace("fell", ""), "line 3 .*FORM"),
        ("", "holds no sentences"),
        ("# nothing but a comment\n", "holds no sentences"),
    ],
)
def test_broken_conllu(tmp_path, text, said):
    path = write(tmp_path, x_conllu=text) / "x.conllu"
    with pytest.raises(CorpusError, match=said) as error:
        len(load_corpus(path).train)
    assert str(path) in str(error.value)


def test_siblings_are_the_other_splits_and_each_is_read_when_asked_for(tmp_path):
    write(tmp_path, x__train_conllu="broken", y__test_conllu=FELL)
    (tmp_path / "x-dev.conllu.gz").write_bytes(gzip.compress(FELL.encode()))
    corpus = load_corpus(tmp_path / "x-dev.conllu.gz")
    assert corpus.splits == ("train", "dev") and "train: not read yet" in repr(corpus)
    assert corpus.dev[0].text == "Words fell"
    with pytest.raises(CorpusError, match=r"has no test split"):
        len(corpus.test)
    with pytest.raises(CorpusError, match=r"x-train.conllu"):
        len(corpus.train)
    with pytest.raises(CorpusError, match=r"more than one treebank \(x, y\)"):
        load_corpus(tmp_path)


def test_a_torn_gz(tmp_path):
    (tmp_path / "x.conllu.gz").write_bytes(gzip.compress(FELL.encode() * 100)[:-20])
    with pytest.raises(CorpusError, match=r"x.conllu.gz cannot be read"):
        len(load_corpus(tmp_path).train)


@pytest.mark.parametrize(
    ("name", "command"),
    [
        ("ptb-sample", r"python -m nltk\.downloader .*treebank dependency_treebank brown"),
        ("ewt", "git clone .*UD_English-EWT"),
        ("ptb", "WORDORDER_LAB_PTB"),
    ],
)
def test_a_corpus_that_is_missing_names_what_gets_it(tmp_path, name, command):
    with pytest.raises(CorpusError, match=command):
        load_corpus(name, data=tmp_path)


def test_clear_words_for_wrong_arguments(tmp_path):
    write(tmp_path, x_conllu=FELL)
    with pytest.raises(ValueError, match=r"no phrase structure.*its units are words"):
        load_corpus(tmp_path / "x.conllu", units="base-np")
    with pytest.raises(ValueError, match=r"'base-np' or 'words', not 'np'"):
        load_corpus(tmp_path / "x.conllu", units="np")
    with pytest.raises(ValueError, match=r"at least 1 word"):
        load_corpus(tmp_path, min_np_words=0)
    with pytest.raises(ValueError, match=r"no corpus and no file is called 'nowhere'.*ptb-sample"):
        load_corpus("nowhere")
    (tmp_path / "empty").mkdir()
    with pytest.raises(ValueError, match=r"give a .conllu, .mrg or .auto file"):
        load_corpus(tmp_path / "empty")
    corpus = load_corpus(tmp_path / "x.conllu")
    with pytest.raises(ValueError, match=r"no split is called 'eval': .* train, dev, test"):
        corpus.split("eval")
    with pytest.raises(ValueError, match=r"train split of x.conllu is empty.*too few"):
        len(corpus.train)


def named(name: str) -> Corpus:
    try:
        return load_corpus(name)
    except CorpusError as error:
        pytest.skip(str(error))


@pytest.mark.corpus
@pytest.mark.parametrize(("name", "dev", "test"), [("ewt", 31, 26), ("gum", 54, 45)])
@pytest.mark.slow
def test_left_out_of_universal_dependencies(name, dev, test):
    corpus = named(name)
    assert (corpus.skipped("dev"), corpus.skipped("test")) == (
        {"non-projective": dev},
        {"non-projective": test},
    )


GUM_TREES = [
    "a-1\t(ROOT (S (NP-SBJ (DT The) (NN rain)) (VP (VBD fell)) (. .)))",
    "a-2\t(ROOT (NP (NN Weather)))",
]


def test_gum_s_trees_have_base_nps_and_derivations(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    folder = tmp_path / "ud_english_gum"
    folder.mkdir()

    def write(split: str, lines: list[str]) -> None:
        with gzip.open(folder / f"en_gum-const-{split}.tsv.gz", "wt", encoding="utf-8") as file:
            file.write("".join(f"{line}\n" for line in lines))

    write("train", GUM_TREES)
    corpus = load_corpus("gum-trees", data=tmp_path)
    rain, weather = corpus.train
    assert [unit.words for unit in rain.tokens] == [("The", "rain"), ("fell",), (".",)]
    assert [unit.head for unit in rain.tokens] == [1, -1, 1] and weather.text == "Weather"
    assert str(rain.derivation.category) == "S[dcl]" and rain.name == "train.mrg:1"
    (words, _) = load_corpus("gum-trees", units="words", data=tmp_path).train
    assert len(words) == 4
    monkeypatch.setenv("WORDORDER_LAB_DATA", str(tmp_path))
    assert main(["corpora", "ccg", "--corpus", "gum-trees", "--show", "train:1"]) == 0
    assert "S[dcl]" in capsys.readouterr().out
    for broken in ("a-1 (ROOT (NP (NN Weather)))", "a-1\tno tree", "a-1\t(ROOT (NP (NN Weather))"):
        write("dev", [*GUM_TREES, broken])
        with pytest.raises(CorpusError, match=r"line 3 of .*dev\.tsv\.gz"):
            list(load_corpus("gum-trees", data=tmp_path).dev)
    with pytest.raises(CorpusError, match="GUM's constituency trees"):
        list(load_corpus("gum-trees", data=tmp_path).test)


def test_every_corpus_that_goes_by_a_name_has_its_licence_in_the_docs():
    page = (ROOT / "docs" / "data.md").read_text("utf-8")
    rows = [line.strip("| ").split(" | ") for line in page.splitlines()]
    table = [row for row in rows if len(row) == 3 and row[0].startswith("`")]
    named = [name for row in table for name in re.findall(r"`([^`]+)`", row[0])]
    assert sorted(named) == sorted([*(row["name"] for row in every_corpus()), "everyday"])
    assert all(licence and use for _, licence, use in table)


TREE = Tree.fromstring(
    """
    (S (NP-SBJ (NP (DT The) (NN teacher)) (PP (IN of) (NP (NNP Ada))))
       (VP (VBD asked)
           (SBAR (WHNP-1 (WP what)) (S (NP-SBJ=2 (PRP we)) (VP (VBD saw) (NP (-NONE- *T*-1))))))
       (. .))
    """
)
BARE, GIVEN = "words", "base-np"


def arcs(sentence) -> list[str]:
    """Each token as ``form/tag<head``."""
    forms = [token.form for token in sentence.tokens] + ["ROOT"]
    return [f"{token.form}/{token.pos}<{forms[token.head]}" for token in sentence.tokens]


def test_words_hang_from_the_head_of_their_phrase():
    assert arcs(to_sentence(TREE, BARE)) == [
        *("The/DT<teacher", "teacher/NN<asked", "of/IN<teacher", "Ada/NNP<of", "asked/VBD<ROOT"),
        *("what/WP<asked", "we/PRP<saw", "saw/VBD<what", "./.<asked"),
    ]


def test_base_nps_are_whole_and_traces_are_gone():
    assert arcs(to_sentence(TREE, GIVEN)) == [
        *("The teacher/NP<asked", "of/IN<The teacher", "Ada/NP<of", "asked/VBD<ROOT"),
        *("what/WP<asked", "we/NP<saw", "saw/VBD<what", "./.<asked"),
    ]
    assert to_sentence(TREE, GIVEN).tokens[0].words == ("The", "teacher")


def test_base_nps_of_one_word_may_stay_words():
    tags = [token.pos for token in to_sentence(TREE, GIVEN, min_np_words=2).tokens]
    assert tags == ["NP", "IN", "NNP", "VBD", "WP", "PRP", "VBD", "."]


def test_an_empty_np_counts_as_an_np():
    tree = Tree.fromstring("(NP (NP (-NONE- *)) (JJ old) (NNS books))")
    assert arcs(to_sentence(tree, GIVEN)) == ["old/JJ<books", "books/NNS<ROOT"]


def test_a_tree_of_traces_is_no_sentence():
    assert to_sentence(Tree.fromstring("(S (NP (-NONE- *)))"), BARE) is None
    assert to_sentence(Tree.fromstring("(S (NP (-NONE- *)))"), GIVEN) is None


@pytest.mark.parametrize(
    ("label", "children", "head"),
    [
        ("NP", "NNP POS", 1),  # one group: whichever comes first from the right
        ("NP", "NN CD", 0),
        ("VP-PRD", "ADVP MD VP", 1),
        ("PRN", "-LRB- NP-1 -RRB-", 1),  # nothing listed: punctuation is passed over
        ("PRN", ", ,", 1),  # unless there is nothing else
        ("ADVP|PRT", "JJ RB", 1),
        ("UNHEARD-OF", "NN NN", 1),
    ],
)
def test_head_rules(label, children, head):
    assert YAMADA_MATSUMOTO.head(label, children.split()) == head


def test_a_bad_head_rule_is_refused():
    with pytest.raises(ValueError, match="not 'NP r NN'"):
        read_head_table("NP r NN")


TAGGED = st.builds(
    lambda tag: Tree(tag, ["w"]), st.sampled_from(["NN", "DT", ",", "CC", "VBD", "-NONE-"])
)
PHRASE = st.sampled_from(["S", "NP", "NP-SBJ", "VP", "PP", "PRN", "QP"])
RANDOM_TREES = st.recursive(
    TAGGED, lambda below: st.builds(Tree, PHRASE, st.lists(below, min_size=1, max_size=4))
).filter(lambda tree: not isinstance(tree[0], str))


@given(RANDOM_TREES, st.integers(1, 3))
def test_base_nps_only_draw_words_together(tree, min_words):
    """The tree over base NPs is the tree over words with the words of each NP made one."""
    words, units = to_sentence(tree, BARE), to_sentence(tree, GIVEN, min_words)
    if words is None or units is None:
        assert words is units
        return
    assert words.surface == units.surface
    unit_of = [i for i, token in enumerate(units.tokens) for _ in token.words] + [-1]
    drawn = {(unit_of[i], unit_of[t.head]) for i, t in enumerate(words.tokens)}
    assert {(i, t.head) for i, t in enumerate(units.tokens)} == {(i, h) for i, h in drawn if i != h}
    for sentence in (words, units):
        assert sentence.tree.problem() is None and sentence.tree.is_projective()


@given(
    st.integers(1, 8).flatmap(lambda n: st.lists(st.integers(-1, n - 1), min_size=n, max_size=n))
)
def test_projective_means_that_all_between_are_below(heads):
    if tree_problem(heads):
        return

    def above(node: int) -> set[int]:
        return {node} if node < 0 else {node} | above(heads[node])

    whole = all(
        head in above(between)
        for i, head in enumerate(heads)
        for between in range(min(i, head) + 1, max(i, head))
    )
    assert is_projective(heads) == whole


def test_a_line_of_the_other_conversion_that_is_none():
    with pytest.raises(CorpusError, match=r"line 2 of some\.dp"):
        parse_dp("a\tDT\t2\nteacher\tNN\n", "some.dp")


@pytest.mark.corpus
@pytest.mark.slow
def test_every_head_is_the_one_that_nltk_has(penn_sample):
    result = agreement()
    assert (result.sentences, result.words) == (3914, 94084)
    assert result.same_heads == result.words
    assert not result.differing


@pytest.mark.corpus
@pytest.mark.slow
def test_parentheticals_need_punctuation_passed_over(penn_sample):
    result = agreement(table=YAMADA_MATSUMOTO.without_passing_over())
    assert result.differing.total() == 277
    assert sum(n for (label, _, _), n in result.differing.items() if label == "PRN") == 272
    assert "PRN: our head is -RRB-, theirs NP" in str(result)
    assert result.to_dict()["same_heads"] == pytest.approx(0.9902, abs=1e-4)


@pytest.mark.corpus
@pytest.mark.slow
def test_base_nps_of_the_sample(penn_sample):
    """5.81 a sentence; 28 % of them have one word."""
    for least, number in ((1, 22750), (2, 16333)):
        corpus = load_corpus("ptb-sample", units="base-np", min_np_words=least)
        sentences = [sentence for split in corpus.splits for sentence in corpus.split(split)]
        assert [len(corpus.split(split)) for split in corpus.splits] == [3355, 233, 326]
        assert sum(token.pos == "NP" for sentence in sentences for token in sentence) == number
        assert all(s.tree.problem() is None and s.tree.is_projective() for s in sentences)


@pytest.fixture
def penn_sample():
    return named("ptb-sample")
