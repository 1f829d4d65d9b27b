"""Notebook 50, surface realization: its exercises, and trees that fit a blackboard.

In section 5.7 of Zhang & Clark (2015) *an honest person* stands for what n-grams decide, and *Tom
and Sally are* for what only the tree decides: the word beside the verb is *Sally*, and *Sally is*
is good English.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import permutations, product
from math import factorial, prod
from typing import Any

from nltk.tree import Tree

from wordorder_lab.check import beforehand
from wordorder_lab.check.exercise import Wrong
from wordorder_lab.check.judges import WHOLE, Case, Number, OneOf, Wanted, exercise, listed
from wordorder_lab.corpora.inflection_lists import inflection_lists
from wordorder_lab.corpora.lemma_corpora import load_lemma_trees
from wordorder_lab.corpora.readers.corpus import CorpusError
from wordorder_lab.inflection.gold_mapping import map_to_reference as map_to_reference
from wordorder_lab.metrics.realization import edit_distance, realization_scores
from wordorder_lab.metrics.realization_errors import realization_errors
from wordorder_lab.structures.lemma_tree import LemmaNode, LemmaTree, feature_text
from wordorder_lab.structures.result import Realization
from wordorder_lab.structures.trace import Events
from wordorder_lab.systems import names_of, training_names
from wordorder_lab.systems.realization import RealizationModel
from wordorder_lab.systems.realizer import Realizer
from wordorder_lab.trace.reducers import search as books

Forms = Sequence[Sequence[str]]
Trees = Sequence[LemmaTree]
Outputs = Mapping[str, Sequence[Realization]]
Row = dict[str, object]

HONEST = "an/a/DET/3/det honest/honest/ADJ/3/amod person/person/NOUN/0/root"
TOM_AND_SALLY = (
    "Tom/Tom/PROPN/4/nsubj and/and/CCONJ/3/cc Sally/Sally/PROPN/1/conj are/be/AUX/0/root "
    "here/here/ADV/4/advmod"
)
"""A word each: form, lemma, tag, the place of its head (1 is the first word, 0: the root), label.
"""
LEARNED = (
    "a/a/DET/2/det person/person/NOUN/0/root",
    "an/a/DET/2/det hour/hour/NOUN/0/root",
    "an/a/DET/3/det old/old/ADJ/3/amod person/person/NOUN/0/root",
    "a/a/DET/3/det young/young/ADJ/3/amod person/person/NOUN/0/root",
    "an/a/DET/3/det honest/honest/ADJ/3/amod man/man/NOUN/0/root",
    "a/a/DET/3/det good/good/ADJ/3/amod hour/hour/NOUN/0/root",
    "an/a/DET/3/det honest/honest/ADJ/3/amod answer/answer/NOUN/0/root",
    "a/a/DET/3/det long/long/ADJ/3/amod answer/answer/NOUN/0/root",
    "an/a/DET/3/det old/old/ADJ/3/amod friend/friend/NOUN/0/root",
    "Sally/Sally/PROPN/2/nsubj is/be/AUX/0/root here/here/ADV/2/advmod",
    "Tom/Tom/PROPN/2/nsubj is/be/AUX/0/root old/old/ADJ/2/acomp",
    "Mary/Mary/PROPN/2/nsubj is/be/AUX/0/root there/there/ADV/2/advmod",
    "a/a/DET/2/det man/man/NOUN/3/nsubj is/be/AUX/0/root there/there/ADV/3/advmod",
    "John/John/PROPN/4/nsubj and/and/CCONJ/3/cc Mary/Mary/PROPN/1/conj are/be/AUX/0/root "
    "here/here/ADV/4/advmod",
    "Mary/Mary/PROPN/4/nsubj and/and/CCONJ/3/cc Tom/Tom/PROPN/1/conj are/be/AUX/0/root "
    "old/old/ADJ/4/acomp",
    "Sally/Sally/PROPN/4/nsubj and/and/CCONJ/3/cc John/John/PROPN/1/conj are/be/AUX/0/root "
    "there/there/ADV/4/advmod",
)
"""What a small model learns from: neither example is among them."""


def small_trees() -> tuple[LemmaTree, ...]:
    """The trees that a small model learns from."""
    return tuple(tree_of(text, f"invented-{n}") for n, text in enumerate(LEARNED, 1))


def honest_person() -> LemmaTree:
    """*an honest person*."""
    return tree_of(HONEST, "an honest person").shuffled(seed=4)


def tom_and_sally() -> LemmaTree:
    """*Tom and Sally are here*."""
    return tree_of(TOM_AND_SALLY, "Tom and Sally are here").shuffled(seed=2)


def tree_of(text: str, name: str = "") -> LemmaTree:
    """A tree written a word at a time: ``form/lemma/TAG/head/label``, heads from 1, 0 the root."""
    rows = [word.split("/") for word in text.split()]
    nodes = tuple(
        LemmaNode(lemma, tag, "", (), label, int(head) - 1, None, form, place)
        for place, (form, lemma, tag, head, label) in enumerate(rows)
    )
    return LemmaTree(nodes, name, tuple(row[0] for row in rows), " ".join(row[0] for row in rows))


def as_drawn(tree: LemmaTree) -> Tree:
    """The tree for ``plots.trees``: lemmas with their labels, dependents by the alphabet."""

    def below(node: int) -> Tree | str:
        own = f"{tree.nodes[node].lemma}/{tree.nodes[node].label}"
        dependents = sorted(tree.dependents[node], key=lambda i: (tree.nodes[i].lemma, i))
        return Tree(own, [below(i) for i in dependents]) if dependents else own

    whole = below(tree.root)
    return whole if isinstance(whole, Tree) else Tree(whole, [])


@dataclass(frozen=True)
class Material:
    """Trees to learn from and trees held out, all with their words; ``name`` is the corpus.

    ``english``: the lists of irregular forms are here; ``missing``: what was not found.
    """

    name: str
    train: tuple[LemmaTree, ...]
    held_out: tuple[LemmaTree, ...]
    english: bool
    missing: tuple[str, ...] = field(default=(), repr=False)

    def __str__(self) -> str:
        counts = f"{len(self.train)} trees to learn from, {len(self.held_out)} held out"
        lines = [f"The trees are those of {self.name}: {counts}."]
        lines += [f"Not on this machine: {what}" for what in self.missing]
        if self.missing:
            lines.append("All cells run without; sentences or forms are simpler then.")
        return "\n".join(lines)


def material(corpus: str, *, learned: int = 400, tried: int = 60) -> Material:
    """Short trees of a corpus, or of the Gazette where it is not to be had; nothing is raised."""
    missing: list[str] = []
    try:
        trees = load_lemma_trees(corpus)
        train, dev = trees.train, trees.dev
    except CorpusError as error:
        missing.append(str(error))
        trees = load_lemma_trees("gazette")
        train, dev = trees.train, trees.dev
    english = trees.name != "gazette"
    try:
        inflection_lists()
    except CorpusError as error:
        missing.append(str(error))
        english = False
    return Material(trees.name, short(train)[:learned], short(dev)[:tried], english, tuple(missing))


def short(trees: Trees) -> tuple[LemmaTree, ...]:
    """Projective trees of a length that is decoded in a moment, their words known."""

    def fits(tree: LemmaTree) -> bool:
        known = all(node.position is not None for node in tree.nodes)
        return 4 <= len(tree) <= 16 and known and tree.is_projective()

    return tuple(filter(fits, trees))


def candidate_rows(model: RealizationModel, tree: LemmaTree) -> list[Row]:
    """A row a lemma, in the order of the tree's nodes: what is known of it, and its forms."""
    return [
        {
            "lemma": node.lemma,
            "tag": node.xpos or node.upos,
            "features": feature_text(node.features).replace("_", ""),
            "label": node.label,
            "head": tree.nodes[node.head].lemma if node.head >= 0 else "",
            "forms": " | ".join(forms),
        }
        for node, forms in zip(tree.nodes, model.candidates(tree), strict=True)
    ]


