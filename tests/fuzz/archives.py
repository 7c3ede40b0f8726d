"""Broken .npz files: bytes, the structure of the zip file, headers, types and sizes."""

import io
import struct
import warnings
import zipfile
from collections.abc import Callable
from random import Random
from typing import Any, Final

import numpy as np

PROGRAM: Final = """\
func.func @entry(%t: tensor<4xf32>, %m: tensor<?x2xi64>, %x: f32) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %0 = tensor.insert %x into %t[%c0] : tensor<4xf32>
  return %0 : tensor<4xf32>
}
"""

_TYPES: Final = (
    "<f4", ">f4", "<f8", "<f2", "<i8", "<u1", "?", "<c8", "S4", "<U4", "V4", "O",
    "<M8[D]", "<m8[s]", "f4,i4", "(2,)f4",
)  # fmt: skip

_SHAPES: Final = (
    (4,), (), (0,), (4, 1), (1, 2), (3, 2), (0, 2), (2,) * 32, (1,) * 64, (5000,),
)  # fmt: skip

_DESCRIPTIONS: Final = (
    "'<f4'", "'>f4'", "'|O'", "'<f99999999'", "'<zz'", "4", "None", "[]",
    "[('a', '<f4')]", "[('a', '<f4', (2, 2))]", "{}", "'" + "f" * 3000 + "'", "(((((",
    "'<V9223372036854775808'",
    "'\\0'", "'é'",
)  # fmt: skip

_SIZES: Final = (
    "(4,)", "()", "(0,)", "(-1,)", "(4.0,)", "('a',)", "[4]", "4", f"({2**63},)",
    f"({2**64}, 0)", f"(0, {2**70})", "(" + "1, " * 100 + ")", "(" * 300, "(True,)",
    "(None,)",
    "(9" + "9" * 5000 + ",)",
)  # fmt: skip

_NAMES: Final = (
    "arg0.npy", "arg1.npy", "arg2.npy", "arg3.npy", "arg0", "arg00.npy", "result0.npy",
    "/", "../arg0.npy", "arg0.npy/", ".npy", "\x1b[31m.npy", "é.npy", "a\nb.npy",
    "arg-1.npy", "arg" + "9" * 5000 + ".npy", "x" * 3000, "arg0.npy.npy", "arg٣.npy",
)  # fmt: skip

Members = list[tuple[str, bytes]]


def random_archive(rng: Random) -> bytes:
    """An archive for `PROGRAM` that is broken in one to three ways."""
    members = [
        ("arg0.npy", _saved(np.arange(4, dtype=np.float32))),
        ("arg1.npy", _saved(np.ones((3, 2), np.int64))),
        ("arg2.npy", _saved(np.float32(1))),
    ]
    for _ in range(rng.choice((0, 1, 1, 2))):
        members = rng.choice(_MEMBERS)(rng, members)
    data = _zipped(rng, members)
    for _ in range(rng.choice((0, 0, 1, 2)) if rng.random() < 0.9 else 8):
        data = rng.choice(_BYTES)(rng, data)
    return data


def _saved(array: Any) -> bytes:
    stream = io.BytesIO()
    np.save(stream, np.asarray(array), allow_pickle=True)
    return stream.getvalue()


def _zipped(rng: Random, members: Members) -> bytes:
    method = rng.choice((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2))
    stream = io.BytesIO()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # A name may be there twice.
        with zipfile.ZipFile(stream, "w") as file:
            for name, data in members:
                # Always of one date.
                file.writestr(zipfile.ZipInfo(name), data, method)
    return stream.getvalue()


def _other_array(rng: Random, members: Members) -> Members:
    """Another type and another shape."""
    array = np.zeros(rng.choice(_SHAPES[:7]), rng.choice(_TYPES))
    return _replaced(rng, members, _saved(array))


def _many_dimensions(rng: Random, members: Members) -> Members:
    return _replaced(rng, members, _headed(rng, "'<f4'", str(rng.choice(_SHAPES))))


def _other_header(rng: Random, members: Members) -> Members:
    descr = rng.choice(_DESCRIPTIONS) if rng.random() < 0.6 else "'<f4'"
    shape = rng.choice(_SIZES) if rng.random() < 0.6 else "(4,)"
    return _replaced(rng, members, _headed(rng, descr, shape))


