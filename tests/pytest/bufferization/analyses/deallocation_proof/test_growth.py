"""A program of twice the size is about twice the work, whatever its joins are."""

import pytest
from harness.oracles.decisions import parse
from harness.running.growth import growth
from xdsl.dialects import memref
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization.bufferization.analyses.deallocation_proof.findings import Kind
from xdsl_bufferization.bufferization.analyses.deallocation_proof.functions import (
    prove_deallocation,
)
from xdsl_bufferization.bufferization.deallocation.deallocate import deallocate
from xdsl_bufferization.bufferization.deallocation.ownership_based_buffer_deallocation import (  # noqa: E501 (the file has the name of its pass)
    deallocate_by_ownership,
)

HEAD = """
func.func private @choose() -> i1
func.func @main(%m: memref<8xf32>, %n: index, %lo: index, %st: index) {
  %b0 = memref.alloc() : memref<8xf32>
"""

BRANCHES = """
  %c{now} = func.call @choose() : () -> i1
  %b{next} = scf.if %c{now} -> memref<8xf32> {{
    %a{now} = memref.alloc() : memref<8xf32>
    scf.yield %a{now} : memref<8xf32>
  }} else {{
    scf.yield %b{now} : memref<8xf32>
  }}"""

SELECTS = """
  %a{now} = memref.alloc() : memref<8xf32>
  %c{now} = func.call @choose() : () -> i1
  %b{next} = arith.select %c{now}, %a{now}, %b{now} : memref<8xf32>"""

DIAMONDS = """
  %c{now} = func.call @choose() : () -> i1
  cf.cond_br %c{now}, ^then{now}, ^join{now}(%b{now} : memref<8xf32>)
^then{now}:
  %a{now} = memref.alloc() : memref<8xf32>
  cf.br ^join{now}(%a{now} : memref<8xf32>)
^join{now}(%b{next}: memref<8xf32>):"""

LOOPS = """
  %b{next} = scf.for %i{now} = %lo to %n step %st iter_args(%x{now} = %b{now})
      -> memref<8xf32> {{
    %c{now} = func.call @choose() : () -> i1
    %y{now} = scf.if %c{now} -> memref<8xf32> {{
      %a{now} = memref.alloc() : memref<8xf32>
      scf.yield %a{now} : memref<8xf32>
    }} else {{
      scf.yield %x{now} : memref<8xf32>
    }}
    scf.yield %y{now} : memref<8xf32>
  }}"""

LOOPS_OF_BLOCKS = """
  cf.br ^head{now}(%b{now} : memref<8xf32>)
^head{now}(%x{now}: memref<8xf32>):
  %c{now} = func.call @choose() : () -> i1
  cf.cond_br %c{now}, ^then{now}, ^join{now}(%x{now} : memref<8xf32>)
^then{now}:
  %a{now} = memref.alloc() : memref<8xf32>
  cf.br ^join{now}(%a{now} : memref<8xf32>)
^join{now}(%y{now}: memref<8xf32>):
  %d{now} = func.call @choose() : () -> i1
  cf.cond_br %d{now}, ^head{now}(%y{now} : memref<8xf32>),
    ^out{now}(%y{now} : memref<8xf32>)
^out{now}(%b{next}: memref<8xf32>):"""

BREAKS = """
  cf.br ^head{now}
^head{now}:
  %a{now} = memref.alloc() : memref<8xf32>
  %c{now} = func.call @choose() : () -> i1
  cf.cond_br %c{now}, ^middle{now}, ^out{now}
^middle{now}:
  memref.copy %a{now}, %m : memref<8xf32> to memref<8xf32>
  %d{now} = func.call @choose() : () -> i1
  cf.cond_br %d{now}, ^head{now}, ^out{now}
^out{now}:"""

REPLACING = {
    "branches": BRANCHES,
    "selects": SELECTS,
    "diamonds": DIAMONDS,
    "loops": LOOPS,
    "loops of blocks": LOOPS_OF_BLOCKS,
}


