"""Notebooks in a tab: JupyterLite from the site's own files, and a notebook of ours run in it."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import zipfile
from pathlib import Path

import nbformat
import pyodide_files
import pytest
from browser import watched
from site_pages import lite_site, notebooks, tab_packages
from site_pages.pyodide_files import CHECKSUMS, FOR_NOTEBOOKS, NoFiles
from test_try_page import served

STEM = "02_reading_the_views"
WASM = "pyodide.asm.wasm"
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
    found = pyodide_files.files([*CHECKSUMS, *FOR_NOTEBOOKS])
    shared = {f"try/pyodide/{name}": found[name] for name in CHECKSUMS if name != WASM}
    shared[f"try/pyodide/{WASM}.packed"] = gzip.compress(found[WASM], 1)
    place = tmp_path_factory.mktemp("lite")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lite_site, "pyodide_files", lambda names: {n: found[n] for n in names})
        patch.setattr(lite_site, "MODELS", place / "none")
        patch.setattr(lite_site.tab_site, "written", lambda: shared)
        lite_site.written.cache_clear()
        made = lite_site.written()
        lite_site.written.cache_clear()
    assert not {Path(name).name for name in made} & set(CHECKSUMS), "what try/ has lies there once"
    for name, data in {**made, **shared}.items():
        path = place / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return place


@pytest.mark.slow
def test_a_notebook_runs_in_jupyterlite(chromium, site) -> None:
    """No other host is asked, and its players are there."""
    wrong: list[str] = []
    with served(site) as own, watched(chromium, own, wrong) as page:
        page.goto(f"{own}/lite/lab/index.html?path={STEM}.ipynb")
        page.get_by_text("Python (Pyodide) | Idle").wait_for(timeout=START_SECONDS * 1000)
        page.get_by_role("menuitem", name="Run", exact=True).click()
        page.get_by_role("menuitem", name="Run All Cells", exact=True).click()
        # JupyterLab hides cells that are not in sight.
        player = page.locator(".wol-player").first
        player.wait_for(state="attached", timeout=START_SECONDS * 1000)
        assert page.locator("[data-mime-type='application/vnd.jupyter.error']").count() == 0
        asked = [one for one in wrong if one.startswith(("GET", "POST"))]
        assert not asked, asked
        wrong.clear()  # JupyterLite looks for folders of the kernel's that the site has not


@pytest.mark.slow
def test_a_cut_file_is_named(chromium, site) -> None:
    wrong: list[str] = []
    (name,) = (one["file_name"] for one in tab_packages.PACKAGES.values() if one["name"] == "pytz")
    file = site / "lite" / "pyodide" / name
    whole = file.read_bytes()
    file.write_bytes(whole[:-1])
    try:
        with served(site) as own, watched(chromium, own, wrong) as page:
            page.goto(f"{own}/lite/lab/index.html")
            told = page.locator("#wol-start", has_text="came cut")
            told.wait_for(timeout=START_SECONDS * 1000)
            assert name in told.inner_text() and "Reload" in told.inner_text()
            wrong.clear()
    finally:
        file.write_bytes(whole)
