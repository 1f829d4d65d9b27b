"""The exercises on compression of real text: what is asked, what is true of it, what is shown."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from exercise_cases import run_solutions, wrong_answers
from nltk.tree import Tree

import wordorder_lab as wl
from wordorder_lab.check import Desk, nb_42, nb_42_shown
from wordorder_lab.check.nb_42 import kappa
from wordorder_lab.corpora.readers.corpus import CorpusError
from wordorder_lab.deletion.lattice import path_score
from wordorder_lab.structures.compression import CompressionPair, TextPair
from wordorder_lab.systems.clarke_lapata_2008 import ProgrammeModel

PATHS = [["rain", "that", "fell"], 6, ["rain", "stopped"], 5]
FAMILIES = ["negation", "brackets", "pronouns", "modifiers"]


def only_the_sign(words: list[str], tags: list[str]) -> list[Any]:
    """A number needs its sign, and the sign needs none."""
    pairs = range(len(tags) - 1)
    return [([i, i + 1], [1, -1], 0, 1) for i in pairs if tags[i : i + 2] == ["$", "CD"]]


def every_sign(words: list[str], tags: list[str]) -> list[Any]:
    return [([i, i + 1], [1, -1], 0, 0) for i, tag in enumerate(tags) if tag == "$"]


WRONG: list[tuple[str, Any, str]] = [
    ("42.1", [["fell"], 3, *PATHS[2:]], "the best compression: fell scores 3, and there is better"),
    ("42.1", [*PATHS[:2], ["rain", "fell"], 4], "the best one of 2 words: rain fell scores 4"),
    ("42.1", [["rain", "snow"], 6, *PATHS[2:]], "its words are among rain, that"),
    ("42.1", [["fell", "rain"], 6, *PATHS[2:]], "words keep their order"),
    ("42.1", [PATHS[0], 5, *PATHS[2:]], "the best compression, its score: it is not 5"),
    ("42.2", [0.5, 86], "it is not 86. Give a share from 0 to 1"),
    ("42.2", [0.8, 6 / 7], "Relation F1 of A: it is not 0.8"),
    ("42.3", lambda rate: rate, "keeps 9 of 10 words, a rate of 0.9. Whoever keeps all"),
    ("42.4", ["arguments", *FAMILIES[1:]], "not arguments: with that it would be: he sell"),
    ("42.5", lambda words, tags: [], "your rows allow this"),
    ("42.5", only_the_sign, "your rows allow this"),
    ("42.5", every_sign, "Of 'a $ sign costs $ 5 .' your rows forbid this"),
    ("42.5", lambda words, tags: None, "a list of rows is wanted"),
    ("42.5", lambda words, tags: [([0], [1], 0)], "a row is (places, factors, lower, upper)"),
    ("42.5", lambda words, tags: [([99], [1], 0, 0)], "places of words, from 0"),
    ("42.6", lambda a, b: sum(x == y for x, y in zip(a, b)) / len(a), "chance is not off"),
]
test_wrong_answers_are_told_where = wrong_answers(WRONG)


def test_paths_by_listing_every_choice() -> None:
    scores = nb_42.scores_of_words()
    choices = [c for size in (1, 2, 3, 4) for c in combinations(range(4), size)]
    ranked = sorted(choices, key=lambda kept: -path_score(scores, kept))
    assert ranked[0] == nb_42.best().kept == (0, 1, 2)
    short = max((c for c in choices if len(c) == 2), key=lambda kept: path_score(scores, kept))
    assert short == nb_42.best(2).kept and not {*short} <= {*ranked[0]}
    tops = [path_score(scores, kept) for kept in ranked]
    assert tops[0] > tops[1], "there is one answer"
    moment = Desk()("42.1", [["fell"], 3, *PATHS[2:]]).moment
    assert moment is not None and moment.at == len(moment.log)
    assert any(event[0] == "path" for event in moment.log)


def test_each_sentence_says_something_else_of_an_own_constraint() -> None:
    """Some are mended, one has a sign without a number, one a number without a sign."""
    solved = run_solutions("42")[2]["rows"]
    shown = nb_42.with_own_rows(solved)
    assert [row["without"] == row["with your rows"] for row in shown] == [False, False, True, True]
    for words, (tags, _) in nb_42.SENTENCES.items():
        row = next(row for row in shown if row["sentence"] == " ".join(words))
        left = row["with your rows"].split()
        assert nb_42.obeys(tags, [i for i, word in enumerate(words) if word in left])
    blank = nb_42.with_own_rows(lambda *_: ...)
    assert {row["with your rows"] for row in blank} == {"no rows yet"}


def test_kappa_of_those_who_agree_by_chance_alone() -> None:
    assert kappa([True, True, False, False], [True, False, True, False]) == 0
    assert kappa([True, False], [True, False]) == 1 and kappa([True, False], [False, True]) == -1
    assert kappa([True], [True]) != kappa([True], [True]), "one answer only: nothing can be said"


# --- what is shown --------------------------------------------------------------------------------


def without_corpora(name: Any, *, data: Any = None) -> Any:
    raise CorpusError(f"{name} is not here")


@pytest.fixture(scope="module")
def small() -> Any:
    """Material of the Gazette, a model that deletes, and the same with constraints."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(nb_42_shown, "load_texts", without_corpora)
        patched.setattr(nb_42_shown, "default_parser", lambda: without_corpora("ptb-sample"))
        patched.setattr(nb_42_shown, "TREES", 40)
        how: dict[str, Any] = {"progress": False, "engine": "reference"}
        given = nb_42_shown.material(wl.load_compressions("gazette"), learned=8, tried=4)
    model: Any = wl.train("mcdonald-2006", given.train, epochs=2, **how)
    return given, model, ProgrammeModel.of(model)


