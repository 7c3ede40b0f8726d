"""The pass `convert-windows-to-xsmm`: convolutions and pooling as calls of kernels.

Runs after bufferization, on tiles of known sizes, before `convert-linalg-to-xsmm`,
which takes the products of matrices.

    linalg.fill ins(%zero) outs(%c)
    linalg.generic ins(%a, %b) outs(%c) { c[p, q, k] += a[p + r, q + s, c] * b[...] }
    linalg.generic ins(%bias) outs(%c) { max(c + bias, 0) }
        ->
    %0 = xsmm.window.dispatch product [...] flags = (beta_0, bias, relu)
    xsmm.window product(data_type = f32, %0, %a, %b, %c, %bias, %c)

What follows is part of the kernel as far as it has this order: a sum with a number for
each channel, a sum with another buffer, ReLU, two bounds. Only ops without effects may
be in between. `window_kernels.py` says what has a kernel; the rest stays. Rows of zeros
around a small image are left out, as `window_kernels.py` says.
"""

import math
import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple

from xdsl.dialects import arith
from xdsl.dialects.builtin import FloatAttr, ModuleOp
from xdsl.dialects.linalg.ops import FillOp, GenericOp
from xdsl.ir import Block, BlockArgument, Operation, SSAValue
from xdsl.ir.affine import AffineConstantExpr, AffineDimExpr
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.traits import is_side_effect_free

from xdsl_bufferization.bufferization.mlir_pass import TensorPass
from xdsl_bufferization.dialects.linalg.structure import (
    Structure,
    overwrites,
    structure_of,
)
from xdsl_bufferization.dialects.linalg.trip_counts import trip_counts
from xdsl_bufferization.dialects.xsmm import WindowDispatchOp, WindowOp
from xdsl_bufferization.dialects.xsmm.attributes import (
    DataType,
    WindowFlag,
    WindowKind,
)
from xdsl_bufferization.support import abi

from .elementwise_kernels import is_zero
from .memory_between import Memory, blocks_of, functions_with_memory
from .product_kernels import left_factor
from .window_kernels import Distances, Window, distances_in, window_of, zeros_of

_FEW_SUMS: Final = 128
"""Products that are added up, where a loop for bounds takes a tenth of the time."""

_LARGER: Final = 2
_SMALLER: Final = 4
"""Of `arith.cmpf`, `ogt` and `olt`, which are false for NaN."""


def convert_windows(module: ModuleOp) -> None:
    """Call kernels for the convolutions and pooling on buffers in `module`."""
    for function, memory in functions_with_memory(module):
        for block in blocks_of(function):
            for op in list(block.ops):
                # An earlier one may have taken this op in.
                if op.parent is block and is_window(op):
                    _convert(op, memory)


def is_window(op: Operation) -> bool:
    """Whether `op` is of a kind that has kernels here."""
    return not op.results and (
        isinstance(op, GenericOp)
        or op.name.startswith(("linalg.conv", "linalg.depthwise", "linalg.pooling"))
    )


class Limit(NamedTuple):
    """A bound of each result."""

    kind: str
    """One of `abi.XSMM_WINDOW_LIMITS`."""
    bound: float

    def numbers(self) -> list[int]:
        """What the dispatch says."""
        (bits,) = struct.unpack("<I", struct.pack("<f", self.bound))
        return [abi.XSMM_WINDOW_LIMITS[self.kind], bits]


@dataclass
class _Epilogue:
    """What a kernel does to a sum, and the ops that it is there for."""

    ops: list[Operation] = field(default_factory=list[Operation])
    flags: list[WindowFlag] = field(default_factory=list[WindowFlag])
    bias: SSAValue | None = None
    residual: SSAValue | None = None
    residual_distances: Distances = field(default_factory=dict[int, int])
    limits: list[Limit] = field(default_factory=list["Limit"])


