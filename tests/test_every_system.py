"""What all systems do alike: model files, checkpoints, and settings that cannot be."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from both_engines import ENGINES
from lemma_sentences import lemma_trees

import wordorder_lab as wl
from wordorder_lab.models.kneser_ney import estimate_ngrams
from wordorder_lab.models.model_file import ModelError, load_arrays, save_arrays
from wordorder_lab.structures.deletion import kept_of
from wordorder_lab.structures.sentence import Sentence, Token

LIU, DEPENDENCIES, CCG = "liu-2015", "zhang-clark-2015-dependency", "zhang-clark-2015-ccg"
COHN, MCDONALD, ILP = "cohn-lapata-2009", "mcdonald-2006", "clarke-lapata-2008-ilp"
FLUENT, REALIZER = "clarke-lapata-2008-lm", "liu-2015-realization"
SMALL: dict[str, dict[str, Any]] = {
    LIU: {"beam": 4, "epochs": 3, "shuffle": True},
    DEPENDENCIES: {"beam": 6, "epochs": 3, "expansions": 100, "shuffle": True},
    CCG: {"beam": 16, "epochs": 3, "expansions": 200, "shuffle": True},
    "ngram-beam": {"order": 3},
    "wan-2009-cle": {},
    "wan-2009-ab": {},
    COHN: {"C": 1.0, "max_iterations": 4},
    MCDONALD: {"epochs": 3, "k_best": 3},
    ILP: {"epochs": 3},
    FLUENT: {"text": ()},
    REALIZER: {"beam": 2, "epochs": 3, "english": False},
    "zhang-clark-2015-realization": {"beam": 4, "epochs": 3, "english": False},
    "domain-beam-realization": {"beam": 4, "epochs": 3, "english": False},
    "bohnet-2011": {"epochs": 3, "bits": 14, "english": False},
    "guo-2011": {"english": False},
    "parser": {},
    "supertagger": {"max_iterations": 8},
}
SILENT = {"wan-2009-cle", "wan-2009-ab", "bohnet-2011", "guo-2011", "supertagger"}
"""Systems without steps to watch."""
STEPWISE = [LIU, DEPENDENCIES, CCG, COHN, MCDONALD, REALIZER]
"""Systems that learn in epochs, and go on from a checkpoint."""
BRACKETS = (
    "(S (NP (PRP they)) (VP (MD will) (RB not) (VP (VB sail) (PP (IN to) (NP (PRP$ her) "
    "(NN island))) (PRN (-LRB- -LRB-) (NP (CD two) (NNS miles)) (-RRB- -RRB-)))))"
)


def task_of(system: str) -> str:
    if system in ("parser", "supertagger"):
        return {"parser": "parse", "supertagger": "tag"}[system]
    if system in (COHN, MCDONALD, ILP, FLUENT):
        return "compress"
    return "realize" if "english" in SMALL[system] else "order"


@cache
def learned(task: str) -> tuple[Any, ...]:
    if task == "compress":
        pairs = wl.load_compressions("gazette").train
        return tuple(p for p in pairs if len(p.source.leaves()) < 13 and kept_of(p))[:16]
    if task == "realize":
        return lemma_trees(15)
    if task == "parse":
        return tuple(named.tree for named in wl.load_treebank("gazette").train[:40])
    return tuple(one for one in wl.load_corpus("gazette").train if len(one) <= 7)[:12]


@cache
def asked(task: str) -> list[Any]:
    """What is searched: seen and unseen, with all tags and with none."""
    if task == "order":
        every = [*learned(task)[:2], *wl.load_corpus("gazette").dev[:1]]
        return [wl.bag_of(sentence, pos) for sentence in every for pos in (0, 1)]
    if task == "compress":
        return [BRACKETS, *(pair.source for pair in learned(task)[:3])]
    if task == "realize":
        return [*lemma_trees(3, first=1000)]
    return ["the rain stops .", "an old zigzag"] if task == "parse" else [*learned(task)[:3]]


def train(system: str, engine: str | None = "fast", less: int = 0, **more: Any) -> Any:
    examples = learned(task_of(system))
    how = {"engine": engine, "progress": False, **SMALL[system], **more}
    return wl.train(system, examples[: len(examples) - less], **how)


trained = cache(train)


def search(system: str, model: Any, given: Any, **how: Any) -> Any:
    return getattr(model, task_of(system))(given, **how)


@pytest.mark.parametrize("system", [one for one in SMALL if task_of(one) in ("order", "realize")])
def test_the_engine_of_a_single_input(system: str) -> None:
    """A transition system's short input is answered by the engine that compiles nothing."""
    model, given = trained(system), asked(task_of(system))
    short = system.startswith("liu-2015")
    assert {model.engine_alone(one) for one in given} <= {None, "reference" if short else None}
    assert model.engine_alone(given[1]) == ("reference" if short else None)


