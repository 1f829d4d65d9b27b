"""Heads and orders that are given: the possible actions against brute force, and whole searches.

``oracles.Constrained`` tries everything, and knows no rule; so "no dead end" and "nothing is lost"
are facts here, for every forest over a few words.
"""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path

import pytest
from oracles import (
    LEXICON,
    Constrained,
    Heads,
    Units,
    forests,
    random_sentences,
    renamings,
)
from shift_sketch import Sketch
from test_engines import ENGINES, both, check_result, trained
from test_liu_2015 import FIGURE_2, TALCOTT

import wordorder_lab as wl
from wordorder_lab.models.tag_dictionary import TagDictionary
from wordorder_lab.structures.bag import places
from wordorder_lab.structures.problem import OrderingProblem
from wordorder_lab.structures.result import Result
from wordorder_lab.structures.sentence import Sentence, Token
from wordorder_lab.structures.trees import tree_problem
from wordorder_lab.transition.actions import (
    action_name,
    apply_action,
    check_interleaving,
    initial_state,
    possible_actions,
    read_actions,
)
from wordorder_lab.transition.averaged_perceptron import UPDATES
from wordorder_lab.transition.features import IN_BAG, IS_ROOT, ON_STACK, left_bin, state_context
from wordorder_lab.transition.full_tree_actions import full_tree_actions
from wordorder_lab.transition.oracle import gold_actions
from wordorder_lab.transition.packed_weights import ActionTable
from wordorder_lab.transition.state import SHIFT, State
from wordorder_lab.transition.templates import parse_templates

Possible = Callable[[State, OrderingProblem], list[int]]


def lookup(_unit: tuple[str, ...]) -> tuple[str, ...]:
    return ("T",)


def bag_of(words: str, heads: Heads, before: Iterable[tuple[int, int]] = ()) -> wl.WordBag:
    return wl.WordBag(list(words), None, heads, tuple(before))


NUMBERED = ["", "Dr. Talcott", "led", "a team", "of", "Harvard University", "."]

# Figure 4 as Figures 5 and 6 use it: 2 -> 1, 2 -> 6 and 3 -> 4 -> 5, but not 2 -> 3.
FIGURE_4 = wl.WordBag(NUMBERED[1:], ["NP", "VBD", "NP", "IN", "NP", "."], [1, None, None, 2, 3, 1])

OF_HARVARD = "4 5 RIGHTARC"
TEAM = "3 4 5 RIGHTARC RIGHTARC"
LED = "1 2 LEFTARC 6 RIGHTARC"


def possible(bag: wl.WordBag, *done: str) -> set[str]:
    """What may come after these actions: numbers of the words to be shifted, and arcs."""
    problem = OrderingProblem.of(bag, lookup)
    number = {bag.form(i): str(i + 1) for i in range(len(bag))}
    state = initial_state(problem)

    def named(action: int) -> str:
        shift = action >= SHIFT
        return number[problem.items[action - SHIFT].form] if shift else action_name(action, problem)

    for want in " ".join(done).split():
        actions = {named(action): action for action in possible_actions(state, problem)}
        state = apply_action(state, actions[want], problem)
    return {named(action) for action in possible_actions(state, problem)}


def test_figure_4() -> None:
    """ "At the state ([Harvard University], ...) it is illegal to shift the base phrase a team"."""
    assert possible(FIGURE_4, "5") == {"4", "1", "2", "6"}
    assert possible(FIGURE_4) == set("123456")


def test_figure_5() -> None:
    """LEFTARC: (a) an arc of C, or (b) j is the root of a subtree; all below j is processed."""
    assert "LEFTARC" in possible(FIGURE_4, OF_HARVARD, "3")
    assert "LEFTARC" in possible(FIGURE_4, TEAM, "1")
    for processed_too_little in ("3 1", "3 4 5 RIGHTARC 1"):
        assert "LEFTARC" not in possible(FIGURE_4, processed_too_little)
    assert "LEFTARC" not in possible(FIGURE_4, "1", TEAM)  # the head of 1 is 2
    assert "RIGHTARC" in possible(FIGURE_4, "1", TEAM)


