"""The folder with the files of the cache, and who may write to it.

    cache = open_cache()                 None where there is no cache
    record = cache.find(key)             None if there is no such file, or it is damaged
    cache.keep(key, Record(...))

Compiled code is run as it is. So the folder, and each file, must belong to the user who
runs this process, and nobody else may write to them. Everything is done relative to the
open folder: replacing a folder on the way to it has no effect.

A file is written under another name and renamed. So processes may do all of this at
once. Who writes has a lock on the file: an unfinished one without a lock is left over
from a process that was killed. The file that was used longest ago goes first when there
are too many bytes.

A file has its own key, which says what the code is for, such as the processor. So a
file that somebody renames or copies is not loaded for something else.
"""

import fcntl
import os
import re
import stat
import time
import warnings
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO, Final, NamedTuple

from .layout import (
    DamagedError,
    Record,
    copy_file,
    open_regular,
    read_record,
    record_bytes,
    write_record,
)
from .settings import folder_asked_for, most_bytes

_SUFFIX: Final = ".xbufobj"
_UNFINISHED: Final = re.compile(r"[0-9a-f]{16}\.tmp")
_ABANDONED_SECONDS: Final = 3600
"""A file that has been unfinished for so long has nobody who writes to it.

Ages count on file systems without locks.
"""

_KEY: Final = "key"
_ABOUT: Final = "about"

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

    is_finished: bool = True
    """Whether it was written to its end; others are never loaded."""


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
        """What is kept under a key; a damaged file counts as none.

        What becomes of the file afterwards has no effect on the record.
        """
        with suppress(OSError, DamagedError):
            descriptor = open_regular(key + _SUFFIX, self._folder)
            try:
                if not _is_own(os.fstat(descriptor)):
                    return None
                record = read_record(copy_file(descriptor))
                if record.about.get(_KEY) != key:
                    return None
                with suppress(OSError):
                    os.utime(descriptor)
            finally:
                os.close(descriptor)
            return Record(record.about[_ABOUT], record.pieces)
        return None

    def keep(self, key: str, record: Record) -> None:
        """Keep a record under a key; nothing happens if there is no room for it.

        A record that is larger than all files may be is not kept. Others stay then.
        """
        record = Record({_KEY: key, _ABOUT: record.about}, record.pieces)
        with suppress(OSError):
            if record_bytes(record) <= self.limit:
                self._write(key + _SUFFIX, record)
            self._shrink(self.limit)

    def _write(self, name: str, record: Record) -> None:
        unfinished = f"{os.urandom(8).hex()}.tmp"
        try:
            with self._created(unfinished) as stream:
                write_record(stream, record)
                stream.flush()
                # Before the lock goes.
                os.replace(
                    unfinished,
                    name,
                    src_dir_fd=self._folder,
                    dst_dir_fd=self._folder,
                )
        except BaseException:  # Ctrl-C leaves nothing behind either.
            self._remove(unfinished)
            raise

    def _created(self, name: str) -> BinaryIO:
        flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
        descriptor = os.open(name, flags, 0o600, dir_fd=self._folder)
        with suppress(OSError):  # Some file systems have no locks.
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return os.fdopen(descriptor, "wb")

    def files(self) -> list[File]:
        """All files of the cache, with the one used longest ago first.

        Those that are not finished are among them.
        """
        found = [
            File(
                name,
                status.st_size,
                status.st_mtime,
                is_finished=name.endswith(_SUFFIX),
            )
            for name, status in self._statuses()
            if name.endswith(_SUFFIX) or _UNFINISHED.fullmatch(name)
            if not stat.S_ISDIR(status.st_mode)
        ]
        return sorted(found, key=lambda file: file.used)

    def clear(self) -> int:
        """Remove all files, and what is not finished; returns how many there were."""
        return sum(self._remove(file.name) for file in self.files())

    def _shrink(self, limit: int) -> None:
        files: list[File] = []
        for file in self.files():
            if file.is_finished or not self._is_abandoned(file):
                files.append(file)
            else:
                self._remove(file.name)
        size = sum(file.size for file in files)
        for file in files:
            if size <= limit:
                break
            if file.is_finished:
                self._remove(file.name)
                size -= file.size

    def _is_abandoned(self, file: File) -> bool:
        """Whether nobody writes to a file any more."""
        if time.time() - file.used > _ABANDONED_SECONDS:
            return True
        try:
            descriptor = open_regular(file.name, self._folder)
        except OSError:
            return False
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        finally:
            os.close(descriptor)
        return True

    def _remove(self, name: str) -> bool:
        with suppress(OSError):  # Another process has removed it.
            os.unlink(name, dir_fd=self._folder)
            return True
        return False

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
