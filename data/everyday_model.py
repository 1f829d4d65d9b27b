"""``make everyday``: the model that comes with the package, made of named files.

    python data/everyday_model.py [--out FOLDER] [--steps]

Read are UD English EWT, those documents of UD English GUM whose texts may be shared by anybody for
any purpose (``GENRES``), and sentences of our own grammar (``data/storybook``). The same files give
the same bytes; their checksums are written beside the model and looked at when it is made anew.
``--steps`` says what each step of making it small costs in BLEU.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import wordorder_lab as wl
from storybook_generator import sentences as storybook
from wordorder_lab.corpora.readers.conllu import parse_conllu
from wordorder_lab.corpora.ud_corpora import named_folder
from wordorder_lab.models.packed_file import pack
from wordorder_lab.structures.sentence import Sentence
from wordorder_lab.systems.everyday import FOLDER, NAME, SOURCES

TREEBANKS = {"ewt": "en_ewt-ud-{}.conllu.gz", "gum": "en_gum-ud-{}.conllu.gz"}
GENRES = ("academic", "bio", "court", "interview", "news", "voyage")
"""Documents of GUM under CC BY or CC BY-SA by its LICENSE file; the others are non-commercial, or
nothing is said of them there."""
LONGEST = 30
"""Words of a sentence: people type shorter ones."""
STORIES, SEED = 8_000, 2026
SETTINGS: dict[str, Any] = {
    "pos": 0,
    "beam": 64,
    "epochs": 8,
    "seed": 1,
    "shuffle": True,
    "min_count": 2,
    "lower_case": True,
    "tag_share": 0.2,
    "lm_order": 4,
    "lm_weight": 3.0,
}
LEAST, DIVISOR, LM_SCALE = 1.0, 16, 64
"""Weights below ``LEAST`` are left out; the others are multiples of 1/16, log-probabilities of
n-grams of 1/64."""


def main() -> int:
    """Make the model, and say what it was made of."""
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--out", type=Path, default=FOLDER)
    options.add_argument("--steps", action="store_true", help="score each step on EWT's dev part")
    given = options.parse_args()
    model = wl.train("liu-2015", learned(), about={"corpus": NAME, "units": "words"}, **SETTINGS)
    small = replace(model, weights=model.weights.trimmed(LEAST, DIVISOR), _table=None)
    given.out.mkdir(parents=True, exist_ok=True)
    file = given.out / f"{NAME}.zip"
    scales = dict.fromkeys(("ngram_log_probs", "ngram_back_offs"), LM_SCALE)
    header = {"system": small.system, "settings": dict(small.settings), **small.header()}
    pack(file, header, small.arrays(), scales)
    about = {"files": checksums(), "sentences": small.settings["sentences"]}
    about |= {"bytes": file.stat().st_size, NAME: digest(file)}
    (given.out / SOURCES.name).write_text(json.dumps(about, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(about, indent=1))
    if given.steps:
        steps(model, small)
    return 0


def learned() -> list[Sentence]:
    """All that the model learns from, in order."""
    found = [*wl.load_corpus("ewt").train, *shareable_gum("train"), *storybook(STORIES, SEED)]
    return [sentence for sentence in found if len(sentence) <= LONGEST]


def shareable_gum(split: str) -> Sequence[Sentence]:
    """The sentences of GUM's documents of these ``GENRES``."""
    file = named_folder("gum") / TREEBANKS["gum"].format(split)
    blocks = gzip.decompress(file.read_bytes()).decode("utf-8").split("\n\n")
    named = re.compile(rf"^# sent_id = GUM_(?:{'|'.join(GENRES)})_", re.MULTILINE)
    text = "\n\n".join(block for block in blocks if named.search(block)) + "\n\n"
    return parse_conllu(text, str(file), "gum").sentences


def checksums() -> dict[str, str]:
    """The SHA-256 of each file that is read, by its name."""
    there = [named_folder(name) / file.format("train") for name, file in TREEBANKS.items()]
    own = sorted(Path(__file__).with_name("storybook").glob("*.txt"))
    return {file.name: digest(file) for file in [*there, *own]}


def digest(file: Path) -> str:
    """The SHA-256 of a file."""
    return hashlib.sha256(file.read_bytes()).hexdigest()


def steps(model: Any, small: Any) -> None:
    """BLEU on EWT's dev part, plain words without tags: as learned, trimmed, packed."""
    dev = wl.load_corpus("ewt").dev
    for name, one in (("as learned", model), ("trimmed", small), ("packed", wl.load_model(NAME))):
        scores = wl.evaluate(one, dev).to_dict()
        entries = len(one.weights.values)
        print(f"{name:12} {entries:10,} weights, BLEU {scores['bleu_cased']:.2f}")


if __name__ == "__main__":
    raise SystemExit(main())
