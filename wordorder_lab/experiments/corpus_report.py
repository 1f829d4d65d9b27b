"""The Gazette beside the Penn sample: how newspaper-like an invented newspaper is, in numbers.

What is counted, ``corpus_report`` says. Nobody's sentence is in the report, only numbers.

Counted are words as they stand, trees without traces. A rule is a phrase with its children's
labels, function tags taken off: ``NP -> DT NN``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from wordorder_lab.corpora.penn_corpora import sample_files
from wordorder_lab.corpora.readers.files import AnyPath
from wordorder_lab.corpora.readers.penn import (
    is_tagged_word,
    read_tree_file,
    tokens_of,
    without_traces,
)
from wordorder_lab.experiments.measures.figures import COLOURS, plain
from wordorder_lab.experiments.measures.tables import Rows
from wordorder_lab.runtime.atomic import replacing
from wordorder_lab.structures.head_rules import bare_label

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from nltk.tree import Tree


SPLITS = ("train", "dev", "test")
STEPS = (1_000, 2_000, 5_000, 10_000, 20_000, 30_000, 50_000, 90_000)
"""Numbers of words at which types are counted."""
LENGTHS = ((1, 4), (5, 9), (10, 14), (15, 19), (20, 24), (25, 30), (31, 40), (41, 1000))
COMMON = (1, 10, 50, 200)
"""The share of all rules that the commonest one, ten, ... make up."""
SHOWN = 15
"""Rules and tags that are named."""


def write_report(gazette: Path, out: Path, scores: Rows = ()) -> list[Path]:
    """Write ``report.md`` and ``report.png`` into ``out``; returns where they are.

    ``gazette`` is the folder of the Gazette's files. ``scores`` are rows of systems on a dev split,
    as ``bigram_baseline.beside`` makes them. Raises ``CorpusError`` where the Penn
    sample is missing or a file is broken.
    """
    ours = profile("Gazette", [gazette / f"{split}.mrg" for split in SPLITS])
    penn = profile("Penn sample", [f for split in SPLITS for f in sample_files(split)])
    with replacing(out / "report.md") as part:
        part.write_bytes(text(ours, penn, scores).encode("utf-8"))
    with replacing(out / "report.png") as part:
        draw(ours, penn, part)
    return [out / "report.md", out / "report.png"]


def rows(p: Profile, words: int) -> dict[str, str]:
    """The numbers of one corpus by their names; ``words`` is the size at which it is compared."""
    return {
        "sentences": f"{p.lengths.total():,}",
        "words": f"{p.words:,}",
        "word types (capitals apart)": f"{p.growth[-1]:,}",
        f"word types in the first {words:,} words": f"{p.growth[words]:,}",
        "words a sentence, mean": f"{mean(p.lengths):.1f}",
        "words a sentence, quartiles": _quartiles(p.lengths),
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
        **{f"share of the {_commonest(n)}": _share(p, n) for n in COMMON},
    }


def _quartiles(counts: Counter[int]) -> str:
    return ", ".join(str(quantile(counts, share)) for share in (0.25, 0.5, 0.75))


def _commonest(n: int) -> str:
    return "commonest rule" if n == 1 else f"{n} commonest rules"


def _share(p: Profile, n: int) -> str:
    return f"{sum(count for _, count in p.rules.most_common(n)) / p.rules.total():.1%}"


# --- in words ---------------------------------------------------------------------------------

OPENING = """# The Gazette beside the Penn sample

Made by `wordorder-lab corpora gazette --report`. All three splits of the Gazette; the Penn sample
is NLTK's 3,914 sentences, without traces. Rules are without function tags, words lower-cased."""


def text(ours: Profile, penn: Profile, scores: Rows = ()) -> str:
    """The report in Markdown."""
    size = min(ours.words, penn.words) // 1000 * 1000
    left, right = rows(ours, size), rows(penn, size)
    both = [ours, penn]
    steps = [n for n in STEPS if n <= max(ours.words, penn.words)]
    return "\n\n".join(
        [
            OPENING,
            _table("", both, [(name, left[name], right[name]) for name in left]),
            "## Sentence length",
            _table("words", both, [(_bin(*b), *_shares(both, "lengths", b)) for b in LENGTHS]),
            "## Word types as the corpus grows",
            _table("words", both, [(f"{n:,}", *(_types(p, n) for p in both)) for n in steps]),
            "## The commonest rules",
            _table("rule", both, _common(both, "rules")),
            "## Tags",
            _table("tag", both, _common(both, "tags")),
            *(["## How well the dev split is ordered", _scores(scores)] if scores else []),
            "![Four pictures of the same numbers](report.png)\n",
        ]
    )


def _table(corner: str, both: Sequence[Profile], lines: Iterable[Sequence[str]]) -> str:
    head = [corner, *(p.name for p in both)]
    return "\n".join(f"| {' | '.join(line)} |" for line in [head, ["---", "---:", "---:"], *lines])


def _bin(low: int, high: int) -> str:
    return f"{low} and more" if high >= 1000 else f"{low} to {high}"


