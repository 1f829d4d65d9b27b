"""The Gazette's lexicon: its rows are sound, enough, and agree with each other.

What a row may hold is checked by the loader, so the tests that load it check the files as well.
"""

from __future__ import annotations

import re
import shutil
from collections import Counter
from dataclasses import astuple

import pytest

from gazette_generator.lexicon import (
    CLASSES,
    DOMAINS,
    FOLDER,
    FRAMES,
    HUMAN,
    NAME_CLASSES,
    ORGANISATIONS,
    Adjective,
    Noun,
    Selection,
    Verb,
    load_lexicon,
)
from wordorder_lab.corpora.readers.corpus import CorpusError

LEXICON = load_lexicon()
FILES = sorted(path.name for path in FOLDER.glob("*.txt"))
VERBS_PER_FRAME = {
    "t": 120, "tn": 15, "tp": 15, "i": 50, "ip": 50, "c": 25, "q": 15, "ti": 25, "r": 6, "oc": 12,
    "d": 15,
}  # fmt: skip

# Plurals, s-forms and ing-forms that the simple rules do not give.
PLURALS = {
    "child": "children", "knife": "knives", "thief": "thieves", "wolf": "wolves", "deer": "deer",
    "goose": "geese", "salmon": "salmon", "species": "species", "spacecraft": "spacecraft",
    "analysis": "analyses", "hypothesis": "hypotheses", "prosthesis": "prostheses",
    "bacterium": "bacteria", "fungus": "fungi", "tooth": "teeth", "foot": "feet",
    "mosquito": "mosquitoes", "crisis": "crises", "tornado": "tornadoes", "embargo": "embargoes",
    "biotech": "biotechs",
}  # fmt: skip
THIRDS = {"have": "has", "veto": "vetoes"}
INGS = {"die": "dying"}
HALF_REGULAR = {"show"}


def forms(row: Noun | Verb | Adjective) -> tuple[str, ...]:
    """The forms of a word, without those that there are not."""
    return tuple(filter(None, astuple(row)[: FORMS[type(row)]]))


FORMS = {Noun: 2, Verb: 5, Adjective: 3}
"""Columns that are forms."""


def s_form(word: str) -> str:
    """The plural or third person by rule."""
    if re.search(r"(s|x|z|ch|sh)$", word):
        return word + "es"
    return word[:-1] + "ies" if re.search(r"[^aeiou]y$", word) else word + "s"


def ing_forms(base: str) -> set[str]:
    """What the rules allow: with the final consonant doubled or not, without the silent e."""
    stem = base if base.endswith("ee") else base.removesuffix("e")
    return {stem + "ing"} | ({base + base[-1] + "ing"} if base[-1] in "bdglmnprt" else set())


def regular_pasts(base: str) -> set[str]:
    """The past by rule, with the final consonant doubled or not."""
    if base.endswith("e"):
        return {base + "d"}
    if re.search(r"[^aeiou]y$", base):
        return {base[:-1] + "ied"}
    return {base + "ed", base + base[-1] + "ed"}


def test_every_file_is_ascii_sorted_in_its_groups_and_in_columns():
    assert len(FILES) == 7
    for name in FILES:
        text = (FOLDER / name).read_text(encoding="utf-8")
        assert text.isascii() and text.startswith("# ") and text.endswith("\n"), name
        for group in re.split(r"\n\n|\n#.*", text):
            rows = [line for line in group.split("\n") if line and not line.startswith("#")]
            # A plural-only noun stands where its plural belongs.
            keys = [re.sub(r"^- +", "", row) for row in rows]
            first = [re.split(r" {2,}", key)[0] for key in keys]
            assert first == sorted(first), f"{name}: {rows[0]} ..."


def test_every_class_is_used_and_explained_at_the_head_of_the_nouns():
    head = (FOLDER / "nouns.txt").read_text(encoding="utf-8").split("\n\n")[0]
    explained = re.findall(r"^#   (\w+) +.+: .+$", head, re.MULTILINE)
    assert set(explained) == CLASSES == {noun.kind for noun in LEXICON.nouns}
    assert CLASSES > HUMAN | ORGANISATIONS and not CLASSES & NAME_CLASSES


def test_no_noun_stands_twice_in_a_class_and_no_verb_has_two_paradigms():
    for keys in (
        [(n.lemma, n.kind) for n in LEXICON.nouns],
        [one[0] for one in {forms(v) for v in LEXICON.verbs}],
        [one[0] for one in {forms(a) for a in LEXICON.adjectives}],
        [(n.form, n.kind) for n in LEXICON.names],
    ):
        assert [key for key, n in Counter(keys).items() if n > 1] == []


def test_plurals_and_s_forms():
    for noun in LEXICON.nouns:
        if noun.singular and noun.plural:
            man = re.sub(r"man$", "men", noun.singular)
            rule = man if man != noun.singular else s_form(noun.singular)
            assert noun.plural == PLURALS.get(noun.singular, rule)
    for verb in LEXICON.verbs:
        assert verb.third == THIRDS.get(verb.base, s_form(verb.base))


