r"""Notebook 13, supertagging and categories: its exercises, and what it looks at.

The search that fits on paper is "I saw her duck", whose words a supertagger is not sure of. Did she
bend, or was it her bird? The probabilities are ours, in the manner of a supertagger's.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from nltk.tree import Tree

from wordorder_lab.best_first.edge import Edge
from wordorder_lab.check.exercise import Wrong
from wordorder_lab.check.judges import WHOLE, Case, Number, OneOf, Several, Wanted, exercise
from wordorder_lab.check.moments import Moment, when
from wordorder_lab.check.nb_10 import OnPaper, Paper, search_by_hand
from wordorder_lab.corpora.penn_to_ccg.convert import outcome, titled_steps, to_derivation
from wordorder_lab.corpora.readers.corpus import CorpusError
from wordorder_lab.corpora.treebanks import load_trees
from wordorder_lab.experiments.runs.evaluate import evaluate
from wordorder_lab.experiments.runs.ordering_evaluate import Evaluation
from wordorder_lab.plots.lines import Panel, panels
from wordorder_lab.plots.step_by_step import StepByStep, step_by_step
from wordorder_lab.plots.tables import table
from wordorder_lab.structures.bag import WordBag, bag_of, places
from wordorder_lab.structures.category import Category, CategoryError
from wordorder_lab.structures.derivation import Derivation
from wordorder_lab.structures.phrase_tree import PhraseTree
from wordorder_lab.structures.sentence import Sentence
from wordorder_lab.supertagging.features import FIRST
from wordorder_lab.supertagging.forward_backward import cut, forward_backward
from wordorder_lab.systems.supertagger import Supertagger
from wordorder_lab.systems.zhang_clark_ccg import CCGModel
from wordorder_lab.trace.log import EventLog

EDITOR = PhraseTree.fromstring(
    "(S (NP-SBJ (NP (DT The) (NN editor))"
    " (SBAR (WHNP-1 (WDT that)) (S (NP-SBJ (NNP Ada)) (VP (VBZ admires) (NP (-NONE- *T*-1))))))"
    " (VP (VBD resigned) (NP-TMP (NN yesterday))) (. .))"
)
"""One of each: a subject, an adjunct of time, and a trace where the relative pronoun came from."""
GAVE = PhraseTree.fromstring(
    "(S (NP-SBJ (NNP Ada)) (VP (VBD gave) (NP (DT the) (NN editor)) (NP (DT a) (NN letter))"
    " (NP-TMP (NN yesterday))) (. .))"
)
"""Two objects, and an NP that is none."""
VINKEN = "wsj_0001.mrg:1"  # the first sentence of the Treebank, which both papers print


def derivation_of(tree: Tree) -> Derivation:
    """The derivation of a Penn tree. Raises ``ValueError`` with the reason where it has none."""
    conversion = to_derivation(tree)
    if conversion.derivation is None:
        raise ValueError(outcome(conversion))
    return conversion.derivation


def conversion_steps(tree: Tree, *, first: int = 0) -> StepByStep:
    """The way from a Penn tree to its derivation, a stop a step; ``first`` is seen at first."""
    conversion = to_derivation(tree, steps=True)
    steps = titled_steps(tree, conversion)
    stops = [(title, PhraseTree.convert(made)) for title, made in steps]
    pages: dict[str, tuple[str, object]] = {}
    last = (outcome(conversion), conversion.derivation or "")
    for number, (title, picture) in enumerate([*stops, last], 1):
        name, _, text = title.partition(": ")
        pages[f"{number} {name}"] = text, picture
    words = " ".join(word for word, tag in tree.pos() if tag != "-NONE-")
    return step_by_step(pages, f"From a Penn tree to a derivation: {words}", first=first)


def newspaper_tree() -> Tree | None:
    """The tree of ``VINKEN``; ``None`` where the Treebank's sample is not on this machine."""
    try:
        trees = load_trees("ptb-sample")
        return next(one.tree for one in trees.every() if one.name == VINKEN)
    except (CorpusError, StopIteration):
        return None


