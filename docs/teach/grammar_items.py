"""Questions on categories and on shortening sentences: sessions 4 and 6. See ``drawn``."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations

from drawn import Item, blank, kind, table
from ordering_items import BEASTS, PEOPLE, PLACES, SAW

import wordorder_lab as wl
from wordorder_lab.check import nb_10, small_transducer
from wordorder_lab.check.nb_41 import one_output, solved
from wordorder_lab.structures import combinators
from wordorder_lab.structures.phrase_tree import PhraseTree
from wordorder_lab.supertagging.forward_backward import cut

FIRMS = (
    "Arkon",
    "Belvia",
    "Corda",
    "Dunmore",
    "Estrel",
    "Fenwick",
    "Galdor",
    "Hespa",
    "Ilmar",
    "Junix",
    "Kestrel",
    "Lomond",
    "Mirabel",
    "Norvo",
)

# --- session 4 ------------------------------------------------------------------------------------

Pair = tuple[str, str]
APPLIED: tuple[Pair, ...] = (
    (r"(S[dcl]\NP)/NP", "NP"),
    ("NP", r"S[dcl]\NP"),
    (r"(S[b]\NP)/PP", "PP"),
    ("NP[nb]/N", "N"),
    ("N/N", "N"),
    (r"((S[dcl]\NP)/PP)/NP", "NP"),
    (r"(NP\NP)/NP", "NP"),
    ("NP", r"NP\NP"),
    (r"S[ng]\NP", r"(S\NP)\(S\NP)"),
)
COMPOSED: tuple[Pair, ...] = (
    (r"S/(S\NP)", r"(S[dcl]\NP)/NP"),
    (r"(S[dcl]\NP)/(S[b]\NP)", r"(S[b]\NP)/NP"),
    (r"S/(S\NP)", r"(S[dcl]\NP)/PP"),
    (r"(S[dcl]\NP)/(S[pt]\NP)", r"(S[pt]\NP)/NP"),
    (r"(S[dcl]\NP)/(S[ng]\NP)", r"(S[ng]\NP)/PP"),
    ("NP[nb]/N", "N/N"),
)
NOTHING: tuple[Pair, ...] = (
    ("NP", "NP"),
    ("NP", r"(S[dcl]\NP)/NP"),
    ("N", "NP[nb]/N"),
    (r"S[dcl]\NP", "NP"),
    ("PP", r"(S[b]\NP)/PP"),
    (r"(S[dcl]\NP)/(S[b]\NP)", r"S[ng]\NP"),
)


ORDERS = [*permutations(range(4))]


@kind("Categories side by side", 4, 8, 5, APPLIED[:5], COMPOSED, NOTHING, APPLIED[5:], ORDERS)
def pairs(one: Pair, two: Pair, three: Pair, four: Pair, order: Sequence[int]) -> Item:
    """What four pairs of neighbours become, and by which rule."""
    rows = []
    for place in order:
        left, right = (one, two, three, four)[place]
        made = combinators.results(wl.Category.parse(left), wl.Category.parse(right))
        said = "; ".join(f"`{category}` by `{wl.SIGNS[rule]}`" for category, rule in made)
        rows.append({"left": f"`{left}`", "right": f"`{right}`", "together": said or "nothing"})
    return Item(
        "What do these pairs of neighbours become, and by which rule? *Nothing* is an answer, too."
        f"\n\n{table(rows, ('left', 'right'))}",
        table(rows),
        ((8, "each pair: one for the category, one for the rule"),),
        blank(rows, "left", "right"),
    )


SHARES = [
    (first, second, third, 100 - first - second - third - 2, 2)
    for first in range(40, 61)
    for second in range(16, 31)
    for third in range(6, 13)
    if 3 <= 98 - first - second - third < third < second
]
WORDS = """
    stone head face tie paint light water dream answer name plant walk iron paper rain salt smoke
    steam stamp ship sound post plan park
