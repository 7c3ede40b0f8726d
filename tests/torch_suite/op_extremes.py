"""Extreme numbers through the element-wise ops of PyTorch's own table.

    entry = extreme_entries("^add$")[0]
    for sample in entry.samples(torch.float32, "backward", seed=0):
        sample.function(*sample.arguments)

The samples of `op_db` are ordinary numbers. Here, the tensors of each sample become
vectors of numbers that are easily mistaken: what is no number, infinity, both zeros,
the smallest and the largest, halves, and neighbours of powers of two. Two tensors have
all pairs of these, and are one tensor once. Options are such numbers as well. An op is
element-wise if its result for some elements is a part of the result for all.
"""

# pyright: basic, reportMissingImports=false

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from math import inf, nan, pi
from typing import Any

import torch
from torch.testing._internal.opinfo.core import BinaryUfuncInfo
from torch.utils import _pytree as pytree
from torch_suite.op_samples import Entry, Sample, copied, drawn, entries, leaves

MOST_TABLE_SAMPLES = 24
"""So many samples of an entry are looked at for other options of the op."""

MOST_TRIPLES = 4096
"""So many of the combinations of three numbers are drawn."""

_ENDLESS = tuple(
    f"special_{kind}_polynomial"
    for kind in ("hermite", "laguerre", "legendre", "shifted_chebyshev", "chebyshev")
)
"""PyTorch counts up to the number of the polynomial, which is a large one here."""

NUMBERS = (nan, inf, -inf, 0.0, -0.0, 0.5, -0.5, -1.0, 2, -3)
"""What a number beside a tensor is, and an option."""

_DIVISIONS = re.compile("div|gcd|lcm|mod|remainder")
"""Names of ops that divide."""

_SIZES = (
    *(1, 2, 3, 7, 0.1, 0.3, 0.5, 1.5, 2.5, 1e-4, 1e-8, pi, pi / 2),
    *(6, 11, 20, 34.5, 88.7, 127.5, 170.6, 255.5, 709.7, 1e4),
    *(2**24 - 1, 2**24 + 1, 2**31, 2**53 + 1, 2**63),
)

_INTEGERS = (
    *(0, 1, 2, 3, 7, 8, 15, 16, 31, 32, 63, 64, 100, 127, 128, 181, 255, 256),
    *(2**15 - 1, 2**16, 2**24 - 1, 2**24 + 1, 46341, 2**31 - 1, 2**31, 2**53 + 1),
)


def extremes(dtype: torch.dtype) -> torch.Tensor:
    """Numbers of a type that are easily mistaken."""
    if dtype == torch.bool:
        return torch.tensor([False, True])
    if not dtype.is_floating_point:
        info = torch.iinfo(dtype)
        sizes = [sign * each for each in _INTEGERS for sign in (1, -1)]
        found = {each for each in sizes if info.min <= each <= info.max}
        found |= {info.min, info.min + 1, info.max - 1, info.max}
        return torch.tensor(sorted(found), dtype=dtype)
    info = torch.finfo(dtype)
    least = info.smallest_normal * info.eps
    near = (info.eps, 1 - info.eps / 2, 1 + info.eps)
    ends = (least, info.smallest_normal - least, info.smallest_normal, info.max)
    sizes = torch.tensor([inf, 0.0, *near, *ends, *_SIZES], dtype=torch.float64)
    both = torch.cat([torch.tensor([nan]), sizes, -sizes]).to(dtype)
    # In a small type, many of them become infinity.
    return both[torch.tensor([*_first_places(both)])]


def _first_places(x: torch.Tensor) -> Iterator[int]:
    seen: set[str] = set()
    for place, each in enumerate(x.tolist()):
        if str(each) not in seen:
            seen.add(str(each))
            yield place


def combinations(dtype: torch.dtype, count: int) -> list[torch.Tensor]:
    """So many vectors with all combinations of extreme numbers, or many of them."""
    numbers = extremes(dtype)
    if count <= 2:
        grid = torch.meshgrid(*[numbers] * count, indexing="ij")
        return [each.flatten() for each in grid]
    size = min(len(numbers) ** count, MOST_TRIPLES)
    return [numbers[torch.randint(len(numbers), (size,))] for _ in range(count)]


@dataclass(frozen=True)
class ExtremeEntry(Entry):
    """An op of `op_db`, whose samples are extreme numbers."""

    def samples(
        self, dtype: torch.dtype, direction: str, seed: int
    ) -> Iterator[tuple[int, Sample]]:
        """A sample for each way to call the op that is element-wise."""
        backward = direction == "backward"
        yield from enumerate(drawn(seed, self._ways(dtype, backward)))

    def _ways(self, dtype: torch.dtype, backward: bool) -> Iterator[Sample]:
        seen: set[str] = set()
        for sample in self._calls(dtype, backward):
            flat, spec = pytree.tree_flatten((sample.arguments, sample.named))
            name = repr([_form(each, dtype) for each in flat]) + repr(spec)
            if name in seen:
                continue
            seen.add(name)
            if not _keeps_shapes(sample):
                continue
            found = _extreme(self.name, sample, flat, spec, dtype, backward)
            if found is not None:
                yield found

    def _calls(self, dtype: torch.dtype, backward: bool) -> Iterator[Sample]:
        for sample in islice(self._of_op(dtype, backward), MOST_TABLE_SAMPLES):
            yield sample
            yield from _with_other_options(sample)
        if isinstance(self.info, BinaryUfuncInfo):
            x = torch.zeros(1, dtype=dtype, requires_grad=backward)
            yield Sample(_of_one_tensor(self.info.op), (x,), {}, by_element=True)
            for number in NUMBERS:
                if dtype.is_floating_point or isinstance(number, int):
                    yield Sample(self.info.op, (x, number), {}, by_element=True)


