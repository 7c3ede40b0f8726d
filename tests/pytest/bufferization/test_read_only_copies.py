"""Reading the source of a copy gives what the copy had, also where arguments alias."""

from collections.abc import Callable

import numpy as np
import pytest
from harness.running.growth import growth
from xdsl.dialects import memref
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import BlockArgument
from xdsl.passes import PassPipeline

from xdsl_bufferization.bufferization.context import get_context
from xdsl_bufferization.bufferization.fewer_copies.remove_read_only_copies import (
    remove_read_only_copies,
)
from xdsl_bufferization.frontends.default_pipelines import default_passes
from xdsl_bufferization.pipelines.compile import compile_module

KERNEL = """
func.func @main(%a: memref<8x8xf32>, %out: memref<8x8xf32>) {{
  %m = memref.alloc() : memref<8x8xf32>
  memref.copy %a, %m : memref<8x8xf32> to memref<8x8xf32>
  {body}
  memref.dealloc %m : memref<8x8xf32>
  return
}}
"""

INTO_NEW = """
  %new = memref.alloc() : memref<8x8xf32>
  linalg.transpose ins(%m : memref<8x8xf32>) outs(%new : memref<8x8xf32>)
    permutation = [1, 0]
  memref.copy %new, %out : memref<8x8xf32> to memref<8x8xf32>
  memref.dealloc %new : memref<8x8xf32>
"""

INTO_ARGUMENT = """
  linalg.transpose ins(%m : memref<8x8xf32>) outs(%out : memref<8x8xf32>)
    permutation = [1, 0]
"""


@pytest.mark.parametrize(
    ("body", "copies"), [(INTO_NEW, 1), (INTO_ARGUMENT, 1)], ids=["new", "argument"]
)
def test_arguments_that_are_one_array(
    parse: Callable[[str], ModuleOp], body: str, copies: int
) -> None:
    module = parse(KERNEL.format(body=body))
    remove_read_only_copies(module)
    left = [op for op in module.walk() if isinstance(op, memref.CopyOp)]
    assert len(left) == copies
    x = np.arange(64, dtype=np.float32).reshape(8, 8)
    wanted = x.T.copy()
    compile_module(module)["main"](x, x, donate=["a", "out"])
    np.testing.assert_array_equal(x, wanted)


def test_reads_that_are_far_away_are_not_looked_for(
    parse: Callable[[str], ModuleOp],
) -> None:
    copies = "\n".join(
        f"%{n} = memref.alloc() : memref<8xf32>\n"
        f"memref.copy %a, %{n} : memref<8xf32> to memref<8xf32>\n"
        f"%x{n} = memref.load %{n}[%i] : memref<8xf32>"
        for n in range(400)
    )
    module = parse(f"""
      func.func @main(%a: memref<8xf32>, %i: index) -> (f32, f32) {{
        {copies}
        %last = memref.load %399[%i] : memref<8xf32>
        %first = memref.load %0[%i] : memref<8xf32>
        return %last, %first : f32, f32
      }}""")
    remove_read_only_copies(module)
    left = [op for op in module.walk() if isinstance(op, memref.CopyOp)]
    (copy,) = left
    allocation = copy.prev_op
    assert allocation is not None
    assert allocation is copy.destination.owner
    assert allocation.prev_op is None


LOADED_BLOCKS = """
func.func @main(%a: memref<8x8xf32>, %b: memref<8x8xf32>, %out: memref<8x8xf32>) {
  %ma = memref.alloc() : memref<8x8xf32>
  memref.copy %a, %ma : memref<8x8xf32> to memref<8x8xf32>
  %ta = bufferization.to_tensor %ma restrict writable
    : memref<8x8xf32> to tensor<8x8xf32>
  %mb = memref.alloc() : memref<8x8xf32>
  memref.copy %b, %mb : memref<8x8xf32> to memref<8x8xf32>
  %tb = bufferization.to_tensor %mb restrict writable
    : memref<8x8xf32> to tensor<8x8xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %p = linalg.matmul ins(%ta, %tb : tensor<8x8xf32>, tensor<8x8xf32>)
    outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  bufferization.materialize_in_destination %p in writable %out
    : (tensor<8x8xf32>, memref<8x8xf32>) -> ()
  return
}
"""


@pytest.mark.parametrize("optimize", [False, True])
def test_pipelines_copy_no_block_that_is_only_read(
    parse: Callable[[str], ModuleOp], optimize: bool
) -> None:
    module = parse(LOADED_BLOCKS)
    PassPipeline(default_passes(optimize=optimize)).apply(get_context(), module)
    sources = [op.operands[0] for op in module.walk() if op.name == "memref.copy"]
    assert not any(isinstance(source, BlockArgument) for source in sources)
    assert sum(isinstance(op, memref.AllocOp) for op in module.walk()) == 1
    x = np.arange(64, dtype=np.float32).reshape(8, 8)
    wanted = x @ x
    compile_module(module)["main"](x, x, x, donate=["a", "b", "out"])
    np.testing.assert_array_equal(x, wanted)


def _copies_read_at_once(count: int) -> str:
    body = "".join(
        f"""
  %m{n} = memref.alloc() : memref<8x8xf32>
  memref.copy %a, %m{n} : memref<8x8xf32> to memref<8x8xf32>
  %x{n} = memref.load %m{n}[%i, %i] : memref<8x8xf32>
  memref.dealloc %m{n} : memref<8x8xf32>"""
        for n in range(count)
    )
    return f"func.func @main(%a: memref<8x8xf32>, %i: index) {{{body}\n  return\n}}"


def _copies_read_at_the_end(count: int) -> str:
    copies = "".join(
        f"""
  %m{n} = memref.alloc() : memref<8x8xf32>
  memref.copy %a, %m{n} : memref<8x8xf32> to memref<8x8xf32>"""
        for n in range(count)
    )
    reads = "".join(
        f"\n  %x{n} = memref.load %m{n}[%i, %i] : memref<8x8xf32>" for n in range(count)
    )
    return (
        f"func.func @main(%a: memref<8x8xf32>, %i: index) {{{copies}{reads}\n"
        "  return\n}"
    )


@pytest.mark.parametrize("write", [_copies_read_at_once, _copies_read_at_the_end])
def test_work_grows_linearly(
    parse: Callable[[str], ModuleOp],
    write: Callable[[int], str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # So many ops are looked at for each copy, which the smaller program has, too.
    monkeypatch.setattr(f"{remove_read_only_copies.__module__}._MAX_OPS", 16)
    small, large = parse(write(20)), parse(write(80))
    assert growth(remove_read_only_copies, small, large) < 4.4
