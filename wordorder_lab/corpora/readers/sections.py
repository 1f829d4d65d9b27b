"""Treebanks that lie in numbered section folders, with the papers' splits.

The papers train on sections 02 to 21 and test on section 23. Liu et al. (2015) tune on section
22; Zhang and Clark (2011, 2015) say section 00, so the section is a parameter.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from wordorder_lab.corpora.readers.corpus import CorpusError, Part
from wordorder_lab.corpora.readers.files import AnyPath, data_roots
from wordorder_lab.structures.messages import cited

Readers = dict[str, Callable[[], Part]]
FileReader = Callable[[Sequence[AnyPath]], Part]


@dataclass(frozen=True, slots=True)
class Layout:
    """How a licensed treebank is named, where discs keep its sections, what its files end in.

    ``inside`` are folders that may hold the sections, ``suffixes`` in lower case (discs shout:
    ``WSJ_0001.MRG``), ``instead`` a corpus for those who have no licence.
    """

    what: str
    licence: str
    folder: str
    variable: str
    inside: tuple[str, ...]
    suffixes: tuple[str, ...]
    instead: str

    def files(self, folder: Path) -> list[Path]:
        """The files of a folder and of the folders in it, in order of their names."""
        return sorted(p for p in folder.rglob("*") if self.is_file(p))

    def is_file(self, path: Path) -> bool:
        """Whether a path is a file of this treebank's format, by its name."""
        return path.name.lower().endswith(self.suffixes) and path.is_file()

    def sections(self, folder: Path) -> dict[int, Path]:
        """The section folders ``00`` to ``24`` in ``folder`` or where the discs keep them."""
        for inside in self.inside:
            place = folder / inside
            if place.is_dir():
                named = [p for p in place.iterdir() if re.fullmatch(r"\d\d", p.name)]
                if sections := [path for path in named if self.files(path)]:
                    return {int(path.name): path for path in sections}
        return {}


def licensed(
    layout: Layout,
    read: FileReader,
    dev_section: int,
    data: str | os.PathLike[str] | None = None,
) -> Readers:
    """The treebank from the folder that the user names, with the papers' splits.

    Raises ``CorpusError`` where no such folder is known.
    """
    named = os.environ.get(layout.variable) if data is None else None
    name = layout.folder
    for root in [Path(named)] if named else data_roots(data):
        for folder in (root, root / name, root / "corpora" / name):
            if sections := layout.sections(folder):
                return by_section(layout, read, sections, dev_section, folder)
    raise CorpusError(
        f"{layout.what} is not here. It is licensed ({layout.licence}): give the path of its "
        f"folder of sections 00 to 24 as the corpus, or set ${layout.variable} to it, "
        f"or use {cited(layout.instead)}" + (f" (${layout.variable} is {named})" if named else "")
    )


def by_section(
    layout: Layout, read: FileReader, sections: dict[int, Path], dev_section: int, folder: Path
) -> Readers:
    """The papers' splits: train 02-21, dev ``dev_section``, test 23; each read when asked for."""

    def split(wanted: Iterable[int]) -> Part:
        if lacking := [f"{number:02}" for number in wanted if number not in sections]:
            raise CorpusError(f"{folder} has no section {', '.join(lacking)}: this split needs it")
        return read([path for number in wanted for path in layout.files(sections[number])])

    return {
        "train": partial(split, range(2, 22)),
        "dev": partial(split, [dev_section]),
        "test": partial(split, [23]),
    }
