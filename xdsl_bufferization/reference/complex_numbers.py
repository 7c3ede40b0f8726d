"""The ops of complex in NumPy, on scalars and on whole arrays alike.

    %2 = complex.exp %0 : complex<f32>   ->   numpy.exp in complex128, rounded once

The rules are those of MLIR's documentation of `complex`.
"""

import numpy as np
from xdsl.dialects.builtin import ArrayAttr, FloatAttr, IntegerAttr
from xdsl.ir import Attribute, Operation
from xdsl.utils.hints import isa

from xdsl_bufferization.support.errors import fail_at

from .elementwise import Function
from .machine import Handler, HandlerTable, Machine
from .values import Value, dtype_of, of_type


def _numbers(function: Function) -> Handler:
    """A function that is computed in complex128, and rounded once."""

    def handler(op: Operation, operands: list[Value], _: Machine) -> list[Value]:
        wide = [operand.astype(np.complex128) for operand in operands]
        return [of_type(op.results[0].type, function(*wide), op)]

    return handler


def _parts(function: Function) -> Handler:
    """A function of numbers as they are."""

    def handler(op: Operation, operands: list[Value], _: Machine) -> list[Value]:
        return [of_type(op.results[0].type, function(*operands), op)]

    return handler


def _create(real: Value, imaginary: Value) -> Value:
    # A product with 1j would make NaN of infinities.
    number = np.empty(np.broadcast(real, imaginary).shape, np.complex128)
    number.real, number.imag = real, imaginary
    return number


def _constant(op: Operation, _: list[Value], __: Machine) -> list[Value]:
    parts = op.properties["value"]
    assert isa(parts, ArrayAttr[Attribute])
    real, imaginary = (_number(part, op) for part in parts)
    return [of_type(op.results[0].type, complex(real, imaginary), op)]


def _number(part: Attribute, op: Operation) -> float:
    if isa(part, FloatAttr | IntegerAttr):
        return float(part.value.data)
    return fail_at(op, f"the reference evaluation cannot read {part}")


def _sign(number: Value) -> Value:
    return np.where(number == 0, number, number / np.abs(number))


def _reciprocal_root(number: Value) -> Value:
    return np.asarray(1 / np.sqrt(number))


def _angle_between(lhs: Value, rhs: Value) -> Value:
    hypotenuse = np.sqrt(lhs * lhs + rhs * rhs)
    return np.asarray(-1j * np.log((rhs + 1j * lhs) / hypotenuse))


def _integer_power(op: Operation, operands: list[Value], _: Machine) -> list[Value]:
    base, exponent = operands[0].astype(np.complex128), operands[1]
    # The sign of a boolean is its value: true is -1.
    signed = -exponent.astype(np.int8) if exponent.dtype == np.bool_ else exponent
    return [of_type(op.results[0].type, np.power(base, signed), op)]


def _bitcast(op: Operation, operands: list[Value], _: Machine) -> list[Value]:
    dtype = dtype_of(op.results[0].type, op)
    if operands[0].dtype.itemsize != dtype.itemsize:
        fail_at(op, "the reference evaluation cannot bitcast between these types")
    return [operands[0].view(dtype)]


COMPLEX: HandlerTable = {
    "complex.abs": _numbers(np.abs),
    "complex.add": _parts(np.add),
    "complex.angle": _numbers(np.angle),
    "complex.atan2": _numbers(_angle_between),
    "complex.bitcast": _bitcast,
    "complex.conj": _parts(np.conjugate),
    "complex.constant": _constant,
    "complex.cos": _numbers(np.cos),
    "complex.create": _parts(_create),
    "complex.div": _numbers(np.divide),
    "complex.eq": _parts(np.equal),
    "complex.exp": _numbers(np.exp),
    "complex.expm1": _numbers(np.expm1),
    "complex.im": _parts(np.imag),
    "complex.log": _numbers(np.log),
    "complex.log1p": _numbers(np.log1p),
    "complex.mul": _parts(np.multiply),
    "complex.neg": _parts(np.negative),
    "complex.neq": _parts(np.not_equal),
    "complex.pow": _numbers(np.power),
    "complex.powi": _integer_power,
    "complex.re": _parts(np.real),
    "complex.rsqrt": _numbers(_reciprocal_root),
    "complex.sign": _numbers(_sign),
    "complex.sin": _numbers(np.sin),
    "complex.sqrt": _numbers(np.sqrt),
    "complex.sub": _parts(np.subtract),
    "complex.tan": _numbers(np.tan),
    "complex.tanh": _numbers(np.tanh),
}
