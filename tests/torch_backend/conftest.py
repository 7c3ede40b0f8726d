"""Tests of the back end for PyTorch: `make test-torch` runs them.

They need the extra `torch` and Hugging Face's transformers, and are left out where
PyTorch or torch-mlir is missing.
"""

# pyright: basic, reportMissingImports=false

from collections.abc import Iterator
from importlib.util import find_spec

import pytest

collect_ignore_glob = []
if find_spec("torch") is None or find_spec("torch_mlir") is None:
    collect_ignore_glob.append("*.py")


OTHERS = ("DeprecationWarning", "FutureWarning", "UserWarning")
OURS = "xdsl_bufferization.frontends.pytorch.fallbacks.FallbackWarning"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let PyTorch warn about itself; that it computes anything itself is an error."""
    for item in items:
        for category in OTHERS:
            item.add_marker(pytest.mark.filterwarnings(f"ignore::{category}"))
        item.add_marker(pytest.mark.filterwarnings(f"error::{OURS}"))


@pytest.fixture(autouse=True)
def fresh_torch() -> Iterator[None]:
    """Compile each test's models anew, with the same random numbers."""
    import torch

    from xdsl_bufferization.frontends.pytorch import fallbacks

    torch.manual_seed(0)
    torch._dynamo.reset()
    fallbacks.forget_what_was_said()
    yield
