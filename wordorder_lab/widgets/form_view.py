"""The ordering form itself: its parts, and what happens when they are used.

Everything here works without a browser: set ``form.sentence.value``, call ``form.run()``, read
``form.message``. Text that people typed reaches the page escaped, or through controls that show
text only.

No colour is named here: the themes of JupyterLab choose them.
"""

from __future__ import annotations

import html
import random
from collections.abc import Callable, Mapping, Sequence
from importlib.util import find_spec
from typing import Any

import ipywidgets as widgets

from wordorder_lab.structures.bag import WordBag
from wordorder_lab.structures.messages import cited
from wordorder_lab.structures.result import Result
from wordorder_lab.structures.sentence import Sentence
from wordorder_lab.structures.typed_bag import parse_bag, type_bag
from wordorder_lab.trace.log import EventLog
from wordorder_lab.widgets.form_run import (
    TAGS,
    Orders,
    Run,
    bag_of_sentence,
    chosen,
    explain,
    list_tags,
    outcome,
    read_bag,
    report,
    retell,
    run_model,
    shuffled,
)
from wordorder_lab.widgets.page import HEIGHT, default_title, frame
from wordorder_lab.widgets.player import play

COMPILING = " (where the fast engine is new it is compiled first, which takes some 20 seconds)"

COLUMN = {"flex": "1 1 18rem", "min_width": "0", "overflow": "auto", "align_self": "flex-start"}
STATIC = "<p>This form works where there is a kernel: open the notebook in JupyterLab.</p>"


