"""Twenty questions for an exam, and their answers, worked out by the engines.

    python docs/teach/exam_answers.py

writes ``exam.md`` and ``exam_answers.md`` beside this file. Every number in an answer comes from a
run of the package on a bag, a tree or a text that fits on paper (two of them on the Gazette): so an
answer cannot disagree with what the class has seen in the players. The questions are not those of
notebooks and homework. Change a bag or a weight in here for another year's exam, and run it again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import permutations
from pathlib import Path
from typing import Any, NamedTuple

import wordorder_lab as wl
from wordorder_lab.analysis.gold_score import fault_of
from wordorder_lab.check import small_search, small_transducer
from wordorder_lab.check.nb_20 import states_on_the_way
from wordorder_lab.check.nb_21 import look
from wordorder_lab.check.nb_30 import bigrams
from wordorder_lab.check.nb_41 import one_output, solved
from wordorder_lab.check.small_world import (
    SENTENCES,
    course,
    derivations,
    examples_of,
    learner_of,
    problem_of,
)
from wordorder_lab.check.small_world import sentence as sentence_of
from wordorder_lab.metrics.bleu import bleu_of_counts, sentence_counts
from wordorder_lab.metrics.compression import ngram_f1
from wordorder_lab.runtime.atomic import replacing
from wordorder_lab.structures import combinators
from wordorder_lab.structures.trace import Event
from wordorder_lab.supertagging.forward_backward import cut
from wordorder_lab.transduction.cube_pruning import Grid, best_first
from wordorder_lab.transduction.losses import compression_loss
from wordorder_lab.transition import oracle

FOLDER = Path(__file__).resolve().parent
POINTS = 5


class Question(NamedTuple):
    """What is asked, and its answer; both are Markdown, both made by one function."""

    session: int
    asks: str
    answer: str


Asked = Callable[[], tuple[str, str]]
QUESTIONS: list[tuple[int, Asked]] = []
"""The session that each question is about, and the function that works it out."""


def question(session: int) -> Callable[[Asked], Asked]:
    """Enter a function as the next question of the exam."""

    def entered(function: Asked) -> Asked:
        QUESTIONS.append((session, function))
        return function

    return entered


def main() -> int:
    """Write the exam and its answers."""
    for name, text in pages().items():
        with replacing(FOLDER / name) as part:
            part.write_text(text, encoding="utf-8")
        print(f"wrote {FOLDER / name}")
    return 0


def pages() -> dict[str, str]:
    """The two pages by name, worked out afresh."""
    done = [Question(session, *function()) for session, function in QUESTIONS]
    asked = [f"## {i} (session {one.session})\n\n{one.asks}" for i, one in enumerate(done, 1)]
    told = [f"## {i}\n\n{one.asks}\n\n**Answer.** {one.answer}" for i, one in enumerate(done, 1)]
    return {
        "exam.md": "\n\n".join([EXAM_HEAD.format(n=len(done), points=POINTS), *asked]) + "\n",
        "exam_answers.md": "\n\n".join([ANSWERS_HEAD.format(n=len(done)), *told]) + "\n",
    }


EXAM_HEAD = """# Exam: {n} questions

Ninety minutes, paper and pencil, a calculator; {points} points each. The course is
[six sessions](index.md); each question says which one it belongs to. Half a page of the class's own
notes is allowed and makes for better answers. This page is written by
`python docs/teach/exam_answers.py`; the answers, which it writes too, are for who gives the course:
they are in the repository, as `docs/teach/exam_answers.md`, and not on the site."""
ANSWERS_HEAD = """# Exam: the answers

The {n} questions of the [exam](exam.md), answered. Every number on this page was worked out by the
engines when `python docs/teach/exam_answers.py` wrote it, and a test keeps it current. What stands
in brackets need not be in a student's answer."""


# --- session 1: bags and BLEU ---------------------------------------------------------------------


