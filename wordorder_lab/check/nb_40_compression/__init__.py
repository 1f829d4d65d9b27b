"""The exercises of notebook 40, and what it looks at."""

from wordorder_lab.check.common.small_transducer import (
    BY_HAND,
    FAST_CAR,
    FIGURE_1,
    FIGURE_3,
    READ,
    by_hand,
    derivation_count,
    derivations,
    figure_1_by_hand,
    problem_of,
)
from wordorder_lab.check.nb_40_compression.counted_derivations import ONE_MORE, STORM
from wordorder_lab.check.nb_40_compression.grid_order import grid_asked
from wordorder_lab.check.nb_40_compression.measured import (
    by_beam,
    held_against_floors,
    louder_ngrams,
)
from wordorder_lab.check.nb_40_compression.own_rule import OTHERS, PASSIVES
from wordorder_lab.check.nb_40_compression.seen_rules import (
    belonging,
    kinds_of_rules,
    minimal_rules,
    new_by_depth,
    rewriting,
)
from wordorder_lab.check.nb_40_compression.small_chart import chart_rows, grid_of, with_memory

__all__ = [
    "BY_HAND",
    "FAST_CAR",
    "FIGURE_1",
    "FIGURE_3",
    "ONE_MORE",
    "OTHERS",
    "PASSIVES",
    "READ",
    "STORM",
    "belonging",
    "by_beam",
    "by_hand",
    "chart_rows",
    "derivation_count",
    "derivations",
    "figure_1_by_hand",
    "grid_asked",
    "grid_of",
    "held_against_floors",
    "kinds_of_rules",
    "louder_ngrams",
    "minimal_rules",
    "new_by_depth",
    "problem_of",
    "rewriting",
    "with_memory",
]
