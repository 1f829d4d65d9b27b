"""What notebook 42 looks at: pairs of real text, how people shorten, what systems make of them.

Corpora belong to others, so they are on some machines and not on others: where there are no real
pairs, the Gazette stands in. The exercises of the notebook are in ``nb_42``.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, combinations, islice, pairwise
from operator import eq, itemgetter, ne
from typing import TYPE_CHECKING, Any, NamedTuple

from nltk.tree import Tree

from wordorder_lab.check import beforehand
from wordorder_lab.check.nb_42 import kappa
from wordorder_lab.corpora.compressions import Compressions
from wordorder_lab.corpora.readers.corpus import CorpusError
from wordorder_lab.corpora.readers.penn import without_traces
from wordorder_lab.corpora.texts import load_texts
from wordorder_lab.corpora.treebanks import load_treebank
from wordorder_lab.deletion.constraints import NAMES
from wordorder_lab.experiments.measures.compression_report import OWN, STRINGS, system_name
from wordorder_lab.experiments.measures.lost_relations import TOLD
from wordorder_lab.experiments.measures.tables import by_name, printed
from wordorder_lab.experiments.records import read_record, record_file
from wordorder_lab.experiments.runs.compression_evaluate import match_rate as match_rate
from wordorder_lab.experiments.specification import load_specification
from wordorder_lab.metrics.compression import CompressionScores, score_compressions
from wordorder_lab.metrics.compression_floors import first_clause, keep_all, random_deletion
from wordorder_lab.metrics.evalb import bracket_scores
from wordorder_lab.plots.lines import lines
from wordorder_lab.plots.small_trees import aligned_words
from wordorder_lab.plots.step_by_step import StepByStep, step_by_step
from wordorder_lab.structures.compression import CompressionPair, TextPair, prepared, prepared_pair
from wordorder_lab.systems import train
from wordorder_lab.systems.clarke_lapata_2008 import ProgrammeModel
from wordorder_lab.systems.mcdonald_2006 import DeletionModel, DeletionProblem, sentence_of
from wordorder_lab.systems.parsed_pairs import every_sentence, parsed, with_trees
from wordorder_lab.systems.parser import TreebankParser, default_parser
from wordorder_lab.trace.log import EventLog
from wordorder_lab.widgets.rating import RatingForm

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Pairs = Sequence[CompressionPair]
Row = dict[str, Any]


SPOKEN = "clarke-lapata-spoken"
SHORTEST, LONGEST = 6, 22
"""Words of a sentence that is learned from or tried: short ones are parsed in a moment."""
LEARNED, TRIED = 120, 24  # so many sentences are learned from, and so many are held out
TREES = 500  # of the Gazette that a parser learns from, where there is no other


@dataclass(frozen=True)
class Material:
    """A parser and what it has read, pairs to learn from and held out, texts of people if any."""

    name: str
    parser: TreebankParser
    parser_of: str
    train: tuple[CompressionPair, ...]
    held_out: tuple[CompressionPair, ...]
    texts: tuple[TextPair, ...] = field(default=(), repr=False)

    @property
    def is_real(self) -> bool:
        """Whether people have made the compressions."""
        return bool(self.texts)

    def __str__(self) -> str:
        reader = f"The parser has read {self.parser_of}. "
        learned = f"{len(self.train)} pairs to learn from, {len(self.held_out)} held out"
        if self.is_real:
            return f"{reader}Compressions are those of {self.name}: {learned}."
        return (
            f"{reader}{SPOKEN} is not on this machine (no command gets it: it belongs to others), "
            f"so compressions are the deletions of {self.name}: {learned}. All cells run; "
            "sentences are simpler, and numbers look better than they would on real text."
        )


def material(others: Compressions, *, learned: int = LEARNED, tried: int = TRIED) -> Material:
    """CLspoken with trees where it is to be had, otherwise the deletions of ``others``."""
    parser, parser_of = _parser()
    try:
        texts = load_texts(SPOKEN)
        parts = tuple(texts.train), tuple(texts.dev)
    except CorpusError:
        train, held_out = (
            tuple(pair for pair in split if pair.kind == "deletion" and _fits(pair.source.leaves()))
            for split in (others.train, others.dev)
        )
        return Material(others.name, parser, parser_of, train[:learned], held_out[:tried])
    pairs = [_with_trees(part, parser, most) for part, most in zip(parts, (learned, tried))]
    return Material(SPOKEN, parser, parser_of, pairs[0], pairs[1], (*parts[0], *parts[1]))


def with_constraints(model: DeletionModel) -> ProgrammeModel:
    """The scores of McDonald's model, searched by an integer programme (section 5)."""
    return ProgrammeModel.of(model)


