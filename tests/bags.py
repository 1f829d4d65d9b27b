"""Bags for tests: random ones that say anything that a bag may say, and nothing that it may not."""

from __future__ import annotations

from hypothesis import strategies as st

from wordorder_lab.structures.bag import WordBag
from wordorder_lab.structures.messages import UNFIT

CHARACTERS = st.characters(exclude_categories=["Cs"]) | st.sampled_from("[]/\\<>|0123+-_ {},")
WORDS = st.text(CHARACTERS, min_size=1, max_size=5)
PLAIN = st.text(CHARACTERS.filter(lambda c: c not in f" \t\r\n{UNFIT}"), min_size=1, max_size=5)
"""Words and tags without the spaces and breaks that a column of a file cannot hold."""


@st.composite
def bags(draw: st.DrawFn, words: st.SearchStrategy[str] = WORDS) -> WordBag:
    """A bag of up to six units; heads and orders follow two permutations, so none goes round.

    Labels stand where heads do: elsewhere a typed bag cannot say them.
    """
    units = draw(
        st.lists(st.lists(words, min_size=1, max_size=3).map(tuple), min_size=1, max_size=6)
    )
    n = len(units)
    tags = [draw(st.none() | words) for _ in units]
    down, along = draw(st.permutations(range(n))), draw(st.permutations(range(n)))
    heads: list[int | None] = [None] * n
    for rank, unit in enumerate(down):
        heads[unit] = draw(st.none() | st.sampled_from(down[:rank] or [-1]))
    two = st.lists(st.integers(0, n - 1), min_size=2, max_size=2, unique=True)
    pairs = draw(st.lists(two, max_size=4)) if n > 1 else []
    before = [(along[min(pair)], along[max(pair)]) for pair in pairs]
    labels = [None if head is None else draw(st.none() | words) for head in heads]
    return WordBag(units, tags, heads, before, labels=labels)
