"""The order in which the dimensions of a tensor follow in memory.

order_of((2, 3, 4), (12, 1, 3))     [0, 2, 1]: dimension 1 is the innermost one
order_of((2, 3), (0, 1))            None: two rows share memory
"""

from collections.abc import Iterator, Sequence
from typing import Any

from .frameworks import torch


def order_of(sizes: Sequence[Any], strides: Sequence[Any]) -> list[int] | None:
    """The dimensions as they follow in memory; None if there are gaps or overlaps.

    Open sizes are compared as PyTorch writes them, which adds no guard. PyTorch
    multiplies strides by a size, or by 1 where the size may be 0.
    """
    if "0" in map(str, sizes):
        return [*range(len(sizes))]
    left = [each for each, size in enumerate(sizes) if str(size) != "1"]
    unit = [each for each in range(len(sizes)) if each not in left]
    order: list[int] = []
    expected: tuple[Any, Any] = (1, 1)
    while left:
        texts = {*map(str, expected)}
        found = [each for each in left if str(strides[each]) in texts]
        if not found:
            return None
        order.insert(0, found[-1])
        left.remove(found[-1])
        size = sizes[found[-1]]
        expected = expected[0] * size, expected[1] * torch().sym_max(size, 1)
    is_sorted = order == sorted(order)
    return sorted(unit + order) if is_sorted else unit + order


def is_permutation(order: Sequence[int]) -> bool:
    """Whether an order is another one than that of row-major tensors."""
    return [*order] != sorted(order)


def inverse(order: Sequence[int]) -> list[int]:
    """Where each dimension is in an order."""
    return [order.index(each) for each in range(len(order))]


def row_major(sizes: Sequence[int]) -> tuple[int, ...]:
    """The strides of a row-major tensor, as PyTorch counts them."""
    return tuple(_products(sizes))[::-1]


def _products(sizes: Sequence[int]) -> Iterator[int]:
    product = 1
    for size in reversed(sizes):
        yield product
        product *= max(size, 1)


def with_strides(x: Any, sizes: Sequence[int], strides: Sequence[int]) -> Any:
    """A copy of a tensor with any strides, also where elements share memory."""
    pairs = [*zip(sizes, strides, strict=True)]
    room = 1 + sum((size - 1) * stride for size, stride in pairs)
    copy: Any = x.new_empty(room).as_strided(sizes, strides)
    written: Any = copy
    # A dimension without a stride has equal elements, of which one is written.
    for dimension, (size, stride) in enumerate(pairs):
        if not stride and size > 1:
            written = written.narrow(dimension, 0, 1)
            x = x.narrow(dimension, 0, 1)
    written.copy_(x)
    return copy
