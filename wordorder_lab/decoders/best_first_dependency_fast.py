"""The loop of Algorithm 4 on flat arrays: the twin of ``best_first_dependency``."""

from __future__ import annotations

from wordorder_lab.decoders.agenda_fast import add_to_chart, pop_best
from wordorder_lab.decoders.best_first_fast import FastBestFirst
from wordorder_lab.decoders.dependency_expand_fast import expand
from wordorder_lab.decoders.dependency_search_fast import FastDependencySearch
from wordorder_lab.decoders.edge_arrays_fast import (
    AT,
    CURRENT,
    DONE,
    EDGES,
    EMPTY,
    GOAL_POPPED,
    HEAP,
    POPPED,
    SIZE,
    UNITS,
)
from wordorder_lab.features.edge_keys import EdgeKeys
from wordorder_lab.models.edge_table_fast import EdgeTable
from wordorder_lab.structures.kernel_fast import kernel


@kernel
def search_on(expansions, most_edges, row, numbers, names, program, edges, tables, model, state):
    """The loop of Algorithm 4 until so many edges are popped or made, or something happens."""
    while True:
        if state[AT] < 0:
            if state[HEAP] == 0:
                return EMPTY
            if state[POPPED] >= expansions or state[EDGES] >= most_edges:
                return DONE
            edge = pop_best(edges, state)
            state[CURRENT] = edge
            if edges.ints[edge, SIZE] == state[UNITS]:
                return GOAL_POPPED
        edge = state[CURRENT]
        status = expand(edge, row, numbers, names, program, edges, tables, model, state)
        if status != DONE:
            return status
        add_to_chart(edge, edges, state)


def fast_dependency_decoder(
    keys: EdgeKeys, table: EdgeTable, beam: int, chart: str, scaled: bool
) -> FastBestFirst:
    """Algorithm 4 with the weights of a table."""
    how = {"beam": beam, "chart": chart, "scaled": scaled}
    return FastBestFirst(FastDependencySearch(keys, table, **how, learning=False), search_on)
