"""The signs of brackets, as text and as the Penn Treebank write them."""

PAIRS = {"(": ")", "[": "]", "{": "}", "-LRB-": "-RRB-", "-LSB-": "-RSB-", "-LCB-": "-RCB-"}
"""What opens, and what closes it."""