def _convert(op: Operation, memory: Memory) -> None:
    structure = structure_of(op)
    # A sum of rows or columns becomes loops over vectors.
    if structure is None or _is_row_sum(structure):
        return
    window = window_of(structure)
    if window is None:
        return
    fill = _zeros_before(op, structure, window)
    epilogue = _epilogue(op, window, memory)
    if left_factor(structure) is not None and not (
        epilogue.limits and _is_short(window)
    ):
        return
    flags = [WindowFlag.BETA_0] if fill is not None else []
    flags = [*flags, *epilogue.flags] or [WindowFlag.NONE]
    inputs = window.inputs(epilogue.residual_distances)
    zeros = () if fill is None else zeros_of(op, structure, window)
    if epilogue.limits or zeros:
        numbers = [number for limit in epilogue.limits for number in limit.numbers()]
        inputs += [*numbers, *[0] * (2 * abi.XSMM_WINDOW_BOUNDS - len(numbers)), *zeros]
    dispatch = WindowDispatchOp(window.kind, inputs, DataType.F32, flags)
    operands = [
        dispatch.handle,
        window.a,
        window.a if window.b is None else window.b,
        window.c,
        window.c if epilogue.bias is None else epilogue.bias,
        window.c if epilogue.residual is None else epilogue.residual,
    ]
    call = WindowOp(window.kind, DataType.F32, operands)
    last = epilogue.ops[-1] if epilogue.ops else op
    call.location = op.location
    Rewriter.insert_op([dispatch, call], InsertPoint.before(last))
    for replaced in (*epilogue.ops, op, *([] if fill is None else [fill])):
        Rewriter.erase_op(replaced)


def _is_short(window: Window) -> bool:
    """Whether a loop for bounds would take long beside a product of matrices.

    Such products have kernels that know more of them, but no bounds.
    """
    return math.prod(step.iterations for step in window.steps) <= _FEW_SUMS


def _is_row_sum(structure: Structure) -> bool:
    """Whether what is reduced are rows or columns: no index depends on two loops."""
    return len(structure.inputs) == 1 and all(
        isinstance(index, AffineDimExpr | AffineConstantExpr)
        for map_ in structure.maps
        for index in map_.results
    )


def _zeros_before(op: Operation, structure: Structure, window: Window) -> FillOp | None:
    """What fills C with zeros right before `op`, which writes all elements of C."""
    if window.kind is WindowKind.MAX:
        return None
    if not overwrites(structure, len(structure.inputs)):
        return None
    before = op.prev_op
    while before is not None and is_side_effect_free(before):
        before = before.prev_op
    if not isinstance(before, FillOp) or before.outputs[0] is not window.c:
        return None
    return before if is_zero(before.inputs[0]) else None


# What follows.


def _epilogue(op: Operation, window: Window, memory: Memory) -> _Epilogue:
    """As many of the ops behind `op` as one kernel does with it."""
    found = _Epilogue()
    for follower in _followers(op):
        longer = _with(found, follower, window, memory)
        if longer is None:
            break
        found = longer
    return found


def _followers(op: Operation) -> Iterator[Operation]:
    """The ops behind `op` that have effects."""
    follower = op.next_op
    while follower is not None:
        following = follower.next_op
        if not is_side_effect_free(follower):
            yield follower
        follower = following


def _with(
    found: _Epilogue, op: Operation, window: Window, memory: Memory
) -> _Epilogue | None:
    """An epilogue that does `op` too; None if no kernel can."""
    structure = structure_of(op)
    if structure is None or op.results or list(structure.outputs) != [window.c]:
        return None
    loops = _loops_of(window, structure)
    parsed = None if loops is None else _parse(structure)
    if parsed is None:
        return None
    changed = replace(
        found, ops=[*found.ops, op], flags=list(found.flags), limits=list(found.limits)
    )
    for number in parsed.added:
        if not _take_sum(number, structure, window, changed, memory):
            return None
    if parsed.has_relu:
        if changed.limits:
            return None
        if WindowFlag.RELU not in changed.flags:
            changed.flags.append(WindowFlag.RELU)
    changed.limits += parsed.limits
    return changed if len(changed.limits) <= abi.XSMM_WINDOW_BOUNDS else None


def _take_sum(
    number: int, structure: Structure, window: Window, to: _Epilogue, memory: Memory
) -> bool:
    """Let the kernel add an input of `structure`; False if it cannot."""
    value = structure.inputs[number]
    distances = _by_loops_of(window, structure, number)
    if distances is None or memory.may_be_written_with(value, window.c):
        return False
    if WindowFlag.RELU in to.flags or to.limits:
        return False
    channels, pixels = window.channels, window.pixels
    if channels is not None and distances.get(channels) != 1:
        return False
    if not any(distances.get(loop) for loop in pixels):
        # The bias comes first.
        if to.bias is not None or to.residual is not None:
            return False
        to.bias = value
        to.flags.append(WindowFlag.BIAS)
        return True
    if to.residual is not None or not all(distances.get(loop) for loop in pixels):
        return False
    to.residual, to.residual_distances = value, distances
    to.flags.append(WindowFlag.RESIDUAL)
    return True


