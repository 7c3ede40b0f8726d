"""Files that are there as a whole or not at all.

    write_text("mlp.h", text)     the new file, or an OSError and the old one

The contents go to another file of the same folder, which then takes the name. A full
disk, a signal or an error leaves the old file as it was, and no fragment.

Everything else is as `cp` and the shell's `>` do it:

- A symbolic link stays, and the file that it leads to is written.
- The permissions of a file stay. A new file gets what the umask leaves.
- A file that may not be written is not replaced.
- Devices, pipes and open streams, such as `/dev/stdout`, are written to as they are.
"""

import os
import shutil
import stat
from collections.abc import Generator
from contextlib import contextmanager, suppress
from os import PathLike
from pathlib import Path
from tempfile import TemporaryFile
from typing import BinaryIO, Final

_STREAMS: Final = ("/proc/", "/dev/fd/", "/dev/std")
"""Where the system has names for files that are open already."""

_MOST_LINKS: Final = 40
"""So many links does Linux follow."""

DATA: Final = 0o666
"""The permissions of a new file, before the umask."""

PROGRAM: Final = 0o777
"""The permissions of what is loaded as code."""


def write_text(path: str | PathLike[str], text: str) -> None:
    """Write text in UTF-8; what has no place in UTF-8 is spelled as Python does."""
    write_bytes(path, text.encode("utf-8", "backslashreplace"))


def write_bytes(path: str | PathLike[str], data: bytes, mode: int = DATA) -> None:
    """Write a file; raises `OSError` with its name, and then it is as before."""
    with written_whole(path, mode) as stream:
        stream.write(data)


@contextmanager
def written_whole(
    path: str | PathLike[str], mode: int = DATA
) -> Generator[BinaryIO, None, None]:
    """A stream whose contents become the file when the block ends without an error."""
    try:
        with _opened(Path(path), mode) as stream:
            yield stream
    except OSError as error:
        # The name that was asked for, not that of the other file.
        raise OSError(error.errno, error.strerror or str(error), str(path)) from error


@contextmanager
def _opened(path: Path, mode: int) -> Generator[BinaryIO, None, None]:
    target = Path(os.path.realpath(path))
    beside = target.with_name(f".{os.urandom(8).hex()}.tmp")
    _unfinished.add(beside)
    try:
        with _written(path, target, beside, mode) as stream:
            yield stream
    finally:
        with suppress(OSError):
            beside.unlink()
        _unfinished.discard(beside)


@contextmanager
def _written(
    path: Path, target: Path, beside: Path, mode: int
) -> Generator[BinaryIO, None, None]:
    try:
        old = path.stat()
    except FileNotFoundError:
        old = None
    opened = None
    if (old is None or stat.S_ISREG(old.st_mode)) and not _is_stream(path):
        opened = _create(beside, target, mode, is_new=old is None)
    if opened is None:
        # Nothing is written before all is there, and what writes it may seek.
        with TemporaryFile() as whole:
            yield whole
            whole.seek(0)
            with path.open("wb") as stream:
                shutil.copyfileobj(whole, stream)
        return
    with os.fdopen(opened, "wb") as stream:
        if old is not None:
            beside.chmod(stat.S_IMODE(old.st_mode))
        yield stream
    beside.replace(target)


_unfinished: Final[set[Path]] = set()


def remove_unfinished() -> None:
    """Remove what is half written, where the process is about to end without more."""
    for path in tuple(_unfinished):
        with suppress(OSError):
            path.unlink()


def _create(beside: Path, target: Path, mode: int, *, is_new: bool) -> int | None:
    """Open a new file; None if the folder has no place for it, but has `target`.

    Raises `PermissionError` if `target` may not be written.
    """
    if not is_new:
        with target.open("ab"):
            pass
    try:
        return os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    except PermissionError:
        if is_new:
            raise
        return None


def _is_stream(path: Path) -> bool:
    """Whether a path leads to a file by the number by which the process knows it."""
    for _ in range(_MOST_LINKS):
        path = path.absolute()
        if str(path).startswith(_STREAMS):
            return True
        if not path.is_symlink():
            return False
        path = path.parent / path.readlink()
    return False
