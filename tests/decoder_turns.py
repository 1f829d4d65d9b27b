"""You are the decoder: the turns of a game over a log, with choices of your own.

In a search with a beam a turn is a state, and you choose among the successors that the log knows.
The game goes on from the one you chose; where the beam has cut it, from the best state that was
kept instead. In a best-first search a turn is a pop; whatever you choose, the log's own pop
follows. Of more than ``MOST_TURNS`` pops so many are asked about, evenly spread.

A choice has a point if it is gold. Where no option is gold, or nothing is known of gold, it has one
if the model ranks no option above it: equals are all right. The player's ``decoder/turns.js`` is
held to the same turns.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from wordorder_lab.structures.trace import Event, Events
from wordorder_lab.trace.reducers import search as books
from wordorder_lab.trace.reducers.decoding import asked_pops

MOST_OPTIONS = 9
"""Options that are offered, the best ones and the best that is gold."""
NEAR_TIE = 1e-9
"""Scores that differ by less, as a share, are equal."""

Ranked = list[Any]
Turn = dict[str, Any]
"""``asked`` and ``decided``: numbers of events, before the choice and after what came of it.
``state``: that which goes on (of best-first search the number of the pop). ``options``:
[serial, score] as offered, best first; ``waiting``: how many there are in all. ``gold``: serials of
options that are gold. ``model``: the model's own choice. Once something is chosen, ``choice``,
``ranks`` of the options among all (1: none is above it), ``point``, ``model_point``, and in a beam
``fate``: "kept", "cut", "recombined" or "unknown", ``place``: the rank in the whole step,
``margin``: by how much it was cut."""


def turns(log: Events, search: int, chosen: Sequence[int]) -> list[Turn]:
    """Turns so far of a search (from 1), and the next; ``ValueError`` for what is not offered."""
    first, events = _search(log, search)
    if any(event[0] == "popped" for event in events):
        return _of_pops(first, events, chosen)
    return _of_beam(first, events, chosen)


def is_above(score: float, other: float) -> bool:
    """Whether a score is above another one by more than the noise of the last bits."""
    return score - other > NEAR_TIE * max(1, abs(score), abs(other))


def _search(log: Events, search: int) -> tuple[int, list[Event]]:
    """How many events come before a search, and its own."""
    every = list(log)
    begins = [i for i, event in enumerate(every) if event[0] == "begin"]
    if not 1 <= search <= len(begins):
        return len(every), []
    first, end = [*begins, len(every)][search - 1 : search + 1]
    return first, every[first:end]


def _turn(
    asked: int, decided: int, state: int, ranked: list[Ranked], gold: list[int], model: int
) -> Turn:
    """A turn with nothing chosen yet; ``ranked`` are all options, best first."""
    best_gold = next((serial for serial, _ in ranked if serial in gold), model)
    must = {best_gold, model}
    others = [serial for serial, _ in ranked if serial not in must]
    shown = must | {*others[: MOST_OPTIONS - len(must)]}
    return {
        "asked": asked,
        "decided": decided,
        "state": state,
        "options": [one for one in ranked if one[0] in shown],
        "waiting": len(ranked),
        "gold": [serial for serial in gold if serial in shown],
        "model": model,
    }


def _judge(turn: Turn, choice: int, ranked: list[Ranked]) -> Turn:
    offered = [serial for serial, _ in turn["options"]]
    if choice not in offered:
        raise ValueError(f"{choice} is not offered; there are {', '.join(map(str, offered))}")
    ranks = {
        serial: 1 + sum(is_above(score, own) for _, score in ranked)
        for serial, own in turn["options"]
    }

    def point(serial: int) -> int:
        return int(serial in turn["gold"] if turn["gold"] else ranks[serial] == 1)

    points = {"point": point(choice), "model_point": point(turn["model"])}
    return {**turn, "choice": choice, "ranks": [*ranks.values()], **points}


# --- a beam ---------------------------------------------------------------------------------


class _Beam:
    """What a log says of its candidates, by serial; ``ends`` and ``best`` by step."""

    def __init__(self, first: int, events: list[Event]) -> None:
        self.step, self.last = 0, first + len(events)
        self.steps: dict[int, int] = {}
        self.scores: dict[int, float] = {}
        self.children: dict[int, list[int]] = {}
        self.asked: dict[int, int] = {}
        self.ends: dict[int, int] = {}
        self.best: dict[int, int] = {}
        self.fates: dict[int, tuple[str, float]] = {}
        self.gold: set[int] = set()
        for k, event in enumerate(events, first):
            self._note(k, event)

    def _note(self, k: int, event: Event) -> None:
        match event:
            case ("step" | "finished" | "update" as kind, *_):
                self.ends.setdefault(self.step, k)
                self.step += kind == "step"
            case "candidate", serial, parent, _, score:
                self.steps[serial], self.scores[serial] = self.step, score
                self.children.setdefault(parent, []).append(serial)
                self.asked.setdefault(parent, k)
            case "kept", serial, rank:
                self.fates[serial] = ("kept", 0)
                if rank == 0:
                    self.best[self.step] = serial
            case "cut", serial, margin:
                self.fates[serial] = ("cut", margin)
            case "pruned", serial, _:
                self.fates[serial] = ("recombined", 0)
            case "gold", _, serial, _:
                self.gold.add(serial)

    def ranked(self, state: int) -> list[Ranked]:
        made = [[serial, self.scores[serial]] for serial in self.children.get(state, ())]
        return sorted(made, key=lambda one: (-one[1], one[0]))

    def outcome(self, serial: int) -> Turn:
        fate, margin = self.fates.get(serial, ("unknown", 0))
        step, score = self.steps[serial], self.scores[serial]
        rivals = [self.scores[other] for other, where in self.steps.items() if where == step]
        place = 1 + sum(is_above(rival, score) for rival in rivals)
        return {"fate": fate, "place": place, "margin": margin}

    def goes_on(self, state: int) -> bool:
        """Whether its successors come later than the state, as in every search."""
        return self.steps.get(state, 0) < min(self.steps[one] for one in self.children[state])

    def after(self, serial: int) -> int:  # what goes on: this one, or the best that was kept
        if self.fates.get(serial, ("", 0))[0] == "kept":
            return serial
        return self.best.get(self.steps[serial], -1)


def _of_beam(first: int, events: list[Event], chosen: Sequence[int]) -> list[Turn]:
    beam = _Beam(first, events)
    played: list[Turn] = []
    state, left = 0, [*chosen]
    while (ranked := beam.ranked(state)) and beam.goes_on(state):
        choice = ranked[0][0]
        if len(ranked) > 1:
            gold = [serial for serial, _ in ranked if serial in beam.gold]
            end = beam.ends.get(beam.steps[choice], beam.last)
            turn = _turn(beam.asked[state], end, state, ranked, gold, choice)
            if not left:
                return [*played, turn]
            choice = left.pop(0)
            played.append({**_judge(turn, choice, ranked), **beam.outcome(choice)})
        state = beam.after(choice)
    return played


# --- best first -----------------------------------------------------------------------------


def _of_pops(first: int, events: list[Event], chosen: Sequence[int]) -> list[Turn]:
    asked = asked_pops(events)
    state = books.start()
    played: list[Turn] = []
    for i, event in enumerate(events[: asked[-1] + 1] if asked else []):
        if i in asked:
            best = books.on_agenda(state, len(state["edges"]))
            ranked = [[serial, state["scores"][serial - 1]] for serial in best]
            gold = [serial for serial in best if state["edges"][serial - 1]["gold"] == 1]
            ends = (j for j in range(i + 1, len(events)) if events[j][0] in ("popped", "stopped"))
            end = first + next(ends, len(events))
            turn = _turn(first + i, end, len(state["pops"]) + 1, ranked, gold, event[1])
            if len(played) == len(chosen):
                return [*played, turn]
            played.append(_judge(turn, chosen[len(played)], ranked))
        books.apply(state, event)
    return played
