"""Notebook 40, sentence compression as tree transduction: its exercises.

What the notebook looks at is in ``nb_40_shown``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import replace
from functools import cache
from itertools import count, product

from nltk.tree import Tree

from wordorder_lab.check import judges
from wordorder_lab.check.exercise import Function, Wrong
from wordorder_lab.check.judges import Case, exercise
from wordorder_lab.check.moments import Moment
from wordorder_lab.check.nb_40_shown import WIDE, aligned, labelled
from wordorder_lab.check.small_transducer import FIGURE_1, derivations, problem_of
from wordorder_lab.corpora.readers.penn import parse_tree
from wordorder_lab.structures.compression import CompressionPair, prepared, presented
from wordorder_lab.structures.phrase_tree import PhraseNodes, phrase_nodes
from wordorder_lab.structures.synchronous_rule import ElementaryTree, SynchronousRule, parse_rule
from wordorder_lab.systems.cohn_lapata_2009 import CompressionModel
from wordorder_lab.trace.log import EventLog
from wordorder_lab.transduction.cube_pruning import Combination, Grid, Ranks, best_first
from wordorder_lab.transduction.extraction import ConstituentAlignment, Extraction
from wordorder_lab.transduction.grammar import SynchronousGrammar
from wordorder_lab.transduction.problem import TransductionProblem, match, with_application

Rules = Sequence[SynchronousRule]

STORM = Tree.fromstring(
    "(S (NP (DT the) (JJ old) (NN storm)) (VP (VBD closed) (NP (DT the) (NN harbor))) (. .))"
)
ONE_MORE = "<S, S> -> <[S NP_1 [VP VBD_2 NP_eps] ._3], [S NP_1 [VP VBD_2] ._3]>"


def counts() -> Iterator[Case]:
    """The three numbers, by writing every derivation down."""
    alone, problem = problem_of(STORM), problem_of(STORM, [ONE_MORE])
    more = list(derivations(problem))
    trees = {str(problem.target_tree(derivation)) for derivation in more}
    yield Case("derivations with copy and deletion rules alone", len(list(derivations(alone))))
    yield Case("derivations with the rule as well", len(more))
    yield Case("different target trees with the rule as well", len(trees))


@exercise("40.1", counts, judges.COUNT)
def how_many() -> list[int]:
    """How many derivations does this tree have?

    - Begin at the bottom: in how many ways does *the old storm* become an NP? (Only NP counts: a
      copy or deletion rule above wants an NP there.)
    - Children are kept in the order of their importance: in S first VP, then NP, then the full
      stop. A rule with two variables has ways of the one times ways of the other.
    - The rule more: what does it do that two rules of section 4 could not do together?

    From the bottom up. *the old storm* as an NP: the noun; with the determiner; all. *the harbor*
    has two ways. The verb phrase: the verb alone, or with its object in two ways, 3. The sentence:
    the verb phrase alone, 3; with the subject, 3 × 3; with the full stop as well, 3 × 3. So there
    are 21. The rule more does what a deletion rule in the VP and a copy rule above it do together,
    for each of the three subjects: 3 derivations more, and no tree more.

    Right: Ways multiply over the variables of a rule, and add up over rules. The last two numbers
    differ: several derivations give one tree. The paper calls it spurious ambiguity.
    """
    return [21, 24, 21]


def _pair(source: str, target: str, alignment: str) -> CompressionPair:
    words = tuple((int(s), int(t)) for s, t in (link.split("-") for link in alignment.split()))
    return CompressionPair(Tree.fromstring(source), (Tree.fromstring(target),), words)


PAIRS = (
    FIGURE_1,
    _pair(
        "(S (NP (DT the) (NN harbor)) (VP (VBD was) (VP (VBN closed) (PP (IN by) (NP (NNS storms"
        "))))) (. .))",
        "(S (NP (NNS storms)) (VP (VBD closed) (NP (DT the) (NN harbor))) (. .))",
        "0-2 1-3 3-1 5-0 6-4",
    ),
    _pair(
        "(S (NP (NN rain) (NNS storms)) (VP (MD cannot) (ADVP (RB now)) (VP (VB help))))",
        "(S (NP (DT the) (NNS rainstorms)) (VP (MD can) (RB not) (VP (VB help))))",
        "0-1 1-1 2-2 2-3 4-4",
    ),
)
"""A deletion; a passive; words that are two on one side or aligned to nothing."""


def _below(nodes: PhraseNodes, node: int) -> frozenset[int]:
    return frozenset(range(nodes.begins[node], nodes.ends[node]))


def _constituents() -> Iterator[Case]:
    for pair in PAIRS:
        source, target, alignment = aligned(pair)
        linked = [f"{source.leaves[s]}-{target.leaves[w]}" for s, w in pair.alignment]
        words = [(..., f"Aligned words of this pair: {' '.join(linked)}.")]
        for v, t in product(range(len(source)), range(len(target))):
            about = " and ".join(
                f"{label} {text!r}" for label, text in (labelled(source, v), labelled(target, t))
            )
            given = (_below(source, v), _below(target, t), frozenset(pair.alignment))
            yield Case(about, t in alignment.targets[v], given, words)


def minimal_rules(test: Function, pair: CompressionPair) -> list[str]:
    """Algorithm 3 with the constituents that this test aligns, the highest target nodes first."""
    source, target, alignment = aligned(pair)
    words, there = frozenset(pair.alignment), range(len(target))[::-1]
    targets = tuple(
        tuple(t for t in there if test(_below(source, v), _below(target, t), words))
        for v in range(len(source))
    )
    own = ConstituentAlignment(targets, alignment.null)
    return [rule.text for rule in Extraction(source, target, own).rules()]


def _judge_belong(own: Function) -> str:
    say = "and you say otherwise"
    truth = judges.Truth(f"they do not belong together, {say}", f"they belong together, {say}")
    judges.ask_all(own, _constituents(), truth)
    found = len(minimal_rules(own, FIGURE_1))
    return f"Right for every pair of nodes. Plugged into Algorithm 3, it finds {found} rules."


@exercise("40.2", judge=_judge_belong)
def belong(source: Set[int], target: Set[int], pairs: Set[tuple[int, int]]) -> bool:
    """Write equation 2: do these two constituents belong together?

    - Go through the aligned pairs of words. Each may lie inside both constituents, inside one of
      them, or inside neither. Which of these is forbidden?
    - The printed equation lost a *there is no* before its second line: there is no pair with its
      source word inside and its target word outside, or the other way round.
    - And one pair at least must lie inside both, or any two deleted phrases would belong together.

    A pair of aligned words lies inside both, or inside neither; and one pair at least lies inside.
    """
    inside = [(s in source, t in target) for s, t in pairs]
    return (True, True) in inside and all(one == other for one, other in inside)


def _was(subject: str, verb: str, preposition: str, other: str, auxiliary: str = "was") -> Tree:
    inside = f"(VP (VBN {verb}) (PP (IN {preposition}) {other}))"
    return Tree.fromstring(f"(S {subject} (VP (VBD {auxiliary}) {inside}) (. .))")


_BRIDGE, _MILL = "(NP (DT The) (NN bridge))", "(NP (DT The) (JJ old) (NN mill))"
PASSIVES = (
    (_was(_BRIDGE, "closed", "by", "(NP (DT a) (NN storm))"), "A storm closed the bridge ."),
    (_was("(NP (NNP Lotus))", "bought", "by", "(NP (NNP IBM))"), "IBM bought Lotus ."),
    (
        _was(_MILL, "visited", "by", "(NP (CD 100) (NNS guests))"),
        "100 guests visited the old mill .",
    ),
)
"""Sentences that the rule must turn, and what becomes of them."""
OTHERS = (
    _was(_BRIDGE, "closed", "on", "(NP (NNP Monday))"),
    _was("(NP (DT The) (NNS guests))", "left", "by", "(NP (NNP Monday))", "had"),
)
"""Sentences that look alike and are no passives with an agent: they stay as they are."""


def rules_of(answer: object) -> list[SynchronousRule]:
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


def _one_word(tree: ElementaryTree) -> bool:
    """Whether a source is a tag and its word: such rules help others."""
    return len(tree.children) == 1 and isinstance(tree.children[0], str)


def used_at(problem: TransductionProblem, rules: Rules) -> list[int]:
    """The applications of these rules; those of a word alone only help others."""
    own = [rule for rule in rules if not _one_word(rule.source)]
    return [i for i, one in enumerate(problem.applications) if one.rule in own]


def outputs(tree: Tree, rules: Rules) -> set[str]:
    """All outputs of derivations that use one of these rules; copy rules may do the rest."""
    problem = problem_of(prepared(tree), [rule.text for rule in rules])
    problems = (with_application(problem, number) for number in used_at(problem, rules))
    targets = (only.target_tree(one) for only in problems for one in derivations(only))
    return {" ".join(presented(target.leaves())) for target in targets}


def with_rules(model: CompressionModel, rules: Rules) -> CompressionModel:
    """The model with these rules in its grammar. What they share with others has a weight."""
    grammar = model.grammar
    seen = dict(zip(grammar.rules, grammar.counts)) | dict.fromkeys(rules, 1)
    larger = SynchronousGrammar(seen, grammar.roots, grammar.head_order)
    return replace(model.unshared(), grammar=larger)


def _judge_rules(answer: object, model: CompressionModel) -> str:
    rules = rules_of(answer)
    for tree, active in PASSIVES:
        results = outputs(tree, rules)
        if not results:
            raise Wrong(_idle(tree, rules))
        if active not in results:
            made = min(results, key=lambda result: (-len(result.split()), result))
            text = " ".join(tree.leaves())
            message = f"{text!r} should become {active!r}, and becomes {made!r} at most."
            raise Wrong(message, made_to_use(model, rules, tree))
    for tree in OTHERS:
        if results := outputs(tree, rules):
            made = max(results, key=lambda result: (len(result), result))
            message = f"It matches {' '.join(tree.leaves())!r}, too, and makes {made!r} of it."
            raise Wrong(message, made_to_use(model, rules, tree))
    return "\n".join(["It turns all passives, and leaves the others alone.", *_used(model, rules)])


def _idle(tree: Tree, rules: Rules) -> str:
    nodes = phrase_nodes(prepared(tree))
    brackets = tree.pformat(margin=10**6)
    for rule in rules:
        if not _one_word(rule.source) and match(rule.source, nodes.root, nodes) is not None:
            return (
                f"{rule} matches {brackets}, but one of its variables cannot be filled: no rule "
                "gives the category that its target side wants there."
            )
    return f"Nothing of yours matches {brackets}"


def made_to_use(model: CompressionModel, rules: Rules, tree: Tree) -> Moment | None:
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


def _used(model: CompressionModel, rules: Rules) -> Iterator[str]:
    larger = with_rules(model, rules)
    for tree, _ in PASSIVES:
        best, problem = larger.compress(tree), larger.problem(tree)
        number = used_at(problem, rules)[0]
        forced = larger.swap(tree, problem.applications[number].node, number)
        used = [_one_word(rule.source) for rule in rules if rule.text in best.rules]
        how = "by your rule" if used else "without it"
        if used and all(used):
            how = "with your rule for the verb, and one of its own"
        yield (
            f"With it the model says {best.text!r}, {how} (score {best.score:.2f}); "
            f"made to use it, {forced.text!r} ({forced.score:.2f})."
        )


@exercise("40.3", judge=_judge_rules, needs=("model",))
def my_rules(model: CompressionModel) -> list[str]:
    """Write a rule that turns a passive into an active.

    - Begin with the source side: copy the brackets of one of the sentences. What differs from
      sentence to sentence becomes a variable: NP_1.
    - Where the sentence must have *was* and *by*, leave them in: [VBD was], [IN by]. The target
      side needs the same variables, each once, and none of the deleted ones.
    - The target is [S NP_1 [VP VBN_3 NP_2] ._4] (a full stop is a label, too). Which NP of the
      source has to be NP_1?

    *was* and *by* stay in the rule, so that nothing else matches; all else is a variable. The
    numbers are the alignment: the second NP comes first. With `VBN_3` on the right the verb keeps
    its tag, and one rule is enough. A `VBD` would be right, and then every verb needs a rule of its
    own. The model likes these better: it has seen such sentences, and knows the first rule already.
    """
    return [
        "<S, S> -> <[S NP_2 [VP [VBD was] [VP VBN_3 [PP [IN by] NP_1]]] ._4],"
        " [S NP_1 [VP VBD_3 NP_2] ._4]>",
        "<VBN, VBD> -> <[VBN closed], [VBD closed]>",
        "<VBN, VBD> -> <[VBN bought], [VBD bought]>",
        "<VBN, VBD> -> <[VBN visited], [VBD visited]>",
    ]


ROWS, COLUMNS = (-1.0, -2.5, -3.0), (-2.0, -2.25, -4.5)
"""What the items for the variables of the first rule seem to be worth, best first."""
ALONE = (-0.5, -1.4, -3.5)  # the same for the only variable of the second rule
SCORES = (0.0, -3.25)  # of the two rules; the numbers are ours
LEAVES = (("X", ROWS), ("Y", COLUMNS), ("Z", ALONE))
"""The parts of the sentence that is played: each becomes one of three words."""
TAKEN = 7  # so many combinations are asked for


def heuristic(rule: int, ranks: Ranks) -> float:
    """What a combination seems to be worth: the rule, and the items chosen."""
    if rule == 0:
        return SCORES[0] + ROWS[ranks[0]] + COLUMNS[ranks[1]]
    return SCORES[1] + ALONE[ranks[0]]


def taken() -> list[Combination]:
    """The first combinations, in the order in which the decoder's own queue takes them."""
    grids = [Grid(0, (len(ROWS), len(COLUMNS))), Grid(1, (len(ALONE),))]
    combinations = best_first(grids, heuristic)
    return [next(combinations) for _ in range(TAKEN)]


