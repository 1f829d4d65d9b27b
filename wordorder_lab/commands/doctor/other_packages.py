"""What other packages bring: can it be loaded, and is it what the laboratory asks of it?

Whoever writes a system, a measure or a view learns here what is wrong before a training does.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Container, Iterator
from dataclasses import MISSING as NO_DEFAULT
from dataclasses import fields, is_dataclass
from importlib.metadata import EntryPoint
from typing import Any

from wordorder_lab.commands.doctor import FINE, MISSING, Finding
from wordorder_lab.runtime import entry_points
from wordorder_lab.runtime.entry_points import MEASURES, SYSTEMS, VIEWS
from wordorder_lab.structures.messages import brief

ASKED = "docs/do/own_system.md says what is asked of it"


def other_packages() -> Iterator[Finding]:
    """A line for each system, measure and view from outside, and for each unreadable package."""
    for package, why in entry_points.unreadable().items():
        yield _refused("package", package, ValueError(why))
    for group, examine in ((SYSTEMS, _system), (MEASURES, _measure), (VIEWS, _view)):
        kind = group.rpartition(".")[2].removesuffix("s")
        points = entry_points.of_group(group)
        clashing = entry_points.clashes(group, _ours(group)) if points else {}
        for name, why in clashing.items():
            yield _refused(kind, name, ValueError(why))
        for point in points:
            if point.name not in clashing:
                yield _examined(kind, point, examine)


def _examined(kind: str, point: EntryPoint, examine: Callable[[str], Iterator[str]]) -> Finding:
    name, found = point.name, f"a {kind} of {entry_points.package_of(point)}"
    try:
        wrong = list(examine(name))
    except ValueError as error:
        return _refused(kind, name, error)
    except (Exception, SystemExit) as error:  # what it brings may be anything
        wrong = [brief(f"{type(error).__name__}: {error}")]
    if wrong:
        return Finding(name, MISSING, f"{found}: {'; '.join(wrong)}", ASKED)
    return Finding(name, FINE, found)


def _refused(kind: str, name: str, error: ValueError) -> Finding:
    """An error as a finding: what is wrong, and behind its last colon what to do."""
    found, _, advice = str(error).rpartition(": ")
    return Finding(name, MISSING, found or f"a {kind}: {error}", advice)


def _ours(group: str) -> Container[str]:
    from wordorder_lab.experiments.measures.measure import all_measures
    from wordorder_lab.systems.registry import ROWS
    from wordorder_lab.trace.reducers.replay import VIEWS as OUR_VIEWS

    return {SYSTEMS: ROWS, MEASURES: all_measures(), VIEWS: OUR_VIEWS}[group]


def _system(name: str) -> Iterator[str]:
    from wordorder_lab.systems.model import TrainedModel
    from wordorder_lab.systems.registry import find
    from wordorder_lab.systems.training_run import TrainingOptions

    system = find(name)
    yield from _settings(system.settings, tuple(one.name for one in fields(TrainingOptions)))
    if not callable(system.learn):
        yield "its learn is no function"
    elif not {"engine", "trace"} <= _taken(system.learn):
        yield "its learn does not take engine and trace by name"
    model: Any = system.model
    if not (isinstance(model, type) and issubclass(model, TrainedModel)):
        yield "its model is no class below OwnModel, or below a model of ours"
        return
    if absent := sorted(getattr(model, "__abstractmethods__", ())):
        yield f"{model.__name__} lacks {', '.join(absent)}"
    names = getattr(model, "SYSTEMS", ())
    if not isinstance(names, tuple) or name not in names:
        yield f"{name!r} is not in the tuple SYSTEMS of {model.__name__}"


def _settings(settings: Any, taken: tuple[str, ...]) -> Iterator[str]:
    if not (isinstance(settings, type) and is_dataclass(settings)):
        yield "its settings are no dataclass"
        return
    for one in fields(settings):
        if one.default is NO_DEFAULT and one.default_factory is NO_DEFAULT:
            yield f"its setting {one.name} has no default"
        if one.name in taken:
            yield f"its setting {one.name} has the name of an argument of train"


def _taken(function: Callable[..., Any]) -> set[str]:
    """The names by which a function takes arguments; both, if it takes any."""
    parameters = inspect.signature(function).parameters.values()
    if any(one.kind is one.VAR_KEYWORD for one in parameters):
        return {"engine", "trace"}
    return {one.name for one in parameters if one.kind is not one.POSITIONAL_ONLY}


def _measure(name: str) -> Iterator[str]:
    from wordorder_lab.experiments.measures.measure import Measure, measure_called

    kind = type(measure_called(name))
    if all(getattr(kind, way) is getattr(Measure, way) for way in ("rows_of", "rows", "run")):
        yield f"{kind.__name__} lacks rows_of"


def _view(name: str) -> Iterator[str]:
    from wordorder_lab.widgets.module import module_text

    module_text(own=(name,))
    yield from ()
