"""Generated kernels against the same kernels in NumPy, on sampled requests.

Called as compiled code calls them: by the functions that the runtime serves. Around all
matrices there is memory that must stay as it is, in the gaps of their rows, too.
"""

import ctypes
import random
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from harness.running.guards import placed
from numpy.typing import NDArray

from xdsl_bufferization.runtime.kernels import requests
from xdsl_bufferization.runtime.llvm import compile_function
from xdsl_bufferization.runtime.processors.vector_unit import VectorUnit, vector_unit_of
from xdsl_bufferization.runtime.xsmm import KERNELS, kernel_symbol
from xdsl_bufferization.runtime.xsmm_matrices import BFLOAT16, FLOAT32, FLOAT64
from xdsl_bufferization.support import abi

F32, F64, BF16 = (abi.XSMM_DATA_TYPES[each] for each in ("f32", "f64", "bf16"))
ELEMENTS = {F32: FLOAT32, F64: FLOAT64, BF16: BFLOAT16}
TOLERANCES = {F32: 1e-4, F64: 1e-12, BF16: 2.0**-7}
SIZES = (1, 2, 3, 5, 7, 8, 9, 12, 13, 15, 16, 17, 24, 31, 32, 33, 48, 64)
GUARD = 64
"""Elements before and after each matrix."""

Memory = NDArray[Any]
Description = tuple[int, ...]


def memory(rng: np.random.Generator, data_type: int, elements: int) -> Memory:
    numbers = rng.normal(size=elements + 2 * GUARD)
    if data_type != F64:
        numbers = numbers.astype(np.float32)
    return placed(ELEMENTS[data_type].from_floats(numbers).copy(), GUARD + elements)


def call(
    dispatch: str, description: Description, buffers: Sequence[Memory], batch: int
) -> None:
    """What compiled code does: request a kernel, and call it at an offset."""
    (invoke, kind) = next((i, k) for (d, i), k in KERNELS.items() if d == dispatch)
    words = ctypes.c_int64
    request = ctypes.CFUNCTYPE(words, *[words] * len(description))(
        kernel_symbol(dispatch, "generated")
    )
    arguments = [data_type_of(dispatch, description), request(*description)]
    for buffer in buffers:
        arguments += [buffer.ctypes.data, GUARD]
    arguments += [batch] * kind.has_batch
    run = ctypes.CFUNCTYPE(None, *[words] * len(arguments))(
        kernel_symbol(invoke, "generated")
    )
    run(*arguments)


def data_type_of(dispatch: str, description: Description) -> int:
    is_elementwise = dispatch in (abi.XSMM_UNARY_DISPATCH, abi.XSMM_BINARY_DISPATCH)
    return description[1 if is_elementwise else 0]


def expect(
    dispatch: str, description: Description, buffers: Sequence[Memory], batch: int
) -> None:
    """The same in NumPy."""
    kind = next(kind for (name, _), kind in KERNELS.items() if name == dispatch)
    addresses = [each.ctypes.data + GUARD * each.itemsize for each in buffers]
    with np.errstate(all="ignore"):
        kind.interpret(description)(*addresses, *[batch] * kind.has_batch)


def size_of(r: random.Random) -> int:
    return r.choice(SIZES)


def flag_of(r: random.Random, flags: dict[str, int], suffix: str = "") -> int:
    names = [name for name in flags if name == "none" or name.endswith(suffix)]
    return flags[r.choice(names)]


def gap(r: random.Random) -> int:
    return r.choice((0, 0, 1, 6))


def unary(r: random.Random) -> tuple[str, Description, tuple[int, ...]]:
    data_type, m, n = r.choice((F32, F64, BF16)), size_of(r), size_of(r)
    name = r.choice(("identity", "zero", "relu", "transpose", "vnni_2", "tanh"))
    flags = flag_of(r, abi.XSMM_UNARY_FLAGS)
    if name == "vnni_2":
        data_type, m, flags = BF16, 2 * m, 0
    if name == "transpose":
        flags = 0
    ldi = n + gap(r)
    ldo = (m if name == "transpose" else n) + gap(r)
    kind = abi.XSMM_UNARY_KINDS[name]
    rows = n if name == "transpose" else m
    description = (kind, data_type, m, n, ldi, ldo, flags)
    return abi.XSMM_UNARY_DISPATCH, description, (m * ldi, (rows + 1) * ldo)


def binary(r: random.Random) -> tuple[str, Description, tuple[int, ...]]:
    m, n = size_of(r), size_of(r)
    left, right, out = n + gap(r), n + gap(r), n + gap(r)
    flags = flag_of(r, abi.XSMM_BINARY_FLAGS, "_in0") | flag_of(
        r, abi.XSMM_BINARY_FLAGS, "_in1"
    )
    kind = abi.XSMM_BINARY_KINDS[r.choice(("add", "sub", "mul", "div"))]
    description = (kind, r.choice((F32, F64, BF16)), m, n, left, right, out, flags)
    return abi.XSMM_BINARY_DISPATCH, description, (m * left, m * right, m * out)


