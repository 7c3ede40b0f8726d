"""Which clones would change a program: what they refuse, and what they do not."""

from collections.abc import Callable

import pytest
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization.bufferization.deallocation.deallocation_with_clones import (
    deallocate_with_clones,
)
from xdsl_bufferization.support.errors import OperationError

TYPE = "memref<4xf32>"

NEW_OR_GIVEN = f"""
  %r = scf.if %c -> ({TYPE}) {{
    scf.yield %given : {TYPE}
  }} else {{
    %n = memref.alloc() : {TYPE}
    scf.yield %n : {TYPE}
  }}
"""
OTHER_OR_GIVEN = NEW_OR_GIVEN.replace("%r", "%q")
"""A second result that may be the given buffer."""

OTHER_OR_RESULT = OTHER_OR_GIVEN.replace("%given", "%r")
WRITE_OTHER = f"memref.store %x, %q[%i] : {TYPE}\n"
READ_OTHER = f"%w = memref.load %q[%i] : {TYPE}\n"
ALLOC = f"%given = memref.alloc() : {TYPE}\n"
WRITE_RESULT = f"memref.store %x, %r[%i] : {TYPE}\n"
WRITE_GIVEN = f"memref.store %x, %given[%i] : {TYPE}\n"
READ_RESULT = f"%y = memref.load %r[%i] : {TYPE}\n"
READ_GIVEN = f"%z = memref.load %given[%i] : {TYPE}\n"


def function(body: str, arguments: str = "") -> str:
    header = f"""
memref.global "private" @table : {TYPE} = dense<1.0>
memref.global "private" @state : {TYPE} = dense<1.0>
func.func private @external({TYPE})
func.func private @reader({TYPE} {{bufferization.access = "read"}})
func.func @writes(%m: {TYPE}, %i: index, %x: f32) {{
  memref.store %x, %m[%i] : {TYPE}
  %s = memref.get_global @state : {TYPE}
  memref.store %x, %s[%i] : {TYPE}
  return
}}
func.func @calls_writer(%m: {TYPE}, %i: index, %x: f32) {{
  func.call @writes(%m, %i, %x) : ({TYPE}, index, f32) -> ()
  return
}}
func.func @reads(%m: {TYPE}, %i: index) {{
  %x = memref.load %m[%i] : {TYPE}
  return
}}
"""
    signature = f"%c: i1, %i: index, %x: f32, %l: index{arguments}"
    return f"{header}\nfunc.func @f({signature}) {{\n{body}\nreturn\n}}"


SOUND = {
    "written before": ALLOC + WRITE_GIVEN + NEW_OR_GIVEN + READ_RESULT + READ_GIVEN,
    "given not used later": ALLOC + NEW_OR_GIVEN + WRITE_RESULT + READ_RESULT,
    "result not used": ALLOC + NEW_OR_GIVEN + WRITE_GIVEN + READ_GIVEN,
    "argument read only": NEW_OR_GIVEN + READ_RESULT,
    "in the other branch": ALLOC
    + NEW_OR_GIVEN.replace("%n =", f"{READ_GIVEN}%n =")
    + WRITE_RESULT,
    "callee reads": ALLOC
    + NEW_OR_GIVEN
    + f"func.call @reads(%r, %i) : ({TYPE}, index) -> ()\n"
    + f"func.call @reader(%r) : ({TYPE}) -> ()\n"
    + READ_GIVEN,
    "constant global": f"%given = memref.get_global @table : {TYPE}\n"
    + NEW_OR_GIVEN
    + READ_RESULT,
    "new in each iteration": f"scf.for %k = %i to %l step %i {{\n{ALLOC}{WRITE_GIVEN}"
    f"{NEW_OR_GIVEN}{READ_RESULT}{READ_GIVEN}}}",
    "written before it is passed on": ALLOC
    + NEW_OR_GIVEN
    + WRITE_RESULT
    + OTHER_OR_RESULT
    + READ_OTHER,
    "two that are read": ALLOC
    + NEW_OR_GIVEN
    + OTHER_OR_GIVEN
    + READ_RESULT
    + READ_OTHER,
    "one way or the other": f"""{ALLOC}{NEW_OR_GIVEN}
  cf.cond_br %c, ^bb1(%r : {TYPE}), ^bb2(%r : {TYPE})
^bb1(%a: {TYPE}):
  memref.store %x, %a[%i] : {TYPE}
  %n = memref.alloc() : {TYPE}
  cf.br ^bb3(%n : {TYPE})
^bb2(%b: {TYPE}):
  %w = memref.load %b[%i] : {TYPE}
  cf.br ^bb3(%b : {TYPE})
^bb3(%d: {TYPE}):
""",
}

