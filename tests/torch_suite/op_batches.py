"""Samples that are compiled at once, as one program.

    for batch in batches(items, alone=0):
        records = batch.run()

To compile a program takes far longer than to compare its results. A program of 8 calls
takes a third to four fifths of the time of 8 programs. If anything about a batch is not
as with PyTorch, or is computed by PyTorch, its halves are tried, down to programs of
one sample. Batches grow while all goes well, and shrink when something does not.
"""

# pyright: basic, reportMissingImports=false

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any

import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torch_suite.op_samples import DTYPES, Entry, Sample, copied
from torch_suite.op_verdicts import Verdict, judge, judge_batch

LARGEST = 16
"""So many samples at most have a program together."""


@dataclass(frozen=True)
class Group:
    """The samples of an entry with one type, in one direction."""

    entry: Entry
    dtype: str
    direction: str
    start: int
    """How many samples ran before."""

    stop: int
    seed: int
    has_open_sizes: bool = False
    is_exported: bool = False

    @property
    def key(self) -> tuple[str, str, str]:
        """What a record says of its group."""
        return self.entry.name, self.dtype, self.direction

    @property
    def items(self) -> "Iterator[Item]":
        """The samples; one without a sample if PyTorch fails to make them."""
        samples = self.entry.samples(DTYPES[self.dtype], self.direction, self.seed)
        try:
            for number, sample in islice(samples, self.start, self.stop):
                sample = replace(
                    sample,
                    has_open_sizes=self.has_open_sizes,
                    is_exported=self.is_exported,
                )
                yield Item(self, number, sample)
        except Exception as error:  # PyTorch's own: some types have no samples.
            text = f"{type(error).__name__}: {str(error)[:300]}"
            yield Item(self, -1, None, f"no samples: {text}")


@dataclass(frozen=True)
class Item:
    """A sample of a group, with its number."""

    group: Group
    number: int
    sample: Sample | None
    problem: str = ""

    def record(self, **found: Any) -> dict[str, Any]:
        """What is known of the sample."""
        name, dtype, direction = self.group.key
        return {
            "name": name,
            "family": self.group.entry.family,
            "dtype": dtype,
            "direction": direction,
            "seed": self.group.seed,
            "stop": self.group.stop,
            "sample": self.number,
            **found,
        }


@dataclass
class Batch:
    """Samples of one type, in one direction, that run at once."""

    items: Sequence[Item]
    is_equal: bool = field(default=False, init=False)
    """Whether all samples were compiled and equal as one program; set by `run`."""

    def run(self) -> list[dict[str, Any]]:
        """A record of each sample."""
        if any(item.sample is None for item in self.items):
            self.is_equal = False
            return [
                record
                for item in self.items
                for record in (
                    [item.record(verdict="refused", reason=item.problem)]
                    if item.sample is None
                    else Batch([item]).run()
                )
            ]
        found, self.is_equal = _judged(self.items)
        return [
            item.record(verdict=each.verdict, reason=each.reason, core=each.is_core)
            for item, each in zip(self.items, found, strict=True)
        ]


def _judged(items: Sequence[Item]) -> tuple[Sequence[Verdict], bool]:
    """The verdicts of samples, and whether all are equal as one program."""
    group = items[0].group
    samples = [item.sample for item in items if item.sample is not None]
    how = group.direction, DTYPES[group.dtype], group.seed
    if len(items) == 1:
        found = judge(group.entry, samples[0], *how)
        return [found], found.verdict == "equal"
    if all(map(_fits_a_batch, items)) and (found := judge_batch(samples, *how)):
        return found, True
    half = len(items) // 2
    return [*_judged(items[:half])[0], *_judged(items[half:])[0]], False


def batches(items: Iterable[Item], alone: int) -> Iterator[Batch]:
    """Batches of samples, of which the first few run alone."""
    rest = iter(items)
    size = 1
    while part := [*islice(rest, size)]:
        batch = Batch(part)
        yield batch
        alone -= len(part)
        if alone > 0:
            size = 1
        else:
            size = min(2 * size, LARGEST) if batch.is_equal else max(size // 2, 1)


class _Ops(TorchDispatchMode):
    """Counts the ops that run."""

    def __init__(self) -> None:
        super().__init__()
        self.count = 0

    def __torch_dispatch__(
        self, op: Any, types: Any, arguments: Any = (), named: Any = None
    ) -> Any:
        self.count += 1
        return op(*arguments, **(named or {}))


def _fits_a_batch(item: Item) -> bool:
    """Whether a sample calls a function that computes anything.

    In a batch, the others would hide that a sample has no graph.
    """
    sample = item.sample
    if sample is None or item.group.entry.is_module or sample.is_exported:
        return False
    ops = _Ops()
    try:
        with torch.no_grad(), ops:
            sample.function(*copied(sample.arguments), **copied(sample.named))
    except Exception:  # PyTorch's own: there is nothing to compare.
        return False
    return ops.count > 0
