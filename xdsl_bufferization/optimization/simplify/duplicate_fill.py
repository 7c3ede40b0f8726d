"""duplicate-fill: a `linalg.fill` for each op that writes to what it fills.

    %1 = linalg.fill ins(%zero) outs(%0)         %1 = linalg.fill ins(%zero) outs(%0)
    %2 = linalg.matmul ins(...) outs(%1)         %2 = linalg.matmul ins(...) outs(%1)
    %3 = linalg.matmul ins(...) outs(%1)         %4 = tensor.empty()
                                                 %5 = linalg.fill ins(%zero) outs(%4)
                                                 %3 = linalg.matmul ins(...) outs(%5)

Before bufferization, which would fill once and copy that for all but the last op. One
that is written in a loop is filled there.
"""

from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.dialects.linalg.ops import FillOp
from xdsl.ir import Use

from xdsl_bufferization.bufferization.interfaces.destination_style import (
    DestinationStyleOpInterface,
)
from xdsl_bufferization.bufferization.mlir_pass import TensorPass
from xdsl_bufferization.bufferization.models import attach_all
from xdsl_bufferization.dialects.arith.builder import ArithBuilder
from xdsl_bufferization.support.traversal import ops_inside

from ..common.relayout import empty_like
from ..common.zero_fills import insert_fill


def duplicate_fills(module: ModuleOp) -> None:
    """Give each op in `module` that writes to a filled tensor one of its own."""
    attach_all()
    for op in ops_inside(module):
        if isinstance(op, FillOp) and op.results:
            _duplicate(op)


def _duplicate(op: FillOp) -> None:
    # The newest use comes first.
    uses = list(op.results[0].uses)
    writes = [use for use in uses if _is_destination(use)]
    if len(writes) == len(uses) and writes and writes[-1].operation.parent is op.parent:
        # One of them may have the original, unless a loop writes it again and again.
        writes.pop()
    for use in writes:
        builder = ArithBuilder.before(use.operation)
        dest = empty_like(builder, op.outputs[0])
        value = insert_fill(op.inputs[0], dest, builder.insert)
        use.operation.operands[use.index] = value


def _is_destination(use: Use) -> bool:
    model = use.operation.get_trait(DestinationStyleOpInterface)
    return model is not None and any(
        init.number == use.index and isinstance(init.value.type, TensorType)
        for init in model.get_dps_inits(use.operation)
    )


class DuplicateFillPass(TensorPass):
    """Fill a tensor for each op that writes to it, instead of copying."""

    name = "duplicate-fill"
    rewrite = staticmethod(duplicate_fills)
