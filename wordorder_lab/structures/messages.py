"""What messages about bad input say in the same way everywhere."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

from wordorder_lab.structures.one_line import cited


def unknown_name(kind: str, name: object, known: Iterable[str]) -> str:
    """A name that there is not, with the nearest one that there is, and with all.

    ``no system 'lui-2015' (did you mean 'liu-2015'?); there are liu-2015, wan-2009``
    """
    names = list(known)
    in_capitals = {one.upper(): one for one in names}  # LIU-2015 means liu-2015
    near = get_close_matches(name.upper() if isinstance(name, str) else "", in_capitals, 1)
    meant = f" (did you mean {in_capitals[near[0]]!r}?)" if near else ""
    return f"no {kind} {cited(name)}{meant}; there are {', '.join(names) or 'none'}"
