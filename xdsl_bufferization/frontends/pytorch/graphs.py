"""Graphs of PyTorch as programs on tensors.

    def forward(self, weight, x):
        t = torch.ops.aten.permute(weight, [1, 0])      func.func @main(%weight, %x) {
        y = torch.ops.aten.mm(x, t)               ->      ...
        return (y, x, None)                               return %y

torch-mlir translates the ops. What no program needs stays outside: inputs that nobody
uses, and outputs that are an input, a view, a number or nothing.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from xdsl.dialects.builtin import ModuleOp

from ..reading import parse
from .batch_norms import split_batch_norms
from .comparison import OpenSize, compare_signatures, open_sizes
from .constant_folding import fold_constants
from .differences import count_from_zero, refuse_differences, refuse_sparse
from .frameworks import Module, torch
from .graph_rewrites import (
    make_empty_tensors,
    sort_for_places,
    sort_in_order,
)
from .inputs import Orders, order_inputs
from .lowering import divides, scatters
from .not_numbers import order_what_is_no_number
from .open_views import flatten_open_views
from .outputs import Tail, split_tail
from .translation import translated
from .whole_numbers import define_integers


@dataclass(frozen=True)
class TensorProgram:
    """A graph as a program on tensors."""

    module: ModuleOp | None
    """None: there is nothing to compute."""

    inputs: tuple[int, ...]
    """The inputs of the graph that the program takes, by position."""

    tail: Tail
    """What makes the outputs of the graph of the results of the program."""

    is_dynamic: bool
    """Whether a size is left open."""

    scatters: bool = False
    """Whether elements are written to places that are computed."""

    divides: bool = False
    """Whether integers are divided: by 0, the processor ends the process."""

    open_sizes: tuple[OpenSize, ...] = ()
    """What is compared in each call."""

    orders: Orders = field(default_factory=dict[int, Sequence[int]])
    """The order of the dimensions of inputs that are not row-major."""

    @property
    def needs_checks(self) -> bool:
        """Whether unchecked code could write outside of its buffers, or divide by 0.

        torch-mlir writes open sizes that contradict each other, and places of writes
        and divisors of integers that nobody compares.
        """
        return self.is_dynamic or self.scatters or self.divides


def program_of(
    graph_module: Module, *, accepts_differences: bool = False
) -> TensorProgram:
    """The program that a graph of ATen ops means.

    `accepts_differences`: also where torch-mlir is known to translate something else:
    random numbers are others than those of PyTorch, and integers without a sign may be
    taken to have one. Raises `UnsupportedGraphError`, and what parsing raises.
    """
    copy = _copy(graph_module)
    graph: Any = copy.graph
    placeholders = [node for node in graph.nodes if node.op == "placeholder"]
    refuse_sparse(graph)
    split_batch_norms(graph)
    tail = split_tail(graph)
    make_empty_tensors(graph)
    flatten_open_views(graph)
    graph.eliminate_dead_code()
    if not accepts_differences:
        refuse_differences(graph)
    count_from_zero(graph)
    fold_constants(graph)
    sort_in_order(graph)
    sort_for_places(graph)
    orders = order_inputs(graph, placeholders)
    inputs = tuple(_drop_unused(graph, placeholders))
    is_dynamic = has_open_sizes(graph)
    if not tail.dtypes:
        return TensorProgram(None, (), tail, is_dynamic)
    text = translated(graph)
    module = parse(text)
    compare_signatures(module, graph)
    order_what_is_no_number(module)
    define_integers(module)
    return TensorProgram(
        module,
        inputs,
        tail,
        is_dynamic,
        scatters=scatters(text),
        divides=divides(text),
        open_sizes=tuple(open_sizes(module, graph, inputs)),
        orders=orders,
    )


def has_open_sizes(graph: Any) -> bool:
    """Whether a size of anything in a graph is left open."""
    return any(map(_is_dynamic, graph.nodes))


def _copy(graph_module: Any) -> Any:
    """A copy of a graph that shares its constants."""
    fx = torch().fx
    graph = fx.Graph()
    returned = graph.graph_copy(graph_module.graph, {}, return_output_node=True)
    value, old = returned
    output = graph.output(value)
    output.meta = dict(old.meta)
    return fx.GraphModule(graph_module, graph)


def _drop_unused(graph: Any, placeholders: Sequence[Any]) -> Iterator[int]:
    for position, node in enumerate(placeholders):
        if node.users:
            yield position
        else:
            graph.erase_node(node)


def _is_dynamic(node: Any) -> bool:
    value = node.meta.get("val")
    if isinstance(value, torch().SymInt):
        return True
    sizes = value.shape if isinstance(value, torch().Tensor) else ()
    return any(isinstance(size, torch().SymInt) for size in sizes)
