"""The player, the explorer, the race and the sweep as widgets. Only this file needs anywidget.

A notebook exported by ``make pages``, or by nbconvert with ``notebooks/pages.json``, holds each as
a page that still plays. (Where it stores the widget's state, nbconvert shows a blank one.)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

import anywidget
import traitlets

from wordorder_lab.widgets.explorer import Exploring, Table, check_filter
from wordorder_lab.widgets.module import EVERYTHING, EXPLORER, RACE, SWEEP, module_text, style_text
from wordorder_lab.widgets.page import (
    PAGES,
    Again,
    Drive,
    PlayerData,
    contents,
    frame,
    page_text,
)
from wordorder_lab.widgets.race import RacePage, Racer

if TYPE_CHECKING:
    import pandas


LIVE = ("live", "again", "back")
"""What a page without a kernel has not."""
SHOWN = ("data", "position", "guesses", "moments")
"""What is put aside while another search is looked at."""

GUESS = ("view", "position", "kind", "difficulty", "question", "guess", "answer", "right")
"""The columns of ``Player.quiz``."""
Message = dict[str, Any]


def tally(guesses: Sequence[Mapping[str, object]]) -> pandas.DataFrame:
    """Guesses as a frame, one row a question; ``groupby("kind")["right"].mean()`` sums it up."""
    import pandas

    return pandas.DataFrame(
        [[guess[name] for name in GUESS] for guess in guesses], columns=[*GUESS]
    )


class Live(anywidget.AnyWidget):
    """A widget that is a page, too, where there is no kernel."""

    def __init__(self, entry: str, own: tuple[str, ...] = (), **traits: Any) -> None:
        self._esm, self._css = module_text(entry, own), style_text(entry)
        super().__init__(**traits)
        self.on_msg(self._heard)

    def _repr_html_(self) -> str:
        raise NotImplementedError

    def _heard(self, _widget: object, message: Message, _buffers: object) -> None:
        raise NotImplementedError

    def _repr_mimebundle_(self, **options: Any) -> Any:
        bundle = super()._repr_mimebundle_(**options)
        if bundle is None:
            return None
        data, metadata = bundle if isinstance(bundle, tuple) else (bundle, {})
        return {**data, "text/html": self._repr_html_()}, metadata


class Player(Live):
    """A live player; see ``play``."""

    data = traitlets.Dict().tag(sync=True)
    position = traitlets.Int(0).tag(sync=True)
    guesses: Any = traitlets.List().tag(sync=True)
    moments: Any = traitlets.List().tag(sync=True)

    def __init__(
        self, data: PlayerData, drives: Sequence[Drive | None] = (), again: Again | None = None
    ) -> None:
        self._drives = drives
        self._again = again
        self._training: dict[str, object] = {}
        traits = {"data": data, "position": data["position"], "moments": data["moments"]}
        super().__init__(EVERYTHING, tuple(data.get("own", ())), **traits)

    @traitlets.validate("position")
    def _within_the_log(self, proposal: traitlets.Bunch) -> int:
        position, last = int(proposal["value"]), len(self.data["logs"][0]["kinds"])
        if not 0 <= position <= last:
            raise traitlets.TraitError(f"position is 0 to {last}, not {position}")
        return position

    @property
    def quiz(self) -> pandas.DataFrame:
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
            before, after, at, title = self._again(events)
        except ValueError as error:
            self.send({"sorry": f"No search: {error}"})
            return
        self._training = {name: getattr(self, name) for name in SHOWN} | {"position": events}
        searched = contents(before, after, names=("before the update", "after it"), at=at)
        more = {"title": title, "live": [False, False], "back": True}
        self._show({**searched, "data": {**searched, **more}, "guesses": []})

    def _show(self, shown: Mapping[str, object]) -> None:
        """All at once, so that the front end builds one player."""
        with self.hold_sync(), self.hold_trait_notifications():
            for name in SHOWN:
                setattr(self, name, shown[name])

    def _heard(self, _widget: object, message: Message, _buffers: object) -> None:
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

    def _repr_html_(self) -> str:
        return frame(self.page, self.data["title"])


class Explorer(Exploring, Live):
    """A live explorer; see ``wl.explore``.

    ``filter``, and ``row``, the number of a sentence (0: none), are read and set from both sides.
    """

    data = traitlets.Dict().tag(sync=True)
    filter: Any = traitlets.Dict().tag(sync=True)
    row = traitlets.Int(0).tag(sync=True)

    def __init__(self, table: Table, recordings: int = 0) -> None:
        Exploring.__init__(self, table, recordings)
        Live.__init__(self, EXPLORER, data=table.data(live=True))

    @traitlets.validate("filter")
    def _only_filters(self, proposal: traitlets.Bunch) -> object:
        try:
            check_filter(proposal["value"], self.table.columns)
        except ValueError as error:
            raise traitlets.TraitError(str(error)) from None
        return proposal["value"]

    @traitlets.validate("row")
    def _only_rows(self, proposal: traitlets.Bunch) -> int:
        row, last = int(proposal["value"]), len(self.table.frame)
        if not 0 <= row <= last:
            raise traitlets.TraitError(f"row is 0 (none) to {last}, not {row}")
        return row

    def _heard(self, _widget: object, message: Message, _buffers: object) -> None:
        if message.get("wants") == "page":
            self.send({"id": message["id"], "answer": self.page(self.recordings)})
        if message.get("wants") == "play":
            place, which = int(message["row"]), int(message["which"])
            self.send({"id": message["id"], "answer": self.table.record(place, which)})
            self.played.append(place)


class Race(RacePage, Live):
    """A live race; see ``wl.race``."""

    data = traitlets.Dict().tag(sync=True)

    def __init__(self, racers: Sequence[Racer], title: str, gold: str | None) -> None:
        RacePage.__init__(self, racers, title, gold)
        Live.__init__(self, RACE, data=self.contents())

    def _heard(self, _widget: object, message: Message, _buffers: object) -> None:
        if message.get("wants") == "page":
            self.send({"page": self.page()})


class Further(Protocol):
    """A sweep, which can search with one more value of its knob."""

    @property
    def runs(self) -> Sequence[object]:
        """Its runs."""

    def contents(self) -> dict[str, object]:
        """It as plain data."""

    def page(self) -> str:
        """The page."""

    def _repr_html_(self) -> str: ...

    def search(self, value: Any) -> object:
        """The run with this value."""


class Sweeping(Live):
    """A live sweep; see ``wl.sweep``. Where the knob is a number, any value can be searched."""

    data = traitlets.Dict().tag(sync=True)

    def __init__(self, sweep: Further, further: Mapping[str, object] | None) -> None:
        self.sweep = sweep
        super().__init__(SWEEP, data={**sweep.contents(), "further": further})

    def _heard(self, _widget: object, message: Message, _buffers: object) -> None:
        if message.get("wants") == "page":
            self.send({"id": message["id"], "answer": self.sweep.page()})
        if message.get("wants") == "run":
            try:
                found = self.sweep.search(message["value"])  # which may add it to the runs
            except ValueError as error:
                self.send({"id": message["id"], "answer": {"sorry": str(error)}})
                return
            self.data = {**self.sweep.contents(), "further": self.data["further"]}
            at = self.sweep.runs.index(found)
            self.send({"id": message["id"], "answer": {"at": at}})

    def _repr_html_(self) -> str:
        return self.sweep._repr_html_()


class Keys(anywidget.AnyWidget):
    """Keeps a form's keys from JupyterLab, where "b" on a focused button would add a cell."""

    _esm = PAGES / "keys.js"
