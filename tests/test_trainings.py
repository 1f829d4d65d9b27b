"""Several trainings over each other: what the page draws is what the logs have."""

from __future__ import annotations

from statistics import fmean

import pytest
from browser import ready
from explored import short_sentences

import wordorder_lab as wl


def logs() -> dict[str, wl.EventLog]:
    found = {}
    for beam in (1, 4):
        found[f"beam <b>{beam}"] = log = wl.EventLog()
        few = short_sentences("train")[:30]
        wl.train("liu-2015", few, beam=beam, epochs=3, trace=log, progress=False, engine="fast")
    return found


def test_the_curves_are_those_of_the_logs() -> None:
    """A point an epoch, means that add up to all updates; each row of the frame is an epoch."""
    every = logs()
    page = wl.play(every)
    pictures = {one["title"]: one["lines"] for one in page.contents()["pictures"]}
    for i, log in enumerate(every.values()):
        ends = [event for event in log if event[0] == "epoch"]
        assert [round(y, 3) for _, y in pictures["Norm of the weights"][i]] == [
            round(one[4], 3) for one in ends
        ]
        learned = [event[4] for event in log if event[0] == "learned"]
        means = [y for _, y in pictures["Updates a sentence"][i]]
        assert fmean(means) == pytest.approx(fmean(learned), abs=0.05)
    made = [event[2] for log in every.values() for event in log if event[0] == "epoch"]
    assert [*page.frame["updates"]] == made
    with pytest.raises(ValueError, match="2 to 6 trainings"):
        wl.play([next(iter(every.values()))])


@pytest.mark.browser
def test_each_training_has_a_named_curve_in_each_picture(page, tmp_path) -> None:
    path = wl.play(logs()).to_html(tmp_path / "trainings.html")
    page.set_viewport_size({"width": 1280, "height": 720})
    ready(page, path)
    pictures = page.locator(".wol-trainings-grid > svg")
    assert pictures.count() == 4
    for picture in pictures.all():
        assert picture.locator(".wol-curve").count() == 2
        names = picture.locator("text").all_text_contents()
        assert [sum(one.endswith(f"● beam <b>{beam}") for one in names) for beam in (1, 4)] == [
            1,
            1,
        ]
    assert page.locator("b", has_text="1").count() == 0
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
