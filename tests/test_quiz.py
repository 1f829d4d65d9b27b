"""Quizzes: 300 questions over eleven logs, judged in Python by what the logs say."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable
from math import fsum
from typing import Any

import pytest
from ccg_logs import ccg_guided_log, ccg_log
from random_logs import best_first_log, figure_4_log, guided_log, ordering_log, training_log
from scipy.stats import chi2
from test_player import ASKED, events, show, told
from test_reasons import made_in, reasons_of
from transduction_logs import compression_log

import wordorder_lab as wl
from wordorder_lab.trace.reducers.replay import fold, views_of
from wordorder_lab.transduction.problem import Beam
from wordorder_lab.widgets.live import tally

MOST = 24
"""Questions of one log that are looked at in one view."""

ALL = """(most) => {
  const player = wordorderPlayer, log = player.logs[0], {quiz} = player.viewOf(0);
  if (!quiz || !(quiz.suits?.(log) ?? true)) return [];
  const places = [];
  for (let k = 0; k < log.length; k += 1) if (quiz.asks(log, k)) places.push(k);
  const every = Math.max(1, Math.floor(places.length / most));
  return places.filter((_, i) => i % every === 0).slice(0, most).map((k) => {
    const asked = quiz.ask(log, k, player.state(0));
    const said = asked.options.map(({value}) => player.quiz.answer(k, asked, value));
    const row = player.quiz.guesses.at(-1);
    const pair = asked.pair?.(asked.answer) ?? null;
    return {...asked, k, why: null, pair, said, row, shown: player.quiz.answer(k, asked, null)};
  });
}"""


def eleven_logs() -> list[wl.EventLog]:
    return [
        figure_4_log(),
        ordering_log(3),
        ordering_log(16, "the dog near the big pier saw boats", 7),
        training_log(),
        best_first_log(),
        best_first_log("the dog near the big pier saw boats", 7),
        best_first_log("fish near the old pier saw green boats .", 8),
        guided_log(),
        ccg_log(),
        ccg_guided_log(),
        compression_log(Beam(20, 40)),
    ]


def scores_at(log: wl.EventLog, view: str, k: int) -> dict[Any, float]:
    """What decides on a question after k events: the score of everything that could be asked."""
    event = log.events[k]
    if view == "beam":
        start = max(i for i in range(k) if log.events[i][0] == "step")
        return {e[1]: e[4] for e in log.events[start:k] if e[0] == "candidate"}
    if view == "agenda":
        state = fold(log, k, "agenda")
        waits = [i for i, place in enumerate(state["places"]) if place == "agenda"]
        return {i + 1: state["scores"][i] for i in waits}
    if view == "chart":
        end = next(i for i in range(k, len(log)) if log.events[i][0] != "edge")
        made = {part for e in log.events[k:end] for part in e[2:4]}
        return {serial: float(serial in made) for serial in fold(log, k, "chart")["chart"]}
    if view == "updates":
        return {}
    if event[0] == "combined":
        end = next(i for i in range(k, len(log)) if log.events[i][0] != "combined")
        later = [(f"{e[2]} {','.join(map(str, e[3]))}", e[4]) for e in log.events[k:end]]
        return dict(reversed(later))
    return {
        one["item"]: one["score"] + one["loss"] for one in fold(log, k, "transduction")["items"]
    }


NAMED = "the weight of {} goes up, down, or stays?"


def weight_goes(log: wl.EventLog, k: int, question: str) -> str:
    weight = question.partition("the weight of ")[2].partition(" goes up, down, or stays?")[0]
    end = next((i for i in range(k, len(log)) if log.events[i][0] != "weight"), len(log))
    moves = [e for e in log.events[k:end] if weight in (e[1], f"{e[1]} with {e[2]}")]
    change = moves[-1][4] - moves[0][3] if moves else 0.0
    assert not 0 < abs(change) < 1e-9
    return "up" if change > 0 else "down" if change < 0 else "unchanged"


def judge(log: wl.EventLog, view: str, asked: dict[str, Any]) -> None:
    """The answer is right, strictly, alone among the options, and every verdict says so."""
    values = [option["value"] for option in asked["options"]]
    labels = [option["label"] for option in asked["options"]]
    assert len(values) == len(set(values)) == len(set(labels)) > 1
    if asked["kind"] == "which weight moves":
        for value in values:
            feature, _, way = value.rpartition(": ")
            goes = weight_goes(log, asked["k"], NAMED.format(feature))
            assert (goes == way) == (value == asked["answer"])
    elif view == "updates":
        assert asked["answer"] == weight_goes(log, asked["k"], asked["question"])
    elif asked["kind"] == "which feature decides":
        judge_feature(log, asked)
    elif asked["kind"] == "whether gold survives":
        rank = next(e[3] for e in log.events[asked["k"] :] if e[0] == "gold")
        assert asked["answer"] == ("no" if rank < 0 else "yes")
    else:
        scores = scores_at(log, view, asked["k"])
        right = scores[asked["answer"]]
        assert all(right - scores[value] > 1e-9 for value in values if value != asked["answer"])
    for value, label, said in zip(values, labels, asked["said"], strict=True):
        assert said.startswith(f"Right: {label}. " if value == asked["answer"] else "No: ")
        if view not in ("chart", "updates"):
            assert " has " in said.replace(label, ""), "scores tell why"
    right_label = labels[values.index(asked["answer"])]
    assert right_label in asked["shown"] and not asked["shown"].startswith(("Right", "No"))
    levels = {"easy": "Easy: ", "middle": "Middling: ", "hard": "Hard: "}
    assert levels[asked["difficulty"]] in asked["question"]
    assert asked["row"]["kind"] == asked["kind"]


def sums_of(log: wl.EventLog, item: int, rival: int) -> dict[str, float]:
    """What adds up to the score of an item, by feature, without what its rival has as a whole."""
    reasons, made = reasons_of(log), made_in(log)

    def below(one: int) -> set[int]:
        return {one}.union(*(below(part) for part in made[one][0])) if one in made else {one}

    def steps(one: int) -> int:
        return 1 + sum(map(steps, made[one][0])) if reasons.scaled and one in made else 1

    found: defaultdict[str, float] = defaultdict(float)
    waiting, shared = [item], below(rival)
    for one in waiting:
        for name, points in reasons.points.get(str(one), ()):
            found[name] += points / reasons.divisor / steps(item)
        waiting += [part for part in made[one][0] if part in made and part not in shared]
    several = [name for name in found if name.startswith("language model")]
    if len(several) > 1:
        found["language model, all words"] = fsum(found.pop(name) for name in several)
    return found


def judge_feature(log: wl.EventLog, asked: dict[str, Any]) -> None:
    """The winner scores more, and what differs most speaks for it, by more than 5 % of it."""
    winner, loser = asked["pair"]
    made = made_in(log)
    assert made[winner][1] - made[loser][1] > 1e-9
    mine, its = sums_of(log, winner, loser), sums_of(log, loser, winner)
    leads = {name: mine.get(name, 0.0) - its.get(name, 0.0) for name in {*mine, *its}}
    first, second = sorted(leads, key=lambda name: -abs(leads[name]))[:2]
    assert leads[first] > 0 and abs(leads[second]) < 0.95 * leads[first]
    assert asked["answer"].startswith(f"{'AB'[winner > loser]} wins: ")
    for value in first.partition(" = ")[2].split(", "):
        assert value in asked["answer"]
    for said in asked["said"]:
        told = float(said.partition("this feature makes ")[2].partition(",")[0].replace("−", "-"))
        assert told == pytest.approx(leads[first], rel=0.05, abs=0.006)


def is_trivial(log: wl.EventLog, view: str, asked: dict[str, Any]) -> bool:
    """Whether what is offered differs in a tie, or only in the score of a leaf."""
    values, k = [option["value"] for option in asked["options"]], asked["k"]
    right = asked["answer"]
    if asked["kind"] == "which feature decides":
        right, *_ = values = asked["pair"]
    if view not in ("beam", "agenda") or asked["kind"] == "whether gold survives":
        return False
    scores = scores_at(log, view, k)
    begin = max(i for i in range(k) if log.events[i][0] == "begin")
    leaves = {e[1] for e in log.events[begin:k] if e[0] == "leaf"}
    leaves |= {e[1] for e in log.events[begin:k] if e[0] == "candidate" and e[2] == 0}
    tie = any(scores[value] == scores[right] for value in {*values} - {right})
    return tie or {*values} <= leaves


def test_300_questions(page, tmp_path) -> None:
    """No wrong verdict, no tie graded; the right one is anywhere, and the same at each visit."""
    places: Counter[tuple[int, int]] = Counter()
    kinds: Counter[str] = Counter()
    levels: Counter[str] = Counter()
    rows, moves, trivial = [], set(), 0
    for log in eleven_logs():
        why = any(explain(log.events) for explain in log.explains.values())
        for view in views_of(log):
            show(page, tmp_path, log, view=view, why=why)
            questions = page.evaluate(ALL, MOST)
            for asked in questions:
                judge(log, view, asked)
                trivial += is_trivial(log, view, asked)
                values = [option["value"] for option in asked["options"]]
                places[len(values), values.index(asked["answer"])] += 1
                kinds[asked["kind"]] += 1
                levels[asked["difficulty"]] += 1
                rows.append(asked["row"])
                moves |= {asked["answer"].rpartition(": ")[2]} if view == "updates" else set()
            again = [(one["k"], one["options"]) for one in page.evaluate(ALL, MOST)]
            assert again == [(one["k"], one["options"]) for one in questions]
    assert sum(kinds.values()) >= 300 and len(kinds) == 10 and set(levels) == {*LEVELS}
    assert evenness(places) > 0.01, places
    assert 10 * trivial <= len(rows)
    assert moves == {"up", "down", "unchanged"}
    frame = tally(rows)
    assert frame.groupby("kind").size().to_dict() == dict(kinds)


@pytest.mark.parametrize("make", [training_log, guided_log])
def test_a_guess_is_worth_as_little_either_way(page, tmp_path, make: Any) -> None:
    """Over all questions of a log: up as often as down, and gold survives as often as it falls."""
    log = make()
    answers: Counter[str] = Counter()
    for view in {"updates", "beam"} & {*views_of(log)}:
        show(page, tmp_path, log, view=view)
        for asked in page.evaluate(ALL, 10**6):
            if view == "updates" or asked["kind"] == "whether gold survives":
                answers[asked["answer"].rpartition(": ")[2]] += 1
    assert answers["up"] > 3 and abs(answers["up"] - answers["down"]) <= 1
    assert answers["yes"] == answers["no"]
    assert answers["yes"] > 1 or make is guided_log


LEVELS = ("easy", "middle", "hard")


def evenness(places: Counter[tuple[int, int]]) -> float:
    """By chi-square, how likely such places of the right answer are if all are equally likely."""
    square, freedom = 0.0, 0
    for size in {size for size, _ in places}:
        counts = [places[size, at] for at in range(size)]
        expected = sum(counts) / size
        square += sum((count - expected) ** 2 / expected for count in counts)
        freedom += size - 1
    return float(chi2.sf(square, freedom))


OPEN: dict[str, Callable[[], wl.EventLog]] = {
    "beam": lambda: ordering_log(3, "the dog near the big pier saw boats", 7),
    "agenda": guided_log,
    "chart": best_first_log,
    "updates": training_log,
    "transduction": lambda: compression_log(Beam(20, 40)),
}


@pytest.mark.parametrize("view", OPEN)
def test_the_player_stops_before_the_outcome_and_keeps_the_tally(page, tmp_path, view: str) -> None:
    """What is asked about comes next; what would tell is hidden, in details, too."""
    log = OPEN[view]()
    show(page, tmp_path, log, view=view)
    page.keyboard.press("Home")
    page.get_by_label("Quiz", exact=True).click()
    seen = set()
    for turn in range(6):
        page.get_by_label("Last", exact=True).click()
        k, asked = events(page), page.evaluate(ASKED)
        kind = log.events[k][0]
        seen.add(kind)
        if view == "beam":
            assert asked["answer"] == log.events[k][1]
            card = page.locator(".wol-card.wol-open").nth(1)
            assert "score hidden" in card.get_attribute("aria-label") and "score ?" in told(page)
            card.scroll_into_view_if_needed()
            box = card.bounding_box()
            page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] - 2)
            assert "score ?" in page.locator(".wol-detail .wol-head").text_content()
        elif view == "updates":
            assert "its weights come next" in page.locator(".wol-updates").text_content()
        elif kind == "filled":
            taken = page.locator(".wol-taken-cell").first.text_content()
            assert "score ?" in taken and "new" not in taken
            assert "score" not in told(page).split("; “")[0]
        right = turn % 2 == 0
        labels = [o["label"] for o in asked["options"] if (o["value"] == asked["answer"]) == right]
        choices = page.locator(".wol-question").get_by_role("button", name=labels[0], exact=True)
        choices.first.click()
        assert told(page).startswith("Right: " if right else "No: ")
    assert seen == KINDS[view] and events(page) < len(log)
    guesses = page.evaluate("wordorderPlayer.quiz.guesses.map((one) => one.right)")
    assert guesses == [True, False] * 3
    assert "3 of 6 right" in page.get_by_label("Quiz", exact=True).inner_text()
    page.get_by_label("Last", exact=True).click()
    page.get_by_role("button", name="Show me").click()
    page.keyboard.press("ArrowRight")
    assert page.evaluate("wordorderPlayer.tick") > k
    show(page, tmp_path, log, log, view=view)
    assert not page.get_by_label("Quiz", exact=True).count()


@pytest.mark.parametrize("view", OPEN)
def test_at_the_end_the_quiz_begins_in_the_middle_and_digits_answer(
    page, tmp_path, view: str
) -> None:
    log = OPEN[view]()
    show(page, tmp_path, log, view=view, at=len(log))
    page.get_by_label("Quiz", exact=True).click()
    k, asked = events(page), page.evaluate(ASKED)
    assert k < len(log) and page.locator(".wol-question li").count() == len(asked["options"])
    for turn in range(2):
        wanted = page.evaluate(ASKED)["options"][1]["label"]
        page.keyboard.press("9")
        page.keyboard.press("2")
        guess = page.evaluate("wordorderPlayer.quiz.guesses.at(-1)")
        assert guess["guess"] == wanted
        assert page.evaluate("wordorderPlayer.quiz.guesses.length") == turn + 1
        page.keyboard.press("Home")
        page.keyboard.press("End")


@pytest.mark.parametrize("view", ["updates", "beam"])
def test_at_the_end_the_quiz_begins_where_most_is_told(page, tmp_path, view: str) -> None:
    """At the update of the largest loss; at a step in which gold falls."""
    log = training_log()
    show(page, tmp_path, log, view=view, at=len(log))
    page.get_by_label("Quiz", exact=True).click()
    asked, k = page.evaluate(ASKED), events(page)
    if view == "beam":
        assert (asked["kind"], asked["answer"]) == ("whether gold survives", "no")
    else:
        lost = {i: e[5] - e[4] for i, e in enumerate(log.events) if e[0] == "update"}
        assert lost[k - 1] == max(lost.values()) > 0


KINDS = {
    "beam": {"kept"},
    "agenda": {"popped"},
    "chart": {"edge"},
    "updates": {"weight"},
    "transduction": {"combined", "filled"},
}


def tied_log() -> wl.EventLog:
    """Four steps: first words alone, a tie of the best two, one that is ahead, a tie of all."""
    log = wl.EventLog()
    log.begin(["a", "b", "c", "d"], [1, 1, 1, 1], 4, 2)
    parent = serial = 0
    for step, scores in enumerate([[1.0, 2.0], [2.0, 2.0, 1.0], [3.0, 1.0, 1.0], [3.0] * 3], 1):
        log.step(step)
        best = scores.index(max(scores)) + serial + 1
        for i, score in enumerate(scores):
            serial += 1
            log.candidate(serial, parent, f"SHIFT-{'abcd'[i]}-N", score)
        log.kept(best, 0)
        parent = best
    return log


def test_ties_are_not_asked_about(page, tmp_path) -> None:
    """Nor about first words alone. "Show me" tells the answer and is no guess."""
    log = tied_log()
    player = show(page, tmp_path, log)
    (asked,) = page.evaluate(ALL, MOST)
    assert asked["answer"] == 6 and {option["value"] for option in asked["options"]} == {6, 7, 8}
    show(page, tmp_path, log)
    page.keyboard.press("Home")
    page.get_by_label("Quiz", exact=True).click()
    page.keyboard.press("End")
    page.get_by_role("button", name="Show me").click()
    told = player.locator(".wol-narration").inner_text()
    assert told.startswith("First comes SHIFT a/N after [b] [a]. It has 3; the next best")
    page.keyboard.press("End")
    assert page.evaluate("wordorderPlayer.tick") == len(log)
    assert page.evaluate("wordorderPlayer.guesses") == []


@pytest.mark.parametrize("name", LEVELS)
def test_difficulty_is_told_by_the_lead(page, tmp_path, name: str) -> None:
    log = wl.EventLog()
    log.begin(["a", "b", "c"], [1, 1, 1], 3, 2)
    log.step(1)
    log.candidate(9, 0, "SHIFT-a-N", 1.0)
    log.kept(9, 0)
    log.step(2)
    lead = {"easy": 6.0, "middle": 2.0, "hard": 0.5}[name]
    for serial, score in enumerate([10.0, 10.0 - lead, 0.0], 1):
        log.candidate(9 + serial, 9, f"SHIFT-{'abc'[serial - 1]}-N", score)
    log.kept(10, 0)
    show(page, tmp_path, log)
    (asked,) = page.evaluate(ALL, MOST)
    assert asked["difficulty"] == name
