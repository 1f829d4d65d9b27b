"""Files that nobody should have to open: a seeded generator that knows what ours are made of.

    for crafted in itertools.islice(variants(originals, seed=1), 300): crafted.data

An original is a good file with its format: a model or checkpoint ("zip"), an event log ("log"),
JSON ("json"), or lines of text ("lines"). Each variant has one thing wrong: an array of another
kind, rank or length, numbers out of all range, a value of the header of another type, a stated
size that lies, brackets a hundred thousand deep. Checksums are computed anew, so that what is
wrong is met by what reads the parts, and not by the checksum alone.
"""

from __future__ import annotations

import copy
import gzip
import io
import json
import random
import re
import struct
import zipfile
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from wordorder_lab.models.model_file import _checksum

Random = random.Random
Damaged = tuple[str, bytes]
"""What is wrong with it, and the file."""


class Original(NamedTuple):
    """A good file: its format, and its bytes."""

    format: str
    data: bytes


class Crafted(NamedTuple):
    """A variant: the name of its original, what is wrong with it, and the file."""

    name: str
    what: str
    data: bytes


def variants(originals: Mapping[str, Original], seed: int) -> Iterator[Crafted]:
    """Variants without end: every damage of every original in turn, each time another one."""
    turn = 0
    while True:
        for name, original in originals.items():
            for number, damage in enumerate(DAMAGES[original.format]):
                chance = Random(f"{seed} {turn} {name} {number}")
                what, data = damage(chance, original.data)
                yield Crafted(name, f"{damage.__name__.strip('_')}: {what}", data)
        turn += 1


# --- values that fit nowhere ----------------------------------------------------------------

DEEP = "a hundred thousand brackets go here"
NESTING = 100_000
VALUES: tuple[Any, ...] = (
    *(None, True, False, -1, 0, 1, 2, 3, 10**6, 10**9, 2**31, 2**62, 2**63, 10**25, -(10**25)),
    *(0.5, -0.5, 1e308, float("nan"), float("inf"), float("-inf"), 5e-324),
    *("", "x", "1", "-BEGIN-", "\ud800", "\x00", "a\nb", "x" * 100_000, DEEP),
    *([], [[]], [1], ["x"], [None], [0] * 5000, {}, {"a": 1}, [["a", "b"]], [[1, 2]]),
)
NUMBERS = (
    *(-1, 0, 1, 2, 7, 63, 64, 10**6, 2**20, 2**31 - 1, 2**31, 2**53, 2**53 + 1, 2**62, 2**63 - 1),
    *(-(2**31), -(2**62), -(2**63)),
)
FLOATS = (float("nan"), float("inf"), float("-inf"), 1e308, -1e308, 5e-324, 0.0, -1.0, 1e101)
DTYPES = (
    *("i1", "u1", "i2", "i4", "i8", "u4", "u8", ">i4", ">i8", "f2", "f4", "f8", ">f8", "g", "c16"),
    *("?", "S8", "U3", "M8[ns]", "m8[s]", "V8", "i4,f8"),
)


def shown(value: Any) -> str:
    """A value in a few characters."""
    text = ascii(value)
    return text if len(text) < 60 else f"{text[:40]}... of {len(text)} characters"


def dumped(data: Any) -> str:
    """JSON, with deep brackets where ``DEEP`` stands."""
    text = json.dumps(data)
    return text.replace(json.dumps(DEEP), "[" * NESTING + "]" * NESTING)


def changed(chance: Random, data: Any) -> tuple[str, Any]:
    """A copy of JSON data in which one place, at any depth, is another value, or gone, or twice."""
    whole = [copy.deepcopy(data)]
    container: Any = whole
    key: Any = 0
    path = "header"
    while container[key] and isinstance(container[key], dict | list):
        if container is not whole and chance.random() < 0.35:
            break
        container = container[key]
        keys = list(container) if isinstance(container, dict) else range(len(container))
        key = chance.choice(keys)
        path += f"[{shown(key)}]"
    how = chance.randrange(8)
    if how == 0 and container is not whole:
        del container[key]
        return f"{path} is missing", whole[0]
    if how == 1 and isinstance(container, list) and container is not whole:
        container.insert(key, copy.deepcopy(container[key]))
        return f"{path} is there twice", whole[0]
    if how == 2 and isinstance(container[key], list) and container[key]:
        container[key].reverse()
        return f"{path} is reversed", whole[0]
    if how == 3 and isinstance(container[key], int | float):
        container[key] += chance.choice((-1, 1, 100))
        return f"{path} is {container[key]}", whole[0]
    container[key] = copy.deepcopy(chance.choice(VALUES))
    return f"{path} is {shown(container[key])}", whole[0]


