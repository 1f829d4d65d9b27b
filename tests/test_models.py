"""Model files, checkpoints, the tag dictionary, and whatever a bag may hold."""

from __future__ import annotations

import io
import json
import random
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from both_engines import ENGINES
from oracles import random_sentences

import wordorder_lab as wl
from wordorder_lab.models.model_file import ModelError, save_arrays
from wordorder_lab.models.tag_dictionary import TagDictionary
from wordorder_lab.structures.sentence import Sentence, Token
from wordorder_lab.structures.trees import is_projective, tree_problem
from wordorder_lab.systems.liu_2015 import LinearizationModel

SENTENCES = random_sentences(12, 10, longest=5)


def train(engine: str = "fast", **settings: Any) -> LinearizationModel:
    how = {"beam": 4, "epochs": 3, "progress": False, "shuffle": True, **settings}
    return wl.train("liu-2015", SENTENCES, engine=engine, **how)


@pytest.fixture(scope="module")
def model() -> LinearizationModel:
    return train(about={"corpus": "made up", "units": "base-np"})


@pytest.fixture
def saved(model: LinearizationModel, tmp_path: Path) -> Path:
    model.save(tmp_path / "m.wol")
    return tmp_path / "m.wol"


@pytest.mark.slow
def test_a_damaged_model_is_refused(saved: Path, model: LinearizationModel) -> None:
    """Every byte of the zip's own tables, and every 101st elsewhere: an error or the same model."""
    whole = saved.read_bytes()
    tables = whole.index(b"PK\x01\x02")
    damaged = 0
    for at in [*range(0, tables, 101), *range(40), *range(tables, len(whole))]:
        for bit in (1, 8, 64):
            flipped = bytearray(whole)
            flipped[at] ^= bit
            saved.write_bytes(flipped)
            try:
                again = wl.load_model(saved)
            except ModelError:
                damaged += 1
            else:  # a date or the like; nothing that was learned
                assert again.weights.values.tolist() == model.weights.values.tolist()
                assert (again.keys, again.actions) == (model.keys, model.actions)
                assert again.dictionary == model.dictionary
    assert damaged > len(whole) / 101


def zip_of(path: Path, files: dict[str, bytes]) -> None:
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data)


HEADERS: list[Any] = [
    {"format": "another program"},
    {"format": "wordorder_lab model", "version": 99},
    {"format": "wordorder_lab model", "version": 1},
    {"format": "wordorder_lab model", "version": 1, "checksum": "0"},
    {},
    [1, 2],
    "wordorder_lab model",
    None,
]


@pytest.mark.parametrize("header", HEADERS, ids=str)
def test_a_foreign_zip_is_refused(tmp_path: Path, header: object) -> None:
    zip_of(tmp_path / "m.wol", {"header.json": json.dumps(header).encode(), "other.txt": b"x"})
    with pytest.raises(ModelError, match=r"m\.wol"):
        wl.load_model(tmp_path / "m.wol")


def test_a_foreign_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "m.wol"
    for data in (
        b"",
        b"Dear reader,\n",
        b"\x80\x04\x95",
        b"PK\x03\x04",
        b"PK\x05\x06" + b"\0" * 18,
    ):
        path.write_bytes(data)
        with pytest.raises(ModelError, match=r"m\.wol"):
            wl.load_model(path)
    zip_of(path, {"letter.txt": b"Dear reader,\n"})
    with pytest.raises(ModelError, match=r"m\.wol"):
        wl.load_model(path)
    save_arrays(path, {"system": "something-2031"}, {"values": np.zeros(3)})
    with pytest.raises(ModelError, match="something-2031"):
        wl.load_model(path)
    save_arrays(path, {"system": "liu-2015"}, {"values": np.zeros(3)})
    with pytest.raises(ModelError, match=r"m\.wol"):
        wl.load_model(path)
    with pytest.raises(FileNotFoundError):
        wl.load_model(tmp_path / "missing")


class Trap:
    """Whoever unpickles this has run somebody else's code."""

    sprung = False

    def __reduce__(self) -> tuple:
        return setattr, (Trap, "sprung", True)


def test_a_pickle_inside_is_never_opened(saved: Path) -> None:
    part = io.BytesIO()
    np.save(part, np.array([Trap()], dtype=object), allow_pickle=True)
    with zipfile.ZipFile(saved) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    zip_of(saved, {**files, "values.npy": part.getvalue()})
    with pytest.raises(ModelError):
        wl.load_model(saved)
    assert not Trap.sprung


