"""The exercises of notebooks 11 and 12."""
