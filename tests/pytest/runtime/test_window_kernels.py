"""Kernels of windows of all kinds, sizes and distances against NumPy.

Every operand lies in memory whose rest must stay as it is. If rows of an image are
known to be zeros, some weights are infinite or NaN.
"""

import ctypes
import random
from collections.abc import Sequence

import numpy as np
import pytest
from harness.running.kernel_calls import function
from numpy.typing import NDArray

from xdsl_bufferization.runtime.errors import EngineError
from xdsl_bufferization.runtime.kernels import window_blocks, window_vectors
from xdsl_bufferization.runtime.kernels.requests import window_of
from xdsl_bufferization.runtime.kernels.window import Pixels, Step, Window
from xdsl_bufferization.runtime.kernels.window_vectors import build_window
from xdsl_bufferization.runtime.llvm import compile_function
from xdsl_bufferization.runtime.processors.names import NATIVE
from xdsl_bufferization.runtime.processors.processor import processor_named
from xdsl_bufferization.runtime.processors.vector_unit import VectorUnit
from xdsl_bufferization.runtime.xsmm_kernels import window_kernel
from xdsl_bufferization.support import abi

Array = NDArray[np.float32]

SAMPLES = 240
CHUNK = 40
ROOM = 37


def sample(seed: int) -> tuple[int, ...]:
    """A description; the same for the same seed."""
    draw = random.Random(seed)
    kind = draw.choice(list(abi.XSMM_WINDOW_KINDS))
    p, q = draw.randint(1, 5), draw.choice((1, 2, 3, 7, 13, 30))
    n = draw.choice((1, 3, 8, 16, 17, 24, 32, 40, 70))
    counts = [draw.choice((1, 1, 2, 3, 7)) for _ in range(abi.XSMM_WINDOW_STEPS - 1)]
    counts.append(draw.choice((1, 3, 5, 9, 16)))
    width_of_a = 1 if kind == "product" else n
    b_steps = _dense(counts, 1 if kind in ("add", "max") else n)
    a_steps = [draw.randint(0, 2) * width_of_a + draw.randint(0, 1) for _ in counts]
    if draw.random() < 0.6:
        a_steps[-2:] = [counts[-1] * width_of_a, width_of_a]
    a_q = draw.choice((width_of_a, 2 * width_of_a, counts[-1]))
    a_p = draw.choice((q * a_q, q * a_q + 3))
    c_q = n + draw.choice((0, 0, 3))
    c_p = q * c_q + draw.choice((0, 0, 5))
    e_q = draw.choice((c_q, n))
    e_p = q * e_q
    flags = sum(
        bit
        for name, bit in abi.XSMM_WINDOW_FLAGS.items()
        if draw.random() < 0.5 and not (name == "beta_0" and kind == "max")
    )
    steps = [
        each for step in zip(counts, a_steps, b_steps, strict=True) for each in step
    ]
    limits = [
        number
        for _ in range(abi.XSMM_WINDOW_BOUNDS)
        for number in (
            draw.choice(list(abi.XSMM_WINDOW_LIMITS.values())),
            int(np.float32(draw.randint(-9, 9)).view(np.uint32)),
        )
    ]
    zeros = (0, 0, 0)
    if kind == "product" and flags & abi.XSMM_WINDOW_FLAGS["beta_0"]:
        zeros = _zeros(draw, a_p, counts, a_steps)
    numbers = (p, q, n, a_p, a_q, c_p, c_q, e_p, e_q, *steps, *limits, *zeros, flags)
    return (abi.XSMM_WINDOW_KINDS[kind], abi.XSMM_DATA_TYPES["f32"], *numbers)


def _zeros(
    draw: random.Random, a_p: int, counts: Sequence[int], a_steps: Sequence[int]
) -> tuple[int, int, int]:
    """A loop, and where rows are that are not zeros; or nothing."""
    loop = draw.randrange(abi.XSMM_WINDOW_STEPS - 1)
    if not a_steps[loop]:
        return 0, 0, 0
    last = 4 * a_p + (counts[loop] - 1) * a_steps[loop]
    first = draw.randint(0, last)
    return loop, first, draw.randint(first, last) + 1


def _dense(counts: Sequence[int], width: int) -> list[int]:
    return [width * int(np.prod(counts[at + 1 :])) for at in range(len(counts))]


