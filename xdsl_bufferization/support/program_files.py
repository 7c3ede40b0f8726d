"""Files that programs are read from.

read_program("mlp.mlir")       the text, or an OSError, or a ParseError at a byte
read_program("/dev/zero")      OSError: this is a device, which may never end
"""

import errno
import os
import stat
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from io import BufferedReader
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from xdsl.utils.exceptions import ParseError

_PIECE_BYTES: Final = 1 << 18


def read_program(path: str | PathLike[str]) -> str:
    """The text of a file, which is UTF-8. Pipes and terminals may be read as well.

    Raises what `read_bytes` and `decode_program` raise.
    """
    return decode_program(read_bytes(path), str(path))


def read_bytes(path: str | PathLike[str]) -> bytes:
    """The contents of a file; raises `OSError` if it is not there, or is a device."""
    with _opened(path) as stream:
        return stream.read()


def pieces_of(path: str | PathLike[str]) -> Iterator[memoryview]:
    """The same in pieces, each of which is gone when the next one is asked for."""
    room = memoryview(bytearray(_PIECE_BYTES))
    with _opened(path) as stream:
        while size := stream.readinto(room):
            yield room[:size]


@contextmanager
def _opened(path: str | PathLike[str]) -> Generator[BufferedReader]:
    file = Path(path)
    with file.open("rb") as stream:
        mode = file.stat().st_mode
        ends = stream.isatty() or file.samefile(os.devnull)
        if (stat.S_ISCHR(mode) or stat.S_ISBLK(mode)) and not ends:
            reason = "this is a device, which may never end"
            raise OSError(errno.EINVAL, reason, str(path))
        yield stream


def decode_program(data: bytes, name: str) -> str:
    """The text that bytes are; raises xDSL's `ParseError` at the first that is none."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise not_text(error, name) from error
    # As Python reads text, whichever system wrote it.
    return text.replace("\r\n", "\n").replace("\r", "\n")


def not_text(error: UnicodeDecodeError, name: str) -> "ParseError":
    """Where the bytes are that are no text."""
    # A program that is text, and in the cache, is loaded without xDSL.
    from xdsl.utils.exceptions import ParseError
    from xdsl.utils.lexer import Input, Span

    text = error.object[: error.start].decode("utf-8")
    span = Span(len(text), len(text) + 1, Input(f"{text}\ufffd", name))
    return ParseError(span, "this is not UTF-8 text")
