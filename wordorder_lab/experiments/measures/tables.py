"""Rows as tables to print: columns, what a paper prints beside them, settings in words."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Sequence
from operator import itemgetter
from typing import NamedTuple, TypeVar

from wordorder_lab.experiments.runs.schema import Row as Row
from wordorder_lab.experiments.runs.schema import Table
from wordorder_lab.experiments.runs.settings import setting_names

Key = TypeVar("Key", bound=Hashable)
Record = Table
"""A row, a run, a whole record: JSON objects, whose values can be anything."""
Rows = Sequence[Record]
NOTHING = "-"
PAPER = "paper_"
"""Prefix of a paper's values in a row of ours."""


class Column(NamedTuple):
    """One column of a table: its title, what it shows of a row, and the format of that.

    ``value`` is a key of the row, or a function of it. A format that ends in "±" also shows half
    the 95 % interval, if the row has one as ``KEY_interval``. What is ``optional`` has no column
    where no row has it.
    """

    title: str
    value: str | Callable[[Record], object]
    form: str = ""
    optional: bool = False

    def of(self, row: Record) -> object:
        """Its value in a row; ``None`` for none."""
        return row.get(self.value) if isinstance(self.value, str) else self.value(row)

    def cell(self, row: Record) -> str:
        """Its value in a row as text."""
        value, form = self.of(row), self.form.removesuffix("±")
        if value is None:
            return NOTHING
        ends = None if form == self.form else row.get(f"{self.value}_interval")
        half = "" if ends is None else format((ends[1] - ends[0]) / 2, form).removesuffix("%")
        return format(value, form) + (f" ± {half}" if half else "")


def columns(
    form: str, *named: str | tuple[str, str | Callable[[Record], object]]
) -> tuple[Column, ...]:
    """Columns of one format: each a key, which is its title as well, or a title and a value."""
    pairs = ((one.replace("_", " "), one) if isinstance(one, str) else one for one in named)
    return tuple(Column(title, value, form) for title, value in pairs)


def lines(shown: Iterable[Column], rows: Rows) -> list[str]:
    """A line of titles and one for each row."""
    had = [one for one in shown if not one.optional or any(one.of(row) is not None for row in rows)]
    return aligned([[one.title for one in had], *([one.cell(row) for one in had] for row in rows)])


def across(
    corner: str, cells: Iterable[tuple[str, str, str]], first: Sequence[str] = ()
) -> list[str]:
    """A table of cells that say their line and their column; both stand as they first come, columns
    that are named ``first`` before others."""
    found: dict[str, dict[str, str]] = {}
    for line, column, text in cells:
        found.setdefault(line, {})[column] = text
    heads = list(dict.fromkeys([*first, *(c for mine in found.values() for c in mine)]))
    rest = [[line, *(mine.get(head, NOTHING) for head in heads)] for line, mine in found.items()]
    return aligned([[corner, *heads], *rest])


def aligned(cells: Sequence[Sequence[str]]) -> list[str]:
    """Rows of cells as lines, the first column to the left, the others to the right."""
    widths = [max(map(len, column)) for column in zip(*cells)]
    made = []
    for first, *others in cells:
        rest = (cell.rjust(width) for cell, width in zip(others, widths[1:]))
        made.append("  ".join([f"  {first:<{widths[0]}}", *rest]).rstrip())
    return made


def rows_text(rows: Rows) -> str:
    """The rows as text, columns that never change left out; of many, the last one of each curve."""
    import pandas

    frame = pandas.DataFrame(rows)
    if "epoch" in frame and len(frame) > 20:
        keys = [name for name in frame if name in setting_names(rows)]
        frame = frame.groupby(keys, sort=False, dropna=False).tail(1)
    for name in [name for name in frame if str(name).endswith("_interval")]:
        ends = frame[name].dropna()
        frame[name] = ends.map(lambda low_and_high: "{:.2f} to {:.2f}".format(*low_and_high))
    changing = [name for name in frame if frame[name].nunique(dropna=False) > 1]
    shown = frame[changing or list(frame)].convert_dtypes()  # whole numbers beside gaps stay whole
    return str(shown.to_string(index=False, na_rep=NOTHING))


def grouped(rows: Rows, names: Sequence[str]) -> list[tuple[Row, list[Record]]]:
    """Rows by these values, in the order in which they first come; a list counts as a text."""

    def key(row: Record) -> tuple[object, ...]:
        values = (row.get(name) for name in names)
        return tuple(", ".join(map(str, v)) if isinstance(v, list) else v for v in values)

    return [(dict(zip(names, values)), group) for values, group in by_name(rows, key).items()]


