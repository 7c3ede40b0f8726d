"""Every op of the lowered dialects is executed by a case here, or refused by name."""

import re
from collections.abc import Callable

import pytest
from harness.cases import complex_numbers, memory, scalars, vectors
from harness.cases.case import Case
from harness.programs.random_tm_tensor import OPS as TM_TENSOR_OPS
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization.codegen.llvm.module import lower_to_llvm
from xdsl_bufferization.dialects.linalg.table import NAMED_OPS
from xdsl_bufferization.pipelines.compile import compile_module
from xdsl_bufferization.runtime.heap import CountingHeap
from xdsl_bufferization.support.errors import OperationError

Parse = Callable[[str], ModuleOp]

DIALECTS = (
    "affine",
    "arith",
    "cf",
    "complex",
    "func",
    "index",
    "linalg",
    "math",
    "memref",
    "scf",
    "shape",
    "tm_tensor",
    "ub",
    "vector",
)
"""The dialects that are lowered, each as a whole."""

CASES: list[Case] = [
    *scalars.CASES,
    *complex_numbers.CASES,
    *memory.CASES,
    *vectors.CASES,
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_case(parse: Parse, case: Case):
    program = compile_module(parse(case.program), counting_heap=True)
    case.check(program)
    heap = program.heap
    assert isinstance(heap, CountingHeap)
    assert heap.report().live_bytes == 0


EXECUTED_ELSEWHERE = {
    **dict.fromkeys(NAMED_OPS, "dialects/test_linalg_named_ops.py"),
    **{
        f"tm_tensor.{op}": "codegen/test_tm_tensor_to_loops.py"
        for op in (*TM_TENSOR_OPS, "yield")
    },
    "func.func": "every case",
    "vector.print": "runtime/test_printing.py",
}
"""Ops that other tests execute."""

REFUSED: dict[str, tuple[str, str]] = {
    "arith.scaling_extf": (
        """func.func @f(%x: f16, %s: f8E8M0FNU) {
          %r = arith.scaling_extf %x, %s : f16, f8E8M0FNU to f32
          func.return
        }""",
        "f8E8M0FNU cannot be lowered to the llvm dialect",
    ),
    "arith.scaling_truncf": (
        """func.func @f(%x: f32, %s: f8E8M0FNU) {
          %r = arith.scaling_truncf %x, %s : f32, f8E8M0FNU to f16
          func.return
        }""",
        "f8E8M0FNU cannot be lowered to the llvm dialect",
    ),
    "memref.dma_start": (
        """func.func @f(%m: memref<8xf32>, %t: memref<1xi32>, %i: index) {
          memref.dma_start %m[%i], %m[%i], %i, %t[%i]
            : memref<8xf32>, memref<8xf32>, memref<1xi32>
          func.return
        }""",
        "'memref.dma_start' has no lowering to the llvm dialect",
    ),
    "memref.dma_wait": (
        """func.func @f(%t: memref<1xi32>, %i: index) {
          memref.dma_wait %t[%i], %i : memref<1xi32>
          func.return
        }""",
        "'memref.dma_wait' has no lowering to the llvm dialect",
    ),
    "vector.vscale": (
        """func.func @f() {
          %r = vector.vscale
          func.return
        }""",
        "'vector.vscale' has no lowering to the llvm dialect",
    ),
    "vector.scalable.insert": (
        """func.func private @f(%v: vector<4xf32>) {
          %w = ub.poison : vector<[4]xf32>
          %r = vector.scalable.insert %v, %w[0] : vector<4xf32> into vector<[4]xf32>
          func.return
        }""",
        "a vector has a fixed size here",
    ),
    "vector.scalable.extract": (
        """func.func private @f(%w: vector<[4]xf32>) {
          %r = vector.scalable.extract %w[0] : vector<4xf32> from vector<[4]xf32>
          func.return
        }""",
        "a vector has a fixed size here",
    ),
    **{
        f"linalg.winograd_{op}": (
            f"""func.func @f(%m: tensor<{source}xf32>, %o: tensor<{target}xf32>) {{
              %r = linalg.winograd_{op} fmr(F_2_3) ins(%m : tensor<{source}xf32>)
                outs(%o : tensor<{target}xf32>) -> tensor<{target}xf32>
              func.return
            }}""",
            f"type tensor<{source}xf32> cannot be lowered: bufferize it first",
        )
        for op, source, target in (
            ("filter_transform", "2x3x3x5", "4x4x5x2"),
            ("input_transform", "2x10x10x5", "4x4x4x4x2x5"),
            ("output_transform", "4x4x4x4x2x2", "2x8x8x2"),
        )
    },
    **{
        f"linalg.{op}": (
            f"""func.func @f(%m: tensor<8x8xf32>, %o: tensor<2x2x4x4xf32>) {{
              %r = linalg.{op} {operands[0]} inner_dims_pos = [0, 1]
                inner_tiles = [4, 4] into {operands[1]}
              func.return
            }}""",
            "type tensor<8x8xf32> cannot be lowered: bufferize it first",
        )
        for op, operands in (
            ("pack", ("%m", "%o : tensor<8x8xf32> -> tensor<2x2x4x4xf32>")),
            ("unpack", ("%o", "%m : tensor<2x2x4x4xf32> -> tensor<8x8xf32>")),
        )
    },
}
"""Ops without a lowering: a program, and what its error says."""


def test_every_op_is_executed_or_refused(ctx: Context, parse: Parse):
    executed = {op.name for case in CASES for op in parse(case.program).walk()}
    known = {*executed, *EXECUTED_ELSEWHERE, *REFUSED}
    for dialect in DIALECTS:
        names = {op.name for op in ctx.get_dialect(dialect).operations}
        assert names <= known, f"no test of {sorted(names - known)}"
    assert not executed & REFUSED.keys()


@pytest.mark.parametrize("name", REFUSED)
def test_refusal_names_the_op(parse: Parse, name: str):
    program, message = REFUSED[name]
    module = parse(program)
    assert any(op.name == name for op in module.walk())
    with pytest.raises(OperationError, match=re.escape(message)):
        lower_to_llvm(module)


def test_a_module_inside_of_another_is_refused(parse: Parse):
    with pytest.raises(OperationError, match="make it a program of its own"):
        compile_module(parse("module { module @inner {} }"))
