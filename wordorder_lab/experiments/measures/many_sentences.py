"""The measure "many-sentences": a system on text that nobody has looked at, ten thousand sentences.

Not how good the outputs are, but whether there is one each time, and whether it is one that may be:
words of the source in their order, or, of a tree transducer, what the rules that it names make of
the source, applied one after the other once more.

    sentence -> parse -> compress -> is the output part of the source, or made by its rules?

A run names the corpus that is made shorter and, as ``learned_on``, the one that was learned from.
What raises ``ValueError`` is counted as refused; anything else that is raised is a crash, and so is
an error in looking at an output. The record names both by the sentence's number and length. No
sentence is kept, and no reference is asked for: of google10k all 10,000 sentences are read.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from nltk.tree import Tree

from wordorder_lab.corpora.texts import google10k_sentences, load_texts
from wordorder_lab.experiments.measures.compression import is_left_of
from wordorder_lab.experiments.measures.compressors import OneAfterTheOther
from wordorder_lab.experiments.measures.measure import (
    Cut,
    Record,
    Row,
    Specification,
)
from wordorder_lab.experiments.measures.style import aligned
from wordorder_lab.experiments.runs.compressors import check_learning, compressor_of, parts_of
from wordorder_lab.experiments.runs.evaluate import DIGITS
from wordorder_lab.experiments.runs.parsers import DEFAULT, parser_called
from wordorder_lab.experiments.runs.training import UNTRAINED, SpecificationError, for_search
from wordorder_lab.structures.compression import prepared
from wordorder_lab.structures.synchronous_rule import parse_rule
from wordorder_lab.transduction.problem import filled

if TYPE_CHECKING:
    from wordorder_lab.structures.synchronous_rule import ElementaryTree

COUNTS = (
    *("sentences", "parse_fallbacks", "subsequences", "legal", "neither"),
    *("refused", "crashes"),
)
NAMED = 20
"""So many refusals are named, and so many crashes."""


@dataclass(frozen=True)
class ManySentences(OneAfterTheOther):
    """A row for each run: how many outputs there are, and of which kind."""

    def check(self, specification: Specification) -> None:
        """Besides, every system has learned, and from another corpus."""
        super().check(specification)
        for run in specification.runs:
            check_learning(run)
            if run["system"] in UNTRAINED or run.get("learned_on", run["corpus"]) == run["corpus"]:
                raise SpecificationError(
                    f"{self.name} is about what was learned elsewhere: say learned_on"
                )

    def rows_with(
        self, jobs: int, specification: Specification, cut: Cut, run: Mapping[str, Any]
    ) -> list[Row]:
        """The row of one run."""
        parts = parts_of(run, cut)
        model = compressor_of(run, parts, jobs).model
        sources = cut(sources_of(run["corpus"], run["split"]))
        how = {"engine": run.get("engine"), **for_search(run)}
        row = counted(model, parser_called(run.get("parser", DEFAULT)), sources, **how)
        return [{**run, "pairs": len(parts.learn), **row}]

    def text(self, record: Record) -> str:
        """A line for each run."""
        times = ("rate", "parse_ms", "ms_median", "ms_most")
        table = [["", *(name.replace("_", " ") for name in (*COUNTS, *times))]]
        for row in record["rows"]:
            cells = [f"{row['system']}, {row['corpus']} {row['split']}"]
            cells += [f"{row[name]:,}" for name in COUNTS]
            table.append([*cells, *(f"{row[name]:.3g}" for name in times)])
        named = [
            f"{row['system']}, {row['split']}, {what} {one}"
            for row in record["rows"]
            for what, some in (("refused:", row["refusals"]), ("crashed:", row["crashed"]))
            for one in some
        ]
        return "\n".join(
            [
                *aligned(table),
                "subsequences: words of the source in their order; legal: others that the rules of",
                "the output's derivation make of the source; ms: median and most, a sentence",
                *named,
            ]
        )


MEASURES = (ManySentences("many-sentences"),)


def sources_of(corpus: str, split: str) -> Sequence[Sequence[str]]:
    """The words of every sentence of a split; raises as ``load_texts``."""
    if corpus == "google10k":
        return google10k_sentences(split)
    return [pair.source for pair in load_texts(corpus).split(split)]


def counted(model: Any, parser: Any, sources: Sequence[Sequence[str]], **how: Any) -> Row:
    """Parse and compress every sentence, and count what came of it; ``how`` is for ``compress``.

    The first one that goes through is made shorter once before: no time has compilation in it.
    """
    any(_goes_through(model, parser, words, how) for words in sources)
    count: Counter[str] = Counter()
    seconds: list[float] = []
    refused: list[str] = []
    crashed: list[str] = []
    words_in = words_out = 0
    parsing = 0.0
    for number, words in enumerate(sources, start=1):
        begin = time.perf_counter()
        try:
            parse = parser.parse(words)
            parsed = time.perf_counter()
            found = model.compress(parse.tree, **how)
            done = time.perf_counter()
            kind = kind_of(found, parse.tree)
        except Exception as error:  # a crash is what is looked for
            named = refused if isinstance(error, ValueError) else crashed
            named.append(f"sentence {number:,} of {len(words)} words: {type(error).__name__}")
            continue
        seconds.append(done - parsed)
        parsing += parsed - begin
        count["parse_fallbacks"] += bool(parse.fallback)
        count[kind] += 1
        words_in += len(words)
        words_out += len(found.tree.leaves())
    count["refused"], count["crashes"] = len(refused), len(crashed)
    ordered = sorted(seconds) or [0.0]
    return {
        "sentences": len(sources),
        **{name: count[name] for name in COUNTS[1:]},
        "refusals": refused[:NAMED],
        "crashed": crashed[:NAMED],
        "rate": round(words_out / max(1, words_in), DIGITS),
        "parse_ms": round(1000 * parsing / max(1, len(seconds)), DIGITS),
        "ms_median": round(1000 * ordered[len(ordered) // 2], DIGITS),
        "ms_most": round(1000 * ordered[-1], DIGITS),
    }


def _goes_through(model: Any, parser: Any, words: Sequence[str], how: Mapping[str, Any]) -> bool:
    try:
        model.compress(parser.parse(words).tree, **how)
    except Exception:  # counted later, in its turn
        return False
    return True


def kind_of(found: Any, source: Tree) -> str:
    """What an output is: part of its source, made by its rules, or neither.

    Capitals are not compared: the first word of an output has one, whichever word that is.
    """
    before, after = prepared(source), _lower(found.tree)
    if is_left_of(after, _lower(source)):
        return "subsequences"
    rules = getattr(found, "rules", ())
    try:
        made = transduced(rules, before)
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
        text = next(todo, None)
        if text is None:
            raise ValueError("a rule is missing")
        rule = parse_rule(text)
        below = dict(_matched(rule.source, tree))
        return filled(rule.target, [build(below[i]) for i in sorted(below)])

    made = build(source)
    if next(todo, None) is not None:
        raise ValueError("a rule is left over")
    return made


def _matched(fragment: ElementaryTree, tree: Tree | str) -> Iterator[tuple[int, Tree]]:
    """The subtrees below the variables of a fragment that lies on a tree, with their numbers."""
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