def by_name(rows: Rows, name: Callable[[Record], Key]) -> dict[Key, list[Record]]:
    """Rows by what they are called, in the order in which they first come."""
    groups: dict[Key, list[Record]] = {}
    for row in rows:
        groups.setdefault(name(row), []).append(row)
    return groups


def differing(rows: Rows, names: Iterable[str]) -> list[str]:
    """Those of the settings that are not the same in all rows."""
    return [name for name in names if len({row.get(name) for row in rows}) > 1]


def differing_name(rows: Rows, names: Sequence[str]) -> Callable[[Record], str]:
    """Names a row's run by what differs among all rows (if nothing does, by the first name)."""
    telling = differing(rows, names) or names[:1]
    return lambda row: ", ".join(in_words(n, row[n]) for n in telling if row.get(n) is not None)


def placed(record: Record, beside: str) -> list[tuple[Record, list[Record]]]:
    """Each row with what stands ``beside`` it, such as its "lengths", which say the row's place."""
    found = by_name(record[beside], itemgetter("row"))
    return [(row, found.get(place, [])) for place, row in enumerate(record["rows"])]


def papers(record: Record) -> Rows:
    """The values that the paper prints."""
    values: Rows = record["paper"].get("values", [])
    return values


def printed(record: Record, row: Record, names: Collection[str]) -> Row:
    """The paper's values of these names that have no other setting than the row."""
    found: Row = {}
    for value in papers(record):
        if all(row.get(name) == one for name, one in value.items() if name not in names):
            found |= {name: value[name] for name in names if name in value}
    return found


def beside_paper(
    record: Record, shown: Sequence[Column], rows: Rows, names: Collection[str]
) -> list[str]:
    """A table, and to the right of its columns what the paper has of these names for its rows."""
    own = {one.value: one for one in shown}
    theirs = [own.get(name, Column(name, name, ",")) for name in names]
    called = [Column(f"paper: {c.title}", PAPER + n, c.form, True) for n, c in zip(names, theirs)]
    found = [(row, printed(record, row, names)) for row in rows]
    both = [{**row, **{PAPER + name: mine[name] for name in mine}} for row, mine in found]
    return lines([*shown, *called], both)


def papers_data(record: Record) -> str:
    """A line on what the paper's values were measured on."""
    return f"the paper: {record['paper'].get('data', 'its data are not said')}"


BETA = "beta="
"""Begins how a supertagger's categories are called as a setting: ``"beta=0.075"``."""
THINGS = {"pos": "POS", "deps": "dependencies"}
TRAINED = {f"training_{name}": name for name in THINGS}
"""What a model was given in training, where rows also say what it was given afterwards."""
NEGATIVES = {"expand": "negative examples expanded", "discard": "negative examples not expanded"}


def in_words(name: str, value: object) -> str:
    """A setting as text: "50 % POS", "trained with all dependencies", "beam 64", "scaled"."""
    if name in THINGS and isinstance(value, int | float):
        return share_name(name, value)
    if name in TRAINED and isinstance(value, int | float):
        return f"trained with {share_name(TRAINED[name], value)}"
    if isinstance(value, str):
        return NEGATIVES.get(value) or categories_name(value)
    name = name.replace("_", " ")
    if isinstance(value, bool):
        return name if value else f"not {name}"
    return f"{name} {value}"


def units_description(least: int) -> str:
    """Which spans are counted, by the number of their units."""
    return "single units counted" if least == 1 else "of two units or more"


def share_name(name: str, share: float) -> str:
    """A share in words: "no POS", "50 % POS", "all dependencies"."""
    amount = "no" if share == 0 else "all" if share == 1 else f"{100 * share:g} %"
    return f"{amount} {THINGS[name]}"


def categories_name(categories: str) -> str:
    """Where categories come from, as a legend says it: "β = 0.075"."""
    of_tagger = categories.startswith(BETA)
    return f"β = {categories.removeprefix(BETA)}" if of_tagger else categories


def run_name(row: Record) -> str:
    """What a run is called: its system and, where a supertagger gave the categories, its β."""
    categories = str(row.get("categories", ""))
    named = f", {categories_name(categories)}" if categories.startswith(BETA) else ""
    return f"{row['system']}{named}"
