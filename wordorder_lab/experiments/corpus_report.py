"""The Gazette beside the Penn sample: how newspaper-like an invented newspaper is, in numbers.

Nobody's sentence is in the report, only numbers. Counted are words as they stand, trees without
traces. A rule is a phrase with its children's labels, function tags taken off: ``NP -> DT NN``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from math import ceil
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, NamedTuple

from wordorder_lab.corpora.penn_corpora import sample_files
from wordorder_lab.corpora.readers.corpus import Corpus
from wordorder_lab.corpora.readers.files import AnyPath
from wordorder_lab.corpora.readers.penn import (
    is_tagged_word,
    read_tree_file,
    tokens_of,
    without_traces,
)
from wordorder_lab.experiments.measures.figures import COLOURS, plain
from wordorder_lab.experiments.measures.tables import Row, Rows
from wordorder_lab.experiments.runs.evaluate import evaluate
from wordorder_lab.experiments.runs.ordering_evaluate import random_order
from wordorder_lab.runtime.atomic import replacing
from wordorder_lab.structures.head_rules import bare_label
from wordorder_lab.systems import train

if TYPE_CHECKING:
    from nltk.tree import Tree


SPLITS = ("train", "dev", "test")
STEPS = (1_000, 2_000, 5_000, 10_000, 20_000, 30_000, 50_000, 90_000)
LENGTHS = ((1, 4), (5, 9), (10, 14), (15, 19), (20, 24), (25, 30), (31, 40), (41, 1000))
COMMON = (1, 10, 50, 200)
"""The share of all rules that the commonest one, ten, ... make up."""
SHOWN = 15


def write_report(gazette: Path, out: Path, scores: Rows = ()) -> list[Path]:
    """Write ``report.md`` and ``report.png`` into ``out``; returns where they are. ``gazette`` is
    the folder of the Gazette's files, ``scores`` are rows as ``beside`` makes them. Raises
    ``CorpusError`` where the Penn sample is missing or a file is broken."""
    ours = profile("Gazette", [gazette / f"{split}.mrg" for split in SPLITS])
    penn = profile("Penn sample", [f for split in SPLITS for f in sample_files(split)])
    with replacing(out / "report.md") as part:
        part.write_bytes(text(ours, penn, scores).encode("utf-8"))
    with replacing(out / "report.png") as part:
        draw(ours, penn, part)
    return [out / "report.md", out / "report.png"]


def beside(corpus: Corpus, *, epochs: int = 10, beam: int = 64) -> list[Row]:
    """Random order, bigrams and a linearizer trained for this: rows of scores on the dev split. How
    far the last is ahead of bigrams, which know which word followed which and nothing else, says
    how much of a corpus cannot be had by remembering pairs of words."""
    about: Row = {"corpus": corpus.name, "units": corpus.units, "split": "dev"}
    about |= {"pos": 1, "deps": 0, "beam": beam, "epochs": epochs, "seed": 1}
    bigrams = train("ngram-beam", corpus.train, order=2, progress=False)
    model = train("liu-2015", corpus.train, epochs=epochs, beam=beam, progress=False)
    done = {
        "random-order": random_order(corpus.dev),
        "ngram-beam, order 2": evaluate(bigrams, corpus.dev, beam=beam),
        "liu-2015": evaluate(model, corpus.dev),
    }
    return [
        {**about, "system": name, "bleu_cased": one.scores.bleu_cased} for name, one in done.items()
    ]


def rows(p: Profile, words: int) -> dict[str, str]:
    """The numbers of one corpus by their names; ``words`` is the size at which it is compared."""
    quartiles = (str(quantile(p.lengths, share)) for share in (0.25, 0.5, 0.75))
    commonest = {n: sum(count for _, count in p.rules.most_common(n)) for n in COMMON}
    return {
        "sentences": f"{p.lengths.total():,}",
        "words": f"{p.words:,}",
        "word types (capitals apart)": f"{p.growth[-1]:,}",
        f"word types in the first {words:,} words": f"{p.growth[words]:,}",
        "words a sentence, mean": f"{mean(p.lengths):.1f}",
        "words a sentence, quartiles": ", ".join(quartiles),
        "words a sentence, shortest and longest": f"{min(p.lengths)}, {max(p.lengths)}",
        "base NPs a sentence": f"{p.base_nps / p.lengths.total():.2f}",
        "arc length, mean": f"{mean(p.arcs):.2f}",
        "arcs to a neighbour": f"{between(p.arcs, 1, 1):.1%}",
        "arcs longer than 7": f"{between(p.arcs, 8, 10_000):.1%}",
        "tags": f"{len(p.tags)}",
        "kinds of rules": f"{len(p.rules):,}",
        f"kinds of rules in {words:,} words": f"{rules_within(p, words):,.0f}",
        "kinds of rules for 1,000 words": f"{1000 * len(p.rules) / p.words:.1f}",
        "rules that occur once": f"{sum(n == 1 for n in p.rules.values()) / len(p.rules):.1%}",
        **{
            f"share of the {f'{n} commonest rules' if n > 1 else 'commonest rule'}": (
                f"{count / p.rules.total():.1%}"
            )
            for n, count in commonest.items()
        },
    }


OPENING = """# The Gazette beside the Penn sample

