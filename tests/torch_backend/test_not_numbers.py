"""Elements that are infinite or no numbers, where elements are ordered or converted.

Results and places are PyTorch's: a NaN is behind all numbers, and the largest and the
smallest element. It becomes the smallest integer. A fallback is an error here.
"""

# pyright: basic, reportMissingImports=false

from collections.abc import Callable
from math import inf, nan
from typing import Any

import pytest
import torch
from torch import Tensor
from torch.nn import functional as F  # noqa: N812

NUMBERS = [
    [nan, 1.0, nan, -1.0, 1.0, 0.0],
    [-inf, nan, inf, 0.0, -0.0, 2.0],
    [2.0, nan, 4.0, 3.0, 5.0, inf],
    [1.0, 2.0, 3.0, 4.0, nan, -inf],
]
"""In each place: NaN first, last, in the middle, several times and not at all."""

INPUTS = {
    "some": NUMBERS,
    "infinite": [[inf] * 6] * 4,
    "negative": [[-inf] * 6] * 4,
    "negative and one": [[-inf] * 6, [-inf, nan, 1.0, *[-inf] * 3], *[[-inf] * 6] * 2],
}

OF_ROWS: dict[str, Callable[[Tensor], Any]] = {
    "sort": lambda x: x.sort(stable=True),
    "sort backwards": lambda x: x.sort(dim=0, stable=True, descending=True),
    "argsort": lambda x: x.argsort(dim=0, stable=True),
    "msort": lambda x: x.msort(),
    "topk": lambda x: x.topk(3, 1).values,
    "topk of the smallest": lambda x: x.topk(3, 1, largest=False).values,
    "kthvalue": lambda x: x.kthvalue(3, 0).values,
    "max": lambda x: x.max(1),
    "min": lambda x: x.min(0),
    "argmax": lambda x: (x.argmax(0), x.argmax()),
    "argmin": lambda x: (x.argmin(1), x.argmin()),
    "aminmax": lambda x: x.aminmax(dim=0),
    "quantile": lambda x: x.quantile(torch.tensor(0.3, dtype=x.dtype), 1),
}

OF_WINDOWS: dict[str, Callable[[Tensor], Any]] = {
    "max_pool1d": lambda x: F.max_pool1d(x[None], 3, 2, 1, return_indices=True),
    "max_pool2d": lambda x: F.max_pool2d(x[None], 2, return_indices=True),
    "border": lambda x: F.max_pool2d(x[None], 3, 2, 1, return_indices=True),
    "max_pool3d": lambda x: F.max_pool3d(
        x[None, None], (1, 3, 2), (1, 2, 2), (0, 1, 1), return_indices=True
    ),
    "adaptive_max_pool1d": lambda x: F.adaptive_max_pool1d(x, 4, return_indices=True),
    "adaptive_max_pool2d": lambda x: F.adaptive_max_pool2d(
        x[None], (3, 4), return_indices=True
    ),
    "adaptive_max_pool3d": lambda x: F.adaptive_max_pool3d(
        x[None, None], (1, 2, 4), return_indices=True
    ),
}


def check(functions: dict[str, Callable[[Tensor], Any]], *inputs: Tensor) -> None:
    """All functions of all inputs, in one program."""
    torch._dynamo.reset()

    def all_of(*inputs: Tensor) -> Any:
        return [[call(x) for x in inputs] for call in functions.values()]

    fast = torch.compile(all_of, backend="xbuf", dynamic=False)
    with torch.no_grad():
        pairs = zip(functions, fast(*inputs), all_of(*inputs), strict=True)
        for name, found, wanted in pairs:
            torch.testing.assert_close(
                found, wanted, equal_nan=True, msg=lambda text, name=name: name + text
            )


@pytest.mark.parametrize("names", [[*OF_ROWS][:7], [*OF_ROWS][7:], [*OF_WINDOWS]])
def test_order_of_what_is_no_number(names: list[str]) -> None:
    functions = {name: {**OF_ROWS, **OF_WINDOWS}[name] for name in names}
    check(functions, *map(torch.tensor, INPUTS.values()))


@pytest.mark.parametrize("dtype", [torch.float16, torch.float64])
def test_other_types(dtype: torch.dtype) -> None:
    rows = {name: OF_ROWS[name] for name in ("sort", "max", "argmin")}
    windows = {name: OF_WINDOWS[name] for name in ("border", "adaptive_max_pool1d")}
    check({**rows, **windows}, torch.tensor(NUMBERS, dtype=dtype))


def test_open_sizes() -> None:
    x = torch.tensor(NUMBERS)
    torch._dynamo.reset()

    def function(x: Tensor) -> Any:
        return x.sort(stable=True), x.max(1), x.argmin(0)

    fast = torch.compile(function, backend="xbuf", dynamic=True)
    with torch.no_grad():
        for part in (x, x[:, 1:], x[:3, :4]):
            torch.testing.assert_close(fast(part), function(part), equal_nan=True)


def test_gradient_of_a_window_without_numbers() -> None:
    x = torch.tensor(INPUTS["negative and one"], requires_grad=True)
    torch._dynamo.reset()

    def function(x: Tensor) -> Tensor:
        return F.max_pool2d(x[None], 3, 2, 1)

    fast = torch.compile(function, backend="xbuf", dynamic=False)
    weights = torch.arange(1.0, 7.0).view(1, 2, 3)
    (found,) = torch.autograd.grad(fast(x), x, weights)
    (wanted,) = torch.autograd.grad(function(x), x, weights)
    torch.testing.assert_close(found, wanted)


# Edges of the integers of 8, 16, 32 and 64 bits, and neighbours of these.
LARGE = [
    *(nan, inf, -inf, -0.0, 0.5, -1.7, 127.9, 128.0, -129.0, 200.0, 255.9, 256.0),
    *(300.5, -300.5, 32768.0, -32769.0, 65536.0, 70000.0, 2147483520.0, 2.0**31),
    *(-(2.0**31), -2147483904.0, 3000000001.0, 4294967295.5, -3000000001.0),
    *(9.2e18, 2.0**63, -(2.0**63), -9.3e18, 1e30, 1e12 + 7),
]
INTEGERS = [torch.int8, torch.uint8, torch.int16, torch.int32, torch.int64, torch.bool]


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.float16])
def test_numbers_that_do_not_fit_an_integer(dtype: torch.dtype) -> None:
    functions = {str(to): lambda x, to=to: x.to(to) for to in INTEGERS}
    x = torch.tensor(LARGE, dtype=torch.float64).to(dtype)
    check(functions, x, x[:3], x.to(torch.bfloat16))


def test_checked_code_takes_numbers_that_do_not_fit_an_integer() -> None:
    """T5 finds the places of its biases so: log(0) becomes an integer, not read."""
    torch._dynamo.reset()

    def places(x: Tensor) -> Tensor:
        return torch.where(x < 2, 0, torch.log(x - 2).to(torch.int64))

    fast = torch.compile(places, backend="xbuf", dynamic=True)
    for size in (5, 9):
        x = torch.arange(float(size))
        assert fast(x).tolist() == places(x).tolist()
