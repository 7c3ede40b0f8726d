"""Convolutions that write channels where an unpack would put them, against NumPy."""

from collections.abc import Callable
from itertools import takewhile

import numpy as np
import pytest
from harness.programs.random_windows import tensor
from harness.volume.model_stages import Model, check_model
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization.dialects.linalg.pack import UnPackOp
from xdsl_bufferization.frontends.default_pipelines import default_passes
from xdsl_bufferization.optimization.packing.simplify_pack import simplify_packs
from xdsl_bufferization.optimization.packing.unpack_in_place import (
    UnpackInPlacePass,
    unpack_in_place,
)
from xdsl_bufferization.pipelines.pass_bundle import unbundle
from xdsl_bufferization.support.traversal import ops_inside

SEEDS = 16


def program(seed: int) -> str:
    """A convolution whose pixels become rows, which other ops read as well."""
    rng = np.random.default_rng(seed)
    channels, inputs = int(rng.choice((32, 64, 48, 96))), int(rng.choice((3, 8, 40)))
    height, width, kernel = (int(size) for size in rng.integers(1, 5, 3))
    images = int(rng.integers(1, 3))
    image = (images, inputs, height + kernel - 1, width + kernel - 1)
    weights = (channels, inputs, kernel, kernel)
    result, last = (images, channels, height, width), (images, height, width, channels)
    rows = (images, height * width, channels)
    before = "(a, b, c, d) -> (a, b, c, d)"
    lines = [
        f"%start = tensor.empty() : {tensor(result)}",
        f"%zeros = linalg.fill ins(%zero : f32) outs(%start : {tensor(result)}) "
        f"-> {tensor(result)}",
        f"%c = linalg.conv_2d_nchw_fchw ins(%image, %weights : {tensor(image)}, "
        f"{tensor(weights)}) outs(%zeros : {tensor(result)}) -> {tensor(result)}",
    ]
    value = "%c"
    if rng.integers(2):
        lines.append(
            f"%biased = linalg.generic {{indexing_maps = [affine_map<(a, b, c, d) -> "
            f"(b)>, affine_map<{before}>, affine_map<{before}>], iterator_types = "
            '["parallel", "parallel", "parallel", "parallel"]} '
            f"ins(%bias, {value} : {tensor((channels,))}, {tensor(result)}) "
            f"outs(%start : {tensor(result)}) {{\n"
            "^bb0(%l: f32, %r: f32, %o: f32):\n  %s = arith.addf %l, %r : f32\n"
            f"  linalg.yield %s : f32\n}} -> {tensor(result)}"
        )
        value = "%biased"
    if rng.integers(2):
        lines.append(
            f"%exp = linalg.exp ins({value} : {tensor(result)}) "
            f"outs(%start : {tensor(result)}) -> {tensor(result)}"
        )
        value = "%exp"
    results: list[tuple[str, tuple[int, ...]]] = []
    if rng.integers(2):
        lines.append(
            f"%other = linalg.mul ins({value}, {value} : {tensor(result)}, "
            f"{tensor(result)}) outs(%start : {tensor(result)}) -> {tensor(result)}"
        )
        results.append(("%other", result))
    if rng.integers(2):
        lines += [
            f"%flat = tensor.collapse_shape {value} [[0], [1], [2, 3]] : "
            f"{tensor(result)} into {tensor((images, channels, height * width))}",
            f"%empty = tensor.empty() : {tensor(rows)}",
            "%rows = linalg.transpose ins(%flat : "
            f"{tensor((images, channels, height * width))}) outs(%empty : "
            f"{tensor(rows)}) permutation = [0, 2, 1]",
        ]
    else:
        lines += [
            f"%empty = tensor.empty() : {tensor(last)}",
            f"%moved = linalg.transpose ins({value} : {tensor(result)}) "
            f"outs(%empty : {tensor(last)}) permutation = [0, 2, 3, 1]",
            f"%rows = tensor.collapse_shape %moved [[0], [1, 2], [3]] : {tensor(last)} "
            f"into {tensor(rows)}",
        ]
    joined = (images, height * width + 1, channels)
    lines.append(
        f"%joined = tensor.concat dim(1) %token, %rows : "
        f"({tensor((images, 1, channels))}, {tensor(rows)}) -> {tensor(joined)}"
        if rng.integers(2)
        else f"%joined = linalg.add ins(%rows, %rows : {tensor(rows)}, {tensor(rows)}) "
        f"outs(%rows : {tensor(rows)}) -> {tensor(rows)}"
    )
    results.append(("%joined", joined if "concat" in lines[-1] else rows))
    arguments = (
        f"%image: {tensor(image)}, %weights: {tensor(weights)}, "
        f"%bias: {tensor((channels,))}, %token: {tensor((images, 1, channels))}"
    )
    types = ", ".join(tensor(shape) for _, shape in results)
    names = ", ".join(name for name, _ in results)
    return (
        f"func.func @entry({arguments}) -> ({types}) {{\n"
        "%zero = arith.constant 0.0 : f32\n"
        + "\n".join(lines)
        + f"\nreturn {names} : {types}\n}}"
    )


@pytest.mark.volume(sample=2)
@pytest.mark.parametrize("seed", range(SEEDS))
def test_every_pass_keeps_the_meaning(seed: int) -> None:
    assert check_model(Model("rows", program(seed), "f32", 3), seed) >= 4


def test_many_of_these_programs_unpack_in_place(
    parse: Callable[[str], ModuleOp], ctx: Context
) -> None:
    passes = list(
        takewhile(
            lambda each: not isinstance(each, UnpackInPlacePass),
            unbundle(default_passes()),
        )
    )
    count = 0
    for seed in range(SEEDS):
        module = parse(program(seed))
        for each in passes:
            each.apply(ctx, module)
        before = _unpacks(module)
        unpack_in_place(module)
        simplify_packs(module)
        count += _unpacks(module) < before
    assert count > SEEDS // 3


def _unpacks(module: ModuleOp) -> int:
    return sum(isinstance(op, UnPackOp) for op in ops_inside(module))
