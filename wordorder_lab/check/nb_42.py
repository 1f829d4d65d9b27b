"""Notebook 42, compression of real text: its exercises.

What the notebook looks at is in ``nb_42_shown``.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import chain, combinations

import numpy as np
from nltk.tree import Tree

from wordorder_lab.check.exercise import Function, NotAnswered, Wrong, function_of
from wordorder_lab.check.judges import Case, Number, OneOf, Wanted, exercise, is_number
from wordorder_lab.check.moments import Moment
from wordorder_lab.deletion.constraints import NAMES, Constraint, constraints
from wordorder_lab.deletion.integer_programme import solve
from wordorder_lab.deletion.lattice import Path, best_paths, tell
from wordorder_lab.metrics.compression import ngram_f1
from wordorder_lab.metrics.relations import relation_f1
from wordorder_lab.structures.deletion import DeletionSentence
from wordorder_lab.trace.log import EventLog

WORDS = ("rain", "that", "fell", "stopped")  # the sentence that is asked about
NODES = ("start", *WORDS, "end")
_ROWS: dict[str, dict[str, float]] = {
    "start": {"rain": 1, "that": 0, "fell": 2, "stopped": -1},
    "rain": {"that": 1, "fell": 2, "stopped": 3, "end": -2},
    "that": {"fell": 3, "stopped": -2, "end": -2},
    "fell": {"stopped": -1, "end": 1},
    "stopped": {"end": 1},
}
"""What each bigram of kept words scores; all numbers are ours."""


def score_table() -> list[dict[str, str]]:
    """The scores as rows of a table: the left word, and a column for each right one."""
    return [
        {"": left, **{right: f"{row[right]:g}" for right in NODES[1:] if right in row}}
        for left, row in _ROWS.items()
    ]


def scores_of_words() -> np.ndarray:
    """The scores as the search takes them: float64 of shape (6, 6)."""
    return np.array([[_ROWS.get(left, {}).get(right, 0.0) for right in NODES] for left in NODES])


def best(length: int | None = None) -> Path:
    """The best path, of any length or of this one."""
    return best_paths(scores_of_words(), length=length)[0]


@cache
def _played() -> EventLog:
    log = EventLog()
    log.begin([*WORDS], [1] * len(WORDS), len(WORDS), 1)
    tell(best_paths(scores_of_words(), trace=log), log, WORDS)
    return log


def _paths() -> Iterator[Case]:
    where = Moment(_played(), len(_played()), "A lattice")
    for what, length in (("the best compression", None), ("the best one of 2 words", 2)):
        right = best(length)
        yield Case(what, [WORDS[place] for place in right.kept], moment=where)
        yield Case(f"{what}, its score", right.score)


class _Kept(Wanted[list[str]]):
    """Some of ``WORDS``, as a list or a text."""

    def read(self, value: object) -> list[str]:
        given = value.split() if isinstance(value, str) else value
        if not isinstance(given, list | tuple) or not all(word in WORDS for word in given):
            raise Wrong(f"its words are among {', '.join(WORDS)}.")
        return [*given]

    def miss(self, yours: list[str], _right: list[str]) -> str:
        total, text = 0.0, " ".join(yours)
        for left, right in zip(["start", *yours], [*yours, "end"]):
            if right not in _ROWS[left]:
                return f"{text} has no bigram {left} {right}: words keep their order"
            total += _ROWS[left][right]
        return f"{text} scores {total:g}, and there is better of that length"


@exercise("42.1", _paths, (_Kept(), Number(near=1e-6), _Kept(), Number(near=1e-6)))
def two_paths() -> list[object]:
    """Viterbi over bigrams of kept words, by hand.

    - Go from left to right. For each word write down the best score of a way that ends with it, and
      where that came from.
    - The last step to the end counts, too: a compression may end with any word, at a price.
    - For two words there are six pairs; try them all.

    The best way into *rain* scores 1, into *that* 2 (over *rain*), into *fell* 5 (over *that*),
    into *stopped* 4 (over *rain*, or over *fell*). With the step to the end: 1 - 2, 2 - 2, 5 + 1,
    4 + 1. So *rain that fell*, 6. Of two words: *rain stopped*, 1 + 3 + 1 = 5. Cross any word out
    of *rain that fell*, and you do not get there.

    Right: The best step from the start leads to fell, and neither path begins there. Nor is the
    shorter compression a part of the longer one: whoever wants another length has to search again.
    """
    return [["rain", "that", "fell"], 6, ["rain", "stopped"], 5]


REFERENCE = Tree.fromstring("(S (NP (DT the) (NN bank)) (VP (VBD raised) (NP (NNS rates))) (. .))")
"""What a person made of a sentence."""
OUTPUTS = {
    "A": Tree.fromstring("(S (NP (DT the) (NN week)) (VP (VBD raised) (NP (NNS rates))) (. .))"),
    "B": Tree.fromstring("(S (NP (DT the) (NN bank)) (VP (VBD raised)) (. .))"),
}
"""Two outputs: one with a wrong noun, one that lacks the object."""


def both_f1s() -> list[dict[str, str]]:
    """The outputs with their F1 of single words, as rows."""
    rows = []
    for name, tree in OUTPUTS.items():
        f1 = ngram_f1(tree.leaves(), REFERENCE.leaves(), 1)
        rows.append({"": name, "output": " ".join(tree.leaves()), "unigram F1": f"{f1:.0%}"})
    return rows


def _f1s() -> Iterator[Case]:
    for name, tree in OUTPUTS.items():
        right = relation_f1([tree], [REFERENCE]).f1
        percent = (100 * right, "Give a share from 0 to 1, not percent.")
        yield Case(f"Relation F1 of {name}", right, mistakes=[percent])


@exercise("42.2", _f1s, Number(near=0.006, share=0.01))
def two_f1s() -> list[float]:
    """Relation F1 by hand.

    - Write down the pairs (head, dependent) of each tree. The head of a noun phrase is its noun,
      that of the sentence its verb.
    - The verb depends on nothing: (root, raised) is a relation, too. A full stop is none.
    - Right ones over those of the output is precision, over those of the reference recall; F1 = 2 ·
      right / (both numbers of relations together).

    The reference has (root, raised), (raised, bank), (bank, the), (raised, rates). A has two of its
    four right, and finds two of four: 0.5. B has three of three right and finds three of four: 2 ·
    3 / (3 + 4). By single words A has 80 %: one word of five is wrong.

    Right: One wrong noun costs A two relations of four, one missing noun costs B none that it
    has. Relations punish a wrong word more than a missing one.
    """
    return [0.5, 6 / 7]


def _rates() -> Iterator[Case]:
    """The metric's answer: all words against the first of them, all different."""
    for words, kept in ((10, 10), (10, 9), (20, 15), (10, 7), (12, 8), (30, 11), (40, 1)):
        source, rate = [f"w{i}" for i in range(words)], kept / words
        person = f"A person keeps {kept} of {words} words, a rate of {rate:.3g}"
        about = f"{person}. Whoever keeps all: the unigram F1"
        yield Case(about, ngram_f1(source, source[:kept], 1), (rate,))


