"""Bits as elements of other sizes, and random bits, which are those of Philox."""

import numpy as np
import pytest
from harness.running.stablehlo_ops import run_lines, run_text, tensor


def test_bits_become_smaller_and_larger_elements() -> None:
    x = np.array([1.5, -2.0, np.inf, 3e-39], np.float32)
    parts = x.view(np.uint8).reshape(4, 4)
    pair = np.array([[1, 2**31 + 5], [7, 0]], np.uint32)
    (small,) = run_lines(
        ["stablehlo.bitcast_convert %0 : (tensor<4xf32>) -> tensor<4x4xui8>"],
        ["tensor<4x4xui8>"],
        [x],
    )
    whole, wide = run_lines(
        [
            "stablehlo.bitcast_convert %0 : (tensor<4x4xui8>) -> tensor<4xf32>",
            "stablehlo.bitcast_convert %1 : (tensor<2x2xui32>) -> tensor<2xi64>",
        ],
        ["tensor<4xf32>", "tensor<2xi64>"],
        [parts, pair],
    )
    assert small.tolist() == parts.tolist()
    assert whole.tolist() == x.tolist()
    assert wide.tolist() == pair.view(np.int64)[:, 0].tolist()


def _random(state: list[int], element: str, shape: str) -> list[np.ndarray]:
    numbers = np.array(state, np.uint64).view(np.int64)
    words = f"tensor<{len(state)}xui64>"
    type_ = f"tensor<{shape}x{element}>"
    assert tensor(numbers) == words.replace("ui", "i")
    return list(
        run_text(
            f"""func.func @main(%s: {words}) -> ({words}, {type_}) {{
  %0, %1 = stablehlo.rng_bit_generator %s, algorithm = DEFAULT
      : ({words}) -> ({words}, {type_})
  return %0, %1 : {words}, {type_}
}}""",
            numbers,
        )
    )


@pytest.mark.parametrize(
    ("state", "words"),
    [
        # The authors of Philox publish these two: `kat_vectors` of Random123.
        ([0, 0, 0], [0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8]),
        ([2**64 - 1] * 3, [0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD]),
        # And this is what JAX computes.
        (
            [1 + (2 << 32), 3 + (4 << 32)],
            [0x1E8FE864, 0x4D5E0BD7, 0x4B87C9BE, 0x2D689201, 0x5273487B, 0x61C05696],
        ),
    ],
)
def test_random_words(state: list[int], words: list[int]) -> None:
    _, bits = _random(state, "ui32", str(len(words)))
    assert bits.tolist() == words


def test_random_elements_of_all_sizes_and_the_state_behind_them() -> None:
    state = [1 + (2 << 32), 3 + (4 << 32)]
    used, words = _random(state, "ui32", "2x3")
    flat = words.ravel()
    assert used.tolist() == [state[0], state[1] + 2]
    used, small = _random(state, "ui8", "5")
    assert small.tolist() == (flat[:5] & 255).tolist()
    used, wide = _random(state, "ui64", "3")
    assert wide.tolist() == flat.view(np.uint64).tolist()
    assert used.tolist() == [state[0], state[1] + 2]


def test_the_counter_carries_into_its_high_half() -> None:
    last = 2**64 - 1
    used, bits = _random([5, last, 9], "ui32", "8")
    _, behind = _random([5, 0, 10], "ui32", "4")
    assert used.tolist() == [5, 1, 10]
    assert bits[4:].tolist() == behind.tolist()
