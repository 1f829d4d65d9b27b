"""Which names a script of the players uses, and which it declares, read off its pieces.

The reader knows the JavaScript that the scripts are written in, not all there is. It has one set
of local names for a whole script, whichever function they belong to.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from wordorder_lab.widgets.scripts import tokens

RESERVED = """
async await break case catch class const continue default delete do else export extends false
finally for function get if import in instanceof let new null of return set static super switch
this throw true try typeof var void while yield
"""
BROWSER = """
Array Blob Boolean Error Float64Array Infinity Int32Array JSON Map Math MouseEvent MutationObserver
NaN Node Number Object Promise RegExp ResizeObserver Set String URL Uint8Array WeakMap XMLSerializer
clearInterval clearTimeout document getComputedStyle globalThis matchMedia queueMicrotask
requestAnimationFrame setInterval setTimeout structuredClone undefined window
"""
"""What the scripts take from the browser; one that takes something else adds it here."""

KEYWORDS, GLOBALS = set(RESERVED.split()), set(BROWSER.split())
OPENING, CLOSING = {"(", "[", "{"}, {")", "]", "}"}


class Names:
    """The names in a text without imports: ``used`` and ``local``, in functions or outside."""

    def __init__(self, text: str) -> None:
        self.pieces = [piece for piece in _significant(text) if piece]
        self.used = {self.pieces[i] for i in range(len(self.pieces)) if self._is_use(i)}
        self.local: set[str] = set()
        for i, piece in enumerate(self.pieces):
            if piece in ("const", "let"):
                self._declarators(i + 1)
            elif piece in ("function", "class") and _is_name(self._at(i + 1)):
                self.local.add(self._at(i + 1))
            elif piece == "=>" and _is_name(self._at(i - 1)):
                self.local.add(self._at(i - 1))
            elif piece == "(" and self._begins_parameters(i):
                self._patterns(i + 1)

    def _at(self, i: int) -> str:
        return self.pieces[i] if 0 <= i < len(self.pieces) else ""

    def _is_use(self, i: int) -> bool:
        if not _is_name(self._at(i)) or self._at(i - 1) in (".", "?."):
            return False
        in_list = self._at(i - 1) in ("{", ",", "}", "get", "static", "async", ";")
        is_key = in_list and self._at(i + 1) == ":"
        return not is_key and not (self._at(i + 1) == "(" and in_list and self._is_method(i + 1))

    def _is_method(self, i: int) -> bool:
        return self._at(self._end(i)) == "{"

    def _begins_parameters(self, i: int) -> bool:
        before, after = self._at(i - 1), self._at(self._end(i))
        return after == "=>" or (after == "{" and (_is_name(before) or before in METHODS_TOO))

    def _end(self, i: int) -> int:
        """The place after the bracket that closes the one at i."""
        depth = 0
        while i < len(self.pieces):
            depth += _depth(self.pieces[i])
            i += 1
            if depth == 0:
                break
        return i

    def _declarators(self, i: int) -> None:
        i = self._value(self._pattern(i))
        while self._at(i) == ",":
            i = self._value(self._pattern(i + 1))

    def _patterns(self, i: int) -> int:
        """Elements up to the closing bracket; the place after it."""
        while self._at(i) not in CLOSING:
            if self._at(i) in (",", "..."):
                i += 1
            elif self._at(i + 1) == ":":
                i += 2
            else:
                i = self._value(self._pattern(i))
        return i + 1

    def _pattern(self, i: int) -> int:
        if self._at(i) in ("{", "["):
            return self._patterns(i + 1)
        assert _is_name(self._at(i)), self.pieces[max(0, i - 9) : i + 9]
        self.local.add(self._at(i))
        return i + 1

    def _value(self, i: int) -> int:
        """Pass over what follows ``=``, up to a comma, a semicolon or a closing bracket."""
        if self._at(i) != "=":
            return i
        while self._at(i) not in {",", ";", "", *CLOSING}:
            i = self._end(i) if _depth(self._at(i)) > 0 else i + 1
        return i


METHODS_TOO = {"catch", "function", "get", "set"}


def _significant(text: str) -> Iterator[str]:
    """The pieces; what is a string, number or regular expression is the same for all."""
    for kind, piece in tokens(text):
        if kind == "template":
            yield from ("}" if piece[0] == "}" else "", '"', "{" if piece[-1] == "{" else "")
        elif kind in ("name", "sign"):
            yield piece
        elif kind not in ("space", "comment"):
            yield '"'


def _depth(piece: str) -> int:
    return (piece in OPENING) - (piece in CLOSING)


def _is_name(piece: str) -> bool:
    return (piece[:1].isalpha() or piece[:1] in ("_", "$")) and piece not in KEYWORDS


def unknown(names: Names, imported: Iterable[str]) -> set[str]:
    """What is used although it is neither declared nor imported nor the browser's."""
    return names.used - names.local - set(imported) - GLOBALS
