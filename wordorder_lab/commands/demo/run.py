"""``wordorder-lab demo``: train before one's eyes, order unseen sentences, say how well.

Then the same for making sentences shorter, if the corpus has compressions; and a page of it all.
"""

from __future__ import annotations

import time
from argparse import Namespace
from collections.abc import Callable, Sequence
from pathlib import Path

from wordorder_lab.commands.common import beside, condition
from wordorder_lab.commands.demo import page
from wordorder_lab.commands.demo.page import SHOWN, Shorter, Show, write_demo
from wordorder_lab.commands.evaluate_compression import floor_lines, output_lines
from wordorder_lab.commands.output import check_target, keeping
from wordorder_lab.corpora import Corpus, CorpusError, load_compressions, load_corpus
from wordorder_lab.experiments.records import write_json
from wordorder_lab.experiments.runs.compression_evaluate import evaluate_compressions, match_rate
from wordorder_lab.experiments.runs.evaluate import evaluate
from wordorder_lab.experiments.runs.ordering_evaluate import Evaluation, random_order
from wordorder_lab.experiments.runs.schema import Row
from wordorder_lab.runtime.ahead import ORDER, TRAIN, compile_ahead
from wordorder_lab.structures.sentence import Sentence
from wordorder_lab.systems import train
from wordorder_lab.systems.liu_2015 import LinearizationModel
from wordorder_lab.systems.model import choose_engine


def run(arguments: Namespace) -> int:
    """The whole show."""
    out = Path(arguments.out)
    if out.exists():
        _check(out)
    if arguments.engine != "reference":
        shown = "liu-2015", "cohn-lapata-2009"
        compile_ahead(*((system, task) for task in (TRAIN, ORDER) for system in shown))
    begin = time.perf_counter()
    corpus = _corpus(arguments.corpus)
    print(f"reading {arguments.corpus} ...", flush=True)
    sentences, held_out = corpus.train, corpus.dev
    out.mkdir(parents=True, exist_ok=True)  # not for a corpus that cannot be read
    _check(out)
    print(f"{len(sentences):,} sentences to learn from, {len(held_out):,} that are never learned\n")
    about = {"corpus": arguments.corpus, "units": corpus.units}
    epochs: list[Row] = []
    announce = _announce(held_out, epochs, arguments.engine)
    given = {name: getattr(arguments, name) for name in ("beam", "epochs", "seed", "engine")}
    model = train("liu-2015", sentences, about=about, progress=False, on_epoch=announce, **given)
    model.save(out / "model.wol")
    with keeping(out / "model.wol", "the model is in"):
        done = evaluate(model, held_out, engine=arguments.engine)
        floor = random_order(held_out, seed=arguments.seed)
        data = {**about, "split": "dev", **done.to_dict(), "by_epoch": epochs}
        data["random_order"] = floor.to_dict()
        _outcome(done, floor, data)
        shorter = shorten_too(arguments, out)
        if shorter is not None:
            data["compression"] = page.compression_data(shorter)
        index = write_demo(Show(model, corpus, arguments, done, floor, data, shorter))
        data["seconds"] = round(time.perf_counter() - begin, 1)
        write_json(out / "scores.json", data)
        short = min(held_out, key=lambda sentence: abs(len(sentence) - 7))
        print(f"\nwrote {out / 'model.wol'}, {out / 'scores.json'} and, to look at, {index}")
        print(f"after {data['seconds']:.0f} s in all; open the page in a browser, and try:")
        print(f"  {page.suggestions(out / 'model.wol', short)[0][1]}")
    return 0


def _check(out: Path) -> None:
    """Raise ``ValueError`` for a folder that is none, or has something else for a file of ours."""
    if not out.is_dir():
        raise ValueError(f"{out} is no folder: name one for the demo's files")
    for name in ("model.wol", "scores.json", "index.html"):
        check_target(out / name)


def _corpus(name: str) -> Corpus:
    """The corpus; the Penn sample is fetched if it is missing, once."""
    try:
        return load_corpus(name)
    except CorpusError:
        if name != "ptb-sample":
            raise
    print("the Penn sample is not on this machine; asking NLTK for it ...", flush=True)
    import nltk

    nltk.download("treebank", quiet=True)
    return load_corpus(name)


def _announce(
    held_out: Sequence[Sentence], epochs: list[Row], engine: str | None
) -> Callable[[int, Callable[[], LinearizationModel]], None]:
    begin = time.perf_counter()

    def after(epoch: int, model: Callable[[], LinearizationModel]) -> None:
        nonlocal begin
        seconds = time.perf_counter() - begin
        scores = evaluate(model(), held_out, engine=engine).scores
        bar = "#" * round(scores.bleu_cased)
        compiled = "  (compiling and reading included)" if epoch == 1 and seconds > 5 else ""
        print(
            f"epoch {epoch:2}  {seconds:5.1f} s  BLEU {scores.bleu_cased:5.2f}  {bar}{compiled}",
            flush=True,
        )
        epochs.append({"epoch": epoch, "seconds": seconds, "bleu_cased": scores.bleu_cased})
        begin = time.perf_counter()

    return after


def _outcome(done: Evaluation, floor: Evaluation, data: Row) -> None:
    for line in beside(done.outputs, done.references, SHOWN):
        print(line)
    print(f"\n{condition(data)}\n\n{done.scores}\n")
    print("the same units in random order, which is where one starts:")
    for name, convention in (("bleu_cased", "BLEU cased"), ("bleu_13a_lc", "BLEU 13a lower")):
        print(f"{convention:<18}{getattr(floor.scores, name):>7.2f}")


# --- The second half: sentences made shorter

SETTINGS: Row = {"C": 5.0, "beam": 20, "max_iterations": 30, "tolerance": 0.05}
PAIRS = {"fast": 400, "reference": 100}
"""Settings and pairs of the training: so much that one can wait for it, on either engine."""
TUNED = 60
"""Further pairs, by which the bonus for a word is chosen: as many words stay as in references."""
OUTPUTS = 4


def shorten_too(arguments: Namespace, out: Path) -> Shorter | None:
    """Train on pairs of the demo's corpus and tell how well it goes; ``None`` if it has none."""
    try:
        corpus = load_compressions(arguments.corpus)
    except CorpusError:
        print(f"\n{arguments.corpus} has no compressions, so no sentences are made shorter here.")
        return None
    begin = time.perf_counter()
    engine, seed = arguments.engine, arguments.seed
    count = PAIRS[choose_engine(engine)]
    pairs, others = corpus.train[:count], corpus.train[count:][:TUNED] or corpus.train
    learning = f"learning from {len(pairs)} pairs of trees"
    print(f"\nnow to make sentences shorter: {learning} ...", flush=True)
    about = {"corpus": arguments.corpus}
    options = {"engine": engine, "seed": seed, **SETTINGS}
    model = train("cohn-lapata-2009", pairs, about=about, progress=False, **options)
    path = out / "compression.wol"
    model.save(path)
    bonus = round(match_rate(model, others, engine=engine).bonus, 3)
    seconds, rules = time.perf_counter() - begin, model.settings["rules"]
    print(f"{rules:,} rules; weights, and a bonus for words, in {seconds:.0f} s\n")
    done = evaluate_compressions(model, corpus.dev, seed=seed, engine=engine, bonus=bonus)
    print(*output_lines(done, OUTPUTS)[1:], "", *floor_lines(done), sep="\n")
    return Shorter(model, path, corpus.dev, done, bonus, seconds)
