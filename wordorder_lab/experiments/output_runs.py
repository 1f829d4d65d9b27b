"""The measure "outputs": the sentences that a paper prints, ordered here and scored as the paper's.

Each run trains one model. It orders the bag of every printed sentence that is in the corpus under
the inputs of the paper's outputs, each of which is scored beside its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from wordorder_lab.experiments import records
from wordorder_lab.experiments.conditions import grouped
from wordorder_lab.experiments.printed_sentences import Place, as_words, places
from wordorder_lab.experiments.run_settings import for_search
from wordorder_lab.experiments.trained import train_run, usual
from wordorder_lab.structures.ordering_task import bag_of
from wordorder_lab.structures.sentence import Sentence
from wordorder_lab.systems.ordering_model import OrderingModel

SHARES = ("pos", "deps")
DIGITS = 4


def run_outputs(
    paper: Mapping[str, Any],
    cut: Callable[[Sequence[Sentence]], Sequence[Sentence]],
    run: Mapping[str, Any],
) -> list[dict[str, Any]]:
    """The rows of one run, one for each of the paper's outputs; training's shares are renamed.

    A sentence that is not in the corpus has rows without an output. Raises ``ValueError`` as
    training does.
    """
    corpus = records.corpus_of(run["corpus"], run["units"])
    found = places(corpus, [one["reference"] for one in paper["sentences"]])
    numbers: dict[str, Any] = {}
    model = train_run(run, cut(corpus.train), lambda new, _: numbers.update(new))
    own = {name: value for name, value in run.items() if name not in (*SHARES, "split", "epochs")}
    own |= {f"training_{name}": usual(run, name) for name in SHARES}
    own |= {name: numbers[name] for name in ("epoch", "training_seconds")}
    rows = []
    for i, (printed, place) in enumerate(zip(paper["sentences"], found)):
        for output in printed["outputs"]:
            row = {**own, "number": i + 1, "split": None, "reference": printed["reference"]}
            row |= {name: output[name] for name in SHARES}
            if place is None:
                row["paper_output"] = output["text"]
            else:
                row |= _ordered(model, place, output, run) | _printed(place, output["text"])
            rows.append(row)
    return rows


def _ordered(
    model: OrderingModel, place: Place, output: Mapping[str, Any], run: Mapping[str, Any]
) -> dict[str, Any]:
    """Where the sentence stands, and what comes out for it here."""
    split, sentence = place
    seed = usual(run, "seed")
    bag = bag_of(sentence, output["pos"], output["deps"], seed)
    result = model.order(bag, engine=run.get("engine"), **for_search(run))
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


def finish_outputs(record: dict[str, Any]) -> None:
    """Add the scores of all sentences together, and where the paper's other examples stand."""
    rows = record["rows"]
    record["together"] = list(_together([row for row in rows if "output" in row]))
    first = rows[0]
    corpus = records.corpus_of(first["corpus"], first["units"])
    record["also"] = [
        {"table": group["table"], **_stands(place), "printed": printed}
        for group in record["paper"].get("also", [])
        for printed, place in zip(group["references"], places(corpus, group["references"]))
    ]
    record["signatures"]["bleu_sentence"] = _signature()


def _together(rows: Sequence[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """BLEU of the outputs of each input as one text, ours and the paper's."""
    from wordorder_lab.metrics.bleu import corpus_bleu

    for key, mine in grouped(rows, SHARES):
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
