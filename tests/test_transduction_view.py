"""The view of tree transduction: three trees, the grid of cube pruning, scores, quiz, swapping."""

from __future__ import annotations

import csv
import io
import random
from pathlib import Path
from typing import Any

import pytest
from browser import expose, grows_in_presentation_mode, menu
from counting import hold_light, most_work
from nltk.tree import Tree
from test_player import ASKED, download, events, show
from transduction_logs import FIGURE_1, RULES, WILD_RULES, compression_log

import wordorder_lab as wl
from wordorder_lab.structures.synchronous_rule import ElementaryTree, parse_rule, synchronous_rule
from wordorder_lab.trace.reducers.replay import fold
from wordorder_lab.trace.reducers.transduction import frontier_of, sides_of, words_of
from wordorder_lab.transduction.problem import Beam

LONG = (
    "(S (PP (IN in) (NP (DT the) (JJ old) (NN town))) (NP (NP (DT the) (NN mayor)) (SBAR (WHNP (WP"
    " who)) (S (VP (VBD had) (VP (VBN opened) (NP (DT the) (JJ new) (NN bridge)) (PP (IN over) (NP"
    " (DT the) (NN river)))))))) (VP (VBD said) (NP (NNP Monday)) (SBAR (IN that) (S (NP (DT the)"
    " (NN traffic)) (VP (MD would) (VP (VB fall) (ADVP (RB quickly)) (PP (IN by) (NP (CD ten) (NN"
    " percent)))))))) (. .))"
)


def picture(page: Any) -> Any:
    return page.locator(".wol-transduction")


def told(page: Any) -> str:
    return page.locator(".wol-narration").inner_text()


def go(page: Any, k: int) -> None:
    page.evaluate("(k) => { wordorderPlayer.go(k); }", k)


def press(page: Any, serial: str) -> None:
    """Enter on what has this name in the picture."""
    page.locator(f'[data-serial="{serial}"]').first.focus()
    page.keyboard.press("Enter")


def combined(log: wl.EventLog, variables: int, least: int = 0) -> int:
    """After so many events a rule with so many variables was taken, not for the first time."""
    for k, event in enumerate(log, 1):
        if event[0] == "combined" and len(event[3]) == variables and sum(event[3]) >= least:
            return k
    raise AssertionError(f"no rule with {variables} variables")


def three_way(log: wl.EventLog) -> int:
    """After so many events a rule was taken with a choice of items for three variables."""
    for k in [k for k, event in enumerate(log, 1) if event[0] == "combined" and len(event[3]) == 3]:
        if all(
            len(side) > 1 for side in sides_of(fold(log, k, "transduction"), log.events[k - 1][2])
        ):
            return k
    raise AssertionError("no such rule")


def half_full(log: wl.EventLog) -> tuple[int, dict[str, Any], int]:
    """A moment at which a grid of two variables has some places taken, and some to take."""
    for k in [k for k, event in enumerate(log, 1) if event[0] == "combined" and len(event[3]) == 2]:
        state = fold(log, k, "transduction")
        place, application = len(state["cells"]) - 1, log.events[k - 1][2]
        turns = [one["application"] for one in state["cells"][place]["taken"]]
        if turns.count(application) > 2 and len(frontier_of(state, place, application)) > 1:
            return k, state, place
    raise AssertionError("no such grid")


# --- what is computed, against Python --------------------------------------------------------


def plain(node: ElementaryTree | str) -> Any:
    if isinstance(node, str):
        return node
    return {"label": node.label, "index": node.index, "children": [*map(plain, node.children)]}


def labels(node: ElementaryTree | str) -> list[str]:
    """The labels of a fragment's nodes."""
    if isinstance(node, str):
        return []
    return [node.label, *(label for child in node.children for label in labels(child))]


