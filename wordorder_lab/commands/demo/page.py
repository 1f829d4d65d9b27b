"""``build/demo/index.html``: what the demo did, for somebody who has never seen the field."""

from __future__ import annotations

import shlex
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree.ElementTree import Element

from wordorder_lab.commands.common import condition, spread
from wordorder_lab.commands.demo.figures import learning_curve, length_bars
from wordorder_lab.commands.demo.html import document, folded, node, table
from wordorder_lab.commands.demo.outputs import pairs
from wordorder_lab.commands.demo.players import example, framed, ordered, player_pages
from wordorder_lab.commands.demo.shorter import Shorter, shorter_section
from wordorder_lab.corpora import Corpus
from wordorder_lab.experiments.runs.evaluate import Evaluation
from wordorder_lab.runtime.atomic import ESCAPED, replacing
from wordorder_lab.structures.bag import bag_of
from wordorder_lab.structures.sentence import Sentence
from wordorder_lab.structures.typed_bag import type_bag
from wordorder_lab.systems.liu_2015 import LinearizationModel

TITLE = "Word ordering: what the demo did"
SHOWN = 12
"""Outputs beside their references."""

INVENTED = (
    "That is an invented newspaper, written by a grammar that is part of the project: nothing in "
    "it has ever happened."
)
OTHERS = (
    "This page shows sentences of the corpus: look at its licence before you send the page round."
)
TREE = (
    "(S (NP (DT The) (NN city)) (VP (VBD opened) (NP (DT a) (JJ new) (NN library)) "
    "(NP (DT this) (NN week))) (. .))"
)
MAKE = "If make set it all up, the command lies in .venv; this puts it on the path:"


class Show(NamedTuple):
    """What the demo did: the model, the corpus, the options, and everything that was measured.

    ``shorter`` is its second half, where the corpus has compressions.
    """

    model: LinearizationModel
    corpus: Corpus
    arguments: Namespace
    done: Evaluation
    floor: Evaluation
    data: dict[str, Any]
    shorter: Shorter | None = None


def write_page(show: Show) -> Path:
    """Write ``index.html`` beside the model, atomically, and return its path."""
    path = Path(show.arguments.out) / "index.html"
    text = document(TITLE, _main(show))
    with replacing(path) as part:
        part.write_text(text, encoding="utf-8", errors=ESCAPED)
    return path


def _main(show: Show) -> Element:
    shown = example(show.model, show.corpus.dev)
    sections = {
        "scores": ("How well it does", _scores(show)),
        "learning": ("How it learns", _learning(show)),
        "lengths": ("Long sentences are harder", _lengths(show)),
        "outputs": ("What it says", _outputs(show)),
        "players": ("Watch it search", _players(show, shown)),
        "next": ("What to try next", _next(show)),
    }
    if show.shorter is not None:
        last = sections.pop("next")
        sections["shorter"] = ("Making sentences shorter", shorter_section(show.shorter))
        sections["next"] = last
    links = [node("li", node("a", name, href=f"#{key}")) for key, (name, _) in sections.items()]
    main = node("main", *_introduction(show, shown))
    main.append(node("nav", node("ul", *links), aria_label="On this page"))
    for key, (name, inside) in sections.items():
        main.append(node("section", node("h2", name, id=f"{key}-head"), *inside, id=key))
        main[-1].set("aria-labelledby", f"{key}-head")
    return main


def _introduction(show: Show, sentence: Sentence) -> list[Element]:
    units = bag_of(sentence, seed=show.arguments.seed).words
    result = ordered(show.model, sentence, engine=show.arguments.engine)
    corpus = show.corpus
    whole = ", phrases kept whole," if corpus.units == "base-np" else ""
    return [
        node("h1", "Putting words in order"),
        node(
            "p",
            f"Take a sentence that the program has never seen, shake its words{whole} into a bag, "
            "and ask for the sentence again:",
        ),
        node("ul", *[node("li", " ".join(unit)) for unit in units], class_="units"),
        node("p", "It says: ", node("b", result.text)),
        node(
            "p",
            "Nobody wrote it a grammar; it is told what part of speech each word is. It takes "
            "one word after the other from the bag, links words to each other as it goes, and "
            "keeps only the most promising beginnings: the beam, here of "
            f"{show.arguments.beam}. Which ones are promising it has learned: whenever the right "
            "beginning fell out of the beam, some weights went up and others down. The system is "
            "that of Liu, Zhang, Che and Qin (2015), ",
            node("i", "Transition-Based Syntactic Linearization"),
            ".",
        ),
        node(
            "p",
            f"It learned from {len(corpus.train):,} sentences of the corpus {corpus.name}. ",
            INVENTED if corpus.name == "gazette" else OTHERS,
        ),
    ]


