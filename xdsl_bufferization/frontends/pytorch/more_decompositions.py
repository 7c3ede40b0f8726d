"""Ops of PyTorch that are decomposed, because torch-mlir has no form for them.

    aten.amax(x, 0)                     ->   x, if x is one number
    aten.fmax(x, y)                     ->   the larger one, or what is a number

Each function has the parameters of its op, and is right for all types that the op
takes. Ops that PyTorch itself decomposes, but not to Core ATen, are named only.
"""

from collections.abc import Callable, Sequence
from math import ceil, inf
from typing import Any, Final

from .frameworks import torch, torch_decompositions
from .wide_decompositions import in_floats, is_half, widened

_OF_PYTORCH: Final = (
    "addmv",
    "as_strided_copy",
    "narrow_copy",
    "permute_copy",
    "rrelu_with_noise_backward",
    "unbind_copy",
    "view_copy",
)
"""Ops that PyTorch decomposes, and torch-mlir does not."""

_EXPONENTS: Final = -1022, 1023
"""Of powers of two that are normal floats of 64 bits."""

_MOST_EXPONENT: Final = 2200
"""Times two to the power of that, each float of 64 bits is infinite or zero."""

_IMAGE: Final = 3
"""So many dimensions has an image: channels, rows and columns."""


def more_decompositions() -> dict[object, Callable[..., Any]]:
    """Functions that compute an op by others, by op."""
    aten: Any = torch().ops.aten
    # PyTorch's names of some of these ops begin with an underscore.
    return {
        **torch_decompositions([getattr(aten, name) for name in _OF_PYTORCH]),
        aten._cdist_forward.default: _cdist,  # noqa: SLF001
        aten._softmax.default: _softmax_of_one,  # noqa: SLF001
        aten.all.dim: _whether("all"),
        aten.all.dims: _whether("all"),
        aten.amax.default: _extreme_of_one,
        aten.amin.default: _extreme_of_one,
        aten.any.dim: _whether("any"),
        aten.any.dims: _whether("any"),
        aten.argmax.default: _place_of_one,
        aten.argmin.default: _place_of_one,
        aten.arange.start_step: _counted,
        aten.avg_pool2d.default: _mean_of_images,
        aten.diagonal_scatter.default: _put_diagonal,
        aten.fmax.default: _fmax,
        aten.fmin.default: _fmin,
        aten.full_like.default: _full_of_none,
        aten.hypot.default: _hypot,
        aten.kthvalue.default: _kth_of_one,
        aten.ldexp.Tensor: _times_power_of_two,
        aten.masked_scatter.default: _scatter_broadcast,
        aten.max.dim: _largest_of_one,
        aten.max_pool2d_with_indices.default: _largest_of_one_image(2),
        aten.max_pool3d_with_indices.default: _largest_of_one_image(3),
        aten.min.dim: _largest_of_one,
        aten.pixel_unshuffle.default: _pixels_as_channels,
        aten.polar.default: _polar,
        aten.prod.default: _product_of_all,
        aten.prod.dim_int: _product,
        aten.roll.default: _rolled,
        aten.select_scatter.default: _put_row,
        aten.slice_scatter.default: _put_slice,
        aten.unbind.int: _unbind,
    }


def _pixels_as_channels(x: Any, factor: int) -> Any:
    """The inverse of a pixel shuffle: how PyTorch documents `nn.PixelUnshuffle`.

    PyTorch gives a tensor without elements back as it is, with its shape. PyTorch's
    decomposition gives such a tensor another shape.
    """
    if 0 in x.shape:
        return x.clone()
    *batch, channels, rows, columns = x.shape
    each = rows // factor, columns // factor
    parts = x.reshape(*batch, channels, each[0], factor, each[1], factor)
    first = len(batch)
    order = [*range(first + 1), *(first + n for n in (2, 4, 1, 3))]
    return parts.permute(order).reshape(*batch, channels * factor * factor, *each)


def _polar(length: Any, angle: Any) -> Any:
    """Complex numbers; torch-mlir does not broadcast lengths and angles."""
    return torch().complex(length * torch().cos(angle), length * torch().sin(angle))


def _counted(
    start: Any, end: Any, step: Any = 1, *, dtype: Any = None, **options: Any
) -> Any:
    """Integers that are counted from a float or to one.

    Their number is that of the floats, and each is computed of what is in front of the
    points. For 64 bits, PyTorch leaves out the fractions first, as torch-mlir does.
    """
    numbers = start, end, step
    is_narrow = dtype is not None and not dtype.is_floating_point
    is_narrow = is_narrow and dtype != torch().int64
    if not is_narrow or not any(isinstance(each, float) for each in numbers):
        return NotImplemented
    count = ceil((end - start) / step)
    places = torch().arange(count, dtype=torch().int64, **options)
    return (places * int(step) + int(start)).to(dtype)


