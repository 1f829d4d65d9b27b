"""What each family of constraints changes, over several sentences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from wordorder_lab.deletion.constraints import NAMES
from wordorder_lab.structures.compression import CompressionPair

NONE, ALL = "none", "all"
LEAST = 11
"""Words of a sentence that tells: shorter ones have hardly any rows."""


def changed_by_family(
    model: Any, pairs: Sequence[CompressionPair], **search: Any
) -> list[dict[str, Any]]:
    """For each family, alone, and for all together: what it asks of the outputs, and changes.

    ``search`` are other settings of ``compress``. A row has the sentences for which the family has
    rows, the rows that the choice without constraints breaks, the sentences whose output is another
    one under the family, and by how many words these are longer, in all.
    """
    problems = [model.problem(pair.source) for pair in pairs]
    plain = [_kept(model, problem, NONE, search) for problem in problems]
    told = []
    for name in (*NAMES, ALL):
        asked = [[row for row in one.rows if name in (row.name, ALL)] for one in problems]
        bound = [
            _kept(model, problem, ALL if name == ALL else (name,), search) if rows else kept
            for problem, kept, rows in zip(problems, plain, asked)
        ]
        broken = [row for rows, kept in zip(asked, plain) for row in rows if not row.holds(kept)]
        told.append(
            {
                "family": name,
                "sentences with such rows": sum(map(bool, asked)),
                "rows broken without": len(broken),
                "outputs changed": sum(new != old for new, old in zip(bound, plain)),
                "words more, in all": sum(len(new) - len(old) for new, old in zip(bound, plain)),
            }
        )
    return told


def telling_sentence(
    model: Any, pairs: Sequence[CompressionPair], **search: Any
) -> CompressionPair:
    """The pair whose output most families change, each alone; the first of several.

    It has ``LEAST`` words and loses some at its own length, if there is such a one.
    """

    def tells(pair: CompressionPair) -> bool:
        words = len(pair.source.leaves())
        return words >= LEAST and len(_kept(model, model.problem(pair.source), NONE, {})) < words

    def changes(pair: CompressionPair) -> int:
        problem = model.problem(pair.source)
        plain = _kept(model, problem, NONE, search)
        names = dict.fromkeys(row.name for row in problem.rows)
        return sum(_kept(model, problem, (name,), search) != plain for name in names)

    return max([pair for pair in pairs if tells(pair)] or pairs, key=changes)


def _kept(model: Any, problem: Any, families: Any, search: dict[str, Any]) -> tuple[int, ...]:
    kept: tuple[int, ...] = model.search(problem, constraints=families, **search)[0].kept
    return kept
