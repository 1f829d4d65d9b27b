"""``wordorder-lab gallery``: a page for each player; ``run`` writes them."""
