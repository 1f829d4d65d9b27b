"""Questions that are drawn: keys are worked out again from nothing but the questions' texts."""

from __future__ import annotations

import re
import sys
from collections import Counter, defaultdict
from collections.abc import Callable
from itertools import chain, pairwise, permutations, product
from math import prod
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("jupytext")

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "docs" / "teach"))

import course
from drawn import KINDS, SEEDS, drawn

EXAM = course.EXAM.split()
ALL, DRAWN = range(SEEDS), (2, 17, 998)
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


def test_every_seed_follows_gold_through_a_sentence_of_its_own() -> None:
    """Other axes of that question do not stand in its text, so two points might look alike."""
    told = {seed: {tuple(KINDS["early"].at(seed + n * SEEDS)[0]) for n in range(3)} for seed in ALL}
    assert len({*chain(*told.values())}) == SEEDS and all(len(one) == 1 for one in told.values())


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
    texts = re.findall(r">(\w+)</text>", asked)  # each label before what is below it
    tags, words = zip(*(two for two in pairwise(texts) if two[1].islower()), strict=True)
    verb = tags.index("VBD")

    def ways(place: slice) -> list[str]:
        of = dict(zip(tags[place], words[place], strict=True))
        kept = [[], ["NN"], ["DT", "NN"], ["DT", "JJ", "NN"]]
        return [" ".join(of[t] for t in one) for one in kept if {*one} <= {*of}]

    both = product(ways(slice(0, verb)), ways(slice(verb + 1, None)))
    outputs = {" ".join(f"{one} {words[verb]} {two}".split()) for one, two in both}
    longest = max(outputs, key=len)
    return [f"**{len(outputs)}** derivations", *(f" {one} |" for one in outputs), f"*{longest}*"]


def margin(asked: str) -> list[str]:
    x, y = numbers_of(asked.split("= (")[1].split(")")[0])
    loss, low, high = numbers_of(" ".join(re.findall(r"(?:loss is|C =) ([\d.]*\d)", asked)))
    long = x * x + y * y
    steps = [min(C, loss / long) for C in (low, high)]
    return [f"**({a * x:.2f}, {a * y:.2f})**, the margin is {a * long:.3g}" for a in steps]


# --- searches and grammars once more, from nothing but what the question tells -------------------

Edge = tuple[str, tuple[str, ...], str, bool, tuple[tuple[str, str], ...], int]
"""A drawing, words, the head, whether it has a dependent on its left, features, actions."""
TAGS = ("NNP", "VBD", "NNP")


def joined(left: Edge, right: Edge, tags: dict[str, str]) -> list[Edge]:
    """Both ways to join two edges; a head has no more dependents on the right, once on the left."""
    one, other = (f"({part[0]})" if " " in part[0] else part[0] for part in (left, right))
    words, seam = left[1] + right[1], ("WORD(B-1)·WORD(B)", f"{left[1][-1]}, {right[1][0]}")
    below, actions = (*left[4], *right[4], seam), left[5] + right[5] + 1
    ways = []
    for head, other_head, side in ((left, right, "right"), (right, left, "left")):
        arc = "POS(h)·POS(m)·dir", f"{tags[head[2]]}, {tags[other_head[2]]}, {side}"
        if side == "left" or not head[3]:
            drawn_so = f"{one} {'→' if side == 'right' else '←'} {other}"
            ways.append((drawn_so, words, head[2], side == "left", (*below, arc), actions))
    return ways


def agenda(asked: str) -> list[str]:
    """A best-first search that keeps a list, sorted anew at every pop."""
    names = re.findall(r"\*(.+?)\*", asked.partition(" with the tags")[0])
    tags = dict(zip(names, TAGS, strict=True))
    weights = {tuple(f.strip("`").split(" = ")): float(w) for f, w in rows_of(asked)}

    def score(edge: Edge) -> float:
        return sum(weights.get(feature, 0.0) for feature in edge[4]) / edge[5]

    waiting: list[Edge] = [
        (word, (word,), word, False, (("WORD(h)·NORM(size)", f"{word}, 1"),), 1) for word in names
    ]
    chart, rows = list[Edge](), list[str]()
    while not chart or len(chart[-1][1]) < 3:
        waiting.sort(key=score)
        popped = waiting.pop()
        rows.append(f"| {len(rows) + 1} | {popped[0]} | {score(popped):.2f} |")
        for other in chart:
            if not {*popped[1]} & {*other[1]}:
                waiting += [*joined(popped, other, tags), *joined(other, popped, tags)]
        chart.append(popped)
    return [*rows, f"{len(rows)} pops"]


