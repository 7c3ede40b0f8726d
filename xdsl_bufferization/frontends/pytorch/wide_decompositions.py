"""Ops of small types that are computed in wider ones, as PyTorch computes them.

    aten.cumsum(x, 0) of bfloat16           ->   sums of float32, made bfloat16
    aten.add(x, y, alpha=2) of float32      ->   sums of float64, made float32
    aten.mul(x, 0.1) of float16             ->   products with 0.1 of float32
    aten.linspace(0, 7, 50) of int8         ->   quotients of float64, made int8
    aten.scatter_add(x, 0, i, y) of bool    ->   sums of int32, compared with zero

torch-mlir adds in the type of the elements. In bfloat16, 256 + 1 is 256. In one bit,
true + true is false, and true is less than false, as its bit is the sign of -1.
"""

from collections.abc import Callable
from math import inf, prod
from typing import Any

from .frameworks import is_known, torch, torch_decompositions
from .promotion_decompositions import tensor_of


def wide_decompositions() -> dict[object, Callable[..., Any]]:
    """Functions that compute an op in a wider type, by op."""
    aten: Any = torch().ops.aten
    spaced = torch_decompositions([aten.linspace])
    normed = torch_decompositions(
        [
            aten._batch_norm_with_update_functional,  # noqa: SLF001, as PyTorch names it
            aten._native_batch_norm_legit_functional,  # noqa: SLF001, as PyTorch names it
        ]
    )
    return {
        **{each: _spaced(op) for each, op in spaced.items()},
        **{each: _with_wide_statistics(op) for each, op in normed.items()},
        aten._to_copy.default: _converted,  # noqa: SLF001
        aten.add.Tensor: _added,
        aten.addcdiv.default: _with_parts_in_floats(aten.addcdiv.default),
        aten.addcmul.default: _with_parts_in_floats(aten.addcmul.default),
        aten.avg_pool1d.default: in_floats(aten.avg_pool1d.default),
        aten.avg_pool3d.default: in_floats(aten.avg_pool3d.default),
        aten.cumprod.default: _cumulative(aten.cumprod.default),
        aten.cumsum.default: _cumulative(aten.cumsum.default),
        aten.div.Tensor: _with_number(aten.div.Tensor),
        aten.dist.default: _distance,
        aten.index_put.default: _put_truths,
        aten.linalg_vector_norm.default: _norm,
        aten.logit.default: in_floats(aten.logit.default),
        aten.mean.default: _mean(aten.mean.default),
        aten.mean.dim: _mean(aten.mean.dim),
        aten.mul.Tensor: _with_number(aten.mul.Tensor),
        aten.norm.Scalar: _any_norm,
        aten.norm.ScalarOpt_dim: _any_norm,
        aten.norm.ScalarOpt_dim_dtype: _any_norm,
        aten.norm.ScalarOpt_dtype: _any_norm,
        aten.rsqrt.default: in_floats(aten.rsqrt.default),
        aten.scatter_add.default: _of_truths(aten.scatter_add.default),
        aten.scatter_reduce.two: _of_truths(aten.scatter_reduce.two),
        aten.sigmoid.default: in_floats(aten.sigmoid.default),
        aten.sort.default: _sorted_truths,
        aten.sort.stable: _sorted_truths_stably,
        aten.sub.Tensor: _subtracted,
        aten.sum.default: _summed(aten.sum.default),
        aten.sum.dim_IntList: _summed(aten.sum.dim_IntList),
        aten.var.correction: _variance(aten.var.correction),
        aten.var_mean.correction: _variance(aten.var_mean.correction),
    }


def widened(x: Any) -> Any:
    """A tensor in the type of its intermediate results: floats of 32 bits at least."""
    return x.to(torch().promote_types(x.dtype, torch().float32))


def in_floats(op: Any) -> Callable[..., Any]:
    """An op of floats of 16 bits, by the same of 32. Others stay as they are."""

    def wide(x: Any, *others: Any, **named: Any) -> Any:
        if not is_half(x.dtype):
            return NotImplemented
        return op(x.to(torch().float32), *others, **named).to(x.dtype)

    return wide