def _fits(words: Sequence[str]) -> bool:
    return SHORTEST <= len(words) <= LONGEST


def _with_trees(
    texts: Sequence[TextPair], parser: TreebankParser, most: int
) -> tuple[CompressionPair, ...]:
    """The first sentences of the right length whose compressions are shorter, parsed."""
    shorter = (t for t in texts if min(map(len, t.targets)) < len(t.source))
    chosen = [text for text in shorter if _fits(text.source)][:most]
    trees = parsed(every_sentence(chosen), parser, progress=False)
    return with_trees(chosen, trees)[0].sentences


def _parser() -> tuple[TreebankParser, str]:
    try:
        return default_parser(), "the Penn sample"
    except CorpusError:
        trees = load_treebank("gazette").train[:TREES]
        return train("parser", trees, progress=False), "the Gazette's trees"


class PrintedSentence(NamedTuple):
    """A sentence of Table 7 in words, and the versions printed below it, by whose they are."""

    words: tuple[str, ...]
    versions: dict[str, tuple[str, ...]]


def printed_sentences() -> list[PrintedSentence]:
    """All four, in the paper's order; the last version is a person's."""
    found = []
    for one in load_specification("cohn-lapata-2009-table-7").paper["printed"]:
        words = {n: tuple(re.findall(r"\w+(?:['-]\w+)*|[^\w\s]", text)) for n, text in one.items()}
        versions = {name: words[name] for name in ("mcdonald", "transducer", "reference")}
        found.append(PrintedSentence(words["source"], versions))
    return found


READ, PARSED, LONGEST_TREE = 400, 40, 15
"""So many trees are read, so many are parsed, with so many words at most."""
SETTINGS: tuple[Row, ...] = (
    {"vertical": 1, "horizontal": 0, "splits": "none"},
    {"vertical": 1, "horizontal": 1, "splits": "none"},
    {"vertical": 2, "horizontal": 1, "splits": "none"},
    {"vertical": 2, "horizontal": 1, "splits": "all"},
    {"vertical": 3, "horizontal": 2, "splits": "all"},
)
"""From symbols that remember nothing to the usual ones, and one step further."""


@beforehand.made
def by_memory(engine: str | None = None) -> list[Row]:
    """Symbols, binary rules and bracket F1 by ``SETTINGS``, on short trees of Penn or Gazette."""
    name, rows = _treebank(), []
    corpus = load_treebank(name)
    read, held = _short(corpus.train, READ), _short(corpus.dev, PARSED)
    for settings in SETTINGS:
        parser = train("parser", read, progress=False, **settings)
        outputs = [parser.parse(tree.leaves(), engine=engine).tree for tree in held]
        row = {"trees of": name, **settings, "symbols": len(parser.grammar.symbols)}
        row["binary rules"] = len(parser.grammar.lefts)
        rows.append({**row, "bracket F1": bracket_scores(held, outputs).f1})
    return rows


def _treebank() -> str:
    try:
        return "ptb-sample" if len(load_treebank("ptb-sample").dev) else "gazette"
    except CorpusError:
        return "gazette"


def _short(trees: Sequence[Any], most: int) -> list[Tree]:
    bare = (without_traces(one.tree) for one in trees)
    kept = (tree for tree in bare if tree and 3 <= len(tree.leaves()) <= LONGEST_TREE)
    return [*islice(kept, most)]


def constituents(log: EventLog, start: int, end: int) -> list[Row]:
    """What stood in the cell of a span, words ``start`` to ``end`` (not included), best first."""
    events = [event for event in log if event[0] == "constituent" and event[2:4] == (start, end)]
    events.sort(key=lambda event: -event[5])
    return [{"symbol": event[4], "log probability": event[5]} for event in events]


BINS = 10  # bars of the histogram, from 0 to 1


