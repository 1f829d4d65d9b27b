"""What the tests of pages share: one headless Chromium, offline, that reports what goes wrong.

A test takes the fixture ``page``; without a browser, or without playwright, it skips and says so.
``$WORDORDER_LAB_BROWSER`` names a browser; otherwise it is the first of ``BROWSERS`` on the path.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from wordorder_lab.commands.bench_players import BROWSERS, FLAGS, find_browser
from wordorder_lab.trace.log import EventLog
from wordorder_lab.widgets.module import EVERYTHING, EXPLORER, VIEWS, module_text, style_text
from wordorder_lab.widgets.packing import pack

if TYPE_CHECKING:
    from playwright.sync_api import (
        Browser,
        BrowserContext,
        ConsoleMessage,
        Locator,
        Page,
        Request,
        Route,
        WebError,
    )

NO_HOST = ("file:", "data:", "blob:", "about:")
"""How an address begins that asks no host for anything."""
PATIENCE = 120_000
"""Milliseconds until a page is given up, on a machine that is busy with other things."""


def menu(page: Page) -> Locator:
    """The player's menu, opened: what is seldom needed. A press elsewhere closes it."""
    if page.locator(".wol-menu:not([open])").count():
        page.get_by_label("More", exact=True).first.click()
    return page.locator(".wol-menu-panel").first


def grows_in_presentation_mode(page: Page, selector: str) -> None:
    """What is there gets a third larger; waited for, as all is drawn anew after a moment."""
    height = f"document.querySelector({selector!r})?.getBoundingClientRect().height"
    # A new theme draws it anew, too.
    before = page.wait_for_function(f"() => {height}").json_value()
    page.get_by_label("Presentation mode").click()
    page.wait_for_function(f"(before) => {height} > 1.3 * before", arg=before)


def ready(page: Page, path: Path, address: str = "") -> None:
    """Open what was written there, at this moment of it, and wait until it can be used."""
    page.goto(path.as_uri() + address)
    page.wait_for_selector("html[data-ready]")


EXPOSED: dict[tuple[Page, str], Callable[..., Any]] = {}


def expose(page: Page, name: str, function: Callable[..., Any]) -> None:
    """Let the scripts of a page call a function, until another one is exposed by this name."""
    if (page, name) not in EXPOSED:
        page.expose_function(name, lambda *values: EXPOSED[page, name](*values))
    EXPOSED[page, name] = function


def go_to(page: Page, event: int) -> None:
    """Go to the moment after so many events; the timeline itself goes by steps."""
    page.evaluate("(k) => wordorderPlayer.go(wordorderPlayer.clock.tickOf(k))", event)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """The browser, started once, with a profile of its own.

    While it runs this thread counts as one with a running asyncio loop: a test that calls
    ``asyncio.run`` has to do so in another thread or process.
    """
    program = find_browser()
    if program is None:
        pytest.skip(f"no browser: none of {', '.join(BROWSERS)}, no $WORDORDER_LAB_BROWSER")
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=program, args=list(FLAGS))
        yield browser
        browser.close()


@contextmanager
def watched(
    browser: Browser, own: str | None = None, wrong: list[str] | None = None
) -> Iterator[Page]:
    """An empty page of a new context; at the end, nothing may have gone wrong in it.

    Wrong are errors, and requests to any host but ``own``, an address such as
    ``http://127.0.0.1:8888``; they are not answered. Without ``own`` the network is off. What went
    wrong so far is in the list ``wrong``. Motion is reduced: what a test reads stands still.
    """
    with browser.new_context(offline=own is None, reduced_motion="reduce") as context:
        allowed = NO_HOST if own is None else (*NO_HOST, own + "/")
        if own is not None:
            context.route(lambda url: not url.startswith(allowed), lambda route: route.abort())
        with _page_of(context, allowed, [] if wrong is None else wrong) as page:
            yield page


