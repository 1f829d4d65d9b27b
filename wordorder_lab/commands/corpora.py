"""``wordorder-lab corpora``: what there is, where it was found, and what is in it.

``corpora ccg`` stands in ``corpora_ccg``.
"""

from __future__ import annotations

import sys
from argparse import Namespace
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import NamedTuple

from wordorder_lab.commands import corpora_ccg
from wordorder_lab.commands.output import Described, check_json, report
from wordorder_lab.corpora import (
    CORPORA,
    TEXTS,
    CorpusError,
    ccg_corpora,
    lemma_corpora,
    load_compressions,
    load_corpus,
    load_texts,
    ud_corpora,
)
from wordorder_lab.corpora.free_english import NAME as FREE_ENGLISH
from wordorder_lab.corpora.gazette_corpus import GENERATOR
from wordorder_lab.corpora.gazette_corpus import folder as gazette_folder
from wordorder_lab.corpora.lemma_corpora import LEMMA_CORPORA, LemmaTrees
from wordorder_lab.corpora.older_english import deviations, older
from wordorder_lab.corpora.penn_corpora import sample_files
from wordorder_lab.corpora.readers.corpus import Corpus, Item, Splits
from wordorder_lab.corpora.readers.files import LOOKED
from wordorder_lab.corpora.supertags import ENDINGS, SOURCE, SUPERTAGS, load_supertags
from wordorder_lab.corpora.texts import Texts, is_text
from wordorder_lab.experiments.runs.schema import Row
from wordorder_lab.metrics.compression import gold_rate
from wordorder_lab.structures.compression import CompressionPair, TextPair
from wordorder_lab.structures.head_rules import YAMADA_MATSUMOTO
from wordorder_lab.structures.lemma_tree import LemmaTree
from wordorder_lab.structures.sentence import Sentence, Supertagged

AGREEMENT, GAZETTE = "agreement", "gazette"
CHECKOUT = "git clone the repository, and python -m pip install --editable ."
MISSED = 12
"""Words without their right form that are shown."""
ALLOWED = {"": {}, " with two lifts and two spare words": {"lifts": 2, "spare": 2}}
"""What is allowed in mapping trees to their references, as the report calls it."""
SAME = """Our conversion of the Penn sample beside NLTK's dependency_treebank, somebody else's:
with Yamada and Matsumoto's rules, and punctuation head only where there is nothing else, all
heads come out the same."""
DIFFERENT = """Let punctuation be as good a last resort as any word, and these are the phrases that
get another head, nearly all of them parentheticals whose closing dash, comma or bracket is head."""


def run(arguments: Namespace) -> int:
    """List the corpora, describe one, or compare two conversions."""
    check_json(arguments.json)
    is_ccg = arguments.corpus == corpora_ccg.NAME
    report(*(corpora_ccg.run if is_ccg else _run)(arguments), arguments.json)
    return 0


def _run(arguments: Namespace) -> Described:
    corpora_ccg.refuse_elsewhere(arguments)
    name, treebanks = arguments.corpus, ud_corpora.TREEBANKS
    is_lemmas = name in (*LEMMA_CORPORA, *ud_corpora.OTHER_LANGUAGES)
    if arguments.report and name:
        is_lemmas |= name in treebanks or ud_corpora.holds_conllu(Path(name))
    if arguments.report and not is_lemmas and name != GAZETTE:
        raise ValueError(
            "--report is about the Gazette, derivations, or trees of lemmas: wordorder-lab corpora "
            "gazette --report, corpora ccg --report, or corpora sr18 --report"
        )
    if name is None:
        rows = every_corpus()
        return [line for row in rows for line in _listed(row)], rows
    if name == AGREEMENT:
        return _agreement()
    if is_lemmas:
        return _lemmas(arguments)
    if name == GAZETTE:
        _write_gazette(arguments)
    return _described(name, arguments.units)


# --- all of them --------------------------------------------------------------------------------


def every_corpus() -> list[Row]:
    """A row each: ``name``, ``what``, whether it was ``found``, and ``where``, or how to get it."""
    return [
        *(found_row(name, what, _place, name == GAZETTE) for name, what in CORPORA.items()),
        *(found_row(name, what, _place, True) for name, what in TEXTS.items()),
        *(found_row(name, what, _place) for name, (what, _) in SUPERTAGS.items()),
        *(found_row(name, what, lemma_corpora.task_folder) for name, what in LEMMA_CORPORA.items()),
    ]


