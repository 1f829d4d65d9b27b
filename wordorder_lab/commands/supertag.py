"""``wordorder-lab supertag``: sentences in their true order in, the categories of words out."""

from __future__ import annotations

import sys
from argparse import Namespace

from wordorder_lab.commands.answers import Typed, answer_all
from wordorder_lab.commands.common import open_model, search_options
from wordorder_lab.commands.output import check_json
from wordorder_lab.corpora.supertags import load_supertags, read_words, write_unit
from wordorder_lab.experiments.runs.schema import Row
from wordorder_lab.structures.sentence import Unit

HINT = """a sentence a line, its words apart by spaces in their true order: rain falls on boats .
rain|NN is a word with its tag; without one, a tag is guessed; end: Ctrl-D"""
Words = tuple[list[Unit], list[str | None]]


def run(arguments: Namespace) -> int:
    """Tag the sentences of a corpus, of the command line, or of stdin."""
    check_json(arguments.json)
    typed = Typed(arguments, "corpus", "sentences", HINT)
    source = typed.source
    model = open_model(arguments.model, "tag")
    search = model.search_settings(**search_options(model, arguments))
    if source is None:
        asked = ((place, read_words(line)) for place, line in typed.lines())
    else:
        corpus = load_supertags(source, units=arguments.units).split(arguments.split)
        asked = ((f"{one.name}: ", (list(one.words), list(one.pos))) for one in corpus)

    def answer(asked: Words) -> tuple[Row, list[str]]:
        words, given = asked
        found = model.tag(words, given, engine=arguments.engine, **search)
        tags = model.full_tags(words, given)
        units, line = [], []
        for unit, tag, own, of_word in zip(words, tags, given, found, strict=True):
            shares = {str(category): share for category, share in of_word}
            one = {"word": " ".join(unit), "pos": tag, "tag_given": own is not None}
            units.append({**one, "categories": shares})
            line.append(write_unit(unit, tag, list(shares.items())))
        if guessed := sum(own is None for own in given):
            several = "tag is" if guessed == 1 else "tags are"
            print(f"# {guessed} {several} guessed, not given", file=sys.stderr)
        return {"words": units}, [" ".join(line)]

    answer_all(asked, answer, arguments, by_hand=typed.by_hand)
    return 0
