"""How it runs: kernels and their cache, files written whole, interruption, progress."""
