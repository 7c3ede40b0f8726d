"""Numbers are as large as MLIR takes them, and refused at their place above that."""

import pytest
from harness.oracles.tool_runs import run_tool
from harness.oracles.tools import MLIR_OPT, find_oracle
from xdsl.dialects.builtin import IndexType, IntegerType, Signedness
from xdsl.utils.exceptions import ParseError

from xdsl_bufferization.bufferization.context import get_context
from xdsl_bufferization.dialects.parsing import parse_module
from xdsl_bufferization.dialects.printing import mlir_text
from xdsl_bufferization.dialects.text.limits import MOST, MOST_BITS, fits

TYPES = {
    f"i{MOST_BITS}": None,
    f"i{MOST_BITS + 1}": "integer bitwidth is limited to 16777215 bits",
    f"si{MOST_BITS + 1}": "integer bitwidth is limited to 16777215 bits",
    "i4294967296": "integer bitwidth is limited",
    f"complex<i{MOST_BITS + 1}>": "integer bitwidth is limited",
    "i0": None,
    f"tensor<{MOST}xf32>": None,
    f"tensor<{MOST}x{MOST}xf32>": None,
    f"tensor<{MOST + 1}xf32>": "invalid dimension",
    f"tensor<{'9' * 5000}xf32>": "a number in decimals has at most",
    f"tensor<2x{'9' * 5000}xf32>": "invalid dimension",
    f"memref<{MOST}xf32>": None,
    f"memref<{MOST + 1}xf32>": "invalid dimension",
    f"vector<{MOST}xf32>": None,
    f"vector<{MOST + 1}xf32>": "invalid dimension",
    f"vector<[{MOST + 1}]xf32>": "invalid dimension",
    f"memref<4xf32, strided<[{MOST}]>>": None,
    f"memref<4xf32, strided<[{MOST + 1}]>>": "expected a 64-bit signed integer or '?'",
    f"memref<4xf32, strided<[-{MOST + 1}]>>": "expected a 64-bit signed integer",
    f"memref<4xf32, strided<[1], offset: {MOST + 1}>>": "expected a 64-bit signed",
}
"""Types, and what is wrong with each."""

ATTRIBUTES = {
    f"1 : i{MOST_BITS}": None,
    "1 : i4294967296": "integer bitwidth is limited",
    "255 : i8": None,
    "-128 : i8": None,
    "256 : i8": "integer constant out of range for attribute",
    "-129 : i8": "integer constant out of range for attribute",
    "127 : si8": None,
    "128 : si8": "integer constant out of range",
    "255 : ui8": None,
    "256 : ui8": "integer constant out of range",
    "0 : i0": None,
    "1 : i0": "integer constant out of range",
    "-1 : i1": None,
    "2 : i1": "integer constant out of range",
    f"{2 * MOST + 1}": None,
    f"{2 * MOST + 2}": "integer constant out of range",
    f"{MOST} : index": None,
    f"{MOST + 1} : index": "integer constant out of range",
    f"-{MOST + 1} : index": None,
    f"-{MOST + 2} : index": "integer constant out of range",
    f"0x7{'F' * 4999} : i20000": None,
    f"0x{'F' * 5000} : i64": "integer constant out of range",
    "1.0e400 : f64": None,
    "1.0e39 : f32": None,
    "-70000.0 : f16": None,
    "1.0 : f80": None,
    "1.0 : f128": None,
    "1 : f32": "unexpected decimal integer literal for a floating point value",
    "0x7F800000 : f32": None,
    "-0x1 : f32": "hexadecimal float literal should not have a leading minus",
    "0x1FFFFFFFF : f32": "hexadecimal float constant out of range for type",
    "dense<256> : tensor<2xi8>": "out of range",
    "dense<1.0> : tensor<200000000xf32>": None,
    f"dense<1.0> : tensor<{MOST}xf32>": None,
    f'dense<"0x01"> : tensor<{MOST}xi8>': None,
    f'dense<"0x0102"> : tensor<{MOST}xi8>': "",
    f"dense<[1, 2]> : tensor<{MOST}xi8>": "",
    "array<i8: 255>": None,
    "array<i8: 256>": "integer constant out of range",
    "array<i7: 1>": "element type bitwidth must be a multiple of 8",
    f"affine_map<(d0) -> ({MOST})>": None,
    f"affine_map<(d0) -> ({MOST + 1})>": "constant too large for index",
    f"affine_map<(d0) -> (d0 + {'9' * 50})>": "constant too large for index",
}
"""Attributes, and what is wrong with each."""

