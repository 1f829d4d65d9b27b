"""The exercises of notebook 50, and what it looks at."""

from wordorder_lab.check.nb_50_realisation.candidates_shown import (
    as_drawn,
    candidate_rows,
    forms_counted,
    most_open,
)
from wordorder_lab.check.nb_50_realisation.forms_in_the_search import first_pops
from wordorder_lab.check.nb_50_realisation.outputs_compared import (
    fault_rows,
    forms_by_search,
    learned,
    outputs,
    score_rows,
    sentences_beside,
    telling_tree,
)
from wordorder_lab.check.nb_50_realisation.sentences_in_a_tree import (
    every_sentence,
    how_many,
    scored_rows,
)
from wordorder_lab.check.nb_50_realisation.small_trees import (
    honest_person,
    small_trees,
    tom_and_sally,
    tree_of,
)
from wordorder_lab.check.nb_50_realisation.spans_pruned import (
    FORMS,
    TREE,
    before_pruning,
    spans_upwards,
)
from wordorder_lab.check.nb_50_realisation.trees_at_hand import Material, material
from wordorder_lab.check.nb_50_realisation.which_forms import asked_rows
from wordorder_lab.metrics.realization import edit_distance

__all__ = [
    "FORMS",
    "TREE",
    "Material",
    "as_drawn",
    "asked_rows",
    "before_pruning",
    "candidate_rows",
    "edit_distance",
    "every_sentence",
    "fault_rows",
    "first_pops",
    "forms_by_search",
    "forms_counted",
    "honest_person",
    "how_many",
    "learned",
    "material",
    "most_open",
    "outputs",
    "score_rows",
    "scored_rows",
    "sentences_beside",
    "small_trees",
    "spans_upwards",
    "telling_tree",
    "tom_and_sally",
    "tree_of",
]
