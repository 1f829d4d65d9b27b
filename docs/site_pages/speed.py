"""How fast every family is beside an older version: the record of ``bench --against``."""

from __future__ import annotations

import json

from site_pages.page import PACKAGE, ROOT, Page, front, table
from wordorder_lab.experiments.bench_against import STARTS, TIMES, measured_of

RECORD = ROOT / PACKAGE / "experiments" / "records" / "bench" / "against.json"

ABOUT = """
Each family learns from the Gazette and answers on its development part, once with an older commit
of the lab ({against}) and once with a newer one ({code}), in turn, three times. Seconds are the
processor's, the least of four rounds in a fresh process, compiling left out; the ratio is the
median of the pairs, with the lowest and the highest behind it: 0.50 is half the time. A start is a
command line in a new process, with all that Python loads: cold, with nothing compiled before it,
and warm, the same again.
Measure yours with

    {command}

{machine}: a plain loop of Python over a million numbers takes it {loop:.3f} s.
"""


def pages() -> list[Page]:
    """The page, where there is a record."""
    if not RECORD.exists():
        return []
    data = json.loads(RECORD.read_text(encoding="utf-8"))
    machine = f"{data['machine']['processor']}, {data['machine']['cpu_count']} cores"
    about = ABOUT.format(
        machine=machine,
        loop=data["loop_seconds"],
        command=data["command"],
        against=data["against"][:10],
        code=data["code"]["commit"][:10],
    )
    rows: dict[tuple[str, str], list[tuple[str, ...]]] = {TIMES: [], STARTS: []}
    for row in data["rows"]:
        if "missing" in row:
            continue
        cells = [row["family"]]
        for what in measured_of(row):
            now, then = row[what]["seconds"]
            ratios = row[what]["ratios"]
            cells += [f"{then:.3f}", f"{now:.3f}"]
            cells.append(f"**{row[what]['ratio']:.2f}** ({ratios[0]:.2f} to {ratios[-1]:.2f})")
        rows[measured_of(row)].append((*cells, "the same" if row["same_outputs"] else "others"))
    then = "now", "ratio"
    families = "family", "training, then", *then, "answers, then", *then, "outputs"
    starts = "command", "cold start, then", *then, "warm start, then", *then, "outputs"
    heads = {TIMES: families, STARTS: starts}
    tables = "\n".join(table(heads[kind], some) for kind, some in rows.items() if some)
    title = "Speed beside an older version"
    return [Page("results/speed.md", f"{front(title)}# {title}\n{about}\n{tables}")]
