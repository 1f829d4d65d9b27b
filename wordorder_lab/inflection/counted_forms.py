"""Forms counted in a treebank: what a lemma with its tags and features has been written as.

A word that begins a sentence is counted with a small letter, if its lemma has one: what the
capital says is the order, which nobody knows yet. Where lemma, tags and features have not been seen
together, those with the same features are asked, and, where a tag says which form is meant as the
Penn tags do (``tags_decide``), those with the same tag. For a lemma that has not been seen so,
``changed_endings`` does to it what was done to the seen ones that end alike, in any language: of
Hungarian *ház*, *házban*, ``ban`` comes behind.

Small words lean on each other (*it 's*, *do n't*, *wo n't*), so of auxiliaries and particles it is
also counted with which other small words of the clause they had which form.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping

from wordorder_lab.structures.lemma_tree import Features, LemmaNode, LemmaTree, universal

LONGEST_ENDING = 7
"""Characters of a lemma that are compared with others."""
ENDINGS = 3
"""So many ways to change the ending are offered."""
Key = tuple[object, ...]
Word = tuple[str, str, str, Features, str]
"""Lemma, UPOS, XPOS, features, form."""
Company = tuple[str, ...]
"""Lemma, XPOS, the other small words, perhaps who the subject is, and the form."""
SMALL = ("AUX", "PART")
"""Words that lean on others."""
ENOUGH = 3
"""So often a company must have been seen."""


class CountedForms:
    """How often each form was seen: ``words`` counts nodes with their forms, ``companies`` small
    words with the others of their clause. All else follows from these two."""

    def __init__(self, trees: Iterable[LemmaTree], tags_decide: bool = True) -> None:
        words, companies = Counter[Word](), Counter[Company]()
        for tree in trees:
            for node in tree.nodes:
                if node.form is None:
                    raise ValueError(f"{tree.name or 'a tree'} has nodes without their words")
                form = true_case(node)
                words[node.lemma, node.upos, node.xpos, node.features, form] += 1
                companies.update((*key, form) for key in _company(tree, node))
        self._fill(words, companies, tags_decide)

    @classmethod
    def of_counts(
        cls, words: Mapping[Word, int], companies: Mapping[Company, int], tags_decide: bool
    ) -> CountedForms:
        """The same of what was counted before."""
        counted = cls((), tags_decide)
        counted._fill(words, companies, tags_decide)
        return counted

    def _fill(
        self, words: Mapping[Word, int], companies: Mapping[Company, int], tags_decide: bool
    ) -> None:
        self.words, self.companies, self.tags_decide = words, companies, tags_decide
        self._forms: defaultdict[Key, Counter[str]] = defaultdict(Counter)
        self._endings: defaultdict[Key, Counter[tuple[str, str]]] = defaultdict(Counter)
        seen: set[Key] = set()
        for (lemma, upos, xpos, features, form), count in words.items():
            for key in self._keys(lemma, upos, xpos, features):
                self._forms[key][form] += count
            different = (lemma, form, upos, features)
            if different not in seen:  # a type counts once, however often it is used
                seen.add(different)
                self._count_ending(lemma, upos, features, form)
        for company, count in companies.items():
            self._forms["company", *company[:-1]][company[-1]] += count

    def forms(self, node: LemmaNode) -> list[tuple[str, int]]:
        """Forms with their counts, the most frequent first; none if the lemma was not seen so."""
        for key in self._keys(node.lemma, node.upos, node.xpos, node.features):
            if key in self._forms:
                return sorted(self._forms[key].items(), key=lambda pair: (-pair[1], pair[0]))
        return []

    def in_company(self, tree: LemmaTree, node: LemmaNode) -> str | None:
        """The most frequent form of a small word in its company; ``None`` where it is not known."""
        for key in _company(tree, node):
            counts = self._forms.get(("company", *key), Counter[str]())
            best = min(counts, key=lambda form: (-counts[form], form), default="")
            if best and counts[best] >= ENOUGH:
                return best
        return None

    def changed_endings(self, node: LemmaNode) -> tuple[str, ...]:
        """The lemma with its ending changed, as lemmas with these features and a like end have it.
        The longest end that was seen comes first, and of one end what was done to it most often."""
        lemma = node.lemma
        found: dict[str, None] = {}
        for length in range(min(LONGEST_ENDING, len(lemma)), -1, -1):
            end = lemma[len(lemma) - length :].lower()
            changes = self._endings.get((node.upos, node.features, end), Counter[tuple[str, str]]())
            for old, new in sorted(changes, key=lambda change: (-changes[change], change)):
                found[lemma[: len(lemma) - len(old)] + new] = None
        return tuple(found)[:ENDINGS] or (lemma,)

    def _keys(self, lemma: str, upos: str, xpos: str, features: Features) -> list[Key]:
        keys: list[Key] = [("all", lemma, upos, xpos, features)]
        keys += [("tag", lemma, xpos)] if self.tags_decide and xpos else []
        return [*keys, ("features", lemma, upos, features)]

    def _count_ending(self, lemma: str, upos: str, features: Features, form: str) -> None:
        alike = 0
        while alike < min(len(lemma), len(form)) and lemma[alike] == form[alike]:
            alike += 1
        change = (lemma[alike:], form[alike:])
        for length in range(len(change[0]), min(LONGEST_ENDING, len(lemma)) + 1):
            end = lemma[len(lemma) - length :].lower()
            self._endings[upos, features, end][change] += 1


def true_case(node: LemmaNode) -> str:
    """The word of a node as it would stand within a sentence."""
    form = node.form or ""
    if node.position == 0 and form[:1].isupper() and node.lemma[:1].islower():
        return form[:1].lower() + form[1:]
    return form


def _company(tree: LemmaTree, node: LemmaNode) -> list[tuple[str, ...]]:
    """Keys of a small word with the others of its clause; first with its pronoun, then without."""
    if node.upos not in SMALL or node.head < 0:
        return []
    beside = [tree.nodes[i] for i in tree.dependents[node.head] if tree.nodes[i] is not node]
    small = sorted(f"{other.lemma} {other.xpos}" for other in beside if other.upos in SMALL)
    subjects = [other for other in beside if universal(other.label) == "nsubj"]
    who = " ".join(other.lemma if other.upos == "PRON" else other.upos for other in subjects)
    this = (node.lemma, node.xpos, " ".join(small))
    return [(*this, who), this]
