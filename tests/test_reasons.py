"""Why a score is what it is: points that add up, in Python, in the page, and on the screen."""

from __future__ import annotations

import json
import random
import re
from fractions import Fraction
from functools import cache
from itertools import pairwise, product
from typing import Any

import pytest
from browser import ready
from counting import page_script
from lemma_sentences import lemma_trees
from random_logs import EVIL, best_first_log, guided_log, ordering_log, trained, training_log

import wordorder_lab as wl
from wordorder_lab.cli import main
from wordorder_lab.corpora.treebanks import load_treebank
from wordorder_lab.structures.reasons import NEAREST, Reasons
from wordorder_lab.trace.log import EventLog
from wordorder_lab.widgets.page import contents

NEAR = 1e-9
FEW: dict[str, Any] = {"epochs": 2, "engine": "reference", "progress": False}
BONUS = 0.25


# --- searches of all systems that have reasons ----------------------------------------------------


def words_of(sentence: Any, **given: Any) -> wl.WordBag:
    return wl.bag_of(sentence, pos=1, seed=3, **given)


@cache
def logs_of(system: str) -> list[EventLog]:
    """A few searches with a model that has learned a little; some with n-grams, some with heads."""
    logs = [EventLog() for _ in range(4)]
    if system == "zhang-clark-2015-ccg":
        corpus = wl.load_corpus("gazette")
        short = [one for one in corpus.train if len(one) < 9][:20]
        model = wl.train(system, short, beam=4, lm_order=3, **FEW)
        bags = [words_of(sentence) for sentence in corpus.dev if len(sentence) < 8]
        for log, bag in zip(logs, bags):
            model.order(bag, trace=log, expansions=40)
    elif system == "mcdonald-2006":
        pairs = wl.load_compressions("gazette").train[:20]
        model = wl.train(system, pairs, **FEW)
        for log, pair, length in zip(logs, pairs, (None, None, 4, 3)):
            model.compress(pair.source, trace=log, bonus=BONUS, k=2, length=length)
    elif system.endswith("realization"):
        model = wl.train(system, lemma_trees(40), english=False, **FEW)
        for log, tree in zip(logs, lemma_trees(4, first=500), strict=True):
            model.realize(tree, trace=log, engine="reference")
    else:
        how = {"progress": False} if system == "ngram-beam" else {"beam": 4, "lm_order": 3, **FEW}
        sentences = [one for one in wl.load_corpus("gazette").train if len(one) < 11][:30]
        model = wl.train(system, sentences, **how)
        given = {} if system == "ngram-beam" else {"deps": 0.5}
        bags = [words_of(one, **given) for one in sentences if len(one) < 9]
        for log, bag in zip(logs, bags):
            model.order(bag, trace=log, beam=8, engine="reference")
    return logs


SYSTEMS = (
    "liu-2015",
    "zhang-clark-2015-dependency",
    "zhang-clark-2015-ccg",
    "ngram-beam",
    "liu-2015-realization",
    "zhang-clark-2015-realization",
)


def reasons_of(log: EventLog) -> Reasons:
    found = log.explains[1](log.events)
    assert found is not None
    return found


def made_in(log: EventLog) -> dict[int, tuple[list[int], float]]:
    """Of which items each one was made, and its score; bigrams are numbered from 1."""
    made: dict[int, tuple[list[int], float]] = {}
    for kind, *values in log:
        if kind == "candidate":
            made[values[0]] = [values[1]], values[3]
        elif kind == "bigram":
            made[len(made) + 1] = [], values[3]
        elif kind in ("leaf", "edge"):
            parts = [part for part in values[1:3] if part] if kind == "edge" else []
            made[values[0]] = parts, values[4]
    return made


def named(log: EventLog, item: int) -> str:
    """The name of an item among the reasons of its log."""
    bigrams = [event for event in log if event[0] == "bigram"]
    return f"{bigrams[item - 1][1]} {bigrams[item - 1][2]}" if bigrams else str(item)


def test_points_of_a_bigram_are_its_score() -> None:
    """The best ways into each word, and all that the paths go."""
    for log in logs_of("mcdonald-2006"):
        reasons, seen, words = reasons_of(log), set(), len(log.events[0][1])
        for _, left, right, score, *_ in (event for event in log if event[0] == "bigram"):
            parts = reasons.points.get(f"{left} {right}")
            if parts is not None:
                total = score + (BONUS if right <= words else 0)
                assert sum(points for _, points in parts) == pytest.approx(total, abs=NEAR)
                seen.add((left, right))
        kept = next(event[3] for event in log if event[:2] == ("path", 0))
        assert {*pairwise([0, *(place + 1 for place in kept), words + 1])} <= seen
        assert len(seen) > words


