"""Liu et al. (2015): Table 1, Figure 2, Table 2, the oracle sequence, updates worked by hand."""

from __future__ import annotations

import itertools
from math import comb

import numpy as np
import pytest
from oracles import (
    EVERY_COUNT,
    TABLE_2,
    Enumeration,
    Kind,
    features,
    names_in,
    projective_trees,
    start,
    successors,
    view,
)

import wordorder_lab as wl
from wordorder_lab.models.tag_dictionary import TagDictionary
from wordorder_lab.structures.problem import OrderingProblem
from wordorder_lab.structures.sentence import Sentence, Token
from wordorder_lab.structures.trees import is_projective, tree_problem
from wordorder_lab.transition.actions import (
    action_name,
    apply_action,
    initial_state,
    read_actions,
)
from wordorder_lab.transition.averaged_perceptron import Example, Perceptron
from wordorder_lab.transition.averaged_perceptron_fast import FastPerceptron
from wordorder_lab.transition.features import all_features, state_context
from wordorder_lab.transition.oracle import gold_actions, gold_moves
from wordorder_lab.transition.packed_weights import ActionTable
from wordorder_lab.transition.state import State
from wordorder_lab.transition.templates import (
    FeatureKeys,
    load_templates,
    parse_templates,
    show,
    template_files,
)


def sentence(*tokens: tuple[str, str, int]) -> Sentence:
    return Sentence(tuple(Token(tuple(form.split()), pos, head) for form, pos, head in tokens))


def problem_of(given: Sentence) -> OrderingProblem:
    return OrderingProblem.of(wl.bag_of(given), TagDictionary.of([given]).lookup)


# Figure 2; heads counted from 0, the paper's word i is our place i - 1.
FIGURE_2 = sentence(
    ("Dr. Talcott", "NP", 1),
    ("led", "VBD", -1),
    ("a team", "NP", 1),
    ("of", "IN", 2),
    ("Harvard University", "NP", 3),
    (".", ".", 1),
)

TALCOTT = [
    "SHIFT-Dr. Talcott-NP",
    "SHIFT-led-VBD",
    "SHIFT-a team-NP",
    "SHIFT-of-IN",
    "SHIFT-Harvard University-NP",
    "RIGHTARC",
    "RIGHTARC",
    "RIGHTARC",
    "SHIFT-.-.",
    "RIGHTARC",
    "LEFTARC",
]

# Transition, stack, buffer, new arc (head, dependent), as printed.
TABLE_1: list[tuple[str, list[int], set[int], tuple[int, int] | None]] = [
    ("SHIFT", [1], {2, 3, 4, 5, 6}, None),
    ("SHIFT", [1, 2], {3, 4, 5, 6}, None),
    ("SHIFT", [1, 2, 3], {4, 5, 6}, None),
    ("SHIFT", [1, 2, 3, 4], {5, 6}, None),
    ("SHIFT", [1, 2, 3, 4, 5], {6}, None),
    ("RIGHTARC", [1, 2, 3, 4], {6}, (4, 5)),
    ("RIGHTARC", [1, 2, 3], {6}, (3, 4)),
    ("RIGHTARC", [1, 2], {6}, (2, 3)),
    ("SHIFT", [1, 2, 6], set(), None),
    ("RIGHTARC", [1, 2], set(), (2, 6)),
    ("LEFTARC", [2], set(), (2, 1)),
]


def states_of(given: Sentence) -> list[State]:
    problem = problem_of(given)
    states = [initial_state(problem)]
    for action in gold_actions(given, problem):
        states.append(apply_action(states[-1], action, problem))
    return states


def test_table_1() -> None:
    problem = problem_of(FIGURE_2)
    number = {token.words: i for i, token in enumerate(FIGURE_2, 1)}
    arcs: set[tuple[int, int]] = set()
    states = states_of(FIGURE_2)
    assert len(states) == len(TABLE_1) + 1 == 2 * len(FIGURE_2)
    for state, name, (transition, stack, buffer, arc) in zip(
        states[1:], TALCOTT, TABLE_1, strict=True
    ):
        assert action_name(state.action, problem) == name
        assert name.split("-")[0] == transition
        assert [number[problem.items[node.item].unit] for node in state.stack] == stack
        assert [node.place + 1 for node in state.stack] == stack
        left = {number[item.unit] for item in problem.items if state.bag[item.type]}
        assert left == buffer
        arcs |= {arc} if arc else set()
        assert {(head + 1, dependent + 1) for head, dependent in state.arcs} == arcs


