"""Constants that are packed at compile time.

    %0 = linalg.pack %cst ... into %e : tensor<128x256xf32> -> tensor<8x4x32x32xf32>
        ->
    %0 = arith.constant dense<...> : tensor<8x4x32x32xf32>

Weights are given, so that their packs cost nothing at run time: NumPy moves the
elements, whatever they are. A `linalg.transpose` of a constant is folded like a pack. A
pack of a `linalg.fill` becomes a fill of what is packed. Runs after
`propagate-pack-and-unpack`.

Source: `constant-fold-pack` of tpp-mlir, which folds constants of equal elements.
"""

from math import prod
from typing import TYPE_CHECKING, Any, cast

from xdsl.dialects.arith import ConstantOp
from xdsl.dialects.builtin import (
    AnyDenseElement,
    BytesAttr,
    DenseIntOrFPElementsAttr,
    DenseResourceAttr,
    FixedBitwidthType,
    FloatAttr,
    IntegerAttr,
    ModuleOp,
    TensorType,
)
from xdsl.dialects.linalg.ops import FillOp, TransposeOp
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.rewriter import Rewriter

from xdsl_bufferization.bufferization.mlir_pass import TensorPass
from xdsl_bufferization.dialects.arith.builder import ArithBuilder
from xdsl_bufferization.dialects.common.resources import resource_bytes
from xdsl_bufferization.dialects.linalg.fills import new_fill
from xdsl_bufferization.dialects.linalg.pack import PackOp
from xdsl_bufferization.dialects.tensor.constraints import ranked_type
from xdsl_bufferization.dialects.text.splats import splat, splat_of
from xdsl_bufferization.support.traversal import ops_inside

from ..common.relayout import Layout, empty_packed, erase_dead

if TYPE_CHECKING:
    # Passes that fold fills alone need no NumPy.
    from numpy.typing import NDArray

    _Array = NDArray[Any]


def constant_fold_packs(module: ModuleOp) -> None:
    """Fold the packs of constants and fills in `module`."""
    for op in ops_inside(module):
        if isinstance(op, TransposeOp) and isinstance(op.inputs[0].owner, ConstantOp):
            _fold_transpose(op, op.inputs[0].owner)
        if not isinstance(op, PackOp):
            continue
        layout, source = Layout.of(op), op.source.owner
        if layout is None:
            continue
        if isinstance(source, ConstantOp):
            _fold_constant(op, source, layout)
        elif isinstance(source, FillOp):
            _fold_fill(op, source, layout)


def fold_packs_of_fills(module: ModuleOp) -> None:
    """Fill the packed tensors in `module` instead of packing filled ones."""
    for op in ops_inside(module):
        if isinstance(op, PackOp) and isinstance(op.source.owner, FillOp):
            layout = Layout.of(op)
            if layout is not None:
                _fold_fill(op, op.source.owner, layout)


def _fold_constant(op: PackOp, source: ConstantOp, layout: Layout) -> None:
    padding = None
    if not op.has_only_full_tiles():
        # Without a value there is nothing to fill tiles up.
        padding = None if op.padding_value is None else _element(op.padding_value)
        if padding is None:
            return
    # The elements are of the type of those of the constant.
    type_ = cast("TensorType[AnyDenseElement]", op.packed_type)
    element = _splat(source.value)
    if element is not None and padding in (None, element):
        constant = splat(type_, element)
    else:
        elements = _elements(source.value, op.unpacked_type)
        if elements is None:
            return
        data = _packed(elements, layout, padding).tobytes()
        constant = DenseIntOrFPElementsAttr(type_, BytesAttr(data))
    _replace(op, ArithBuilder.before(op).insert(ConstantOp(constant)))


