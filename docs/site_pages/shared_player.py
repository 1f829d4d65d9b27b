"""What the players of notebooks have in common stands on the site once.

A player is a frame with a whole page in its ``srcdoc``: code and styles, packed, are in each. The
frame may load nothing, which is as it should be, so the page around it does: each such part is a
script in ``assets/``, and when the page is open every frame gets what it had before.
"""

from __future__ import annotations

import hashlib
import json
import re
from functools import partial
from html import escape

BEFORE, AFTER = '<script id="wol-{}" type="application/octet-stream">', "</script>"
FRAME = re.compile(r'\bsrcdoc="([^"]*)"')
FILL = """<script>
for (const frame of document.querySelectorAll("iframe[data-page]"))
  frame.srcdoc = frame.dataset.page.replace(/@((?:style|module)-[0-9a-f]{8})(?=<.script>)/g,
    (all, name) => wordorderParts[name] ?? all);
</script>
"""


def with_shared_parts(page: str, place: str = "../assets/") -> tuple[str, dict[str, str]]:
    """A page whose frames' packed parts are asked for, and those: name of the script -> its text.

    A page without frames stays as it is.
    """
    found: dict[str, str] = {}

    def asked(which: str, match: re.Match[str]) -> str:
        name = f"{which}-{hashlib.sha256(match.group(2).encode()).hexdigest()[:8]}"
        part = json.dumps(match.group(2))
        found[f"{name}.js"] = f'(globalThis.wordorderParts ??= {{}})["{name}"] = {part};\n'
        return f"{match.group(1)}@{name}{match.group(3)}"

    def filled_later(match: re.Match[str]) -> str:
        text = match.group(1)
        for which in ("style", "module"):
            start, end = re.escape(escape(BEFORE.format(which))), re.escape(escape(AFTER))
            text = re.sub(f"({start})([^&]*)({end})", partial(asked, which), text)
        return match.group() if text == match.group(1) else f'data-page="{text}"'

    page = FRAME.sub(filled_later, page)
    if not found:
        return page, found
    scripts = "".join(f'<script src="{place}{name}"></script>\n' for name in found)
    body, end, rest = page.rpartition("</body>")
    return body + scripts + FILL + end + rest, found
