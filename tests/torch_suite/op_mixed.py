"""The samples of PyTorch's own table, with one tensor of another type.

    (entry,) = mixed_entries("^select_scatter$")
    for number, sample in entry.samples(torch.int64, "forward", seed=0):
        sample.function(*sample.arguments)      # int64 and float32, for example.

The table gives all tensors of a call one type. Here, each tensor in turn has another
one, and is a tensor without dimensions once. Calls that PyTorch refuses are left out.
"""

# pyright: basic, reportMissingImports=false

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

import torch
from torch.utils import _pytree as pytree
from torch_suite.op_samples import Entry, Sample, drawn, entries, is_taken

OTHERS = (
    *(torch.float32, torch.float64, torch.bfloat16, torch.float16),
    *(torch.int64, torch.int8, torch.bool),
)

MOST_TABLE_SAMPLES = 3
"""So many samples of an entry have their types changed."""


@dataclass(frozen=True)
class MixedEntry(Entry):
    """An op of `op_db`, whose samples have tensors of two types."""

    def samples(
        self, dtype: torch.dtype, direction: str, seed: int
    ) -> Iterator[tuple[int, Sample]]:
        """A sample for each tensor and each other type."""
        backward = direction == "backward"
        tables = islice(self._of_op(dtype, backward), MOST_TABLE_SAMPLES)
        found = (each for sample in tables for each in _mixtures(sample))
        yield from enumerate(drawn(seed, found))


def _mixtures(sample: Sample) -> Iterator[Sample]:
    flat, spec = pytree.tree_flatten((sample.arguments, sample.named))
    places = [n for n, each in enumerate(flat) if isinstance(each, torch.Tensor)]
    if len(places) < 2:
        return
    for place in places:
        for other in _others(flat[place]):
            given = [*flat[:place], other, *flat[place + 1 :]]
            arguments, named = pytree.tree_unflatten(given, spec)
            mixed = replace(sample, arguments=tuple(arguments), named=named)
            with torch.no_grad():
                fits = is_taken(mixed.function, mixed.arguments, mixed.named)
            if fits:
                yield mixed


def _others(x: torch.Tensor) -> Sequence[torch.Tensor]:
    """A tensor in other types, and one of its elements in each type."""
    if x.layout != torch.strided:
        return []
    plain = x.detach()
    found = [plain.to(each) for each in OTHERS if each != x.dtype]
    if x.dim() and x.numel():
        found += [plain.flatten()[0].to(each) for each in OTHERS]
    for each in found:
        each.requires_grad_(x.requires_grad and each.is_floating_point())
    return found


def mixed_entries(filter_: str = "") -> list[Entry]:
    """The ops whose names a regular expression finds."""
    return [
        MixedEntry(entry.info, is_module=False)
        for entry in entries(filter_, modules=False)
    ]
