"""The house rules, one test each; their tables stand at the top of ``house_rules.py``.

A rule that never fires is no rule, so ``BROKEN`` holds snippets that break each of them.
"""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys

import pytest
from house_rules import (
    FILES,
    MAX_BYTES,
    NAMED_AFTER_PAPERS,
    NOT_IN_TEXT,
    OF_RECORDS,
    OURS,
    PACKAGE,
    ROOT,
    RULES,
    SOURCES,
    TEXT,
    circles,
    folder,
    functions,
    without_twin,
    wrong_additions,
    wrong_calls,
    wrong_differences,
    wrong_docstrings,
    wrong_imports,
    wrong_numba,
    wrong_sizes,
)

# A file's name, what it might say, and the rule that must notice.
BROKEN = [
    ("structures/a.py", "from wordorder_lab.models import linear", wrong_imports),
    ("transition/a.py", "def f():\n    from ..trace.log import EventLog", wrong_imports),
    ("transition/a.py", "import wordorder_lab as wl", wrong_imports),
    ("widgets/a.py", "from wordorder_lab import transition", wrong_imports),
    ("transition/a.py", "from wordorder_lab.best_first import edge", wrong_imports),
    ("models/a.py", "if TYPE_CHECKING:\n    import wordorder_lab.transition.beam", wrong_imports),
    ("helpers/a.py", "", wrong_imports),
    ("transition/a.py", "from numba import njit", wrong_numba),
    ("transition/a_fast.py", "from wordorder_lab.transition.a import f", wrong_numba),
    ("transition/a_fast.py", "from . import a", wrong_numba),
    ("transition/a_fast.py", "@numba.njit(cache=True)\ndef f(): ...", wrong_numba),
    ("transition/a_fast.py", "@njit(cache=True, fastmath=True)\ndef f(): ...", wrong_calls),
    ("best_first/a_fast.py", "@njit(parallel=True)\ndef f(): ...", wrong_calls),
    ("best_first/a_fast.py", "from numba import prange", wrong_calls),
    ("models/a.py", "import pickle", wrong_calls),
    ("models/a.py", "from joblib import load", wrong_calls),
    ("models/a.py", "x = np.load(f, allow_pickle=True)", wrong_calls),
    ("transduction/a.py", "eval('1')", wrong_calls),
    ("transition/a.py", "s = sum(scores)", wrong_additions),
    ("transduction/a.py", "s = numpy.dot(a, b)", wrong_additions),
    ("models/a_fast.py", "s = weights[rows].sum()", wrong_additions),
    ("transition/a.py", "s = a @ b", wrong_additions),
    ("cli.py", "x = 1\n" * 601, wrong_sizes),
    ("metrics/a.py", "def f():\n" + "    x = 1\n" * 41, wrong_sizes),
    ("transition/a.py", "def f():\n" + "    x = 1\n" * 71, wrong_sizes),
    ("transition/a.py", ("def f():\n" + "    x = 1\n" * 41) * 2, wrong_sizes),
    ("metrics/a.py", "x = 1", wrong_docstrings),
    ("metrics/a.py", "'x'\nclass A:\n    'x'\n    def f(self): ...", wrong_docstrings),
    ("models/a.py", "'a\\n\\nDifferences. We do it so.'", wrong_differences),
    ("models/a.py", "'a\\n\\nDifferences\\n- *Our reading*: b.\\n- c.'", wrong_differences),
    ("models/a.py", "'a\\n\\nDifferences\\n- *Our reading*: b.\\n\\nMore.'", wrong_differences),
]

FINE = """
'''A file that breaks nothing.

Differences
- *Paper silent*, section 3: how long a docstring
  is.
- *Text against figure*, line 2: it has two lines there.
'''
from wordorder_lab.structures.bag import WordBag
import numpy as np
def f(scores):
    'Docstring.'
    total = 0.0
    for score in scores:
        total += score
    return np.load(total, allow_pickle=False)
"""


@pytest.mark.parametrize("rule", RULES)
def test_rule(rule) -> None:
    wrong = [
        f"{name}:{line}: {what}"
        for name, tree in SOURCES.items()
        for line, what in rule(name, tree)
    ]
    assert not wrong, "\n" + "\n".join(wrong)


@pytest.mark.parametrize(("name", "source", "rule"), BROKEN)
def test_rule_notices(name: str, source: str, rule) -> None:
    assert list(rule(f"{PACKAGE}/{name}", ast.parse(source)))


def test_rules_let_good_code_pass() -> None:
    for rule in RULES:
        assert not list(rule(f"{PACKAGE}/transition/a.py", ast.parse(FINE)))


def test_nothing_is_imported_in_a_circle() -> None:
    assert not circles(SOURCES, of=str), "modules"
    assert not circles(SOURCES, of=folder), "folders"


def test_a_circle_is_noticed() -> None:
    inside = "def f():\n    from wordorder_lab.metrics.b import g"
    typing = "if TYPE_CHECKING:\n    from wordorder_lab.metrics import b"
    back = "from ..trace import a"
    for there in (inside, typing, "import wordorder_lab.metrics.b"):
        trees = {"trace/a.py": there, "trace/__init__.py": "", "metrics/b.py": back}
        parsed = {f"{PACKAGE}/{name}": ast.parse(text) for name, text in trees.items()}
        assert circles(parsed, of=str) == [sorted(n for n in parsed if "__init__" not in n)]
        assert circles(parsed, of=folder) == [[f"{PACKAGE}/metrics", f"{PACKAGE}/trace"]]