@question(1)
def orders_of_a_bag() -> tuple[str, str]:
    words = ["more", "or", "less", "is", "more", "or", "less"]
    different = len(set(permutations(words)))
    items = len(problem_of(words).items)
    return (
        f"How many different sentences can be made of the bag *{' '.join(words)}*? And why does "
        "the search keep equal words as one item with a count, and not as separate words?",
        f"7! / (2! · 2! · 2!) = **{different}**. As separate words the 7! = 5,040 orders would "
        f"hold every sentence eight times, and a beam would fill up with copies of one state. (The "
        f"bag has {items} items.)",
    )


@question(1)
def ngrams_that_are_right() -> tuple[str, str]:
    reference, output = "the dog slept in the garden .", "in the garden the dog slept ."
    (row,) = sentence_counts([output], [reference]).tolist()
    right, there = row[2:6], row[6:10]
    shares = ", ".join(f"{a} of {b}" for a, b in zip(right, there))
    return (
        f"Reference: *{reference}* Output: *{output}* How many of the output's single words, "
        "pairs, triples and quadruples are right? What would BLEU be if it were the geometric mean "
        "of these four shares and nothing else, and why is BLEU counted over a whole corpus?",
        f"**{shares}.** One share is 0, so the geometric mean is **0**, for a good sentence. Over "
        "a corpus the counts are added up before shares are taken, so that one sentence without a "
        "right quadruple does not spoil it. (sacrebleu smooths: for this sentence alone it says "
        f"{bleu_of_counts(sentence_counts([output], [reference])[0]):.1f}.)",
    )


@question(1)
def floors() -> tuple[str, str]:
    whole, single = (
        wl.random_order(wl.load_corpus("gazette", units=units).dev[:100]).scores.bleu_cased
        for units in ("base-np", "words")
    )
    return (
        "A random order of the first hundred development sentences of the Gazette has "
        f"{whole:.1f} BLEU if base noun phrases are kept whole, {single:.1f} in single words. "
        "Where does the difference come from? Your system has 60 BLEU with noun phrases kept "
        "whole; your friend's has 50 in single words. Who is better?",
        "A noun phrase that is kept whole brings its inner pairs and triples with it, right for "
        "free, and there are fewer things to put in order. **Nobody can say who is better**: the "
        "two tasks have different floors. Compare rows with the same units, and put the floor "
        "beside them.",
    )


# --- session 2: transitions -----------------------------------------------------------------------


@question(2)
def gold_sequence() -> tuple[str, str]:
    gold = sentence_of("she/PRP>1 saw/VBD the_boats/NP>1 near/IN>2 the_harbour/NP>3")
    problem = wl.OrderingProblem.of(wl.bag_of(gold), lambda _unit: ())
    rows = states_on_the_way(oracle.gold_actions(gold, problem), problem)
    return (
        "*she saw [the boats] near [the harbour]*: *saw* is the root, *she* and *the boats* depend "
        "on it, *near* on *the boats*, *the harbour* on *near*. Write down the actions that build "
        "this tree, each with the stack after it. When two orders of arcs are possible, dependents "
        "on the right come first.",
        f"{len(rows)} actions, 2 · 5 - 1.\n\n{_table(rows, ('action', 'stack', 'new arc'))}",
    )


@question(2)
def ways_through() -> tuple[str, str]:
    final = list(derivations(problem_of(["a", "b", "c"])))
    trees = len({(tuple(s.order), frozenset(s.arcs)) for s in final})
    in_order = sum(list(s.order) == list(final[0].order) for s in final)
    return (
        "A bag of three different words. How many sequences of SHIFT, LEFTARC and RIGHTARC empty "
        "it, how many of them give one particular order, and how many different ordered trees come "
        "out? Why is the last number smaller than the first?",
        f"**{len(final)}** sequences, {len(final)} / 3! = **{in_order}** for each order (two ways "
        f"to bracket, two directions for each of two arcs), and **{trees}** ordered trees. A word "
        "with dependents on both sides can take the left or the right one first, so that its tree "
        "is built in two ways.",
    )


