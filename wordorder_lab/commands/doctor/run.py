"""``wordorder-lab doctor``: looks at each thing in turn, prints all, and says if it will do.

The exit code is 0 unless something is broken that every command needs; then it is 1. What cannot be
looked at because a library is missing is passed over: the doctor must not need what it looks for.

``locked.txt`` has what ``requirements.lock`` says, a library a line: name, version, who needs it
(``run`` for every command, ``lab`` for notebooks, ``test`` for the tests), and ``direct`` where we
import it ourselves. What only some systems need is left out, and what only builds the package.
"""

from __future__ import annotations

import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from argparse import Namespace
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import cache, partial
from importlib import import_module, metadata
from importlib.util import find_spec
from pathlib import Path
from subprocess import DEVNULL
from textwrap import TextWrapper
from typing import NamedTuple

from wordorder_lab.commands.doctor import BROKEN, FINE, MISSING, OTHER, Finding
from wordorder_lab.commands.doctor.other_packages import other_packages
from wordorder_lab.commands.output import STDOUT, check_json
from wordorder_lab.runtime.atomic import replacing
from wordorder_lab.runtime.user_cache import user_cache, writable_cache
from wordorder_lab.structures.messages import brief
from wordorder_lab.structures.version import VERSION

NAME = "wordorder-lab"
PACKAGE = Path(__file__).parents[2]
KINDS = {
    "templates": "*/tables/**/*.txt",
    "specifications": "experiments/papers/*.toml",
    "records": "experiments/records/*.json",
    "scripts of players": "widgets/views/*/*.js",
    "pages": "*/pages/*",
}
"""What is no Python, and gets lost when a package is made without care."""
LOCKED = Path(__file__).with_name("locked.txt")
OLDEST = (3, 11)
EXTRAS = {"lab": "notebooks", "test": "tests, cluster"}
"""What those sections of the lock are for that the commands do without."""
SHOWN = 5
"""So many names stand in a line of a summary."""
PATIENCE = 20
"""Seconds that a browser has to say its version."""
GIB = 2**30
LITTLE_DISK = GIB
"""Below this much free space we say so: kernels, models and pages are kept."""
LIMITS = "/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"
"""Where Linux says how much memory a container may take."""
WIDTH, LEFT = 100, 33
AGAIN = "install it again: python -m pip install --force-reinstall --no-deps wordorder-lab"


def run(arguments: Namespace) -> int:
    """Print what was found; ``ValueError`` or ``OSError`` for a ``--json`` nobody can write."""
    check_json(arguments.json)
    found = {about: list(examined(part)) for about, part in PARTS.items()}
    rows = [{"about": about, **one._asdict()} for about, some in found.items() for one in some]
    broken = any(row["state"] == BROKEN for row in rows)
    text = json.dumps({"version": VERSION, "healthy": not broken, "findings": rows}, indent=1)
    print(text if arguments.json == STDOUT else "\n".join(lines(found)))
    if arguments.json not in (None, STDOUT):
        with replacing(arguments.json) as part:
            part.write_text(f"{text}\n", encoding="utf-8")
        print(f"wrote {arguments.json}")
    return int(broken)


def examined(part: Callable[[], Iterator[Finding]]) -> Iterator[Finding]:
    """The findings of a part, up to where a library is missing or a file cannot be read."""
    try:
        yield from part()
    except (ImportError, OSError) as error:
        advice = "see to what is broken first, then ask the doctor again"
        yield Finding(part.__name__, MISSING, f"not looked at: {error}", advice)


def lines(found: dict[str, list[Finding]]) -> list[str]:
    """The report as people read it: a heading each part, a line each thing, what to do below it."""
    report, margin = [f"{NAME} {VERSION}"], " " * LEFT
    wrapper = TextWrapper(
        WIDTH, margin, f"{margin}   ", break_long_words=False, break_on_hyphens=False
    )
    for about, findings in found.items():
        report += ["", about] if findings else []
        for one in findings:
            report.append(f"  {one.state:<9}{one.name:<22}{one.found}")
            report += wrapper.wrap(f"-> {one.advice}") if one.advice else []
    number = Counter(one.state for findings in found.values() for one in findings)
    first = "All that is needed is here."
    if number[BROKEN]:
        first = f"Broken: {number[BROKEN]}, and nothing goes on without it."
    counted = {MISSING: "missing, which only some commands need", OTHER: "other than usual"}
    parts = [f"{number[state]} {what}" for state, what in counted.items() if number[state]]
    return [*report, "", f"{first} {'; '.join([*parts, f'{number[FINE]} fine'])}."]


