"""A sentence and shorter versions of it as words alone: what people wrote, before it has trees."""

from __future__ import annotations

from dataclasses import dataclass

from wordorder_lab.structures.arguments import checks_arguments

Words = tuple[str, ...]
Keep = tuple[bool, ...]


@dataclass(frozen=True, slots=True)
class TextPair:
    """A sentence and its references, each by another annotator, in words as the corpus cuts them.

    Such are the corpora of Cohn & Lapata 2009, section 5.1. ``source`` is the sentence, ``targets``
    are the references. ``keeps`` has for each target a row as long as the source, true where the
    word stays; ``None`` for a target that is more than the source with words left out. ``name`` is
    the document, a dot and the sentence's number in it.
    """

    source: Words
    targets: tuple[Words, ...]
    keeps: tuple[Keep | None, ...]
    name: str = ""

    @property
    def document(self) -> str:
        """The document of the sentence, by its name; without a dot in it, the name itself."""
        document, dot, _ = self.name.rpartition(".")
        return document if dot else self.name

    @checks_arguments
    def alignment(self, number: int) -> tuple[tuple[int, int], ...] | None:
        """Pairs (place in the source, place in the target), from 0, if the target is a deletion.

        ``number`` is the index of the target, from 0. ``None`` if it is more than that.
        Raises ``ValueError`` for a target that there is not.
        """
        if not 0 <= number < len(self.keeps):
            raise ValueError(f"there is no target {number}: they are 0 to {len(self.keeps) - 1}")
        keep = self.keeps[number]
        if keep is None:
            return None
        places = [place for place, stays in enumerate(keep) if stays]
        return tuple((place, j) for j, place in enumerate(places))

    def __repr__(self) -> str:
        sizes = ", ".join(str(len(target)) for target in self.targets)
        return f"<TextPair {self.name or 'without a name'}: {len(self.source)} words to {sizes}>"
