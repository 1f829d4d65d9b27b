r"""Notebook 10, best-first search with CCG: its exercises, searches for paper, sums as rows.

"IBM bought Lotus" is the example of Zhang & Clark (2015), with four templates of their Table 1.
"the stone bridge" is ours, the smallest bag in which pruning by signatures loses the best
derivation of a plain model that has no circles of unary rules (section 3.2). The searches on three
sentences of the Gazette are those of a small readable learner (``small_search``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from wordorder_lab.best_first.ccg import BestFirstCCG
from wordorder_lab.best_first.ccg_rules import CCGRules
from wordorder_lab.best_first.edge import Edge
from wordorder_lab.best_first.features import show
from wordorder_lab.best_first.settings import SearchSettings
from wordorder_lab.best_first.templates import parse_ccg_templates
from wordorder_lab.check.exercise import Function, Wrong, spelling
from wordorder_lab.check.judges import Case, OneOf, Truth, Wanted, ask_all, exercise, is_number
from wordorder_lab.check.moments import Moment, first_difference, when
from wordorder_lab.check.small_search import ccg_search, sentences_of, sum_of
from wordorder_lab.structures.bag import WordBag
from wordorder_lab.structures.category import Category
from wordorder_lab.structures.derivation import SIGNS
from wordorder_lab.structures.problem import OrderingProblem
from wordorder_lab.structures.sentence import Sentence
from wordorder_lab.structures.templates import Feature
from wordorder_lab.structures.trace import Trace
from wordorder_lab.trace.log import EventLog

# --- on paper -------------------------------------------------------------------------------------

FEW = parse_ccg_templates(
    """
    all edges
    category + head word;
    binary edges
    the binary rule; bigrams resulting from combination; resulting lexical category trigrams;
    unary edges
    unary rule;
    Groups
    all edges
    category head;
    binary edges
    rule; B-1 B; C-2 C-1 C; C-1 C B C+1;
    unary edges
    rule;
    """,
    "five templates",
)


class Paper(NamedTuple):
    """A search for paper: words with tags, their categories, the rules (parent, children, head),
    and the weights by the features' names; all others are 0."""

    words: tuple[str, ...]
    tags: tuple[str, ...]
    lexicon: Mapping[str, Iterable[str]]
    rows: tuple[tuple[str, tuple[str, ...], int], ...]
    weights: Mapping[str, float]


BOUGHT = Paper(
    ("IBM", "bought", "Lotus"),
    ("NNP", "VBD", "NNP"),
    {"IBM": ["NP"], "Lotus": ["NP"], "bought": [r"(S\NP)/NP", r"S\NP"]},
    (
        (r"S/(S\NP)", ("NP",), 0),
        (r"S\NP", (r"(S\NP)/NP", "NP"), 0),
        ("S", ("NP", r"S\NP"), 1),
        ("S", (r"S/(S\NP)", r"S\NP"), 1),
        ("S/NP", (r"S/(S\NP)", r"(S\NP)/NP"), 1),
    ),
    {
        r"category + head word = (S\NP)/NP, bought": 1.0,
        r"category + head word = S\NP, bought": 0.5,
        r"unary rule = NP => S/(S\NP)": 1.0,
        r"the binary rule = ((S\NP)/NP) NP => S\NP": 2.0,
        r"the binary rule = NP (S\NP) => S": 1.0,
        r"the binary rule = (S/(S\NP)) (S\NP) => S": 1.0,
        "bigrams resulting from combination = IBM, bought": 4.0,
        "bigrams resulting from combination = bought, Lotus": 2.0,
    },
)
"""Two categories for the verb, one unary rule; there is no rule for S/NP and NP."""

BRIDGE = Paper(
    ("the", "stone", "bridge"),
    ("DT", "NN", "NN"),
    {"the": ["NP/N"], "stone": ["N", "N/N"], "bridge": ["N"]},
    (("N", ("N/N", "N"), 1), ("N", ("N", "N"), 1), ("NP", ("NP/N", "N"), 0)),
    {
        "category + head word = N, stone": 1.0,
        "bigrams resulting from combination = stone, bridge": 2.0,
        "resulting lexical category trigrams = NP/N, N/N, N": 5.0,
    },
)
"""Is *stone* a noun or an adjective? Only the trigram of lexical categories can tell."""