@question(2)
def forbidden_shift() -> tuple[str, str]:
    line, names = "[the boats] of>1 [the old harbour]>2 slept", ("the old harbour", "slept")
    rows = look(line, *names).data.to_dict("records")
    return (
        "Given are the arcs *the boats* → *of* → *the old harbour*; nothing is given about "
        "*slept*. On the stack lie *the old harbour* and, on top, *slept*. Which actions are "
        "possible, and why is each of the others not?",
        "By Algorithm 2 of Liu et al. (2015), with the reason where something is forbidden:\n\n"
        + _table(rows, ("action", "possible", "why not")),
    )


@question(2)
def where_to_update() -> tuple[str, str]:
    examples = examples_of(SENTENCES)
    place = next(i for i in range(8 * len(examples)) if _falls_late(i, examples))
    example = examples[place % len(examples)]
    followed = course(_reader(place, examples), example)
    lead = [best - gold for best, gold in zip(followed.best, followed.gold)]
    steps = {}
    for rule in ("early", "max-violation"):
        learner = _reader(place, examples)
        learner.update, learner.trace = rule, (log := wl.EventLog())
        learner.learn(example)
        (steps[rule],) = (event[2] for event in log if event[0] == "update")
    rows = [
        {"step": i, "rank of gold": rank, "best": f"{best:g}", "gold": f"{gold:g}"}
        for i, (rank, best, gold) in enumerate(zip(*followed), 1)
    ]
    return (
        "A learner with a beam of 3 has followed gold through one training sentence (rank 0 is the "
        f"best, -1 means that gold was cut):\n\n{_table(rows)}\n\nAfter which step does early "
        "update stop, after which would max-violation update, and what does each of them compare?",
        f"Early update after step **{steps['early']}**, where gold falls out of the beam; "
        f"max-violation after step **{steps['max-violation']}**, where the best state leads by "
        f"most ({max(lead):g}). Both add the features of gold's actions up to that step and take "
        "away those of the best state's: so the second teaches more actions here.",
    )


def _reader(sentences: int, examples: Sequence[Any]) -> Any:
    """A learner that has read so many sentences, round and round."""
    learner = learner_of(SENTENCES, beam=3)
    for i in range(sentences):
        learner.learn(examples[i % len(examples)])
    return learner


def _falls_late(place: int, examples: Sequence[Any]) -> bool:
    """Whether gold is cut behind the third step here, and the best state leads by most later."""
    followed = course(_reader(place, examples), examples[place % len(examples)])
    lead = [best - gold for best, gold in zip(followed.best, followed.gold)]
    return -1 in followed.ranks and 3 < followed.ranks.index(-1) + 1 < lead.index(max(lead)) + 1


# --- session 3: best-first search -----------------------------------------------------------------

WEIGHTS = {
    **small_search.BY_HAND,
    "WORD(B-1)·WORD(B) = IBM, bought": 3.0,
    "WORD(B-1)·WORD(B) = bought, Lotus": 5.0,
}
"""Those of the notebook with the two word pairs changed."""


@question(3)
def pops() -> tuple[str, str]:
    log = wl.EventLog()
    search = small_search.search_by_hand(WEIGHTS, trace=log)
    search.run()
    rows = small_search.pop_by_pop(log)
    given = _table([{"feature": f"`{name}`", "weight": f"{w:g}"} for name, w in WEIGHTS.items()])
    return (
        "The bag is *IBM*, *bought*, *Lotus* with the tags NNP, VBD, NNP; all weights but these "
        f"are 0:\n\n{given}\n\nAn edge's score is the sum of its weights divided by its actions (1 "
        "for a word, 3 for two, 5 for three). Of equal edges the one made first is popped. Which "
        "edges are popped, in which order, with which scores? (*bought* has a point as a word of "
        "its own; a verb's dependents on the right come before those on the left.)",
        f"{len(rows)} pops:\n\n{_table(rows, ('pop', 'popped', 'score', 'made'))}",
    )


