"""Exercises of notebook 31, and what it shows: gold beside the best, planted errors."""
