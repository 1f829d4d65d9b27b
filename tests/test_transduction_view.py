"""The view of tree transduction: three trees, the grid of cube pruning, scores, quiz, swapping."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from browser import expose, go_to, menu
from test_player import events, forward, show, table, told
from transduction_logs import FIGURE_1, LONG, RULES, WILD_RULES, compression_log, frontier_of

import wordorder_lab as wl
from wordorder_lab.structures.synchronous_rule import ElementaryTree, parse_rule, synchronous_rule
from wordorder_lab.trace.reducers.replay import fold
from wordorder_lab.trace.reducers.transduction import sides_of, words_of
from wordorder_lab.transduction.problem import Beam


def picture(page: Any) -> Any:
    return page.locator(".wol-transduction")


def press(page: Any, serial: str) -> None:
    """Enter on what has this name in the picture."""
    page.locator(f'[data-serial="{serial}"]').first.focus()
    page.keyboard.press("Enter")


def combinations(log: wl.EventLog, variables: int) -> Iterator[tuple[int, tuple]]:
    """After how many events rules with so many variables were taken, and these events."""
    for k, event in enumerate(log, 1):
        if event[0] == "combined" and len(event[3]) == variables:
            yield k, event


def combined(log: wl.EventLog, variables: int, least: int = 0) -> int:
    """The first of them whose ranks add up to ``least``."""
    return next(k for k, event in combinations(log, variables) if sum(event[3]) >= least)


def three_way(log: wl.EventLog) -> int:
    """That of a rule with a choice of items for three variables."""
    for k, event in combinations(log, 3):
        if all(len(side) > 1 for side in sides_of(fold(log, k, "transduction"), event[2])):
            return k
    raise AssertionError("no such rule")


def half_full(log: wl.EventLog) -> tuple[int, dict[str, Any], int]:
    """A moment at which a grid of two variables has some places taken, and some to take."""
    for k, event in combinations(log, 2):
        state = fold(log, k, "transduction")
        place, application = len(state["cells"]) - 1, event[2]
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


def test_rules_are_read_as_in_python(module) -> None:
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


def test_both_sides_of_a_rule_are_whole(module) -> None:
    """No root stands for all below it, whatever the width or the scale."""
    rules = [flat_rule(children) for children in range(2, 9)]
    folded, wide = module(
        """(rules) => rules.flatMap((text) => [350, 400, 595].flatMap((width) =>
          [0.7, 0.86, 1, 1.3].map((scale) => drawRulePair(ruleRead(text), width, scale))
            .map(([drawn, , wide]) => [drawn.querySelectorAll(".wol-node path").length,
              wide - width])))
          .reduce(([a, b], [c, d]) => [a + c, Math.max(b, d)], [0, -Infinity])""",
        rules,
    )
    assert folded == 0 and wide <= 0


def flat_rule(children: int) -> str:
    """Of so many children the first is deleted."""
    names = "ADVP NP VP PP SBAR NP PP .".split()[:children]
    kept = " ".join(f"{name}_{i}" for i, name in enumerate(names[1:], 1))
    return f"<S, S> -> <[S {names[0]}_eps {kept}], [S {kept}]>"


# --- what is on the screen ---------------------------------------------------------------------


def test_two_variables_make_a_grid(page, tmp_path) -> None:
    """Taken places with their turn, score and heuristic; the frontier; heads with words."""
    log = compression_log(Beam(20, 40))
    show(page, tmp_path, log)
    menu(page).get_by_label("Rows").select_option("1000")
    k, state, place = half_full(log)
    go_to(page, k)
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
def test_other_numbers_of_variables(page, tmp_path, variables: int, says: str) -> None:
    """None: a single place. One: a row. Three: vectors of ranks, the frontier among them."""
    log = compression_log(Beam(20, 60), source=LONG)
    show(page, tmp_path, log)
    k = (
        combined(log, variables, least=1 if variables == 1 else 0)
        if variables < 3
        else three_way(log)
    )
    go_to(page, k)
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


def rule_is_shown(page: Any, one: dict[str, Any]) -> None:
    """Both sides of an application's rule, and where it stands in the source."""
    rule = parse_rule(one["rule"])
    sides = page.locator(".wol-rule-shown .wol-tree")
    for side, fragment in enumerate((rule.source, rule.target)):
        shown = sides.nth(side).locator(".wol-label-of").all_text_contents()
        assert sorted(text.removesuffix(" ε") for text in shown) == sorted(labels(fragment))
    here = page.locator(f'[data-serial="node {one["node"]}"]').get_attribute("class")
    assert "wol-rule-here" in here


