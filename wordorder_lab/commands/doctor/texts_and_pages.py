"""What comes from elsewhere: corpora, which belong to others, and a browser to measure pages in."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from importlib.util import find_spec

from wordorder_lab.commands.doctor.finding import FINE, MISSING, Finding

PATIENCE = 20
"""Seconds that a browser has to say its version."""


def corpora() -> Iterator[Finding]:
    """Each corpus, with the place where it is or the command that gets it."""
    from wordorder_lab.commands.corpora import every_corpus

    for row in every_corpus():
        if row["found"]:
            yield Finding("Corpora", row["name"], FINE, row["where"].removeprefix("found: "))
        else:
            advice = row["where"].rstrip(".")
            yield Finding("Corpora", row["name"], MISSING, row["what"], advice)
    yield brown()
    yield english_forms()


def brown() -> Finding:
    """Plain text for language models, which is no corpus of trees."""
    from wordorder_lab.corpora import CorpusError
    from wordorder_lab.corpora.plain_text import BROWN
    from wordorder_lab.corpora.readers.files import LOOKED, find_nltk

    try:
        return Finding("Corpora", BROWN, FINE, str(find_nltk(BROWN, "")))
    except CorpusError as error:
        said = "NLTK's Brown Corpus, plain text for --lm-text"
        return Finding("Corpora", BROWN, MISSING, said, str(error).partition(LOOKED)[0])


def english_forms() -> Finding:
    """Lists of forms, which realisation of English takes beside what it counts."""
    from wordorder_lab.corpora.inflection_lists import FOLDER, GET
    from wordorder_lab.corpora.readers.files import data_roots

    places = (root / FOLDER for root in data_roots())
    if (place := next((place for place in places if place.is_dir()), None)) is not None:
        return Finding("Corpora", "forms of English", FINE, str(place))
    said = "lists for realisation; train --no-english does without"
    return Finding("Corpora", "forms of English", MISSING, said, f"Get it with: {GET}")


def browser() -> Iterator[Finding]:
    """Chromium and the library that drives it. Pages themselves open in any browser."""
    from wordorder_lab.commands.bench_players import BROWSERS, find_browser

    about, needs = "Browser", "for bench --players and the tests of pages only"
    program = find_browser()
    if program is None:
        advice = "install Chromium, or name a browser of its kind in $WORDORDER_LAB_BROWSER"
        said = f"none of {', '.join(BROWSERS)}; {needs}"
        yield Finding(about, "Chromium", MISSING, said, advice)
    elif (version := _version(program)) is None:
        advice = "name another one in $WORDORDER_LAB_BROWSER"
        yield Finding(about, "Chromium", MISSING, f"{program} does not start", advice)
    else:
        yield Finding(about, "Chromium", FINE, f"{version}, {program}")
    if find_spec("playwright") is None:
        advice = "python -m pip install playwright"
        yield Finding(about, "playwright", MISSING, f"drives it; {needs}", advice)
    else:
        yield Finding(about, "playwright", FINE, "drives it")


def _version(program: str) -> str | None:
    try:
        ran = subprocess.run(
            [program, "--version"], capture_output=True, text=True, timeout=PATIENCE, check=True
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return ran.stdout.strip()
