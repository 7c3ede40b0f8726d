"""Free every buffer once, at the end of the block that owns it.

Runs on memrefs, after bufferization; `buffer-deallocation-simplification` and
`lower-deallocations` follow. Ownership is decided at compile time where the program
shows it. Elsewhere i1 values decide, which loops, branches and calls pass along.

    %a = memref.alloc() : memref<4xf32>      %a = memref.alloc() : memref<4xf32>
    "use"(%a)                                "use"(%a)
    return                                   bufferization.dealloc (%a ...) if (%true)

Rules at function boundaries (MLIR's documentation, "Ownership-based Buffer
Deallocation", "Function boundary ABI"): arguments belong to the caller, results too,
and no two of them share an allocation. A result that would break this is cloned. A
buffer whose memory becomes a tensor belongs to the op that consumes the tensor.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from typing_extensions import override
from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import ArrayAttr, FunctionType, ModuleOp, i1
from xdsl.ir import Block, Operation, SSAValue
from xdsl.traits import IsTerminator

from xdsl_bufferization.dialects.common.symbols import find_symbol_table, is_private
from xdsl_bufferization.dialects.func import ConstantOp
from xdsl_bufferization.support.algorithms.block_dominance import unreachable_blocks
from xdsl_bufferization.support.errors import fail_at, op_name
from xdsl_bufferization.support.garbage import without_garbage_collection
from xdsl_bufferization.support.traversal import ops_inside

from ..analyses.buffers.buffer_aliases import BufferAliases, analyze_buffer_aliases
from ..analyses.buffers.buffer_flow import (
    BufferFlow,
    FlowKind,
    block_of,
    region_terminators,
)
from ..analyses.ownership.ownership import analyze_ownership
from ..analyses.ownership.releases import find_releases
from ..interfaces.deallocation import (
    is_buffer_scope,
    is_isolated,
    is_memref,
    is_memref_type,
)
from ..interfaces.operands import OpOperand
from ..mlir_pass import MLIRPass
from .cloned_captures import clone_uncertain_captures
from .forwarded_borrowers import forward_borrowers
from .forwarded_selections import forward_selections, join_blocks
from .free_requirements import check_frees
from .ownership_rewriter import OwnershipRewriter
from .reduction_requirements import check_reductions

_Symbol = tuple[Operation | None, str]
"""The op with the symbol table, and a name in it."""


@without_garbage_collection()
def deallocate_by_ownership(
    module: ModuleOp, *, private_function_dynamic_ownership: bool = False
) -> None:
    """Insert `bufferization.dealloc` for all buffers in the functions of `module`.

    With `private_function_dynamic_ownership`, private functions return an i1 with each
    memref, and need no clones to follow the function boundary ABI; those that are used
    as values do follow it. Raises an `OperationError` for programs that it cannot
    handle.
    """
    ops = ops_inside(module)
    roots = [op for op in ops if is_buffer_scope(op)]
    functions = [op for op in roots if isinstance(op, func.FuncOp)]
    dynamic: set[_Symbol] = set()
    if private_function_dynamic_ownership:
        dynamic.update(
            _symbol(function) for function in functions if _is_private(function)
        )
        dynamic.difference_update(
            (find_symbol_table(op), op.value.string_value())
            for op in ops
            if isinstance(op, ConstantOp)
        )

    def is_dynamic(op: Operation) -> bool:
        return (
            isinstance(op, func.CallOp)
            and (find_symbol_table(op), op.callee.string_value()) in dynamic
        )

    for root in roots:
        is_private = isinstance(root, func.FuncOp) and _symbol(root) in dynamic
        _deallocate(root, is_dynamic, returns_ownership=is_private)
        if isinstance(root, func.FuncOp) and is_private:
            _append_ownership_results(root)


def _deallocate(
    root: Operation, is_dynamic: Callable[[Operation], bool], *, returns_ownership: bool
) -> None:
    erase_unreachable_blocks(root)
    aliases = analyze_buffer_aliases(root, is_dynamic)
    check_requirements(aliases)
    rests = forward_selections(aliases)
    owners: list[SSAValue] = [argument for rest in rests for argument in rest.args]
    if rests:
        aliases = analyze_buffer_aliases(root, is_dynamic, owners)
    passed = forward_borrowers(aliases)
    owners += passed.arguments
    if passed.arguments:
        aliases = analyze_buffer_aliases(root, is_dynamic, owners)
    if clone_uncertain_captures(aliases):
        aliases = analyze_buffer_aliases(root, is_dynamic, owners)
    analysis = analyze_ownership(aliases)
    releases = find_releases(analysis)
    OwnershipRewriter(analysis, releases, is_dynamic, returns_ownership).run()
    passed.undo()
    join_blocks(rests)


def erase_unreachable_blocks(root: Operation) -> None:
    """Erase the blocks that never run: there is nothing to free in them."""
    todo = [root]
    while todo:
        for region in todo.pop().regions:
            dead = unreachable_blocks(region)
            for block in dead:
                for op in block.ops:
                    op.drop_all_references()
            for block in dead:
                region.erase_block(block, safe_erase=False)
            todo += [op for block in region.blocks for op in block.ops if op.regions]


def _symbol(function: func.FuncOp) -> _Symbol:
    return function.parent_op(), function.sym_name.data


def _is_private(function: func.FuncOp) -> bool:
    return not function.is_declaration and is_private(function)


def _append_ownership_results(function: func.FuncOp) -> None:
    """Declare the i1 results that the returns of a private function have already."""
    old = function.function_type
    more = [i1 for type_ in old.outputs if is_memref_type(type_)]
    function.function_type = FunctionType.from_lists(
        old.inputs.data, [*old.outputs, *more]
    )
    if function.res_attrs is not None:
        empty = type(function.res_attrs.data[0])({})
        function.res_attrs = ArrayAttr([*function.res_attrs, *([empty] * len(more))])


# --- programs that are refused ------------------------------------------------------


def check_requirements(aliases: BufferAliases) -> None:
    """Raise an `OperationError` at the first op that ownership cannot be found for."""
    flow = aliases.flow
    if not (flow.origins or flow.unknown or flow.flows or flow.view_of):
        return  # No buffers at all.
    for op in flow.opaque_branches:
        fail_at(
            op,
            f"'{op_name(op)}' leads to other blocks and does not say what it passes to "
            "them; attach a model of BranchOpInterface to it",
        )
    check_frees(flow)
    check_reductions(flow)
    _check_ends(aliases)
    for value in flow.unknown:
        owner = value.owner
        if not isinstance(owner, Block):
            fail_at(
                owner,
                f"'{op_name(owner)}' returns a buffer and does not say where its "
                "memory comes from; attach a model of BufferDeallocationOpInterface to "
                "it, or of RegionBranchOpInterface if its regions yield it",
            )
        elif (op := owner.parent_op()) is not None:
            fail_at(
                op,
                f"'{op_name(op)}' passes a buffer to its region and does not say "
                "which; attach a model of RegionBranchOpInterface to it",
            )


def _check_ends(aliases: BufferAliases) -> None:
    """Refuse what ends a region with a buffer of it, for a purpose that is not known.

    The buffer would be freed before that, as it is at the end of any region.
    """
    flow = aliases.flow
    forwarded = {entry.use for entry in flow.flows if entry.kind is FlowKind.END}
    for use in _ends(flow):
        region = use.owner.parent_region()
        is_local = block_of(aliases.root(use.value)).parent is region
        if is_local and use not in forwarded:
            fail_at(
                use.owner,
                f"operand {use.number} is a buffer of the region that ends here, and "
                "what becomes of it is not known; attach a model of "
                "RegionBranchOpInterface to the op around it",
            )


def _ends(flow: BufferFlow) -> Iterator[OpOperand]:
    """The buffers that are operands of terminators, those of the function excepted."""
    for op in flow.region_ops:
        for region in () if is_isolated(op) else op.regions:
            for last in filter(_is_terminator, region_terminators(region)):
                for index, value in enumerate(last.operands):
                    if is_memref(value):
                        yield OpOperand(last, index)


def _is_terminator(op: Operation) -> bool:
    return op.has_trait(IsTerminator)


@dataclass(frozen=True)
class OwnershipBasedBufferDeallocationPass(MLIRPass):
    """Free every buffer once, at the end of the block that owns it."""

    name = "ownership-based-buffer-deallocation"

    private_function_dynamic_ownership: bool = False
    """Private functions say at run time which of their results the caller owns."""

    @override
    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Run on all functions of the module."""
        deallocate_by_ownership(
            op,
            private_function_dynamic_ownership=self.private_function_dynamic_ownership,
        )
