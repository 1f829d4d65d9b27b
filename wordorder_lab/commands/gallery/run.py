"""``wordorder-lab gallery``: a page for each player, the explorer, race, sweep and game.

Each is one file that needs no server and no network. Five play a short training run and so hold a
few sentences of the corpus; the others hold sentences of our own. The index has a thumbnail of
each, a question, and what came out.
"""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element

from wordorder_lab.commands.common import condition, open_model
from wordorder_lab.commands.gallery import best_first, ccg, compression, games, pages
from wordorder_lab.commands.gallery.ccg import Derived
from wordorder_lab.commands.gallery.pages import Found, Page, train_as
from wordorder_lab.commands.gallery.sentences import sentence_pages
from wordorder_lab.commands.gallery.thumbnails import thumbnail
from wordorder_lab.commands.html import PAGES, markup, node
from wordorder_lab.commands.output import check_target
from wordorder_lab.corpora import Corpus, load_corpus
from wordorder_lab.experiments.runs.schema import Row
from wordorder_lab.structures.sentence import Sentence
from wordorder_lab.systems.cohn_lapata_2009 import CompressionModel
from wordorder_lab.systems.liu_2015 import LinearizationModel
from wordorder_lab.systems.model import TrainedModel
from wordorder_lab.systems.zhang_clark_2015_dependency import NAME as DEPENDENCY
from wordorder_lab.systems.zhang_clark_2015_dependency import DependencyModel
from wordorder_lab.systems.zhang_clark_ccg import NAME as CCG
from wordorder_lab.systems.zhang_clark_ccg import CCGModel
from wordorder_lab.widgets.explorer import ExplorerPage
from wordorder_lab.widgets.page import filled, to_html, write_page

SMALL: dict[str, tuple[str, Row]] = {
    "small": ("liu-2015", {"beam": 4, "epochs": 3, "shuffle": True}),
    "best-first": (DEPENDENCY, {"beam": 16, "epochs": 2, "expansions": 100, "shuffle": True}),
    "CCG": (CCG, {"beam": 16, "epochs": 3, "expansions": 100, "shuffle": True}),
    "compression": (
        "cohn-lapata-2009",
        {"C": 5.0, "beam": 10, "max_iterations": 10, "tolerance": 0.05},
    ),
}
"""The models that are trained where none is given: a few seconds, or ten."""
CARD = ("file", "title", "learns", "minutes")
"""What a card of the index says of a page."""
SENTENCES, FEW = 400, 80
"""Sentences that they learn from: with a beam, and best first."""


def run(arguments: Namespace) -> int:
    """Write the pages and, last of all, the index that links to them."""
    folder = Path(arguments.folder)
    if folder.exists() and not folder.is_dir():
        raise ValueError(f"{folder} is a file: name a folder for the pages")
    given = open_model(arguments.model) if arguments.model else None
    corpus = load_corpus(arguments.corpus)
    sentences = pages.short_ones(corpus.train)
    folder.mkdir(parents=True, exist_ok=True)
    check_target(folder / "index.html")
    every, about = pages_of(given, corpus, sentences, arguments)
    for page in every:
        _write(page, folder)
    write_page(folder / "index.html", index_text(every, about))
    print(f"open {folder / 'index.html'}")
    return 0


def pages_of(
    given: Any, corpus: Corpus, sentences: Sequence[Sentence], arguments: Namespace
) -> tuple[list[Page], list[str]]:
    """All pages, those of a section together, and how models and searches were made."""
    derived = ccg.with_derivations(corpus, arguments)
    models, about = _models(given, sentences, derived, arguments)
    linearizer, links, categories, compressor = models
    watched = pages.watched_sentences(linearizer, links, corpus.units, arguments)
    every = [
        *pages.search_pages(linearizer, watched, arguments),
        games.sweep_page(linearizer, watched, arguments),
        games.explorer_page(linearizer, watched, arguments),
        *games.game_pages(linearizer, links, watched, arguments),
        *best_first.best_first_pages(links, watched, arguments),
        *ccg.ccg_pages(categories, links, corpus.units, arguments),
        *pages.training_pages(sentences, arguments),
        best_first.updates_page(sentences, arguments),
        ccg.ccg_updates_page(derived.sentences, arguments),
        best_first.learning_page(sentences, arguments),
        *compression.compression_pages(compressor, arguments),
        *sentence_pages(arguments),
    ]
    return every, [*about, *(f"{page.title} {page.settings}" for page in every if page.settings)]


