"""Ctrl-C ends `xbuf` with one line and code 130, wherever it is.

Each command is a process of its own, which says when it is where it is to be
interrupted. What stands for machine code waits in the C library, out of Python's reach.
"""

import signal
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

SECONDS = 120
"""Nothing here takes as long."""

MAIN = """
import ctypes, os, sys
from xdsl_bufferization.tools.xbuf import main
PAUSE = ctypes.CDLL(None).pause
def say_ready():
    os.write(2, b"ready\\n")
def wait_in_machine_code(*_, **__):
    say_ready()
    while True:
        PAUSE()
"""

PROGRAM = """\
func.func @entry(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.exp ins(%x : tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
"""

ENDLESS = """\
func.func @entry(%x: f32) -> f32 {
  %r = scf.while (%a = %x) : (f32) -> f32 {
    PRINT
    %b = arith.addf %a, %x : f32
    %yes = arith.constant true
    scf.condition(%yes) %b : f32
  } do {
  ^bb0(%a: f32):
    scf.yield %a : f32
  }
  return %r : f32
}
"""

DEEP = "module {\n" * 200 + PROGRAM + "}\n" * 200


def interrupt(folder: Path, code: str, *arguments: str, text: str = PROGRAM) -> None:
    """Run `xbuf` with changes, and interrupt it when it says that it is ready."""
    (folder / "program.mlir").write_text(text)
    process = subprocess.Popen(
        [sys.executable, "-c", f"{MAIN}{code}\nsys.exit(main())", *arguments],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # Where tests run at the same time, nobody handles the signal.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    try:
        assert process.stderr is not None
        assert process.stderr.readline() == "ready\n"
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=SECONDS)
    finally:
        process.kill()
    assert (errors, process.returncode) == ("xbuf: error: interrupted\n", 130)


def is_running(process: int) -> bool:
    """Whether a process is there, and not only its exit code."""
    try:
        return psutil.Process(process).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


IN_A_CALL = """
import xdsl_bufferization.tools.run.call as call
make = call.Call.make
def ready(*arguments):
    say_ready()
    return make(*arguments)
call.Call.make = ready
"""


@pytest.mark.parametrize(
    "printing", ["", "vector.print %a : f32"], ids=["silent", "printing"]
)
def test_a_program_that_does_not_end(tmp_path: Path, printing: str):
    text = ENDLESS.replace("PRINT", printing)
    code = f"{IN_A_CALL}\nsys.stdout = open(os.devnull, 'w')"
    interrupt(tmp_path, code, "run", "program.mlir", text=text)


def test_a_long_optimisation(tmp_path: Path):
    code = """
import xdsl_bufferization.runtime.engine as engine
engine.optimized = wait_in_machine_code
"""
    interrupt(tmp_path, code, "run", "program.mlir")


@pytest.mark.volume(sample=2)
@pytest.mark.parametrize("command", ["run", "explain", "compare", "stages"])
def test_a_long_pass(tmp_path: Path, command: str):
    code = """
import xdsl.passes
from xdsl.passes import PassPipeline
def apply(self, ctx, op):
    say_ready()
    while True:
        pass
PassPipeline.apply = apply
import xdsl_bufferization.bufferization.analyses.one_shot.one_shot as one_shot
one_shot.analyze = lambda *_, **__: apply(None, None, None)
import xdsl_bufferization.tools.common.program as program
program.verify = lambda *_: apply(None, None, None)
"""
    interrupt(tmp_path, code, command, "program.mlir")


def test_a_deep_program(tmp_path: Path):
    """It is worked on in a thread of its own."""
    code = """
import xdsl_bufferization.tools.common.program as program
from xdsl_bufferization.support.nesting import has_room
def verify(_):
    assert has_room()
    wait_in_machine_code()
program.verify = verify
"""
    interrupt(tmp_path, code, "explain", "program.mlir", text=DEEP)


@pytest.mark.parametrize("waits", ["wait_in_machine_code()", "loop()"])
def test_nothing_half_written_stays(tmp_path: Path, waits: str):
    outputs = tmp_path / "outputs.npz"
    outputs.write_text("the old file")
    code = f"""
import numpy
def loop():
    say_ready()
    while True:
        pass
def savez(stream, **_):
    stream.write(b"half")
    stream.flush()
    {waits}
numpy.savez = savez
"""
    interrupt(tmp_path, code, "run", "program.mlir", "--outputs", "outputs.npz")
    assert outputs.read_text() == "the old file"
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == ["outputs.npz", "program.mlir"]


def test_a_program_of_its_own_ends_as_well(tmp_path: Path):
    """An emulator, which gets no signal of the terminal here."""
    code = """
import xdsl_bufferization.codegen.targets.emulate as emulate
from xdsl_bufferization.support import subprocesses
def run_to_end(command, environment=None):
    directory = str(command[-1])
    return real([sys.executable, "-c", '''
import os, pathlib, time
pathlib.Path("child").write_text(str(os.getpid()))
os.write(1, b"x")
time.sleep(1000)  # It ends by a signal, or the test fails.
'''])
real = subprocesses.run_to_end
communicate = subprocesses._communicate
def ready(process):
    while not os.path.exists("child") or not open("child").read():
        pass
    say_ready()
    return communicate(process)
subprocesses._communicate = ready
emulate._run = lambda *_: run_to_end([""])
emulate._emulator_of = lambda _: []
emulate.link = lambda *_, **__: None
"""
    interrupt(tmp_path, code, "run", "program.mlir", "--target", "x86-64-v3")
    child = int((tmp_path / "child").read_text())
    assert not is_running(child)
