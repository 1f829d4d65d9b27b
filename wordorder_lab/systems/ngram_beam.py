"""The system "ngram-beam": words put in order by an n-gram model alone (Schmaltz et al. 2016).

Task: a bag of words, with orders but no heads. Model: ``models/kneser_ney`` on the corpus and on
any plain text besides, or an ARPA file. Decoder: ``ngram_beam/beam``, or ``ngram_beam/held_karp``
where the best order is wanted for certain.

Differences
- *Paper silent*: words seen less than three times are learned as what they look like (a number, a
  name, a word in -ing: ``models/kneser_ney``): otherwise nothing is known of what comes after
  an unknown word. On the Penn sample in ten folds (base NPs) that is worth 0.81 of BLEU (0.52 to
  1.09; the record ``schmaltz-2016-ngram-in-10-folds``).
- *Our reading*: a phrase kept whole, of two words or more, stands between two marks of its own in
  the model's text, as after one as before one other words come than inside.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, ClassVar, Self

import numpy as np

from wordorder_lab.corpora.plain_text import plain_text
from wordorder_lab.models.arpa import read_arpa
from wordorder_lab.models.file_parts import Json, JsonView, exactly
from wordorder_lab.models.kneser_ney import estimate_ngrams, signature
from wordorder_lab.models.ngram import NGRAM_ARRAYS, UNKNOWN_ID, NGramModel
from wordorder_lab.models.tag_dictionary import TagDictionary
from wordorder_lab.ngram_beam.bag import NGramBag, number
from wordorder_lab.ngram_beam.beam import BeamSearch
from wordorder_lab.ngram_beam.held_karp import best_orders, check_size
from wordorder_lab.ngram_beam.reasons import NGramReasons
from wordorder_lab.structures.bag import WordBag
from wordorder_lab.structures.problem import Item, OrderingProblem
from wordorder_lab.structures.reasons import Reasons
from wordorder_lab.structures.result import Result
from wordorder_lab.structures.sentence import Sentence
from wordorder_lab.structures.trace import Event, Trace
from wordorder_lab.systems import model as common
from wordorder_lab.systems.model import OrderingModel, Words
from wordorder_lab.systems.setting import SettingsClass, setting, usual
from wordorder_lab.systems.system import LEFT_OUT, System

NAME = "ngram-beam"
ORDER = 5
"""The longest n-grams, where nobody says."""
BOUND = 64
"""Exact search knows by a beam that is at least as wide what need not be looked at."""
PHRASE_BEGINS, PHRASE_ENDS = "<np>", "</np>"
LOOKS = ("lower_case", "tagged", "mark_phrases", "signatures")
"""Settings that say what the words of the model look like."""
Best = tuple[list[tuple[float, list[int]]], dict[str, int]]
"""Scores and items of the best orders, and how much work it was."""


@dataclass(frozen=True)
class Search:
    """What may be set when a bag is ordered."""

    beam: int = usual("beam", 64, as_trained=True)
    future_cost: bool = setting(True, "count what the words left over may bring")
    recombine: bool = setting(True, "of hypotheses that nothing to come can tell apart, keep one")
    exact: bool = setting(False, "the best order for certain, of up to 14 different units")


@dataclass(repr=False)
class NGramOrderer(OrderingModel):
    """An n-gram model that puts words in order. Units that the model cannot tell apart (words that
    it does not know, or that differ in capitals alone where these do not count) are in one order;
    ``alike`` of a result names them."""

    SYSTEMS: ClassVar[tuple[str, ...]] = (NAME,)
    WHOLE: ClassVar[str] = "ngram_log_probs"
    Search: ClassVar[SettingsClass] = Search

    ngrams: NGramModel
    dictionary: TagDictionary
    settings: JsonView = field(default_factory=dict)
    _fast: Any = field(default=None, init=False, compare=False)

    def problem(self, bag: Words) -> OrderingProblem:
        """A bag made ready; a model of words without tags does not look at them. Raises
        ``ValueError`` for a bag that cannot be ordered, and for one with alternatives."""
        problem = super().problem(bag)
        problem.refuse_alternatives(self.system)
        return problem

    @property
    def reads_tags(self) -> bool:
        """Whether its words are tagged ones."""
        return bool(self.settings.get("tagged"))

    def seen(self, problem: OrderingProblem, future_cost: bool = True) -> NGramBag:
        """The problem as the n-gram model sees it. Raises ``ValueError`` if heads are given."""
        return number(problem, self.ngrams, self.ids, future_cost)

    def ids(self, unit: tuple[str, ...], tag: str) -> tuple[int, ...]:
        """The ids of a unit's words."""
        tokens = tokens_of(unit, tag, self.settings)
        known = self.ngrams.word_id
        if self.settings.get("signatures"):
            look = [t if known(t) != UNKNOWN_ID else look_of(t, self.settings) for t in tokens]
            return tuple([known(token) for token in look])
        return tuple([known(token) for token in tokens])

    def _unknown(self, bag: WordBag) -> tuple[str, ...]:
        """The units that hold a word that n-grams do not know."""
        if self.settings.get("tagged"):
            return super()._unknown(bag)
        known, plain = self.ngrams.word_id, {**self.settings, "mark_phrases": False}
        seen = {kind: tokens_of(kind.words, "", plain) for kind in bag.unit_types}
        new = [kind for kind in seen if any(known(token) == UNKNOWN_ID for token in seen[kind])]
        return tuple(sorted([" ".join(kind.words) for kind in new]))

    def _look(self, item: Item) -> object:
        """The ids of its words."""
        return self.ids(item.unit, item.pos)

    def _run(
        self, problem: OrderingProblem, chosen: Json, k: int, engine: str, trace: Trace | None
    ) -> tuple[Best, NGramBag]:
        """``exact`` finds the best order for certain, whatever the beam: a beam says what need not
        be looked at."""
        seen = self.seen(problem, chosen["future_cost"])
        if not chosen["exact"]:
            return self._beam(seen, problem, chosen, k, engine, trace), seen
        if trace is not None:
            raise ValueError("exact search has no steps to show: leave out exact, or the trace")
        check_size(seen, k)
        wide = {**chosen, "beam": max(chosen["beam"], BOUND, k)}
        best, _ = self._beam(seen, problem, wide, k, engine, trace)
        reached = {"reached": best[-1][0]} if len(best) == k else {}
        return best_orders(seen, self.ngrams, k, **reached), seen

    def _reasons(
        self, problem: OrderingProblem, chosen: JsonView, events: Sequence[Event]
    ) -> Reasons:
        bag = self.seen(problem, chosen["future_cost"])
        return NGramReasons(BeamSearch(bag, problem, self.ngrams, chosen["beam"]))(events)

    def _beam(
        self,
        bag: NGramBag,
        problem: OrderingProblem,
        chosen: JsonView,
        k: int,
        engine: str,
        trace: Trace | None,
    ) -> Best:
        beam, recombine = chosen["beam"], chosen["recombine"]
        if engine == "reference":
            search = BeamSearch(bag, problem, self.ngrams, beam, recombine, trace)
            return [(one.score, one.items()) for one in search.run()[:k]], search.counters
        from wordorder_lab.ngram_beam.beam_fast import FastBeam, fast_ngrams

        if self._fast is None:
            self._fast = fast_ngrams(self.ngrams)
        return FastBeam(self._fast, beam).run(bag, problem, recombine, k, trace)

    def _results(
        self, bag: WordBag, _: OrderingProblem, found: tuple[Best, NGramBag]
    ) -> Iterator[Result]:
        (best, counters), seen = found
        for score, items in best:
            left = [iter(places) for places in seen.places]
            order = [next(left[seen.kinds[item]]) for item in items]
            tags, names = [seen.tags[item] for item in items], [seen.names[item] for item in items]
            one = common.flat_result(bag, order, tags, score, names)
            yield replace(one, counters=counters)

    def _listed(self, bag: WordBag, results: tuple[Result, ...], found: Any) -> Result:
        groups = [tuple(sorted({bag.form(i) for i in places})) for places in found[1].places]
        alike = tuple([units for units in groups if len(units) > 1])
        return replace(super()._listed(bag, results, found), alike=alike)

    @property
    def epoch_numbers(self) -> Json:
        """How many n-grams were counted."""
        return {"ngrams": sum(self.ngrams.sizes)}

    # --- the model file ---------------------------------------------------------------------

    def header(self) -> Json:
        """The vocabulary and sizes of the n-gram model, and the tags of words."""
        return {"ngrams": self.ngrams.header(), "dictionary": self.dictionary.entries()}

    def arrays(self) -> dict[str, np.ndarray]:
        """The n-grams."""
        return self.ngrams.arrays()

    @classmethod
    def of_parts(cls, header: JsonView, arrays: Mapping[str, np.ndarray]) -> Self:
        """The model of a whole file. Raises ``ValueError`` where its parts do not fit together."""
        ngrams = NGramModel.from_arrays(header["ngrams"], exactly(arrays, NGRAM_ARRAYS))
        settings = header["settings"]
        common.check_beam(settings)
        common.check_flags({**dict.fromkeys(LOOKS, False), **settings}, *LOOKS)
        return cls(ngrams, common.dictionary_of(header), settings)


