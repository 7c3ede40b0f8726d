"""fold-into-eltwise: read what is broadcast, transposed or filled where it comes from.

    %1 = linalg.broadcast ins(%bias : 8) outs(%0 : 4x8) dimensions = [0]
    %3 = linalg.add ins(%x, %1) outs(%2)

    %3 = linalg.generic {(d0, d1) -> (d0, d1), (d0, d1) -> (d1), (d0, d1) -> (d0, d1)}
           ins(%x, %bias) outs(%2) { x + bias }

    %1 = linalg.fill ins(%zero) outs(%0)
    %3 = linalg.max ins(%x, %1) outs(%2)

    %3 = linalg.generic ins(%x) outs(%2) { max(x, %zero) }

So are constants without dimensions. Before tiling, so that a tile needs a row of the
bias, and no tensor is made of copies of it. A transposition that is needed anyway, as
some user is a reduction or a product, is read by all users.

The consumer may be any structured op whose loops are all parallel; a
`linalg.elementwise` stays one, as with MLIR's `linalg-fold-into-elementwise`.
"""

from collections.abc import Collection, Sequence

from xdsl.dialects.arith import ConstantOp
from xdsl.dialects.builtin import (
    AffineMapAttr,
    ArrayAttr,
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IntegerAttr,
    ModuleOp,
)
from xdsl.dialects.linalg.ops import BroadcastOp, FillOp, GenericOp, TransposeOp
from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import AffineMap
from xdsl.rewriter import InsertPoint, Rewriter

from xdsl_bufferization.bufferization.mlir_pass import TensorPass
from xdsl_bufferization.dialects.linalg.structure import (
    Structure,
    rank_of,
    structure_of,
)
from xdsl_bufferization.dialects.linalg.user_maps import ElementwiseOp
from xdsl_bufferization.dialects.tensor.canonicalization.values import splat_element
from xdsl_bufferization.support.traversal import ops_inside

from ..common.relayout import erase_dead
from ..linalg_generalize import generalize

_Folded = dict[int, tuple[SSAValue, AffineMap]]


def fold_into_elementwise(module: ModuleOp) -> None:
    """Fold what is broadcast, transposed or filled into the ops that read it."""
    ops = ops_inside(module)
    needed = {op for op in ops if isinstance(op, TransposeOp) and _is_needed(op)}
    for op in ops:
        structure = structure_of(op)
        if structure is None or not op.results or not all(structure.parallel):
            continue
        if isinstance(op, BroadcastOp | TransposeOp | FillOp):
            continue
        folded = _find(structure, needed)
        filled = [
            number
            for number, value in enumerate(structure.inputs)
            if isinstance(value.owner, FillOp) or _splat_of(value) is not None
        ]
        if not folded and not filled:
            continue
        owners = [structure.inputs[number].owner for number in (*folded, *filled)]
        if folded:
            op = _fold(op, structure, folded)
        if filled:
            _fold_fills(op, filled)
        erase_dead([owner for owner in owners if isinstance(owner, Operation)])


def _is_needed(op: TransposeOp) -> bool:
    """Whether a user of what is transposed does not work element by element."""
    structures = [
        structure_of(use.operation) for result in op.results for use in result.uses
    ]
    return not all(each is not None and all(each.parallel) for each in structures)


def _find(structure: Structure, needed: Collection[Operation]) -> _Folded:
    """By number of the input: what to read instead, and how it is indexed."""
    folded: _Folded = {}
    for number, value in enumerate(structure.inputs):
        map_ = structure.maps[number]
        while value.owner not in needed and (source := _source(value)) is not None:
            value, inner = source
            map_ = inner.compose(map_)
            folded[number] = (value, map_)
    return folded


def _source(value: SSAValue) -> tuple[SSAValue, AffineMap] | None:
    """What `value` is a broadcast or transposition of, and where its elements are."""
    op = value.owner
    if not isinstance(op, BroadcastOp | TransposeOp) or not op.results:
        return None
    structure = structure_of(op)
    assert structure is not None
    inverse = structure.maps[1].inverse_permutation()
    assert inverse is not None, "the output has every element once"
    return structure.inputs[0], structure.maps[0].compose(inverse)


def _fold(op: Operation, structure: Structure, folded: _Folded) -> Operation:
    maps = list(structure.maps)
    new_op = op if isinstance(op, ElementwiseOp) else generalize(op)
    for number, (value, map_) in folded.items():
        new_op.operands[number] = value
        maps[number] = map_
    new_op.properties["indexing_maps"] = ArrayAttr(map(AffineMapAttr, maps))
    return new_op


def _fold_fills(op: Operation, filled: Sequence[int]) -> None:
    """Use the number that each of these inputs is full of."""
    structure = structure_of(op)
    assert structure is not None
    body = structure.body.clone()
    for number in reversed(filled):
        argument = body.block.args[number]
        argument.replace_all_uses_with(_filled_with(structure.inputs[number], op))
        body.block.erase_arg(argument)
    kept = [n for n in range(len(structure.maps)) if n not in filled]
    new_op = GenericOp(
        [op.operands[n] for n in kept if n < len(structure.inputs)],
        structure.outputs,
        body,
        [AffineMapAttr(structure.maps[n]) for n in kept],
        structure.iterator_types,
        op.result_types,
    )
    new_op.location = op.location
    Rewriter.replace_op(op, new_op)


def _filled_with(value: SSAValue, op: Operation) -> SSAValue:
    """The number that a tensor is full of, in front of `op`."""
    if isinstance(value.owner, FillOp):
        return value.owner.inputs[0]
    number = _splat_of(value)
    assert number is not None, "it is one number"
    constant = ConstantOp(number)
    Rewriter.insert_op(constant, InsertPoint.before(op))
    return constant.result


def _splat_of(value: SSAValue) -> FloatAttr | IntegerAttr | None:
    """The only element of a constant tensor without dimensions."""
    constant = value.owner
    if not isinstance(constant, ConstantOp) or rank_of(value.type):
        return None
    if not isinstance(constant.value, DenseIntOrFPElementsAttr):
        return None
    return splat_element(constant.value)


class FoldIntoEltwisePass(TensorPass):
    """Let element-wise ops read the source of a broadcast, a transpose or a fill."""

    name = "fold-into-eltwise"
    rewrite = staticmethod(fold_into_elementwise)
