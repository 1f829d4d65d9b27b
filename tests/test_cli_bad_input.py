"""The command line given bad input, and interrupted: one clear line, and nothing lost."""

from __future__ import annotations

import json
import signal
import subprocess
import time
from pathlib import Path
from types import SimpleNamespace

import pytest
from command_line import PATIENCE, PLAIN, complaint, order, own_files, start, typed

from wordorder_lab.cli import main
from wordorder_lab.commands.mistakes import is_about_input
from wordorder_lab.systems.model import choose_engine


@pytest.fixture(scope="module")
def own(tmp_path_factory) -> SimpleNamespace:
    return own_files(tmp_path_factory.mktemp("own"))


# --- bad input: one clear line and exit code 2, or a result ---------------------------------------

RESULTS = {
    "one word": "robin",
    "a tag alone": "./.",
    "one word 30 times": " ".join(["robin"] * 30),
    "unseen words": "xyzzy [frotz plugh] .",
    "emoji": "👩‍👩‍👧 watches 🎉/VBZ",
    "right to left": "الولد [البيت الكبير] שלום .",
    "escapes": r"1\/2 \[ \] \\",
}


@pytest.mark.parametrize("bag", RESULTS.values(), ids=RESULTS)
def test_odd_bags_are_ordered(own, capsys, bag: str) -> None:
    assert order(own, bag) == 0
    assert len(capsys.readouterr().out.splitlines()) == 1


def test_two_hundred_words(own, capsys) -> None:
    words = " ".join(f"word{i}/VBZ" for i in range(200))
    assert order(own, "--beam", "2", words) == 0
    assert len(capsys.readouterr().out.split()) == 201


REFUSED = {
    "empty bag": ([""], "the bag is empty"),
    "open bracket": (["robin [a clock"], "column 7"),
    "unknown tag": (["robin/XYZ"], "never saw the tag XYZ; it knows . NP VBZ"),
    "a date": (["1/2"], r"written \/"),
    "too many": (["a " * 1001], "1000 are the most"),
    "not UTF-8": (["robin \udcff"], "column 7"),
}


@pytest.mark.parametrize(("bag", "reason"), REFUSED.values(), ids=REFUSED)
def test_bad_bags_are_refused(own, capsys, bag: list[str], reason: str) -> None:
    assert order(own, *bag) == 2
    assert reason in complaint(capsys)


def test_a_bad_line_of_stdin_is_named(own, capsys, monkeypatch) -> None:
    typed(monkeypatch, "a b\na [b\nc\n")
    assert order(own) == 2
    captured = capsys.readouterr()
    assert "line 2 of the input, column 3" in captured.err
    assert len(captured.out.splitlines()) == 1


@pytest.mark.parametrize("target", ["-", "file"])
def test_a_bad_line_does_not_take_back_the_answers(
    own, tmp_path, capsys, monkeypatch, target
) -> None:
    typed(monkeypatch, "a b\nc\na [b\nd\n")
    path, events = tmp_path / "a.json", tmp_path / "a.events"
    to = str(path) if target == "file" else target
    assert order(own, "--json", to, "--trace", str(events)) == 2
    captured = capsys.readouterr()
    assert "line 3 of the input" in captured.err and events.exists()
    answers = json.loads(path.read_text() if target == "file" else captured.out)
    assert [answer["bag"] for answer in answers] == ["a b", "c"]


def test_a_bad_bag_alone_writes_nothing(own, tmp_path, capsys) -> None:
    assert order(own, "--json", str(tmp_path / "a.json"), "a [b") == 2
    assert "no closing bracket" in complaint(capsys)
    assert not list(tmp_path.iterdir())


WRONG_ARGUMENTS = {
    "no corpus": (["corpora", "nowhere"], "no corpus and no file is called 'nowhere'"),
    "no model": (["order", "--model", "no.wol", "a"], "no model no.wol: make one with"),
    "no system": (["train", "liu", "--out", "m.wol"], "no system 'liu'; there are liu-2015"),
    "no templates": (
        ["train", "liu-2015", "--out", "m.wol", "--templates", "x"],
        "no template file 'x'; there are liu_2015_labels",
    ),
    "no folder": (["train", "liu-2015", "--out", "no/where/m.wol"], "no folder no/where"),
    "no experiment": (["reproduce", "liu"], "no experiment 'liu'; there are cohn-lapata-2009"),
    "no option, and none of those that must be": (["order", "--modell", "m"], "'--model'?"),
    "an option of the command": (["train", "liu-2015", "--ingine", "fast"], "'--engine'?"),
    "an option before a command": (["--versio"], "'--version'?"),
    "no CoNLL base NPs": (["corpora", "ewt", "--units", "base-np"], "base NPs"),
}


