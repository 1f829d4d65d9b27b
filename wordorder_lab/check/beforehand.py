"""What a notebook need not make: models and results, where they are kept, and in a tab, who brings
them.

In a browser's Python training takes minutes, and so does ordering a hundred sentences. The site
that shows the notebook has what its own run of it came to: models, with a checksum in each file,
what a model gave for one thing without a trace (``remember``), what it made of whole lists
(``results``), and what a notebook's own functions measured (``made``). With another setting nothing
is found, and it is worked out here. Where the site is made, the same is there for its next build,
as long as the package is the same.
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
from functools import cache, partial, wraps
from pathlib import Path
from types import FunctionType
from typing import Any, ParamSpec, TypeVar

import numpy as np

from wordorder_lab.check.plain_values import from_plain, to_plain
from wordorder_lab.experiments.runs.map_in_order import STORES
from wordorder_lab.runtime.atomic import replacing
from wordorder_lab.runtime.user_cache import code_checksum, keep_value, writable_cache
from wordorder_lab.structures.category import Category
from wordorder_lab.systems.model import TrainedModel

P = ParamSpec("P")
R = TypeVar("R")
SITE = os.environ.get("WORDORDER_LAB_MODELS")
"""Where ``make pages`` keeps all of it; nothing else does."""
FOLDER = SITE or "models"
"""Where models are kept: in the user's cache."""
IN_A_TAB = sys.platform == "emscripten"
ASKED = ("order", "compress", "realizations", "parse")
"""Methods of models that take one thing and search."""
_pause = [False]
"""Whether what is asked is part of a result that is kept as a whole."""
_checksums: dict[int, tuple[TrainedModel, str]] = {}
"""Of models that were asked something; each stays, so that no other one gets its place."""


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
    here = function if model is None else partial(function, model)
    found: Sequence[Any] | None = _worked_out(
        lambda: [_told(function), _told(model), *map(_told, items)],
        what or "results",
        lambda: list(map(here, items)),
    )
    return found


if IN_A_TAB or SITE:
    STORES.append(results)


def made(function: Callable[P, R]) -> Callable[P, R]:
    """A notebook's own function: in a tab it gives what it gave where the site was made, if that
    is kept for these arguments."""

    @wraps(function)
    def asked(*given: P.args, **how: P.kwargs) -> R:
        found = None
        if IN_A_TAB or SITE:
            told = partial(_all_told, function, given, how)
            name = function.__name__.replace("_", " ")
            found = _worked_out(told, name, lambda: [function(*given, **how)])
        return function(*given, **how) if found is None else found[0]

    return asked


def _worked_out(told: Callable[[], Any], what: str, work: Callable[[], list[Any]]) -> Any:
    """A list of results that is known by what ``told`` gives; ``None`` where it is part of one."""
    if _pause[0]:
        return None
    try:
        name = f"{_digest(told())}.results"
    except _NotTold:
        return None
    if IN_A_TAB:
        with suppress(ImportError, OSError):
            _, value = json.loads(_asked(name))
            print(f"{what}: made beforehand, and timed, with the compiled engines")
            return from_plain(value)
        return None
    place = _folder() / name
    with suppress(OSError, ValueError):
        code, value = json.loads(place.read_text(encoding="utf-8"))
        if code == code_checksum(""):
            place.touch()
            return from_plain(value)
    before, _pause[0] = _pause[0], True
    try:
        done = work()
    finally:
        _pause[0] = before
    with suppress(TypeError), replacing(place) as part:
        part.write_text(json.dumps([code_checksum(""), to_plain(done)]), encoding="utf-8")
    return done


# --- single searches ------------------------------------------------------------------------------


def remember(model: TrainedModel) -> None:
    """From now on models of this kind, in a tab, look for what they are asked without a trace among
    what they were asked where the site was made; there it is written down."""
    if not (IN_A_TAB or SITE):
        return
    for kind in type(model).__mro__:
        for name in ASKED:
            method = vars(kind).get(name)
            if method is not None and not hasattr(method, "looks_up"):
                setattr(kind, name, _looking_up(name, method))


def _looking_up(name: str, method: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(method)
    def asked(self: TrainedModel, given: Any, **how: Any) -> Any:
        if how.get("trace") is not None or _pause[0]:
            return method(self, given, **how)
        try:  # both engines give the same
            key = _digest([name, _told(given), _told({**how, "engine": None})])
            file = f"{_checksum(self)[:16]}.calls"
        except _NotTold:
            return method(self, given, **how)
        kept = _answered(file) if IN_A_TAB else _written(file)
        if key in kept:
            return from_plain(kept[key])
        answer = method(self, given, **how)
        with suppress(TypeError):
            if not IN_A_TAB:
                kept[key] = to_plain(answer)
                with (_folder() / file).open("a", encoding="utf-8") as rows:
                    rows.write(f"{json.dumps([key, kept[key]])}\n")
        return answer

    asked.looks_up = True  # type: ignore[attr-defined]
    return asked


@cache
def _answered(name: str) -> dict[str, Any]:
    """What the site has of a model's answers: a checksum of the question, and the answer. It is
    said once that they are from there."""
    found: dict[str, Any] = {}
    with suppress(ImportError, OSError):
        found = dict(map(json.loads, _asked(name).decode().splitlines()[1:]))
    if found:
        print("searches of this model: those of the notebook were made beforehand")
    return found


@cache
def _written(name: str) -> dict[str, Any]:
    """The same where the site is made: what this code has answered before."""
    place = _folder() / name
    with suppress(OSError, ValueError):
        code, *rows = place.read_text(encoding="utf-8").splitlines()
        if code == code_checksum(""):
            place.touch()
            return dict(map(json.loads, rows))
    place.write_text(code_checksum("") + "\n", encoding="utf-8")
    return {}


def _folder() -> Path:
    place = writable_cache() / FOLDER
    place.mkdir(parents=True, exist_ok=True)
    return place


# --- the site's files -----------------------------------------------------------------------------


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
    (_folder() / f"{key}.wol").write_bytes(data)
    keep_value(FOLDER, f"{key}.json", {})
    return True


# --- what a call is known by ----------------------------------------------------------------------


class _NotTold(Exception):
    """A value of which nothing is known here that would be the same in another Python."""


def _digest(told: Any) -> str:
    return hashlib.sha256(json.dumps(told).encode()).hexdigest()[:16]


def _all_told(function: Callable[..., Any], given: Sequence[Any], how: Mapping[str, Any]) -> Any:
    return [_told(function), _told(given), _told(how)]


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
    if id(model) not in _checksums:
        _checksums[id(model)] = model, _checksum_of(model)
    return _checksums[id(model)][1]


def _checksum_of(model: TrainedModel) -> str:
    header = json.dumps([dict(model.settings), model.header()], sort_keys=True, default=list)
    whole = hashlib.sha256(header.encode())
    for name, array in sorted(model.arrays().items()):
        wide = array.astype(np.int64) if array.dtype.kind in "iu" else array  # 32 bits in a browser
        whole.update(name.encode() + np.ascontiguousarray(wide).tobytes())
    return whole.hexdigest()
