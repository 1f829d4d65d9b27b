"""Questions on putting words in order: sessions 1 to 3 and 5. See ``drawn``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import islice, permutations, product, takewhile
from random import Random
from typing import Any

from drawn import SEEDS, Item, blank, kind, no_tie, table

import wordorder_lab as wl
from wordorder_lab.analysis.gold_score import fault_of
from wordorder_lab.best_first.dependency import BestFirstDependency
from wordorder_lab.best_first.features import show
from wordorder_lab.best_first.gold import Example
from wordorder_lab.best_first.settings import SearchSettings
from wordorder_lab.check import nb_31, small_search
from wordorder_lab.check.nb_20 import states_on_the_way
from wordorder_lab.check.nb_21 import look
from wordorder_lab.check.nb_33 import p_value
from wordorder_lab.check.small_world import course, examples_of, learner_of
from wordorder_lab.check.small_world import sentence as sentence_of
from wordorder_lab.metrics.bleu import bleu_of_counts, sentence_counts
from wordorder_lab.trace.reducers import search as books
from wordorder_lab.transition import oracle

BEASTS = ("dog", "cat", "fox", "horse", "goat", "crow", "mouse", "hen")
PLACES = ("garden", "harbour", "park", "kitchen", "field", "station", "street", "forest")
PEOPLE = ("Anna", "Boris", "Clara", "David", "Elena", "Farid", "Greta", "Hugo", "Irma", "Jonas")
SAW = ("saw", "called", "followed", "praised", "met", "heard", "painted", "missed")
SLEPT = ("slept", "sang", "waited", "ate", "hid", "dreamed")
NEAR = ("near", "behind", "beside", "outside")

# --- session 1 ------------------------------------------------------------------------------------

SCRAMBLES = (
    "56789 0123 4",
    "0123 56789 4",
    "0123 4 58679",
    "1023 4 56789",
    "56789 4 0123",
    "2 01 3456789",
    "0124 3 56789",
    "4 56789 0123",
)
"""Orders of nine words and a full stop; what stands together stays together."""


@kind("BLEU by hand", 1, 10, 8, BEASTS, SLEPT, NEAR, ("old", "quiet", "small"), PLACES, SCRAMBLES)
def bleu(beast: str, verb: str, near: str, adjective: str, place: str, scramble: str) -> Item:
    """Four shares and their geometric mean."""
    words = ["the", "young", beast, verb, "quietly", near, "the", adjective, place, "again"]
    reference = " ".join([*words, "."])
    order = [int(digit) for digit in scramble if digit != " "]
    output = " ".join([*(words[i] for i in order), "."])
    (row,) = sentence_counts([output], [reference])
    counts = [int(number) for number in row]
    rows = [
        {"n": n, "right": right, "of": of, "share": f"{right / of:.3f}"}
        for n, right, of in zip(range(1, 5), counts[2:6], counts[6:10])
    ]
    return Item(
        f"Reference: *{reference}*\n\nOutput: *{output}*\n\nHow many of the output's single words, "
        "pairs, triples and quadruples are right, and of how many? What is BLEU, 100 times the "
        "geometric mean of the four shares?",
        f"{table(rows)}\n\nBLEU is **{bleu_of_counts(row):.1f}**. (Both have the same length, so "
        "there is no penalty.)",
        ((8, "how many are right, two for each n"), (2, "the mean")),
        blank(rows, "n"),
    )


# --- session 2 ------------------------------------------------------------------------------------


@kind("From a tree to actions", 2, 8, 7, PEOPLE, SAW, BEASTS, NEAR, PLACES, (1, 2))
def actions(person: str, verb: str, beast: str, near: str, place: str, head: int) -> Item:
    """The oracle's sequence for a tree of five units."""
    line = f"{person}/NP>1 {verb}/VBD the_{beast}/NP>1 {near}/IN>{head} the_{place}/NP>3"
    gold = sentence_of(line)
    problem = wl.OrderingProblem.of(wl.bag_of(gold), lambda _unit: ())
    steps = states_on_the_way(oracle.gold_actions(gold, problem), problem)
    rows = [{name: row[name] for name in ("", "action", "stack", "new arc")} for row in steps]
    on = verb if head == 1 else f"the {beast}"
    return Item(
        f"*{person} {verb} [the {beast}] {near} [the {place}]*: *{verb}* is the root, *{person}* "
        f"and *the {beast}* depend on it, *{near}* on *{on}*, *the {place}* on *{near}*. Write "
        "down the actions that build this tree, each with the stack after it. When two orders of "
        "arcs are possible, dependents on the right come first.",
        f"{len(rows)} actions, 2 · 5 - 1.\n\n{table(rows)}",
        ((4, "each arc at its place and in its direction"), (2, "each SHIFT"), (2, "the stacks")),
        blank(rows, ""),
    )


