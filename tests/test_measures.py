"""Measures as objects: each is found by its name, and nobody but its own file compares the name."""

from __future__ import annotations

import ast
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest
from command_line import write_corpus

import wordorder_lab
from wordorder_lab.experiments import measures
from wordorder_lab.experiments.measures.end import length_rows
from wordorder_lab.experiments.measures.measure import all_measures
from wordorder_lab.experiments.measures.tables import rows_text
from wordorder_lab.experiments.records import read_record, records
from wordorder_lab.experiments.report import measure_of, plot, table
from wordorder_lab.experiments.reproduce import reproduce
from wordorder_lab.experiments.runs.ordering_evaluate import Evaluation
from wordorder_lab.experiments.specification import load_specification, read_specification
from wordorder_lab.metrics.bleu import sentence_counts
from wordorder_lab.metrics.ordering import score_ordering

EXPERIMENTS = Path(wordorder_lab.__file__).parent / "experiments"
KNOWN = (
    *("best-epoch", "brevity", "compression", "compressors", "conditions", "corpus-sizes"),
    *("cumulative", "end", "epochs", "faults", "learning-curve", "lost-relations"),
    *("many-sentences", "outputs", "parses", "printed-compressions", "realization"),
    *("span-lengths", "spans", "time", "training"),
)
PLANTED = """
from dataclasses import dataclass

from wordorder_lab.experiments.measures.measure import Measure

@dataclass(frozen=True)
class Letters(Measure):
    def rows_of(self, run, sentences, held_out):
        letters = [sum(map(len, sentence.surface)) for sentence in held_out]
        return [{**run, "learned": len(sentences), "letters": n} for n in letters]

    def finish(self, record):
        record["most"] = max(row["letters"] for row in record["rows"])

    def text(self, record):
        return f"up to {record['most']} letters"

    def figures(self):
        return {**super().figures(), "dots": dots}

def dots(figure, record, how):
    figure.subplots().plot([row["letters"] for row in record["rows"]], "o")

MEASURES = (Letters("letters"),)
"""
SPECIFICATION = """
title = "Letters of a sentence"
measure = "{measure}"
[settings]
system = "liu-2015"
corpus = "{corpus}"
split = "dev"
units = "words"
epochs = 1
[plot]
kind = "{kind}"
y = "letters"
labels = ["system"]
"""


@pytest.fixture
def planted(tmp_path, monkeypatch) -> Iterator[Path]:
    """A folder whose files are found beside the package's measures, as long as a test lasts."""
    folder = tmp_path / "more"
    folder.mkdir()
    monkeypatch.setattr(measures, "__path__", [*measures.__path__, str(folder)])
    all_measures.cache_clear()
    before = set(sys.modules)
    yield folder
    all_measures.cache_clear()
    for name in set(sys.modules) - before:
        if name.startswith(f"{measures.__name__}.planted"):
            del sys.modules[name]
            delattr(measures, name.rpartition(".")[2])


def written(folder: Path, measure: str, kind: str) -> Path:
    path = folder / "own_letters.toml"
    corpus = write_corpus(folder)
    path.write_text(SPECIFICATION.format(measure=measure, corpus=corpus, kind=kind))
    return path


def test_every_measure_is_found_by_its_name() -> None:
    assert tuple(all_measures()) == KNOWN
    assert all(measure.name == name for name, measure in all_measures().items())


@pytest.mark.parametrize("path", records(), ids=lambda path: path.stem)
def test_a_record_is_shown_by_the_measure_of_its_specification(path: Path) -> None:
    record = read_record(path)
    assert measure_of(record) is load_specification(record["name"]).measure
    assert measure_of({**record, "measure": "training"}) is all_measures()["training"]


def test_a_record_of_nothing_known_shows_its_rows() -> None:
    rows = [{"beam": 1, "a": 2}, {"beam": 2, "a": 2}]
    for record in ({"name": "gone", "rows": rows}, {"measure": "gone", "rows": rows}):
        assert table(record).split() == ["beam", "1", "2"]


