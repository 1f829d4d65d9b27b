"""What surface realisation gives back: a sentence, and what became of each lemma of its tree."""

from __future__ import annotations

from dataclasses import dataclass, replace
from xml.etree.ElementTree import Element, SubElement

from wordorder_lab.structures.result import Result
from wordorder_lab.structures.trees import clean, html_of


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

    def _repr_html_(self) -> str:
        """For notebooks: the sentence and its score; of a search also tree and next best outputs.

        Tree and list have the words as the search had them, the first one without its capital.
        """
        if self.result is not None:
            return replace(self.result, units=tuple((word,) for word in self.words))._repr_html_()
        box = Element("div", {"class": "wol-result"})
        SubElement(SubElement(box, "p", style="margin: 0"), "b").text = clean(self.text)
        SubElement(box, "p", style="margin: 0").text = f"score {self.score:.2f}"
        return html_of(box)
