"""Products of bf16 with pairs of rows of B, by all instructions of this processor.

By default only one kind runs: AMX's tiles, AVX-512's products of pairs, or products of
f32.
"""

import ctypes
import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, cast

import numpy as np
import pytest
from harness.running.kernel_calls import REPEATED, TYPES, Array, Operand

from xdsl_bufferization.runtime import xsmm
from xdsl_bufferization.runtime.kernels import requests
from xdsl_bufferization.runtime.llvm import binding, compile_function
from xdsl_bufferization.runtime.processors import processor
from xdsl_bufferization.runtime.processors.processor import this_processor
from xdsl_bufferization.runtime.processors.vector_unit import VectorUnit
from xdsl_bufferization.support import abi

BF16 = abi.XSMM_DATA_TYPES["bf16"]
SIZES = (1, 2, 15, 16, 17, 31, 32, 33, 47, 48, 49, 64, 65, 79, 96, 100)
FLAGS = abi.XSMM_GEMM_FLAGS

HOST = this_processor().vector_unit_here
UNITS = {
    "default": HOST,
    "without tiles": replace(HOST, multiplies_tiles=False),
    "by f32": replace(HOST, multiplies_tiles=False, multiplies_bf16=False),
}


def interleaved(rows: Array) -> Array:
    """Pairs of rows, one element of each in turn."""
    *outer, k, n = rows.shape
    return (
        rows.reshape(*outer, k // 2, 2, n).swapaxes(-1, -2).reshape(*outer, -1, 2 * n)
    )


def run(text: str | None, *operands: Operand, batch: int) -> None:
    """Call a kernel."""
    assert text is not None
    library = compile_function(text, "kernel")
    words = [address + 2 * offset for address, offset in (x.words for x in operands)]
    types = [ctypes.c_int64] * (len(words) + 1)
    ctypes.CFUNCTYPE(None, *types)(library["kernel"])(*words, batch)


def check(seed: int, unit: VectorUnit) -> None:
    """A random product, with all that may follow."""
    draw = random.Random(seed)
    m, n = draw.choice(SIZES), draw.choice(SIZES)
    k = 2 * draw.choice((1, 3, 8, 15, 16, 17, 24, 32, 33, 50))
    batch = draw.choice((0, 1, 1, 2, 3, 5))
    room = draw.choice((0, 1, 3))
    element = TYPES["bf16"]
    a = Operand(element, (max(batch, 1), m, k), room)
    b = Operand(element, (max(batch, 1), k // 2, 2 * n), 2 * room)
    c = Operand(element, (m, n), room)
    repeat = draw.choice(list(REPEATED))
    d = Operand(element, REPEATED[repeat](m, n), 1)
    has_bias, has_relu, beta_0 = (draw.random() < 0.5 for _ in range(3))
    description = (
        *(BF16, m, n, k, a.leading, b.leading // 2, c.leading, a.distance, b.distance),
        FLAGS["vnni_a"] | FLAGS["vnni_b"] | FLAGS["beta_0"] * beta_0,
        0,
        abi.XSMM_UNARY_KINDS["relu" if has_relu else "none"],
        abi.XSMM_BINARY_FLAGS.get(f"{repeat}_in0", 0),
        abi.XSMM_BINARY_KINDS["add" if has_bias else "none"],
        d.leading,
    )
    run(requests.fused_brgemm_code(description, unit), a, b, c, d, batch=batch)
    rows = b.numbers().reshape(-1, k // 2, n, 2).swapaxes(2, 3).reshape(-1, k, n)
    expected = (a.numbers()[:batch] @ rows[:batch]).sum(axis=0)
    expected = expected if beta_0 else expected + c.numbers()
    expected = expected + d.numbers() if has_bias else expected
    c.check(np.maximum(expected, 0) if has_relu else expected)


@pytest.mark.volume(sample=3)
@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("first", range(0, 150, 15))
def test_products_equal_numpy(unit: str, first: int) -> None:
    for seed in range(first, first + 15):
        check(seed, UNITS[unit])


def product_of(a: Array, b: Array, unit: VectorUnit) -> Array:
    """Of two matrices, by a kernel."""
    element = TYPES["bf16"]
    (m, k), n = a.shape, b.shape[1]
    operands = [
        Operand(element, shape, 0) for shape in ((m, k), (k // 2, 2 * n), (m, n))
    ]
    left, right, result = operands
    left.view(left.memory)[...] = element.from_floats(a)
    right.view(right.memory)[...] = element.from_floats(interleaved(b))
    flags = FLAGS["vnni_a"] | FLAGS["vnni_b"] | FLAGS["beta_0"]
    description = (BF16, m, n, k, k, n, n, m * k, k * n, flags)
    run(requests.brgemm_code(description, unit), *operands, batch=1)
    return element.to_floats(result.view(result.memory))


@pytest.mark.parametrize("unit", UNITS)
def test_infinity_and_nan_go_where_they_belong(unit: str) -> None:
    a, b = np.ones((40, 36), np.float32), np.ones((36, 40), np.float32)
    a[3, 35], a[17, 0], a[38, 4] = np.inf, np.nan, -np.inf
    b[7, 1], b[35, 39], b[4, 20] = np.inf, np.nan, 0
    with np.errstate(invalid="ignore"):
        expected = a @ b
    assert {np.inf, -np.inf} < set(expected.flat)
    np.testing.assert_array_equal(product_of(a, b, UNITS[unit]), expected)


@pytest.mark.parametrize("unit", UNITS)
def test_results_are_rounded_to_even(unit: str) -> None:
    """257 and 259 are halfway between numbers of bf16, 258.0 + 2**-9 is not quite."""
    a = np.array([[256, 1, 0], [256, 3, 0], [256, 1, 2.0**-9]], np.float32)
    a = np.pad(a, ((0, 0), (0, 1)))
    expected = np.array([[256], [260], [258]], np.float32)
    np.testing.assert_array_equal(
        product_of(a, np.ones((4, 1), np.float32), UNITS[unit]), expected
    )


@pytest.mark.parametrize(
    ("back_end", "has_tiles"), [("generated", True), ("vectors", False)]
)
def test_vectors_alone_can_be_asked_for(
    back_end: str, has_tiles: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    units: list[VectorUnit] = []

    def generate(_: Sequence[int], unit: VectorUnit) -> None:
        units.append(unit)

    has = this_processor().has | {"amx-tile", "amx-bf16"}
    with_tiles = replace(this_processor(), has=has)
    monkeypatch.setattr(processor, "may_use_tiles", lambda: True)
    name = abi.XSMM_GEMM_DISPATCH, abi.XSMM_GEMM_INVOKE
    kind = xsmm.KERNELS[name]._replace(generate=generate)
    monkeypatch.setattr(xsmm, "KERNELS", {name: kind})
    description = (BF16, 7, 5, 3, 3, 5, 5, 0)
    xsmm.kernel_address(name[1], description, back_end, with_tiles)
    assert [unit.multiplies_tiles for unit in units] == [has_tiles]


def test_tiles_are_multiplied_where_there_are_some() -> None:
    """Whether this processor has any or not: code can be generated."""
    llvm = cast(Any, binding())
    unit = VectorUnit(16, 32, multiplies_bf16=True, multiplies_tiles=True)
    flags = FLAGS["vnni_a"] | FLAGS["vnni_b"]
    sizes = (BF16, 40, 33, 34, 34, 33, 33)
    target = llvm.Target.from_triple("x86_64-unknown-linux-gnu")
    machine = target.create_target_machine(cpu="sapphirerapids", opt=3)

    def assembly(*description: int) -> str:
        text = requests.gemm_code(description, unit)
        assert text is not None
        return machine.emit_assembly(llvm.parse_assembly(text))

    pairs = assembly(*sizes, flags)
    assert "tdpbf16ps" in pairs
    assert pairs.count("ldtilecfg") == 4  # Whole tiles and the rest, both ways.
    assert "tilerelease" in pairs
    assert "tdpbf16ps" not in assembly(*sizes, 0)
