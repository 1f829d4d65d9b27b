"""``wordorder-lab corpora``: what there is, where it was found, and what is in it.

``corpora ccg`` stands in ``corpora_ccg``.
"""

from __future__ import annotations

import sys
from argparse import Namespace
from collections import Counter
from collections.abc import Sequence
from typing import Any

from wordorder_lab.commands import corpora_ccg, corpora_lemmas, corpora_supertags
from wordorder_lab.commands.common import check_json
from wordorder_lab.commands.corpora_texts import describe_texts, text_lines, texts_found
from wordorder_lab.commands.output import report
from wordorder_lab.corpora import (
    CORPORA,
    TEXTS,
    Compressions,
    Corpus,
    CorpusError,
    ccg_corpora,
    load_compressions,
    load_corpus,
    load_texts,
)
from wordorder_lab.corpora.free_english import NAME as FREE_ENGLISH
from wordorder_lab.corpora.gazette_corpus import folder as gazette_folder
from wordorder_lab.corpora.penn_corpora import sample_files
from wordorder_lab.corpora.readers.files import LOOKED
from wordorder_lab.corpora.texts import is_text
from wordorder_lab.corpora.ud_corpora import TREEBANKS, named_treebank
from wordorder_lab.metrics.compression import gold_rate
from wordorder_lab.structures.sentence import Sentence

AGREEMENT, GAZETTE = "agreement", "gazette"
SAME = """Our conversion of the Penn sample beside NLTK's dependency_treebank, somebody else's:
with Yamada and Matsumoto's rules, and punctuation head only where there is nothing else, all
heads come out the same."""
DIFFERENT = """Let punctuation be as good a last resort as any word, and these are the phrases that
get another head, nearly all of them parentheticals whose closing dash, comma or bracket is head."""


def run(arguments: Namespace) -> int:
    """List the corpora, describe one, or compare two conversions."""
    check_json(arguments.json)
    if arguments.corpus == corpora_ccg.NAME:
        corpora_ccg.run(arguments)
        return 0
    corpora_ccg.refuse_elsewhere(arguments)
    if corpora_lemmas.is_here(arguments):
        corpora_lemmas.run(arguments)
        return 0
    if arguments.report and arguments.corpus != GAZETTE:
        raise ValueError(
            "--report is about the Gazette, derivations, or trees of lemmas: wordorder-lab corpora "
            "gazette --report, corpora ccg --report, or corpora sr18 --report"
        )
    if corpora_supertags.is_here(arguments.corpus):
        corpora_supertags.run(arguments)
        return 0
    if arguments.corpus is None:
        rows = every_corpus()
        lines = [
            f"{row['name']:<22} {row['what']}{' (has compressions)' if row['compressions'] else ''}"
            f"\n{'':22} {row['where']}"
            for row in rows
        ]
        report(lines, rows, arguments.json)
    elif arguments.corpus == AGREEMENT:
        _agreement(arguments)
    else:
        if arguments.corpus == GAZETTE:
            print(_rewritten(), file=sys.stderr if arguments.json else sys.stdout)
            if arguments.report:
                _report()
        _describe(arguments)
    return 0


def every_corpus() -> list[dict[str, Any]]:
    """A row each: ``name``, ``what``, whether it was ``found``, and ``where``, or how to get it."""
    rows = [*map(_found, CORPORA), *map(texts_found, TEXTS)]
    return [*rows, *corpora_supertags.found(), *corpora_lemmas.found()]


def _describe(arguments: Namespace) -> None:
    """What is in one corpus: sentences, or pairs, or both."""
    if is_text(arguments.corpus):
        told = describe_texts(load_texts(arguments.corpus))
        report(text_lines(told), told, arguments.json)
        return
    pairs = _compressions(arguments.corpus)
    if pairs is not None and arguments.corpus != GAZETTE:
        data: dict[str, Any] = {"corpus": pairs.name, "compressions": pair_sizes(pairs)}
        report([pairs.name, *_about_pairs(data)], data, arguments.json)
        return
    data = describe(load_corpus(arguments.corpus, units=arguments.units))
    data |= {"compressions": pair_sizes(pairs)} if pairs is not None else {}
    report([*_description(data), *_about_pairs(data)], data, arguments.json)


