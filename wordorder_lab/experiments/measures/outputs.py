"""The measure "outputs": the sentences that a paper prints, ordered here and scored as the paper's.

Each run trains one model. It orders the bag of every printed sentence that is in the corpus under
the inputs of the paper's outputs, each of which is scored beside its own.

A paper sets its examples as a newspaper would, "61 years old, will"; a treebank has every mark as a
word of its own, quotes as two strokes, brackets as -LRB-. What the two have in common are letters
and digits, in their order.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

from wordorder_lab.corpora.readers.corpus import Corpus
from wordorder_lab.experiments.measures.measure import (
    Cut,
    Draw,
    Measure,
    Record,
    Specification,
    as_trained,
    bleu_signatures,
)
from wordorder_lab.experiments.measures.style import COLOURS, grouped, share_name
from wordorder_lab.experiments.runs.corpora import corpus_of
from wordorder_lab.experiments.runs.schema import SpecificationError
from wordorder_lab.experiments.runs.settings import check_values, for_search, usual
from wordorder_lab.experiments.runs.training import train_run
from wordorder_lab.structures.sentence import Sentence
from wordorder_lab.systems.category_sources import task_of
from wordorder_lab.systems.model import OrderingModel

SHARES = ("pos", "deps")
BY = "by"
GIVEN = (*SHARES, BY)
"""What an output was made with and, where a paper has several systems, by which."""
DIGITS = 4


@dataclass(frozen=True)
class Outputs(Measure):
    """A row for each output that the paper prints; training's shares are renamed."""

    own_table: ClassVar[str] = "[[paper.sentences]]"

    def check_table(self, content: Mapping[str, Any]) -> None:
        """The printed sentences, and the others that are only looked up."""
        check_printed(content["paper"])

    def rows(
        self, specification: Specification, cut: Cut, run: Mapping[str, Any]
    ) -> list[dict[str, Any]]:
        """The rows of one run; a sentence that is not in the corpus has rows without an output."""
        printed_sentences = specification.paper["sentences"]
        corpus = corpus_of(run["corpus"], run["units"])
        found_at = places(corpus, [printed["reference"] for printed in printed_sentences])
        numbers: dict[str, Any] = {}
        model = train_run(run, cut(corpus.train), lambda new, _: numbers.update(new))
        said_otherwise = (*SHARES, "split", "epochs")
        own = {name: value for name, value in run.items() if name not in said_otherwise}
        own |= {f"training_{name}": usual(run, name) for name in SHARES}
        own |= {name: numbers[name] for name in ("epoch", "training_seconds")}
        rows = []
        for i, (printed, place) in enumerate(zip(printed_sentences, found_at)):
            for output in outputs_for(run, printed["outputs"]):
                row = {**own, "number": i + 1, "split": None, "reference": printed["reference"]}
                row |= {name: output[name] for name in (*SHARES, BY) if name in output}
                if place is None:
                    row["paper_output"] = output["text"]
                else:
                    row |= _ordered(model, place, output, run) | _printed(place, output["text"])
                rows.append(row)
        return rows

    def finish(self, record: dict[str, Any]) -> None:
        """Add the scores of all sentences together, and where the paper's other examples stand."""
        record["signatures"] = {**bleu_signatures(), "bleu_sentence": _signature()}
        rows = record["rows"]
        record["together"] = list(_together([row for row in rows if "output" in row]))
        first = rows[0]
        corpus = corpus_of(first["corpus"], first["units"])
        record["also"] = [
            {"table": group["table"], **_stands(place), "printed": printed}
            for group in record["paper"].get("also", [])
            for printed, place in zip(group["references"], places(corpus, group["references"]))
        ]

    def wanted(self, specification: Specification) -> Iterator[Record]:
        """Each model, by what it was trained with."""
        for run in specification.runs:
            yield {**as_trained(run), "epoch": run.get("epochs")}

    def text(self, record: Record) -> str:
        """Every sentence, its outputs and the paper's."""
        return "\n".join(output_lines(record))

    def figures(self) -> dict[str, Draw]:
        """A pair of bars for each sentence."""
        return {**super().figures(), "sentences": sentences}


