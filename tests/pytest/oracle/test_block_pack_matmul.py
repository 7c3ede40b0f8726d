"""pack-matmul makes what mlir-opt's linalg-block-pack-matmul makes with its layouts."""

from collections.abc import Callable

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.linalg.ops import GenericOp

from xdsl_bufferization.dialects.linalg.pack import PackOp, RelayoutOp
from xdsl_bufferization.optimization.packing.pack_matmul import (
    BlockFactors,
    pack_matmuls,
)

pytestmark = pytest.mark.oracle

MAPS = {
    "": "",
    "a": "affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>",
    "b": "affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>",
}
"""Those of the inputs, by which of them is transposed."""


def product(m: int, n: int, k: int, type_: str, transposed: str) -> str:
    a = f"tensor<{k}x{m}x{type_}>" if transposed == "a" else f"tensor<{m}x{k}x{type_}>"
    b = f"tensor<{n}x{k}x{type_}>" if transposed == "b" else f"tensor<{k}x{n}x{type_}>"
    c = f"tensor<{m}x{n}x{type_}>"
    maps = ""
    if transposed:
        output = "affine_map<(m, n, k) -> (m, n)>"
        maps = f"indexing_maps = [{MAPS[transposed]}, {output}]"
    return f"""
    func.func @f(%a: {a}, %b: {b}, %c: {c}) -> {c} {{
      %0 = linalg.matmul {maps} ins(%a, %b : {a}, {b}) outs(%c : {c}) -> {c}
      return %0 : {c}
    }}
    """


def relayouts_and_loops(module: ModuleOp) -> list[tuple[object, ...]]:
    """What matters of the packed program, in order, but for names."""
    found: list[tuple[object, ...]] = []
    for op in module.walk():
        if isinstance(op, RelayoutOp):
            padded = isinstance(op, PackOp) and op.padding_value is not None
            found.append(
                (
                    op.name,
                    tuple(op.outer_permutation),
                    tuple(op.tiles_by_dimension.items()),
                    op.operands[0].type,
                    op.operands[1].type,
                    padded,
                )
            )
        elif isinstance(op, GenericOp):
            found.append((op.name, op.indexing_maps, op.iterator_types))
    return found


@pytest.mark.parametrize("transposed", ["", "a", "b"])
@pytest.mark.parametrize("seed", range(4))
def test_the_same_blocks(
    parse: Callable[[str], ModuleOp],
    mlir_opt: Callable[..., str],
    transposed: str,
    seed: int,
):
    rng = np.random.default_rng(seed)
    factors = BlockFactors(*(int(factor) for factor in rng.choice([4, 8, 16], 3)))
    # Whole blocks at first, and then also others.
    sizes = [
        factor * int(rng.integers(2, 5)) - int(seed > 1 and rng.integers(factor))
        for factor in factors
    ]
    m, n, k = sizes
    type_ = str(rng.choice(["f32", "i32", "bf16"]))
    text = product(m, n, k, type_, transposed)
    options = f"block-factors={','.join(map(str, factors))}"
    packed = mlir_opt(
        text,
        f"--linalg-block-pack-matmul={options} rhs-transpose-inner-blocks=false",
    )
    module = parse(text)
    pack_matmuls(module, factors, allow_padding=True)
    assert relayouts_and_loops(module) == relayouts_and_loops(parse(packed))
