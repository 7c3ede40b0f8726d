"""Functions of complex numbers: how exact they are, and what infinities give.

The results are compared with NumPy's in a wider type. NumPy calls the C library, which
follows annex G of the C standard.
"""

from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

import numpy as np
import pytest
from harness.cases.complex_numbers import ARITHMETIC, FUNCTIONS, REAL_FUNCTIONS
from numpy.typing import NDArray

from xdsl_bufferization import parse
from xdsl_bufferization.pipelines.compile import compile_module
from xdsl_bufferization.runtime.engine import CompiledModule
from xdsl_bufferization.support.errors import OperationError

Array = NDArray[Any]

OPS: dict[str, Callable[..., Any]] = {**FUNCTIONS, **REAL_FUNCTIONS, **ARITHMETIC}

UNITS = {"f32": 1.0, "f64": 4.0}
"""The largest error, in units of the last place of the larger part."""

LESS_EXACT = {"pow": 40.0, "atan2": 100.0, "log1p": 100.0}
"""Of f64: the angle of a power is a product, and NumPy's `log1p` is no better."""

TYPES: dict[str, tuple[Any, Any]] = {
    "f32": (np.float32, np.complex64),
    "f64": (np.float64, np.complex128),
}


@pytest.fixture(scope="module", params=["f32", "f64"])
def program(request: pytest.FixtureRequest) -> tuple[str, CompiledModule]:
    """The type of the parts, and a function of arrays for each op."""
    part: str = request.param
    text = "".join(_function(op, part) for op in OPS)
    return part, compile_module(parse(text))


def _function(op: str, part: str) -> str:
    number = f"complex<{part}>"
    result = part if op in REAL_FUNCTIONS else number
    count = 2 if op in ARITHMETIC else 1
    names = [f"%x{n}" for n in range(count)]
    maps = ", ".join(["affine_map<(d0) -> (d0)>"] * (count + 1))
    buffers = [*[f"memref<?x{number}>"] * count, f"memref<?x{result}>"]
    parameters = [f"{name}: {buffers[0]}" for name in names]
    elements = [f"%a{n}: {number}" for n in range(count)]
    operands = ", ".join(f"%a{n}" for n in range(count))
    return f"""
    func.func @op_{op}({", ".join(parameters)}, %out: {buffers[-1]}) {{
      linalg.generic {{indexing_maps = [{maps}], iterator_types = ["parallel"]}}
        ins({", ".join(names)} : {", ".join(buffers[:-1])})
        outs(%out : {buffers[-1]}) {{
      ^bb0({", ".join(elements)}, %o: {result}):
        %r = complex.{op} {operands} : {number}
        linalg.yield %r : {result}
      }}
      func.return
    }}"""


def _apply(program: CompiledModule, part: str, op: str, *operands: Array) -> Array:
    real, number = TYPES[part]
    out = np.empty(operands[0].shape, real if op in REAL_FUNCTIONS else number)
    program[f"op_{op}"](*operands, out)
    return out


@pytest.mark.parametrize("op", OPS)
@pytest.mark.parametrize("scale", [1e-3, 1.0, 15.0])
def test_random_numbers(
    program: tuple[str, CompiledModule], op: str, scale: float
) -> None:
    part, compiled = program
    number = TYPES[part][1]
    rng = np.random.default_rng(len(op))
    operands = [
        ((rng.normal(size=2000) + 1j * rng.normal(size=2000)) * scale).astype(number)
        for _ in range(2 if op in ARITHMETIC else 1)
    ]
    if op == "pow":
        operands[1] = (operands[1] / scale).astype(number)
    got = _apply(compiled, part, op, *operands)
    wide = np.complex128 if part == "f32" else np.clongdouble
    want = OPS[op](*(each.astype(wide) for each in operands))
    unit = np.finfo(got.dtype).eps * np.abs(want)
    allowed = UNITS[part] if part == "f32" else LESS_EXACT.get(op, UNITS[part])
    assert np.all(np.abs(got - want) <= allowed * unit)


SPECIAL = (0.0, -0.0, 1.0, -1.0, 0.5, -2.5, np.inf, -np.inf, np.nan)
RANGE = {
    "f32": (1e30, -3e38, 1e-30, -1e-45, 88.8, -104.0),
    "f64": (1e300, -1.7e308, 1e-300, -745.0, 711.0),
}

OURS: dict[str, Callable[[complex], bool]] = {
    # NumPy has NaN for e^inf - 1, and loses small numbers.
    "expm1": lambda z: not np.isfinite(np.exp(z)) or bool(np.isinf(z.real)),
    "log1p": lambda z: not 1e-20 < np.abs(z) < 1e308,
    # Of infinities MLIR says what a root gives; NumPy divides by one.
    "rsqrt": lambda z: bool(np.isinf(z)) or z == 0,
    # The standard leaves the sign of the infinity open.
    "sin": lambda z: bool(np.isinf(z.imag)) and not np.isfinite(z.real),
    "sign": lambda z: not 1e-290 < np.abs(z) < 1e300,
}
"""Where NumPy is no reference."""


def _special(part: str) -> Array:
    parts = (*SPECIAL, *RANGE[part])
    pairs = np.array([*product(parts, repeat=2)], TYPES[part][0])
    return pairs.view(TYPES[part][1]).ravel()


