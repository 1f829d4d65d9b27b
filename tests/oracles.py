"""The truth under the engines: brute force for bags of a few words, and small sentences to learn.

Nothing here calls the package's engines, extractors or templates. A state is a tuple, a
derivation the names of its actions, and Table 2 is read anew from what the paper prints.
"""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import NamedTuple
from zlib import crc32

from wordorder_lab.structures.bag import WordBag
from wordorder_lab.structures.sentence import Sentence, Token

TABLE_2 = {
    "Unigrams": """S0w; S0p; S0,lw; S0,lp; S0,rw; S0,rp;
        S0,l2w; S0,l2p; S0,r2w; S0,r2p;
        S1w; S1p; S1,lw; S1,lp; S1,rw; S1,rp;
        S1,l2w; S1,l2p; S1,r2w; S1,r2p;""",
    "Bigram": """S0wS0,lw; S0wS0,lp; S0pS0,lw; S0pS0,lp;
        S0wS0,rw; S0wS0,rp; S0pS0,rw; S0pS0,rp;
        S1wS1,lw; S1wS1,lp; S1pS1,lw; S1pS1,lp;
        S1wS1,rw; S1wS1,rp; S1pS1,rw; S1pS1,rp;
        S0wS1w; S0wS1p; S0pS1w; S0pS1p""",
    "Trigram": """S0wS0pS0,lw; S0wS0,lwS0,lp; S0wS0pS0,lp;
        S0pS0,lwS0,lp; S0wS0pS0,rw; S0wS0,lwS0,rp;
        S0wS0pS0,rp; S0pS0,rwS0,rp;
        S1wS1pS1,lw; S1wS1,lwS1,lp; S1wS1pS1,lp;
        S1pS1,lwS1,lp; S1wS1pS1,rw; S1wS1,lwS1,rp;
        S1wS1pS1,rp; S1pS1,rwS1,rp;""",
    "Linearizion": """w0; p0; w−1w0; p−1p0; w−2w−1w0; p−2p−1p0;
        S0,lwS0,l2w; S0,lpS0,l2p; S0,r2wS0,rw; S0,r2pS0,rp;
        S1,lwS1,l2w; S1,lpS1,l2p; S1,r2wS1,rw; S1,r2pS1,rp;""",
}

EVERY_COUNT = """
Counts
S0pS0vl; S0pS0vr; S0pS0n; S0pS0dl; S0pS0dr; S1pS1vl; S1pS1vr; S1pS1n; S1pS1dl; S1pS1dr;
S0pS1pd; S0wd; d; S0n; S0vlS0vrS0n; S1dlS1dr; w0; p-1p0
Groups
S0 S0vl S0vr; S0 S0dl S0dr; S0 S0n;
S1 S1vl S1vr; S1 S1dl S1dr; S1 S1n;
S0 S1 d; S0vl S0vr S0n; w0 w-1
"""
"""Templates of ours, in no paper: every count that a template may name."""


def names_in(table: str) -> list[str]:
    return [name.strip() for name in table.replace("−", "-").split(";") if name.strip()]


class Kind(NamedTuple):
    """Equal units of a bag: their form, the tags they may have, how many there are."""

    form: str
    tags: tuple[str, ...]
    copies: int = 1


class Naive(NamedTuple):
    """A state: places on the stack (top last), units left by kind, (form, tag) shifted, heads."""

    stack: tuple[int, ...]
    left: tuple[int, ...]
    shifted: tuple[tuple[str, str], ...]
    heads: tuple[int, ...]


def start(kinds: tuple[Kind, ...]) -> Naive:
    return Naive((), tuple(kind.copies for kind in kinds), (), ())


def successors(state: Naive, kinds: tuple[Kind, ...]) -> Iterator[tuple[str, Naive]]:
    """Every action with the state it leads to: LEFTARC, RIGHTARC, the SHIFTs by kind and tag."""
    stack, left, shifted, heads = state
    if len(stack) > 1:
        *rest, j, i = stack
        for name, head, dependent in (("LEFTARC", i, j), ("RIGHTARC", j, i)):
            attached = (*heads[:dependent], head, *heads[dependent + 1 :])
            yield name, Naive((*rest, head), left, shifted, attached)
    for k, kind in enumerate(kinds):
        if left[k]:
            fewer = (*left[:k], left[k] - 1, *left[k + 1 :])
            for tag in kind.tags:
                words = (*shifted, (kind.form, tag))
                on_top = (*stack, len(shifted))
                yield f"SHIFT-{kind.form}-{tag}", Naive(on_top, fewer, words, (*heads, -1))


