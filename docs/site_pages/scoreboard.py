"""The scoreboard: tasks, our systems on them by their records, how to score and how to cite."""

from __future__ import annotations

from pathlib import Path

import yaml

from site_pages.page import ROOT, Page, front, table
from wordorder_lab.experiments.records import names
from wordorder_lab.experiments.scoreboard.board import Entry, entries
from wordorder_lab.experiments.scoreboard.tasks import COMPRESS, Task, tasks
from wordorder_lab.metrics.significance import SCALES

TITLE = "Scoreboard"
ABOUT = """
Fixed splits of corpora that anyone can get, and our systems on them. Write your outputs into a
file, a sentence a line, in the order of the task (packed by gzip or not), and ask

    wordorder-lab score                                          # the tasks
    wordorder-lab score mine.txt --task penn-np
    wordorder-lab score mine.txt --task penn-np --against liu-2015 --json mine.json
    wordorder-lab score mine.txt --task penn-np --against other.txt

The answer has BLEU with sacrebleu's signature, its 95 % interval over the sentences, exact matches,
and the paired test (approximate randomisation, two-sided). A file with too many or too few lines,
or with a word that its bag does not have, is refused with the number of the line (a tree of lemmas
has no bag of words, so there any word is taken). A system that has no record yet is run when it is
asked for, and kept below `build/scoreboard`.

**What to read the tables with.** Each system was trained once, and its interval is over sentences
alone: with another order of the training sentences it may differ by a point or more
(`training-seeds`). Read a score of compressions together with the share of the words that is kept:
the F1 of words is highest where every word stays, and does not see their order. A brevity
below 1 says that a search ended without all words.

**What is allowed.** Learn from whatever you like but the sentences that are scored, and say what it
was: other corpora, tags, a language model. The test sentences of `sr18` and `sr20` stand in the
test part of today's EWT (one in its dev part), so do not learn from these parts; the train part,
which ours learn from, has no test sentence of more than seven words. Our systems were trained only
on the task's own corpus, unless their record says otherwise. A task in folds has all sentences of
its corpus, each ordered by a model that has not seen its document; section 00 of the Penn Treebank,
a development set of several papers (and of our settings), is told apart.
"""
ORDER = """
The order of a task is that of `items_of`:

    from wordorder_lab.experiments.scoreboard.tasks import items_of, task_called
    for item in items_of(task_called("penn-np")):
        print(item.words)                        # the bag, or the sentence to shorten

Of `sr18` and `sr20` it is that of `wl.load_lemma_trees("sr18").test`, whose trees are the inputs.
Who is to learn from which document in a task of folds, the same cut says:

    from wordorder_lab.experiments.runs.corpora import folds_of
    folds = folds_of("ptb-sample", "base-np", 10)   # penn-words: "words"
    for number in range(10):
        part = folds.part(number)                   # learn from part.train, order part.test
        folds.places(number)                        # where these stand in the file
"""
NOBODY = "No record has a system on this task yet.\n"


def pages() -> list[Page]:
    """The page; its tables are made of records."""
    parts = [f"{front(TITLE, tags=('leaderboard', 'score'))}# {TITLE}", ABOUT, ORDER]
    for task in tasks().values():
        parts += [
            f"\n## {task.name}\n",
            f"{task.says} Get the corpus: `{task.get}`.\n",
            _table(task),
        ]
    parts += ["\n## How to cite\n", "The lab, and the paper of the system that you compare with:\n"]
    return [Page("results/scoreboard.md", "\n".join([*parts, _fenced(bibtex())]))]


def _table(task: Task) -> str:
    rows = [_row(task, entry) for entry in entries(task)]
    beside = "words kept" if task.kind == COMPRESS else "95 % interval, brevity"
    head = ("system", task.on, beside, "exact", "sentences", "record")
    return table(head, rows) if rows else NOBODY


def _row(task: Task, entry: Entry) -> tuple[str, ...]:
    row = entry.row
    score = SCALES.get(task.on, 1.0) * row[task.on]
    exact = row.get("exact_match", row.get("exact"))
    told = "" if exact is None else f"{exact:.1%}"
    more = entry.beside(task)
    if task.kind == COMPRESS:
        read = f"{more['rate']:.1%}, {more['at']}"
    else:
        read = "{:.2f} to {:.2f}".format(*more["interval"]) + f", {more['brevity']:.3f}"
    named = f"`{entry.experiment}`"
    if entry.experiment not in names():
        named = f"`scoreboard/{entry.experiment.replace('-', '_')}.toml`"
    return f"`{entry.system}`", f"{score:.2f}", read, told, f"{row['sentences']:,}", named


def bibtex() -> str:
    """The lab and the papers of its systems as BibTeX, from ``CITATION.cff``."""
    about = yaml.safe_load(Path(ROOT, "CITATION.cff").read_text(encoding="utf-8"))
    lab = {"title": f"{{{about['title']}}}", "author": "{the wordorder\\_lab developers}"}
    entries = [_entry("software", "wordorder_lab", {**lab, "version": f"{{{about['version']}}}"})]
    for paper in about["references"]:
        authors = " and ".join(f"{a['family-names']}, {a['given-names']}" for a in paper["authors"])
        key = f"{paper['authors'][0]['family-names'].lower()}{paper['year']}"
        fields = {"title": f"{{{paper['title']}}}", "author": f"{{{authors}}}"}
        fields |= {"year": str(paper["year"])}
        where = {"collection-title": "booktitle", "journal": "journal"}
        more = {"volume": "volume", "issue": "number"}
        for name, field in {**where, **more}.items():
            if name in paper:
                fields[field] = f"{{{paper[name]}}}"
        kind = "article" if "journal" in paper else "inproceedings"
        entries.append(_entry(kind, key, fields))
    return "\n\n".join(entries)


def _entry(kind: str, key: str, fields: dict[str, str]) -> str:
    lines = [f"  {name} = {value}," for name, value in fields.items()]
    return "\n".join([f"@{kind}{{{key},", *lines, "}"])


def _fenced(text: str) -> str:
    return f"```bibtex\n{text}\n```\n"
