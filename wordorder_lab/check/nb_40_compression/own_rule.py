"""Exercise 40.3: a rule of the student's own, which turns a passive into an active.

It is read like any other rule, put into a grammar, and held against sentences that it must turn
and sentences that it must leave alone. Then it is put into a trained model.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from nltk.tree import Tree

from wordorder_lab.check.common.exercise import Exercise, Wrong
from wordorder_lab.check.common.moments import Moment
from wordorder_lab.check.common.small_transducer import derivations, problem_of
from wordorder_lab.structures.compression import Compression, prepared, presented
from wordorder_lab.structures.phrase_tree import phrase_nodes
from wordorder_lab.structures.synchronous_rule import ElementaryTree, SynchronousRule, parse_rule
from wordorder_lab.systems.cohn_lapata_2009 import CompressionModel
from wordorder_lab.trace.log import EventLog
from wordorder_lab.transduction.grammar import SynchronousGrammar
from wordorder_lab.transduction.problem import TransductionProblem, match, with_application


def _was(subject: str, verb: str, preposition: str, other: str, auxiliary: str = "was") -> Tree:
    return Tree.fromstring(
        f"(S {subject} (VP (VBD {auxiliary}) (VP (VBN {verb}) (PP (IN {preposition}) {other})))"
        " (. .))"
    )


THE_BRIDGE = "(NP (DT The) (NN bridge))"
PASSIVES = (
    (_was(THE_BRIDGE, "closed", "by", "(NP (DT a) (NN storm))"), "A storm closed the bridge ."),
    (
        _was("(NP (NNP Lotus))", "bought", "by", "(NP (NNP IBM))"),
        "IBM bought Lotus .",
    ),
    (
        _was("(NP (DT The) (JJ old) (NN mill))", "visited", "by", "(NP (CD 100) (NNS guests))"),
        "100 guests visited the old mill .",
    ),
)
"""Sentences that the rule must turn, and what becomes of them."""

OTHERS = (
    _was(THE_BRIDGE, "closed", "on", "(NP (NNP Monday))"),
    _was("(NP (DT The) (NNS guests))", "left", "by", "(NP (NNP Monday))", "had"),
)
"""Sentences that look alike and are no passives with an agent: they stay as they are."""

SIMPLE = (
    "<S, S> -> <[S NP_2 [VP [VBD was] [VP VBN_3 [PP [IN by] NP_1]]] ._4],"
    " [S NP_1 [VP {}_3 NP_2] ._4]>"
)
"""A right answer; the tag of the verb may be VBN, or VBD with a rule for each verb."""


def rules_of(answer: Any) -> list[SynchronousRule]:
    """The rules of an answer, a text or several; ``Wrong`` for what is no rule."""
    lines = [answer] if isinstance(answer, str) else answer
    if not isinstance(lines, Sequence) or not all(isinstance(line, str) for line in lines):
        raise Wrong(
            "A rule is a text such as '<S, VP> -> <[S NP_eps VP_1], VP_1>'; or give a list."
        )
    try:
        return [parse_rule(line.strip()) for line in lines if line.strip()]
    except ValueError as error:
        raise Wrong(f"It cannot be read: {error}.") from None


def used_at(problem: TransductionProblem, rules: Sequence[SynchronousRule]) -> list[int]:
    """The applications of these rules; those of a word alone only help others."""
    here = enumerate(problem.applications)
    return [
        i
        for i, application in here
        if application.rule in rules and not _one_word(application.rule.source)
    ]


def outputs(tree: Tree, rules: Sequence[SynchronousRule]) -> set[str]:
    """All outputs of derivations that use one of these rules; copy rules may do the rest."""
    problem = problem_of(prepared(tree), [rule.text for rule in rules])
    texts = set()
    for number in used_at(problem, rules):
        only = with_application(problem, number)
        targets = (only.target_tree(derivation) for derivation in derivations(only))
        texts |= {" ".join(presented(target.leaves())) for target in targets}
    return texts


def _one_word(tree: ElementaryTree) -> bool:
    """Whether a source is a tag and its word: such rules help others."""
    return len(tree.children) == 1 and isinstance(tree.children[0], str)


def with_rules(model: CompressionModel, rules: Sequence[SynchronousRule]) -> CompressionModel:
    """The model with these rules in its grammar. What they share with others has a weight."""
    grammar = model.grammar
    counts = dict(zip(grammar.rules, grammar.counts)) | dict.fromkeys(rules, 1)
    larger = SynchronousGrammar(counts, grammar.roots, grammar.head_order)
    return replace(model.unshared(), grammar=larger)


def _judge(answer: Any, model: CompressionModel) -> str:
    rules = rules_of(answer)
    for tree, active in PASSIVES:
        text = " ".join(tree.leaves())
        results = outputs(tree, rules)
        if not results:
            raise Wrong(_idle(tree, rules))
        if active not in results:
            made = min(results, key=lambda result: (-len(result.split()), result))
            said = f"{text!r} should become {active!r}, and becomes {made!r} at most."
            raise Wrong(said, made_to_use(model, rules, tree))
    for tree in OTHERS:
        results = outputs(tree, rules)
        if results:
            text, made = (
                " ".join(tree.leaves()),
                max(results, key=lambda result: (len(result), result)),
            )
            said = f"It matches {text!r}, too, and makes {made!r} of it."
            raise Wrong(said, made_to_use(model, rules, tree))
    return "\n".join(["It turns all passives, and leaves the others alone.", *_used(model, rules)])


def made_to_use(
    model: CompressionModel, rules: Sequence[SynchronousRule], tree: Tree
) -> Moment | None:
    """The search of a model that has these rules and must use one of them; its end."""
    larger = with_rules(model, rules)
    problem = larger.problem(tree)
    for number in used_at(problem, rules):
        log = EventLog()
        try:
            larger.swap(tree, problem.applications[number].node, number, trace=log)
        except ValueError:  # no output uses it there
            continue
        return Moment(log, len(log), "With your rule")
    return None


def _idle(tree: Tree, rules: Sequence[SynchronousRule]) -> str:
    """Why no rule does anything with a tree."""
    nodes = phrase_nodes(prepared(tree))
    brackets = tree.pformat(margin=10**6)
    for rule in rules:
        if not _one_word(rule.source) and match(rule.source, nodes.root, nodes) is not None:
            return (
                f"{rule} matches {brackets}, but one of its variables cannot be filled: no rule "
                "gives the category that its target side wants there."
            )
    return f"Nothing of yours matches {brackets}"


def _used(model: CompressionModel, rules: Sequence[SynchronousRule]) -> Iterator[str]:
    """What a trained model does with the rules: a line for each passive."""
    larger = with_rules(model, rules)
    for tree, _ in PASSIVES:
        best = larger.compress(tree)
        problem = larger.problem(tree)
        number = used_at(problem, rules)[0]
        forced = larger.swap(tree, problem.applications[number].node, number)
        yield (
            f"With it the model says {best.text!r}, {_how(best, rules)} (score {best.score:.2f}); "
            f"made to use it, {forced.text!r} ({forced.score:.2f})."
        )


def _how(best: Compression, rules: Sequence[SynchronousRule]) -> str:
    used = [rule for rule in rules if rule.text in best.rules]
    if not used:
        return "without it"
    if all(_one_word(rule.source) for rule in used):
        return "with your rule for the verb, and one of its own"
    return "by your rule"


def _solve(model: CompressionModel) -> str:
    rule = SIMPLE.format("VBN")
    return (
        f'"{rule}"\n'
        "The variables change places: numbers are the alignment. *was* and *by* are words of the "
        "rule, so that it matches nothing else. The verb keeps its tag VBN; if it should become a "
        "VBD, write VBD_3 on the right, and a rule for every verb: "
        f"<VBN, VBD> -> <[VBN closed], [VBD closed]>.\n{_judge(rule, model)}"
    )


EXERCISES = (
    Exercise(
        "40.3",
        "Write a rule that turns a passive into an active.",
        (
            "Begin with the source side: copy the brackets of one of the sentences. What differs "
            "from sentence to sentence becomes a variable: NP_1.",
            "Where the sentence must have *was* and *by*, leave them in: [VBD was], [IN by]. The "
            "target side needs the same variables, each once, and none of the deleted ones.",
            "The target is [S NP_1 [VP VBN_3 NP_2] ._4] (a full stop is a label, too). Which NP "
            "of the source has to be NP_1?",
        ),
        _judge,
        _solve,
        needs=("model",),
    ),
)