def _shares(both: Sequence[Profile], field: str, ends: tuple[int, int]) -> list[str]:
    return [f"{between(getattr(p, field), *ends):.1%}" for p in both]


def _types(p: Profile, words: int) -> str:
    return f"{p.growth[words]:,}" if words < len(p.growth) else "-"


def _common(both: Sequence[Profile], field: str) -> list[list[str]]:
    """What is among the commonest of either corpus, with its share in both."""
    counts = [getattr(p, field) for p in both]
    names = {name for c in counts for name, _ in c.most_common(SHOWN)}
    shares = {name: [c[name] / c.total() for c in counts] for name in names}
    ordered = sorted(names, key=lambda name: (-max(shares[name]), name))
    return [[f"`{name}`", *(f"{share:.2%}" for share in shares[name])] for name in ordered]


def _scores(scores: Rows) -> str:
    lines = [["corpus", "units", "system", "BLEU cased"], ["---", "---", "---", "---:"]]
    lines += [
        [*(str(row[name]) for name in ("corpus", "units", "system")), f"{row['bleu_cased']:.1f}"]
        for row in scores
    ]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


# --- and as a picture -------------------------------------------------------------------------


def draw(ours: Profile, penn: Profile, path: Path) -> None:
    """Four panels into a PNG file: types, lengths, rules and arcs."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9.2, 6.6))
    figure.set_layout_engine("constrained")
    panels = figure.subplots(2, 2).flat
    drawn = (_growth, _lengths, _ranks, _arcs)
    for axes, panel in zip(panels, drawn, strict=True):
        for p, colour, style in zip((ours, penn), COLOURS, ("-", "--")):
            axes.plot(*panel(axes, p), style, color=colour, lw=1.6, label=p.name)
        plain(axes)
        axes.legend(frameon=False, fontsize=8)
    # Without the version inside, the same corpora give the same bytes.
    figure.savefig(path, format="png", dpi=110, metadata={"Software": None})


def _growth(axes: Axes, p: Profile) -> tuple[Sequence[float], Sequence[float | None]]:
    axes.set(xlabel="words read", ylabel="word types", title="Vocabulary")
    places = range(0, len(p.growth), 250)
    return places, [p.growth[i] for i in places]


def _lengths(axes: Axes, p: Profile) -> tuple[Sequence[float], Sequence[float | None]]:
    axes.set(xlabel="words in the sentence", ylabel="% of sentences", title="Sentence length")
    axes.set_xlim(0, 60)
    places = range(1, 61)
    return places, [100 * between(p.lengths, n, n) for n in places]


def _ranks(axes: Axes, p: Profile) -> tuple[Sequence[float], Sequence[float | None]]:
    axes.set(xlabel="rank of the rule", ylabel="% of all rules", title="Phrase structure rules")
    axes.set(xscale="log", yscale="log")
    axes.xaxis.set_major_formatter("{x:,.0f}")
    axes.yaxis.set_major_formatter("{x:g}")
    counts = [100 * n / p.rules.total() for _, n in p.rules.most_common()]
    return range(1, len(counts) + 1), counts


def _arcs(axes: Axes, p: Profile) -> tuple[Sequence[float], Sequence[float | None]]:
    axes.set(xlabel="words from dependent to head", ylabel="% of arcs", title="Arc length")
    axes.set(yscale="log")
    axes.yaxis.set_major_formatter("{x:g}")
    places = range(1, 31)
    return places, [100 * between(p.arcs, n, n) or None for n in places]


# --- What can be counted in a treebank: sentences, words, tags, rules, arcs -------------------


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


def _rules(tree: Tree) -> Iterable[str]:
    for node in tree.subtrees(lambda node: not is_tagged_word(node)):
        children = " ".join(bare_label(child.label()) for child in node)
        yield f"{bare_label(node.label())} -> {children}"


def _base_nps(tree: Tree) -> int:
    phrases = [n for n in tree.subtrees() if bare_label(n.label()) == "NP"]
    return sum(
        not any(bare_label(b.label()) == "NP" for b in n.subtrees() if b is not n) for n in phrases
    )


# --- what is said of both ---------------------------------------------------------------------


def mean(counts: Counter[int]) -> float:
    """The mean of what is counted."""
    return sum(value * count for value, count in counts.items()) / counts.total()


def quantile(counts: Counter[int], share: float) -> int:
    """The least value that this share of what is counted does not exceed."""
    below = 0
    for value in sorted(counts):
        below += counts[value]
        if below >= share * counts.total():
            return value
    raise ValueError("nothing is counted")


def between(counts: Counter[int], low: int, high: int) -> float:
    """The share of what is counted that lies here."""
    return sum(n for value, n in counts.items() if low <= value <= high) / counts.total()


def rules_within(p: Profile, words: int) -> float:
    """Expected kinds of rules in a random part of the corpus of this many words.

    For every rule, the chance that it is in the part: corpora of two sizes can be compared so.
    """
    kept = words / p.words
    return sum(1 - (1 - kept) ** count for count in p.rules.values())
