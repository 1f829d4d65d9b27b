"""A thousand wrong calls of public functions: each is answered, or refused in a line that is ours.

Of a call that is right, one argument is replaced by a value of another kind. What comes of it is a
result, or an error that one of our own lines raises: no ``AttributeError`` of the inside.
"""

from __future__ import annotations

import inspect
import linecache
import pickle
import random
import re
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from tqdm import tqdm

import wordorder_lab as wl
from wordorder_lab.systems import find

CALLS = 1000
PACKAGE = str(Path(wl.__file__).parent)
TREE = "(S (NP (NN rain)) (VP (VBD fell) (ADVP (RB again))))"
SHORT = "(S (NP (NN rain)) (VP (VBD fell)))"
RULE = "<S, VP> -> <[S NP_eps VP_1], VP_1>"


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> SimpleNamespace:
    """What right calls are made of; the model is tiny, and its engine the one without kernels."""
    folder = tmp_path_factory.mktemp("wrong calls")
    words = (("rain", "NN", 1), ("fell", "VBD", -1), ("again", "RB", 1))
    tokens = tuple(wl.Token((word,), tag, head) for word, tag, head in words)
    sentences = [wl.Sentence(tokens, f"s{i}") for i in range(2)]
    how: dict[str, Any] = {"engine": "reference", "progress": False}
    model = wl.train("liu-2015", sentences, epochs=1, beam=2, **how)
    trained = wl.EventLog()
    wl.train("liu-2015", sentences, epochs=1, beam=2, trace=trained, **how)
    log = wl.EventLog()
    model.order("rain fell", trace=log, engine="reference")
    model.save(folder / "model.wol")
    log.save(folder / "log.json")
    return SimpleNamespace(**locals())


