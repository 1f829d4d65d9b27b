"""``wordorder-lab gallery``: a page for each player, for the explorer, the race and the game, to
open, to show, to send round.

Each page is one file that needs no server and no network. Five of them play a short training run
and so hold a few sentences of the corpus; the others hold none, but sentences of our own. The
index is a page of pictures: a thumbnail of each, a question, and what came out.
"""

from __future__ import annotations

import os
from argparse import Namespace
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

from wordorder_lab.commands.common import condition, open_model
from wordorder_lab.commands.gallery.best_first import (
    FEW,
    best_first_pages,
    learning_page,
    train_small,
    updates_page,
)
from wordorder_lab.commands.gallery.ccg import (
    Derived,
    ccg_pages,
    ccg_updates_page,
    train_small_ccg,
    with_derivations,
)
from wordorder_lab.commands.gallery.compression import (
    compression_pages,
    pairs_to_learn,
    train_small_compression,
)
from wordorder_lab.commands.gallery.explorer import RECORDINGS, explorer_page
from wordorder_lab.commands.gallery.games import game_pages
from wordorder_lab.commands.gallery.index import index_text
from wordorder_lab.commands.gallery.pages import (
    Page,
    search_pages,
    short_ones,
    train_on,
    training_pages,
    watched_sentences,
)
from wordorder_lab.corpora import Corpus, load_corpus
from wordorder_lab.runtime.atomic import ESCAPED, replacing
from wordorder_lab.structures.sentence import Sentence
from wordorder_lab.systems.cohn_lapata_2009 import CompressionModel
from wordorder_lab.systems.liu_2015 import LinearizationModel
from wordorder_lab.systems.zhang_clark_2015_dependency import DependencyModel
from wordorder_lab.systems.zhang_clark_ccg import CCGModel
from wordorder_lab.widgets.explorer import ExplorerPage
from wordorder_lab.widgets.page import to_html

Model = TypeVar("Model")

SMALL = {"beam": 4, "epochs": 3, "shuffle": True}
SENTENCES = 400
"""Settings and sentences of the model that is trained where none is given: a few seconds."""


def run(arguments: Namespace) -> int:
    """Write the pages and, last of all, the index that links to them."""
    folder = Path(arguments.folder)
    if folder.exists() and not folder.is_dir():
        raise ValueError(f"{folder} is a file: name a folder for the pages")
    given = open_model(arguments.model) if arguments.model else None
    corpus = load_corpus(arguments.corpus)
    sentences = short_ones(corpus.train)
    _make(folder)
    pages, about = pages_of(given, corpus, sentences, arguments)
    for page in pages:
        _write(page, folder)
    with replacing(folder / "index.html") as part:
        part.write_text(index_text(pages, about), encoding="utf-8", errors=ESCAPED)
    print(f"open {folder / 'index.html'}")
    return 0


def pages_of(
    given: Any, corpus: Corpus, sentences: Sequence[Sentence], arguments: Namespace
) -> tuple[list[Page], list[str]]:
    """All pages, those of a section together, and how models and searches were made."""
    derived = with_derivations(corpus, arguments)
    linearizer, best_first, ccg, compressor, about = _models(given, sentences, derived, arguments)
    watched = watched_sentences(linearizer, best_first, corpus.units, arguments)
    pages = [
        *search_pages(linearizer, watched, arguments),
        explorer_page(linearizer, watched, arguments),
        *game_pages(linearizer, best_first, watched, arguments),
        *best_first_pages(best_first, watched, arguments),
        *ccg_pages(ccg, best_first, corpus.units, arguments),
        *training_pages(sentences, arguments),
        updates_page(sentences, arguments),
        ccg_updates_page(derived.sentences, arguments),
        learning_page(sentences, arguments),
        *compression_pages(compressor, arguments),
    ]
    return pages, [*about, *(f"{page.title} {page.how}" for page in pages if page.how)]


def _make(folder: Path) -> None:
    """The folder, if it is not there. Raises ``ValueError`` or ``OSError`` where that cannot be."""
    folder.mkdir(parents=True, exist_ok=True)
    if not os.access(folder, os.W_OK):
        raise ValueError(f"the folder {folder} may not be written: choose another one")


def _models(
    given: Any,
    sentences: Sequence[Sentence],
    derived: Derived,
    arguments: Namespace,
) -> tuple[LinearizationModel, DependencyModel, CCGModel, CompressionModel, list[str]]:
    """A model of each kind, and what they are; a given one is taken."""
    about = [] if given is None else [Path(arguments.model).name]

    def ready(
        kind: type[Model],
        what: str,
        few: Sequence[Any],
        learn: Callable[[Sequence[Any], Namespace], Model],
        corpus: str = arguments.corpus,
        items: str = "sentences",
    ) -> Model:
        """The user's model if it is of this kind, else a small one that is trained here."""
        if isinstance(given, kind):
            return given
        print(f"training a {what} model on {len(few)} short {items} of {corpus} ...")
        model = learn(few, arguments)
        about.append(f"{_about(model, corpus)}, {len(few)} short {items}")
        return model

    pairs, place = pairs_to_learn(arguments.corpus)

    return (
        ready(LinearizationModel, "small", sentences[:SENTENCES], _train_linearizer),
        ready(DependencyModel, "best-first", sentences[:FEW], train_small),
        ready(CCGModel, "CCG", derived.sentences, train_small_ccg, derived.corpus),
        ready(CompressionModel, "compression", pairs, train_small_compression, place, "pairs"),
        about,
    )


def _train_linearizer(sentences: Sequence[Sentence], arguments: Namespace) -> LinearizationModel:
    return train_on(sentences, arguments, **SMALL)


def _about(model: Any, corpus: str) -> str:
    return condition({**model.settings, "corpus": Path(corpus).name, "system": model.system})


def _write(page: Page, folder: Path) -> None:
    if page.table is not None:
        path = ExplorerPage(page.table).to_html(folder / page.file, RECORDINGS)
    elif page.race is not None:
        path = page.race.to_html(folder / page.file)
    else:
        path = to_html(
            page.log,
            folder / page.file,
            page.other,
            view=page.view,
            names=page.names,
            title=page.title,
            at=page.at,
        )
    print(f"wrote {path} ({path.stat().st_size / 1000:,.0f} KB): {page.title}")