@question(3)
def scaled_or_plain() -> tuple[str, str]:
    ends = {}
    for scaled in (True, False):
        search = small_search.search_by_hand(scaled=scaled)
        search.run()
        ends[scaled] = (small_search.drawn(search.goals[0], _forms(search)), search.goals[0].total)
    (good, most), (bad, less) = ends[True], ends[False]
    return (
        f"With the weights of the notebook the scaled search ends with *{good}* ({most:g} points), "
        f"the plain one, which ranks by the sum itself, with *{bad}* ({less:g} points). A "
        "classmate says: *the plain search maximises the sum, so it should find the larger sum.* "
        "What is wrong with that?",
        "The search ends with the first goal that is **popped**, not with the best there is. By "
        "sums a long edge with many small gains stands before a short one with a larger gain a "
        f"step, so *{bad}* is popped before *bought → Lotus* has met *IBM*; the edge with {most:g} "
        "points is never made. Dividing by the actions makes edges of different sizes comparable.",
    )


@question(3)
def scaled_step() -> tuple[str, str]:
    log = wl.EventLog()
    right, left = "POS(h)·POS(m)·dir = VBD, NNP, right", "POS(h)·POS(m)·dir = NNP, VBD, left"
    start = {left: 3.0}
    small_search.learner_by_hand(start, trace=log).learn(small_search.ibm_bought_lotus())
    update = next(event for event in log if event[0] == "edge_update")
    row = next(row for row in small_search.pop_by_pop(log) if row.get("update"))
    changes = [event for event in log if event[0] == "weight"][: _first_changes(log)]
    moved = [
        {"feature": f"`{e[1]}`", "before": f"{e[3]:.3g}", "after": f"{e[4]:.3g}"} for e in changes
    ]
    return (
        f"A guided learner with the templates `POS(h)·POS(m)·dir` and `WORD(B-1)·WORD(B)` begins "
        f"with one weight, `{left}` = 3 (another one, `{right}`, would be right). Its first update "
        f"is {row['update'].split(',')[0].partition(': ')[2].strip()} (gold over what was popped). "
        "The scaled rule wants gold ahead by 1 in scaled scores. How large is the step, and what "
        "become the weights?",
        f"Gold is behind by {-update[5]:.3g}; the step is the lacking margin over the squared "
        f"length of the difference of scaled features, **{update[6]:.3g}**.\n\n{_table(moved)}",
    )


def _first_changes(log: Iterable[Event]) -> int:
    """How many weights the first update changes."""
    kinds = [event[0] for event in log]
    first = kinds.index("edge_update")
    rest = kinds[first + 1 :]
    return next((i for i, kind in enumerate(rest) if kind != "weight"), len(rest))


def _forms(search: Any) -> list[str]:
    return [item.form for item in search.problem.items]


# --- session 4: categories ------------------------------------------------------------------------

PAIRS = (
    (r"(S[dcl]\NP)/NP", "NP"),
    ("NP", r"S[dcl]\NP"),
    (r"S/(S\NP)", r"(S[dcl]\NP)/NP"),
    (r"(S[dcl]\NP)/(S[b]\NP)", r"(S[b]\NP)/NP"),
    ("NP", "NP"),
)


@question(4)
def rules_of_pairs() -> tuple[str, str]:
    rows = []
    for left, right in PAIRS:
        made = combinators.results(wl.Category.parse(left), wl.Category.parse(right))
        said = "; ".join(f"`{category}` by `{wl.SIGNS[rule]}`" for category, rule in made)
        rows.append({"left": f"`{left}`", "right": f"`{right}`", "together": said or "nothing"})
    return (
        "What do these pairs of neighbours become, and by which rule?\n\n"
        + _table(rows, ("left", "right")),
        '"Nothing" is an answer, too.\n\n' + _table(rows),
    )


