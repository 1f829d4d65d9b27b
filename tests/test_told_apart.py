"""What differs is shown: no two items on the screen differ only in a part that is cut."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from browser import ready
from test_one_screen import LOGS, paired

import wordorder_lab as wl

# At twenty moments: texts that are cut to the same and are not the same; items of one list that
# read alike, heads that are marked included, and are not alike. Before it, how many were compared.
ALIKE = """([view, moments]) => {
  const player = wordorderPlayer, wrong = new Set();
  let seen = 0;
  const all = (selector) => [...player.root.querySelectorAll(`.wol-stages ${selector}`)];
  const shownIn = (element) => {
    const copy = element.cloneNode(true);
    copy.querySelectorAll("title").forEach((title) => title.remove());
    copy.querySelectorAll(".wol-headword, .wol-onstack, .wol-differs").forEach((one) =>
      one.append("*"));
    return copy.textContent;
  };
  const compare = (pairs) => {
    const first = new Map();
    for (const [shown, whole] of pairs) {
      if (first.has(shown) && first.get(shown) !== whole)
        wrong.add(`“${shown}” is ${whole} and ${first.get(shown)}`);
      first.set(shown, whole);
    }
    seen += pairs.length;
  };
  const wholeOf = (text) => text.querySelector("title")?.textContent ??
    text.closest("[aria-label]").getAttribute("aria-label");
  const isCut = (text) => /…/.test(text) && !/^… (and )?[0-9,]+ /.test(text);
  const edge = (state, serial) => {
    const { left, right, form, pos, category, action } = state.edges[serial - 1];
    return JSON.stringify([left || form, right, pos, category, action]);
  };
  const serialOf = (one) => Number(one.closest("[data-serial]").dataset.serial);
  const books = {
    beam: (state) => state.columns.forEach(({ states }) => compare(states.flatMap((one) => {
      const [card] = all(`.wol-card[data-serial="${one.serial}"]`);
      const said = card && [...card.querySelectorAll("text:not(.wol-score)")].map(shownIn);
      const { order, heads, stack } = one;
      const plain = said?.join("|").replace(/^(★ )?[0-9]+\\. /, "");
      return card ? [[plain, JSON.stringify([order, heads, stack])]] : [];
    }))),
    agenda: (state) => compare(all(".wol-words").map((one) =>
      [shownIn(one), edge(state, serialOf(one))])),
    chart: (state) => compare(all(".wol-card > .wol-action").map((one) =>
      [shownIn(one.parentNode).replace(/.*: not known|★?[0-9]+/, ""),
        edge(state, serialOf(one))])),
    updates: () => compare([".wol-plus", ".wol-minus"].flatMap((side) =>
      all(side).map(({ parentNode }) => {
        const tree = parentNode.querySelector("[role=img]");
        return tree && [shownIn(tree) + tree.querySelectorAll("path").length,
          tree.getAttribute("aria-label")];
      }).filter(Boolean))),
  };
  for (let i = 0; i <= moments; i += 1) {
    player.go(Math.round((player.clock.last * i) / moments));
    compare(all("svg text").map((text) => [shownIn(text), text]).filter(([said]) => isCut(said))
      .map(([said, text]) => [said, wholeOf(text)]));
    books[view]?.(player.state(0));
  }
  return [seen, [...wrong]];
}"""


@pytest.mark.parametrize(("view", "which", "widths"), paired((1280, 968, 400)))
def test_no_two_items_differ_only_in_what_is_cut(
    page, tmp_path, view: str, which: int, widths: Sequence[int]
) -> None:
    path = wl.to_html(LOGS[view][which](), tmp_path / "player.html", view=view)
    ready(page, path)
    for width in widths:
        page.set_viewport_size({"width": width, "height": 720})
        page.wait_for_timeout(60)  # drawn anew for this width
        seen, wrong = page.evaluate(ALIKE, [view, 20])
        assert not wrong, (width, wrong)
        assert seen > 20 or view not in ("beam", "agenda", "chart", "updates"), width


COMMON = "the old "
FOLDS: list[tuple[list[str], int, list[str]]] = [
    (["a short one", "another"], 100, ["a short one", "another"]),
    ([COMMON * 9 + end for end in "ab"], 120, ["a", "b"]),
    ([COMMON * 9 + word + " same end" * 9 for word in ("x", "yy")], 120, ["x", "yy"]),
    (["w" * 60 + letter for letter in "pq"], 100, ["p", "q"]),
    ([COMMON * 6, COMMON * 5, COMMON * 7], 80, []),
    ([f"{COMMON * 3}{a} and {b} {COMMON * 4}" for a in "ABC" for b in "DEF"], 130, ["D", "E", "F"]),
]


@pytest.mark.parametrize(("texts", "width", "kept"), FOLDS)
def test_what_differs_is_never_folded(
    module, texts: list[str], width: int, kept: list[str]
) -> None:
    """Beginnings and ends that are shared go first; one long word is told apart by its letters."""
    code = "(items, most) => foldTogether(items, most)"
    for most in (1, 2):
        all_of = module(code, [{"text": text, "first": width} for text in texts], most)
        shown = [
            "\n".join("".join(run["text"] for run in line) for line in one["lines"])
            for one in all_of
        ]
        assert len(set(shown)) == len(set(texts)), shown
        assert all(len(one["lines"]) <= most for one in all_of)
        assert all(part in text for text, part in zip(shown, kept, strict=False)), shown
        assert all(one["folded"] == ("…" in said) for one, said in zip(all_of, shown, strict=True))


def test_heads_stay_marked(module) -> None:
    """Texts of the same words are told apart by what is marked in them, wherever that is."""
    text = "one two three four five six seven eight nine ten"
    marks = [{"from": text.index(word), "length": len(word)} for word in text.split()]
    items = [{"text": text, "marks": [mark], "first": 90} for mark in marks]
    code = "(items, most) => foldTogether(items, most)"
    for one, word in zip(module(code, items, 1), text.split(), strict=True):
        assert [run["text"] for run in one["lines"][0] if run["marked"]] == [word]