def grid_asked() -> list[dict[str, str]]:
    """The numbers of the exercise as rows of a table."""
    names = ("rule 1, variable 1", "rule 1, variable 2", "rule 2")
    return [
        {"items for": name, **{f"item {rank}": f"{value:g}" for rank, value in enumerate(values)}}
        for name, (_, values) in zip(names, LEAVES, strict=True)
    ]


@cache
def played() -> EventLog:
    """The last cell of such a search, with cells below it that have just these items."""
    log, numbers = EventLog(), count()
    words = [label.lower() for label, _ in LEAVES]
    log.begin(words, [1, 1, 1], 3 * len(ROWS) + 2, TAKEN)
    log.source([*(label for label, _ in LEAVES), "S"], [3, 3, 3, -1], [*words, ""])
    for node, (label, values) in enumerate(LEAVES):
        for rank, value in enumerate(values, 1):
            rule = f"<{label}, {label}> -> <[{label} {words[node]}], [{label} {words[node]}{rank}]>"
            log.application(next(numbers), node, label, rule, "extracted", [], [], value)
    for rule, children, gone, score in (
        ("<S, S> -> <[S X_1 Y_2 Z_eps], [S X_1 Y_2]>", [0, 1], [2], SCORES[0]),
        ("<S, S> -> <[S X_eps Y_eps Z_1], [S Z_1]>", [2], [0, 1], SCORES[1]),
    ):
        log.application(next(numbers), 3, "S", rule, "extracted", children, gone, score)
    for node, (label, values) in enumerate(LEAVES):
        log.cell(node, node, label)
        items = [len(values) * node + rank for rank in range(1, len(values) + 1)]
        for item, value in zip(items, values):
            log.combined(item, item - 1, [], value, value, 0.0, 0.0, item, "new")
        log.filled(node, items)
    log.cell(3, 3, "S")
    below = 3 * len(ROWS)
    for item, made in enumerate(taken(), below + 1):
        ranks, worth = [*made.ranks], made.heuristic
        log.combined(item, below + made.application, ranks, worth, worth, 0.0, 0.0, item, "new")
    log.filled(3, [below + place for place in range(1, TAKEN + 1)])
    return log


