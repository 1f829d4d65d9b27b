"""Notebooks in a tab: JupyterLite from the site's own files, and a notebook of ours run in it."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from pathlib import Path

import lite_notebooks
import nbformat
import pytest
from browser import watched
from site_pages import lite_site, notebooks, tab_packages
from site_pages.pyodide_files import CHECKSUMS, NoFiles
from test_try_page import served

STEM = "02_reading_the_views"
CELL = f"{lite_notebooks.NOTEBOOK}.model.sharedModel.cells[0]"
LITTLE = 1_000_000
"""Bytes of a second visit, beside ``BY_HEADERS``."""
BY_HEADERS = ("/lite/build/", "/lite/extensions/")
"""JupyterLab itself, some 7 MB: a browser keeps it where the host says so (``docs/teach/host.md``);
where a test looks at what is sent, it keeps nothing."""
START_SECONDS = 300
"""Until the kernel is there: only a test that hangs shall end here."""


def test_wheels_of_plain_python_are_the_same_each_time() -> None:
    made = tab_packages.wheels()
    assert made == tab_packages.wheels()
    rows = tab_packages.packages(made)
    for name, data in made.items():
        row = next(one for one in rows.values() if one["file_name"] == name)
        assert row["sha256"] == hashlib.sha256(data).hexdigest()
        inside = zipfile.ZipFile(io.BytesIO(data)).namelist()
        assert len({one.split("/")[0] for one in inside if ".dist-info/" in one}) == 1, name
        assert not [one for one in inside if Path(one).suffix in tab_packages.COMPILED], name
    wanted = {needed for row in rows.values() for needed in row["depends"]}
    assert wanted <= {*rows, *(one["name"] for one in rows.values())}


def test_each_notebook_is_listed_with_what_it_links() -> None:
    made = dict(lite_site._contents())
    listed = json.loads(made["api/contents/all.json"])["content"]
    for path in notebooks.ROOT.glob("notebooks/[0-9]*.ipynb"):
        assert path.name in {one["name"] for one in listed}
        whole = nbformat.reads(made[f"files/{path.name}"].decode(), as_version=4)
        assert whole.metadata.kernelspec.name == "python"
        assert f"files/solutions/{path.stem}.py" in made
    assert {"solutions", "views", "glossary.md"} <= {one["name"] for one in listed}


def test_without_files_there_are_no_notebooks_in_a_tab(monkeypatch, capsys, tmp_path) -> None:
    def none(**_: object) -> None:
        raise NoFiles("there are none")

    lite_site.written.cache_clear()
    monkeypatch.setattr(lite_site, "pyodide_files", none)
    monkeypatch.setattr(lite_site, "_wheel", lambda name: None)
    assert lite_site.written() == {} and "there are none" in capsys.readouterr().out
    (page,) = notebooks.pages()
    assert "Run this notebook here" not in page.markdown
    lite_site.written.cache_clear()


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> Path:
    """The files below ``lite/``, without trained models, and those that ``try/`` has for both."""
    if not [*lite_site.WHEELS.glob("jupyterlite_core-*.whl")]:
        pytest.skip("no wheels of JupyterLite: make site downloads them")
    place = tmp_path_factory.mktemp("lite")
    made = lite_notebooks.written(place, models=place / "none")
    twice = [name for name in CHECKSUMS if (made / "lite/pyodide" / name).exists()]
    assert not twice, "what try/ has lies there once"
    return made


@pytest.mark.slow
def test_a_notebook_runs_and_a_second_visit_loads_little(chromium, site) -> None:
    """No other host is asked, its players are there, and what somebody writes is still there at the
    next visit, for which no file of Python is sent again."""
    wrong: list[str] = []
    sent: list[str] = []
    with served(site, sent=sent) as own, watched(chromium, own, wrong) as page:
        lite_notebooks.opened(page, own, STEM, START_SECONDS)
        cells = lite_notebooks.run(page, START_SECONDS)
        assert lite_notebooks.of_cells(cells)["wrong"] == ""
        shown = [kind for cell in cells for one in cell["outputs"] for kind in one.get("data", ())]
        assert "application/vnd.jupyter.widget-view+json" in shown, "a player"
        page.evaluate(f"() => {CELL}.setSource('my answer')")
        # One that is saved by itself may be of the moment before.
        page.evaluate("() => window.jupyterapp.commands.execute('docmanager:save')")
        assert len([name for name in sent if name.endswith((".whl", ".packed"))]) > 20
        page.locator("#wol-start").wait_for(state="detached")
        page.goto("about:blank")
        sent.clear()
        lite_notebooks.opened(page, own, STEM, START_SECONDS)
        assert page.evaluate(f"() => {CELL}.getSource()") == "my answer"
        page.locator("#wol-start").wait_for(state="detached")
        python = [name for name in sent if name.startswith(("/lite/pyodide/", "/try/"))]
        assert {name.rpartition("/")[2] for name in python} <= {"python.js"}
        others = [
            name.split("?")[0].lstrip("/") for name in sent if not name.startswith(BY_HEADERS)
        ]
        assert sum((site / name).stat().st_size for name in others) < LITTLE
        asked = [one for one in wrong if one.startswith(("GET", "POST"))]
        assert not asked, asked
        wrong.clear()  # JupyterLite looks for folders of the kernel's that the site has not


TYPED_WHILE_SAVED = f"""async () => {{
  const {{ context }} = {lite_notebooks.NOTEBOOK}.parent, {{ contents }} = context._manager;
  const save = contents.save.bind(contents);
  contents.save = (...given) => {{
    contents.save = save;
    {CELL}.setSource("typed while it is saved");
    return save(...given);
  }};
  {CELL}.setSource("typed before");
  await context.save();
  while (context.model.dirty) await new Promise((then) => setTimeout(then, 100));
  const {{ content }} = await contents.get(context.path, {{ content: true }});
  return JSON.stringify(content.cells[0].source);
}}"""


@pytest.mark.slow
def test_what_is_typed_while_a_notebook_is_saved_is_saved(chromium, site) -> None:
    wrong: list[str] = []
    with served(site) as own, watched(chromium, own, wrong) as page:
        lite_notebooks.opened(page, own, STEM, START_SECONDS)
        assert "typed while it is saved" in page.evaluate(TYPED_WHILE_SAVED)
        wrong.clear()


@pytest.mark.slow
@pytest.mark.parametrize("change", [lambda data: data[:-1], lambda data: data[:-1] + b"?"])
def test_a_cut_file_and_another_one_are_named(chromium, site, change) -> None:
    wrong: list[str] = []
    name = next(iter(json.loads((site / "lite/files.json").read_text())))
    file = site / "lite" / name
    whole = file.read_bytes()
    file.write_bytes(change(whole))
    try:
        with served(site) as own, watched(chromium, own, wrong) as page:
            page.goto(f"{own}/lite/lab/index.html")
            told = page.locator("#wol-start", has_text="came cut")
            told.wait_for(timeout=START_SECONDS * 1000)
            assert name in told.inner_text() and "Reload" in told.inner_text()
            wrong.clear()
    finally:
        file.write_bytes(whole)


@pytest.mark.slow
def test_a_blocked_worker_is_told(chromium, site) -> None:
    wrong: list[str] = []
    policy = f"{lite_site.POLICY}; worker-src 'none'"
    with served(site, policy) as own, watched(chromium, own, wrong) as page:
        page.goto(f"{own}/lite/lab/index.html?path={STEM}.ipynb")
        page.locator("#wol-start", has_text="lets no worker run").wait_for()
        wrong.clear()
