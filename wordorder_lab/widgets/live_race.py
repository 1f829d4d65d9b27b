"""The race as an anywidget."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import anywidget
import traitlets

from wordorder_lab.widgets.module import RACE, module_text, style_text
from wordorder_lab.widgets.page import HEIGHT
from wordorder_lab.widgets.page import frame as framed
from wordorder_lab.widgets.race import Racer, Racing


class Race(Racing, anywidget.AnyWidget):
    """A live race; see ``wl.race``. An exported notebook holds it as a page, as ``Player`` does."""

    _esm = module_text(RACE)
    _css = style_text(RACE)
    data = traitlets.Dict().tag(sync=True)

    def __init__(self, racers: Sequence[Racer], title: str, gold: str | None) -> None:
        self.racers, self.title, self.gold = racers, title, gold
        super().__init__(data=self.contents())
        self.on_msg(self._answer)

    def _answer(self, _: Any, message: dict[str, Any], buffers: Any) -> None:
        if message.get("wants") == "page":
            self.send({"page": self.page()})

    def _repr_mimebundle_(self, **how: Any) -> Any:
        bundle = super()._repr_mimebundle_(**how)
        if bundle is None:
            return None
        data, metadata = bundle if isinstance(bundle, tuple) else (bundle, {})
        return {**data, "text/html": framed(self.page(), self.title, HEIGHT)}, metadata
