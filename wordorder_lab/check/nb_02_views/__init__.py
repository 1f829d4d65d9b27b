"""Exercises of notebook 02: twelve questions to six pictures."""
