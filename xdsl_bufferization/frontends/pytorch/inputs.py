"""Inputs whose dimensions have another order in memory.

    def forward(x):      # x: (4, 3), strides (1, 4)         def forward(x):    # (3, 4)
        return relu(x)                                 ->        return relu(x.t())

A compiled program takes row-major tensors. In the example, `x` would be copied in each
call. Its transpose is row-major, so the program takes that one. A tensor with other
strides than those of the graph is read rightly too, from a copy.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from .differences import add_call
from .frameworks import torch
from .strides import inverse, is_permutation, order_of

Orders = Mapping[int, Sequence[int]]
"""The order of dimensions that a program takes, by the position of an input."""


def order_inputs(graph: Any, placeholders: Sequence[Any]) -> Orders:
    """Let a graph take the inputs that it uses row-major, where a permutation is so."""
    orders: dict[int, Sequence[int]] = {}
    for position, node in enumerate(placeholders):
        value = node.meta.get("val")
        if not node.users or not isinstance(value, torch().Tensor):
            continue
        order = order_of(value.shape, value.stride())
        if order is not None and is_permutation(order):
            orders[position] = order
            _permute(graph, node, order)
    return orders


def _permute(graph: Any, node: Any, order: Sequence[int]) -> None:
    users = [*node.users]
    node.meta["val"] = node.meta["val"].permute(*order)
    node.meta.pop("tensor_meta", None)
    with graph.inserting_after(node):
        permute = torch().ops.aten.permute.default
        before = add_call(graph, permute, node, inverse(order))
    for user in users:
        user.replace_input_with(node, before)


def in_order(inputs: Sequence[Any], orders: Orders) -> Sequence[Any]:
    """The inputs of a call as a program takes them; none is copied."""
    if not orders:
        return inputs
    permuted = [*inputs]
    for position, order in orders.items():
        permuted[position] = inputs[position].detach().permute(order)
    return permuted