class _Ranks(judges.Wanted[Ranks]):
    """An answer such as (0, 1), (2,) or 2 as places in a grid."""

    def read(self, value: object) -> Ranks:
        places = (value,) if isinstance(value, int) else value
        if not isinstance(places, Sequence) or len(places) not in (1, 2) or isinstance(places, str):
            raise Wrong(
                f"(0, 1) is a combination of rule 1, (0,) one of rule 2; {value!r} is neither."
            )
        if any(not isinstance(rank, int) or not 0 <= rank < len(ROWS) for rank in places):
            raise Wrong(f"items have the numbers 0 to {len(ROWS) - 1}: {value!r} has others.")
        return tuple(places)

    def text(self, value: Ranks) -> str:
        return f"{value}, which seems to be worth {heuristic(len(value) == 1, value):g}"


def _taken() -> Iterator[Case]:
    before: list[tuple[object, str]] = []
    for place, one in enumerate(taken(), 1):
        better = (..., f"There is something with {one.heuristic:g}.")
        at = len(played()) - 1 - TAKEN + place - 1  # what waits at the border?
        where = Moment(played(), at, f"Which combination is number {place}?", "transduction")
        yield Case(f"Number {place}", one.ranks, mistakes=[*before, better], moment=where)
        before.append((one.ranks, "It has been taken already."))


