"""The grammar of Cohn & Lapata (2009), section 3: what it prints, and extraction by trying."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

import pytest
import transduction_examples as paper
from nltk.tree import Tree
from transduction_cases import LABELS, TAGS, random_tree
from transduction_oracles import NaiveExtraction

from wordorder_lab.corpora import load_compressions
from wordorder_lab.structures.compression import CompressionPair, prepared_pair
from wordorder_lab.structures.phrase_tree import PhraseNodes, phrase_nodes
from wordorder_lab.structures.synchronous_rule import SynchronousRule, parse_rule
from wordorder_lab.transduction.extraction import (
    CHOICES,
    Cut,
    Extraction,
    Limits,
    constituent_alignment,
)
from wordorder_lab.transduction.gold import gold_derivation
from wordorder_lab.transduction.grammar import (
    DELETE,
    Family,
    GrammarSettings,
    SynchronousGrammar,
    copy_rule,
    coverage_rules,
    extract_grammar,
    read_grammar,
)
from wordorder_lab.transduction.head_order import COHN_LAPATA, COLLINS, HeadOrder
from wordorder_lab.transduction.problem import TransductionProblem, transduction_problem
from wordorder_lab.transduction.templates import non_terminals

NO_LIMITS = Limits(99, 99)


def extraction(
    pair: CompressionPair, depth: int = 0, choice: str = "single", limits=NO_LIMITS, of=Extraction
) -> Extraction:
    source, target = phrase_nodes(pair.source), phrase_nodes(pair.target)
    links = constituent_alignment(source, target, pair.alignment)
    return of(source, target, links, depth, choice, limits)


def transduced(problem: TransductionProblem, numbers: list[int]) -> tuple[int, ...]:
    """Algorithm 2 with the rules of these numbers in Figure 3, the leftmost variable first."""
    todo, derivation = [*problem.roots], []
    for number in numbers:
        rule = parse_rule(paper.FIGURE_3[number - 1])
        (one,) = [a for a in problem.in_cell[todo.pop()] if problem.applications[a].rule == rule]
        derivation.append(one)
        todo += reversed(problem.child_cells[one])
    assert not todo
    return tuple(derivation)


def test_the_rules_of_figure_3_make_the_rewrites_of_figure_4() -> None:
    problem = transduction_problem(phrase_nodes(paper.SOURCE), read_grammar(paper.FIGURE_3, ["S"]))
    numbers = [number for rules, _ in paper.FIGURE_4 for number in rules]
    derivation = transduced(problem, numbers)
    assert problem.target_tree(derivation) == paper.TARGET
    trees = list(problem.rewrites(derivation))
    assert trees[0] == Tree("S/S", list(paper.SOURCE)) and len(trees) == 1 + 12
    done = 0
    for rules, line in paper.FIGURE_4:
        done += len(rules)
        assert trees[done] == paper.brackets(line), rules
    assert len(paper.FIGURE_4) == 11 and trees[-1] == paper.TARGET
    # It is also the derivation with the most rules, and the rules alone make no other tree of it.
    assert gold_derivation(problem, phrase_nodes(paper.TARGET)) == derivation


def test_a_tree_is_not_compressed_like_that_without_the_rules() -> None:
    """Each of the rules that no copy or deletion rule replaces is needed."""
    for number in (2, 4, 5):
        lines = [rule for rule in paper.FIGURE_3 if rule != paper.FIGURE_3[number - 1]]
        problem = transduction_problem(phrase_nodes(paper.SOURCE), read_grammar(lines, ["S"]))
        with pytest.raises(ValueError, match="no derivation"):
            gold_derivation(problem, phrase_nodes(paper.TARGET))


def named(nodes: PhraseNodes, node: int) -> str:
    words = nodes.leaves[nodes.begins[node] : nodes.ends[node]]
    return f"{nodes.labels[node]}:{'-'.join(dict.fromkeys([words[0], words[-1]]))}"


def test_the_constituents_of_figure_6() -> None:
    """Equation 2, in the wording of the text: all pairs of nodes, and no other."""
    source, target = phrase_nodes(paper.SOURCE), phrase_nodes(paper.TARGET)
    links = constituent_alignment(source, target, paper.FIGURE_6.alignment)
    found = {(named(source, v), named(target, t)) for v, t in links.pairs()}
    names = paper.CONSTITUENTS.split()
    assert found == set(zip(names[::2], names[1::2])) and len(found) == len(links.pairs())
    null = {named(source, v) for v, is_null in enumerate(links.null) if is_null}
    expected = "RB:exactly VP:made-it VBD:made NP:it PRP:it CC:and WHNP:which WP:which"
    assert null == {*expected.split(), "NP:ones", "NNS:ones"}


def test_the_minimal_rules_of_figure_7() -> None:
    rules = [rule.text for rule in extraction(paper.FIGURE_6).rules()]
    assert set(rules) == paper.FIGURE_7 and len(rules) == len(paper.FIGURE_7) == 12
    # Figure 3 has the same but for rule 5, where "and" is a word.
    assert (
        len(paper.FIGURE_7 - set(paper.FIGURE_3)) == len(set(paper.FIGURE_3) - paper.FIGURE_7) == 1
    )


def s_bar_to_vp(depth: int, choice: str = "single", of=Extraction) -> list[SynchronousRule]:
    """The rules of "which ones are involved" and "are involved"."""
    one = extraction(paper.FIGURE_6, depth, choice, of=of)
    pair = "S-bar:which-involved", "VP:are-involved"
    sides = (one.source, one.target)
    v, t = (
        next(node for node in range(len(nodes)) if named(nodes, node) == name)
        for nodes, name in zip(sides, pair)
    )
    return one.rules_at(v, t)


def test_the_rules_that_recursion_depth_adds() -> None:
    """1, 3 and 7 rules for the pair (S-bar, VP) of Figure 6, and 66 in all: the paper has 45."""
    for depth in range(10):
        rules = [rule.text for rule in s_bar_to_vp(depth)]
        assert len(rules) == len(set(rules))
        if depth in paper.BY_DEPTH:
            added = set().union(*(paper.BY_DEPTH[less] for less in range(depth + 1)))
            assert set(rules) == added and len(rules) == (1, 3, 7)[depth]
    assert len(rules) == paper.ALL_DEPTHS and paper.EQUATION_3 in rules
    naive = NaiveExtraction(paper.SOURCE, paper.TARGET, paper.FIGURE_6.alignment)
    tried = [rule.text for rule, _ in naive.rules_at((2,), (1, 1), 99, "single")]
    assert sorted(tried) == sorted(rules)


def test_every_alternative_alignment_may_be_tried() -> None:
    """Footnote 3: with all choices one rule more at depth 2, where VP may match VBN."""
    counts = [len(s_bar_to_vp(depth, "all")) for depth in (0, 1, 2, 99)]
    assert counts == [1, 3, 8, 102]


class DepthOfANode(Extraction):
    """Section 6.1's wording: so many ignored matches on the way down to any node."""

    def _below(self, v: int, t: int, depth: int) -> Iterator[Cut]:
        partial: list[tuple] = [()]
        for child in self.source.children[v]:
            partial = [one + m for one in partial for m, _ in self._at(child, t, depth)]
        yield from (Cut(matches, 0) for matches in partial)