def test_a_new_file_is_a_new_measure(planted, tmp_path) -> None:
    (planted / "planted_letters.py").write_text(textwrap.dedent(PLANTED))
    assert set(all_measures()) == {*KNOWN, "letters"}
    wanted = read_specification(written(tmp_path, "letters", "dots"))
    out = tmp_path / "out.json"
    record = reproduce(wanted, out, command="c", show=lambda line: None)
    assert read_record(out) == record
    assert record["measure"] == "letters" and "runs" not in record
    assert len(record["rows"]) > 1 and all(row["learned"] > 1 for row in record["rows"])
    assert table(record) == f"up to {record['most']} letters"
    for kind in ("dots", "bars"):
        how = {"kind": kind, "y": "letters", "labels": ["system"]}
        plot(record, how, tmp_path / "out.png")
        assert (tmp_path / "out.png").read_bytes().startswith(b"\x89PNG")


def test_a_measure_that_says_nothing_of_its_rows_is_named(planted, tmp_path) -> None:
    text = "from wordorder_lab.experiments.measures.measure import Measure\n"
    (planted / "planted_idle.py").write_text(text + "MEASURES = (Measure('idle'),)\n")
    wanted = read_specification(written(tmp_path, "idle", "bars"))
    with pytest.raises(NotImplementedError, match="'idle' does not say"):
        reproduce(wanted, tmp_path / "out.json", command="c", show=lambda line: None)


def test_two_measures_of_one_name_are_refused(planted) -> None:
    text = "from wordorder_lab.experiments.measures.measure import Measure\n"
    (planted / "planted_end.py").write_text(text + "MEASURES = (Measure('end'),)\n")
    with pytest.raises(ValueError, match="two measures are called 'end'"):
        all_measures()


COLUMNS = {"epochs", "spans", "brevity", "outputs"}
"""Names of measures that are names of columns or settings, too: those may be compared."""


def compared_names(path: Path) -> list[str]:
    """Where a file compares a measure (or a word that only a measure has) with a name."""
    said = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Compare | ast.match_case):
            names = {part.value for part in ast.walk(node) if isinstance(part, ast.Constant)}
            asks = any(word in ast.unparse(node) for word in ("measure", ".name"))
            for name in (known for known in KNOWN if known in names):
                if asks or name not in COLUMNS:
                    said.append(f"{path.name}: {ast.unparse(node)}")
    return said


def test_no_name_of_a_measure_is_compared() -> None:
    reproduce_command = EXPERIMENTS.parent / "commands" / "reproduce"
    files = [*EXPERIMENTS.rglob("*.py"), *reproduce_command.glob("*.py")]
    assert len(files) > 30
    assert [said for path in files for said in compared_names(path)] == []


def test_cumulative_rows_hold_the_shorter_sentences_too() -> None:
    references = ["a b c d e", "a b c d e f g", "a b c d e f g h i j k l"]
    outputs = ["a b c d e", "g f e d c b a", "a b c d e f g h i j k l"]
    scores, counts = score_ordering(outputs, references), sentence_counts(outputs, references)
    done = Evaluation({}, tuple(outputs), tuple(references), scores, counts)
    rows = length_rows(done)
    held = [(row["up_to"], row["sentences"]) for row in rows]
    assert held == [(5, 1), (10, 2), (20, 3), (40, 3), (80, 3), ("all", 3)]
    assert rows[0]["bleu_cased"] == 100 and rows[-1]["bleu_cased"] == rows[2]["bleu_cased"]
    assert rows[1]["bleu_cased"] < rows[2]["bleu_cased"] < 100
    trained = [{"epoch": 1, **row} for row in rows]
    assert all_measures()["cumulative"].meant(trained, range(6), {}) == [*range(6)]


def test_which_measures_go_by_the_clock() -> None:
    assert {name for name, one in all_measures().items() if one.by_the_clock} == {
        "time",
        "training",
    }


def test_a_long_table_has_the_last_epoch_of_every_run() -> None:
    """Two systems with the same beam, one setting that only the third has."""
    runs = [{"system": name, "beam": 32} for name in ("first", "second")]
    runs.append({"system": "third", "beam": 32, "chart": "single"})
    rows = [{**run, "epoch": epoch, "bleu_cased": epoch} for run in runs for epoch in range(1, 9)]
    lines = rows_text(rows).splitlines()
    assert [line.split()[0] for line in lines[1:]] == ["first", "second", "third"]
