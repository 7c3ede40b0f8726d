"""What is known of a graph before it runs, computed by PyTorch itself.

    add(full([3], 1.5), -1)                 ->   full([3], 0.5)
    lt(full([3], 2.5), -2)                  ->   full([3], False)
    remainder(constant [1., 5.], 3)         ->   constant [1., 2.]

torch-mlir computes such ops as well, where operands have one value everywhere or at
most 16 elements. Its results are others. It takes -1 beside floats to be 2 to the power
of 64 less 1, and compares floats with integers the wrong way. Its quotients and rests
are cut as in C.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from .frameworks import real_tensors, torch

_NUMBERS: Final = {"ones": 1, "ones_like": 1, "zeros": 0, "zeros_like": 0}

_PLACES: Final = {"full": 1, "full_like": 1, "scalar_tensor": 0}
"""Ops whose results have one value everywhere: the value, or which argument it is."""

_MOVERS: Final = (
    *("_to_copy", "_unsafe_view", "alias", "cat", "clone", "detach", "expand", "flip"),
    *("index_select", "lift_fresh_copy", "permute", "select", "slice", "squeeze"),
    *("stack", "transpose", "unsqueeze", "view"),
)
"""Ops whose results have the elements of their operands."""

_MOST: Final = 16
"""So many elements that differ has what torch-mlir computes."""


def fold_constants(graph: Any) -> None:
    """Replace element-wise ops whose operands are known by what they compute."""
    known: dict[Any, Any] = {}
    with real_tensors():
        for node in list(graph.nodes):
            value = node.meta.get("val")
            if not _has_a_form(value):
                continue
            found = _value(node, value, known)
            if found is None:
                continue
            if _is_elementwise(node) and _is_made_of_others(node):
                constant = _constant(graph, node, value, found)
                node.replace_all_uses_with(constant)
                graph.erase_node(node)
                node = constant
            known[node] = found


def _has_a_form(value: Any) -> bool:
    """Whether it is a tensor whose sizes are known, of no complex numbers."""
    if not isinstance(value, torch().Tensor) or value.is_complex():
        return False
    is_strided = value.layout == torch().strided
    return is_strided and all(type(size) is int for size in value.shape)


def _is_elementwise(node: Any) -> bool:
    return node.op == "call_function" and torch().Tag.pointwise in getattr(
        node.target, "tags", ()
    )


def _is_made_of_others(node: Any) -> bool:
    name = getattr(node.target, "_opname", "")
    return name not in _NUMBERS and name not in _PLACES


def _value(node: Any, value: Any, known: Mapping[Any, Any]) -> Any:
    """The elements of a node, or one for all dimensions; None if they are not known."""
    if node.op == "get_attr":
        return _attribute(node)
    name = getattr(node.target, "_opname", "")
    if name in _NUMBERS or name in _PLACES:
        return _made(node, name, value)
    inputs = node.all_input_nodes
    if not inputs or any(each not in known for each in inputs):
        return None
    if not _is_elementwise(node) and name not in _MOVERS:
        return None
    if _is_random(node):
        return None
    found: Any = _of_one_element(node, name, value, known)
    if found is None and value.numel() <= _MOST:
        found = _called(node, lambda each: known[each].expand(each.meta["val"].shape))
    if found is None or not isinstance(found, torch().Tensor):
        return None
    return found if found.dtype == value.dtype else None


def _attribute(node: Any) -> Any:
    """A constant of the graph that is small."""
    found: Any = node.graph.owning_module
    for part in node.target.split("."):
        found = getattr(found, part)
    is_small = isinstance(found, torch().Tensor) and found.numel() <= _MOST
    is_plain = is_small and type(found) in (torch().Tensor, torch().nn.Parameter)
    return found.detach().clone() if is_plain else None


def _made(node: Any, name: str, value: Any) -> Any:
    given = _NUMBERS[name] if name in _NUMBERS else node.args[_PLACES[name]]
    if not isinstance(given, bool | int | float):
        return None
    return torch().full([1] * value.dim(), given, dtype=value.dtype)


def _of_one_element(node: Any, name: str, value: Any, known: Mapping[Any, Any]) -> Any:
    """One element for all of a node; None if an operand has more than that."""
    if any(known[each].numel() != 1 for each in node.all_input_nodes):
        return None
    if name in _MOVERS:
        if name in ("cat", "stack") and len({*map(_number, _all(node, known))}) > 1:
            return None
        found = known[node.all_input_nodes[0]].to(value.dtype)
    else:
        found = _called(node, known.__getitem__)
    if not isinstance(found, torch().Tensor) or found.numel() != 1:
        return None
    return found.reshape([1] * value.dim())


def _all(node: Any, known: Mapping[Any, Any]) -> list[Any]:
    return [known[each] for each in node.all_input_nodes]


def _number(x: Any) -> str:
    return repr(x.item())  # That of NaN is NaN.


def _is_random(node: Any) -> bool:
    tags = getattr(node.target, "tags", ())
    return torch().Tag.nondeterministic_seeded in tags


def _called(node: Any, value_of: Callable[[Any], Any]) -> Any:
    """What the op of a node returns for other operands; None if it raises an error."""
    node_map = torch().fx.node.map_arg
    arguments, named = (node_map(each, value_of) for each in (node.args, node.kwargs))
    try:
        with torch().no_grad():
            return node.target(*arguments, **named)
    except Exception:  # Whatever PyTorch raises, it does so again in the call.
        return None


def _constant(graph: Any, node: Any, value: Any, found: Any) -> Any:
    """A new node for what is known."""
    with graph.inserting_before(node):
        if found.numel() == 1:
            full, shape = torch().ops.aten.full.default, [*value.shape]
            made = graph.call_function(
                full, (shape, found.item()), {"dtype": value.dtype}
            )
        else:
            module = graph.owning_module
            name = f"_folded_{node.name}"
            module.register_buffer(name, found.contiguous(), persistent=False)
            made = graph.get_attr(name)
    made.meta = dict(node.meta)
    return made
