"""What is written where: links stay, what is no plain file stays, leftovers of the dead go."""

from __future__ import annotations

import json
import os
import socket
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest
from command_line import complaint, order

from wordorder_lab.cli import main
from wordorder_lab.runtime.atomic import KEPT_DAYS, plain_target, replacing
from wordorder_lab.structures.messages import LONGEST, one_line


@pytest.fixture
def odd(tmp_path, monkeypatch) -> dict[str, str]:
    """Targets that nobody may write over, by what they are."""
    monkeypatch.chdir(tmp_path)
    os.mkfifo("fifo")
    Path("below").mkdir()
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("socket")
    Path("to_fifo").symlink_to("fifo")
    Path("round").symlink_to("round")
    kinds = {"a pipe": "fifo", "a socket": "socket", "a folder": "below", "pipe": "to_fifo"}
    return {**kinds, "a device": os.devnull, "Too many levels": "round"}


def kinds_of(paths: dict[str, str]) -> list[tuple[int, int]]:
    return [(os.lstat(path).st_mode, os.lstat(path).st_ino) for path in paths.values()]


@pytest.mark.parametrize("option", ["--json", "--trace", "--play"])
def test_what_is_no_plain_file_is_refused_before_any_work(own, odd, capsys, option) -> None:
    before = kinds_of(odd)
    for kind, path in odd.items():
        assert order(own, option, path, "robin [a clock") == 2  # a bag that would be refused, too
        assert kind in complaint(capsys)
        assert main(["train", "liu-2015", "--corpus", own.corpus, "--out", path]) == 2
        assert kind in complaint(capsys)
        with pytest.raises((ValueError, OSError)), replacing(path):
            pass
    assert kinds_of(odd) == before


def test_a_link_stays_and_what_it_leads_to_is_written(own, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("elsewhere").mkdir()
    for name, there in (("old", True), ("new", False)):
        target = Path("elsewhere", name)
        if there:
            target.write_text("before")
        Path(name).symlink_to(target)
        assert order(own, "--json", name, "robin .") == 0
        assert Path(name).is_symlink() and json.loads(target.read_text())[0]["bag"] == "robin ."
        assert plain_target(name) == target.resolve()
    assert sorted(os.listdir()) == ["elsewhere", "new", "old"]


def test_no_file_is_written_twice_nor_over_what_is_read(own, tmp_path, capsys, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    model = Path("m.wol")
    model.write_bytes(Path(own.model).read_bytes())
    Path("again").symlink_to(model)
    for argv in (["--json", "x", "--trace", "./x"], ["--json", "m.wol"], ["--play", "again"]):
        assert main(["order", "--model", "m.wol", *argv, "robin"]) == 2
        assert "are the same file" in complaint(capsys)
    assert model.read_bytes() == Path(own.model).read_bytes()


def test_what_killed_runs_have_left_is_swept(tmp_path) -> None:
    target = tmp_path / "m.wol"
    program = (
        "import os, sys; from wordorder_lab.runtime.atomic import replacing\n"
        "with replacing(sys.argv[1]) as part: part.write_text('half'); os._exit(9)"
    )
    assert subprocess.run([sys.executable, "-c", program, str(target)]).returncode == 9
    (left,) = tmp_path.iterdir()
    old = tmp_path / "m-abcd_123.wol.part"
    others = [tmp_path / name for name in ("m-abcd_124.wol.part", "other-abcd_123.wol.part", "m-x")]
    for path in (old, *others):
        path.touch()
    long_ago = time.time() - (KEPT_DAYS + 1) * 24 * 60 * 60
    os.utime(old, (long_ago, long_ago))
    with replacing(target) as part, replacing(target) as second:  # of a process that lives
        part.write_text("whole")
        second.write_text("first")
        assert not left.exists() and not old.exists()
    assert target.read_text() == "whole"
    assert sorted(tmp_path.iterdir()) == sorted([target, *others])


def test_who_may_read_a_file_is_as_with_open(tmp_path) -> None:
    """The umask says so of a new one; one that is replaced stays as it was."""
    path = tmp_path / "m.wol"
    for mask, new, changed in ((0o077, 0o600, 0o644), (0o027, 0o640, 0o600), (0o002, 0o664, 0o640)):
        before = os.umask(mask)
        try:
            for mode in (new, changed):
                with replacing(path) as part:
                    assert not stat.S_IMODE(part.stat().st_mode) & ~mode
                    part.write_text("new")
                assert stat.S_IMODE(path.stat().st_mode) == mode
                path.chmod(changed)
        finally:
            os.umask(before)
        path.unlink()


def test_names_of_any_length_can_be_written(tmp_path) -> None:
    for name in ("n" * 251 + ".wol", "ü" * 127, "n." + "x" * 253):
        with replacing(tmp_path / name) as part:
            part.write_text("whole")
        assert (tmp_path / name).read_text() == "whole"


def test_a_message_is_one_short_line_that_a_terminal_shows() -> None:
    assert one_line("no model\n  m.wol") == "no model m.wol"
    assert one_line("\x1b[31m\udcff \u202e") == r"\x1b[31m\udcff \u202e"
    assert one_line("caf\udcc3\udca9") == "café"
    assert one_line("é", encoding="ascii") == r"\xe9"
    for text in ("x" * 9999, f"there is no {'y' * 9999!r}: take z", "word " * 9999, "'" * 9999):
        line = one_line(text)
        assert 100 < len(line) <= LONGEST and " ... " in line
    assert one_line(f"there is no {'y y ' * 999!r}: take z").endswith("': take z")
