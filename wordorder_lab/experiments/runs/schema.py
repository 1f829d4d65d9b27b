"""What a specification and a record may say: one table a file, key -> what its value is.

Everything that a user writes is held against these tables before any work is done. What depends on
other values (which settings a system has) is asked afterwards.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from wordorder_lab.structures.messages import brief, unknown_name

Row = dict[str, Any]
"""A row of a record; its columns are those of its measure."""
Table = Mapping[str, Any]
"""A table of a specification or a record: the value of a key may be anything."""

MOST = 2**63 - 1
"""The largest whole number: beyond it, no array has room."""


class SpecificationError(ValueError):
    """A specification is missing or says something that cannot be run."""


class Kind(NamedTuple):
    """What a value is: its name in messages, and what asks a value. Of a table, ``keys`` are known
    and ``needed`` must be there; of a list or a table, ``each`` is the kind of all other values.
    Without ``each``, a table has no other keys."""

    description: str
    fits: Callable[[Any], bool]
    each: Kind | None = None
    keys: Mapping[str, Kind] = {}
    needed: tuple[str, ...] = ()


def check(value: object, kind: Kind, where: str) -> None:
    """Raise ``SpecificationError`` with the place of the first value that is not of its kind.
    Places in lists are counted from 1."""
    if not kind.fits(value):
        raise SpecificationError(f"{where} is {kind.description}, not {brief(repr(value))}")
    if isinstance(value, list) and kind.each is not None:
        for number, one in enumerate(value, 1):
            check(one, kind.each, f"{where}[{number}]")
    if isinstance(value, dict) and (kind.each is not None or kind.keys):
        for name in kind.needed:
            if name not in value:
                raise SpecificationError(f"{where} has no {name!r}".strip())
        for name, one in value.items():
            inside = kind.keys.get(name, kind.each)
            if inside is None:
                raise SpecificationError(
                    f"{where} has {unknown_name('key', name, kind.keys)}".strip()
                )
            check(one, inside, f"{where}.{name}" if where else name)


def either(*kinds: Kind) -> Kind:
    """One of several; what is inside a list must be of the last."""
    names = " or ".join(kind.description for kind in kinds)
    return Kind(names, lambda value: any(kind.fits(value) for kind in kinds), kinds[-1].each)


def _several(kind: type[list[Any] | dict[str, Any]], each: Kind | None, minimum: int) -> Kind:
    name = f"a {'table' if kind is dict else kind.__name__}"
    name += " that is not empty" if minimum else ""
    return Kind(name, lambda value: isinstance(value, kind) and len(value) >= minimum, each)


def listing(each: Kind, minimum: int = 0) -> Kind:
    """A list of at least so many."""
    return _several(list, each, minimum)


def table(
    keys: Mapping[str, Kind] | None = None,
    *,
    each: Kind | None = None,
    needed: tuple[str, ...] = (),
    minimum: int = 0,
) -> Kind:
    """A table of at least so many keys."""
    return _several(dict, each, minimum)._replace(keys=keys or {}, needed=needed)


def number(minimum: float = -math.inf, maximum: float = math.inf, *, whole: bool = False) -> Kind:
    """A finite number in a range."""
    name = "a whole number" if whole else "a number"
    if maximum < math.inf:
        name += f" between {minimum:g} and {maximum:g}"
    elif minimum > -math.inf:
        name += f" of at least {minimum:g}"

    def fits(value: object) -> bool:
        if isinstance(value, bool) or not isinstance(value, int if whole else int | float):
            return False
        finite = abs(value) <= MOST if isinstance(value, int) else math.isfinite(value)
        return bool(finite and minimum <= value <= maximum)

    return Kind(name, fits)


def one_of(names: Sequence[str]) -> Kind:
    """One of these texts."""
    return Kind(f"one of {', '.join(names)}", lambda value: value in names)


ANY = Kind("anything", lambda _: True)
TEXT = Kind("a text", lambda value: isinstance(value, str))
FLAG = Kind("true or false", lambda value: isinstance(value, bool))
NONE = Kind("nothing", lambda value: value is None)
NUMBER, WHOLE = number(), number(whole=True)
SCALAR = either(TEXT, FLAG, NUMBER)
NAMES = either(TEXT, listing(TEXT, 1))


# --- what a run may set beside the training and the search of its system --------------------------

NEEDED = ("system", "corpus", "split", "units")
"""What every run says; training is not told: it is given the sentences."""
GRID, RATES = "grid", "rates"
LEARNING = ("parser", "learned_on", "choose_on", "documents", "annotators")
SPLITS = ("train", "dev", "test")
SETTING = {
    **dict.fromkeys(("system", "corpus", "lm_text"), TEXT),
    "split": one_of(SPLITS),
    "units": one_of(("base-np", "words", "pairs", "trees", "lemmas")),
    "engine": one_of(("reference", "fast")),
    "max_length": number(1, whole=True),
    "templates": Kind("a text that is not empty", lambda one: TEXT.fits(one) and one.strip()),
    **dict.fromkeys(("scored_as_trained", "english"), FLAG),
    **dict.fromkeys(("parser", "learned_on", "learned_split", "choose_on"), TEXT),
    **dict.fromkeys(("documents", "annotators", "learned_trees", "goals"), number(1, whole=True)),
    GRID: listing(Kind("a number above 0", lambda value: NUMBER.fits(value) and value > 0), 1),
    RATES: listing(SCALAR),
    **dict.fromkeys(("pos", "deps"), number(0, 1)),
    "seed": WHOLE,
}
"""What any system's run may set, and what a floor is told; of a system, its ``Settings`` know."""

