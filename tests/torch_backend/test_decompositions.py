"""Ops that torch-mlir lacks are decomposed: they are compiled, with their gradients.

A fallback is an error in these tests.
"""

# pyright: basic, reportMissingImports=false

import warnings
from collections.abc import Callable, Sequence
from copy import deepcopy
from functools import partial
from itertools import product
from math import inf, nan
from typing import Any

import pytest
import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812

from xdsl_bufferization.frontends.pytorch.fallbacks import FallbackWarning


def check(
    function: Callable[..., Any], *inputs: Tensor, gradients: bool = True
) -> None:
    torch._dynamo.reset()
    fast = torch.compile(function, backend="xbuf", dynamic=False)
    with torch.no_grad():
        assert_close(fast(*inputs), function(*inputs))
    if gradients:
        assert_close(gradients_of(fast, *inputs), gradients_of(function, *inputs))


def assert_close(actual: Any, expected: Any) -> None:
    torch.testing.assert_close(actual, expected, equal_nan=True, rtol=1e-4, atol=1e-4)


def gradients_of(function: Callable[..., Any], *inputs: Tensor) -> tuple[Tensor, ...]:
    copies = [each.clone().requires_grad_() for each in inputs]
    output = function(*copies)
    output = output if isinstance(output, Tensor) else output[0]
    weights = torch.arange(1.0, output.numel() + 1, dtype=output.dtype)
    return torch.autograd.grad((output * weights.view(output.shape)).sum(), copies)


@pytest.mark.parametrize("dtype", [torch.float32, torch.int32, torch.bool])
def test_one_number(dtype: torch.dtype) -> None:
    x = torch.tensor(3).to(dtype)
    check(lambda x: (x.cumsum(0), x.cumprod(-1)), x, gradients=False)
    check(lambda x: (*x.max(0), *x.min(-1, keepdim=True)), x, gradients=False)
    check(lambda x: (x.amax(), x.amin(-1)), x, gradients=False)
    if dtype == torch.float32:
        check(lambda x: (x.var(0, correction=0), x.var(-1)), x, gradients=False)
    if dtype != torch.bool:
        check(lambda x: (x.argmax(), x.argmin(0)), x, gradients=False)
        check(lambda x: tuple(x.kthvalue(1, 0)), x, gradients=False)


@pytest.mark.parametrize("dtype", [torch.float32, torch.uint8, torch.bool])
@pytest.mark.parametrize("op", [torch.all, torch.any])
def test_whether_elements_are_true(op: Any, dtype: torch.dtype) -> None:
    x = torch.tensor([[[1, 0], [2, 3]], [[0, 0], [4, 0]], [[1, 1], [1, 1]]]).to(dtype)

    def along(dims: Any) -> None:
        check(lambda x: (op(x, dims), op(x, dims, True)), x, gradients=False)

    for dims in ((-1, 0), (), None, 1):
        along(dims)
    check(lambda x: op(x[:0], (0, 2)), x, gradients=False)
    check(lambda x: (op(x[0, 0, 0], 0), op(x[0, 0, 1], ())), x, gradients=False)


@pytest.mark.parametrize("dtype", [torch.float32, torch.int32, torch.bool])
def test_the_product_of_one_number(dtype: torch.dtype) -> None:
    x = torch.tensor([3, 0]).to(dtype)
    check(lambda x: (x[0].prod(0), x[1].prod(-1, True)), x, gradients=False)


@pytest.mark.parametrize("shift", [0, 31, -65])
def test_elements_move_on_by_more_than_there_are(shift: int) -> None:
    x = torch.randn(2, 3, 5)
    check(lambda x: torch.roll(x, shift), x)
    check(lambda x: torch.roll(x, shift, 1), x)
    check(lambda x: torch.roll(x, (1, shift), (0, -1)), x)
    check(lambda x: torch.roll(x[:, :0], shift), x, gradients=False)
    check(lambda x: torch.roll(x[:, :0], shift, 1), x, gradients=False)
    check(lambda x: torch.roll(x[0, 0, 0], shift), x)


@pytest.mark.parametrize(
    ("order", "dtype"),
    [
        (0, torch.float32),
        (0.5, torch.float32),
        (2, torch.float16),
        (4, torch.float16),
        (inf, torch.float32),
        (-inf, torch.float64),
    ],
)
def test_distances_and_norms(order: float, dtype: torch.dtype) -> None:
    x, y = (torch.tensor(each, dtype=dtype) for each in ([30.0, 2, 5], [-4.0, 2, 9]))
    check(lambda x, y: torch.dist(x, y, order), x, y, gradients=order != 0)
    aten, wide = torch.ops.aten.norm, torch.float64

    def norms(x: Tensor) -> tuple[Tensor, ...]:
        along = aten(x, order, [0], True), aten(x, None, [], False, dtype=wide)
        return aten(x, order), aten(x, order, dtype=wide), *along

    check(norms, x, gradients=False)


@pytest.mark.parametrize("dtype", [torch.int8, torch.int64, None])
def test_whole_numbers_at_equal_distances(dtype: torch.dtype | None) -> None:
    pairs = [(0, 7), (4.3, -3.7), (-3.7, 100.9), (50, 0)]

    def spaced(x: Tensor) -> list[Tensor]:
        bounds = [*pairs, (0, x), (x, x - 9)]
        return [
            torch.linspace(*each, steps, dtype=dtype)
            for each, steps in product(bounds, (1, 2, 5, 50))
        ]

    check(spaced, torch.tensor(7.9), gradients=False)


