"""Search errors and model errors: planted ones are told apart, and gold's score is the search's."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from explored import best_first, ccg, linearizer, short_sentences

import wordorder_lab as wl
from wordorder_lab.analysis.gold_score import (
    FAULTS,
    MODEL,
    RIGHT,
    SEARCH,
    TIE,
    UNKNOWN,
    Asked,
    fault_of,
    gold_score,
)
from wordorder_lab.analysis.gold_survival import WON, ordered
from wordorder_lab.cli import main
from wordorder_lab.experiments.measures.faults import (
    COLUMNS,
    by_length,
    fault_lines,
    faults_by_length,
    faults_of,
)
from wordorder_lab.experiments.runs.compression_evaluate import evaluate_compressions
from wordorder_lab.experiments.runs.evaluate import evaluate
from wordorder_lab.structures.bag import places
from wordorder_lab.transition import oracle
from wordorder_lab.transition.oracle import gold_actions
from wordorder_lab.transition.state import LEFTARC, RIGHTARC, SHIFT
from wordorder_lab.widgets.explorer import selected

PLAIN = {"engine": "reference"}


def test_what_a_fault_is() -> None:
    faults = {
        (True, True, 1.0, 2.0): RIGHT,
        (False, True, 1.0, None): UNKNOWN,
        (False, False, 9.0, 2.0): SEARCH,
        (False, True, 1.0, 2.0): SEARCH,
        (False, True, 2.0, 1.0): MODEL,
        (False, True, 0.1 + 0.2, 0.3): TIE,
        (False, True, -1e12, -1e12 - 1e-4): TIE,
    }
    assert {case: fault_of(*case) for case in faults} == faults


@pytest.mark.parametrize("make", [best_first, ccg])
def test_gold_scores_what_a_search_gives_it(make: Any) -> None:
    """To the last bit, wherever a search has made gold whole; elsewhere there is a score, too."""
    model, both, alone = make(), 0, 0
    for sentence in short_sentences(units="words" if make is ccg else "base-np")[:30]:
        bag = wl.bag_of(sentence, deps=0)
        _, _, fate = ordered(model, bag, sentence, 1, "fast")  # both are alike: test_exploring.py
        score = gold_score(model, Asked(sentence, bag, 1, PLAIN))
        assert (score is None) <= (fate is None or fate.score is None)
        if fate is not None and fate.score is not None:
            both += 1
            assert score == fate.score
        alone += fate is not None and fate.score is None and score is not None
    assert both > 3 and alone > 3


def every_derivation(heads: list[int], moves: tuple[int, ...] = ()) -> list[tuple[int, ...]]:
    """All sequences of LEFTARC, RIGHTARC and SHIFT that build a tree, found by trying."""
    shifted, stack = 0, list[int]()
    for move in moves:
        if move == SHIFT:
            stack.append(shifted)
            shifted += 1
        else:
            del stack[-2 if move == LEFTARC else -1]
    if len(moves) == 2 * len(heads) - 1:
        return [moves] if len(stack) == 1 else []
    able = [SHIFT] if shifted < len(heads) else []
    able += [LEFTARC] if len(stack) > 1 and heads[stack[-2]] == stack[-1] else []
    able += [RIGHTARC] if len(stack) > 1 and heads[stack[-1]] == stack[-2] else []
    return [one for move in able for one in every_derivation(heads, (*moves, move))]


def test_of_the_derivations_of_a_tree_the_best_is_taken() -> None:
    """Of all there are, by a model and by the same with its weights turned round; also where the
    output was searched with a beam of one, and where the bag gives tree and labels."""
    model, other, narrow = linearizer(), 0, {**PLAIN, "beam": 1}
    contrary = replace(model, weights=replace(model.weights, values=-model.weights.values))
    for sentence in short_sentences(most=7)[:20]:
        bag, given = wl.bag_of(sentence), wl.bag_of(sentence, deps=1)
        for scorer in (model, contrary):
            problem = scorer.problem(bag)
            gold = gold_actions(sentence, problem, places(sentence))
            shifts = [action for action in gold if action >= SHIFT]
            scores = []
            for moves in every_derivation([token.head for token in sentence]):
                words = iter(shifts)
                actions = [next(words) if move == SHIFT else move for move in moves]
                scores.append(scorer.follow(problem, actions, **narrow)[0])
            golds = [gold_score(scorer, Asked(sentence, b, 1, narrow)) for b in (bag, given)]
            assert golds == [max(scores)] * 2
            other += scorer.follow(problem, gold, **narrow)[0] < max(scores)
    assert other > 3


def test_of_too_many_derivations_a_wide_beam_is_searched(monkeypatch: Any) -> None:
    """The right words and tree all the same, and never a score above the best."""
    model, lower = linearizer(), 0
    model = replace(model, weights=replace(model.weights, values=-model.weights.values))
    for sentence in short_sentences()[:30]:
        asked = Asked(sentence, wl.bag_of(sentence), 1, PLAIN)
        monkeypatch.setattr(oracle, "WIDE", 1)
        narrow = gold_score(model, asked)
        monkeypatch.undo()
        wide = gold_score(model, asked)
        assert narrow is not None and wide is not None and narrow <= wide
        lower += narrow < wide
    assert lower


def test_a_beam_of_one_gives_search_errors() -> None:
    """Where the wide beam ends with gold itself, it was there to be found."""
    model, sentences = linearizer(), short_sentences("train")[:24]
    narrow, wide = (wl.errors(model, sentences, beam=beam, **PLAIN) for beam in (1, 64))
    mended = narrow[~narrow.exact & (wide.fate == WON)]
    assert len(mended) > 3 and set(mended.fault) == {SEARCH}
    assert (narrow.fault == SEARCH).sum() > 2 * (wide.fault == SEARCH).sum()
    assert set(wide.fault[wide.exact]) == {RIGHT} and RIGHT not in set(wide.fault[~wide.exact])


def test_one_weight_changed_gives_model_errors() -> None:
    """Where all states are kept, nothing is lost: a weight that is wrong is all that is wrong."""
    model, broken = linearizer(), 0
    sentences = short_sentences(most=4)[:12]
    how = {**PLAIN, "beam": 3000}
    before = wl.errors(model, sentences, **how)
    right = [s for s, exact in zip(sentences, before.exact, strict=True) if exact][:3]
    assert right and set(before.fault) <= {RIGHT, MODEL, TIE}
    heaviest = np.argsort(-np.abs(model.weights.values), kind="stable")[:4]
    for at in heaviest.tolist():
        values = model.weights.values.copy()
        values[at] -= np.sign(values[at]) * 1_000_000
        weights = replace(model.weights, values=values)
        spoiled = replace(model, weights=weights, _table=None)
        after = wl.errors(spoiled, right, **how)
        assert set(after.fault) <= {RIGHT, MODEL}
        broken += (after.fault == MODEL).sum()
    assert broken


@cache
def learned(system: str) -> Any:
    return wl.train(system, short_sentences("train")[:100])


@pytest.mark.parametrize("system", ["wan-2009-cle", "wan-2009-ab"])
def test_a_system_without_steps_has_rows_too(system: str, tmp_path: Path) -> None:
    """There is nothing to play, and no fate; whose fault it is can be said all the same."""
    model, sentences = learned(system), short_sentences()[:30]
    explorer = wl.explore(model, sentences)
    frame = explorer.frame
    assert set(frame.fault) <= {RIGHT, SEARCH, MODEL, TIE} and set(frame.fate) == {"unknown"}
    assert {RIGHT, MODEL} < set(frame.fault)
    wrong = frame[~frame.exact]
    assert ((wrong.gold_score > wrong.score) == (wrong.fault == SEARCH)).all()
    explorer.to_html(tmp_path / "page.html", recordings=3)
    assert explorer.table.data([0, 1], live=True)["plays"] == {}
    assert not explorer.table.data(live=True)["live"]


def test_faults_of_compressions() -> None:
    """Exhaustive search with no bound leaves the model's errors alone; gold is scored as it scores.

    Where the output is the reference, the best derivation between the trees is the one that won.
    """
    pairs = wl.load_compressions("gazette")
    short = [p for p in pairs.train if len(p.source.leaves()) < 9]
    model = wl.train(
        "cohn-lapata-2009", short[:20], max_iterations=8, C=10, progress=False, **PLAIN
    )
    exact = {"beam": "exact", "search": "exhaustive", **PLAIN}
    frame = wl.errors(model, short[:20], **exact)
    known = frame[frame.gold_score.notna()]
    assert len(known) > 10 and (known.gold_score <= known.score + 1e-9).all()
    right = known[known.exact]
    assert len(right) > 2 and np.allclose(right.gold_score, right.score)
    assert SEARCH not in set(frame.fault) and MODEL in set(frame.fault)
    cut = wl.errors(model, short[:20], beam=1, **PLAIN)
    assert SEARCH in set(cut.fault)
    done = evaluate_compressions(model, short[:20], beam=1, engine="reference")
    assert faults_of(model, short[:20], done, {"beam": 1, **PLAIN}) == cut.fault.tolist()


def test_the_explorer_filters_by_fault() -> None:
    explorer = wl.explore(linearizer(), short_sentences()[:20], **PLAIN)
    column = next(c for c in explorer.table.columns if c.name == "fault")
    assert column.kind == "choice" and tuple(column.values) == FAULTS and column.shown
    some = selected(explorer.frame, {"fault": [SEARCH]}, explorer.table.columns)
    assert 0 < len(some) < 20 and set(some.fault) == {SEARCH}
    assert explorer.table.data()["values"]["fault"] == explorer.frame.fault.tolist()


def test_the_split_by_length_adds_up(tmp_path: Path, capsys: Any) -> None:
    """The command prints what ``wl.errors`` gives; of several conditions it asks for one."""
    model, path = learned("wan-2009-ab"), str(tmp_path / "m.wol")
    model.save(path)
    frame = wl.errors(model, wl.load_corpus("gazette", units="base-np").dev)
    rows = by_length(frame.words.tolist(), frame.fault.tolist())
    *lengths, every = rows
    for name in ("sentences", *FAULTS):
        assert every[name] == sum(row[name] for row in lengths)
    assert sum(every[name] for name in FAULTS) == every["sentences"] and every["length"] == "all"
    out = str(tmp_path / "out.json")
    asked = ["evaluate", "--model", path, "--corpus", "gazette", "--errors", "--units", "base-np"]
    assert main([*asked, "--json", out]) == 0
    assert json.loads(Path(out).read_text(encoding="utf-8"))["errors"] == rows
    printed = capsys.readouterr().out
    assert all(line in printed for line in fault_lines(rows))
    assert main([*asked, "--pos", "0", "1"]) == 2
    assert "--errors goes with one condition" in capsys.readouterr().err


def test_an_experiment_counts_the_same_faults() -> None:
    """The measure's rows are those of ``wl.errors``, by length and in all."""
    model, sentences = linearizer(), short_sentences()[:40]
    done = evaluate(model, sentences, engine="reference", beam=2)
    faults = faults_of(model, sentences, done, {"engine": "reference", "beam": 2})
    frame = wl.errors(model, sentences, engine="reference", beam=2)
    assert faults == frame["fault"].tolist() and len(set(faults)) > 2
    assert list(done.model_scores) == frame["score"].tolist()
    assert faults_of(model, sentences, done, {"engine": "reference", "beam": 2}, jobs=2) == faults
    rows = faults_by_length(sentences, faults)
    assert rows[-1]["length"] == "all" and rows[-1]["sentences"] == 40
    for fault, column in COLUMNS.items():
        assert sum(row[column] for row in rows[:-1]) == rows[-1][column] == faults.count(fault)


def test_gold_of_n_grams_scores_what_a_search_gives_it() -> None:
    sentences = short_sentences()
    model = wl.train("ngram-beam", sentences[:60], order=3, engine="reference", progress=False)
    right = 0
    for sentence in sentences[60:90]:
        bag = wl.bag_of(sentence)
        result = model.order(bag, beam=64, engine="reference")
        gold = gold_score(model, Asked(sentence, bag, 1, PLAIN))
        if result.text == sentence.text:
            right += 1
            assert gold == pytest.approx(result.score, abs=1e-9)
        else:
            assert gold is not None
    assert right > 3


def test_the_fast_engine_follows_whole_derivations_only() -> None:
    model, sentence = linearizer(), short_sentences(most=6)[0]
    problem = model.problem(wl.bag_of(sentence))
    gold = gold_actions(sentence, problem, places(sentence, 1))
    fast = model.follow(problem, gold, engine="fast")
    assert fast == model.follow(problem, gold, engine="reference")
    with pytest.raises(ValueError, match="follows whole derivations"):
        model.follow(problem, gold[:-1], engine="fast")
