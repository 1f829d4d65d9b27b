"""What every realizer has, whatever puts its words in order: from a tree of lemmas to sentences."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from wordorder_lab.corpora.readers.penn_labels import PENN_LABELS
from wordorder_lab.models.file_parts import Json
from wordorder_lab.runtime.progress import progress_bar
from wordorder_lab.structures.lemma_tree import LemmaTree, universal
from wordorder_lab.structures.messages import MOST_HYPOTHESES, cited
from wordorder_lab.structures.result import Realization, Result
from wordorder_lab.structures.sentence import Sentence, as_sentences
from wordorder_lab.structures.trace import Trace
from wordorder_lab.systems.model import TrainedModel

if TYPE_CHECKING:  # text needs a parser, and who realizes trees does not wait for it
    from wordorder_lab.inflection.lemmatizer import Lemmatizer
    from wordorder_lab.systems.parsed_pairs import Parsing


@dataclass(repr=False)
class Realizer(TrainedModel):
    """A trained realizer; ``realizations`` is its own, or ``_found``."""

    LEARNED: ClassVar[str] = "trees"
    parser: ClassVar[Parsing | None] = None
    """What parses text, unless another is given; of ``None`` it is ``usual_parser``. The model that
    comes along has one of its own."""

    def realizations(
        self,
        tree: LemmaTree,
        *,
        k: int = 1,
        engine: str | None = None,
        trace: Trace | None = None,
        **search: object,
    ) -> tuple[Realization, ...]:
        """The ``k`` best sentences of a tree, or as many as the search has, the best one first. A
        tag, a label or a feature that training never saw carries no information. Raises
        ``TypeError`` for what is no ``LemmaTree``, ``ValueError`` for one that is no tree or too
        large, for a setting or a ``k`` that cannot be, and for a trace where there are no steps."""
        if not isinstance(tree, LemmaTree):
            raise TypeError(
                f"a tree of lemmas is realized, not a {type(tree).__name__}: take one of "
                "load_lemma_trees, or of text what tree_of(text) makes"
            )
        if (problem := tree.problem()) is not None:
            raise ValueError(f"{tree.name or 'what is to be realized'} is no tree: {problem}")
        if not isinstance(k, int) or not 1 <= k <= MOST_HYPOTHESES:
            raise ValueError(f"k ({cited(k)}) is a whole number from 1 to {MOST_HYPOTHESES}")
        self._refuse_trace(trace)
        return tuple(self._found(tree, self.search_settings(**search), k, engine, trace))

    def engine_alone(self, _tree: LemmaTree) -> str | None:
        """The engine for a tree after which the process ends; ``None``: the usual one."""
        return None

    def _found(
        self, tree: LemmaTree, chosen: Json, k: int, engine: str | None, trace: Trace | None
    ) -> Sequence[Realization]:
        raise NotImplementedError

    def realize(
        self,
        tree: LemmaTree | Sentence | str | Sequence[str],
        *,
        parser: Parsing | None = None,
        **search: Any,
    ) -> Realization:
        """The sentence of a tree, or of a line of text, which is parsed (``tree_of``): the first of
        its ``realizations``; raises what they raise."""
        return self.realizations(self.tree_of(tree, parser), **search)[0]

    def outputs(
        self,
        trees: Iterable[LemmaTree | Sentence | str | Sequence[str]],
        *,
        parser: Parsing | None = None,
        **search: Any,
    ) -> list[Realization]:
        """The sentences of many trees or lines, in their order, with a progress bar."""
        if isinstance(trees, LemmaTree | str):
            raise TypeError(f"outputs takes several trees or lines, not {cited(trees)}: realize it")
        made = self.trees_of(trees, parser)
        shown = progress_bar(made, desc="realizing", delay=2, leave=False)
        return [self.realizations(tree, **search)[0] for tree in shown]

    # --- plain text -----------------------------------------------------------------------------

    @property
    def known_labels(self) -> tuple[str, ...]:
        """The labels of the training's trees, sorted; none where they are not known."""
        return ()

    def tree_of(
        self, text: LemmaTree | Sentence | str | Sequence[str], parser: Parsing | None = None
    ) -> LemmaTree:
        """The tree of lemmas of a sentence, its nodes shuffled: as ``trees_of`` makes it."""
        if isinstance(text, LemmaTree):
            return text
        return self.trees_of([text], parser)[0]

    def trees_of(
        self,
        texts: Iterable[LemmaTree | Sentence | str | Sequence[str]],
        parser: Parsing | None = None,
        progress: bool = True,
    ) -> list[LemmaTree]:
        """Trees of lemmas of lines of text, or lists of words, which ``parser`` parses (without one
        the model's own, or that of the Penn sample, or where that is missing, of the Gazette). The
        line is the tree's ``reference``; trees stay as they are. Labels are those of the Penn
        Treebank's dependencies, lemmas what this model inflects to these words. Raises
        ``ValueError`` for a model of other labels and for what cannot be parsed, ``TypeError`` for
        what is no text."""
        if parser is not None and not callable(getattr(parser, "parse", None)):
            raise TypeError(f"parser is a model of the system parser, not {cited(parser)}")
        given = list(texts)
        told = [one for one in given if not isinstance(one, LemmaTree)]
        sentences = as_sentences(told, "a LemmaTree (wl.load_lemma_trees)")
        if not sentences:
            return [one for one in given if isinstance(one, LemmaTree)]
        self._refuse_other_labels()
        from wordorder_lab.systems.parsed_trees import parse_to_trees

        parser = parser or self.parser
        made = iter(parse_to_trees(sentences, self._lemmatizer, parser, progress))
        return [one if isinstance(one, LemmaTree) else next(made) for one in given]

    @cached_property
    def _lemmatizer(self) -> Lemmatizer:
        from wordorder_lab.systems.parsed_trees import lemmatizer_of

        return lemmatizer_of(getattr(self, "inflector", None))  # other packages' may have none

    def _refuse_other_labels(self) -> None:
        known = self.known_labels
        if known and not set(known) & set(PENN_LABELS):
            raise ValueError(
                f"text is parsed into trees with the labels of the Penn Treebank "
                f"({_some(PENN_LABELS)}), and this model knows others ({_some(known)}): give it "
                f"trees (wl.load_lemma_trees, --conllu FILE), or make a model for text with "
                f"wordorder-lab train {self.system} --corpus gazette, or --corpus FILE.txt"
            )

    def _sentence(
        self, order: Sequence[int], forms: Sequence[str], score: float, result: Result | None = None
    ) -> Realization:
        words = [word for node in order for word in forms[node].split()]
        if self.settings["capitals"]:
            words[0] = with_capital(words[0])
        return Realization(tuple(words), tuple(order), tuple(forms), score, result)


ENGLISH = (
    "rules and lists of English stand behind counted forms (the command line: for sr18, sr20, "
    "ewt, gum, gazette)"
)
CAPITALS = "sentences begin with a capital"
"""The help of settings that all realizers have."""


def with_capital(word: str) -> str:
    """The word as it begins a sentence."""
    return word[:1].upper() + word[1:] if word[:1].isalpha() else word


def _some(labels: Sequence[str]) -> str:
    """A few labels, in short."""
    shown = ", ".join(dict.fromkeys(map(universal, labels[:12])))
    return shown if len(labels) <= 12 else f"{shown} and others"
