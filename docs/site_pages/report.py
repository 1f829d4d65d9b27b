"""The report on the reproduction: its scope, what was easy and what was hard, and what each
experiment costs beside the paper's own set-up."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from site_pages import results
from site_pages.page import Page, front, table
from wordorder_lab.experiments import records
from wordorder_lab.experiments.claim_list import trained_once
from wordorder_lab.experiments.measures.claims import NOT_JUDGED, Verdict
from wordorder_lab.experiments.scoreboard.tasks import LIST
from wordorder_lab.experiments.specification import load_specification
from wordorder_lab.experiments.verdicts import all_verdicts, paper_of

PROSE = """\
# Scope and cost

What a reproducibility report has beside its verdicts. The verdicts stand in the \
[matrix](index.md), claim by claim.

## Scope

All tables and figures of the four papers, their abstracts and conclusions, have been gone \
through sentence by sentence; the [matrix](index.md) lists what they claim, and the reason \
where a claim has no test. The systems of the four papers are written anew from these papers; \
those that they are compared with (Wan, McDonald, Clarke & Lapata and others) from what is known \
of them, since their papers were not at hand. What a paper leaves open, and what we decided, \
stands under [Differences](../papers/differences.md).

We compare what is better and what is worse, and by how much where a paper prints it, not \
absolute numbers: most of the papers' data are licensed, and ours are those that anyone can get. \
"Excluded" means that our data do not show this size. It does not say that the paper's number is \
wrong. Where the Penn sample is too small, many claims are tested again by ten folds, on EWT \
(single words), or on GUM's trees (base noun phrases and CCG). Every run is whole: none was \
stopped early because its verdict seemed clear. Ratings by people were not repeated, and no author \
was asked.

## What was easy

- The algorithms: the worked examples of all four papers are tests of ours.
- The templates: they are data files in the papers' notation, checked against the printed \
tables.
- Speed that can be trusted: a fast engine beside each reference engine must give the same \
bits.
- The same again on another machine: of twenty-six experiments on word ordering and realization, \
first run on AMD's processors and then on Intel's, twenty-five gave the same scores for every \
sentence, bit for bit. In the other one (`wan-2009-in-10-folds`) one sentence of 3,914 has another \
spanning tree.

## What was hard

- **The data.** The Penn sample has 3,914 sentences where the papers on word ordering learn from \
39,832, and its derivations are made from its trees. Of these only 233 or 326 are scored, so a \
difference of one BLEU point is often within chance.
- **Limits in seconds.** Two papers stop a search after so many seconds on a machine of their \
time. We mostly count expansions, which anyone can repeat; seconds only where time itself is the \
question (Table 2 of 2011, Figure 7 and section 5.3 of 2015).
- **What is not told**: the order of training sentences, how ties are broken, which pairs were \
left out, whether a model is averaged. Each is marked as *paper silent*.
- **The transducer of Cohn & Lapata**, whose trees, language model and relations come from \
programs and corpora that are not free. Its training, stopped before it has converged, may end \
elsewhere on another processor: with the same code and libraries two machines gave relation F1 \
that differs by up to 1.5 points in a quarter of the rows of one experiment \
(`cohn-lapata-2009-table-6-parsers`, run on both); no verdict was another one.

## What it costs

The papers' own set-ups first, as far as they tell them; what of each experiment of ours was \
trained with stands in its row below.

| paper | learns from | training | search |
| --- | --- | --- | --- |
| Zhang & Clark (2011) | CCGbank, sections 02 to 21; no limit of length is told \
| 1 iteration in development; 8, 6 and 4 for the final test, read off Figure 4 \
| 5 seconds a sentence; 0.5 to 50 in Table 2 |
| Zhang & Clark (2015) | CCGbank and Penn Treebank, 39,832 sentences; no limit of length is told \
| the iteration that is best on section 00 (Figure 4) \
| 5 seconds a sentence; 5 to 60 in Figure 7 |
| Liu et al. (2015) | Penn Treebank, sections 2 to 21; no limit of length is told \
| iterations as in Figure 7; a beam of 64 | a beam of 64, no limit of time |
| Cohn & Lapata (2009) | 882, 908 and 1,020 pairs; n-grams of the BNC | C and a scaling by a grid \
on the development set, 0.01 "generally" | 100 different items in a cell or 200 in all, elsewhere \
200 or 500 |

