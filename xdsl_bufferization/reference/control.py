"""scf, cf and func: which blocks run, and with which values.

scf.for %i = %lb to %ub step %s iter_args(%t = %init)  ->  a Python loop over a block
"""

from collections.abc import Sequence
from itertools import product
from typing import cast

import numpy as np
from xdsl.dialects import cf, func, scf
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    BoolAttr,
    DenseArrayBase,
    ShapedType,
    StringAttr,
    SymbolRefAttr,
)
from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.support.errors import fail_at

from .machine import HandlerTable, Machine
from .tensors import inserted
from .values import Value, as_signed, as_unsigned, of_type, undefined

_PRINTERS = ("printMemref", "printF", "printI64", "printU64", "printNewline")
"""How the names of these begin."""


def _for(op: scf.ForOp, operands: list[Value], machine: Machine) -> Sequence[Value]:
    type_ = op.lb.type
    view = as_unsigned if "unsignedCmp" in op.properties else as_signed
    lower, upper, step = (int(view(type_, operand)) for operand in operands[:3])
    if step <= 0:
        fail_at(op, f"'scf.for' has a step of {step}, which is not positive")
    carried: Sequence[Value] = operands[3:]
    for position in range(lower, upper, step):
        index = of_type(type_, np.asarray(position, object), op)
        _, carried = machine.run_block(op.body.block, [index, *carried])
    return carried


def _while(op: scf.WhileOp, operands: list[Value], machine: Machine) -> Sequence[Value]:
    carried: Sequence[Value] = operands
    while True:
        _, (condition, *passed) = machine.run_block(op.before_region.block, carried)
        if not condition:
            return passed
        _, carried = machine.run_block(op.after_region.block, passed)


def _if(op: scf.IfOp, operands: list[Value], machine: Machine) -> Sequence[Value]:
    region = op.true_region if operands[0] else op.false_region
    if not region.blocks:
        return []
    _, results = machine.run_region(region, [])
    return results


def _index_switch(
    op: scf.IndexSwitchOp, operands: list[Value], machine: Machine
) -> Sequence[Value]:
    cases = [int(case) for case in op.cases.get_values()]
    value = int(operands[0])
    # The first region is the default, the others follow in the order of the cases.
    at = cases.index(value) + 1 if value in cases else 0
    _, results = machine.run_region(op.regions[at], [])
    return results


def _execute_region(
    op: Operation, operands: list[Value], machine: Machine
) -> Sequence[Value]:
    _, results = machine.run_region(op.regions[0], operands)
    return results


def _assuming(
    op: Operation, operands: list[Value], machine: Machine
) -> Sequence[Value]:
    if not operands[0]:
        fail_at(op, "the condition that this relies on does not hold")
    return _execute_region(op, [], machine)


def _const_witness(op: Operation, _: list[Value], __: Machine) -> Sequence[Value]:
    return [np.asarray(op.properties["passing"] == BoolAttr.from_bool(True))]


def _require(op: Operation, operands: list[Value], machine: Machine) -> Sequence[Value]:
    _assert(op, operands, machine)
    return operands


def _assuming_all(_: Operation, operands: list[Value], __: Machine) -> Sequence[Value]:
    return [np.asarray(all(operands))]


def _parallel(
    op: scf.ParallelOp, operands: list[Value], machine: Machine
) -> Sequence[Value]:
    """Iterations in order; each result is combined by its region of scf.reduce."""
    loops = len(op.lowerBound)
    bounds = [int(operand) for operand in operands[: 3 * loops]]
    ranges = [
        range(*triple)
        for triple in zip(
            bounds[:loops],
            bounds[loops : 2 * loops],
            bounds[2 * loops :],
            strict=True,
        )
    ]
    results = operands[3 * loops :]
    for point in product(*ranges):
        indices = [np.asarray(index, np.int64) for index in point]
        terminator, terms = machine.run_block(op.body.block, indices)
        for at, term in enumerate(terms):
            block = terminator.regions[at].block
            _, (results[at],) = machine.run_block(block, [results[at], term])
    return results


def _forall(op: Operation, operands: list[Value], machine: Machine) -> Sequence[Value]:
    """Iterations in order, each on the outputs as they were; insertions in order."""
    body = op.regions[0].block
    outputs = operands[len(operands) - len(op.results) :]
    arguments = body.args[len(body.args) - len(outputs) :]
    results: dict[SSAValue, Value] = {
        argument: output.copy()
        for argument, output in zip(arguments, outputs, strict=True)
    }
    for point in product(*_forall_ranges(op, operands)):
        indices = [np.asarray(index, np.int64) for index in point]
        terminator, _ = machine.run_block(body, [*indices, *outputs])
        for insertion in terminator.regions[0].block.ops:
            source, _, *numbers = machine.operands_of(insertion)
            dest = insertion.operands[1]
            results[dest] = inserted(insertion, source, results[dest], numbers)
    return list(results.values())


