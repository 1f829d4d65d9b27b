"""Systems that realise, beside each other: trained alike, their sentences, scores and faults."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from wordorder_lab.check.nb_50_realisation.trees_at_hand import Material
from wordorder_lab.metrics.realization import realization_scores
from wordorder_lab.metrics.realization_errors import realization_errors
from wordorder_lab.structures.lemma_tree import LemmaTree
from wordorder_lab.structures.result import Realization
from wordorder_lab.systems import names_of, training_names

EPOCHS = 5
Outputs = Mapping[str, Sequence[Realization]]


def learned(
    material: Material,
    train: Callable[..., Any],
    systems: Iterable[str] = names_of("realize"),
    *,
    epochs: int = EPOCHS,
    **settings: Any,
) -> dict[str, Any]:
    """A model of every system that realises, or of ``systems``, by name.

    ``train(trees, system, **settings)`` makes it or has it already; ``settings`` are those of a
    training, for the systems that have them.
    """
    wanted = {"epochs": epochs, "english": material.english, **settings}
    models = {}
    for system in systems:
        names = training_names(system)
        own = {name: value for name, value in wanted.items() if name in names}
        models[system] = train(material.train, system, **own)
    return models


def outputs(models: Mapping[str, Any], trees: Sequence[LemmaTree]) -> Outputs:
    """What each model makes of the trees, in their order."""
    return {name: model.outputs(trees) for name, model in models.items()}


def sentences_beside(made: Outputs, trees: Sequence[LemmaTree], place: int) -> list[dict[str, str]]:
    """The reference of one tree, and what each system made of it, as rows."""
    rows = [{"by": "reference", "sentence": " ".join(trees[place].reference)}]
    return rows + [{"by": name, "sentence": own[place].text} for name, own in made.items()]


def score_rows(made: Outputs, trees: Sequence[LemmaTree]) -> list[dict[str, Any]]:
    """BLEU, NIST and DIST of every system, and the shares of right orders and forms."""
    rows = []
    for name, own in made.items():
        scores = realization_scores(own, trees)
        rows.append(
            {
                "system": name,
                "BLEU": scores.bleu_lc,
                "NIST": scores.nist,
                "DIST": scores.distance,
                "right order": scores.order_exact,
                "right forms": scores.inflected,
            }
        )
    return rows


def fault_rows(own: Sequence[Realization], trees: Sequence[LemmaTree]) -> list[dict[str, Any]]:
    """Why the sentences of one system are not their references, and BLEU if a cause were gone."""
    found = realization_errors(own, trees)
    return [
        {
            "cause": cause.name,
            "places": cause.places,
            "sentences": cause.sentences,
            "BLEU without it": cause.bleu_lc,
        }
        for cause in found.causes
    ]


def telling_tree(made: Outputs, trees: Sequence[LemmaTree]) -> int:
    """The place of a tree of which systems make different things, and one of them the reference;
    the first tree where there is none."""
    for place, tree in enumerate(trees):
        right = " ".join(tree.reference).lower()
        texts = {own[place].text.lower() for own in made.values()}
        if len(texts) > 1 and right in texts:
            return place
    return 0


def forms_by_search(joint: Any, first: Any, trees: Sequence[LemmaTree]) -> list[dict[str, Any]]:
    """Lemmas with several forms: the right form, the one that comes first, the one in the output of
    each model; where these differ."""
    rows = []
    for tree in trees:
        one, other = joint.realize(tree), first.realize(tree)
        for node, forms in enumerate(joint.candidates(tree)):
            right = (tree.nodes[node].form or "").lower()
            mine, its = one.forms[node].lower(), other.forms[node].lower()
            if len(forms) > 1 and mine != its:
                rows.append(
                    {
                        "lemma": tree.nodes[node].lemma,
                        "forms": " | ".join(forms),
                        "reference": right,
                        "joint": mine,
                        "pipeline": its,
                        "in": " ".join(tree.reference),
                    }
                )
    return rows
