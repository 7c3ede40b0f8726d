"""What a graph returns: results of the compiled program, and views.

    def forward(x):                     program(x):   return add(x, 1)
        y = x + 1                 ->
        return y, y.t(), x[0]           tail(x, y):   return y, y.t(), x[0]

The tail of a graph runs in PyTorch and computes no element. So outputs share memory
with inputs and with each other as the graph says, and a view costs no copy.

A graph says the strides of each tensor. If they are those of a row-major tensor with
its dimensions in another order, the program computes that tensor, and the tail permutes
the dimensions. Else the tail copies the result.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from operator import getitem
from typing import Any

from .differences import UnsupportedGraphError, add_call, name_of
from .frameworks import torch
from .strides import inverse, is_permutation, order_of, row_major, with_strides


@dataclass(frozen=True)
class Tail:
    """What PyTorch makes of the results of a program."""

    dtypes: tuple[object, ...]
    """The `torch.dtype` of each result; None: a number of Python."""

    positions: tuple[int, ...]
    """The inputs of the graph that the tail takes, before the results."""

    graph: Any
    """The graph of `torch.fx` that takes both, and returns the outputs."""

    is_tuple: bool
    """Whether the graph returns a tuple, and not one value."""

    makes_views: bool

    of_inputs: tuple[bool, ...]
    """For each output, whether it has the memory of an input."""

    @cached_property
    def function(self) -> Callable[..., Any]:
        """The graph as a function."""
        return torch().fx.GraphModule({}, _called_directly(self.graph)).forward

    def outputs(self, inputs: Sequence[Any], results: Sequence[Any]) -> Any:
        """The outputs of the graph."""
        taken = [inputs[position] for position in self.positions]
        # To enter the context takes as long as to make a view.
        if not (self.makes_views and torch().is_grad_enabled()):
            return self.function(*taken, *results)
        with torch().no_grad():
            return self.function(*taken, *results)


def split_tail(graph: Any) -> Tail:
    """The tail of a graph; the graph is left with what a program computes.

    Raises `UnsupportedGraphError` where open sizes hide the order of dimensions.
    """
    (output,) = (node for node in graph.nodes if node.op == "output")
    is_tuple = isinstance(output.args[0], list | tuple)
    returned: list[Any] = [*output.args[0]] if is_tuple else [output.args[0]]
    moved, results = _moved(graph, output.all_input_nodes)
    tail, copies = torch().fx.Graph(), dict[Any, Any]()
    placeholders = [node for node in graph.nodes if node.op == "placeholder"]
    wanted = {each for node in (*moved, output) for each in node.all_input_nodes}
    positions = [n for n, node in enumerate(placeholders) if node in wanted]
    for node in (*(placeholders[n] for n in positions), *results):
        copies[node] = tail.placeholder(node.name)
    with graph.inserting_before(output):
        computed = [_laid_out(graph, node, tail, copies) for node in results]
    for node in moved:
        copies[node] = tail.node_copy(node, copies.__getitem__)
    tail.output(torch().fx.map_arg(output.args[0], copies.__getitem__))
    output.args = (tuple(computed),)
    _turn_back(tail, len(positions))
    left = {*tail.nodes}
    return Tail(
        tuple(getattr(node.meta["val"], "dtype", None) for node in results),
        tuple(positions),
        tail,
        is_tuple,
        any(copies[node] in left for node in moved),
        tuple(map(_is_of_input, returned)),
    )


def _called_directly(tail: Any) -> Any:
    """A graph that makes its views by functions of PyTorch, and not by ops.

    To call an op from Python takes three times as long as the function with the same
    arguments, and `prims.squeeze` a hundred times. A training step makes dozens.
    """
    functions = _functions_of_views()
    graph = torch().fx.Graph()
    value = graph.graph_copy(tail, {})
    for node in graph.nodes:
        if not node.kwargs:
            node.target = functions.get(node.target, node.target)
    graph.output(value)
    return graph


def _turn_back(tail: Any, inputs: int) -> None:
    """Return a result itself in place of the transpose of its transpose.

    The gradient of a weight is one. Nothing else may use either tensor, and neither is
    one of the first tensors, which are `inputs` of the caller: outputs are as many
    tensors as before.
    """
    nodes = [*tail.nodes]
    for node in nodes:
        before, order = _permuted(node)
        source, order_before = _permuted(before)
        if source is None or source in nodes[:inputs]:
            continue
        is_shared = len(before.users) > 1 or len(source.users) > 1
        if is_shared or [order_before[at] for at in order] != sorted(order):
            continue
        node.replace_all_uses_with(source)
        tail.erase_node(node)
        tail.erase_node(before)


def _permuted(node: Any) -> tuple[Any, Sequence[int]]:
    """What a node permutes, and the order; None for a node that does not."""
    if node is None or node.target is not torch().ops.aten.permute.default:
        return None, ()
    source, *orders = node.args
    return (source, orders[0]) if orders else (None, ())


@cache
def _functions_of_views() -> dict[object, Callable[..., Any]]:
    aten, tensor = torch().ops.aten, torch().Tensor
    return {
        aten.as_strided.default: tensor.as_strided,
        aten.expand.default: tensor.expand,
        aten.permute.default: tensor.permute,
        aten.select.int: tensor.select,
        aten.squeeze.dim: tensor.squeeze,
        aten.squeeze.dims: tensor.squeeze,
        aten.t.default: tensor.t,
        aten.transpose.int: tensor.transpose,
        aten.unsqueeze.default: tensor.unsqueeze,
        aten.view.default: tensor.view,
        torch().ops.prims.squeeze.default: tensor.squeeze,
    }


def _moved(graph: Any, returned: Sequence[Any]) -> tuple[list[Any], list[Any]]:
    """What the tail does, and the values that the program returns, in order."""
    sizes = _sizes(graph)
    wanted = set(returned)
    moved: list[Any] = []
    results: list[Any] = []
    for node in reversed(graph.nodes):
        if node not in wanted or node.op == "placeholder":
            continue
        if node in sizes or (_is_view(node) and not _is_computed_so(node)):
            moved.append(node)
            wanted.update(node.all_input_nodes)
        else:
            results.append(node)
    return moved[::-1], results[::-1]


def _is_computed_so(view: Any) -> bool:
    """Whether the program computes a result as the view of it that alone is wanted.

    It has the same elements in a row. A view that PyTorch makes costs microseconds.
    """
    if view.target not in _reshapes() or view.kwargs:
        return False
    source = view.args[0]
    if source.op == "placeholder" or _is_view(source) or len(source.users) > 1:
        return False
    return all(_is_row_major(each.meta.get("val")) for each in (source, view))


@cache
def _reshapes() -> frozenset[object]:
    aten = torch().ops.aten
    return frozenset(
        (aten.view.default, aten.squeeze.dim, aten.squeeze.dims, aten.unsqueeze.default)
    )


def _is_row_major(value: Any) -> bool:
    """Whether a tensor of known sizes has its elements in a row."""
    if not isinstance(value, torch().Tensor):
        return False
    numbers = (*value.shape, *value.stride())
    is_known = all(type(each) is int for each in numbers) and 0 not in value.shape
    return is_known and value.stride() == row_major(value.shape)


def _is_view(node: Any) -> bool:
    if node.target is getitem:
        return _is_view(node.args[0])
    return getattr(node.target, "is_view", False)


def _is_of_input(value: Any) -> bool:
    if not isinstance(value, torch().fx.Node):
        return False
    while _is_view(value):
        value = value.args[0]
    return value.op == "placeholder"


def _sizes(graph: Any) -> set[Any]:
    """Numbers that are computed of the sizes of inputs, and of numbers, alone."""
    known: set[Any] = set()
    for node in graph.nodes:
        is_number = node.op == "call_function" and not _has_tensor(node)
        if is_number and all(
            each in known or each.op == "placeholder" for each in node.all_input_nodes
        ):
            known.add(node)
    return known


def _has_tensor(node: Any) -> bool:
    number = torch().SymInt | torch().SymFloat | torch().SymBool | int | float
    return not isinstance(node.meta.get("val"), number)


def _laid_out(graph: Any, node: Any, tail: Any, copies: dict[Any, Any]) -> Any:
    """What the program returns for a result, of which `copies` gets the tensor."""
    value = node.meta["val"]
    if not isinstance(value, torch().Tensor):
        return node
    sizes, strides = tuple(value.shape), value.stride()
    is_open = any(isinstance(each, torch().SymInt) for each in (*sizes, *strides))
    order = order_of(sizes, strides)
    is_permuted = order is not None and is_permutation(order)
    aten, result = torch().ops.aten, copies[node]
    if order is None:
        if is_open:
            raise UnsupportedGraphError(
                f"{name_of(node)} has strides {strides} for the sizes {sizes}, where "
                "nobody knows the order of dimensions"
            )
        copies[node] = tail.call_function(with_strides, (result, sizes, strides))
    elif not is_open and (strides != row_major(sizes) or 0 in sizes):
        # NumPy has other strides where there are no elements.
        arguments = (result, sizes, strides)
        copies[node] = tail.call_function(aten.as_strided.default, arguments)
    elif is_permuted:
        arguments = (result, inverse(order))
        copies[node] = tail.call_function(aten.permute.default, arguments)
    return add_call(graph, aten.permute.default, node, order) if is_permuted else node
