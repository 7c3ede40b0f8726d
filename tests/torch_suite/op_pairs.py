"""Ops on operands of two types, and on a tensor and a number.

    (entry,) = pair_entries("^pairs.add$")
    for number, sample in entry.samples(torch.int8, "forward", seed=0):
        sample.function(*sample.arguments)

The tables of PyTorch give both operands of an op one type, and numbers that fit it. A
type is promoted by rules of its own, and so is a number or a tensor without dimensions.
Here, a vector meets vectors and single tensors of each type, and numbers that may not
fit its type. Two vectors have all pairs of some numbers.
"""

# pyright: basic, reportMissingImports=false

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import inf, nan
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional
from torch_suite.op_samples import Entry, Sample
from torch_suite.program_steps import OPERATORS

NUMBERS_OF = {
    torch.bool: (False, True),
    torch.uint8: (0, 1, 200, 255, 3, 127),
    torch.int8: (0, 1, -128, 127, -3, 5),
    torch.int16: (0, 1, -300, 32767, -3, 5),
    torch.int32: (0, 1, -70000, 2**31 - 1, -3, 5),
    torch.int64: (0, 1, -(2**40), 2**53 + 1, -3, 5),
    torch.float16: (0, 1.5, -2.25, 1000, nan, -0.0),
    torch.bfloat16: (0, 1.5, -2.25, 1000, inf, -0.0),
    torch.float32: (0, 1.5, -2.25, 1e6, nan, 0.1),
    torch.float64: (0, 1.5, -2.25, 1e10, -inf, 0.1),
}

BESIDE = (
    *(0, 1, -1, 2, 200, -200, 300, 2**31, 2**40, True, False),
    *(0.5, -1.5, 2.0, 1e10, inf, nan),
)
"""Numbers beside a tensor."""

_BESIDE_CONSTANTS = (0, 1, -1, 2, True, 0.5, -1.5, 2.0)


def _swapped(function: Callable[..., Any]) -> Callable[..., Any]:
    return lambda x, y: function(y, x)


def _to_tensor(x: Any) -> Tensor:
    return x if isinstance(x, Tensor) else torch.tensor(x)


def _with_first(x: Tensor, y: Any) -> Tensor:
    copy = x.clone()
    copy[0] = y
    return copy


def _of_tensors(function: Callable[..., Any]) -> Callable[..., Any]:
    return lambda x, y: function(x, _to_tensor(y))


_OF_TENSORS_ALONE = (
    *("maximum", "minimum", "fmax", "fmin", "atan2", "logical_and", "logical_or"),
    *("logical_xor", "hypot", "heaviside", "ldexp", "copysign", "nextafter", "gcd"),
    *("lcm", "isclose", "logaddexp", "dot", "outer", "mv", "kron", "inner"),
)

PAIRS: dict[str, Callable[[Any, Any], Any]] = {
    **OPERATORS,
    **{f"{name} swapped": _swapped(each) for name, each in OPERATORS.items()},
    **{name: _of_tensors(getattr(torch, name)) for name in _OF_TENSORS_ALONE},
    **{
        f"{name} swapped": _swapped(getattr(torch, name))
        for name in ("div", "floor_divide", "multiply", "remainder", "xlogy")
    },
    "truncated division swapped": lambda x, y: torch.div(y, x, rounding_mode="trunc"),
    "sum with a factor swapped": lambda x, y: torch.add(y, x, alpha=2),
    "rsub": torch.rsub,
    "fmod": torch.fmod,
    "xlogy": torch.xlogy,
    "bitwise_left_shift": torch.bitwise_left_shift,
    "bitwise_right_shift": torch.bitwise_right_shift,
    "float_power": torch.float_power,
    "truncated division": lambda x, y: torch.div(x, y, rounding_mode="trunc"),
    "floored division": lambda x, y: torch.div(x, y, rounding_mode="floor"),
    "add with alpha": lambda x, y: torch.add(x, y, alpha=2),
    "sub of a tensor": lambda x, y: torch.sub(x, _to_tensor(y)),
    "mul of a tensor": lambda x, y: x * _to_tensor(y),
    "lt of a tensor": lambda x, y: x < _to_tensor(y),
    "where": lambda x, y: torch.where(x > 0, x, y),
    "where swapped": lambda x, y: torch.where(x > 0, y, x),
    "clamp": lambda x, y: torch.clamp(x, min=y),
    "clamp above": lambda x, y: torch.clamp(x, max=y),
    "masked_fill": lambda x, y: x.masked_fill(x > 0, y),
    "full_like": torch.full_like,
    "add in place": lambda x, y: x.clone().add_(y),
    "mul in place": lambda x, y: x.clone().mul_(y),
    "div in place": lambda x, y: x.clone().div_(y),
    "copy": lambda x, y: x.clone().copy_(_to_tensor(y)),
    "fill": lambda x, y: x.clone().fill_(y),
    "index_fill": lambda x, y: x.index_fill(0, torch.tensor([1]), y),
    "set": _with_first,
    "lerp": lambda x, y: torch.lerp(x, _to_tensor(y), 0.5),
    "addcmul": lambda x, y: torch.addcmul(x, x, _to_tensor(y), value=2),
    "addcdiv": lambda x, y: torch.addcdiv(x, x, _to_tensor(y), value=2),
    "threshold": lambda x, y: functional.threshold(x, y, y),
    "pad": lambda x, y: functional.pad(x, (1, 1), value=y),
    "cat": lambda x, y: torch.cat([x, y]),
    "stack": lambda x, y: torch.stack([x, y]),
    "sum": lambda x, y: x.sum(dtype=y.dtype),
    "prod": lambda x, y: x[:4].prod(dtype=y.dtype),
    "cumsum": lambda x, y: x.cumsum(0, dtype=y.dtype),
    "mean": lambda x, y: x.mean(dtype=y.dtype),
    "softmax": lambda x, y: x.softmax(0, dtype=y.dtype),
    "to": lambda x, y: x.to(y.dtype),
    "type_as": lambda x, y: x.type_as(y),
    "full": lambda x, y: torch.full((3,), y, dtype=x.dtype),
    "scalar_tensor": lambda x, y: torch.scalar_tensor(y, dtype=x.dtype) + x,
    "arange": lambda x, y: torch.arange(0, 5, dtype=x.dtype) * y,
    "mse_loss": lambda x, y: functional.mse_loss(x, y, reduction="none"),
}

