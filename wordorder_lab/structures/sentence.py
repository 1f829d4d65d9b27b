"""A sentence as the corpora deliver it: tokens in order, each with its tag and its head."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from operator import index

from wordorder_lab.structures.arguments import checks_arguments
from wordorder_lab.structures.category import Category
from wordorder_lab.structures.derivation import Derivation
from wordorder_lab.structures.messages import brief, cited
from wordorder_lab.structures.tokens import tokenized
from wordorder_lab.structures.trees import DependencyTree, known_labels, tree_problem

ROOT = -1


@dataclass(frozen=True, slots=True)
class Token:
    """One unit of a sentence: a word, or a phrase that is kept whole.

    ``words`` are the surface words (several for a base NP kept whole), ``pos`` the tag,
    ``head`` the position of the head token in the sentence, counted from 0, or ``ROOT``.
    ``label`` is the label of the arc from there (``"nsubj"``), empty where it is not known.

    Raises ``TypeError`` for what is of another type, ``ValueError`` for a unit without words or
    with an empty one. Whether the head is in the sentence, ``Sentence`` sees.
    """

    words: tuple[str, ...]
    pos: str
    head: int
    label: str = ""

    def __post_init__(self) -> None:
        try:
            if type(self.words) is not tuple:
                raise TypeError
            "".join((*self.words, self.pos, self.label))
            index(self.head)
        except TypeError:
            given = cited((self.words, self.pos, self.head, self.label))
            what = "a tuple of words, a tag, a head (a whole number) and a label"
            raise TypeError(f"a token is {what}, not {given}") from None
        if not all(self.words) or not self.words:
            raise ValueError(f"the token {brief(self.words)} has no words, or an empty one")

    @property
    def form(self) -> str:
        """The unit as one string: ``"Pierre Vinken"``."""
        return " ".join(self.words)


@dataclass(frozen=True, slots=True)
class Sentence:
    """Tokens in their true order, with one tree over them.

    ``tokens`` are words and phrases that are kept whole. ``name`` says where the sentence comes
    from (``"wsj_0001.mrg 1"``), ``document`` which document it is of, where a corpus has any.
    ``derivation`` is the gold CCG derivation where the corpus has one: a leaf a token, in order,
    with the token's form as its word and its tag. These two take no part in comparing sentences.

    Raises ``ValueError`` with the name, or the words, for heads that are no tree: a head outside
    the sentence, no root or several, a cycle. Crossing arcs are legal; the readers of corpora leave
    such sentences out. Raises ``TypeError`` for what is no tuple of tokens.
    """

    tokens: tuple[Token, ...]
    name: str = ""
    derivation: Derivation | None = field(default=None, compare=False, repr=False)
    document: str = field(default="", compare=False, repr=False)
    _parse: Callable[[], Derivation | None] | None = field(
        default=None, init=False, compare=False, repr=False
    )

    def __post_init__(self) -> None:
        if type(self.tokens) is not tuple or not all(isinstance(one, Token) for one in self.tokens):
            raise TypeError(f"a sentence is a tuple of tokens, not {cited(self.tokens)}")
        if not isinstance(self.name, str) or not isinstance(self.derivation, Derivation | None):
            raise TypeError("a sentence has a string as its name, and a Derivation or None")
        if problem := tree_problem([token.head for token in self.tokens]):
            named = brief(self.name or self.text)
            raise ValueError(f"the heads of the sentence {named!r} are no tree: {problem}")

    @classmethod
    def of_words(cls, words: Iterable[str], name: str = "") -> Sentence:
        """A sentence of plain words (``is_plain``): they have no tags, and of the tree that a
        sentence has to have the first word is the head of all. Raises ``ValueError`` for none."""
        tokens = tuple(Token((word,), "", 0 if i else ROOT) for i, word in enumerate(words))
        if not tokens:
            raise ValueError(f"{name or 'this sentence'} has no words")
        return cls(tokens, name)

    @property
    def is_plain(self) -> bool:
        """Whether words are all that is known of it."""
        return not any(token.pos for token in self.tokens)

    @checks_arguments
    def with_derivation(self, parse: Callable[[], Derivation | None]) -> Sentence:
        """The same sentence; its derivation is what ``parse`` gives when it is first asked for.

        ``parse`` can be pickled, or the sentence cannot travel to other processes.
        """
        copy = Sentence(self.tokens, self.name, document=self.document)
        object.__setattr__(copy, "_parse", parse)
        object.__delattr__(copy, "derivation")
        return copy

    def __getattr__(self, name: str) -> Derivation | None:
        # Called for what is not set: a derivation that nobody has asked for yet.
        if name != "derivation" or self._parse is None:
            raise AttributeError(f"a sentence has no {cited(name)}")
        derivation = self._parse()
        object.__setattr__(self, "derivation", derivation)
        object.__setattr__(self, "_parse", None)
        return derivation

    def __len__(self) -> int:
        return len(self.tokens)

    def __iter__(self) -> Iterator[Token]:
        return iter(self.tokens)

    @property
    def surface(self) -> tuple[str, ...]:
        """The plain words, phrases taken apart: what is scored."""
        return tuple(word for token in self.tokens for word in token.words)

    @property
    def text(self) -> str:
        """The plain words with a space between them."""
        return " ".join(self.surface)

    @property
    def tree(self) -> DependencyTree:
        """The gold tree over the units, with their tags."""
        return DependencyTree(
            tuple(token.form for token in self.tokens),
            tuple(token.pos for token in self.tokens),
            tuple(token.head for token in self.tokens),
            known_labels(token.label for token in self.tokens),
        )


# --- Sentences whose words have lexical categories: what a supertagger learns from

Unit = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Supertagged:
    """Units in order, a tag and a category each; ``ValueError`` for lists of unequal length."""

    words: tuple[Unit, ...]
    pos: tuple[str, ...]
    categories: tuple[Category, ...]
    name: str = ""

    def __post_init__(self) -> None:
        if not len(self.words) == len(self.pos) == len(self.categories) > 0:
            raise ValueError(
                f"{self.name or 'a sentence'}: {len(self.words)} words, {len(self.pos)} tags and "
                f"{len(self.categories)} categories; one of each a word is wanted"
            )

    def __len__(self) -> int:
        return len(self.words)

    @classmethod
    def of(cls, sentence: Sentence) -> Supertagged:
        """The leaves of a sentence's derivation; ``ValueError`` for none, or one of other words."""
        name = sentence.name or sentence.text
        if sentence.derivation is None:
            raise ValueError(f"{name}: there is no derivation")
        leaves = sentence.derivation.leaves()
        if [leaf.word for leaf in leaves] != [token.form for token in sentence]:
            raise ValueError(f"{name}: the words of the derivation are not those of the sentence")
        words, tags = zip(*((token.words, token.pos) for token in sentence))
        return cls(words, tags, tuple(leaf.category for leaf in leaves), sentence.name)


def supertagged(sentences: Iterable[Sentence | Supertagged]) -> list[Supertagged]:
    """Those of the sentences that have categories, derivations read as such."""
    return [
        given if isinstance(given, Supertagged) else Supertagged.of(given)
        for given in sentences
        if isinstance(given, Supertagged) or given.derivation is not None
    ]


def as_sentences(
    given: Iterable[Sentence | str | Sequence[str]], or_else: str = ""
) -> list[Sentence]:
    """Sentences as they are, lines of text cut into words (``tokenized``), lists of words as they
    are cut. Raises ``TypeError`` for anything else, with its place; ``or_else`` says what might
    have stood there, too."""
    found = []
    for number, one in enumerate(given, 1):
        if isinstance(one, str):
            one = Sentence.of_words(tokenized(one), f"text:{number}")
        elif not isinstance(one, Sentence):
            try:
                if isinstance(one, Mapping | Set):
                    raise TypeError  # its words have no order
                one = Sentence.of_words(one, f"text:{number}")
            except TypeError:
                also = f", or {or_else}" if or_else else ""
                raise TypeError(
                    f"sentence {number} is a Sentence, a line of text or a list of words{also}, "
                    f"not {cited(one)}"
                ) from None
        found.append(one)
    return found
