"""What each family of constraints changes, over several sentences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from wordorder_lab.deletion.constraints import NAMES
from wordorder_lab.structures.compression import CompressionPair

NONE, ALL = "none", "all"


def changed_by_family(model: Any, pairs: Sequence[CompressionPair]) -> list[dict[str, Any]]:
    """For each family, alone: sentences it has rows for, those whose best output it changes.

    The last row has all families together, and the mean number of words more (or fewer).
    """
    problems = [model.problem(pair.source) for pair in pairs]
    plain = [model.search(problem, constraints=NONE)[0].kept for problem in problems]
    rows = []
    for name in (*NAMES, ALL):
        families = ALL if name == ALL else (name,)
        asked = [name == ALL or any(row.name == name for row in one.rows) for one in problems]
        bound = [
            model.search(problem, constraints=families)[0].kept if is_asked else kept
            for problem, kept, is_asked in zip(problems, plain, asked)
        ]
        more = sum(len(new) - len(old) for new, old in zip(bound, plain))
        rows.append(
            {
                "family": name,
                "sentences with such rows": sum(asked),
                "outputs changed": sum(new != old for new, old in zip(bound, plain)),
                "words more, in all": more,
            }
        )
    return rows


def telling_sentence(model: Any, pairs: Sequence[CompressionPair]) -> CompressionPair:
    """The pair whose output most families change, alone; the first of several."""

    def changes(pair: CompressionPair) -> int:
        problem = model.problem(pair.source)
        plain = model.search(problem, constraints=NONE)[0].kept
        names = dict.fromkeys(row.name for row in problem.rows)
        return sum(model.search(problem, constraints=(n,))[0].kept != plain for n in names)

    return max(pairs, key=changes)