def _loops_of(window: Window, structure: Structure) -> dict[int, int] | None:
    """From loops of an element-wise op on C to those of the window.

    None if it is no such op, or does not change each element just once.
    """
    if not all(structure.parallel):
        return None
    distances = distances_in(window.c, structure.maps[-1])
    if distances is None:
        return None
    of_window = window.distances[2]
    wanted = {
        (of_window.get(loop, 0), window.counts[loop]): loop
        for loop in (window.channels, *window.pixels)
        if loop is not None
    }
    counts = trip_counts(structure)
    loops: dict[int, int] = {}
    for loop, count in enumerate(counts):
        if count != 1:
            found = wanted.pop((distances.get(loop, 0), count), None)
            if found is None:
                return None
            loops[loop] = found
    return None if wanted else loops


def _by_loops_of(window: Window, structure: Structure, number: int) -> Distances | None:
    """How far an input of an element-wise op moves with the loops of the window."""
    loops = _loops_of(window, structure)
    distances = distances_in(structure.inputs[number], structure.maps[number])
    if loops is None or distances is None:
        return None
    return {loops[loop]: by for loop, by in distances.items() if loop in loops}


class _Parsed(NamedTuple):
    """What a body does to its output, in this order."""

    added: Sequence[int]
    """The inputs that are added."""
    has_relu: bool
    limits: Sequence[Limit]


def _parse(structure: Structure) -> _Parsed | None:
    """What a body does, if it is no more than that."""
    block = structure.body.block
    yielded = block.last_op
    assert yielded is not None, "a body has a terminator"
    value, has_relu = yielded.operands[0], False
    limits: list[Limit] = []
    while (limited := _limit_of(value, block)) is not None:
        value, limit = limited
        limits.insert(0, limit)
    if isinstance(value.owner, arith.MaximumfOp) and value.owner.parent is block:
        lhs, rhs = value.owner.operands
        if not is_zero(rhs):
            lhs, rhs = rhs, lhs
        if not is_zero(rhs):
            return None
        value, has_relu = lhs, True
    numbers = _sum(value, block)
    return None if numbers is None else _Parsed(numbers, has_relu, limits)


def _limit_of(value: SSAValue, block: Block) -> tuple[SSAValue, Limit] | None:
    """What `value` is with a bound, and the bound."""
    op = value.owner
    if not isinstance(op, Operation) or op.parent is not block:
        return None
    if isinstance(op, arith.MaximumfOp | arith.MinimumfOp):
        # For zeros, their signs matter.
        kind = "at_least" if isinstance(op, arith.MaximumfOp) else "at_most"
        for of, bound in (op.operands, reversed(op.operands)):
            number = _number(bound)
            if number is not None and number != 0:
                return of, Limit(kind, number)
    if isinstance(op, arith.SelectOp) and isinstance(op.cond.owner, arith.CmpfOp):
        return _selected(op, op.cond.owner)
    return None


def _selected(
    op: arith.SelectOp, compare: arith.CmpfOp
) -> tuple[SSAValue, Limit] | None:
    """A number, or its bound, whichever an ordered comparison selects."""
    first, second = op.lhs, op.rhs
    is_larger = compare.predicate.value.data == _LARGER
    if compare.predicate.value.data not in (_LARGER, _SMALLER):
        return None
    if (compare.lhs, compare.rhs) == (second, first):
        is_larger = not is_larger
    elif (compare.lhs, compare.rhs) != (first, second):
        return None
    number = _number(second)
    if number is not None:
        return first, Limit("larger" if is_larger else "smaller", number)
    number = _number(first)
    if number is not None:
        return second, Limit("at_least" if is_larger else "at_most", number)
    return None


def _number(value: SSAValue) -> float | None:
    """The value of a constant that is no NaN."""
    constant = value.owner
    if not isinstance(constant, arith.ConstantOp):
        return None
    if not isinstance(constant.value, FloatAttr):
        return None
    number = float(constant.value.value.data)
    return None if math.isnan(number) else number


def _sum(value: SSAValue, block: Block) -> list[int] | None:
    """The inputs that are added to the output, from the first to the last."""
    if value is block.args[-1]:
        return []
    owner = value.owner
    if not isinstance(owner, arith.AddfOp) or owner.parent is not block:
        return None
    for before, other in (owner.operands, reversed(owner.operands)):
        if isinstance(other, BlockArgument) and other.block is block:
            numbers = _sum(before, block)
            if numbers is not None and other is not block.args[-1]:
                return [*numbers, other.index]
    return None


class ConvertWindowsToXsmmPass(TensorPass):
    """Call kernels for convolutions and pooling on buffers."""

    name = "convert-windows-to-xsmm"
    rewrite = staticmethod(convert_windows)
