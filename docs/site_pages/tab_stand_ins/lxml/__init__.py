"""Stands in for lxml, which is compiled; nothing that runs in a tab reads XML."""
