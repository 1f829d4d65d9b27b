"""The exercises of notebook 10, and what it looks at."""

from wordorder_lab.check.nb_10_ccg.ccg_by_hand import BOUGHT, BRIDGE, search_by_hand
from wordorder_lab.check.nb_10_ccg.ccg_joins import pairs_asked
from wordorder_lab.check.nb_10_ccg.edge_tables import SIGN_NAMES, sums
from wordorder_lab.check.nb_10_ccg.own_signature import signature_2015
from wordorder_lab.check.nb_10_ccg.pruned_edges import ASKED, CHOSEN, searches
from wordorder_lab.check.nb_11_12_best_first.pop_table import pop_by_pop

__all__ = [
    "ASKED",
    "BOUGHT",
    "BRIDGE",
    "CHOSEN",
    "SIGN_NAMES",
    "pairs_asked",
    "pop_by_pop",
    "search_by_hand",
    "searches",
    "signature_2015",
    "sums",
]
