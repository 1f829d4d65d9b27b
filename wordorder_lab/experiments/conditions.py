"""One model under several input conditions (Liu et al. 2015, section 4.2), and what they add up to.

A condition is a split, a share of tags, a share of dependencies, and a seed that samples them. What
came out of one is a plain dictionary, so that unfinished work can lie in a file. It holds no text
of the corpus, only scores and what BLEU counted in each sentence.
"""

from __future__ import annotations

import base64
import statistics
import zlib
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, product
from typing import TYPE_CHECKING, Any, NamedTuple

from wordorder_lab.experiments.evaluate import evaluate
from wordorder_lab.structures.sentence import Sentence
from wordorder_lab.systems.ordering_model import OrderingModel

if TYPE_CHECKING:
    import numpy as np

SCORES = ("bleu_cased", "bleu_13a_lc", "exact_match", "brevity", "timeouts")
SOME = ("spanning", "category_precision")
"""What is averaged over the seeds, and what of it not every system has."""
TRAINING = (
    *("system", "corpus", "units", "templates", "update", "shuffle", "beam", "epoch"),
    "training_seed",
)
"""What may tell one model of an experiment from another."""
TRAINING_SHARES = "training_shares"
"""What a comparison is of where models were given other shares in training."""
DIGITS = 4


class Condition(NamedTuple):
    """What a model is given of the gold trees."""

    split: str
    pos: float
    deps: float
    seed: int


def grid(
    splits: Sequence[str], pos: Sequence[float], deps: Sequence[float], seeds: Sequence[int]
) -> list[Condition]:
    """Every combination once.

    Seeds change last: the times of one condition are taken far apart, so that other work on the
    machine slows all conditions and not one of them.
    """
    every = product(seeds, splits, pos, deps)
    return [Condition(split, p, d, seed) for seed, split, p, d in every]


def measure(
    model: OrderingModel,
    sentences: Sequence[Sentence],
    condition: Condition,
    *,
    engine: str | None = None,
    jobs: int = 1,
    **search: Any,
) -> dict[str, Any]:
    """The model under one condition. Raises ``ValueError`` as ``evaluate``."""
    from wordorder_lab.metrics.pooled import sentence_counts

    split, pos, deps, seed = condition
    how: dict[str, Any] = {"engine": engine, "jobs": jobs, **search}
    done = evaluate(model, sentences, pos=pos, deps=deps, seed=seed, **how)
    counts = sentence_counts(done.outputs, done.references)
    return {"split": split, **done.to_dict(), "counts": packed(counts)}


def condition_of(result: Mapping[str, Any]) -> Condition:
    """The condition that a result of ``measure`` belongs to."""
    return Condition(*(result[name] for name in Condition._fields))


def summary(results: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """A row for the results of one condition under its seeds.

    Scores are means; the milliseconds are the median, which other work on the machine moves least.
    ``bleu_cased_interval`` is 95 % over the choice of sentences, ``bleu_cased_seed_interval`` over
    the choice of the sample: ``None`` for one seed, and no wider than a point where nothing is
    sampled.
    """
    from wordorder_lab.metrics.pooled import pooled_interval

    split, pos, deps, _ = condition_of(results[0])
    cased, times = ([one[name] for one in results] for name in ("bleu_cased", "ms_per_sentence"))
    sentences = pooled_interval([_unpacked(one["counts"]) for one in results])
    row = {"split": split, "pos": pos, "deps": deps, "sentences": results[0]["sentences"]}
    had = [name for name in SOME if all(one.get(name) is not None for one in results)]
    row |= {name: _mean([one[name] for one in results]) for name in (*SCORES, *had)}
    return row | {
        "bleu_cased_interval": [round(end, DIGITS) for end in (sentences.low, sentences.high)],
        "bleu_cased_seed_interval": seed_interval(cased),
        "ms_per_sentence": round(statistics.median(times), DIGITS),
        "seeds": [one["seed"] for one in results],
        "bleu_cased_by_seed": [round(score, DIGITS) for score in cased],
        "ms_per_sentence_by_seed": [round(ms, DIGITS) for ms in times],
    }


def _mean(values: Sequence[float]) -> float:
    return round(statistics.fmean(values), DIGITS)


def seed_interval(values: Sequence[float]) -> list[float] | None:
    """The 95 % interval of the mean by Student's t; ``None`` for fewer than two values."""
    if len(values) < 2:
        return None
    from scipy.stats import t

    mean, error = statistics.fmean(values), statistics.stdev(values) / len(values) ** 0.5
    half = float(t.ppf(0.975, len(values) - 1)) * error
    return [round(mean - half, DIGITS), round(mean + half, DIGITS)]


def comparisons(
    groups: Sequence[tuple[Mapping[str, Any], Sequence[Mapping[str, Any]]]],
) -> Iterator[dict[str, Any]]:
    """A paired bootstrap for each two groups of results that differ in one thing alone.

    A group is its key (``{"split": "dev", "pos": 0, "deps": 1}``) and its results. Sentences are
    drawn, each with the outputs under all its seeds; BLEU here is that of all outputs together, and
    ``p_value`` is one-sided, as that of ``Comparison``. What a training was given is one thing.
    """
    from wordorder_lab.metrics.pooled import pooled_bootstrap

    counts = [[_unpacked(one["counts"]) for one in results] for _, results in groups]
    for a, b in combinations(range(len(groups)), 2):
        first, second = groups[a][0], groups[b][0]
        differing = [name for name in first if first[name] != second[name]]
        of = TRAINING_SHARES if differing == ["training_pos", "training_deps"] else differing[0]
        if of == "split" or (len(differing) != 1 and of != TRAINING_SHARES):
            continue
        if of in ("pos", "deps") and first[of] > second[of]:
            a, b, first, second = b, a, second, first
        found = pooled_bootstrap(counts[a], counts[b])
        scores = {"baseline_bleu": found.baseline.score, "system_bleu": found.system.score}
        scores |= {"difference": found.difference, "p_value": found.p_value}
        yield {
            "of": of,
            "baseline": dict(first),
            "system": dict(second),
            **{name: round(value, DIGITS) for name, value in scores.items()},
        }


def grouped(
    results: Sequence[Mapping[str, Any]], names: Sequence[str]
) -> list[tuple[dict[str, Any], list[Mapping[str, Any]]]]:
    """Results by these values, in the order in which they first come."""
    groups: dict[tuple, list[Mapping[str, Any]]] = {}
    for one in results:
        groups.setdefault(tuple(one.get(name) for name in names), []).append(one)
    return [(dict(zip(names, key)), group) for key, group in groups.items()]


def telling(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """The settings of trainings that are not the same in all rows (or results).

    Training's shares are not named where each model is scored as it was trained: the condition
    says them.
    """
    names = list(TRAINING)
    if any(row.get(f"training_{of}", row[of]) != row[of] for row in rows for of in ("pos", "deps")):
        names += ["training_pos", "training_deps"]
    return [name for name in names if len({row.get(name) for row in rows}) > 1]


def packed(counts: np.ndarray) -> str:
    """What ``sentence_counts`` gives, as a short string: as numbers, five seeds of EWT would be
    megabytes of JSON."""
    return base64.b64encode(zlib.compress(counts.astype("<i4").tobytes())).decode("ascii")


def _unpacked(text: str) -> np.ndarray:
    import numpy as np

    from wordorder_lab.metrics.pooled import COLUMNS

    flat = np.frombuffer(zlib.decompress(base64.b64decode(text)), dtype="<i4")
    return flat.reshape(-1, COLUMNS).astype(np.int64)