# --- any file -------------------------------------------------------------------------------


def _truncated(chance: Random, data: bytes) -> Damaged:
    length = chance.choice((0, 1, chance.randrange(len(data)), len(data) - 1))
    return f"the first {length} bytes", data[:length]


def _flipped(chance: Random, data: bytes) -> Damaged:
    flipped = bytearray(data)
    places = [chance.randrange(len(data)) for _ in range(chance.choice((1, 1, 4, 64)))]
    for place in places:
        flipped[place] ^= 1 << chance.randrange(8)
    return f"bits at {shown(places)}", bytes(flipped)


def _doubled(chance: Random, data: bytes) -> Damaged:
    return chance.choice((("twice", data * 2), ("something before it", b"x" * 9 + data)))


# --- models and checkpoints -----------------------------------------------------------------


def parts_of(data: bytes) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """Header and arrays of a good file."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        header = json.loads(archive.read("header.json"))
        names = [name for name in archive.namelist() if name.endswith(".npy")]
        return header, {name[:-4]: np.load(io.BytesIO(archive.read(name))) for name in names}


def npy(array: np.ndarray) -> bytes:
    """The bytes of an ``.npy`` file."""
    file = io.BytesIO()
    np.lib.format.write_array(file, array, allow_pickle=False)
    return file.getvalue()


def npy_saying(header: str, data: bytes, version: int = 1) -> bytes:
    """The bytes of an ``.npy`` file that says anything at all about itself."""
    text = header.encode("latin-1")
    length = struct.pack("<H" if version == 1 else "<I", len(text))
    return b"\x93NUMPY" + bytes((version, 0)) + length + text + data


def members_of(header: Any, arrays: Mapping[str, np.ndarray]) -> dict[str, bytes]:
    """The members of a file with these parts, and with the checksum that belongs to them."""
    if isinstance(header, dict) and "checksum" in header:
        header = {**header, "checksum": _checksum(arrays)}
    text = dumped(header).encode()
    return {"header.json": text, **{f"{name}.npy": npy(array) for name, array in arrays.items()}}


def zipped(members: Mapping[str, bytes], **packing: int) -> bytes:
    """A zip of these members; ``packing`` gives a member (stem of its name) a way to be packed."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, data in members.items():
            how = packing.get(name.partition(".")[0], zipfile.ZIP_STORED)
            archive.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), data, how)
    return file.getvalue()


def _header_value(chance: Random, data: bytes) -> Damaged:
    header, arrays = parts_of(data)
    what, header = changed(chance, header)
    return what, zipped(members_of(header, arrays))


def _top_value(chance: Random, data: bytes) -> Damaged:
    """One of the first two levels: settings, lists, counts."""
    header, arrays = parts_of(data)
    place: Any = header
    key = chance.choice([*header])
    if isinstance(header[key], dict) and header[key] and chance.random() < 0.7:
        place = header[key]
        key = chance.choice([*place])
    place[key] = copy.deepcopy(chance.choice(VALUES))
    return f"{key} is {shown(place[key])}", zipped(members_of(header, arrays))


def _setting(chance: Random, data: bytes) -> Damaged:
    """A setting of training or search beyond reason."""
    header, arrays = parts_of(data)
    settings = header.get("settings", header)
    name = chance.choice(("beam", "max_length", "expansions", "epochs", "seed", "order", "epoch"))
    settings[name] = chance.choice(VALUES)
    return f"{name} is {shown(settings[name])}", zipped(members_of(header, arrays))


def _array_kind(chance: Random, data: bytes) -> Damaged:
    header, arrays = parts_of(data)
    name, kind = chance.choice([*arrays]), chance.choice(DTYPES)
    with np.errstate(all="ignore"):
        try:
            arrays[name] = arrays[name].astype(kind)
        except (TypeError, ValueError):
            arrays[name] = np.zeros(len(arrays[name]), kind)
    return f"{name} is {kind}", zipped(members_of(header, arrays))