EXTREME = [nan, inf, -inf, 0.0, -0.0, 1e-30, 2.5, -2.5]


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.bfloat16])
def test_a_value_is_equal_to_itself_unless_it_is_no_number(dtype: torch.dtype) -> None:
    x = torch.tensor(EXTREME, dtype=dtype)
    check(lambda x: (x == x, x == x.clone(), x.isclose(x)), x, gradients=False)
    check(lambda x: torch.where(x == x, x, 0.0), x, gradients=False)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.bfloat16])
@pytest.mark.parametrize("exponent", [0.5, -0.5, -1.0])
def test_roots_and_reciprocals(exponent: float, dtype: torch.dtype) -> None:
    x = torch.tensor(EXTREME, dtype=dtype)
    check(lambda x: (x**exponent, 1 / x), x, gradients=False)
    check(lambda x: x**exponent, x[5:7])


@pytest.mark.parametrize("slope", [nan, inf, -2.0, 0.0])
def test_slopes(slope: float) -> None:
    x = torch.tensor(EXTREME)
    check(lambda x: F.leaky_relu(x, slope), x)


@pytest.mark.parametrize("dtype", [torch.bool, torch.int8, torch.int64, torch.float16])
def test_bounds_that_are_tensors(dtype: torch.dtype) -> None:
    x, low, high = torch.tensor([[5, -3, 7, 0], [2, -8, 9, 1], [3, 1, 0, 0]]).to(dtype)

    def bounded(function: Callable[..., Any]) -> None:
        check(function, x, low, high, gradients=False)

    bounded(lambda x, low, _: (x.clamp_min(low), x.clamp_max(low)))
    bounded(lambda x, low, high: (x.clamp(max=high), x.clamp(min=low[:1])))
    if dtype != torch.bool:
        bounded(torch.clamp)
    bounded(lambda x, low, high: x.clamp(low.float(), high.double()))


def test_bounds_that_are_no_numbers() -> None:
    x = torch.randn(3, 4)
    for low, high in ((nan, 1.0), (0.0, nan), (None, nan), (nan, None), (1.0, -1.0)):
        bounds = {"min": low, "max": high}
        check(partial(torch.clamp, **bounds), x)
    check(lambda x: (x.clamp_min(nan), x.clamp_max(nan)), x)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.float16])
def test_lengths_of_vectors(dtype: torch.dtype) -> None:
    largest = torch.finfo(dtype).max
    numbers = [
        0.0,
        -0.0,
        1.0,
        -3.0,
        largest / 2,
        torch.finfo(dtype).tiny,
        inf,
        -inf,
        nan,
    ]
    x = torch.tensor(numbers, dtype=dtype)
    check(torch.hypot, x[:, None], x, gradients=False)
    x, y = torch.randn(2, 3, 4).to(dtype)
    check(torch.hypot, x, y[:1])


@pytest.mark.parametrize("p", [0.0, 0.5, 1.0, 1.5, 2.0, 3.0, inf])
def test_distances(p: float) -> None:
    x, y = torch.randn(2, 4, 3).double(), torch.randn(2, 5, 3).double()
    y[0, 1] = x[0, 2]  # A distance of zero.
    y[0, 2, 1] = x[0, 2, 1]
    check(lambda x, y: torch.cdist(x, y, p), x, y)
    check(lambda x, y: torch.cdist(x, y, p), x[..., :0], y[..., :0])


@pytest.mark.parametrize(
    "function",
    [
        lambda x: F.adaptive_max_pool2d(x, (3, 2)),
        lambda x: F.adaptive_max_pool2d(x, (3, 2), return_indices=True),
        lambda x: F.adaptive_max_pool1d(x[:, 0], 3),
        lambda x: F.pad(x, (2, 1, 0, 3), mode="replicate"),
        lambda x: F.pad(x, (2, -1, -2, 3), mode="replicate"),
        lambda x: F.pad(x[:, 0], (1, 2), mode="replicate"),
    ],
)
def test_pools_and_borders(function: Callable[..., Any]) -> None:
    check(function, torch.randn(2, 3, 6, 5))


@pytest.mark.parametrize("groups", [1, 2])
@pytest.mark.parametrize(
    ("stride", "padding", "more", "dilation"),
    [(1, 0, 0, 1), (2, 1, 1, 1), (3, 0, 2, 1), (1, 0, 2, 3)],
)
def test_transposed_convolution(
    groups: int, stride: int, padding: int, more: int, dilation: int
) -> None:
    check(
        lambda x, w, b: F.conv_transpose2d(
            x, w, b, stride, padding, more, groups, dilation
        ),
        torch.randn(2, 4, 5, 3),
        torch.randn(4, 3, 3, 2),
        torch.randn(3 * groups),
    )


