"""``wordorder-lab corpora ccg``: how Penn trees become CCG derivations, and how many do.

``--show wsj_0003:5`` goes through the steps of one tree, ``--report`` counts, ``--compare`` sets
two derivations beside CCGrebank's, ``--out`` writes all of them in CCGbank's format.
"""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable, Iterator
from html import escape
from pathlib import Path

from wordorder_lab.commands.output import Described, check_target
from wordorder_lab.corpora import conversion_report, gum_trees
from wordorder_lab.corpora.conversion_report import CCGBANK, Difference
from wordorder_lab.corpora.penn_corpora import PennTree, read_penn_trees
from wordorder_lab.corpora.penn_to_ccg import convert
from wordorder_lab.corpora.penn_to_ccg.convert import outcome, titled_steps
from wordorder_lab.corpora.readers.ccgbank import AutoEntry, format_derivation, write_auto
from wordorder_lab.corpora.readers.corpus import CorpusError, Splits
from wordorder_lab.corpora.treebanks import load_trees
from wordorder_lab.experiments.runs.schema import Row
from wordorder_lab.runtime.atomic import replacing
from wordorder_lab.structures.phrase_tree import PhraseTree
from wordorder_lab.structures.plain_tree import Tree

NAME, USUAL = "ccg", "ptb-sample"
OURS_ALONE = ("show", "compare", "out", "html", "trees_of")
"""Options of ``corpora`` that no other corpus takes."""
WIDTH = 100


def refuse_elsewhere(arguments: Namespace) -> None:
    """Raise ``ValueError`` for an option of ``corpora ccg`` with another corpus."""
    for name in OURS_ALONE:
        if _is_given(arguments, name):
            option = "--corpus" if name == "trees_of" else f"--{name}"
            raise ValueError(f"{option} is about derivations: wordorder-lab corpora ccg {option}")


def _is_given(arguments: Namespace, name: str) -> bool:
    return getattr(arguments, name) not in (None, False)  # an empty text is something given


def run(arguments: Namespace) -> Described:
    """``ValueError`` for no task or several, ``CorpusError`` for trees that are not there."""
    wanted = [name for name in TASKS if _is_given(arguments, name)]
    if len(wanted) != 1:
        every = "--show NAME, --report, --compare, --out FILE"
        raise ValueError(f"corpora ccg does one of these at a time: {every}")
    if arguments.html is not None and wanted != ["show"]:
        raise ValueError("--html is the page of one tree: give --show NAME with it")
    if arguments.units is not None:
        raise ValueError("corpora ccg converts words: leave --units out")
    for path in (arguments.html, arguments.out):
        if path is not None:
            check_target(path)
    name = USUAL if arguments.trees_of is None else arguments.trees_of
    is_gum = name == gum_trees.NAME
    trees = Splits(name, gum_trees.splits(read_penn_trees)) if is_gum else load_trees(name)
    return TASKS[wanted[0]](trees, arguments)


# --- one tree -----------------------------------------------------------------------------------


def _show(trees: Splits[PennTree], arguments: Namespace) -> Described:
    tree = find_tree(trees, arguments.show)
    conversion = convert.to_derivation(tree.tree, steps=True)
    derivation = conversion.derivation
    lines = [tree.name]
    for title, made in titled_steps(tree.tree, conversion):
        lines += ["", title, _drawn(made)]
    lines += ["", outcome(conversion)]
    if derivation is not None:
        lines += ["", derivation.picture()]
    if arguments.html is not None:
        _write_page(arguments.html, tree, conversion)
        lines += ["", f"wrote {arguments.html}"]
    data = {
        "name": tree.name,
        "tree": _drawn(tree.tree),
        "steps": [{"step": name, "tree": _drawn(made)} for name, made in conversion.steps],
        "derivation": format_derivation(derivation) if derivation is not None else None,
        "reason": conversion.reason,
        "detail": conversion.detail,
    }
    return lines, data


def find_tree(trees: Splits[PennTree], name: str) -> PennTree:
    """The tree of a name such as ``wsj_0003:5``; ``CorpusError`` says which there are."""
    wanted = _short(name)
    names: list[tuple[str, int]] = []
    for tree in trees.every():
        if _short(tree.name) == wanted:
            return tree
        file, _, number = _short(tree.name).rpartition(":")
        names.append((file, int(number)))
    file = wanted.rpartition(":")[0] or wanted
    there = sorted([known for known in names if known[0] == file] or names)
    first, last = (f"{file}:{number}" for file, number in (there[0], there[-1]))
    raise CorpusError(f"{trees.name} has no tree {name!r}: it has {first} to {last}")


def _short(name: str) -> str:
    file, _, number = name.rpartition(":")
    return f"{file.rpartition('.')[0] or file}:{number}" if file else name


def _drawn(tree: Tree) -> str:
    return str(tree.pformat(margin=WIDTH))


