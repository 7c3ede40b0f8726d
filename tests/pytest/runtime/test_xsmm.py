"""Each kernel of the runtime against NumPy, with all flags and both data types."""

import signal
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
import pytest
from harness.running.kernel_calls import (
    BINARY,
    BRGEMM,
    FUSED,
    GEMM,
    REPEATED,
    TYPES,
    UNARY,
    Array,
    Operand,
    call,
)

from xdsl_bufferization.runtime.xsmm_matrices import BFLOAT16
from xdsl_bufferization.support import abi

COMPUTED: Mapping[str, Callable[[Array], Array]] = {
    "identity": lambda x: x,
    "zero": np.zeros_like,
    "relu": lambda x: np.maximum(x, 0),
    "tanh": np.tanh,
    "sigmoid": lambda x: 1 / (1 + np.exp(-x)),
    "exp": np.exp,
}
COMBINED: Mapping[str, Callable[[Array, Array], Array]] = {
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "div": np.divide,
}


@pytest.mark.parametrize("type_", TYPES)
@pytest.mark.parametrize("flag", REPEATED)
@pytest.mark.parametrize("kind", COMPUTED)
def test_unary(kind: str, flag: str, type_: str) -> None:
    m, n = 3, 5
    source = Operand(TYPES[type_], REPEATED[flag](m, n))
    target = Operand(TYPES[type_], (m, n), room=1)
    description = (
        abi.XSMM_UNARY_KINDS[kind],
        abi.XSMM_DATA_TYPES[type_],
        m,
        n,
        source.leading,
        target.leading,
        abi.XSMM_UNARY_FLAGS[flag],
    )
    call(UNARY, description, *source.words, *target.words)
    target.check(COMPUTED[kind](source.numbers()))


@pytest.mark.parametrize("type_", TYPES)
def test_transpose(type_: str) -> None:
    source, target = Operand(TYPES[type_], (3, 5)), Operand(TYPES[type_], (5, 3))
    kind, number = abi.XSMM_UNARY_KINDS["transpose"], abi.XSMM_DATA_TYPES[type_]
    description = (kind, number, 3, 5, source.leading, target.leading, 0)
    call(UNARY, description, *source.words, *target.words)
    target.check(source.numbers().T)


