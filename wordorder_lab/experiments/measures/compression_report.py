"""Records of compressions as text and picture: each rate a table, the paper's numbers beside, the
grammars, and what deletion alone could not have done."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import zip_longest

from wordorder_lab.experiments.measures import figures, tables
from wordorder_lab.experiments.measures.figures import COLOURS, DARK, GREY, interval_bars, plain
from wordorder_lab.experiments.measures.tables import Column, Record, Row, Rows, columns
from wordorder_lab.experiments.runs.settings import DEV
from wordorder_lab.transduction.templates import ALL

Name = Callable[[Record], str]
OWN, GOLD, MCDONALD = "its own rate", "the references' rate", "McDonald's rate"
"""The column ``at``: which compression rate a system was brought to."""
STRINGS, TREES = "strings", "trees"
"""The column ``of``: relations of outputs that were parsed anew, or of the trees that came out."""
DELETION = "deletion"
"""The kind of pairs that deletion alone explains."""
CALLED = {
    "cohn-lapata-2009": "transducer",
    "mcdonald-2006": "McDonald",
    "clarke-lapata-2008-ilp": "ILP",
    "clarke-lapata-2008-lm": "LM and significance",
}
TELLING = tuple(
    """
    parser features depth order loss gold choice penalty formulation documents annotators
    learned_on rule_folds variables lm_text max_iterations
    """.split()
)
USUALLY = ("depth", "order")
"""What names a run of the transducer that nothing tells from the others."""
ORDERS: Mapping[object, str] = {1: "unigrams", 2: "bigrams", 3: "trigrams"}
FEATURES: Mapping[object, str] = {
    "rule,token,ngram": "all features",
    "rule,token": "without n-grams",
    "rule,ngram": "only rule features",
    "token,ngram": "only token features",
    "rule": "rules, no n-grams",
    "token": "tokens, no n-grams",
    "ngram": "only n-grams",
}
"""The first, third and fourth in the paper's words."""
MEASURED = ("rate", "relation_f1", "loss_sum", "rating", "rules", "deeper_share", "category_share")
C = Column("C", lambda row: row.get("C") or None, "g")
RATE, EXACT = columns(".1%", "rate", ("exact", "exact_match"))
RELATION_F1 = Column("relation F1", "relation_f1", ".1%±")
LOSS = Column("loss", "loss_sum", ",.4g")
OWN_RATE = (C, RATE, RELATION_F1, LOSS)
GOLD_RATE = (
    Column("bonus", "bonus", "+.3g"),
    Column("dev rate", "dev_rate", ".1%"),
    RATE,
    RELATION_F1,
    *columns(".1%", ("labelled", "relation_f1_labelled"), ("bigram F1", "bigram_f1")),
    EXACT,
    Column("p", "p_value", ".2g"),
)
AT_A_RATE = (
    C,
    RATE,
    RELATION_F1,
    *columns(".1%", "trees", ("4-gram", "fourgram_f1"), ("unigram", "unigram_f1")),
    EXACT,
    LOSS,
    Column("s", "training_seconds", ",.0f"),
    Column("ms", "ms_median", ".3g"),
)
GRAMMAR = (
    Column("rules", "rules", ","),
    Column("used once", "used_once_share", ".1%", optional=True),
    *columns(".1%", ("no SCFG rule", "deeper_share"), ("X ≠ Y", "category_share")),
    *columns(",", "pairs", ("without a derivation", "unreachable")),
)
GRID = (
    C,
    Column("loss", "loss", ".3f"),
    RATE,
    RELATION_F1,
    Column("iterations", "iterations"),
    Column("gap", "gap", ".1%"),
    Column("seconds", "training_seconds", ",.0f", optional=True),
)
SHOWN = 2
"""So many examples are printed, and so many rules of each; the record has them all."""
LEGEND = (
    "rate: words out by words in; relation F1 and exact match (all words right) in percent, ± half",
    "the 95 % interval; labelled: relations with their labels; loss: what is trained with, all",
    "sentences together; p: Wilcoxon's test against the first row, two-sided, sentence by sentence",
)
LEGEND_OF_STRINGS = (
    "rate: words out by words in; F1: of relations in outputs that were parsed anew, in percent, ±",
    "half the 95 % interval; trees: the same in the trees as they came out; 4-gram, unigram: F1 of",
    "these; loss: token Hamming, all sentences together; s: seconds of training; ms: a sentence,",
    "the median",
)