def test_a_limit_for_any_node_is_not_what_section_3_2_prints() -> None:
    """As the Differences of ``extraction`` say: the rule printed for two levels would have one."""
    rules = [{rule.text for rule in s_bar_to_vp(depth, of=DepthOfANode)} for depth in (0, 1, 2)]
    assert [len(found) for found in rules] == [1, 4, 15]
    (early,) = rules[1] - paper.BY_DEPTH[0] - paper.BY_DEPTH[1]
    assert early in paper.BY_DEPTH[2]


@pytest.mark.slow
def test_what_a_limit_for_any_node_would_add_on_the_gazette() -> None:
    limit_of_a_rule: set[SynchronousRule] = set()
    limit_of_a_node: set[SynchronousRule] = set()
    pairs = list(map(prepared_pair, load_compressions("gazette").train))
    for pair in pairs:
        ours = set(extraction(pair, 1, limits=Limits()).rules())
        theirs = set(extraction(pair, 1, limits=Limits(), of=DepthOfANode).rules())
        assert ours < theirs
        limit_of_a_rule |= ours
        limit_of_a_node |= theirs
    assert (len(pairs), len(limit_of_a_rule)) == (938, 7654)
    assert limit_of_a_rule < limit_of_a_node and len(limit_of_a_node) == 7654 + 16_779