STEPS = {"1": 1, "2": 2, "3 or 4": 4, "5 to 8": 8, "9 to 16": 16, "17 or more": 10**6}
"""How numbers of categories are put together in a histogram: each name with its highest number."""
MOST = 6  # of the categories that a cut takes away, so many are shown


def of_dictionary(tagger: Supertagger, sentence: Sentence) -> list[Sequence[Category]]:
    """For each token the categories that its word, or else its tag, was seen with."""
    return [tagger.dictionary.lookup(token.words, token.pos) for token in sentence]


def histogram(numbers: Iterable[int]) -> dict[str, int]:
    """How many words have so many categories, by the names of ``STEPS``."""
    counts = Counter(next(name for name, top in STEPS.items() if n <= top) for n in numbers)
    return {name: counts[name] for name in STEPS}


def cut_by_beta(tagger: Supertagger, sentence: Sentence, betas: Sequence[float]) -> StepByStep:
    """A stop for each beta: the words of a sentence, what they keep, and what is cut."""
    every = tagger.tag(sentence, beta=0)
    pages: dict[str, tuple[str, object]] = {}
    for beta in betas:
        kept = [len(left) for left in tagger.tag(sentence, beta=beta)]
        rows = []
        for token, n, whole in zip(sentence, kept, every, strict=True):
            names = [f"{category} {chance:.2g}" for category, chance in whole]
            more = f" and {len(names) - n - MOST} more" if len(names) - n > MOST else ""
            own, gone = " · ".join(names[:n]), " · ".join(names[n : n + MOST])
            rows.append({"word": token.form, "kept": own, "cut": gone + more})
        mean = sum(kept) / len(kept)
        text = f"{mean:.1f} categories a word are left; of those cut, the {MOST} best are shown"
        pages[f"β = {beta:g}"] = text, table(rows)
    return step_by_step(pages, "Categories of each word, by beta", first=len(betas) - 1)


def bag_with_chances(sentence: Sentence, tagger: Supertagger, beta: float) -> WordBag:
    """The bag of a sentence whose words have the supertagger's categories with probabilities."""
    bag, place = bag_of(sentence), places(sentence, 1)
    lists: list[Mapping[str, float]] = [{}] * len(bag)
    for unit, of_word in zip(place, tagger.tag(sentence, beta=beta), strict=True):
        lists[unit] = {str(category): chance for category, chance in of_word}
    return WordBag(bag.words, bag.pos, categories=lists)


# --- what beta does to a search -------------------------------------------------------------------

DICTIONARY = "dictionary"
MEASURED = {
    "edges": "edges made, a sentence",
    "pops": "expansions, a sentence",
    "bleu": "BLEU",
    "right": "right categories",
}
Rows = Mapping[str, Mapping[str, float]]


def measured(
    model: CCGModel, sentences: Sequence[Sentence], betas: Sequence[float], **search: Any
) -> dict[str, dict[str, float]]:
    """By setting: categories a word, and what ``MEASURED`` has; the model has a supertagger."""
    tagger, words, rows = model.tagger, sum(map(len, sentences)), {}
    assert tagger is not None
    every = [kinds for sentence in sentences for kinds in of_dictionary(tagger, sentence)]
    rows[DICTIONARY] = _measured(evaluate(model, sentences, categories=DICTIONARY, **search))
    rows[DICTIONARY]["categories"] = sum(map(len, every)) / words
    for beta in betas:
        run = evaluate(model, sentences, categories=f"beta={beta:g}", **search)
        kept = [kinds for sentence in sentences for kinds in tagger.tag(sentence, beta=beta)]
        rows[f"β = {beta:g}"] = {**_measured(run), "categories": sum(map(len, kept)) / words}
    return rows


def _measured(run: Evaluation) -> dict[str, float]:
    return {
        "edges": run.edges or 0.0,
        "pops": run.expansions or 0.0,
        "whole": run.scores.spanning or 0.0,
        "bleu": run.scores.bleu_cased,
        "right": run.scores.category_precision or 0.0,
    }


