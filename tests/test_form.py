"""The ordering form, used as a student would use it, but without a browser."""

from __future__ import annotations

import sys
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

import pytest

from wordorder_lab.structures.bag import WordBag
from wordorder_lab.structures.result import Result
from wordorder_lab.structures.sentence import Sentence, Token
from wordorder_lab.structures.trees import DependencyTree
from wordorder_lab.systems import train
from wordorder_lab.widgets.form import ordering_form

widgets = pytest.importorskip("ipywidgets", reason="ipywidgets is not installed")

NOUNS = ("robin", "clock", "river", "teacher")


def sentence(first: str, second: str) -> Sentence:
    """``the robin watches the clock .``"""
    subject, thing = Token(("the", first), "NP", 1), Token(("the", second), "NP", 1)
    return Sentence((subject, Token(("watches",), "VBZ", -1), thing, Token((".",), ".", 1)))


SENTENCES = [sentence(first, second) for first in NOUNS for second in NOUNS]
MODEL = train("liu-2015", SENTENCES, beam=2, epochs=3, engine="reference", progress=False)
TYPED = "watches [the robin]/NP ./. [the clock]/NP"


class Speaks:
    """A model that leaves the order as it is, and keeps what it was asked for."""

    def __init__(self, does: Any = lambda: None) -> None:
        self.does = does
        self.asked: list[tuple[WordBag, int, str]] = []

    def order(self, bag: WordBag, *, beam: int, engine: str, trace: Any) -> Result:
        self.asked.append((bag, beam, engine))
        trace.begin([bag.form(i) for i in range(len(bag))], [1] * len(bag), len(bag), beam)
        self.does()
        units = tuple(tuple(unit) for unit in bag.words)
        tree = DependencyTree(
            tuple(map(" ".join, units)), ("NN",) * len(bag), tuple(range(-1, len(bag) - 1))
        )
        return Result(units, tuple(range(len(bag))), tree, 0.0)


def form_of(models: Any = MODEL, text: str = TYPED, **more: Any) -> Any:
    return ordering_form(models, text, **({"engine": "reference"} | more))


def test_run_leaves_everything_for_the_next_cell() -> None:
    form = form_of(beam=4)
    assert "4 units, 3 with a tag" in form.message
    form.run()
    assert form.message == "done" and form.error is None
    assert form.result.text in {"the robin watches the clock .", "the clock watches the robin ."}
    assert form.results == [form.result] and form.logs == [form.log]
    assert form.log.events[0][0] == "begin" and form.log.events[0][-1] == 4
    assert form.player.position == len(form.log) and form.stage.children == (form.player,)
    assert form.result.text in form.reports.children[0].value


def test_the_order_of_typing_does_not_matter() -> None:
    form, twin = form_of(seed=7), form_of(seed=7)
    form.run()
    found = form.result
    for _ in range(5):
        before = form.sentence.value
        form.shuffle_button.click()
        twin.shuffle_button.click()
        assert form.sentence.value == twin.sentence.value != before
        form.run_button.click()
        assert form.result.text == found.text and form.result.score == found.score


def test_shuffling_takes_the_list_of_tags_along() -> None:
    model = Speaks()
    form = form_of(model, "a/DT b/NN c d/VB")
    form.tags.value = "listed"
    assert form.listed.value == "DT NN _ VB"
    form.shuffle()
    form.run()
    ((bag, _, _),) = model.asked
    assert sorted(zip(bag.words, map(str, bag.pos or ()))) == [
        (("a",), "DT"), (("b",), "NN"), (("c",), "None"), (("d",), "VB"),
    ]  # fmt: skip
    assert bag.words != (("a",), ("b",), ("c",), ("d",))


def test_shuffling_changes_something_if_it_can_and_by_the_seed() -> None:
    for text in ("a", "a a a", "[a b] [a b]"):
        form = form_of(text=text)
        form.shuffle()
        assert form.sentence.value == text
    form = form_of(text="a b")
    for shuffled in ("b a", "a b") * 4:
        form.shuffle()
        assert form.sentence.value == shuffled
    forms = [form_of(text=" ".join(map(str, range(9))), seed=seed) for seed in range(3)]
    for form in forms:
        form.shuffle()
    assert len({form.sentence.value for form in forms}) == 3


