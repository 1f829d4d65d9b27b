"""The parts of a model file or checkpoint, looked at one by one before anything computes with them.

Kernels do not look where they read. So whoever loads a file asks here first that every array is of
one kind, one row and the right length, that numbers are in range, and texts are texts. Each check
raises ``ValueError`` with the name of the part; the caller adds the name of the file.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import pairwise
from typing import Any

import numpy as np

from wordorder_lab.structures.messages import cited

Json = dict[str, Any]
"""A table as JSON has it: the header of a model file, or a part of it."""
JsonView = Mapping[str, Any]
"""One that is only read."""
Arrays = Mapping[str, np.ndarray]

WRONG_PARTS = (
    LookupError,
    TypeError,
    ValueError,
    AttributeError,
    ArithmeticError,
    AssertionError,
    RecursionError,
    MemoryError,
)
"""What readers of a part may raise where it is not what they expect."""

LARGEST = 2**53
"""Whole numbers up to here are exact as floats, too. No count and no weight comes near it."""

BEYOND_REASON = 1e100
"""A weight that is larger is none: sums of such numbers would soon be infinite."""


def row(arrays: Mapping[str, np.ndarray], name: str, kind: type, length: int | None = None) -> Any:
    """An array of one dimension and exactly this kind, of this length if one is given. Raises
    ``ValueError`` where there is none."""
    if name not in arrays:
        raise ValueError(f"the array {cited(name)} is missing")
    array = arrays[name]
    if array.dtype != np.dtype(kind) or array.ndim != 1:
        wanted = np.dtype(kind).name
        raise ValueError(
            f"the array {cited(name)} is {array.dtype} of shape {array.shape}, not one row of "
            f"{wanted}"
        )
    if length is not None and len(array) != length:
        raise ValueError(f"the array {cited(name)} has {len(array)} numbers instead of {length}")
    return array


def exactly(arrays: Mapping[str, np.ndarray], names: Iterable[str]) -> Mapping[str, np.ndarray]:
    """The arrays, if they have just these names; ``ValueError`` where one lacks, or is too much."""
    wanted = set(names)
    for name in sorted(wanted ^ set(arrays)):
        what = "is missing" if name in wanted else "does not belong there"
        raise ValueError(f"the array {cited(name)} {what}")
    return arrays


def in_range(array: np.ndarray, name: str, least: float, most: float) -> None:
    """Raise ``ValueError`` for a number below ``least`` or above ``most``, and for what is none."""
    if not bool(((array >= least) & (array <= most)).all()):  # NaN is in no range
        raise ValueError(
            f"the array {cited(name)} has a number that is not from {least:g} to {most:g}"
        )


def ascending(array: np.ndarray, name: str) -> None:
    """Raise ``ValueError`` unless each number is above the one before."""
    if not bool((array[1:] > array[:-1]).all()):
        raise ValueError(f"the array {cited(name)} does not ascend")


def whole(value: object, name: str, least: int = 0, most: int = LARGEST) -> int:
    """A whole number in this range; ``ValueError`` for anything else."""
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise ValueError(f"{name} is not a whole number from {least} to {most}")
    return value


def number(value: object, name: str, most: float = BEYOND_REASON) -> float:
    """A number of at most this size; ``ValueError`` for anything else, NaN included."""
    if not isinstance(value, int | float) or isinstance(value, bool) or not abs(value) <= most:
        raise ValueError(f"{name} is not a number from {-most:g} to {most:g}")
    return float(value)


def rows(value: object, name: str) -> list[Any]:
    """A list; ``ValueError`` for anything else."""
    if not isinstance(value, list | tuple):
        raise ValueError(f"{name} is not a list")
    return list(value)


def texts(value: object, name: str) -> tuple[str, ...]:
    """A list of texts; ``ValueError`` for anything else."""
    found = rows(value, name)
    if not all(isinstance(text, str) for text in found):
        raise ValueError(f"{name} is not a list of texts")
    return tuple(found)


def sorted_texts(value: object, name: str) -> tuple[str, ...]:
    """A list of texts in order, each once; ``ValueError`` for anything else."""
    checked = texts(value, name)
    if not all(one < other for one, other in pairwise(checked)):
        raise ValueError(f"{name} is not a sorted list in which each text stands once")
    return checked
