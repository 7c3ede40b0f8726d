"""Compiled programs that an earlier start of Python has left in the cache.

    key = key_of(text_pieces("scale.mlir"), options)
    cached = find(key)          None if nobody has compiled this, as it is now
    store(key, code, names)

A key is a hash of the text, the options, the contents of this package and of xDSL, and
the processor that the code is for. It also has the versions of LLVM, Python, NumPy and
the C library, and the size of the stack. There is no key where code may depend on
something else: a module, or models and dialects of others.
"""

import hashlib
import os
import sys
from collections.abc import Iterable
from contextlib import closing
from dataclasses import asdict, replace
from importlib.metadata import entry_points, version
from typing import Any, Final, NamedTuple

import numpy as np

from xdsl_bufferization.runtime.disk_cache.folder import open_cache
from xdsl_bufferization.runtime.disk_cache.layout import Record
from xdsl_bufferization.runtime.disk_cache.settings import folder_asked_for
from xdsl_bufferization.runtime.disk_cache.sources import are_unchanged, sources
from xdsl_bufferization.runtime.llvm import stamp_of
from xdsl_bufferization.runtime.object_code import ObjectCode
from xdsl_bufferization.runtime.processors.processor import (
    Processor,
    processor_or_this,
)
from xdsl_bufferization.runtime.saved_code import code_of, record_of
from xdsl_bufferization.runtime.stack import stack_bytes
from xdsl_bufferization.support import debug
from xdsl_bufferization.support.locks import computed_once

from .names import Names
from .options import JitOptions

_PACKAGES: Final = ("xdsl_bufferization", "xdsl")
_UNIVERSES: Final = "xdsl.universe"
"""Where packages tell xDSL of their dialects and passes."""

_LIBC: Final = "CS_GNU_LIBC_VERSION"


class CachedCode(NamedTuple):
    """Code that can be loaded, and what its program calls things."""

    code: ObjectCode
    names: Names


def environment(processor: Processor) -> list[object] | None:
    """What code depends on beside its program; None if that cannot be told."""
    files = sources(*_PACKAGES)
    if files is None or _has_guests():
        return None
    unit = processor.vector_unit_here
    return [files, versions(), stamp_of(processor), unit, stack_bytes()]


def versions() -> list[str]:
    """Of what computes constants while a program is compiled: digits may differ."""
    # Not every system has a C library that says what it is.
    known = getattr(os, "confstr_names", {})
    libc = os.confstr(_LIBC) if _LIBC in known else None
    return [sys.version, np.__version__, libc or ""]


def _has_guests() -> bool:
    """Whether somebody else may have a say in how programs are compiled."""
    models: Any = sys.modules.get("xdsl_bufferization.dialects.xdsl_patches.attach")
    if models is not None and models.has_guests():
        return True
    known = {each.value.partition(".")[0] for each in entry_points(group=_UNIVERSES)}
    return not known <= set(_PACKAGES)


def machine(processor: Processor) -> dict[str, str]:
    """What saved code fits, in words; not even the order of features may differ."""
    features = hashlib.sha256(stamp_of(processor).encode()).hexdigest()[:8]
    return {
        "the processor": f"{processor.cpu} ({features})",
        "the version": version("xdsl-bufferization"),
        "the hash of the sources": (sources(_PACKAGES[0]) or _own_sources())[:12],
        "the use of AMX": str(processor.vector_unit_here.multiplies_tiles),
        "the size of the stack": str(stack_bytes()),
    }


@computed_once
def _own_sources() -> str:
    """Stands for sources that were edited: their code fits this process alone."""
    return os.urandom(32).hex()


def key_of(pieces: Iterable[bytes | memoryview], options: JitOptions) -> str | None:
    """The key of a program, of which `pieces` are the text; None: not to be cached."""
    # Passes that are objects may have been changed since they were imported.
    if folder_asked_for() is None or isinstance(options.passes, tuple):
        return None
    around = environment(processor_or_this(options.cpu))
    if around is None:
        return None
    # Which arguments are donated is no matter of the code, nor who named its processor.
    wanted = asdict(replace(options, donate=(), cpu=None))
    digest = hashlib.sha256(repr((around, wanted)).encode())
    for piece in pieces:
        digest.update(piece)
    return digest.hexdigest()


def find(key: str) -> CachedCode | None:
    """What the cache has for a key."""
    cache = open_cache()
    if cache is None:
        return None
    with closing(cache):
        record = cache.find(key)
    if record is None:
        return None
    cached = cached_code_of(record)
    if debug.wants(debug.KERNELS):
        _say_kernels(cached.code)
    return cached


def _say_kernels(code: ObjectCode) -> None:
    for each in code.kernels:
        debug.say_kernel(each.invoke, each.description, "in the cache on disk")
    debug.say("the code of the program is in the cache on disk as well")


def store(key: str, code: ObjectCode, names: Names) -> None:
    """Put code into the cache, if there is one.

    What has compiled may have been imported after the key was made. If a file was
    edited in between, nothing is cached.
    """
    cache = open_cache() if are_unchanged(*_PACKAGES) else None
    if cache is None:
        return
    with closing(cache):
        cache.keep(key, record_with(code, names))


def record_with(code: ObjectCode, names: Names) -> Record:
    """Code and names as a record."""
    return record_of(code, {"what": "a program", "names": asdict(names)})


def cached_code_of(record: Record) -> CachedCode:
    """What `record_with` was given."""
    code, about = code_of(record)
    names = about["names"]
    lists = (tuple(names[each]) for each in ("arguments", "results", "unsigned"))
    return CachedCode(code, Names(names["name"], *lists))