def _extreme_of_one(x: Any, dim: Any = (), keepdim: bool = False) -> Any:
    """The largest or smallest of one number."""
    return NotImplemented if x.dim() else x.clone()


def _whether(name: str) -> Callable[..., Any]:
    """`all` or `any` along dimensions, one after the other; without any of each one.

    The result is of bytes, if elements are, and else of truths.
    """
    op = getattr(torch(), name)

    def whether(
        x: Any, dim: Sequence[int] | int | None = None, keepdim: bool = False
    ) -> Any:
        rank, has_bytes = x.dim(), x.dtype == torch().uint8
        if rank and not has_bytes and isinstance(dim, int):
            return NotImplemented
        given = range(rank) if dim is None else [dim] if isinstance(dim, int) else dim
        result = x != 0
        for each in sorted({each % rank for each in given if rank}, reverse=True):
            result = op(result, each, keepdim)
        return result.to(x.dtype) if has_bytes else result

    return whether


def _product(x: Any, dim: int, keepdim: bool = False, *, dtype: Any = None) -> Any:
    """A product along a dimension, or of one number."""
    if x.dim():
        return _product_of_all(x, dim, keepdim, dtype=dtype)
    is_whole = not (x.dtype.is_floating_point or x.dtype.is_complex)
    return x.to(dtype or (torch().int64 if is_whole else x.dtype)).clone()


def _product_of_all(x: Any, *dim: Any, dtype: Any = None) -> Any:
    """A product of floats of 32 bits, if there are 16. Others stay as they are."""
    aten = torch().ops.aten.prod
    op, wanted = aten.dim_int if dim else aten.default, dtype or x.dtype
    if not is_half(wanted):
        return NotImplemented
    return in_floats(op)(x.to(wanted), *dim)


def _rolled(x: Any, shifts: Sequence[Any], dims: Sequence[int] = ()) -> Any:
    """Elements moved on, by less than the size. Without dimensions, rows are one row.

    torch-mlir reads outside of a tensor that is moved further.
    """
    if not dims:
        return x.reshape(-1).roll(shifts, 0).view(x.shape)
    sizes = [x.shape[each] for each in dims]
    if all(abs(by) <= size for by, size in zip(shifts, sizes, strict=True)):
        return NotImplemented
    parts = zip(shifts, sizes, strict=True)
    return x.roll([by % size if size else 0 for by, size in parts], dims)


def _hypot(x: Any, y: Any) -> Any:
    """The length of a vector of two numbers, whose squares may be too large or small.

    It is infinite if either number is, as in C99, Annex F.9.4.3.
    """
    dtype = torch().result_type(x, y)
    x, y = torch().broadcast_tensors(x.to(dtype), y.to(dtype))
    a, b = widened(x).abs(), widened(y).abs()
    largest = torch().maximum(a, b)
    ratio = torch().minimum(a, b) / largest
    length = largest * torch().sqrt(1 + ratio * ratio)
    length = torch().where(largest == 0, largest, length)
    is_infinite = (a == inf) | (b == inf)
    return length.masked_fill(is_infinite, inf).to(dtype)


def _place_of_one(x: Any, dim: int | None = None, keepdim: bool = False) -> Any:
    """The place of one number."""
    return NotImplemented if x.dim() else torch().zeros_like(x, dtype=torch().int64)


def _softmax_of_one(x: Any, dim: int, half_to_float: bool) -> Any:
    """One, or not a number where PyTorch's is none. torch-mlir never ends here."""
    if x.dim():
        return NotImplemented
    x = x.to(torch().float32) if half_to_float else x
    return torch().exp(x - x)


def _largest_of_one(x: Any, dim: int, keepdim: bool = False) -> Any:
    """The largest of one number, and its place."""
    if x.dim():
        return NotImplemented
    return x.clone(), torch().zeros_like(x, dtype=torch().int64)


def _kth_of_one(x: Any, k: int, dim: int = -1, keepdim: bool = False) -> Any:
    """The first of one number, and its place."""
    return _largest_of_one(x, dim, keepdim)


def _full_of_none(x: Any, value: Any, **options: Any) -> Any:
    """A tensor without elements, which torch-mlir does not make of another one."""
    if x.numel() or options.get("memory_format") is not None:
        return NotImplemented
    dtype = x.dtype if options.get("dtype") is None else options["dtype"]
    return torch().scalar_tensor(value, dtype=dtype).expand(x.shape).clone()


def _unbind(x: Any, dim: int = 0) -> Sequence[Any]:
    """One op for each part: PyTorch's decomposition has two, one of them slow."""
    return [x.select(dim, number) for number in range(x.shape[dim])]