def is_final(state: Naive) -> bool:
    return len(state.stack) == 1 and not any(state.left)


class Derivation(NamedTuple):
    score: int
    actions: tuple[str, ...]
    final: Naive


class Enumeration:
    """Every complete derivation of a bag, scored by brute force.

    ``steps`` counts the actions taken on all ways together, ``features`` are all that were met.
    """

    def __init__(self, kinds: tuple[Kind, ...], weigh: Scorer | None = None) -> None:
        self.kinds = kinds
        self.weigh = weigh
        self.steps = 0
        self.derivations: list[Derivation] = []
        self._go(start(kinds), (), 0)

    def _go(self, state: Naive, actions: tuple[str, ...], score: int) -> None:
        if is_final(state):
            self.derivations.append(Derivation(score, actions, state))
            return
        for name, after in successors(state, self.kinds):
            self.steps += 1
            gain = self.weigh(state, name) if self.weigh else 0
            self._go(after, (*actions, name), score + gain)

    @property
    def best(self) -> int:
        return max(found.score for found in self.derivations)


def naive_beam(kinds: tuple[Kind, ...], weigh: Scorer, width: int) -> list[Derivation]:
    """Algorithm 1 with lists alone; of equal scores the candidate that was made first stays."""
    beam = [Derivation(0, (), start(kinds))]
    while not is_final(beam[0].final):
        agenda = [
            Derivation(score + weigh(state, name), (*actions, name), after)
            for score, actions, state in beam
            for name, after in successors(state, kinds)
        ]
        beam = []
        while agenda and len(beam) < width:
            highest = max(candidate.score for candidate in agenda)
            first = next(i for i, made in enumerate(agenda) if made.score == highest)
            beam.append(agenda.pop(first))
    return beam


_PARTS = re.compile(
    r"(?P<stack>S[01](?:,(?:[lrcs]2?|h))?)(?P<what>[wpl])"
    r"|(?P<kind>[wpl])(?P<last>0|-1|-2)"
    r"|(?P<count>S[01](?:vl|vr|n|dl|dr|hs)|d|b)"
)
BEGIN = "-BEGIN-"


def view(state: Naive) -> dict[str, tuple[str, ...] | int]:
    """What stands where: a (word, tag), or a count; a place without anything is left out."""
    words = [(form.split()[-1], tag) for form, tag in state.shifted]
    seen: dict[str, tuple[str, ...] | int] = {}
    for name, depth in (("S0", 1), ("S1", 2)):
        if len(state.stack) >= depth:
            seen.update(_around(name, state.stack[-depth], words, state.heads))
    if len(state.stack) > 1:
        seen["d"] = _in_bin(state.stack[-1] - state.stack[-2], (1, 2, 3, 4, 5, 6, 11))
    seen["b"] = _in_bin(sum(state.left), (1, 2, 3, 6, 11))
    for back in range(3):
        seen[str(-back)] = words[-1 - back] if back < len(words) else (BEGIN,) * 3
    return seen


def _around(name: str, place: int, words: list, heads: tuple[int, ...]) -> dict:
    """A word and its dependents; ``l`` is the leftmost, ``l2`` the second from the left."""
    left = [i for i, head in enumerate(heads) if head == place and i < place]
    right = [i for i, head in enumerate(heads) if head == place and i > place][::-1]
    seen = {name: words[place]}
    for side, dependents in (("l", left), ("r", right)):
        for number, dependent in zip(("", "2"), dependents):
            seen[f"{name},{side}{number}"] = words[dependent]
        seen[f"{name}v{side}"] = min(len(dependents), 6)
        if dependents:
            far = abs(dependents[0] - place)
            seen[f"{name}d{side}"] = _in_bin(far, (1, 2, 3, 4, 5, 6, 11))
    below = 0
    for i in range(len(heads)):
        while heads[i] >= 0:
            i = heads[i]
            below += i == place
    seen[f"{name}n"] = _in_bin(below, (1, 2, 3, 4, 5, 7, 11))
    return seen


def _in_bin(number: int, first: tuple[int, ...]) -> int:
    return len([n for n in first if n <= number])


def features(names: list[str], seen: dict[str, tuple[str, ...] | int]) -> list[tuple]:
    """The instances (template, values) of the templates all of whose places are filled."""
    found = []
    for name in names:
        values = [_value(seen, part) for part in _PARTS.finditer(name)]
        assert "".join(part.group() for part in _PARTS.finditer(name)) == name
        if None not in values:
            found.append((name, *values))
    return found


