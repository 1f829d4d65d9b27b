"""The measure "outputs": the sentences that a paper prints, ordered here and scored as the paper's.

Each run trains one model. It orders the bag of every printed sentence that is in the corpus under
the inputs of the paper's outputs, each of which is scored beside its own.

A paper sets its examples as a newspaper would, "61 years old, will"; a treebank has every mark as a
word of its own. What the two have in common are letters and digits, in their order.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Container, Iterator, Sequence
from typing import ClassVar, NamedTuple

from wordorder_lab.corpora.readers.corpus import Corpus
from wordorder_lab.experiments.measures import figures, measure, tables
from wordorder_lab.experiments.measures.figures import COLOURS, GREY, plain
from wordorder_lab.experiments.measures.tables import PAPER, Record, Row, Rows, grouped
from wordorder_lab.experiments.runs.corpora import corpus_of
from wordorder_lab.experiments.runs.ordering_evaluate import DIGITS, bags_of_run
from wordorder_lab.experiments.runs.schema import SETTING, Kind, check, listing, table
from wordorder_lab.experiments.runs.settings import usual
from wordorder_lab.experiments.runs.training import train_run
from wordorder_lab.metrics.bleu import corpus_bleu, sacrebleu_metric, sentence_bleu
from wordorder_lab.metrics.ordering import brevity
from wordorder_lab.structures.sentence import Sentence
from wordorder_lab.systems.model import OrderingModel

SHARES = ("pos", "deps")
BY = "by"
GIVEN = (*SHARES, BY)
"""What an output was made with and, where a paper has several systems, by which."""
TEXT = Kind("a text that is not empty", lambda value: isinstance(value, str) and value != "")
OUTPUT = table(
    {**{n: SETTING[n] for n in SHARES}, "text": TEXT, BY: TEXT}, needed=(*SHARES, "text")
)
SENTENCE = {"reference": TEXT, "outputs": listing(OUTPUT, 1)}
ALSO = {"table": TEXT, "references": listing(TEXT, 1)}


class _Outputs(measure.Measure):
    """A row for each output that the paper prints; training's shares are renamed."""

    own_table: ClassVar[str] = "[[paper.sentences]]"

    def check_table(self, content: Record) -> None:
        paper = content["paper"]
        for name, keys, least in (("sentences", SENTENCE, 1), ("also", ALSO, 0)):
            kind = listing(table(keys, needed=tuple(keys)), least)
            check(paper.get(name, []), kind, f"paper.{name}")

    def rows(self, setup: measure.Setup) -> list[Row]:
        """The rows of one run; a sentence that is not in the corpus has rows without an output."""
        run, cut, sentences = setup.run, setup.cut, setup.specification.paper["sentences"]
        corpus = corpus_of(run["corpus"], run["units"])
        found_at = places(corpus, [printed["reference"] for printed in sentences])
        numbers: Row = {}
        model = train_run(run, cut(corpus.train), lambda new, _: numbers.update(new))
        own = {k: value for k, value in run.items() if k not in (*SHARES, "split", "epochs")}
        own |= {f"training_{name}": usual(run, name) for name in SHARES}
        own |= {name: numbers[name] for name in ("epoch", "training_seconds")}
        by = run["system"], run.get("categories", "dictionary")
        rows = []
        for number, (printed, place) in enumerate(zip(sentences, found_at), 1):
            # Those of this very system, or with these categories; of none, all of them.
            mine = [output for output in printed["outputs"] if output.get(BY) in by]
            for output in mine or printed["outputs"]:
                row = {**own, "number": number, "split": None, "reference": printed["reference"]}
                row |= {name: output[name] for name in GIVEN if name in output}
                if place is None:
                    row["paper_output"] = output["text"]
                else:
                    row |= _ordered(model, place, output, run)
                rows.append(row)
        return rows

    def finish(self, record: Row) -> None:
        """Add the scores of all sentences together, and where the paper's other examples stand."""
        super().finish(record)
        metric = sacrebleu_metric("cased", effective_order=True)
        metric.sentence_score("a", ["a"])  # so that it knows how many references there are
        record["signatures"]["bleu_sentence"] = str(metric.get_signature())
        rows = record["rows"]
        record["together"] = list(_together([row for row in rows if "output" in row]))
        corpus = corpus_of(rows[0]["corpus"], rows[0]["units"])
        record["also"] = [
            {"table": group["table"], **_stands(place), "printed": printed}
            for group in record["paper"].get("also", [])
            for printed, place in zip(group["references"], places(corpus, group["references"]))
        ]

    def wanted(self, specification: measure.Specification) -> Iterator[Record]:
        for run in specification.runs:
            yield {**measure.as_trained(run), "epoch": run.get("epochs")}