@pytest.mark.parametrize("system", SMALL)
def test_a_model_comes_back_from_its_file(system: str, tmp_path: Path) -> None:
    """Whole, from either engine's training, and says the same to both; half a file is refused."""
    model, path = trained(system), tmp_path / "m.wol"
    model.save(path)
    loaded = wl.load_model(path)
    loaded.save(tmp_path / "again")
    train(system, "reference").save(tmp_path / "anew")
    whole = path.read_bytes()
    assert (tmp_path / "again").read_bytes() == whole == (tmp_path / "anew").read_bytes()
    assert loaded.settings == model.settings and repr(loaded) == repr(model)
    for given in asked(task_of(system)):
        found, logs = [], []
        for one, engine in product((model, loaded), ENGINES):
            how: dict[str, Any] = {"expansions": 60} if "expansions" in SMALL[system] else {}
            logs.append(wl.EventLog())
            how |= {} if system in SILENT else {"trace": logs[-1]}
            found.append(search(system, one, given, engine=engine, **how))
        assert all(one == found[0] for one in found) and all(log == logs[0] for log in logs)
    for length in (0, 1, 100, len(whole) // 2, len(whole) - 1):
        path.write_bytes(whole[:length])
        with pytest.raises(ModelError, match=r"m\.wol"):
            wl.load_model(path)


class Interrupted(BaseException):
    """As Ctrl-C: not an Exception."""


OTHERS: dict[str, list[dict[str, Any]]] = {
    LIU: [{"beam": 5}, {"seed": 2}, {"pos": 0.5}, {"update": "max-violation"}, {"epochs": 1}],
    DEPENDENCIES: [{"beam": 5}, {"update": "large-margin"}],
    CCG: [{"signature": "none"}, {"seen": 1}],
    COHN: [{"C": 2.0}, {"ngrams": estimate_ngrams([["rain", "fell"]], 3)}],
    MCDONALD: [{"k_best": 2}],
    REALIZER: [{"beam": 3}],
}
"""Settings of another training."""


@pytest.mark.parametrize(("first", "second"), [ENGINES, ENGINES[::-1]])
@pytest.mark.parametrize("system", STEPWISE)
def test_a_training_goes_on_from_its_checkpoint(
    system: str, first: str, second: str, tmp_path: Path
) -> None:
    """Whichever engine was interrupted, and only if it is the same training."""
    path, epochs = tmp_path / "c.wol", list[int]()

    def stop(epoch: int, moment: Any) -> None:
        if epoch == 2:
            assert search(system, moment(), asked(task_of(system))[0])
            raise Interrupted

    with pytest.raises(Interrupted):
        train(system, first, checkpoint=path, on_epoch=stop)
    whole = path.read_bytes()
    with pytest.raises(ModelError, match="checkpoint"):
        wl.load_model(path)
    for other in [*OTHERS[system], {"less": 1}]:
        with pytest.raises(ModelError, match=r"c\.wol.*other"):
            train(system, second, checkpoint=path, **other)
    assert path.read_bytes() == whole
    for name in ("resumed", "finished before"):
        note: Any = lambda epoch, _: epochs.append(epoch)  # noqa: E731
        train(system, second, checkpoint=path, on_epoch=note).save(tmp_path / name)
    trained(system).save(tmp_path / "whole")
    for name in ("resumed", "finished before"):
        assert (tmp_path / name).read_bytes() == (tmp_path / "whole").read_bytes(), name
    assert epochs == [3] if system != COHN else epochs[0] == 3
    for broken in (whole[: len(whole) // 2], (tmp_path / "whole").read_bytes()):
        path.write_bytes(broken)
        with pytest.raises(ModelError, match=r"c\.wol"):
            train(system, second, checkpoint=path)


def swapped(part: str, key: str, value: Any) -> Callable[[dict, dict], None]:
    def change(header: dict, arrays: dict) -> None:
        header[part][key] = value

    return change


def header(**values: Any) -> Callable[[dict, dict], None]:
    return lambda header, arrays: header.update(values)


def array(name: str, change: Callable[[np.ndarray], np.ndarray]) -> Callable[[dict, dict], None]:
    return lambda header, arrays: arrays.update({name: change(arrays[name])})


def first(value: float) -> Callable[[np.ndarray], np.ndarray]:
    return lambda numbers: np.concatenate([[value], numbers[1:]]).astype(numbers.dtype)


AB, NGRAMS, TAGGER = "wan-2009-ab", "ngram-beam", "supertagger"
CRAFTED: list[tuple[str, Callable[[dict, dict], Any], str]] = [
    (DEPENDENCIES, header(words=None), ""),
    (DEPENDENCIES, header(settings=3), ""),
    (DEPENDENCIES, header(templates={"name": "x", "text": "WORD(x);"}), ""),
    (DEPENDENCIES, header(dictionary=[1]), ""),
    (CCG, header(rules=[]), "a grammar without rules"),
    (CCG, header(rules=[["NP", ["N"], 3, 1]]), "the head of a rule is not a whole number from 0"),
    (CCG, header(rules=[["(NP", ["N"], 0, 1]]), ""),
    (CCG, header(categories={"words": []}), ""),
    (CCG, header(templates={"name": "x", "text": "Unary edges\nsize"}), ""),
    (COHN, header(features=["x"]), ""),
    (COHN, header(grammar={"rules": ["<S"], "roots": []}), ""),
    (COHN, header(ngrams=1), ""),
    (AB, lambda header, arrays: arrays.pop("arc_tag"), "'arc_tag' is missing"),
    (AB, lambda header, arrays: arrays.update(more=arrays["arc_tag"]), "does not belong there"),
    (AB, array("arc_tag", lambda a: a[1:]), "numbers instead of"),
    (AB, array("arc_tag", lambda a: a + 99), "that is not from"),
    (AB, array("unit_count", lambda a: -a), "is not from"),
    (AB, array("arc_side", lambda a: a * 1.5), "not one row of"),
    (AB, swapped("ngrams", "sizes", [1]), "n-grams do not fit"),
    (AB, lambda header, arrays: header.update(words=header["words"][::-1]), "not a sorted list"),
    (AB, header(words=[]), "no words"),
    (AB, swapped("settings", "beam", 0), "the beam of its training"),
    (AB, swapped("settings", "beam", None), "the beam of its training"),
    (NGRAMS, array("ngram_keys", lambda a: a[::-1].copy()), ""),
    (NGRAMS, lambda header, arrays: arrays.update(more=arrays["ngram_keys"]), ""),
    (NGRAMS, lambda header, arrays: arrays.pop("ngram_keys"), ""),
    (NGRAMS, swapped("ngrams", "vocabulary", ["<unk>", "<s>", "</s>"]), ""),
    (NGRAMS, header(ngrams=3), ""),
    (NGRAMS, header(dictionary=[]), ""),
    (NGRAMS, swapped("settings", "beam", 10**9), ""),
    (NGRAMS, swapped("settings", "tagged", "yes"), ""),
    *((s, swapped("settings", "capitals", 1), "") for s in ("bohnet-2011", "guo-2011")),
    *((s, header(inflector={}), "") for s in ("bohnet-2011", "guo-2011")),
    ("bohnet-2011", header(templates={"name": "", "text": "before | label //"}), ""),
    ("guo-2011", header(ngrams=[]), ""),
    ("parser", array("rights", lambda a: a[1:]), ""),
    ("parser", array("parents", lambda a: a + 10**6), ""),
    ("parser", array("scores", lambda a: np.abs(a) + 1.0), ""),
    ("parser", array("lowers", lambda a: a[::-1].copy()), ""),
    (TAGGER, array("tag_weights", first(99.0)), ""),
    (TAGGER, array("tag_labels", first(77)), ""),
    (TAGGER, array("tag_starts", first(5)), ""),
    (TAGGER, array("tag_keys", first(-4)), ""),
]
"""A system, what is changed in a whole file of it, and what is said then."""


@pytest.mark.parametrize(("system", "change", "said"), CRAFTED)
def test_a_crafted_file_is_refused(system: str, change: Any, said: str, tmp_path: Path) -> None:
    path = tmp_path / "m.wol"
    trained(system).save(path)
    header, arrays = load_arrays(path)
    change(header, arrays)
    save_arrays(path, header, arrays)
    with pytest.raises(ModelError, match=f"not a whole {system} model") as error:
        wl.load_model(path)
    assert said in str(error.value) and "\n" not in str(error.value)


NAN = float("nan")
TRAININGS: list[tuple[str, dict[str, Any], str]] = [
    (LIU, {"beam": 0}, "beam"),
    (LIU, {"epochs": 0}, "epochs"),
    (LIU, {"update": "late"}, "early, max-violation"),
    (LIU, {"deps": 1.5}, "from 0 to 1"),
    (LIU, {"pos": 1.5}, "from 0 to 1"),
    (LIU, {"templates": "nobody_1999"}, "liu_2015_table_2"),
    (LIU, {"engine": "steam"}, "reference and fast"),
    (LIU, {"negatives": "stop"}, "liu-2015 has no setting 'negatives'"),
    (LIU, {"labels": "yes"}, "True or False"),
    (LIU, {"templates": "puduppully_2016_labelled_tree"}, "look at labels: learn with labels"),
    (DEPENDENCIES, {"labels": 1}, "true or false"),
    (DEPENDENCIES, {"templates": "zhang_clark_2015_section_5_7"}, "learn with labels"),
    (DEPENDENCIES, {"signature": "2015"}, "no signature '2015'; there are none, ends, words"),
    (DEPENDENCIES, {"beam": -1}, "beam"),
    (DEPENDENCIES, {"epochs": 0}, "epochs"),
    (DEPENDENCIES, {"expansions": 0}, "expansions"),
    (DEPENDENCIES, {"max_length": 0}, "max_length"),
    (DEPENDENCIES, {"update": "late"}, "perceptron, large-margin, scaled"),
    (DEPENDENCIES, {"chart": "double"}, "single, sizes"),
    (DEPENDENCIES, {"negatives": "keep"}, "expand, discard, stop"),
    (DEPENDENCIES, {"templates": "nobody_1999"}, "zhang_clark_2015_table_2"),
    (DEPENDENCIES, {"deps": 1.5}, "a number from 0 to 1"),
    (DEPENDENCIES, {"chess": 1}, "no setting 'chess' in its training; it has pos, deps, beam"),
    (CCG, {"deps": 0.5}, "deps (0.5) is 0 for a CCG system"),
    (CCG, {"signature": "1999"}, "there are 2011, 2015, none"),
    (CCG, {"seen": -1}, "seen is a whole number"),
    (CCG, {"templates": "zhang_clark_2015_table_2"}, "zhang_clark_2015_table_1"),
    (CCG, {"expansions": 2.5}, "(expansions=...) takes a whole number or None, not 2.5"),
    (COHN, {"depth": -1}, "depth"),
    (COHN, {"loss": "bleu"}, "no loss 'bleu'; there are"),
    (COHN, {"penalty": -1.0}, "penalty is a number from 0 up"),
    (COHN, {"gold": "best"}, "no gold 'best'"),
    (COHN, {"features": "none"}, "no features 'none': name one or more of rule"),
    (COHN, {"C": 0.0}, "C is a number above 0"),
    (COHN, {"beam": "wide"}, "no beam 'wide'"),
    (COHN, {"templates": "nothing"}, "no template file"),
    (COHN, {"epochs": 3}, "has no setting 'epochs'"),
    (COHN, {"variables": 0}, "variables is a whole number"),
    (MCDONALD, {"k_best": 0}, "k_best is a whole number"),
    (MCDONALD, {"C": -1.0}, "from 0 up"),
    (MCDONALD, {"templates": "no"}, "no template file"),
    (FLUENT, {"order": 2}, "order"),
    (FLUENT, {"trace": wl.EventLog()}, "no steps"),
    (AB, {"order": 0}, "order is a whole number from 1"),
    (AB, {"epochs": 3}, "has no setting 'epochs'"),
    (AB, {"trace": wl.EventLog()}, "no steps to watch"),
    (REALIZER, {"inflection": "second"}, "inflection"),
    (REALIZER, {"folds": 0}, "folds"),
    (REALIZER, {"epochs": -1}, "epochs"),
    (REALIZER, {"templates": "no"}, "'no'"),
    ("bohnet-2011", {"epochs": 0}, "epochs"),
    ("bohnet-2011", {"beam": 0}, "beam"),
    ("bohnet-2011", {"bits": 40}, "bits"),
    ("bohnet-2011", {"templates": "none_such"}, "none_such"),
    ("bohnet-2011", {"trace": wl.EventLog()}, "no steps to watch"),
    ("guo-2011", {"order": 1}, "order"),
    ("parser", {"horizontal": -1}, "horizontal"),
    (TAGGER, {"variance": 0}, "variance"),
]


@pytest.mark.parametrize(("system", "settings", "said"), TRAININGS)
def test_trainings_that_cannot_be(system: str, settings: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=re.escape(said)):
        train(system, **settings)


def test_examples_that_cannot_be_learned_from() -> None:
    for system in SMALL:
        with pytest.raises(ValueError, match=r"to train on|nothing to learn from"):
            wl.train(system, [], **SMALL[system])
    with pytest.raises(ValueError, match="liu-2015"):
        wl.train("liu-1815", learned("order"))
    rain = [Sentence((Token(("rain",), "NN", -1),))]
    for system, said in (
        (COHN, "learns from pairs of trees"),
        (REALIZER, "learns from trees of lemmas"),
        ("parser", "learns from trees"),
        (TAGGER, "has categories"),
    ):
        with pytest.raises(ValueError, match=said):
            wl.train(system, rain)
    with pytest.raises(ValueError, match="learns from sentences"):
        wl.train(LIU, lemma_trees(2))
    bare = Sentence((Token(("go",), "VB", -1),), "bare")
    for system in (LIU, DEPENDENCIES):
        with pytest.raises(ValueError, match="'go' in the sentence 'bare' has no label"):
            wl.train(system, [bare], labels=True, progress=False)


SEARCHES: list[tuple[str, dict[str, Any], str]] = [
    (LIU, {"beam": 0}, "beam"),
    (LIU, {"beam": -1}, "beam"),
    (LIU, {"k": 0}, "k"),
    (LIU, {"engine": "steam"}, "reference and fast"),
    (DEPENDENCIES, {"beam": -1}, "beam"),
    (DEPENDENCIES, {"k": 0}, "from 1 up"),
    (DEPENDENCIES, {"chart": "double"}, "there are single, sizes"),
    (DEPENDENCIES, {"default": "2013"}, "there are 2015, 2011, all-words, tree"),
    (DEPENDENCIES, {"expansions": -1}, "-1"),
    (DEPENDENCIES, {"seconds": NAN}, "nan"),
    (DEPENDENCIES, {"width": 3}, "no setting 'width' in its search; it has beam, chart"),
    (CCG, {"signature": "1999"}, "there are 2011, 2015, none"),
    (AB, {"beam": 0}, "beam is a whole number from 1"),
    (AB, {"trace": wl.EventLog()}, "has no steps to watch"),
    (AB, {"growing": "yes"}, "true or false, not 'yes'"),
    ("wan-2009-cle", {"growing": True}, "wan-2009-cle has no setting 'growing'"),
    (COHN, {"beam": -1}, "beam"),
    (COHN, {"search": "greedy"}, "search"),
    (COHN, {"chart": "single"}, "chart"),
    (COHN, {"k": 0}, "whole number from 1 up"),
    (MCDONALD, {"length": 99}, "99 words cannot stay of"),
    (MCDONALD, {"length": 0}, "a whole number from 1 up"),
    (MCDONALD, {"rate": 0}, "rate is a number above 0"),
    (MCDONALD, {"rate": 0.5, "length": 2}, "leave one of them out"),
    (MCDONALD, {"bonus": NAN}, "bonus"),
    (MCDONALD, {"beam": 3}, "no setting 'beam'"),
    (ILP, {"constraints": "verbs"}, "no constraint 'verbs'"),
    (ILP, {"constraints": ["modifiers", ""]}, "no constraint ''"),
    (ILP, {"keep": "island"}, "a list of words"),
    (ILP, {"keep": ["harbour"]}, "is no word of"),
    (ILP, {"keep": ["her", "island"], "most": 1}, "2 words are to be kept"),
    (ILP, {"least": 0}, "from 1 up"),
    (ILP, {"least": 1.5}, "from 1 up"),
    (ILP, {"most": "half"}, "from 1 up"),
    (ILP, {"least": 6, "most": 2}, "at least 6 and at most 2"),
    (ILP, {"least": 5, "length": 6}, "leave least out"),
    (ILP, {"least": 0.5, "rate": 0.6}, "leave least out"),
    (ILP, {"length": 3, "most": 4}, "leave most out"),
    (ILP, {"length": 90}, "90 words cannot stay"),
    (ILP, {"k": 101}, "100 is the most"),
    (FLUENT, {"significance": -1}, "significance is a number from 0"),
    (REALIZER, {"width": 3}, "no setting 'width'"),
    (REALIZER, {"k": 0}, "k "),
    ("guo-2011", {"beam": 0}, "beam is a whole number"),
    ("guo-2011", {"k": 0}, "k "),
    ("guo-2011", {"trace": wl.EventLog()}, "no steps to watch"),
    ("guo-2011", {"engine": "slow"}, "no engine 'slow'"),
    ("parser", {"beam": 0}, "beam"),
    (TAGGER, {"beta": 1.5}, "from 0"),
]


@pytest.mark.parametrize(("system", "how", "said"), SEARCHES)
def test_searches_that_cannot_be(system: str, how: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=re.escape(said)) as error:
        search(system, trained(system), asked(task_of(system))[0], **how)
    assert "\n" not in str(error.value)
