"""The pipeline of a compiler for accelerators, whose ops bufferization does not know.

A compiler in xDSL makes ops of its own out of linalg ops on tensors, one for each run
of an accelerator. Then it bufferizes, puts its ops on the buffers that they get and
give, and canonicalizes:

1. `empty-tensor-to-alloc-tensor`, `one-shot-bufferize` with unknown ops and identity
   layouts at functions
2. An op on tensors between `to_tensor` and `to_buffer` becomes one on buffers.
3. `canonicalize`, `cse`, `canonicalize`

As many buffers are allocated and copied as by mlir-opt 22.
"""

from collections import Counter
from collections.abc import Callable, Sequence

import pytest
from xdsl.dialects import bufferization
from xdsl.dialects import test as accelerator
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.ir import Operation, OpResult, SSAValue
from xdsl.rewriter import Rewriter

from xdsl_bufferization.bufferization.context import get_context
from xdsl_bufferization.dialects.parsing import parse_module
from xdsl_bufferization.dialects.printing import mlir_text
from xdsl_bufferization.tools.common.program import parse_passes, run_passes

pytestmark = pytest.mark.oracle

ONE_SHOT = (
    "bufferize-function-boundaries allow-return-allocs-from-loops allow-unknown-ops "
    "function-boundary-type-conversion=identity-layout-map"
)
BUFFERIZE = f"empty-tensor-to-alloc-tensor,one-shot-bufferize{{{ONE_SHOT}}}"
MLIR_BUFFERIZE = ("--empty-tensor-to-alloc-tensor", f"--one-shot-bufferize={ONE_SHOT}")
CLEAN = "canonicalize,cse,canonicalize"
MLIR_CLEAN = ("--canonicalize", "--cse", "--canonicalize")
GENERIC = ("--allow-unregistered-dialect", "--mlir-print-op-generic")

MATRIX = "tensor<16x16xi8>"
SUMS = "tensor<16x16xi32>"


def run_of(name: str, kind: str, types: Sequence[str], *operands: str) -> str:
    """One run of the accelerator; the last operand is where the result goes."""
    return (
        f'%{name} = "test.op"({", ".join(operands)}) '
        f'{{accelerator = "{kind}"}} : ({", ".join(types)}) -> {types[-1]}'
    )