def found_row(
    name: str, what: str, place: Callable[[str], object], compressions: bool = False
) -> Row:
    """A row of ``every_corpus``; ``place`` says where it lies, or raises ``CorpusError``."""
    try:
        found: Row = {"found": True, "where": f"found: {place(name)}"}
    except CorpusError as error:
        found = {"found": False, "where": str(error).partition(LOOKED)[0]}
    return {"name": name, "what": what, **found, "compressions": compressions}


def _place(name: str) -> object:
    """Where a corpus lies; of a licensed one its owner knows. ``CorpusError`` if it is nowhere."""
    if name in TEXTS:
        load_texts(name)
        return "words without trees, which a parser makes"
    if name in SUPERTAGS:
        load_supertags(name)
        return f"words with categories, of {SOURCE}"
    load_corpus(name)
    if name == FREE_ENGLISH:
        return "where its four parts are"
    if name == GAZETTE:
        return gazette_folder()
    if name in ("ptb-sample", "ptb-sample-in-order"):
        return sample_files("dev")[0].parent
    if name in ud_corpora.TREEBANKS:
        return ud_corpora.named_folder(name)
    if name in ccg_corpora.TREEBANKS:
        return ccg_corpora.treebank_folder(name)
    return "the folder that you named"


def _listed(row: Row) -> list[str]:
    more = " (has compressions)" if row["compressions"] else ""
    return [f"{row['name']:<22} {row['what']}{more}", f"{'':22} {row['where']}"]


# --- one of them --------------------------------------------------------------------------------


class Table(NamedTuple):
    """A line a split: titles of the columns with their widths, and what a row has in them."""

    titles: dict[str, int]
    cells: Callable[[Row], Iterable[object]]
    first: str = "split"

    def lines(self, rows: Mapping[str, Row]) -> list[str]:
        """The head, and of each split its line; below it what was left out, and what is odd."""
        lines = [self._line(self.first, self.titles)]
        for name, row in rows.items():
            lines.append(self._line(name, self.cells(row)))
            lines += [f"       {n:,} {why} left out" for why, n in row.get("left_out", {}).items()]
            if other := row.get("no_deletions"):
                lines.append(
                    f"       {other:,} references have other words: learned as substitutions"
                )
        return lines

    def _line(self, name: str, cells: Iterable[object]) -> str:
        """Numbers have commas between thousands; the text of a column without width any length."""
        line = f"{name:<{len(self.first) + 1}}"
        for cell, width in zip(cells, self.titles.values(), strict=True):
            shown = f"{cell:,}" if isinstance(cell, int) else str(cell)
            line += f"{shown:>{width}}" if width else f"  {shown}"
        return line


def _described(name: str, units: str | None) -> Described:
    if name in SUPERTAGS or name.endswith(ENDINGS):
        return _of_kind(load_supertags(name, units=units), _sizes_of_tags, TAGS)
    if is_text(name):
        return _of_kind(load_texts(name), _sizes_of_texts, TEXT_PAIRS)
    try:
        pairs = load_compressions(name)
    except CorpusError:
        return _sentences(load_corpus(name, units=units))
    rows = {split: _sizes_of_pairs(pairs.split(split)) for split in pairs.splits}
    lines, data = [pairs.name], {"corpus": pairs.name}
    if name == GAZETTE:
        lines, data = _sentences(load_corpus(name, units=units))
    return [*lines, *TREE_PAIRS.lines(rows)], {**data, "compressions": rows}


def _of_kind(
    corpus: Splits[Item], sizes: Callable[[Sequence[Item]], Row], table: Table
) -> Described:
    rows = {split: sizes(corpus.split(split)) for split in corpus.splits}
    if isinstance(corpus, Texts):
        rows = {split: {**row, "left_out": corpus.skipped(split)} for split, row in rows.items()}
    return [corpus.name, *table.lines(rows)], {"corpus": corpus.name, "splits": rows}


def _sentences(corpus: Corpus) -> Described:
    rows = {
        split: {**_sizes(corpus.split(split)), "left_out": corpus.skipped(split)}
        for split in corpus.splits
    }
    everything = list(corpus.every())
    rows["all"] = _sizes(everything)
    data: Row = {"corpus": corpus.name, "units": corpus.units, "splits": rows}
    lines = [f"{corpus.name} ({corpus.units})", *SENTENCES.lines(rows)]
    if ccg := _derivations(everything):
        data["ccg"] = ccg
        lines.append(
            f"{ccg['derivations']:,} CCG derivations, {ccg['lexical_categories']:,} lexical "
            f"categories, {ccg['categories_per_unit']:.2f} for a unit"
        )
        if odd := ccg["with_a_step_of_no_rule"]:
            first = ccg["the_first"]
            lines.append(f"{odd:,} with a step that follows from no rule, first {first}")
    return lines, data