@pytest.mark.browser
def test_points_of_a_choice_are_its_value(page, tmp_path) -> None:
    """What an integer programme keeps, and the best choice without its rows; a press shows both."""
    pairs = wl.load_compressions("gazette").train[:20]
    for system, how in (("clarke-lapata-2008-ilp", FEW), ("clarke-lapata-2008-lm", {"text": ()})):
        model, log = wl.train(system, pairs, **how), wl.EventLog()
        model.compress(pairs[3].source, trace=log, bonus=BONUS, k=2)
        paths = {f"path {event[1]}": event[2] for event in log if event[0] == "path"}
        (value,) = (event[3] for event in log if event[0] == "programme")
        told = {**paths, "programme": value}
        assert {*told} == {"path 0", "path 1", "programme"} == {*reasons_of(log).points}
        for name, parts in reasons_of(log).points.items():
            assert sum(points for _, points in parts) == pytest.approx(told[name], abs=NEAR)
        ready(page, wl.to_html(log, tmp_path / f"{system}.html", why=True))
        page.locator('.wol-kept [data-serial="1"]').click()
        shown = page.locator(".wol-why h3").inner_text().replace("−", "-")
        assert float(shown[4:-1]) == pytest.approx(value, abs=0.006)


@pytest.mark.parametrize("width", [1280, 968])
def test_an_agenda_says_unpressed_why_this_edge_was_popped(page, tmp_path, width: int) -> None:
    """Beside the runner-up: three features in sight, and sums that are both scores."""
    page.set_viewport_size({"width": width, "height": 720})
    log = logs_of("zhang-clark-2015-dependency")[0]
    ready(page, wl.to_html(log, tmp_path / "agenda.html", view="agenda", why=True))
    (bars,) = page.locator(".wol-agenda .wol-score-parts").all()
    said = bars.get_attribute("aria-label")
    serial, rival = re.findall(r"edge (\d+)", said)[:2]
    scores = {event[1]: event[5] for event in log if event[0] in ("leaf", "edge")}
    assert int(serial) == [event[1] for event in log if event[0] == "popped"][-1]
    shown = said.rsplit("the sum ", 1)[1].replace("−", "-")
    sums = [float(one) for one in shown.split(" against ")]
    assert sums == pytest.approx([scores[int(one)] for one in (serial, rival)], abs=0.006)
    assert said.count(";") >= 4
    box, stage = bars.bounding_box(), page.locator(".wol-stage").first.bounding_box()
    assert box["y"] >= stage["y"] and box["y"] + box["height"] <= stage["y"] + stage["height"]


def test_points_of_a_parse_are_its_log_probability() -> None:
    """Of every constituent: those of its rule, and of all that it is made of."""
    trees, log = load_treebank("gazette"), EventLog()
    model: Any = wl.train("parser", trees.train[:60])
    model.parse(" ".join(trees.dev[0].tree.leaves()), trace=log)
    points, totals = reasons_of(log).points, {0: 0.0}
    for _, serial, *_, score, left, right in (one for one in log if one[0] == "constituent"):
        own = sum(value for _, value in points[str(serial)])
        totals[serial] = own + totals[left] + totals[right]
        assert totals[serial] == pytest.approx(score, abs=NEAR)
    assert len(totals) > 50


@pytest.mark.parametrize("system", SYSTEMS)
def test_points_of_all_steps_are_the_score(system: str) -> None:
    """For every item that is explained, from the points alone, as exact fractions."""
    explained = 0
    for log in logs_of(system):
        reasons, made = reasons_of(log), made_in(log)
        own = {
            int(item): sum((Fraction(points) for _, points in parts), Fraction(0))
            for item, parts in reasons.points.items()
        }
        totals: dict[int, tuple[Fraction, int]] = {0: (own.get(0, Fraction(0)), 0)}
        for item in sorted(made):
            parts, score = made[item]
            if item not in own or any(part not in totals for part in parts):
                continue
            below = [totals[part] for part in parts]
            steps = 1 + sum(number for _, number in below)
            total = own[item] + sum(points for points, _ in below)
            totals[item] = total, steps
            told = total / Fraction(reasons.divisor) / (steps if reasons.scaled else 1)
            exactly = 0 if system.startswith("liu") else NEAR * max(1, abs(score))
            assert abs(float(told) - score) <= exactly, (item, float(told), score)
            assert all(points for _, points in reasons.points[str(item)])
            explained += 1
        kept = {event[1] for event in log if event[0] in ("kept", "popped", "charted")}
        assert kept <= totals.keys() and explained
    assert explained > 100