def random_rule(chance: random.Random) -> str:
    """A rule with awkward labels and words, in the notation."""
    names = ["S", "a_1", "x_eps", "[", "]", "\\", "<b>", ",", "-", "N P", "ça", "日本", "'s"]
    leaves: list[Any] = [
        ElementaryTree(chance.choice(names), (), index) for index in range(1, chance.randint(1, 5))
    ]

    def tree(below: list[Any]) -> ElementaryTree:
        if len(below) > 2 and chance.random() < 0.7:
            below = [tree(below[:2]), *below[2:]]
        word = ElementaryTree(chance.choice(names), (chance.choice(names),))
        return ElementaryTree(chance.choice(names), (*below, word))

    source = tree([*leaves, ElementaryTree(chance.choice(names), (), 0)])
    target = tree(chance.sample(leaves, len(leaves)))
    return synchronous_rule(source, target).text


def test_rules_are_read_as_in_python(module: Any) -> None:
    chance = random.Random(5)
    texts = [random_rule(chance) for _ in range(60)] + WILD_RULES
    texts += [text[: chance.randint(1, len(text))] for text in texts]
    found = module(
        """(rules) => rules.map((text) => {
          const rule = ruleRead(text);
          return rule && [rule.source, rule.target];
        })""",
        texts,
    )
    wrong = 0
    for text, sides in zip(texts, found, strict=True):
        try:
            rule = parse_rule(text)
        except ValueError:
            wrong += 1
            assert sides is None, text
        else:
            assert sides == [plain(rule.source), plain(rule.target)], text
    assert 40 < wrong < 100


# --- what is on the screen ---------------------------------------------------------------------


def test_two_variables_make_a_grid(page: Any, tmp_path: Path) -> None:
    """Taken places with their turn, score and heuristic; the frontier; heads with words."""
    log = compression_log(Beam(20, 40))
    show(page, tmp_path, log)
    menu(page).get_by_label("Rows").select_option("1000")
    k, state, place = half_full(log)
    go(page, k)
    _, serial, application, *_ = log.events[k - 1]
    taken = [
        (turn, one)
        for turn, one in enumerate(state["cells"][place]["taken"], 1)
        if one["application"] == application
    ]
    grid = page.get_by_role("group", name=f"Grid of application {application}: {len(taken)} taken")
    cells = grid.locator(".wol-taken-cell")
    assert cells.count() == len(taken) > 2
    for turn, one in taken:
        cell = page.locator(f'[data-serial="combination {one["serial"]}"]')
        ranks = " and ".join(f"rank {rank + 1}" for rank in one["ranks"])
        assert cell.locator("text").first.text_content().startswith(f"{turn}. ")
        label = cell.get_attribute("aria-label")
        assert all(f"({part})" in label for part in ranks.split(" and "))
    assert "wol-last" in page.locator(f'[data-serial="combination {serial}"]').get_attribute(
        "class"
    )
    frontier = frontier_of(state, place, application)
    assert grid.locator(".wol-frontier").count() == len(frontier) > 1
    heads = grid.text_content()
    for side in sides_of(state, application):
        for rank, item in enumerate(side):
            assert f"{rank + 1}. {' '.join(words_of(state, item))[:4]}" in heads


@pytest.mark.parametrize(("variables", "says"), [(0, "one combination"), (1, ""), (3, "(1, 1, ")])
def test_other_numbers_of_variables(page: Any, tmp_path: Path, variables: int, says: str) -> None:
    """None: a single place. One: a row. Three: vectors of ranks, the frontier among them."""
    log = compression_log(Beam(20, 60), source=Tree.fromstring(LONG))
    show(page, tmp_path, log)
    k = (
        combined(log, variables, least=1 if variables == 1 else 0)
        if variables < 3
        else three_way(log)
    )
    go(page, k)
    grid = page.locator(".wol-grid")
    assert says in grid.text_content()
    boxes = [
        one.bounding_box() for one in grid.locator(":is(.wol-taken-cell, .wol-frontier)").all()
    ]
    rows = {round((box["y"] + box["height"] / 2) / 8) for box in boxes}
    assert len(rows) == 1 or variables > 2
    state, application = fold(log, k, "transduction"), log.events[k - 1][2]
    frontier = frontier_of(state, len(state["cells"]) - 1, application)
    assert grid.locator(".wol-frontier").count() == min(6, len(frontier))


