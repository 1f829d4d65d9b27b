"""Whose fault is a wrong output, the search's or the model's? ``wl.errors``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from wordorder_lab.exploring.explore import exploration
from wordorder_lab.structures.arguments import checks_arguments
from wordorder_lab.systems.model import TrainedModel

if TYPE_CHECKING:
    import pandas


@checks_arguments
def errors(model: TrainedModel, sentences: Sequence[Any], **how: Any) -> pandas.DataFrame:
    """A frame, a row a sentence, as ``wl.explore`` shows it; ``fault`` says whose fault it is.

    Of a wrong output the model's score is compared with that of the gold structure: where gold
    scores more, the search has not found it (*search error*); where it scores less, the model likes
    the wrong one better (*model error*); equal scores are a *tie*. An output that a search has put
    together when it was stopped is a search error. *unknown*: the model cannot build gold at all.

    ``how`` is as for ``wl.explore``: ``pos``, ``deps``, ``seed``, ``engine``, ``jobs``, settings of
    the search. Raises ``ValueError`` as ``wl.explore``.
    """
    return exploration(model, sentences, **how).frame
