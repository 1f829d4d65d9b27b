"""What all players have in common stands on the site once.

A player's page is one file that can be sent around: code and styles, packed, are in it, and again
in every player of a notebook. On the site each such part is a script in ``assets/`` that puts it
where it was, so that a player, also one in a frame, finds all it needs and can be saved as before.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable
from html import escape

Written = Callable[[str], str]
BEFORE, AFTER = '<script id="wol-{}" type="application/octet-stream">', "</script>"
PACKED = "([^<&]*)"


def with_shared_parts(page: str, place: str = "../assets/") -> tuple[str, dict[str, str]]:
    """A page whose packed parts are asked for, and those parts: name of the script -> its text.

    Also in a frame's ``srcdoc``, where the signs of HTML are written out.
    """
    found: dict[str, str] = {}
    for which in ("style", "module"):
        for written in (str, escape):
            before, after = written(BEFORE.format(which)), written(AFTER)

            def asked(match: re.Match[str], which: str = which, written: Written = written) -> str:
                name, found_text = script(which, match.group(1))
                found[name] = found_text
                return written(f'<script src="{place}{name}"></script>')

            page = re.sub(re.escape(before) + PACKED + re.escape(after), asked, page)
    return page, found


def script(which: str, packed: str) -> tuple[str, str]:
    """Name and text of a script that puts a packed part in its own place."""
    part = json.dumps(BEFORE.format(which) + packed + AFTER).replace("</", "<\\/")
    name = f"{which}-{hashlib.sha256(packed.encode()).hexdigest()[:8]}.js"
    return name, f"document.currentScript.outerHTML = {part};\n"
