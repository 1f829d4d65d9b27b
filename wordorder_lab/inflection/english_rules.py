"""Regular English inflection: spelling, and what to do with a form that no list and no text has.

    "box" -> "boxes"      add es after s, x, z, ch, sh
    "try" -> "tries"      y after a consonant becomes i
    "stop" -> "stopping"  a short word's last consonant is doubled after one vowel
    "make" -> "making"    e is dropped before a vowel
    "lie" -> "lying"

``CELLS`` names the forms; ``uninflected`` goes back. Irregular words are the business of whoever
knows them: a count, or a list of exceptions (``candidates``).
"""

from __future__ import annotations

import re

from wordorder_lab.structures.messages import cited

BASE, PLURAL, THIRD, PAST = "base", "plural", "third person", "past"
PAST_PARTICIPLE, PRESENT_PARTICIPLE = "past participle", "present participle"
COMPARATIVE, SUPERLATIVE = "comparative", "superlative"
CELLS = (BASE, PLURAL, THIRD, PAST, PAST_PARTICIPLE, PRESENT_PARTICIPLE, COMPARATIVE, SUPERLATIVE)
"""The forms that an English word has beside its lemma, and the lemma's own."""

_WITH_OES = set("go do undergo echo veto hero potato tomato embargo torpedo".split())
_MAN = re.compile("(?<!hu)(?<!ger)(?<!ro)(?<!otto)(?<!talis)man$")
_HISSES = re.compile(r"(s|x|z|ch|sh)$", re.I)
_CONSONANT_Y = re.compile(r"[^aeiou]y$", re.I)
_SHORT = re.compile(r"^[^aeiou]*(qu)?[aeiou][bdfgklmnprtvz]$|^[^aeiouy]+y[bdgmnpt]$", re.I)
"""One vowel, then one consonant, and nothing before it that would be another syllable."""
_VOWEL_SOUND = re.compile(
    r"(?!uni([^nm]|$)|us[eau]|ur[aie]|uk|ut[ie]|eu|ew|on(e|ce)($|[^a-z])|ouija)[aeiou]|"
    r"hour|hono|heir|honest|"
    r"8|1[18](\D|$)|"
    r"[fhlmnrsx]($|[^a-z])",
    re.I,
)
_LETTERS = re.compile("[AEFHILMNORSX]")
"""Those whose names begin with a vowel."""


def inflected(lemma: str, cell: str) -> str:
    """The regular form of a lemma. Raises ``ValueError`` for what is none of ``CELLS``."""
    if cell not in CELLS:
        raise ValueError(f"no form is called {cited(cell)}: there are {', '.join(CELLS)}")
    if cell == BASE or not lemma:
        return lemma
    if cell == PLURAL and _MAN.search(lemma):
        return lemma[:-2] + "en"
    if cell in (PLURAL, THIRD):
        return _with_s(lemma)
    ending = {PRESENT_PARTICIPLE: "ing", COMPARATIVE: "er", SUPERLATIVE: "est"}.get(cell, "ed")
    return _with_vowel(lemma, ending)


def sounds_like_a_vowel(word: str) -> bool:
    """Whether ``an`` stands before the word: an honest person, a user, an MP, a UN report."""
    if word.isupper() and len(word) < 5:
        return bool(_LETTERS.match(word))
    return bool(_VOWEL_SOUND.match(word))


def _with_s(lemma: str) -> str:
    if _HISSES.search(lemma):
        return lemma + "es"
    if _CONSONANT_Y.search(lemma):
        return lemma[:-1] + "ies"
    return lemma + ("es" if lemma.lower() in _WITH_OES else "s")


def _with_vowel(lemma: str, ending: str) -> str:
    """The lemma before ``ed``, ``ing``, ``er`` or ``est``."""
    if ending == "ing":
        if re.search("[^aeiou]ie$|^.ie$", lemma, re.I):
            return lemma[:-2] + "ying"
        if re.search("[^eoy]e$", lemma, re.I) and len(lemma) > 2:
            return lemma[:-1] + ending
    elif lemma.lower().endswith("e"):
        return lemma + ending[1:]
    elif _CONSONANT_Y.search(lemma) and len(lemma) > 2:
        return lemma[:-1] + "i" + ending
    if re.search("[aeio]c$", lemma, re.I) and len(lemma) > 3:
        return lemma + "k" + ending
    return lemma + (lemma[-1] if _SHORT.match(lemma) else "") + ending


# --- and back -------------------------------------------------------------------------------------

_ENDINGS = {
    PLURAL: (("s", ""), ("es", ""), ("ies", "y"), ("men", "man")),
    THIRD: (("s", ""), ("es", ""), ("ies", "y")),
    PRESENT_PARTICIPLE: (("ing", ""), ("ing", "e"), ("ying", "ie"), ("king", "")),
    **{
        cell: ((end, ""), (end, "e"), (f"i{end}", "y"), (f"k{end}", ""))
        for cell, end in (
            (PAST, "ed"),
            (PAST_PARTICIPLE, "ed"),
            (COMPARATIVE, "er"),
            (SUPERLATIVE, "est"),
        )
    },
}
"""Cell -> what may have been done to the end of a lemma: ending, what stood there."""
_DOUBLED = re.compile(r"([bdgkmnprtv])\1$")
_HAS_E = re.compile(
    r"([cvu]|[^su]s|(^|[aofcm]|ab)us|[^z]z|dg|[^aeiour]r|[^aeioulrw]l|(cha|ra|e|lu)ng|([iu]|cre)at|"
    r"(^|[^aeiou]|qu)([aiou][bgk]|[aiu]l|[aiou]m|[aiu][np]|[aiu]r|[^aeiou]lor|[aiou]d|[aou]t))$",
    re.I,
)
"""How a lemma ends, its e taken off, more often than one that has none."""


def uninflected(form: str, cell: str) -> tuple[str, ...]:
    """The lemmas of which a form may be the regular one, the likeliest first: of *hoped* as past it
    is *hope*, of *hopped* *hop*; none where no rule makes it. Raises as ``inflected``."""
    if inflected("", cell) or cell == BASE:
        return (form,)
    found = []
    for ending, old in _ENDINGS[cell]:
        if not form.endswith(ending) or len(form) <= len(ending):
            continue
        stem = form[: len(form) - len(ending)]
        found += [stem + old, *([stem[:-1]] if _DOUBLED.search(stem) and not old else [])]
    known = [lemma for lemma in dict.fromkeys(found) if inflected(lemma, cell) == form]
    return tuple(sorted(known, key=unlikely))


def unlikely(lemma: str) -> tuple[bool, bool, bool, int]:
    """A key that sorts what may be a lemma by how English ones end, the likeliest first: *die* and
    *fly*, but *try*, not *trie*."""
    stem = lemma.removesuffix("e")
    short = len(lemma) < (3 if lemma.endswith("y") else 4)
    odd = lemma.endswith("i") or (lemma.endswith(("ie", "y")) and short == lemma.endswith("y"))
    has_e = bool(_HAS_E.search(stem))
    return odd, bool(_DOUBLED.search(stem)), (stem != lemma) != has_e, len(lemma)
