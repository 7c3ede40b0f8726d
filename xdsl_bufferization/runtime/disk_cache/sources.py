"""What packages say, as a hash: another one if what runs is another program.

    sources("xdsl", "xdsl_bufferization")   ->   "5b0c..."

The hash is of the contents of all files, not of their sizes and times. An edit of equal
length may keep the time, and images of systems give all files one time. Nothing is
imported. To read 1,400 files takes some 15 ms more than to ask for their times.

Python may run what it has compiled before instead of a file, if size and time fit. Such
code is a part of the hash, unless it is certain to be that of the file.

Python goes on with what it has imported when a file is edited. So there is no answer
for packages with a file that was edited after this process has started.
"""

import hashlib
import os
import struct
import time
from contextlib import suppress
from importlib.util import MAGIC_NUMBER, cache_from_source, find_spec
from pathlib import Path
from typing import Final, NamedTuple

from xdsl_bufferization.support.locks import computed_once

_COMPILED: Final = "__pycache__"
_STUB: Final = ".pyi"
"""Is for type checkers, and never run. xDSL writes one anew when it loads IRDL."""

_PIECE_BYTES: Final = 1 << 18


class _ChangedError(Exception):
    """A file may be another than the one that Python has imported."""


def _process_started() -> int:
    """When the system started this process, in nanoseconds since 1970; or now."""
    now = time.time_ns()
    with suppress(OSError, ValueError, IndexError, AttributeError):
        # The name of the program, in parentheses, may have spaces.
        fields = Path("/proc/self/stat").read_text().rpartition(")")[2].split()
        age = time.clock_gettime(time.CLOCK_BOOTTIME) - int(fields[19]) / os.sysconf(
            "SC_CLK_TCK"
        )
        return now - int(age * 1e9)
    return now


# What is imported here was perhaps imported long before this file.
_STARTED: Final = _process_started()


def sources(*packages: str) -> str | None:
    """A hash of the files of packages; None if one may be another than what runs."""
    found = [_source(package) for package in packages]
    if None in found:
        return None
    return hashlib.sha256(repr(found).encode()).hexdigest()


def are_unchanged(*packages: str) -> bool:
    """Whether the files are still those that `sources` was asked about."""
    return all(_hash_of(package) == _source(package) for package in packages)


@computed_once
def _source(package: str) -> str | None:
    return _hash_of(package)


def _hash_of(package: str) -> str | None:
    spec = find_spec(package)
    reader = _Reader()
    try:
        for folder in (spec and spec.submodule_search_locations) or ():
            reader.add_folder(folder, "")
    except (OSError, _ChangedError):
        # A package may be an archive, or be removed meanwhile.
        return None
    return reader.digest.hexdigest()


class _File(NamedTuple):
    path: str
    size: int
    changed: float
    """The time that anybody may give to a file, in seconds since 1970."""

    edited: int
    """When the system last saw a change, in nanoseconds since 1970."""


class _Reader:
    """Hashes folders: the name, the size and the contents of each file."""

    def __init__(self) -> None:
        self.digest = hashlib.sha256()
        self._room = memoryview(bytearray(_PIECE_BYTES))

    def add_folder(self, folder: str, prefix: str) -> None:
        """Add all files below; `prefix` is what their names begin with."""
        compiled = _compiled_files(folder)
        with os.scandir(folder) as entries:
            inside = sorted(entries, key=lambda entry: entry.name)
        for entry in inside:
            if entry.name == _COMPILED or entry.name.startswith("."):
                continue
            name = prefix + entry.name
            if entry.is_dir():
                self.add_folder(entry.path, f"{name}/")
            elif entry.is_file() and not entry.name.endswith(_STUB):
                self._add_source(name, entry, compiled.get(entry.name))

    def _add_source(
        self, name: str, entry: os.DirEntry[str], compiled: _File | None
    ) -> None:
        file = _file(entry)
        # Nobody can set the second time.
        if max(int(file.changed * 1e9), file.edited) >= _STARTED:
            raise _ChangedError
        self._add(name, file)
        # What was written after the last change of a file is made of it.
        if compiled is not None and compiled.edited <= file.edited:
            data = Path(compiled.path).read_bytes()
            if _is_run_for(data, file):
                self.digest.update(data)

    def _add(self, name: str, file: _File) -> None:
        self.digest.update(f"{name}\0{file.size}\0".encode())
        opened = os.open(file.path, os.O_RDONLY | os.O_CLOEXEC)
        try:
            left = file.size
            while left > 0:
                count = os.readv(opened, [self._room])
                if count == 0:
                    raise _ChangedError
                self.digest.update(self._room[:count])
                left -= count
        finally:
            os.close(opened)


def _file(entry: os.DirEntry[str]) -> _File:
    status = entry.stat()
    return _File(entry.path, status.st_size, status.st_mtime, status.st_ctime_ns)


def _compiled_files(folder: str) -> dict[str, _File]:
    """What Python has compiled of the files of a folder, by their names."""
    found: dict[str, _File] = {}
    with suppress(OSError, NotImplementedError):
        # Such as `__pycache__/_.cpython-311.pyc`.
        sample = Path(cache_from_source(f"{folder}/_.py"))
        ending = sample.name.removeprefix("_")
        with os.scandir(sample.parent) as entries:
            for entry in entries:
                if entry.name.endswith(ending):
                    found[f"{entry.name.removesuffix(ending)}.py"] = _file(entry)
    return found


def _is_run_for(compiled: bytes, source: _File) -> bool:
    """Whether Python runs compiled code and does not look into its file.

    Source: `_validate_timestamp_pyc`, Lib/importlib/_bootstrap_external.py
    """
    flags, changed, size = _HEAD.unpack(compiled[4:16].ljust(12))
    if compiled[:4] != MAGIC_NUMBER or flags == _COMPARES_SOURCE:
        return False
    if flags:
        return True
    return (changed, size) == (int(source.changed) & _WORD, source.size & _WORD)


_HEAD: Final = struct.Struct("<3I")
_WORD: Final = 0xFFFFFFFF
_COMPARES_SOURCE: Final = 3
