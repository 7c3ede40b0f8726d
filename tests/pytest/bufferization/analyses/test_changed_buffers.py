"""Which tensors are made of buffers that are written later."""

import pytest
from harness.oracles.decisions import parse
from xdsl.dialects.bufferization import ToTensorOp

from xdsl_bufferization.bufferization.analyses.buffers.changed_buffers import (
    ChangedBuffers,
)

HEAD = """
func.func private @unknown(memref<4xf32>)
func.func private @reads(memref<4xf32> {bufferization.access = "read"})
func.func @writes(%m: memref<4xf32>, %f: f32, %i: index) {
  call @stores(%m, %f, %i) : (memref<4xf32>, f32, index) -> ()
  return
}
func.func @stores(%m: memref<4xf32>, %f: f32, %i: index) {
  memref.store %f, %m[%i] : memref<4xf32>
  func.call @nothing(%m) : (memref<4xf32>) -> ()
  return
}
func.func @nothing(%m: memref<4xf32>) {
  return
}
func.func @f(%arg: memref<4xf32>, %out: memref<4xf32>, %f: f32, %i: index, %n: index) {
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
"""
T = "%t = bufferization.to_tensor {} : memref<4xf32> to tensor<4xf32>"
STORE = "memref.store %f, {}[%i] : memref<4xf32>"
OF_A, OF_ARG = T.format("%a"), T.format("%arg")
LOOP = """
%r = scf.for %k = %i to %n step %n iter_args(%x = %a) -> (memref<4xf32>) {{
  {}
  scf.yield %b : memref<4xf32>
}}
"""

CHANGED = {
    "written later": f"{OF_A}\n{STORE.format('%a')}",
    "through a view": f"""{OF_A}
        %v = memref.subview %a[0] [2] [1] : memref<4xf32> to memref<2xf32>
        memref.store %f, %v[%i] : memref<2xf32>""",
    "by a call": f"""{OF_A}
        call @writes(%a, %f, %i) : (memref<4xf32>, f32, index) -> ()""",
    "by a call of what is elsewhere": f"""{OF_A}
        call @unknown(%a) : (memref<4xf32>) -> ()""",
    "in the next iteration": f"""scf.for %k = %i to %n step %n {{
        {STORE.format("%a")}
        {OF_A}
        }}""",
    "through what it becomes": LOOP.format(STORE.format("%x")) + OF_A,
    "an argument": f"{OF_ARG}\n{STORE.format('%arg')}\n{STORE.format('%a')}",
    "what it was made of": LOOP.format("") + f"{T.format('%r')}\n{STORE.format('%b')}",
}
UNCHANGED = {
    "written before": f"{STORE.format('%a')}\n{OF_A}",
    "another buffer": f"{OF_A}\n{STORE.format('%b')}",
    "only read": f"""{OF_A}
        %v = memref.load %a[%i] : memref<4xf32>
        call @nothing(%a) : (memref<4xf32>) -> ()
        call @reads(%a) : (memref<4xf32>) -> ()
        memref.copy %a, %b : memref<4xf32> to memref<4xf32>""",
    "a new one each iteration": f"""scf.for %k = %i to %n step %n {{
        %c = memref.alloc() : memref<4xf32>
        {STORE.format("%c")}
        {T.format("%c")}
        }}""",
    "written before the loop": f"""{STORE.format("%a")}
        {STORE.format("%b")}
        {LOOP.format(T.format("%x"))}""",
    "copied out at the end": f"""{OF_ARG}
        memref.copy %a, %out : memref<4xf32> to memref<4xf32>""",
}


def tensors(body: str) -> list[bool]:
    module = parse(f"{HEAD}{body}\nreturn }}")
    changed = ChangedBuffers(module)
    return [
        changed.may_change(op) for op in module.walk() if isinstance(op, ToTensorOp)
    ]


@pytest.mark.parametrize("body", CHANGED.values(), ids=CHANGED)
def test_may_change(body: str) -> None:
    assert tensors(body) == [True]


@pytest.mark.parametrize("body", UNCHANGED.values(), ids=UNCHANGED)
def test_stays_the_same(body: str) -> None:
    assert tensors(body) == [False]
