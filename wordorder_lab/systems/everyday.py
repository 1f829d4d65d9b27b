"""``everyday``: models that come with the package, for whoever types words of their own.

To order words it is liu-2015 with word classes for what it has never seen (``models/word_classes``)
and with n-grams beside it; to realize a sentence, which is parsed first, a parser and
liu-2015-realization; to make one shorter, that parser and mcdonald-2006, which goes by tags and
trees more than by words. They are made by ``make everyday`` of texts that may be passed on; which
they are, and their licence, stands beside them in ``everyday_models``.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import cache
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from wordorder_lab.models.packed_file import unpack
from wordorder_lab.structures.arguments import checks_arguments
from wordorder_lab.structures.deletion import Deletion
from wordorder_lab.structures.lemma_tree import LemmaTree
from wordorder_lab.structures.result import Realization, Result
from wordorder_lab.structures.sentence import Sentence, as_sentences
from wordorder_lab.structures.trace import Trace
from wordorder_lab.structures.typed_bag import as_bag
from wordorder_lab.systems.model import OrderingModel, Words
from wordorder_lab.systems.registry import find

if TYPE_CHECKING:
    from wordorder_lab.systems.realizer import Realizer

NAME = "everyday"
SYSTEMS = {
    "order": "liu-2015",
    "realize": "liu-2015-realization",
    "parse": "parser",
    "compress": "mcdonald-2006",
}
"""Task -> the system of its model."""
FILES = {
    "order": NAME,
    "realize": f"{NAME}-realization",
    "parse": f"{NAME}-parser",
    "compress": f"{NAME}-compression",
}
"""Task -> the name of its file."""
FOLDER = Path(__file__).with_name("everyday_models")
FEW, _CALLS = 20, count()
"""Calls after which the kernels are worth their compiling, and how many there were."""
SOURCES = FOLDER / "sources.json"
"""What they were made of: files with their checksums and licences, and how."""


def comes_along(path: str | os.PathLike[str]) -> bool:
    """Whether a model is meant that comes with the package; a file of that name is itself."""
    return os.fspath(path) == NAME and not os.path.exists(path)


def everyday_model() -> OrderingModel:
    """The model that orders, read once. Raises ``ModelError`` where its file is damaged."""
    return cast(OrderingModel, model_for("order"))


def everyday_realizer() -> Realizer:
    """The model that realizes, with a parser of its own; raises as ``everyday_model``."""
    return cast("Realizer", model_for("realize"))


@cache
def model_for(task: str) -> Any:
    """The model of a task, one of ``FILES``, read once; raises as ``everyday_model``."""
    header, arrays = unpack(path := FOLDER / f"{FILES[task]}.zip")
    model: Any = find(SYSTEMS[task]).model.of_file(path, header, arrays)
    if task == "realize":
        model.parser = model_for("parse")
    return model


@checks_arguments
def order(
    bag: Words,
    *,
    k: int = 1,
    engine: str | None = None,
    trace: Trace | None = None,
    beam: int | None = None,
    lm_weight: float | None = None,
) -> Result:
    """Put words in order with the model that comes along: ``wl.order("the barked dog .")``.

    ``bag`` is a typed line, a list of words or a ``WordBag``. The result's ``k_best`` lists at most
    ``k`` outputs, a whole number from 1; ``beam`` is how many states are kept at each step, from 1,
    ``lm_weight`` what a natural logarithm of n-grams counts; ``trace`` is told the events of the
    search. The result's ``doubts`` say which words the model has never seen. The search is that of
    Liu et al. 2015, section 3; the first short bags are ordered by the reference engine, which has
    nothing to compile. Raises ``ValueError`` and ``TypeError`` as ``model.order``.
    """
    model, bag = everyday_model(), as_bag(bag)
    if engine is None and next(_CALLS) < FEW:
        engine = model.engine_alone(bag)
    return model.order(bag, k=k, engine=engine, trace=trace, beam=beam, lm_weight=lm_weight)


@checks_arguments
def realize(
    text: str | Sequence[str] | Sentence | LemmaTree,
    *,
    engine: str | None = None,
    trace: Trace | None = None,
    beam: int | None = None,
) -> Realization:
    """Realize a sentence with the model that comes along: ``wl.realize("The dogs chased a cat.")``.

    The sentence, a line of text or a list of words, is parsed, its words become lemmas, and they
    are put in order and inflected again (Zhang & Clark 2015, section 5.7, with the search of Liu et
    al. 2015); a ``LemmaTree`` with labels of the Penn Treebank is taken as it is. ``beam`` is how
    many states are kept at each step, from 1; ``trace`` is told the events of the search. The first
    sentences are realized by the reference engine, which has nothing to compile. Raises
    ``ValueError`` and ``TypeError`` as ``model.realize``.
    """
    model = everyday_realizer()
    tree = text if isinstance(text, LemmaTree) else model.tree_of(text)
    if engine is None and next(_CALLS) < FEW:
        engine = model.engine_alone(tree)
    return model.realize(tree, engine=engine, trace=trace, beam=beam)


@checks_arguments
def compress(
    text: str | Sequence[str] | Sentence,
    *,
    k: int = 1,
    rate: float | None = None,
    length: int | None = None,
    engine: str | None = None,
    trace: Trace | None = None,
) -> Deletion:
    """Make a sentence shorter: ``wl.compress("After lunch , she walked slowly to the shop .")``.

    The sentence, a line of text or a list of words, is parsed with the parser that comes along, and
    words are left out (McDonald 2006). ``rate`` is the share of the words that stay, above 0 and up
    to 1, ``length`` their number, from 1; without both the model decides. The result's ``k_best``
    lists at most ``k`` outputs, from 1; ``trace`` is told the events of the search. The first
    sentences are compressed by the reference engine, which has nothing to compile. What was learned
    are the pairs of the Gazette alone. Raises ``ValueError`` and ``TypeError`` as
    ``model.compress``.
    """
    (sentence,) = as_sentences([text])
    model, tree = model_for("compress"), model_for("parse").parse(sentence.surface).tree
    if engine is None and next(_CALLS) < FEW:
        engine = "reference"
    found: Deletion = model.compress(
        tree, k=k, rate=rate, length=length, engine=engine, trace=trace
    )
    return found
