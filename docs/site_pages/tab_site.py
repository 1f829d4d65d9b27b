"""The page ``try/``: the laboratory in a tab. Its own files, Python for a browser, the package.

All of it lies on the site: nothing is asked of another host when the page is opened. Where no files
of Pyodide can be had, the site is built without it.
"""

from __future__ import annotations

import gzip
import io
import json
import re
import zipfile
from functools import cache
from pathlib import Path
from typing import Any

import nltk

import wordorder_lab as wl
from site_pages.page import PACKAGE, ROOT, Page, front
from site_pages.pyodide_files import VERSION, NoFiles, integrity, lock_text, pyodide_files
from site_pages.tab_answers import MOST
from site_pages.tab_packages import STAND_INS
from wordorder_lab.structures.typed_bag import type_bag
from wordorder_lab.systems.everyday import FILES, FOLDER
from wordorder_lab.widgets.module import EVERYTHING, module_text, style_text
from wordorder_lab.widgets.page import contents, default_title
from wordorder_lab.widgets.scripts import brief

SOURCES = Path(__file__).parent / "tab"
ANSWERS = Path(__file__).with_name("tab_answers.py")
MODELS = ROOT / "build" / "tab_models"
"""Where trained models are kept from one build to the next."""
LEFT_OUT = ("check/", "commands/", "experiments/", "cli.py", "systems/everyday_models/")
"""Parts of the package that the page never imports, or asks for one by one; so are all ``_fast``
modules."""
PACKED = ("pyodide.asm.wasm", "pyodide.asm.js")
"""Files of Pyodide that are sent packed, under names that no server unpacks by itself."""
EPOCH = (2020, 1, 1, 0, 0, 0)
SENTENCES = 200
"""Sentences of the Gazette from which models of the page are learned."""
GAZETTE = {"sentences.mrg": "train.mrg", "sentences.auto": "train.auto"}
"""Files of the page, and those of the Gazette of which they are the beginning."""
FIRST = "the old a gave man her book to"
"""The bag that the page shows when it is opened, with its search."""
TEXT = "The old man walked slowly to the shop after lunch."

Field = dict[str, Any]
BEAM: Field = {"name": "beam", "least": 1, "most": 64, "usual": 16}
EXPANSIONS: Field = {"name": "expansions", "least": 1, "most": 1000, "usual": 100}
RATE: Field = {"name": "rate", "least": 0.1, "most": 1, "usual": "", "step": 0.1}
BAG = {"task": "order", "label": "Words in any order", "verb": "Order", "given": FIRST}


def _along(*tasks: str) -> list[str]:
    """Where the page has models that come with the package, below its own folder."""
    return [f"lab/{PACKAGE}/systems/{FOLDER.name}/{FILES[task]}.zip" for task in tasks]


SYSTEMS: dict[str, Field] = {
    "everyday": {
        **BAG,
        "title": "transition-based, everyday words (liu-2015)",
        "setting": BEAM,
        "files": _along("order"),
    },
    "ngram-beam": {
        **BAG,
        "title": "n-grams alone (ngram-beam)",
        "setting": BEAM,
        "files": ["models/ngram-beam.wol"],
    },
    "zhang-clark-2015-dependency": {
        **BAG,
        "title": "best-first, dependency trees (zhang-clark-2015-dependency)",
        "setting": EXPANSIONS,
        "files": ["models/zhang-clark-2015-dependency.wol"],
    },
    "zhang-clark-2015-ccg": {
        **BAG,
        "title": "best-first, CCG (zhang-clark-2015-ccg)",
        "setting": EXPANSIONS,
        "files": ["models/zhang-clark-2015-ccg.wol"],
    },
    "liu-2015-realization": {
        "task": "realize",
        "title": "realization from lemmas (liu-2015-realization)",
        "label": "A sentence: it is parsed, its words become lemmas in no order",
        "verb": "Realize",
        "given": TEXT,
        "setting": BEAM,
        "files": _along("realize", "parse"),
    },
    "mcdonald-2006": {
        "task": "compress",
        "title": "shorter by deletion (mcdonald-2006)",
        "label": "A sentence, which is parsed, or its tree in brackets",
        "verb": "Shorten",
        "given": TEXT,
        "setting": RATE,
        "files": _along("compress", "parse"),
    },
}
"""What the page can search with. ``everyday`` stands for the model that comes with the package."""
ALONG = ("everyday", "liu-2015-realization", "mcdonald-2006")
EPOCHS: dict[str, Any] = {
    "ngram-beam": {},
    "zhang-clark-2015-dependency": {"epochs": 4},
    "zhang-clark-2015-ccg": {"epochs": 4},
}
"""How the models are trained that do not come with the package."""
LEARNERS: dict[str, Field] = {
    "liu-2015": {"title": "transition-based (liu-2015)", "settings": {"beam": 8}, "of": "everyday"},
    "zhang-clark-2015-dependency": {
        "title": "best-first, dependency trees",
        "settings": {"expansions": 200},
        "of": "zhang-clark-2015-dependency",
    },
    "zhang-clark-2015-ccg": {
        "title": "best-first, CCG",
        "settings": {"expansions": 200},
        "of": "zhang-clark-2015-ccg",
        "own": False,
    },
    "mcdonald-2006": {
        "title": "shorter by deletion (mcdonald-2006)",
        "settings": {},
        "of": "mcdonald-2006",
        "own": False,
    },
}
"""What can be learned there, with which settings; what is searched with like ``of``; whether from
sentences of one's own. Those have to be parsed."""