def test_parts_of_their_own_kind_are_told_as_such() -> None:
    """N-grams and the decisions of heads are one part each, beside those of features."""
    every = {
        text
        for log in logs_of("liu-2015")
        for p in reasons_of(log).points.values()
        for text, _ in p
    }
    assert any(text.startswith("language model: “") for text in every)
    edges = logs_of("zhang-clark-2015-dependency")
    every = {text for log in edges for p in reasons_of(log).points.values() for text, _ in p}
    assert any("over the seam “" in text for text in every)
    pieces = logs_of("liu-2015-realization")
    every = {text for log in pieces for p in reasons_of(log).points.values() for text, _ in p}
    assert any(text.startswith("decision of its head: “") for text in every)


def test_both_engines_give_the_same_reasons_and_a_saved_log_too(tmp_path) -> None:
    """The model is asked again, with the settings of the search."""
    model = trained("liu-2015", 8, 5, beam=4)
    logs = [EventLog(), EventLog()]
    bag = wl.WordBag("boats near the pier boats".split())
    for log, engine in zip(logs, ("reference", "fast"), strict=True):
        model.order(bag, beam=5, engine=engine, trace=log)
    assert reasons_of(logs[0]) == reasons_of(logs[1])
    logs[0].save(tmp_path / "log")
    loaded = EventLog.load(tmp_path / "log")
    with pytest.raises(ValueError, match=r"why=model\.reasons"):
        contents(loaded, why=True)
    again = contents(loaded, why=model.reasons(bag, beam=5))
    assert again["logs"][0]["why"] == contents(logs[0], why=True)["logs"][0]["why"]
    with pytest.raises(ValueError, match="there are no reasons"):
        contents(training_log(), why=True)


def test_of_a_large_search_what_a_view_shows_is_explained() -> None:
    """All that was kept, and of each step the nearest that were cut."""
    log = ordering_log(16, "boats near the pier unseen by old green x .")
    reasons = reasons_of(log)
    kept = [event[1] for event in log if event[0] == "kept"]
    steps = sum(event[0] == "step" for event in log)
    assert {str(serial) for serial in kept} <= reasons.points.keys()
    assert len(kept) < len(reasons.points) <= len(kept) + NEAREST * steps


# --- in the page ----------------------------------------------------------------------------------

SHOWN_ROWS = """(packed) => {
  const log = new Log(packed), replay = new Replay(log, VIEWS.updates), found = [];
  for (let k = 1; k <= log.length; k += 1) {
    if (!log.stops(k, "update")) continue;
    const {update} = replay.at(k), rows = update ? changesOf(update) : [];
    if (!update?.step || !rows.length) continue;
    const room = {kept: {}, rows: 1 + k % 5, log, k};
    const features = rankedChanges(rows, "points").ranked.map((row) =>
      featureRow(update, row, room, false));
    const {after} = reckon(update, rows, log);
    const told = (all) => all.map((row, i) =>
      ({sum: Boolean(row.sum), values: row.values, texts: barTexts(all)[i]}));
    const {before: [gold, best], after: [rightly, wrongly]} = update;
    for (const [all, scores] of [
      [marginRows(update, features, rows, true, room), [update.margin, after]],
      [sideRows(update, features, 0, room), [gold, rightly, best, wrongly]],
      [sideRows(update, features, 1, room), [best, wrongly, gold, rightly]],
    ]) found.push({rows: told(all), scores});
  }
  return found;
}"""


def test_bars_of_updates_add_up_to_what_is_shown(module) -> None:
    """A thousand sums: margins before and after, and both scores; exact, and as written."""
    found = []
    for reason in ("early", "max-violation"):
        found += module(SHOWN_ROWS, training_log(reason))
    kinds = product(("scaled", "large-margin", "perceptron"), ("expand", "stop"))
    for how in (*kinds, ("perceptron", "discard")):
        found += module(SHOWN_ROWS, guided_log(*how))
    columns = 0
    for one in found:
        for side, score in enumerate(one["scores"]):
            if score is None:
                continue
            assert one["rows"][-1]["values"][side] == pytest.approx(score, abs=NEAR)
            total, written = 0.0, Fraction(0)
            for row in one["rows"]:
                value = row["values"][side]
                text = Fraction((row["texts"][side] or "0").replace("−", "-"))
                if row["sum"]:
                    assert total == pytest.approx(value, abs=NEAR * 1000) and written == text
                else:
                    total, written = total + (value or 0.0), written + text
            columns += 1
    assert columns > 1000


