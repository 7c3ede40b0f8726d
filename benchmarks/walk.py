"""The walk of whoever follows a program through the code: files, folders, rooms.

    python benchmarks/walk.py

      way          ops  files  folders  rooms  switches
      one-shot       4    ...      ...    ...       ...
      default        1    ...      ...    ...       ...

A switch is a call from a function of one file to a function of another one. Each way
runs once before it is counted, so that imports and what is computed once are left out.
"""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import PassPipeline
from xdsl.universe import Universe

import xdsl_bufferization as xbuf

PACKAGE = Path(xbuf.__file__).parent

FOUR_OPS = """
func.func @f(%a: tensor<4xf32>, %x: f32, %i: index) -> (tensor<4xf32>, f32) {
  %b = tensor.insert %x into %a[%i] : tensor<4xf32>
  %y = tensor.extract %a[%i] : tensor<4xf32>
  %c = tensor.insert %y into %b[%i] : tensor<4xf32>
  return %c, %y : tensor<4xf32>, f32
}
"""
ONE_PRODUCT = """
func.func @f(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>, %c: tensor<64x64xf32>)
    -> tensor<64x64xf32> {
  %d = linalg.matmul ins(%a, %b : tensor<64x64xf32>, tensor<64x64xf32>)
    outs(%c : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %d : tensor<64x64xf32>
}
"""
WAYS = {
    "one-shot": (FOUR_OPS, 4, "one-shot-bufferize{bufferize-function-boundaries}"),
    "default": (ONE_PRODUCT, 1, "default-pipeline"),
}


def walk(action: Callable[[], object]) -> tuple[set[Path], int]:
    """The files of the package that an action enters, and its switches."""
    entered: set[Path] = set()
    switches = 0

    def called(frame: FrameType, event: str, _: object) -> None:
        nonlocal switches
        if event != "call" or not is_ours(name := frame.f_code.co_filename):
            return
        entered.add(Path(name).relative_to(PACKAGE))
        caller = frame.f_back
        while caller is not None and not is_ours(caller.f_code.co_filename):
            caller = caller.f_back
        if caller is not None and caller.f_code.co_filename != name:
            switches += 1

    sys.setprofile(called)
    try:
        action()
    finally:
        sys.setprofile(None)
    return entered, switches


def is_ours(name: str) -> bool:
    """Whether a file is one of the package."""
    return name.startswith(f"{PACKAGE}/")


def run(program: str, pipeline: str) -> Callable[[], object]:
    """Read a program and run passes, as often as this is called."""
    passes = Universe.get_multiverse().all_passes

    def read_and_run() -> ModuleOp:
        module = xbuf.parse(program)
        PassPipeline.parse_spec(passes, pipeline).apply(Context(), module)
        return module

    return read_and_run


def rows() -> Iterator[str]:
    """A line for each way."""
    yield f"{'way':<12}{'ops':>5}{'files':>7}{'folders':>9}{'rooms':>7}{'switches':>10}"
    for name, (program, ops, pipeline) in WAYS.items():
        action = run(program, pipeline)
        action()
        files, switches = walk(action)
        folders = {file.parent for file in files}
        rooms = {file.parts[0] for file in files}
        yield (
            f"{name:<12}{ops:>5}{len(files):>7}{len(folders):>9}{len(rooms):>7}"
            f"{switches:>10}"
        )


if __name__ == "__main__":
    print(*rows(), sep="\n")
