"""The player in Python: what comes back, and what a notebook keeps of it."""

from __future__ import annotations

import html
import re
import subprocess
import sys
from typing import Any

import pytest
from random_logs import training_log

import wordorder_lab as wl
from wordorder_lab.widgets.page import telling

GUESSES = [
    {
        "view": "Beam states",
        "position": 9,
        "kind": "first of a step",
        "difficulty": "hard",
        "question": "first?",
        "guess": "LEFTARC",
        "answer": "RIGHTARC",
        "right": False,
    },
    {
        "view": "Beam states",
        "position": 30,
        "kind": "first of a step",
        "difficulty": "easy",
        "question": "first?",
        "guess": "LEFTARC",
        "answer": "LEFTARC",
        "right": True,
    },
]


@pytest.fixture
def player() -> Any:
    pytest.importorskip("anywidget")
    return wl.play(training_log())


def test_position_and_quiz(player) -> None:
    opened = player.position
    assert opened == telling(training_log(), len(training_log()))
    assert list(player.quiz.columns) == [*GUESSES[0]]
    player.guesses = GUESSES
    assert player.quiz["right"].tolist() == [False, True]
    assert player.quiz["position"].tolist() == [9, 30]
    with pytest.raises(Exception, match="position is 0 to"):
        player.position = 10**6
    assert player.position == opened


def framed_page(bundle: dict[str, Any]) -> str:
    """The page inside the iframe of a mimebundle."""
    framed = r'<iframe srcdoc="([^"]*)"[^>]*></iframe><script>.*</script>'
    found = re.fullmatch(framed, bundle["text/html"])
    assert found
    return html.unescape(found[1])


def test_a_notebook_keeps_a_page_that_plays(player) -> None:
    """Beside the live widget the bundle holds the page; it opens where the player stands."""
    player.position = 17
    data, _ = player._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in data
    assert framed_page(data) == player.page


def test_without_anywidget_it_is_a_page() -> None:
    """A plain Python still gets a player, of which nothing comes back."""
    program = (
        "import sys; sys.modules['anywidget'] = None; import wordorder_lab as wl; "
        "log = wl.EventLog(); log.step(1); "
        "assert wl.play(log)._repr_html_().startswith('<iframe')"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