def product(r: random.Random, batch: int) -> tuple[str, Description, tuple[int, ...]]:
    data_type, m, n, k = r.choice((F32, F64, BF16)), size_of(r), size_of(r), size_of(r)
    flags = r.choice((0, abi.XSMM_GEMM_FLAGS["beta_0"]))
    if data_type == BF16 and r.random() < 0.7:
        flags |= abi.XSMM_GEMM_FLAGS["vnni_b"]
        k += k % 2
    lda, ldb, ldc, ldd = k + gap(r), n + gap(r), n + gap(r), n + gap(r)
    sizes = (data_type, m, n, k, lda, ldb, ldc)
    strides = (m * lda + gap(r), k * ldb + gap(r))
    elements = (batch * strides[0], batch * strides[1], m * ldc)
    kind = r.choice(("gemm", "brgemm", "fused"))
    if kind == "gemm":
        return abi.XSMM_GEMM_DISPATCH, (*sizes, flags), elements
    if kind == "brgemm":
        return abi.XSMM_BRGEMM_DISPATCH, (*sizes, *strides, flags), elements
    relu = abi.XSMM_UNARY_KINDS[r.choice(("none", "relu"))]
    add = abi.XSMM_BINARY_KINDS[r.choice(("none", "add"))]
    repeat = flag_of(r, abi.XSMM_BINARY_FLAGS, "_in0")
    fusion = (0, relu, repeat, add, ldd)
    description = (*sizes, *strides, flags, *fusion)
    return abi.XSMM_FUSED_BRGEMM_DISPATCH, description, (*elements, m * ldd)


def check(seed: int) -> None:
    r, rng = random.Random(seed), np.random.default_rng(seed)
    batch = r.choice((1, 2, 5))
    make: Callable[[], tuple[str, Description, tuple[int, ...]]] = r.choice(
        (lambda: unary(r), lambda: binary(r), *[lambda: product(r, batch)] * 3)
    )
    dispatch, description, sizes = make()
    data_type = data_type_of(dispatch, description)
    ours = [memory(rng, data_type, size) for size in sizes]
    numpys = [each.copy() for each in ours]
    call(dispatch, description, ours, batch)
    expect(dispatch, description, numpys, batch)
    for got, wanted in zip(ours, numpys, strict=True):
        to_floats = ELEMENTS[data_type].to_floats
        tolerance = TOLERANCES[data_type]
        np.testing.assert_allclose(
            to_floats(got),
            to_floats(wanted),
            tolerance,
            tolerance,
            err_msg=f"{dispatch} {description}",
        )


@pytest.mark.parametrize("seed", range(90))
def test_generated_kernels_compute_what_numpy_does(seed: int):
    check(seed)


@pytest.mark.parametrize(
    "unit", [VectorUnit(8, 16), VectorUnit(4, 16), VectorUnit(1, 32)], ids=str
)
@pytest.mark.parametrize("type_", [F32, F64])
def test_kernels_for_narrower_registers_run_everywhere(type_: int, unit: VectorUnit):
    description = (type_, 13, 21, 9, 9, 21, 21, 0)
    text = requests.gemm_code(description, unit)
    assert text is not None
    element, size = ("float", 4) if type_ == F32 else ("double", 8)
    assert f"<{max(4 * unit.lanes // size, 1)} x {element}>" in text
    rng = np.random.default_rng(0)
    buffers = [memory(rng, type_, size) for size in (13 * 9, 9 * 21, 13 * 21)]
    wanted = [each.copy() for each in buffers]
    library = compile_function(text, "kernel")
    run = ctypes.CFUNCTYPE(None, *[ctypes.c_int64] * 3)(library["kernel"])
    run(*[each.ctypes.data + size * GUARD for each in buffers])
    expect(abi.XSMM_GEMM_DISPATCH, description, wanted, 1)
    np.testing.assert_allclose(buffers[2], wanted[2], 1e-5, 1e-5)


def test_nothing_is_asked_for_behind_a_matrix_of_few_rows():
    """Of a batch, the rows there are those of the next matrix."""
    sizes, unit = (1, 1802, 16, 16, 1802, 1802), VectorUnit(8, 16)
    one = requests.gemm_code((F32, *sizes, 4), unit)
    batch = requests.brgemm_code((F32, *sizes, 16, 16 * 1802, 4), unit)
    assert one is not None
    assert batch is not None
    # Seven vectors of 18 rows are what is asked for ahead.
    assert [f"i64 {18 * 1802}\n" in text for text in (one, batch)] == [False, True]


SPECIAL = np.array([np.nan, np.inf, -np.inf, 0.0, -0.0, 1e-40, -1e-40], np.float32)


@pytest.mark.parametrize("name", ["relu", "identity"])
def test_special_numbers_are_as_ieee_has_them(name: str):
    source = np.concatenate([np.zeros(GUARD, np.float32), SPECIAL])
    target = np.zeros_like(source)
    kind = abi.XSMM_UNARY_KINDS[name]
    description = (kind, F32, 1, len(SPECIAL), len(SPECIAL), len(SPECIAL), 0)
    call(abi.XSMM_UNARY_DISPATCH, description, [source, target], 1)
    wanted = np.maximum(SPECIAL, np.float32(0)) if name == "relu" else SPECIAL
    np.testing.assert_array_equal(target[GUARD:], wanted)
    assert not (np.signbit(target[GUARD:]) & (target[GUARD:] == 0))[:3].any()


def test_processors_are_told_by_their_features():
    avx512 = {"avx512f", "avx512vl", "avx512bw", "avx2", "fma"}
    assert vector_unit_of("x86_64", avx512) == VectorUnit(16, 32)
    bf16 = {*avx512, "avx512bf16"}
    assert vector_unit_of("x86_64", bf16) == VectorUnit(16, 32, multiplies_bf16=True)
    assert vector_unit_of("x86_64", {"avx2", "fma"}) == VectorUnit(8, 16)
    assert vector_unit_of("x86_64", {"avx2"}) == VectorUnit(4, 16)
    zen_4 = vector_unit_of("x86_64", avx512, "znver4")
    assert zen_4 == VectorUnit(16, 32, takes_halves=True)
    assert vector_unit_of("aarch64", set[str]()) == VectorUnit(4, 32)
    assert vector_unit_of("riscv64", {"v"}) == VectorUnit(4, 32)
