"""The house rules as tables, and the readers of source code that apply them.

Change a rule here, in its table; ``test_repository.py`` asks every file of the project.
"""

from __future__ import annotations

import ast
import re
import shutil
import subprocess
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

import networkx

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = "wordorder_lab"
GENERATORS = ("data/gazette_generator/", "data/storybook_")
"""The grammars that write sentences: no part of the package, and under the same rules."""

# --- the rules ------------------------------------------------------------------------------

PLUMBING = {"structures", "runtime", "corpora", "metrics", "models", "trace"}
COMMAND_LINE = {"cli", "commands"}
UPSTAIRS = {"systems", "analysis", "experiments", "exploring", "widgets", "plots", "check"}
FOLDERS = {file.parent.name for file in (ROOT / PACKAGE).glob("*/__init__.py")}
SLICES = FOLDERS - PLUMBING - COMMAND_LINE - UPSTAIRS
"""One folder a family of search: a new folder is a slice, and has its name in no table."""
SCIENCE = PLUMBING | SLICES
ROOMS = SCIENCE | COMMAND_LINE | UPSTAIRS | {PACKAGE}
"""The front door, ``import wordorder_lab``, goes by the package's own name."""

# Who may import what, beside itself. A folder or top-level file that is missing here is refused.
MAY_IMPORT: dict[str, set[str]] = {
    "structures": set(),
    "runtime": {"structures"},
    **{room: {"structures", "runtime"} for room in ("corpora", "metrics", "models", "trace")},
    "gazette_generator": {"structures", "runtime", "corpora"},
    **{room: {"structures"} for room in ("storybook_generator", "storybook_words")},
    **{room: {"structures", "runtime", "models"} for room in SLICES},
    "systems": SCIENCE,
    "analysis": SCIENCE | {"systems"},
    "experiments": SCIENCE | {"systems", "analysis"},
    "widgets": {"structures", "runtime", "trace"},
    "exploring": SCIENCE | {"systems", "analysis", "experiments", "widgets"},
    "plots": {"experiments"},
    "check": ROOMS - COMMAND_LINE,
    "commands": ROOMS,
    "cli": ROOMS,
    "__main__": ROOMS,
    "__init__": ROOMS - COMMAND_LINE,
}

# Nowhere: what changes the order of additions, and what runs code that came in as data.
NEVER_SET = {"fastmath", "parallel", "allow_pickle"}
NEVER_IMPORTED = {"pickle", "cPickle", "dill", "cloudpickle", "shelve", "marshal", "torch"}
NEVER_USED = {"eval", "exec", "numba.prange", "nb.prange", "joblib.load", "joblib.dump"}

# Not where scores are added (slices and kernels), as a function or as a method: each of these adds
# in an order of its own.
NOT_ON_SCORES = {"sum", "fsum", "nansum", "dot", "vdot", "inner", "einsum", "matmul"}
WHOLE_NUMBERS = {"counts", "lengths", "rooms", "sizes"}  # may be summed: any order, the same bits

FILE_LINES = 600
FUNCTION_LINES, MAIN_LOOP_LINES = 40, 70  # without docstring; not in *_fast.py

TOLD_ELSEWHERE = {f"{PACKAGE}/structures/trace.py"}
"""Files whose methods are told about elsewhere: what an event says stands in trace/events.py."""

MARKS = ("*paper silent*", "*text against figure*", "*our reading*")
"""Each point of a ``Differences`` note has one of these: the paper does not say; two places of it
contradict each other, or one is misprinted; it says something, and this is how we take it, or where
we go another way."""

MAX_BYTES, OF_RECORDS = 1_500_000, 4_500_000
"""Of any file; of a record, which keeps the scores of each sentence, after each training."""
OURS = "data/gazette/"
"""A corpus of our own; its CoNLL-U and .auto files may be larger."""
NAMED_AFTER_PAPERS = re.compile(
    r"[a-z]+(_[a-z]+)*_(19|20)\d\d(_[a-z0-9]+)*\.(txt|toml)|"
    r"(lm_and_syntax(_on_ewt|_in_10_folds)?|error_analysis|joint_inflection|labels|"
    r"training_(seeds|budget)|inflection_languages|domain_learning)\.toml"
)
"""Those at the end ask what no paper's table asks."""
# In pieces, so that this file does not contain what it looks for.
NOT_IN_TEXT = re.compile(
    r"(?<![\w.\-~})<>])/(?:work|root|home)(?![\w-])|\.libra"
    + r"ry/|(?:pypi|pythonhosted|anaconda|npmjs)\.org"
)
TEXT = {".py", ".md", ".toml", ".txt", ".yml", ".yaml", ".lock", ".json", ".ipynb", ".js", ".html"}