@pytest.mark.parametrize(
    ("stack", "k", "legal"),
    [
        ("1 " + TEAM, "2", True),  # (a) l = 1 is a child of k
        ("1 3", "2", False),  # 3 is not reducable yet
        ("5", "3", False),  # (b) l = 5 is a grandchild of k
        ("2 " + TEAM, "1", True),  # (c) l = 2 is the parent of k
        ("2 3", "1", False),
        ("1 " + TEAM, "6", True),  # (d) l = 1 is a sibling of k, a = 2 is left
        ("1 3", "6", False),
        ("3 " + LED, "5", True),  # (e) l = 3 is a grandparent of k
        ("3 2 6 RIGHTARC", "5", False),  # a root that waits: the sketch overlooks it
    ],
)
def test_figure_6(stack: str, k: str, legal: bool) -> None:
    assert (k in possible(FIGURE_4, stack)) == legal


def signature(state: State) -> tuple:
    """What of a state decides what may follow: given dependents that are nowhere are attached."""
    return tuple([node.item for node in state.stack]), state.bag


def check_exact(bag: wl.WordBag, actions: Possible = possible_actions) -> int:
    """Walk ours and brute force side by side: in every state the names of actions are the same.

    Where words are equal, several states have the same history; ours must all lead somewhere.
    Returns how many situations that were.
    """
    problem = OrderingProblem.of(bag, lookup)
    truth = Constrained(bag)
    todo = [([initial_state(problem)], frozenset([truth.start]))]
    seen = set()
    while todo:
        ours, theirs = todo.pop()
        found: dict[str, dict[tuple, State]] = {}
        for state in ours:
            following = actions(state, problem)
            assert following or (not any(state.bag) and len(state.stack) == 1), "a dead end"
            for action in following:
                after = apply_action(state, action, problem)
                alike = found.setdefault(action_name(action, problem), {})
                alike.setdefault(signature(after), after)
        wanted = truth.by_name(theirs)
        assert found.keys() == wanted.keys(), (bag, theirs)
        for name, states in wanted.items():
            if (key := (states, frozenset(found[name]))) not in seen:
                seen.add(key)
                todo.append((list(found[name].values()), states))
    return len(seen)


def count_derivations(problem: OrderingProblem) -> int:
    known: dict[tuple, int] = {}

    def count(state: State) -> int:
        if not any(state.bag) and len(state.stack) == 1:
            return 1
        key = signature(state)
        if key not in known:
            actions = possible_actions(state, problem)
            known[key] = sum(count(apply_action(state, action, problem)) for action in actions)
        return known[key]

    return count(initial_state(problem))


SHAPES = (1, 2, 4, 9, 20, 48)  # forests over 1 to 6 words, up to renaming


@pytest.mark.parametrize("n", [*range(1, 6), pytest.param(6, marks=pytest.mark.torture)])
def test_every_forest_over_different_words(n: int) -> None:
    """Complete and sound, in every state that can be reached; with every root given, too."""
    assert len(forests("w" * n)) == SHAPES[n - 1]
    for heads in forests("w" * n, rooted=True):
        assert check_exact(bag_of("abcdef"[:n], heads)) >= n


TWO_LETTERS = [
    *("a", "aa", "ab", "aaa", "aab", "abb", "aaaa", "aaab", "aabb", "abbb"),
    *("aaaaa", "aaabb"),
]


@pytest.mark.parametrize(
    "words", [*TWO_LETTERS[:-1], pytest.param(TWO_LETTERS[-1], marks=pytest.mark.slow)]
)
@pytest.mark.slow
def test_every_forest_over_equal_words(words: str) -> None:
    """The same; and nothing is found twice: as many derivations as differ by more than renaming."""
    for heads in forests(words, rooted=len(words) < 5):
        bag = bag_of(words, heads)
        truth = Constrained(bag)
        assert check_exact(bag) >= len(words)
        derivations = count_derivations(OrderingProblem.of(bag, lookup))
        assert derivations * renamings(bag) == truth.derivations(truth.start), bag


def derivations_of(
    problem: OrderingProblem, actions: Possible = possible_actions
) -> Iterator[list[int]]:
    todo: list[tuple[State, list[int]]] = [(initial_state(problem), [])]
    while todo:
        state, done = todo.pop()
        if not any(state.bag) and len(state.stack) == 1:
            yield done
        for action in actions(state, problem):
            todo.append((apply_action(state, action, problem), [*done, action]))


