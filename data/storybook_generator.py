"""Everyday English as data: sentences drawn from the grammar and the lexicon in ``storybook/``.

A grammar rule is ``NAME -> child *child ?child | weight child ...``: ``*`` marks the head (an only
child needs no mark), ``?`` what stands there one time in three, ``|`` alternatives, which may go on
in the lines below; ``word/TAG`` is that word. After ``let n = sg pl`` a rule with ``{n}`` is one
rule for each value; values that an alternative names alone share its weight. ``#`` begins a
comment. ``(a/DT *dog/NN)`` is a child with a head of its own. The lexicon's head tells its lines.

Heads are those of Universal Dependencies: content words. Labels are not given.
"""

from __future__ import annotations

import math
import random
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from storybook_words import Phrase, StorybookError, read_lexicon
from wordorder_lab.structures.sentence import ROOT, Sentence, Token

FOLDER = Path(__file__).parent / "storybook"
START = "S"
LONGEST = 14  # tokens; what is longer is drawn anew
DEEP = 25  # rules below one another: from here on only the shortest way to an end is taken
VOWEL = r"(?!one|uni|use|eu)[aeiou]|hour|honest"  # how a word begins that "an" stands before
TRIES = 10_000  # draws in a row without a new sentence: there are no more

# --- the grammar --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Alternative:
    """One way to write a symbol: its children, once for each value of the variables in them.

    ``place`` is file, line and number in the line, ``head`` the place of the head child, and
    ``optional`` says which children may be left out.
    """

    place: str
    weight: int
    bodies: tuple[tuple[str, ...], ...]
    optional: tuple[bool, ...]
    head: int


Rules = dict[str, list[Alternative]]
Values = dict[str, list[str]]

GLUE = "~"  # between the children of a phrase in brackets, whose text is its symbol
CHILD = re.compile(r"([*?](?!/))?(\([^()]+\)|[^\s()]+/[^\s()]+|[\w.{}-]+)")
GROUP = re.compile(r"\([^()]*\)")


def _choices(text: str, values: Values, place: str) -> list[dict[str, str]]:
    """Each way to give the ``{variables}`` in a text one of their values."""
    names = sorted(set(re.findall(r"{(.*?)}", text)))
    for name in names:
        if name not in values:
            raise StorybookError(f"{place}: no line above says 'let {name} = ...': {text}")
    return [dict(zip(names, chosen)) for chosen in product(*(values[name] for name in names))]


def _filled(text: str, chosen: dict[str, str]) -> str:
    return re.sub(r"{(.*?)}", lambda found: chosen.get(found[1], found[0]), text)


def _alternative(text: str, values: Values, place: str) -> Alternative:
    words = GROUP.sub(lambda found: found[0].replace(" ", GLUE), text).split()
    weight = words.pop(0) if len(words) > 1 and words[0].isdigit() else "1"
    children = [CHILD.fullmatch(word) for word in words]
    marks = [child[1] if child else None for child in children]
    heads = [i for i, mark in enumerate(marks) if mark == "*"] or [0] * (len(marks) == 1)
    if not all(children) or len(heads) != 1 or marks[heads[0]] == "?" or weight == "0":
        raise StorybookError(f"{place}: wanted are children, one of them with '*', not: {text}")
    names = " ".join(child[2] for child in children if child)
    bodies = [_filled(names, chosen).split() for chosen in _choices(names, values, place)]
    optional = tuple(mark == "?" for mark in marks)
    return Alternative(place, int(weight), tuple(map(tuple, bodies)), optional, heads[0])


def read_grammar(path: Path) -> Rules:
    """Symbol -> its alternatives; ``StorybookError`` with the line for what is no rule."""
    values: Values = {}
    rules: Rules = defaultdict(list)
    left = ""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        place, text = f"{path.name}:{number}", line.split("#")[0].rstrip()
        if let := re.fullmatch(r"let (\w+) = (.+)", text):
            values[let[1]] = let[2].split()
            continue
        if text and not text[0].isspace():
            left, arrow, text = text.partition(" ->")
            if not arrow or len(left.split()) != 1:
                raise StorybookError(f"{place}: neither 'let n = ...' nor 'NAME -> ...': {line}")
        text = text.strip().removeprefix("|").strip()
        for chosen in _choices(left, values, place) if text else ():
            for count, one in enumerate(text.split("|"), 1):
                given = _alternative(_filled(one, chosen), values, f"{place}:{count}")
                rules[_filled(left, chosen)].append(given)
                for group in {c for body in given.bodies for c in body if c[0] == "("}:
                    inner = group[1:-1].replace(GLUE, " ")
                    rules[group] = [_alternative(inner, values, place)]
    return dict(rules)


Heights = dict[str, float]


def _height(body: tuple[str, ...], one: Alternative, heights: Heights) -> float:
    """How many rules below one another a body needs at least, optional children left out."""
    needed = (child for child, optional in zip(body, one.optional) if not optional)
    return 1 + max(heights.get(child, 0.0) for child in needed)


