"""``build/demo/index.html``: what the demo did, for somebody who has never seen the field.

The texts are in ``pages/demo.html`` and ``pages/shorter.html``; what fills them is made here.
"""

from __future__ import annotations

import shlex
from argparse import Namespace
from collections import Counter
from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher
from pathlib import Path
from typing import NamedTuple
from xml.etree.ElementTree import Element

from wordorder_lab.commands import html
from wordorder_lab.commands.common import condition, spread
from wordorder_lab.commands.gallery.compression import compression_page
from wordorder_lab.commands.gallery.pages import Found, Page, page, short_ones, training_pages
from wordorder_lab.commands.html import PAGES, command, document, folded, markup, node, table
from wordorder_lab.corpora import Corpus
from wordorder_lab.experiments.runs.compression_evaluate import CompressionEvaluation
from wordorder_lab.experiments.runs.ordering_evaluate import Evaluation
from wordorder_lab.experiments.runs.schema import Row
from wordorder_lab.structures.bag import bag_of
from wordorder_lab.structures.compression import CompressionPair, prepared, presented
from wordorder_lab.structures.result import Result
from wordorder_lab.structures.sentence import Sentence
from wordorder_lab.structures.trees import DependencyTree
from wordorder_lab.structures.typed_bag import type_bag
from wordorder_lab.systems.cohn_lapata_2009 import CompressionModel
from wordorder_lab.systems.liu_2015 import LinearizationModel
from wordorder_lab.trace.log import EventLog
from wordorder_lab.widgets.page import contents, filled, page_text, write_page

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


class Shorter(NamedTuple):
    """What was done: the model and its file, the pairs it was tried on, and what came of it."""

    model: CompressionModel
    path: Path
    held_out: Sequence[CompressionPair]
    done: CompressionEvaluation
    bonus: float
    seconds: float


class Show(NamedTuple):
    """All that was measured; ``shorter`` is the second half, where the corpus has compressions."""

    model: LinearizationModel
    corpus: Corpus
    arguments: Namespace
    done: Evaluation
    floor: Evaluation
    data: Row
    shorter: Shorter | None = None


def write_demo(show: Show) -> Path:
    """Write ``index.html`` beside the model, atomically, and return its path."""
    path = Path(show.arguments.out) / "index.html"
    sentence, shorter = example(show.model, show.corpus.dev), show.shorter
    link = node("li", node("a", "Making sentences shorter", href="#shorter"))
    body = filled(
        PAGES / "demo.html",
        **_introduction(show, sentence),
        **_scores(show),
        **_curves(show),
        outputs=markup(*_outputs(show)),
        players=markup(*_players(show, sentence)),
        shorterlink="" if shorter is None else markup(link),
        shorter="" if shorter is None else shorter_section(shorter),
        next=markup(*_next(show)),
    )
    return write_page(path, document(TITLE, body))


def _introduction(show: Show, sentence: Sentence) -> dict[str, str]:
    units = bag_of(sentence, seed=show.arguments.seed).words
    corpus = show.corpus
    return {
        "whole": ", phrases kept whole," if corpus.units == "base-np" else "",
        "units": markup(*(node("li", " ".join(unit)) for unit in units)),
        "output": ordered(show.model, sentence, engine=show.arguments.engine).text,
        "beam": str(show.arguments.beam),
        "sentences": f"{len(corpus.train):,}",
        "corpus": corpus.name,
        "whose": INVENTED if corpus.name == "gazette" else OTHERS,
    }


def _scores(show: Show) -> dict[str, str]:
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
    signatures = {"cased": ours.bleu_cased_signature, "lower": ours.bleu_13a_lc_signature}
    return {"scores": markup(table(caption, head, rows)), "took": took, **signatures}


def _curves(show: Show) -> dict[str, str]:
    epochs, start = show.data["by_epoch"], show.floor.scores.bleu_cased
    rows = [(str(r["epoch"]), f"{r['bleu_cased']:.2f}", f"{r['seconds']:.1f}") for r in epochs]
    by_epoch = table("After each epoch", ("epoch", "BLEU cased", "seconds"), rows)
    ours, floor = show.done.scores.by_length, show.floor.scores.by_length
    lengths = [
        (f"{a.low} to {a.high}", f"{a.sentences}", f"{a.bleu_cased:.2f}", f"{b.bleu_cased:.2f}")
        for a, b in zip(ours, floor)
        if a.sentences
    ]
    head = ("words", "sentences", "BLEU cased", "random order")
    by_length = table("By sentence length", head, lengths)
    return {
        "curve": markup(html.learning_curve(epochs, start)),
        "epochs": markup(folded("The numbers", by_epoch)),
        "bars": markup(html.length_bars(ours, floor)),
        "lengths": markup(folded("The numbers", by_length)),
    }


def _outputs(show: Show) -> list[Element]:
    shown, opened = [], set()
    for i in spread(len(show.corpus.dev), SHOWN):
        sentence = show.corpus.dev[i]
        result = ordered(show.model, sentence, engine=show.arguments.engine)
        item, trees = _pair(i + 1, sentence, result), _trees(sentence, result)
        right = result.text == sentence.text
        if len(sentence) <= OPEN_TREE and right not in opened:
            trees.set("open", "open")
            opened.add(right)
        item.append(trees)
        shown.append(item)
    return shown


