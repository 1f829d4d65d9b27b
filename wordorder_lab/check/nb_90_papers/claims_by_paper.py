"""All claims with their verdicts, put under the paper that makes them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from wordorder_lab.experiments.claims import Verdict
from wordorder_lab.experiments.specification import load_specification
from wordorder_lab.experiments.verdicts import all_verdicts

Papers = Mapping[str, Mapping[str, Sequence[Verdict]]]
"""Paper -> its experiments, by name -> the verdicts on the claims of each."""
NO_PAPER = "no paper's: questions of ours"
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


def paper_of(experiment: str) -> str:
    """Authors and year as the specification names them; ``NO_PAPER`` where it names none."""
    reference = str(load_specification(experiment).paper.get("reference", ""))
    year = re.match(r"[^()]*\(\d{4}\)", reference)
    return year.group() if year else NO_PAPER
