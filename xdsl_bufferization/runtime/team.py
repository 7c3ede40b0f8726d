"""The team of this process: threads that share the loops of compiled code.

    team_functions()    ->   {"xbuf_share_loop": 0x7f..., "xbuf_take_iterations": ...}

`team.c` has the code, of which `team.ll` is made. A loop is cut into one share for each
thread, of which a part is left for the thread that is done first. Workers start with
the first loop, wait for the next one for about a millisecond, and then sleep. To share
a loop takes a fraction of a microsecond if they are awake.

The caller never waits for a worker that has not begun: it runs that share itself. So a
loop is not much slower than on one thread if other programs have the cores.

One loop is shared at a time. Loops inside of it, and those of other callers meanwhile,
run on the thread that they are on. After a fork, a child starts workers of its own.

Regions of `omp.parallel` with barriers need all threads at once: `threads.py` has an
OpenMP runtime for them.
"""

import ctypes
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from xdsl_bufferization.support import abi
from xdsl_bufferization.support.locks import call_in_children, computed_once

from .addresses import address_of
from .llvm import Library, runtime_function
from .processors.processor import this_processor

_ROUNDS: Final = 50_000
"""How often a worker looks for work before it sleeps: about a millisecond."""

MASK_BYTES: Final = 128
"""Of a set of cores: so many as Linux counts at most, in bits."""

_PAUSES: Final = {
    "x86_64": "call void @llvm.x86.sse2.pause()",
    "aarch64": "call void @llvm.aarch64.hint(i32 1)",
    "arm64": "call void @llvm.aarch64.hint(i32 1)",
}
"""What tells a processor that a thread waits."""

VARIABLES: Final = ("default_threads", "most_rounds", "bind", "masks", "mask_count")
"""What `team.c` leaves to this module: numbers and addresses of 64 bits."""


@computed_once
def team_functions() -> Mapping[str, int]:
    """The address of each of `abi.TEAM_FUNCTIONS`, as long as the process lives."""
    library = _library()
    # A worker may run until the process ends, when Python has freed all else.
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(library))
    _number(library, "default_threads").value = default_threads()
    is_passive = os.environ.get("OMP_WAIT_POLICY", "").lower() == "passive"
    _number(library, "most_rounds").value = 0 if is_passive else _ROUNDS
    if os.environ.get("OMP_PROC_BIND", "false").lower() != "false":
        _bind(library, _cores())
    begin = ctypes.CFUNCTYPE(None)(library["begin"])
    begin()
    call_in_children(begin)
    return {name: library[name] for name in abi.TEAM_FUNCTIONS}


def default_threads() -> int:
    """How many threads share a loop unless somebody says.

    `OMP_NUM_THREADS`, or one for each core that the process may use.
    """
    first, _, _ = os.environ.get("OMP_NUM_THREADS", "").partition(",")
    if first.strip().isdecimal() and int(first):
        return int(first)
    return len(_cores()) or os.cpu_count() or 1


def _cores() -> Sequence[int]:
    """The cores that this process may use, where the system tells."""
    return sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else ()


@computed_once
def _library() -> Library:
    text = Path(__file__).with_name("team.ll").read_text("utf-8")
    text = text.replace("declare void @pause_processor()", _pause_function())
    return runtime_function(text, *abi.TEAM_FUNCTIONS, "begin", *VARIABLES)


def _pause_function() -> str:
    """The one function that `team.c` leaves open."""
    pause = _PAUSES.get(this_processor().architecture, "")
    return f"define internal void @pause_processor() {{\n  {pause}\n  ret void\n}}"


def _number(library: Library, name: str) -> ctypes.c_int64:
    return ctypes.c_int64.from_address(library[name])


def _bind(library: Library, cores: Sequence[int]) -> None:
    """Let each worker stay on a core; the first core is for the caller."""
    process = ctypes.CDLL(None)
    if len(cores) < 2 or not hasattr(process, "sched_setaffinity"):
        return
    masks = b"".join((1 << core).to_bytes(MASK_BYTES, "little") for core in cores[1:])
    memory = ctypes.create_string_buffer(masks)
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(memory))
    _number(library, "masks").value = ctypes.addressof(memory)
    _number(library, "bind").value = address_of(process.sched_setaffinity)
    _number(library, "mask_count").value = len(cores) - 1
