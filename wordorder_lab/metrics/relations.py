"""Relation F1: do the same words hang on the same words?

Cohn & Lapata 2009, sections 5.3 and 6.1 (after Riezler et al. 2003): output and reference are each
taken as a bag of relations between a head word and a word that depends on it, and the bags are
compared. It rewards a compression that keeps *who did what* together.

Relations are read off the phrase structure: each phrase has a head child, by the table of Yamada &
Matsumoto, and the head words of the other children depend on the head's head word. For [S [NP [NNS
records]] [VP [VBP are] [VP [VBN involved]]]] that gives, head first,

    (are, involved)    with labels (are, involved, VP, VP)
    (are, records)                 (are, records, NP, S)
    ("", are)                      ("", are, S, "")

The last of these, the *root relation*, is counted unless ``root=False``: the conversion tool of the
paper's footnote 16 gives one too, and an output of one word has something to be scored by.
Punctuation never counts as a dependent unless ``punctuation=True``: nearly every output keeps its
full stop, and commas hang on whatever head is left.

Words are compared as they are. "The" is not "the": give trees that are all prepared for the system
(the capital of the first word undone), or all as they are printed, not some of each.

The paper's way is to parse the words of an output anew (``score_reparsed``). Section 6.1 counts
relations in the output's own tree as well and finds the F1 2.5 to 4.15 points higher: a tree that
was cut out of a good one is better than what a parser makes of the words.

Differences
- *Our reading*, section 5.3: the paper reparses every output with RASP and counts RASP's relations,
  labelled with grammatical functions. Here they come from a tree, whosesoever it is: the output's
  own, as in the last paragraph of the paper's section 6.1, or that of a parser that has read its
  words; then the references' come from a parser, too.
- *Paper silent*: what an output counts that cannot be parsed. Here it has no relations.
- *Paper silent*, section 6.1: which labels that gave. Ours are those of the child and of its
  parent, without function tags.
- *Paper silent*: whether counts are added up or sentences averaged: ``f1`` and ``mean_f1`` of
  ``BagScore``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple

from wordorder_lab.metrics.bag_f1 import BagScore, Shared, score_bags
from wordorder_lab.structures.compression import CompressionPair, prepared
from wordorder_lab.structures.head_rules import PUNCTUATION
from wordorder_lab.structures.phrase_tree import phrase_nodes
from wordorder_lab.structures.plain_tree import Tree

NO_HEAD = ""


def relations(
    tree: Tree,
    labelled: bool = False,
    *,
    punctuation: bool = False,
    root: bool = True,
) -> Counter[tuple[str, ...]]:
    """The relations of a tree as a bag: pairs (head word, dependent word).

    With ``labelled`` they go on with the labels of the dependent's phrase and of the phrase above,
    function tags left off. Raises ``ValueError`` as ``phrase_nodes``, for a tree that is broken.
    """
    nodes = phrase_nodes(tree)
    labels, heads = nodes.bare, nodes.heads()
    bag: Counter[tuple[str, ...]] = Counter()

    def add(head: str, child: int, above: str) -> None:
        dependent = heads[child]
        if punctuation or labels[dependent] not in PUNCTUATION:
            ends = (head, nodes.words[dependent])
            bag[(*ends, labels[child], above) if labelled else ends] += 1

    for node, children in enumerate(nodes.children):
        for child in children:
            if heads[child] != heads[node]:
                add(nodes.words[heads[node]], child, labels[node])
    if root:
        add(NO_HEAD, nodes.root, NO_HEAD)
    return bag


def relation_f1(
    outputs: Sequence[Tree],
    golds: Sequence[Tree | tuple[Tree, ...]],
    *,
    labelled: bool = False,
    references: str = "mean",
) -> BagScore:
    """Precision, recall and F1 of the outputs' relations, over all sentences and of each.

    ``golds`` has one reference of each output, or a tuple of several. Raises ``ValueError`` as
    ``score_bags``, and for a broken tree, which it names by its number from 1.
    """

    def bag(tree: Tree, place: str) -> Counter[tuple[str, ...]]:
        try:
            return relations(tree, labelled)
        except ValueError as error:
            raise ValueError(f"{place}: {error}") from None

    every = [gold if isinstance(gold, tuple) else (gold,) for gold in golds]
    made = [bag(tree, f"output {i}") for i, tree in enumerate(outputs, 1)]
    gold = [
        [bag(tree, f"reference {j} of sentence {i}") for j, tree in enumerate(several, 1)]
        for i, several in enumerate(every, 1)
    ]
    return score_bags(made, gold, references=references)


class Wilcoxon(NamedTuple):
    """Wilcoxon's signed-rank test, two-sided: ``differ`` sentences have another F1 in one system
    than in the other, the rest are left out; ``first`` and ``second`` are the mean F1s."""

    statistic: float
    p_value: float
    sentences: int
    differ: int
    first: float
    second: float

    def __str__(self) -> str:
        return (
            f"mean relation F1 {self.first:.4f} and {self.second:.4f}, p = {self.p_value:.2g} "
            f"(Wilcoxon, two-sided; {self.differ} of {self.sentences} sentences differ)"
        )


def wilcoxon_relation_f1(
    first: Sequence[Tree],
    second: Sequence[Tree],
    golds: Sequence[Tree | tuple[Tree, ...]],
) -> Wilcoxon:
    """Whether two systems differ in relation F1, sentence by sentence (the paper's section 7)."""
    from scipy.stats import wilcoxon

    scores = [relation_f1(outputs, golds) for outputs in (first, second)]
    pairs = zip(*(score.by_sentence for score in scores))
    # Rounded, so that 1/2 - 1/3 and 2/3 - 1/2 share a rank.
    apart = [gap for left, right in pairs if (gap := round(left - right, 12))]
    statistic, p_value = map(float, wilcoxon(apart)) if apart else (0.0, 1.0)
    means = [score.mean_f1 for score in scores]
    return Wilcoxon(statistic, p_value, len(first), len(apart), *means)


Parse = Callable[[Sequence[str]], "Tree"]
"""From words to a tree; raises ``ValueError`` for words that it refuses."""


class ReparsedScores(NamedTuple):
    """Precision, recall and F1 of relations in outputs that were parsed anew, from 0 to 1.

    ``interval`` is the 95 % interval of ``f1``, ``mean_f1`` the mean over the sentences,
    ``f1_labelled`` the F1 of relations with labels; ``refused`` outputs have no parse;
    ``counts`` has what each sentence adds, as ``BagScore.rows``.
    """

    precision: float
    recall: float
    f1: float
    interval: tuple[float, float]
    mean_f1: float
    f1_labelled: float
    refused: int
    counts: tuple[Shared, ...]

    def to_dict(self) -> dict[str, object]:
        """The scores of all sentences together, as JSON-ready values."""
        whole = {name: value for name, value in self._asdict().items() if name != "counts"}
        return {**whole, "interval": list(self.interval)}


def score_reparsed(
    texts: Sequence[Sequence[str]],
    pairs: Sequence[CompressionPair],
    parse: Parse,
    *,
    references: str = "mean",
) -> ReparsedScores:
    """The relations of outputs, given as words, against those of the references of ``pairs``.

    ``pairs`` are prepared, ``texts`` have their capitals: a parser is used to them.
    """
    trees: list[Tree | None] = []
    for words in texts:
        try:
            trees.append(prepared(parse(words)))
        except ValueError:
            trees.append(None)

    def score(labelled: bool) -> BagScore:
        made = [Counter() if tree is None else relations(tree, labelled) for tree in trees]
        golds = [[relations(target, labelled) for target in pair.targets] for pair in pairs]
        return score_bags(made, golds, references=references)

    plain = score(labelled=False)
    return ReparsedScores(
        plain.precision,
        plain.recall,
        plain.f1,
        plain.interval(),
        plain.mean_f1,
        score(labelled=True).f1,
        trees.count(None),
        plain.rows,
    )
