"""Which edges DPCHARTPRUNE takes for one: the names of the signatures of CCG edges.

Zhang & Clark 2011, section 3.1, and 2015, section 3.2; ``decoders/best_first_ccg`` says what each
looks at.
"""

from __future__ import annotations

SIGNATURES = SIGNATURE_2011, SIGNATURE_2015, NO_SIGNATURE = ("2011", "2015", "none")


def check_signature(name: str) -> None:
    """Raise ``ValueError`` for a signature that there is not."""
    if name not in SIGNATURES:
        raise ValueError(f"no signature {name!r}; there are {', '.join(SIGNATURES)}")
