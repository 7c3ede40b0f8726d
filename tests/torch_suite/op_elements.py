"""Results whose elements are compared each by itself.

    elements_differ(value, wanted, exact, alone)    ->   "1 of 75 elements: ..."

Among extreme numbers, one element may be far larger than the next, so that no tolerance
fits all of them. Zeros have signs here, and infinities are themselves.
"""

# pyright: basic, reportMissingImports=false

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import torch
from torch.utils import _pytree as pytree
from torch_suite.op_samples import Sample

TIMES = 4
"""So many times as much as PyTorch differs from 64 bits, a result may differ."""

WIDE = {
    torch.float16: torch.float64,
    torch.bfloat16: torch.float64,
    torch.float32: torch.float64,
    torch.complex64: torch.complex128,
}

RELATIVE = {
    torch.float16: 1e-3,
    torch.bfloat16: 1.6e-2,
    torch.float32: 4e-6,
    torch.float64: 1e-7,
}
"""The relative tolerances of elements.

They are those of `torch.testing.assert_close`, which adds an absolute one. Without it,
functions such as `gelu` need a little more in `float32`.
"""

MOST_ALONE = 2000
"""So many elements at most are computed alone by PyTorch."""

MOST_SHOWN = 6
"""So many elements has a message."""


def elements_differ(
    value: torch.Tensor,
    wanted: torch.Tensor,
    exact: Callable[[], Any],
    alone: Callable[[int], Any],
) -> str:
    """How elements differ, or nothing.

    `exact` gives the same result in 64 bits, and `alone` that for one element. PyTorch
    computes several elements at once, and the last ones by themselves. The two ways
    differ now and then where an element is not a number.
    """
    wrong = ~_are_near(value, wanted)
    if wrong.any() and wanted.dtype in WIDE and (same := exact()) is not None:
        wrong &= ~_are_as_exact(value, wanted, same)
    places = wrong.nonzero().flatten().tolist()
    if len(places) <= MOST_ALONE:
        places = [n for n in places if not _are_near(value[n : n + 1], alone(n)).all()]
    if not places:
        return ""
    pairs = [
        f"[{n}] {value[n].item()!r}, not {wanted[n].item()!r}"
        for n in places[:MOST_SHOWN]
    ]
    return f"values: {len(places)} of {wanted.numel()} elements: {'; '.join(pairs)}"


def _are_near(value: torch.Tensor, wanted: torch.Tensor) -> torch.Tensor:
    """Which elements are the same, or nearly so."""
    same = (value == wanted) | ((value != value) & (wanted != wanted))
    if not wanted.is_floating_point():
        return same
    has_sign = (wanted != 0) | (value.signbit() == wanted.signbit())
    room = wanted.abs().double() * RELATIVE[wanted.dtype]
    room += torch.finfo(wanted.dtype).smallest_normal
    is_near = (value.double() - wanted.double()).abs() <= room
    return (same | is_near) & has_sign


def _are_as_exact(
    value: torch.Tensor, wanted: torch.Tensor, exact: torch.Tensor
) -> torch.Tensor:
    """Which elements are about as near to the exact ones as those of PyTorch.

    A zero has the sign of PyTorch's, unless it is what is left of a small number.
    """
    ours, theirs = ((each.to(exact.dtype) - exact).abs() for each in (value, wanted))
    return (ours <= TIMES * theirs) & ((wanted != 0) | (exact != 0))


def one_of(sample: Sample, element: int) -> Sample:
    """A sample with one of the elements of each vector."""

    def one(value: Any) -> Any:
        if not isinstance(value, torch.Tensor) or not value.dim():
            return value
        part = value.detach()[element : element + 1].clone()
        return part.requires_grad_(value.requires_grad)

    arguments, named = pytree.tree_map(one, (sample.arguments, sample.named))
    return replace(sample, arguments=arguments, named=named)
