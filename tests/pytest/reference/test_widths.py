"""Integers of every width, and bits of every type."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

Run = Callable[..., list[Any]]

WIDTHS = (1, 2, 3, 4, 7, 8, 9, 16, 24, 31, 32, 33, 63, 64, 65, 100, 128)


def signed(number: int, width: int) -> int:
    half = 1 << (width - 1)
    return (number + half) % (2 * half) - half


def edges(width: int) -> list[int]:
    half = 1 << (width - 1)
    return sorted({signed(n, width) for n in (0, 1, -1, 2, -2, half, half - 1, 5, 11)})


def pairs(width: int) -> list[tuple[int, int]]:
    return [(a, b) for a in edges(width) for b in edges(width)]


def truncated(a: int, b: int) -> int:
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


SIGNED: dict[str, Callable[[int, int], int]] = {
    "addi": lambda a, b: a + b,
    "subi": lambda a, b: a - b,
    "muli": lambda a, b: a * b,
    "andi": lambda a, b: a & b,
    "ori": lambda a, b: a | b,
    "xori": lambda a, b: a ^ b,
    "maxsi": max,
    "minsi": min,
    "divsi": truncated,
    "floordivsi": lambda a, b: a // b,
    "ceildivsi": lambda a, b: -(-a // b),
    "remsi": lambda a, b: a - b * truncated(a, b),
}
UNSIGNED: dict[str, Callable[[int, int], int]] = {
    "maxui": max,
    "minui": min,
    "divui": lambda a, b: a // b,
    "ceildivui": lambda a, b: -(-a // b),
    "remui": lambda a, b: a % b,
}
SHIFTS: dict[str, Callable[[int, int, int], int]] = {
    "shli": lambda a, b, _: a << b,
    "shrsi": lambda a, b, _: a >> b,
    "shrui": lambda a, b, width: a % (1 << width) >> b,
}


def constant(name: str, value: int, width: int) -> str:
    """A number; one of a single bit has no sign in MLIR's text."""
    text = str(value) if width > 1 else ("true" if value else "false")
    return f"%{name} = arith.constant {text}" + (f" : i{width}" if width > 1 else "")


def apply(run: Run, op: str, width: int, operands: list[tuple[int, int]]) -> list[int]:
    """What an op gives for each pair of operands, as elements of vectors."""
    count = range(len(operands))
    type_ = f"vector<{len(operands)}xi{width}>"
    lines = [
        constant(f"{name}{n}", value, width)
        for n, pair in enumerate(operands)
        for name, value in zip("ab", pair, strict=True)
    ]
    lines += [
        f"%{name} = vector.from_elements {', '.join(f'%{name}{n}' for n in count)}"
        f" : {type_}"
        for name in "ab"
    ]
    body = "\n".join([*lines, f"%r = arith.{op} %a, %b : {type_}"])
    (result,) = run(f"func.func @f() -> {type_} {{\n{body}\nreturn %r : {type_}\n}}")
    return [-int(each) if width == 1 else int(each) for each in result]


def expected(op: str, a: int, b: int, width: int) -> int:
    """By Python's integers."""
    if op in SHIFTS:
        return signed(SHIFTS[op](a, b, width), width)
    if op in UNSIGNED:
        modulus = 1 << width
        return signed(UNSIGNED[op](a % modulus, b % modulus), width)
    return signed(SIGNED[op](a, b), width)


def is_defined(op: str, a: int, b: int, width: int) -> bool:
    if op in SHIFTS:
        return 0 <= b < width
    if "div" in op or "rem" in op:
        return b != 0 and (a, b) != (-(1 << (width - 1)), -1)
    return True


@pytest.mark.parametrize("width", WIDTHS)
def test_arithmetic(run: Run, width: int):
    for op in (*SIGNED, *UNSIGNED, *SHIFTS):
        operands = [each for each in pairs(width) if is_defined(op, *each, width)]
        if operands:
            wanted = [expected(op, *each, width) for each in operands]
            assert apply(run, op, width, operands) == wanted, op


def test_a_tensor_of_two_bits(run: Run):
    """Truncated, added, compared, extended, summed and inserted into."""
    text = """
    func.func @f(%t: tensor<8xi32>) -> (tensor<8xi32>, tensor<8xi32>, i32) {
      %c0 = arith.constant 0 : index
      %one = arith.constant 1 : i2
      %zero = arith.constant dense<0> : tensor<i2>
      %n = arith.trunci %t : tensor<8xi32> to tensor<8xi2>
      %i = tensor.insert %one into %n[%c0] : tensor<8xi2>
      %s = arith.addi %n, %i : tensor<8xi2>
      %u = arith.extui %s : tensor<8xi2> to tensor<8xi32>
      %v = arith.extsi %s : tensor<8xi2> to tensor<8xi32>
      %r = linalg.reduce { arith.addi } ins(%s : tensor<8xi2>) outs(%zero : tensor<i2>)
        dimensions = [0]
      %e = tensor.extract %r[] : tensor<i2>
      %x = arith.extui %e : i2 to i32
      return %u, %v, %x : tensor<8xi32>, tensor<8xi32>, i32
    }"""
    numbers = np.arange(-4, 4, dtype=np.int32)
    both = numbers + np.where(np.arange(8) == 0, 1, numbers)
    unsigned, with_sign, total = run(text, numbers)
    assert unsigned.tolist() == (both % 4).tolist()
    assert with_sign.tolist() == [signed(int(each), 2) for each in both]
    assert total == both.sum() % 4


