"""The ordering form and the rating form in a notebook: their parts, and what these do when used.

Everything here works without a browser: set ``form.sentence.value``, call ``form.run()``, read
``form.message``. Text that people typed, and what is judged, reaches the page escaped, or through
controls that show text only. No colour is named here: the themes of JupyterLab choose them.
"""

from __future__ import annotations

import html
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import ipywidgets as widgets
import traitlets

from wordorder_lab.structures.bag import WordBag
from wordorder_lab.structures.messages import cited
from wordorder_lab.structures.rating_plan import QUESTIONS, SCALE
from wordorder_lab.structures.result import Result
from wordorder_lab.structures.sentence import Sentence
from wordorder_lab.structures.typed_bag import parse_bag, type_bag
from wordorder_lab.trace.log import EventLog
from wordorder_lab.widgets import form_run
from wordorder_lab.widgets.form_run import Asked, Run, chosen, explain
from wordorder_lab.widgets.page import default_title, frame
from wordorder_lab.widgets.player import Page, play
from wordorder_lab.widgets.trainings import Trainings

if TYPE_CHECKING:
    from wordorder_lab.widgets.live import Player

COMPILING = " (where the fast engine is new it is compiled first, which takes some 20 seconds)"
COLUMN = {"flex": "1 1 18rem", "min_width": "0", "overflow": "auto", "align_self": "flex-start"}
STATIC = "<p>This form works where there is a kernel: open the notebook in JupyterLab.</p>"