class OnPaper(BestFirstCCG):
    """A search that keeps every edge in ``made``, in the order of their making."""

    made: tuple[Edge, ...] = ()

    def add_all(self, new: Sequence[Edge]) -> None:
        """ADD."""
        self.made += (*new,)
        super().add_all(new)

    def described(self, edge: Edge) -> str:
        """The words of an edge with its category: ``bought Lotus · S\\NP``."""
        return f"{self.text(edge)} · {edge.category}"

    def text(self, edge: Edge) -> str:
        """The words of an edge."""
        return " ".join(self.problem.items[i].form for i in edge.items)


def search_by_hand(
    paper: Paper = BOUGHT,
    trace: Trace | None = None,
    decoder: type[OnPaper] = OnPaper,
    counts: Sequence[tuple[int, int]] | None = None,
    categories: Sequence[Mapping[str, float]] | None = None,
    **search: Any,
) -> OnPaper:
    """A reference search; ``search`` is as in ``SearchSettings``, the rest as in ``WordBag``."""
    bag = WordBag(paper.words, paper.tags, counts=counts, categories=categories)
    settings = SearchSettings(**{"beam": 0, **search})

    def lookup(unit: tuple[str, ...], _tag: str) -> tuple[Category, ...]:
        return tuple(map(Category.parse, paper.lexicon[" ".join(unit)]))

    def weight(feature: Feature) -> float:
        return paper.weights.get(show(FEW, feature), 0.0)

    problem = OrderingProblem.of(bag, lambda _unit: (), lookup)
    rules = CCGRules.from_rows([*row, 1] for row in paper.rows)
    return decoder(problem, FEW, weight, settings, trace, rules=rules)


SIGN_NAMES = {
    "leaf": "leaf",
    **{sign: f"{sign}  {name}" for name, sign in SIGNS.items() if sign},
    ">T": ">T  tr",
    "<T": "<T  tr",
    "p": "p  lp, rp",
}
"""The sign that an edge's action begins with, and the names of the rules that have it."""


def sums(search: OnPaper) -> list[dict[str, str | int]]:
    """A row for each edge that was made: its parts, what its last step adds, its scaled score."""
    rows: list[dict[str, str | int]] = []
    for edge in search.made:
        sign = edge.action.split()[0] if edge.parts else "leaf"
        numbers = [str(part.serial) for part in edge.parts]
        made_by = f" {sign} ".join(numbers) if len(numbers) == 2 else " ".join([sign, *numbers])
        made = {"words": search.text(edge), "category": str(edge.category), "made by": made_by}
        rows.append({"edge": edge.serial, **made, **sum_of(search, edge)})
    return rows


# --- exercises ------------------------------------------------------------------------------------

NO_RULE, SAME_WORD = "no rule", "same word"
JOINED = ((1, 4), (3, 1), (5, 3), (11, 1), (10, 6), (8, 1), (8, 2), (3, 4))
"""Pairs of edges by their numbers, the left one first."""


@cache
def finished() -> tuple[OnPaper, dict[int, Edge], EventLog]:
    """The search of section 2 at its end, its edges by number, its log."""
    search = search_by_hand(trace=(log := EventLog()))
    search.run()
    return search, {edge.serial: edge for edge in search.made}, log


def pairs_asked() -> list[dict[str, str]]:
    """The pairs as rows of a table."""
    search, edges, _ = finished()
    sides = [[f"{serial}: {search.described(edges[serial])}" for serial in pair] for pair in JOINED]
    return [{"left": left, "right": right} for left, right in sides]


def _joins() -> Iterator[Case]:
    search, edges, log = finished()
    for pair, row in zip(JOINED, pairs_asked(), strict=True):
        left, right = (edges[serial] for serial in pair)
        rules = search.rules.binary_of(left, right)
        sign = rules[0].action.split()[0] if rules else NO_RULE
        joined = sign if search.can_combine(left.counts, right.counts) else SAME_WORD
        about = f"{row['left']}, then {row['right']}"
        there = max(when(log, "charted", serial) for serial in pair)
        yield Case(about, joined, moment=Moment(log, there, f"{about}?", "chart"))


@exercise("10.1", _joins, OneOf((">", "<", ">B", "<B", "<B×", ">T", "<T", NO_RULE, SAME_WORD)))
def signs_of_pairs() -> list[str]:
    """Which rule joins two edges, and if none does, why not?

    - First look at the words: each of the three is in the bag once.
    - Then look for the two categories, in this order, in the list of five rules.
    - What the list does not have is no rule, however well the categories would fit.

    The fourth pair is the right one the wrong way round: a verb phrase wants its NP on the left. In
    the last but one, application would make a sentence of `S/NP` and `NP`, but the grammar is a
    list, and nobody has seen these two side by side. The last two edges have the same *bought*.

    Right: The words must be there, and the rule must be on the list. Nobody asks for more.
    """
    return ["<", ">", ">B", "no rule", ">", "same word", "no rule", "same word"]


