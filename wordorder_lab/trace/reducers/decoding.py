"""You are the decoder: where the first choice of a game over a log is.

In a search with a beam a turn is a state, and you choose among the successors that the log knows;
in a best-first search it is a pop. Of more than ``MOST_TURNS`` pops so many are asked about, evenly
spread. The player's ``decoder/turns.js`` has the game.
"""

from __future__ import annotations

from wordorder_lab.structures.trace import Event, Events
from wordorder_lab.trace.reducers import search as books

MOST_TURNS = 15


def first_question(log: Events) -> int:
    """The number of events before the first choice; all of them where there is none."""
    every = list(log)
    begins = [i for i, event in enumerate(every) if event[0] == "begin"]
    first, end = [*begins, len(every), len(every)][:2]
    events = every[first:end]
    pops = any(event[0] == "popped" for event in events)
    asked = asked_pops(events)[:1] if pops else _asked_state(events)
    return first + asked[0] if asked else len(every)


def _asked_state(events: list[Event]) -> list[int]:
    """Where the successors of the first state that has several begin, if there is one."""
    steps: dict[int, int] = {}
    children: dict[int, list[int]] = {}
    asked: dict[int, int] = {}
    kept: set[int] = set()
    best: dict[int, int] = {}
    step = 0
    for k, event in enumerate(events):
        match event:
            case "step", *_:
                step += 1
            case "candidate", serial, parent, *_:
                steps[serial] = step
                children.setdefault(parent, []).append(serial)
                asked.setdefault(parent, k)
            case "kept", serial, rank:
                kept.add(serial)
                if rank == 0:
                    best[step] = serial
            case (("cut" | "pruned"), serial, _):
                kept.discard(serial)
    state = 0
    # In every search successors come later than the state.
    while (made := children.get(state)) and steps.get(state, 0) < min(steps[one] for one in made):
        if len(made) > 1:
            return [asked[state]]
        state = made[0] if made[0] in kept else best.get(steps[made[0]], -1)
    return []


def asked_pops(events: list[Event]) -> list[int]:
    """Which events are pops that are asked about: there is a choice, and they are not too many."""
    state = books.start()
    pops: list[int] = []
    for i, event in enumerate(events):
        choice = event[0] == "popped" and state["agenda"] > 1 and books.edge_of(state, event[1])
        if choice and state["places"][event[1] - 1] == books.AGENDA:
            pops.append(i)
        books.apply(state, event)
    if len(pops) <= MOST_TURNS:
        return pops
    return [pops[turn * (len(pops) - 1) // (MOST_TURNS - 1)] for turn in range(MOST_TURNS)]