def read_edge(text: str, tags: dict[str, str]) -> Edge:
    """An edge as the question draws it; leaves have no features there."""
    parts = re.findall(r"\(.+?\)|\S+", text)
    if len(parts) == 1:
        return text, (text,), text, False, (), 1
    left, arrow, right = parts
    below = [read_edge(part.strip("()"), tags) for part in (left, right)]
    ways = joined(below[0], below[1], tags)
    return next(one for one in ways if arrow in one[0].replace(left, "").replace(right, ""))


def update(asked: str) -> list[str]:
    """Equations of the scaled rule: norm, step, new weights."""
    names = re.findall(r"\*(.+?)\*", asked.partition(" (NNP")[0])
    tags = dict(zip(names, TAGS, strict=True))
    feature, value = re.findall(r"one weight, `(.+?)` = (\d+)", asked)[0]
    gold, popped = re.findall(r"first update is \*(.+?) over (.+?)\*", asked)[0]
    difference = defaultdict[tuple[str, str], float](float)
    scaled = list[float]()
    for text, sign in ((gold, 1), (popped, -1)):
        edge = read_edge(text, tags)
        assert edge[0] == text
        found = [float(value) for one in edge[4] if one == tuple(feature.split(" = "))]
        scaled.append(sum(found))
        scaled[-1] /= edge[5]
        for one in edge[4]:
            difference[one] += sign / edge[5]
    behind = scaled[1] - scaled[0]
    step = (1 + behind) / sum(share**2 for share in difference.values())
    rows = [f"behind by {behind:.3g}", f"**{step:.3g}**"]
    for one, share in difference.items():
        before = float(value) if " = ".join(one) == feature else 0.0
        if abs(share) > 1e-12:
            rows.append(f"| `{' = '.join(one)}` | {before:.3g} | {before + step * share:.3g} |")
    return rows


State = tuple[tuple[str, ...], frozenset[str], frozenset[tuple[str, str]]]


def followed(state: State) -> dict[str, State]:
    """Every action, whatever is given, and where it leads."""
    stack, bag, arcs = state
    after = {f"SHIFT-{word}": ((*stack, word), bag - {word}, arcs) for word in bag}
    if len(stack) > 1:
        *rest, below, top = stack
        after["LEFTARC"] = (*rest, top), bag, arcs | {(top, below)}
        after["RIGHTARC"] = (*rest, below), bag, arcs | {(below, top)}
    return after


def dead_ends(asked: str) -> list[str]:
    """Whatever can be done after an action is tried: is there a tree with all that is given?"""
    units, given = re.findall(r"bag is (.+?)\. Given are the arcs (.+?);", asked)[0]
    chain = re.findall(r"\*(.+?)\*", given)
    wanted = {*pairwise(chain)}
    stack = tuple(re.findall(r"\*(.+?)\*", asked.partition("On the stack lie")[2]))
    bag = frozenset(re.findall(r"\*(.+?)\*", units)) - {*stack}

    def ends_well(state: State) -> bool:
        if not state[1] and len(state[0]) == 1:
            return wanted <= state[2]
        return any(map(ends_well, followed(state).values()))

    after = followed((stack, bag, frozenset()))
    return [f"| {action} | {'✓' if ends_well(one) else '✕'} |" for action, one in after.items()]


Category = tuple[Any, ...]


def category(text: str) -> Category:
    """An atom and its feature, or result, slash and argument."""
    depth = 0
    for place in range(len(text) - 1, -1, -1):
        depth += {")": 1, "(": -1}.get(text[place], 0)
        if depth == 0 and text[place] in "/\\":
            return category(text[:place]), text[place], category(text[place + 1 :])
    if text[0] == "(":
        return category(text[1:-1])
    return text.partition("[")[0], text.partition("[")[2].strip("]")


