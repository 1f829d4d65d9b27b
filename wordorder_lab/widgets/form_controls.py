"""The ordering form's controls: labelled fields, buttons, and the choices of one run.

No colour is named here: the themes of JupyterLab choose them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib.util import find_spec
from typing import Any

import ipywidgets as widgets

from wordorder_lab.widgets.form import TAGS

BEAMS = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128)
ENGINES = ("fast", "reference")

HINT = (
    "<small>in any order; <code>[a phrase]</code> stays whole, <code>word/TAG</code> gives a tag, "
    "<code>word&gt;2</code> its head (unit 2; <code>&gt;0</code> is the root), and at the end "
    "<code>| 3&lt;1</code> an order (unit 3 before unit 1); a backslash makes "
    "<code>[ ] / \\</code> plain</small>"
)

LABEL = {"description_width": "initial"}
ROW = {"flex_flow": "row wrap", "align_items": "center", "grid_gap": "0 0.5rem"}


def field(kind: type, description: str, tooltip: str, flex: str = "1 1 12rem", **more: Any) -> Any:
    """A control with its label, as wide as there is room for."""
    layout = {"width": "auto", "flex": flex}
    return kind(description=description, tooltip=tooltip, layout=layout, style=LABEL, **more)


def button(description: str, tooltip: str, press: Callable[[], None], **more: Any) -> Any:
    """A button that calls ``press``."""
    made = widgets.Button(
        description=description, tooltip=tooltip, layout={"width": "auto"}, **more
    )
    made.on_click(lambda _: press())
    return made


def row(*children: Any) -> Any:
    """Controls side by side, below each other where the page is narrow."""
    return widgets.Box(children, layout=ROW)


def words_field(text: str) -> Any:
    """Where the bag is typed."""
    return field(
        widgets.Textarea, "Words", "the words to put in order", "1 1 100%", value=text, rows=2
    )


def tags_choice() -> Any:
    """Where the tags come from."""
    return field(widgets.Dropdown, "POS", "where the tags come from", options=list(TAGS.items()))


def tags_field() -> Any:
    """Where tags are typed, if not beside their words."""
    return field(widgets.Text, "Tags", "one a unit, in the order of the units; _ is not known")


def compare_box() -> Any:
    """Whether there is a second run."""
    told = "a second run on the same words, shown beside the first"
    return field(widgets.Checkbox, "Compare with B", told, "0 0 auto", indent=False)


def key_guard() -> list[Any]:
    """What keeps keys from JupyterLab, where anywidget is there for it."""
    try:
        from wordorder_lab.widgets.form_keys import Keys
    except ImportError:
        return []
    return [Keys()]


class Side:
    """The choices of one run: model, beam and engine. There is A, and B to compare it with.

    Raises ``ValueError`` for a beam or an engine that cannot be.
    """

    def __init__(self, names: Sequence[str], name: str, beam: int, engine: str | None) -> None:
        if beam < 1:
            raise ValueError(f"the beam is at least 1, not {beam}")
        if engine not in (None, *ENGINES):
            raise ValueError(f"no engine {engine!r}; there are {' and '.join(ENGINES)}")
        here = ENGINES if find_spec("numba") else ENGINES[1:]
        told = "fast: compiled; reference: plain Python, to be read; both find the same"
        self.model = field(widgets.Dropdown, "", "which model", options=names, value=name)
        self.beam = field(
            widgets.Dropdown,
            "",
            "how many states are kept at each step; 1 is greedy search",
            options=sorted({*BEAMS, beam}),
            value=beam,
        )
        self.engine = field(
            widgets.Dropdown, "", told, options=here, value=engine if engine in here else here[0]
        )
        self.box = row(self.model, self.beam, self.engine)
        self.call("")

    def call(self, mark: str) -> None:
        """Label the choices "Model A" and so on; just "Model" without a mark."""
        for name in ("model", "beam", "engine"):
            getattr(self, name).description = f"{name.capitalize()} {mark}".strip()

    def __str__(self) -> str:
        return f"{self.model.value}, beam {self.beam.value}, {self.engine.value}"