class OrderingForm:
    """The form; ``ordering_form`` makes one and says what it holds.

    ``error`` is what the last run raised, for whoever wants its traceback: ``raise form.error``.
    """

    def __init__(
        self,
        models: Mapping[str, Orders],
        text: str,
        sentences: Sequence[Sentence],
        beam: int,
        engine: str | None,
        chance: random.Random,
        max_events: int,
    ) -> None:
        self.models, self.sentences = models, sentences
        self.chance, self.max_events = chance, max_events
        self.runs: tuple[Run, ...] = ()
        self.player: Any = None
        self.error: Exception | None = None
        self.original: Sentence | None = None
        self.message = ""
        self.has_compiled = False
        names = list(models)
        self.a = Side(names, names[0], beam, engine)
        self.b = Side(names, names[1 % len(names)], 1 if beam > 1 else 16, engine)
        self._make(text)
        self._watch()

    # --- what the next cell reads ---------------------------------------------------------------

    @property
    def result(self) -> Result | None:
        """What the last run found; that of A, if there were two."""
        return self.runs[0].result if self.runs else None

    @property
    def results(self) -> list[Result]:
        """What A found, and B if it ran."""
        return [run.result for run in self.runs]

    @property
    def log(self) -> EventLog | None:
        """The events of the last run; those of A, if there were two."""
        return self.runs[0].log if self.runs else None

    @property
    def logs(self) -> list[EventLog]:
        """The events of A, and of B if it ran."""
        return [run.log for run in self.runs]

    # --- what the buttons do --------------------------------------------------------------------

    def run(self) -> None:
        """Order the words. What goes wrong becomes ``message``, and what was there stays."""
        self.error = None
        self.run_button.disabled = True
        try:
            self._show(self._run_sides())
        except Exception as error:  # whatever it is: a callback's traceback would be lost
            self.error = error
            self._say(f"not run: {explain(error)}", "alert")
        except KeyboardInterrupt:
            self._say("stopped; what was there before is still there", "alert")
            raise
        finally:
            self.run_button.disabled = False

    def shuffle(self) -> None:
        """Write the same units in another order; their tags go with them."""
        try:
            bag = parse_bag(self.sentence.value)
        except ValueError as error:
            self._say(explain(error), "alert")
            return
        places, listed = shuffled(bag, self.chance), self.listed.value.split()
        if len(listed) == len(bag):
            self.listed.value = " ".join(listed[i] for i in places)
        self.sentence.value = type_bag(chosen(bag, places))

    def next_sentence(self) -> None:
        """Put one of the corpus sentences into the form, its units shuffled."""
        self.original = self.chance.choice(self.sentences)
        bag = bag_of_sentence(self.original)
        bag = chosen(bag, shuffled(bag, self.chance))
        self.listed.value = list_tags(bag)
        self.sentence.value = type_bag(bag)

    def _make(self, text: str) -> None:
        self.sentence = words_field(text)
        self.tags, self.listed, self.compare = tags_choice(), tags_field(), compare_box()
        tooltip = "order the words and play how it was done"
        self.run_button = button("Run", tooltip, self.run, button_style="primary")
        self.shuffle_button = button(
            "Shuffle", "the same words typed in another order: the result is the same", self.shuffle
        )
        tooltip = "one from the corpus, shuffled"
        self.next_button = button("Another sentence", tooltip, self.next_sentence)
        self.status, self.reports, self.stage = widgets.HTML(), row(), widgets.VBox()
        self._tags_row, self._sides_box = row(), widgets.VBox()
        parts = [self.sentence, widgets.HTML(HINT), self._tags_row, self._sides_box]
        parts += [row(self.run_button, self.compare), self.status, self.reports, self.stage]
        self.box = widgets.VBox([*parts, *key_guard()])
        self.box.add_class("wol-form")

    def _watch(self) -> None:
        for control in (self.sentence, self.tags, self.listed):
            control.observe(self._reread, "value")
        for control in (self.tags, self.compare):
            control.observe(self._lay_out, "value")
        self._lay_out()
        self._reread()

    def _lay_out(self, _change: Any = None) -> None:
        """Show the field of tags and the choices of B only while they count."""
        listed = [self.listed] if self.tags.value == "listed" else []
        corpus = [self.next_button] if self.sentences else []
        self._tags_row.children = (self.tags, *listed, self.shuffle_button, *corpus)
        self._sides_box.children = tuple(side.box for side in self._sides())
        self.a.call("A" if self.compare.value else "")
        self.b.call("B")

    def _sides(self) -> list[Side]:
        return [self.a, self.b] if self.compare.value else [self.a]

    def _reread(self, change: Any = None) -> None:
        """Say at once how the words and tags are understood, or what is wrong with them."""
        try:
            if change is not None and change.owner is self.tags and self.tags.value == "listed":
                self._fill_in_tags()
            self._say(retell(self._bag()))
        except ValueError as error:
            self._say(explain(error))

    def _fill_in_tags(self) -> None:
        """Begin the list of tags with those that were typed beside the words."""
        bag = parse_bag(self.sentence.value)
        if len(self.listed.value.split()) != len(bag):
            self.listed.value = list_tags(bag)

    def _bag(self) -> WordBag:
        return read_bag(self.sentence.value, self.tags.value, self.listed.value)

    def _run_sides(self) -> list[Run]:
        bag, sides, runs = self._bag(), self._sides(), []
        for mark, side in zip("AB", sides):
            name = f"{mark}: {side}" if len(sides) > 1 else str(side)
            fast = side.engine.value == "fast"
            self._say(f"running {name} ...{COMPILING if fast and not self.has_compiled else ''}")
            choice = side.beam.value, side.engine.value, self.max_events
            runs.append(run_model(name, self.models[side.model.value], bag, *choice))
            self.has_compiled |= fast
        return runs

    def _show(self, runs: Sequence[Run]) -> None:
        """The outcome; nothing of the last one goes before all of this one is there."""
        original = self._original(runs[0].result)
        reports = [widgets.HTML(report(run, original), layout=COLUMN) for run in runs]
        self.player = self._play(runs)
        self.runs = tuple(runs)
        self.reports.children = reports
        live = isinstance(self.player, widgets.Widget)
        self.stage.children = (self.player if live else widgets.HTML(self._page()),)
        self._say(outcome(runs))

    def _play(self, runs: Sequence[Run]) -> Any:
        """The player of all runs; ``None`` if one of them did not say what it does."""
        logs = [run.log for run in runs]
        first, *second = (run.name.removeprefix(f"{mark}: ") for mark, run in zip("AB", runs))
        names = (first, *(second or "B"))
        return play(*logs, names=names, max_events=self.max_events) if all(logs) else None

    def _original(self, result: Result) -> Sentence | None:
        """The corpus sentence, as long as it is its words that are being ordered."""
        same = self.original and sorted(self.original.surface) == sorted(result.surface)
        return self.original if same else None

    def _say(self, message: str, role: str = "status") -> None:
        self.message = message
        self.status.value = f'<span role="{role}">{html.escape(message)}</span>'

    def _page(self) -> str:
        """The player as a page in a page."""
        if self.player is None:
            return ""
        return frame(self.player.page, default_title(self.runs[0].log), HEIGHT)

    def _repr_mimebundle_(self, **options: Any) -> dict[str, Any]:
        """Live where there is a kernel; elsewhere the last outcome, which still plays."""
        reports = "".join(child.value for child in self.reports.children)
        still = reports + self._page() if self.runs else STATIC
        bundle = dict(self.box._repr_mimebundle_(**options) or {})
        return {**bundle, "text/html": still, "text/plain": f"OrderingForm({self.message})"}


# --- The ordering form's controls: labelled fields, buttons, and the choices of one run -------


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
    tooltip = "a second run on the same words, shown beside the first"
    return field(widgets.Checkbox, "Compare with B", tooltip, "0 0 auto", indent=False)


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
            raise ValueError(f"no engine {cited(engine)}; there are {' and '.join(ENGINES)}")
        here = ENGINES if find_spec("numba") else ENGINES[1:]
        tooltip = "fast: compiled; reference: plain Python, to be read; both find the same"
        self.model = field(widgets.Dropdown, "", "which model", options=names, value=name)
        self.beam = field(
            widgets.Dropdown,
            "",
            "how many states are kept at each step; 1 is greedy search",
            options=sorted({*BEAMS, beam}),
            value=beam,
        )
        self.engine = field(
            widgets.Dropdown, "", tooltip, options=here, value=engine if engine in here else here[0]
        )
        self.box = row(self.model, self.beam, self.engine)
        self.call("")

    def call(self, mark: str) -> None:
        """Label the choices "Model A" and so on; just "Model" without a mark."""
        for name in ("model", "beam", "engine"):
            getattr(self, name).description = f"{name.capitalize()} {mark}".strip()

    def __str__(self) -> str:
        return f"{self.model.value}, beam {self.beam.value}, {self.engine.value}"
