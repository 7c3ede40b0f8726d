"""Cases of the ops on numbers: arith, math, index, ub."""

import math
from collections.abc import Callable, Sequence
from itertools import product
from typing import Any

import numpy as np

from harness.cases.case import Binary, Cases, Elementwise, Unary, elementwise_case
from xdsl_bufferization.runtime.engine import CompiledModule

CASES = Cases()

_INTEGERS = (0, 1, -1, 7, -7, 100, -128, 127)
_FLOATS = (0.0, -0.0, 1.0, -1.5, 2.5, 3.25, 1e-3, -70.0, math.inf, -math.inf, math.nan)
_Pairs = tuple[tuple[int, ...], ...]
_PAIRS: _Pairs = tuple(product(_INTEGERS, repeat=2))
_DIVISIONS: _Pairs = tuple((a, b) for a, b in _PAIRS if b and (a, b) != (-128, -1))
_SHIFTS: _Pairs = tuple(product(_INTEGERS, (0, 1, 5, 7)))
_FLOAT_PAIRS = tuple(product(_FLOATS, repeat=2))


def _unsigned(value: Any) -> int:
    return int(value) & (1 << 8 * value.dtype.itemsize) - 1


def _of_unsigned(function: Callable[[int, int], int]) -> Binary:
    return lambda a, b: function(_unsigned(a), _unsigned(b))


def _wrapped(function: Callable[[int, int], int]) -> Binary:
    """A function of numbers of 8 bits, whose result wraps around."""
    return lambda a, b: (function(int(a), int(b)) + 128) % 256 - 128


def _wrapped_unsigned(function: Callable[[int, int], int]) -> Binary:
    """As `_wrapped`, of numbers without signs."""
    return lambda a, b: (function(_unsigned(a), _unsigned(b)) + 128) % 256 - 128


def _of_float(function: Callable[[float], float]) -> Unary:
    return lambda x: function(float(x))


def _quotient(a: int, b: int) -> int:
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


