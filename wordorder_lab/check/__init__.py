"""The notebooks' exercises: ``check("20.1", answer)``, ``check.hint("20.1")``, ``check.solution``.

A right answer is told so. A wrong one gets a counterexample and the next hint. The solution is
shown when all hints have been. Nothing is graded and nothing leaves the machine; what is right is
found out by asking the engines, mostly about every state of every small bag.
"""

from wordorder_lab.check.common.exercise import Exercise, Verdict
from wordorder_lab.check.desk import Desk, check
from wordorder_lab.check.kept_models import trained

__all__ = ["Desk", "Exercise", "Verdict", "check", "trained"]