@pytest.mark.parametrize(
    ("groups", "kernel", "stride", "padding", "dilation"),
    [(2, (3, 2), 2, 1, 1), (2, (3, 3), 1, 0, 2), (4, (3, 1), (1, 3), (1, 0), 1)],
)
def test_convolution_with_groups(
    groups: int, kernel: tuple[int, int], stride: Any, padding: Any, dilation: int
) -> None:
    check(
        lambda x, w, b: F.conv2d(x, w, b, stride, padding, dilation, groups),
        torch.randn(2, 4, 9, 7),
        torch.randn(8, 4 // groups, *kernel),
        torch.randn(8),
    )


def test_one_image() -> None:
    check(lambda x: F.avg_pool2d(x, 2), torch.randn(3, 6, 5), gradients=False)
    check(lambda x: F.max_pool2d(x, 2), torch.randn(3, 6, 5))
    check(lambda x: F.adaptive_max_pool3d(x, 2), torch.randn(1, 2, 3, 4, 5))


def test_truth_values_have_an_order() -> None:
    """False is less than true, although the bit of true is the sign of -1."""
    x = torch.tensor([[True, False, True], [False, False, True]])
    check(lambda x: x.sort(-1)[0], x, gradients=False)
    check(lambda x: x.sort(0, descending=True)[0], x, gradients=False)


def test_truth_values_are_added() -> None:
    """The sum of two is true, and the least is false."""
    x = torch.tensor([[True, False, True], [False, False, True]])
    y, places = ~x, torch.tensor([[0, 0, 0], [1, 1, 0]])
    index = torch.tensor([0, 0, 0])
    none: dict[str, bool] = {"gradients": False}
    check(lambda x, y: x.scatter_add(1, places, y), x, y | x, **none)
    for kind, own in product(("sum", "prod", "amax", "amin"), (True, False)):
        check(
            lambda x, y, kind=kind, own=own: x.scatter_reduce(
                1, places, y, kind, include_self=own
            ),
            *(x, y),
            **none,
        )
    check(lambda x, y: x.index_add(1, index, y), x, y | x, **none)
    check(lambda x, y: x[0].index_put((index,), y[1], accumulate=True), x, y, **none)
    check(lambda x, y: (x + True, x + y, x + x, x + 1), x, y, **none)
    check(lambda x: (x.sum(1, dtype=x.dtype), x.sum(dtype=x.dtype)), x, **none)


def test_lengths_and_angles_that_are_broadcast() -> None:
    lengths, angles = torch.rand(4, 1, 3), torch.randn(2, 1)
    check(torch.polar, lengths, angles, gradients=False)


def test_complex_numbers_of_others() -> None:
    x = torch.tensor([True, False, True])
    check(lambda x: (x.cfloat(), x.cdouble()), x, gradients=False)
    check(lambda x: (x.int().cfloat(), x.float().cfloat()), x, gradients=False)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_long_sums_of_16_bits(dtype: torch.dtype) -> None:
    """In 16 bits, the sum would not grow above 256, or 2,048."""
    x = torch.ones(1, 2, 50, 60, dtype=dtype)
    check(lambda x: x.view(-1).cumsum(0), x, gradients=False)
    check(lambda x: x.view(-1, 2).sum(0), x, gradients=False)
    check(lambda x: x.view(-1, 2).mean(0), x, gradients=False)
    check(lambda x: x.view(-1, 2).norm(dim=0), x, gradients=False)
    check(lambda x: (x[0, 0] * 1.002).view(-1).cumprod(0), x, gradients=False)
    check(lambda x: F.avg_pool2d(x, (50, 60)), x, gradients=False)
    check(lambda x: F.avg_pool2d(x[0], (50, 60)), x, gradients=False)
    check(lambda x: F.avg_pool1d(x.view(2, -1), 3000), x, gradients=False)


@pytest.mark.parametrize("dtype", [torch.int64, torch.int8, torch.uint8, torch.bool])
def test_the_reciprocal_of_the_integer_zero(dtype: torch.dtype) -> None:
    x = torch.tensor([0, 1, 3, 0]).to(dtype)
    check(lambda x: (x.reciprocal(), 1 / x), x, gradients=False)


NUMBERS_OF_TYPES = {
    torch.bool: [False, True, True, False],
    torch.int8: [0, 1, -128, 127],
    torch.int16: [0, -300, 32767, 2],
    torch.int32: [-70000, 2**31 - 1, 1, 0],
    torch.int64: [-(2**40), 0, 5, 1],
    torch.float32: [0.5, -300, 1, nan],
}


@pytest.mark.parametrize("op", ["lt", "ge", "eq", "ne"])
def test_numbers_of_several_types_are_compared(op: str) -> None:
    compare = getattr(torch, op)
    tensors = [torch.tensor(x, dtype=dtype) for dtype, x in NUMBERS_OF_TYPES.items()]
    numbers = (0, 1, -1, 200, -200, 2**31, 2**40, True, 0.5, -inf)

    def results(*tensors: Tensor) -> list[Tensor]:
        return [
            *(compare(x, y) for x in tensors for y in tensors),
            *(compare(x, y) for x in tensors for y in numbers),
        ]

    check(results, *tensors, gradients=False)


@pytest.mark.parametrize("number", [40000, -70000, 65539])
def test_a_divisor_of_more_bits_than_the_integers(number: int) -> None:
    x = torch.tensor([0, 1, -32768, 32767, -3, 5], dtype=torch.int16)

    def quotients(x: Tensor) -> list[Tensor]:
        cut = torch.div(x, number, rounding_mode="trunc")
        return [x // number, x % number, x.fmod(number), cut]

    check(quotients, x, gradients=False)


@pytest.mark.parametrize("dtype", [torch.int16, torch.int32, torch.int64])
def test_shifts_by_any_number(dtype: torch.dtype) -> None:
    """Too many bits, or less than none, leave 0, or the sign."""
    x = torch.tensor([0, 1, -300, 32767, -1, 5, 8], dtype=dtype)
    amounts = torch.tensor([3, -1, 2, 15, 40, 64, 127], dtype=dtype)
    left, right = torch.bitwise_left_shift, torch.bitwise_right_shift
    check(lambda x, y: (left(x, y), right(x, y)), x, amounts, gradients=False)


def test_numbers_of_several_types_in_other_functions() -> None:
    whole = torch.tensor([-70000, 2**31 - 1, 3], dtype=torch.int32)
    wide = torch.tensor([0.1, -1e10, 2], dtype=torch.float64)
    check(lambda x, y: (x.hypot(y), y.hypot(x)), whole, wide, gradients=False)
    check(lambda x: F.threshold(x, 0.5, -1.5), whole, gradients=False)
    check(lambda x: F.threshold(x, 0.5, -1.5), torch.tensor([nan, 1, -1, 0.5]))
    half = torch.float16
    check(lambda x: (x.mean(dtype=half), x.mean(0, dtype=half)), wide, gradients=False)
    check(lambda x: (x.prod(dtype=torch.int32), x.prod(0)), whole, gradients=False)


def test_powers_and_truths_of_several_types() -> None:
    x, y = torch.tensor([-70000, 3, 0]), torch.tensor([-2.25, 2, 1.5])
    check(lambda x, y: (x**y, y.half() ** x.int()), x, y.half(), gradients=False)
    large = torch.tensor(2**31)  # The last 8 bits are 0.
    byte = torch.tensor([0, 1, -1], dtype=torch.int8)
    check(
        lambda x, y: (x.logical_and(y), x.logical_or(y), x.logical_xor(y)),
        *(byte, large),
        gradients=False,
    )


@pytest.mark.parametrize("function", [torch.fmin, torch.fmax])
def test_a_number_or_nothing_of_several_types(function: Callable[..., Any]) -> None:
    """A tensor without dimensions does not promote those that have some."""
    half, whole = torch.tensor([1.5, nan, 3]).half(), torch.tensor([1, 200, -3])
    small, one = torch.tensor([0, -7, 9], dtype=torch.int16), torch.tensor(2.0)
    operands = half, small, whole, one

    def pairs(*given: Tensor) -> list[Tensor]:
        return [function(x, y) for x in given for y in given]

    check(pairs, *operands, gradients=False)


def test_parts_of_other_types() -> None:
    x, y = torch.arange(6).reshape(2, 3), torch.full((2, 3), 1.75)

    def parts(x: Tensor, y: Tensor) -> list[Tensor]:
        return [
            x.select_scatter(y[0], 0, -1),
            x.slice_scatter(y[:, :2], 1, 1),
            x.diagonal_scatter(y.diagonal()),
        ]

    check(parts, x, y, gradients=False)
    check(parts, x.bfloat16(), y * 1.001, gradients=False)
    losses = partial(F.huber_loss, reduction="none")
    check(losses, x.bfloat16(), y, gradients=False)
    check(F.huber_loss, x.half(), y, gradients=False)


@pytest.mark.parametrize("number", [2.5, -7, 7, True])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.int8])
def test_a_number_is_the_first_operand(number: float, dtype: torch.dtype) -> None:
    def results(x: Tensor) -> list[Any]:
        cut = torch.div(number, x, rounding_mode="trunc")
        sums = torch.add(number, x, alpha=2), torch.sub(1 * number, x)
        return [number // x, torch.div(number, x), torch.mul(number, x), cut, *sums]

    check(results, torch.tensor([3.5, -2, 1.25]).to(dtype), gradients=False)


@pytest.mark.parametrize("dtype", [torch.int16, torch.int32, torch.int64])
def test_integers_are_counted_between_floats(dtype: torch.dtype) -> None:
    def counted(x: Tensor) -> list[Tensor]:
        return [
            torch.arange(3.1, dtype=dtype) + x,
            torch.arange(1.0, 5.000001, 2.0, dtype=dtype) + x,
            torch.arange(2.1, -2.9, -1.0, dtype=dtype) + x,
        ]

    check(counted, torch.zeros(1, dtype=dtype), gradients=False)


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.bfloat16])
def test_powers_of_two_that_are_no_floats(dtype: torch.dtype) -> None:
    info = torch.finfo(dtype)
    ends = [info.max, info.smallest_normal, info.smallest_normal * info.eps]
    x = torch.tensor([0.0, -0.0, 1.5, inf, nan, *ends], dtype=dtype)[:, None]
    exponents = torch.tensor([-2200, -1100, -130, -3, 0, 7, 130, 1100, 2200])
    torch._dynamo.reset()
    fast = torch.compile(torch.ldexp, backend="xbuf", dynamic=False)
    wanted = torch.ldexp(x.expand(-1, 9).clone(), exponents)
    assert torch.equal(fast(x, exponents).nan_to_num(7), wanted.nan_to_num(7))
    check(torch.ldexp, x, torch.tensor([0.5, -3]), gradients=False)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