_WHOLE = ("cat", "stack", "pad", "sum", "prod", "cumsum", "mean", "softmax", "outer")
"""Ops whose results are not compared element by element."""

_DIVISIONS = re.compile("div|mod|gcd|lcm")


def _vectors(name: str, one: torch.dtype, other: torch.dtype) -> tuple[Tensor, Tensor]:
    """All pairs of numbers of two types that PyTorch has a result for.

    It raises an error where an integer is divided by zero.
    """
    x, y = (torch.tensor(NUMBERS_OF[each], dtype=each) for each in (one, other))
    x, y = x.repeat_interleave(len(y)), y.repeat(len(x))
    if one.is_floating_point or other.is_floating_point:
        return x, y
    divisor = x if name.endswith("swapped") else y
    if _DIVISIONS.search(name):
        keep = (divisor != 0) & (divisor != -1)
        return x[keep], y[keep]
    return x, y


@dataclass(frozen=True)
class PairEntry(Entry):
    """A function of two operands."""

    key: str = ""

    @property
    def name(self) -> str:
        """The name, apart from those of the table of ops."""
        return f"pairs.{self.key}"

    @property
    def family(self) -> str:
        """They are counted by themselves."""
        return "pairs"

    def takes(self, dtype: torch.dtype, direction: str) -> bool:
        """All types that are not complex. Only floats have gradients."""
        is_float = dtype.is_floating_point
        return dtype in NUMBERS_OF and (direction == "forward" or is_float)

    def samples(
        self, dtype: torch.dtype, direction: str, seed: int
    ) -> Iterator[tuple[int, Sample]]:
        """A sample for each other operand."""
        yield from enumerate(self._pairs(dtype, direction == "backward"))

    def _pairs(self, dtype: torch.dtype, backward: bool) -> Iterator[Sample]:
        function, by_element = PAIRS[self.key], self.key not in _WHOLE
        for x, y in self._operands(dtype):
            for each in (x, y):
                if isinstance(each, Tensor) and each.is_floating_point():
                    each.requires_grad_(backward)
            yield Sample(function, (x, y), {}, by_element=by_element)
        if not backward:
            x = torch.tensor(NUMBERS_OF[dtype], dtype=dtype)
            for call in _of_constants(function, dtype):
                yield Sample(call, (x,), {}, by_element=by_element)

    def _operands(self, dtype: torch.dtype) -> Iterator[tuple[Tensor, Any]]:
        numbers = NUMBERS_OF[dtype]
        for number in BESIDE:
            yield torch.tensor(numbers, dtype=dtype), number
        for other, others in NUMBERS_OF.items():
            yield _vectors(self.key, dtype, other)
            for number in (others[1], others[-2]):
                single = torch.tensor(number, dtype=other)
                yield torch.tensor(numbers, dtype=dtype), single
            single = torch.tensor(numbers[1], dtype=dtype)
            yield single, torch.tensor(others, dtype=other)


def _of_constants(
    function: Callable[..., Any], dtype: torch.dtype
) -> Iterator[Callable[[Tensor], Any]]:
    """Calls whose operands are known when they are compiled, one of them or both."""

    def of_each(other: Callable[[Tensor], Any]) -> Callable[[Tensor], Any]:
        return lambda x: [
            function(torch.full_like(x, number), other(x))
            for number in NUMBERS_OF[dtype]
        ]

    yield of_each(lambda x: x)
    for number in _BESIDE_CONSTANTS:
        yield of_each(lambda _, number=number: number)
        yield of_each(lambda x, number=number: torch.full_like(x, number))
        yield lambda x, number=number: function(x, torch.full_like(x, number))


def pair_entries(filter_: str = "") -> list[Entry]:
    """The functions whose names a regular expression finds."""
    found = [PairEntry(None, False, key) for key in PAIRS]
    return [entry for entry in found if re.search(filter_, entry.name)]
