"""Control flow through the region of `shape.assuming`."""

from xdsl.ir import Operation
from xdsl.traits import OpTrait

from xdsl_bufferization.bufferization.models.region_branch.scf import (
    ExecuteRegionOpRegionBranch,
)
from xdsl_bufferization.dialects.shape import AssumingOp

MODELS: dict[type[Operation], OpTrait] = {AssumingOp: ExecuteRegionOpRegionBranch()}
