"""A sweep: each run is a search of its own, and the page plays all of them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from browser import ready
from explored import best_first, linearizer, short_sentences
from layout import SCREENS
from test_player import CONTROLS, named_controls

import wordorder_lab as wl
from wordorder_lab.analysis.gold_survival import CUT, ordered
from wordorder_lab.exploring.rows import explored
from wordorder_lab.exploring.sweep import Sweep, further_values

REFERENCE = {"engine": "reference"}
BEAMS = (1, 2, 4, 8, 16, 64)


def ten_units() -> Any:
    return next(one for one in wl.load_corpus("gazette").dev if len(one) == 10)


def swept(**more: Any) -> Sweep:
    return wl.sweep(linearizer(), ten_units(), beam=BEAMS, **REFERENCE, **more)


KNOBS: list[tuple[Any, str, tuple[Any, ...], dict[str, Any]]] = [
    (linearizer, "beam", BEAMS, {}),
    (best_first, "expansions", (3, 40, 150), {"beam": 4}),
    (best_first, "beam", (2, 0), {"expansions": 60}),
]


@pytest.mark.parametrize("engine", ["reference", "fast"])
@pytest.mark.parametrize(("make", "knob", "values", "others"), KNOBS)
def test_each_run_is_a_search_of_its_own(
    engine: str, make: Any, knob: str, values: Any, others: Any
) -> None:
    """Output, score, events and the fate of gold, bit for bit; and the bag is that of training."""
    model, sentence = make(), ten_units()
    sweep = wl.sweep(model, sentence, engine=engine, **{knob: values}, **others)
    assert sweep.bag == explored(model, [sentence]).bag(sentence)
    assert [run.value for run in sweep.runs] == [*values]
    for run in sweep.runs:
        how = {knob: run.value, "engine": engine, **others}
        log = wl.EventLog()
        assert run.result == model.order(sweep.bag, trace=log, **how) and run.log == log
        assert run.cost == run.result.counters and run.exact == (run.result.text == sentence.text)
        gold = ordered(model, sweep.bag, sentence, model.settings["seed"], **how)[2]
        assert gold is not None and (run.fate, run.lost) == (gold.how, gold.lost or None)
    assert sweep == wl.sweep(model, sentence, engine=engine, **{knob: values}, **others)
    frame = sweep.frame
    assert frame.filter(like="candidates").shape[1] + frame.filter(like="edges").shape[1] == 1
    assert [*frame[knob]] == [*values] and [*frame["score"]] == [r.result.score for r in sweep.runs]


def test_the_reference_of_a_sentence_and_the_curve_over_others() -> None:
    """BLEU is what evaluate gives; a bag that is typed has no reference, and so no gold."""
    dev = short_sentences()[:6]
    sweep = swept(dev=dev)
    for run in sweep.runs:
        scores = wl.evaluate(linearizer(), dev, beam=run.value, **REFERENCE).scores
        assert run.dev == scores.bleu_cased
    lost = [run.label for run in sweep.runs if run.fate == CUT]
    told = "all of them" if len(lost) == len(BEAMS) else f"beam {lost[0]}"
    assert lost and f"Gold's tree is lost with {told}" in sweep.says
    best = max(run.dev for run in sweep.runs if run.dev is not None)
    assert "Over dev, BLEU is best with " in sweep.says and f"({best:.1f})" in sweep.says
    typed = wl.sweep(linearizer(), "a clock paints .", beam=(1, 4), **REFERENCE)
    assert typed.reference is None and "fault" in typed.frame
    assert all(run.fate is run.exact is run.dev is None for run in typed.runs)


def test_a_compressor_is_swept_over_its_pairs() -> None:
    """The bonus leaves more words; a search without steps has a row, and nothing to play."""
    pairs = wl.load_compressions("gazette").train[:20]
    model = wl.train("mcdonald-2006", pairs, epochs=1, progress=False)
    sweep = wl.sweep(model, pairs[3], bonus=(-2.0, 0.0, 2.0), dev=pairs[:4])
    words = [len(run.result.words) for run in sweep.runs]
    assert words == sorted(words) and words[0] < words[-1] and sweep.measure == "relation F1"
    for run in sweep.runs:
        log = wl.EventLog()
        alone = model.compress(pairs[3].source, bonus=run.value, trace=log)
        assert (run.result.text, run.result.score, run.log) == (alone.text, alone.score, log)
        assert run.fault is not None and 0 <= run.dev <= 100
    tree = wl.train("wan-2009-cle", short_sentences("train")[:20], progress=False)
    silent = wl.sweep(tree, "a clock .", beam=(1, 4))
    assert [len(run.log) for run in silent.runs] == [0, 0]


def test_what_is_learned_and_what_is_given_are_knobs_too() -> None:
    """Templates off, models by name, a training a value, shares and single heads: bit for bit."""
    model, sentence = linearizer(), ten_units()
    off = wl.sweep(model, sentence, without=((), "Trigram", ("w0", "S0wS1w")), **REFERENCE)
    for run, names in zip(off.runs, [(), ("Trigram",), ("w0", "S0wS1w")], strict=True):
        alone = model.without(*names).order(off.bag, **REFERENCE)
        assert (
            run.result == alone
            and run.result
            == wl.sweep(
                model.without(*names), sentence, beam=[model.settings["beam"]], engine="fast"
            )
            .runs[0]
            .result
        )
    assert [run.label for run in off.runs] == ["none", "Trigram", "w0 + S0wS1w"]
    assert len({run.result.score for run in off.runs}) > 1
    few, how = short_sentences("train")[:40], {"beam": 2, "engine": "fast"}
    trained = wl.sweep("liu-2015", sentence, train=few, epochs=(1, 3), **how)
    models = {f"{n} epochs": wl.train("liu-2015", few, epochs=n, **how) for n in (1, 3)}
    named = wl.sweep(models, sentence, engine="fast")
    for run, same, own in zip(trained.runs, named.runs, models.values(), strict=True):
        assert run.result == same.result == own.order(trained.bag, engine="fast")
        assert run.log == same.log
    assert named.knob == "model" and [run.value for run in named.runs] == [*models]
    shares = wl.sweep(model, sentence, deps=(0, 0.5, 1), engine="fast")
    for run in shares.runs:
        bag = explored(model, [sentence], deps=run.value).bag(sentence)
        assert run.bag == bag and run.result == model.order(bag, engine="fast")
    units = [" ".join(unit) for unit in off.bag.words]
    heads = wl.sweep(model, sentence, heads=((), units[3], units), engine="fast")
    given = [[head for head in run.bag.heads if head is not None] for run in heads.runs]
    assert [len(one) for one in given] == [0, 1, 10]
    for run in heads.runs:
        assert run.result == model.order(run.bag, engine="fast")
    typed = wl.sweep(model, "saw>0 boats>1 .", heads=((), "boats"), engine="fast")
    assert [[h for h in run.bag.heads if h is not None] for run in typed.runs] == [[], [0]]


def test_templates_of_best_first_search_can_be_switched_off() -> None:
    model, bag = best_first(), explored(best_first(), [ten_units()]).bag(ten_units())
    heading = model.keys.templates.templates[0].section
    off = wl.sweep(model, bag, without=((), heading), expansions=40, engine="fast")
    for run, names in zip(off.runs, [(), (heading,)], strict=True):
        asked = {"expansions": 40, "engine": "reference"}
        assert run.result == model.without(*names).order(bag, **asked)
    assert off.runs[0].result.score != off.runs[1].result.score


def test_language_models_and_constraints_are_swept() -> None:
    """The weight of n-grams, rate and constraints: each as the search alone has it."""
    few = short_sentences("train")[:40]
    model = wl.train("liu-2015", few, epochs=1, beam=2, lm_order=2, engine="fast")
    weights = wl.sweep(model, ten_units(), lm_weight=(0.0, 1.0, 8.0), engine="fast")
    for run in weights.runs:
        alone = model.order(weights.bag, lm_weight=run.value, engine="fast")
        assert run.result == alone
    assert len({run.result.score for run in weights.runs}) == 3
    pairs = wl.load_compressions("gazette").train[:20]
    model = wl.train("clarke-lapata-2008-ilp", pairs, epochs=1, progress=False)
    for knob, values, others in (
        ("constraints", ("all", "none", ("modifiers",)), {}),
        ("rate", (0.4, 0.8), {"keep": [pairs[3].source.leaves()[0]]}),
    ):
        swept = wl.sweep(model, pairs[3], **{knob: values}, **others)
        for run in swept.runs:
            alone = model.compress(pairs[3].source, **{knob: run.value}, **others)
            assert (run.result.text, run.result.score) == (alone.text, alone.score)


def test_a_further_value_is_searched_and_takes_its_place() -> None:
    """As if it had been given at the beginning; one that cannot be is refused and leaves no row."""
    sweep, whole = (
        wl.sweep(linearizer(), ten_units(), beam=beams, dev=short_sentences()[:4], **REFERENCE)
        for beams in ((1, 8), (1, 3, 8))
    )
    assert sweep.search(3) == whole.runs[1] and sweep.search(3) is sweep.runs[1]
    assert sweep == whole and sweep.says == whole.says
    with pytest.raises(ValueError, match="beam is a whole number from 1"):
        sweep.search(0)
    assert len(sweep.runs) == 3
    low, high = sweep.runs[0].dev_interval
    assert low <= sweep.runs[0].dev <= high


def test_a_live_sweep_answers_with_a_new_run_or_with_a_reason() -> None:
    live = pytest.importorskip("wordorder_lab.widgets.live")
    sweep = wl.sweep(linearizer(), ten_units(), beam=(1, 8), **REFERENCE)
    widget, sent = live.Sweeping(sweep, further_values(sweep._setting)), []
    widget.send = lambda message, buffers=None: sent.append(message)
    assert widget.data["further"]["whole"] and widget.data["further"]["least"] == 1
    widget._heard(widget, {"wants": "run", "value": 3, "id": 1}, [])
    widget._heard(widget, {"wants": "run", "value": -1, "id": 2}, [])
    assert sent[0] == {"id": 1, "answer": {"at": 1}}
    assert "whole number from 1" in sent[1]["answer"]["sorry"]
    assert [run["label"] for run in widget.data["runs"]] == ["1", "3", "8"]
    assert "further" not in sweep.page() and "iframe" in widget._repr_html_()


BAD: list[tuple[dict[str, Any], str]] = [
    ({}, "a sweep turns one setting, given as beam=(1, 4, 16); there is none"),
    ({"beam": 4}, "there is none"),
    ({"beam": (1, 2), "lm_weight": (0, 1)}, "these are 2: beam, lm_weight"),
    ({"beam": ()}, "'beam' has 1 to 16 values to try, not 0"),
    ({"beam": range(1, 30)}, "'beam' has 1 to 16 values to try, not 29"),
    ({"bean": (1, 2)}, "no setting 'bean' (did you mean 'beam'?) in its search"),
    ({"beam": (1, 0)}, "beam is a whole number from 1"),
    ({"without": ("Trigrm",)}, "no template or heading 'Trigrm' (did you mean 'Trigram'?)"),
    ({"heads": ((), "clock")}, "for a bag whose heads are known"),
    ({"epochs": (1, 2), "train": ["a"]}, "a model that is trained stays as it is"),
    ({"beam": (1, 2), "heads": "a", "dev": ["a ."]}, "heads= names units of this bag"),
]


@pytest.mark.parametrize(("knobs", "told"), BAD)
def test_what_is_no_knob_is_refused(knobs: dict[str, Any], told: str) -> None:
    with pytest.raises(ValueError, match=re.escape(told)):
        wl.sweep(linearizer(), "a clock .", **knobs)


# --- the page -------------------------------------------------------------------------------


def opened(page: Any, sweep: Sweep, folder: Path, address: str = "") -> Any:
    path = sweep.to_html(folder / "sweep.html")
    assert path.stat().st_size < 1_000_000
    ready(page, path, address)
    return page.locator(".wol-sweep")


@pytest.mark.browser
def test_the_knob_moves_table_curve_and_player(page, tmp_path) -> None:
    """By keys, by a press on a row, and by the address; the view that was chosen stays."""
    sweep = swept(dev=short_sentences()[:4])
    shown = opened(page, sweep, tmp_path, "#value=2")
    knob, value = shown.get_by_label("Value of beam"), shown.locator(".wol-sweep-value")
    events = "wordorderSweep.player.logs[0].length"
    assert value.inner_text() == "beam 2" and knob.get_attribute("aria-valuetext") == "beam 2"
    assert page.evaluate(events) == len(sweep.runs[1].told)
    page.evaluate("wordorderSweep.player.setView('spans')")
    knob.focus()
    page.keyboard.press("End")
    assert value.inner_text() == "beam 64"
    assert page.evaluate(events) == len(sweep.runs[-1].told)
    assert page.evaluate("wordorderSweep.player.viewName") == "spans"
    shown.get_by_role("button", name="beam 4", exact=True).click()
    assert value.inner_text() == "beam 4"
    assert shown.locator(".wol-sweep-chosen").count() == 1
    outputs = shown.locator("tbody tr:not(.wol-sweep-reference) td.wol-line").all_inner_texts()
    assert [" ".join(one.replace("✓", "").split()) for one in outputs] == [
        run.result.text for run in sweep.runs
    ]
    lit = [row.locator("mark").count() for row in shown.locator("tbody tr").all()][1:]
    assert [count == 0 for count in lit] == [run.exact for run in sweep.runs]
    assert shown.locator(".wol-sweep-curve circle").count() == len(BEAMS)
    assert len(named_controls(page, CONTROLS | {"image"})) > 12


@pytest.mark.browser
def test_the_answer_stands_on_the_first_screen(page, tmp_path) -> None:
    """At most 700 px or a big screen; all runs in sight, nothing goes sideways, 12 px at least."""
    shown = opened(page, swept(dev=short_sentences()[:4]), tmp_path)
    for width, height, _ in SCREENS[:3]:
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_timeout(100)
        box = shown.bounding_box()
        assert box["width"] <= width and box["height"] <= (1080 if width == 1920 else 700)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        table = shown.locator(".wol-outcomes")
        assert table.evaluate("(one) => one.scrollHeight <= one.clientHeight + 1")
        sizes = "(one) => [...one.querySelectorAll('*')].map((x) => getComputedStyle(x).fontSize)"
        assert all(float(size[:-2]) >= 12 for size in table.evaluate(sizes))
        stage = shown.locator(".wol-stage").bounding_box()
        assert stage["height"] >= 150 and stage["y"] + stage["height"] <= height


@pytest.mark.browser
def test_no_word_becomes_html_and_what_has_no_steps_says_so(page, tmp_path) -> None:
    bag = wl.WordBag(["<b>dog</b>", "saw", "boats"])
    shown = opened(page, wl.sweep(linearizer(), bag, beam=(1, 3), **REFERENCE), tmp_path)
    assert "<b>dog</b>" in shown.inner_text() and page.locator("b", has_text="dog").count() == 0
    assert "reference" not in shown.locator("tbody").inner_text()
    few = wl.sweep(best_first(), ten_units(), expansions=(1, 9), **REFERENCE)
    lacking = [*few.reference.split()]
    for word in few.runs[0].result.text.split():
        lacking.remove(word)
    shown = opened(page, few, tmp_path)
    assert f"without “{' '.join(lacking)}”" in shown.locator("tbody tr").nth(1).inner_text()
    tree = wl.train("wan-2009-cle", short_sentences("train")[:20], progress=False)
    shown = opened(page, wl.sweep(tree, "a clock .", beam=(1, 4)), tmp_path)
    assert "no steps that could be played" in shown.inner_text()
