"""Where public names come from: the papers that docstrings may name, and the names of no paper."""

from __future__ import annotations

import re

PAPERS: dict[str, str] = {
    "Liu et al. 2015": "Yijia Liu, Yue Zhang, Wanxiang Che and Bing Qin (2015). "
    "*Transition-Based Syntactic Linearization.*",
    "Zhang & Clark 2011": "Yue Zhang and Stephen Clark (2011). "
    "*Syntax-Based Grammaticality Improvement using CCG and Guided Search.*",
    "Zhang & Clark 2015": "Yue Zhang and Stephen Clark (2015). "
    "*Discriminative Syntax-Based Word Ordering for Text Generation.*",
    "Cohn & Lapata 2009": "Trevor Cohn and Mirella Lapata (2009). "
    "*Sentence Compression as Tree Transduction.*",
    "Steedman 2000": "Mark Steedman (2000). *The Syntactic Process.*",
}
"""How a docstring names a paper, and what it is."""

PLACE = r"(?:sections?|chapters?|Tables?|Figures?|Algorithms?|equations?) [A-Z\d]"
"""Where in the paper: a name alone says too little."""

_LOG = "what a search tells, and how it is kept and shown, is ours"
_DATA = "how files, sentences and results are held is ours"
_OWN = "the door for systems, measures and views of one's own is ours"
_RECORDS = "what became of the claims of all the papers, from our records"

OF_NO_PAPER: dict[str, str] = {
    **dict.fromkeys(("EventLog", "Trace", "play", "to_html", "lecture", "ordering_form"), _LOG),
    **dict.fromkeys(("SearchAgain", "explore", "race", "sweep", "errors"), _LOG),
    **dict.fromkeys(
        ("Sentence", "Token", "Result", "load_model", "parse_tree", "parse_auto"), _DATA
    ),
    **dict.fromkeys(("load_compressions", "load_treebank", "load_lemma_trees"), _DATA),
    **dict.fromkeys(("System", "OwnModel", "TrainedModel", "Found", "Measure", "View"), _OWN),
    **dict.fromkeys(("claims_table", "paper_table", "paper_figure"), _RECORDS),
    "train": "the page of a system says which paper it is from",
    "random_order": "a floor of ours, below every system",
    "compressions_side_by_side": "a table of ours, for whatever compresses",
    "compress": "words are left out as by McDonald (2006), a paper that was not at hand, as "
    "`wordorder_lab/systems/mcdonald_2006.py` says",
    "constraint_board": "a board of ours; the constraints are Clarke & Lapata's (2008), a paper "
    "that was not at hand, as `wordorder_lab/deletion/constraints.py` says",
}
"""Public names that no paper has, and why."""


def papers_named(docstring: str) -> list[str]:
    """The papers that a docstring names with a place in them, in the order of ``PAPERS``."""
    text = " ".join(docstring.split())
    return [paper for paper in PAPERS if re.search(_mention(paper), text)]


def _mention(paper: str) -> str:
    """``Zhang & Clark 2011, section 3`` or ``Zhang and Clark (2011, section 3)``, as a pattern."""
    authors, _, year = paper.rpartition(" ")
    named = re.escape(authors).replace(r"\&", "(?:&|and)")
    return rf"{named},? \(?{year}\)?[^.;]{{0,30}}?\b{PLACE}"