def has_heads(bag: wl.WordBag, order: tuple[int, ...], tree: tuple[int, ...]) -> bool:
    over = [order[head] if head >= 0 else -1 for head in tree]
    return all((bag.heads or ())[unit] in (None, head) for unit, head in zip(order, over))


def random_orders(chance: random.Random, n: int, most: int) -> list[tuple[int, int]]:
    """Some pairs that do not go round in a cycle."""
    line = chance.sample(range(n), n)
    pairs = (sorted_pair(chance, n) for _ in range(chance.randint(1, most)))
    return [(line[i], line[j]) for i, j in pairs]


@pytest.mark.slow
def test_orders_are_exact_too() -> None:
    """What no tree allows is refused before the search, and only that."""
    chance = random.Random(5)
    count: Counter[str] = Counter()
    for _ in range(400):
        n = chance.randint(2, 5)
        heads = chance.choice(forests("w" * n, rooted=chance.random() < 0.5))
        words = chance.choice(["abcde", "abcde", "aabbc"])[:n]
        bag = bag_of(words, heads, random_orders(chance, n, 4))
        truth = Constrained(bag)
        if truth.live(truth.start):
            problem = OrderingProblem.of(bag, lookup)
            check_interleaving(problem)
            check_exact(bag)
            count["interleaving" if problem.given.interleaving else "possible"] += 1
        else:
            with pytest.raises(ValueError, match=r"order.*'[a-e]'.*'[a-e]'.*leave"):
                check_interleaving(OrderingProblem.of(bag, lookup))
            count["impossible"] += 1
    assert min(count.values()) > 8 and len(count) == 3, count


def test_impossible_orders_are_named() -> None:
    """Subtrees do not mix: inside one given tree, and between two."""
    one = wl.WordBag(list("abcd"), None, [None, 0, 0, 1], [(1, 2), (2, 3)])  # d is below b
    two = wl.WordBag(list("abcd"), None, [None, 0, None, 2], [(0, 2), (2, 1), (1, 3)])
    model = trained("liu_2015_table_2")
    for bag, says in ((one, "'b'.*'c'|'c'.*'b'|'d'.*'c'|'c'.*'d'"), (two, "'a' < 'c'.*'b' < 'd'")):
        for engine in ENGINES:
            with pytest.raises(ValueError, match=says):
                model.order(bag, engine=engine)


FORMS = sorted({form for form, _ in LEXICON})
TAGS = sorted({tag for _, tag in LEXICON})


def random_tree(chance: random.Random, n: int) -> list[int]:
    heads, shifted = [-1] * n, 0
    stack: list[int] = []
    while shifted < n or len(stack) > 1:
        if len(stack) > 1 and (shifted == n or chance.random() < 0.5):
            dependent = stack.pop(chance.choice([-1, -2]))
            heads[dependent] = stack[-1]
        else:
            stack.append(shifted)
            shifted += 1
    return heads


def random_heads(chance: random.Random, n: int) -> list[int | None]:
    """Any forest, of any shape, whatever the order of the words."""
    units = chance.sample(range(n), n)
    share, near = chance.random(), chance.choice([1, 3, n])
    heads: list[int | None] = [None] * n
    for rank, unit in enumerate(units[1:], 1):
        if chance.random() < share:
            heads[unit] = units[chance.randrange(max(0, rank - near), rank)]
    if chance.random() < 0.3:
        heads[units[0]] = -1
    return heads


