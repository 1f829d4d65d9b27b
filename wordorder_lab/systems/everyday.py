"""``everyday``: a model that comes with the package, for whoever types words of their own.

It is liu-2015 with word classes for what it has never seen (``models/word_classes``) and with
n-grams beside it, made by ``make everyday`` of texts that may be passed on; which they are, and
their licence, stands beside it in ``everyday_models``.
"""

from __future__ import annotations

import os
from functools import cache
from itertools import count
from pathlib import Path
from typing import cast

from wordorder_lab.models.packed_file import unpack
from wordorder_lab.structures.arguments import checks_arguments
from wordorder_lab.structures.result import Result
from wordorder_lab.structures.trace import Trace
from wordorder_lab.structures.typed_bag import as_bag
from wordorder_lab.systems.model import OrderingModel, Words
from wordorder_lab.systems.registry import find

NAME, SYSTEM = "everyday", "liu-2015"
FOLDER = Path(__file__).with_name("everyday_models")
FEW, _CALLS = 20, count()
"""Calls after which the kernels are worth their compiling, and how many there were."""
SOURCES = FOLDER / "sources.json"
"""What it was made of: files with their checksums and licences, and how."""


def comes_along(path: str | os.PathLike[str]) -> bool:
    """Whether a model is meant that comes with the package; a file of that name is itself."""
    return os.fspath(path) == NAME and not os.path.exists(path)


@cache
def everyday_model() -> OrderingModel:
    """The model, read once. Raises ``ModelError`` where its file is damaged."""
    header, arrays = unpack(path := FOLDER / f"{NAME}.zip")
    return cast(OrderingModel, find(SYSTEM).model.of_file(path, header, arrays))


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
