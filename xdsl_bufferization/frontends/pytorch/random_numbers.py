"""Random numbers that PyTorch draws before a compiled graph runs.

    def forward(x):                                 def forward(x, mask):
        y = native_dropout(x, 0.2, True)[0]    ->       y = x * mask * 1.25
        return y                                        return y

Compiled code would draw other numbers than PyTorch. So PyTorch draws them, in the order
of the graph and from its own generator. The numbers are those that PyTorch would have
drawn in the graph.
"""

from collections.abc import Callable, Sequence
from copy import deepcopy
from functools import partial
from typing import Any, Final, NamedTuple

from .differences import add_call
from .frameworks import pytree, torch

_LIKE: Final = frozenset(
    {
        "bernoulli.p",
        "cauchy.default",
        "exponential.default",
        "geometric.default",
        "log_normal.default",
        "normal_functional.default",
        "rand_like.default",
        "randint_like.default",
        "randint_like.low_dtype",
        "randn_like.default",
        "uniform.default",
    }
)
"""Ops that take a tensor for its sizes and its type alone."""

_DROPOUT: Final = "native_dropout.default"


class Drawn(NamedTuple):
    """A graph that draws nothing, and what draws its last inputs, in order."""

    graph: Any
    draws: Sequence[Callable[[], Any]]


def draw_before(graph_module: Any) -> Drawn:
    """Let a graph get its random numbers; it stays as it is if one hinges on a value.

    The graph that is given is not changed.
    """
    draws = [_draw_of(node) for node in graph_module.graph.nodes if _is_random(node)]
    known = [each for each in draws if each is not None]
    if not draws or len(known) < len(draws):
        return Drawn(graph_module, ())
    graph = deepcopy(graph_module.graph)
    first = next(node for node in graph.nodes if node.op != "placeholder")
    with graph.inserting_before(first):
        drawn = [graph.placeholder(f"drawn_{n}") for n in range(len(known))]
    random = [node for node in graph.nodes if _is_random(node)]
    for node, numbers in zip(random, drawn, strict=True):
        value = node.meta["val"]
        numbers.meta["val"] = value[1] if _name(node) == _DROPOUT else value
        _replace(graph, node, numbers)
    return Drawn(torch().fx.GraphModule(graph_module, graph), known)


def _is_random(node: Any) -> bool:
    return torch().Tag.nondeterministic_seeded in getattr(node.target, "tags", ())


def _name(node: Any) -> str:
    return str(node.target).removeprefix("aten.")


def _draw_of(node: Any) -> Callable[[], Any] | None:
    """What draws the numbers of a node; None if that hinges on values."""
    if _name(node) == _DROPOUT:
        return _draw_of_dropout(node)
    is_like = _name(node) in _LIKE
    given = [_new_tensor(node.args[0])] if is_like else []
    numbers = node.args[len(given) :]
    if _new_tensor(node) is None or None in given or _has_nodes(numbers, node.kwargs):
        return None

    def draw() -> Any:
        return node.target(*(new() for new in given if new), *numbers, **node.kwargs)

    return draw


def _draw_of_dropout(node: Any) -> Callable[[], Any] | None:
    """What draws which elements are kept."""
    like, probability, *is_training = node.args
    dtype = torch().bool
    new = _new_tensor(like, dtype)
    # PyTorch scales by 0 where nothing is kept, and draws nothing where all is.
    if new is None or False in is_training or not 0 < probability < 1:
        return None

    def draw() -> Any:
        return new().bernoulli_(1.0 - probability)

    return draw


def _new_tensor(node: Any, dtype: Any = None) -> Callable[[], Any] | None:
    """What makes a tensor like that of a node; None if a size is left open."""
    value = node.meta.get("val")
    if not isinstance(value, torch().Tensor):
        return None
    layout = (tuple(value.shape), tuple(value.stride()))
    if not all(type(number) is int for numbers in layout for number in numbers):
        return None
    return partial(torch().empty_strided, *layout, dtype=dtype or value.dtype)


def _has_nodes(*arguments: object) -> bool:
    return any(
        isinstance(each, torch().fx.Node) for each in pytree().tree_leaves(arguments)
    )


def _replace(graph: Any, node: Any, drawn: Any) -> None:
    """Let the users of a node have what is computed of the numbers that were drawn."""
    if _name(node) != _DROPOUT:
        node.replace_all_uses_with(drawn)
        graph.erase_node(node)
        return
    source, probability, *_ = node.args
    ops = torch().ops.aten
    with graph.inserting_before(node):
        kept = add_call(graph, ops.mul.Tensor, source, drawn)
        scaled = add_call(graph, ops.mul.Tensor, kept, 1.0 / (1.0 - probability))
    for user in [*node.users]:
        user.replace_all_uses_with((scaled, drawn)[user.args[1]])
        graph.erase_node(user)
    graph.erase_node(node)
