"""The exam: twenty questions, and answers that are what the engines work out today."""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Callable
from itertools import pairwise, permutations, product
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parents[1] / "docs" / "teach"
sys.path.insert(0, str(FOLDER))

import exam_answers  # noqa: E402


@pytest.fixture(scope="module")
def pages() -> dict[str, str]:
    return exam_answers.pages()


@pytest.mark.parametrize("name", ["exam.md", "exam_answers.md"])
def test_the_pages_are_current(pages: dict[str, str], name: str) -> None:
    told = "run  python docs/teach/exam_answers.py  to write the pages anew"
    assert (FOLDER / name).read_text(encoding="utf-8") == pages[name], told


def test_twenty_questions_over_six_sessions(pages: dict[str, str]) -> None:
    """The exam asks them all, and answers none."""
    sessions = re.findall(r"^## \d+ \(session (\d)\)$", pages["exam.md"], re.MULTILINE)
    assert len(sessions) == 20 and {*sessions} == {*"123456"}
    assert "**Answer.**" not in pages["exam.md"]
    assert pages["exam_answers.md"].count("**Answer.**") == 20
    for asked in re.split(r"^## .*$", pages["exam.md"], flags=re.MULTILINE)[1:]:
        assert asked.strip() in pages["exam_answers.md"]


# --- the answers, by somebody who has nothing but the text of the questions -----------------------


def rows_of(asked: str) -> list[list[str]]:
    """The lines of a question's table, without its head."""
    lines = [line.strip("| ").split(" | ") for line in asked.splitlines() if line.startswith("|")]
    return lines[2:]


def numbers_of(text: str) -> list[float]:
    return [float(number) for number in re.findall(r"-?\d+(?:\.\d+)?", text)]


def grams(words: list[str], n: int) -> Counter[tuple[str, ...]]:
    return Counter(zip(*(words[i:] for i in range(n)), strict=False))