def most_open(model: RealizationModel, trees: Trees, most: int = 12) -> LemmaTree:
    """Of trees with at most so many words the one with the most lemmas that have several forms."""
    few = [tree for tree in trees if len(tree) <= most] or trees
    return max(few, key=lambda tree: sum(len(forms) > 1 for forms in model.candidates(tree)))


def forms_counted(model: RealizationModel, trees: Trees) -> dict[str, float]:
    """How many forms a lemma has, how often several, and the right one among them, or first."""
    counts: Counter[str] = Counter()
    for tree in trees:
        for node, forms in zip(tree.nodes, model.candidates(tree), strict=True):
            right, own = (node.form or "").lower(), [form.lower() for form in forms]
            counts["forms a lemma"] += len(own)
            counts["with several"] += len(own) > 1
            counts["right one among them"] += right in own
            counts["right one first"] += right == own[0]
    return {name: count / sum(map(len, trees)) for name, count in counts.items()}


def scored_rows(model: RealizationModel, tree: LemmaTree, k: int = 8, **search: Any) -> list[Row]:
    """The model's ``k`` best sentences of a tree, each once, with their scores."""
    rows: dict[str, Row] = {}
    for number, one in enumerate(model.realizations(tree, k=k, **search), 1):
        rows.setdefault(one.text, {"": number, "sentence": one.text, "score": one.score})
    return list(rows.values())