def calls(own: SimpleNamespace) -> Iterator[tuple[Callable[..., Any], dict[str, Any]]]:
    """Public functions, methods and classes, with arguments that are right; the names of a
    parameter that is no keyword's stand for its place."""
    s, model, log, folder = own.sentences, own.model, own.log, own.folder
    reference = {"engine": "reference"}
    tree, short, noun = wl.parse_tree(TREE), wl.parse_tree(SHORT), wl.Category.parse("NP")
    pair = wl.CompressionPair(tree, (short,), ((0, 0), (1, 1)), "p.1")
    leaf = wl.Derivation.leaf("rain", "NN", noun)
    verb = wl.Derivation.leaf("fell", "VBD", wl.Category.parse(r"S[dcl]\NP"))
    clause = wl.Derivation.binary(wl.Category.parse("S[dcl]"), leaf, verb)
    bag = wl.WordBag(["rain", "fell"], ["NN", None], [1, None], [(0, 1)])
    tags = wl.TagDictionary.of(s)
    soared = (wl.Token(("rain",), "NN", 1), wl.Token(("fell",), "VBD", -1))
    ccg = wl.CategoryDictionary.of([wl.Sentence(soared, "c", clause)])
    yield wl.analyse_ratings, {"answers": []}
    yield wl.as_separate, {"pairs": [pair]}
    yield wl.bag_of, {"sentence": s[0], "pos": 1, "deps": 0.5, "seed": 1, "labels": 0}
    yield wl.claims_table, {"*": "liu-2015-table-6"}
    yield wl.paper_table, {"*": "liu-2015-table-6"}
    yield wl.paper_figure, {"name": "zhang-clark-2015-figure-9"}
    yield wl.compressions_of, {"name": "gazette", "parser": None, "progress": False}
    yield (
        wl.compressions_side_by_side,
        {
            "models": {"a": model},
            "sentence": tree,
            "references": [["rain"]],
            "search": {},
            "title": "t",
        },
    )
    yield wl.constraint_board, {"model": model, "sentence": tree, "names": "all", "title": "t"}
    yield wl.errors, {"model": model, "sentences": s, "jobs": 1, "title": "t", **reference}
    yield (
        wl.explore,
        {
            "models": [model],
            "sentences": s,
            "names": ["m"],
            "pos": 1.0,
            "deps": 0.0,
            "seed": 1,
            "jobs": 1,
            "recordings": 0,
            "title": "t",
            **reference,
        },
    )
    yield (
        wl.evaluate,
        {
            "model": model,
            "sentences": s,
            "pos": 1.0,
            "deps": 0.0,
            "seed": 1,
            "jobs": 1,
            **reference,
        },
    )
    yield wl.random_order, {"sentences": s, "seed": 1}
    yield (
        wl.race,
        {
            "models": {"a": model, "b": model},
            "bag": "rain fell",
            "gold": s[0],
            "names": ["a", "b"],
            "search": [None, None],
            "seed": 1,
            "timed": False,
            "title": "t",
            **reference,
        },
    )
    moments = [(1, "here")]
    page = {"view": "beam", "names": ("A", "B"), "title": "t", "max_events": 100, "at": 1}
    yield (
        wl.play,
        {
            "log": log,
            "other": None,
            **page,
            "drive": None,
            "again": None,
            "moments": moments,
        },
    )
    yield (
        wl.to_html,
        {
            "log": log,
            "path": folder / "p.html",
            "other": None,
            **page,
            "moments": moments,
        },
    )
    yield (
        wl.lecture,
        {
            "scenes": ["text", (log, moments)],
            "path": folder / "l.html",
            "title": "t",
            "max_events": 100,
        },
    )
    yield (
        wl.ordering_form,
        {
            "models": model,
            "text": "rain fell",
            "corpus_sentences": s,
            "beam": 2,
            "seed": 1,
            "max_events": 100,
            **reference,
        },
    )
    yield (
        wl.rating_form,
        {
            "sources": ["rain fell"],
            "outputs": {"a": ["rain"], "b": ["fell"]},
            "raters": 2,
            "seed": 1,
            "title": "t",
        },
    )
    for load in (wl.load_corpus, wl.load_texts, wl.load_treebank, wl.load_lemma_trees):
        yield load, {"name_or_path": "gazette", "data": None}
    yield (
        wl.load_corpus,
        {
            "name_or_path": "gazette",
            "units": "words",
            "min_np_words": 1,
            "dev_section": 0,
            "strict": False,
        },
    )
    yield wl.load_compressions, {"name_or_path": "gazette"}
    yield wl.load_model, {"path": folder / "model.wol"}
    yield wl.marked_gold, {"log": log, "sentence": s[0]}
    yield wl.parse_bag, {"text": "rain fell"}
    yield wl.parse_rule, {"text": RULE}
    yield wl.parse_tree, {"text": TREE, "place": "here"}
    yield (
        wl.train,
        {
            "system": "liu-2015",
            "sentences": s,
            "epochs": 1,
            "beam": 2,
            **reference,
            "progress": False,
            "trace": None,
        },
    )
    yield wl.SearchAgain, {"model": model, "sentences": s, "log": own.trained}
    # classes
    yield (
        wl.WordBag,
        {
            "words": ["rain", "fell"],
            "pos": ["NN", None],
            "heads": [1, None],
            "before": [(0, 1)],
            "counts": [None, (0, 1)],
            "categories": [["NP"], None],
            "labels": ["x", None],
            "alternatives": [["rains"], None],
        },
    )
    yield wl.Token, {"words": ("rain",), "pos": "NN", "head": -1, "label": ""}
    yield wl.Sentence, {"tokens": s[0].tokens, "name": "s", "derivation": None}
    yield (
        wl.CompressionPair,
        {
            "source": tree,
            "targets": (short,),
            "alignment": ((0, 0),),
            "name": "",
            "kind": "",
        },
    )
    yield wl.EventLog, {"max_events": 10, "every": 1, "only": ["step"]}
    # methods
    yield model.order, {"bag": "rain fell", "k": 1, "trace": None, "beam": 2, **reference}
    yield model.save, {"path": folder / "again.wol"}
    yield type(model).load, {"path": folder / "model.wol"}
    yield model.search_settings, {"beam": 2}
    yield model.problem, {"bag": "rain fell"}
    yield model.unknown_tags, {"bag": "rain fell"}
    yield log.save, {"path": folder / "log.json"}
    yield wl.EventLog.load, {"path": folder / "log.json"}
    yield wl.Category.parse, {"text": "NP"}
    yield wl.Derivation.leaf, {"word": "a", "pos": "DT", "category": noun}
    yield wl.Derivation.unary, {"category": noun, "child": leaf}
    yield wl.Derivation.binary, {"category": noun, "left": leaf, "right": leaf, "head": 1}
    yield wl.CCGRules.of, {"derivations": [clause]}
    yield wl.CCGRules.can_build, {"derivation": clause}
    yield wl.CCGRules.from_rows, {"rows": wl.CCGRules.of([clause]).rows()}
    yield tags.lookup, {"unit": ("rain",)}
    yield wl.TagDictionary.of, {"sentences": s}
    yield wl.TagDictionary.from_entries, {"rows": tags.entries()}
    yield ccg.lookup, {"unit": ("rain",), "pos": "NN"}
    yield wl.CategoryDictionary.of, {"sentences": [], "seen": 1}
    yield wl.CategoryDictionary.from_entries, {"entries": ccg.entries()}
    yield model.problem, {"bag": bag}
    yield bag.form, {"i": 0}
    yield bag.select, {"places": [0]}
    yield s[0].with_derivation, {"parse": lambda: None}
    yield wl.TextPair(("a",), (("a",),), ((True,),)).alignment, {"number": 0}


