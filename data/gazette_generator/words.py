"""Words in their forms: tag, lemma, features and category of what the lexicon or we provide."""

from __future__ import annotations

from gazette_generator.lexicon import Noun, Verb
from gazette_generator.phrase import Word

NOUN, ADNOMINAL, DETERMINER = "N", "N/N", "NP[nb]/N"
ADJUNCT, BEFORE_VERB, FRONTED = r"(S\NP)\(S\NP)", r"(S\NP)/(S\NP)", "S/S"

VERB_FORMS = {
    "past": ("past", "VBD", "dcl", "Mood=Ind|Tense=Past|VerbForm=Fin"),
    "third": ("third", "VBZ", "dcl", "Mood=Ind|Number=Sing|Person=3|Tense=Pres|VerbForm=Fin"),
    "plain": ("base", "VBP", "dcl", "Mood=Ind|Number=Plur|Tense=Pres|VerbForm=Fin"),
    "base": ("base", "VB", "b", "VerbForm=Inf"),
    "perfect": ("participle", "VBN", "pt", "Tense=Past|VerbForm=Part"),
    "passive": ("participle", "VBN", "pss", "Tense=Past|VerbForm=Part|Voice=Pass"),
    "ing": ("ing", "VBG", "ng", "Tense=Pres|VerbForm=Part"),
}
"""Name of a form -> field of the lexicon, tag, feature of the category, morphology."""

BE = Verb("be", "is", "was", "been", "being", "i", (), (), "", (), "*")
HAVE = Verb("have", "has", "had", "had", "having", "i", (), (), "", (), "*")
DO = Verb("do", "does", "did", "done", "doing", "i", (), (), "", (), "*")
SAY = Verb("say", "says", "said", "said", "saying", "q", (), (), "", (), "*")

DEMONSTRATIVE = {"this": "Sing", "these": "Plur"}


def noun(entry: Noun, number: str) -> Word:
    """A common noun in its singular or plural."""
    plural = number == "pl"
    form = entry.plural if plural else entry.singular
    feats = f"Number={'Plur' if plural else 'Sing'}"
    lemma = entry.singular or singular_of(entry.plural)
    return Word(form, "NNS" if plural else "NN", NOUN, lemma, feats)


def singular_of(plural: str) -> str:
    """The lemma of a noun that the lexicon has in the plural only: residents, witnesses, men."""
    for ending, instead in PLURAL_ENDINGS:
        if plural.endswith(ending):
            return plural.removesuffix(ending) + instead
    return plural


PLURAL_ENDINGS = (
    ("women", "woman"),
    ("men", "man"),
    ("ies", "y"),
    ("sses", "ss"),
    ("police", "police"),
    ("s", ""),
)


def verb(entry: Verb, form: str, frame: str, number: str = "sg") -> Word:
    """A verb in one of ``VERB_FORMS``, with the category of a frame."""
    field, tag, feature, feats = VERB_FORMS[form]
    shown = getattr(entry, field)
    if entry is BE and form in ("past", "plain"):
        shown = {"past": {"sg": "was", "pl": "were"}[number], "plain": "are"}[form]
    return Word(shown, tag, verb_category(feature, frame), entry.base, feats)


def verb_category(feature: str, frame: str) -> str:
    r"""The category of a verb with this feature and frame: ``(S[dcl]\NP)/NP`` for dcl and t."""
    vp = rf"S[{feature}]\NP"
    return {
        "i": vp,
        "t": rf"({vp})/NP",
        "tp": rf"(({vp})/PP)/NP",
        "ip": rf"({vp})/PP",
        "d": rf"(({vp})/NP)/NP",
        "c": rf"({vp})/S[em]",
        "c0": rf"({vp})/S[dcl]",
        "ti": rf"({vp})/(S[to]\NP)",
        "oc": rf"(({vp})/(S[to]\NP))/NP",
        "adj": rf"({vp})/(S[adj]\NP)",
        "base": rf"({vp})/(S[b]\NP)",
        "perfect": rf"({vp})/(S[pt]\NP)",
        "ing": rf"({vp})/(S[ng]\NP)",
        "passive": rf"({vp})/(S[pss]\NP)",
    }[frame]


def adjective(form: str, lemma: str = "") -> Word:
    """An adjective before a noun."""
    return Word(form, "JJ", ADNOMINAL, lemma or form, "Degree=Pos")


def adverb(form: str, category: str) -> Word:
    """An adverb; its category says where it stands."""
    return Word(form, "RB", category, form.lower())


def determiner(form: str) -> Word:
    """``the``, ``a``, ``its``, ``some`` ..."""
    if form in POSSESSIVES:
        return Word(form, "PRP$", DETERMINER, form, "Poss=Yes|PronType=Prs")
    number = DEMONSTRATIVE.get(form)
    kind = {"no": "Neg", "some": "Ind"}.get(form, "Art")
    feats = f"Number={number}|PronType=Dem" if number else f"PronType={kind}"
    lemma = {"an": "a", "these": "this"}.get(form, form)
    return Word(form, "DT", DETERMINER, lemma, feats)


POSSESSIVES = ("its", "his", "her", "their")
PRONOUNS = {"n": "it", "m": "he", "f": "she", "pl": "they"}


def preposition(form: str, category: str) -> Word:
    """A preposition; its category says what its phrase attaches to."""
    return Word(form, "TO" if form == "to" else "IN", category, form)


def modal(form: str) -> Word:
    """``will``, ``could`` ..."""
    return Word(form, "MD", verb_category("dcl", "base"), form, "VerbForm=Fin")


def infinitive_to() -> Word:
    """The ``to`` of an infinitive."""
    return Word("to", "TO", r"(S[to]\NP)/(S[b]\NP)", "to")


def negation() -> Word:
    """``not``, behind an auxiliary."""
    return Word("not", "RB", ADJUNCT, "not", "Polarity=Neg")


def numeral(form: str, category: str = ADNOMINAL) -> Word:
    """A number."""
    return Word(form, "CD", category, form, "NumType=Card")


def article(next_word: str) -> Word:
    """``a`` or ``an``, by the sound that follows."""
    heard = next_word.lower()
    vowel = heard[0] in "aeiou" and (
        not heard.startswith(CONSONANT_SOUNDS) or heard.startswith(NEGATED)
    )
    return determiner("an" if vowel or heard.startswith(SILENT_H) else "a")


CONSONANT_SOUNDS = ("uni", "unanim", "use", "usual", "euro", "one", "once", "uran", "util")
NEGATED = ("unid", "unim", "unin", "unint")
SILENT_H = ("hour", "honest", "heir", "honor")
"""How words begin that are not said as they are spelled: a union, an uninvited guest, an hour."""