def _sizes(sentences: Sequence[Sentence]) -> Row:
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


def _cells(row: Row) -> list[object]:
    shares = [f"{row['base_nps_per_sentence']:.2f}", f"{row['base_nps_of_one_word']:.1%}"]
    phrases = [row["base_nps"], *shares] if row["base_nps"] else ["-"] * 3
    return [row["sentences"], row["units"], row["words"], row["longest"], *phrases]


SENTENCES = Table(
    {"sentences": 10, "units": 9, "words": 9, "longest": 9}
    | {"base NPs": 10, "a sentence": 12, "one word": 10},
    _cells,
)


def _derivations(sentences: Sequence[Sentence]) -> Row:
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


def _sizes_of_pairs(pairs: Sequence[CompressionPair]) -> Row:
    kinds = Counter(pair.kind or "pairs" for pair in pairs)
    return {"pairs": len(pairs), "rate": gold_rate(pairs), "kinds": dict(kinds.most_common())}


TREE_PAIRS = Table(
    {"pairs": 7, "rate": 9, "kinds": 0},
    lambda row: [row["pairs"], f"{row['rate']:.1%}", _counted(row["kinds"])],
    "compressions",
)


def _sizes_of_texts(pairs: Sequence[TextPair]) -> Row:
    rates = []
    for number in range(max(len(pair.targets) for pair in pairs)):
        theirs = [pair for pair in pairs if number < len(pair.targets)]
        kept = sum(len(pair.targets[number]) for pair in theirs)
        rates.append(kept / sum(len(pair.source) for pair in theirs))
    keeps = [keep for pair in pairs for keep in pair.keeps]
    return {
        "pairs": len(pairs),
        "documents": len({pair.document for pair in pairs}),
        "words": sum(len(pair.source) for pair in pairs),
        "longest": max(len(pair.source) for pair in pairs),
        "references": len(keeps),
        "rates": rates,
        "unchanged": sum(keep is not None and all(keep) for keep in keeps),
        "no_deletions": sum(keep is None for keep in keeps),
    }


TEXT_COLUMNS = {"pairs": 8, "documents": 11, "words": 9, "longest": 9, "references": 12}
TEXT_PAIRS = Table(
    {**TEXT_COLUMNS, "unchanged": 11, "rate of each annotator": 0},
    lambda row: [
        *(row[name] for name in (*TEXT_COLUMNS, "unchanged")),
        " ".join(f"{rate:.1%}" for rate in row["rates"]),
    ],
)


def _sizes_of_tags(sentences: Sequence[Supertagged]) -> Row:
    lengths = [len(sentence.words) for sentence in sentences]
    categories = {category for one in sentences for category in one.categories}
    sizes = {"sentences": len(sentences), "words": sum(lengths), "longest": max(lengths)}
    return {**sizes, "categories": len(categories)}


TAGS = Table({"sentences": 10, "words": 9, "longest": 9, "categories": 12}, dict.values)


def _sizes_of_lemmas(trees: Sequence[LemmaTree]) -> Row:
    return {
        "trees": len(trees),
        "lemmas": sum(map(len, trees)),
        "with_reference": sum(bool(tree.reference) for tree in trees),
        "ranked": sum(node.rank is not None for tree in trees for node in tree.nodes),
    }


LEMMAS = Table({"trees": 8, "lemmas": 9, "references": 12, "ranked": 9}, dict.values)


def _lemmas(arguments: Namespace) -> Described:
    if arguments.units not in (None, "words"):
        raise ValueError(f"{arguments.corpus} is words: leave --units out")
    corpus = lemma_corpora.load_lemma_trees(arguments.corpus)
    lines, data = _of_kind(corpus, _sizes_of_lemmas, LEMMAS)
    if arguments.report:
        data |= _lemma_report(corpus, arguments.corpus)
        lines += _lemma_lines(data)
    return lines, data