@question(4)
def relative_clause() -> tuple[str, str]:
    words = [("the boats", "NP"), ("which", r"(NP\NP)/(S[dcl]/NP)"), ("she", "NP")]
    boats, which, she = (_leaf(*word) for word in words)
    saw = _leaf("saw", r"(S[dcl]\NP)/NP")
    raised = wl.Derivation.unary(
        combinators.type_raising(she.category, wl.Category.parse("S")), she
    )
    whole = _joined(boats, _joined(which, _joined(raised, saw)))
    return (
        "*the boats* (`NP`) *which* (`(NP\\NP)/(S[dcl]/NP)`) *she* (`NP`) *saw* "
        "(`(S[dcl]\\NP)/NP`): draw the derivation. Which two rules does it need that *she saw the "
        "boats* does not?",
        "Type-raising (`>T`) and forward composition (`>B`), since *she saw* has to become a "
        f"phrase without its object:\n\n```text\n{whole}\n```",
    )


def _leaf(word: str, category: str) -> Any:
    return wl.Derivation.leaf(word, "X", wl.Category.parse(category))


def _joined(left: Any, right: Any) -> Any:
    category, _ = combinators.results(left.category, right.category)[0]
    return wl.Derivation.binary(category, left, right)


@question(4)
def cut_by_beta() -> tuple[str, str]:
    probabilities = {"N": 0.52, "N/N": 0.3, r"S[b]\NP": 0.11, r"(S[b]\NP)/NP": 0.05, "NP": 0.02}
    names, values = list(probabilities), list(probabilities.values())
    kept = {beta: [names[i] for i in cut(values, beta)] for beta in (0.5, 0.1, 0.05)}
    said = "; ".join(
        f"β = {beta:g}: {', '.join(f'`{c}`' for c in cs)}" for beta, cs in kept.items()
    )
    given = ", ".join(f"`{name}` {value:g}" for name, value in probabilities.items())
    return (
        f"A supertagger gives *stone* these categories: {given}. Which of them remain with β = "
        "0.5, 0.1 and 0.05? What does a search gain by a larger β, and what may it lose?",
        f"β is a share of the best probability. {said}. A larger β means fewer leaves, fewer edges "
        "and a quicker search in which less is pruned by chance; but the category that the right "
        "sentence needs may be gone, and then no search can find it.",
    )


# --- session 5: counting, and whose fault ---------------------------------------------------------

TEXT = "the dog saw the cat|the cat slept|a dog slept"


@question(5)
def bigram_by_hand() -> tuple[str, str]:
    lines = [line.split() for line in TEXT.split("|")]
    pairs = bigrams(lines)
    total = sum(n for (first, _), n in pairs.items() if first == "the")
    company = {word: sum(second == word for _, second in pairs) for word in ("cat", "slept")}
    return (
        f"A text of three sentences: *{TEXT.replace('|', ' / ')}*. By counting, what is "
        "p(cat | the)? What is the *company* (the continuation count) of *cat* and of *slept*, and "
        "which of the two would Kneser and Ney rather expect after a word that was never seen?",
        f"{pairs['the', 'cat']} of {total}, **{pairs['the', 'cat'] / total:.2f}**. Company: *cat* "
        f"**{company['cat']}** (*the*), *slept* **{company['slept']}** (*cat*, *dog*). Both come "
        "twice, but *slept* has been seen in more places, so rather *slept*.",
    )


TRAP: Mapping[tuple[str, str], float] = {
    ("<s>", "a"): -1.0,
    ("<s>", "b"): -2.0,
    ("<s>", "c"): -3.0,
    ("a", "b"): -6.0,
    ("a", "c"): -5.0,
    ("b", "a"): -1.0,
    ("b", "c"): -2.0,
    ("c", "a"): -1.0,
    ("c", "b"): -4.0,
}
"""Log-probabilities of pairs; the end costs nothing."""


