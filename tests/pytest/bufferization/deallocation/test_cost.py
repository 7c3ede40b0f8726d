"""Deallocation looks at each op and block a bounded number of times."""

from collections.abc import Callable

import pytest
from harness.running.growth import Transform, growth
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization.bufferization.deallocation.copy_removal import remove_copies
from xdsl_bufferization.bufferization.deallocation.deallocation_with_clones import (
    deallocate_with_clones,
)
from xdsl_bufferization.bufferization.deallocation.deallocation_with_copies import (
    deallocate_with_copies,
)
from xdsl_bufferization.bufferization.deallocation.optimize_allocation_liveness import (
    optimize_all_liveness,
)
from xdsl_bufferization.pipelines.buffer_deallocation_pipeline import deallocate

TYPE = "memref<4xf32>"


def allocations(count: int) -> str:
    body = "".join(f"%a{n} = memref.alloc() : {TYPE}\n" for n in range(count))
    return f"func.func @f() {{\n{body}return\n}}"


def diamonds(count: int) -> str:
    """Branches one after the other, each of which replaces a buffer or does not."""
    body = f"cf.br ^h0(%x0 : {TYPE})\n"
    for n in range(count):
        body += (
            f"^h{n}(%y{n}: {TYPE}):\ncf.cond_br %c, ^l{n}, ^r{n}\n"
            f"^l{n}:\n%b{n} = memref.alloc() : {TYPE}\ncf.br ^h{n + 1}(%b{n} : {TYPE})"
            f"\n^r{n}:\ncf.br ^h{n + 1}(%y{n} : {TYPE})\n"
        )
    body += f"^h{count}(%y{count}: {TYPE}):\nreturn"
    return f"func.func @f(%c: i1, %x0: {TYPE}) {{\n{body}\n}}"


def live_across(count: int) -> str:
    """Allocations that all live across as many blocks."""
    body = "".join(f"%a{n} = memref.alloc() : {TYPE}\n" for n in range(count))
    body += "cf.br ^b0\n"
    for n in range(count):
        body += (
            f"^b{n}:\n%v{n} = memref.load %a{n}[%i] : {TYPE}\n"
            f"cf.cond_br %c, ^b{n + 1}, ^c{n}\n^c{n}:\ncf.br ^b{n + 1}\n"
        )
    body += f"^b{count}:\n"
    body += "".join(f"%w{n} = memref.load %a{n}[%i] : {TYPE}\n" for n in range(count))
    return f"func.func @f(%c: i1, %i: index) {{\n{body}return\n}}"


def ladder(count: int) -> str:
    """Blocks that all lead to the last one, with a buffer of their own."""
    body = "cf.br ^b0\n"
    for n in range(count):
        body += (
            f"^b{n}:\n%a{n} = memref.alloc() : {TYPE}\n"
            f"cf.cond_br %c, ^b{n + 1}, ^e(%a{n} : {TYPE})\n"
        )
    body += f"^b{count}:\n%z = memref.alloc() : {TYPE}\ncf.br ^e(%z : {TYPE})\n"
    return f"func.func @f(%c: i1) {{\n{body}^e(%r: {TYPE}):\nreturn\n}}"


def selects(count: int) -> str:
    body = f"%s0 = memref.alloc() : {TYPE}\n"
    for n in range(count):
        body += (
            f"%a{n} = memref.alloc() : {TYPE}\n"
            f"%s{n + 1} = arith.select %c, %s{n}, %a{n} : {TYPE}\n"
        )
    return f"func.func @f(%c: i1) {{\n{body}return\n}}"


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


def block_loops(count: int) -> str:
    """Loops of one block, one after the other."""
    body = f"%a = memref.alloc() : {TYPE}\ncf.br ^h0(%a : {TYPE})\n"
    for n in range(count):
        body += (
            f"^h{n}(%y{n}: {TYPE}):\n%b{n} = memref.alloc() : {TYPE}\n"
            f"cf.cond_br %c, ^h{n}(%b{n} : {TYPE}), ^h{n + 1}(%y{n} : {TYPE})\n"
        )
    body += f"^h{count}(%y: {TYPE}):\nreturn"
    return f"func.func @f(%c: i1) {{\n{body}\n}}"


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


def views(count: int) -> str:
    """A chain of views, each of which something is copied into."""
    other = "memref<4xf32, strided<[1]>>"
    types = (TYPE, other)
    body = f"%v0 = memref.alloc() : {TYPE}\n"
    for n in range(count):
        old, new = types[n % 2], types[(n + 1) % 2]
        body += (
            f"%v{n + 1} = memref.cast %v{n} : {old} to {new}\n"
            f"%a{n} = memref.alloc() : {TYPE}\n"
            f"%b{n} = memref.cast %a{n} : {TYPE} to {new}\n"
            f"memref.copy %b{n}, %v{n + 1} : {new} to {new}\n"
        )
    return f"func.func @f() {{\n{body}return\n}}"


def deallocate_and_remove_copies(module: ModuleOp) -> None:
    deallocate_with_copies(module)
    remove_copies(module)


PROGRAMS = [
    allocations,
    diamonds,
    live_across,
    ladder,
    selects,
    carried,
    block_loops,
    loops,
    conditionals,
    views,
]


@pytest.mark.volume(sample=10)
@pytest.mark.parametrize(
    "transform", [deallocate, deallocate_with_clones, deallocate_and_remove_copies]
)
@pytest.mark.parametrize("program", PROGRAMS)
def test_work_grows_linearly(
    program: Callable[[int], str],
    transform: Transform,
    parse: Callable[[str], ModuleOp],
) -> None:
    # Newer Pythons make comprehensions without a call, so that little programs count
    # less: `block_loops` grows by 4.81 there, and by 4.17 from 120 to 480.
    assert growth(transform, parse(program(30)), parse(program(120))) < 5


def freed_last(count: int, target: str) -> str:
    """Allocations used in a block each, and freed in the last; where blocks lead to."""
    body = "".join(f"%a{n} = memref.alloc() : {TYPE}\n" for n in range(count))
    body += "cf.br ^b0\n"
    for n in range(count):
        body += f"^b{n}:\n%v{n} = memref.load %a{n}[%i] : {TYPE}\n"
        body += target.format(n=n, next=n + 1)
    body += f"^b{count}:\n"
    body += "".join(f"memref.dealloc %a{n} : {TYPE}\n" for n in range(count))
    return f"func.func @f(%c: i1, %i: index) {{\n{body}return\n}}"


@pytest.mark.parametrize(
    "target",
    [
        "cf.br ^b{next}\n",
        "cf.cond_br %c, ^c{n}, ^b{next}\n^c{n}:\ncf.br ^b{next}\n",
    ],
    ids=["blocks", "branches"],
)
def test_long_waits_for_deallocation_are_not_looked_through(
    target: str, parse: Callable[[str], ModuleOp]
) -> None:
    small, large = (parse(freed_last(count, target)) for count in (150, 600))
    assert growth(optimize_all_liveness, small, large) < 4.8
    blocks = [block for op in large.ops for block in op.regions[0].blocks]
    assert all(len(block.ops) <= 3 for block in blocks[1:-1])
    assert len(blocks[-1].ops) <= 2
