"""``wordorder-lab gallery``: pages that stand alone, and an index that leads to them."""

from __future__ import annotations

import base64
import gzip
import io
import json
import re
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from itertools import accumulate, product
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from command_line import PLAIN, derived

import wordorder_lab as wl
from wordorder_lab.cli import main
from wordorder_lab.commands.gallery import compression as gallery_compression
from wordorder_lab.commands.gallery import pages as gallery_pages
from wordorder_lab.commands.gallery import run as gallery_run
from wordorder_lab.commands.gallery import sentences as gallery_sentences
from wordorder_lab.commands.gallery.pages import Page, latest_falls, split_searches
from wordorder_lab.structures.compression import presented
from wordorder_lab.trace.log import EventLog
from wordorder_lab.trace.reducers.replay import fold
from wordorder_lab.trace.reducers.search import words_of

pytestmark = pytest.mark.slow

AGENDAS = "agenda best-first-and-beam without-weights ccg-agenda ccg-and-dependencies"
BEAMS = "beam-states partial-tree ten-words two-beams early-update realization"
VIEWS = {
    **dict.fromkeys(BEAMS.split(), "beam"),
    **dict.fromkeys(AGENDAS.split(), "agenda"),
    **dict.fromkeys(("chart", "ccg-chart"), "chart"),
    **dict.fromkeys(("parameter-updates", "ccg-updates"), "updates"),
    **dict.fromkeys(("tree-transduction", "cube-pruning"), "transduction"),
    "you-are-the-decoder": "decoder",
    **dict.fromkeys(("deletion", "constraints"), "deletion"),
    "parsing": "parsing",
    "together": "together",
    "span-lengths": "spans",
    "learning": "learning",
}
"""Page -> its view."""
PAGES = {*VIEWS, "explorer", "race", "sweep"}
SEEN = ["--beam", "6", "--seed", "3"]


