"""Questions that are drawn: keys are worked out again from nothing but the questions' texts."""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Callable
from itertools import pairwise, permutations, product
from math import prod
from pathlib import Path

import pytest

pytest.importorskip("jupytext")

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "docs" / "teach"))

import course
from drawn import KINDS, SEEDS, drawn

EXAM = course.EXAM.split()
DRAWN = (2, 17, 998)
"""Seeds that are looked at."""


def test_an_exam_has_twelve_weighted_questions_over_six_sessions() -> None:
    kinds = [KINDS[name] for name in EXAM]
    assert len({*EXAM}) == 12 and {one.session for one in kinds} == {*range(1, 7)}
    assert sum(one.points for one in kinds) == 100
    assert sum(one.minutes for one in kinds) <= 90 - 5
    assert {*course.SHEETS} <= {*KINDS}


def test_two_exams_have_no_question_in_common_and_the_same_weights() -> None:
    """No point is taken by two seeds, so no three seeds are needed to believe it."""
    papers = [[drawn(name, seed) for name in EXAM] for seed in DRAWN]
    assert len({item.asks for paper in papers for item in paper}) == len(DRAWN) * len(EXAM)
    for paper in papers:
        points = [sum(points for points, _ in item.rubric) for item in paper]
        assert points == [KINDS[name].points for name in EXAM]
    for one in KINDS.values():
        few = min(one.size, 3 * SEEDS)
        assert one.size > SEEDS and len({repr(one.at(number)) for number in range(few)}) == few


def test_the_same_seed_gives_the_same_exam_and_another_one_is_refused() -> None:
    assert course.answered(EXAM[:2], 5) == course.answered(EXAM[:2], 5)
    with pytest.raises(ValueError, match=f"from 0 to {SEEDS - 1}, not {SEEDS}"):
        drawn("bleu", SEEDS)


# --- the keys, by somebody who has nothing but the text of the questions --------------------------


def rows_of(text: str) -> list[list[str]]:
    """The lines of a table, without its head."""
    lines = [line[2:-2].split(" | ") for line in text.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line] for line in lines[2:]]


def numbers_of(text: str) -> list[float]:
    return [float(number) for number in re.findall(r"-?\d+(?:\.\d+)?", text)]


def grams(words: list[str], n: int) -> Counter[tuple[str, ...]]:
    return Counter(zip(*(words[i:] for i in range(n)), strict=False))


def bleu(asked: str) -> list[str]:
    reference, output = (words.split() for words in re.findall(r": \*(.+?)\*", asked))
    right = [(grams(output, n) & grams(reference, n)).total() for n in range(1, 5)]
    of = [len(output) - n for n in range(4)]
    shares = [one / two for one, two in zip(right, of, strict=True)]
    rows = [f"| {n + 1} | {right[n]} | {of[n]} | {shares[n]:.3f} |" for n in range(4)]
    return [*rows, f"**{100 * prod(shares) ** 0.25:.1f}**"]


def arcs_of(asked: str) -> set[tuple[str, str]]:
    """The tree that the question tells in words, as pairs of head and dependent."""
    root, first, second, *rest = re.findall(r"\*(.+?)\*", asked.partition(": ")[2])
    pairs = dict(zip(rest[::2], rest[1::2], strict=True))
    return {(root, first), (root, second), *((head, other) for other, head in pairs.items())}


def led_to(key: str) -> tuple[list[str], set[tuple[str, str]]]:
    """The stack and the arcs after the actions of a key, whose stacks are looked at, too."""
    stack, arcs = list[str](), set[tuple[str, str]]()
    for _, action, shown, _ in rows_of(key):
        if action.startswith("SHIFT-"):
            stack.append(action[6:].rpartition("-")[0])
        else:
            below, top = stack[-2:]
            head, other = (below, top) if action == "RIGHTARC" else (top, below)
            stack[-2:], arcs = [head], arcs | {(head, other)}
        assert shown.replace("\\|", "|") == " | ".join(stack)
    return stack, arcs


def early(asked: str) -> list[str]:
    steps = [numbers_of(" ".join(row)) for row in rows_of(asked)]
    lost = next(step for step, rank, *_ in steps if rank == -1)
    most = max(steps, key=lambda row: row[2] - row[3])
    return [f"step **{lost:g}**", f"step **{most[0]:g}**", f"({most[2] - most[3]:g})"]


def cut_by_beta(asked: str) -> list[str]:
    shares = {name: float(share) for name, share in re.findall(r"(`\S+`) (\d\.\d+)", asked)}
    return [
        f"β = {beta:g}: {', '.join(n for n in shares if shares[n] >= beta * max(shares.values()))}"
        for beta in numbers_of(asked.split("β =")[1].split("?")[0])
    ]


def sums(asked: str) -> dict[tuple[str, ...], float]:
    pairs = {tuple(pair.strip("`").split()): float(value) for pair, value in rows_of(asked)}
    return {o: sum(pairs[pair] for pair in pairwise(("<s>", *o))) for o in permutations("abc")}