def by_beta(rows: Rows) -> StepByStep:
    """A stop for each setting: the four curves over categories a word, and where it stands."""
    pages: dict[str, tuple[str, object]] = {}
    for name, row in rows.items():
        text = (
            f"{row['categories']:.1f} categories a word: {row['edges']:,.0f} edges, "
            f"{row['pops']:.0f} expansions, BLEU {row['bleu']:.1f}, {row['right']:.0%} of the "
            f"categories right, {row['whole']:.0%} of the searches find a whole sentence"
        )
        drawn = [_panel(rows, key, row["categories"]) for key in MEASURED]
        pages[name] = text, panels(*drawn, size=(9.4, 2.5))
    return step_by_step(pages, "What beta does to the search")


def _panel(rows: Rows, key: str, here: float) -> Panel:
    def curve(own: bool) -> dict[float, float]:
        mine = (row for name, row in rows.items() if (name == DICTIONARY) == own)
        return {row["categories"]: row[key] for row in mine}

    return Panel(
        {"supertagger": curve(False), DICTIONARY: curve(True)},
        "categories a word",
        title=MEASURED[key],
        percent="y" if key == "right" else "",
        low=0,
        high=1.1 * max(row[key] for row in rows.values()) or 1,
        marks={"this one": here},
    )


# --- exercises ------------------------------------------------------------------------------------

ASKED = ("gave", "the", "letter", "yesterday")


def _verb_phrase() -> Iterator[Case]:
    categories = {leaf.word: str(leaf.category) for leaf in derivation_of(GAVE).leaves()}
    return (Case(word, categories[word]) for word in ASKED)


class _Category(Wanted[str]):
    """A category, however it is written."""

    def read(self, value: object) -> str:
        try:
            return str(Category.parse(str(value)))
        except CategoryError as error:
            raise Wrong(f"{value!r} is no category: {error}") from None

    def miss(self, yours: str, right: str) -> str:
        bare, right = (re.sub(r"\[.*?\]", "", category) for category in (yours, right))
        if bare == right:
            return "the slashes are right; a feature in brackets is not"
        return f"{yours} is not what the steps give it"


@exercise("13.1", _verb_phrase, _Category())
def four_categories() -> list[str]:
    r"""Give the categories of words in a Penn tree.

    - From the root down: the VP is S[dcl]\NP. Which of its children are complements?
    - The verb takes its nearest complement first, so that is the outermost argument.
    - NP-TMP is an adjunct: X\X, where X is what stands before it, without a feature. And a
      determiner makes an NP of an N, with the feature nb.

    The verb phrase is `S[dcl]\NP`. Behind the verb stand two noun phrases without a tag: two
    complements, so the verb takes two, the nearest first. `NP-TMP` is an adjunct, though it is a
    noun phrase as well; it takes a verb phrase on its left and gives one back, and asks for no
    feature.

    Right: The verb says what it takes; an adjunct says what it leaves as it was.
    """
    return [r"((S[dcl]\NP)/NP)/NP", "NP[nb]/N", "N", r"(S\NP)\(S\NP)"]


def _lists() -> Iterator[Case]:
    """Above the cut and below; unsorted; exactly on the line; two that are best; one; at random."""
    lists: list[tuple[list[float], float]] = [
        ([0.6, 0.3, 0.06, 0.04], 0.1),
        ([0.3, 0.02, 0.015, 0.01], 0.05),
        ([0.2, 0.5, 0.25, 0.05], 0.5),
        ([0.4, 0.4, 0.2], 1.0),
        ([1.0], 0.075),
    ]
    rng = random.Random(13)
    for _ in range(50):
        weights = [rng.random() ** 6 for _ in range(rng.randint(1, 9))]
        beta = rng.choice((0.0, 0.01, 0.1, 0.5, 1.0))
        lists.append(([weight / sum(weights) for weight in weights], beta))
    for chances, beta in lists:
        about = f"Of kept({[round(one, 3) for one in chances]}, {beta}) the place"
        yield Case(about, cut(chances, beta), (chances, beta))


