"""The sizes of blocks: those of the option `block-factors`, and those that suit a size.

    columns_of_block(384)  ->  64          rows_of_block(1000)  ->  125
    columns_of_block(1000) ->  125         rows_of_block(197)   ->  197
    columns_of_block(1009) ->  64, and a last block of 49 columns
    block_of_channels(144) ->  48

Each is a function of one size alone, so that neighbours that share a size agree. A
product walks all of what is summed over inside of a kernel, and needs no block there.
"""

from collections.abc import Iterator, Sequence

from xdsl.utils.exceptions import PassFailedException

LANES = 16
"""Numbers in a vector. Blocks that suit 16 suit smaller vectors, too."""

COLUMNS = 64
"""Columns of a block: four vectors, which is how wide the tile of a kernel is."""

COLUMNS_OF_FEW_ROWS = 128
"""The same if there are at most `FEW_ROWS`: sums in eight vectors do not wait."""

FEW_ROWS = 2

ROWS = 128
"""Rows of a block, at most: with 1,000 sums they are half of a second-level cache."""

LARGEST_BLOCK = 128
"""Channels of a block, at most."""

USUAL_BLOCK = 32
"""Of blocks that use as many lanes, the one that is nearest to so many channels."""

_LEAST_USE = 0.93
"""The share of lanes that a good block uses."""

_MOST_AS_A_WHOLE = 8
"""A size without a good block stays whole up to so many times the wanted one."""


def columns_of_block(columns: int, rows: int | None = None) -> int:
    """How many columns a block has, of a product with so many.

    `rows` is how many rows it has; None if that is not known.
    """
    is_flat = rows is not None and rows <= FEW_ROWS
    return block_of(columns, COLUMNS_OF_FEW_ROWS if is_flat else COLUMNS)


def rows_of_block(rows: int) -> int:
    """How many rows a block has, of a product with so many."""
    if rows <= ROWS:
        return rows
    good = [block for block in _divisors(rows) if ROWS // 2 <= block <= ROWS]
    if good:
        return max(good)
    return rows if rows <= 4 * ROWS else ROWS


def block_of(size: int, wanted: int = COLUMNS) -> int:
    """A block of about `wanted` elements for vectors, of `size` elements.

    It divides the size, and leaves few lanes of vectors without use. It is the largest
    of up to `wanted` elements, one of whole vectors if there is any, or else the
    smallest of up to four times as many. A small size without such a block is one
    block. Of a large one, the last block is smaller.
    """
    if size <= wanted:
        return size
    good = [
        block
        for block in _divisors(size)
        if wanted // 2 <= block <= 4 * wanted and _use(block) >= _LEAST_USE
    ]
    fitting = [block for block in good if block <= wanted]
    if good:
        whole = [block for block in fitting if block % LANES == 0]
        return max(whole or fitting) if fitting else min(good)
    return size if size <= _MOST_AS_A_WHOLE * wanted else wanted


def _divisors(size: int) -> Iterator[int]:
    """The divisors of `size` from 2 on that a block may have."""
    most = min(size, 4 * COLUMNS_OF_FEW_ROWS)
    return (block for block in range(2, most + 1) if size % block == 0)


def _use(block: int) -> float:
    """The share of lanes that a row of a block uses."""
    return block / (-(-block // LANES) * LANES)


def block_of_channels(channels: int) -> int:
    """How many of so many channels are in a block: a divisor that fills vectors.

    The number of channels alone decides, so that neighbouring layers agree.

        64 -> 32     144 -> 48     24 -> 24     3 -> 3     1000 -> 40
    """
    divisors = [
        size
        for size in range(1, min(channels, LARGEST_BLOCK) + 1)
        if channels % size == 0
    ]
    best = max(divisors, key=_use_of_lanes)
    if _use_of_lanes(channels)[0] > 2 * _use_of_lanes(best)[0]:
        return channels
    return best


def _use_of_lanes(block: int) -> tuple[float, float]:
    """The part of all lanes that is used; then how close to the usual size."""
    vectors = -(-block // LANES)
    closeness = min(block, USUAL_BLOCK) / max(block, USUAL_BLOCK)
    return block / (vectors * LANES), closeness


def check_factors(factors: Sequence[int], names: Sequence[str]) -> Sequence[int]:
    """`factors`, if there is a positive one for each of `names`.

    Raises a `PassFailedException` otherwise.
    """
    if len(factors) != len(names) or any(factor < 1 for factor in factors):
        given = ",".join(map(str, factors))
        raise PassFailedException(
            f"block-factors is '{given}', but must be {len(names)} positive numbers: "
            f"{', '.join(names)}"
        )
    return factors