def test_the_trees(page: Any, tmp_path: Path) -> None:
    """The rule's place in the source, its variables alike on both sides, what fills it."""
    log = compression_log(Beam(20, 40))
    show(page, tmp_path, log)
    k = combined(log, 3)
    go(page, k)
    state = fold(log, k, "transduction")
    one = state["applications"][log.events[k - 1][2]]
    for child in one["children"]:
        assert page.locator(f'[data-serial="node {child}"] .wol-chip-of').count() == 1
    here = page.locator(f'[data-serial="node {one["node"]}"]').get_attribute("class")
    assert "wol-here-now" in here and "wol-rule-here" in here
    sides = picture(page).locator(".wol-rule-shown .wol-tree")
    rule = parse_rule(one["rule"])
    assert sides.nth(1).locator(".wol-chip-of").all_text_contents() == ["1", "2", "3"]
    assert sorted(sides.nth(0).locator(".wol-chip-of").all_text_contents()) == ["1", "2", "3"]
    for side, fragment in enumerate((rule.source, rule.target)):
        shown = sides.nth(side).locator(".wol-label-of").all_text_contents()
        assert sorted(text.removesuffix(" ε") for text in shown) == sorted(labels(fragment))
    assert "-> <[" not in picture(page).text_content()
    serial, item = log.events[k - 1][1], log.events[k - 1][8]
    words = " ".join(words_of(state, item))
    target = page.locator(".wol-target")
    assert target.get_attribute("aria-label") == f"Target: combination {serial}: “{words}”"
    shown = [text for text in target.locator(".wol-word").all_text_contents() if text]
    assert " ".join(shown) == words


def test_what_is_deleted_is_struck_out(page: Any, tmp_path: Path) -> None:
    """At the end: every word that no rule of the derivation has made, and no other."""
    for seed in range(3):
        log = compression_log(Beam(20, 40), seed=seed, k=1)
        show(page, tmp_path, log)
        page.get_by_label("Last").click()
        state = fold(log, len(log), "transduction")
        output = state["outputs"][0]
        struck, gone = set(), []
        for number in output["applications"]:
            gone += state["applications"][number]["deleted"]
        parents = state["source"]["parents"]
        for node in range(len(parents)):
            above = node
            while above >= 0 and above not in gone:
                above = parents[above]
            struck |= {node} if above >= 0 else set()
        for node in range(len(parents)):
            drawn = page.locator(f'[data-serial="node {node}"]')
            assert drawn.locator(".wol-label-of.wol-struck").count() == (node in struck)
            assert ("deleted" in drawn.get_attribute("aria-label")) == (node in struck)
        assert " ".join(output["words"]) in picture(page).get_attribute("aria-label")


def test_the_sentence_has_its_marks(page: Any, tmp_path: Path) -> None:
    """Each word that no rule makes is crossed out, each that has left the order is marked."""
    rules = RULES + "<NNS, NNS> -> <[NNS ones], [NNS things]>\n"
    for seed in range(3):
        log = compression_log(Beam(20, 40), seed=seed, k=1, rules=rules)
        show(page, tmp_path, log)
        page.get_by_label("Last").click()
        output = fold(log, len(log), "transduction")["outputs"][0]
        marks = page.locator(".wol-marks")
        assert marks.locator(".wol-leaf").all_text_contents() == FIGURE_1.leaves()
        assert marks.locator(".wol-outword").all_text_contents() == output["words"]
        known = [word for word in output["words"] if word in FIGURE_1.leaves()]
        struck = marks.locator(".wol-leaf.wol-struck").all_text_contents()
        replaced = ["ones"] if "things" in output["words"] else []
        assert sorted(struck + known + replaced) == sorted(FIGURE_1.leaves())
        moved = marks.locator(".wol-word-moved").all_text_contents()
        places = [FIGURE_1.leaves().index(word) for word in known]
        assert bool(moved) == (places != sorted(places))
        still = [place for word, place in zip(known, places) if word not in moved]
        assert still == sorted(still)


