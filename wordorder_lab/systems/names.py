"""The names of the systems, what each is, and where its file is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from wordorder_lab.runtime.entry_points import SYSTEMS as GROUP
from wordorder_lab.runtime.entry_points import brought, entry_point, package_of

ORDERING = {
    "liu-2015": "Transition-based linearization with a beam (Liu et al. 2015)",
    "zhang-clark-2015-dependency": "Best-first search for dependency trees (Zhang & Clark 2015)",
    "zhang-2013": "The same with wrong edges not expanded in learning (Zhang 2013)",
    "zhang-clark-2011": "Best-first search for CCG derivations (Zhang & Clark 2011)",
    "zhang-blackwood-clark-2012": "The same with large-margin updates (Zhang et al. 2012)",
    "zhang-clark-2015-ccg": "The same with scaled scores and one beam (Zhang & Clark 2015)",
    "ngram-beam": "An n-gram model alone, with a beam or exactly (Schmaltz et al. 2016)",
    "wan-2009-cle": "A spanning tree, put in order by n-grams (after Wan et al. 2009)",
    "wan-2009-ab": "The same with dependents assigned to argument positions (after Wan et al.)",
}
"""Name -> what it is, of those that order words."""

COMPRESSORS = {
    "cohn-lapata-2009": "Sentence compression as tree transduction (Cohn & Lapata 2009)",
    "mcdonald-2006": "Sentence compression by deletion, bigram by bigram (McDonald 2006)",
    "clarke-lapata-2008-ilp": "The same with constraints, as an integer programme (Clarke & "
    "Lapata 2008)",
    "clarke-lapata-2008-lm": "A language model and what is significant, with the same constraints",
}
"""The same of those that make sentences shorter: they learn from pairs of trees."""

DELETERS = ("mcdonald-2006", "clarke-lapata-2008-ilp", "clarke-lapata-2008-lm")
"""Of these, those that take words out and do nothing else; they learn epoch by epoch."""

TAGGERS = {
    "supertagger": "Lexical categories for words in their true order (Clark & Curran 2007)",
}
"""The same of those that give words categories: they learn from sentences that have them."""

PARSERS = {
    "parser": "A treebank grammar and CKY with a beam (after Klein & Manning 2003)",
}
"""The same of those that give sentences trees: they learn from trees."""

REALIZERS = {
    "liu-2015-realization": "Trees of lemmas become sentences by transitions (after Zhang & Clark)",
    "zhang-clark-2015-realization": "The same by best-first search (Zhang & Clark 2015, 5.7)",
    "bohnet-2011": "The same head by head, a beam over siblings (after Bohnet et al. 2010, 2011)",
    "guo-2011": "The same with n-grams of labels, tags and lemmas (after Guo et al. 2011)",
}
"""The same of those that make sentences of trees of lemmas: they learn from such trees."""

ORDERED_BY = {
    "liu-2015-realization": "liu-2015",
    "zhang-clark-2015-realization": "zhang-clark-2015-dependency",
}
"""Name -> the system that orders the words for it, whose kernels it has."""

FILES = {
    "liu-2015": ("liu_2015", "LinearizationModel"),
    "zhang-clark-2015-dependency": ("zhang_clark_2015_dependency", "DependencyModel"),
    "zhang-2013": ("zhang_clark_2015_dependency", "DependencyModel"),
    "zhang-clark-2011": ("zhang_clark_ccg", "CCGModel"),
    "zhang-blackwood-clark-2012": ("zhang_clark_ccg", "CCGModel"),
    "zhang-clark-2015-ccg": ("zhang_clark_ccg", "CCGModel"),
    "ngram-beam": ("ngram_beam", "NGramOrderer"),
    "wan-2009-cle": ("wan_2009", "AssignmentModel"),
    "wan-2009-ab": ("wan_2009", "AssignmentModel"),
    "cohn-lapata-2009": ("cohn_lapata_2009", "CompressionModel"),
    "mcdonald-2006": ("mcdonald_2006", "DeletionModel"),
    "clarke-lapata-2008-ilp": ("clarke_lapata_2008", "ProgrammeModel"),
    "clarke-lapata-2008-lm": ("clarke_lapata_2008_lm", "FluencyModel"),
    "supertagger": ("supertagger", "Supertagger"),
    "parser": ("parser", "TreebankParser"),
    "liu-2015-realization": ("liu_2015_realization", "LiuRealizer"),
    "zhang-clark-2015-realization": ("zhang_clark_2015_realization", "BestFirstRealizer"),
    "bohnet-2011": ("bohnet_2011", "DependentsBeamModel"),
    "guo-2011": ("guo_2011", "DependencyNGramModel"),
}
"""Name -> the file of the system, and its model."""

OURS = frozenset(FILES)
"""The names that no other package may take."""


class Systems(Mapping[str, str]):
    """Name -> what it is, of those that order words: ours, then those that other packages bring.

    These (``own_system``) are looked for only where a name is none of ours, or all are asked for.
    Raises ``ValueError`` for a name that two packages bring.
    """

    def __getitem__(self, name: str) -> str:
        if name in ORDERING:
            return ORDERING[name]
        if name in OURS:  # it does something else
            raise KeyError(name)
        return f"brought by the package {package_of(entry_point(GROUP, name, OURS))}"

    def __iter__(self) -> Iterator[str]:
        return iter((*ORDERING, *brought(GROUP, OURS)))

    def __len__(self) -> int:
        return len(ORDERING) + len(brought(GROUP, OURS))


SYSTEMS = Systems()
"""All that order words, by name."""

TRAINING = {
    "cohn-lapata-2009": "cohn_lapata_2009_training",
    "mcdonald-2006": "mcdonald_2006_training",
    "clarke-lapata-2008-ilp": "clarke_lapata_2008_training",
}
"""Name -> the file of its training, where that has one of its own."""

WITHOUT_KERNELS = {"wan-2009-cle", "wan-2009-ab", "bohnet-2011", "guo-2011"}
"""The names of those that have one engine, in which nothing is compiled."""