KERNELS = {
    # A product of constants, with a sum of products in other integers.
    "product": f"""
    func.func public @main() -> ({SUMS}, {SUMS}) {{
      %a = arith.constant dense<1> : {MATRIX}
      %b = arith.constant dense<2> : {MATRIX}
      %golden = arith.constant dense<32> : {SUMS}
      %e = tensor.empty() : {SUMS}
      {run_of("r", "gemm", [MATRIX, MATRIX, SUMS], "%a", "%b", "%e")}
      return %r, %golden : {SUMS}, {SUMS}
    }}""",
    # A bias is added by a second run.
    "product_and_bias": f"""
    func.func public @main() -> ({SUMS}, {SUMS}) {{
      %a = arith.constant dense<1> : {MATRIX}
      %b = arith.constant dense<2> : {MATRIX}
      %c = arith.constant dense<5> : {SUMS}
      %golden = arith.constant dense<37> : {SUMS}
      %e = tensor.empty() : {SUMS}
      {run_of("p", "gemm", [MATRIX, MATRIX, SUMS], "%a", "%b", "%e")}
      %f = tensor.empty() : {SUMS}
      {run_of("r", "add", [SUMS, SUMS, SUMS], "%p", "%c", "%f")}
      return %r, %golden : {SUMS}, {SUMS}
    }}""",
    # The product starts from a bias, which is a constant.
    "product_onto_bias": f"""
    func.func public @main() -> ({SUMS}, {SUMS}) {{
      %a = arith.constant dense<1> : {MATRIX}
      %b = arith.constant dense<2> : {MATRIX}
      %c = arith.constant dense<5> : {SUMS}
      {run_of("r", "gemm", [MATRIX, MATRIX, SUMS], "%a", "%b", "%c")}
      return %r, %c : {SUMS}, {SUMS}
    }}""",
    # A perceptron: each layer reads what the one before it has computed.
    "layers": f"""
    func.func public @main(%x: {MATRIX}) -> {MATRIX} {{
      %w = arith.constant dense<1> : {MATRIX}
      %v = arith.constant dense<2> : {MATRIX}
      %e0 = tensor.empty() : {MATRIX}
      {run_of("l0", "gemm", [MATRIX] * 3, "%x", "%w", "%e0")}
      %e1 = tensor.empty() : {MATRIX}
      {run_of("l1", "gemm", [MATRIX] * 3, "%l0", "%v", "%e1")}
      %e2 = tensor.empty() : {MATRIX}
      {run_of("l2", "gemm", [MATRIX] * 3, "%l1", "%w", "%e2")}
      return %l2 : {MATRIX}
    }}""",
    # From wide numbers to narrow ones, element by element.
    "rescale": """
    func.func public @main(%x: tensor<64xi32>) -> (tensor<64xi8>, tensor<64xi8>) {
      %golden = arith.constant dense<3> : tensor<64xi8>
      %e = tensor.empty() : tensor<64xi8>
      %r = "test.op"(%x, %e) {accelerator = "rescale"}
          : (tensor<64xi32>, tensor<64xi8>) -> tensor<64xi8>
      return %r, %golden : tensor<64xi8>, tensor<64xi8>
    }""",
    # What linalg still has to do stays a linalg op: one between two runs.
    "linalg_between": f"""
    func.func public @main(%x: {MATRIX}) -> {MATRIX} {{
      %e0 = tensor.empty() : {MATRIX}
      {run_of("l0", "gemm", [MATRIX] * 3, "%x", "%x", "%e0")}
      %e1 = tensor.empty() : {MATRIX}
      %t = linalg.transpose ins(%l0 : {MATRIX}) outs(%e1 : {MATRIX})
          permutation = [1, 0]
      %e2 = tensor.empty() : {MATRIX}
      {run_of("l1", "gemm", [MATRIX] * 3, "%t", "%l0", "%e2")}
      return %l1 : {MATRIX}
    }}""",
    # Tiles of a product, in two loops.
    "tiles": f"""
    func.func public @main(%a: {MATRIX}, %b: {MATRIX}) -> {SUMS} {{
      %c0 = arith.constant 0 : index
      %c8 = arith.constant 8 : index
      %c16 = arith.constant 16 : index
      %e = tensor.empty() : {SUMS}
      %r = scf.for %i = %c0 to %c16 step %c8 iter_args(%x = %e) -> ({SUMS}) {{
        %s = scf.for %j = %c0 to %c16 step %c8 iter_args(%y = %x) -> ({SUMS}) {{
          %ta = tensor.extract_slice %a[%i, 0] [8, 16] [1, 1]
              : {MATRIX} to tensor<8x16xi8>
          %tb = tensor.extract_slice %b[0, %j] [16, 8] [1, 1]
              : {MATRIX} to tensor<16x8xi8>
          %ty = tensor.extract_slice %y[%i, %j] [8, 8] [1, 1]
              : {SUMS} to tensor<8x8xi32>
          %p = "test.op"(%ta, %tb, %ty) {{accelerator = "gemm"}}
              : (tensor<8x16xi8>, tensor<16x8xi8>, tensor<8x8xi32>) -> tensor<8x8xi32>
          %z = tensor.insert_slice %p into %y[%i, %j] [8, 8] [1, 1]
              : tensor<8x8xi32> into {SUMS}
          scf.yield %z : {SUMS}
        }}
        scf.yield %s : {SUMS}
      }}
      return %r : {SUMS}
    }}""",
    # A result goes to a function that others may call.
    "call": f"""
    func.func public @layer(%x: {MATRIX}) -> {MATRIX} {{
      %e = tensor.empty() : {MATRIX}
      {run_of("r", "gemm", [MATRIX] * 3, "%x", "%x", "%e")}
      return %r : {MATRIX}
    }}
    func.func public @main(%x: {MATRIX}) -> {MATRIX} {{
      %e = tensor.empty() : {MATRIX}
      {run_of("p", "add", [MATRIX] * 3, "%x", "%x", "%e")}
      %r = call @layer(%p) : ({MATRIX}) -> {MATRIX}
      return %r : {MATRIX}
    }}""",
    # Buffers from the start: nothing to bufferize.
    "buffers": """
    func.func public @main(%a: memref<16xi64>, %b: memref<16xi64>, %c: memref<16xi64>) {
      "test.op"(%a, %b, %c) {accelerator = "add"}
          : (memref<16xi64>, memref<16xi64>, memref<16xi64>) -> ()
      return
    }""",
}