def _value(seen: dict, part: re.Match[str]) -> str | int | None:
    if part["count"]:
        return seen.get(part["count"])
    pair = seen.get(part["stack"] or part["last"])
    if pair is None:
        return None
    at = "wpl".index(part["what"] or part["kind"])
    return pair[at] if at < len(pair) else None  # no kind has a label


class Scorer:
    """Made-up whole-number weights: a score for taking an action in a state.

    Weights lie between -3 and 3, nearly half are zero, so many derivations are equally good. What
    holds an ``unseen`` word has none. ``features`` are all that were met.
    """

    def __init__(self, names: list[str], seed: int, unseen: frozenset[str] = frozenset()) -> None:
        self.names = names
        self.seed = seed
        self.unseen = unseen
        self.features: set[tuple] = set()
        self.weight: Callable[[tuple, str], int] = cache(self._weight)
        self._score: Callable[[tuple, str], int] = cache(self._sum)
        self._instances: Callable[[tuple], list[tuple]] = cache(self._instantiate)

    def _weight(self, feature: tuple, action: str) -> int:
        if self.unseen & {*feature[1:], *action.split("-")}:
            return 0
        return (3, -2, 1, -1, 2, -3, *[0] * 5)[crc32(f"{self.seed}{feature}{action}".encode()) % 11]

    def _instantiate(self, seen: tuple) -> list[tuple]:
        found = features(self.names, dict(seen))
        self.features.update(f for f in found if not self.unseen & set(f[1:]))
        return found

    def _sum(self, seen: tuple, action: str) -> int:
        return sum(self.weight(feature, action) for feature in self._instances(seen))

    def __call__(self, state: Naive, action: str) -> int:
        """SHIFT is known by tag and last word: ``SHIFT-team-NP`` for the phrase "a team"."""
        if action.startswith("SHIFT"):
            _, form, tag = action.split("-")
            action = f"SHIFT-{form.split()[-1]}-{tag}"
        return self._score(tuple(sorted(view(state).items())), action)


@cache
def projective_trees(n: int) -> list[tuple[int, ...]]:
    """Every projective tree over n words in order, as heads (-1 the root), each once."""
    return [heads for root in range(n) for heads in _rooted(0, root, n, -1)]


@cache
def _rooted(begin: int, root: int, end: int, head: int) -> list[tuple[int, ...]]:
    return [
        (*left, head, *right)
        for left in _forests(begin, root, root)
        for right in _forests(root + 1, end, root)
    ]


@cache
def _forests(begin: int, end: int, head: int) -> list[tuple[int, ...]]:
    """Trees side by side from ``begin`` to ``end``, all hanging from ``head``."""
    if begin == end:
        return [()]
    return [
        (*first, *rest)
        for middle in range(begin + 1, end + 1)
        for root in range(begin, middle)
        for first in _rooted(begin, root, middle, head)
        for rest in _forests(middle, end, head)
    ]


class Units(NamedTuple):
    """A state over the units of a bag: those on the stack (top last), and the set of those left."""

    stack: tuple[int, ...]
    left: frozenset[int]


class Constrained:
    """What a bag with given heads and orders leaves of arc-standard, by trying everything.

    No rule looks ahead here: an arc is refused if it is another than the given one, a SHIFT if a
    word that comes before is left. A state is live if a final state can be reached from it.
    """

    def __init__(self, bag: WordBag, tags: tuple[str, ...] = ("T",)) -> None:
        self.heads = bag.heads or ()
        self.shifts = [
            [f"SHIFT-{bag.form(k)}-{t}" for t in ((tag,) if tag else tags)]
            for k, tag in enumerate(bag.pos or ())
        ]
        self.earlier = [{i for i, j in bag.before if j == k} for k in range(len(bag))]
        self.start = Units((), frozenset(range(len(bag))))
        self.successors: Callable[[Units], list[tuple[str, Units]]] = cache(self._successors)
        self.live: Callable[[Units], bool] = cache(self._live)
        self.derivations: Callable[[Units], int] = cache(self._derivations)

    def _successors(self, state: Units) -> list[tuple[str, Units]]:
        """Every action that contradicts nothing given, by name, with the state it leads to."""
        stack, left = state
        found = []
        if len(stack) > 1:
            *rest, j, i = stack
            for name, head, dependent in (("LEFTARC", i, j), ("RIGHTARC", j, i)):
                if self.heads[dependent] in (None, head):
                    found.append((name, Units((*rest, head), left)))
        for k in left:
            if not self.earlier[k] & left:
                after = Units((*stack, k), left - {k})
                found += [(name, after) for name in self.shifts[k]]
        return found

    def _live(self, state: Units) -> bool:
        if self.is_final(state):
            return True
        return any(self.live(after) for _, after in self.successors(state))

    def _derivations(self, state: Units) -> int:
        if self.is_final(state):
            return 1
        return sum(self.derivations(after) for _, after in self.successors(state))

    def is_final(self, state: Units) -> bool:
        return len(state.stack) == 1 and not state.left and self.heads[state.stack[0]] in (None, -1)

    def by_name(self, states: frozenset[Units]) -> dict[str, frozenset[Units]]:
        """The live successors of some states that look the same, by the action's name."""
        found: dict[str, set[Units]] = {}
        for state in states:
            for name, after in self.successors(state):
                if self.live(after):
                    found.setdefault(name, set()).add(after)
        return {name: frozenset(after) for name, after in found.items()}


