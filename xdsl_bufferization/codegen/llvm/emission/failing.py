"""How code is emitted that may fail: checks, allocations, and what happens then.

Where the caller is in this process, a failure ends the call (see `failures`). In code
for C, the program prints one line and aborts. Without either, as in MLIR, allocations
are not looked at.

    llvm.cond_br %holds, ^on, ^off
  ^off:
    llvm.call @_xbuf_fail(%number, %value, ...)          or: @dprintf(2, ...), @abort()
    llvm.unreachable
  ^on:
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

from xdsl.dialects import llvm
from xdsl.dialects.builtin import i1, i32, i64
from xdsl.ir import Block, Operation, SSAValue

from xdsl_bufferization.dialects.common.static_values import OpFoldResult
from xdsl_bufferization.dialects.parsing import locate
from xdsl_bufferization.runtime.failure_kinds import (
    FAIL,
    TRACK,
    UNTRACK,
    VALUES,
    Failure,
)
from xdsl_bufferization.support.errors import fail_at, op_name

from .function import FunctionLowering
from .symbols import OnFailure
from .types import PTR, integer_width

_STANDARD_ERROR = 2
_MOST_BITS = 62


def failure_at(op: Operation, reason: str, *, is_memory: bool = False) -> Failure:
    """What `op` fails with; `{0}` to `{2}` in the reason stand for values."""
    return Failure(locate(op) or "", op_name(op), reason, is_memory)


def no_memory_at(op: Operation) -> Failure:
    """What `op` fails with if there are not so many bytes as its first value says."""
    return failure_at(op, "there is no memory for {0} bytes", is_memory=True)


def require(
    condition: SSAValue,
    failure: Failure,
    op: Operation,
    f: FunctionLowering,
    values: Sequence[SSAValue] = (),
) -> None:
    """Go on if a condition holds, and fail otherwise."""
    holds, not_holds = Block(), Block()
    f.cond_branch(condition, holds, (), not_holds, ())
    f.start(not_holds)
    fail(failure, op, f, values)
    f.start(holds)


def fail(
    failure: Failure,
    op: Operation,
    f: FunctionLowering,
    values: Sequence[SSAValue] = (),
) -> None:
    """Fail here; the current block ends. `op` is what needs the functions for it."""
    shown = [_in_64_bits(value, f) for value in values[:VALUES]]
    if f.symbols.options.on_failure is OnFailure.RAISE:
        rest = [f.integer(0, i64)] * (VALUES - len(shown))
        number = f.integer(f.symbols.failure(failure), i64)
        f.call_external(FAIL, [number, *shown, *rest], None, op)
    else:
        _abort(failure, shown, op, f)
    f.run(llvm.UnreachableOp())


def _in_64_bits(value: SSAValue, f: FunctionLowering) -> SSAValue:
    width = integer_width(value.type)
    if width == 64:
        return value
    wider = llvm.ZExtOp if value.type == i1 else llvm.SExtOp
    return f.cast(wider if width < 64 else llvm.TruncOp, value, i64)


def _abort(
    failure: Failure, values: Sequence[SSAValue], op: Operation, f: FunctionLowering
) -> None:
    """Print one line on the standard error output, and abort."""
    reason = failure.text([_MARK] * VALUES).replace("%", "%%").replace(_MARK, "%lld")
    place = f"{failure.place}: ".replace("%", "%%") if failure.place else ""
    line = f.text(f"{place}error: '{failure.op}': {reason}\n")
    type = llvm.LLVMFunctionType([i32, PTR], i32, is_variadic=True)
    if "dprintf" not in f.symbols.added:
        function = llvm.FuncOp("dprintf", type, llvm.LinkageAttr("external"))
        f.symbols.added["dprintf"] = function
    call = f.call("dprintf", [f.integer(_STANDARD_ERROR, i32), line, *values], i32)
    call.properties["var_callee_type"] = type
    # What the program has printed so far must not be lost.
    nothing = f.emit(llvm.ZeroOp.create(result_types=(PTR,)))
    f.call_external("fflush", [nothing], i32, op)
    f.call_external("abort", [], None, op)


_MARK = "\N{OBJECT REPLACEMENT CHARACTER}"
"""Stands for a value until the text is one for `printf`."""


# Memory.


@dataclass(frozen=True)
class ByteSize:
    """How many bytes are needed, and whether that is a number that fits."""

    bytes: OpFoldResult
    overflows: SSAValue | None
    """None where it is known to fit."""


def byte_size(
    sizes: Sequence[OpFoldResult],
    element_bytes: int,
    op: Operation,
    f: FunctionLowering,
) -> ByteSize:
    """The size of elements without gaps; an error at `op` if no memory has it."""
    numbers = [f.known(size) for size in sizes]
    known = [size for size in numbers if isinstance(size, int)]
    unknown = [size for size in numbers if isinstance(size, SSAValue)]
    bytes_ = prod(known) * element_bytes
    is_negative = any(size < 0 for size in known)
    if bytes_.bit_length() > _MOST_BITS and not is_negative:
        fail_at(op, f"no memory has the {bytes_} bytes of {op.results[0].type}")
    if not checks_memory(f):
        return ByteSize(f.product([bytes_, *unknown]), None)
    if is_negative:
        # Two negative numbers have a product that some memory has.
        return ByteSize(0, f.integer(1, i1))
    if not unknown:
        return ByteSize(bytes_, None)
    return _size_of_unknown(bytes_, unknown, f)


def _size_of_unknown(
    known: int, unknown: Sequence[SSAValue], f: FunctionLowering
) -> ByteSize:
    """The product of a number and sizes that the running program knows."""
    total: SSAValue = f.integer(known)
    problems: list[SSAValue] = []
    if known == 0 or len(unknown) > 1:
        # Nothing overflows if one of the factors is 0. Another may be negative.
        any_bits = _any_of(unknown, f)
        problems.append(f.compare("slt", any_bits, f.integer(0)))
    for size in unknown if known else ():
        pair = _times(total, size, f)
        total = f.extract(pair, [0])
        problems.append(f.extract(pair, [1]))
    return ByteSize(total, _any_of(problems, f))


def _any_of(values: Sequence[SSAValue], f: FunctionLowering) -> SSAValue:
    """The bits that any of some integers has."""
    first, *others = values
    for other in others:
        first = f.integer_op(llvm.OrOp, first, other)
    return first


def _times(lhs: SSAValue, rhs: SSAValue, f: FunctionLowering) -> SSAValue:
    """The product of unsigned numbers, and whether it has overflown."""
    type = llvm.LLVMStructType.from_type_list([lhs.type, i1])
    name = f"llvm.umul.with.overflow.{lhs.type}"
    return f.value_of_intrinsic(name, [lhs, rhs], type)


def checks_memory(f: FunctionLowering) -> bool:
    """Whether the results of allocations are looked at."""
    return f.symbols.options.on_failure is not OnFailure.UNCHECKED


def check_size(
    size: ByteSize, given: Sequence[OpFoldResult], op: Operation, f: FunctionLowering
) -> None:
    """Fail if the size of a buffer is negative, or more than any memory.

    `given` is what the `?` in the type of the buffer stand for.
    """
    if size.overflows is None:
        return
    most = f.integer((1 << (integer_width(f.types.index) - 1)) - 1)
    too_much = f.compare("ugt", f.index(size.bytes), most)
    too_much = f.integer_op(llvm.OrOp, size.overflows, too_much)
    fits = f.integer_op(llvm.XOrOp, too_much, f.integer(1, i1))
    places = ", ".join(f"{{{n}}}" for n in range(min(len(given), VALUES)))
    numbers = f" with {places} for '?'" if given else ""
    reason = f"no memory has the size of {op.results[0].type}{numbers}"
    failure = failure_at(op, reason, is_memory=True)
    require(fits, failure, op, f, [f.index(each) for each in given])


def alloc_bytes(size: OpFoldResult, op: Operation, f: FunctionLowering) -> SSAValue:
    """Emit an allocation of `size` bytes on the heap."""
    arguments = [f.index(size)]
    alloc = f.symbols.alloc
    allocated = f.call_external(alloc, arguments, PTR, op).results[0]
    if not checks_memory(f):
        return allocated
    failure = no_memory_at(op)
    address = f.cast(llvm.PtrToIntOp, allocated, i64)
    exists = f.compare("ne", address, f.integer(0, i64))
    if not isinstance(f.known(size), int):
        # The C library may give no memory for no bytes.
        is_empty = f.compare("eq", arguments[0], f.integer(0))
        exists = f.integer_op(llvm.OrOp, exists, is_empty)
    if f.known(size) != 0:
        require(exists, failure, op, f, arguments)
    if f.symbols.is_tracking:
        number = f.integer(f.symbols.failure(failure), i64)
        f.call_external(TRACK, [allocated, number], None, op)
    return allocated


def free_bytes(allocated: SSAValue, op: Operation, f: FunctionLowering) -> None:
    """Emit the end of an allocation."""
    if f.symbols.is_tracking:
        failure = failure_at(
            op, "this call did not allocate the buffer, or has freed it already"
        )
        number = f.integer(f.symbols.failure(failure), i64)
        f.call_external(UNTRACK, [allocated, number], None, op)
    f.call_external(f.symbols.free, [allocated], None, op)
