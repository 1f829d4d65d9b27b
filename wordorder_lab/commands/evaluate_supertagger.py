"""``wordorder-lab evaluate`` with a supertagger: words right, and what each beta keeps."""

from __future__ import annotations

from argparse import Namespace

from wordorder_lab.commands.common import refuse_others, scored_on
from wordorder_lab.commands.output import report
from wordorder_lab.corpora.supertags import load_supertags
from wordorder_lab.experiments.runs.parse_evaluate import PAPER, TaggingScores, evaluate_supertagger
from wordorder_lab.systems.supertagger import Supertagger

OTHER = ("pos", "deps", "seed", "against", "rate", "supertagger", "errors", "beta")
"""Options of ``evaluate`` that are other systems'."""


def run(arguments: Namespace, model: Supertagger) -> int:
    """Tag the sentences, print the table, write the numbers."""
    refuse_others(model, arguments, OTHER, "in its evaluation")
    name = scored_on(model, arguments)
    units = arguments.units or (model.settings.get("units") if arguments.corpus is None else None)
    corpus = load_supertags(name, units=units)
    scores = evaluate_supertagger(model, corpus.split(arguments.split), engine=arguments.engine)
    place = {"system": model.system, "corpus": name, "split": arguments.split}
    place |= {"units": corpus.units, "model": arguments.model}
    head = f"{model.system} on {name} {arguments.split}: units {corpus.units}"
    report([head, "", *_lines(scores)], {**place, **scores.to_dict()}, arguments.json)
    return 0


def _lines(scores: TaggingScores) -> list[str]:
    rows = [
        ("words right, gold tags", scores.accuracy),
        ("  without punctuation", scores.without_marks),
        ("most frequent category", scores.baseline),
        ("words right, tags guessed", scores.guessed),
        ("tags guessed right", scores.tags_guessed),
    ]
    lines = [f"{what:<28}{share:8.2%}" for what, share in rows]
    lines += [f"{'words, sentences':<28}{scores.words:8,}{scores.sentences:8,}"]
    lines += [f"{'words a CPU second':<28}{scores.words_per_second:8,.0f}", ""]
    lines += [f"{'beta':<10}{'categories a word':>18}{'gold kept':>12}{'C&C, paper':>12}"]
    for row in scores.kept:
        paper = f"{PAPER[row.beta]:.1f}" if row.beta in PAPER else ""
        kept = f"{row.beta:<10g}{row.categories:>18.2f}{row.coverage:>12.2%}{paper:>12}"
        lines.append(kept.rstrip())
    return lines
