"""The exercises: right answers pass, wrong ones are told where, hints come before solutions."""

from __future__ import annotations

import itertools
import json
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from browser import ready
from exercise_cases import SOLUTIONS, run_solutions, wrong_answers
from oracles import projective_trees, random_sentences

import wordorder_lab as wl
from wordorder_lab.check import Desk, Verdict, beforehand, nb_20, ordered, trained
from wordorder_lab.check.exercise import all_exercises, exercises_of
from wordorder_lab.check.nb_00 import ROSE, orders
from wordorder_lab.check.nb_02 import SEARCHES
from wordorder_lab.check.nb_20 import decodings, legal, tie_differences
from wordorder_lab.check.nb_21 import differences, forests, my_shift_legal, trees
from wordorder_lab.check.nb_21 import orders as orders_of_tree
from wordorder_lab.check.plain_values import from_plain, to_plain
from wordorder_lab.check.small_transducer import FAST_CAR, by_hand
from wordorder_lab.check.small_world import derivations, problem_of, small_bags
from wordorder_lab.experiments.runs import map_in_order
from wordorder_lab.structures.typed_bag import as_bag
from wordorder_lab.systems.model import OrderingModel
from wordorder_lab.transition.averaged_perceptron import EARLY, MAX_VIOLATION

if TYPE_CHECKING:
    from playwright.sync_api import Page

EXERCISES = all_exercises()
SENTENCES = random_sentences(seed=5, n=12)


@pytest.fixture
def desk() -> Desk:
    return Desk()


class Reverses:
    """A model that gives every bag back from right to left."""

    def order(self, bag: Any, trace: Any = None) -> Any:
        bag = as_bag(bag)
        problem = problem_of(["x"])
        assert problem.size == 1
        words = [bag.form(i) for i in reversed(range(len(bag)))]
        return type("Found", (), {"words": words, "text": " ".join(words), "score": 0.0})


GIVEN = {"model": Reverses(), "sentences": SENTENCES}


def given_for(number: str) -> dict[str, Any]:
    """What a notebook hands in with an answer; in notebooks 40 and 41 it is about compressions."""
    car = wl.CompressionPair(FAST_CAR, (FAST_CAR,), ((0, 0),))
    given = {"model": by_hand(), "pairs": [car], "held_out": [car], "how": {}}
    return given if number.startswith("4") else GIVEN


@pytest.mark.parametrize("number", EXERCISES)
def test_dots_are_no_answer(desk: Desk, number: str) -> None:
    for blank in (..., (..., ["."]), [...]):
        assert desk(number, blank, **given_for(number)).right is None
    assert desk.hinted == {}, "and cost no hint"


@pytest.mark.parametrize("number", [n for n, one in EXERCISES.items() if one.wants_function])
@pytest.mark.slow
def test_a_function_that_returns_dots_is_no_answer(desk: Desk, number: str) -> None:
    assert desk(number, lambda *arguments: ..., **GIVEN).right is None
    assert desk(number, 5, **GIVEN).right is False
    assert "function itself" in desk(number, 5, **GIVEN).text


@pytest.mark.parametrize("number", EXERCISES)
@pytest.mark.slow
def test_hints_come_before_the_solution(desk: Desk, number: str) -> None:
    """And the solution that is shown then has been judged right."""
    hints = EXERCISES[number].text.hints
    desk(number, ..., **given_for(number))
    for i, hint in enumerate(hints, 1):
        assert "before the solution" in desk.solution(number).text
        assert desk.hint(number).text == f"Hint {i} of {len(hints)}: {hint}"
    assert desk.hint(number).text.startswith(f"Hint {len(hints)}")
    assert "before the solution" not in desk.solution(number).text


def test_each_wrong_answer_gets_the_next_hint(desk: Desk) -> None:
    first, second = EXERCISES["20.2"].text.hints
    assert first in desk("20.2", lambda n: 2 * n).text
    assert second in desk("20.2", lambda n: n).text
    assert desk("20.2", lambda n: 2 * n - 1).right
    assert "2 * n - 1" in desk.solution("20.2").text


