"""Noun phrases, construction by construct: what stands in them and how both layers build it.

Categories and rules are CCGbank's (Hockenmaier and Steedman 2007), labels the Penn Treebank's.
Nothing here chooses words.
"""

from __future__ import annotations

from collections.abc import Sequence

from gazette_generator.phrase import Phrase, Word, appositive, conjoined, join, lift, nest, phrase


def comma() -> Word:
    """A comma; each is a word of its own."""
    return Word(",", ",", ",", ",")


def number_of(head: Word | Phrase) -> str:
    """``"sg"`` or ``"pl"`` by the tag of a noun."""
    return "pl" if isinstance(head, Word) and head.tag in ("NNS", "NNPS") else "sg"


def two_adjectives(first: Word, conjunction: Word, second: Word) -> Phrase:
    """``long and costly``, before a noun."""
    ccg = join(first, conjoined(conjunction, second))
    return phrase("ADJP", [first, conjunction, second], ccg)


def bare(words: Sequence[Word | Phrase], label: str = "NP", gender: str = "n") -> Phrase:
    """A noun phrase without determiner: ``senior officials``, ``Corvane Industries``, ``oil``."""
    made = phrase(label, [*words], lift(nest(*words), "NP"))
    return made._replace(number=number_of(words[-1]), gender=gender)


def determined(determiner: Word, words: Sequence[Word | Phrase], gender: str = "n") -> Phrase:
    """``the quarterly report``, ``its profit``: determiner, adjectives, noun."""
    made = phrase("NP", [determiner, *words], nest(determiner, *words))
    return made._replace(number=number_of(words[-1]), gender=gender)


def pronoun(word: Word, number: str, gender: str) -> Phrase:
    """``it``, ``they``, ``she``: a word of category NP."""
    return phrase("NP", [word], join(word))._replace(number=number, gender=gender)


def owned(owner: Phrase, mark: Word, words: Sequence[Word | Phrase]) -> Phrase:
    """``the company 's quarterly report``: the owner is a noun phrase within."""
    inner = phrase("NP", [*owner.tree.children, mark], join(owner, mark))
    made = phrase("NP", [inner, *words], join(inner, nest(*words)))
    return made._replace(number=number_of(words[-1]))


def with_pp(head: Phrase, pp: Phrase) -> Phrase:
    """``the chairman of the bank``: a noun phrase and a PP behind it."""
    return phrase("NP", [head, pp], join(head, pp), like=head)


def pp(preposition: Word, object: Phrase, label: str = "PP") -> Phrase:
    """A prepositional phrase; the preposition's category says what it attaches to."""
    return phrase(label, [preposition, object], join(preposition, object))


def apposition(head: Phrase, second: Phrase) -> Phrase:
    """``Anna Ruiz , chairman of the bank ,`` between two commas."""
    first, last = comma(), comma()
    beside = join(head, appositive(first, second))
    return phrase("NP", [head, first, second, last], join(beside, last), like=head)


def coordination(parts: Sequence[Phrase], conjunction: Word, number: str = "pl") -> Phrase:
    """``a and b``, ``a , b and c``: the conjunction takes what follows it first."""
    signs = [comma() for _ in parts[2:]]
    children: list[Phrase | Word] = []
    for part, sign in zip(parts, [*signs, conjunction, None]):
        children += [part] if sign is None else [part, sign]
    ccg = join(parts[-1])
    for part, sign in zip(reversed(parts[:-1]), [conjunction, *reversed(signs)]):
        ccg = join(part, conjoined(sign, ccg))
    made = phrase(parts[0].tree.label.split("-")[0], children, ccg)
    return made._replace(number=number)


HEDGED = r"(N/N)/(N/N)"


def counted(number: str, hedge: str, words: Sequence[Word | Phrase]) -> Phrase:
    """``20 workers``, ``about 20 workers``, ``at least 20``, ``more than 20``: a QP in the tree."""
    figure = Word(number, "CD", "N/N", number, "NumType=Card")
    if not hedge:
        return bare([figure, *words])
    if hedge == "about":
        signs = [Word("about", "RB", HEDGED, "about")]
        quantity = nest(*signs, figure)
    elif hedge == "at least":
        least = Word("least", "JJS", r"S[asup]\NP", "least", "Degree=Sup")
        signs = [Word("at", "IN", rf"({HEDGED})/(S[asup]\NP)", "at"), least]
        quantity = join(*signs, figure)
    else:
        more = Word("more", "JJR", r"S[adj]\NP", "more", "Degree=Cmp")
        signs = [more, Word("than", "IN", rf"({HEDGED})\(S[adj]\NP)", "than")]
        quantity = join(*signs, figure)
    qp = phrase("QP", [*signs, figure], quantity)
    made = phrase("NP", [qp, *words], lift(nest(qp, *words), "NP"))
    return made._replace(number=number_of(words[-1]))