def test_the_trees(page, tmp_path) -> None:
    """The rule's place in the source, its variables alike on both sides, what fills it."""
    log = compression_log(Beam(20, 40))
    show(page, tmp_path, log)
    k = combined(log, 3)
    go_to(page, k)
    state = fold(log, k, "transduction")
    one = state["applications"][log.events[k - 1][2]]
    for child in one["children"]:
        assert page.locator(f'[data-serial="node {child}"] .wol-chip-of').count() == 1
    rule_is_shown(page, one)
    here = page.locator(f'[data-serial="node {one["node"]}"]').get_attribute("class")
    assert "wol-here-now" in here
    sides = picture(page).locator(".wol-rule-shown .wol-tree")
    assert sides.nth(1).locator(".wol-chip-of").all_text_contents() == ["1", "2", "3"]
    assert sorted(sides.nth(0).locator(".wol-chip-of").all_text_contents()) == ["1", "2", "3"]
    assert "-> <[" not in picture(page).text_content()
    serial, item = log.events[k - 1][1], log.events[k - 1][8]
    words = " ".join(words_of(state, item))
    target = page.locator(".wol-target")
    assert target.get_attribute("aria-label") == f"Target: combination {serial}: “{words}”"
    shown = [text for text in target.locator(".wol-word").all_text_contents() if text]
    assert " ".join(shown) == words


def test_what_is_deleted_is_struck_out(page, tmp_path) -> None:
    """At the end: every word that no rule of the derivation has made, and no other."""
    for seed in range(3):
        log = compression_log(Beam(20, 40), seed=seed, k=1)
        show(page, tmp_path, log, at=len(log))
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


def test_the_sentence_has_its_marks(page, tmp_path) -> None:
    """Each word that no rule makes is crossed out, each that has left the order is marked. Where
    words are only left out, the line of the sentence says it already."""
    rules = RULES + "<NNS, NNS> -> <[NNS ones], [NNS things]>\n"
    for seed in range(3):
        log = compression_log(Beam(20, 40), seed=seed, k=1, rules=rules)
        show(page, tmp_path, log, at=len(log))
        output = fold(log, len(log), "transduction")["outputs"][0]
        marks = page.locator(".wol-marks")
        if not {"ones"} & {*output["words"]}:
            kept = [word for word in FIGURE_1.leaves() if word in output["words"]]
            assert (marks.count() == 0) == (kept == output["words"])
        if not marks.count():
            continue
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


