"""``wordorder-lab explore``: a page for one model or two, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from browser import ready
from command_line import PLAIN, write_corpus, write_model, write_pairs

from wordorder_lab.cli import main


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("explore")
    write_model(folder, write_corpus(folder))
    return folder


def told(capsys: Any) -> tuple[str, str]:
    said = capsys.readouterr()
    return said.out, said.err


def test_a_page_of_one_model(own: Path, page: Any, capsys: Any) -> None:
    """It holds the split, opens offline, and plays as many sentences as were asked for."""
    out, numbers = own / "one.html", own / "one.json"
    line = ["explore", "--model", str(own / "own.wol"), "--corpus", str(own / "own.mrg"), *PLAIN]
    line += ["--split", "train", "--sentences", "7", "--recordings", "2"]
    assert main([*line, "--out", str(out), "--json", str(numbers)]) == 0
    data = json.loads(numbers.read_text(encoding="utf-8"))
    assert data["sentences"] == 7 and sum(data["errors"]["own"].values()) == 7
    assert f"open {out}" in told(capsys)[0]
    ready(page, out)
    assert page.locator("output.wol-place").first.inner_text() == "7 of 7 sentences"
    assert len(page.evaluate("() => Object.keys(wordorderExplorer.data.plays)")) == 2


def test_two_models_and_pairs(own: Path, capsys: Any) -> None:
    corpus, model = str(own / "own.mrg"), str(own / "own.wol")
    second = str(own / "second.wol")
    train = ["zhang-clark-2015-dependency", "--corpus", corpus, "--beam", "4", "--epochs", "1"]
    assert main(["train", *train, *PLAIN, "--out", second]) == 0
    line = ["--model", model, "--model", second, "--corpus", corpus, *PLAIN, "--recordings", "0"]
    assert main(["explore", *line, "--out", str(own / "two.html"), "--json", "-"]) == 0
    out, _ = told(capsys)
    assert [*json.loads(out[out.index("{") :])["errors"]] == ["own", "second"]
    pairs, short = write_pairs(own), own / "short.wol"
    size = ["--beam", "5", "--iterations", "3", *PLAIN, "--out", str(short)]
    assert main(["train", "cohn-lapata-2009", "--corpus", str(pairs), *size]) == 0
    line = ["--model", str(short), "--corpus", str(pairs), *PLAIN, "--recordings", "1"]
    assert main(["explore", *line, "--out", str(own / "short.html")]) == 0
    assert "short: " in told(capsys)[0] and (own / "short.html").exists()


def test_what_is_refused(own: Path, capsys: Any) -> None:
    """Before any work, in one line that names the way out."""
    model, corpus = ["--model", str(own / "own.wol")], ["--corpus", str(own / "own.mrg")]
    there = ["--out", str(own / "new.html")]
    wrong = {
        "--model may be given twice at most, not 3 times": [*model * 3, *corpus, *there],
        "liu-2015 has no --bonus in its search": [*model, *corpus, "--bonus", "9", *there],
        "there is no folder": [*model, *corpus, "--out", str(own / "no" / "x.html")],
        "--recordings: '1001' is too much": [*model, *corpus, "--recordings", "1001", *there],
        "the following arguments are required: --out": [*model, *corpus],
        "are the same file": [*model, *corpus, "--out", str(own / "own.wol")],
    }  # fmt: skip
    for reason, line in wrong.items():
        try:
            code = main(["explore", *line])
        except SystemExit as stop:
            code = int(str(stop.code))
        _, err = told(capsys)
        assert code == 2 and reason in err and err.count("\n") == 1, err
    assert not (own / "new.html").exists()
