"""The desk where answers are handed in."""

from __future__ import annotations

from typing import Any

from wordorder_lab.check.common.exercise import Exercise, NotAnswered, Verdict, Wrong, is_blank
from wordorder_lab.check.nb_00_01 import grammar_reading, own_categories, start_here
from wordorder_lab.check.nb_02_views import twelve_questions
from wordorder_lab.check.nb_10_ccg import ccg_joins, own_goal, own_signature, pruned_edges
from wordorder_lab.check.nb_11_12_best_first import (
    agenda_by_hand,
    costly_features,
    own_update,
    view_questions,
)
from wordorder_lab.check.nb_13_supertagging import (
    edges_cut,
    own_cut,
    own_roles,
    two_word_lattice,
    words_of_a_tree,
)
from wordorder_lab.check.nb_20_21_32_transition import (
    given_trees,
    one_derivation,
    own_legality,
    span_counting,
    states,
    ties,
    updates,
)
from wordorder_lab.check.nb_30_ngrams import beam_by_hand, counting, far_subjects, own_exact_search
from wordorder_lab.check.nb_31_search_errors import (
    exact_search,
    first_popped,
    planted_errors,
    verdicts,
)
from wordorder_lab.check.nb_33_exploring import judging_errors
from wordorder_lab.check.nb_40_compression import (
    counted_derivations,
    grid_order,
    lost_by_beam,
    own_alignment,
    own_compression,
    own_rule,
)
from wordorder_lab.check.nb_41_svm import (
    loss_arguments,
    margin_questions,
    own_rate,
    own_violation,
)
from wordorder_lab.check.nb_42_real_text import (
    keep_all_by_rate,
    lattice_by_hand,
    own_constraint,
    own_kappa,
    relations_by_hand,
    which_constraint,
)
from wordorder_lab.check.nb_50_realisation import (
    forms_in_the_search,
    own_agreement,
    own_distance,
    sentences_in_a_tree,
    spans_pruned,
    which_forms,
)
from wordorder_lab.check.nb_90_papers import (
    by_chance_alone,
    interval_read,
    other_way_round,
    own_verdict,
)

FILES = (
    *(start_here, grammar_reading, own_categories, twelve_questions),
    *(ccg_joins, own_signature, own_goal, pruned_edges),
    *(own_update, costly_features, agenda_by_hand, view_questions),
    *(words_of_a_tree, own_cut, two_word_lattice, edges_cut, own_roles),
    *(states, updates, ties, one_derivation, given_trees, own_legality),
    *(counting, beam_by_hand, own_exact_search, far_subjects),
    *(verdicts, exact_search, first_popped, planted_errors),
    *(span_counting, judging_errors),
    *(counted_derivations, own_alignment, own_rule, grid_order, own_compression, lost_by_beam),
    *(loss_arguments, own_violation, margin_questions, own_rate),
    *(lattice_by_hand, relations_by_hand, keep_all_by_rate, which_constraint),
    *(own_constraint, own_kappa),
    *(which_forms, sentences_in_a_tree, spans_pruned, own_agreement, own_distance),
    *(forms_in_the_search,),
    *(own_verdict, by_chance_alone, interval_read, other_way_round),
)
EXERCISES: dict[str, Exercise] = {
    exercise.number: exercise for file in FILES for exercise in file.EXERCISES
}
"""Every exercise by its number."""


class Desk:
    """Where answers are handed in: ``check("20.1", answer)``, ``check.hint("20.1")``.

    It remembers, for one sitting, how many hints each exercise has had.
    """

    def __init__(self) -> None:
        self.hinted: dict[str, int] = {}
        self.given: dict[str, dict[str, Any]] = {}

    def __call__(self, number: str, answer: Any, **given: Any) -> Verdict:
        """Judge an answer; a wrong one gets the next hint."""
        exercise = find(number)
        if missing := set(exercise.needs) - given.keys():
            name = min(missing)
            return Verdict(None, f'Say it with {name}: check("{number}", answer, {name}={name})')
        moment = None
        given = self.given[number] = {name: given[name] for name in exercise.needs}
        try:
            if is_blank(answer):
                raise NotAnswered
            return Verdict(True, f"{number}: right. {exercise.judge(answer, **given)}")
        except NotAnswered:
            return Verdict(None, f'{number}: not answered yet. A nudge: check.hint("{number}")')
        except Wrong as wrong:
            said, moment = str(wrong), wrong.moment
        except Exception as error:  # whatever a student's function may raise
            said = f"Your answer was tried, and raised {type(error).__name__}: {error}"
        return Verdict(False, f"{number}: not yet. {said}\n{self.hint(number).text}", moment)

    def hint(self, number: str) -> Verdict:
        """The next hint; after the last one the last one again."""
        hints = find(number).hints
        shown = min(self.hinted.get(number, 0) + 1, len(hints))
        self.hinted[number] = shown
        return Verdict(None, f"Hint {shown} of {len(hints)}: {hints[shown - 1]}")

    def solution(self, number: str) -> Verdict:
        """A right answer, once all hints have been shown."""
        exercise = find(number)
        left = len(exercise.hints) - self.hinted.get(number, 0)
        if left > 0:
            hints = "one more hint comes" if left == 1 else f"{left} more hints come"
            return Verdict(None, f'{number}: {hints} before the solution: check.hint("{number}")')
        if exercise.needs and number not in self.given:
            return Verdict(None, f"{number}: run the cell with its check first.")
        return Verdict(None, exercise.solve(**self.given.get(number, {})))


def find(number: str) -> Exercise:
    """The exercise with this number. Raises ``ValueError`` with the numbers there are."""
    if number not in EXERCISES:
        raise ValueError(f"no exercise {number!r}; there are {', '.join(EXERCISES)}")
    return EXERCISES[number]


check = Desk()
