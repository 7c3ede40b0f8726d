"""The threads of the system: what compiled code calls to run loops on all cores.

An OpenMP runtime is sought in the process and in the system; GNU's libgomp and LLVM's
libomp have the functions of `abi.py`. Where there is none, loops run on one thread, and
the standard error output says so once.

    thread_functions()   ->   {"GOMP_parallel": 0x7f..., ...}
    default_threads()    ->   2
"""

import ctypes
import ctypes.util
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, Final

from xdsl_bufferization import abi
from xdsl_bufferization.runtime.addresses import address_of
from xdsl_bufferization.runtime.llvm import Library, compile_function

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
define i32 @{abi.OMP_GET_MAX_THREADS}() {{
  ret i32 1
}}
"""


@cache
def thread_functions() -> Mapping[str, int]:
    """The address of each of `abi.THREAD_FUNCTIONS`, for as long as the process lives.

    All are of one runtime: two of them have nothing to do with each other.
    """
    runtime = openmp_runtime()
    if runtime is None:
        sys.stderr.write(
            "xbuf: note: there is no OpenMP runtime, so that parallel loops run on one "
            "thread; install libgomp1 (Debian) or libomp\n"
        )
        library = _one_thread()
        return {name: library[name] for name in abi.THREAD_FUNCTIONS}
    return {name: address_of(runtime[name]) for name in abi.THREAD_FUNCTIONS}


def default_threads() -> int:
    """How many threads a loop gets unless somebody says: `OMP_NUM_THREADS`, or all."""
    runtime = openmp_runtime()
    return 1 if runtime is None else int(runtime[abi.OMP_GET_MAX_THREADS]())


@cache
def openmp_runtime() -> Any:
    """An OpenMP runtime; None if there is none."""
    for name in _candidates():
        try:
            library = ctypes.CDLL(name)
        except OSError:
            continue
        if all(hasattr(library, function) for function in abi.THREAD_FUNCTIONS):
            return library
    return None


def _candidates() -> Iterator[str | None]:
    """Where to look, the quickest first; None is this process."""
    yield None
    yield from OPENMP_LIBRARIES
    for stem in ("gomp", "omp"):
        found = ctypes.util.find_library(stem)
        if found is not None:
            yield found


@cache
def _one_thread() -> Library:
    """A runtime whose teams have one thread."""
    return compile_function(_ONE_THREAD, *abi.THREAD_FUNCTIONS)
