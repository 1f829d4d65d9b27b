"""Threads that share a model: each gets what it would get alone, while another thread trains.

Python changes threads very often here, between any two kernels, so that arrays which two searches
write into would show.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial
from itertools import cycle, islice
from threading import Event
from typing import Any, NamedTuple

import pytest

import wordorder_lab as wl
from wordorder_lab.runtime.buffers import KINDS, BufferPool
from wordorder_lab.systems.training_run import Moment

THREADS = 8
SENTENCES = [one for one in wl.load_corpus("gazette").train if len(one) <= 8][:24]
PAIRS = [one for one in wl.load_compressions("gazette").train if len(one.source.leaves()) < 10][:16]


class Case(NamedTuple):
    """A system: what it is trained with, and the settings that its searches take turns in."""

    train: Callable[[], Any]
    searches: tuple[dict[str, Any], ...]


class Heard:
    """A trace that writes down every event."""

    def __init__(self) -> None:
        self.events: list[str] = []

    def __getattr__(self, kind: str) -> Callable[..., None]:
        return lambda *arguments: self.events.append(f"{kind} {arguments}")


def _trains(system: str, examples: Any, **settings: Any) -> Callable[[], Any]:
    return partial(wl.train, system, examples, progress=False, **settings)


SHORT = {"beam": 8, "epochs": 1, "expansions": 60}
LIMITED = ({"expansions": 30}, {"beam": 3, "expansions": 50}, {"expansions": 20, "k": 3})
CASES = {
    "liu-2015": Case(
        _trains("liu-2015", SENTENCES, beam=8, epochs=2), ({}, {"beam": 3}, {"beam": 16, "k": 4})
    ),
    "zhang-clark-2015-dependency": Case(
        _trains("zhang-clark-2015-dependency", SENTENCES[:12], **SHORT), LIMITED
    ),
    "zhang-clark-2015-ccg": Case(_trains("zhang-clark-2015-ccg", SENTENCES[:12], **SHORT), LIMITED),
    "cohn-lapata-2009": Case(
        _trains("cohn-lapata-2009", PAIRS[:6], max_iterations=2),
        ({}, {"beam": 5}, {"k": 2, "bonus": 1.0}),
    ),
}


@cache
def trained(system: str) -> Any:
    return CASES[system].train()


@pytest.fixture(autouse=True)
def restless() -> Iterator[None]:
    """Python changes threads every few microseconds, not every five milliseconds."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(2e-5)
    yield
    sys.setswitchinterval(before)


def answer(model: Any, number: int, searches: tuple[dict[str, Any], ...]) -> tuple[Any, list[str]]:
    """Output ``number`` of a model, every fifth one with its events."""
    search = searches[number % len(searches)]
    heard = Heard() if number % 5 == 0 else None
    if model.system == "cohn-lapata-2009":
        made = model.compress(PAIRS[number % len(PAIRS)].source, trace=heard, **search)
    else:
        sentence = SENTENCES[number % len(SENTENCES)]
        bag = wl.bag_of(sentence, pos=number % 3 / 2, seed=number % 7)
        made = model.order(bag, trace=heard, **search)
    return made, heard.events if heard else []


def stress(system: str, orders: int) -> None:
    """So many orders by eight threads, while another one trains the same system over and over."""
    train, searches = CASES[system]
    model, learned, trainings = trained(system), parts_of(trained(system)), 0
    numbers = list(islice(cycle(range(120)), orders))
    alone = {number: answer(model, number, searches) for number in set(numbers)}
    shared, over = model.unshared(), Event()

    def keep_training() -> int:
        trainings = 0
        while not over.is_set():
            assert parts_of(train()) == learned
            trainings += 1
        return trainings

    with ThreadPoolExecutor(THREADS + 1) as pool:
        training = pool.submit(keep_training)
        try:
            answers = pool.map(lambda number: answer(shared, number, searches), numbers)
            wrong = [number for number, got in zip(numbers, answers) if got != alone[number]]
        finally:
            over.set()
        trainings = training.result()
    assert not wrong and trainings > 0


def parts_of(model: Any) -> list[bytes]:
    return [array.tobytes() for array in model.arrays().values()]


@pytest.mark.parametrize("system", CASES)
def test_threads_get_what_one_gets(system: str) -> None:
    stress(system, 200)


@pytest.mark.torture
@pytest.mark.parametrize("system", CASES)
def test_threads_get_what_one_gets_20_000_times(system: str) -> None:
    stress(system, 20_000)


@pytest.mark.parametrize("system", CASES)
def test_a_search_may_begin_inside_another(system: str) -> None:
    """A trace orders with the model that it is told about."""
    model, searches = trained(system), CASES[system].searches
    outer, inner = answer(model, 3, searches), answer(model, 6, searches)
    seen = []

    class Curious:
        def begin(self, *_: Any) -> None:
            seen.append(answer(model, 6, searches))

        def __getattr__(self, kind: str) -> Callable[..., None]:
            return lambda *_: seen.append(answer(model, 6, searches)) if len(seen) < 3 else None

    search, curious = searches[0], Curious()
    if system == "cohn-lapata-2009":
        made = model.compress(PAIRS[3].source, trace=curious, **search)
    else:
        bag = wl.bag_of(SENTENCES[3], pos=0, seed=3)
        made = model.order(bag, trace=curious, **search)
    assert made == outer[0] and len(seen) == 3 and all(one == inner for one in seen)


@pytest.mark.parametrize("system", ["liu-2015", "cohn-lapata-2009"])
def test_a_moment_is_over_when_training_goes_on(system: str) -> None:
    """What it gives in time stays as it is; later there is no half-learned model to be had."""
    moments: list[Moment[Any]] = []
    models: list[tuple[Any, list[bytes]]] = []

    def after(epoch: int, moment: Moment[Any]) -> None:
        moments.append(moment)
        models.append((model := moment(), parts_of(model)))

    settings = {"max_iterations": 2} if system == "cohn-lapata-2009" else {"epochs": 2, "beam": 4}
    examples: Any = PAIRS[:6] if system == "cohn-lapata-2009" else SENTENCES
    wl.train(system, examples, progress=False, on_epoch=after, **settings)
    assert len(models) == 2 and all(parts_of(model) == parts for model, parts in models)
    for moment in moments:
        with pytest.raises(RuntimeError, match=r"is over: call moment\(\) in on_epoch"):
            moment()


def test_a_broken_search_keeps_its_room() -> None:
    rooms: BufferPool[list[int]] = BufferPool()
    with rooms.borrowed("a", list) as first, rooms.borrowed("a", list) as second:
        assert first is not second
    with rooms.borrowed("a", list) as again:
        assert again in (first, second)
    with pytest.raises(KeyboardInterrupt), rooms.borrowed("a", list) as broken:
        raise KeyboardInterrupt
    with rooms.borrowed("a", list) as one, rooms.borrowed("a", list) as other:
        assert broken is not one and broken is not other
    for kind in range(KINDS):
        with rooms.borrowed(kind, list):
            pass
    with rooms.borrowed("a", list) as new:
        assert new is not one and new is not other  # rooms of the oldest kind are let go