def test_a_swap_marks_the_difference(page: Any, tmp_path: Path) -> None:
    """Two outputs of one search: what one rule makes differently is framed in both trees."""
    log = compression_log(Beam(20, 40))
    show(page, tmp_path, log)
    page.get_by_label("Last").click()
    state = fold(log, len(log), "transduction")
    first, second = state["outputs"][:2]
    rules = [state["applications"][i]["rule"] for i in second["applications"]]
    answer = {"words": second["words"], "score": second["score"], "rules": rules}
    page.evaluate(
        """(answer) => {
          wordorderPlayer.host.ask = () => Promise.resolve(answer);
          wordorderPlayer.data.live = [true];
          wordorderPlayer.draw();
        }""",
        answer,
    )
    used = {state["applications"][i]["node"]: i for i in first["applications"]}
    root = max(used)
    other = next(
        one["application"]
        for one in state["applications"]
        if one["node"] == root and one["application"] != used[root]
    )
    press(page, f"application {other}")
    page.get_by_role("button", name="Swap the rule in").click()
    trees = page.locator(".wol-made-tree")
    trees.nth(1).wait_for()
    for side, output in enumerate((first, second)):
        words = trees.nth(side).locator(".wol-outword").all_text_contents()
        assert words == output["words"]
        assert trees.nth(side).locator(".wol-differs").count() > 0
    assert first["words"] != second["words"]


def test_scores_add_up(page: Any, tmp_path: Path) -> None:
    """Features make the rule's score; with n-grams and items it is the combination's."""
    log = compression_log(Beam(20, 40), loss="hamming-tokens")
    show(page, tmp_path, log)
    k = combined(log, 2)
    go(page, k)
    said = page.locator(".wol-score-parts").get_attribute("aria-label")
    rows = [row.rpartition(" ") for row in said.partition(": its score: ")[2].split("; ")]
    values = {name: float(value.replace("−", "-")) for name, _, value in rows}
    event = log.events[k - 1]
    state = fold(log, k, "transduction")
    rule = state["applications"][event[2]]["score"]
    assert values["the rule, in all"] == pytest.approx(rule, abs=0.006)
    assert values["rule"] + values["words out"] == pytest.approx(rule, abs=0.012)
    assert values["n-grams made here"] == pytest.approx(event[6], abs=0.006)
    parts = [value for name, value in values.items() if name.startswith("“")]
    assert values["score"] == pytest.approx(event[5], abs=0.006)
    assert rule + event[6] + sum(parts) == pytest.approx(event[5], abs=0.02) and len(parts) == 2
    assert "what the log does not tell" not in values and "loss so far" in values


def test_a_node_its_rules_and_what_each_gave(page: Any, tmp_path: Path) -> None:
    """Click a node: the rule that was used there, and the others with their best items."""
    log = compression_log(Beam(20, 40))
    show(page, tmp_path, log)
    page.get_by_label("Last").click()
    state = fold(log, len(log), "transduction")
    used = {state["applications"][i]["node"]: i for i in state["outputs"][0]["applications"]}
    node = next(n for n in used if sum(one["node"] == n for one in state["applications"]) > 2)
    press(page, f"node {node}")
    menu(page).get_by_label("Rows").select_option("1000")
    rows = page.locator(".wol-agenda-row")
    there = {one["application"] for one in state["applications"] if one["node"] == node}
    found = [row.get_attribute("data-serial") for row in rows.all()]
    assert sorted(found) == sorted(f"application {i}" for i in there)
    row = page.locator(f'[data-serial="application {used[node]}"]')
    assert "✓ used" in row.text_content() and row.get_attribute("aria-pressed") == "true"
    other = next(i for i in there if i != used[node])
    press(page, f"application {other}")
    cell = next(
        one
        for one in state["cells"]
        if (one["node"], one["category"]) == (node, state["applications"][other]["category"])
    )
    mine = [one["item"] for one in cell["taken"] if one["application"] == other]
    best = min(mine, key=cell["items"].index)
    panel = page.locator(".wol-drive").inner_text()
    assert f"the best that application {other} gave is “" in panel
    assert f"at rank {cell['items'].index(best) + 1} of the {len(cell['items'])} item" in panel
    assert page.locator(f'[data-serial="node {node}"]').get_attribute("aria-pressed") == "true"


# --- transport ---------------------------------------------------------------------------------