@exercise("13.2", _lists, Several("a list of places, counted from 0,", WHOLE.read))
def kept(probabilities: list[float], beta: float) -> list[int]:
    """Write the beta cut.

    - Beta is no probability: it is a share of the best category's.
    - At least that share: who is exactly on the line stays.
    - The places of the list are wanted, not the probabilities; it need not be sorted.

    Beta is a share of the best, so look for the best first.

    Right: The best of a word always stays, whatever beta: there is no word without a category.
    """
    least = beta * max(probabilities)
    return [place for place, p in enumerate(probabilities) if p >= least]


NAMES = ("her: NP[nb]/N", "her: NP", "duck: N", r"duck: S[b]\NP")
HER = (0.7, 0.3)  # p(category of her), at the beginning of the sentence
DUCK = ((0.9, 0.02), (0.1, 0.4))  # p(category of duck | category of her), a row for the latter


def lattice() -> list[dict[str, object]]:
    """The numbers as rows of a table."""
    names = [name.partition(": ")[2] for name in NAMES]
    heads = [f"p({name} | her)" for name in names[2:]]
    return [
        {"her is": name, "p(her)": first, **dict(zip(heads, behind, strict=True))}
        for name, first, behind in zip(names, HER, DUCK)
    ]


def marginals() -> list[float]:
    """What the supertagger's own sums give, in the order of ``NAMES``."""

    def local(i: int, _before: int, last: int) -> tuple[float, ...]:
        return HER if i == 0 else DUCK[last - FIRST]

    (her, duck) = forward_backward([[0, 1], [0, 1]], local, width=0.0)
    return [*her, *duck]


def _shares() -> Iterator[Case]:
    before = (*HER, None, None)
    for name, right, alone in zip(NAMES, marginals(), before, strict=True):
        known = [] if alone is None else [(alone, "That was so before anybody looked at duck.")]
        yield Case(f"The share of all sequences that has {name}", right, mistakes=known)


@exercise("13.3", _shares, Number(near=0.006))
def four_probabilities() -> list[float]:
    """Forward-backward sums over two words.

    - There are four sequences. Each has a product of two numbers.
    - The products do not add up to 1: duck has other categories, which are no candidates here. So
      divide by their sum.
    - P(her is NP) is what the two sequences with that NP have, over the sum of all four.

    Four sequences: 0.7 · 0.9 = 0.630, 0.7 · 0.02 = 0.014, 0.3 · 0.1 = 0.030 and 0.3 · 0.4 = 0.120,
    together 0.794. Whoever has only looked at *her* would say 0.70; *duck* is so much better
    explained as a noun behind a determiner that it becomes 0.81. Forward sums do not know that,
    backward sums do.

    Right: The second word has changed what we think of the first: her was a determiner with
    0.70, and is one with 0.81 now. That is what the backward sums are for.
    """
    sequences = [[0.7 * 0.9, 0.7 * 0.02], [0.3 * 0.1, 0.3 * 0.4]]
    whole = sum(map(sum, sequences))
    her = [sum(row) / whole for row in sequences]
    duck = [sum(column) / whole for column in zip(*sequences)]
    return [*her, *duck]


WORDS = {"I": "PRP", "saw": "VBD", "her": "PRP$", "duck": "NN"}
CHANCES: dict[str, dict[str, float]] = {
    "I": {"NP": 1.0},
    "saw": {r"(S\NP)/NP": 0.84, r"((S\NP)/(S[b]\NP))/NP": 0.12, "N": 0.04},
    "her": {"NP[nb]/N": 0.65, "NP": 0.35},
    "duck": {"N": 0.8, r"S[b]\NP": 0.2},
}
"""The words with their tags, and the probability of each category of each word."""
_ROWS = (
    ("NP", ("NP[nb]/N", "N"), 0),
    (r"S\NP", (r"(S\NP)/NP", "NP"), 0),
    (r"(S\NP)/(S[b]\NP)", (r"((S\NP)/(S[b]\NP))/NP", "NP"), 0),
    (r"S\NP", (r"(S\NP)/(S[b]\NP)", r"S[b]\NP"), 0),
    ("S", ("NP", r"S\NP"), 1),
)
CUT = 0.15  # the beta that is asked about
BOTH = ("no cut", f"β = {CUT:g}")