MEASURES = (Outputs("outputs"),)


def outputs_for(
    run: Mapping[str, Any], outputs: Sequence[Mapping[str, Any]]
) -> Sequence[Mapping[str, Any]]:
    """The printed outputs of this very system, or with these categories; of none, all of them."""
    names = run["system"], run.get("categories", "dictionary")
    return [output for output in outputs if output.get(BY) in names] or outputs


def _ordered(
    model: OrderingModel, place: Place, output: Mapping[str, Any], run: Mapping[str, Any]
) -> dict[str, Any]:
    """Where the sentence stands, and what comes out for it here."""
    split, sentence = place
    seed = usual(run, "seed")
    condition = {"pos": output["pos"], "deps": output["deps"], "seed": seed}
    task, left = task_of(model, condition, model.search_settings(**for_search(run)))
    result = model.order(task(sentence), engine=run.get("engine"), **left)
    return {
        **_stands(place),
        "learned": split == "train",
        "reference": sentence.text,
        "length": len(sentence),
        "stopped": result.stopped,
        "output": result.text,
        **_scored(result.text, sentence.text),
    }


def _printed(place: Place, text: str) -> dict[str, Any]:
    """The paper's output in the spacing of the corpus, scored in the same way."""
    words = as_words(text, place.sentence)
    scores = _scored(words, place.sentence.text)
    return {"paper_output": words, **{f"paper_{name}": value for name, value in scores.items()}}


def _scored(output: str, reference: str) -> dict[str, Any]:
    from wordorder_lab.metrics.bleu import sentence_bleu
    from wordorder_lab.metrics.ordering import brevity

    return {
        "bleu_sentence": round(sentence_bleu(output, reference), DIGITS),
        "exact": output.split() == reference.split(),
        "brevity": round(brevity([output], [reference]), DIGITS),
    }


def _stands(place: Place | None) -> dict[str, Any]:
    split, name = (None, None) if place is None else (place.split, place.sentence.name)
    return {"split": split, "sentence": name}