def test_steps(page: Any, tmp_path: Path) -> None:
    """One step is one cell; one expansion one combination; the sentence sums the cell up."""
    log = compression_log()
    kinds = [event[0] for event in log]
    show(page, tmp_path, log)
    forward = page.get_by_label("Forward", exact=True)
    sizes = page.get_by_label("Step size").locator("option").all_inner_texts()
    assert sizes == ["by event", "by combination", "by cell", "by sentence"]
    forward.click()
    assert kinds[events(page)] == "cell" and "match the source tree" in told(page)
    filled = [k for k, kind in enumerate(kinds, 1) if kind == "filled"]
    for k in filled[:3]:
        forward.click()
        assert events(page) == k and told(page).startswith("Cell ")
        assert "combination" in told(page) and "The best: “" in told(page)
    page.get_by_label("Step size").select_option("expansion")
    forward.click()
    k = events(page)
    assert kinds[k - 1] == "combined" and kinds[k - 2] == "cell"
    assert "heuristic" in told(page)
    lit = page.locator(".wol-lit")
    assert lit.inner_text().strip().startswith("item ←")
    page.keyboard.press("End")
    assert "return its derivation" in lit.inner_text()
    page.get_by_label("Step size").select_option("step")
    page.get_by_label("Back", exact=True).click()
    forward.click()
    assert told(page).startswith("The search is over: 3 derivations found. The best output has ")
    assert page.get_by_label("View").locator("option").all_inner_texts() == ["Tree transduction"]


def test_two_searches_go_cell_by_cell(page: Any, tmp_path: Path) -> None:
    """A narrow beam beside a wide one: the same cell on both sides, and their first difference."""
    a, b = compression_log(Beam(2, 3)), compression_log(Beam(30, 60))
    show(page, tmp_path, a, b, names=("narrow", "wide"))
    for _ in range(12):
        page.get_by_label("Forward", exact=True).click()
        ks = page.evaluate("wordorderPlayer.clock.at(wordorderPlayer.tick)")
        cells = [len(fold(log, k, "transduction")["cells"]) for log, k in zip((a, b), ks)]
        assert cells[0] == cells[1]
    menu(page).get_by_label("First difference").click()
    done = [[[one for one in event if type(one) is not float] for event in log] for log in (a, b)]
    first = next(i for i, (x, y) in enumerate(zip(*done)) if i and x != y)
    assert events(page) == first + 1
    page.get_by_label("Last").click()
    words = " ".join(fold(b, len(b), "transduction")["outputs"][0]["words"])
    assert f"Beside B: “{words}”" in picture(page).first.text_content()


def test_learning_is_told(page: Any, tmp_path: Path) -> None:
    log = compression_log(loss="f1")
    log.violation(3, 0.75, -0.5, 1.25)
    log.solved(1, 12, 0.5, 0.25, 0.75)
    compression_log(seed=2, log=log)
    show(page, tmp_path, log)
    assert page.locator(".wol-program").count() == 2
    k = next(k for k, event in enumerate(log, 1) if event[0] == "violation")
    go(page, k)
    assert "Example 3:" in told(page) and "loss 0.75" in told(page) and "1.25" in told(page)
    assert "new constraint" in page.locator(".wol-lit").last.inner_text()
    go(page, k + 1)
    assert "12 constraints, primal 0.5, dual 0.25" in told(page)
    page.get_by_label("Last").click()
    assert "12 constraints" in picture(page).text_content()
    assert "Training: 2 searches" in page.title()


def test_a_cut_log_says_so(page: Any, tmp_path: Path) -> None:
    log = compression_log(log=wl.EventLog(max_events=200))
    show(page, tmp_path, log)
    page.get_by_label("Last").click()
    assert log.is_cut and "The log is cut here" in told(page)
    assert page.title().startswith("Compressing: exactly what records made it and which ones are")


# --- quiz --------------------------------------------------------------------------------------


