"""Parts of graphs that become others before torch-mlir sees them.

    view(x, [0, 4])                         ->   full([0, 4], 0)
    sort(x, stable=True)                    ->   sort(x)
    kthvalue(x, 3)                          ->   slice(sort(x), -1, 2, 3)

torch-mlir divides by the size of a dimension without elements. It has no form for a
stable sort, and this package sorts stably in any case. It has no place for an infinite
k-th value.
"""

from operator import getitem, sub
from typing import Any, Final

from .differences import add_call
from .frameworks import torch

_VIEWS: Final = ("_unsafe_view", "expand", "permute", "slice", "squeeze", "view")
"""Ops whose results may be empty, and which compare no element."""


def make_empty_tensors(graph: Any) -> None:
    """Make what has no elements by itself, and not of other tensors."""
    full = torch().ops.aten.full.default
    for node in list(graph.nodes):
        value = node.meta.get("val")
        if node.op != "call_function" or not _is_empty(value):
            continue
        is_elementwise = torch().Tag.pointwise in getattr(node.target, "tags", ())
        if not is_elementwise and getattr(node.target, "_opname", "") not in _VIEWS:
            continue  # Others may raise an error that hinges on elements.
        with graph.inserting_before(node):
            made = graph.call_function(
                full, ([*value.shape], 0), {"dtype": value.dtype}
            )
        made.meta = dict(node.meta)
        node.replace_all_uses_with(made)
        graph.erase_node(node)


def _is_empty(value: Any) -> bool:
    """Whether a tensor has a size of 0, and no open one."""
    if not isinstance(value, torch().Tensor) or value.is_complex():
        return False
    return all(type(size) is int for size in value.shape) and 0 in value.shape


def sort_in_order(graph: Any) -> None:
    """Make stable sorts of others: those of this package are all stable."""
    aten: Any = torch().ops.aten
    for node in graph.find_nodes(op="call_function", target=aten.sort.stable):
        node.target = aten.sort.default
        named = dict(node.kwargs)
        node.args = (node.args[0], named.get("dim", -1), named.get("descending", False))
        node.kwargs = {}


def sort_for_places(graph: Any) -> None:
    """Find the k-th element of each row in the sorted row."""
    aten: Any = torch().ops.aten
    for node in graph.find_nodes(op="call_function", target=aten.kthvalue.default):
        x, k, dim, keeps, *_ = (*node.args, *(-1, False)[len(node.args) - 2 :])
        with graph.inserting_before(node):
            rows = add_call(graph, aten.sort.default, x, dim)
            before = k - 1 if isinstance(k, int) else add_call(graph, sub, k, 1)
            for user in [*node.users]:
                row = add_call(graph, getitem, rows, user.args[1])
                found = add_call(graph, aten.slice.Tensor, row, dim, before, k)
                if not keeps:
                    found = add_call(graph, aten.squeeze.dim, found, dim)
                user.replace_all_uses_with(found)
                graph.erase_node(user)
        graph.erase_node(node)