def _ordered(model: OrderingModel, place: _Place, output: Record, run: Record) -> Row:
    """Where the sentence stands, what comes out for it here, and the paper's output, scored in the
    same way."""
    split, sentence = place
    given = {"pos": output["pos"], "deps": output["deps"], "seed": usual(run, "seed")}
    task, options = bags_of_run(model, run, **given)
    result = model.order(task(sentence), **options)
    theirs = as_words(output["text"], sentence)
    papers = {"output": theirs, **_scored(theirs, sentence.text)}
    return {
        **_stands(place),
        "learned": split == "train",
        "reference": sentence.text,
        "length": len(sentence),
        "stopped": result.stopped,
        "output": result.text,
        **_scored(result.text, sentence.text),
        **{PAPER + name: value for name, value in papers.items()},
    }


def _scored(output: str, reference: str) -> Row:
    return {
        "bleu_sentence": round(sentence_bleu(output, reference), DIGITS),
        "exact": output.split() == reference.split(),
        **measure.rounded({"brevity": brevity([output], [reference])}),
    }


def _stands(place: _Place | None) -> Row:
    split, name = (None, None) if place is None else (place.split, place.sentence.name)
    return {"split": split, "sentence": name}


def _together(rows: Rows) -> Iterator[Row]:
    for key, mine in grouped(rows, GIVEN):
        references = [row["reference"] for row in mine]
        bleu = {
            f"{whose}bleu_cased": corpus_bleu([r[f"{whose}output"] for r in mine], references).score
            for whose in ("", PAPER)
        }
        exact = {f"{whose}exact": sum(r[f"{whose}exact"] for r in mine) for whose in ("", PAPER)}
        yield {**key, "sentences": len(mine), **measure.rounded(bleu), **exact}


# --- a paper's printed sentences and ours: as text to read, and as a picture of their scores ------


WHOSE = {"": "here", PAPER: "the paper"}
SHORT = 26
BARS = (0.2, COLOURS[0], "", "here"), (-0.2, GREY, PAPER, "the paper's output")


def _output_lines(record: Record) -> list[str]:
    lines = []
    for _, rows in grouped(record["rows"], ("number", "training_pos", "training_deps")):
        lines += [_heading(rows[0]), f"   reference: {rows[0]['reference']}"]
        for row in rows:
            lines.append(f"   {_given(row)}")
            lines += [_output(row, prefix) for prefix in WHOSE if f"{prefix}output" in row]
        lines.append("")
    lines += ["BLEU, cased, of all sentences together (the paper's outputs in brackets):"]
    for one in record["together"]:
        scores = f"{one['bleu_cased']:.1f} ({one['paper_bleu_cased']:.1f})"
        exact = f"{one['exact']} ({one['paper_exact']}) of {one['sentences']} word for word"
        lines.append(f"   {_given(one)}: {scores}, {exact}")
    for key, rows in grouped(record["also"], ("table",)):
        lines += ["", f"{key['table']}, {len(rows)} sentences:"]
        for split, mine in grouped(rows, ("split",)):
            named = ", ".join(row["sentence"] or row["printed"] for row in mine)
            lines.append(f"   {split['split'] or 'not found'}: {named}")
    return lines


def _heading(row: Record) -> str:
    if row["split"] is None:
        return f"{row['number']}  not in {row['corpus']}"
    learned = ": THE MODEL HAS LEARNED FROM IT" if row["learned"] else ""
    return f"{row['number']}  {row['split']}, {row['sentence']}, {row['length']} units{learned}"


def _given(row: Record) -> str:
    shares = [tables.share_name(name, row[name]) for name in SHARES]
    return ", ".join([*([row[BY]] if row.get(BY) else []), *shares])


def _output(row: Record, prefix: str) -> str:
    """An output with its score; one of the paper for a sentence that is not here has none."""
    text, score = row[f"{prefix}output"], row.get(f"{prefix}bleu_sentence")
    if score is None:
        return f"      {WHOSE[prefix]:<9}        {text}"
    share = row[f"{prefix}brevity"]
    notes = [] if prefix or row["stopped"] == "complete" else [f"stopped: {row['stopped']}"]
    notes += [f"{share:.0%} of the words"] if share != 1 else []
    note = f"  ({', '.join(notes)})" if notes else ""
    return f"      {WHOSE[prefix]:<9} {score:5.1f}  {text}{note}"


