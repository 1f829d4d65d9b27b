"""What surface realisation gives back: a sentence, and what became of each lemma of its tree."""

from __future__ import annotations

from dataclasses import dataclass

from wordorder_lab.structures.result import Result


@dataclass(frozen=True, slots=True)
class Realization:
    """The sentence made of a tree of lemmas.

    ``words`` are the tokens as they are scored, the first one capitalised where sentences are.
    ``order`` has the nodes of the tree in the order of the output, each once; ``forms[i]`` is the
    form that node ``i`` took; ``score`` is the model's. ``result`` has tree and search behind it,
    where a search over bags made it. Raises ``ValueError`` where a node is missing or comes twice.
    """

    words: tuple[str, ...]
    order: tuple[int, ...]
    forms: tuple[str, ...]
    score: float
    result: Result | None = None

    def __post_init__(self) -> None:
        if sorted(self.order) != list(range(len(self.forms))):
            raise ValueError(
                f"the order {self.order} of a realisation should name each of its "
                f"{len(self.forms)} nodes once"
            )

    @property
    def text(self) -> str:
        """The tokens with a space between them."""
        return " ".join(self.words)
