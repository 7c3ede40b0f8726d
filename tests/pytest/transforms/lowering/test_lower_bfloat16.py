"""Arithmetic on bf16: every result is the nearest one, ties to even."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization.errors import OperationError
from xdsl_bufferization.pipelines.compile import compile_module

Parse = Callable[[str], ModuleOp]
Bits = NDArray[np.uint16]
Doubles = NDArray[np.float64]

COUNT = 4096
SMALLEST = 2.0**-133
SMALLEST_NORMAL = 2.0**-126
LARGEST = (2 - 2.0**-7) * 2.0**127


def numbers(bits: Bits) -> Doubles:
    return exact((bits.astype(np.uint32) << 16).view(np.float32))


def exact(x: NDArray[np.float32]) -> Doubles:
    with np.errstate(invalid="ignore"):  # NaN is no problem.
        return x.astype(np.float64)


def nearest(x: Doubles) -> Doubles:
    """The nearest numbers that bf16 has; computed from digits, not from bits."""
    fraction, exponent = np.frexp(x)
    normal = np.ldexp(np.round(fraction * 256), exponent - 8)
    small = np.round(x / SMALLEST) * SMALLEST
    rounded = np.where(np.abs(x) < SMALLEST_NORMAL, small, normal)
    return np.where(np.abs(rounded) > LARGEST, np.copysign(np.inf, x), rounded)


def random_bits(seed: int) -> Bits:
    rng = np.random.default_rng(seed)
    bits = rng.integers(0, 2**16, COUNT).astype(np.uint16)
    # Half of them near 1, where sums are not just the larger number.
    bits[::2] = rng.integers(0x3E00, 0x4200, COUNT // 2)
    bits[1::4] ^= 0x8000
    bits[:6] = (0, 0x8000, 0x7F80, 0xFF80, 0x7FC0, 0x0001)
    return bits


def evaluate(parse: Parse, body: str, *arguments: NDArray[Any], result: str = "bf16"):
    """`%r` of `body` for each element of the arguments."""
    kinds = {"uint16": "bf16", "float32": "f32", "float16": "f16"}
    types = [kinds[argument.dtype.name] for argument in arguments]
    dtype = {"bf16": np.uint16, "f32": np.float32, "i1": np.bool_, "i32": np.int32}
    maps = ", ".join(["affine_map<(i) -> (i)>"] * (len(types) + 1))
    names = [f"%a{number}" for number in range(len(types))]
    buffers = [f"memref<{COUNT}x{type_}>" for type_ in types]
    parameters = [f"{n}: {b}" for n, b in zip(names, buffers, strict=True)]
    elements = [f"{n}_: {t}" for n, t in zip(names, types, strict=True)]
    output = f"memref<{COUNT}x{result}>"
    module = parse(f"""
    func.func @f({", ".join([*parameters, f"%out: {output}"])}) {{
      linalg.generic {{indexing_maps = [{maps}], iterator_types = ["parallel"]}}
          ins({", ".join(names)} : {", ".join(buffers)}) outs(%out : {output}) {{
      ^bb0({", ".join([*elements, f"%o: {result}"])}):
        {body}
        linalg.yield %r : {result}
      }}
      return
    }}""")
    out = np.zeros(COUNT, dtype[result])
    compile_module(module)["f"](*arguments, out)
    return out


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("addf", np.add),
        ("subf", np.subtract),
        ("mulf", np.multiply),
        ("divf", np.divide),
        ("maximumf", np.maximum),
        ("minimumf", np.minimum),
    ],
)
def test_arithmetic(
    parse: Parse, name: str, expected: Callable[[Doubles, Doubles], Doubles]
) -> None:
    lhs, rhs = random_bits(1), random_bits(2)
    found = evaluate(parse, f"%r = arith.{name} %a0_, %a1_ : bf16", lhs, rhs)
    with np.errstate(all="ignore"):
        wanted = nearest(expected(numbers(lhs), numbers(rhs)))
    np.testing.assert_array_equal(numbers(found), wanted)


def test_negation_and_choice_keep_the_bits(parse: Parse) -> None:
    bits = random_bits(3)
    body = """
    %one = arith.constant 1.0 : bf16
    %p = arith.cmpf olt, %a0_, %one : bf16
    %n = arith.negf %a0_ : bf16
    %r = arith.select %p, %n, %a0_ : bf16"""
    found = evaluate(parse, body, bits)
    x = numbers(bits)
    np.testing.assert_array_equal(numbers(found), np.where(x < 1, -x, x))


def test_conversions_from_and_to_f32(parse: Parse) -> None:
    bits = random_bits(4)
    wide = evaluate(parse, "%r = arith.extf %a0_ : bf16 to f32", bits, result="f32")
    np.testing.assert_array_equal(wide, numbers(bits))
    rng = np.random.default_rng(5)
    any_bits = rng.integers(0, 2**32, COUNT).astype(np.uint32)
    any_bits[::3] = (any_bits[::3] & 0xFFFF0000) | 0x8000  # Ties.
    floats = any_bits.view(np.float32)
    narrow = evaluate(parse, "%r = arith.truncf %a0_ : f32 to bf16", floats)
    np.testing.assert_array_equal(numbers(narrow), nearest(exact(floats)))


def test_integers_and_functions(parse: Parse) -> None:
    bits = (random_bits(6) & 0x8000) | np.uint16(0x4120)
    found = evaluate(parse, "%r = arith.fptosi %a0_ : bf16 to i32", bits, result="i32")
    np.testing.assert_array_equal(found, numbers(bits))
    found = evaluate(parse, "%r = math.exp %a0_ : bf16", bits)
    np.testing.assert_array_equal(numbers(found), nearest(np.exp(numbers(bits))))


def test_constants(parse: Parse) -> None:
    module = parse("""
    memref.global "private" constant @c : memref<3xbf16> = dense<[1.0, -2.5, 0.1]>
    func.func @f(%out: memref<3xbf16>) {
      %c = memref.get_global @c : memref<3xbf16>
      memref.copy %c, %out : memref<3xbf16> to memref<3xbf16>
      %i = arith.constant 1 : index
      %x = arith.constant 0.1 : bf16
      memref.store %x, %out[%i] : memref<3xbf16>
      return
    }""")
    out = np.zeros(3, np.uint16)
    compile_module(module)["f"](out)
    assert [hex(bits) for bits in out.tolist()] == ["0x3f80", "0x3dcd", "0x3dcd"]


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("arith.sitofp %i : i32 to bf16", "rounded twice; convert it to f32 first"),
        ("arith.truncf %x : f64 to bf16", "f64 would be rounded twice"),
    ],
)
def test_what_would_be_rounded_twice(parse: Parse, body: str, message: str) -> None:
    module = parse(f"""
    func.func @f(%i: i32, %x: f64, %out: memref<bf16>) {{
      %r = {body}
      memref.store %r, %out[] : memref<bf16>
      return
    }}""")
    with pytest.raises(OperationError, match=message):
        compile_module(module)