def _forall_ranges(op: Operation, operands: list[Value]) -> list[range]:
    # Operands stand for what is not a number, in the order of the bounds.
    dynamic = iter(operands)
    bounds: list[list[int]] = []
    for name in ("staticLowerBound", "staticUpperBound", "staticStep"):
        static = op.properties[name]
        assert isinstance(static, DenseArrayBase)
        bounds.append(
            [
                int(next(dynamic)) if number == DYNAMIC_INDEX else int(number)
                for number in static.get_values()
            ]
        )
    return [range(*triple) for triple in zip(*bounds, strict=True)]


# A branch answers with the index of its successor, then the values it passes on.


def _br(_: Operation, operands: list[Value], __: Machine) -> Sequence[Value]:
    return [np.asarray(0), *operands]


def _cond_br(
    op: cf.ConditionalBranchOp, operands: list[Value], _: Machine
) -> Sequence[Value]:
    condition, *rest = operands
    taken = len(op.then_arguments)
    if condition:
        return [np.asarray(0), *rest[:taken]]
    return [np.asarray(1), *rest[taken:]]


def _switch(op: cf.SwitchOp, operands: list[Value], _: Machine) -> Sequence[Value]:
    flag, *rest = operands
    values = op.case_values.get_values() if op.case_values is not None else ()
    cases = [int(value) for value in values]
    defaults = len(op.default_operands)
    if int(flag) not in cases:
        return [np.asarray(0), *rest[:defaults]]
    at = cases.index(int(flag))
    segments = [int(size) for size in op.case_operand_segments.get_values()]
    start = defaults + sum(segments[:at])
    return [np.asarray(at + 1), *rest[start : start + segments[at]]]


def _assert(op: Operation, operands: list[Value], _: Machine) -> Sequence[Value]:
    if not np.all(operands[0]):  # One condition for each point of a payload.
        message = op.properties["msg"]
        assert isinstance(message, StringAttr)
        fail_at(op, f"assertion failed: {message.data}")
    return []


def _call(op: func.CallOp, operands: list[Value], machine: Machine) -> Sequence[Value]:
    name = op.callee.string_value()
    callee = machine.functions.get(name)
    if callee is not None and _only_prints(callee):
        return []
    if callee is None or callee.is_declaration:
        fail_at(op, f"the reference evaluation has no body for function @{name}")
    try:
        return machine.call(callee, operands)
    except RecursionError:
        fail_at(op, f"the calls of @{name} are nested too deeply to evaluate")


def _function_value(op: Operation, _: list[Value], machine: Machine) -> Sequence[Value]:
    """A function as a value: an array of one object."""
    name = cast("SymbolRefAttr", op.properties["value"]).string_value()
    value = np.empty((), object)
    value[()] = machine.functions.get(name)
    return [value]


def _call_indirect(
    op: Operation, operands: list[Value], machine: Machine
) -> Sequence[Value]:
    function, *arguments = operands
    callee = function[()]
    if not isinstance(callee, func.FuncOp) or callee.is_declaration:
        fail_at(
            op, "the reference evaluation has no body for the function that is called"
        )
    return machine.call(callee, arguments)


def _poison(op: Operation, _: list[Value], __: Machine) -> Sequence[Value]:
    type_ = op.results[0].type
    shape = type_.get_shape() if isinstance(type_, ShapedType) else ()
    if DYNAMIC_INDEX in shape:
        fail_at(op, f"poison of type {type_} has no sizes")
    return [undefined(type_, shape, op)]


def _unreachable(op: Operation, _: list[Value], __: Machine) -> Sequence[Value]:
    return fail_at(op, "what cannot be reached is reached")


def _print(_op: Operation, _operands: list[Value], _: Machine) -> Sequence[Value]:
    return []


def _only_prints(callee: func.FuncOp) -> bool:
    """Whether a function is one of MLIR's that print: only results count here."""
    is_printer = callee.sym_name.data.startswith(_PRINTERS)
    return is_printer and callee.is_declaration and not callee.function_type.outputs


CONTROL: HandlerTable = {
    "scf.for": _for,
    "scf.while": _while,
    "scf.if": _if,
    "scf.index_switch": _index_switch,
    "scf.execute_region": _execute_region,
    "scf.parallel": _parallel,
    "scf.forall": _forall,
    "cf.br": _br,
    "cf.cond_br": _cond_br,
    "cf.switch": _switch,
    "cf.assert": _assert,
    "func.call": _call,
    "func.call_indirect": _call_indirect,
    "func.constant": _function_value,
    "ub.poison": _poison,
    "ub.unreachable": _unreachable,
    "vector.print": _print,
    "shape.assuming": _assuming,
    "shape.assuming_all": _assuming_all,
    "shape.const_witness": _const_witness,
    "shape.cstr_require": _require,
}
