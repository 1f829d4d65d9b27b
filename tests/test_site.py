"""The generated pages of the site say what the code says, and the build is strict."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import tomllib
from html import escape
from pathlib import Path

import pytest
from house_rules import MARKS, ROOT, SOURCES
from site_pages import (
    bag_notation,
    command_line,
    differences,
    event_schema,
    every_page,
    gallery,
    glossary,
    json_fields,
    lite_site,
    matrix,
    model_file,
    notebooks,
    paper_map,
    python_interface,
    report,
    results,
    source_pages,
    tab_site,
)
from site_pages.dead_links import dead_links
from site_pages.navigation import navigation
from site_pages.page import escaped
from site_pages.shared_player import with_shared_parts

import wordorder_lab as wl
from wordorder_lab.cli import COMMANDS
from wordorder_lab.commands import options
from wordorder_lab.experiments import records
from wordorder_lab.experiments.verdicts import all_verdicts
from wordorder_lab.plots.verdict_marks import SIGNS
from wordorder_lab.systems.registry import names_of
from wordorder_lab.trace.events import SCHEMA

QUICK = "liu-2015-time"


def test_every_option_of_every_verb_has_its_place() -> None:
    pages = {page.path: page.markdown for page in command_line.pages()}
    index = (ROOT / "docs" / "reference" / "index.md").read_text(encoding="utf-8")
    for name, verb in COMMANDS.items():
        text = pages[f"reference/command_line/{name}.md"]
        for option in (given.rstrip("*+") for given in verb.options.split()):
            if option.startswith("--"):
                assert f"`{option}" in text, (name, option)
        own, common = {*verb.options.split()}, text.partition("\n## ")[0]
        with_settings = verb.tasks if verb.settings else ()
        for system in (one for task in with_settings for one in names_of(task)):
            (section,) = re.findall(rf"\n## .*`{system}`.*\n((?:(?!## ).*\n)*)", text)
            for option in {*options.rows_of(verb.settings, [system])} - own:
                assert len(re.findall(rf"^`{option}\b", section, re.MULTILINE)) == 1, option
                assert f"`{option} " not in common, "settings stand system by system"
        assert f"({name}.md)" in pages["reference/command_line/index.md"]
        assert f"(command_line/{name}.md)" in index
    assert "%(" not in "".join(pages.values())


def test_every_event_is_told_with_all_its_columns() -> None:
    (page,) = event_schema.pages()
    for name, kind in SCHEMA.items():
        _, heading, rest = page.markdown.partition(f"## `{name}` ")
        told = rest.partition("\n## ")[0]
        assert heading and escaped(kind.says) in told
        assert re.findall(r"^\| `(\w+)` \| `(\w+)`", told, re.MULTILINE) == [
            (column, type_.__name__) for column, type_ in kind.columns.items()
        ]


def test_every_public_name_says_enough() -> None:
    pages = python_interface.pages()
    assert {Path(page.path).stem for page in pages} == {*wl.__all__, "index"}
    assert all(getattr(wl, name) is not None for name in wl.__all__)


def test_a_public_name_that_says_too_little_stops_the_build(monkeypatch) -> None:
    def silent(bag):
        return bag

    monkeypatch.setattr(wl, "parse_bag", silent, raising=False)
    with pytest.raises(ValueError, match=r"parse_bag: no docstring; .*parse_bag: no type of bag"):
        python_interface.pages()


def test_all_differences_are_collected() -> None:
    """As many as the sources have, counted in another way: by their marks."""
    found = differences.notes()
    assert {name for name in SOURCES if name in found} == set(found)
    for name, points in found.items():
        text = " ".join((ROOT / name).read_text(encoding="utf-8").lower().split())
        note = text.partition(" differences - *")[2].partition('"""')[0]
        assert len(points) == sum(f"*{note}".count(mark) for mark in MARKS), name
    (page,) = differences.pages()
    assert page.markdown.count("\n## ") == len(found) > 20


def test_files_of_the_map_and_of_the_differences_have_pages() -> None:
    shown = {page.path for page in source_pages.pages(paper_map.files_named())}
    (page,) = paper_map.pages()
    linked = set(re.findall(r"\]\(\.\./(source/[^)]+)\)", page.markdown))
    assert linked == shown
    assert "source/wordorder_lab/transition/beam.md" in linked