@cache
def _short() -> list[wl.Sentence]:
    return [one for one in wl.load_corpus("gazette").train[:600] if 4 <= len(one) <= 7]


TOLD = [*islice(product(PEOPLE, SAW, BEASTS, NEAR[:2], PLACES[:1]), SEEDS)]
"""A sentence for each seed, so that no two have one in common."""


@kind("Early update", 2, 6, 5, TOLD, range(100), (2, 3, 4))
def early(told: Sequence[str], order: int, beam: int) -> Item | None:
    """Where two rules update: a learner has read eight sentences, then gold is followed in one."""
    person, verb, beast, near, place = told
    line = f"{person}/NP>1 {verb}/VBD the_{beast}/NP>1 {near}/IN>1 the_{place}/NP>3 ./.>1"
    sentences = [*Random(order).sample(_short(), 8), sentence_of(line)]
    *read, last = examples_of(sentences)
    learner = learner_of(sentences, beam=beam)
    for example in read:
        learner.learn(example)
    ranks, best, gold = course(learner, last)
    lead = [one - other for one, other in zip(best, gold)]
    lost, worst = (ranks.index(-1) if -1 in ranks else 0), lead.index(max(lead))
    tied = any(rank and not ahead for rank, ahead in zip(ranks, lead))
    if not 2 <= lost < worst or tied or not no_tie(lead):
        return None
    rows = [
        {"step": i, "rank of gold": rank, "best": f"{one:g}", "gold": f"{other:g}"}
        for i, (rank, one, other) in enumerate(zip(ranks, best, gold), 1)
    ]
    return Item(
        f"A learner with a beam of {beam} has followed gold through *{sentences[-1].text}* (rank 0 "
        f"is the best, -1: gold was cut):\n\n{table(rows)}\n\nAfter which step does early update "
        "stop, after which would max-violation update, and what does each of them compare?",
        f"Early update after step **{lost + 1}**, where gold falls out of the beam; max-violation "
        f"after step **{worst + 1}**, where the best state leads by most ({max(lead):g}). Both add "
        "the features of gold's actions up to that step and take away those of the best state's.",
        ((2, "the step of early update"), (2, "that of max-violation"), (2, "what is compared")),
    )


@kind("Given arcs", 2, 8, 6, BEASTS, PLACES, SLEPT, ("of", *NEAR), range(4))
def dead_ends(beast: str, place: str, verb: str, near: str, which: int) -> Item:
    """Which actions are possible where two units have given heads."""
    top, below = f"the {beast}", f"the {place}"
    names = ((below, verb), (verb, below), (top, verb), (below, near))[which]
    rows = look(f"[{top}] {near}>1 [{below}]>2 {verb}", *names).data.to_dict("records")
    for row in rows:
        row["action"] = row["action"].removesuffix("-X")
    return Item(
        f"The bag is *{top}*, *{near}*, *{below}*, *{verb}*. Given are the arcs *{top}* → *{near}* "
        f"→ *{below}*; nothing is given about *{verb}*. On the stack lie *{names[0]}* and, on top, "
        f"*{names[1]}*. Which actions are possible, and why is each of the others not?",
        table(rows),
        ((2 * len(rows), "each action: possible or not, and why"),),
        blank(rows, "action"),
    )


