"""What functions do to their arguments: through views, loops, branches and calls."""

import pytest

from xdsl_bufferization import parse
from xdsl_bufferization.pipelines.signatures import signatures_of
from xdsl_bufferization.support.abi import MemRefSignature

M = "memref<4x4xf32>"
READ, WRITTEN, BOTH, UNUSED = "read", "written", "read and written", "unused"

HELPERS = f"""
func.func private @elsewhere({M})
func.func private @reader({M} {{bufferization.access = "read"}})
func.func private @itself(%a: {M}) -> {M} {{ return %a : {M} }}
func.func private @writes_and_returns(%a: {M}, %b: {M}) -> {M} {{
  memref.copy %b, %a : {M} to {M}
  return %a : {M}
}}
func.func private @writes_second(%a: {M}, %b: {M}) {{
  memref.copy %a, %b : {M} to {M}
  return
}}
func.func private @turns(%a: {M}, %b: {M}, %n: i1) {{
  scf.if %n {{
    func.call @turns(%b, %a, %n) : ({M}, {M}, i1) -> ()
  }} else {{
    func.call @writes_second(%a, %b) : ({M}, {M}) -> ()
  }}
  return
}}
"""


def access(body: str, tail: str = "return") -> str:
    """What a function with this body does to `%x`."""
    (signature,) = signatures_of(
        parse(f"""{HELPERS}
        func.func @f(%x: {M}, %n: i1) {{
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %c4 = arith.constant 4 : index
          %v = arith.constant 1.0 : f32
          %new = memref.alloc() : {M}
          %row = memref.alloc() : memref<4xf32>
          %wide = memref.alloc() : memref<4x4x2xf32>
          {body}
          {tail}
        }}""")
    )
    argument = signature.arguments[0]
    assert isinstance(argument, MemRefSignature)
    return argument.access


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("", UNUSED),
        (f"%d = memref.dim %x, %c0 : {M}", UNUSED),
        (f"%e = memref.load %x[%c0, %c0] : {M}", READ),
        (f"memref.store %v, %x[%c0, %c0] : {M}", WRITTEN),
        (f"memref.copy %x, %new : {M} to {M}", READ),
        (f"memref.copy %new, %x : {M} to {M}", WRITTEN),
        (f"memref.dealloc %x : {M}", BOTH),
        (f"%o = memref.atomic_rmw addf %v, %x[%c0, %c0] : (f32, {M}) -> f32", BOTH),
    ],
)
def test_single_ops(body: str, expected: str) -> None:
    assert access(body) == expected


@pytest.mark.parametrize(
    ("op", "expected"),
    [
        (f"linalg.fill ins(%v : f32) outs(%x : {M})", WRITTEN),
        (
            f"linalg.broadcast ins(%x : {M}) outs(%wide : memref<4x4x2xf32>) "
            "dimensions = [2]",
            READ,
        ),
        (
            f"linalg.broadcast ins(%row : memref<4xf32>) outs(%x : {M}) "
            "dimensions = [0]",
            WRITTEN,
        ),
        (f"linalg.map {{ math.exp }} ins(%x : {M}) outs(%new : {M})", READ),
        (f"linalg.map {{ math.exp }} ins(%new : {M}) outs(%x : {M})", WRITTEN),
        (
            f"linalg.reduce {{ arith.addf }} ins(%x : {M}) "
            "outs(%row : memref<4xf32>) dimensions = [1]",
            READ,
        ),
        (
            "linalg.reduce { arith.addf } ins(%wide : memref<4x4x2xf32>) "
            f"outs(%x : {M}) dimensions = [2]",
            BOTH,
        ),
        (
            f"linalg.transpose ins(%x : {M}) outs(%new : {M}) permutation = [1, 0]",
            READ,
        ),
        (
            f"linalg.transpose ins(%new : {M}) outs(%x : {M}) permutation = [1, 0]",
            WRITTEN,
        ),
        (f"linalg.matmul ins(%x, %x : {M}, {M}) outs(%new : {M})", READ),
        (f"linalg.matmul ins(%new, %new : {M}, {M}) outs(%x : {M})", BOTH),
        (f"linalg.softmax dimension(1) ins(%x : {M}) outs(%new : {M})", READ),
    ],
)
def test_linalg_reads_its_inputs_and_writes_its_outputs(op: str, expected: str) -> None:
    assert access(op) == expected


def loop(body: str) -> str:
    return f"""
    %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%a = %x) -> ({M}) {{
      {body}
      scf.yield %a : {M}
    }}"""


ROW = f"""
    %s = memref.subview %x[1, 0] [1, 4] [1, 1]
      : {M} to memref<4xf32, strided<[1], offset: 4>>"""


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (loop(""), UNUSED),
        (loop(f"%e = memref.load %a[%c0, %i] : {M}"), READ),
        (loop(f"memref.store %v, %a[%c0, %i] : {M}"), WRITTEN),
        (loop("") + f"\nmemref.store %v, %r[%c0, %c0] : {M}", WRITTEN),
        (ROW, UNUSED),
        (
            ROW + "\n%e = memref.load %s[%c0] : memref<4xf32, strided<[1], offset: 4>>",
            READ,
        ),
        (
            ROW + "\nlinalg.fill ins(%v : f32) "
            "outs(%s : memref<4xf32, strided<[1], offset: 4>>)",
            WRITTEN,
        ),
        (
            f"%a = arith.select %n, %x, %new : {M}\n"
            f"memref.store %v, %a[%c0, %c0] : {M}",
            WRITTEN,
        ),
        (
            f"""
            %a = scf.if %n -> {M} {{
              scf.yield %x : {M}
            }} else {{
              scf.yield %new : {M}
            }}
            %e = memref.load %a[%c0, %c0] : {M}""",
            READ,
        ),
    ],
)
def test_views_and_loops_and_branches_are_followed(body: str, expected: str) -> None:
    assert access(body) == expected


def test_blocks_are_followed() -> None:
    tail = f"""
      cf.br ^next(%x : {M})
    ^next(%a: {M}):
      memref.store %v, %a[%c0, %c0] : {M}
      return"""
    assert access("", tail) == WRITTEN


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        (f"func.call @elsewhere(%x) : ({M}) -> ()", BOTH),
        (f"func.call @reader(%x) : ({M}) -> ()", READ),
        (f"func.call @writes_second(%x, %new) : ({M}, {M}) -> ()", READ),
        (f"func.call @writes_second(%new, %x) : ({M}, {M}) -> ()", WRITTEN),
        (f"func.call @turns(%x, %new, %n) : ({M}, {M}, i1) -> ()", BOTH),
        (
            f"%a = func.call @itself(%x) : ({M}) -> {M}\n"
            f"memref.store %v, %a[%c0, %c0] : {M}",
            BOTH,  # What a function returns counts as read.
        ),
        (f"%a = func.call @writes_and_returns(%x, %new) : ({M}, {M}) -> {M}", BOTH),
        (
            "%g = func.constant @writes_second : "
            f"({M}, {M}) -> ()\nfunc.call_indirect %g(%x, %new) : ({M}, {M}) -> ()",
            BOTH,
        ),
        (
            f"%a = func.call @itself(%new) : ({M}) -> {M}\n"
            f"memref.store %v, %a[%c0, %c0] : {M}",
            UNUSED,
        ),
    ],
)
def test_calls_do_what_their_callees_do(call: str, expected: str) -> None:
    assert access(call) == expected