def learned(
    material: Material,
    train: Callable[..., Any],
    systems: Iterable[str] = names_of("realize"),
    **settings: Any,
) -> dict[str, Any]:
    """By name a model of every system of these that realizes, made by ``train`` or there before."""
    wanted, models = {"epochs": 5, "english": material.english, **settings}, {}
    for system in systems:
        own = {name: wanted[name] for name in wanted.keys() & {*training_names(system)}}
        models[system] = train(material.train, system, **own)
    return models


def outputs(models: Mapping[str, Realizer], trees: Trees) -> Outputs:
    """What each model makes of the trees, in their order."""
    return {name: model.outputs(trees) for name, model in models.items()}


def sentences_beside(made: Outputs, trees: Trees, place: int) -> list[dict[str, str]]:
    """The reference of one tree, and what each system made of it, as rows."""
    rows = [{"by": "reference", "sentence": " ".join(trees[place].reference)}]
    return rows + [{"by": name, "sentence": own[place].text} for name, own in made.items()]


def score_rows(made: Outputs, trees: Trees) -> list[Row]:
    """BLEU, NIST and DIST of every system, and the shares of right orders and forms."""
    scores = {name: realization_scores(own, trees) for name, own in made.items()}
    return [
        {
            "system": name,
            "BLEU": own.bleu_lc,
            "NIST": own.nist,
            "DIST": own.distance,
            "right order": own.order_exact,
            "right forms": own.inflected,
        }
        for name, own in scores.items()
    ]


def fault_rows(own: Sequence[Realization], trees: Trees) -> list[Row]:
    """Why the sentences of one system are not their references, and BLEU if a cause were gone."""
    return [
        {
            "cause": cause.name,
            "places": cause.places,
            "sentences": cause.sentences,
            "BLEU without it": cause.bleu_lc,
        }
        for cause in realization_errors(own, trees).causes
    ]


def telling_tree(made: Outputs, trees: Trees) -> int:
    """The place of a tree of which systems make different things, one of them right; or else 0."""
    for place, tree in enumerate(trees):
        right = " ".join(tree.reference).lower()
        texts = {own[place].text.lower() for own in made.values()}
        if len(texts) > 1 and right in texts:
            return place
    return 0


def forms_by_search(
    joint: RealizationModel, first: RealizationModel, trees: Trees
) -> list[dict[str, str]]:
    """Lemmas with several forms, where the outputs of the two models differ."""
    rows = []
    for tree in trees:
        made = joint.realize(tree).forms, first.realize(tree).forms
        for node, forms, mine, its in zip(tree.nodes, joint.candidates(tree), *made):
            row = {"lemma": node.lemma, "forms": " | ".join(forms)}
            row |= {"reference": node.form or "", "joint": mine, "pipeline": its}
            row |= {name: row[name].lower() for name in ("reference", "joint", "pipeline")}
            if len(forms) > 1 and row["joint"] != row["pipeline"]:
                rows.append({**row, "in": " ".join(tree.reference)})
    return rows


# --- exercises ------------------------------------------------------------------------------------

ASKED: tuple[tuple[str, str, str, frozenset[str]], ...] = (
    ("a", "determiner", "", frozenset({"a", "an"})),
    ("go", "verb", "past tense, finite", frozenset({"went"})),
    ("child", "noun", "plural", frozenset({"children"})),
    ("be", "auxiliary", "present tense; its subject: who", frozenset({"is", "are"})),
    ("be", "auxiliary", "present tense; its subject: the children", frozenset({"are"})),
)
"""Lemma, tag, what is known, and the forms; short ones ('s, 're) are left out here."""


