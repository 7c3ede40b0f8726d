"""fold-into-eltwise: read what is broadcast or transposed where it comes from.

    %1 = linalg.broadcast ins(%bias : 8) outs(%0 : 4x8) dimensions = [0]
    %3 = linalg.add ins(%x, %1) outs(%2)

    %3 = linalg.generic {(d0, d1) -> (d0, d1), (d0, d1) -> (d1), (d0, d1) -> (d0, d1)}
           ins(%x, %bias) outs(%2) { x + bias }

A tensor that `linalg.fill` makes of one number is no input at all afterwards: the
payload uses the number, as with MLIR's folding of fills into `linalg.generic`.

Before tiling, so that a tile needs a row of the bias, and no tensor is made of copies
of it. The consumer may be any structured op whose loops are all parallel; a
`linalg.elementwise` stays one, as with MLIR's `linalg-fold-into-elementwise`.
"""

from dataclasses import dataclass

from typing_extensions import override
from xdsl.context import Context
from xdsl.dialects.builtin import AffineMapAttr, ArrayAttr, ModuleOp, TensorType
from xdsl.dialects.linalg.ops import BroadcastOp, FillOp, GenericOp, TransposeOp
from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import AffineMap
from xdsl.rewriter import Rewriter
from xdsl.utils.hints import isa

from xdsl_bufferization.dialects.linalg.structure import Structure, structure_of
from xdsl_bufferization.dialects.linalg.user_maps import ElementwiseOp
from xdsl_bufferization.transforms.lowering.linalg_generalize import generalize
from xdsl_bufferization.transforms.mlir_pass import MLIRPass
from xdsl_bufferization.transforms.tpp.unused_tensors import erase_unused_destination
from xdsl_bufferization.traversal import ops_inside

_Folded = dict[int, tuple[SSAValue, AffineMap]]


def fold_into_elementwise(module: ModuleOp) -> None:
    """Fold broadcasts and transpositions in `module` into the ops that read them."""
    for op in ops_inside(module):
        structure = structure_of(op)
        if structure is None or not op.results or not all(structure.parallel):
            continue
        if isinstance(op, BroadcastOp | TransposeOp):
            continue
        folded = _find(structure)
        consumer = _fold(op, structure, folded) if folded else op
        fills = _find_fills(consumer)
        if fills:
            _fold_fills(generalize(consumer), fills)


def _find(structure: Structure) -> _Folded:
    """By number of the input: what to read instead, and how it is indexed."""
    folded: _Folded = {}
    for number, value in enumerate(structure.inputs):
        map_ = structure.maps[number]
        source = _source(value)
        while source is not None:
            value, inner = source
            map_ = inner.compose(map_)
            folded[number] = (value, map_)
            source = _source(value)
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
    old_inputs = [structure.inputs[number] for number in folded]
    maps = list(structure.maps)
    new_op = op if isinstance(op, ElementwiseOp) else generalize(op)
    for number, (value, map_) in folded.items():
        new_op.operands[number] = value
        maps[number] = map_
    new_op.properties["indexing_maps"] = ArrayAttr(map(AffineMapAttr, maps))
    for value in old_inputs:
        _erase_unused(value)
    return new_op


def _find_fills(op: Operation) -> dict[int, FillOp]:
    """The inputs that are filled with one number of their element type."""
    structure = structure_of(op)
    assert structure is not None
    return {
        number: fill
        for number, value in enumerate(structure.inputs)
        if isinstance(fill := value.owner, FillOp)
        and isa(value.type, TensorType)
        and fill.inputs[0].type == value.type.element_type
    }


def _fold_fills(op: GenericOp, fills: dict[int, FillOp]) -> None:
    """Let the payload use numbers instead of elements that are all the same."""
    body = op.body.clone()
    block = body.block
    for number in reversed(fills):
        block.args[number].replace_all_uses_with(fills[number].inputs[0])
        block.erase_arg(block.args[number])
    kept = [number for number in range(len(op.inputs)) if number not in fills]
    maps = op.indexing_maps.data
    new_op = GenericOp(
        [op.inputs[number] for number in kept],
        op.outputs,
        body,
        [*(maps[number] for number in kept), *maps[len(op.inputs) :]],
        op.iterator_types,
        op.result_types,
    )
    Rewriter.replace_op(op, new_op)
    for fill in dict.fromkeys(fills.values()):
        if fill.results[0].first_use is None:
            destination = fill.outputs[0]
            Rewriter.erase_op(fill)
            erase_unused_destination(destination)


def _erase_unused(value: SSAValue) -> None:
    """Erase the broadcasts and transpositions that were only folded."""
    while isinstance(op := value.owner, BroadcastOp | TransposeOp):
        if value.first_use is not None:
            break
        value = op.operands[0]
        Rewriter.erase_op(op)


@dataclass(frozen=True)
class FoldIntoEltwisePass(MLIRPass):
    """Read what is broadcast or transposed where it comes from."""

    name = "fold-into-eltwise"

    @override
    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Run on all functions of the module."""
        fold_into_elementwise(op)
