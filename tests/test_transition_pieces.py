"""Labels, alternatives and the decisions of heads in transition-based linearization.

The truth is every order of a small tree with every choice of forms, each scored by hand's rules;
then engine stands against engine, event by event.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from both_engines import ENGINES, both
from hypothesis import given, settings
from hypothesis import strategies as st
from test_input_constraints import random_tree

import wordorder_lab as wl
from wordorder_lab.structures.bag import OrderingExample
from wordorder_lab.structures.problem import OrderingProblem
from wordorder_lab.systems.liu_2015 import LinearizationModel
from wordorder_lab.transition.actions import (
    action_name,
    apply_action,
    initial_state,
    possible_actions,
)
from wordorder_lab.transition.averaged_perceptron import UPDATES
from wordorder_lab.transition.packed_weights import ActionTable, PackedWeights
from wordorder_lab.transition.pieces import decisions, piece_features
from wordorder_lab.transition.templates import FeatureKeys, parse_templates, show

WHOLE_TREES = "puduppully_2016_labelled_tree"
LABELLED = ("liu_2015_labels", WHOLE_TREES)

# "the old dog barks ."
WORDS = ["dog", "barks", "the", ".", "old"]
TAGS = ["NN", "VBZ", "DT", ".", "JJ"]
HEADS = [1, -1, 0, 1, 0]
LABELS = ["nsubj", "root", "det", "punct", "amod"]
DOG = wl.WordBag(WORDS, TAGS, HEADS, labels=LABELS)


def given_of(bag: wl.WordBag) -> tuple[list[tuple[tuple[str, ...], ...]], list[str | None]]:
    alternatives: Any = bag.alternatives
    words: Any = bag.words
    forms = [(words[i], *alternatives[i]) for i in range(len(bag))]
    return forms, list(bag.labels or ())


def problem_of(bag: wl.WordBag) -> OrderingProblem:
    return OrderingProblem.of(bag, lambda unit: ("X",))


def told(*shifts: str) -> list[tuple[str, str, list[str], list[str]]]:
    """The decisions of the last SHIFT: head, piece, what was placed, what else could have come."""
    problem = problem_of(DOG)
    state = initial_state(problem)
    words = {item.type: item.form for item in problem.items}
    found: list[Any] = []
    for form in shifts:
        names = {action_name(a, problem): a for a in possible_actions(state, problem)}
        action = next(a for name, a in names.items() if name.startswith(f"SHIFT-{form}-"))
        found = [
            (
                words[d.head],
                words[d.piece],
                [words[t] for t in d.placed],
                [words[t] for t in d.others],
            )
            for d in decisions(state, action, problem)
        ]
        state = apply_action(state, action, problem)
    return found


def test_the_decisions_of_shifts_by_hand() -> None:
    """The first word says what comes first in its own phrase, and that the phrase comes first."""
    assert told("the") == [("dog", "the", [], ["dog", "old"]), ("barks", "dog", [], ["barks", "."])]
    assert told("the", "old") == [("dog", "old", ["the"], ["dog"])]
    assert told("the", "old", "dog") == []  # there is no choice left
    assert told("barks") == [("barks", "barks", [], [".", "dog"])]
    assert told("barks", ".") == [("barks", ".", ["barks"], ["dog"])]
    assert told("dog") == [
        ("dog", "dog", [], ["the", "old"]),
        ("barks", "dog", [], ["barks", "."]),
    ]


def test_the_features_of_a_decision_by_hand() -> None:
    templates = parse_templates(
        "Words\nw0\nPieces\nHpClXls; CwYlGl; nmz; ClRlr; HlKwKl\nGroups\nw0\n"
    )
    problem = problem_of(DOG)
    state = initial_state(problem)
    the = next(a for a in range(2, 7) if problem.items[a - 2].form == "the")
    inside, above = decisions(state, the, problem)
    shown = [show(templates, feature) for feature in piece_features(templates, inside, problem)]
    assert shown == [
        "HpClXls = NN, det, -BEGIN-, 0",
        "CwYlGl = the, -BEGIN-, root",
        "nmz = 2, 0, 0",
        "ClRlr = det, -HEAD-, 0",
        "ClRlr = det, amod, 0",
    ]
    shown = [show(templates, feature) for feature in piece_features(templates, above, problem)]
    assert shown[2:] == [
        "nmz = 2, 0, 2",
        "ClRlr = nsubj, -HEAD-, 0",
        "ClRlr = nsubj, punct, 0",
        "HlKwKl = root, the, det",
        "HlKwKl = root, old, amod",
    ]


SMALL = parse_templates(
    "Words\nw-1w0\nWords by label\np0l0\nWords by initial\nw0\nArcs by label\nS0pS1p\n"
    "Pieces\nHpClXls; CwXw; nmzx; HwCpYl; Clgs; ClRlsr; CwKl\nGroups\nw0 w-1; S0 S1\n",
    "small",
)


def orders(head: int, heads: list[int]) -> Iterator[list[int]]:
    below = [list(orders(child, heads)) for child, over in enumerate(heads) if over == head]
    for pieces in itertools.product([[head]], *([*some] for some in below)):
        for order in itertools.permutations(pieces):
            yield [unit for piece in order for unit in piece]


def model_with_weights(bag: wl.WordBag, seed: int) -> LinearizationModel:
    """A model with a weight for every feature that any derivation of the bag meets."""
    problem = problem_of(bag)
    kinds = [problem.items[i] for i in range(len(problem.items))]
    chain = (wl.Token(k.unit, k.pos, i - 1, k.label) for i, k in enumerate(kinds))
    sentence = wl.Sentence(tuple(chain))
    actions = ActionTable.of([sentence], labels=True, initials=True)
    words, tags, labels = ({getattr(k, name) for k in kinds} for name in ("word", "pos", "label"))
    keys = FeatureKeys.of(SMALL, words, tags, labels)
    chance = random.Random(seed)
    rows: dict[Any, list[tuple[int, int]]] = {}
    for feature in met(problem, keys):
        key = keys.key(feature)
        weights = [(a, chance.randint(1, 9)) for a in numbers_of(SMALL.level(feature), actions)]
        rows[key] = weights
    packed = PackedWeights(
        np.array(sorted(rows), np.int64),
        np.array([len(rows[key]) for key in sorted(rows)], np.int32),
        np.array([a for key in sorted(rows) for a, _ in rows[key]], np.int32),
        np.array([w for key in sorted(rows) for _, w in rows[key]], np.int64),
        divisor=4,
    )
    packed.check(len(actions))
    dictionary = wl.models.tag_dictionary.TagDictionary.of([sentence])
    return LinearizationModel(keys, actions, dictionary, packed)


def numbers_of(level: int, actions: ActionTable) -> list[int]:
    shifts = [*actions.ids.values()], [*actions.tag_ids.values()], [actions.move]
    arcs = [left + side for left in actions.arc_ids.values() for side in (0, 1)]
    by_label, initials = [*actions.label_ids.values(), *arcs], [*actions.initial_ids.values()]
    return sorted([*shifts, by_label, [0, 1, *initials]][level])


def met(problem: OrderingProblem, keys: FeatureKeys) -> list:
    """All features of all states and decisions, in an order that does not depend on chance."""
    from wordorder_lab.transition.features import all_features, state_context

    found = {}
    todo = [initial_state(problem)]
    while todo:
        state = todo.pop()
        found.update(dict.fromkeys(all_features(SMALL, state_context(state, problem))))
        for action in possible_actions(state, problem):
            for decision in decisions(state, action, problem):
                found.update(dict.fromkeys(piece_features(SMALL, decision, problem)))
            todo.append(apply_action(state, action, problem))
    return [feature for feature in found if keys.key(feature) is not None]


TREES = {
    "a or an": wl.WordBag(
        ["person", "a", "honest"],
        ["NN", "DT", "JJ"],
        [-1, 0, 0],
        labels=["root", "det", "amod"],
        alternatives=[None, ["an"], None],
    ),
    "five": replace(DOG, alternatives=[["dogs"], ["bark", "barking"], None, None, None]),
    "twins": wl.WordBag(
        ["no", "no", "way", "way", "good"],
        ["DT", "DT", "NN", "NN", "JJ"],
        [2, 3, 4, 4, -1],
        labels=["det", "det", "obl", "obl", "root"],
    ),
    "equal words": wl.WordBag(
        ["so", "so", "good"], ["RB"] * 2 + ["JJ"], [2, 2, -1], labels=["advmod"] * 2 + ["root"]
    ),
}


@pytest.mark.parametrize("name", TREES)
def test_every_order_with_every_form_is_found_once_and_the_best_is_first(name: str) -> None:
    bag = TREES[name]
    model = model_with_weights(bag, seed=5)
    given, labels = given_of(bag)
    forms = [[*map(" ".join, some)] for some in given]
    heads: list[Any] = list(bag.heads or ())
    every = {
        tuple(choice[unit] for unit in order)
        for order in orders(heads.index(-1), heads)
        for choice in itertools.product(*forms)
    }
    found = {e: model.order(bag, beam=4_000, k=4_000, engine=e) for e in ENGINES}
    assert found["fast"] == found["reference"]
    results = found["fast"].k_best
    assert {tuple(one.words) for one in results} == every
    assert [one.score for one in results] == sorted((one.score for one in results), reverse=True)
    for one in results[:: max(1, len(results) // 60)]:
        assert one.score * 4 == by_hand(model, bag, one.actions)
        assert one.tree.labels == tuple(labels[unit] for unit in one.order)


def by_hand(model: LinearizationModel, bag: wl.WordBag, actions: tuple[str, ...]) -> int:
    """A derivation's score: words and arcs step by step, heads' decisions read off the whole."""
    problem = problem_of(bag)
    table, total = model.actions, 0

    def weight(name: str, level: int, values: tuple, number: int) -> int:
        for i, template in enumerate(SMALL.templates):
            if (template.name, template.level) == (name, level):
                return int(model.weights.row(model.keys.key((i, *values))).get(number, 0))
        raise KeyError(name)

    shifted: list[Any] = []
    stack: list[Any] = []
    order: list[int] = []
    for action in actions:
        words = [*["-BEGIN-"] * 2, *(one.word for one in shifted)][-2:]
        last = (shifted[-1].pos, shifted[-1].label) if shifted else ("-BEGIN-",) * 2
        top, below = [*stack[::-1], None, None][:2]
        if action.startswith("SHIFT"):
            item = next(
                item
                for i, item in enumerate(problem.items)
                if action_name(i + 2, problem) == action
                and order.count(item.type) < len(problem.units[item.type])
                and not twin_waits(problem, item.type, order)
            )
            pair, by_initial = (item.word, item.pos), item.unit[0][0].lower()
            numbers = table.ids[pair], table.initial_ids[by_initial]
            by_label = table.label_ids[item.pos, item.label]
            shifted.append(item)
            stack.append(item)
            order.append(item.type)
        else:
            arc, dependent = (0, below) if action == "LEFTARC" else (1, top)
            numbers, by_label = (arc, arc), table.arc_ids[dependent.label] + arc
            del stack[-2 if arc == 0 else -1]
        total += weight("w-1w0", 0, tuple(words), numbers[0])
        total += weight("p0l0", 3, last, by_label)
        total += weight("w0", 4, (words[-1],), numbers[1])
        if below is not None:
            total += weight("S0pS1p", 3, (top.pos, below.pos), by_label)
    return total + pieces_by_hand(problem, order, weight, table.move)


def twin_waits(problem: OrderingProblem, kind: int, order: list[int]) -> bool:
    """Whether an equal subtree with a smaller number is not begun yet."""
    given = problem.given
    twins = [given.twins[t] for t in given.line[kind]]
    return any(
        twin is not None and not any(t in order for t in given.family[twin]) for twin in twins
    )


def pieces_by_hand(problem: OrderingProblem, order: list[int], weight: Any, move: int) -> int:
    """What all heads decided, head by head, from the whole order."""
    heads, total = problem.given.heads, 0

    def name(kind: int | None, head: int, what: str) -> Any:
        if kind is None:
            return "-BEGIN-"
        word, tag = problem.ahead[kind]
        if what == "l" and kind == head:
            return "-HEAD-"
        return {"w": word, "p": tag, "l": problem.ahead_labels[kind]}[what]

    def size(kind: int | None, head: int) -> int:
        below = 0 if kind in (None, head) else len(problem.given.family[kind]) - 1
        return min(below, 4)

    for head in range(len(problem.units)):
        own = [t for t in range(len(heads)) if heads[t] == head]
        if not own:
            continue
        # Where each piece begins; of equal words each one is a piece.
        begins = []
        for t in [head, *own]:
            family = [t] if t == head else [*problem.given.family[t]]
            places = [i for i, kind in enumerate(order) if kind in family]
            begins += [(i, t) for i in (places if len(family) == 1 else places[:1])]
        pieces = [t for _, t in sorted(begins)]
        for at, piece in enumerate(pieces):
            others = sorted(set(pieces[at + 1 :]) - {piece})
            if not others:
                continue
            last = pieces[at - 1] if at else None
            earlier = pieces[at - 2] if at > 1 else None
            side = 1 if piece == head else 0 if head in pieces[at:] else 2
            here = at - pieces.index(head) - 1 if side == 2 else at
            kind = name(piece, head, "l")
            hp, hw = name(head, -1, "p"), name(head, -1, "w")
            cw = name(piece, head, "w")
            total += weight("HpClXls", 2, (hp, kind, name(last, head, "l"), side), move)
            total += weight("CwXw", 2, (cw, name(last, head, "w")), move)
            sizes = size(piece, head), size(last, head)
            total += weight("nmzx", 2, (len(others), here, *sizes), move)
            cp = name(piece, head, "p")
            total += weight("HwCpYl", 2, (hw, cp, name(earlier, head, "l")), move)
            above = heads[head]
            g = 2 if above is None or above < 0 else int(order.index(above) < order.index(head))
            total += weight("Clgs", 2, (kind, g, side), move)
            for other in others:
                values = kind, name(other, head, "l"), side, size(other, head)
                total += weight("ClRlsr", 2, values, move)
            for child in range(len(heads)):
                if heads[child] == piece and piece != head:
                    total += weight("CwKl", 2, (cw, name(child, -1, "l")), move)
    return total


LEXICON = [("the", "DT"), ("dog", "NN"), ("barks", "VBZ"), ("old", "JJ"), (".", "."), ("an", "DT")]
NAMES = ("nsubj", "det", "amod", "punct")


def random_examples(seed: int, n: int, longest: int = 7) -> list[OrderingExample]:
    """Made-up projective trees with labels; some units have other forms, some heads are open."""
    chance = random.Random(seed)
    examples: list[OrderingExample] = []
    while len(examples) < n:
        size = chance.randint(1, longest)
        heads = random_tree(chance, size)
        tokens = []
        for head in heads:
            word, tag = chance.choice(LEXICON)
            tokens.append(
                wl.Token((word,), tag, head, chance.choice(NAMES) if head >= 0 else "root")
            )
        gold = wl.Sentence(tuple(tokens), f"made {seed} {len(examples)}")
        shares = chance.choice([(1, 1, 1), (1, 1, 1), (0.5, 0.5, 1), (1, 0.5, 0.5)])
        pos, deps, labels = shares
        plain = OrderingExample.of(gold, pos, deps, seed, labels)
        others = [chance.choice([None, None, ["form"], ["form", "an"]]) for _ in tokens]
        examples.append(replace(plain, bag=replace(plain.bag, alternatives=others)))
    return examples


@pytest.fixture(scope="module", params=LABELLED)
def model(request: pytest.FixtureRequest) -> LinearizationModel:
    return trained(random_examples(1, 30), request.param)


def trained(examples: list, templates: str, **more) -> LinearizationModel:
    how = {"engine": "fast", "beam": 4, "epochs": 2, "labels": True, "progress": False, **more}
    return wl.train("liu-2015", examples, templates=templates, **how)


def test_both_engines_give_the_same_and_tell_the_same(model: LinearizationModel) -> None:
    @settings(max_examples=40)
    @given(st.integers(0, 10**6), st.integers(1, 8), st.integers(1, 3), st.booleans())
    def check(seed: int, beam: int, k: int, ordered: bool) -> None:
        (example,) = random_examples(seed, 1)
        bag = example.bag
        if ordered and len(bag) > 1:  # orders that the gold sentence keeps
            bag = replace(bag, before=[(example.places[0], example.places[-1])])
        best, (forms, labels) = both(model, bag, beam=beam, k=k), given_of(bag)
        assert sorted(best.order) == list(range(len(bag)))
        for unit, words, label in zip(best.order, best.units, best.tree.labels):
            assert words in forms[unit]
            assert labels[unit] in (None, label) and label

    check()


@pytest.mark.parametrize("templates", LABELLED)
@pytest.mark.parametrize("update", UPDATES)
def test_both_learners_learn_the_same_and_tell_the_same(templates: str, update: str) -> None:
    logs = {engine: wl.EventLog() for engine in ENGINES}
    made = [
        trained(random_examples(7, 12), templates, update=update, engine=engine, trace=log)
        for engine, log in logs.items()
    ]
    made.append(trained(random_examples(7, 12), templates, update=update))
    assert logs["fast"] == logs["reference"]
    for other in made[1:]:
        assert made[0].header() == other.header()
        for name, array in made[0].arrays().items():
            assert np.array_equal(array, other.arrays()[name]), name


def person(adjective: str, article: str) -> OrderingExample:
    """*an honest person*, *a tall person*: the article's form depends on what comes next."""
    gold = wl.Sentence(
        (
            wl.Token((article,), "DT", 2, "det"),
            wl.Token((adjective,), "JJ", 2, "amod"),
            wl.Token(("person",), "NN", -1, "root"),
        ),
        adjective,
    )
    return OrderingExample(person_bag(adjective), gold, (1, 2, 0))


