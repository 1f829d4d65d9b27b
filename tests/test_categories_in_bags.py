"""Categories from a supertagger or a file inside the bags of the CCG systems."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import wordorder_lab as wl
from wordorder_lab.corpora.readers.corpus import CorpusError
from wordorder_lab.corpora.supertags import parse_supertags, write_unit
from wordorder_lab.structures.bag import places
from wordorder_lab.structures.sentence import Supertagged, supertagged
from wordorder_lab.systems.category_sources import FOLDER, jackknifed, source_of, task_of
from wordorder_lab.systems.supertagger import Supertagger
from wordorder_lab.systems.system import System
from wordorder_lab.systems.zhang_clark_ccg import CCGModel, gold_example

SYSTEM = "zhang-clark-2015-ccg"
ALL = {"pos": 1, "deps": 0, "seed": 1}
LEARNED: dict[str, Any] = {"categories": "beta=0.01", "jackknife": 3, "epochs": 1, "beam": 16}
LEARNED |= {"expansions": 200}


def gazette(units: str = "words") -> list[wl.Sentence]:
    return [one for one in wl.load_corpus("gazette", units=units).train if len(one) <= 9][:60]


@pytest.fixture(scope="module")
def tagger() -> Supertagger:
    return wl.train("supertagger", gazette(), seen=3, max_iterations=20)


@pytest.fixture(scope="module")
def model() -> CCGModel:
    trained: Any = wl.train(SYSTEM, gazette(), engine="reference", **LEARNED)
    return trained


def test_both_engines_learn_and_order_alike_with_a_taggers_categories(
    model: CCGModel, tmp_path: Path
) -> None:
    fast: Any = wl.train(SYSTEM, gazette(), engine="fast", **LEARNED)
    for name, path in ((model, "slow.wol"), (fast, "fast.wol")):
        name.save(tmp_path / path)
    assert (tmp_path / "slow.wol").read_bytes() == (tmp_path / "fast.wol").read_bytes()
    again = wl.load_model(tmp_path / "slow.wol")
    dev = wl.load_corpus("gazette", units="words").dev[:12]
    for categories in ("beta=0.5", "beta=0.0001"):
        task, left = task_of(again, ALL, {"categories": categories})
        for sentence in dev:
            bag = task(sentence)
            asked: Any = {"expansions": 60, "k": 2, **left}
            logs = wl.EventLog(), wl.EventLog()
            slow = model.order(bag, engine="reference", trace=logs[0], **asked)
            assert slow == fast.order(bag, engine="fast", trace=logs[1], **asked)
            assert list(logs[0]) == list(logs[1])


def test_categories_no_rule_knows_are_the_same_to_both_engines(model: CCGModel) -> None:
    bag = wl.WordBag(["rain", "falls"], categories=[["QQ/QQ", "N"], [r"(S[zz]\NP)/QQ"]])
    slow, fast = (model.order(bag, engine=engine, k=3) for engine in ("reference", "fast"))
    assert slow == fast
    assert {str(leaf.category) for one in slow.derivations for leaf in one.leaves()}


def test_each_token_has_the_categories_of_its_place(tagger: Supertagger, model: CCGModel) -> None:
    """The bag is scrambled after the tagger has read the sentence: words keep what is theirs."""
    for units in ("words", "base-np"):
        for sentence in gazette(units)[:20]:
            task, left = task_of(model.with_tagger(tagger), ALL, {"categories": "beta=0.01"})
            bag, place = task(sentence), places(sentence)
            expected = tagger.tag(sentence, beta=0.01)
            for i, token in enumerate(sentence):
                assert bag.words[place[i]] == token.words
                lists: Any = bag.categories
                assert set(lists[place[i]]) == {str(one) for one, _ in expected[i]}
            assert "categories" not in left


def test_a_smaller_beta_leaves_more_and_evaluate_says_which(model: CCGModel) -> None:
    dev = wl.load_corpus("gazette", units="words").dev[:8]
    sizes = []
    for categories in ("beta=1", "beta=0.01", "beta=0.0001"):
        task, _ = task_of(model, ALL, {"categories": categories})
        bags: list[Any] = [task(sentence) for sentence in dev]
        sizes.append(sum(len(own) for bag in bags for own in bag.categories))
        done = wl.evaluate(model, dev, categories=categories, expansions=40)
        assert done.condition["categories"] == categories
    assert sizes[0] == sum(map(len, dev)) < sizes[1] < sizes[2]
    usual = wl.evaluate(model, dev, expansions=40)
    assert usual.condition["categories"] == "beta=0.01"  # as in training
    plain = wl.evaluate(model, dev, expansions=40, categories="dictionary")
    assert plain.outputs == tuple(model.order(wl.bag_of(one), expansions=40).text for one in dev)


def test_the_gold_category_is_always_a_candidate_in_training(model: CCGModel) -> None:
    sentence = gazette()[0]
    wrong = [["QQ"] for _ in sentence]
    lookups = model.dictionary.lookup, model.categories.lookup
    example = gold_example(sentence, *lookups, candidates=wrong)
    assert sentence.derivation is not None
    gold = [leaf.category for leaf in sentence.derivation.leaves()]
    assert [example.problem.items[i].category for i in example.items] == gold
    offered = Counter(str(item.category) for item in example.problem.items)
    assert offered["QQ"] == len(example.problem.units)


def test_jackknifed_categories_are_those_of_a_tagger_that_has_not_read_the_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    sentences = gazette()
    lists = jackknifed(sentences, 1, 1, 3, 0.01, 20)
    for fold in range(3):
        others = [one for i, one in enumerate(sentences) if i % 3 != fold]
        source = source_of("beta=0.01", wl.train("supertagger", others))
        assert source is not None
        for i in range(fold, 60, 15):
            tokens = sentences[i].tokens
            words, tags = [token.words for token in tokens], [token.pos for token in tokens]
            assert lists[i] == [list(own) for own in source(words, tags)]
    whole = jackknifed(sentences, 1, 1, 0, 0.01, 20)
    assert sum(len(own) for of in whole for own in of) < sum(len(own) for of in lists for own in of)


def test_taggers_of_folds_are_trained_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """For all betas above the lowest that is kept; where nothing can be kept, again."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    sentences, asked = gazette()[:12], (1, 1, 2)
    trained: list[int] = []

    train = System.train

    def counting(system: System, others: Any, **how: Any) -> Supertagger:
        trained.append(len(others))
        made: Any = train(system, others, **how)
        return made

    monkeypatch.setattr(System, "train", counting)
    low = jackknifed(sentences, *asked, 0.0001, 20)
    assert trained == [6, 6]
    high = jackknifed(sentences, *asked, 0.3, 20)
    assert trained == [6, 6] and low != high
    for all_kept, kept in zip(low, high, strict=True):
        assert [own[: len(few)] for own, few in zip(all_kept, kept, strict=True)] == kept
    (file,) = (tmp_path / "wordorder_lab" / FOLDER).iterdir()
    file.write_bytes(file.read_bytes()[:-9])  # cut off: not served
    assert jackknifed(sentences, *asked, 0.3, 20) == high and trained == [6] * 4