# --- specifications and records -------------------------------------------------------------------

PAPER = table(
    {
        **dict.fromkeys(("reference", "place", "claim", "condition", "data"), TEXT),
        "values": listing(table(each=SCALAR)),
        **dict.fromkeys(("also", "literature", "printed", "sentences"), listing(table(each=ANY))),
    },
    each=ANY,
)
LEGENDS = (
    "best, upper right, upper left, lower left, lower right, right, center left, center right, "
    "lower center, upper center, center"
).split(", ")
PLOT = {
    **dict.fromkeys(("kind", "x", "panels", "paper", "split"), TEXT),
    **dict.fromkeys(("y", "lines"), NAMES),
    **dict.fromkeys(("labels", "systems"), listing(TEXT, 1)),
    "log": FLAG,
    "legend": one_of(LEGENDS),
}
PLOT_NEEDS = {
    **dict.fromkeys(("lines", "power"), ("x", "y", "lines")),
    "bars": ("y", "labels"),
    **dict.fromkeys(("parses-by-length", "conditions", "trainings"), ("split",)),
    "groups": ("split", "lines"),
}
CLAIM = table(
    {
        **dict.fromkeys(("says", "on", "along", "better", "than", "paper"), TEXT),
        **dict.fromkeys(("order", "rises", "falls", "alike", "power", "same"), NAMES),
        **dict.fromkeys(("value", "within", "printed"), NUMBER),
        "p": number(0, 1),
        **dict.fromkeys(("ours", "fact"), FLAG),
    }
)
OPEN = table(each=ANY)
SPECIFICATION = table(
    {
        "title": TEXT,
        "measure": TEXT,
        "folds": number(2, whole=True),
        "seeds": number(2, whole=True),
        "paper": PAPER,
        **dict.fromkeys(("settings", "vary", "evaluate", "plot"), OPEN),
        "rows": listing(OPEN),
        "names": table(each=table(each=either(SCALAR, listing(SCALAR, 1)), minimum=1)),
        "claims": listing(CLAIM),
    },
    needed=("title", "measure"),
)
"""A specification, but for its settings: their names depend on what is installed."""

MEASURED = tuple(
    """
    bleu_cased bleu_13a_lc bleu_lc ms_per_sentence ms ms_median brevity exact_match timeouts
    no_goal precision recall f1 rate relation_f1 loss_sum epoch epoch_seconds training_seconds
    sentences words rules
    """.split()
)
ROWS = listing(
    table(
        {
            **dict.fromkeys(("split", "units", "engine"), either(NONE, TEXT)),  # "all" splits, say
            **dict.fromkeys(MEASURED, either(NONE, NUMBER)),
        },
        each=ANY,
    )
)
"""The rows of our measures; those of other packages call their columns as they like."""
RECORD = table(
    {
        **dict.fromkeys(("name", "specification", "title", "measure"), TEXT),
        **dict.fromkeys(("command", "date", "digest"), TEXT),
        "paper": PAPER,
        **dict.fromkeys(("data", "versions", "signatures"), table(each=TEXT)),
        "machine": table(
            {"cpu_count": either(NONE, WHOLE), **dict.fromkeys(("platform", "processor"), TEXT)},
            each=ANY,
        ),
        "code": table(
            {
                **dict.fromkeys(("commit", "checksum"), either(NONE, TEXT)),
                "entries": listing(TEXT),
                "outside": table(each=table(each=TEXT)),
            },
            each=ANY,
        ),
        "seconds": number(0),
        "full": FLAG,
        "load": either(NONE, NUMBER),
        "folds": table(each=OPEN),
        "rows": listing(OPEN),
        "sentence_scores": either(NONE, listing(either(NONE, OPEN))),
        **dict.fromkeys(
            ("apart", "causes", "comparisons", "distances", "examples", "fits"), listing(OPEN)
        ),
        **dict.fromkeys(("lengths", "pairs", "together"), listing(ANY)),
    },
    each=ANY,
    needed=("name", "rows", "specification"),
)
