"""How long each part of a compiled program takes, by the ops that somebody wrote.

    profiler = Profiler()
    code = profiler.compile(buffers)          with a look at the clock around each nest
    code["entry"](x)
    profiler.nests()                          the slowest first

Code that is compiled without a profiler has no timers. The figures are of all calls
since `reset`. They are for one caller at a time.
"""

import ctypes
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Unpack

from xdsl.dialects import func, memref
from xdsl.dialects.builtin import MemRefType, ModuleOp
from xdsl.ir import Operation
from xdsl.utils.hints import isa

from xdsl_bufferization.codegen.complete_locations import complete_locations
from xdsl_bufferization.codegen.outline_loop_nests import LOOPS, is_nest
from xdsl_bufferization.codegen.time_loop_nests import (
    RUNS,
    SECONDS,
    time_loop_nests,
)
from xdsl_bufferization.dialects.text.locations import file_location
from xdsl_bufferization.pipelines.compile import compile_module
from xdsl_bufferization.pipelines.compile_options import CompileOptions
from xdsl_bufferization.runtime.engine import CompiledModule
from xdsl_bufferization.support.traversal import ops_inside

_NAMED_OPS: Final = 3
"""So many ops at most describe a nest, and so much arithmetic an op."""


_WRITTEN: Final = 3
"""A kernel writes the last of so many buffers, or of fewer."""


_SHORTEST: Final = 0.0005
"""What takes less, in milliseconds, is no more than the looks at the clock."""


def format_milliseconds(seconds: float) -> str:
    """To a microsecond: a clock tells no more from run to run."""
    milliseconds = seconds * 1e3
    return f"{milliseconds:.3f}" if milliseconds >= _SHORTEST else "<0.001"


@dataclass(frozen=True)
class TimedNest:
    """A part of a program that was timed as a whole."""

    function: str
    kind: str
    """`kernel`, `loop`, `copy`, `allocation` or `call`."""

    what: str
    """The ops in it that compute, as they are when the code is made."""

    lines: tuple[int, ...]
    """The lines of the source that it comes from; the first is that of its main op."""

    seconds: float
    """Of all calls together."""

    runs: int


@dataclass(frozen=True)
class _Nest:
    """What is known of a nest before it runs."""

    function: str
    kind: str
    what: str
    lines: tuple[int, ...]


class Profiler:
    """Compiles a program so that its parts are timed, and tells what they took."""

    def __init__(self) -> None:
        self._nests: Sequence[_Nest] = ()
        self._seconds = (ctypes.c_double * 0)()
        self._runs = (ctypes.c_int64 * 0)()

    def compile(
        self, module: ModuleOp, **options: Unpack[CompileOptions]
    ) -> CompiledModule:
        """Compile a module on buffers, as `compile_module` does, with timers.

        The code lives at most as long as the profiler.
        """
        timed = module.clone()
        complete_locations(timed)
        nests = time_loop_nests(timed)
        self._nests = [_described(nest) for nest in nests]
        self._seconds = (ctypes.c_double * len(nests))()
        self._runs = (ctypes.c_int64 * len(nests))()
        symbols = {
            SECONDS: ctypes.addressof(self._seconds),
            RUNS: ctypes.addressof(self._runs),
        }
        return compile_module(timed, symbols if nests else None, **options)

    def reset(self) -> None:
        """Forget all calls so far."""
        for numbers in (self._seconds, self._runs):
            ctypes.memset(numbers, 0, ctypes.sizeof(numbers))

    def nests(self) -> list[TimedNest]:
        """What ran since `reset`, the slowest first."""
        ran = [
            TimedNest(nest.function, nest.kind, nest.what, nest.lines, seconds, runs)
            for nest, seconds, runs in zip(
                self._nests, self._seconds, self._runs, strict=True
            )
            if runs
        ]
        return sorted(ran, key=lambda nest: -nest.seconds)


def merged(nests: Iterable[TimedNest]) -> list[TimedNest]:
    """Nests of one function, kind and description as one, the slowest first.

    A step of a recurrent network that is written 32 times has 32 nests.
    """
    sums: dict[object, TimedNest] = {}
    for nest in nests:
        key = (nest.function, nest.kind, nest.what)
        old = sums.get(key)
        if old is None:
            sums[key] = nest
            continue
        sums[key] = TimedNest(
            *key,
            tuple(dict.fromkeys((*old.lines, *nest.lines))),
            old.seconds + nest.seconds,
            old.runs + nest.runs,
        )
    return sorted(sums.values(), key=lambda nest: -nest.seconds)


def _described(nest: Operation) -> _Nest:
    inside = ops_inside(nest)
    computing = [op for op in inside if _computes(op)] or [nest]
    main = _main_op(computing)
    names = list(dict.fromkeys(map(_spelled, (main, *computing))))
    more = len(names) - _NAMED_OPS
    lines = [_line_of(op) for op in (main, *computing, nest)]
    return _Nest(
        _function_of(nest),
        _kind_of(nest, computing),
        ", ".join(names[:_NAMED_OPS]) + (f" and {more} more" if more > 0 else ""),
        tuple(dict.fromkeys(line for line in lines if line is not None)),
    )


def _computes(op: Operation) -> bool:
    """Whether an op says what a nest is for, rather than how it loops."""
    if op.dialect_name() == "xsmm":
        return not op.results
    return is_nest(op) and not isinstance(op, LOOPS)


def _main_op(computing: Sequence[Operation]) -> Operation:
    """The op that most of the time is for, as far as names tell."""
    return max(
        computing, key=lambda op: ("gemm" in op.name, op.dialect_name() == "xsmm")
    )


def _spelled(op: Operation) -> str:
    """The name of an op, with its arithmetic and the shape that it writes."""
    inner = dict.fromkeys(
        each.name.partition(".")[2]
        for each in ops_inside(op)
        if each.dialect_name() in ("arith", "math") and each.operands
    )
    shapes = [
        "x".join("?" if size < 0 else str(size) for size in type_.get_shape())
        for type_ in (*op.operand_types, *op.result_types)
        if isa(type_, MemRefType)
    ]
    parts = [op.name]
    if op.name == "linalg.generic":
        shown = [*inner][:_NAMED_OPS] + ["..."] * (len(inner) > _NAMED_OPS)
        parts.append("+".join(shown) or "copy")
    if op.dialect_name() == "xsmm":
        shapes = shapes[:_WRITTEN]  # A bias may follow.
    return " ".join([*parts, *shapes[-1:]])


def _kind_of(nest: Operation, computing: Sequence[Operation]) -> str:
    match nest:
        case memref.CopyOp():
            return "copy"
        case memref.AllocOp() | memref.DeallocOp():
            return "allocation"
        case func.CallOp():
            return "call"
        case _:
            is_kernel = any(op.dialect_name() == "xsmm" for op in computing)
            return "kernel" if is_kernel else "loop"


def _function_of(op: Operation) -> str:
    parent = op.parent_op()
    while not isinstance(parent, func.FuncOp):
        assert parent is not None, "nests are in functions"
        parent = parent.parent_op()
    return parent.sym_name.data


def _line_of(op: Operation) -> int | None:
    place = file_location(op.location)
    return None if place is None else place.line.data
