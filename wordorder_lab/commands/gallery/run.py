"""``wordorder-lab gallery``: a page for each player, for the explorer, the race and the game, to
open, to show, to send round.

Each page is one file that needs no server and no network. Five of them play a short training run
and so hold a few sentences of the corpus; the others hold none, but sentences of our own. The
index is a page of pictures: a thumbnail of each, a question, and what came out.
"""

from __future__ import annotations

import html
import os
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeVar

from wordorder_lab.commands.common import condition, open_model
from wordorder_lab.commands.gallery.best_first import best_first_pages, learning_page, updates_page
from wordorder_lab.commands.gallery.ccg import (
    Derived,
    ccg_pages,
    ccg_updates_page,
    with_derivations,
)
from wordorder_lab.commands.gallery.compression import compression_pages, pairs_to_learn
from wordorder_lab.commands.gallery.games import RECORDINGS, explorer_page, game_pages
from wordorder_lab.commands.gallery.pages import (
    Found,
    Page,
    search_pages,
    short_ones,
    train_as,
    training_pages,
    watched_sentences,
)
from wordorder_lab.commands.gallery.thumbnails import thumbnail
from wordorder_lab.commands.html import write_page
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
from wordorder_lab.widgets.page import to_html

Model = TypeVar("Model")

SMALL: dict[str, tuple[str, Row]] = {
    "small": ("liu-2015", {"beam": 4, "epochs": 3, "shuffle": True}),
    "best-first": (DEPENDENCY, {"beam": 16, "epochs": 2, "expansions": 100, "shuffle": True}),
    "CCG": (CCG, {"beam": 16, "epochs": 3, "expansions": 100, "shuffle": True}),
    "compression": (
        "cohn-lapata-2009",
        {"C": 5.0, "beam": 10, "max_iterations": 10, "tolerance": 0.05},
    ),
}
"""The systems and settings of the models that are trained where none is given: a few seconds, or
ten."""
SENTENCES, FEW = 400, 80
"""Sentences that they learn from: with a beam, and best first."""

INDEX = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>wordorder_lab: searches to play</title>
<link rel="icon" href="data:,">
<style>
:root {{
  color-scheme: light dark; font: 1rem/1.45 system-ui, sans-serif;
  --ink: #1c1c1c; --paper: #f4f5f7; --card: #ffffff; --soft: #5f6368; --faint: #d5d8de;
  --dots: #9aa3af; --best: #0072b2; --gold: #b06f00; --lost: #c24e00; --right: #00694d;
}}
@media (prefers-color-scheme: dark) {{ :root {{
  --ink: #ececec; --paper: #101216; --card: #1b1e24; --soft: #a8adb5; --faint: #3a404a;
  --dots: #7d8694; --best: #56b4e9; --gold: #e69f00; --lost: #ff8a4c; --right: #4fd0a5;
}} }}
body {{ margin: 0 auto; padding: 1.5rem; max-width: 110rem; color: var(--ink);
  background: var(--paper); }}
h1 {{ margin: 0 0 0.3rem; }}
.cards {{ display: grid; gap: 1rem; padding: 0; margin: 1.2rem 0 0; list-style: none;
  grid-template-columns: repeat(auto-fill, minmax(min(100%, 17.5rem), 1fr)); }}
.card {{ display: flex; flex-direction: column; position: relative; border-radius: 10px;
  overflow: hidden; background: var(--card); border: 1px solid var(--faint); }}