def bag(asked: str) -> list[str]:
    words = re.findall(r"\*(.+?)\*", asked)[0].split()
    orders = len(set(permutations(words)))
    return [f"**{orders}**", {8: "eight times"}[len([*permutations(words)]) // orders]]


def bleu(asked: str) -> list[str]:
    reference, output = (words.split() for words in re.findall(r": \*(.+?)\*", asked))
    right = [(grams(output, n) & grams(reference, n)).total() for n in range(1, 5)]
    shares = ", ".join(f"{one} of {len(output) - n}" for n, one in enumerate(right))
    return [f"**{shares}.**", "geometric mean is **0**"] if 0 in right else []


def sequences(asked: str) -> list[str]:
    """Words a, b, c; a state is its stack, its bag, the order and the arcs so far."""
    todo: list[tuple[str, frozenset[str], str, frozenset[str]]]
    todo, ends = [("", frozenset("abc"), "", frozenset())], []
    assert "three different words" in asked
    while todo:
        stack, left, order, arcs = todo.pop()
        todo += [(stack + word, left - {word}, order + word, arcs) for word in left]
        if len(stack) > 1:
            *below, first, second = [*stack]
            for head, other in ((first, second), (second, first)):
                todo.append(("".join([*below, head]), left, order, arcs | {head + other}))
        elif not left:
            ends.append((order, arcs))
    return [f"**{len(ends)}**", f"**{len(ends) // 6}**", f"**{len(set(ends))}**"]


def updates(asked: str) -> list[str]:
    steps = [numbers_of(" ".join(row)) for row in rows_of(asked)]
    early = next(step for step, rank, *_ in steps if rank == -1)
    most = max(steps, key=lambda row: row[2] - row[3])
    return [f"step **{early:g}**", f"step **{most[0]:g}**", f"({most[2] - most[3]:g})"]


def beta(asked: str) -> list[str]:
    shares = {name: float(share) for name, share in re.findall(r"(`\S+`) (\d\.\d+)", asked)}
    cuts = numbers_of(asked.split("β =")[1].split("?")[0])
    least = {cut: cut * max(shares.values()) for cut in cuts}
    return [
        f"β = {cut:g}: {', '.join(name for name in shares if shares[name] >= least[cut])}"
        for cut in cuts
    ]


def company(asked: str) -> list[str]:
    lines = re.findall(r"\*(.+?)\*", asked)[0].split(" / ")
    pairs = Counter(pair for line in lines for pair in pairwise(line.split()))
    before = {word: [a for a, b in pairs if b == word] for word in ("cat", "slept")}
    share = pairs["the", "cat"] / sum(n for (a, _), n in pairs.items() if a == "the")
    told = [f"*{w}* **{len(of)}** ({', '.join(f'*{a}*' for a in of)})" for w, of in before.items()]
    return [f"**{share:.2f}**", *told, f"rather *{max(before, key=lambda w: len(before[w]))}*"]


def greedy(asked: str) -> list[str]:
    pairs = {tuple(pair.strip("`").split()): float(value) for pair, value in rows_of(asked)}
    score = {o: sum(pairs[pair] for pair in pairwise(("<s>", *o))) for o in permutations("abc")}
    output: list[str] = []
    while len(output) < 3:
        after = {b: p for (a, b), p in pairs.items() if a == ["<s>", *output][-1]}
        output.append(max(set("abc") - {*output}, key=lambda word: after[word]))
    found, best = score[tuple(output)], max(score, key=lambda order: score[order])
    references = [tuple(one.split()) for one in re.findall(r"\*(. . .)\*", asked)[1:]]
    assert references[0] == best
    judged = [(found, score[one]) for one in references] + [(score[best], score[references[1]])]
    names = ["search error" if gold > out else "model error" for out, gold in judged]
    told = ("reference, it is a", "of the output: a", "then it is a")
    faults = [f"{words} **{name}**" for words, name in zip(told, names, strict=True)]
    ends = [f"*{' '.join(output)}* with {found:g}", f"***{' '.join(best)}*** with {score[best]:g}"]
    return ends + faults


def beams(asked: str) -> list[str]:
    first, *_, last = rows = [[*map(float, row)] for row in rows_of(asked)]
    searches, scores = [row[1] for row in rows], [row[3] for row in rows]
    assert searches == sorted(searches, reverse=True) and scores == sorted(scores)
    return [f"fall from {first[1]:g} to {last[1]:g}", f"The {last[2]:g} model errors"]


def shorter(asked: str) -> list[str]:
    """A noun phrase keeps its noun, then the determiner, then the adjective."""
    of_phrase = {"the storm": ["storm", "the storm"]}
    of_phrase["the old harbor"] = ["harbor", "the harbor", "the old harbor"]
    assert all(word in asked for phrase in of_phrase for word in phrase.split())
    ways = product(["", *of_phrase["the storm"]], ["", *of_phrase["the old harbor"]])
    texts = sorted((f"{one} closed {two}".strip() for one, two in ways), key=len)
    return [f"**{len(texts)}**", f"Shortest: *{texts[0]}*; longest: *{texts[-1]}*"]


def losses(asked: str) -> list[str]:
    reference, output = (words.split() for words in re.findall(r": \*(.+?)\*", asked))
    wrong = [word for word in output if word not in reference]
    common = (Counter(reference) & Counter(output)).total()
    hamming = len(wrong) + max(len(reference) - len(output), 0)
    f1 = 2 * common / (len(reference) + len(output))
    edit = len(reference) + len(output) - 2 * common
    return [f"**{hamming}** (only *{wrong[0]}*", f"**{edit}**", f"**{1 - f1:.3f}** (F1 = {f1:.3f})"]


def grid(asked: str) -> list[str]:
    one, two = (numbers_of(part) for part in re.findall(r"(?:worth|variable 2) (-.+?)[(t]", asked))
    cells = product(range(len(one)), range(len(two)))
    best = sorted(cells, key=lambda cell: -one[cell[0]] - two[cell[1]])[:5]
    return [f"**{', '.join(f'({i}, {j}) {one[i] + two[j]:g}' for i, j in best)}**"]


def margin(asked: str) -> list[str]:
    x, y, loss, *prices = numbers_of(" ".join(re.findall(r"(?:=|loss is) (\(.*?\)|\S+)", asked)))
    long = x * x + y * y
    steps = [min(C, loss / long) for C in prices]
    return [f"**({a * x:.2f}, {a * y:.2f})**, the margin is {a * long:.3g}" for a in steps]


BY_TEXT = {bag: 1, bleu: 2, sequences: 5, updates: 7, beta: 13, company: 14, greedy: 15, beams: 16}
BY_TEXT |= {shorter: 17, losses: 18, grid: 19, margin: 20}
"""What must stand in the answer to a question; in the others all that is bold is an engine's."""


@pytest.mark.parametrize(("answered", "number"), BY_TEXT.items())
def test_the_answer_follows_from_the_text(
    answered: Callable[[str], list[str]], number: int
) -> None:
    exam, answers = ((FOLDER / name).read_text() for name in ("exam.md", "exam_answers.md"))
    asked = re.split(r"^## \d+ .*$", exam, flags=re.MULTILINE)[number]
    answer = re.split(r"^## \d+$", answers, flags=re.MULTILINE)[number].split("**Answer.**")[1]
    wanted = answered(asked)
    assert wanted and [one for one in wanted if one not in answer] == []
