"""The exercises of notebook 40."""