_INTEGER_OPS: dict[str, tuple[Callable[[int, int], int], _Pairs]] = {
    "addi": (lambda a, b: a + b, _PAIRS),
    "subi": (lambda a, b: a - b, _PAIRS),
    "muli": (lambda a, b: a * b, _PAIRS),
    "andi": (lambda a, b: a & b, _PAIRS),
    "ori": (lambda a, b: a | b, _PAIRS),
    "xori": (lambda a, b: a ^ b, _PAIRS),
    "maxsi": (lambda a, b: max(a, b), _PAIRS),
    "minsi": (lambda a, b: min(a, b), _PAIRS),
    "shli": (lambda a, b: a << b, _SHIFTS),
    "shrsi": (lambda a, b: a >> b, _SHIFTS),
    "divsi": (_quotient, _DIVISIONS),
    "remsi": (lambda a, b: a - b * _quotient(a, b), _DIVISIONS),
    "floordivsi": (lambda a, b: a // b, _DIVISIONS),
    "ceildivsi": (lambda a, b: -(-a // b), _DIVISIONS),
}
_UNSIGNED_OPS: dict[str, tuple[Callable[[int, int], int], _Pairs]] = {
    "maxui": (lambda a, b: max(a, b), _PAIRS),
    "minui": (lambda a, b: min(a, b), _PAIRS),
    "shrui": (lambda a, b: a >> b, _SHIFTS),
    "divui": (lambda a, b: a // b, _DIVISIONS),
    "remui": (lambda a, b: a % b, _DIVISIONS),
    "ceildivui": (lambda a, b: -(-a // b), _DIVISIONS),
}

_COMPARISONS: dict[str, Binary] = {
    "eq": lambda a, b: a == b,
    "ne": lambda a, b: a != b,
    "slt": lambda a, b: a < b,
    "sle": lambda a, b: a <= b,
    "sgt": lambda a, b: a > b,
    "sge": lambda a, b: a >= b,
    "ult": _of_unsigned(lambda a, b: a < b),
    "ule": _of_unsigned(lambda a, b: a <= b),
    "ugt": _of_unsigned(lambda a, b: a > b),
    "uge": _of_unsigned(lambda a, b: a >= b),
}

_I8 = ("i8", "i8")

CASES.append(
    elementwise_case(
        "arith_on_integers",
        [
            *(
                Elementwise(f"arith.{op} %x0, %x1 : i8", _I8, "i8", _wrapped(f), inputs)
                for op, (f, inputs) in _INTEGER_OPS.items()
            ),
            *(
                Elementwise(
                    f"arith.{op} %x0, %x1 : i8",
                    _I8,
                    "i8",
                    _wrapped_unsigned(f),
                    inputs,
                )
                for op, (f, inputs) in _UNSIGNED_OPS.items()
            ),
            *(
                Elementwise(f"arith.cmpi {p}, %x0, %x1 : i8", _I8, "i1", f, _PAIRS)
                for p, f in _COMPARISONS.items()
            ),
        ],
    )
)


_FLOAT_OPS: dict[str, Binary] = {
    "addf": lambda a, b: a + b,
    "subf": lambda a, b: a - b,
    "mulf": lambda a, b: a * b,
    "divf": np.divide,
    "remf": np.fmod,
    "maximumf": np.maximum,
    "minimumf": np.minimum,
    "maxnumf": np.fmax,
    "minnumf": np.fmin,
}

CASES.append(
    elementwise_case(
        "arith_on_floats",
        [
            *(
                Elementwise(
                    f"arith.{op} %x0, %x1 : {type}", (type,) * 2, type, f, _FLOAT_PAIRS
                )
                for op, f in _FLOAT_OPS.items()
                for type in ("f32", "f64")
            ),
            Elementwise(
                "arith.negf %x0 : f32",
                ("f32",),
                "f32",
                np.negative,
                tuple((x,) for x in _FLOATS),
            ),
            Elementwise(
                "arith.cmpf ult, %x0, %x1 : f32",
                ("f32", "f32"),
                "i1",
                lambda a, b: not a >= b,
                _FLOAT_PAIRS,
            ),
            Elementwise(
                "arith.select %x0, %x1, %x2 : f32",
                ("i1", "f32", "f32"),
                "f32",
                lambda c, a, b: a if c else b,
                ((True, 1.0, 2.0), (False, 1.0, 2.0)),
            ),
        ],
    )
)


def _singles(values: Sequence[float]) -> tuple[tuple[float], ...]:
    return tuple((value,) for value in values)


_CONVERSIONS: list[tuple[str, str, str, Unary, Sequence[float]]] = [
    ("extsi", "i8", "i32", int, _INTEGERS),
    ("extui", "i8", "i32", _unsigned, _INTEGERS),
    ("trunci", "i32", "i8", int, (5, -5, 127)),
    ("index_cast", "i8", "index", int, _INTEGERS),
    ("index_castui", "i8", "index", _unsigned, _INTEGERS),
    ("sitofp", "i8", "f32", float, _INTEGERS),
    ("uitofp", "i8", "f32", _unsigned, _INTEGERS),
    ("fptosi", "f32", "i8", int, (0.0, -0.0, 1.75, -1.75, 100.0)),
    ("fptoui", "f32", "i8", int, (0.5, 1.75, 100.0)),
    ("extf", "f32", "f64", float, _FLOATS),
    ("truncf", "f64", "f32", np.float32, _FLOATS),
    ("bitcast", "f32", "i32", lambda x: x.view(np.int32), _FLOATS),
]

CASES.append(
    elementwise_case(
        "arith_conversions",
        [
            Elementwise(
                f"arith.{op} %x0 : {source} to {target}",
                (source,),
                target,
                reference,
                _singles(inputs),
            )
            for op, source, target, reference, inputs in _CONVERSIONS
        ],
    )
)


@CASES.of("""
func.func @f(%a: i32, %b: i32) -> (i32, i1, i32, i32, i32, i32) {
  %s, %o = arith.addui_extended %a, %b : i32, i1
  %ul, %uh = arith.mului_extended %a, %b : i32
  %sl, %sh = arith.mulsi_extended %a, %b : i32
  func.return %s, %o, %ul, %uh, %sl, %sh : i32, i1, i32, i32, i32, i32
}""")
def extended_arithmetic(program: CompiledModule):
    got = tuple(int(each) for each in program["f"](-2, 3))
    product = (2**32 - 2) * 3
    low = product % 2**32 - 2**32
    assert got == (1, 1, low, product >> 32, -6, -1)


_UNARY: dict[str, Callable[[float], float]] = {
    "absf": abs,
    "acos": math.acos,
    "asin": math.asin,
    "atan": math.atan,
    "atanh": math.atanh,
    "cbrt": math.cbrt,
    "ceil": math.ceil,
    "cos": math.cos,
    "cosh": math.cosh,
    "erf": math.erf,
    "erfc": math.erfc,
    "exp": math.exp,
    "exp2": math.exp2,
    "expm1": math.expm1,
    "floor": math.floor,
    "log": math.log,
    "log10": math.log10,
    "log1p": math.log1p,
    "log2": math.log2,
    "round": lambda x: math.floor(x + 0.5),
    "roundeven": round,
    "rsqrt": lambda x: 1 / math.sqrt(x),
    "sin": math.sin,
    "sinh": math.sinh,
    "sqrt": math.sqrt,
    "tan": math.tan,
    "tanh": math.tanh,
    "trunc": math.trunc,
}

_CLASSES: dict[str, Unary] = {
    "isnan": np.isnan,
    "isinf": np.isinf,
    "isfinite": np.isfinite,
    "isnormal": lambda x: bool(np.isfinite(x) and abs(x) >= np.finfo(np.float32).tiny),
}

CASES.append(
    elementwise_case(
        "math_on_floats",
        [
            *(
                Elementwise(
                    f"math.{op} %x0 : {type}",
                    (type,),
                    type,
                    _of_float(f),
                    ((0.5,), (0.25,), (0.875,)),
                    3e-7 if type == "f32" else 1e-14,
                )
                for op, f in _UNARY.items()
                for type in ("f32", "f64")
            ),
            Elementwise(
                "math.acosh %x0 : f64",
                ("f64",),
                "f64",
                math.acosh,
                ((1.0,), (2.5,)),
                1e-14,
            ),
            Elementwise(
                "math.asinh %x0 : f64",
                ("f64",),
                "f64",
                math.asinh,
                ((-1.0,), (2.5,)),
                1e-14,
            ),
            *(
                Elementwise(
                    f"math.{op} %x0 : f32",
                    ("f32",),
                    "i1",
                    f,
                    tuple((x,) for x in (*_FLOATS, 1e-40, 3e38)),
                )
                for op, f in _CLASSES.items()
            ),
            *(
                Elementwise(
                    f"math.{op} %x0, %x1 : f64", ("f64",) * 2, "f64", f, inputs, 1e-14
                )
                for op, f, inputs in (
                    ("atan2", math.atan2, ((1.0, -2.0), (-1.0, 0.0))),
                    ("copysign", math.copysign, ((1.0, -0.0), (-2.0, 3.0))),
                    ("powf", math.pow, ((2.0, 0.5), (3.0, -2.0))),
                )
            ),
            Elementwise(
                "math.fma %x0, %x1, %x2 : f64",
                ("f64",) * 3,
                "f64",
                lambda a, b, c: a * b + c,
                ((2.0, 3.0, 4.0),),
            ),
            Elementwise(
                "math.clampf %x0 to [%x1, %x2] : f32",
                ("f32",) * 3,
                "f32",
                lambda x, low, high: min(max(x, low), high),
                tuple((x, -1.0, 2.0) for x in (-3.0, -1.0, 0.5, 2.0, 7.0)),
            ),
            *(
                Elementwise(
                    f"math.fpowi %x0, %x1 : f64, {type}",
                    ("f64", type),
                    "f64",
                    lambda x, n: float(x) ** int(n),
                    ((1.5, 3), (-2.0, -3), (2.0, 0)),
                    1e-14,
                )
                for type in ("i8", "i64")
            ),
        ],
    )
)


def _integer_power(base: int, power: int) -> int:
    if power >= 0:
        return base**power
    return {1: 1, -1: -1 if power % 2 else 1}.get(base, 0)


def _bits(value: Any) -> str:
    return f"{_unsigned(value):08b}"


_BIT_COUNTS: dict[str, Unary] = {
    "absi": abs,
    "ctpop": lambda x: _bits(x).count("1"),
    "ctlz": lambda x: 8 - len(_bits(x).lstrip("0")),
    "cttz": lambda x: 8 - len(_bits(x).rstrip("0")),
}


CASES.append(
    elementwise_case(
        "math_on_integers",
        [
            Elementwise(
                "math.ipowi %x0, %x1 : i8",
                _I8,
                "i8",
                _wrapped(_integer_power),
                tuple((a, b) for a, b in _PAIRS if a or b >= 0),
            ),
            *(
                Elementwise(
                    f"math.{op} %x0 : i8",
                    ("i8",),
                    "i8",
                    f,
                    _singles([x for x in _INTEGERS if x != -128]),
                )
                for op, f in _BIT_COUNTS.items()
            ),
        ],
    )
)


@CASES.of("""
func.func @f(%x: f64) -> (f64, f64) {
  %s, %c = math.sincos %x : f64
  func.return %s, %c : f64, f64
}""")
def sincos(program: CompiledModule):
    got = program["f"](0.75)
    np.testing.assert_allclose(got, (math.sin(0.75), math.cos(0.75)), rtol=1e-15)


_WORDS = (0, 1, -1, 7, -7, 2**40, -(2**63), 2**63 - 1)
_WORD_PAIRS: _Pairs = tuple(product(_WORDS, repeat=2))
_WORD_DIVISIONS: _Pairs = tuple((a, b) for a, b in _WORD_PAIRS if b not in (0, -1))


def _word(function: Callable[[int, int], int]) -> Binary:
    return lambda a, b: (function(int(a), int(b)) + 2**63) % 2**64 - 2**63


def _unsigned_word(function: Callable[[int, int], int]) -> Binary:
    return lambda a, b: (function(_unsigned(a), _unsigned(b)) + 2**63) % 2**64 - 2**63


_INDEX_OPS: list[tuple[str, Binary, _Pairs]] = [
    ("add", _word(lambda a, b: a + b), _WORD_PAIRS),
    ("sub", _word(lambda a, b: a - b), _WORD_PAIRS),
    ("mul", _word(lambda a, b: a * b), _WORD_PAIRS),
    ("and", _word(lambda a, b: a & b), _WORD_PAIRS),
    ("or", _word(lambda a, b: a | b), _WORD_PAIRS),
    ("xor", _word(lambda a, b: a ^ b), _WORD_PAIRS),
    ("maxs", _word(max), _WORD_PAIRS),
    ("mins", _word(min), _WORD_PAIRS),
    ("maxu", _unsigned_word(max), _WORD_PAIRS),
    ("minu", _unsigned_word(min), _WORD_PAIRS),
    ("divs", _word(_quotient), _WORD_DIVISIONS),
    ("divu", _unsigned_word(lambda a, b: a // b), _WORD_DIVISIONS),
    ("remu", _unsigned_word(lambda a, b: a % b), _WORD_DIVISIONS),
    ("rems", _word(lambda a, b: a - b * _quotient(a, b)), _WORD_DIVISIONS),
    ("floordivs", _word(lambda a, b: a // b), _WORD_DIVISIONS),
    ("ceildivs", _word(lambda a, b: -(-a // b)), _WORD_DIVISIONS),
    ("ceildivu", _unsigned_word(lambda a, b: -(-a // b)), _WORD_DIVISIONS),
    ("shl", _word(lambda a, b: a << b), ((3, 2), (-3, 62))),
    ("shrs", _word(lambda a, b: a >> b), ((-8, 1), (8, 2))),
    ("shru", _unsigned_word(lambda a, b: a >> b), ((-8, 1), (8, 2))),
]

CASES.append(
    elementwise_case(
        "index_arithmetic",
        [
            *(
                Elementwise(
                    f"index.{op} %x0, %x1",
                    ("index",) * 2,
                    "index",
                    reference,
                    tuple(inputs),
                )
                for op, reference, inputs in _INDEX_OPS
            ),
            *(
                Elementwise(
                    f"index.cmp {p}(%x0, %x1)", ("index",) * 2, "i1", f, _WORD_PAIRS
                )
                for p, f in _COMPARISONS.items()
            ),
            Elementwise(
                "index.casts %x0 : i8 to index", ("i8",), "index", int, ((-3,), (5,))
            ),
            Elementwise(
                "index.castu %x0 : i8 to index",
                ("i8",),
                "index",
                _unsigned,
                ((-3,), (5,)),
            ),
            Elementwise(
                "index.casts %x0 : index to i8",
                ("index",),
                "i8",
                lambda x: np.int64(x).astype(np.int8),
                ((-3,), (300,)),
            ),
        ],
    )
)


@CASES.of("""
func.func @f(%c: i1, %x: i32) -> (index, index, i1, i32) {
  %0 = index.constant 42
  %1 = index.sizeof
  %2 = index.bool.constant true
  %3 = ub.poison : i32
  %4 = arith.select %c, %x, %3 : i32
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  func.return %0, %1, %2, %4 : index, index, i1, i32
^bb2:
  ub.unreachable
}""")
def constants_and_undefined_behaviour(program: CompiledModule):
    assert tuple(map(int, program["f"](True, 7))) == (42, 64, 1, 7)