@contextmanager
def _page_of(context: BrowserContext, allowed: tuple[str, ...], wrong: list[str]) -> Iterator[Page]:
    """The first page of the context, empty, under watch until what it has opened is closed."""

    def requested(request: Request) -> None:
        if not request.url.startswith(allowed):
            wrong.append(f"{request.method} {request.url}")

    def said(message: ConsoleMessage) -> None:
        if message.type == "error":
            wrong.append(message.text)

    def failed(error: WebError) -> None:
        wrong.append(str(error.error))

    heard: dict[Any, Any] = {"request": requested, "console": said, "weberror": failed}
    for kind, listener in heard.items():
        context.on(kind, listener)
    try:
        page = context.pages[0] if context.pages else context.new_page()
        page.set_default_timeout(PATIENCE)
        yield page
        assert not wrong, "\n".join(["the page asked a host, or it has errors:", *wrong])
    finally:
        for opened in context.pages[1:]:
            opened.close()
        _as_new(context.pages[0])
        for kind, listener in heard.items():
            context.remove_listener(kind, listener)


def _as_new(page: Page) -> None:
    """As it was opened: a page takes three times as long as going to another address in it."""
    page.goto("about:blank")
    page.set_viewport_size({"width": 1280, "height": 720})
    page.emulate_media(media="screen", color_scheme="light", reduced_motion="reduce")
    page.mouse.move(0, 0)


@pytest.fixture(scope="session")
def offline(chromium: Browser) -> Iterator[BrowserContext]:
    """What the tests share: a context and a page of its own for each cost more than a player."""
    with chromium.new_context(offline=True, reduced_motion="reduce") as context:
        yield context


@pytest.fixture
def page(offline: BrowserContext) -> Iterator[Page]:
    """An empty page, offline, that must come to its end without an error or a request.

    It is the same one for all tests, and so is its storage: the test of a page that keeps
    something there takes ``watched``.
    """
    with _page_of(offline, NO_HOST, []) as page:
        yield page


JOINED = """async (text) => {
  const names = await import(URL.createObjectURL(new Blob([text], {type: "text/javascript"})));
  names.addEverything();
  const known = Object.keys(names).filter((name) => name !== "default");
  globalThis.called = (code, given) => {
    const values = known.map((name) => names[name]);
    return new Function(...known, `return ${code}`)(...values)(...given);
  };
}"""
DECLARED = re.compile(r"^(?:async )?(?:function|class|const|let) ([\w$]+)", re.MULTILINE)
Call = Callable[..., Any]


@pytest.fixture(scope="session")
def module(chromium: Browser) -> Iterator[Call]:
    """Calls a function written in JavaScript that has every name of the players' module at hand.

    Arguments are plain data; logs are packed. The module comes once for all tests.
    """
    text = module_text(EVERYTHING)

    def plain(value: Any) -> Any:
        if isinstance(value, list):
            return [plain(one) for one in value]
        return pack(value) if isinstance(value, EventLog) else value

    with watched(chromium) as page:
        page.evaluate(JOINED, f"{text}\nexport {{ {', '.join(DECLARED.findall(text))} }};")
        ask = "([code, given]) => called(code, given)"
        yield lambda code, *given: page.evaluate(ask, [code, [plain(one) for one in given]])


SERVED = f"""<!DOCTYPE html><title>Scripts</title><link rel="icon" href="data:,">
<style>{style_text(EXPLORER)}</style><main></main>"""


@pytest.fixture(scope="module")
def served(chromium: Browser) -> Iterator[Page]:
    """A page to which the scripts come one by one, as the ES modules that they are.

    They come once for all tests of a file; what has gone wrong is told after the last.
    """
    own = "http://scripts.test"

    def answer(route: Route) -> None:
        name = route.request.url.removeprefix(own + "/")
        if name:
            route.fulfill(path=VIEWS / name, content_type="text/javascript; charset=utf-8")
        else:
            route.fulfill(body=SERVED, content_type="text/html; charset=utf-8")

    with watched(chromium, own) as page:
        page.route(own + "/**", answer)
        page.goto(own + "/")
        yield page
