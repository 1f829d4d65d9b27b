"""The gallery's pages, where ``make site`` has made them, copied as they are."""

from __future__ import annotations

from pathlib import Path

from site_pages.page import ROOT, Page, front

MADE = ROOT / "build" / "gallery"


def pages() -> list[Page]:
    """A page that leads to the gallery, or says how it is made."""
    command = "    wordorder-lab gallery build/gallery\n"
    link = "[Open the gallery](gallery/index.html).\n\n" if (MADE / "index.html").exists() else ""
    return [
        Page(
            "gallery.md",
            f"{front('Gallery')}# Gallery\n\nA page for each player, each with a question that it "
            "answers; the models behind them are small and trained on the Gazette.\n\n"
            f"{link}Make it yourself, also with a model of your own:\n\n{command}",
        )
    ]


def copied() -> dict[str, Path]:
    """Place on the site -> file."""
    found = sorted(MADE.rglob("*")) if MADE.is_dir() else []
    return {
        f"gallery/{path.relative_to(MADE).as_posix()}": path for path in found if path.is_file()
    }