def test_a_model_with_the_dictionary_may_keep_a_tagger(tmp_path: Path) -> None:
    few = gazette()[:20]
    plain: Any = wl.train(SYSTEM, few, epochs=1)
    assert plain.tagger is None
    with pytest.raises(ValueError, match="need a supertagger, and the model has none"):
        wl.evaluate(plain, few[:2], categories="beta=0.1")
    kept: Any = wl.train(SYSTEM, few, epochs=1, keep_tagger=True)
    kept.save(tmp_path / "kept.wol")
    again = wl.load_model(tmp_path / "kept.wol")
    assert again.search_settings()["categories"] == "dictionary"
    for categories in ("dictionary", "beta=0.1"):
        one, other = (
            wl.evaluate(m, few[:4], categories=categories, expansions=30) for m in (kept, again)
        )
        assert one.outputs == other.outputs
    assert plain.order(few[0].text) == again.order(few[0].text)


def test_what_cannot_be_is_refused_in_one_line(model: CCGModel, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="bag, which has no true order"):
        model.order("rain falls", categories="beta=0.1")
    for wrong in ("beta=2", "beta=", "beta=x", ""):
        with pytest.raises(ValueError, match=r"beta|categories"):
            wl.evaluate(model, gazette()[:2], categories=wrong)
    with pytest.raises(ValueError, match="jackknife"):
        wl.train(SYSTEM, gazette()[:3], jackknife=-1)
    with pytest.raises(CorpusError, match="no-such-file"):
        wl.evaluate(model, gazette()[:2], categories=str(tmp_path / "no-such-file"))


