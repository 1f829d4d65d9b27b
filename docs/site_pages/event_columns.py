"""What the numbers in events count or measure: by column, and by kind where a name has several.

A score has no unit: it is a sum of weights, or of natural logarithms of probabilities, and the
scores of two models are not compared.
"""

from __future__ import annotations

from wordorder_lab.trace.events import SCHEMA

SCORE = "the model's score, a sum without a unit: the higher, the better"
SERIAL = "number of a candidate, edge or item of this search, from 1, in the order of making"
OF_EDGE = "serial of an edge"
MEANS: dict[str, str] = {
    "serial": SERIAL,
    "score": SCORE,
    "parent": "serial of a state; 0 is the initial one",
    "rank": "place in the beam or among the best, from 0",
    "step": "number of the step, from 1",
    "beam": "how many the search keeps; 0 where it has no beam",
    "units": "texts, one a type of the bag",
    "counts": "for each of the units how often it is used at most",
    "types": "places among the units of `begin`, from 0",
    "forms": "texts, one a form",
    "labels": "texts",
    "words": "texts",
    "names": "texts, the families of constraints",
    "unknown": "texts, units of the bag, sorted",
    "ties": "texts, a sentence each",
    "probabilities": "from 0 to 1, one an item; -1 where nothing was said",
    "gold": "1 or 0: part of gold or not; -1 where nothing is known of that",
    "margin": "a difference of two scores",
    "epoch": "number of the epoch, from 1",
    "example": "how many examples were learned before this one, from 0",
    "sentence": "place of the sentence in the training set, from 0",
    "updates": "how many updates there were",
    "prefix": "how many actions or pops were gold before the first that was not",
    "length": "of how many",
    "norm": "Euclidean length of the weights",
    "scores": "one number, in its own units, or none",
    "weights": "how many weights are not 0",
    "before": "the weight before, without a unit",
    "after": "the weight after, without a unit",
    "predicted": "score of the predicted prefix",
    "positive": OF_EDGE,
    "negative": OF_EDGE,
    "application": "number of the application, from 0",
    "applications": "numbers of applications, from 0, in pre-order",
    "node": "place of a node of the source, in post-order, from 0",
    "parents": "for each node the place of its parent, from 0; -1 for the root",
    "children": "places of nodes of the source, from 0",
    "deleted": "places of nodes of the source, from 0",
    "points": "weight times value, without a unit",
    "cell": "number of the cell, from 0",
    "items": "serials of items, best first",
    "ranks": "for each variable the place of its item in the child's cell, from 0",
    "heuristic": "what it is chosen by, without a unit",
    "ngrams": "the part of the score that is of n-grams made here",
    "loss": "in the units of the loss function that is trained with",
    "item": "serial of the item that it makes or improves",
    "violation": "loss less margin",
    "iteration": "number of the iteration, from 1",
    "constraints": "how many constraints the programme has",
    "primal": "value of the programme's objective",
    "dual": "value of its dual",
    "bound": "the objective over all outputs, as far as searches found them",
    "start": "place of the first word, from 0",
    "end": "place behind the last word, from 1",
    "left": OF_EDGE,
    "fallback": "1 or 0: put together by a rule for that, or parsed",
    "total": "score of the best path that ends so",
    "back": "1 or 0",
    "kept": "places of the words that stay, from 0",
    "broken": "1 or 0",
    "objective": "value of the programme, a score",
    "nodes": "how many nodes branch and bound looked at",
}
"""Column -> what its numbers are; of lists also what else is in them."""
OF_KIND: dict[tuple[str, str], str] = {
    ("begin", "items"): "how many items the search may choose from",
    ("leaf", "item"): "place among the items of the search, from 0",
    ("update", "step"): "how many actions the update takes in",
    ("update", "gold"): "score of the gold prefix",
    ("edge_update", "step"): "how far the weights are moved; 0 is no update",
    ("violation", "example"): "place of the example among all, from 0",
    ("edge", "right"): "serial of an edge; 0 where a unary rule made it of one edge",
    ("constituent", "left"): "serial of a constituent; 0 for a tag of one word",
    ("constituent", "right"): "serial of a constituent; 0 where there is one child or none",
    ("bigram", "left"): "place of a word, from 1; 0 is the start",
    ("bigram", "right"): "place of a word, from 1; one more than there are is the end",
    ("gold", "rank"): "place in the beam, from 0; -1 where it was cut",
    ("gold", "serial"): "serial of a candidate; -1 where it never was one",
    ("parsed", "serial"): "serial of the parse's root; 0 where the grammar has none",
    ("parsed", "score"): "natural logarithm of a probability",
    ("constituent", "score"): "natural logarithm of a probability",
    ("demand", "words"): "places of the words that it is about, from 0",
}
"""The same for a column of one kind, where it is not what it is elsewhere."""
COUNTED = (int, float, list)


def meaning(kind: str, column: str) -> str:
    """What the numbers of a column are, nothing for texts. Raises ``ValueError`` if nobody says."""
    if SCHEMA[kind].columns[column] not in COUNTED:
        return ""
    told = OF_KIND.get((kind, column)) or MEANS.get(column)
    if told is None:
        raise ValueError(f"{column} of the event {kind!r}: docs/site_pages/event_columns.py says")
    return told