def test_quiz(page: Any, tmp_path: Path) -> None:
    """Which combination comes next, which item first; scores are hidden until then."""
    log = compression_log(Beam(20, 40))
    show(page, tmp_path, log)
    page.keyboard.press("Home")
    page.get_by_label("Quiz", exact=True).click()
    seen: list[str] = []
    while len(seen) < 6:
        page.keyboard.press("End")
        k = events(page)
        asked = page.evaluate(ASKED)
        event, state = log.events[k], fold(log, k, "transduction")
        cell = state["cells"][-1]
        assert len(asked["options"]) == len({one["value"] for one in asked["options"]}) > 1
        if event[0] == "combined":
            open_ = [
                f"{one['application']} {','.join(map(str, ranks))}"
                for one in state["applications"]
                if (one["node"], one["category"]) == (cell["node"], cell["category"])
                for ranks in frontier_of(state, len(state["cells"]) - 1, one["application"])
            ]
            assert {one["value"] for one in asked["options"]} <= set(open_)
            assert asked["answer"] == f"{event[2]} {','.join(map(str, event[3]))}"
        else:
            assert event[0] == "filled" and asked["answer"] == event[2][0]
            taken = page.locator(".wol-taken-cell").first.text_content()
            assert "score ?" in taken and "new" not in taken
            assert "score" not in told(page).split("; “")[0]
        right = len(seen) % 2 == 0
        wanted = [one for one in asked["options"] if (one["value"] == asked["answer"]) == right]
        page.locator(".wol-question").get_by_role(
            "button", name=wanted[0]["label"], exact=True
        ).click()
        assert told(page).startswith("Right: " if right else "No: ")
        seen.append(event[0])
    assert set(seen) == {"combined", "filled"}
    assert "3 of 6 right" in page.get_by_label("Quiz", exact=True).inner_text()


# --- swapping a rule ---------------------------------------------------------------------------


def test_without_a_model_swapping_is_switched_off(page: Any, tmp_path: Path) -> None:
    show(page, tmp_path, compression_log())
    page.get_by_label("Last").click()
    button = page.get_by_role("button", name="Swap the rule in")
    assert button.get_attribute("aria-disabled") == "true"
    assert "there is no model behind this page" in page.locator(".wol-drive").inner_text()
    before = page.locator(".wol-drive").inner_text()
    button.click(force=True)
    assert page.locator(".wol-drive").inner_text() == before


def test_the_model_answers(page: Any, tmp_path: Path) -> None:
    """It is told node and rule; words that go are struck out, words that come are marked."""
    log = compression_log(Beam(20, 40))
    asked: list[dict] = []
    answers: list[dict[str, Any]] = [
        {"words": ["made", "what", "<b>"], "score": -99.5, "rules": ["<A, A> -> <b>"]},
        {"why": "this rule leads to no output"},
    ]

    def swap(question: dict) -> dict:
        asked.append(question)
        return answers[len(asked) - 1]

    expose(page, "askPython", swap)
    show(page, tmp_path, log)
    page.get_by_label("Last").click()
    page.evaluate(
        """() => {
          wordorderPlayer.host.ask = (which, question) => window.askPython(question);
          wordorderPlayer.data.live = [true];
          wordorderPlayer.draw();
        }"""
    )
    state = fold(log, len(log), "transduction")
    used = {state["applications"][i]["node"]: i for i in state["outputs"][0]["applications"]}
    assert "the one that was used" in page.locator(".wol-drive").inner_text()
    others = [
        one for one in state["applications"] if used.get(one["node"], -1) != one["application"]
    ]
    others = [one for one in others if one["node"] == max(used)][:2]
    for one in others:
        press(page, f"node {one['node']}") if one is others[0] else None
        press(page, f"application {one['application']}")
        page.get_by_role("button", name="Swap the rule in").click()
        page.locator(".wol-drive [role=status]").wait_for()
        names = ("node", "application", "category", "rule")
        assert asked[-1] == {name: one[name] for name in names}
    page.get_by_text("No answer: this rule leads to no output").wait_for()
    press(page, f"application {others[0]['application']}")
    assert "score −99.5" in page.locator(".wol-swapped > div").nth(1).inner_text()
    shown = page.locator(".wol-outcomes")
    assert "<b>" in shown.locator("ins").all_text_contents() and shown.locator("b").count() == 0
    words = set(state["outputs"][0]["words"])
    assert set(shown.locator("del").all_text_contents()) | {"made", "what"} >= words