OPS = {
    '"test.op"() : () -> () loc("a":4294967295:1)': None,
    '"test.op"() : () -> () loc("a":4294967296:1)': "expected integer line number",
    '"test.op"() : () -> () loc("a":1:4294967296)': "expected integer column number",
    '%0:0 = "test.op"() : () -> ()': "named operation to have at least 1 result",
    '%0:4294967296 = "test.op"() : () -> ()': "",
}
"""Operations, and what is wrong with each."""

PROGRAMS = {
    **{f"func.func private @f({key})": value for key, value in TYPES.items()},
    **{
        f"module attributes {{a.b = {key}}} {{}}": value
        for key, value in ATTRIBUTES.items()
    },
    **OPS,
}

EACH_PROGRAM = pytest.mark.parametrize(
    ("text", "problem"), PROGRAMS.items(), ids=[text[:60] for text in PROGRAMS]
)


@EACH_PROGRAM
def test_numbers_have_limits(text: str, problem: str | None) -> None:
    if problem is None:
        mlir_text(parse_module(text, "a.mlir", get_context()))
        return
    with pytest.raises(ParseError) as error:
        parse_module(text, "a.mlir", get_context())
    assert problem in error.value.msg
    # At the number, or at what has it, and not where the text goes on or ends.
    assert error.value.span.get_location().line == 1
    assert 0 <= error.value.span.start < len(text)


@pytest.mark.oracle
@pytest.mark.parametrize(
    ("text", "problem"),
    # Longer texts are about limits of Python.
    [(text, problem) for text, problem in PROGRAMS.items() if len(text) <= 3000],
)
def test_mlir_opt_has_the_same_limits(text: str, problem: str | None) -> None:
    done = run_tool([find_oracle(MLIR_OPT), "--allow-unregistered-dialect", "-"], text)
    assert (done.returncode == 0) == (problem is None), done.stderr


def test_a_float_that_is_too_large_is_infinite() -> None:
    text = "module attributes {a.b = 1.0e39 : f32, a.c = -70000.0 : f16} {}"
    printed = mlir_text(parse_module(text, "a.mlir", get_context()))
    assert "a.b = 0x7F800000 : f32, a.c = 0xFC00 : f16" in printed


@pytest.mark.parametrize("type_", ["f80", "f128"])
def test_a_float_that_only_mlir_can_keep_is_refused(type_: str) -> None:
    text = f"module attributes {{a.b = 1.0e400 : {type_}}} {{}}"
    with pytest.raises(ParseError, match=f"{type_} is kept as f64: this is too large"):
        parse_module(text, "a.mlir", get_context())


def test_floats_of_which_xdsl_has_no_bits_are_printed() -> None:
    numbers = "[1.000000e+00 : f80, 0.33333333333333331 : f128]"
    text = f"module attributes {{a.b = {numbers}}} {{}}"
    module = parse_module(text, "a.mlir", get_context())
    assert numbers in mlir_text(module)
    assert numbers in str(module)


@pytest.mark.parametrize("signedness", Signedness)
@pytest.mark.parametrize("width", range(1, 5))
def test_what_fits_is_what_xdsl_takes(width: int, signedness: Signedness) -> None:
    type_ = IntegerType(width, signedness)
    low, high = type_.value_range()
    for value in range(-20, 40):
        assert fits(value, type_) == (low <= value < high)


def test_an_index_has_64_bits() -> None:
    assert fits(MOST, IndexType())
    assert fits(-MOST - 1, IndexType())
    assert not fits(MOST + 1, IndexType())
    assert not fits(-MOST - 2, IndexType())
