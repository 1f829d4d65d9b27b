"""What an experiment measures: a file for each measure, or for a few of a kind.

A file holds how its measure is run, its tables and its pictures together, and lists it in
``MEASURES``, where ``measure.all_measures`` finds it; what is long to print and to draw may stand
beside it, in a ``_report`` of its name.
"""