@exercise("40.4", _taken, _Ranks())
def order_taken() -> list[Ranks]:
    """In which order does cube pruning take these combinations?

    - Both rules are in one queue. At first it has the best corner of each: (0, 0) and (0,). What
      are they worth?
    - When a combination is taken, its neighbours come into the queue: one step on in one of the
      dimensions. Everything else is not even looked at.
    - Write the nine sums of rule 1 down, and the three of rule 2. Since items are sorted, the order
      is that of the sums.

    Write the sums down: rule 1 has -3, -3.25, -5.5 / -4.5, -4.75, -7 / -5, -5.25, -7.5; rule 2 has
    -3.75, -4.65, -6.75. Since items are sorted, a neighbour is never better than what it comes
    from, and the order is that of the sums.

    Right: 7 of 12 combinations, and no other was looked at but their neighbours.
    """
    return [(0, 0), (0, 1), (0,), (1, 0), (1,), (1, 1), (2, 0)]


SHORTEST, UNREAD, SHOWN = 6, 2, 5
"""Words at least; words at least that the model has not read; outputs shown of a wrong guess."""


def _judge_sentence(answer: object, model: CompressionModel) -> str:
    shape = "Two texts are wanted: a tree in brackets, and the output that you expect."
    brackets, expected = judges.listed(answer, 2, shape)
    if not isinstance(brackets, str) or not isinstance(expected, str):
        raise Wrong(shape)
    try:
        tree = parse_tree(brackets, "your tree")
    except ValueError as error:
        raise Wrong(f"It cannot be read: {error}") from None
    words, wanted = tree.leaves(), " ".join(expected.split())
    new = [word for word in prepared(tree).leaves() if word not in model.ngrams.vocabulary]
    if len(words) < SHORTEST:
        raise Wrong(f"{SHORTEST} words at least, the full stop is one; yours has {len(words)}.")
    if len(new) < UNREAD:
        raise Wrong(f"{UNREAD} words at least that the model has never read; it knows all others.")
    if len(expected.split()) >= len(words):
        raise Wrong("What you expect is no shorter than the sentence.")
    best = model.compress(tree, k=SHOWN, trace=(log := EventLog()))
    if wanted != best.text:
        texts = [output.text for output in best.k_best]
        listing = "\n".join(f"  {output.score:.2f}  {output.text}" for output in best.k_best)
        place = f"number {texts.index(wanted) + 1}" if wanted in texts else "not one"
        where = Moment(log, len(log), f"Not “{wanted}”, but “{best.text}”")
        raise Wrong(f"{wanted!r} is {place} of the {len(texts)} best:\n{listing}", where)
    head = f"At a rate of {best.rate:.0%}, with words that it has never read ({', '.join(new)})."
    return "\n".join([head, *(f"  {rule}" for rule in best.rules)])


