"""Attention, and its gradients, are those of PyTorch to 1e-5 of the largest number."""

# pyright: basic, reportMissingImports=false

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor, nn
from torch.nn.functional import scaled_dot_product_attention

TYPES = [torch.float32, torch.float64]

BOUND = 1e-5


def outputs_and_gradients(
    function: Callable[..., Tensor], inputs: list[Tensor], tangent: Tensor
) -> list[Tensor]:
    leaves = [each.detach().clone().requires_grad_() for each in inputs]
    output = function(*leaves)
    return [output, *torch.autograd.grad(output, leaves, tangent)]


def check(function: Callable[..., Tensor], *inputs: Tensor) -> None:
    tangent = torch.randn_like(function(*inputs), memory_format=torch.contiguous_format)
    fast = torch.compile(function, backend="xbuf")
    expected = outputs_and_gradients(function, [*inputs], tangent)
    found = outputs_and_gradients(fast, [*inputs], tangent)
    for ours, theirs in zip(found, expected, strict=True):
        assert ours.dtype == theirs.dtype
        assert (ours - theirs).abs().max() <= BOUND * theirs.abs().max()


def check_module(module: nn.Module, x: Tensor, **options: Any) -> None:
    """As `check`; the gradients are those of the parameters as well."""
    names = [name for name, _ in module.named_parameters()]

    def run(x: Tensor, *weights: Tensor) -> Tensor:
        tables = dict(zip(names, weights, strict=True))
        inputs = (x, x, x) if isinstance(module, nn.MultiheadAttention) else (x,)
        result = torch.func.functional_call(module, tables, inputs, options)
        return result[0] if isinstance(result, tuple) else result

    check(run, x, *(each.detach() for each in module.parameters()))


def masks(rows: int, columns: int, dtype: torch.dtype) -> dict[str, dict[str, Any]]:
    visible = torch.rand(2, 1, rows, columns) > 0.3
    visible[0, 0, 2] = False
    return {
        "none": {},
        "causal": {"is_causal": True},
        "scaled": {"scale": 0.3},
        "numbers": {"attn_mask": torch.randn(rows, columns, dtype=dtype)},
        "booleans, one row of which is false": {"attn_mask": visible},
    }


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("name", masks(4, 4, torch.float32))
def test_scaled_dot_product_attention(name: str, dtype: torch.dtype) -> None:
    mask = masks(8, 10, dtype)[name]
    query = torch.randn(2, 3, 8, 4, dtype=dtype)
    key, value = (torch.randn(2, 3, 10, 4, dtype=dtype) for _ in range(2))
    check(
        lambda q, k, v: scaled_dot_product_attention(q, k, v, **mask), query, key, value
    )


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_scores_of_small_types_keep_their_digits(dtype: torch.dtype) -> None:
    """As PyTorch's, the numbers are about those of exact scores."""

    def attend(*inputs: Tensor) -> Tensor:
        return scaled_dot_product_attention(*inputs)

    inputs = [torch.empty(2, 3, 8, 4).uniform_(-9, 9).to(dtype) for _ in range(3)]
    tangent = torch.randn(2, 3, 8, 4).to(dtype)
    wide = [each.double() for each in inputs]
    exact = outputs_and_gradients(attend, wide, tangent.double())
    theirs = outputs_and_gradients(attend, inputs, tangent)
    fast = torch.compile(attend, backend="xbuf")
    ours = outputs_and_gradients(fast, inputs, tangent)

    def error(found: Tensor, expected: Tensor) -> float:
        return float((found.double() - expected).abs().max())

    for found, other, expected in zip(ours, theirs, exact, strict=True):
        assert error(found, expected) <= 3 * error(other, expected)


@pytest.mark.parametrize("dtype", TYPES)
def test_heads_that_share_a_key(dtype: torch.dtype) -> None:
    query = torch.randn(2, 6, 8, 4, dtype=dtype)
    key, value = (torch.randn(2, 3, 8, 4, dtype=dtype) for _ in range(2))
    check(
        lambda q, k, v: scaled_dot_product_attention(q, k, v, enable_gqa=True),
        query,
        key,
        value,
    )


@pytest.mark.parametrize(
    ("causal", "padding", "dtype"),
    [
        (False, False, torch.float64),
        (True, False, torch.float64),
        (False, True, torch.float64),
        (True, True, torch.float64),
        (True, True, torch.float32),
    ],
)
@pytest.mark.parametrize("kind", ["attention", "encoder"])
def test_modules(kind: str, causal: bool, padding: bool, dtype: torch.dtype) -> None:
    square = nn.Transformer.generate_square_subsequent_mask(6, dtype=dtype)
    padded = torch.zeros(2, 6, dtype=dtype)
    padded[1, 4:] = float("-inf")
    attends, pads = square if causal else None, padded if padding else None
    x = torch.randn(2, 6, 16, dtype=dtype)
    if kind == "attention":
        module: nn.Module = nn.MultiheadAttention(16, 4, batch_first=True, dtype=dtype)
        check_module(module, x, attn_mask=attends, key_padding_mask=pads)
    else:
        module = nn.TransformerEncoderLayer(
            16, 4, 32, 0.0, batch_first=True, dtype=dtype
        )
        check_module(module, x, src_mask=attends, src_key_padding_mask=pads)