Made by `wordorder-lab corpora gazette --report`. All three splits of the Gazette; the Penn sample
is NLTK's 3,914 sentences, without traces. Rules are without function tags, words lower-cased."""


def text(ours: Profile, penn: Profile, scores: Rows = ()) -> str:
    """The report in Markdown."""
    size = min(ours.words, penn.words) // 1000 * 1000
    left, right = rows(ours, size), rows(penn, size)
    both = [ours, penn]
    shares = []
    for low, high in LENGTHS:
        name = f"{low} and more" if high >= 1000 else f"{low} to {high}"
        shares.append((name, *(f"{between(p.lengths, low, high):.1%}" for p in both)))
    steps = [n for n in STEPS if n <= max(ours.words, penn.words)]
    types = [
        (f"{n:,}", *(f"{p.growth[n]:,}" if n < len(p.growth) else "-" for p in both)) for n in steps
    ]
    named = ("corpus", "units", "system")
    scored = [[*(str(row[n]) for n in named), f"{row['bleu_cased']:.1f}"] for row in scores]
    heads = [p.name for p in both]
    return "\n\n".join(
        [
            OPENING,
            _table(["", *heads], [(name, left[name], right[name]) for name in left]),
            "## Sentence length",
            _table(["words", *heads], shares),
            "## Word types as the corpus grows",
            _table(["words", *heads], types),
            "## The commonest rules",
            _table(["rule", *heads], _common([p.rules for p in both])),
            "## Tags",
            _table(["tag", *heads], _common([p.tags for p in both])),
            *(["## How well the dev split is ordered"] if scores else []),
            *([_table([*named, "BLEU cased"], scored, 3)] if scores else []),
            "![Four pictures of the same numbers](report.png)\n",
        ]
    )


def _table(head: list[str], lines: Iterable[Sequence[str]], names: int = 1) -> str:
    """Cells in Markdown, those of the first columns, which are names, to the left."""
    rule = ["---"] * names + ["---:"] * (len(head) - names)
    return "\n".join(f"| {' | '.join(line)} |" for line in [head, rule, *lines])


def _common(counts: Sequence[Counter[str]]) -> list[list[str]]:
    names = {name for c in counts for name, _ in c.most_common(SHOWN)}
    shares = {name: [c[name] / c.total() for c in counts] for name in names}
    ordered = sorted(names, key=lambda name: (-max(shares[name]), name))
    return [[f"`{name}`", *(f"{share:.2%}" for share in shares[name])] for name in ordered]


PANELS = (
    ("Vocabulary", "words read", "word types", ""),
    ("Sentence length", "words in the sentence", "% of sentences", ""),
    ("Phrase structure rules", "rank of the rule", "% of all rules", "xy"),
    ("Arc length", "words from dependent to head", "% of arcs", "y"),
)
"""Title and axes of each panel, and which of the axes are logarithmic."""


