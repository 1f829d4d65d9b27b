"""Which labels an arc may have, by the tag of its dependent, where the label is not given.

Zhang & Clark 2015, section 5.7: the system labels the dependency links that it makes.

Differences
- *Paper silent*: which labels a link may get. Here those that training has seen on links into words
  of the same tag, and for an unseen tag every label.
- *Our reading*: the root has a label too (``root`` in Universal Dependencies), from outside.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from wordorder_lab.models.file_parts import sorted_texts, texts
from wordorder_lab.structures.messages import cited
from wordorder_lab.structures.sentence import Sentence


@dataclass(frozen=True)
class LabelDictionary:
    """Labels by tag, sorted; built from training sentences by ``of``.

    ``every`` has all labels, sorted; it is empty where the sentences have none.
    """

    by_tag: Mapping[str, tuple[str, ...]]
    every: tuple[str, ...]

    @classmethod
    def of(cls, sentences: Iterable[Sentence]) -> LabelDictionary:
        """Collect the labels that tags are seen with; tokens without a label are passed over."""
        seen: dict[str, set[str]] = {}
        for sentence in sentences:
            for token in sentence:
                if token.label:
                    seen.setdefault(token.pos, set()).add(token.label)
        return cls.from_entries((tag, *sorted(labels)) for tag, labels in sorted(seen.items()))

    @classmethod
    def from_entries(cls, rows: Iterable[Sequence[Any]]) -> LabelDictionary:
        """The dictionary of rows (tag, label, label, ...), labels in order.

        Raises ``ValueError`` for a row of other things, and for one without a label.
        """
        by_tag: dict[str, tuple[str, ...]] = {}
        for row in rows:
            tag, *labels = texts(row, "a row of the dictionary of labels") or ("",)
            if not labels or not all(labels):
                raise ValueError(f"the dictionary of labels has {cited(tag)} without a label")
            by_tag[tag] = sorted_texts(labels, f"the labels of {cited(tag)}")
        return cls(by_tag, tuple(sorted({one for some in by_tag.values() for one in some})))

    def entries(self) -> list[list[str]]:
        """The rows that ``from_entries`` reads."""
        return [[tag, *labels] for tag, labels in self.by_tag.items()]

    def labels(self, tag: str) -> tuple[str, ...]:
        """The possible labels of an arc into a word with this tag, sorted."""
        return self.by_tag.get(tag) or self.every
