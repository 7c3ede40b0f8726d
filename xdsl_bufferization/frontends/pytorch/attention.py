"""PyTorch's fused attention and its gradients, as products and a softmax.

    softmax(q @ k^T * scale + mask) @ v        the forward op, by rows
    log(sum(exp(q @ k^T * scale + mask)))      its second result, one number a row

PyTorch has a decomposition of the forward op. Its second result has the weights of the
softmax where the op promises logarithms, and the op of the gradients reads them as
logarithms. So both ops are decomposed here. The formulas are those of FlashAttention-2
(Dao, 2023, section 3.1).
"""

from collections.abc import Sequence
from typing import Any

from .frameworks import torch
from .wide_decompositions import widened


def flash_attention(
    query: Any,
    key: Any,
    value: Any,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    *,
    attn_mask: Any = None,
    scale: float | None = None,
) -> Any:
    """Attention of (batch, heads, rows, width), and the logarithms of the sums.

    A row that is masked as a whole is zero, and so is its logarithm. As PyTorch
    promises, the first result has the strides of `query`. Several heads of the query
    may share one of the key and the value.
    """
    if dropout_p:
        return NotImplemented
    key, value = (_for_heads(each, query.shape[1]) for each in (key, value))
    scores = _scores(query, key, is_causal, attn_mask, scale)
    largest = scores.amax(-1, keepdim=True)
    is_masked = largest == float("-inf")
    largest = largest.masked_fill(is_masked, 0.0)
    weights = torch().exp(scores - largest)
    total = weights.sum(-1, keepdim=True).masked_fill(is_masked, 1.0)
    output = (weights / total).to(value.dtype) @ value
    logarithms = (torch().log(total) + largest).squeeze(-1)
    return _with_order(output, _order_of(query)), _with_order(logarithms, (0, 2, 1))


def flash_attention_backward(
    grad_out: Any,
    query: Any,
    key: Any,
    value: Any,
    out: Any,
    logsumexp: Any,
    dropout_p: float,
    is_causal: bool,
    *,
    attn_mask: Any = None,
    scale: float | None = None,
) -> Any:
    """The gradients of the query, the key and the value of `flash_attention`.

    The weights of the softmax are computed again from the logarithms.
    """
    if dropout_p:
        return NotImplemented
    heads = key.shape[1]
    key, value = (_for_heads(each, query.shape[1]) for each in (key, value))
    scores = _scores(query, key, is_causal, attn_mask, scale)
    weights = torch().exp(scores - logsumexp.unsqueeze(-1))
    products = widened(grad_out) @ widened(value).transpose(-2, -1)
    means = (widened(grad_out) * widened(out)).sum(-1, keepdim=True)
    of_scores = (weights * (products - means) * _scale(query, scale)).to(query.dtype)
    gradients = (
        of_scores @ key,
        _of_heads(of_scores.transpose(-2, -1) @ query, heads),
        _of_heads(weights.to(value.dtype).transpose(-2, -1) @ grad_out, heads),
    )
    return tuple(_with_order(each, (0, 2, 1, 3)) for each in gradients)


def _for_heads(x: Any, heads: int) -> Any:
    """Each head of a key or a value, as often as heads of the query share it."""
    batch, count, *sizes = x.shape
    if count == heads:
        return x
    several = x.unsqueeze(2).expand(batch, count, heads // count, *sizes)
    return several.reshape(batch, heads, *sizes)


def _of_heads(x: Any, count: int) -> Any:
    """The sums of the gradients of the heads that share one: see `_for_heads`."""
    batch, heads, *sizes = x.shape
    if count == heads:
        return x
    return x.reshape(batch, count, heads // count, *sizes).sum(2)


def _scores(query: Any, key: Any, is_causal: bool, mask: Any, scale: Any) -> Any:
    """The scaled scores (batch, heads, queries, keys), in at least 32 bits.

    Rounded to bfloat16, a score of 100 is off by up to 0.25, and its weight by 25 %.
    """
    scaled = widened(query) * _scale(query, scale)
    scores = scaled @ widened(key).transpose(-2, -1)
    if is_causal:
        rows, columns = (
            torch().arange(size, device=query.device) for size in scores.shape[-2:]
        )
        scores = scores.masked_fill(columns > rows.unsqueeze(-1), float("-inf"))
    return scores if mask is None else scores + mask


def _scale(query: Any, scale: float | None) -> Any:
    return query.shape[-1] ** -0.5 if scale is None else scale


def _order_of(x: Any) -> tuple[int, ...]:
    """The dimensions of a tensor, from the one with the largest stride on."""
    strides = x.stride()
    return tuple(sorted(range(x.dim()), key=lambda each: -strides[each]))


def _with_order(x: Any, order: Sequence[int]) -> Any:
    """The same numbers; `order` has the dimensions as they follow in memory."""
    places = [order.index(each) for each in range(len(order))]
    return x.permute(*order).contiguous().permute(*places)
