"""Computed tile by tile, each op makes what it makes at once."""

from collections.abc import Callable

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from xdsl_bufferization.bufferization.interfaces.tiling import TilingInterface
from xdsl_bufferization.optimization.tiling.tile_and_fuse import (
    TilingOptions,
    tile_and_fuse,
)
from xdsl_bufferization.optimization.tiling.tile_loops import ForLoops
from xdsl_bufferization.reference.evaluator import evaluate

Parse = Callable[[str], ModuleOp]

PROGRAMS = {
    "matmul": (
        "linalg.matmul ins(%a, %b : tensor<6x7xf32>, tensor<7x5xf32>)",
        "6x7 7x5 6x5",
        [{0: 2, 1: 5}, {0: 4, 1: 2}, {1: 1}],
    ),
    "batch_reduce_matmul": (
        "linalg.batch_reduce_matmul ins(%a, %b : tensor<3x6x7xf32>, tensor<3x7x5xf32>)",
        "3x6x7 3x7x5 6x5",
        [{1: 4, 2: 3}],
    ),
    "conv_2d_nhwc_hwcf": (
        "linalg.conv_2d_nhwc_hwcf {strides = dense<[2, 1]> : vector<2xi64>, "
        "dilations = dense<[1, 2]> : vector<2xi64>} "
        "ins(%a, %b : tensor<2x9x9x3xf32>, tensor<3x2x3x4xf32>)",
        "2x9x9x3 3x2x3x4 2x4x7x4",
        [{0: 1, 1: 3}, {1: 1, 2: 2, 3: 3}],
    ),
    "pooling_nhwc_max": (
        "linalg.pooling_nhwc_max ins(%a, %b : tensor<1x8x8x3xf32>, tensor<3x3xf32>)",
        "1x8x8x3 3x3 1x6x6x3",
        [{1: 4, 3: 2}],
    ),
    "transpose": (
        "linalg.transpose ins(%a : tensor<6x7xf32>)",
        "6x7 1 7x6",
        [{0: 3, 1: 4}],
    ),
    "broadcast": (
        "linalg.broadcast ins(%a : tensor<6xf32>)",
        "6 1 6x7",
        [{0: 4, 1: 3}],
    ),
    "reduce": (
        "linalg.reduce { arith.addf } ins(%a : tensor<6x7xf32>)",
        "6x7 1 7",
        [{1: 3}],
    ),
    "map": (
        "linalg.map { arith.mulf } ins(%a, %b : tensor<6x7xf32>, tensor<6x7xf32>)",
        "6x7 6x7 6x7",
        [{0: 4}],
    ),
    "softmax": (
        "linalg.softmax dimension(1) ins(%a : tensor<6x7x5xf32>)",
        "6x7x5 1 6x7x5",
        [{0: 4, 2: 2}],
    ),
    "pack": (
        "linalg.pack %a padding_value(%p : f32) outer_dims_perm = [1, 0] "
        "inner_dims_pos = [1, 0] inner_tiles = [4, 2]",
        "6x7 1 2x3x4x2",
        [{0: 1, 1: 2}, {0: 1}],
    ),
    "unpack": (
        "linalg.unpack %a outer_dims_perm = [1, 0] inner_dims_pos = [0, 1] "
        "inner_tiles = [2, 4]",
        "2x3x2x4 1 6x8",
        [{0: 4, 1: 4}, {0: 2}],
    ),
}
"""By op: its text up to the output, the shapes of %a, %b and %o, and tile sizes."""

ATTRIBUTES = {
    "transpose": " permutation = [1, 0]",
    "broadcast": " dimensions = [1]",
    "reduce": " dimensions = [0]",
}

CASES = [
    pytest.param(name, sizes, id=f"{name}-{number}")
    for name, (_, _, all_sizes) in PROGRAMS.items()
    for number, sizes in enumerate(all_sizes)
]


def program(name: str) -> str:
    text, shapes, _ = PROGRAMS[name]
    a, b, o = (f"tensor<{shape}xf32>" for shape in shapes.split())
    if name in ("pack", "unpack"):
        end = f"into %o : {a} -> {o}"
    elif name in ATTRIBUTES or name == "map":
        end = f"outs(%o : {o}){ATTRIBUTES.get(name, '')}"
    else:
        end = f"outs(%o : {o}) -> {o}"
    return f"""
func.func @f(%a: {a}, %b: {b}, %o: {o}, %p: f32) -> {o} {{
  %0 = {text} {end}
  return %0 : {o}
}}"""


def tileable(module: ModuleOp) -> Operation:
    (op,) = (op for op in module.walk() if op.has_trait(TilingInterface))
    return op


@pytest.mark.parametrize(("name", "sizes"), CASES)
@pytest.mark.parametrize("in_order", [False, True])
def test_tiles_make_up_the_result(
    name: str, sizes: dict[int, int], in_order: bool, parse: Parse
) -> None:
    module = parse(program(name))
    arguments = [
        np.random.default_rng(number).integers(-4, 5, shape).astype(np.float32)
        for number, shape in enumerate(
            [*(s.split("x") for s in PROGRAMS[name][1].split()), []]
        )
        for shape in [[int(size) for size in shape]]
    ]
    expected = evaluate(module, "f", arguments)
    options = TilingOptions(sizes, ForLoops) if in_order else TilingOptions(sizes)
    assert not isinstance(tile_and_fuse(tileable(module), {}, options), str)
    module.verify()
    assert any(op.name in ("scf.for", "scf.forall") for op in module.walk())
    np.testing.assert_allclose(evaluate(module, "f", arguments), expected, rtol=1e-6)


@pytest.mark.parametrize(
    ("name", "sizes", "problem"),
    [
        ("softmax", {1: 2}, "reduction"),
        ("matmul", {2: 2}, "reduction"),
        ("unpack", {0: 3}, "cannot be cut into tiles"),
        ("matmul", {}, "no loop has more than one tile"),
    ],
)
def test_what_cannot_be_tiled_stays(
    name: str, sizes: dict[int, int], problem: str, parse: Parse
) -> None:
    module = parse(program(name))
    before = str(module)
    result = tile_and_fuse(tileable(module), {}, TilingOptions(sizes))
    assert isinstance(result, str)
    assert problem in result
    assert str(module) == before