def rates_by_annotator(material: Material) -> dict[str, list[float]]:
    """Words kept by words there, a number for each sentence, by who shortened it."""
    if not material.is_real:
        pairs = (*material.train, *material.held_out)
        rates = [len(pair.target.leaves()) / len(pair.source.leaves()) for pair in pairs]
        return {f"{material.name}, by rule": rates}
    by_person: dict[str, list[float]] = {}
    for text in material.texts:
        for number, target in enumerate(text.targets, 1):
            rate = len(target) / len(text.source)
            by_person.setdefault(f"annotator {number}", []).append(rate)
    return by_person


def histogram(rates: Mapping[str, Sequence[float]]) -> Figure:
    """A curve for each annotator: the share of sentences by rate."""
    curves = {}
    for name, values in rates.items():
        places = [int(value * BINS) for value in values]
        curves[name] = {i / BINS: places.count(i) / len(values) for i in range(BINS + 1)}
    return lines(curves, "rate (words kept by words there)", "share of sentences", percent="xy")


def agreement(material: Material) -> list[Row]:
    """For two annotators the share of words on which they agree, and kappa, over all sentences."""
    rows = []
    for a, b in combinations(range(max((len(t.keeps) for t in material.texts), default=0)), 2):
        both = ((text.keeps[a], text.keeps[b]) for text in material.texts if b < len(text.keeps))
        kept = [zip(one, two, strict=True) for one, two in both if one and two]
        first, second = zip(*chain.from_iterable(kept), strict=True)
        same = sum(map(eq, first, second)) / len(first)
        row = {"annotators": f"{a + 1} and {b + 1}", "words": len(first), "same answer": same}
        rows.append({**row, "kappa": kappa(first, second)})
    return rows


RATES = (0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)  # shares of words that are asked for


def scored(outputs: Iterable[Tree], pairs: Pairs) -> CompressionScores:
    """All scores of outputs, capitals of beginnings undone on both sides."""
    golds = list(map(prepared_pair, pairs))
    return score_compressions(list(map(prepared, outputs)), golds, samples=200)


def by_rate(model: DeletionModel, pairs: Pairs) -> dict[float, CompressionScores]:
    """The scores of a model that deletes, by the rate that is asked of each sentence."""
    return {
        rate: scored((model.compress(pair.source, rate=rate).tree for pair in pairs), pairs)
        for rate in RATES
    }


def random_by_rate(pairs: Pairs, rates: Sequence[float] = RATES) -> dict[float, CompressionScores]:
    """The same for words deleted at random."""
    return {
        rate: scored((random_deletion(pair, rate, seed=1) for pair in pairs), pairs)
        for rate in rates
    }


def floors(pairs: Pairs) -> dict[str, CompressionScores]:
    """Keep all, random deletion at the references' rate, and the first clause."""
    everything, first = scored(map(keep_all, pairs), pairs), scored(map(first_clause, pairs), pairs)
    (at_random,) = random_by_rate(pairs, [everything.gold_rate]).values()
    return {"keep all": everything, "random deletion": at_random, "first clause": first}


def score_rows(scores: Mapping[str, CompressionScores]) -> list[dict[str, str]]:
    """Rates and F1s as rows of a table."""
    return [
        {
            "": name,
            "rate": f"{one.rate:.0%}",
            "relation F1": f"{one.relation_f1:.1%}",
            "4-gram F1": f"{one.fourgram_f1:.1%}",
            "unigram F1": f"{one.unigram_f1:.1%}",
        }
        for name, one in scores.items()
    ]


def at_every_rate(model: DeletionModel, tree: Tree) -> StepByStep:
    """A stop for each rate: the sentence, what is crossed out, and the score."""
    pages: dict[str, tuple[str, object]] = {}
    for rate in RATES:
        found = model.compress(tree, rate=rate)
        words = f"{len(found.kept)} of {len(found.source)} words"
        links = [(place, number) for number, place in enumerate(found.kept)]
        picture = aligned_words([(found.source, found.words, links)])
        pages[f"{rate:.0%}"] = f"{words}, score {found.score:.2f}: {found.text}", picture
    return step_by_step(pages, "One sentence at every rate", first=3)


