"""The door to the form: ``wl.ordering_form``, which says what is missing where ipywidgets is."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from wordorder_lab.structures.arguments import checks_arguments
from wordorder_lab.structures.sentence import Sentence
from wordorder_lab.widgets.form_run import EXAMPLE, Asked, Orders, named_models
from wordorder_lab.widgets.packing import MAX_EVENTS

if TYPE_CHECKING:
    from wordorder_lab.widgets.form_view import OrderingForm


@checks_arguments
def ordering_form(
    models: Orders | Mapping[str, Orders],
    text: str = EXAMPLE,
    *,
    corpus_sentences: Sequence[Sentence] = (),
    beam: int = 16,
    engine: str | None = None,
    seed: int = 1,
    max_events: int = MAX_EVENTS,
) -> OrderingForm:
    """A form to order words with one model, or with several by their names.

    ``corpus_sentences`` adds a button that puts one of them into the form, shuffled. ``beam`` is
    how many states a search keeps at first, from 1; ``seed``, any whole number, decides what the
    two shuffling buttons do, ``max_events`` how many events of a run are recorded. Then
    ``form.result``, ``form.log`` and ``form.player`` (and ``form.results``, ``form.logs`` with B)
    are there for the next cell; ``form.run()`` presses the button.

    Raises ``ImportError`` without ipywidgets, ``ValueError`` for no model or a beam below 1.
    """
    try:
        from wordorder_lab.widgets.form_view import OrderingForm
    except ImportError as error:
        if (error.name or "").split(".")[0] != "ipywidgets":
            raise
        raise ImportError(
            "the form needs ipywidgets: pip install 'wordorder-lab[lab]', or start with make lab",
            name="ipywidgets",
        ) from error
    rng = random.Random(int(seed))
    asked = Asked(named_models(models), corpus_sentences, beam, engine, rng, max_events)
    return OrderingForm(asked, text)
