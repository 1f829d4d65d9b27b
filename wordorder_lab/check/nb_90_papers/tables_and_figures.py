"""A paper's table or figure as one thing to open: its numbers beside ours, picture, verdicts."""

from __future__ import annotations

import base64
import io
from collections.abc import Sequence
from html import escape
from itertools import chain
from typing import TYPE_CHECKING

from wordorder_lab.check.nb_90_papers.claims_by_paper import Papers
from wordorder_lab.experiments.measures.claims import Verdict
from wordorder_lab.experiments.records import RecordError
from wordorder_lab.experiments.report import paper_figure
from wordorder_lab.experiments.specification import load_specification
from wordorder_lab.experiments.verdicts import paper_table, says
from wordorder_lab.plots import table, verdict_marks
from wordorder_lab.plots.verdict_marks import columns_of, mark_of, marks

if TYPE_CHECKING:
    import pandas
    from IPython.display import HTML

MOST = 20
"""So many rows of values stand in a table; of more, those without our number go first."""
_LINE = "margin:.3em 0;max-width:none"
_BOX = "margin:.4em 0;padding:.1em 0 .1em .8em;border-left:3px solid #99999980"


def overview(papers: Papers) -> HTML:
    """A row of marks a paper: what the papers claim, and beside it what we asked besides."""
    rows = {paper: columns_of([*chain.from_iterable(of.values())]) for paper, of in papers.items()}
    return verdict_marks(rows)


def tables_of(papers: Papers, paper: str) -> HTML:
    """A row of marks for each table and figure of a paper. Raises ``KeyError`` for another name."""
    rows, links = {}, {}
    for name, verdicts in papers[paper].items():
        wanted = load_specification(name)
        label = f"{wanted.paper.get('place', '')}: {wanted.title}"
        rows[label], links[label] = columns_of(verdicts), f"#{name}"
    return verdict_marks(rows, links)


def shown(papers: Papers, *chosen: str, opened: bool = False) -> HTML:
    """These experiments, one below the other, each to open: numbers, picture, verdicts.

    A whole paper may be named, too. Raises ``KeyError`` for an experiment that there is not.
    """
    from IPython.display import HTML

    every = {name: verdicts for of in papers.values() for name, verdicts in of.items()}
    names = [one for name in chosen for one in (papers.get(name) or [name])]
    return HTML("".join(_section(name, every[name], opened) for name in names))


def values_beside(name: str) -> pandas.DataFrame:
    """``paper_table`` of one experiment to read: without what is the same in each of its rows."""
    frame = paper_table(name).drop(columns="experiment")
    if len(frame) > 1:
        settings = [row.split(", ") for row in frame["the paper's row"]]
        common = set.intersection(*map(set, settings))
        kept = [[one for one in row if one not in common] for row in settings]
        frame["the paper's row"] = [", ".join(row) or "all" for row in kept]
    empty = [column for column in ("low", "high", "our row") if not frame[column].any()]
    return frame.drop(columns=empty)


def _section(name: str, verdicts: Sequence[Verdict], opened: bool) -> str:
    wanted = load_specification(name)
    paper = wanted.paper
    head = f"<b>{escape(str(paper.get('place', '')))}</b>: {escape(wanted.title)}"
    parts = [
        f'<p style="{_LINE}"><i>{label}:</i> {escape(str(paper[key]))}</p>'
        for key, label in (("claim", "The paper"), ("data", "Its data"), ("condition", "Here"))
        if paper.get(key)
    ]
    parts += [_picture(name, wanted.title), _values(name), *map(_claim, verdicts)]
    parts.append(f'<p style="{_LINE}"><code>wordorder-lab reproduce {escape(name)}</code></p>')
    summary = f'<summary style="cursor:pointer">{head} {marks(map(mark_of, verdicts))}</summary>'
    # The id stands inside: a browser opens what a link leads into.
    inside = f'<div id="{escape(name)}">{"".join(parts)}</div>'
    return f'<details style="{_BOX}"{" open" * opened}>{summary}{inside}</details>'


def _claim(one: Verdict) -> str:
    text = (
        f"{escape(says(one.claim))}. <b>{escape(one.verdict.capitalize())}</b>: {escape(one.told)}"
    )
    printed = "" if one.claim.printed is None else f" (the paper: {one.claim.printed:+g})"
    return f'<p style="{_LINE};padding-left:1em">{text}{printed}</p>'


def _picture(name: str, title: str) -> str:
    """An experiment's picture inside the page, in so few colours that fifty of them are small."""
    from PIL import Image

    try:
        figure = paper_figure(name)
    except RecordError as error:
        return f"<p>{escape(str(error))}</p>"
    drawn, file = io.BytesIO(), io.BytesIO()
    figure.savefig(drawn, format="png", dpi=80)
    Image.open(drawn).convert("RGB").quantize(64).save(file, format="png", optimize=True)
    data = base64.b64encode(file.getvalue()).decode("ascii")
    return f'<img src="data:image/png;base64,{data}" alt="Plot: {escape(title)}" loading="lazy">'


def _values(name: str) -> str:
    frame = values_beside(name)
    if frame.empty:
        return "<p>The paper prints no number to set ours beside.</p>"
    known = frame.assign(missing=frame["ours"].isna()).sort_values("missing", kind="stable")
    some = known.drop(columns="missing").head(MOST)
    more = len(frame) - len(some)
    told = f'<p>and {more} more: <code>wl.paper_table("{escape(name)}")</code></p>' if more else ""
    return f'<div style="overflow-x:auto">{table(some).to_html()}</div>{told}'