class OrderingForm:
    """The form that ``ordering_form`` makes; ``error`` is what the last run raised, for whoever
    wants its traceback: ``raise form.error``."""

    def __init__(self, asked: Asked, text: str) -> None:
        self.asked = asked
        self.runs: tuple[Run, ...] = ()
        self.player: Player | Page | None = None
        self.error: Exception | None = None
        self.original: Sentence | None = None
        self.message = ""
        self.has_compiled = False
        names, beam = list(asked.models), asked.beam
        self.a = Side(names, names[0], beam, asked.engine)
        self.b = Side(names, names[1 % len(names)], 1 if beam > 1 else 16, asked.engine)
        self._make(text)
        for control in (self.sentence, self.tags, self.listed):
            control.observe(self._reread, "value")
        for control in (self.tags, self.compare):
            control.observe(self._lay_out, "value")
        self._lay_out()
        self._reread()

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
        places, listed = form_run.shuffled(bag, self.asked.rng), self.listed.value.split()
        if len(listed) == len(bag):
            self.listed.value = " ".join(listed[i] for i in places)
        self.sentence.value = type_bag(chosen(bag, places))

    def next_sentence(self) -> None:
        """Put one of the corpus sentences into the form, its units shuffled."""
        rng = self.asked.rng
        self.original = rng.choice(self.asked.sentences)
        words, tags = zip(*((token.words, token.pos) for token in self.original))
        bag = WordBag(words, tags)
        bag = chosen(bag, form_run.shuffled(bag, rng))
        self.listed.value = form_run.list_tags(bag)
        self.sentence.value = type_bag(bag)

    def _make(self, text: str) -> None:
        self.sentence = field(
            widgets.Textarea, "Words", "the words to put in order", "1 1 100%", value=text, rows=2
        )
        tags = list(form_run.TAGS.items())
        self.tags = field(widgets.Dropdown, "POS", "where the tags come from", options=tags)
        order = "one a unit, in the order of the units; _ is not known"
        self.listed = field(widgets.Text, "Tags", order)
        second = "a second run on the same words, shown beside the first"
        self.compare = field(widgets.Checkbox, "Compare with B", second, "0 0 auto", indent=False)
        ordering = "order the words and play how it was done"
        self.run_button = button("Run", ordering, self.run, button_style="primary")
        another = "the same words typed in another order: the result is the same"
        self.shuffle_button = button("Shuffle", another, self.shuffle)
        corpus = "one from the corpus, shuffled"
        self.next_button = button("Another sentence", corpus, self.next_sentence)
        self.status, self.reports, self.stage = widgets.HTML(), row(), widgets.VBox()
        self._tags_row, self._sides_box = row(), widgets.VBox()
        parts = [self.sentence, widgets.HTML(HINT), self._tags_row, self._sides_box]
        parts += [row(self.run_button, self.compare), self.status, self.reports, self.stage]
        self.box = form_box(parts)

    def _lay_out(self, _change: object = None) -> None:
        """Show the field of tags and the choices of B only while they count."""
        listed = [self.listed] if self.tags.value == "listed" else []
        corpus = [self.next_button] if self.asked.sentences else []
        self._tags_row.children = (self.tags, *listed, self.shuffle_button, *corpus)
        self._sides_box.children = tuple(side.box for side in self._sides())
        self.a.label("A" if self.compare.value else "")
        self.b.label("B")

    def _sides(self) -> list[Side]:
        return [self.a, self.b] if self.compare.value else [self.a]

    def _reread(self, change: traitlets.Bunch | None = None) -> None:
        """Say how words and tags are understood; the list of tags begins with the typed ones."""
        try:
            if change is not None and change.owner is self.tags and self.tags.value == "listed":
                bag = parse_bag(self.sentence.value)
                if len(self.listed.value.split()) != len(bag):
                    self.listed.value = form_run.list_tags(bag)
            self._say(form_run.understood(self._bag()))
        except ValueError as error:
            self._say(explain(error))

    def _bag(self) -> WordBag:
        return form_run.read_bag(self.sentence.value, self.tags.value, self.listed.value)

    def _run_sides(self) -> list[Run]:
        bag, sides, runs = self._bag(), self._sides(), []
        for mark, side in zip("AB", sides):
            name = f"{mark}: {side}" if len(sides) > 1 else str(side)
            fast = side.engine.value == "fast"
            self._say(f"running {name} ...{COMPILING if fast and not self.has_compiled else ''}")
            model, options = self.asked.models[side.model.value], side.options
            runs.append(form_run.run_model(name, model, bag, self.asked.max_events, **options))
            self.has_compiled |= fast
        return runs

    def _show(self, runs: Sequence[Run]) -> None:
        """The outcome; nothing of the last one goes before all of this one is there."""
        found = runs[0].result
        same = self.original and sorted(self.original.surface) == sorted(found.surface)
        original = self.original if same else None
        reports = [widgets.HTML(form_run.report(run, original), layout=COLUMN) for run in runs]
        self.player = self._play(runs)
        self.runs = tuple(runs)
        self.reports.children = reports
        live = isinstance(self.player, widgets.Widget)
        self.stage.children = (self.player if live else widgets.HTML(self._page()),)
        self._say(form_run.outcome(runs))

    def _play(self, runs: Sequence[Run]) -> Player | Page | None:
        """The player of all runs; ``None`` if one of them did not say what it does."""
        logs = [run.log for run in runs]
        first, *second = (run.name.removeprefix(f"{mark}: ") for mark, run in zip("AB", runs))
        names = (first, *(second or "B"))
        if not all(logs):
            return None
        player = play(*logs, names=names, max_events=self.asked.max_events)
        assert not isinstance(player, Trainings)  # those are several logs by name
        return player

    def _say(self, message: str, role: str = "status") -> None:
        self.message = message
        self.status.value = f'<span role="{role}">{html.escape(message)}</span>'

    def _page(self) -> str:
        if self.player is None:
            return ""
        return frame(self.player.page, default_title(self.runs[0].log))

    def _repr_mimebundle_(self, **options: object) -> dict[str, object]:
        """Live where there is a kernel; elsewhere the last outcome, which still plays."""
        reports = "".join(child.value for child in self.reports.children)
        still = reports + self._page() if self.runs else STATIC
        bundle = dict(self.box._repr_mimebundle_(**options) or {})
        return {**bundle, "text/html": still, "text/plain": f"OrderingForm({self.message})"}


# --- the rating form ------------------------------------------------------------------------------


