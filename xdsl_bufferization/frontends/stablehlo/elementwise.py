"""Ops of StableHLO that compute element by element: one element each.

    stablehlo.maximum   ->   arith.maximumf, maxsi, maxui, or ori for i1

The table says what an op is for which kind of elements. What has more to it than one
op is in `integers.py`, `conversions.py` and `functions.py`.

Source: https://openxla.org/stablehlo/spec#ops
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeAlias, cast

from xdsl.dialects import arith, complex, math
from xdsl.dialects.builtin import ComplexType, IntegerType
from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.dialects.arith.arithmetic import RemFOp
from xdsl_bufferization.dialects.math import IsFiniteOp
from xdsl_bufferization.dialects.stablehlo.syntax import StableHLOOp
from xdsl_bufferization.support.errors import fail_at

from . import integers
from .conversions import bitcast, compare, convert
from .element_builder import ElementBuilder
from .functions import FUNCTIONS
from .roundings import next_after, reduce_precision
from .types import Kind, kind_of

Scalar: TypeAlias = Callable[
    [StableHLOOp, ElementBuilder, Sequence[SSAValue]], SSAValue
]
"""What writes one element of an op, given one element of each operand."""

_Write: TypeAlias = Callable[[ElementBuilder, Sequence[SSAValue]], SSAValue]
_B, _S, _U, _F, _C = Kind.BOOL, Kind.SIGNED, Kind.UNSIGNED, Kind.FLOAT, Kind.COMPLEX


def _by_kind(table: Mapping[Kind, type[Operation] | _Write]) -> Scalar:
    """An op for each kind of elements; the result has the type of the operand."""

    def write(
        op: StableHLOOp, code: ElementBuilder, args: Sequence[SSAValue]
    ) -> SSAValue:
        kind = kind_of(op, op.element())
        entry = table.get(kind)
        if entry is None:
            fail_at(op, f"'{op.name}' of {op.element()} is not lowered")
        if isinstance(entry, type):
            return _apply(cast(type[Operation], entry), code, args)
        return entry(code, args)

    return write


def _apply(
    op_type: type[Operation], code: ElementBuilder, args: Sequence[SSAValue]
) -> SSAValue:
    made = cast(Any, op_type)
    if issubclass(op_type, complex.ComplexBinaryOp | math.FPowIOp):
        return code.value(made.create(operands=args, result_types=[args[0].type]))
    return code.value(made(*args))


def _complex(op_type: type[Operation]) -> _Write:
    return lambda code, args: code.value(
        op_type.create(operands=args, result_types=[args[0].type])
    )


def _part(op_type: type[Operation]) -> Scalar:
    """A part or the magnitude of a complex number."""

    def write(
        op: StableHLOOp, code: ElementBuilder, args: Sequence[SSAValue]
    ) -> SSAValue:
        element = op.element()
        if not isinstance(element, ComplexType):
            if op_type is complex.ImOp:
                return code.number(0, args[0].type)
            return args[0]
        part = cast("ComplexType[Any]", element).element_type
        return code.value(op_type.create(operands=args, result_types=[part]))

    return write


def _abs(op: StableHLOOp, code: ElementBuilder, args: Sequence[SSAValue]) -> SSAValue:
    if isinstance(op.element(), ComplexType):
        return _part(complex.AbsOp)(op, code, args)
    table: dict[Kind, type[Operation] | _Write] = {_F: math.AbsFOp, _S: math.AbsIOp}
    return _by_kind(table)(op, code, args)


def _negate(code: ElementBuilder, args: Sequence[SSAValue]) -> SSAValue:
    return code.subtract(code.number(0, args[0].type), args[0])


def _not(code: ElementBuilder, args: Sequence[SSAValue]) -> SSAValue:
    minus = code.number(-1 if args[0].type != IntegerType(1) else 1, args[0].type)
    return code.value(arith.XOrIOp(args[0], minus))


def _float_sign(code: ElementBuilder, args: Sequence[SSAValue]) -> SSAValue:
    """-1 or 1; zeros and NaN stay what they are."""
    (x,) = args
    one = code.number(1.0, x.type)
    sign = code.value(math.CopySignOp(one, x))
    zero = code.number(0.0, x.type)
    return code.select(code.compare("one", x, zero), sign, x)


def _logistic(code: ElementBuilder, args: Sequence[SSAValue]) -> SSAValue:
    (x,) = args
    one = code.number(1.0, x.type)
    exponential = code.value(math.ExpOp(code.value(arith.NegfOp(x))))
    return code.divide(one, code.add(one, exponential))


def _is_finite(
    op: StableHLOOp, code: ElementBuilder, args: Sequence[SSAValue]
) -> SSAValue:
    kind = kind_of(op, op.element())
    if kind is not Kind.FLOAT:
        fail_at(op, f"'{op.name}' of {op.element()} is not lowered")
    return code.value(IsFiniteOp.create(operands=args, result_types=[IntegerType(1)]))


def _select(
    _op: StableHLOOp, code: ElementBuilder, args: Sequence[SSAValue]
) -> SSAValue:
    return code.select(*args)


def _clamp(op: StableHLOOp, code: ElementBuilder, args: Sequence[SSAValue]) -> SSAValue:
    low, value, high = args
    largest = SCALARS["stablehlo.maximum"](op, code, [value, low])
    return SCALARS["stablehlo.minimum"](op, code, [largest, high])


def _complex_number(
    op: StableHLOOp, code: ElementBuilder, args: Sequence[SSAValue]
) -> SSAValue:
    return code.value(
        complex.CreateOp.create(operands=args, result_types=[op.result_element])
    )


def _divide(*, is_signed: bool) -> _Write:
    return lambda code, args: integers.divide(code, *args, is_signed=is_signed)


def _remainder(*, is_signed: bool) -> _Write:
    return lambda code, args: integers.remainder(code, *args, is_signed=is_signed)


def _power(*, is_signed: bool) -> _Write:
    return lambda code, args: integers.power(code, *args, is_signed=is_signed)


def _sign(*, is_signed: bool) -> _Write:
    return lambda code, args: integers.sign(code, *args, is_signed=is_signed)


def _shift(kind: str) -> _Write:
    return lambda code, args: integers.shift(code, kind, *args)


def _integers(write: type[Operation] | _Write) -> Scalar:
    return _by_kind({_B: write, _S: write, _U: write})


def _floats(
    op_type: type[Operation], complex_type: type[Operation] | None = None
) -> Scalar:
    table: dict[Kind, type[Operation] | _Write] = {_F: op_type}
    if complex_type is not None:
        table[_C] = _complex(complex_type)
    return _by_kind(table)


SCALARS: Final[dict[str, Scalar]] = {
    "stablehlo.abs": _abs,
    "stablehlo.add": _by_kind(
        {
            _B: arith.OrIOp,
            _S: arith.AddiOp,
            _U: arith.AddiOp,
            _F: arith.AddfOp,
            _C: _complex(complex.AddOp),
        }
    ),
    "stablehlo.and": _integers(arith.AndIOp),
    "stablehlo.atan2": _floats(math.Atan2Op, complex.Atan2Op),
    "stablehlo.bitcast_convert": bitcast,
    "stablehlo.cbrt": _floats(math.CbrtOp),
    "stablehlo.ceil": _floats(math.CeilOp),
    "stablehlo.clamp": _clamp,
    "stablehlo.compare": compare,
    "stablehlo.complex": _complex_number,
    "stablehlo.convert": convert,
    "stablehlo.cosine": _floats(math.CosOp, complex.CosOp),
    "stablehlo.count_leading_zeros": _integers(math.CountLeadingZerosOp),
    "stablehlo.divide": _by_kind(
        {
            _S: _divide(is_signed=True),
            _U: _divide(is_signed=False),
            _F: arith.DivfOp,
            _C: _complex(complex.DivOp),
        }
    ),
    "stablehlo.exponential": _floats(math.ExpOp, complex.ExpOp),
    "stablehlo.exponential_minus_one": _floats(math.ExpM1Op, complex.Expm1Op),
    "stablehlo.floor": _floats(math.FloorOp),
    "stablehlo.imag": _part(complex.ImOp),
    "stablehlo.is_finite": _is_finite,
    "stablehlo.log": _floats(math.LogOp, complex.LogOp),
    "stablehlo.log_plus_one": _floats(math.Log1pOp, complex.Log1pOp),
    "stablehlo.logistic": _by_kind({_F: _logistic}),
    "stablehlo.maximum": _by_kind(
        {
            _B: arith.OrIOp,
            _S: arith.MaxSIOp,
            _U: arith.MaxUIOp,
            _F: arith.MaximumfOp,
        }
    ),
    "stablehlo.minimum": _by_kind(
        {
            _B: arith.AndIOp,
            _S: arith.MinSIOp,
            _U: arith.MinUIOp,
            _F: arith.MinimumfOp,
        }
    ),
    "stablehlo.multiply": _by_kind(
        {
            _B: arith.AndIOp,
            _S: arith.MuliOp,
            _U: arith.MuliOp,
            _F: arith.MulfOp,
            _C: _complex(complex.MulOp),
        }
    ),
    "stablehlo.negate": _by_kind(
        {_S: _negate, _U: _negate, _F: arith.NegfOp, _C: _complex(complex.NegOp)}
    ),
    "stablehlo.not": _integers(_not),
    "stablehlo.or": _integers(arith.OrIOp),
    "stablehlo.popcnt": _integers(math.CtPopOp),
    "stablehlo.power": _by_kind(
        {
            _S: _power(is_signed=True),
            _U: _power(is_signed=False),
            _F: math.PowFOp,
            _C: _complex(complex.PowOp),
        }
    ),
    "stablehlo.real": _part(complex.ReOp),
    "stablehlo.reduce_precision": reduce_precision,
    "stablehlo.remainder": _by_kind(
        {
            _S: _remainder(is_signed=True),
            _U: _remainder(is_signed=False),
            _F: RemFOp,
        }
    ),
    "stablehlo.round_nearest_afz": _floats(math.RoundOp),
    "stablehlo.round_nearest_even": _floats(math.RoundEvenOp),
    "stablehlo.rsqrt": _floats(math.RsqrtOp, complex.RsqrtOp),
    "stablehlo.select": _select,
    "stablehlo.shift_left": _integers(_shift("left")),
    "stablehlo.shift_right_arithmetic": _integers(_shift("arithmetic")),
    "stablehlo.shift_right_logical": _integers(_shift("logical")),
    "stablehlo.sign": _by_kind(
        {
            _S: _sign(is_signed=True),
            _U: _sign(is_signed=False),
            _F: _float_sign,
            _C: _complex(complex.SignOp),
        }
    ),
    "stablehlo.sine": _floats(math.SinOp, complex.SinOp),
    "stablehlo.sqrt": _floats(math.SqrtOp, complex.SqrtOp),
    "stablehlo.subtract": _by_kind(
        {
            _S: arith.SubiOp,
            _U: arith.SubiOp,
            _F: arith.SubfOp,
            _C: _complex(complex.SubOp),
        }
    ),
    "stablehlo.tan": _floats(math.TanOp, complex.TanOp),
    "stablehlo.tanh": _floats(math.TanhOp, complex.TanhOp),
    "stablehlo.xor": _integers(arith.XOrIOp),
    "chlo.next_after": next_after,
    **FUNCTIONS,
}
"""What writes one element, by the name of the op."""