@pytest.fixture(scope="module", autouse=True)
def few() -> Iterator[None]:
    """Few pairs are learned, and few sentences are looked at; there is no corpus of others."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("WORDORDER_LAB_DATA", "")
        patch.setattr(gallery_compression, "PAIRS", 20)
        patch.setattr(gallery_pages, "LOOKED_AT", 8)
        patch.setattr(gallery_sentences, "LEMMAS", 30)
        yield


@pytest.fixture(scope="module")
def telling(own, tmp_path_factory) -> SimpleNamespace:
    """A gallery, for reading only, its pages, and what was printed when it was made."""
    folder = tmp_path_factory.mktemp("made") / "new" / "pages"
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err), pages_kept() as kept:
        assert gallery(own, folder) == 0
    ((pages, _),) = kept
    played = {name: data_of(page) for name, page in texts(folder).items() if name in PAGES}
    said = {"out": out.getvalue(), "err": err.getvalue()}
    return SimpleNamespace(folder=folder, pages=pages, played=played, **said)


@contextmanager
def pages_kept() -> Iterator[list[tuple[list[Page], list[str]]]]:
    """What the galleries that are made meanwhile consist of."""
    kept, pages_of = [], gallery_run.pages_of

    def keeping(*arguments: Any) -> tuple[list[Page], list[str]]:
        kept.append(pages_of(*arguments))
        return kept[-1]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(gallery_run, "pages_of", keeping)
        yield kept


def gallery(own: Any, folder: Path, *more: str) -> int:
    return main(["gallery", str(folder), "--corpus", own.corpus, *SEEN, *PLAIN, *more])


def texts(folder: Path) -> dict[str, str]:
    return {path.stem: path.read_text(encoding="utf-8") for path in folder.iterdir()}


USUAL_LETTERS = str.maketrans(",./:", "&<>`")  # of base 85; a page has others for those of HTML


def data_of(page: str) -> dict[str, Any]:
    """What the player of a page was given."""
    found = re.search(r'<script id="wol-data"[^>]*>([^<]*)</script>', page)
    assert found
    text = gzip.decompress(base64.b85decode(found[1].translate(USUAL_LETTERS)))
    return json.loads(
        text, object_hook=lambda one: [*accumulate(one["steps"])] if "steps" in one else one
    )


def count(log: dict[str, Any], kind: str) -> int:
    letters = {kind: letter for letter, kind in log["letters"].items()}
    return log["kinds"].count(letters.get(kind, "none"))


def test_every_player_has_its_page(telling) -> None:
    folder = telling.folder
    pages = texts(folder)
    index = pages.pop("index")
    assert pages.keys() == PAGES
    assert set(re.findall(r'href="([^"]+)\.html"', index)) == PAGES
    assert f"open {folder / 'index.html'}" in telling.out and not telling.err
    assert "on own.mrg: " in index and "seed 3" in index and str(folder) not in index
    assert not re.search(r"""(src|href)=["']?(https?:)?//""", "".join([index, *pages.values()]))

    played = dict(telling.played)
    table, race, sweep = (played.pop(name) for name in ("explorer", "race", "sweep"))
    assert [run["label"] for run in sweep["runs"]] == ["1", "2", "4", "8", "16", "64"]
    assert all(run["player"]["view"] == "beam" and 0 <= run["dev"] <= 100 for run in sweep["runs"])
    assert [racer["name"] for racer in race["racers"]] == ["beam 1", "beam 6", "best-first"]
    assert all(row["seconds"] is None for racer in race["racers"] for row in racer["rows"])
    views = {name: data["view"] for name, data in played.items()}
    assert views == VIEWS
    assert len(table["plays"]) == 5 and len(table["values"]["reference"]) == 8
    for key, data in table["plays"].items():
        bleu = table["values"]["bleu"][int(key.split()[0])]
        assert data["view"] == "beam" and bleu <= sorted(table["values"]["bleu"])[4]
    free, partial = played["partial-tree"]["logs"]
    assert count(partial, "forbidden") and not count(free, "forbidden")
    assert {*free["columns"]["begin"][0][0]} == {*partial["columns"]["begin"][0][0]}
    assert "“a team” would cut off “Harvard University” from its head “of”" in (
        json.dumps(partial, ensure_ascii=False)
    )
    assert played["two-beams"]["names"] == ["beam 1", "beam 6"]
    beams = [log["columns"]["begin"][3] for log in played["two-beams"]["logs"]]
    units = [log["columns"]["begin"][0] for log in played["two-beams"]["logs"]]
    assert beams == [[1], [6]] and units[0] == units[1]
    (ten,) = played["ten-words"]["logs"]
    assert sum(ten["columns"]["begin"][1][0]) == 10
    (falls,) = played["early-update"]["logs"]
    assert 1 <= count(falls, "update") == count(falls, "begin") <= 3 and count(falls, "weight")
    assert -1 in falls["columns"]["gold"][2]
    (spans,) = played["span-lengths"]["logs"]
    last = spans["kinds"][played["span-lengths"]["position"] - 1]
    assert spans["letters"][last] == "finished", "a search is seen to its end"
    assert count(spans, "begin") > 3 and count(spans, "gold") and not count(spans, "weight")


# --- what the index says ---------------------------------------------------------------------


WRONG = {"two-beams A", "partial-tree A", "ten-words", "ccg-and-dependencies B", "constraints"}
"""Searches of the usual gallery whose failing is the point; all others find what was meant."""


@pytest.fixture(scope="module")
def usual(tmp_path_factory) -> SimpleNamespace:
    """The gallery as it is made without options, and its pages."""
    folder = tmp_path_factory.mktemp("usual")
    with pytest.MonkeyPatch.context() as patch, pages_kept() as kept:
        patch.setattr(gallery_compression, "PAIRS", 80)
        patch.setattr(gallery_pages, "LOOKED_AT", 40)
        assert main(["gallery", str(folder), *PLAIN]) == 0
    ((pages, _),) = kept
    return SimpleNamespace(folder=folder, pages=pages)


def said_by(log: EventLog) -> str:
    """The sentence that a log ends with, read off the state that its player shows."""
    kinds = {event[0] for event in log}
    if "compressed" in kinds:
        best = next(event for event in log if event[0] == "compressed")
        return " ".join(presented(best[4]))
    if "programme" in kinds:
        kept = next(event[2] for event in log if event[0] == "programme")
        return " ".join(presented([log.events[0][1][place] for place in kept]))
    if "path" in kinds:
        return " ".join(presented(next(event for event in log if event[0] == "path")[4]))
    if "goal" in kinds:
        goal = next(event[1] for event in log if event[0] == "goal")
        return " ".join(unit for unit, _ in words_of(fold(log, len(log), "chart"), goal)[0])
    state = fold(log, len(log), "beam")
    serial = state["finished"]["serial"]
    (end,) = (one for one in state["columns"][-1]["states"] if one["serial"] == serial)
    return " ".join(unit for unit, _ in end["order"])


