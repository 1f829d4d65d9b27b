"""CCG derivations of Penn trees: when they are made, what is kept of them, what is said of them."""

from __future__ import annotations

import ast
import copy
import gzip
import json
import pickle
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from command_line import PLAIN, tree, write_corpus
from house_rules import ROOT, imports
from nltk.tree import Tree

import wordorder_lab as wl
from wordorder_lab.cli import main
from wordorder_lab.corpora import CorpusError, conversion_report, penn_derivations
from wordorder_lab.corpora.conversion_report import UNITS, gold_categories, rebanked
from wordorder_lab.corpora.penn_to_ccg import convert
from wordorder_lab.corpora.penn_to_ccg.convert import STEPS, Conversion
from wordorder_lab.corpora.readers.ccgbank import parse_auto
from wordorder_lab.corpora.readers.penn import parse_trees
from wordorder_lab.corpora.treebanks import load_trees
from wordorder_lab.runtime import user_cache
from wordorder_lab.structures.category import Category
from wordorder_lab.structures.combinators import combine
from wordorder_lab.structures.derivation import Derivation

CATEGORIES = {
    "DT": "NP[nb]/N",
    "JJ": "N/N",
    "NN": "N",
    "VBZ": r"(S[dcl]\NP)/NP",
    ".": ".",
}


def joined(left: Derivation, right: Derivation) -> Derivation:
    made = combine(left.category, right.category)
    assert made is not None
    return Derivation.binary(made[0], left, right)


def phrase(node: Tree) -> Derivation:
    """A phrase of ``command_line.tree``, from the right, the full stop last."""
    if not isinstance(node[0], Tree):
        return Derivation.leaf(node[0], node.label(), Category.parse(CATEGORIES[node.label()]))
    *rest, last = map(phrase, node)
    if node.label() == "S":
        return joined(joined(*rest), last)
    for part in reversed(rest):
        last = joined(part, last)
    return last


class Rules:
    """In place of the real rules: converts the trees of ``command_line`` and counts them."""

    def __init__(self) -> None:
        self.calls = 0
        self.change: Callable[[Derivation], Conversion] = Conversion
        self.steps: tuple[tuple[str, Tree], ...] = ()

    def __call__(self, tree: Tree, *, steps: bool = False) -> Conversion:
        self.calls += 1
        if tree.label() != "S":
            return Conversion(None, "no tree of ours", f"{tree.label()} is no label we know")
        conversion = self.change(phrase(tree))
        return replace(conversion, steps=self.steps) if steps else conversion


@pytest.fixture
def rules(monkeypatch, tmp_path) -> Rules:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    own = Rules()
    monkeypatch.setattr(convert, "to_derivation", own)
    return own


def kept(tmp_path: Path) -> list[Path]:
    return sorted((tmp_path / "cache").rglob("*.*"))


def test_a_derivation_is_made_when_the_first_is_asked_for_and_never_again(rules, tmp_path) -> None:
    path = write_corpus(tmp_path)
    sentences = wl.load_corpus(path, units="words").train
    plain = [(s.tokens, s.text) for s in sentences]
    assert rules.calls == 0 and not kept(tmp_path)  # who wants none pays nothing
    first = sentences[3].derivation
    assert rules.calls == 20 and first.words() == sentences[3].surface
    again = wl.load_corpus(path, units="words").train
    assert [s.derivation for s in again] == [s.derivation for s in sentences]
    assert rules.calls == 20 and len(kept(tmp_path)) == 1
    assert [(s.tokens, s.text) for s in again] == plain  # heads are the Penn tree's
    assert sentences[3].derivation is first
    asked, unasked = again[:2]  # they travel before and after a derivation is asked for
    assert pickle.loads(pickle.dumps(asked)).derivation == sentences[0].derivation
    assert copy.deepcopy(unasked).derivation == sentences[1].derivation is not None


def test_an_edit_of_a_rule_or_of_a_tree_is_never_served_old(rules, tmp_path, monkeypatch) -> None:
    path = write_corpus(tmp_path)

    def first() -> Derivation | None:
        return wl.load_corpus(path).train[0].derivation

    before = first()
    rules.change = lambda _: Conversion(None, "no rule", "nothing goes")
    assert first() == before  # the checksum is the same, so the rules are not asked
    monkeypatch.setattr(penn_derivations, "code_checksum", lambda *_: "0" * 64)
    assert first() is None and rules.calls == 40
    write_corpus(tmp_path, 21)
    assert first() is None and rules.calls == 61