def _array_rank(chance: Random, data: bytes) -> Damaged:
    header, arrays = parts_of(data)
    name = chance.choice([*arrays])
    shape = chance.choice(((-1, 1), (1, -1), (-1, 1, 1), (), (0, 5)))
    array = arrays[name]
    arrays[name] = array.reshape(shape) if -1 in shape else np.zeros(shape, array.dtype)
    if chance.random() < 0.3:
        arrays[name] = np.asfortranarray(np.stack([array, array]))
    return f"{name} has the shape {arrays[name].shape}", zipped(members_of(header, arrays))


def _array_length(chance: Random, data: bytes) -> Damaged:
    header, arrays = parts_of(data)
    name = chance.choice([*arrays])
    array = arrays[name]
    how = chance.randrange(5)
    if how == 4 and array.dtype.kind == "i":  # the sums fit again, but only since they wrap
        wide = np.full(4, 2**62, np.int64)
        wide[3] = chance.choice((2**62, 2**62 + int(array.sum())))
        arrays[name] = np.concatenate([array.astype(np.int64), wide])
    else:
        twice = np.concatenate([array, array])
        arrays[name] = (array[:-1], array[1:], array[:0], array[:1], twice)[how]
    return f"{name} has the length {len(arrays[name])}", zipped(members_of(header, arrays))


def _array_numbers(chance: Random, data: bytes) -> Damaged:
    header, arrays = parts_of(data)
    name = chance.choice([*arrays])
    array = arrays[name] = arrays[name].copy()
    values = FLOATS if array.dtype.kind == "f" else NUMBERS
    value = chance.choice(values)
    if array.dtype.kind == "i":
        limits = np.iinfo(array.dtype)
        value = max(min(value, limits.max), limits.min)
    places = list(range(len(array)))
    if len(array) and chance.random() < 0.8:
        places = [chance.choice((0, len(array) - 1, chance.randrange(len(array))))]
    array[places] = value
    return f"{name}{shown(places)} is {value}", zipped(members_of(header, arrays))


def _array_order(chance: Random, data: bytes) -> Damaged:
    header, arrays = parts_of(data)
    name = chance.choice([*arrays])
    array = arrays[name].copy()
    how = chance.choice(("reversed", "shuffled", "equal", "moved"))
    if how == "reversed":
        array = array[::-1].copy()
    elif how == "shuffled":
        np.random.default_rng(chance.randrange(1000)).shuffle(array)
    elif len(array):
        array = np.full_like(array, array[-1]) if how == "equal" else np.roll(array, 1)
    arrays[name] = array
    return f"{name} is {how}", zipped(members_of(header, arrays))


def _array_names(chance: Random, data: bytes) -> Damaged:
    header, arrays = parts_of(data)
    name = chance.choice([*arrays])
    how = chance.choice(("missing", "renamed", "more", "exchanged"))
    if how in ("missing", "renamed"):
        array = arrays.pop(name)
        if how == "renamed":
            arrays[f"{name}2"] = array
    elif how == "more":
        arrays[chance.choice(("extra", "self", "divisor", "examples", "../up"))] = arrays[name]
    else:
        other = chance.choice([*arrays])
        arrays[name], arrays[other] = arrays[other], arrays[name]
    return f"{name}: {how}", zipped(members_of(header, arrays))


NPY_HEADERS = (
    *("(1000000000000,)", "(4611686018427387904, 4)", "(-1,)", "(True,)", "(1.5,)", "()"),
    *(f"({'9' * 3000},)", f"{'(' * 4000}{')' * 4000}", f"{'-' * 9000}1", "(2, None)", "[3]", "'"),
    *("(0, 1000000000000)", f"({'1, ' * 40})", "(3L,)", '"""', "(1,"),
)
NPY_KINDS = (
    "<i8",
    "|O",
    "<f8",
    "<i4",
    "<U1000000000",
    "|V99999999999",
    "x",
    "<c16",
    "i8,(9999999,)i8",
)


