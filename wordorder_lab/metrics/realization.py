"""How good sentences are that were realized from trees of lemmas: what the shared tasks print.

The organisers of SR'18 (Mille et al. 2018) lower-case outputs and references, split them at spaces
and print BLEU, NIST and a distance. Their script takes nltk's ``corpus_bleu`` with ``method2``,
``corpus_nist`` with n-grams up to 4, and as DIST

    100 * (1 - all edits / all lengths)

where the edits are those between output and reference as texts, character by character, and a
length is that of the longer of the two. Here BLEU is sacrebleu's with tokens as they are,
lower-cased (``bleu_lc``). In nltk's (``bleu_organisers``) a sentence of three words, which has no
4-gram, counts as one wrong 4-gram, so outputs that are all right have less than 100. ``bleu_cased``
is stricter: nothing in the input says that a word stands in a title.

Exact match, too, does not see capitals. Inflection accuracy asks of each lemma whether it became
the word that it is in the reference, wherever that stands; it needs trees that know the word and
the place of each node, ``gold``.

Differences
- *Paper silent*, Zhang & Clark (2015, Table 10): how BLEU was counted, and on what tokens.
- *Our reading*: copies of the organisers' script differ in DIST. Some take the mean over sentences
  (``distance_mean``), most the ratio above, of all sentences together (``distance``).
- *Our reading*: the first word of output or reference is inflected well whatever its capitals are,
  in ``inflected_cased`` too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from wordorder_lab.metrics.bleu import bleu_of_counts, sentence_counts, signature_of
from wordorder_lab.structures.lemma_tree import LemmaTree
from wordorder_lab.structures.result import Realization

if TYPE_CHECKING:
    import numpy as np

NIST_ORDER = 4
LENGTHS = ((1, 5), (6, 10), (11, 20), (21, 40), (41, None))
"""Lengths of references in words, first and last included; the last bin has no end."""


class LengthScores(NamedTuple):
    """The sentences of ``low`` to ``high`` words (``None``: no end)."""

    low: int
    high: int | None
    sentences: int
    bleu_lc: float
    inflected: float | None


@dataclass(frozen=True)
class SentenceParts:
    """What each sentence adds to the scores, in the order of the sentences.

    ``counts`` is convention -> what BLEU counted; ``edits`` and ``lengths`` are characters,
    ``exact`` is 0 or 1. Of a tree that knows its words and places, ``words`` is how many it has,
    ``right`` and ``right_cased`` how many are well inflected, ``ordered`` 1 if its order is right;
    else 0 and ``None``.
    """

    counts: Mapping[str, np.ndarray]
    edits: tuple[int, ...]
    lengths: tuple[int, ...]
    exact: tuple[int, ...]
    words: tuple[int, ...]
    right: tuple[int, ...]
    right_cased: tuple[int, ...]
    ordered: tuple[int | None, ...]

    def ratios(self) -> dict[str, tuple[list[int], list[int]]]:
        """Score -> its numerators and denominators; the score is the ratio of their sums."""
        ones = [1] * len(self.exact)
        alike = [length - edits for length, edits in zip(self.lengths, self.edits)]
        known = [int(one is not None) for one in self.ordered]
        return {
            "distance": (alike, list(self.lengths)),
            "exact": (list(self.exact), ones),
            "inflected": (list(self.right), list(self.words)),
            "inflected_cased": (list(self.right_cased), list(self.words)),
            "order_exact": ([one or 0 for one in self.ordered], known),
        }


@dataclass(frozen=True)
class RealizationScores:
    """BLEU and DIST between 0 and 100, NIST from 0 up, shares between 0 and 1.

    ``brevity`` is words out over words there, 1 where each lemma became a word. ``exact`` is the
    share of sentences that are the reference but for capitals, ``order_exact`` of those whose
    lemmas are in the reference's order, whatever forms they have. ``inflected`` is the share of
    the ``known_words`` that have their form, ``inflected_cased`` where capitals count. These three
    are of the ``known`` trees, whose words have known places, and ``None`` where there is none.
    """

    sentences: int
    bleu_lc: float
    bleu_lc_signature: str
    bleu_cased: float
    bleu_cased_signature: str
    bleu_organisers: float
    nist: float
    distance: float
    distance_mean: float
    exact: float
    brevity: float
    known: int
    known_words: int
    inflected: float | None
    inflected_cased: float | None
    order_exact: float | None
    by_length: tuple[LengthScores, ...]
    parts: SentenceParts = field(compare=False, repr=False)

    def to_dict(self) -> dict[str, object]:
        """The scores as JSON-ready values, without ``parts``."""
        scores = {name: value for name, value in self.__dict__.items() if name != "parts"}
        return {**scores, "by_length": [row._asdict() for row in self.by_length]}

    def __str__(self) -> str:
        """A table to print, the scores first, then one line a length."""
        places = f"of {self.known_words:,} words whose place is known"
        lines = [
            f"{'sentences':<18}{self.sentences:>7,}",
            f"{'BLEU, lower-cased':<18}{self.bleu_lc:>7.2f}  {self.bleu_lc_signature}",
            f"{'BLEU, cased':<18}{self.bleu_cased:>7.2f}  {self.bleu_cased_signature}",
            f"{'BLEU, organisers':<18}{self.bleu_organisers:>7.2f}  by nltk, lower-cased",
            f"{'NIST':<18}{self.nist:>7.2f}",
            f"{'DIST':<18}{self.distance:>7.2f}  (mean over sentences {self.distance_mean:.2f})",
            f"{'exact match':<18}{self.exact:>7.1%}",
            f"{'right order':<18}{_share(self.order_exact):>7}",
            f"{'inflection':<18}{_share(self.inflected):>7}  {places}",
            f"{'  with capitals':<18}{_share(self.inflected_cased):>7}",
            f"{'brevity':<18}{self.brevity:>7.3f}",
            "",
            f"{'words':<10}{'sentences':>10}{'BLEU':>8}{'inflection':>12}",
        ]
        for row in self.by_length:
            name = f"{row.low}-{row.high}" if row.high else f"over {row.low - 1}"
            scores = f"{row.bleu_lc:>8.2f}{_share(row.inflected):>12}"
            lines.append(f"{name:<10}{row.sentences:>10,}{scores}")
        return "\n".join(lines)


def realization_scores(
    outputs: Sequence[Realization],
    trees: Sequence[LemmaTree],
    gold: Sequence[LemmaTree | None] | None = None,
) -> RealizationScores:
    """All scores of the sentences made of ``trees``, whose references are known.

    ``gold`` are the same trees, node by node, where words and places are known, ``None`` where they
    are not; without it these are the trees themselves. Raises ``ValueError`` for no trees, for
    lists of unequal length, for a tree without its reference, and for an output or a gold tree of
    another number of nodes.
    """
    gold = known_places(trees) if gold is None else gold
    check_outputs(outputs, trees, gold)
    pairs = [(output.words, tree.reference) for output, tree in zip(outputs, trees)]
    lowered = [(_lower(words), _lower(reference)) for words, reference in pairs]
    parts = _parts(outputs, pairs, gold)
    ratios = {
        name: sum(above) / sum(below) if sum(below) else None
        for name, (above, below) in parts.ratios().items()
    }
    means = [1 - edits / length for edits, length in zip(parts.edits, parts.lengths)]
    bleu: dict[str, Any] = dict(zip(("bleu_organisers", "nist"), _by_nltk(lowered)))
    for name, counts in parts.counts.items():
        bleu[f"bleu_{name}"] = bleu_of_counts(counts.sum(axis=0))
        bleu[f"bleu_{name}_signature"] = str(signature_of(name))
    return RealizationScores(
        sentences=len(trees),
        **bleu,
        distance=100 * (ratios["distance"] or 0.0),
        distance_mean=100 * sum(means) / len(means),
        exact=ratios["exact"] or 0.0,
        brevity=sum(len(words) for words, _ in pairs) / sum(len(there) for _, there in pairs),
        known=sum(one is not None for one in gold),
        known_words=sum(parts.words),
        inflected=ratios["inflected"],
        inflected_cased=ratios["inflected_cased"],
        order_exact=ratios["order_exact"],
        by_length=tuple(_by_length(parts, [len(reference) for _, reference in pairs])),
        parts=parts,
    )


def check_outputs(
    outputs: Sequence[Realization],
    trees: Sequence[LemmaTree],
    gold: Sequence[LemmaTree | None],
) -> None:
    """Raise ``ValueError`` unless each tree has a reference, an output and a gold tree of its."""
    if not len(outputs) == len(trees) == len(gold):
        raise ValueError(
            f"{len(trees)} trees, {len(outputs)} outputs, {len(gold)} gold trees: give one each"
        )
    if not trees:
        raise ValueError("no sentences to score: give at least one tree and its realization")
    for output, tree, one in zip(outputs, trees, gold):
        name = tree.name or "a tree"
        if not tree.reference:
            raise ValueError(f"{name} has no reference to score its sentence against")
        if len(output.forms) != len(tree) or (one is not None and len(one) != len(tree)):
            raise ValueError(f"{name} has {len(tree)} nodes, its output or gold tree has not")


def known_places(trees: Sequence[LemmaTree]) -> list[LemmaTree | None]:
    """Those of the trees whose nodes know their words and places, ``None`` for the others."""
    is_known = [all(n.form and n.position is not None for n in tree.nodes) for tree in trees]
    return [tree if known else None for tree, known in zip(trees, is_known)]


Words = Sequence[str]
Pairs = Sequence[tuple[Words, Words]]
"""The words of an output and of its reference."""


def _lower(words: Words) -> list[str]:
    return " ".join(words).lower().split()


def _parts(
    outputs: Sequence[Realization], pairs: Pairs, gold: Sequence[LemmaTree | None]
) -> SentenceParts:
    texts = [" ".join(words) for words, _ in pairs], [" ".join(there) for _, there in pairs]
    lowered = list(zip(*([text.lower() for text in side] for side in texts)))
    inflected = [
        inflected_well(output, one) if one else (0, 0, 0) for output, one in zip(outputs, gold)
    ]
    words, right, right_cased = zip(*inflected)
    return SentenceParts(
        {name: sentence_counts(*texts, name) for name in ("lc", "cased")},
        tuple(edit_distance(text, there) for text, there in lowered),
        tuple(max(len(text), len(there), 1) for text, there in lowered),
        tuple(int(text == there) for text, there in lowered),
        words,
        right,
        right_cased,
        tuple(in_order(output, one) if one else None for output, one in zip(outputs, gold)),
    )


def inflected_well(output: Realization, gold: LemmaTree) -> tuple[int, int, int]:
    """How many lemmas there are, how many have their form, and how many with its capitals."""
    right = cased = 0
    for i, (form, node) in enumerate(zip(output.forms, gold.nodes, strict=True)):
        there = node.form or ""
        if form.lower() == there.lower():
            right += 1
            cased += form == there or node.position == 0 or output.order[0] == i
    return len(gold), right, cased


def in_order(output: Realization, gold: LemmaTree) -> int:
    """1 if the lemmas are in the order of the reference, equal ones either way; else 0."""
    there = [node.lemma for node in gold.placed().nodes]
    return int([gold.nodes[i].lemma for i in output.order] == there)


def _by_nltk(pairs: Pairs) -> tuple[float, float]:
    """BLEU from 0 to 100, longer n-grams counted with one more right and one more there; and NIST,
    0 for outputs without a word, of n-grams that are no longer than some output is."""
    from nltk.translate.bleu_score import SmoothingFunction, corpus_bleu
    from nltk.translate.nist_score import corpus_nist

    outputs, references = [list(out) for out, _ in pairs], [[list(there)] for _, there in pairs]
    smooth, longest = SmoothingFunction().method2, min(NIST_ORDER, max(map(len, outputs)))
    bleu = 100 * float(corpus_bleu(references, outputs, smoothing_function=smooth))
    return bleu, float(corpus_nist(references, outputs, n=longest)) if longest else 0.0


def edit_distance(first: str, second: str) -> int:
    """The least number of characters put in, taken out or changed to turn one text into the other.

    Levenshtein's, as nltk's ``edit_distance``; here a row of the table is a few array operations:
    the least of above + 1 (taken out) and above and left + (0 if alike, else 1), and then, from the
    left, of any place + the way from there (put in).
    """
    import numpy as np

    if first == second:
        return 0
    codes = np.array([ord(character) for character in second], dtype=np.int64)
    places = np.arange(len(second) + 1)
    row = places
    for number, character in enumerate(first, 1):
        new = row + 1
        new[1:] = np.minimum(new[1:], row[:-1] + (codes != ord(character)))
        new[0] = number
        row = np.minimum.accumulate(new - places) + places
    return int(row[-1])


def _by_length(parts: SentenceParts, lengths: Sequence[int]) -> Iterator[LengthScores]:
    for low, high in LENGTHS:
        inside = [i for i, n in enumerate(lengths) if low <= n and (high is None or n <= high)]
        if inside:
            right, words = (sum(row[i] for i in inside) for row in (parts.right, parts.words))
            bleu = bleu_of_counts(parts.counts["lc"][inside].sum(axis=0))
            yield LengthScores(low, high, len(inside), bleu, right / words if words else None)


def _share(value: float | None) -> str:
    return "-" if value is None else f"{value:.2%}"
