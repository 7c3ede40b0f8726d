"""What the transform ops of bufferization do to the ops that they are given.

transform.bufferization.one_shot_bufferize %functions
-> one_shot_bufferize(module with that function alone), for each function
"""

from collections.abc import Callable

from xdsl.context import Context
from xdsl.dialects import memref, tensor, transform
from xdsl.dialects.builtin import BoolAttr, ModuleOp
from xdsl.interpreter import (
    Interpreter,
    InterpreterFunctions,
    PythonValues,
    impl,
    register_impls,
)
from xdsl.interpreters.transform import OperationHandle
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import Rewriter
from xdsl.utils.arg_spec import ArgSpec, ParameterListType
from xdsl.utils.hints import isa

from xdsl_bufferization.bufferization.bufferize.eliminate_empty_tensors import (
    eliminate_empty_tensors,
)
from xdsl_bufferization.bufferization.bufferize.one_shot_bufferize import (
    OneShotBufferizePass,
)
from xdsl_bufferization.bufferization.models import new_ops
from xdsl_bufferization.bufferization.placement.buffer_loop_hoisting import (
    hoist_buffers_out_of_loops,
)
from xdsl_bufferization.dialects.linalg.moves import new_copy
from xdsl_bufferization.dialects.transform import (
    LAYOUTS,
    BufferizeToAllocationOp,
    BufferLoopHoistingOp,
    EliminateAnchoredEmptyTensorsOp,
    EliminateEmptyTensorsOp,
    EmptyTensorToAllocTensorOp,
    OneShotBufferizeOp,
)
from xdsl_bufferization.support.errors import fail_at, op_name
from xdsl_bufferization.support.traversal import ops_inside

from .alone import alone
from .to_allocation import bufferize_to_allocation

_LAYOUT_OPTIONS = {
    "InferLayoutMap": "infer-layout-map",
    "IdentityLayoutMap": "identity-layout-map",
    "FullyDynamicLayoutMap": "fully-dynamic-layout-map",
}

_FLAGS = (
    "allow_return_allocs_from_loops",
    "allow_unknown_ops",
    "bufferize_function_boundaries",
    "check_parallel_regions",
    "dump_alias_sets",
    "print_conflicts",
    "test_analysis_only",
)
"""The options that the transform op and the pass have in common."""


@register_impls
class BufferizationTransforms(InterpreterFunctions):
    """The transform ops of bufferization, for xDSL's interpreter."""

    def __init__(self, ctx: Context):
        self._ctx = ctx

    @impl(OneShotBufferizeOp)
    def run_one_shot_bufferize(
        self, _interpreter: Interpreter, op: OneShotBufferizeOp, args: PythonValues
    ) -> PythonValues:
        """Bufferize each target."""
        pass_ = _pass_of(op)
        for target in _targets(op, args):
            copies = _copies_in(target)
            with alone(target) as module:
                pass_.apply(self._ctx, module)
            if op.memcpy_op.data == "linalg.copy":
                _use_linalg_copy(target, copies)
        return args

    @impl(EliminateAnchoredEmptyTensorsOp)
    def run_eliminate_anchored_empty_tensors(
        self, _interpreter: Interpreter, op: Operation, args: PythonValues
    ) -> PythonValues:
        """Compute results of linalg ops where they are inserted."""
        return _apply(eliminate_empty_tensors, op, args)

    @impl(EliminateEmptyTensorsOp)
    def run_eliminate_empty_tensors(
        self, _interpreter: Interpreter, op: Operation, args: PythonValues
    ) -> PythonValues:
        """Compute tensors where they are inserted."""
        return _apply(eliminate_empty_tensors, op, args)

    @impl(BufferLoopHoistingOp)
    def run_buffer_loop_hoisting(
        self, _interpreter: Interpreter, op: Operation, args: PythonValues
    ) -> PythonValues:
        """Move allocations out of loops."""
        return _apply(hoist_buffers_out_of_loops, op, args)

    @impl(EmptyTensorToAllocTensorOp)
    def run_empty_tensor_to_alloc_tensor(
        self, _interpreter: Interpreter, op: Operation, args: PythonValues
    ) -> PythonValues:
        """Replace each target by an allocation."""
        new: list[Operation] = []
        for target in _targets(op, args):
            if not isinstance(target, tensor.EmptyOp):
                fail_at(op, f"a target is '{op_name(target)}', and not a tensor.empty")
            alloc = new_ops.alloc_tensor(target.tensor.type, target.dynamic_sizes)
            alloc.location = target.location
            Rewriter.replace_op(target, alloc)
            new.append(alloc)
        return (OperationHandle(*new),)

    @impl(BufferizeToAllocationOp)
    def run_bufferize_to_allocation(
        self, _interpreter: Interpreter, op: BufferizeToAllocationOp, args: PythonValues
    ) -> PythonValues:
        """Give the result of each target an allocation of its own."""
        buffers: list[SSAValue] = []
        for target in _targets(op, args):
            buffers += bufferize_to_allocation(op, target)
        allocations = (buffer.owner for buffer in buffers)
        ops = (each for each in allocations if isinstance(each, Operation))
        return tuple(buffers), OperationHandle(*ops)

    @impl(transform.CastOp)
    def run_cast(
        self, _interpreter: Interpreter, op: transform.CastOp, args: PythonValues
    ) -> PythonValues:
        """Check the names of the targets."""
        if isinstance(wanted := op.output.type, transform.OperationType):
            for target in _targets(op, args):
                if op_name(target) != wanted.operation.data:
                    fail_at(op, "incompatible payload operation name")
        return args


def _targets(op: Operation, args: PythonValues) -> tuple[Operation, ...]:
    (handle,) = args
    if not isa(handle, OperationHandle):
        fail_at(op, "the target is not a handle of ops")
    return handle.ops


def _apply(
    rewrite: Callable[[ModuleOp], object], op: Operation, args: PythonValues
) -> PythonValues:
    for target in _targets(op, args):
        with alone(target) as module:
            rewrite(module)
    return ()


def _pass_of(op: OneShotBufferizeOp) -> OneShotBufferizePass:
    yes = BoolAttr.from_bool(True)
    parameters: dict[str, ParameterListType] = {
        flag: (op.properties[flag] == yes,) for flag in _FLAGS
    }
    if (layout := op.function_boundary_type_conversion) is not None:
        name = _LAYOUT_OPTIONS[LAYOUTS[layout.value.data]]
        parameters["function_boundary_type_conversion"] = (name,)
    return OneShotBufferizePass.from_spec(
        ArgSpec(OneShotBufferizePass.name, parameters)
    )


def _copies_in(op: Operation) -> set[int]:
    return {id(each) for each in ops_inside(op) if isinstance(each, memref.CopyOp)}


def _use_linalg_copy(target: Operation, before: set[int]) -> None:
    """Turn the copies that were added into `linalg.copy`."""
    for copy in list(ops_inside(target)):
        if isinstance(copy, memref.CopyOp) and id(copy) not in before:
            new = new_copy(copy.source, copy.destination)
            new.location = copy.location
            Rewriter.replace_op(copy, new, [])
