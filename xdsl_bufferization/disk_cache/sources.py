"""Whether packages are the same as when something was kept.

    sources("xdsl", "xdsl_bufferization")   ->   "5b0c..."

The answer changes with each file of the packages that is edited, added or removed: it
is a hash of names, sizes and times. Nothing is imported and no file is read.

Python goes on with what it has imported when a file is edited. So there is no answer
for packages with a file that was edited after this process has started to use them.
"""

import hashlib
import os
import time
from collections.abc import Iterator
from importlib.util import find_spec
from typing import Final, NamedTuple

from xdsl_bufferization.locks import computed_once

_SUFFIXES: Final = (".py", ".ll", ".c", ".so", ".dylib", ".dll", ".pyd")
"""Of files that say what a package does."""


_STARTED: Final = time.time_ns()


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
    digest = hashlib.sha256()
    for folder in (spec and spec.submodule_search_locations) or ():
        try:
            files = sorted(_files(folder, ""))
        except OSError:  # A package may be an archive, or be removed meanwhile.
            return None
        if any(file.changed >= _STARTED for file in files):
            return None
        digest.update(repr(files).encode())
    return digest.hexdigest()


class _File(NamedTuple):
    name: str
    size: int
    changed: int
    """When, in nanoseconds since 1970."""


def _files(folder: str, prefix: str) -> Iterator[_File]:
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir():
                if entry.name != "__pycache__":
                    yield from _files(entry.path, f"{prefix}{entry.name}/")
            elif entry.name.endswith(_SUFFIXES):
                status = entry.stat()
                yield _File(prefix + entry.name, status.st_size, status.st_mtime_ns)