def _with_parts_in_floats(op: Any) -> Callable[..., Any]:
    """A number and a product or a quotient of two others, which may be promoted.

    Of 16 bits, it is rounded once, in the end.
    """

    def wide(x: Any, y: Any, z: Any, *, value: Any = 1) -> Any:
        common = torch().result_type(x, torch().mul(y, z))
        parts = torch().promote_types(common, torch().float32)
        parts = parts if is_half(common) else common
        if x.dtype == y.dtype == z.dtype == parts:
            return NotImplemented
        found = op(*(each.to(parts) for each in (x, y, z)), value=value)
        return found.to(common)

    return wide


def _mean(op: Any) -> Callable[..., Any]:
    """A mean of 16 bits, of numbers that may have more."""

    def mean(x: Any, *others: Any, dtype: Any = None) -> Any:
        wanted = x.dtype if dtype is None else dtype
        if not is_half(wanted):
            return NotImplemented
        wide = x if x.dtype == torch().float64 else x.to(torch().float32)
        return op(wide, *others).to(wanted)

    return mean


def _with_wide_statistics(compute: Callable[..., Any]) -> Callable[..., Any]:
    """A batch norm whose running statistics are updated in floats of 32 bits.

    PyTorch's decomposition makes `(1 - momentum) * running_mean` one of 16 bits.
    """

    def wide(x: Any, weight: Any, bias: Any, mean: Any, var: Any, *others: Any) -> Any:
        statistics = [None if each is None else widened(each) for each in (mean, var)]
        *results, new_mean, new_var = compute(x, weight, bias, *statistics, *others)
        if mean is not None:
            new_mean = new_mean.to(mean.dtype)
        if var is not None:
            new_var = new_var.to(var.dtype)
        return (*results, new_mean, new_var)

    return wide


def _norm(
    x: Any,
    order: Any = 2,
    dim: Any = None,
    keepdim: bool = False,
    *,
    dtype: Any = None,
) -> Any:
    """A norm of a known order, of numbers of the type of the result.

    Of an open order, torch-mlir takes any to be a power. It converts the result of some
    orders only.
    """
    op = torch().ops.aten.linalg_vector_norm.default
    if dtype is not None:
        return op(x.to(dtype), order, dim, keepdim)
    if isinstance(order, torch().SymInt):
        return op(x, int(order), dim, keepdim)
    return in_floats(op)(x, order, dim, keepdim)


def _any_norm(
    x: Any,
    order: Any = 2,
    dim: Any = None,
    keepdim: bool = False,
    *,
    dtype: Any = None,
) -> Any:
    """A norm along dimensions, or of all elements; without an order that of 2.

    torch-mlir takes any order of `aten.norm` to be a power, also 0 and infinity.
    """
    order = 2 if order is None else order
    norm = torch().linalg.vector_norm
    return norm(x, order, dim or None, keepdim, dtype=dtype)


def _distance(x: Any, y: Any, order: Any = 2) -> Any:
    """A norm of a difference."""
    return _any_norm(x - y, order)


def _variance(op: Any) -> Callable[..., Any]:
    """A variance, divided by the number of elements less the correction, or by 0.

    torch-mlir divides by a negative number where the correction is larger.
    """

    def variance(
        x: Any, dim: Any = None, *, correction: Any = None, keepdim: bool = False
    ) -> Any:
        correction = 1 if correction is None else correction
        if not x.dim():  # PyTorch takes dimension 0 of one number, too.
            return op(x.reshape(1), None, correction=correction)
        dims = range(x.dim()) if not dim else [dim] if isinstance(dim, int) else dim
        count = prod(x.shape[each] for each in dims)
        # An exported program is called with sizes of 0 and 1, too.
        is_open = isinstance(count, torch().SymInt)
        is_enough = correction <= 0 if is_open else count >= correction
        if not is_half(x.dtype) and is_enough:
            return NotImplemented
        given = correction if is_enough else 0
        found = op(widened(x), dim, correction=given, keepdim=keepdim)
        has_mean = not isinstance(found, torch().Tensor)
        of_all: Any = found[0] if has_mean else found
        if not is_open and not is_enough:
            of_all = of_all * inf  # A sum divided by 0, also if the sum is 0.
        elif not is_enough:
            # A sum of an open size and a float is nothing that torch-mlir reads.
            divisor = torch().scalar_tensor(count, dtype=torch().float64) - correction
            of_all = of_all * count / divisor.clamp(min=0).to(of_all.dtype)
        # The variance of complex numbers is a real one.
        of_all = of_all.to(x.dtype.to_real())
        return (of_all, found[1].to(x.dtype)) if has_mean else of_all

    return variance