@question(5)
def greedy_and_exact() -> tuple[str, str]:
    def score(order: Sequence[str]) -> float:
        total = 0.0
        for pair in zip(["<s>", *order], order):
            total += TRAP[pair]
        return total

    greedy, left = ["<s>"], {"a", "b", "c"}
    while left:
        last = greedy[-1]
        greedy.append(max(sorted(left), key=lambda word: TRAP[last, word]))
        left.remove(greedy[-1])
    best = max(permutations("abc"), key=score)
    rows = [{"pair": f"`{one} {two}`", "log p": f"{value:g}"} for (one, two), value in TRAP.items()]
    found, whole, other = map(score, (greedy[1:], best, "cba"))
    greedily, as_well, exactly = (
        fault_of(False, True, output, gold)
        for output, gold in ((found, whole), (found, other), (whole, other))
    )
    return (
        f"A bigram model and the bag *a b c* (the end of the sentence costs nothing):\n\n"
        f"{_table(rows)}\n\nWhat does a beam of 1 find, and what is the best order? Is the output "
        "of beam 1 a search error (the reference scores more than the output) or a model error "
        f"(it scores less) if the reference is *{' '.join(best)}*, and which if it is *c b a*? "
        "What would an exact search make of the second case?",
        f"Beam 1: *{' '.join(greedy[1:])}* with {found:g}. Best: ***{' '.join(best)}*** with "
        f"{whole:g}. If that is the reference, it is a **{greedily}**. *c b a* has {other:g}, "
        f"beside the {found:g} of the output: a **{as_well}**. An exact search puts out "
        f"*{' '.join(best)}*, which has {whole:g} to {other:g}: then it is a **{exactly}**, so a "
        "better search alone does not bring *c b a*.",
    )


@question(5)
def beams_and_faults() -> tuple[str, str]:
    corpus = wl.load_corpus("gazette")
    model = wl.train("liu-2015", corpus.train[:300], beam=4, epochs=3, progress=False)
    dev = [one for one in corpus.dev if len(one) <= 12][:60]
    rows = []
    for beam in (1, 4, 64):
        frame = wl.errors(model, dev, beam=beam)
        counts = frame.fault.value_counts()
        rows.append(
            {
                "beam": beam,
                **{name: int(counts.get(name, 0)) for name in ("search error", "model error")},
                "mean score of the outputs": f"{frame.score.mean():.1f}",
            }
        )
    first, last = rows[0], rows[-1]
    return (
        "One model, the same 60 sentences, three beams (a search error: gold scores more than the "
        f"output):\n\n{_table(rows)}\n\nSay in two sentences what the beam changes and what it "
        "does not, and what you would do next.",
        f"A wider beam finds what the model likes better: search errors fall from "
        f"{first['search error']} to {last['search error']} and the scores of outputs rise. The "
        f"{last['model error']} model errors at beam 64 are sentences that the model prefers to "
        "gold, and no search can help there: next comes a better model (more data, other features, "
        "training with the beam that is used).",
    )


# --- session 6: compression -----------------------------------------------------------------------

STORM = "(S (NP (DT the) (NN storm)) (VP (VBD closed) (NP (DT the) (JJ old) (NN harbor))))"


@question(6)
def derivations_of_a_tree() -> tuple[str, str]:
    problem = small_transducer.problem_of(wl.parse_tree(STORM), [])
    found = list(small_transducer.derivations(problem))
    texts = sorted({" ".join(problem.target_tree(one).leaves()) for one in found}, key=len)
    return (
        f"`{STORM}` With copy and deletion rules alone (of S the VP stays last, of VP the verb, of "
        "NP the noun; then the determiner, then the adjective), how many derivations turn it into "
        "an S? Which is the shortest output, which the longest?",
        f"**{len(found)}**: the object NP in 3 ways (the noun; with its determiner; all), so the "
        "verb phrase in 1 + 3 = 4; the subject in 2 ways or left out, so 4 · (2 + 1) = 12. "
        f"Shortest: *{texts[0]}*; longest: *{texts[-1]}*.",
    )


