"""The pseudo-random numbers of C++'s `std::mt19937`, so that a seed means the same.

    MersenneTwister(5489).next()      # 3499211612, as in C++

Python's `random` has the same generator, but seeds it differently. NumPy has both, but
a compiler should not have to load NumPy. Source: M. Matsumoto and T. Nishimura,
"Mersenne Twister", 1998.
"""

_LENGTH = 624
_SHIFT = 397
_WORD = 0xFFFFFFFF


class MersenneTwister:
    """A generator of 32-bit numbers."""

    def __init__(self, seed: int):
        self._state = [seed & _WORD]
        for number in range(1, _LENGTH):
            last = self._state[-1]
            self._state.append((1812433253 * (last ^ last >> 30) + number) & _WORD)
        self._position = _LENGTH

    def next(self) -> int:
        """The next number."""
        if self._position == _LENGTH:
            self._twist()
        value = self._state[self._position]
        self._position += 1
        value ^= value >> 11
        value ^= value << 7 & 0x9D2C5680
        value ^= value << 15 & 0xEFC60000
        return value ^ value >> 18

    def _twist(self) -> None:
        state = self._state
        for number in range(_LENGTH):
            upper = state[number] & 0x80000000
            mixed = upper | state[(number + 1) % _LENGTH] & 0x7FFFFFFF
            odd = 0x9908B0DF if mixed & 1 else 0
            state[number] = state[(number + _SHIFT) % _LENGTH] ^ mixed >> 1 ^ odd
        self._position = 0