def _lemma_report(corpus: LemmaTrees, name: str) -> Row:
    """What can be made of trees of lemmas; ``ValueError`` for a corpus of one part.

    Where references have their words from, what differs from the older treebank, how many forms a
    lemma has and how often the right one is there, how many trees can be mapped to references.
    """
    from wordorder_lab.systems.realization_examples import (
        count_mappings,
        gold_mappings,
        learn_inflector,
        score,
    )

    if len(corpus.splits) < 2:
        raise ValueError(f"{corpus.name} has one part only: there is nothing unseen to score on")
    learned, unseen = corpus.splits[:2]
    on: Sequence[LemmaTree] = corpus.split(unseen)
    data: Row = {}
    if name in LEMMA_CORPORA:
        on = lemma_corpora.ordered_trees(name, unseen)
        today = lemma_corpora.load_lemma_trees("ewt").dev
        sources = lemma_corpora.reference_sources
        mapped = [older(tree) for tree in today]
        data["references"] = {split: sources(name, split) for split in ("dev", "test")}
        data["deviations"] = {"before": deviations(today, on), "after": deviations(mapped, on)}
    english = name in (*LEMMA_CORPORA, *ud_corpora.TREEBANKS)
    inflector = learn_inflector(corpus.split(learned), english=english)
    inflection = asdict(score(inflector, on))
    inflection["missed"] = [[*what, count] for what, count in inflection["missed"][:MISSED]]
    data["inflection"] = {"learned": learned, "scored": unseen, "english": english, **inflection}
    data["mappings"] = {}
    for split in corpus.splits:
        for what, allowed in ALLOWED.items():
            mappings = gold_mappings(corpus.split(split), inflector, **allowed)
            data["mappings"][f"{split}{what}"] = asdict(count_mappings(mappings))
    return data


def _lemma_lines(data: Row) -> Iterator[str]:
    for split, sources in data.get("references", {}).items():
        yield f"words of {split} references: {_counted(sources)}"
    for when, counts in data.get("deviations", {}).items():
        yield f"EWT today and the task's dev part, {when} mapping: {_counted(counts)}"
    forms = data["inflection"]
    yield (
        f"inflection, counted in {forms['learned']}, {forms['words']:,} words of "
        f"{forms['scored']}: {forms['forms']:.2f} forms a lemma"
    )
    yield (
        f"  right one among them {forms['among']:.1%} ({forms['among_cased']:.1%} with capitals), "
        f"first of them {forms['first']:.1%} ({forms['first_cased']:.1%})"
    )
    yield "  not among them, tag, lemma, word, forms:"
    for tag, *rest, n in forms["missed"]:
        yield f"    {tag:<6}{' | '.join(rest)} ({n})"
    for what, row in data["mappings"].items():
        why = "".join(f"; {count:,} {reason}" for reason, count in row["reasons"].items())
        known = f"; {row['as_annotated']:,} of {row['known']:,} as annotated" * bool(row["known"])
        yield (
            f"mapped to references, {what}: {row['trees']:,} trees, {row['one']:,} in one way, "
            f"{row['several']:,} in several, {row['none']:,} in none{why}; "
            f"{row['lifted']:,} lifted, {row['spared']:,} with a word that is no form{known}"
        )


def _counted(counts: dict[str, int]) -> str:
    return ", ".join(f"{count:,} {what}" for what, count in counts.items())


def _agreement() -> Described:
    from wordorder_lab.corpora.agreement import agreement

    ours = agreement()
    other = agreement(table=YAMADA_MATSUMOTO.without_passing_over())
    data = {"ours": ours.to_dict(), "without_passing_over_punctuation": other.to_dict()}
    return [SAME, "", str(ours), "", DIFFERENT, "", str(other)], data


# --- the Gazette --------------------------------------------------------------------------------


def _write_gazette(arguments: Namespace) -> None:
    """Write the Gazette from its seed, and a report; ``ValueError`` if its grammar is not here."""
    folder = gazette_folder()
    if not GENERATOR.is_dir():
        lacking = f"the grammar that writes the Gazette is in a checkout alone: {CHECKOUT}"
        if arguments.report:
            raise ValueError(f"{lacking}; the report is written beside its files there")
        message = f"read {folder}; {lacking}\n"
    else:
        if str(GENERATOR.parent) not in sys.path:
            sys.path.append(str(GENERATOR.parent))
        from gazette_generator.generate import SEED
        from gazette_generator.writing import write

        names = ", ".join(path.name for path in write(folder)) or "every byte as it was"
        message = f"wrote {folder} from seed {SEED}: {names}\n"
    print(message, file=sys.stderr if arguments.json else sys.stdout)
    if not arguments.report:
        return
    from wordorder_lab.experiments.corpus_report import beside, write_report
    from wordorder_lab.experiments.records import write_json
    from wordorder_lab.models.model_file import versions

    print("training two linearizers; this takes a minute ...", file=sys.stderr, flush=True)
    corpora = [load_corpus(GAZETTE, units=units) for units in ("base-np", "words")]
    rows = [row for corpus in corpora for row in beside(corpus)]
    paths = write_report(folder, folder, rows)
    record = folder / "report.json"
    command = "wordorder-lab corpora gazette --report"
    write_json(record, {"command": command, "rows": rows, "versions": versions()})
    print("wrote", *(str(path) for path in (*paths, record)), file=sys.stderr)