LOST = {
    "result written, given read": ALLOC + NEW_OR_GIVEN + WRITE_RESULT + READ_GIVEN,
    "given written, result read": ALLOC + NEW_OR_GIVEN + WRITE_GIVEN + READ_RESULT,
    "argument written": NEW_OR_GIVEN + WRITE_RESULT,
    "unknown op": ALLOC
    + NEW_OR_GIVEN
    + f'"test.op"(%r) : ({TYPE}) -> ()\n'
    + READ_GIVEN,
    "callee writes": ALLOC
    + NEW_OR_GIVEN
    + f"func.call @calls_writer(%r, %i, %x) : ({TYPE}, index, f32) -> ()\n"
    + READ_GIVEN,
    "external function": ALLOC
    + NEW_OR_GIVEN
    + f"func.call @external(%r) : ({TYPE}) -> ()\n"
    + READ_GIVEN,
    "through a view": ALLOC
    + NEW_OR_GIVEN
    + f"%v = memref.cast %r : {TYPE} to memref<?xf32>\n"
    + "memref.store %x, %v[%i] : memref<?xf32>\n"
    + READ_GIVEN,
    "global written elsewhere": f"%given = memref.get_global @state : {TYPE}\n"
    + NEW_OR_GIVEN
    + READ_RESULT,
    "in the next iteration": f"{ALLOC}scf.for %k = %i to %l step %i {{\n"
    f"{NEW_OR_GIVEN}{WRITE_RESULT}}}",
    "read in the iteration before": f"{ALLOC}scf.for %k = %i to %l step %i {{\n"
    f"{READ_GIVEN}{NEW_OR_GIVEN}{WRITE_RESULT}}}",
    "in a loop between blocks": f"""{ALLOC}cf.br ^bb1(%given : {TYPE})
^bb1(%r: {TYPE}):
  {READ_RESULT}{WRITE_GIVEN}%n = memref.alloc() : {TYPE}
  cf.cond_br %c, ^bb1(%n : {TYPE}), ^bb2
^bb2:
""",
    "one result written, another read": ALLOC
    + NEW_OR_GIVEN
    + OTHER_OR_GIVEN
    + WRITE_OTHER
    + READ_RESULT,
    "first result written, second read": ALLOC
    + NEW_OR_GIVEN
    + OTHER_OR_GIVEN
    + WRITE_RESULT
    + READ_OTHER,
    "clone of a clone written, given read": ALLOC
    + NEW_OR_GIVEN
    + OTHER_OR_RESULT
    + WRITE_OTHER
    + READ_GIVEN,
    "one buffer passed on twice": f"""
  %r, %q = scf.while (%k = %i) : (index) -> ({TYPE}, {TYPE}) {{
    {ALLOC}scf.condition(%c) %given, %given : {TYPE}, {TYPE}
  }} do {{
  ^bb0(%a: {TYPE}, %b: {TYPE}):
    scf.yield %i : index
  }}
  {WRITE_OTHER}{READ_RESULT}""",
}


def deallocate(text: str, parse: Callable[[str], ModuleOp]) -> None:
    arguments = "" if "%given =" in text else f", %given: {TYPE}"
    deallocate_with_clones(parse(function(text, arguments)))


@pytest.mark.parametrize("name", SOUND)
def test_accepted(name: str, parse: Callable[[str], ModuleOp]) -> None:
    deallocate(SOUND[name], parse)


@pytest.mark.parametrize("name", LOST)
def test_refused(name: str, parse: Callable[[str], ModuleOp]) -> None:
    with pytest.raises(OperationError, match="would be copied"):
        deallocate(LOST[name], parse)