def test_without_corpora_the_gazette_stands_in_and_says_so(small: Any) -> None:
    given, _, _ = small
    assert not given.is_real and len(given.train) == 8 and len(given.held_out) == 4
    assert {pair.kind for pair in given.train} == {"deletion"}
    assert "is not on this machine" in str(given) and "the Gazette's trees" in str(given)
    rates = nb_42_shown.rates_by_annotator(given)
    assert list(rates) == ["gazette, by rule"] and len(rates["gazette, by rule"]) == 12
    assert nb_42_shown.agreement(given) == []
    assert nb_42_shown.histogram(rates).axes


def test_features_of_a_bigram_add_up_to_its_score(small: Any) -> None:
    given, model, _ = small
    for pair in given.held_out:
        i, j = nb_42_shown.widest_bigram(model, pair.source)
        rows = nb_42_shown.features_of(model, pair.source, i, j, most=3)
        total = sum(row["weight"] for row in rows)
        assert total == pytest.approx(nb_42_shown.score_of(model, pair.source, i, j))
        assert len(rows) <= 4 and "dropped:" in nb_42_shown.bigram_named(pair.source, i, j)


def test_families_are_counted_as_they_are_searched(small: Any) -> None:
    given, _, ilp = small
    *families, whole = nb_42_shown.changed_by_family(ilp, given.held_out, rate=0.5)
    assert whole["family"] == "all" and whole["words more, in all"] == 0
    names = [row["family"] for row in families]
    broken = changed = 0
    for pair in given.held_out:
        problem = ilp.problem(pair.source)
        free = ilp.search(problem, constraints="none", rate=0.5)[0].kept
        broken += sum(not row.holds(free) for row in problem.rows)
        changed += ilp.search(problem, rate=0.5)[0].kept != free
    assert (whole["rows broken without"], whole["outputs changed"]) == (broken, changed)
    assert sum(row["rows broken without"] for row in families) == broken and len(names) == 8
    told = nb_42_shown.telling_sentence(ilp, given.held_out, rate=0.5)
    assert told in given.held_out