Ours, where it is less: in most experiments best-first search learns from sentences of up to 25 \
units (86 of a hundred in the Penn sample), with 500 to 1,000 expansions each, and stops after \
some thousand in test. What that costs on the Penn sample (`training-budget`, one training each): \
no difference that is significant between sentences of all lengths and those of up to 25 units \
(dependencies -1.24, -2.83 to 0.34; CCG +0.05, -1.34 to 1.50), nor for dependencies with 5,000 \
expansions for a training sentence (-0.19, -1.59 to 1.24); CCG has 1.80 more with these (0.41 to \
3.16).

Rows are of one training each, but for `training-seeds`, `zhang-clark-2015-averaging-gazette` and \
experiments whose names end in `-with-3-seeds`. There each model that learns sentence by sentence \
was learned several times, from another order of the sentences in each epoch; the spread of the \
trainings is in their intervals and p-values, and the verdicts stand in place of those of one \
training, whose intervals are over sentences alone. (Where dev chooses an epoch for the one \
training, the several are scored after the last one.) {trainings}

Each row is one command, `wordorder-lab reproduce NAME`. Minutes are by the clock of a machine \
with two cores ({machines}), training included; some records were made while other work ran \
beside them, so their minutes are too long. All {count} together: {hours:.1f} hours; \
those of the scoreboard another {board:.1f}.

"""


def pages() -> list[Page]:
    """The one page. Experiments without a record are in the table, without a cost."""
    _, *shown = results.pages()
    found = {name: _record(name) for name in (Path(page.path).stem for page in shown)}
    verdicts = all_verdicts()
    there = [record for record in found.values() if record]
    hours = sum(int(record["seconds"]) for record in there) / 3600
    ours = [json.loads(path.read_text(encoding="utf-8")) for path in LIST.parent.glob("*.json")]
    board = sum(int(record["seconds"]) for record in ours) / 3600
    machines = ", ".join(sorted({record["machine"]["processor"] for record in there}))
    trainings = several_in_words(verdicts)
    told = {"machines": machines, "count": len(there), "hours": hours, "board": board}
    text = PROSE.format(trainings=trainings, **told)
    rows = sorted(
        (paper_of(name), name, _row(name, record, verdicts.get(name, ())))
        for name, record in found.items()
    )
    head = ("experiment", "the paper's data", "our corpora", "trained with", "sentences", "minutes")
    tags = ["cost", "scope", "reproducibility", "set-up"]
    body = text + table(head, [row for _, _, row in rows])
    return [Page("results/report.md", front("Scope and cost", tags=tags) + body)]


def several_in_words(verdicts: Mapping[str, Sequence[Verdict]]) -> str:
    """What three trainings change in the verdicts on the papers' claims after one."""
    both = []
    for name, mine in verdicts.items():
        if (of := trained_once(name)) in verdicts and of != name:
            once = {one.claim.says: one.verdict for one in verdicts[of]}
            papers = [one for one in mine if not one.claim.ours and one.verdict != NOT_JUDGED]
            both += [(name, one, once[one.claim.says]) for one in papers]
    changed = [one for one in both if one[1].verdict != one[2]]
    lines = [
        f"- `{name}`, {one.claim.says}: *{before}* after one training, now *{one.verdict}* "
        f"({one.told})"
        for name, one, before in changed
    ]
    return "\n".join(
        [
            f"Of {len(both)} claims of the papers that were judged after one training and after "
            f"several, {len(both) - len(changed)} keep their verdict"
            f"{', and these have another:' if changed else '.'}\n",
            *lines,
        ]
    )


def _record(name: str) -> dict[str, Any]:
    path = records.record_file(name)
    return dict(json.loads(path.read_text(encoding="utf-8"))) if path.exists() else {}


def _row(name: str, record: Mapping[str, Any], verdicts: Sequence[Verdict]) -> tuple[str, ...]:
    rows = record.get("rows", [])
    corpora = dict.fromkeys(str(row["corpus"]) for row in rows if row.get("corpus"))
    budgets = dict.fromkeys(one.budget for one in verdicts if one.budget)
    sizes = sorted({one.sentences for one in verdicts if one.sentences})
    sentences = f"{sizes[0]:,} to {sizes[-1]:,}" if len(sizes) > 1 else "".join(map(str, sizes))
    minutes = f"{record['seconds'] / 60:.1f}" if record else "not run"
    paper = str(load_specification(name).paper.get("data", "-"))
    return (
        f"[{name}]({name}.md)",
        paper,
        ", ".join(corpora),
        "; ".join(budgets) or "-",
        sentences or "-",
        minutes,
    )