# --- Our own files: where the package lies, and whether all of it is there


def package() -> Iterator[Finding]:
    """Where it is, under which version it was installed, and what is in it beside Python."""
    checkout = (PACKAGE.parent / "pyproject.toml").exists()
    yield Finding(NAME, FINE, f"{'a checkout, ' if checkout else ''}{PACKAGE}")
    yield from _installation()
    yield contents(PACKAGE)
    yield own_words()


def own_words() -> Finding:
    """The models that come along, of what they were made, and their licence."""
    from wordorder_lab.systems.everyday import FILES, FOLDER, SOURCES, model_for

    try:
        made_of = json.loads(SOURCES.read_text(encoding="utf-8"))
        for task in FILES:
            model_for(task)
    except (OSError, ValueError) as error:
        return Finding("everyday", BROKEN, brief(error), AGAIN)
    size = f"{sum(made_of['bytes'].values()) / 1e6:.1f} MB of {made_of['sentences']:,} sentences"
    what = f"models to order, realize, shorten and parse own words, {size}"
    return Finding("everyday", FINE, f"{what}; CC BY-SA 4.0, see {FOLDER}")


def _installation() -> Iterator[Finding]:
    """What pip knows of it: another version is that of an older checkout; files may be gone."""
    try:
        distribution = metadata.distribution(NAME)
    except metadata.PackageNotFoundError:
        advice = "where the command is wanted, too: python -m pip install --editable ."
        yield Finding("installed", OTHER, "not by pip: it runs from its folder", advice)
        return
    same = distribution.version == VERSION
    if not same:
        found = f"pip knows {distribution.version}, and this is {VERSION}"
        yield Finding("installed", OTHER, found, AGAIN)
    files = [file for file in distribution.files or [] if not str(file).startswith("..")]
    kept = [file for file in files if file.suffix != ".pyc"]
    if gone := [file for file in kept if not Path(str(file.locate())).exists()]:
        found = f"{len(gone)} of {len(files)} files are gone, the first {gone[0]}"
        yield Finding("installed", BROKEN, found, AGAIN)
    elif same:
        yield Finding("installed", FINE, f"by pip, {len(files)} files")


def contents(folder: Path) -> Finding:
    """How many there are of each kind of file that is no Python."""
    number = {kind: len(list(folder.glob(pattern))) for kind, pattern in KINDS.items()}
    places = (folder / "corpora" / "gazette_data", folder.parent / "data" / "gazette")
    number["files of the Gazette"] = sum(len(list(place.glob("*.*"))) for place in places)
    if lost := [kind for kind, files in number.items() if not files]:
        advice = "this is no whole package: install it again from a wheel or a fresh clone"
        return Finding("contents", BROKEN, f"no {', no '.join(lost)}", advice)
    return Finding("contents", FINE, ", ".join(f"{files} {kind}" for kind, files in number.items()))


# --- Python, and the libraries beside those of the lock


class Locked(NamedTuple):
    """A line of ``locked.txt``."""

    name: str
    version: str
    section: str
    direct: bool


@cache
def locked() -> tuple[Locked, ...]:
    """What the lock has."""
    rows = [line.split() for line in LOCKED.read_text(encoding="utf-8").splitlines()]
    return tuple(Locked(row[0], row[1], row[2], "direct" in row) for row in rows)


def libraries() -> Iterator[Finding]:
    """Python; each library that we import; then what they need; then what notebooks need."""
    yield python(sys.version_info[:2])
    ours = [row for row in locked() if row.section == "run"]
    yield from (library(row) for row in ours if row.direct)
    yield several("what these need", [row for row in ours if not row.direct])
    for section, name in EXTRAS.items():
        yield several(name, [row for row in locked() if row.section == section], extra=section)


def python(version: tuple[int, ...]) -> Finding:
    """Is it new enough?"""
    full = f"{platform.python_version()}, {sys.executable}"
    if version >= OLDEST:
        return Finding("Python", FINE, full)
    advice = f"install Python {'.'.join(map(str, OLDEST))} or newer and set up again with it"
    return Finding("Python", BROKEN, full, advice)