def random_bag(chance: random.Random, n: int, orders: float = 0.2) -> wl.WordBag:
    """A bag with anything given that some sentence has, or with any forest and no order.

    Of a random sentence random shares of heads and tags are given, and with the probability
    ``orders`` a few orders. A few words make many twins.
    """
    words = chance.choices(chance.choice([FORMS, FORMS[:2], ["no", "way", "."]]), k=n)
    tags = [chance.choice(TAGS) if chance.random() < 0.3 else None for _ in range(n)]
    if chance.random() < 0.4:
        return wl.WordBag(words, tags, random_heads(chance, n))
    share = chance.choice([0, 0.5, 1, chance.random()])
    heads = [h if chance.random() < share else None for h in random_tree(chance, n)]
    before: list[tuple[int, int]] = []
    if chance.random() < orders and n > 1:
        before = [sorted_pair(chance, n) for _ in range(chance.randint(1, 3))]
    if n > 10:  # orders between two trees take the slow way: they are for small bags
        before = [(i, j) for i, j in before if top(heads, i) == top(heads, j)]
    bag = wl.WordBag(words, tags, heads, before)
    return bag.select(chance.sample(range(n), n))


def sorted_pair(chance: random.Random, n: int) -> tuple[int, int]:
    first, then = sorted(chance.sample(range(n), 2))
    return first, then


def top(heads: list[int | None], unit: int) -> int:
    """The head of the head, and so on; lone words count as one tree."""
    if heads[unit] is None and unit not in heads:
        return -1
    while (head := heads[unit]) is not None and head >= 0:
        unit = head
    return unit


def check_kept(found: Result, bag: wl.WordBag) -> None:
    check_result(found, bag)
    assert has_heads(bag, found.order, found.tree.heads)
    place = {unit: i for i, unit in enumerate(found.order)}
    assert all(place[first] < place[then] for first, then in bag.before)


@pytest.mark.parametrize("searches", [1_000, pytest.param(10_000, marks=pytest.mark.torture)])
def test_thousands_of_searches(searches: int) -> None:
    """7 to 25 words, beams down to 1: no dead end, and nothing that was given is missing."""
    chance = random.Random(2015)
    model = trained("liu_2015_table_2")
    for _ in range(searches):
        bag = random_bag(chance, chance.randint(7, 25))
        check_kept(model.order(bag, beam=chance.choice([1, 2, 4]), engine="fast"), bag)


NO_WAY = wl.WordBag(
    words=["no", "way", "no", "way", ".", "no"],
    pos=["DT", None, "DT", None, ".", None],
    heads=[1, 4, 3, 4, -1, None],
)
"""Twins, and a "no" that may go anywhere."""


@pytest.mark.slow
def test_engines_are_equal_on_what_is_given() -> None:
    """Outputs, the k best, counters and every event."""
    chance = random.Random(6)
    model = trained("liu_2015_table_2_corrected")
    bags = [NO_WAY, FIGURE_4, *(random_bag(chance, chance.randint(1, 10), 0.5) for _ in range(120))]
    for bag in bags:
        check_kept(both(model, bag, chance.randint(1, 5), chance.randint(1, 4)), bag)


@pytest.mark.parametrize("n", [64, 65, 130])
@pytest.mark.slow
def test_engines_are_equal_on_long_bit_sets(n: int) -> None:
    """More than 64 types: sets of two and of three machine words."""
    chance = random.Random(n)
    heads = [h if chance.random() < 0.7 else None for h in random_tree(chance, n)]
    orders = [(i, i + 1) for i in range(n - 1) if top(heads, i) == top(heads, i + 1)]
    whole = wl.WordBag([f"w{i}" for i in range(n)], ["NN"] * n, heads, chance.sample(orders, 5))
    bag = whole.select(chance.sample(range(n), n))
    check_kept(both(trained("liu_2015_table_2"), bag, 2, 2), bag)


def test_order_of_the_bag_does_not_matter_for_what_is_given() -> None:
    chance = random.Random(7)
    model = trained("liu_2015_table_2_corrected")
    for _ in range(120):
        bag = random_bag(chance, chance.randint(2, 12), 0.4)
        again = bag.select(chance.sample(range(len(bag)), len(bag)))
        results = [model.order(one, beam=3, k=3, engine="fast") for one in (bag, again)]
        one, other = ([(r.words, r.tree, r.score, r.actions) for r in x.k_best] for x in results)
        assert one == other and results[0].counters == results[1].counters


STARS = [(0, 2), (0, 3), (1, 4), (1, 5)]