@pytest.mark.parametrize("op", sorted({*FUNCTIONS, *REAL_FUNCTIONS}))
def test_infinities_and_numbers_at_the_ends_of_the_range(
    program: tuple[str, CompiledModule], op: str
) -> None:
    part, compiled = program
    numbers = _special(part)
    got = _apply(compiled, part, op, numbers)
    with np.errstate(all="ignore"):
        want = np.asarray(OPS[op](numbers.astype(np.complex128))).astype(got.dtype)
        wrong = [
            (z, a, b)
            for z, a, b in zip(numbers, got, want, strict=True)
            if not OURS.get(op, lambda _: False)(complex(z)) and not _same(a, b)
        ]
    assert wrong == []


def _same(got: Any, want: Any) -> bool:
    """Whether both parts agree; a part is small if the other is larger."""
    size = abs(want) if np.isfinite(want) else np.inf
    parts = ((got.real, want.real), (got.imag, want.imag))
    return all(_same_part(a, b, size) for a, b in parts)


def _same_part(got: Any, want: Any, size: float) -> bool:
    if np.isnan(want) or np.isinf(want) or not np.isfinite(got):
        return bool(got == want or (np.isnan(got) and np.isnan(want)))
    limit = min(size, abs(want)) if np.isinf(size) else size
    tiny = np.finfo(got.dtype).smallest_subnormal
    # A subnormal number times one that is nearly too large has few digits.
    return bool(abs(got - want) <= 64 * np.finfo(got.dtype).eps * limit + 8 * tiny) or (
        np.isinf(size) and abs(want) < 1e-10 and abs(got) < 1e-10
    )


def test_signs_of_zeros_are_those_of_the_c_library(
    program: tuple[str, CompiledModule],
) -> None:
    part, compiled = program
    numbers = np.array(
        [complex(x, y) for x in (2.0, -2.0, 0.0, -0.0) for y in (0.0, -0.0)],
        TYPES[part][1],
    )
    for op in ("exp", "log", "sqrt", "sin", "cos", "tan", "tanh", "conj", "neg"):
        got = _apply(compiled, part, op, numbers)
        with np.errstate(all="ignore"):
            want = OPS[op](numbers)
        for part_of in (np.real, np.imag):
            a, b = part_of(got), part_of(want)
            np.testing.assert_array_equal(np.signbit(a), np.signbit(b), op)


QUOTIENTS: list[tuple[complex, complex, complex]] = [
    (1 + 1j, 0j, complex(np.inf, np.inf)),
    (-1 + 0j, 0j, complex(-np.inf, np.nan)),
    (complex(np.inf, 1), 2 + 3j, complex(np.inf, -np.inf)),
    (1 + 1j, complex(np.inf, 1), 0j),
    (1 + 1j, complex(np.inf, np.inf), 0j),
    (complex(np.inf, np.nan), 1 + 1j, complex(np.inf, -np.inf)),
    (complex(np.nan, 0), 1 + 0j, complex(np.nan, np.nan)),
    (1e30 + 1e30j, 1e30 + 1e30j, 1 + 0j),
]
"""Dividends, divisors, and the quotients of annex G, example 2."""


@pytest.mark.parametrize(("dividend", "divisor", "quotient"), QUOTIENTS)
def test_quotients(
    program: tuple[str, CompiledModule],
    dividend: complex,
    divisor: complex,
    quotient: complex,
) -> None:
    part, compiled = program
    a, b = (np.array([each], TYPES[part][1]) for each in (dividend, divisor))
    (got,) = _apply(compiled, part, "div", a, b)
    np.testing.assert_array_equal([got.real, got.imag], [quotient.real, quotient.imag])


@pytest.mark.parametrize(
    ("dividend", "divisor", "quotient"),
    [
        (1e300 + 1e300j, 1e300 + 1e300j, 1),
        (1e-300 + 1e-300j, 1e-300 + 1e-300j, 1),
        (1 + 1j, 1e-160 + 3e-160j, 0.4e160 - 0.2e160j),
    ],
)
def test_quotients_do_not_overflow(
    dividend: complex, divisor: complex, quotient: complex
) -> None:
    compiled = compile_module(parse(_function("div", "f64")))
    a, b = np.array([dividend]), np.array([divisor])
    (got,) = _apply(compiled, "f64", "div", a, b)
    assert abs(got - quotient) <= 1e-15 * abs(quotient)


def _powers() -> Iterator[tuple[complex, complex, complex]]:
    for base in (0j, 1 + 0j, 2j, complex(np.inf, 0)):
        yield base, 0j, 1
    for exponent in (1 + 0j, 2.5 + 0j):
        yield 0j, exponent, 0
        yield 1 + 0j, exponent, 1
        yield complex(np.inf, 0), exponent, np.inf
        yield complex(np.inf, 0), -exponent, 0
    yield 1 + 0j, 3 - 7j, 1


@pytest.mark.parametrize(("base", "exponent", "power"), [*_powers()])
def test_powers_of_zero_one_and_infinity_are_mlirs(
    program: tuple[str, CompiledModule],
    base: complex,
    exponent: complex,
    power: complex,
) -> None:
    part, compiled = program
    a, b = (np.array([each], TYPES[part][1]) for each in (base, exponent))
    assert _apply(compiled, part, "pow", a, b) == [power]


def test_complex_parts_have_types_of_numbers() -> None:
    text = "func.func private @f(%m: memref<4xcomplex<f128>>) { return }"
    with pytest.raises(OperationError, match="memory of complex<f128> elements cannot"):
        compile_module(parse(text))


@pytest.mark.parametrize("element", ["complex<f16>", "complex<bf16>", "complex<i32>"])
def test_callers_cannot_give_other_complex_numbers(element: str) -> None:
    text = f"func.func @f(%m: memref<4x{element}>) {{ return }}"
    with pytest.raises(OperationError, match="which Python cannot exchange"):
        compile_module(parse(text))
