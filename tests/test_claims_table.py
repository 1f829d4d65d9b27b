"""What README says of the papers' claims is what the records give.

``python tests/test_claims_table.py`` writes it anew.
"""

from __future__ import annotations

from pathlib import Path

from wordorder_lab.experiments.verdicts import all_verdicts, count_line, markdown
from wordorder_lab.structures.atomic import replacing

README = Path(__file__).resolve().parent.parent / "README.md"
BEGIN, END = "<!-- claims -->\n", "<!-- /claims -->"


def parts() -> tuple[str, str, str]:
    """README before the generated text, that text, and what comes behind it."""
    before, _, rest = README.read_text(encoding="utf-8").partition(BEGIN)
    inside, _, behind = rest.partition(END)
    return before, inside, behind


def test_every_specification_has_claims() -> None:
    assert [name for name, verdicts in all_verdicts().items() if not verdicts] == []


def test_readme_says_what_the_records_give() -> None:
    _, inside, _ = parts()
    assert inside == markdown(), "run  python tests/test_claims_table.py  to write it anew"
    assert count_line(all_verdicts().values()) in inside


if __name__ == "__main__":
    before, _, behind = parts()
    with replacing(README) as part:
        part.write_text(f"{before}{BEGIN}{markdown()}{END}{behind}", encoding="utf-8")
    print(count_line(all_verdicts().values()))
