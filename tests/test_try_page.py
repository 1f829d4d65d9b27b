"""The page ``try/`` in a browser: Python in its worker gives what it gives here, and no host hears.

The server sends the page's content security policy with every file, so that the worker has it too.
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pyodide_files
import pytest
from browser import watched
from site_pages import tab_answers, tab_site
from site_pages.pyodide_files import CHECKSUMS, NUMPY, NoFiles

import wordorder_lab as wl
from wordorder_lab.systems.everyday import model_for

BAG = "the old a gave man her book yesterday"
POLICY = re.compile(r'Content-Security-Policy" content="([^"]*)"')
MOST, TRAINED = 20_000_000, 1_600_000
"""Bytes of a visit that asks for everything; of them the models that are not trained for a test."""


@pytest.fixture(scope="module")
def tab(tmp_path_factory) -> Path:
    """The page's files, without the models that would have to be trained."""
    folder = pyodide_files.folder()
    made = tmp_path_factory.mktemp("tab")
    few = {name: tab_site.SYSTEMS[name] for name in (*tab_site.ALONG, "ngram-beam")}
    with pytest.MonkeyPatch.context() as patch:
        files = {name: (folder / name).read_bytes() for name in CHECKSUMS}
        patch.setattr(tab_site, "pyodide_files", lambda: files)
        patch.setattr(tab_site, "MODELS", made / "models")
        patch.setattr(tab_site, "SYSTEMS", few)
        tab_site.written.cache_clear()
        written = tab_site.written()
        tab_site.written.cache_clear()
    for name, data in written.items():
        path = made / "site" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return made / "site"


