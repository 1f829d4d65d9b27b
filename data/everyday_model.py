"""``make everyday``: the models that come with the package, made of named files.

    python data/everyday_model.py [--out FOLDER] [--steps]

Read are UD English EWT, those documents of UD English GUM whose texts may be shared by anybody for
any purpose (``GENRES``), and sentences of our own grammar (``data/storybook``). The same files give
the same bytes; their checksums are written beside the models and looked at when they are made anew.
The parser is learned from GUM's trees of phrases and the Gazette's; the realizer from these, and
from the text of EWT and of the grammar as that parser reads it; what makes sentences shorter, from
the Gazette's pairs. ``--steps`` says what each step of making them small costs in BLEU.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

from nltk.tree import Tree

import wordorder_lab as wl
from storybook_generator import sentences as storybook
from wordorder_lab.corpora import gazette_corpus
from wordorder_lab.corpora.readers.conllu import parse_conllu
from wordorder_lab.corpora.ud_corpora import named_folder
from wordorder_lab.inflection.irregular_words import IRREGULAR
from wordorder_lab.models.packed_file import pack
from wordorder_lab.structures.lemma_tree import LemmaTree
from wordorder_lab.structures.sentence import Sentence
from wordorder_lab.systems.everyday import FILES, FOLDER, NAME, SOURCES, everyday_realizer
from wordorder_lab.systems.parsed_trees import lemma_tree, lemmatizer_of, parse_to_trees

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
LEAST, DIVISOR, LM_SCALE, DELETION_SCALE = 1.0, 16, 64, 4096
"""Weights below ``LEAST`` are left out; the others are multiples of 1/16, log-probabilities of
n-grams of 1/64, weights of deletion, the largest of which is 1.3, of 1/4096."""
REALIZER: dict[str, Any] = {"beam": 8, "epochs": 5, "seed": 1}
FEWER_STORIES = 4_000
TREES = "en_gum-const-train.tsv.gz"


def main() -> int:
    """Make the model, and say what it was made of."""
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--out", type=Path, default=FOLDER)
    options.add_argument("--steps", action="store_true", help="score each step on EWT's dev part")
    given = options.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    model = wl.train("liu-2015", learned(), about={"corpus": NAME, "units": "words"}, **SETTINGS)
    small = replace(model, weights=model.weights.trimmed(LEAST, DIVISOR), _table=None)
    scales = dict.fromkeys(("ngram_log_probs", "ngram_back_offs"), LM_SCALE)
    write(given.out, "order", small, scales)
    trees = phrases()
    parser = wl.train("parser", trees, about={"corpus": NAME})
    write(given.out, "parse", parser)
    realizer = wl.train(
        "liu-2015-realization", lemma_trees(trees, parser), about={"corpus": NAME}, **REALIZER
    )
    weights = realizer.orderer.weights.trimmed(LEAST, DIVISOR)
    own = replace(realizer.inflector, lists=IRREGULAR)  # the free lists belong to others
    orderer = replace(realizer.orderer, weights=weights, _table=None)
    less = replace(realizer, orderer=orderer, inflector=own)
    write(given.out, "realize", less)
    pairs = wl.load_compressions("gazette").train
    shorter = wl.train("mcdonald-2006", pairs, about={"corpus": NAME})
    write(given.out, "compress", shorter, {"weights": DELETION_SCALE})
    about = {"files": checksums(), "sentences": small.settings["sentences"]}
    made = {name: given.out / f"{name}.zip" for name in FILES.values()}
    about |= {"bytes": {name: file.stat().st_size for name, file in made.items()}}
    about |= {name: digest(file) for name, file in made.items()}
    (given.out / SOURCES.name).write_text(json.dumps(about, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(about, indent=1))
    if given.steps:
        steps(model, small)
        realizer_steps(realizer, less, parser)
    return 0


def write(folder: Path, task: str, model: Any, scales: Mapping[str, int] | None = None) -> None:
    """Pack the model of a task."""
    header = {"system": model.system, "settings": dict(model.settings), **model.header()}
    pack(folder / f"{FILES[task]}.zip", header, model.arrays(), scales or {})


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


def phrases() -> list[Tree]:
    """Trees of phrases: those of GUM's documents of these ``GENRES``, and the Gazette's."""
    named = re.compile(rf"GUM_(?:{'|'.join(GENRES)})_")
    gum = [one.tree for one in wl.load_treebank("gum").train if named.match(one.name)]
    return [*gum, *(one.tree for one in wl.load_treebank("gazette").train)]


def lemma_trees(trees: Sequence[Tree], parser: Any) -> list[LemmaTree]:
    """What the realizer learns from: these trees, and sentences as the parser reads them."""
    lemmatizer = lemmatizer_of(None)
    found = [lemma_tree(tree, lemmatizer) for tree in trees]
    read = [*wl.load_corpus("ewt").train, *storybook(FEWER_STORIES, SEED)]
    texts = [sentence for sentence in read if len(sentence) <= LONGEST]
    found += parse_to_trees(texts, lemmatizer, parser)
    return [tree for tree in found if len(tree) <= LONGEST]


def checksums() -> dict[str, str]:
    """The SHA-256 of each file that is read, by its name."""
    there = [named_folder(name) / file.format("train") for name, file in TREEBANKS.items()]
    own = sorted(Path(__file__).with_name("storybook").glob("*.txt"))
    gazette = gazette_corpus.files("train", "mrg", "compressions.jsonl")
    files = [*there, named_folder("gum") / TREES, *gazette, *own]
    return {file.name: digest(file) for file in files}


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


def realizer_steps(realizer: Any, less: Any, parser: Any) -> None:
    """The same of the realizer, on EWT's dev part as text that the parser reads."""
    trees = realizer.trees_of(wl.load_corpus("ewt").dev, parser)
    several: list[tuple[str, Any]] = [("as learned", realizer), ("trimmed", less)]
    for name, one in (*several, ("packed", everyday_realizer())):
        scores, entries = wl.evaluate(one, trees).scores, len(cast(Any, one).orderer.weights.values)
        print(f"{name:12} {entries:10,} weights, BLEU {scores.bleu_cased:.2f} of realizations")


if __name__ == "__main__":
    raise SystemExit(main())
