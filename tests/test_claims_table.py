"""What README says of the papers' claims is what the records give.

``python tests/test_claims_table.py`` writes it anew.
"""

from __future__ import annotations

from pathlib import Path

from wordorder_lab.experiments.claims import REPRODUCED, SAME, Verdict
from wordorder_lab.experiments.verdicts import all_verdicts, count_line, markdown
from wordorder_lab.structures.atomic import replacing

AVERAGING = "zhang-clark-2015-averaging-gazette"
README = Path(__file__).resolve().parent.parent / "README.md"
CLAIMS = "<!-- claims -->\n", "<!-- /claims -->"
SENTENCE = "<!-- averaging -->", "<!-- /averaging -->"


def parts(text: str, marks: tuple[str, str]) -> tuple[str, str, str]:
    """A text before the generated part, that part, and what comes behind it."""
    before, _, rest = text.partition(marks[0])
    inside, _, behind = rest.partition(marks[1])
    return before, inside, behind


def averaging() -> str:
    """The conclusion of the two by two of update and averaging, with the numbers of its record."""
    published, averaged, last, weights = all_verdicts([AVERAGING])[AVERAGING]
    assert [one.verdict for one in (published, averaged, last, weights)] == [
        *(REPRODUCED, REPRODUCED, SAME, REPRODUCED)
    ]
    gains = [one.difference or 0.0 for one in (averaged, last)]
    assert weights.difference is not None and weights.difference > max(gains)
    return (
        f"As published, 2012 is {_points(published)} ahead of 2011. Averaging alone is worth "
        f"{_points(weights)}, whatever the update; the update alone {_points(averaged)} with "
        f"averaged weights, and {_points(last)}, not significant, with the last ones. So most of "
        "the lead is the averaging's."
    )


def _points(one: Verdict) -> str:
    assert one.difference is not None and one.interval is not None
    low, high = one.interval
    return f"{one.difference:.1f} points ({low:.1f} to {high:.1f})"


def test_every_specification_has_claims() -> None:
    assert [name for name, verdicts in all_verdicts().items() if not verdicts] == []


def test_readme_says_what_the_records_give() -> None:
    _, inside, _ = parts(README.read_text(encoding="utf-8"), CLAIMS)
    assert inside == markdown(), "run  python tests/test_claims_table.py  to write it anew"
    assert count_line(all_verdicts().values()) in inside


def test_readme_says_what_averaging_is_worth() -> None:
    _, inside, _ = parts(README.read_text(encoding="utf-8"), SENTENCE)
    assert inside == averaging(), "run  python tests/test_claims_table.py  to write it anew"


if __name__ == "__main__":
    whole = README.read_text(encoding="utf-8")
    for marks, generated in ((CLAIMS, markdown()), (SENTENCE, averaging())):
        before, _, behind = parts(whole, marks)
        whole = f"{before}{marks[0]}{generated}{marks[1]}{behind}"
    with replacing(README) as part:
        part.write_text(whole, encoding="utf-8")
    print(count_line(all_verdicts().values()))