@contextmanager
def served(folder: Path, policy: str | None = None, sent: list[str] | None = None) -> Iterator[str]:
    """The address of a server of these files alone; each comes with this content policy. What is
    sent as a whole is listed."""

    class Handler(SimpleHTTPRequestHandler):
        def end_headers(self) -> None:
            if policy:
                self.send_header("Content-Security-Policy", policy)
            super().end_headers()

        def copyfile(self, source: Any, outputfile: Any) -> None:
            if sent is not None:
                sent.append(self.path)
            super().copyfile(source, outputfile)

        def log_message(self, *_: object) -> None:
            pass

    handler = partial(Handler, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


@pytest.fixture
def own(tab) -> Iterator[str]:
    """The address of a server of the page."""
    policy = POLICY.findall((tab / "try/index.html").read_text(encoding="utf-8"))[0]
    with served(tab, policy) as address:
        yield address


def until(page, true: Callable[[], bool]) -> None:
    """Wait; the page's policy lets no expression be evaluated in it."""
    for _ in range(3000):
        if true():
            return
        page.wait_for_timeout(20)
    raise AssertionError(page.locator("#status").inner_text())


def told(page) -> str:
    """The one line below the form."""
    return page.locator("#status").inner_text()


def says(page, text: str) -> None:
    """Wait until it says so there."""
    until(page, lambda: text in told(page))


def done(page, button: str = "#order") -> tuple[str, str]:
    """Press the button, and what comes of it: the sentence, and what is told of the search."""
    page.click(button)
    until(page, lambda: page.locator(button).is_enabled())
    assert told(page) == ""
    return page.locator("#results .text").first.inner_text(), page.locator("#results").inner_text()


def downloaded(page, what: str) -> Path:
    with page.expect_download() as download:
        page.click(f"[data-keep={what}]")
    return Path(download.value.path())


def same_events(page, run: Callable[..., object]) -> bool:
    """Whether the events of the search on the page are those of the same engine here."""
    log = wl.EventLog()
    run(trace=log)
    return wl.EventLog.load(downloaded(page, "log")) == log


@pytest.mark.slow
def test_searches_in_the_browser(chromium, own) -> None:
    with watched(chromium, own) as page:
        page.goto(f"{own}/try/index.html")
        page.locator("#player .wol-narration").wait_for()
        assert "recorded: beam 16" in page.locator("#results").inner_text()
        page.fill("#given", BAG)
        text, more = done(page)
        order = partial(wl.load_model("everyday").order, BAG, engine="reference")
        here = order(beam=16)
        assert text == here.text and f"{here.counters['candidates']:,} candidates" in more
        assert same_events(page, partial(order, beam=16))
        assert here.text in page.locator("#player .wol-narration").inner_text()

        page.fill("#with", "2")
        assert order(beam=2).text in done(page)[1]
        heads = page.locator("#player h3")
        assert heads.filter(has_text="beam 2").count() == heads.filter(has_text="beam 16").count()
        address = page.url
        assert "beam=16" in address and "with=2" in address and "system=everyday" in address

        page.get_by_label("Back", exact=True).first.click()
        until(page, lambda: "event=" in page.url)
        moment, narration = page.url, page.locator("#player .wol-narration").inner_text()

        page.select_option("#system", "liu-2015-realization")
        text, _ = done(page)
        realize = partial(wl.realize, tab_site.TEXT, beam=16, engine="reference")
        assert text == realize().text and same_events(page, realize)
        page.select_option("#system", "mcdonald-2006")
        page.select_option("#example", "1")
        tree = page.locator("#given").input_value()
        page.fill("#setting", "0.5")
        text, _ = done(page)
        shorter = partial(model_for("compress").compress, engine="reference", rate=0.5)
        compress = partial(shorter, wl.parse_tree(tree))
        assert text == compress().text and same_events(page, compress)
        rows = downloaded(page, "csv").read_text(encoding="utf-8").splitlines()
        assert rows[0].startswith("kind,") and rows[1].startswith("begin,")
        assert downloaded(page, "page").read_text(encoding="utf-8").startswith("<!DOCTYPE html>")

        again = page.context.new_page()  # all that Python needs is in the browser's cache
        asked: list[str] = []
        again.on("request", lambda request: asked.append(request.url))
        again.goto(address)  # the link says all of it, and Python searches again
        until(again, lambda: order(beam=2).text in again.locator("#results").inner_text())
        assert again.locator("#given").input_value() == BAG
        again.goto("about:blank")
        again.goto(moment)  # and the moment
        until(again, lambda: again.locator("#player .wol-narration").inner_text() == narration)
        loaded = [one for one in asked if re.search(r"pyodide/|\.zip|\.wol", one)]
        assert loaded == []


@pytest.mark.slow
def test_links_and_words_mean_no_harm(chromium, own) -> None:
    hostile = "<img src=x onerror=alert(1)>"
    with watched(chromium, own) as page:
        page.goto(f"{own}/try/index.html#system={quote(hostile)}&bag=a")
        says(page, "This page has no system")
        for link, why in {
            "system=everyday&bag=a+b&beam=1e9": "beam is a whole number from 1 to 64, not “1e9”",
            "learn=constructor": "Nothing called “constructor”",
            "learn=liu-2015&epochs=0": "epochs is a whole number from 1 to 30, not “0”",
        }.items():
            page.goto(f"{own}/try/index.html#{link}")
            says(page, why)
        page.goto(f"{own}/try/index.html#system=ngram-beam&bag={quote(hostile)}+[the]+flood")
        until(page, lambda: "flood" in page.locator("#results").inner_text())
        words = page.locator("#results .text").inner_text().split()
        assert sorted(words) == sorted(f"{hostile} the flood".split())
        assert page.locator("main img").count() == 0
        page.set_viewport_size({"width": 400, "height": 800})
        assert page.evaluate("() => document.documentElement.scrollWidth") == 400
        page.fill("#given", "[the cat")
        page.click("#order")
        says(page, "no closing bracket")
        assert "wrong" in (page.locator("#status").get_attribute("class") or "")
        page.fill("#given", "what is typed stays")
        page.goto("about:blank")
        page.goto(f"{own}/try/index.html")
        until(page, lambda: page.locator("#given").input_value() == "what is typed stays")


@pytest.mark.slow
def test_a_tab_learns_and_stops(chromium, own) -> None:
    with watched(chromium, own) as page:
        page.goto(f"{own}/try/index.html")
        page.click("#to-learn")
        page.fill("#epochs", "2")
        done(page, "#train")
        assert "Learning over time" in page.locator("#player").inner_text()
        assert page.locator("#player .wol-program").count() == 0  # no search is in that log
        assert "Epoch 2 is over" in page.locator("#player .wol-narration").inner_text()
        page.fill("#epochs", "30")
        page.click("#train")
        says(page, "Epoch 2 of 30")
        page.click("#learn .stop")
        assert page.locator("#train").is_enabled() and "Stopped" in told(page)
        page.click("#to-search")
        page.select_option("#system", "learned")  # as it was after the last whole epoch
        page.fill("#given", "game . a miss did not [Defenders]")
        assert "Defenders" in done(page)[0]


SHORT_OF_MEMORY = b"""
WebAssembly.Memory = class { constructor() { throw new RangeError("could not allocate memory"); } };
"""


CHANGES: dict[str, Callable[[bytes], bytes]] = {
    "cut": lambda whole: whole[:-9],
    "other": lambda whole: whole[:-1] + b"!",
    "short of memory": lambda whole: SHORT_OF_MEMORY + whole,
    "gone": lambda _: b"",
}
"""What can happen to a file; an empty one is not there."""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "change", "why"),
    [
        (f"pyodide/{NUMPY}", "cut", "came cut"),
        ("wordorder_lab.zip", "other", "its checksum differs"),
        ("pyodide/pyodide.asm.js.packed", "gone", "is not there (404)"),
        ("worker.js", "short of memory", "too little memory"),
        ("worker.js", "gone", "no worker"),
    ],
)
def test_what_is_wrong_is_told_in_a_line(chromium, own, tab, name, change, why) -> None:
    wrong: list[str] = []
    file = tab / "try" / name
    whole = file.read_bytes()
    changed = CHANGES[change](whole)
    try:
        file.unlink()
        if changed:
            file.write_bytes(changed)
        with watched(chromium, own, wrong) as page:
            page.goto(f"{own}/try/index.html")
            says(page, "Python does not start")
            assert why in told(page) and "Reload" in told(page)
            assert name in told(page) or name == "worker.js"
            wrong.clear()
    finally:
        file.write_bytes(whole)