@pytest.mark.parametrize(
    ("tags", "listed", "given"),
    [
        ("typed", "XX XX", (None, "NP")),
        ("none", "", (None, None)),
        ("listed", "VBZ _", ("VBZ", None)),
    ],
)
def test_tags_come_from_where_the_choice_says(tags: str, listed: str, given: tuple) -> None:
    model = Speaks()
    form = form_of(model, "watches [the robin]/NP", beam=3)
    form.tags.value, form.listed.value = tags, listed
    form.run()
    bag = WordBag(["watches", "the robin"], given)
    assert model.asked == [(bag, 3, "reference")]


WRONG = {
    "bracket": ("robin [the clock", "typed", "", "column 7: "),
    "slashes": ("1/2/3", "typed", "", "more than one slash"),
    "empty": ("  ", "typed", "", "the bag is empty"),
    "too many": ("a " * 1001, "typed", "", "1000 are the most"),
    "tag": ("robin/XYZ", "typed", "", "never saw the tag XYZ; it knows . NP VBZ"),
    "too few tags": ("a b c", "listed", "_ _", "3 units but 2 tags"),
}


@pytest.mark.parametrize(("text", "tags", "listed", "said"), WRONG.values(), ids=WRONG)
def test_bad_input_is_one_line_and_nothing_is_lost(text, tags, listed, said) -> None:
    form = form_of()
    form.run()
    result, player = form.result, form.player
    form.sentence.value, form.tags.value = text, tags
    form.listed.value = listed
    form.run()
    assert said in form.message and "\n" not in form.message
    assert isinstance(form.error, ValueError)
    assert form.sentence.value == text
    assert form.result is result and form.player is player and form.stage.children == (player,)
    assert not form.run_button.disabled
    form.sentence.value, form.tags.value = TYPED, "typed"
    form.run()
    assert form.message == "done" and form.error is None


def refusing(error: BaseException | None) -> Any:
    """A model that raises this, or gives nothing back."""
    return SimpleNamespace(order=Mock(side_effect=error, return_value=None))


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (ValueError("leave\nheads out"), "mine, beam 16, reference: leave heads out"),
        (KeyError("robin"), "mine, beam 16, reference: KeyError: 'robin'"),
        (RecursionError(), "reference: RecursionError"),
        (None, "gave back a NoneType, not a Result"),
    ],
)
def test_a_model_that_fails_does_so_within_the_form(error, said: str) -> None:
    form = form_of({"mine": refusing(error)})
    form.run()
    assert said in form.message and form.result is None
    assert error is None or form.error.__cause__ is error


def test_an_interruption_is_passed_on_and_leaves_the_form_usable() -> None:
    form = form_of(refusing(KeyboardInterrupt()))
    with pytest.raises(KeyboardInterrupt):
        form.run()
    assert "stopped" in form.message and not form.run_button.disabled


def test_while_it_runs_the_form_says_so() -> None:
    form: Any = None
    seen: list[tuple[bool, str]] = []
    model = Speaks(lambda: seen.append((form.run_button.disabled, form.message)))
    form = form_of({"mine": model})
    form.run()
    assert seen == [(True, "running mine, beam 16, reference ...")]
    assert not form.run_button.disabled


def test_the_first_run_of_the_fast_engine_announces_the_wait() -> None:
    form: Any = None
    seen: list[str] = []
    form = form_of(Speaks(lambda: seen.append(form.message)), engine=None)
    if form.a.engine.value != "fast":
        pytest.skip("there is no numba here")
    form.run()
    form.run()
    assert ["seconds" in said for said in seen] == [True, False]


def test_compare_plays_both_on_one_clock() -> None:
    other = Speaks()
    form = form_of({"a: b": MODEL, "other": other})
    form.compare.value = True
    form.b.beam.value = 2
    form.run()
    assert other.asked[0][1:] == (2, "reference")
    assert [log.events[0][-1] for log in form.logs] == [16, 2]
    assert form.result is form.results[0] and len(form.results) == 2
    assert form.player.data["names"] == ["a: b, beam 16, reference", "other, beam 2, reference"]
    assert len(form.player.data["logs"]) == len(form.reports.children) == 2
    assert "A and B found" in form.message
    form.compare.value = False
    form.run()
    assert len(form.results) == len(form.player.data["logs"]) == 1