def test_the_notation_is_read_by_the_parser() -> None:
    typed, conllu = bag_notation.pages()
    assert "| 2 a team | NP | 1 | obj |" in typed.markdown
    assert "the heads go round in a cycle" in typed.markdown
    assert "    3\tDr. Talcott\t" in conllu.markdown and "Before=1" in conllu.markdown
    with pytest.raises(ValueError, match="is a bag"):
        bag_notation.refusal("rain falls")


def test_a_model_file_is_told_field_by_field() -> None:
    (page,) = model_file.pages()
    header, arrays = model_file.small_model()
    assert {"format", "version", "checksum"} <= set(header)
    assert all(f"| `{name}` |" in page.markdown for name in [*header, *[a[0] for a in arrays]])


def test_fields_of_json_are_those_that_commands_write() -> None:
    (page,) = json_fields.pages()
    found = [
        name for name, _, _ in json_fields.fields({"a": {"b": 1}, "c": [{"d": None}], "e": []})
    ]
    assert found == ["a.b", "c[].d", "e"]
    assert all(f"## `wordorder-lab {name}`" in page.markdown for name in json_fields.RUN)
    assert "| `command` | `str` |" in page.markdown


def test_results_are_judged_once(monkeypatch, tmp_path) -> None:
    monkeypatch.setattr(results, "KEPT", tmp_path)
    monkeypatch.setattr(results, "names", lambda: [QUICK])
    index, page = results.pages()
    assert page.path == f"results/{QUICK}.md" and f'href="{QUICK}.html"' in index.html
    assert "wordorder-lab reproduce" in page.html and "claims" in index.html
    signs = [SIGNS[one.verdict][0] for one in all_verdicts([QUICK])[QUICK]]
    assert all(index.html.count(f">{sign}</span>") > signs.count(sign) for sign in signs)  # + key

    def never(*_: object, **__: object) -> None:
        raise AssertionError("judged again")

    monkeypatch.setattr(results, "entries", never)
    assert results.pages() == [index, page]


def test_what_a_record_costs_stands_beside_the_papers_set_up(monkeypatch) -> None:
    monkeypatch.setattr(results, "names", lambda: [QUICK, "wan-2009"])
    (page,) = report.pages()
    record = json.loads(records.record_file("wan-2009").read_text(encoding="utf-8"))
    (row,) = (line for line in page.markdown.splitlines() if line.startswith("| [wan-2009]"))
    assert record["paper"]["data"] in row and row.endswith(f"| {record['seconds'] / 60:.1f} |")


def test_each_notebook_is_listed() -> None:
    (page,) = notebooks.pages()
    for path in (ROOT / "notebooks").glob("[0-9]*.ipynb"):
        assert f"`{path.stem}`" in page.markdown
    assert "explain early update and max-violation" in page.markdown


def test_every_word_of_the_glossary_has_an_address() -> None:
    (page,) = glossary.pages()
    addresses = re.findall(r"^\{ #(\S+) \}$", page.markdown, re.MULTILINE)
    assert len(addresses) == len(set(addresses)) == len(re.findall(r"\n\*\*", page.markdown))
    assert {"early-update", "signature"} <= set(addresses)
    linked = set(re.findall(r"\]\(#([^)]+)\)", page.markdown))
    assert "max-violation" in linked <= set(addresses)


