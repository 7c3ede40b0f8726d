"""buffer-results-to-out-params: let the caller provide the memory of results.

    func.func private @f() -> memref<4xf32> { ... return %0 }
    %1 = call @f() : () -> memref<4xf32>

    func.func private @f(%out: memref<4xf32>) { ... memref.copy %0, %out ... return }
    %1 = memref.alloc() : memref<4xf32>
    call @f(%1) : (memref<4xf32>) -> ()

Runs after one-shot-bufferize with function boundaries, before deallocation. With
`hoist-static-allocs` and `hoist-dynamic-allocs` the new argument replaces an allocation
that is returned, and nothing is copied. The caller computes sizes that are computed
from arguments alone, such as a `memref.dim` or a product; see `caller_sizes.py`. Two
results are two buffers afterwards, even if they were one buffer before.
https://mlir.llvm.org/docs/Passes/#-buffer-results-to-out-params
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from typing_extensions import override
from xdsl.context import Context
from xdsl.dialects import memref
from xdsl.dialects.builtin import DictionaryAttr, MemRefType, ModuleOp, UnitAttr
from xdsl.dialects.func import CallOp, FuncOp, ReturnOp
from xdsl.ir import Attribute, BlockArgument, Operation, SSAValue
from xdsl.utils.hints import isa

from xdsl_bufferization.support.errors import fail_at, op_name

from ..interfaces.layouts import is_identity_layout, with_identity_layout
from ..mlir_pass import TensorPass
from .caller_sizes import CallerSizes, Number
from .function_users import (
    FunctionUsers,
    append_arguments,
    drop_results,
    rebuild_call,
    returns_of,
)

_RESULT = "bufferize.result"


_NOT_HOISTED = (
    "set hoist-dynamic-allocs, with which callers allocate it if they can compute its "
    "sizes from the arguments"
)


@dataclass(frozen=True)
class OutParamOptions:
    """What becomes of results: MLIR's options."""

    add_result_attr: bool = False
    """Whether new arguments get the attribute `bufferize.result`."""

    hoist_dynamic_allocs: bool = False
    """Whether callers allocate what functions return, if they can compute its sizes:
    from arguments, without memory. In MLIR each size is an argument itself."""

    hoist_static_allocs: bool = False
    """Whether callers allocate what functions return, if its size is static."""

    modify_public_functions: bool = False
    """Whether public functions change as well."""

    def hoists(self, type_: MemRefType) -> bool:
        """Whether an allocation of this type can become that of the caller."""
        if type_.has_static_shape():
            return self.hoist_static_allocs
        return self.hoist_dynamic_allocs


class _Moved(NamedTuple):
    """A function that writes its results to arguments now."""

    function: FuncOp
    results: Mapping[int, MemRefType]
    """Those results, by number."""

    sizes: CallerSizes
    hoisted: Mapping[int, Sequence[Number]]
    """The dynamic sizes of the results that callers allocate."""

    obstacles: Mapping[int, str]
    """Why callers cannot know the sizes of other results."""


def buffer_results_to_out_params(
    module: ModuleOp, options: OutParamOptions | None = None
) -> None:
    """Turn the memref results of the functions of `module` into arguments.

    Raises an `OperationError` at a function whose result has a layout that cannot be
    allocated, and at a call that cannot tell the size of a result.
    """
    options = options or OutParamOptions()
    users = FunctionUsers(module)
    moved: list[_Moved] = []
    for function in users.functions:
        if not users.may_change(function, public=options.modify_public_functions):
            continue
        results = _check_results(function)
        if results:
            moved.append(_move_results(function, results, options))
    # Only now, so that no allocation for a call is hoisted: the same in any order.
    for each in moved:
        for call in users.calls_of(each.function):
            _provide_memory(call, each)


def _check_results(function: FuncOp) -> dict[int, MemRefType]:
    """The results to move, by number."""
    results: dict[int, MemRefType] = {}
    for number, type_ in enumerate(function.function_type.outputs):
        if not isa(type_, MemRefType):
            continue
        if not (is_identity_layout(type_.layout) or _is_fully_dynamic(type_)):
            fail_at(
                function,
                f"cannot create out param for result #{number} with unsupported layout "
                f"{type_.layout}; cast it to an identity or fully dynamic layout",
            )
        results[number] = type_
    return results


def _is_fully_dynamic(type_: MemRefType) -> bool:
    strides = type_.get_strides()
    return (
        type_.get_offset() is None
        and strides is not None
        and not any(stride is not None for stride in strides)
    )


# --- functions -----------------------------------------------------------------------


def _move_results(
    function: FuncOp, results: Mapping[int, MemRefType], options: OutParamOptions
) -> _Moved:
    """Let `function` write its results to new arguments."""
    returns = returns_of(function)
    attributes = [_attributes(function, number, options) for number in results]
    arguments = append_arguments(function, [*results.values()], attributes)
    out_params = dict(zip(results, arguments, strict=True))
    sizes = CallerSizes(function)
    hoisted, obstacles = dict[int, Sequence[Number]](), dict[int, str]()
    known: dict[SSAValue, Sequence[Number]] = {}
    for number, type_ in results.items():
        if not options.hoists(type_):
            obstacles[number] = _NOT_HOISTED
            continue
        found = _hoist(function, number, returns, out_params[number], known, sizes)
        if isinstance(found, str):
            obstacles[number] = found
        else:
            hoisted[number] = known[out_params[number]] = found
    for op in returns:
        for number, out_param in out_params.items():
            _copy_out(op, op.operands[number], out_param)
    drop_results(function, results.keys())
    return _Moved(function, results, sizes, hoisted, obstacles)


