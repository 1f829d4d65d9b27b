"""Free lists of English forms: UniMorph's verbs, and WordNet's exceptions.

They are looked for like a corpus, in a folder ``english_inflection``; nothing of them is part of
the project. UniMorph (Kirov et al. 2018) has a line ``lemma TAB form TAB tags`` a form, WordNet a
line ``form lemma``. A form is listed under a cell: ``"past"``, ``"plural"`` and so on, as
``inflection/english_rules`` names them.
"""

from __future__ import annotations

from wordorder_lab.corpora.readers.corpus import error_at
from wordorder_lab.corpora.readers.files import DataFolder, find_or_get, packed_or_not, read_text
from wordorder_lab.structures.messages import cited

FOLDER = "english_inflection"
GET = (
    "git clone --depth 1 https://github.com/unimorph/eng; then gzip its file eng as "
    f"{FOLDER}/unimorph_eng_verbs.tsv.gz, and put WordNet's noun.exc there as wordnet_noun.exc, "
    "adj.exc and adv.exc likewise"
)
VERBS = "unimorph_eng_verbs.tsv"
CELL_OF = {
    "V;3;SG;PRS": "third person",
    "V;PST": "past",
    "V;V.PTCP;PST": "past participle",
    "V;V.PTCP;PRS": "present participle",
}
NOT_THERE = {"be"}  # one form of it; the rest is known by hand
Lists = dict[str, dict[str, tuple[str, ...]]]


def inflection_lists(data: DataFolder = None) -> Lists:
    """Cell -> lemma -> its forms; ``CorpusError`` for lists that are not there, or are broken."""
    what = f"the folder {FOLDER} with lists of English forms"
    (folder,) = find_or_get(what, GET, [FOLDER], data)
    lists: Lists = {}
    for number, line in enumerate(read_text(packed_or_not(folder, VERBS)).splitlines(), start=1):
        columns = line.split("\t")
        if len(columns) != 3:
            what = f"a line is a lemma, a form and tags with tabs between, not {cited(line)}"
            raise error_at(number, VERBS, what)
        if (cell := CELL_OF.get(columns[2])) and columns[0] not in NOT_THERE:
            _add(lists, cell, columns[0], columns[1])
    for name in ("noun", "adj", "adv"):
        text = read_text(packed_or_not(folder, f"wordnet_{name}.exc"))
        rows = (line.split() for line in text.splitlines())
        pairs = [(row[0], row[1]) for row in rows if len(row) > 1 and row[0] != row[1]]
        for form, lemma in pairs:  # further lemmas of a form are passed over
            if name == "noun":
                _add(lists, "plural", lemma, form)
            elif form.endswith(("er", "est", "worse", "worst")) or lemma in ("well", "far"):
                superlative = form.endswith("st")
                _add(lists, "superlative" if superlative else "comparative", lemma, form)
    return lists


def _add(lists: Lists, cell: str, lemma: str, form: str) -> None:
    of_cell = lists.setdefault(cell, {})
    if form not in of_cell.get(lemma, ()):
        of_cell[lemma] = (*of_cell.get(lemma, ()), form)
