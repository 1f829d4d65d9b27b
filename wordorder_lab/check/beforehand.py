"""What a notebook need not make: models and results, where they are kept, and in a tab, who brings
them.

In a browser's Python training takes minutes, and so does ordering a hundred sentences. The site
that shows the notebook has what its own run of it came to: models, with a checksum in each file,
and what the same model made of the same sentences with the same settings. With another setting
nothing is found, and it is worked out here.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import fields, is_dataclass
from functools import partial
from pathlib import Path
from types import FunctionType
from typing import Any

import numpy as np

from wordorder_lab.check.plain_values import from_plain, to_plain
from wordorder_lab.experiments.runs.map_in_order import STORES
from wordorder_lab.runtime.atomic import replacing
from wordorder_lab.runtime.user_cache import keep_value, writable_cache
from wordorder_lab.structures.category import Category
from wordorder_lab.systems.model import TrainedModel

SITE = os.environ.get("WORDORDER_LAB_MODELS")
"""Where ``make pages`` keeps all of it; nothing else does."""
FOLDER = SITE or "models"
"""Where models are kept: in the user's cache."""
IN_A_TAB = sys.platform == "emscripten"


def brought(key: str) -> bool:
    """Whether the site around this tab has the model, which is then kept; elsewhere ``False``."""
    if IN_A_TAB:
        with suppress(ImportError, OSError):
            return _keep(key, _asked(f"{key}.wol"))
    return False


def results(
    function: Callable[..., Any], items: Sequence[Any], model: object, what: str
) -> Sequence[Any] | None:
    """What ``map_in_order`` is about to work out: in a tab, as the site has it; ``None`` where it
    has not. Where the site is made all is kept."""
    try:
        key = _key(function, items, model)
    except _NotTold:
        return None
    name = f"{key}.results"
    if IN_A_TAB:
        with suppress(ImportError, OSError):
            found: Sequence[Any] = from_plain(json.loads(_asked(name)))
            print(f"{what or 'results'}: made beforehand, and timed, with the compiled engines")
            return found
        return None
    done = list(map(function if model is None else partial(function, model), items))
    place = writable_cache() / FOLDER
    place.mkdir(parents=True, exist_ok=True)
    with suppress(TypeError), replacing(place / name) as part:
        part.write_text(json.dumps(to_plain(done)), encoding="utf-8")
    return done


if IN_A_TAB or SITE:
    STORES.append(results)


def _asked(name: str) -> bytes:
    """A file of the site's; raises ``OSError`` where it is not there, ``ImportError`` without a
    browser. Under Node, where notebooks are tried, it is one of the folder."""
    if SITE:
        return Path(SITE, name).read_bytes()
    from js import XMLHttpRequest, location

    request = XMLHttpRequest.new()
    start = str(location.href).partition("/extensions/")[0]
    request.open("GET", f"{start}/models/{name}.packed", False)
    request.responseType = "arraybuffer"
    try:
        request.send()
    except Exception as error:  # whatever the browser raises without a network
        raise OSError(str(error)) from None
    if request.status != 200:
        raise FileNotFoundError(name)
    return gzip.decompress(request.response.to_bytes())


def _keep(key: str, data: bytes) -> bool:
    place: Path = writable_cache() / FOLDER
    place.mkdir(parents=True, exist_ok=True)
    (place / f"{key}.wol").write_bytes(data)
    keep_value(FOLDER, f"{key}.json", {})
    return True


# --- what a call is known by ----------------------------------------------------------------------


class _NotTold(Exception):
    """A value of which nothing is known here that would be the same in another Python."""


def _key(function: Callable[..., Any], items: Sequence[Any], model: object) -> str:
    whole = json.dumps([_told(function), _told(model), *map(_told, items)])
    return hashlib.sha256(whole.encode()).hexdigest()[:16]


def _told(value: Any) -> Any:
    """All that a value is, as JSON holds it. Raises ``_NotTold``."""
    if value is None or isinstance(value, str | bool | int | float):
        return value
    if isinstance(value, TrainedModel):
        return [value.system, _checksum(value)]
    if isinstance(value, partial):
        return ["partial", *map(_told, (value.func, value.args, value.keywords))]
    if isinstance(value, FunctionType) and _is_ours(value) and value.__closure__ is None:
        return [value.__module__, value.__qualname__]
    if isinstance(value, Mapping):
        return [[_told(name), _told(one)] for name, one in sorted(value.items(), key=repr)]
    if isinstance(value, Category):
        return str(value)
    if hasattr(value, "pformat"):  # a tree of nltk's is a list, too
        return " ".join(value.pformat().split())
    if isinstance(value, list | tuple):
        return [_told(one) for one in value]
    if isinstance(value, set | frozenset):
        return sorted(map(repr, value))
    if is_dataclass(value) and _is_ours(type(value)):
        own = {one.name: getattr(value, one.name) for one in fields(value) if one.init}
        return [type(value).__qualname__, _told(own)]
    raise _NotTold(type(value))


def _is_ours(one: Any) -> bool:
    return str(one.__module__).startswith("wordorder_lab.")


def _checksum(model: TrainedModel) -> str:
    """Of all that a model's file has but the versions of who wrote it."""
    header = json.dumps([dict(model.settings), model.header()], sort_keys=True, default=list)
    whole = hashlib.sha256(header.encode())
    for name, array in sorted(model.arrays().items()):
        wide = array.astype(np.int64) if array.dtype.kind in "iu" else array  # 32 bits in a browser
        whole.update(name.encode() + np.ascontiguousarray(wide).tobytes())
    return whole.hexdigest()