def _put_slice(x: Any, y: Any, *where: Any, **named: Any) -> Any:
    """A tensor with a part of its own type, if what is put there has another one."""
    if x.dtype == y.dtype:
        return NotImplemented
    return torch().slice_scatter(x, y.to(x.dtype), *where, **named)


def _put_row(x: Any, y: Any, dim: int, index: Any) -> Any:
    """A tensor with another row. PyTorch decomposes it to one of a promoted type."""
    index = index + x.shape[dim] if index < 0 else index
    return torch().slice_scatter(x, y.unsqueeze(dim), dim, index, index + 1)


def _put_diagonal(x: Any, y: Any, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Any:
    """A tensor with the elements of `y` in a diagonal, which may be outside of it."""
    if not y.numel():
        return x.clone()
    y = y.to(x.dtype)
    moved = x.movedim((dim1, dim2), (-2, -1))
    rows, columns = moved.shape[-2:]
    before = max(-offset, 0)
    each_row = torch().constant_pad_nd(y, [before, rows - before - y.shape[-1]])
    places = torch().arange(columns) - torch().arange(rows).unsqueeze(-1)
    put = torch().where(places == offset, each_row.unsqueeze(-1), moved)
    return put.movedim((-2, -1), (dim1, dim2))


def _scatter_broadcast(x: Any, mask: Any, source: Any) -> Any:
    """Elements where a mask is true that has another shape than `x`."""
    if x.shape == mask.shape:
        return NotImplemented
    x, mask = (each.clone() for each in torch().broadcast_tensors(x, mask))
    return x.masked_scatter(mask, source)


def _fmax(x: Any, y: Any) -> Any:
    """The larger one; a number, if one of the two is."""
    return _number_of_two(x, y, torch().maximum)


def _fmin(x: Any, y: Any) -> Any:
    """The smaller one; a number, if one of the two is."""
    return _number_of_two(x, y, torch().minimum)


def _number_of_two(x: Any, y: Any, choose: Callable[[Any, Any], Any]) -> Any:
    # A tensor that has been broadcast would not be promoted as one without dimensions.
    common = torch().result_type(x, y)
    x, y = torch().broadcast_tensors(x.to(common), y.to(common))
    if not common.is_floating_point:
        return choose(x, y)
    return torch().where(x != x, y, torch().where(y != y, x, choose(x, y)))


def _times_power_of_two(x: Any, exponent: Any) -> Any:
    """Floats times powers that need not be floats: 1e-40 * 2**130 is about 0.14."""
    if exponent.is_floating_point() or not x.is_floating_point():
        return x * torch().pow(2.0, exponent)
    rest = exponent.to(torch().int32).clamp(-_MOST_EXPONENT, _MOST_EXPONENT).double()
    # The last factor is the largest one: a result that is small is rounded once.
    factors = [rest.clamp(*_EXPONENTS)]
    if x.dtype == torch().float64:
        rest = rest - factors[0]
        factors.insert(0, rest.clamp(*_EXPONENTS))
        factors.insert(0, rest - factors[0])
    result = x.double()
    for factor in factors:
        result = result * torch().exp2(factor)
    return result.to(x.dtype)


def _cdist(x: Any, y: Any, p: float, compute_mode: int | None = None) -> Any:
    """The distances of all pairs of rows: how PyTorch documents `torch.cdist`."""
    sizes = (x.unsqueeze(-2) - y.unsqueeze(-3)).abs()
    if p == 0:
        return (sizes != 0).to(x.dtype).sum(-1)
    if p == inf and sizes.shape[-1]:
        return sizes.amax(-1)
    if p == 1 or not sizes.shape[-1]:
        return sizes.sum(-1)
    if p == 2:
        return (sizes * sizes).sum(-1).sqrt()
    return sizes.pow(p).sum(-1).pow(1 / p)


def _largest_of_one_image(spatial: int) -> Callable[..., Any]:
    """The largest elements of an image and their places, as of a batch of one."""
    op = getattr(torch().ops.aten, f"max_pool{spatial}d_with_indices")

    def largest(x: Any, *window: Any) -> Any:
        if x.dim() != spatial + 1:
            return NotImplemented
        return tuple(each.squeeze(0) for each in op(x.unsqueeze(0), *window))

    return largest


def _mean_of_images(x: Any, *window: Any, **named: Any) -> Any:
    """The means of one image, as those of a batch; 16 bits are summed in 32."""
    op = torch().ops.aten.avg_pool2d
    if x.dim() != _IMAGE:
        return in_floats(op)(x, *window, **named)
    return op(x.unsqueeze(0), *window, **named).squeeze(0)
