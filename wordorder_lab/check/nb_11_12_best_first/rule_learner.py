"""A rule of somebody's own in the place of UPDATEPARAMETERS, plugged into the reference learner.

Algorithm 3 asks it for the change of the weights whenever it would update (Zhang & Clark 2015,
section 3.5).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from math import isclose
from typing import Any, NamedTuple

from wordorder_lab.best_first.edge import Edge
from wordorder_lab.best_first.gold import Example
from wordorder_lab.best_first.guided_learning import GuidedLearner
from wordorder_lab.best_first.search import BestFirst
from wordorder_lab.best_first.settings import GuidedSettings
from wordorder_lab.best_first.templates import load_edge_templates
from wordorder_lab.best_first.updates import SCALED, step_size
from wordorder_lab.check.common.exercise import Wrong, is_number
from wordorder_lab.check.common.workbench import SENTENCES
from wordorder_lab.check.nb_11_12_best_first.small_search import example_of

MOST = 300
"""How many edges a sentence may take from the agenda."""


class Seen(NamedTuple):
    """What a rule sees of an edge: feature -> how often it is in Phi(e), and in phi(e) alone, the
    last action's; |e|; and the score f(e) / |e| under the weights of this moment."""

    features: Mapping[str, int]
    last: Mapping[str, int]
    actions: int
    score: float


Rule = Callable[[Seen, Seen], Mapping[str, float]]


class OwnRule(GuidedLearner):
    """Algorithm 3 with somebody's own UPDATEPARAMETERS; scores are scaled.

    Without a rule it is the paper's. ``asked`` keeps the two edges and the change of every update.
    """

    def __init__(self, rule: Rule | None, **how: Any) -> None:
        settings = {"beam": 16, "chart": "single", "update": SCALED, "negatives": "expand", **how}
        templates = load_edge_templates("zhang_clark_2015_table_2")
        super().__init__(templates, GuidedSettings(expansions=MOST, **settings))
        self.rule = rule
        self.asked: list[tuple[Seen, Seen, Mapping[str, float]]] = []

    def update_parameters(
        self, search: BestFirst, reason: str, positive: Edge, negative: Edge
    ) -> bool:
        """Ask the rule, and change the weights as it says."""
        plus, minus = (self.seen(search, edge) for edge in (positive, negative))
        along = self.difference(search, positive, negative)
        named = {search.show(feature): feature for feature in along}
        if self.rule is None:
            step = step_size(SCALED, along, plus.score, minus.score) if any(along.values()) else 0.0
            change: Mapping[str, float] = {
                name: max(step, 0.0) * along[feature] for name, feature in named.items()
            }
        else:
            change = checked(self.rule(plus, minus), named)
        self.asked.append((plus, minus, change))
        self.updates[reason] += 1
        for name, value in change.items():
            self.weights.add(named[name], value)
        return any(change.values())

    def seen(self, search: BestFirst, edge: Edge) -> Seen:
        """An edge as a rule sees it."""
        score = search.score_of(edge, search.recompute(edge, {}))
        all_of_it, last = search.all_features(edge), search.features(edge)
        return Seen(
            Counter(map(search.show, all_of_it)),
            Counter(map(search.show, last)),
            edge.actions,
            score,
        )


def checked(change: Any, named: Mapping[str, Any]) -> Mapping[str, float]:
    """What a rule returned, if it is a change of the features of two edges; else ``Wrong``."""
    if change is ...:
        return {}
    if not isinstance(change, Mapping):
        raise Wrong(f"Your rule returned {change!r}: a dictionary is wanted, feature -> change.")
    for name, value in change.items():
        if name not in named:
            raise Wrong(f"Neither edge has the feature {name!r}.")
        if not is_number(value):
            raise Wrong(f"Your rule changes {name!r} by {value!r}; a number is wanted.")
    return {name: float(value) for name, value in change.items()}


# --- a world of eight sentences -------------------------------------------------------------------

EPOCHS = 6
"""How often the small world is read."""


@cache
def small_world() -> tuple[Example, ...]:
    """The sentences of the workbench, tags given."""
    return tuple(map(example_of, SENTENCES))


def taught(rule: Rule | None) -> tuple[OwnRule, list[int]]:
    """A learner that has read the small world, and how many updates that took, epoch by epoch.

    Raises ``Wrong`` if a sentence comes to the limit before its gold tree is found.
    """
    learner = OwnRule(rule)
    counts = []
    for epoch in range(1, EPOCHS + 1):
        before = len(learner.asked)
        for example, sentence in zip(small_world(), SENTENCES, strict=True):
            learner.learn(example)
            if learner.sentences["limit"]:
                raise Wrong(
                    f"Epoch {epoch}, {sentence.text!r}: {MOST} edges were popped, and the gold "
                    "tree was not among them. Your updates do not bring gold up, or they undo "
                    "each other."
                )
        counts.append(len(learner.asked) - before)
    return learner, counts


def factor(
    changes: Sequence[Mapping[str, float]], rights: Sequence[Mapping[str, float]]
) -> float | None:
    """The one positive number that makes all of ``rights`` into ``changes``, if there is one."""
    first = next(((change, right) for change, right in zip(changes, rights) if any(right.values())))
    name = next(name for name, value in first[1].items() if value)
    ratio = first[0].get(name, 0.0) / first[1][name]
    if ratio <= 0 or len(changes) != len(rights):
        return None
    for change, right in zip(changes, rights):
        for name in {**change, **right}:
            yours, wanted = change.get(name, 0.0), right.get(name, 0.0) * ratio
            if not isclose(yours, wanted, rel_tol=1e-6, abs_tol=1e-9 * ratio):
                return None
    return ratio
