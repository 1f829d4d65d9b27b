"""Every option of ``wordorder-lab``, once: it is called and means the same in every command.

Nothing heavy is imported here, since ``--help`` should not wait for it.
"""

from __future__ import annotations

import argparse
from argparse import Namespace
from collections.abc import Callable
from functools import partial
from typing import Any

from wordorder_lab.structures.messages import (
    MOST_EPOCHS,
    MOST_HYPOTHESES,
    MOST_ORDER,
    MOST_RULE_DEPTH,
)

MOST = 1_000_000_000
"""Of a whole number that has no limit of its own."""
LARGEST, SMALLEST = 1e12, 1e-12
"""Of other numbers: their products are numbers, too."""
MOST_JOBS = 256
"""Processes, each with a Python of its own."""


def whole(text: str, least: int = 1, most: int = MOST) -> int:
    """A whole number from ``least`` up to ``most``."""
    if not text.isdecimal() or (len(text) < 20 and int(text) < least):
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from {least} up")
    if len(text) >= 20 or int(text) > most:
        raise argparse.ArgumentTypeError(f"{text!r} is too much: {most:,} is the most")
    return int(text)


def count(text: str, most: int = MOST) -> int:
    """A whole number from 0 up."""
    return whole(text, 0, most)


def number(text: str, least: float = -LARGEST, kind: str = "a number") -> float:
    """A number from ``least`` up, of a size that can still be worked with."""
    try:
        value = float(text)
    except ValueError:
        value = float("nan")
    if value > LARGEST or value < -LARGEST:
        raise argparse.ArgumentTypeError(f"{text!r} is too much: {LARGEST:g} is the most")
    if not value >= least:  # nor is nan
        raise argparse.ArgumentTypeError(f"{text!r} is not {kind}")
    return value


def classes(text: str) -> str:
    """Classes of features, as ``rule,ngram``, in the order in which they are written."""
    known = ("rule", "token", "ngram")
    given = [name.strip() for name in text.split(",")]
    if not set(given) <= set(known) or len(set(given)) < len(given):
        raise argparse.ArgumentTypeError(
            f"{text!r}: name one or more of {', '.join(known)}, with commas between"
        )
    return ",".join(name for name in known if name in given)


def amount(text: str) -> float:
    """A number from 0 up."""
    return number(text, 0, "a number from 0 up")


def positive(text: str) -> float:
    """A number above 0."""
    if 0 < (value := amount(text)) < SMALLEST:
        raise argparse.ArgumentTypeError(f"{text!r} is too little: {SMALLEST:g} is the least")
    if not value:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number above 0")
    return value


def share(text: str) -> float:
    """A number from 0 to 1; whole where it can be, so that 1 and 1.0 make the same model."""
    try:
        value = float(text)
    except ValueError:
        value = -1
    if not 0 <= value <= 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a share between 0 and 1")
    return int(value) if value in (0, 1) else value


BEAMS = ("experiments", "training", "exact")


def beam(text: str) -> int | str:
    """A whole number from 0 up, or one of the beams that have a name."""
    return text if text in BEAMS else hypotheses(text)


def hypotheses(text: str) -> int:
    """The size of a beam."""
    return count(text, MOST_HYPOTHESES)


def rate(text: str) -> float | str:
    """A share above 0, or the word "gold"."""
    value = text if text == "gold" else share(text)
    if not value:
        raise argparse.ArgumentTypeError("a rate of 0 leaves no words: give a share above 0")
    return value


def share_above_0(text: str) -> float:
    """A share of the words that stay."""
    if text == "gold":
        raise argparse.ArgumentTypeError("'gold' is for evaluate: here no reference is known")
    return float(rate(text))


def length_or_share(text: str) -> int | float:
    """A whole number of words from 1 up, or a share of them above 0 and below 1."""
    if text.isdecimal():
        return whole(text)
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < 1:
        raise argparse.ArgumentTypeError(
            f"{text!r} is neither a number of words from 1 up nor a share above 0 and below 1"
        )
    return value


def assignment(text: str) -> tuple[str, Any]:
    """A setting and its value, as TOML writes it; what is no TOML is taken as text."""
    name, equals, value = text.partition("=")
    if not equals or not name.isidentifier():
        raise argparse.ArgumentTypeError(f"{text!r} is not NAME=VALUE")
    import tomllib

    try:
        return name, tomllib.loads(f"value = {value}")["value"]
    except tomllib.TOMLDecodeError:
        return name, value


