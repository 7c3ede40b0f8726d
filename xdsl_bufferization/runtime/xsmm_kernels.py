"""The kernels that compiled code may request, in NumPy: plain and right, not fast.

Each function takes what `abi.py` lists for a dispatch and gives a function that takes
the addresses of the operands, in the order of the invoke. Numbers of f64 are computed
with the precision of float64, others with that of float32. They are rounded once to
what the output holds.

    relu = unary_kernel((kind, data_type, m, n, ldi, ldo, flags))
    relu(address_of_input, address_of_output)

Kinds and flags are LIBXSMM's; the kernels do what its documentation says of them, but
`relu` keeps NaN, as `arith.maximumf` does.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from xdsl_bufferization.support import abi

from .xsmm_matrices import ELEMENT_TYPES, FLOAT32, Floats, Matrix, floats_in_memory

Kernel = Callable[..., None]
"""Called with the addresses of its operands, then the size of a batch if it has one."""

_Finish = Callable[[Floats], Floats]


def _relu(x: Floats) -> Floats:
    return np.where(x <= 0, x.dtype.type(0), x)


def _sigmoid(x: Floats) -> Floats:
    return 1 / (1 + np.exp(-x))


def _gelu(x: Floats) -> Floats:
    erf = np.array([math.erf(number / math.sqrt(2)) for number in x.flat], x.dtype)
    return x * (1 + erf.reshape(x.shape)) / 2


def _same(x: Floats) -> Floats:
    return x


_UNARY: Final[Mapping[str, Callable[[Floats], Floats]]] = {
    "relu": _relu,
    "tanh": np.tanh,
    "sigmoid": _sigmoid,
    "gelu": _gelu,
    "exp": np.exp,
    "transpose": np.transpose,
}
"""Kinds that are not here compute nothing: they move elements."""

_BINARY: Final[Mapping[str, Callable[[Floats, Floats], Floats]]] = {
    "add": np.add,
    "mul": np.multiply,
    "sub": np.subtract,
    "div": np.divide,
}


def by_number(numbers: Mapping[str, int]) -> Mapping[int, str]:
    """The names of `abi.py`, by what stands for them in a description."""
    return {number: name for name, number in numbers.items()}


_UNARY_NAMES: Final = by_number(abi.XSMM_UNARY_KINDS)
_BINARY_NAMES: Final = by_number(abi.XSMM_BINARY_KINDS)

_WINDOW_LIMIT_NAMES: Final = by_number(abi.XSMM_WINDOW_LIMITS)
_WINDOW_NAMES: Final = by_number(abi.XSMM_WINDOW_KINDS)


def _flag_names(bits: int, numbers: Mapping[str, int]) -> frozenset[str]:
    return frozenset(name for name, number in numbers.items() if bits & number)


def _repeated(matrix: Matrix, flags: frozenset[str], suffix: str = "") -> Matrix:
    """The part of a matrix that is in memory; `flags` say how it repeats."""
    if f"bcast_row{suffix}" in flags:
        return replace(matrix, columns=1)
    if f"bcast_col{suffix}" in flags:
        return replace(matrix, rows=1)
    if f"bcast_scalar{suffix}" in flags:
        return replace(matrix, rows=1, columns=1)
    return matrix


def unary_kernel(description: Sequence[int]) -> Kernel:
    """Of `kind, data type, m, n, ldi, ldo, flags`: `in, out`."""
    kind, data_type, m, n, ldi, ldo, bits = description
    name, element = _UNARY_NAMES[kind], ELEMENT_TYPES[data_type]
    flags = _flag_names(bits, abi.XSMM_UNARY_FLAGS)
    source = _repeated(Matrix(element, m, n, ldi), flags)
    if name == "transpose":
        m, n = n, m
    target = Matrix(element, m, n, ldo, has_pairs=name == "vnni_2")
    compute = _UNARY.get(name, _same)

    def run(input: int, output: int) -> None:
        target.store(output, compute(source.load(input)))

    def clear(_input: int, output: int) -> None:
        target.store(output, np.zeros((m, n), np.float32))

    return clear if name == "zero" else run


def binary_kernel(description: Sequence[int]) -> Kernel:
    """Of `kind, data type, m, n, ldi_lhs, ldi_rhs, ldo, flags`: `lhs, rhs, out`."""
    kind, data_type, m, n, ldi_lhs, ldi_rhs, ldo, bits = description
    element = ELEMENT_TYPES[data_type]
    flags = _flag_names(bits, abi.XSMM_BINARY_FLAGS)
    left = _repeated(Matrix(element, m, n, ldi_lhs), flags, "_in0")
    right = _repeated(Matrix(element, m, n, ldi_rhs), flags, "_in1")
    target = Matrix(element, m, n, ldo)
    compute = _BINARY[_BINARY_NAMES[kind]]

    def run(lhs: int, rhs: int, output: int) -> None:
        target.store(output, compute(left.load(lhs), right.load(rhs)))

    return run


def gemm_kernel(description: Sequence[int]) -> Kernel:
    """Of `data type, m, n, k, lda, ldb, ldc, flags`: `a, b, c`."""
    *sizes, flags = description
    batched = brgemm_kernel((*sizes, 0, 0, flags))

    def run(a: int, b: int, c: int) -> None:
        batched(a, b, c, 1)

    return run


def brgemm_kernel(description: Sequence[int]) -> Kernel:
    """Of `data type, m, n, k, lda, ldb, ldc, stride_a, stride_b, flags`.

    Called with `a, b, c, batch`.
    """
    data_type, m, n, k, lda, ldb, ldc, stride_a, stride_b, bits = description
    element = ELEMENT_TYPES[data_type]
    flags = _flag_names(bits, abi.XSMM_GEMM_FLAGS)
    # The two of a pair in A are neighbours in a row, as they are without pairs.
    left = Matrix(element, m, k, lda)
    right = Matrix(element, k, n, ldb, has_pairs="vnni_b" in flags)
    target = Matrix(element, m, n, ldc, has_pairs="vnni_c" in flags)

    def run(a: int, b: int, c: int, batch: int, then: _Finish = _same) -> None:
        factors = left.load_batch(a, batch, stride_a)
        total = np.matmul(factors, right.load_batch(b, batch, stride_b)).sum(axis=0)
        if "beta_0" not in flags:
            total += target.load(c)
        target.store(c, then(total))

    return run


def fused_brgemm_kernel(description: Sequence[int]) -> Kernel:
    """Of a brgemm, then `unary flags, unary kind, binary flags, binary kind, ldd`.

    Called with `a, b, c, d, batch`.
    """
    *product, _, unary, bits, binary, ldd = description
    data_type, m, n = product[:3]
    flags = _flag_names(bits, abi.XSMM_BINARY_FLAGS)
    extra = Matrix(ELEMENT_TYPES[data_type], m, n, ldd)
    extra = _repeated(extra, flags, "_in0")
    combine = _BINARY.get(_BINARY_NAMES[binary])
    map_ = _UNARY.get(_UNARY_NAMES[unary], _same)
    multiply = brgemm_kernel(product)

    def run(a: int, b: int, c: int, d: int, batch: int) -> None:
        def finish(x: Floats) -> Floats:
            return map_(x if combine is None else combine(extra.load(d), x))

        multiply(a, b, c, batch, finish)

    return run


def float_of_bits(bits: int) -> float:
    """The f32 with these bits."""
    return float(np.uint32(bits).view(np.float32))


def _limited(x: Floats, kind: int, bound: float) -> Floats:
    """Numbers with a bound, as `abi.XSMM_WINDOW_LIMITS` says."""
    b = np.float32(bound)
    match _WINDOW_LIMIT_NAMES[kind]:
        case "larger":
            return np.where(x > b, x, b)
        case "at_least":
            return np.where(b > x, b, x)
        case "smaller":
            return np.where(x < b, x, b)
        case "at_most":
            return np.where(b < x, b, x)
        case _:
            return x


def window_kernel(description: Sequence[int]) -> Kernel:
    """Of what `abi.py` lists for windows, in f32.

    Called with `a, b, c, d, e`.
    """
    kind, data_type, p, q, n, a_p, a_q, c_p, c_q, e_p, e_q, *steps, bits = description
    assert ELEMENT_TYPES[data_type] is FLOAT32, "windows are of f32"
    name, flags = _WINDOW_NAMES[kind], _flag_names(bits, abi.XSMM_WINDOW_FLAGS)
    steps, limits = (
        steps[: 3 * abi.XSMM_WINDOW_STEPS],
        steps[3 * abi.XSMM_WINDOW_STEPS : -abi.XSMM_WINDOW_ZEROS],
    )
    counts, a_steps, b_steps = steps[::3], steps[1::3], steps[2::3]
    width_of_a = 0 if name == "product" else 1

    def run(a: int, b: int, c: int, d: int, e: int) -> None:
        out = floats_in_memory(c, (p, q, n), (c_p, c_q, 1))
        left = floats_in_memory(a, (p, q, n, *counts), (a_p, a_q, width_of_a, *a_steps))
        axes = tuple(range(3, 3 + len(counts)))
        if name in ("product", "depthwise"):
            left = left * floats_in_memory(b, (n, *counts), (1, *b_steps))
        reduced = left.max(axes) if name == "max" else left.sum(axes)
        if "beta_0" not in flags:
            reduced = np.maximum(reduced, out) if name == "max" else reduced + out
        if "bias" in flags:
            reduced = reduced + floats_in_memory(d, (n,), (1,))
        if "residual" in flags:
            reduced = reduced + floats_in_memory(e, (p, q, n), (e_p, e_q, 1))
        if "relu" in flags:
            reduced = _relu(reduced)
        for kind, bits in zip(limits[::2], limits[1::2], strict=True):
            reduced = _limited(reduced, kind, float_of_bits(bits))
        out[...] = reduced

    return run
