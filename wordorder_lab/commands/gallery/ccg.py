"""What the gallery shows of CCG: agenda and chart of a search, what learning changes, and the same
words with categories and with dependency links."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from typing import Any, NamedTuple

from wordorder_lab.commands.gallery.best_first import lessons, train_as
from wordorder_lab.commands.gallery.pages import Page, search_for
from wordorder_lab.corpora import Corpus, load_corpus
from wordorder_lab.structures.bag import bag_of
from wordorder_lab.structures.result import Result
from wordorder_lab.structures.sentence import Sentence
from wordorder_lab.systems.marked_gold import marked_gold
from wordorder_lab.systems.zhang_clark_2015_dependency import DependencyModel
from wordorder_lab.systems.zhang_clark_ccg import NAME, CCGModel
from wordorder_lab.trace.log import EventLog

OURS = "gazette"
"""Where the sentence that is shown comes from; and those that are learned, if the corpus of the
command has no derivations."""

SMALL: dict[str, Any] = {"beam": 16, "epochs": 3, "expansions": 100, "shuffle": True}
FEW, UNITS = 200, 8
"""Settings and sentences, of so many units at most, of the model that is trained where none is
given: a few seconds."""

LIMIT = 500
"""Expansions of a search that is shown."""

LENGTHS, LOOKED_AT = (5, 8), 40
"""The sentence that is shown: so many units, and the best to watch of so many."""


class Derived(NamedTuple):
    """Sentences to learn from that have derivations, and the corpus that they come from."""

    sentences: Sequence[Sentence]
    corpus: str


def with_derivations(corpus: Corpus, arguments: Namespace) -> Derived:
    """Short sentences of the corpus that have derivations; of the Gazette if there are none."""
    if sentences := _derived(corpus):
        return Derived(sentences, arguments.corpus)
    return Derived(_derived(load_corpus(OURS, units=corpus.units)), OURS)


def _derived(corpus: Corpus) -> Sequence[Sentence]:
    every = [sentence for sentence in corpus.train if sentence.derivation is not None]
    return ([sentence for sentence in every if len(sentence) <= UNITS] or every)[:FEW]


def train_small_ccg(sentences: Sequence[Sentence], arguments: Namespace) -> CCGModel:
    """A small model, with the seed and engine of the command."""
    model = train_as(NAME, sentences, arguments, **SMALL)
    assert isinstance(model, CCGModel)
    return model


# --- searches -------------------------------------------------------------------------------------


def ccg_pages(
    model: CCGModel, links: DependencyModel, units: str, arguments: Namespace
) -> list[Page]:
    """One search seen twice, and beside the search of another model for dependency links.

    ``units`` are those of a model that does not tell its own.
    """
    sentence, result, log = _to_watch(model, units, arguments)
    log = marked_gold(log, sentence)
    links_result, linked = _search(links, sentence, arguments)
    return [
        Page(
            "ccg-agenda.html",
            "CCG: the agenda",
            "Every word waits once with each category that it may have; ★ marks what the right "
            f"derivation is built of. Found: {result.text}",
            log,
            view="agenda",
        ),
        Page(
            "ccg-chart.html",
            "CCG: the chart of the same search",
            "Click an edge to see its derivation: words on top, a line and the sign of the rule "
            "for each step, the category below.",
            log,
            view="chart",
        ),
        Page(
            "ccg-and-dependencies.html",
            "A and B: CCG and dependencies",
            "The same words on one clock. A: categories say what may come together. B: any two "
            f"phrases may be linked. A finds: {result.text} B finds: {links_result.text}",
            log,
            marked_gold(linked, sentence),
            ("CCG", "dependencies"),
            "agenda",
        ),
    ]


def _to_watch(
    model: CCGModel, units: str, arguments: Namespace
) -> tuple[Sentence, Result, EventLog]:
    """Of some sentences that learning has not seen, one whose derivation is found, and how.

    It is the one that takes most expansions, for there is most to see; if no derivation is found,
    it is the first sentence of all.
    """
    fewest, most = LENGTHS
    corpus = load_corpus(OURS, units=model.settings.get("units", units))
    near = [s for s in corpus.dev if s.derivation and fewest <= len(s) <= most][:LOOKED_AT]
    searches = [(sentence, *_search(model, sentence, arguments)) for sentence in near]
    right = [search for search in searches if search[1].derivations == (search[0].derivation,)]
    return max(right or searches[:1], key=lambda search: search[1].counters["expansions"])


def _search(
    model: CCGModel | DependencyModel, sentence: Sentence, arguments: Namespace
) -> tuple[Result, EventLog]:
    bag = bag_of(sentence, seed=arguments.seed)
    return search_for(model, bag, arguments, expansions=LIMIT)


# --- learning -------------------------------------------------------------------------------------


def ccg_updates_page(sentences: Sequence[Sentence], arguments: Namespace) -> Page:
    """A recorded training of a few short sentences."""
    log, text = lessons(NAME, sentences, arguments)
    return Page(
        "ccg-updates.html",
        "CCG: guided learning",
        f"{text} a wrong edge comes before one of the right derivation, or pushes it out of the "
        "chart; both derivations, and the features that they do not share.",
        log,
        view="updates",
    )
