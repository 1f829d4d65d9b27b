"""Parsing: a treebank grammar that is read off trees, and CKY in two engines."""
