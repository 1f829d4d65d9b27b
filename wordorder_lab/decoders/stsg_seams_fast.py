"""What becomes complete where pieces of an output meet: the twin of ``seams``, for kernels."""

from __future__ import annotations

from wordorder_lab.decoders.stsg_arrays_fast import KEY, LENGTH
from wordorder_lab.decoders.stsg_loss_fast import REACH, has
from wordorder_lab.decoders.stsg_rules_fast import FRONTIER
from wordorder_lab.models.ngram_fast import log_prob
from wordorder_lab.structures.kernel_fast import kernel


@kernel(inline="always")
def log_prob_of(word, ids, recent, context, ngrams):
    """log p(word | the recent words), in local numbers."""
    reach, width = len(context), len(recent)
    for i in range(reach):
        context[i] = ids[recent[width - reach + i]]
    return log_prob(ngrams, context, reach, ids[word])


@kernel(inline="always")
def matches(word, longest, recent, reference, words):
    """How many of the ``longest`` longest n-grams that end in this word are in the reference."""
    width, matched = len(recent), 0
    for n in range(4 - longest, 4):
        code = 0
        for i in range(width - n + 1, width):
            code = code * (words + 1) + recent[i] + 1
        if has(reference, code * (words + 1) + word + 1):
            matched += 1
    return matched


@kernel
def join(
    application, length, begins, frontier, ids, reference, numbers, ints, parts, left, recent,
    context, ngrams,
):  # fmt: skip
    """Fill the frontier of an application with ``parts``, and score what is complete.

    ``length`` is how many words are in ``recent`` at first: none, or the start in full. Leaves the
    edges in ``left`` and ``recent``; returns how many words each has, the log-probability, and the
    n-grams in the reference and not in it.
    """
    width, counts = len(recent), numbers[REACH] > 0
    gain, matched, missed = 0.0, 0, 0
    for at in range(begins[application, FRONTIER], begins[application + 1, FRONTIER]):
        sign = frontier[at]
        part = parts[-sign - 1] if sign < 0 else 0
        words = ints[part, LENGTH] if sign < 0 else 1
        for i in range(words):
            word = ints[part, KEY + i] if sign < 0 else sign
            if length < width:
                left[length] = word
                recent[length] = word
                length += 1
                continue
            gain += log_prob_of(word, ids, recent, context, ngrams)
            if counts:
                longest = 2 if word == len(ids) - 1 else 3  # the end alone is no n-gram
                more = matches(word, longest, recent, reference, len(ids))
                matched += more
                missed += longest - more
            for j in range(1, width):
                recent[j - 1] = recent[j]
            if width:
                recent[width - 1] = word
        if sign < 0 and words == width:
            for j in range(width):
                recent[j] = ints[part, KEY + width + j]
    return length, gain, matched, missed
