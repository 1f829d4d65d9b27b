"""Search, one file an algorithm; ``name.py`` is the reference, ``name_fast.py`` its fast twin."""
