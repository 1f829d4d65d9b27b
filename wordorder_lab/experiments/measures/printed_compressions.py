"""The measure "printed-compressions": the sentences that a paper prints, made shorter here.

Cohn & Lapata (2009), Table 7: a source, and what McDonald's model, the transducer and a person made
of it. Those of the sources that are in a run's corpus are made shorter by the run's system; its
rows have what came out, beside what is printed. A sentence that lies in the part that was learned
from has been seen: the row says so.

Only sentences that the paper itself prints are kept, and what was made of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from wordorder_lab.corpora.texts import load_texts
from wordorder_lab.experiments.measures.compressors import (
    OneAfterTheOther,
    bonus_for,
    check_rates,
)
from wordorder_lab.experiments.measures.compressors_report import CALLED, OWN
from wordorder_lab.experiments.measures.measure import (
    Cut,
    Record,
    Row,
    Specification,
)
from wordorder_lab.experiments.runs.corpora import pairs_of, parts_of
from wordorder_lab.experiments.runs.evaluate import DIGITS
from wordorder_lab.experiments.runs.schema import RATES, SpecificationError
from wordorder_lab.experiments.runs.settings import check_learning, for_search
from wordorder_lab.experiments.runs.training import compressor_of

if TYPE_CHECKING:
    from wordorder_lab.structures.compression import CompressionPair

PRINTED = ("corpus", "source", "mcdonald", "transducer", "reference")
"""What each entry of ``paper.printed`` says."""
PRINTED_OF = {"mcdonald-2006": "mcdonald", "cohn-lapata-2009": "transducer"}
"""Whose outputs are printed, and under which of these names."""


@dataclass(frozen=True)
class PrintedCompressions(OneAfterTheOther):
    """A row for each run, rate and sentence that the paper prints and the run's corpus has."""

    has_papers: ClassVar[bool] = True

    def check(self, specification: Specification) -> None:
        """Besides, the paper's sentences are there, and every system has learned."""
        super().check(specification)
        check_rates(specification)
        printed = specification.paper.get("printed", [])
        if not printed or any(set(one) != set(PRINTED) for one in printed):
            raise SpecificationError(
                f"{self.name} needs paper.printed: entries of {', '.join(PRINTED)}"
            )
        for run in specification.runs:
            check_learning(run)
            if run["system"] not in PRINTED_OF:
                raise SpecificationError(f"nothing is printed of {run['system']}")

    def rows_with(
        self, jobs: int, specification: Specification, cut: Cut, run: Mapping[str, Any]
    ) -> list[Row]:
        """The rows of one run."""
        parts = parts_of(run, cut)
        model = compressor_of(run, parts, jobs).model
        how = {"engine": run.get("engine"), **for_search(run)}
        learned = {pair.name.partition("#")[0] for pair in parts.learn}
        found = list(printed_pairs(specification.paper["printed"], run))
        rows: list[Row] = []
        for at in run.get(RATES, (OWN,)):
            bonus = bonus_for(specification, cut, run, at, parts, model, jobs)
            for number, split, pair in found:
                made = model.compress(pair.source, **how, bonus=bonus)
                output = " ".join(made.tree.leaves())
                theirs = specification.paper["printed"][number - 1][PRINTED_OF[run["system"]]]
                rows.append(
                    {
                        **run,
                        "at": at,
                        "bonus": bonus,
                        "number": number,
                        "lies_in": split,
                        "learned_from": pair.name in learned,
                        "rate": round(len(made.tree.leaves()) / len(pair.source.leaves()), DIGITS),
                        "output": output,
                        "as_printed": int(plain(output) == plain(theirs)),
                    }
                )
        return rows

    def text(self, record: Record) -> str:
        """Each sentence with everything that became of it."""
        lines: list[str] = []
        for number, one in enumerate(record["paper"]["printed"], start=1):
            mine = [row for row in record["rows"] if row["number"] == number]
            place = f"{mine[0]['lies_in']} of {mine[0]['corpus']}" if mine else "not here"
            seen = ", learned from" if any(row["learned_from"] for row in mine) else ""
            lines += [f"{number}. ({place}{seen})", f"  source       {one['source']}"]
            lines += [
                f"  paper: {name} {one[key]}"
                for name, key in (("M", "mcdonald"), ("T", "transducer"), ("R", "reference"))
            ]
            lines += [
                f"  {CALLED.get(row['system'], row['system'])}, {row['at']}: {row['output']}"
                for row in mine
            ]
        return "\n".join(lines)


MEASURES = (PrintedCompressions("printed-compressions"),)


def printed_pairs(
    printed: Sequence[Mapping[str, str]], run: Mapping[str, Any]
) -> Iterator[tuple[int, str, CompressionPair]]:
    """Number from 1, split and pair of each printed sentence that the run's corpus has.

    Papers print words as text, corpora cut them: letters and digits alone are compared.
    """
    wanted = {
        plain(one["source"]): number
        for number, one in enumerate(printed, start=1)
        if one["corpus"] == run["corpus"]
    }
    texts = load_texts(run["corpus"])
    for split in texts.splits:
        there = {
            pair.name: wanted[text]
            for pair in texts.split(split)
            if (text := plain(" ".join(pair.source))) in wanted
        }
        if there:
            for pair in pairs_of(run["corpus"], run.get("parser")).split(split):
                if pair.name in there:
                    yield there[pair.name], split, pair


def plain(text: str) -> str:
    """Letters and digits in lower case, nothing between them."""
    return "".join(re.findall(r"[a-z0-9]", text.lower()))