def _npy_header(chance: Random, data: bytes) -> Damaged:
    header, arrays = parts_of(data)
    name = chance.choice([*arrays])
    members = members_of(header, arrays)
    shape, kind = chance.choice(NPY_HEADERS), arrays[name].dtype.str
    if chance.random() < 0.4:
        shape, kind = str(arrays[name].shape), chance.choice(NPY_KINDS)
    order = chance.choice((False, True, 7))
    text = f"{{'descr': {kind!r}, 'fortran_order': {order}, 'shape': {shape}, }}"
    text += " " * chance.choice((0, 3, 50_000))
    version = chance.choice((1, 1, 1, 2, 3, 9))
    if version == 1:
        text = text[:65_535]
    members[f"{name}.npy"] = npy_saying(text + "\n", arrays[name].tobytes(), version)
    return f"{name} says version {version}, {shown(text)}", zipped(members)


def _nested(chance: Random, data: bytes) -> Damaged:
    header, arrays = parts_of(data)
    members = members_of(header, arrays)
    if chance.random() < 0.5:
        bracket = chance.choice(("[", '{"a":', '[{"a":'))
        members["header.json"] = bracket.encode() * NESTING
        return f"a header of {NESTING} {bracket}", zipped(members)
    key = chance.choice([*header])
    members["header.json"] = dumped({**header, key: DEEP}).encode()
    return f"{key} is nested {NESTING} deep", zipped(members)


PACKINGS = (zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA)
BOMB = 1 << 24
"""Zeros in a bomb: some kilobytes when they are packed."""


def _packed(chance: Random, data: bytes) -> Damaged:
    """Members packed, whole and damaged, or to a hundredth of what they unpack to."""
    header, arrays = parts_of(data)
    members = members_of(header, arrays)
    name = chance.choice([*members])
    how = chance.choice(PACKINGS)
    what = f"{name} packed by method {how}"
    if chance.random() < 0.3:
        zeros = bytes(BOMB)
        members[name] = npy(np.frombuffer(zeros, np.int64)) if name[0] != "h" else b" " * BOMB
        what += " to a bomb"
    packed = bytearray(zipped(members, **{name.partition(".")[0]: how}))
    if chance.random() < 0.6:
        with zipfile.ZipFile(io.BytesIO(packed)) as archive:
            member = archive.getinfo(name)
        begin = member.header_offset + 30 + len(name)
        for _ in range(3):
            packed[begin + chance.randrange(min(member.compress_size, 64))] ^= 255
        what += ", damaged"
    return what, bytes(packed)


CENTRAL, LOCAL = b"PK\x01\x02", b"PK\x03\x04"
FIELDS = {"flags": (6, 8, 2), "method": (8, 10, 2), "packed": (18, 20, 4), "size": (22, 24, 4)}
"""Where the zip states them: in the local header, in the central one, and in how many bytes."""


def _stated(chance: Random, data: bytes) -> Damaged:
    """What the zip states of a member is not so: its sizes, how it is packed, whether encrypted."""
    lying = bytearray(data)
    field = chance.choice([*FIELDS])
    local, central, width = FIELDS[field]
    value = chance.choice((0, 1, 8, 9, 14, 99, 2**16 - 1, 2**31, 2**32 - 2)) % (1 << 8 * width)
    seek = chance.choice(((LOCAL, local), (CENTRAL, central)))
    places = [match.start() for match in re.finditer(re.escape(seek[0]), data)]
    place = chance.choice(places) + seek[1]
    lying[place : place + width] = value.to_bytes(width, "little")
    return f"{field} is {value} in {seek[0]!r}", bytes(lying)


def _members(chance: Random, data: bytes) -> Damaged:
    header, arrays = parts_of(data)
    members = members_of(header, arrays)
    name = chance.choice([*members])
    how = chance.choice(("missing", "empty", "garbage", "flipped", "twice"))
    if how == "missing":
        del members[name]
    elif how == "twice":
        file = io.BytesIO(zipped(members))
        with zipfile.ZipFile(file, "a") as archive:
            twice = zipfile.ZipInfo(name.replace(".", "_"), (1980, 1, 1, 0, 0, 0))
            archive.writestr(twice, members[name])
        raw = file.getvalue().replace(name.replace(".", "_").encode(), name.encode())
        return f"{name} is there twice", raw
    elif how == "flipped":  # and the zip's checksum is right again
        _, members[name] = _flipped(chance, members[name])
    else:
        members[name] = b"" if how == "empty" else chance.randbytes(200)
    return f"{name} is {how}", zipped(members)


# --- event logs -----------------------------------------------------------------------------


def packed_log(data: Any) -> bytes:
    """A log's file of what JSON can hold."""
    return gzip.compress(dumped(data).encode(), mtime=0)