PASSED_BY = (
    *("structures/trees.py", "structures/sentence.py", "runtime/atomic.py"),
    *("runtime/user_cache.py", "corpora/readers/corpus.py", "corpora/readers/files.py"),
    *("structures/arguments.py", "structures/messages.py", "structures/synchronous_rule.py"),
)
"""What the code of a conversion imports, and what decides nothing of a derivation."""


def test_the_checksum_is_over_all_that_conversion_imports() -> None:
    known = {
        path.relative_to(ROOT).as_posix() for path in user_cache.code_files(penn_derivations.CODE)
    }
    folder = ROOT / "wordorder_lab/corpora/penn_to_ccg"
    assert {path.relative_to(ROOT).as_posix() for path in folder.rglob("*.py")} < known
    lacking = set()
    for name in known:
        for _, module in imports(name, ast.parse((ROOT / name).read_text("utf-8"))):
            parts = module.split(".")
            named = ("/".join(parts[:end]) + ".py" for end in (len(parts), len(parts) - 1))
            lacking |= {file for file in named if (ROOT / file).is_file()} - known
    assert lacking <= {f"wordorder_lab/{file}" for file in PASSED_BY}


@pytest.mark.parametrize("damage", [bytes.upper, lambda whole: whole[:-9], lambda _: b"", bytes])
def test_a_damaged_cache_is_made_anew(rules, tmp_path, damage) -> None:
    path = write_corpus(tmp_path)
    before = wl.load_corpus(path).train[0].derivation
    (file,) = kept(tmp_path)
    whole = file.read_bytes()
    file.write_bytes(damage(whole))
    assert wl.load_corpus(path).train[0].derivation == before
    assert rules.calls == (20 if damage is bytes else 40)
    assert len(file.read_bytes()) == len(whole) and kept(tmp_path) == [file]


def test_a_conversion_that_is_interrupted_leaves_nothing_behind(rules, tmp_path) -> None:
    def interrupted(_: Derivation) -> Conversion:
        if rules.calls == 5:
            raise KeyboardInterrupt
        return Conversion(None, "no rule", "")

    rules.change = interrupted
    with pytest.raises(KeyboardInterrupt):
        assert wl.load_corpus(write_corpus(tmp_path)).train[0].derivation
    assert not kept(tmp_path)