@pytest.mark.parametrize("engine", ["reference", "fast"])
def test_figure_2(engine: str) -> None:
    """Learned from this one sentence, the derivation is Table 1's and the tree Figure 2's."""
    model = wl.train("liu-2015", [FIGURE_2], beam=8, epochs=8, progress=False, engine=engine)
    found = model.order(wl.bag_of(FIGURE_2), engine=engine)
    assert found.text == "Dr. Talcott led a team of Harvard University ."
    assert list(found.actions) == TALCOTT
    assert found.tree == FIGURE_2.tree
    assert found.words[2] == "a team" and found.surface[3:5] == ("a", "team")


def test_table_2_as_printed() -> None:
    templates = load_templates("liu_2015_table_2")
    printed = {"Linearization" if s[0] == "L" else s: names_in(t) for s, t in TABLE_2.items()}
    assert [len(names) for names in printed.values()] == [20, 20, 16, 14]
    assert len(templates) == 70
    for section, names in printed.items():
        assert [t.name for t in templates.templates if t.section == section] == names


def test_table_2_corrected() -> None:
    printed = load_templates("liu_2015_table_2").templates
    corrected = load_templates("liu_2015_table_2_corrected").templates
    assert [(a.name, b.name) for a, b in zip(printed, corrected, strict=True) if a != b] == [
        ("S0wS0,lwS0,rp", "S0wS0,rwS0,rp"),
        ("S1wS1,lwS1,rp", "S1wS1,rwS1,rp"),
    ]


@pytest.mark.parametrize("name", template_files())
def test_template_files(name: str) -> None:
    """Every template is in one group, which has all its positions; none is there twice."""
    templates = load_templates(name)
    assert len({(t.name, t.level) for t in templates.templates}) == len(templates)
    grouped = [i for group in templates.groups for i in group.templates]
    assert sorted([*grouped, *templates.pieces]) == list(range(len(templates)))
    for group in templates.groups:
        assert all(templates.templates[i].slots <= set(group.slots) for i in group.templates)
    table_2 = {t.name for t in load_templates("liu_2015_table_2_corrected").templates}
    if not templates.pieces:
        assert len(table_2 - {t.name for t in templates.templates}) in (0, 2)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("Bigram\nS0wS2w;\nGroups\nS0 S1;", "line 2.*S2w"),
        ("Bigram\nS0wS0pS1wS1p;\nGroups\nS0 S1;", "4 parts"),
        ("Bigram\nS0wS1w;\nGroups\nS0;", "no group.*S0wS1w"),
        ("Bigram\nS0w;\nGroups\nS7;", "line 4.*S7"),
        ("Pieces\nHpQl\nGroups\nw0\n", "line 2.*cannot read 'Ql'"),
        ("Pieces\nRlKl\nGroups\nw0\n", "both R and K"),
        ("Pieces\nHpHwHlCpCwClXpXw\nGroups\nw0\n", "8 parts"),
    ],
)
def test_bad_templates(text: str, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        parse_templates(text, "mine")


# After step 10: "led" has the dependents "a team" and "." on its right, "Talcott" lies below.
STEP_10 = """
    S0w = led; S0p = VBD; S0,rw = .; S0,rp = .; S0,r2w = team; S0,r2p = NP; S1w = Talcott; S1p = NP
    S0wS0,rw = led, .; S0wS0,rp = led, .; S0pS0,rw = VBD, .; S0pS0,rp = VBD, .
    S0wS1w = led, Talcott; S0wS1p = led, NP; S0pS1w = VBD, Talcott; S0pS1p = VBD, NP
    S0wS0pS0,rw = led, VBD, .; S0wS0,rwS0,rp = led, ., .; S0wS0pS0,rp = led, VBD, .
    S0pS0,rwS0,rp = VBD, ., .
    w0 = .; p0 = .; w-1w0 = University, .; p-1p0 = NP, .
    w-2w-1w0 = of, University, .; p-2p-1p0 = IN, NP, .
    S0,r2wS0,rw = team, .; S0,r2pS0,rp = NP, .
"""


def test_features_of_one_state() -> None:
    problem = problem_of(FIGURE_2)
    context = state_context(states_of(FIGURE_2)[10], problem)
    corrected, printed = (load_templates(f"liu_2015_table_2{end}") for end in ("_corrected", ""))
    by_hand = {line.strip() for line in STEP_10.replace("\n", ";").split(";") if line.strip()}
    assert {show(corrected, f) for f in all_features(corrected, context)} == by_hand
    silent = "S0wS0,rwS0,rp = led, ., ."  # printed: S0,l for S0,r; nothing is on the left yet
    assert {show(printed, f) for f in all_features(printed, context)} == by_hand - {silent}


def test_extractor_against_a_naive_one() -> None:
    """All features of all states of long gold sequences, with every count up to its last bin."""
    chain = [*range(1, 8), -1, *range(7, 20)]  # a head in the middle of a chain
    fan = [8] * 8 + [-1] + [8] * 13
    mixed = [3, 2, 3, -1, 5, 3, 3, 13, 7, 7, 12, 12, 9, 3, 13]
    sets = [*map(load_templates, template_files()), parse_templates(EVERY_COUNT, "counts")]
    for heads in (chain, fan, mixed):
        words = [(f"w{i % 7}", f"T{i % 3}") for i in range(len(heads))]
        given = sentence(*((*word, head) for word, head in zip(words, heads)))
        problem = problem_of(given)
        kinds = tuple(Kind(form, (tag,), words.count((form, tag))) for form, tag in set(words))
        naive = start(kinds)
        for state in states_of(given):
            if state.parent is not None:
                naive = dict(successors(naive, kinds))[action_name(state.action, problem)]
            context = state_context(state, problem)
            for templates in sets:
                names = [t.name for t in templates.templates]
                of_states = [n for i, n in enumerate(names) if i not in templates.pieces]
                ours = [(names[int(f[0])], *f[1:]) for f in all_features(templates, context)]
                assert sorted(map(repr, ours)) == sorted(
                    map(repr, features(of_states, view(naive)))
                )


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, 6])
def test_gold_moves_build_every_projective_tree(n: int) -> None:
    trees = projective_trees(n)
    assert len(set(trees)) == len(trees) == comb(3 * n - 2, n - 1) // n
    words = [(f"w{i}", "T") for i in range(n)]
    for heads in trees:
        given = sentence(*((*word, head) for word, head in zip(words, heads)))
        problem = problem_of(given)
        actions = gold_actions(given, problem)
        assert len(actions) == 2 * n - 1
        items, built = read_actions(actions, problem)
        assert [problem.items[i].form for i in items] == [form for form, _ in words]
        assert tuple(built) == heads