@pytest.mark.parametrize(
    ("words", "heads", "before"),
    [
        ("abab", (None, 0, None, 2), ()),
        ("abab", (None, 0, None, 2), ((0, 2),)),
        ("aabbc", (None, 4, 0, 1, None), ()),
        ("aabb", (None,) * 4, ((0, 2), (1, 3))),
        ("aabbbb", (None,) * 6, STARS),
        ("aaaaaa", (None,) * 6, [(j, i) for i, j in STARS]),
        ("abcbc", (None, None, None, 1, None), ((1, 2), (3, 4))),
    ],
)
def test_equal_words_are_numbered_alike(words: str, heads: Heads, before: list) -> None:
    """Whatever the order of the bag, also where orders tell equal words apart."""
    bag = bag_of(words, heads, before)
    problems = {
        (problem.items, problem.counts, problem.given)
        for order in itertools.permutations(range(len(bag)))
        for problem in [OrderingProblem.of(bag.select(order), lookup)]
    }
    assert len(problems) == 1


def repetitive_sentence(chance: random.Random) -> Sentence:
    """Few different words under any tree: many subtrees are equal."""
    heads = random_tree(chance, chance.randint(1, 12))
    words = chance.choice(["no", "no way", "no way ."]).split()
    tokens = [(chance.choice(words), chance.choice("AB"), head) for head in heads]
    return Sentence(tuple(Token((form,), tag, head) for form, tag, head in tokens))


@pytest.mark.parametrize("deps", [0, 0.5, 1])
def test_gold_actions_are_possible_with_heads(deps: float) -> None:
    """At every step; and they build the sentence's own tree."""
    chance = random.Random(8)
    for seed in range(150):
        sentence = repetitive_sentence(chance)
        bag = wl.bag_of(sentence, chance.choice([0, 0.5, 1]), deps, seed)
        problem = OrderingProblem.of(bag, TagDictionary.of([sentence]).lookup)
        actions = gold_actions(sentence, problem, places(sentence, seed))
        state = initial_state(problem)
        for action in actions:
            assert action in possible_actions(state, problem)
            state = apply_action(state, action, problem)
        items, heads = read_actions(actions, problem)
        built = [(problem.items[i].unit, problem.items[i].pos) for i in items]
        assert built == [(token.words, token.pos) for token in sentence]
        assert tuple(heads) == sentence.tree.heads


@pytest.mark.parametrize(("pos", "deps"), [(1, 1), (0.5, 0.5)])
@pytest.mark.parametrize("update", UPDATES)
def test_learners_are_equal_with_heads(
    tmp_path: Path, update: str, pos: float, deps: float
) -> None:
    chance = random.Random(9)
    sentences = [*random_sentences(20, 8), *(repetitive_sentence(chance) for _ in range(4))]
    how = {"pos": pos, "deps": deps, "beam": 3, "epochs": 2, "progress": False, "update": update}
    for engine in ENGINES:
        wl.train("liu-2015", sentences, engine=engine, **how).save(tmp_path / engine)
    assert (tmp_path / "fast").read_bytes() == (tmp_path / "reference").read_bytes()


@cache
def whole_trees(n: int) -> list[Heads]:
    """Every tree over n words, up to renaming."""
    kinds = forests("w" * n, rooted=True)
    return [heads for heads in kinds if [h for h in heads if h is None or h < 0] == [-1]]


def outputs_of(problem: OrderingProblem, actions: Possible) -> Counter[tuple]:
    """Every output, with the number of ways that lead to it."""
    derivations = derivations_of(problem, actions)
    read = (read_actions(derivation, problem) for derivation in derivations)
    return Counter((tuple(items), tuple(heads)) for items, heads in read)


@pytest.mark.parametrize(("n", "n_trees"), [*enumerate([1, 1, 2, 4, 9, 20], 1)])
def test_algorithm_3_reaches_what_algorithm_2_reaches(n: int, n_trees: int) -> None:
    """Each output once; Algorithm 2 also takes left and right dependents in every other turn."""
    assert len(whole_trees(n)) == n_trees
    for heads in whole_trees(n):
        problem = OrderingProblem.of(bag_of("abcdef"[:n], heads), lookup)
        once = outputs_of(problem, full_tree_actions)
        assert set(once.values()) == {1}
        several = outputs_of(problem, possible_actions)
        assert once.keys() == several.keys()