def _models(
    given: Any, sentences: Sequence[Sentence], derived: Derived, arguments: Namespace
) -> tuple[list[Any], list[str]]:
    """A model of each kind of ``SMALL``, the user's or one trained here, and what they are."""
    about = [] if given is None else [Path(arguments.model).name]
    pairs, place = compression.pairs_to_learn(arguments.corpus)
    models: list[Any] = []
    for (what, kind), few, corpus in (
        (("small", LinearizationModel), sentences[:SENTENCES], arguments.corpus),
        (("best-first", DependencyModel), sentences[:FEW], arguments.corpus),
        (("CCG", CCGModel), derived.sentences, derived.corpus),
        (("compression", CompressionModel), pairs, place),
    ):
        if isinstance(given, kind):
            models.append(given)
            continue
        items = f"{len(few)} short {'pairs' if what == 'compression' else 'sentences'}"
        print(f"training a {what} model on {items} of {corpus} ...")
        model = small_model(what, few, arguments)
        models.append(model)
        made = {**model.settings, "corpus": Path(corpus).name, "system": model.system}
        about.append(f"{condition(made)}, {items}")
    return models, about


def small_model(what: str, examples: Sequence[Any], arguments: Namespace) -> TrainedModel:
    """One of ``SMALL``, with the seed and engine of the command."""
    system, settings = SMALL[what]
    return train_as(system, examples, arguments, **settings)


def _write(page: Page, folder: Path) -> None:
    path = folder / page.file
    if page.table is not None:
        ExplorerPage(page.table).to_html(path, games.RECORDINGS)
    elif page.race is not None:
        page.race.to_html(path)
    elif page.sweep is not None:
        page.sweep.to_html(path)
    else:
        look: Row = {"view": page.view, "names": page.names, "title": page.title, "at": page.at}
        why = any(explain(page.log.events) for explain in page.log.explains.values())
        to_html(page.log, path, page.other, why=why, **look)
    print(f"wrote {path} ({path.stat().st_size / 1000:,.0f} KB): {page.title}")


# --- the index -----------------------------------------------------------------------------------


def index_text(pages: Sequence[Page], about: Sequence[str]) -> str:
    """The index of these pages, those of a section together, and before them the way of a newcomer;
    ``about`` says of each model and search how it was made."""
    made = "\n".join(markup(node("li", line)) for line in about)
    groups: dict[str, list[Page]] = {}
    for page in pages:
        groups.setdefault(page.section, []).append(page)
    way = sorted((page for page in pages if page.route), key=lambda page: page.route)
    return filled(
        PAGES / "gallery.html",
        route="\n".join(markup(_stage(page)) for page in way),
        minutes=str(sum(page.minutes for page in way)),
        groups="\n".join(_group(*group) for group in groups.items()),
        made=made,
    )


def _stage(page: Page) -> Element:
    minutes = node("span", f"{page.minutes} minutes", class_="time")
    return node("li", node("a", page.title, href=page.file), " ", minutes)


def _group(name: str, pages: Sequence[Page]) -> str:
    cards = "\n".join(map(_card, pages))
    return f'{markup(node("h2", name))}\n<ul class="cards">\n{cards}\n</ul>'


def _card(page: Page) -> str:
    picture = thumbnail(page.picture, page.log, page.other, page.title, page.curves)
    texts = {name: str(getattr(page, name)) for name in CARD}
    found = "\n".join(markup(_found(one)) for one in page.found)
    return filled(PAGES / "card.html", picture=picture, found=found, **texts).rstrip()


def _found(found: Found) -> Element:
    text = f"{found.who}: {found.text}" if found.who else found.text
    text += "" if found.is_right else f" (meant: {found.meant})"
    sign = node("b", "✓" if found.is_right else "✗")
    right = str(found.is_right).lower()
    return node("p", sign, f" {text}", class_="found", data_right=right)
