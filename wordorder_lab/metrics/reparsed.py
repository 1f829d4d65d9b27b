"""Relation F1 as the paper counts it: the words of an output are parsed anew.

Cohn & Lapata 2009, section 5.3: a system's output is a string, and a parser finds the relations in
it. Section 6.1 counts them in the output's own tree as well and finds the F1 2.5 to 4.15 points
higher: a tree that was cut out of a good one is better than what a parser makes of the words.

Differences
- *Our reading*, section 5.3: the paper's parser is RASP, and its relations are labelled with
  grammatical functions. Ours are read off a phrase-structure parse (``relations``), and the
  references' come from a parser, too.
- *Paper silent*: what an output counts that cannot be parsed. Here it has no relations.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from wordorder_lab.metrics.bag_f1 import BagScore, score_bags
from wordorder_lab.metrics.relations import relations
from wordorder_lab.metrics.significance import SAMPLES, SEED
from wordorder_lab.structures.compression import prepared

if TYPE_CHECKING:
    from nltk.tree import Tree

    from wordorder_lab.structures.compression import CompressionPair

Parse = Callable[[Sequence[str]], "Tree"]
"""From words to a tree; raises ``ValueError`` for words that it refuses."""


class ReparsedScores(NamedTuple):
    """Precision, recall and F1 of relations in outputs that were parsed anew, from 0 to 1.

    ``interval`` is the 95 % interval of ``f1``, ``mean_f1`` the mean over the sentences,
    ``f1_labelled`` the F1 of relations with labels; ``refused`` outputs have no parse;
    ``by_sentence`` has the F1 of each sentence.
    """

    precision: float
    recall: float
    f1: float
    interval: tuple[float, float]
    mean_f1: float
    f1_labelled: float
    refused: int
    by_sentence: tuple[float, ...]

    def to_dict(self) -> dict[str, Any]:
        """The scores of all sentences together, as JSON-ready values."""
        told = {name: value for name, value in self._asdict().items() if name != "by_sentence"}
        return {**told, "interval": list(self.interval)}


def score_reparsed(
    texts: Sequence[Sequence[str]],
    pairs: Sequence[CompressionPair],
    parse: Parse,
    *,
    references: str = "mean",
    samples: int = SAMPLES,
    seed: int = SEED,
) -> ReparsedScores:
    """The relations of outputs, given as words, against those of the references of ``pairs``.

    ``pairs`` are prepared, ``texts`` have their capitals: a parser is used to them. Raises
    ``ValueError`` as ``score_bags``.
    """
    trees = [_tree(words, parse) for words in texts]
    plain, labelled = (_score(trees, pairs, kind, references) for kind in (False, True))
    return ReparsedScores(
        plain.precision,
        plain.recall,
        plain.f1,
        plain.interval(samples=samples, seed=seed),
        plain.mean_f1,
        labelled.f1,
        sum(tree is None for tree in trees),
        plain.by_sentence,
    )


def _tree(words: Sequence[str], parse: Parse) -> Tree | None:
    try:
        return prepared(parse(words))
    except ValueError:
        return None


def _score(
    trees: Sequence[Tree | None],
    pairs: Sequence[CompressionPair],
    labelled: bool,
    references: str,
) -> BagScore:
    made = [Counter() if tree is None else relations(tree, labelled) for tree in trees]
    golds = [[relations(target, labelled) for target in pair.targets] for pair in pairs]
    return score_bags(made, golds, references=references)