def wrong_values(own: SimpleNamespace, chance: random.Random) -> list[Any]:
    """Values of every kind; each fits somewhere and is wrong elsewhere."""
    return [
        None, -1, 1.5, float("nan"), 10**30, True, object(), {}, [], (), set(), "", b"", "x" * 5000,
        "a\0b", lambda *given: None, print, int, Path("nowhere"), np.int64(3), np.arange(3), [None],
        ["a", 1], [[]], {"a": None}, {1: 2}, iter([]), range(3), own.sentences[0], own.sentences,
        own.model, own.log, wl.EventLog(), wl.WordBag(["a"]), wl.parse_tree(TREE),
        wl.Token(("a",), "DT", 0), float("inf"), chance, "nowhere", [own.model], [(1, 2)],
    ]  # fmt: skip


def is_ours(error: BaseException) -> bool:
    """Whether a line of the package raised it, on purpose."""
    *_, (frame, number) = traceback.walk_tb(error.__traceback__)
    line = linecache.getline(frame.f_code.co_filename, number).strip()
    return frame.f_code.co_filename.startswith(PACKAGE) and line.startswith("raise ")


def outcome(call: Callable[..., Any], given: dict[str, Any]) -> str:
    """Empty if it is right: a result, or one line that is ours."""
    first = [given.pop("*")] if "*" in given else []
    try:
        call(*first, **given)
        return ""
    except OSError as error:
        told = str(error)
    except (ValueError, TypeError) as error:
        if not is_ours(error):
            return f"{type(error).__name__} from the inside: {error}"
        told = str(error)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return "" if told and "\n" not in told else f"message: {told!r}"


def test_a_thousand_wrong_calls(own: SimpleNamespace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(own.folder)
    chance = random.Random(13)
    places = [(call, right, name) for call, right in calls(own) for name in right]
    values, wrong = wrong_values(own, chance), []
    for _ in range(CALLS):
        call, right, name = chance.choice(places)
        value = chance.choice(values)
        if (name, value is None) == ("engine", True):  # the usual one, which compiles for a minute
            continue
        if told := outcome(call, {**right, name: value}):
            wrong.append(f"{call.__qualname__}({name}={value!r:.60}): {told:.150}")
    assert not wrong, "\n".join([str(len(wrong)), *wrong])


def test_calls_that_are_right_stay_right(
    own: SimpleNamespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So no wrong call is refused for another reason; numpy's numbers are numbers."""
    monkeypatch.chdir(own.folder)
    refused = [wl.analyse_ratings, wl.compressions_side_by_side, wl.constraint_board]
    for call, right in calls(own):
        assert call in refused or outcome(call, dict(right)) == "", call
    first = own.sentences[0]
    bag = wl.bag_of(first, np.float32(1), np.int64(0), seed=np.int64(1))
    assert bag == wl.bag_of(first, True, 0, 1)
    assert wl.load_model(str(own.folder / "model.wol")).settings == own.model.settings
    dictionary = wl.TagDictionary.of(own.sentences)
    unit = own.sentences[0].tokens[0].words
    assert dictionary.lookup(list(unit)) == dictionary.lookup(unit)
    once = tqdm(iter(own.sentences), total=len(own.sentences), disable=True)
    assert wl.TagDictionary.of(once) == dictionary  # looking would have used it up
    chosen = find("ngram-beam").checked({"text": [Path("own.txt")], "signatures": np.True_})
    assert chosen.text == [Path("own.txt")]
    heard = SimpleNamespace(begin=lambda *_: None)
    with pytest.raises(AttributeError):  # it lacks what this search sends, and is let in
        own.model.order("rain", engine="reference", trace=heard)
    tree = wl.parse_tree(TREE)
    pair = wl.CompressionPair(tree, (tree,), zip((0, 1), (0, 1)))
    assert pair.alignment == ((0, 0), (1, 1))
    assert bag.select({0}) == bag.select([0])


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (lambda own: wl.bag_of({}), "bag_of(sentence=...) takes a Sentence, not {}"),
        (lambda own: wl.errors(None, []), "(model=...) takes a TrainedModel, not None"),
        (
            lambda own: wl.random_order("rain"),
            "random_order(sentences=...) takes a list, each item a Sentence, not 'rain'",
        ),
        (
            lambda own: own.model.order("rain", trace=-1),
            "order(trace=...) takes a Trace or None, not -1",
        ),
        (
            lambda own: wl.play(own.log, title=[1]),
            "play(title=...) takes a string or None, not [1]",
        ),
        (
            lambda own: wl.train("liu-2015", own.sentences, beam="8"),
            "liu-2015: Settings(beam=...) takes a whole number, not '8'",
        ),
    ],
)
def test_what_a_wrong_call_is_told(own: SimpleNamespace, call: Any, told: str) -> None:
    with pytest.raises(ValueError, match=re.escape(told)):
        call(own)


def test_a_wrapped_function_is_what_it_was() -> None:
    assert pickle.loads(pickle.dumps(wl.bag_of)) is wl.bag_of
    assert next(iter(inspect.signature(wl.bag_of).parameters)) == "sentence"
    assert "share" in (wl.bag_of.__doc__ or "")