Heads = tuple[int | None, ...]


@cache
def forests(words: str, rooted: bool = False) -> list[Heads]:
    """Every forest over these words, one of each kind; ``rooted``: also with each given root.

    Two forests are of a kind if one becomes the other by swapping equal words; so the forests over
    "wwww" are the shapes of forests over four words, whichever they are.
    """
    found: dict[tuple, Heads] = {}
    n = len(words)
    for order in sorted(set(itertools.permutations(words))):
        for parents in itertools.product(*(range(-1, i) for i in range(n))):
            tops = [i for i in range(n) if parents[i] < 0]
            for root in [None, *(tops if rooted else [])]:
                # Written down for the words in their own order: equal ones get places one by one.
                free = {word: [i for i in range(n) if words[i] == word] for word in words}
                place = [free[word].pop(0) for word in order]
                heads: list[int | None] = [None] * n
                for i, parent in enumerate(parents):
                    heads[place[i]] = place[parent] if parent >= 0 else -1 if i == root else None
                found.setdefault(kind_of_forest(words, heads), tuple(heads))
    return list(found.values())


def kind_of_forest(words: Sequence[str], heads: Sequence[int | None]) -> tuple:
    """What is left of a forest when its words have no numbers."""

    def kind(i: int) -> tuple:
        below = sorted(kind(j) for j, head in enumerate(heads) if head == i)
        return (words[i], heads[i] == -1, *below)

    return tuple(sorted(kind(i) for i, head in enumerate(heads) if head is None or head == -1))


def renamings(bag: WordBag) -> int:
    """How many permutations of a bag's units leave its words and its heads as they are."""
    heads = bag.heads or ()
    found = 0
    for new in itertools.permutations(range(len(bag))):
        same_words = all(bag.words[i] == bag.words[new[i]] for i in range(len(bag)))
        found += same_words and all(
            heads[new[i]] == (head if head is None or head < 0 else new[head])
            for i, head in enumerate(heads)
        )
    return found


LEXICON = [
    ("boats", "NNS"), ("storms", "NNS"), ("old", "JJ"), ("old", "NN"), ("drift", "VBP"),
    ("drift", "NN"), ("slowly", "RB"), ("near", "IN"), ("near", "RB"), ("the pier", "NP"),
    ("a quiet bay", "NP"), ("boats", "NP"), ("that", "IN"), ("that", "DT"), (".", "."),
]  # fmt: skip
"""Words and phrases of no corpus; some have several tags."""


def random_sentence(chance: random.Random, longest: int, name: str) -> Sentence:
    """Any words in any order, some of them twice, under any projective tree."""
    n = chance.randint(1, longest)
    heads = chance.choice(projective_trees(n))
    tokens = [(*chance.choice(LEXICON), head) for head in heads]
    return Sentence(tuple(Token(tuple(f.split()), tag, head) for f, tag, head in tokens), name)


def random_sentences(seed: int, n: int, longest: int = 6) -> list[Sentence]:
    chance = random.Random(seed)
    return [random_sentence(chance, longest, f"made {seed} {i}") for i in range(n)]


def many_words(n: int) -> list[Sentence]:
    """Two-word sentences of new words each: some features meet more than n actions."""
    return [
        Sentence((Token((f"z{i:03}",), "N", 1), Token((f"a{i:03}",), "V", -1)), f"pair {i}")
        for i in range(n)
    ]