def test_navigation_has_what_is_there_index_first(tmp_path) -> None:
    for name in ("index.md", "do/own_bag.md"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("# a", encoding="utf-8")
    index = "First [b](own_bag.md), then [a](answers.md) and [an experiment](an_experiment.md)."
    (tmp_path / "do" / "index.md").write_text(index, encoding="utf-8")
    made = [
        "do/an_experiment.md",
        "papers/differences.md",
        "papers/index.md",
        "reference/python/train.md",
        "source/a.md",
    ]
    made += ["results/labels.md", "results/zhang-clark-2015-table-7.md"]
    made += ["results/zhang-blackwood-clark-2012-lm.md", "results/wan-2009.md"]
    assert navigation(tmp_path, made) == [
        {"Start": ["index.md"]},
        {"Do": ["do/index.md", "do/own_bag.md", "do/an_experiment.md"]},
        {"Reference": [{"Python": ["reference/python/train.md"]}]},
        {"Papers": ["papers/index.md", "papers/differences.md"]},
        {
            "Results": [
                "results/labels.md",
                {"Wan et al. (2009)": ["results/wan-2009.md"]},
                {"Zhang, Blackwood & Clark (2012)": ["results/zhang-blackwood-clark-2012-lm.md"]},
                {"Zhang & Clark (2015)": ["results/zhang-clark-2015-table-7.md"]},
            ]
        },
    ]


def test_players_that_share_their_code_play(page, tmp_path) -> None:
    """From a folder, in the sandboxed frames of a notebook's page; and the code is there once."""
    log = wl.EventLog()
    bag = "won [the cup] [the robin] ."
    model_file.trained().order(bag, beam=4, engine="reference", trace=log)
    alone = wl.to_html(log, tmp_path / "alone.html").read_text(encoding="utf-8")
    frame = f'<iframe sandbox="allow-scripts" srcdoc="{escape(alone)}"></iframe>'
    shown, parts = with_shared_parts(f"<body>{frame}{frame}</body>")
    assert len(shown) < 0.2 * len(alone) and len(parts) == 2
    for place, text in {
        "learn/page.html": shown,
        **{f"assets/{n}": parts[n] for n in parts},
    }.items():
        (tmp_path / place).parent.mkdir(exist_ok=True)
        (tmp_path / place).write_text(text, encoding="utf-8")
    page.goto((tmp_path / "learn" / "page.html").as_uri())
    for i in range(2):
        page.frame_locator("iframe").nth(i).locator(".wol-narration").wait_for()
    assert with_shared_parts("<body>no frame</body>") == ("<body>no frame</body>", {})


def test_a_notebook_stands_in_the_frame_of_the_site(tmp_path, monkeypatch) -> None:
    """With its contents; nothing of the page's own style comes along."""
    text = (
        "<html><head><style>body { color: red }</style></head><body><main>"
        '<h1 id="A">A<a class="anchor-link" href="#A">¶</a></h1><p>words</p>'
        '<h2 id="1-%C2%B7-B">1 · <em>B</em><a class="anchor-link" href="#1-%C2%B7-B">¶</a></h2>'
        '<h3 id="C">C<a class="anchor-link" href="#C">¶</a></h3></main></body></html>'
    )
    (tmp_path / "00_start_here.html").write_text(text, encoding="utf-8")
    monkeypatch.setattr(notebooks, "SHOWN", tmp_path)
    (page,) = notebooks.shown()
    assert page.path == "learn/00_start_here.md" and "title: 'Start here'" in page.markdown
    assert "words" in page.html and "color: red" not in page.html and "¶" in page.html
    (top,) = notebooks.contents(page.html)
    (second,) = top["children"]
    assert (second["name"], [one["name"] for one in second["children"]]) == ("1 · B", ["C"])
    (tmp_path / "00_start_here.html").write_text("no page", encoding="utf-8")
    notebooks._framed.cache_clear()
    with pytest.raises(ValueError, match="no page of a notebook"):
        notebooks.shown()


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> Path:
    """The site with one experiment, without notebooks, built as ``make site`` builds it."""
    mkdocs = pytest.importorskip("mkdocs.commands.build", reason="make site installs mkdocs")
    pytest.importorskip("material", reason="make site installs its theme")
    pytest.importorskip("mkdocstrings", reason="make site installs it")
    from mkdocs.config import load_config

    folder = tmp_path_factory.mktemp("site")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(results, "KEPT", folder / "kept")
        patch.setattr(results, "names", lambda: [QUICK])
        patch.setattr(notebooks, "SHOWN", folder / "none")
        patch.setattr(matrix, "SHOWN", folder / "none")
        patch.setattr(paper_map, "SHOWN", folder / "none")
        patch.setattr(gallery, "MADE", folder / "none")
        patch.setattr(tab_site, "written", dict)  # its own tests open it
        patch.setattr(lite_site, "written", dict)
        every_page.generated.cache_clear()
        config = load_config(str(ROOT / "mkdocs.yml"), site_dir=str(folder / "out"))
        mkdocs.build(config)  # strict: a dead link raises
        every_page.generated.cache_clear()
    return folder / "out"


@pytest.mark.slow
def test_the_site_asks_no_host_for_anything(site) -> None:
    asks = re.compile(
        r"""<(?:script|link|img|iframe|source)\b[^>]*\b(?:src|href)=["']?(?:https?:)?//"""
    )
    for path in site.rglob("*.html"):
        assert not asks.search(path.read_text(encoding="utf-8")), path.name
    for path in site.rglob("*.css"):
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"@import|url\(['\"]?(?:https?:)?//", text), path.name


