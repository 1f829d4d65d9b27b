"""The loop of Algorithm 1 on flat arrays: the twin of ``best_first_ccg``."""

from __future__ import annotations

from wordorder_lab.decoders.agenda_fast import add_to_chart, pop_best, remove
from wordorder_lab.decoders.best_first_fast import FastBestFirst
from wordorder_lab.decoders.ccg_expand_fast import expand
from wordorder_lab.decoders.ccg_search_fast import FastCCGSearch
from wordorder_lab.decoders.ccg_signature_fast import is_goal, loser_of
from wordorder_lab.decoders.edge_arrays_fast import (
    AT,
    CURRENT,
    DONE,
    EDGES,
    EMPTY,
    GOAL_POPPED,
    HEAP,
    POPPED,
)
from wordorder_lab.features.edge_keys import EdgeKeys
from wordorder_lab.grammars.ccg_rules import CCGRules
from wordorder_lab.models.edge_table_fast import EdgeTable
from wordorder_lab.structures.kernel_fast import kernel


@kernel
def search_on(
    expansions, most_edges, row, grammar, numbers, names, program, edges, tables, model, state
):
    """The loop of Algorithm 1 until so many edges are popped or made, or something happens."""
    while True:
        if state[AT] < 0:
            if state[HEAP] == 0:
                return EMPTY
            if state[POPPED] >= expansions or state[EDGES] >= most_edges:
                return DONE
            edge = pop_best(edges, state)
            state[CURRENT] = edge
            if is_goal(edge, numbers, edges):
                return GOAL_POPPED
            loser = loser_of(edge, numbers, edges, state)
            if loser == edge:
                continue
            if loser >= 0:
                remove(loser, edges, state)
        edge = state[CURRENT]
        status = expand(edge, row, grammar, numbers, names, program, edges, tables, model, state)
        if status != DONE:
            return status
        add_to_chart(edge, edges, state)


def fast_ccg_decoder(
    keys: EdgeKeys,
    table: EdgeTable,
    beam: int,
    chart: str,
    scaled: bool,
    *,
    rules: CCGRules,
    signature: str,
) -> FastBestFirst:
    """Algorithm 1 with the weights of a table and the rules of a grammar."""
    how = {"beam": beam, "chart": chart, "scaled": scaled, "learning": False}
    search = FastCCGSearch(keys, table, rules=rules, signature=signature, **how)
    return FastBestFirst(search, search_on)