def program(form: str, count: int, *, replaces: bool) -> ModuleOp:
    steps = [form.format(now=number, next=number + 1) for number in range(count)]
    last = count if replaces else 0
    end = f"  memref.copy %b{last}, %m : memref<8xf32> to memref<8xf32>\n  return\n}}"
    return parse(HEAD + "\n".join((*steps, end)))


def check_growth(small: ModuleOp, large: ModuleOp) -> None:
    found = prove_deallocation(small)
    assert not found.faults
    assert not found.undecided
    assert growth(prove_deallocation, small, large) < 4 * 1.3


@pytest.mark.parametrize("form", REPLACING.values(), ids=REPLACING)
def test_a_chain_that_may_replace_its_buffer(form: str) -> None:
    """Each step has a condition of its own, so that there are as many paths as sets."""
    for free in (deallocate, deallocate_by_ownership):
        small, large = (program(form, n, replaces=True) for n in (12, 48))
        free(small)
        free(large)
        check_growth(small, large)


def test_loops_that_are_left_from_the_middle() -> None:
    small, large = (program(BREAKS, n, replaces=False) for n in (12, 48))
    deallocate(small)
    deallocate(large)
    check_growth(small, large)


def test_hundreds_of_branches_are_decided() -> None:
    module = program(BRANCHES, 300, replaces=True)
    deallocate(module)
    found = prove_deallocation(module)
    assert not found.faults
    assert not found.undecided


def nest(depth: int) -> ModuleOp:
    """Loops in each other, the innermost of which may replace the buffer of all."""
    begin = "".join(
        f"""
  %b{n} = scf.for %i{n} = %lo to %n step %st iter_args(%x{n + 1} = %x{n})
      -> memref<8xf32> {{"""
        for n in range(depth)
    )
    inside = f"""
  %c = func.call @choose() : () -> i1
  %b{depth} = scf.if %c -> memref<8xf32> {{
    %a = memref.alloc() : memref<8xf32>
    scf.yield %a : memref<8xf32>
  }} else {{
    scf.yield %x{depth} : memref<8xf32>
  }}"""
    end = "".join(
        f"\n  scf.yield %b{n + 1} : memref<8xf32>\n  }}" for n in reversed(range(depth))
    )
    last = "  memref.copy %b0, %m : memref<8xf32> to memref<8xf32>\n  return\n}"
    head = HEAD.replace("%b0", "%x0")
    return parse("\n".join((head, begin, inside, end, last)))


def test_a_nest_of_loops() -> None:
    """One level more is one visit more of the innermost loop, not twice as many."""
    small, large = nest(3), nest(6)
    deallocate(small)
    deallocate(large)
    check_growth(small, large)


def test_a_fault_in_a_nest_of_loops() -> None:
    module = nest(3)
    deallocate(module)
    *_, last = (op for op in module.walk() if isinstance(op, memref.DeallocOp))
    last.detach()
    last.erase()
    first, inner = prove_deallocation(module).faults
    assert first.kind is inner.kind is Kind.LEAK


def carrying(count: int) -> ModuleOp:
    """A loop that carries many buffers, and may replace each."""
    numbers = range(count)
    lines = [f"  %b{n} = memref.alloc() : memref<8xf32>" for n in numbers[1:]]
    arguments = ", ".join(f"%x{n} = %b{n}" for n in numbers)
    types = ", ".join("memref<8xf32>" for _ in numbers)
    lines.append(f"  %r:{count} = scf.for %i = %lo to %n step %st")
    lines.append(f"      iter_args({arguments}) -> ({types}) {{")
    for n in numbers:
        step = BRANCHES.replace("%b{next}", "%y{now}").replace("%b{now}", "%x{now}")
        lines.append(step.format(now=n))
    lines.append(f"  scf.yield {', '.join(f'%y{n}' for n in numbers)} : {types} }}")
    lines += [
        f"  memref.copy %r#{n}, %m : memref<8xf32> to memref<8xf32>" for n in numbers
    ]
    return parse(HEAD + "\n".join((*lines, "  return\n}")))


def test_a_loop_that_carries_many_buffers() -> None:
    for free in (deallocate, deallocate_by_ownership):
        small, large = carrying(50), carrying(200)
        free(small)
        free(large)
        check_growth(small, large)
