"""Functions of CHLO, of one element each.

    chlo.erf   ->   math.erf              chlo.square   ->   arith.mulf %x, %x
    chlo.erf_inv                          polynomials, in f32 and f64

Source: M. Giles, Approximating the erfinv function, GPU Computing Gems (2010), tables
5 and 6.
"""

from collections.abc import Callable, Sequence
from math import inf
from typing import Any, Final, TypeAlias, cast

from xdsl.dialects import arith, complex, math
from xdsl.dialects.builtin import Float32Type, Float64Type, IntegerType
from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.dialects.math import ErfcOp
from xdsl_bufferization.dialects.stablehlo.syntax import StableHLOOp
from xdsl_bufferization.support.errors import fail_at

from . import complex_functions
from .bessel import bessel_i1e
from .element_builder import ElementBuilder
from .gamma import digamma, lgamma, polygamma, zeta
from .types import Kind, kind_of

_Scalar: TypeAlias = Callable[
    [StableHLOOp, ElementBuilder, Sequence[SSAValue]], SSAValue
]
_Real: TypeAlias = Callable[..., SSAValue]
"""From `ElementBuilder` and numbers of one type to a number of the type."""


def _real(write: _Real | type[Operation]) -> _Scalar:
    """A function of real numbers; fewer than 32 bits are widened first."""

    def function(
        op: StableHLOOp, code: ElementBuilder, args: Sequence[SSAValue]
    ) -> SSAValue:
        if kind_of(op, op.element()) is not Kind.FLOAT:
            fail_at(op, f"'{op.name}' of {op.element()} is not lowered")
        if isinstance(write, type):
            return code.value(cast(Any, write)(*args))
        type_ = args[0].type
        if isinstance(type_, Float32Type | Float64Type):
            return write(code, *args)
        wide = [code.value(arith.ExtFOp(each, Float32Type())) for each in args]
        return code.value(arith.TruncFOp(write(code, *wide), cast(Any, type_)))

    return function


def _number(
    op_type: type[Operation], of_complex: complex_functions.ComplexFunction
) -> _Scalar:
    """A function of real numbers, and of complex ones."""
    real = _real(op_type)

    def function(
        op: StableHLOOp, code: ElementBuilder, args: Sequence[SSAValue]
    ) -> SSAValue:
        if kind_of(op, op.element()) is Kind.COMPLEX:
            return complex_functions.apply(of_complex, code, args[0])
        return real(op, code, args)

    return function


def _square(
    op: StableHLOOp, code: ElementBuilder, args: Sequence[SSAValue]
) -> SSAValue:
    (x,) = args
    if kind_of(op, op.element()) is Kind.COMPLEX:
        return code.value(complex.MulOp.create(operands=[x, x], result_types=[x.type]))
    return code.multiply(x, x)


def _tangent(
    op: StableHLOOp, code: ElementBuilder, args: Sequence[SSAValue]
) -> SSAValue:
    (x,) = args
    if kind_of(op, op.element()) is Kind.COMPLEX:
        return code.value(complex.TanOp.create(operands=[x], result_types=[x.type]))
    return _real(math.TanOp)(op, code, args)


def _conjugate(
    op: StableHLOOp, code: ElementBuilder, args: Sequence[SSAValue]
) -> SSAValue:
    (x,) = args
    if kind_of(op, op.element()) is not Kind.COMPLEX:
        return x
    return code.value(complex.ConjOp.create(operands=[x], result_types=[x.type]))


def _is_infinite(*signs: float) -> _Scalar:
    def function(
        op: StableHLOOp, code: ElementBuilder, args: Sequence[SSAValue]
    ) -> SSAValue:
        if kind_of(op, op.element()) is not Kind.FLOAT:
            fail_at(op, f"'{op.name}' of {op.element()} is not lowered")
        (x,) = args
        result = code.number(0, IntegerType(1))
        for sign in signs:
            bound = code.number(sign * inf, x.type)
            is_it = code.compare("oeq", x, bound)
            result = code.value(arith.OrIOp(result, is_it))
        return result

    return function


# The inverse of the error function.

_ERF_INV_32: Final = (
    (
        2.81022636e-08,
        3.43273939e-07,
        -3.5233877e-06,
        -4.39150654e-06,
        0.00021858087,
        -0.00125372503,
        -0.00417768164,
        0.246640727,
        1.50140941,
    ),
    (
        -0.000200214257,
        0.000100950558,
        0.00134934322,
        -0.00367342844,
        0.00573950773,
        -0.0076224613,
        0.00943887047,
        1.00167406,
        2.83297682,
    ),
)
"""For w below 5, of w - 2.5; above, of sqrt(w) - 3."""