def asked_rows() -> list[dict[str, str]]:
    """What is asked, as rows."""
    return [
        {"": str(number), "lemma": lemma, "tag": tag, "known": known}
        for number, (lemma, tag, known, _) in enumerate(ASKED, 1)
    ]


def _judge_forms(answer: object) -> str:
    rows = listed(
        answer, len(ASKED), f"A list of {len(ASKED)} lists of forms is wanted, one a row."
    )
    for number, (own, (lemma, tag, known, right)) in enumerate(zip(rows, ASKED, strict=True), 1):
        if isinstance(own, str) or not isinstance(own, Sequence | set | frozenset):
            raise Wrong(f"Row {number}: a list of forms is wanted, also where there is one form.")
        about = f"Row {number}, {lemma} ({', '.join(filter(None, (tag, known)))})"
        if more := sorted(set(map(str, own)) - right):
            raise Wrong(f"{about}: {more[0]} does not fit what is known.")
        if right - set(own):
            raise Wrong(f"{about}: there is one more that nothing rules out yet.")
    return "Two of five are open: what is known rules the others' forms out before any search."


@exercise("50.1", judge=_judge_forms)
def five_bags() -> list[list[str]]:
    """Which forms go into the bag?

    - What is known of the lemma itself comes first: number, tense.
    - Then the subject. Who is it in row 4: one, or several?
    - Which row depends on the word that comes after it, which nobody knows before the order is
      known?

    *a* waits for the word after it. *who* may be one or several, so *be* stays open; *the children*
    are several.
    """
    return [["a", "an"], ["went"], ["children"], ["is", "are"], ["are"]]


def every_sentence(tree: LemmaTree, forms: Forms) -> Iterator[tuple[str, ...]]:
    """All sentences of a small tree: heads with dependents in any order, lemmas in any form."""
    for order in orders(tree, tree.root):
        yield from product(*(forms[node] for node in order))


def orders(tree: LemmaTree, head: int) -> Iterator[tuple[int, ...]]:
    """The orders of a node and all below it, each dependent's words in one piece."""
    for order in permutations((head, *tree.dependents[head])):
        pieces = [[(head,)] if part == head else [*orders(tree, part)] for part in order]
        for chosen in product(*pieces):
            yield tuple(node for piece in chosen for node in piece)


def trees_to_count() -> Iterator[tuple[LemmaTree, list[list[str]]]]:
    """One lemma, a chain, a bush, then some at random, always the same."""
    yield tree_of("rain/rain/NOUN/0/root"), [["rain"]]
    yield tree_of("old/old/ADJ/2/amod rain/rain/NOUN/0/root"), [["old"], ["rain", "rains"]]
    rng = random.Random(50)
    for size in (3, 4, 4, 5, 5):
        heads = [0, *(rng.randint(1, place) for place in range(1, size))]
        words = (f"{'abcde'[i]}/{'abcde'[i]}/X/{head}/dep" for i, head in enumerate(heads))
        forms = [[f"{'abcde'[i]}{n}" for n in range(rng.randint(1, 2))] for i in range(size)]
        yield tree_of(" ".join(words)), forms


def _numbers() -> Iterator[Case]:
    for tree, forms in trees_to_count():
        heads = ", ".join(
            f"{node.lemma} below {tree.nodes[node.head].lemma if node.head >= 0 else 'nothing'}"
            for node in tree.nodes
        )
        shown = " ".join("|".join(some) for some in forms)
        about = f"The number of sentences in a tree with {heads}; forms {shown}"
        yield Case(about, sum(1 for _ in every_sentence(tree, forms)), (tree, forms))


@exercise("50.2", _numbers, WHOLE)
def how_many(tree: LemmaTree, forms: Forms) -> int:
    """How many sentences does a tree of lemmas have?

    - Look at one head: it and its dependents stand in any order. How many things are that?
    - Heads choose one independently of the other, and so do lemmas their forms: multiply.
    - For each node: the factorial of (dependents + 1), times the number of its forms.

    A head and its dependents are (dependents + 1) things in a row, and no head asks another.

    Right: A head with nine dependents alone has 3,628,800 orders: hence a search.
    """
    number = 1
    for dependents, own in zip(tree.dependents, forms):
        number *= factorial(len(dependents) + 1) * len(own)
    return number


