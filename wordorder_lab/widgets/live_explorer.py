"""The explorer as an anywidget. Only this file and ``live`` need anywidget."""

from __future__ import annotations

from typing import Any

import anywidget
import traitlets

from wordorder_lab.widgets.explorer import HEIGHT, Exploring, Table, check_filter
from wordorder_lab.widgets.module import EXPLORER, module_text, style_text
from wordorder_lab.widgets.page import frame as framed


class Explorer(Exploring, anywidget.AnyWidget):
    """A live explorer; see ``wl.explore``.

    ``filter`` and ``row``, the number of the sentence that is looked at (0: none), are read and
    set from both sides. An exported notebook holds the explorer as a page, as ``Player`` does.
    """

    _esm = module_text(EXPLORER)
    _css = style_text(EXPLORER)
    data = traitlets.Dict().tag(sync=True)
    filter: Any = traitlets.Dict().tag(sync=True)
    row = traitlets.Int(0).tag(sync=True)

    def __init__(self, table: Table, recordings: int = 0) -> None:
        self.table, self.recordings = table, recordings
        super().__init__(data=table.data(live=True))
        self.on_msg(self._answer)

    @traitlets.validate("filter")
    def _only_filters(self, proposal: Any) -> Any:
        try:
            check_filter(proposal["value"], self.table.columns)
        except ValueError as error:
            raise traitlets.TraitError(str(error)) from None
        return proposal["value"]

    @traitlets.validate("row")
    def _only_rows(self, proposal: Any) -> Any:
        if not 0 <= proposal["value"] <= len(self.table.frame):
            last = len(self.table.frame)
            raise traitlets.TraitError(f"row is 0 (none) to {last}, not {proposal['value']}")
        return proposal["value"]

    def _answer(self, _: Any, message: dict[str, Any], buffers: Any) -> None:
        if message.get("wants") == "page":
            self.send({"id": message["id"], "answer": self.page(self.recordings)})
        if message.get("wants") == "play":
            place, which = int(message["row"]), int(message["which"])
            self.send({"id": message["id"], "answer": self.table.record(place, which)})

    def _repr_mimebundle_(self, **how: Any) -> Any:
        bundle = super()._repr_mimebundle_(**how)
        if bundle is None:
            return None
        data, metadata = bundle if isinstance(bundle, tuple) else (bundle, {})
        page = framed(self.page(self.recordings), self.table.title, HEIGHT)
        return {**data, "text/html": page}, metadata
