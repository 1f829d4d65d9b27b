"""Sentences of one or two models as a table to explore: rows are made here, ``widgets`` shows."""
