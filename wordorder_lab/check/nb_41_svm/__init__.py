"""The exercises of notebook 41, and what it looks at."""

from wordorder_lab.check.common.small_transducer import FIGURE_1
from wordorder_lab.check.nb_41_svm.loss_arguments import PREDICTED, REFERENCE
from wordorder_lab.check.nb_41_svm.outputs_measured import random_outputs, rate_and_f1
from wordorder_lab.check.nb_41_svm.searches_with_loss import chart_items, decoded, highest_loss
from wordorder_lab.check.nb_41_svm.small_margin import NAMES, three_sentences
from wordorder_lab.check.nb_41_svm.stages import run_by_stages
from wordorder_lab.check.nb_41_svm.trained_apart import trained_apart
from wordorder_lab.metrics.compression import gold_rate

__all__ = [
    "FIGURE_1",
    "NAMES",
    "PREDICTED",
    "REFERENCE",
    "chart_items",
    "decoded",
    "gold_rate",
    "highest_loss",
    "random_outputs",
    "rate_and_f1",
    "run_by_stages",
    "three_sentences",
    "trained_apart",
]
