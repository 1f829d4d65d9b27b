"""The exercises of notebook 13, and what it looks at."""

from wordorder_lab.check.nb_13_supertagging.beta_and_search import by_beta, measured, recorded
from wordorder_lab.check.nb_13_supertagging.edges_cut import CUT, NAMES
from wordorder_lab.check.nb_13_supertagging.many_categories import (
    STEPS,
    bag_with_chances,
    cut_by_beta,
    histogram,
    of_dictionary,
)
from wordorder_lab.check.nb_13_supertagging.small_ambiguity import CHANCES, edges_shown, searched
from wordorder_lab.check.nb_13_supertagging.steps_shown import (
    EDITOR,
    GAVE,
    conversion_steps,
    derivation_of,
    newspaper_tree,
)
from wordorder_lab.check.nb_13_supertagging.two_word_lattice import lattice

__all__ = [
    "CHANCES",
    "CUT",
    "EDITOR",
    "GAVE",
    "NAMES",
    "STEPS",
    "bag_with_chances",
    "by_beta",
    "conversion_steps",
    "cut_by_beta",
    "derivation_of",
    "edges_shown",
    "histogram",
    "lattice",
    "measured",
    "newspaper_tree",
    "of_dictionary",
    "recorded",
    "searched",
]
