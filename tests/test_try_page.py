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

import pyodide_files
import pytest
from browser import watched
from site_pages import tab_answers, tab_site
from site_pages.pyodide_files import CHECKSUMS, NUMPY, NoFiles

import wordorder_lab as wl

BAG = "the old a gave man her book yesterday"
POLICY = re.compile(r'Content-Security-Policy" content="([^"]*)"')
MOST = 20_000_000
"""Bytes of a first visit."""


@pytest.fixture(scope="module")
def tab(tmp_path_factory) -> Path:
    """The page's files, with the smallest of the trained models."""
    folder = pyodide_files.folder()
    made = tmp_path_factory.mktemp("tab")
    few = {name: tab_site.SYSTEMS[name] for name in ("everyday", "ngram-beam")}
    with pytest.MonkeyPatch.context() as patch:
        files = {name: (folder / name).read_bytes() for name in CHECKSUMS}
        patch.setattr(tab_site, "pyodide_files", lambda: files)
        patch.setattr(tab_site, "MODELS", made / "models")
        patch.setattr(tab_site, "SYSTEMS", few)
        patch.setattr(tab_site, "EPOCHS", {"ngram-beam": {}})
        tab_site.written.cache_clear()
        written = tab_site.written()
        tab_site.written.cache_clear()
    for name, data in written.items():
        path = made / "site" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return made / "site"


@contextmanager
def served(folder: Path, policy: str | None = None) -> Iterator[str]:
    """The address of a server of these files alone; each comes with this content policy."""

    class Handler(SimpleHTTPRequestHandler):
        def end_headers(self) -> None:
            if policy:
                self.send_header("Content-Security-Policy", policy)
            super().end_headers()

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


def ordered(page) -> tuple[str, str]:
    """Press the button, and what comes of it: the sentence, and what is told of the search."""
    page.click("#order")
    until(page, lambda: page.locator("#order").is_enabled())
    assert page.locator("#status").inner_text() == ""
    return page.locator("#text").inner_text(), page.locator("#more").inner_text()


@pytest.mark.slow
def test_words_are_ordered_in_the_browser(chromium, own) -> None:
    with watched(chromium, own) as page:
        page.goto(f"{own}/try/index.html")
        page.locator("#player .wol-narration").wait_for()
        assert "recorded: beam 16" in page.locator("#more").inner_text()
        page.fill("#bag", BAG)
        text, told = ordered(page)
        here = wl.load_model("everyday").order(BAG, beam=16, engine="reference")
        assert text == here.text and f"{here.counters['candidates']:,} candidates" in told
        assert here.text in page.locator("#player .wol-narration").inner_text()

        page.check("#compare")
        page.select_option("#setting", "2")
        narrower = wl.load_model("everyday").order(BAG, beam=2, engine="reference")
        told = f"{narrower.counters['candidates']:,} candidates"
        assert told in ordered(page)[1]
        assert page.locator("#player h3", has_text="before").count() == 1
        address = page.url
        assert "beam=2" in address and "system=everyday" in address

        page.select_option("#system", "ngram-beam")
        page.fill("#bag", "<img src=x onerror=alert(1)> [the] flood")
        assert page.locator("#setting").input_value() == "16"
        text, _ = ordered(page)
        assert sorted(text.split()) == sorted("<img src=x onerror=alert(1)> the flood".split())
        assert page.locator("main img").count() == 0
        page.set_viewport_size({"width": 400, "height": 800})
        assert page.evaluate("() => document.documentElement.scrollWidth") == 400

        page.fill("#bag", "[the cat")
        page.click("#order")
        until(page, lambda: "wrong" in (page.locator("#status").get_attribute("class") or ""))
        assert "no closing bracket" in page.locator("#status").inner_text()
        with page.expect_download() as download:
            page.click("#log")
        log = wl.EventLog.load(download.value.path())
        assert "flood" in repr(log.events)

        page.goto("about:blank")
        page.goto(address)  # the link says all of it, and Python orders it again
        until(page, lambda: told in page.locator("#more").inner_text())
        assert page.locator("#bag").input_value() == BAG


@pytest.mark.slow
def test_a_search_is_stopped_at_once(chromium, own) -> None:
    with watched(chromium, own) as page:
        page.goto(f"{own}/try/index.html")
        until(page, lambda: page.locator("#status").inner_text() == "")
        page.fill("#bag", " ".join(f"{word} {BAG}" for word in "abcdef"))
        page.select_option("#setting", "64")
        page.click("#order")
        page.wait_for_timeout(100)
        page.click("#stop")
        assert page.locator("#order").is_enabled() and page.locator("#stop").is_disabled()
        page.fill("#bag", BAG)
        assert ordered(page)[0] == wl.load_model("everyday").order(BAG, engine="reference").text


@pytest.mark.slow
@pytest.mark.parametrize("name", [f"pyodide/{NUMPY}", "wordorder_lab.zip"])
def test_a_file_that_came_cut_is_named(chromium, own, tab, name) -> None:
    wrong: list[str] = []
    file = tab / "try" / name
    whole = file.read_bytes()
    with watched(chromium, own, wrong) as page:
        file.write_bytes(whole[:-1])
        page.goto(f"{own}/try/index.html")
        until(page, lambda: "Python does not start" in page.locator("#status").inner_text())
        file.write_bytes(whole)
        told = page.locator("#status").inner_text()
        assert name in told and "is not the file of this page" in told and "Reload" in told
        wrong.clear()


@pytest.mark.slow
def test_a_first_visit_is_small(tab) -> None:
    sizes = {path.name: path.stat().st_size for path in tab.rglob("*.*") if path.suffix != ".wol"}
    assert sum(sizes.values()) < MOST, sizes


# --- Python's side, as it answers here ------------------------------------------------------------


def test_questions_are_answered() -> None:
    def ask(**question: object) -> dict:
        return json.loads(tab_answers.answer(json.dumps(question)))

    search = {"do": "order", "model": "everyday", "bag": BAG}
    first = ask(**search, search={"beam": 4})
    here = wl.load_model("everyday").order(BAG, beam=4, engine="reference")
    assert (first["text"], first["counters"]) == (here.text, dict(here.counters))
    assert len(first["player"]["logs"]) == 1
    both = ask(**search, search={"beam": 2}, compare=True)["player"]
    assert len(both["logs"]) == 2 and both["names"] == ["before", "now"]
    assert ask(do="page")["page"].startswith("<!DOCTYPE html>") and len(ask(do="log")["log"]) > 999
    for bag in ("", "[the cat", "a>1", " ".join("a" * 1500)):
        error = ask(**{**search, "bag": bag}, search={"beam": 4})["error"]
        assert error and "\n" not in error
    assert "beam" in ask(**search, search={"beam": 0})["error"]


def test_without_pyodide_there_is_no_page(monkeypatch, capsys) -> None:
    def none() -> None:
        raise NoFiles("there are none")

    monkeypatch.setattr(tab_site, "pyodide_files", none)
    tab_site.written.cache_clear()
    assert tab_site.written() == {} and "there are none" in capsys.readouterr().out
    (page,) = tab_site.pages()
    assert "make site PYODIDE=folder" in page.markdown
    tab_site.written.cache_clear()