@pytest.mark.parametrize(("argv", "reason"), WRONG_ARGUMENTS.values(), ids=WRONG_ARGUMENTS)
def test_wrong_arguments(capsys, argv: list[str], reason: str, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(argv) == 2
    said = complaint(capsys)
    assert reason in said or "is not here. Get it with" in said
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("argv", "reason"),
    [
        (["--beam", "1.5"], "'1.5' is not a whole number from 1 to"),
        (["--epochs", "0"], "'0' is not a whole number from 1 to"),
        (["--pos", "1.5"], "'1.5' is not a number from 0 to 1"),
        (["--deps", "-1"], "'-1' is not a number from 0 to 1"),
        (["--units", "letters"], "choose from"),
        ([], "the following arguments are required: --out"),
    ],
)
def test_what_argparse_refuses_is_one_line_too(capsys, argv: list[str], reason: str) -> None:
    out = ["--out", "m.wol"] if argv else []
    with pytest.raises(SystemExit) as stop:
        main(["train", "liu-2015", *argv, *out])
    assert stop.value.code == 2
    assert reason in complaint(capsys)


def test_a_broken_tree_is_found(own, tmp_path, capsys) -> None:
    text = Path(own.corpus).read_text() * 236
    lines = text.splitlines()
    lines[4710] = lines[4710].replace("(VP", "VP)")
    broken = tmp_path / "broken.mrg"
    broken.write_text("\n".join(lines))
    assert main(["train", "liu-2015", "--corpus", str(broken), "--out", str(tmp_path / "m")]) == 2
    assert "line 4,711" in complaint(capsys)


