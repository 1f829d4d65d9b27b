"""The exercises of notebook 30, and what it measures."""

from wordorder_lab.check.nb_30_ngrams.agreement import (
    FILLERS,
    agreement,
    noun_pairs,
    subject_counts,
)
from wordorder_lab.check.nb_30_ngrams.beam_by_hand import HYPOTHESES
from wordorder_lab.check.nb_30_ngrams.far_subjects import FAR
from wordorder_lab.check.nb_30_ngrams.measured import beside, fault_counts, mean_cost

__all__ = [
    "FAR",
    "FILLERS",
    "HYPOTHESES",
    "agreement",
    "beside",
    "fault_counts",
    "mean_cost",
    "noun_pairs",
    "subject_counts",
]
