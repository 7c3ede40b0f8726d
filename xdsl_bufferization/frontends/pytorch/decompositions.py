"""Ops of PyTorch that are decomposed, because torch-mlir does not translate them.

    aten._transformer_encoder_layer_fwd(x, ...)    ->   products, softmax, layer norms

PyTorch has single ops for a layer of a transformer, for inference. A group norm is
decomposed by PyTorch itself into an op that torch-mlir translates for fixed sizes only.
A negative border becomes a `tensor.pad` of negative width, which nobody can bufferize.
A softmax of rows that may be masked as a whole is decomposed by PyTorch into more ops
on elements than it needs. A GELU by tanh has a factor in torch-mlir that is right to
three digits. The attention of `attention.py` is decomposed for its gradients. Others
are in `batch_norms.py`, `division_decompositions.py`, `gradient_decompositions.py`,
`loss_decompositions.py`, `more_decompositions.py`, `order_decompositions.py`,
`pool_decompositions.py`, `wide_decompositions.py` and in the table of torch-mlir.
"""

from collections.abc import Callable, Sequence
from functools import cache
from math import pi, sqrt
from typing import Any

from .attention import flash_attention, flash_attention_backward
from .batch_norms import batch_norm_in_floats
from .division_decompositions import division_decompositions
from .frameworks import torch, torch_mlir_decompositions
from .gradient_decompositions import gradient_decompositions
from .loss_decompositions import loss_decompositions
from .more_decompositions import more_decompositions
from .order_decompositions import order_decompositions
from .pool_decompositions import pool_decompositions
from .promotion_decompositions import promotion_decompositions
from .wide_decompositions import in_floats, wide_decompositions, widened


@cache
def decompositions() -> dict[object, Callable[..., Any]]:
    """Functions that compute an op by others, by op.

    Raises an `ImportError` that says how to install torch-mlir.
    """
    aten: Any = torch().ops.aten
    # PyTorch's names of these ops begin with an underscore.
    flash = aten._scaled_dot_product_flash_attention_for_cpu  # noqa: SLF001
    backward = aten._scaled_dot_product_flash_attention_for_cpu_backward  # noqa: SLF001
    return {
        **torch_mlir_decompositions(),
        **more_decompositions(),
        **gradient_decompositions(),
        **wide_decompositions(),
        **promotion_decompositions(),
        **division_decompositions(),
        **order_decompositions(),
        **loss_decompositions(),
        **pool_decompositions(),
        flash.default: flash_attention,
        backward.default: flash_attention_backward,
        aten.constant_pad_nd.default: _pad,
        aten.gelu.default: _gelu,
        aten.native_group_norm.default: _group_norm,
        aten._native_batch_norm_legit_no_training.default: batch_norm_in_floats,  # noqa: SLF001
        aten._native_multi_head_attention.default: _attention,  # noqa: SLF001
        aten._safe_softmax.default: _safe_softmax,  # noqa: SLF001
        aten._transformer_encoder_layer_fwd.default: _encoder_layer,  # noqa: SLF001
    }


def _pad(x: Any, amounts: Sequence[Any], value: Any = 0) -> Any:
    """A pad that leaves out elements where an amount is negative.

    `amounts` are those before and after the last dimension, then the one before it.
    """
    if not any(isinstance(amount, int) and amount < 0 for amount in amounts):
        return NotImplemented
    pairs = zip(amounts[::2], amounts[1::2], strict=True)
    for dimension, (low, high) in enumerate(pairs, start=1):
        size = x.shape[-dimension] + min(low, 0) + min(high, 0)
        x = x.narrow(-dimension, max(-low, 0), size)
    return torch().constant_pad_nd(x, [max(amount, 0) for amount in amounts], value)


def _gelu(x: Any, approximate: str = "none") -> Any:
    """A GELU by tanh: how PyTorch documents `nn.GELU`. The exact one stays as it is."""
    if approximate != "tanh":
        return in_floats(torch().ops.aten.gelu.default)(x)
    wide = widened(x)
    inner = (wide + 0.044715 * (wide * wide * wide)) * sqrt(2 / pi)
    return (0.5 * wide * (torch().tanh(inner) + 1)).to(x.dtype)


