"""The blocks of a region are counted once while it is verified.

xDSL 0.74 counts them at the end of each block, one by one: the time to verify grows
with the square of the blocks.

    len(region.blocks)     a look at the count in `Region.verify`, else a walk
"""

from collections.abc import Callable

from xdsl.ir import Region, RegionBlocks

_COUNT = "number_of_blocks_while_verified"
"""The attribute of a region that is being verified; nothing changes it meanwhile."""


def count_once(verify_in_xdsl: Callable[[Region], None]) -> Callable[[Region], None]:
    """`Region.verify`, with a count at hand."""

    def verify(self: Region) -> None:
        vars(self)[_COUNT] = sum(1 for _ in self.blocks)
        try:
            verify_in_xdsl(self)
        finally:
            vars(self).pop(_COUNT, None)

    return verify


def use_count(
    count_in_xdsl: Callable[[RegionBlocks], int],
) -> Callable[[RegionBlocks], int]:
    """`RegionBlocks.__len__`, which uses the count."""

    def count(self: RegionBlocks) -> int:
        region: Region = vars(self)["_region"]
        known: int | None = vars(region).get(_COUNT)
        return count_in_xdsl(self) if known is None else known

    return count
