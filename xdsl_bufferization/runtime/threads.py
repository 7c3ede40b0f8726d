"""An OpenMP runtime of the system, for regions whose threads wait for each other.

Loops alone are run by `team.py`. An OpenMP runtime is sought in the process and in the
system; GNU's libgomp and LLVM's libomp have the functions of `abi.py`. Where there is
none, such regions run on one thread, and the standard error output says so once.

    thread_functions()   ->   {"GOMP_parallel": 0x7f..., ...}

A fork copies the thread that forks, and no other. libgomp would wait for its threads in
the child for ever. So compiled code starts teams by a function of ours, which remembers
whether there was a team. In children of a process that had one, loops run on the thread
that calls. LLVM's libomp begins anew in a child by itself.
"""

import ctypes
import ctypes.util
import os
import sys
from collections.abc import Iterator, Mapping
from typing import Any, Final

from xdsl_bufferization.support import abi
from xdsl_bufferization.support.locks import call_in_children, computed_once

from .addresses import address_of
from .llvm import Library, runtime_function

OPENMP_LIBRARIES: Final = (
    "libgomp.so.1",
    "libomp.so.5",
    "libomp.so",
    "libgomp.1.dylib",
    "libomp.dylib",
    "/opt/homebrew/opt/libomp/lib/libomp.dylib",
    "/usr/local/opt/libomp/lib/libomp.dylib",
    "libgomp-1.dll",
)
"""Names of OpenMP runtimes, the preferred first."""

_ONE_THREAD: Final = f"""
define void @{abi.GOMP_PARALLEL}(ptr %function, ptr %data, i32 %threads, i32 %flags) {{
  call void %function(ptr %data)
  ret void
}}
define void @{abi.GOMP_BARRIER}() {{
  ret void
}}
define i1 @{abi.GOMP_LOOP_DYNAMIC_START}(
    i32 %up, i64 %start, i64 %end, i64 %step, i64 %chunk, ptr %first, ptr %behind) {{
  store i64 %start, ptr %first
  store i64 %end, ptr %behind
  %some = icmp ne i64 %start, %end
  ret i1 %some
}}
define i1 @{abi.GOMP_LOOP_DYNAMIC_NEXT}(ptr %first, ptr %behind) {{
  ret i1 false
}}
define void @{abi.GOMP_LOOP_END_NOWAIT}() {{
  ret void
}}
define i32 @{abi.OMP_GET_THREAD_NUM}() {{
  ret i32 0
}}
define i32 @{abi.OMP_GET_NUM_THREADS}() {{
  ret i32 1
}}
"""


_TEAMS: Final = f"""
@had_team = global i32 0
@is_alone = global i32 0
@start = global ptr null

; `start` is {abi.GOMP_PARALLEL} of the runtime: a team of one thread waits for nobody.
define void @{abi.GOMP_PARALLEL}(ptr %function, ptr %data, i32 %threads, i32 %flags) {{
  %alone = load i32, ptr @is_alone
  %is_alone = icmp ne i32 %alone, 0
  %asked = select i1 %is_alone, i32 1, i32 %threads
  %is_one = icmp eq i32 %asked, 1
  br i1 %is_one, label %run, label %note
note:
  store atomic i32 1, ptr @had_team monotonic, align 4
  br label %run
run:
  %start = load ptr, ptr @start
  call void %start(ptr %function, ptr %data, i32 %asked, i32 %flags)
  ret void
}}
"""
"""What a runtime has that does not survive a fork, for processes that may fork."""


class _Teams:
    """The functions of `_TEAMS` around those of a runtime."""

    def __init__(self, runtime: Any, *, is_shared: bool) -> None:
        variables = ("had_team", "is_alone", "start")
        self._library = runtime_function(
            _TEAMS, abi.GOMP_PARALLEL, *variables, opt_level=0
        )
        start = address_of(runtime[abi.GOMP_PARALLEL])
        self._variable("start", ctypes.c_void_p).value = start
        # Somebody else, who uses the runtime as well, may have had a team.
        self._variable("had_team", ctypes.c_int32).value = int(is_shared)
        self.functions = {abi.GOMP_PARALLEL: self._library[abi.GOMP_PARALLEL]}
        call_in_children(self._begin_child)

    def _variable(self, name: str, type_: Any) -> Any:
        return type_.from_address(self._library[name])

    def _begin_child(self) -> None:
        if self._variable("had_team", ctypes.c_int32).value:
            self._variable("is_alone", ctypes.c_int32).value = 1

    @property
    def is_alone(self) -> bool:
        """Whether loops run on one thread, as there were several before a fork."""
        return bool(self._variable("is_alone", ctypes.c_int32).value)


@computed_once
def _teams() -> _Teams | None:
    """None if a runtime survives forks, or is not there."""
    runtime = openmp_runtime()
    if runtime is None or hasattr(runtime, _OF_LLVM):
        return None
    return _Teams(runtime, is_shared=_shared_runtimes != [])


_OF_LLVM: Final = "__kmpc_fork_call"

_shared_runtimes: Final[list[Any]] = []
"""Runtimes that were in the process before they were sought."""


@computed_once
def thread_functions() -> Mapping[str, int]:
    """The address of each of `abi.THREAD_FUNCTIONS`, for as long as the process lives.

    All are of one runtime: two of them have nothing to do with each other.
    """
    runtime = openmp_runtime()
    if runtime is None:
        sys.stderr.write(
            "xbuf: note: there is no OpenMP runtime, so that regions of omp.parallel "
            "run on one thread; install libgomp1 (Debian) or libomp\n"
        )
        library = _one_thread()
        return {name: library[name] for name in abi.THREAD_FUNCTIONS}
    found = {name: address_of(runtime[name]) for name in abi.THREAD_FUNCTIONS}
    teams = _teams()
    return found if teams is None else {**found, **teams.functions}


@computed_once
def openmp_runtime() -> Any:
    """An OpenMP runtime; None if there is none."""
    for name in _candidates():
        is_loaded = _is_loaded(name)
        try:
            library = ctypes.CDLL(name)
        except OSError:
            continue
        if all(hasattr(library, function) for function in abi.THREAD_FUNCTIONS):
            if is_loaded:
                _shared_runtimes.append(library)
            return library
    return None


def _is_loaded(name: str | None) -> bool:
    """Whether a library is in the process already; the process is, of course."""
    try:
        ctypes.CDLL(name, mode=os.RTLD_NOLOAD)
    except OSError:
        return False
    return True


def _candidates() -> Iterator[str | None]:
    """Where to look, the quickest first; None is this process."""
    yield None
    yield from OPENMP_LIBRARIES
    for stem in ("gomp", "omp"):
        found = ctypes.util.find_library(stem)
        if found is not None:
            yield found


@computed_once
def _one_thread() -> Library:
    """A runtime whose teams have one thread."""
    return runtime_function(_ONE_THREAD, *abi.THREAD_FUNCTIONS)