def test_participles_and_comparisons():
    for verb in LEXICON.verbs:
        expected = {INGS[verb.base]} if verb.base in INGS else ing_forms(verb.base)
        assert verb.ing in expected, verb.base
        # Regular in both or in neither; the doubling is the same all through.
        regular = regular_pasts(verb.base)
        alike = (verb.past in regular) == (verb.participle in regular)
        assert alike != (verb.base in HALF_REGULAR), verb.base
        if verb.past in regular and not verb.base.endswith(("e", "y")):
            assert verb.past[:-2] == verb.ing[:-3], verb.base
    for adjective in LEXICON.adjectives:
        assert bool(adjective.comparative) == bool(adjective.superlative)
        if adjective.comparative:
            assert adjective.comparative[:-1] == adjective.superlative[:-2]
            assert adjective.comparative.startswith(adjective.form.rstrip("ey"))


def test_there_is_enough_of_everything():
    kinds = Counter(name.kind for name in LEXICON.names)
    inflected = [*LEXICON.nouns, *LEXICON.verbs, *LEXICON.adjectives]
    others = [*LEXICON.adverbs, *LEXICON.names, *LEXICON.prepositions]
    words = {word for row in inflected for form in forms(row) for word in form.split()}
    words |= {word for row in others for word in row.form.split()}
    assert len(words | {c.modifier for c in LEXICON.compounds}) >= 1500
    assert len({n.lemma for n in LEXICON.nouns}) >= 550
    assert len({a.form for a in LEXICON.adjectives}) >= 200
    assert len({a.form for a in LEXICON.adverbs}) >= 70
    assert kinds["surname"] + kinds["first-m"] + kinds["first-f"] >= 150
    assert kinds["company"] >= 60 and kinds["city"] + kinds["country"] + kinds["state"] >= 60
    assert all(1 <= len(n.form.split()) <= 3 for n in LEXICON.names if n.kind == "company")
    assert min(Counter(n.kind for n in LEXICON.nouns).values()) >= 15
    for frame in FRAMES:
        verbs = {v.base for v in LEXICON.verbs if v.frame == frame}
        assert len(verbs) >= VERBS_PER_FRAME[frame], frame


@pytest.mark.parametrize("domain", DOMAINS)
def test_every_domain_can_write_every_kind_of_sentence(domain: str):
    for frame in set(FRAMES) - {"d", "oc"}:
        assert len(LEXICON.verbs_for(frame, domain)) >= 4, frame
    assert LEXICON.verbs_for("oc", domain) and LEXICON.verbs_for("d", domain)
    assert len(LEXICON.verbs_for("t", domain)) >= 25
    for place in ("manner", "aspect", "degree", "approx", "sentence", "time"):
        assert len(LEXICON.adverbs_for(place, domain)) >= 2
    assert any(LEXICON.names_for(kind, domain) for kind in ("company", "team", "agency"))


def _empty(selection: Selection, domain: str) -> bool:
    """Whether nothing in a domain answers a selection."""
    named = NAME_CLASSES & set(selection)
    return bool(selection) and not named and not LEXICON.nouns_for(selection, domain)


def test_no_row_asks_for_nouns_that_its_domain_does_not_have():
    for verb in LEXICON.verbs:
        for domain in verb.domains:
            chosen = (verb.subjects, verb.objects, verb.extra)
            assert not any(_empty(s, domain) for s in chosen), (verb, domain)
    for adjective in LEXICON.adjectives:
        assert not any(_empty(adjective.nouns, d) for d in adjective.domains), adjective
    for prep in LEXICON.prepositions:
        for domain in prep.domains:
            assert not _empty(prep.objects, domain) and not _empty(prep.heads, domain), prep
    domains = {n.lemma: set[str]() for n in LEXICON.nouns}
    for noun in LEXICON.nouns:
        domains[noun.lemma] |= set(noun.domains)
    assert all(set(c.domains) <= domains[c.noun] for c in LEXICON.compounds)


def test_names_point_at_names_that_are_there():
    forms = {
        kind: {n.form for n in LEXICON.names if n.kind == kind} for kind in ("country", "state")
    }
    for name in LEXICON.names:
        if name.kind == "nationality":
            assert name.extra in forms["country"]
        elif name.kind == "city":
            assert name.extra in forms["country"] | forms["state"]
        elif name.kind == "title":
            assert name.extra in ("m", "f", "")
        else:
            assert name.extra in ("", "the", "abbr")


