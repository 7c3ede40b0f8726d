"""bufferization-transform-interpreter: run what a program says of itself.

    transform.named_sequence @__transform_main(%module: !transform.any_op) {
      %0 = transform.structured.match ops{["func.func"]} in %module : ...
      transform.bufferization.buffer_loop_hoisting %0 : !transform.any_op
      transform.yield
    }

xDSL's interpreter, with the transform ops of bufferization. Not a stage of a pipeline:
the program itself says what is done, and to which ops. For `xbuf opt`, its name is
MLIR's, `transform-interpreter`.
https://mlir.llvm.org/docs/Dialects/Transform/
"""

from dataclasses import dataclass

from typing_extensions import override
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.transform import NamedSequenceOp
from xdsl.interpreter import Interpreter
from xdsl.interpreters.transform import OperationHandle, TransformFunctions
from xdsl.transforms import get_all_passes
from xdsl.utils.exceptions import InterpretationError

from xdsl_bufferization.bufferization.mlir_pass import MLIRPass
from xdsl_bufferization.support.errors import fail_at
from xdsl_bufferization.support.traversal import ops_inside

from .bufferization_ops import BufferizationTransforms


@dataclass(frozen=True)
class TransformInterpreterPass(MLIRPass):
    """Run the transform ops of a program, also those of bufferization."""

    name = "bufferization-transform-interpreter"

    entry_point: str = "__transform_main"
    """The named sequence that is run."""

    @override
    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Run on the module."""
        schedule = self._find_entry(op)
        interpreter = Interpreter(op)
        for functions in (
            TransformFunctions(ctx, get_all_passes()),
            BufferizationTransforms(ctx),
        ):
            interpreter.register_implementations(functions)
        try:
            interpreter.call_op(schedule, (OperationHandle(op),))
        except InterpretationError as error:
            fail_at(schedule, f"cannot be interpreted: {error}")

    def _find_entry(self, module: ModuleOp) -> NamedSequenceOp:
        name = self.entry_point
        for op in ops_inside(module):
            if isinstance(op, NamedSequenceOp) and op.sym_name.data == name:
                return op
        return fail_at(
            module, f"could not find a nested named sequence with name: {name}"
        )