def test_a_failed_save_leaves_the_old_model(saved: Path, model: LinearizationModel) -> None:
    resource = pytest.importorskip("resource")
    whole = saved.read_bytes()
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (len(whole) // 2, limits[1]))
    try:
        with pytest.raises(OSError):  # noqa: PT011  (the words are the system's)
            model.save(saved)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert saved.read_bytes() == whole
    assert [path.name for path in saved.parent.iterdir()] == ["m.wol"]
    with pytest.raises(FileNotFoundError):
        model.save(saved.parent / "no such folder" / "m.wol")


def test_more_epochs_go_on_from_a_checkpoint(tmp_path: Path) -> None:
    path = tmp_path / "c.wol"
    train(checkpoint=path, epochs=2)
    train(checkpoint=path, epochs=5).save(tmp_path / "resumed")
    train(epochs=5).save(tmp_path / "whole")
    assert (tmp_path / "resumed").read_bytes() == (tmp_path / "whole").read_bytes()


def test_tag_dictionary() -> None:
    tokens = [("run", "VB"), ("run", "NN"), ("the run", "NP"), ("a mile", "NX"), ("fast", "RB")]
    chain = (Token(tuple(f.split()), pos, i - 1) for i, (f, pos) in enumerate(tokens))
    sentence = Sentence(tuple(chain))
    dictionary = TagDictionary.of([sentence])
    assert dictionary.lookup(("run",)) == ("NN", "VB")
    assert dictionary.lookup(("my", "run")) == ("NP",)  # by the last word, among phrases
    assert dictionary.lookup(("mile",)) == ("NN", "NP", "NX", "RB", "VB")  # unseen: every tag
    assert dictionary.lookup(("fast", "fast")) == ("NP", "NX")  # unseen: every tag of phrases
    assert TagDictionary.from_entries(map(tuple, dictionary.entries())) == dictionary
    plain = TagDictionary.of([Sentence((Token(("run",), "VB", -1),))])
    assert plain.lookup(("a", "walk")) == ("VB",)  # no phrases were seen


def test_unknown_tags(model: LinearizationModel) -> None:
    bag = wl.WordBag(["boats", "near", "far"], pos=["NNS", "ZZ", None])
    assert model.unknown_tags(bag) == ["ZZ"]
    assert sorted(model.order(bag).tree.pos)[-1] == "ZZ"


STRANGE = {
    "one word": ["boats"],
    "one unseen word": ["zyx"],
    "thirty times": ["near"] * 30,
    "thirty unseen": ["zyx"] * 30,
    "emoji": ["🐘", "👩‍👩‍👧", "boats", "🐘", "."],
    "right to left": ["שלום", "עולם", "مرحبا بالعالم", "boats"],
    "signs": ["-BEGIN-", "SHIFT-x-Y", "LEFTARC", "a/b", "[", "\\", '"', "-BEGIN-"],
    "phrases": ["the pier", "a quiet bay", "an unseen phrase", "the pier"],
}


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("units", STRANGE.values(), ids=STRANGE)
def test_strange_bags(model: LinearizationModel, units: list[str], engine: str) -> None:
    for tags in (None, ["NN"] * len(units), ["-BEGIN-"] * len(units)):
        check(model, wl.WordBag(units, pos=tags), engine, beam=2)


def test_two_hundred_words(model: LinearizationModel) -> None:
    chance = random.Random(4)
    seen = [token.form for sentence in SENTENCES for token in sentence]
    units = [chance.choice([*seen, f"new{i}"]) for i in range(200)]
    check(model, wl.WordBag(units), "fast", beam=4)
    check(model, wl.WordBag(units, pos=["NN"] * 200), "reference", beam=1)


def check(model: LinearizationModel, bag: wl.WordBag, engine: str, beam: int) -> None:
    found = model.order(bag, beam=beam, engine=engine)
    assert sorted(found.order) == list(range(len(bag)))
    assert found.words == [bag.form(i) for i in found.order]
    assert tree_problem(found.tree.heads) is None and is_projective(found.tree.heads)
    assert found.stopped == "complete" and len(found.actions) == 2 * len(bag) - 1


@pytest.mark.parametrize("engine", ENGINES)
def test_what_order_refuses(model: LinearizationModel, engine: str) -> None:
    bag = wl.WordBag(["boats", "near", "."])
    units = ["boats", "near", ".", "drift"]  # the order puts . between near and what is below it
    mixed = wl.WordBag(units, heads=[None, 0, 0, 1], before=[(1, 2), (2, 3)])
    with pytest.raises(ValueError, match="subtrees do not mix"):
        model.order(mixed, engine=engine)
    assert len(model.order(bag, beam=1, k=5, engine=engine).k_best) == 1
    assert len(model.order(bag, beam=8, k=5, engine=engine).k_best) == 5
