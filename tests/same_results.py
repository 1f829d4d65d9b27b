"""Digests of what every system gives on fixed input, on both engines, to hold against another day.

    python tests/same_results.py [--keep DIR] [--load DIR] [--only SYSTEM]
    python tests/same_results.py --surface FILE

One line a system and engine: model bytes, outputs with scores and counters, event streams. Only
public names are used, so it runs at any commit: put another checkout first in PYTHONPATH and
compare what is printed. ``--keep`` leaves models and logs in a folder; ``--load`` reads those that
another commit has left there, and says what they give here.

``--surface`` writes what people meet as JSON instead: the help of all commands, public names with
their signatures, exercises, experiments with their claims, cells of the notebooks, pages of the
gallery.
"""

from __future__ import annotations

import argparse
import hashlib
import inspect
import json
import os
import pkgutil
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import wordorder_lab as wl

Options = dict[str, Any]
ENGINES = ("reference", "fast")
CONDITIONS = ((1, 0), (0.5, 0), (1, 0.5), (1, 1))
"""Shares of tags and heads that are given."""
UNHEADED = ("ccg", "2011", "2012", "ngram")
"""Names of systems that take no heads have one of these."""


class Case(NamedTuple):
    """A system on some input: what it learns from, how, and how it searches what it has not seen.

    ``verb`` is its task, as its model's method; ``traced`` says whether training and search tell
    events.
    """

    system: str
    verb: str
    settings: Options
    searches: tuple[Options, ...] = ({},)
    units: str = "words"
    traced: tuple[bool, bool] = (True, True)


NP, QUIET, SILENT = "base-np", (False, True), (False, False)
ORDER, COMPRESS, REALIZE = "order", "compress", "realize"
LIMITED: Options = {"expansions": 100, "k": 3}
K: tuple[Options, ...] = ({"k": 3},)
EARLY: Options = {"beam": 16, "epochs": 1, "expansions": 200}
DELETIONS: tuple[Options, ...] = ({"k": 3}, {"rate": 0.6}, {"bonus": 0.5})
PROGRAMMES: tuple[Options, ...] = (*DELETIONS, {"constraints": "none"}, {"least": 3, "most": 6})
LOOK_AHEAD: Options = {"beam": 8, "epochs": 2, "templates": "puduppully_2016_look_ahead"}
CASES = (
    Case("liu-2015", ORDER, {"beam": 8, "epochs": 2}, K),
    Case("liu-2015", ORDER, LOOK_AHEAD, K, NP),
    Case("liu-2015", ORDER, {"beam": 8, "epochs": 2, "lm_order": 3}, K),
    Case("zhang-clark-2015-dependency", ORDER, {"beam": 16, "epochs": 2}, (LIMITED,), NP),
    Case(
        "zhang-clark-2015-dependency",
        ORDER,
        {"beam": 16, "epochs": 1, "lm_order": 3, "update": "large-margin"},
        (LIMITED, {**LIMITED, "lm_weight": 0.0}),
        NP,
    ),
    Case("zhang-2013", ORDER, {"beam": 16, "epochs": 2}, (LIMITED,), NP),
    Case("zhang-clark-2011", ORDER, EARLY, (LIMITED,), NP),
    Case("zhang-blackwood-clark-2012", ORDER, {**EARLY, "lm_order": 3}, (LIMITED,), NP),
    Case("zhang-clark-2015-ccg", ORDER, {"beam": 16, "epochs": 2}, (LIMITED,), NP),
    Case("ngram-beam", ORDER, {"order": 3, "beam": 16}, ({"exact": True}, *K), NP, QUIET),
    Case("wan-2009-cle", ORDER, {}, K, traced=SILENT),
    Case("wan-2009-ab", ORDER, {}, (*K, {"growing": True}), NP, SILENT),
    Case(
        "cohn-lapata-2009",
        COMPRESS,
        {"max_iterations": 5},
        ({}, {"k": 4}, {"search": "exhaustive", "k": 2}),
    ),
    Case("mcdonald-2006", COMPRESS, {"epochs": 3}, DELETIONS),
    Case("clarke-lapata-2008-ilp", COMPRESS, {"epochs": 3}, PROGRAMMES),
    Case("clarke-lapata-2008-lm", COMPRESS, {"text": ()}, PROGRAMMES, traced=QUIET),
    Case("liu-2015-realization", REALIZE, {"beam": 4, "epochs": 2}, K),
    Case(
        "zhang-clark-2015-realization",
        REALIZE,
        {"beam": 8, "epochs": 2, "expansions": 200},
        (LIMITED,),
    ),
    Case("domain-beam-realization", REALIZE, {"beam": 4, "epochs": 2}, K),
    Case("bohnet-2011", REALIZE, {"beam": 8, "epochs": 2}, K, traced=SILENT),
    Case("guo-2011", REALIZE, {}, K, traced=SILENT),
    Case("parser", "parse", {}, ({}, {"beam": 3.0}), traced=QUIET),
    Case("supertagger", "tag", {"max_iterations": 8}, ({}, {"beta": 0.01}), traced=SILENT),
)


