"""Where buffers of the vector dialect come from."""

from xdsl.ir import Operation
from xdsl.traits import OpTrait

from xdsl_bufferization.dialects.vector.memory import TypeCastOp

from .memref import ViewDeallocation

MODELS: dict[type[Operation], OpTrait] = {TypeCastOp: ViewDeallocation()}
