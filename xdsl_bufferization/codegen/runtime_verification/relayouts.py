"""What packing and unpacking demand: as many tiles as the tensor fills.

linalg.pack %t inner_tiles = [8] into %p       size 0 of %p is that of %t, by 8
                                               8 divides it, or there is padding
"""

from xdsl_bufferization.dialects.common.static_values import OpFoldResult
from xdsl_bufferization.dialects.linalg.pack import PackOp, RelayoutOp, UnPackOp

from .accesses import Rules
from .checks import Checks


def _check_relayout(op: RelayoutOp, checks: Checks) -> None:
    unpacked, packed = op.operands[:2]
    if isinstance(op, UnPackOp):
        unpacked, packed = packed, unpacked
    tiles = checks.mixed_values(op.static_tiles, op.tile_operands)
    outer = op.outer_permutation
    for number, tile in enumerate(tiles):
        checks.require(
            checks.holds("sgt", tile, 0), "the tile size {0} is not positive", tile
        )
        found = checks.size(packed, len(outer) + number)
        reason = f"size {{0}} of tile {number} is not {{1}}"
        checks.require_same(found, tile, reason, found, tile)
    by_dimension = dict(zip(op.tiled_dimensions, tiles, strict=True))
    for place, dimension in enumerate(outer):
        size, count = checks.size(unpacked, dimension), checks.size(packed, place)
        tile = by_dimension.get(dimension, 1)
        if isinstance(op, PackOp) and op.padding_value is None:
            _require_full(size, tile, dimension, checks)
        reason = f"{{0}} tiles of dimension {dimension} are not the {{1}} that it fills"
        wanted = _divide_up(size, tile, checks)
        checks.require_same(count, wanted, reason, count, wanted)


def _require_full(
    size: OpFoldResult, tile: OpFoldResult, dimension: int, checks: Checks
) -> None:
    whole = checks.multiply(checks.divide(size, tile), tile)
    reason = f"size {{0}} of dimension {dimension} is no multiple of the tile {{1}}"
    checks.require_same(whole, size, reason, size, tile)


def _divide_up(size: OpFoldResult, tile: OpFoldResult, checks: Checks) -> OpFoldResult:
    return checks.divide(checks.add(size, checks.subtract(tile, 1)), tile)


RULES: Rules = {PackOp: _check_relayout, UnPackOp: _check_relayout}
