"""Training ``clarke-lapata-2008-ilp``: that of ``mcdonald-2006``; constraints are not learned with.

As in Cohn & Lapata (2009, section 5), it is McDonald's model with another search.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from wordorder_lab.structures.compression import CompressionPair
from wordorder_lab.systems import mcdonald_2006_training
from wordorder_lab.systems.clarke_lapata_2008 import ProgrammeModel
from wordorder_lab.systems.mcdonald_2006 import DeletionModel
from wordorder_lab.systems.mcdonald_2006_training import Settings

__all__ = ["Settings", "train"]


def train(pairs: Sequence[CompressionPair], **how: Any) -> DeletionModel:
    """Learn which words to delete; all else as ``mcdonald_2006_training.train``."""
    return mcdonald_2006_training.train(pairs, kind=ProgrammeModel, **how)