def _scores(show: Show) -> list[Element]:
    ours, floor, epochs = show.done.scores, show.floor.scores, show.data["by_epoch"]
    rows = [
        (name, f"{scores.bleu_cased:.2f}", f"{scores.bleu_13a_lc:.2f}", f"{scores.exact_match:.1%}")
        for name, scores in (("the linearizer", ours), ("random order", floor))
    ]
    seconds = sum(row["seconds"] for row in epochs)
    took = f"Training took {seconds:.1f} s ({len(epochs)} epochs, compiling included)"
    if ours.ms_per_sentence is not None:
        took += f", ordering {ours.ms_per_sentence:.2f} ms a sentence"
    caption = f"{ours.sentences:,} sentences that were never learned. {condition(show.data)}"
    head = ("", "BLEU cased", "BLEU 13a lower", "word for word")
    return [
        table(caption, head, rows),
        node("p", f"{took}."),
        node(
            "p",
            "BLEU counts how many sequences of one to four words are those of the original: 100 is "
            "the same text. It is counted in two ways, which must never be compared with each "
            "other; sacrebleu's signatures say how:",
        ),
        node(
            "ul",
            node("li", "cased, words as they are: ", node("code", ours.bleu_cased_signature)),
            node("li", "13a lower-cased: ", node("code", ours.bleu_13a_lc_signature)),
        ),
    ]


def _learning(show: Show) -> list[Element]:
    epochs, floor = show.data["by_epoch"], show.floor.scores.bleu_cased
    rows = [(str(r["epoch"]), f"{r['bleu_cased']:.2f}", f"{r['seconds']:.1f}") for r in epochs]
    says = (
        "BLEU (cased) on the held-out sentences each time all sentences had been seen once more. "
        "The dashed line is where one starts: the same units in random order."
    )
    figure = node("figure", learning_curve(epochs, floor), node("figcaption", says))
    numbers = table("After each epoch", ("epoch", "BLEU cased", "seconds"), rows)
    return [figure, folded("The numbers", numbers)]


def _lengths(show: Show) -> list[Element]:
    ours, floor = show.done.scores.by_length, show.floor.scores.by_length
    rows = [
        (f"{a.low} to {a.high}", f"{a.sentences}", f"{a.bleu_cased:.2f}", f"{b.bleu_cased:.2f}")
        for a, b in zip(ours, floor)
        if a.sentences
    ]
    says = (
        "BLEU (cased) by the number of words; under each bar the words and the number of "
        "sentences, across it the dashed line of random order."
    )
    figure = node("figure", length_bars(ours, floor), node("figcaption", says))
    head = ("words", "sentences", "BLEU cased", "random order")
    return [figure, folded("The numbers", table("By sentence length", head, rows))]


def _outputs(show: Show) -> list[Element]:
    chosen = spread(len(show.corpus.dev), SHOWN)
    sentences = [show.corpus.dev[i] for i in chosen]
    results = [
        ordered(show.model, sentence, engine=show.arguments.engine) for sentence in sentences
    ]
    says = (
        "Not chosen for being good: every so many of the held-out sentences. Bold and underlined "
        "is what stands elsewhere in the other line."
    )
    return [node("p", says), pairs([i + 1 for i in chosen], sentences, results)]


def _players(show: Show, shown: Sentence) -> list[Element]:
    pages = player_pages(show.model, shown, show.corpus.train, show.corpus.dev, show.arguments)
    parts = [
        node(
            "p",
            "Each of these plays a recorded run, forward and back: press Play, or click into it "
            "and use the arrow keys. Quiz hides what comes next until you have guessed; HTML saves "
            "the player as a page of its own.",
        )
    ]
    for page in pages:
        parts += [node("h3", page.title), node("p", page.says), framed(page)]
    return parts


def _next(show: Show) -> list[Element]:
    sentence = min(show.corpus.dev, key=lambda sentence: abs(len(sentence) - 7))
    parts: list[Element] = [node("p", MAKE), _command(". .venv/bin/activate")]
    model = Path(show.arguments.out) / "model.wol"
    for says, command in suggestions(model, sentence, show.shorter):
        parts += [node("p", says), _command(command)]
    return parts


def suggestions(
    model: Path, sentence: Sentence, shorter: Shorter | None = None
) -> Sequence[tuple[str, str]]:
    """Commands to go on with, each with a line on what it does."""
    path, bag = shlex.quote(str(model)), shlex.quote(type_bag(bag_of(sentence)))
    compress = [] if shorter is None else [
        ("A sentence made shorter, with the rules that did it:",
         f"wordorder-lab compress --model {shlex.quote(str(shorter.path))} "
         f"--bonus {shorter.bonus:g} --rules "
         f"{shlex.quote(TREE)}"),
    ]  # fmt: skip
    return [
        ("Words of your own; brackets keep a phrase whole, a slash gives a tag:",
         f"wordorder-lab order --model {path} --tree {bag}"),
        ("The same as a page that plays the search:",
         f"wordorder-lab order --model {path} --play run.html {bag}"),
        *compress,
        ("What does the beam give?", f"wordorder-lab evaluate --model {path} --beam 1"),
        ("What do the tags give?", f"wordorder-lab evaluate --model {path} --pos 0"),
        ("The demo on real newspaper sentences, 3,914 of the Penn Treebank:",
         "wordorder-lab demo --corpus ptb-sample --out build/demo-ptb"),
        ("The notebooks: lessons, exercises, and a form to type words into:", "make lab"),
    ]  # fmt: skip


def _command(text: str) -> Element:
    return node("pre", node("code", text))
