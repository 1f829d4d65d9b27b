"""The exercises of notebooks 20, 21 and 32, and what they look at."""

from wordorder_lab.check.nb_20_21_32_transition.legality import differences
from wordorder_lab.check.nb_20_21_32_transition.spans_by_epoch import spans_by_epoch
from wordorder_lab.check.nb_20_21_32_transition.spans_seen import (
    KINDS,
    LOOKS,
    distribution,
    figure_9,
    recorded,
    table_4,
    tally,
)
from wordorder_lab.check.nb_20_21_32_transition.state_tables import (
    look,
    reached,
    stack_of,
    states_on_the_way,
    stuck,
    wrong,
)

__all__ = [
    "KINDS",
    "LOOKS",
    "differences",
    "distribution",
    "figure_9",
    "look",
    "reached",
    "recorded",
    "spans_by_epoch",
    "stack_of",
    "states_on_the_way",
    "stuck",
    "table_4",
    "tally",
    "wrong",
]