@exercise("42.3", _rates, Number(near=1e-6, form=".3f"))
def keep_all_f1(rate: float) -> float:
    """The unigram F1 of keep all, from the rate alone.

    - Say the sentence has n words, of which a person keeps r · n. How many of the output's words
      are right?
    - All words of the reference are there, so recall is 1. Precision is r.
    - F1 = 2 · precision · recall / (precision + recall).

    Recall is 1, precision the rate.

    Right: So 80 % are for nothing wherever people keep two words of three. The number says how
    much people keep, and nothing about the system.
    """
    return 2 * rate / (1 + rate)


TREE = Tree.fromstring(
    "(S (NP (PRP He)) (VP (VBD did) (RB not) (VP (VB sell) (NP (PRP$ his) (JJ old) (NNS shares)) "
    "(PRN (-LRB- -LRB-) (NP (CD ten)) (-RRB- -RRB-)))) (. .))"
)
"""The sentence; its scores are ours, so small that each family tells."""
POINTS = (-1.0, -1.0, -0.5, 2.0, -0.5, 1.0, -0.5, -1.0, 1.5, -1.0, 0.5)
"""What keeping a word brings, whatever stands beside it."""
ASKED = ("negation", "brackets", "pronouns", "modifiers")
"""The families that were switched on, one at a time; outputs 1, 2, ... are in this order."""


