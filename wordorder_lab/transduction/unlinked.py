"""Why a grammar does not link a pair of trees: the first rule of their own that it lacks.

The minimal rules that are read off a pair always link its two trees (Cohn & Lapata 2009, section
3.2). But rules that are too large are left out (footnote 13), and so are the rarer ones of the
many targets that a source tree may have (section 6.1).

    todo = [the pair of roots]
    for every pair in todo:
        take its minimal rule, of whatever size
        if the grammar does not have it: it is too large, or too rare, and that is why
        append the pairs of nodes that its variables link to todo

Differences
- *Paper silent*: what becomes of such pairs. Training passes over them, and counts them by reason.
"""

from __future__ import annotations

from wordorder_lab.structures.phrase_tree import PhraseNodes
from wordorder_lab.transduction.alignment import WordAlignment, constituent_alignment
from wordorder_lab.transduction.applications import below
from wordorder_lab.transduction.extraction import Extraction, Limits
from wordorder_lab.transduction.grammar import GrammarSettings, SynchronousGrammar

BOUNDLESS = 10**9


def why_unlinked(
    source: PhraseNodes,
    target: PhraseNodes,
    words: WordAlignment,
    grammar: SynchronousGrammar,
    settings: GrammarSettings,
) -> str:
    """In a few words, which rule is missing first, from the roots down.

    ``settings`` are those with which the grammar was extracted. Raises ``ValueError`` as
    ``constituent_alignment``.
    """
    aligned = constituent_alignment(source, target, words)
    everything = Limits(BOUNDLESS, BOUNDLESS)
    extraction = Extraction(source, target, aligned, 0, settings.choice, everything)
    todo = [(source.root, target.root)]
    for v, t in todo:
        rule = next(iter(extraction.rules_at(v, t)))
        here = grammar.rules_for(source.labels[v], below(v, source), not source.children[v])
        if rule.text not in {known.text for known, _ in here.rules}:
            if len(rule.source.variables()) > settings.variables:
                return f"of more than {settings.variables} variables"
            if max(rule.source.size(), rule.target.size()) > settings.nodes:
                return f"of more than {settings.nodes} nodes"
            return "not seen, or among the rarer targets of its source tree"
        todo += extraction.minimal_pairs(v, t)
    return "no such rule alone: all those of the pair are there"