# --- session 3 ------------------------------------------------------------------------------------


def _example(words: Sequence[str]) -> Example:
    """A subject, a verb and an object, all tags given."""
    problem = wl.OrderingProblem.of(wl.WordBag([*words], ["NNP", "VBD", "NNP"]), lambda _unit: ())
    place = {item.form: i for i, item in enumerate(problem.items)}
    return Example(problem, tuple(place[word] for word in words), (1, -1, 1))


def searched(words: Sequence[str], weights: Mapping[str, float]) -> wl.EventLog:
    """The log of the readable best-first search with three templates, on three words."""

    def weight(feature: Any) -> float:
        return weights.get(show(small_search.FEW, feature), 0.0)

    log, settings = wl.EventLog(), SearchSettings(beam=0)
    BestFirstDependency(_example(words).problem, small_search.FEW, weight, settings, log).run()
    return log


def ties(log: wl.EventLog) -> int:
    """How many pops took one of two best edges."""
    state, found = books.start(), 0
    for event in log:
        if event[0] == "popped":
            scores = [state["scores"][edge - 1] for edge in books.on_agenda(state, 2)]
            found += not no_tie(scores)
        books.apply(state, event)
    return found


@kind("Agenda by hand", 3, 14, 13, PEOPLE, SAW, PEOPLE, range(2, 10), range(1, 10), range(2, 10))
def agenda(one: str, verb: str, other: str, right: int, left: int, pair: int) -> Item | None:
    """A best-first search on three words, pop by pop."""
    weights = {
        f"WORD(h)·NORM(size) = {verb}, 1": 3.0,
        f"WORD(h)·NORM(size) = {one}, 1": 2.0,
        f"WORD(h)·NORM(size) = {other}, 1": 1.0,
        "POS(h)·POS(m)·dir = VBD, NNP, right": float(right),
        "POS(h)·POS(m)·dir = VBD, NNP, left": float(left),
        "POS(h)·POS(m)·dir = NNP, VBD, right": -6.0,
        "POS(h)·POS(m)·dir = NNP, VBD, left": -6.0,
        f"WORD(B-1)·WORD(B) = {one}, {verb}": float(pair),
    }
    if one == other or ties(log := searched((one, verb, other), weights)) > 0:
        return None
    names = ("pop", "popped", "score")
    rows = [{name: row[name] for name in names} for row in small_search.pop_by_pop(log)]
    if not 5 <= len(rows) <= 7:
        return None
    given = table([{"feature": f"`{name}`", "weight": f"{w:g}"} for name, w in weights.items()])
    return Item(
        f"The bag is *{one}*, *{verb}*, *{other}* with the tags NNP, VBD, NNP; all weights but "
        f"these are 0:\n\n{given}\n\nAn edge's score is the sum of its weights divided by its "
        "actions (1 for a word, 3 for two, 5 for three). A verb's dependents on the right come "
        "before those on the left. Which edges are popped, in which order, with which scores?",
        f"{len(rows)} pops:\n\n{table(rows)}",
        ((8, "the edges, in their order"), (4, "their scores"), (2, "it ends with the first goal")),
        blank(rows, "pop"),
    )


LEFT, RIGHT = "POS(h)·POS(m)·dir = NNP, VBD, left", "POS(h)·POS(m)·dir = VBD, NNP, right"


