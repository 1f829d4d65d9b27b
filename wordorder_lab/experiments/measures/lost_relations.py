"""The measure "lost-relations": why a compressor has fewer of the references' relations.

Relation F1 (``metrics/relations``) says how many relations output and reference share. Here each
relation that only one of them has gets the reason: a word of it is not in the other (the dependent,
the head, or both), or both words are there and hang elsewhere. So two systems at one rate can be
compared: who deletes the wrong words, and whose words a parser no longer reads as the reference's?
Words of the reference are counted apart that the system has met in the pairs it learned from, and
that it has not: for a grammar, a new word has no rule of its own.

As in "compressors" (whose settings these are), relations of outputs are those of their words,
parsed anew, and every run is brought to the references' rate on the part that chooses. A reference
is the first of each pair's. A relation counts as often as it is there; a word that stands twice in
the one and once in the other counts as there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import ClassVar, NamedTuple

from wordorder_lab.experiments.measures import figures, measure
from wordorder_lab.experiments.measures.compression import bonus_for, learned
from wordorder_lab.experiments.measures.compression_report import GOLD, system_name
from wordorder_lab.experiments.measures.figures import COLOURS
from wordorder_lab.experiments.measures.tables import Record, Row, columns
from wordorder_lab.experiments.runs import compression_evaluate as evaluation
from wordorder_lab.experiments.runs import settings as runs
from wordorder_lab.experiments.runs.compression_pairs import pairs_of, parser_called
from wordorder_lab.experiments.runs.schema import SpecificationError
from wordorder_lab.metrics.compression import compression_rate
from wordorder_lab.metrics.relations import NO_HEAD, relations
from wordorder_lab.metrics.significance import SENTENCE_SCORES
from wordorder_lab.structures.compression import prepared, prepared_pair, presented
from wordorder_lab.structures.plain_tree import Tree
from wordorder_lab.systems.parsed_pairs import parse_of

DEPENDENT, HEAD, BOTH, ELSEWHERE = WHY = ("dependent", "head", "both", "elsewhere")
"""Of a relation of one sentence that another has not: which words of it are not there; or none."""


class Compared(NamedTuple):
    """The relations of an output and of its reference: how many they share, and why the reference's
    are ``lost`` and the output's own are ``extra``, by ``WHY``. ``kept`` are the words of the
    reference by whether they were met in learning: how many there are, how many the output has."""

    shared: int
    lost: Counter[str]
    extra: Counter[str]
    kept: dict[bool, tuple[int, int]]

    @property
    def gold(self) -> int:
        """The relations of the reference."""
        return self.shared + self.lost.total()

    @property
    def made(self) -> int:
        """The relations of the output."""
        return self.shared + self.extra.total()


def compared(output: Tree | None, reference: Tree, met: frozenset[str] = frozenset()) -> Compared:
    """An output beside its reference, both prepared; ``None`` for one that could not be parsed, and
    has no relations and no words. ``met`` are the words of what was learned from."""
    made = Counter[tuple[str, ...]]() if output is None else relations(output)
    wanted = relations(reference)
    words = Counter([] if output is None else output.leaves())
    whole = Counter(reference.leaves())
    kept = {}
    for known in (True, False):
        mine = Counter({word: n for word, n in whole.items() if (word in met) == known})
        kept[known] = mine.total(), (mine & words).total()
    lost, extra = _reasons(wanted - made, words), _reasons(made - wanted, whole)
    return Compared((made & wanted).total(), lost, extra, kept)


def _reasons(some: Counter[tuple[str, ...]], there: Counter[str]) -> Counter[str]:
    found: Counter[str] = Counter()
    for (head, dependent), number in some.items():
        no_head, no_dependent = head != NO_HEAD and not there[head], not there[dependent]
        why = BOTH if no_head and no_dependent else HEAD if no_head else DEPENDENT
        found[why if no_head or no_dependent else ELSEWHERE] += number
    return found


class _LostRelations(measure.Measure):
    """A row for each run, at the references' rate."""

    task: ClassVar[str] = "compress"
    shares_jobs: ClassVar[bool] = True

    def check_run(self, run: Record, _specification: measure.Specification) -> None:
        """Only what is trained can be brought to a rate."""
        runs.check_learning(run)
        if run["system"] in runs.UNTRAINED:
            raise SpecificationError(f"{self.name!r} is of systems that learn, not {run['system']}")

    def rows(self, setup: measure.Setup) -> list[Row]:
        run = setup.run
        pairs = setup.cut(pairs_of(run["corpus"]).split(run["split"]))
        parts, chosen = learned(setup)
        bonus = bonus_for(setup, GOLD, parts, chosen)
        sources = [pair.source for pair in pairs]
        done = evaluation.shorten(chosen.model, sources, **setup.search, bonus=bonus)
        trees = [one.tree for one in done]
        met = frozenset(word for pair in parts.learn for word in prepared(pair.source).leaves())
        golds = [prepared_pair(pair).targets[0] for pair in pairs]
        every = [compared(tree, gold, met) for tree, gold in zip(_parsed_anew(trees), golds)]
        rate = measure.rounded({"rate": compression_rate(trees, sources)})
        return [{**run, "at": GOLD, "bonus": bonus, **rate, **summed(every)}]


