"""Realisers that put trees in order head by head: what the two comparators have in common.

They are pipelines: every lemma takes its most probable form, the tree is put in order without
looking at forms, and in the end *a* becomes *an* where the next word sounds like a vowel.

Differences
- *Our reading*, Zhang & Clark (2015, section 5.7): the shared task's systems are known to us from
  their score alone there; that they inflect apart from ordering is as we remember it.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import Any, ClassVar, NamedTuple

from wordorder_lab.inflection.candidates import Inflector
from wordorder_lab.inflection.english_rules import sounds_like_a_vowel
from wordorder_lab.inflection.kept_inflector import inflector_part
from wordorder_lab.linearization.domains import Score
from wordorder_lab.structures.lemma_tree import LemmaTree
from wordorder_lab.structures.result import Realization
from wordorder_lab.structures.trace import Trace
from wordorder_lab.systems import usual_settings as usual
from wordorder_lab.systems.inflector import learn_inflector
from wordorder_lab.systems.model import choose_engine
from wordorder_lab.systems.realization import CAPITALS, ENGLISH, with_capital
from wordorder_lab.systems.realization_examples import placed_trees
from wordorder_lab.systems.realizer import Realizer, check_wanted
from wordorder_lab.systems.setting import setting

BEAM = 20


@dataclass(frozen=True)
class Search:
    """What may be set when a tree is realized."""

    beam: int = usual.beam(BEAM, "kept among siblings")


@dataclass(repr=False)
class HeadByHeadModel(Realizer):
    """A trained model: an inflector, and below it what orders a head with its dependents."""

    HAS_STEPS: ClassVar[bool] = False
    Search: ClassVar[type[Any]] = Search

    inflector: Inflector
    settings: Mapping[str, Any]

    @abstractmethod
    def orders(self, tree: LemmaTree, beam: int) -> list[tuple[Score, tuple[int, ...]]]:
        """The best orders of a tree's nodes, with their scores, the best one first."""

    def realizations(
        self,
        tree: LemmaTree,
        *,
        k: int = 1,
        engine: str | None = None,
        trace: Trace | None = None,
        **search: Any,
    ) -> tuple[Realization, ...]:
        """The ``k`` best, or as many as the root's beam has; they differ in the root's order.

        ``beam`` may be set, and there is one engine. Raises ``ValueError`` for a tree that is none,
        or whose ranks contradict each other, for a beam that cannot be, and for a trace: the work
        has no steps to watch.
        """
        check_wanted(tree, k)
        if trace is not None:
            raise ValueError(f"{self.system} has no steps to watch: no trace")
        choose_engine(engine)
        beam = self.search_settings(**search)["beam"]
        forms = [several[0] for several in self.inflector.forms(tree)]
        found = self.orders(tree, max(beam, k))[:k]
        return tuple(self._sentence(tree, forms, score, order) for score, order in found)

    def _sentence(
        self, tree: LemmaTree, first: Sequence[str], score: Score, order: tuple[int, ...]
    ) -> Realization:
        forms = list(first)
        if self.inflector.english:
            for node, following in pairwise(order):
                if tree.nodes[node].upos == "DET" and forms[node] in ("a", "an"):
                    forms[node] = "an" if sounds_like_a_vowel(forms[following]) else "a"
        words = [word for node in order for word in forms[node].split()]
        if self.settings["capitals"]:
            words[0] = with_capital(words[0])
        return Realization(tuple(words), order, tuple(forms), float(score))

    # --- settings and file ------------------------------------------------------------------

    def header(self) -> dict[str, Any]:
        """The inflector's counts."""
        return {"inflector": inflector_part(self.inflector)}


def checked(settings: Mapping[str, Any]) -> dict[str, Any]:
    """The settings of a model file. Raises ``ValueError`` where ``capitals`` are no yes or no."""
    if not isinstance(settings["capitals"], bool):
        raise ValueError("its setting capitals is neither true nor false")
    return dict(settings)


# --- training -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class HeadByHeadSettings:
    """What a training depends on in both systems; each adds what its own learner takes.

    ``english``: rules and lists stand behind counted forms. ``capitals``: the first word of an
    output gets one. ``seed`` is that of mappings to plain references, and of the learner's chance.
    """

    seed: int = usual.seed()
    english: bool = setting(True, ENGLISH)
    capitals: bool = setting(True, CAPITALS)


class Lesson(NamedTuple):
    """What a training has before it: ``trees`` whose words have places, the ``inflector`` that has
    counted in them, and what the ``settings`` of the model will say."""

    trees: list[LemmaTree]
    inflector: Inflector
    settings: dict[str, Any]


def lesson_of(trees: Sequence[LemmaTree], chosen: HeadByHeadSettings) -> Lesson:
    """What both systems learn from.

    Trees that have references alone get the places of a mapping (``systems/gold_mappings``).
    Crossing arcs stay: a part is learned where its own word stands. Raises ``ValueError`` where
    there is no tree with places, or no head with a dependent in them.
    """
    placed, unmapped = placed_trees(trees, chosen.english, chosen.seed)
    if not any(len(tree) > 1 for tree in placed):
        raise ValueError(
            f"none of the {len(trees):,} trees has words in a known order: give others"
        )
    inflector = learn_inflector(placed, english=chosen.english)
    numbers = {
        "trees": len(placed),
        "lifted": 0,
        "left_out": 0,
        "unmapped": unmapped,
        "forms": forms_a_lemma(inflector, placed),
    }
    return Lesson(placed, inflector, {**asdict(chosen), **numbers})


def forms_a_lemma(inflector: Inflector, trees: Sequence[LemmaTree]) -> float:
    """How many candidates an inflector has for a node, in the mean."""
    nodes = forms = 0
    for tree in trees:
        for several in inflector.forms(tree):
            nodes += 1
            forms += len(several)
    return forms / nodes
