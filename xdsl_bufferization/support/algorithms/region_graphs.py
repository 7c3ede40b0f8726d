"""The graphs of regions, each computed when an analysis first asks for it.

    func.func @f(...) {
      scf.for ... { ... }        // a region of one block: there is no graph
      cf.br ^bb1                 // the body of @f has two blocks: there is a graph
    ^bb1:
      return
    }

All analyses of one function share them, so that each graph is computed once. A region
of a single block has no graph, and costs nothing.
"""

from collections.abc import Iterator

from xdsl.ir import Block, Region

from .block_dominance import BlockDominance
from .live_blocks import Exit, LiveBlocks, Uses


class RegionGraphs:
    """What analyses of one function have in common."""

    def __init__(self) -> None:
        self._graphs: dict[Region, BlockDominance | None] = {}
        self._live: dict[Region, LiveBlocks | None] = {}

    def of(self, region: Region | None) -> BlockDominance | None:
        """The graph of a region, or None if the region has a single block."""
        if region is None:
            return None
        if region not in self._graphs:
            is_single = region.first_block is region.last_block
            self._graphs[region] = None if is_single else BlockDominance(region)
        return self._graphs[region]

    def live_blocks(self, region: Region | None) -> LiveBlocks | None:
        """What is live where in a region, or None if the region has a single block."""
        if region is None:
            return None
        if region not in self._live:
            graph = self.of(region)
            self._live[region] = None if graph is None else LiveBlocks(graph)
        return self._live[region]

    def live_blocks_around(self, block: Block) -> LiveBlocks:
        """What is live where in the region of `block`, which has several blocks."""
        found = self.live_blocks(block.parent)
        assert found is not None
        return found

    def range_ends(self, home: Block, uses: Uses) -> Iterator[Exit]:
        """Where the live range of what `home` defines ends, in a region of any kind.

        `uses` are as in `LiveBlocks`, and empty in a region of a single block.
        """
        live = self.live_blocks(home.parent)
        return iter((Exit(home, None),)) if live is None else live.exits(home, uses)
