"""How much of a paper came out, seen at once: a mark for each claim, in rows, and the differences
that it prints against ours."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING, NamedTuple

from wordorder_lab.experiments.measures import claims
from wordorder_lab.experiments.measures.figures import GREY
from wordorder_lab.plots.lines import BLACK, BLUE, GREEN, RED, Style, room

if TYPE_CHECKING:
    from IPython.display import HTML
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SIGNS = {
    claims.REPRODUCED: ("\N{BLACK CIRCLE}", GREEN),
    claims.SMALLER: ("\N{CIRCLE WITH LEFT HALF BLACK}", GREEN),
    claims.LARGER: ("\N{FISHEYE}", GREEN),
    claims.ALIKE: ("\N{ALMOST EQUAL TO}", GREEN),
    claims.SAME: ("\N{WHITE CIRCLE}", BLUE),
    claims.EXCLUDED: ("\N{CIRCLED MINUS}", "currentColor"),
    claims.NOT: ("\N{MULTIPLICATION SIGN}", "currentColor"),
    claims.OPPOSITE: ("\N{BLACK DOWN-POINTING TRIANGLE}", RED),
    claims.FACT: ("=", "currentColor"),
    claims.CANNOT: ("?", GREY),
    claims.NOT_JUDGED: ("\N{MIDDLE DOT}", GREY),
}
"""Verdict -> its sign and its colour. The signs alone tell them apart, too."""
_MARK = "display:inline-block;width:1em;text-align:center;font-size:1.05em;line-height:1.25"
_CELL = "text-align:left;vertical-align:top;padding:.2em 1.2em .2em 0;white-space:normal"
_LEGEND = "margin:0 0 .6em;display:flex;flex-wrap:wrap;gap:0 1.3em"


class Mark(NamedTuple):
    """One claim: its verdict (one of ``VERDICTS``), and the text when one points at it."""

    verdict: str
    text: str


Row = Mapping[str, Sequence[Mark]]
"""What a column shows, by its name: ``{"the paper's claims": [...], "ours": [...]}``."""


def verdict_marks(rows: Mapping[str, Row], links: Mapping[str, str] | None = None) -> HTML:
    """Draws a row of marks below each other for each name, the columns as the first row has them.
    Marks of a cell stand in the order of ``VERDICTS``. ``links`` leads from the name of a row to a
    place in the page (``"#liu-2015-table-5"``). Raises ``ValueError`` for another verdict."""
    from IPython.display import HTML

    columns = list(next(iter(rows.values()), {}))
    head = "".join(f'<th scope="col" style="{_CELL}">{escape(name)}</th>' for name in columns)
    lines = [f'<tr><th scope="col" style="{_CELL}"></th>{head}</tr>']
    for name, row in rows.items():
        link = (links or {}).get(name)
        label = f'<a href="{escape(link)}">{escape(name)}</a>' if link else escape(name)
        cells = "".join(f'<td style="{_CELL}">{marks(row[column])}</td>' for column in columns)
        lines.append(f'<tr><th scope="row" style="{_CELL};font-weight:normal">{label}</th>')
        lines.append(f"{cells}</tr>")
    shown = [mark for row in rows.values() for several in row.values() for mark in several]
    page: Callable[[str], HTML] = HTML
    return page(f"{_legend(shown)}<table>{''.join(lines)}</table>")


def mark_of(one: claims.Verdict) -> Mark:
    """The mark of a claim, whose text has the claim and what became of it."""
    return Mark(one.verdict, f"{one.claim.says}\n{one.verdict}: {one.told}")


def columns_of(verdicts: Sequence[claims.Verdict]) -> dict[str, list[Mark]]:
    """A row of two columns: marks of the paper's claims, and of those that are ours."""
    names = {"claims of the paper": False, "claims of ours": True}
    return {
        name: [mark_of(one) for one in verdicts if one.claim.ours == ours]
        for name, ours in names.items()
    }


