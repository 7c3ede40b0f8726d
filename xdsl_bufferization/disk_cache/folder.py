"""The folder with the files of the cache, and who may write to it.

    cache = open_cache()                 None where there is no cache
    record = cache.find(key)             None if there is no such file, or it is damaged
    cache.keep(key, Record(...))

Compiled code is run as it is. So the folder, and each file, must belong to the user who
runs this process, and nobody else may write to them. Everything is done relative to the
open folder: replacing a folder on the way to it has no effect.

A file is written under another name and renamed. So processes may do all of this at
once. The file that was used longest ago goes first when there are too many bytes.
"""

import os
import stat
import time
import warnings
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO, Final, NamedTuple

from xdsl_bufferization.disk_cache.layout import (
    DamagedError,
    Record,
    map_file,
    read_record,
    write_record,
)
from xdsl_bufferization.disk_cache.settings import folder_asked_for, most_bytes

_SUFFIX: Final = ".xbufobj"
_UNFINISHED: Final = ".tmp"
_ABANDONED_SECONDS: Final = 3600
"""A file that has been unfinished for so long has nobody who writes to it."""

_OTHERS_MAY_WRITE: Final = stat.S_IWGRP | stat.S_IWOTH
_IS_POSIX: Final = os.open in os.supports_dir_fd and hasattr(os, "geteuid")


class UnsafeFolderError(OSError):
    """A folder that somebody else may write to."""


class File(NamedTuple):
    """A file of the cache."""

    name: str
    size: int
    used: float
    """When it was read or written last, in seconds since 1970."""


class Cache:
    """An open folder."""

    def __init__(self, path: Path, limit: int) -> None:
        """Open a folder, and make it if it is not there.

        Raises `UnsafeFolderError` if another user may write to it, and `OSError` if it
        cannot be made or read.
        """
        self.path = path
        self.limit = limit
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._folder = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        if not _is_own(os.fstat(self._folder)):
            self.close()
            raise UnsafeFolderError(
                f"{path} belongs to another user, or another user may write to it"
            )

    def close(self) -> None:
        """Close the folder; what was found in it stays valid."""
        os.close(self._folder)

    def find(self, key: str) -> Record | None:
        """What is kept under a key; a damaged file counts as none."""
        with suppress(OSError, DamagedError):
            descriptor = os.open(
                key + _SUFFIX,
                os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC,
                dir_fd=self._folder,
            )
            try:
                status = os.fstat(descriptor)
                if not (stat.S_ISREG(status.st_mode) and _is_own(status)):
                    return None
                record = read_record(map_file(descriptor))
                with suppress(OSError):
                    os.utime(descriptor)
            finally:
                os.close(descriptor)
            return record
        return None

    def keep(self, key: str, record: Record) -> None:
        """Keep a record under a key; nothing happens if there is no room for it."""
        unfinished = os.urandom(8).hex() + _UNFINISHED
        with suppress(OSError):
            try:
                with self._created(unfinished) as stream:
                    write_record(stream, record)
                os.replace(
                    unfinished,
                    key + _SUFFIX,
                    src_dir_fd=self._folder,
                    dst_dir_fd=self._folder,
                )
            except BaseException:  # Ctrl-C leaves nothing behind either.
                with suppress(OSError):
                    os.unlink(unfinished, dir_fd=self._folder)
                raise
            self._shrink(self.limit)

    def _created(self, name: str) -> BinaryIO:
        flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
        return os.fdopen(os.open(name, flags, 0o600, dir_fd=self._folder), "wb")

    def files(self) -> list[File]:
        """All files of the cache, with the one used longest ago first."""
        found = [
            File(name, status.st_size, status.st_mtime)
            for name, status in self._statuses()
            if name.endswith(_SUFFIX)
        ]
        return sorted(found, key=lambda file: file.used)

    def clear(self) -> int:
        """Remove all files; returns how many there were."""
        count = len(self.files())
        self._shrink(0)
        return count

    def _shrink(self, limit: int) -> None:
        files = self.files()
        size = sum(file.size for file in files)
        for file in files:
            if size <= limit:
                break
            self._remove(file.name)
            size -= file.size
        for name, status in self._statuses():
            age = time.time() - status.st_mtime
            if name.endswith(_UNFINISHED) and age > _ABANDONED_SECONDS:
                self._remove(name)

    def _remove(self, name: str) -> None:
        with suppress(OSError):  # Another process has removed it.
            os.unlink(name, dir_fd=self._folder)

    def _statuses(self) -> Iterator[tuple[str, os.stat_result]]:
        with os.scandir(self._folder) as entries:
            for entry in entries:
                with suppress(OSError):  # Another process has removed it.
                    yield entry.name, entry.stat(follow_symlinks=False)


def _is_own(status: os.stat_result) -> bool:
    """Whether only this user may write to a file or folder."""
    return status.st_uid == os.geteuid() and not status.st_mode & _OTHERS_MAY_WRITE


_told: Final[set[Path]] = set()


def open_cache() -> Cache | None:
    """The cache of this user; None if it is off, or there is no safe folder for it.

    A folder that another user may write to gives a warning, once.
    """
    path = folder_asked_for() if _IS_POSIX else None
    if path is None:
        return None
    try:
        return Cache(path, most_bytes())
    except UnsafeFolderError as error:
        if path not in _told:
            _told.add(path)
            warnings.warn(
                f"compiled code is not cached: {error}; chmod go-w it, or let "
                "XBUF_CACHE name a folder of your own",
                stacklevel=2,
            )
    except OSError:
        pass  # A home that cannot be written to is no error of the program.
    return None