def greedy(asked: str) -> tuple[str, ...]:
    pairs = {tuple(pair.strip("`").split()): float(value) for pair, value in rows_of(asked)}
    output: list[str] = []
    while len(output) < 3:
        output.append(max({*"abc"} - {*output}, key=lambda word: pairs[["<s>", *output][-1], word]))
    return tuple(output)


def beam(asked: str) -> list[str]:
    scores, one = sums(asked), greedy(asked)
    best = max(scores, key=lambda order: scores[order])
    told = [f"***{' '.join(best)}***, {scores[best]:g}", f"*{' '.join(one)}*, {scores[one]:g}"]
    return [f"Beam 2: {told[0]}. Beam 1: {told[1]}."]


def fault(asked: str) -> list[str]:
    scores, one = sums(asked), greedy(asked)
    best = max(scores, key=lambda order: scores[order])
    references = [tuple(text.split()) for text in re.findall(r"if it is \*(. . .)\*", asked)]
    assert [scores[order] < scores[one] for order in references] == [True]
    return [
        f"*{' '.join(one)}* with {scores[one]:g}",
        f"***{' '.join(best)}*** with {scores[best]:g}",
        "a **search error**",
        f"has {scores[references[0]]:g}",
        "a **model error**",
    ]


def permutation(asked: str) -> list[str]:
    seen = numbers_of(asked.partition("by ")[2].partition(" points")[0].replace("+", ""))
    ways = [sum(s * d for s, d in zip(signs, seen)) for signs in product((1, -1), repeat=5)]
    far = sum(abs(way) >= abs(sum(seen)) for way in ways)
    assert far / 32 > 0.05
    return [f"**{far}** of 32", f"p = **{far / 32:.3g}**"]


def tree(asked: str) -> list[str]:
    """A noun phrase keeps its noun, then the determiner, then the adjective; only the object has
    to share its place with nothing."""
    words = asked.split("```")[1].strip().splitlines()[-1].split()
    tags = asked.split("```")[1].strip().splitlines()[-3].split()
    verb = tags.index("VBD")

    def ways(place: slice) -> list[str]:
        of = dict(zip(tags[place], words[place], strict=True))
        kept = [[], ["NN"], ["DT", "NN"], ["DT", "JJ", "NN"]]
        return [" ".join(of[t] for t in one) for one in kept if {*one} <= {*of}]

    both = product(ways(slice(0, verb)), ways(slice(verb + 1, None)))
    texts = {" ".join(f"{one} {words[verb]} {two}".split()) for one, two in both}
    longest = max(texts, key=len)
    return [f"**{len(texts)}** derivations", *(f" {text} |" for text in texts), f"*{longest}*"]


def margin(asked: str) -> list[str]:
    x, y = numbers_of(asked.split("= (")[1].split(")")[0])
    loss, low, high = numbers_of(" ".join(re.findall(r"(?:loss is|C =) ([\d.]*\d)", asked)))
    long = x * x + y * y
    steps = [min(C, loss / long) for C in (low, high)]
    return [f"**({a * x:.2f}, {a * y:.2f})**, the margin is {a * long:.3g}" for a in steps]


BY_TEXT: dict[str, Callable[..., list[str]]] = {
    one.__name__: one for one in (bleu, early, cut_by_beta, beam, fault, permutation, tree, margin)
}


@pytest.mark.parametrize("name", BY_TEXT)
def test_the_key_follows_from_the_text(name: str) -> None:
    for seed in DRAWN:
        item = drawn(name, seed)
        wanted = BY_TEXT[name](item.asks)
        assert wanted and [one for one in wanted if one not in item.key] == [], item


def test_the_actions_of_the_key_build_the_tree_of_the_question() -> None:
    for seed in DRAWN:
        item = drawn("actions", seed)
        stack, arcs = led_to(item.key)
        assert arcs == arcs_of(item.asks) and len(arcs) == 4
        assert stack == [*({head for head, _ in arcs} - {other for _, other in arcs})]


def test_a_key_is_printed_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every table of it is one in the page, and the paper has none of the answers."""
    monkeypatch.setattr(course, "find_browser", lambda: None)
    assert course.main([str(tmp_path), "--exam", "5"]) == 0
    paper, key = (
        (tmp_path / "teacher" / "exam" / f"exam_5{which}.html").read_text(encoding="utf-8")
        for which in ("", "_key")
    )
    items = [drawn(name, 5) for name in EXAM]
    tables = sum(text.count("| --- |\n") for item in items for text in (item.asks, item.key))
    assert key.count("<table>") == tables and "<th>Key" not in key
    assert paper.count("<table>") == sum(item.asks.count("| --- |\n") for item in items)
    assert "<strong>" not in paper and key.count("<strong>Key</strong>") == len(EXAM)


def test_no_exam_has_the_seed_of_the_sheets(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        course.main(["--exam", str(course.SHEET_SEED)])
    assert "a number from 0 to 998, not 999" in capsys.readouterr().err