def test_stops_have_the_lengths_that_they_say(small: Any) -> None:
    given, model, _ = small
    tree = given.held_out[0].source
    pages = nb_42_shown.at_every_rate(model, tree).pages
    size = len(tree.leaves())
    for name, (says, _) in pages.items():
        wanted = max(1, int(int(name.rstrip("%")) / 100 * size + 0.5))
        assert says.startswith(f"{wanted} of {size} words")


def test_floors_stand_beside_scores(small: Any) -> None:
    given, model, _ = small
    floors = nb_42_shown.floors(given.held_out)
    assert list(floors) == ["keep all", "random deletion", "first clause"]
    assert floors["keep all"].rate == 1 and len(nb_42_shown.score_rows(floors)) == 3
    curve = nb_42_shown.by_rate(model, given.held_out[:2])
    assert [*curve] == sorted(curve) and curve[1.0].relation_f1 <= 1
    assert nb_42_shown.random_by_rate(given.held_out)[1.0] == floors["keep all"]


def pair_of(*keeps: str) -> TextPair:
    words = tuple("abcd")
    rows = tuple(tuple(sign == "+" for sign in row) for row in keeps)
    targets = tuple(tuple(w for w, stays in zip(words, row) if stays) for row in rows)
    return TextPair(words, targets, rows, "one.1")


def test_annotators_are_compared_two_by_two() -> None:
    no_parser: Any = None
    texts = (pair_of("++--", "++-+", "----"), pair_of("+---", "+---", "+---"))
    one = nb_42_shown.Material("invented", no_parser, "nothing", (), (), texts)
    rates = nb_42_shown.rates_by_annotator(one)
    assert rates == {
        f"annotator {n}": own for n, own in enumerate(([0.5, 0.25], [0.75, 0.25], [0.0, 0.25]), 1)
    }
    rows = nb_42_shown.agreement(one)
    assert [row["annotators"] for row in rows] == ["1 and 2", "1 and 3", "2 and 3"]
    assert [row["same answer"] for row in rows] == [7 / 8, 6 / 8, 5 / 8]
    assert rows[0]["kappa"] == pytest.approx((7 / 8 - 0.5) / 0.5)


def test_memory_of_symbols_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (
        ("READ", 30),
        ("PARSED", 2),
        ("LONGEST", 7),
        ("_treebank", lambda: "gazette"),
    ):
        monkeypatch.setattr(nb_42_shown, name, value)
    rows = nb_42_shown.by_memory(engine="reference")
    assert [row["vertical"] for row in rows] == [1, 1, 2, 2, 3]
    assert [row["symbols"] for row in rows] == sorted(row["symbols"] for row in rows)


def test_constituents_of_a_cell_come_best_first() -> None:
    log = wl.EventLog()
    log.begin(["a", "b"], [1, 1], 2, 0)
    for serial, span, label, score in ((1, (0, 1), "A", -1.0), (2, (0, 2), "X", -4.0)):
        log.constituent(serial, *span, label, score, 0, 0)
    log.constituent(3, 0, 2, "S", -3.0, 1, 2)
    rows = nb_42_shown.constituents(log, 0, 2)
    assert [row["symbol"] for row in rows] == ["S", "X"]


def rows_of_record(*rows: tuple[str, str, float, float]) -> list[dict[str, Any]]:
    return [
        {"system": system, "at": at, "of": of, "rate": rate, "relation_f1": f1}
        | {"fourgram_f1": 0.3, "unigram_f1": 0.7}
        for system, at, rate, f1 in rows
        for of in ("strings", "trees")
    ]