WRONG = [
    ("00.1", 40_320, "eight different words"),
    ("00.1", 1, "more than 1"),
    ("00.1", "many", "whole number"),
    ("00.2", ["a", "b"], "five"),
    ("00.2", ["a", "b", "c", "d", "e"], "The model says: e d c b a"),
    ("00.3", lambda units: units, "above chance"),
    ("00.3", lambda units: units[1:], "lost"),
    ("00.3", lambda units: [*units, "more"], "made 'more'"),
    ("00.3", lambda units: units.sort(), "None"),
    ("20.1", ["IBM", "bought"], "are lists of words"),
    ("20.1", "IBM bought", "two things"),
    ("20.1", (["bought", "IBM"], ["."]), "upside down: the top comes last. The bag is right."),
    ("20.1", (["IBM", "bought"], [".", "Lotus"]), "The stack is right"),
    ("20.2", lambda n: 2 * n, "2n"),
    ("20.2", lambda n: 1 / 0, "you divide by zero"),
    ("20.3", lambda stack, bag: {f"SHIFT-{w}" for w in bag}, "LEFTARC is missing"),
    ("20.3", lambda stack, bag: {"LEFTARC", *(f"SHIFT-{w}" for w in bag)}, "LEFTARC is too many"),
    ("20.3", lambda stack, bag: "SHIFT-a", "a set of action names"),
    ("20.4", lambda ranks, best, gold: len(ranks), "the step after which the learner updates: it"),
    ("20.4", lambda ranks, best, gold: [*ranks, -1].index(-1) + 1, ", not "),
    ("20.5", lambda ranks, best, gold: None, "it is 1, not None"),
    ("20.6", lambda c: (-c.score, c.serial), "0 event streams"),
    ("20.6", lambda c: -c.score, "the same key"),
    ("20.6", lambda c: c.serial, "no longer the best k"),
    ("20.7", lambda state, action: True, "built twice"),
    ("20.7", lambda state, action: action != "RIGHTARC", "forbids too much"),
    ("21.1", "RIGHTARC", "A set of names"),
    ("21.1", {"RIGHTARC", "SHIFT-in", "SHIFT-."}, "SHIFT-an old man is possible, too"),
    ("21.1", {"SHIFT-the dog"}, "“the dog” would cut off “the park” from its head “in”"),
    ("21.1", ["SHIFT-saw"], "SHIFT-saw is no action here. There are LEFTARC, RIGHTARC, SHIFT-."),
    ("21.2", lambda heads: 2 ** (len(heads) - 1), "the heads [-1, 0, 0] allows: it is 6, not 4"),
    ("21.3", 5, "a string"),
    ("21.3", "a b c | 1<2<3", "Give heads"),
    ("21.3", "a>2 b>1 c | 1<2", "the heads go round in a cycle"),
    ("21.3", "a b>1 c | 2<3", "'a b c' keeps all that is given"),
    ("21.3", "a b>1 c>1 d>2 e f g | 2<3 3<4", "7 units"),
    ("21.4", lambda word, head, given, attached: given.get(word) == head, "nothing given speaks"),
    ("21.4", lambda word, head, given, attached: True, "still waits for its dependent “b”"),
    ("21.5", lambda *state: True, "You allow SHIFT-c: a dead end, since “c” would cut off “b”"),
    ("21.5", lambda *state: False, "You forbid SHIFT-b, yet this ends well: SHIFT-b LEFTARC"),
    ("21.5", lambda word, stack, bag, *given: stack.remove(word), "raised ValueError"),
]
test_wrong_answers_are_told_where = wrong_answers(WRONG, **GIVEN)


def test_right_answers(desk: Desk) -> None:
    assert desk("00.1", 560).right
    assert desk("00.2", list("level"), **GIVEN).right
    assert desk("20.1", (("IBM", "bought"), {"."})).right


ARCS = ["left arc", "Right-arc"]