def test_without_webassembly_or_a_server(chromium, own, tab) -> None:
    wrong: list[str] = []
    with watched(chromium, own) as page:
        page.add_init_script("delete globalThis.WebAssembly")
        page.goto(f"{own}/try/index.html")
        says(page, "no WebAssembly")
    with watched(chromium, None, wrong) as page:
        page.goto((tab / "try/index.html").as_uri())
        page.locator("#closed").wait_for(state="visible")
        assert "python -m http.server" in page.locator("#closed").inner_text()
        wrong.clear()  # a browser loads no module from a folder, and says so


@pytest.mark.slow
def test_a_visit_is_small(tab) -> None:
    sizes = {path.name: path.stat().st_size for path in tab.rglob("*.*")}
    assert sum(sizes.values()) + TRAINED < MOST, sizes


def test_the_page_may_evaluate_nothing() -> None:
    policy = POLICY.findall((tab_site.SOURCES / "index.html").read_text(encoding="utf-8"))[0]
    assert "unsafe-eval" not in policy.replace("'wasm-unsafe-eval'", "")
    assert not re.search(r"https?:|\*", policy)
    for script in tab_site.SOURCES.glob("*.js"):
        assert not re.search(r"innerHTML|outerHTML|insertAdjacent|\beval\b", script.read_text())


# --- Python's side, as it answers here ------------------------------------------------------------


def ask(**question: object) -> dict:
    return json.loads(tab_answers.answer(json.dumps(question)))