CHOSEN = (
    "Burglaries in El Paso rose .",
    "The harbor was contaminated on Friday .",
    "The therapist attempted to disagree .",
)


@cache
def sentences() -> tuple[Sentence, ...]:
    """The three sentences, in the order of ``CHOSEN``."""
    return sentences_of(CHOSEN)


class Seen(NamedTuple):
    """An edge as the student sees it; ``head`` is the place of the head word, from 0."""

    category: str
    words: tuple[str, ...]
    tags: tuple[str, ...]
    head: int

    def __str__(self) -> str:
        tagged = [f"{word}/{tag}" for word, tag in zip(self.words, self.tags, strict=True)]
        return f"{' '.join(tagged)} ({self.category}, head {self.words[self.head]})"


def _seen(edge: Edge, problem: OrderingProblem) -> Seen:
    items = [problem.items[i] for i in edge.items]
    forms, tags = tuple(item.form for item in items), tuple(item.pos for item in items)
    return Seen(str(edge.category), forms, tags, edge.root)


_HOUSES = ("old", "stone", "bridge", "toll", "house", "roof", "walk")
NOUNS = Paper(
    (*_HOUSES, "toll", "walk"),
    ("JJ", *["NN"] * 7, "VB"),
    {"old": ["N", "N/N"], **{noun: ["N"] for noun in _HOUSES[1:]}},
    (("N", ("N", "N"), 0), ("N", ("N", "N"), 1), ("N", ("N/N", "N"), 1), ("NP", ("N",), 0)),
    {},
)
"""Nouns that may stand in any order, with either as the head; *toll* is there twice, *walk* with
two tags."""

_WORDS = "old stone bridge toll house roof"
PAIRS = (
    (f"{_WORDS} > N", "old stone toll bridge house roof > N"),  # the order inside: one
    (f"{_WORDS} > N", "stone old bridge toll house roof > N"),  # the first two words
    (f"{_WORDS} > N", "old bridge stone toll house roof > N"),  # the second word
    (f"{_WORDS} < N", "old stone bridge toll roof house < N"),  # the last two words
    (f"{_WORDS} > N", "old stone bridge house toll roof > N"),  # the last but one
    (f"{_WORDS} > N", f"{_WORDS} > NP"),  # the category
    (f"{_WORDS} > N", f"{_WORDS} < N"),  # the head
    ("old stone bridge house roof > N", "old stone toll house roof > N"),  # which words there are
    ("old stone toll house roof > N", "old stone toll toll house roof > N"),  # and how often
    ("old walk/NN > N", "old walk/VB > N"),  # a tag at the end, which is the head's, too
    ("walk/NN stone > N", "walk/VB stone > N"),  # a tag at the end alone
    ("old walk > N", "old/N walk > N"),  # a lexical category: one
    ("stone > N", "stone > NP"),  # one word, another category
    ("stone > N", "house > N"),  # one word, another word
)
"""Pairs of phrases: words in order, whose head is the first (<) or the last (>), the category. Each
part of the signature is asked for once."""


def built(search: OnPaper, text: str) -> Edge:
    """A phrase, put together from the right. ``old/N`` is the noun; else *old* is an adjective."""
    *words, side, category = text.split()
    leaves = {}
    for leaf in search.leaves():
        item = search.problem.items[leaf.items[0]]
        leaves[item.form, item.pos, str(leaf.category)] = leaf
    edges = [leaves[_wanted(word)] for word in words]
    edge = edges.pop()
    while edges:
        joined = search.binary(edges.pop(), edge)
        edge = joined[0] if len(joined) == 1 else joined[side == ">"]
    return edge if category == "N" else search.unary(edge, search.rules.unary_of(edge)[0])


def _wanted(word: str) -> tuple[str, str, str]:
    form, _, given = word.partition("/")
    return (form, "JJ", given or "N/N") if form == "old" else (form, given or "NN", "N")


class Compared(NamedTuple):
    """Two edges, and whether they have one signature for the engine."""

    first: Seen
    second: Seen
    alike: bool


