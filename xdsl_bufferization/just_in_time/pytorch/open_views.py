"""Views that merge dimensions, one step at a time where sizes are left open.

    view(x, [b * l, 48])    // x: (b, l, 48)    ->    flatten(x, 0, 1)

torch-mlir pairs the open sizes of a view by position. In the example it takes `l` to be
1. A flatten names the dimensions that it merges, so nothing is paired.
"""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from xdsl_bufferization.just_in_time.pytorch.frameworks import torch

FLATTEN: Final = "aten.flatten.using_ints"
"""What torch-mlir is to translate whole: it would make a view of it again."""

_Group = tuple[range, range]
"""Dimensions before and after, with equally many elements."""


def flatten_open_views(graph: Any) -> None:
    """Merge by flattens wherever a view merges dimensions and two sizes are open.

    What a view splits is left to the view, after the flattens. A view remains as it is
    if its sizes do not say which dimensions belong together.
    """
    aten = torch().ops.aten
    for node in list(graph.nodes):
        if node.target not in (aten.view.default, aten._unsafe_view.default):  # noqa: SLF001
            continue
        source = node.args[0]
        before, after = source.meta["val"].shape, node.meta["val"].shape
        if sum(isinstance(size, torch().SymInt) for size in before) < 2:
            continue
        merged = [old for old, _ in _groups(before, after) if len(old) > 1]
        with graph.inserting_before(node):
            # From the last on, so that the numbers of the others stay.
            for dimensions in reversed(merged):
                source = _flatten(graph, source, dimensions)
        if _texts(source.meta["val"].shape) == _texts(after):
            node.replace_all_uses_with(source)
            graph.erase_node(node)
        else:
            node.args = (source, *node.args[1:])


def _flatten(graph: Any, source: Any, dimensions: range) -> Any:
    target = torch().ops.aten.flatten.using_ints
    first, last = dimensions[0], dimensions[-1]
    node = graph.call_function(target, (source, first, last))
    node.meta["val"] = target(source.meta["val"], first, last)
    return node


def _groups(before: Sequence[Any], after: Sequence[Any]) -> Iterator[_Group]:
    """The smallest groups of neighbours that have as many elements before as after."""
    ends: dict[str, list[int]] = {}
    for end, text in enumerate(_texts(_products(before)), start=1):
        ends.setdefault(text, []).append(end)
    at = 0, 0
    for end, text in enumerate(_texts(_products(after)), start=1):
        old = next((each for each in ends.get(text, ()) if each > at[0]), None)
        if end == len(after):
            old = len(before)
        if old is not None and old > at[0]:
            yield range(at[0], old), range(at[1], end)
            at = old, end


def _products(sizes: Sequence[Any]) -> Iterator[Any]:
    product: Any = 1
    for size in sizes:
        product = product * size
        yield product


def _texts(sizes: Iterator[Any] | Sequence[Any]) -> list[str]:
    """Sizes that can be compared: PyTorch orders the factors of a product."""
    return [str(size) for size in sizes]