def _players(show: Show, shown: Sentence) -> list[Element]:
    on_reference = Namespace(**vars(show.arguments) | {"engine": "reference"})
    training = training_pages(short_ones(show.corpus.train), on_reference, progress=False)
    race = _race(show.model, show.corpus.dev, show.arguments)
    return [part for one in (_search(show.model, shown), race, *training) for part in framed(one)]


def _next(show: Show) -> list[Element]:
    sentence = min(show.corpus.dev, key=lambda sentence: abs(len(sentence) - 7))
    model = Path(show.arguments.out) / "model.wol"
    lines = [(MAKE, ". .venv/bin/activate"), *suggestions(model, sentence, show.shorter)]
    return [part for says, line in lines for part in (node("p", says), command(line))]


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


# --- Outputs beside their references: what differs is marked, and the trees are there

OPEN_TREE = 12
"""Units of the longest sentence whose trees are open: a right one, and a wrong one."""


def _pair(number: int, sentence: Sentence, result: Result) -> Element:
    gold = [token.form for token in sentence]
    placed, wanted = standing(result.words, gold)
    moved = placed.count(False)
    verdict = f"{moved} of {len(gold)} units stand elsewhere"
    output, reference = (
        _line(units, ["" if stays else "mark" for stays in places])
        for units, places in ((result.words, placed), (gold, wanted))
    )
    lines = {"output": output, "reference": reference}
    return _compared(number, lines, verdict if moved else SAME, not moved)


SAME = "the same, word for word"


def _compared(
    number: int, lines: Mapping[str, Sequence[Element | str]], verdict: str, same: bool
) -> Element:
    """An item of a list of outputs: named lines of words, and what they come to."""
    parts = [
        part for name, words in lines.items() for part in (node("dt", name), node("dd", *words))
    ]
    parts += [node("dt", "=" if same else "\u2260"), node("dd", verdict, class_="soft")]
    return node("li", node("dl", *parts), value=number)


def _line(words: Sequence[str], marks: Sequence[str]) -> list[Element | str]:
    """The words with spaces between them, each in an element of its own where it has a mark."""
    parts: list[Element | str] = []
    for word, mark in zip(words, marks, strict=True):
        parts += [node(mark, word) if mark else word, " "]
    return parts[:-1]


def standing(output: Sequence[str], reference: Sequence[str]) -> tuple[list[bool], list[bool]]:
    """For each unit of either side whether it stands where it stands in the other one."""
    here, there = [False] * len(output), [False] * len(reference)
    matcher = SequenceMatcher(a=output, b=reference, autojunk=False)
    for i, j, size in matcher.get_matching_blocks():
        here[i : i + size] = there[j : j + size] = [True] * size
    return here, there


def _trees(sentence: Sentence, result: Result) -> Element:
    shown = [node("p", "Built by the search:"), _tree(result.tree)]
    if result.tree != sentence.tree:
        shown += [node("p", "Of the reference:"), _tree(sentence.tree)]
    return folded("trees" if len(shown) > 2 else "tree", *shown)


def _tree(tree: DependencyTree) -> Element:
    return node("div", tree.drawing(), class_="tree", tabindex="0", role="group", aria_label="Tree")


# --- What is played: a search, the same bag with two beams, and a short training run
#
# All of it is recorded by the reference engine: the events are those of the fast one, and nothing
# has to be compiled for them.

WATCHED_BEAM = 8
"""States of the searches to look at: few enough to see them all."""
UNITS, LONGEST = 6, 10
"""Units that the sentence to look at has, or about so many, and the most that a race has."""


def ordered(
    model: LinearizationModel,
    sentence: Sentence,
    beam: int | None = None,
    engine: str | None = None,
    log: EventLog | None = None,
) -> Result:
    """What the model makes of a sentence's bag, given what it was given in training."""
    given = {name: model.settings.get(name, usual) for name, usual in (("pos", 1), ("seed", 1))}
    return model.order(bag_of(sentence, **given), beam=beam, engine=engine, trace=log)


def example(model: LinearizationModel, sentences: Sequence[Sentence]) -> Sentence:
    """A short sentence to look at: if there is one, one that comes out right."""
    near = sorted(sentences, key=lambda sentence: abs(len(sentence) - UNITS))[:20]
    right = (s for s in near if ordered(model, s, WATCHED_BEAM, "reference").text == s.text)
    return next(right, near[0])


def race(model: LinearizationModel, sentences: Sequence[Sentence], engine: str | None) -> Sentence:
    """A sentence that fits the screen; beam 1 gets it wrong, the model's own beam right."""
    fitting = [s for s in sentences if len(s) <= LONGEST] or [min(sentences, key=len)]
    fitting.sort(key=lambda sentence: abs(len(sentence) - UNITS - 2))
    for sentence in fitting:
        texts = (ordered(model, sentence, beam, engine).text for beam in (1, None))
        if next(texts) != sentence.text == next(texts):
            return sentence
    return fitting[0]


