"""Tiling and producer fusion do what MLIR's `transform.structured.fuse` does."""

from collections.abc import Callable
from io import StringIO

import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.printer import Printer

from xdsl_bufferization.dialects.scf import ForallOp

pytestmark = pytest.mark.oracle

Parse = Callable[[str], ModuleOp]
Run = Callable[..., str]

PROGRAM = """
func.func @f(%a: tensor<{m}x16xf32>, %b: tensor<16x{n}xf32>, %c: tensor<{m}x{n}xf32>)
    -> tensor<{m}x{n}xf32> {{
  %zero = arith.constant 0.0 : f32
  %0 = linalg.fill ins(%zero : f32) outs(%c : tensor<{m}x{n}xf32>)
    -> tensor<{m}x{n}xf32>
  %1 = linalg.matmul ins(%a, %b : tensor<{m}x16xf32>, tensor<16x{n}xf32>)
    outs(%0 : tensor<{m}x{n}xf32>) -> tensor<{m}x{n}xf32>
  %2 = linalg.exp ins(%1 : tensor<{m}x{n}xf32>) outs(%c : tensor<{m}x{n}xf32>)
    -> tensor<{m}x{n}xf32>
  return %2 : tensor<{m}x{n}xf32>
}}
"""

SCRIPT = """
module attributes {{transform.with_named_sequence}} {{
  transform.named_sequence @__transform_main(
      %root: !transform.any_op {{transform.readonly}}) {{
    %op = transform.structured.match ops{{["linalg.exp"]}} in %root
      : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.fuse %op tile_sizes {sizes}
      {{use_forall, apply_cleanup}}
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }}
}}
"""


def describe(module: ModuleOp) -> str:
    """What `@f` returns, as an expression: the order of ops makes no difference.

    A slice of a tensor that the iterations share is described as one of the tensor that
    the loop starts from. What iterations read is the same in both. Ours takes the slice
    of the shared tensor, so that bufferization need not copy the other one.
    """
    known: dict[SSAValue, str] = {}
    starts: dict[SSAValue, str] = {}

    def text(op: Operation) -> str:
        attributes = StringIO()
        Printer(attributes).print_attr_dict({**op.properties, **op.attributes})
        names = known | starts if op.name == "tensor.extract_slice" else known
        operands = ", ".join(names.get(value, "?") for value in op.operands)
        if isinstance(op, ForallOp):
            inits = op.operands[len(op.operands) - len(op.results) :]
            outs = op.region.block.args[-len(op.results) :]
            starts.update(
                (out, names[init]) for out, init in zip(outs, inits, strict=True)
            )
        regions = [
            body(region.blocks.first)
            for region in op.regions
            if region.blocks.first and not op.name.startswith("linalg.")
        ]
        return f"{op.name}({operands}){attributes.getvalue()}{regions}"

    def body(block: Block) -> str:
        known.update((arg, f"{arg.type} #{arg.index}") for arg in block.args)
        last = ""
        for op in block.ops:
            last = text(op)
            known.update((result, f"{last}: {result.type}") for result in op.results)
        return last

    function = next(op for op in module.walk() if op.name == "func.func")
    return body(function.regions[0].block)


@pytest.mark.parametrize(
    ("m", "n", "sizes"),
    [
        ("64", "128", (32, 32)),
        ("64", "120", (32, 32)),
        ("64", "120", (2, 16)),
        ("?", "?", (32, 8)),
        ("40", "?", (0, 8)),
    ],
)
def test_tiles_are_those_of_mlir(
    m: str, n: str, sizes: tuple[int, int], parse: Parse, xdsl_opt: Run, mlir_opt: Run
) -> None:
    program = PROGRAM.format(m=m, n=n)
    clean = ("-canonicalize", "-cse", "-canonicalize")
    given = ",".join(map(str, sizes))
    ours = xdsl_opt(program, f"tile-consumer-and-fuse-producers{{tile-sizes={given}}}")
    script = SCRIPT.format(sizes=list(sizes))
    theirs = mlir_opt(program + script, "-transform-interpreter", *clean)
    theirs = theirs.split("module attributes {transform")[0] + "}"
    assert describe(parse(mlir_opt(ours, *clean))) == describe(parse(theirs))