def _settings(row: Record, rows: Rows) -> list[str]:
    """What tells a row's run from the others of its system. A value that half of them have or more
    goes without saying, unless the other half has one, too."""
    alike = [one for one in rows if one["system"] == row["system"]]
    every = {name: [repr(one.get(name)) for one in alike] for name in TELLING if name in row}
    rare = [n for n, values in every.items() if 2 * values.count(repr(row[n])) <= len(values)]
    return [_in_words(name, row[name]) for name in rare]


def _in_words(name: str, value: object) -> str:
    if name == "order":
        return ORDERS.get(value, f"{value}-grams")
    return FEATURES.get(value) or tables.in_words(name, value)


def system_name(row: Record, rows: Rows) -> str:
    """What a run is called beside those of other systems: ``"transducer, annotators 3"``."""
    system = CALLED.get(row["system"], str(row["system"]).replace("-", " "))
    return ", ".join([system, *_settings(row, rows)])


def row_name(row: Record, rows: Rows) -> str:
    """What a run of the transducer is called: ``"depth 1, trigrams"``; floors by their name."""
    usual = [_in_words(name, row[name]) for name in USUALLY if name in row]
    return ", ".join(_settings(row, rows) or usual) or str(row["system"]).replace("-", " ")


def _table(record: Record, rows: Rows, name: Name, shown: Sequence[Column]) -> list[str]:
    named = [{**row, "name": name(row)} for row in rows]
    return tables.beside_paper(record, [Column("", "name"), *shown], named, MEASURED)


# --- the measure "compression" --------------------------------------------------------------------


def rows_at(record: Record, at: str, dev: bool) -> list[Record]:
    """The rows at a rate (``OWN`` or ``GOLD``): those of dev, or those of the split reported."""
    return [row for row in record["rows"] if row["at"] == at and (row["split"] == DEV) == dev]


def compression_lines(record: Record) -> list[str]:
    """The tables, one after the other."""
    own, gold = (rows_at(record, at, dev=True) for at in (OWN, GOLD))
    own += [row for row in gold if "depth" not in row]
    test = rows_at(record, GOLD, dev=False)
    floors = [row for row in rows_at(record, OWN, dev=False) if "depth" not in row]
    name = partial(row_name, rows=own)
    by_depth = {row["depth"]: row for row in reversed(own) if "depth" in row}
    grammars = [by_depth[depth] for depth in sorted(by_depth)]
    return [
        *_about(record),
        "",
        "As trained, on dev",
        *_table(record, own, name, OWN_RATE),
        "",
        "At the rate of the references",
        *_gold_rate(record, [*test, *floors]),
        *LEGEND,
        *_grammar(record, grammars, lambda row: f"depth {row['depth']}"),
        *_grid(record, name),
        "",
        "Outputs that are right, word for word, by kind of pair",
        *_kinds(record, test),
        *_examples(record["examples"]),
    ]


def _gold_rate(record: Record, rows: Rows) -> list[str]:
    on_dev = [row["rate"] for row in rows_at(record, GOLD, dev=True)]
    p_values = {one["row"]: one["p_value"] for one in record["comparisons"]}
    shown = [
        {**row, "dev_rate": rate, "p_value": p_values.get(record["rows"].index(row))}
        for row, rate in zip_longest(rows, on_dev)
    ]
    return _table(record, shown, partial(row_name, rows=rows), GOLD_RATE)


