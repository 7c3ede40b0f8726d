"""The pass `convert-windows-to-xsmm`: convolutions and pooling as calls of kernels.

Runs after bufferization, on tiles of known sizes, before `convert-linalg-to-xsmm`,
which takes the products of matrices.

    linalg.fill ins(%zero) outs(%c)
    linalg.generic ins(%a, %b) outs(%c) { c[p, q, k] += a[p + r, q + s, c] * b[...] }
    linalg.generic ins(%bias) outs(%c) { max(c + bias, 0) }
        ->
    %0 = xsmm.window.dispatch product [...] flags = (beta_0, bias, relu)
    xsmm.window product(data_type = f32, %0, %a, %b, %c, %bias, %c)

What follows is part of the kernel as far as it is, in this order: the sum with a number
for each channel, the sum with another buffer, ReLU. Nothing but ops without effects may
be in between. `window_kernels.py` says what has a kernel; the rest stays.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from xdsl.dialects import arith
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.linalg.ops import FillOp, GenericOp
from xdsl.ir import Block, BlockArgument, Operation, SSAValue
from xdsl.ir.affine import AffineConstantExpr, AffineDimExpr
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.traits import is_side_effect_free

from xdsl_bufferization.dialects.linalg.structure import Structure, structure_of
from xdsl_bufferization.dialects.xsmm import WindowDispatchOp, WindowOp
from xdsl_bufferization.dialects.xsmm.attributes import (
    DataType,
    WindowFlag,
    WindowKind,
)
from xdsl_bufferization.transforms.mlir_pass import TensorPass
from xdsl_bufferization.transforms.tpp.common.trip_counts import trip_counts
from xdsl_bufferization.transforms.tpp.kernels.elementwise_kernels import is_zero
from xdsl_bufferization.transforms.tpp.kernels.memory_between import (
    Memory,
    blocks_of,
    functions_with_memory,
)
from xdsl_bufferization.transforms.tpp.kernels.product_kernels import left_factor
from xdsl_bufferization.transforms.tpp.kernels.window_kernels import (
    Distances,
    Window,
    distances_in,
    window_of,
)


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


@dataclass
class _Epilogue:
    """What a kernel does to a sum, and the ops that it is there for."""

    ops: list[Operation] = field(default_factory=list[Operation])
    flags: list[WindowFlag] = field(default_factory=list[WindowFlag])
    bias: SSAValue | None = None
    residual: SSAValue | None = None
    residual_distances: Distances = field(default_factory=dict[int, int])


def _convert(op: Operation, memory: Memory) -> None:
    structure = structure_of(op)
    # A product of matrices has kernels that know more of it. A sum of rows or columns
    # becomes loops over vectors.
    if (
        structure is None
        or left_factor(structure) is not None
        or _is_row_sum(structure)
    ):
        return
    window = window_of(structure)
    if window is None:
        return
    fill = _zeros_before(op, window)
    epilogue = _epilogue(op, window, memory)
    flags = [WindowFlag.BETA_0] if fill is not None else []
    flags = [*flags, *epilogue.flags] or [WindowFlag.NONE]
    dispatch = WindowDispatchOp(
        window.kind, window.inputs(epilogue.residual_distances), DataType.F32, flags
    )
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


def _is_row_sum(structure: Structure) -> bool:
    """Whether what is reduced are rows or columns: no index depends on two loops."""
    return len(structure.inputs) == 1 and all(
        isinstance(index, AffineDimExpr | AffineConstantExpr)
        for map_ in structure.maps
        for index in map_.results
    )


def _zeros_before(op: Operation, window: Window) -> FillOp | None:
    """What fills C with zeros right before `op`."""
    if window.kind is WindowKind.MAX:
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
    added = _added(structure)
    if added is None or _loops_of(window, structure) is None:
        return None
    numbers, has_relu = added
    changed = replace(found, ops=[*found.ops, op], flags=list(found.flags))
    for number in numbers:
        if not _take_sum(number, structure, window, changed, memory):
            return None
    if has_relu and WindowFlag.RELU not in changed.flags:
        changed.flags.append(WindowFlag.RELU)
    return changed


def _take_sum(
    number: int, structure: Structure, window: Window, to: _Epilogue, memory: Memory
) -> bool:
    """Let the kernel add an input of `structure`; False if it cannot."""
    value = structure.inputs[number]
    distances = _by_loops_of(window, structure, number)
    if distances is None or memory.may_be_written_with(value, window.c):
        return False
    if WindowFlag.RELU in to.flags:
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


def _added(structure: Structure) -> tuple[list[int], bool] | None:
    """The inputs that a body adds to its output, in order, and whether ReLU follows.

    None if it does anything else.
    """
    block = structure.body.block
    yielded = block.last_op
    assert yielded is not None, "a body has a terminator"
    value, has_relu = yielded.operands[0], False
    if isinstance(value.owner, arith.MaximumfOp) and value.owner.parent is block:
        lhs, rhs = value.owner.operands
        has_relu = _is_zero(rhs, structure) or _is_zero(lhs, structure)
        value = lhs if _is_zero(rhs, structure) else rhs
        if not has_relu:
            return None
    numbers = _sum(value, block)
    return None if numbers is None else (numbers, has_relu)


def _is_zero(value: SSAValue, structure: Structure) -> bool:
    """Whether a value of a body is the constant 0."""
    block = structure.body.block
    if isinstance(value, BlockArgument) and value.block is block:
        operands = (*structure.inputs, *structure.outputs)
        return is_zero(operands[value.index])
    return is_zero(value)


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
