"""The Gazette's generator: a grammar and a lexicon that write the files of ``data/gazette``.

It stands beside its output and is no part of the package, which reads the files. ``writing.write``
makes them from the seed: the same bytes on every machine. A checkout runs it by ``wordorder-lab
corpora gazette``.
"""