@pytest.mark.torture  # makes a gallery of its own
def test_every_showpiece_ends_with_what_its_card_says(usual) -> None:
    wrong = set()
    for page in usual.pages:
        logs = {"": page.log, "A": page.log, "B": page.other}
        for found in page.found:
            assert said_by(logs[found.who]) == found.text, page.file
            if not found.is_right:
                wrong.add(f"{page.file.removesuffix('.html')} {found.who}".strip())
    assert wrong == WRONG and sum(len(page.found) for page in usual.pages) == 21
    titles = {page.file: page.title for page in usual.pages}
    assert titles["two-beams.html"] == "What does a beam of 1 overlook?"
    assert titles["partial-tree.html"] == "Can four known arcs mend a wrong sentence?"
    assert titles["ten-words.html"] == "What does a beam make of ten units?"
    assert titles["early-update.html"] == "Where does gold fall out of the beam?"
    assert titles["ccg-and-dependencies.html"] == "What do categories know that links do not?"
    assert titles["without-weights.html"] == "Why is a search lost without weights?"


IN_SIGHT = """(selector) => [...document.querySelectorAll(selector)].filter((part) => {
  const box = part.getBoundingClientRect();
  const inside = ({ left, top, right, bottom }) => box.width && box.left >= left - 1
    && box.top >= top - 1 && box.right <= right + 1 && box.bottom <= bottom + 1;
  if (!inside({ left: 0, top: 0, right: innerWidth, bottom: innerHeight })) return false;
  for (let around = part; around; around = around.parentElement) {
    const { overflowX, overflowY } = getComputedStyle(around);
    const cuts = (way) => way !== "visible";
    const grows = around.scrollHeight > around.clientHeight + 1;
    if (around === part ? cuts(overflowY) && grows && part.matches("p")
      : (cuts(overflowX) || cuts(overflowY)) && !inside(around.getBoundingClientRect()))
      return false;
  }
  return true;
}).map((part) => [
  part.textContent.replace(/[\u2067\u2069]/g, ""),
  parseFloat(getComputedStyle(part).fontSize) * (part.getScreenCTM?.().a ?? 1),
])"""


def test_each_page_answers_its_question_in_five_seconds(telling, page) -> None:
    """Unclicked, at two sizes: the question is the title, and what answers it is wholly in sight,
    in type of 12 px or more. (What answers is said in ``gallery.toml``.) And each plays."""
    silent = []
    for shown, (width, height) in product(telling.pages, ((1280, 720), (968, 720))):
        page.set_viewport_size({"width": width, "height": height})
        page.goto((telling.folder / shown.file).as_uri())
        page.wait_for_selector("html[data-ready=true]", state="attached")
        assert page.locator("h2").first.inner_text() == shown.title
        told = page.evaluate(IN_SIGHT, shown.answer)
        said = [text for text, size in told if size >= 12 and re.search(shown.told, text)]
        if not (shown.told and said):
            silent.append(f"{shown.file} at {width}: no {shown.told!r} in {told}")
        assert shown.file == "explorer.html" or page.get_by_role("button", name="Play").count()
    assert not silent, "\n".join(silent)


def test_the_index_is_a_page_of_questions(telling) -> None:
    """Each card has a picture, a question, what was found and the minutes; settings fold away."""
    index = (telling.folder / "index.html").read_text(encoding="utf-8")
    way, _, cards = index.partition("</ol>")
    cards, made = cards.split("<details>")
    stages = sorted((page.route, page.file) for page in telling.pages if page.route)
    assert re.findall(r'<li><a href="([^"]+)"', way) == [file for _, file in stages]
    assert [place for place, _ in stages] == [1, 2, 3, 4, 5, 6]
    groups = re.findall(r"<h2>(.*?)</h2>", cards)
    assert groups == list(dict.fromkeys(page.section for page in telling.pages))
    cards = cards.split("<li class=")[1:]
    assert len(cards) == len(PAGES) and all(card.count("<svg ") == 1 for card in cards)
    pictures = [card.partition("</svg>")[0].partition("aria-label")[2] for card in cards]
    assert len({picture.partition(">")[2] for picture in pictures}) == len(PAGES)
    for card, page in zip(cards, telling.pages, strict=True):
        (title,) = re.findall(r'<h3><a href="([^"]+)">([^<]+\?)</a></h3>', card)
        assert title == (page.file, page.title) and f"about {page.minutes} minutes" in card
        rights = re.findall(r'data-right="(true|false)"', card)
        assert rights == [str(found.is_right).lower() for found in page.found]
        assert "beam 6" not in page.learns + card.split("</svg>")[1]
    assert "liu-2015 on own.mrg" in made and "beam 6" in made and "expansions" in made