def memory_for(description: Sequence[int], seed: int) -> list[Array]:
    """A, B, C, D and E, with room around."""
    _, _, p, q, n, a_p, a_q, c_p, c_q, e_p, e_q, *steps, loop, first, end, _ = (
        description
    )
    steps = steps[: 3 * abi.XSMM_WINDOW_STEPS]
    random_ = np.random.default_rng(seed)
    over = [
        sum((count - 1) * step for count, step in _pairs(steps, at)) for at in (1, 2)
    ]
    sizes = (
        (p - 1) * a_p + (q - 1) * a_q + over[0] + n,
        over[1] + n,
        (p - 1) * c_p + (q - 1) * c_q + n,
        n,
        (p - 1) * e_p + (q - 1) * e_q + n,
    )
    arrays = [
        random_.integers(-4, 5, size + 2 * ROOM).astype(np.float32) for size in sizes
    ]
    if end:
        counts, a_steps = steps[::3], steps[1::3]
        places = np.indices((p, q, *counts)).reshape(2 + len(counts), -1)
        rows = places[0] * a_p + places[2 + loop] * a_steps[loop]
        at = np.array([a_p, a_q, *a_steps]) @ places
        arrays[0][ROOM + at[(rows < first) | (rows >= end)]] = 0
        odd = random_.integers(0, sizes[1], 2) + ROOM
        arrays[1][odd] = random_.choice([np.inf, -np.inf, np.nan], 2)
    return arrays


def _pairs(steps: Sequence[int], at: int) -> list[tuple[int, int]]:
    return list(zip(steps[::3], steps[at::3], strict=True))


@np.errstate(invalid="ignore")
@pytest.mark.volume(sample=2)
@pytest.mark.parametrize("first", range(0, SAMPLES, CHUNK))
def test_a_kernel_computes_what_numpy_does(first: int) -> None:
    for seed in range(first, first + CHUNK):
        description = sample(seed)
        arrays = memory_for(description, seed)
        wanted = [array.copy() for array in arrays]
        window_kernel(description)(*(_address(each) for each in wanted))
        handle = function(abi.XSMM_WINDOW_DISPATCH)(*description)
        words = [word for each in arrays for word in (_address(each, 0), ROOM)]
        function(abi.XSMM_WINDOW_INVOKE)(description[1], handle, *words)
        for array, other in zip(arrays, wanted, strict=True):
            np.testing.assert_array_equal(array, other, f"seed {seed}: {description}")


def _address(array: Array, offset: int = ROOM) -> int:
    return array.__array_interface__["data"][0] + offset * array.itemsize


@pytest.mark.parametrize(("channels", "is_asked"), [(512, True), (64, False)])
def test_strips_ask_for_the_next_weights_if_there_are_many(
    channels: int, is_asked: bool
) -> None:
    """The weights of the next channels then come while these are multiplied."""
    image = Pixels(a=9 * channels, c=7 * 32, e=0), Pixels(a=channels, c=32, e=0)
    window = Window(
        "product", (7, 7), 32, *image, (Step(channels, a=1, b=32),), beta_0=True
    )
    text = build_window(window, VectorUnit(16, 32))
    assert ("llvm.prefetch" in text) == is_asked


@np.errstate(invalid="ignore")
@pytest.mark.volume(sample=2)
@pytest.mark.parametrize("cpu", [NATIVE, "x86-64-v3"])
@pytest.mark.parametrize("first", range(0, SAMPLES, CHUNK))
def test_blocks_of_weights_give_the_bits_of_all_at_once(
    first: int, cpu: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(window_blocks, "MANY_WEIGHTS", 0)
    try:
        processor = processor_named(cpu)
    except EngineError as error:
        pytest.skip(str(error))
    unit = processor.vector_unit
    for seed in range(first, first + CHUNK):
        window = window_of(sample(seed))
        assert window is not None
        if not window_blocks.can_build(window, unit):
            continue
        arrays = memory_for(sample(seed), seed)
        rng = np.random.default_rng(seed)
        for array in arrays:
            # Zeros stay, and what is no number: the kernel knows of them.
            array *= rng.standard_normal(array.size).astype(np.float32)
        results: list[list[Array]] = []
        for build in (window_blocks.build_window, window_vectors.build_window):
            text = build(window, unit)
            library = compile_function(text, abi.KERNEL, processor=processor)
            kernel = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * 5)(library[abi.KERNEL])
            results.append([array.copy() for array in arrays])
            kernel(*(_address(each) for each in results[-1]))
        for one, other in zip(*results, strict=True):
            np.testing.assert_array_equal(one, other, f"seed {seed}")


def test_many_weights_are_walked_through_in_blocks() -> None:
    """As those of 512 channels and a window of 3x3, in blocks of 32 channels."""
    image = Pixels(a=9 * 32, c=7 * 32, e=0), Pixels(a=32, c=32, e=0)
    inner = Step(3, a=288, b=3072), Step(96, a=1, b=32)
    few, many = (
        Window("product", (7, 7), 32, *image, (Step(n, a=2592, b=9216), *inner))
        for n in (2, 16)
    )
    for unit in (VectorUnit(16, 32), VectorUnit(8, 16)):
        assert window_blocks.can_build(many, unit)
        assert not window_blocks.can_build(few, unit)