@question(6)
def losses_by_hand() -> tuple[str, str]:
    reference = wl.parse_tree("(S (NP (DT the) (NN storm)) (VP (VBD closed) (NP (NN harbor))))")
    output = wl.parse_tree("(S (NP (DT the) (NN storm)) (VP (VBD closed) (NP (DT the) (JJ old))))")
    values = {}
    for name in ("hamming-tokens", "edit", "f1"):
        loss = compression_loss(name, reference)
        values[name] = loss.value(loss.of_tree(output))
    f1 = ngram_f1(output.leaves(), reference.leaves(), 1)
    words = " ".join
    return (
        f"Reference: *{words(reference.leaves())}*. Output: *{words(output.leaves())}*. What are "
        "the Hamming loss of words (FP + max(l - (TP + FP), 0)), the edit loss (p + r - 2 · in "
        "common) and the F1 loss? Which of them notices the second *the*?",
        f"Hamming **{values['hamming-tokens']:g}** (only *old* is not in the reference, and the "
        f"output is not shorter), edit **{values['edit']:g}** (5 + 4 - 2 · 3), F1 loss "
        f"**{values['f1']:.3f}** (F1 = {f1:.3f}). Edit and F1 clip: a second *the* finds no "
        "partner. The Hamming loss takes it for right.",
    )


@question(6)
def grid_of_two() -> tuple[str, str]:
    rows, columns = (-1.0, -1.5, -4.0), (-0.5, -2.0, -2.2)
    taken = best_first([Grid(0, (3, 3))], lambda _, ranks: rows[ranks[0]] + columns[ranks[1]])
    first = [next(taken) for _ in range(5)]
    said = ", ".join(f"({a}, {b}) {one.heuristic:g}" for one in first for a, b in [one.ranks])
    return (
        f"Cube pruning in a grid: the items of variable 1 seem to be worth {_list(rows)}, those of "
        f"variable 2 {_list(columns)} (best first; the rule is worth 0). Which are the first five "
        "combinations that are taken? When can the best output be lost although it is in the grid?",
        f"**{said}**. Always the best of what borders on what was taken. The order goes by what "
        "combinations *seem* to be worth; n-grams across the seam are counted only afterwards. If "
        "the one that the n-grams would lift comes behind the beam's last place, it is never made.",
    )


@question(6)
def one_constraint() -> tuple[str, str]:
    difference, loss = (2.0, -1.0), 4.0
    small, large = (solved(one_output(difference, loss), 2, C=C).weights for C in (0.5, 5.0))
    margins = [2 * one - other for one, other in (small, large)]
    return (
        "One training pair, one other output: Ψ(gold) - Ψ(output) = (2, -1), its loss is 4. Which "
        "weights minimise ½ |w|² + C · ξ with C = 0.5, and which with C = 5? In which case is the "
        "margin reached?",
        f"w = a · (2, -1) with a = min(C, 4 / 5). C = 0.5: **({small[0]:.2f}, {small[1]:.2f})**, "
        f"the margin is {margins[0]:.3g} and the slack {loss - margins[0]:.3g}. C = 5: "
        f"**({large[0]:.2f}, {large[1]:.2f})**, the margin is {margins[1]:.3g}, just the loss, and "
        "there is no slack. Beyond C = 0.8 a larger C changes nothing.",
    )


# --- Markdown -------------------------------------------------------------------------------------


def _table(rows: Sequence[Mapping[str, Any]], names: Sequence[str] | None = None) -> str:
    """Rows as a table of Markdown; bars inside a cell do not end it."""
    names = [*(names or rows[0])]
    cells = [[str(row.get(name, "")).replace("|", "\\|") for name in names] for row in rows]
    lines = [names, ["---"] * len(names), *cells]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _list(values: Iterable[float]) -> str:
    return ", ".join(f"{value:g}" for value in values)


if __name__ == "__main__":
    raise SystemExit(main())
