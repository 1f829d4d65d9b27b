"""Our conversion of the Penn sample beside NLTK's ``dependency_treebank``, head by head.

The two hold the same 3,914 sentences. NLTK's was made by somebody else, apparently with Penn2Malt
and the rules of Yamada and Matsumoto (2003). With our table all 94,084 heads are the same. What the
agreement hangs on: let punctuation become head when no group of a rule is found
(``YAMADA_MATSUMOTO.without_passing_over()``) and 277 of 59,167 phrases get another head, 272 of
them parentheticals (PRN), where a closing dash, comma or bracket is then the head of everything
between.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from itertools import pairwise, starmap
from typing import TYPE_CHECKING

from wordorder_lab.corpora.penn_corpora import SAMPLE_SPLITS, sample_files
from wordorder_lab.corpora.readers import penn
from wordorder_lab.corpora.readers.corpus import CorpusError, error_at, progress
from wordorder_lab.corpora.readers.files import DataFolder, find_nltk, read_text
from wordorder_lab.structures.head_rules import YAMADA_MATSUMOTO, HeadTable, bare_label
from wordorder_lab.structures.sentence import Token

if TYPE_CHECKING:
    from nltk.tree import Tree


@dataclass(slots=True)
class Agreement:
    """How far two conversions of the same trees agree. ``phrases`` counts those with more than one
    child by label, ``differing`` those of another head, by ``(label, our head, their head)``."""

    sentences: int = 0
    same_trees: int = 0
    words: int = 0
    same_heads: int = 0
    phrases: Counter[str] = field(default_factory=Counter)
    differing: Counter[tuple[str, str, str]] = field(default_factory=Counter)

    def to_dict(self) -> dict[str, object]:
        """For JSON; shares are between 0 and 1."""
        return {
            "sentences": self.sentences,
            "words": self.words,
            "same_trees": self.same_trees / max(1, self.sentences),
            "same_heads": self.same_heads / max(1, self.words),
            "phrases": self.phrases.total(),
            "differing_phrases": self.differing.total(),
            "differing": [
                {"phrase": label, "of": self.phrases[label], "ours": a, "theirs": b, "count": n}
                for (label, a, b), n in self.differing.most_common()
            ],
        }

    def __str__(self) -> str:
        heads, trees = (self.to_dict()[name] for name in ("same_heads", "same_trees"))
        lines = [
            f"same heads  {self.same_heads:,} of {self.words:,} words ({heads:.2%})",
            f"same trees  {self.same_trees:,} of {self.sentences:,} sentences ({trees:.2%})",
            f"phrases with another head  {self.differing.total():,} of {self.phrases.total():,}",
        ]
        for (label, ours, theirs), count in self.differing.most_common():
            lines.append(f"  {count:5,}  {label}: our head is {ours}, theirs {theirs}")
        return "\n".join(lines)

    def add(self, tree: Tree, theirs: list[Token], table: HeadTable) -> None:
        """Count one sentence: our conversion of ``tree``, which has no traces, and theirs."""
        both = [
            [token.head for token in tokens] for tokens in (penn.tokens_of(tree, table), theirs)
        ]
        self.sentences += 1
        self.same_trees += both[0] == both[1]
        self.words += len(theirs)
        self.same_heads += sum(a == b for a, b in zip(*both, strict=True))
        for label, children, spans in phrases(tree):
            self.phrases[label] += 1
            ours, others = (_head_child(spans, heads) for heads in both)
            if ours != others:
                names = [*children, "several"]
                self.differing[label, names[ours], names[others]] += 1


def agreement(data: DataFolder = None, table: HeadTable = YAMADA_MATSUMOTO) -> Agreement:
    """Compare the Penn sample with NLTK's; ``CorpusError`` where they lack or differ in words."""
    trees = [path for split in sorted(SAMPLE_SPLITS) for path in sample_files(split, data)]
    folder = find_nltk("dependency_treebank", "", data)
    result = Agreement()
    for path in progress(sorted(trees, key=lambda p: p.name), "comparing", few=20):
        other = folder / path.name.replace(".mrg", ".dp")
        ours = [kept for tree in penn.read_tree_file(path) if (kept := penn.without_traces(tree))]
        theirs = parse_dp(read_text(other), str(other))
        if [tree.leaves() for tree in ours] != [[t.form for t in tokens] for tokens in theirs]:
            raise CorpusError(f"{path} and {other} hold different sentences: get both again")
        for tree, tokens in zip(ours, theirs, strict=True):
            result.add(tree, tokens, table)
    return result


def parse_dp(text: str, source: str) -> list[list[Token]]:
    """NLTK's three columns: word, tag, head from 1, 0 the root; ``CorpusError`` for other rows."""
    sentences: list[list[Token]] = [[]]
    for number, line in enumerate(text.split("\n"), start=1):
        match line.split():
            case []:
                sentences.append([])
            case [word, tag, head] if head.isdecimal():
                sentences[-1].append(Token((word,), tag, int(head) - 1))
            case _:
                raise error_at(number, source, "a row is word, tag and head")
    return [tokens for tokens in sentences if tokens]


def phrases(tree: Tree) -> list[tuple[str, list[str], list[range]]]:
    """The phrases with two children or more: label, children's labels, positions of each child."""
    branching: list[tuple[str, list[str], list[range]]] = []

    def visit(node: Tree, start: int) -> int:
        if penn.is_tagged_word(node):
            return start + 1
        ends = [start]
        for child in node:
            ends.append(visit(child, ends[-1]))
        if len(node) > 1:
            labels = [bare_label(child.label()) for child in node]
            spans = list(starmap(range, pairwise(ends)))
            branching.append((bare_label(node.label()), labels, spans))
        return ends[-1]

    visit(tree, 0)
    return branching


def _head_child(spans: list[range], heads: list[int]) -> int:
    # Its word alone has its head outside the phrase; -1 if several have.
    phrase = range(spans[0].start, spans[-1].stop)
    out = [i for i in phrase if heads[i] not in phrase]
    return next(k for k, span in enumerate(spans) if out[0] in span) if len(out) == 1 else -1