def test_a_long_record_is_cut_with_a_mark() -> None:
    form = form_of(max_events=20)
    form.run()
    assert len(form.log) == 20 and form.log.is_cut
    assert "cut after 20 events" in form.message and f"{form.log.dropped:,} more" in form.message
    assert form.player is not None


def test_a_model_that_tells_its_trace_nothing_still_has_a_result() -> None:
    class Silent(Speaks):
        def order(self, bag: WordBag, *, trace: Any, **more: Any) -> Result:
            from wordorder_lab.trace.log import EventLog

            return super().order(bag, trace=EventLog(), **more)

    form = form_of(Silent())
    form.run()
    assert form.result is not None and form.player is None
    assert "nothing to play" in form.message
    assert form.result.text in form._repr_mimebundle_()["text/html"]


def test_corpus_sentences_can_be_tried() -> None:
    form = form_of(corpus_sentences=SENTENCES[:1])
    form.next_button.click()
    form.run()
    corpus = "just as in the corpus" if form.result.text == SENTENCES[0].text else "corpus: the"
    assert corpus in form.reports.children[0].value
    assert sorted(form.result.surface) == sorted(SENTENCES[0].surface)
    form.sentence.value = "robin"
    form.run()
    assert "corpus" not in form.reports.children[0].value


def test_text_of_the_user_is_never_html() -> None:
    evil = "<script>alert(1)<\\/script>"
    form = form_of({"<img src=x>": MODEL}, f"{evil} b/<b>")
    form.run()
    assert "never saw the tag <b>" in form.message
    shown = [form.status.value]
    form.tags.value = "none"
    shown += [form.status.value]
    form.run()
    shown += [form.reports.children[0].value, form._repr_mimebundle_()["text/html"]]
    assert form.result.text in {"<script>alert(1)</script> b", "b <script>alert(1)</script>"}
    assert not [text for text in shown for tag in ("<script>al", "<img", "<b>b") if tag in text]


def controls(box: Any) -> list[Any]:
    """Everything in a form that can be used."""
    inner = [c for child in getattr(box, "children", ()) for c in controls(child)]
    usable = (widgets.Button, widgets.Text, widgets.Textarea, widgets.Dropdown, widgets.Checkbox)
    return [*inner, box] if isinstance(box, usable) else inner


def test_every_control_is_named_and_explained() -> None:
    form = form_of(corpus_sentences=SENTENCES)
    form.compare.value, form.tags.value = True, "listed"
    found = controls(form.box)
    names = [control.description for control in found]
    assert len(names) == len(set(names)) == 13 and all(names)
    assert all(control.tooltip for control in found)


def test_an_exported_notebook_shows_and_plays_the_outcome() -> None:
    form = form_of()
    assert "JupyterLab" in form._repr_mimebundle_()["text/html"]
    form.run()
    bundle = form._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in bundle
    assert form.result.text in bundle["text/html"] and "<iframe srcdoc=" in bundle["text/html"]


def hide(patch: pytest.MonkeyPatch, module: str, *ours: str) -> None:
    """As if a library were not installed, and ours had not been imported yet."""
    patch.setitem(sys.modules, module, None)
    for name in ours:
        patch.delitem(sys.modules, f"wordorder_lab.widgets.{name}", raising=False)


def test_without_widgets_the_form_holds_the_page_or_says_what_to_install(monkeypatch) -> None:
    hide(monkeypatch, "anywidget", "live", "form_keys")
    form = form_of()
    form.run()
    assert form.message == "done"
    assert "<iframe srcdoc=" in form.stage.children[0].value
    hide(monkeypatch, "ipywidgets", "form_view", "form_controls")
    with pytest.raises(ImportError, match=r"pip install 'wordorder-lab\[lab\]'.*make lab"):
        form_of()


@pytest.mark.parametrize(
    ("models", "more", "said"),
    [
        ({}, {}, "needs a model"),
        ("m.wol", {}, "takes an Orders or a table, not 'm.wol'"),
        (MODEL, {"beam": 0}, "beam is at least 1"),
        (MODEL, {"engine": "quick"}, "no engine 'quick'"),
    ],
)
def test_what_cannot_be_is_refused_at_once(models, more, said) -> None:
    with pytest.raises(ValueError, match=said):
        form_of(models, **more)