def match(one: Category, other: Category, of_s: dict[str, str]) -> bool:
    """Whether an argument takes it; ``of_s`` becomes the feature of the argument's plain S."""
    if len(one) != len(other) or len(one) == 3:
        parts = zip(one[::2], other[::2], strict=True) if len(one) == len(other) else ()
        return (
            one[1:2] == other[1:2]
            and len(one) == 3
            and all(match(mine, yours, of_s) for mine, yours in parts)
        )
    if one[0] == "S" and not one[1]:
        return other[0] == "S" and of_s.setdefault("S", str(other[1])) == other[1]
    return one[0] == other[0] and (one[0] == "NP" or one[1] == other[1])


def written(one: Category, of_s: dict[str, str], inside: bool = False) -> str:
    if len(one) == 2:
        feature = one[1] or (of_s.get("S", "") if one[0] == "S" else "")
        return f"{one[0]}[{feature}]" if feature else str(one[0])
    text = f"{written(one[0], of_s, True)}{one[1]}{written(one[2], of_s, True)}"
    return f"({text})" if inside else text


def side_by_side(left: Category, right: Category) -> str:
    """Application and forward composition; the questions have nothing else in them."""
    of_s: dict[str, str] = {}
    if left[1] == "/" and match(left[2], right, of_s):
        return f"`{written(left[0], of_s)}` by `>`"
    if right[1] == "\\" and match(right[2], left, of_s := {}):
        return f"`{written(right[0], of_s)}` by `<`"
    if left[1] == right[1] == "/" and match(left[2], right[0], of_s := {}):
        return f"`{written((left[0], '/', right[2]), of_s)}` by `>B`"
    return "nothing"


def pairs(asked: str) -> list[str]:
    read = [[one.strip("`") for one in row] for row in rows_of(asked)]
    return [f"`{r}` | {side_by_side(category(left), category(r))} |" for left, r in read]


def chart(asked: str) -> list[str]:
    """All that the rules make, until nothing is new."""
    bag, rules = asked.partition("The rules: ")[::2]
    edges = list[tuple[tuple[str, ...], str, str]]()
    for word, categories in re.findall(r"\*(\w+)\* \((.+?`)\)", bag):
        edges += [((word,), one, "the lexicon") for one in re.findall(r"`(.+?)`", categories)]
    made = [one.split(" → ") for one in re.findall(r"`([^`]+ → [^`]+)`", rules)]
    done = 0
    while done < len(edges):
        words, name, _ = edges[done]
        new = [(words, to, " ".join(words)) for of, to in made if of == name]
        for other, its_name, _ in edges[: done + 1]:
            for one, two in (
                ((words, name), (other, its_name)),
                ((other, its_name), (words, name)),
            ):
                if not {*one[0]} & {*two[0]}:
                    way = f"{' '.join(one[0])} + {' '.join(two[0])}"
                    new += [
                        (one[0] + two[0], to, way) for of, to in made if of == f"{one[1]} {two[1]}"
                    ]
        edges, done = edges + new, done + 1
    rows = Counter(f"| {len(w)} | {' '.join(w)} | `{name}` | {way} |" for w, name, way in edges)
    assert all(asked.count(row) == 0 for row in rows)
    return [f"{len(edges)} edges", *rows.elements()]


FOLLOWED = (bleu, early, cut_by_beta, beam, fault, permutation, tree, margin)
DONE_AGAIN = (agenda, update, dead_ends, pairs, chart)
BY_TEXT: dict[str, Callable[..., list[str]]] = {
    one.__name__: one for one in (*FOLLOWED, *DONE_AGAIN)
}


@pytest.mark.parametrize("name", BY_TEXT)
def test_the_key_follows_from_the_text(name: str) -> None:
    for seed in DRAWN:
        item = drawn(name, seed)
        wanted = Counter(BY_TEXT[name](item.asks))
        assert wanted and [one for one in wanted if item.key.count(one) < wanted[one]] == [], item


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
