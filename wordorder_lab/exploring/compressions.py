"""Two doors to one sentence: ``wl.constraint_board`` and ``wl.compressions_side_by_side``.

Models compress it, and the widgets show what came of it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from wordorder_lab.metrics.compression import ngram_f1
from wordorder_lab.structures.arguments import checks_arguments
from wordorder_lab.structures.messages import cited
from wordorder_lab.systems.clarke_lapata_2008 import ALL, names_of
from wordorder_lab.widgets.board import Board, Solved
from wordorder_lab.widgets.side_by_side import Shortened, SideBySide

if TYPE_CHECKING:
    from nltk.tree import Tree

    from wordorder_lab.structures.deletion import DeletionSentence

Options = Mapping[str, Any]
MOST_SYSTEMS = 6
"""Systems side by side: more rows do not fit on a screen."""
RUNS = (1, 2, 3, 4)


@checks_arguments
def constraint_board(
    model: Any,
    sentence: Tree | str | DeletionSentence,
    names: Sequence[str] | str = ALL,
    *,
    title: str | None = None,
    **search: Any,
) -> Board:
    """Switch the constraints of an integer programme on and off, and see which words stay.

    ``model`` is one of ``clarke-lapata-2008-ilp`` or ``clarke-lapata-2008-lm``, ``sentence`` a tree
    or what else its ``compress`` takes; ``names`` are the families that can be switched, ``search``
    other settings of ``compress``. Every choice of the families that this sentence has rows for is
    solved beforehand, so the page needs no kernel. In a notebook the board shows itself;
    ``to_html(path)`` writes it.

    Raises ``ValueError`` for a model without constraints, and as its ``compress``.
    """
    chosen = names_of(names)
    if "constraints" not in getattr(model, "usual_search", dict)():
        raise ValueError(
            f"{getattr(model, 'system', type(model).__name__)} has no constraints to switch: "
            "clarke-lapata-2008-ilp and clarke-lapata-2008-lm have"
        )
    problem = model.problem(sentence)
    rows = [row for row in problem.rows if row.name in chosen]

    def solve(families: Sequence[str]) -> Solved:
        best = model.search(problem, constraints=tuple(families), **search)[0]
        return Solved(best.kept, best.score)

    return Board(problem.sentence.words, rows, solve, title)


@checks_arguments
def compressions_side_by_side(
    models: Mapping[str, Any],
    sentence: object,
    *,
    references: Sequence[Sequence[str]] | Mapping[str, Sequence[str]] = (),
    search: Mapping[str, Options] | None = None,
    title: str | None = None,
) -> SideBySide:
    """What several systems make of one sentence, word below word.

    ``models`` is a table by name, of anything that compresses: the transducer, McDonald's model,
    an integer programme. ``sentence`` is a tree, which all of them take; ``references`` are
    compressions by humans, each a list of words, with names if they are a table. ``search`` has for
    a name the settings of its ``compress``. With references there are n-gram F1s, of several
    references their mean, and runs of words that a reference has are marked.

    Raises ``ValueError`` for no models or too many, settings for a model that is not there, and as
    each ``compress``.
    """
    options = dict(search or {})
    if not 1 <= len(models) <= MOST_SYSTEMS:
        raise ValueError(f"side by side stand 1 to {MOST_SYSTEMS} models, not {len(models)}")
    if unknown := [name for name in options if name not in models]:
        raise ValueError(
            f"settings for {cited(unknown[0])}, but the models are {', '.join(models)}"
        )
    humans = dict(_named(references))
    source: Sequence[str] = ()
    outputs = []
    for name, model in models.items():
        if not hasattr(model, "compress"):
            raise ValueError(f"side by side stand models that compress; {cited(name)} does not")
        found = model.compress(sentence, **options.get(name, {}))
        if not source:  # an output by deletion has the words, one of the transducer its tree
            source = found.source if isinstance(found.source, tuple) else found.source.leaves()
        kept = getattr(found, "kept", None)
        f1 = [_mean_f1(found.words, list(humans.values()), n) for n in RUNS] if humans else []
        outputs.append(Shortened(name, list(found.words), kept, float(found.score), f1))
    shown = [Shortened(name, list(words)) for name, words in humans.items()]
    return SideBySide(list(source), outputs, shown, title)


def _named(
    references: Sequence[Sequence[str]] | Mapping[str, Sequence[str]],
) -> list[tuple[str, Sequence[str]]]:
    if isinstance(references, Mapping):
        return list(references.items())
    if len(references) == 1:
        return [("reference", references[0])]
    return [(f"reference {number}", words) for number, words in enumerate(references, 1)]


def _mean_f1(output: Sequence[str], references: Sequence[Sequence[str]], n: int) -> float:
    ours = [word.lower() for word in output]
    theirs = ([word.lower() for word in words] for words in references)
    return sum(ngram_f1(ours, words, n) for words in theirs) / len(references)
