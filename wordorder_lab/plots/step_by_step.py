"""Several pictures in one place, of which one is seen: a stop for each, arrow keys between them.

The stops are radio buttons and the rest is style, so nothing has to run: it works in a notebook and
in an exported page without a net. All pictures take the same room, so nothing jumps.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from io import StringIO
from itertools import count

_NUMBERS = count(1)
_STYLE = """
#{me} {{ border: 1px solid #8886; border-radius: 6px; padding: .5em .8em; margin: .4em 0 }}
#{me} input {{ margin: 0 .25em 0 0; vertical-align: middle }}
#{me} label {{ margin-right: 1.1em; cursor: pointer; white-space: nowrap }}
#{me} input:focus-visible + label {{ outline: 2px solid #0072B2; outline-offset: 2px }}
#{me} input:checked + label {{ font-weight: bold; text-decoration: underline }}
#{me} > .pages {{ display: grid; margin-top: .5em }}
#{me} > .pages > section {{ grid-area: 1 / 1; min-width: 0; overflow-x: auto; visibility: hidden }}
#{me} > .pages h4 {{ margin: .2em 0 .5em; font-weight: normal }}
"""
_SHOWN = (
    "#{me} > input:nth-of-type({at}):checked ~ .pages > section:nth-of-type({at})"
    " {{ visibility: visible }}\n"
)
_PRINTED = "@media print {{ #{me} > .pages {{ display: block }}"
_PRINTED += " #{me} > .pages > section {{ visibility: visible }} }}\n"


@dataclass(frozen=True)
class StepByStep:
    """What ``step_by_step`` makes; a notebook shows it."""

    caption: str
    pages: Mapping[str, tuple[str, object]]
    first: int

    def __repr__(self) -> str:
        lines = (f"{name}: {line}" for name, (line, _) in self.pages.items())
        return "\n".join([self.caption, *lines])

    def _repr_html_(self) -> str:
        me = f"wl-steps-{next(_NUMBERS)}"  # shown twice in a page, it needs two names
        places = range(1, len(self.pages) + 1)
        style = _STYLE.format(me=me) + "".join(_SHOWN.format(me=me, at=at) for at in places)
        stops = "\n".join(
            f'<input type="radio" name="{me}" id="{me}-{at}"{" checked" * (at - 1 == self.first)}>'
            f'<label for="{me}-{at}">{escape(name)}</label>'
            for at, name in enumerate(self.pages, 1)
        )
        sections = "\n".join(
            f"<section><h4>{escape(line)}</h4>{_html(picture)}</section>"
            for line, picture in self.pages.values()
        )
        return (
            f'<div id="{me}" role="group" aria-label="{escape(self.caption)}"'
            f' data-lm-suppress-shortcuts="true"><style>{style}{_PRINTED.format(me=me)}</style>'
            f'\n{stops}\n<div class="pages">\n{sections}\n</div></div>'
        )


def step_by_step(
    pages: Mapping[str, tuple[str, object]], caption: str, *, first: int = 0
) -> StepByStep:
    """Pictures behind stops: by the name of its stop each with a line above it.

    A picture is what a notebook shows as HTML (a tree, a derivation, a table), a figure of
    matplotlib, or text. ``first`` is the stop that is seen at first, from 0.

    Raises ``ValueError`` where there is no picture, and for a ``first`` that is not among them.
    """
    if not pages:
        raise ValueError("there is no picture to step through: give one or more")
    if not 0 <= first < len(pages):
        raise ValueError(f"first is {first}, and the stops are 0 to {len(pages) - 1}")
    return StepByStep(caption, pages, first)


def _html(picture: object) -> str:
    if hasattr(picture, "savefig"):  # a figure has the other method, too, which gives nothing
        written = StringIO()
        picture.savefig(written, format="svg", metadata={"Date": None})
        return written.getvalue()[written.getvalue().index("<svg") :]
    if hasattr(picture, "_repr_html_"):
        return str(picture._repr_html_())
    return f"<pre>{escape(str(picture))}</pre>"