TREE = tree_of(
    "the/the/DET/2/det man/man/NOUN/3/nsubj saw/see/VERB/0/root the/the/DET/6/det "
    "old/old/ADJ/6/amod man/man/NOUN/3/obj",
    "the man saw the old man",
)
"""Each lemma may be any word of the reference that is one of its forms."""
FORMS = tuple((node.form or "",) for node in TREE.nodes)


def places_of(tree: LemmaTree, forms: Forms) -> list[tuple[int, ...]]:
    """Of each node the places of the reference that hold one of its forms, capitals aside."""
    words = [word.lower() for word in tree.reference]
    small = [{form.lower() for form in some} for some in forms]
    return [tuple(at for at, word in enumerate(words) if word in some) for some in small]


def before_pruning(tree: LemmaTree, forms: Forms) -> int:
    """Mappings of each node to any of its places, whatever the others do."""
    return prod(map(len, places_of(tree, forms)))


@beforehand.made
def spans_upwards(tree: LemmaTree, forms: Forms) -> list[Row]:
    """Bottom-up, a row a node: where its word may stand, and its span, in how many ways."""
    places, sizes, rows = places_of(tree, forms), [1] * len(tree), list[Row]()
    ways: dict[int, dict[int, int]] = {}
    for node in tree.upwards():
        for dependent in tree.dependents[node]:
            sizes[node] += sizes[dependent]
        own, size = dict.fromkeys(places[node], 1), sizes[node]
        ways[node] = {}
        for start in range(len(tree) - size + 1):
            number = 0
            for order in permutations((node, *tree.dependents[node])):
                at, here = start, 1
                for part in order:
                    here *= (own if part == node else ways[part]).get(at, 0)
                    at += 1 if part == node else sizes[part]
                number += here
            if number:
                ways[node][start] = number
        spans = (f"{at}-{at + size - 1}" if size > 1 else str(at) for at in ways[node])
        row: Row = {"lemma": tree.nodes[node].lemma, "label": tree.nodes[node].label}
        row |= {"its word": ", ".join(map(str, places[node])), "words below and itself": size}
        rows.append({**row, "its span": ", ".join(spans), "ways": sum(ways[node].values())})
    return rows


ENDS = Wanted[list[object]](reads=lambda value: listed(value, 2, "[first, last] is wanted."))


def _mappings() -> Iterator[Case]:
    rows = {row["label"]: row for row in spans_upwards(TREE, FORMS)}
    yield Case("mappings before anything is pruned", before_pruning(TREE, FORMS))
    yield Case("mappings that are left", rows["root"]["ways"])
    for name, label in (("subject", "nsubj"), ("object", "obj")):
        ends = [*map(int, str(rows[label]["its span"]).split("-"))]
        yield Case(f"the places of the {name} and all below it, [first, last]", ends)


@exercise("50.3", _mappings, (WHOLE, WHOLE, ENDS, ENDS))
def before_and_after() -> list[object]:
    """Sixteen mappings, or fewer?

    - Each lemma may be any word that is one of its forms, whatever the others take: multiply.
    - Begin at the bottom. Where can *the* stand, so that *man* stands beside it, and nothing else
      between them?
    - The subject has two words in one piece, the object three, with *old* among them.

    Two *the*, two *man*, each lemma either: 2 · 2 · 2 · 2. The subject is two words in one piece,
    *the man* with nothing between: places 0 and 1. *old* is at 4, so the object is 3 to 5.

    Right: Of sixteen one is left, though two pairs of words look the same.
    """
    return [16, 1, [0, 1], [3, 5]]


RULED = {
    "Tom/Tom/PROPN/2/nsubj is/be/AUX/0/root here/here/ADV/2/advmod": "is",
    TOM_AND_SALLY: "are",
    "Tom/Tom/PROPN/4/nsubj or/or/CCONJ/3/cc Sally/Sally/PROPN/1/conj is/be/AUX/0/root "
    "here/here/ADV/4/advmod": "is",
    "here/here/ADV/2/advmod is/be/AUX/0/root Tom/Tom/PROPN/2/nsubj ,/,/PUNCT/5/punct "
    "old/old/ADJ/3/amod and/and/CCONJ/7/cc honest/honest/ADJ/5/conj": "is",
    "Sally/Sally/PROPN/5/nsubj ,/,/PUNCT/3/punct Tom/Tom/PROPN/1/conj and/and/CCONJ/3/cc "
    "are/be/AUX/0/root here/here/ADV/5/advmod": "are",
}