@pytest.mark.parametrize(
    "function",
    [
        lambda x, y: torch.addcmul(x, x, y, value=3.14),
        lambda x, y: F.gelu(x),
        lambda x, y: x.sigmoid(),
        lambda x, y: y.abs().rsqrt(),
    ],
    ids=["addcmul", "gelu", "sigmoid", "rsqrt"],
)
def test_16_bits_are_rounded_once(
    function: Callable[..., Any], dtype: torch.dtype
) -> None:
    x, y = (torch.randn(2000).to(dtype) for _ in range(2))
    torch._dynamo.reset()
    found = torch.compile(function, backend="xbuf", dynamic=False)(x, y)
    assert (found != function(x, y)).sum() < 10


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_numbers_of_more_bits_than_16(dtype: torch.dtype) -> None:
    x = torch.tensor([0, 1.5, -1000, inf], dtype=dtype)
    check(lambda x: (x * 1e10, x / 1e10, x + 1e-3, x - 70000, 0.1 - x), x)


def test_the_sign_of_a_zero_that_is_left() -> None:
    x = torch.tensor([-0.0, 0.0, -0.5, 0.5, -2.0, -2.5, 1e30, inf, -inf, nan])
    torch._dynamo.reset()

    def parts(x: Tensor) -> list[Tensor]:
        return [x.trunc(), x.frac()]

    check(parts, x)
    found = torch.compile(parts, backend="xbuf", dynamic=False)(x)
    for one, other in zip(found, parts(x), strict=True):
        # That of NaN is anything.
        assert torch.equal(one[:-1].signbit(), other[:-1].signbit())


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_products_of_16_bits(dtype: torch.dtype) -> None:
    """PyTorch multiplies some of the numbers in 16 bits, and is further off."""
    torch._dynamo.reset()

    def products(x: Tensor) -> list[Tensor]:
        wide = x.to(torch.float64)
        return [x.prod(), x.prod(0), x.prod(1, True), wide.prod(1, dtype=x.dtype)]

    x = (torch.arange(0.0, 128).view(2, 64) / 4096 + 1).to(dtype)
    found = torch.compile(products, backend="xbuf", dynamic=False)(x)
    wanted = products(x.double())
    for one, other in zip(found, wanted, strict=True):
        torch.testing.assert_close(one, other.to(dtype))