def test_algorithm_3_on_equal_words_and_orders() -> None:
    chance = random.Random(10)
    for _ in range(150):
        n = chance.randint(2, 5)
        heads = chance.choice(whole_trees(n))
        words = chance.choice(["aaaaa", "abaab", "abcde"])[:n]
        bag = bag_of(words, heads, random_orders(chance, n, 2) if chance.random() < 0.5 else [])
        try:
            problem = OrderingProblem.of(bag, lookup)
        except ValueError:
            continue
        once, several = (outputs_of(problem, a) for a in (full_tree_actions, possible_actions))
        assert once.keys() == several.keys() and set(once.values()) == {1}


def forms(problem: OrderingProblem, items: Iterable[int]) -> str:
    return " ".join(problem.items[i].form for i in items)


def as_printed(state: State, problem: OrderingProblem) -> list[int]:
    """Algorithm 3 with line 15 as printed: SIBLINGS(i), without what is below them."""
    actions, given = full_tree_actions(state, problem), problem.given
    i = problem.type_of(state.stack[-1]) if state.stack else None
    if i is None or any(state.bag[t] for t in given.family[i][1:]):
        return actions
    types = {a: problem.items[a - SHIFT].type for a in actions if a >= SHIFT}
    head = given.heads[i]
    return [a for a in actions if a < SHIFT or types[a] == head or given.heads[types[a]] == head]


def test_algorithm_3_as_printed_loses_outputs() -> None:
    """The smallest: c <- a -> b -> d as "c d b a"."""
    for n in (1, 2, 3, 4):
        for heads in whole_trees(n):
            problem = OrderingProblem.of(bag_of("abcd"[:n], heads), lookup)
            every, printed = (outputs_of(problem, a) for a in (full_tree_actions, as_printed))
            lost = [(forms(problem, items), tree) for items, tree in every - printed]
            assert lost == ([("c d b a", (3, 2, 3, -1))] if heads == (-1, 0, 0, 1) else []), heads


def test_algorithm_3_needs_the_whole_tree() -> None:
    problem = OrderingProblem.of(bag_of("abc", (None, 0, None)), lookup)
    with pytest.raises(ValueError, match="2 arcs over 3 words, and 1 are given"):
        full_tree_actions(initial_state(problem), problem)


def differences(heads: Heads) -> tuple[list[str], list[str]]:
    """What the sketch allows though it leads nowhere, and what it forbids though it does not.

    As "b a + SHIFT-c": the words on the stack, then the action. From all live states.
    """
    n = len(heads)
    truth = Constrained(bag_of("abcdef"[:n], heads))
    sketch = Sketch(truth)
    dead: list[str] = []
    forbidden: list[str] = []
    todo = [truth.start]
    for state in todo:
        said = {name for name, _ in sketch.successors(state)}
        stack = "".join("abcdef"[unit] for unit in state.stack)
        for name, after in truth.successors(state):
            if truth.live(after) and after not in todo:
                todo.append(after)
            if truth.live(after) != (name in said):
                (dead if name in said else forbidden).append(f"{stack} + {name[:7]}")
    return dead, forbidden


def wrong(n: int, of: int, rooted: bool = False) -> dict[Heads, list[str]]:
    """By forest the dead ends (of=0) or what is forbidden for nothing (of=1), where there are."""
    found = {h: differences(h)[of] for h in forests("w" * n, rooted) if rooted == (-1 in h)}
    return {heads: cases for heads, cases in found.items() if cases}


def test_the_sketch_is_not_sound() -> None:
    """(5) does not ask whether l has its own dependents, nor (4) whether other roots have."""
    assert not wrong(2, 0) and not wrong(3, 0)
    assert wrong(4, 0) == {(None, 0, 0, 1): ["b + SHIFT-c"]}  # d cannot reach b any more
    five = wrong(5, 0)
    assert five.pop((None, None, 0, 1, 2)) == ["ab + SHIFT-e"]  # a -> c -> e, b -> d: d, likewise
    assert all("+ SHIFT" in case for cases in five.values() for case in cases)
    # Of given roots the text knows nothing: "no word on the stack is in the same tree".
    assert not wrong(2, 0, True) and (None, -1, 0) in wrong(3, 0, True)


