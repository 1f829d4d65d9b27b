"""What notebooks show: rows as a table, curves, pictures of searches, all in one manner."""

from wordorder_lab.experiments.measures.figures import GREY
from wordorder_lab.plots.cutting_planes import Constraint, Stage, cutting_planes
from wordorder_lab.plots.lines import BLACK, BLUE, GREEN, ORANGE, RED, Panel, lines, panels
from wordorder_lab.plots.searches import (
    bars,
    counts_by_name,
    dots,
    gold_behind,
    gold_ranks,
    length_multiples,
    margins,
    parts_of_all,
)
from wordorder_lab.plots.small_trees import aligned_words, rules, trees
from wordorder_lab.plots.step_by_step import step_by_step
from wordorder_lab.plots.tables import table
from wordorder_lab.plots.verdict_marks import Difference, Mark, differences, verdict_marks

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