@cache
def written() -> dict[str, bytes]:
    """Place on the site -> what stands there; nothing where Python for a browser is not to be had,
    which is said."""
    try:
        found = pyodide_files()
    except NoFiles as error:
        print(f"the site is built without the page try/: {error}")
        return {}
    contents_of: dict[str, bytes] = {}
    served = {f"pyodide/{name}": data for name, data in found.items()}
    for name in PACKED:
        data = contents_of[f"pyodide/{name}.packed"] = served.pop(f"pyodide/{name}")
        served[f"pyodide/{name}.packed"] = gzip.compress(data, 9, mtime=0)
    served["pyodide/pyodide-lock.json"] = lock_text().encode()
    served["wordorder_lab.zip"] = package()
    for system in SYSTEMS.values():
        served |= {name: _model(name) for name in system["files"]}
    facts = {name: integrity(data) for name, data in served.items()}
    for name, data in contents_of.items():
        facts[name]["contents"] = integrity(data)["integrity"]
    own = {path.name: path.read_bytes() for path in sorted(SOURCES.iterdir()) if path.is_file()}
    own |= {
        "player.js": brief(module_text(EVERYTHING)).encode(),
        "player.css": style_text(EVERYTHING).encode(),
        "start.json": json.dumps(start()).encode(),
        "files.json": json.dumps(facts).encode(),
    }
    return {f"try/{name}": data for name, data in {**own, **served}.items()}


def _model(name: str) -> bytes:
    path = Path(name)
    if path.suffix == ".wol":
        return trained(path.stem).read_bytes()
    return (FOLDER / path.name).read_bytes()


def package() -> bytes:
    """The package's own files, the Gazette's beginning, and the script that answers the page, as a
    zip archive."""
    package, packed = ROOT / PACKAGE, io.BytesIO()
    files = {ANSWERS.name: ANSWERS.read_bytes()}
    for path in sorted(package.rglob("*.*")):
        name = path.relative_to(package).as_posix()
        unused = name.startswith(LEFT_OUT) or path.stem.endswith("_fast")
        if path.is_file() and path.parent.name != "__pycache__" and not unused:
            files[f"{PACKAGE}/{name}"] = path.read_bytes()
    files |= {f"gazette/{name}": text.encode() for name, text in gazette().items()}
    files |= tokenizer()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, data in files.items():
            archive.writestr(zipfile.ZipInfo(name, EPOCH), data, zipfile.ZIP_DEFLATED, 9)
    return packed.getvalue()


