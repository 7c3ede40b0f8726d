"""Where buffers of the vector dialect come from."""

from xdsl.ir import Operation
from xdsl.traits import OpTrait

from xdsl_bufferization.dialects.vector.memory import TypeCastOp
from xdsl_bufferization.models.deallocation.memref import ViewDeallocation

MODELS: dict[type[Operation], OpTrait] = {TypeCastOp: ViewDeallocation()}