def _fold_transpose(op: TransposeOp, source: ConstantOp) -> None:
    type_ = cast("TensorType[AnyDenseElement]", op.results[0].type)
    element = _splat(source.value)
    if element is not None:
        constant = splat(type_, element)
    else:
        elements = _elements(source.value, ranked_type(op.inputs[0]))
        if elements is None:
            return
        data = elements.transpose(op.permutation.get_values()).tobytes()
        constant = DenseIntOrFPElementsAttr(type_, BytesAttr(data))
    _replace(op, ArithBuilder.before(op).insert(ConstantOp(constant)))


def _splat(constant: Attribute) -> bytes | None:
    """The bytes of all elements of a constant, if these are the same."""
    if not isinstance(constant, DenseIntOrFPElementsAttr):
        return None
    repeated = splat_of(cast("DenseIntOrFPElementsAttr[AnyDenseElement]", constant))
    return None if repeated is None else repeated.element


def _fold_fill(op: PackOp, source: FillOp, layout: Layout) -> None:
    (value,) = source.inputs
    if not op.has_only_full_tiles() and not _is_same(op.padding_value, value):
        return
    builder = ArithBuilder.before(op)
    dest = empty_packed(builder, op.source, layout)
    _replace(op, builder.insert(new_fill(value, dest, [dest.type])))


def _replace(op: Operation, by: Operation) -> None:
    unused = [value.owner for value in op.operands]
    Rewriter.replace_op(op, [], by.results)
    erase_dead([owner for owner in unused if isinstance(owner, Operation)])


def _is_same(first: SSAValue | None, second: SSAValue) -> bool:
    """Whether two numbers are the same, as far as that can be seen."""
    if first is None or first is second:
        return first is second
    one, other = first.owner, second.owner
    return (
        isinstance(one, ConstantOp)
        and isinstance(other, ConstantOp)
        and one.value == other.value
    )


# Elements, as bytes of which nobody needs to know what they mean.


def _elements(constant: Attribute, type_: TensorType) -> "_Array | None":
    """The elements of a tensor; None where they are not at hand."""
    match constant:
        case DenseIntOrFPElementsAttr():
            data = constant.data.data
        case DenseResourceAttr():
            data = resource_bytes(constant)
        case _:
            return None
    shape, element = type_.get_shape(), type_.element_type
    size = element.size if isinstance(element, FixedBitwidthType) else None
    if size is None or data is None or len(data) != prod(shape) * size:
        return None
    import numpy as np

    return np.frombuffer(data, f"V{size}").reshape(shape)


def _element(value: SSAValue) -> bytes | None:
    """A number as the bytes that it has in a tensor; None if it is not known."""
    constant = value.owner
    if not isinstance(constant, ConstantOp):
        return None
    match constant.value:
        case FloatAttr() as number:
            return number.type.pack([number.value.data])
        case IntegerAttr() as number:
            return number.type.pack([number.value.data])
        case _:
            return None


def _packed(elements: "_Array", layout: Layout, padding: bytes | None) -> "_Array":
    """The elements in tiles; `padding` fills up those that are not full."""
    import numpy as np

    tiles = layout.tiles
    counts = [-(-size // tiles.get(d, 1)) for d, size in enumerate(elements.shape)]
    if padding is not None:
        whole = [count * tiles.get(d, 1) for d, count in enumerate(counts)]
        filler = np.frombuffer(padding, elements.dtype)
        padded = np.full(whole, filler, elements.dtype)
        padded[tuple(slice(size) for size in elements.shape)] = elements
        elements = padded
    # Each dimension that is cut becomes two: which tile, and where in it.
    split: list[int] = []
    places: list[int] = []
    for dimension, count in enumerate(counts):
        places.append(len(split))
        split += [count, tiles[dimension]] if dimension in tiles else [count]
    outer = [places[dimension] for dimension in layout.outer]
    inner = [places[dimension] + 1 for dimension in layout.dimensions]
    return elements.reshape(split).transpose([*outer, *inner])


class ConstantFoldPackPass(TensorPass):
    """Pack constants at compile time."""

    name = "constant-fold-pack"
    rewrite = staticmethod(constant_fold_packs)