@pytest.mark.parametrize("n", [2, 3, 4, 5])
def test_gold_moves_refuse_every_other_tree(n: int) -> None:
    projective = set(projective_trees(n))
    for heads in itertools.product(range(-1, n), repeat=n):
        tree = tree_problem(heads) is None
        assert (tree and is_projective(heads)) == (heads in projective)
        if tree and heads not in projective:
            with pytest.raises(ValueError, match="not projective"):
                gold_moves(heads)


def test_right_dependents_first_then_left_ones_nearest_first() -> None:
    assert gold_moves([2, 2, -1, 2, 2]) == [2, 2, 2, 2, 1, 2, 1, 0, 0]


def test_the_system_builds_exactly_the_projective_trees() -> None:
    """n! orders, and for each every projective tree; all ways together are n! C(n-1) 2^(n-1)."""
    for n in (1, 2, 3, 4, 5):
        every = Enumeration(tuple(Kind(f"w{i}", ("T",)) for i in range(n)))
        orders = list(itertools.permutations(range(n)))
        catalan = comb(2 * n - 2, n - 1) // n
        assert len({d.actions for d in every.derivations}) == len(every.derivations)
        assert len(every.derivations) == len(orders) * catalan * 2 ** (n - 1)
        built = {(d.final.shifted, d.final.heads) for d in every.derivations}
        wanted = {
            (tuple((f"w{i}", "T") for i in order), heads)
            for order in orders
            for heads in projective_trees(n)
        }
        assert built == wanted
    six_equal = Enumeration((Kind("w", ("T",), 6),)).derivations
    assert len(six_equal) == 42 * 2**5
    assert {d.final.heads for d in six_equal} == set(projective_trees(6))


TINY = parse_templates("Unigrams\nS0w; S1w; w0;\nGroups\nS0 S1; w0;", "tiny")
WINDS_BLOW = sentence(("winds", "N", 1), ("blow", "V", -1))
EAT_FISH = sentence(("eat", "V", -1), ("fish", "N", 0))