def random_pair(chance: random.Random) -> CompressionPair:
    """A tree and what becomes of it where words go, labels change, nodes are lost and swapped."""
    source = random_tree(chance, chance.randint(2, 4))
    leaves = source.treepositions("leaves")

    def left(place: tuple[int, ...]) -> list:
        node = source[place]
        if isinstance(node, str):
            return [str(leaves.index(place))] if chance.random() < 0.7 else []
        below = [one for i in range(len(node)) for one in left((*place, i))]
        if not below or (isinstance(below[0], Tree) and place and chance.random() < 0.2):
            return below
        if chance.random() < 0.2:
            below.reverse()
        label = node.label() if chance.random() < 0.8 else chance.choice((*LABELS, *TAGS))
        return [Tree(label, below)]

    (target,) = left(()) or [Tree("T", ["0"])]
    words = [(int(place), j) for j, place in enumerate(target.leaves())]
    if chance.random() < 0.3:  # a link that is wrong, or one too many
        words[0] = chance.randrange(len(leaves)), chance.randrange(len(words))
    return CompressionPair(source, (target,), tuple(words))


@pytest.mark.parametrize("choice", CHOICES)
@pytest.mark.parametrize("depth", [0, 1, 2, 20])
def test_extraction_is_what_trying_gives(depth: int, choice: str) -> None:
    chance = random.Random(f"{depth} {choice}")
    seen = 0
    while seen < 15:
        pair = random_pair(chance)
        if len(list(pair.source.subtrees())) <= 9:
            seen += 1
            found = Counter(extraction(pair, depth, choice, Limits()).rules())
            naive = NaiveExtraction(pair.source, pair.target, pair.alignment)
            assert found == naive.rules(depth, choice), pair.source


def test_the_limits_on_rules() -> None:
    """At most 5 variables and 15 nodes on either side, footnote 13; a word is a node."""
    for children, kept in ((5, True), (6, False)):
        tree = Tree("NP", [Tree("NN", [f"w{i}"]) for i in range(children)])
        pair = CompressionPair(tree, (tree,), tuple((i, i) for i in range(children)))
        rules = extract_grammar([pair], GrammarSettings(depth=0)).rules
        assert any(rule.source.label == "NP" for rule in rules) == kept
        found = [rule.source.words() for rule in rules if rule.source.label == "NN"]
        assert found == [[f"w{i}"] for i in range(children)]  # also below one that is too large
    for words, kept in ((7, True), (8, False)):  # 1 + 7 + 7 = 15 nodes
        tree = Tree("NP", [Tree("NN", [f"w{i}"]) for i in range(words)])
        pair = CompressionPair(tree, (tree,), tuple((i, i) for i in range(words)))
        rules = extract_grammar([pair], GrammarSettings(depth=words)).rules
        assert any(len(rule.source.words()) == words for rule in rules) == kept


