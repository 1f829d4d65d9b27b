"""Learning, one file an algorithm; learners take the decoders' own steps."""
