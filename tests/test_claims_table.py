"""What README and `docs/` say of the papers' claims, and what code they show, is what there is.

README has the counts in short, `docs/results/claims.md` every claim, and a page of `docs/do/` those
of the experiments that it names, the first table of a record, a file of code, or a part of one
(from its comment ``# part NAME`` to the next), so that whoever reads the page here sees it, too:

    <!-- claims of wan-2009 lm-and-syntax -->
    <!-- /claims of -->
    <!-- record of wan-2009 -->
    <!-- /record of -->
    <!-- code of tests/own_system/greedy_bigrams.py settings -->
    <!-- /code of -->

``python tests/test_claims_table.py`` writes all of them anew, and what is kept beside records
(``experiments/records.py``).
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest

from wordorder_lab.cli import main
from wordorder_lab.experiments import records
from wordorder_lab.experiments.claim_list import (
    claims_of,
    corrected,
    counts,
    deciding,
    items,
    outcome,
    several_trainings,
    tally,
    with_trainings,
)
from wordorder_lab.experiments.measures.claims import (
    CANNOT,
    EXCLUDED,
    FACT,
    HOLDS,
    NOT,
    NOT_JUDGED,
    OPPOSITE,
    SAME,
    VERDICTS,
    Verdict,
    count_line,
)
from wordorder_lab.experiments.records import names
from wordorder_lab.experiments.runs.code_files import PACKAGE, draws, files_here
from wordorder_lab.experiments.specification import load_specification
from wordorder_lab.experiments.verdicts import (
    all_verdicts,
    judges_here,
    keep,
    paper_of,
    says,
    summarized,
    verdicts_of,
)
from wordorder_lab.metrics.randomisation import p_in_words
from wordorder_lab.runtime.atomic import replacing

AGAIN = "run  python tests/test_claims_table.py  to write it anew"
ROOT = Path(__file__).resolve().parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
MARKED = re.compile(
    r"(<!-- (claims in short|claims of|claims|verdicts|record of|code of|averaging)"
    r"((?: [\w./-]+)*?) -->\n)"
    r"(.*?)(<!-- /\2 -->)",
    re.DOTALL,
)
"""The mark, what is wanted, what it names (experiments, code), what was written, the last mark."""
LANGUAGES = {".py": " { .python }"}
"""What a fenced block calls a language, where that is not the end of a file's name. As it is here,
ruff lets the code alone, of which a part may begin in the middle of a class."""
AVERAGING = "zhang-clark-2015-averaging-gazette"
Verdicts = dict[str, list[Verdict]]


def wanted(what: str, chosen: list[str]) -> str:
    """What stands between two marks."""
    if what == "claims of":
        every = {name: verdicts()[name] for name in with_trainings(chosen)}
        return of_experiments(several_trainings(every))
    if what == "record of":
        return "".join(map(first_table, chosen))
    if what == "code of":
        return code_of(*chosen)
    made = {"claims": every_claim, "claims in short": in_short, "averaging": averaging}
    return {**made, "verdicts": meanings}[what]()


@cache
def verdicts() -> dict[str, list[Verdict]]:
    """Those of all experiments, computed once: each is a bootstrap."""
    return all_verdicts()


def every_claim() -> str:
    """The counts; then for each paper its counts, and a table of the claims that were judged."""
    papers: dict[str, dict[str, list[Verdict]]] = {}
    for name, mine in several_trainings(verdicts()).items():
        ours = all(one.claim.ours for one in verdicts()[name])
        who = "Of no paper" if ours else paper_of(name)
        papers.setdefault(who, {})[name] = mine
    parts = [f"Of the list of all that the papers say, {counts(items(), verdicts())}\n"]
    decided = deciding(verdicts())
    parts += [f"Each corpus and row for itself: {count_line(decided.values())}.\n"]
    many = {(name, one.claim.says): p for name, one, p in corrected(verdicts())}
    for who, about in sorted(papers.items()):
        counted = count_line(decided.get(name, ()) for name in about)
        parts += [f"## {who}\n", f"{counted}.\n", of_experiments(about, many)]
    return "\n".join([*parts, f"## Without a test\n\n{untested()}"])


def of_experiments(chosen: Verdicts, many: Mapping[tuple[str, str], float] | None = None) -> str:
    """A row for each claim of these that could be judged; with the p-values that are corrected for
    their number, where these are given."""
    lines = ["| the claim | what became of it | here | experiment |", "| --- | --- | --- | --- |"]
    order = [*VERDICTS]
    rows = [(order.index(one.verdict), name, one) for name in chosen for one in chosen[name]]
    for _, name, one in sorted(rows, key=lambda row: row[:2]):
        if one.verdict != NOT_JUDGED:
            p_value = (many or {}).get((name, one.claim.says))
            more = "" if p_value is None else f"; Holm: {p_in_words(p_value)}"
            said, told = (text.replace("|", "\\|") for text in (says(one.claim), one.told))
            lines.append(f"| {said} | {one.verdict} | {told}{more} | `{name}` |")
    return "\n".join(lines) + "\n"


def untested() -> str:
    """What the papers say and no record tests, with the reason."""
    rows = [(one.paper, one.where, one.says, one.why) for one in items() if one.why]
    return "\n".join([_row("paper", "where", "it says", "why"), _row(*["---"] * 4)]) + "\n".join(
        ["", *(_row(*row) for row in rows), ""]
    )


def meanings() -> str:
    """The verdicts, and what they mean."""
    rows = [_row(f"*{verdict}*", meaning) for verdict, meaning in VERDICTS.items()]
    return "\n".join([_row("verdict", "it means"), _row("---", "---"), *rows, ""])


def first_table(name: str) -> str:
    """The first table of a record, as `reproduce` prints it."""
    record = records.read_record(records.record_file(name))
    parts = load_specification(name).measure.text(record).split("\n\n")
    table = next(part for part in parts if part.count("\n") > 1)
    return "\n" + "".join(f"    {line.rstrip()}\n" for line in table.splitlines()) + "\n"


def code_of(name: str, part: str = "") -> str:
    """A file as a fenced block, or that part of it."""
    path = ROOT / name
    code = path.read_text(encoding="utf-8")
    if part:
        _, *rest = re.split(r"^ *# part (\w+)\n", code, flags=re.MULTILINE)
        code = dict(zip(rest[::2], rest[1::2], strict=True))[part]
    kind = LANGUAGES.get(path.suffix, path.suffix.removeprefix("."))
    return f"\n```{kind}\n{code.strip(chr(10))}\n```\n\n"


UNTESTED = "no test, with the reason"
SHORT = ("reproduced, or alike", SAME, EXCLUDED, NOT, OPPOSITE, CANNOT, UNTESTED, "facts that hold")


def in_short() -> str:
    """A row a paper: how many of the distinct things it says came out how. Ours stand in the last
    row, a claim each."""
    rows: dict[str, list[str]] = {}
    for item in items():
        found = outcome(item, verdicts()) if item.tests else UNTESTED
        rows.setdefault(item.paper, []).append(found)
    every = [one for mine in deciding(verdicts()).values() for one in mine if one.claim.ours]
    rows["claims of ours, about the same systems"] = [one.verdict for one in every]
    holds = f"{SHORT[0]} (of a paper: still significant after Holm's correction)"
    lines = [_row("claims of", "all", holds, *SHORT[1:]), _row(*["---"] * (2 + len(SHORT)))]
    for who, outcomes in rows.items():
        told = [SHORT[-1] if one == FACT else SHORT[0] if one in HOLDS else one for one in outcomes]
        all_of, first, *rest = map(str, (len(told), *map(told.count, SHORT)))
        mine = [item for item in items() if item.paper == who]
        first += f" ({tally(mine, verdicts()).corrected})" if mine else ""
        lines.append(_row(who, all_of, first, *rest))
    return "\n".join(lines) + "\n"


def _row(*cells: str) -> str:
    return "| " + " | ".join(cells) + " |"


def averaging() -> str:
    """What is the update's and what the averaging's, with the numbers of the record."""
    published, averaged, last, weights = verdicts()[AVERAGING]
    ends = [one.interval for one in (weights, averaged, last)]
    (low, _), *updates = (one for one in ends if one is not None)
    more = all(high < low for _, high in updates)
    return (
        f"As published, 2012 is {_points(published)} ahead of 2011. Averaging alone is worth "
        f"{_points(weights)}, whatever the update; the update alone {_points(averaged)} with "
        f"averaged weights, and {_points(last)} with the last ones. "
        + ("Averaging gives more.\n" if more else "Which gives more, these runs do not say.\n")
    )


def _points(one: Verdict) -> str:
    assert one.difference is not None and one.interval is not None
    low, high = one.interval
    sure = "" if low > 0 or high < 0 else ": not significant"
    return f"{one.difference:.1f} points ({low:.1f} to {high:.1f}{sure})"


def anew(text: str) -> str:
    """A page with everything between its marks as the records have it."""
    return MARKED.sub(lambda m: f"{m[1]}{wanted(m[2], m[3].split())}{m[5]}", text)


def marked() -> Iterator[tuple[Path, str]]:
    """The pages that have a mark, with their text."""
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        if MARKED.search(text):
            yield page, text


def test_every_specification_has_claims() -> None:
    assert [name for name, mine in verdicts().items() if not mine] == []


@pytest.mark.parametrize(
    ("page", "text"), marked(), ids=lambda one: one.name if isinstance(one, Path) else ""
)
def test_a_page_says_what_the_records_give(page: Path, text: str) -> None:
    assert text == anew(text), AGAIN


def test_every_claim_of_a_paper_is_counted_once() -> None:
    """Each claim of a specification that is a paper's tests one item of the list, and no other; of
    one training, where there are several, these do."""
    named = Counter(
        (name, one.claim) for item in items() for name, one in claims_of(item, verdicts())
    )
    every = [(name, one) for name in verdicts() for one in verdicts()[name] if not one.claim.ours]
    # A variant of one experiment has nothing to say of rows of another that was not varied.
    judged = [(name, one.claim) for name, one in every if one.verdict != NOT_JUDGED]
    variants = {name: records.variant_called(name) for name in verdicts()}
    again = {
        (variant._replace(seeds=0).name, claim.says)
        for name, claim in judged
        if (variant := variants[name]) and variant.seeds
    }
    theirs = [(name, claim) for name, claim in judged if (name, claim.says) not in again]
    assert named == Counter(theirs)
    rows = [re.findall(r"\| (\d+)", line) for line in in_short().splitlines()[2:]]
    assert sum(int(row[0]) for row in rows[:-1]) == len(items())
    assert all(int(row[0]) == sum(map(int, row[1:])) for row in rows)


def test_an_item_leads_to_a_notebook_and_to_code() -> None:
    for item in items():
        assert (ROOT / "notebooks" / f"{item.notebook}.py").is_file(), item
        assert (PACKAGE / item.code).is_file(), item


def test_a_mark_without_its_end_is_noticed() -> None:
    opened = re.compile(r"^<!-- (?:claims|verdicts|record of|code of|averaging)", re.MULTILINE)
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        assert len(opened.findall(text)) == len(MARKED.findall(text)), page.name


FEW = ("cohn-lapata-2009-table-3", "wan-2009", "zhang-clark-2015-table-4-sick")
HEAVY = {"numpy", "scipy", "numba", "nltk", "pandas", "matplotlib", "sacrebleu"}


def test_all_that_is_kept_is_of_what_lies_here() -> None:
    judges = judges_here()
    assert [name for name in names() if records.kept(name, judges) is None] == [], AGAIN
    assert {path.stem for path in records.FOLDER.parent.glob("verdicts/*")} == {
        path.stem for path in records.records()
    }


@pytest.mark.parametrize("name", FEW)
def test_what_is_kept_is_what_is_judged_now(name: str) -> None:
    """A few, which take half a second; the key above says that all are of this code."""
    record = records.read_record(records.record_file(name))
    made = json.loads(json.dumps(summarized(load_specification(name), record)))
    there = json.loads(records.kept_file(name).read_text(encoding="utf-8"))
    assert there == {"key": there["key"], **made}
    assert records.verdicts_in(there) == verdicts_of(load_specification(name), record)


def test_a_list_reads_no_record_and_judges_nothing(monkeypatch, capsys) -> None:
    def never(*given: object) -> None:
        raise AssertionError("a list has all of this kept")

    monkeypatch.setattr(records, "read_record", never)
    monkeypatch.setattr("wordorder_lab.experiments.verdicts.judge", never)
    assert main(["reproduce", "--json", "-"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert [row["name"] for row in rows] == names()
    assert sum(len(row["claims"]) for row in rows) == sum(map(len, verdicts().values()))


def test_a_list_imports_nothing_that_runs_or_judges() -> None:
    told = (
        "import sys; from wordorder_lab.cli import main; main(['reproduce']); print(*sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", told], cwd=ROOT, check=True, capture_output=True, text=True
    )
    there = set(done.stdout.splitlines()[-1].split())
    assert there & HEAVY == set()
    ours = {name for name in there if name.startswith("wordorder_lab.experiments.")}
    assert "wordorder_lab.experiments.records" in ours
    assert not {name.rpartition(".")[2] for name in ours} & {"specification", "measure"}


OPENED = """
import sys
from pathlib import Path
import wordorder_lab
from wordorder_lab.experiments.verdicts import judged

