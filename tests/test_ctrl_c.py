"""Ctrl-C waits for a file that is being written, and is not lost."""

from __future__ import annotations

import os
import signal
import threading
import zipfile
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from wordorder_lab.models.model_file import load_arrays, save_arrays
from wordorder_lab.runtime.atomic import ctrl_c_waits

ARRAYS = {"weights": np.arange(5.0), "more": np.arange(3)}


def press() -> None:
    os.kill(os.getpid(), signal.SIGINT)


@pytest.mark.parametrize("where", ["_open_to_write", "close", "writestr"])
def test_a_file_is_whole_wherever_ctrl_c_falls(where: str, tmp_path, monkeypatch) -> None:
    """Inside ``zipfile``, which complains itself where a member is left open."""
    usual, times = getattr(zipfile.ZipFile, where), iter([press])

    def interrupted(*given: Any, **named: Any) -> Any:
        done = usual(*given, **named)
        next(times, lambda: None)()
        return done

    path = tmp_path / "model.wol"
    monkeypatch.setattr(zipfile.ZipFile, where, interrupted)
    with pytest.raises(KeyboardInterrupt):
        save_arrays(path, {"a": 1}, ARRAYS)
    _, arrays = load_arrays(path)
    assert arrays.keys() == ARRAYS.keys() and list(tmp_path.iterdir()) == [path]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def waiting(*steps: Callable[[], None]) -> None:
    with ctrl_c_waits():
        for step in steps:
            step()


def test_a_second_ctrl_c_does_not_wait() -> None:
    done: list[str] = []
    steps = [press, lambda: done.append("after one"), press, lambda: done.append("after two")]
    with pytest.raises(KeyboardInterrupt):
        waiting(*steps)
    assert done == ["after one"]


def test_ctrl_c_comes_before_what_went_wrong_meanwhile() -> None:
    def full() -> None:
        raise OSError("no space")

    with pytest.raises(KeyboardInterrupt):
        waiting(press, full)


def test_other_threads_save_as_ever(tmp_path) -> None:
    path = tmp_path / "model.wol"
    thread = threading.Thread(target=save_arrays, args=(path, {}, ARRAYS))
    thread.start()
    thread.join()
    assert load_arrays(path)[1].keys() == ARRAYS.keys()
