"""Wrong calls of public functions: each is answered, or refused in a short line that is ours.

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
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from tqdm import tqdm

import wordorder_lab as wl
from wordorder_lab.structures.messages import GIVEN, cited, unknown_name
from wordorder_lab.systems import find, training_names
from wordorder_lab.systems.registry import ROWS

CALLS = 1000
PACKAGE = str(Path(wl.__file__).parent)
TREE = "(S (NP (NN rain)) (VP (VBD fell) (ADVP (RB again))))"
SHORT = "(S (NP (NN rain)) (VP (VBD fell)))"
RULE = "<S, VP> -> <[S NP_eps VP_1], VP_1>"
OUTPUTS = {"a": ["rain"], "b": ["fell"]}
WORDS: dict[str, Any] = {"words": ["rain", "fell"], "pos": ["NN", None], "heads": [1, None]}
WORDS |= {"before": [(0, 1)], "counts": [None, (0, 1)], "categories": [["NP"], None]}
WORDS |= {"labels": ["x", None], "alternatives": [["rains"], None]}


@pytest.fixture(scope="module")
def own(tmp_path_factory) -> SimpleNamespace:
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


Calls = list[tuple[Callable[..., Any], dict[str, Any]]]


def calls(own: SimpleNamespace) -> Calls:
    """Public functions, classes and methods, with arguments that are right."""
    s, model, log, folder = own.sentences, own.model, own.log, own.folder
    tree, short, noun = wl.parse_tree(TREE), wl.parse_tree(SHORT), wl.Category.parse("NP")
    pair = wl.CompressionPair(tree, (short,), ((0, 0), (1, 1)), "p.1")
    leaf = wl.Derivation.leaf("rain", "NN", noun)
    verb = wl.Derivation.leaf("fell", "VBD", wl.Category.parse(r"S[dcl]\NP"))
    clause = wl.Derivation.binary(wl.Category.parse("S[dcl]"), leaf, verb)
    bag = wl.WordBag(["rain", "fell"], ["NN", None], [1, None], [(0, 1)])
    tags, rules = wl.TagDictionary.of(s), wl.CCGRules.of([clause])
    soared = (wl.Token(("rain",), "NN", 1), wl.Token(("fell",), "VBD", -1))
    ccg = wl.CategoryDictionary.of([wl.Sentence(soared, "c", clause)])
    two = {"a": model, "b": model}
    usual: dict[str, Any] = {"model": model, "models": [model], "log": log, "other": None}
    usual |= {"trace": None, "sentence": s[0], "sentences": s, "bag": "rain fell"}
    usual |= {"text": "rain fell", "pos": 1.0, "deps": 0.0, "seed": 1, "labels": 0, "jobs": 1}
    usual |= {"beam": 2, "epochs": 1, "engine": "reference", "progress": False, "parser": None}
    usual |= {"title": "t", "recordings": 0, "names": ["a", "b"], "gold": s[0]}
    usual |= {"search": [None, None], "timed": False, "view": "beam", "max_events": 100, "at": 1}
    usual |= {"drive": None, "again": None, "moments": [(1, "here")], "path": folder / "p.html"}
    usual |= {"corpus_sentences": s, "name_or_path": "gazette", "data": None, "system": "liu-2015"}
    usual |= {"kind": "", "name": "s", "category": noun, "units": "words", "derivations": [clause]}
    found: Calls = []

    def call(function: Callable[..., Any], names: str = "", /, **other: Any) -> None:
        """Arguments that are usual by their names, and others."""
        found.append((function, {name: usual[name] for name in names.split()} | other))

    call(wl.analyse_ratings, answers=[])
    call(wl.as_separate, pairs=[pair])
    call(wl.bag_of, "sentence pos deps seed labels")
    for table in (wl.claims_table, wl.paper_table):
        call(table, **{"*": "liu-2015-table-6"})
    call(wl.paper_figure, name="zhang-clark-2015-figure-9")
    call(wl.compressions_of, "parser progress", name="gazette")
    beside: dict[str, Any] = {"models": {"a": model}, "sentence": tree, "search": {}}
    call(wl.compressions_side_by_side, "title", **beside, references=[["rain"]])
    call(wl.constraint_board, "model title", sentence=tree, names="all")
    call(wl.errors, "model sentences jobs title engine")
    call(wl.explore, "models sentences pos deps seed jobs recordings title engine", names=["m"])
    call(wl.evaluate, "model sentences pos deps seed jobs engine")
    call(wl.random_order, "sentences seed")
    call(wl.realize, "text beam engine trace")
    call(wl.compress, "text engine trace", k=1, rate=0.5)
    call(wl.race, "bag gold names search seed timed title engine", models=two)
    call(wl.sweep, "model bag pos deps seed jobs title engine", beam=[1, 2], dev=s)
    page, shown = "log other view title max_events at moments", {"names": ("A", "B")}
    call(wl.play, f"{page} drive again", **shown)
    call(wl.to_html, f"{page} path", **shown)
    call(wl.lecture, "path title max_events", scenes=["text", (log, usual["moments"])], why=True)
    call(wl.ordering_form, "text corpus_sentences beam seed max_events engine", models=model)
    call(wl.rating_form, "seed title", sources=["rain fell"], outputs=OUTPUTS, raters=2)
    for load in (wl.load_corpus, wl.load_texts, wl.load_treebank, wl.load_lemma_trees):
        call(load, "name_or_path data")
    call(wl.load_corpus, "name_or_path units", min_np_words=1, dev_section=0, strict=False)
    call(wl.load_compressions, "name_or_path")
    call(wl.load_model, path=folder / "model.wol")
    call(wl.marked_gold, "log sentence")
    call(wl.parse_bag, "text")
    call(wl.parse_rule, text=RULE)
    call(wl.parse_tree, text=TREE, place="here")
    call(wl.train, "system sentences epochs beam engine progress trace")
    call(wl.SearchAgain, "model sentences", log=own.trained)
    # classes
    call(wl.WordBag, **WORDS)
    call(wl.Token, words=("rain",), pos="NN", head=-1, label="")
    call(wl.Sentence, "name", tokens=s[0].tokens, derivation=None)
    call(wl.CompressionPair, "name kind", source=tree, targets=(short,), alignment=((0, 0),))
    call(wl.EventLog, max_events=10, every=1, only=["step"])
    # methods
    call(model.order, "bag trace beam engine", k=1)
    call(model.save, path=folder / "again.wol")
    call(type(model).load, path=folder / "model.wol")
    call(model.search_settings, "beam")
    call(model.problem, "bag")
    call(model.problem, bag=bag)
    call(model.unknown_tags, "bag")
    call(log.save, path=folder / "log.json")
    call(wl.EventLog.load, path=folder / "log.json")
    call(wl.Category.parse, text="NP")
    call(wl.Derivation.leaf, "category", word="a", pos="DT")
    call(wl.Derivation.unary, "category", child=leaf)
    call(wl.Derivation.binary, "category", left=leaf, right=leaf, head=1)
    call(wl.CCGRules.of, "derivations")
    call(wl.CCGRules.can_build, derivation=clause)
    call(wl.CCGRules.from_rows, rows=rules.rows())
    call(tags.lookup, unit=("rain",))
    call(wl.TagDictionary.of, "sentences")
    call(wl.TagDictionary.from_entries, rows=tags.entries())
    call(ccg.lookup, unit=("rain",), pos="NN")
    call(wl.CategoryDictionary.of, sentences=[], seen=1)
    call(wl.CategoryDictionary.from_entries, entries=ccg.entries())
    call(bag.form, i=0)
    call(bag.select, places=[0])
    call(s[0].with_derivation, parse=lambda: None)
    call(wl.TextPair(("a",), (("a",),), ((True,),)).alignment, number=0)
    return found


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


def test_a_thousand_wrong_calls(own, monkeypatch) -> None:
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


def test_calls_that_are_right_stay_right(own, monkeypatch) -> None:
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


TOLD: dict[str, Callable[[Any], Any]] = {
    "bag_of(sentence=...) takes a Sentence, not {}": lambda own: wl.bag_of({}),
    "(model=...) takes a TrainedModel, not None": lambda own: wl.errors(None, []),
    "(sentences=...) takes a list, each item a Sentence or a string or a list, each item a string, "
    "not 'rain'": lambda own: wl.random_order("rain"),
    "order(trace=...) takes a Trace or None, not -1": lambda own: own.model.order("rain", trace=-1),
    "play(title=...) takes a string or None, not [1]": lambda own: wl.play(own.log, title=[1]),
    "liu-2015: Settings(beam=...) takes a whole number, not '8'": lambda own: wl.train(
        "liu-2015", own.sentences, beam="8"
    ),
}


@pytest.mark.parametrize("told", TOLD)
def test_what_a_wrong_call_is_told(own, told: str) -> None:
    with pytest.raises(ValueError, match=re.escape(told)):
        TOLD[told](own)


def test_a_wrapped_function_is_what_it_was() -> None:
    assert pickle.loads(pickle.dumps(wl.bag_of)) is wl.bag_of
    assert next(iter(inspect.signature(wl.bag_of).parameters)) == "sentence"
    assert "share" in (wl.bag_of.__doc__ or "")


# --- what a message quotes of what was given is short ---------------------------------------------

LONG = "x" * 10_000
SHAPES: tuple[Any, ...] = (LONG, [LONG, LONG], {LONG: 1})
BAGS: tuple[dict[str, Any], ...] = (
    {"heads": [5, None]},
    {"heads": [1, 0]},
    {"heads": [-1, -1]},
    {"before": [(0, 0)]},
    {"before": [(0, 1), (1, 0)]},
    {"counts": [(2, 1), None]},
    {"categories": [[f"({LONG}"], None]},
    {"categories": [{LONG: 2.0}, None]},
    {"labels": [3, None]},
    {"alternatives": [[LONG, 3], None]},
)
"""What cannot be of a bag whose first word is long."""
LINES = (f"{LONG}/", f"[{LONG}", f"{LONG}]", f"a | {LONG}", f"{LONG}{{2,1}}", f"{LONG} a | 1<1")
NUMBERS = (f"a | 1<{'9' * 4000}", f"a>{'9' * 4000}")
TREES = (f"({LONG}", f"(S {LONG}", f"(S ({LONG} a) b)", f"(S (NP a)) {LONG}")
RULES = (LONG, f"{LONG} -> {LONG}", f"S -> ({LONG}")
CATEGORIES = (f"({LONG}", f"{LONG}/", f"S[{LONG}", f"{LONG} {LONG}")


def long_calls(own: SimpleNamespace) -> Iterator[Callable[[], Any]]:
    """Calls with something long in the place of each argument, and in each part of a text."""
    for bag in BAGS:
        yield partial(wl.WordBag, [LONG, "falls"], **bag)
    texts = {wl.parse_bag: (*LINES, *NUMBERS), wl.parse_tree: TREES, wl.parse_rule: RULES}
    for parse, given in [*texts.items(), (wl.Category.parse, CATEGORIES)]:
        yield from (partial(parse, text) for text in given)
    for system in sorted(ROWS):
        for name in (*training_names(system), LONG):
            yield from (partial(find(system).checked, {name: given}) for given in SHAPES)
    for call, right in calls(own):
        first = [right.pop("*")] if "*" in right else []
        kinds = {one.kind for one in inspect.signature(call).parameters.values()}
        more = [LONG] if inspect.Parameter.VAR_KEYWORD in kinds else []
        for name in (*right, *more):
            yield from (partial(call, *first, **{**right, name: given}) for given in SHAPES)


@pytest.mark.filterwarnings("ignore")
def test_no_message_has_more_than_so_much_of_what_was_given(
    own, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(own.folder)
    said = []
    for call in long_calls(own):
        try:
            call()
        except Exception as error:  # those of libraries and of the system say what they like
            if type(error) in (TypeError, ValueError) or "wordorder" in type(error).__module__:
                said.append(str(error))
    assert len(said) > 700
    quoted = {message: max(map(len, re.findall("x+|9+", message)), default=0) for message in said}
    long = [one[:300] for one, most in quoted.items() if most > GIVEN or len(one) >= 2000]
    assert not long


def test_what_is_short_is_cited_as_it_is() -> None:
    class Worse:
        def __repr__(self) -> str:
            raise RuntimeError

    for given in ("a  b", "it's", 3, None, ["a"], 0.1, "é"):
        assert cited(given) == repr(given)
    assert len(cited(LONG)) == len(cited([LONG] * 9)) == GIVEN
    assert cited(Worse()) == "<Worse>"


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("lui-2015", "no system 'lui-2015' (did you mean 'liu-2015'?); there are liu-2015, wan"),
        ("WAN", "no system 'WAN' (did you mean 'wan'?); there are liu-2015, wan"),
        ("perceptron", "no system 'perceptron'; there are liu-2015, wan"),
        (7, "no system 7; there are liu-2015, wan"),
    ],
)
def test_an_unknown_name_is_told_with_the_nearest(given: object, said: str) -> None:
    assert unknown_name("system", given, ["liu-2015", "wan"]) == said


def test_the_repr_of_a_model_never_raises() -> None:
    """Nor of one that is half made, or has settings that no training of ours fills in."""
    sentence = wl.Sentence((wl.Token(("rain",), "NN", 1), wl.Token(("falls",), "VBZ", -1)))
    how: dict[str, Any] = {"min_count": 1, "engine": "reference", "progress": False}
    model: Any = wl.train("ngram-beam", [sentence] * 3, **how)
    assert repr(model) == "<NGramOrderer ngram-beam: trained, 3 sentences>"
    for settings in ({"sentences": "many"}, None, 3, {"corpus": object(), "sentences": None}):
        model.settings = settings
        assert repr(model).startswith("<NGramOrderer")
    assert repr(object.__new__(type(model))) == "<NGramOrderer, not whole>"