def _log_value(chance: Random, data: bytes) -> Damaged:
    what, log = changed(chance, json.loads(gzip.decompress(data)))
    return what, packed_log(log)


def _log_event(chance: Random, data: bytes) -> Damaged:
    """A column of an event, or the place of an event."""
    log = json.loads(gzip.decompress(data))
    events = log["events"]
    i = chance.randrange(len(events))
    how = chance.choice(("column", "column", "column", "kind", "gone", "again", "moved"))
    if how == "column" and len(events[i]) > 1:
        column = chance.randrange(1, len(events[i]))
        before = events[i][column]
        values: tuple[Any, ...] = VALUES
        if chance.random() < 0.6:  # of the right type
            values = tuple(v for v in VALUES if type(v) is type(before))
        events[i][column] = chance.choice(values or VALUES)
        return f"event {i} says {shown(events[i])}", packed_log(log)
    if how == "kind":
        events[i][0] = chance.choice(events)[0]
    elif how == "gone":
        del events[i]
    elif how == "again":
        events.insert(i, events[i])
    else:
        events.insert(chance.randrange(len(events)), events.pop(i))
    return f"event {i}: {how}", packed_log(log)


def _log_bomb(chance: Random, data: bytes) -> Damaged:
    before, _, after = gzip.decompress(data).partition(b'"events":[')
    piece, times = chance.choice(
        ((b"[],", 10**7), (b'["ab"],', 5 * 10**6), (b" ", 14 * 10**7), (b'{"a":1},', 10**6))
    )
    text = before + b'"events":[' + piece * times + after
    return f"{times} times {piece!r}", gzip.compress(text, 1, mtime=0)


def _log_text(chance: Random, data: bytes) -> Damaged:
    text = gzip.decompress(data)
    damage = chance.choice((_truncated, _flipped, _doubled))
    what, text = damage(chance, text)
    return f"unpacked, {what}", gzip.compress(text, mtime=0)


# --- JSON and lines of text -----------------------------------------------------------------


def _json_value(chance: Random, data: bytes) -> Damaged:
    what, value = changed(chance, json.loads(data))
    return what, dumped(value).encode()


def _line(chance: Random, data: bytes) -> Damaged:
    """One line is gone, twice, elsewhere, or somebody else's."""
    lines = data.split(b"\n")
    i = chance.randrange(len(lines))
    how = chance.choice(("gone", "twice", "moved", "cut", "deep", "long", "bytes"))
    line = lines[i]
    if how == "gone":
        del lines[i]
    elif how == "twice":
        lines.insert(i, line)
    elif how == "moved":
        lines.insert(chance.randrange(len(lines)), lines.pop(i))
    elif how == "cut":
        lines[i] = line[: chance.randrange(len(line) + 1)]
    elif how == "deep":
        lines[i] = line.replace(b"[", b"[A " * NESTING, 1) if b"[" in line else b"[" * NESTING
    elif how == "long":
        lines[i] = line + b" x" * NESTING
    else:
        lines[i] = line + bytes((chance.randrange(256),))
    return f"line {i + 1}: {how}", b"\n".join(lines)


def _word(chance: Random, data: bytes) -> Damaged:
    """One word of a line is another thing."""
    words = data.split(b" ")
    i = chance.randrange(len(words))
    value = chance.choice([*VALUES, "[", "]", "<", "\\", "NP_0", "NP_1", f"NP_{10**30}", "99=5"])
    words[i] = str(value if value != DEEP else "[" * NESTING).encode("utf-8", "surrogatepass")
    return f"word {i} is {shown(value)}", b" ".join(words)


ANY = (_truncated, _flipped, _doubled)
DAMAGES: dict[str, tuple[Callable[[Random, bytes], Damaged], ...]] = {
    "zip": (
        *(_header_value, _header_value, _top_value, _top_value, _setting),
        *(_array_kind, _array_rank, _array_length, _array_numbers, _array_numbers, _array_order),
        *(_array_names, _npy_header, _nested, _packed, _stated, _members, *ANY),
    ),
    "log": (_log_value, _log_event, _log_event, _log_event, _log_text, _log_bomb, *ANY),
    "json": (_json_value, _json_value, *ANY),
    "lines": (_line, _line, _word, _word, *ANY),
}
"""How a file of each format can be damaged; what is there twice is rich in ways."""