class RatingView:
    """The controls of a ``RatingForm``: who judges, the item, five points a question."""

    def __init__(self, form: Any) -> None:
        self.form, self.place = form, 0
        self._is_filling = False
        raters = list(form.plan)
        self.rater = field(widgets.Dropdown, "You are", "whose answers these are", options=raters)
        self.item, self.status = widgets.HTML(), widgets.HTML()
        self.points = {name: self._choice(name) for name in QUESTIONS}
        self.back = button("Back", "the sentence before", lambda: self.go(self.place - 1))
        self.next = button("Next", "the next sentence", lambda: self.go(self.place + 1))
        where = "where the answers are written"
        self.file = field(widgets.Text, "File", where, value="ratings.csv")
        self.save = button("Save the answers", "as CSV, for wl.analyse_ratings", self._save)
        parts = [self.rater, self.item]
        for name, text in QUESTIONS.items():
            asked = f"{html.escape(text)} <small>1 is worst, 5 is best</small>"
            parts += [widgets.HTML(asked), self.points[name]]
        parts += [row(self.back, self.next, self.file, self.save), self.status]
        self.box = form_box(parts)
        self.rater.observe(lambda _: self.go(0), "value")
        self.go(0)

    def go(self, place: int) -> None:
        """Show the rater's item at this place, or the nearest there is."""
        items = self.form.plan[self.rater.value]
        self.place = max(0, min(place, len(items) - 1))
        item = items[self.place]
        quotes = (
            f"<blockquote>{html.escape(text)}</blockquote>" for text in (item.source, item.output)
        )
        self.item.value = "and a short version of it".join(quotes)
        given = self.form.given(self.rater.value, self.place)
        self._is_filling = True
        for name, choice in self.points.items():
            choice.value = given.get(name)
        self._is_filling = False
        self.back.disabled, self.next.disabled = self.place == 0, self.place == len(items) - 1
        self._count()

    def _choice(self, name: str) -> widgets.ToggleButtons:
        choice = widgets.ToggleButtons(options=[(str(n), n) for n in SCALE], value=None)
        choice.style.button_width = "3rem"
        choice.observe(lambda change: self._answered(name, change["new"]), "value")
        return choice

    def _answered(self, name: str, points: int | None) -> None:
        if points is not None and not self._is_filling:
            self.form.rate(self.rater.value, self.place, name, points)
            self._count()

    def _save(self) -> None:
        try:
            self.form.save(self.file.value)
        except (OSError, ValueError) as error:
            self._say(f"not saved: {error}")
        else:
            self._say(f"{len(self.form.answers)} answers are in {self.file.value}")

    def _count(self) -> None:
        rater = self.rater.value
        done = sum(answer["rater"] == rater for answer in self.form.answers)
        self._say(f"{self.place + 1} of {len(self.form.plan[rater])}, {done} judged")

    def _say(self, message: str) -> None:
        self.status.value = f'<span role="status">{html.escape(message)}</span>'


# --- controls: labelled fields, buttons, and the choices of one run -------


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


def field(
    kind: type, description: str, tooltip: str, flex: str = "1 1 12rem", **more: object
) -> Any:
    """A control with its label, as wide as there is room for."""
    layout = {"width": "auto", "flex": flex}
    return kind(description=description, tooltip=tooltip, layout=layout, style=LABEL, **more)


def button(
    description: str, tooltip: str, press: Callable[[], None], **more: object
) -> widgets.Button:
    """A button that calls ``press``."""
    auto = {"width": "auto"}
    made = widgets.Button(description=description, tooltip=tooltip, layout=auto, **more)
    made.on_click(lambda _: press())
    return made


def row(*children: widgets.Widget) -> widgets.Box:
    """Controls side by side, below each other where the page is narrow."""
    return widgets.Box(children, layout=ROW)


def form_box(parts: Sequence[widgets.Widget]) -> widgets.VBox:
    """Controls below each other, with what keeps keys from JupyterLab where anywidget is there."""
    try:
        from wordorder_lab.widgets.live import Keys
    except ImportError:
        guard = []
    else:
        guard = [Keys()]
    box = widgets.VBox([*parts, *guard])
    box.add_class("wol-form")
    return box


class Side:
    """The choices of one run: model, beam, engine. B is there to compare A with. Raises
    ``ValueError`` for a beam or an engine that cannot be."""

    def __init__(self, names: Sequence[str], name: str, beam: int, engine: str | None) -> None:
        if beam < 1:
            raise ValueError(f"the beam is at least 1, not {beam}")
        if engine not in (None, *ENGINES):
            raise ValueError(f"no engine {cited(engine)}; there are {' and '.join(ENGINES)}")
        here = ENGINES if find_spec("numba") else ENGINES[1:]
        engine = engine if engine in here else here[0]
        beams = sorted({*BEAMS, beam})
        width = "how many states are kept at each step; 1 is greedy search"
        both = "fast: compiled; reference: plain Python, to be read; both find the same"
        self.model = field(widgets.Dropdown, "", "which model", options=names, value=name)
        self.beam = field(widgets.Dropdown, "", width, options=beams, value=beam)
        self.engine = field(widgets.Dropdown, "", both, options=here, value=engine)
        self.box = row(self.model, self.beam, self.engine)
        self.label("")

    @property
    def options(self) -> dict[str, Any]:
        """Of the search."""
        return {"beam": self.beam.value, "engine": self.engine.value}

    def label(self, mark: str) -> None:
        """Label the choices "Model A" and so on; just "Model" without a mark."""
        for name in ("model", "beam", "engine"):
            getattr(self, name).description = f"{name.capitalize()} {mark}".strip()

    def __str__(self) -> str:
        return f"{self.model.value}, beam {self.beam.value}, {self.engine.value}"
