"""English EWT of today (UD 2.16) as the shared tasks had it (UD 2.0 to 2.3), to learn from.

The training inputs of SR'18 and SR'20 are made from the treebank's train part, and the older
version said some things otherwise: ``your`` was a form of ``you``, verbs had no person but in
``VBZ``, ``American`` before a noun was a proper noun. What still differs is counted on the dev
part, which there is in both versions: ``wordorder-lab corpora sr18 --report``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from wordorder_lab.structures.lemma_tree import LemmaNode, LemmaTree, parse_features

UNKNOWN_THEN = "Abbr Typo Style ExtPos NumForm Polarity Polite Deixis PartType".split()
"""Features that these versions hardly have, if at all."""
LABELS_THEN = {
    "obl:agent": "obl",
    "nsubj:outer": "nsubj",
    "csubj:outer": "csubj",
    "nmod:desc": "compound",
    "advcl:relcl": "advcl",
}
_BY_TAG = """
MD   VerbForm=Fin
VBZ  Mood=Ind|Number=Sing|Person=3|Tense=Pres|VerbForm=Fin
VBP  Mood=Ind|Tense=Pres|VerbForm=Fin
VBD  Mood=Ind|Tense=Past|VerbForm=Fin
NN  Number=Sing  NNS  Number=Plur  NNP  Number=Sing  NNPS  Number=Plur
JJR  Degree=Cmp  JJS  Degree=Sup  CD  NumType=Card  TO  _  IN  _  POS  _  PDT  _
""".split()
BY_TAG = dict(zip(_BY_TAG[::2], map(parse_features, _BY_TAG[1::2])))
WITH_PERSON = {
    ("am", "VBP"): parse_features("Number=Sing|Person=1"),
    ("was", "VBD"): parse_features("Number=Sing|Person=3"),
}
OWNERS = {"your": "you", "his": "he", "her": "she", "our": "we", "their": "they"}
TIMES = frozenset(
    "time day week month year morning evening night afternoon weekend today tomorrow yesterday "
    "monday tuesday wednesday thursday friday saturday sunday january february march april may "
    "june july august september october november december spring summer fall autumn winter hour "
    "minute second decade century".split()
)
"""Lemmas that ``tmod`` is likely of."""
OWN_COLUMNS = ("lemma", "upos", "xpos", "features", "label", "head")


def older(tree: LemmaTree) -> LemmaTree:
    """The tree as the older version would have it; heads stay as they are."""
    nodes = []
    for i, node in enumerate(tree.nodes):
        features, label = tuple(sorted(_features(tree, i))), _label(tree, i)
        made = replace(node, lemma=_lemma(node), upos=_tag(node), features=features, label=label)
        nodes.append(made)
    return replace(tree, nodes=tuple(nodes))


def deviations(ours: Sequence[LemmaTree], theirs: Sequence[LemmaTree]) -> dict[str, int]:
    """Words, and how many of them differ, column by column, in sentences of the same name."""
    by_name = {tree.name: tree for tree in ours}
    counts = Counter[str]()
    for tree in theirs:
        mine = by_name.get(tree.name)
        counts["sentences"] += 1
        if mine is None or mine.reference != tree.reference:
            counts["sentences without a twin" if mine is None else "with other words"] += 1
            continue
        counts["words"] += len(tree)
        for a, b in zip(mine.placed().nodes, tree.placed().nodes, strict=True):
            for column in OWN_COLUMNS:
                counts[column] += getattr(a, column) != getattr(b, column)
    return dict(counts)


def _tag(node: LemmaNode) -> str:
    if node.upos == "ADJ" and node.xpos in ("NNP", "NNPS"):
        return "PROPN"
    if node.xpos in ("ADD", "FW", "GW") and node.upos in ("PROPN", "NOUN"):
        return "X"
    return node.upos


def _lemma(node: LemmaNode) -> str:
    form = (node.form or node.lemma).lower()
    if node.xpos == "PRP$":
        return OWNERS.get(form, form)
    if node.form == "i" or node.lemma in ("a.m.", "p.m."):
        return form
    if node.feature("Abbr") and node.upos not in ("PROPN", "AUX", "PRON"):
        return form
    if node.xpos in ("JJS", "RBS", "JJR", "RBR") and form in ("best", "better", "later", "earlier"):
        return form
    if node.xpos == "DT" and form in ("these", "those"):
        return form
    if node.xpos == "CD":
        return node.form or node.lemma
    return node.lemma.lower() if node.xpos in ("NN", "JJ", "RB", "UH", "SYM") else node.lemma


def _features(tree: LemmaTree, place: int) -> Iterable[tuple[str, str]]:
    node = tree.nodes[place]
    upos = _tag(node)
    kept = [pair for pair in node.features if pair[0] not in UNKNOWN_THEN]
    if upos == "PUNCT":
        return []
    if upos == "X":
        return [pair for pair in kept if pair[0] == "Foreign"]
    if node.xpos in BY_TAG:
        return BY_TAG[node.xpos] + WITH_PERSON.get(((node.form or "").lower(), node.xpos), ())
    labels = {tree.nodes[i].label for i in tree.dependents[place]}
    if node.xpos == "VBG":
        progressive = "aux" in labels
        return [("Tense", "Pres"), ("VerbForm", "Part")] if progressive else [("VerbForm", "Ger")]
    if node.xpos == "VBN":
        passive = [("Voice", "Pass")] if "aux:pass" in labels else []
        return [("Tense", "Past"), ("VerbForm", "Part"), *passive]
    if node.xpos in ("DT", "EX", "RP", "UH"):
        demonstrative = node.feature("PronType") in ("Art", "Dem")
        return kept if demonstrative and node.xpos == "DT" else []
    if node.xpos == "PRP$":
        return [pair for pair in kept if pair[0] != "Case"]
    if node.xpos == "VB" and node.feature("VerbForm") != "Inf":
        return [("Mood", "Imp"), ("VerbForm", "Fin")]
    if node.xpos in ("RB", "RBR", "RBS"):
        there = node.feature("PronType") == "Dem" and node.lemma != "now"
        return [pair for pair in kept if pair[0] == "Degree" or there]
    return kept


def _label(tree: LemmaTree, place: int) -> str:
    node = tree.nodes[place]
    upos = _tag(node)
    if node.label in ("obl:unmarked", "nmod:unmarked"):
        if upos == "NUM":
            return "nummod"
        when = "tmod" if node.lemma.lower() in TIMES else "npmod"
        return f"{node.label.partition(':')[0]}:{when}"
    if node.label == "amod" and upos == "PROPN":
        return "compound"
    if node.label == "flat" and upos in ("NUM", "X"):
        return "nummod" if upos == "NUM" else "flat:foreign"
    if node.label == "advmod" and node.lemma in ("when", "where"):
        return "mark" if tree.nodes[node.head].label == "advcl" else node.label
    return LABELS_THEN.get(node.label, node.label)
