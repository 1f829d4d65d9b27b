"""ARPA files: what is written is read again, other tools' files are, damaged ones are refused."""

from __future__ import annotations

import math
import re
from pathlib import Path

import pytest

import wordorder_lab as wl
from wordorder_lab.models.arpa import read_arpa, write_arpa
from wordorder_lab.models.kneser_ney import estimate
from wordorder_lab.models.ngram import NEVER


@pytest.mark.parametrize("order", [1, 2, 4])
def test_arpa_round_trip(order: int, tmp_path: Path) -> None:
    sentences = [sentence.surface for sentence in wl.load_corpus("gazette").train[:100]]
    model = estimate([*sentences, ["caf\u00e9", "10\u00a0000", "\\data\\"]], order)
    write_arpa(model, tmp_path / "m.arpa")
    again = read_arpa(tmp_path / "m.arpa")
    assert (again.vocabulary, again.sizes) == (model.vocabulary, model.sizes)
    assert again.keys.tolist() == model.keys.tolist()
    assert again.log_probs == pytest.approx(model.log_probs, abs=1e-6)
    assert again.back_offs == pytest.approx(model.back_offs, abs=1e-6)


OTHERS = r"""
made by hand
\data\
ngram 1=4
ngram 2=2
ngram  3 = 1

\1-grams:
-1.0 </s>
-99 <s> -0.5
-0.5 a  -0.25
-0.25 b

\2-grams:
-0.125 <s> a 0.0625
-2 a a
\3-grams:
-0.1 a b </s>

\end\
what comes here is not read
"""


def test_a_file_of_another_tool(tmp_path: Path) -> None:
    """No <unk>, other spaces, back-offs left out, and ``a b`` is missing below ``a b </s>``."""
    path = tmp_path / "m.arpa"
    path.write_bytes(OTHERS.replace("\n", "\r\n").encode())
    model = read_arpa(path)
    a, b = model.word_id("a"), model.word_id("b")
    for context, word, log10 in [
        ([], b, -0.25),
        ([model.start], a, -0.125),
        ([model.start, model.start], a, -0.125),
        ([model.start, a], a, 0.0625 - 2),
        ([model.start, a], b, 0.0625 - 0.25 - 0.25),
        ([a], b, -0.25 - 0.25),
        ([a, b], model.end, -0.1),
        ([b, b], model.end, -1),
        ([a, b], a, -0.5),
        ([b], model.unknown, -99),
    ]:
        assert model.log_prob(context, word) / math.log(10) == pytest.approx(log10)


def test_other_ways_to_write_unknown_and_never(tmp_path: Path) -> None:
    path = tmp_path / "m.arpa"
    path.write_text(OTHERS.replace("-0.25 b", "-inf <UNK>").replace("a b", "a <UNK>"))
    model = read_arpa(path)
    assert model.vocabulary == ("<unk>", "<s>", "</s>", "a")
    assert model.log_prob([], model.unknown) == model.log_prob([], model.start) == NEVER
    assert model.log_prob([model.word_id("a"), model.unknown], model.end) > -1


def test_a_damaged_arpa_file_is_refused(tmp_path: Path) -> None:
    """Without any one of its lines, cut after any one, and with any one of them twice."""
    path = tmp_path / "m.arpa"
    lines = OTHERS.strip().splitlines()
    last = lines.index("\\end\\")
    for at in (i for i in range(1, last + 1) if lines[i]):
        twice = [*lines[: at + 1], *lines[at:]]
        for damaged in (lines[:at] + lines[at + 1 :], lines[:at], twice):
            if damaged == twice and at in (1, last):
                continue
            path.write_text("\n".join(damaged))
            with pytest.raises(ValueError, match=r"m\.arpa, line \d+: "):
                read_arpa(path)


@pytest.mark.parametrize(
    ("old", "new", "where"),
    [
        ("-2 a a", "-2 a c", "line 15: a word that is not among the 1-grams"),
        ("-2 a a", "-2 <s> a", "line 15: this 2-gram is there already"),
        ("-2 a a", "-2 a", "line 15: 2 fields"),
        ("-2 a a", "2 a a", "line 15: '2' is not the log10"),
        ("-2 a a", "nan a a", "line 15: 'nan' is not the log10"),
        ("a  -0.25", "a  -0.25x", "line 10: '-0.25x' is not the log10"),
        ("</s>", "x", "line 13: </s> is not among the 1-grams"),
        ("ngram 2=2", "ngram 2=3", "line 16: here end 2 2-grams; the head announces 3"),
        ("\\data\\", "", r"line 20: the file ends without \\data\\"),
    ],
)
def test_what_is_wrong_in_an_arpa_file(old: str, new: str, where: str, tmp_path: Path) -> None:
    path = tmp_path / "m.arpa"
    path.write_text(OTHERS.strip().replace(old, new, 1))
    with pytest.raises(ValueError, match=where):
        read_arpa(path)


def test_words_with_spaces_have_no_place_in_arpa(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=re.escape("'New York'")):
        write_arpa(estimate([["New York"]], 2), tmp_path / "m.arpa")
    assert not list(tmp_path.iterdir())


PRUNED = """\\data\\
ngram 1=6
ngram 2=5
ngram 3=3

\\1-grams:
-1.3\t<unk>
-99\t<s>\t-0.41
-0.9\t</s>
-0.7\tthe\t-0.35
-0.8\tmayor\t-0.27
-1.1\tslept\t-0.13

\\2-grams:
-0.2\t<s> the\t-0.31
-0.4\tthe mayor\t-0.22
-0.5\tmayor slept\t-0.11
-0.3\tslept </s>
-1.2\tmayor the

\\3-grams:
-0.15\t<s> the mayor
-0.25\tthe mayor slept
-0.12\tmayor slept </s>

\\end\\
"""
BY_KENLM = {  # decimal logarithms, as kenlm 0.3.0 gave them once for this file
    "the mayor slept": -0.72,
    "slept mayor the": -4.89,
    "mayor the zebra the mayor": -6.55,
    "zebra": -2.61,
    "the mayor the mayor slept slept": -4.06,
}


def test_another_tool_gives_the_same_probabilities(tmp_path: Path) -> None:
    (tmp_path / "m.arpa").write_text(PRUNED)
    model = read_arpa(tmp_path / "m.arpa")
    ours = {text: model.score(text.split()) / math.log(10) for text in BY_KENLM}
    assert ours == pytest.approx(BY_KENLM, abs=1e-5)