@cache
def searched(beta: float) -> tuple[OnPaper, EventLog]:
    """Everything that can be built of what this beta leaves: no limit, no pruning, all goals."""
    left = {}
    for word, chances in CHANCES.items():
        places = cut(list(chances.values()), beta)
        left[word] = {name: p for i, (name, p) in enumerate(chances.items()) if i in places}
    paper, log = Paper(tuple(WORDS), tuple(WORDS.values()), left, _ROWS, {}), EventLog()
    search = search_by_hand(paper, log, categories=list(left.values()), k=99, signature="none")
    log.supertags([left[one.form][str(one.category)] for one in search.problem.items])
    search.run()
    return search, log


def built_as(search: OnPaper, edge: Edge) -> str:
    """How an edge was built, the same in two searches: its words, categories and brackets."""
    if not edge.parts:
        return search.described(edge)
    inside = ", ".join(built_as(search, part) for part in edge.parts)
    return f"{edge.category} [{inside}]"


def edges_shown(beta: float) -> list[dict[str, object]]:
    """All edges with their numbers, as rows of a table."""
    search, _ = searched(beta)
    return [
        {
            "edge": edge.serial,
            "words": search.text(edge),
            "category": str(edge.category),
            "of edges": " + ".join(str(part.serial) for part in edge.parts),
        }
        for edge in search.made
    ]


def _edges_lost() -> list[int]:
    (everything, _), (less, _) = searched(0.0), searched(CUT)
    left = {built_as(less, edge) for edge in less.made}
    return [edge.serial for edge in everything.made if built_as(everything, edge) not in left]


def _judge_lost(answer: object) -> str:
    (search, log), (_, other) = searched(0.0), searched(CUT)
    edges = {edge.serial: edge for edge in search.made}
    if not isinstance(answer, list | tuple | set):
        raise Wrong("A list of the numbers of edges is wanted.")
    for yours in answer:
        if yours not in edges:
            raise Wrong(f"{yours!r} is no edge: they are numbered 1 to {len(edges)}.")
    right = set(_edges_lost())
    for serial in sorted(right ^ set(map(int, answer))):
        where = Moment(log, when(log, "charted", serial), f"edge {serial}", "chart", other, BOTH)
        about = f"edge {serial}, {search.described(edges[serial])}"
        if serial in right:
            raise Wrong(f"{about}, is gone, too. Of which edges was it made?", where)
        raise Wrong(f"{about}, is still made: all its leaves stay.", where)
    leaves = sum(not edges[serial].parts for serial in right)
    return (
        f"{leaves} leaves are cut, and {len(right) - leaves} edges go with them, of "
        f"{len(edges)} in all: what is cut below is saved above, many times over."
    )


@exercise("13.4", judge=_judge_lost)
def edges_that_go() -> list[int]:
    """Predict which edges disappear when beta rises.

    - First the leaves: divide each probability by that of its word's best category.
    - Two leaves have less than 0.15. Every edge that is made of one of them goes, and every edge
      that is made of such an edge.
    - The last column of the table has the parts. Go through it from above, once.

    *saw* has 0.84 at best; 0.15 of that is 0.126. So the noun goes, and the verb that takes an
    object and a verb phrase, edges 8 and 6. With them goes all that has one of them inside: 10, 11
    and 15 are made of 6, 14 of 8; 17 of 10, 18 of 11; 23 of 17, 24 of 18.
    """
    return [6, 8, 10, 11, 14, 15, 17, 18, 23, 24]


