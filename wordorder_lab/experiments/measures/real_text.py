"""The measures "printed-compressions" and "many-sentences": about real text.

"printed-compressions" makes the sentences shorter that a paper prints (Cohn & Lapata 2009, Table 7:
a source, and what McDonald's model, the transducer and a person made of it), those that are in a
run's corpus; its rows have what came out, beside what is printed. A sentence that lies in the part
that was learned from has been seen: the row says so. No other sentence is kept.

"many-sentences" is about text that nobody has looked at, ten thousand sentences. Not how good the
outputs are, but whether there is one each time, and whether it is one that may be: words of the
source in their order, or, of a tree transducer, what the rules that it names make of the source,
applied one after the other once more.

    sentence -> parse -> compress -> is the output part of the source, or made by its rules?

A run names the corpus that is made shorter and, as ``learned_on``, the one that was learned from.
What raises ``ValueError`` is counted as refused; anything else that is raised is a crash, and so is
an error in looking at an output. The record names both by the sentence's number and length. No
sentence is kept, and no reference is asked for.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any, ClassVar

from wordorder_lab.corpora.texts import google10k_sentences, load_texts
from wordorder_lab.experiments.measures import compression, tables
from wordorder_lab.experiments.measures.compression_report import CALLED, OWN
from wordorder_lab.experiments.measures.measure import Measure, Setup, Specification, rounded
from wordorder_lab.experiments.measures.outputs import letters
from wordorder_lab.experiments.measures.tables import Column, Record, Row, columns
from wordorder_lab.experiments.runs.compression_evaluate import Compressor
from wordorder_lab.experiments.runs.compression_pairs import pairs_of, parser_called
from wordorder_lab.experiments.runs.ordering_evaluate import DIGITS
from wordorder_lab.experiments.runs.schema import RATES, SpecificationError
from wordorder_lab.experiments.runs.settings import DEFAULT, UNTRAINED, check_learning
from wordorder_lab.structures.compression import CompressionPair, prepared
from wordorder_lab.structures.plain_tree import Tree
from wordorder_lab.structures.synchronous_rule import ElementaryTree, parse_rule
from wordorder_lab.systems.parsed_pairs import Parsing
from wordorder_lab.transduction.problem import filled

PRINTED = ("corpus", "source", "mcdonald", "transducer", "reference")
PRINTED_OF = {"mcdonald-2006": "mcdonald", "cohn-lapata-2009": "transducer"}


class _PrintedCompressions(Measure):
    """A row for each run, rate and sentence that the paper prints and the run's corpus has."""

    task: ClassVar[str] = "compress"
    has_papers: ClassVar[bool] = True
    shares_jobs: ClassVar[bool] = True

    def check_run(self, run: Record, specification: Specification) -> None:
        compression.check_rates(run, specification)
        printed = specification.paper.get("printed", [])
        if not printed or any(set(one) != set(PRINTED) for one in printed):
            raise SpecificationError(
                f"{self.name} needs paper.printed: entries of {', '.join(PRINTED)}"
            )
        check_learning(run)
        if run["system"] not in PRINTED_OF:
            raise SpecificationError(f"nothing is printed of {run['system']}")

    def rows(self, setup: Setup) -> list[Row]:
        run, paper = setup.run, setup.specification.paper["printed"]
        parts, chosen = compression.learned(setup)
        seen = {pair.name.partition("#")[0] for pair in parts.learn}
        found = list(_printed_pairs(paper, run))
        rows: list[Row] = []
        for at in run.get(RATES, (OWN,)):
            bonus = compression.bonus_for(setup, at, parts, chosen)
            for number, split, pair in found:
                made = chosen.model.compress(pair.source, **setup.search, bonus=bonus).tree.leaves()
                theirs = paper[number - 1][PRINTED_OF[run["system"]]]
                row = {**run, "at": at, "bonus": bonus, "number": number, "lies_in": split}
                row["learned_from"] = pair.name in seen
                row["rate"] = round(len(made) / len(pair.source.leaves()), DIGITS)
                row["output"] = " ".join(made)
                row["as_printed"] = int(letters(made) == letters(theirs.split()))
                rows.append(row)
        return rows