def test_a_fast_file_stands_beside_its_twin_or_says_whose_part_it_is() -> None:
    """Without a twin, the first line of its docstring names a file beside it, or a fast one."""
    for name in without_twin(SOURCES):
        first = (ast.get_docstring(SOURCES[name]) or "").split("\n")[0]
        beside = {
            n.split("/")[-1].removesuffix(".py") for n in SOURCES if folder(n) == folder(name)
        }
        named = set(re.findall(r"``(\w+)``", first))
        assert named & (beside - {name.split("/")[-1]}) or folder(name).endswith("runtime"), (
            f"{name} has no twin: its first line says whose part it is, as in ``search``"
        )


def test_without_numba_the_package_imports() -> None:
    """``None`` in sys.modules makes Python believe that there is no such module."""
    program = f"import sys; sys.modules['numba'] = None; import {PACKAGE}"
    run = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr


# --- README, data files, text -------------------------------------------------------------------


def map_rows(page: str) -> list[list[str]]:
    """The cells of every row of a table that maps a paper to files, tests and notebooks."""
    rows, inside = [], False
    for line in page.splitlines():
        inside = line.startswith("|") and (inside or "paper figure or table" in line.lower())
        if inside and "figure or table" not in line.lower() and not re.match(r"[|\s:-]+$", line):
            rows.append([cell.strip() for cell in line.strip("| ").split("|")])
    return rows


def missing(target: str) -> bool:
    """Whether ``path`` or ``path::test`` points at nothing."""
    path, *test = target.split("::")
    if path not in FILES:
        return not any(name.startswith(path.rstrip("/") + "/") for name in FILES)
    if not test:
        return False
    tree = ast.parse(FILES[path].read_text(encoding="utf-8"))
    return test[-1] not in {f.name for f in functions(tree)}


def test_every_row_of_the_map_points_at_something() -> None:
    """The map from the papers to the code, which the site shows with a link at each file."""
    rows = map_rows((ROOT / "docs" / "papers" / "index.md").read_text(encoding="utf-8"))
    assert rows, "there is no table 'paper figure or table | file | test | notebook'"
    wrong = []
    for row in rows:
        targets = [re.findall(r"`([^`]+)`", cell) for cell in row[1:]]
        if len(row) != 4 or not targets[0] or not targets[1]:
            wrong.append(f"{row[0]}: a row names a figure or table, a file, a test, a notebook")
        elif not targets[2] and row[3] not in {"-", "next"}:
            wrong.append(f"{row[0]}: the notebook is a path, '-' or 'next', not {row[3]!r}")
        wrong += [f"{row[0]}: {t} is not there" for cell in targets for t in cell if missing(t)]
    assert not wrong, "\n" + "\n".join(wrong)


def test_readme_is_short_and_its_links_lead_somewhere() -> None:
    """120 lines and 9 KB: who reads it once, reads all of it. Links work where no site is built."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert readme.count("\n") <= 120 and len(readme.encode()) <= 9_216
    links = re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", readme)
    assert links and not [link for link in links if missing(link)]


def test_data_files_are_named_after_their_papers() -> None:
    data = re.compile(rf"{PACKAGE}/(\w+/tables|experiments/papers)/")
    names = [name for name in FILES if data.match(name) and not name.endswith(".py")]
    wrong = [n for n in names if not NAMED_AFTER_PAPERS.fullmatch(n.split("/")[-1])]
    assert not wrong, f"not <author>_<year>_<table>: {wrong}"


def test_records_name_the_command_that_made_them() -> None:
    wrong = []
    for name, path in FILES.items():
        if name.startswith(f"{PACKAGE}/experiments/records/") and name.endswith(".json"):
            record = json.loads(path.read_text(encoding="utf-8"))
            if not (isinstance(record, dict) and record.get("command")):
                wrong.append(name)
    assert not wrong, f'no key "command": {wrong}'


def test_no_path_of_one_machine_and_no_registry_host() -> None:
    wrong = []
    for name, path in FILES.items():
        if path.suffix in TEXT or not path.suffix or name.startswith("."):
            lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
            hits = ((i, NOT_IN_TEXT.search(line)) for i, line in enumerate(lines, 1))
            wrong += [f"{name}:{i}: {hit.group()}" for i, hit in hits if hit]
    assert not wrong, "\n" + "\n".join(wrong)


def test_no_corpus_and_no_other_big_file() -> None:
    sizes = {n: p.stat().st_size for n, p in FILES.items() if not n.startswith(OURS)}
    for name, most in (("everyday", 6_000_000), ("everyday-realization", 3_000_000)):
        assert sizes.pop(f"wordorder_lab/systems/everyday_models/{name}.zip") <= most
    records = f"{PACKAGE}/experiments/records/"
    limits = {name: OF_RECORDS if name.startswith(records) else MAX_BYTES for name in sizes}
    wrong = {name: size for name, size in sizes.items() if size > limits[name]}
    assert not wrong, f"above {MAX_BYTES:,} bytes; corpora belong to others: {wrong}"


def test_what_is_run_at_night_is_there() -> None:
    """Each line of ``night.txt`` names a test of these files."""
    lines = (ROOT / "tests" / "night.txt").read_text(encoding="utf-8").splitlines()
    wrong = []
    for line in [line for line in lines if not line.startswith("#")]:
        name, _, test = line.partition("[")[0].partition("::")
        path = ROOT / "tests" / name
        if not path.is_file() or f"def {test}(" not in path.read_text(encoding="utf-8"):
            wrong.append(line)
    assert not wrong and lines == [*dict.fromkeys(lines)], f"in tests/night.txt: {wrong}"
