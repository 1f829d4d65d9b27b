"""The watch over pages barks: a request or an error anywhere in a page fails its test."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from browser import watched

if TYPE_CHECKING:
    from playwright.sync_api import Browser

WRONG = {
    "example.org/x.png": "<img src='http://example.org/x.png'>",
    "example.org/x.js": "<iframe srcdoc=\"<script src='https://example.org/x.js'></script>\">",
    "Failed to load": "<script>import('https://example.org/x.js')</script>",
    "WebSocket": "<script>new WebSocket('ws://127.0.0.1:9/')</script>",
    "thrown": "<iframe srcdoc=\"<script>throw Error('thrown')</script>\"></iframe>",
}


def look_at(path: Path, chromium: Browser, goes_wrong: bool) -> str:
    wrong: list[str] = []
    with watched(chromium, wrong=wrong) as page:
        page.goto(path.as_uri())
        page.wait_for_timeout(100)
        while goes_wrong and not wrong:
            page.wait_for_timeout(20)
        return page.inner_text("body")


@pytest.mark.parametrize("said", WRONG)
def test_what_goes_wrong_in_a_page_is_noticed(chromium, tmp_path, said: str) -> None:
    path = tmp_path / "page.html"
    path.write_text(WRONG[said], encoding="utf-8")
    with pytest.raises(AssertionError, match=said):
        look_at(path, chromium, goes_wrong=True)


def test_a_page_that_stays_at_home_passes(chromium, tmp_path) -> None:
    path = tmp_path / "page.html"
    path.write_text("<script>localStorage.x = 1</script><p>hello</p>", encoding="utf-8")
    assert look_at(path, chromium, goes_wrong=False) == "hello"