# --- everybody ---------------------------------------------------------------------------------


def test_words_are_text_and_the_table_is_the_search(page: Any, tmp_path: Path) -> None:
    evil = "<script>window.hacked=1</script>"
    source = FIGURE_1.copy(deep=True)
    source[0, 0, 0] = Tree("<b>", [evil])
    log = compression_log(source=source, rules=RULES)
    show(page, tmp_path, log)
    page.get_by_label("Last").click()
    page.locator(".wol-table > summary").click()
    assert evil in page.locator(".wol-source").text_content()
    assert page.locator(".wol-player").locator("script, b, i, u").count() == 0
    assert page.evaluate("window.hacked") is None
    rows = list(csv.DictReader(io.StringIO(download(page, "CSV"))))
    state = fold(log, len(log), "transduction")
    outputs = [row for row in rows if row["what"] == "output"]
    assert [row["words"].split() for row in outputs] == [one["words"] for one in state["outputs"]]
    combinations = [row for row in rows if row["what"] == "combination"]
    assert len(combinations) == sum(event[0] == "combined" for event in log)
    first = [row for row in combinations if row["rank in the cell"] == "1"]
    bests = {str(cell["items"][0]) for cell in state["cells"]}
    assert {row["item"] for row in first} == bests


def test_every_control_has_a_name(page: Any, tmp_path: Path) -> None:
    """The accessibility tree names all that can be pressed; keys go on; both themes."""
    log = compression_log(Beam(20, 40), source=Tree.fromstring(LONG))
    show(page, tmp_path, log)
    page.get_by_label("Last").click()
    tree = page.context.new_cdp_session(page).send("Accessibility.getFullAXTree")["nodes"]
    buttons = [node for node in tree if node.get("role", {}).get("value") == "button"]
    assert len(buttons) > 40 and all(node["name"]["value"] for node in buttons)
    page.locator(".wol-source [data-serial][tabindex='0']").first.focus()
    page.keyboard.press("ArrowUp")
    assert page.evaluate("document.activeElement.dataset.serial").startswith("node ")
    folded = page.locator(".wol-source .wol-node").count()
    press(page, "unfold")
    assert page.locator(".wol-source .wol-node").count() > folded
    menu(page).get_by_label("Theme").select_option("dark")
    light = page.evaluate("getComputedStyle(document.querySelector('.wol-word')).fill")
    assert light in ("rgb(236, 236, 236)", "rgb(168, 173, 181)")
    grows_in_presentation_mode(page, ".wol-taken-cell rect")


def test_every_choice_can_be_drawn(page: Any, tmp_path: Path) -> None:
    """Any node, application and moment together: no error, and a picture each time."""
    log = compression_log(Beam(4, 9), source=Tree.fromstring(LONG))
    show(page, tmp_path, log)
    drawn = page.evaluate(
        """() => {
          const player = wordorderPlayer, last = player.clock.last;
          let drawn = 0;
          for (let i = 0; i < 150; i += 1) {
            const {source, applications, search} = player.state(0);
            const node = i % 3 ? (i * 31) % (source?.labels.length ?? 1) : null;
            player.selected = [node === null ? null : {serial: node, search}];
            const application = (i * 17) % (applications.length + 1);
            player.keptFor(0, player.viewOf(0)).chosen = {search, application, item: i % 40};
            player.go((i * 7919) % last);
            drawn += player.stages[0].querySelector("svg[viewBox]") !== null;
          }
          return drawn;
        }"""
    )
    assert drawn == 150


def test_a_long_log_steps_at_once(page: Any, tmp_path: Path) -> None:
    """10,000 events on sentences of 27 words: a step draws three trees, and reads no old event."""
    log = wl.EventLog(max_events=10_000)
    for seed in range(7):
        compression_log(Beam(400, 1000), source=Tree.fromstring(LONG), seed=seed, log=log)
    assert len(log) == 10_000
    hold_light(most_work(page, tmp_path, log, "transduction"), len(log), drawn=1_000, blocks=80_000)