# --- what they look at ----------------------------------------------------------------------


def files() -> list[Path]:
    """Every file of the project that is, or is about to be, under version control."""
    if (ROOT / ".git").exists() and shutil.which("git"):
        command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
        listing = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        paths = [ROOT / name for name in listing.stdout.split("\0") if name]
        if paths:
            return sorted({path for path in paths if path.is_file()})
    skip = re.compile(r"(\.(venv|git|.*_cache|hypothesis)|build|__pycache__|.*\.egg-info)$")
    found = (path for path in ROOT.rglob("*") if path.is_file())
    return sorted(f for f in found if not any(map(skip.match, f.relative_to(ROOT).parts)))


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


FILES = {name_of(path): path for path in files()}
SOURCES = {
    name: ast.parse(path.read_text(encoding="utf-8"), name)
    for name, path in FILES.items()
    if name.startswith((f"{PACKAGE}/", *GENERATORS)) and name.endswith(".py")
}


def layer(name: str) -> str:
    """The folder of a source file, or its stem where it lies beside the folders."""
    return name.removesuffix(".py").split("/")[1]


def imports(name: str, tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Line and full dotted name of everything that is imported, anywhere in the file."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            up = name.split("/")[: -node.level] if node.level else []
            base = ".".join(up + ([node.module] if node.module else []))
            yield from ((node.lineno, f"{base}.{alias.name}") for alias in node.names)


def functions(tree: ast.AST) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Every function and method of a file, nested ones too."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def body_lines(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    body = function.body[1:] if ast.get_docstring(function) is not None else function.body
    return (function.end_lineno or 0) - body[0].lineno + 1 if body else 0


def dotted(node: ast.AST) -> str:
    """``"np.sum"`` for the expression np.sum; what is not a name is left out: ``".sum"``."""
    if isinstance(node, ast.Attribute):
        return f"{dotted(node.value)}.{node.attr}"
    return node.id if isinstance(node, ast.Name) else ""


# --- the rules applied: each takes a file's name and tree, and yields (line, what is wrong) ------


def wrong_imports(name: str, tree: ast.AST) -> Iterator[tuple[int, str]]:
    here = layer(name)
    if here not in MAY_IMPORT:
        yield 1, f"{here} has no row in MAY_IMPORT"
        return
    for line, module in imports(name, tree):
        parts = module.split(".")
        if parts[0] != PACKAGE:
            continue
        there = parts[1] if len(parts) > 1 and parts[1] in ROOMS else PACKAGE
        if there != here and there not in MAY_IMPORT[here]:
            yield line, f"{here} may not import {there} ({module})"


def circles(trees: Mapping[str, ast.AST], of: Callable[[str], str]) -> list[list[str]]:
    """Which modules import each other in a circle, or which folders: ``of`` says what to look at.

    An import inside a function or under TYPE_CHECKING counts like any other.
    """
    modules = {
        name.removeprefix("data/").removesuffix(".py").replace("/", "."): name for name in trees
    }
    modules = {module.removesuffix(".__init__"): name for module, name in modules.items()}
    arrows = networkx.DiGraph()
    for name, tree in trees.items():
        for _, target in imports(name, tree):
            module = target if target in modules else target.rpartition(".")[0]
            if module in modules and of(modules[module]) != of(name):
                arrows.add_edge(of(name), of(modules[module]))
    found = networkx.strongly_connected_components(arrows)
    return sorted(sorted(circle) for circle in found if len(circle) > 1)


def folder(name: str) -> str:
    """The folder of a source file."""
    return name.rpartition("/")[0]


def without_twin(names: Iterable[str]) -> Iterator[str]:
    """Fast files beside which no reference of the same name stands."""
    names = set(names)
    for name in sorted(names):
        if name.endswith("_fast.py") and name.replace("_fast.py", ".py") not in names:
            yield name


def wrong_numba(name: str, tree: ast.AST) -> Iterator[tuple[int, str]]:
    fast = name.endswith("_fast.py")
    twin = name.removesuffix("_fast.py").replace("/", ".")
    for line, module in imports(name, tree):
        if not fast and module.split(".")[0] in {"numba", "llvmlite"}:
            yield line, f"{module} is imported: numba belongs in a *_fast.py"
        if fast and (module == twin or module.startswith(f"{twin}.")):
            yield line, "a fast file never imports its twin: share data"
    if name == f"{PACKAGE}/runtime/kernel_fast.py":
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute | ast.Name) and dotted(node) in {"numba.njit", "njit"}:
            yield node.lineno, "njit misses what changes in other files: use @kernel"