def test_table_6_is_told_from_its_record(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    told = nb_42_shown.recorded("CLspoken")
    assert "CLspoken" in told
    own = "its own rate"
    made = rows_of_record(("mcdonald-2006", own, 0.6, 0.4), ("cohn-lapata-2009", own, 0.8, 0.5))
    paper = {
        "values": [{"system": "mcdonald-2006", "at": own, "of": "strings", "relation_f1": 0.4748}]
    }
    path = tmp_path / "small.json"
    path.write_text(json.dumps({"rows": made, "paper": paper}), encoding="utf-8")
    monkeypatch.setattr(nb_42_shown, "record_file", lambda name: path)
    monkeypatch.setattr(nb_42_shown, "read_record", lambda file: json.loads(file.read_text()))
    rows = nb_42_shown.recorded_rows("any")
    assert [(row["system"], row["the paper's F1"]) for row in rows] == [
        ("McDonald", 0.4748),
        ("transducer", None),
    ]
    curves = nb_42_shown.curves_of([*rows, {**rows[0], "rate": 0.5, "relation F1": 0.3}])
    assert curves == {"McDonald": {0.5: 0.3, 0.6: 0.4}, "transducer": {0.8: 0.5}}
    told = nb_42_shown.recorded("CLspoken")
    assert "by relation F1: transducer 50.0%; McDonald 40.0%" in told
    assert "rates from 60.0% to 80.0%" in told and "is the one that keeps most" in told
    monkeypatch.setattr(nb_42_shown, "record_file", lambda name: tmp_path / "none.json")
    assert "has no record here: wordorder-lab reproduce" in nb_42_shown.recorded("CLwritten")


def test_printed_sentences_are_words_apart() -> None:
    printed = nb_42_shown.printed_sentences()
    assert len(printed) == 4
    bank = printed[-1].words
    assert bank[:4] == ("Earlier", "this", "week", ",") and "$" in bank and "350" in bank
    assert "best-selling" in printed[2].words
    for one in printed:
        assert set(one.versions) == {"mcdonald", "transducer", "reference"}
        assert all(len(words) < len(one.words) for words in one.versions.values())


def test_sentences_to_rate_are_those_that_all_have_shortened() -> None:
    trees = [Tree("S", list(words)) for words in ("abcd", "abcd", "abcd", "ab")]
    made = [Tree("S", list(words)) for words in ("ab", "abcd", "abc", "a")]
    other = [Tree("S", list(words)) for words in ("abc", "a", "ab", "a")]
    assert nb_42_shown.shortened_most(trees, {"one": made, "two": other}, 3) == [0, 2, 3]


def answers_of(raters: int, **how: Any) -> Sequence[dict[str, Any]]:
    outputs = {name: ["x"] * 12 for name in ("careful", "hasty", "other")}
    form = wl.rating_form([f"s{n}" for n in range(12)], outputs, raters=raters)
    return nb_42_shown.invented_answers(form, **how)


def test_invented_answers_are_the_same_every_time_and_what_was_put_in_comes_out() -> None:
    assert answers_of(3) == answers_of(3) != answers_of(3, seed=7)
    found = wl.analyse_ratings(answers_of(6))
    assert found.by_sentences["grammaticality"].p_value < 0.01 < 0.2
    assert found.by_sentences["importance"].p_value > 0.2
    means = {row["system"]: row["mean"] for row in found.means["grammaticality"]}
    true = {name: grammar for name, (grammar, _) in nb_42_shown.QUALITY.items()}
    assert all(abs(means[name] - points) < 0.7 for name, points in true.items())


@pytest.mark.corpus
def test_material_of_real_text_is_parsed() -> None:
    given = nb_42_shown.material(wl.load_compressions("gazette"), learned=2, tried=1)
    if not given.is_real:
        pytest.skip("the corpora of Clarke & Lapata are not here")
    assert len(given.train) == 2 and len(given.held_out) == 1 and len(given.texts) > 900
    assert all(isinstance(pair, CompressionPair) for pair in given.train)
    assert isinstance(given.held_out[0].source, Tree) and len(given.texts[0].targets) == 3
