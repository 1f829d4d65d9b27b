"""A record of realisation as text and picture: scores, what each cause costs, BLEU by length."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from wordorder_lab.experiments.measures.style import COLOURS, aligned

Row = Mapping[str, Any]
HEAD = (
    *("", "BLEU", "cased", "by nltk", "NIST", "DIST", "exact"),
    *("order", "inflection", "cased", "brevity"),
)
NAMED = ("inflection", "labels", "templates", "beam", "decode_beam", "learned_trees")
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
    if "english" in row:
        parts.append("lists and rules" if row["english"] else "counts alone")
    for name in NAMED:
        value = row.get(name)
        if isinstance(value, bool):
            parts.append(name if value else f"no {name}")
        elif isinstance(value, int):
            parts.append(f"{name.removeprefix('decode_').replace('_', ' ')} {value:,}")
        elif value:
            parts.append(str(value).removeprefix("zhang_clark_2015_"))
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
        scores = [f"{score:.1f}" for name, score in value.items() if name.startswith("bleu")]
        table.append([str(value["system"]), str(value.get("data", "-")), ", ".join(scores)])
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
    names = list(dict.fromkeys(one["name"] for one in record["causes"]))
    rows = [(place, row) for place, row in _drawn(record, how) if _of_row(record["causes"], place)]
    for axes, mine, colours in _panels(figure, rows, "BLEU gained without this cause"):
        width = 0.8 / len(mine)
        for number, (place, row) in enumerate(mine):
            found = {one["name"]: one["bleu_lc"] for one in _of_row(record["causes"], place)}
            heights = [found[name] - row["bleu_lc_known"] for name in names]
            at = [i + number * width for i in range(len(names))]
            name = short_name(row)
            axes.bar(at, heights, width, color=colours[name], label=name)
        axes.set_xticks([i + 0.4 - width / 2 for i in range(len(names))], names, fontsize=8)
        axes.tick_params(axis="x", rotation=30)


def lengths_drawn(figure: Any, record: Row, how: Row) -> None:
    """A panel for each corpus: BLEU by the length of the reference, a line for each run."""
    names = list(dict.fromkeys(_length_name(one) for one in record["lengths"]))
    for axes, mine, colours in _panels(figure, _drawn(record, how), "BLEU, lower-cased"):
        for place, row in mine:
            bins = _of_row(record["lengths"], place)
            at = [names.index(_length_name(one)) for one in bins]
            name = short_name(row)
            scores = [one["bleu_lc"] for one in bins]
            axes.plot(at, scores, "o-", color=colours[name], label=name)
        axes.set_xticks(range(len(names)), names, fontsize=8)
        axes.set_xlabel("words of the sentence")


def _drawn(record: Row, how: Row) -> list[tuple[int, Row]]:
    """The rows that are drawn, with their places: of the systems that ``[plot]`` names, or all."""
    rows = list(enumerate(record["rows"]))
    named = how.get("systems")
    return [(place, row) for place, row in rows if named is None or row["system"] in named]


def _of_row(every: Sequence[Row], place: int) -> list[Row]:
    return [one for one in every if one["row"] == place]


def _panels(
    figure: Any, rows: Sequence[tuple[int, Row]], axis: str
) -> Iterator[tuple[Any, list[tuple[int, Row]], dict[str, str]]]:
    """A panel for each corpus and split, its rows, and a colour for each kind of run.

    The legend, below all panels, is made when the last one is drawn.
    """
    colours: dict[str, str] = {}
    for _, row in rows:
        colours.setdefault(short_name(row), COLOURS[len(colours) % len(COLOURS)])
    places = list(dict.fromkeys((row["corpus"], row["split"]) for _, row in rows))
    figure.set_size_inches(max(6.4, 4.6 * len(places)), 4.6)
    panels = figure.subplots(1, len(places), squeeze=False, sharey=True)[0]
    handles: dict[str, Any] = {}
    for axes, (corpus, split) in zip(panels, places):
        mine = [(i, row) for i, row in rows if (row["corpus"], row["split"]) == (corpus, split)]
        yield axes, mine, colours
        axes.set_title(f"{corpus_name(corpus)} {split}", fontsize=9)
        axes.spines[["top", "right"]].set_visible(False)
        axes.grid(axis="y", alpha=0.25)
        drawn, names = axes.get_legend_handles_labels()
        handles |= dict(zip(names, drawn))
    panels[0].set_ylabel(axis)
    below = {"loc": "outside lower center", "ncols": 2, "fontsize": 7}
    figure.legend(list(handles.values()), list(handles), **below)
