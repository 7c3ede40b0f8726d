"""Comparisons of constants, which are made before torch-mlir sees them.

    lt(scalar_tensor(-3.0), 0)          ->   full([], True)

torch-mlir compares constants itself, and now and then takes -3.0 < 0 to be false.
"""

from typing import Any, Final

from .frameworks import real_tensors, torch

_COMPARISONS: Final = ("eq", "ge", "gt", "le", "lt", "ne")

_MAKERS: Final = ("full", "ones", "scalar_tensor", "zeros")
"""Ops whose results have one value everywhere."""

_MOVERS: Final = ("_to_copy", "clone", "expand", "unsqueeze", "view")
"""Ops that keep this so."""


def compare_constants(graph: Any) -> None:
    """Replace comparisons of tensors that have one value everywhere, known by now."""
    known: dict[Any, Any] = {}
    for node in list(graph.nodes):
        name = getattr(node.target, "_opname", "")
        if name not in (*_COMPARISONS, *_MAKERS, *_MOVERS):
            continue
        if not all(each in known for each in node.all_input_nodes) or node.kwargs.get(
            "memory_format"
        ):
            continue
        with real_tensors():
            known[node] = _one_element(node, known)
        if name in _COMPARISONS:
            constant = _replaced(graph, node, bool(known[node]))
            known[constant] = known.pop(node)


def _one_element(node: Any, known: dict[Any, Any]) -> Any:
    """The value of all elements, as a tensor without dimensions."""
    name = getattr(node.target, "_opname", "")
    dtype = node.meta["val"].dtype
    if name in _MAKERS:
        given = {"ones": 1, "zeros": 0}.get(name, node.args[-1])
        return torch().scalar_tensor(given, dtype=dtype)
    operands = [known.get(each, each) for each in node.args[:2]]
    return operands[0].to(dtype) if name in _MOVERS else node.target(*operands)


def _replaced(graph: Any, node: Any, value: bool) -> Any:
    full = torch().ops.aten.full.default
    with graph.inserting_before(node):
        constant = graph.call_function(
            full, ([*node.meta["val"].shape], value), {"dtype": torch().bool}
        )
    constant.meta = dict(node.meta)
    node.replace_all_uses_with(constant)
    graph.erase_node(node)
    return constant