def wrong_calls(name: str, tree: ast.AST) -> Iterator[tuple[int, str]]:
    for line, module in imports(name, tree):
        if module.split(".")[0] in NEVER_IMPORTED or module in NEVER_USED:
            yield line, f"{module} is imported"
    for node in ast.walk(tree):
        if isinstance(node, ast.keyword) and node.arg in NEVER_SET:
            if not (isinstance(node.value, ast.Constant) and node.value.value is False):
                yield node.value.lineno, f"{node.arg} is never set"
        elif isinstance(node, ast.Attribute) and dotted(node) in NEVER_USED:
            yield node.lineno, f"{dotted(node)} is never used"
        elif isinstance(node, ast.Name) and node.id in NEVER_USED:
            yield node.lineno, f"{node.id} is never used"


def wrong_additions(name: str, tree: ast.AST) -> Iterator[tuple[int, str]]:
    if layer(name) not in SLICES and not name.endswith("_fast.py"):
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            called = dotted(node.func)
            *_, array, method = f"..{called}".split(".")
            if method in NOT_ON_SCORES and not (method == "sum" and array in WHOLE_NUMBERS):
                yield node.lineno, f"{called}(): add left to right with +=, or see WHOLE_NUMBERS"
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
            yield node.lineno, "@: add left to right with +="


def wrong_sizes(name: str, tree: ast.Module) -> Iterator[tuple[int, str]]:
    last = max((getattr(node, "end_lineno", 0) for node in tree.body), default=0)
    if last > FILE_LINES:
        yield last, f"{last} lines; {FILE_LINES} are the most"
    if name.endswith("_fast.py"):
        return
    long = [f for f in functions(tree) if body_lines(f) > FUNCTION_LINES]
    main_loops = 1 if layer(name) in SLICES else 0
    for i, f in enumerate(sorted(long, key=body_lines, reverse=True)):
        limit = MAIN_LOOP_LINES if i < main_loops else FUNCTION_LINES
        if body_lines(f) > limit:
            yield f.lineno, f"{f.name} has {body_lines(f)} lines; {limit} are the most"


def wrong_docstrings(name: str, tree: ast.Module) -> Iterator[tuple[int, str]]:
    if ast.get_docstring(tree) is None:
        yield 1, "the file has no docstring"
    if name in TOLD_ELSEWHERE:
        return
    todo: list[ast.Module | ast.ClassDef] = [tree]
    while todo:
        for node in todo.pop().body:
            if not isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                continue
            if node.name.startswith("_"):
                continue
            if ast.get_docstring(node) is None:
                yield node.lineno, f"{node.name} is public and has no docstring"
            if isinstance(node, ast.ClassDef):
                todo.append(node)


def wrong_differences(name: str, tree: ast.Module) -> Iterator[tuple[int, str]]:
    """A note ends the docstring: its heading on a line alone, then points with one mark each."""
    _, heading, note = (ast.get_docstring(tree) or "").partition("\nDifferences")
    if not heading:
        return
    first, *points = note.split("\n- ")
    if first or not points:
        yield 1, "Differences is a heading on its own line, and points follow, a hyphen before each"
    for point in points:
        if sum(point.lower().count(mark) for mark in MARKS) != 1:
            yield 1, f"just one of {', '.join(MARKS)} belongs into the point {point[:40]!r}"
        if re.search(r"\n(?!  )", point):
            yield 1, f"the note ends the docstring, its lines indented: {point[:40]!r}"


RULES = [
    wrong_imports,
    wrong_numba,
    wrong_calls,
    wrong_additions,
    wrong_sizes,
    wrong_docstrings,
    wrong_differences,
]