""".split()
NAMES = ("N", "N/N", r"S[b]\NP", r"(S[b]\NP)/NP", "NP")


@kind("A supertagger's cut", 4, 6, 4, WORDS, SHARES)
def cut_by_beta(word: str, hundredths: Sequence[int]) -> Item | None:
    """Which categories of a word remain under three cuts."""
    values = [number / 100 for number in hundredths]
    betas = (0.5, 0.2, 0.05)
    if any(abs(value - beta * values[0]) < 0.005 for value in values for beta in betas):
        return None
    remaining = {beta: [NAMES[i] for i in cut(values, beta)] for beta in betas}
    said = "; ".join(
        f"β = {beta:g}: {', '.join(f'`{name}`' for name in names)}"
        for beta, names in remaining.items()
    )
    given = ", ".join(f"`{name}` {value:g}" for name, value in zip(NAMES, values))
    return Item(
        f"A supertagger gives *{word}* these categories: {given}. Which of them remain with β = "
        "0.5, 0.2 and 0.05? What does a search gain by a larger β, and what may it lose?",
        f"β is a share of the best probability. {said}. A larger β means fewer leaves, fewer edges "
        "and a quicker search; but the category that the right sentence needs may be gone, and "
        "then no search can find it.",
        ((3, "one for each β"), (1, "what is gained"), (2, "what may be lost")),
    )


@kind("A chart by hand", 4, 12, 15, PEOPLE, SAW, FIRMS)
def chart(one: str, verb: str, other: str) -> Item:
    """Every edge of three words with categories, by the grammar of the notebook."""
    words = {"IBM": one, "bought": verb, "Lotus": other}
    paper = nb_10.BOUGHT._replace(
        words=(one, verb, other),
        lexicon={words[word]: categories for word, categories in nb_10.BOUGHT.lexicon.items()},
        weights={},
    )
    search = nb_10.search_by_hand(paper, k=99)
    search.run()
    edges = sorted(search.made, key=lambda edge: (len(edge.items), edge.serial))
    rows = [
        {
            "words": len(edge.items),
            "edge": search.text(edge),
            "category": f"`{edge.category}`",
            "from": " + ".join(search.text(part) for part in edge.parts) or "the lexicon",
        }
        for edge in edges
    ]
    rules = ", ".join(f"`{' '.join(children)} → {parent}`" for parent, children, _ in paper.rows)
    return Item(
        f"The bag is *{one}* (`NP`), *{verb}* (`(S\\NP)/NP` or `S\\NP`), *{other}* (`NP`), in any "
        f"order. The rules: {rules}. Write down every edge with its words, its category and what "
        "it was made from: first those of one word, then of two, then of three. What was made in "
        "two ways stands there twice.",
        f"{len(rows)} edges.\n\n{table(rows)}",
        ((6, "edges of two words"), (6, "those of three")),
        blank(rows, "words"),
    )


# --- session 6 ------------------------------------------------------------------------------------

OLD = ("old", "grey", "small", "young")
CLOSED = ("closed", "reached", "left", "hit")
TREES = (
    "(S (NP (DT the) (NN {one})) (VP (VBD {verb}) (NP (DT the) (JJ {old}) (NN {two}))))",
    "(S (NP (DT the) (JJ {old}) (NN {one})) (VP (VBD {verb}) (NP (DT the) (NN {two}))))",
    "(S (NP (DT the) (JJ {old}) (NN {one})) (VP (VBD {verb}) (NP (NN {two}))))",
)


LINES = 14
"""Of the form, whatever the number of outputs is."""


@kind(
    "A tree cut shorter", 6, 8, 7, TREES, BEASTS, CLOSED, ("old", "grey", "small", "young"), PLACES
)
def tree(shape: str, one: str, verb: str, old: str, two: str) -> Item:
    """All that copy and deletion rules can make of a tree."""
    source = wl.parse_tree(shape.format(one=one, verb=verb, old=old, two=two))
    problem = small_transducer.problem_of(source, [])
    found = list(small_transducer.derivations(problem))
    texts = {" ".join(problem.target_tree(each).leaves()) for each in found}
    shown = sorted(texts, key=lambda text: (text.count(" "), text))
    rows = [{"words": text.count(" ") + 1, "output": text} for text in shown]
    return Item(
        f"{PhraseTree.convert(source)._repr_svg_()}\n\nWith copy and deletion rules alone (of S "
        "the VP stays last, of VP the verb, of NP the noun; then the determiner, then the "
        "adjective), what can become of this tree as an S? How many derivations are there? Which "
        "output is the shortest, which the longest?",
        f"**{len(found)}** derivations.\n\n{table(rows)}\n\nShortest: *{shown[0]}*; longest: "
        f"*{shown[-1]}*.",
        ((4, "the number, with the product that leads to it"), (4, "the two outputs")),
        table([{"words": "", "output": ""}] * LINES),
    )


STEPS = (-4, -3, -2, -1, 1, 2, 3, 4)
SMALL, LARGE = (0.1, 0.2, 0.3, 0.5), (2, 3, 4, 5, 8, 10)


@kind("A margin", 6, 6, 5, (1, 2, 3, 4), STEPS, range(2, 15), SMALL, LARGE)
def margin(first: int, second: int, loss: int, low: float, high: float) -> Item | None:
    """The best weights for one training pair with one other output, under two values of C."""
    squared = first * first + second * second
    if not low < loss / squared < high:
        return None
    small, large = (solved(one_output((first, second), loss), 2, C=C).weights for C in (low, high))
    margins = [first * one + second * two for one, two in (small, large)]
    return Item(
        f"One training pair, one other output: Ψ(gold) - Ψ(output) = ({first}, {second}), its loss "
        f"is {loss}. Which weights minimise ½ |w|² + C · ξ with C = {low:g}, and which with C = "
        f"{high:g}? In which case is the margin reached?",
        f"w = a · ({first}, {second}) with a = min(C, {loss} / {squared}). C = {low:g}: "
        f"**({small[0]:.2f}, {small[1]:.2f})**, the margin is {margins[0]:.3g} and the slack "
        f"{loss - margins[0]:.3g}. C = {high:g}: **({large[0]:.2f}, {large[1]:.2f})**, the margin "
        f"is {margins[1]:.3g}, just the loss, and there is no slack.",
        ((2, "w points along the difference"), (2, "both steps"), (2, "which margin is reached")),
    )
