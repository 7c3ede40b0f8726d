"""Packed programs compute what they computed before, and hold few packs."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from harness.programs.packs.convolutions import random_convolution
from harness.programs.packs.models import (
    Pass,
    check_passes,
    layer_sizes,
    random_arguments,
    random_model,
)
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization.dialects.linalg.pack import PackOp, UnPackOp
from xdsl_bufferization.optimization.packing.constant_fold_pack import (
    constant_fold_packs,
)
from xdsl_bufferization.optimization.packing.lower_packs_unpacks import (
    lower_packs_unpacks,
)
from xdsl_bufferization.optimization.packing.pack_conv2d import (
    NCHW_FCHW,
    NHWC_HWCF,
    ChannelFactors,
    pack_convolutions,
)
from xdsl_bufferization.optimization.packing.pack_matmul import (
    BlockFactors,
    pack_matmuls,
)
from xdsl_bufferization.optimization.packing.pack_vnni import pack_vnni
from xdsl_bufferization.optimization.packing.propagate_pack_and_unpack import (
    propagate_pack_and_unpack,
)
from xdsl_bufferization.optimization.packing.simplify_pack import simplify_packs
from xdsl_bufferization.tools.gen.gen import MlpOptions, mlp

Parse = Callable[[str], ModuleOp]

TOLERANCE = {"f32": 1e-5, "bf16": 0.05}
"""Sums may be added up in blocks; bf16 has 8 bits."""


def packing(factors: BlockFactors, *, allow_padding: bool = False):
    def pack(module: ModuleOp) -> None:
        pack_matmuls(module, factors, allow_padding=allow_padding)

    return (
        pack,
        propagate_pack_and_unpack,
        constant_fold_packs,
        simplify_packs,
    )


@pytest.mark.parametrize("seed", range(12))
def test_random_models(parse: Parse, seed: int):
    rng = np.random.default_rng(seed)
    options = random_model(rng)
    module = parse(mlp(options))
    factors = BlockFactors(*(int(size) for size in rng.choice([8, 16, 32], 3)))
    passes = packing(factors, allow_padding=bool(rng.integers(2)))
    arguments = random_arguments(module, rng)
    check_passes(module, passes, arguments, TOLERANCE[options.float_type])


@pytest.mark.parametrize("seed", range(6))
def test_random_models_with_pairs_of_rows(parse: Parse, seed: int):
    rng = np.random.default_rng(seed)
    options = replace(random_model(rng), float_type="bf16")
    module = parse(mlp(options))
    # On whole matrices and in blocks, before packs meet anything else.
    pack, *others = packing(BlockFactors(16, 16, 16))
    passes = [pack, pack_vnni, *others] if seed % 2 else [pack_vnni]
    arguments = random_arguments(module, rng)
    check_passes(module, passes, arguments, TOLERANCE["bf16"])
    assert any("tensor.expand_shape" in op.name for op in module.walk())


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("channels_last", [False, True])
def test_random_convolutions(parse: Parse, seed: int, channels_last: bool):
    program = random_convolution(
        np.random.default_rng(seed), channels_last=channels_last
    )
    format = NHWC_HWCF if channels_last else NCHW_FCHW
    module = parse(program.text)
    passes: list[Pass] = [
        lambda module: pack_convolutions(module, format, ChannelFactors(4, 3)),
        propagate_pack_and_unpack,
        simplify_packs,
        lower_packs_unpacks,
    ]
    # Sums of integers are exact.
    check_passes(module, passes, program.arguments)
    assert not any(op.name.startswith("linalg.conv") for op in module.walk())


@pytest.mark.parametrize("layers", [1, 4])
@pytest.mark.parametrize("named", [False, True])
@pytest.mark.parametrize("row_bias", [False, True])
def test_one_pack_and_one_unpack_are_left(
    parse: Parse, layers: int, named: bool, row_bias: bool
):
    options = MlpOptions(
        batch=64,
        layers=(64, 96, 64, 128, 96)[: layers + 1],
        bias=True,
        relu=True,
        seed=1,
        named=named,
        row_bias=row_bias,
    )
    module = parse(mlp(options))
    for run in packing(BlockFactors()):
        run(module)
    ops = list(module.walk())
    assert [type(op) for op in ops if isinstance(op, PackOp | UnPackOp)] == [
        PackOp,
        UnPackOp,
    ]


def test_padded_blocks_of_any_number_of_rows(parse: Parse):
    types = "tensor<?x40xf32>", "tensor<40x24xf32>", "tensor<?x24xf32>"
    a, b, c = types
    module = parse(f"""
    func.func @f(%a: {a}, %b: {b}, %c: {c}) -> {c} {{
      %0 = linalg.matmul ins(%a, %b : {a}, {b}) outs(%c : {c}) -> {c}
      return %0 : {c}
    }}
    """)
    passes = (
        *packing(BlockFactors(16, 8, 16), allow_padding=True),
        lower_packs_unpacks,
    )
    rng = np.random.default_rng(0)
    shapes = (21, 40), (40, 24), (21, 24)
    arguments = [rng.integers(-3, 4, shape).astype(np.float32) for shape in shapes]
    check_passes(module, passes, arguments)


def test_what_is_not_packed_is_told(parse: Parse):
    options = MlpOptions(batch=64, layers=(32, 48, 33, 64))
    remarks: list[str] = []
    pack_matmuls(parse(mlp(options)), report=remarks.append)
    odd = [s for s in layer_sizes(options) if any(size % 32 for size in s)]
    assert len(remarks) == len(odd) == 3
    assert remarks[0] == (
        "<unknown>:12:13: remark: 'linalg.generic' is not packed: the number of "
        "columns, 48, is not a multiple of the block factor 32; set block-factors or "
        "allow-padding"
    )
