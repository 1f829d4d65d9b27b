"""A lecture in the browser: its bar, keys that never die, notes and annotations in the picture."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import layout
import pytest
from browser import menu, ready
from random_logs import best_first_log, ordering_log, training_log

import wordorder_lab as wl

PLAYER = "wordorderLecture.player"
HERE = f"{PLAYER}.clock.at({PLAYER}.tick)[0]"
SCENE = "wordorderLecture.at + 1"
NASTY = '</script><img src=x onerror="alert(1)"> & so on'
NOTE = ".wol-note-here"


def opened(page: Any, path: Path, address: str = "") -> None:
    page.goto("about:blank")
    ready(page, path, address)


def middle_of(log: wl.EventLog) -> tuple[int, int, int]:
    """After the fifth step of a beam: the number of events, a state that is kept, one that is cut.

    The state kept is the worst: a view shows it only if it is told to.
    """
    ends = [i for i, event in enumerate(log) if event[0] == "step"]
    step = log.events[ends[4] : ends[5]]
    kept = [event[1] for event in step if event[0] == "kept"]
    cut = min((event[2], event[1]) for event in step if event[0] == "cut")[1]
    return ends[5], kept[-1], cut


def lecture(folder: Path, **how: Any) -> Path:
    """A text, two moments of a beam of which the first points at a state, an agenda, a text."""
    log, other = ordering_log(16), best_first_log()
    event, state, _ = middle_of(log)
    moments = [(event, "This one.\n---\nWait.", state), (len(log), "So that is who.")]
    scenes: list[Any] = [
        "Who won?\n---\nLet them guess.",
        (log, moments),
        (other, [(len(other), "Another search.")], "agenda"),
        "The end.",
    ]
    return wl.lecture(scenes, folder / "lecture.html", title="A day", **how)


def texts(page: Any, selector: str) -> list[str]:
    """What stands in these boxes of a picture, their lines joined."""
    all_lines = page.locator(selector).evaluate_all(
        "(all) => all.map((one) => [...one.querySelectorAll('text')].map((t) => t.textContent))"
    )
    return [" ".join(lines) for lines in all_lines]


# --- keys and the bar -----------------------------------------------------------------------------


def lives(page: Any, scene: int) -> None:
    """PageUp and PageDown go to the neighbours and back, N opens and closes the notes, and in a
    player the arrow keys step."""
    assert page.evaluate(SCENE) == scene
    away, back = ("PageDown", "PageUp") if scene < 5 else ("PageUp", "PageDown")
    page.keyboard.press(away)
    assert page.evaluate(SCENE) == scene + (1 if scene < 5 else -1)
    page.keyboard.press(back)
    assert page.evaluate(SCENE) == scene
    if scene in (2, 3, 4):
        before = page.evaluate(HERE)
        page.keyboard.press("ArrowLeft")
        assert page.evaluate(HERE) < before
        page.keyboard.press("ArrowRight")
        assert page.evaluate(HERE) >= before or page.evaluate(f"{PLAYER}.quiz.on")


def test_keys_never_die(page: Any, tmp_path: Path) -> None:
    """Whatever has the focus or has just gone: a text, a player, a quiz, a presentation, a press
    anywhere, a button, a closed window of notes, a cancelled annotation."""
    opened(page, lecture(tmp_path))
    for scene in range(1, 6):
        if scene > 1:
            page.keyboard.press("PageDown")
        lives(page, scene)
        page.mouse.click(640, 700)  # on nothing
        lives(page, scene)
        for name in ("Presentation mode", "Presentation mode"):
            page.get_by_label(name).evaluate("(one) => one.click()")
            lives(page, scene)
        page.evaluate("document.activeElement.blur()")
        lives(page, scene)
        with page.expect_popup() as waiting:
            page.keyboard.press("n")
        notes = waiting.value
        notes.keyboard.press("PageUp" if scene == 5 else "PageDown")
        assert page.evaluate(SCENE) == (4 if scene == 5 else scene + 1), "heard in the other window"
        notes.get_by_label("Next scene" if scene == 5 else "Previous scene").click()
        notes.close()
        page.wait_for_timeout(50)
        lives(page, scene)
    page.keyboard.press("PageUp")
    menu(page).get_by_label("Quiz").click()
    page.keyboard.press("Home")
    for _ in range(20):
        page.keyboard.press("ArrowRight")
    question = page.locator(".wol-question p").inner_text()
    page.keyboard.press("1")
    for _ in range(20):
        page.keyboard.press("ArrowRight")
    assert page.locator(".wol-question p").inner_text() != question, "a digit answers"
    page.keyboard.press("PageUp")
    page.keyboard.press("PageDown")
    assert not page.evaluate(f"{PLAYER}.quiz.on"), "a scene begins as it was made"
    lives(page, 4)
    page.get_by_role("button", name="annotate").click()
    page.keyboard.press("Escape")
    lives(page, 4)


def test_one_bar_in_one_line(page: Any, tmp_path: Path) -> None:
    """At each width, and nothing in it twice; a text's bar is the same without the player's."""
    opened(page, lecture(tmp_path))
    for width in (968, 1280, 1920):
        page.set_viewport_size({"width": width, "height": 720})
        for scene in (1, 2):
            page.evaluate(f"wordorderLecture.go({scene - 1})")
            bars = page.locator(".wol-toolbar:visible")
            assert bars.count() == 1 and bars.bounding_box()["height"] < 50
            seen = bars.locator("button:visible, input:visible, summary:visible, h2:visible")
            names = [one.get_attribute("aria-label") or one.inner_text() for one in seen.all()]
            assert len(names) == len({*names}) == (6 if scene == 1 else 12), names
            boxes = [one.bounding_box() for one in seen.all()]
            assert max(box["x"] + box["width"] for box in boxes) <= width
    assert page.locator(".wol-timeline:visible").count() == 0
    page.get_by_label("Next scene").click()
    page.keyboard.press("Home")
    page.get_by_label("Scene 3 of 5").click()
    assert texts(page, NOTE) == ["So that is who."], "back to the scene's moment"


# --- notes ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("width", [968, 1280, 1920])
def test_the_note_points_and_covers_nothing(page: Any, tmp_path: Path, width: int) -> None:
    """Its box lies over no text and no card, its line ends at the card, which is in sight."""
    page.set_viewport_size({"width": width, "height": 720})
    opened(page, lecture(tmp_path), "#scene=2")
    assert texts(page, NOTE) == ["This one."]
    state = middle_of(ordering_log(16))[1]
    label = page.locator(NOTE).get_attribute("aria-label")
    assert re.match(r"Note: This one\., at .", label), label
    off = page.evaluate(
        """([note, state]) => {
          const box = (one) => one.getBoundingClientRect();
          const card = box(document.querySelector(`.wol-card[data-serial="${state}"]`));
          const frame = box(document.querySelector(`${note} .wol-mark-frame`));
          return Math.abs(frame.left - card.left) + Math.abs(frame.bottom - card.bottom);
        }""",
        [NOTE, state],
    )
    assert off < 8 and page.evaluate(layout.NOTE) == []
    assert page.get_by_role("status").get_by_text("This one.").count() == 1, "it is announced"
    page.keyboard.press("ArrowRight")
    assert texts(page, NOTE) == [], "of another moment nothing is said"


def test_notes_in_a_second_window(page: Any, tmp_path: Path) -> None:
    """Scene, note, what only the presenter reads, the next scene and the clock, hand in hand."""
    opened(page, lecture(tmp_path))
    with page.expect_popup() as waiting:
        page.get_by_label("Notes for the presenter").click()
    notes = waiting.value
    read = "[...document.querySelectorAll('p')].map((one) => one.textContent).join('\\n')"

    def told() -> str:
        return str(notes.evaluate(read))

    assert notes.url == "about:blank"
    assert "Who won?\nLet them guess." in told() and "\nThis one." in told()
    assert re.search(r"scene 1 of 5\n0:0\d since the start", told())
    page.keyboard.press("PageDown")
    assert "This one.\nWait.\nstep" in told() and told().endswith("\nSo that is who.")
    assert "Wait." not in page.locator("body").inner_text()
    notes.keyboard.press("PageDown")
    notes.keyboard.press("ArrowLeft")
    assert page.evaluate(SCENE) == 3 and page.evaluate(HERE) < len(ordering_log(16))
    page.evaluate("wordorderLecture.go(4)")
    assert "This is the last scene." in told()
    page.get_by_label("Notes for the presenter").click()
    page.wait_for_timeout(50)
    assert notes.is_closed()
    page.evaluate("window.open = () => null")
    page.keyboard.press("n")
    below = page.locator(".wol-lecture > .wol-talk")
    assert "opens no second window" in below.inner_text() and "The end." in below.inner_text()
    page.keyboard.press("n")
    assert below.count() == 0


# --- annotations ----------------------------------------------------------------------------------


def annotate(page: Any, text: str, press: str = ".wol-stage .wol-card") -> None:
    page.get_by_role("button", name="annotate").click()
    page.locator(press).first.click()
    page.get_by_role("textbox", name="Annotation").fill(text)
    page.keyboard.press("Enter")


def saved(page: Any, path: Path) -> Path:
    with page.expect_download() as waiting:
        menu(page).get_by_label("Export HTML").click()
    waiting.value.save_as(path)
    return path


def test_annotations_are_kept(page: Any, tmp_path: Path) -> None:
    """By mouse or keys; as text; in the address, in the page that is saved, in its slides."""
    path = lecture(tmp_path)
    opened(page, path, "#scene=2")
    annotate(page, NASTY)
    assert texts(page, ".wol-annotation") == [NASTY] and page.locator("img").count() == 0
    item = page.evaluate(f"{PLAYER}.moments.marks[0].item")
    assert NASTY in page.locator(".wol-presenter[role=status]").text_content(), "it is announced"
    page.get_by_role("button", name="annotate").click()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.keyboard.type("by keys")
    page.keyboard.press("Enter")
    assert texts(page, ".wol-annotation") == [NASTY, "by keys"]
    page.wait_for_timeout(50)
    address = page.evaluate("location.hash")
    opened(page, path, address)
    assert texts(page, ".wol-annotation") == [NASTY, "by keys"], "a link has them"
    copy = saved(page, tmp_path / "copy.html")
    opened(page, copy, "#scene=2")
    assert texts(page, ".wol-annotation") == [NASTY, "by keys"], "a saved page has them"
    assert page.evaluate("location.hash") == "#scene=2", "and its link need not"
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    slides = page.locator(".wol-slide").all_text_contents()
    assert len(slides) == 5 and slides[0] == "Who won?" and "This one." in slides[1]
    assert (
        NASTY.replace(" ", "") in slides[1].replace(" ", "")
        and page.locator(".wol-slides svg").count() == 3
    )
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.locator(".wol-slide").count() == 0 and page.evaluate(SCENE) == 2
    mark = page.locator(".wol-annotation", has_text="by keys")
    mark.focus()
    page.keyboard.press("Enter")
    page.get_by_label("Delete the annotation").click()
    assert [one["item"] for one in page.evaluate(f"{PLAYER}.moments.marks")] == [item]


def test_an_annotation_of_a_new_moment_is_a_scene(page: Any, tmp_path: Path) -> None:
    """It comes behind the scene from which it was made; without its text it goes again."""
    path = lecture(tmp_path)
    opened(page, path, "#scene=2")
    page.keyboard.press("ArrowRight")
    event = page.evaluate(HERE)
    annotate(page, "look")
    scenes = "wordorderLecture.scenes.map(({event}) => event ?? null)"
    assert page.evaluate(scenes)[2] == event and len(page.evaluate(scenes)) == 6
    page.wait_for_timeout(50)
    opened(page, path, page.evaluate("location.hash"))
    assert page.evaluate(HERE) == event and texts(page, ".wol-annotation") == ["look"]
    page.locator(".wol-annotation .wol-mark-box").click()
    page.get_by_role("textbox", name="Annotation").fill("")
    page.keyboard.press("Enter")
    assert len(page.evaluate(scenes)) == 5 or page.evaluate(f"{PLAYER}.moments.marks") == []


VIEWS = {
    "beam": (lambda: ordering_log(16), [".wol-card"]),
    "agenda": (best_first_log, [".wol-agenda-row"]),
    "chart": (best_first_log, [".wol-card"]),
    "updates": (training_log, ["[data-serial]"]),
}


@pytest.mark.parametrize("view", VIEWS)
def test_a_player_draws_annotations_in_what_it_exports(
    page: Any, tmp_path: Path, view: str
) -> None:
    """On cards, dots, rows and features; in the SVG, and in a film, which plays on."""
    make, selectors = VIEWS[view]
    opened(page, wl.to_html(make(), tmp_path / "p.html", view=view))
    for i, selector in enumerate(selectors):
        menu(page).get_by_role("button", name="annotate").click()
        page.locator(f".wol-stage {selector}").last.focus()
        page.keyboard.press("Enter")
        page.get_by_role("textbox", name="Annotation").fill(f"line {i}")
        page.keyboard.press("Enter")
        assert f"line {i}" in texts(page, ".wol-annotation")
    with page.expect_download() as waiting:
        menu(page).get_by_label("Export SVG").click()
    assert "line 0" in Path(waiting.value.path()).read_text(encoding="utf-8")
    seen = page.evaluate(
        """async () => {
          const drawn = [], {createObjectURL} = URL;
          URL.createObjectURL = (blob) => {
            if (blob.type === "image/svg+xml") drawn.push(blob.text());
            return createObjectURL.call(URL, blob);
          };
          await wordorderPlayer.film();
          while (!wordorderPlayer.said.startsWith("A film"))
            await new Promise((done) => setTimeout(done, 50));
          return (await Promise.all(drawn)).map((text) => text.includes("line 0"));
        }"""
    )
    assert seen and seen[0]


# --- from Python ----------------------------------------------------------------------------------


def scenes_in(path: Path) -> list[dict[str, Any]]:
    text = path.read_text(encoding="utf-8")
    begin = text.index('<script id="wol-moments"')
    return json.loads(text[text.index(">", begin) + 1 : text.index("</script>", begin)])


def test_moments_say_what_they_speak_of(tmp_path: Path) -> None:
    """Item, annotations and what is for the presenter; and as plain data, as a player has them."""
    log = ordering_log(16)
    event, state, cut = middle_of(log)
    given = [(event, "a\n---\nb", state, {cut: "gone", "lattice 3": "dot"}), (1, "c")]
    first, second = scenes_in(wl.lecture([(log, given)], tmp_path / "a.html"))
    marks = [{"item": str(cut), "text": "gone"}, {"item": "lattice 3", "text": "dot"}]
    assert first == {
        "log": 0,
        "view": "beam",
        "event": event,
        "note": "a",
        "aside": "b",
        "item": str(state),
        "marks": marks,
    }
    assert second == {"log": 0, "view": "beam", "event": 1, "note": "c"}
    data = {"event": event, "note": "a", "item": str(state), "marks": marks, "pin": state}
    assert scenes_in(wl.to_html(log, tmp_path / "b.html", moments=[data])) == [data]


@pytest.mark.parametrize(
    ("moment", "told"),
    [
        ((5, "x", 10**6), r"no state or edge has the number 1000000 after 5 events"),
        ((5, "x", "y" * 81), "an item is the number of a state or an edge, or a name"),
        ({"note": "x"}, "has a field event, which is missing"),
        ({"event": 5, "notes": "x"}, "has no field 'notes'; it has event, note, view"),
        ((10**6, "x"), "a moment is a number of events, 0 to"),
    ],
)
def test_moments_that_are_none(tmp_path: Path, moment: Any, told: str) -> None:
    log = ordering_log(3)
    with pytest.raises(ValueError, match=told):
        wl.lecture([(log, [moment])], tmp_path / "x.html")
    with pytest.raises(ValueError, match=told):
        wl.to_html(log, tmp_path / "x.html", moments=[moment])


def test_bars_open_in_a_lecture(page: Any, tmp_path: Path) -> None:
    """With ``why=True`` a press on a state opens what its score is made of; Escape closes it."""
    train = wl.load_corpus("gazette").train[:20]
    how: dict[str, Any] = {"engine": "reference"}
    model = wl.train("liu-2015", train, beam=2, epochs=1, progress=False, **how)
    log = wl.EventLog()
    model.order("IBM bought Lotus .", beam=4, trace=log, **how)
    scenes: list[Any] = ["Why?", (log, [(len(log), "Press one.")])]
    opened(page, wl.lecture(scenes, tmp_path / "why.html", why=True), "#scene=2")
    page.locator(".wol-stage .wol-card").last.click()
    assert page.locator(".wol-why h3").inner_text().startswith("Why ")
    page.keyboard.press("PageUp")
    page.keyboard.press("PageDown")
    assert page.locator(".wol-why").is_hidden()
    page.locator(".wol-stage .wol-card").last.click()
    page.keyboard.press("Escape")
    assert page.locator(".wol-why").is_hidden()
    with pytest.raises(ValueError, match="none of the logs can tell them"):
        wl.lecture(
            [(wl.EventLog.load(_copy(log, tmp_path)), [(1, "x")])], tmp_path / "n.html", why=True
        )


def _copy(log: wl.EventLog, folder: Path) -> Path:
    log.save(folder / "log.json")
    return folder / "log.json"
