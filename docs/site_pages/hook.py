"""What MkDocs calls while it builds the site: the navigation, the generated pages, their HTML."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files, InclusionLevel
from mkdocs.structure.toc import get_toc

from site_pages import gallery, lite_site, notebooks, results, smaller, tab_site
from site_pages.dead_links import dead_links
from site_pages.every_page import generated
from site_pages.navigation import navigation

_HTML: dict[str, str] = {}
"""Page -> what stands below its Markdown, as it is."""
AS_THEY_ARE = re.compile(r"(<(?:pre|script|style)\b.*?</(?:pre|script|style)>)", re.DOTALL)
"""Parts of a page in which the ends of lines matter."""
UNUSED = ("**/*.map", "javascripts/lunr/**/*.js")


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
    for place, path in notebooks.copied().items():
        level = InclusionLevel.INCLUDED  # solutions, too: exclude_docs is about docs/
        files.append(File.generated(config, place, abs_src_path=str(path), inclusion=level))
    texts = {**notebooks.written(), **gallery.written()}
    made: dict[str, str | bytes] = {
        **texts,
        **results.written(),
        **tab_site.written(),
        **{place: data for place, data in lite_site.written().items() if not _is_text(place)},
    }
    for place, text in made.items():
        if isinstance(text, bytes) and place.startswith("results/") and place.endswith(".png"):
            text = smaller.picture(text)
        files.append(File.generated(config, place, content=text))
    return files


def on_post_page(output: str, page: Any, **_: Any) -> str:
    """The search gets a name, for who hears the page; and the theme's empty lines go.

    These are an eighth of a page: the theme's own templates leave them.
    """
    output = output.replace('role="dialog">', 'role="dialog" aria-label="Search">')
    if page.file.src_uri.startswith("source/"):
        output = smaller.code(output)
    pieces = AS_THEY_ARE.split(output)
    return "".join(p if i % 2 else re.sub(r"\s*\n\s*", "\n", p) for i, p in enumerate(pieces))


def on_post_build(config: MkDocsConfig) -> None:
    """Texts beside the notebooks of JupyterLite, which are no pages of the site. And away with what
    the theme brings and no page asks for: maps, search in other languages.

    Raises ``PluginError``, which ends the build, where a page has a link that leads nowhere.
    """
    for place, data in lite_site.written().items():
        if _is_text(place):
            Path(config.site_dir, place).write_bytes(data)
    for pattern in UNUSED:
        for path in Path(config.site_dir, "assets").glob(pattern):
            path.unlink()
    if dead := dead_links(Path(config.site_dir)):
        raise PluginError("\n".join(["links that lead nowhere:", *dead]))


def _is_text(place: str) -> bool:
    """Whether MkDocs would make a page of it."""
    return place.endswith(".md")


def on_page_content(html: str, page: Any, **_: Any) -> str:
    """The page's own HTML below what its Markdown has become; of a notebook's, the contents."""
    html = html.replace(gallery.KNOB, gallery.knob()) if page.file.src_uri == "index.md" else html
    below = _HTML.get(page.file.src_uri, "")
    if page.file.src_uri == "results/claims.md":
        html = results.linked(html)
    if page.file.src_uri.startswith("learn/") and below:
        page.toc = get_toc(notebooks.contents(below))
        below = smaller.unsearched_tables(smaller.pictures(below))
    return html + below
