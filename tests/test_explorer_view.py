"""The explorer in a browser: table, brushes, the chosen row, a player in place, what is saved."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from browser import ready
from explored import one_model, table_of_size, two_models

from wordorder_lab.widgets.explorer import ExplorerPage, Table, selected
from wordorder_lab.widgets.page import frame

pytestmark = pytest.mark.browser

SELECTED = "() => wordorderExplorer.selected.map((place) => place + 1)"


def opened(page: Any, table: Table, folder: Path, recordings: int = 0, after: str = "") -> None:
    path = ExplorerPage(table).to_html(folder / "explorer.html", recordings)
    ready(page, path, after)


def brush(page: Any, name: str, start: float, end: float) -> None:
    """Drag across a histogram, from one share of its width to another."""
    box = page.get_by_role("group", name=name, exact=True).locator("svg").bounding_box()
    middle = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + start * box["width"], middle)
    page.mouse.down()
    page.mouse.move(box["x"] + end * box["width"], middle, steps=4)
    page.mouse.up()
    page.wait_for_timeout(50)  # a brush is drawn with the next frame


def counted(page: Any) -> str:
    return page.locator("output.wol-place").first.inner_text()


FILTERS: list[dict[str, Any]] = [
    {},
    {"bleu_a": [0, 25]},
    {"bleu_a": [25, None], "difference": [None, 0.5]},
    {"lost_b": [None, None]},
    {"words": [3, 40], "exact_b": False, "error_a": ["right", "another <kind>"]},
    {"text": "AGAIN", "error_b": ["punctuation"]},
    {"text": "<b>a"},
    {"number": [7, 7]},
    {"words": [1000, None]},
]


def test_the_browser_selects_what_pandas_selects(page, tmp_path) -> None:
    """By every filter, and by those that brushes make; the filters come one after the other."""
    table = table_of_size(600)
    opened(page, table, tmp_path)
    for chosen in [*FILTERS, *FILTERS[::-1]]:
        page.evaluate("(filter) => wordorderExplorer.setFilter(filter)", chosen)
        rows = selected(table.frame, chosen, table.columns)
        assert page.evaluate(SELECTED) == rows["number"].tolist()
        assert counted(page) == f"{len(rows)} of 600 sentences"
    page.evaluate("() => wordorderExplorer.setFilter({})")
    for name in ("words", "BLEU A", "BLEU B", "lost at A", "B − A"):
        for start, end in ((0.1, 0.4), (0.9, 0.6), (0.5, 0.5), (0, 0.99)):
            brush(page, name, start, end)
            chosen = page.evaluate("() => wordorderExplorer.rows.filter")
            rows = selected(table.frame, chosen, table.columns)
            assert page.evaluate(SELECTED) == rows["number"].tolist()
            bins = page.evaluate(BRUSHED)  # a bar counts what its brush selects, no more
            assert bins is None or bins == len(rows)
        page.get_by_role("button", name=f"Clear the filter of {name}", exact=True).click()
    assert counted(page) == "600 of 600 sentences"


BRUSHED = """() => {
  const { rows } = wordorderExplorer;
  const [name, range] = Object.entries(rows.filter)[0] ?? [];
  if (!name) return null;
  const { edges, bins } = rows.binned[name];
  const { every } = rows.counts(name);
  return every.reduce((sum, count, i) =>
    edges[i] >= range[0] && (edges[i] <= range[1]) ? sum + count : sum, 0);
}"""


def test_histograms_are_linked(page, tmp_path) -> None:
    """A brush changes the bars of all others, and not those of its own; the table follows."""
    table = one_model().table
    opened(page, table, tmp_path)
    frame_ = table.frame
    before = page.evaluate("() => [...wordorderExplorer.rows.counts('bleu').here]")
    brush(page, "BLEU", 0, 0.5)
    assert page.evaluate("() => [...wordorderExplorer.rows.counts('bleu').here]") == before
    low, high = page.evaluate("() => wordorderExplorer.rows.filter.bleu")
    mask = frame_["bleu"].between(low, high)
    assert 0 < mask.sum() < len(frame_)
    kind = frame_["error"][mask].iloc[0]
    press = page.get_by_role("button", name=f"error: {kind}")
    both = mask & (frame_["error"] == kind)
    assert press.get_attribute("aria-label").endswith(
        f"{both.sum()} of {(frame_['error'] == kind).sum()}"
    )
    press.click()
    assert press.get_attribute("aria-pressed") == "true"
    assert counted(page) == f"{both.sum()} of {len(frame_)} sentences"
    numbers = page.locator(".wol-grid-row").evaluate_all(
        "(rows) => rows.map((row) => Number(row.firstChild.textContent))"
    )
    assert sorted(numbers) == frame_["number"][both].tolist()[: len(numbers)]
    page.get_by_role("button", name="Clear all filters").click()
    page.get_by_label("Find words").fill(frame_["reference"].iloc[3].upper())
    assert 4 in page.evaluate(SELECTED)


def test_the_keyboard_does_it_all(page, tmp_path) -> None:
    """Filter by number fields, sort, walk through rows, play, and come back; Tab reaches each."""
    table = one_model().table
    opened(page, table, tmp_path, recordings=40)
    page.get_by_label("words from").focus()
    page.keyboard.type("6")
    page.keyboard.press("Enter")
    rows = table.frame[table.frame["words"] >= 6]
    assert counted(page) == f"{len(rows)} of 40 sentences"
    page.get_by_role("columnheader", name="BLEU").get_by_role("button").focus()
    page.keyboard.press("Enter")
    assert page.get_by_role("columnheader", name="BLEU").get_attribute("aria-sort") == "descending"
    ranked = rows.sort_values("bleu", ascending=False, kind="stable")["number"].tolist()
    for _ in range(20):
        page.keyboard.press("Tab")
        if page.evaluate("() => document.activeElement.getAttribute('role')") == "row":
            break
    page.keyboard.press("Home")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    assert page.evaluate("() => wordorderExplorer.place + 1") == ranked[2]
    assert page.locator("[aria-selected=true]").get_attribute("aria-rowindex") == "4"
    page.keyboard.press("End")
    assert page.evaluate("() => wordorderExplorer.place + 1") == ranked[-1]
    page.keyboard.press("Home")
    page.keyboard.press("Enter")
    page.get_by_role("region", name="Player").wait_for()
    page.keyboard.press("ArrowRight")
    page.get_by_role("button", name="Back to the table").focus()
    page.keyboard.press("Enter")
    assert page.get_by_role("region", name="Player").count() == 0
    assert page.locator("[aria-selected=true]").get_attribute("aria-rowindex") == "2"
    assert page.evaluate("() => document.activeElement.textContent").startswith("▷")


def test_a_row_opens_the_player_where_gold_was_lost(page, tmp_path) -> None:
    table = one_model().table
    opened(page, table, tmp_path, recordings=5)
    rows = table.frame.iloc[table.worst(5)]
    place = rows.index[rows["fate"] == "cut"][0]
    page.evaluate("(place) => wordorderExplorer.look(place)", int(place))
    page.get_by_role("button", name="Play the search").click()
    steps = page.evaluate("() => wordorderExplorer.player.logs[0].kinds.slice(0, "
                          "wordorderExplorer.player.clock.at(wordorderExplorer.player.tick)[0])"
                          ".filter((kind) => kind === 'step').length")  # fmt: skip
    assert steps == table.frame["lost"].iloc[place]
    assert "has been cut" in page.locator(".wol-scene .wol-narration").inner_text()
    other = next(place for place in table.frame.index if place not in rows.index)
    page.get_by_role("button", name="Back to the table").click()
    page.evaluate("(place) => wordorderExplorer.look(place)", int(other))
    assert page.get_by_role("button", name="Play the search").count() == 0
    assert "no recording of this sentence" in page.locator(".wol-row-detail").inner_text()


def test_two_models_on_one_clock(page, tmp_path) -> None:
    table = two_models().table
    opened(page, table, tmp_path, recordings=1)
    page.evaluate("(place) => wordorderExplorer.look(place)", table.worst(1)[0])
    assert page.locator(".wol-row-detail h4").all_text_contents() == [
        "A · liu-2015", "B · zhang-clark-2015-dependency",
    ]  # fmt: skip
    page.get_by_role("button", name="Play both searches on one clock").click()
    titles = page.locator(".wol-stage h3").all_text_contents()
    assert titles == ["A · liu-2015", "B · zhang-clark-2015-dependency"]


def test_output_against_reference(page, tmp_path) -> None:
    """What is not marked stands in the same order in both lines."""
    table = one_model().table
    opened(page, table, tmp_path)
    for place, row in enumerate(table.frame.itertuples()):
        page.evaluate("(place) => wordorderExplorer.look(place)", place)
        shown, marked, elsewhere = page.evaluate("""() => {
          const [reference, output] = document.querySelectorAll(".wol-row-detail > .wol-line");
          const marks = [...output.querySelectorAll("mark")].map((mark) => mark.textContent);
          const elsewhere = reference.querySelectorAll("mark").length;
          return [output.textContent.replace("Output: ", "").trim(), marks, elsewhere];
        }""")
        assert shown == row.output
        assert bool(marked) == (row.output != row.reference)
        assert set(marked) <= set(row.reference.split())
        assert elsewhere == len(marked)  # nothing is left out here


IN_SIGHT = """() => [...document.querySelectorAll(".wol-grid-row")].map((row) => {
  const grid = row.closest(".wol-grid").getBoundingClientRect();
  const lines = [...row.querySelectorAll(".wol-cell-text > div")];
  const parts = lines.flatMap((line) => [line, ...line.querySelectorAll("mark")]);
  const inside = parts.every((part) => {
    const box = part.getBoundingClientRect(), line = part.closest("div").getBoundingClientRect();
    return box.right <= Math.min(grid.right, line.right) && box.left >= grid.left;
  });
  const below = row.getBoundingClientRect().bottom > grid.bottom;
  return [row.dataset.place, below, inside, lines.map((line) => line.textContent)];
})"""


def test_sentence_and_output_are_in_sight(page, tmp_path) -> None:
    """Nothing is scrolled at 1280 and 968 px: reference and outputs stand in the table, all that
    differs inside; what is left out is alike in both."""
    for table in (one_model().table, two_models().table):
        opened(page, table, tmp_path)
        outputs = [name for name in table.frame if name.startswith("output")]
        for width in (1280, 968):
            page.set_viewport_size({"width": width, "height": 720})
            page.wait_for_timeout(100)
            seen = [row for row in page.evaluate(IN_SIGHT) if not row[1]]
            assert len(seen) >= (6 if width == 1280 else 3)
            for place, _, inside, (reference, *lines) in seen:
                row = table.frame.iloc[int(place)]
                assert inside and set(reference.split()) <= {"ref.", "…", *row["reference"].split()}
                for name, line in zip(outputs, lines, strict=True):
                    label, *words = line.split()
                    right = row[name] == row["reference"]
                    assert label in ("out", "A", "B") and (words == ["✓", "right"]) == right
                    assert right or set(words) <= {"…", *row[name].split()}


def test_what_is_selected_is_measured_as_in_python(page, tmp_path) -> None:
    """Mean, interval and p of the paired test, to the last bit, and as the page writes them."""
    explorer = ExplorerPage(table_of_size(300))
    opened(page, explorer.table, tmp_path)
    for chosen in ({}, {"words": [3, 20]}, {"number": [5, 5]}, {"number": [1, 2]}):
        explorer.filter = chosen
        page.evaluate("(filter) => wordorderExplorer.setFilter(filter)", chosen)
        page.wait_for_selector(".wol-measured:not([aria-busy])")
        found = page.evaluate("wordorderExplorer.measured.means.map(Object.values)")
        assert found == explorer.measured.to_numpy().tolist()
        mean, low, high, p = explorer.measured.loc["difference"]
        assert low <= mean <= high and 0 < p <= 1
        told = f"B − A {mean:.2f} (95 %: {low:.2f} to {high:.2f})".replace("-", "−")
        assert told in page.locator(".wol-measured").inner_text()
    page.evaluate("() => wordorderExplorer.setFilter({text: 'no such words'})")
    page.get_by_text("none is selected").wait_for()


def test_text_is_never_markup(page, tmp_path) -> None:
    table = table_of_size(50)
    opened(page, table, tmp_path)
    for place in range(10):
        page.evaluate("(place) => wordorderExplorer.look(place)", place)
        assert page.locator(".wol-explorer b b, .wol-line b ~ b").count() == 0
    assert page.get_by_role("button", name="error A: another <kind>").count() == 1


def test_one_screen(page, tmp_path) -> None:
    opened(page, two_models().table, tmp_path)
    for width, height in ((968, 900), (1280, 720), (600, 800)):
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate("() => wordorderExplorer.table.go(0)")
        box = page.locator(".wol-explorer").bounding_box()
        assert box["height"] <= 700 and box["width"] <= width
        assert page.locator(".wol-grid").bounding_box()["height"] > 120


def test_themes(page, tmp_path) -> None:
    opened(page, one_model().table, tmp_path)
    papers = []
    for theme in ("light", "dark"):
        page.get_by_label("Colours").select_option(theme)
        style = "(element) => [getComputedStyle(element).backgroundColor, element.dataset.theme]"
        paper, named = page.locator(".wol-explorer").evaluate(style)
        papers.append(paper)
        assert named == theme
    assert papers[0] != papers[1]
    page.get_by_label("Colours").select_option("auto")
    page.emulate_media(color_scheme="dark")
    page.wait_for_selector(".wol-explorer[data-theme=dark]")


def test_the_address_names_a_row(page, tmp_path) -> None:
    opened(page, one_model().table, tmp_path, after="#row=17")
    assert page.get_by_role("heading", name="Sentence 17").is_visible()
    page.evaluate("() => wordorderExplorer.sortBy('number', 1)")
    assert page.locator("[aria-selected=true]").get_attribute("aria-rowindex") == "18"
    page.keyboard.press("Tab")
    page.evaluate("() => wordorderExplorer.table.go(3)")
    assert page.evaluate("() => window.location.hash") == "#row=4"


def test_the_worst_are_on_top_and_what_plays_is_marked(page, tmp_path) -> None:
    table = one_model().table
    opened(page, table, tmp_path, recordings=3)
    at_first = page.get_by_role("columnheader", name="BLEU").get_attribute("aria-sort")
    assert at_first == "ascending"
    worst = [str(place) for place in table.worst(3)]
    on_top = page.locator(".wol-grid-row.wol-plays").evaluate_all(
        "(rows) => rows.sort((a, b) => a.dataset.at - b.dataset.at).map((row) => row.dataset.place)"
    )
    assert on_top == worst
    assert page.locator("[aria-selected=true]").get_attribute("data-place") == worst[0]


def test_what_is_saved_in_the_browser(page, tmp_path) -> None:
    """The same as Python saves of the same selection."""
    explorer = ExplorerPage(one_model().table)
    explorer.filter = {"exact": False}
    opened(page, explorer.table, tmp_path)
    page.evaluate("(filter) => wordorderExplorer.setFilter(filter)", explorer.filter)
    for name, end in (("Save the selected bags as text", "txt"), ("as CoNLL-U", "conllu")):
        with page.expect_download() as download:
            page.get_by_role("button", name=name).click()
        written = explorer.save(tmp_path / f"python.{end}").read_text(encoding="utf-8")
        assert Path(download.value.path()).read_text(encoding="utf-8") == written


def test_many_rows(page, tmp_path) -> None:
    """Five thousand rows: few are elements, and a brush looks at each row once for each of its
    histograms. (How long that takes: ``wordorder-lab bench`` is for seconds.)"""
    table = table_of_size(5000)
    opened(page, table, tmp_path)
    assert page.locator(".wol-grid").get_attribute("aria-rowcount") == "5001"
    for _ in range(30):
        page.evaluate("() => { const grid = document.querySelector('.wol-grid');"
                      "grid.scrollTop += grid.scrollHeight / 29; }")  # fmt: skip
        assert page.locator(".wol-grid-row").count() < 60
    page.evaluate("() => wordorderExplorer.table.go(4999)")
    last = page.locator("[aria-selected=true]")
    assert last.get_attribute("aria-rowindex") == "5001"
    box, grid = last.bounding_box(), page.locator(".wol-grid").bounding_box()
    assert box["y"] + box["height"] <= grid["y"] + grid["height"] + 1
    brush(page, "BLEU A", 0.2, 0.8)
    rows = selected(table.frame, page.evaluate("wordorderExplorer.rows.filter"), table.columns)
    assert page.evaluate(SELECTED) == rows["number"].tolist()


# --- live ---------------------------------------------------------------------------------------


def test_what_comes_back_to_python() -> None:
    """The frame follows the filter, whoever sets it; what is no filter is refused."""
    pytest.importorskip("anywidget")
    from wordorder_lab.widgets.live import Explorer

    explorer = Explorer(one_model().table)
    assert len(explorer.selected) == 40
    explorer.set_state({"filter": {"exact": True}, "row": 3})  # as the browser does
    assert explorer.selected.equals(explorer.frame[explorer.frame["exact"]])
    assert explorer.row == 3
    for name, value, told in (("filter", {"blue": [0, 1]}, "no filter 'blue'"),
                              ("row", 41, "row is 0 .none. to 40")):  # fmt: skip
        with pytest.raises(Exception, match=told):
            setattr(explorer, name, value)
    data, _ = explorer._repr_mimebundle_()
    assert data["text/html"].startswith("<iframe")
    json.dumps(explorer.data, allow_nan=False)
    explorer._heard(None, {"wants": "play", "row": 7, "which": 0, "id": 1}, None)
    assert '"7 0"' in json.dumps(explorer.table.data([*explorer.played]))
    assert explorer.played == [7]


ROUND_TRIP = """async (data) => {
  const {default: view} = await import("/explorer/hosts.js");
  const state = {data, filter: {exact: false}, row: 2}, sent = [], heard = {};
  const model = {
    get: (name) => state[name],
    set: (name, value) => { state[name] = value; },
    save_changes() {}, send: (message) => sent.push(message),
    on: (name, hear) => { heard[name] = hear; }, off: (name) => { delete heard[name]; },
  };
  const el = document.querySelector("main");
  const leave = view.render({model, el});
  globalThis.wordorderLive = {state, sent, heard, el, leave};
}"""


def test_the_live_view_asks_python(served) -> None:
    """A recording comes from the kernel; filter and row go both ways."""
    table = one_model().table
    served.evaluate(ROUND_TRIP, table.data(live=True))
    assert served.get_by_role("heading", name="Sentence 2", exact=True).is_visible()
    wrong = int((~table.frame["exact"]).sum())
    assert counted(served) == f"{wrong} of 40 sentences"
    served.get_by_role("button", name="Clear all filters").click()
    served.wait_for_function("() => !Object.keys(wordorderLive.state.filter).length")
    served.evaluate("""() => {
      wordorderLive.state.filter = {words: [0, 6]}; wordorderLive.heard["change:filter"](); }""")
    short = int((table.frame["words"] <= 6).sum())
    assert counted(served) == f"{short} of 40 sentences"
    served.locator(".wol-grid-row").first.click()
    number = served.evaluate("() => wordorderLive.state.row")
    assert table.frame["words"].iloc[number - 1] <= 6
    served.get_by_role("button", name="Play the search").click()
    asked = served.evaluate("() => wordorderLive.sent[0]")
    assert (asked["wants"], asked["row"], asked["which"]) == ("play", number - 1, 0)
    answer = {"id": asked["id"], "answer": table.record(number - 1, 0)}
    served.evaluate("(message) => wordorderLive.heard['msg:custom'](message)", answer)
    served.get_by_role("region", name="Player").wait_for()
    served.evaluate("() => wordorderLive.leave()")
    assert served.evaluate("() => Object.keys(wordorderLive.heard)") == []


def test_inside_another_page(page, tmp_path) -> None:
    """As an exported notebook holds it, in a frame that may not look out."""
    inside = frame(ExplorerPage(one_model().table).page(1), "Explorer", 300)
    whole = f"<!DOCTYPE html><meta charset='utf-8'><link rel=icon href='data:,'>{inside}"
    (tmp_path / "exported.html").write_text(whole, encoding="utf-8")
    page.goto((tmp_path / "exported.html").as_uri())
    page.frame_locator("iframe").get_by_text("40 of 40 sentences").wait_for()
    page.wait_for_function("() => document.querySelector('iframe').clientHeight >= 690")