.card:hover, .card:focus-within {{ border-color: var(--best); }}
.card svg {{ display: block; width: 100%; border-bottom: 1px solid var(--faint); }}
.card h2 {{ margin: 0 0.9rem 0.3rem; font-size: 1.05rem; line-height: 1.3; }}
.card h2 a {{ color: inherit; text-decoration: none; }}
.card h2 a::after {{ content: ""; position: absolute; inset: 0; }}
.card h2 a:focus-visible {{ outline: 3px solid var(--gold); outline-offset: 2px; }}
.card p {{ margin: 0.2rem 0.9rem; font-size: 0.93rem; }}
.card .section {{ margin-top: 0.6rem; color: var(--soft); font-size: 0.82rem; }}
.card .time {{ color: var(--soft); margin: auto 0.9rem 0.7rem; padding-top: 0.4rem; }}
.card .found {{ padding-left: 1.3em; text-indent: -1.3em; }}
.found b {{ color: var(--lost); }}
.found[data-right=true] b {{ color: var(--right); }}
line {{ stroke: var(--ink); stroke-width: 1.2; }}
line.best, line.gold, line.lost {{ stroke-width: 2.4; }}
line.best {{ stroke: var(--best); }} line.gold {{ stroke: var(--gold); }}
line.lost {{ stroke: var(--lost); }} line.faint {{ stroke: var(--faint); stroke-width: 1; }}
circle, rect {{ fill: var(--dots); }}
circle.best, rect.best {{ fill: var(--best); }} circle.gold, rect.gold {{ fill: var(--gold); }}
rect.lost {{ fill: var(--lost); }} circle.faint, rect.faint {{ fill: var(--faint); }}
svg text {{ font-size: 11px; fill: var(--ink); }} text.name, text.small {{ fill: var(--soft); }}
svg text.small {{ font-size: 9.5px; }}
text.out {{ fill: var(--lost); text-decoration: line-through; }}
details {{ margin-top: 2.5rem; color: var(--soft); font-size: 0.93rem; }}
summary {{ cursor: pointer; }}
</style>
</head>
<body>
<h1>Searches to play</h1>
<p>Each picture opens a search that you can step through, forward and back. It needs no network.</p>
<ul class="cards">
{cards}
</ul>
<details>
<summary>How this was made</summary>
<ul>
{made}
</ul>
</details>
</body>
</html>
"""
CARD = """<li class="card">
{picture}
<p class="section">{section}</p>
<h2><a href="{file}">{title}</a></h2>
<p>{learns}</p>
{found}
<p class="time">about {minutes} minutes</p>
</li>"""
FOUND = '<p class="found" data-right="{right}"><b>{sign}</b> {text}</p>'


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
    write_page(folder / "index.html", index_text(pages, about))
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
        corpus: str = arguments.corpus,
        items: str = "sentences",
    ) -> Model:
        """The user's model if it is of this kind, else a small one that is trained here."""
        if isinstance(given, kind):
            return given
        print(f"training a {what} model on {len(few)} short {items} of {corpus} ...")
        model = small_model(what, few, arguments)
        assert isinstance(model, kind)
        about.append(f"{_about(model, corpus)}, {len(few)} short {items}")
        return model

    pairs, place = pairs_to_learn(arguments.corpus)
    return (
        ready(LinearizationModel, "small", sentences[:SENTENCES]),
        ready(DependencyModel, "best-first", sentences[:FEW]),
        ready(CCGModel, "CCG", derived.sentences, derived.corpus),
        ready(CompressionModel, "compression", pairs, place, "pairs"),
        about,
    )


def small_model(what: str, examples: Sequence[Any], arguments: Namespace) -> TrainedModel:
    """One of ``SMALL``, with the seed and engine of the command."""
    system, settings = SMALL[what]
    return train_as(system, examples, arguments, **settings)


def _about(model: TrainedModel, corpus: str) -> str:
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


# --- the index -----------------------------------------------------------------------------------


def index_text(pages: Sequence[Page], about: Sequence[str]) -> str:
    """The index of these pages; ``about`` says of each model and search how it was made."""
    cards = "\n".join(map(_card, pages))
    made = [f"<li>{html.escape(line)}</li>" for line in about]
    return INDEX.format(cards=cards, made="\n".join(made))


def _card(page: Page) -> str:
    picture = thumbnail(page.picture, page.log, page.other, page.title)
    words = {
        name: html.escape(getattr(page, name)) for name in ("file", "section", "title", "learns")
    }
    found = "\n".join(map(_found, page.found))
    return CARD.format(picture=picture, found=found, minutes=page.minutes, **words)


def _found(found: Found) -> str:
    """What came out, and whether it is what was meant."""
    right = found.text == found.meant
    told = f"{found.who}: {found.text}" if found.who else found.text
    told = told if right else f"{told} (meant: {found.meant})"
    sign = "✓" if right else "✗"
    return FOUND.format(right=str(right).lower(), sign=sign, text=html.escape(told))