def points_as_scores(points: Sequence[float]) -> np.ndarray:
    """Scores of bigrams that know only their right word: float64 of shape (n + 2, n + 2)."""
    scores = np.zeros((len(points) + 2, len(points) + 2))
    scores[:, 1:-1] = points
    return scores


def _output_under(*names: str) -> str:
    sentence = DeletionSentence.of_tree(TREE)
    return _stays(sentence.words, POINTS, constraints(sentence, names))


def four_outputs() -> list[dict[str, str]]:
    """The sentence, what stays without constraints, and with each family, as rows."""
    rows = {"all words": " ".join(TREE.leaves()), "no constraints": _output_under()}
    rows |= {f"output {number}": _output_under(name) for number, name in enumerate(ASKED, 1)}
    return [{"": name, "stays": words} for name, words in rows.items()]


class _Family(OneOf):
    """A family that makes the same output."""

    def same(self, yours: object, right: str) -> bool:
        return _output_under(str(yours)) == _output_under(right)

    def text(self, value: object) -> str:
        return f"{value}: with that it would be: {_output_under(str(value))}"


FAMILIES = [Case(f"Output {number}", name) for number, name in enumerate(ASKED, 1)]


@exercise("42.4", FAMILIES, _Family(NAMES))
def four_families() -> list[str]:
    """Which constraint made which output?

    - Compare each output with the one without constraints: which word came, which went?
    - A word that came is one that something else needs; the tree says what.
    - The families are modifiers, negation, possessives, arguments, verb, coordination, brackets,
      pronouns.

    *not* came, because *sell* stays; *ten* went, it stood in brackets; *he* came, a personal
    pronoun; *shares* came, as *old* hangs on it.

    Right: Each family looks at something else in the tree, and at nothing besides.
    """
    return ["negation", "brackets", "pronouns", "modifiers"]


_LINES = (
    "reserves/NNS/2 rose/VBD/3 by/IN/0.5 $/$/-1 350/CD/1.5 ././0.5",
    "ten/CD/-1 banks/NNS/1 paid/VBD/2 $/$/1 9/CD/-0.5 ././0.5",
    "a/DT/-1 $/$/-0.5 sign/NN/1 costs/VBZ/1 $/$/0.4 5/CD/0.6 ././0.5",
    "banks/NNS/1 paid/VBD/1 ten/CD/-0.5 clerks/NNS/1 ././0.5",
)
"""Words, with their tags and with what keeping each of them brings; the numbers are ours."""


def _read(line: str) -> tuple[tuple[str, ...], tuple[tuple[str, ...], tuple[float, ...]]]:
    words, tags, points = zip(*(word.split("/") for word in line.split()))
    return words, (tags, tuple(map(float, points)))


SENTENCES = dict(map(_read, _LINES))


def obeys(tags: Sequence[str], kept: Sequence[int]) -> bool:
    """Whether each currency sign right before a number stays or goes with it."""
    pairs = [i for i in range(len(tags) - 1) if tags[i] == "$" and tags[i + 1] == "CD"]
    return all((i in kept) == (i + 1 in kept) for i in pairs)


def rows_of(function: Function, words: Sequence[str], tags: Sequence[str]) -> list[Constraint]:
    """The student's rows for a sentence. Raises ``Wrong`` for what are none."""
    given = function(list(words), list(tags))
    about = f"For {' '.join(words)!r}"
    if not isinstance(given, list | tuple):
        raise Wrong(f"{about} it gave {given!r}: a list of rows is wanted, empty where none is.")
    found = []
    for one in given:
        if not isinstance(one, list | tuple) or len(one) != 4:
            raise Wrong(f"{about}: a row is (places, factors, lower, upper), not {one!r}.")
        places, factors, lower, upper = one
        if len(places) != len(factors) or not all(
            is_number(place, whole=True) and 0 <= place < len(words) for place in places
        ):
            raise Wrong(f"{about}: {one!r} wants places of words, from 0, and a factor for each.")
        found.append(Constraint("own", "own", tuple(places), tuple(factors), lower, upper))
    return found