def option(help: str, type: Callable = str, metavar: str = "FILE", **more: Any) -> dict[str, Any]:
    """A row of ``OPTIONS``."""
    return {"help": help, "type": type, "metavar": metavar, **more}


def choice(help: str, *values: str) -> dict[str, Any]:
    """The same with a closed list of values."""
    return {"help": help, "choices": values}


def flag(help: str) -> dict[str, Any]:
    """The same without a value."""
    return {"help": help, "action": "store_true"}


OPTIONS: dict[str, dict[str, Any]] = {
    "system": option("which system: liu-2015, zhang-clark-2015-dependency, zhang-2013, for CCG "
                     "zhang-clark-2011, zhang-blackwood-clark-2012, zhang-clark-2015-ccg, for "
                     "n-grams alone ngram-beam, for comparison wan-2009-cle and wan-2009-ab, "
                     "for making sentences shorter cohn-lapata-2009, mcdonald-2006, "
                     "clarke-lapata-2008-ilp and clarke-lapata-2008-lm, and for the lexical "
                     "categories of words in their true order supertagger, for "
                     "their trees parser, and for sentences of trees of lemmas "
                     "liu-2015-realization and zhang-clark-2015-realization, and for comparison "
                     "bohnet-2011 and guo-2011",
                     metavar="SYSTEM"),
    "text": option("a bag as you type it, in quotes: 'led/VBD>0 [a team]/NP>1 . | 2<3', where "
                   "/VBD is a tag, >1 says that unit 1 is the head (0: the root), >1:obj the "
                   "label, too, and 2<3 that unit 2 stands before unit 3; CCG takes no heads, and "
                   "'the{0,2}' may be left out or used twice; without it, bags are read from "
                   "stdin, one a line",
                   metavar="BAG", nargs="*"),
    "corpus": option("a name or path; 'agreement' compares our conversion with NLTK's, 'ccg' makes "
                     "CCG derivations of Penn trees",
                     metavar="NAME", nargs="?"),
    "experiment": option("which table or figure, or the .toml file of one's own; without it, a "
                         "list", metavar="NAME", nargs="?"),
    "folder": option("the folder to write into; it is made if it is not there", metavar="DIR"),
    "--model": option("a model that train has written"),
    "--against": option("a second model on the same sentences: is the difference real?"),
    "--corpus": option("the name of a corpus or the path of one", metavar="NAME"),
    "--conllu": option("read bags from this CoNLL-U file ('-': from stdin), with _ where a tag or "
                       "head is not known, and Before=3 in MISC for an order"),
    "--split": choice("which part of the corpus", "train", "dev", "test"),
    "--units": choice("keep base noun phrases whole, or not", "base-np", "words"),
    "--pos": option("share of words whose tag is given, 0 to 1", share, "SHARE"),
    "--deps": option("share of words whose head is given, 0 to 1", share, "SHARE"),
    "--beam": option("how many hypotheses are kept: at each step (liu-2015 and ngram-beam, default "
                     "64), or in the chart (default 64 too, 0: no bound)", hypotheses, "N"),
    "--chart": choice("one beam for the whole chart, or one for each number of words (CCG in "
                      "2011 and 2012)", "single", "sizes"),
    "--signature": choice("which phrases are one to the chart: in CCG those of 2011 or of 2015, of "
                          "trees those with the same ends or words, or only the very same",
                          "2011", "2015", "none", "ends", "words"),
    "--seen": option("CCG: a word has lexical categories of its own if it was seen more often than "
                     "this, otherwise those of its tag (default: 20)", count, "N"),
    "--categories": option("CCG: where the categories of words come from: dictionary, by word and "
                           "tag (default, or as in training); beta=0.075, a supertagger that reads "
                           "each sentence in its true order, which is no bag-of-words task any "
                           "more; or a file, as supertag prints it",
                           metavar="dictionary|beta=B|FILE"),
    "--supertagger": option("CCG: take this supertagger for --categories beta=, not the model's "
                            "own (in training: not one learned from the same sentences)"),
    "--jackknife": option("CCG with --categories beta=: the sentences of training are tagged by "
                          "taggers that have read the other parts, of so many (default: 10; 0: by "
                          "one that has read all)", count, "N"),
    "--keep-tagger": flag("CCG: learn a supertagger and keep it in the model, also where training "
                          "takes the dictionary, so that --categories may be chosen later"),
    "--parser": option("shorter sentences: the parser that gives sentences their trees where they "
                       "have none, and that outputs are parsed anew with: a model of parser, or "
                       "default, one of the Penn sample (where it is missing: of the Gazette, "
                       "trained anew each time)", metavar="default|FILE"),
    "--beta": option("keep the categories that have at least this share of the probability of a "
                     "word's best (default: 0.075)", share, "SHARE"),
    "--variance": option("supertagger: of the Gaussian prior (default: 1; the smaller, the nearer "
                         "the weights stay to 0)", positive, "X"),
    "--horizontal": option("parser: how many sisters a rule remembers when it is made binary "
                           "(default: 1)", count, "N"),
    "--vertical": option("parser: labels of how many nodes make a symbol, a node's own and those "
                         "above it (default: 2)", whole, "N"),
    "--splits": choice("parser: split labels by more than that, after Klein and Manning (default: "
                       "all)", "all", "none"),
    "--inflection": choice("realisation: the search chooses the forms that a tree leaves open "
                           "(joint, the default), wherever there are several (all), or takes the "
                           "most probable one (first)", "joint", "all", "first"),
    "--labels": {"help": "realisation: look at the labels of arcs (default: yes); liu-2015 and "
                 "zhang-clark-2015-dependency: learn them, too (default: no)",
                 "action": argparse.BooleanOptionalAction},
    "--lift": {"help": "realisation: learn from trees with crossing arcs too, which are lifted "
               "(default: yes)", "action": argparse.BooleanOptionalAction},
    "--english": {"help": "realisation: rules and lists of English stand behind the forms that "
                  "were counted (default: yes for sr18, sr20, ewt, gum and gazette)",
                  "action": argparse.BooleanOptionalAction},
    "--capitals": {"help": "realisation: sentences begin with a capital (default: yes)",
                   "action": argparse.BooleanOptionalAction},
    "--set": option("a setting by its name, such as one that only a system of another package has "
                    "(may be given several times)", assignment, "NAME=VALUE", action="append"),
    "--skip-bad": flag("leave out what is no tree, say so, and go on"),
    "--detokenize": flag("print sentences as people write them, not token by token"),
    "--file": option("read sentences from this file, one a line"),
    "--expansions": option("stop a search after so many expansions (2,000 if there is no limit; in "
                           "training 1,000 a sentence)", count, "N"),
    "--seconds": option("stop a search after so many seconds", amount, "SECONDS"),
    "--memory": option("stop a search that takes so many MiB, at 2 KiB an edge", amount, "MIB"),
    "--default": choice("whose way to put an output together when a search is stopped (default: "
                        "2015, but 2011 in the CCG systems of 2011 and 2012)", "2015", "2011"),
    "--search": choice("shorter sentences: cube pruning (default), or every combination",
                       "cube", "exhaustive"),
    "--bonus": option("shorter sentences: points for each word of the output: longer outputs, or "
                      "below 0 for shorter ones (default: 0)", number, "POINTS"),
    "--constraints": option("clarke-lapata-2008-ilp and -lm: what shorter sentences obey: all "
                            "(default), none, or names with commas between, of modifiers, "
                            "negation, possessives, arguments, verb, coordination, brackets, "
                            "pronouns", metavar="all|none|NAMES"),
    "--keep": option("the same: this word stays (may be given several times)", metavar="WORD",
                     action="append"),
    "--least": option("the same: at least so many words stay, or this share of them (default: 1 "
                      "word; -lm 0.4)", length_or_share, "N|SHARE"),
    "--most": option("the same: at most so many words, or this share (default: all)",
                     length_or_share, "N|SHARE"),
    "--significance": option("clarke-lapata-2008-lm: how much it counts what a word says, beside "
                             "how likely n-grams are (default: 4)", amount, "X"),
    "--length": option("systems that delete words: just so many stay", whole, "N"),
    "--rate": option("shorter sentences: choose the bonus on dev so that this share of the words "
                     "stays, or as many as in the references (gold)", rate, "gold|SHARE"),
    "--epochs": option("how often training goes through the sentences",
                       partial(whole, most=MOST_EPOCHS), "N"),
    "--sentences": option("take the first N sentences of each split only", whole, "N"),
    "--seed": option("decides what is left to chance", count, "N"),
    "--engine": choice("the one to read, or the one to wait for", "reference", "fast"),
    "--templates": option("which feature templates: a name, or a file of one's own, FILE.txt",
                          metavar="NAME"),
    "--update": option("how to update the weights: early (default) or max-violation (liu-2015); "
                       "scaled (default), large-margin or perceptron (the others)", metavar="RULE"),
    "--negatives": choice("what becomes of a wrong edge: Algorithm 3 (default), Algorithm 2 "
                          "(also Zhang 2013), or the sentence is done",
                          "expand", "discard", "stop"),
    "--max-length": option("learn from sentences of up to so many units", whole, "N"),
    "--averaged": {"help": "take the average of the weights, or the last ones (default: average)",
                   "action": argparse.BooleanOptionalAction},
    "--shuffle": flag("another order of the sentences in every epoch"),
    "--depth": option("rules: how many matches of a pair of trees a rule may ignore (default: 1)",
                      partial(count, most=MOST_RULE_DEPTH), "N"),
    "--variables": option("rules: with at most so many variables (default: 5, of real text 10)",
                          whole, "N"),
    "--nodes": option("rules: with at most so many nodes on either side (default: 15, of real "
                      "text 40)", whole, "N"),
    "--choice": choice("rules: where a node matches several, take one (default) or all", "single",
                       "all"),
    "--order": option("words of the longest n-gram (default: 3; ngram-beam 5)",
                      partial(whole, most=MOST_ORDER), "N"),
    "--min-count": option("ngram-beam: words seen less often are unknown ones (default: 3; "
                          "clarke-lapata-2008-lm 2); supertagger: go by their tags alone (default: "
                          "5)", whole, "N"),
    "--signatures": {"help": "ngram-beam: tell unknown words apart by their look, as numbers, "
                     "names, words in -ing (default: yes)",
                     "action": argparse.BooleanOptionalAction},
    "--lower-case": flag("ngram-beam: learn lower-cased words"),
    "--tagged": flag("ngram-beam: learn words with their tags, as word/TAG"),
    "--mark-phrases": {"help": "ngram-beam: learn base NPs between marks of their own (default: "
                       "yes)", "action": argparse.BooleanOptionalAction},
    "--text": option("ngram-beam: learn from this text, too: a sentence a line, tokenised as the "
                     "corpus is; or brown, the Brown Corpus (default of clarke-lapata-2008-lm)",
                     nargs="+"),
    "--arpa": option("ngram-beam: write the n-grams there, too, as an ARPA file"),
    "--future-cost": {"help": "ngram-beam: count what the words left over may bring (default: yes)",
                      "action": argparse.BooleanOptionalAction},
    "--recombine": {"help": "ngram-beam: of hypotheses that nothing to come can tell apart, keep "
                    "one (default: yes)", "action": argparse.BooleanOptionalAction},
    "--exact": {"help": "ngram-beam: the best order for certain, of up to 14 different units",
                "action": argparse.BooleanOptionalAction},
    "--folds": option("a pair or sentence is learned with n-grams of the other parts, of so many "
                      "(default: 5; 1: with those of all)", whole, "N"),
    "--lm": option("liu-2015 and best-first: put the n-gram model of this ARPA file, or of a model "
                   "that has one, beside the features in the search"),
    "--lm-order": option("the same with n-grams of this order, learned from the sentences of the "
                         "training (5, say; default: 0, none)",
                         partial(count, most=MOST_ORDER), "N"),
    "--lm-text": option("further text for these n-grams: a sentence a line, its words apart by "
                        "spaces; or brown, the Brown Corpus", nargs="+"),
    "--lm-weight": option("how much the n-grams' log-probability counts beside the features; may "
                          "be changed after training (default: 4 in liu-2015, 0.1 in "
                          "best-first, 0.01 and 1 in 2012 and 2011; 0: syntax alone)",
                          amount, "X"),
    "--lm-in-training": flag("liu-2015: let the n-grams count while features are learned, too, "
                             "each sentence with those of other folds"),
    "--ngrams": option("take the n-gram model of this ARPA file, not one of what is learned from"),
    "--loss": choice("what an output has to answer for", "hamming-tokens", "hamming-ngrams",
                     "hamming-cfg", "edit", "f1"),
    "--penalty": option("of the Hamming losses: what a missing word costs (default: 1)", amount,
                        "X"),
    "--gold": choice("which derivation is the right one of a pair: that of most rules (default), "
                     "the best or worst after a first training, or any", "max-rules", "max-score",
                     "min-score", "random"),
    "--features": option("shorter sentences: learn with features of these classes, one or more of "
                         "rule, token and ngram (default: rule,token,ngram)", classes,
                         "CLASS,CLASS"),
    "--C": option("weighs the losses against the size of the weights (default: 10; the "
                  "paper has 0.01, with which every word of the Gazette is kept); mcdonald-2006: "
                  "the most that one output moves the weights (default: no bound)", positive, "X",
                  nargs="+"),
    "--k-best": option("mcdonald-2006: with how many outputs of its own the right one is compared "
                       "(default: 5)", partial(whole, most=MOST_HYPOTHESES), "N"),
    "--scaling": option("multiplies all features inside the learner (default: 1)", positive, "X",
                        nargs="+"),
    "--formulation": choice("of the structured SVM (default: 1-slack)", "1-slack", "n-slack"),
    "--tolerance": option("stop when at most this share of what learning can gain is still missing "
                          "(default: 0.01)", positive, "SHARE"),
    "--iterations": option("how often training searches all pairs, at most (default: 200); of "
                           "supertagger, how many steps it takes (default: 60)", whole, "N"),
    "--grid": flag("try several C and scalings, the usual ones or those given, and keep the model "
                   "with the smallest loss on dev"),
    "--eval": choice("print how good the model is on this split after each epoch", "dev", "test"),
    "--out": option("where to write"),
    "--k": option("how many outputs to list", partial(whole, most=MOST_HYPOTHESES), "N", default=1),
    "--trees": option("read the trees from this file, in Penn brackets ('-': from stdin)"),
    "--rules": flag("print the rules of the derivation too, the root's first"),
    "--tree": flag("print the syntax tree too, or in CCG the derivation"),
    "--trace": option("record every event of the run in this file"),
    "--play": option("write a page that plays the search step by step, to open in a browser"),
    "--html": option("write it as a page, too, to open in a browser"),
    "--show": option("how many outputs to print beside their references", count, "N", default=3),
    "--report": flag("gazette only: measure it beside the Penn sample and write its report"),
    "--jobs": option("how many processes (default: 1; with --cluster, as many as it has); "
                     "in a training only of cohn-lapata-2009",
                     partial(whole, most=MOST_JOBS), "N"),
    "--cluster": option("work on a Dask cluster: tcp://HOST:PORT of its scheduler (tls:// with "
                        "certificates), or local for one of this machine's cores",
                        metavar="ADDRESS"),
    "--check": flag("check that the records and what they were made from belong together"),
    "--errors": flag("say whose fault wrong outputs are, by length: the search's, where the gold "
                     "structure scores more under the model, or the model's; of sentences made of "
                     "trees of lemmas, why they are wrong, and what BLEU would be without it"),
    "--quiet": flag("show no progress bars"),
    "--json": option("write the numbers there too; '-' prints them instead of the text"),
}  # fmt: skip