def _heights(rules: Rules, words: dict[str, list[Phrase]]) -> Heights:
    """The least height of each symbol; ``StorybookError`` for one unknown, or without an end."""
    heights = {**dict.fromkeys(rules, math.inf), **dict.fromkeys(words, 0.0)}
    for one in (one for alternatives in rules.values() for one in alternatives):
        for child in (child for body in one.bodies for child in body):
            if child not in heights and "/" not in child:
                raise StorybookError(f"{one.place}: there is no rule and no word for {child}")
    before: Heights = {}
    while before != heights:
        before = dict(heights)
        for symbol, ways in rules.items():
            heights[symbol] = min(
                _height(body, one, heights) for one in ways for body in one.bodies
            )
    if endless := [symbol for symbol in rules if heights[symbol] == math.inf]:
        way = endless[:1]  # from one such symbol to the next, till one comes again
        while way.count(way[-1]) == 1:
            body = rules[way[-1]][0].bodies[0]
            way.append(next(child for child in body if heights.get(child) == math.inf))
        place = rules[way[-1]][0].place
        raise StorybookError(f"{place}: {way[-1]} has no end: whatever is chosen, it needs itself")
    return heights


# --- sentences ----------------------------------------------------------------------------------


class Storybook:
    """A grammar with its lexicon. ``used`` are the places of the alternatives that the sentences
    given so far were made by. ``StorybookError`` for files that do not fit together."""

    def __init__(self, folder: Path = FOLDER) -> None:
        self.words = read_lexicon(folder / "lexicon.txt")
        self.rules = read_grammar(folder / "grammar.txt")
        if twice := sorted(self.rules.keys() & self.words.keys()):
            place = self.rules[twice[0]][0].place
            raise StorybookError(f"{place}: {twice[0]} is also a class of the lexicon")
        if START not in self.rules:
            raise StorybookError(f"grammar.txt:1: there is no rule for {START}")
        self.heights = _heights(self.rules, self.words)
        self.used: set[str] = set()

    def sentences(self, n: int, seed: int) -> Iterator[Sentence]:
        """``n`` sentences, no two alike, the same for a seed on every machine; ``ValueError`` when
        the grammar has no more of them."""
        rng, seen, in_vain = random.Random(seed), set[str](), 0
        while len(seen) < n:
            used: set[str] = set()
            phrase = self._drawn(START, 0, rng, used)
            text = " ".join(word for word, _, _ in phrase)
            content = [word.removesuffix("s") for word, tag, _ in phrase if tag[0] in "NJV"]
            if text in seen or len(phrase) > LONGEST or len(set(content)) < len(content):
                in_vain += 1
                if in_vain == TRIES:
                    raise ValueError(f"no new sentence in {TRIES:,} draws: {len(seen):,} of {n:,}")
                continue
            in_vain = 0
            seen.add(text)
            self.used |= used
            tokens = (Token((word,), tag, head) for word, tag, head in _with_an(phrase))
            yield Sentence(tuple(tokens), f"storybook {seed} {len(seen)}")

    def _drawn(self, symbol: str, depth: int, rng: random.Random, used: set[str]) -> Phrase:
        if symbol in self.words:
            return self.words[symbol][_below(len(self.words[symbol]), rng)]
        if symbol not in self.rules:
            word, _, tag = symbol.partition("/")
            return [(word, tag, ROOT)]
        one, body = self._chosen(symbol, depth, rng)
        used.add(one.place)  # of a phrase in brackets the line: it stands in several
        phrase: Phrase = []
        starts: list[tuple[int, bool]] = []
        for place, (child, optional) in enumerate(zip(body, one.optional)):
            if optional and (depth > DEEP or _below(3, rng)):
                continue
            part = self._drawn(child, depth + 1, rng, used)
            top = len(phrase) + next(i for i, (_, _, head) in enumerate(part) if head == ROOT)
            starts.append((top, place == one.head))
            phrase += [(w, t, ROOT if h == ROOT else h + len(phrase)) for w, t, h in part]
        head = next(top for top, is_head in starts if is_head)
        for top, is_head in starts:
            if not is_head:
                phrase[top] = (*phrase[top][:2], head)
        return phrase

    def _chosen(
        self, symbol: str, depth: int, rng: random.Random
    ) -> tuple[Alternative, tuple[str, ...]]:
        ways = self.rules[symbol]
        if depth > DEEP:
            every = [(one, body) for one in ways for body in one.bodies]
            return min(every, key=lambda way: _height(way[1], way[0], self.heights))
        tickets = [one for one in ways for _ in range(one.weight)]
        one = tickets[_below(len(tickets), rng)]
        return one, one.bodies[_below(len(one.bodies), rng)]


def _below(n: int, rng: random.Random) -> int:
    """A whole number from 0 to ``n - 1``; only ``random()`` is the same in every Python."""
    return int(rng.random() * n)


def _with_an(phrase: Phrase) -> Phrase:
    """``an`` for ``a`` before a vowel."""
    following = [*(word for word, _, _ in phrase[1:]), ""]
    return [
        ("an" if (word, tag) == ("a", "DT") and re.match(VOWEL, after) else word, tag, head)
        for (word, tag, head), after in zip(phrase, following)
    ]


def sentences(n: int, seed: int) -> Iterator[Sentence]:
    """``n`` sentences of the storybook, no two alike, the same for a seed on every machine."""
    return Storybook().sentences(n, seed)
