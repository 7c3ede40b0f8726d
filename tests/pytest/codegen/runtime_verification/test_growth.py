"""Checks of a program as it was written: the work grows with the program."""

from collections.abc import Callable

import pytest
from harness.running.growth import growth
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization.codegen.runtime_verification.generate_runtime_verification import (  # noqa: E501 (the file has the name of its pass)
    check_as_written,
)

T = "tensor<?x?xf32>"


def _chain(count: int) -> str:
    """Products, elements, slices and quotients, each of what was before."""
    body = "".join(
        f"""
  %p{n + 1} = linalg.matmul ins(%p{n}, %a : {T}, {T}) outs(%o : {T}) -> {T}
  %x{n} = tensor.extract %p{n + 1}[%i, %i] : {T}
  %s{n} = tensor.extract_slice %p{n + 1}[%i, 0] [%i, 1] [1, 1] : {T} to tensor<?x1xf32>
  %q{n} = arith.divsi %i, %i : index"""
        for n in range(count)
    )
    return (
        f"func.func @main(%p0: {T}, %a: {T}, %o: {T}, %i: index) -> {T} {{{body}\n"
        f"  return %p{count} : {T}\n}}"
    )


def _functions(count: int) -> str:
    """Functions that are called, with a check in each."""
    functions = "".join(
        f"""
func.func private @f{n}(%p: {T}, %i: index) -> f32 {{
  %x = tensor.extract %p[%i, %i] : {T}
  return %x : f32
}}"""
        for n in range(count)
    )
    calls = "".join(
        f"\n  %x{n} = call @f{n}(%p, %i) : ({T}, index) -> f32" for n in range(count)
    )
    return f"{functions}\nfunc.func @main(%p: {T}, %i: index) {{{calls}\n  return\n}}"


@pytest.mark.parametrize("write", [_chain, _functions])
def test_work_grows_linearly(
    parse: Callable[[str], ModuleOp], write: Callable[[int], str]
) -> None:
    check_as_written(parse(write(5)))  # Imports and caches.
    assert growth(check_as_written, parse(write(50)), parse(write(200))) < 4.4