def framed(played: Page) -> list[Element]:
    """A player inside the demo's page, below its title and what it shows."""
    look: Row = {"view": played.view, "names": played.names, "at": played.at}
    text = page_text(contents(played.log, played.other, **look), played.title)
    sandbox = {"sandbox": "allow-scripts allow-downloads", "loading": "lazy"}
    frame = node("iframe", title=played.title, **sandbox, srcdoc=text)
    heading = [node("h3", played.title), node("p", played.says)]
    return [*heading, node("div", frame, class_="player")]


def _search(model: LinearizationModel, sentence: Sentence) -> Page:
    log = EventLog()
    found = (Found(ordered(model, sentence, WATCHED_BEAM, "reference", log).text, sentence.text),)
    return page("demo-search", {"beam": WATCHED_BEAM}, log=log, found=found)


def _race(model: LinearizationModel, sentences: Sequence[Sentence], arguments: Namespace) -> Page:
    sentence, wide = race(model, sentences, arguments.engine), arguments.beam
    log, other = EventLog(), EventLog()
    greedy = ordered(model, sentence, 1, "reference", log)
    best = ordered(model, sentence, wide, "reference", other)
    return page(
        "demo-beams",
        {"beam": wide},
        log=log,
        other=other,
        names=("beam 1", f"beam {wide}"),
        found=(Found(greedy.text, sentence.text, "A"), Found(best.text, sentence.text, "B")),
    )


# --- Sentences made shorter

EXAMPLES, MOVED = 8, 2
"""Outputs that are shown: spread over all, and those in which words were moved or replaced."""
NAMES = {
    "keep_all": "keep every word",
    "random_deletion": "delete words at random",
    "first_clause": "keep the first clause",
}
BEYOND = " The rest came out right, and by deletion alone could not have."


def compression_data(shorter: Shorter) -> Row:
    """What the demo's numbers say about it."""
    settings, seconds = shorter.model.settings, shorter.seconds
    training = {"pairs": settings["pairs"], "training_seconds": seconds}
    return {"corpus": settings["corpus"], "split": "dev", **shorter.done.to_dict(), **training}


def shorter_section(shorter: Shorter) -> str:
    """The section on it."""
    settings = shorter.model.settings
    chosen, moved = _chosen(shorter)
    options = {"beam": WATCHED_BEAM, "bonus": shorter.bonus, "engine": "reference"}
    played = compression_page(shorter.model, shorter.held_out, **options)
    return filled(
        PAGES / "shorter.html",
        pairs=f"{settings['pairs']:,}",
        rules=f"{settings['rules']:,}",
        seconds=f"{shorter.seconds:.0f}",
        floors=markup(_beside_floors(shorter)),
        rate=f"{shorter.done.scores.gold_rate:.1%}",
        bonus=f"{shorter.bonus:g}",
        chosen=str(len(chosen)),
        beyond=BEYOND if moved else "",
        examples=markup(*(_example(shorter, i) for i in [*chosen, *moved])),
        player=markup(*framed(played)),
    )


def _beside_floors(shorter: Shorter) -> Element:
    done = shorter.done
    every = {"the transducer": done.scores}
    every |= {NAMES[name]: floor for name, floor in done.floors.items()}
    measures = ("rate", "relation_f1", "bigram_f1", "exact_match")
    rows = [
        (name, *(f"{getattr(scores, measure):.1%}" for measure in measures))
        for name, scores in every.items()
    ]
    caption = f"{done.scores.sentences:,} sentences that were never learned. "
    head = ("", "words kept", "relation F1", "bigram F1", "word for word")
    return table(caption + condition(compression_data(shorter)), head, rows)


def _chosen(shorter: Shorter) -> tuple[list[int], list[int]]:
    pairs, outputs = shorter.done.pairs, shorter.done.outputs
    chosen = [*spread(len(pairs), EXAMPLES)]
    beyond = []
    for i, (pair, words) in enumerate(zip(pairs, (tree.leaves() for tree in outputs))):
        rest = iter(pair.source.leaves())
        is_deletion = all(word in rest for word in words)
        if words == pair.target.leaves() and not is_deletion and i not in chosen:
            beyond.append(i)
    return chosen, beyond[:MOVED]


def _example(shorter: Shorter, i: int) -> Element:
    pair, output, text = shorter.done.pairs[i], shorter.done.outputs[i], shorter.done.texts[i]
    source, made = marked(pair.source.leaves(), output.leaves())
    shown = shorter.held_out[i].source.leaves()
    same = any(output.leaves() == target.leaves() for target in pair.targets)
    lines: dict[str, Sequence[Element | str]] = {
        "sentence": _line(shown, source),
        "output": _line(text.split(" "), made),
        "reference": [" ".join(presented(prepared(pair.target).leaves()))],
    }
    return _compared(i + 1, lines, SAME if same else "not the same", same)


def marked(source: Sequence[str], output: Sequence[str]) -> tuple[list[str], list[str]]:
    """Words as they are (""), struck out, or marked: they stand elsewhere on the other side."""
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
