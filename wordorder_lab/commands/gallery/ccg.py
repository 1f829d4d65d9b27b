"""What the gallery shows of CCG: agenda and chart of a search, what learning changes, and the same
words with categories and with dependency links."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from typing import NamedTuple

from wordorder_lab.analysis.marked_gold import marked_gold
from wordorder_lab.commands.gallery.best_first import recorded_training
from wordorder_lab.commands.gallery.pages import OURS, Page, Search, page, search_for
from wordorder_lab.corpora import Corpus, load_corpus
from wordorder_lab.structures.bag import bag_of
from wordorder_lab.structures.sentence import Sentence
from wordorder_lab.systems.zhang_clark_2015_dependency import DependencyModel
from wordorder_lab.systems.zhang_clark_ccg import NAME, CCGModel

FEW, UNITS = 200, 8
"""Sentences, of so many units at most, for the model that is trained where none is given."""
LIMIT = 500
"""Expansions of a search that is shown."""
LENGTHS, LOOKED_AT = (5, 8), 40
"""The sentence that is shown: so many units, and the best to watch of so many."""


class Derived(NamedTuple):
    """Sentences to learn from that have derivations, and the corpus that they come from."""

    sentences: Sequence[Sentence]
    corpus: str


def with_derivations(corpus: Corpus, arguments: Namespace) -> Derived:
    """Short derived sentences; the Gazette's, if these are none or lack the tags that are shown."""
    ours = load_corpus(OURS, units=corpus.units)
    sentences = _derived(corpus)
    known = _tags(sentences)
    if any(_tags([shown]) <= known for shown in _near(ours)):
        return Derived(sentences, arguments.corpus)
    return Derived(_derived(ours), OURS)


def _derived(corpus: Corpus) -> Sequence[Sentence]:
    every = [sentence for sentence in corpus.train if sentence.derivation is not None]
    return ([sentence for sentence in every if len(sentence) <= UNITS] or every)[:FEW]


def _near(corpus: Corpus) -> Sequence[Sentence]:
    fewest, most = LENGTHS
    return [s for s in corpus.dev if s.derivation and fewest <= len(s) <= most][:LOOKED_AT]


def _tags(sentences: Sequence[Sentence]) -> set[str]:
    return {token.pos for sentence in sentences for token in sentence}


# --- searches -------------------------------------------------------------------------------------


def ccg_pages(
    model: CCGModel, links: DependencyModel, units: str, arguments: Namespace
) -> list[Page]:
    """One search seen twice, and beside that for links; ``units`` where the model tells none."""
    near = _near(load_corpus(OURS, units=model.settings.get("units", units)))
    watched = [(sentence, _search(model, sentence, arguments)) for sentence in near]
    right = [pair for pair in watched if pair[1].result.derivations == (pair[0].derivation,)]
    # The one that takes most expansions; if no derivation is found, the first of all.
    sentence, search = max(
        right or watched[:1], key=lambda pair: pair[1].result.counters["expansions"]
    )
    meant, linked = sentence.text, _search(links, sentence, arguments)
    log, found = marked_gold(search.log, sentence), (search.found(meant),)
    both = (search.found(meant, "A"), linked.found(meant, "B"))
    limit = f"at most {LIMIT} expansions"
    beside = page(
        "ccg-and-dependencies",
        {},
        well=both[0].is_right and not both[1].is_right,
        log=log,
        other=marked_gold(linked.log, sentence),
        names=("CCG", "dependencies"),
        found=both,
        settings=f"both: {limit}",
    )
    return [
        page("ccg-agenda", {}, log=log, found=found, settings=limit),
        page("ccg-chart", {}, log=log, found=found, settings="the search of the agenda"),
        beside,
    ]


def _search(model: CCGModel | DependencyModel, sentence: Sentence, arguments: Namespace) -> Search:
    return search_for(model, bag_of(sentence, seed=arguments.seed), arguments, expansions=LIMIT)


# --- learning -------------------------------------------------------------------------------------


def ccg_updates_page(sentences: Sequence[Sentence], arguments: Namespace) -> Page:
    """A recorded training of a few short sentences."""
    log, settings = recorded_training(NAME, sentences, arguments)
    return page("ccg-updates", {}, log=log, settings=settings)
