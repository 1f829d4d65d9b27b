"""Trees of lemmas of our own invention, which know their words: *An owl watches the clocks .*"""

from __future__ import annotations

import random

from wordorder_lab.corpora.readers.lemma_trees import parse_lemma_trees
from wordorder_lab.structures.lemma_tree import LemmaTree

NOUNS = ("gardener", "teacher", "robin", "clock", "river", "apple", "owl")
VERBS = ("watch", "paint", "follow", "like")
ADJECTIVES = ("old", "honest", "small", "early")
VOWELS = ("a", "e", "o", "h")
"""First letters that take *an*, since our only words with an h is *honest*."""
Row = tuple[str, str, str, str, str, str, str]
"""Form, lemma, UPOS, XPOS, features, who the head is, label."""


def phrase(chance: random.Random, name: str, head: str, label: str) -> list[Row]:
    """A noun with its article, and perhaps an adjective."""
    noun, adjective = chance.choice(NOUNS), chance.choice((*ADJECTIVES, ""))
    plural = chance.random() < 0.4
    feats, form, tag = "Number=Sing", noun, "NN"
    if plural:
        feats, form, tag = "Number=Plur", f"{noun}s", "NNS"
    article = "an" if (adjective or noun)[0] in VOWELS else "a"
    indefinite = not plural and chance.random() < 0.6
    rows = [(article, "a", "DET", "DT", "Definite=Ind", name, "det")]
    if not indefinite:
        rows = [("the", "the", "DET", "DT", "Definite=Def", name, "det")]
    if adjective:
        rows.append((adjective, adjective, "ADJ", "JJ", "Degree=Pos", name, "amod"))
    return [*rows, (form, noun, "NOUN", tag, feats, head, label)]


def sentence(seed: int) -> str:
    """One sentence in CoNLL-U, the same for the same seed."""
    chance = random.Random(seed)
    subject, thing = phrase(chance, "S", "V", "nsubj"), phrase(chance, "O", "V", "obj")
    verb = chance.choice(VERBS)
    past, plural = chance.random() < 0.5, subject[-1][3] == "NNS"
    form, tag, feats = verb, "VBP", "Tense=Pres|VerbForm=Fin"
    if past:
        form, tag, feats = verb + ("d" if verb[-1] == "e" else "ed"), "VBD", "Tense=Past"
    elif not plural:
        form, tag = verb + ("es" if verb == "watch" else "s"), "VBZ"
    rows = [*subject, (form, verb, "VERB", tag, feats, "", "root"), *thing]
    rows.append((".", ".", "PUNCT", ".", "_", "V", "punct"))
    at = {"": 0, "S": len(subject), "V": len(subject) + 1, "O": len(rows) - 1}
    lines = [f"# sent_id = own-{seed}"]
    for i, (word, lemma, upos, xpos, features, head, label) in enumerate(rows, start=1):
        shown = word.capitalize() if i == 1 else word
        columns = (i, shown, lemma, upos, xpos, features, at[head], label, "_", "_")
        lines.append("\t".join(map(str, columns)))
    return "\n".join(lines) + "\n\n"


def lemma_conllu(sentences: int, first: int = 0) -> str:
    return "".join(map(sentence, range(first, first + sentences)))


def lemma_trees(sentences: int, first: int = 0) -> tuple[LemmaTree, ...]:
    """The same as trees, their nodes shuffled."""
    read = parse_lemma_trees(lemma_conllu(sentences, first), "here").sentences
    return tuple(tree.shuffled(i) for i, tree in enumerate(read))


def as_input(text: str) -> str:
    """A treebank as a shared task gives it: lemmas in column 2, and no words."""
    lines = []
    for line in text.split("\n"):
        columns = line.split("\t")
        if len(columns) == 10:
            columns[1:3] = [columns[2], "_"]
        lines.append("\t".join(columns))
    return "\n".join(lines)
