"""Sentence compression as tree transduction (Cohn & Lapata 2009).

Grammar: a synchronous tree substitution grammar read off pairs of trees (section 3.2). Features:
Table 2 and the log-probability of n-grams (section 4). Decoder: Algorithm 4 with cube pruning.
Learner: the structured SVM with a loss of section 3.6.

Differences: the paper's trigram model is trained on the BNC; here one may be given, and else the
sources and targets of the training pairs are its text.
"""

from __future__ import annotations

from wordorder_lab.systems.compression_model import SYSTEM, CompressionModel
from wordorder_lab.systems.compression_search import SEARCH

__all__ = ["SEARCH", "SYSTEM", "CompressionModel"]
