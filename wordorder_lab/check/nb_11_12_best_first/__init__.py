"""The exercises of notebooks 11 and 12, and what they look at."""

from wordorder_lab.check.nb_11_12_best_first.costly_features import lessons
from wordorder_lab.check.nb_11_12_best_first.edge_sums import edges_made, sums
from wordorder_lab.check.nb_11_12_best_first.learned_by_hand import (
    logs_by_rule,
    updates_told,
    weights_of,
)
from wordorder_lab.check.nb_11_12_best_first.no_weights import without_weights
from wordorder_lab.check.nb_11_12_best_first.pop_table import pop_by_pop
from wordorder_lab.check.nb_11_12_best_first.small_search import (
    BY_HAND,
    CHOSEN,
    drawn,
    ibm_bought_lotus,
    learner_by_hand,
    search_by_hand,
)
from wordorder_lab.check.nb_11_12_best_first.view_questions import pops_asked, searches

__all__ = [
    "BY_HAND",
    "CHOSEN",
    "drawn",
    "edges_made",
    "ibm_bought_lotus",
    "learner_by_hand",
    "lessons",
    "logs_by_rule",
    "pop_by_pop",
    "pops_asked",
    "search_by_hand",
    "searches",
    "sums",
    "updates_told",
    "weights_of",
    "without_weights",
]
