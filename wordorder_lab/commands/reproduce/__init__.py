"""``wordorder-lab reproduce``: ``run`` makes records, ``list`` and ``page`` show them."""
