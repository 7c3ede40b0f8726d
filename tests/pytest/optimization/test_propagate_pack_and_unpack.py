"""Packs that go through element-wise ops leave what these compute."""

from collections.abc import Callable

import numpy as np
import pytest
from harness.programs.packs.elementwise import random_elementwise_program
from harness.programs.packs.models import check_passes
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization.optimization.packing.lower_packs_unpacks import (
    lower_packs_unpacks,
)
from xdsl_bufferization.optimization.packing.propagate_pack_and_unpack import (
    propagate_pack_and_unpack,
)
from xdsl_bufferization.optimization.packing.simplify_pack import simplify_packs

PASSES = (propagate_pack_and_unpack, simplify_packs, lower_packs_unpacks)


@pytest.mark.parametrize("seed", range(40))
def test_random_programs(parse: Callable[[str], ModuleOp], seed: int):
    program = random_elementwise_program(np.random.default_rng(seed))
    check_passes(parse(program.text), PASSES, program.arguments)


@pytest.mark.oracle
@pytest.mark.parametrize("seed", range(3))
def test_mlir_opt_accepts_them(
    parse: Callable[[str], ModuleOp],
    xdsl_opt: Callable[..., str],
    mlir_opt: Callable[..., str],
    seed: int,
):
    text = random_elementwise_program(np.random.default_rng(seed), 20).text
    pipeline = ""
    for name in ("propagate-pack-and-unpack", "simplify-pack", "lower-packs-unpacks"):
        pipeline = f"{pipeline},{name}".strip(",")
        assert "return" in mlir_opt(xdsl_opt(text, pipeline))