def pair_sizes(pairs: Compressions) -> dict[str, dict[str, Any]]:
    """Of every split: how many pairs, of which kinds, and the share of the words that stays."""
    rows = {}
    for split in pairs.splits:
        of_split = pairs.split(split)
        kinds = Counter(pair.kind or "pairs" for pair in of_split)
        rate = gold_rate(of_split)
        rows[split] = {"pairs": len(of_split), "rate": rate, "kinds": dict(kinds.most_common())}
    return rows


def _about_pairs(data: dict[str, Any]) -> list[str]:
    rows = data.get("compressions")
    if rows is None:
        return []
    lines = [f"{'compressions':<13}{'pairs':>7}{'rate':>9}  kinds"]
    for split, row in rows.items():
        kinds = ", ".join(f"{number:,} {kind}" for kind, number in row["kinds"].items())
        lines.append(f"{split:<13}{row['pairs']:>7,}{row['rate']:>9.1%}  {kinds}")
    return lines


def _rewritten() -> str:
    """Write the Gazette again from its seed; the files are the same bytes unless it has changed."""
    from wordorder_lab.corpora.gazette.generate import SEED
    from wordorder_lab.corpora.gazette.writing import write

    changed = write(gazette_folder())
    names = ", ".join(path.name for path in changed) or "every byte as it was"
    return f"wrote {gazette_folder()} from seed {SEED}: {names}\n"


def _report() -> None:
    """Measure the Gazette beside the Penn sample, and how well its dev split can be ordered."""
    from wordorder_lab.experiments.bigram_baseline import beside
    from wordorder_lab.experiments.corpus_report import write_report
    from wordorder_lab.experiments.records import write_json
    from wordorder_lab.models.model_file import versions

    print("training two linearizers; this takes a minute ...", file=sys.stderr, flush=True)
    corpora = [load_corpus(GAZETTE, units=units) for units in ("base-np", "words")]
    rows = [row for corpus in corpora for row in beside(corpus)]
    paths = write_report(gazette_folder(), gazette_folder(), rows)
    record = gazette_folder() / "report.json"
    command = "wordorder-lab corpora gazette --report"
    write_json(record, {"command": command, "rows": rows, "versions": versions()})
    print("wrote", *(str(path) for path in (*paths, record)), file=sys.stderr)


def _found(name: str) -> dict[str, Any]:
    try:
        load_corpus(name)
    except CorpusError as error:
        where, there = str(error).partition(LOOKED)[0], False
    else:
        where, there = f"found: {_place(name)}", True
    status = {"name": name, "what": CORPORA[name], "found": there, "where": where}
    return {**status, "compressions": _compressions(name) is not None}


def _compressions(name: str) -> Compressions | None:
    """The compressions of a corpus, if it has any; nothing is read yet."""
    try:
        return load_compressions(name)
    except CorpusError:
        return None


def _place(name: str) -> str:
    """Where a corpus that was found lies; of the licensed one its owner knows."""
    if name == FREE_ENGLISH:
        return "where its four parts are"
    if name == GAZETTE:
        return str(gazette_folder())
    if name in ("ptb-sample", "ptb-sample-in-order"):
        return str(sample_files("dev")[0].parent)
    if name in TREEBANKS:
        reader: Any = named_treebank(name)["dev"]
        return str(reader.args[0][0].parent)  # a partial of the reader over its files
    if name in ccg_corpora.TREEBANKS:
        return str(next(iter(ccg_corpora.treebank_files(name).values())).parent)
    return "the folder that you named"


