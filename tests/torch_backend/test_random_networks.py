"""Random whole networks compute what they compute in PyTorch.

    PYTHONPATH=tests python -m torch_backend.random_networks --seeds 0-500

compares more of them.
"""

# pyright: basic, reportMissingImports=false

import pytest
from torch_backend.random_networks import check_batches, check_network

NETWORKS = 12
OF_ANY_BATCH = 6


@pytest.mark.parametrize("seed", range(NETWORKS))
def test_a_network_in_both_pipelines(seed: int) -> None:
    check_network(seed)


@pytest.mark.parametrize("seed", range(OF_ANY_BATCH))
def test_a_network_for_any_batch(seed: int) -> None:
    check_batches(seed)
