"""finalizing-bufferize: remove what connects passes that bufferize one dialect each.

    %0 = bufferization.to_tensor %m : memref<4xf32> to tensor<4xf32>
    %1 = bufferization.to_buffer %0 : tensor<4xf32> to memref<4xf32>
    memref.store %f, %1[%i] : memref<4xf32>

    memref.store %f, %m[%i] : memref<4xf32>

Runs when everything is bufferized, and stops at an op that is not. If the two buffer
types differ, the buffer is cast; if the cast could fail, the buffer is copied.

Source: MLIR 19's pass of that name, which stops where a cast could fail.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from typing_extensions import override
from xdsl.context import Context
from xdsl.dialects import bufferization
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from xdsl_bufferization.support.errors import fail_at, op_name
from xdsl_bufferization.support.garbage import without_garbage_collection
from xdsl_bufferization.support.traversal import ops_inside

from ..bufferize.bufferize_ops import bufferize_ops
from ..interfaces.conservative_state import ConservativeState
from ..interfaces.operands import is_tensor, owner_op
from ..interfaces.options import BufferizationOptions, LayoutMapOption
from ..mlir_pass import TensorPass
from ..models import attach_all


@dataclass(frozen=True)
class _PairsOnly(BufferizationOptions):
    """Options with which nothing but conversions between tensors and buffers goes."""

    @override
    def is_op_allowed(self, op_type: type[Operation]) -> bool:
        return issubclass(op_type, bufferization.ToTensorOp | bufferization.ToBufferOp)


@without_garbage_collection()
def finalize_bufferization(module: ModuleOp) -> None:
    """Remove the pairs of `to_tensor` and `to_buffer` in `module`.

    Raises an `OperationError` at the first op that is left on tensors, with the names
    of all that are.
    """
    attach_all()
    options = _PairsOnly(unknown_type_conversion=LayoutMapOption.IDENTITY_LAYOUT_MAP)
    bufferize_ops(module, ConservativeState(options))
    left = list(_ops_on_tensors(module))
    if left:
        # In their order in the program, once each.
        names = ", ".join(dict.fromkeys(f"'{op_name(op)}'" for op in left))
        fail_at(
            left[0],
            f"is still on tensors after bufferization, as all of {names} are; "
            "bufferize their dialects before finalizing-bufferize",
        )


def _ops_on_tensors(module: ModuleOp) -> Iterator[Operation]:
    """The ops that have tensors, those for conversions excepted."""
    for op in ops_inside(module):
        if isinstance(op, bufferization.ToBufferOp):
            # If an op defines the tensor, that has been found already.
            owner = owner_op(op.tensor)
            if owner is not None and op.tensor.owner is not owner:
                yield owner
        elif not isinstance(op, bufferization.ToTensorOp) and (
            any(map(is_tensor, op.operands)) or any(map(is_tensor, op.results))
        ):
            yield op


@dataclass(frozen=True)
class FinalizingBufferizePass(TensorPass):
    """Finish a bufferization that took several passes."""

    name = "finalizing-bufferize"

    @override
    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Run on everything inside the module."""
        finalize_bufferization(op)
