"""Convolutions and pooling of all kinds keep their meaning in every pass."""

import numpy as np
import pytest
from harness.programs.random_windows import random_windows
from harness.volume.model_stages import Model, check_model

SEEDS = 100


@pytest.mark.volume(sample=2)
@pytest.mark.parametrize("seed", range(SEEDS))
def test_every_pass_keeps_the_meaning(seed: int):
    text = random_windows(np.random.default_rng(seed))
    assert check_model(Model("windows", text, "f32", 3), seed) >= 4


@pytest.mark.volume(sample=2)
@pytest.mark.parametrize("seed", range(SEEDS // 2))
def test_so_do_transposed_convolutions(seed: int):
    text = random_windows(np.random.default_rng(seed), 1, is_transposed=True)
    assert check_model(Model("transposed", text, "f32", 3), seed) >= 4