@pytest.mark.parametrize("value", [1.5, inf, nan])
def test_softmax_of_one_number(value: float) -> None:
    """torch-mlir would not come to an end."""
    x = torch.tensor(value)
    check(lambda x: (x.softmax(0), x.log_softmax(-1)), x)
    check(lambda x: torch.masked.softmin(x, 0, mask=x > 1), x, gradients=False)


def test_scatter_along_the_last_dimension() -> None:
    x, y, places = torch.randn(3, 5), torch.randn(3, 4), torch.randint(0, 5, (3, 4))
    check(lambda x, y: x.scatter_add(-1, places, y), x, y)
    for kind in ("sum", "amin"):
        check(
            lambda x, y, kind=kind: x.scatter_reduce(-1, places, y, kind),
            *(x, y),
            gradients=False,
        )


def test_larger_number() -> None:
    x = torch.tensor([[1.0, nan, 3.0, nan], [-0.5, 2.0, inf, -inf]])
    y = torch.tensor([2.0, 1.0, nan, nan])
    check(lambda x, y: (x.fmax(y), y.fmin(x)), x, y, gradients=False)
    check(lambda x, y: x.fmax(y[:1]), x[:0], y, gradients=False)
    check(torch.fmin, torch.arange(4), torch.tensor(2), gradients=False)
    check(torch.fmax, torch.arange(4), torch.tensor(1.5), gradients=False)


def test_products_and_blocks() -> None:
    check(
        lambda x, y, z: torch.addmv(x, y, z, beta=0.5, alpha=2),
        torch.randn(3),
        torch.randn(3, 4),
        torch.randn(4),
    )
    check(torch.block_diag, torch.randn(2, 3), torch.randn(1, 1), torch.randn(3, 1))


def test_leaky_relu_that_draws_no_numbers() -> None:
    """In evaluation, the gradient must not depend on the noise of training."""
    backward: Any = torch.ops.aten.rrelu_with_noise_backward
    x, noise = torch.randn(5), torch.full((5,), nan)
    check(
        lambda g, x, n: backward(g, x, n, 0.1, 0.3, False, False),
        *(torch.ones(5), x, noise),
        gradients=False,
    )


def pairs(dtype: torch.dtype) -> tuple[Tensor, Tensor]:
    """All pairs of numbers that are easily mistaken."""
    numbers = torch.tensor([0.0, 1e4, 5, -7, 0.3, inf, -inf, nan, -5, 0.1, -0.1, 2, -3])
    one, other = torch.meshgrid(numbers.to(dtype), numbers.to(dtype), indexing="ij")
    return one.contiguous(), other.contiguous()


HALVES_AND_FLOATS = [torch.float32, torch.float64, torch.float16, torch.bfloat16]


