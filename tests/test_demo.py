"""``wordorder-lab demo``: the page that it writes, in a browser without a network and as text."""

from __future__ import annotations

import io
import json
import re
from contextlib import redirect_stdout
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace

import pytest
from command_line import PLAIN, SCORES, write_corpus

from wordorder_lab.cli import main, parser
from wordorder_lab.commands.common import spread
from wordorder_lab.commands.demo import page as demo_page
from wordorder_lab.commands.demo import run as demo
from wordorder_lab.commands.demo.page import marked, standing
from wordorder_lab.commands.html import learning_curve, length_bars, node
from wordorder_lab.corpora import Corpus, load_compressions, load_corpus
from wordorder_lab.corpora.readers.corpus import Part
from wordorder_lab.metrics.ordering import score_ordering
from wordorder_lab.structures.trees import html_of
from wordorder_lab.systems import load_model

SIZE = ["--beam", "3", "--epochs", "2", *PLAIN]
PLAYERS = 4
MAX_BYTES = 3_000_000
WICKED = {"teacher": "<script>alert`1`</script>", "clock": "</script>&amp;", "river": '"><b>'}
"""Words of the corpus of these tests, which would be markup if anybody let them."""


class Outline(HTMLParser):
    """The start tags of a page, with their attributes, and its text without scripts and styles."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        if self.tags and self.tags[-1][0] not in ("style", "script"):
            self.text += data

    def all(self, *names: str) -> list[dict[str, str | None]]:
        return [attributes for tag, attributes in self.tags if tag in names]


@pytest.fixture(scope="module")
def own(tmp_path_factory) -> SimpleNamespace:
    """A demo on a corpus with wicked words: its folder and its page."""
    folder = tmp_path_factory.mktemp("own")
    corpus = write_corpus(folder)
    text = corpus.read_text(encoding="utf-8")
    for word, wicked in WICKED.items():
        text = text.replace(word, wicked)
    corpus.write_text(text, encoding="utf-8")
    out = folder / "new" / "demo"
    shown = io.StringIO()
    with redirect_stdout(shown):
        assert main(["demo", "--corpus", str(corpus), *SIZE, "--out", str(out)]) == 0
    page = out / "index.html"
    read = {"shown": shown.getvalue(), "text": page.read_text("utf-8")}
    return SimpleNamespace(corpus=str(corpus), out=out, page=page, **read)


def test_it_trains_scores_and_says_how_to_go_on(own) -> None:
    told = ("epoch  2", "random order", "BLEU 13a lower", "reference", "--model", "index.html")
    assert [text for text in told if text not in own.shown] == []
    scores = json.loads((own.out / "scores.json").read_text())
    assert scores.keys() >= SCORES and len(scores["by_epoch"]) == 2
    assert main(["order", "--model", str(own.out / "model.wol"), *PLAIN, "paints ./."]) == 0


def test_the_embedded_corpus_is_what_it_takes() -> None:
    assert parser(["demo"]).parse_args(["demo"]).corpus == "gazette"


@pytest.mark.slow
def test_the_gazette_needs_nobody(tmp_path, monkeypatch) -> None:
    """A few sentences of it: the page says what the corpus is, and nothing is asked for."""
    whole = load_corpus("gazette")
    few = {"train": Part(tuple(whole.train[:60])), "dev": Part(tuple(whole.dev[:24]))}
    monkeypatch.setattr("nltk.download", lambda *_, **__: pytest.fail("it asked for a corpus"))
    readers = {split: lambda part=part: part for split, part in few.items()}
    monkeypatch.setattr(demo, "load_corpus", lambda name: Corpus(name, "base-np", readers))
    pairs = load_compressions("gazette")
    some = SimpleNamespace(train=pairs.train[:40], dev=pairs.dev[:6])
    monkeypatch.setattr(demo, "load_compressions", lambda name: some)
    monkeypatch.setattr(demo, "PAIRS", {"reference": 20})
    monkeypatch.setitem(demo.SETTINGS, "max_iterations", 3)
    assert main(["demo", *SIZE, "--out", str(tmp_path)]) == 0
    text = (tmp_path / "index.html").read_text("utf-8")
    assert "an invented newspaper" in text and "licence" not in text
    page = Outline(text)
    assert len(page.all("dl")) >= demo_page.SHOWN + len(some.dev)
    assert len(page.all("iframe")) == PLAYERS + 1 and "Cohn and Lapata" in page.text
    assert len(text.encode()) < MAX_BYTES
    told = json.loads((tmp_path / "scores.json").read_text())["compression"]
    assert told.keys() >= {"rate", "relation_f1", "floors", "bonus", "training_seconds"}
    assert (told["sentences"], told["pairs"]) == (6, 20)
    assert load_model(tmp_path / "compression.wol").settings["corpus"] == "gazette"


def test_without_pairs_nothing_is_made_shorter(own) -> None:
    assert "Making sentences shorter" not in own.text
    assert not (own.out / "compression.wol").exists()


def test_what_was_deleted_and_what_was_moved() -> None:
    """Struck out, or marked on both sides; of a word that stands twice, the one that moved."""
    source, output = "at night the old robin paints .", "the robin paints at night ."
    here, there = marked(source.split(), output.split())
    assert here == ["mark", "mark", "", "del", "", "", ""]
    assert there == ["", "", "", "mark", "mark", ""]
    assert marked(["a", "b", "a"], ["b", "c"]) == (["del", "", "del"], ["", "mark"])


def test_the_page_is_one_file_for_everybody(own) -> None:
    assert own.page.stat().st_size < MAX_BYTES
    page = Outline(own.text)
    assert page.all("html") == [{"lang": "en"}] and page.all("title", "h1")
    assert not page.all("img", "script", "base", "form", "object")
    assert {tag["href"] for tag in page.all("link")} == {"data:,"}
    assert all(str(tag["href"]).startswith("#") for tag in page.all("a"))
    assert not re.search(r"""(src|href)=["']?(https?:)?//|url\((?!data)""", own.text)
    ids = [tag["id"] for _, tag in page.tags if "id" in tag]
    assert len(ids) == len(set(ids))
    assert {str(tag["href"])[1:] for tag in page.all("a")} <= set(ids)
    levels = [int(tag[1]) for tag, _ in page.tags if re.fullmatch("h[1-6]", tag)]
    assert levels[0] == 1 and levels.count(1) == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))
    assert all(tag["role"] == "img" and tag["aria-label"] for tag in page.all("svg"))
    frames = page.all("iframe")
    assert len(frames) == PLAYERS == len({frame["title"] for frame in frames})
    assert all("allow-same-origin" not in str(frame["sandbox"]) for frame in frames)