def tokens_of(unit: Iterable[str], tag: str, settings: JsonView) -> list[str]:
    """The words of a unit as the model has them, a phrase with its marks."""
    tokens = [word.lower() if settings.get("lower_case") else word for word in unit]
    if settings.get("tagged"):
        tokens = [f"{token}/{tag}" for token in tokens]
    if settings.get("mark_phrases") and len(tokens) > 1:
        return [PHRASE_BEGINS, *tokens, PHRASE_ENDS]
    return tokens


def look_of(token: str, settings: JsonView) -> str:
    """The signature of a token, with its tag where the model's words have theirs."""
    if not settings.get("tagged"):
        return signature(token)
    word, _, tag = token.rpartition("/")
    return f"{signature(word)}/{tag}"


# --- Training: counting, once


@dataclass(frozen=True)
class Settings:
    """What a training depends on, beside its sentences. ``ngrams``, an ARPA file, is taken instead
    of all text. Without ``order`` it is that of the file, or ``ORDER``. Words seen less than
    ``min_count`` times are learned as unknown."""

    order: int | None = usual("order", None)
    min_count: int = setting(3, "words seen less often are unknown ones", minimum=1)
    lower_case: bool = setting(False, "learn lower-cased words")
    tagged: bool = setting(False, "learn words with their tags, as word/TAG")
    mark_phrases: bool = setting(True, "learn base NPs between marks of their own")
    signatures: bool = setting(
        True, "tell unknown words apart by their look, as numbers, names, words in -ing"
    )
    beam: int = usual("beam", 64)
    text: tuple[str | os.PathLike[str], ...] = setting(
        (),
        "learn from this text, too: a sentence a line, tokenised as the corpus is; or brown, the "
        "Brown Corpus",
        several=True,
    )
    ngrams: str | None = setting(
        None, "take the n-gram model of this ARPA file, not one of what is learned from"
    )

    def check(self) -> None:
        """Raise ``ValueError`` for text beside a file of n-grams, and for text without tags."""
        if self.text and self.ngrams is not None:
            raise ValueError("n-grams are counted in text or read from a file: leave one of them")
        if self.text and self.tagged:
            raise ValueError("plain text has no tags: leave out the text, or tagged")