def test_the_index_fits_the_screen(telling, page) -> None:
    """By day and by night; nothing is wider than its place, pictures have one width."""
    papers = set()
    for width, scheme in product((968, 1280, 1920), ("light", "dark")):
        page.set_viewport_size({"width": width, "height": 720})
        page.emulate_media(color_scheme=scheme)
        page.goto((telling.folder / "index.html").as_uri())
        wide, pictures, outside, paper = page.evaluate(
            """() => [
              document.documentElement.scrollWidth,
              [...document.querySelectorAll("svg")].map((svg) => Math.round(svg.clientWidth)),
              [...document.querySelectorAll(".card *")].filter((part) => {
                const [card, box] = [part.closest(".card"), part].map(
                  (one) => one.getBoundingClientRect());
                return box.left < card.left - 1 || box.right > card.right + 1;
              }).map((part) => part.outerHTML),
              getComputedStyle(document.body).backgroundColor,
            ]"""
        )
        assert wide <= width and len(set(pictures)) == 1 and pictures[0] > 250 and outside == []
        papers.add(paper)
    assert len(papers) == 2


# --- every kind of page ----------------------------------------------------------------------


def test_best_first_search_has_its_pages(telling) -> None:
    """Beside a beam, and beside itself without weights."""
    played = telling.played
    best, beam = played["best-first-and-beam"]["logs"]
    assert count(best, "popped") and count(beam, "candidate") and not count(beam, "popped")
    assert best["columns"]["begin"][0] != [] and count(best, "gold") == 0
    zero, trained = played["without-weights"]["logs"]
    assert not any(zero["columns"]["edge"][4]) and any(trained["columns"]["edge"][4])
    assert zero["columns"]["begin"][:2] == trained["columns"]["begin"][:2]
    assert played["agenda"]["logs"] == played["chart"]["logs"]
    (learned,) = played["parameter-updates"]["logs"]
    assert count(learned, "edge_update") > 3 and count(learned, "weight")


def categories(log: dict[str, Any], kind: str) -> set[str]:
    """The categories of its leaves, or of its other edges."""
    column = log["columns"][kind][6]
    return {column["names"][i] for i in column["ids"]}


def test_ccg_has_its_pages(telling) -> None:
    """A derivation is found and starred; a corpus without derivations learns from the Gazette."""
    assert "zhang-clark-2015-ccg on gazette: " in texts(telling.folder)["index"]
    ccg, links = telling.played["ccg-and-dependencies"]["logs"]
    assert [ccg] == telling.played["ccg-agenda"]["logs"] == telling.played["ccg-chart"]["logs"]
    assert ccg["columns"]["begin"][:2] == links["columns"]["begin"][:2]
    gold = dict(zip(ccg["columns"]["edge"][0], ccg["columns"]["edge"][5]))
    (goal,) = ccg["columns"]["goal"][0]
    assert gold[goal] == 1 and 0 in gold.values() and 1 in links["columns"]["leaf"][5]
    assert categories(ccg, "leaf") > {"NP[nb]", "."} and "S[dcl]" in categories(ccg, "edge")
    assert categories(links, "leaf") == {""}
    (learned,) = telling.played["ccg-updates"]["logs"]
    assert count(learned, "edge_update") > 3 and "S[dcl]" in categories(learned, "edge")


