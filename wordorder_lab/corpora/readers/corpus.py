"""What a corpus is to the rest of the package: three splits, read when asked for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from html import escape
from typing import Generic, TypeVar

from wordorder_lab.runtime.progress import progress_bar
from wordorder_lab.structures.messages import cited, nearest
from wordorder_lab.structures.sentence import Sentence

SPLITS = ("train", "dev", "test")
ALL = "all"
"""All of them, one behind the other."""
THIRDS = ((0.0, 0.8), (0.8, 0.9), (0.9, 1.0))
Item = TypeVar("Item")


class CorpusError(ValueError):
    """A corpus is missing, broken or asked for what it does not hold; the message says where."""


@dataclass(frozen=True, slots=True)
class Part(Generic[Item]):
    """The sentences, or other items, of one split or file, and a pair for each that was left out:
    how many were kept before it, and the reason."""

    sentences: tuple[Item, ...]
    left_out: tuple[tuple[int, str], ...] = ()

    @staticmethod
    def of(found: Iterable[tuple[Item | None, str]]) -> Part[Item]:
        """The items; where one is ``None``, it was left out for the reason that stands beside."""
        items: list[Item] = []
        left_out: list[tuple[int, str]] = []
        for item, reason in found:
            if item is None:
                left_out.append((len(items), reason))
            else:
                items.append(item)
        return Part(tuple(items), tuple(left_out))

    @property
    def skipped(self) -> dict[str, int]:
        """How many were left out, by reason."""
        return dict(Counter(why for _, why in self.left_out))


Readers = Mapping[str, Callable[[], Part[Item]]]


class Splits(Generic[Item]):
    """Something named with splits ``train``, ``dev`` and ``test``, each read on first use by its
    reader.

    So looking at the small dev split does not wait for the large training files. ``units`` says
    what one token is, where that may differ. Raises ``CorpusError`` for a split that is unknown,
    not there or empty.
    """

    items = "items"
    """What the items are called."""
    units = ""

    def __init__(self, name: str, readers: Readers[Item]) -> None:
        self.name = name
        self._readers = dict(readers)
        self._parts: dict[str, Part[Item]] = {}

    def _part(self, split: str) -> Part[Item]:
        if split == ALL:
            return Part(tuple(self.every()))
        if split not in SPLITS:
            raise CorpusError(
                f"no split is called {cited(split)}: choose one of {', '.join(SPLITS)}"
            )
        if split not in self._readers:
            there = ", ".join(s for s in SPLITS if s in self._readers) or "none"
            raise CorpusError(f"{self.name} has no {split} split (it has: {there})")
        if split not in self._parts:
            self._parts[split] = self._readers[split]()
        return self._parts[split]

    def split(self, name: str) -> Sequence[Item]:
        """The items of the split ``name``, in file order."""
        part = self._part(name)
        if not part.sentences:
            raise CorpusError(
                f"the {name} split of {self.name} is empty ({self._describe(part)}): "
                f"there are too few {self.items}, take a larger file"
            )
        return part.sentences

    def skipped(self, name: str) -> Mapping[str, int]:
        """How many items of a split were left out, by reason: ``{"non-projective": 31}``."""
        return self._part(name).skipped

    @property
    def splits(self) -> tuple[str, ...]:
        """Names of the splits that are there; nothing is read."""
        return tuple(s for s in SPLITS if s in self._readers)

    def every(self) -> Iterator[Item]:
        """The items of all splits, each read when it is come to; an empty split has none."""
        for name in self.splits:
            yield from self._part(name).sentences

    @property
    def train(self) -> Sequence[Item]:
        """The items to learn from."""
        return self.split("train")

    @property
    def dev(self) -> Sequence[Item]:
        """The items to choose settings by."""
        return self.split("dev")

    @property
    def test(self) -> Sequence[Item]:
        """The items that are looked at last."""
        return self.split("test")

    def _rows(self) -> list[tuple[str, str]]:
        """A line a split, without reading any that nobody has asked for."""
        return [(s, self._describe(self._parts.get(s))) for s in self.splits]

    def _describe(self, part: Part[Item] | None) -> str:
        if part is None:
            return "not read yet"
        left_out = (f", {count:,} {why} left out" for why, count in part.skipped.items())
        return f"{len(part.sentences):,} {self.items}" + "".join(left_out)

    def __repr__(self) -> str:
        rows = "; ".join(f"{split}: {text}" for split, text in self._rows())
        units = f" ({self.units})" if self.units else ""
        return f"<{type(self).__name__} {self.name}{units} {rows}>"

    def _repr_html_(self) -> str:
        rows = "".join(f"<tr><td>{s}</td><td>{escape(t)}</td></tr>" for s, t in self._rows())
        units = f" ({escape(self.units)})" if self.units else ""
        return f"<b>{escape(self.name)}</b>{units}<table>{rows}</table>"


class WithUnits(Splits[Item]):
    """Splits of sentences. ``units`` says what one token is: ``"base-np"`` or ``"words"``."""

    items = "sentences"

    def __init__(self, name: str, units: str, readers: Readers[Item]) -> None:
        super().__init__(name, readers)
        self.units = units


class Corpus(WithUnits[Sentence]):
    """A corpus of sentences. ``units`` says what one token is: ``"base-np"`` or ``"words"``."""


def unknown(name: str, known: Iterable[str], what: str = "no corpus and no file is") -> CorpusError:
    """The error for a name that is nowhere: what there is."""
    names = [*known]
    called = f"{cited(name)}{nearest(name, names)}"
    return CorpusError(f"{what} called {called}: give a path, or one of {', '.join(names)}")


def progress(items: Sequence[Item], what: str, few: int) -> Iterable[Item]:
    """The same items, with a progress bar if they are not ``few`` and take over two seconds."""
    if len(items) <= few:  # the bar's own import would be felt on a small split
        return items
    bar: Iterable[Item] = progress_bar(items, desc=what, delay=2, leave=False)
    return bar


def error_at(line: int, source: object, what: str) -> CorpusError:
    """The error for a line of a file."""
    return CorpusError(f"line {line:,} of {source}: {what}")


def joined(parts: Iterable[Part[Item]]) -> Part[Item]:
    """The parts behind one another; what was left out keeps its place."""
    items: list[Item] = []
    left_out: list[tuple[int, str]] = []
    for part in parts:
        left_out += [(len(items) + place, why) for place, why in part.left_out]
        items += part.sentences
    return Part(tuple(items), tuple(left_out))


def split_once(read: Callable[[], Mapping[str, Part[Item]]]) -> Readers[Item]:
    """Readers for a file that holds all three splits; ``read`` is called once."""
    whole = cache(read)
    return {split: partial(lambda split: whole()[split], split) for split in SPLITS}


def cut_in_three(read: Callable[[], Part[Item]]) -> Readers[Item]:
    """Readers for a file that has no splits of its own: the first 80 %, then 10 %, then 10 %. A
    sentence that was left out counts where it would have been."""

    def cut() -> dict[str, Part[Item]]:
        part = read()
        n = len(part.sentences)
        parts = {}
        for split, (low, high) in zip(SPLITS, THIRDS):
            begin, end = int(low * n), int(high * n)
            places = range(begin, end + (high == 1))  # the last has what follows all sentences
            left_out = [(place - begin, why) for place, why in part.left_out if place in places]
            parts[split] = Part(part.sentences[begin:end], tuple(left_out))
        return parts

    return split_once(cut)
