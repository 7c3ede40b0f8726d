"""The numbers that tpp-run gives a program: `--init-type` and `--seed`.

    const     1 1 1 1 ...
    simple    0.3 0.6 0.9 0.3 ...       integers: 0 1 2 0 ...
    cont      0 1/n 2/n ...             integers: up to 255
    random    uniform, from 0 to 1      integers: from 0 to 255
    normal    with deviation 0.2, and nothing below 0 or above 1; integers: binomial,
              around 127

The random numbers are those of tpp-run, but for the last bit of a few normal ones,
where logarithms are rounded otherwise, and but for binomial ones. They come from the
`default_random_engine` of the C++ standard library. The generator here is libstdc++'s:
a linear congruential one, multiplied by 16807 modulo 2**31 - 1. One stream serves all
arrays of a kind, in the order in which they are asked for.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import initial_types

Array = NDArray[Any]
Floats = NDArray[np.float32]

_LARGEST_INTEGER = 255
_DEVIATION = np.float32(0.2)

_FACTOR, _MODULUS = 16807, 2**31 - 1
_BLOCK = 1024


class InitialNumbers:
    """Arrays of one init type; the random ones depend on a seed."""

    def __init__(self, init_type: str, seed: int = 0):
        is_random = init_type in (initial_types.RANDOM, initial_types.NORMAL)
        if is_random and not seed:
            raise ValueError(f"--init-type {init_type} needs a seed that is not 0")
        self._init_type = init_type
        self._seed = seed
        self._streams: dict[str, _Stream] = {}

    def floats(self, size: int, element: str) -> Floats:
        """Numbers for an array of this element type, such as `f32`, in one row."""
        match self._init_type:
            case initial_types.CONST:
                return np.ones(size, np.float32)
            case initial_types.SIMPLE:
                return np.resize(np.array([0.3, 0.6, 0.9], np.float32), size)
            case initial_types.CONT:
                return np.arange(size, dtype=np.float32) / np.float32(size)
            case initial_types.RANDOM:
                return self._stream(element).uniform(size)
            case _:
                return self._stream(element).normal(size)

    def integers(self, size: int, element: str) -> Array:
        """Integers for an array of this element type, such as `i8`, in one row."""
        match self._init_type:
            case initial_types.CONST:
                return np.ones(size, np.int64)
            case initial_types.SIMPLE:
                return np.resize(np.arange(3), size)
            case initial_types.CONT:
                parts = np.arange(size, dtype=np.float32) / np.float32(size)
                return (parts * np.float32(_LARGEST_INTEGER)).astype(np.int64)
            case initial_types.RANDOM:
                return self._stream(element).integers(size)
            case _:
                return self._stream(element).binomial(size)

    def _stream(self, element: str) -> "_Stream":
        if element not in self._streams:
            self._streams[element] = _Stream(self._seed)
        return self._streams[element]


class _Stream:
    """Random numbers in order, with what libstdc++ keeps between two of them."""

    def __init__(self, seed: int):
        self._state = np.uint64(seed % _MODULUS or 1)
        self._kept: list[np.float32] = []
        self._coins = np.random.default_rng(seed)

    def uniform(self, size: int) -> Floats:
        """`std::uniform_real_distribution<float>` from 0 to 1."""
        numbers = (self._next(size) - 1).astype(np.float32)
        numbers /= np.float32(_MODULUS - 1)
        return np.minimum(numbers, np.nextafter(np.float32(1), np.float32(0)))

    def normal(self, size: int) -> Floats:
        """`std::normal_distribution<float>` around 0, cut off below 0 and above 1."""
        numbers = np.array(self._kept[:size], np.float32)
        self._kept = self._kept[size:]
        while len(numbers) < size:
            pairs = self._pairs(size - len(numbers) + 1 >> 1)
            numbers = np.concatenate([numbers, pairs])
        self._kept += list(numbers[size:])
        return np.clip(numbers[:size] * _DEVIATION, 0, 1).astype(np.float32)

    def _pairs(self, wanted: int) -> Floats:
        """At most so many pairs of normal numbers, by the polar method."""
        draws = self.uniform(2 * wanted).astype(np.float64)
        points = (2 * draws - 1).astype(np.float32).reshape(-1, 2)
        radii = points[:, 0] * points[:, 0] + points[:, 1] * points[:, 1]
        inside = (radii <= 1) & (radii != 0)
        radii = radii[inside]
        logarithms = np.log(radii.astype(np.float64)).astype(np.float32)
        factors = np.sqrt(np.float32(-2) * logarithms / radii)
        # The second coordinate comes first.
        return (points[inside][:, ::-1] * factors[:, None]).reshape(-1)

    def integers(self, size: int) -> Array:
        """`std::uniform_int_distribution` from 0 to 255."""
        count = _LARGEST_INTEGER + 1
        scale = (_MODULUS - 2) // count
        found = np.zeros(0, np.int64)
        while len(found) < size:
            draws = (self._next(size - len(found)) - 1).astype(np.int64)
            found = np.concatenate([found, draws[draws < count * scale] // scale])
        return found

    def binomial(self, size: int) -> Array:
        """Sums of 255 coins. They are NumPy's, and not those of libstdc++."""
        return self._coins.binomial(_LARGEST_INTEGER, 0.5, size)

    def _next(self, count: int) -> NDArray[np.uint64]:
        """The next `count` states of the generator."""
        powers = _powers(min(count, _BLOCK))
        states: list[NDArray[np.uint64]] = []
        left = count
        while left:
            block = powers[: min(left, _BLOCK)] * self._state % np.uint64(_MODULUS)
            self._state = block[-1]
            states.append(block)
            left -= len(block)
        return np.concatenate(states) if states else np.zeros(0, np.uint64)


def _powers(count: int) -> NDArray[np.uint64]:
    """The first `count` powers of the factor."""
    powers: list[int] = []
    power = 1
    for _ in range(count):
        power = power * _FACTOR % _MODULUS
        powers.append(power)
    return np.array(powers, np.uint64)