@exercise("40.5", judge=_judge_sentence, needs=("model",))
def tree_and_guess(model: CompressionModel) -> tuple[str, str]:
    """Write a sentence of your own in brackets, and say what the model will make of it.

    - Take a tree of section 5, print it, and put other words in. Copy and deletion rules match any
      label and any word, so there is always an output.
    - What went before? Phrases at the beginning with a comma, PPs behind a noun or a verb. Words
      without a tag, or several words in one bracket, are no tree.
    - Ask model.compress(wl.parse_tree(text, 'mine'), k=5).k_best, and see what its rules have in
      common. Then change the sentence.

    For example. A PP behind an object goes, as it does in the Gazette.
    """
    my_tree = """(S (NP (DT The) (NN cat)) (VP (VBD chased) (NP (DT a) (NN mouse))
        (PP (IN in) (NP (DT the) (NN kitchen)))) (. .))"""
    my_guess = "The cat chased a mouse ."
    return my_tree, my_guess


SMALLEST = 2  # unique items a cell: the smallest beam that counts


def _judge_lost(answer: object, model: CompressionModel, pairs: Sequence[CompressionPair]) -> str:
    number, beam = judges.listed(answer, 2, "Two numbers are wanted: that of a pair, and a beam.")
    if not judges.is_number(number, whole=True) or not 0 <= number < len(pairs):
        raise Wrong(f"Pairs have the numbers 0 to {len(pairs) - 1}, not {number!r}.")
    if not judges.is_number(beam, whole=True) or not SMALLEST <= beam < WIDE:
        raise Wrong(f"A beam is a whole number from {SMALLEST} up and below {WIDE}, not {beam!r}.")
    source, log = pairs[int(number)].source, EventLog()
    best = model.compress(source, beam=WIDE)
    small = model.compress(source, beam=int(beam), trace=log)
    if best.score <= small.score:
        message = f"With {beam} items {small.text!r} is found, and nothing better with {WIDE}."
        raise Wrong(message, Moment(log, len(log), f"{beam} items a cell"))
    same = " The words are the same; the derivation is another." if small.text == best.text else ""
    return (
        f"With {beam} items {small.text!r}, {small.score:.3f}; with {WIDE} {best.text!r}, "
        f"{best.score:.3f}: a search error of {best.score - small.score:.3f}.{same}"
    )


@exercise("40.6", judge=_judge_lost, needs=("model", "pairs"))
def sentence_and_beam(model: CompressionModel, pairs: Sequence[CompressionPair]) -> tuple[int, int]:
    """Find a sentence and a beam that lose the best derivation.

    - Compare scores, not words: a derivation is lost where the score with a small beam is below
      that with a large one.
    - The longer the sentence and the smaller the beam, the sooner. Write two loops.
    - model.compress(pairs[i].source, beam=2).score against beam=1000. Beware of differences that
      are only rounding: here both engines add in one order, so there are none.

    Two loops. The largest beam comes first, so the first find is the answer.
    """
    best = [model.compress(pair.source, beam=1000).score for pair in pairs]
    my_sentence, my_beam = next(
        (number, beam)
        for beam in (50, 20, 10, 5, 3, 2)
        for number, pair in enumerate(pairs)
        if model.compress(pair.source, beam=beam).score < best[number]
    )
    return my_sentence, my_beam
