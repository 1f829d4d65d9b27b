"""``wl.race(models, bag)``: several searches on one bag, beside each other on one clock.

Every model orders the bag once with a trace, which tells the outputs and the work, and then
without one: those seconds are the clock, since a trace takes time of its own.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from wordorder_lab.metrics.bleu import sacrebleu_metric
from wordorder_lab.structures.arguments import checks_arguments
from wordorder_lab.structures.bag import WordBag, bag_of
from wordorder_lab.structures.messages import cited
from wordorder_lab.structures.result import Result
from wordorder_lab.structures.sentence import Sentence
from wordorder_lab.structures.typed_bag import as_bag
from wordorder_lab.systems.model import OrderingModel, Words
from wordorder_lab.trace.log import EventLog
from wordorder_lab.trace.reducers.best_so_far import SoFar, best_so_far
from wordorder_lab.widgets.race import RacePage, Racer, Row

if TYPE_CHECKING:
    from wordorder_lab.widgets.live import Race

Options = Mapping[str, Any]
MOST = 4
"""Models of a race: more lanes do not fit on a screen."""
MOST_EVENTS = 400_000
RUNS, PATIENCE = 4, 1.0
"""Runs without a trace, of which the fastest counts; two where a run takes more seconds. The first
may be one in which the fast engine is compiled."""


@checks_arguments
def race(  # noqa: PLR0913  (each is a choice by name)
    models: Mapping[str, Any] | Sequence[Any],
    bag: Words | Sentence,
    *,
    gold: Sentence | str | None = None,
    names: Sequence[str] | None = None,
    search: Sequence[Options | None] | None = None,
    engine: str | None = None,
    seed: int = 1,
    timed: bool = True,
    title: str | None = None,
) -> Race | RacePage:
    """Watch two to four models order one bag, on one clock of seconds or of expansions.

    ``models`` are a list, or a table by name; any system that orders words. ``bag`` is what
    ``model.order`` takes, or a sentence, which is then ``gold``, too, and is shuffled by ``seed``,
    any whole number. With ``gold`` every output has its BLEU, and what is exact is marked.
    ``search`` has for each model the settings of its search, or ``None``. Without ``timed`` there
    are no seconds, and the page is the same from run to run. In a notebook this is a widget; its
    ``frame`` has a row an output, and ``to_html(path)`` writes it as a page.

    Raises ``ValueError`` for too few or too many models, names or settings that do not fit them,
    and as each ``model.order``.
    """
    racing = [*models.values()] if isinstance(models, Mapping) else [*models]
    names = [*models] if names is None and isinstance(models, Mapping) else names
    names = [*names] if names is not None else _names(racing)
    settings_of = [*search] if search is not None else [None] * len(racing)
    _check(racing, names, settings_of)
    if isinstance(bag, Sentence):
        gold = bag if gold is None else gold
        bag = bag_of(bag, seed=seed)
    ready = bag if isinstance(bag, WordBag) else as_bag(bag)
    wanted = gold.text if isinstance(gold, Sentence) else gold
    racers = [
        _racer(model, name, ready, wanted, timed, {"engine": engine, **(settings or {})})
        for model, name, settings in zip(racing, names, settings_of, strict=True)
    ]
    title = title or f"Race: {' · '.join(names)}"
    try:
        from wordorder_lab.widgets.live import Race
    except ImportError:
        return RacePage(racers, title, wanted)
    return Race(racers, title, wanted)


def _check(models: Sequence[object], names: Sequence[str], settings: Sequence[object]) -> None:
    if not 2 <= len(models) <= MOST:
        raise ValueError(f"a race is between 2 to {MOST} models, not {len(models)}")
    for model in models:
        if not hasattr(model, "order"):
            what = getattr(model, "system", type(model).__name__)
            raise ValueError(f"a race is between models that order words; {what} does not")
    if len({*names}) != len(models):
        raise ValueError(
            f"{len(models)} models have as many different names, not {cited([*names])}"
        )
    if len(settings) != len(models):
        raise ValueError(
            f"search has settings for each of {len(models)} models, not {len(settings)}"
        )


def _names(models: Sequence[object]) -> list[str]:
    """The systems; those that are there twice are numbered."""
    systems = [getattr(model, "system", type(model).__name__) for model in models]
    return [
        f"{system} {systems[: i + 1].count(system)}" if systems.count(system) > 1 else system
        for i, system in enumerate(systems)
    ]


def _racer(
    model: OrderingModel, name: str, bag: WordBag, gold: str | None, timed: bool, options: Options
) -> Racer:
    """One model's race: its outputs as they came, and its end."""
    log = EventLog(max_events=MOST_EVENTS)
    result = model.order(bag, trace=log, **options)
    seconds = _fastest(model, bag, options) if timed else None
    return Racer(
        name=name,
        system=model.system,
        rows=_rows(best_so_far(log), result, seconds, gold),
        stopped=result.stopped,
        cut=log.dropped,
        made="edges" if any(event[0] == "leaf" for event in log) else "candidates",
    )


def _fastest(model: OrderingModel, bag: WordBag, options: Options) -> float:
    """The seconds of the fastest run without a trace."""
    times: list[float] = []
    while len(times) < 2 or (len(times) < RUNS and times[-1] < PATIENCE):
        began = time.perf_counter()
        model.order(bag, **options)
        times.append(time.perf_counter() - began)
    return min(times)


def _rows(
    outputs: Sequence[SoFar], result: Result, seconds: float | None, gold: str | None
) -> tuple[Row, ...]:
    """The outputs with their times, spread by what was made; the last is the model's answer."""
    metric = sacrebleu_metric("cased", effective_order=True)
    whole = outputs[-1]
    rows = []
    for output in outputs:
        is_last = output is whole
        text = result.text if is_last else " ".join(output.units)
        rows.append(
            Row(
                expansions=output.expansions,
                seconds=None if seconds is None else seconds * output.made / max(1, whole.made),
                made=output.made,
                text=text,
                score=float(result.score) if is_last else output.score,
                bleu=None if gold is None else metric.sentence_score(text, [gold]).score,
                exact=None if gold is None else text == gold,
            )
        )
    return tuple(rows)
