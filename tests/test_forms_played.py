"""Units with several forms and arcs with labels: what a log tells, what folds and players show."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
from browser import ready

import wordorder_lab as wl
from wordorder_lab.structures.bag import OrderingExample
from wordorder_lab.structures.sentence import Sentence, Token
from wordorder_lab.trace.reducers.beam import shifted, without_label
from wordorder_lab.trace.reducers.best_so_far import best_so_far
from wordorder_lab.trace.reducers.replay import fold
from wordorder_lab.widgets.page import default_title

TAGS = ["DT", "JJ", "NN", "VBZ"]
HEADS = [2, 2, 3, -1]
LABELS = ["det", "amod", "nsubj:pass", "root"]


def bag_of_forms() -> wl.WordBag:
    """*an honest friend is*, where two units have two forms each, one of them two words."""
    return wl.WordBag(
        ["a", "honest", "friend", "is"],
        TAGS,
        HEADS,
        labels=LABELS,
        alternatives=[["an"], None, None, [("was", "once"), "are"]],
    )


def example() -> OrderingExample:
    words = [("an",), ("honest",), ("friend",), ("is",)]
    tokens = [Token(*one) for one in zip(words, TAGS, HEADS, LABELS)]
    return OrderingExample(bag_of_forms(), Sentence(tuple(tokens), "invented"), (0, 1, 2, 3))


@cache
def played(system: str) -> wl.EventLog:
    """A search of a model that has learned this one bag, if little."""
    how: dict[str, Any] = {"engine": "reference", "progress": False, "epochs": 2, "beam": 8}
    how |= {"templates": "puduppully_2016_look_ahead"} if system == "liu-2015" else {}
    model = wl.train(system, [example()], labels=True, pos=1, deps=1, **how)
    log = wl.EventLog()
    model.order(bag_of_forms(), engine="reference", trace=log)
    return log


SYSTEMS = ["liu-2015", "zhang-clark-2015-dependency"]
FORMS = [["a", "an"], ["honest"], ["friend"], ["is", "was once", "are"]]


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_log_tells_forms_and_labels_after_the_beginning(system: str) -> None:
    log = played(system)
    assert [event[0] for event in log.events[:3]] == ["begin", "alternatives", "labels"]
    _, units, counts, items, _ = log.events[0]
    _, types, forms = log.events[1]
    own = {unit: [f for t, f in zip(types, forms) if t == k] for k, unit in enumerate(units)}
    assert own == {"a": ["a", "an"], "honest": [], "friend": [], "is": FORMS[3]}
    assert counts == [1] * 4 and len(log.events[2][1]) == items == 7
    assert sorted({*log.events[2][1]}) == sorted(LABELS)


def test_a_page_is_called_by_its_units_with_all_their_forms() -> None:
    title = default_title(played("liu-2015"))
    assert sorted(title.removeprefix("Ordering: ").split(" · ")) == sorted(map("|".join, FORMS))


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_fold_knows_the_form_and_the_label_of_each_word(system: str) -> None:
    log = played(system)
    state = fold(log, len(log), "beam" if system == "liu-2015" else "chart")
    assert sorted(state["forms"]) == sorted(FORMS)
    label = dict(zip(["a", "an", "honest", "friend"], ["det", "det", *LABELS[1:3]]))
    seen: set[str] = set()
    if system == "liu-2015":
        words = [
            word for column in state["columns"] for s in column["states"] for word in s["order"]
        ]
    else:
        words = [[e["form"], e["pos"], e["label"]] for e in state["edges"] if not e["left"]]
    for form, tag, own in words:
        assert own == label.get(form, "root") and tag in TAGS
        seen.add(form)
    assert {"a", "an", "is", "was once"} <= seen
    last = best_so_far(log)[-1].units
    assert len(last) == 4 and len({*last} & {*FORMS[0]}) == 1 == len({*last} & {*FORMS[3]})
    spans = fold(log, len(log), "spans")
    assert max(int(length) for length in spans["made"]) >= 5, "a form of two words counts two"


def test_a_label_behind_a_tag_is_told_from_a_colon_in_it() -> None:
    labels = ["", "poss", "nmod:poss"]
    assert without_label("NN:nmod:poss", labels) == ["NN", "nmod:poss"]
    assert without_label("::poss", labels) == [":", "poss"]
    assert without_label("NN:poss", []) == ["NN:poss"]
    assert without_label(":poss", labels) == [":poss"], "a tag is not empty"
    assert shifted("SHIFT-an-DT:det", ["a", "an"]) == ["an", "DT:det"]


# --- in the browser -------------------------------------------------------------------------------


def forms_line(page: Any) -> str:
    return " ".join(page.locator(".wol-forms").inner_text().split())


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_player_says_which_form_has_won_and_when_the_others_fell(
    page, tmp_path, system: str
) -> None:
    log = played(system)
    ready(page, wl.to_html(log, tmp_path / "forms.html", at=1))
    assert forms_line(page) == "", "begin names the units by their first forms"
    page.get_by_label("Last").click()
    told = forms_line(page)
    for own in (FORMS[0], FORMS[3]):
        used = {*best_so_far(log)[-1].units} & {*own}
        assert len(used) == 1 and f"✓ {used.pop()}" in told
    assert told.count("✓") == 2
    fell = page.locator(".wol-forms del").all_inner_texts()
    assert len(fell) == 3
    words = "popped" if system != "liu-2015" else "the beam"
    assert told.count(words) == 3, "of each form that fell it says when"


@pytest.mark.parametrize("system", SYSTEMS)
def test_labels_stand_on_the_arcs(page, tmp_path, system: str) -> None:
    log = played(system)
    ready(page, wl.to_html(log, tmp_path / "labels.html", view="together"))
    texts = page.locator(".wol-panel svg text").all_text_contents()
    assert {"det", "amod", "nsubj:pass"} <= {*texts}


def test_units_with_the_same_forms_are_one_entry(page, tmp_path) -> None:
    log = wl.EventLog()
    log.begin(["a", "a", "b"], [1, 1, 1], 5, 0)
    log.alternatives([0, 0, 1, 1], ["a", "an", "a", "an"])
    log.leaf(1, 0, "a", "DT", 1.0, -1)
    log.popped(1, 1.0)
    ready(page, wl.to_html(log, tmp_path / "twice.html"))
    assert forms_line(page) == "a 1 pop, up to 1 unit | an not popped yet (2 units)"
