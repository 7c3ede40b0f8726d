"""Models through `default-tpp-passes`: what they compute, and what becomes of them."""

from collections.abc import Callable

import numpy as np
import pytest
from harness.volume.model_stages import check_model, random_model
from xdsl.dialects import func, memref, scf
from xdsl.dialects.builtin import ModuleOp

import xdsl_bufferization as xbuf
from xdsl_bufferization.bufferization.context import get_context
from xdsl_bufferization.pipelines.compile import compile_module
from xdsl_bufferization.pipelines.default_tpp_passes import DefaultTppPassesPass
from xdsl_bufferization.runtime import CountingHeap
from xdsl_bufferization.tools.gen.gen import MlpOptions, mlp

Parse = Callable[[str], ModuleOp]


@pytest.mark.volume(sample=3)
@pytest.mark.parametrize("seed", range(7))
def test_every_pass_keeps_the_meaning(seed: int):
    assert check_model(random_model(seed), seed) >= 4


@pytest.mark.parametrize("row_bias", [False, True])
@pytest.mark.parametrize("named", [False, True])
def test_each_layer_is_one_loop_around_one_call(
    parse: Parse, named: bool, row_bias: bool
):
    options = MlpOptions(
        layers=(128, 256, 512, 64),
        bias=True,
        row_bias=row_bias,
        relu=True,
        named=named,
        seed=3,
    )
    module = parse(mlp(options))
    DefaultTppPassesPass().apply(get_context(), module)
    module.verify()
    (function,) = (op for op in module.ops if op.name == "func.func")
    ops = list(function.walk())
    loops = [op for op in ops if isinstance(op, scf.ParallelOp)]
    bodies = [
        [op.name for op in loop.walk() if op.name.startswith("xsmm.")] for loop in loops
    ]
    assert bodies == [["xsmm.fused_brgemm"]] * 3
    assert not any(op.name.startswith("linalg.") for op in ops)
    # What is between the layers; the input is read where it is.
    result = function.regions[0].block.last_op
    assert result is not None
    allocs = [op for op in ops if isinstance(op, memref.AllocOp)]
    between = [op for op in allocs if op.memref is not result.operands[0]]
    assert len(between) == 2
    deallocs = [op for op in ops if isinstance(op, memref.DeallocOp)]
    assert len(deallocs) == 2
    # Each is freed before the loop after the next one begins.
    order = {op: number for number, op in enumerate(function.regions[0].block.ops)}
    for dealloc, loop in zip(deallocs, loops[2:], strict=False):
        assert order[dealloc] < order[loop]


def test_without_kernels_there_are_loops(parse: Parse):
    module = parse(mlp(MlpOptions(16, (16, 32), relu=True)))
    DefaultTppPassesPass(linalg_to_loops=True).apply(get_context(), module)
    names = {op.name for op in module.walk()}
    assert "scf.for" in names
    assert not any(name.startswith(("linalg.", "xsmm.", "tensor.")) for name in names)


def test_a_task_takes_a_grid_of_rounds(parse: Parse):
    module = parse(mlp(MlpOptions(256, (128, 256), relu=True)))
    DefaultTppPassesPass(parallel_task_grid=(2, 4)).apply(get_context(), module)
    loops = [op for op in module.walk() if isinstance(op, scf.ParallelOp)]
    inner = [op for op in loops if isinstance(op.parent_op(), scf.ParallelOp)]
    assert 2 * len(inner) == len(loops)