def test_the_sketch_forbids_what_is_possible() -> None:
    """(5) wants a in the buffer; so a left dependent could not wait for those on the right."""
    assert not wrong(2, 1)
    assert wrong(3, 1) == {(None, 0, 0): ["ba + SHIFT-c", "ca + SHIFT-b"]}


def test_the_sketch_forbids_table_1() -> None:
    """With all arcs of Figure 2 given: its left dependent is attached last."""
    bag = wl.WordBag(FIGURE_2.tree.forms, FIGURE_2.tree.pos, FIGURE_2.tree.heads)
    truth = Constrained(bag)
    state, legal = truth.start, []
    for name in TALCOTT:
        legal.append(name in dict(Sketch(truth).successors(state)))
        state = dict(truth.successors(state))[name]
    assert truth.is_final(state) and legal[:3] == [True, True, False]


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
@pytest.mark.slow
def test_the_sketch_loses_no_output(n: int) -> None:
    """What it forbids can be had in another turn, the left dependents first."""
    for heads in forests("w" * n):
        truth = Constrained(bag_of("abcdef"[:n], heads))
        assert trees_by(truth, Sketch(truth).successors) == trees_by(truth, truth.successors)


def trees_by(
    truth: Constrained, successors: Callable[[Units], list[tuple[str, Units]]]
) -> set[tuple[tuple[int, ...], frozenset]]:
    """Every order with every tree that these actions build."""
    todo: set[tuple[Units, tuple[int, ...], frozenset]] = {(truth.start, (), frozenset())}
    built = set()
    while todo:
        state, order, arcs = todo.pop()
        if truth.is_final(state):
            built.add((order, arcs))
        for _, after in successors(state):
            if after.left != state.left:
                todo.add((after, (*order, after.stack[-1]), arcs))
            else:
                (dependent,) = {*state.stack[-2:]} - {after.stack[-1]}
                todo.add((after, order, arcs | {(after.stack[-1], dependent)}))
    return built


LOOK_AHEAD = "puduppully_2016_look_ahead"
SLOTS = ("S0,h", "S0hs", "S0,c", "S0,c2", "S0,s", "S0,s2", "b")


def problem_of(bag: wl.WordBag) -> OrderingProblem:
    return OrderingProblem.of(bag, lambda unit: ("X", "Y"))


def seen(problem: OrderingProblem, *actions: str) -> dict:
    """What the look-ahead slots hold after these actions."""
    state = initial_state(problem)
    for name in actions:
        by_name = {action_name(a, problem): a for a in possible_actions(state, problem)}
        state = apply_action(state, by_name[name], problem)
    context = state_context(state, problem)
    held = {slot: context[slot] for slot in SLOTS if context[slot] is not None}
    return {slot: it[:2] if isinstance(it, tuple) else it for slot, it in held.items()}


def test_figure_4_and_a_full_tree_by_hand() -> None:
    """The arcs of Figure 4, without a tag for "a team"; then the whole tree of Figure 2."""
    units = ["Dr. Talcott", "led", "a team", "of", "Harvard University", "."]
    tags = ["NP", "VBD", None, "IN", "NP", "."]
    partial = problem_of(wl.WordBag(units, tags, [None, None, None, 2, 3, None]))
    assert seen(partial) == {"b": 4}
    harvard = "SHIFT-Harvard University-NP"
    assert seen(partial, harvard) == {"b": 3, "S0,h": ("of", "IN"), "S0hs": IN_BAG}
    # The tag of "a team" is not known while it is in the bag.
    of = {"b": 3, "S0,h": ("team", None), "S0hs": IN_BAG}
    assert seen(partial, harvard, "SHIFT-of-IN") == of
    a_team = {"b": 3, "S0,c": ("of", "IN")}
    assert seen(partial, "SHIFT-a team-X") == a_team
    whole = problem_of(wl.WordBag(units, ["NP", "VBD", "NP", "IN", "NP", "."], [1, -1, 1, 2, 3, 1]))
    led = {"b": 3, "S0hs": IS_ROOT, "S0,c": (".", "."), "S0,c2": ("team", "NP")}
    assert seen(whole, "SHIFT-Dr. Talcott-NP", "SHIFT-led-VBD") == led
    family = {"S0,h": ("led", "VBD"), "S0,s": (".", "."), "S0,s2": ("team", "NP")}
    assert seen(whole, "SHIFT-Dr. Talcott-NP") == {"b": 3, "S0hs": IN_BAG, **family}
    stop = {"b": 3, "S0hs": ON_STACK, "S0,h": ("led", "VBD"), "S0,s": ("Talcott", "NP")}
    assert seen(whole, "SHIFT-led-VBD", "SHIFT-.-.") == {**stop, "S0,s2": ("team", "NP")}