@pytest.mark.slow
def test_the_search_finds_a_public_name(site) -> None:
    index = (site / "search" / "search_index.js").read_text(encoding="utf-8")
    assert "reference/python/WordBag.html" in index and "source/wordorder_lab" not in index
    assert "teach/exam.html" in index and not (site / "teach" / "sheet.html").exists()


@pytest.mark.slow
def test_a_claim_leads_to_its_record_and_the_code(site) -> None:
    claims = (site / "results" / "claims.html").read_text(encoding="utf-8")
    assert f'<a href="{QUICK}.html">{QUICK}</a>' in claims
    page = (site / "results" / f"{QUICK}.html").read_text(encoding="utf-8")
    code = "../source/wordorder_lab/systems/liu_2015.html"
    assert f'href="{code}"' in page and f'href="{QUICK}.toml"' in page
    assert (site / "results" / code).exists() and (site / "results" / f"{QUICK}.toml").exists()


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("node") is None, reason="the search runs in Node")
def test_the_search_answers_what_people_type(site) -> None:
    """Asked of the site's own worker, so ranked as in the browser."""
    wanted = tomllib.loads((ROOT / "tests/search_questions.toml").read_text(encoding="utf-8"))
    script = ROOT / "tests" / "page_scripts" / "search.mjs"
    index = (site / "search" / "search_index.js").read_text(encoding="utf-8")
    tags = {tag for one in re.findall(r'"tags":(\[.*?\])', index) for tag in json.loads(one)}
    line = ["node", str(script), str(site), *wanted, *sorted(tags)]
    found = json.loads(subprocess.run(line, capture_output=True, check=True, text=True).stdout)
    assert len(wanted) >= 20
    first = {question: (pages or ["nothing"])[0] for question, pages in found.items()}
    assert "nothing" not in first.values() and len(tags) > 20
    assert {one: first[one] for one in wanted} == {q: f"{page}.html" for q, page in wanted.items()}


def test_a_link_that_leads_nowhere_is_found(tmp_path) -> None:
    (tmp_path / "a b.html").write_text('<a href="#x%20y">1</a><h2 id="x y">2</h2><a href="b.html">')
    links = [
        "a%20b.html?path=c.ipynb",
        "a%20b.html#x y",
        "a%20b.html#z",
        "c.html",
        "https://c.org/",
        "data:,",
        "/",
        ".",
    ]
    (tmp_path / "index.html").write_text("".join(f'<img src="{link}">' for link in links))
    dead = ["a b.html: b.html", "index.html: /", "index.html: a%20b.html#z", "index.html: c.html"]
    assert dead_links(tmp_path) == dead


@pytest.mark.slow
def test_the_site_is_read_on_a_telephone_and_searched_in_a_folder(page, site) -> None:
    page.set_viewport_size({"width": 400, "height": 800})
    names = ["index", f"results/{QUICK}", "papers/index", "do/own_system", "reference/events"]
    for name in [*names, "reference/command_line/train", "source/wordorder_lab/transition/beam"]:
        page.goto((site / f"{name}.html").as_uri())
        assert page.evaluate("document.scrollingElement.scrollWidth") <= 400, name
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto((site / "index.html").as_uri())
    # Key by key: the search listens to keys, and may not listen yet when a text is put in at once.
    page.get_by_role("textbox", name="Search").press_sequentially("WordBag")
    page.locator(".md-search-result__link[href*='reference/python/WordBag.html']").first.wait_for()


@pytest.mark.slow
def test_a_reference_page_has_signature_and_docstring(site) -> None:
    text = (site / "reference" / "python" / "WordBag.html").read_text(encoding="utf-8")
    assert "Units in no particular order" in text and "alternatives" in text