def features_of(model: DeletionModel, tree: Tree, i: int, j: int, most: int = 8) -> list[Row]:
    """The features of keeping position j straight after i, those that weigh most; then the others.

    A position is 0 for the start, 1 to n for words, n + 1 for the end.
    """
    parts = model.features.parts(sentence_of(tree))
    names = {number: key for key, number in model.features.numbers.items()}
    weighed: list[Row] = []
    for row in parts.bigram(i, j):
        for number in parts.ids[parts.starts[row] : parts.starts[row + 1]].tolist():
            name, weight = model.features.name(names[number]), float(model.weights[number])
            weighed.append({"feature": name, "weight": weight})
    weighed.sort(key=lambda one: -abs(one["weight"]))
    if rest := weighed[most:]:
        others = sum(one["weight"] for one in rest)
        weighed[most:] = [{"feature": f"{len(rest)} more", "weight": others}]
    return weighed


def widest_bigram(model: DeletionModel, tree: Tree) -> tuple[int, int]:
    """The bigram of the best compression that drops most, as positions; the first of several."""
    found = model.compress(tree)
    ends = [0, *(place + 1 for place in found.kept), len(found.source) + 1]
    return max(pairwise(ends), key=lambda pair: pair[1] - pair[0])


def bigram_named(tree: Tree, i: int, j: int) -> str:
    """Both words and what is dropped between them, to print."""
    words = ["start", *sentence_of(tree).words, "end"]
    dropped = " ".join(words[i + 1 : j]) or "nothing"
    return f"{words[i]} … {words[j]}, dropped: {dropped}"


def score_of(model: DeletionModel, tree: Tree, i: int, j: int) -> float:
    """What the lattice has for that bigram."""
    return float(model.bigram_scores(sentence_of(tree))[i, j])


LEAST = 11  # words of a sentence that tells: shorter ones have hardly any rows


@beforehand.made
def changed_by_family(model: ProgrammeModel, pairs: Pairs, **search: Any) -> list[Row]:
    """For each family, alone, and for all together: what it asks of the outputs, and changes."""
    problems = [model.problem(pair.source) for pair in pairs]
    plain = [_kept(model, problem, "none", **search) for problem in problems]
    counted = []
    for name in (*NAMES, "all"):
        asked = [[row for row in one.rows if name in (row.name, "all")] for one in problems]
        families = "all" if name == "all" else (name,)
        bound = [
            _kept(model, problem, families, **search) if rows else kept
            for problem, kept, rows in zip(problems, plain, asked)
        ]
        broken = [row for rows, kept in zip(asked, plain) for row in rows if not row.holds(kept)]
        counted.append(
            {
                "family": name,
                "sentences with such rows": sum(map(bool, asked)),
                "rows broken without": len(broken),
                "outputs changed": sum(map(ne, bound, plain)),
                "words more, in all": sum(map(len, bound)) - sum(map(len, plain)),
            }
        )
    return counted


@beforehand.made
def telling_sentence(model: ProgrammeModel, pairs: Pairs, **search: Any) -> CompressionPair:
    """The pair whose output most families change, each alone, if it is long and loses some."""

    def tells(pair: CompressionPair) -> bool:
        words = len(pair.source.leaves())
        return words >= LEAST and len(_kept(model, model.problem(pair.source), "none")) < words

    def changes(pair: CompressionPair) -> int:
        problem = model.problem(pair.source)
        plain = _kept(model, problem, "none", **search)
        names = dict.fromkeys(row.name for row in problem.rows)
        return sum(_kept(model, problem, (name,), **search) != plain for name in names)

    return max([pair for pair in pairs if tells(pair)] or pairs, key=changes)


def _kept(
    model: ProgrammeModel, problem: DeletionProblem, families: str | tuple[str, ...], **search: Any
) -> tuple[int, ...]:
    return model.search(problem, constraints=families, **search)[0].kept


TABLES = {
    "CLspoken": "cohn-lapata-2009-table-6-spoken",
    "CLwritten": "cohn-lapata-2009-table-6-written",
}
MEASURED = ("relation_f1", "rate", "split")


def recorded_rows(name: str) -> list[Row]:
    """Rate and scores of each training of a system at each rate; empty where there is no record."""
    if not record_file(name).is_file():
        return []
    record = read_record(record_file(name))
    rows = [row for row in record["rows"] if row["of"] == STRINGS]
    return [
        {
            "system": system_name(row, rows),
            "at": row["at"],
            "rate": row["rate"],
            "relation F1": row["relation_f1"],
            "4-gram F1": row["fourgram_f1"],
            "unigram F1": row["unigram_f1"],
            "the paper's F1": printed(record, row, ["relation_f1", "rate", "split"]).get(
                "relation_f1"
            ),
        }
        for row in rows
    ]