@kind("An update by hand", 3, 10, 8, PEOPLE, SAW, PEOPLE, (LEFT, "pair"), range(1, 10))
def update(one: str, verb: str, other: str, wrong: str, weight: int) -> Item | None:
    """The first update of a guided learner that begins with one wrong weight."""
    if one == other:
        return None
    feature = f"WORD(B-1)·WORD(B) = {other}, {verb}" if wrong == "pair" else wrong
    log = wl.EventLog()
    learner = small_search.learner_by_hand({feature: float(weight)}, trace=log)
    learner.learn(_example((one, verb, other)))
    place = next(i for i, event in enumerate(log) if event[0] == "edge_update")
    first = takewhile(lambda event: event[0] == "weight", log.events[place + 1 :])
    moved = [
        {"feature": f"`{e[1]}`", "before": f"{e[3]:.3g}", "after": f"{e[4]:.3g}"} for e in first
    ]
    row = next(row for row in small_search.pop_by_pop(log) if row.get("update"))
    edges = row["update"].split(",")[0].partition(": ")[2]
    margin, step = log.events[place][5:7]
    return Item(
        f"The bag is *{one}*, *{verb}*, *{other}* (NNP, VBD, NNP); gold is *{one} ← {verb} → "
        f"{other}*. A guided learner with the templates `POS(h)·POS(m)·dir` and "
        f"`WORD(B-1)·WORD(B)` begins with one weight, `{feature}` = {weight}. Its first update is "
        f"*{' '.join(edges.split())}* (gold over what was popped). The scaled rule wants gold "
        "ahead by 1 in scaled scores. How large is the step, and what become the weights?",
        f"Gold is behind by {-margin:.3g}; the step is the lacking margin over the squared length "
        f"of the difference of scaled features, **{step:.3g}**.\n\n{table(moved)}",
        ((2, "by how much gold is behind"), (4, "the step"), (4, "the weights")),
        blank(moved, "feature", "before"),
    )


# --- sessions 2 and 5 -----------------------------------------------------------------------------

NUMBERS = [*permutations((-1, -2, -4), 3), *permutations((-1, -3, -6), 3)]
TWO = [*permutations((-1, -2, -3, -5, -7), 2)]
"""Scores of the pairs that begin with one word."""
Scores = Mapping[tuple[str, str], float]


def _scores(first: Sequence[int], *rows: Sequence[int]) -> dict[tuple[str, str], float]:
    """Scores of the nine pairs of three words; the end costs nothing."""
    values = [*first, *(number for row in rows for number in row)]
    return {pair: float(value) for pair, value in zip(nb_31.NEEDED, values, strict=True)}


def kept(scores: Scores, width: int) -> list[dict[str, Any]]:
    """A row a beginning: its step, its score, whether it stays."""
    rows = list[dict[str, Any]]()
    beam: list[tuple[str, ...]] = [()]
    for step in range(1, 4):
        longer = [(*order, word) for order in beam for word in nb_31.WORDS if word not in order]
        beam = sorted(longer, key=lambda order: -nb_31.score_of(order, scores))[:width]
        for order in longer:
            score = f"{nb_31.score_of(order, scores):g}"
            stays = "✓" if order in beam else "✕"
            rows.append({"step": step, "words": " ".join(order), "score": score, "kept": stays})
    return rows


def _given(scores: Scores) -> str:
    rows = [
        {"pair": f"`{' '.join(pair)}`", "score": f"{value:g}"} for pair, value in scores.items()
    ]
    return table(rows)


def _trapped(scores: Scores) -> bool:
    """Whether beam 1 fails, beam 2 does not, and neither depends on a tie."""
    orders = {order: nb_31.score_of(order, scores) for order in permutations(nb_31.WORDS)}
    one, two = (nb_31.beam_search(scores, width) for width in (1, 2))
    steps = [
        [float(r["score"]) for r in kept(scores, 2) if r["step"] == step] for step in (1, 2, 3)
    ]
    clear = no_tie([*orders.values()]) and all(no_tie(step, 2) for step in steps)
    return clear and orders[one] < orders[two] == max(orders.values())


