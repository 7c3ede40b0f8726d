"""The samples that PyTorch's own tables of ops and of modules give.

    entry = entries("add")[0]
    for sample in entry.samples(torch.float32, "backward", seed=0):
        sample.function(*sample.arguments, **sample.named)

`op_db` (OpInfo) has an entry for each op, `module_db` one for each class of `torch.nn`.
Both are in the wheel of PyTorch. The order of samples is drawn once for each entry, so
that the first few differ as much as possible.
"""

# pyright: basic, reportMissingImports=false

import random
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

import torch
from torch.testing._internal import common_methods_invocations
from torch.testing._internal.common_methods_invocations import op_db
from torch.testing._internal.common_modules import module_db
from torch.testing._internal.common_utils import freeze_rng_state
from torch.utils import _pytree as pytree

DTYPES = {
    str(dtype).removeprefix("torch."): dtype
    for dtype in (
        torch.float32,
        torch.float64,
        torch.float16,
        torch.bfloat16,
        torch.bool,
        torch.uint8,
        torch.int8,
        torch.int16,
        torch.int32,
        torch.int64,
        torch.complex64,
        torch.complex128,
    )
}
DIRECTIONS = ("forward", "backward")

MOST_SAMPLES = 400
"""Of an entry: some tables have thousands, in nested loops."""

UNDEFINED = ("empty", "new_empty")
"""Ops whose results have any values, by how their names begin."""


def _call(op: Callable[..., Any], *arguments: Any, **named: Any) -> Any:
    return op(*arguments, **named)


# Ops that draw numbers are called with a seed of their own, which `torch.compile` does
# not take. Here, each call is seeded from outside.
common_methods_invocations.wrapper_set_seed = _call


@dataclass(frozen=True)
class Sample:
    """A call, and what is to be differentiated in it."""

    function: Callable[..., Any]
    """A module, or a function that calls an op."""

    arguments: tuple[Any, ...]
    named: dict[str, Any]
    has_values: bool = True
    """Whether two calls give the same values."""

    differentiated: Callable[[Any], Any] = lambda output: output
    """From what the function returns to what a gradient is unambiguous of."""

    by_element: bool = False
    """Whether each element is compared by itself. Some are far larger than others."""

    has_open_sizes: bool = False
    """Whether it is compiled for tensors of any sizes: `dynamic=True`."""

    is_exported: bool = False
    """Whether it goes through `torch.export`, and not through `torch.compile`."""


@dataclass(frozen=True)
class Entry:
    """An op of `op_db`, or a module of `module_db`."""

    info: Any
    is_module: bool

    @property
    def name(self) -> str:
        """The name, with that of the variant."""
        return ("nn." if self.is_module else "") + self.info.formatted_name

    @property
    def family(self) -> str:
        """The group that the entry is counted in."""
        if self.is_module:
            return "module"
        prefix, _, rest = self.info.name.rpartition(".")
        if rest and prefix:
            return prefix.removeprefix("_").partition(".")[0]
        kind = type(self.info).__name__.removesuffix("Info").removesuffix("Ufunc")
        return {"Op": "other", "OpDType": "other"}.get(kind, kind).lower()

    def takes(self, dtype: torch.dtype, direction: str) -> bool:
        """Whether there are samples of a type; a gradient has to exist for one."""
        backward = direction == "backward"
        if backward and not (dtype.is_floating_point or dtype.is_complex):
            return False
        if self.is_module:
            return dtype in self.info.dtypes
        if not backward:
            return dtype in self.info.supported_dtypes("cpu")
        return self.info.supports_autograd and (
            dtype in self.info.supported_backward_dtypes("cpu")
        )

    def samples(
        self, dtype: torch.dtype, direction: str, seed: int
    ) -> Iterator[tuple[int, Sample]]:
        """The samples with their numbers, in an order that is drawn."""
        make = self._of_module if self.is_module else self._of_op
        found = drawn(seed, islice(make(dtype, direction == "backward"), MOST_SAMPLES))
        order = list(range(len(found)))
        random.Random(f"{self.name} {seed}").shuffle(order)
        for number in order:
            yield number, found[number]

    def _of_op(self, dtype: torch.dtype, backward: bool) -> Iterator[Sample]:
        info = self.info
        has_values = not info.name.startswith(UNDEFINED)

        def call(*arguments: Any, **named: Any) -> Any:
            return info.op(*arguments, **named)

        for each in info.sample_inputs("cpu", dtype, requires_grad=backward):
            yield Sample(
                call,
                (each.input, *each.args),
                dict(each.kwargs),
                has_values,
                each.output_process_fn_grad,
            )

    def _of_module(self, dtype: torch.dtype, backward: bool) -> Iterator[Sample]:
        info = self.info
        makes = info.module_inputs_func(
            info, "cpu", dtype, requires_grad=backward, training=backward
        )
        for each in makes:
            made, called = each.constructor_input, each.forward_input
            if called is not None:
                module = info.module_cls(*made.args, **made.kwargs).to(dtype)
                module.train(backward)
                yield Sample(module, tuple(called.args), dict(called.kwargs))


def drawn(seed: int, samples: Iterable[Sample]) -> list[Sample]:
    """Samples that are made of the random numbers of a seed."""
    with freeze_rng_state():
        torch.manual_seed(seed)
        return list(samples)


def entries(filter_: str = "", *, modules: bool = True) -> list[Entry]:
    """The entries whose names a regular expression finds, ops first."""
    found = [Entry(info, False) for info in op_db]
    if modules:
        found += [Entry(info, True) for info in module_db]
    return [entry for entry in found if re.search(filter_, entry.name)]


def leaves(value: Any) -> list[Any]:
    """What a nested value is made of."""
    return pytree.tree_leaves(value)


def copied(value: Any) -> Any:
    """A nested value whose tensors are copies with the same strides."""
    return pytree.tree_map(_copy, value)


def _copy(value: Any) -> Any:
    if not isinstance(value, torch.Tensor) or value.layout != torch.strided:
        return value
    pairs = zip(value.shape, value.stride(), strict=True)
    overlaps = any(not stride and size > 1 for size, stride in pairs)
    with torch.no_grad():
        if overlaps:
            copy = value.detach().clone()
        else:
            copy = torch.empty_strided(value.shape, value.stride(), dtype=value.dtype)
            copy.copy_(value)
    return copy.requires_grad_(value.requires_grad)


def enlarged(value: Any) -> Any:
    """A nested value whose tensors have each size twice, but sizes of 1."""
    return pytree.tree_map(_enlarge, value)


def enlarged_call(function: Callable[..., Any], sample: Sample) -> Any:
    """The arguments of a sample with twice the sizes; None if PyTorch takes none."""
    larger = enlarged((sample.arguments, sample.named))
    return larger if is_taken(function, *larger) else None


def is_taken(
    function: Callable[..., Any], arguments: tuple[Any, ...], named: dict[str, Any]
) -> bool:
    """Whether PyTorch takes a call."""
    arguments, named = copied((arguments, named))
    try:
        function(*arguments, **named)
    except Exception:  # Whatever PyTorch raises, these sizes or types do not fit.
        return False
    return True


def _enlarge(value: Any) -> Any:
    if not isinstance(value, torch.Tensor) or value.layout != torch.strided:
        return value
    with torch.no_grad():
        twice = value.detach().repeat([1 if size == 1 else 2 for size in value.shape])
    return twice.requires_grad_(value.requires_grad)
