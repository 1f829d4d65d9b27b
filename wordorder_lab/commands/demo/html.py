"""What pages without a program of their own are written with: elements, a table, the document.

The body is an XML tree, so whatever stands in a word of a corpus is text there and never markup.
The page asks no host for anything, and its policy forbids it to.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from xml.etree.ElementTree import Element

from wordorder_lab.structures.trees import clean, html_of

DOCUMENT = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; \
script-src {scripts}; style-src 'unsafe-inline'; img-src data: blob:">
<title>{title}</title>
<link rel="icon" href="data:,">
<style>{style}</style>
</head>
<body>
{body}
</body>
</html>
"""
"""Scripts are allowed for players alone: a frame inherits the policy of the page around it."""

STYLE = """
:root { --ink: #1c1c1c; --paper: #fff; --soft: #5a5f66; --faint: #eef0f3; --blue: #0072b2;
  --orange: #b35900; color-scheme: light dark; font: 1.05rem/1.55 system-ui, sans-serif; }
@media (prefers-color-scheme: dark) { :root { --ink: #ececec; --paper: #16181c; --soft: #a8adb5;
  --faint: #2a2e35; --blue: #56b4e9; --orange: #e69f00; } }
body { margin: 0; overflow-wrap: break-word; color: var(--ink); background: var(--paper); }
main { max-width: 46rem; margin: 2rem auto 4rem; padding: 0 1rem; }
h1 { line-height: 1.2; } h2 { margin-top: 3rem; } h3 { margin-top: 2rem; }
a { color: var(--blue); }
nav ul { display: flex; flex-wrap: wrap; gap: 0 1.2rem; margin: 0; padding: 0; list-style: none; }
figure { margin: 1.5rem 0; }
figcaption, small, .soft { color: var(--soft); }
svg { max-width: 100%; height: auto; }
.scroll, .tree { overflow-x: auto; }
.tree svg { max-width: none; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
caption { text-align: left; color: var(--soft); padding-bottom: .3rem; }
th, td { padding: .15rem .9rem .15rem 0; text-align: right; border-bottom: 1px solid var(--faint); }
th:first-child { text-align: left; }
code { font: .88em/1.5 ui-monospace, "DejaVu Sans Mono", monospace; overflow-wrap: anywhere; }
pre { padding: .7rem 1rem; background: var(--faint); border-radius: 6px; }
pre code { white-space: pre-wrap; }
.units { margin: .4rem 0; padding: 0; list-style: none; display: flex; flex-wrap: wrap;
  gap: .4rem; }
.units li { margin: 0; padding: .05rem .6rem; border: 1px solid var(--soft); border-radius: 5px; }
.pairs { padding-left: 2.4rem; } .pairs > li { margin: 1.3rem 0; }
.pairs dl { margin: 0; display: grid; grid-template-columns: max-content minmax(0, 1fr);
  gap: 0 .8rem; overflow-wrap: anywhere; }
.pairs dt { color: var(--soft); } .pairs dd { margin: 0; }
mark { color: inherit; background: none; font-weight: 700; text-decoration: underline 2px;
  text-decoration-color: var(--orange); text-underline-offset: 3px; }
del { color: var(--soft); text-decoration: line-through 1.5px var(--orange); }
summary { cursor: pointer; color: var(--blue); }
:focus-visible { outline: 3px solid var(--orange); outline-offset: 2px; }
.player { width: min(96vw, 100rem); margin-left: calc(50% - min(48vw, 50rem)); }
iframe { width: 100%; height: 53rem; border: 1px solid var(--soft); border-radius: 6px;
  box-sizing: border-box; }
.plot text { fill: currentColor; font-size: 13px; }
.plot .small { fill: var(--soft); font-size: 12px; }
.plot .grid { stroke: currentColor; stroke-opacity: .15; }
.plot .line { fill: none; stroke: var(--blue); stroke-width: 2.5; }
.plot .dot { fill: var(--blue); }
.plot .bar { fill: var(--blue); fill-opacity: .35; stroke: var(--blue); stroke-width: 1.5; }
.plot .floor { stroke: var(--orange); stroke-width: 2.5; stroke-dasharray: 7 4; }
"""


def node(tag: str, *inside: Element | str, **attributes: object) -> Element:
    """An element with texts and elements inside, in this order.

    ``class_`` stands for ``class``, ``text_anchor`` for ``text-anchor``.
    """
    named = {name.strip("_").replace("_", "-"): clean(str(attributes[name])) for name in attributes}
    element = Element(tag, named)
    for part in inside:
        if isinstance(part, Element):
            element.append(part)
        elif len(element):
            element[-1].tail = (element[-1].tail or "") + clean(part)
        else:
            element.text = (element.text or "") + clean(part)
    return element


def table(caption: str, head: Sequence[str], rows: Sequence[Sequence[Element | str]]) -> Element:
    """A table with a caption; the first cell of a row is its name."""
    lines = [node("tr", *[node("th", cell, scope="col") for cell in head])]
    for name, *cells in rows:
        line = [node("th", name, scope="row"), *[node("td", cell) for cell in cells]]
        lines.append(node("tr", *line))
    whole = node("table", node("caption", caption), node("tbody", *lines))
    return node("div", whole, class_="scroll")


def folded(summary: str, *inside: Element | str) -> Element:
    """Something that is shown when one asks for it."""
    return node("details", node("summary", summary), *inside)


def document(title: str, main: Element, *, style: str = "", players: bool = True) -> str:
    """The whole page; ``style`` are rules of its own, and without ``players`` no script may run."""
    scripts = "'unsafe-inline'" if players else "'none'"
    more = {"title": escape(title), "style": STYLE + style, "scripts": scripts}
    return DOCUMENT.format(**more, body=html_of(main))
