"""Motion between two drawings: what moves, for how long, and when nothing does."""

from __future__ import annotations

import random
from typing import Any

import pytest
from ccg_logs import ccg_log
from random_logs import best_first_log, ordering_log
from test_player import show
from transduction_logs import compression_log

HERE = "wordorderPlayer.stages[0].getAnimations({subtree: true})"

STEP = """() => {
  const player = wordorderPlayer, stage = player.stages[0];
  const serials = () => new Set(
    [...stage.querySelectorAll("svg [data-serial]")].map((one) => one.dataset.serial));
  const before = serials();
  player.step(1);
  const animations = stage.getAnimations({subtree: true});
  const of = (one) => one.effect.target;
  return {
    count: animations.length,
    longest: Math.max(0, ...animations.map((one) => one.effect.getComputedTiming().endTime)),
    moved: animations.filter((one) => before.has(of(one).dataset.serial)).length,
    made: animations.filter((one) => of(one).dataset.serial
      && !before.has(of(one).dataset.serial)).length,
    gone: animations.filter((one) => !of(one).dataset.serial).length,
    pressed: stage.querySelectorAll("[aria-hidden=true][data-serial]").length,
  };
}"""


def test_single_steps_move(page, tmp_path) -> None:
    """At most 300 ms; the popped edge goes to its place, cards come and go; then all is over."""
    page.emulate_media(reduced_motion="no-preference")
    for log, view in ((best_first_log(), "agenda"), (ordering_log(4), "beam")):
        show(page, tmp_path, log, view=view)
        page.evaluate("wordorderPlayer.go(wordorderPlayer.timeline.stops[3])")
        steps = [page.evaluate(STEP) for _ in range(4)]
        assert all(0 < round(step["longest"]) <= 300 and not step["pressed"] for step in steps)
        for what in ("moved", "made"):
            assert any(step[what] for step in steps), what
        page.evaluate(f"Promise.all({HERE}.map((one) => one.finished)).then(() => null)")
        copies = page.locator(".wol-stage svg > [aria-hidden=true][style]")
        assert copies.count() == 0, "none stays"


def test_a_place_is_where_it_was(page, tmp_path) -> None:
    """A row begins its way where it stood before the step."""
    page.emulate_media(reduced_motion="no-preference")
    show(page, tmp_path, best_first_log(), view="agenda")
    page.evaluate("wordorderPlayer.go(wordorderPlayer.timeline.stops[4])")
    apart = page.evaluate(
        """() => {
          const stage = wordorderPlayer.stages[0];
          const top = (one) => one.getBoundingClientRect().y;
          const rows = () => new Map([...stage.querySelectorAll("svg [data-serial]")].reverse()
            .map((one) => [one.dataset.serial, one]));
          const before = new Map([...rows()].map(([serial, one]) => [serial, top(one)]));
          const corner = top(stage.querySelector("svg"));
          wordorderPlayer.step(1);
          for (const one of stage.getAnimations({subtree: true})) {
            one.pause();
            one.currentTime = 0;
          }
          const shift = top(stage.querySelector("svg")) - corner;
          return [...rows()].filter(([serial]) => before.has(serial))
            .map(([serial, one]) => Math.abs(top(one) - shift - before.get(serial)));
        }"""
    )
    assert len(apart) > 3 and max(apart) < 1.5


def test_no_motion_while_scrubbing_playing_or_where_it_is_unwanted(page, tmp_path) -> None:
    page.emulate_media(reduced_motion="no-preference")
    show(page, tmp_path, best_first_log(), view="agenda")
    page.evaluate("wordorderPlayer.go(wordorderPlayer.timeline.stops[3])")
    assert page.evaluate(STEP)["count"] > 0
    page.evaluate("wordorderPlayer.go(wordorderPlayer.timeline.stops[5])")
    assert page.evaluate(f"{HERE}.length") == 0
    page.emulate_media(reduced_motion="reduce")
    assert page.evaluate(STEP)["count"] == 0


# What is on the stage after steps, leaps and presses, and after all of it is drawn anew.
REACHED = """(ways) => {
  const player = wordorderPlayer, wrong = [], stages = player.root.querySelector(".wol-stages");
  ways.forEach(([to, press], i) => {
    player.go(i % 3 ? Math.min(player.clock.last, player.tick + 1)
      : Math.floor(to * player.clock.last));
    const there = stages.querySelectorAll("svg [data-serial]");
    if (i % 5 === 4 && there.length)
      there[Math.floor(press * there.length)].dispatchEvent(
        new MouseEvent("click", { bubbles: true }));
    const reached = stages.innerHTML, kept = player.keptFor(0);
    for (const one of ["pieces", "picture", "frame"]) delete kept[one];
    player.draw();
    if (stages.innerHTML !== reached) wrong.push(player.tick);
  });
  return wrong;
}"""


@pytest.mark.parametrize(
    ("view", "make"),
    [
        ("beam", lambda: ordering_log(16)),
        ("chart", ccg_log),
        ("chart", best_first_log),
        ("transduction", compression_log),
    ],
)
def test_a_picture_does_not_show_how_it_was_reached(page, tmp_path, view: str, make: Any) -> None:
    """Pieces that stay in their place are those that would be drawn anew."""
    page.emulate_media(reduced_motion="reduce")
    show(page, tmp_path, make(), view=view)
    chance = random.Random(7)
    assert page.evaluate(REACHED, [[chance.random(), chance.random()] for _ in range(45)]) == []