def main() -> int:
    """Print the digests, or write the surface; exit code 1 where the engines differ."""
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--keep", type=Path, help="a folder for models and logs")
    options.add_argument("--load", type=Path, help="the folder that another commit has kept")
    options.add_argument("--only", default="", help="systems with this in their name")
    options.add_argument("--surface", type=Path, help="write what people meet there, as JSON")
    given = options.parse_args()
    if given.surface:
        text = json.dumps(surface(), indent=1, ensure_ascii=False, sort_keys=True)
        given.surface.write_text(text + "\n", encoding="utf-8")
        return 0
    by_engine: dict[str, set[str]] = {}
    with tempfile.TemporaryDirectory() as scratch:
        folder = given.keep or Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        for name, engine, line in lines(folder, given.load, given.only):
            by_engine.setdefault(name, set()).add(line)
            print(f"{name + ' ' + engine:60} {line}", flush=True)
    apart = [name for name, found in by_engine.items() if len(found) > 1]
    print(f"the engines differ: {apart}" if apart else "both engines agree")
    return 1 if apart else 0


def lines(folder: Path, load: Path | None, only: str) -> Iterator[tuple[str, str, str]]:
    for number, case in enumerate(CASES):
        for engine in ENGINES:
            stem = f"{number:02}-{case.system}-{engine}"
            if only not in case.system:
                continue
            model = (load or folder) / f"{stem}.wol"
            name = f"{number:02} {case.system}"
            if not load:
                yield f"{name} training", engine, trained(case, engine, model)
            log = folder / f"{stem}.log"
            yield f"{name} searches", engine, searched(case, engine, model, log, load)


def digest(parts: Sequence[object]) -> str:
    whole = hashlib.sha256()
    for part in parts:
        whole.update(part if isinstance(part, bytes) else repr(part).encode())
        whole.update(b"\n")
    return whole.hexdigest()[:20]


def trained(case: Case, engine: str, file: Path) -> str:
    """Of the model's bytes and of the events of its training."""
    log = wl.EventLog(max_events=10**7)
    how: Options = {"engine": engine, "progress": False, **case.settings}
    if case.traced[0]:
        how["trace"] = log
    model = wl.train(case.system, learned(case), **how)
    model.save(file)
    return digest([file.read_bytes(), list(log)])


def learned(case: Case) -> Sequence[Any]:
    if case.verb == ORDER:
        return [s for s in wl.load_corpus("gazette", units=case.units).train if len(s) < 9][:60]
    if case.verb == COMPRESS:
        pairs = wl.load_compressions("gazette").train
        return [pair for pair in pairs if len(pair.source.leaves()) < 14][:80]
    if case.verb == REALIZE:
        return [t for t in wl.load_lemma_trees("gazette").train if len(t) < 12][:60]
    if case.verb == "parse":
        return [named.tree for named in wl.load_treebank("gazette").train[:200]]
    return wl.load_corpus("gazette", units=NP).train[:200]


def held_out(case: Case) -> Sequence[Any]:
    if case.verb == ORDER:
        short = [s for s in wl.load_corpus("gazette", units=case.units).dev if len(s) < 11][:12]
        no_heads = any(part in case.system for part in UNHEADED)
        conditions = [(pos, deps) for pos, deps in CONDITIONS if not (deps and no_heads)]
        return [wl.bag_of(s, pos=pos, deps=deps) for pos, deps in conditions for s in short]
    if case.verb == COMPRESS:
        return [pair.source for pair in wl.load_compressions("gazette").dev[:12]]
    if case.verb == REALIZE:
        return [t for t in wl.load_lemma_trees("gazette").dev if len(t) < 14][:12]
    if case.verb == "parse":
        return [" ".join(named.tree.leaves()) for named in wl.load_treebank("gazette").dev[:12]]
    return wl.load_corpus("gazette", units=NP).dev[:12]