@pytest.mark.parametrize("dtype", HALVES_AND_FLOATS)
def test_rests_and_quotients_of_floats(dtype: torch.dtype) -> None:
    """The rest of 5.0 by 0.1 is 0.1, and the quotient is 49."""

    def divided(x: Any, y: Any) -> Any:
        numbers = (x.fmod(0.1), x.fmod(3), x // -3, x // 0.1, x % -0.3)
        return (x.fmod(y), x // y, x.div(y, rounding_mode="floor"), x % y, *numbers)

    # PyTorch rounds quotients of `float16` once or twice, by the number of elements.
    room = 2e-3 if dtype == torch.float16 else 0
    for actual, expected in computed(divided, *pairs(dtype)):
        torch.testing.assert_close(actual, expected, equal_nan=True, rtol=room, atol=0)


@pytest.mark.parametrize("dtype", [torch.int8, torch.int32, torch.int64])
def test_the_smallest_integer_is_divided_by_minus_one(dtype: torch.dtype) -> None:
    x = torch.tensor([torch.iinfo(dtype).min, 5, -7, 7], dtype=dtype)
    y = torch.tensor([-1, -1, 2, -3], dtype=dtype)
    for actual, expected in computed(lambda x, y: (x // y, x // -1), x, y):
        torch.testing.assert_close(actual, expected, rtol=0, atol=0)


@pytest.mark.parametrize("dtype", HALVES_AND_FLOATS)
def test_what_is_no_number_stays_so(dtype: torch.dtype) -> None:
    def ordered(x: Any, y: Any) -> Any:
        return (
            *(x.maximum(y), x.minimum(y), x.clamp(-1, 2), x.clamp(y, y + 1)),
            *(x.clamp_min(2), x.clamp_max(y), F.relu6(x), F.hardtanh(x)),
            *(F.hardsigmoid(x), F.elu(x), F.selu(x)),
        )

    for actual, expected in computed(ordered, *pairs(dtype)):
        torch.testing.assert_close(actual, expected, equal_nan=True)


def computed(function: Callable[..., Any], *inputs: Tensor) -> Any:
    """The pairs of results of the back end and of PyTorch."""
    torch._dynamo.reset()
    fast = torch.compile(function, backend="xbuf", dynamic=False)
    with torch.no_grad():
        return zip(fast(*inputs), function(*inputs), strict=True)


def test_signs_of_several_types() -> None:
    """PyTorch computes signs of floats, which torch-mlir does not translate."""
    truth, whole = torch.tensor([False, True, True]), torch.tensor([0, -7, 3])

    def signs(x: Tensor, y: Tensor) -> list[Tensor]:
        return [x.copysign(y), y.copysign(x)]

    with pytest.warns(FallbackWarning, match="copysign"):
        pairs = computed(signs, truth, whole)
    for found, wanted in pairs:
        assert_close(found, wanted)


def test_gradient_of_a_range() -> None:
    x = torch.tensor([-2.0, -1.0, 0.5, 1.0, 7.0])
    check(lambda x: F.hardtanh(x) + F.relu6(x), x)
    check(F.elu, torch.tensor([-1e-4, -2.0, 3.0]))


@pytest.mark.parametrize("make", [torch.full, lambda _, n: torch.tensor([n, n])])
@pytest.mark.parametrize("numbers", [(-3.0, 0.0, 2.5), (-3, 0, 2)])
def test_constants_are_compared(
    make: Callable[..., Tensor], numbers: Sequence[float]
) -> None:
    """torch-mlir takes -3.0 < 0 to be false, and 2.5 < -2 to be true."""
    comparisons = (torch.lt, torch.le, torch.gt, torch.ge, torch.eq, torch.ne)

    def compared(x: Tensor) -> Tensor:
        results = [
            op(make((2,), one), other).int()
            for op, one, other in product(comparisons, (-3.0, 0.0, 2.5), numbers)
        ]
        return torch.stack(results) + x

    check(compared, torch.zeros(2), gradients=False)


def test_numbers_that_a_graph_leaves_open() -> None:
    """With `dynamic=True`, integers beside tensors are open, as sizes are."""
    i, x = torch.arange(-4, 8).view(3, 4), torch.randn(3, 4, 5)

    def compare(function: Callable[..., Any], given: Tensor) -> None:
        torch._dynamo.reset()
        fast = torch.compile(function, backend="xbuf", dynamic=True)
        assert_close(fast(given), function(given))

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FallbackWarning)
        compare(lambda i, by=3: i // by, i)
        compare(lambda i, by=-3: torch.div(i, by, rounding_mode="floor"), i)
        compare(lambda x: torch.arange(x.numel()) // x.shape[1], x)
        compare(lambda x, p=0: torch.linalg.vector_norm(x, p, (1, 2)), x)
        compare(lambda x, by=9: x.roll(by, 1), x)


def test_a_variance_of_complex_numbers_is_real() -> None:
    """PyTorch computes it. What it computes is the graph with the decomposition."""
    x = torch.randn(3, 4, dtype=torch.complex64)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FallbackWarning)
        check(lambda x: x.var(1, correction=9), x, gradients=False)


@pytest.mark.parametrize("correction", [1, 2, 3, 2.5])
@pytest.mark.parametrize("dtype", HALVES_AND_FLOATS)
def test_variances_are_never_divided_by_less_than_0(
    correction: float, dtype: torch.dtype
) -> None:
    x = torch.tensor([[1.0, 2.0, 5.0], [3.0, 3.0, -2.0]], dtype=dtype)
    for rows in (x, x[:1]):
        for pair in computed(
            lambda x: (
                *torch.var_mean(x, dim=0, correction=correction, keepdim=True),
                x.std(dim=(0, 1), correction=correction * 3),
                x.var(correction=correction + 4),
            ),
            rows,
        ):
            torch.testing.assert_close(*pair, equal_nan=True)


@pytest.mark.parametrize("first", [8, 4])
def test_variances_of_open_sizes_are_never_divided_by_less_than_0(first: int) -> None:
    def variances(x: Tensor) -> tuple[Tensor, ...]:
        return (*torch.var_mean(x, correction=5), x.std(0, correction=6.5))

    fast = torch.compile(variances, backend="xbuf", dynamic=True)
    with torch.no_grad():
        for count in (first, 3, 4, 5, 6, 9):
            x = torch.randn(count)
            assert_close(fast(x), variances(x))


def test_the_kth_element_for_any_k() -> None:
    def kth(x: Tensor, k: int) -> Tensor:
        return x.kthvalue(k, 1)[0]

    fast = torch.compile(kth, backend="xbuf", dynamic=True)
    for size, k in ((8, 3), (6, 2), (4, 4)):
        x = torch.randn(2, size)
        for own, other in zip(
            gradients_of(lambda x, k=k: fast(x, k), x),
            gradients_of(lambda x, k=k: kth(x, k), x),
            strict=True,
        ):
            assert torch.equal(own, other)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.bfloat16])
@pytest.mark.parametrize("affine", [True, False])
@pytest.mark.parametrize("sizes", [(), (5,), (5, 4), (3, 2, 4)])
def test_batch_norms_of_known_statistics(
    sizes: tuple[int, ...], dtype: torch.dtype, *, affine: bool
) -> None:
    norms = (nn.BatchNorm1d, nn.BatchNorm1d, nn.BatchNorm2d, nn.BatchNorm3d)
    norm = norms[len(sizes)](6, affine=affine).eval()
    for each in (norm.running_mean, norm.running_var, *norm.parameters()):
        nn.init.uniform_(each, 0.5, 2.0)
    x = torch.randn(3, 6, *sizes).to(dtype)
    norm = norm.to(dtype)
    for pair in computed(lambda x: (norm(x),), x):
        torch.testing.assert_close(*pair)
    if dtype != torch.bfloat16:
        check(norm, x)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_variances_of_halves_are_summed_in_floats(dtype: torch.dtype) -> None:
    x = (torch.arange(300) % 7 - 3.25).to(dtype)
    for pair in computed(lambda x: (*torch.var_mean(x), x.var(0), x.std()), x):
        torch.testing.assert_close(*pair)


@pytest.mark.parametrize("dtype", HALVES_AND_FLOATS)
def test_powers_that_are_too_large_are_infinite(dtype: torch.dtype) -> None:
    """PyTorch computes the steps of the loss in the type of the elements."""
    x = torch.tensor([-800.0, -90, -12, -3, 0, 2, 20, inf, -inf, nan], dtype=dtype)
    target = torch.tensor([1.0, 1, 1, -1, 1, 1, -1, 1, 1, 1], dtype=dtype)
    for kind in ("none", "mean", "sum"):

        def loss(x: Tensor, kind: str = kind) -> Tensor:
            return F.soft_margin_loss(x, target, reduction=kind)

        for pair in computed(lambda x, loss=loss: (loss(x),), x):
            torch.testing.assert_close(*pair, equal_nan=True)
        fast = torch.compile(loss, backend="xbuf", dynamic=False)
        torch.testing.assert_close(
            gradients_of(fast, x), gradients_of(loss, x), equal_nan=True
        )


@pytest.mark.parametrize("dtype", HALVES_AND_FLOATS)
def test_logarithms_of_sums(dtype: torch.dtype) -> None:
    def added(x: Any, y: Any) -> Any:
        return (x.logaddexp(y), torch.logaddexp2(x, y))

    for pair in computed(added, *pairs(dtype)):
        torch.testing.assert_close(*pair, equal_nan=True)
    small = torch.full((3,), -40.0), torch.zeros(3)
    for actual, expected in computed(added, *small):
        torch.testing.assert_close(actual, expected, atol=0, rtol=1e-5)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.bfloat16])
