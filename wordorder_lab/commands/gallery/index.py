"""The gallery's index: a page of pictures, each a question that the player behind it answers."""

from __future__ import annotations

import html
from collections.abc import Sequence

from wordorder_lab.commands.gallery.pages import Found, Page
from wordorder_lab.commands.gallery.thumbnails import thumbnail

INDEX = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>wordorder_lab: searches to play</title>
<link rel="icon" href="data:,">
<style>
:root {{
  color-scheme: light dark; font: 1rem/1.45 system-ui, sans-serif;
  --ink: #1c1c1c; --paper: #f4f5f7; --card: #ffffff; --soft: #5f6368; --faint: #d5d8de;
  --dots: #9aa3af; --best: #0072b2; --gold: #b06f00; --lost: #c24e00; --right: #00694d;
}}
@media (prefers-color-scheme: dark) {{ :root {{
  --ink: #ececec; --paper: #101216; --card: #1b1e24; --soft: #a8adb5; --faint: #3a404a;
  --dots: #7d8694; --best: #56b4e9; --gold: #e69f00; --lost: #ff8a4c; --right: #4fd0a5;
}} }}
body {{ margin: 0 auto; padding: 1.5rem; max-width: 110rem; color: var(--ink);
  background: var(--paper); }}
h1 {{ margin: 0 0 0.3rem; }}
.cards {{ display: grid; gap: 1rem; padding: 0; margin: 1.2rem 0 0; list-style: none;
  grid-template-columns: repeat(auto-fill, minmax(min(100%, 17.5rem), 1fr)); }}
.card {{ display: flex; flex-direction: column; position: relative; border-radius: 10px;
  overflow: hidden; background: var(--card); border: 1px solid var(--faint); }}
.card:hover, .card:focus-within {{ border-color: var(--best); }}
.card svg {{ display: block; width: 100%; border-bottom: 1px solid var(--faint); }}
.card h2 {{ margin: 0 0.9rem 0.3rem; font-size: 1.05rem; line-height: 1.3; }}
.card h2 a {{ color: inherit; text-decoration: none; }}
.card h2 a::after {{ content: ""; position: absolute; inset: 0; }}
.card h2 a:focus-visible {{ outline: 3px solid var(--gold); outline-offset: 2px; }}
.card p {{ margin: 0.2rem 0.9rem; font-size: 0.93rem; }}
.card .section {{ margin-top: 0.6rem; color: var(--soft); font-size: 0.82rem; }}
.card .time {{ color: var(--soft); margin: auto 0.9rem 0.7rem; padding-top: 0.4rem; }}
.card .found {{ padding-left: 1.3em; text-indent: -1.3em; }}
.found b {{ color: var(--lost); }}
.found[data-right=true] b {{ color: var(--right); }}
line {{ stroke: var(--ink); stroke-width: 1.2; }}
line.best, line.gold, line.lost {{ stroke-width: 2.4; }}
line.best {{ stroke: var(--best); }} line.gold {{ stroke: var(--gold); }}
line.lost {{ stroke: var(--lost); }} line.faint {{ stroke: var(--faint); stroke-width: 1; }}
circle, rect {{ fill: var(--dots); }}
circle.best, rect.best {{ fill: var(--best); }} circle.gold, rect.gold {{ fill: var(--gold); }}
rect.lost {{ fill: var(--lost); }} circle.faint, rect.faint {{ fill: var(--faint); }}
svg text {{ font-size: 11px; fill: var(--ink); }} text.name, text.small {{ fill: var(--soft); }}
svg text.small {{ font-size: 9.5px; }}
text.out {{ fill: var(--lost); text-decoration: line-through; }}
details {{ margin-top: 2.5rem; color: var(--soft); font-size: 0.93rem; }}
summary {{ cursor: pointer; }}
</style>
</head>
<body>
<h1>Searches to play</h1>
<p>Each picture opens a search that you can step through, forward and back. It needs no network.</p>
<ul class="cards">
{cards}
</ul>
<details>
<summary>How this was made</summary>
<ul>
{made}
</ul>
</details>
</body>
</html>
"""
CARD = """<li class="card">
{picture}
<p class="section">{section}</p>
<h2><a href="{file}">{title}</a></h2>
<p>{learns}</p>
{found}
<p class="time">about {minutes} minutes</p>
</li>"""
FOUND = '<p class="found" data-right="{right}"><b>{sign}</b> {text}</p>'


def index_text(pages: Sequence[Page], about: Sequence[str]) -> str:
    """The index of these pages; ``about`` says of each model and search how it was made."""
    cards = "\n".join(map(_card, pages))
    made = [f"<li>{html.escape(line)}</li>" for line in about]
    return INDEX.format(cards=cards, made="\n".join(made))


def _card(page: Page) -> str:
    picture = thumbnail(page.picture, page.log, page.other, page.title)
    words = {
        name: html.escape(getattr(page, name)) for name in ("file", "section", "title", "learns")
    }
    found = "\n".join(map(_found, page.found))
    return CARD.format(picture=picture, found=found, minutes=page.minutes, **words)


def _found(found: Found) -> str:
    """What came out, and whether it is what was meant."""
    right = found.text == found.meant
    told = f"{found.who}: {found.text}" if found.who else found.text
    told = told if right else f"{told} (meant: {found.meant})"
    sign = "✓" if right else "✗"
    return FOUND.format(right=str(right).lower(), sign=sign, text=html.escape(told))