def _kinds(record: Record, test: Rows) -> list[str]:
    rows = [row for row in test if "depth" in row]
    shown = [
        *(Column(kind, f"right_{kind}") for kind in rows[0]["exact_by_kind"]),
        Column("outputs beyond deletion", "beyond_deletion"),
    ]
    counted = [
        {**row, **{f"right_{k}": f"{n} of {m}" for k, (n, m) in row["exact_by_kind"].items()}}
        for row in rows
    ]
    return _table(record, counted, partial(row_name, rows=rows), shown)


def _examples(found: Rows) -> Iterator[str]:
    if not found:
        return
    firsts = {one["kind"]: one for one in reversed(found)}
    deep = len([one for one in found if one["deeper"]])
    count = f"Of the first row, {len(found)} that are no {DELETION} came out right"
    yield from ("", f"{count}, {deep} of them by a rule that no SCFG has; such as")
    for one in list(firsts.values())[:SHOWN]:
        yield from (f"  {one['kind']} ({one['name']})", f"    S  {one['source']}")
        yield from (f"    O  {one['output']}", *(f"       {r}" for r in one["rules"][:SHOWN]))


# --- the measure "compressors" --------------------------------------------------------------------


def compressor_lines(record: Record) -> list[str]:
    """The tables, one after the other."""
    strings, trees = ([r for r in record["rows"] if r["of"] == of] for of in (STRINGS, TREES))
    both = [{**row, "trees": tree["relation_f1"]} for row, tree in zip(strings, trees)]
    trained = [row for row in strings if "rules" in row]
    firsts = {(r["rules"], r.get("parser"), r.get("depth")): r for r in reversed(trained)}
    lines = [*_about(record)]
    for key, rows in tables.grouped(both, ["at"]):
        name = partial(system_name, rows=rows)
        lines += ["", f"At {key['at']}", *_table(record, rows, name, AT_A_RATE)]
    literature = record["paper"].get("literature", [])
    return [
        *lines,
        *LEGEND_OF_STRINGS,
        *_grammar(record, list(firsts.values())[::-1], partial(system_name, rows=trained)),
        *_grid(record, partial(system_name, rows=strings)),
        *(["", "In other papers (other parsers and relations)"] if literature else []),
        *(f"  {', '.join(f'{k} {value}' for k, value in one.items())}" for one in literature),
    ]


def _about(record: Record) -> Iterator[str]:
    parts = dict.fromkeys(
        f"{row['sentences']} sentences of {row['corpus']}, {row['split']} (their references keep "
        f"{row['gold_rate']:.1%})"
        for row in record["rows"]
    )
    yield f"scored on {' and on '.join(parts)}"
    learned = dict.fromkeys(f"{row['pairs']:,}" for row in record["rows"] if "pairs" in row)
    if learned:
        yield f"learned from {' or '.join(learned)} pairs"
    if most := max((row.get("left_out", 0) for row in record["rows"]), default=0):
        yield f"left out, since the usual parser refuses them: {most}"
    yield tables.papers_data(record)


def _grammar(record: Record, rows: Rows, name: Name) -> list[str]:
    return ["", "The grammar", *_table(record, rows, name, GRAMMAR)] if rows else []


def _grid(record: Record, name: Name) -> list[str]:
    points = record.get("grid", [])  # a run with one C has none
    named = [{**one, "name": name(record["rows"][one["row"]])} for one in points]
    title = "C is chosen by the mean loss of a sentence (relations of trees)"
    return ["", title, *tables.lines([Column("", "name"), *GRID], named)] if points else []


# --- relation F1 at the references' rate, beside the floors; what a score costs in words kept -----


def compressions(figure: figures.Figure, record: Record, _options: Record) -> None:
    """To the left a bar for each run at the references' rate, the first on top; to the right every
    run at its own rate (open) and at that of the references (filled)."""
    gold, own = (rows_at(record, at, dev=False) for at in (GOLD, OWN))
    bars = [*gold, *(row for row in own if "depth" not in row)]
    figure.set_size_inches(11.2, 1.8 + 0.34 * len(bars))
    left, right = figure.subplots(1, 2, width_ratios=(3, 2))
    _bars(left, bars)
    _rates(right, gold, own)
    plain(left, right, grid="x")
    figures.legend_below(figure, [right], 5)