def lost(name: str) -> list[Row]:
    """Of each training in a record of the measure "lost-relations" what it lost, in percent, and
    how many of the references' words it kept; one row that says so where there is no record."""
    if not record_file(name).is_file():
        return [{"no record here": f"wordorder-lab reproduce {name}"}]
    rows = read_record(record_file(name))["rows"]
    return [
        {
            "system": system_name(row, rows),
            "rate": f"{row['rate']:.1%}",
            "relation F1": f"{row['relation_f1']:.1%}",
            **{f"lost: {told}": round(row[f"lost_{why}"], 1) for why, told in TOLD.items()},
            "words kept: met": round(row["kept_met"], 1),
            "words kept: new": round(row["kept_new"], 1),
        }
        for row in rows
    ]


def curves_of(rows: Sequence[Row]) -> dict[str, dict[float, float]]:
    """For each system relation F1 by rate, through all rates at which it was scored."""
    curves: dict[str, dict[float, float]] = {}
    for row in rows:
        curves.setdefault(row["system"], {})[row["rate"]] = row["relation F1"]
    return {system: dict(sorted(curve.items())) for system, curve in curves.items()}


def recorded(corpus: str) -> str:
    """Who leads at which rate on a corpus of ``TABLES``, and how far rates lie apart."""
    name = TABLES[corpus]
    rows = recorded_rows(name)
    if not rows:
        return f"{corpus}: {name} has no record here: wordorder-lab reproduce {name}"
    lines = [corpus]
    for at, here in by_name(rows, itemgetter("at")).items():
        here.sort(key=lambda row: -row["relation F1"])
        rates = [row["rate"] for row in here]
        order = "; ".join(f"{row['system']} {row['relation F1']:.1%}" for row in here)
        spread = f"rates from {min(rates):.1%} to {max(rates):.1%}"
        lines.append(f"  At {at} ({spread}), by relation F1: {order}.")
        if at == OWN and len(here) > 1:
            is_longest = here[0]["rate"] == max(rates)
            most = "is the one that keeps most" if is_longest else "is not the one that keeps most"
            best = f"The system with the highest F1 at its own rate, {here[0]['system']}"
            lines.append(f"  {best}, {most}.")
    return "\n".join(lines)


QUALITY: dict[str, tuple[float, float]] = {"careful": (4.2, 3.6), "hasty": (3.1, 3.4)}
"""Of two invented systems: how grammatical they are, and how much of importance they keep."""
OTHERS = (3.6, 3.5)  # the same of any other system
SPREAD = {"rater": 0.4, "sentence": 0.5, "chance": 0.6}
"""Standard deviations, in points: raters are strict or kind, sentences hard or easy."""


def shortened_most(
    sources: Sequence[Tree], outputs: Mapping[str, Sequence[Tree]], most: int
) -> list[int]:
    """The places of sentences of which systems left most out, by the system that left out least."""

    def rate(place: int) -> float:
        longest = max(len(made[place].leaves()) for made in outputs.values())
        return longest / len(sources[place].leaves())

    return sorted(sorted(range(len(sources)), key=rate)[:most])


def invented_answers(
    form: RatingForm, quality: Mapping[str, tuple[float, float]] = QUALITY, seed: int = 42
) -> list[Row]:
    """Answers to all items of a rating form, as its ``answers`` has them; the same for a seed."""
    rng = random.Random(seed)
    raters = {rater: rng.gauss(0, SPREAD["rater"]) for rater in form.plan}
    sentences: dict[int, float] = {}
    for items in form.plan.values():
        for place in sorted({item.sentence for item in items} - sentences.keys()):
            sentences[place] = rng.gauss(0, SPREAD["sentence"])
    for rater, items in form.plan.items():
        for number, item in enumerate(items):
            names = ("grammaticality", "importance")
            for name, true in zip(names, quality.get(item.system, OTHERS), strict=True):
                points = true + raters[rater] + sentences[item.sentence]
                points += rng.gauss(0, SPREAD["chance"])
                form.rate(rater, number, name, min(5, max(1, round(points))))
    return list(form.answers)
