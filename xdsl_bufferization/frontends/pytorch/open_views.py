"""Views that merge dimensions, one step at a time where sizes are left open.

    view(x, [b * l, 48])    // x: (b, l, 48)    ->    flatten(x, 0, 1)

torch-mlir pairs the open sizes of a view by position. In the example it takes `l` to be
1. A flatten names the dimensions that it merges, so nothing is paired.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from .differences import add_call
from .frameworks import torch

FLATTEN: Final = "aten.flatten.using_ints"
"""What torch-mlir is to translate whole: it would make a view of it again."""

_VIEWS: Final = ("aten.view.default", "aten._unsafe_view.default")


def flatten_open_views(graph: Any) -> None:
    """Merge by flattens wherever a view merges dimensions and two sizes are open.

    What a view splits is left to the view, after the flattens. A view remains as it is
    if its sizes do not say which dimensions belong together.
    """
    flatten = torch().ops.aten.flatten.using_ints
    for node in list(graph.nodes):
        if str(node.target) not in _VIEWS:
            continue
        source = node.args[0]
        before, after = source.meta["val"].shape, node.meta["val"].shape
        if sum(isinstance(size, torch().SymInt) for size in before) < 2:
            continue
        merged = [group for group in _groups(before, after) if len(group) > 1]
        with graph.inserting_before(node):
            # From the last on, so that the numbers of the others stay.
            for dimensions in reversed(merged):
                source = add_call(graph, flatten, source, dimensions[0], dimensions[-1])
        if _texts(source.meta["val"].shape) == _texts(after):
            node.replace_all_uses_with(source)
            graph.erase_node(node)
        else:
            node.args = (source, *node.args[1:])


def _groups(before: Sequence[Any], after: Sequence[Any]) -> Iterator[range]:
    """The smallest groups of dimensions that a view keeps apart, by position before."""
    ends: dict[str, list[int]] = {}
    for end, text in enumerate(_texts(_products(before)), start=1):
        ends.setdefault(text, []).append(end)
    start = 0
    for text in _texts(_products(after[:-1])):
        end = next((each for each in ends.get(text, ()) if each > start), None)
        if end is not None:
            yield range(start, end)
            start = end
    yield range(start, len(before))


def _products(sizes: Sequence[Any]) -> Iterator[Any]:
    product: Any = 1
    for size in sizes:
        product = product * size
        yield product


def _texts(sizes: Iterable[Any]) -> list[str]:
    """Sizes that can be compared: PyTorch orders the factors of a product."""
    return [str(size) for size in sizes]