def person_bag(adjective: str) -> wl.WordBag:
    return wl.WordBag(
        ["person", "a", adjective],
        ["NN", "DT", "JJ"],
        [-1, 0, 0],
        labels=["root", "det", "amod"],
        alternatives=[None, ["an"], None],
    )


def test_the_article_is_chosen_by_the_first_letter_of_the_next_word() -> None:
    """Zhang & Clark 2015, section 5.7, inflects within the search for this."""
    vowels = ["old", "odd", "own", "open"]
    lessons = [person(word, "an") for word in vowels]
    lessons += [person(word, "a") for word in ("tall", "tidy", "thin", "tough")]
    model = trained(lessons, WHOLE_TREES, epochs=8)
    for engine in ENGINES:
        assert model.order(person_bag("obscure"), engine=engine).text == "an obscure person"
        assert model.order(person_bag("tired"), engine=engine).text == "a tired person"


def test_labels_that_are_not_given_are_assigned() -> None:
    """The search labels arcs as it was taught, with heads given or not; the file keeps it all."""
    gold = wl.Sentence(
        (
            wl.Token(("dogs",), "NNS", 1, "nsubj"),
            wl.Token(("chase",), "VBP", -1, "root"),
            wl.Token(("cats",), "NNS", 1, "obj"),
        ),
        "dogs",
    )
    model = trained([gold], "liu_2015_labels", epochs=6, deps=0)
    for heads in (None, [-1, 0, 0]):
        found = model.order(wl.WordBag(["chase", "dogs", "cats"], ["VBP", "NNS", "NNS"], heads))
        assert found.text == "dogs chase cats"
        assert found.tree.labels == ("nsubj", "root", "obj")
