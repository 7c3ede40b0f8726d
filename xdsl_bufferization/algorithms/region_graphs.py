"""The graphs of regions, each computed when something first asks for it.

A region of a single block has none.
"""

from xdsl.ir import Region

from xdsl_bufferization.algorithms.block_dominance import BlockDominance
from xdsl_bufferization.algorithms.live_blocks import LiveBlocks


class RegionGraphs:
    """What analyses of one function have in common."""

    def __init__(self) -> None:
        self._graphs: dict[Region, BlockDominance | None] = {}
        self._live: dict[Region, LiveBlocks | None] = {}

    def of(self, region: Region | None) -> BlockDominance | None:
        """The graph of a region, or None if it has a single block."""
        if region is None:
            return None
        if region not in self._graphs:
            is_single = region.first_block is region.last_block
            self._graphs[region] = None if is_single else BlockDominance(region)
        return self._graphs[region]

    def live_blocks(self, region: Region | None) -> LiveBlocks | None:
        """What is needed where in a region, or None if it has a single block."""
        if region is None:
            return None
        if region not in self._live:
            graph = self.of(region)
            self._live[region] = None if graph is None else LiveBlocks(graph)
        return self._live[region]
