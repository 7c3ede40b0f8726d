"""What a function does to the buffers of its arguments, for its callers.

    func.func @f(%t) {                        // argument 0 is read and written,
      %0 = tensor.extract %t[%i]              // and the result is its buffer
      %1 = tensor.insert %0 into %t[%j]
      return %1
    }

Functions are analysed callees first; for functions that call each other in a circle see
`recursion.py`. A function without a body counts as reading and writing all arguments,
and as returning any of them, unless `bufferization.access` says otherwise.

Cost: linear in the arguments and results. Source: `FuncAnalysisState` of MLIR.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Set

from xdsl.dialects.func import CallOp, FuncOp, ReturnOp
from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.support.algorithms.disjoint_sets import DisjointSets
from xdsl_bufferization.support.traversal import ops_inside

from ...interfaces.conservative_state import ConservativeState
from ...interfaces.operands import (
    is_tensor,
    is_tensor_type,
    tensor_operands,
    tensor_results,
)
from ...interfaces.options import BufferizationOptions
from ...interfaces.region_branch import get_region_branch
from ...interfaces.state import FunctionSummary
from ..calls.call_graph import declared_access
from ..tensor_facts.tensor_facts import TensorFacts
from .alias_sets import AliasSet
from .root_analysis import RootAnalysis

_NOTHING: frozenset[int] = frozenset()


def summarize(function: FuncOp, analysis: RootAnalysis) -> FunctionSummary:
    """The summary of a function whose decisions have been made."""
    facts, sets = analysis.facts, analysis.alias_sets
    class_of = analysis.decisions.class_of
    by_set: dict[AliasSet, set[int]] = {}
    by_class: dict[Hashable, int] = {}
    read: set[int] = set()
    written: set[int] = set()
    reread: set[int] = set()
    for number, argument in enumerate(function.body.blocks[0].args):
        if not is_tensor(argument):
            continue
        alias_set = sets.find(argument)
        by_set.setdefault(alias_set, set()).add(number)
        by_class.setdefault(class_of(argument), number)
        if facts.is_value_read(argument):
            read.add(number)
        if alias_set.writes:
            written.add(number)
            if any(
                value is not argument and facts.is_value_read(value)
                for value in alias_set.values
            ):
                reread.add(number)
    # Results of one alias set share one object: there may be many of both.
    arguments = {alias_set: frozenset(numbers) for alias_set, numbers in by_set.items()}
    returned = list(_returned_tensors(function))
    moved = {class_of(value) for value in analysis.decisions.maybe_moved}
    return FunctionSummary(
        frozenset(read),
        frozenset(written),
        tuple(
            _union({arguments.get(sets.find(value), _NOTHING) for value in values})
            for values in returned
        ),
        tuple(
            _only({by_class.get(class_of(value)) for value in values})
            for values in returned
        ),
        frozenset(
            number
            for number, values in enumerate(returned)
            if any(class_of(value) in moved for value in values)
        ),
        _find_read_only(function, analysis, returned),
        frozenset(
            number
            for number, values in enumerate(returned)
            if all(
                sets.find(value) not in arguments and analysis.new_buffers.is_new(value)
                for value in values
            )
        ),
        _group(returned, analysis.new_buffers.forwarded.group_of),
        frozenset(reread),
        _find_defined(function, facts, returned),
    )


def _find_defined(
    function: FuncOp, facts: TensorFacts, returned: Iterable[Iterable[SSAValue]]
) -> frozenset[int]:
    """The results that a definition behind the arguments may have written."""
    arguments = {
        facts.get_definitions(argument)
        for argument in function.body.blocks[0].args
        if is_tensor(argument)
    }
    latest = max((each.latest for each in arguments if each is not None), default=-1)
    return frozenset(
        number
        for number, values in enumerate(returned)
        if any(
            definitions is not None and definitions.latest > latest
            for definitions in map(facts.get_definitions, values)
        )
    )


def _group(
    returned: Iterable[Iterable[SSAValue]], find: Callable[[SSAValue], Hashable]
) -> tuple[frozenset[int], ...]:
    """The results that have a `find(value)` in common, where it is not only one."""
    groups: dict[Hashable, set[int]] = {}
    for number, values in enumerate(returned):
        for value in values:
            groups.setdefault(find(value), set()).add(number)
    return tuple(frozenset(numbers) for numbers in groups.values() if len(numbers) > 1)


def _find_read_only(
    function: FuncOp, analysis: RootAnalysis, returned: Iterable[Iterable[SSAValue]]
) -> frozenset[int]:
    """The results that may be in a buffer that must not be written.

    Whether an argument may be written is for each caller to know.
    """
    body = function.body.blocks[0]
    facts, forwarded = analysis.facts, analysis.new_buffers.forwarded
    is_read_only: dict[AliasSet, bool] = {}
    found: set[int] = set()
    for number, values in enumerate(returned):
        for alias_set in {analysis.alias_sets.find(value): None for value in values}:
            if alias_set not in is_read_only:
                is_read_only[alias_set] = forwarded.is_read_only(alias_set) or (
                    alias_set.not_writable is not None
                    and any(
                        value.owner is not body and not facts.is_writable(value)
                        for value in alias_set.values
                    )
                )
            if is_read_only[alias_set]:
                found.add(number)
    return frozenset(found)


def _union(sets: Set[frozenset[int]]) -> frozenset[int]:
    return next(iter(sets)) if len(sets) == 1 else _NOTHING.union(*sets)


def _only(numbers: Set[int | None]) -> int | None:
    return next(iter(numbers)) if len(numbers) == 1 else None


def summarize_declaration(function: FuncOp) -> FunctionSummary:
    """The summary of a function without a body, from its `bufferization.access`."""
    types = function.function_type.inputs.data
    access = [declared_access(function, number) for number in range(len(types))]
    everything = frozenset(range(len(types)))
    results = function.function_type.outputs.data
    return FunctionSummary(
        frozenset(n for n, kind in enumerate(access) if "read" in kind),
        frozenset(n for n, kind in enumerate(access) if "write" in kind),
        tuple(everything if is_tensor_type(t) else _NOTHING for t in results),
        (None,) * len(results),
        shared_results=(
            frozenset(n for n, t in enumerate(results) if is_tensor_type(t)),
        ),
        # What is written and not read is not read after the write, either.
        reread_args=_NOTHING,
    )


def summarize_without_analysis(
    function: FuncOp,
    is_writable: Callable[[SSAValue], bool],
    options: BufferizationOptions,
) -> FunctionSummary:
    """The summary of a function in which nothing is decided: it may do anything.

    Only what is nowhere in it cannot be returned: a buffer that must not be written, or
    one that two results are.
    """
    inputs, results = function.function_type.inputs, function.function_type.outputs
    everything = frozenset(range(len(inputs)))
    tensors = [number for number, t in enumerate(results) if is_tensor_type(t)]
    may_be_read_only = any(
        not is_writable(value)
        for op in ops_inside(function)
        for value in op.results
        if is_tensor(value)
    )
    return FunctionSummary(
        everything,
        everything,
        tuple(everything if n in tensors else _NOTHING for n in range(len(results))),
        (None,) * len(results),
        read_only_results=frozenset(tensors) if may_be_read_only else _NOTHING,
        shared_results=_group(
            _returned_tensors(function), _unite_aliases(function, options).find
        ),
    )


def _unite_aliases(
    function: FuncOp, options: BufferizationOptions
) -> DisjointSets[SSAValue]:
    """The tensors of a function, those in one class that copies leave as aliases."""
    state = ConservativeState(options)
    classes = DisjointSets[SSAValue]()
    for op in ops_inside(function):
        for operand in tensor_operands(op):
            if state.is_in_place(operand):
                for alias in state.get_aliasing_values(operand):
                    classes.unite(operand.value, alias.value)
        for forwarded, receiver in _forwarded_by_regions(op):
            classes.unite(forwarded, receiver)
        if isinstance(op, CallOp):
            tensors = tensor_results(op)
            for result in tensors[1:]:
                classes.unite(tensors[0], result)
    return classes


def _forwarded_by_regions(op: Operation) -> Iterator[tuple[SSAValue, SSAValue]]:
    """The tensors in which regions of `op` end, with what each of them becomes."""
    branch = get_region_branch(op)
    if branch is None:
        return
    for region in op.regions:
        for block in region.blocks:
            end = block.last_op
            if end is None or end.successors:
                continue
            for successor in branch.get_successor_regions(op, region):
                operands = branch.get_terminator_successor_operands(op, end, successor)
                for operand, value in zip(operands, successor.inputs, strict=True):
                    if is_tensor(value):
                        yield operand.value, value


def _returned_tensors(function: FuncOp) -> Iterator[list[SSAValue]]:
    """For each result of a function, the tensors that its returns return."""
    returns: list[Operation] = [
        block.last_op
        for block in function.body.blocks
        if isinstance(block.last_op, ReturnOp)
    ]
    for values in zip(*(op.operands for op in returns), strict=True):
        yield [value for value in values if is_tensor(value)]
