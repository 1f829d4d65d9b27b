"""Clauses and what verbs take, construction by construct, in both layers.

A verb phrase is built from its verb outwards: complements first, then adjuncts, then auxiliaries.
The feature of its category says its form, as in CCGbank: dcl (finite), b (bare), pt (past
participle), pss (passive), ng (-ing), to, adj, em (with "that").
"""

from __future__ import annotations

from collections.abc import Sequence

from gazette_generator.noun_phrases import comma
from gazette_generator.phrase import Phrase, Word, conjoined, join, lift, nest, phrase
from gazette_generator.words import ADJUNCT


def verb_phrase(verb: Word, *complements: Phrase) -> Phrase:
    """A verb and its complements, which keep their order: ``sold the plant to the bank``."""
    return phrase("VP", [verb, *complements], join(verb, *complements))


def with_adjunct(vp: Phrase, adjunct: Phrase, sign: Word | None = None) -> Phrase:
    """The same verb phrase with more behind it, flat in the Penn tree; ``sign`` is a comma."""
    signs = [] if sign is None else [sign]
    ccg = join(vp, nest(*signs, adjunct))
    return phrase("VP", [*vp.tree.children, *signs, adjunct], ccg, like=vp)


def auxiliary(word: Word, vp: Phrase) -> Phrase:
    """``will`` + verb phrase, ``has`` + verb phrase, ``was`` + verb phrase."""
    return phrase("VP", [word, vp], join(word, vp))


def before_verb(adverb: Phrase, vp: Phrase) -> Phrase:
    """``already`` + verb phrase."""
    return phrase("VP", [adverb, *vp.tree.children], join(adverb, vp), like=vp)


def infinitive(to: Word, vp: Phrase) -> Phrase:
    """``to`` + bare verb phrase, an S in the Penn tree."""
    ccg = join(to, vp)
    inner = phrase("VP", [to, vp], ccg)
    return phrase("S", [inner], ccg)


def clause(subject: Phrase, vp: Phrase, label: str = "S") -> Phrase:
    """Subject and verb phrase, without the full stop."""
    return phrase(label, [subject.labelled("NP-SBJ"), vp], join(subject, vp))


def fronted(first: Phrase, sentence: Phrase, sign: Word | None) -> Phrase:
    """An adverbial before the subject: ``In May , the bank closed``; ``sign`` is the comma."""
    signs = [] if sign is None else [sign]
    return phrase(
        "S", [first, *signs, *sentence.tree.children], nest(join(first, *signs), sentence)
    )


def complementized(complementizer: Word, sentence: Phrase, label: str = "SBAR") -> Phrase:
    """``that`` + sentence; also ``although``, ``because`` + sentence."""
    return phrase(label, [complementizer, sentence], join(complementizer, sentence))


def without_complementizer(sentence: Phrase) -> Phrase:
    """A sentence as the complement of ``said``: an SBAR that holds the S alone."""
    return phrase("SBAR", [sentence], sentence.ccg)


def subject_relative(pronoun: Word, vp: Phrase) -> Phrase:
    """``who left the party``."""
    inner = phrase("S", [vp], vp.ccg)
    return phrase("SBAR", [phrase("WHNP", [pronoun], join(pronoun)), inner], join(pronoun, vp))


def object_relative(pronoun: Word, subject: Phrase, verbs: Sequence[Word]) -> Phrase:
    """``that the storm had damaged``: the subject is raised and composed with the verbs."""
    raised = lift(subject, "S/(S\\NP)")
    gapped = join(raised, nest(*verbs))
    tree = phrase("VP", [verbs[-1]], join(verbs[-1]))
    for auxiliary_word in reversed(verbs[:-1]):
        tree = phrase("VP", [auxiliary_word, tree], gapped)
    inner = phrase("S", [subject.labelled("NP-SBJ"), tree], gapped)
    wh = phrase("WHNP", [pronoun], join(pronoun))
    return phrase("SBAR", [wh, inner], join(pronoun, gapped))


def modified(head: Phrase, modifier: Phrase, commas: bool = False) -> Phrase:
    """A noun phrase with a relative clause or a participle behind it, between commas or not."""
    if not commas:
        return phrase("NP", [head, modifier], join(head, modifier), like=head)
    first, last = comma(), comma()
    ccg = join(head, nest(first, modifier))
    return phrase("NP", [head, first, modifier, last], join(ccg, last), like=head)


def reduced_relative(vp: Phrase) -> Phrase:
    """``built in 1964``, ``demanding higher pay``: a verb phrase that modifies a noun."""
    return phrase("VP", [*vp.tree.children], lift(vp, "NP\\NP"))


def participial(vp: Phrase) -> Phrase:
    """``citing weak demand``: a verb phrase as an adjunct; it wants a comma in front."""
    return phrase("S-ADV", [vp], lift(vp, ADJUNCT))


def coordinated_verbs(first: Phrase, conjunction: Word, second: Phrase) -> Phrase:
    """``closed the plant and sold the land``."""
    ccg = join(first, conjoined(conjunction, second))
    return phrase("VP", [first, conjunction, second], ccg, like=first)


def coordinated_clauses(first: Phrase, conjunction: Word, second: Phrase) -> Phrase:
    """``S , but S``."""
    sign = comma()
    ccg = join(join(first, sign), conjoined(conjunction, second))
    return phrase("S", [first, sign, conjunction, second], ccg)


def reported(said: Phrase, speaker: Phrase, verb: Word, quotes: tuple[Word, Word] | None) -> Phrase:
    """``S , NP said`` or ```` S , '' NP said``; the verb's category decides the order.

    ``S , said NP`` is an SINV, as in the Penn Treebank.
    """
    sign = comma()
    topic = said.labelled("S-TPC")
    inverted = verb.category.endswith("/NP")
    verb_node = phrase("VP", [verb], join(verb))
    teller = join(verb, speaker) if inverted else join(speaker, verb)
    subject = speaker.labelled("NP-SBJ")
    rest = [verb_node, subject] if inverted else [subject, verb_node]
    label = "SINV" if inverted else "S"
    if quotes is None:
        return phrase(label, [topic, sign, *rest], join(join(said, sign), teller))
    opening, closing = quotes
    quoted = join(nest(opening, said), sign, closing)
    return phrase(label, [opening, topic, sign, closing, *rest], join(quoted, teller))


def stopped(sentence: Phrase) -> Phrase:
    """A sentence with its full stop."""
    stop = Word(".", ".", ".", ".")
    children = [*sentence.tree.children, stop]
    return phrase(sentence.tree.label, children, join(sentence, stop))
