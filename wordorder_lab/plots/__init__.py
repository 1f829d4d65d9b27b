"""What notebooks show: rows as a table, curves, pictures of searches, all in one manner."""

from wordorder_lab.plots.aligned_words import aligned_words
from wordorder_lab.plots.colours import BLACK, BLUE, GREEN, GREY, ORANGE, RED
from wordorder_lab.plots.cutting_planes import Constraint, Stage, cutting_planes
from wordorder_lab.plots.differences import Difference, differences
from wordorder_lab.plots.lines import Panel, lines, panels
from wordorder_lab.plots.multiples import length_multiples
from wordorder_lab.plots.searches import (
    bars,
    counts_by_name,
    dots,
    gold_behind,
    gold_ranks,
    margins,
    parts_of_all,
)
from wordorder_lab.plots.small_trees import rules, trees
from wordorder_lab.plots.step_by_step import step_by_step
from wordorder_lab.plots.tables import table
from wordorder_lab.plots.verdict_marks import Mark, verdict_marks

__all__ = [
    "BLACK",
    "BLUE",
    "GREEN",
    "GREY",
    "ORANGE",
    "RED",
    "Constraint",
    "Difference",
    "Mark",
    "Panel",
    "Stage",
    "aligned_words",
    "bars",
    "counts_by_name",
    "cutting_planes",
    "differences",
    "dots",
    "gold_behind",
    "gold_ranks",
    "length_multiples",
    "lines",
    "margins",
    "panels",
    "parts_of_all",
    "rules",
    "step_by_step",
    "table",
    "trees",
    "verdict_marks",
]
