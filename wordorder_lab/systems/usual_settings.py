"""Settings that many systems have, each with its help and its limits written once."""

from __future__ import annotations

from typing import Any, TypeVar

from wordorder_lab.structures.messages import MOST_EPOCHS, MOST_HYPOTHESES, MOST_ORDER
from wordorder_lab.systems.language_models import MOST_LM_WEIGHT
from wordorder_lab.systems.setting import setting

Length = TypeVar("Length", int, None)


def given(what: str, default: float) -> float:
    """``pos`` or ``deps``."""
    help = f"fraction of words whose {what} is given, 0 to 1"
    return setting(default, help, minimum=0, maximum=1, metavar="SHARE", parse=_fraction)


def _fraction(text: str) -> float:
    """A number; whole where it can be, so that 1 and 1.0 make the same model."""
    value = float(text)
    return int(value) if value in (0, 1) else value


def beam(default: int, where: str = "kept at each step", minimum: int = 1, **about: Any) -> int:
    """``beam``."""
    unbounded = "" if minimum else "; 0: no bound"
    help = f"hypotheses {where}{unbounded}"
    return setting(default, help, minimum=minimum, maximum=MOST_HYPOTHESES, metavar="N", **about)


def epochs(default: int) -> int:
    """``epochs``."""
    help = "how often training goes through the examples"
    return setting(default, help, minimum=1, maximum=MOST_EPOCHS, metavar="N")


def seed() -> int:
    """``seed``."""
    return setting(1, "decides what is left to chance", minimum=0, metavar="N")


def templates(default: str) -> str:
    """``templates``."""
    help = "which feature templates: a name, or a file of one's own, FILE.txt"
    return setting(default, help, metavar="NAME")


def shuffle(default: bool = False) -> bool:
    """``shuffle``."""
    return setting(default, "another order of the examples in every epoch")


def labels(default: bool, help: str = "learn the labels of arcs, too") -> bool:
    """``labels``."""
    return setting(default, help)


def order(default: Length, minimum: int = 1) -> Length:
    """``order`` of n-grams."""
    help = "words of the longest n-gram"
    return setting(default, help, minimum=minimum, maximum=MOST_ORDER, metavar="N")


def lm_order() -> int:
    """``lm_order``."""
    help = (
        "put n-grams of this order, learned from the sentences of the training, beside the "
        "features in the search (5, say; 0: none)"
    )
    return setting(0, help, minimum=0, maximum=MOST_ORDER, metavar="N")


def lm_weight(default: float, **about: Any) -> float:
    """``lm_weight``."""
    help = (
        "how much the log-probability of n-grams counts beside the features; may be changed after "
        "training (0: syntax alone)"
    )
    return setting(default, help, minimum=0, maximum=MOST_LM_WEIGHT, metavar="X", **about)


def lm_in_training() -> bool:
    """``lm_in_training``."""
    help = (
        "let the n-grams count while features are learned, too, each sentence with those of other "
        "folds"
    )
    return setting(False, help)


def folds(default: int = 5, maximum: int | None = None) -> int:
    """``folds``."""
    help = (
        "an example is learned with n-grams or forms that were counted in the other parts, of so "
        "many (1: in all)"
    )
    return setting(default, help, minimum=1, maximum=maximum, metavar="N")
