"""The demo's second half: learn to make sentences shorter, and try it on sentences held out.

The page's section shows scores beside floors, what was deleted, and a search to play.
"""

from __future__ import annotations

import time
from argparse import Namespace
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree.ElementTree import Element

from wordorder_lab.commands.common import condition, spread
from wordorder_lab.commands.demo.html import node, table
from wordorder_lab.commands.demo.players import framed
from wordorder_lab.commands.evaluate_compression import floor_lines, output_lines
from wordorder_lab.commands.gallery.compression import compression_page
from wordorder_lab.corpora import CorpusError, load_compressions
from wordorder_lab.experiments.runs.compression_evaluate import (
    CompressionEvaluation,
    evaluate_compressions,
    match_rate,
)
from wordorder_lab.structures.compression import CompressionPair, prepared, presented
from wordorder_lab.systems import train
from wordorder_lab.systems.cohn_lapata_2009 import CompressionModel
from wordorder_lab.systems.model import choose_engine

SETTINGS: dict[str, Any] = {"C": 5.0, "beam": 20, "max_iterations": 30, "tolerance": 0.05}
PAIRS = {"fast": 400, "reference": 100}
"""Settings and pairs of the training: so much that one can wait for it, on either engine."""
TUNED = 60
"""Further pairs, by which the bonus for a word is chosen: as many words stay as in references."""
SHOWN = 4


class Shorter(NamedTuple):
    """What was done: the model and its file, the pairs it was tried on, and what came of it."""

    model: CompressionModel
    path: Path
    held_out: Sequence[CompressionPair]
    done: CompressionEvaluation
    bonus: float
    seconds: float


def shorten_too(arguments: Namespace, out: Path) -> Shorter | None:
    """Train on pairs of the demo's corpus and tell how well it goes; ``None`` if it has none."""
    try:
        corpus = load_compressions(arguments.corpus)
    except CorpusError:
        print(f"\n{arguments.corpus} has no compressions, so no sentences are made shorter here.")
        return None
    begin = time.perf_counter()
    count = PAIRS[choose_engine(arguments.engine)]
    pairs, others = corpus.train[:count], corpus.train[count:][:TUNED] or corpus.train
    print(
        f"\nnow to make sentences shorter: learning from {len(pairs)} pairs of trees ...",
        flush=True,
    )
    model = train(
        "cohn-lapata-2009",
        pairs,
        about={"corpus": arguments.corpus},
        progress=False,
        engine=arguments.engine,
        seed=arguments.seed,
        **SETTINGS,
    )
    path = out / "compression.wol"
    model.save(path)
    bonus = round(match_rate(model, others, engine=arguments.engine).bonus, 3)
    seconds = time.perf_counter() - begin
    print(
        f"{model.settings['rules']:,} rules; weights, and a bonus for words, in {seconds:.0f} s\n"
    )
    how = {"seed": arguments.seed, "engine": arguments.engine, "bonus": bonus}
    done = evaluate_compressions(model, corpus.dev, **how)
    print(*output_lines(done, SHOWN)[1:], "", *floor_lines(done), sep="\n")
    return Shorter(model, path, corpus.dev, done, bonus, seconds)


def compression_data(shorter: Shorter) -> dict[str, Any]:
    """What the demo's numbers say about it."""
    training = {"pairs": shorter.model.settings["pairs"], "training_seconds": shorter.seconds}
    corpus = shorter.model.settings["corpus"]
    return {"corpus": corpus, "split": "dev", **shorter.done.to_dict(), **training}


# --- the section of the page ---------------------------------------------------------------------


EXAMPLES, MOVED = 8, 2
"""Outputs that are shown: so many spread over all, and so many in which words were moved or put
for others."""
WATCHED_BEAM = 8
NAMES = {
    "keep_all": "keep every word",
    "random_deletion": "delete words at random",
    "first_clause": "keep the first clause",
}


def shorter_section(shorter: Shorter) -> list[Element]:
    """The inside of the section."""
    chosen, moved = _chosen(shorter)
    items = node("ol", *[_example(shorter, i) for i in [*chosen, *moved]], class_="pairs")
    how = {"beam": WATCHED_BEAM, "bonus": shorter.bonus, "engine": "reference"}
    page = compression_page(shorter.model, shorter.held_out, **how)
    return [
        *_introduction(shorter),
        *_scores(shorter),
        node("h3", "What it deletes"),
        node("p", _says(len(chosen), len(moved))),
        items,
        node("h3", page.title),
        node("p", page.says),
        framed(page),
    ]


def _introduction(shorter: Shorter) -> list[Element]:
    settings = shorter.model.settings
    return [
        node(
            "p",
            "Another task: say a sentence in fewer words. The program is given the "
            f"sentence with its phrase structure. From {settings['pairs']:,} pairs of a sentence "
            f"and a shorter version it has taken {settings['rules']:,} rules that turn a piece of "
            "one tree into a piece of another, so it can delete words, but also move them and put "
            "others in their place; and it has learned which rules to trust. The system is that "
            "of Cohn and Lapata (2009), ",
            node("i", "Sentence Compression as Tree Transduction"),
            f". Learning took {shorter.seconds:.0f} s.",
        )
    ]