def _headed(rng: Random, descr: str, shape: str) -> bytes:
    order = rng.choice(("False", "False", "True", "2", "None"))
    keys = [f"'descr': {descr}", f"'fortran_order': {order}", f"'shape': {shape}"]
    if rng.random() < 0.2:
        keys = rng.choice((keys[:2], [*keys, "'x': 1"], [*keys, keys[0]], []))
    header = f"{{{', '.join(keys)}, }}".encode("utf-8", "replace")
    header += b" " * rng.choice((0, 0, 60, 20_000)) + b"\n"
    version = rng.choice(((1, 0), (1, 0), (2, 0), (3, 0), (9, 9)))
    size = len(header) if rng.random() < 0.8 else rng.choice((0, 1, 60_000, 65_535))
    packed = struct.pack("<H" if version == (1, 0) else "<I", size)
    return b"\x93NUMPY" + bytes(version) + packed + header + bytes(16)


def _broken_member(rng: Random, members: Members) -> Members:
    at = rng.randrange(len(members))
    name, data = members[at]
    changed = rng.choice(_BYTES)(rng, data)
    return [*members[:at], (name, changed), *members[at + 1 :]]


def _other_name(rng: Random, members: Members) -> Members:
    at = rng.randrange(len(members))
    return [*members[:at], (rng.choice(_NAMES), members[at][1]), *members[at + 1 :]]


def _more_members(rng: Random, members: Members) -> Members:
    count = rng.choice((1, 1, 2, 300))
    return [*members, *((rng.choice(_NAMES), members[0][1]) for _ in range(count))]


def _fewer_members(rng: Random, members: Members) -> Members:
    return rng.sample(members, rng.randrange(1, len(members) + 1))


def _nested(rng: Random, members: Members) -> Members:
    """An archive in an archive."""
    return _replaced(rng, members, _zipped(rng, members))


def _huge(rng: Random, members: Members) -> Members:
    """What is large when it is unpacked."""
    return _replaced(
        rng, members, _headed(rng, "'<f4'", "(500000,)") + bytes(2_000_000)
    )


def _replaced(rng: Random, members: Members, data: bytes) -> Members:
    at = rng.randrange(len(members))
    return [*members[:at], (members[at][0], data), *members[at + 1 :]]


def _flip(rng: Random, data: bytes) -> bytes:
    changed = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 8)) if data else 0):
        changed[rng.randrange(len(data))] = rng.randrange(256)
    return bytes(changed)


def _cut(rng: Random, data: bytes) -> bytes:
    at = rng.randrange(len(data) + 1)
    return data[:at] if rng.random() < 0.7 else data[at:]


def _insert(rng: Random, data: bytes) -> bytes:
    at = rng.randrange(len(data) + 1)
    return data[:at] + rng.randbytes(rng.choice((1, 4, 100))) + data[at:]


def _change_field(rng: Random, data: bytes) -> bytes:
    """Another value in a record of the zip file: flags, method, sizes, offsets."""
    marks = (b"PK\3\4", 30), (b"PK\1\2", 46), (b"PK\5\6", 22)
    mark, size = rng.choice(marks)
    at = data.find(mark, rng.randrange(len(data) + 1))
    at = data.find(mark) if at < 0 else at
    if at < 0:
        return data
    field = at + 4 + 2 * rng.randrange(size // 2 - 2)
    value = rng.choice((0, 1, 8, 9, 12, 14, 77, 93, 99, 255, 0x7FFF, 0xFFFF))
    return data[:field] + struct.pack("<H", value) + data[field + 2 :]


_BYTES: Final[tuple[Callable[[Random, bytes], bytes], ...]] = (
    _flip, _flip, _cut, _insert, _change_field, _change_field, _change_field,
)  # fmt: skip

_MEMBERS: Final[tuple[Callable[[Random, Members], Members], ...]] = (
    _other_array, _many_dimensions, _other_header, _other_header, _other_header,
    _broken_member, _other_name, _more_members, _fewer_members, _nested, _huge,
)  # fmt: skip
