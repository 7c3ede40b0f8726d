"""Deallocation looks at each op a bounded number of times."""

import sys
from collections.abc import Callable

import pytest
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization.pipelines.buffer_deallocation_pipeline import deallocate

TYPE = "memref<4xf32>"


def allocations(count: int) -> str:
    body = "".join(f"%a{n} = memref.alloc() : {TYPE}\n" for n in range(count))
    return f"func.func @f() {{\n{body}return\n}}"


def loops(count: int) -> str:
    """Loops one after the other, each with the buffer of the one before it."""
    body = f"%r0 = memref.alloc() : {TYPE}\n"
    for n in range(count):
        body += (
            f"%r{n + 1} = scf.for %i{n} = %l to %u step %s iter_args(%x{n} = %r{n})"
            f" -> ({TYPE}) {{\n%n{n} = memref.alloc() : {TYPE}\n"
            f"scf.yield %n{n} : {TYPE}\n}}\n"
        )
    return (
        f"func.func @f(%l: index, %u: index, %s: index) -> {TYPE} {{\n"
        f"{body}return %r{count} : {TYPE}\n}}"
    )


def conditionals(count: int) -> str:
    """Conditionals, each of which replaces a buffer or does not."""
    body = f"%r0 = memref.alloc() : {TYPE}\n"
    for n in range(count):
        body += (
            f"%r{n + 1} = scf.if %c -> ({TYPE}) {{\n%n{n} = memref.alloc() : {TYPE}\n"
            f"scf.yield %n{n} : {TYPE}\n}} else {{\nscf.yield %r{n} : {TYPE}\n}}\n"
        )
    return f"func.func @f(%c: i1) -> {TYPE} {{\n{body}return %r{count} : {TYPE}\n}}"


def carried(count: int) -> str:
    """One loop with many buffers."""
    numbers = range(count)
    inits = "".join(f"%a{n} = memref.alloc() : {TYPE}\n" for n in numbers)
    news = "".join(f"%n{n} = memref.alloc() : {TYPE}\n" for n in numbers)
    types = ", ".join([TYPE] * count)
    return (
        f"func.func @f(%l: index, %u: index, %s: index) {{\n{inits}%r:{count} = "
        "scf.for %i = %l to %u step %s iter_args("
        + ", ".join(f"%x{n} = %a{n}" for n in numbers)
        + f") -> ({types}) {{\n{news}scf.yield "
        + ", ".join(f"%n{n}" for n in numbers)
        + f" : {types}\n}}\nreturn\n}}"
    )


def count_calls(module: ModuleOp) -> int:
    """The number of Python functions called by deallocation."""
    calls = 0

    def count(_frame: object, event: str, _argument: object) -> None:
        nonlocal calls
        calls += event == "call"

    sys.setprofile(count)
    try:
        deallocate(module)
    finally:
        sys.setprofile(None)
    return calls


@pytest.mark.parametrize("program", [allocations, loops, conditionals, carried])
def test_work_grows_linearly(
    program: Callable[[int], str], parse: Callable[[str], ModuleOp]
) -> None:
    small, large = (count_calls(parse(program(count))) for count in (60, 240))
    assert large < 4.4 * small
