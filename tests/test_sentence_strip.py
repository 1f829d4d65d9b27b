"""The sentence under the caption: the bag, the best so far, gold with each word right or wrong."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from browser import go_to, ready
from ccg_logs import ccg_log
from random_logs import best_first_log, guided_log, ordering_log, training_log
from sentence_logs import deletion_log
from test_race import left_to_right_log
from transduction_logs import compression_log

import wordorder_lab as wl
from wordorder_lab.structures.trace import Event
from wordorder_lab.trace.reducers.best_so_far import best_so_far

TOLD = """(packed) => {
  const log = new Log(packed), view = log.bestFirst ? agendaView : beamView;
  const replay = new Replay(log, view);
  return Array.from({length: log.length + 1}, (_, k) => view.sentence(replay.at(k), log).words);
}"""


def best_of(events: list[Event]) -> list[str]:
    if not {event[0] for event in events} & {"candidate", "leaf"}:
        return []
    return [*best_so_far(events)[-1].units]


@pytest.mark.parametrize(
    "make", [best_first_log, ccg_log, lambda: ordering_log(3), left_to_right_log]
)
def test_the_best_so_far_is_what_the_log_says(module, make: Any) -> None:
    """After every event, as `best_so_far` of Python has it."""
    log = make()
    told = module(TOLD, log)
    for k in range(0, len(log) + 1, 1 + len(log) // 150):
        assert told[k] == best_of(log.events[:k]), k


LINES = """() => [...document.querySelectorAll(".wol-sentence .wol-line")].map((one) => {
  const line = one.cloneNode(true), tiles = [...line.querySelectorAll(".wol-bag-word")];
  const [label] = [...line.children].map((child) => child.textContent);
  line.firstChild.remove();
  const said = line.textContent.trim();
  const marks = [...line.querySelectorAll("mark")];
  marks.forEach((mark) => mark.remove());
  return {
    label, said, marks: marks.length, plain: line.textContent.split(/ +/).filter(Boolean),
    tiles: tiles.map((tile) => [tile.textContent, tile.classList.contains("wol-taken-word")]),
  };
})"""


@pytest.mark.parametrize("make", [training_log, guided_log])
def test_words_are_right_or_wrong(page, tmp_path, make: Any) -> None:
    """Those that are not marked stand in the same order in both lines; in sight at 968 x 720."""
    log = make()
    page.set_viewport_size({"width": 968, "height": 720})
    ready(page, wl.to_html(log, tmp_path / "player.html"))
    at = [i + 1 for i, event in enumerate(log) if event[0] in ("update", "edge_update", "finished")]
    seen: Counter[str] = Counter()
    for k in at[:: 1 + len(at) // 12]:
        go_to(page, k)
        lines = {line["label"]: line for line in page.evaluate(LINES)}
        gold = lines.get("gold") or lines.get("gold so far")
        best = lines.get("output") or lines.get("best so far")
        assert gold, "gold is known where weights change"
        strip = page.locator(".wol-sentence").bounding_box()
        assert strip and strip["y"] + strip["height"] < 300
        if gold["said"] == "✓ the same":
            seen["same"] += 1
            assert best and not best["marks"]
        elif best:
            seen["other"] += 1
            assert best["plain"] == gold["plain"] and gold["marks"] + best["marks"]
    assert seen["other"] > 3


def test_the_bag_is_taken_from(page, tmp_path) -> None:
    """At the start nothing is pale, at each step what the best so far has, at the end no bag."""
    log = ordering_log(3)
    ready(page, wl.to_html(log, tmp_path / "player.html"))
    bag = Counter("boats near the pier boats".split())
    for k in range(0, len(log), 5):
        go_to(page, k)
        lines = {line["label"]: line for line in page.evaluate(LINES)}
        tiles = lines["bag"]["tiles"]
        assert Counter(text for text, _ in tiles) == bag
        best = lines.get("best so far", {"said": ""})["said"].split()
        assert Counter(text for text, taken in tiles if taken) == Counter(best)
    go_to(page, len(log))
    (line,) = page.evaluate(LINES)
    assert line["label"] == "output" and line["said"].split() == best_of(log.events)


def last_words(log: wl.EventLog) -> str:
    kept = [event for event in log if event[0] == "programme"]
    if kept:
        return " ".join(log.events[0][1][place] for place in kept[-1][2])
    outputs = [event for event in log if event[0] == "compressed"]
    return " ".join(outputs[0][4] if outputs else best_of(log.events))


@pytest.mark.parametrize(
    "make", [lambda: ordering_log(3), best_first_log, ccg_log, compression_log, deletion_log]
)
def test_the_last_caption_says_the_sentence(page, tmp_path, make: Any) -> None:
    log = make()
    ready(page, wl.to_html(log, tmp_path / "player.html"))
    page.keyboard.press("Home")
    page.keyboard.press("End")
    assert f"“{last_words(log)}”" in page.locator(".wol-narration").inner_text()


@pytest.mark.parametrize("make", [lambda: ordering_log(3), best_first_log, compression_log])
def test_a_reference_where_the_log_has_no_gold(page, tmp_path, make: Any) -> None:
    """Token by token, though a unit may be several: what is wrong in either line is marked."""
    log = make()
    right = last_words(log).split()
    for said, marked in ((right, 0), ([*right[1:], right[0], "unseen"], 3)):
        path = wl.to_html(log, tmp_path / f"{marked}.html", reference=" ".join(said))
        ready(page, path)
        page.keyboard.press("End")
        lines = {line["label"]: line for line in page.evaluate(LINES)}
        if not marked:
            assert lines["reference"]["said"] == "✓ the same" and not lines["output"]["marks"]
            continue
        assert lines["output"]["plain"] == lines["reference"]["plain"] == right[1:]
        assert lines["output"]["marks"] + lines["reference"]["marks"] == marked
    with pytest.raises(ValueError, match="searches: 1, references: 2"):
        wl.to_html(log, tmp_path / "player.html", reference=["a", "b"])