def put_on_buffers(module: ModuleOp) -> None:
    """Run the accelerator on the buffers of its tensors; the last one is written."""
    for op in list(module.walk()):
        if isinstance(op, accelerator.TestOp) and op.results:
            buffers = [_buffer_of(value) for value in op.operands]
            on_buffers = accelerator.TestOp(buffers, attributes=dict(op.attributes))
            output = bufferization.ToTensorOp(buffers[-1], restrict=True)
            Rewriter.replace_op(op, [on_buffers, output], [output.tensor])


def _buffer_of(value: SSAValue) -> SSAValue:
    assert isinstance(value, OpResult)
    assert isinstance(value.op, bufferization.ToTensorOp), f"{value} has no buffer"
    return value.op.memref


def counts(module: ModuleOp) -> Counter[str]:
    """How often each op is there that has to do with memory."""
    return Counter(op.name for op in module.walk() if _is_counted(op))


def _is_counted(op: Operation) -> bool:
    return op.name.startswith("bufferization.") or op.name in (
        "memref.alloc",
        "memref.copy",
        "memref.cast",
        "test.op",
    )


def parse(text: str) -> ModuleOp:
    module = parse_module(text, "kernel.mlir", get_context())
    module.verify()
    return module


FEWER = {
    "call": "what an accelerator returns is passed on without a copy",
    "linalg_between": "a cast goes away, as the op between reads the buffer itself",
}
"""Where ours has fewer of these ops than mlir-opt's, and why."""


@pytest.mark.parametrize("kernel", KERNELS)
def test_as_many_buffers_and_copies_as_by_mlir_opt(
    kernel: str, mlir_opt: Callable[..., str]
):
    ours = parse(KERNELS[kernel])
    run_passes(ours, parse_passes(BUFFERIZE))
    theirs = parse(mlir_opt(KERNELS[kernel], *MLIR_BUFFERIZE, *GENERIC))
    check_counts(ours, theirs, kernel)

    for module in ours, theirs:
        put_on_buffers(module)
    run_passes(ours, parse_passes(CLEAN))
    theirs = parse(mlir_opt(mlir_text(theirs), *MLIR_CLEAN, *GENERIC))
    check_counts(ours, theirs, kernel)
    assert counts(ours) != counts(theirs) or kernel not in FEWER
    assert counts(ours)["bufferization.to_tensor"] == 0
    # The programs of both are what the other one would make of it.
    assert mlir_opt(mlir_text(ours), "--allow-unregistered-dialect")


def check_counts(ours: ModuleOp, theirs: ModuleOp, kernel: str) -> None:
    """Both have as many of each op, or ours has fewer where that has a reason."""
    if kernel in FEWER:
        assert counts(ours) <= counts(theirs)
    else:
        assert counts(ours) == counts(theirs)


def test_the_accelerator_is_what_it_was():
    module = parse(KERNELS["layers"])
    run_passes(module, parse_passes(BUFFERIZE))
    put_on_buffers(module)
    run_passes(module, parse_passes(CLEAN))
    runs = [op for op in module.walk() if isinstance(op, accelerator.TestOp)]
    assert [op.attributes["accelerator"] for op in runs] == [StringAttr("gemm")] * 3
    # Each layer reads the buffer that the one before it has written.
    assert [op.operands[0] for op in runs[1:]] == [op.operands[-1] for op in runs[:-1]]
