"""A view of one's own: the sentence as it grows."""

from pathlib import Path

import wordorder_lab as wl

VIEW = wl.View(Path(__file__).with_name("sentence.js"), frozenset({"candidate"}))
