"""Ordering a tree head by head: each head with its dependents, from the leaves to the root.

The two comparators of Zhang & Clark (2015), section 5.7: a beam with a log-linear model
(``dependents_beam``, in the manner of STUMABA) and n-grams of dependents (``dependency_ngrams``, in
the manner of DCU).
"""
