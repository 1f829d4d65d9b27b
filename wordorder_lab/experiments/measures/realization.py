"""The measure "realization": sentences made of trees of lemmas, scored as the shared tasks do.

Zhang & Clark (2015, section 5.7, Table 10) score on the NLG 2011 shared task; here it is the tasks
of 2018 and 2020. A run learns from trees and realises one split of a corpus, a tree at a time, the
clock running. Its row has the scores of ``metrics/realization``, how many forms a lemma had and how
often the right one was among them (``systems/inflector``), and milliseconds a tree, mean and
median. Runs that follow one another and learn alike share a model, so that one training is scored
on several corpora.

Every row keeps what each sentence adds to BLEU, DIST, exact match and inflection accuracy, so that
two rows are compared by drawing sentences (``metrics/paired_tests``). Causes of faults and scores
by length stand beside the rows, each with the place of its row.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

import numpy as np

from wordorder_lab.experiments.measures.measure import (
    TIMES,
    Cut,
    Draw,
    Measure,
    Record,
    Row,
    Specification,
    Work,
)
from wordorder_lab.experiments.measures.realization_report import (
    causes_drawn,
    lengths_drawn,
    realization_lines,
    short_name,
)
from wordorder_lab.experiments.runs.evaluate import DIGITS
from wordorder_lab.experiments.runs.map_in_order import map_in_order
from wordorder_lab.experiments.runs.realization_evaluate import (
    RealizationEvaluation,
    evaluate_realizer,
    gold_of,
)
from wordorder_lab.experiments.runs.realizer_run import (
    FROM,
    Learned,
    as_learned,
    learn,
    learned_on,
    learned_split,
    lemma_corpus,
)
from wordorder_lab.experiments.runs.training import (
    FLOORS,
    NEEDED,
    SpecificationError,
    for_search,
    listed,
)
from wordorder_lab.metrics.realization import SentenceParts
from wordorder_lab.metrics.significance import SENTENCE_SCORES, packed
from wordorder_lab.systems.inflector import score
from wordorder_lab.systems.names import REALIZERS

BESIDE = ("parts", "by_length")
"""What of the scores is no column."""
NOT_A_CLOCK = ("ms_median",)
OF_FLOORS = (*NEEDED, *FROM, "seed", "english")
"""The settings of a run that a floor has."""


@dataclass(frozen=True)
class Realization(Measure):
    """A row for each run."""

    has_papers: ClassVar[bool] = True

    def check(self, specification: Specification) -> None:
        """Every system makes sentences of trees of lemmas."""
        known = (*REALIZERS, *FLOORS)
        for run in specification.runs:
            if run["system"] not in known:
                raise SpecificationError(
                    f"{run['system']} cannot be measured by {self.name!r}; take {listed(known)}"
                )

    def run(self, specification: Specification, record: Row, work: Work) -> None:
        """Runs that learn alike are done together, whatever the number of jobs."""
        todo = specification.runs[len(record["runs"]) :]
        groups: list[list[Mapping[str, Any]]] = []
        for run in todo:
            if groups and as_learned(groups[-1][0]) == as_learned(run):
                groups[-1].append(run)
            else:
                groups.append([run])
        for rows in map_in_order(partial(rows_of, work.cut), groups, work.jobs, "runs"):
            for row in rows:
                if work.jobs > 1:
                    row = {k: v for k, v in row.items() if k not in (*TIMES, *NOT_A_CLOCK)}
                record["runs"].append(1)
                record["rows"].append(row)
                work.show(_said(row))
            work.keep()

    def finish(self, record: Row) -> None:
        """Keep lengths, causes and pairs apart: each says the place of its row."""
        for name in ("lengths", "causes", "pairs"):
            every = [(place, row.pop(name)) for place, row in enumerate(record["rows"])]
            record[name] = [{"row": place, **one} for place, some in every for one in some]

    def text(self, record: Record) -> str:
        """A line for each row, the paper's and the shared tasks' values, causes and lengths."""
        return "\n".join(realization_lines(record))

    def figures(self) -> dict[str, Draw]:
        """What each cause costs, and BLEU by length."""
        mine: dict[str, Draw] = {"causes": causes_drawn, "by-length": lengths_drawn}
        return {**super().figures(), **mine}


MEASURES = (Realization("realization"),)


def rows_of(cut: Cut, runs: Sequence[Mapping[str, Any]]) -> list[Row]:
    """The rows of runs that share a model. Raises ``CorpusError`` where there are no trees."""
    first = runs[0]
    learned = learn(first, cut(lemma_corpus(learned_on(first)).split(learned_split(first))))
    return [_row(cut, run, learned) for run in runs]


def _row(cut: Cut, run: Mapping[str, Any], learned: Learned) -> Row:
    every = cut(lemma_corpus(run["corpus"]).split(run["split"]))
    trees = [tree for tree in every if tree.reference]
    gold = gold_of(trees, learned.inflector)
    is_floor = run["system"] in FLOORS
    how = {} if is_floor else {"engine": run.get("engine"), **for_search(run)}
    done = evaluate_realizer(learned.model, trees, gold, **how)
    told = {k: v for k, v in run.items() if k in OF_FLOORS} if is_floor else dict(run)
    row = {
        **told,
        "learned_on": learned_on(run),
        "trees": learned.trees,
        "training_seconds": round(learned.seconds, 2),
        "without_reference": len(every) - len(trees),
        **scores_row(done),
        "ms_per_sentence": round(done.mean_ms, DIGITS),
        "ms_median": round(done.median_ms, DIGITS),
    }
    if known := [one for one in gold if one is not None]:
        of_forms = score(learned.inflector, known)
        row |= {"forms": round(of_forms.forms, DIGITS), "among": round(of_forms.among, DIGITS)}
    return row


def scores_row(done: RealizationEvaluation) -> Row:
    """The scores of some sentences as a row, with what stands beside it until the record is
    finished: lengths, causes, pairs, and what each sentence adds."""
    scores = done.scores.to_dict()
    row = {name: _rounded(value) for name, value in scores.items() if name not in BESIDE}
    row["lengths"] = [_all_rounded(one) for one in scores["by_length"]]
    errors = None if done.errors is None else done.errors.to_dict()
    row["causes"] = [_all_rounded(one) for one in errors["causes"]] if errors else []
    pairs = errors["pairs"] if errors else []
    row["pairs"] = [{"first": one, "second": two, "number": n} for one, two, n in pairs]
    if errors:
        row["bleu_lc_known"] = _rounded(errors["bleu_lc"])
    row[SENTENCE_SCORES] = sentence_scores(done.scores.parts)
    return row


def sentence_scores(parts: SentenceParts) -> dict[str, list[Mapping[str, Any]]]:
    """What each sentence adds, in the forms of ``metrics/significance``."""
    kept: dict[str, list[Mapping[str, Any]]] = {}
    for name, counts in parts.counts.items():
        kept[f"bleu_{name}"] = [{"counts": packed(counts)}]
    for name, both in parts.ratios().items():
        kept[name] = [{"parts": packed(np.array(both).T)}]
    return kept


def _all_rounded(row: Mapping[str, Any]) -> Row:
    return {name: _rounded(value) for name, value in row.items()}


def _rounded(value: Any) -> Any:
    return round(value, DIGITS) if isinstance(value, float) else value


def _said(row: Record) -> str:
    found = f"BLEU {row['bleu_lc']:.2f}, DIST {row['distance']:.2f}"
    return f"{row['corpus']} {row['split']}, {short_name(row)}: {found}"