INSIDE = {
    "NP": "(NN tea)",
    "PP": "(IN in) (NP (NN tea))",
    "ADVP": "(RB late)",
    "ADJP": "(JJ late)",
    "S": "(NP-SBJ (-NONE- *)) (VP (TO to) (VP (VB leave)))",
    "SBAR": "(IN because) (S (NP-SBJ (NNP Bob)) (VP (VBD left)))",
}
"""What stands behind the verb, by its label."""
TAGS = ("", "TMP", "LOC", "PRP", "MNR", "PRD", "DTV", "CLR")


@cache
def roles() -> tuple[Case, ...]:
    """What the conversion says of a child behind an intransitive past tense, by label and tag."""
    cases = []
    for tag in TAGS:
        for label, inside in INSIDE.items():
            full = f"{label}-{tag}" if tag else label
            text = f"(S (NP-SBJ (NNP Ada)) (VP (VBD went) ({full} {inside})) (. .))"
            steps = dict(to_derivation(Tree.fromstring(text), steps=True).steps)
            right = str(steps["constituent types"][1][-1].label()).rpartition(":")[2]
            cases.append(Case(f"{full} behind a verb, by the conversion", right, (label, tag)))
    return tuple(cases)


@exercise("13.5", roles, OneOf(("complement", "adjunct")))
def role(label: str, tag: str) -> str:
    """Write the rule for complements and adjuncts behind a verb.

    - First what the tag says: time, place, purpose and manner (TMP, LOC, PRP, MNR) are adjuncts,
      whatever the label; a predicate and a dative (PRD, DTV) are complements.
    - Without a tag: noun phrases, adjective phrases and clauses are complements; prepositional
      phrases and adverbs are adjuncts.
    - CLR, closely related, makes a complement of a PP, and changes nothing else.

    The tag decides, if it says anything; then the label. CLR is the odd one: it only counts on a
    PP.

    Right: {count} phrases, and you and the conversion agree on each of them.
    """
    if tag in ("PRD", "DTV") or (label, tag) == ("PP", "CLR"):
        return "complement"
    if tag in ("TMP", "LOC", "PRP", "MNR") or label in ("PP", "ADVP"):
        return "adjunct"
    return "complement"


BENT = {"saw": r"((S\NP)/(S[b]\NP))/NP", "her": "NP", "duck": r"S[b]\NP"}
"""The categories of the reading in which she bends."""


def _readings() -> Iterator[Case]:
    for name, beta in zip(BOTH, (0.0, CUT), strict=True):
        search, log = searched(beta)
        where = Moment(log, len(log), name, "chart")
        yield Case(f"{name}: the derivations of all words", len(search.goals), moment=where)
    largest = min(CHANCES[word][name] / max(CHANCES[word].values()) for word, name in BENT.items())
    why = (..., "So it is not just kept. Which of its leaves goes first?")
    yield Case("The largest beta", largest, mistakes=[why])


@exercise("13.6", _readings, (WHOLE, WHOLE, Number(near=0.002)))
def three_numbers() -> list[float]:
    """Count derivations, and find the beta at which a reading is lost.

    - A derivation of all 4 words is a goal: in the chart's last column, as S. The same words may
      stand there twice, with other brackets, or in another order.
    - For the beta: which categories have the words when she bends? There are three.
    - Divide the probability of each by that of its word's best. The smallest share goes first, and
      it is still kept when beta is just as large.

    Without a cut four: *I saw her duck* twice, *her duck saw I*, and *her saw I duck*, since in a
    bag *her* and *I* are noun phrases like any others. With the cut nobody bends any more: two.
    That reading needs *saw* with 0.12, *her* as `NP` with 0.35 and *duck* with 0.2; over the best
    of each word that is 0.143, 0.538 and 0.25, and the smallest goes first.

    Right: One leaf decides: a reading is as safe as the least probable of its categories.
    """
    return [4, 2, 0.12 / 0.84]
