"""What a run of an experiment may set, with its types: one table for all systems."""

from __future__ import annotations

GRID = "grid"
"""The values of C from which the dev split chooses; one that learns from pairs may have it."""
RATES = "rates"
"""The compression rates at which a compressor is scored."""
LEARNING = ("parser", "learned_on", "choose_on", "documents", "annotators")
"""What a compressor's run may say of the text it learns from (``runs.compressors``)."""
SHARES = ("pos", "deps")
"""Settings between 0 and 1."""
LEAST = {
    **dict.fromkeys(("epochs", "max_length", "expansions", "documents", "annotators"), 1),
    **dict.fromkeys(("beam", "decode_beam", "decode_expansions"), 0),
    **dict.fromkeys(("decode_seconds", "decode_memory"), 0),
}
"""The least that a setting may be; a system may ask for more: 0 is no bound of a best-first beam,
and no beam of the others."""
CHOICES = {
    "engine": ("reference", "fast"),
    "split": ("train", "dev", "test"),
    "units": ("base-np", "words", "pairs", "trees", "lemmas"),
    "decode_default": ("2015", "2011", "tree"),
}
"""What some settings may be. It stands here anew, so that a list need not import what has it."""

SETTINGS: dict[str, tuple[type, ...]] = {
    **dict.fromkeys(
        ("system", "corpus", "split", "units", "templates", "update", "engine"), (str,)
    ),
    **dict.fromkeys(("chart", "negatives", "decode_chart", "decode_default"), (str,)),
    **dict.fromkeys(("signature", "decode_signature"), (str,)),
    **dict.fromkeys(("beam", "epochs", "seed", "seen", "expansions", "max_length"), (int,)),
    **dict.fromkeys(("decode_beam", "decode_expansions"), (int,)),
    **dict.fromkeys(("pos", "deps", "decode_seconds", "decode_memory"), (int, float)),
    **dict.fromkeys(("shuffle", "averaged", "scored_as_trained"), (bool,)),
    **dict.fromkeys(("choice", "loss", "gold", "features", "formulation", "decode_search"), (str,)),
    **dict.fromkeys(("depth", "variables", "nodes", "targets", "order"), (int,)),
    **dict.fromkeys(("max_iterations", "lm_order", "folds"), (int,)),
    **dict.fromkeys(("lm_weight", "decode_lm_weight"), (int, float)),
    **dict.fromkeys(("lm_in_training", "lower_case", "tagged", "mark_phrases"), (bool,)),
    **dict.fromkeys(("signatures", "decode_future_cost", "decode_recombine"), (bool,)),
    **dict.fromkeys(("decode_growing",), (bool,)),
    **dict.fromkeys(("text", "lm_text"), (str,)),
    **dict.fromkeys(("categories", "decode_categories"), (str,)),
    **dict.fromkeys(("min_count", "jackknife", "k_best", "decode_length"), (int,)),
    **dict.fromkeys(("decode_bonus", "decode_rate"), (int, float)),
    **dict.fromkeys(("decode_least", "decode_most", "decode_significance"), (int, float)),
    **dict.fromkeys(("decode_constraints",), (str,)),
    **dict.fromkeys(("keep_tagger",), (bool,)),
    **dict.fromkeys(("C", "scaling", "penalty", "tolerance"), (int, float)),
    **dict.fromkeys(("parser", "learned_on", "choose_on"), (str,)),
    **dict.fromkeys(("documents", "annotators"), (int,)),
    **dict.fromkeys((GRID, RATES), (list,)),
    **dict.fromkeys(("horizontal", "vertical"), (int,)),
    **dict.fromkeys(("splits",), (str,)),
    **dict.fromkeys(("learned_split", "inflection"), (str,)),
    **dict.fromkeys(("learned_trees", "bits"), (int,)),
    **dict.fromkeys(("labels", "lift", "english", "capitals"), (bool,)),
}
"""What a run may set, with its types."""