def describe(corpus: Corpus) -> dict[str, Any]:
    """Sizes and base NPs of every split and of all together, and what CCG derivations there are."""
    splits = {split: corpus.split(split) for split in corpus.splits}
    rows = {split: _sizes(sentences) for split, sentences in splits.items()}
    for split in splits:
        rows[split]["left_out"] = corpus.skipped(split)
    everything = [s for sentences in splits.values() for s in sentences]
    rows["all"] = _sizes(everything)
    data = {"corpus": corpus.name, "units": corpus.units, "splits": rows}
    return data | {"ccg": ccg} if (ccg := _derivations(everything)) else data


def _sizes(sentences: Sequence[Sentence]) -> dict[str, Any]:
    phrases = [t for sentence in sentences for t in sentence if t.pos == "NP"]
    longest = max(sentences, key=len)
    return {
        "sentences": len(sentences),
        "units": sum(map(len, sentences)),
        "words": sum(len(sentence.surface) for sentence in sentences),
        "longest": len(longest),
        "longest_name": longest.name,
        "base_nps": len(phrases),
        "base_nps_per_sentence": len(phrases) / len(sentences),
        "base_nps_of_one_word": sum(len(t.words) == 1 for t in phrases) / max(1, len(phrases)),
    }


def _derivations(sentences: Sequence[Sentence]) -> dict[str, Any]:
    """How many sentences have a CCG derivation, and what is in these; nothing if none has."""
    named = [(s.name, s.derivation) for s in sentences if s.derivation is not None]
    if not named:
        return {}
    leaves = {(leaf.word, leaf.category) for _, derivation in named for leaf in derivation.leaves()}
    odd = [f"{name}: {problem}" for name, derivation in named if (problem := derivation.problem())]
    return {
        "derivations": len(named),
        "lexical_categories": len({category for _, category in leaves}),
        "categories_per_unit": len(leaves) / len({word for word, _ in leaves}),
        "with_a_step_of_no_rule": len(odd),
        "the_first": odd[0] if odd else None,
    }


def _description(data: dict[str, Any]) -> list[str]:
    lines = [
        f"{data['corpus']} ({data['units']})",
        f"{'split':<6}{'sentences':>10}{'units':>9}{'words':>9}{'longest':>9}"
        f"{'base NPs':>10}{'a sentence':>12}{'one word':>10}",
    ]
    for split, row in data["splits"].items():
        lines.append(
            f"{split:<6}{row['sentences']:>10,}{row['units']:>9,}{row['words']:>9,}"
            f"{row['longest']:>9}" + _phrases(row)
        )
        lines += [f"       {n:,} {why} left out" for why, n in row.get("left_out", {}).items()]
    return lines + _about_ccg(data.get("ccg"))


def _about_ccg(data: dict[str, Any] | None) -> list[str]:
    if data is None:
        return []
    lines = [
        f"{data['derivations']:,} CCG derivations, {data['lexical_categories']:,} lexical "
        f"categories, {data['categories_per_unit']:.2f} for a unit"
    ]
    if odd := data["with_a_step_of_no_rule"]:
        lines.append(f"{odd:,} with a step that follows from no rule, first {data['the_first']}")
    return lines


def _phrases(row: dict[str, Any]) -> str:
    if not row["base_nps"]:
        return f"{'-':>10}{'-':>12}{'-':>10}"
    shares = f"{row['base_nps_per_sentence']:>12.2f}{row['base_nps_of_one_word']:>10.1%}"
    return f"{row['base_nps']:>10,}{shares}"


def _agreement(arguments: Namespace) -> None:
    from wordorder_lab.corpora.agreement import agreement
    from wordorder_lab.structures.head_rules import YAMADA_MATSUMOTO

    ours = agreement()
    other = agreement(table=YAMADA_MATSUMOTO.without_passing_over())
    data = {"ours": ours.to_dict(), "without_passing_over_punctuation": other.to_dict()}
    report([SAME, "", str(ours), "", DIFFERENT, "", str(other)], data, arguments.json)