def is_half(dtype: Any) -> bool:
    """Whether it is a type of floats of 16 bits."""
    return dtype in (torch().float16, torch().bfloat16)


def _cumulative(op: Any) -> Callable[..., Any]:
    """The sums or products of the first elements."""

    def cumulative(x: Any, dim: int, *, dtype: Any = None) -> Any:
        if dtype is None:
            is_integer = not (x.is_floating_point() or x.is_complex())
            dtype = torch().int64 if is_integer else x.dtype
        if not x.dim():
            return x.to(dtype, copy=True)
        if not is_half(dtype):
            return NotImplemented
        return op(x.to(dtype).to(torch().float32), dim).to(dtype)

    return cumulative


def _numbers(x: Any) -> Any:
    """Truth values as 0 and 1; others as they are."""
    if isinstance(x, torch().Tensor) and x.dtype == torch().bool:
        return x.to(torch().int32)
    return x


def _of_truths(op: Any) -> Callable[..., Any]:
    """An op of truth values, by the same of numbers. Others stay as they are."""

    def truths(x: Any, *others: Any, **named: Any) -> Any:
        if x.dtype != torch().bool:
            return NotImplemented
        return op(_numbers(x), *map(_numbers, others), **named) != 0

    return truths


def _put_truths(x: Any, indices: Any, values: Any, accumulate: bool = False) -> Any:
    """Truth values that are added to others at places. A mask may be one of these."""
    if not accumulate or x.dtype != torch().bool:
        return _put_where(x, indices, values, accumulate)
    op = torch().ops.aten.index_put
    return op(_numbers(x), indices, _numbers(values), accumulate) != 0


def _put_where(x: Any, indices: Any, values: Any, accumulate: bool) -> Any:
    """Values where a mask is true, if they are the same for all of these places.

    torch-mlir lists the places, and reads the first one also if there is none.
    """
    given = [(n, each) for n, each in enumerate(indices) if each is not None]
    ((place, mask), *others) = given
    if others or mask.dtype != torch().bool:
        return NotImplemented
    behind = x.dim() - place - mask.dim()
    if (along := values.dim() - behind - 1) >= 0:
        sizes = [*values.shape]
        if not is_known(sizes[along] == 1):
            return NotImplemented
        sizes[along : along + 1] = [1] * mask.dim()
        values = values.reshape(sizes)
    mask = mask.reshape(*mask.shape, *[1] * behind)
    return torch().where(mask, x + values if accumulate else values, x)


def _added(x: Any, other: Any, *, alpha: Any = 1) -> Any:
    """A sum of truth values, or of floats with a factor."""
    if not isinstance(x, torch().Tensor):
        return torch().add(tensor_of(x, other), other, alpha=alpha)
    if alpha != 1 and _are_floats(x, other):
        return _with_factor(x, other, alpha)
    is_truth = getattr(other, "dtype", None) == torch().bool or isinstance(other, bool)
    if not is_truth or x.dtype != torch().bool:
        return NotImplemented
    if isinstance(other, bool):
        other = int(other)
    return _numbers(x) + _numbers(other) * int(alpha) != 0


def _subtracted(x: Any, other: Any, *, alpha: Any = 1) -> Any:
    """A difference of floats with a factor; others stay as they are."""
    if not isinstance(x, torch().Tensor):
        return torch().sub(tensor_of(x, other), other, alpha=alpha)
    if alpha == 1 or not _are_floats(x, other):
        return NotImplemented
    return _with_factor(x, other, -alpha)


def _with_number(op: Any) -> Callable[..., Any]:
    """A product or a quotient with a number that has more than 16 bits.

    The number of a sum has 16 bits in PyTorch, too.
    """

    def wide(x: Any, other: Any) -> Any:
        if not isinstance(x, torch().Tensor):
            return op(tensor_of(x, other), other)
        is_number = not isinstance(other, torch().Tensor)
        if not is_number and x.dim() and not other.dim() and other.dtype != x.dtype:
            is_number, other = True, other.to(torch().float32)
        if not is_number or not is_half(x.dtype):
            return NotImplemented
        return op(widened(x), other).to(x.dtype)

    return wide