def library(row: Locked) -> Finding:
    """One that we import: it must be here and let itself be imported."""
    here, get = installed(row.name), f"python -m pip install {row.name}=={row.version}"
    if here is None:
        return Finding(row.name, BROKEN, "not installed", get)
    try:
        import_module(row.name)
    except Exception as error:  # whatever a damaged library says
        found = f"{here}, but it cannot be imported: {error}"
        return Finding(row.name, BROKEN, found, f"{get} --force-reinstall")
    if here != row.version:
        found = f"{here}; the lock, with which everything is tested, has {row.version}"
        return Finding(row.name, OTHER, found, f"if results differ from ours: {get}")
    return Finding(row.name, FINE, here)


def several(name: str, rows: Sequence[Locked], extra: str = "") -> Finding:
    """Which are not here, or of another version; commands do without those of an ``extra``."""
    here = {row.name: installed(row.name) for row in rows}
    absent = [row for row in rows if here[row.name] is None]
    other = [row for row in rows if here[row.name] not in (None, row.version)]
    counted = [f"{len(rows) - len(absent)} of {len(rows)} installed"]
    counted += [f"not here: {_few(absent)}"] if absent else []
    counted += [f"other than the lock: {_few(other)}"] if other else []
    state = (MISSING if extra else BROKEN) if absent else OTHER if other else FINE
    exact = " ".join(f"{row.name}=={row.version}" for row in [*absent, *other])
    wanted = f"'wordorder-lab[{extra}]'" if absent and extra else exact
    advice = f"python -m pip install {wanted}" if wanted else ""
    return Finding(name, state, "; ".join(counted), advice)


def installed(name: str) -> str | None:
    """The version that is installed; ``None`` if none is."""
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def _few(rows: Sequence[Locked]) -> str:
    more = f" and {len(rows) - SHOWN} more" if len(rows) > SHOWN else ""
    return ", ".join(row.name for row in rows[:SHOWN]) + more


# --- What comes from elsewhere: corpora, which belong to others, and a browser to measure pages in


def corpora() -> Iterator[Finding]:
    """Each corpus, with the place where it is or the command that gets it."""
    from wordorder_lab.commands.corpora import every_corpus, found_row
    from wordorder_lab.corpora.plain_text import BROWN
    from wordorder_lab.corpora.readers.files import find_nltk

    words = "NLTK's Brown Corpus, plain text for --lm-text"
    for row in [*every_corpus(), found_row(BROWN, words, partial(find_nltk, inside=""))]:
        if row["found"]:
            yield Finding(row["name"], FINE, row["where"].removeprefix("found: "))
        else:
            yield Finding(row["name"], MISSING, row["what"], row["where"].rstrip("."))
    yield _english_forms()


def _english_forms() -> Finding:
    from wordorder_lab.corpora.inflection_lists import FOLDER, GET
    from wordorder_lab.corpora.readers.files import data_roots

    for root in data_roots():
        if (root / FOLDER).is_dir():
            return Finding("forms of English", FINE, str(root / FOLDER))
    found = "lists for realization; train --no-english does without"
    return Finding("forms of English", MISSING, found, f"Get it with: {GET}")


def browser() -> Iterator[Finding]:
    """Chromium and the library that drives it. Pages themselves open in any browser."""
    from wordorder_lab.commands.bench_players import BROWSERS, find_browser

    needs = "for bench --players and the tests of pages only"
    program = find_browser()
    if program is None:
        advice = "install Chromium, or name a browser of its kind in $WORDORDER_LAB_BROWSER"
        yield Finding("Chromium", MISSING, f"none of {', '.join(BROWSERS)}; {needs}", advice)
    else:
        asked = [program, "--version"]
        try:
            version = subprocess.check_output(asked, text=True, timeout=PATIENCE, stderr=DEVNULL)
            yield Finding("Chromium", FINE, f"{version.strip()}, {program}")
        except (OSError, subprocess.SubprocessError):
            advice = "name another one in $WORDORDER_LAB_BROWSER"
            yield Finding("Chromium", MISSING, f"{program} does not start", advice)
    if find_spec("playwright") is None:
        advice = "python -m pip install playwright"
        yield Finding("playwright", MISSING, f"drives it; {needs}", advice)
    else:
        yield Finding("playwright", FINE, "drives it")


