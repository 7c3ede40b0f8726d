"""The blocks of a region are counted once while it is verified.

xDSL 0.74 counts them at the end of each block, one by one: the time to verify grows
with the square of the blocks.

    len(region.blocks)     a look at the count in `Region.verify`, else a walk
"""

from functools import cache

from xdsl.ir import Region, RegionBlocks

_COUNT = "number_of_blocks_while_verified"
"""The attribute of a region that is being verified; nothing changes it meanwhile."""

_verify_in_xdsl = Region.verify
_count_in_xdsl = RegionBlocks.__len__


@cache
def amend_block_counts() -> None:
    """Make xDSL's verifier linear in blocks; once in a process."""
    Region.verify = _verify
    RegionBlocks.__len__ = _count


def _verify(self: Region) -> None:
    vars(self)[_COUNT] = _count_in_xdsl(self.blocks)
    try:
        _verify_in_xdsl(self)
    finally:
        vars(self).pop(_COUNT, None)


def _count(self: RegionBlocks) -> int:
    region: Region = vars(self)["_region"]
    count: int | None = vars(region).get(_COUNT)
    return _count_in_xdsl(self) if count is None else count
