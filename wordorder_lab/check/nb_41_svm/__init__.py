"""The exercises of notebook 41."""