SHIFT_WINDS, SHIFT_BLOW = ("winds", "N"), ("blow", "V")


class Learned:
    """Either learner after these examples: its averages by name, its updates by event."""

    def __init__(self, engine: str, beam: int, update: str, examples: list[Sentence]) -> None:
        given = [WINDS_BLOW, EAT_FISH]
        tokens = [token for one in given for token in one]
        self.keys = FeatureKeys.of(TINY, (t.words[-1] for t in tokens), (t.pos for t in tokens))
        self.actions = ActionTable.of(given)
        self.log = wl.EventLog(only=["update"])
        todo = [Example(p := problem_of(one), tuple(gold_actions(one, p))) for one in examples]
        if engine == "fast":
            learner = FastPerceptron(self.keys, self.actions, beam, update)
            learner.prepare(todo)
            learner.learn(np.arange(len(todo)), self.log)
            self.raw = learner.raw()
        else:
            slow = Perceptron(TINY, self.actions, beam, update, self.log)
            for example in todo:
                slow.learn(example)
            self.raw = slow.weights.raw(self.keys)
        self.updates = learner.updates if engine == "fast" else slow.updates

    def averages(self) -> dict[tuple[str, object], float]:
        """(feature, action) -> T * w - u."""
        packed = self.raw.averaged()
        names = ["LEFTARC", "RIGHTARC", *self.actions.pairs]
        return {
            (show(TINY, self.keys.feature(key)), names[action]): value
            for key in packed.keys.tolist()
            for action, value in packed.row(key).items()
        }


@pytest.mark.parametrize("engine", ["reference", "fast"])
@pytest.mark.parametrize("update", ["early", "max-violation"])
def test_early_update_by_hand(engine: str, update: str) -> None:
    """Beam 1. Of two equal SHIFTs "blow" comes first, so gold falls out in the first step.

    The second time gold wins by 1 to -1 and there is no update. The third example goes wrong in
    the last step, where LEFTARC comes before RIGHTARC; its change counts for one example of three.
    """
    learned = Learned(engine, 1, update, [WINDS_BLOW, WINDS_BLOW, EAT_FISH])
    reason = "early" if update == "early" else "max-violation"
    # In "eat fish" both SHIFTs are free: the scores of winds and blow concern other words.
    assert learned.log.events == [
        ("update", 0, 1, reason, 0.0, 0.0),
        ("update", 2, 3, reason, 0.0, 0.0),
    ]
    assert learned.updates == 2
    assert learned.averages() == {
        ("w0 = -BEGIN-", SHIFT_WINDS): 3 * 1 - 0 * 1,
        ("w0 = -BEGIN-", SHIFT_BLOW): -3,
        ("S0w = fish", "RIGHTARC"): 3 * 1 - 2 * 1,
        ("S0w = fish", "LEFTARC"): -1,
        ("S1w = eat", "RIGHTARC"): 1,
        ("S1w = eat", "LEFTARC"): -1,
        ("w0 = fish", "RIGHTARC"): 1,
        ("w0 = fish", "LEFTARC"): -1,
    }
    assert learned.raw.averaged().divisor == learned.raw.examples == 3


@pytest.mark.parametrize("engine", ["reference", "fast"])
def test_update_at_the_end_by_hand(engine: str) -> None:
    """Beam 4 keeps all four derivations; "blow winds" with LEFTARC was made first and wins."""
    learned = Learned(engine, 4, "early", [WINDS_BLOW, WINDS_BLOW])
    assert learned.log.events == [("update", 0, 3, "end", 0.0, 0.0)]
    gold = [
        ("w0 = -BEGIN-", SHIFT_WINDS),
        ("S0w = winds", SHIFT_BLOW),
        ("w0 = winds", SHIFT_BLOW),
        ("S0w = blow", "LEFTARC"),
        ("S1w = winds", "LEFTARC"),
        ("w0 = blow", "LEFTARC"),
    ]
    predicted = [
        ("w0 = -BEGIN-", SHIFT_BLOW),
        ("S0w = blow", SHIFT_WINDS),
        ("w0 = blow", SHIFT_WINDS),
        ("S0w = winds", "LEFTARC"),
        ("S1w = blow", "LEFTARC"),
        ("w0 = winds", "LEFTARC"),
    ]
    assert learned.averages() == {**dict.fromkeys(gold, 2), **dict.fromkeys(predicted, -2)}