def _of_one_tensor(op: Callable[..., Any]) -> Callable[..., Any]:
    """An op on two tensors, of which both are the same one, as in `x == x`."""
    return lambda x: op(x, x)


def _with_other_options(sample: Sample) -> Iterator[Sample]:
    """Calls with extreme numbers in the place of each option that is a number."""
    flat, spec = pytree.tree_flatten((sample.arguments, sample.named))
    for place, value in enumerate(flat):
        if isinstance(value, float):
            for number in NUMBERS:
                given = [*flat[:place], float(number), *flat[place + 1 :]]
                arguments, named = pytree.tree_unflatten(given, spec)
                yield replace(sample, arguments=tuple(arguments), named=named)


def extreme_entries(filter_: str = "") -> list[Entry]:
    """The ops whose names a regular expression finds."""
    return [
        ExtremeEntry(entry.info, is_module=False)
        for entry in entries(filter_, modules=False)
        if not entry.name.startswith(_ENDLESS)
    ]


def _keeps_shapes(sample: Sample) -> bool:
    """Whether the results of a sample have the shape of the arguments.

    The samples of the table are small. Many ops would make far too much of vectors.
    """
    given, named = copied(sample.arguments), copied(sample.named)
    shapes = [x.shape for x in leaves((given, named)) if isinstance(x, torch.Tensor)]
    try:
        with torch.no_grad():
            results = leaves(sample.function(*given, **named))
        shape = torch.broadcast_shapes(*shapes)
    except Exception:  # PyTorch's own: nothing is as large as the arguments.
        return False
    return all(getattr(each, "shape", None) == shape for each in results)


def _form(value: Any, dtype: torch.dtype) -> object:
    """What is kept of an argument: of a tensor, whether it will be another one."""
    if not isinstance(value, torch.Tensor):
        return value
    return "x" if value.dtype == dtype else value.dtype


def _extreme(
    name: str,
    sample: Sample,
    flat: Sequence[Any],
    spec: Any,
    dtype: torch.dtype,
    backward: bool,
) -> Sample | None:
    """A sample with extreme numbers in place of its tensors, if it is element-wise."""
    tensors = [each for each in flat if isinstance(each, torch.Tensor)]
    if not tensors or any(each.dtype not in (dtype, torch.bool) for each in tensors):
        return None
    count = sum(each.dtype == dtype for each in tensors)
    for vectors in _choices(name, dtype, count):
        filled = _filled(flat, vectors, dtype)
        if not _is_element_wise(sample.function, filled, spec):
            continue
        for each, old in zip(filled, flat, strict=True):
            if isinstance(each, torch.Tensor):
                each.requires_grad_(backward and old.requires_grad)
        arguments, named = pytree.tree_unflatten(filled, spec)
        return Sample(sample.function, tuple(arguments), named, by_element=True)
    return None


def _choices(name: str, dtype: torch.dtype, count: int) -> Iterator[list[torch.Tensor]]:
    """Combinations of numbers: all of them, and those that may be divided.

    PyTorch raises an error where an integer is divided by zero. Where the smallest one
    is divided by -1, the processor ends PyTorch's process.
    """
    vectors = combinations(dtype, count)
    if dtype.is_floating_point or count == 1 or not _DIVISIONS.search(name):
        yield vectors
        return
    behind = torch.stack(vectors[:-1] if name.startswith("__r") else vectors[1:])
    keep = ~((behind == 0) | (behind == torch.tensor(-1).to(dtype))).any(0)
    if name in ("gcd", "lcm"):
        keep &= (torch.stack(vectors) != torch.iinfo(dtype).min).all(0)
    yield [each[keep] for each in vectors]


def _filled(
    flat: Sequence[Any], vectors: Sequence[torch.Tensor], dtype: torch.dtype
) -> list[Any]:
    """Arguments with vectors in place of tensors; others have truth values."""
    rest = iter(vectors)

    def filled(value: Any) -> Any:
        if not isinstance(value, torch.Tensor):
            return value
        if value.dtype == dtype:
            return next(rest).clone()
        return torch.randint(2, vectors[0].shape).bool()

    return [*map(filled, flat)]


def _is_element_wise(
    function: Callable[..., Any], flat: Sequence[Any], spec: Any
) -> bool:
    """Whether the results for some elements are those among the results for all."""
    (size, *_) = [each.shape[0] for each in flat if isinstance(each, torch.Tensor)]
    places = torch.randperm(size)[: size // 2 + 1]

    def called(choose: Callable[[Any], Any]) -> list[Any]:
        given = [choose(x) if isinstance(x, torch.Tensor) else x for x in flat]
        arguments, named = pytree.tree_unflatten(given, spec)
        return leaves(function(*arguments, **named))

    try:
        with torch.no_grad():
            whole = called(lambda x: x.clone())
            part = called(lambda x: x[places])
    except Exception:  # PyTorch's own: other sizes, or another number of dimensions.
        return False
    return all(
        isinstance(each, torch.Tensor)
        and each.shape == (size,)
        and isinstance(some, torch.Tensor)
        and some.shape == places.shape
        and torch.allclose(
            *(x.to(torch.complex128) for x in (each[places], some)), equal_nan=True
        )
        for each, some in zip(whole, part, strict=True)
    )
