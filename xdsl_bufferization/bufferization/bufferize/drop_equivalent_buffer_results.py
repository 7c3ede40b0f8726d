"""drop-equivalent-buffer-results: do not return what the caller has handed over.

    func.func private @f(%m: memref<4xf32>) -> memref<4xf32> { ... return %m }
    %1 = call @f(%0) : (memref<4xf32>) -> memref<4xf32>

    func.func private @f(%m: memref<4xf32>) { ... return }
    call @f(%0) : (memref<4xf32>) -> ()                        // and %1 is %0

Runs after one-shot-bufferize with function boundaries, before deallocation. A result is
dropped if every return gives back the same argument, also through `memref.cast`. As in
MLIR, the result may be a value of any type. Two things are found here and not in MLIR:

- what a function gets from its own callee, as callees come first;
- what a loop or a branch forwards as it is.

https://mlir.llvm.org/docs/Passes/#-drop-equivalent-buffer-results
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from typing_extensions import override
from xdsl.context import Context
from xdsl.dialects import memref, scf
from xdsl.dialects.builtin import DenseArrayBase, MemRefType, ModuleOp, i64
from xdsl.dialects.func import CallOp, FuncOp
from xdsl.ir import Attribute, BlockArgument, OpResult, Region, SSAValue

from xdsl_bufferization.dialects.memref.views import are_cast_compatible

from ..analyses.buffers.value_arguments import (
    RESULTS_IN_ARGUMENTS,
    finds_results_in_arguments,
    has_value_arguments,
)
from ..analyses.calls.call_graph import callees_first
from ..mlir_pass import TensorPass
from .function_users import FunctionUsers, drop_results, rebuild_call, returns_of


def drop_equivalent_buffer_results(
    module: ModuleOp, *, modify_public_functions: bool = False
) -> None:
    """Drop results that are arguments from the functions of `module` and their calls.

    Public functions stay as they are, unless `modify_public_functions`. Even then, a
    function whose arguments are marked as values keeps its results: its caller in
    Python does not see what the function writes to arguments. If the function has the
    attribute `xbuf.results_in_arguments`, the caller does, and the attribute then says
    which argument is which result.
    """
    users = FunctionUsers(module)
    for function in callees_first(users.functions):
        is_told = finds_results_in_arguments(function)
        is_changed = modify_public_functions and not has_value_arguments(function)
        if not users.may_change(function, public=is_changed or is_told):
            continue
        arguments = _find_returned_arguments(function)
        if is_told:
            arguments = _buffers(function, arguments)
        if arguments:
            if is_told:
                _note_results(function, arguments)
            drop_results(function, arguments.keys())
            for call in users.calls_of(function):
                _drop_from_call(call, arguments)


def _buffers(function: FuncOp, arguments: Mapping[int, int]) -> dict[int, int]:
    """Those of the results that are buffers: Python gets numbers as they are."""
    return {
        result: number
        for result, number in arguments.items()
        if isinstance(function.args[number].type, MemRefType)
    }


def _note_results(function: FuncOp, arguments: Mapping[int, int]) -> None:
    """Write into the function which results it will no longer return."""
    results = range(len(function.function_type.outputs))
    function.attributes[RESULTS_IN_ARGUMENTS] = DenseArrayBase.from_list(
        i64, [arguments.get(result, -1) for result in results]
    )


def _find_returned_arguments(function: FuncOp) -> dict[int, int]:
    """The results that always are an argument, and the number of that."""
    returns = returns_of(function)
    sources: dict[SSAValue, SSAValue] = {}
    found: dict[int, int] = {}
    for number, values in enumerate(zip(*(op.operands for op in returns), strict=True)):
        first, *others = {_find_source(value, sources): None for value in values}
        if (
            not others
            and isinstance(first, BlockArgument)
            and first.block is function.body.first_block
            and _can_stand_for(first.type, values[0].type)
        ):
            found[number] = first.index
    return found


def _find_source(value: SSAValue, known: dict[SSAValue, SSAValue]) -> SSAValue:
    """What `value` certainly is, or itself; `known` are earlier answers."""
    todo = [value]
    while todo:
        at = todo[-1]
        made_of = _made_of(at)
        unknown = [each for each in made_of if each not in known]
        if unknown:
            todo += unknown
            continue
        known[at] = _join(at, [known[each] for each in made_of])
        todo.pop()
    return known[value]


def _made_of(value: SSAValue) -> Sequence[SSAValue]:
    """The values that `value` is one of; none if that is not known."""
    match value.owner:
        case memref.CastOp() as op:
            return (op.source,)
        case scf.IfOp() as op if isinstance(value, OpResult):
            return [_yielded(region, value.index) for region in op.regions]
        case scf.ForOp() as op if isinstance(value, OpResult):
            return op.iter_args[value.index], _yielded(op.body, value.index)
        case _:
            return ()


def _yielded(region: Region, number: int) -> SSAValue:
    last = region.block.last_op
    assert last is not None, "a region of an op with results ends with scf.yield"
    return last.operands[number]


def _join(value: SSAValue, sources: Sequence[SSAValue]) -> SSAValue:
    """What `value` is, if it is one of `sources`: one of them, or itself if unsure."""
    if not sources:
        return value
    first, *others = sources
    forwarded = first
    if isinstance(value.owner, scf.ForOp) and isinstance(value, OpResult):
        forwarded = value.owner.body.block.args[1 + value.index]
    return first if all(each in (first, forwarded) for each in others) else value


def _can_stand_for(argument: Attribute, result: Attribute) -> bool:
    """Whether a value of the type of `argument` can be cast to that of `result`.

    Two casts in a row can do what one cannot, by way of an unranked memref.
    """
    return argument == result or are_cast_compatible(argument, result)


def _drop_from_call(call: CallOp, arguments: Mapping[int, int]) -> None:
    new = rebuild_call(call, arguments.keys(), ())
    # Backwards, so that the casts stand in the order of the results.
    for number in sorted(arguments, reverse=True):
        _replace_result(call.results[number], new.operands[arguments[number]], new)
    block = call.parent_block()
    assert block is not None
    block.erase_op(call)


def _replace_result(result: OpResult, argument: SSAValue, call: CallOp) -> None:
    if argument.type != result.type and result.first_use is not None:
        cast = memref.CastOp.create(operands=[argument], result_types=[result.type])
        cast.location = call.location
        block = call.parent_block()
        assert block is not None
        block.insert_op_after(cast, call)
        cast.dest.name_hint = result.name_hint
        argument = cast.dest
    result.replace_all_uses_with(argument)


@dataclass(frozen=True)
class DropEquivalentBufferResultsPass(TensorPass):
    """Remove returned buffers that the caller already holds."""

    name = "drop-equivalent-buffer-results"

    modify_public_functions: bool = False
    """Whether functions that others may call lose results as well."""

    @override
    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Run on the functions of the module."""
        drop_equivalent_buffer_results(
            op, modify_public_functions=self.modify_public_functions
        )
