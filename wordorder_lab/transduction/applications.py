"""Where rules match a source tree: what Algorithm 4 of Cohn & Lapata (2009) loops over in line 6.

Rules of the grammar, and the copy and deletion rules of each node. Kept is what some derivation of
the whole tree uses: whose variables can be filled, and which can be reached from the root.
"""

from __future__ import annotations

from wordorder_lab.structures.phrase_tree import PhraseNodes
from wordorder_lab.structures.synchronous_rule import EPSILON, ElementaryTree, SynchronousRule
from wordorder_lab.transduction.grammar import SynchronousGrammar
from wordorder_lab.transduction.problem import Application, TransductionProblem


def transduction_problem(nodes: PhraseNodes, grammar: SynchronousGrammar) -> TransductionProblem:
    """A source tree with all applications that matter.

    A derivation may end in any root category that the grammar has seen on the target side, and in
    that of the source's own root, so that the copy rules always give a result.
    """
    matching = [one for v in range(len(nodes)) for one in applications_at(v, nodes, grammar)]
    roots = {*grammar.roots, nodes.labels[nodes.root]}
    return _kept(nodes, matching, {(nodes.root, label) for label in roots})


def with_application(problem: TransductionProblem, application: int) -> TransductionProblem:
    """The derivations that use this application alone, as a problem of its own.

    At its node nothing else is left, and above it nothing that passes over the node. Raises
    ``ValueError`` where no derivation of the whole tree uses it.
    """
    chosen = problem.applications[application]
    kept = [
        one
        for one in problem.applications
        if one is chosen or not _passes(one, chosen.node, problem.nodes)
    ]
    goals = {problem.cells[root] for root in problem.roots}
    only = _kept(problem.nodes, kept, goals)
    if chosen not in only.applications:
        raise ValueError(f"no derivation of the whole tree uses {chosen.rule}")
    return only


def applications_at(v: int, nodes: PhraseNodes, grammar: SynchronousGrammar) -> list[Application]:
    """The rules that match at a node, by category and then by text."""
    here = grammar.rules_for(nodes.labels[v], below(v, nodes), not nodes.children[v])
    matching: dict[int, list[int]] = {}
    for shape, places in here.shapes:
        leaves = match(shape, v, nodes)
        if leaves is not None:
            frontier = [node for _, node in leaves]
            for place in places:
                matching[place] = frontier
    return [
        _application(v, *here.rules[place], matching[place], nodes) for place in sorted(matching)
    ]


def below(v: int, nodes: PhraseNodes) -> tuple[str, ...]:
    """The labels of a node's children, or its word."""
    return tuple(nodes.labels[child] for child in nodes.children[v]) or (nodes.words[v],)


def match(tree: ElementaryTree, v: int, nodes: PhraseNodes) -> list[tuple[int, int]] | None:
    """The frontier of a source side, laid over the subtree at ``v``: pairs (index, node).

    ``None`` if they differ.
    """
    if tree.label != nodes.labels[v]:
        return None
    if tree.is_frontier:
        return [(tree.index, v)]
    if not nodes.children[v]:
        return [] if tree.children == (nodes.words[v],) else None
    if len(tree.children) != len(nodes.children[v]):
        return None
    frontier: list[tuple[int, int]] = []
    for child, node in zip(tree.children, nodes.children[v]):
        inner = None if isinstance(child, str) else match(child, node, nodes)
        if inner is None:
            return None
        frontier += inner
    return frontier


def _application(
    v: int,
    rule: SynchronousRule,
    origin: int,
    frontier: list[int],
    nodes: PhraseNodes,
) -> Application:
    """An application on these frontier nodes, from left to right."""
    indices = [leaf.index for leaf in rule.source.frontier() if not isinstance(leaf, str)]
    leaves = list(zip(indices, frontier, strict=True))
    children = tuple(node for index, node in sorted(leaves) if index != EPSILON)
    deleted = tuple(node for index, node in leaves if index == EPSILON)
    consumed = nodes.length(v)
    for child in children:
        consumed -= nodes.length(child)
    return Application(v, rule, origin, children, deleted, consumed)


def child_categories(rule: SynchronousRule) -> tuple[str, ...]:
    """The target categories of a rule's variables, the first variable first."""
    leaves = (leaf for leaf in rule.target.frontier() if not isinstance(leaf, str))
    return tuple(leaf.label for leaf in leaves)  # numbered from left to right


def _kept(
    nodes: PhraseNodes, matching: list[Application], goals: set[tuple[int, str]]
) -> TransductionProblem:
    """The problem with what is of use: cells that can be filled, and that the root needs."""
    needs = [tuple(zip(one.children, child_categories(one.rule))) for one in matching]
    fillable: set[tuple[int, str]] = set()
    can = []
    for application, need in zip(matching, needs):  # children come before parents
        can.append(all(cell in fillable for cell in need))
        if can[-1]:
            fillable.add((application.node, application.category))
    wanted = goals & fillable
    for i in reversed(range(len(matching))):
        can[i] = can[i] and (matching[i].node, matching[i].category) in wanted
        if can[i]:
            wanted.update(needs[i])
    kept = [i for i in range(len(matching)) if can[i]]
    cells = tuple(dict.fromkeys((matching[i].node, matching[i].category) for i in kept))
    numbers = {cell: number for number, cell in enumerate(cells)}
    return TransductionProblem(
        nodes=nodes,
        applications=tuple(matching[i] for i in kept),
        cells=cells,
        cell_of=tuple(numbers[matching[i].node, matching[i].category] for i in kept),
        child_cells=tuple(tuple(numbers[cell] for cell in needs[i]) for i in kept),
        roots=tuple(sorted(numbers[goal] for goal in goals if goal in numbers)),
    )


def _passes(one: Application, node: int, nodes: PhraseNodes) -> bool:
    """Whether an application covers a node and leaves it to no other."""
    return node in nodes.below(one.node) and not any(
        node in nodes.below(child) for child in one.children
    )
