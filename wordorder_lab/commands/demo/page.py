"""``build/demo/index.html``: what the demo did, for somebody who has never seen the field."""

from __future__ import annotations

import shlex
from argparse import Namespace
from collections import Counter
from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher
from pathlib import Path
from typing import NamedTuple
from xml.etree.ElementTree import Element

from wordorder_lab.commands.common import condition, spread
from wordorder_lab.commands.gallery.compression import compression_page
from wordorder_lab.commands.gallery.pages import BEAM, Found, Page, short_ones, training_pages
from wordorder_lab.commands.html import (
    command,
    document,
    folded,
    learning_curve,
    length_bars,
    node,
    table,
    write_page,
)
from wordorder_lab.corpora import Corpus
from wordorder_lab.experiments.runs.compression_evaluate import CompressionEvaluation
from wordorder_lab.experiments.runs.evaluate import Evaluation
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
from wordorder_lab.widgets.page import contents, page_text

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
    """What the demo did: the model, the corpus, the options, and everything that was measured.

    ``shorter`` is its second half, where the corpus has compressions.
    """

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
    write_page(path, document(TITLE, _main(show)))
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
    says = (
        "Not chosen for being good: every so many of the held-out sentences. Bold and underlined "
        "is what stands elsewhere in the other line."
    )
    shown = node("ol", class_="pairs")
    opened = set()
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
    return [node("p", says), shown]


def _players(show: Show, shown: Sentence) -> list[Element]:
    on_reference = Namespace(**vars(show.arguments) | {"engine": "reference"})
    training = training_pages(short_ones(show.corpus.train), on_reference, progress=False)
    race = _race(show.model, show.corpus.dev, show.arguments)
    parts = [
        node(
            "p",
            "Each of these plays a recorded run, forward and back: press Play, or click into it "
            "and use the arrow keys. Quiz hides what comes next until you have guessed; HTML saves "
            "the player as a page of its own.",
        )
    ]
    for page in (_search(show.model, shown), race, *training):
        parts += [node("h3", page.title), node("p", page.says), framed(page)]
    return parts


def _next(show: Show) -> list[Element]:
    sentence = min(show.corpus.dev, key=lambda sentence: abs(len(sentence) - 7))
    parts: list[Element] = [node("p", MAKE), command(". .venv/bin/activate")]
    model = Path(show.arguments.out) / "model.wol"
    for says, line in suggestions(model, sentence, show.shorter):
        parts += [node("p", says), command(line)]
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


# --- Outputs beside their references: what differs is marked, and the trees are there

OPEN_TREE = 12
"""Units of the longest sentence whose trees are shown from the start: of one that came out right,
and of one that did not."""


def _pair(number: int, sentence: Sentence, result: Result) -> Element:
    gold = [token.form for token in sentence]
    placed, wanted = standing(result.words, gold)
    moved = placed.count(False)
    verdict = (
        f"{moved} of {len(gold)} units stand elsewhere" if moved else "the same, word for word"
    )
    output, reference = (
        _line(units, ["" if stays else "mark" for stays in places])
        for units, places in ((result.words, placed), (gold, wanted))
    )
    return _compared(number, {"output": output, "reference": reference}, verdict, not moved)


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
    """The tree that the search built and, where it is another one, the reference's."""
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
    """A sentence that beam 1 gets wrong and the model's own beam right, if there is one.

    It is one of the longest of those that fit on the screen.
    """
    fitting = [s for s in sentences if len(s) <= LONGEST] or [min(sentences, key=len)]
    fitting.sort(key=lambda sentence: abs(len(sentence) - UNITS - 2))
    for sentence in fitting:
        texts = (ordered(model, sentence, beam, engine).text for beam in (1, None))
        if next(texts) != sentence.text == next(texts):
            return sentence
    return fitting[0]


def framed(page: Page) -> Element:
    """A player inside the demo's page."""
    data = contents(page.log, page.other, view=page.view, names=page.names, at=page.at)
    frame = node(
        "iframe", title=page.title, sandbox="allow-scripts allow-downloads", loading="lazy"
    )
    frame.set("srcdoc", page_text(data, page.title))
    return node("div", frame, class_="player")


def _search(model: LinearizationModel, sentence: Sentence) -> Page:
    log = EventLog()
    result = ordered(model, sentence, WATCHED_BEAM, "reference", log)
    return Page(
        "beam-states.html",
        BEAM,
        "One search, state by state",
        f"The bag from the top of the page at beam {WATCHED_BEAM}: a column a step, a card a "
        "state, dashed what is cut.",
        5,
        "lattice",
        log,
        found=(Found(result.text, sentence.text),),
    )


def _race(model: LinearizationModel, sentences: Sequence[Sentence], arguments: Namespace) -> Page:
    sentence, wide = race(model, sentences, arguments.engine), arguments.beam
    narrow_log, wide_log = EventLog(), EventLog()
    greedy = ordered(model, sentence, 1, "reference", narrow_log)
    best = ordered(model, sentence, wide, "reference", wide_log)
    return Page(
        "two-beams.html",
        BEAM,
        f"Beam 1 against beam {wide}",
        "The same bag twice, on one clock: who keeps a single state cannot take a step back.",
        6,
        "lattice",
        narrow_log,
        wide_log,
        ("beam 1", f"beam {wide}"),
        found=(Found(greedy.text, sentence.text, "A"), Found(best.text, sentence.text, "B")),
    )


# --- Sentences made shorter

EXAMPLES, MOVED = 8, 2
"""Outputs that are shown: so many spread over all, and so many in which words were moved or put
for others."""
NAMES = {
    "keep_all": "keep every word",
    "random_deletion": "delete words at random",
    "first_clause": "keep the first clause",
}
BEYOND = " The rest came out right, and by deletion alone could not have."


def compression_data(shorter: Shorter) -> Row:
    """What the demo's numbers say about it."""
    training = {"pairs": shorter.model.settings["pairs"], "training_seconds": shorter.seconds}
    corpus = shorter.model.settings["corpus"]
    return {"corpus": corpus, "split": "dev", **shorter.done.to_dict(), **training}


def shorter_section(shorter: Shorter) -> list[Element]:
    """The inside of the section."""
    settings, scores = shorter.model.settings, shorter.done.scores
    chosen, moved = _chosen(shorter)
    options = {"beam": WATCHED_BEAM, "bonus": shorter.bonus, "engine": "reference"}
    page = compression_page(shorter.model, shorter.held_out, **options)
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
        ),
        _beside_floors(shorter),
        node(
            "p",
            "Relation F1 looks at which word hangs on which, in the output and in the "
            f"reference. The references keep {scores.gold_rate:.1%} of the words. Read the "
            "two numbers together: who deletes less makes fewer mistakes. So every word of an "
            f"output was given {shorter.bonus:g} points, by which as many stay as in the "
            "references of some other sentences.",
        ),
        node("h3", "What it deletes"),
        node(
            "p",
            f"The first {len(chosen)} are not chosen for being good: every so many of the held-out "
            "sentences. What was deleted is struck through; bold and underlined is what stands "
            "elsewhere in the output, or only there.",
            *([BEYOND] if moved else []),
        ),
        node("ol", *[_example(shorter, i) for i in [*chosen, *moved]], class_="pairs"),
        node("h3", page.title),
        node("p", page.says),
        framed(page),
    ]


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
    return _compared(i + 1, lines, "the same, word for word" if same else "not the same", same)


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
