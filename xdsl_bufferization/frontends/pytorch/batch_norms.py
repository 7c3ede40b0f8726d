"""Batch norms of known statistics, as ops on elements.

    batch_norm(x, weight, bias, mean, variance)    ->    x * factor + summand

As PyTorch does on processors, the statistics and weights make one factor and one
summand for each channel.

Where an op is decomposed while PyTorch traces a graph, each new op takes half a
millisecond, as PyTorch looks for the type of its result. A network for images has a
hundred batch norms, of nine ops each. So a batch norm stays whole until there is a
graph. The types of what it becomes are known.
"""

from collections.abc import Callable
from functools import partial
from operator import getitem
from typing import Any

from .frameworks import torch
from .wide_decompositions import widened


def batch_norm_in_floats(
    x: Any,
    weight: Any,
    bias: Any,
    mean: Any,
    variance: Any,
    momentum: float,
    eps: float,
) -> Any:
    """A batch norm of small floats or of several types, in floats of 32 bits at least.

    Others stay whole. The statistics for a backward pass have no elements.
    """
    given = (weight, bias, mean, variance)
    types = {each.dtype for each in (x, widened(x), *given) if each is not None}
    if len(types) == 1:
        return NotImplemented
    weight, bias = (None if each is None else widened(each) for each in given[:2])
    factor, summand = _factor_and_summand(
        _computed, weight, bias, widened(mean), widened(variance), eps
    )
    sizes = _sizes_of_channels(x)
    normal = widened(x) * factor.view(sizes) + summand.view(sizes)
    none = torch().empty((0,), dtype=x.dtype)
    return normal.to(x.dtype), none, none


def split_batch_norms(graph: Any) -> None:
    """Make ops on elements of the batch norms that are whole."""
    aten: Any = torch().ops.aten
    # PyTorch's name of the op begins with an underscore.
    op = aten._native_batch_norm_legit_no_training.default  # noqa: SLF001
    for node in graph.find_nodes(op="call_function", target=op):
        x, weight, bias, mean, variance, _, eps = node.args
        type_, type_of_none, _ = node.meta["val"]
        with graph.inserting_before(node):
            add = partial(_added, graph, node)
            each = variance.meta["val"]
            parts = _factor_and_summand(
                partial(add, each), weight, bias, mean, variance, eps
            )
            sizes = _sizes_of_channels(type_)
            type_of_view = each.view(sizes)
            factor, summand = (
                add(type_of_view, aten.view.default, part, [*sizes]) for part in parts
            )
            product = add(type_, aten.mul.Tensor, x, factor)
            normal = add(type_, aten.add.Tensor, product, summand)
            none = add(type_of_none, aten.full.default, [0], 0)
            none.kwargs = {"dtype": type_.dtype}
        for user in [*node.users]:
            assert user.target is getitem
            user.replace_all_uses_with(none if user.args[1] else normal)
            graph.erase_node(user)
        graph.erase_node(node)


def _factor_and_summand(
    add: Callable[..., Any], weight: Any, bias: Any, mean: Any, variance: Any, eps: Any
) -> tuple[Any, Any]:
    """What each channel is multiplied with, and what is added to that."""
    aten: Any = torch().ops.aten
    factor = add(aten.rsqrt.default, add(aten.add.Tensor, variance, eps))
    if weight is not None:
        factor = add(aten.mul.Tensor, factor, weight)
    shift = add(aten.mul.Tensor, mean, factor)
    if bias is None:
        return factor, add(aten.neg.default, shift)
    return factor, add(aten.sub.Tensor, bias, shift)


def _computed(op: Any, *operands: Any) -> Any:
    return op(*operands)


def _added(graph: Any, node: Any, type_: Any, op: Any, *operands: Any) -> Any:
    """A new node in the place of another one, with a result of a known type."""
    added = graph.call_function(op, operands)
    added.meta = {**node.meta, "val": type_}
    return added


def _sizes_of_channels(x: Any) -> tuple[int, ...]:
    """The sizes of a view of channels, beside the elements of `x`."""
    return (-1, *(1 for _ in x.shape[2:]))
