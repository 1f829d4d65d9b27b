"""The tables and pictures of notebook 40, so that its cells are about compression alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd
    from nltk.tree import Tree

ORANGE, BLUE, GREEN, GREY = "#E69F00", "#0072B2", "#009E73", "#999999"


def table(rows: Iterable[Mapping[str, Any]]) -> Any:
    """Rows as a table with everything to the left."""
    import pandas as pd

    return to_the_left(pd.DataFrame([*rows])).hide(axis="index").format(escape="html")


def to_the_left(frame: pd.DataFrame) -> Any:
    """A table with everything to the left."""
    small = [{"selector": "th, td", "props": "text-align: left; font-size: small"}]
    return frame.style.set_table_styles(small)


def text_of(tree: Tree) -> str:
    """The words of a tree."""
    return " ".join(tree.leaves())


def constituent(nodes: Any, node: int) -> str:
    """A node with its words."""
    return f"{nodes.labels[node]}: {' '.join(nodes.leaves[nodes.begins[node] : nodes.ends[node]])}"


def draw_alignment(x: Any, y: Any, words: Iterable[tuple[int, int]], pairs: Iterable[Any]) -> None:
    """The words as a matrix, a dark square for each aligned pair, a frame for two constituents."""
    import matplotlib.pyplot as plt
    from matplotlib.patches import Rectangle

    axes = plt.subplots(figsize=(4.2, 5), layout="constrained")[1]
    for s, t in words:
        axes.add_patch(Rectangle((t, s), 1, 1, color=GREY))
    for number, (v, t) in enumerate(pairs):
        inset = 0.03 + 0.035 * (number % 9)  # so that frames of the same words can be told apart
        place = y.begins[t] + inset, x.begins[v] + inset
        width, height = y.length(t) - 2 * inset, x.length(v) - 2 * inset
        axes.add_patch(Rectangle(place, width, height, fill=False, edgecolor=BLUE, linewidth=1))
    axes.set_xticks([i + 0.5 for i in range(len(y.leaves))], y.leaves)
    axes.set_yticks([i + 0.5 for i in range(len(x.leaves))], x.leaves)
    axes.set(xlim=(0, len(y.leaves)), ylim=(len(x.leaves), 0))
    axes.xaxis.tick_top()
    plt.show()


def draw_rates(lines: Mapping[str, Sequence[Any]], gold_rate: float) -> None:
    """Relation and unigram F1 by rate: the model, random deletion and keep all."""
    import matplotlib.pyplot as plt

    looks = zip(("o-", "s--", "D"), (BLUE, GREY, ORANGE), strict=True)
    both = plt.subplots(1, 2, figsize=(8.5, 3), layout="constrained", sharey=True)[1]
    for (label, scores), (style, colour) in zip(lines.items(), looks, strict=True):
        for axes, name in zip(both, ("relation_f1", "unigram_f1"), strict=True):
            heights = [getattr(one, name) for one in scores]
            axes.plot([one.rate for one in scores], heights, style, color=colour, label=label)
    for axes, title in zip(both, ("relation F1", "unigram F1"), strict=True):
        axes.axvline(gold_rate, color=GREEN, linewidth=1, linestyle=":")
        axes.set(xlabel="rate (dotted: the references')", title=title)
        axes.spines[["top", "right"]].set_visible(False)
    both[1].legend(frameon=False, loc="lower right")
    plt.show()


def draw_beams(beams: Sequence[int], measured: Mapping[tuple[str, str], Sequence[Any]]) -> None:
    """For each beam the combinations a sentence, and the share of best derivations lost."""
    import matplotlib.pyplot as plt

    looks = zip(("o-", "s--", "^:"), (BLUE, ORANGE, GREY), strict=True)
    work, lost = plt.subplots(1, 2, figsize=(8.5, 3), layout="constrained")[1]
    for ((name, kind), points), (style, colour) in zip(measured.items(), looks, strict=True):
        work.plot(beams, [made for made, _ in points], style, color=colour)
        shares = [100 * share for _, share in points]
        lost.plot(beams, shares, style, color=colour, label=f"{kind}, {name}")
    work.set(xscale="log", yscale="log", xlabel="beam", ylabel="combinations a sentence")
    lost.set(xscale="log", xlabel="beam", ylabel="best derivation lost (%)")
    lost.legend(frameon=False)
    work.set_yticks((30, 100, 300, 1000), ("30", "100", "300", "1000"))
    for axes in (work, lost):
        axes.spines[["top", "right"]].set_visible(False)
        axes.set_xticks(beams, [str(beam) for beam in beams])
        axes.minorticks_off()
    plt.show()
