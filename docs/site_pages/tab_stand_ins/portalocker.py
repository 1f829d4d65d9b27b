"""Stands in for portalocker, which needs fcntl: sacrebleu locks what it downloads, nothing here."""
