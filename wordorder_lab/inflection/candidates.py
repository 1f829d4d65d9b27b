"""The forms that each lemma of a tree may have: one, if it is decided, or several.

"For a lemma, we generate one or more candidate inflections by using a lexicon and a set of
inflection rules ... according to the lemma itself and its input attributes" (section 5.7).

    FORMS(tree):
      for each node:
        forms <- what was counted with its lemma, tags and features, the seldom ones left out
        if nothing or little was counted, and the language has rules:
            cell <- plural, past, ... by tag and features
            forms <- forms and what the lists have for the cell, or else the regular form
        if it is a present tense or be, and the subject is known: leave out what disagrees
        if it is a, not: all forms stay, since only the neighbours decide
      the most probable form of each comes first

What is left to the search has several forms: *a* or *an*, *not* or *n't*, *is* or *'s*, verbs whose
subject is open. A capital at the beginning of a sentence belongs to the sentence, not to a form.

Differences
- *Our reading*, section 5.7: "a lexicon". Forms are counted in the training part first, then
  looked up in UniMorph's verbs and WordNet's lists of exceptions, then made by rule.
- *Our reading*, section 5.7: NLG 2011 gives number, tense and participles, not the person of a
  verb. Universal Dependencies have a tag that says it (VBZ, VBP), so that fewer forms are open;
  where a tree has no such tags, the subject decides as in the paper.
- *Paper silent*: contractions ('s, 've, n't, wo). They are forms that were counted.
- *Paper silent*: how seldom a counted form may be. ``least`` is its share; of auxiliaries and
  particles, which are counted by the thousand, twenty times is enough.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from wordorder_lab.inflection.agreement import Agreement, agreement_of
from wordorder_lab.inflection.counted_forms import SMALL, CountedForms
from wordorder_lab.inflection.english_rules import (
    BASE,
    COMPARATIVE,
    PAST,
    PAST_PARTICIPLE,
    PLURAL,
    PRESENT_PARTICIPLE,
    SUPERLATIVE,
    THIRD,
    inflected,
    sounds_like_a_vowel,
)
from wordorder_lab.structures.lemma_tree import LemmaNode, LemmaTree

LEAST, SURE = 0.05, 3
"""A form of a smaller share is left out; so many counts, and rules are not asked any more."""
OFTEN = 20
"""A form of an auxiliary or particle that was seen so often stays, whatever its share is."""
CELL_OF_TAG = {
    **dict.fromkeys(("NNS", "NNPS"), PLURAL),
    **dict.fromkeys(("JJR", "RBR"), COMPARATIVE),
    **dict.fromkeys(("JJS", "RBS"), SUPERLATIVE),
    "VBZ": THIRD,
    "VBD": PAST,
    "VBN": PAST_PARTICIPLE,
    "VBG": PRESENT_PARTICIPLE,
}
ALWAYS = {("a", "DET"): ("a", "an"), ("not", "PART"): ("not", "n't")}
"""Lemmas whose forms all stay, by lemma and tag."""
BE = {
    ("1", "Sing"): {"am", "'m", "was"},
    ("3", "Sing"): {"is", "'s", "was"},
    ("2", "Plur"): {"are", "'re", "were"},
}
BE_MANY = {"are", "'re", "were"}
FORMS_OF_BE = set().union(*BE.values())
PRESENT_OF_BE, PAST_OF_BE = ("is", "are", "am", "'s", "'re", "'m"), ("was", "were")
MODIFIERS = ("amod", "compound", "nummod", "advmod", "nmod:poss")
"""What may stand between an article and its noun."""
_LOOKS_DONE = {
    PLURAL: re.compile("[^s]s$"),
    COMPARATIVE: re.compile("..er$"),
    SUPERLATIVE: re.compile("..est$"),
}
_NEVER = re.compile("(?!)")
Lists = Mapping[str, Mapping[str, tuple[str, ...]]]
"""Irregular forms: cell -> lemma -> forms."""


@dataclass(frozen=True)
class Inflector:
    """The forms of lemmas: counted ones, and where ``english`` those of lists and rules. ``least``
    is the smallest share of the counts that keeps a form."""

    counted: CountedForms
    lists: Lists = field(default_factory=dict)
    english: bool = True
    least: float = LEAST

    def forms(self, tree: LemmaTree) -> tuple[tuple[str, ...], ...]:
        """The candidates of every node, the most probable first; each has one at least."""
        several = tuple(self._of_node(tree, i) for i in range(len(tree)))
        return tuple(self._article(tree, i, several) for i in range(len(tree)))

    def _of_node(self, tree: LemmaTree, place: int) -> tuple[str, ...]:
        node = tree.nodes[place]
        counts = self.counted.forms(node)
        seen = 0
        for _, count in counts:
            seen += count
        forms = [
            form
            for form, count in counts
            if count >= self.least * seen
            or (count >= OFTEN and node.upos in SMALL and form == form.lower())
        ]
        if not self.english:
            return tuple(forms) or self.counted.changed_endings(node)
        if seen < SURE:
            forms += [form for form in self._made(tree, place) if form not in forms]
        forms += [form for form in ALWAYS.get((node.lemma, node.upos), ()) if form not in forms]
        forms = list(agreeing(node, forms, tree, place))
        usual = self.counted.in_company(tree, node)
        if usual in forms:
            forms.remove(usual)
            forms.insert(0, usual)
        return tuple(forms)

    def _made(self, tree: LemmaTree, place: int) -> tuple[str, ...]:
        """What lists and rules say, for the cell or cells that the node may be in."""
        node = tree.nodes[place]
        made: list[str] = []
        for cell in cells_of(tree, place):
            if node.lemma == "be" and node.upos in ("AUX", "VERB") and cell in (THIRD, PAST, BASE):
                made += _be(node)
                continue
            listed = self.lists.get(cell, {}).get(node.lemma)
            made += listed or _regular(node, cell)
        return tuple(dict.fromkeys(made))

    def _article(
        self, tree: LemmaTree, place: int, several: tuple[tuple[str, ...], ...]
    ) -> tuple[str, ...]:
        """Of an article the forms, first the one that the likely next word asks for."""
        forms = several[place]
        if not self.english or not {"a", "an"} <= set(forms) or tree.nodes[place].head < 0:
            return forms
        noun = tree.nodes[place].head
        beside = [i for i in tree.dependents[noun] if tree.nodes[i].label in MODIFIERS]
        following = several[noun if not beside else beside[0]][0]
        first = "an" if sounds_like_a_vowel(following) and len(beside) < 2 else "a"
        return (first, *(form for form in forms if form != first))


def cells_of(tree: LemmaTree, place: int) -> tuple[str, ...]:
    """Which forms a node asks for, by its tag, or by its features and its subject."""
    node = tree.nodes[place]
    if node.xpos in CELL_OF_TAG:
        return (CELL_OF_TAG[node.xpos],)
    if node.xpos:
        return (BASE,)
    if node.upos in ("NOUN", "PROPN"):
        return (PLURAL if node.feature("Number") == "Plur" else BASE,)
    degree = {"Cmp": COMPARATIVE, "Sup": SUPERLATIVE}.get(node.feature("Degree"))
    if degree:
        return (degree,)
    return _of_verb(tree, place) if node.upos in ("VERB", "AUX") else (BASE,)


def _of_verb(tree: LemmaTree, place: int) -> tuple[str, ...]:
    node = tree.nodes[place]
    form, tense = node.feature("VerbForm"), node.feature("Tense")
    if form == "Ger" or (form == "Part" and tense != "Past"):
        return (PRESENT_PARTICIPLE,)
    if form == "Part":
        return (PAST_PARTICIPLE,)
    if tense == "Past":
        return (PAST,)
    if tense != "Pres" or node.feature("Mood") == "Imp":
        return (BASE,)
    if node.feature("Person"):
        third = node.feature("Person") == "3" and node.feature("Number") != "Plur"
        return (THIRD if third else BASE,)
    who = agreement_of(tree, place)
    if who is None:
        return (THIRD, BASE)
    return (THIRD if who == ("3", "Sing") else BASE,)


def agreeing(node: LemmaNode, forms: list[str], tree: LemmaTree, place: int) -> tuple[str, ...]:
    """The forms without those of *be* that disagree with the subject, if it is known."""
    if node.lemma != "be" or not FORMS_OF_BE.issuperset(form.lower() for form in forms):
        return tuple(forms)
    who: Agreement | None = agreement_of(tree, place)
    if who is None:
        return tuple(forms)
    right = BE.get(who, BE_MANY)
    agreed = tuple(form for form in forms if form.lower() in right)
    return agreed or tuple(forms)


def _be(node: LemmaNode) -> tuple[str, ...]:
    if node.xpos == "VB" or (not node.xpos and node.feature("VerbForm") == "Inf"):
        return ("be",)
    if node.xpos == "VBZ":
        return ("is", "'s")
    if node.xpos == "VBP":
        return ("are", "am", "'re", "'m")
    if node.xpos == "VBD" or node.feature("Tense") == "Past":
        return PAST_OF_BE
    return PRESENT_OF_BE if node.feature("Tense") == "Pres" else ("be",)


def _regular(node: LemmaNode, cell: str) -> tuple[str, ...]:
    """The regular form; where the lemma looks like it already (*Americans*), that one first."""
    made = inflected(node.lemma, cell)
    if not _LOOKS_DONE.get(cell, _NEVER).search(node.lemma):
        return (made,)
    return (made, node.lemma) if cell == PLURAL and node.lemma.islower() else (node.lemma, made)