COMPARED = """(logs, pairs) => JSON.stringify(JSON.parse(logs).map((packed, i) => {
  const reasons = reasonsIn(new Log(packed), 1);
  return pairs[i].map(([a, b]) => {
    const { differ, alike, wholes, scores } = reasons.compare(a, b);
    const rows = [...differ, ...alike, ...wholes, { values: scores, sum: true }];
    return { rows: rows.map(({ name, values }) => [name ?? "", values]), texts: barTexts(rows) };
  });
}))"""


def test_bars_add_up_to_the_score_to_the_last_digit_that_is_shown(module) -> None:
    """A thousand pairs of items of all systems: both sides of their bars, exact and as written."""
    chance, logs, pairs = random.Random(5), [], []
    every = [log for system in (*SYSTEMS, "mcdonald-2006") for log in logs_of(system)]
    for log in every:
        points, made = reasons_of(log).points, made_in(log)
        known = [item for item in made if named(log, item) in points]
        pairs.append([[chance.choice(known), chance.choice(known)] for _ in range(50)])
        logs.append(contents(log, why=True)["logs"][0])
    told = json.loads(module(COMPARED, json.dumps(logs), pairs))
    assert sum(map(len, pairs)) >= 1000
    for log, asked, found in zip(every, pairs, told, strict=True):
        made = made_in(log)
        for items, one in zip(asked, found, strict=True):
            assert not [name for name, _ in one["rows"] if "does not tell" in name]
            for side, item in enumerate(items):
                values = [values[side] for _, values in one["rows"]]
                assert values[-1] == made[item][1]
                parts = sum(value or 0 for value in values[:-1])
                assert parts == pytest.approx(values[-1], abs=NEAR * 100)
                *shown, score = [text[side] for text in one["texts"]]
                written = [Fraction(text.replace("−", "-")) for text in shown if text]
                assert sum(written) == Fraction(score.replace("−", "-")), (item, shown, score)
                assert abs(Fraction(score.replace("−", "-")) - Fraction(values[-1])) < 0.006


def opened(page: Any, folder: Any, log: EventLog, address: str = "", **how: Any) -> Any:
    path = wl.to_html(log, folder / "why.html", **({"why": True} | how))
    ready(page, path, address)
    return page.locator(".wol-why")


def test_a_card_is_asked_by_key_and_escape_closes(page, tmp_path) -> None:
    """Enter on a card shows its reasons, with their sum; the focus stays; Escape, or the button."""
    log = ordering_log(4)
    why = opened(page, tmp_path, log)
    assert why.is_hidden()
    card = page.locator(".wol-card[tabindex='0']").first
    card.focus()
    page.keyboard.press("ArrowDown")
    serial = page.evaluate("document.activeElement.dataset.serial")
    page.keyboard.press("Enter")
    assert why.is_visible() and page.evaluate("document.activeElement.dataset.serial") == serial
    said = why.locator("[role=img]").get_attribute("aria-label")
    assert f"state {serial}," in said and "score: the sum" in said
    assert why.locator("[role=status]").inner_text()
    page.keyboard.press("Escape")
    assert why.is_hidden()
    page.keyboard.press("Enter")  # no longer chosen
    page.keyboard.press("Enter")
    assert why.is_visible()
    why.get_by_label("Close the reasons").click()
    assert why.is_hidden() and page.evaluate("document.activeElement.dataset.serial") == serial


@pytest.mark.parametrize("view", ["agenda", "chart", "together"])
def test_an_edge_is_asked_in_all_views_of_a_best_first_search(page, tmp_path, view: str) -> None:
    """Beside the edge popped last; another rival may be chosen, and all features shown."""
    log = best_first_log()
    pops = [event[1] for event in log if event[0] == "popped"]
    k = next(i for i, event in enumerate(log.events) if event[:2] == ("popped", pops[6])) + 1
    why = opened(page, tmp_path, log, f"#event={k}&view={view}&pin={pops[3]}")
    assert why.is_visible()
    label = why.locator("[role=img]").get_attribute("aria-label")
    assert f"edge {pops[3]} " in label and " against " in label
    chosen = why.locator("select")
    assert f"popped last: edge {pops[6]} " in chosen.inner_text()
    chosen.focus()
    chosen.select_option(index=chosen.locator("option").count() - 1)
    assert chosen.evaluate("(one) => one === document.activeElement")
    assert pops[6] != int(chosen.input_value()) == page.evaluate("wordorderPlayer.why.rival")
    page.locator(".wol-player").press("ArrowLeft")
    assert why.is_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_reasons_stand_out_at_every_width(page, tmp_path, scheme: str) -> None:
    """All of the panel is within the picture's room, and its text has contrast."""
    log = ordering_log(4)
    best = next(event[1] for event in log if event[0] == "finished")
    page.emulate_media(color_scheme=scheme)
    for width in (968, 1280, 1920):
        page.set_viewport_size({"width": width, "height": 720})
        why = opened(page, tmp_path, log, f"#event={len(log)}&view=beam&pin={best}")
        box, room = why.bounding_box(), page.locator(".wol-stages").bounding_box()
        assert box and room and box["x"] >= room["x"] and box["y"] >= room["y"]
        assert box["x"] + box["width"] <= room["x"] + room["width"] + 1
        assert box["y"] + box["height"] <= room["y"] + room["height"] + 1
        _, faint = page.evaluate(page_script("faint.js"), 3)
        assert not faint