def lines_of(sentences: list[Supertagged]) -> list[str]:
    return [
        " ".join(
            write_unit(unit, tag, [(str(category), 0.5), ("N", 0.25)])
            for unit, tag, category in zip(one.words, one.pos, one.categories)
        )
        for one in sentences
    ]


def test_a_file_of_categories_is_read_as_it_was_written(model: CCGModel, tmp_path: Path) -> None:
    sentences = gazette("base-np")[:10]
    tagged = supertagged(sentences)
    odd = Supertagged((("a|b", "c"),), ("NP",), tagged[0].categories[:1])
    lines = lines_of([*tagged, odd])
    read = list(parse_supertags(["# a remark", "", *lines], "somewhere"))
    assert [line.number for line in read] == list(range(3, 14))
    for line, one in zip(read, [*tagged, odd], strict=True):
        assert (line.words, line.pos) == (one.words, one.pos)
        assert list(line.categories) == [(str(c), "N") for c in one.categories]
    path = tmp_path / "categories.txt"
    path.write_text("\n".join(lines), encoding="utf-8")
    task, _ = task_of(model, ALL, {"categories": str(path)})
    lists: Any = task(sentences[3]).categories
    assert sorted(lists) == sorted(tuple(sorted({str(c), "N"})) for c in tagged[3].categories)


def test_a_backslash_ends_a_tag_or_keeps_a_bar_in_a_word() -> None:
    (line,) = parse_supertags([r"?|.\|. a\|b|NN|N c\|NN|N"], "somewhere")
    assert line.words == (("?",), ("a|b",), ("c\\",))
    assert line.pos == (".\\", "NN", "NN")
    assert line.categories == ((".",), ("N",), ("N",))


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("rain|NN|N falls", "line 2: 'falls' is not"),
        ("rain|NN", "line 2: 'rain|NN' is not"),
        ("rain||N", "is not word"),
        ("rain|NN|N/", "line 2.*atom"),
        (r"rain|NN|N|S\NP\NP", "second slash"),
    ],
)
def test_a_bad_line_is_named(line: str, said: str) -> None:
    with pytest.raises(CorpusError, match=said):
        list(parse_supertags(["rain|NN|N", line], "somewhere"))


def test_a_sentence_that_a_file_does_not_have_is_named_with_the_nearest_line(
    model: CCGModel, tmp_path: Path
) -> None:
    sentences = gazette()[:5]
    lines = lines_of(supertagged(sentences))
    word = sentences[2].tokens[3].form
    lines[2] = lines[2].replace(f" {word}|", " elsewhere|", 1)
    path = tmp_path / "categories.txt"
    path.write_text("\n".join(lines), encoding="utf-8")
    with pytest.raises(ValueError, match=f"line 3: word 4 is 'elsewhere', and '{word}' in"):
        wl.evaluate(model, sentences, categories=str(path))
