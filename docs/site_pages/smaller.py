"""What makes the files of the site smaller: plots with few colours, code with fewer marks, a search
that does not look at rows of numbers."""

from __future__ import annotations

import base64
import io
import re

from PIL import Image

COLOURS = 64
PICTURE = re.compile(r"(?<=data:image/png;base64,)[A-Za-z0-9+/=\s]+")
PLAIN = re.compile(r'<span class="(?:n|o|p|w)">([^<]*)</span>')
"""Names, operators, punctuation and blanks: most of a file, in shades of the colour of its text."""


def picture(data: bytes) -> bytes:
    """A PNG in the colours that suit it best; as it is, where that is smaller."""
    made = io.BytesIO()
    with Image.open(io.BytesIO(data)) as whole:
        whole.convert("RGBA").quantize(COLOURS).save(made, "PNG", optimize=True)
    return min(data, made.getvalue(), key=len)


def pictures(html: str) -> str:
    """A page whose own pictures are such."""
    return PICTURE.sub(
        lambda found: base64.b64encode(picture(base64.b64decode(found[0]))).decode(), html
    )


def code(html: str) -> str:
    """Highlighted code in which only what has a colour of its own is marked."""
    return PLAIN.sub(r"\1", html)


def unsearched_tables(html: str) -> str:
    """A page in whose tables the search does not look."""
    return html.replace("<table", "<table data-search-exclude")
