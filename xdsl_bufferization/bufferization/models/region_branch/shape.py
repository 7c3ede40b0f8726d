"""Control flow through the region of `shape.assuming`."""

from xdsl.ir import Operation
from xdsl.traits import OpTrait

from xdsl_bufferization.dialects.shape import AssumingOp

from .scf import ExecuteRegionOpRegionBranch

MODELS: dict[type[Operation], OpTrait] = {AssumingOp: ExecuteRegionOpRegionBranch()}
