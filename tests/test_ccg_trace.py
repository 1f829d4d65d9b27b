"""CCG searches in the log: what it tells of their edges, gold in it, two edges driven by hand."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Any

import pytest
from ccg_logs import (
    TRANSITIVE,
    ccg_guided_log,
    ccg_log,
    ccg_search,
    gold_derivation,
    gold_sentence,
)
from random_logs import best_first_log
from test_drive import told

import wordorder_lab as wl
from wordorder_lab.analysis.marked_gold import marked_gold
from wordorder_lab.best_first.drive import Drive
from wordorder_lab.structures.bag import bag_of
from wordorder_lab.systems.zhang_clark_ccg import NAME
from wordorder_lab.trace.reducers.replay import fold
from wordorder_lab.trace.reducers.search import edge_of, words_of


def test_the_books_know_every_edge_of_the_search() -> None:
    """Categories, rules, words and heads of all that is in the chart at the end, and its parts."""
    log = wl.EventLog()
    search = ccg_search(trace=log)
    search.run()
    state = fold(log, len(log), "chart")
    assert state["chart"] == [edge.serial for edge in search.chart]
    items, unary = search.problem.items, 0
    for whole in [*search.chart, *search.goals]:
        for edge in whole.post_order():
            told = edge_of(state, edge.serial)
            assert told is not None and told["category"] == str(edge.category)
            assert told["size"] == len(edge.items)
            words, heads = words_of(state, edge.serial)
            assert words == [[items[i].form, items[i].pos] for i in edge.items]
            assert tuple(heads) == edge.heads
            if edge.rule is not None:
                assert told["action"] == edge.rule.action
            unary += edge.left is not None and edge.right is None
    assert unary and search.goals
    assert {event[2] for event in log if event[0] == "pruned"} == {"beam", "signature"}


def test_an_event_may_lack_its_category(tmp_path: Path) -> None:
    """As in older logs, whose files have a column less, and in every search of dependencies."""
    log = wl.EventLog()
    log.leaf(1, 0, "a", "T", 1.0, -1)
    log.leaf(2, 1, "b", "T", 1.0, -1, "N")
    log.edge(3, 2, 0, "tc", 1.0, -1, category="NP")
    log.edge(4, 1, 3, "HeadLeft", 1.0, -1)
    assert [event[7] for event in log] == ["", "N", "NP", ""]
    assert log.to_pandas()["category"].tolist() == ["", "N", "NP", ""]
    with pytest.raises(TypeError, match="no columns rule left"):
        log.leaf(5, 0, "a", "T", 1.0, -1, category="N", rule="")
    whole = best_first_log()
    older = wl.EventLog()
    older.events = [event[:7] if event[0] in ("leaf", "edge") else event for event in whole]
    older.save(tmp_path / "older.log")
    assert wl.EventLog.load(tmp_path / "older.log") == whole


def gold_of(log: wl.EventLog) -> list[int]:
    return [event[6] for event in log if event[0] in ("leaf", "edge")]


def test_gold_is_what_the_learner_calls_gold() -> None:
    """Searches on two derivations of one sentence, in turn; the log is told nothing of gold."""
    log = ccg_guided_log()
    starts = [i for i, event in enumerate(log) if event[0] == "begin"] + [len(log)]
    whole = 0
    for turn in range(4):
        blind, learned = wl.EventLog(), wl.EventLog()
        for event in log.events[starts[turn] : starts[turn + 1]]:
            learned.record(*event)
            makes = event[0] in ("leaf", "edge")
            blind.record(*((*event[:6], -1, event[7]) if makes else event))
        marked = marked_gold(blind, gold_sentence(raised=turn % 2 == 1))
        assert gold_of(marked) == gold_of(learned)
        whole += gold_of(marked).count(1) == len([*gold_derivation(turn % 2 == 1).nodes()])
    assert whole
    with pytest.raises(ValueError, match="the sentence has no CCG derivation"):
        marked_gold(log, wl.Sentence(gold_sentence().tokens))


def test_an_answer_is_the_searchs_own() -> None:
    """All pairs of the chart: each rule that the search used, with its score; else a reason."""
    log = ccg_log(beam=0)
    edges = told(log)
    made = {(*event[2:5], event[7]): event[5] for event in log if event[0] == "edge"}
    drive = Drive(ccg_search())
    state = fold(log, len(log), "chart")
    reasons: set[str] = set()
    met = 0
    for left, right in product(state["chart"], repeat=2):
        answer = drive({"left": edges[left], "right": edges[right]})["outcomes"]
        mine = [one for one in answer if one["order"] == "left right"]
        found = {(left, right, o["action"], o["category"]): o for o in mine if o["why"] is None}
        assert found.keys() == {key for key in made if key[:2] == (left, right)}
        assert all(found[key]["score"] == made[key] for key in found)
        assert found or [one["action"] for one in mine] == [""]
        reasons |= {one["why"].split("”")[-1] for one in mine if one["why"]}
        met += len(found)
    assert met > 20 and " only once" in reasons
    assert any(why.startswith("training had no rule for N followed by") for why in reasons)


def test_what_cannot_be_asked() -> None:
    drive = Drive(ccg_search())
    edges = {(edge.get("form"), edge["category"]): edge for edge in told(ccg_log()).values()}
    verb, noun = edges["bought", TRANSITIVE], edges["IBM", "N"]
    subject = {"action": "tc", "category": "NP", "left": noun, "right": None}
    [one, other] = drive({"left": verb, "right": subject})["outcomes"]
    assert (one["action"], one["category"]) == ("> HeadLeft", r"S[dcl]\NP")
    assert other["why"].endswith("; in the other order there is one") and other["score"] is None
    wrong = {**subject, "category": "PP"}
    assert "no rule tc for PP" in drive({"left": verb, "right": wrong})["why"]
    again = {"action": "> HeadLeft", "category": "S", "left": verb, "right": verb}
    assert "has “bought” only once" in drive({"left": again, "right": noun})["why"]
    other_bag = {**noun, "category": "N/N"}
    assert "offers no leaf" in drive({"left": other_bag, "right": verb})["why"]


def test_given_orders_are_told() -> None:
    search = ccg_search(before=[(0, 1)])
    leaves = {search.problem.items[e.items[0]].form: e for e in search.leaves()}
    [answer] = Drive(search).outcomes(leaves["bought"], leaves["IBM"])
    assert answer["why"] == "“IBM” must come before “bought”"


def test_leaves_have_the_probabilities_of_the_bag(tmp_path: Path) -> None:
    """They come with the bag, both engines tell them, and the search takes no notice of them."""
    corpus = wl.load_corpus("gazette", units="base-np")
    how: dict[str, Any] = {"epochs": 1, "expansions": 40, "engine": "reference"}
    model = wl.train(NAME, corpus.train[:12], progress=False, **how)
    plain = bag_of(corpus.dev[0])
    pairs = zip(plain.words, plain.pos or (), strict=True)
    lists = [model.categories.lookup(unit, str(tag)) for unit, tag in pairs]
    chances = [
        {str(category): 1 / (2 + i + j) for j, category in enumerate(own)}
        for i, own in enumerate(lists)
    ]
    logs = []
    for engine, categories in product(("reference", "fast"), (chances, lists)):
        bag = wl.WordBag(plain.words, plain.pos, categories=categories)
        log = wl.EventLog()
        model.order(bag, expansions=30, engine=engine, trace=log)
        logs.append(list(log))
    with_chances, without, fast, fast_without = logs
    assert (with_chances, without) == (fast, fast_without)
    assert with_chances[0][0] == "supertags" and with_chances[1:] == without
    known = {
        (" ".join(unit), *item) for unit, own in zip(plain.words, chances) for item in own.items()
    }
    log = wl.EventLog()
    log.events.extend(with_chances)
    leaves = [edge for edge in fold(log, len(log), "chart")["edges"] if not edge["left"]]
    assert leaves
    assert {(leaf["form"], leaf["category"], leaf["chance"]) for leaf in leaves} <= known


@pytest.mark.parametrize("chance", [-0.1, 1.5, True, "0.5"])
def test_what_is_no_probability_is_refused(chance: Any) -> None:
    with pytest.raises(ValueError, match=r"the probability of NP for 'a dog' is .*from 0 to 1"):
        wl.WordBag(["a dog"], categories=[{"NP": chance}])
