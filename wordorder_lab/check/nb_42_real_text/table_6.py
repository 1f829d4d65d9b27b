"""Table 6 as the record of our run has it, and what it says, computed from its rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import itemgetter
from typing import Any

from wordorder_lab.experiments.measures.compression_report import CALLED, OWN, STRINGS
from wordorder_lab.experiments.records import read_record, record_file

TABLES = {
    "CLspoken": "cohn-lapata-2009-table-6-spoken",
    "CLwritten": "cohn-lapata-2009-table-6-written",
}
"""The experiments, by the name of their corpus in the paper."""


def recorded_rows(name: str) -> list[dict[str, Any]]:
    """Rate and scores of each system at each rate; empty where there is no record."""
    if not record_file(name).is_file():
        return []
    record = read_record(record_file(name))
    return [
        {
            "system": CALLED.get(row["system"], row["system"].replace("-", " ")),
            "at": row["at"],
            "rate": row["rate"],
            "relation F1": row["relation_f1"],
            "4-gram F1": row["fourgram_f1"],
            "unigram F1": row["unigram_f1"],
            "the paper's F1": _printed(record, row),
        }
        for row in record["rows"]
        if row["of"] == STRINGS
    ]


def curves_of(rows: Sequence[Mapping[str, Any]]) -> dict[str, dict[float, float]]:
    """For each system relation F1 by rate, through all rates at which it was scored."""
    curves: dict[str, dict[float, float]] = {}
    for row in rows:
        curves.setdefault(row["system"], {})[row["rate"]] = row["relation F1"]
    return {system: dict(sorted(curve.items())) for system, curve in curves.items()}


def _printed(record: Mapping[str, Any], row: Mapping[str, Any]) -> float | None:
    for value in record["paper"].get("values", ()):
        where = {name: value[name] for name in ("system", "at", "of") if name in value}
        if "relation_f1" in value and all(row.get(name) == one for name, one in where.items()):
            return float(value["relation_f1"])
    return None


def what_it_says(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """Sentences about these rows: who leads at which rate, and how far rates lie apart."""
    told = []
    for at in dict.fromkeys(row["at"] for row in rows):
        here = sorted((row for row in rows if row["at"] == at), key=lambda r: -r["relation F1"])
        rates = [row["rate"] for row in here]
        order = ", ".join(f"{row['system']} {row['relation F1']:.1%}" for row in here)
        spread = f"rates from {min(rates):.1%} to {max(rates):.1%}"
        told.append(f"At {at} ({spread}), by relation F1: {order}.")
    own = [row for row in rows if row["at"] == OWN]
    if len(own) > 1:
        longest, best = (max(own, key=itemgetter(name)) for name in ("rate", "relation F1"))
        same = "is the one that keeps most" if longest is best else "is not the one that keeps most"
        told.append(f"The system with the highest F1 at its own rate, {best['system']}, {same}.")
    return told


def recorded(corpus: str) -> str:
    """These sentences for a corpus of ``TABLES``, or how to make the record."""
    name = TABLES[corpus]
    rows = recorded_rows(name)
    if not rows:
        return f"{corpus}: {name} has no record here: wordorder-lab reproduce {name}"
    return "\n".join([corpus, *(f"  {line}" for line in what_it_says(rows))])