def _ruled() -> Iterator[Case]:
    for seed, (text, right) in enumerate(RULED.items()):
        tree = tree_of(text).shuffled(seed=seed)
        lemmas = ", ".join(f"{node.lemma} ({node.label})" for node in tree.nodes if node.head != -1)
        yield Case(f"The form of be above {lemmas}", right, (tree,))


@exercise("50.4", _ruled, OneOf(("is", "are")))
def be(tree: LemmaTree) -> str:
    """A rule for is and are.

    - The subject is a dependent of the root with the label nsubj. Which of its own dependents say
      that there are several?
    - Joined subjects have a conj below the first one. But *Tom or Sally* has one, too.
    - The and hangs below the conj, and other conjs may be in the tree: go down from the subject
      alone.

    Joined by *and* there are several, joined by *or* not.

    Right: And *neither of them*, *a number of people*, *Tom or his parents*? Each rule meets
    the next sentence; a model that chooses in the search could learn from all of them.
    """
    (subject,) = (i for i in tree.dependents[tree.root] if tree.nodes[i].label == "nsubj")
    joined = [i for i in tree.dependents[subject] if tree.nodes[i].label == "conj"]
    words = {tree.nodes[k].lemma for i in (subject, *joined) for k in tree.dependents[i]}
    return "are" if joined and "and" in words else "is"


def _corpora() -> Iterator[Case]:
    corpora: list[list[tuple[str, str]]] = [
        [("a honest person", "an honest person")],
        [("rain", "rain"), ("Tom and Sally is here", "here are Sally and Tom")],
        [("it is", "it 's")],
    ]
    rng = random.Random(50)
    words = ["an", "honest", "person", "is", "are", "here", "and"]
    for _ in range(10):
        some = [rng.sample(words, rng.randint(1, 6)) for _ in range(rng.randint(1, 4))]
        corpora.append([(" ".join(rng.sample(one, len(one))), " ".join(one)) for one in some])
    for pairs in corpora:
        about = "; ".join(f"{output!r} for {reference!r}" for output, reference in pairs)
        mean = sum(dist([pair]) for pair in pairs) / len(pairs)
        yield Case(about, dist(pairs), (pairs,), [(mean, "(That is the mean over sentences.)")])


@exercise("50.5", _corpora, Number(near=1e-6, form=".2f"))
def dist(pairs: Sequence[tuple[str, str]]) -> float:
    """DIST, in signs.

    - nb_50.edit_distance(output, reference) counts the signs put in, taken out or changed.
    - Divide all edits of the corpus by all lengths; not sentence by sentence.
    - A length is that of the longer text of the two. 100 is best.

    All edits, all lengths; not the mean over sentences.

    Right: One long sentence in a wrong order costs as much as many short ones.
    """
    edits = sum(edit_distance(output, reference) for output, reference in pairs)
    signs = sum(max(len(output), len(reference)) for output, reference in pairs)
    return 100 * (1 - edits / signs)


def first_pops(log: Events, form: str) -> tuple[int, int]:
    """The pops, from 1, of the first edge and the first goal with this form; 0: there is none."""
    state = books.start()
    edge = goal = 0
    for event in log:
        books.apply(state, event)
        if event[0] in ("popped", "goal"):
            words = [word for word, *_ in books.words_of(state, event[1])[0]]
            pop = len(state["pops"])
            if form in words:
                edge = edge or pop
                goal = goal or (pop if event[0] == "goal" else 0)
    return edge, goal


def _pops(log: Events) -> Iterator[Case]:
    for what, right in zip(("edge", "goal"), first_pops(log, "a"), strict=True):
        yield Case(f"the pop of the first {what} with 'a' in it", right)


@exercise("50.6", _pops, WHOLE, needs=("log",))
def two_pops(log: Events) -> list[int]:
    """When was a popped?

    - Go back to the beginning of the player, and watch the line below the sentence: how many pops
      has each form had?
    - Step forward until the line says 1 pop for a. The toolbar has the number of the pop.
    - Goals have stars on the timeline; go from star to star, and read the words.

    From star to star on the timeline. (Counted here; you have seen it.)

    Right: Up to its goal the two forms stood side by side on one agenda: that is joint search.
    """
    return list(first_pops(log, "a"))