def marks(several: Iterable[Mark]) -> str:
    """The marks of some claims as HTML, in the order of ``VERDICTS``; what each says on pointing. A
    reader that cannot see them hears how many there are of each. Raises ``ValueError`` for another
    verdict."""
    several = list(several)
    if unknown := {mark.verdict for mark in several} - {*claims.VERDICTS}:
        raise ValueError(f"no verdict is {min(unknown)!r}; there are: {'; '.join(claims.VERDICTS)}")
    placed = sorted(several, key=lambda mark: [*claims.VERDICTS].index(mark.verdict))
    parts = []
    for mark in placed:
        sign, colour = SIGNS[mark.verdict]
        style = f"{_MARK};color:{colour}"
        parts.append(f'<span style="{style}" title="{escape(mark.text)}">{sign}</span>')
    if not parts:
        return ""
    every = [mark.verdict for mark in placed]
    counts = "; ".join(f"{every.count(one)} {one}" for one in claims.VERDICTS if one in every)
    return f'<div role="img" aria-label="{escape(counts)}">{"".join(parts)}</div>'


def _legend(shown: Sequence[Mark]) -> str:
    parts = []
    for verdict in claims.VERDICTS:
        number = sum(mark.verdict == verdict for mark in shown)
        if number:
            sign, colour = SIGNS[verdict]
            key = f'<span aria-hidden="true" style="{_MARK};color:{colour}">{sign}</span>'
            parts.append(f"<span>{key} {number} {escape(verdict)}</span>")
    return f'<div style="{_LEGEND}">{"".join(parts)}</div>'


# --- differences that a paper prints against ours, with the intervals of ours ---------------------

LOOKS = {
    claims.REPRODUCED: ("o", GREEN),
    claims.SMALLER: ("d", GREEN),
    claims.LARGER: ("^", GREEN),
    claims.ALIKE: ("s", GREEN),
    claims.SAME: ("o", BLUE),
    claims.EXCLUDED: ("d", BLUE),
    claims.NOT: ("x", BLACK),
    claims.OPPOSITE: ("v", RED),
    claims.CANNOT: ("o", GREY),
}
"""Verdict -> marker and colour; a marker that is not filled for what is not significant."""
HOLLOW = (claims.SAME, claims.EXCLUDED, claims.CANNOT)
TICKS = (-10, -3, -1, 0, 1, 3, 10, 30)
"""Points of BLEU or F; between -1 and 1 the scale is linear, beyond it logarithmic."""


class Difference(NamedTuple):
    """A claim's difference, in points: ``printed`` is the paper's, ``low`` and ``high`` the ends of
    our 95 % interval, ``verdict`` one of ``claims.VERDICTS``."""

    printed: float
    ours: float
    low: float
    high: float
    verdict: str


def differences(
    panels: Mapping[str, Sequence[Difference]], *, size: tuple[float, float] = (9.5, 3.6)
) -> Figure:
    """Draws a panel for each name: the paper's difference to the right, ours upwards. A point on
    the dashed diagonal is as large as the paper's; an upright line that crosses 0 is not
    significant; below 0 it goes the other way. Raises ``KeyError`` for a verdict without look."""
    figure, every = room(len(panels), size, share_y=True)
    for axes, (name, points) in zip(every, panels.items()):
        _draw(axes, points)
        axes.set(title=name, xlabel="the paper's difference")
    every[0].set_ylabel("ours, with 95 % interval")
    named = {n: h for axes in every for h, n in zip(*axes.get_legend_handles_labels())}
    order = [verdict for verdict in LOOKS if verdict in named]
    figure.legend(
        [named[one] for one in order], order, frameon=False, ncol=4, loc="outside upper center"
    )
    return figure


def _draw(axes: Axes, points: Sequence[Difference]) -> None:
    for verdict in dict.fromkeys(point.verdict for point in points):
        marker, colour = LOOKS[verdict]
        mine = [point for point in points if point.verdict == verdict]
        ends = [[p.ours - p.low for p in mine], [p.high - p.ours for p in mine]]
        xs, ys = [p.printed for p in mine], [p.ours for p in mine]
        look: Style = {"color": colour, "markersize": 5, "elinewidth": 0.8}
        if verdict in HOLLOW:
            look["markerfacecolor"] = "none"
        axes.errorbar(xs, ys, yerr=ends, fmt=marker, label=verdict, **look)
    for scale in (axes.set_xscale, axes.set_yscale):
        scale("symlog", linthresh=1)
    texts = [str(tick).replace("-", "\N{MINUS SIGN}") for tick in TICKS]
    axes.set_xticks(TICKS, texts, fontsize="small")
    axes.set_yticks(TICKS, texts, fontsize="small")
    axes.axhline(0, color=GREY, linewidth=0.8)
    axes.axline((0, 0), (1, 1), color=GREY, linestyle="--", linewidth=0.8)
