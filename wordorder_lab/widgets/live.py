"""The player as an anywidget. Only this file needs anywidget."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import anywidget
import traitlets

from wordorder_lab.widgets.module import EVERYTHING, module_text, style_text
from wordorder_lab.widgets.page import (
    HEIGHT,
    Again,
    Drive,
    contents,
    frame,
    page_text,
    tally,
)

LIVE = ("live", "again", "back")
"""What a page without a kernel has not."""
SHOWN = ("data", "position", "guesses", "moments")
"""What is put aside while another search is looked at."""


class Player(anywidget.AnyWidget):
    """A live player; see ``play``.

    Its mimebundle also holds the player as a page, so that an exported notebook still plays: one
    made by ``make pages``, or by nbconvert with ``notebooks/pages.json``. (Where a notebook stores
    the widget's state, nbconvert shows a blank widget instead.)
    """

    _esm = module_text(EVERYTHING)
    _css = style_text(EVERYTHING)
    data = traitlets.Dict().tag(sync=True)
    position = traitlets.Int(0).tag(sync=True)
    guesses: Any = traitlets.List().tag(sync=True)
    moments: Any = traitlets.List().tag(sync=True)

    def __init__(
        self, drives: Sequence[Drive | None] = (), again: Again | None = None, **traits: Any
    ) -> None:
        if own := tuple(traits["data"].get("own", ())):
            self._esm = module_text(EVERYTHING, own)
        super().__init__(moments=traits["data"].get("moments", []), **traits)
        self._drives = drives
        self._again = again
        self._training: dict[str, Any] = {}
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
        without = {name: value for name, value in self.data.items() if name not in LIVE}
        now = {"position": self.position, "moments": self.moments}
        return page_text({**without, **now}, self.data["title"])

    def _search_again(self, events: int) -> None:
        """Play the bag of an update with the weights before and after it, or say why not."""
        assert self._again is not None
        try:
            found = self._again(events)
        except ValueError as error:
            self.send({"sorry": f"No search: {error}"})
            return
        self._training = {name: getattr(self, name) for name in SHOWN} | {"position": events}
        how: dict[str, Any] = {"names": ("before the update", "after it"), "at": found.at}
        searched = contents(found.before, found.after, **how)
        more = {"title": found.title, "live": [False, False], "back": True}
        self._show({"data": {**searched, **more}, **searched, "guesses": []})

    def _show(self, shown: dict[str, Any]) -> None:
        """All at once, so that the front end builds one player."""
        with self.hold_sync(), self.hold_trait_notifications():
            for name in SHOWN:
                setattr(self, name, shown[name])

    def _answer(self, _: Any, message: dict[str, Any], buffers: Any) -> None:
        if message.get("wants") == "page":
            self.send({"page": self.page})
        if message.get("wants") == "again" and self._again is not None:
            self._search_again(message["at"])
        if message.get("wants") == "back" and self._training:
            self._show(self._training)
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
