"""The probability of each category of each word, over all sequences of categories.

A sequence has the product of the probabilities of its categories, each behind the two before it
(``log_linear``). Clark & Curran (2007) sum over sequences by the forward-backward algorithm. A
state at word i is (category of word i - 1, category of word i), and

    forward(i, b, c)   =  sum over a of  forward(i - 1, a, b) * p(c | a, b)
    backward(i, b, c)  =  sum over d of  p(d | b, c) * backward(i + 1, c, d)
    P(c at word i)     =  sum over b of  forward(i, b, c) * backward(i, b, c),  over the sum of all

A word's candidates are fewer than all categories, and p sums to 1 over all: so a sequence that
leads into words whose candidates are improbable behind it loses, and ``backward`` is not 1.

The beta cut keeps of each word the categories with a probability of at least beta times the best.

Differences
- *Paper silent*: how wide the beam is. States whose forward sum is below ``WIDTH`` of the best at
  their word are dropped; with 0, none is, and the sums are exact. In each word forward and backward
  sums are divided by their total, so that long sentences do not get lost in small numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from wordorder_lab.supertagging.features import BEYOND, FIRST

WIDTH = 1e-5
"""The beam: how small a state's forward sum may be beside the best."""

Local = Callable[[int, int, int], Sequence[float]]
"""Word, and the numbers of the two categories before it -> the probability of each candidate."""
State = tuple[int, int]
"""The categories of the word before and of this one, as places among their words' candidates."""


def forward_backward(
    candidates: Sequence[Sequence[int]], local: Local, width: float = WIDTH
) -> list[list[float]]:
    """For each word the probability of each of its candidates."""
    sums, steps = _forward(candidates, local, width)
    after = dict.fromkeys(sums[-1], 1.0)
    marginals: list[list[float]] = []
    for i in range(len(candidates) - 1, -1, -1):
        marginals.append(_marginals(sums[i], after, len(candidates[i])))
        if i:
            after = _backward(sums[i - 1], steps[i], after)
    return marginals[::-1]


Sums = dict[State, float]
Steps = dict[State, Sequence[float]]
"""State of the word before -> the probability of each candidate of this one."""


def _forward(
    candidates: Sequence[Sequence[int]], local: Local, width: float
) -> tuple[list[Sums], list[Steps]]:
    """The forward sums of every word's states, in their order, and the probabilities used."""
    numbers: list[Sequence[int]] = [[BEYOND], [BEYOND]]
    numbers += [[label + FIRST for label in labels] for labels in candidates]
    sums: list[Sums] = []
    steps: list[Steps] = []
    states: Sums = {(0, 0): 1.0}
    for i in range(len(candidates)):
        reached: Sums = {}
        steps.append({})
        for (before, last), so_far in states.items():
            behind = local(i, numbers[i][before], numbers[i + 1][last])
            steps[i][before, last] = behind
            for c, probability in enumerate(behind):
                reached[last, c] = reached.get((last, c), 0.0) + so_far * probability
        states = _divided(_kept(reached, width))
        sums.append(states)
    return sums, steps


def _kept(reached: Sums, width: float) -> Sums:
    least = width * max(reached.values())
    return {state: reached[state] for state in sorted(reached) if reached[state] >= least}


def _backward(before: Sums, behind: Steps, after: Sums) -> Sums:
    sums: Sums = {}
    for a, b in before:
        total = 0.0
        for c, probability in enumerate(behind[a, b]):
            if (b, c) in after:
                total += probability * after[b, c]
        sums[a, b] = total
    return _divided(sums)


def _divided(sums: Sums) -> Sums:
    total = 0.0
    for value in sums.values():
        total += value
    return {state: value / total for state, value in sums.items()}


def _marginals(forward: Sums, backward: Sums, number: int) -> list[float]:
    found = [0.0] * number
    total = 0.0
    for (b, c), value in forward.items():
        product = value * backward[b, c]
        found[c] += product
        total += product
    return [value / total for value in found]


def cut(probabilities: Sequence[float], beta: float) -> list[int]:
    """The places of the probabilities that are at least ``beta`` of the highest, highest first."""
    least = beta * max(probabilities)
    kept = [j for j, probability in enumerate(probabilities) if probability >= least]
    return sorted(kept, key=lambda j: (-probabilities[j], j))
