"""Ops whose operands are known when they are compiled have PyTorch's results."""

# pyright: basic, reportMissingImports=false

import operator
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import torch
from torch import Tensor

NUMBERS = {
    torch.bool: (False, True),
    torch.int8: (0, -128, 127, -7),
    torch.int64: (0, -(2**40), 2**53 + 1, -7),
    torch.float16: (0.0, 1.5, -2.25, 1000.0),
    torch.float32: (-0.0, 1.5, -2.25, 1e6, 0.1, torch.nan, torch.inf),
}

BESIDE = (0, -1, 2, True, 0.5, -1.5)

OF_TWO = (
    *(operator.add, operator.sub, operator.mul, operator.truediv, operator.mod),
    *(operator.floordiv, operator.lt, operator.ge, operator.eq, torch.rsub),
    lambda x, y: torch.add(x, y, alpha=2),
    lambda x, y: torch.where(x > 0, x, y),
    lambda x, y: x.masked_fill(x == 0, y),
    lambda x, y: x.clamp(min=y),
)

OF_ONE = (
    *(torch.neg, torch.abs, torch.sign, torch.floor, torch.round, torch.log),
    *(torch.sqrt, torch.logical_not, torch.reciprocal, torch.relu, torch.sum),
    *(torch.isnan, torch.amax, torch.any, torch.square, torch.sigmoid),
    lambda x: x.cumsum(0),
    lambda x: torch.cat([x, x + 1]),
    lambda x: x[1:] - 2,
    lambda x: x.unsqueeze(0).expand(2, 3) * -1,
    lambda x: x.to(torch.int8),
    lambda x: x.to(torch.int32),
    lambda x: x.to(torch.float32) + 0.1,
    lambda x: x.bool(),
)


def calls(dtype: torch.dtype) -> Iterator[Callable[[], Any]]:
    """Calls without a tensor that is given."""
    numbers = NUMBERS[dtype]
    constants = [
        *(lambda n=number: torch.full((3,), n, dtype=dtype) for number in numbers),
        lambda: torch.tensor([numbers[0], numbers[1], numbers[-1]], dtype=dtype),
    ]
    for constant in constants:
        for function in OF_ONE:
            yield lambda f=function, c=constant: f(c())
        for function in OF_TWO:
            for number in BESIDE:
                yield lambda f=function, c=constant, n=number: f(c(), n)
            yield lambda f=function, c=constant: f(c(), torch.tensor(-1))


def taken(dtype: torch.dtype) -> Iterator[Callable[[], Tensor]]:
    """Some of the calls that PyTorch takes, one of eleven."""
    for call in [*calls(dtype)][::11]:
        try:
            call()
        except RuntimeError:  # PyTorch's own: the types do not fit.
            continue
        yield call


@pytest.mark.parametrize("dtype", NUMBERS)
def test_what_is_known_is_computed_as_in_pytorch(dtype: torch.dtype) -> None:
    functions = [*taken(dtype)]
    assert len(functions) > 20

    def together(x: Tensor) -> list[Tensor]:
        return [each().clone() for each in functions] + [x + 1]

    x = torch.zeros(1)
    compiled: Any = torch.compile(together, backend="xbuf", dynamic=False)
    torch.testing.assert_close(compiled(x), together(x), equal_nan=True)


def test_each_constant_of_booleans_has_its_numbers() -> None:
    """torch-mlir gave one the numbers of another whose tensor had the same `id`."""

    def several(x: Tensor) -> list[Tensor]:
        bits = [[bool(number >> bit & 1) for bit in range(6)] for number in range(64)]
        return [torch.tensor(each).logical_not() for each in bits] + [x + 1]

    x = torch.zeros(1)
    compiled: Any = torch.compile(several, backend="xbuf", dynamic=False)
    torch.testing.assert_close(compiled(x), several(x))


def test_a_product_with_a_known_factor() -> None:
    """torch-mlir takes -1 beside a float to be 2 to the power of 64 less 1."""

    def scaled(x: Tensor) -> Tensor:
        several = torch.cat([torch.full((2,), 1.5), torch.zeros(1)])
        return x * (torch.full((3,), 1.5) + -1) + torch.ones(3, 1).sub(3) + several % -2

    x = torch.randn(3, 3)
    compiled: Any = torch.compile(scaled, backend="xbuf", dynamic=False)
    torch.testing.assert_close(compiled(x), scaled(x))


def test_a_module_with_known_numbers() -> None:
    """The same, exported."""
    import xdsl_bufferization as xbuf

    class Shifted(torch.nn.Module):
        def forward(self, x: Tensor) -> Tensor:
            weights = torch.full((4,), 2.0) - 3
            return x * weights + torch.where(weights < -2, 1.0, 7.0)

    x = torch.randn(2, 4)
    torch.testing.assert_close(xbuf.jit(Shifted(), (x,))(x), Shifted()(x))