def _bars(axes: figures.Axes, rows: Rows) -> None:
    places = [-i for i in range(len(rows))]
    heights = [100 * row["relation_f1"] for row in rows]
    axes.barh(places, heights, height=0.7, color=[_colour(row) for row in rows])
    ends = interval_bars(rows, "relation_f1", 100)
    axes.errorbar(heights, places, xerr=ends, fmt="none", ecolor=DARK, lw=1, capsize=2)
    for place, height, row in zip(places, heights, rows):
        text = f"{height:.1f}" if row["at"] == GOLD else f"{height:.1f} at {row['rate']:.0%}"
        axes.text(1, place, text, va="center", fontsize=8, color="white", weight="bold")
    axes.set_yticks(places, [row_name(row, rows) for row in rows], fontsize=8)
    axes.set_xlim(0, 100)
    axes.set_xlabel("relation F1 at the references' rate, %, with its 95 % interval")


def _rates(axes: figures.Axes, gold: Rows, own: Rows) -> None:
    """Points, so that one sees which score was bought by deleting less or more."""
    for row in (*own, *gold):
        trained, colour = "depth" in row, _colour(row)
        inside = "white" if trained and row["at"] == OWN else colour
        style: Row = {"mec": colour, "mfc": inside, "ls": "none", "label": _label(row)}
        axes.plot(100 * row["rate"], 100 * row["relation_f1"], "o" if trained else "s", **style)
    wanted, across = 100 * gold[0]["gold_rate"], axes.get_xaxis_transform()
    axes.axvline(wanted, color=DARK, lw=1, ls="--")
    axes.text(wanted, 0.99, " the references", transform=across, fontsize=8, va="top")
    axes.set(xlabel="words kept, %; open: as trained", ylabel="relation F1, %")


def _colour(row: Record) -> str:
    """A colour for each order of n-grams, and one for each way to leave features out."""
    if "depth" not in row:
        return GREY
    features = row.get("features", ALL)
    place = row["order"] - 1 if features == ALL else 2 + list(FEATURES).index(features)
    return COLOURS[place % len(COLOURS)]


def _label(row: Record) -> str:
    if "depth" not in row:
        return str(row["system"]).replace("-", " ")
    features = row.get("features", ALL)
    return _in_words("order", row["order"]) if features == ALL else FEATURES[features]


MARKS = {OWN: "o", GOLD: "s", MCDONALD: "^"}
MARKED = {OWN: "circle: own rate", GOLD: "square: the references'", MCDONALD: "▲: McDonald's"}


def rates_and_scores(figure: figures.Figure, record: Record, _options: Record) -> None:
    """A point for each row of strings, a colour for each run; the references' rate as a line."""
    rows = [row for row in record["rows"] if row["of"] == STRINGS]
    figure.set_size_inches(8.4, 5.2)
    axes = figure.subplots()
    names = list(dict.fromkeys(system_name(row, rows) for row in rows if "pairs" in row))
    for row in rows:
        name = system_name(row, rows)
        colour = COLOURS[names.index(name) % len(COLOURS)] if name in names else GREY
        ends = interval_bars([row], "relation_f1", 100)
        style: Row = {"fmt": MARKS[row["at"]], "color": colour, "label": name, "yerr": ends}
        if name in names[len(COLOURS) :]:  # its colour is another's, too
            style["mfc"] = "none"
        axes.errorbar(100 * row["rate"], 100 * row["relation_f1"], capsize=2, lw=1, **style)
    for rate in dict.fromkeys(100 * row["gold_rate"] for row in rows):
        axes.axvline(rate, color=DARK, lw=1, ls="--")
    marks = ", ".join(MARKED[at] for at in dict.fromkeys(row["at"] for row in rows))
    axes.set_xlabel(f"words kept, %; line: the references; {marks}")
    axes.set_ylabel("relation F1 of reparsed outputs, %, with its 95 % interval")
    plain(axes)
    figures.legend_below(figure, [axes], 3)