SETTINGS = (
    *("pos", "deps", "beam", "epochs", "seed", "templates", "update", "shuffle"),
    *("chart", "negatives", "signature", "seen", "expansions", "max_length", "averaged"),
    *("depth", "variables", "nodes", "choice", "order", "folds", "ngrams", "loss", "penalty"),
    *("gold", "C", "scaling", "features", "formulation", "tolerance", "max_iterations", "grid"),
    *("k_best", "min_count", "lower_case", "tagged", "mark_phrases", "signatures", "text"),
    *("lm_order", "lm_weight", "lm_in_training"),
    *("categories", "jackknife", "keep_tagger", "variance"),
    *("horizontal", "vertical", "splits", "jobs"),
    *("inflection", "labels", "lift", "english", "capitals"),
)
"""The options that are settings of some system's training."""


def given_settings(arguments: Namespace) -> dict[str, Any]:
    """What the command line says about the training; a flag that was not set says nothing."""
    given = {name: getattr(arguments, name) for name in SETTINGS} | named_settings(arguments)
    flags = ("shuffle", "grid", "lower_case", "tagged", "lm_in_training", "keep_tagger")
    return {k: v for k, v in given.items() if v is not None and not (k in flags and not v)}


def named_settings(arguments: Namespace) -> dict[str, Any]:
    """What ``--set`` says; of a setting that is named twice, the last value.

    Raises ``ValueError`` for one that has an option: there its value is looked at.
    """
    given = dict(getattr(arguments, "set", None) or ())
    for name in given:
        option = f"--{name.replace('_', '-')}"
        if option in OPTIONS or name in SETTINGS:
            raise ValueError(f"--set is for settings that have no option: {name} has {option}")
    return given
