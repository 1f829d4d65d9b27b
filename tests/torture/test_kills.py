"""SIGKILL at 100 seeded moments of all learners: the same command goes on, and nothing differs."""

from __future__ import annotations

import random
import time
from pathlib import Path

import pytest
from learners import LEARNERS, begin, corpora, finish, training

pytestmark = pytest.mark.torture

SEED = 19
KILLS = {name: 100 // len(LEARNERS) + (i < 100 % len(LEARNERS)) for i, name in enumerate(LEARNERS)}
"""How often each learner is killed."""


@pytest.mark.parametrize("learner", LEARNERS)
def test_a_killed_training_goes_on_to_the_same_bytes(learner, tmp_path) -> None:
    corpus = corpora(tmp_path)[learner]
    runs = tmp_path / "runs"
    runs.mkdir()
    straight = tmp_path / "straight.wol"
    started = time.perf_counter()
    assert finish(begin(training(learner, corpus, straight)))[0] == 0
    whole = time.perf_counter() - started
    chance = random.Random(f"{SEED} {learner}")
    out, killed, resumed = runs / "m.wol", 0, 0
    words = training(learner, corpus, out)
    while killed < KILLS[learner]:
        process = begin(words)
        time.sleep(whole * chance.uniform(0.05, 1.0))
        process.kill()
        code, said = finish(process)
        if code == -9:
            killed += 1
            resumed += any(runs.glob("*.checkpoint*"))
            _check(runs, straight)
            if chance.random() < 0.7:  # else it is killed again, where it has come to
                continue
            code, said = finish(begin(words))
        assert code == 0, said
        assert out.read_bytes() == straight.read_bytes()
        assert [path.name for path in runs.iterdir()] == ["m.wol"]
        out.unlink()
    print(f"{learner}: {killed} kills, {resumed} of them with a checkpoint to go on from")
    assert resumed
    code, said = finish(begin(words))
    assert code == 0, said
    assert out.read_bytes() == straight.read_bytes()
    assert [path.name for path in runs.iterdir()] == ["m.wol"]


def _check(runs: Path, straight: Path) -> None:
    """There may be a whole model, checkpoints, and parts of a write; no model that is half."""
    for path in runs.iterdir():
        assert path.name.startswith("m") and path.suffix in {".wol", ".checkpoint", ".2", ".part"}
    if (model := runs / "m.wol").exists():
        assert model.read_bytes() == straight.read_bytes()