def test_compression_has_its_pages(telling) -> None:
    """One search and its outputs; the same sentence with cube pruning and without."""
    index = texts(telling.folder)["index"]
    assert "cohn-lapata-2009 on gazette: " in index and "20 short pairs" in index
    (log,) = telling.played["tree-transduction"]["logs"]
    assert count(log, "compressed") == 1 and count(log, "points") and count(log, "combined")
    cube, every = telling.played["cube-pruning"]["logs"]
    assert cube["columns"]["begin"][0] == every["columns"]["begin"][0]
    assert 0 < count(cube, "combined") < count(every, "combined")
    assert count(cube, "application") == count(every, "application")


KINDS = {"model": "small", "best": "best-first", "short": "compression"}


@pytest.mark.parametrize("kind", KINDS)
def test_a_model_of_ones_own(own, tmp_path, capsys, monkeypatch, kind: str) -> None:
    """It is used in place of the small one of its kind, and named. (The pages are made above.)"""
    model = tmp_path / "<i>.wol"
    model.write_bytes(Path(getattr(own, kind)).read_bytes())
    others = {what: name for name, what in KINDS.items()} | {"CCG": "ccg"}
    ready = {what: wl.load_model(getattr(own, name)) for what, name in others.items()}

    def no_pages(given: Any, corpus: Any, sentences: Any, arguments: Any) -> tuple[list, list[str]]:
        derived = gallery_run.ccg.with_derivations(corpus, arguments)
        models, about = gallery_run._models(given, sentences, derived, arguments)
        assert any(one is given for one in models) and len(about) == 4
        return [], about

    monkeypatch.setattr(gallery_run, "pages_of", no_pages)
    monkeypatch.setattr(gallery_run, "small_model", lambda what, *_: ready[what])
    assert gallery(own, tmp_path / "pages", "--model", str(model)) == 0
    assert f"training a {KINDS[kind]} model" not in capsys.readouterr().out
    assert "<li>&lt;i&gt;.wol</li>\n<li>" in texts(tmp_path / "pages")["index"]


@pytest.mark.torture  # makes a gallery of its own
def test_derivations_and_a_ccg_model_of_ones_own(own, tmp_path, capsys) -> None:
    """They are used in place of the Gazette's; what is shown comes from there, in their units."""
    folder = tmp_path / "pages"
    given = SimpleNamespace(corpus=own.auto)
    assert gallery(given, folder, "--model", own.ccg) == 0
    assert "training a CCG model" not in capsys.readouterr().out
    (updates,) = data_of(texts(folder)["ccg-updates"])["logs"]
    learned = {word for sentence in derived() for unit in sentence.surface for word in unit.split()}
    assert {word for units in updates["columns"]["begin"][0] for word in units} <= learned
    shown = data_of(texts(folder)["ccg-agenda"])["logs"][0]["columns"]["begin"][0]
    assert not any(" " in unit for units in shown for unit in units)
    found, name = gallery_compression.pairs_to_learn(own.pairs)
    assert name == own.pairs and {pair.kind for pair in found} == {"deletion", "reordering"}


@pytest.mark.torture  # makes a gallery of its own
def test_the_same_seed_gives_the_same_pages(own, telling, tmp_path) -> None:
    assert gallery(own, tmp_path) == 0
    assert texts(tmp_path) == texts(telling.folder)


def test_the_index_leads_to_a_table_whose_searches_play(telling, page) -> None:
    """(That each card has its page, and that each page plays, is asked above.)"""
    page.goto((telling.folder / "index.html").as_uri())
    page.locator(".card h3 a[href='explorer.html']").click()
    page.wait_for_selector("html[data-ready=true]", state="attached")
    page.locator(".wol-grid-row").first.click()
    page.get_by_role("button", name="Play the search").click()
    page.get_by_role("region", name="Player").wait_for()


def test_the_searches_shown_are_those_where_gold_stayed_longest() -> None:
    log = EventLog()
    for steps, reason in ((5, "early"), (9, "end"), (2, "early"), (7, "early"), (5, "early")):
        log.begin(["a"], [1], 1, 4)
        for step in range(steps):
            log.step(step + 1)
        log.update(0, steps, reason, 0.0, 1.0)
    searches = split_searches(log)
    assert [len(search) - 2 for search in searches] == [5, 9, 2, 7, 5]
    assert latest_falls(searches, 2) == [searches[0], searches[3]]
    assert latest_falls(searches[1:2], 2) == [searches[1]]
