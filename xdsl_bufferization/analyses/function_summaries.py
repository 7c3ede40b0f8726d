"""What a function does to the buffers of its arguments, for its callers.

Functions are analysed callees first. Where that is not possible, in recursion, and for
functions without a body, a call counts as reading and writing all of its operands and
as returning any of them, unless `bufferization.access` on a declaration says otherwise.
"""

from collections.abc import Iterable, Iterator, Sequence

from xdsl.dialects.builtin import DictionaryAttr, StringAttr
from xdsl.dialects.func import CallOp, FuncOp, ReturnOp
from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.analyses.alias_sets import AliasSet, AliasSets
from xdsl_bufferization.analyses.tensor_facts import TensorFacts
from xdsl_bufferization.interfaces.operands import is_tensor
from xdsl_bufferization.interfaces.state import FunctionSummary


def callees_first(functions: Iterable[FuncOp]) -> list[FuncOp]:
    """The functions in an order in which callees precede callers.

    Functions that call each other in a circle stand in program order of discovery.
    """
    by_name = {function.sym_name.data: function for function in functions}
    ordered: list[FuncOp] = []
    seen: set[str] = set()
    for start in by_name:
        if start in seen:
            continue
        seen.add(start)
        todo = [(by_name[start], _called_names(by_name[start]))]
        while todo:
            function, names = todo[-1]
            name = next((n for n in names if n in by_name and n not in seen), None)
            if name is None:
                ordered.append(function)
                todo.pop()
            else:
                seen.add(name)
                todo.append((by_name[name], _called_names(by_name[name])))
    return ordered


def _called_names(function: FuncOp) -> Iterator[str]:
    return (
        op.callee.root_reference.data
        for op in function.walk()
        if isinstance(op, CallOp)
    )


def summarize(function: FuncOp, facts: TensorFacts, sets: AliasSets) -> FunctionSummary:
    """The summary of a function whose decisions have been made."""
    arguments = [
        (number, argument)
        for number, argument in enumerate(function.body.blocks[0].args)
        if is_tensor(argument)
    ]
    returned = list(_returned_values(function))
    return FunctionSummary(
        frozenset(n for n, argument in arguments if facts.is_value_read(argument)),
        frozenset(n for n, argument in arguments if sets.find(argument).writes),
        tuple(_aliasing_args(values, arguments, sets) for values in returned),
        tuple(_equivalent_arg(values, arguments, facts) for values in returned),
    )


def summarize_declaration(function: FuncOp) -> FunctionSummary:
    """The summary of a function without a body, from its `bufferization.access`."""
    types = function.function_type.inputs.data
    access = [_get_access(function, number) for number in range(len(types))]
    everything = frozenset(range(len(types)))
    results = len(function.function_type.outputs.data)
    return FunctionSummary(
        frozenset(n for n, kind in enumerate(access) if "read" in kind),
        frozenset(n for n, kind in enumerate(access) if "write" in kind),
        (everything,) * results,
        (None,) * results,
    )


def _get_access(function: FuncOp, number: int) -> str:
    if function.arg_attrs is None:
        return "read-write"
    attributes = function.arg_attrs.data[number]
    assert isinstance(attributes, DictionaryAttr)
    access = attributes.data.get("bufferization.access")
    return access.data if isinstance(access, StringAttr) else "read-write"


def _returned_values(function: FuncOp) -> Iterator[Sequence[SSAValue]]:
    """For each result of a function, the values that its returns return."""
    returns: list[Operation] = [
        block.last_op
        for block in function.body.blocks
        if isinstance(block.last_op, ReturnOp)
    ]
    return zip(*(op.operands for op in returns), strict=True)


def _aliasing_args(
    values: Sequence[SSAValue],
    arguments: Sequence[tuple[int, SSAValue]],
    sets: AliasSets,
) -> frozenset[int]:
    found: set[AliasSet] = {sets.find(value) for value in values if is_tensor(value)}
    return frozenset(n for n, argument in arguments if sets.find(argument) in found)


def _equivalent_arg(
    values: Sequence[SSAValue],
    arguments: Sequence[tuple[int, SSAValue]],
    facts: TensorFacts,
) -> int | None:
    return next(
        (
            number
            for number, argument in arguments
            if all(
                is_tensor(value) and facts.are_equivalent_buffers(value, argument)
                for value in values
            )
        ),
        None,
    )
