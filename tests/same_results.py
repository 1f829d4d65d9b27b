"""Digests of what every system gives on fixed input, on both engines, to hold against another day.

    python tests/same_results.py [--keep DIR] [--load DIR]

One line a system and engine: model bytes, outputs with scores and counters, event streams. Only
public names are used, so it runs at any commit: put another checkout first in PYTHONPATH and
compare what is printed. ``--keep`` leaves models and logs in a folder; ``--load`` reads those that
another commit has left there, and says what they give here.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
import tempfile
from pathlib import Path
from typing import Any

import wordorder_lab as wl

ENGINES = ("reference", "fast")
ORDERING: tuple[tuple[str, str, dict[str, Any]], ...] = (
    ("liu-2015", "words", {"beam": 8, "epochs": 2}),
    ("liu-2015", "base-np", {"beam": 8, "epochs": 2, "templates": "puduppully_2016_look_ahead"}),
    ("zhang-clark-2015-dependency", "base-np", {"beam": 16, "epochs": 2}),
    ("zhang-2013", "base-np", {"beam": 16, "epochs": 2}),
    ("zhang-clark-2011", "base-np", {"beam": 16, "epochs": 1}),
    ("zhang-blackwood-clark-2012", "base-np", {"beam": 16, "epochs": 1}),
    ("zhang-clark-2015-ccg", "base-np", {"beam": 16, "epochs": 2}),
)
SENTENCES, BAGS, PAIRS = 60, 12, 80
CONDITIONS = ((1, 0), (0.5, 0), (1, 0.5), (1, 1))


def main() -> int:
    """Print the digests; exit code 1 where the engines differ."""
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--keep", type=Path, help="a folder for models and logs")
    options.add_argument("--load", type=Path, help="the folder that another commit has kept")
    given = options.parse_args()
    told: dict[str, set[str]] = {}
    with tempfile.TemporaryDirectory() as scratch:
        folder = given.keep or Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        for name, line in lines(folder, given.load):
            for engine in ENGINES:
                told.setdefault(name.replace(engine, "*"), set()).add(line)
            print(f"{name:50} {line}", flush=True)
    apart = [name for name, found in told.items() if len(found) > 1]
    print(f"the engines differ: {apart}" if apart else "both engines agree")
    return 1 if apart else 0


def lines(folder: Path, load: Path | None) -> Any:
    """Name and digest of everything."""
    for number, (system, units, settings) in enumerate(ORDERING):
        for engine in ENGINES:
            stem = f"{number}-{system}-{engine}"
            file = (load or folder) / f"{stem}.wol"
            if not load:
                yield f"{stem} training", trained(system, units, settings, engine, file)
            yield f"{stem} searches", ordered(file, units, engine, folder / f"{stem}.log", load)
    for engine in ENGINES:
        file = (load or folder) / f"compression-{engine}.wol"
        if not load:
            yield f"compression {engine} training", shortening(engine, file)
        yield f"compression {engine} searches", compressed(file, engine)


def digest(*parts: Any) -> str:
    """A short checksum of what the parts say of themselves."""
    whole = hashlib.sha256()
    for part in parts:
        whole.update(part if isinstance(part, bytes) else repr(part).encode())
        whole.update(b"\n")
    return whole.hexdigest()[:20]


def trained(system: str, units: str, settings: dict[str, Any], engine: str, file: Path) -> str:
    """Of the model's bytes and of the events of its training."""
    corpus, log = wl.load_corpus("gazette", units=units), wl.EventLog(max_events=10**7)
    how = {"seed": 1, "engine": engine, "progress": False, "trace": log, **settings}
    if "2011" in system or "2012" in system:
        how["expansions"] = 200
    model = wl.train(system, [s for s in corpus.train if len(s) < 9][:SENTENCES], **how)
    model.save(file)
    return digest(file.read_bytes(), list(log))


def ordered(file: Path, units: str, engine: str, kept: Path, load: Path | None) -> str:
    """Of outputs, trees, scores, counters and events under several conditions."""
    model, parts = wl.load_model(file), []
    sentences = [s for s in wl.load_corpus("gazette", units=units).dev if len(s) < 11][:BAGS]
    best_first = "liu" not in file.stem
    heads = "ccg" not in file.stem and "2011" not in file.stem and "2012" not in file.stem
    last = None
    for pos, deps in CONDITIONS:
        if deps and not heads:
            continue
        for sentence in sentences:
            bag = wl.bag_of(sentence, pos=pos, deps=deps)
            log = last = wl.EventLog(max_events=10**7)
            how: dict[str, Any] = {"expansions": 100} if best_first else {}
            result = model.order(bag, k=3, engine=engine, trace=log, **how)
            found = [(r.words, r.score, r.order, str(r.tree)) for r in (result, *result.k_best)]
            parts.append((found, sorted(result.counters.items()), result.stopped, list(log)))
    if load:
        old = wl.EventLog.load(load / kept.name)
        assert list(old) == list(last or ()), f"{kept.name}: a log kept by another commit differs"
    elif last is not None:
        last.save(kept)
    return digest(*parts)


def shortening(engine: str, file: Path) -> str:
    """The same of a compression model."""
    pairs = [p for p in wl.load_compressions("gazette").train if len(p.source.leaves()) < 14]
    how: dict[str, Any] = {"seed": 1, "engine": engine, "progress": False, "max_iterations": 5}
    model = wl.train("cohn-lapata-2009", pairs[:PAIRS], **how)
    model.save(file)
    return digest(file.read_bytes())


def compressed(file: Path, engine: str) -> str:
    """The same of shorter sentences."""
    model, parts = wl.load_model(file), []
    for pair in wl.load_compressions("gazette").dev[:BAGS]:
        for search, k in (("cube", 1), ("cube", 4), ("exhaustive", 2)):
            log = wl.EventLog(max_events=10**7)
            short = model.compress(pair.source, k=k, search=search, engine=engine, trace=log)
            parts.append((short.words, short.score, str(short.tree), list(log)))
    return digest(*parts)


if __name__ == "__main__":
    sys.exit(main())
