"""Whether a body may run once on arrays that hold the numbers of all points.

    %y = arith.mulf %x, %x : f32           one call of NumPy multiplies at all points
    %u = tensor.insert %x into %t[%i]      makes a tensor at each point: one by one

A body runs on arrays if each of its ops computes numbers from numbers, element by
element. An op may also read an element of a tensor or buffer from outside of the body.
"""

from collections.abc import Iterable, Sequence

import numpy as np
from xdsl.ir import Attribute, Block, Operation, SSAValue

from .affine import AFFINE
from .complex_numbers import COMPLEX
from .elementwise import ARITH, MATH
from .index_numbers import INDEX
from .machine import Machine
from .values import Value, dtype_of, is_scalar

_READING = frozenset({"tensor.extract", "memref.load"})
"""Ops that read one element of their first operand, at one or many positions."""

_ELEMENTWISE = frozenset(
    {*ARITH, *MATH, *COMPLEX, *INDEX, *AFFINE, "cf.assert", "linalg.index"}
)
"""Ops whose handlers take arrays in the place of numbers."""


def runs_on_arrays(body: Block) -> bool:
    """Whether one run of `body` on arrays is the same as a run for each point."""
    return all(_takes_arrays(op, body) for op in body.ops if op is not body.last_op)


def _takes_arrays(op: Operation, body: Block) -> bool:
    numbers: Iterable[SSAValue] = (*op.operands, *op.results)
    if op.name in _READING:
        source, *numbers = numbers
        if source.owner is body or _is_inside(source.owner, body):
            return False
    elif op.name not in _ELEMENTWISE:
        return False
    return all(is_scalar(number.type) for number in numbers)


def _is_inside(owner: Operation | Block, body: Block) -> bool:
    return isinstance(owner, Operation) and owner.parent is body


def run_at_points(
    machine: Machine,
    body: Block,
    arguments: Sequence[Value],
    shape: Sequence[int],
    type_: Attribute,
) -> Value:
    """What `body` yields at each point, where its arguments have these elements."""
    if runs_on_arrays(body):
        _, (value,) = machine.run_block(body, arguments)
        return np.broadcast_to(value, tuple(shape))
    parent = body.parent_op()
    assert parent is not None, "a body belongs to an op"
    result = np.empty(tuple(shape), dtype_of(type_, parent))
    whole = [np.broadcast_to(argument, tuple(shape)) for argument in arguments]
    for point in np.ndindex(*shape):
        here = [np.asarray(argument[point]) for argument in whole]
        _, (result[point],) = machine.run_block(body, here)
    return result