@pytest.mark.parametrize("options", [{}, {"ceil_mode": True}, {"padding": 1}])
@pytest.mark.parametrize("counted", [{}, {"count_include_pad": False}])
def test_gradients_of_means(
    dtype: torch.dtype, options: dict[str, Any], counted: dict[str, bool]
) -> None:
    x = torch.randn(2, 3, 7, 6, dtype=dtype)
    named = {**options, **counted}

    def mean(x: Tensor) -> Tensor:
        return F.avg_pool2d(x, (3, 2), (2, 3), **named)

    fast = torch.compile(mean, backend="xbuf", dynamic=False)
    torch.testing.assert_close(gradients_of(fast, x), gradients_of(mean, x))


def test_gradients_of_other_means() -> None:
    x = torch.randn(1, 2, 4, 6, 8)
    check(lambda x: F.avg_pool1d(x[0, 0], 3, 2, 1), x)
    check(lambda x: F.avg_pool2d(x[0], 2, divisor_override=3), x)
    check(lambda x: F.avg_pool3d(x, 2, padding=1), x)
    check(lambda x: F.adaptive_avg_pool2d(x[0], (3, 4)), x)
    check(lambda x: F.adaptive_avg_pool2d(x[0], 1), x)


def test_gradient_of_a_mean_stays_in_its_window() -> None:
    """An infinite gradient of one window is no number nowhere else."""
    x, weight = torch.ones(1, 1, 6, requires_grad=True), torch.tensor([inf, 1.0, 2.0])
    fast = torch.compile(lambda x: F.avg_pool1d(x, 2), backend="xbuf")
    (found,) = torch.autograd.grad(fast(x), x, weight.view(1, 1, 3))
    assert found.flatten().tolist() == [inf, inf, 0.5, 0.5, 1.0, 1.0]


@pytest.mark.parametrize(
    "function",
    [
        lambda x: x.max(1),
        lambda x: x.min(0),
        lambda x: (x.amax(1), x.argmax(1), x.argmin(), x.max()),
        lambda x: F.max_pool1d(x[None], 5, 2, return_indices=True),
        lambda x: F.max_pool2d(x[None], 3, 2, 1, return_indices=True),
        lambda x: F.adaptive_max_pool2d(x[None], (3, 5), return_indices=True),
    ],
)
def test_the_first_of_equal_elements(function: Callable[..., Any]) -> None:
    check(function, torch.randint(-2, 3, (6, 40)).float())


def test_values_of_equal_elements() -> None:
    """Without their places, the choice among them does not matter."""
    x = torch.randint(-2, 3, (6, 40)).float()
    check(lambda x: (x.topk(5)[0], x.sort(0)[0]), x, gradients=False)


@pytest.mark.parametrize("dtype", [torch.float32, torch.int32, torch.bool])
def test_stable_sort(dtype: torch.dtype) -> None:
    x = torch.randint(0, 3, (4, 30)).to(dtype)
    check(lambda x: x.sort(stable=True), x, gradients=False)
    check(lambda x: x.argsort(dim=0, descending=True, stable=True), x, gradients=False)
    if dtype == torch.float32:
        check(lambda x: x.sort(stable=True, descending=True)[0], x)


