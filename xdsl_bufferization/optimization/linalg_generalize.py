"""Any structured op of linalg as a `linalg.generic`.

xDSL's pass `linalg-generalize-named-ops` does this for ops with `ins`, `outs` and a
hidden body, ours among them. The function here also takes `linalg.map`, `reduce`,
`transpose` and `broadcast`.

    linalg.transpose ins(%a : ...) outs(%b : ...) permutation = [1, 0]
        -> linalg.generic {indexing_maps = [(d0, d1) -> (d1, d0), (d0, d1) -> (d0, d1)],
                           iterator_types = ["parallel", "parallel"]} ins(%a) outs(%b)
"""

from xdsl.dialects.builtin import AffineMapAttr
from xdsl.dialects.linalg.ops import GenericOp
from xdsl.ir import Operation
from xdsl.rewriter import Rewriter

from xdsl_bufferization.dialects.linalg.structure import structure_of
from xdsl_bufferization.support.errors import fail_at, op_name


def generalize(op: Operation) -> GenericOp:
    """Replace `op` by the `linalg.generic` that does the same, and return that.

    Raises `OperationError` if `op` is not one perfect loop nest.
    """
    if isinstance(op, GenericOp):
        return op
    structure = structure_of(op)
    if structure is None:
        fail_at(op, f"'{op_name(op)}' is not a structured op; it cannot be generalized")
    generic = GenericOp(
        structure.inputs,
        structure.outputs,
        structure.body.clone(),
        [AffineMapAttr(map_) for map_ in structure.maps],
        structure.iterator_types,
        op.result_types,
    )
    generic.location = op.location
    Rewriter.replace_op(op, generic)
    return generic