def _printed_lines(record: Record) -> Iterator[str]:
    for number, one in enumerate(record["paper"]["printed"], start=1):
        mine = [row for row in record["rows"] if row["number"] == number]
        place = f"{mine[0]['lies_in']} of {mine[0]['corpus']}" if mine else "not here"
        seen = ", learned from" if any(row["learned_from"] for row in mine) else ""
        yield from (f"{number}. ({place}{seen})", f"  source       {one['source']}")
        for key in PRINTED[2:]:
            yield f"  paper: {key[0].upper()} {one[key]}"
        for row in mine:
            yield f"  {CALLED.get(row['system'], row['system'])}, {row['at']}: {row['output']}"


def _printed_pairs(
    printed: Sequence[Record], run: Record
) -> Iterator[tuple[int, str, CompressionPair]]:
    """Number from 1, split and pair of each printed sentence that the run's corpus has. Papers
    print words as text, corpora cut them: letters and digits alone are compared."""
    wanted = {
        letters(one["source"].split()): number
        for number, one in enumerate(printed, start=1)
        if one["corpus"] == run["corpus"]
    }
    texts = load_texts(run["corpus"])
    for split in texts.splits:
        keys = ((pair.name, letters(pair.source)) for pair in texts.split(split))
        there = {name: wanted[key] for name, key in keys if key in wanted}
        for pair in pairs_of(run["corpus"], run.get("parser")).split(split) if there else ():
            if pair.name in there:
                yield there[pair.name], split, pair


# --- many-sentences -------------------------------------------------------------------------------

KINDS = ("parse_fallbacks", "subsequences", "legal", "neither", "refused", "crashes")
NAMED = 20


class _ManySentences(Measure):
    """A row for each run: how many outputs there are, and of which kind."""

    task: ClassVar[str] = "compress"
    shares_jobs: ClassVar[bool] = True

    def check_run(self, run: Record, _specification: Specification) -> None:
        check_learning(run)
        if run["system"] in UNTRAINED or run.get("learned_on", run["corpus"]) == run["corpus"]:
            raise SpecificationError(
                f"{self.name} is about what was learned elsewhere: say learned_on"
            )

    def rows(self, setup: Setup) -> list[Row]:
        run = setup.run
        parts, chosen = compression.learned(setup)
        sources = setup.cut(sources_of(run["corpus"], run["split"]))
        parser = parser_called(run.get("parser", DEFAULT))
        row = counted(chosen.model, parser, sources, **setup.search)
        return [{**run, "pairs": len(parts.learn), **row}]


OUTCOMES = (
    Column("", lambda row: f"{row['system']}, {row['corpus']} {row['split']}"),
    *columns(",", "sentences", *KINDS),
    *columns(".3g", "rate", "parse_ms", "ms_median", "ms_most"),
)


def _outcome_lines(record: Record) -> list[str]:
    named = [
        f"{row['system']}, {row['split']}, {what} {one}"
        for row in record["rows"]
        for what, some in (("refused:", row["refusals"]), ("crashed:", row["crashed"]))
        for one in some
    ]
    return [
        *tables.lines(OUTCOMES, record["rows"]),
        "subsequences: words of the source in their order; legal: others that the rules of",
        "the output's derivation make of the source; ms: median and most, a sentence",
        *named,
    ]


MEASURES = (
    _PrintedCompressions("printed-compressions", report=_printed_lines),
    _ManySentences("many-sentences", report=_outcome_lines),
)


def sources_of(corpus: str, split: str) -> Sequence[Sequence[str]]:
    """The words of every sentence of a split; raises as ``load_texts``."""
    if corpus == "google10k":
        return google10k_sentences(split)
    return [pair.source for pair in load_texts(corpus).split(split)]