def test_pairs_of_rows() -> None:
    source = Operand(BFLOAT16, (4, 3))
    target = Operand(BFLOAT16, (2, 6), room=4)
    kind = abi.XSMM_UNARY_KINDS["vnni_2"]
    description = (kind, 2, 4, 3, source.leading, target.leading // 2, 0)
    call(UNARY, description, *source.words, *target.words)
    target.check(source.numbers().reshape(2, 2, 3).swapaxes(1, 2).reshape(2, 6))


@pytest.mark.parametrize("type_", TYPES)
@pytest.mark.parametrize("left", REPEATED)
@pytest.mark.parametrize("right", ("none", "bcast_row"))
@pytest.mark.parametrize("kind", COMBINED)
def test_binary(kind: str, right: str, left: str, type_: str) -> None:
    m, n = 4, 3
    lhs, rhs = (Operand(TYPES[type_], REPEATED[flag](m, n)) for flag in (left, right))
    target = Operand(TYPES[type_], (m, n), room=2)
    flags = abi.XSMM_BINARY_FLAGS
    bits = flags.get(f"{left}_in0", 0) | flags.get(f"{right}_in1", 0)
    description = (
        abi.XSMM_BINARY_KINDS[kind],
        abi.XSMM_DATA_TYPES[type_],
        m,
        n,
        lhs.leading,
        rhs.leading,
        target.leading,
        bits,
    )
    call(BINARY, description, *lhs.words, *rhs.words, *target.words)
    with np.errstate(all="ignore"):
        target.check(COMBINED[kind](lhs.numbers(), rhs.numbers()))


@pytest.mark.parametrize("type_", TYPES)
@pytest.mark.parametrize("flag", ("none", "beta_0"))
def test_gemm(flag: str, type_: str) -> None:
    m, n, k = 3, 5, 4
    a, b, c = (Operand(TYPES[type_], shape) for shape in ((m, k), (k, n), (m, n)))
    sizes = (abi.XSMM_DATA_TYPES[type_], m, n, k, a.leading, b.leading, c.leading)
    call(GEMM, (*sizes, abi.XSMM_GEMM_FLAGS[flag]), *a.words, *b.words, *c.words)
    product = a.numbers() @ b.numbers()
    c.check(product if flag == "beta_0" else product + c.numbers())


@pytest.mark.parametrize("type_", TYPES)
@pytest.mark.parametrize("batch", (1, 3))
def test_brgemm(batch: int, type_: str) -> None:
    m, n, k = 2, 3, 4
    shapes = ((batch, m, k), (batch, k, n), (m, n))
    a, b, c = (Operand(TYPES[type_], shape) for shape in shapes)
    sizes = (abi.XSMM_DATA_TYPES[type_], m, n, k, a.leading, b.leading, c.leading)
    description = (*sizes, a.distance, b.distance, 0)
    call(BRGEMM, description, *a.words, *b.words, *c.words, batch)
    c.check((a.numbers() @ b.numbers()).sum(axis=0) + c.numbers())


def test_brgemm_with_pairs_of_rows() -> None:
    batch, m, n, k = 2, 2, 3, 4
    a, c = Operand(BFLOAT16, (batch, m, k)), Operand(BFLOAT16, (m, n))
    b = Operand(BFLOAT16, (batch, k // 2, 2 * n), room=2)
    flags = abi.XSMM_GEMM_FLAGS["vnni_a"] | abi.XSMM_GEMM_FLAGS["vnni_b"]
    sizes = (2, m, n, k, a.leading, b.leading // 2, c.leading)
    description = (*sizes, a.distance, b.distance, flags)
    call(BRGEMM, description, *a.words, *b.words, *c.words, batch)
    pairs = b.numbers().reshape(batch, k // 2, n, 2).swapaxes(2, 3)
    products = a.numbers() @ pairs.reshape(batch, k, n)
    c.check(products.sum(axis=0) + c.numbers())


@pytest.mark.parametrize("type_", TYPES)
@pytest.mark.parametrize("unary", ("none", "relu"))
@pytest.mark.parametrize("binary", ("none", "add", "sub"))
@pytest.mark.parametrize("repeat", REPEATED)
def test_fused_brgemm(repeat: str, binary: str, unary: str, type_: str) -> None:
    batch, m, n, k = 2, 3, 4, 2
    shapes = ((batch, m, k), (batch, k, n), (m, n), REPEATED[repeat](m, n))
    a, b, c, d = (Operand(TYPES[type_], shape) for shape in shapes)
    sizes = (abi.XSMM_DATA_TYPES[type_], m, n, k, a.leading, b.leading, c.leading)
    description = (
        *(*sizes, a.distance, b.distance),
        abi.XSMM_GEMM_FLAGS["none"],
        abi.XSMM_UNARY_FLAGS["none"],
        abi.XSMM_UNARY_KINDS[unary],
        abi.XSMM_BINARY_FLAGS.get(f"{repeat}_in0", 0),
        abi.XSMM_BINARY_KINDS[binary],
        d.leading,
    )
    call(FUSED, description, *a.words, *b.words, *c.words, *d.words, batch)
    expected = (a.numbers() @ b.numbers()).sum(axis=0) + c.numbers()
    if binary != "none":
        expected = COMBINED[binary](d.numbers(), expected)
    c.check(np.maximum(expected, 0) if unary == "relu" else expected)


def test_relu_keeps_nan_and_gives_plus_zero() -> None:
    source = np.array([np.nan, -0.0, -1, np.inf, -np.inf], np.float32)
    target = np.zeros(5, np.float32)
    words = [x for a in (source, target) for x in (a.__array_interface__["data"][0], 0)]
    call(UNARY, (abi.XSMM_UNARY_KINDS["relu"], 1, 1, 5, 5, 5, 0), *words)
    np.testing.assert_array_equal(target, [np.nan, 0, 0, np.inf, 0])
    assert not np.signbit(target[1])


def test_bfloat16_is_rounded_to_the_nearest() -> None:
    def rounded(number: float) -> float:
        bits = BFLOAT16.from_floats(np.array([number], np.float32))
        return float(BFLOAT16.to_floats(bits)[0])

    assert rounded(1 + 2**-8) == 1  # As near to 1 + 2**-7: the even one.
    assert rounded(1 + 3 * 2**-8) == 1 + 2**-6
    assert rounded(1 + 2**-8 + 2**-20) == 1 + 2**-7
    assert rounded(-(1 + 2**-8)) == -1
    assert rounded(3.4e38) == np.inf
    assert np.isnan(rounded(np.nan))


def test_a_wrong_request_ends_the_process() -> None:
    code = "f('xsmm_unary_dispatch')(77, 1, 1, 1, 1, 1, 0)"
    helpers = "harness.running.kernel_calls"
    program = f"from {helpers} import function as f; {code}; print('went on')"
    path = str(Path(__file__).parents[1])
    result = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path.append({path!r}); {program}"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode != 0
    assert "KeyError(77)" in result.stderr
    assert not result.stdout


NO_KERNEL = """
import ctypes, sys
from xdsl_bufferization.runtime import xsmm

def dispatch(*words):
    raise KeyError("no kernel")

sys.stderr = None
vars(xsmm)["_callback"](dispatch, ctypes.c_int64, 1)(7)
"""


def test_a_request_that_fails_ends_the_process_whatever_its_streams_are():
    done = subprocess.run([sys.executable, "-c", NO_KERNEL], capture_output=True)
    assert done.stderr.startswith(b"dispatch(7,) failed: KeyError('no kernel')\n")
    assert done.returncode == -signal.SIGABRT