def _together(rows: Sequence[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """BLEU of the outputs of each input as one text, ours and the paper's."""
    from wordorder_lab.metrics.bleu import corpus_bleu

    for key, mine in grouped(rows, GIVEN):
        references = [row["reference"] for row in mine]
        scores = {
            f"{whose}bleu_cased": corpus_bleu([row[f"{whose}output"] for row in mine], references)
            for whose in ("", "paper_")
        }
        exact = {f"{whose}exact": sum(r[f"{whose}exact"] for r in mine) for whose in ("", "paper_")}
        rounded = {name: round(bleu.score, DIGITS) for name, bleu in scores.items()}
        yield {**key, "sentences": len(mine), **rounded, **exact}


def _signature() -> str:
    """How the BLEU of a sentence is counted."""
    from wordorder_lab.metrics.bleu import sacrebleu_metric

    metric = sacrebleu_metric("cased", effective_order=True)
    metric.sentence_score("a", ["a"])  # so that it knows how many references there are
    return str(metric.get_signature())


# --- A paper's printed sentences and ours: as text to read, and as a picture of their scores ---


Row = Mapping[str, Any]
HERE, PAPER = "here", "the paper"
SHORT = 26
"""Letters of a sentence beside its bars."""


def output_lines(record: Row) -> list[str]:
    """Every sentence with its outputs, what they score together, and where other examples stand."""
    lines = []
    for _, rows in grouped(record["rows"], ("number", "training_pos", "training_deps")):
        lines += [_heading(rows[0]), f"   reference: {rows[0]['reference']}"]
        for row in rows:
            lines += [f"   {_given(row)}", *_outputs(row)]
        lines.append("")
    lines += ["BLEU, cased, of all sentences together (the paper's outputs in brackets):"]
    for one in record["together"]:
        scores = f"{one['bleu_cased']:.1f} ({one['paper_bleu_cased']:.1f})"
        exact = f"{one['exact']} ({one['paper_exact']}) of {one['sentences']} word for word"
        lines.append(f"   {_given(one)}: {scores}, {exact}")
    return [*lines, *_also(record["also"])]


def _heading(row: Row) -> str:
    if row["split"] is None:
        return f"{row['number']}  not in {row['corpus']}"
    learned = ": THE MODEL HAS LEARNED FROM IT" if row["learned"] else ""
    return f"{row['number']}  {row['split']}, {row['sentence']}, {row['length']} units{learned}"


def _given(row: Row) -> str:
    shares = f"{share_name('pos', row['pos'])}, {share_name('deps', row['deps'])}"
    return f"{row[BY]}, {shares}" if row.get(BY) else shares


def _outputs(row: Row) -> list[str]:
    if "output" not in row:
        return [f"      {PAPER:<9}        {row['paper_output']}"]
    told = [] if row["stopped"] == "complete" else [f"stopped: {row['stopped']}"]
    return [_output(HERE, row, "", told), _output(PAPER, row, "paper_", [])]


def _output(whose: str, row: Row, prefix: str, told: Sequence[str]) -> str:
    share = row[f"{prefix}brevity"]
    told = [*told, *([f"{share:.0%} of the words"] if share != 1 else [])]
    score, text = row[f"{prefix}bleu_sentence"], row[f"{prefix}output"]
    note = f"  ({', '.join(told)})" if told else ""
    return f"      {whose:<9} {score:5.1f}  {text}{note}"


def _also(rows: Sequence[Row]) -> list[str]:
    lines = []
    for key, mine in grouped(rows, ("table",)):
        lines += ["", f"{key['table']}, {len(mine)} sentences:"]
        for split, of_split in grouped(mine, ("split",)):
            named = ", ".join(row["sentence"] or row["printed"] for row in of_split)
            lines.append(f"   {split['split'] or 'not found'}: {named}")
    return lines


def sentences(figure: Any, record: Row, how: Row) -> None:
    """A panel for each input, a pair of bars for each sentence: its BLEU here and in the paper."""
    rows = [row for row in record["rows"] if "output" in row]
    inputs = grouped(rows, GIVEN)
    figure.set_size_inches(3.4 * max(1, len(inputs)) + 1.6, 4.8)
    panels = figure.subplots(1, max(1, len(inputs)), sharey=True, squeeze=False)[0]
    names = {row["number"]: _short(row) for row in rows}
    for axes, (key, mine) in zip(panels, inputs):
        for shift, colour, whose, label in (
            (0.2, COLOURS[0], "", HERE),
            (-0.2, "#999999", "paper_", f"{PAPER}'s output"),
        ):
            places = [shift - row["number"] for row in mine]
            heights = [row[f"{whose}bleu_sentence"] for row in mine]
            axes.barh(places, heights, height=0.38, color=colour, label=label)
            for place, height in zip(places, heights):
                axes.text(height + 1, place, f"{height:.0f}", va="center", fontsize=7)
        axes.set_title(_given(key), fontsize=9)
        axes.set_xlim(0, 112)
        axes.set_xlabel("BLEU of the sentence, cased")
        axes.spines[["top", "right"]].set_visible(False)
    panels[0].set_yticks([-number for number in names], list(names.values()), fontsize=8)
    if rows:
        figure.legend(
            *panels[0].get_legend_handles_labels(), loc="outside lower center", ncols=2, fontsize=8
        )


def _short(row: Row) -> str:
    text = row["reference"]
    text = text if len(text) <= SHORT else f"{text[: SHORT - 1].rstrip()}…"
    return f"{row['number']}  {text}\n{row['split']}{', learned from' if row['learned'] else ''}"


# --- Sentences as a paper prints them, found again in a corpus: other spacing, quotes and brackets


MARKS = {
    **dict.fromkeys(("``", "''", "“", "”"), '"'),
    **dict.fromkeys(("`", "‘", "’"), "'"),
    **dict(zip(("-LRB-", "-RRB-", "-LCB-", "-RCB-", "-LSB-", "-RSB-"), "(){}[]")),
}
"""A word of a treebank, or a mark of a printer -> the plain mark that stands for both."""


class Place(NamedTuple):
    """Where a printed sentence stands in a corpus."""

    split: str
    sentence: Sentence


def check_printed(paper: Mapping[str, Any]) -> None:
    """Raise ``SpecificationError`` for ``[[paper.sentences]]`` that cannot be looked up and scored.

    Each has a ``reference`` and ``outputs``, each of these ``pos``, ``deps`` and ``text``, and
    where the paper has several systems ``by``, whose output it is. What
    ``[[paper.also]]`` lists is only looked up: a ``table`` and its ``references``.
    """
    for sentence in paper["sentences"]:
        _check_keys("[[paper.sentences]]", sentence, reference=str, outputs=list)
        for output in sentence["outputs"]:
            by = {BY: str} if isinstance(output, Mapping) and BY in output else {}
            _check_keys("an output", output, pos=(int, float), deps=(int, float), text=str, **by)
            for share in ("pos", "deps"):
                check_values({share: output[share]}, ())
    for group in paper.get("also", []):
        _check_keys("[[paper.also]]", group, table=str, references=list)


def _check_keys(where: str, found: Any, **kinds: Any) -> None:
    if not isinstance(found, Mapping) or found.keys() != kinds.keys():
        raise SpecificationError(f"{where} has just {', '.join(kinds)}, not {found!r}")
    for name, kind in kinds.items():
        if not isinstance(found[name], kind) or found[name] in ("", []):
            raise SpecificationError(f"{where}: {name} cannot be {found[name]!r}")


def plain(word: str) -> str:
    """A word with the plain form of its mark: ``"``"`` and ``"''"`` are both a double quote."""
    return MARKS.get(word, unicodedata.normalize("NFKC", word))


def letters(words: Sequence[str]) -> str:
    """What is left of a sentence without spaces and marks, in lower case."""
    text = "".join(map(plain, words)).casefold()
    return "".join(sign for sign in text if sign.isalnum())


def places(corpus: Corpus, printed: Sequence[str]) -> list[Place | None]:
    """For each printed sentence the first one of the corpus with the same letters, or ``None``.

    The splits are asked in the order of the corpus: train comes before what is held out.
    """
    keys = [letters(text.split()) for text in printed]
    wanted = set(keys) - {""}
    found: dict[str, Place] = {}
    for split in corpus.splits:
        for sentence in corpus.split(split):
            key = letters(sentence.surface)
            if key in wanted:
                found.setdefault(key, Place(split, sentence))
    return [found.get(key) for key in keys]


def as_words(printed: str, sentence: Sentence) -> str:
    """A printed ordering of a sentence's words, spaced as the corpus has it.

    Whatever stands between two spaces is cut into words of the sentence, as few as possible: "old,"
    into "old" and ",". What cannot be cut (a misprint) stays as it is. Where the sentence has
    several words for one mark, such as an opening and a closing quote, they are used in turn.
    """
    forms: dict[str, list[str]] = {}
    for word in sentence.surface:
        forms.setdefault(plain(word), []).append(word)
    longest = max(map(len, forms))
    words: list[str] = []
    for chunk in printed.split():
        clean = "".join(map(plain, chunk))
        for word in _cut(clean, forms, longest) or [clean]:
            mine = forms.get(word, [word])
            words.append(mine.pop(0) if len(mine) > 1 else mine[0])
    return " ".join(words)


def _cut(chunk: str, forms: dict[str, list[str]], longest: int) -> list[str] | None:
    """The chunk as the fewest words that there are; ``None`` if it is not made of them."""
    best: list[list[str] | None] = [[]]
    for end in range(1, len(chunk) + 1):
        shorter = _ending_at(end, chunk, best, forms, longest)
        best.append(min(shorter, key=len, default=None))
    return best[-1]


def _ending_at(
    end: int,
    chunk: str,
    best: Sequence[list[str] | None],
    forms: dict[str, list[str]],
    longest: int,
) -> Iterator[list[str]]:
    for start in range(max(0, end - longest), end):
        before, word = best[start], chunk[start:end]
        if before is not None and word in forms:
            yield [*before, word]