_ERF_INV_64: Final = (
    (
        -3.6444120640178196996e-21,
        -1.685059138182016589e-19,
        1.2858480715256400167e-18,
        1.115787767802518096e-17,
        -1.333171662854620906e-16,
        2.0972767875968561637e-17,
        6.6376381343583238325e-15,
        -4.0545662729752068639e-14,
        -8.1519341976054721522e-14,
        2.6335093153082322977e-12,
        -1.2975133253453532498e-11,
        -5.4154120542946279317e-11,
        1.051212273321532285e-09,
        -4.1126339803469836976e-09,
        -2.9070369957882005086e-08,
        4.2347877827932403518e-07,
        -1.3654692000834678645e-06,
        -1.3882523362786468719e-05,
        0.0001867342080340571352,
        -0.00074070253416626697512,
        -0.0060336708714301490533,
        0.24015818242558961693,
        1.6536545626831027356,
    ),
    (
        2.2137376921775787049e-09,
        9.0756561938885390979e-08,
        -2.7517406297064545428e-07,
        1.8239629214389227755e-08,
        1.5027403968909827627e-06,
        -4.013867526981545969e-06,
        2.9234449089955446044e-06,
        1.2475304481671778723e-05,
        -4.7318229009055733981e-05,
        6.8284851459573175448e-05,
        2.4031110387097893999e-05,
        -0.0003550375203628474796,
        0.00095328937973738049703,
        -0.0016882755560235047313,
        0.0024914420961078508066,
        -0.0037512085075692412107,
        0.005370914553590063617,
        1.0052589676941592334,
        3.0838856104922207635,
    ),
    (
        -2.7109920616438573243e-11,
        -2.5556418169965252055e-10,
        1.5076572693500548083e-09,
        -3.7894654401267369937e-09,
        7.6157012080783393804e-09,
        -1.4960026627149240478e-08,
        2.9147953450901080826e-08,
        -6.7711997758452339498e-08,
        2.2900482228026654717e-07,
        -9.9298272942317002539e-07,
        4.5260625972231537039e-06,
        -1.9681778105531670567e-05,
        7.5995277030017761139e-05,
        -0.00021503011930044477347,
        -0.00013871931833623122026,
        1.0103004648645343977,
        4.8499064014085844221,
    ),
)
"""For w below 6.25, of w - 3.125; to 16, of sqrt(w) - 3.25; above, of sqrt(w) - 5."""


def _erf_inv(code: ElementBuilder, x: SSAValue) -> SSAValue:
    type_ = x.type
    minus_square = code.value(arith.NegfOp(code.multiply(x, x)))
    w = code.value(arith.NegfOp(code.value(math.Log1pOp(minus_square))))
    root = code.value(math.SqrtOp(w))

    def branch(offset: float, of: SSAValue, table: Sequence[float]) -> SSAValue:
        moved = code.subtract(of, code.number(offset, type_))
        return code.polynomial(moved, table)

    def below(bound: float) -> SSAValue:
        return code.compare("olt", w, code.number(bound, type_))

    if isinstance(type_, Float32Type):
        low, high = _ERF_INV_32
        factor = code.select(below(5.0), branch(2.5, w, low), branch(3.0, root, high))
    else:
        low, middle, high = _ERF_INV_64
        upper = code.select(
            below(16.0), branch(3.25, root, middle), branch(5.0, root, high)
        )
        factor = code.select(below(6.25), branch(3.125, w, low), upper)
    one = code.number(1.0, type_)
    is_one = code.compare("oeq", code.value(math.AbsFOp(x)), one)
    factor = code.select(is_one, code.number(inf, type_), factor)
    return code.multiply(factor, x)


FUNCTIONS: Final[dict[str, _Scalar]] = {
    "chlo.acos": _number(math.AcosOp, complex_functions.acos),
    "chlo.acosh": _number(math.AcoshOp, complex_functions.acosh),
    "chlo.asin": _number(math.AsinOp, complex_functions.asin),
    "chlo.asinh": _number(math.AsinhOp, complex_functions.asinh),
    "chlo.atan": _number(math.AtanOp, complex_functions.atan),
    "chlo.atanh": _number(math.AtanhOp, complex_functions.atanh),
    "chlo.bessel_i1e": _real(bessel_i1e),
    "chlo.conj": _conjugate,
    "chlo.cosh": _number(math.CoshOp, complex_functions.cosh),
    "chlo.digamma": _real(digamma),
    "chlo.erf": _real(math.ErfOp),
    "chlo.erf_inv": _real(_erf_inv),
    "chlo.erfc": _real(ErfcOp),
    "chlo.is_inf": _is_infinite(1.0, -1.0),
    "chlo.is_neg_inf": _is_infinite(-1.0),
    "chlo.is_pos_inf": _is_infinite(1.0),
    "chlo.lgamma": _real(lgamma),
    "chlo.polygamma": _real(polygamma),
    "chlo.sinh": _number(math.SinhOp, complex_functions.sinh),
    "chlo.square": _square,
    "chlo.tan": _tangent,
    "chlo.zeta": _real(zeta),
}
"""What writes one element, by the name of the op."""