def test_the_most_frequent_targets_of_a_source_are_kept() -> None:
    """50 in the paper; however the variables are numbered."""
    source, swapped = paper.brackets("[S [A a] [B b]]"), paper.brackets("[S [B b] [A a]]")
    straight = CompressionPair(source, (source,), ((0, 0), (1, 1)))
    crossed = CompressionPair(source, (swapped,), ((0, 1), (1, 0)))
    pairs = [straight, crossed, crossed]
    for most, wanted in ((1, ["[S B_1 A_2]"]), (2, ["[S A_1 B_2]", "[S B_1 A_2]"])):
        grammar = extract_grammar(pairs, GrammarSettings(depth=0, targets=most))
        found = [str(rule.target) for rule in grammar.rules if rule.source.label == "S"]
        assert sorted(found) == wanted
    assert dict(zip(map(str, grammar.rules), grammar.counts)) == {
        "<A, A> -> <[A a], [A a]>": 3,
        "<B, B> -> <[B b], [B b]>": 3,
        "<S, S> -> <[S A_1 B_2], [S A_1 B_2]>": 1,
        "<S, S> -> <[S A_2 B_1], [S B_1 A_2]>": 2,
    }


def test_statistics_and_lines_of_a_grammar() -> None:
    """Rule 5 alone is deeper than an SCFG allows; rules 2, 3 and 4 change the category."""
    grammar = read_grammar(["", *paper.FIGURE_3, paper.FIGURE_3[0]], ["S"])
    told = {"rules": 12, "deeper": 1, "category": 3, "used_once": 11}
    assert grammar.statistics() == told
    again = SynchronousGrammar(dict.fromkeys(map(parse_rule, grammar.header()["rules"]), 1), "S")
    assert again.rules == grammar.rules and again.roots == grammar.roots
    with pytest.raises(ValueError, match=r"line 2 of the grammar: .*'>' is expected at 6"):
        read_grammar([paper.FIGURE_3[0], "<S,S S> -> <[S A_1], [S A_1]>"], ["S"])


def cut(family: Family, order: HeadOrder) -> list[str]:
    return [rule.text for _, rule, origin in coverage_rules([family], order) if origin == DELETE]


def test_the_rules_for_np_dt_jj_nn() -> None:
    """In the order NN, DT, JJ, as printed; Collins's table gives NN, JJ, DT."""
    below = ("DT", "JJ", "NN")
    family = Family("NP", below, False)
    assert copy_rule(family).text == paper.COPY
    assert cut(family, COHN_LAPATA) == paper.DELETIONS
    published = cut(family, COLLINS)
    without_dt = "<NP, NP> -> <[NP DT_eps JJ_1 NN_2], [NP JJ_1 NN_2]>"
    assert published == [*paper.DELETIONS[:2], without_dt, paper.COPY]
    assert copy_rule(Family("NN", ("rain",), True)).text == "<NN, NN> -> <[NN rain], [NN rain]>"


def test_no_deletion_rule_drops_a_phrase_and_keeps_the_full_stop() -> None:
    """Punctuation goes first, whatever it belongs to: as the Differences of ``grammar`` say."""
    below = ("PP", ",", "NP", "VP", ".")
    rules = coverage_rules([Family("S", below, False)], COHN_LAPATA)[1:]
    targets = [rule.target for _, rule, _ in rules]
    kept = [" ".join(non_terminals(side)) for side in targets if side.label == "S"]
    assert kept == ["VP", "NP VP", "PP NP VP", "PP , NP VP", "PP , NP VP ."]


@pytest.mark.parametrize("order", [COHN_LAPATA, COLLINS, HeadOrder("NP right")])
def test_every_child_has_its_place_in_the_order_of_heads(order: HeadOrder) -> None:
    chance = random.Random(1)
    for label in ("NP", "S", "VP", "PP", "SBAR", "S-bar", "NP-SBJ", "UCP"):
        children = chance.choices(["NN", "DT", "JJ", "VB", ",", ".", "IN", "SBAR", "NP"], k=9)
        assert sorted(order.order(label, children)) == list(range(9))
    with pytest.raises(ValueError, match="'NN NP'"):
        HeadOrder("NN NP")