def _attributes(
    function: FuncOp, number: int, options: OutParamOptions
) -> DictionaryAttr:
    """The attributes of a new argument: those of the result, and a mark."""
    attributes: dict[str, Attribute] = {}
    if function.res_attrs is not None:
        attributes |= function.res_attrs.data[number].data
    if options.add_result_attr:
        attributes[_RESULT] = UnitAttr()
    return DictionaryAttr(attributes)


def _copy_out(op: ReturnOp, value: SSAValue, out_param: BlockArgument) -> None:
    if value is out_param:
        return
    copy = memref.CopyOp(value, out_param)
    copy.location = op.location
    block = op.parent_block()
    assert block is not None
    block.insert_op_before(copy, op)


def _hoist(
    function: FuncOp,
    number: int,
    returns: Sequence[ReturnOp],
    out_param: BlockArgument,
    sizes_of: Mapping[SSAValue, Sequence[Number]],
    sizes: CallerSizes,
) -> Sequence[Number] | str:
    """Replace the allocation of a result by `out_param`, if that is one buffer then.

    `sizes_of` has the new arguments whose sizes are known. Returns the sizes of this
    one, or why its allocation stays where it is.
    """
    allocations: dict[memref.AllocOp, ReturnOp] = {}
    all_sizes: set[tuple[Number, ...]] = set()
    for op in returns:
        value = op.operands[number]
        found = sizes_of[value] if value in sizes_of else _sizes_of(value, sizes)
        if isinstance(found, str):
            return found
        if isinstance(value.owner, memref.AllocOp):
            allocations[value.owner] = op
        all_sizes.add(tuple(found))
    if len(all_sizes) != 1:
        return "it has other sizes at each return"
    if not _live_one_by_one(function, allocations):
        return "it is one of several buffers that are allocated at once"
    for allocation in allocations:
        allocation.memref.replace_all_uses_with(out_param)
        allocation.detach()
        allocation.erase()
    return all_sizes.pop()


def _live_one_by_one(
    function: FuncOp, allocations: Mapping[memref.AllocOp, ReturnOp]
) -> bool:
    """Whether one buffer could be all of them: none is in a loop or beside another."""
    if len(allocations) == 1:
        (allocation,) = allocations
        if allocation.parent_block() is function.body.first_block:
            return True
    return all(each.parent_block() is op.parent for each, op in allocations.items())


def _sizes_of(buffer: SSAValue, sizes: CallerSizes) -> Sequence[Number] | str:
    """The dynamic sizes of a new buffer, or why the caller does not know them."""
    op = buffer.owner
    if not isinstance(op, memref.AllocOp):
        return "what is returned is not allocated by the function"
    if not is_identity_layout(op.memref.type.layout):
        return "its allocation has a layout"
    numbers: list[Number] = []
    for at, size in enumerate(op.dynamic_sizes):
        found = sizes.find(size)
        if isinstance(found, SSAValue):
            return f"its dynamic size #{at} is {_describe(found)}"
        numbers.append(found)
    return numbers


def _describe(value: SSAValue) -> str:
    name = f"%{value.name_hint}, " if value.name_hint else ""
    if isinstance(value, BlockArgument):
        return f"computed from {name}an argument of a block or loop"
    op = value.owner
    assert isinstance(op, Operation)
    return (
        f"computed from {name}a result of '{op_name(op)}', which the caller cannot "
        "compute from the arguments"
    )


# --- calls ---------------------------------------------------------------------------


def _provide_memory(call: CallOp, moved: _Moved) -> None:
    """Give `call` buffers for its results, of its own."""
    buffers: list[SSAValue] = []
    for number, type_ in moved.results.items():
        # A size may be that of a buffer for an earlier result.
        arguments = [*call.operands, *buffers]
        buffers.append(_allocate(call, number, type_, moved, arguments))
    rebuild_call(call, moved.results.keys(), buffers)
    for number, buffer in zip(moved.results, buffers, strict=True):
        buffer.name_hint = call.results[number].name_hint
        call.results[number].replace_all_uses_with(buffer)
    block = call.parent_block()
    assert block is not None
    block.erase_op(call)


def _allocate(
    call: CallOp,
    number: int,
    type_: MemRefType,
    moved: _Moved,
    arguments: Sequence[SSAValue],
) -> SSAValue:
    if not type_.has_static_shape() and number not in moved.hoisted:
        fail_at(
            call,
            f"cannot create out param for dynamically shaped result #{number} of "
            f"@{call.callee.string_value()}: {moved.obstacles[number]}",
        )
    sizes = moved.sizes.compute(moved.hoisted.get(number, ()), arguments, call)
    block = call.parent_block()
    assert block is not None
    alloc = memref.AllocOp(sizes, (), with_identity_layout(type_))
    alloc.location = call.location
    block.insert_op_before(alloc, call)
    if alloc.memref.type == type_:
        return alloc.memref
    cast = memref.CastOp.create(operands=[alloc.memref], result_types=[type_])
    cast.location = call.location
    block.insert_op_before(cast, call)
    return cast.dest


@dataclass(frozen=True)
class BufferResultsToOutParamsPass(TensorPass):
    """Convert results that are memrefs to arguments that the caller allocates."""

    name = "buffer-results-to-out-params"

    add_result_attr: bool = False
    hoist_dynamic_allocs: bool = False
    hoist_static_allocs: bool = False
    modify_public_functions: bool = False

    @override
    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Run on the functions of the module."""
        buffer_results_to_out_params(
            op,
            OutParamOptions(
                self.add_result_attr,
                self.hoist_dynamic_allocs,
                self.hoist_static_allocs,
                self.modify_public_functions,
            ),
        )