def with_own_rows(answer: object) -> list[dict[str, str]]:
    """Each sentence, what stays without any rows and with those of ``answer``, if it has some."""
    shown = []
    for words, (tags, points) in SENTENCES.items():
        row = {"sentence": " ".join(words), "without": _stays(words, points, [])}
        try:
            own = rows_of(function_of(answer, "rows"), words, tags)
            row["with your rows"] = _stays(words, points, own)
        except NotAnswered:
            row["with your rows"] = "no rows yet"
        shown.append(row)
    return shown


def _stays(words: Sequence[str], points: Sequence[float], rows: Sequence[Constraint]) -> str:
    found = solve(points_as_scores(points), rows)
    return "nothing can" if found is None else " ".join(words[place] for place in found.kept)


def _judge_rows(function: Function) -> str:
    for words, (tags, _) in SENTENCES.items():
        own = rows_of(function, words, tags)
        n = len(words)
        for kept in chain.from_iterable(combinations(range(n), size) for size in range(1, n + 1)):
            yours = all(row.holds(kept) for row in own)
            if yours != obeys(tags, kept):
                text = " ".join(words[place] for place in kept)
                does = "allow" if yours else "forbid"
                raise Wrong(f"Of {' '.join(words)!r} your rows {does} this: {text!r}")
    shown = with_own_rows(function)
    mended = [one["sentence"] for one in shown if one["without"] != one["with your rows"]]
    return f"It mends {len(mended)} of the {len(shown)} sentences: {'; '.join(mended)}"


@exercise("42.5", judge=_judge_rows)
def rows(words: list[str], tags: list[str]) -> list[tuple[list[int], list[int], int, int]]:
    """A constraint of one's own: no dollars without a number.

    - Look for places i with the tag $ at i and CD at i + 1. Another $ has no row.
    - Both stay or both go: the difference of the two variables is 0.
    - A row for each such place: ([i, i + 1], [1, -1], 0, 0).

    The difference of the two variables is 0. In the second sentence the number would have gone, and
    in the first the sign: both have lost sense, and both come out whole.
    """
    signs = [i for i in range(1, len(tags)) if tags[i - 1 : i + 1] == ["$", "CD"]]
    return [([i - 1, i], [1, -1], 0, 0) for i in signs]


def _pairs_of_rows() -> Iterator[Case]:
    """All alike; one word differs; all differ; one keeps everything. Then some at random."""
    pairs = [("++--", "++--"), ("+++-", "++--"), ("+-+-", "-+-+"), ("++++", "+++-")]
    rng = random.Random(42)
    for _ in range(30):
        first = [True, False, *(rng.random() < 0.7 for _ in range(rng.randint(2, 12)))]
        second = [one ^ (rng.random() < 0.3) for one in first]
        pairs.append(("".join("-+"[one] for one in first), "".join("-+"[one] for one in second)))
    for one, other in pairs:
        first, second = ([sign == "+" for sign in row] for row in (one, other))
        alike = sum(a == b for a, b in zip(first, second)) / len(first)
        plain = (alike, "(That is how many are alike; chance is not off.)")
        yield Case(f"kappa({one}, {other})", kappa(first, second), (first, second), [plain])


@exercise("42.6", _pairs_of_rows, Number(near=1e-6, form=".3f"))
def kappa(first: Sequence[bool], second: Sequence[bool]) -> float:
    """Cohen's kappa of two annotators.

    - How many words get the same answer from both? That share is not yet kappa.
    - By chance both keep a word with the product of their shares, and both drop it with the product
      of the other shares.
    - kappa = (same - chance) / (1 - chance).

    Two who keep 70 % by lot agree on 0.7 · 0.7 + 0.3 · 0.3 = 58 % of the words. Where both give
    every word the same answer nothing can be said, since chance alone explains that.

    Right: Two who keep seven words of ten agree on 58 % of the words without looking at them.
    """
    n = len(first)
    same = sum(a == b for a, b in zip(first, second)) / n
    one, other = sum(first) / n, sum(second) / n
    chance = one * other + (1 - one) * (1 - other)
    return (same - chance) / (1 - chance) if chance < 1 else math.nan
