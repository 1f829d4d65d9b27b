"""The exercises of notebooks 00 and 01, and what 01 looks at."""

from wordorder_lab.check.nb_00_01.gazette_files import gazette, gazette_sentence
from wordorder_lab.check.nb_00_01.grammar_reading import PAIRS, plans

__all__ = ["PAIRS", "gazette", "gazette_sentence", "plans"]