@kind("A beam by hand", 2, 10, 9, NUMBERS, TWO, TWO, TWO)
def beam(first: Sequence[int], *rows: Sequence[int]) -> Item | None:
    """A beam of two on three words, step by step, and what beam 1 finds."""
    if not _trapped(scores := _scores(first, *rows)):
        return None
    steps, greedy = kept(scores, 2), nb_31.beam_search(scores, 1)
    best = nb_31.beam_search(scores, 2)
    return Item(
        "Three words, *a*, *b* and *c*, are put one behind the other. A sentence's score is the "
        f"sum over its pairs; `<s>` is its beginning:\n\n{_given(scores)}\n\nWrite down every "
        "beginning that a beam of 2 makes, its score, and whether it is kept. What comes out, and "
        "what would come out with a beam of 1?",
        f"{table(steps)}\n\nBeam 2: ***{' '.join(best)}***, {nb_31.score_of(best, scores):g}. "
        f"Beam 1: *{' '.join(greedy)}*, {nb_31.score_of(greedy, scores):g}.",
        ((6, "beginnings with their scores"), (2, "what is kept"), (2, "the two outputs")),
        blank(steps, "step"),
    )


@kind("Whose fault?", 5, 10, 9, NUMBERS[::-1], TWO[::-1], TWO, TWO)
def fault(first: Sequence[int], *rows: Sequence[int]) -> Item | None:
    """Beam 1 and the best order; two references; what exact search would change."""
    if not _trapped(scores := _scores(first, *rows)):
        return None
    orders = {order: nb_31.score_of(order, scores) for order in permutations(nb_31.WORDS)}
    greedy = nb_31.beam_search(scores, 1)
    found, best = orders[greedy], max(orders, key=lambda order: orders[order])
    worse = [order for order in orders if orders[order] < found]
    if not worse:
        return None
    least = min(worse, key=lambda order: orders[order])
    verdicts = [
        fault_of(False, True, output, gold)
        for output, gold in ((found, orders[best]), (found, orders[least]))
    ]
    one, top, last = (" ".join(order) for order in (greedy, best, least))
    return Item(
        "A bigram model and the bag *a b c*; numbers are log-probabilities, the end of the "
        f"sentence costs nothing:\n\n{_given(scores)}\n\nWhat does a beam of 1 find, and what is "
        f"the best order? Is the output of beam 1 a search error or a model error if the reference "
        f"is *{top}*, and which if it is *{last}*? What would an exact search change for *{last}*?",
        f"Beam 1: *{one}* with {found:g}. Best: ***{top}*** with {orders[best]:g}. If that is the "
        f"reference, it is a **{verdicts[0]}**. *{last}* has {orders[least]:g}, less than "
        f"{found:g}: a **{verdicts[1]}**. An exact search puts out *{top}*, which "
        "scores more still: a model error as before.",
        ((3, "beam 1"), (3, "the best order"), (3, "both verdicts"), (1, "exact search")),
    )


@kind("A permutation test", 5, 6, 5, *[(-2, -1, 1, 2, 3, 4, 5, 6)] * 5)
def permutation(*differences: int) -> Item | None:
    """The signs of five differences, flipped in all 32 ways."""
    p = p_value([float(one) for one in differences])
    if min(differences) > 0 or len({*differences}) < 4 or not 0.1 <= p < 0.6:
        return None
    ways = round(p * 32)
    return Item(
        "On five sentences system A is ahead of system B by "
        f"{', '.join(f'{one:+d}' for one in differences)} points. In a permutation test each "
        "difference may have either sign. How many of the 32 ways have a sum at least as far from "
        "0 as the one that was seen, to either side? What is p, and may one call A better?",
        f"The sum is {sum(differences):+d}. **{ways}** of 32 ways, p = **{p:.3g}**: more than "
        "0.05, so five such sentences do not show that A is better.",
        (
            (3, "the number of ways"),
            (1, "p"),
            (2, "few sentences say little"),
        ),
    )
