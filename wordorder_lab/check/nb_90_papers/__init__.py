"""What notebook 90 shows of the papers' claims, and its exercises."""

from wordorder_lab.check.nb_90_papers.claims_by_paper import Papers, judged_papers
from wordorder_lab.check.nb_90_papers.differences_beside import difference_panels, size_rows
from wordorder_lab.check.nb_90_papers.reasons import (
    NOT_TESTED,
    REASONS,
    Reason,
    failure_rows,
    reason_rows,
)
from wordorder_lab.check.nb_90_papers.tables_and_figures import (
    overview,
    shown,
    tables_of,
    values_beside,
)

__all__ = [
    "NOT_TESTED",
    "REASONS",
    "Papers",
    "Reason",
    "difference_panels",
    "failure_rows",
    "judged_papers",
    "overview",
    "reason_rows",
    "shown",
    "size_rows",
    "tables_of",
    "values_beside",
]