def _parsed_anew(trees: Sequence[Tree]) -> list[Tree | None]:
    texts = [presented(list(tree.leaves())) for tree in trees]
    parse = parse_of(parser_called(runs.DEFAULT), texts)
    found: list[Tree | None] = []
    for words in texts:
        try:
            found.append(prepared(parse(words)))
        except ValueError:
            found.append(None)
    return found


def summed(every: Sequence[Compared]) -> Row:
    """The row of a run: F1, and shares in percent. Of the references' relations, those lost for
    each reason; of the output's, the extra ones; of the references' words, those kept."""
    gold, made = sum(one.gold for one in every), sum(one.made for one in every)
    row: Row = {"sentences": len(every), "relations_gold": gold, "relations_made": made}
    f1 = [[2 * one.shared for one in every], [one.gold + one.made for one in every]]
    scores = {"relation_f1": [{"parts": f1}]}
    row["relation_f1"] = sum(f1[0]) / max(sum(f1[1]), 1)
    for name, whole in (("lost", "gold"), ("extra", "made")):
        for why in WHY:
            parts = [100 * getattr(one, name)[why] for one in every]
            of = [getattr(one, whole) for one in every]
            row[f"{name}_{why}"] = sum(parts) / max(sum(of), 1)
            scores[f"{name}_{why}"] = [{"parts": [parts, of]}]
    for known, name in ((True, "kept_met"), (False, "kept_new")):
        there, kept = zip(*(one.kept[known] for one in every))
        row[name] = 100 * sum(kept) / max(sum(there), 1)
        scores[name] = [{"parts": [[100 * n for n in kept], list(there)]}]
    return {**measure.rounded(row), SENTENCE_SCORES: scores}


def _bars(figure: figures.Figure, record: Record, _options: Record) -> None:
    """The references' relations, a bar for each run: found, and lost for each reason."""
    axes = figure.subplots()
    rows = record["rows"]
    left = [0.0] * len(rows)
    for why, colour in zip(WHY, COLOURS):
        widths = [row[f"lost_{why}"] for row in rows]
        axes.barh(range(len(rows)), widths, left=left, color=colour, label=TOLD[why])
        left = [begin + width for begin, width in zip(left, widths)]
    names = [system_name(row, rows).replace(", ", "\n") for row in rows]
    axes.set_yticks(range(len(rows)), names, fontsize=8)
    axes.invert_yaxis()
    axes.set(xlabel="% of the references' relations that the output has not")
    axes.legend(**figures.BARE_LEGEND, ncols=2, loc="lower center", bbox_to_anchor=(0.5, 1.0))
    figures.plain(axes, grid="x")


TOLD = {
    DEPENDENT: "dependent deleted",
    HEAD: "head deleted",
    BOTH: "both deleted",
    ELSEWHERE: "both kept, hang elsewhere",
}


MEASURES = (
    _LostRelations(
        "lost-relations",
        report=(
            *columns("", "system", "rule_folds", "variables", "max_iterations"),
            *columns(".1%", "rate", ("relation F1", "relation_f1")),
            *columns(".1f", *((f"lost: {TOLD[why]}", f"lost_{why}") for why in WHY)),
            *columns(".1f", *((f"extra: {why}", f"extra_{why}") for why in WHY)),
            *columns(".1f", ("met words kept", "kept_met"), ("new words kept", "kept_new")),
        ),
        pictures={"lost-relations": _bars},
    ),
)