def _curves(p: Profile) -> list[tuple[Sequence[float], Sequence[float | None]]]:
    ranks = [100 * n / p.rules.total() for _, n in p.rules.most_common()]
    lengths, arcs = range(1, 61), range(1, 31)
    return [
        (range(0, len(p.growth), 250), p.growth[::250]),
        (lengths, [100 * between(p.lengths, n, n) for n in lengths]),
        (range(1, len(ranks) + 1), ranks),
        (arcs, [100 * between(p.arcs, n, n) or None for n in arcs]),
    ]


def draw(ours: Profile, penn: Profile, path: Path) -> None:
    """Four panels into a PNG file: types, lengths, rules and arcs."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9.2, 6.6), layout="constrained")
    curves = zip(_curves(ours), _curves(penn))
    for axes, (title, x, y, log), both in zip(figure.subplots(2, 2).flat, PANELS, curves):
        for p, points, colour, style in zip((ours, penn), both, COLOURS, ("-", "--")):
            axes.plot(*points, style, color=colour, lw=1.6, label=p.name)
        axes.set(xlabel=x, ylabel=y, title=title)
        for name, axis, form in (("x", axes.xaxis, "{x:,.0f}"), ("y", axes.yaxis, "{x:g}")):
            if name in log:
                axes.set(**{f"{name}scale": "log"})
                axis.set_major_formatter(form)
        plain(axes)
        axes.legend(frameon=False, fontsize=8)
    # Without the version inside, the same corpora give the same bytes.
    figure.savefig(path, format="png", dpi=110, metadata={"Software": None})


class Profile(NamedTuple):
    """What is counted in one corpus. ``growth[i]`` is how many types ``i`` words hold."""

    name: str
    lengths: Counter[int]
    growth: list[int]
    tags: Counter[str]
    rules: Counter[str]
    arcs: Counter[int]
    base_nps: int

    @property
    def words(self) -> int:
        """How many words there are."""
        return self.tags.total()


def profile(name: str, files: Iterable[AnyPath]) -> Profile:
    """Count in the trees of these files. Raises ``CorpusError`` as reading them does."""
    whole = (tree for path in files for tree in read_tree_file(path))
    made = Profile(name, Counter(), [0], Counter(), Counter(), Counter(), 0)
    types: set[str] = set()
    base_nps = 0
    for tree in filter(None, map(without_traces, whole)):
        for word, tag in tree.pos():
            types.add(word.lower())
            made.growth.append(len(types))
            made.tags[tag] += 1
        made.lengths[len(tree.leaves())] += 1
        made.rules.update(_rules(tree))
        made.arcs.update(abs(t.head - i) for i, t in enumerate(tokens_of(tree)) if t.head >= 0)
        base_nps += _base_nps(tree)
    return made._replace(base_nps=base_nps)


def _rules(tree: Tree) -> Iterator[str]:
    for node in tree.subtrees(lambda node: not is_tagged_word(node)):
        children = " ".join(bare_label(child.label()) for child in node)
        yield f"{bare_label(node.label())} -> {children}"


def _base_nps(tree: Tree) -> int:
    phrases = [n for n in tree.subtrees() if bare_label(n.label()) == "NP"]
    return sum(
        not any(bare_label(b.label()) == "NP" for b in n.subtrees() if b is not n) for n in phrases
    )


def mean(counts: Counter[int]) -> float:
    """The mean of what is counted."""
    return fmean(counts.elements())


def quantile(counts: Counter[int], share: float) -> int:
    """The least value that this share of what is counted does not exceed."""
    return sorted(counts.elements())[ceil(share * counts.total()) - 1]


def between(counts: Counter[int], low: int, high: int) -> float:
    """The share of what is counted that lies here."""
    return sum(n for value, n in counts.items() if low <= value <= high) / counts.total()


def rules_within(p: Profile, words: int) -> float:
    """Expected kinds of rules in a random part of the corpus of this many words. For every rule,
    the chance that it is in the part: corpora of two sizes can be compared so."""
    kept = words / p.words
    return sum(1 - (1 - kept) ** count for count in p.rules.values())