@pytest.mark.parametrize(
    ("subject", "verb", "object_", "domain", "allowed"),
    [
        ("airline", "postpone", "strike", "b", True),
        ("bridge", "acquire", "verdict", "b", False),
        ("jury", "acquit", "defendant", "c", True),
        ("jury", "acquit", "goalkeeper", "c", False),
        ("team", "release", "goalkeeper", "t", True),
        ("storm", "damage", "bridge", "l", True),
        ("bridge", "damage", "storm", "l", False),
        ("parliament", "pass", "bill", "p", True),
        ("parliament", "pass", "goal", "p", False),
        ("poet", "compose", "symphony", "a", False),
    ],
)
def test_selection(subject: str, verb: str, object_: str, domain: str, allowed: bool):
    def found(selection: Selection, lemma: str) -> bool:
        return any(n.lemma == lemma for n in LEXICON.nouns_for(selection, domain))

    rows = [v for v in LEXICON.verbs_for("t", domain) if v.base == verb]
    assert any(found(r.subjects, subject) and found(r.objects, object_) for r in rows) == allowed


def test_modifiers_go_with_their_nouns():
    [profit] = [n for n in LEXICON.nouns if n.lemma == "profit"]
    [coach] = [n for n in LEXICON.nouns if n.lemma == "coach" and n.kind == "leader"]
    [change] = [n for n in LEXICON.nouns if n.lemma == "increase"]
    assert "quarterly" in {a.form for a in LEXICON.adjectives_for(profit, "b")}
    assert "quarterly" not in {a.form for a in LEXICON.adjectives_for(coach, "t")}
    assert "likely" not in {a.form for a in LEXICON.adjectives_for(coach, "t")}
    assert "likely" in {a.form for a in LEXICON.adjectives_for(coach, "t", "raising")}
    assert "in" in {p.form for p in LEXICON.prepositions_after(change, "b")}
    assert "price" in {c.modifier for c in LEXICON.compounds_of(change, "b")}
    assert "during" in {p.form for p in LEXICON.prepositions_of_clauses("p", "time")}
    assert "unanimously" in {a.form for a in LEXICON.adverbs_for("manner", "p", "approve")}
    assert "unanimously" not in {a.form for a in LEXICON.adverbs_for("manner", "p", "surrender")}


@pytest.mark.parametrize(
    ("name", "row", "message"),
    [
        ("nouns.txt", "oil  -  substance", "3 columns, not 4"),
        ("nouns.txt", "oil  -  liquid  b", "'liquid' is no class"),
        ("nouns.txt", "oil  -  substance  pb", "'pb' are no domains"),
        ("nouns.txt", "-  -  substance  b", "a singular or a plural"),
        ("nouns.txt", "oi1  -  substance  b", "'oi1' is not a word"),
        ("nouns.txt", "coal  -  substance  b", "again"),
        ("verbs.txt", "go  goes  went  gone  going  x  *  -  -  b", "'x' is no frame"),
        ("verbs.txt", "go  goes  went  gone  going  i  person  plan  -  b", "takes no objects"),
        ("verbs.txt", "go  goes  went  gone  going  t  person  -  -  b", "takes objects"),
        ("verbs.txt", "go  goes  went  gone  going  ip  person  -  -  b", "takes extra"),
        ("verbs.txt", "go  goes  went  gone  going  ip  person  -  plan  b", "preposition:nouns"),
        ("verbs.txt", "go  goes  went  gone  going  i  persons  -  -  b", "'persons' is no class"),
        ("verbs.txt", "go  goes  went  gone  going  i  =elf  -  -  b", "'elf' is not in nouns.txt"),
        ("verbs.txt", "go  goes  went  gone  going  i  plan,plan  -  -  b", "something twice"),
        ("verbs.txt", "go  goes  went  gone  going  i  -  -  -  b", "nothing to go with"),
        ("adjectives.txt", "oily  -  -  substance  b  never", "'never' is no use"),
        ("adverbs.txt", "oilily  manner  b  oil", "'oil' is not in verbs.txt"),
        ("names.txt", "Oilia  planet  -  *", "'planet' is no kind"),
        ("preps.txt", "amid  nothing  plan  time  *  *", "'nothing' is no place to attach"),
        ("compounds.txt", "oil  slick  b", "'slick' is not in nouns.txt"),
    ],
)
def test_a_bad_row_is_refused_with_file_and_line(tmp_path, name: str, row: str, message: str):
    shutil.copytree(FOLDER, tmp_path / "lexicon")
    path = tmp_path / "lexicon" / name
    text = path.read_text(encoding="utf-8")
    path.write_text(f"{text}{row}\n", encoding="utf-8")
    with pytest.raises(CorpusError, match=re.escape(message)) as error:
        load_lexicon(tmp_path / "lexicon")
    assert f"line {text.count(chr(10)) + 1:,} of {path}" in str(error.value)


def test_a_file_that_is_missing_or_empty_is_named(tmp_path):
    with pytest.raises(CorpusError, match=re.escape("nouns.txt cannot be read")):
        load_lexicon(tmp_path)
    (tmp_path / "nouns.txt").write_text("# nothing yet\n", encoding="utf-8")
    with pytest.raises(CorpusError, match="holds no rows"):
        load_lexicon(tmp_path)
