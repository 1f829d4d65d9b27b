"""What the gallery shows of CCG: agenda and chart of a search, what learning changes, and the same
words with categories and with dependency links."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from typing import NamedTuple

from wordorder_lab.analysis.marked_gold import marked_gold
from wordorder_lab.commands.gallery.best_first import lessons
from wordorder_lab.commands.gallery.pages import LEARNING, OURS, Page, Search, search_for
from wordorder_lab.corpora import Corpus, load_corpus
from wordorder_lab.structures.bag import bag_of
from wordorder_lab.structures.sentence import Sentence
from wordorder_lab.systems.zhang_clark_2015_dependency import DependencyModel
from wordorder_lab.systems.zhang_clark_ccg import NAME, CCGModel
from wordorder_lab.trace.log import EventLog

FEW, UNITS = 200, 8
"""Sentences, of so many units at most, for the model that is trained where none is given."""

CCG = "Best-first search with CCG"

LIMIT = 500
"""Expansions of a search that is shown."""

LENGTHS, LOOKED_AT = (5, 8), 40
"""The sentence that is shown: so many units, and the best to watch of so many."""


class Derived(NamedTuple):
    """Sentences to learn from that have derivations, and the corpus that they come from."""

    sentences: Sequence[Sentence]
    corpus: str


def with_derivations(corpus: Corpus, arguments: Namespace) -> Derived:
    """Short sentences of the corpus that have derivations; of the Gazette if there are none.

    The pages show a sentence of the Gazette: where the corpus has the tags of none, it teaches
    nothing about them, either.
    """
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
    """The sentences of dev that may be shown."""
    fewest, most = LENGTHS
    return [s for s in corpus.dev if s.derivation and fewest <= len(s) <= most][:LOOKED_AT]


def _tags(sentences: Sequence[Sentence]) -> set[str]:
    return {token.pos for sentence in sentences for token in sentence}


# --- searches -------------------------------------------------------------------------------------


def ccg_pages(
    model: CCGModel, links: DependencyModel, units: str, arguments: Namespace
) -> list[Page]:
    """One search seen twice, and beside the search of another model for dependency links.

    ``units`` are those of a model that does not tell its own.
    """
    sentence, search = _to_watch(model, units, arguments)
    log = marked_gold(search.log, sentence)
    found = search.found(sentence.text)
    return [
        Page(
            "ccg-agenda.html",
            CCG,
            "Which category will each word take?",
            "Every word waits once with each category that it may have; ★ marks what the right "
            "derivation is built of.",
            6,
            "agenda",
            log,
            view="agenda",
            found=(found,),
            how=f"at most {LIMIT} expansions",
        ),
        Page(
            "ccg-chart.html",
            CCG,
            "How do categories make a sentence?",
            "Click an edge to see its derivation: words on top, a line and the sign of the rule "
            "for each step, the category below.",
            6,
            "tree",
            log,
            view="chart",
            found=(found,),
            how="the search of the agenda",
        ),
        _beside_links(log, search, sentence, _search(links, sentence, arguments)),
    ]


def _beside_links(log: EventLog, search: Search, sentence: Sentence, linked: Search) -> Page:
    meant = sentence.text
    found = (search.found(meant, "A"), linked.found(meant, "B"))
    helps = found[0].is_right and not found[1].is_right
    return Page(
        "ccg-and-dependencies.html",
        CCG,
        "What do categories know that links do not?" if helps else "Categories or links?",
        "The same words on one clock. A: categories say what may come together. B: any two "
        "phrases may be linked.",
        7,
        "tree",
        log,
        marked_gold(linked.log, sentence),
        ("CCG", "dependencies"),
        "agenda",
        found,
        f"both: at most {LIMIT} expansions",
    )


def _to_watch(model: CCGModel, units: str, arguments: Namespace) -> tuple[Sentence, Search]:
    """Of some sentences that learning has not seen, one whose derivation is found, and how.

    It is the one that takes most expansions, for there is most to see; if no derivation is found,
    it is the first sentence of all.
    """
    near = _near(load_corpus(OURS, units=model.settings.get("units", units)))
    watched = [(sentence, _search(model, sentence, arguments)) for sentence in near]
    right = [pair for pair in watched if pair[1].result.derivations == (pair[0].derivation,)]
    return max(right or watched[:1], key=lambda pair: pair[1].result.counters["expansions"])


def _search(model: CCGModel | DependencyModel, sentence: Sentence, arguments: Namespace) -> Search:
    bag = bag_of(sentence, seed=arguments.seed)
    return search_for(model, bag, arguments, expansions=LIMIT)


# --- learning -------------------------------------------------------------------------------------


def ccg_updates_page(sentences: Sequence[Sentence], arguments: Namespace) -> Page:
    """A recorded training of a few short sentences."""
    log, how = lessons(NAME, sentences, arguments)
    return Page(
        "ccg-updates.html",
        LEARNING,
        "What does a wrong category cost?",
        "A wrong edge comes before one of the right derivation, or pushes it out of the chart: "
        "both derivations, and the features that they do not share.",
        6,
        "updates",
        log,
        view="updates",
        how=how,
    )
