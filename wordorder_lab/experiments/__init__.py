"""Work over many sentences and settings: evaluations, timings, the papers' tables and figures."""
