"""What a best-first search and its learner can be told: frozen settings that check themselves.

Zhang & Clark 2015, sections 3.3 to 3.5: the beam and the shape of the chart, plain or scaled
scores, TIMEOUT, the default output; and which update guided learning makes. The values that a
setting may have stand where they mean something: ``chart``, ``output``, ``updates``.

Differences
- *Our reading*, TIMEOUT: the papers stop a search by the clock. A limit of expansions or of memory
  stops the same search at the same edge on every machine; seconds can be set as well.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from wordorder_lab.best_first.chart import (
    CHARTS,
    SIGNATURE_2015,
    SIGNATURES,
    SINGLE,
    TREE_SIGNATURES,
    check_signature,
)
from wordorder_lab.best_first.output import JOIN_2015, TREE_DEFAULTS
from wordorder_lab.best_first.updates import NEGATIVES, SCALED_SEARCH, UPDATES
from wordorder_lab.structures.messages import cited

EDGE_BYTES = 2048
"""What an edge counts for under a limit of memory, whichever engine makes it. The fast engine was
measured at 1.7 KiB at its peak, when arrays double."""


@dataclass(frozen=True)
class Limits:
    """TIMEOUT: a search ends at the first limit that it reaches; ``None`` is none.

    ``expansions`` counts edges popped off the agenda, goals too. ``memory`` is in MiB; an edge
    counts as ``EDGE_BYTES``, so the same search stops at the same edge everywhere. ``seconds`` by
    the clock is the one limit that depends on the machine. Raises ``ValueError`` below 0.
    """

    expansions: int | None = None
    seconds: float | None = None
    memory: float | None = None

    def __post_init__(self) -> None:
        for name, limit in vars(self).items():
            fits = int if name == "expansions" else (int, float)
            if limit is not None and not (isinstance(limit, fits) and limit >= 0):
                whole = "a whole number from 0 up" if name == "expansions" else "0 or more"
                raise ValueError(f"the limit of {name} is {cited(limit)}: give {whole}, or None")

    @property
    def edges(self) -> int | None:
        """How many edges fill the memory."""
        if self.memory is None or self.memory == math.inf:
            return None
        return int(self.memory * 2**20 // EDGE_BYTES)

    def reached(self, expansions: int, edges: int, seconds: float) -> str | None:
        """The name of the limit that is reached, the first in this order; or ``None``."""
        if self.expansions is not None and expansions >= self.expansions:
            return "expansions"
        if self.edges is not None and edges >= self.edges:
            return "memory"
        if self.seconds is not None and seconds >= self.seconds:
            return "seconds"
        return None


@dataclass(frozen=True)
class SearchSettings:
    """How one bag is searched, in either engine.

    ``beam`` is how many edges the chart keeps (0: all), in all or of each size, as ``chart`` says.
    Scores are divided by the number of actions if ``scaled``. The search ends with its ``k``-th
    goal, or at one of its ``limits`` with a ``default`` output. ``signature`` says which edges are
    one to the chart; to dependency trees one of CCG's is none. ``lm_weight`` is that of a language
    model. Raises ``ValueError`` for a beam below 0, a ``k`` below 1, and a name that there is not.
    """

    beam: int
    chart: str = SINGLE
    scaled: bool = True
    limits: Limits = Limits()
    k: int = 1
    default: str = JOIN_2015
    signature: str = SIGNATURE_2015
    lm_weight: float = 0.0

    def __post_init__(self) -> None:
        check_signature(self.signature, (*SIGNATURES, *TREE_SIGNATURES))
        if self.k < 1 or self.default not in TREE_DEFAULTS:
            raise ValueError(
                f"k is at least 1, the default output one of {', '.join(TREE_DEFAULTS)}"
            )
        if self.chart not in CHARTS or self.beam < 0:
            raise ValueError(f"a chart is one of {', '.join(CHARTS)}, with a beam of 0 or more")


@dataclass(frozen=True)
class GuidedSettings:
    """How guided learning goes about a sentence, in either engine.

    ``update`` says how the weights change, and so whether scores are scaled; ``negatives`` what
    becomes of a popped edge that is not gold; ``expansions`` is the limit a sentence. The others
    are those of ``SearchSettings``. Raises ``ValueError`` for a setting that there is not.
    """

    beam: int
    chart: str
    update: str
    negatives: str
    expansions: int | None = None
    signature: str = SIGNATURE_2015

    def __post_init__(self) -> None:
        for name, value, values in (
            ("update", self.update, UPDATES),
            ("negatives", self.negatives, NEGATIVES),
            ("chart", self.chart, CHARTS),
        ):
            if value not in values:
                raise ValueError(f"the {name} {cited(value)} is none of {', '.join(values)}")
        if self.beam < 0:
            raise ValueError(f"the beam ({self.beam}) is at least 1, or 0 for no bound")
        check_signature(self.signature, (*SIGNATURES, *TREE_SIGNATURES))

    @property
    def search(self) -> SearchSettings:
        """The settings of the search that it guides."""
        return SearchSettings(
            beam=self.beam,
            chart=self.chart,
            scaled=self.update in SCALED_SEARCH,
            limits=Limits(expansions=self.expansions),
            signature=self.signature,
        )
