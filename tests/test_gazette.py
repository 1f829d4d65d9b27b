"""The Gazette as it is committed: all layers of all 2,400 sentences agree, and the seed makes them.

Every check is a function that yields what is wrong with one sentence; it is asked of all of them,
and then of sentences that we break on purpose, so that we know it can find something.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise
from typing import Any

import pytest
from house_rules import ROOT
from nltk.tree import Tree

from gazette_generator.writing import files
from wordorder_lab.corpora.readers.ccgbank import parse_auto
from wordorder_lab.corpora.readers.penn import is_tagged_word, parse_trees, tokens_of, with_base_nps
from wordorder_lab.structures.category import Category
from wordorder_lab.structures.derivation import Derivation
from wordorder_lab.structures.head_rules import bare_label
from wordorder_lab.structures.trees import is_projective, tree_problem

FOLDER = ROOT / "data" / "gazette"
SIZES = {"train": 2000, "dev": 200, "test": 200}
FORMATS = ("mrg", "conllu", "auto", "compressions.jsonl")
FORM, LEMMA, UPOS, XPOS, FEATS, HEAD, DEPREL, DEPS, MISC = range(1, 10)
UNIVERSAL = {
    *("ADJ", "ADP", "ADV", "AUX", "CCONJ", "DET", "INTJ", "NOUN", "NUM", "PART", "PRON", "PROPN"),
    *("PUNCT", "SCONJ", "SYM", "VERB", "X"),
}
LABELS = {
    *("ROOT", "SUB", "OBJ", "PRD", "VC", "VMOD", "NMOD", "PMOD", "AMOD", "SBAR", "COORD", "DEP"),
    "P",
}
LEAST_TYPES = 1200


@dataclass(frozen=True)
class Item:
    """One sentence in its three formats; ``rows`` are the columns of its words in CoNLL-U."""

    name: str
    split: str
    tree: Tree
    rows: tuple[tuple[str, ...], ...]
    header: str
    derivation: Derivation

    @property
    def words(self) -> list[str]:
        return self.tree.leaves()

    @property
    def heads(self) -> list[int]:
        return [int(row[HEAD]) - 1 for row in self.rows]


def text_of(name: str) -> str:
    return (FOLDER / name).read_text("utf-8")


@cache
def items() -> tuple[Item, ...]:
    """Every sentence of the committed files, which this does not ask the grammar for."""
    return tuple(item for split in SIZES for item in _split(split))


def _split(split: str) -> list[Item]:
    trees = parse_trees(text_of(f"{split}.mrg"), f"{split}.mrg")
    blocks = text_of(f"{split}.conllu").removesuffix("\n\n").split("\n\n")
    entries = parse_auto(text_of(f"{split}.auto"), f"{split}.auto")
    made = []
    for tree, block, entry in zip(trees, blocks, entries, strict=True):
        name, text, *lines = block.split("\n")
        rows = tuple(tuple(line.split("\t")) for line in lines)
        assert text == f"# text = {' '.join(tree.leaves())}"
        name = name.removeprefix("# sent_id = ")
        made.append(Item(name, split, tree, rows, entry.header, entry.derivation))
    return made


@cache
def compressions() -> tuple[dict[str, Any], ...]:
    lines = [s for split in SIZES for s in text_of(f"{split}.compressions.jsonl").splitlines()]
    return tuple(map(json.loads, lines))


@cache
def by_name() -> dict[str, Item]:
    return {item.name: item for item in items()}


# --- what may be wrong with a sentence --------------------------------------------------------


def names_and_words(item: Item) -> Iterator[str]:
    """The three formats speak of the same sentence, word for word and tag for tag."""
    tagged = [tuple(pair) for pair in item.tree.pos()]
    if [(row[FORM], row[XPOS]) for row in item.rows] != tagged:
        yield "the CoNLL-U has other words or tags"
    if [(leaf.word, leaf.pos) for leaf in item.derivation.leaves()] != tagged:
        yield "the derivation has other words or tags"
    if item.header.split()[0] != f"ID={item.name}" or not item.name.startswith(item.split):
        yield f"names differ: {item.header}"


def columns(item: Item) -> Iterator[str]:
    """Ten columns that are all right by themselves."""
    for number, row in enumerate(item.rows, 1):
        feats = [] if row[FEATS] == "_" else row[FEATS].split("|")
        if len(row) != 10 or row[0] != str(number):
            yield f"columns of {row}"
        elif not all(row[column].strip("_ ") for column in (FORM, LEMMA, UPOS, XPOS)):
            yield f"lemma or tag of {row[FORM]}"
        elif row[UPOS] not in UNIVERSAL or row[DEPREL] not in LABELS or row[DEPS] != "_":
            yield f"tag or label of {row[FORM]}: {row[UPOS]} {row[DEPREL]}"
        elif feats != sorted(feats, key=str.lower) or not all(f.count("=") == 1 for f in feats):
            yield f"features of {row[FORM]}"
        elif (row[DEPREL] == "ROOT") != (row[HEAD] == "0"):
            yield f"{row[FORM]} is labelled {row[DEPREL]} below {row[HEAD]}"


def dependencies(item: Item) -> Iterator[str]:
    """One projective tree, and the one that the head rules find in the phrase structure."""
    if problem := tree_problem(item.heads):
        yield problem
    elif not is_projective(item.heads):
        yield "arcs cross"
    if item.heads != [token.head for token in tokens_of(item.tree)]:
        yield "the head rules give other heads"


def base_nps(item: Item) -> Iterator[str]:
    """B, I and O are the units that the rule for base NPs makes of the phrase structure."""
    collapsed = with_base_nps(item.tree)
    assert collapsed is not None
    marks: list[str] = []
    for unit, tag in collapsed.pos():
        marks += ["B"] + ["I"] * (len(unit) - 1) if isinstance(unit, tuple) else ["O"]
        if isinstance(unit, tuple) != (tag == "NP"):
            yield f"{unit} is tagged {tag}"
    if [row[MISC] for row in item.rows] != [f"BaseNP={mark}" for mark in marks]:
        yield "other base NPs"


def steps(item: Item) -> Iterator[str]:
    """Every step of the derivation follows a rule, and a declarative sentence comes out."""
    if problem := item.derivation.problem():
        yield problem
    if str(item.derivation.category) != "S[dcl]":
        yield f"root is {item.derivation.category}"
    for leaf in item.derivation.leaves():
        if Category.parse(str(leaf.category)) is not leaf.category:
            yield f"category of {leaf.word}"


def heads_of_both(item: Item) -> Iterator[str]:
    """Where a phrase and a step of the derivation span the same words they have the same head."""
    ours = phrase_heads(item)
    for span, (head, category) in step_heads(item.derivation).items():
        if span in ours and ours[span] != head:
            phrase = " ".join(item.words[slice(*span)])
            yield f"{category} {phrase!r}: {item.words[head]} not {item.words[ours[span]]}"


def phrase_heads(item: Item) -> dict[tuple[int, int], int]:
    """Span of every phrase of two words and more -> its one word whose head is outside."""
    found = {}

    def visit(node: Tree, begin: int) -> int:
        if is_tagged_word(node):
            return begin + 1
        end = begin
        for child in node:
            end = visit(child, end)
        if end - begin > 1:
            inside = range(begin, end)
            [found[begin, end]] = [i for i in inside if item.heads[i] not in inside]
        return end

    visit(item.tree, 0)
    return found


def step_heads(derivation: Derivation) -> dict[tuple[int, int], tuple[int, str]]:
    """Span of every step over two words and more -> head word, as the head marks lead to it."""
    found = {}
    stack: list[tuple[int, int, int]] = []
    place = 0
    for node in derivation.nodes():
        if not node.children:
            stack.append((place, place + 1, place))
            place += 1
        elif len(node.children) == 2:
            left, right = stack.pop(-2), stack.pop()
            stack.append((left[0], right[1], (left, right)[node.head][2]))
            found[left[0], right[1]] = stack[-1][2], str(node.category)
    return found


def bearing(item: Item) -> Iterator[str]:
    """It begins and ends as a sentence does, no sign stands where none may."""
    words = item.words
    if not 5 <= len(words) <= 30:
        yield f"{len(words)} words"
    first = words[1] if words[0] == "``" else words[0]
    if words[-1] != "." or not (first[0].isupper() or first[0].isdigit()):
        yield f"begins or ends badly: {' '.join(words)}"
    if words.count("``") != words.count("''") or words.count("``") > 1:
        yield "quotation marks without their other half"
    for one, after in pairwise(words):
        if (one == after and one not in ("had", "that")) or (one == "," and after == "."):
            yield f"{one} {after}"
        if one in ("a", "A") and after[0] in "aeio" and not after.startswith(("one", "eu")):
            yield f"{one} {after}"


CHECKS = (*(names_and_words, columns, dependencies, base_nps), *(steps, heads_of_both, bearing))


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
@pytest.mark.slow
def test_every_sentence(check: Callable[[Item], Iterator[str]]):
    found = [f"{item.name}: {what}" for item in items() for what in check(item)]
    assert not found, f"{len(found):,} problems, among them: {found[:5]}"


# --- each of these breaks a sentence in one way ------------------------------------------------


def _row(item: Item, place: int, column: int, value: str) -> Item:
    row = list(item.rows[place])
    row[column] = value
    return replace(item, rows=(*item.rows[:place], tuple(row), *item.rows[place + 1 :]))


def _leaf(item: Item, **changes: Any) -> Item:
    """The derivation with another first word."""

    def visit(node: Derivation) -> Derivation:
        if not node.children:
            return replace(node, **changes)
        return replace(node, children=(visit(node.children[0]), *node.children[1:]))

    return replace(item, derivation=visit(item.derivation))


def _headed(item: Item) -> Item:
    """The head marks of the derivation the other way round."""

    def visit(node: Derivation) -> Derivation:
        head = 1 - node.head if len(node.children) == 2 else 0
        return replace(node, head=head, children=tuple(map(visit, node.children)))

    return replace(item, derivation=visit(item.derivation))


def _worded(item: Item, change: Callable[[list[str]], list[str]]) -> Item:
    leaves = [Tree("NN", [word]) for word in change(item.words)]
    return replace(item, tree=Tree("S", leaves))


BREAKS: list[tuple[Callable, Callable[[Item], Item]]] = [
    (names_and_words, lambda item: _row(item, 0, FORM, "Word")),
    (names_and_words, lambda item: _row(item, 1, XPOS, "FW")),
    (names_and_words, lambda item: _leaf(item, word="Word")),
    (names_and_words, lambda item: _leaf(item, pos="FW")),
    (names_and_words, lambda item: replace(item, header="ID=dev-0 PARSER=GOLD NUMPARSE=1")),
    (columns, lambda item: _row(item, 0, LEMMA, "_")),
    (columns, lambda item: _row(item, 0, UPOS, "NOUNS")),
    (columns, lambda item: _row(item, 0, FEATS, "Tense=Past|Mood=Ind")),
    (columns, lambda item: _row(item, 0, DEPREL, "nsubj")),
    (columns, lambda item: _row(item, item.heads.index(-1), DEPREL, "SUB")),
    (columns, lambda item: replace(item, rows=tuple(row[:9] for row in item.rows))),
    (dependencies, lambda item: _row(item, 0, HEAD, "0")),
    (dependencies, lambda item: _row(item, len(item.rows) - 1, HEAD, "1")),
    (base_nps, lambda item: _row(item, len(item.rows) - 1, MISC, "BaseNP=B")),
    (base_nps, lambda item: replace(item, tree=item.tree[0])),
    (steps, lambda item: _leaf(item, category=Category.parse("S/(S/NP)"))),
    (steps, lambda item: replace(item, derivation=item.derivation.leaves()[0])),
    (heads_of_both, _headed),
    (bearing, lambda item: _worded(item, lambda words: words[-4:])),
    (bearing, lambda item: _worded(item, lambda words: words[:-1])),
    (bearing, lambda item: _worded(item, lambda words: [words[0].lower(), *words[1:]])),
    (bearing, lambda item: _worded(item, lambda words: ["``", *words])),
    (bearing, lambda item: _worded(item, lambda words: [*words[:-1], ",", "."])),
    (bearing, lambda item: _worded(item, lambda words: [words[0], "a", "error", *words])),
]


@pytest.mark.parametrize(("check", "change"), BREAKS)
def test_a_broken_sentence_is_noticed(check: Callable, change: Callable[[Item], Item]):
    long = [item for item in items() if "``" not in item.words and len(item.words) > 8]
    sound = [item for item in long if item.words[0][0].isalpha()][:20]
    for item in sound:
        assert not list(check(item))
        assert list(check(change(item))), item.name


# --- all sentences together -------------------------------------------------------------------


def test_sizes_and_names():
    assert Counter(item.split for item in items()) == SIZES
    numbers = [f"{split}-{i}" for split in SIZES for i in range(1, SIZES[split] + 1)]
    assert [item.name for item in items()] == numbers


def test_no_sentence_twice_whatever_the_capitals_lengths_and_word_types():
    texts = Counter(" ".join(item.words).lower() for item in items())
    assert texts.most_common(1)[0][1] == 1
    lengths = [len(item.words) for item in items()]
    assert 14 <= sum(lengths) / len(lengths) <= 18
    assert len({word.lower() for item in items() for word in item.words}) >= LEAST_TYPES


def test_the_heads_are_compared_at_many_spans():
    """Otherwise that check would hold because there is nothing to compare."""
    both = [(step_heads(item.derivation).keys() & phrase_heads(item).keys()) for item in items()]
    assert min(map(len, both)) >= 1 and sum(map(len, both)) > 6 * len(both)


def test_every_construction_occurs():
    rules = Counter(node.rule for item in items() for node in item.derivation.nodes())
    assert set(rules) >= {"fa", "ba", "fc", "conj", "lp", "rp", "tr", "tc", "bx"}
    labels = Counter(node.label() for item in items() for node in item.tree.subtrees())
    wanted = """S SINV SBAR S-TPC S-ADV NP-SBJ NP-TMP NP-EXT NP-PRD PP PP-CLR PP-LGS PP-TMP PP-LOC
        SBAR-TMP SBAR-ADV ADVP ADVP-MNR ADJP-PRD WHNP QP VP POS CC MD EX PRP PRP$ WP WDT $ CD"""
    assert not [label for label in wanted.split() if labels[label] < 5]
    assert {row[DEPREL] for item in items() for row in item.rows} >= LABELS - {"DEP", "AMOD"}


@pytest.mark.slow
def test_the_seed_makes_these_bytes():
    made = files()
    assert sorted(made) == sorted(f"{split}.{kind}" for split in SIZES for kind in FORMATS)
    differ = [name for name, text in made.items() if text.encode() != (FOLDER / name).read_bytes()]
    assert not differ, "run `wordorder-lab corpora gazette` after a change of the grammar"


# --- shorter versions -------------------------------------------------------------------------


def shorter(row: dict[str, Any]) -> Iterator[str]:
    """What is wrong with a shorter version."""
    item = by_name().get(row["id"])
    source, target, pairs = row["source"], row["target"], [tuple(p) for p in row["alignment"]]
    if item is None or source != item.words:
        yield "the source is not the sentence"
        return
    if not all(0 <= i < len(source) and 0 <= j < len(target) for i, j in pairs):
        yield "a place outside the sentence"
        return
    if len(row["target_tags"]) != len(target) or pairs != sorted(set(pairs)):
        yield "tags or alignment"
        return
    if Tree.fromstring(row["target_tree"]).pos() != list(zip(target, row["target_tags"])):
        yield "the tree has other words or tags"
    if not 4 <= len(target) <= len(source) or target == source:
        yield f"{len(target)} words of {len(source)}"
    yield from _signs(target)
    yield from _kind(row["kind"], item, row, pairs)


def _signs(target: list[str]) -> Iterator[str]:
    text = f" {' '.join(target)} "
    first = target[1] if target[0] == "``" else target[0]
    if not (first[0].isupper() or first[0].isdigit()) or target[-1] != ".":
        yield f"begins or ends badly: {text}"
    if " , , " in text or " , . " in text or target.count("``") != target.count("''"):
        yield f"signs: {text}"


def _kind(kind: str, item: Item, row: dict[str, Any], pairs: list) -> Iterator[str]:
    target, by_target = row["target"], sorted(pairs, key=lambda pair: pair[1])
    if [j for _, j in by_target] != list(range(len(target))) or len(dict(pairs)) < len(pairs):
        yield "not one source word for each word"
        return
    sources = [i for i, _ in by_target]
    same = [_same(item, i, row, j) for i, j in by_target]
    if kind == "deletion" and not (all(same) and sources == sorted(sources)):
        yield "what is left out is not all that changes"
    elif kind == "reordering" and not (all(same) and sources != sorted(sources)):
        yield "no other order of the same words"
    elif kind == "substitution" and all(same):
        yield "no other word"
    elif kind not in ("deletion", "reordering", "substitution"):
        yield f"{kind} is no kind"


def _same(item: Item, i: int, row: dict[str, Any], j: int) -> bool:
    """The same word up to the capital of a beginning, which names keep wherever they go."""
    old, new, tag = item.words[i], row["target"][j], item.rows[i][XPOS]
    if tag != row["target_tags"][j]:
        return False
    begins = i == 0 or item.words[i - 1] == "``"
    if j == 0 or row["target"][j - 1] == "``":
        return new == old[0].upper() + old[1:]
    if begins and tag not in ("NNP", "NNPS"):
        return new == old[0].lower() + old[1:]
    return new == old


def test_every_shorter_version():
    found = [f"{row['id']}: {what}" for row in compressions() for what in shorter(row)]
    assert not found, f"{len(found):,} problems, among them: {found[:5]}"


def _swapped(row: dict[str, Any], i: int, j: int) -> dict[str, Any]:
    target, tags = list(row["target"]), list(row["target_tags"])
    for words in (target, tags):
        words[i], words[j] = words[j], words[i]
    return {**row, "target": target, "target_tags": tags}


@pytest.mark.parametrize(
    "change",
    [
        lambda row: {**row, "source": row["source"][1:]},
        lambda row: {**row, "id": "dev-0"},
        lambda row: {**row, "alignment": [*row["alignment"], [len(row["source"]), 0]]},
        lambda row: {**row, "alignment": row["alignment"][1:]},
        lambda row: {**row, "alignment": [[0, 0], *row["alignment"]]},
        lambda row: {**row, "target_tags": row["target_tags"][:-1]},
        lambda row: {**row, "target": [*row["target"][:2], "Word", *row["target"][3:]]},
        lambda row: {**row, "target": [row["target"][0].lower(), *row["target"][1:]]},
        lambda row: {**row, "target_tree": row["target_tree"].replace("(. .)", "(. !)")},
        lambda row: {**row, "target_tree": row["target_tree"].replace("(. .)", "(: .)")},
        lambda row: {**row, "target": [w.upper() for w in row["target"]]},
        lambda row: {**row, "kind": "reordering"},
        lambda row: {**row, "kind": "substitution"},
        lambda row: {**row, "kind": "rewriting"},
        lambda row: _swapped(row, 1, 2),
    ],
)
def test_a_broken_shorter_version_is_noticed(change: Callable[[dict[str, Any]], dict[str, Any]]):
    rows = [row for row in compressions() if row["target"][0][0].isalpha()]
    whole = [row for row in rows if row["kind"] == "deletion"]
    for row in whole[:20]:
        assert not list(shorter(row)) and list(shorter(change(row))), row["id"]


def test_shorter_versions_are_many_and_mostly_deletions():
    assert len({row["id"] for row in compressions()}) == len(compressions())
    for split, size in SIZES.items():
        kinds = Counter(r["kind"] for r in compressions() if r["id"].startswith(split))
        assert size / 3 < sum(kinds.values()) < size
        assert kinds["deletion"] > 0.6 * sum(kinds.values())
        assert kinds["reordering"] >= 3 and kinds["substitution"] >= 1, split
    assert sum(row["kind"] == "substitution" for row in compressions()) > 40
    shares = [
        len(r["target"]) / len(r["source"]) for r in compressions() if r["kind"] == "deletion"
    ]
    assert 0.4 < sum(shares) / len(shares) < 0.8


def productions(tree: Tree) -> Iterator[tuple[str, ...]]:
    """A label and the labels of its children, for every phrase, without function tags."""
    for node in tree.subtrees():
        if not is_tagged_word(node):
            yield tuple(bare_label(one.label()) for one in (node, *node))


def test_shorter_versions_are_bracketed_as_the_sentences_are():
    """No node is left over from what was taken away; what is new is a longer row in a flat VP."""
    usual = {made for item in items() for made in productions(item.tree)}
    found = [made for row in compressions() for made in productions(tree_of(row))]
    unseen = [made for made in found if made not in usual]
    assert len(found) > 8000 and len(unseen) <= 10
    assert {made[0] for made in unseen} == {"VP"} and min(map(len, unseen)) > 3
    assert not any(len(set(made)) == 1 for made in found)


def tree_of(row: dict[str, Any]) -> Tree:
    return Tree.fromstring(row["target_tree"])