def _are_floats(x: Any, y: Any) -> bool:
    """Whether the sum of two is a float of which there is a wider one."""
    if isinstance(y, int | float):
        return False
    wanted = torch().result_type(x, y)
    return is_half(wanted) or wanted == torch().float32


def _with_factor(x: Any, y: Any, factor: Any) -> Any:
    """A product and a sum that PyTorch rounds once, and which overflow together."""
    wanted = torch().result_type(x, y)
    wide = torch().float32 if is_half(wanted) else torch().float64
    return (x.to(wide) + y.to(wide) * factor).to(wanted)


def _summed(op: Any) -> Callable[..., Any]:
    """A sum whose result is a truth value, or a float of 16 bits.

    The first one says whether an element is not zero.
    """

    def summed(x: Any, *others: Any, dtype: Any = None) -> Any:
        wanted = x.dtype if dtype is None else dtype
        if is_half(wanted):
            wide = x.to(wanted).to(torch().float32)
            return op(wide, *others).to(wanted)
        if dtype != torch().bool:
            return NotImplemented
        return op(_numbers(x.to(dtype)), *others, dtype=torch().int32) != 0

    return summed


def _sorted_truths(x: Any, dim: int = -1, descending: bool = False) -> Any:
    """A sort of truth values as one of numbers."""
    if x.dtype != torch().bool:
        return NotImplemented
    values, places = torch().sort(_numbers(x), dim, descending)
    return values.to(torch().bool), places


def _sorted_truths_stably(
    x: Any, *, stable: bool | None, dim: int = -1, descending: bool = False
) -> Any:
    if x.dtype != torch().bool:
        return NotImplemented
    values, places = torch().sort(
        _numbers(x), stable=stable, dim=dim, descending=descending
    )
    return values.to(torch().bool), places


def _spaced(op: Callable[..., Any]) -> Callable[..., Any]:
    """Numbers from one to another at equal distances; `op` computes those of floats.

    Whole numbers are those of the bounds without their fractions, and are computed in
    float64. PyTorch's own decomposition keeps the fractions, and computes in float32.
    """

    def spaced(
        start: Any, end: Any, steps: Any, *, dtype: Any = None, **options: Any
    ) -> Any:
        is_whole = not (dtype is None or dtype.is_floating_point or dtype.is_complex)
        if not is_whole or steps < 2:
            return op(start, end, steps, dtype=dtype, **options)
        wide = torch().float64

        def bound(x: Any) -> Any:
            is_tensor = isinstance(x, torch().Tensor)
            return x.to(dtype).to(wide) if is_tensor else float(int(x))

        first, last = bound(start), bound(end)
        places = torch().arange(steps, dtype=wide, device=options.get("device"))
        distance = (last - first) / (steps - 1)
        forwards = first + distance * places
        backwards = last - distance * (steps - 1 - places)
        return torch().where(places < steps // 2, forwards, backwards).to(dtype)

    return spaced


def _converted(
    x: Any, *, dtype: Any = None, memory_format: Any = None, **options: Any
) -> Any:
    """Complex numbers of others, and bytes of floats.

    torch-mlir makes -1 of true, or ends its process. It takes bytes to have a sign.
    PyTorch takes the last 8 bits of an integer of 64. Of floats of 32 bits, these are
    those of an integer of 32, as larger floats are multiples of 256.
    """
    if dtype == torch().uint8 and x.is_floating_point():
        is_double = x.dtype == torch().float64
        whole = x.to(torch().int64 if is_double else torch().int32)
        return whole.to(dtype, memory_format=memory_format or torch().preserve_format)
    parts = {torch().complex64: torch().float32, torch().complex128: torch().float64}
    if x.is_complex() or dtype not in parts:
        return NotImplemented
    real = x.to(parts[dtype])
    if memory_format is not None:
        real = real.clone(memory_format=memory_format)
    return torch().complex(real, torch().zeros_like(real))
