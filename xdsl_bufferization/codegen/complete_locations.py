"""The location of each op in the source, also where a pass has lost it.

Messages of a running program name the location of an op. Passes give new ops the
location of the op that they replace. Where a pass does not, the nearest location is
taken: that of the last op before it in its block, or else of the op around it.

    memref.copy ...        loc("a.mlir":4:3)
    memref.store ...       loc(unknown)         ->  loc("a.mlir":4:3)
"""

from xdsl.dialects.builtin import LocationAttr, ModuleOp, UnknownLoc
from xdsl.ir import Block

from xdsl_bufferization.dialects.text.locations import file_location


def complete_locations(module: ModuleOp) -> None:
    """Give each op in `module` a location, if anything around it has one."""
    waiting: list[tuple[Block, LocationAttr]] = []
    unknown = UnknownLoc()
    waiting += [
        (block, unknown) for region in module.regions for block in region.blocks
    ]
    while waiting:
        block, location = waiting.pop()
        for op in block.ops:
            if file_location(op.location) is None:
                op.location = location
            else:
                location = op.location
            waiting += [
                (inner, location) for region in op.regions for inner in region.blocks
            ]