def test_a_model_that_given_blocks_do_not_divide_says_so(
    parse: Parse, capsys: pytest.CaptureFixture[str]
):
    text = mlp(MlpOptions(17, (19, 23), relu=True, seed=1))
    blocks = (32, 32, 32)
    DefaultTppPassesPass(block_factors=blocks).apply(get_context(), parse(text))
    remarks = capsys.readouterr().err
    assert "is not packed: the number of rows, 17, is not a multiple" in remarks
    quiet = DefaultTppPassesPass(block_factors=blocks, explain=False)
    quiet.apply(get_context(), parse(text))
    DefaultTppPassesPass().apply(get_context(), parse(text))
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("batch", "rows", "columns", "summed"),
    [(2, 5, 10, 0), (0, 4, 4, 4), (2, 0, 4, 4), (2, 4, 0, 4), (1, 32, 32, 0)],
)
def test_products_without_elements(batch: int, rows: int, columns: int, summed: int):
    a, b = (
        f"tensor<{batch}x{rows}x{summed}xf32>",
        f"tensor<{batch}x{summed}x{columns}xf32>",
    )
    c = f"tensor<{batch}x{rows}x{columns}xf32>"
    multiply = xbuf.jit(f"""
    func.func @f(%a: {a}, %b: {b}) -> {c} {{
      %zero = arith.constant 0.0 : f32
      %e = tensor.empty() : {c}
      %z = linalg.fill ins(%zero : f32) outs(%e : {c}) -> {c}
      %r = linalg.batch_matmul ins(%a, %b : {a}, {b}) outs(%z : {c}) -> {c}
      return %r : {c}
    }}""")
    x = np.ones((batch, rows, summed), np.float32)
    y = np.ones((batch, summed, columns), np.float32)
    np.testing.assert_array_equal(multiply(x, y), x @ y)


def test_softmax_becomes_loops(parse: Parse):
    module = parse("""
    func.func @f(%x: tensor<2x4xf32>) -> tensor<2x4xf32> {
      %e = tensor.empty() : tensor<2x4xf32>
      %s = linalg.softmax dimension(1) ins(%x : tensor<2x4xf32>)
                                       outs(%e : tensor<2x4xf32>) -> tensor<2x4xf32>
      return %s : tensor<2x4xf32>
    }""")
    DefaultTppPassesPass(linalg_to_loops=True).apply(get_context(), module)
    assert not any(op.name.startswith("linalg.") for op in module.walk())


def test_copies_that_are_kernels_are_counted(parse: Parse):
    module = parse("""
    func.func @f(%m: tensor<4x8xf32>, %f: f32, %i: index) -> (tensor<4x8xf32>, f32) {
      %new = tensor.insert %f into %m[%i, %i] : tensor<4x8xf32>
      %old = tensor.extract %m[%i, %i] : tensor<4x8xf32>
      return %new, %old : tensor<4x8xf32>, f32
    }""")
    DefaultTppPassesPass().apply(get_context(), module)
    assert "xsmm.unary identity" in str(module)
    compiled = compile_module(module, count_copies=True)
    compiled["f"](np.zeros((4, 8), np.float32), 1.0, 2)
    assert isinstance(compiled.heap, CountingHeap)
    report = compiled.heap.report()
    assert (report.copies, report.copied_bytes) == (1, 128)


PRODUCT = """
func.func @f(%a: tensor<64x96xf32>, %b: tensor<96x64xf32>, %c: tensor<64x64xf32>)
    -> tensor<64x64xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<64x96xf32>, tensor<96x64xf32>)
                     outs(%c : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}
"""


def test_a_returned_out_argument_is_written_in_place(parse: Parse):
    module = parse(PRODUCT)
    DefaultTppPassesPass(explain=False).apply(get_context(), module)
    (function,) = (op for op in module.ops if isinstance(op, func.FuncOp))
    assert not function.function_type.outputs.data
    names = [op.name for op in function.walk()]
    assert names.count("memref.alloc") == 0
    assert names.count("xsmm.gemm") == 1
    compiled = compile_module(module)["f"]
    rng = np.random.default_rng(0)
    a, b, c = (
        rng.normal(size=shape).astype(np.float32)
        for shape in ((64, 96), (96, 64), (64, 64))
    )
    expected = a @ b + c
    assert compiled(a, b, c) is None
    np.testing.assert_allclose(c, expected, rtol=1e-4, atol=1e-4)


def test_a_returned_out_argument_is_a_new_value_in_python():
    multiply = xbuf.jit(PRODUCT)
    rng = np.random.default_rng(1)
    a, b, c = (
        rng.normal(size=shape).astype(np.float32)
        for shape in ((64, 96), (96, 64), (64, 64))
    )
    before = c.copy()
    np.testing.assert_allclose(multiply(a, b, c), a @ b + c, rtol=1e-4, atol=1e-4)
    np.testing.assert_array_equal(c, before)