# --- What is kept between two commands: compiled kernels, the Gazette, derivations, parsers


def caches() -> Iterator[Finding]:
    """The user's cache with what is in it, and the folder of the compiled kernels."""
    yield own_cache()
    yield _kernels()


def own_cache() -> Finding:
    """Where corpora and models are kept that were made once, and how large all of it is."""
    advice = "name a folder that can be written in $XDG_CACHE_HOME, or all is made anew each time"
    try:
        usual = user_cache()
    except RuntimeError:
        return Finding("cache", OTHER, "none: you have no home folder", advice)
    if writable_cache() != usual:
        return Finding("cache", OTHER, f"{usual} cannot be written", advice)
    parts = {entry.name: _size(entry) for entry in usual.iterdir()}
    largest = sorted(parts, key=lambda name: (-parts[name], name))[:3]
    inside = ", ".join(f"{name} {_mib(parts[name])}" for name in largest)
    total = _mib(sum(parts.values()))
    return Finding("cache", FINE, f"{usual}, {total}" + (f": {inside}" if inside else ""))


def _kernels() -> Finding:
    """Kernels that are kept are compiled once, others by every process."""
    from wordorder_lab.runtime.kernel_fast import cache_folder, shared_folder

    name = "compiled kernels"
    if os.environ.get("NUMBA_DISABLE_JIT", "0") != "0":
        found = "$NUMBA_DISABLE_JIT is set: the fast engine runs as plain Python"
        return Finding(name, OTHER, found, "unset it")
    folder = shared_folder()
    if folder is None:
        found = f"nowhere to keep them but {cache_folder()}, which goes with this process"
        advice = "name a folder that can be written in $NUMBA_CACHE_DIR, or each process compiles"
        return Finding(name, OTHER, found, advice)
    number = len(list(folder.rglob("*.nbc")))
    return Finding(name, FINE, f"{folder}, {number} kept, {_mib(_size(folder))}")


def _size(path: Path) -> int:
    """Bytes of a file, or of all files below a folder; what vanishes meanwhile counts nothing."""
    total = 0
    for file in [path, *path.rglob("*")]:
        with suppress(OSError):
            total += file.stat().st_size if file.is_file() else 0
    return total


def _mib(number: int) -> str:
    return f"{number / 2**20:,.1f} MiB"


# --- How many cores and how much memory and disk there is for what we do


def machine() -> Iterator[Finding]:
    """System, cores, memory, and space where files are written while work goes on."""
    yield Finding("system", FINE, platform.platform())
    yield Finding("cores", FINE, _cores())
    yield Finding("memory", FINE, _memory())
    yield _temporary_files()


def _cores() -> str:
    every = os.cpu_count() or 1
    ours = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else every
    found = f"{ours}" if ours == every else f"{ours} of {every}"
    return f"{found}; --jobs {ours} uses them" if ours > 1 else found


def _memory() -> str:
    """What is built in, and what a container leaves of it."""
    try:
        whole = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):
        return "this system does not say"
    allowed = whole
    for path in LIMITS:
        with suppress(OSError, ValueError):  # no container, or "max"
            allowed = min(allowed, int(Path(path).read_text()) or whole)
    found = f"{whole / GIB:.1f} GiB"
    return found if allowed == whole else f"{found}, of which {allowed / GIB:.1f} may be taken"


def _temporary_files() -> Finding:
    name = "temporary files"
    try:
        folder = tempfile.gettempdir()
        tempfile.TemporaryFile(dir=folder).close()
    except OSError as error:
        return Finding(name, BROKEN, str(error), "name a folder that can be written in $TMPDIR")
    free = shutil.disk_usage(folder).free
    found = f"{folder}, {free / GIB:.1f} GiB free"
    if free < LITTLE_DISK:
        return Finding(name, OTHER, found, "make room there")
    return Finding(name, FINE, found)


PARTS: dict[str, Callable[[], Iterator[Finding]]] = {
    "The package": package,
    "Python and libraries": libraries,
    "Other packages": other_packages,
    "Corpora": corpora,
    "Browser": browser,
    "Cache": caches,
    "Machine": machine,
}
"""What is looked at, by its heading in the report."""