def _group_norm(
    x: Any,
    weight: Any,
    bias: Any,
    batch: Any,
    channels: Any,
    inner: Any,
    groups: int,
    eps: float,
) -> Any:
    """A group norm of (batch, channels, ...): how PyTorch documents `nn.GroupNorm`.

    As PyTorch does on processors, the means and weights make one factor and one summand
    for each channel. Numbers of fewer than 32 bits are computed in 32.
    """
    wide = widened(x)
    parts = wide.reshape(batch, groups, channels // groups, inner)
    variance, mean = torch().var_mean(parts, (2, 3), correction=0, keepdim=True)
    scale = torch().rsqrt(variance + eps)
    per_channel = (1, groups, channels // groups, 1)
    factor = scale.expand(batch, *per_channel[1:])
    if weight is not None:
        factor = scale * weight.reshape(per_channel)
    summand = -mean * factor
    if bias is not None:
        summand = summand + bias.reshape(per_channel)
    each = (batch, channels, *(1 for _ in x.shape[2:]))
    normal = wide * factor.reshape(each) + summand.reshape(each)
    means = (one.reshape(batch, groups).to(x.dtype) for one in (mean, scale))
    return normal.to(x.dtype), *means


def _safe_softmax(x: Any, dim: int, dtype: Any = None) -> Any:
    """A softmax that is zero where all of a row is -inf, as in attention.

    The largest number of such a row is -inf. So no element has to be compared.
    """
    if dtype is not None:
        x = x.to(dtype)
    wide = widened(x)
    largest = wide.amax(dim, keepdim=True)
    is_masked = largest == float("-inf")
    weights = torch().exp(wide - largest.masked_fill(is_masked, 0.0))
    total = weights.sum(dim, keepdim=True).masked_fill(is_masked, 1.0)
    return (weights / total).to(x.dtype)


def _attention(
    query: Any,
    key: Any,
    value: Any,
    embed_dim: int,
    num_head: int,
    qkv_weight: Any,
    qkv_bias: Any,
    proj_weight: Any,
    proj_bias: Any,
    mask: Any = None,
    need_weights: bool = True,
    average_attn_weights: bool = True,
    mask_type: int | None = None,
) -> Any:
    """Self-attention: how PyTorch documents `nn.MultiheadAttention`."""
    if key is not query or value is not query or not average_attn_weights:
        return NotImplemented
    functional: Any = torch().nn.functional
    batch, length = query.shape[0], query.shape[1]
    packed = functional.linear(query, qkv_weight, qkv_bias)
    heads = packed.view(batch, length, 3, num_head, embed_dim // num_head)
    q, k, v = heads.permute(2, 0, 3, 1, 4).unbind(0)
    scale = (embed_dim // num_head) ** -0.5
    scores = _masked((q * scale) @ k.transpose(-2, -1), mask, mask_type)
    weights = torch().softmax(scores, -1)
    joined = (weights @ v).transpose(1, 2).reshape(batch, length, embed_dim)
    result = functional.linear(joined, proj_weight, proj_bias)
    return result, weights.mean(1) if need_weights else query.new_empty((0,))


def _masked(scores: Any, mask: Any, mask_type: int | None) -> Any:
    """`scores` (batch, heads, queries, keys) where `mask` is zero, elsewhere -inf.

    A mask of type 0 is for (queries, keys), of type 1 for (batch, keys), and of type 2
    for scores. PyTorch takes each number that is not zero to be true, in this op.
    """
    if mask is None:
        return scores
    if mask_type == 1:
        mask = mask[:, None, None, :]
    return scores.masked_fill(mask != 0, float("-inf"))


def _encoder_layer(
    src: Any,
    embed_dim: int,
    num_heads: int,
    qkv_weight: Any,
    qkv_bias: Any,
    proj_weight: Any,
    proj_bias: Any,
    use_gelu: bool,
    norm_first: bool,
    eps: float,
    norm_weight_1: Any,
    norm_bias_1: Any,
    norm_weight_2: Any,
    norm_bias_2: Any,
    ffn_weight_1: Any,
    ffn_bias_1: Any,
    ffn_weight_2: Any,
    ffn_bias_2: Any,
    mask: Any = None,
    mask_type: int | None = None,
) -> Any:
    """A layer of an encoder: how PyTorch documents `nn.TransformerEncoderLayer`."""
    functional: Any = torch().nn.functional

    def attend(x: Any) -> Any:
        return _attention(
            *(x, x, x, embed_dim, num_heads),
            *(qkv_weight, qkv_bias, proj_weight, proj_bias),
            need_weights=False,
            mask=mask,
            mask_type=mask_type,
        )[0]

    def feed(x: Any) -> Any:
        hidden = functional.linear(x, ffn_weight_1, ffn_bias_1)
        hidden = functional.gelu(hidden) if use_gelu else functional.relu(hidden)
        return functional.linear(hidden, ffn_weight_2, ffn_bias_2)

    def norm_1(x: Any) -> Any:
        return functional.layer_norm(x, (embed_dim,), norm_weight_1, norm_bias_1, eps)

    def norm_2(x: Any) -> Any:
        return functional.layer_norm(x, (embed_dim,), norm_weight_2, norm_bias_2, eps)

    if norm_first:
        attended = src + attend(norm_1(src))
        return attended + feed(norm_2(attended))
    attended = norm_1(src + attend(src))
    return norm_2(attended + feed(attended))