def _write_page(path: str, tree: PennTree, conversion: convert.Conversion) -> None:
    from wordorder_lab.commands.html import PAGES
    from wordorder_lab.widgets.page import filled

    body = [
        f"<h2>{escape(title)}</h2>\n{PhraseTree.convert(made)._repr_html_()}"
        for title, made in titled_steps(tree.tree, conversion)
    ]
    body.append(f"<h2>{escape(outcome(conversion))}</h2>")
    if conversion.derivation is not None:
        body.append(conversion.derivation._repr_html_())
    title = f"{tree.name}: from a Penn tree to a CCG derivation"
    page = filled(PAGES / "derivation.html", title=title, body="\n".join(body))
    with replacing(path) as temporary:
        temporary.write_bytes(page.encode("utf-8", "xmlcharrefreplace"))


# --- all trees ----------------------------------------------------------------------------------


def _report(trees: Splits[PennTree], _: Namespace) -> Described:
    data = conversion_report.conversion_report(trees)
    return list(_report_lines(data)), data


def _report_lines(data: Row) -> Iterator[str]:
    yield f"{data['corpus']}: CCG derivations of Penn trees (made in {data['seconds']:.1f} s)"
    share = f"{'share':>9}"
    yield f"{'split':<6}{'sentences':>10}{'converted':>11}{share}{'over base NPs':>15}{share}"
    for name, row in (*data["splits"].items(), ("all", data["all"])):
        yield (
            f"{name:<6}{row['sentences']:>10,}{row['converted']:>11,}{row['share']:>9.2%}"
            f"{row['over_base_nps']:>15,}{row['share_over_base_nps']:>9.2%}"
        )
    odd = data["steps_of_no_rule"]
    yield f"with a step of no rule: {odd['sentences']:,} {' '.join(odd['names'])}".rstrip()
    for row in data["failed"]:
        yield f"{row['sentences']:>6,}  {row['reason']}: {', '.join(row['names'])}"
    yield ""
    yield from _lexicon_lines(data)
    yield from ("", f"{'rule':<8}{'steps':>9}{'different':>11}")
    for kind, row in data["rules"].items():
        yield f"{kind:<8}{row['steps']:>9,}{row['different']:>11,}"


def _lexicon_lines(data: Row) -> Iterator[str]:
    gold, seen, ours = data["gold_categories"], data["dev_seen_in_train"], data["lexicon"]
    words = "words with a category of the gold supertag sets"
    if gold is None:
        yield f"{words}: ccg_small is not here"
    else:
        others = ", ".join(f"{category} {number:,}" for category, number in gold["frequent_others"])
        yield f"{words} ({gold['gold']} categories): {gold['share']:.2%} of {gold['words']:,}"
        yield f"  most frequent others: {others or 'none'}"
    if seen is not None:
        yield (
            f"dev's {seen['words']:,} words whose category was seen in train with the word or tag: "
            f"{seen['by_word_or_tag']:.2%} (with the word {seen['by_word']:.2%}, with the tag "
            f"{seen['by_tag']:.2%})"
        )
    yield f"{'':<34}{'here':>10}{'CCGbank':>10}"
    for key, what, form in (
        ("categories", "different lexical categories", ",d"),
        ("categories_ten_times", "  seen ten times or more", ",d"),
        ("by_type", "categories a word, over types", ".2f"),
        ("by_token", "categories a word, over tokens", ".2f"),
    ):
        yield f"{what:<34}{ours[key]:>10{form}}{CCGBANK[key]:>10{form}}"


def _write(trees: Splits[PennTree], arguments: Namespace) -> Described:
    entries, left_out = [], 0
    for tree in trees.every():
        derivation = tree.converted.derivation()
        if derivation is None:
            left_out += 1
        else:
            name = conversion_report.auto_name(tree.name)
            entries.append(AutoEntry(f"ID={name} PARSER=PENN_TO_CCG NUMPARSE=1", derivation))
    if not entries:
        raise CorpusError(f"no tree of {trees.name} has a derivation: there is nothing to write")
    write_auto(Path(arguments.out), entries)
    made, out = len(entries), arguments.out
    line = f"wrote {out}: {made:,} derivations ({left_out:,} sentences have none)"
    return [line], {"derivations": made, "left_out": left_out, "file": out}


# --- beside CCGrebank ---------------------------------------------------------------------------


def _compare(trees: Splits[PennTree], _: Namespace) -> Described:
    found = conversion_report.differences(trees)
    lines = [line for one in found for line in (*_difference_lines(one), "")]
    rows = [one._asdict() for one in found]
    for row in rows:
        row |= {
            name: [step._asdict() for step in row[name]] for name in ("only_ours", "only_theirs")
        }
    return lines[:-1], rows


def _difference_lines(one: Difference) -> list[str]:
    other = sum(ours != theirs for _, ours, theirs in one.words)
    lines = [
        f"{one.name}: {other} of {len(one.words)} words have another category",
        f"{'':2}{'word':<16}{'ours':<34}CCGrebank",
    ]
    for word, ours, theirs in one.words:
        lines.append(f"{'  ' if ours == theirs else '* '}{word:<16}{ours:<34}{theirs}")
    lines.append(f"{one.shared} steps are the same")
    for whose, steps in (("ours", one.only_ours), ("CCGrebank's", one.only_theirs)):
        lines.append(f"only {whose}:")
        lines += [f"  {step}" for step in steps]
    return lines


TASKS: dict[str, Callable[[Splits[PennTree], Namespace], Described]] = {
    "show": _show,
    "report": _report,
    "compare": _compare,
    "out": _write,
}
"""What it does, by the option that asks for it."""