@cache
def pairs() -> tuple[Compared, ...]:
    """The pairs, compared by the engine."""
    search = search_by_hand(NOUNS, signature="2015")
    compared = []
    for texts in PAIRS:
        both = [built(search, text) for text in texts]
        left, right = map(search.signature, both)
        first, second = (_seen(edge, search.problem) for edge in both)
        compared.append(Compared(first, second, left == right))
    return tuple(compared)


def searches_with(own: Function | None = None) -> list[EventLog]:
    """The searches on the three sentences, with the engine's signature or another one."""

    class Own(BestFirstCCG):
        def signature(self, edge: Edge) -> Hashable:
            """In a tuple: ``None`` would be an edge like no other."""
            if own is None:
                return super().signature(edge)
            return (own(_seen(edge, self.problem)),)

    logs = [EventLog() for _ in CHOSEN]
    for sentence, log in zip(sentences(), logs, strict=True):
        ccg_search(sentence, log, Own).run()
    return logs


def prunes(logs: Sequence[EventLog]) -> list[list[int]]:
    """For each search the edges that were pruned by their signatures."""
    return [[e[1] for e in log if e[0] == "pruned" and e[2] != "beam"] for log in logs]


def _judge_signature(own: Function) -> str:
    message = ""
    if unlike := [pair for pair in pairs() if _same(own, pair) != pair.alike]:
        first, second, alike = unlike[0]
        yours, engines = ("two", "one") if alike else ("one", "two")
        message = f"To you these are {yours}, and to the engine {engines}: {first} | {second}."
    usual, logs = searches_with(), searches_with(own)
    if not message and prunes(logs) != prunes(usual):
        message = "In a search other edges are pruned. Does it always say the same of one edge?"
    if message:
        names = ("the engine's signature", "yours")
        raise Wrong(message, first_difference(zip(usual, logs), "Signatures", names, "chart"))
    count = sum(map(len, prunes(usual)))
    return f"In {len(usual)} searches it prunes the same {count} edges as the engine's."


def _same(own: Function, pair: Compared) -> bool:
    first: Hashable = own(pair.first)
    try:
        hash(first)
    except TypeError:
        raise Wrong(
            "A signature is looked up, so it cannot hold a list or a dictionary: use tuples, "
            "strings, numbers, frozensets."
        ) from None
    return bool(first == own(pair.second))


@exercise("10.2", judge=_judge_signature)
def signature(edge: Seen) -> Hashable:
    """Write the signature of 2015.

    - Category, head word, the words in whatever order, and two words with their tags at the
      beginning and at the end: five things, one tuple.
    - Words in whatever order, but each as often as it is there: sort them.
    - zip(edge.words, edge.tags) gives pairs; take the first two and the last two.

    Sorted words are the words in any order, each as often as it is there (a set would forget how
    often). Leave out a part, and two edges become one that a later step can tell apart.
    """
    tagged = list(zip(edge.words, edge.tags))
    outer = tuple(tagged[:2]), tuple(tagged[-2:])
    return edge.category, tagged[edge.head], tuple(sorted(edge.words)), outer


Counts = tuple[tuple[int, int], ...]  # (least, most) of IBM, bought and Lotus
BAGS: tuple[Counts, ...] = (
    ((1, 1), (1, 1), (1, 1)),
    ((1, 1), (1, 1), (0, 1)),
    ((0, 1), (1, 1), (0, 1)),
    ((1, 2), (1, 1), (0, 0)),
    ((2, 2), (1, 1), (0, 1)),
    ((0, 1), (0, 1), (0, 1)),
)


def counts_of(search: OnPaper, edge: Edge) -> tuple[dict[str, int], dict[str, int], dict[str, int]]:
    """How often an edge uses each word, and how often it has to be used, and may be."""
    items, problem = search.problem.items, search.problem
    words = Counter(items[i].form for i in edge.items)
    used = {item.form: words[item.form] for item in items}
    least = {item.form: problem.least[item.type] for item in items}
    return used, least, {item.form: problem.most[item.type] for item in items}


def searched(counts: Counts, own: Function | None = None, trace: Trace | None = None) -> OnPaper:
    """A search on the words with these counts until nothing is left; perhaps with an own test."""

    class Own(OnPaper):
        def goal_test(self, edge: Edge) -> bool:
            return bool(own(*counts_of(self, edge))) if own else super().goal_test(edge)

    search = search_by_hand(trace=trace, decoder=Own, counts=counts, k=99)  # more than there are
    search.run()
    return search


