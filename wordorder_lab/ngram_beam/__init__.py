"""N-grams alone, after Schmaltz et al. (2016): ``beam`` searches, ``held_karp`` misses nothing."""