def test_left_bin() -> None:
    assert [left_bin(n) for n in (0, 1, 2, 3, 5, 6, 10, 11, 99)] == [0, 1, 2, 3, 3, 4, 4, 5, 5]


def test_slots_of_random_walks_against_sets() -> None:
    """In full trees the slots are the ends of plain sets, by tag, whatever has happened so far."""
    chance = random.Random(5)
    checked = 0
    for _ in range(60):
        n = chance.randint(2, 9)
        heads = [chance.randint(-1, n - 1) for _ in range(n)]
        if tree_problem(heads) is not None:
            continue
        tags = [chance.choice("ABC") for _ in range(n)]
        problem = problem_of(wl.WordBag([f"w{i}" for i in range(n)], tags, heads))
        unit = {f"w{i}": i for i in range(n)}
        state = initial_state(problem)
        while actions := possible_actions(state, problem):
            state = apply_action(state, chance.choice(actions), problem)
            top = unit[problem.items[state.stack[-1].item].form]
            used = {unit[problem.items[item].form] for item in state.order}
            for slot, of in (("c", top), ("s", heads[top])):
                left = {i for i, head in enumerate(heads) if head == of >= 0} - used - {top}
                ends = [tags[i] for i in left]
                assert slot_tags(state, problem, slot) == (
                    [min(ends), max(ends)] if len(ends) > 1 else ends
                )
                checked += 1
    assert checked > 100


def slot_tags(state: State, problem: OrderingProblem, slot: str) -> list[str]:
    context = state_context(state, problem)
    held = [context[f"S0,{slot}"], context[f"S0,{slot}2"]]
    return [one[1] for one in held if isinstance(one, tuple) and one[1] is not None]


def test_levels_say_how_finely_actions_are_told_apart() -> None:
    templates = parse_templates("Words\nS0w\nWords by tag\nS0w\nWords by move\nS0w\nGroups\nS0\n")
    assert [template.level for template in templates.templates] == [0, 1, 2]
    with pytest.raises(ValueError, match=r"line 2: by 'word'.* action, tag, move"):
        parse_templates("Words by word\nS0w\nGroups\nS0\n")
    table = ActionTable.of([FIGURE_2])
    problem = OrderingProblem.of(wl.bag_of(FIGURE_2), lambda unit: ())
    numbers = {action_name(a, problem): table.numbers(a, problem) for a in range(8)}
    assert numbers["LEFTARC"] == (0, 0, 0, -1, 0)
    talcott, harvard = numbers["SHIFT-Dr. Talcott-NP"], numbers["SHIFT-Harvard University-NP"]
    assert talcott[0] != harvard[0] and talcott[1:] == harvard[1:]
    every = {number for some in numbers.values() for number in some}
    assert every == {-1, *range(len(table))}


def test_a_word_of_no_training_sentence_has_the_weights_of_its_tag() -> None:
    """By tag, unseen words of different tags get different scores; both engines say so."""
    model = trained(LOOK_AHEAD)
    problem = OrderingProblem.of(wl.WordBag(["zyx", "abc"], ["NP", "NNS"]), lambda unit: ())
    numbers = [model.actions.numbers(action, problem) for action in (2, 3)]
    assert all(by_word == -1 and by_tag >= 0 for by_word, by_tag, *_ in numbers)
    scores = set()
    for words in (["zyx", "abc"], ["abc", "zyx"]):
        bag = wl.WordBag(words, ["NP", "NNS"])
        results = [model.order(bag, k=4, engine=engine) for engine in ENGINES]
        assert results[0] == results[1]
        scores |= {one.score for one in results[0].k_best}
    assert len(scores) > 2