def test_half_a_model_is_refused(own, tmp_path, capsys) -> None:
    data = Path(own.model).read_bytes()
    half = tmp_path / "half.wol"
    half.write_bytes(data[: len(data) // 2])
    assert main(["evaluate", "--model", str(half)]) == 2
    assert "damaged" in complaint(capsys)


def test_mistakes_of_ours_are_not_dressed_up() -> None:
    with pytest.raises(ValueError, match="invalid literal") as caught:
        json.loads("1", parse_int=lambda text: int("one"))
    assert not is_about_input(caught.value)


@pytest.mark.slow
def test_a_reader_who_leaves_is_no_error(own) -> None:
    process = start("order", "--model", own.model, *PLAIN)
    assert process.stdin and process.stdout and process.stderr
    process.stdin.write("robin .\n")
    process.stdin.flush()
    assert process.stdout.readline()
    process.stdout.close()
    with process.stdin:
        process.stdin.write("robin .\n" * 3)
    assert process.wait(PATIENCE) == 141
    assert process.stderr.read() == ""
    process.stderr.close()


# --- interruptions --------------------------------------------------------------------------------


def wait_for(process: subprocess.Popen, path: Path, other_than: bytes | None) -> None:
    """Until there is a file at ``path`` which is not what it was."""
    limit = time.monotonic() + PATIENCE
    while not path.exists() or path.read_bytes() == other_than:
        assert process.poll() is None, process.communicate()[1]
        assert time.monotonic() < limit
        time.sleep(0.002)


@pytest.mark.slow
def test_ctrl_c_and_kill_lose_nothing(own, tmp_path) -> None:
    out, checkpoint = tmp_path / "m.wol", tmp_path / "m.wol.checkpoint"
    argv = ["train", "liu-2015", "--corpus", own.corpus, "--beam", "2", "--epochs", "150", *PLAIN]

    process = start(*argv, "--out", str(out))
    wait_for(process, checkpoint, None)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130, said
    line = f"interrupted; the same command goes on from {checkpoint}"
    assert said.strip().endswith(line) and "Traceback" not in said
    assert not out.exists()
    first = checkpoint.read_bytes()

    process = start(*argv, "--out", str(out))
    wait_for(process, checkpoint, first)
    process.kill()
    process.communicate(timeout=PATIENCE)
    assert process.returncode == -signal.SIGKILL
    assert not out.exists()

    # A checkpoint is no model, and says so.
    refused = start("order", "--model", str(checkpoint), "a")
    assert "holds liu-2015 checkpoint" in refused.communicate(timeout=PATIENCE)[1]
    assert refused.returncode == 2

    process = start(*argv, "--out", str(out))
    _, said = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, said
    straight = tmp_path / "straight.wol"
    assert main([*argv, "--out", str(straight)]) == 0
    assert out.read_bytes() == straight.read_bytes()
    assert not checkpoint.exists()


def test_ctrl_c_where_python_cannot_raise_it(capsys, monkeypatch) -> None:
    """In a ``__del__`` an exception is only printed: Ctrl-C must come through all the same."""
    from wordorder_lab.commands import order

    class Interrupted:
        def __del__(self) -> None:
            raise KeyboardInterrupt

    def run(_: object) -> int:
        Interrupted()
        for _ in range(10 * PATIENCE):
            time.sleep(0.1)
        return 0

    monkeypatch.setattr(order, "run", run)
    assert main(["order", "--model", "m.wol", "a"]) == 130
    assert capsys.readouterr().err == "\nwordorder-lab: interrupted\n"


def test_ctrl_c_says_only_what_is_true(own, tmp_path, capsys, monkeypatch) -> None:
    from wordorder_lab import corpora
    from wordorder_lab.commands.demo import run as demo
    from wordorder_lab.trace.log import EventLog

    def stop(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    size = ["--corpus", own.corpus, "--beam", "1", "--epochs", "1", *PLAIN]
    monkeypatch.setattr(EventLog, "save", stop)
    monkeypatch.setattr(demo, "random_order", stop)
    out = tmp_path / "m.wol"
    argv = ["train", "liu-2015", *size, "--trace", str(tmp_path / "e"), "--out", str(out)]
    line = "\nwordorder-lab: interrupted; the model is in {}\n"  # below the progress bar
    assert main(argv) == 130
    assert line.format(out) in capsys.readouterr().err
    assert main(["demo", *size, "--out", str(tmp_path)]) == 130
    assert line.format(tmp_path / "model.wol") in capsys.readouterr().err

    monkeypatch.setattr(corpora, "load_corpus", stop)
    argv[-1] = str(tmp_path / "other.wol")
    assert main(argv) == 130
    assert complaint(capsys).strip() == "wordorder-lab: interrupted"


def test_a_checkpoint_of_another_training_is_refused(own, tmp_path, capsys) -> None:
    out = tmp_path / "m.wol"
    argv = ["train", "liu-2015", "--corpus", own.corpus, "--beam", "2", *PLAIN, "--out", str(out)]

    with pytest.MonkeyPatch.context() as patch:
        from wordorder_lab.commands.learning import Learning

        def stop(self: Learning, epoch: int, model: object) -> None:
            raise KeyboardInterrupt

        patch.setattr(Learning, "after_epoch", stop)
        assert main([*argv, "--epochs", "3"]) == 130
    assert f"goes on from {out}.checkpoint" in capsys.readouterr().err
    assert main([*argv, "--epochs", "3", "--seed", "2"]) == 2
    assert "checkpoint of other settings" in capsys.readouterr().err
    assert main([*argv, "--epochs", "1"]) == 0
    assert out.exists()


@pytest.mark.skipif(choose_engine() != "fast", reason="there is no numba here")
@pytest.mark.slow
def test_ctrl_c_in_the_fast_engine_loses_nothing(own, tmp_path) -> None:
    out, checkpoint = tmp_path / "m.wol", tmp_path / "m.wol.checkpoint"
    argv = ["train", "liu-2015", "--corpus", own.corpus, "--beam", "2", "--epochs", "1000"]

    process = start(*argv, "--out", str(out))
    wait_for(process, checkpoint, None)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130, said
    assert f"goes on from {checkpoint}\n" in said and "Traceback" not in said
    assert checkpoint.exists() and not out.exists()

    straight = tmp_path / "straight.wol"
    assert main([*argv, "--out", str(out)]) == main([*argv, "--out", str(straight)]) == 0
    assert out.read_bytes() == straight.read_bytes()
