"""Constant complex numbers are folded as in xDSL, where the number is right."""

from collections.abc import Callable

import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.transforms.canonicalize import CanonicalizePass

from xdsl_bufferization.bufferization.context import get_context

Parse = Callable[[str], ModuleOp]


def canonicalized(parse: Parse, op: str, a: str, b: str, type_: str) -> ModuleOp:
    def constant(parts: str) -> str:
        real, imaginary = parts.split()
        numbers = f"[{real} : {type_}, {imaginary} : {type_}]"
        return f"complex.constant {numbers} : complex<{type_}>"

    module = parse(f"""
      func.func @f() -> complex<{type_}> {{
        %a = {constant(a)}
        %b = {constant(b)}
        %c = complex.{op} %a, %b : complex<{type_}>
        func.return %c : complex<{type_}>
      }}""")
    CanonicalizePass().apply(get_context(), module)
    return module


def names_after(parse: Parse, op: str, a: str, b: str, type_: str) -> set[str]:
    return {each.name for each in canonicalized(parse, op, a, b, type_).walk()}


@pytest.mark.parametrize(
    ("op", "a", "b", "type_"),
    [
        ("add", "1.0 2.0", "0.5 0.25", "f32"),
        ("sub", "1.0 2.0", "1.0e30 0.25", "f64"),
        ("mul", "1.0 2.0", "3.0 0.1", "f32"),
        ("mul", "1.0 1.0", "1.0 1.0", "f16"),
        ("div", "1.0 2.0", "3.0 0.1", "f32"),
        ("div", "1.0 2.0", "3.0 0.1", "f64"),
        ("div", "1.0e100 2.0", "3.0 1.0e100", "f64"),
        ("div", "1.0 0.0", "0.0 0.0", "f16"),
    ],
)
def test_folded(parse: Parse, op: str, a: str, b: str, type_: str) -> None:
    assert f"complex.{op}" not in names_after(parse, op, a, b, type_)


@pytest.mark.parametrize(
    ("op", "a", "b", "type_"),
    [
        ("mul", "1.0e30 0.0", "1.0e30 0.0", "f32"),
        ("mul", "1.0e300 1.0e300", "1.0e300 1.0e300", "f64"),
        ("div", "1.0e300 1.0e300", "1.0e300 1.0e300", "f64"),
        ("div", "1.0 0.0", "1.0e-200 1.0e-200", "f64"),
        ("div", "1.0 1.0", "1.0e-160 3.0e-160", "f64"),
        ("div", "1.0 1.0", "0.0 -0.0", "f64"),
        ("mul", "0x7F800000 0.0", "1.0 1.0", "f32"),
    ],
)
def test_left_to_the_compiled_program(
    parse: Parse, op: str, a: str, b: str, type_: str
) -> None:
    assert f"complex.{op}" in names_after(parse, op, a, b, type_)


def test_a_sum_that_is_too_large_is_infinite(parse: Parse) -> None:
    """xDSL 0.74 stops at such a number, and 0.75 makes it infinite."""
    text = str(canonicalized(parse, "add", "3.0e38 0.0", "3.0e38 0.0", "f32"))
    assert "complex.add" in text or "0x7f800000 : f32, 0.0" in text