def counted(
    model: Compressor, parser: Parsing, sources: Sequence[Sequence[str]], **search: Any
) -> Row:
    """Parse and compress every sentence, and count what came of it; ``search`` is for ``compress``.
    The first one that goes through is made shorter once before: no time has compilation in it."""
    for words in sources:
        with suppress(Exception):  # counted below, in its turn
            model.compress(parser.parse(words).tree, **search)
            break
    count: Counter[str] = Counter()
    seconds: list[float] = []
    named: dict[bool, list[str]] = {True: [], False: []}
    kept = words_in = 0
    parsing = 0.0
    for number, words in enumerate(sources, start=1):
        begin = time.perf_counter()
        try:
            parse = parser.parse(words)
            parsed = time.perf_counter()
            found = model.compress(parse.tree, **search)
            done = time.perf_counter()
            count[_kind_of(found, parse.tree)] += 1
        except Exception as error:  # a crash is what is looked for
            about = f"sentence {number:,} of {len(words)} words: {type(error).__name__}"
            named[isinstance(error, ValueError)].append(about)
            continue
        seconds.append(done - parsed)
        parsing += parsed - begin
        count["parse_fallbacks"] += bool(parse.fallback)
        kept, words_in = kept + len(found.tree.leaves()), words_in + len(words)
    count["refused"], count["crashes"] = len(named[True]), len(named[False])
    ordered = sorted(seconds) or [0.0]
    numbers = {
        "rate": kept / max(1, words_in),
        "parse_ms": 1000 * parsing / max(1, len(seconds)),
        "ms_median": 1000 * ordered[len(ordered) // 2],
        "ms_most": 1000 * ordered[-1],
    }
    return {
        "sentences": len(sources),
        **{name: count[name] for name in KINDS},
        "refusals": named[True][:NAMED],
        "crashed": named[False][:NAMED],
        **rounded(numbers),
    }


def _kind_of(found: Any, source: Tree) -> str:
    """What an output is: part of its source, made by its rules, or neither. Capitals are not
    compared: the first word of an output has one, whichever word that is."""
    before, after = prepared(source), _lower(found.tree)
    if compression.is_left_of(after, _lower(source)):
        return "subsequences"
    try:
        made = transduced(getattr(found, "rules", ()), before)
    except ValueError:
        return "neither"
    return "legal" if _lower(made) == after else "neither"


def _lower(tree: Tree) -> list[str]:
    return [word.lower() for word in tree.leaves()]


# --- a derivation once more, from the text of its rules -------------------------------------------


def transduced(rules: Sequence[str], source: Tree) -> Tree:
    """What the rules, in pre-order and in the notation of ``SynchronousRule``, make of a tree.

    Nothing of the search is asked: each rule's source side must lie on the tree where it is
    applied, and its target side is filled with what its variables become. Raises ``ValueError``
    where a rule does not fit, is missing or left over.
    """
    todo = iter(rules)

    def build(tree: Tree) -> Tree:
        if (text := next(todo, None)) is None:
            raise ValueError("a rule is missing")
        rule = parse_rule(text)
        below = dict(_matched(rule.source, tree))
        return filled(rule.target, [build(below[i]) for i in sorted(below)])

    made = build(source)
    if next(todo, None) is not None:
        raise ValueError("a rule is left over")
    return made


def _matched(fragment: ElementaryTree, tree: Tree | str) -> Iterator[tuple[int, Tree]]:
    if not isinstance(tree, Tree) or tree.label() != fragment.label:
        raise ValueError(f"{fragment} does not lie on {tree}")
    if fragment.is_frontier:
        if fragment.index > 0:
            yield fragment.index, tree
        return
    if len(tree) != len(fragment.children):
        raise ValueError(f"{fragment} does not lie on {tree}")
    for part, child in zip(fragment.children, tree):
        if isinstance(part, str):
            if part != child:
                raise ValueError(f"{part} is not {child}")
        else:
            yield from _matched(part, child)
