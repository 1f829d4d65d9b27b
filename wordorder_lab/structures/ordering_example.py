"""What an ordering system learns from: a bag, and the sentence that it should become.

Mostly a bag is made of its sentence (``of``). In surface realisation it is not: there it comes
from a tree of lemmas, and a unit may have other forms beside the one that the sentence uses.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from wordorder_lab.structures.bag import WordBag, bag_of
from wordorder_lab.structures.bag import places as places_of
from wordorder_lab.structures.one_line import cited
from wordorder_lab.structures.sentence import Sentence


@dataclass(frozen=True, slots=True)
class OrderingExample:
    """A bag with its gold sentence: token ``i`` of ``gold`` is unit ``places[i]`` of ``bag``.

    Raises ``ValueError`` where tokens and units are not one to one, or where a token is not what
    the bag says of its unit: other words than its forms, another tag or label than is given.
    """

    bag: WordBag
    gold: Sentence
    places: tuple[int, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "places", tuple(self.places))
        if not sorted(self.places) == list(range(len(self.bag))) == list(range(len(self.gold))):
            raise ValueError(
                f"{len(self.gold)} tokens of {self.gold.name or 'the sentence'} and "
                f"{len(self.bag)} units of its bag are not matched one to one: give for each token "
                "the index of its unit"
            )
        bag: Any = self.bag
        for token, unit in zip(self.gold, self.places, strict=True):
            forms = (bag.words[unit], *bag.alternatives[unit])
            given = ("tag", bag.pos[unit], token.pos), ("label", bag.labels[unit], token.label)
            wrong = [name for name, value, gold in given if value and value != gold]
            if token.words not in forms:
                wrong = ["words"]
            if wrong:
                raise ValueError(
                    f"{cited(token.form)} in {self.gold.name or 'the sentence'} does not have the "
                    f"{wrong[0]} that its unit {unit} ({cited(bag.form(unit))}) has in the bag"
                )

    @classmethod
    def of(
        cls, sentence: Sentence, pos: float = 1, deps: float = 0, seed: int = 1, labels: float = 0
    ) -> OrderingExample:
        """The example of a sentence and its own bag; the arguments are those of ``bag_of``."""
        bag = bag_of(sentence, pos, deps, seed, labels)
        return cls(bag, sentence, tuple(places_of(sentence, seed)))
