"""What the verbs share: inputs one after the other, typed or read, and an answer to each.

Nothing that was answered is lost for a bad input after it.
"""

from __future__ import annotations

import re
import sys
from argparse import Namespace
from collections.abc import Callable, Iterable, Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import NamedTuple, TypeVar

from wordorder_lab.commands.output import STDOUT, check_json, check_target, write_json
from wordorder_lab.corpora.readers.files import open_text
from wordorder_lab.experiments.runs.schema import Row
from wordorder_lab.runtime.progress import progress_bar
from wordorder_lab.structures.messages import one_line, unfit_character
from wordorder_lab.structures.sentence import Sentence
from wordorder_lab.structures.tokens import tokenized
from wordorder_lab.trace.log import EventLog

Asked = TypeVar("Asked")
Answer = Callable[[Asked], tuple[Row, list[str]]]
"""Takes an input; gives what goes into ``--json`` and the lines to print."""
_STUCK = re.compile(
    r"""(?P<sign>[^\W\d_]{2,}[,;:!?)"”]+|["“(][^\W_]+|[^\W_]{3,}\.)"""
    r"""|(?P<clitic>[^\W\d_]+(?:n[’']t|[’'](?:s|re|ve|ll|d|m)))""",
    re.IGNORECASE,
)
"""A word that a sign or a contracted word hangs on; *etc.* and *Corp.* are known by their place."""


def asked_log(arguments: Namespace) -> EventLog | None:
    """A log, if ``--trace`` or ``--play`` want one; ``ValueError`` for files nobody can write."""
    check_json(arguments.json)
    if getattr(arguments, "why", False) and arguments.play is None:
        raise ValueError("--why says what a score of a played search is made of: name a --play too")
    if getattr(arguments, "reference", None) and not (arguments.play and arguments.text):
        raise ValueError(
            "--reference is what a played search ought to find: give its words and a --play too"
        )
    wanted = [path for path in (arguments.trace, arguments.play) if path is not None]
    for path in wanted:
        check_target(path)
    return EventLog() if wanted else None


class Typed(NamedTuple):
    """What is typed, or stdin after a ``hint``; the ``option``, if given, takes its place."""

    arguments: Namespace
    option: str
    what: str
    hint: str

    @property
    def source(self) -> str | None:
        """What the option says. Raises ``ValueError`` where there is something typed, too."""
        given: str | None = getattr(self.arguments, self.option)
        if self.arguments.text and given is not None:
            raise ValueError(
                f"{self.what} come from --{self.option} or from the command line: leave one of "
                "them out"
            )
        return given

    @property
    def by_hand(self) -> bool:
        """Whether somebody types at a terminal."""
        return not self.arguments.text and self.source is None and sys.stdin.isatty()

    def lines(self, after: str = ", ") -> Iterator[tuple[str, str]]:
        """Each line with its place, which ends with ``after``; empty ones are passed over."""
        if self.arguments.text:
            yield "", " ".join(self.arguments.text)
            return
        if self.by_hand:
            print(self.hint, file=sys.stderr)
        for number, typed in enumerate(sys.stdin, start=1):
            if found := unfit_character(typed):
                raise ValueError(f"line {number:,} of the input: {found[1]}")
            if typed.strip():
                yield f"line {number:,} of the input{after}", typed.rstrip("\n")


def answer_all(
    asked: Iterable[tuple[str, Asked]],
    answer: Answer[Asked],
    arguments: Namespace,
    log: EventLog | None = None,
    by_hand: bool = False,
) -> None:
    """Answer one input after the other, print the lines, and write all files in the end. The place
    of a bad one begins its ``ValueError``; whoever types ``by_hand`` can go on."""
    answers: list[Row] = []
    references: list[object] = []
    answered = False
    try:
        for place, question in asked:
            try:
                data, lines = answer(question)
            except ValueError as error:
                if not by_hand:
                    raise ValueError(f"{place}{error}") from None
                print(one_line(str(error)), file=sys.stderr)
                continue
            answered = True
            references.append(data.get("line"))  # where a sentence of a text was shuffled
            if arguments.json:  # a text of 100,000 lines is not held
                answers.append(data)
            if lines and arguments.json != STDOUT:
                print(*lines, sep="\n", flush=True)
    except BaseException:
        if answered:  # a bad line, or Ctrl-C, does not take back what was answered before it
            _write(answers, log, arguments, references)
        raise
    _write(answers, log, arguments, references)


def _write(
    answers: list[Row], log: EventLog | None, arguments: Namespace, lines: list[object]
) -> None:
    if log is not None and arguments.trace:
        log.save(arguments.trace)
    if log is not None and arguments.play and len(log):
        from wordorder_lab.widgets.page import to_html

        known = [line for line in lines if isinstance(line, str)]
        if len(known) != sum(event[0] == "begin" for event in log):
            known = []
        reference = getattr(arguments, "reference", None) or known or None
        why = getattr(arguments, "why", False)
        to_html(log, arguments.play, why=why, reference=reference)
    write_json(answers, arguments.json)


# --- plain text -----------------------------------------------------------------------------------


def of_text(path: str) -> Iterator[tuple[str, Sentence]]:
    """Sentences of plain words, one a line, and where each stands; no more than a line is held."""
    source = "the input" if path == STDOUT else path
    with nullcontext(sys.stdin) if path == STDOUT else open_text(Path(path)) as lines:
        shown = progress_bar(lines, wanted=not sys.stdout.isatty(), unit=" lines", delay=2)
        for number, line in enumerate(shown, 1):
            if found := unfit_character(line):
                raise ValueError(f"line {number:,} of {source}: {found[1]}")
            if words := tokenized(line):
                place = f"line {number:,} of {source}"
                yield f"{place}: ", Sentence.of_words(words, place)


def with_hint(asked: Iterable[tuple[str, Asked]], after: str = "") -> Iterator[tuple[str, Asked]]:
    """The same; the first line that seems not tokenised gets a hint on stderr with its place."""
    hinted = False
    for place, line in asked:
        if not hinted and isinstance(line, str) and (hint := tokenisation_hint(line)):
            hinted = True
            print(one_line(f"{place}{after}{hint}"), file=sys.stderr)
        yield place, line


def tokenisation_hint(line: str) -> str:
    """What to do about text whose signs hang on words, with an example; empty for other text."""
    words = line.split()
    for place, word in enumerate(words):
        abbreviated = word.endswith(".") and place < len(words) - 1  # perhaps
        if _STUCK.fullmatch(word) and not abbreviated:
            return (
                f"is this text tokenised? {word!r} looks like two words: the model has learned "
                f"from text as {_apart(word)!r}, with a space before every sign and before 's and "
                "n't"
            )
    return ""


def _apart(word: str) -> str:
    word = re.sub(r"(n[’']t|[’'](?:s|re|ve|ll|d|m))$", r" \1", word, flags=re.IGNORECASE)
    word = re.sub(r"""([,;:!?)"”.]+)$""", r" \1", word)
    return re.sub(r"""^(["“(])""", r"\1 ", word).strip()
