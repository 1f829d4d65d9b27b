"""``wordorder-lab order`` reads typed bags and CoNLL-U; the model is a double that keeps them.

What a model makes of heads and orders is tested where it does so.
"""

from __future__ import annotations

import io
import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from command_line import complaint

from wordorder_lab.cli import main
from wordorder_lab.commands import order
from wordorder_lab.structures.bag import WordBag
from wordorder_lab.structures.result import Result
from wordorder_lab.structures.trees import DependencyTree

LINE = "led/VBD>0 [a team]/NP>1 ./. | 1<3 2<3"
TEAM = """\
# a bag of three
1\tled\t_\t_\tVBD\t_\t0\t_\t_\tBefore=3
2\ta team\t_\t_\tNP\t_\t1\t_\t_\tBefore=3
3\t.\t_\t_\t.\t_\t_\t_\t_\t_

"""
ROBIN = "1\trobin\t_\t_\t_\t_\t_\t_\t_\t_\n"


class Double:
    """Leaves the units as they are, and refuses what has a nest in it."""

    system = "liu-2015"
    dictionary = SimpleNamespace(word_tags=(".", "NP", "VBD"))

    def __init__(self) -> None:
        self.bags: list[WordBag] = []

    def engine_alone(self, _bag: WordBag) -> None:
        return None

    def unknown_tags(self, bag: WordBag) -> list[str]:
        return sorted({tag for tag in bag.pos or () if tag} - set(self.dictionary.word_tags))

    def order(self, bag: WordBag, **_: Any) -> Result:
        if ("nest",) in bag.words:
            raise ValueError("no projective tree has 'nest' there")
        self.bags.append(bag)
        n = len(bag)
        tree = DependencyTree(tuple(map(bag.form, range(n))), ("X",) * n, tuple(range(-1, n - 1)))
        found = Result(tuple(map(tuple, bag.words)), tuple(range(n)), tree, 1.5)
        return Result(found.units, found.order, tree, 1.5, k_best=(found,))


@pytest.fixture
def model(monkeypatch) -> Double:
    double = Double()
    monkeypatch.setattr(order, "open_model", lambda path, task: double)
    return double


def ordered(*arguments: str) -> int:
    return main(["order", "--model", "m.wol", *arguments])


def test_both_forms_give_the_same_bag(model, tmp_path, capsys, monkeypatch) -> None:
    path = tmp_path / "bags.conllu"
    path.write_text(TEAM, encoding="utf-8")
    assert ordered(LINE) == ordered("--conllu", str(path)) == 0
    monkeypatch.setattr("sys.stdin", io.StringIO(TEAM + TEAM))
    assert ordered("--conllu", "-") == 0
    assert len(model.bags) == 4 and len(set(model.bags)) == 1
    assert model.bags[0].heads == (-1, 0, None) and model.bags[0].before == ((0, 2), (1, 2))
    assert capsys.readouterr().out.split("\n")[:4] == ["     1.500  led a team ."] * 4


def test_answers_say_how_the_bag_is_typed(model, tmp_path, capsys) -> None:
    path = tmp_path / "bags.conllu"
    path.write_text(TEAM + ROBIN, encoding="utf-8")
    assert ordered("--conllu", str(path), "--json", "-") == 0
    team, robin = json.loads(capsys.readouterr().out)
    assert (team["bag"], robin["bag"]) == (LINE, "robin")
    assert team["order"] == team["k_best"][0]["order"] == [0, 1, 2]


BAD = {
    "cycle": ("a>2 b>1", "line 3 of the input, the heads go round in a cycle, 'a' -> 'b' -> 'a'"),
    "two heads": ("a>2>0 b", "line 3 of the input, column 1: 'a' has 2 heads, 2 and 0"),
    "outside": ("a>3 b", "line 3 of the input, column 3: the head of 'a' is 3"),
    "no tree": ("nest>0", "line 3 of the input, no projective tree has 'nest' there"),
}


@pytest.mark.parametrize(("line", "said"), BAD.values(), ids=BAD)
def test_a_bad_line_is_named_and_takes_nothing_back(model, capsys, monkeypatch, line, said) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(f"robin\n\n{line}\nrobin\n"))
    assert ordered() == 2
    captured = capsys.readouterr()
    assert captured.err.startswith(f"wordorder-lab: {said}") and captured.err.count("\n") == 1
    assert captured.out.count("\n") == 1


BAD_BAGS = {
    "head": (ROBIN.replace("_\t_\t_\t_\n", "9\t_\t_\t_\n"), "line 3 of {}: HEAD is '9'"),
    "tag": (
        ROBIN.replace("_\t_\t_", "_\t_\tXX", 1),
        "line 3 of {}: in the bag that begins here, the model never saw the tag XX",
    ),
    "no tree": (
        ROBIN.replace("robin", "nest"),
        "line 3 of {}: in the bag that begins here, no proj",
    ),
}


@pytest.mark.parametrize(("bag", "said"), BAD_BAGS.values(), ids=BAD_BAGS)
@pytest.mark.parametrize("piped", [False, True])
def test_a_bad_bag_is_named_and_takes_nothing_back(
    model, tmp_path, capsys, monkeypatch, bag, said, piped
) -> None:
    path = tmp_path / "bags.conllu"
    path.write_text(f"{ROBIN}\n{bag}\n{ROBIN}", encoding="utf-8")
    monkeypatch.setattr("sys.stdin", io.StringIO(path.read_text(encoding="utf-8")))
    answers = tmp_path / "a.json"
    assert ordered("--conllu", "-" if piped else str(path), "--json", str(answers)) == 2
    assert said.format("the input" if piped else path) in complaint(capsys)
    assert [answer["bag"] for answer in json.loads(answers.read_text())] == ["robin"]


def test_what_cannot_be_is_refused_at_once(model, tmp_path, capsys) -> None:
    assert ordered("--conllu", "bags.conllu", "robin") == 2
    assert "from --conllu or from the command line" in complaint(capsys)
    assert ordered("--conllu", str(tmp_path / "no.conllu")) == 2
    assert "no.conllu cannot be read: No such file" in complaint(capsys)
    Path(tmp_path / "empty.conllu").touch()
    assert ordered("--conllu", str(tmp_path / "empty.conllu")) == 2
    assert "holds no bags" in complaint(capsys)
