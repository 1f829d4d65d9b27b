"""The exercises of notebook 42, and what it looks at."""

from wordorder_lab.check.nb_42_real_text.bigram_features import (
    bigram_named,
    features_of,
    score_of,
    widest_bigram,
)
from wordorder_lab.check.nb_42_real_text.constraints_counted import (
    changed_by_family,
    telling_sentence,
)
from wordorder_lab.check.nb_42_real_text.how_people_shorten import (
    agreement,
    histogram,
    rates_by_annotator,
)
from wordorder_lab.check.nb_42_real_text.lattice_by_hand import score_table
from wordorder_lab.check.nb_42_real_text.own_constraint import with_own_rows
from wordorder_lab.check.nb_42_real_text.pairs_at_hand import SPOKEN, Material, material
from wordorder_lab.check.nb_42_real_text.printed import printed_sentences
from wordorder_lab.check.nb_42_real_text.rated_sentences import (
    QUALITY,
    invented_answers,
    shortened_most,
)
from wordorder_lab.check.nb_42_real_text.relations_by_hand import OUTPUTS, REFERENCE, both_f1s
from wordorder_lab.check.nb_42_real_text.scores_by_rate import (
    at_every_rate,
    by_rate,
    floors,
    random_by_rate,
    score_rows,
    scored,
)
from wordorder_lab.check.nb_42_real_text.table_6 import TABLES, curves_of, recorded, recorded_rows
from wordorder_lab.check.nb_42_real_text.what_symbols_remember import by_memory, constituents
from wordorder_lab.check.nb_42_real_text.which_constraint import TREE, four_outputs

__all__ = [
    "OUTPUTS",
    "QUALITY",
    "REFERENCE",
    "SPOKEN",
    "TABLES",
    "TREE",
    "Material",
    "agreement",
    "at_every_rate",
    "bigram_named",
    "both_f1s",
    "by_memory",
    "by_rate",
    "changed_by_family",
    "constituents",
    "curves_of",
    "features_of",
    "floors",
    "four_outputs",
    "histogram",
    "invented_answers",
    "material",
    "printed_sentences",
    "random_by_rate",
    "rates_by_annotator",
    "recorded",
    "recorded_rows",
    "score_of",
    "score_rows",
    "score_table",
    "scored",
    "shortened_most",
    "telling_sentence",
    "widest_bigram",
    "with_own_rows",
]