@pytest.mark.parametrize("width", [4, 24, 40, 128])
def test_constants_and_casts(run: Run, width: int):
    half = 1 << (width - 1)
    text = f"""
    func.func @f() -> (tensor<3xi{width}>, tensor<3xf64>, tensor<3xf64>) {{
      %t = arith.constant dense<[{-half}, {half - 1}, -3]> : tensor<3xi{width}>
      %s = arith.sitofp %t : tensor<3xi{width}> to tensor<3xf64>
      %u = arith.uitofp %t : tensor<3xi{width}> to tensor<3xf64>
      return %t, %s, %u : tensor<3xi{width}>, tensor<3xf64>, tensor<3xf64>
    }}"""
    if width > 64:
        # xDSL packs no such constants.
        text = text.replace(
            f"arith.constant dense<[{-half}, {half - 1}, -3]> : tensor<3xi{width}>",
            "tensor.from_elements %a, %b, %c : tensor<3xi128>",
        ).replace(
            "%t = tensor",
            f"%a = arith.constant {-half} : i128\n%b = arith.constant {half - 1} : i128"
            "\n%c = arith.constant -3 : i128\n%t = tensor",
        )
    numbers = [-half, half - 1, -3]
    values, with_sign, without = run(text)
    assert [int(each) for each in values] == numbers
    assert with_sign.tolist() == [float(each) for each in numbers]
    assert without.tolist() == [float(each % (2 * half)) for each in numbers]


def test_a_wide_number_fills_a_tensor(run: Run):
    text = """
    func.func @f(%n: i128) -> tensor<2xi128> {
      %empty = tensor.empty() : tensor<2xi128>
      %0 = linalg.fill ins(%n : i128) outs(%empty : tensor<2xi128>) -> tensor<2xi128>
      return %0 : tensor<2xi128>
    }"""
    (result,) = run(text, 1 << 100)
    assert result.tolist() == [1 << 100] * 2


@pytest.mark.parametrize(
    ("source", "target", "number", "expected"),
    [
        ("f32", "i32", 1.0, 0x3F800000),
        ("bf16", "i16", 1.0, 0x3F80),
        ("i16", "bf16", 0x4000, 2.0),
        ("bf16", "f16", 2.0, 2.0),
        ("f64", "i64", -0.0, -(2**63)),
    ],
)
def test_bits(run: Run, source: str, target: str, number: float, expected: float):
    (result,) = run(
        f"""
    func.func @f(%t: tensor<1x{source}>) -> (tensor<1x{target}>) {{
      %0 = tensor.bitcast %t : tensor<1x{source}> to tensor<1x{target}>
      return %0 : tensor<1x{target}>
    }}""",
        np.array([number], np.int16 if source == "i16" else NUMPY[source]),
    )
    assert result.tolist() == [expected]


NUMPY: dict[str, Any] = {"f32": np.float32, "bf16": np.float32, "f64": np.float64}


@pytest.mark.parametrize(
    ("number", "expected"),
    [
        # Nearest f32 first, 1 + 3 * 2**-8 is a tie, which rounds up.
        (1 + 3 * 2.0**-8 - 2.0**-40, 1 + 2.0**-7),
        (1 + 2.0**-8 + 2.0**-40, 1 + 2.0**-7),
        (1 + 2.0**-8, 1.0),
    ],
)
def test_bf16_is_rounded_once(run: Run, number: float, expected: float):
    text = """
    func.func @f(%x: f64) -> bf16 {
      %r = arith.truncf %x : f64 to bf16
      return %r : bf16
    }"""
    assert run(text, np.float64(number)) == [expected]
    words = round(number * 2**40)
    text = """
    func.func @f(%n: i64) -> bf16 {
      %r = arith.sitofp %n : i64 to bf16
      return %r : bf16
    }"""
    assert run(text, np.int64(words)) == [expected * 2.0**40]


@pytest.mark.parametrize(
    ("op", "values", "expected"),
    [
        ("math.round", [0.49999997, 8388609.0, -2.5], [0.0, 8388609.0, -3.0]),
        ("math.ipowi", [(2, -1), (2, 3), (-1, -3), (3, 70)], [0, 8, -1, 3**70]),
        ("arith.maximumf", [(0.0, -0.0), (-0.0, 0.0)], [0.0, 0.0]),
        ("arith.minimumf", [(0.0, -0.0), (-0.0, 0.0)], [-0.0, -0.0]),
    ],
)
def test_numbers_at_the_edges(run: Run, op: str, values: Any, expected: Any):
    type_ = "i64" if op == "math.ipowi" else "f32"
    dtype = np.int64 if type_ == "i64" else np.float32
    rows = np.array(values, dtype).reshape(len(values), -1)
    names = ["%a", "%b"][: rows.shape[1]]
    parameters = ", ".join(f"{name}: tensor<?x{type_}>" for name in names)
    (result,) = run(
        f"""
    func.func @f({parameters}) -> tensor<?x{type_}> {{
      %r = {op} {", ".join(names)} : tensor<?x{type_}>
      return %r : tensor<?x{type_}>
    }}""",
        *(column.copy() for column in rows.T),
    )
    if type_ == "i64":
        assert result.tolist() == [signed(each, 64) for each in expected]
    else:
        wanted = np.array(expected, np.float32)
        assert result.view(np.int32).tolist() == wanted.view(np.int32).tolist()
