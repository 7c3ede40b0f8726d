"""Samples of an op that are compiled at once, as one program.

    for batch in batches(group, samples, alone=0):
        records = batch.run()

To compile a program takes far longer than to compare its results, and a program of 16
calls takes a third to a half of the time of 16 programs. If anything about a batch is
not as with PyTorch, or is computed by PyTorch, each of its samples runs alone, as a
program of its own. Batches grow while all goes well, and shrink to one sample.
"""

# pyright: basic, reportMissingImports=false

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Protocol

import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torch_suite.op_samples import DTYPES, Entry, Sample, copied
from torch_suite.op_verdicts import Verdict, judge, judge_batch

LARGEST = 16
"""So many samples at most have a program together."""


class Group(Protocol):
    """Samples of an entry, with one type, in one direction."""

    entry: Entry
    dtype: str
    direction: str
    start: int
    seed: int


@dataclass
class Batch:
    """Samples that run at once."""

    group: Group
    samples: Sequence[tuple[int, Sample]]
    is_equal: bool = field(default=False, init=False)
    """Whether all samples were compiled and equal, known after `run`."""

    @property
    def numbers(self) -> list[int]:
        """Those of the samples."""
        return [number for number, _ in self.samples]

    def run(self) -> list[dict[str, Any]]:
        """A record of each sample."""
        group = self.group
        samples = [sample for _, sample in self.samples]
        how = group.direction, DTYPES[group.dtype], group.seed
        found: Sequence[Verdict] | None = None
        if len(samples) > 1 and all(map(_has_ops, samples)):
            found = judge_batch(group.entry, samples, *how)
        if found is None:
            found = [judge(group.entry, sample, *how) for sample in samples]
        self.is_equal = all(each.verdict == "equal" for each in found)
        return [
            {"verdict": each.verdict, "reason": each.reason, "core": each.is_core}
            for each in found
        ]


def batches(
    group: Group, samples: Iterable[tuple[int, Sample]], alone: int
) -> Iterator[Batch]:
    """Batches of the samples of a group, of which the first few run alone."""
    rest = iter(samples)
    size = 1 if alone or not group.start else 2
    while part := [*islice(rest, size)]:
        batch = Batch(group, part)
        yield batch
        alone -= len(part)
        if alone > 0 or group.entry.is_module or not batch.is_equal:
            size = 1
        else:
            size = min(2 * size, LARGEST)


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


def _has_ops(sample: Sample) -> bool:
    """Whether a sample computes anything; in a batch, the others would hide that."""
    ops = _Ops()
    try:
        with torch.no_grad(), ops:
            sample.function(*copied(sample.arguments), **copied(sample.named))
    except Exception:
        return False
    return ops.count > 0
