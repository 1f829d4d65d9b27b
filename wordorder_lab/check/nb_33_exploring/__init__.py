"""Exercises of notebook 33: from a table of scores to a hypothesis that is tested."""
