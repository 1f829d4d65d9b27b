"""A record of realisation as text and picture: scores, what each cause costs, BLEU by length."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from wordorder_lab.experiments.measures.style import COLOURS, aligned

Row = Mapping[str, Any]
HEAD = (
    *("", "BLEU", "cased", "by nltk", "NIST", "DIST", "exact"),
    *("order", "inflection", "cased", "brevity"),
)
NAMED = ("inflection", "labels", "beam", "decode_beam", "learned_trees")
"""Settings that tell runs of one system apart."""
LEGEND = (
    "BLEU lower-cased on tokens as they are, then cased, then as nltk counts it (the tasks'",
    "organisers); DIST: 100 less edits of signs per sign; exact: sentences that",
    "are the reference but for capitals; order: those whose lemmas are in its order; inflection:",
    "words that have their form, then with capitals; ms: milliseconds a tree, median; forms:",
    "candidates a lemma, right: the words whose form is among them; trees: learned from",
)


def short_name(row: Row) -> str:
    """What tells a run from others: its system, and the settings that differ among them."""
    parts = [str(row["system"])]
    for name in NAMED:
        value = row.get(name)
        if isinstance(value, bool):
            parts.append(name if value else f"no {name}")
        elif isinstance(value, int):
            parts.append(f"{name.removeprefix('decode_').replace('_', ' ')} {value:,}")
        elif value:
            parts.append(str(value))
    return ", ".join(parts)


def realization_lines(record: Row) -> list[str]:
    """A table for each corpus and split, then causes and lengths of every row."""
    lines = [f"the paper: {record['paper'].get('data', 'its data are not said')}"]
    places = dict.fromkeys((row["corpus"], row["split"]) for row in record["rows"])
    for corpus, split in places:
        rows = [row for row in record["rows"] if (row["corpus"], row["split"]) == (corpus, split)]
        lines += ["", f"{corpus_name(corpus)} {split}: {rows[0]['sentences']:,} sentences"]
        table = [[*HEAD, "ms", "forms", "right", "trees"], *map(_cells, rows)]
        lines += aligned(table)
    return [*lines, *LEGEND, *_printed(record), *_causes(record), *_lengths(record)]


def corpus_name(corpus: str) -> str:
    """A corpus without the folders that it lies in."""
    return Path(corpus).name


def _cells(row: Row) -> list[str]:
    cells = [short_name(row)]
    cells += [f"{row[name]:.2f}" for name in ("bleu_lc", "bleu_cased", "bleu_organisers")]
    cells += [f"{row['nist']:.2f}", f"{row['distance']:.2f}", _share(row["exact"])]
    shares = ("order_exact", "inflected", "inflected_cased")
    cells += [_share(row.get(name)) for name in shares]
    cells += [f"{row['brevity']:.3f}", _number(row.get("ms_median")), _number(row.get("forms"))]
    return [*cells, _share(row.get("among")), f"{row['trees']:,}"]


def _printed(record: Row) -> list[str]:
    """What the paper and the shared tasks have, on whatever data."""
    values = record["paper"].get("values", [])
    if not values:
        return []
    table = [["printed", "data", "BLEU"]]
    for value in values:
        bleu = value.get("bleu_lc", value.get("bleu"))
        table.append([str(value["system"]), str(value.get("data", "-")), f"{bleu:.1f}"])
    return ["", *aligned(table)]


def _causes(record: Row) -> list[str]:
    """How often each cause is there, and what BLEU would be without it."""
    names = list(dict.fromkeys(one["name"] for one in record["causes"]))
    if not names:
        return []
    table = [["places, and BLEU gained without them", *names]]
    for place, row in enumerate(record["rows"]):
        found = {one["name"]: one for one in record["causes"] if one["row"] == place}
        if found:
            before = row["bleu_lc_known"]
            cells = [
                f"{found[name]['places']:,} {found[name]['bleu_lc'] - before:+.1f}"
                for name in names
            ]
            table.append([_full_name(row), *cells])
    return ["", *aligned(table)]


def _lengths(record: Row) -> list[str]:
    names = list(dict.fromkeys(_length_name(one) for one in record["lengths"]))
    table = [["BLEU by length", *names]]
    for place, row in enumerate(record["rows"]):
        found = {
            _length_name(one): one["bleu_lc"] for one in record["lengths"] if one["row"] == place
        }
        cells = [f"{found[name]:.1f}" if name in found else "-" for name in names]
        table.append([_full_name(row), *cells])
    return ["", *aligned(table)]


def _full_name(row: Row) -> str:
    return f"{corpus_name(row['corpus'])} {row['split']}, {short_name(row)}"


def _length_name(one: Row) -> str:
    return f"{one['low']}-{one['high']}" if one["high"] else f"over {one['low'] - 1}"


def _share(share: float | None) -> str:
    return "-" if share is None else f"{share:.1%}"


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.3g}"


def causes_drawn(figure: Any, record: Row, how: Row) -> None:
    """A panel for each corpus: what BLEU each run would gain without each cause."""
    rows = [(i, row) for i, row in enumerate(record["rows"]) if _wanted(row, record, i, how)]
    corpora = list(dict.fromkeys(row["corpus"] for _, row in rows))
    names = list(dict.fromkeys(one["name"] for one in record["causes"]))
    figure.set_size_inches(max(6.4, 4.6 * len(corpora)), 4.2)
    panels = figure.subplots(1, len(corpora), squeeze=False, sharey=True)[0]
    for axes, corpus in zip(panels, corpora):
        mine = [(i, row) for i, row in rows if row["corpus"] == corpus]
        width = 0.8 / len(mine)
        for number, (place, row) in enumerate(mine):
            found = {one["name"]: one for one in record["causes"] if one["row"] == place}
            heights = [found[name]["bleu_lc"] - row["bleu_lc_known"] for name in names]
            at = [i + number * width for i in range(len(names))]
            axes.bar(
                at, heights, width, color=COLOURS[number % len(COLOURS)], label=short_name(row)
            )
        axes.set_xticks([i + 0.4 - width / 2 for i in range(len(names))], names, fontsize=8)
        axes.tick_params(axis="x", rotation=30)
        axes.set_title(f"{corpus_name(corpus)} {mine[0][1]['split']}", fontsize=9)
        axes.spines[["top", "right"]].set_visible(False)
        axes.grid(axis="y", alpha=0.25)
    panels[0].set_ylabel("BLEU gained without this cause")
    panels[-1].legend(framealpha=0.85, edgecolor="none", fontsize=7)


def _wanted(row: Row, record: Row, place: int, how: Row) -> bool:
    """Whether a row is drawn: of the systems that ``[plot]`` names, or of all with causes."""
    named = row["system"] in how.get("systems", [row["system"]])
    return named and any(one["row"] == place for one in record["causes"])


def lengths_drawn(figure: Any, record: Row, how: Row) -> None:
    """A panel for each corpus: BLEU by the length of the reference, a line for each run."""
    corpora = list(dict.fromkeys(row["corpus"] for row in record["rows"]))
    figure.set_size_inches(max(6.4, 4.6 * len(corpora)), 4.2)
    panels = figure.subplots(1, len(corpora), squeeze=False, sharey=True)[0]
    for axes, corpus in zip(panels, corpora):
        mine = [(i, row) for i, row in enumerate(record["rows"]) if row["corpus"] == corpus]
        names = list(dict.fromkeys(_length_name(one) for one in record["lengths"]))
        for number, (place, row) in enumerate(mine):
            bins = [one for one in record["lengths"] if one["row"] == place]
            at = [names.index(_length_name(one)) for one in bins]
            colour = COLOURS[number % len(COLOURS)]
            scores = [one["bleu_lc"] for one in bins]
            axes.plot(at, scores, "o-", color=colour, label=short_name(row))
        axes.set_xticks(range(len(names)), names, fontsize=8)
        axes.set_xlabel("words of the sentence")
        axes.set_title(f"{corpus_name(corpus)} {mine[0][1]['split']}", fontsize=9)
        axes.spines[["top", "right"]].set_visible(False)
        axes.grid(alpha=0.25)
    panels[0].set_ylabel("BLEU, lower-cased")
    panels[0].legend(framealpha=0.85, edgecolor="none", fontsize=7)
