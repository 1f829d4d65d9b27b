"""Names of systems by task, as some rooms still ask for them; ``registry`` has the rows."""

from __future__ import annotations

from wordorder_lab.systems.registry import ROWS, names_of

COMPRESSORS, TAGGERS, PARSERS, REALIZERS = map(names_of, ("compress", "tag", "parse", "realize"))
ORDERED_BY = {
    "liu-2015-realization": "liu-2015",
    "zhang-clark-2015-realization": "zhang-clark-2015-dependency",
}
"""Name -> the system that orders the words for it."""
FILES = {name: (file,) for name, (_, file) in ROWS.items()}
TRAINING: dict[str, str] = {}
OURS = frozenset(ROWS)
WITHOUT_KERNELS = {"wan-2009-cle", "wan-2009-ab", "bohnet-2011", "guo-2011"}
DELETERS = ("mcdonald-2006", "clarke-lapata-2008-ilp", "clarke-lapata-2008-lm")
MORE = (
    {"cohn-lapata-2009": ("ngrams", "in_order")}
    | dict.fromkeys(("liu-2015", "zhang-clark-2015-dependency", "zhang-2013"), ("lm", "lm_text"))
    | dict.fromkeys(names_of("order")[3:6], ("lm", "lm_text", "tagger"))
)