@pytest.mark.parametrize(
    ("number", "meant"),
    [
        ("00.1", ["560", " 560 ", "560.0", "560."]),
        ("02.1", ["4", 4.0, "4"]),
        ("02.2", ["6", "6.0", "6.00"]),
        ("02.3", ["rightarc", "RightArc", "right arc", "RIGHT-ARC", "Rightarc "]),
        ("02.4", [(38, 30), "38, 30", "30 and 38", "[30, 38]", ["38", "30"], {"30", "38"}]),
        ("02.8", ["POS(h) LVAL(h) = VBD, 0", "pos(h)·lval(h)=VBD,0"]),
        ("02.9", ["True", "true", "yes", 1]),
        ("20.1", [(("ibm", "Bought"), "."), ("IBM bought", "."), [["IBM", "bought"], "."]]),
        ("20.3", [lambda s, b: [*ARCS[: 2 * (len(s) > 1)], *(f"shift {w}" for w in b)]]),
        ("33.4", [("1", "64 %", "0.0025"), "1, 0.6415, 1/400"]),
    ],
)
def test_any_sensible_spelling_is_understood(desk: Desk, number: str, meant: list[object]) -> None:
    """And what is not is told the form that is wanted."""
    for answer in meant:
        verdict = desk(number, answer)
        assert verdict.right, (answer, verdict)
    assert not desk(number, "purple").right


def test_a_refusal_names_the_form_that_is_wanted(desk: Desk) -> None:
    for number, answer, form in (
        ("02.1", "fourth", "a whole number is wanted"),
        ("02.1", "1e999", "a whole number is wanted"),
        ("02.3", "REDUCE", '"SHIFT-word-TAG", "LEFTARC" or "RIGHTARC"'),
        ("02.4", "the first two", "a list of the numbers of edges is wanted"),
        ("02.9", "maybe", "True or False is wanted"),
        ("10.1", ["forward"] * 8, "none of '>', '<', '>B'"),
    ):
        assert form in desk(number, answer).text, number


def test_what_an_exercise_needs_is_asked_for(desk: Desk) -> None:
    assert "model=model" in desk("00.2", ["a"] * 5).text
    assert desk("00.2", ["a"] * 5).right is None
    for _ in EXERCISES["00.3"].text.hints:
        desk.hint("00.3")
    assert "run the cell" in desk.solution("00.3").text
    with pytest.raises(ValueError, match=r"99\.9.*00\.1"):
        desk("99.9", 1)


SLOW = {"00", "11", "12", "21", "31", "40", "41", "50"}
"""Notebooks whose solutions train, or are asked about many states."""


