"""How a file of the cache is laid out: a checksum, a description, and pieces of bytes.

    write_record(stream, Record({"name": "entry"}, [image, weights]))
    record = read_record(copy_file(descriptor))

    bytes 0-7      what kind of file this is, and which version of the layout
    bytes 8-11     CRC-32 of all that follows
    bytes 12-15    nothing
    bytes 16-23    the length of the description
    bytes 24-      the description in JSON, then the pieces

Each piece begins at a multiple of `ALIGNMENT`. So a piece can be used where it lies in
memory, and large weights are read once and never copied.

The checksum is against damage. Against other users there are permissions: `folder.py`.
"""

import errno
import json
import mmap
import os
import stat
import zlib
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, BinaryIO, Final, cast

ALIGNMENT: Final = 64
"""Where pieces begin: multiples of a cache line, which is enough for any buffer."""

_MAGIC: Final = b"XBUFOBJ\x01"
_SUM_BYTES: Final = 8
_LENGTH_BYTES: Final = 8
_HEAD_BYTES: Final = len(_MAGIC) + _SUM_BYTES + _LENGTH_BYTES

Bytes = bytes | memoryview
Json = dict[str, Any]


class DamagedError(ValueError):
    """A file is not what was written."""


@dataclass(frozen=True)
class Record:
    """The contents of a file."""

    about: Json
    """What JSON can spell."""

    pieces: Sequence[Bytes]


def write_record(stream: BinaryIO, record: Record) -> None:
    """Write a record; the stream must be at its beginning, and may seek."""
    sizes = [len(piece) for piece in record.pieces]
    about = json.dumps({"about": record.about, "sizes": sizes}).encode()
    checksum = 0
    stream.write(bytes(_HEAD_BYTES - _LENGTH_BYTES))
    for part in _parts(about, record.pieces):
        checksum = zlib.crc32(part, checksum)
        stream.write(part)
    stream.seek(0)
    stream.write(_MAGIC + checksum.to_bytes(_SUM_BYTES, "little"))


def _parts(about: bytes, pieces: Sequence[Bytes]) -> Iterator[Bytes]:
    yield len(about).to_bytes(_LENGTH_BYTES, "little")
    yield about
    end = _HEAD_BYTES + len(about)
    for piece in pieces:
        yield bytes(-end % ALIGNMENT)
        yield piece
        end += -end % ALIGNMENT + len(piece)


def read_record(memory: mmap.mmap) -> Record:
    """The record of a file in memory, of which the pieces are views.

    Raises `DamagedError` if a single bit is not as it was written.
    """
    view = memoryview(memory)
    if len(view) < _HEAD_BYTES or bytes(view[: len(_MAGIC)]) != _MAGIC:
        raise DamagedError("this is no compiled code of this version of the layout")
    body = _HEAD_BYTES - _LENGTH_BYTES
    checksum = int.from_bytes(view[len(_MAGIC) : body], "little")
    if zlib.crc32(view[body:]) != checksum:
        raise DamagedError("the checksum does not match")
    # The checksum vouches for what follows.
    length = int.from_bytes(view[body:_HEAD_BYTES], "little")
    end = _HEAD_BYTES + length
    head = cast(Json, json.loads(bytes(view[_HEAD_BYTES:end])))
    pieces: list[Bytes] = []
    for size in head["sizes"]:
        start = end + -end % ALIGNMENT
        end = start + size
        pieces.append(view[start:end])
    return Record(head["about"], pieces)


def record_bytes(record: Record) -> int:
    """How many bytes `write_record` writes."""
    sizes = [len(piece) for piece in record.pieces]
    about = json.dumps({"about": record.about, "sizes": sizes}).encode()
    parts = _parts(about, record.pieces)
    return _HEAD_BYTES - _LENGTH_BYTES + sum(map(len, parts))


def copy_file(descriptor: int) -> mmap.mmap:
    """The contents of an open file in memory of this process, at the start of a page.

    What somebody does to the file afterwards changes nothing. A file that is mapped
    would end the process if it were cut off, and would change numbers if it were
    edited. Raises `DamagedError` at an empty file.
    """
    size = os.fstat(descriptor).st_size
    if size == 0:
        raise DamagedError("the file is empty")
    memory = _room(size)
    view = memoryview(memory)
    done = 0
    # A file that is cut off meanwhile leaves zeros, which the checksum finds.
    while done < size and (count := os.readv(descriptor, [view[done:]])):
        done += count
    return memory


def _room(size: int) -> mmap.mmap:
    """Memory that a child of this process gets a copy of, and that is quick to fill."""
    memory = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    if hasattr(mmap, "MADV_HUGEPAGE"):
        # Pages of 4 kB would take twice as long. Some systems have no others.
        with suppress(OSError):
            memory.madvise(mmap.MADV_HUGEPAGE)
    return memory


def open_regular(path: str | os.PathLike[str], folder: int | None = None) -> int:
    """A descriptor of a regular file, for reading; `folder` is an open one.

    Raises `OSError` at anything else. A pipe is not waited for.
    """
    flags = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC
    if folder is not None:
        flags |= os.O_NOFOLLOW
    descriptor = os.open(path, flags, dir_fd=folder)
    if stat.S_ISREG(os.fstat(descriptor).st_mode):
        return descriptor
    os.close(descriptor)
    raise OSError(errno.EINVAL, "this is no regular file", os.fspath(path))