def _scores(shorter: Shorter) -> list[Element]:
    done = shorter.done
    every = {"the transducer": done.scores}
    every |= {NAMES[name]: floor for name, floor in done.floors.items()}
    rows = [
        (
            name,
            f"{scores.rate:.1%}",
            f"{scores.relation_f1:.1%}",
            f"{scores.bigram_f1:.1%}",
            f"{scores.exact_match:.1%}",
        )
        for name, scores in every.items()
    ]
    caption = f"{done.scores.sentences:,} sentences that were never learned. "
    head = ("", "words kept", "relation F1", "bigram F1", "word for word")
    return [
        table(caption + condition(compression_data(shorter)), head, rows),
        node(
            "p",
            "Relation F1 looks at which word hangs on which, in the output and in the "
            f"reference. The references keep {done.scores.gold_rate:.1%} of the words. Read the "
            "two numbers together: who deletes less makes fewer mistakes. So every word of an "
            f"output was given {shorter.bonus:g} points, by which as many stay as in the "
            "references of some other sentences.",
        ),
    ]


def _chosen(shorter: Shorter) -> tuple[list[int], list[int]]:
    """Some outputs spread over all, and some right ones that deletion alone would not give."""
    pairs, outputs = shorter.done.pairs, shorter.done.outputs
    chosen = [*spread(len(pairs), EXAMPLES)]
    beyond = [
        i
        for i, (pair, output) in enumerate(zip(pairs, outputs))
        if output.leaves() == pair.target.leaves() and not is_deletion(pair, output.leaves())
    ]
    return chosen, [i for i in beyond if i not in chosen][:MOVED]


def is_deletion(pair: CompressionPair, words: Sequence[str]) -> bool:
    """Whether the words are those of the source, in their order, with some left out."""
    rest = iter(pair.source.leaves())
    return all(word in rest for word in words)


def _says(chosen: int, moved: int) -> str:
    says = (
        f"The first {chosen} are not chosen for being good: every so many of the held-out "
        "sentences. What was deleted is struck through; bold and underlined is what stands "
        "elsewhere in the output, or only there."
    )
    if moved:
        says += " The rest came out right, and by deletion alone could not have."
    return says


def _example(shorter: Shorter, i: int) -> Element:
    pair, output, text = shorter.done.pairs[i], shorter.done.outputs[i], shorter.done.texts[i]
    source, made = marked(pair.source.leaves(), output.leaves())
    shown = shorter.held_out[i].source.leaves()
    same = any(output.leaves() == target.leaves() for target in pair.targets)
    lines = [
        *(node("dt", "sentence"), node("dd", *_line(shown, source))),
        *(node("dt", "output"), node("dd", *_line(text.split(" "), made))),
        *(node("dt", "reference"), node("dd", _text(pair.target))),
        node("dt", "=" if same else "\u2260"),
        node("dd", "the same, word for word" if same else "not the same", class_="soft"),
    ]
    return node("li", node("dl", *lines), value=i + 1)


def marked(source: Sequence[str], output: Sequence[str]) -> tuple[list[str], list[str]]:
    """How each word of source and output is shown: as it is (""), struck out, or marked.

    A word of the source is marked if the output has it elsewhere, a word of the output if it does
    not stand where the source has it.
    """
    stays, placed = in_common(source, output)
    elsewhere = Counter(word for word, there in zip(output, placed) if not there)
    here = []
    for word, stay in zip(source, stays):
        moved = not stay and elsewhere[word] > 0
        elsewhere[word] -= moved
        here.append("" if stay else "mark" if moved else "del")
    return here, ["" if there else "mark" for there in placed]


def in_common(first: Sequence[str], second: Sequence[str]) -> tuple[list[bool], list[bool]]:
    """For each word of either side whether it belongs to the longest sequence that both have."""
    n, m = len(first), len(second)
    longest = [[0] * (m + 1) for _ in range(n + 1)]  # of what begins at (i, j)
    for i in reversed(range(n)):
        for j in reversed(range(m)):
            both = longest[i + 1][j + 1] + 1 if first[i] == second[j] else 0
            longest[i][j] = max(both, longest[i + 1][j], longest[i][j + 1])
    here, there = [False] * n, [False] * m
    i = j = 0
    while i < n and j < m:
        if first[i] == second[j] and longest[i][j] == longest[i + 1][j + 1] + 1:
            here[i] = there[j] = True
            i, j = i + 1, j + 1
        elif longest[i + 1][j] >= longest[i][j + 1]:
            i += 1
        else:
            j += 1
    return here, there


def _line(words: Sequence[str], marks: Sequence[str]) -> list[Element | str]:
    parts: list[Element | str] = []
    for word, mark in zip(words, marks, strict=True):
        parts += [node(mark, word) if mark else word, " "]
    return parts[:-1]


def _text(tree: Any) -> str:
    return " ".join(presented(prepared(tree).leaves()))
