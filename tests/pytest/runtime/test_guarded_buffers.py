"""What `pytest --guard-buffers` finds: each wrong access ends a process of its own."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]

PROGRAM = """
memref.global "private" constant @numbers : memref<3xf32> = dense<[1.0, 2.0, 3.0]>
func.func @load(%x: memref<?xf32, strided<[?]>>, %i: index) -> f32 {
  %r = memref.load %x[%i] : memref<?xf32, strided<[?]>>
  return %r : f32
}
func.func @store(%x: memref<?xf32>, %i: index, %v: f32) {
  memref.store %v, %x[%i] : memref<?xf32>
  return
}
func.func @constant(%i: index) -> f32 {
  %x = memref.get_global @numbers : memref<3xf32>
  %r = memref.load %x[%i] : memref<3xf32>
  return %r : f32
}
memref.global "private" constant @ones : memref<2000xf32> = dense<1.0>
func.func @equal(%i: index) -> f32 {
  %x = memref.get_global @ones : memref<2000xf32>
  %r = memref.load %x[%i] : memref<2000xf32>
  return %r : f32
}
func.func @allocated(%i: index, %v: f32) {
  %x = memref.alloc() {alignment = 64 : i64} : memref<3xf32>
  memref.store %v, %x[%i] : memref<3xf32>
  memref.dealloc %x : memref<3xf32>
  return
}
func.func @freed(%i: index) -> f32 {
  %x = memref.alloc() : memref<3xf32>
  memref.dealloc %x : memref<3xf32>
  %r = memref.load %x[%i] : memref<3xf32>
  return %r : f32
}
func.func @freed_twice() {
  %x = memref.alloc() : memref<3xf32>
  memref.dealloc %x : memref<3xf32>
  memref.dealloc %x : memref<3xf32>
  return
}
func.func @same(%x: memref<?xf32>, %v: f32) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  memref.store %v, %x[%c0] : memref<?xf32>
  return %x : memref<?xf32>
}
"""

CALLS = f"""
import json, os, sys
import numpy as np
from harness.running.guards import install

install(sys.argv[1])

from xdsl_bufferization.bufferization.context import get_context
from xdsl_bufferization.dialects.parsing import MLIRParser
from xdsl_bufferization.pipelines.compile import compile_module

module = MLIRParser(get_context(), {PROGRAM!r}).parse_module()
x = np.arange(3, dtype=np.float32)
names = dict(compile_module(module, opt_level=0), x=x)

def end_of(call):
    child = os.fork()
    if not child:
        eval(call, names)
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])

ends = {{call: end_of(call) for call in sys.argv[2:]}}
assert np.shares_memory(names["same"](x[1:], 8), x) and list(x) == [0, 8, 2]
print(json.dumps(ends))
"""

ACCESSES = (
    "load(x, {})",
    "load(x[::-1], {})",
    "store(x, {}, 5)",
    "constant({})",
    "allocated({}, 5)",
)
INSIDE = ["equal(0)", "equal(1999)"] + [
    call.format(index) for call in ACCESSES for index in (0, 2)
]
BEHIND = [call.format(3) for call in ACCESSES if "::-1" not in call]
BEFORE = [call.format(-1) for call in ACCESSES if "::-1" not in call]


def run(*command: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *command],
        # Options of the user are for the tests that the user started.
        env=os.environ | {"PYTHONPATH": str(TESTS), "PYTEST_ADDOPTS": ""},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(
    ("side", "outside", "other_side"),
    [
        (
            "end",
            [*BEHIND, "equal(2000)", "load(x[:2], 2)", "load(x[::-1], -1)"],
            ["allocated(-1, 5)"],
        ),
        (
            "begin",
            [*BEFORE, "equal(-1)", "load(x[1:], -1)", "load(x[::-1], 3)"],
            ["allocated(3, 5)"],
        ),
    ],
)
def test_code_that_leaves_a_buffer_ends_its_process(
    side: str, outside: list[str], other_side: list[str]
):
    wrong = [*outside, "load(x[:0], 0)", "freed(0)"]
    stopped = [*other_side, "freed_twice()"]
    done = run("-c", CALLS, side, *INSIDE, *wrong, *stopped)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == {
        **dict.fromkeys(INSIDE, 0),
        **dict.fromkeys(wrong, -signal.SIGSEGV),
        **dict.fromkeys(stopped, -signal.SIGABRT),
    }
    assert "12 bytes were allocated, and more written" in done.stderr
    assert "is freed, and is no allocation" in done.stderr


TEST = f"""
import numpy as np
import pytest
from xdsl_bufferization.bufferization.context import get_context
from xdsl_bufferization.dialects.parsing import MLIRParser
from xdsl_bufferization.pipelines.compile import compile_module

@pytest.mark.parametrize("i", [2, 3])
def test_load(i):
    module = MLIRParser(get_context(), {PROGRAM!r}).parse_module()
    program = compile_module(module)
    program["load"](np.zeros(3, np.float32), i)
"""


def test_the_option_names_the_test_that_leaves_a_buffer(tmp_path: Path):
    test = tmp_path / "test_load.py"
    test.write_text(TEST)
    pytest_command = ("-m", "pytest", "-p", "conftest", "-p", "no:cacheprovider")
    done = run(*pytest_command, "-v", "--guard-buffers", test)
    assert done.returncode == -signal.SIGSEGV
    assert "test_load[2] PASSED" in done.stdout
    assert " in test_load\n" in done.stderr
