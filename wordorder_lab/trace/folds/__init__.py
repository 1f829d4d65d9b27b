"""What a view shows after k events of a log: a file each; ``trace/replay.py`` leads to them."""
