"""What MkDocs calls while it builds the site: the navigation, the generated pages, their HTML."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

from site_pages import gallery, notebooks
from site_pages.every_page import generated
from site_pages.navigation import navigation

_HTML: dict[str, str] = {}
"""Page -> what stands below its Markdown, as it is."""


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """The navigation: it knows the pages that are there, written or generated."""
    config.nav = navigation(Path(config.docs_dir), [page.path for page in generated()])
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """All generated pages, and those that other programs made, join what stands in docs/.

    A generated page takes the place of one of the same name: the map, with links at its files.
    """
    for page in generated():
        if (written := files.get_file_from_path(page.path)) is not None:
            files.remove(written)
        files.append(File.generated(config, page.path, content=page.markdown))
        _HTML[page.path] = page.html
    for place, path in {**notebooks.copied(), **gallery.copied()}.items():
        files.append(File.generated(config, place, abs_src_path=str(path)))
    return files


def on_post_page(output: str, **_: Any) -> str:
    """The theme's search is a dialog without a name; a reader who hears the page needs one."""
    return output.replace('role="dialog">', 'role="dialog" aria-label="Search">')


def on_page_content(html: str, page: Any, **_: Any) -> str:
    """The page's own HTML below what its Markdown has become."""
    return html + _HTML.get(page.file.src_uri, "")
