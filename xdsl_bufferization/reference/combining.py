"""Combine two values by the kind that an op names: `add`, `maxs`, `minimumf`.

vector.reduction <add>, %v : vector<4xf32>    combined("add", f32, v[0], v[1])
memref.atomic_rmw maxu %x, %m[%i]             combined("maxu", i32, m[i], x)
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
from xdsl.dialects.builtin import IndexType, i64
from xdsl.ir import Attribute, Operation

from xdsl_bufferization.support.errors import fail_at

from .elementwise import Function, View, maximum, minimum
from .values import (
    Value,
    as_signed,
    as_unsigned,
    element_type,
    is_float,
    of_type,
    width_of,
)

_FLOATS: Mapping[str, tuple[Function, float]] = {
    "add": (np.add, 0.0),
    "mul": (np.multiply, 1.0),
    "maximum": (maximum, -np.inf),
    "minimum": (minimum, np.inf),
    "maxnum": (np.fmax, np.nan),
    "minnum": (np.fmin, np.nan),
}
"""The function of floating-point numbers, and what leaves the other one as it is."""

_INTEGERS: Mapping[str, tuple[Function, View]] = {
    "add": (np.add, as_signed),
    "mul": (np.multiply, as_signed),
    "and": (np.bitwise_and, as_signed),
    "or": (np.bitwise_or, as_signed),
    "xor": (np.bitwise_xor, as_signed),
    "maxs": (np.maximum, as_signed),
    "mins": (np.minimum, as_signed),
    "maxu": (np.maximum, as_unsigned),
    "minu": (np.minimum, as_unsigned),
}


def combined(
    kind: str, type_: Attribute, lhs: Value, rhs: Value, op: Operation
) -> Value:
    """The combination of two values of a type, rounded or wrapped to that type."""
    if kind == "assign":
        return rhs
    name = _name(kind, type_)
    if is_float(type_) and name in _FLOATS:
        return of_type(type_, _FLOATS[name][0](lhs, rhs), op)
    if not is_float(type_) and name in _INTEGERS:
        function, view = _INTEGERS[name]
        whole = np.asarray(function(view(type_, lhs), view(type_, rhs)))
        is_index = isinstance(element_type(type_), IndexType)
        return of_type(i64 if is_index else type_, whole, op)
    return fail_at(op, f"the reference evaluation cannot combine {type_} by '{kind}'")


def neutral(kind: str, type_: Attribute, op: Operation) -> Value:
    """What any number of the type can be combined with, and stays."""
    name = _name(kind, type_)
    if is_float(type_):
        return of_type(type_, _FLOATS[name][1], op)
    most = 1 << (width_of(type_) - 1)
    number: Any = {"mul": 1, "and": -1, "maxs": -most, "mins": most - 1, "minu": -1}
    return of_type(type_, np.asarray(number.get(name, 0), object), op)


def _name(kind: str, type_: Attribute) -> str:
    """`add` for `addf` and `addi`, `maxs` for `maxsi`: the names differ by dialect."""
    return kind.removesuffix("f" if is_float(type_) else "i")