def test_tensors_without_elements() -> None:
    """torch-mlir divides by the size of a dimension."""
    check(lambda x: F.pixel_shuffle(x, 1) + 1, torch.ones(1, 1, 0, 1))
    check(lambda x: F.pixel_unshuffle(x, 1).view(1, 0, 3), torch.ones(1, 1, 1, 0))
    # PyTorch gives these back as they are, and has no gradients of them.
    for shape in ((7, 2, 0), (0, 3, 2, 4)):
        x = torch.ones(shape)
        check(lambda x: F.pixel_unshuffle(x, 2) * 2, x, gradients=False)
    check(lambda x: (x * 2).view(3, 0, 1) + 1, torch.ones(0, 4))


@pytest.mark.parametrize("shape", [(3, 4, 6), (2, 3, 4, 6), (2, 1, 3, 2, 2)])
def test_pixels_as_channels(shape: tuple[int, ...]) -> None:
    check(lambda x: F.pixel_unshuffle(x, 2), torch.randn(shape))


def test_copies_of_views() -> None:
    x = torch.randn(3, 4)
    check(lambda x: torch.permute_copy(x, (1, 0)), x)
    check(lambda x: torch.unbind_copy(x, 1)[2], x)
    check(lambda x: torch.as_strided_copy(x, (2, 2), (1, 2)), x, gradients=False)


@pytest.mark.parametrize("offset", [-9, -2, -1, 0, 1, 3, 9])
def test_diagonals(offset: int) -> None:
    x = torch.randn(3, 4, 2)
    y = torch.randn(2, x[..., 0].diagonal(offset).shape[0])
    check(lambda x, y: torch.diagonal_scatter(x, y, offset), x, y)
    check(lambda x: x.diagonal(offset, 1, 0), x)


def test_bytes_of_floats() -> None:
    """torch-mlir makes 127 of 250.0; PyTorch takes the last 8 bits of an integer."""
    small = [0.0, 250.7, 256.0, 300.0, -1.0, -0.5, nan, inf, -inf]
    large = [1e6, -3e5, 3e9, -(2.0**31), 2.0**31 - 128]
    for dtype in (torch.float32, torch.float64):
        x = torch.tensor([*small, *large], dtype=dtype)
        check(lambda x: x.to(torch.uint8), x, gradients=False)
    check(lambda x: x.byte(), torch.tensor(small, dtype=torch.float16), gradients=False)


def test_bytes_that_move() -> None:
    """Nothing is compared, so that torch-mlir's sign does not matter."""
    x = torch.arange(0, 256, 11, dtype=torch.uint8).view(4, 6)
    y, mask = 255 - x, x > 100
    for function in (
        lambda x: (x & y, x ^ y, ~x, x.flip(0), x.roll(2, 1), x.repeat(2, 1)),
        lambda x: (torch.where(mask, x, y), x.masked_fill(mask, 250), x.triu()),
        lambda x: (x.slice_scatter(y[:2], 0, 1, 3), x.select_scatter(y[0], 0, 1)),
        lambda x: (torch.diag_embed(x), x.diagonal().clone()),
    ):
        check(function, x, gradients=False)


@pytest.mark.parametrize("accumulates", [False, True])
@pytest.mark.parametrize("places", [[0, 0, 0], [1, 0, 1]])
def test_values_are_put_where_a_mask_is_true(
    places: list[int], *, accumulates: bool
) -> None:
    """Also if it is true nowhere."""
    mask = torch.tensor(places).bool()
    pairs = mask[:, None] & mask

    def put(x: Tensor, indices: list[Any], values: Tensor) -> Tensor:
        return torch.ops.aten.index_put(x, indices, values, accumulates)

    x, y = torch.randn(3, 3, 2), torch.randn(3, 3, 2)
    check(lambda x, y: put(x, [mask], y[0]), x, y, gradients=False)
    check(lambda x, y: put(x, [mask], y[:1]), x, y, gradients=False)
    check(lambda x, y: put(x, [None, mask], y[:, :1]), x, y, gradients=False)
    check(lambda x, y: put(x, [pairs], y[0, 0]), x, y, gradients=False)
    check(lambda x, y: put(x, [pairs], y.sum()), x, y, gradients=False)


def test_elements_where_a_mask_of_another_shape_is_true() -> None:
    x, source = torch.randn(2, 3, 4), torch.arange(24.0)
    check(lambda x, y: x.masked_scatter(x[0, 0] > 0, y), x, source, gradients=False)
    check(lambda x, y: x[0, 0].masked_scatter(x > 0, y), x, source, gradients=False)


@pytest.mark.parametrize("size", [(3, 2), (7, 4), (9, 5)])
def test_means_over_windows_that_share_elements(size: tuple[int, int]) -> None:
    x = torch.randn(2, 3, 7, 5)
    check(lambda x: F.adaptive_avg_pool2d(x, size), x)
    check(lambda x: F.adaptive_avg_pool3d(x, (2, *size)), x)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_running_statistics_of_16_bits_are_updated_in_32(dtype: torch.dtype) -> None:
    """Unlike in PyTorch's decomposition, which rounds once more."""
    norm = nn.BatchNorm1d(1000).to(dtype)
    with torch.no_grad():
        norm.running_mean.copy_(8 * torch.randn(1000))
        norm.running_var.copy_(8 * torch.rand(1000))
    exact = deepcopy(norm).double()
    x = torch.randn(6, 1000, dtype=dtype)
    exact(x.double())
    torch.compile(norm, backend="xbuf")(x)
    for name in ("running_mean", "running_var"):
        rounded = getattr(exact, name).to(dtype)
        # Rounded twice, a number between two of the type may become the other one.
        assert (getattr(norm, name) != rounded).sum() <= 5
