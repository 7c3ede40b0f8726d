"""The sizes of blocks: those of the option `block-factors`, and those that suit a size.

    block_of(384)  ->  64                            rows_of_block(1000)  ->  125
    block_of(144)  ->  48                            rows_of_block(197)   ->  197
    block_of(1000) ->  64, and a last block of 40
    block_of_channels(144) ->  48

Where neighbours have to agree, a block is a function of the size that they share alone.
A product walks all of what is summed over inside of a kernel, and needs no block there.
A right factor that is not packed beforehand has other blocks, `..._in_place`: kernels
read it row by row, or pack it while they multiply, which more rows are worth.
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

SMALL = 32 * 1024
"""Numbers of a right factor that need not be cut in blocks which do not divide it."""

ROWS = 128
"""Rows of a block, at most: with 1,000 sums they are half of a second-level cache."""

ROWS_IN_PLACE = 512
"""The same where kernels pack the right factor: a block of it is packed for each."""

MOST_COLUMNS_IN_PLACE = 1024
"""Columns of a block that kernels read row by row, at most: a page of memory, in f32.

What processors fetch ahead of a row is of use for long. There are fewer if there would
not be enough blocks for threads. One thread has all columns in a block.
"""

_LEAST_COLUMNS_IN_PLACE = 128
"""The same at least: a row of fewer is over before any of it has been fetched ahead."""

_STRIP = 16
"""So many rows, or fewer, are one strip of a kernel, or about two."""

_BLOCKS_TO_SHARE = 4
"""With fewer blocks of columns, threads need those of rows."""

LARGEST_BLOCK = 128
"""Channels of a block, at most."""

USUAL_BLOCK = 32
"""Of blocks that use as many lanes, the one that is nearest to so many channels."""


def columns_of_block(columns: int, rows: int | None, sums: int | None) -> int:
    """How many columns a block has, of a product with so many.

    `rows` and `sums` are the other sizes of the product; None if they are not known.
    """
    is_flat = rows is not None and rows <= FEW_ROWS
    block = block_of(columns, COLUMNS_OF_FEW_ROWS if is_flat else COLUMNS)
    is_small = sums is not None and columns * sums <= SMALL
    return columns if columns % block and is_small else block


def columns_in_place(
    columns: int, rows: int | None, sums: int | None, *, one_thread: bool = False
) -> int:
    """The same where the right factor is not packed beforehand.

    For `one_thread`, no blocks are made to be shared.
    """
    if rows is not None and rows <= _STRIP:
        if one_thread:
            return max(columns, 1)
        # A last block that is smaller is not shared: it should be much smaller.
        wanted = columns // (_BLOCKS_TO_SHARE * LANES) * LANES
        wanted = min(max(wanted, _LEAST_COLUMNS_IN_PLACE), MOST_COLUMNS_IN_PLACE)
        return block_of(columns, wanted)
    return columns_of_block(columns, rows, sums)


def rows_of_block(rows: int, most: int = ROWS) -> int:
    """How many rows a block has, of a product with so many."""
    if rows <= most:
        return rows
    good = [block for block in _divisors(rows, most) if block >= most // 2]
    if good:
        return max(good)
    return rows if rows <= 4 * ROWS else most


def rows_in_place(rows: int, columns: int) -> int:
    """The same where the right factor is not packed beforehand."""
    has_many = columns >= _BLOCKS_TO_SHARE * COLUMNS
    return rows_of_block(rows, ROWS_IN_PLACE if has_many else ROWS)


def block_of(size: int, wanted: int = COLUMNS) -> int:
    """A block of about `wanted` elements for vectors, of `size` elements.

    Blocks are whole vectors: their rows then start at cache lines. The block divides
    the size if there is such a one. Otherwise it is the wanted one, and the last block
    is smaller; or all is one block, if it is at most half as long again. Of no elements
    it is 1.
    """
    if size <= wanted:
        return max(size, 1)
    least, most = 3 * wanted // 4, 2 * wanted
    good = [
        block
        for block in range(LANES, min(size, most + 1), LANES)
        if size % block == 0 and block >= least
    ]
    if good:
        return max((block for block in good if block <= wanted), default=good[0])
    return size if 2 * size <= 3 * wanted else wanted


def _divisors(size: int, most: int) -> Iterator[int]:
    """The divisors of `size`, up to the largest that a block may be."""
    return (block for block in range(1, min(size, most) + 1) if size % block == 0)


def block_of_channels(channels: int) -> int:
    """How many of so many channels are in a block: a divisor that fills vectors.

    The number of channels alone decides, so that neighbouring layers agree.

        64 -> 32     144 -> 48     24 -> 24     3 -> 3     1000 -> 125
    """
    best = max(_divisors(channels, LARGEST_BLOCK), key=_use_of_lanes)
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
