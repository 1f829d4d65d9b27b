"""``wordorder-lab doctor``: what of an installation is here, and what to do about the rest."""