def test_questions_are_answered() -> None:
    search = {"do": "search", "task": "order", "model": "everyday", "given": BAG}
    assert "nothing to keep" in ask(do="page")["error"]
    first = ask(**search, settings=[{"beam": 4}])
    here = wl.load_model("everyday").order(BAG, beam=4, engine="reference")
    (result,) = first["results"]
    assert (result["text"], result["counters"]) == (here.text, dict(here.counters))
    assert len(first["player"]["logs"]) == 1
    both = ask(**search, settings=[{"beam": 4}, {"beam": 2}])["player"]
    assert len(both["logs"]) == 2 and both["names"] == ["beam 4", "beam 2"]
    assert ask(do="page")["page"].startswith("<!DOCTYPE html>")
    assert [len(file) > 999 for file in ask(do="log")["files"]] == [True, True]
    assert [file.startswith("kind,") for file in ask(do="csv")["files"]] == [True, True]
    for bag in ("", "[the cat", "a>1", " ".join("a" * 1500)):
        error = ask(**{**search, "given": bag}, settings=[{"beam": 4}])["error"]
        assert error and "\n" not in error
    assert "beam" in ask(**search, settings=[{"beam": 0}])["error"]
    long = {**search, "task": "compress", "given": "word " * 41}
    assert "at most 40" in ask(**long, settings=[{"rate": None}])["error"]


def test_a_bag_is_shaken_with_all_that_is_given() -> None:
    line = "joined/VBD>0 [the board]/NP>1 [Pierre Vinken] ./. | 3<1"
    shaken = ask(do="shake", given=line, seed=3)["bag"]
    assert shaken != line
    before, after = wl.parse_bag(line), wl.parse_bag(shaken)
    (one,) = after.before
    assert [after.words[i] for i in one] == [("Pierre", "Vinken"), ("joined",)]
    assert after.words[after.heads[after.words.index(("the", "board"))]] == ("joined",)
    assert sorted(after.words) == sorted(before.words)


def test_what_a_tab_learns_from(tmp_path, monkeypatch) -> None:
    for name, text in tab_site.gazette().items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.setattr(tab_answers, "GAZETTE", tmp_path)
    monkeypatch.setattr(tab_answers, "MODELS", tmp_path)
    gazette, most = wl.load_corpus("gazette").train, tab_answers.MOST
    learned = {name: tab_answers.examples_of(name, "", print) for name in tab_site.LEARNERS}
    assert all(len(examples) == most for examples in learned.values())
    assert [one.tokens for one in learned["liu-2015"]] == [one.tokens for one in gazette[:most]]
    for one, other in zip(learned["zhang-clark-2015-ccg"], gazette[:most], strict=True):
        assert (one.surface, one.derivation) == (other.surface, other.derivation)
    for one, other in zip(learned["mcdonald-2006"], wl.load_compressions("gazette").train):
        assert (str(one.source), one.alignment) == (str(other.source), other.alignment)

    heard: list[dict] = []
    asked = {"do": "learn", "system": "liu-2015", "epochs": 2, "settings": {"beam": 4}}
    own = json.dumps({**asked, "sentences": "The old man left.\n\nShe read a book."})
    answer = json.loads(tab_answers.answer(own, lambda text: heard.append(json.loads(text))))
    assert answer["examples"] == 2 and answer["player"]["view"] == "learning"
    assert answer["player"]["title"] == "Training: 4 examples"
    assert [one["epochs"] for one in heard if "model" in one] == [1, 2]
    assert sum("player" in one for one in heard) == 2
    assert [one["parsed"] for one in heard if "parsed" in one] == [1, 2]
    assert "at most 20" in ask(**asked, sentences="a b\n" * 21)["error"]
    assert (
        "the Gazette alone" in ask(**{**asked, "system": "mcdonald-2006"}, sentences="a")["error"]
    )


def test_without_pyodide_there_is_no_page(monkeypatch, capsys) -> None:
    def none() -> None:
        raise NoFiles("there are none")

    monkeypatch.setattr(tab_site, "pyodide_files", none)
    tab_site.written.cache_clear()
    assert tab_site.written() == {} and "there are none" in capsys.readouterr().out
    (page,) = tab_site.pages()
    assert "make site PYODIDE=folder" in page.markdown
    tab_site.written.cache_clear()
