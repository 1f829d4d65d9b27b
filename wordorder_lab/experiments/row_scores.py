"""What a row of an experiment says of an evaluation: the scores, in few digits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from wordorder_lab.experiments.evaluate import Evaluation, evaluate
from wordorder_lab.experiments.run_settings import for_search
from wordorder_lab.structures.sentence import Sentence
from wordorder_lab.systems.model import OrderingModel

SCORES = (
    *("bleu_cased", "bleu_13a_lc", "exact_match", "brevity", "timeouts", "no_goal"),
    *("category_precision", "expansions_per_sentence", "ms_per_sentence"),
)
DIGITS = 4


def score(
    model: OrderingModel, sentences: Sequence[Sentence], run: Mapping[str, Any]
) -> Evaluation:
    """Order the sentences as a run says. Raises ``ValueError`` as ``evaluate``."""
    return evaluate(model, sentences, engine=run.get("engine"), **for_search(run))


def scores_of(evaluation: Evaluation, interval: bool = False) -> dict[str, Any]:
    """``SCORES`` as far as there are any; BLEU's interval takes a second and is asked for."""
    scores = evaluation.to_dict()
    digits = {name: scores[name] for name in SCORES if scores.get(name) is not None}
    ends: dict[str, Any] = {}
    if interval:
        ends["bleu_cased_interval"] = [round(end, DIGITS) for end in evaluation.interval()]
    rounded = {name: round(value, DIGITS) for name, value in digits.items()}
    return {"sentences": scores["sentences"], **rounded, **ends}
