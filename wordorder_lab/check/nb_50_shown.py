"""What notebook 50 shows of trees at hand: their forms, what systems make of them, and scores."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from wordorder_lab.corpora.inflection_lists import inflection_lists
from wordorder_lab.corpora.lemma_corpora import load_lemma_trees
from wordorder_lab.corpora.readers.corpus import CorpusError
from wordorder_lab.metrics.realization import realization_scores
from wordorder_lab.metrics.realization_errors import realization_errors
from wordorder_lab.structures.lemma_tree import LemmaTree, feature_text
from wordorder_lab.structures.result import Realization
from wordorder_lab.systems import names_of, training_names
from wordorder_lab.systems.realization import RealizationModel, Realizer

Trees = Sequence[LemmaTree]
Outputs = Mapping[str, Sequence[Realization]]
Row = dict[str, object]

# --- trees at hand --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Material:
    """Trees to learn from and trees held out, all with their words; ``name`` is the corpus.

    ``english`` says whether the lists of irregular forms are here; without them forms are those
    that were counted. ``missing`` says what was looked for and not found.
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
    """Short trees of a corpus, or of the Gazette where it is not to be had.

    ``corpus`` is a name or a path that ``load_lemma_trees`` takes. So many are learned from, and so
    many held out. Nothing is raised for what is missing: ``print`` says what, and how to get it.
    The Gazette's sentences come from our own grammar: simpler than what people write, with higher
    scores.
    """
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
    return tuple(
        tree
        for tree in trees
        if 4 <= len(tree) <= 16
        and all(node.position is not None for node in tree.nodes)
        and tree.is_projective()
    )


# --- the forms that a bag may have of each lemma --------------------------------------------------


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
    few = [tree for tree in trees if len(tree) <= most] or list(trees)
    return max(few, key=lambda tree: sum(len(forms) > 1 for forms in model.candidates(tree)))


def forms_counted(model: RealizationModel, trees: Trees) -> dict[str, float]:
    """How many forms a lemma has, the share of lemmas with several, and how often the right form
    is among them, or the first, whatever its capitals."""
    lemmas = [
        ((node.form or "").lower(), [form.lower() for form in own])
        for tree in trees
        for node, own in zip(tree.nodes, model.candidates(tree), strict=True)
    ]
    counts = {
        "forms a lemma": sum(len(own) for _, own in lemmas),
        "with several": sum(len(own) > 1 for _, own in lemmas),
        "right one among them": sum(right in own for right, own in lemmas),
        "right one first": sum(right == own[0] for right, own in lemmas),
    }
    return {name: count / len(lemmas) for name, count in counts.items()}


def scored_rows(model: RealizationModel, tree: LemmaTree, k: int = 8, **search: Any) -> list[Row]:
    """The model's ``k`` best sentences of a tree, each once, with their scores."""
    rows: dict[str, Row] = {}
    for number, one in enumerate(model.realizations(tree, k=k, **search), 1):
        rows.setdefault(one.text, {"": number, "sentence": one.text, "score": one.score})
    return list(rows.values())


# --- systems beside each other --------------------------------------------------------------------


def learned(
    material: Material,
    train: Callable[..., Any],
    systems: Iterable[str] = names_of("realize"),
    **settings: Any,
) -> dict[str, Any]:
    """A model of every system that realizes, or of ``systems``, by name.

    ``train(trees, system, **settings)`` makes it or has it already; ``settings`` are those of a
    training, for the systems that have them.
    """
    wanted = {"epochs": 5, "english": material.english, **settings}
    models = {}
    for system in systems:
        own = {name: value for name, value in wanted.items() if name in training_names(system)}
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
    """The place of a tree of which systems make different things, and one of them the reference;
    the first tree where there is none."""
    for place, tree in enumerate(trees):
        right = " ".join(tree.reference).lower()
        texts = {own[place].text.lower() for own in made.values()}
        if len(texts) > 1 and right in texts:
            return place
    return 0


def forms_by_search(
    joint: RealizationModel, first: RealizationModel, trees: Trees
) -> list[dict[str, str]]:
    """Lemmas with several forms: the right form, the one that comes first, the one in the output of
    each model; where these differ."""
    rows = []
    for tree in trees:
        one, other = joint.realize(tree), first.realize(tree)
        for node, forms in enumerate(joint.candidates(tree)):
            mine, its = one.forms[node].lower(), other.forms[node].lower()
            if len(forms) > 1 and mine != its:
                rows.append(
                    {
                        "lemma": tree.nodes[node].lemma,
                        "forms": " | ".join(forms),
                        "reference": (tree.nodes[node].form or "").lower(),
                        "joint": mine,
                        "pipeline": its,
                        "in": " ".join(tree.reference),
                    }
                )
    return rows
