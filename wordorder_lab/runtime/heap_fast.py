"""A binary heap in flat arrays, for every kernel that has an agenda.

``heap[: n]`` holds numbers; the one with the highest ``score`` is on top, of equal ones the
smallest number. Whoever calls keeps count of ``n``. All of it is put into the kernels that use it.
"""

# mypy: allow-untyped-defs, allow-untyped-calls, no-check-untyped-defs
from __future__ import annotations

from wordorder_lab.runtime.kernel_fast import kernel


@kernel(inline="always")
def heap_sink(start, heap, score, n):
    """Let the number at a place sink to where it belongs."""
    number = heap[start]
    own = score[number]
    at = start
    while 2 * at + 1 < n:
        below = 2 * at + 1
        best = heap[below]
        if below + 1 < n:
            other = heap[below + 1]
            if score[other] > score[best] or (score[other] == score[best] and other < best):
                below += 1
                best = other
        if own > score[best] or (own == score[best] and number < best):
            break
        heap[at] = best
        at = below
    heap[at] = number


@kernel(inline="always")
def heap_pop(heap, score, n):
    """The best of ``n`` numbers, taken off the heap, which then has one less."""
    first = heap[0]
    if n > 1:
        heap[0] = heap[n - 1]
        heap_sink(0, heap, score, n - 1)
    return first
