"""Programs in which a buffer stays live too long if only its borrowers are asked.

`mlir-opt` frees the buffer where paths part. So does this package, with the same peak.
"""

from collections.abc import Callable

import pytest
from harness.programs.buffer_programs import ARGUMENTS, HEADER, M
from harness.running.memory_machine import run
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization.bufferization.deallocation import (
    ownership_based_buffer_deallocation as ownership,
)

RUNS = 16
CELLS = 8
"""Of each buffer."""


def allocate(name: str) -> str:
    return f"""
%{name} = memref.alloc() : {M}
memref.store %one, %{name}[%zero] : {M}"""


def observe(name: str) -> str:
    return f"""
%loaded_{name} = memref.load %{name}[%zero] : {M}
func.call @observe(%loaded_{name}) : (f32) -> ()"""


NEW = allocate("n") + observe("n")
SELECT = f"%s = arith.select %p, %x, %y : {M}"
IF = f"""
%s = scf.if %p -> ({M}) {{
  scf.yield %x : {M}
}} else {{
  scf.yield %y : {M}
}}"""
ARGUMENT = f"""
cf.cond_br %p, ^a(%x : {M}), ^a(%y : {M})
^a(%s: {M}):"""

PARTING = f"""
cf.cond_br %q, ^b, ^c
^b:
{observe("x")}
cf.br ^d
^c:
{NEW}{observe("s")}
cf.br ^d
^d:
return"""
"""%x is used on one path, a value that may be %x on the other path."""

MEETING = f"""
cf.cond_br %q, ^b, ^c
^b:
{observe("x")}
cf.br ^c
^c:
{NEW}{observe("s")}
return"""
"""What may be %x is used later."""

BOTH = f"""
cf.cond_br %q, ^b, ^c
^b:
{observe("x")}
cf.br ^d
^c:
{observe("y")}
cf.br ^d
^d:
{NEW}{observe("s")}
return"""
"""Each of the two is used on one path, a value that may be either after both."""

LOOP = f"""
cf.br ^b
^b:
{observe("x")}
%again = func.call @choose() : () -> i1
cf.cond_br %again, ^b, ^c
^c:
{NEW}{observe("s")}
return"""
"""The first use is in a loop."""


def write_program(choice: str, rest: str) -> str:
    return f"""{HEADER}
func.func @main(%arg0: {M}, %arg1: {M}) {{
%zero = arith.constant 0 : index
%one = arith.constant 1.0 : f32
%p = func.call @choose() : () -> i1
%q = func.call @choose() : () -> i1
{allocate("x")}{allocate("y")}
{choice}
{rest}
}}
"""


@pytest.mark.parametrize("choice", [SELECT, IF, ARGUMENT])
@pytest.mark.parametrize("rest", [PARTING, MEETING, BOTH, LOOP])
def test_lenders_die_where_they_are_used_no_more(
    choice: str, rest: str, parse: Callable[[str], ModuleOp]
) -> None:
    module = parse(write_program(choice, rest))
    ownership.deallocate_by_ownership(module)
    module.verify()
    for seed in range(RUNS):
        outcome = run(module, "main", seed, ARGUMENTS)
        assert not outcome.leaked
        # %x and %y, then %n and one of these.
        assert outcome.costs.peak_cells == CELLS * (ARGUMENTS + 2)
