"""What the score of a hypothesis is made of: word by word, what the n-gram model says.

A score has the future cost in it, what the words left over would bring alone. So at the start it is
that of the whole bag, and each step gives the words their place: log p(word | words before), less
what was counted for them alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from wordorder_lab.models.ngram import END_ID
from wordorder_lab.ngram_beam.beam import BeamSearch, Candidate, Hypothesis
from wordorder_lab.structures.reasons import Parts, Reasons, shown
from wordorder_lab.structures.trace import Event


@dataclass(frozen=True)
class NGramReasons:
    """Explains the hypotheses of one search; ``search`` is one of the same bag."""

    search: BeamSearch

    def __call__(self, events: Sequence[Event]) -> Reasons:
        """The points of the hypotheses that are shown; of 0 the future cost at the start."""
        bag, search = self.search.bag, self.search
        items = {name: item for item, name in enumerate(bag.names)}
        start = search.start()
        found: dict[str, Parts] = {"0": _not_zero([("future cost of the whole bag", start.future)])}
        wanted, made = shown(events), {0: start}
        last = 0
        for kind, *values in events:
            if kind == "step":
                last = values[0]
            if kind != "candidate" or values[0] not in wanted or values[1] not in made:
                continue
            serial, parent, name, _ = values
            if name in items:
                one = made[parent]
                found[str(serial)] = self.points(one, items[name], last == bag.words)
                made[serial] = search.build(Candidate(0.0, serial, 0.0, 0.0, one, items[name]))
        return Reasons(found)

    def points(self, parent: Hypothesis, item: int, last: bool) -> Parts:
        """What putting an item behind a hypothesis adds to its score with future cost."""
        search, bag = self.search, self.search.bag
        known = [bag.forms[bag.kinds[one]] for one in parent.items()]
        before = " ".join(known[1 - search.model.order :]) or "nothing"
        found, context = [], list(parent.history)
        unit = bag.forms[bag.kinds[item]]
        total = 0.0
        for word in bag.tokens[item]:
            total += search.model.log_prob(context, word)
            context.append(word)
        found.append((f"log p of “{unit}” after “{before}”", total))
        if last:
            found.append(("log p of the end after that", search.model.log_prob(context, END_ID)))
        found.append((f"“{unit}” is no longer left over", -bag.costs[bag.kinds[item]]))
        return _not_zero(found)


def _not_zero(parts: Parts) -> Parts:
    return [(text, points) for text, points in parts if points]