def _sentences_drawn(figure: figures.Figure, record: Record, _options: Record) -> None:
    """A panel for each input, a pair of bars for each sentence: its BLEU here and in the paper."""
    rows = [row for row in record["rows"] if "output" in row]
    inputs = grouped(rows, GIVEN)
    figure.set_size_inches(3.4 * max(1, len(inputs)) + 1.6, 4.8)
    panels = figures.side_by_side(figure, max(1, len(inputs)))
    names = {row["number"]: _short(row) for row in rows}
    for axes, (key, mine) in zip(panels, inputs):
        for shift, colour, whose, label in BARS:
            places = [shift - row["number"] for row in mine]
            heights = [row[f"{whose}bleu_sentence"] for row in mine]
            axes.barh(places, heights, height=0.38, color=colour, label=label)
            for place, height in zip(places, heights):
                axes.text(height + 1, place, f"{height:.0f}", va="center", fontsize=7)
        axes.set_title(_given(key), fontsize=9)
        axes.set(xlim=(0, 112), xlabel="BLEU of the sentence, cased")
        plain(axes, grid="")
    panels[0].set_yticks([-number for number in names], list(names.values()), fontsize=8)
    if rows:
        figures.legend_below(figure, panels[:1], 2)


def _short(row: Record) -> str:
    text = row["reference"]
    text = text if len(text) <= SHORT else f"{text[: SHORT - 1].rstrip()}…"
    return f"{row['number']}  {text}\n{row['split']}{', learned from' if row['learned'] else ''}"


MEASURES = (
    _Outputs(
        "outputs", report=_output_lines, pictures={"sentences": _sentences_drawn}, bootstrapped=()
    ),
)


# --- sentences as a paper prints them, found again in a corpus: other spacing, quotes and brackets


MARKS = {
    **dict.fromkeys(("``", "''", "“", "”"), '"'),
    **dict.fromkeys(("`", "‘", "’"), "'"),
    **dict(zip(("-LRB-", "-RRB-", "-LCB-", "-RCB-", "-LSB-", "-RSB-"), "(){}[]")),
}
"""A word of a treebank, or a mark of a printer -> the plain mark for both."""


class _Place(NamedTuple):
    """Where a printed sentence stands in a corpus."""

    split: str
    sentence: Sentence


def _plain_word(word: str) -> str:
    """A word with the plain form of its mark: ``"``"`` and ``"''"`` are both a double quote."""
    return MARKS.get(word, unicodedata.normalize("NFKC", word))


def letters(words: Sequence[str]) -> str:
    """What is left of a sentence without spaces and marks, in lower case."""
    text = "".join(map(_plain_word, words)).casefold()
    return "".join(sign for sign in text if sign.isalnum())


def places(corpus: Corpus, printed: Sequence[str]) -> list[_Place | None]:
    """For each printed sentence the first one of the corpus with the same letters, or ``None``. The
    splits are asked in the order of the corpus: train comes before what is held out."""
    keys = [letters(text.split()) for text in printed]
    wanted = set(keys) - {""}
    found: dict[str, _Place] = {}
    for split in corpus.splits:
        for sentence in corpus.split(split):
            key = letters(sentence.surface)
            if key in wanted:
                found.setdefault(key, _Place(split, sentence))
    return [found.get(key) for key in keys]


def as_words(printed: str, sentence: Sentence) -> str:
    """A printed ordering of a sentence's words, spaced as the corpus has it.

    What stands between two spaces is cut into words of the sentence, as few as possible: "old,"
    into "old" and ",". What cannot be cut (a misprint) stays as it is. Several words for one mark,
    such as an opening and a closing quote, are used in turn.
    """
    forms: dict[str, list[str]] = {}
    for word in sentence.surface:
        forms.setdefault(_plain_word(word), []).append(word)
    words: list[str] = []
    for chunk in printed.split():
        clean = "".join(map(_plain_word, chunk))
        for word in _cut(clean, forms) or [clean]:
            mine = forms.get(word, [word])
            words.append(mine.pop(0) if len(mine) > 1 else mine[0])
    return " ".join(words)


def _cut(chunk: str, forms: Container[str]) -> list[str] | None:
    """The chunk as the fewest words that there are; ``None`` if it is not made of them."""
    best: list[list[str] | None] = [[]]
    for end in range(1, len(chunk) + 1):
        pieces = ((before, chunk[start:end]) for start, before in enumerate(best))
        fits = ([*before, word] for before, word in pieces if before is not None and word in forms)
        best.append(min(fits, key=len, default=None))
    return best[-1]