def tokenizer() -> dict[str, bytes]:
    """nltk's tokenizer, which cuts text into words: its module, what that imports, and no more."""
    base = Path(nltk.__file__).parents[1]
    found = {
        "regex.py": (STAND_INS / "regex.py").read_bytes(),
        "nltk/__init__.py": b"",
        "nltk/internals.py": b"overridden = None  # the base class of tokenizers imports it\n",
        "nltk/tokenize/__init__.py": b"from nltk.tokenize.treebank import TreebankWordTokenizer\n",
    }
    todo = ["nltk.tokenize.treebank"]
    for module in todo:  # it grows while it is read
        path = Path(*module.split(".")).with_suffix(".py").as_posix()
        text = found.setdefault(path, (base / path).read_bytes()).decode()
        named = [*re.findall(r"^from (nltk\.[\w.]+) import", text, re.MULTILINE)]
        named += [f"nltk.{name}" for name in re.findall(r"^from nltk import (\w+)$", text, re.M)]
        todo += [name for name in named if name not in todo]
    return found


def gazette() -> dict[str, str]:
    """What is learned from: trees, derivations, and pairs with both trees. Of a file without splits
    the first 80 % are its training part, so that is ``MOST`` of each."""
    most, found = MOST * 5 // 4, {}
    for name, source in GAZETTE.items():
        lines = (ROOT / "data" / "gazette" / source).read_text(encoding="utf-8").splitlines()
        a_sentence = 2 if lines[0].startswith("ID=") else 1
        found[name] = "".join(f"{line}\n" for line in lines[: most * a_sentence])
    rows = [
        {
            "id": one.name,
            "source_tree": _flat(one.source),
            "target_trees": [_flat(tree) for tree in one.targets],
            "alignment": [list(pair) for pair in one.alignment],
        }
        for one in wl.load_compressions("gazette").train[:most]
    ]
    return {**found, "pairs.jsonl": "".join(f"{json.dumps(row)}\n" for row in rows)}


def _flat(tree: object) -> str:
    return " ".join(str(tree).split())


def trained(name: str) -> Path:
    """The file of a model of the Gazette, trained unless that was done before."""
    path = MODELS / f"{name}-{wl.__version__}-{SENTENCES}.wol"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        sentences = wl.load_corpus("gazette").train[:SENTENCES]
        wl.train(name, sentences, progress=False, **EPOCHS[name]).save(path)
    return path


def start() -> dict[str, Any]:
    """What the page shows before Python is there: the choices, and a recorded search."""
    log, beam = wl.EventLog(), BEAM["usual"]
    result = wl.load_model("everyday").order(FIRST, beam=beam, trace=log, engine="reference")
    gazette = [one for one in wl.load_corpus("gazette").dev if 6 <= len(one) <= 9][:12]
    pairs = [one for one in wl.load_compressions("gazette").dev if len(one.source.leaves()) <= 20]
    trees = [_flat(one.source) for one in pairs[:8]]
    texts = [" ".join(one.surface) for one in gazette]
    bags = [type_bag(wl.bag_of(one, pos=0, deps=0)) for one in gazette]
    return {
        "systems": SYSTEMS,
        "along": ALONG,
        "learners": LEARNERS,
        "most": MOST,
        "examples": {
            "order": [{"text": text, "given": bag} for text, bag in zip(texts, bags, strict=True)],
            "realize": [{"text": text, "given": text} for text in texts],
            "compress": [
                {"text": " ".join(one.source.leaves()), "given": tree}
                for one, tree in zip(pairs, trees, strict=False)
            ],
        },
        "first": {
            "bag": FIRST,
            "beam": beam,
            "text": result.text,
            "counters": dict(result.counters),
            "player": {**contents(log), "title": default_title(log)},
        },
    }


def pages() -> list[Page]:
    """The page that leads there, or how to build it."""
    text = f"{front('Try it')}# Try it: the laboratory in a tab\n\n"
    if files := written():
        size = sum(len(data) for data in files.values()) / 1e6
        text += "[Open the laboratory](try/index.html): type words, and watch a search put them "
        text += "in order; make a sentence of lemmas, or a shorter one; let a system learn from "
        text += "twenty sentences. Nothing is installed: Python runs in your browser, and nothing "
        text += f"that you type leaves it. All of it is {size:.0f} MB, loaded as it is needed, "
        text += "once.\n"
    else:
        text += "This copy of the site was built without it. It needs the files of "
        text += f"[Pyodide](https://pyodide.org) {VERSION}:\n\n    make site PYODIDE=folder\n"
    return [Page("try.md", text)]
