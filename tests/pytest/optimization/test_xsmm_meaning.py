"""Programs compute the same before and after they call kernels, and write no more."""

from collections.abc import Sequence

import numpy as np
import pytest
from harness.programs.random_kernels import Floats, random_chain, random_ops
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser

from xdsl_bufferization.bufferization.context import get_context
from xdsl_bufferization.bufferization.models import attach_all
from xdsl_bufferization.pipelines.compile import compile_module
from xdsl_bufferization.tools.common.program import parse_passes, run_passes

TO_XSMM = "convert-linalg-to-xsmm,convert-memref-to-xsmm"
TO_CALLS = "verify-xsmm-calls,convert-xsmm-to-func"


def parse(text: str) -> ModuleOp:
    attach_all()
    module = Parser(get_context(), text).parse_module()
    module.verify()
    return module


def after(text: str, pipeline: str) -> ModuleOp:
    module = parse(text)
    run_passes(module, parse_passes(pipeline))
    return module


def run(module: ModuleOp, values: Sequence[Floats]) -> list[Floats]:
    """Call the program on copies; what it leaves in them. Equal ones stay equal."""
    copies = {id(value): value.copy() for value in values}
    arguments = [copies[id(value)] for value in values]
    everything = range(len(arguments))  # So that equal ones may be meant.
    compile_module(module, opt_level=0)["f"](*arguments, donate=everything)
    return arguments


def assert_same(results: Sequence[Floats], expected: Sequence[Floats]) -> None:
    for number, (result, other) in enumerate(zip(results, expected, strict=True)):
        np.testing.assert_array_equal(result, other, err_msg=f"argument {number}")


@pytest.mark.parametrize("seed", range(4))
def test_ops_on_tiles(seed: int) -> None:
    program = random_ops(seed, count=16)
    values = program.values(seed)
    module = after(program.text(), TO_XSMM)
    assert not [op.name for op in module.walk() if op.name.startswith("linalg.")]
    assert not [op.name for op in module.walk() if op.name == "memref.copy"]
    run_passes(module, parse_passes(TO_CALLS))
    assert_same(run(module, values), run(parse(program.text()), values))


COMBINED = f"{TO_XSMM},combine-xsmm-op-optimization,fold-xsmm-flags"


def count_ops(module: ModuleOp, name: str) -> int:
    return sum(op.name == name for op in module.walk())


def combined_ops(seed: int) -> int:
    """Check a random chain; how many calls it lost by being combined."""
    program = random_chain(seed, count=30)
    values = program.values(seed)
    separate, combined = after(program.text(), TO_XSMM), after(program.text(), COMBINED)
    names = ("xsmm.unary", "xsmm.binary")
    lost = sum(count_ops(separate, n) - count_ops(combined, n) for n in names)
    run_passes(combined, parse_passes(TO_CALLS))
    expected = parse(program.text())
    assert_same(run(combined, values), run(expected, values))
    if program.may_share:
        same = share(values)
        assert_same(run(combined, same), run(expected, same))
    return lost


def share(values: Sequence[Floats]) -> list[Floats]:
    """The same arguments, but the same array wherever it fits."""
    by_shape: dict[tuple[int, ...], Floats] = {}
    return [by_shape.setdefault(value.shape, value) for value in values]


def test_chains() -> None:
    assert sum(combined_ops(seed) for seed in range(5)) > 12


def test_a_call_may_use_the_first_matrices_only() -> None:
    module = after(
        """
    func.func @f(%a: memref<3x8x16xf32>, %b: memref<3x16x4xf32>, %c: memref<8x4xf32>) {
      %n = arith.constant 2 : i64
      %0 = xsmm.brgemm.dispatch [8, 4, 16, 16, 4, 4, 128, 64] flags = (none)
          data_type = f32
      xsmm.brgemm(data_type = f32, %0, %a, %b, %c, %n)
          : (i64, memref<3x8x16xf32>, memref<3x16x4xf32>, memref<8x4xf32>, i64) -> ()
      return
    }""",
        TO_CALLS,
    )
    rng = np.random.default_rng(0)
    a, b, c = (
        rng.integers(-4, 4, shape).astype(np.float32)
        for shape in ((3, 8, 16), (3, 16, 4), (8, 4))
    )
    *_, result = run(module, [a, b, c])
    np.testing.assert_array_equal(result, c + (a[:2] @ b[:2]).sum(0))
