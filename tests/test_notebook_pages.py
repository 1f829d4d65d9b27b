"""Pages of notebooks: each is run once, and again where its notebook or the package has changed."""

from __future__ import annotations

import os
from pathlib import Path

import nbformat
import pytest
from site_pages import notebook_pages

CELL = """\
import os
from pathlib import Path
Path(os.environ["WORDORDER_LAB_MODELS"], "{name}.wol").touch()
print(6 * 7)"""


def write(folder: Path, name: str, source: str) -> None:
    """A notebook of one cell that links another one."""
    v4 = nbformat.v4
    linked = v4.new_markdown_cell("[the other](20_b.ipynb), [words](glossary.md)")
    notebook = v4.new_notebook(cells=[linked, v4.new_code_cell(source)])
    nbformat.write(notebook, folder / f"{name}.ipynb")


@pytest.mark.slow
def test_a_page_stays_until_its_notebook_changes(tmp_path, monkeypatch, capsys) -> None:
    for name in ("notebooks", "notebooks/solutions"):
        (tmp_path / name).mkdir()
    (tmp_path / "notebooks/solutions/10_a.py").write_text("42\n")
    for name in (notebook_pages.CONFIG, notebook_pages.GLOSSARY):
        text = (notebook_pages.NOTEBOOKS / name).read_bytes()
        (tmp_path / "notebooks" / name).write_bytes(text)
    monkeypatch.setattr(notebook_pages, "NOTEBOOKS", tmp_path / "notebooks")
    monkeypatch.setattr(notebook_pages, "PAGES", tmp_path / "pages")
    monkeypatch.setattr(notebook_pages, "MODELS", tmp_path / "models")
    monkeypatch.setattr(os, "environ", os.environ.copy())
    for name in ("10_a", "20_b"):
        write(tmp_path / "notebooks", name, CELL.format(name=name))
    assert notebook_pages.main() == 0
    page = (tmp_path / "pages/10_a.html").read_text()
    assert "<pre>42\n</pre>" in page and 'href="20_b.html"' in page
    assert 'href="glossary.html"' in page and (tmp_path / "pages/glossary.html").exists()
    assert (tmp_path / "pages/solutions/10_a.py").read_text() == "42\n"
    capsys.readouterr()

    (tmp_path / "models/old.wol").touch()
    write(tmp_path / "notebooks", "20_b", CELL.format(name="another"))
    assert notebook_pages.main() == 0
    assert "20_b" in (said := capsys.readouterr().out) and "10_a" not in said
    kept = sorted(path.name for path in (tmp_path / "models").iterdir())
    assert kept == ["10_a.wol", "another.wol"], "what no page needs any more is gone"
