"""The command line given odd and bad input, and interrupted: nothing is lost.

What is refused, and with which words, is in ``test_bad_command_lines.py``.
"""

from __future__ import annotations

import json
import signal
import subprocess
import time
from pathlib import Path

import pytest
from command_line import (
    PATIENCE,
    PLAIN,
    SHORT,
    TREE,
    complaint,
    compress,
    order,
    start,
    stop_at,
    typed,
)

from wordorder_lab import corpora
from wordorder_lab.cli import main
from wordorder_lab.commands.mistakes import is_about_input
from wordorder_lab.systems.model import choose_engine
from wordorder_lab.trace.log import EventLog

ODD_BAGS = {
    "one word": "robin",
    "a tag alone": "./.",
    "one word 30 times": " ".join(["robin"] * 30),
    "unseen words": "xyzzy [frotz plugh] .",
    "emoji": "👩‍👩‍👧 watches 🎉/VBZ",
    "right to left": "الولد [البيت الكبير] שלום .",
    "escapes": r"1\/2 \[ \] \\",
    "200 words": " ".join(f"word{i}/VBZ" for i in range(200)),
}
ODD_TREES = {
    "one word": "(NP (NN robin))",
    "labels never seen": "(FOO (BAR (BAZ xyzzy)) (QUX plugh))",
    "a chain": "(S (S (S (NP (NN robin)))))",
    "many children": f"(NP {'(NN robin) ' * 14})",
    "signs": r"(S (NP (NN a\/b)) (, <) (. _))",
    "emoji": "(S (NP (NN 👩‍👩‍👧)) (VP (VBZ 🎉)))",
}


@pytest.mark.parametrize("bag", ODD_BAGS.values(), ids=ODD_BAGS)
def test_odd_bags_are_ordered(own, capsys, bag: str) -> None:
    assert order(own, "--beam", "2", bag) == 0
    (line,) = capsys.readouterr().out.splitlines()
    assert len(line.split()) >= 2 and ("word199" not in bag or len(line.split()) == 201)


@pytest.mark.parametrize("tree", ODD_TREES.values(), ids=ODD_TREES)
def test_odd_trees_are_compressed(own, capsys, tree: str) -> None:
    assert compress(own, tree) == 0
    assert len(capsys.readouterr().out.split()) >= 2


BROKEN = {
    "order": (order, "a b\nc\na [b\nd\n", "line 3 of the input, column 3"),
    "compress": (
        compress,
        f"{TREE}\n{TREE}\n(S (NP rain)\n{TREE}\n",
        "line 3 of the input: a closing",
    ),
}


@pytest.mark.parametrize(("verb", "text", "reason"), BROKEN.values(), ids=BROKEN)
@pytest.mark.parametrize("target", ["-", "file"])
def test_a_bad_line_does_not_take_back_the_answers(
    own, tmp_path, capsys, monkeypatch, verb, text, reason, target
) -> None:
    typed(monkeypatch, text)
    path, events = tmp_path / "a.json", tmp_path / "a.events"
    to = str(path) if target == "file" else target
    assert verb(own, "--json", to, "--trace", str(events)) == 2
    captured = capsys.readouterr()
    assert reason in captured.err and events.exists()
    answers = json.loads(path.read_text() if target == "file" else captured.out)
    assert len(answers) == 2
    if verb is order:
        assert [answer["bag"] for answer in answers] == ["a b", "c"]
    else:
        assert [answer["text"] for answer in answers] == [SHORT, SHORT]


BAGS = "watches [a clock\nwatches>2 clock>1\nwatches [a clock]\n"
TYPED = {
    "order": (
        *(order, BAGS),
        [
            "brackets keep a phrase",
            "heads and orders: ",
            "no closing bracket",
            "go round in a cycle",
        ],
    ),
    "compress": (
        *(compress, f"(S (NP rain)\n{TREE}\n"),
        ["a closing bracket is missing", "a tree a line"],
    ),
}


@pytest.mark.parametrize(("verb", "text", "told"), TYPED.values(), ids=TYPED)
def test_who_types_is_told_how_and_may_err(own, capsys, monkeypatch, verb, text, told) -> None:
    typed(monkeypatch, text, terminal=True)
    assert verb(own) == 0
    captured = capsys.readouterr()
    assert [words for words in told if words not in captured.err] == []
    assert len(captured.out.splitlines()) == 1


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


@pytest.mark.parametrize(("engine", "epochs"), [("reference", "80"), ("fast", "1000")])
@pytest.mark.slow
def test_ctrl_c_and_kill_lose_nothing(own, tmp_path, capsys, engine: str, epochs: str) -> None:
    if engine == "fast" != choose_engine():
        pytest.skip("there is no numba here")
    out, checkpoint = tmp_path / "m.wol", tmp_path / "m.wol.checkpoint"
    argv = ["train", "liu-2015", "--corpus", own.corpus, "--beam", "2", "--epochs", epochs]
    argv += ["--engine", engine, "--out"]

    process = start(*argv, str(out))
    wait_for(process, checkpoint, None)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130, said
    line = f"interrupted; the same command goes on from {checkpoint}"
    assert said.strip().endswith(line) and "Traceback" not in said
    assert checkpoint.exists() and not out.exists()

    if engine == "reference":
        first = checkpoint.read_bytes()
        process = start(*argv, str(out))
        wait_for(process, checkpoint, first)
        process.kill()
        process.communicate(timeout=PATIENCE)
        assert process.returncode == -signal.SIGKILL and not out.exists()
        assert main(["order", "--model", str(checkpoint), "a"]) == 2
        assert "holds liu-2015 checkpoint" in complaint(capsys)

    straight = tmp_path / "straight.wol"
    assert main([*argv, str(out)]) == main([*argv, str(straight)]) == 0
    assert out.read_bytes() == straight.read_bytes() and not checkpoint.exists()


def test_ctrl_c_where_python_cannot_raise_it(capsys, monkeypatch) -> None:
    """In a ``__del__`` an exception is only printed: Ctrl-C must come through all the same."""

    class Interrupted:
        def __del__(self) -> None:
            raise KeyboardInterrupt

    def run(_: object) -> int:
        Interrupted()
        for _ in range(10 * PATIENCE):
            time.sleep(0.1)
        return 0

    monkeypatch.setattr("wordorder_lab.commands.order.run", run)
    assert main(["order", "--model", "m.wol", "a"]) == 130
    assert capsys.readouterr().err == "\nwordorder-lab: interrupted\n"


def test_ctrl_c_says_only_what_is_true(own, tmp_path, capsys, monkeypatch) -> None:
    size = ["--corpus", own.corpus, "--beam", "1", "--epochs", "1", *PLAIN]
    stop_at(monkeypatch, EventLog, "save")
    out = tmp_path / "m.wol"
    argv = ["train", "liu-2015", *size, "--trace", str(tmp_path / "e"), "--out", str(out)]
    line = "\nwordorder-lab: interrupted; the model is in {}\n"  # below the progress bar
    assert main(argv) == 130
    assert line.format(out) in capsys.readouterr().err
    stop_at(monkeypatch, corpora, "load_corpus")
    argv[-1] = str(tmp_path / "other.wol")
    assert main(argv) == 130
    assert complaint(capsys).strip() == "wordorder-lab: interrupted"