home, opened = Path(wordorder_lab.__file__).parent, {}


def opening(event, given):
    path = Path(str(given[0])) if event == "open" else home
    if path.is_relative_to(home) and path.suffix in (".toml", ".json", ".txt"):
        opened.setdefault(path.relative_to(home).as_posix())


sys.addaudithook(opening)
for name in sys.argv[1:]:
    opened.clear()
    judged(name)
    print(*opened)
"""


def test_a_verdict_is_judged_from_its_own_two_files() -> None:
    """Cold: no system is asked for its settings. How much code is read, ``test_walks`` counts."""
    several = ["liu-2015-figure-7", "cohn-lapata-2009-table-6-spoken", "labels"]
    command = [sys.executable, "-c", OPENED, *several]
    done = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    for name, opened in zip(several, done.stdout.splitlines(), strict=True):
        stem = name.replace("-", "_")
        assert opened == f"experiments/papers/{stem}.toml experiments/records/{stem}.json"


@pytest.fixture
def copied(tmp_path, monkeypatch) -> tuple[Path, Path]:
    """One experiment in folders of its own, kept: its specification and its record."""
    files = records.specification_file("wan-2009"), records.record_file("wan-2009")
    for folder, file in zip(("PAPERS", "FOLDER"), files):
        (tmp_path / file.suffix).mkdir()
        shutil.copy(file, tmp_path / file.suffix)
        monkeypatch.setattr(records, folder, tmp_path / file.suffix)
    keep("wan-2009")
    return records.specification_file("wan-2009"), records.record_file("wan-2009")


ITS_JUDGES = (
    *("verdicts", "records", "record_check", "specification", "measures/claims"),
    *("measures/end", "measures/measure", "runs/settings", "runs/schema", "runs/code_files"),
)


@pytest.mark.parametrize("changed", ["claim", "record"])
def test_nothing_stale_is_shown(copied, changed: str) -> None:
    path, record = copied
    before = all_verdicts()["wan-2009"]
    if changed == "claim":
        path.write_text(path.read_text().replace('says = "', 'says = "in truth ', 1))
        assert all_verdicts()["wan-2009"][0].claim.says.startswith("in truth ")
    else:
        text = re.sub(r'"sentence_scores": \[', '"not_kept": [', record.read_text())
        record.write_text(text)
        assert {one.verdict for one in all_verdicts()["wan-2009"]} == {NOT_JUDGED}
    assert records.kept("wan-2009", judges_here()) is None
    assert len(before) == len(all_verdicts()["wan-2009"])


def test_what_other_code_has_judged_is_stale(copied) -> None:
    judges, files = judges_here(), files_here(PACKAGE, ("experiments", "metrics"))
    assert records.kept("wan-2009", judges) is not None and records.judging_code(files) == judges
    for changed in ITS_JUDGES:
        name = f"experiments/{changed}.py"
        edited = {**files, name: files[name] + b"\nEDITED = True\n"}
        assert records.kept("wan-2009", records.judging_code(edited)) is None, changed


def test_what_is_imported_to_judge_is_what_decides() -> None:
    """But for what is reached through other folders, and what only draws."""
    told = (
        "import sys; from wordorder_lab.experiments import provenance, verdicts; "
        "from wordorder_lab.experiments.measures.measure import all_measures; "
        "all_measures(); print(*sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", told], cwd=ROOT, check=True, capture_output=True, text=True
    )
    files = files_here(PACKAGE)
    there = {
        path
        for module in done.stdout.split()
        for end in (".py", "/__init__.py")
        if (path := module.replace(".", "/").removeprefix("wordorder_lab/") + end) in files
    }
    judges = records.judging_files(files)
    assert judges.keys() - there == set()
    asked = {path for path in there if path.startswith(records.ASKED) and not draws(path)}
    assert asked - judges.keys() == set()


def test_a_write_that_is_interrupted_loses_nothing(copied, monkeypatch) -> None:
    before = records.kept_file("wan-2009").read_bytes()

    def interrupted(*given: object, **more: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr("os.replace", interrupted)
        with pytest.raises(KeyboardInterrupt):
            keep("wan-2009")
    assert records.kept_file("wan-2009").read_bytes() == before
    records.kept_file("wan-2009").write_bytes(before[:100])  # as a full disk elsewhere may leave it
    assert records.kept("wan-2009", judges_here()) is None
    assert all_verdicts()["wan-2009"] == records.verdicts_in(json.loads(before))


def written(pages: Iterable[tuple[Path, str]]) -> None:
    """Write what has changed."""
    for page, text in pages:
        if (new := anew(text)) != text:
            with replacing(page) as part:
                part.write_text(new, encoding="utf-8")
            print(f"wrote {page.relative_to(ROOT)}")


if __name__ == "__main__":
    for experiment in names():
        if not records.record_file(experiment).exists():
            print(f"no record: wordorder-lab reproduce {experiment} makes it")
        elif records.kept(experiment, judges_here()) is None:
            keep(experiment)
    written(marked())
    print(count_line(verdicts().values()))