def test_without_a_cache_that_can_be_written_there_are_derivations(
    rules, tmp_path, monkeypatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    assert wl.load_corpus(write_corpus(tmp_path)).train[0].derivation is not None
    monkeypatch.setattr(user_cache, "writable_cache", _refused)
    assert wl.load_corpus(write_corpus(tmp_path, 22)).train[0].derivation is not None


def _refused() -> Path:
    raise OSError("no space left")


def test_words_and_tags_are_the_trees_or_there_is_no_derivation(rules, tmp_path) -> None:
    def tampered(derivation: Derivation) -> Conversion:
        if rules.calls > 2:
            return Conversion(derivation)
        left, stop = derivation.children
        other = ("!", ".") if rules.calls == 1 else (".", ":")
        end = Derivation.leaf(*other, stop.category)
        return Conversion(Derivation.binary(derivation.category, left, end))

    rules.change = tampered
    path = write_corpus(tmp_path)
    first, second, third = (s.derivation for s in wl.load_corpus(path).train[:3])
    assert first is None and second is None and third is not None
    said = [one.converted for one in load_trees(path).train[:2]]
    assert [one.reason for one in said] == [penn_derivations.OTHER_WORDS] * 2
    assert said[0].detail == "word 7 is ./. and became !/."


def test_with_base_nps_a_derivation_has_the_sentences_units_or_is_left_out(rules, tmp_path) -> None:
    path = write_corpus(tmp_path)
    whole = wl.load_corpus(path).train[0]
    leaves = [(leaf.word, leaf.pos, str(leaf.category)) for leaf in whole.derivation.leaves()]
    assert [(word, pos) for word, pos, _ in leaves] == [(t.form, t.pos) for t in whole]
    assert leaves[0] == ("the old gardener", "NP", "NP[nb]")

    path.write_text(ODD * 10)
    rules.change = lambda _: Conversion(crooked())
    assert wl.load_corpus(path, units="words").train[0].derivation == crooked()
    assert wl.load_corpus(path).train[0].derivation is None


ODD = "(S (NP (DT the) (NN river)) (VP (VBZ paints) (NP (DT a) (NN robin))) (. .))\n"


def crooked() -> Derivation:
    """Of ``ODD``; the verb takes its determiner first: "a robin" is a unit of it, and no phrase."""
    line = (
        r"(<T S[dcl] 0 2> (<T S[dcl] 1 2> (<T NP[nb] 1 2> (<L NP[nb]/N DT DT the NP[nb]/N>) "
        r"(<L N NN NN river N>) ) (<T S[dcl]\NP 0 2> (<T (S[dcl]\NP)/N 0 2> "
        r"(<L (S[dcl]\NP)/NP VBZ VBZ paints (S[dcl]\NP)/NP>) (<L NP[nb]/N DT DT a NP[nb]/N>) ) "
        r"(<L N NN NN robin N>) ) ) (<L . . . . .>) )"
    )
    return parse_auto(line, "here", strict=True)[0].derivation


@pytest.fixture
def own(rules, tmp_path) -> SimpleNamespace:
    """Twenty trees that are converted, and every tenth that is not."""
    path = tmp_path / "own.mrg"
    odd = "(ODD (NN rain))\n"
    path.write_text("".join(tree(i) + odd * (i % 10 == 9) for i in range(20)))
    return SimpleNamespace(path=str(path), folder=tmp_path)


def ccg(own: SimpleNamespace, *options: str) -> int:
    return main(["corpora", "ccg", "--corpus", own.path, *options])


def test_report_counts_what_was_converted_and_says_why_not(own, capsys) -> None:
    assert ccg(own, "--report", "--json", "-") == 0
    data = json.loads(capsys.readouterr().out)
    assert (data["all"]["sentences"], data["all"]["converted"]) == (22, 20)
    assert data["failed"] == [
        {"reason": "no tree of ours", "sentences": 2, "names": ["own.mrg:11", "own.mrg:22"]}
    ]
    assert data["steps_of_no_rule"] == {"sentences": 0, "names": []}
    assert data["lexicon"]["categories"] == 5 and data["lexicon"]["by_token"] == 1
    assert data["rules"]["rp"] == {"steps": 20, "different": 1}
    assert data["rules"]["fa"]["steps"] == 20 * 4
    assert data["dev_seen_in_train"]["by_tag"] == 1
    assert ccg(own, "--report") == 0
    shown = capsys.readouterr().out
    assert "     2  no tree of ours: own.mrg:11, own.mrg:22" in shown and "90.91%" in shown


def test_report_says_where_the_gold_categories_are_missing(
    own, tmp_path, monkeypatch, capsys
) -> None:
    monkeypatch.setattr(conversion_report, "data_roots", lambda: [tmp_path])
    assert gold_categories() == frozenset()
    sets = tmp_path / "ccg_small/supertags"
    sets.mkdir(parents=True)
    text = "robins|NNS|N ,|,|, paint|VBP|(S[dcl]\\NP)/NP\n"
    (sets / "own.stagged.gz").write_bytes(gzip.compress(text.encode()))
    assert set(map(str, gold_categories())) == {"N", ",", "(S[dcl]\\NP)/NP"}
    monkeypatch.setattr(conversion_report, "gold_categories", frozenset)
    assert ccg(own, "--report") == 0
    assert "gold supertag sets: ccg_small is not here" in capsys.readouterr().out


def test_report_counts_units_that_are_no_phrases(own, rules, capsys) -> None:
    Path(own.path).write_text(ODD * 10)
    rules.change = lambda _: Conversion(crooked())
    assert ccg(own, "--report", "--json", "-") == 0
    data = json.loads(capsys.readouterr().out)
    assert data["all"]["converted"] == 10 and data["all"]["over_base_nps"] == 0
    assert [(row["reason"], row["sentences"]) for row in data["failed"]] == [(UNITS, 10)]


def test_out_writes_what_the_reader_reads_back_equal(own, capsys) -> None:
    out = own.folder / "own.auto"
    assert ccg(own, "--out", str(out)) == 0
    assert "20 derivations (2 sentences have none)" in capsys.readouterr().out
    ours = [s.derivation for s in wl.load_corpus(own.path, units="words").every() if s.derivation]
    read = parse_auto(out.read_text("utf-8"), str(out), strict=True)
    assert [entry.derivation for entry in read] == ours
    assert [read[0].name, read[-1].name] == ["own.1", "own.21"]


def test_show_goes_through_every_step(own, rules, capsys) -> None:
    page = own.folder / "steps.html"
    rules.steps = (("base NPs", Tree.fromstring("(S (NX rain) (VX falls))")),)
    rules.steps = (("Penn", rules.steps[0][1]), *rules.steps)
    assert ccg(own, "--show", "own:1", "--html", str(page)) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("own.mrg:1\n\nPenn: the tree as") and "(NP-SBJ (DT the)" in shown
    assert shown.count("(S (NX rain) (VX falls))") == 1  # the tree itself is there already
    assert phrase(load_trees(own.path).dev[0].tree).picture() not in shown
    first = next(load_trees(own.path).every())
    assert phrase(first.tree).picture() in shown
    html = page.read_text("utf-8")
    assert html.count("<svg") == 3 and "<h2>base NPs</h2>" in html and "https://" not in html
    assert ccg(own, "--show", "own.mrg:11") == 0
    assert "no derivation (no tree of ours): ODD is no label we know" in capsys.readouterr().out


def test_a_ccg_system_learns_from_trees_and_orders_also_what_has_no_derivation(
    own, rules, capsys
) -> None:
    model, scores = own.folder / "own.wol", own.folder / "scores.json"
    small = ["--epochs", "1", "--beam", "8", "--expansions", "40", "--max-length", "9", *PLAIN]
    system = ["train", "zhang-clark-2015-ccg", "--corpus", own.path, *small]
    assert main([*system, "--out", str(model)]) == 0
    assert wl.load_model(model).settings["without_derivation"] == 1
    told = f"trained on 16 sentences of {Path(own.path).name} (1 more have no derivation)"
    assert told in capsys.readouterr().out
    rules.change = lambda _: Conversion(None, "no rule", "")
    evaluate = ["evaluate", "--model", str(model), "--split", "test", "--json", str(scores)]
    assert main([*evaluate, *PLAIN]) == 0
    data = json.loads(scores.read_text("utf-8"))
    assert data["sentences"] == 3 and data["category_precision"] is not None


def test_every_step_of_the_real_rules_has_a_line_on_it() -> None:
    (made,) = parse_trees(tree(1), "here")
    names = [name for name, _ in convert.to_derivation(made, steps=True).steps]
    assert len(names) > 2 and set(names) == set(STEPS)


@pytest.mark.parametrize(
    "text",
    [
        "(XXXX (NN rain) (QQ fell))",
        "(S (NP-SBJ (-NONE- *T*)) (VP (VBZ rains)) (. .))",
        "(S (NP-SBJ (-NONE- *T*-7)) (VP (VBZ rains) (NP (-NONE- *-9))) (. .))",
        "(NP (NN rain))",
        "(. .)",
        "(S (S (S (S (NP (-NONE- *))))) (X (Y (Z (: --)))))",
        "(S-TPC-1 (NP-SBJ=2 (NN rain)) (VP (VBD fell)))",
    ],
)
def test_odd_trees_are_converted_or_left_out_with_a_reason(text) -> None:
    (odd,) = parse_trees(text, "here")
    made = penn_derivations.converted_tree(odd)
    derivation = made.derivation()
    if derivation is None:
        assert made.reason and made.detail and "\n" not in made.detail
    else:
        leaves = [(leaf.word, leaf.pos) for leaf in derivation.leaves()]
        assert leaves == penn_derivations.tagged_words(odd) and derivation.problem() is None


@pytest.mark.corpus
def test_real_dev_sentences_are_converted_as_the_issue_asks() -> None:
    try:
        words, units = (wl.load_corpus("ptb-sample", units=u).dev for u in ("words", "base-np"))
    except CorpusError as error:
        pytest.skip(str(error))
    for sentences in (words, units):
        derived = [s for s in sentences if s.derivation is not None]
        assert len(derived) >= 0.9 * len(sentences)
        for one in derived:
            leaves = [(leaf.word, leaf.pos) for leaf in one.derivation.leaves()]
            assert leaves == [(token.form, token.pos) for token in one]
            assert one.derivation.problem() is None
    gold = gold_categories()
    leaves = [leaf.category for s in words if s.derivation for leaf in s.derivation.leaves()]
    assert not gold or sum(category in gold for category in leaves) >= 0.95 * len(leaves)


@pytest.mark.corpus
def test_compare_has_every_word_and_all_steps_of_both(capsys) -> None:
    try:
        theirs = [entry.derivation for entry in rebanked()]
        wl.load_corpus("ptb-sample")
    except CorpusError as error:
        pytest.skip(str(error))
    assert main(["corpora", "ccg", "--compare", "--json", "-"]) == 0
    first, second = json.loads(capsys.readouterr().out)
    assert [word for word, _, _ in first["words"]] == list(theirs[0].words())
    assert ["the", "NP[nb]/N", "NP/N"] in first["words"]
    for one, whole in ((first, theirs[0]), (second, theirs[1])):
        joins = sum(bool(node.children) for node in whole.nodes())
        assert one["shared"] + len(one["only_theirs"]) == joins
        assert 0 < one["shared"] < joins