@pytest.mark.parametrize(
    "notebook",
    [
        pytest.param(path.name[:2], marks=[pytest.mark.slow] * (path.name[:2] in SLOW))
        for path in sorted(SOLUTIONS.glob("*.py"))
    ],
)
def test_files_of_solutions_are_right(
    notebook: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """They hand in each exercise once, and say nothing by themselves but how long they learn."""
    desk, told, _ = run_solutions(notebook)
    exercises = exercises_of(notebook)
    assert list(told) == list(exercises)
    for number, verdict in told.items():
        assert verdict.right, verdict
        if needs := exercises[number].needs:
            desk.hinted[number] = len(exercises[number].text.hints)
            assert "not yet" not in desk.solution(number).text, needs
    lines = capsys.readouterr().out.splitlines()
    assert all(line.startswith("learning from") for line in lines)


@pytest.mark.slow
def test_shift_legal_with_a_word_more_than_is_judged() -> None:
    assert not any(differences(my_shift_legal, longest=5))


def test_wrong_answers_of_notebook_02_open_the_right_picture(desk: Desk) -> None:
    opened = []
    for number in exercises_of("02"):
        wrong = desk(number, False if number == "02.9" else [1, 2])
        assert wrong.right is False and wrong.moment is not None
        opened.append(wrong.moment.view)
    counts = {"beam": 3, "agenda": 2, "chart": 2, "updates": 2, "spans": 1, "transduction": 2}
    assert opened == [*Counter(counts).elements()] and set(opened) == set(SEARCHES)


def told_by_pages(page: Page, folder: Path) -> dict[str, Any]:
    """The answers of notebook 02, read off the text of the pages that it shows."""

    def body(view: str, at: int | None = None) -> str:
        search = SEARCHES[view]()
        moment = {"view": view, "at": search.at if at is None else at}
        ready(page, wl.to_html(search.log, folder / f"{view}.html", **moment))
        return page.locator("body").inner_text().replace("−", "-")

    def one(pattern: str, text: str) -> str:
        return re.findall(pattern, text)[-1]

    pops = [k for k, event in enumerate(SEARCHES["agenda"]().log, 1) if event[0] == "popped"]
    cards = [body("agenda", k) for k in pops]
    waited = [re.search(r"waited\s+while\s+(\d+)\s+other", card) for card in cards]
    sizes = [one(r"(\d+) of 5 units ·", card) for card in cards]
    before = body("agenda", pops[5] - 1)
    beam, update, shorter = body("beam"), body("updates"), body("transduction")
    body("spans")
    page.get_by_text("as a table").click()
    rows = [row.split("\t") for row in page.locator("tr").all_inner_texts()]
    never = {int(row[0]): int(row[1]) for row in rows if row[3:4] == ["0"]}
    source, target = one("Compressing: (.+)", shorter), one("7 words: “(.+?)”", shorter)
    sides = re.findall(r"score -?[\d.]+ → (-?[\d.]+)", update)
    gold, rival = map(float, sides)
    return {
        "02.1": int(one(r"Step (\d+) of \d+\n✕ gold is cut", beam)),
        "02.2": float(one(r"★ ✂ .+\n([\d.]+) behind", beam)),
        "02.3": one(r"★ ✂ (.+)", beam),
        "02.4": [int(one(rf"\n{rank}\..*\n(\d+)\n", before)) for rank in (1, 2)],
        "02.5": max(int(found[1]) for found in waited if found),
        "02.6": int(max(sizes, key=sizes.count)),
        "02.7": [int(one(rf"{side}: edge (\d+) “", cards[-1])) for side in ("left", "right")],
        "02.8": one(r"\n(.+) · weight .*◀ cost the most", update),
        "02.9": gold > rival,
        "02.10": [n for n in never if never[n] == max(never.values())],
        "02.11": [word for word in source.split() if word not in target.split()],
        "02.12": float(one(r"([\d.]+) of item \d+ at the root", shorter)),
    }


def test_what_the_pages_of_notebook_02_say_is_right(desk: Desk, page: Page, tmp_path: Path) -> None:
    """Of equal ones each is right."""
    told = told_by_pages(page, tmp_path)
    assert list(told) == list(exercises_of("02"))
    for number, answer in told.items():
        for each in answer if number == "02.10" else [answer]:
            assert desk(number, each).right, (number, each)


# --- the truth behind the answers --------------------------------------------------------------


def test_orders_are_permutations_that_look_different() -> None:
    for units in (ROSE, ("a",), ("a", "b"), ("a", "a", "b", "b", "b"), tuple("abcde")):
        assert orders(units) == len(set(itertools.permutations(units)))


def test_small_bags() -> None:
    bags = list(small_bags("abc", 3))
    assert len(bags) == len(set(bags)) == 3 + 6 + 10
    assert all(list(bag) == sorted(bag) for bag in bags)


def test_shapes_of_forests_and_trees() -> None:
    """As many as there are rooted forests and trees (OEIS A000081)."""
    assert [len(forests(n)) for n in range(1, 7)] == [1, 2, 4, 9, 20, 48]
    assert [len(list(trees(n))) for n in range(1, 7)] == [1, 1, 2, 4, 9, 20]


def test_orders_of_a_tree_by_brute_force() -> None:
    for n in range(1, 5):
        projective = projective_trees(n)
        for heads in trees(n):
            fitting = 0
            for order in itertools.permutations(range(n)):
                place = {word: i for i, word in enumerate(order)} | {-1: -1}
                built = tuple(place[heads[word]] for word in order)
                fitting += built in set(map(tuple, projective))
            assert orders_of_tree(heads) == fitting


def test_a_legality_test_that_counts_only_is_found_wrong_by_the_engine(desk: Desk) -> None:
    """Right about bags of four words, and a dead end in the longer ones."""

    def only_small(word: str, stack: list, bag: list, given: dict, attached: dict) -> bool:
        return len(word) > 1 or my_shift_legal(word, stack, bag, given, attached)

    assert "reference engine orders only" in desk("21.5", only_small).text


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
def test_the_one_derivation_builds_every_projective_tree_once(n: int) -> None:
    """Equal words, so that orders do not matter and only trees are left."""
    names = {0: "LEFTARC", 1: "RIGHTARC"}
    found = Counter(
        tuple(final.arcs)
        for final in derivations(
            problem_of(["w"] * n), lambda s, a: legal(s, names.get(a, "SHIFT"))
        )
    )
    trees = projective_trees(n)
    wanted = {tuple((h, i) for i, h in enumerate(heads) if h >= 0) for heads in trees}
    assert found == Counter(wanted)


def test_the_cases_of_the_update_rules_are_of_all_sorts() -> None:
    """Otherwise a wrong rule could pass: never, in the middle, at the end; rules that differ."""
    kinds: Counter[str] = Counter()
    for case in decodings():
        early, violation, n = case.step[EARLY], case.step[MAX_VIOLATION], len(case.course.ranks)
        kinds["never"] += early is None and violation is None
        kinds["early"] += early is not None and early < n and -1 in case.course.ranks
        kinds["at the end"] += early == n and -1 not in case.course.ranks
        kinds["differ"] += early != violation
        kinds["violation in the middle"] += violation not in (None, early, n)
    assert len(kinds) == 5 and min(kinds.values()) >= 3, kinds


def test_another_tie_break_changes_more_streams_than_outputs() -> None:
    for key in (
        lambda c: (-c.score, -c.serial),
        lambda c: (-c.score, c.action, c.serial),
        lambda c: (-c.score, -c.parent.serial, c.serial),
    ):
        outputs, streams, searches, moment = tie_differences(key)
        assert moment is not None
        assert 0 < outputs < streams <= searches


# --- what is shown, what is kept ---------------------------------------------------------------


def test_what_a_student_wrote_is_never_markup(desk: Desk) -> None:
    told = desk("20.1", (["<script>alert(1)</script>"], ["."]))
    assert "<script>" not in told._repr_html_() and "&lt;script&gt;" in told._repr_html_()
    assert repr(Verdict(True, "a < b")) == "✓ a < b"


def test_trained_models_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    settings: dict[str, Any] = {"engine": "reference", "beam": 2, "epochs": 1}
    first = trained(SENTENCES, **settings)
    (kept,) = tmp_path.rglob("*.wol")
    monkeypatch.setattr(
        "wordorder_lab.systems.train", lambda *_, **__: pytest.fail("it is on the disk")
    )
    again = trained(SENTENCES, **settings)
    bag = wl.bag_of(SENTENCES[0])
    assert first.order(bag, engine="reference") == again.order(bag, engine="reference")
    monkeypatch.undo()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    trained(SENTENCES[1:], **settings)
    trained(SENTENCES, **{**settings, "beam": 3})
    assert len(list(tmp_path.rglob("*.wol"))) == 3
    kept.write_bytes(b"damaged")
    assert trained(SENTENCES, **settings).order(bag, engine="reference").words
    assert kept.stat().st_size > 100, "a damaged file is replaced"
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    assert trained(SENTENCES, **settings).order(bag, engine="reference").words


def test_results_of_the_site_are_read_in_a_tab(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What its own run has kept is what comes out, without a search; anything else is searched."""
    model = wl.train("liu-2015", SENTENCES, engine="reference", epochs=1, beam=2)
    monkeypatch.setattr(beforehand, "SITE", str(tmp_path))
    monkeypatch.setattr(beforehand, "FOLDER", str(tmp_path))
    monkeypatch.setattr(map_in_order, "STORES", [beforehand.results])
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)  # no numba to warm up
    bags = [wl.bag_of(sentence) for sentence in SENTENCES]
    how: dict[str, Any] = {"engine": "reference", "beam": 2}
    work: list[Callable[[], Any]] = [
        lambda: wl.evaluate(model, SENTENCES, **how),
        lambda: wl.errors(model, SENTENCES, **how).to_dict(),
        lambda: ordered(model, bags, k=3, **how),
    ]
    first = [one() for one in work]
    assert len(list(tmp_path.glob("*.results"))) == len(work)
    model.save(tmp_path / "model.wol")
    model = wl.load_model(tmp_path / "model.wol")
    monkeypatch.setattr(beforehand, "IN_A_TAB", True)
    order = type(model).order
    monkeypatch.setattr(type(model), "order", lambda *_, **__: pytest.fail("it is on the site"))
    assert str([one() for one in work]) == str(first), "with the milliseconds of then"
    assert capsys.readouterr().out.count("made beforehand") == len(work)
    monkeypatch.setattr(type(model), "order", order)
    assert len(wl.evaluate(model, SENTENCES, engine="reference", beam=3).outputs) == len(SENTENCES)
    assert "made beforehand" not in capsys.readouterr().out


def test_single_searches_of_the_site_are_read_in_a_tab(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """And what a notebook's own function measured. Another setting, another model or a trace is
    searched."""
    searched: list[object] = []

    def order(self: Any, bag: Any, **how: Any) -> Any:
        searched.append(bag)
        return plain(self, bag, **how)

    plain = OrderingModel.order
    monkeypatch.setattr(OrderingModel, "order", order)
    monkeypatch.setattr(beforehand, "SITE", str(tmp_path))
    monkeypatch.setattr(beforehand, "FOLDER", str(tmp_path))
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)  # no numba to warm up
    how: dict[str, Any] = {"engine": "reference", "beam": 2}
    model = wl.train("liu-2015", SENTENCES, engine="reference", epochs=1, beam=2)
    beforehand.remember(model)
    bags = [wl.bag_of(sentence) for sentence in SENTENCES]
    first = [model.order(bag, **how) for bag in 2 * bags]
    curve = nb_20.bleu_by_epoch(SENTENCES, SENTENCES, epochs=1, beam=2)
    assert len(searched) > len(bags) and len(curve) == 1
    searched.clear()
    monkeypatch.setattr(beforehand, "IN_A_TAB", True)
    model.save(tmp_path / "model.wol")
    model = wl.load_model(tmp_path / "model.wol")
    assert [model.order(bag, **how) for bag in 2 * bags] == first
    assert nb_20.bleu_by_epoch(SENTENCES, SENTENCES, epochs=1, beam=2) == curve
    assert not searched and capsys.readouterr().out.count("made beforehand") == 2
    model.order(bags[0], engine="reference", beam=3)
    model.order(bags[0], trace=wl.EventLog(), **how)
    other = wl.train("liu-2015", SENTENCES[:1], engine="reference", epochs=1, beam=2)
    other.order(bags[0], **how)
    assert len(searched) == 3


def test_results_as_json_come_back_as_they_were() -> None:
    """Of every kind that notebooks keep; and a file makes no class but ours."""
    corpus = wl.load_corpus("gazette")
    ccg = wl.train("zhang-clark-2015-ccg", corpus.train[:20], engine="reference", epochs=1)
    pairs = wl.load_compressions("gazette")
    short = wl.train("mcdonald-2006", pairs.train[:20], engine="reference", epochs=1)
    shortened = short.compress(pairs.dev[0].source, engine="reference")
    results = [ccg.order(wl.bag_of(corpus.dev[0]), expansions=100, engine="reference"), shortened]
    for value in (*results, {"a": (1, 2.5)}, Counter("aab"), frozenset({3, 4}), None):
        assert from_plain(json.loads(json.dumps(to_plain(value)))) == value
    array = from_plain(to_plain(np.array([[1.5, 2.0]])))
    assert array.dtype == np.float64 and array.tolist() == [[1.5, 2.0]]
    with pytest.raises(TypeError, match="no plain form of a complex"):
        to_plain([1j])
    for kind in ("os:system", "wordorder_lab.check.plain_values:import_module", "subprocess:Popen"):
        with pytest.raises(ValueError, match="no class of this package"):
            from_plain(["ours", kind, ["dict"]])
