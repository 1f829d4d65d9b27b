"""Our own files: where the package lies, and whether all of it is there."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

from wordorder_lab.commands.doctor.finding import BROKEN, FINE, OTHER, Finding
from wordorder_lab.structures.version import VERSION

ABOUT = "The package"
NAME = "wordorder-lab"
PACKAGE = Path(__file__).parents[2]
KINDS = {
    "templates": "*/tables/**/*.txt",
    "specifications": "experiments/papers/*.toml",
    "records": "experiments/records/*.json",
    "scripts of players": "widgets/views/*/*.js",
}
"""What is no Python, and gets lost when a package is made without care."""


def package() -> Iterator[Finding]:
    """Where it is, under which version it was installed, and what is in it beside Python."""
    checkout = (PACKAGE.parent / "pyproject.toml").exists()
    yield Finding(ABOUT, NAME, FINE, f"{'a checkout, ' if checkout else ''}{PACKAGE}")
    yield from _installation()
    yield from contents(PACKAGE)


def _installation() -> Iterator[Finding]:
    """What pip knows of it: another version is that of an older checkout; files may be gone."""
    try:
        distribution = metadata.distribution(NAME)
    except metadata.PackageNotFoundError:
        advice = "where the command is wanted, too: python -m pip install --editable ."
        yield Finding(ABOUT, "installed", OTHER, "not by pip: it runs from its folder", advice)
        return
    again = "install it again: python -m pip install --force-reinstall --no-deps wordorder-lab"
    if distribution.version != VERSION:
        said = f"pip knows {distribution.version}, and this is {VERSION}"
        yield Finding(ABOUT, "installed", OTHER, said, again)
    files = [file for file in distribution.files or [] if not str(file).startswith("..")]
    gone = [
        str(file)
        for file in files
        if file.suffix != ".pyc" and not Path(str(file.locate())).exists()
    ]
    if gone:
        said = f"{len(gone)} of {len(files)} files are gone, the first {gone[0]}"
        yield Finding(ABOUT, "installed", BROKEN, said, again)
    elif distribution.version == VERSION:
        yield Finding(ABOUT, "installed", FINE, f"by pip, {len(files)} files")


def contents(folder: Path) -> Iterator[Finding]:
    """How many there are of each kind of file that is no Python."""
    number = {kind: len(list(folder.glob(pattern))) for kind, pattern in KINDS.items()}
    places = (folder / "corpora" / "gazette_data", folder.parent / "data" / "gazette")
    number["files of the Gazette"] = sum(len(list(place.glob("*.*"))) for place in places)
    if lost := [kind for kind, files in number.items() if not files]:
        advice = "this is no whole package: install it again from a wheel or a fresh clone"
        yield Finding(ABOUT, "contents", BROKEN, f"no {', no '.join(lost)}", advice)
    else:
        said = ", ".join(f"{files} {kind}" for kind, files in number.items())
        yield Finding(ABOUT, "contents", FINE, said)
