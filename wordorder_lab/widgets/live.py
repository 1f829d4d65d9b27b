"""The player as an anywidget. Only this file needs anywidget."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import anywidget
import traitlets

from wordorder_lab.widgets.module import DECODER, module_text, style_text
from wordorder_lab.widgets.page import HEIGHT, Drive, frame, page_text, tally


class Player(anywidget.AnyWidget):
    """A live player; see ``play``.

    Its mimebundle also holds the player as a page, so that an exported notebook still plays: one
    made by ``make pages``, or by nbconvert with ``notebooks/pages.json``. (Where a notebook stores
    the widget's state, nbconvert shows a blank widget instead.)
    """

    _esm = module_text(DECODER)
    _css = style_text(DECODER)
    data = traitlets.Dict().tag(sync=True)
    position = traitlets.Int(0).tag(sync=True)
    guesses: Any = traitlets.List().tag(sync=True)
    moments: Any = traitlets.List().tag(sync=True)

    def __init__(self, drives: Sequence[Drive | None] = (), **traits: Any) -> None:
        super().__init__(moments=traits["data"].get("moments", []), **traits)
        self._drives = drives
        self.on_msg(self._answer)

    @traitlets.validate("position")
    def _within_the_log(self, proposal: Any) -> int:
        last = len(self.data["logs"][0]["kinds"])
        if not 0 <= proposal["value"] <= last:
            raise traitlets.TraitError(f"position is 0 to {last}, not {proposal['value']}")
        return proposal["value"]

    @property
    def quiz(self) -> Any:
        """The guesses so far: view, position, kind, difficulty, question, guess, answer, right."""
        return tally(self.guesses)

    @property
    def page(self) -> str:
        """The player as a page of its own."""
        without = {name: value for name, value in self.data.items() if name != "live"}
        now = {"position": self.position, "moments": self.moments}
        return page_text({**without, **now}, self.data["title"])

    def _answer(self, _: Any, message: dict[str, Any], buffers: Any) -> None:
        if message.get("wants") == "page":
            self.send({"page": self.page})
        if message.get("wants") == "answer":
            drive = self._drives[message["which"]]
            if drive is not None:
                self.send({"id": message["id"], "answer": drive(message["question"])})

    def _repr_mimebundle_(self, **how: Any) -> Any:
        bundle = super()._repr_mimebundle_(**how)
        if bundle is None:
            return None
        data, metadata = bundle if isinstance(bundle, tuple) else (bundle, {})
        return {**data, "text/html": frame(self.page, self.data["title"], HEIGHT)}, metadata