def test_a_page_that_brings_no_reasons_says_nothing_of_them(page, tmp_path) -> None:
    log = best_first_log()
    pop = next(event[1] for event in log if event[0] == "popped")
    why = opened(page, tmp_path, log, f"#event={len(log)}&view=agenda&pin={pop}", why=False)
    assert why.is_hidden() and not why.locator("button").count()


def test_hostile_reasons_are_inert(page, tmp_path) -> None:
    """Names of features are text, whoever told them."""
    log = ordering_log(4)
    serials = [event[1] for event in log if event[0] == "candidate"]

    def explain(_: Any) -> Reasons:
        return Reasons({str(one): [(f"S0w = {EVIL}", 0.5 * one), (EVIL, -one)] for one in serials})

    why = opened(page, tmp_path, log, f"#view=beam&pin={serials[0]}", why=explain)
    assert EVIL in why.inner_text() and not page.locator(".wol-why img").count()
    assert page.evaluate("window.hacked") is None
    assert re.search("what the page does not tell", why.inner_text(), re.IGNORECASE)


ASKED_PAIR = """() => {
  const { quiz, logs, tick } = wordorderPlayer, asked = quiz.view.quiz.ask(logs[0], tick);
  return asked.pair(asked.options[0].value);
}"""


def test_no_reasons_while_the_quiz_hides_scores(page, tmp_path) -> None:
    """The answer opens those of the two that it was about; the next step closes them."""
    why = opened(page, tmp_path, ordering_log(4), "#event=40&view=beam&pin=3")
    assert why.is_visible()
    page.get_by_role("button", name="quiz").click()
    while not page.locator(".wol-question").count():
        page.locator(".wol-player").press("ArrowRight")
    assert why.is_hidden()
    for key in ("ArrowRight", "Escape"):
        page.keyboard.press("End")
        asked = page.evaluate(ASKED_PAIR)
        page.keyboard.press("1")
        told = why.locator("[role=img]").get_attribute("aria-label")
        assert why.is_visible() and f"state {asked[0]}," in told and " against " in told
        assert f"state {asked[1]}," in why.locator("select").inner_text()
        page.keyboard.press(key)
        assert why.is_hidden()


def test_the_command_line_writes_reasons(tmp_path, capsys) -> None:
    """Of every bag in the log; a bag has its own."""
    path = tmp_path / "why.html"
    line = ["order", "--engine", "reference", "--set", "beam=4", "--play", str(path)]
    assert main([*line, "fish the ate cat ."]) == 0
    without = path.stat().st_size
    assert main([*line, "--why", "fish the ate cat ."]) == 0
    assert without + 5_000 < path.stat().st_size
    capsys.readouterr()


def test_reasons_make_a_page_little_larger(tmp_path) -> None:
    """Ten words at beam 16."""
    log = ordering_log(16, "boats near the pier unseen by old green x .")
    size = wl.to_html(log, tmp_path / "why.html", why=True).stat().st_size
    print(f"{size:,} bytes")
    assert size < 450_000


@pytest.mark.parametrize("log", [ordering_log, best_first_log])
def test_who_plays_the_decoder_asks_why(page, tmp_path, log: Any) -> None:
    """After a choice each option has its reasons, beside those of the model's choice."""
    recorded = log(4) if log is ordering_log else log()
    why = opened(page, tmp_path, recorded, view="decoder")
    assert not page.locator("[data-why]").count()
    page.locator(".wol-decoder-options button").last.click()
    asked = page.locator("[data-why]")
    assert asked.count() > 1
    asked.last.focus()
    page.keyboard.press("Enter")
    assert why.is_visible() and "score: the sum" in why.inner_text()
    assert "choice" in why.locator("select").inner_text()
    page.keyboard.press("Escape")
    assert why.is_hidden()
    page.get_by_role("button", name="Next turn").click()
    assert why.is_hidden()
