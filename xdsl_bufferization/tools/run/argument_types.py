"""Numbers among the arguments of `xbuf`, for `argparse`.

positive("0")     ->   an error: 0 is not positive
layers("4,8")     ->   (4, 8)
"""

import argparse

_MOST_DIGITS = 18
"""So many digits fit into 64 bits, whatever they are."""


def positive(text: str) -> int:
    """A number that is not zero."""
    if (value := natural(text)) == 0:
        raise argparse.ArgumentTypeError("0 is not positive")
    return value


def natural(text: str) -> int:
    """A number that may be zero."""
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"'{text}' is not a number of digits")
    if len(text) > _MOST_DIGITS:
        raise argparse.ArgumentTypeError(f"a number has at most {_MOST_DIGITS} digits")
    return int(text)


def layers(text: str) -> tuple[int, ...]:
    """The columns of the input and of each layer."""
    columns = tuple(positive(part) for part in text.split(","))
    if len(columns) < 2:
        raise argparse.ArgumentTypeError(f"'{text}' is less than two sizes")
    return columns


def tiles(text: str) -> tuple[int, ...]:
    """The three sizes of a tile."""
    sizes = tuple(positive(part) for part in text.split(","))
    if len(sizes) != 3:
        raise argparse.ArgumentTypeError(f"'{text}' is not three sizes")
    return sizes