def searched(case: Case, engine: str, file: Path, kept: Path, load: Path | None) -> str:
    """Of outputs, trees, scores, counters and events under several conditions."""
    model, parts, log = wl.load_model(file), [], wl.EventLog()
    for given in held_out(case):
        for search in case.searches:
            how = {"engine": engine, **search}
            if case.traced[1] and "exact" not in search:
                how["trace"] = log = wl.EventLog(max_events=10**7)
            result = getattr(model, case.verb)(given, **how)
            parts.append((contents(result), list(log)))
    if case.traced[1] and load:
        old = list(wl.EventLog.load(load / kept.name))
        assert old == list(log), f"{kept.name}: a log kept by another commit differs"
    elif case.traced[1]:
        log.save(kept)
    return digest(parts)


FIELDS = (
    *("words", "order", "kept", "forms", "tags", "actions", "rules", "stopped", "fallback"),
    *("alike", "counters", "tree", "derivations"),
)


def contents(result: Any) -> object:
    if isinstance(result, list | tuple):
        return [contents(one) for one in result]
    if not hasattr(result, "score"):
        return str(result)
    found: list[object] = [float(result.score)]
    for name in FIELDS:
        value = getattr(result, name, None)
        found.append(str(sorted(value.items()) if name == "counters" and value else value))
    inner = getattr(result, "result", None)
    best = [contents(one) for one in getattr(result, "k_best", ()) if one is not result]
    return found, best, inner and contents(inner)


def surface() -> dict[str, object]:
    """Everything that has a name outside: a change here is one that people notice."""
    parts: tuple[Callable[[], object], ...] = (
        *(commands, names, exercises, experiments, notebooks, gallery),
    )
    return {part.__name__: part() for part in parts}


def printed(*arguments: str) -> str:
    """What a command prints, in a window of 80 columns."""
    code = "import sys; from wordorder_lab.cli import main; sys.exit(main())"
    command = [sys.executable, "-c", code, *arguments]
    done = subprocess.run(
        command, env={**os.environ, "COLUMNS": "80"}, capture_output=True, text=True, check=True
    )
    return done.stdout


def commands() -> dict[str, str]:
    first = printed("--help")
    found = re.findall(r"^    ([a-z]+)(?=\s)", first, flags=re.MULTILINE)
    return {"": first, **{name: printed(name, "--help") for name in found}}


def names() -> dict[str, object]:
    """Public names with their signatures, those of a class with its public methods."""
    return {name: signature(getattr(wl, name)) for name in wl.__all__}


def signature(thing: Any) -> object:
    try:
        given = inspect.signature(thing).parameters.values()
    except (TypeError, ValueError):
        return type(thing).__name__
    bare = [one.replace(annotation=inspect.Parameter.empty) for one in given]
    called = re.sub(r" at 0x[0-9a-f]+", "", str(inspect.Signature(bare)))
    if not inspect.isclass(thing):
        return called
    public = {name: value for name, value in inspect.getmembers(thing) if name[0] != "_"}
    methods = {name: signature(value) for name, value in public.items() if callable(value)}
    return {"": called, **{name: methods.get(name, "attribute") for name in public}}


def exercises() -> dict[str, object]:
    from wordorder_lab import check

    found: dict[str, object] = {}
    for module in pkgutil.walk_packages(check.__path__, f"{check.__name__}."):
        for value in vars(import_module(module.name)).values():
            for one in value if isinstance(value, tuple | list) else [value]:
                if isinstance(one, check.Exercise):
                    found[one.number] = [one.text.asks, len(one.text.hints), list(one.needs)]
    return found


def experiments() -> dict[str, object]:
    keys = ("title", "reference", "place", "measure", "runs", "rows", "claims")
    listed = json.loads(printed("reproduce", "--json", "-"))
    return {one["name"]: {key: one[key] for key in keys} for one in listed}


def notebooks() -> dict[str, int]:
    folder = Path(wl.__file__).parents[1] / "notebooks"
    files = sorted(folder.rglob("*.ipynb"))
    return {file.name: len(json.loads(file.read_text("utf-8"))["cells"]) for file in files}


def gallery() -> dict[str, str]:
    with tempfile.TemporaryDirectory() as folder:
        printed("gallery", folder, "--quiet", "--engine", "fast")
        texts = {file.name: file.read_text("utf-8") for file in sorted(Path(folder).iterdir())}
    return {
        name: "".join(re.findall("<title>.*?</title>", text)[:1]) for name, text in texts.items()
    }


if __name__ == "__main__":
    sys.exit(main())
