"""Models that a notebook need not train: where they are kept, and in a tab, who brings them.

In a browser's Python training takes minutes. The site that shows the notebook has the models that
its own run has trained, packed, and a checksum is in each file.
"""

from __future__ import annotations

import gzip
import os
import sys
from contextlib import suppress
from pathlib import Path

from wordorder_lab.runtime.user_cache import keep_value, writable_cache

FOLDER = os.environ.get("WORDORDER_LAB_MODELS", "models")
"""In the user's cache, or wherever ``make pages`` says."""


def brought(key: str) -> bool:
    """Whether the site around this tab has the model, which is then kept; elsewhere ``False``."""
    if sys.platform != "emscripten":
        return False
    with suppress(ImportError, OSError):
        return _keep(key, _asked(f"models/{key}.wol.packed"))
    return False


def _asked(name: str) -> bytes:
    """A file of JupyterLite's folder; raises ``OSError`` where it is not there, ``ImportError``
    without a browser."""
    from js import XMLHttpRequest, location

    request = XMLHttpRequest.new()
    request.open("GET", f"{str(location.href).partition('/extensions/')[0]}/{name}", False)
    request.responseType = "arraybuffer"
    try:
        request.send()
    except Exception as error:  # whatever the browser raises without a network
        raise OSError(str(error)) from None
    if request.status != 200:
        raise FileNotFoundError(name)
    return bytes(request.response.to_bytes())


def _keep(key: str, packed: bytes) -> bool:
    place: Path = writable_cache() / FOLDER
    place.mkdir(parents=True, exist_ok=True)
    (place / f"{key}.wol").write_bytes(gzip.decompress(packed))
    keep_value(FOLDER, f"{key}.json", {})
    return True