def test_the_page_says_how_it_was_counted(own) -> None:
    page = Outline(own.text)
    told = ("case:mixed", "case:lc", "tok:13a", "beam 3, seed 1", "random order", "ms a sentence")
    for text in (*told, "licence", "wordorder-lab order --model", "Transition-Based"):
        assert text in page.text, text


def test_words_are_words(own) -> None:
    page = Outline(own.text)
    for wicked in WICKED.values():
        assert wicked in page.text or wicked not in own.text
    assert WICKED["teacher"] in page.text and WICKED["teacher"] not in own.text
    assert not page.all("b") or len(page.all("b")) == 1  # what it says, in bold
    assert (
        html_of(node("p", "a\x00<b>", node("i", "&"), "c"))
        == "<p>a\ufffd&lt;b&gt;<i>&amp;</i>c</p>"
    )


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_opens_offline_and_its_players_step(own, page, scheme: str) -> None:
    page.emulate_media(color_scheme=scheme)
    page.on("dialog", lambda dialog: pytest.fail("a word was run"))
    page.goto(own.page.as_uri())
    paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (paper == "rgb(255, 255, 255)") == (scheme == "light")
    for i in range(PLAYERS):
        page.locator("iframe").nth(i).scroll_into_view_if_needed()
        inside = page.frame_locator("iframe").nth(i)
        inside.locator("html[data-ready=true]").wait_for(state="attached")
        frame = page.locator("iframe").nth(i).bounding_box()
        player = inside.locator(".wol-player").first.bounding_box()
        assert 0 <= frame["height"] - player["height"] < 30, "nothing is cut, little blank"
        place = inside.get_by_label("Position")
        slider = inside.get_by_role("slider").first
        slider.press("ArrowLeft")
        before = place.inner_text()
        slider.press("ArrowLeft")
        assert place.inner_text() != before
        slider.press("ArrowRight")
        assert place.inner_text() == before
    page.get_by_text("The numbers").first.click()
    assert page.get_by_role("cell", name=re.compile(r"\d\.\d\d")).first.is_visible()


@pytest.mark.parametrize("width", [360, 1400])
def test_nothing_sticks_out(own, page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    page.goto(own.page.as_uri())
    assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("step", ["write_demo", "write_json"])
def test_interrupted_after_training_the_model_is_kept(
    own, tmp_path, capsys, monkeypatch, step: str
) -> None:
    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(demo, step, stop)
    assert main(["demo", "--corpus", own.corpus, *SIZE, "--out", str(tmp_path)]) == 130
    assert f"interrupted; the model is in {tmp_path / 'model.wol'}" in capsys.readouterr().err
    assert load_model(tmp_path / "model.wol").settings["beam"] == 3


def test_half_a_page_is_never_there(own, tmp_path, monkeypatch) -> None:
    def stop(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    (tmp_path / "index.html").write_text("the old one")
    monkeypatch.setattr(Path, "write_text", stop)
    assert main(["demo", "--corpus", own.corpus, *SIZE, "--out", str(tmp_path)]) == 130
    assert {path.name for path in tmp_path.iterdir()} == {"index.html", "model.wol"}
    assert (tmp_path / "index.html").read_bytes() == b"the old one"


def test_what_stands_elsewhere_is_marked() -> None:
    yes, no = True, False
    assert standing("abc", "abc") == ([yes, yes, yes], [yes, yes, yes])
    assert standing("bcda", "abcd") == ([yes, yes, yes, no], [no, yes, yes, yes])
    assert standing(["the cat", "saw"], ["saw", "the cat"]) in (
        ([yes, no], [no, yes]),
        ([no, yes], [yes, no]),
    )


def test_figures_of_odd_runs() -> None:
    """One epoch, fifty epochs, one sentence, a model below the floor, a perfect one."""
    for scores in ([3.0], [2.0 * i for i in range(50)], [100.0, 100.0]):
        picture = learning_curve([{"bleu_cased": score} for score in scores], 20.0)
        assert len(picture.findall("circle")) == len(scores)
        heights = [float(dot.get("cy", "")) for dot in picture.findall("circle")]
        assert all(0 < height < 300 for height in heights)
        assert f"random order has {20.0}" in picture.get("aria-label", "")
        assert len(picture.findall("line[@class='floor']")) == 1
    one = score_ordering(["a b"], ["b a"]).by_length
    bars = length_bars(one, one)
    assert len(bars.findall("rect")) == 1 and len(bars.findall("line[@class='floor']")) == 2


def test_outputs_are_spread_over_all() -> None:
    assert [*spread(200, 12)] == [*range(0, 192, 16)]
    assert [*spread(2, 12)] == [0, 1] and not spread(0, 12)