def answers_come(page: Any, answer: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
    """From now on there is a model behind the page, which answers like this."""
    expose(page, "askPython", answer)
    page.evaluate(
        """() => {
          wordorderPlayer.host.ask = (which, question) => window.askPython(question);
          wordorderPlayer.data.live = [true];
          wordorderPlayer.draw();
        }"""
    )


def test_a_swap_marks_the_difference(page, tmp_path) -> None:
    """Two outputs of one search: what one rule makes differently is framed in both trees."""
    log = compression_log(Beam(20, 40))
    show(page, tmp_path, log, at=len(log))
    state = fold(log, len(log), "transduction")
    first, second = state["outputs"][:2]
    rules = [state["applications"][i]["rule"] for i in second["applications"]]
    answer = {"words": second["words"], "score": second["score"], "rules": rules}
    answers_come(page, lambda _: answer)
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


def test_scores_add_up(page, tmp_path) -> None:
    """Features make the rule's score; with n-grams and items it is the combination's."""
    log = compression_log(Beam(20, 40), loss="hamming-tokens")
    show(page, tmp_path, log)
    k = combined(log, 2)
    go_to(page, k)
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


def test_a_node_its_rules_and_what_each_gave(page, tmp_path) -> None:
    """Click a node: the rule that was used there, and the others with their best items."""
    log = compression_log(Beam(20, 40))
    show(page, tmp_path, log, at=len(log))
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


def test_steps(page, tmp_path) -> None:
    """One step is one cell; one expansion one combination; the sentence sums the cell up."""
    log = compression_log()
    kinds = [event[0] for event in log]
    show(page, tmp_path, log)
    sizes = page.get_by_label("Step size").locator("option").all_inner_texts()
    assert sizes == ["by event", "by combination", "by cell", "by sentence"]
    forward(page)
    assert kinds[events(page)] == "cell" and "match the source tree" in told(page)
    filled = [k for k, kind in enumerate(kinds, 1) if kind == "filled"]
    for k in filled[:3]:
        forward(page)
        assert events(page) == k and told(page).startswith("Cell ")
        assert "combination" in told(page) and "The best: “" in told(page)
    page.get_by_label("Step size").select_option("expansion")
    forward(page)
    k = events(page)
    assert kinds[k - 1] == "combined" and kinds[k - 2] == "cell"
    assert "heuristic" in told(page)
    lit = page.locator(".wol-lit")
    assert lit.inner_text().strip().startswith("item ←")
    page.keyboard.press("End")
    assert "return its derivation" in lit.inner_text()
    page.get_by_label("Step size").select_option("step")
    page.get_by_label("Back", exact=True).click()
    forward(page)
    assert told(page).startswith("The search is over: 3 derivations found. The best output has ")
    assert page.get_by_label("View").locator("option").all_inner_texts() == ["Tree transduction"]


def test_two_searches_go_cell_by_cell(page, tmp_path) -> None:
    """A narrow beam beside a wide one: the same cell on both sides, and their first difference."""
    a, b = compression_log(Beam(2, 3)), compression_log(Beam(30, 60))
    show(page, tmp_path, a, b, names=("narrow", "wide"))
    for _ in range(12):
        forward(page)
        ks = page.evaluate("wordorderPlayer.clock.at(wordorderPlayer.tick)")
        cells = [len(fold(log, k, "transduction")["cells"]) for log, k in zip((a, b), ks)]
        assert cells[0] == cells[1]
    page.get_by_label("First difference").click()
    done = [[[one for one in event if type(one) is not float] for event in log] for log in (a, b)]
    first = next(i for i, (x, y) in enumerate(zip(*done)) if i and x != y)
    assert events(page) == first + 1
    page.get_by_label("Last").click()
    words = " ".join(fold(b, len(b), "transduction")["outputs"][0]["words"])
    assert f"Beside B: “{words}”" in picture(page).first.text_content()


def test_learning_is_told(page, tmp_path) -> None:
    log = compression_log(loss="f1")
    log.violation(3, 0.75, -0.5, 1.25)
    log.solved(1, 12, 0.5, 0.25, 0.75)
    compression_log(seed=2, log=log)
    show(page, tmp_path, log)
    assert page.locator(".wol-program").count() == 2
    k = next(k for k, event in enumerate(log, 1) if event[0] == "violation")
    go_to(page, k)
    assert "Example 3:" in told(page) and "loss 0.75" in told(page) and "1.25" in told(page)
    assert "new constraint" in page.locator(".wol-lit").last.inner_text()
    go_to(page, k + 1)
    assert "12 constraints, primal 0.5, dual 0.25" in told(page)
    page.get_by_label("Last").click()
    assert "12 constraints" in picture(page).text_content()
    assert "Training: 2 searches" in page.title()


# --- swapping a rule ---------------------------------------------------------------------------


def test_without_a_model_there_is_no_box_to_swap_with(page, tmp_path) -> None:
    """Nor is anything said to be switched off; outputs are chosen from, and rules told of."""
    log = compression_log(Beam(20, 40))
    show(page, tmp_path, log)
    page.get_by_label("Last").click()
    assert not page.get_by_role("button", name="Swap the rule in").count()
    assert "witched off" not in page.locator("body").inner_text()
    assert page.locator(".wol-drive select").get_attribute("aria-label") == "Output"
    rows = page.locator('.wol-agenda-row[data-serial^="application"][aria-pressed=false]')
    name = rows.first.get_attribute("data-serial")
    press(page, name)
    assert f"that {name} gave" in page.locator(".wol-drive").inner_text()


def test_the_model_answers(page, tmp_path) -> None:
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

    show(page, tmp_path, log, at=len(log))
    answers_come(page, swap)
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


def test_the_table_is_the_search(page, tmp_path) -> None:
    log = compression_log(Beam(20, 40), source=LONG)
    page.set_viewport_size({"width": 968, "height": 720})  # too narrow for the source tree
    show(page, tmp_path, log, at=len(log))
    rows, state = table(page), fold(log, len(log), "transduction")
    outputs = [row for row in rows if row["what"] == "output"]
    assert [row["words"].split() for row in outputs] == [one["words"] for one in state["outputs"]]
    combinations = [row for row in rows if row["what"] == "combination"]
    assert len(combinations) == sum(event[0] == "combined" for event in log)
    first = [row for row in combinations if row["rank in the cell"] == "1"]
    bests = {str(cell["items"][0]) for cell in state["cells"]}
    assert {row["item"] for row in first} == bests
    page.locator(".wol-source [data-serial][tabindex='0']").first.focus()
    page.keyboard.press("ArrowUp")
    assert page.evaluate("document.activeElement.dataset.serial").startswith("node ")
    folded = page.locator(".wol-source .wol-node").count()
    press(page, "unfold")
    assert page.locator(".wol-source .wol-node").count() > folded
