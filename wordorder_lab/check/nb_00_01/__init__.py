"""The exercises of notebooks 00 and 01."""