def learn(sentences: Sequence[Sentence], settings: Settings, **_: object) -> Iterator[NGramOrderer]:
    """Count n-grams once; both engines do the same, and nothing is told to the trace. Raises
    ``ValueError`` for an empty text, and an ARPA file that is damaged or of another order;
    ``OSError`` for a file that cannot be read."""
    ngrams = _counted(sentences, settings) if settings.ngrams is None else _of_file(settings)
    told = {**asdict(settings), "order": ngrams.order, "pos": int(settings.tagged), "deps": 0}
    # Files of this machine mean nothing on another.
    told |= {"text": LEFT_OUT, "ngrams": LEFT_OUT}
    yield NGramOrderer(ngrams, TagDictionary.of(sentences), told)


def _counted(sentences: Sequence[Sentence], chosen: Settings) -> NGramModel:
    own, order = asdict(chosen), chosen.order or ORDER
    text = [
        [token for unit in sentence for token in tokens_of(unit.words, unit.pos, own)]
        for sentence in sentences
    ]
    for path in chosen.text:
        text += [tokens_of(line, "", {**own, "mark_phrases": False}) for line in plain_text(path)]
    if not chosen.signatures:
        return estimate_ngrams(text, order, min_count=chosen.min_count)
    counts = Counter(token for sentence in text for token in sentence)
    seldom = {token for token, count in counts.items() if count < chosen.min_count}
    seldom -= {PHRASE_BEGINS, PHRASE_ENDS}
    looks = [[look_of(t, own) if t in seldom else t for t in sentence] for sentence in text]
    return estimate_ngrams(looks, order)


def _of_file(chosen: Settings) -> NGramModel:
    ngrams = read_arpa(str(chosen.ngrams))
    if chosen.order not in (None, ngrams.order):
        raise ValueError(
            f"{chosen.ngrams} has n-grams of up to {ngrams.order} words, not {chosen.order}: leave "
            "out the order, or count n-grams of that order in text"
        )
    return ngrams


SYSTEMS = {
    NAME: System(
        "An n-gram model alone, with a beam or exactly (Schmaltz et al. 2016)",
        Settings,
        learn,
        NGramOrderer,
        needs_trees=False,
    )
}
