"""A profile names each part of a program that ran, how often, and its lines."""

import numpy as np

import xdsl_bufferization as xbuf
from xdsl_bufferization.explanation.profile import Profiler, TimedNest, merged
from xdsl_bufferization.explanation.profile_page import render_profile

PROGRAM = """\
func.func @f(%a: tensor<32x32xf32>, %b: tensor<32x32xf32>) -> tensor<32x32xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<32x32xf32>
  %0 = linalg.fill ins(%zero : f32)
    outs(%empty : tensor<32x32xf32>) -> tensor<32x32xf32>
  %1 = linalg.matmul ins(%a, %b : tensor<32x32xf32>, tensor<32x32xf32>)
    outs(%0 : tensor<32x32xf32>) -> tensor<32x32xf32>
  return %1 : tensor<32x32xf32>
}
"""

STEPS = """
func.func @steps(%x: memref<8xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  scf.for %i = %c0 to %n step %c1 {
    LINES
  }
  return
}
"""


def steps(count: int) -> str:
    """A loop around so many nests."""
    return STEPS.replace(
        "LINES", "linalg.fill ins(%one : f32) outs(%x : memref<8xf32>)\n" * count
    )


def test_kernels_loops_and_lines() -> None:
    program = xbuf.jit(PROGRAM, threads=1)
    a, b = np.random.default_rng(0).normal(size=(2, 32, 32)).astype(np.float32)
    nests = program.profile(a, b, calls=3)
    (product,) = (nest for nest in nests if "gemm" in nest.what)
    assert (product.function, product.kind, product.runs) == ("f", "kernel", 3)
    assert product.lines[0] == 6
    assert {nest.kind for nest in nests} >= {"kernel", "allocation"}
    assert all(nest.seconds > 0 for nest in nests)


def test_a_kernel_shows_what_it_writes() -> None:
    bias = """
    func.func @f(%a: tensor<64x32xf32>, %b: tensor<32x48xf32>, %c: tensor<48xf32>)
        -> tensor<64x48xf32> {
      %zero = arith.constant 0.0 : f32
      %empty = tensor.empty() : tensor<64x48xf32>
      %0 = linalg.fill ins(%zero : f32)
        outs(%empty : tensor<64x48xf32>) -> tensor<64x48xf32>
      %1 = linalg.matmul ins(%a, %b : tensor<64x32xf32>, tensor<32x48xf32>)
        outs(%0 : tensor<64x48xf32>) -> tensor<64x48xf32>
      %2 = linalg.generic {
        indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n)>,
                         affine_map<(m, n) -> (m, n)>],
        iterator_types = ["parallel", "parallel"]
      } ins(%1, %c : tensor<64x48xf32>, tensor<48xf32>)
        outs(%empty : tensor<64x48xf32>) {
      ^bb0(%x: f32, %y: f32, %out: f32):
        %sum = arith.addf %x, %y : f32
        linalg.yield %sum : f32
      } -> tensor<64x48xf32>
      return %2 : tensor<64x48xf32>
    }
    """
    arguments = [np.ones(shape, np.float32) for shape in ((64, 32), (32, 48), (48,))]
    nests = xbuf.jit(bias, threads=1).profile(*arguments, calls=1)
    (shown,) = (nest.what for nest in nests if "gemm" in nest.what)
    name, shape, *_ = shown.replace(",", "").split()
    assert name == "xsmm.fused_brgemm"
    assert "x" in shape


def test_timed_code_computes_the_same() -> None:
    program = xbuf.jit(PROGRAM, threads=1)
    a, b = np.random.default_rng(1).normal(size=(2, 32, 32)).astype(np.float32)
    timed = Profiler().compile(program.lower())["f"]
    np.testing.assert_array_equal(timed(a, b), program(a, b))


def test_reset_forgets_calls() -> None:
    profiler = Profiler()
    code = profiler.compile(xbuf.parse(steps(1)))
    x = np.zeros(8, np.float32)
    code["steps"](x, 2)
    assert [nest.runs for nest in profiler.nests()] == [1]
    profiler.reset()
    assert profiler.nests() == []
    code["steps"](x, 2)
    assert [nest.runs for nest in profiler.nests()] == [1]


def test_loops_around_many_nests_are_looked_into() -> None:
    profiler = Profiler()
    code = profiler.compile(xbuf.parse(steps(9)))
    code["steps"](np.zeros(8, np.float32), 5)
    assert [nest.runs for nest in profiler.nests()] == [5] * 9


def test_a_program_without_nests() -> None:
    profiler = Profiler()
    code = profiler.compile(
        xbuf.parse("func.func @f(%x: f32) -> f32 { return %x : f32 }")
    )
    assert code["f"](2.0) == 2.0
    assert profiler.nests() == []


def test_equal_nests_are_merged() -> None:
    first = TimedNest("f", "loop", "linalg.fill 8", (3,), 1.0, 2)
    second = TimedNest("f", "copy", "memref.copy 8", (4,), 2.5, 2)
    third = TimedNest("f", "loop", "linalg.fill 8", (5,), 2.0, 2)
    assert merged([first, second, third]) == [
        TimedNest("f", "loop", "linalg.fill 8", (3, 5), 3.0, 4),
        second,
    ]


def test_the_page_shows_lines_with_their_share() -> None:
    nest = TimedNest("f", "loop", "linalg.fill <8>", (2, 1), 0.03, 2)
    page = render_profile("a&b", "one\ntwo", [nest], 2, 0.04)
    assert "a&amp;b" in page
    assert "2 calls, 20.000 ms each" in page
    assert '<tr id="l2"><td class="n">2</td><td class="bar">' in page
    assert '<i style="width:75.0%"></i>75.0' in page
    assert "linalg.fill &lt;8&gt;" in page
