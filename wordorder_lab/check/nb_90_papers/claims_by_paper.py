"""All claims with their verdicts, put under the paper that makes them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from wordorder_lab.experiments.measures.claims import Verdict
from wordorder_lab.experiments.verdicts import NO_PAPER, all_verdicts, paper_of

Papers = Mapping[str, Mapping[str, Sequence[Verdict]]]
"""Paper -> its experiments, by name -> the verdicts on the claims of each."""
MAIN = (
    "Zhang & Clark (2011)",
    "Zhang & Clark (2015)",
    "Liu, Zhang, Che & Qin (2015)",
    "Cohn & Lapata (2009)",
)
"""The four papers of this laboratory; any others come after them."""


def judged_papers() -> Papers:
    """Every paper with its experiments and verdicts; the four first, then the others by name.

    Raises ``RecordError`` for a damaged record. It takes some seconds: each difference is tested
    anew.
    """
    found: dict[str, dict[str, Sequence[Verdict]]] = {name: {} for name in MAIN}
    for name, verdicts in sorted(all_verdicts().items()):
        found.setdefault(paper_of(name), {})[name] = verdicts
    others = sorted(found.keys() - {*MAIN, NO_PAPER})
    last = [NO_PAPER] if NO_PAPER in found else []
    return {paper: found[paper] for paper in (*MAIN, *others, *last)}
