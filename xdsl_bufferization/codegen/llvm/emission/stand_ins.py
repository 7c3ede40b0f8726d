"""Ops that are lowered by way of like ops on other types.

There are three cases:

- An elementwise op on a vector of several dimensions is that op on each row.
- An op that becomes a call of the C library is that op on each element.
- An op on bf16 is that op on f32.

Each time the rule of the op is asked to lower another op, which stands in for it.

    %r = arith.addf %a, %b : vector<2x8xf32>  -> two llvm.fadd : vector<8xf32>
    %r = math.erf %a : vector<2xf32>          -> llvm.call @erff(...), twice
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import VectorType
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.utils.hints import isa
from xdsl.utils.type import get_element_type_or_self

from .function import FunctionLowering, Rule, Rules
from .types import row_vector_type
from .vector_elements import Vector, lane, lanes_of, row_of


def lower_stand_in(
    rule: Rule,
    op: Operation,
    operands: Sequence[tuple[SSAValue, Attribute]],
    result_types: Sequence[Attribute],
    f: FunctionLowering,
) -> list[SSAValue]:
    """Lower an op like `op` on other operands, and return what its results became.

    `operands` are what they became, and what their types were.
    """
    arguments = Block(arg_types=[type for _, type in operands]).args
    for argument, (value, _) in zip(arguments, operands, strict=True):
        f.bind(argument, value)
    like = type(op).create(
        operands=arguments,
        result_types=result_types,
        properties=op.properties,
        attributes=op.attributes,
    )
    like.location = op.location
    rule(like, f)
    return [f.scalar(result) for result in like.results]


def apply(
    op_type: type[Operation],
    operands: Sequence[SSAValue],
    type: Attribute,
    f: FunctionLowering,
    result_type: Attribute | None = None,
) -> SSAValue:
    """Emit what `op_type`, an op on operands of one `type`, becomes.

    So is the type of its result, if there is no other.
    """
    arguments = Block(arg_types=[type] * len(operands)).args
    for argument, value in zip(arguments, operands, strict=True):
        f.bind(argument, value)
    op = op_type.create(operands=arguments, result_types=[result_type or type])
    f.lower(op)
    return f.scalar(op.results[0])


# Rows and elements.


def by_rows(rules: Rules) -> Rules:
    """The rules, which now also take vectors of several dimensions."""
    return {op: _by_rows(rule) for op, rule in rules.items()}


def _by_rows(rule: Rule) -> Rule:
    def lower(op: Operation, f: FunctionLowering) -> None:
        vectors = [f.values.get(operand) for operand in op.operands]
        rows = next((len(v.rows) for v in vectors if isinstance(v, Vector)), None)
        if rows is None:
            rule(op, f)
            return
        lowered = [
            lower_stand_in(
                rule,
                op,
                [_row(operand, number, f) for operand in op.operands],
                [row_vector_type(type) or type for type in op.result_types],
                f,
            )
            for number in range(rows)
        ]
        for result, column in zip(op.results, zip(*lowered, strict=True), strict=True):
            f.bind_rows(result, column)

    return lower


def _row(
    operand: SSAValue, number: int, f: FunctionLowering
) -> tuple[SSAValue, Attribute]:
    """Return a row of a vector and its type; a scalar is one for all rows."""
    lowered = f.values[operand]
    if isinstance(lowered, Vector):
        return lowered.rows[number], row_vector_type(operand.type) or operand.type
    return f.scalar(operand), operand.type


def by_lanes(rule: Rule) -> Rule:
    """The rule, which only knows scalars, applied to each element of a row."""

    def lower(op: Operation, f: FunctionLowering) -> None:
        if not isa(op.results[0].type, VectorType):
            rule(op, f)
            return
        operands = f.scalars(op.operands)
        row = next(each for each in operands if isa(each.type, VectorType))
        lowered = [
            lower_stand_in(
                rule,
                op,
                [
                    _lane(each, value, number, f)
                    for each, value in zip(op.operands, operands, strict=True)
                ],
                [get_element_type_or_self(type) for type in op.result_types],
                f,
            )
            for number in range(lanes_of(row))
        ]
        for result, column in zip(op.results, zip(*lowered, strict=True), strict=True):
            f.bind(result, row_of(column, f))

    return lower


def _lane(
    operand: SSAValue, value: SSAValue, number: int, f: FunctionLowering
) -> tuple[SSAValue, Attribute]:
    """Return an element of a row and its type; a scalar is one for all of them."""
    if not isa(operand.type, VectorType):
        return value, operand.type
    return lane(value, number, f), operand.type.element_type
