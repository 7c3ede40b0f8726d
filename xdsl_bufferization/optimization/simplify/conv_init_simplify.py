"""conv-init-simplify: start a convolution with zeros, and add the bias afterwards.

    %1 = linalg.broadcast ins(%bias) outs(%0) dimensions = [0, 1, 2]
    %2 = linalg.conv_2d_nhwc_hwcf ins(%x, %f) outs(%1)

    %1 = linalg.fill ins(%zero) outs(%0)
    %2 = linalg.conv_2d_nhwc_hwcf ins(%x, %f) outs(%1)
    %3 = linalg.generic { bias + out } ins(%bias) outs(%2)

Before packing, so that the convolution becomes products which need not read what they
write, and a sum that is fused with them. The start of a grouped convolution may be a
`tensor.expand_shape` of the broadcast: then the bias is expanded in the same way.
"""

from xdsl.dialects import tensor
from xdsl.dialects.builtin import (
    AffineMapAttr,
    DenseArrayBase,
    ModuleOp,
    TensorType,
    i1,
    i64,
)
from xdsl.dialects.linalg.attrs import IteratorTypeAttr
from xdsl.dialects.linalg.ops import BroadcastOp, GenericOp, YieldOp
from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import AffineExpr, AffineMap
from xdsl.rewriter import InsertPoint, Rewriter

from xdsl_bufferization.bufferization.mlir_pass import TensorPass
from xdsl_bufferization.bufferization.models import attach_all
from xdsl_bufferization.dialects.arith.builder import ArithBuilder
from xdsl_bufferization.dialects.linalg.attributes import BinaryFn
from xdsl_bufferization.dialects.linalg.scalars import binary, build_payload
from xdsl_bufferization.dialects.linalg.structure import (
    Structure,
    element_type_of,
    rank_of,
    shape_of,
    structure_of,
)
from xdsl_bufferization.dialects.tensor.constraints import ranked_type
from xdsl_bufferization.support.traversal import ops_inside

from ..common.contractions import contraction_of, positions
from ..common.relayout import empty_like, erase_dead, reassociation
from ..common.zero_fills import insert_fill, new_number


def simplify_conv_inits(module: ModuleOp) -> None:
    """Let the convolutions of `module` that start with a bias start with zeros."""
    attach_all()
    for op in ops_inside(module):
        contraction = contraction_of(op)
        if contraction is not None and contraction.is_convolution and op.results:
            _simplify(op)


def _simplify(op: Operation) -> None:
    init = op.operands[-1]
    expanded = init.owner if isinstance(init.owner, tensor.ExpandShapeOp) else None
    bias = _broadcast_of(init if expanded is None else expanded.src)
    element = element_type_of(init.type)
    if bias is None or element_type_of(bias.inputs[0].type) != element:
        return
    if element == i1:
        # The sum that is inserted would be `or`.
        return
    if expanded is not None and not ranked_type(init).has_static_shape():
        return
    builder = ArithBuilder.before(op)
    zero = new_number(0.0, element, builder.insert)
    if zero is None:
        return
    broadcast = init.owner
    start = bias.outputs[0] if expanded is None else init
    zeros = insert_fill(zero, empty_like(builder, start), builder.insert)
    op.operands[len(op.operands) - 1] = zeros
    rank = rank_of(init.type)
    result = op.results[0]
    source, map_ = bias.inputs[0], bias.maps[0]
    if expanded is not None:
        source, map_ = _expand(source, map_, expanded, builder)
    add = GenericOp(
        [source],
        [result],
        build_payload(binary(BinaryFn.ADD), [element, element]),
        [AffineMapAttr(map_), AffineMapAttr(AffineMap.identity(rank))],
        [IteratorTypeAttr.parallel()] * rank,
        [result.type],
    )
    add.location = op.location
    Rewriter.insert_op(add, InsertPoint.after(op))
    result.replace_uses_with_if(add.results[0], lambda use: use.operation is not add)
    if isinstance(broadcast, Operation):
        erase_dead([broadcast])


def _expand(
    bias: SSAValue,
    map_: AffineMap,
    expanded: tensor.ExpandShapeOp,
    builder: ArithBuilder,
) -> tuple[SSAValue, AffineMap]:
    """A bias expanded as its broadcast is, and where it has its elements then."""
    shape = shape_of(expanded.result.type)
    groups = [[entry.value.data for entry in group] for group in expanded.reassociation]
    kept = [groups[position] for position in positions(map_)]
    loops = [loop for group in kept for loop in group]
    new_map = AffineMap(
        len(shape), 0, tuple(AffineExpr.dimension(loop) for loop in loops)
    )
    new_shape = [shape[loop] for loop in loops]
    if len(loops) == len(kept):
        return bias, new_map
    numbers = iter(range(len(loops)))
    op = tensor.ExpandShapeOp(
        bias,
        [],
        reassociation([next(numbers) for _ in group] for group in kept),
        DenseArrayBase.from_list(i64, new_shape),
        TensorType(element_type_of(bias.type), new_shape),
    )
    return builder.insert(op).result, new_map


def _broadcast_of(value: SSAValue) -> Structure | None:
    """The op that makes `value` of a smaller tensor, by repeating it."""
    op = value.owner
    if not isinstance(op, BroadcastOp | GenericOp):
        return None
    structure = structure_of(op)
    assert structure is not None
    if len(structure.inputs) != 1 or len(structure.outputs) != 1:
        return None
    source, target = structure.maps
    block = structure.body.block
    first = block.first_op
    if not isinstance(first, YieldOp) or first.operands[0] is not block.args[0]:
        return None
    is_repeated = (
        source.is_projected_permutation()
        and 0 < len(source.results) < len(target.results)
        and target == AffineMap.identity(target.num_dims)
    )
    return structure if is_repeated else None


class ConvInitSimplifyPass(TensorPass):
    """Let convolutions start with zeros, and add their bias afterwards."""

    name = "conv-init-simplify"
    rewrite = staticmethod(simplify_conv_inits)