def _edges(counts: Counts) -> Iterator[Case]:
    search = searched(counts, trace=(log := EventLog()))
    for edge in search.made:
        used, least, most = counts_of(search, edge)
        wanted = ", ".join(f"{word} {least[word]} to {most[word]} times" for word in used)
        text = search.text(edge)
        made = min(when(log, kind, edge.serial) for kind in ("leaf", "edge"))
        where = Moment(log, made, f"Is “{text}” a goal?", "chart")
        about = f"Wanted are {wanted}: {text!r}"
        yield Case(about, search.goal_test(edge), (used, least, most), moment=where)


def _judge_goal(own: Function) -> str:
    for counts in BAGS:
        ask_all(own, _edges(counts), Truth("it is no goal", "it is a goal"))
        both = searched(counts), searched(counts, own)
        usual, other = ([search.described(goal) for goal in search.goals] for search in both)
        if usual != other:
            raise Wrong("In a search something else comes out: it does not always say the same.")
    return f"The same as the engine's for all edges of {len(BAGS)} searches, and in them."


@exercise("10.3", judge=_judge_goal)
def is_goal(used: dict[str, int], least: dict[str, int], most: dict[str, int]) -> bool:
    """Write the goal test for word selection.

    - What has to be in a sentence? What may be?
    - A goal has each word at least as often as it has to be there. More is no harm.
    - all(... for word in least) goes through the words.

    More than the least is no harm, and the most need not be looked at: CANCOMBINE never lets an
    edge use a word too often.
    """
    return all(used[word] >= least[word] for word in least)


FULL = "beam"
ASKED = (33, 37, 20)  # the edge of each sentence that is asked about, by its number


class _Noting(BestFirstCCG):
    """A search that notes which edge stays where another one of its signature goes."""

    stays: Mapping[int, Edge] = {}

    def compare_in_chart(self, edge: Edge) -> tuple[Edge | None, Edge]:
        """DPCHARTPRUNE's pair."""
        loser, winner = super().compare_in_chart(edge)
        if loser is not None:
            self.stays = {**self.stays, loser.serial: winner}
        return loser, winner


@cache
def searches() -> tuple[tuple[EventLog, Mapping[int, Edge]], ...]:
    """For each sentence the log of its search, and who stayed, by the number of who went."""
    done = []
    for sentence in sentences():
        search = ccg_search(sentence, log := EventLog(), _Noting)
        search.run()
        assert isinstance(search, _Noting)
        done.append((log, search.stays))
    return tuple(done)


def _pruned(value: object) -> object:
    if spelling(value) == FULL:
        return FULL
    if not is_number(value, whole=True):
        raise Wrong(f"the number of an edge is wanted, or {FULL!r}, not {value!r}.")
    return value


def _reasons() -> Iterator[Case]:
    for text, serial, (log, stays) in zip(CHOSEN, ASKED, searches(), strict=True):
        (reason,) = (event[2] for event in log if event[:2] == ("pruned", serial))
        right = FULL if reason == FULL else stays[serial].serial
        known: tuple[object, str] = (..., "No edge was like it. Read what the player says there.")
        if right != FULL:
            known = (FULL, "The chart was not too full. Another edge took its place.")
        about = f"{text!r}, edge {serial}"
        where = Moment(log, when(log, "pruned", serial), about, "chart")
        yield Case(about, right, mistakes=[known], moment=where)


@exercise("10.4", _reasons, Wanted[object](reads=_pruned))
def stays() -> list[int | str]:
    """From the view alone: why was this edge pruned?

    - Take the view of the chart's contents, and jump from one `pruned` to the next until the edge
      in question goes. The sentence below says why.
    - Where it says that another edge in the chart is like it: which one has the same words at that
      moment, and the same category?
    - Where the popped edge took its place: which edge was popped?

    1. Edge 33 is *Burglaries rose*, and edge 19 in the chart is, too. In the one *Burglaries* is an
       `NP`, in the other an `NP[nb]`, which is for noun phrases with a determiner. A reader sees no
       difference, and nor does any later step.
    2. Edge 37 was in the chart when edge 39 was popped, which is gold: *was contaminated*, then *on
       Friday*; in 37 it is *was*, then *contaminated on Friday*. The same words in the same order.
    3. Edge 20 is gold, the verb's *to*, and nothing is like it. Sixteen others have a higher score,
       so it goes. Many of them are leaves of *disagree*, an unseen verb, which has every category
       that was seen with its tag: words that nobody knows fill the chart.

    Right: The first two pairs mean the same: another kind of NP for one word, and other
    brackets. The third was gold, and nothing was wrong with it: sixteen others had more.
    """
    return [19, 39, "beam"]
