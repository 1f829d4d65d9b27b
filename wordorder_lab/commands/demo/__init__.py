"""``wordorder-lab demo``: ``run`` trains before your eyes, ``page`` is what it writes."""
