"""Compression by deletion: which words of a sentence stay (McDonald 2006; Clarke & Lapata 2008)."""
